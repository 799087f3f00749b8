/*
 * OWL, its scheduling of blocks: the resident blocks of a sub-core form groups by age, and the oldest
 * group with an eligible warp issues, its warps in turn. So the groups reach their loads one after
 * the other, and a group has L1 to itself for longer.
 *
 * Jog et al., "OWL: cooperative thread array aware scheduling techniques for improving GPGPU
 * performance", ASPLOS 2013: its CTA-aware two-level scheduling with prioritized groups. Its
 * prefetching and its order of blocks for the banks of DRAM are not part of a warp scheduler.
 */
#include <warpstep/policy.h>

WS_PARAMETER(int, group_blocks, 2);

int pick(const ws_view *view)
{
    uint64_t rest = view->resident;

    while (rest != 0) {
        uint64_t group = 0;

        for (int i = 0; i < group_blocks && rest != 0; i++) {
            uint64_t block = ws_oldest_block(view, rest);

            group |= block;
            rest &= ~block;
        }
        if ((group & view->eligible) != 0)
            return ws_next(group & view->eligible, view->last);
    }
    return ws_first(view->eligible);
}
