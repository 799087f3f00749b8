/* Races: accesses of two threads to one place, not both reads or atomics, that nothing orders. */
#include "sim/check/private.h"

#include <string.h>

/* ---- what may race ------------------------------------------------------------------------------
 */

/* One that is looked at: who it is, and which of the notes of its cell count. */
typedef struct {
    WsCheck *check;
    const WsWatchedAccess *access;
    WsNote note;
    guint32 oldest; /* notes of earlier serial numbers are of nobody any more */
} Current;

static gboolean counts(const Current *current, const WsNote *note)
{
    return note->block >= current->oldest;
}

/* Both may be under way at once, as flags and counters are meant to be. */
static gboolean go_together(const WsNote *a, const WsNote *b)
{
    if (!(a->flags & b->flags & WS_NOTE_STRONG))
        return FALSE;
    return a->block == b->block || !((a->flags | b->flags) & WS_NOTE_OF_BLOCK);
}

static gboolean is_before(const Current *current, const WsNote *note)
{
    return ws_order_before(current->check->order, note, current->access->slot,
                           current->access->thread);
}

static gboolean is_before_in_block(const Current *current, const WsNote *note)
{
    return ws_order_before_in_block(current->check->order, note, current->access->slot,
                                    current->access->thread);
}

static gboolean races_with(const Current *current, const WsNote *note)
{
    return counts(current, note) && !go_together(note, &current->note) && !is_before(current, note);
}

/* ---- reports ------------------------------------------------------------------------------------
 */

static WsTouchAction action_of(const WsNote *note)
{
    return note->flags & WS_NOTE_ATOMIC  ? WS_TOUCH_ATOMIC
           : note->flags & WS_NOTE_WRITE ? WS_TOUCH_WRITE
                                         : WS_TOUCH_READ;
}

/* "between line 12 and line 15" */
static char *between(const WsCheck *check, const WsNote *first, const WsNote *second)
{
    gboolean turn = first->instruction > second->instruction;
    g_autofree char *a = ws_check_line_text(check, (turn ? second : first)->instruction);
    g_autofree char *b = ws_check_line_text(check, (turn ? first : second)->instruction);

    return strcmp(a, b) == 0 ? g_strdup_printf("around %s", a)
                             : g_strdup_printf("between %s and %s", a, b);
}

/* One line reads the place and writes it: it may be an update that another one comes into. */
static gboolean is_update(const WsCheck *check, const WsNote *first, const WsNote *second)
{
    g_autofree char *a = ws_check_line_text(check, first->instruction);
    g_autofree char *b = ws_check_line_text(check, second->instruction);

    return strcmp(a, b) == 0 && ((first->flags ^ second->flags) & WS_NOTE_WRITE) != 0 &&
           ((first->flags | second->flags) & WS_NOTE_ATOMIC) == 0;
}

/* What would order the two threads. */
static char *remedy_text(const WsCheck *check, const WsNote *first, const WsNote *second)
{
    g_autofree char *lines = between(check, first, second);

    if (first->block != second->block)
        return g_strdup_printf("nothing orders the two blocks %s: blocks run in any order, and "
                               "only atomics after __threadfence() or another launch order them",
                               lines);
    if (first->thread / check->warp_size != second->thread / check->warp_size)
        return g_strdup_printf("no barrier %s: __syncthreads() is missing", lines);
    return g_strdup_printf(
        "no __syncwarp() or barrier %s: lanes of a warp need not run in lockstep", lines);
}

static char *missing_text(const WsCheck *check, const WsNote *first, const WsNote *second)
{
    g_autofree char *lines = between(check, first, second);
    g_autofree char *remedy = remedy_text(check, first, second);
    guint16 both = first->flags & second->flags, either = first->flags | second->flags;

    if (both & WS_NOTE_STRONG)
        return g_strdup_printf(
            "both are atomic only within their block, but the blocks differ (%s)", lines);
    if (either & WS_NOTE_ATOMIC)
        return g_strdup_printf("only one of the two is atomic, and %s", remedy);
    if (first->instruction == second->instruction)
        return g_strdup_printf("which of the two values remains is undefined, and %s", remedy);
    if (is_update(check, first, second))
        return g_strdup_printf("%s; to update a location that threads share, use an atomic",
                               remedy);
    return g_steal_pointer(&remedy);
}

static void report(const Current *current, const WsNote *before, guint64 address)
{
    WsCheck *check = current->check;
    const WsNote *now = &current->note;
    gboolean is_new;
    WsCheckFinding *finding =
        ws_check_find(check, WS_CHECK_RACES, before->instruction, now->instruction, &is_new);

    if (!is_new)
        return;
    finding->touches = 2;
    finding->touch[0] = ws_check_touch(check, before->block, before->thread, before->instruction,
                                       action_of(before));
    finding->touch[1] =
        ws_check_touch(check, now->block, now->thread, now->instruction, action_of(now));
    finding->missing = missing_text(check, before, now);
    ws_check_name_place(check, current->access, address, finding);
}

/* ---- cells --------------------------------------------------------------------------------------
 */

/*
 * Keeps two readers that a later write may not follow: the last one, and of the others one of
 * another block if possible, else of another warp. Atomics are not asked here, which takes time.
 */
static void note_read(const Current *current, WsShadowCell *cell)
{
    const WsNote *now = &current->note;
    WsNote *first = &cell->read[0], *second = &cell->read[1];
    guint32 size = current->check->warp_size;

    if (!counts(current, first) || is_before_in_block(current, first)) {
        *first = *now;
    } else if (!counts(current, second) || is_before_in_block(current, second)) {
        *second = *now;
    } else if (now->block == first->block &&
               (now->thread / size == first->thread / size || second->block != first->block)) {
        *first = *now;
    } else {
        *second = *now;
    }
}

static void forget_earlier(const Current *current, WsNote *note)
{
    if (note->block != 0 && (!counts(current, note) || is_before(current, note)))
        *note = (WsNote){0};
}

static const WsNote *look_at_read(const Current *current, WsShadowCell *cell)
{
    const WsNote *raced = races_with(current, &cell->write)    ? &cell->write
                          : races_with(current, &cell->atomic) ? &cell->atomic
                                                               : NULL;
    return raced;
}

/* `same`: the write leaves the values as they are. */
static const WsNote *look_at_write(const Current *current, WsShadowCell *cell, gboolean same)
{
    WsNote *others[] = {&cell->read[0], &cell->read[1], &cell->atomic};

    if (!same && races_with(current, &cell->write))
        return &cell->write;
    for (guint i = 0; i < G_N_ELEMENTS(others); i++)
        if (races_with(current, others[i]))
            return others[i];
    return NULL;
}

static void note_write(const Current *current, WsShadowCell *cell)
{
    forget_earlier(current, &cell->read[0]);
    forget_earlier(current, &cell->read[1]);
    forget_earlier(current, &cell->atomic);
    cell->write = current->note;
}

/* One cell; returns whether it is in a race, told unless `told`. */
static gboolean touch(const Current *current, WsShadowCell *cell, gboolean same, guint64 address,
                      gboolean told)
{
    guint16 flags = current->note.flags;
    const WsNote *found;

    if (flags & WS_NOTE_ATOMIC)
        found = look_at_write(current, cell, FALSE);
    else if (flags & WS_NOTE_WRITE)
        found = look_at_write(current, cell, same);
    else
        found = look_at_read(current, cell);
    if (found != NULL && !told)
        report(current, found, address);
    if (flags & WS_NOTE_ATOMIC)
        cell->atomic = current->note;
    else if (flags & WS_NOTE_WRITE)
        note_write(current, cell);
    else
        note_read(current, cell);
    return found != NULL;
}

/* ---- order --------------------------------------------------------------------------------------
 */

/* A name for the place that no other one has. */
static guint64 place_key(const WsCheck *check, const WsWatchedAccess *access)
{
    if (access->space != WS_SPACE_SHARED)
        return access->address;
    return G_GUINT64_CONSTANT(1) << 63 |
           (guint64)ws_order_serial(check->order, access->slot) << 31 | access->address;
}

void ws_check_races_atomic_done(WsCheck *check, const WsWatchedAccess *access, gboolean changed)
{
    guint64 key;

    if (access->space == WS_SPACE_LOCAL)
        return;
    key = place_key(check, access);
    if (access->action != WS_ACTION_REDUCTION)
        ws_order_acquire(check->order, access->slot, access->thread, key);
    if (changed || access->action != WS_ACTION_COMPARE_AND_SWAP)
        ws_order_release(check->order, access->slot, access->thread, key);
}

void ws_check_races_access(WsCheck *check, const WsWatchedAccess *access)
{
    gboolean shared = access->space == WS_SPACE_SHARED, told = FALSE;
    guint32 serial = ws_order_serial(check->order, access->slot), count = 0;
    guint16 flags = check->note_flags[access->instruction];

    if (access->space == WS_SPACE_LOCAL)
        return;
    if (shared && !(flags & WS_NOTE_ATOMIC)) /* only there it is known what is volatile */
        flags &= (guint16) ~(WS_NOTE_STRONG | WS_NOTE_OF_BLOCK);
    const Current current = {.check = check,
                             .access = access,
                             .note = {.block = serial,
                                      .clock = ws_order_clock(check->order, access->slot),
                                      .instruction = access->instruction,
                                      .thread = (guint16)access->thread,
                                      .flags = flags},
                             .oldest = shared ? serial : check->first_serial};
    WsShadow *shadow = shared ? ws_check_block(check, access->slot)->shared : check->global;
    WsShadowCell *cells = ws_shadow_cells(shadow, access->address, access->bytes, &count);
    for (guint32 i = 0; cells != NULL && i < count; i++) {
        guint32 grain = access->bytes / count;
        gboolean same = access->stored != NULL && memcmp(access->contents + i * grain,
                                                         access->stored + i * grain, grain) == 0;

        told |= touch(&current, &cells[i], same, access->address + i * grain, told);
    }
    if (!(flags & WS_NOTE_STRONG) || flags & WS_NOTE_ATOMIC)
        return;
    if (flags & WS_NOTE_WRITE)
        ws_order_release(check->order, access->slot, access->thread, place_key(check, access));
    else
        ws_order_acquire(check->order, access->slot, access->thread, place_key(check, access));
}
