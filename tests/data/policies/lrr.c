#include <warpstep/policy.h>

/* The next warp by number after the one that issued last. */
int pick(const ws_view *view)
{
    return ws_next(view->eligible, view->last);
}
