#include "mix.h"
#include <warpstep/policy.h>

WS_PARAMETER(uint64_t, seed, 1);
WS_PARAMETER(uint64_t, expected, 0);
WS_PARAMETER(double, ratio, 1);
WS_PARAMETER(int8_t, small, -1);
WS_PARAMETER(bool, on, true);

/* 64 + what is wrong, where something is. */
int pick(const ws_view *view)
{
    if (mix(seed) != expected)
        return 64;
    if (ratio != 0.375 || small != -100 || on)
        return 65;
    return ws_first(view->eligible);
}
