/*
 * Barriers, fences, shuffles, votes, matches and reductions inside a warp or a block.
 */
#ifndef WARPSTEP_WARP_H
#define WARPSTEP_WARP_H

#include "warpstep/vector_types.h"

/*
 * clang takes it that barriers and fences leave a variable alone whose address nobody takes, and
 * would move accesses of such __shared__ variables across them. It does not move them across this.
 */
__WS_DEVICE void __ws_hold_accesses(void)
{
    asm volatile("" ::: "memory");
}
#define __syncthreads() (__ws_hold_accesses(), __syncthreads(), __ws_hold_accesses())

__WS_DEVICE int __syncthreads_count(int predicate)
{
    __ws_hold_accesses();
    int result = __nvvm_bar0_popc(predicate);
    __ws_hold_accesses();
    return result;
}
__WS_DEVICE int __syncthreads_and(int predicate)
{
    __ws_hold_accesses();
    int result = __nvvm_bar0_and(predicate);
    __ws_hold_accesses();
    return result;
}
__WS_DEVICE int __syncthreads_or(int predicate)
{
    __ws_hold_accesses();
    int result = __nvvm_bar0_or(predicate);
    __ws_hold_accesses();
    return result;
}
__WS_DEVICE void __syncwarp(unsigned int mask = 0xffffffffu)
{
    __ws_hold_accesses();
    __nvvm_bar_warp_sync(mask);
    __ws_hold_accesses();
}
__WS_DEVICE void __barrier_sync(unsigned int id)
{
    __ws_hold_accesses();
    __nvvm_barrier_sync(id);
    __ws_hold_accesses();
}
__WS_DEVICE void __barrier_sync_count(unsigned int id, unsigned int count)
{
    __ws_hold_accesses();
    __nvvm_barrier_sync_cnt(id, count);
    __ws_hold_accesses();
}
__WS_DEVICE void __threadfence_block(void)
{
    __ws_hold_accesses();
    __nvvm_membar_cta();
    __ws_hold_accesses();
}
__WS_DEVICE void __threadfence(void)
{
    __ws_hold_accesses();
    __nvvm_membar_gl();
    __ws_hold_accesses();
}
__WS_DEVICE void __threadfence_system(void)
{
    __ws_hold_accesses();
    __nvvm_membar_sys();
    __ws_hold_accesses();
}

__WS_DEVICE unsigned int __lane_id(void)
{
    return __nvvm_read_ptx_sreg_laneid();
}
__WS_DEVICE unsigned int __activemask(void)
{
    unsigned int mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}
__WS_DEVICE unsigned int __ballot_sync(unsigned int mask, int predicate)
{
    return __nvvm_vote_ballot_sync(mask, predicate != 0);
}
__WS_DEVICE int __all_sync(unsigned int mask, int predicate)
{
    return __nvvm_vote_all_sync(mask, predicate != 0);
}
__WS_DEVICE int __any_sync(unsigned int mask, int predicate)
{
    return __nvvm_vote_any_sync(mask, predicate != 0);
}
__WS_DEVICE int __uni_sync(unsigned int mask, int predicate)
{
    return __nvvm_vote_uni_sync(mask, predicate != 0);
}

/*
 * Shuffles. The last operand of the instruction holds the clamp in bits 0..4 and the segment mask
 * in bits 8..12 (PTX ISA, shfl.sync). A value wider than 32 bits goes word by word.
 */
#define __WS_SHUFFLE(name, builtin, clamp, argument)                                               \
    template <typename T>                                                                          \
    static __inline__ __device__ __attribute__((always_inline, nodebug)) T name(                   \
        unsigned int mask, T value, argument lane, int width = 32)                                 \
    {                                                                                              \
        constexpr int words = (sizeof(T) + 3) / 4;                                                 \
        union {                                                                                    \
            T whole;                                                                               \
            int word[words];                                                                       \
        } in, out;                                                                                 \
        in.word[words - 1] = 0;                                                                    \
        in.whole = value;                                                                          \
        for (int i = 0; i < words; i++)                                                            \
            out.word[i] = builtin(mask, in.word[i], (int)lane, ((32 - width) << 8) | clamp);       \
        return out.whole;                                                                          \
    }

__WS_SHUFFLE(__shfl_sync, __nvvm_shfl_sync_idx_i32, 0x1f, int)
__WS_SHUFFLE(__shfl_up_sync, __nvvm_shfl_sync_up_i32, 0, unsigned int)
__WS_SHUFFLE(__shfl_down_sync, __nvvm_shfl_sync_down_i32, 0x1f, unsigned int)
__WS_SHUFFLE(__shfl_xor_sync, __nvvm_shfl_sync_bfly_i32, 0x1f, int)

#undef __WS_SHUFFLE

template <typename T>
static __inline__ __device__ __attribute__((always_inline, nodebug)) unsigned int
__match_any_sync(unsigned int mask, T value)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "__match_any_sync takes 32- and 64-bit types");
    if constexpr (sizeof(T) == 4)
        return __nvvm_match_any_sync_i32(mask, __builtin_bit_cast(int, value));
    else
        return __nvvm_match_any_sync_i64(mask, __builtin_bit_cast(long long, value));
}

template <typename T>
static __inline__ __device__ __attribute__((always_inline, nodebug)) unsigned int
__match_all_sync(unsigned int mask, T value, int *predicate)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "__match_all_sync takes 32- and 64-bit types");
    if constexpr (sizeof(T) == 4)
        return __nvvm_match_all_sync_i32p(mask, __builtin_bit_cast(int, value), predicate);
    else
        return __nvvm_match_all_sync_i64p(mask, __builtin_bit_cast(long long, value), predicate);
}

__WS_DEVICE unsigned int __reduce_add_sync(unsigned int mask, unsigned int value)
{
    return __nvvm_redux_sync_add(value, mask);
}
__WS_DEVICE int __reduce_add_sync(unsigned int mask, int value)
{
    return __nvvm_redux_sync_add(value, mask);
}
__WS_DEVICE unsigned int __reduce_min_sync(unsigned int mask, unsigned int value)
{
    return __nvvm_redux_sync_umin(value, mask);
}
__WS_DEVICE int __reduce_min_sync(unsigned int mask, int value)
{
    return __nvvm_redux_sync_min(value, mask);
}
__WS_DEVICE unsigned int __reduce_max_sync(unsigned int mask, unsigned int value)
{
    return __nvvm_redux_sync_umax(value, mask);
}
__WS_DEVICE int __reduce_max_sync(unsigned int mask, int value)
{
    return __nvvm_redux_sync_max(value, mask);
}
__WS_DEVICE unsigned int __reduce_and_sync(unsigned int mask, unsigned int value)
{
    return __nvvm_redux_sync_and(value, mask);
}
__WS_DEVICE unsigned int __reduce_or_sync(unsigned int mask, unsigned int value)
{
    return __nvvm_redux_sync_or(value, mask);
}
__WS_DEVICE unsigned int __reduce_xor_sync(unsigned int mask, unsigned int value)
{
    return __nvvm_redux_sync_xor(value, mask);
}

__WS_DEVICE void __nanosleep(unsigned int nanoseconds)
{
    asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds));
}
__WS_DEVICE long long clock64(void)
{
    return __nvvm_read_ptx_sreg_clock64();
}
__WS_DEVICE int __ws_clock32(void)
{
    return __nvvm_read_ptx_sreg_clock();
}
__WS_DEVICE unsigned long long __globaltimer(void)
{
    unsigned long long time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}
__WS_DEVICE void __trap(void)
{
    asm volatile("trap;");
}
__WS_DEVICE void __brkpt(void)
{
    asm volatile("brkpt;");
}
__WS_DEVICE unsigned int __isShared(const void *pointer)
{
    return __nvvm_isspacep_shared(pointer);
}
__WS_DEVICE unsigned int __isGlobal(const void *pointer)
{
    return __nvvm_isspacep_global(pointer);
}
__WS_DEVICE unsigned int __isLocal(const void *pointer)
{
    return __nvvm_isspacep_local(pointer);
}
__WS_DEVICE unsigned int __isConstant(const void *pointer)
{
    return __nvvm_isspacep_const(pointer);
}
__WS_DEVICE __SIZE_TYPE__ __cvta_generic_to_shared(const void *pointer)
{
    return (__SIZE_TYPE__)(const __attribute__((address_space(3))) void *)pointer;
}

#endif
