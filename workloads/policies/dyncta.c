/*
 * As many blocks on an SM as its memory bears: while loads wait for room in L1 the SM takes fewer
 * blocks, while its warps wait for nothing it takes more.
 *
 * Kayiran, Jog, Kandemir, Das, "Neither more nor less: optimizing thread-level parallelism for
 * GPGPUs", PACT 2013. The paper pauses resident blocks; here blocks that run go on, and their number
 * changes when others end.
 */
#include <warpstep/policy.h>

WS_PARAMETER(uint32_t, first_blocks, 2);   /* at the beginning of a launch */
WS_PARAMETER(uint32_t, window, 2048);      /* cycles after which the number changes */
WS_PARAMETER(uint32_t, busy_percent, 25);  /* of the picks while loads wait: one block less */
WS_PARAMETER(uint32_t, idle_percent, 5);   /* or fewer: one more */

static uint32_t target, picks, crowded;
static uint64_t window_end;

static void look(uint64_t cycle)
{
    if (cycle < window_end)
        return;
    window_end = cycle + window;
    if (target == 0)
        target = first_blocks;
    else if (picks != 0 && crowded * 100 > picks * busy_percent)
        target -= target > 1;
    else if (crowded * 100 <= picks * idle_percent)
        target++;
    picks = crowded = 0;
}

int pick(const ws_view *view)
{
    const ws_memory *memory = ws_memory_of(view);

    look(view->cycle);
    picks++;
    crowded += memory->waiting > 0;
    return ws_has(view->eligible, view->last) ? view->last : ws_oldest(view, view->eligible);
}

bool take_block(const ws_blocks *blocks)
{
    look(blocks->cycle);
    target = target < blocks->most ? target : blocks->most;
    return blocks->here < target;
}
