#include "study/results/derived.h"

#include "sim/expression/real.h"
#include "study/results/metrics.h"
#include "study/results/table_query.h"

#include <math.h>
#include <string.h>

typedef struct {
    char *name;
    WsSyntax *syntax;
    int *columns; /* by node: the column that it names, or -1 */
} Column;

struct WsDerived {
    guint width;      /* columns of the rows */
    GPtrArray *names; /* of these and of the derived ones, in order */
    GPtrArray *added; /* of Column* */
};

static void free_column(gpointer data)
{
    Column *column = data;
    g_free(column->name);
    ws_syntax_free(column->syntax);
    g_free(column->columns);
    g_free(column);
}

void ws_derived_free(WsDerived *derived)
{
    if (derived == NULL)
        return;
    g_ptr_array_unref(derived->names);
    g_ptr_array_unref(derived->added);
    g_free(derived);
}

/* ---- reading ----------------------------------------------------------------------------------
 */

static gboolean refuse(GError **error, const char *text, const char *problem)
{
    g_autofree char *shown = ws_printable(text);
    ws_set_error(error, WS_ERROR_USAGE, "the column '%s': %s", shown, problem);
    return FALSE;
}

/* "no column is called 'cylces'; did you mean 'cycles'?" g_free. */
static char *unknown(const WsDerived *derived, const char *name)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < derived->names->len; i++)
        g_ptr_array_add(names, derived->names->pdata[i]);
    g_ptr_array_add(names, NULL);
    const char *nearest = ws_nearest_name(name, (const char *const *)names->pdata);
    return g_strdup_printf("no column is called '%s'%s%s%s", name,
                           nearest != NULL ? "; did you mean '" : "",
                           nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
}

static int find_column(const WsDerived *derived, const char *name)
{
    for (guint i = 0; i < derived->names->len; i++)
        if (strcmp(derived->names->pdata[i], name) == 0)
            return (int)i;
    return -1;
}

/* The column of a node that no other names a part of; returns what is wrong, or NULL. g_free. */
static char *find_of_node(const WsDerived *derived, Column *column, guint node)
{
    g_autofree char *path = ws_syntax_path(column->syntax, node);
    if (path == NULL)
        return g_strdup("names of columns are expected");
    column->columns[node] = find_column(derived, path);
    return column->columns[node] >= 0 ? NULL : unknown(derived, path);
}

/* NULL, or what is wrong, with the byte. */
static char *find_columns(const WsDerived *derived, Column *column, gsize *ret_offset)
{
    const WsSyntax *syntax = column->syntax;
    g_autofree gboolean *is_part = g_new0(gboolean, syntax->count);
    column->columns = g_new(int, syntax->count);
    for (guint i = 0; i < syntax->count; i++) {
        column->columns[i] = -1;
        if (syntax->nodes[i].kind == WS_NODE_MEMBER)
            is_part[syntax->nodes[i].operand[0]] = TRUE;
    }
    for (guint i = 0; i < syntax->count; i++) {
        WsNodeKind kind = syntax->nodes[i].kind;
        if (is_part[i] || (kind != WS_NODE_NAME && kind != WS_NODE_MEMBER && kind != WS_NODE_MARK))
            continue;
        *ret_offset = syntax->nodes[i].start;
        char *problem = find_of_node(derived, column, i);
        if (problem != NULL)
            return problem;
    }
    return NULL;
}

static gboolean add_column(WsDerived *derived, const char *text, GError **error)
{
    const char *equals = strchr(text, '=');
    g_autofree char *name = g_strndup(text, equals == NULL ? 0 : (gsize)(equals - text));
    Column *column = g_new0(Column, 1);
    g_ptr_array_add(derived->added, column);
    column->name = g_strdup(g_strstrip(name));
    if (equals == NULL || !g_utf8_validate(text, -1, NULL))
        return refuse(error, text,
                      "NAME=EXPRESSION is expected, as in cpi=cycles/warp_instructions");
    if (!ws_expression_is_name(name))
        return refuse(error, text, "a name has letters, digits and _");
    if (find_column(derived, name) >= 0)
        return refuse(error, text, "there is a column of this name");
    g_autofree char *problem = NULL;
    gsize offset = 0;
    column->syntax = ws_syntax_parse(equals + 1, NULL, &problem, &offset);
    if (problem == NULL)
        problem = ws_real_check(column->syntax, &offset);
    if (problem == NULL)
        problem = find_columns(derived, column, &offset);
    if (problem != NULL) {
        g_autofree char *whole = g_strdup_printf("%s (at byte %" G_GSIZE_FORMAT ")", problem,
                                                 (gsize)(equals + 1 - text) + offset + 1);
        return refuse(error, text, whole);
    }
    g_ptr_array_add(derived->names, g_strdup(column->name));
    return TRUE;
}

WsDerived *ws_derived_new(char *const *texts, char *const *columns, GError **error)
{
    g_autoptr(WsDerived) derived = g_new0(WsDerived, 1);
    derived->names = g_ptr_array_new_with_free_func(g_free);
    derived->added = g_ptr_array_new_with_free_func(free_column);
    for (; *columns != NULL; columns++)
        g_ptr_array_add(derived->names, g_strdup(*columns));
    derived->width = derived->names->len;
    for (; texts != NULL && *texts != NULL; texts++)
        if (!add_column(derived, *texts, error))
            return NULL;
    return g_steal_pointer(&derived);
}

/* ---- using ------------------------------------------------------------------------------------
 */

static const Column *column_at(const WsDerived *derived, guint index)
{
    return derived->added->pdata[index];
}

guint ws_derived_count(const WsDerived *derived)
{
    return derived->added->len;
}

const char *ws_derived_name(const WsDerived *derived, guint index)
{
    return column_at(derived, index)->name;
}

const char *ws_derived_expression(const WsDerived *derived, guint index)
{
    return column_at(derived, index)->syntax->text;
}

static double value_of(const Column *column, char *const *cells)
{
    g_autofree double *names = g_new0(double, column->syntax->count);
    for (guint i = 0; i < column->syntax->count; i++)
        if (column->columns[i] >= 0 && !ws_cell_number(cells[column->columns[i]], &names[i]))
            names[i] = (double)NAN;
    double value = ws_real_evaluate(column->syntax, names);
    return isfinite(value) ? value : (double)NAN;
}

char **ws_derived_row(const WsDerived *derived, char *const *cells)
{
    char **row = g_new0(char *, derived->names->len + 1);
    for (guint i = 0; i < derived->width; i++)
        row[i] = g_strdup(cells[i]);
    for (guint i = 0; i < derived->added->len; i++)
        row[derived->width + i] = ws_metric_number(value_of(column_at(derived, i), row));
    return row;
}

gboolean ws_table_derive(WsTable *table, char *const *texts, GError **error)
{
    if (texts == NULL || *texts == NULL)
        return TRUE;
    g_autoptr(WsDerived) derived = ws_derived_new(texts, table->columns, error);
    if (derived == NULL)
        return FALSE;
    for (guint row = 0; row < table->rows->len; row++) {
        char **cells = table->rows->pdata[row];
        table->rows->pdata[row] = ws_derived_row(derived, cells);
        g_strfreev(cells);
    }
    g_strfreev(table->columns);
    table->width = derived->names->len;
    g_ptr_array_add(derived->names, NULL);
    table->columns = g_strdupv((char **)derived->names->pdata);
    return TRUE;
}
