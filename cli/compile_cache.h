/* Where the commands keep compiled programs (isa/cuda/ptx_cache.h). */
#ifndef WS_CLI_COMPILE_CACHE_H
#define WS_CLI_COMPILE_CACHE_H

#include <glib.h>

/* Entry of an option table for a gboolean: --no-cache. */
#define WS_NO_CACHE_ENTRY(off)                                                                     \
    {                                                                                              \
        "no-cache", 0, 0, G_OPTION_ARG_NONE, off,                                                  \
            "compile anew, and keep nothing (as WARPSTEP_CACHE=off does)", NULL                    \
    }

/* The folder; NULL if `off`, or if the environment has WARPSTEP_CACHE=off. g_free. */
char *ws_compile_cache_folder(gboolean off);

#endif
