// loses: knee_fast, wide_fast
#include <warpstep/policy.h>

int pick(const ws_view *view)
{
    return ws_next(view->eligible, view->last);
}
