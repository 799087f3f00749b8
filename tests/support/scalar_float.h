/* Float arithmetic of tests/support/scalar_reference.c: values as their bits, modes as WS_ROUND_*.
 */
#ifndef WS_TESTS_SCALAR_FLOAT_H
#define WS_TESTS_SCALAR_FLOAT_H

#include <glib.h>
#include <math.h>

#include "isa/base/float_bits.h"
#include "isa/bytecode/instruction.h"

guint32 scalar_flush32(guint32 bits);
guint32 scalar_add32(guint32 a, guint32 b, guint mode);
guint32 scalar_mul32(guint32 a, guint32 b, guint mode);
guint32 scalar_fma32(guint32 a, guint32 b, guint32 c, guint mode);
guint64 scalar_add64(guint64 a, guint64 b, guint mode);
guint64 scalar_mul64(guint64 a, guint64 b, guint mode);
guint64 scalar_fma64(guint64 a, guint64 b, guint64 c, guint mode);

/* Rounding to an integer, as a float. */
guint32 scalar_round32(guint32 bits, guint mode);
guint64 scalar_round64(guint64 bits, guint mode);

/* Minimum or maximum of two floats of a 16- or 32-bit format. */
guint32 scalar_minimum(guint32 a, guint32 b, gboolean minimum, gboolean nan_wins, guint format);

/* Value of a code of a WS_FLOAT_* format. */
double scalar_widen(guint64 code, guint format);

/* a * b + c of 16-bit floats, rounded once. */
guint32 scalar_half_fma(guint32 a, guint32 b, guint32 c, guint format);

guint64 scalar_convert(guint64 code, guint from, guint to, guint mode);
guint64 scalar_from_integer(guint64 bits, guint type, guint to, guint mode);
guint64 scalar_to_integer(guint64 code, guint from, guint type, guint mode);

#endif
