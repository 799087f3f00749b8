// loses: loads, stores, fast
__global__ void unpack(float *arrays, const float *records, int n)
{
    int first = (blockIdx.x * 256 + threadIdx.x) * 4;
    for (int i = first; i < first + 4; i++)
        if (i < n) {
            float4 r = ((const float4 *)records)[i];
            arrays[i] = r.x * r.w;
            arrays[n + i] = r.y * r.w;
            arrays[2 * n + i] = r.z * r.w;
            arrays[3 * n + i] = r.w;
        }
}
