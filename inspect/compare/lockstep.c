#include "inspect/compare/lockstep.h"

#include <string.h>

#include "inspect/export/instruction_texts.h"

/* Events that a run hands over at a time, and that may wait for the other run. */
enum { BATCH = 4096, FAR_AHEAD = 1 << 16, SLOTS = 64 };

typedef struct {
    WsLockstep *lockstep;
    WsObserver observer;
    GArray *fresh;   /* of WsTraceEvent: the running thread's own */
    GArray *waiting; /* handed over; the first `compared` are done with */
    guint compared;
    gboolean ended;
    WsTraceLaunch launch;
    WsInstructionTexts *texts;
} Side;

struct WsLockstep {
    Side sides[WS_SIDES];
    gint parted; /* atomic: nothing more is wanted */
    GMutex mutex;
    GCond moved;
    GArray *last; /* of WsTraceEvent by SM x SLOTS + warp: its last stall or issue */
    WsFirstDifference parting;
};

/* ---- comparing, with the mutex held -------------------------------------------------------------
 */

static gboolean same_instruction(WsLockstep *lockstep, guint32 a, guint32 b)
{
    const WsInstructionText *x, *y;

    if ((a == WS_NO_INSTRUCTION) != (b == WS_NO_INSTRUCTION))
        return FALSE;
    if (a == WS_NO_INSTRUCTION)
        return TRUE;
    x = ws_instruction_text(lockstep->sides[WS_SIDE_A].texts, a);
    y = ws_instruction_text(lockstep->sides[WS_SIDE_B].texts, b);
    return strcmp(x->text, y->text) == 0;
}

/* Instructions by their text, and places by what is before them in the kernel. */
static gboolean is_same(WsLockstep *lockstep, const WsTraceEvent *a, const WsTraceEvent *b)
{
    WsTraceEvent other = *b;

    other.instruction = a->instruction;
    if (b->kind == WS_TRACE_PATH && b->path.count != 0)
        other.path.pc += lockstep->sides[WS_SIDE_A].launch.kernel->first -
                         lockstep->sides[WS_SIDE_B].launch.kernel->first;
    /* Events are zero where nothing was put (sim/sm/watch.c).
     * NOLINTNEXTLINE(bugprone-suspicious-memory-comparison) */
    return memcmp(a, &other, sizeof other) == 0 &&
           same_instruction(lockstep, a->instruction, b->instruction);
}

static const WsTraceEvent *first_of(const Side *side)
{
    return side->compared == side->waiting->len
               ? NULL
               : &g_array_index(side->waiting, WsTraceEvent, side->compared);
}

static guint place_of(const WsTraceEvent *event)
{
    return event->sm * SLOTS + event->warp;
}

static void note(WsLockstep *lockstep, const WsTraceEvent *event)
{
    if (event->kind != WS_TRACE_STALL && event->kind != WS_TRACE_ISSUE)
        return;
    if (place_of(event) >= lockstep->last->len)
        g_array_set_size(lockstep->last, place_of(event) + 1);
    g_array_index(lockstep->last, WsTraceEvent, place_of(event)) = *event;
}

static void part(WsLockstep *lockstep)
{
    WsFirstDifference *parting = &lockstep->parting;

    parting->parted = TRUE;
    for (guint i = 0; i < WS_SIDES; i++) {
        const WsTraceEvent *event = first_of(&lockstep->sides[i]);

        if (event == NULL)
            continue;
        parting->has[i] = TRUE;
        parting->event[i] = *event;
        if (place_of(event) >= lockstep->last->len)
            continue;
        parting->wait[i] = g_array_index(lockstep->last, WsTraceEvent, place_of(event));
        parting->has_wait[i] = parting->wait[i].kind == WS_TRACE_STALL;
    }
    g_atomic_int_set(&lockstep->parted, 1);
}

static void forget_compared(Side *side)
{
    g_array_remove_range(side->waiting, 0, side->compared);
    side->compared = 0;
}

static void compare(WsLockstep *lockstep)
{
    Side *a = &lockstep->sides[WS_SIDE_A], *b = &lockstep->sides[WS_SIDE_B];

    while (!lockstep->parting.parted) {
        const WsTraceEvent *x = first_of(a), *y = first_of(b);

        if ((x == NULL && !a->ended) || (y == NULL && !b->ended) || (x == NULL && y == NULL))
            break;
        if (x == NULL || y == NULL || !is_same(lockstep, x, y)) {
            part(lockstep);
            break;
        }
        note(lockstep, x);
        lockstep->parting.common++;
        a->compared++;
        b->compared++;
    }
    forget_compared(a);
    forget_compared(b);
}

/* ---- on the threads of the runs -----------------------------------------------------------------
 */

static void hand_over(Side *side)
{
    WsLockstep *lockstep = side->lockstep;
    Side *other = &lockstep->sides[side == &lockstep->sides[WS_SIDE_A] ? WS_SIDE_B : WS_SIDE_A];

    g_mutex_lock(&lockstep->mutex);
    if (!lockstep->parting.parted && side->fresh->len != 0)
        g_array_append_vals(side->waiting, side->fresh->data, side->fresh->len);
    g_array_set_size(side->fresh, 0);
    compare(lockstep);
    g_cond_signal(&lockstep->moved);
    while (!lockstep->parting.parted && side->waiting->len > FAR_AHEAD && !other->ended)
        g_cond_wait(&lockstep->moved, &lockstep->mutex);
    g_mutex_unlock(&lockstep->mutex);
}

static void take_event(void *data, const WsTraceEvent *event)
{
    Side *side = data;

    if (g_atomic_int_get(&side->lockstep->parted) != 0)
        return;
    g_array_append_vals(side->fresh, event, 1);
    if (side->fresh->len == BATCH)
        hand_over(side);
}

/* Texts are there before the first event is handed over. */
static void take_launch(void *data, const WsTraceLaunch *launch)
{
    Side *side = data;

    g_mutex_lock(&side->lockstep->mutex);
    if (side->texts == NULL) {
        side->launch = *launch;
        side->texts = ws_instruction_texts_new(launch->program);
    }
    g_mutex_unlock(&side->lockstep->mutex);
}

void ws_lockstep_end(WsLockstep *lockstep, guint side)
{
    g_mutex_lock(&lockstep->mutex);
    lockstep->sides[side].ended = TRUE;
    g_mutex_unlock(&lockstep->mutex);
    hand_over(&lockstep->sides[side]);
}

/* ---- life ---------------------------------------------------------------------------------------
 */

WsLockstep *ws_lockstep_new(void)
{
    WsLockstep *lockstep = g_new0(WsLockstep, 1);

    g_mutex_init(&lockstep->mutex);
    g_cond_init(&lockstep->moved);
    lockstep->last = g_array_new(FALSE, TRUE, sizeof(WsTraceEvent));
    for (guint i = 0; i < WS_SIDES; i++) {
        Side *side = &lockstep->sides[i];

        side->lockstep = lockstep;
        side->fresh = g_array_sized_new(FALSE, FALSE, sizeof(WsTraceEvent), BATCH);
        side->waiting = g_array_new(FALSE, FALSE, sizeof(WsTraceEvent));
        side->observer = (WsObserver){
            .data = side, .kinds = WS_ALL_EVENTS, .launch_begin = take_launch, .event = take_event};
    }
    return lockstep;
}

void ws_lockstep_free(WsLockstep *lockstep)
{
    if (lockstep == NULL)
        return;
    for (guint i = 0; i < WS_SIDES; i++) {
        g_array_unref(lockstep->sides[i].fresh);
        g_array_unref(lockstep->sides[i].waiting);
        ws_instruction_texts_free(lockstep->sides[i].texts);
    }
    g_array_unref(lockstep->last);
    g_mutex_clear(&lockstep->mutex);
    g_cond_clear(&lockstep->moved);
    g_free(lockstep);
}

const WsObserver *ws_lockstep_observer(WsLockstep *lockstep, guint side)
{
    return &lockstep->sides[side].observer;
}

const WsFirstDifference *ws_lockstep_first_difference(const WsLockstep *lockstep)
{
    return &lockstep->parting;
}

const WsTraceLaunch *ws_lockstep_launch(const WsLockstep *lockstep, guint side)
{
    return &lockstep->sides[side].launch;
}
