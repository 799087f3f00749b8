#include "study/results/table_query.h"

#include "study/results/derived.h"
#include "study/results/metrics.h"
#include "study/results/sample_rows.h"

#include <math.h>
#include <string.h>

gboolean ws_table_find_column(const WsTable *table, const char *name, int *ret, GError **error)
{
    *ret = ws_table_column(table, name);
    if (*ret >= 0)
        return TRUE;
    const char *nearest = ws_nearest_name(name, (const char *const *)table->columns);
    g_autofree char *shown = ws_printable(name);
    ws_set_error(error, WS_ERROR_USAGE, "the table has no column '%s'%s%s%s", shown,
                 nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                 nearest != NULL ? "'?" : "");
    return FALSE;
}

gboolean ws_table_find_status(const WsTable *table, int *ret, GError **error)
{
    *ret = ws_table_column(table, ws_metric_at(0).name);
    if (*ret >= 0)
        return TRUE;
    ws_set_error(error, WS_ERROR_USAGE,
                 "the table has no column 'status', in front of which the parameters stand");
    return FALSE;
}

gboolean ws_table_figure(const WsTable *table, guint row, int status, int column, double *ret)
{
    return ws_cell_number(ws_table_cell(table, row, column), ret) &&
           strcmp(ws_table_cell(table, row, status), "ok") == 0;
}

gboolean ws_table_find_condition(const WsTable *table, const char *text, int *ret, GError **error)
{
    const char *equals = strchr(text, '=');
    g_autofree char *name = g_strndup(text, equals == NULL ? 0 : (gsize)(equals - text));
    if (equals != NULL)
        return ws_table_find_column(table, name, ret, error);
    g_autofree char *shown = ws_printable(text);
    ws_set_error(error, WS_ERROR_USAGE, "'%s': COLUMN=VALUE is expected", shown);
    return FALSE;
}

gboolean ws_table_meets(const WsTable *table, guint row, int column, const char *text)
{
    return strcmp(ws_table_cell(table, row, column), strchr(text, '=') + 1) == 0;
}

gboolean *ws_table_wanted(const WsTable *table, char *const *where, GError **error)
{
    g_autofree gboolean *wanted = g_new(gboolean, table->rows->len + 1);
    for (guint row = 0; row < table->rows->len; row++)
        wanted[row] = TRUE;
    for (; where != NULL && *where != NULL; where++) {
        int column;
        if (!ws_table_find_condition(table, *where, &column, error))
            return NULL;
        for (guint row = 0; row < table->rows->len; row++)
            wanted[row] = wanted[row] && ws_table_meets(table, row, column, *where);
    }
    return g_steal_pointer(&wanted);
}

gboolean ws_cell_number(const char *text, double *ret)
{
    char *end;
    *ret = g_ascii_strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*ret);
}

WsTable *ws_results_read(const char *results, char *const *columns, GError **error)
{
    g_autofree char *path = g_file_test(results, G_FILE_TEST_IS_DIR)
                                ? g_build_filename(results, "runs.csv", NULL)
                                : g_strdup(results);
    g_autoptr(WsTable) table =
        ws_is_sample_file(path) ? ws_table_of_samples(path, error) : ws_table_read(path, error);
    return table != NULL && ws_table_derive(table, columns, error) ? g_steal_pointer(&table) : NULL;
}
