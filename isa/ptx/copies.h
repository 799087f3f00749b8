/*
 * Values that do nothing but go from memory to memory, as where an object is copied: undefined
 * bytes that are copied do no harm. A value may be put together of several loads on its way, or
 * taken apart, by moves, shifts of whole bytes and `or`: clang copies an object so whose parts are
 * less aligned than the copy.
 */
#ifndef WS_ISA_PTX_COPIES_H
#define WS_ISA_PTX_COPIES_H

#include "isa/ptx/ast.h"

/* Byte `at` of what the load in line `load` reads; load 0: no such byte. */
typedef struct {
    guint32 load, at;
} WsPtxCopiedByte;

typedef struct {
    /* By line of the text, up to `lines` (from 1): */
    guint8
        *is_copied; /* 1 for a load whose value is stored, or handed to a function, and no more */
    guint32 *first_byte; /* for a store: its bytes in `bytes`, + 1; 0 = none is copied */
    guint8 *byte_count;
    GArray *bytes; /* of WsPtxCopiedByte */
} WsPtxCopies;

WsPtxCopies *ws_ptx_copies(const WsPtxModule *module, guint32 lines);
void ws_ptx_copies_free(WsPtxCopies *copies);

#endif
