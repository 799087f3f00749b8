#include "isa/cuda/missing_header.h"

#include "isa/base/nearest_name.h"

#include <string.h>

/* Headers that CUDA programs include often and that nothing here stands for: names that begin so.
 */
#define DECLARED ", of which there are only the declarations that 'warpstep help programs' names"
static const struct {
    const char *begin, *text;
} families[] = {
    {"helper_", "is of the CUDA samples (their folder Common)"},
    {"thrust/", "is of Thrust, of which there is only what 'warpstep help programs' lists"},
    {"cub/", "is of CUB, of which there is only what 'warpstep help programs' lists"},
    {"cuda/", "is of libcu++, of which there is only what 'warpstep help cuda' lists"},
    {"cutlass/", "is of CUTLASS, which is not supported"},
    {"cublas", "is of cuBLAS" DECLARED},
    {"cufft", "is of cuFFT" DECLARED},
    {"curand", "is of cuRAND" DECLARED},
    {"cusparse", "is of cuSPARSE" DECLARED},
    {"cusolver", "is of cuSOLVER" DECLARED},
    {"cudnn", "is of cuDNN" DECLARED},
    {"nccl", "is of NCCL" DECLARED},
    {"nvrtc", "is of NVRTC" DECLARED},
    {"nvml", "is of NVML" DECLARED},
    {"nvToolsExt", "is of NVTX, of which there is only what 'warpstep help programs' names"},
    {"nvtx3/", "is of NVTX, of which there is only what 'warpstep help programs' names"},
    {"cuda_fp8", "is of the 8-bit floats, which are not supported"},
};

static const char *family_of(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(families); i++)
        if (g_str_has_prefix(name, families[i].begin))
            return families[i].text;
    return NULL;
}

/* Headers as a program includes them; their own parts are not for it. */
static GPtrArray *names_of_headers(const WsClangView *view)
{
    static const char *const folders[] = {WS_CLANG_HEADERS "/std/", WS_CLANG_HEADERS "/"};
    GPtrArray *names = g_ptr_array_new();
    for (guint i = 0; i < view->paths->len; i++) {
        const char *path = g_ptr_array_index(view->paths, i);
        for (guint k = 0; k < G_N_ELEMENTS(folders); k++) {
            if (!g_str_has_prefix(path, folders[k]))
                continue;
            const char *name = path + strlen(folders[k]);
            if (!g_str_has_prefix(name, "parts/") && !g_str_has_prefix(name, "warpstep/"))
                g_ptr_array_add(names, (gpointer)name);
            break;
        }
    }
    g_ptr_array_add(names, NULL);
    return names;
}

char *ws_cuda_missing_header(const WsClangView *view, const char *name)
{
    static const char rest[] =
        "name its folder by -I or compile.include (the machine's headers are "
        "not read), or leave out what needs it by #ifndef __WARPSTEP__";
    const char *family = family_of(name);
    if (family != NULL)
        return g_strdup_printf("it %s; %s", family, rest);
    g_autoptr(GPtrArray) names = names_of_headers(view);
    const char *nearest = ws_nearest_name(name, (const char *const *)names->pdata);
    return nearest == NULL ? g_strdup(rest)
                           : g_strdup_printf("did you mean <%s>? Else %s", nearest, rest);
}
