// loses: runs_phases, runs_meet, runs_cache, knee_fast, wide_fast
#include <warpstep/policy.h>

// The next one by number, whether it can issue or not.
int pick(const ws_view *view)
{
    return ws_next(view->resident, view->last);
}
