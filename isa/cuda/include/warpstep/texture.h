/*
 * Texture objects: fetches in device code, each one PTX instruction. Names are those of the CUDA
 * C++ Programming Guide. Texture references (texture<>) are not there; CUDA 12 has removed them.
 */
#ifndef WARPSTEP_TEXTURE_H
#define WARPSTEP_TEXTURE_H

#include "warpstep/array_types.h"
#include "warpstep/vector_types.h"

/* ---- fetches: four words ---- */

template <typename Base> struct __ws_texture_fetch;

#define __WS_TEXTURE_FETCH(base, type, out)                                                        \
    template <> struct __ws_texture_fetch<base> {                                                  \
        __WS_DEVICE_MEMBER static void linear(base v[4], cudaTextureObject_t t, int x)             \
        {                                                                                          \
            asm("tex.1d.v4." type ".s32 {%0, %1, %2, %3}, [%4, {%5}];"                             \
                : out(v[0]), out(v[1]), out(v[2]), out(v[3])                                       \
                : "l"(t), "r"(x));                                                                 \
        }                                                                                          \
        __WS_DEVICE_MEMBER static void line(base v[4], cudaTextureObject_t t, float x)             \
        {                                                                                          \
            asm("tex.1d.v4." type ".f32 {%0, %1, %2, %3}, [%4, {%5}];"                             \
                : out(v[0]), out(v[1]), out(v[2]), out(v[3])                                       \
                : "l"(t), "f"(x));                                                                 \
        }                                                                                          \
        __WS_DEVICE_MEMBER static void plane(base v[4], cudaTextureObject_t t, float x, float y)   \
        {                                                                                          \
            asm("tex.2d.v4." type ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"                         \
                : out(v[0]), out(v[1]), out(v[2]), out(v[3])                                       \
                : "l"(t), "f"(x), "f"(y));                                                         \
        }                                                                                          \
        __WS_DEVICE_MEMBER static void volume(base v[4], cudaTextureObject_t t, float x, float y,  \
                                              float z)                                             \
        {                                                                                          \
            asm("tex.3d.v4." type ".f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];"                 \
                : out(v[0]), out(v[1]), out(v[2]), out(v[3])                                       \
                : "l"(t), "f"(x), "f"(y), "f"(z));                                                 \
        }                                                                                          \
        __WS_DEVICE_MEMBER static void lines(base v[4], cudaTextureObject_t t, float x, int layer) \
        {                                                                                          \
            asm("tex.a1d.v4." type ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"                        \
                : out(v[0]), out(v[1]), out(v[2]), out(v[3])                                       \
                : "l"(t), "r"(layer), "f"(x));                                                     \
        }                                                                                          \
        __WS_DEVICE_MEMBER static void planes(base v[4], cudaTextureObject_t t, float x, float y,  \
                                              int layer)                                           \
        {                                                                                          \
            asm("tex.a2d.v4." type ".f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];"                \
                : out(v[0]), out(v[1]), out(v[2]), out(v[3])                                       \
                : "l"(t), "r"(layer), "f"(x), "f"(y));                                             \
        }                                                                                          \
        __WS_DEVICE_MEMBER static void cube(base v[4], cudaTextureObject_t t, float x, float y,    \
                                            float z)                                               \
        {                                                                                          \
            asm("tex.cube.v4." type ".f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];"               \
                : out(v[0]), out(v[1]), out(v[2]), out(v[3])                                       \
                : "l"(t), "f"(x), "f"(y), "f"(z));                                                 \
        }                                                                                          \
    };

__WS_TEXTURE_FETCH(float, "f32", "=f")
__WS_TEXTURE_FETCH(int, "s32", "=r")
__WS_TEXTURE_FETCH(unsigned int, "u32", "=r")

#undef __WS_TEXTURE_FETCH

/* ---- texels: the words as a type of CUDA C ---- */

template <typename T> struct __ws_texel;

#define __WS_TEXEL(name, type, from)                                                               \
    template <> struct __ws_texel<type> {                                                          \
        typedef from base;                                                                         \
        __WS_DEVICE_MEMBER static type make(const base v[4])                                       \
        {                                                                                          \
            return (type)v[0];                                                                     \
        }                                                                                          \
    };                                                                                             \
    template <> struct __ws_texel<name##1> {                                                       \
        typedef from base;                                                                         \
        __WS_DEVICE_MEMBER static name##1 make(const base v[4])                                    \
        {                                                                                          \
            return name##1 {(type)v[0]};                                                           \
        }                                                                                          \
    };                                                                                             \
    template <> struct __ws_texel<name##2> {                                                       \
        typedef from base;                                                                         \
        __WS_DEVICE_MEMBER static name##2 make(const base v[4])                                    \
        {                                                                                          \
            return name##2 {(type)v[0], (type)v[1]};                                               \
        }                                                                                          \
    };                                                                                             \
    template <> struct __ws_texel<name##4> {                                                       \
        typedef from base;                                                                         \
        __WS_DEVICE_MEMBER static name##4 make(const base v[4])                                    \
        {                                                                                          \
            return name##4 {(type)v[0], (type)v[1], (type)v[2], (type)v[3]};                       \
        }                                                                                          \
    };

__WS_TEXEL(char, signed char, int)
__WS_TEXEL(uchar, unsigned char, unsigned int)
__WS_TEXEL(short, short, int)
__WS_TEXEL(ushort, unsigned short, unsigned int)
__WS_TEXEL(int, int, int)
__WS_TEXEL(uint, unsigned int, unsigned int)
__WS_TEXEL(float, float, float)

#undef __WS_TEXEL

template <> struct __ws_texel<char> {
    typedef int base;
    __WS_DEVICE_MEMBER static char make(const base v[4])
    {
        return (char)v[0];
    }
};

/* ---- functions: T value = name<T>(texture, ...), and name(&value, texture, ...) ---- */

#define __WS_TEXTURE_FUNCTION(name, shape, declared, used)                                         \
    template <typename T>                                                                          \
    __WS_DEVICE_MEMBER T name(cudaTextureObject_t texture, __WS_LIST declared)                     \
    {                                                                                              \
        typename __ws_texel<T>::base words[4];                                                     \
        __ws_texture_fetch<typename __ws_texel<T>::base>::shape(words, texture, __WS_LIST used);   \
        return __ws_texel<T>::make(words);                                                         \
    }                                                                                              \
    template <typename T>                                                                          \
    __WS_DEVICE_MEMBER void name(T *value, cudaTextureObject_t texture, __WS_LIST declared)        \
    {                                                                                              \
        *value = name<T>(texture, __WS_LIST used);                                                 \
    }
#define __WS_LIST(...) __VA_ARGS__

__WS_TEXTURE_FUNCTION(tex1Dfetch, linear, (int x), (x))
__WS_TEXTURE_FUNCTION(tex1D, line, (float x), (x))
__WS_TEXTURE_FUNCTION(tex2D, plane, (float x, float y), (x, y))
__WS_TEXTURE_FUNCTION(tex3D, volume, (float x, float y, float z), (x, y, z))
__WS_TEXTURE_FUNCTION(tex1DLayered, lines, (float x, int layer), (x, layer))
__WS_TEXTURE_FUNCTION(tex2DLayered, planes, (float x, float y, int layer), (x, y, layer))
__WS_TEXTURE_FUNCTION(texCubemap, cube, (float x, float y, float z), (x, y, z))

/* Textures have one level, level 0, which is all that a level or gradients can choose. */
#define __WS_TEXTURE_LEVEL(name, plain, declared, given, used)                                     \
    template <typename T>                                                                          \
    __WS_DEVICE_MEMBER T name(cudaTextureObject_t texture, __WS_LIST declared, __WS_LIST given)    \
    {                                                                                              \
        return plain<T>(texture, __WS_LIST used);                                                  \
    }                                                                                              \
    template <typename T>                                                                          \
    __WS_DEVICE_MEMBER void name(T *value, cudaTextureObject_t texture, __WS_LIST declared,        \
                                 __WS_LIST given)                                                  \
    {                                                                                              \
        *value = plain<T>(texture, __WS_LIST used);                                                \
    }
#define __WS_TEXTURE_LEVELS(plain, gradient, declared, used)                                       \
    __WS_TEXTURE_LEVEL(plain##Lod, plain, declared, (float), used)                                 \
    __WS_TEXTURE_LEVEL(plain##Grad, plain, declared, (gradient, gradient), used)
__WS_TEXTURE_LEVELS(tex1D, float, (float x), (x))
__WS_TEXTURE_LEVELS(tex2D, float2, (float x, float y), (x, y))
__WS_TEXTURE_LEVELS(tex3D, float4, (float x, float y, float z), (x, y, z))
__WS_TEXTURE_LEVELS(tex1DLayered, float, (float x, int layer), (x, layer))
__WS_TEXTURE_LEVELS(tex2DLayered, float2, (float x, float y, int layer), (x, y, layer))
__WS_TEXTURE_LEVELS(texCubemap, float4, (float x, float y, float z), (x, y, z))
#undef __WS_TEXTURE_LEVELS
#undef __WS_TEXTURE_LEVEL

#undef __WS_LIST
#undef __WS_TEXTURE_FUNCTION

#endif
