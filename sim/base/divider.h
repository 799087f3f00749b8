/*
 * Division by a number that does not change: a multiplication and a shift. Hosts take many cycles
 * for a 64-bit division, and addresses are divided several times on their way through L2 and DRAM.
 */
#ifndef WS_SIM_BASE_DIVIDER_H
#define WS_SIM_BASE_DIVIDER_H

#include <glib.h>

/* Dividends are below this; lines of memory are (addresses have 64 bits, lines 128 bytes). */
#define WS_DIVIDER_LIMIT ((guint64)1 << 60)

typedef struct {
    guint64 divisor, multiplier;
    guint32 shift;
} WsDivider;

/*
 * With 2^k <= divisor < 2^(k+1), multiplier = ceil(2^(64+k) / divisor) is too great by less than
 * 2^(k+1) / divisor in the last place, which n < 2^60 does not carry into the quotient. A power of
 * two takes one bit less, since its multiplier would be 2^64.
 */
static inline void ws_divider_init(WsDivider *divider, guint64 divisor)
{
    guint32 k = 63 - (guint32)__builtin_clzll(divisor);
    gboolean power = (divisor & (divisor - 1)) == 0;

    divider->divisor = divisor;
    divider->shift = power ? 63 + k : 64 + k;
    divider->multiplier =
        power ? (guint64)1 << 63
              : (guint64)((((unsigned __int128)1 << divider->shift) + divisor - 1) / divisor);
}

/* n / divisor for n below WS_DIVIDER_LIMIT. */
static inline guint64 ws_divide(const WsDivider *divider, guint64 n)
{
    return (guint64)((unsigned __int128)n * divider->multiplier >> divider->shift);
}

static inline guint64 ws_remainder(const WsDivider *divider, guint64 n)
{
    return n - ws_divide(divider, n) * divider->divisor;
}

#endif
