/*
 * Throttling by predicted footprints, as divergence-aware warp scheduling does: a warp may load if
 * the lines that it and all older warps need fit into L1.
 *
 * Rogers, O'Connor, Aamodt, "Divergence-aware warp scheduling", MICRO 2013. The paper learns loops,
 * which of their loads find their lines again, and how far they diverge. Here a warp needs the lines
 * that it has come back to, and at least those that its next load touches, so a divergent load
 * counts for more before it issues.
 */
#include <warpstep/policy.h>

WS_PARAMETER(uint32_t, capacity, 192); /* lines of L1 that warps may fill */

enum { SLOTS = 64, LINES = 64 };

static uint64_t seen[SLOTS][LINES]; /* by a hash of the line: that line + 1 */
static uint64_t reused[SLOTS];      /* of these: lines that the warp has come back to, a bit each */
static uint32_t needs[SLOTS];       /* lines that its next load touches, if it is a load */
static uint8_t oldest[SLOTS];
static uint32_t count;
static uint64_t free_to_load; /* slots */
static bool stale;

void warp_begin(int sub_core, int warp)
{
    int slot = ws_slot(sub_core, warp);

    for (int i = 0; i < LINES; i++)
        seen[slot][i] = 0;
    reused[slot] = 0;
    needs[slot] = 0;
    oldest[count++] = (uint8_t)slot;
    stale = true;
}

void warp_end(int sub_core, int warp)
{
    int slot = ws_slot(sub_core, warp);
    uint32_t kept = 0;

    for (uint32_t i = 0; i < count; i++)
        if (oldest[i] != slot)
            oldest[kept++] = oldest[i];
    count = kept;
    stale = true;
}

void l1_load(const ws_view *view, const ws_l1_load *load)
{
    int slot = ws_slot(load->sub_core, load->warp), place = (int)((load->line ^ load->line >> 6) % LINES);
    uint64_t bit = (uint64_t)1 << place, before = reused[slot];

    if (seen[slot][place] == load->line + 1)
        reused[slot] |= bit;
    else
        reused[slot] &= ~bit;
    seen[slot][place] = load->line + 1;
    stale |= reused[slot] != before;
}

static void find_free(void)
{
    uint32_t sum = 0;

    free_to_load = 0;
    for (uint32_t i = 0; i < count; i++) {
        int slot = oldest[i];
        uint32_t lines = (uint32_t)ws_count(reused[slot]);

        sum += lines > needs[slot] ? lines : needs[slot];
        if (i > 0 && sum > capacity)
            break;
        free_to_load |= (uint64_t)1 << slot;
    }
    stale = false;
}

uint64_t admit(const ws_view *view)
{
    uint64_t admitted = view->eligible;

    for (uint64_t loads = view->loads; loads != 0; loads &= loads - 1) {
        int warp = ws_first(loads), slot = ws_slot(view->sub_core, warp);

        uint32_t touches = ws_access_of(view, warp)->lines;

        stale |= touches != needs[slot];
        needs[slot] = touches;
        if (stale)
            find_free();
        if (!(free_to_load >> slot & 1))
            admitted &= ~ws_bit(warp);
    }
    return admitted;
}

int pick(const ws_view *view)
{
    return ws_has(view->eligible, view->last) ? view->last : ws_oldest(view, view->eligible);
}
