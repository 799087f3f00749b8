/*
 * Texture fetches of all kinds, address modes, filters and reads, as bits: one line a fetch. The same
 * program runs on a GPU (nvcc) and on Warpstep (`warpstep cc`). tests/data/textures_h200.txt has each
 * 149th line that an H200 wrote (CUDA 13.0, driver 580.159.04).
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cmath>
#include <vector>
#include <string>
#include <cuda_runtime.h>
enum Kind { LINEAR, LINE, PLANE, PITCH, VOLUME, LINES, PLANES, CUBE, LOD, GRAD, KINDS };
static const char *const kindNames[] = {"linear", "1d", "2d", "pitch", "3d", "1dl", "2dl", "cube", "lod", "grad"};
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { fprintf(stderr, "%d: %s: %s\n", __LINE__, #call, cudaGetErrorString(e)); exit(1); } } while (0)

template <typename T> __device__ void give(T v, unsigned *out);
template <> __device__ void give<float>(float v, unsigned *o) { o[0] = __float_as_uint(v); }
template <> __device__ void give<float4>(float4 v, unsigned *o) { o[0] = __float_as_uint(v.x); o[1] = __float_as_uint(v.y); o[2] = __float_as_uint(v.z); o[3] = __float_as_uint(v.w); }
template <> __device__ void give<unsigned short>(unsigned short v, unsigned *o) { o[0] = v; }
template <> __device__ void give<int>(int v, unsigned *o) { o[0] = v; }
template <> __device__ void give<char4>(char4 v, unsigned *o) { o[0] = v.x; o[1] = v.y; o[2] = v.z; o[3] = v.w; }

template <typename T> __global__ void fetch(int kind, cudaTextureObject_t t, const float *x, const float *y, const float *z, const int *l, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned *o = out + 4 * i;
    switch (kind) {
    case LINEAR: give<T>(tex1Dfetch<T>(t, l[i]), o); break;
    case LINE: give<T>(tex1D<T>(t, x[i]), o); break;
    case PLANE: case PITCH: give<T>(tex2D<T>(t, x[i], y[i]), o); break;
    case VOLUME: give<T>(tex3D<T>(t, x[i], y[i], z[i]), o); break;
    case LINES: give<T>(tex1DLayered<T>(t, x[i], l[i]), o); break;
    case PLANES: give<T>(tex2DLayered<T>(t, x[i], y[i], l[i]), o); break;
    case CUBE: give<T>(texCubemap<T>(t, x[i], y[i], z[i]), o); break;
    case LOD: give<T>(tex2DLod<T>(t, x[i], y[i], (float)(l[i] & 3)), o); break;
    case GRAD: give<T>(tex2DGrad<T>(t, x[i], y[i], make_float2(.5f * (l[i] & 3), 0), make_float2(0, .3f)), o); break;
    }
}
static unsigned long long state = 88172645463325252ull;
static unsigned rnd() { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return (unsigned)(state >> 32); }
enum { W = 7, H = 5, D = 4, N = 192 };
enum Type { F32, U8N, S8N4, U16N, U16, S32, F32x4, F16, S16N, S8x4, TYPES };
static const struct { const char *name; int bytes, channels; cudaChannelFormatKind f; bool normalized, floats; } types[] = {
    {"f32", 4, 1, cudaChannelFormatKindFloat, false, true}, {"u8n", 1, 1, cudaChannelFormatKindUnsigned, true, true},
    {"s8n4", 1, 4, cudaChannelFormatKindSigned, true, true}, {"u16n", 2, 1, cudaChannelFormatKindUnsigned, true, true},
    {"u16", 2, 1, cudaChannelFormatKindUnsigned, false, false}, {"s32", 4, 1, cudaChannelFormatKindSigned, false, false},
    {"f32x4", 4, 4, cudaChannelFormatKindFloat, false, true}, {"f16", 2, 1, cudaChannelFormatKindFloat, false, true},
    {"s16n", 2, 1, cudaChannelFormatKindSigned, true, true}, {"s8x4", 1, 4, cudaChannelFormatKindSigned, false, false}};
static float coordinate(int i, int size, bool normalized, bool centered)
{
    static const float special[] = {0, 0.5f, 1, -0.0f, -1, 1.5f, 2, 0.25f, 1e30f, -1e30f, 3e9f, NAN, INFINITY, -INFINITY, -0.5f, 0.001953125f};
    float f;
    if (centered) { f = (int)(rnd() % 513) / 256.0f - 1; if (i % 3 == 0) f = (int)(rnd() % 3) - 1; return f; }
    if (i < 16) f = special[i] * (i < 8 && !normalized ? size : 1);
    else if (i < 40) { f = (int)(rnd() % (4 * size * 256)) / 256.0f - size; if (normalized) f /= size; }
    else if (i < 60) { f = (int)(rnd() % (4 * size * 2)) / 2.0f - size; if (normalized) f /= size; }
    else { f = ((int)(rnd() >> 8) / 16777216.0f * 4 - 1.5f) * size; if (normalized) f /= size; }
    return f;
}
template <typename T> static T *up(const std::vector<T> &v) { T *p; CHECK(cudaMalloc(&p, v.size() * sizeof(T))); CHECK(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice)); return p; }
static std::vector<unsigned char> texels(int type, size_t bytes)
{
    std::vector<unsigned char> v(bytes);
    if (type == F32 || type == F32x4) for (size_t i = 0; i < bytes / 4; i++) { float f = (int)(rnd() % 2000001 - 1000000) / 4096.0f; memcpy(&v[4 * i], &f, 4); }
    else if (type == F16) for (size_t i = 0; i < bytes / 2; i++) { unsigned short h = rnd() & 0xbbff; memcpy(&v[2 * i], &h, 2); }
    else for (size_t i = 0; i < bytes; i++) v[i] = rnd() >> 3;
    return v;
}
static void trial(int kind, int type, int mode, int filter, int normalized, bool color)
{
    const auto &t = types[type];
    int texel = t.bytes * t.channels;
    int w = kind == CUBE ? 8 : kind == LINEAR ? 40 : kind == PITCH ? 8 : W, h = kind == CUBE ? 8 : H, d = kind == CUBE ? 6 : D;
    bool oneD = kind == LINE || kind == LINES || kind == LINEAR, deep = kind == VOLUME || kind == LINES || kind == PLANES || kind == CUBE;
    if (oneD) h = 1;
    if (!deep) d = 1;
    std::vector<unsigned char> data = texels(type, (size_t)w * h * d * texel);
    cudaChannelFormatDesc desc = cudaCreateChannelDesc(8 * t.bytes, t.channels > 1 ? 8 * t.bytes : 0, t.channels > 2 ? 8 * t.bytes : 0, t.channels > 2 ? 8 * t.bytes : 0, t.f);
    cudaResourceDesc resource; memset(&resource, 0, sizeof resource);
    cudaTextureDesc sampling; memset(&sampling, 0, sizeof sampling);
    cudaArray_t array = 0; void *memory = 0; size_t pitch = 0;
    if (kind == LINEAR) {
        memory = up(data);
        resource.resType = cudaResourceTypeLinear; resource.res.linear.devPtr = memory; resource.res.linear.desc = desc; resource.res.linear.sizeInBytes = data.size();
    } else if (kind == PITCH) {
        CHECK(cudaMallocPitch(&memory, &pitch, w * texel, h));
        CHECK(cudaMemset2D(memory, pitch, 0x55, pitch, h));
        CHECK(cudaMemcpy2D(memory, pitch, data.data(), w * texel, w * texel, h, cudaMemcpyHostToDevice));
        resource.resType = cudaResourceTypePitch2D; resource.res.pitch2D.devPtr = memory; resource.res.pitch2D.desc = desc;
        resource.res.pitch2D.width = w; resource.res.pitch2D.height = h; resource.res.pitch2D.pitchInBytes = pitch;
    } else {
        unsigned flags = kind == LINES || kind == PLANES ? cudaArrayLayered : kind == CUBE ? cudaArrayCubemap : 0;
        if (deep) {
            CHECK(cudaMalloc3DArray(&array, &desc, make_cudaExtent(w, oneD ? 0 : h, d), flags));
            cudaMemcpy3DParms copy = {0};
            copy.srcPtr = make_cudaPitchedPtr(data.data(), w * texel, w, h); copy.dstArray = array; copy.extent = make_cudaExtent(w, h, d); copy.kind = cudaMemcpyHostToDevice;
            CHECK(cudaMemcpy3D(&copy));
        } else {
            CHECK(cudaMallocArray(&array, &desc, w, oneD ? 0 : h, flags));
            CHECK(cudaMemcpy2DToArray(array, 0, 0, data.data(), w * texel, w * texel, h, cudaMemcpyHostToDevice));
        }
        resource.resType = cudaResourceTypeArray; resource.res.array.array = array;
    }
    for (int i = 0; i < 3; i++) sampling.addressMode[i] = (cudaTextureAddressMode)mode;
    sampling.filterMode = (cudaTextureFilterMode)filter;
    sampling.readMode = t.normalized ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    sampling.normalizedCoords = normalized;
    if (color) { sampling.borderColor[0] = 0.25f; sampling.borderColor[1] = 0.5f; sampling.borderColor[2] = -0.75f; sampling.borderColor[3] = 1.0f; }
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &sampling, NULL));
    std::vector<float> x(N), y(N), z(N); std::vector<int> l(N);
    for (int i = 0; i < N; i++) {
        bool c = kind == CUBE;
        x[i] = coordinate(i, w, normalized, c); y[i] = coordinate((i * 7 + 3) % N, h, normalized, c); z[i] = coordinate((i * 5 + 1) % N, d, normalized, c);
        l[i] = kind == LINEAR ? (i < 60 ? i - 10 : i == 60 ? 0x7fffffff : i == 61 ? (int)0x80000000 : (int)(rnd() % 50) - 5) : i == 3 ? 1000 : i == 9 ? -1 : (int)(rnd() % 6) - 1;
    }
    float *dx = up(x), *dy = up(y), *dz = up(z); int *dl = up(l);
    std::vector<unsigned> out(4 * N, 0u); unsigned *dout = up(out);
    if (type == F32 || type == U8N || type == U16N || type == F16 || type == S16N) fetch<float><<<2, 96>>>(kind, texture, dx, dy, dz, dl, dout, N);
    else if (type == S8N4 || type == F32x4) fetch<float4><<<2, 96>>>(kind, texture, dx, dy, dz, dl, dout, N);
    else if (type == U16) fetch<unsigned short><<<2, 96>>>(kind, texture, dx, dy, dz, dl, dout, N);
    else if (type == S32) fetch<int><<<2, 96>>>(kind, texture, dx, dy, dz, dl, dout, N);
    else fetch<char4><<<2, 96>>>(kind, texture, dx, dy, dz, dl, dout, N);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(out.data(), dout, out.size() * 4, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        printf("%s %s m%d %s %s%s %.9g %.9g %.9g %d: %08x %08x %08x %08x\n", kindNames[kind], t.name, mode, filter ? "lin" : "pt", normalized ? "norm" : "texel", color ? " color" : "",
               x[i], y[i], z[i], l[i], out[4 * i], out[4 * i + 1], out[4 * i + 2], out[4 * i + 3]);
    cudaFree(dx); cudaFree(dy); cudaFree(dz); cudaFree(dl); cudaFree(dout);
    CHECK(cudaDestroyTextureObject(texture));
    if (array) CHECK(cudaFreeArray(array));
    if (memory) CHECK(cudaFree(memory));
}
int main()
{
    for (int kind = 0; kind < KINDS; kind++) {
        for (int type = 0; type < TYPES; type++)
            for (int mode = 0; mode < 4; mode++)
                for (int filter = 0; filter < 2; filter++)
                    for (int normalized = 0; normalized < 2; normalized++) {
                        if ((filter && !types[type].floats) || (kind == LINEAR && (normalized || filter || mode == 0 || mode == 2)) || (kind == CUBE && (!normalized || mode != 1)) ||
                            ((kind == LOD || kind == GRAD) && (!normalized || type > U8N)))
                            continue;
                        trial(kind, type, mode, filter, normalized, false);
                        if (mode == 3 && (kind == PLANE || kind == PITCH || kind == LINEAR) && types[type].floats) trial(kind, type, mode, filter, normalized, true);
                    }
    }
}
