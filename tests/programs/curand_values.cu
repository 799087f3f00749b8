/*
 * Prints what cuRAND's functions for kernels give, to be compared with those of another toolkit:
 *
 *     warpstep cc -o here curand_values.cu && ./here > here.txt
 *     nvcc -o there curand_values.cu && ./there > there.txt
 *     diff here.txt there.txt
 *
 * Words and uniform numbers are to be equal; normal ones differ in their last digits where the
 * functions of the math library do, Poisson ones where the algorithms do.
 */
#include <curand_kernel.h>

#include <cstdio>

enum { COUNT = 6 };

struct Values {
    unsigned int words[COUNT], poisson[3];
    float uniform[2], normal[4], log_normal[2];
    double uniform_double[2], normal_double[4], log_normal_double[2];
    unsigned int after; /* the next word behind all these */
};

template <typename State>
__global__ void values(Values *out, unsigned long long seed, unsigned long long subsequence, unsigned long long offset)
{
    State state;
    curand_init(seed, subsequence, offset, &state);
    for (int i = 0; i < COUNT; i++)
        out->words[i] = curand(&state);
    for (int i = 0; i < 2; i++)
        out->uniform[i] = curand_uniform(&state);
    for (int i = 0; i < 2; i++)
        out->uniform_double[i] = curand_uniform_double(&state);
    for (int i = 0; i < 2; i++)
        out->normal[i] = curand_normal(&state);
    float2 two = curand_normal2(&state);
    out->normal[2] = two.x;
    out->normal[3] = two.y;
    for (int i = 0; i < 2; i++)
        out->normal_double[i] = curand_normal_double(&state);
    double2 both = curand_normal2_double(&state);
    out->normal_double[2] = both.x;
    out->normal_double[3] = both.y;
    for (int i = 0; i < 2; i++)
        out->log_normal[i] = curand_log_normal(&state, 0.5f, 0.25f);
    for (int i = 0; i < 2; i++)
        out->log_normal_double[i] = curand_log_normal_double(&state, 0.5, 0.25);
    out->after = curand(&state);
    const double lambdas[] = {3, 100, 10000};
    for (int i = 0; i < 3; i++)
        out->poisson[i] = curand_poisson(&state, lambdas[i]);
}

/* Four at once, behind `given` single words. */
__global__ void fours(uint4 *words, float4 *uniform, float4 *normal, double2 *pair, int given)
{
    curandStatePhilox4_32_10_t state;
    curand_init(1234, 1, 0, &state);
    for (int i = 0; i < given; i++)
        curand(&state);
    *words = curand4(&state);
    *uniform = curand_uniform4(&state);
    *normal = curand_normal4(&state);
    *pair = curand_uniform2_double(&state);
}

template <typename T> static void row(const char *name, const T *numbers, int count, const char *format)
{
    std::printf("  %s", name);
    for (int i = 0; i < count; i++)
        std::printf(format, numbers[i]);
    std::printf("\n");
}

template <typename State> static void print(const char *name, Values *v)
{
    static const unsigned long long seeds[] = {0, 1, 1234, 0x123456789abcdefull};
    static const unsigned long long subsequences[] = {0, 1, 1000003}, offsets[] = {0, 1, 1000003};
    for (unsigned long long seed : seeds)
        for (unsigned long long subsequence : subsequences)
            for (unsigned long long offset : offsets) {
                values<State><<<1, 1>>>(v, seed, subsequence, offset);
                cudaDeviceSynchronize();
                std::printf("%s seed %llu subsequence %llu offset %llu\n", name, seed, subsequence, offset);
                row("words", v->words, COUNT, " %08x");
                row("uniform", v->uniform, 2, " %a");
                row("uniform_double", v->uniform_double, 2, " %a");
                row("normal", v->normal, 4, " %.6g");
                row("normal_double", v->normal_double, 4, " %.13g");
                row("log_normal", v->log_normal, 2, " %.6g");
                row("log_normal_double", v->log_normal_double, 2, " %.13g");
                row("after", &v->after, 1, " %08x");
                row("poisson", v->poisson, 3, " %u");
            }
}

int main()
{
    Values *v;
    uint4 *words;
    float4 *uniform;
    double2 *pair;
    cudaMallocManaged(&v, sizeof *v);
    cudaMallocManaged(&words, sizeof *words);
    cudaMallocManaged(&uniform, 2 * sizeof *uniform);
    cudaMallocManaged(&pair, sizeof *pair);
    print<curandStateXORWOW_t>("xorwow", v);
    print<curandStatePhilox4_32_10_t>("philox", v);
    print<curandStateMRG32k3a_t>("mrg32k3a", v);
    for (int given = 0; given < 4; given++) {
        fours<<<1, 1>>>(words, uniform, uniform + 1, pair, given);
        cudaDeviceSynchronize();
        std::printf("philox, four at once behind %d\n", given);
        row("words", &words->x, 4, " %08x");
        row("uniform", &uniform[0].x, 4, " %a");
        row("normal", &uniform[1].x, 4, " %.6g");
        row("uniform_double", &pair->x, 2, " %a");
    }
    std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
