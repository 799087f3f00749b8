// Those that go to memory first, so that their loads are on the way while others work; among equals the
// warp that has waited longest, so that all come to their ends together.
#include <warpstep/policy.h>

int pick(const ws_view *view)
{
    uint64_t memory = view->eligible & view->memory;

    return ws_longest_wait(view, memory != 0 ? memory : view->eligible);
}
