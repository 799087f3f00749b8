#include "isa/base/input_file.h"
#include "sim/samples/npz_reader.h"
#include "sim/samples/sample_file.h"

#include <string.h>

enum { MOST_BYTES = 1 << 30 }; /* of a file */

static WsSampleTable *make_table(GPtrArray *columns, const WsPosition *position, GError **error)
{
    g_autoptr(WsSampleTable) table = g_new0(WsSampleTable, 1);

    table->names = g_ptr_array_new_with_free_func(g_free);
    table->columns = g_new0(double *, MAX(columns->len, 1));
    for (guint i = 0; i < columns->len; i++) {
        WsNpzColumn *column = columns->pdata[i];

        if (i != 0 && column->count != table->rows) {
            g_autofree char *name = ws_printable(column->name);

            ws_set_error_at(error, WS_ERROR_INPUT, position,
                            "column '%s' has %u rows, and the one before it %u", name,
                            column->count, table->rows);
            return NULL;
        }
        table->rows = column->count;
        g_ptr_array_add(table->names, g_steal_pointer(&column->name));
        table->columns[i] = g_steal_pointer(&column->values);
    }
    if (columns->len == 0) {
        ws_set_error_at(error, WS_ERROR_INPUT, position, "has no column of numbers");
        return NULL;
    }
    return g_steal_pointer(&table);
}

WsSampleTable *ws_sample_table_read(const char *path, GError **error)
{
    const WsPosition position = {.file = path};
    const char *reason;
    g_autoptr(GBytes) file = ws_read_input_file(path, MOST_BYTES, error);

    if (file == NULL)
        return NULL;
    g_autoptr(GPtrArray) columns =
        ws_npz_read(g_bytes_get_data(file, NULL), g_bytes_get_size(file), &reason);
    if (columns == NULL) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "%s", reason);
        return NULL;
    }
    return make_table(columns, &position, error);
}

void ws_sample_table_free(WsSampleTable *table)
{
    if (table == NULL)
        return;
    for (guint i = 0; i < table->names->len; i++)
        g_free(table->columns[i]);
    g_free(table->columns);
    g_ptr_array_unref(table->names);
    g_free(table);
}

const double *ws_sample_table_column(const WsSampleTable *table, const char *name)
{
    for (guint i = 0; i < table->names->len; i++)
        if (strcmp(table->names->pdata[i], name) == 0)
            return table->columns[i];
    return NULL;
}
