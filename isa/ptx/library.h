/*
 * Multi-instruction operations (division, roots and the like) as PTX functions:
 * what isa/ptx/make_library.py writes. A function is named after the PTX opcode it
 * stands for, with "__ws_" in front and dots as underscores: div.rn.f32 is __ws_div_rn_f32.
 */
#ifndef WS_ISA_PTX_LIBRARY_H
#define WS_ISA_PTX_LIBRARY_H

#include <glib.h>

/* The text; it belongs to the library. */
const char *ws_ptx_library_text(gsize *ret_length);

#endif
