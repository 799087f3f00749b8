// loses: knee_fast, phases_fair, wide_fast
#include <warpstep/policy.h>

int pick(const ws_view *view)
{
    return ws_has(view->eligible, view->last) ? view->last : ws_oldest(view, view->eligible);
}
