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

enum { SLOTS = 64, MOST_TAGS = 64 };

static struct {
    uint64_t score, since; /* at that cycle */
    uint32_t tags;         /* in use */
    bool raised;           /* the score may be above the base */
} warps[SLOTS];
static uint64_t tag[SLOTS][MOST_TAGS]; /* a ring of lines by slot */
static uint32_t newest[SLOTS];         /* place in the ring of the line evicted last */

static uint32_t count, raised_count;
static uint8_t oldest[SLOTS]; /* [count]: slots by age */
static uint8_t raised[SLOTS]; /* [raised_count]: by score, the highest first */
static uint64_t issued, hits;
static uint64_t held;  /* slots that may not load, in cycle `found` - 1 */
static uint64_t found; /* 0: to be found anew */

static void take_out(uint8_t *list, uint32_t *length, int slot)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < *length; i++)
        if (list[i] != slot)
            list[kept++] = list[i];
    *length = kept;
}

void warp_begin(int sub_core, int warp)
{
    int slot = ws_slot(sub_core, warp);

    warps[slot].score = base_score;
    warps[slot].since = 0;
    warps[slot].tags = 0;
    warps[slot].raised = false;
    oldest[count++] = (uint8_t)slot;
    found = 0;
}

void warp_end(int sub_core, int warp)
{
    int slot = ws_slot(sub_core, warp);

    take_out(oldest, &count, slot);
    if (warps[slot].raised)
        take_out(raised, &raised_count, slot);
    warps[slot].raised = false;
    found = 0;
}

/* ---- lost locality ---------------------------------------------------------------------------- */

static uint64_t score_at(int slot, uint64_t cycle)
{
    uint64_t since = warps[slot].since;
    uint64_t lost = cycle > since ? decay * (cycle - since) : 0;
    uint64_t above = warps[slot].score - base_score;

    return base_score + (lost < above ? above - lost : 0);
}

static int age_of(int slot)
{
    int place = 0;

    while (oldest[place] != slot)
        place++;
    return place;
}

/* Puts the slot, which is not there, into its place of the stack. */
static void stack(int slot, uint64_t cycle)
{
    uint64_t score = warps[slot].score;
    uint32_t place = raised_count++;

    for (; place > 0; place--) {
        int before = raised[place - 1];
        uint64_t other = score_at(before, cycle);

        if (other > score || (other == score && age_of(before) < age_of(slot)))
            break;
        raised[place] = (uint8_t)before;
    }
    raised[place] = (uint8_t)slot;
}

static void raise_score(int slot, uint64_t cycle)
{
    uint64_t cutoff = (uint64_t)base_score * count, now = score_at(slot, cycle);
    uint64_t score = hits * throttle * cutoff / (issued > 0 ? issued : 1);

    score = score < cutoff ? score : cutoff;
    if (warps[slot].raised)
        take_out(raised, &raised_count, slot);
    warps[slot].score = now > score ? now : score;
    warps[slot].since = cycle;
    warps[slot].raised = warps[slot].score > base_score;
    if (warps[slot].raised)
        stack(slot, cycle);
    found = 0;
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

static uint64_t find_held(uint64_t cycle)
{
    uint64_t cutoff = (uint64_t)base_score * count, sum = 0, not_admitted = 0;
    bool first = true;

    while (raised_count > 0 && score_at(raised[raised_count - 1], cycle) == base_score)
        warps[raised[--raised_count]].raised = false;
    if (raised_count == 0)
        return 0;
    for (uint32_t i = 0; i < raised_count; i++) {
        sum += score_at(raised[i], cycle);
        if (!first && sum > cutoff)
            not_admitted |= (uint64_t)1 << raised[i];
        first = false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (warps[oldest[i]].raised)
            continue;
        sum += base_score;
        if (sum > cutoff)
            not_admitted |= (uint64_t)1 << oldest[i];
    }
    return not_admitted;
}

uint64_t admit(const ws_view *view)
{
    uint64_t admitted = view->eligible;

    if (found != view->cycle + 1) {
        held = find_held(view->cycle);
        found = view->cycle + 1;
    }
    for (uint64_t loads = held != 0 ? view->loads : 0; loads != 0; loads &= loads - 1) {
        int warp = ws_first(loads);

        if (held >> (warp * view->sub_cores + view->sub_core) & 1)
            admitted &= ~ws_bit(warp);
    }
    issued += admitted != 0;
    return admitted;
}

/* Greedy, then the oldest. */
int pick(const ws_view *view)
{
    return ws_has(view->eligible, view->last) ? view->last : ws_oldest(view, view->eligible);
}
