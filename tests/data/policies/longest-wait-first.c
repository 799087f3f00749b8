#include <warpstep/policy.h>

int pick(const ws_view *view)
{
    return ws_longest_wait(view, view->eligible);
}
