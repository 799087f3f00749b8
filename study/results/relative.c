#include "study/results/relative.h"

#include "study/results/aligned_text.h"
#include "study/results/metrics.h"

#include <math.h>
#include <string.h>

static guint value_number(const WsStudyParameter *parameter, const char *value)
{
    guint number = 0;
    while (number < parameter->count && strcmp(parameter->values[number], value) != 0)
        number++;
    return number;
}

/* ---- points -----------------------------------------------------------------------------------
 */

/* By point: the point that it is compared with. g_free. */
static guint *find_references(const WsStudy *study)
{
    guint points = ws_study_points(study);
    guint *references = g_new(guint, points);
    for (guint point = 0; point < points; point++)
        references[point] = point;
    for (char **text = study->reference; *text != NULL; text++) {
        const char *value = strchr(*text, '=') + 1;
        g_autofree char *name = g_strndup(*text, (gsize)(value - 1 - *text));
        guint parameter = (guint)ws_study_find(study, name);
        guint wanted = value_number(ws_study_parameter(study, parameter), value);
        guint stride = ws_study_first_point(study, parameter, 1);
        for (guint point = 0; point < points; point++) {
            guint own = point / stride % ws_study_parameter(study, parameter)->count;
            references[point] = references[point] - own * stride + wanted * stride;
        }
    }
    return references;
}

/* By point: its row of the table, or NULL. */
static char ***rows_by_point(const WsStudy *study, const WsTable *table)
{
    char ***rows = g_new0(char **, ws_study_points(study));
    for (guint r = 0; r < table->rows->len; r++) {
        char **cells = table->rows->pdata[r];
        guint point = 0;
        gboolean known = TRUE;
        for (guint i = 0; i < study->parameters->len; i++) {
            guint value = value_number(ws_study_parameter(study, i), cells[i]);
            known = known && value < ws_study_parameter(study, i)->count;
            point += ws_study_first_point(study, i, value);
        }
        if (known)
            rows[point] = cells;
    }
    return rows;
}

/* Cycles of a row that ended well, or NaN. */
static double cycles_of(const WsStudy *study, char **row)
{
    guint first = study->parameters->len;
    if (row == NULL || strcmp(row[first + (guint)ws_metric_find("status")], "ok") != 0)
        return (double)NAN;
    return g_ascii_strtod(row[first + (guint)ws_metric_find("cycles")], NULL);
}

/* ---- means ------------------------------------------------------------------------------------
 */

static void find_means(const WsRelative *relative, guint column, WsRelativeColumn *ret)
{
    double sum = 0, squares = 0;
    ret->best = ret->worst = (double)NAN;
    for (guint t = 0; t < relative->targets; t++) {
        double speed = relative->cells[t * relative->columns + column].speed;
        if (isnan(speed)) {
            ret->left++;
            continue;
        }
        if (ret->compared++ == 0 || speed > ret->best) {
            ret->best = speed;
            ret->best_target = t;
        }
        if (ret->compared == 1 || speed < ret->worst) {
            ret->worst = speed;
            ret->worst_target = t;
        }
        sum += log(speed);
    }
    double mean = sum / ret->compared;
    for (guint t = 0; t < relative->targets; t++) {
        double speed = relative->cells[t * relative->columns + column].speed;
        squares += isnan(speed) ? 0 : (log(speed) - mean) * (log(speed) - mean);
    }
    ret->mean = ret->compared == 0 ? (double)NAN : exp(mean);
    ret->spread = ret->compared < 2 ? (double)NAN : exp(sqrt(squares / (ret->compared - 1)));
}

/* What the parameters other than the target are at a point: their names, values, or both. g_free.
 */
static char *others_text(const WsStudy *study, guint point, gboolean names, gboolean values)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < study->parameters->len; i++)
        if ((gint)i != ws_study_target_axis(study))
            g_string_append_printf(text, "%s%s%s%s", text->len == 0 ? "" : ", ",
                                   names ? ws_study_parameter(study, i)->name : "",
                                   names && values ? "=" : "",
                                   values ? ws_study_value(study, point, i) : "");
    return g_string_free(text, FALSE);
}

/* The point of target `t` at the combination `column` of the others. */
static guint cell_point(const WsStudy *study, guint t, guint column)
{
    gint axis = ws_study_target_axis(study);
    if (axis < 0)
        return column;
    guint stride = ws_study_first_point(study, (guint)axis, 1);
    guint count = ws_study_parameter(study, (guint)axis)->count;
    return (column / stride * count + t) * stride + column % stride;
}

WsRelative *ws_relative_new(const WsStudy *study, const WsTable *table)
{
    WsRelative *relative = g_new0(WsRelative, 1);
    gint axis = ws_study_target_axis(study);
    char *one[] = {study->target, NULL};
    g_autofree char ***rows = rows_by_point(study, table);
    g_autofree guint *references = find_references(study);
    guint status = study->parameters->len + (guint)ws_metric_find("status");
    relative->targets = axis < 0 ? 1 : ws_study_parameter(study, (guint)axis)->count;
    relative->columns = ws_study_points(study) / relative->targets;
    relative->names = g_strdupv(axis < 0 ? one : ws_study_parameter(study, (guint)axis)->values);
    relative->cells = g_new0(WsRelativeCell, (gsize)relative->targets * relative->columns);
    relative->column = g_new0(WsRelativeColumn, relative->columns);
    for (guint t = 0; t < relative->targets; t++)
        for (guint c = 0; c < relative->columns; c++) {
            guint point = cell_point(study, t, c);
            char **row = rows[point];
            relative->cells[t * relative->columns + c] = (WsRelativeCell){
                .speed = cycles_of(study, rows[references[point]]) / cycles_of(study, row),
                .status = row != NULL ? row[status] : ""};
        }
    for (guint c = 0; c < relative->columns; c++) {
        guint point = cell_point(study, 0, c);
        relative->column[c].name = others_text(study, point, TRUE, TRUE);
        relative->column[c].heading = others_text(study, point, FALSE, TRUE);
        find_means(relative, c, &relative->column[c]);
    }
    return relative;
}

void ws_relative_free(WsRelative *relative)
{
    if (relative == NULL)
        return;
    for (guint c = 0; c < relative->columns; c++) {
        g_free(relative->column[c].name);
        g_free(relative->column[c].heading);
    }
    g_strfreev(relative->names);
    g_free(relative->cells);
    g_free(relative->column);
    g_free(relative);
}

/* ---- as CSV -----------------------------------------------------------------------------------
 */

/* `means` is NULL for a target. */
static void add_line(GString *out, const WsStudy *study, const char *target, guint point,
                     const char *status, double speed, const WsRelativeColumn *means)
{
    g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func(g_free);
    const double values[] = {speed, means != NULL ? means->spread : (double)NAN,
                             means != NULL ? means->best : (double)NAN,
                             means != NULL ? means->worst : (double)NAN};
    g_ptr_array_add(cells, g_strdup(target));
    for (guint i = 0; i < study->parameters->len; i++)
        if ((gint)i != ws_study_target_axis(study))
            g_ptr_array_add(cells, g_strdup(ws_study_value(study, point, i)));
    g_ptr_array_add(cells, g_strdup(status));
    for (guint i = 0; i < G_N_ELEMENTS(values); i++)
        g_ptr_array_add(cells, ws_metric_number(values[i]));
    g_ptr_array_add(cells, means != NULL ? g_strdup_printf("%u", means->left) : g_strdup(""));
    g_ptr_array_add(cells, NULL);
    ws_csv_append(out, (char *const *)cells->pdata);
}

char *ws_relative_csv(const WsStudy *study, const WsRelative *relative)
{
    GString *out = g_string_new("target");
    for (guint i = 0; i < study->parameters->len; i++)
        if ((gint)i != ws_study_target_axis(study))
            g_string_append_printf(out, ",%s", ws_study_parameter(study, i)->name);
    g_string_append(out, ",status,speed,spread,best,worst,left_out\n");
    for (guint t = 0; t < relative->targets; t++)
        for (guint c = 0; c < relative->columns; c++) {
            const WsRelativeCell *cell = &relative->cells[t * relative->columns + c];
            add_line(out, study, relative->names[t], cell_point(study, t, c), cell->status,
                     cell->speed, NULL);
        }
    for (guint c = 0; c < relative->columns; c++)
        add_line(out, study, WS_RELATIVE_MEAN, cell_point(study, 0, c), "ok",
                 relative->column[c].mean, &relative->column[c]);
    return g_string_free(out, FALSE);
}

/* ---- as text ----------------------------------------------------------------------------------
 */

/* What stands in a cell: the speed, or why there is none. g_free. */
static char *cell_text(const WsRelativeCell *cell)
{
    if (!isnan(cell->speed))
        return g_strdup_printf("%.3f", cell->speed);
    return g_strdup(*cell->status == '\0'             ? "-"
                    : strcmp(cell->status, "ok") == 0 ? "no reference"
                                                      : cell->status);
}

static char *number_text(double value)
{
    return isnan(value) ? g_strdup("-") : g_strdup_printf("%.3f", value);
}

enum { NAME_WIDTH = 34, GAP = 2 };

static guint column_width(const WsRelative *relative, guint c)
{
    guint width = MAX(ws_characters(relative->column[c].heading), 6);
    for (guint t = 0; t < relative->targets; t++) {
        g_autofree char *text = cell_text(&relative->cells[t * relative->columns + c]);
        width = MAX(width, ws_characters(text));
    }
    return width + GAP;
}

static void append_matrix(GString *out, const WsStudy *study, const WsRelative *relative,
                          guint first)
{
    g_autofree char *others = others_text(study, 0, TRUE, FALSE);
    static const char *const names[] = {"geometric mean", "spread", "best", "worst"};
    ws_append_left(out, others, first);
    for (guint c = 0; c < relative->columns; c++)
        ws_append_right(out, relative->column[c].heading, column_width(relative, c));
    g_string_append_c(out, '\n');
    for (guint t = 0; t < relative->targets; t++) {
        ws_append_left(out, relative->names[t], first);
        for (guint c = 0; c < relative->columns; c++) {
            g_autofree char *text = cell_text(&relative->cells[t * relative->columns + c]);
            ws_append_right(out, text, column_width(relative, c));
        }
        g_string_append_c(out, '\n');
    }
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        ws_append_left(out, names[i], first);
        for (guint c = 0; c < relative->columns; c++) {
            const WsRelativeColumn *column = &relative->column[c];
            const double values[] = {column->mean, column->spread, column->best, column->worst};
            g_autofree char *text = number_text(values[i]);
            ws_append_right(out, text, column_width(relative, c));
        }
        g_string_append_c(out, '\n');
    }
}

/* One row a combination: its means, and which targets are best and worst. */
static void append_list(GString *out, const WsRelative *relative)
{
    g_string_append(out, "   mean  spread    best   worst\n");
    for (guint c = 0; c < relative->columns; c++) {
        const WsRelativeColumn *column = &relative->column[c];
        const double values[] = {column->mean, column->spread, column->best, column->worst};
        for (guint i = 0; i < G_N_ELEMENTS(values); i++) {
            g_autofree char *text = number_text(values[i]);
            ws_append_right(out, text, i == 0 ? 7 : 8);
        }
        g_string_append_printf(out, "  %s\n", column->name);
    }
}

/* Targets that do not count, by combination: a mean over others says something else. */
static void append_left_out(GString *out, const WsRelative *relative)
{
    for (guint c = 0; c < relative->columns; c++)
        if (relative->column[c].left > 0)
            g_string_append_printf(out, "%s: the mean leaves out %u of %u targets\n",
                                   relative->column[c].name, relative->column[c].left,
                                   relative->targets);
}

char *ws_relative_text(const WsStudy *study, const WsRelative *relative, guint width)
{
    g_autofree char *reference = g_strjoinv(", ", study->reference);
    GString *out = g_string_new(NULL);
    g_autofree char *others = others_text(study, 0, TRUE, FALSE);
    guint first = MAX(ws_characters("geometric mean"), ws_characters(others)), sum = 0;
    for (guint t = 0; t < relative->targets; t++)
        first = MAX(first, MIN(ws_characters(relative->names[t]), NAME_WIDTH));
    for (guint c = 0; c < relative->columns && sum <= width; c++)
        sum += column_width(relative, c);
    g_string_append_printf(out, "Speed relative to %s (its cycles / own cycles)\n", reference);
    if (first + sum <= width)
        append_matrix(out, study, relative, first);
    else
        append_list(out, relative);
    append_left_out(out, relative);
    return g_string_free(out, FALSE);
}
