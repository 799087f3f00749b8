/* The next number of a SplitMix64 generator whose seed was the first `state`. */
#ifndef WS_TESTS_SPLIT_MIX_H
#define WS_TESTS_SPLIT_MIX_H

#include "sim/base/contents.h"

static inline guint64 split_mix_next(guint64 *state)
{
    guint64 next = ws_split_mix(*state, 0);
    *state += G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    return next;
}

#endif
