#include "cli/sweep_progress.h"

#include "cli/terminal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SHOWN_FAILURES = 10, SILENT_MICROSECONDS = 500000, BETWEEN_MICROSECONDS = 200000 };

struct WsSweepProgress {
    const WsStudy *study;
    gint64 start, last; /* microseconds */
    gboolean terminal, line;
    guint failures;
};

WsSweepProgress *ws_sweep_progress_new(const WsStudy *study)
{
    WsSweepProgress *progress = g_new0(WsSweepProgress, 1);
    progress->study = study;
    progress->start = g_get_monotonic_time();
    progress->terminal = isatty(STDERR_FILENO) != 0;
    return progress;
}

void ws_sweep_progress_free(WsSweepProgress *progress)
{
    g_free(progress);
}

static void clear_line(WsSweepProgress *progress)
{
    if (progress->line)
        fprintf(stderr, "\r%78s\r", "");
    progress->line = FALSE;
}

void ws_sweep_progress_show(void *data, const WsSweepCount *count)
{
    WsSweepProgress *progress = data;
    gint64 now = g_get_monotonic_time();
    if (!progress->terminal || now - progress->start < SILENT_MICROSECONDS ||
        now - progress->last < BETWEEN_MICROSECONDS || count->points == 0)
        return;
    double seconds = (double)(now - progress->start) / G_USEC_PER_SEC;
    double rate = count->done / seconds;
    fprintf(stderr, "\r  %u of %u points, %.1f a second, %u failed", count->done, count->points,
            rate, count->failed);
    if (rate > 0)
        fprintf(stderr, ", %.0f s left ", (count->points - count->done) / rate);
    fflush(stderr);
    progress->last = now;
    progress->line = TRUE;
}

void ws_sweep_progress_failure(void *data, guint point, const char *status, const char *message)
{
    WsSweepProgress *progress = data;
    if (++progress->failures > SHOWN_FAILURES)
        return;
    clear_line(progress);
    g_autofree char *name = ws_study_point_name(progress->study, point);
    g_autofree char *text = g_strdup_printf("point %u (%s): %s%s%s", point, name, status,
                                            message[0] != '\0' ? ": " : "", message);
    ws_print_message(text);
}

void ws_sweep_progress_end(WsSweepProgress *progress)
{
    clear_line(progress);
    if (progress->failures <= SHOWN_FAILURES)
        return;
    g_autofree char *text =
        g_strdup_printf("and %u more points that failed: see the table's column 'status'",
                        progress->failures - SHOWN_FAILURES);
    ws_print_message(text);
}
