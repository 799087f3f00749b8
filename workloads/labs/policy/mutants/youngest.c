// loses: knee_fast, phases_fair, wide_fast
#include <warpstep/policy.h>

int pick(const ws_view *view)
{
    return ws_youngest(view, view->eligible);
}
