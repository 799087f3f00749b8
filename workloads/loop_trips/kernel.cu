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

// The lanes that make each trip; lane l makes 4 + l / 8 of them, and the last lane 8.
__global__ void lanes_of_trips(int *lanes)
{
    int trips = 4 + threadIdx.x / 8 + (threadIdx.x == 31);
#pragma unroll 1
    for (int i = 0; i < trips; i++)
        lanes[i] = __popc(__activemask());
}

// Lanes leave one by one: lane l makes l + 1 trips.
__global__ void one_by_one(int *lanes)
{
#pragma unroll 1
    for (int i = 0; i <= threadIdx.x; i++)
        lanes[i] = __popc(__activemask());
}

// What loop_trips must leave: 2 - 2^(1 - trips).
__global__ void reference(float *out)
{
    out[threadIdx.x] = 2.0f - 1.0f / (8 << threadIdx.x % 5);
}
