// Lane l goes round the loop 4 + l % 5 times: 4 to 8.
__global__ void loop_trips(float *out)
{
    int lane = threadIdx.x;
    int trips = 4 + lane % 5;
    float x = 0.0f;
#pragma unroll 1
    for (int i = 0; i < trips; i++)
        x = x * 0.5f + 1.0f;
    out[lane] = x;
}
