/*
 * Loads that a compiler may have made where the source has none: clang loads a variable whether its
 * value is wanted or not, and chooses afterwards (selp).
 */
#ifndef WS_ISA_PTX_CHOSEN_LOADS_H
#define WS_ISA_PTX_CHOSEN_LOADS_H

#include "isa/ptx/ast.h"

/*
 * By line of the text, up to `lines` (from 1): 1 for a load whose value matters only where a choice
 * takes it, directly or by what is computed from it. Free with g_free.
 */
guint8 *ws_ptx_chosen_loads(const WsPtxModule *module, guint32 lines);

#endif
