/* Source lines and opcodes of both sides. */
#include "inspect/profile/compared_parts.h"
#include "sim/report/line_profile.h"

#include <math.h>
#include <string.h>

/* ---- lines --------------------------------------------------------------------------------------
 */

static WsComparedLine *line_of(WsProfileComparison *comparison, GHashTable *places,
                               const char *path, guint32 line)
{
    g_autofree char *base = *path != '\0' ? g_path_get_basename(path) : g_strdup("");
    char *key = g_strdup_printf("%s:%u", base, line);
    guint place = GPOINTER_TO_UINT(g_hash_table_lookup(places, key));

    if (place == 0) {
        WsComparedLine added = {.file = g_steal_pointer(&base),
                                .line = line,
                                .simulated_share = (double)NAN,
                                .measured_share = (double)NAN};

        g_array_append_val(comparison->lines, added);
        place = comparison->lines->len;
        g_hash_table_insert(places, g_strdup(key), GUINT_TO_POINTER(place));
    }
    g_free(key);
    return &g_array_index(comparison->lines, WsComparedLine, place - 1);
}

static void add_simulated(WsProfileComparison *comparison, GHashTable *places,
                          const WsSimulatedLaunch *launch)
{
    const WsProgram *program = launch->job->program;
    g_autoptr(GArray) profile = ws_line_profile(program, launch->result->instructions);

    for (guint i = 0; i < profile->len; i++) {
        const WsLineCounters *counters = &g_array_index(profile, WsLineCounters, i);
        WsComparedLine *line =
            line_of(comparison, places, program->files[counters->file], counters->line);

        line->simulated = TRUE;
        line->counters = counters->counters;
        line->simulated_share =
            (double)(counters->counters.issued + ws_counters_waited(&counters->counters)) /
            (double)MAX(launch->counters->warp_cycles, 1);
    }
}

/* Whether the simulated side has lines of a file of this base name. */
static gboolean is_simulated_file(const WsProfileComparison *comparison, const char *base)
{
    for (guint i = 0; i < comparison->lines->len; i++)
        if (strcmp(g_array_index(comparison->lines, WsComparedLine, i).file, base) == 0)
            return TRUE;
    return FALSE;
}

/* `name`, and whether it is another one than that known before. */
static const char *only(const char *known, const char *name, gboolean *several)
{
    *several = *several || (known != NULL && strcmp(known, name) != 0);
    return name;
}

/* Headers of the toolkit have no lines of their own on the simulated side. */
static gboolean is_toolkit(const char *path)
{
    return strstr(path, "/targets/") != NULL || strstr(path, "/include/") != NULL;
}

/*
 * A program may have been compiled under another name for the profile. If each side has one file
 * that the other has not, they are the same: the path of the profile's, `ret_name` is ours.
 */
static const char *renamed_file(const WsProfileComparison *comparison, const char **ret_name)
{
    const GArray *measured = comparison->measured->lines;
    g_autoptr(GHashTable) bases = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    const char *path = NULL, *name = NULL;
    gboolean several = FALSE;

    for (guint i = 0; i < measured->len; i++) {
        const char *of = g_array_index(measured, WsMeasuredLine, i).file;
        char *base = g_path_get_basename(of);

        if (*of != '\0' && !is_toolkit(of) && !is_simulated_file(comparison, base))
            path = only(path, of, &several);
        g_hash_table_add(bases, base);
    }
    for (guint i = 0; i < comparison->lines->len; i++) {
        const char *of = g_array_index(comparison->lines, WsComparedLine, i).file;

        if (*of != '\0' && !g_hash_table_contains(bases, of))
            name = only(name, of, &several);
    }
    *ret_name = name;
    return several || name == NULL ? NULL : path;
}

static double all_samples(const WsMeasuredLaunch *measured)
{
    double sum = 0;

    for (guint i = 0; i < measured->lines->len; i++) {
        double samples =
            g_array_index(measured->lines, WsMeasuredLine, i).sums.figures[WS_SOURCE_SAMPLES];

        sum += isnan(samples) ? 0 : samples;
    }
    return sum;
}

static void add_measured(WsProfileComparison *comparison, GHashTable *places)
{
    const WsMeasuredLaunch *measured = comparison->measured;
    double samples = all_samples(measured);
    const char *name;
    const char *renamed = renamed_file(comparison, &name);
    g_autofree char *ours = renamed != NULL ? g_strdup(name) : NULL;

    for (guint i = 0; i < measured->lines->len; i++) {
        const WsMeasuredLine *at = &g_array_index(measured->lines, WsMeasuredLine, i);
        gboolean other = renamed != NULL && strcmp(at->file, renamed) == 0;
        WsComparedLine *line = line_of(comparison, places, other ? ours : at->file, at->line);

        line->measured = TRUE;
        line->sums = at->sums;
        if (samples != 0)
            line->measured_share = at->sums.figures[WS_SOURCE_SAMPLES] / samples;
    }
    if (renamed != NULL) {
        g_autofree char *base = g_path_get_basename(renamed);
        g_autofree char *shown = ws_printable(base);

        g_ptr_array_add(
            comparison->notes,
            g_strdup_printf("source lines: %s of the profile is taken for %s", shown, ours));
    }
}

static double larger_share(const WsComparedLine *line)
{
    return fmax(isnan(line->simulated_share) ? 0 : line->simulated_share,
                isnan(line->measured_share) ? 0 : line->measured_share);
}

static gint compare_lines(gconstpointer a, gconstpointer b)
{
    const WsComparedLine *x = a, *y = b;
    double p = larger_share(x), q = larger_share(y);
    int order = strcmp(x->file, y->file);

    if (p != q)
        return p > q ? -1 : 1;
    return order != 0 ? order : (x->line > y->line) - (x->line < y->line);
}

/* ---- opcodes ------------------------------------------------------------------------------------
 */

static gint compare_opcodes(gconstpointer a, gconstpointer b)
{
    const WsComparedOpcode *x = a, *y = b;
    double p = fmax((double)x->simulated, isnan(x->measured) ? 0 : x->measured);
    double q = fmax((double)y->simulated, isnan(y->measured) ? 0 : y->measured);

    return p != q ? (p > q ? -1 : 1) : strcmp(x->opcode, y->opcode);
}

static void add_opcodes(WsProfileComparison *comparison, const WsSimulatedLaunch *launch)
{
    const GArray *measured = comparison->measured->opcodes;
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GList) names = g_hash_table_get_keys(launch->opcodes);

    for (guint i = 0; i < measured->len; i++) {
        const WsMeasuredOpcode *at = &g_array_index(measured, WsMeasuredOpcode, i);
        WsComparedOpcode row = {.opcode = g_strdup(at->opcode),
                                .simulated = ws_simulated_opcode(launch, at->opcode)->issued,
                                .measured = at->sums.figures[WS_SOURCE_INSTRUCTIONS]};

        g_hash_table_add(seen, (gpointer)at->opcode);
        g_array_append_val(comparison->opcodes, row);
    }
    for (const GList *at = names; at != NULL; at = at->next) {
        WsComparedOpcode row = {.simulated = ws_simulated_opcode(launch, at->data)->issued};

        if (g_hash_table_contains(seen, at->data))
            continue;
        row.opcode = g_strdup(at->data);
        g_array_append_val(comparison->opcodes, row);
    }
    g_array_sort(comparison->opcodes, compare_opcodes);
}

/* ---- columns ------------------------------------------------------------------------------------
 */

static gboolean is_mapped_column(const char *name)
{
    static const char *const names[] = {
        "Line No",
        "#",
        "Source",
        "Address",
#define SOURCE_COLUMN(figure, column) column,
#include "inspect/profile/source_columns.def"
#undef SOURCE_COLUMN
#define NCU_STALL(ours, metric, column, other) "stall_" metric, "stall_" column, "stall_" other,
#include "inspect/profile/ncu_stalls.def"
#undef NCU_STALL
    };

    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        if (strcmp(names[i], name) == 0)
            return TRUE;
    return FALSE;
}

static void add_columns(WsProfileComparison *comparison)
{
    const GPtrArray *names = comparison->measured->columns;

    for (guint i = 0; i < names->len; i++) {
        WsComparedColumn column = {.name = names->pdata[i]};

        column.status = is_mapped_column(column.name) ? WS_METRIC_MAPPED : WS_METRIC_NO_COUNTERPART;
        g_array_append_val(comparison->columns, column);
    }
}

void ws_compare_source(WsProfileComparison *comparison, const WsSimulatedLaunch *launch)
{
    g_autoptr(GHashTable) places = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    if (comparison->measured->lines->len != 0) {
        add_simulated(comparison, places, launch);
        add_measured(comparison, places);
        g_array_sort(comparison->lines, compare_lines);
    }
    if (comparison->measured->opcodes->len != 0)
        add_opcodes(comparison, launch);
    add_columns(comparison);
}
