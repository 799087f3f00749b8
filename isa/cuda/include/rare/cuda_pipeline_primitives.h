/* The C functions of pipelines: a copy is complete when it returns. */
#pragma once
#include "cuda_runtime.h"
#include "warpstep/libcu/copy.h"

/* `size` (4, 8 or 16) bytes, of which the last `zeros` are not read, and become zero. */
__WS_DEVICE void __pipeline_memcpy_async(void *to, const void *from, size_t size, size_t zeros = 0)
{
    if (zeros == 0 && size == 16)
        cuda::detail::copy_by<cuda::detail::copied_16>(to, from, size, 0, 1);
    else if (zeros == 0 && size == 8)
        cuda::detail::copy_by<cuda::detail::copied_8>(to, from, size, 0, 1);
    else if (zeros == 0 && size == 4)
        cuda::detail::copy_by<cuda::detail::copied_4>(to, from, size, 0, 1);
    else
        for (size_t i = 0; i < size; i++)
            ((unsigned char *)to)[i] = i < size - zeros ? ((const unsigned char *)from)[i] : 0;
}
__WS_DEVICE void __pipeline_commit(void)
{
    __ws_hold_accesses();
}
__WS_DEVICE void __pipeline_wait_prior(size_t)
{
    __ws_hold_accesses();
}
