#include "isa/cuda/mend_source.h"

#include "isa/cuda/mend_alignment.h"
#include "isa/cuda/mend_device_launches.h"
#include "isa/cuda/mend_launches.h"

GBytes *ws_cuda_mend_source(GBytes *text)
{
    g_autoptr(GBytes) launches = ws_cuda_mend_launches(text);
    g_autoptr(GBytes) of_device = ws_cuda_mend_device_launches(launches);
    return ws_cuda_mend_alignment(of_device);
}
