// loses: knee_fast, phases_fair, wide_fast, long_fair
#include <warpstep/policy.h>

int pick(const ws_view *view)
{
    return ws_youngest(view, view->eligible);
}
