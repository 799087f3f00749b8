/*
 * What clang 14 gets wrong for a GPU, set right in the PTX that it writes.
 *
 * `(long long)a << 31` becomes `mul.wide.s32 d, a, -2147483648`, which is -(a << 31): its table of
 * patterns has 1 << 31 for the factor, as a word, and a word with the top bit set is negative
 * (llvm/lib/Target/NVPTX/NVPTXInstrInfo.td, SHL2MUL32; SHL2MUL16 likewise). Of a product by -2^31
 * it makes a shift and a negation before, so no other code comes out so.
 *
 * `(a >> 48) & 0xffffffff` of a signed a becomes `bfe.u64 d, a, 48, 32`, and a shift to the right
 * of `a & 0xffff0000`, where that has other uses, `bfe.u32 d, a, 16, 16`: both have zeros where
 * copies of the sign belong (NVPTXISelDAGToDAG.cpp, tryBFE). Of an unsigned a the mask changes
 * nothing and is dropped before, so a field with the last bit in it is always a signed one. (In the
 * PTX of 20,000 random kernels there was none of another kind.)
 */
#ifndef WS_ISA_CUDA_REWRITE_PTX_H
#define WS_ISA_CUDA_REWRITE_PTX_H

/*
 * clang's PTX with what is meant, in one line, for each of these. Inline assembly says what it
 * means and stays. To be freed with g_free().
 */
char *ws_cuda_rewrite_ptx(const char *ptx);

#endif
