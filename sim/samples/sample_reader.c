#include "isa/base/input_file.h"
#include "sim/samples/npz_reader.h"
#include "sim/samples/sample_file.h"

#include <string.h>

enum { MOST_BYTES = 1 << 30 }; /* of a file */

/* Takes what is in it. */
static gboolean add_column(WsSampleTable *table, WsNpzColumn *column, const WsPosition *position,
                           GError **error)
{
    if (column->scalar) {
        g_ptr_array_add(table->number_names, g_steal_pointer(&column->name));
        g_array_append_val(table->numbers, column->values[0]);
        return TRUE;
    }
    if (table->names->len != 0 && column->count != table->rows) {
        g_autofree char *name = ws_printable(column->name);

        ws_set_error_at(error, WS_ERROR_INPUT, position,
                        "column '%s' has %u rows, and the one before it %u", name, column->count,
                        table->rows);
        return FALSE;
    }
    table->rows = column->count;
    table->columns[table->names->len] = g_steal_pointer(&column->values);
    g_ptr_array_add(table->names, g_steal_pointer(&column->name));
    return TRUE;
}

static WsSampleTable *make_table(GPtrArray *columns, const WsPosition *position, GError **error)
{
    g_autoptr(WsSampleTable) table = g_new0(WsSampleTable, 1);

    table->names = g_ptr_array_new_with_free_func(g_free);
    table->columns = g_new0(double *, MAX(columns->len, 1));
    table->number_names = g_ptr_array_new_with_free_func(g_free);
    table->numbers = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint i = 0; i < columns->len; i++)
        if (!add_column(table, columns->pdata[i], position, error))
            return NULL;
    if (table->names->len == 0) {
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
    g_ptr_array_unref(table->number_names);
    g_array_unref(table->numbers);
    g_free(table);
}

const double *ws_sample_table_column(const WsSampleTable *table, const char *name)
{
    for (guint i = 0; i < table->names->len; i++)
        if (strcmp(table->names->pdata[i], name) == 0)
            return table->columns[i];
    return NULL;
}

gboolean ws_sample_table_number(const WsSampleTable *table, const char *name, double *ret)
{
    guint place;

    if (!g_ptr_array_find_with_equal_func(table->number_names, name, g_str_equal, &place))
        return FALSE;
    *ret = g_array_index(table->numbers, double, place);
    return TRUE;
}
