/*
 * Atomic operations on global and shared memory, for the device, the block (_block) and the system
 * (_system). All are relaxed, as in CUDA.
 */
#ifndef WARPSTEP_ATOMICS_H
#define WARPSTEP_ATOMICS_H

#include "warpstep/attributes.h"

#define __WS_ATOMIC(name, type, builtin, raw)                                                      \
    __WS_DEVICE type name(type *address, type value)                                               \
    {                                                                                              \
        return (type)builtin((raw *)address, (raw)value);                                          \
    }
#define __WS_ATOMIC_SCOPES(name, type, op, suffix, raw)                                            \
    __WS_ATOMIC(name, type, __nvvm_atom_##op##_gen_##suffix, raw)                                  \
    __WS_ATOMIC(name##_block, type, __nvvm_atom_cta_##op##_gen_##suffix, raw)                      \
    __WS_ATOMIC(name##_system, type, __nvvm_atom_sys_##op##_gen_##suffix, raw)
/* clang's functions with a scope compare signed numbers, whatever their names say. */
#define __WS_ATOMIC_ASM(name, type, operation, letter)                                             \
    __WS_DEVICE type name(type *address, type value)                                               \
    {                                                                                              \
        type old;                                                                                  \
        asm volatile("atom." operation " %0, [%1], %2;"                                            \
                     : "=" letter(old)                                                             \
                     : "l"(address), letter(value)                                                 \
                     : "memory");                                                                  \
        return old;                                                                                \
    }
#define __WS_ATOMIC_UNSIGNED(name, type, op, suffix, ptx, letter)                                  \
    __WS_ATOMIC(name, type, __nvvm_atom_##op##_gen_##suffix, type)                                 \
    __WS_ATOMIC_ASM(name##_block, type, "cta." #op "." ptx, letter)                                \
    __WS_ATOMIC_ASM(name##_system, type, "sys." #op "." ptx, letter)
#define __WS_ATOMIC_NEGATED(name, type, op)                                                        \
    __WS_DEVICE type name(type *address, type value)                                               \
    {                                                                                              \
        return op(address, (type)(0u - (unsigned int)value));                                      \
    }
#define __WS_ATOMIC_CAS(name, type, builtin, raw)                                                  \
    __WS_DEVICE type name(type *address, type compare, type value)                                 \
    {                                                                                              \
        return (type)builtin((raw *)address, (raw)compare, (raw)value);                            \
    }

__WS_ATOMIC_SCOPES(atomicAdd, int, add, i, int)
__WS_ATOMIC_SCOPES(atomicAdd, unsigned int, add, i, int)
__WS_ATOMIC_SCOPES(atomicAdd, unsigned long long, add, ll, long long)
__WS_ATOMIC_SCOPES(atomicAdd, float, add, f, float)
__WS_ATOMIC_SCOPES(atomicAdd, double, add, d, double)
__WS_ATOMIC_SCOPES(atomicExch, int, xchg, i, int)
__WS_ATOMIC_SCOPES(atomicExch, unsigned int, xchg, i, int)
__WS_ATOMIC_SCOPES(atomicExch, unsigned long long, xchg, ll, long long)
__WS_ATOMIC_SCOPES(atomicMin, int, min, i, int)
__WS_ATOMIC_UNSIGNED(atomicMin, unsigned int, min, ui, "u32", "r")
__WS_ATOMIC_SCOPES(atomicMin, long long, min, ll, long long)
__WS_ATOMIC_UNSIGNED(atomicMin, unsigned long long, min, ull, "u64", "l")
__WS_ATOMIC_SCOPES(atomicMax, int, max, i, int)
__WS_ATOMIC_UNSIGNED(atomicMax, unsigned int, max, ui, "u32", "r")
__WS_ATOMIC_SCOPES(atomicMax, long long, max, ll, long long)
__WS_ATOMIC_UNSIGNED(atomicMax, unsigned long long, max, ull, "u64", "l")
__WS_ATOMIC_SCOPES(atomicInc, unsigned int, inc, ui, unsigned int)
__WS_ATOMIC_SCOPES(atomicDec, unsigned int, dec, ui, unsigned int)
__WS_ATOMIC_SCOPES(atomicAnd, int, and, i, int)
__WS_ATOMIC_SCOPES(atomicAnd, unsigned int, and, i, int)
__WS_ATOMIC_SCOPES(atomicAnd, unsigned long long, and, ll, long long)
__WS_ATOMIC_SCOPES(atomicAnd, long long, and, ll, long long)
__WS_ATOMIC_SCOPES(atomicOr, int, or, i, int)
__WS_ATOMIC_SCOPES(atomicOr, unsigned int, or, i, int)
__WS_ATOMIC_SCOPES(atomicOr, unsigned long long, or, ll, long long)
__WS_ATOMIC_SCOPES(atomicOr, long long, or, ll, long long)
__WS_ATOMIC_SCOPES(atomicXor, int, xor, i, int)
__WS_ATOMIC_SCOPES(atomicXor, unsigned int, xor, i, int)
__WS_ATOMIC_SCOPES(atomicXor, unsigned long long, xor, ll, long long)
__WS_ATOMIC_SCOPES(atomicXor, long long, xor, ll, long long)
__WS_ATOMIC_NEGATED(atomicSub, int, atomicAdd)
__WS_ATOMIC_NEGATED(atomicSub, unsigned int, atomicAdd)
__WS_ATOMIC_NEGATED(atomicSub_block, int, atomicAdd_block)
__WS_ATOMIC_NEGATED(atomicSub_block, unsigned int, atomicAdd_block)
__WS_ATOMIC_NEGATED(atomicSub_system, int, atomicAdd_system)
__WS_ATOMIC_NEGATED(atomicSub_system, unsigned int, atomicAdd_system)
__WS_ATOMIC_CAS(atomicCAS, int, __nvvm_atom_cas_gen_i, int)
__WS_ATOMIC_CAS(atomicCAS, unsigned int, __nvvm_atom_cas_gen_i, int)
__WS_ATOMIC_CAS(atomicCAS, unsigned long long, __nvvm_atom_cas_gen_ll, long long)
__WS_ATOMIC_CAS(atomicCAS_block, int, __nvvm_atom_cta_cas_gen_i, int)
__WS_ATOMIC_CAS(atomicCAS_block, unsigned int, __nvvm_atom_cta_cas_gen_i, int)
__WS_ATOMIC_CAS(atomicCAS_block, unsigned long long, __nvvm_atom_cta_cas_gen_ll, long long)
__WS_ATOMIC_CAS(atomicCAS_system, int, __nvvm_atom_sys_cas_gen_i, int)
__WS_ATOMIC_CAS(atomicCAS_system, unsigned int, __nvvm_atom_sys_cas_gen_i, int)
__WS_ATOMIC_CAS(atomicCAS_system, unsigned long long, __nvvm_atom_sys_cas_gen_ll, long long)
__WS_DEVICE float atomicExch(float *address, float value)
{
    return __builtin_bit_cast(
        float, atomicExch((unsigned int *)address, __builtin_bit_cast(unsigned int, value)));
}
__WS_DEVICE float atomicExch_block(float *address, float value)
{
    return __builtin_bit_cast(
        float, atomicExch_block((unsigned int *)address, __builtin_bit_cast(unsigned int, value)));
}
__WS_DEVICE float atomicExch_system(float *address, float value)
{
    return __builtin_bit_cast(
        float, atomicExch_system((unsigned int *)address, __builtin_bit_cast(unsigned int, value)));
}
__WS_DEVICE unsigned short atomicCAS(unsigned short *address, unsigned short compare,
                                     unsigned short value)
{
    unsigned short old;
    asm volatile("atom.cas.b16 %0, [%1], %2, %3;"
                 : "=h"(old)
                 : "l"(address), "h"(compare), "h"(value)
                 : "memory");
    return old;
}

#undef __WS_ATOMIC
#undef __WS_ATOMIC_SCOPES
#undef __WS_ATOMIC_NEGATED
#undef __WS_ATOMIC_UNSIGNED
#undef __WS_ATOMIC_ASM
#undef __WS_ATOMIC_CAS

#endif
