#include "cli/report_occupancy.h"

#include "sim/base/json_text.h"
#include "sim/occupancy/curve.h"
#include "sim/occupancy/explain.h"

static void add_limits(GString *out, const WsOccupancy *result)
{
    g_string_append(out, "\nBlocks an SM holds, by resource\n");
    for (guint i = 0; i < WS_OCCUPANCY_LIMIT_COUNT; i++) {
        g_string_append_printf(out, "  %-10s ", ws_occupancy_limit_name(i));
        if (result->limits[i] == WS_OCCUPANCY_UNLIMITED)
            g_string_append(out, "       -");
        else
            g_string_append_printf(out, "%8u", result->limits[i]);
        g_string_append(out, result->limiting[i] ? "  <- limits\n" : "\n");
    }
    g_string_append_printf(
        out,
        "  (%" G_GUINT64_FORMAT " registers and %" G_GUINT64_FORMAT
        " bytes of shared memory a block; carve-out %" G_GUINT64_FORMAT " bytes)\n",
        result->registers_per_block, result->shared_per_block, result->carveout_bytes);
}

static void add_changes(GString *out, const WsDevice *device, const WsOccupancyQuery *query,
                        const WsOccupancy *result)
{
    WsOccupancyChange changes[WS_OCCUPANCY_MAX_CHANGES];
    guint count = ws_occupancy_changes(device, query, result, changes);
    if (count > 0)
        g_string_append(out, "\nThe next step up, by one change\n");
    for (guint i = 0; i < count; i++) {
        g_autofree char *text = ws_occupancy_change_text(&changes[i]);
        g_string_append_printf(out, "  %s\n", text);
    }
}

static void add_best_blocks(GString *out, const WsDevice *device, const WsOccupancyQuery *query)
{
    enum { WRAP_COLUMN = 92 };
    g_autoptr(GArray) best = ws_occupancy_best_blocks(device, query);
    if (best->len == 0)
        return;
    WsOccupancyQuery tried = *query;
    tried.threads = g_array_index(best, guint32, 0);
    WsOccupancy result;
    ws_occupancy(device, &tried, &result);
    g_string_append_printf(out, "\nBlock sizes with the highest occupancy (%.2f %%)\n",
                           100.0 * result.occupancy);
    gsize line = out->len;
    g_string_append_printf(out, "  %u (smallest)", tried.threads);
    for (guint i = 1; i < best->len; i++) {
        g_string_append(out, out->len - line > WRAP_COLUMN ? ",\n  " : ", ");
        if (out->str[out->len - 3] == '\n')
            line = out->len - 2;
        g_string_append_printf(out, "%u", g_array_index(best, guint32, i));
    }
    g_string_append_c(out, '\n');
}

char *ws_occupancy_text(const WsDevice *device, const WsOccupancyQuery *query,
                        const WsOccupancy *result)
{
    GString *out = g_string_new(NULL);
    g_string_append_printf(out,
                           "%s: blocks of %u threads, %u registers a thread, %" G_GUINT64_FORMAT
                           " + %" G_GUINT64_FORMAT " bytes of shared memory\n\n",
                           device->name, query->threads, query->registers, query->static_shared,
                           query->dynamic_shared);
    g_string_append_printf(out,
                           "Theoretical occupancy %.2f %%: %u blocks of %u warps, %u of "
                           "%" G_GUINT64_FORMAT " warps\n",
                           100.0 * result->occupancy, result->blocks_per_sm,
                           result->warps_per_block, result->warps_per_sm, device->max_warps_per_sm);
    add_limits(out, result);
    add_changes(out, device, query, result);
    add_best_blocks(out, device, query);
    g_string_append(out,
                    "\nMore warps hide more latency, up to a point: high occupancy is not high "
                    "performance.\n`warpstep run` shows the instructions per cycle.\n");
    return g_string_free(out, FALSE);
}

/* ---- JSON --------------------------------------------------------------------------------------
 */

static void put_integer(JsonBuilder *json, const char *name, guint64 value)
{
    json_builder_set_member_name(json, name);
    json_builder_add_int_value(json, (gint64)value);
}

static void put_limits(JsonBuilder *json, const WsOccupancy *result)
{
    json_builder_set_member_name(json, "limits");
    json_builder_begin_object(json);
    for (guint i = 0; i < WS_OCCUPANCY_LIMIT_COUNT; i++) {
        json_builder_set_member_name(json, ws_occupancy_limit_name(i));
        if (result->limits[i] == WS_OCCUPANCY_UNLIMITED)
            json_builder_add_null_value(json);
        else
            json_builder_add_int_value(json, result->limits[i]);
    }
    json_builder_end_object(json);
    json_builder_set_member_name(json, "limiters");
    json_builder_begin_array(json);
    for (guint i = 0; i < WS_OCCUPANCY_LIMIT_COUNT; i++) {
        if (result->limiting[i])
            json_builder_add_string_value(json, ws_occupancy_limit_name(i));
    }
    json_builder_end_array(json);
}

char *ws_occupancy_json(const WsDevice *device, const WsOccupancyQuery *query,
                        const WsOccupancy *result)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    json_builder_set_member_name(json, "device");
    json_builder_add_string_value(json, device->name);
    put_integer(json, "block", query->threads);
    put_integer(json, "regs", query->registers);
    put_integer(json, "smem", query->static_shared);
    put_integer(json, "dynamic_smem", query->dynamic_shared);
    put_integer(json, "blocks_per_sm", result->blocks_per_sm);
    put_integer(json, "warps_per_block", result->warps_per_block);
    put_integer(json, "warps_per_sm", result->warps_per_sm);
    json_builder_set_member_name(json, "occupancy");
    json_builder_add_double_value(json, result->occupancy);
    put_limits(json, result);
    put_integer(json, "registers_per_block", result->registers_per_block);
    put_integer(json, "shared_bytes_per_block", result->shared_per_block);
    put_integer(json, "carveout_bytes", result->carveout_bytes);
    json_builder_set_member_name(json, "best_block_sizes");
    json_builder_begin_array(json);
    g_autoptr(GArray) best = ws_occupancy_best_blocks(device, query);
    for (guint i = 0; i < best->len; i++)
        json_builder_add_int_value(json, g_array_index(best, guint32, i));
    json_builder_end_array(json);
    json_builder_end_object(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    return ws_json_text(root);
}
