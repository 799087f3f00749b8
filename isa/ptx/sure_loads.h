/*
 * Loads that are there because the source has them. clang loads a variable that it knows to be
 * there also where the source does not: ahead of a condition, ahead of a loop, for a choice (selp)
 * that drops the value.
 */
#ifndef WS_ISA_PTX_SURE_LOADS_H
#define WS_ISA_PTX_SURE_LOADS_H

#include "isa/ptx/ast.h"

/*
 * By line of the text, up to `lines` (from 1): 1 for a volatile load, and for one whose value, or
 * what is computed from it, is stored, is an address or decides a branch in the same basic block or
 * in what is executed behind it in any case: where the load is executed, its value is wanted. Free
 * with g_free.
 */
guint8 *ws_ptx_sure_loads(const WsPtxModule *module, guint32 lines);

#endif
