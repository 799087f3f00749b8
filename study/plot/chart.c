#include "study/plot/chart_kind.h"
#include "study/plot/chart_reference.h"
#include "study/plot/chart_shares.h"

#include "study/results/aligned_text.h"
#include "study/results/metrics.h"
#include "study/results/relative.h"
#include "study/results/table_query.h"

#include <math.h>
#include <string.h>

/* ---- parts ------------------------------------------------------------------------------------
 */

static void free_curve(gpointer data)
{
    WsChartCurve *curve = data;
    g_free(curve->name);
    g_array_unref(curve->points);
    g_free(curve);
}

static void free_panel(gpointer data)
{
    WsChartPanel *panel = data;
    g_free(panel->name);
    g_ptr_array_unref(panel->curves);
    g_free(panel);
}

static void clear_mark(gpointer data)
{
    WsChartMark *mark = data;
    g_free(mark->text);
}

void ws_chart_free(WsChart *chart)
{
    if (chart == NULL)
        return;
    g_free(chart->title);
    g_free(chart->x_label);
    g_free(chart->y_label);
    g_free(chart->curves_label);
    g_strfreev(chart->categories);
    g_ptr_array_unref(chart->panels);
    g_ptr_array_unref(chart->names);
    g_array_unref(chart->marks);
    g_free(chart->points_label);
    g_string_chunk_free(chart->points_names);
    g_free(chart->note);
    g_free(chart->shares);
    g_free(chart);
}

static WsChartPanel *find_panel(WsChart *chart, const char *name)
{
    for (guint i = 0; i < chart->panels->len; i++) {
        WsChartPanel *panel = g_ptr_array_index(chart->panels, i);
        if (strcmp(panel->name, name) == 0)
            return panel;
    }
    WsChartPanel *panel = g_new0(WsChartPanel, 1);
    panel->name = g_strdup(name);
    panel->curves = g_ptr_array_new_with_free_func(free_curve);
    g_ptr_array_add(chart->panels, panel);
    return panel;
}

static guint place_of_name(WsChart *chart, const char *name)
{
    guint place;
    if (!g_ptr_array_find_with_equal_func(chart->names, name, g_str_equal, &place)) {
        place = chart->names->len;
        g_ptr_array_add(chart->names, g_strdup(name));
    }
    return place;
}

static WsChartCurve *find_curve(WsChart *chart, WsChartPanel *panel, const char *name)
{
    for (guint i = 0; i < panel->curves->len; i++) {
        WsChartCurve *curve = g_ptr_array_index(panel->curves, i);
        if (strcmp(curve->name, name) == 0)
            return curve;
    }
    WsChartCurve *curve = g_new0(WsChartCurve, 1);
    curve->name = g_strdup(name);
    curve->points = g_array_new(FALSE, FALSE, sizeof(WsChartPoint));
    curve->place = place_of_name(chart, name);
    g_ptr_array_add(panel->curves, curve);
    return curve;
}

/* ---- columns ----------------------------------------------------------------------------------
 */

typedef struct {
    int x, y, facet; /* -1: none */
    GArray *by;      /* of int */
    GArray *where;   /* of int, by options->where */
    GArray *rest;    /* of int: what rows of one place differ in */
    int relative;    /* -1: none */
} Columns;

static void columns_clear(Columns *columns)
{
    g_array_unref(columns->by);
    g_array_unref(columns->where);
    g_array_unref(columns->rest);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Columns, columns_clear)

static gboolean find_columns(const WsTable *table, const WsChartOptions *options, Columns *ret,
                             GError **error)
{
    int column;
    *ret = (Columns){.facet = -1, .relative = -1};
    ret->by = g_array_new(FALSE, FALSE, sizeof(int));
    ret->where = g_array_new(FALSE, FALSE, sizeof(int));
    ret->rest = g_array_new(FALSE, FALSE, sizeof(int));
    if (!ws_table_find_column(table, options->x, &ret->x, error) ||
        !ws_table_find_column(table, options->y, &ret->y, error) ||
        (options->facet != NULL &&
         !ws_table_find_column(table, options->facet, &ret->facet, error)) ||
        (options->relative_to != NULL &&
         !ws_table_find_condition(table, options->relative_to, &ret->relative, error)))
        return FALSE;
    for (char *const *name = options->by; name != NULL && *name != NULL; name++) {
        if (!ws_table_find_column(table, *name, &column, error))
            return FALSE;
        g_array_append_val(ret->by, column);
    }
    for (char *const *text = options->where; text != NULL && *text != NULL; text++) {
        if (!ws_table_find_condition(table, *text, &column, error))
            return FALSE;
        g_array_append_val(ret->where, column);
    }
    return TRUE;
}

static gboolean is_wanted(const WsTable *table, const Columns *columns,
                          const WsChartOptions *options, guint row)
{
    for (guint i = 0; i < columns->where->len; i++)
        if (!ws_table_meets(table, row, g_array_index(columns->where, int, i), options->where[i]))
            return FALSE;
    return TRUE;
}

/* "gto", or "gto, 400" of several columns. */
static char *row_name(const WsTable *table, const GArray *columns, guint row, int left_out)
{
    GString *name = g_string_new(NULL);
    for (guint i = 0; i < columns->len; i++) {
        int column = g_array_index(columns, int, i);
        if (column != left_out)
            g_string_append_printf(name, "%s%s", name->len == 0 ? "" : ", ",
                                   ws_table_cell(table, row, column));
    }
    return g_string_free(name, FALSE);
}

static gboolean is_named(const GArray *columns, int column)
{
    for (guint i = 0; i < columns->len; i++)
        if (g_array_index(columns, int, i) == column)
            return TRUE;
    return FALSE;
}

/* Whether the column has several values in the rows that are wanted; without `numbers`, words. */
static gboolean differs(const WsTable *table, const Columns *columns, const WsChartOptions *options,
                        int column, gboolean numbers)
{
    const char *first = NULL;
    gboolean several = FALSE, words = numbers;
    double number;
    for (guint row = 0; row < table->rows->len; row++) {
        if (!is_wanted(table, columns, options, row))
            continue;
        const char *cell = ws_table_cell(table, row, column);
        words = words || (*cell != '\0' && !ws_cell_number(cell, &number));
        several = several || (first != NULL && strcmp(first, cell) != 0);
        first = cell;
    }
    return several && words;
}

/*
 * The column that names points, or all parameters that are in no other place: those in front of
 * `status`, or of another table the columns of words.
 */
static void find_rest(WsChart *chart, const WsTable *table, Columns *columns,
                      const WsChartOptions *options)
{
    int status = ws_table_column(table, ws_metric_at(0).name);
    int label = chart->kind->label == NULL ? -1 : ws_table_column(table, chart->kind->label);
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (int i = 0; i < (status < 0 ? (int)table->width : status); i++) {
        gboolean wanted = label >= 0 ? i == label
                                     : i != columns->x && i != columns->y && i != columns->facet &&
                                           !is_named(columns->by, i) &&
                                           differs(table, columns, options, i, status >= 0);
        if (!wanted)
            continue;
        g_array_append_val(columns->rest, i);
        g_ptr_array_add(names, table->columns[i]);
    }
    g_ptr_array_add(names, NULL);
    g_free(chart->points_label);
    chart->points_label = g_strjoinv(", ", (char **)names->pdata);
}

static char *panel_name(const WsTable *table, const Columns *columns, guint row)
{
    return columns->facet < 0 ? g_strdup("")
                              : g_strdup_printf("%s=%s", table->columns[columns->facet],
                                                ws_table_cell(table, row, columns->facet));
}

/* ---- x ----------------------------------------------------------------------------------------
 */

static gint compare_numbers(gconstpointer a, gconstpointer b)
{
    double first, second;
    ws_cell_number(*(char *const *)a, &first);
    ws_cell_number(*(char *const *)b, &second);
    return (first > second) - (first < second);
}

/* Numbers, or else places in the list of all that there are; in kinds that have only places, too.
 */
static void find_categories(WsChart *chart, const WsTable *table, const Columns *columns,
                            const WsChartOptions *options)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    gboolean numbers = TRUE;
    double number;
    for (guint row = 0; row < table->rows->len; row++) {
        const char *text = ws_table_cell(table, row, columns->x);
        if (!is_wanted(table, columns, options, row) || *text == '\0')
            continue;
        numbers = numbers && ws_cell_number(text, &number);
        if (!g_ptr_array_find_with_equal_func(names, text, g_str_equal, NULL))
            g_ptr_array_add(names, g_strdup(text));
    }
    if (numbers && !chart->kind->has_places)
        return;
    if (numbers)
        g_ptr_array_sort(names, compare_numbers);
    g_ptr_array_add(names, NULL);
    chart->categories = g_strdupv((char **)names->pdata);
}

static gboolean x_of(const WsChart *chart, const char *text, double *ret)
{
    if (chart->categories == NULL)
        return ws_cell_number(text, ret);
    for (guint i = 0; chart->categories[i] != NULL; i++)
        if (strcmp(chart->categories[i], text) == 0) {
            *ret = i;
            return TRUE;
        }
    return FALSE;
}

guint ws_chart_place_count(const WsChart *chart)
{
    return chart->categories == NULL ? 0 : g_strv_length(chart->categories);
}

guint ws_chart_longest_place(const WsChart *chart)
{
    guint longest = 0;
    for (guint i = 0; i < ws_chart_place_count(chart); i++)
        longest = MAX(longest, ws_characters(chart->categories[i]));
    return longest;
}

char *ws_chart_number(double value, int digits)
{
    double size = fabs(value);
    return size >= pow(10, digits) && size < 1e7 ? g_strdup_printf("%.0f", value)
                                                 : g_strdup_printf("%.*g", digits, value);
}

char *ws_chart_x_text(const WsChart *chart, double x)
{
    return chart->categories == NULL ? ws_metric_number(x) : g_strdup(chart->categories[(guint)x]);
}

/* ---- points -----------------------------------------------------------------------------------
 */

static gint compare_x(gconstpointer a, gconstpointer b)
{
    double first = ((const WsChartPoint *)a)->x, second = ((const WsChartPoint *)b)->x;
    return (first > second) - (first < second);
}

/* The columns in which two rows of one point differ, first of all parameters. */
static char *difference(const WsTable *table, guint a, guint b)
{
    for (guint i = 0; i < table->width; i++)
        if (strcmp(ws_table_cell(table, a, (int)i), ws_table_cell(table, b, (int)i)) != 0)
            return g_strdup(table->columns[i]);
    return g_strdup("id");
}

static gboolean sort_curve(const WsChart *chart, const WsTable *table, WsChartCurve *curve,
                           GError **error)
{
    g_array_sort(curve->points, compare_x);
    for (guint i = 1; i < curve->points->len; i++) {
        const WsChartPoint *point = &g_array_index(curve->points, WsChartPoint, i);
        if (point[-1].x != point->x || chart->kind->has_samples)
            continue;
        g_autofree char *column = difference(table, point[-1].row, point->row);
        g_autofree char *x = ws_chart_x_text(chart, point->x);
        ws_set_error(error, WS_ERROR_USAGE,
                     "several rows have %s=%s: they differ in '%s'; make curves of it (--by %s), "
                     "panels (--facet %s), or choose one (--where %s=...)",
                     chart->x_label, x, column, column, column, column);
        return FALSE;
    }
    return TRUE;
}

static gboolean sort_all(const WsChart *chart, const WsTable *table, GError **error)
{
    for (guint p = 0; p < chart->panels->len; p++) {
        const WsChartPanel *panel = g_ptr_array_index(chart->panels, p);
        for (guint c = 0; c < panel->curves->len; c++) {
            WsChartCurve *curve = g_ptr_array_index(panel->curves, c);
            if (!sort_curve(chart, table, curve, error))
                return FALSE;
        }
    }
    return TRUE;
}

typedef enum { ROW_GOOD, ROW_WRONG, ROW_STOPPED } RowState;

/* What the status says, where `where` does not ask for one. */
static RowState state_of(const WsTable *table, const Columns *columns, guint row)
{
    int column = ws_table_column(table, ws_metric_at(0).name);
    if (column < 0)
        return ROW_GOOD;
    for (guint i = 0; i < columns->where->len; i++)
        if (g_array_index(columns->where, int, i) == column)
            return ROW_GOOD;
    const char *status = ws_table_cell(table, row, column);
    return strcmp(status, "ok") == 0             ? ROW_GOOD
           : strcmp(status, "check_failed") == 0 ? ROW_WRONG
                                                 : ROW_STOPPED;
}

/* relative.csv has the means of all targets beside them: a mean is no sample. */
static gboolean is_mean(const WsTable *table, guint row)
{
    int target = ws_table_column(table, "target");
    return target >= 0 && strcmp(ws_table_cell(table, row, target), WS_RELATIVE_MEAN) == 0;
}

static void add_rows(WsChart *chart, const WsTable *table, const Columns *columns,
                     const WsChartOptions *options)
{
    for (guint row = 0; row < table->rows->len; row++) {
        WsChartPoint point = {.row = row};
        if (!is_wanted(table, columns, options, row) ||
            (chart->kind->has_samples && is_mean(table, row)))
            continue;
        RowState state = state_of(table, columns, row);
        if (state == ROW_STOPPED) {
            chart->stopped++;
            continue;
        }
        chart->wrong += state == ROW_WRONG;
        if (!x_of(chart, ws_table_cell(table, row, columns->x), &point.x) ||
            !ws_cell_number(ws_table_cell(table, row, columns->y), &point.y) ||
            (chart->log_x && point.x <= 0) || (chart->log_y && point.y <= 0)) {
            chart->left_out++;
            continue;
        }
        g_autofree char *panel = panel_name(table, columns, row);
        g_autofree char *curve = row_name(table, columns->by, row, -1);
        g_autofree char *name = row_name(table, columns->rest, row, -1);
        if (*name != '\0')
            point.name = g_string_chunk_insert_const(chart->points_names, name);
        g_array_append_val(find_curve(chart, find_panel(chart, panel), curve)->points, point);
    }
}

/* ---- relative to others -----------------------------------------------------------------------
 */

/* The row that `row` is compared with: equal in x, panel, curve and rest but for the column. */
static int base_row(const WsTable *table, const Columns *columns, const char *value, guint row)
{
    int but = columns->relative;
    g_autofree char *curve = row_name(table, columns->by, row, but);
    g_autofree char *rest = row_name(table, columns->rest, row, but);
    g_autofree char *panel = panel_name(table, columns, row);
    const char *x = ws_table_cell(table, row, columns->x);
    for (guint other = 0; other < table->rows->len; other++) {
        if (strcmp(ws_table_cell(table, other, but), value) != 0 ||
            (but != columns->x && strcmp(ws_table_cell(table, other, columns->x), x) != 0))
            continue;
        g_autofree char *other_curve = row_name(table, columns->by, other, but);
        g_autofree char *other_rest = row_name(table, columns->rest, other, but);
        g_autofree char *other_panel = panel_name(table, columns, other);
        if (strcmp(other_curve, curve) == 0 && strcmp(other_rest, rest) == 0 &&
            (but == columns->facet || strcmp(other_panel, panel) == 0))
            return (int)other;
    }
    return -1;
}

static gboolean divide(WsChart *chart, const WsTable *table, const Columns *columns,
                       const WsChartOptions *options, GError **error)
{
    const char *value = strchr(options->relative_to, '=') + 1;
    for (guint p = 0; p < chart->panels->len; p++) {
        const WsChartPanel *panel = g_ptr_array_index(chart->panels, p);
        for (guint c = 0; c < panel->curves->len; c++) {
            const WsChartCurve *curve = g_ptr_array_index(panel->curves, c);
            for (guint i = 0; i < curve->points->len; i++) {
                WsChartPoint *point = &g_array_index(curve->points, WsChartPoint, i);
                int base = base_row(table, columns, value, point->row);
                double by;
                if (base < 0 ||
                    !ws_cell_number(ws_table_cell(table, (guint)base, columns->y), &by) ||
                    by == 0) {
                    g_autofree char *x = ws_chart_x_text(chart, point->x);
                    ws_set_error(error, WS_ERROR_USAGE,
                                 "no row with %s and %s=%s to compare with, or its %s is 0",
                                 options->relative_to, options->x, x, options->y);
                    return FALSE;
                }
                point->y /= by;
            }
        }
    }
    g_free(chart->y_label);
    chart->y_label = g_strdup_printf("%s, relative to %s", options->y, options->relative_to);
    return TRUE;
}

/* ---- the whole --------------------------------------------------------------------------------
 */

static WsChart *start(const WsChartOptions *options)
{
    WsChart *chart = g_new0(WsChart, 1);
    chart->kind = options->kind != NULL ? options->kind : &ws_chart_curves;
    chart->points_label = g_strdup("");
    chart->points_names = g_string_chunk_new(256);
    chart->title = g_strdup(options->title != NULL ? options->title : "");
    chart->x_label = g_strdup(options->x);
    chart->y_label = g_strdup(options->y);
    chart->curves_label =
        options->by == NULL ? g_strdup("") : g_strjoinv(", ", (char **)options->by);
    chart->log_x = options->log_x;
    chart->log_y = options->log_y;
    chart->steps = options->steps;
    chart->panels = g_ptr_array_new_with_free_func(free_panel);
    chart->names = g_ptr_array_new_with_free_func(g_free);
    chart->marks = g_array_new(FALSE, FALSE, sizeof(WsChartMark));
    g_array_set_clear_func(chart->marks, clear_mark);
    return chart;
}

static gboolean takes(const WsChartKind *kind, const WsChartOptions *options, GError **error)
{
    gboolean by = options->by != NULL && options->by[0] != NULL;
    const char *option = options->log_x && kind->has_places                         ? "log x"
                         : options->log_y && !kind->takes_log_y                     ? "log y"
                         : options->reference != NULL && kind->has_places           ? "reference"
                         : by && !kind->takes_by                                    ? "by"
                         : options->facet != NULL && !kind->takes_facet             ? "facet"
                         : options->relative_to != NULL && !kind->takes_relative_to ? "relative-to"
                                                                                    : NULL;
    if (option == NULL)
        return TRUE;
    ws_set_error(error, WS_ERROR_USAGE, "--kind %s does not take --%s", kind->name, option);
    return FALSE;
}

WsChart *ws_chart_new(const WsTable *table, const WsChartOptions *options, GError **error)
{
    g_auto(Columns) columns = {0};
    if (!find_columns(table, options, &columns, error))
        return NULL;
    g_autoptr(WsChart) chart = start(options);
    if (!takes(chart->kind, options, error))
        return NULL;
    if (chart->kind->has_samples)
        find_rest(chart, table, &columns, options);
    find_categories(chart, table, &columns, options);
    if (chart->categories != NULL && chart->log_x) {
        ws_set_error(error, WS_ERROR_USAGE, "%s has words, which have no logarithm", options->x);
        return NULL;
    }
    add_rows(chart, table, &columns, options);
    if (chart->panels->len == 0) {
        ws_set_error(error, WS_ERROR_USAGE, "no row has numbers for %s and %s", options->x,
                     options->y);
        return NULL;
    }
    ws_chart_name_shares(chart, table);
    if (!sort_all(chart, table, error) ||
        (options->relative_to != NULL && !divide(chart, table, &columns, options, error)) ||
        (options->reference != NULL && !ws_chart_add_reference(chart, options, error)) ||
        (chart->kind->arrange != NULL && !chart->kind->arrange(chart, error)))
        return NULL;
    return g_steal_pointer(&chart);
}

WsChartRange ws_chart_range(const WsChart *chart)
{
    WsChartRange range = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (guint p = 0; p < chart->panels->len; p++) {
        const WsChartPanel *panel = g_ptr_array_index(chart->panels, p);
        for (guint c = 0; c < panel->curves->len; c++) {
            const WsChartCurve *curve = g_ptr_array_index(panel->curves, c);
            for (guint i = 0; i < curve->points->len; i++) {
                const WsChartPoint *point = &g_array_index(curve->points, WsChartPoint, i);
                range.x_min = MIN(range.x_min, point->x);
                range.x_max = MAX(range.x_max, point->x);
                range.y_min = MIN(range.y_min, point->y);
                range.y_max = MAX(range.y_max, point->y);
            }
        }
    }
    if (!chart->log_y) {
        range.y_min = MIN(range.y_min, 0);
        range.y_max = MAX(range.y_max, 0);
    }
    return range;
}

gboolean ws_chart_has_bars(const WsChart *chart)
{
    return chart->categories != NULL && !chart->log_y;
}

double ws_chart_bar_width(const WsChart *chart)
{
    const double group = 0.8; /* of the distance between two x */
    return group / MAX(chart->names->len, 1);
}

double ws_chart_bar_offset(const WsChart *chart, const WsChartCurve *curve)
{
    return (curve->place - (MAX(chart->names->len, 1) - 1) / 2.0) * ws_chart_bar_width(chart);
}

void ws_chart_mark(WsChart *chart, double x, const char *text)
{
    WsChartRange range = ws_chart_range(chart);
    guint at = 0;
    if (chart->categories != NULL || !(x >= range.x_min && x <= range.x_max))
        return;
    while (at < chart->marks->len && g_array_index(chart->marks, WsChartMark, at).x <= x)
        at++;
    if (at > 0 && g_array_index(chart->marks, WsChartMark, at - 1).x == x) {
        WsChartMark *same = &g_array_index(chart->marks, WsChartMark, at - 1);
        char *both = g_strconcat(same->text, ", ", text, NULL);
        g_free(same->text);
        same->text = both;
        return;
    }
    const WsChartMark mark = {x, g_strdup(text)};
    g_array_insert_val(chart->marks, at, mark);
}

gboolean ws_chart_has_references(const WsChart *chart)
{
    for (guint p = 0; p < chart->panels->len; p++) {
        const WsChartPanel *panel = g_ptr_array_index(chart->panels, p);
        for (guint c = 0; c < panel->curves->len; c++)
            if (((const WsChartCurve *)g_ptr_array_index(panel->curves, c))->is_reference)
                return TRUE;
    }
    return FALSE;
}
