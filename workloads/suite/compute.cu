// Kernels that compute: their warps issue nearly always, and memory and caches hardly matter.

// Forces of n bodies on each other. A block keeps as many bodies in shared memory as it has threads; x, y, z and
// the mass are the four numbers of a float4. Softened, so that a body feels no force of its own.
__global__ void nbody(float4 *force, const float4 *body, int n, float softening)
{
    extern __shared__ float4 tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = body[i];
    float x = 0, y = 0, z = 0;
    for (int first = 0; first < n; first += blockDim.x) {
        tile[threadIdx.x] = body[first + threadIdx.x];
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < blockDim.x; k++) {
            float4 other = tile[k];
            float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
            float pull = other.w * inverse * inverse * inverse;
            x += pull * dx;
            y += pull * dy;
            z += pull * dz;
        }
        __syncthreads();
    }
    force[i] = make_float4(x, y, z, 0);
}

// In double precision and without tiles.
__global__ void nbody_reference(float4 *force, const float4 *body, int n, float softening)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = body[i];
    double x = 0, y = 0, z = 0;
    for (int k = 0; k < n; k++) {
        double dx = body[k].x - me.x, dy = body[k].y - me.y, dz = body[k].z - me.z;
        double square = dx * dx + dy * dy + dz * dz + softening;
        double pull = body[k].w / (square * sqrt(square));
        x += pull * dx;
        y += pull * dy;
        z += pull * dz;
    }
    force[i] = make_float4(x, y, z, 0);
}

// The normal distribution by the polynomial of Abramowitz and Stegun, 26.2.17: error below 7.5e-8.
__device__ float normal(float x)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(x));
    float tail = 0.39894228f * expf(-0.5f * x * x) * k *
                 (0.31938153f +
                  k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    return x > 0 ? 1.0f - tail : tail;
}

// Prices of European calls and puts (Black and Scholes 1973), one option a thread and round.
__global__ void black_scholes(float *call, float *put, const float *price, const float *strike, const float *years,
                              int n, float rate, float volatility)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float s = price[i], k = strike[i], t = years[i];
        float spread = volatility * sqrtf(t);
        float d1 = (logf(s / k) + (rate + 0.5f * volatility * volatility) * t) / spread;
        float d2 = d1 - spread;
        float discounted = k * expf(-rate * t);
        float c = s * normal(d1) - discounted * normal(d2);
        call[i] = c;
        put[i] = c - s + discounted;
    }
}

// In double precision with the error function.
__global__ void black_scholes_reference(float *call, float *put, const float *price, const float *strike,
                                        const float *years, int n, float rate, float volatility)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        double s = price[i], k = strike[i], t = years[i], root = sqrt(2.0);
        double spread = volatility * sqrt(t);
        double d1 = (log(s / k) + (rate + 0.5 * volatility * volatility) * t) / spread;
        double d2 = d1 - spread;
        double discounted = k * exp(-rate * t);
        call[i] = 0.5 * s * erfc(-d1 / root) - 0.5 * discounted * erfc(-d2 / root);
        put[i] = 0.5 * discounted * erfc(d2 / root) - 0.5 * s * erfc(d1 / root);
    }
}

// The product of two square matrices. A block of 16 x 16 threads computes 64 x 64 numbers, a thread 4 x 4 of them
// in registers: eight loads from shared memory for 16 multiplications and additions.
__global__ void matmul_registers(float *c, const float *a, const float *b, int n)
{
    __shared__ float left[16][64 + 1], right[16][64];
    int x = threadIdx.x, y = threadIdx.y, thread = y * 16 + x;
    int row = blockIdx.y * 64, column = blockIdx.x * 64;
    float sum[4][4] = {};
    for (int first = 0; first < n; first += 16) {
        for (int i = thread; i < 16 * 64; i += 256) {
            left[i % 16][i / 16] = a[(row + i / 16) * n + first + i % 16];
            right[i / 64][i % 64] = b[(first + i / 64) * n + column + i % 64];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++) {
            float u[4], v[4];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                u[i] = left[k][y + 16 * i];
                v[i] = right[k][x + 16 * i];
            }
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    sum[i][j] += u[i] * v[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
            c[(row + y + 16 * i) * n + column + x + 16 * j] = sum[i][j];
}

__global__ void matmul_reference(float *c, const float *a, const float *b, int n)
{
    for (int i = threadIdx.x; i < n * n; i += blockDim.x) {
        float sum = 0;
        for (int k = 0; k < n; k++)
            sum += a[i / n * n + k] * b[k * n + i % n];
        c[i] = sum;
    }
}

// exp(x) + exp(x / 2) + exp(x / 4) + ... by Taylor series of 16 terms, `rounds` of them:
// chains of multiplications and additions, four independent ones a thread.
__global__ void polynomial(float *out, const float *in, int rounds)
{
    int threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    float x[4], sum[4] = {};
    for (int k = 0; k < 4; k++)
        x[k] = in[i + k * threads];
#pragma unroll 1
    for (int round = 0; round < rounds; round++) {
        float y[4] = {1, 1, 1, 1};
#pragma unroll
        for (int term = 16; term > 0; term--)
#pragma unroll
            for (int k = 0; k < 4; k++)
                y[k] = y[k] * (x[k] * (1.0f / term)) + 1.0f;
        for (int k = 0; k < 4; k++) {
            sum[k] += y[k];
            x[k] *= 0.5f;
        }
    }
    for (int k = 0; k < 4; k++)
        out[i + k * threads] = sum[k];
}

__global__ void polynomial_reference(float *out, const float *in, int rounds)
{
    int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < 4 * threads; i += threads) {
        double sum = 0;
        for (int round = 0; round < rounds; round++)
            sum += exp(ldexp((double)in[i], -round));
        out[i] = sum;
    }
}
