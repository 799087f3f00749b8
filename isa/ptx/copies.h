/*
 * Loads whose value does nothing but go back to memory, as where an object is copied: undefined
 * bytes that are copied do no harm.
 */
#ifndef WS_ISA_PTX_COPIES_H
#define WS_ISA_PTX_COPIES_H

#include "isa/ptx/ast.h"

typedef struct {
    /* By line of the text, up to `lines` (from 1): */
    guint8
        *is_copied; /* 1 for a load whose value is stored, or handed to a function, and no more */
    guint32 *stored_of; /* for a store: the line of the load that gave its value, 0 = none */
} WsPtxCopies;

WsPtxCopies *ws_ptx_copies(const WsPtxModule *module, guint32 lines);
void ws_ptx_copies_free(WsPtxCopies *copies);

#endif
