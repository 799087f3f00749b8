#include "inspect/dap/adapter.h"
#include "inspect/session/paths.h"
#include "isa/base/error.h"

/* ---- scopes -------------------------------------------------------------------------------------
 */

gboolean ws_dap_scopes(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                       GError **error)
{
    static const struct {
        const char *name, *hint;
        WsDapReferenceKind kind;
        gboolean expensive;
    } scopes[] = {
        {"Locals", "locals", WS_DAP_LOCALS, FALSE},
        {"Registers", "registers", WS_DAP_REGISTERS, FALSE},
        {"Masks", NULL, WS_DAP_MASKS, FALSE},
        {"Scoreboard", NULL, WS_DAP_SCOREBOARD, FALSE},
        {"Scheduler", NULL, WS_DAP_SCHEDULER, TRUE},
        {"Memory", NULL, WS_DAP_MEMORY, TRUE},
    };
    gint64 number = ws_dap_number(arguments, "frameId", WS_DAP_REQUIRED, 0, G_MAXINT32);
    const WsDapReference *frame;
    WsDapReference scope;
    JsonArray *list;

    if (!ws_dap_arguments_end(arguments, error))
        return FALSE;
    frame = ws_dap_reference(adapter, number, error);
    if (frame == NULL)
        return FALSE;
    scope = *frame;
    list = json_array_new();
    for (guint i = 0; i < G_N_ELEMENTS(scopes); i++) {
        JsonObject *object;

        scope.kind = scopes[i].kind;
        if (scope.kind == WS_DAP_LOCALS && !ws_dap_has_locals(adapter))
            continue;
        object = json_object_new();
        json_object_set_string_member(object, "name", scopes[i].name);
        if (scopes[i].hint != NULL)
            json_object_set_string_member(object, "presentationHint", scopes[i].hint);
        json_object_set_int_member(object, "variablesReference", ws_dap_refer(adapter, &scope));
        json_object_set_boolean_member(object, "expensive", scopes[i].expensive);
        if (scope.kind == WS_DAP_REGISTERS)
            json_object_set_int_member(object, "namedVariables",
                                       ws_dap_register_count(adapter, &scope));
        json_array_add_object_element(list, object);
    }
    json_object_set_array_member(body, "scopes", list);
    return TRUE;
}

/* ---- masks --------------------------------------------------------------------------------------
 */

static void add_mask(JsonArray *list, const char *name, guint64 lanes, guint32 size)
{
    char mask[WS_MAX_WARP_SIZE + 1];
    g_autofree char *count = ws_lane_count_text(lanes);
    g_autofree char *type = g_strdup_printf("0x%" G_GINT64_MODIFIER "x, %s", lanes, count);

    ws_lane_set(lanes, size, mask);
    ws_dap_add_variable(list, name, mask, type, 0);
}

/* Lanes that a convergence barrier brings together, and what ends where they meet. */
static void add_convergence(JsonArray *list, WsWarpPlace place, guint32 size)
{
    g_autoptr(GArray) groups = ws_warp_convergence(place.sm, place.slot);

    for (guint i = 0; i < groups->len; i++) {
        const WsConvergenceGroup *group = &g_array_index(groups, WsConvergenceGroup, i);
        g_autofree char *of =
            ws_convergence_name(place.sm, place.slot, group->barrier, group->lanes);
        g_autofree char *name =
            of != NULL ? g_strdup_printf("convergence barrier %u, %s", group->barrier, of)
                       : g_strdup_printf("convergence barrier %u", group->barrier);

        add_mask(list, name, group->lanes, size);
    }
}

static void list_masks(const WsDapReference *scope, WsWarpPlace place, JsonArray *list)
{
    const WsWarpRegisters *registers = &place.sm->state->registers[place.slot];
    guint32 size = ws_dap_warp_size(place);
    char glyphs[WS_MAX_WARP_SIZE + 1];
    WsLaneStates states;

    ws_lane_states(place.sm, place.slot, &states);
    ws_lane_glyphs(&states, size, glyphs);
    ws_dap_add_variable(
        list, "lanes", glyphs,
        "# active, p predicated off, d waiting on another path, x exited, . never launched", 0);
    add_mask(list, "this path", scope->lanes, size);
    add_mask(list, "active", states.active, size);
    add_mask(list, "predicated off", states.guarded, size);
    add_mask(list, "waiting", states.waiting, size);
    add_mask(list, "exited", states.exited, size);
    add_mask(list, "launched", states.launched, size);
    add_convergence(list, place, size);
    for (guint32 i = 0; i < G_N_ELEMENTS(registers->barriers); i++) {
        g_autofree char *name = ws_dap_register_name(WS_DAP_FILE_BARRIER, i);

        if (registers->barriers[i] != 0)
            add_mask(list, name, registers->barriers[i], size);
    }
}

/* ---- scoreboard ---------------------------------------------------------------------------------
 */

static void add_entry(JsonArray *list, guint file, guint32 number, guint64 entry, guint64 cycle)
{
    guint64 until = ws_entry_cycle(entry);
    g_autofree char *name = NULL, *value = NULL;

    if (until <= cycle)
        return;
    name = ws_dap_register_name(file, number);
    value = until >= WS_NEVER
                ? g_strdup("waits for an answer whose cycle is not known")
                : g_strdup_printf("at cycle %" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT " from now",
                                  until, until - cycle);
    ws_dap_add_variable(list, name, value, NULL, 0);
}

static void add_accesses(const WsDapAdapter *adapter, WsWarpPlace place, guint64 cycle,
                         JsonArray *list)
{
    for (guint32 i = 0; i < place.sm->pending.count; i++) {
        const WsSmAccess *access = &ws_state_array_index(&place.sm->pending, WsSmAccess, i);
        g_autofree char *text = NULL, *value = NULL, *count = NULL;

        if (!access->under_way || access->slot != place.slot)
            continue;
        text = ws_dap_instruction_text(adapter, access->pc);
        count = ws_lane_count_text(access->lanes);
        value =
            g_strdup_printf("issued at cycle %" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT " ago, %s",
                            access->cycle, cycle - access->cycle, count);
        ws_dap_add_variable(list, text, value, "memory access in flight", 0);
    }
}

static void list_scoreboard(const WsDapAdapter *adapter, WsWarpPlace place, JsonArray *list)
{
    const WsIssueTable *table = place.sm->context->issue_table;
    const guint64 *entries = ws_sm_entries(place.sm, &place.sm->state->warps[place.slot]);
    const guint32 firsts[] = {0, table->first_predicate, table->first_uniform,
                              table->first_uniform_predicate, table->first_barrier};
    guint64 cycle = ws_timeline_cycle(ws_session_timeline(adapter->session));

    for (guint file = WS_DAP_FILE_REGISTER; file < WS_DAP_FILE_BARRIER; file++)
        for (guint32 i = firsts[file]; i < firsts[file + 1]; i++)
            add_entry(list, file, i - firsts[file], entries[i], cycle);
    add_accesses(adapter, place, cycle, list);
    if (json_array_get_length(list) == 0)
        ws_dap_add_variable(list, "nothing", "all registers have their values", NULL, 0);
}

/* ---- variables ----------------------------------------------------------------------------------
 */

static gboolean read_page(WsDapArguments *arguments, WsDapPage *ret, GError **error)
{
    WsDapArguments format = {.object = ws_dap_object(arguments, "format", FALSE)};
    const char *filter = ws_dap_text(arguments, "filter", FALSE);

    ret->start = (guint64)ws_dap_number(arguments, "start", 0, 0, G_MAXINT64);
    ret->count = (guint64)ws_dap_number(arguments, "count", 0, 0, G_MAXINT32);
    ret->start = MIN(ret->start, G_MAXINT64 / 2);
    ret->hexadecimal = ws_dap_flag(&format, "hex", FALSE);
    ret->named = g_strcmp0(filter, "indexed") != 0;
    ret->indexed = g_strcmp0(filter, "named") != 0;
    if (format.error != NULL && arguments->error == NULL)
        arguments->error = g_steal_pointer(&format.error);
    g_clear_error(&format.error);
    return ws_dap_arguments_end(arguments, error);
}

static void list_parts(WsDapAdapter *adapter, const WsDapReference *of, WsWarpPlace place,
                       const WsDapPage *page, JsonArray *list)
{
    gboolean indexed =
        of->kind == WS_DAP_LANES || of->kind == WS_DAP_BUFFER || of->kind == WS_DAP_SHARED;

    if (of->kind != WS_DAP_VALUE && (indexed ? !page->indexed : !page->named))
        return;
    switch (of->kind) {
    case WS_DAP_LOCALS:
        ws_dap_list_locals(adapter, of, place, page, list);
        break;
    case WS_DAP_VALUE:
        ws_dap_list_value(adapter, of, place, page, list);
        break;
    case WS_DAP_REGISTERS:
        ws_dap_list_registers(adapter, of, place, page, list);
        break;
    case WS_DAP_LANES:
        ws_dap_list_lanes(of, place, page, list);
        break;
    case WS_DAP_MASKS:
        list_masks(of, place, list);
        break;
    case WS_DAP_SCOREBOARD:
        list_scoreboard(adapter, place, list);
        break;
    case WS_DAP_SCHEDULER:
        ws_dap_list_scheduler(adapter, of, place, list);
        break;
    case WS_DAP_MEMORY:
        ws_dap_list_memory(adapter, of, place, list);
        break;
    case WS_DAP_BUFFER:
        ws_dap_list_buffer(adapter, of, page, list);
        break;
    case WS_DAP_SHARED:
        ws_dap_list_shared(of, place, page, list);
        break;
    default:
        break;
    }
}

gboolean ws_dap_variables(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                          GError **error)
{
    gint64 number = ws_dap_number(arguments, "variablesReference", WS_DAP_REQUIRED, 0, G_MAXINT32);
    const WsDapReference *found;
    WsDapReference reference;
    WsWarpPlace place;
    JsonArray *list;
    WsDapPage page;

    if (!read_page(arguments, &page, error))
        return FALSE;
    found = ws_dap_reference(adapter, number, error);
    if (found == NULL || !ws_dap_place(adapter, found, &place, error))
        return FALSE;
    reference = *found; /* further ones move the list that it is in */
    list = json_array_new();
    list_parts(adapter, &reference, place, &page, list);
    json_object_set_array_member(body, "variables", list);
    return TRUE;
}
