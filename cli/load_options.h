/*
 * Options of every command that loads what somebody else may have written: --confine,
 * --max-compile-seconds, --no-cache. They become bounds in one place.
 */
#ifndef WS_CLI_LOAD_OPTIONS_H
#define WS_CLI_LOAD_OPTIONS_H

#include "isa/base/load_bounds.h"

typedef struct {
    gboolean confine, strict, no_cache;
    gint64 compile_seconds;
    char *cache;
} WsLoadOptions;

/* Entries of an option table for a WsLoadOptions. `--confine=strict` arrives as the hidden one. */
#define WS_CONFINE_ENTRIES(options)                                                                \
    {"confine",                                                                                    \
     0,                                                                                            \
     0,                                                                                            \
     G_OPTION_ARG_NONE,                                                                            \
     &(options)->confine,                                                                          \
     "read only files in the target's folder; =strict: also require full "                         \
     "protection of clang (warpstep help security)",                                               \
     NULL},                                                                                        \
    {                                                                                              \
        "confine-strict", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &(options)->strict, "", NULL \
    }
#define WS_COMPILE_LIMIT_ENTRY(options)                                                            \
    {                                                                                              \
        "max-compile-seconds", 0, 0, G_OPTION_ARG_INT64, &(options)->compile_seconds,              \
            "limit on processor time for compiling (default 60)", "N"                              \
    }
#define WS_NO_CACHE_ENTRY(options)                                                                 \
    {                                                                                              \
        "no-cache", 0, 0, G_OPTION_ARG_NONE, &(options)->no_cache,                                 \
            "do not use the compilation cache (as WARPSTEP_CACHE=off)", NULL                       \
    }

/* Before parsing. */
void ws_load_options_init(WsLoadOptions *ret);
void ws_load_options_clear(WsLoadOptions *options);

/* What `options` leaves open is as in `from`, and what that confines stays confined. */
void ws_load_options_inherit(WsLoadOptions *options, const WsLoadOptions *from);

/* After parsing. FALSE after a message if a value is wrong. */
gboolean ws_load_options_finish(WsLoadOptions *options);

/* The bounds, which hold pointers of `options`. */
WsLoadBounds ws_load_options_bounds(const WsLoadOptions *options);

/*
 * Limits the processor time of this process to that of --max-compile-seconds, from here to
 * ws_load_options_end_limit(), if that comes: for loading and compiling. When it is over the
 * program ends with a message and exit code 3. clang's time does not count; it has the same limit
 * for itself. Output files have not been touched by then.
 */
void ws_load_options_begin_limit(const WsLoadOptions *options);
void ws_load_options_end_limit(void);

/* Where the commands keep compiled programs; NULL if the environment has WARPSTEP_CACHE=off.
 * g_free. */
char *ws_load_cache_folder(void);

#endif
