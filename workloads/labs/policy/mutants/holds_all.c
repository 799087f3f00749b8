// loses: runs_knee, runs_phases, runs_meet, runs_cache, wide_fast
#include <warpstep/policy.h>

// Only those that load: at the end of a kernel nobody does.
uint64_t admit(const ws_view *view)
{
    return view->memory;
}

int pick(const ws_view *view)
{
    return ws_longest_wait(view, view->eligible);
}
