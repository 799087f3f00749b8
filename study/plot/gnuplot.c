#include "study/plot/gnuplot.h"

#include "isa/base/error.h"
#include "study/plot/chart_kind.h"
#include "study/plot/curves.h"
#include "study/plot/figure.h"

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

/* ---- parts of scripts -------------------------------------------------------------------------
 */

char *ws_gnuplot_quoted(const char *text)
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

void ws_gnuplot_number(GString *out, double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_c(out, ' ');
    g_string_append(out, g_ascii_formatd(text, sizeof text, "%.9g", value));
}

void ws_gnuplot_logarithm(GString *out, char axis, double least, double most)
{
    enum { MOST_DOUBLINGS = 10 };
    g_string_append_printf(out, "set logscale %c %d\n", axis,
                           most <= least * (1 << MOST_DOUBLINGS) ? 2 : 10);
}

void ws_gnuplot_layout(guint panels, guint *ret_rows, guint *ret_columns)
{
    guint columns = 1;
    while (columns * columns < panels && columns < 3)
        columns++;
    *ret_columns = columns;
    *ret_rows = (panels + columns - 1) / columns;
}

/* ---- charts -----------------------------------------------------------------------------------
 */

void ws_gnuplot_size(const WsChart *chart, guint *ret_width, guint *ret_height)
{
    g_autoptr(WsFigure) figure = chart->kind->figure == NULL ? NULL : chart->kind->figure(chart);
    if (figure == NULL)
        ws_curves_size(chart, ret_width, ret_height);
    else
        ws_figure_size(figure, ret_width, ret_height);
}

char *ws_gnuplot_script(const WsChart *chart, const char *terminal, guint width, guint height)
{
    g_autoptr(WsFigure) figure = chart->kind->figure == NULL ? NULL : chart->kind->figure(chart);
    return figure == NULL ? ws_curves_script(chart, terminal)
                          : ws_figure_script(figure, terminal, width, height);
}
