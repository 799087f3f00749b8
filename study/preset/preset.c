#include "study/preset/preset.h"

#include <math.h>
#include <string.h>

static const WsPresetStudy studies[] = {
    {"warps",
     "how many warps of an SM are enough?",
     "latency_hiding",
     "ipc",
     {"occupancy_achieved", "limiters"},
     ws_preset_prepare_warps,
     ws_preset_answer_warps,
     NULL,
     ws_preset_mark_warps},
    {"policies",
     "which scheduling policy is fastest?",
     NULL,
     "cycles",
     {"lane_efficiency", "l1_hit_rate"},
     ws_preset_prepare_policies,
     ws_preset_answer_fastest,
     ws_preset_now_policy,
     NULL},
    {"block",
     "which block size? (the grid is adapted)",
     NULL,
     "cycles",
     {"blocks_per_sm", "occupancy_achieved", "limiters"},
     ws_preset_prepare_block,
     ws_preset_answer_block,
     ws_preset_now_block,
     NULL},
    {"registers",
     "fewer registers for more warps? (recompiled under each register limit)",
     NULL,
     "cycles",
     {"registers_per_thread", "occupancy_achieved", "local_load_requests"},
     ws_preset_prepare_registers,
     ws_preset_answer_registers,
     ws_preset_now_registers,
     NULL},
    {"cliff",
     "what does one register too many cost? (the macro VALUES: live values of a thread)",
     "register_cliff",
     "cycles",
     {"registers_per_thread", "blocks_per_sm", "occupancy_achieved"},
     ws_preset_prepare_cliff,
     ws_preset_answer_cliff,
     NULL,
     NULL},
    {"shared",
     "how many blocks does shared memory cost?",
     NULL,
     "cycles",
     {"blocks_per_sm", "occupancy_achieved"},
     ws_preset_prepare_shared,
     ws_preset_answer_shared,
     ws_preset_now_shared,
     NULL},
    {"latency",
     "what if memory were faster or slower?",
     NULL,
     "cycles",
     {"stall_long_scoreboard"},
     ws_preset_prepare_latency,
     ws_preset_answer_latency,
     ws_preset_now_latency,
     NULL},
    {"divergence",
     "does the number of diverging lanes matter? (`taken` lanes of 32)",
     "lanes_taken",
     "cycles",
     {"lane_efficiency", "warps_diverged"},
     ws_preset_prepare_divergence,
     ws_preset_answer_divergence,
     NULL,
     NULL},
    {"stride",
     "what does the stride between lanes cost? (`stride` numbers)",
     "stride",
     "cycles",
     {"global_load_sectors", "dram_read_bytes"},
     ws_preset_prepare_stride,
     ws_preset_answer_trend,
     NULL,
     NULL},
    {"warp_size",
     "how many lanes in a warp? (`warp_size`; registers, active lanes and time)",
     "warp_formation/warp_size.yaml",
     "cycles",
     {"registers_per_thread", "registers_per_warp", "lane_efficiency", "warp_instructions"},
     ws_preset_prepare_warp_size,
     ws_preset_answer_warp_size,
     ws_preset_now_warp_size,
     NULL},
    {"schedulers",
     "what if an SM had more or fewer warp schedulers?",
     NULL,
     "ipc",
     {"issue_utilisation", "occupancy_achieved"},
     ws_preset_prepare_schedulers,
     ws_preset_answer_trend,
     ws_preset_now_schedulers,
     NULL},
    {"l1",
     "shared memory or L1? (the carve-out, per cent for shared memory)",
     NULL,
     "cycles",
     {"l1_hit_rate", "occupancy_achieved"},
     ws_preset_prepare_l1,
     ws_preset_answer_trend,
     NULL,
     NULL},
};

const WsPresetStudy *ws_preset_studies(guint *ret_count)
{
    *ret_count = G_N_ELEMENTS(studies);
    return studies;
}

/* ---- cells ------------------------------------------------------------------------------------
 */

const char *ws_preset_cell(const WsTable *table, const GPtrArray *rows, guint row,
                           const char *column)
{
    int at = ws_table_column(table, column);
    return at < 0 ? "" : ((char **)g_ptr_array_index(rows, row))[at];
}

double ws_preset_number(const WsTable *table, const GPtrArray *rows, guint row, const char *column)
{
    const char *text = ws_preset_cell(table, rows, row, column);
    char *end;
    double value = g_ascii_strtod(text, &end);
    return end == text || *end != '\0' ? (double)NAN : value;
}

/* ---- answers ----------------------------------------------------------------------------------
 */

/* "policy=gto, n=3": the parameters of a row but the first. */
static char *others_of(const WsStudy *study, char *const *cells)
{
    GString *text = g_string_new(NULL);
    for (guint i = 1; i < study->parameters->len; i++)
        if (study->design != WS_DESIGN_ZIP)
            g_string_append_printf(text, "%s%s=%s", text->len == 0 ? "" : ", ",
                                   ws_study_parameter(study, i)->name, cells[i]);
    return g_string_free(text, FALSE);
}

/* Of rows that count for nothing, how many there are. */
static void append_left_out(GString *answer, const WsTable *table, const GPtrArray *rows)
{
    guint bad = 0;
    for (guint i = 0; i < rows->len; i++)
        bad += strcmp(ws_preset_cell(table, rows, i, "status"), "ok") != 0;
    if (bad > 0 && bad < rows->len)
        g_string_append_printf(answer, " (%u of %u points are omitted: their status is not ok.)",
                               bad, rows->len);
}

char *ws_preset_answer(const WsPresetStudy *preset, const WsStudy *study, const WsTable *table,
                       const WsJob *job)
{
    GString *answer = g_string_new(NULL);
    g_autofree char *now = preset->now == NULL ? NULL : preset->now(job);
    g_autoptr(GHashTable) done = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < table->rows->len; i++) {
        g_autofree char *others = others_of(study, g_ptr_array_index(table->rows, i));
        if (g_hash_table_contains(done, others))
            continue;
        g_autoptr(GPtrArray) rows = g_ptr_array_new();
        for (guint r = i; r < table->rows->len; r++) {
            g_autofree char *of_row = others_of(study, g_ptr_array_index(table->rows, r));
            if (strcmp(of_row, others) == 0)
                g_ptr_array_add(rows, g_ptr_array_index(table->rows, r));
        }
        g_autofree char *sentence = preset->answer(table, rows, job, now);
        g_string_append_printf(answer, "%s%s%s%s%s", answer->len == 0 ? "" : "\n", others,
                               *others != '\0' ? ": " : "", sentence,
                               g_str_has_suffix(sentence, "?") ? "" : ".");
        append_left_out(answer, table, rows);
        g_hash_table_add(done, g_steal_pointer(&others));
    }
    return g_string_free(answer, FALSE);
}

/* ---- the table --------------------------------------------------------------------------------
 */

/* Numbers with at most four digits behind the point. */
static char *shown(const char *cell)
{
    char *end;
    double value = g_ascii_strtod(cell, &end);
    if (end == cell || *end != '\0' || strchr(cell, '.') == NULL)
        return g_strdup(cell);
    return g_strdup_printf("%.4g", value);
}

/* What stands in a column, its name first. */
static GPtrArray *column_texts(const WsTable *table, const char *name)
{
    GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(texts, g_strdup(name));
    for (guint row = 0; row < table->rows->len; row++)
        g_ptr_array_add(texts, shown(ws_preset_cell(table, table->rows, row, name)));
    return texts;
}

static void append_column(GPtrArray *lines, GPtrArray *texts)
{
    gsize width = 0;
    for (guint i = 0; i < texts->len; i++)
        width = MAX(width, strlen(g_ptr_array_index(texts, i)));
    for (guint i = 0; i < texts->len; i++) {
        GString *line = g_ptr_array_index(lines, i);
        g_string_append_printf(line, "%s%*s", line->len == 0 ? "" : "  ", (int)width,
                               (const char *)g_ptr_array_index(texts, i));
    }
}

static void free_line(gpointer line)
{
    g_string_free(line, TRUE);
}

char *ws_preset_table(const WsPresetStudy *preset, const WsStudy *study, const WsTable *table)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(free_line);
    for (guint i = 0; i < study->parameters->len; i++)
        g_ptr_array_add(names, ws_study_parameter(study, i)->name);
    g_ptr_array_add(names, (gpointer) "cycles");
    g_ptr_array_add(names, (gpointer) "ipc");
    for (guint i = 0; i < G_N_ELEMENTS(preset->columns) && preset->columns[i] != NULL; i++)
        g_ptr_array_add(names, (gpointer)preset->columns[i]);
    for (guint row = 0; row <= table->rows->len; row++)
        g_ptr_array_add(lines, g_string_new(NULL));
    for (guint i = 0; i < names->len; i++) {
        g_autoptr(GPtrArray) texts = column_texts(table, g_ptr_array_index(names, i));
        append_column(lines, texts);
    }
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < lines->len; i++) {
        const GString *line = g_ptr_array_index(lines, i);
        const char *status = i == 0 ? "ok" : ws_preset_cell(table, table->rows, i - 1, "status");
        gboolean fine = strcmp(status, "ok") == 0;
        g_string_append_printf(out, "%s%s%s\n", line->str, fine ? "" : "  ", fine ? "" : status);
    }
    return g_string_free(out, FALSE);
}
