// Four ways to read: each thread reads one number and adds one to it.
__global__ void offset(float *out, const float *in, int first)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + first] + 1;
}

__global__ void stride(float *out, const float *in, int step)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i * step] + 1;
}

struct Particle {
    float x, y, z, mass, vx, vy, vz, charge;
};

__global__ void records(float *out, const Particle *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i].mass + 1;
}

__global__ void arrays(float *out, const float *mass)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = mass[i] + 1;
}
