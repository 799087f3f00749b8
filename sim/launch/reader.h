/* Parts of reading a launch file; inside the library only. */
#ifndef WS_SIM_LAUNCH_READER_H
#define WS_SIM_LAUNCH_READER_H

#include "sim/base/yaml_tree.h"
#include "sim/launch/launch.h"
#include "sim/launch/program_store.h"

/* Of the launch that is being read, or the only one. */
typedef struct {
    guint32 grid[3], block[3];
    gboolean grid_known, block_known;
} WsLaunchSizes;

typedef struct {
    WsNamedValue value;
    const char *source; /* of the --launch that gave it, or NULL; not owned */
    gboolean used;      /* by something that is not in `let` */
} WsLetEntry;

/* The value of entry `by` uses that of entry `used`, which stands above it. */
typedef struct {
    guint by, used;
} WsLetUse;

typedef struct {
    WsYamlTree *tree;
    char *folder; /* of the launch file: other files are relative to it */
    const WsJobOptions *options;
    WsJob *job;
    GArray *buffers;            /* of WsBuffer */
    GArray *textures;           /* of WsTexture */
    GArray *launches;           /* of WsLaunch */
    GArray *expectations;       /* of WsExpectation */
    GArray *reference_launches; /* of WsLaunch */
    GPtrArray *launch_nodes;    /* of WsYamlNode *, in the tree */
    GArray *let;                /* of WsLetEntry */
    GArray *let_uses;           /* of WsLetUse, in the order of `by` */
    GHashTable *let_index;      /* name -> place in `let`; names are those of the entries */
    WsNames names;              /* what expressions know */
    gboolean inside_let;        /* a value of `let` is being computed */
    gboolean inside_launch;     /* `sizes` are those of a launch */
    WsLaunchSizes sizes;
    GPtrArray *override_sources; /* of char*: what messages call each --launch */
    GByteArray *override_uses;   /* by --launch, of a parameter: 1 if a kernel has taken it */
    guint64 next_address;
} WsLaunchReader;

/* Whether `let` may give this name; sim/launch/let.c. */
gboolean ws_launch_may_be_let(const char *name);

/* sim/launch/names.c */
/* TRUE for letters, digits and _, a letter or _ first, of at most `longest` bytes. */
gboolean ws_launch_is_name(const char *text, gsize longest);
/*
 * The place in `names` (of char*) of the one that the scalar `node` names; `what` they are
 * ("buffer") is for messages, which suggest the nearest name. Errors: WS_ERROR_INPUT.
 */
gboolean ws_launch_find_name(const WsLaunchReader *reader, const WsYamlNode *node, const char *what,
                             const GPtrArray *names, guint32 *ret, GError **error);

/* sim/launch/kernel.c */
/* The kernel that the scalar `node` names. Errors: WS_ERROR_INPUT. */
const WsKernel *ws_launch_find_kernel(const WsLaunchReader *reader, const WsYamlNode *node,
                                      GError **error);

/* sim/launch/program.c */
enum { WS_LEAST_REGISTERS = 16, WS_MOST_REGISTERS = 255 }; /* of `maxreg` */
/* Reads `program:` and `compile:`; the program and its variables' memory go to the job. */
gboolean ws_launch_load_program(WsLaunchReader *reader, GError **error);

/* sim/launch/policy.c */
/* Loads the file that the setting `policy` names, if it names one. Errors: WS_ERROR_INPUT. */
gboolean ws_launch_load_policy(WsLaunchReader *reader, GError **error);

/* sim/launch/let.c */
/* Checks the names in `let:`, and lets the tree's numbers be expressions from here on. */
gboolean ws_launch_check_let(WsLaunchReader *reader, GError **error);
/* Computes the values in `let:`, from top to bottom. */
gboolean ws_launch_read_let(WsLaunchReader *reader, GError **error);
/* At the end: a value that --launch gave must have had an effect. */
gboolean ws_launch_check_used(WsLaunchReader *reader, GError **error);

/* sim/launch/sizes.c */
/* Reads `grid:` and `block:` of a launch into reader->sizes, which have names from here on. */
gboolean ws_launch_read_sizes(WsLaunchReader *reader, const WsYamlNode *launch_node,
                              GError **error);

/* sim/launch/buffers.c */
gboolean ws_launch_read_buffers(WsLaunchReader *reader, const WsYamlNode *node, GError **error);
gboolean ws_launch_add_buffer(WsLaunchReader *reader, const WsYamlNode *name_node,
                              const WsYamlNode *node, gboolean named_inside, guint32 *ret,
                              GError **error);
/* The buffer that the scalar `node` names. */
gboolean ws_launch_find_buffer(const WsLaunchReader *reader, const WsYamlNode *node, guint32 *ret,
                               GError **error);
/* The type of elements that the scalar `node` names. */
gboolean ws_launch_read_type(const WsYamlTree *tree, const WsYamlNode *node, WsType *ret,
                             GError **error);
gboolean ws_launch_read_symbols(WsLaunchReader *reader, const WsYamlNode *node, GError **error);
gboolean ws_launch_read_expectations(WsLaunchReader *reader, const WsYamlNode *node,
                                     GError **error);

/* sim/launch/shared_parts.c */
/* Without `bytes_given` they say how much dynamic shared memory the launch has. */
gboolean ws_launch_read_shared_parts(const WsLaunchReader *reader, const WsYamlNode *node,
                                     gboolean bytes_given, WsLaunch *launch, GError **error);

/* sim/launch/textures.c */
gboolean ws_launch_read_textures(WsLaunchReader *reader, const WsYamlNode *node, GError **error);
/* Binds references: those of the same name as a texture, and what `node` says. */
gboolean ws_launch_read_texture_references(const WsLaunchReader *reader, const WsYamlNode *node,
                                           GError **error);
/* The handle of the texture that the scalar `node` names. */
gboolean ws_launch_find_texture(const WsLaunchReader *reader, const WsYamlNode *node,
                                guint64 *ret_handle, GError **error);

/* sim/launch/parameters.c */
gboolean ws_launch_read_parameters(WsLaunchReader *reader, const WsYamlNode *launch_node,
                                   const WsYamlNode *node, WsLaunch *launch, GError **error);

/* sim/launch/initial.c */
gboolean ws_launch_read_initial(const WsLaunchReader *reader, const WsYamlNode *node,
                                WsLaunch *launch, GError **error);

/*
 * sim/launch/override.c: --launch values. The names are checked first; then values of `let:` and of
 * the launches are put into the tree before it is read, parameters when the kernel is known: into
 * each launch whose kernel has one of the name (a reference kernel with parameters of its own among
 * them), into one at least.
 */
gboolean ws_launch_check_overrides(WsLaunchReader *reader, GError **error);
gboolean ws_launch_override_let(WsLaunchReader *reader, GError **error);
gboolean ws_launch_override(WsLaunchReader *reader, WsYamlNode *launch_node, guint index,
                            const WsKernel *kernel, GError **error);
gboolean ws_launch_override_reference(WsLaunchReader *reader, WsYamlNode *node,
                                      const WsKernel *kernel, GError **error);
gboolean ws_launch_check_override_uses(const WsLaunchReader *reader, GError **error);

#endif
