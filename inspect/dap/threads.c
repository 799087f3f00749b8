#include "inspect/dap/adapter.h"
#include "inspect/session/paths.h"
#include "isa/base/error.h"
#include "sim/base/call_frames.h"

enum { MOST_THREADS = 256 };

/* ---- numbers ------------------------------------------------------------------------------------
 * Warps of all launches of the job count from 1 on; one more stands for none.
 */

static guint64 warps_of(const WsDapAdapter *adapter, guint32 launch, guint32 *ret_per_block)
{
    const WsLaunch *l = &adapter->job->launches[launch];
    guint64 threads = (guint64)l->block[0] * l->block[1] * l->block[2];
    guint32 size = adapter->job->device->warp_size;

    *ret_per_block = (guint32)((threads + size - 1) / size);
    return (guint64)l->grid[0] * l->grid[1] * l->grid[2] * *ret_per_block;
}

static guint32 launch_number(const WsDapAdapter *adapter)
{
    guint32 number =
        ws_simulation_launch(ws_timeline_simulation(ws_session_timeline(adapter->session)));

    return MIN(number, adapter->job->launch_count - 1);
}

const WsLaunch *ws_dap_launch_under_way(const WsDapAdapter *adapter)
{
    return &adapter->job->launches[launch_number(adapter)];
}

const WsKernel *ws_dap_kernel(const WsDapAdapter *adapter)
{
    return ws_dap_launch_under_way(adapter)->kernel;
}

/* The number before the first warp of the launch under way, and how many warps it has. */
static guint64 first_thread(const WsDapAdapter *adapter, guint64 *ret_count, guint32 *ret_per_block)
{
    guint64 before = 0;

    for (guint32 i = 0; i < launch_number(adapter); i++)
        before += warps_of(adapter, i, ret_per_block);
    *ret_count = warps_of(adapter, launch_number(adapter), ret_per_block);
    return before;
}

static gint64 thread_of(const WsDapAdapter *adapter, guint32 block, guint32 warp)
{
    guint64 count;
    guint32 per_block;
    guint64 before = first_thread(adapter, &count, &per_block);

    return (gint64)(before + 1 + (guint64)block * per_block + warp);
}

static gint64 thread_of_none(const WsDapAdapter *adapter)
{
    guint64 all = 0;
    guint32 per_block;

    for (guint32 i = 0; i < adapter->job->launch_count; i++)
        all += warps_of(adapter, i, &per_block);
    return (gint64)all + 1;
}

/* The warp of a thread of the launch under way. */
static gboolean warp_of(const WsDapAdapter *adapter, gint64 thread, WsFocus *ret)
{
    guint64 count, number;
    guint32 per_block;
    guint64 before = first_thread(adapter, &count, &per_block);

    if (thread <= (gint64)before || (guint64)thread > before + count)
        return FALSE;
    number = (guint64)thread - 1 - before;
    *ret = (WsFocus){.block = (guint32)(number / per_block), .warp = (guint32)(number % per_block)};
    return TRUE;
}

/* ---- focus --------------------------------------------------------------------------------------
 */

gint64 ws_dap_focused_thread(const WsDapAdapter *adapter)
{
    const WsFocus *focus = ws_session_focus(adapter->session);

    return ws_session_place(adapter->session).sm != NULL
               ? thread_of(adapter, focus->block, focus->warp)
               : thread_of_none(adapter);
}

void ws_dap_focus_somewhere(WsDapAdapter *adapter)
{
    guint32 count;
    WsSm *const *sms =
        ws_simulation_sms(ws_timeline_simulation(ws_session_timeline(adapter->session)), &count);

    if (ws_session_place(adapter->session).sm != NULL)
        return;
    for (guint32 i = 0; i < count; i++)
        if (sms[i]->state->resident != 0) {
            *ws_session_focus(adapter->session) =
                ws_focus_of(sms[i], (guint32)__builtin_ctzll(sms[i]->state->resident));
            return;
        }
}

void ws_dap_focus_thread(WsDapAdapter *adapter, gint64 thread)
{
    WsFocus focus, *focused = ws_session_focus(adapter->session);

    if (!warp_of(adapter, thread, &focus) ||
        ws_find_warp(ws_session_timeline(adapter->session), focus.block, focus.warp).sm == NULL)
        return;
    if (focused->block != focus.block || focused->warp != focus.warp)
        *focused = focus;
}

/* ---- threads ------------------------------------------------------------------------------------
 */

static void add_thread(JsonArray *list, gint64 number, const char *name)
{
    JsonObject *thread = json_object_new();

    json_object_set_int_member(thread, "id", number);
    json_object_set_string_member(thread, "name", name);
    json_array_add_object_element(list, thread);
}

static void add_warp(const WsDapAdapter *adapter, JsonArray *list, const WsSm *sm, guint32 slot)
{
    const WsWarp *warp = &sm->state->warps[slot];
    const WsBlockState *block = &sm->state->blocks[warp->block_slot];
    const WsTimeline *timeline = ws_session_timeline(adapter->session);
    g_autofree char *name =
        g_strdup_printf("block (%u,%u,%u) warp %u, sm %u slot %u: %s", block->index[0],
                        block->index[1], block->index[2], warp->warp_in_block, sm->number, slot,
                        ws_stall_name(ws_timeline_stall(timeline, sm, slot)));

    add_thread(list, thread_of(adapter, block->linear, warp->warp_in_block), name);
}

static void add_warps_of(const WsDapAdapter *adapter, JsonArray *list, const WsSm *sm)
{
    for (guint64 rest = sm->state->resident;
         rest != 0 && json_array_get_length(list) < MOST_THREADS; rest &= rest - 1)
        add_warp(adapter, list, sm, (guint32)__builtin_ctzll(rest));
}

gboolean ws_dap_threads(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                        GError **error)
{
    JsonArray *list = json_array_new();
    WsTimeline *timeline = ws_session_timeline(adapter->session);
    const WsSm *focused = ws_session_place(adapter->session).sm;
    guint32 count;
    WsSm *const *sms = ws_simulation_sms(ws_timeline_simulation(timeline), &count);

    if (focused != NULL)
        add_warps_of(adapter, list, focused);
    for (guint32 i = 0; i < count; i++)
        if (sms[i] != focused)
            add_warps_of(adapter, list, sms[i]);
    if (json_array_get_length(list) == 0)
        add_thread(list, thread_of_none(adapter), "no warp is on an SM");
    json_object_set_array_member(body, "threads", list);
    return TRUE;
}

/* ---- frames -------------------------------------------------------------------------------------
 */

enum { MOST_FRAMES = WS_MAX_PATHS + 1 };

/* The running path first, if any lane runs; `how` is NULL for it. */
static guint find_paths(WsWarpPlace place, WsLanesAt ret[MOST_FRAMES])
{
    const WsSm *sm = place.sm;
    const WsWarp *warp = &sm->state->warps[place.slot];
    guint count = 0;

    if (warp->state == WS_WARP_DRAIN)
        return 0;
    if (warp->path.active != 0)
        ret[count++] = (WsLanesAt){.lanes = warp->path.active, .pc = warp->path.pc};
    return count + sm->context->divergence->waiting(ws_sm_path_state(sm, place.slot), &warp->path,
                                                    ret + count);
}

/* A function that the lanes of a path are in. */
typedef struct {
    guint path;
    gboolean calls; /* it has called the frame before, which is inlined */
    WsCallFrame at;
} Frame;

/* The functions of each path, the innermost first. */
static GArray *find_frames(const WsDapAdapter *adapter, const WsLanesAt *paths, guint count)
{
    GArray *frames = g_array_new(FALSE, FALSE, sizeof(Frame));

    for (guint i = 0; i < count; i++) {
        g_autoptr(GArray) functions = ws_call_frames(adapter->job->program, paths[i].pc);

        for (guint k = 0; k < functions->len; k++) {
            const Frame frame = {i, k != 0, g_array_index(functions, WsCallFrame, k)};

            g_array_append_val(frames, frame);
        }
    }
    return frames;
}

/* Of a caller: where the call is. */
static void add_call(const WsDapAdapter *adapter, JsonObject *object, const WsCallFrame *at)
{
    json_object_set_int_member(object, "line",
                               at->line - (at->line == 0 ? 0 : 1) + adapter->first_line);
    json_object_set_int_member(object, "column", adapter->first_column);
    if (at->file != 0)
        json_object_set_object_member(object, "source", ws_dap_source_of(adapter, at->file));
}

static JsonObject *frame_object(WsDapAdapter *adapter, const WsFocus *focus, WsWarpPlace place,
                                const WsLanesAt *path, const Frame *at)
{
    JsonObject *object = json_object_new();
    const WsVariableTable *table = adapter->job->program->variables;
    const WsProgram *program = adapter->job->program;
    WsDapReference frame = {.kind = WS_DAP_FRAME,
                            .block = focus->block,
                            .warp = focus->warp,
                            .lanes = path->lanes,
                            .pc = path->pc,
                            .number = at->at.scope};
    gboolean inlined =
        at->at.scope != WS_NO_SCOPE &&
        ws_variable_table_scope(table, at->at.scope)->kind == WS_SOURCE_SCOPE_INLINED;
    char mask[WS_MAX_WARP_SIZE + 1];
    g_autofree char *name = NULL, *address = NULL, *join = NULL;

    ws_lane_set(path->lanes, ws_dap_warp_size(place), mask);
    address = path->pc < program->instruction_count ? ws_dap_code_address(path->pc) : NULL;
    name = g_strdup_printf("%s  %s",
                           inlined ? at->at.function : ws_dap_kernel(adapter)->display_name, mask);
    join = path->at_join ? ws_meeting_name(program, path->pc - 1) : NULL;
    if (join != NULL) {
        g_autofree char *running = g_steal_pointer(&name);
        WsMeetingLanes lanes = ws_meeting_lanes(place.sm, place.slot, path);
        g_autofree char *wanted = ws_meeting_wanted(program, path->pc - 1, &lanes);

        name = g_strdup_printf("%s  (wait at the %s for %s)", running, join, wanted);
    } else if (path->how != NULL) {
        g_autofree char *running = g_steal_pointer(&name);

        name = g_strdup_printf("%s  (%s%s%s)", running, path->how, address != NULL ? " " : "",
                               address != NULL ? address : "");
    }
    json_object_set_int_member(object, "id", ws_dap_refer(adapter, &frame));
    json_object_set_string_member(object, "name", name);
    if (at->calls)
        add_call(adapter, object, &at->at);
    else
        ws_dap_add_position(adapter, object, path->pc);
    if (address != NULL)
        json_object_set_string_member(object, "instructionPointerReference", address);
    if (path->how != NULL)
        json_object_set_string_member(object, "presentationHint", "subtle");
    return object;
}

gboolean ws_dap_stackTrace(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                           GError **error)
{
    gint64 thread = ws_dap_number(arguments, "threadId", WS_DAP_REQUIRED, 0, G_MAXINT64);
    gint64 first = ws_dap_number(arguments, "startFrame", 0, 0, G_MAXINT32);
    gint64 levels = ws_dap_number(arguments, "levels", 0, 0, G_MAXINT32);
    g_autoptr(GArray) frames = NULL;
    WsLanesAt paths[MOST_FRAMES];
    WsWarpPlace place = {0};
    WsFocus focus = {0};
    JsonArray *list;
    guint count;

    if (!ws_dap_arguments_end(arguments, error))
        return FALSE;
    if (thread != thread_of_none(adapter) && !warp_of(adapter, thread, &focus)) {
        ws_set_error(error, WS_ERROR_USAGE, "the running launch has no thread %" G_GINT64_FORMAT,
                     thread);
        return FALSE;
    }
    if (thread != thread_of_none(adapter))
        place = ws_find_warp(ws_session_timeline(adapter->session), focus.block, focus.warp);
    count = place.sm != NULL ? find_paths(place, paths) : 0;
    list = json_array_new();
    frames = find_frames(adapter, paths, count);
    for (gint64 i = first; i < frames->len && (levels == 0 || i < first + levels); i++) {
        const Frame *frame = &g_array_index(frames, Frame, i);

        json_array_add_object_element(
            list, frame_object(adapter, &focus, place, &paths[frame->path], frame));
    }
    json_object_set_array_member(body, "stackFrames", list);
    json_object_set_int_member(body, "totalFrames", frames->len);
    return TRUE;
}

gboolean ws_dap_frame(const WsDapAdapter *adapter, gint64 frame, WsDapReference *ret,
                      GError **error)
{
    const WsFocus *focus = ws_session_focus(adapter->session);
    const WsDapReference *reference;
    WsWarpPlace place;
    WsLanesAt paths[MOST_FRAMES];

    if (frame != 0) {
        reference = ws_dap_reference(adapter, frame, error);
        if (reference != NULL)
            *ret = *reference;
        return reference != NULL;
    }
    *ret = (WsDapReference){
        .kind = WS_DAP_FRAME, .block = focus->block, .warp = focus->warp, .number = WS_NO_SCOPE};
    if (!ws_dap_place(adapter, ret, &place, error))
        return FALSE;
    if (find_paths(place, paths) != 0) {
        ret->lanes = paths[0].lanes;
        ret->pc = paths[0].pc;
    }
    return TRUE;
}
