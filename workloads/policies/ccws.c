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
    uint64_t key;   /* of a raised score: the score in a cycle, and the decay until then */
    uint32_t tags;  /* in use */
    uint32_t began; /* warps that came before: the smaller, the older */
    bool raised;    /* the score is above the base, or was until now */
} warps[SLOTS];
static uint64_t tag[SLOTS][MOST_TAGS]; /* a ring of lines by slot */
static uint32_t newest[SLOTS];         /* place in the ring of the line evicted last */

static uint32_t count, raised_count;
static uint8_t oldest[SLOTS]; /* [count]: slots by age */
static uint8_t raised[SLOTS]; /* [raised_count]: by score, the highest first */
static uint64_t issued, hits;
static uint64_t held;  /* slots that may not load, in cycle `found` - 1 */
static uint64_t found; /* 0: to be found anew */
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
    oldest[count++] = (uint8_t)slot;
    found = 0;
    changed = true;
}

void warp_end(int sub_core, int warp)
{
    int slot = ws_slot(sub_core, warp);

    take_out(oldest, &count, slot);
    lower(slot);
    found = 0;
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
    found = 0;
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

/* Holds back all but the first of the stack; more are let on as scores fall. */
static void start_anew(void)
{
    uint32_t length = 0;

    held = 0;
    for (uint32_t i = 0; i < count; i++) {
        held |= (uint64_t)1 << oldest[i];
        if (!warps[oldest[i]].raised)
            others[length++] = oldest[i];
    }
    held &= ~((uint64_t)1 << raised[0]);
    free_raised = 1;
    free_others = 0;
    changed = false;
}

static void find_held(uint64_t cycle)
{
    uint32_t cutoff = base_score * count;
    uint64_t fallen = decay * cycle, part;

    while (raised_count > 0 && warps[raised[raised_count - 1]].key <= fallen + base_score) {
        lower(raised[raised_count - 1]);
        changed = true;
    }
    if (raised_count == 0) {
        held = 0;
        return;
    }
    if (changed)
        start_anew();
    part = sum - raised_count * fallen;
    if (part > cutoff) {
        part = 0;
        for (uint32_t i = 0; i < raised_count; i++) {
            part += warps[raised[i]].key - fallen;
            if (i > 0 && part > cutoff)
                return;
            held &= ~((uint64_t)1 << raised[i]);
        }
        return;
    }
    for (; free_raised < raised_count; free_raised++)
        held &= ~((uint64_t)1 << raised[free_raised]);
    while (free_others < count - raised_count &&
           (uint32_t)part + base_score * (free_others + 1) <= cutoff)
        held &= ~((uint64_t)1 << others[free_others++]);
}

uint64_t admit(const ws_view *view)
{
    uint64_t admitted = view->eligible;

    if (found != view->cycle + 1) {
        find_held(view->cycle);
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
