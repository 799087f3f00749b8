/* The 16-bit formats f16 (IEEE binary16) and bf16, to and from double. */
#ifndef WS_ISA_BASE_HALF_FLOAT_H
#define WS_ISA_BASE_HALF_FLOAT_H

#include <glib.h>

/* Nearest value, ties to even; too large a magnitude becomes infinity; NaN becomes 0x7fff. */
guint16 ws_half_from_double(double value);
guint16 ws_bfloat_from_double(double value);

double ws_half_to_double(guint16 bits);
double ws_bfloat_to_double(guint16 bits);

#endif
