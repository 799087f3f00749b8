// Lanes below `lanes_in_a` take path A with 100 additions, the others path B with one.
__global__ void threshold(float *out, int lanes_in_a)
{
    int lane = threadIdx.x;
    float x = out[lane];
    if (lane < lanes_in_a) {
#pragma unroll
        for (int i = 0; i < 100; i++)
            x = x + 1.0f;
    } else {
        x = x + 1000.0f;
    }
    out[lane] = x;
}

// What the results must be.
__global__ void reference(float *out, int lanes_in_a)
{
    out[threadIdx.x] = threadIdx.x < lanes_in_a ? 100.0f : 1000.0f;
}
