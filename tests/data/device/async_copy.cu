/* cp.async in inline PTX, in all its forms. Prints what differs, then "done". */
#include <cstdio>
#include <vector>

enum { THREADS = 64, WORDS = THREADS * 4 };

template <int KIND> __device__ void copy(unsigned int to, const int *from, int size, int i)
{
    if (KIND == 0)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from));
    if (KIND == 1)
        asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], 8;" ::"r"(to), "l"(from));
    if (KIND == 2)
        asm volatile("cp.async.ca.shared::cta.global [%0+4], [%1+8], %2;" ::"r"(to), "l"(from), "n"(4));
    if (KIND == 3)
        asm volatile("cp.async.cg.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(from), "n"(16), "r"(size));
    if (KIND == 4)
        asm volatile("{ .reg .pred p; setp.ne.b32 p, %2, 0; @p cp.async.ca.shared.global [%0], [%1], 4, 3; }" ::"r"(to),
                     "l"(from), "r"(i % 3));
    if (KIND == 5)
        asm volatile("{ .reg .pred p; setp.ne.b32 p, %2, 0; cp.async.ca.shared.global [%0], [%1], 8, p; }" ::"r"(to),
                     "l"(from), "r"(i % 3));
    if (KIND == 6)
        asm volatile("{ .reg .pred p; setp.ne.b32 p, %2, 0; @!p cp.async.cg.shared.global [%0], [%1], 16; }" ::"r"(to),
                     "l"(from), "r"(i % 3));
    if (KIND == 7)
        asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2, %3;" ::"r"(to), "l"(from), "r"(size), "l"(0ull));
}

/* `from` has nothing behind what a copy may read. */
template <int KIND> __global__ void copies(const int *from, int words, int *to)
{
    __shared__ __align__(16) int buffer[WORDS];
    const int i = threadIdx.x;
    const int size = KIND == 7 ? (i < words / 4 ? 16 : 0) : (i * 4 < words ? i % 17 : 0);
    for (int j = 0; j < 4; j++)
        buffer[i * 4 + j] = -1;
    copy<KIND>((unsigned int)__cvta_generic_to_shared(buffer + i * 4), from + i * 4, size, i);
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    for (int j = 0; j < 4; j++)
        to[i * 4 + j] = buffer[(i ^ 1) * 4 + j];
}

template <int KIND> static void try_kind()
{
    std::vector<int> in(WORDS), out(WORDS);
    const int words = KIND == 3 || KIND == 7 ? WORDS / 2 : WORDS;
    int *from, *to;
    for (int i = 0; i < WORDS; i++)
        in[i] = i * 0x01234567 + 0x7a6b5c4d;
    cudaMalloc(&from, words * sizeof(int));
    cudaMalloc(&to, WORDS * sizeof(int));
    cudaMemcpy(from, in.data(), words * sizeof(int), cudaMemcpyHostToDevice);
    copies<KIND><<<1, THREADS>>>(from, words, to);
    cudaError_t error = cudaMemcpy(out.data(), to, WORDS * sizeof(int), cudaMemcpyDeviceToHost);
    if (error != cudaSuccess)
        std::printf("kind %d: %s\n", KIND, cudaGetErrorString(error));
    for (int i = 0; i < THREADS; i++) {
        int wanted[4] = {-1, -1, -1, -1};
        const int *source = &in[i * 4];
        int bytes = 16, read = 16;
        if (KIND == 1)
            bytes = read = 8;
        if (KIND == 2) {
            wanted[1] = source[2];
            bytes = 0;
        }
        if (KIND == 3)
            read = i * 4 < words ? i % 17 : 0;
        if (KIND == 4) {
            bytes = i % 3 != 0 ? 4 : 0;
            read = 3;
        }
        if (KIND == 5) {
            bytes = 8;
            read = i % 3 != 0 ? 0 : 8;
        }
        if (KIND == 6)
            bytes = i % 3 != 0 ? 0 : 16;
        if (KIND == 7)
            read = i * 4 < words ? 16 : 0;
        for (int b = 0; b < bytes; b++)
            ((unsigned char *)wanted)[b] = b < read ? ((const unsigned char *)source)[b] : 0;
        for (int j = 0; j < 4; j++)
            if (out[(i ^ 1) * 4 + j] != wanted[j]) {
                std::printf("kind %d: word %d of thread %d is %x, not %x\n", KIND, j, i, out[(i ^ 1) * 4 + j], wanted[j]);
                return;
            }
    }
}

int main()
{
    try_kind<0>();
    try_kind<1>();
    try_kind<2>();
    try_kind<3>();
    try_kind<4>();
    try_kind<5>();
    try_kind<6>();
    try_kind<7>();
    std::puts("done");
    return 0;
}
