/* The curves "impact of varying ..." of `warpstep occupancy`: with characters, as CSV, by gnuplot.
 */
#include <string.h>

#include "cli/command.h"
#include "cli/report_occupancy.h"
#include "isa/base/error.h"
#include "sim/occupancy/curve.h"
#include "study/plot/gnuplot.h"

enum { PLOT_COLUMNS = 84, PLOT_ROWS = 8 };

static const WsCurvePoint *point_at(const GArray *points, guint i)
{
    return &g_array_index(points, WsCurvePoint, i);
}

/* Index of the point that stands for x. */
static guint nearest_point(const GArray *points, guint64 x)
{
    guint i = 0;
    while (i + 1 < points->len && point_at(points, i)->x < x)
        i++;
    return i;
}

/* One curve: a column for each slice of the points, a row for each slice of the warps. */
static void draw_curve(GString *out, const WsDevice *device, const WsOccupancyQuery *query,
                       WsCurveKind kind)
{
    g_autoptr(GArray) points = ws_occupancy_curve(device, query, kind);
    guint columns = MIN(points->len, PLOT_COLUMNS);
    guint here = nearest_point(points, ws_occupancy_curve_here(query, kind));
    guint here_column = (guint)((guint64)here * columns / points->len);
    guint64 most = device->max_warps_per_sm;
    g_string_append_printf(out, "\nwarps by %s (here: %" G_GUINT64_FORMAT ")\n",
                           ws_curve_label(kind), ws_occupancy_curve_here(query, kind));
    for (guint row = 0; row < PLOT_ROWS; row++) {
        guint64 low = most * (PLOT_ROWS - 1 - row) / PLOT_ROWS;
        guint64 high = most * (PLOT_ROWS - row) / PLOT_ROWS;
        g_string_append_printf(out, "%5" G_GUINT64_FORMAT " |", high);
        for (guint column = 0; column < columns; column++) {
            guint i =
                column == here_column ? here : (guint)((guint64)column * points->len / columns);
            guint32 warps = point_at(points, i)->warps_per_sm;
            gboolean top = warps > low && warps <= high;
            g_string_append_c(out, column == here_column && top ? 'O' : warps > low ? '#' : ' ');
        }
        while (out->str[out->len - 1] == ' ')
            g_string_truncate(out, out->len - 1);
        g_string_append_c(out, '\n');
    }
    g_string_append(out, "    0 +");
    for (guint column = 0; column < columns; column++)
        g_string_append_c(out, '-');
    g_autofree char *last =
        g_strdup_printf("%" G_GUINT64_FORMAT, point_at(points, points->len - 1)->x);
    g_string_append_printf(out, "\n       %-*" G_GUINT64_FORMAT "%s\n",
                           (int)columns - (int)strlen(last), point_at(points, 0)->x, last);
}

char *ws_occupancy_curves_text(const WsDevice *device, const WsOccupancyQuery *query)
{
    GString *out = g_string_new(NULL);
    for (guint kind = 0; kind < WS_CURVE_COUNT; kind++)
        draw_curve(out, device, query, kind);
    return g_string_free(out, FALSE);
}

char *ws_occupancy_curves_csv(const WsDevice *device, const WsOccupancyQuery *query)
{
    GString *out = g_string_new("curve,x,warps_per_sm,occupancy,current\n");
    for (guint kind = 0; kind < WS_CURVE_COUNT; kind++) {
        g_autoptr(GArray) points = ws_occupancy_curve(device, query, kind);
        guint here = nearest_point(points, ws_occupancy_curve_here(query, kind));
        for (guint i = 0; i < points->len; i++) {
            char number[G_ASCII_DTOSTR_BUF_SIZE];
            double occupancy =
                (double)point_at(points, i)->warps_per_sm / (double)device->max_warps_per_sm;
            g_string_append_printf(out, "%s,%" G_GUINT64_FORMAT ",%u,%s,%d\n", ws_curve_name(kind),
                                   point_at(points, i)->x, point_at(points, i)->warps_per_sm,
                                   g_ascii_formatd(number, sizeof number, "%.6g", occupancy),
                                   i == here);
        }
    }
    return g_string_free(out, FALSE);
}

/* ---- gnuplot ------------------------------------------------------------------------------------
 */

static void add_data(GString *script, const WsDevice *device, const WsOccupancyQuery *query)
{
    for (guint kind = 0; kind < WS_CURVE_COUNT; kind++) {
        g_autoptr(GArray) points = ws_occupancy_curve(device, query, kind);
        guint here = nearest_point(points, ws_occupancy_curve_here(query, kind));
        g_string_append_printf(script, "$%s << EOD\n", ws_curve_name(kind));
        for (guint i = 0; i < points->len; i++)
            g_string_append_printf(script, "%" G_GUINT64_FORMAT " %u\n", point_at(points, i)->x,
                                   point_at(points, i)->warps_per_sm);
        g_string_append_printf(script, "EOD\n$%s_here << EOD\n%" G_GUINT64_FORMAT " %u\nEOD\n",
                               ws_curve_name(kind), ws_occupancy_curve_here(query, kind),
                               point_at(points, here)->warps_per_sm);
    }
}

static char *make_script(const WsDevice *device, const WsOccupancyQuery *query,
                         const char *terminal)
{
    GString *script = g_string_new(NULL);
    add_data(script, device, query);
    g_string_append_printf(
        script,
        "set terminal %s\nset multiplot layout 3,1\n"
        "set ylabel 'warps per SM'\nset grid\nset key off\n"
        "set yrange [0:%" G_GUINT64_FORMAT "]\nset ytics %" G_GUINT64_FORMAT "\n",
        terminal, device->max_warps_per_sm + 4, MAX(device->max_warps_per_sm / 4, 1));
    for (guint kind = 0; kind < WS_CURVE_COUNT; kind++)
        g_string_append_printf(
            script,
            "set title 'Impact of varying %s'\nset xlabel '%s'\n"
            "plot $%s with steps linewidth 2 linecolor rgb '#0072b2', "
            "$%s_here with points pointtype 7 pointsize 1.5 linecolor rgb '#d55e00'\n",
            ws_curve_label(kind), ws_curve_label(kind), ws_curve_name(kind), ws_curve_name(kind));
    g_string_append(script, "unset multiplot\n");
    return g_string_free(script, FALSE);
}

gboolean ws_occupancy_plot(const WsDevice *device, const WsOccupancyQuery *query, const char *path,
                           GError **error)
{
    WsPosition position = {.file = path};
    g_autofree char *terminal = ws_gnuplot_terminal(path, 800, 900);
    if (terminal == NULL) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "the name must end in .svg or .png");
        return FALSE;
    }
    g_autofree char *script = make_script(device, query, terminal);
    g_autoptr(GBytes) drawing = ws_gnuplot_run(script, path, error);
    if (drawing == NULL)
        return FALSE;
    gsize length;
    const char *data = g_bytes_get_data(drawing, &length);
    return ws_write_file(path, data, length, error);
}
