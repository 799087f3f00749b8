#include "study/results/phases.h"

#include "study/results/metrics.h"

#include <math.h>
#include <string.h>

/* ---- names --------------------------------------------------------------------------------------
 */

/* "" is `missing`. */
static gboolean read_cycle(const char *text, gsize length, guint64 missing, guint64 *ret)
{
    g_autofree char *part = g_strndup(text, length);

    *ret = missing;
    return length == 0 || g_ascii_string_to_unsigned(part, 10, 0, G_MAXINT64, ret, NULL);
}

gboolean ws_phase_parse(const char *text, WsPhase *ret, GError **error)
{
    const char *equals = strchr(text, '='), *dots = equals != NULL ? strstr(equals, "..") : NULL;

    if (dots != NULL && equals != text && g_utf8_validate(text, -1, NULL) &&
        read_cycle(equals + 1, (gsize)(dots - equals - 1), 0, &ret->from) &&
        read_cycle(dots + 2, strlen(dots + 2), G_MAXUINT64, &ret->to) && ret->from < ret->to) {
        ret->name = g_strndup(text, (gsize)(equals - text));
        return TRUE;
    }
    g_autofree char *shown = ws_printable(text);
    ws_set_error(error, WS_ERROR_USAGE,
                 "--phase %s: NAME=FROM..TO is expected, with cycles FROM below TO", shown);
    return FALSE;
}

void ws_phase_clear(WsPhase *phase)
{
    g_free(phase->name);
}

void ws_phases_of_launches(const WsSampleTable *table, GArray *phases)
{
    const double *launch = ws_sample_table_column(table, "launch");
    const double *cycle = ws_sample_table_column(table, "cycle");

    for (guint row = 0; launch != NULL && cycle != NULL && row < table->rows; row++) {
        WsPhase phase = {.from = (guint64)cycle[row], .to = G_MAXUINT64};

        if (row != 0 && launch[row] == launch[row - 1])
            continue;
        if (phases->len != 0)
            g_array_index(phases, WsPhase, phases->len - 1).to = phase.from;
        phase.name = g_strdup_printf("launch %.0f", launch[row]);
        g_array_append_val(phases, phase);
    }
}

/* ---- sums ---------------------------------------------------------------------------------------
 */

static gboolean is_in(const WsPhase *phase, double cycle)
{
    return cycle >= (double)phase->from && cycle < (double)phase->to;
}

/* A column of the table in the rows of the phase, added up in one of a sample. */
static void add_column(const double *cycle, const double *values, guint rows, const WsPhase *phase,
                       WsSample *sum, guint column)
{
    for (guint row = 0; row < rows; row++)
        if (is_in(phase, cycle[row]))
            ws_sample_add(sum, column, values[row]);
}

/* The rows of the phase; of samples of each SM, cycles are those of the first one. */
static guint add_rows(const WsSampleTable *table, const WsPhase *phase, WsPhaseSums *sums)
{
    const double *cycle = ws_sample_table_column(table, "cycle");
    const double *cycles = ws_sample_table_column(table, "cycles");
    const double *sm = ws_sample_table_column(table, "sm");
    WsSample *sum = &sums->sum;
    guint rows = 0;
    double first_sm = 0;

    for (guint row = 0; row < table->rows; row++) {
        if (!is_in(phase, cycle[row]))
            continue;
        if (rows++ == 0) {
            first_sm = sm != NULL ? sm[row] : 0;
            sum->cycle = (guint64)cycle[row];
        }
        if (sm == NULL || sm[row] == first_sm)
            sum->cycles += cycles != NULL ? (guint64)cycles[row] : 0;
    }
    for (guint i = 0; i < table->names->len; i++) {
        int column = ws_sample_column_find(table->names->pdata[i]);

        if (column >= 0)
            add_column(cycle, table->columns[i], table->rows, phase, sum, (guint)column);
    }
    return rows;
}

gboolean ws_phase_sum(const char *path, const WsSampleTable *table, const WsPhase *phase,
                      WsPhaseSums *ret, GError **error)
{
    double slots = 0;

    *ret = (WsPhaseSums){0};
    if (ws_sample_table_column(table, "cycle") == NULL) {
        ws_set_error_at(error, WS_ERROR_INPUT, &(WsPosition){.file = path},
                        "has no column 'cycle': it is no file of samples");
        return FALSE;
    }
    if (ws_sample_table_number(table, "warp_slots", &slots))
        ret->device.max_warps_per_sm = (guint64)slots;
    ret->has_memory = ws_sample_table_column(table, "l2_lookups") != NULL;
    if (add_rows(table, phase, ret) != 0)
        return TRUE;
    g_autofree char *shown = ws_printable(phase->name);
    ws_set_error(error, WS_ERROR_USAGE, "--phase %s: no sample of %s begins in these cycles", shown,
                 path);
    return FALSE;
}

double ws_phase_value(const WsPhaseSums *sums, guint column)
{
    if (ws_sample_column_at(column).of_memory && !sums->has_memory)
        return (double)NAN;
    return ws_sample_value(column, &sums->sum, &sums->device);
}

/* ---- CSV ----------------------------------------------------------------------------------------
 */

static gboolean is_shown(guint column)
{
    const char *name = ws_sample_column_at(column).name;

    return strcmp(name, "launch") != 0 && strcmp(name, "sm") != 0;
}

static void append_line(GString *out, GPtrArray *cells)
{
    g_ptr_array_add(cells, NULL);
    ws_csv_append(out, (char *const *)cells->pdata);
    g_ptr_array_set_size(cells, 0);
}

char *ws_phases_csv(const GArray *phases, const WsPhaseSums *sums, guint runs)
{
    g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func(g_free);
    GString *out = g_string_new(NULL);

    g_ptr_array_add(cells, g_strdup("phase"));
    g_ptr_array_add(cells, g_strdup("run"));
    for (guint i = 0; i < ws_sample_column_count(); i++)
        if (is_shown(i))
            g_ptr_array_add(cells, g_strdup(ws_sample_column_at(i).name));
    append_line(out, cells);
    for (guint p = 0; p < phases->len; p++)
        for (guint run = 0; run < runs; run++) {
            g_ptr_array_add(cells, g_strdup(g_array_index(phases, WsPhase, p).name));
            g_ptr_array_add(cells, g_strdup_printf("%u", run + 1));
            for (guint i = 0; i < ws_sample_column_count(); i++)
                if (is_shown(i))
                    g_ptr_array_add(cells,
                                    ws_metric_number(ws_phase_value(&sums[p * runs + run], i)));
            append_line(out, cells);
        }
    return g_string_free(out, FALSE);
}
