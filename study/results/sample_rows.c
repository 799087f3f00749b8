#include "study/results/sample_rows.h"

#include "sim/samples/sample_file.h"
#include "study/results/metrics.h"
#include "study/results/table_query.h"

#include <math.h>

static const double MOST_WHOLE = 9007199254740992.0; /* 2^53: above it not all are doubles */

gboolean ws_is_sample_file(const char *path)
{
    return g_str_has_suffix(path, ".npz");
}

static char *cell_of(double value)
{
    if (value == floor(value) && fabs(value) <= MOST_WHOLE)
        return g_strdup_printf("%.0f", value);
    return ws_metric_number(value);
}

WsTable *ws_table_of_samples(const char *path, GError **error)
{
    g_autoptr(WsSampleTable) samples = ws_sample_table_read(path, error);
    if (samples == NULL)
        return NULL;
    char **names = g_new0(char *, samples->names->len + 1);
    for (guint i = 0; i < samples->names->len; i++)
        names[i] = g_strdup(samples->names->pdata[i]);
    WsTable *table = ws_table_new(names);
    for (guint row = 0; row < samples->rows; row++) {
        char **cells = g_new0(char *, table->width + 1);

        for (guint i = 0; i < table->width; i++)
            cells[i] = cell_of(samples->columns[i][row]);
        g_ptr_array_add(table->rows, cells);
    }
    return table;
}

/* ---- columns as rows ----------------------------------------------------------------------------
 */

static gboolean is_zero(const WsTable *table, int column)
{
    for (guint row = 0; row < table->rows->len; row++) {
        double value;

        if (ws_cell_number(ws_table_cell(table, row, column), &value) && value != 0)
            return FALSE;
    }
    return TRUE;
}

static GArray *matching(const WsTable *table, const char *pattern, GError **error)
{
    g_autoptr(GPatternSpec) spec = g_pattern_spec_new(pattern);
    g_autoptr(GArray) columns = g_array_new(FALSE, FALSE, sizeof(int));

    for (int i = 0; i < (int)table->width; i++)
        if (g_pattern_spec_match_string(spec, table->columns[i]) && !is_zero(table, i))
            g_array_append_val(columns, i);
    if (columns->len != 0)
        return g_steal_pointer(&columns);
    g_autofree char *shown = ws_printable(pattern);
    ws_set_error(error, WS_ERROR_USAGE, "'%s': no column of that name has a number other than 0",
                 shown);
    return NULL;
}

WsTable *ws_table_unpivot(const WsTable *table, const char *pattern, char *const *kept,
                          GError **error)
{
    g_autoptr(GArray) columns = matching(table, pattern, error);
    guint count = g_strv_length((char **)kept);
    g_autofree int *places = g_new(int, count + 1);

    if (columns == NULL)
        return NULL;
    for (guint i = 0; i < count; i++)
        if (!ws_table_find_column(table, kept[i], &places[i], error))
            return NULL;
    char **names = g_new0(char *, count + 3);
    for (guint i = 0; i < count; i++)
        names[i] = g_strdup(kept[i]);
    names[count] = g_strdup(WS_FIGURE_COLUMN);
    names[count + 1] = g_strdup(WS_VALUE_COLUMN);
    WsTable *out = ws_table_new(names);
    for (guint c = 0; c < columns->len; c++)
        for (guint row = 0; row < table->rows->len; row++) {
            int column = g_array_index(columns, int, c);
            char **cells = g_new0(char *, count + 3);

            for (guint i = 0; i < count; i++)
                cells[i] = g_strdup(ws_table_cell(table, row, places[i]));
            cells[count] = g_strdup(table->columns[column]);
            cells[count + 1] = g_strdup(ws_table_cell(table, row, column));
            g_ptr_array_add(out->rows, cells);
        }
    return out;
}
