#include <warpstep/policy.h>

/* Stays with a warp, then, of the oldest block, takes the one whose last issue but one is longest ago. */
int pick(const ws_view *view)
{
    uint64_t warps;
    int found;

    if (ws_has(view->eligible, view->last))
        return view->last;
    warps = ws_oldest_block(view, view->eligible);
    found = ws_first(warps);
    for (; warps != 0; warps &= warps - 1)
        if (ws_issue_before(view, ws_first(warps)) < ws_issue_before(view, found))
            found = ws_first(warps);
    return found;
}
