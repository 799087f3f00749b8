#include "study/results/csv.h"

#include "isa/base/csv_cell.h"
#include "isa/base/csv_record.h"
#include "isa/base/input_file.h"

#include <string.h>

enum { MAX_TABLE_BYTES = 1 << 30 };

void ws_csv_append(GString *out, char *const *cells)
{
    for (guint i = 0; cells[i] != NULL; i++) {
        if (i > 0)
            g_string_append_c(out, ',');
        ws_csv_append_cell(out, cells[i]);
    }
    g_string_append_c(out, '\n');
}

void ws_csv_take(GString *out, char **cells)
{
    ws_csv_append(out, cells);
    for (; *cells != NULL; cells++)
        g_free(*cells);
}

/* What would be a formula was written with a quote mark in front. */
static void drop_quote_mark(char *cell)
{
    if (cell[0] == '\'' && ws_csv_is_formula(cell + 1))
        memmove(cell, cell + 1, strlen(cell));
}

char **ws_csv_next(const char **at)
{
    WsCsvReader reader = {.at = *at, .line = 1};
    g_auto(WsCsvRecord) record = {0};
    if (ws_csv_read_record(&reader, &record) != WS_CSV_RECORD || !record.ended) {
        *at += strlen(*at);
        return NULL;
    }
    *at = reader.at;
    for (char **cell = record.cells; *cell != NULL; cell++)
        drop_quote_mark(*cell);
    return g_steal_pointer(&record.cells);
}

static void free_row(gpointer row)
{
    g_strfreev(row);
}

WsTable *ws_table_new(char **columns)
{
    WsTable *table = g_new0(WsTable, 1);
    table->columns = columns;
    table->width = g_strv_length(columns);
    table->rows = g_ptr_array_new_with_free_func(free_row);
    return table;
}

void ws_table_free(WsTable *table)
{
    if (table == NULL)
        return;
    g_strfreev(table->columns);
    g_ptr_array_unref(table->rows);
    g_free(table);
}

WsTable *ws_table_read(const char *path, GError **error)
{
    g_autoptr(GBytes) bytes = ws_read_input_file(path, MAX_TABLE_BYTES, error);
    if (bytes == NULL)
        return NULL;
    const char *at = g_bytes_get_data(bytes, NULL);
    char **columns = ws_csv_next(&at);
    WsPosition position = {.file = path, .line = 1};
    if (columns == NULL) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "names of columns are expected");
        return NULL;
    }
    g_autoptr(WsTable) table = ws_table_new(columns);
    for (char **row; (row = ws_csv_next(&at)) != NULL;) {
        position.line++;
        g_ptr_array_add(table->rows, row);
        if (g_strv_length(row) == table->width)
            continue;
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "%u cells, where there are %u columns",
                        g_strv_length(row), table->width);
        return NULL;
    }
    return g_steal_pointer(&table);
}

int ws_table_column(const WsTable *table, const char *name)
{
    for (guint i = 0; i < table->width; i++)
        if (strcmp(table->columns[i], name) == 0)
            return (int)i;
    return -1;
}

static gboolean is_empty(const WsTable *table, const gboolean *wanted, guint column)
{
    for (guint i = 0; i < table->rows->len; i++)
        if (wanted[i] && *((char **)g_ptr_array_index(table->rows, i))[column] != '\0')
            return FALSE;
    return TRUE;
}

static char **some_cells(char *const *cells, const gboolean *kept, guint width)
{
    char **part = g_new0(char *, width + 1);
    guint at = 0;
    for (guint i = 0; i < width; i++)
        if (kept[i])
            part[at++] = g_strdup(cells[i]);
    return part;
}

WsTable *ws_table_part(const WsTable *table, const gboolean *wanted)
{
    g_autofree gboolean *kept = g_new0(gboolean, table->width);
    for (guint i = 0; i < table->width; i++)
        kept[i] = !is_empty(table, wanted, i);
    WsTable *part = ws_table_new(some_cells(table->columns, kept, table->width));
    for (guint i = 0; i < table->rows->len; i++)
        if (wanted[i])
            g_ptr_array_add(part->rows,
                            some_cells(g_ptr_array_index(table->rows, i), kept, table->width));
    return part;
}
