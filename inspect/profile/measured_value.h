/* Values of Nsight Compute's CSV pages: numbers as people read them, in units with prefixes. */
#ifndef WS_INSPECT_PROFILE_MEASURED_VALUE_H
#define WS_INSPECT_PROFILE_MEASURED_VALUE_H

#include <glib.h>

typedef enum {
    WS_VALUE_NUMBER,
    WS_VALUE_NONE, /* nothing was measured: "", "n/a", "nan", "inf", "no data" */
    WS_VALUE_BAD   /* no number that can be told with certainty: "1,23", "1.234,5", "vecadd" */
} WsValueKind;

/*
 * The number of a cell: "12", "-1.5e+06", and with thousands between commas "1,234,567.8". What the
 * option --print-metric-instances puts behind it, "12 (3; 4; 5)", is left out. A decimal comma is
 * never read as one: "1,234" is 1234, and "1,23" is BAD.
 */
WsValueKind ws_measured_number(const char *text, double *ret);

/*
 * What a value in `unit` is to be multiplied by: 1e3 of "Kbyte", 1e-6 of "usecond", 1e9 of "Ghz"
 * and of "byte/nsecond"; 1 of "". `ret_base` is the unit that it is then in ("byte", "second",
 * "cycle/second", "byte/second"), free with g_free. FALSE: the unit is not known.
 */
gboolean ws_measured_unit(const char *unit, double *ret_factor, char **ret_base);

#endif
