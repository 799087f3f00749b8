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

/* The script that draws a chart on `terminal`. g_free. */
char *ws_gnuplot_script(const WsChart *chart, const char *terminal);

/* Size in pixels that fits the chart's panels. */
void ws_gnuplot_size(const WsChart *chart, guint *ret_width, guint *ret_height);

#endif
