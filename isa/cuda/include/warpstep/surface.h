/*
 * Surface objects: reads and writes of CUDA arrays in device code, x in bytes. An object is the
 * address of what the runtime says of the array; an access is loads of that, and a load or store.
 */
#ifndef WARPSTEP_SURFACE_H
#define WARPSTEP_SURFACE_H

#include "warpstep/array_types.h"
#include "warpstep/attributes.h"

/* Where an access outside would be; NULL: it reads 0, or writes nothing. */
template <typename T>
__WS_DEVICE_MEMBER T *__ws_surface_texel(cudaSurfaceObject_t object, int x, int y, int z,
                                         cudaSurfaceBoundaryMode mode)
{
    const __ws_surface *surface = (const __ws_surface *)object;
    const int row = surface->row_bytes, height = surface->height, depth = surface->depth;
    const int last = row - (int)sizeof(T);
    if (x < 0 || x > last || y < 0 || y >= height || z < 0 || z >= depth) {
        if (mode == cudaBoundaryModeZero)
            return 0;
        if (mode == cudaBoundaryModeTrap)
            __builtin_trap();
        x = x < 0 ? 0 : x > last ? last : x;
        y = y < 0 ? 0 : y >= height ? height - 1 : y;
        z = z < 0 ? 0 : z >= depth ? depth - 1 : z;
    }
    return (T *)(surface->address + ((size_t)z * height + y) * row + x);
}

#define __WS_LIST(...) __VA_ARGS__
#define __WS_SURFACE_FUNCTIONS(name, declared, used)                                               \
    template <typename T>                                                                          \
    __WS_DEVICE_MEMBER T name##read(cudaSurfaceObject_t surface, __WS_LIST declared,               \
                                    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)           \
    {                                                                                              \
        const T *texel = __ws_surface_texel<T>(surface, __WS_LIST used, mode);                     \
        return texel == 0 ? T() : *texel;                                                          \
    }                                                                                              \
    template <typename T>                                                                          \
    __WS_DEVICE_MEMBER void name##read(T *value, cudaSurfaceObject_t surface, __WS_LIST declared,  \
                                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)        \
    {                                                                                              \
        const T *texel = __ws_surface_texel<T>(surface, __WS_LIST used, mode);                     \
        *value = texel == 0 ? T() : *texel;                                                        \
    }                                                                                              \
    template <typename T>                                                                          \
    __WS_DEVICE_MEMBER void name##write(T value, cudaSurfaceObject_t surface, __WS_LIST declared,  \
                                        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)       \
    {                                                                                              \
        T *texel = __ws_surface_texel<T>(surface, __WS_LIST used, mode);                           \
        if (texel != 0)                                                                            \
            *texel = value;                                                                        \
    }

__WS_SURFACE_FUNCTIONS(surf1D, (int x), (x, 0, 0))
__WS_SURFACE_FUNCTIONS(surf2D, (int x, int y), (x, y, 0))
__WS_SURFACE_FUNCTIONS(surf3D, (int x, int y, int z), (x, y, z))
__WS_SURFACE_FUNCTIONS(surf1DLayered, (int x, int layer), (x, 0, layer))
__WS_SURFACE_FUNCTIONS(surf2DLayered, (int x, int y, int layer), (x, y, layer))
__WS_SURFACE_FUNCTIONS(surfCubemap, (int x, int y, int face), (x, y, face))

#undef __WS_SURFACE_FUNCTIONS
#undef __WS_LIST

#endif
