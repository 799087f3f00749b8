// loses: wide_fast
#include <warpstep/policy.h>

// No machine has more than 16 warps on a scheduler?
static uint64_t issued[16], turn;

int pick(const ws_view *view)
{
    uint64_t memory = view->eligible & view->memory, warps = memory != 0 ? memory : view->eligible;
    int found = ws_first(warps);

    for (; warps != 0; warps &= warps - 1)
        if (issued[ws_first(warps)] < issued[found])
            found = ws_first(warps);
    issued[found] = ++turn;
    return found;
}
