/*
 * The host's side of a random kernel: the words of CUDA that kernels are made of, in C.
 *
 * The threads of a block are coroutines. Each runs until the next barrier or exchange, so that all
 * of a block come to it before any goes on; kernels have these where all threads of the block pass.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define KERNEL          static void
#define __device__      static
#define __shared__      static
#define __noinline__    __attribute__((noinline))
#define __forceinline__ inline

typedef struct {
    unsigned x, y, z;
} Index;
static Index threadIdx, blockIdx, blockDim;

/* ---- the threads of a block --------------------------------------------------------------------
 */

enum { MOST_THREADS = 128, STACK_BYTES = 65536 };

static ucontext_t thread_contexts[MOST_THREADS], launcher;
static char thread_stacks[MOST_THREADS][STACK_BYTES];
static int thread_ended[MOST_THREADS];
static unsigned current;
static void (*body)(void);

static void others_first(void)
{
    swapcontext(&thread_contexts[current], &launcher);
}

static void run_thread(void)
{
    body();
    thread_ended[current] = 1;
    for (;;)
        others_first();
}

static void start_thread(unsigned t)
{
    ucontext_t *context = &thread_contexts[t];
    getcontext(context);
    context->uc_stack.ss_sp = thread_stacks[t];
    context->uc_stack.ss_size = STACK_BYTES;
    context->uc_link = NULL;
    makecontext(context, run_thread, 0);
    thread_ended[t] = 0;
}

static void run_block(void)
{
    for (unsigned t = 0; t < blockDim.x; t++)
        start_thread(t);
    for (unsigned running = blockDim.x; running > 0;) {
        running = 0;
        for (unsigned t = 0; t < blockDim.x; t++) {
            if (thread_ended[t])
                continue;
            current = t;
            threadIdx.x = t;
            swapcontext(&launcher, &thread_contexts[t]);
            running += !thread_ended[t];
        }
    }
}

static void launch(void (*thread)(void), unsigned grid, unsigned block)
{
    body = thread;
    blockDim.x = block;
    for (blockIdx.x = 0; blockIdx.x < grid; blockIdx.x++)
        run_block();
}

/* ---- barriers and exchanges --------------------------------------------------------------------
 */

/* In turn, so that a value stays until all lanes have read it. */
static uint32_t exchanged[2][MOST_THREADS];
static unsigned exchange_turn[MOST_THREADS];

#define __syncthreads() others_first()

/* Publishes a value, waits for the other lanes, and returns those of this warp. */
static const uint32_t *exchange(uint32_t value)
{
    unsigned turn = exchange_turn[current] ^= 1;
    exchanged[turn][current] = value;
    others_first();
    return &exchanged[turn][current & ~31u];
}

static unsigned lane(void)
{
    return current & 31;
}
static int SHUFFLE(int value, unsigned from)
{
    return (int)exchange((uint32_t)value)[from & 31];
}
static int SHUFFLE_XOR(int value, unsigned mask)
{
    return (int)exchange((uint32_t)value)[lane() ^ mask];
}
static int SHUFFLE_UP(int value, unsigned delta)
{
    return (int)exchange((uint32_t)value)[lane() < delta ? lane() : lane() - delta];
}
static int SHUFFLE_DOWN(int value, unsigned delta)
{
    return (int)exchange((uint32_t)value)[lane() + delta > 31 ? lane() : lane() + delta];
}
static unsigned BALLOT(int condition)
{
    const uint32_t *lanes = exchange(condition != 0);
    unsigned bits = 0;
    for (unsigned i = 0; i < 32; i++)
        bits |= lanes[i] << i;
    return bits;
}
static int ANY(int condition)
{
    return BALLOT(condition) != 0;
}
static int ALL(int condition)
{
    return BALLOT(condition) == 0xffffffff;
}

/* ---- atomics -----------------------------------------------------------------------------------
 */

static void ATOMIC_ADD(unsigned *at, unsigned value)
{
    *at += value;
}
static void ATOMIC_XOR(unsigned *at, unsigned value)
{
    *at ^= value;
}
static void ATOMIC_OR(unsigned *at, unsigned value)
{
    *at |= value;
}
static void ATOMIC_AND(unsigned *at, unsigned value)
{
    *at &= value;
}
static void ATOMIC_MIN(unsigned *at, unsigned value)
{
    *at = value < *at ? value : *at;
}
static void ATOMIC_MAX(unsigned *at, unsigned value)
{
    *at = value > *at ? value : *at;
}
static void ATOMIC_MAX_SIGNED(unsigned *at, int value)
{
    *at = (unsigned)(value > (int)*at ? value : (int)*at);
}

/* ---- arithmetic --------------------------------------------------------------------------------
 */

static float FADD(float a, float b)
{
    return a + b;
}
static float FSUB(float a, float b)
{
    return a - b;
}
static float FMUL(float a, float b)
{
    return a * b;
}
static float FDIV(float a, float b)
{
    return a / b;
}
static float FFMA(float a, float b, float c)
{
    return fmaf(a, b, c);
}
static float FSQRT(float a)
{
    return sqrtf(a);
}
static double DADD(double a, double b)
{
    return a + b;
}
static double DSUB(double a, double b)
{
    return a - b;
}
static double DMUL(double a, double b)
{
    return a * b;
}
static double DDIV(double a, double b)
{
    return a / b;
}
static double DFMA(double a, double b, double c)
{
    return fma(a, b, c);
}
static double DSQRT(double a)
{
    return sqrt(a);
}

static int POPC(unsigned x)
{
    return __builtin_popcount(x);
}
static int POPC64(uint64_t x)
{
    return __builtin_popcountll(x);
}
static int CLZ(unsigned x)
{
    return x != 0 ? __builtin_clz(x) : 32;
}
static int CLZ64(uint64_t x)
{
    return x != 0 ? __builtin_clzll(x) : 64;
}
static int FFS(int x)
{
    return __builtin_ffs(x);
}
static int FFS64(uint64_t x)
{
    return __builtin_ffsll((long long)x);
}
static unsigned BREV(unsigned x)
{
    unsigned reversed = 0;
    for (unsigned i = 0; i < 32; i++)
        reversed |= (x >> i & 1) << (31 - i);
    return reversed;
}
static uint64_t BREV64(uint64_t x)
{
    return (uint64_t)BREV((unsigned)x) << 32 | BREV((unsigned)(x >> 32));
}
static unsigned MULHI(unsigned a, unsigned b)
{
    return (unsigned)((uint64_t)a * b >> 32);
}
static int MULHI_SIGNED(int a, int b)
{
    return (int)((int64_t)a * b >> 32);
}
static uint64_t MULHI64(uint64_t a, uint64_t b)
{
    return (uint64_t)((unsigned __int128)a * b >> 64);
}
static unsigned PERMUTE(unsigned a, unsigned b, unsigned selectors)
{
    uint64_t bytes = (uint64_t)b << 32 | a;
    unsigned chosen = 0;
    for (unsigned i = 0; i < 4; i++)
        chosen |= (unsigned)(bytes >> 8 * (selectors >> 4 * i & 7) & 255) << 8 * i;
    return chosen;
}
static unsigned FUNNEL_LEFT(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((uint64_t)high << 32 | low) << (shift & 31) >> 32);
}
static unsigned FUNNEL_RIGHT(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((uint64_t)high << 32 | low) >> (shift & 31));
}
static int MIN(int a, int b)
{
    return a < b ? a : b;
}
static int MAX(int a, int b)
{
    return a > b ? a : b;
}
static unsigned UMIN(unsigned a, unsigned b)
{
    return a < b ? a : b;
}
static unsigned UMAX(unsigned a, unsigned b)
{
    return a > b ? a : b;
}
static int ABS(int a)
{
    return (int)(a < 0 ? 0u - (unsigned)a : (unsigned)a);
}
static int MUL24(int a, int b)
{
    int64_t low_a = (int64_t)((uint64_t)a << 40) >> 40, low_b = (int64_t)((uint64_t)b << 40) >> 40;
    return (int)(uint32_t)(low_a * low_b);
}
static unsigned SAD(int a, int b, unsigned c)
{
    return c + (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a);
}

/* ---- conversions -------------------------------------------------------------------------------
 * Which NaN a result is, and so its bits, differs between hosts and GPUs: all count as one.
 */

static unsigned FLOAT_BITS(float f)
{
    unsigned bits;
    memcpy(&bits, &f, sizeof bits);
    return f == f ? bits : 0x7fffffff;
}
static uint64_t DOUBLE_BITS(double f)
{
    uint64_t bits;
    memcpy(&bits, &f, sizeof bits);
    return f == f ? bits : 0x7fffffffffffffff;
}
static int FLOAT_TO_INT(float f)
{
    if (f != f)
        return 0;
    return f >= 2147483648.0f ? INT32_MAX : f <= -2147483648.0f ? INT32_MIN : (int)f;
}
static unsigned FLOAT_TO_UNSIGNED(float f)
{
    return f >= 4294967296.0f ? UINT32_MAX : f > 0 ? (unsigned)f : 0;
}
/* The PTX manual, of cvt: a NaN of 64 bits is the least number, one of 32 bits is 0. */
static int DOUBLE_TO_INT(double f)
{
    if (f != f)
        return INT32_MIN;
    return f >= 2147483647.0 ? INT32_MAX : f <= -2147483648.0 ? INT32_MIN : (int)f;
}
