/* The options of `warpstep cc`: those of nvcc that matter here, by one table. */
#ifndef WS_CLI_CC_OPTIONS_H
#define WS_CLI_CC_OPTIONS_H

#include <glib.h>

typedef struct {
    GPtrArray *both;      /* of char*: for clang, in both passes over a source */
    GPtrArray *cplusplus; /* likewise, for sources that are not C */
    GPtrArray *host;      /* for clang in the host pass alone */
    GPtrArray *link;      /* for the linker, behind the objects; libraries in their order */
    GPtrArray *inputs;    /* sources, objects and archives, in their order */
    char *output;
    char *language;        /* of -x, or NULL: the ending of a name says it */
    gboolean compile_only; /* -c */
    gboolean ptx_only;     /* -ptx */
} WsCcOptions;

/* Prints the message and returns FALSE for what is not known. `arguments`: behind the command. */
gboolean ws_cc_options_parse(WsCcOptions *options, char *const *arguments);
void ws_cc_options_clear(WsCcOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WsCcOptions, ws_cc_options_clear)

#endif
