/* Every function that fetches from texture objects, over a few types. */
#define PLACE (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void linear(cudaTextureObject_t t, const int *x, float *out)
{
    out[PLACE] = tex1Dfetch<float>(t, x[PLACE]);
}

__global__ void bytes(cudaTextureObject_t t, const int *x, unsigned *out)
{
    uchar4 v = tex1Dfetch<uchar4>(t, x[PLACE]);
    out[PLACE] = v.x | v.y << 8 | v.z << 16 | (unsigned)v.w << 24;
}

__global__ void line(cudaTextureObject_t t, const float *x, float *out)
{
    out[PLACE] = tex1D<float>(t, x[PLACE]);
}

__global__ void plane(cudaTextureObject_t t, const float *x, const float *y, float4 *out)
{
    out[PLACE] = tex2D<float4>(t, x[PLACE], y[PLACE]);
}

__global__ void plane_int(cudaTextureObject_t t, const float *x, const float *y, int *out)
{
    tex2D(&out[PLACE], t, x[PLACE], y[PLACE]);
}

__global__ void volume(cudaTextureObject_t t, const float *x, const float *y, const float *z,
                       float2 *out)
{
    out[PLACE] = tex3D<float2>(t, x[PLACE], y[PLACE], z[PLACE]);
}

__global__ void lines(cudaTextureObject_t t, const float *x, const int *layer, float *out)
{
    out[PLACE] = tex1DLayered<float>(t, x[PLACE], layer[PLACE]);
}

__global__ void planes(cudaTextureObject_t t, const float *x, const float *y, const int *layer,
                       float *out)
{
    out[PLACE] = tex2DLayered<float>(t, x[PLACE], y[PLACE], layer[PLACE]);
}

__global__ void cube(cudaTextureObject_t t, const float *x, const float *y, const float *z,
                     float *out)
{
    out[PLACE] = texCubemap<float>(t, x[PLACE], y[PLACE], z[PLACE]);
}
