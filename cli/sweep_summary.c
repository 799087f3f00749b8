#include "cli/sweep_summary.h"

#include "cli/terminal.h"
#include "isa/base/error.h"
#include "sim/device/sources.h"
#include "study/results/compilers.h"
#include "study/results/relative.h"

#include <stdio.h>

/* Of devices side by side: what is measured of each, and what is not. */
static void print_sources(const WsStudy *study)
{
    for (guint i = 0; i < study->parameters->len; i++) {
        const WsStudyParameter *parameter = ws_study_parameter(study, i);
        g_autoptr(GPtrArray) named = g_ptr_array_new_with_free_func(g_free);
        for (guint v = 0; parameter->kind == WS_STUDY_DEVICE && v < parameter->count; v++)
            g_ptr_array_add(named, g_strdup(parameter->values[v]));
        if (named->len > 0)
            printf("\nWhere the devices' numbers come from\n");
        for (guint v = 0; v < named->len; v++) { /* and those they inherit from */
            const char *name = g_ptr_array_index(named, v);
            g_autofree char *device = ws_study_device(study, name);
            g_autofree char *text = ws_device_sources_text(device);
            g_auto(WsDeviceSources) sources = {0};
            printf("  %-10s %s\n", name, *text != '\0' ? text : "it does not say");
            if (ws_device_sources(device, &sources) && sources.inherits != NULL &&
                !g_ptr_array_find_with_equal_func(named, sources.inherits, g_str_equal, NULL))
                g_ptr_array_add(named, g_steal_pointer(&sources.inherits));
        }
    }
}

/* A study that goes on, or whose shards ran elsewhere, may have met another version. */
static void print_compilers(const WsStudyFolder *folder)
{
    g_autoptr(WsTable) table = ws_study_folder_table(folder);
    g_autofree char *compilers = ws_table_compilers(table);
    g_autofree char *shown = compilers != NULL ? ws_printable(compilers) : NULL;
    if (shown != NULL)
        printf("compiled by %s: cycles may differ for that reason; in another folder all points "
               "are run again\n",
               shown);
}

static void print_relative(const WsStudy *study, const WsStudyFolder *folder)
{
    g_autoptr(WsTable) table = ws_study_folder_table(folder);
    g_autoptr(WsRelative) relative = ws_relative_new(study, table);
    g_autofree char *text =
        ws_relative_text(study, relative, (guint)MAX(ws_terminal_width(stdout), 0));
    printf("\n%s", text);
}

int ws_sweep_summarise(const WsStudy *study, const WsStudyFolder *folder, const char *path,
                       const WsSweepCount *count, gboolean interrupted)
{
    guint failed, rows = ws_study_folder_count(folder, &failed), points = ws_study_points(study);
    if (path == NULL) /* a preset study that is not kept */
        return interrupted ? WS_ERROR_LIMIT : failed == rows ? WS_ERROR_CHECK : 0;
    g_autofree char *table = g_build_filename(path, "runs.csv", NULL);
    g_autofree char *shown = ws_printable(table);
    printf("%s: %u of %u points", shown, rows, points);
    if (count != NULL)
        printf(", %u of them now and %u before", count->done, rows - MIN(count->done, rows));
    printf("; %u failed\n", failed);
    print_compilers(folder);
    print_sources(study);
    if (study->reference != NULL)
        print_relative(study, folder);
    if (interrupted)
        return WS_ERROR_LIMIT;
    return failed > 0 ? WS_ERROR_CHECK : 0;
}
