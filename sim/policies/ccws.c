/*
 * Cache-conscious wavefront scheduling: warps that lose lines of L1 before they use them again get
 * the cache for themselves for a while; the others may not load.
 *
 * After Rogers, O'Connor and Aamodt, "Cache-conscious wavefront scheduling", MICRO 2012. Every warp
 * has a small array of the lines that it brought in and that were evicted. A load that misses L1
 * and finds its line there has lost locality: the warp's score rises to
 *
 *   hits in victim tags x throttle x cutoff / instructions issued     (all of the SM, so far)
 *
 * and falls back to the base score with time. Warps are stacked by score, the highest first, of
 * equal ones the oldest; those that do not fit below the cutoff (base score x resident warps) may
 * not load. Who issues is chosen as by greedy-then-oldest.
 *
 * Own choices where the paper leaves it open: tags are fully associative, least recently evicted
 * out first; a tag that was found is taken out; a score rises no higher than the cutoff, and the
 * warp with the highest score can always load.
 */
#include "sim/policies/policy.h"

#include <string.h>

typedef struct {
    guint64 score, since; /* at that cycle */
    guint32 tags;         /* in use */
} Locality;

typedef struct {
    guint32 sub_cores, tags_per_warp;
    guint64 base, throttle, decay;
    guint64 issued, hits;
    guint64 above_until;              /* no score is above the base from this cycle on */
    guint64 held;                     /* slots that may not load, at cycle `found` - 1 */
    guint64 found;                    /* 0: to be found anew */
    guint32 count;                    /* resident warps */
    guint8 oldest[WS_MAX_WARP_SLOTS]; /* [count], by age */
    Locality warps[WS_MAX_WARP_SLOTS];
    guint64 tags[]; /* [slot][tags_per_warp], evicted last first */
} State;

static gsize state_bytes(const WsDevice *device)
{
    return sizeof(State) + device->max_warps_per_sm * device->ccws_victim_tags * sizeof(guint64);
}

static void begin(void *data, const WsDevice *device)
{
    State *state = data;

    state->sub_cores = (guint32)device->sub_cores;
    state->tags_per_warp = (guint32)device->ccws_victim_tags;
    state->base = device->ccws_base_score;
    state->throttle = device->ccws_throttle;
    state->decay = device->ccws_decay;
}

static void warp_begin(void *data, guint32 slot)
{
    State *state = data;

    state->warps[slot] = (Locality){.score = state->base};
    state->oldest[state->count++] = (guint8)slot;
    state->found = 0;
}

static void warp_end(void *data, guint32 slot)
{
    State *state = data;
    guint32 place = 0;

    while (state->oldest[place] != slot)
        place++;
    state->count--;
    memmove(state->oldest + place, state->oldest + place + 1, state->count - place);
    state->found = 0;
}

/* ---- lost locality ------------------------------------------------------------------------------
 */

static guint64 *tags_of(State *state, guint32 slot)
{
    return state->tags + (gsize)slot * state->tags_per_warp;
}

static guint64 score_at(const State *state, guint32 slot, guint64 cycle)
{
    const Locality *warp = &state->warps[slot];
    guint64 lost = state->decay * (cycle - MIN(cycle, warp->since));

    return warp->score - MIN(lost, warp->score - state->base);
}

static guint64 cutoff_of(const State *state)
{
    return state->base * state->count;
}

static void raise_score(State *state, guint32 slot, guint64 cycle)
{
    Locality *warp = &state->warps[slot];
    guint64 cutoff = cutoff_of(state), now = score_at(state, slot, cycle);
    guint64 found = state->hits * state->throttle * cutoff / MAX(state->issued, 1);

    warp->score = MAX(now, MIN(found, cutoff));
    warp->since = cycle;
    state->above_until =
        state->decay == 0
            ? G_MAXUINT64
            : MAX(state->above_until,
                  cycle + (warp->score - state->base + state->decay - 1) / state->decay);
    state->found = 0;
}

static void load(void *data, const WsL1Load *load)
{
    State *state = data;
    Locality *warp = &state->warps[load->slot];
    guint64 *tags = tags_of(state, load->slot);
    guint32 place = 0;

    if (load->hit)
        return;
    while (place < warp->tags && tags[place] != load->line)
        place++;
    if (place == warp->tags)
        return;
    warp->tags--;
    memmove(tags + place, tags + place + 1, (warp->tags - place) * sizeof *tags);
    state->hits++;
    raise_score(state, load->slot, load->cycle);
}

static void evict(void *data, guint64 cycle, const WsL1Owned *line, guint32 by)
{
    State *state = data;
    Locality *warp = &state->warps[line->slot];
    guint64 *tags = tags_of(state, line->slot);

    warp->tags = MIN(warp->tags + 1, state->tags_per_warp);
    memmove(tags + 1, tags, (warp->tags - 1) * sizeof *tags);
    tags[0] = line->line;
}

/* ---- who may load -------------------------------------------------------------------------------
 */

/* Slots by score, the highest first; equal ones stay in order of age. */
static void stack(const State *state, guint64 cycle, guint8 ret[WS_MAX_WARP_SLOTS],
                  guint64 scores[WS_MAX_WARP_SLOTS])
{
    for (guint32 i = 0; i < state->count; i++) {
        guint8 slot = state->oldest[i];
        guint64 score = score_at(state, slot, cycle);
        guint32 place = i;

        for (; place > 0 && scores[place - 1] < score; place--) {
            ret[place] = ret[place - 1];
            scores[place] = scores[place - 1];
        }
        ret[place] = slot;
        scores[place] = score;
    }
}

static guint64 find_held(const State *state, guint64 cycle)
{
    guint8 slots[WS_MAX_WARP_SLOTS];
    guint64 scores[WS_MAX_WARP_SLOTS], sum = 0, held = 0;

    if (cycle >= state->above_until)
        return 0;
    stack(state, cycle, slots, scores);
    for (guint32 i = 0; i < state->count; i++) {
        sum += scores[i];
        if (i > 0 && sum > cutoff_of(state))
            held |= (guint64)1 << slots[i];
    }
    return held;
}

static guint64 admit(void *data, const WsPolicyView *view, const WsPolicyWarps *warps)
{
    State *state = data;
    guint64 admitted = warps->eligible;

    if (state->found != view->cycle + 1) {
        state->held = find_held(state, view->cycle);
        state->found = view->cycle + 1;
    }
    for (guint64 loads = state->held != 0 ? warps->loads : 0; loads != 0; loads &= loads - 1) {
        guint warp = ws_lowest_warp(loads);
        if (state->held >> (warp * state->sub_cores + warps->sub_core) & 1)
            admitted &= ~((guint64)1 << warp);
    }
    state->issued += admitted != 0;
    return admitted;
}

static guint pick(const WsPolicyView *view, guint64 eligible)
{
    return ws_policy_gto.pick(view, eligible);
}

const WsPolicy ws_policy_ccws = {.greedy = TRUE,
                                 .pick = pick,
                                 .state_bytes = state_bytes,
                                 .begin = begin,
                                 .warp_begin = warp_begin,
                                 .warp_end = warp_end,
                                 .admit = admit,
                                 .l1 = {.load = load, .evict = evict}};
