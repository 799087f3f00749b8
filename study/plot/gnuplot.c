#include "study/plot/gnuplot.h"

#include "isa/base/error.h"

#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

char *ws_gnuplot_terminal(const char *path, guint width, guint height)
{
    if (g_str_has_suffix(path, ".svg"))
        return g_strdup_printf("svg size %u,%u background 'white'", width, height);
    if (g_str_has_suffix(path, ".png"))
        return g_strdup_printf("pngcairo size %u,%u", width, height);
    return NULL;
}

static void end_with_parent(gpointer data)
{
    (void)data;
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

GBytes *ws_gnuplot_run(const char *script, const char *path, GError **error)
{
    WsPosition position = {.file = path};
    g_autofree char *program = g_find_program_in_path("gnuplot");
    if (program == NULL) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "gnuplot is not installed (Debian package gnuplot-nox: apt-get install "
                        "gnuplot-nox); text charts do not need it");
        return NULL;
    }
    g_autoptr(GError) failure = NULL;
    g_autoptr(GSubprocessLauncher) launcher =
        g_subprocess_launcher_new(G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                                  G_SUBPROCESS_FLAGS_STDERR_PIPE);
    g_subprocess_launcher_set_child_setup(launcher, end_with_parent, NULL, NULL);
    g_autoptr(GSubprocess) process =
        g_subprocess_launcher_spawn(launcher, &failure, program, "-", NULL);
    g_autoptr(GBytes) input = g_bytes_new(script, strlen(script));
    g_autoptr(GBytes) drawing = NULL, messages = NULL;
    if (process != NULL &&
        g_subprocess_communicate(process, input, NULL, &drawing, &messages, &failure) &&
        g_subprocess_get_successful(process) && g_bytes_get_size(drawing) > 0)
        return g_steal_pointer(&drawing);
    gsize length = 0;
    const char *said = messages == NULL ? NULL : g_bytes_get_data(messages, &length);
    g_autofree char *copy = g_strndup(said != NULL ? said : "", length);
    g_autofree char *text = ws_printable(failure != NULL ? failure->message : g_strchug(copy));
    ws_set_error_at(error, WS_ERROR_INPUT, &position, "gnuplot failed: %s",
                    text[0] != '\0' ? text : "it drew nothing");
    return NULL;
}

/* ---- the script -------------------------------------------------------------------------------
 */

/* Colours that people with any kind of colour vision can tell apart (Okabe and Ito). */
static const char *const colours[] = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#f0e442",
    /* lighter: for bands, of which there are more */
    "#7fb8d8", "#eaae7f", "#7fcfb9", "#e5bcd3", "#f2cf7f", "#aad9f4", "#999999", "#f7f1a0"};

/* In single quotes, control characters left out. */
static char *quoted(const char *text)
{
    GString *out = g_string_new("'");
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            g_string_append(out, "''");
        else if (!g_ascii_iscntrl(*text))
            g_string_append_c(out, *text);
    }
    g_string_append_c(out, '\'');
    return g_string_free(out, FALSE);
}

static void add_number(GString *out, double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_c(out, ' ');
    g_string_append(out, g_ascii_formatd(text, sizeof text, "%.9g", value));
}

static void add_data(GString *out, const WsChart *chart)
{
    for (guint p = 0; p < chart->panels->len; p++) {
        const WsChartPanel *panel = g_ptr_array_index(chart->panels, p);
        for (guint c = 0; c < panel->curves->len; c++) {
            const WsChartCurve *curve = g_ptr_array_index(panel->curves, c);
            g_string_append_printf(out, "$d%u_%u << EOD\n", p, c);
            for (guint i = 0; i < curve->points->len; i++) {
                const WsChartPoint *point = &g_array_index(curve->points, WsChartPoint, i);
                add_number(out,
                           point->x +
                               (ws_chart_has_bars(chart) ? ws_chart_bar_offset(chart, curve) : 0));
                add_number(out, point->y);
                g_string_append_c(out, '\n');
                if (!chart->stacked || i + 1 == curve->points->len)
                    continue;
                add_number(out, point[1].x); /* bands have steps too */
                add_number(out, point->y);
                g_string_append_c(out, '\n');
            }
            g_string_append(out, "EOD\n");
        }
    }
}

/* Powers of two where that gives few numbers on the axis, else of ten. */
static void add_logarithm(GString *out, char axis, double least, double most)
{
    enum { MOST_DOUBLINGS = 10 };
    g_string_append_printf(out, "set logscale %c %d\n", axis,
                           most <= least * (1 << MOST_DOUBLINGS) ? 2 : 10);
}

/* As square as it gets. */
static void layout(const WsChart *chart, guint *ret_rows, guint *ret_columns)
{
    guint columns = 1;
    while (columns * columns < chart->panels->len && columns < 3)
        columns++;
    *ret_columns = columns;
    *ret_rows = (chart->panels->len + columns - 1) / columns;
}

/* Names that do not fit beside each other stand slanted. */
static void add_categories(GString *out, const WsChart *chart)
{
    enum { CHARACTERS_OF_AXIS = 80 };
    guint count = g_strv_length(chart->categories), longest = 0, rows, columns;
    layout(chart, &rows, &columns);
    g_string_append(out, "set xtics (");
    for (guint i = 0; i < count; i++) {
        g_autofree char *name = quoted(chart->categories[i]);
        g_string_append_printf(out, "%s%s %u", i == 0 ? "" : ", ", name, i);
        longest = MAX(longest, (guint)g_utf8_strlen(chart->categories[i], -1));
    }
    g_string_append_printf(
        out, ") noenhanced%s\nset xrange [-0.5:%u.5]\n",
        (longest + 1) * count * columns > CHARACTERS_OF_AXIS ? " rotate by -30 left" : "",
        count - 1);
    if (!ws_chart_has_bars(chart))
        return;
    g_string_append(out, "set style fill solid\nset boxwidth");
    add_number(out, ws_chart_bar_width(chart));
    g_string_append(out, " absolute\n");
}

static void add_axes(GString *out, const WsChart *chart)
{
    g_autofree char *x = quoted(chart->x_label), *y = quoted(chart->y_label);
    g_string_append_printf(out, "set xlabel %s noenhanced\nset ylabel %s noenhanced\nset grid\n", x,
                           y);
    WsChartRange range = ws_chart_range(chart);
    if (chart->log_x)
        add_logarithm(out, 'x', range.x_min, range.x_max);
    if (chart->log_y)
        add_logarithm(out, 'y', range.y_min, range.y_max);
    else if (range.y_max > range.y_min) {
        g_string_append(out, "set yrange [");
        add_number(out, range.y_min);
        g_string_append(out, ":");
        add_number(out, range.y_max * 1.05);
        g_string_append(out, "]\n");
    }
    if (chart->categories != NULL)
        add_categories(out, chart);
}

enum { LOWEST_WORDS = 3, LEVELS = 3, BETWEEN_LEVELS = 32 }; /* hundredths of the height */

/* Lines from the bottom to the top, each with its words along it. */
static void add_marks(GString *out, const WsChart *chart)
{
    for (guint i = 0; i < chart->marks->len; i++) {
        const WsChartMark *mark = &g_array_index(chart->marks, WsChartMark, i);
        g_autofree char *text = quoted(mark->text);
        g_string_append(out, "set arrow from first");
        add_number(out, mark->x);
        g_string_append(out, ", graph 0 to first");
        add_number(out, mark->x);
        g_string_append(out, ", graph 1 nohead dashtype 2 linecolor rgb '#666666'\nset label ");
        g_string_append_printf(out, "%s at first", text);
        add_number(out, mark->x);
        /* at different heights, so that neighbours can be read */
        g_string_append_printf(out,
                               ", graph 0.%02u rotate by 90 offset character 0.8, 0 noenhanced "
                               "textcolor rgb '#444444'\n",
                               LOWEST_WORDS + i % LEVELS * BETWEEN_LEVELS);
    }
}

static const char *style_of(const WsChart *chart, const WsChartCurve *curve)
{
    return curve->is_reference && ws_chart_has_bars(chart)
               ? "points pointtype 6 pointsize 1.2 linewidth 2"
           : curve->is_reference       ? "points pointtype 6 pointsize 1.2"
           : ws_chart_has_bars(chart)  ? "boxes"
           : chart->stacked            ? "filledcurves y1=0 fillstyle solid noborder"
           : chart->steps              ? "steps linewidth 2"
           : chart->categories != NULL ? "points pointtype 7 pointsize 1"
                                       : "linespoints linewidth 2 pointtype 7 pointsize 0.5";
}

static void add_panel(GString *out, const WsChart *chart, guint p)
{
    const WsChartPanel *panel = g_ptr_array_index(chart->panels, p);
    g_autofree char *name = quoted(*panel->name != '\0' ? panel->name : chart->title);
    g_string_append_printf(out, "set title %s noenhanced\n", name);
    g_autofree char *label = quoted(chart->curves_label);
    if (chart->names->len > 1 || panel->curves->len > 1)
        g_string_append_printf(out, "set key outside right noenhanced title %s noenhanced\n",
                               label);
    else
        g_string_append(out, "set key off\n");
    for (guint n = 0; n < panel->curves->len; n++) {
        guint c = chart->stacked ? panel->curves->len - 1 - n : n; /* the lower bands in front */
        const WsChartCurve *curve = g_ptr_array_index(panel->curves, c);
        g_autofree char *title = quoted(curve->name);
        g_string_append_printf(out, "%s $d%u_%u using 1:2 with %s linecolor rgb '%s' title %s",
                               n == 0 ? "plot" : ",", p, c, style_of(chart, curve),
                               /* a point on a bar of its own colour would not be seen */
                               curve->is_reference && ws_chart_has_bars(chart)
                                   ? "#000000"
                                   : colours[curve->place % G_N_ELEMENTS(colours)],
                               title);
    }
    g_string_append_c(out, '\n');
}

void ws_gnuplot_size(const WsChart *chart, guint *ret_width, guint *ret_height)
{
    guint rows, columns;
    layout(chart, &rows, &columns);
    *ret_width = columns == 1 ? 800 : 480 * columns;
    *ret_height = rows == 1 ? 480 : 360 * rows;
}

char *ws_gnuplot_script(const WsChart *chart, const char *terminal)
{
    GString *out = g_string_new(NULL);
    guint rows, columns;
    layout(chart, &rows, &columns);
    add_data(out, chart);
    g_autofree char *title = quoted(chart->title);
    g_string_append_printf(out, "set terminal %s\n", terminal);
    add_axes(out, chart);
    add_marks(out, chart);
    if (chart->panels->len > 1)
        g_string_append_printf(out, "set multiplot layout %u,%u title %s noenhanced\n", rows,
                               columns, title);
    for (guint p = 0; p < chart->panels->len; p++)
        add_panel(out, chart, p);
    if (chart->panels->len > 1)
        g_string_append(out, "unset multiplot\n");
    return g_string_free(out, FALSE);
}
