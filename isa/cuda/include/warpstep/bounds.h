/*
 * In front of a program that is compiled for `run --check` (sim/check/indices.c): what clang's check
 * of array indices calls for each one that is too large. The address and the index go to a variable
 * that the checks watch.
 */
#ifndef WARPSTEP_BOUNDS_H
#define WARPSTEP_BOUNDS_H

extern "C" {
__attribute__((device, used)) unsigned long __warpstep_wrong_index[2]
    __attribute__((aligned(16)));

__attribute__((device, used)) void __ubsan_handle_out_of_bounds(void *array, unsigned long index)
{
    asm volatile("st.v2.u64 [%0], {%1, %2};"
                 :
                 : "l"(&__warpstep_wrong_index), "l"(array), "l"(index)
                 : "memory");
}
}

#endif
