#include "study/results/sensitivity.h"

#include "study/results/aligned_text.h"
#include "study/results/metrics.h"
#include "study/results/table_query.h"

#include <math.h>
#include <string.h>

/* What is looked at: a row at a time. */
typedef struct {
    const WsTable *table;
    const gboolean *wanted;
    int y, status;
    int target;        /* column, or -1 */
    const char **base; /* by parameter, in front of `status`; NULL: of the target */
} Rows;

static const char *cell(const Rows *rows, guint row, guint column)
{
    return ws_table_cell(rows->table, row, (int)column);
}

static gboolean figure_of(const Rows *rows, guint row, double *ret)
{
    return ws_table_figure(rows->table, row, rows->status, rows->y, ret);
}

/* ---- the base ---------------------------------------------------------------------------------
 */

/* The values that the first of the rows has, but those that are asked for. */
static gboolean find_base(Rows *rows, char *const *asked, GError **error)
{
    guint row = 0;
    while (row < rows->table->rows->len && !rows->wanted[row])
        row++;
    if (row == rows->table->rows->len) {
        ws_set_error(error, WS_ERROR_USAGE, "no row is left");
        return FALSE;
    }
    for (guint i = 0; i < (guint)rows->status; i++)
        rows->base[i] = (int)i == rows->target ? NULL : cell(rows, row, i);
    for (; asked != NULL && *asked != NULL; asked++) {
        int column;
        if (!ws_table_find_condition(rows->table, *asked, &column, error))
            return FALSE;
        if (column >= rows->status || column == rows->target) {
            g_autofree char *shown = ws_printable(*asked);
            ws_set_error(error, WS_ERROR_USAGE,
                         "the base '%s': NAME=VALUE of a parameter is "
                         "expected",
                         shown);
            return FALSE;
        }
        rows->base[column] = strchr(*asked, '=') + 1;
    }
    return TRUE;
}

/* How many parameters differ from the base; `ret` is the last one of these. */
static guint differences(const Rows *rows, guint row, guint *ret)
{
    guint count = 0;
    for (guint i = 0; i < (guint)rows->status; i++)
        if (rows->base[i] != NULL && strcmp(rows->base[i], cell(rows, row, i)) != 0) {
            *ret = i;
            count++;
        }
    return count;
}

/* The base's row of the same target, or -1. */
static gint base_row(const Rows *rows, guint like)
{
    for (guint row = 0; row < rows->table->rows->len; row++) {
        guint column;
        if (rows->wanted[row] && differences(rows, row, &column) == 0 &&
            (rows->target < 0 || strcmp(cell(rows, row, (guint)rows->target),
                                        cell(rows, like, (guint)rows->target)) == 0))
            return (gint)row;
    }
    return -1;
}

/* ---- values -----------------------------------------------------------------------------------
 */

static WsSensitivityValue *find_value(WsSensitivityParameter *parameter, const char *text)
{
    for (guint i = 0; i < parameter->values->len; i++) {
        WsSensitivityValue *value = &g_array_index(parameter->values, WsSensitivityValue, i);
        if (strcmp(value->value, text) == 0)
            return value;
    }
    const WsSensitivityValue fresh = {.value = g_strdup(text)};
    g_array_append_val(parameter->values, fresh);
    return &g_array_index(parameter->values, WsSensitivityValue, parameter->values->len - 1);
}

static void clear_value(gpointer data)
{
    g_free(((WsSensitivityValue *)data)->value);
}

static void free_parameter(gpointer data)
{
    WsSensitivityParameter *parameter = data;
    g_array_unref(parameter->values);
    g_free(parameter->name);
    g_free(parameter->base);
    g_free(parameter);
}

static WsSensitivityParameter *find_parameter(WsSensitivity *sensitivity, const char *name,
                                              const char *base)
{
    for (guint i = 0; i < sensitivity->parameters->len; i++) {
        WsSensitivityParameter *parameter = sensitivity->parameters->pdata[i];
        if (strcmp(parameter->name, name) == 0)
            return parameter;
    }
    WsSensitivityParameter *fresh = g_new0(WsSensitivityParameter, 1);
    fresh->name = g_strdup(name);
    fresh->base = g_strdup(base);
    fresh->values = g_array_new(FALSE, FALSE, sizeof(WsSensitivityValue));
    g_array_set_clear_func(fresh->values, clear_value);
    g_ptr_array_add(sensitivity->parameters, fresh);
    return fresh;
}

/* Takes a row beside the base over; sums of ratios first, or of their logarithms. */
static void take_row(WsSensitivity *sensitivity, const Rows *rows, guint row, guint column)
{
    gint base = base_row(rows, row);
    double y, y0;
    WsSensitivityParameter *parameter =
        find_parameter(sensitivity, rows->table->columns[column], rows->base[column]);
    WsSensitivityValue *value = find_value(parameter, cell(rows, row, column));
    gboolean good = base >= 0 && figure_of(rows, row, &y) && figure_of(rows, (guint)base, &y0) &&
                    y0 != 0 && (rows->target < 0 || (y > 0 && y0 > 0));
    if (!good) {
        sensitivity->left_out++;
        return;
    }
    value->targets++;
    value->y += rows->target < 0 ? y : log(y);
    value->change += rows->target < 0 ? y / y0 : log(y / y0);
}

/* From sums to means. */
static void finish_value(const Rows *rows, const WsSensitivityParameter *parameter,
                         WsSensitivityValue *value)
{
    double x, x0, ratio = value->change / value->targets;
    value->y /= value->targets; /* NaN of none */
    value->elasticity = (double)NAN;
    if (rows->target >= 0) {
        value->y = exp(value->y);
        ratio = exp(ratio);
    }
    value->change = ratio - 1;
    if (ws_cell_number(value->value, &x) && ws_cell_number(parameter->base, &x0) && x > 0 &&
        x0 > 0 && x != x0 && ratio > 0)
        value->elasticity = log(ratio) / log(x / x0);
}

static void finish(WsSensitivity *sensitivity, const Rows *rows)
{
    for (guint i = 0; i < sensitivity->parameters->len; i++) {
        WsSensitivityParameter *parameter = sensitivity->parameters->pdata[i];
        double least = 0, most = 0;
        for (guint v = 0; v < parameter->values->len; v++) {
            WsSensitivityValue *value = &g_array_index(parameter->values, WsSensitivityValue, v);
            finish_value(rows, parameter, value);
            least = fmin(least, value->change); /* of a NaN the other */
            most = fmax(most, value->change);
        }
        parameter->swing = most - least;
    }
}

static gint by_swing(gconstpointer a, gconstpointer b)
{
    const WsSensitivityParameter *const *x = a, *const *y = b;
    return ((*x)->swing < (*y)->swing) - ((*x)->swing > (*y)->swing);
}

/* The figure at the base of all targets. */
static gboolean find_base_figure(WsSensitivity *sensitivity, const Rows *rows, GError **error)
{
    double sum = 0, y;
    for (guint row = 0; row < rows->table->rows->len; row++) {
        guint column;
        if (!rows->wanted[row] || differences(rows, row, &column) != 0 ||
            !figure_of(rows, row, &y) || (rows->target >= 0 && y <= 0))
            continue;
        sum += rows->target < 0 ? y : log(y);
        sensitivity->targets++;
    }
    sensitivity->base = rows->target < 0 ? sum : exp(sum / sensitivity->targets);
    if (sensitivity->targets > 0)
        return TRUE;
    g_autoptr(GString) name = g_string_new(NULL);
    for (guint i = 0; i < (guint)rows->status; i++)
        if (rows->base[i] != NULL)
            g_string_append_printf(name, "%s%s=%s", name->len == 0 ? "" : ", ",
                                   rows->table->columns[i], rows->base[i]);
    ws_set_error(error, WS_ERROR_USAGE, "no run with the base %s has a figure %s", name->str,
                 rows->table->columns[rows->y]);
    return FALSE;
}

static gboolean take_rows(WsSensitivity *sensitivity, const Rows *rows, GError **error)
{
    for (guint row = 0; row < rows->table->rows->len; row++) {
        guint column;
        if (rows->wanted[row] && differences(rows, row, &column) == 1)
            take_row(sensitivity, rows, row, column);
    }
    finish(sensitivity, rows);
    g_ptr_array_sort(sensitivity->parameters, by_swing);
    if (sensitivity->parameters->len > 0)
        return TRUE;
    ws_set_error(error, WS_ERROR_USAGE, "no row differs from the base in one parameter only");
    return FALSE;
}

WsSensitivity *ws_sensitivity_new(const WsTable *table, const WsSensitivityOptions *options,
                                  GError **error)
{
    g_autofree gboolean *wanted = ws_table_wanted(table, options->where, error);
    Rows rows = {.table = table, .wanted = wanted, .target = ws_table_column(table, "target")};
    if (wanted == NULL || !ws_table_find_column(table, options->y, &rows.y, error) ||
        !ws_table_find_status(table, &rows.status, error))
        return NULL;
    g_autofree const char **base = g_new0(const char *, (guint)rows.status + 1);
    rows.base = base;
    g_autoptr(WsSensitivity) sensitivity = g_new0(WsSensitivity, 1);
    sensitivity->parameters = g_ptr_array_new_with_free_func(free_parameter);
    return find_base(&rows, options->base, error) && find_base_figure(sensitivity, &rows, error) &&
                   take_rows(sensitivity, &rows, error)
               ? g_steal_pointer(&sensitivity)
               : NULL;
}

void ws_sensitivity_free(WsSensitivity *sensitivity)
{
    if (sensitivity == NULL)
        return;
    g_ptr_array_unref(sensitivity->parameters);
    g_free(sensitivity);
}

/* ---- as text ----------------------------------------------------------------------------------
 */

static void add_line(GString *out, const char *parameter, const char *value, double y,
                     double change, double elasticity)
{
    char *cells[] = {g_strdup(parameter),          g_strdup(value),
                     ws_metric_number(y),          ws_metric_number(change),
                     ws_metric_number(elasticity), NULL};
    ws_csv_take(out, cells);
}

char *ws_sensitivity_csv(const WsSensitivity *sensitivity)
{
    GString *out = g_string_new("parameter,value,y,change,elasticity\n");
    for (guint i = 0; i < sensitivity->parameters->len; i++) {
        const WsSensitivityParameter *parameter = sensitivity->parameters->pdata[i];
        add_line(out, parameter->name, parameter->base, sensitivity->base, 0, (double)NAN);
        for (guint v = 0; v < parameter->values->len; v++) {
            const WsSensitivityValue *value =
                &g_array_index(parameter->values, WsSensitivityValue, v);
            add_line(out, parameter->name, value->value, value->y, value->change,
                     value->elasticity);
        }
    }
    return g_string_free(out, FALSE);
}

/* "sub_cores  4 -> 2". */
static char *step_text(const WsSensitivityParameter *parameter, const WsSensitivityValue *value)
{
    return g_strdup_printf("%s -> %s", parameter->base, value->value);
}

static void append_value(GString *out, const WsSensitivityParameter *parameter,
                         const WsSensitivityValue *value, guint width)
{
    enum { Y_WIDTH = 12, CHANGE_WIDTH = 10 };
    g_autofree char *step = step_text(parameter, value);
    g_autofree char *y = isnan(value->y) ? g_strdup("-") : g_strdup_printf("%.6g", value->y);
    g_autofree char *change =
        isnan(value->change) ? g_strdup("-") : g_strdup_printf("%+.1f %%", 100 * value->change);
    ws_append_left(out, step, width);
    ws_append_right(out, y, Y_WIDTH);
    ws_append_right(out, change, CHANGE_WIDTH);
    if (!isnan(value->elasticity))
        g_string_append_printf(out, "%10.2f", value->elasticity);
    g_string_append_c(out, '\n');
}

char *ws_sensitivity_text(const WsSensitivity *sensitivity, const char *y)
{
    GString *out = g_string_new(NULL);
    guint names = strlen("parameter"), steps = strlen("change");
    for (guint i = 0; i < sensitivity->parameters->len; i++) {
        const WsSensitivityParameter *parameter = sensitivity->parameters->pdata[i];
        names = MAX(names, ws_characters(parameter->name));
        for (guint v = 0; v < parameter->values->len; v++) {
            g_autofree char *step =
                step_text(parameter, &g_array_index(parameter->values, WsSensitivityValue, v));
            steps = MAX(steps, ws_characters(step));
        }
    }
    g_string_append_printf(out, "Sensitivity of %s: %.6g at the base", y, sensitivity->base);
    if (sensitivity->targets > 1)
        g_string_append_printf(out, ", geometric mean of %u targets", sensitivity->targets);
    g_string_append_c(out, '\n');
    ws_append_left(out, "parameter", names + 2);
    ws_append_left(out, "", steps);
    ws_append_right(out, y, 12);
    g_string_append(out, "    change elasticity\n");
    for (guint i = 0; i < sensitivity->parameters->len; i++) {
        const WsSensitivityParameter *parameter = sensitivity->parameters->pdata[i];
        for (guint v = 0; v < parameter->values->len; v++) {
            ws_append_left(out, v == 0 ? parameter->name : "", names + 2);
            append_value(out, parameter, &g_array_index(parameter->values, WsSensitivityValue, v),
                         steps);
        }
    }
    if (sensitivity->left_out > 0)
        g_string_append_printf(out, "%u row%s without a figure left out\n", sensitivity->left_out,
                               sensitivity->left_out == 1 ? "" : "s");
    return g_string_free(out, FALSE);
}
