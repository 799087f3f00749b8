/* The options of `warpstep cc`: those of nvcc that matter here, by the table of
 * cli/cc_option_table.h. */
#ifndef WS_CLI_CC_OPTIONS_H
#define WS_CLI_CC_OPTIONS_H

#include "cli/cc_option_table.h"

/* What an option says that is true or false. */
typedef enum { WS_CC_UNSAID, WS_CC_NO, WS_CC_YES } WsCcTruth;

/* How floats of device code are computed; as nvcc's options say. */
typedef struct {
    gboolean is_fast; /* --use_fast_math, which is all of these and other functions */
    WsCcTruth flush, precise_division, precise_root, fused;
} WsCcFloat;

typedef struct {
    GPtrArray *both;      /* of char*: for clang, in both passes over a source */
    GPtrArray *cplusplus; /* likewise, for sources that are not C */
    GPtrArray *host;      /* for clang in the host pass alone */
    GPtrArray *link;      /* for the linker, behind the objects; libraries in their order */
    GPtrArray *inputs;    /* sources, objects and archives, in their order */
    char *output;
    char *output_folder;   /* of what has no name by -o; NULL: the current one */
    char *language;        /* of -x, or NULL: the ending of a name says it */
    WsCcTruth relocatable; /* -rdc=true, -dc: device code refers to other files */
    WsCcFloat floats;
    guint registers;        /* that a thread of a kernel may have; 0: as many as there are */
    WsCcMeaning action;     /* WS_CC_LINK, or what an option asked for */
    const char *preprocess; /* WS_CC_PREPROCESS: how, as clang calls it */
    gboolean is_verbose;    /* commands are told on standard error */
    gboolean is_dry_run;    /* and not run */
} WsCcOptions;

/* Prints the message and returns FALSE for what is not known. `arguments`: behind the command. */
gboolean ws_cc_options_parse(WsCcOptions *options, char *const *arguments);
void ws_cc_options_clear(WsCcOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WsCcOptions, ws_cc_options_clear)

#endif
