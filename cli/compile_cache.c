#include "cli/compile_cache.h"

#include "isa/cuda/ptx_cache.h"

char *ws_compile_cache_folder(gboolean off)
{
    return off || g_strcmp0(g_getenv("WARPSTEP_CACHE"), "off") == 0 ? NULL : ws_ptx_cache_folder();
}
