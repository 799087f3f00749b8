#include <warpstep/policy.h>

enum { PATIENCE = 8 };
static unsigned passed[WS_SUB_CORES];

uint64_t admit(const ws_view *view)
{
    uint64_t memory = view->eligible & view->memory, other = view->eligible & ~memory;

    if (memory != 0 && other != 0 && passed[view->sub_core] < PATIENCE) {
        passed[view->sub_core]++;
        return other;
    }
    passed[view->sub_core] = 0;
    return memory != 0 ? memory : other;
}

int pick(const ws_view *view)
{
    return ws_longest_wait(view, view->eligible);
}
