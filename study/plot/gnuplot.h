/* Running gnuplot, which is optional: Debian's package gnuplot-nox. */
#ifndef WS_STUDY_PLOT_GNUPLOT_H
#define WS_STUDY_PLOT_GNUPLOT_H

#include "study/plot/chart.h"

#include <gio/gio.h>

/* "svg ..." or "pngcairo ..." for a file's name; NULL if it ends in neither .svg nor .png. g_free.
 */
char *ws_gnuplot_terminal(const char *path, guint width, guint height);

/*
 * What gnuplot draws for a script that writes to stdout; it goes through pipes, so that no file is
 * left behind. `path` is where it will go, for messages. Errors: WS_ERROR_INPUT.
 */
GBytes *ws_gnuplot_run(const char *script, const char *path, GError **error);

/* The script that draws a chart of that size on `terminal`. g_free. */
char *ws_gnuplot_script(const WsChart *chart, const char *terminal, guint width, guint height);

/* Size in pixels that fits the chart's panels. */
void ws_gnuplot_size(const WsChart *chart, guint *ret_width, guint *ret_height);

/* Parts of scripts: a text in single quotes without control characters (g_free); a number. */
char *ws_gnuplot_quoted(const char *text);
void ws_gnuplot_number(GString *out, double value);
/* A logarithmic axis: powers of two where that gives few numbers on it, else of ten. */
void ws_gnuplot_logarithm(GString *out, char axis, double least, double most);
/* Rows and columns of panels, as square as it gets. */
void ws_gnuplot_layout(guint panels, guint *ret_rows, guint *ret_columns);

#endif
