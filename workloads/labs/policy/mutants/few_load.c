// loses: knee_fast, phases_fair, meet_kept, wide_fast
#include <warpstep/policy.h>

// The seven warps with the lowest numbers may load, whatever they load.
uint64_t admit(const ws_view *view)
{
    uint64_t others = view->resident;

    for (int i = 0; i < 7; i++)
        others &= others - 1;
    return view->eligible & ~(view->loads & others);
}

int pick(const ws_view *view)
{
    return ws_longest_wait(view, view->eligible);
}
