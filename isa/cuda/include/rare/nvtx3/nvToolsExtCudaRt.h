/* NVTX for objects of the runtime. Names go nowhere, as without a tool. */
#pragma once
#include "cuda_runtime_api.h"
#include "nvtx3/nvToolsExt.h"

static inline void nvtxNameCudaDeviceA(int object, const char *name)
{
    (void)object, (void)name;
}
static inline void nvtxNameCudaStreamA(cudaStream_t object, const char *name)
{
    (void)object, (void)name;
}
static inline void nvtxNameCudaEventA(cudaEvent_t object, const char *name)
{
    (void)object, (void)name;
}
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent  nvtxNameCudaEventA
