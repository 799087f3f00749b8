// loses: right_uneven
__global__ void unpack(float *arrays, const float *records, int n)
{
    int first = blockIdx.x * 1024 + threadIdx.x;
    for (int i = first; i < first + 1024; i += 256)
        if (i < (n & ~31)) {
            float4 r = ((const float4 *)records)[i];
            arrays[i] = r.x * r.w;
            arrays[n + i] = r.y * r.w;
            arrays[2 * n + i] = r.z * r.w;
            arrays[3 * n + i] = r.w;
        }
}
