// loses: loads, fast
__global__ void unpack(float *arrays, const float *records, int n)
{
    int first = blockIdx.x * 1024 + threadIdx.x;
    for (int i = first; i < first + 1024; i += 256)
        if (i < n) {
            const volatile float *p = records + i * 4;
            float4 r = {p[0], p[1], p[2], p[3]};
            arrays[i] = r.x * r.w;
            arrays[n + i] = r.y * r.w;
            arrays[2 * n + i] = r.z * r.w;
            arrays[3 * n + i] = r.w;
        }
}
