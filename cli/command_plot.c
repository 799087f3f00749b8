/* `warpstep plot`: charts of the tables that sweeps write. */
#include "cli/command.h"
#include "cli/results_options.h"
#include "cli/terminal.h"
#include "study/plot/chart_kind.h"
#include "study/plot/chart_stack.h"
#include "study/plot/drawing.h"
#include "study/plot/gnuplot.h"
#include "study/results/metrics.h"
#include "study/results/sample_rows.h"
#include "study/results/table_query.h"

#include <math.h>
#include <string.h>

enum { TEXT_ROWS = 17 };

typedef struct {
    char *kind, *x, *y, *facet, *output, *log, *relative_to, *reference, *title;
    char **by, **where, **marks, **columns;
    int width, height;
    gboolean stack;
    char *pattern; /* of y, where it is several columns */
} Options;

static void options_clear(Options *options)
{
    g_free(options->kind);
    g_free(options->x);
    g_free(options->y);
    g_free(options->facet);
    g_free(options->output);
    g_free(options->log);
    g_free(options->relative_to);
    g_free(options->reference);
    g_free(options->title);
    g_free(options->pattern);
    g_strfreev(options->by);
    g_strfreev(options->where);
    g_strfreev(options->marks);
    g_strfreev(options->columns);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

/* "|curves|heat..." */
#define KIND(name, summary) "|" #name
static const char kinds[] =
#include "study/plot/chart_kinds.def"
    ;
#undef KIND

static gboolean parse(const WsCommand *command, char **arguments, Options *options)
{
    const GOptionEntry entries[] = {
        {"kind", 'k', 0, G_OPTION_ARG_FILENAME, &options->kind, "kind of chart (default: curves)",
         kinds + 1},
        {"x", 'x', 0, G_OPTION_ARG_FILENAME, &options->x, "x axis (default: the first parameter)",
         "COLUMN"},
        {"y", 'y', 0, G_OPTION_ARG_FILENAME, &options->y,
         "y axis (default: ipc); of several, such as 'stall_*', a curve for each", "COLUMN"},
        {"by", 'b', 0, G_OPTION_ARG_FILENAME_ARRAY, &options->by,
         "a curve for each of its values; may be repeated (default: all other parameters)",
         "COLUMN"},
        {"facet", 0, 0, G_OPTION_ARG_FILENAME, &options->facet, "a panel for each of its values",
         "COLUMN"},
        WS_COLUMN_ENTRY(&options->columns),
        {"where", 'w', 0, G_OPTION_ARG_FILENAME_ARRAY, &options->where,
         "only rows with this value; may be repeated", "COLUMN=VALUE"},
        {"stack", 0, 0, G_OPTION_ARG_NONE, &options->stack, "curves on top of each other, as bands",
         NULL},
        {"log", 0, 0, G_OPTION_ARG_FILENAME, &options->log, "logarithmic axes", "x|y|xy"},
        {"relative-to", 0, 0, G_OPTION_ARG_FILENAME, &options->relative_to,
         "divide by the row with this value and otherwise equal parameters", "COLUMN=VALUE"},
        {"reference", 0, 0, G_OPTION_ARG_FILENAME, &options->reference,
         "measured values in the same columns, or another sweep's folder, drawn as points; reports "
         "the error",
         "FILE"},
        {"mark", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->marks,
         "a vertical line at this x value, with a label; may be repeated", "X[=TEXT]"},
        {"title", 0, 0, G_OPTION_ARG_FILENAME, &options->title, "title of the chart", "TEXT"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output,
         "file to write: .svg, .png, .html, .json or .txt", "FILE"},
        {"width", 0, 0, G_OPTION_ARG_INT, &options->width, "size of the picture in pixels", "N"},
        {"height", 0, 0, G_OPTION_ARG_INT, &options->height, "likewise", "N"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    return ws_parse_options(command, entries, arguments, 1, 1);
}

/* The columns in front of `status`, which is the first metric. */
static guint parameter_count(const WsTable *table)
{
    int status = ws_table_column(table, ws_metric_at(0).name);
    return status < 0 ? 0 : (guint)status;
}

static void set_by(Options *options, GPtrArray *by)
{
    g_ptr_array_add(by, NULL);
    options->by = (char **)g_ptr_array_steal(by, NULL);
}

/* What is not said of a file of samples: ipc over time, of each SM if they are apart. */
static void fill_in_samples(Options *options, const WsTable *table)
{
    g_autoptr(GPtrArray) by = g_ptr_array_new();
    int sm = ws_table_column(table, "sm");
    if (options->x == NULL)
        options->x = g_strdup("cycle");
    if (options->y == NULL)
        options->y = g_strdup("ipc");
    if (options->by != NULL)
        return;
    if (sm >= 0 && table->rows->len != 0 && strcmp(ws_table_cell(table, 0, sm), "-1") != 0 &&
        g_strcmp0(options->facet, "sm") != 0)
        g_ptr_array_add(by, g_strdup("sm"));
    set_by(options, by);
}

/* What is not said: the first parameter across, a curve for each value of the others. */
static void fill_in(Options *options, const WsChartKind *kind, const WsTable *table)
{
    guint parameters = parameter_count(table);
    if (options->x == NULL)
        options->x = g_strdup(kind->x != NULL ? kind->x : table->columns[0]);
    if (options->y == NULL)
        options->y =
            g_strdup(kind->y != NULL                      ? kind->y
                     : ws_table_column(table, "ipc") >= 0 ? "ipc"
                                                          : table->columns[table->width - 1]);
    if (options->by != NULL)
        return;
    g_autoptr(GPtrArray) by = g_ptr_array_new();
    for (guint i = 0; kind->has_all_curves && i < parameters; i++) {
        const char *name = table->columns[i];
        gboolean fixed = FALSE;
        for (char **where = options->where; where != NULL && *where != NULL; where++)
            fixed = fixed || (g_str_has_prefix(*where, name) && (*where)[strlen(name)] == '=');
        if (!fixed && strcmp(name, options->x) != 0 && g_strcmp0(name, options->facet) != 0)
            g_ptr_array_add(by, g_strdup(name));
    }
    set_by(options, by);
}

static void keep_column(GPtrArray *kept, const char *name)
{
    if (name != NULL && !g_ptr_array_find_with_equal_func(kept, name, g_str_equal, NULL))
        g_ptr_array_add(kept, g_strdup(name));
}

/* Columns of one pattern become curves: y is their value, and their name is among the parameters.
 * Takes the table. */
static WsTable *spread_y(Options *options, WsTable *given, GError **error)
{
    g_autoptr(WsTable) table = given;
    g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func(g_free), by = g_ptr_array_new();
    if (strpbrk(options->y, "*?") == NULL)
        return g_steal_pointer(&table);
    keep_column(kept, options->x);
    keep_column(kept, options->facet);
    for (char **name = options->by; *name != NULL; name++) {
        keep_column(kept, *name);
        g_ptr_array_add(by, g_strdup(*name));
    }
    for (char **where = options->where; where != NULL && *where != NULL; where++) {
        g_autofree char *name = g_strndup(*where, strcspn(*where, "="));
        keep_column(kept, name);
    }
    g_ptr_array_add(kept, NULL);
    WsTable *rows = ws_table_unpivot(table, options->y, (char *const *)kept->pdata, error);
    if (options->title == NULL)
        options->title = g_strdup(options->y);
    options->pattern = g_steal_pointer(&options->y);
    options->y = g_strdup(WS_VALUE_COLUMN);
    g_ptr_array_add(by, g_strdup(WS_FIGURE_COLUMN));
    g_strfreev(options->by);
    set_by(options, by);
    return rows;
}

/* The rows that the chart is drawn from, the columns that have something in them. */
static WsTable *shown_table(const WsTable *table, const WsChart *chart)
{
    g_autoptr(GArray) rows = g_array_new(FALSE, TRUE, sizeof(gboolean));
    g_array_set_size(rows, table->rows->len);
    for (guint p = 0; p < chart->panels->len; p++) {
        const WsChartPanel *panel = g_ptr_array_index(chart->panels, p);
        for (guint c = 0; c < panel->curves->len; c++) {
            const WsChartCurve *curve = g_ptr_array_index(panel->curves, c);
            for (guint i = 0; !curve->is_reference && i < curve->points->len; i++)
                g_array_index(rows, gboolean, g_array_index(curve->points, WsChartPoint, i).row) =
                    TRUE;
        }
    }
    return ws_table_part(table, (const gboolean *)(const void *)rows->data);
}

static gboolean write_picture(const Options *options, const WsChart *chart, const char *terminal,
                              guint width, guint height, GError **error)
{
    g_autofree char *script = ws_gnuplot_script(chart, terminal, width, height);
    g_autoptr(GBytes) drawing = ws_gnuplot_run(script, options->output, error);
    if (drawing == NULL)
        return FALSE;
    gsize length;
    const char *data = g_bytes_get_data(drawing, &length);
    return ws_write_file(options->output, data, length, error);
}

static gboolean write_chart(const Options *options, const WsTable *table, const WsChart *chart,
                            GError **error)
{
    guint width, height;
    const WsPosition position = {.file = options->output};
    ws_gnuplot_size(chart, &width, &height);
    width = options->width > 0 ? (guint)options->width : width;
    height = options->height > 0 ? (guint)options->height : height;
    g_autofree char *terminal = ws_gnuplot_terminal(options->output, width, height);
    if (terminal != NULL)
        return write_picture(options, chart, terminal, width, height, error);
    if (g_str_has_suffix(options->output, ".html") && !ws_chart_page_is_built()) {
        ws_set_error_at(error, WS_ERROR_USAGE, &position,
                        "this warpstep was built where esbuild was not installed, and has no page; "
                        "apt-get install esbuild, and build it again");
        return FALSE;
    }
    g_autoptr(WsTable) shown = shown_table(table, chart);
    g_autofree char *text = g_str_has_suffix(options->output, ".html")
                                ? ws_chart_page(chart, shown, NULL)
                            : g_str_has_suffix(options->output, ".json") ? ws_chart_vega(chart)
                            : g_str_has_suffix(options->output, ".txt")
                                ? ws_chart_text(chart, WS_WIDTH_NO_TERMINAL, TEXT_ROWS)
                                : NULL;
    if (text != NULL)
        return ws_write_file(options->output, text, strlen(text), error);
    ws_set_error_at(error, WS_ERROR_USAGE, &position,
                    "the name must end in .svg, .png, .html, .json or .txt");
    return FALSE;
}

static gboolean add_marks(WsChart *chart, char *const *marks, GError **error)
{
    for (; marks != NULL && *marks != NULL; marks++) {
        char *end;
        double x = g_ascii_strtod(*marks, &end);
        if (end != *marks && isfinite(x) && (*end == '\0' || *end == '=') &&
            g_utf8_validate(end, -1, NULL) && chart->categories == NULL) {
            ws_chart_mark(chart, x, *end == '=' ? end + 1 : "");
            continue;
        }
        g_autofree char *shown = ws_printable(*marks);
        ws_set_error(error, WS_ERROR_USAGE, "--mark %s: %s", shown,
                     chart->categories != NULL ? "the x axis has texts, not numbers"
                                               : "X or X=TEXT is expected, with a number X");
        return FALSE;
    }
    return TRUE;
}

static int plot(const char *results, Options *options)
{
    GError *error = NULL;
    gboolean samples = ws_is_sample_file(results);
    g_autoptr(WsTable) table = ws_results_read(results, options->columns, &error);
    if (table == NULL)
        return ws_report_error(error);
    g_autoptr(WsTable) reference =
        options->reference == NULL ? NULL
                                   : ws_results_read(options->reference, options->columns, &error);
    if (error != NULL)
        return ws_report_error(error);
    const WsChartKind *kind =
        options->kind == NULL ? ws_chart_kinds[0] : ws_chart_kind(options->kind);
    if (samples)
        fill_in_samples(options, table);
    else
        fill_in(options, kind, table);
    table = spread_y(options, g_steal_pointer(&table), &error);
    if (table == NULL)
        return ws_report_error(error);
    const WsChartOptions chart_options = {
        .kind = kind,
        .title = options->title != NULL ? options->title : options->y,
        .x = options->x,
        .y = options->y,
        .by = options->by,
        .facet = options->facet,
        .where = options->where,
        .log_x = options->log != NULL && strchr(options->log, 'x') != NULL,
        .log_y = options->log != NULL && strchr(options->log, 'y') != NULL,
        .steps = samples && strcmp(options->x, "cycle") == 0,
        .relative_to = options->relative_to,
        .reference = reference,
    };
    g_autoptr(WsChart) chart = ws_chart_new(table, &chart_options, &error);
    if (chart == NULL || !add_marks(chart, options->marks, &error) ||
        (options->stack && !ws_chart_stack(chart, &error)))
        return ws_report_error(error);
    if (options->pattern != NULL) { /* which says more than the name of the column */
        g_free(chart->y_label);
        chart->y_label = g_strdup(options->pattern);
    }
    if (options->output == NULL) {
        g_autofree char *text = ws_chart_text(chart, (guint)ws_terminal_width(stdout), TEXT_ROWS);
        ws_put(text);
    } else if (!write_chart(options, table, chart, &error)) {
        return ws_report_error(error);
    }
    if (chart->note != NULL)
        printf("%s\n", chart->note);
    if (chart->stopped > 0)
        printf("omitted rows, of runs that did not complete: %u\n", chart->stopped);
    if (chart->wrong > 0)
        printf("rows of runs with wrong results, plotted nevertheless: %u\n", chart->wrong);
    if (chart->left_out > 0)
        printf("rows without a number to draw: %u\n", chart->left_out);
    return 0;
}

static int run(const WsCommand *command, char **arguments)
{
    static const char *const axes[] = {"x", "y", "xy", NULL};
#define KIND(name, summary) #name,
    static const char *const kind_names[] = {
#include "study/plot/chart_kinds.def"
        NULL};
#undef KIND
    g_auto(Options) options = {0};
    if (!parse(command, arguments, &options))
        return WS_ERROR_USAGE;
    if (options.kind != NULL && ws_find_choice("--kind", options.kind, kind_names) < 0)
        return WS_ERROR_USAGE;
    if (options.log != NULL && ws_find_choice("--log", options.log, axes) < 0)
        return WS_ERROR_USAGE;
    if (options.width < 0 || options.height < 0 || options.width > 10000 || options.height > 10000)
        return ws_usage_error("--width and --height: numbers from 1 to 10000 are expected");
    return plot(arguments[1], &options);
}

const WsCommand ws_command_plot = {
    .name = "plot",
    .group = WS_GROUP_STUDY,
    .summary = "plot the results of a sweep, or figures over time",
    .usage = "RESULTS",
    .details =
        "RESULTS is the folder of a sweep, a CSV file whose first line names the columns, or a\n"
        "file of samples (run --samples).\n"
        "Without FILE the chart is drawn with characters. FILE ends in .svg or .png (drawn by\n"
        "gnuplot), .html (a page with the chart and its table), .json (Vega-Lite) or .txt.\n"
        "\n"
        "Kinds of charts:\n"
#define KIND(name, summary) "  " #name ": " summary "\n"
#include "study/plot/chart_kinds.def"
#undef KIND
        "\n"
        "Examples:\n"
        "  warpstep sweep latency_hiding -P warps=1..64x2 -P policy=lrr,gto -o study\n"
        "  warpstep plot study\n"
        "  warpstep plot study --x warps --y ipc --by policy -o study.html\n"
        "  warpstep plot study --y cycles --relative-to policy=lrr -o study.json\n"
        "  warpstep plot study --kind heat -o study.svg\n"
        "  warpstep plot study --kind box --x policy --y cycles\n"
        "  warpstep run vecadd --sms 1 --samples samples.npz --sample-every 100\n"
        "  warpstep plot samples.npz --y 'stall_*' --stack -o stalls.html\n",
    .run = run,
};
