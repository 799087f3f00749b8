/*
 * The heap of malloc and free in kernels: memory of the module, behind its variables, if a function
 * of it calls them. It is zero at first and stays from launch to launch. The code of malloc and
 * free is PTX (isa/ptx/make_library.py) and is executed like any other.
 *
 * A block has 2^k bytes, k from 5, of which the first 16 are its own: a word with 0x5753 above and
 * k below while it is given out, and the offset of the next free one of its size. The first 256
 * bytes of the heap: a word with the bytes taken from what was never given out; and for each k, at
 * 8 k, the offset of the block of that size that was freed last, 0 for none, and above it a number
 * that every change of the list makes larger.
 */
#ifndef WS_ISA_LOWER_HEAP_H
#define WS_ISA_LOWER_HEAP_H

#include "isa/lower/lower.h"

enum { WS_PTX_HEAP_BYTES = 8 << 20, WS_PTX_HEAP_ALIGN = 256 };

/* TRUE if a function of the module calls malloc or free and does not define it. */
gboolean ws_ptx_uses_heap(const WsPtxModule *module);

#endif
