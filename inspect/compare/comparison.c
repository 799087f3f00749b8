#include "inspect/compare/comparison.h"

#include <string.h>

#include "isa/base/escape.h"
#include "sim/device/settings.h"
#include "sim/report/line_profile.h"

/* ---- settings -----------------------------------------------------------------------------------
 */

static void clear_setting(gpointer data)
{
    WsSettingDifference *setting = data;

    for (guint i = 0; i < WS_SIDES; i++)
        g_free(setting->value[i]);
}

static void add_settings(GArray *settings, const WsJob *const jobs[WS_SIDES])
{
    for (guint i = 0; i < ws_setting_count(); i++) {
        const WsSetting *setting = ws_setting_at(i);
        WsSettingDifference row = {.path = setting->path};

        for (guint k = 0; k < WS_SIDES; k++)
            row.value[k] = ws_setting_value_text(setting, jobs[k]->device);
        if (strcmp(row.value[0], row.value[1]) != 0)
            g_array_append_val(settings, row);
        else
            clear_setting(&row);
    }
}

/* ---- figures ------------------------------------------------------------------------------------
 */

static double ratio(double a, double b)
{
    return b == 0 ? 0 : a / b;
}

static double occupancy_of(const WsResult *result)
{
    return ratio((double)result->total.warp_cycles, (double)result->total.active_sm_cycles);
}

static void add_figures(GArray *figures, const WsResult *const results[WS_SIDES])
{
    const WsCounters *a = &results[WS_SIDE_A]->total, *b = &results[WS_SIDE_B]->total;

#define COUNT(name)                                                                                \
    g_array_append_vals(figures, &(WsFigure){#name, {(double)a->name, (double)b->name}, 0}, 1)
#define RATIO(name, numerator, denominator, decimals)                                              \
    g_array_append_vals(figures,                                                                   \
                        &(WsFigure){name,                                                          \
                                    {ratio((double)a->numerator, (double)a->denominator),          \
                                     ratio((double)b->numerator, (double)b->denominator)},         \
                                    decimals},                                                     \
                        1)
    COUNT(elapsed_cycles);
    COUNT(cycles);
    COUNT(warp_instructions);
    RATIO("ipc", warp_instructions, active_sm_cycles, 3);
    RATIO("lanes_per_instruction", thread_instructions_pred_on, warp_instructions, 2);
    g_array_append_vals(figures,
                        &(WsFigure){"warps_per_active_cycle",
                                    {occupancy_of(results[0]), occupancy_of(results[1])},
                                    2},
                        1);
    COUNT(branches_divergent);
    COUNT(warp_cycles);
    COUNT(global_load_sectors);
    COUNT(global_store_sectors);
    RATIO("l1_hit_rate", l1_hits, l1_lookups, 3);
    RATIO("l2_hit_rate", l2_hits, l2_lookups, 3);
    COUNT(shared_bank_conflicts);
    COUNT(dram_read_bytes);
    COUNT(dram_write_bytes);
#undef COUNT
#undef RATIO
}

/* ---- stalls and lines ---------------------------------------------------------------------------
 */

static guint64 distance(const guint64 cycles[WS_SIDES])
{
    return MAX(cycles[0], cycles[1]) - MIN(cycles[0], cycles[1]);
}

static gint compare_stalls(gconstpointer a, gconstpointer b)
{
    const WsStallDifference *x = a, *y = b;
    guint64 p = distance(x->cycles), q = distance(y->cycles);

    return p != q ? (p < q ? 1 : -1) : (x->stall > y->stall) - (x->stall < y->stall);
}

static void add_stalls(GArray *stalls, const WsResult *const results[WS_SIDES])
{
    for (guint s = 0; s < WS_STALL_COUNT; s++) {
        WsStallDifference row = {(WsStall)s,
                                 {results[0]->total.stalls[s], results[1]->total.stalls[s]}};

        if (row.cycles[0] != 0 || row.cycles[1] != 0)
            g_array_append_val(stalls, row);
    }
    g_array_sort(stalls, compare_stalls);
}

static gint compare_lines(gconstpointer a, gconstpointer b)
{
    const WsLineDifference *x = a, *y = b;
    guint64 p = distance(x->cycles), q = distance(y->cycles);

    return p != q ? (p < q ? 1 : -1) : strcmp(x->place, y->place);
}

static void clear_line(gpointer line)
{
    g_free(((WsLineDifference *)line)->place);
}

static char *place_of(const WsProgram *program, const WsLineCounters *line)
{
    g_autofree char *base = NULL, *raw = NULL;

    if (line->file == 0)
        return g_strdup("(no line)");
    base = g_path_get_basename(program->files[line->file]);
    raw = g_strdup_printf("%s:%u", base, line->line);
    return ws_escape_controls(raw, -1, "");
}

static void add_lines_of(GArray *lines, GHashTable *places, const WsJob *job,
                         const WsResult *result, guint side)
{
    guint32 count = job->program->instruction_count;
    g_autofree WsInstructionCounters *sum = g_new0(WsInstructionCounters, count);
    g_autoptr(GArray) profile = NULL;

    ws_result_sum_instructions(result, count, sum);
    profile = ws_line_profile(job->program, sum);
    for (guint i = 0; i < profile->len; i++) {
        const WsLineCounters *line = &g_array_index(profile, WsLineCounters, i);
        char *place = place_of(job->program, line);
        guint row = GPOINTER_TO_UINT(g_hash_table_lookup(places, place));
        WsLineDifference *found;

        if (row == 0) {
            WsLineDifference new_line = {.place = g_strdup(place)};

            g_array_append_val(lines, new_line);
            row = lines->len;
            g_hash_table_insert(places, g_strdup(place), GUINT_TO_POINTER(row));
        }
        g_free(place);
        found = &g_array_index(lines, WsLineDifference, row - 1);
        found->instructions[side] += line->counters.issued;
        found->cycles[side] += line->counters.issued + ws_counters_waited(&line->counters);
    }
}

static void add_lines(GArray *lines, const WsJob *const jobs[WS_SIDES],
                      const WsResult *const results[WS_SIDES])
{
    g_autoptr(GHashTable) places = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    for (guint side = 0; side < WS_SIDES; side++)
        add_lines_of(lines, places, jobs[side], results[side], side);
    g_array_sort(lines, compare_lines);
}

/* ---- buffers ------------------------------------------------------------------------------------
 */

static const WsBuffer *find_buffer(const WsJob *job, const char *name)
{
    for (guint32 i = 0; i < job->buffer_count; i++)
        if (g_strcmp0(job->buffers[i].name, name) == 0)
            return &job->buffers[i];
    return NULL;
}

static void add_buffers(GArray *buffers, const WsJob *const jobs[WS_SIDES])
{
    for (guint32 i = 0; i < jobs[WS_SIDE_A]->buffer_count; i++) {
        const WsBuffer *a = &jobs[WS_SIDE_A]->buffers[i];
        const WsBuffer *b = find_buffer(jobs[WS_SIDE_B], a->name);
        guint64 size = MAX(ws_type_size(a->type), 1);
        WsBufferDifference row = {.name = a->name};

        if (b == NULL || a->bytes != b->bytes || memcmp(a->data, b->data, a->bytes) == 0)
            continue;
        for (guint64 at = 0; at < a->bytes; at += size) {
            if (memcmp(a->data + at, b->data + at, MIN(size, a->bytes - at)) == 0)
                continue;
            row.first = row.elements++ == 0 ? at / size : row.first;
        }
        g_array_append_val(buffers, row);
    }
}

/* ---- life ---------------------------------------------------------------------------------------
 */

WsComparison *ws_comparison_new(const WsJob *const jobs[WS_SIDES],
                                const WsResult *const results[WS_SIDES])
{
    WsComparison *comparison = g_new0(WsComparison, 1);

    comparison->settings = g_array_new(FALSE, FALSE, sizeof(WsSettingDifference));
    comparison->figures = g_array_new(FALSE, FALSE, sizeof(WsFigure));
    comparison->stalls = g_array_new(FALSE, FALSE, sizeof(WsStallDifference));
    comparison->lines = g_array_new(FALSE, FALSE, sizeof(WsLineDifference));
    comparison->buffers = g_array_new(FALSE, FALSE, sizeof(WsBufferDifference));
    g_array_set_clear_func(comparison->lines, clear_line);
    g_array_set_clear_func(comparison->settings, clear_setting);
    add_settings(comparison->settings, jobs);
    add_figures(comparison->figures, results);
    add_stalls(comparison->stalls, results);
    add_lines(comparison->lines, jobs, results);
    add_buffers(comparison->buffers, jobs);
    return comparison;
}

void ws_comparison_free(WsComparison *comparison)
{
    if (comparison == NULL)
        return;
    g_array_unref(comparison->settings);
    g_array_unref(comparison->figures);
    g_array_unref(comparison->stalls);
    g_array_unref(comparison->lines);
    g_array_unref(comparison->buffers);
    g_free(comparison);
}
