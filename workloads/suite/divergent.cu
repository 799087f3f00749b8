// Kernels whose lanes go different ways: the data say how long a lane works, so that others of its warp wait.

__device__ float2 next_of(float2 z, float2 c)
{
    return make_float2(fmaf(z.x, z.x, c.x - z.y * z.y), fmaf(2 * z.x, z.y, c.y));
}

__device__ float2 point_of(int pixel, int width)
{
    return make_float2(-2.0f + 2.5f * (pixel % width) / width, -1.25f + 2.5f * (pixel / width) / width);
}

// How many steps until z = z^2 + c leaves the circle of radius 2, `limit` at most.
__global__ void mandelbrot(int *steps, int width, int limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float2 c = point_of(i, width), z = make_float2(0, 0);
    int k = 0;
    while (k < limit && z.x * z.x + z.y * z.y < 4) {
        z = next_of(z, c);
        k++;
    }
    steps[i] = k;
}

// Points of the cardioid and of the circle beside it stay for ever: no step is made for them.
__global__ void mandelbrot_reference(int *steps, int width, int limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float2 c = point_of(i, width), z = make_float2(0, 0);
    float q = (c.x - 0.25f) * (c.x - 0.25f) + c.y * c.y;
    bool stays = q * (q + c.x - 0.25f) < 0.25f * c.y * c.y || (c.x + 1) * (c.x + 1) + c.y * c.y < 0.0625f;
    steps[i] = limit;
    for (int k = 0; k < limit && !stays; k++) {
        if (z.x * z.x + z.y * z.y >= 4) {
            steps[i] = k;
            break;
        }
        z = next_of(z, c);
    }
}

// The greatest common divisor of two numbers by Euclid's algorithm: as many divisions as the numbers need.
__global__ void gcd(unsigned *out, const unsigned *a, const unsigned *b, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned x = a[i], y = b[i];
        while (y != 0) {
            unsigned rest = x % y;
            x = y;
            y = rest;
        }
        out[i] = x;
    }
}

// By halves and differences (Stein 1967), for numbers that are not 0.
__global__ void gcd_reference(unsigned *out, const unsigned *a, const unsigned *b, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned x = a[i], y = b[i];
        int twos = __ffs(x | y) - 1;
        x >>= __ffs(x) - 1;
        while (y != 0) {
            y >>= __ffs(y) - 1;
            unsigned small = min(x, y);
            y = max(x, y) - small;
            x = small;
        }
        out[i] = x << twos;
    }
}

// Steps of the Collatz sequence from i + 1 to 1: half if even, else 3 x + 1.
__global__ void collatz(int *steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long x = i + 1;
    int k = 0;
    while (x != 1) {
        if (x % 2 == 0)
            x /= 2;
        else
            x = 3 * x + 1;
        k++;
    }
    steps[i] = k;
}

// All halvings in a row at once.
__global__ void collatz_reference(int *steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long x = i + 1;
    int k = __ffsll(x) - 1;
    for (x >>= k; x != 1;) {
        x = 3 * x + 1;
        int zeros = __ffsll(x) - 1;
        x >>= zeros;
        k += 1 + zeros;
    }
    steps[i] = k;
}

// How many ways there are to place n queens. A thread takes one placement of the first four rows, and goes on by
// trial and return: most threads end at once, others search for long. Rows, columns and diagonals are bits.
__global__ void queens(int *solutions, int n)
{
    int number = blockIdx.x * blockDim.x + threadIdx.x, rest = number;
    unsigned columns = 0, rising = 0, falling = 0;
    int row = 0;
    for (; row < 4; row++) {
        int column = rest % n;
        rest /= n;
        unsigned up = 1u << (row + column), down = 1u << (row - column + n - 1);
        if ((columns >> column & 1) || (rising & up) || (falling & down))
            return;
        columns |= 1u << column;
        rising |= up;
        falling |= down;
    }
    if (rest != 0)
        return;
    unsigned long long placed = 0;  // four bits for the column of each row from 4 on
    int column = 0, found = 0;
    while (true) {
        if (column == n) {
            if (row == 4)
                break;
            row--;
            column = placed & 15;
            placed >>= 4;
            columns ^= 1u << column;
            rising ^= 1u << (row + column);
            falling ^= 1u << (row - column + n - 1);
            column++;
            continue;
        }
        unsigned up = 1u << (row + column), down = 1u << (row - column + n - 1);
        if ((columns >> column & 1) || (rising & up) || (falling & down)) {
            column++;
        } else if (row == n - 1) {
            found++;
            column++;
        } else {
            columns |= 1u << column;
            rising |= up;
            falling |= down;
            placed = placed << 4 | column;
            row++;
            column = 0;
        }
    }
    if (found > 0)
        atomicAdd(solutions, found);
}
