/*
 * suld and sust, the accesses to surfaces of PTX, as loads and stores of global memory: a handle is
 * the address of what the runtime says of an array (struct __ws_surface of
 * isa/cuda/include/warpstep/array_types.h). Warpstep's own headers do the same in CUDA C.
 */
#ifndef WS_ISA_PTX_SURFACES_H
#define WS_ISA_PTX_SURFACES_H

#include <glib.h>

/*
 * The text with other statements in place of suld.b and sust.b, in as many lines; g_free. NULL: it
 * has none. What is not written as PTX has it is left as it is.
 */
char *ws_ptx_replace_surfaces(const char *text, gsize length);

#endif
