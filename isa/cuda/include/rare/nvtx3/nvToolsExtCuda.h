/* NVTX for objects of the driver API. Names go nowhere, as without a tool. */
#pragma once
#include "cuda.h"
#include "nvtx3/nvToolsExt.h"

static inline void nvtxNameCuDeviceA(CUdevice object, const char *name)
{
    (void)object, (void)name;
}
static inline void nvtxNameCuContextA(CUcontext object, const char *name)
{
    (void)object, (void)name;
}
static inline void nvtxNameCuStreamA(CUstream object, const char *name)
{
    (void)object, (void)name;
}
static inline void nvtxNameCuEventA(CUevent object, const char *name)
{
    (void)object, (void)name;
}
#define nvtxNameCuDevice  nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream  nvtxNameCuStreamA
#define nvtxNameCuEvent   nvtxNameCuEventA
