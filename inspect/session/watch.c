/* Values that are watched: expressions, bytes of shared memory, elements of buffers. */
#include "inspect/session/watch.h"

#include <string.h>

#include "inspect/session/paths.h"
#include "isa/base/error.h"
#include "sim/base/element.h"

/* ---- memory -------------------------------------------------------------------------------------
 */

/* "NAME[FROM]" or "NAME[FROM:BYTES]" */
static gboolean whole_number(const char *text, guint64 *ret)
{
    return g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT64, ret, NULL);
}

static gboolean parse_place(const char *text, char **ret_name, guint64 *ret_from,
                            guint64 *ret_bytes)
{
    const char *open = strchr(text, '['), *close = strrchr(text, ']');
    g_autofree char *inside = NULL;
    g_auto(GStrv) parts = NULL;

    if (open == NULL || close == NULL || close[1] != '\0' || close < open)
        return FALSE;
    inside = g_strndup(open + 1, (gsize)(close - open - 1));
    parts = g_strsplit(inside, ":", 2);
    if (parts[0] == NULL || !whole_number(parts[0], ret_from) ||
        (parts[1] != NULL && !whole_number(parts[1], ret_bytes)))
        return FALSE;
    *ret_name = g_strndup(text, (gsize)(open - text));
    return TRUE;
}

/* FALSE without an error: the text is of another form. */
static gboolean watch_memory(const WsTimeline *timeline, WsBreakpoint *watch, GError **error)
{
    const WsJob *job = ws_timeline_job(timeline);
    guint64 from, bytes = 0;

    if (!parse_place(watch->text, &watch->name, &from, &bytes))
        return FALSE;
    if (strcmp(watch->name, "shared") == 0) {
        watch->kind = WS_STOP_SHARED;
        watch->address = from;
        watch->bytes = bytes == 0 ? 1 : (guint32)MIN(bytes, 8);
        return TRUE;
    }
    for (guint32 i = 0; i < job->buffer_count; i++) {
        const WsBuffer *buffer = &job->buffers[i];
        guint size = MAX(1, ws_type_size(buffer->type));

        if (strcmp(buffer->name, watch->name) != 0)
            continue;
        if (from >= buffer->count) {
            ws_set_error(error, WS_ERROR_USAGE,
                         "'%s': the buffer has %" G_GUINT64_FORMAT " elements", watch->text,
                         buffer->count);
            return FALSE;
        }
        watch->kind = WS_STOP_GLOBAL;
        watch->address = buffer->address + from * size;
        watch->bytes = MIN(size, 8);
        watch->type = buffer->type;
        return TRUE;
    }
    return FALSE;
}

/* ---- expressions --------------------------------------------------------------------------------
 */

/* With the names of where the lane is; of the kernel's begin, if it is nowhere. */
static WsLaneExpression *compile(const WsTimeline *timeline, const WsBreakpoint *watch,
                                 const char *text, GError **error)
{
    const WsJob *job = ws_timeline_job(timeline);
    const WsLaunch *launch = &job->launches[ws_simulation_launch(ws_timeline_simulation(timeline))];
    WsWarpPlace place = ws_find_warp(timeline, watch->focus.block, watch->focus.warp);

    return place.sm == NULL ? ws_lane_expression_new(watch->scope, "watch", text,
                                                     &launch->kernel->first, 1, error)
                            : ws_lane_expression_for(watch->scope, "watch", text, place.sm,
                                                     place.slot, watch->focus.lane, error);
}

/* What is the same as ever where it is looked at, or is at no place of a lane, cannot be watched.
 */
static gboolean watch_value(const WsTimeline *timeline, WsBreakpoint *watch, guint32 function,
                            GError **error)
{
    const WsJob *job = ws_timeline_job(timeline);
    const WsLaunch *launch = &job->launches[ws_simulation_launch(ws_timeline_simulation(timeline))];
    const char *condition = strstr(watch->text, " if ");
    g_autofree char *text =
        g_strstrip(condition != NULL ? g_strndup(watch->text, (gsize)(condition - watch->text))
                                     : g_strdup(watch->text));
    g_autofree char *problem = NULL;
    guint32 instructions[2];
    WsWarpPlace place;

    watch->kind = WS_STOP_VALUE;
    if (*text == '\0') {
        ws_set_error(error, WS_ERROR_USAGE,
                     "an expression is expected: R4, sum, out[3], shared[16:4]");
        return FALSE;
    }
    watch->scope = ws_lane_scope_new_in(timeline, launch, function);
    watch->value = compile(timeline, watch, text, error);
    if (watch->value == NULL)
        return FALSE;
    ws_lane_expression_bind(watch->value);
    watch->reads_shared = ws_lane_expression_reads_shared(watch->value);
    problem = ws_typed_check_condition(ws_lane_expression_typed(watch->value));
    if (problem != NULL) {
        ws_set_error(error, WS_ERROR_USAGE, "watch '%s': %s", text, problem);
        return FALSE;
    }
    if (condition == NULL)
        return TRUE;
    if (ws_lane_expression_reads_memory(watch->value)) {
        ws_set_error(
            error, WS_ERROR_USAGE,
            "watch '%s': global memory belongs to no lane, and is watched without a condition",
            text);
        return FALSE;
    }
    place = ws_find_warp(timeline, watch->focus.block, watch->focus.warp);
    instructions[0] = instructions[1] = launch->kernel->first;
    if (place.sm != NULL) {
        instructions[0] = place.sm->state->warps[place.slot].path.pc;
        instructions[1] = instructions[0];
        ws_lane_instruction(place.sm, place.slot, watch->focus.lane, &instructions[0]);
    }
    watch->condition = ws_condition_new(timeline, launch, condition + strlen(" if "), instructions,
                                        G_N_ELEMENTS(instructions), error);
    return watch->condition != NULL;
}

WsBreakpoint *ws_watch_parse(const WsTimeline *timeline, const WsFocus *focus, guint32 function,
                             const char *text, GError **error)
{
    WsBreakpoint *watch = g_new0(WsBreakpoint, 1);
    GError *problem = NULL;

    watch->text = g_strstrip(g_strdup(text));
    watch->focus = *focus;
    if (watch_memory(timeline, watch, &problem) ||
        (problem == NULL && watch_value(timeline, watch, function, &problem)))
        return watch;
    g_propagate_error(error, problem);
    ws_breakpoint_free(watch);
    return NULL;
}

gboolean ws_watch_reads_memory(const WsBreakpoint *watch)
{
    return watch->kind == WS_STOP_GLOBAL ||
           (watch->kind == WS_STOP_VALUE && ws_lane_expression_reads_memory(watch->value));
}

/* ---- one value ----------------------------------------------------------------------------------
 */

static guint64 bytes_value(const guint8 *bytes, guint32 count)
{
    guint64 value = 0;

    memcpy(&value, bytes, count);
    return GUINT64_FROM_LE(value);
}

/* Of the expression, in the lane that is watched. */
static gboolean lane_value(const WsBreakpoint *watch, WsWarpPlace place, guint64 *ret)
{
    const WsLanePlace where = {place.sm, place.slot, WS_OWN_PC};
    const WsRow *row =
        ws_lane_expression_evaluate(watch->value, &where, (guint64)1 << watch->focus.lane);

    *ret = row->bits[ws_row_lane(row, watch->focus.lane)];
    return ws_row_is_known(row, watch->focus.lane);
}

gboolean ws_watch_value(const WsTimeline *timeline, const WsBreakpoint *watch, guint64 *ret)
{
    const WsSimulation *simulation = ws_timeline_simulation(timeline);
    WsWarpPlace place = {NULL, 0};
    const guint8 *bytes;
    gsize size;

    if (watch->kind == WS_STOP_GLOBAL) {
        bytes =
            ws_global_memory_at(ws_simulation_contents(simulation), watch->address, watch->bytes);
        if (bytes != NULL)
            *ret = bytes_value(bytes, watch->bytes);
        return bytes != NULL;
    }
    place = ws_find_warp(timeline, watch->focus.block, watch->focus.warp);
    if (place.sm == NULL)
        return FALSE;
    if (watch->kind == WS_STOP_VALUE)
        return lane_value(watch, place, ret);
    bytes =
        ws_sm_memory_shared(place.sm->memory, place.sm->state->warps[place.slot].block_slot, &size);
    if (watch->address + watch->bytes > size)
        return FALSE;
    *ret = bytes_value(bytes + watch->address, watch->bytes);
    return TRUE;
}

char *ws_watch_text(const WsBreakpoint *watch, guint64 value)
{
    guint64 bytes = GUINT64_TO_LE(value);
    const WsObject *object;
    const WsTyped *typed;

    if (watch->kind == WS_STOP_GLOBAL)
        return ws_element_text(watch->type, (const guint8 *)&bytes);
    typed = watch->kind == WS_STOP_VALUE ? ws_lane_expression_typed(watch->value) : NULL;
    object = typed != NULL && ws_typed_is_place(typed) ? ws_typed_object(typed) : NULL;
    if (typed != NULL && (ws_value_type_is_float(ws_typed_type(typed)) || object == NULL ||
                          object->kind >= WS_OBJECT_KINDS))
        return ws_scalar_text(watch->scope, ws_typed_type(typed), value, WS_FORM_NATURAL);
    return g_strdup_printf("%" G_GUINT64_FORMAT " (0x%" G_GINT64_MODIFIER "x)", value, value);
}

/* ---- all lanes ----------------------------------------------------------------------------------
 */

/* Of a warp, as they were known last. */
typedef struct {
    guint64 known;
    guint64 bits[WS_ROW_LANES];
} Seen;

/* By number of the warp in the grid; the direct hash takes the low 32 bits of it. */
GHashTable *ws_watch_seen_new(void)
{
    return g_hash_table_new_full(NULL, NULL, NULL, g_free);
}

static Seen *seen_of(GHashTable *seen, guint32 block, guint32 warp)
{
    gpointer key = GSIZE_TO_POINTER((gsize)block * WS_MAX_WARP_SLOTS + warp);
    Seen *found = g_hash_table_lookup(seen, key);

    if (found == NULL) {
        found = g_new0(Seen, 1);
        g_hash_table_insert(seen, key, found);
    }
    return found;
}

/* Lanes of which the row does not say what was seen before: most looks find none. */
static gboolean is_as_seen(const Seen *before, const WsRow *row, guint64 lanes)
{
    guint count = lanes == 0 ? 0 : 64 - (guint)__builtin_clzll(lanes);

    return (lanes & ~before->known) == 0 && !row->same &&
           memcmp(before->bits, row->bits, count * sizeof *row->bits) == 0;
}

/* Takes over what the row says; the lanes that have changed. */
static guint64 take_row(Seen *before, const WsRow *row, guint64 lanes, WsWatchChange *ret)
{
    guint64 changed = 0;

    for (guint64 rest = lanes; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        guint64 bits = row->bits[ws_row_lane(row, lane)];

        if ((before->known >> lane & 1) != 0 && before->bits[lane] != bits) {
            changed |= rest & -rest;
            ret->old_value[lane] = before->bits[lane];
            ret->new_value[lane] = bits;
        }
        before->bits[lane] = bits;
    }
    before->known |= lanes;
    return changed;
}

guint64 ws_watch_look(const WsBreakpoint *watch, const WsSm *sm, guint32 slot, GHashTable *seen,
                      WsWatchChange *ret)
{
    WsFocus focus = ws_focus_of(sm, slot);
    const WsLanePlace where = {sm, slot, WS_OWN_PC};
    Seen *before = seen_of(seen, focus.block, focus.warp);
    guint64 launched = ws_launched_lanes(sm, slot), changed, unknown, lanes;
    const WsRow *row = ws_lane_expression_evaluate(watch->value, &where, launched);

    /* In lanes in which it has no value just now what it was before still counts. */
    before->known &= row->known | ws_lane_expression_in_scope(watch->value);
    if (is_as_seen(before, row, launched & row->known))
        return 0;
    changed = take_row(before, row, launched & row->known, ret);
    lanes = ws_condition_lanes(watch->condition, &where, changed, &unknown);
    ret->focus = focus;
    ret->focus.lane = lanes != 0 ? (guint32)__builtin_ctzll(lanes) : 0;
    return lanes;
}
