/*
 * Two-level scheduling: only a few warps of a sub-core are active and issue, in turn; one with a
 * long stall makes room. The same rule as the built-in policy `two-level`, with the same cycles.
 *
 * Narasiman et al., "Improving GPU performance via large warps and two-level warp scheduling",
 * MICRO 2011; Gebhart et al., "Energy-efficient mechanisms for managing thread context in
 * throughput processors", ISCA 2011.
 */
#include <warpstep/policy.h>

WS_PARAMETER(int, active_warps, 8);
WS_PARAMETER(uint64_t, longest_wait, 10000); /* cycles that an eligible warp is kept out; 0: any */

static uint64_t active[WS_SUB_CORES];
static uint64_t kept_out[WS_SUB_CORES]; /* cycles in which a warp could issue and was not active */

void warp_end(int sub_core, int warp)
{
    active[sub_core] &= ~ws_bit(warp);
}

uint64_t admit(const ws_view *view)
{
    int sub_core = view->sub_core;
    uint64_t set = active[sub_core], pending = view->eligible & ~set;

    if (pending == 0) {
        kept_out[sub_core] = 0;
        return view->eligible;
    }
    set &= ~view->waiting;
    if (longest_wait != 0 && ++kept_out[sub_core] > longest_wait && ws_count(set) >= active_warps)
        set &= ~ws_bit(ws_most_recent(view, set));
    while (pending != 0 && ws_count(set) < active_warps) {
        uint64_t next = ws_bit(ws_longest_wait(view, pending));

        set |= next;
        pending &= ~next;
        kept_out[sub_core] = 0;
    }
    active[sub_core] = set;
    return view->eligible & set;
}

int pick(const ws_view *view)
{
    return ws_next(view->eligible, view->last);
}
