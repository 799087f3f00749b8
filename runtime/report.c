/*
 * What a program's launches came to, at its end: WARPSTEP_REPORT=text (on standard error),
 * json:FILE, or html:FILE, the page of one launch, the first or that of WARPSTEP_KERNEL=NAME[,NTH].
 */
#include "runtime/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *file_of(const WsRuntime *runtime, const char *kind)
{
    return runtime->report != NULL && g_str_has_prefix(runtime->report, kind)
               ? runtime->report + strlen(kind)
               : NULL;
}

static gboolean write_file(const char *path, const char *text)
{
    g_autoptr(GError) error = NULL;
    if (g_file_set_contents(path, text, -1, &error))
        return TRUE;
    fprintf(stderr, "warpstep: error: WARPSTEP_REPORT: %s\n", error->message);
    return FALSE;
}

/* The first reason is that a warp issues. */
static void find_wait(WsRuntime *runtime, WsLaunchNote *note)
{
    for (unsigned reason = 1; warpstep_stall_name(reason) != NULL; reason++) {
        const guint64 cycles = warpstep_stall_cycles(runtime->gpu, 0, reason);
        if (cycles <= note->wait_cycles)
            continue;
        note->wait_cycles = cycles;
        note->wait = warpstep_stall_name(reason);
    }
}

void ws_report_launch(WsRuntime *runtime, const char *kernel, WsDim3 grid, WsDim3 block,
                      gboolean selected)
{
    const warpstep_figures *figures = warpstep_figures_of(runtime->gpu, 0);
    if (runtime->report == NULL)
        return;
    const char *page = file_of(runtime, "html:");
    if (page != NULL && selected && !runtime->has_page && warpstep_html(runtime->gpu) != NULL) {
        runtime->has_page = TRUE;
        write_file(page, warpstep_html(runtime->gpu));
        warpstep_record_page(runtime->gpu, 0); /* it slows the others down */
    }
    WsLaunchNote *note = g_new0(WsLaunchNote, 1);
    note->kernel = g_strdup(kernel);
    note->grid = grid;
    note->block = block;
    note->is_timed = warpstep_is_timed(runtime->gpu) != 0;
    note->cycles = warpstep_estimated_cycles(runtime->gpu, 0);
    if (figures != NULL)
        note->figures = *figures;
    find_wait(runtime, note);
    if (file_of(runtime, "json:") != NULL)
        note->json = g_strdup(warpstep_json(runtime->gpu));
    g_ptr_array_add(runtime->launches, note);
}

/* ---- at the end --------------------------------------------------------------------------------
 */

/* To a file, or on standard error. */
static void write_text(const WsRuntime *runtime, const char *path)
{
    guint timed = 0;
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_append_printf(text, "%-32s %-18s %-14s %12s %16s  %s\n", "kernel", "grid", "block",
                           "cycles", "instructions", "warps mostly");
    for (guint i = 0; i < runtime->launches->len; i++) {
        const WsLaunchNote *note = runtime->launches->pdata[i];
        g_autofree char *grid =
            g_strdup_printf("%u x %u x %u", note->grid.x, note->grid.y, note->grid.z);
        g_autofree char *block =
            g_strdup_printf("%u x %u x %u", note->block.x, note->block.y, note->block.z);
        g_autofree char *cycles =
            note->cycles != 0
                ? g_strdup_printf("%s%" G_GUINT64_FORMAT, note->is_timed ? "" : "~", note->cycles)
                : g_strdup("-");
        timed += (guint)note->is_timed;
        g_string_append_printf(text, "%-32s %-18s %-14s %12s %16" G_GUINT64_FORMAT, note->kernel,
                               grid, block, cycles, (guint64)note->figures.warp_instructions);
        if (note->wait != NULL)
            g_string_append_printf(text, "  %s %.0f %%", note->wait,
                                   100 * (double)note->wait_cycles /
                                       (double)note->figures.warp_cycles);
        g_string_append_c(text, '\n');
    }
    g_string_append_printf(text, "%u launches, %.6f ms of simulated time\n", runtime->launches->len,
                           MAX(runtime->timeline.last, runtime->timeline.host));
    if (runtime->mode == WARPSTEP_SAMPLED)
        g_string_append_printf(text, "%u of them were timed; ~ is the time of a similar one\n",
                               timed);
    if (path != NULL)
        write_file(path, text->str);
    else
        fputs(text->str, stderr);
}

static void write_json(const WsRuntime *runtime, const char *path)
{
    g_autoptr(GString) text = g_string_new("[");
    for (guint i = 0; i < runtime->launches->len; i++) {
        const WsLaunchNote *note = runtime->launches->pdata[i];
        g_string_append(text, i > 0 ? ",\n" : "\n");
        g_string_append(text, note->json != NULL ? g_strchomp(note->json) : "null");
    }
    g_string_append(text, "\n]\n");
    write_file(path, text->str);
}

static void report_at_end(void)
{
    WsRuntime *runtime = ws_runtime_enter();
    const char *json = file_of(runtime, "json:");
    if (strcmp(runtime->report, "text") == 0 || file_of(runtime, "text:") != NULL)
        write_text(runtime, file_of(runtime, "text:"));
    if (json != NULL)
        write_json(runtime, json);
    g_mutex_unlock(&runtime->lock);
}

gboolean ws_report_begin(WsRuntime *runtime)
{
    const char *wanted = getenv("WARPSTEP_REPORT");
    if (wanted == NULL || runtime->report != NULL)
        return TRUE;
    if (strcmp(wanted, "text") != 0 && !g_str_has_prefix(wanted, "text:") &&
        !g_str_has_prefix(wanted, "json:") && !g_str_has_prefix(wanted, "html:")) {
        fprintf(stderr,
                "warpstep: error: WARPSTEP_REPORT is text, text:FILE, json:FILE or html:FILE, not "
                "'%s'\n",
                wanted);
        return FALSE;
    }
    runtime->report = g_strdup(wanted);
    if (file_of(runtime, "html:") != NULL)
        warpstep_record_page(runtime->gpu, 1);
    atexit(report_at_end);
    return TRUE;
}
