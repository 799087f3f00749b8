/*
 * What is to be run: buffers, symbols, launches and expectations, as a launch file says it
 * (docs/reference/formats.md), checked, with the program loaded.
 */
#ifndef WS_SIM_LAUNCH_LAUNCH_H
#define WS_SIM_LAUNCH_LAUNCH_H

#include "isa/base/error.h"
#include "isa/bytecode/program.h"
#include "sim/device/device.h"
#include "sim/occupancy/occupancy.h"

typedef struct {
    char *name;
    WsType type;
    guint64 count; /* elements */
    guint64 bytes;
    guint64 address; /* generic address, 512-byte aligned, guard gap of at least 64 KiB after it */
    guint8 *data;    /* `bytes` bytes: the initial contents before a run, the result after it */
    gboolean has_contents; /* the launch file says what is in it; else it is zero */
} WsBuffer;

typedef struct {
    guint32 index;   /* into WsJob.buffers */
    guint8 *data;    /* buffers[index].bytes bytes */
    double relative; /* |a - e| <= absolute + relative * |e| */
    double absolute;
    gboolean equal_nan;
    char *source;      /* file name for the report, or NULL for inline values */
    guint32 reference; /* one more than the place in WsJob.reference_launches, 0 = none: `data` is
                          filled in when the job runs */
} WsExpectation;

typedef enum {
    WS_TEXTURE_CLAMP,
    WS_TEXTURE_WRAP,
    WS_TEXTURE_MIRROR,
    WS_TEXTURE_BORDER
} WsTextureAddress;
typedef enum { WS_TEXTURE_POINT, WS_TEXTURE_LINEAR } WsTextureFilter;
typedef guint8 WsTextureKind; /* WS_TEX_1D.. */

/*
 * A texture object. Its handle is its number in WsJob.textures + 1. Texels of a row lie one behind
 * the other in the buffer; then come y, and z or the layer or face.
 */
typedef struct {
    char *name;
    guint32 buffer;  /* into WsJob.buffers */
    guint64 address; /* of texel 0 */
    WsType type;     /* of a channel: that of the buffer */
    guint8 channels; /* 1, 2, 4; 0: there is no texture of this handle */
    WsTextureKind kind;
    guint32 size[3];   /* width, height, depth or layers or faces; 1 where there is none */
    guint64 row_bytes; /* from row to row; slices are size[1] rows apart */
    WsTextureAddress address_mode[3];
    WsTextureFilter filter;
    gboolean normalized;      /* coordinates */
    gboolean normalized_read; /* integers are read as 0..1 or -1..1 */
    float border[4];          /* what texels outside are where the address mode is `border` */
} WsTexture;

/* State in which one warp starts (launch of bytecode, `initial:`). Times are cycles of the SM. */
typedef struct {
    guint32 warp;  /* warp of block 0 */
    guint32 start; /* instruction, relative to the kernel's first */
    gboolean has_start;
    guint32 ready_cycle;  /* not eligible before this cycle: its pending result returns then */
    guint32 stall_reason; /* WsStall charged until then (sim/base/stall.h) */
    guint32 register_count;
    struct {
        guint32 index;
        guint32 value; /* same in all lanes */
    } registers[16];
} WsInitialWarp;

/* An array that the kernel has in its dynamic shared memory. */
typedef struct {
    char *name;
    WsType type;
    guint32 offset, bytes; /* the offset from the start of dynamic shared memory */
} WsSharedPart;

/* A parameter that holds the address of a place in a buffer. */
typedef struct {
    guint32 parameter_offset; /* bytes from the start of WsLaunch.parameters */
    guint32 buffer;           /* into WsJob.buffers */
    guint64 byte_offset;      /* into the buffer */
} WsReference;

typedef struct {
    const WsKernel *kernel; /* of WsJob.program */
    guint32 grid[3];
    guint32 block[3];
    guint32 dynamic_shared_bytes;
    guint32 stack_bytes; /* of a thread, where the kernel uses the stack; 0 = as the kernel says */
    WsSharedPart *parts; /* of it, by rising offset, none over another */
    guint32 part_count;
    guint8 *parameters;   /* kernel->parameter_bytes bytes, ready for constant bank 0 */
    gint32 carveout;      /* percent 0..100, -1 default: smallest that holds the resident blocks */
    gboolean keep_caches; /* `cache: keep` */
    WsInitialWarp *initial;
    guint32 initial_count;
    WsReference *references;
    guint32 reference_count;
} WsLaunch;

/* Bytes of a thread's stack of calls, and of its local memory, of which the stack is the end. */
static inline guint32 ws_launch_stack_bytes(const WsLaunch *launch)
{
    gboolean own = launch->stack_bytes != 0 && launch->kernel->stack_bytes != 0;
    guint32 units = (launch->stack_bytes + WS_STACK_ALIGN - 1) / WS_STACK_ALIGN;
    return own ? units * WS_STACK_ALIGN : launch->kernel->stack_bytes;
}

static inline guint32 ws_launch_local_bytes(const WsLaunch *launch)
{
    return launch->kernel->local_bytes - launch->kernel->stack_bytes +
           ws_launch_stack_bytes(launch);
}

/* A value of `let:`. */
typedef struct {
    char *name;
    gint64 value;
} WsNamedValue;

typedef struct {
    WsProgram *program;
    WsDevice *device;
    WsProgram *policy; /* of device->policy_file, or NULL */
    WsNamedValue *let; /* in the order of the file, as --launch left them */
    guint32 let_count;
    WsBuffer *buffers;
    guint32 buffer_count;
    WsTexture *textures;
    guint32 texture_count;
    guint8 *module_data;   /* initial image of the module window, program->module_bytes bytes */
    guint8 *constant_data; /* initial image of bank 3 */
    WsLaunch *launches;
    guint32 launch_count;
    WsLaunch
        *reference_launches; /* that expectations compare with (sim/launch/reference_launch.h) */
    guint32 reference_launch_count;
    WsExpectation *expectations;
    guint32 expectation_count;
    guint64 max_memory;          /* bytes of the host that the job may take; 0 = 4 GiB */
    guint64 host_bytes;          /* and has taken: buffers, expectations, images of variables */
    struct WsBufferSlice *shown; /* values that the reports show (sim/launch/buffer_slice.h) */
    guint32 shown_count;
    struct WsCodeRegion *regions; /* whose figures are given by themselves (code_regions.h) */
    guint32 region_count;
    char *path;            /* of the launch file, as shown to the user */
    char **sources;        /* by file of the program: its text, "" if it is not shown */
    char **defines;        /* `compile:` of the launch file, NULL-terminated */
    char **includes;       /* likewise, paths */
    guint32 max_registers; /* likewise, a thread's; 0 = not given */
} WsJob;

/* A program in place of the one that a launch file names, which is then not looked for. */
typedef struct {
    /*
     * Called once the device is known. `wanted` has what `compile:` says, its scope and folders
     * those of the launch file: none of it need be followed. Returns a reference of the caller's.
     */
    WsProgram *(*load)(void *data, const WsDevice *device, const WsCompileOptions *wanted,
                       GError **error);
    void *data;
} WsGivenProgram;

typedef struct {
    const char *device;               /* overrides the file's, or NULL */
    const char *const *settings;      /* --set, NULL-terminated, or NULL */
    const char *const *launch_values; /* --launch KEY=VALUE, NULL-terminated, or NULL */
    guint64 max_memory;               /* as in WsJob; 0 = 4 GiB */
    WsLoadBounds bounds;              /* which files may be read, and what clang may take */
    gboolean for_checks;              /* as in WsCompileOptions */
    gboolean variables;               /* likewise */
    gboolean debug;                   /* likewise, whatever the launch file says */
    const char *const *defines;  /* "NAME" or "NAME=VALUE", instead of and besides the file's */
    gboolean spare_defines;      /* no error where nothing that is compiled could take `defines` */
    const char *const *includes; /* folders of headers besides the file's, trusted; or NULL */
    guint32 max_registers;       /* instead of the file's; 0 = not given */
    struct WsProgramStore *programs; /* where to look for the program, or NULL */
    GChecksum *digest;               /* gets all files that are read but the next, or NULL */
    GChecksum *policy_digest;        /* gets those of a policy in C that `settings` name, or NULL */
    const WsGivenProgram *program;   /* or NULL: the one that the file names */
    const char *program_file;        /* a path, or NULL: the one that the file names */
    const WsGivenProgram *policy;    /* or NULL: what the device's setting `policy` names */
    const char *const *lines;        /* --lines: ws_job_add_region(), NULL-terminated, or NULL */
} WsJobOptions;

/*
 * Reads a launch file: a path, a folder with launch.yaml in it, or the name of a built-in workload
 * (sim/launch/target.h).
 * Everything is checked: the kernel, its parameters, sizes, limits of the device.
 * Errors: WS_ERROR_INPUT with file:line:column.
 */
WsJob *ws_job_load(const char *target, const WsJobOptions *options, GError **error);
void ws_job_free(WsJob *job);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsJob, ws_job_free)

/*
 * Loads the program TARGET names: a program file itself, or the program of a launch file. `device`
 * gives what the front ends need to know. For `asm`, `disasm` and `check`. `given` may be NULL; of
 * it max_registers, defines, includes and bounds count (for a confined one, the folders
 * of `includes` are read too: the caller names them); those that a launch file or the kind of
 * program has no use for are errors. If `sources` is not NULL it is set to the texts of the
 * program's files, as in WsJob (free with g_strfreev).
 */
WsProgram *ws_target_load_program(const char *target, const WsDevice *device,
                                  const WsCompileOptions *given, char ***sources, GError **error);

/*
 * Loads a program for a device: what front ends need to know of it goes into `options`. `programs`:
 * where to look for it first, or NULL. Errors: WS_ERROR_INPUT.
 */
WsProgram *ws_launch_load_with_device(const char *path, const WsDevice *device,
                                      WsCompileOptions *options, struct WsProgramStore *programs,
                                      GError **error);

/*
 * The memory of a program's variables before the first launch, as WsJob has it: of the module
 * window, program->module_bytes bytes or more, and of constant bank 3. Free both with g_free.
 */
void ws_program_images(const WsProgram *program, guint8 **ret_module, guint8 **ret_constants);

/* A copy of program->sources, "" where there are none. Free with g_strfreev. */
char **ws_sources_load(const WsProgram *program);

/*
 * Line `line` (from 1) of file `file` of the program, without its end and the blanks around it, or
 * NULL. Control characters are escapes (isa/base/escape.h). Free with g_free.
 */
char *ws_source_line(char *const *sources, guint32 file, guint32 line);

/* The same for very many lines, each found at once. `sources` must stay. */
typedef struct WsSourceIndex WsSourceIndex;
WsSourceIndex *ws_source_index_new(char *const *sources);
void ws_source_index_free(WsSourceIndex *index);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsSourceIndex, ws_source_index_free)
char *ws_source_index_line(const WsSourceIndex *index, guint32 file, guint32 line);

/*
 * Checks one launch against the device's limits and the kernel's needs. `grid` and `block` say
 * where these are written.
 */
gboolean ws_launch_check(const WsLaunch *launch, const WsDevice *device, const WsPosition *grid,
                         const WsPosition *block, GError **error);

/* What the occupancy calculator is to be asked about the launch's blocks, by the launch's own
 * carve-out. */
WsOccupancyQuery ws_launch_occupancy_query(const WsLaunch *launch);

#endif
