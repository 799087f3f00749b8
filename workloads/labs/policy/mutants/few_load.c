// loses: knee_fast, phases_fair, meet_kept, wide_fast
#include <warpstep/policy.h>

// Seven warps may load, whatever they load.
uint64_t admit(const ws_view *view)
{
    uint64_t rest = view->resident, first = 0;

    for (int i = 0; i < 7 && rest != 0; i++) {
        int warp = ws_oldest(view, rest);
        first |= ws_bit(warp);
        rest &= ~ws_bit(warp);
    }
    return view->eligible & (first | ~view->loads);
}

int pick(const ws_view *view)
{
    return ws_longest_wait(view, view->eligible);
}
