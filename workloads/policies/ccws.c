/*
 * Cache-conscious wavefront scheduling: warps that lose lines of L1 before they use them again get
 * the cache for themselves for a while; the others may not load. The same rule as the built-in
 * policy `ccws`, with the same cycles.
 *
 * Rogers, O'Connor, Aamodt, "Cache-conscious wavefront scheduling", MICRO 2012.
 *
 * Warps are stacked by score, the highest first, equal ones by age. Scores above the base score fall
 * alike, so these warps stay in order until they reach it; all others have the base score.
 */
#include <warpstep/policy.h>

WS_PARAMETER(uint32_t, victim_tags, 16); /* evicted lines that a warp remembers, up to 64 */
WS_PARAMETER(uint32_t, base_score, 100);
WS_PARAMETER(uint32_t, throttle, 8);
WS_PARAMETER(uint32_t, decay, 1); /* of a score, per cycle */

enum { SLOTS = 64, MOST_TAGS = 64, SUB_CORES = 8 };

static struct {
    uint64_t key;   /* of a raised score: the score in a cycle, and the decay until then */
    uint32_t tags;  /* in use */
    uint32_t began; /* warps that came before: the smaller, the older */
    bool raised;    /* the score is above the base, or was until now */
    uint8_t sub_core, warp;
} warps[SLOTS];
static uint64_t tag[SLOTS][MOST_TAGS]; /* a ring of lines by slot */
static uint32_t newest[SLOTS];         /* place in the ring of the line evicted last */

static uint32_t count, raised_count;
static uint8_t oldest[SLOTS]; /* [count]: slots by age */
static uint8_t raised[SLOTS]; /* [raised_count]: by score, the highest first */
static uint64_t issued, hits;
/* Warps of each sub-core that may not load, until cycle `until` or until the stack changes. */
static uint64_t held[SUB_CORES];
static uint64_t until;
static uint32_t begun;
static bool changed;   /* the stack has: what may load is found anew */
static uint64_t sum;   /* of the keys of raised[] */
static uint32_t free_raised, free_others; /* from the top of the stack: they may load */
static uint8_t others[SLOTS];             /* by age: slots at the base score */

static void take_out(uint8_t *list, uint32_t *length, int slot)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < *length; i++)
        if (list[i] != slot)
            list[kept++] = list[i];
    *length = kept;
}

/* The slot leaves the raised ones. */
static void lower(int slot)
{
    if (!warps[slot].raised)
        return;
    warps[slot].raised = false;
    sum -= warps[slot].key;
    take_out(raised, &raised_count, slot);
}

void warp_begin(int sub_core, int warp)
{
    int slot = ws_slot(sub_core, warp);

    warps[slot].tags = 0;
    warps[slot].began = begun++;
    warps[slot].raised = false;
    warps[slot].sub_core = (uint8_t)sub_core;
    warps[slot].warp = (uint8_t)warp;
    oldest[count++] = (uint8_t)slot;
    changed = true;
}

void warp_end(int sub_core, int warp)
{
    int slot = ws_slot(sub_core, warp);

    take_out(oldest, &count, slot);
    lower(slot);
    changed = true;
}

/* ---- lost locality ---------------------------------------------------------------------------- */

static uint64_t score_at(int slot, uint64_t cycle)
{
    uint64_t low = base_score + decay * cycle;

    return warps[slot].raised && warps[slot].key > low ? warps[slot].key - decay * cycle : base_score;
}

/* Puts the slot, which is not there, into its place of the stack. */
static void stack(int slot)
{
    uint64_t key = warps[slot].key;
    uint32_t place = raised_count++;

    for (; place > 0; place--) {
        int before = raised[place - 1];
        uint64_t other = warps[before].key;

        if (other > key || (other == key && warps[before].began < warps[slot].began))
            break;
        raised[place] = (uint8_t)before;
    }
    raised[place] = (uint8_t)slot;
    sum += key;
}

static void raise_score(int slot, uint64_t cycle)
{
    uint64_t cutoff = (uint64_t)base_score * count, now = score_at(slot, cycle);
    uint64_t score = hits * throttle * cutoff / (issued > 0 ? issued : 1);

    score = score < cutoff ? score : cutoff;
    score = now > score ? now : score;
    lower(slot);
    if (score > base_score) {
        warps[slot].key = score + decay * cycle;
        warps[slot].raised = true;
        stack(slot);
    }
    changed = true;
}

/* A load that misses finds its line among those that its warp has lost. */
void l1_load(const ws_view *view, const ws_l1_load *load)
{
    int slot = ws_slot(load->sub_core, load->warp);
    uint64_t line = load->line;
    uint32_t in_use = warps[slot].tags, size = victim_tags, place = newest[slot], i = 0;

    if (load->hit)
        return;
    for (; i < in_use && tag[slot][place] != line; i++)
        place = place > 0 ? place - 1 : size - 1;
    if (i == in_use)
        return;
    /* the older ones move up */
    for (i++; i < in_use; i++) {
        uint32_t older = place > 0 ? place - 1 : size - 1;

        tag[slot][place] = tag[slot][older];
        place = older;
    }
    warps[slot].tags = in_use - 1;
    hits++;
    raise_score(slot, view->cycle);
}

void l1_evict(const ws_view *view, const ws_l1_eviction *eviction)
{
    int slot = ws_slot(eviction->sub_core, eviction->warp);
    uint32_t place = newest[slot] + 1 < victim_tags ? newest[slot] + 1 : 0;

    tag[slot][place] = eviction->line;
    newest[slot] = place;
    if (warps[slot].tags < victim_tags)
        warps[slot].tags++;
}

/* ---- who may load ----------------------------------------------------------------------------- */

static void let_load(int slot)
{
    held[warps[slot].sub_core] &= ~ws_bit(warps[slot].warp);
}

static void let_all_load(void)
{
    for (uint32_t i = 0; i < SUB_CORES; i++)
        held[i] = 0;
}

/* Holds back all but the first of the stack; more are let on as scores fall. */
static void start_anew(void)
{
    uint32_t length = 0;

    let_all_load();
    for (uint32_t i = 0; i < count; i++) {
        held[warps[oldest[i]].sub_core] |= ws_bit(warps[oldest[i]].warp);
        if (!warps[oldest[i]].raised)
            others[length++] = oldest[i];
    }
    let_load(raised[0]);
    free_raised = 1;
    free_others = 0;
    changed = false;
}

/* Scores fall by `decay` a cycle: `scores` of them are too high by `excess`, so until then nothing changes. */
static void look_again(uint64_t cycle, uint64_t excess, uint32_t scores)
{
    uint64_t fall = (uint64_t)decay * scores;
    uint64_t then = fall > 0 ? cycle + (excess + fall - 1) / fall : ~0ull;

    until = then < until ? then : until;
}

static void find_held(uint64_t cycle)
{
    uint32_t cutoff = base_score * count;
    uint64_t fallen = decay * cycle, part;

    while (raised_count > 0 && warps[raised[raised_count - 1]].key <= fallen + base_score) {
        lower(raised[raised_count - 1]);
        changed = true;
    }
    until = ~0ull;
    if (raised_count == 0) {
        let_all_load();
        changed = false;
        return;
    }
    if (changed)
        start_anew();
    look_again(cycle, warps[raised[raised_count - 1]].key - fallen - base_score, 1);
    part = sum - raised_count * fallen;
    if (part > cutoff) {
        part = 0;
        for (uint32_t i = 0; i < raised_count; i++) {
            part += warps[raised[i]].key - fallen;
            if (i > 0 && part > cutoff) {
                look_again(cycle, part - cutoff, i + 1);
                return;
            }
            let_load(raised[i]);
        }
        look_again(cycle, part - cutoff, raised_count);
        return;
    }
    for (; free_raised < raised_count; free_raised++)
        let_load(raised[free_raised]);
    while (free_others < count - raised_count &&
           (uint32_t)part + base_score * (free_others + 1) <= cutoff)
        let_load(others[free_others++]);
    if (free_others < count - raised_count)
        look_again(cycle, part + base_score * (free_others + 1) - cutoff, raised_count);
}

uint64_t admit(const ws_view *view)
{
    uint64_t admitted;

    if (changed || view->cycle >= until)
        find_held(view->cycle);
    admitted = view->eligible & ~(view->loads & held[view->sub_core]);
    issued += admitted != 0;
    return admitted;
}

/* Greedy, then the oldest. */
int pick(const ws_view *view)
{
    return ws_has(view->eligible, view->last) ? view->last : ws_oldest(view, view->eligible);
}
