/*
 * Criticality-aware warp acceleration: the warp that its block will have to wait for goes first, and
 * L1 keeps its lines longer.
 *
 * Lee, Arunkumar, Wu, "CAWA: coordinated warp scheduling and cache prioritization for critical warp
 * acceleration of GPGPU workloads", ISCA 2015.
 *
 * A warp is as critical as it is late: the instructions that it is behind the first warp of its
 * block, each at the mean cycles per instruction, and the cycles for which it has stalled. The paper
 * predicts the instructions to come from the paths of branches; here those that other warps of the
 * block have issued stand for them. Where the paper has partitions of the ways that move, here the
 * least recent line of a warp that is not critical leaves first.
 */
#include <warpstep/policy.h>

WS_PARAMETER(uint32_t, protect, 1);  /* 0: L1 evicts the least recently used line as usual */
WS_PARAMETER(uint32_t, critical, 2); /* so many of the warps of a sub-core are critical */

enum { SLOTS = 64 };

static uint32_t instructions[SLOTS], stalls[SLOTS];
static uint64_t last_issue[SLOTS];
static uint32_t furthest[SLOTS]; /* by block slot: most instructions of one of its warps */
static uint64_t critical_slots;  /* of the SM */

void warp_begin(int sub_core, int warp)
{
    int slot = ws_slot(sub_core, warp), block;
    const ws_warp *here = ws_warp_of(NULL, warp);

    block = here->block_slot;
    instructions[slot] = stalls[slot] = 0;
    last_issue[slot] = here->since;
    if (here->in_block == 0)
        furthest[block] = 0;
}

static uint64_t criticality(const ws_view *view, int warp)
{
    int slot = ws_slot(view->sub_core, warp);
    uint32_t done = instructions[slot], behind = furthest[ws_warp_of(view, warp)->block_slot] - done;
    uint32_t cycles = (uint32_t)(view->cycle - ws_warp_of(view, warp)->since);

    return (uint64_t)behind * (cycles / (done + 1)) + stalls[slot];
}

/* Greedy, then the most critical. */
int pick(const ws_view *view)
{
    uint64_t most = 0;
    int chosen = view->last, slot;

    if (!ws_has(view->eligible, view->last)) {
        chosen = ws_first(view->eligible);
        for (uint64_t rest = view->eligible; rest != 0; rest &= rest - 1) {
            int warp = ws_first(rest);
            uint64_t value = criticality(view, warp);

            if (value > most) {
                most = value;
                chosen = warp;
            }
        }
    }
    slot = ws_slot(view->sub_core, chosen);
    stalls[slot] += (uint32_t)(view->cycle - last_issue[slot]) - 1;
    last_issue[slot] = view->cycle;
    if (++instructions[slot] > furthest[ws_warp_of(view, chosen)->block_slot])
        furthest[ws_warp_of(view, chosen)->block_slot] = instructions[slot];
    return chosen;
}

/* The warps with the most stalls, found anew when a line has to leave. */
static void find_critical(void)
{
    uint64_t left = ~(uint64_t)0;

    critical_slots = 0;
    for (uint32_t i = 0; i < critical; i++) {
        int worst = 0;

        for (int slot = 1; slot < SLOTS; slot++)
            if ((left >> slot & 1) && stalls[slot] > stalls[worst])
                worst = slot;
        critical_slots |= (uint64_t)1 << worst;
        left &= ~critical_slots;
    }
}

int l1_victim(const ws_view *view, const ws_l1_set *set)
{
    int least_recent = (int)set->ways - 1;

    if (!protect)
        return least_recent;
    if (view->cycle % 256 == 0 || critical_slots == 0)
        find_critical();
    for (int way = least_recent; way > 0; way--)
        if (!(critical_slots >> ws_slot(set->way[way].sub_core, set->way[way].warp) & 1))
            return way;
    return least_recent;
}
