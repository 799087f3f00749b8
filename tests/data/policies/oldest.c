#include <warpstep/policy.h>

int pick(const ws_view *view)
{
    return ws_oldest(view, view->eligible);
}
