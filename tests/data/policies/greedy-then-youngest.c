#include <warpstep/policy.h>

int pick(const ws_view *view)
{
    if (ws_has(view->eligible, view->last))
        return view->last;
    return ws_youngest(view, view->eligible);
}
