// loses: knee_fast, wide_fast
#include <warpstep/policy.h>

// Arithmetic before memory, as in a text book.
int pick(const ws_view *view)
{
    uint64_t work = view->eligible & ~view->memory;

    return ws_longest_wait(view, work != 0 ? work : view->eligible);
}
