/*
 * Runs mma.sync over the operands of tests/support/mma_inputs.h on a GPU of compute capability 8.0 or later
 * and writes the D registers to the file named: form, set, product, lane, four words each.
 *
 *   nvcc -arch=sm_90 -I. -o mma_probe tests/gpu/mma_probe.cu && ./mma_probe results.bin
 */
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#include "tests/support/mma_inputs.h"

enum { WORDS = 12 }; /* a lane's operands: a[4], b[2], c[4], padding */

#define WIDE(text)                                                                                 \
    asm volatile("mma.sync.aligned." text                                                          \
                 " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"                      \
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                                  \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]),    \
                   "r"(c[1]), "r"(c[2]), "r"(c[3]))
#define NARROW(text)                                                                               \
    asm volatile("mma.sync.aligned." text " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"         \
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                                  \
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]))

template <int FORM>
__device__ void multiply(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c)
{
    if (FORM == 0)
        WIDE("m16n8k16.row.col.f32.f16.f16.f32");
    if (FORM == 1)
        NARROW("m16n8k8.row.col.f32.f16.f16.f32");
    if (FORM == 2)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16"
                     " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};"
                     : "=r"(d[0]), "=r"(d[1])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]),
                       "r"(c[1]));
    if (FORM == 3)
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16"
                     " {%0,%1}, {%2,%3}, {%4}, {%5,%6};"
                     : "=r"(d[0]), "=r"(d[1])
                     : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]));
    if (FORM == 4)
        WIDE("m16n8k16.row.col.f32.bf16.bf16.f32");
    if (FORM == 5)
        NARROW("m16n8k8.row.col.f32.bf16.bf16.f32");
    if (FORM == 6)
        WIDE("m16n8k8.row.col.f32.tf32.tf32.f32");
    if (FORM == 7)
        NARROW("m16n8k4.row.col.f32.tf32.tf32.f32");
    if (FORM == 8) {
        double x = __hiloint2double(a[1], a[0]), y = __hiloint2double(b[1], b[0]);
        double p = __hiloint2double(c[1], c[0]), q = __hiloint2double(c[3], c[2]);
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                     : "+d"(p), "+d"(q)
                     : "d"(x), "d"(y));
        d[0] = __double2loint(p);
        d[1] = __double2hiint(p);
        d[2] = __double2loint(q);
        d[3] = __double2hiint(q);
    }
}

template <int FORM> __global__ void kernel(const uint32_t *in, uint32_t *out)
{
    const uint32_t *from = in + (blockIdx.x * MMA_LANES + threadIdx.x) * WORDS;
    uint32_t a[4], b[2] = {from[4], from[5]}, c[4], d[4] = {0, 0, 0, 0};
    for (int i = 0; i < 4; i++) {
        a[i] = from[i];
        c[i] = from[6 + i];
    }
    multiply<FORM>(d, a, b, c);
    for (int i = 0; i < 4; i++)
        out[(blockIdx.x * MMA_LANES + threadIdx.x) * 4 + i] = d[i];
}

template <int FORM> static void run(FILE *file)
{
    size_t lanes = (size_t)MMA_SETS * MMA_CASES * MMA_LANES;
    std::vector<uint32_t> in(lanes * WORDS), out(lanes * 4);
    uint32_t *device_in, *device_out;
    for (int set = 0; set < MMA_SETS; set++)
        for (int n = 0; n < MMA_CASES; n++)
            for (int lane = 0; lane < MMA_LANES; lane++) {
                uint32_t *to = &in[((size_t)(set * MMA_CASES + n) * MMA_LANES + lane) * WORDS];
                mma_fill(FORM, set, n, lane, to, to + 4, to + 6);
            }
    cudaMalloc(&device_in, in.size() * 4);
    cudaMalloc(&device_out, out.size() * 4);
    cudaMemcpy(device_in, in.data(), in.size() * 4, cudaMemcpyHostToDevice);
    kernel<FORM><<<MMA_SETS * MMA_CASES, MMA_LANES>>>(device_in, device_out);
    cudaMemcpy(out.data(), device_out, out.size() * 4, cudaMemcpyDeviceToHost);
    fwrite(out.data(), 4, out.size(), file);
    cudaFree(device_in);
    cudaFree(device_out);
}

int main(int argc, char **argv)
{
    FILE *file = argc > 1 ? fopen(argv[1], "wb") : NULL;
    if (file == NULL) {
        fprintf(stderr, "usage: mma_probe FILE\n");
        return 2;
    }
    run<0>(file);
    run<1>(file);
    run<2>(file);
    run<3>(file);
    run<4>(file);
    run<5>(file);
    run<6>(file);
    run<7>(file);
    run<8>(file);
    fclose(file);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
