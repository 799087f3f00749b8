#include <math.h>
#include <string.h>

#include "inspect/dap/adapter.h"

enum { SHOWN_LANES = 4 }; /* of a register whose lanes differ */

/* ---- which there are ----------------------------------------------------------------------------
 */

char *ws_dap_register_name(guint file, guint32 number)
{
    static const char *const prefixes[] = {"R", "P", "UR", "UP", "B"};

    return g_strdup_printf("%s%u", prefixes[file], number);
}

/* The registers of the kernel, in the order in which they are shown: file << 8 | number. */
static GArray *all_registers(const WsDapAdapter *adapter)
{
    static const WsDapRegisterFile files[] = {WS_DAP_FILE_PREDICATE, WS_DAP_FILE_UNIFORM,
                                              WS_DAP_FILE_UNIFORM_PREDICATE};
    GArray *all = g_array_new(FALSE, FALSE, sizeof(guint32));
    WsDapUsedRegisters used = ws_dap_used_registers(adapter->job->program, ws_dap_kernel(adapter));

    for (guint32 i = 0; i < ws_dap_kernel(adapter)->registers; i++)
        g_array_append_val(all, i);
    for (guint f = 0; f < G_N_ELEMENTS(files); f++)
        for (guint64 rest = used.used[files[f]]; rest != 0; rest &= rest - 1) {
            guint32 item = (guint32)files[f] << 8 | (guint32)__builtin_ctzll(rest);

            g_array_append_val(all, item);
        }
    return all;
}

guint ws_dap_register_count(const WsDapAdapter *adapter, const WsDapReference *scope)
{
    g_autoptr(GArray) all = all_registers(adapter);

    return all->len;
}

gboolean ws_dap_find_register(const WsDapAdapter *adapter, const char *name, WsDapReference *ret)
{
    static const char *const readings[] = {"", ".s32", ".f32", ".u64"};
    g_autoptr(GArray) all = all_registers(adapter);
    const char *dot = strchr(name, '.');
    gsize length = dot != NULL ? (gsize)(dot - name) : strlen(name);

    for (guint i = 0; i < all->len; i++) {
        guint32 item = g_array_index(all, guint32, i);
        g_autofree char *other = ws_dap_register_name(item >> 8, item & 255);

        if (strlen(other) != length || g_ascii_strncasecmp(other, name, length) != 0)
            continue;
        ret->kind = WS_DAP_LANES;
        ret->file = (guint8)(item >> 8);
        ret->number = item & 255;
        for (guint reading = 0; reading < G_N_ELEMENTS(readings); reading++)
            if (strcmp(dot != NULL ? dot : "", readings[reading]) == 0) {
                ret->reading = (guint8)reading;
                return reading == WS_DAP_BITS ||
                       (ret->file == WS_DAP_FILE_REGISTER &&
                        (reading != WS_DAP_LONG ||
                         ret->number + 1 < ws_dap_kernel(adapter)->registers));
            }
        return FALSE;
    }
    return FALSE;
}

/* ---- values -------------------------------------------------------------------------------------
 */

guint32 ws_dap_warp_size(WsWarpPlace place)
{
    return place.sm->context->decoded->warp_size;
}

static gboolean is_uniform(const WsDapReference *lanes)
{
    return lanes->file == WS_DAP_FILE_UNIFORM || lanes->file == WS_DAP_FILE_UNIFORM_PREDICATE;
}

static guint64 lane_value(const WsDapReference *lanes, WsWarpPlace place, guint32 lane)
{
    const WsWarpRegisters *registers = &place.sm->state->registers[place.slot];
    guint32 size = ws_dap_warp_size(place);
    const guint32 *row;

    switch (lanes->file) {
    case WS_DAP_FILE_PREDICATE:
        return registers->predicates[lanes->number] >> lane & 1;
    case WS_DAP_FILE_UNIFORM:
        return registers->uniform[lanes->number];
    case WS_DAP_FILE_UNIFORM_PREDICATE:
        return ws_uniform_predicate(registers, lanes->number);
    default:
        row = registers->registers + (gsize)lanes->number * size;
        return row[lane] | (lanes->reading == WS_DAP_LONG ? (guint64)row[size + lane] << 32 : 0);
    }
}

static float as_float(guint32 bits)
{
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Whether the bits look like a number that somebody has computed with as a float. */
static gboolean looks_float(guint32 bits)
{
    float size = fabsf(as_float(bits));

    return size > 1e-9f && size < 1e12f;
}

static char *value_text(const WsDapReference *lanes, guint64 value, gboolean hexadecimal)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];

    if (lanes->file == WS_DAP_FILE_PREDICATE || lanes->file == WS_DAP_FILE_UNIFORM_PREDICATE)
        return g_strdup(value != 0 ? "1" : "0");
    if (hexadecimal)
        return g_strdup_printf("0x%" G_GINT64_MODIFIER "x", value);
    g_ascii_formatd(number, sizeof number, "%.9g", (double)as_float((guint32)value));
    switch (lanes->reading) {
    case WS_DAP_SIGNED:
        return g_strdup_printf("%d", (gint32)value);
    case WS_DAP_FLOAT:
        return g_strdup(number);
    case WS_DAP_LONG:
        return g_strdup_printf("%" G_GUINT64_FORMAT " (0x%" G_GINT64_MODIFIER "x)", value, value);
    default:
        return looks_float((guint32)value)
                   ? g_strdup_printf("%d (0x%x, %sf)", (gint32)value, (guint32)value, number)
                   : g_strdup_printf("%d (0x%x)", (gint32)value, (guint32)value);
    }
}

char *ws_dap_lanes_text(const WsDapReference *lanes, WsWarpPlace place, gboolean hexadecimal)
{
    g_autoptr(GString) text = g_string_new(NULL);
    guint64 mask = lanes->lanes != 0 ? lanes->lanes : 1, rest = mask;
    guint64 first = lane_value(lanes, place, (guint32)__builtin_ctzll(mask));
    char bits[WS_MAX_WARP_SIZE + 1];
    gboolean same = TRUE;

    for (; rest != 0 && same; rest &= rest - 1)
        same = lane_value(lanes, place, (guint32)__builtin_ctzll(rest)) == first;
    if (lanes->file == WS_DAP_FILE_PREDICATE && (mask & (mask - 1)) != 0) {
        ws_lane_set(place.sm->state->registers[place.slot].predicates[lanes->number],
                    ws_dap_warp_size(place), bits);
        return g_strdup(bits);
    }
    if (same)
        return value_text(lanes, first, hexadecimal);
    rest = mask;
    for (guint i = 0; rest != 0 && i < SHOWN_LANES; i++, rest &= rest - 1) {
        WsDapReference brief = *lanes;
        guint64 value = lane_value(lanes, place, (guint32)__builtin_ctzll(rest));
        g_autofree char *one = NULL;

        if (brief.reading == WS_DAP_BITS)
            brief.reading = looks_float((guint32)value) ? WS_DAP_FLOAT : WS_DAP_SIGNED;
        one = value_text(&brief, value, hexadecimal);
        g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", one);
    }
    if (rest != 0)
        g_string_append(text, ", …");
    return g_string_free(g_steal_pointer(&text), FALSE);
}

/* ---- lists --------------------------------------------------------------------------------------
 */

void ws_dap_list_registers(WsDapAdapter *adapter, const WsDapReference *scope, WsWarpPlace place,
                           const WsDapPage *page, JsonArray *list)
{
    g_autoptr(GArray) all = all_registers(adapter);
    guint64 end = page->count == 0 ? all->len : MIN(all->len, page->start + page->count);
    WsDapReference lanes = *scope;

    lanes.kind = WS_DAP_LANES;
    for (guint64 i = page->start; i < end; i++) {
        guint32 item = g_array_index(all, guint32, (guint)i);
        g_autofree char *name = ws_dap_register_name(item >> 8, item & 255), *value = NULL;
        JsonObject *variable;

        lanes.file = (guint8)(item >> 8);
        lanes.number = item & 255;
        value = ws_dap_lanes_text(&lanes, place, page->hexadecimal);
        variable = ws_dap_add_variable(list, name, value, is_uniform(&lanes) ? "warp" : "lanes",
                                       is_uniform(&lanes) ? 0 : ws_dap_refer(adapter, &lanes));
        json_object_set_string_member(variable, "evaluateName", name);
        if (!is_uniform(&lanes))
            json_object_set_int_member(variable, "indexedVariables", ws_dap_warp_size(place));
    }
}

const char *ws_dap_lane_state(const WsLaneStates *states, guint32 lane)
{
    switch (ws_lane_glyph(states, lane)) {
    case '#':
        return "active";
    case 'p':
        return "active, predicated off";
    case 'd':
        return "waiting on another path";
    case 'x':
        return "exited";
    default:
        return "never launched";
    }
}

void ws_dap_list_lanes(const WsDapReference *lanes, WsWarpPlace place, const WsDapPage *page,
                       JsonArray *list)
{
    guint32 size = ws_dap_warp_size(place);
    guint64 end = page->count == 0 ? size : MIN(size, page->start + page->count);
    WsLaneStates states;

    ws_lane_states(place.sm, place.slot, &states);
    for (guint64 lane = page->start; lane < end; lane++) {
        g_autofree char *name = g_strdup_printf("[%u]", (guint)lane);
        g_autofree char *value =
            value_text(lanes, lane_value(lanes, place, (guint32)lane), page->hexadecimal);

        ws_dap_add_variable(list, name, value, ws_dap_lane_state(&states, (guint32)lane), 0);
    }
}
