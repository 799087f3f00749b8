#include "isa/cuda/rewrite_source.h"

#include "isa/cuda/rewrite_alignment.h"
#include "isa/cuda/rewrite_device_launches.h"
#include "isa/cuda/rewrite_launches.h"

GBytes *ws_cuda_rewrite_source(GBytes *text)
{
    g_autoptr(GBytes) launches = ws_cuda_rewrite_launches(text);
    g_autoptr(GBytes) of_device = ws_cuda_rewrite_device_launches(launches);
    return ws_cuda_rewrite_alignment(of_device);
}
