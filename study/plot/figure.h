/*
 * A picture as shapes in the units of its axes: what a kind of chart makes of its points, and what
 * gnuplot and the page draw, neither of which knows kinds.
 */
#ifndef WS_STUDY_PLOT_FIGURE_H
#define WS_STUDY_PLOT_FIGURE_H

#include "study/plot/chart.h"

typedef enum { WS_FIGURE_RECTANGLE, WS_FIGURE_LINE, WS_FIGURE_DOT, WS_FIGURE_TEXT } WsFigureShape;

/* Colours beside those of the palette (0 and up). */
enum {
    WS_FIGURE_INK = -1,     /* of texts */
    WS_FIGURE_SCALE = -2,   /* by `value` */
    WS_FIGURE_MISSING = -3, /* of what has no value */
};

typedef struct {
    WsFigureShape shape;
    double x, y;   /* one corner, end, or the place */
    double x2, y2; /* the other corner or end */
    int colour;    /* a place in the palette, or one of the above */
    double value;  /* of WS_FIGURE_SCALE; of a text with `room`: that of the ground below it */
    gboolean pale; /* of a rectangle: what is on top of it shows */
    int side;      /* of a text: -1 ends at the place, 0 has it in the middle, 1 begins there */
    double room;   /* of a text: left out where it is wider than this on the x axis; 0: never */
    char *text;    /* of a text; else what a reader learns who points at it, or NULL */
} WsFigureMark;

typedef struct {
    char *name;    /* "latency=100"; "" for the only one */
    GArray *marks; /* of WsFigureMark, drawn in this order within a shape: rectangles are lowest,
                      then lines, dots, texts */
} WsFigurePanel;

typedef struct {
    char *label;
    char **names; /* NULL-terminated: the value i is the place of names[i]; NULL: numbers */
    double low, high;
    gboolean logarithmic;
} WsFigureAxis;

typedef struct {
    char *title;
    WsFigureAxis x, y;   /* the first name of y is on top */
    char *second_label;  /* of a second y axis, in per cent of `second_whole`; NULL: none */
    double second_whole; /* what is 100 % on it, in units of y */
    GPtrArray *panels;   /* of WsFigurePanel* */
    char *legend_label;
    char **legend; /* NULL-terminated: names of the first colours of the palette; may be empty */
    gboolean has_scale;
    WsFigureAxis scale;   /* its label and ends, where colours stand for numbers */
    gboolean has_missing; /* something is drawn in WS_FIGURE_MISSING */
} WsFigure;

/* Titles, labels and panels as the chart has them; axes and shapes are left to the kind. */
WsFigure *ws_figure_new(const WsChart *chart);
void ws_figure_free(WsFigure *figure);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsFigure, ws_figure_free)

/* Adds a mark, of which the text becomes the panel's: allocated, or NULL. */
void ws_figure_add(WsFigurePanel *panel, WsFigureMark mark);

/* An axis of places, whose names are copied; they stand at 0, 1, ... */
void ws_figure_name_axis(WsFigureAxis *axis, const char *label, char *const *names);

/* An axis of numbers. */
void ws_figure_number_axis(WsFigureAxis *axis, const char *label, double low, double high,
                           gboolean logarithmic);

/* Where a value is between the ends of an axis, 0 to 1. */
double ws_figure_share(const WsFigureAxis *axis, double value);

/* The legend: the chart's curves, where they have names. */
void ws_figure_name_curves(WsFigure *figure, const WsChart *chart);

/* Size in pixels that fits `panels` of them in `columns` beside each other. */
void ws_figure_size(const WsFigure *figure, guint *ret_width, guint *ret_height);

/* The script of gnuplot for a picture of that size. g_free. */
char *ws_figure_script(const WsFigure *figure, const char *terminal, guint width, guint height);

#endif
