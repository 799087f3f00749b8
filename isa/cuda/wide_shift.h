/*
 * What clang 14 makes of `(long long)a << 31` for a GPU: `mul.wide.s32 d, a, -2147483648`, which is
 * -(a << 31). Its table of patterns has 1 << 31 for the factor, as a word, and a word with the top
 * bit set is negative (llvm/lib/Target/NVPTX/NVPTXInstrInfo.td, SHL2MUL32; SHL2MUL16 likewise).
 * Of a product by -2^31 it makes a shift and a negation first, so no other code looks so.
 */
#ifndef WS_ISA_CUDA_WIDE_SHIFT_H
#define WS_ISA_CUDA_WIDE_SHIFT_H

/*
 * clang's PTX with an extension and a shift, in one line, for each such product. Inline assembly
 * says what it means and stays. To be freed with g_free().
 */
char *ws_mend_wide_shifts(const char *ptx);

#endif
