/* The GPU's side of a random kernel: the words that host.h has in C are those of CUDA. */
#define KERNEL extern "C" __global__ void

#define SHUFFLE(value, from)       __shfl_sync(0xffffffffu, value, from)
#define SHUFFLE_XOR(value, mask)   __shfl_xor_sync(0xffffffffu, value, mask)
#define SHUFFLE_UP(value, delta)   __shfl_up_sync(0xffffffffu, value, delta)
#define SHUFFLE_DOWN(value, delta) __shfl_down_sync(0xffffffffu, value, delta)
#define BALLOT(condition)          __ballot_sync(0xffffffffu, condition)
#define ANY(condition)             __any_sync(0xffffffffu, condition)
#define ALL(condition)             __all_sync(0xffffffffu, condition)

#define ATOMIC_ADD(at, value)        atomicAdd(at, value)
#define ATOMIC_XOR(at, value)        atomicXor(at, value)
#define ATOMIC_OR(at, value)         atomicOr(at, value)
#define ATOMIC_AND(at, value)        atomicAnd(at, value)
#define ATOMIC_MIN(at, value)        atomicMin(at, value)
#define ATOMIC_MAX(at, value)        atomicMax(at, value)
#define ATOMIC_MAX_SIGNED(at, value) atomicMax((int *)(at), value)

#define FADD(a, b)    __fadd_rn(a, b)
#define FSUB(a, b)    __fsub_rn(a, b)
#define FMUL(a, b)    __fmul_rn(a, b)
#define FDIV(a, b)    __fdiv_rn(a, b)
#define FFMA(a, b, c) __fmaf_rn(a, b, c)
#define FSQRT(a)      __fsqrt_rn(a)
#define DADD(a, b)    __dadd_rn(a, b)
#define DSUB(a, b)    __dsub_rn(a, b)
#define DMUL(a, b)    __dmul_rn(a, b)
#define DDIV(a, b)    __ddiv_rn(a, b)
#define DFMA(a, b, c) __fma_rn(a, b, c)
#define DSQRT(a)      __dsqrt_rn(a)

#define POPC(x)                        __popc(x)
#define POPC64(x)                      __popcll(x)
#define CLZ(x)                         __clz(x)
#define CLZ64(x)                       __clzll(x)
#define FFS(x)                         __ffs(x)
#define FFS64(x)                       __ffsll(x)
#define BREV(x)                        __brev(x)
#define BREV64(x)                      __brevll(x)
#define MULHI(a, b)                    __umulhi(a, b)
#define MULHI_SIGNED(a, b)             __mulhi(a, b)
#define MULHI64(a, b)                  __umul64hi(a, b)
#define PERMUTE(a, b, selectors)       __byte_perm(a, b, selectors)
#define FUNNEL_LEFT(low, high, shift)  __funnelshift_l(low, high, shift)
#define FUNNEL_RIGHT(low, high, shift) __funnelshift_r(low, high, shift)
#define MIN(a, b)                      min(a, b)
#define MAX(a, b)                      max(a, b)
#define UMIN(a, b)                     umin(a, b)
#define UMAX(a, b)                     umax(a, b)
#define ABS(a)                         abs(a)
#define MUL24(a, b)                    __mul24(a, b)
#define SAD(a, b, c)                   __sad(a, b, c)

/* Which NaN a result is, and so its bits, differs between hosts and GPUs: all count as one. */
static __device__ __forceinline__ unsigned FLOAT_BITS(float f)
{
    return f == f ? __float_as_uint(f) : 0x7fffffffu;
}
static __device__ __forceinline__ unsigned long long DOUBLE_BITS(double f)
{
    return f == f ? (unsigned long long)__double_as_longlong(f) : 0x7fffffffffffffffull;
}
#define FLOAT_TO_INT(f)      __float2int_rz(f)
#define FLOAT_TO_UNSIGNED(f) __float2uint_rz(f)
#define DOUBLE_TO_INT(f)     __double2int_rz(f)
