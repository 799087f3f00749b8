namespace sums {

// The sum of each block, in dynamic shared memory of one T for each thread.
template <typename T, int ITEMS>
__global__ void reduce(const T *__restrict__ in, T *__restrict__ out, unsigned int n)
{
    extern __shared__ unsigned char memory[];
    T *shared = reinterpret_cast<T *>(memory);
    unsigned int first = blockIdx.x * blockDim.x * ITEMS + threadIdx.x;
    T sum = T();
    for (int i = 0; i < ITEMS; i++)
        if (first + i * blockDim.x < n)
            sum += in[first + i * blockDim.x];
    shared[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s /= 2) {
        if (threadIdx.x < s)
            shared[threadIdx.x] += shared[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = shared[0];
}

template __global__ void reduce<float, 4>(const float *, float *, unsigned int);
template __global__ void reduce<double, 2>(const double *, double *, unsigned int);

} // namespace sums
