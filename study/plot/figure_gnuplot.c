/* A figure as a script of gnuplot: a plot for each shape, its marks as data with their colours. */
#include "study/plot/figure.h"
#include "study/plot/gnuplot.h"
#include "study/plot/palette.h"
#include "study/results/aligned_text.h"

#include <math.h>

enum {
    CHARACTER = 7, /* pixels of the width of one, on average */
    FRAME = 150,   /* beside what is drawn: numbers, labels, a colour scale */
    ROW = 30,      /* of a place of the y axis */
    SCALE = 60,    /* the numbers of a colour scale */
    LEGEND = 50,   /* below the drawing */
    FIELD = 240,   /* the least width of what is drawn */
    COLUMN = 46,   /* of a place of the x axis */
    WIDEST = 2400,
    TALLEST = 3000,
};

static guint longest(char *const *names)
{
    guint most = 0;
    for (; names != NULL && *names != NULL; names++)
        most = MAX(most, ws_characters(*names));
    return most;
}

/* Where the names of rows already take the width. */
static gboolean is_legend_below(const WsFigure *figure)
{
    return figure->legend[0] != NULL && figure->y.names != NULL;
}

/* Pixels beside the drawing from left to right; to the right are a legend, a scale, an axis. */
static guint beside(const WsFigure *figure)
{
    guint legend = MAX(longest(figure->legend), ws_characters(figure->legend_label));
    return FRAME + (figure->has_scale ? SCALE : 0) +
           CHARACTER * (longest(figure->y.names) +
                        (figure->y.names == NULL && legend > 0 ? legend + 4 : 0));
}

/* Whether names stand slanted, for they do not fit beside each other. */
static gboolean is_slanted(const WsFigureAxis *x, guint pixels)
{
    return x->names != NULL &&
           (longest(x->names) + 1) * CHARACTER * g_strv_length(x->names) > pixels;
}

void ws_figure_size(const WsFigure *figure, guint *ret_width, guint *ret_height)
{
    guint rows, columns;
    ws_gnuplot_layout(figure->panels->len, &rows, &columns);
    guint width = columns == 1 ? 800 : 480, height = rows == 1 ? 480 : 360;
    if (figure->x.names != NULL)
        width = MAX(width, beside(figure) + MAX(COLUMN * g_strv_length(figure->x.names), FIELD));
    if (figure->y.names != NULL)
        height = MAX(260, FRAME + (figure->legend[0] != NULL ? LEGEND : 0) +
                              ROW * g_strv_length(figure->y.names));
    if (is_slanted(&figure->x, width - beside(figure)))
        height += 4 * longest(figure->x.names);
    *ret_width = MIN(width * columns, WIDEST);
    *ret_height = MIN(height * rows, TALLEST);
}

/* ---- axes -------------------------------------------------------------------------------------
 */

static void add_names(GString *out, char axis, char *const *names, gboolean slanted)
{
    g_string_append_printf(out, "set %ctics (", axis);
    for (guint i = 0; names[i] != NULL; i++) {
        g_autofree char *name = ws_gnuplot_quoted(names[i]);
        g_string_append_printf(out, "%s%s %u", i == 0 ? "" : ", ", name, i);
    }
    g_string_append_printf(out, ") nomirror noenhanced%s\n",
                           slanted       ? " rotate by 35 right"
                           : axis == 'y' ? " scale 0"
                                         : "");
}

static void add_range(GString *out, const char *axis, double low, double high)
{
    g_string_append_printf(out, "set %srange [", axis);
    ws_gnuplot_number(out, low);
    g_string_append(out, ":");
    ws_gnuplot_number(out, high);
    g_string_append(out, "]\n");
}

static void add_axis(GString *out, char letter, const WsFigureAxis *axis, guint pixels)
{
    const char name[] = {letter, '\0'};
    g_autofree char *label = ws_gnuplot_quoted(axis->label);
    g_string_append_printf(out, "set %slabel %s noenhanced\n", name, label);
    if (axis->logarithmic)
        ws_gnuplot_logarithm(out, letter, axis->low, axis->high);
    /* the first name of the y axis is on top */
    if (letter == 'y' && axis->names != NULL)
        add_range(out, name, axis->high, axis->low);
    else
        add_range(out, name, axis->low, axis->high);
    if (axis->names != NULL)
        add_names(out, letter, axis->names, letter == 'x' && is_slanted(axis, pixels));
}

static void add_scale(GString *out, const WsFigure *figure)
{
    g_autofree char *label = ws_gnuplot_quoted(figure->scale.label);
    g_string_append(out, "set palette defined (");
    for (guint i = 0; i < WS_SCALE_COLOURS; i++)
        g_string_append_printf(out, "%s%u '%s'", i == 0 ? "" : ", ", i, ws_scale_colour(i));
    g_string_append_printf(out, ")\nset cblabel %s noenhanced\n", label);
    if (figure->scale.logarithmic)
        g_string_append(out, "set logscale cb\n");
    add_range(out, "cb", figure->scale.low, figure->scale.high);
}

/* Characters in front of the drawing, so that no slanted name begins outside of the picture. */
static guint left_margin(const WsFigure *figure, guint pixels)
{
    const double slope = 0.82; /* cosine of 35 degrees */
    guint count = g_strv_length(figure->x.names);
    double most = longest(figure->y.names) + 9;
    for (guint i = 0; i < count; i++)
        most = MAX(most, slope * ws_characters(figure->x.names[i]) -
                             (i + 0.5) * pixels / count / CHARACTER);
    return (guint)ceil(most);
}

static void add_axes(GString *out, const WsFigure *figure, guint pixels)
{
    gboolean places = figure->x.names != NULL && figure->y.names != NULL;
    add_axis(out, 'x', &figure->x, pixels);
    add_axis(out, 'y', &figure->y, pixels);
    g_string_append(out, places                    ? "set tics scale 0\n"
                         : figure->x.names == NULL ? "set grid xtics\n"
                                                   : "set grid ytics\n");
    if (figure->has_scale)
        add_scale(out, figure);
    if (is_slanted(&figure->x, pixels))
        g_string_append_printf(out, "set lmargin %u\n", left_margin(figure, pixels));
    if (is_legend_below(figure))
        g_string_append(out, "set bmargin 6.5\n");
    if (figure->second_label == NULL)
        return;
    g_autofree char *label = ws_gnuplot_quoted(figure->second_label);
    g_string_append_printf(out,
                           "set y2label %s noenhanced\nset ytics nomirror\nset y2tics 20 format "
                           "'%%g %%%%'\n",
                           label);
    add_range(out, "y2", 100 * figure->y.low / figure->second_whole,
              100 * figure->y.high / figure->second_whole);
}

/* ---- marks ------------------------------------------------------------------------------------
 */

enum { INK = 0x222222, MISSING = 0xdddddd, WHITE = 0xffffff, BLACK = 0 };

static guint32 colour_of(const WsFigure *figure, const WsFigureMark *mark)
{
    if (mark->colour >= 0)
        return (guint32)g_ascii_strtoull(ws_palette_colour((guint)mark->colour) + 1, NULL, 16);
    if (mark->colour == WS_FIGURE_MISSING)
        return MISSING;
    /* on its ground */
    if (mark->colour == WS_FIGURE_SCALE && mark->shape == WS_FIGURE_TEXT)
        return ws_scale_is_light(ws_figure_share(&figure->scale, mark->value)) ? BLACK : WHITE;
    return mark->colour == WS_FIGURE_SCALE
               ? ws_scale_at(ws_figure_share(&figure->scale, mark->value))
               : INK;
}

/* One way to draw marks: which they are, and gnuplot's words for it. */
typedef struct {
    const char *name;
    WsFigureShape shape;
    gboolean pale;
    int side;
    const char *style;
} Layer;

static const Layer layers[] = {
    {"r", WS_FIGURE_RECTANGLE, FALSE, 0,
     "using 1:2:3:4:5:6:7 with boxxyerror fillstyle solid noborder linecolor rgb variable"},
    {"p", WS_FIGURE_RECTANGLE, TRUE, 0,
     "using 1:2:3:4:5:6:7 with boxxyerror fillstyle transparent solid 0.45 border linecolor rgb "
     "'#444444' linecolor rgb variable"},
    {"l", WS_FIGURE_LINE, FALSE, 0,
     "using 1:2:3:4:5 with vectors nohead linewidth 1.6 linecolor rgb variable"},
    {"o", WS_FIGURE_DOT, FALSE, 0,
     "using 1:2:3 with points pointtype 7 pointsize 0.6 linecolor rgb variable"},
    {"t", WS_FIGURE_TEXT, FALSE, 0,
     "using 1:2:3:4 with labels center noenhanced textcolor rgb variable"},
    {"u", WS_FIGURE_TEXT, FALSE, 1,
     "using 1:2:3:4 with labels left offset character 0.6, 0 noenhanced textcolor rgb variable"},
    {"s", WS_FIGURE_TEXT, FALSE, -1,
     "using 1:2:3:4 with labels right offset character -0.6, 0 noenhanced textcolor rgb variable"},
};

static gboolean is_of(const WsFigure *figure, const Layer *layer, const WsFigureMark *mark,
                      guint pixels)
{
    double room = mark->room / (figure->x.high - figure->x.low) * pixels;
    return mark->shape == layer->shape && mark->pale == layer->pale && mark->side == layer->side &&
           (mark->room == 0 || ws_characters(mark->text) * CHARACTER < room);
}

static void add_line(GString *out, const WsFigure *figure, const WsFigureMark *mark)
{
    ws_gnuplot_number(out, mark->shape == WS_FIGURE_RECTANGLE ? (mark->x + mark->x2) / 2 : mark->x);
    ws_gnuplot_number(out, mark->shape == WS_FIGURE_RECTANGLE ? (mark->y + mark->y2) / 2 : mark->y);
    if (mark->shape == WS_FIGURE_RECTANGLE) {
        ws_gnuplot_number(out, MIN(mark->x, mark->x2));
        ws_gnuplot_number(out, MAX(mark->x, mark->x2));
        ws_gnuplot_number(out, MIN(mark->y, mark->y2));
        ws_gnuplot_number(out, MAX(mark->y, mark->y2));
    } else if (mark->shape == WS_FIGURE_LINE) {
        ws_gnuplot_number(out, mark->x2 - mark->x);
        ws_gnuplot_number(out, mark->y2 - mark->y);
    } else if (mark->shape == WS_FIGURE_TEXT) {
        /* in double quotes, as data has it */
        g_autofree char *plain = g_strdup(mark->text);
        g_string_append_printf(out, " \"%s\"", g_strdelimit(plain, "\"\\\n\r\t", ' '));
    }
    g_string_append_printf(out, " %u\n", colour_of(figure, mark));
}

static void add_layers(GString *out, GString *plots, const WsFigure *figure, guint p, guint pixels)
{
    const WsFigurePanel *panel = g_ptr_array_index(figure->panels, p);
    for (guint i = 0; i < G_N_ELEMENTS(layers); i++) {
        g_autoptr(GString) data = g_string_new(NULL);
        for (guint m = 0; m < panel->marks->len; m++) {
            const WsFigureMark *mark = &g_array_index(panel->marks, WsFigureMark, m);
            if (is_of(figure, &layers[i], mark, pixels))
                add_line(data, figure, mark);
        }
        if (data->len == 0)
            continue;
        g_string_append_printf(out, "$%s%u << EOD\n%sEOD\n", layers[i].name, p, data->str);
        g_string_append_printf(plots, "%s $%s%u %s notitle", plots->len == 0 ? "plot" : ",",
                               layers[i].name, p, layers[i].style);
    }
}

/* ---- the whole --------------------------------------------------------------------------------
 */

/* Squares of the colours, from points that are nowhere. */
static void add_legend(GString *plots, const WsFigure *figure)
{
    for (guint i = 0; figure->legend[i] != NULL; i++) {
        g_autofree char *name = ws_gnuplot_quoted(figure->legend[i]);
        g_string_append_printf(plots,
                               ", NaN with points pointtype 5 pointsize 1.2 linecolor rgb '%s' "
                               "title %s",
                               ws_palette_colour(i), name);
    }
    if (figure->has_missing)
        g_string_append_printf(plots, ", NaN with points pointtype 5 pointsize 1.6 linecolor rgb "
                                      "'#dddddd' title 'no value'");
    if (figure->has_scale)
        g_string_append(plots, ", NaN with points palette notitle");
}

/* In double quotes, in lines that fit. g_free. */
static char *wrapped(const char *text, guint pixels)
{
    GString *out = g_string_new("\"");
    g_auto(GStrv) words = g_strsplit_set(text, " \"\\\n\r\t", -1);
    guint line = 0;
    for (guint i = 0; words[i] != NULL; i++) {
        guint length = ws_characters(words[i]);
        gboolean next = line > 0 && (line + 1 + length) * CHARACTER > pixels;
        g_string_append_printf(out, "%s%s", i == 0 ? "" : next ? "\\n" : " ", words[i]);
        line = next ? length : line + length + 1;
    }
    g_string_append_c(out, '"');
    return g_string_free(out, FALSE);
}

static void add_panel(GString *out, const WsFigure *figure, guint p, guint pixels)
{
    const WsFigurePanel *panel = g_ptr_array_index(figure->panels, p);
    g_autofree char *name = wrapped(*panel->name != '\0' ? panel->name : figure->title, pixels);
    g_autofree char *label = ws_gnuplot_quoted(figure->legend_label);
    g_autoptr(GString) plots = g_string_new(NULL);
    add_layers(out, plots, figure, p, pixels);
    add_legend(plots, figure);
    g_string_append_printf(out, "set title %s noenhanced\n", name);
    if (is_legend_below(figure))
        g_string_append(out,
                        "set key at screen 0.5, screen 0.02 center bottom horizontal noenhanced "
                        "maxrows 1 samplen 1\n");
    else if (figure->legend[0] != NULL)
        g_string_append_printf(out, "set key outside right noenhanced title %s noenhanced\n",
                               label);
    else if (figure->has_missing)
        g_string_append(out, "set key outside bottom right noenhanced\n");
    else
        g_string_append(out, "set key off\n");
    g_string_append_printf(out, "%s\n", plots->str);
}

char *ws_figure_script(const WsFigure *figure, const char *terminal, guint width, guint height)
{
    GString *out = g_string_new(NULL);
    guint rows, columns;
    ws_gnuplot_layout(figure->panels->len, &rows, &columns);
    guint pixels = MAX(width / columns, beside(figure) + CHARACTER) - beside(figure);
    g_autofree char *title = wrapped(figure->title, width);
    /* at the size that a picture has in a page, its letters are too large without */
    g_string_append_printf(out, "set terminal %s%s\n", terminal,
                           g_str_has_prefix(terminal, "pngcairo") ? " font ',9'" : "");
    add_axes(out, figure, pixels);
    if (figure->panels->len > 1)
        g_string_append_printf(out, "set multiplot layout %u,%u title %s noenhanced\n", rows,
                               columns, title);
    for (guint p = 0; p < figure->panels->len; p++)
        add_panel(out, figure, p, pixels);
    if (figure->panels->len > 1)
        g_string_append(out, "unset multiplot\n");
    return g_string_free(out, FALSE);
}
