/*
 * Loads whose lines are not used again stay out of L1. A counter for each load says how often lines
 * that it brought in left without a second use; bit by bit a load that never finds its lines again
 * bypasses L1, and one of 16 such loads still tries.
 *
 * Tian, Puthoor, Greathouse, Beckmann, Jimenez, "Adaptive GPU cache bypassing", GPGPU 2015.
 */
#include <warpstep/policy.h>

WS_PARAMETER(uint32_t, threshold, 8); /* dead lines, less reused ones, that make a load bypass */

enum { LOADS = 64, LINES = 1024, MOST = 15, TRIES = 16 };

static uint8_t dead[LOADS];
static uint64_t line_of[LINES];
static uint8_t load_of[LINES], used[LINES]; /* by a hash of the line */
static uint32_t bypassed;

static int place_of(uint64_t line)
{
    return (int)((line ^ line >> 10) % LINES);
}

void l1_load(const ws_view *view, const ws_l1_load *load)
{
    int place = place_of(load->line);

    if (!load->hit) {
        line_of[place] = load->line;
        load_of[place] = load->pc % LOADS;
        used[place] = 0;
    } else if (line_of[place] == load->line && !used[place]) {
        used[place] = 1;
        dead[load_of[place]] -= dead[load_of[place]] > 0;
    }
}

void l1_evict(const ws_view *view, const ws_l1_eviction *eviction)
{
    int place = place_of(eviction->line);

    if (line_of[place] == eviction->line && !used[place])
        dead[load_of[place]] += dead[load_of[place]] < MOST;
}

bool l1_bypass(const ws_view *view, const ws_l1_load *load)
{
    return dead[load->pc % LOADS] >= threshold && ++bypassed % TRIES != 0;
}

int pick(const ws_view *view)
{
    return ws_has(view->eligible, view->last) ? view->last : ws_oldest(view, view->eligible);
}
