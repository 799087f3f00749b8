#include "cli/preset_study.h"

#include "cli/command.h"
#include "cli/terminal.h"
#include "study/plot/drawing.h"

#include <stdio.h>
#include <string.h>

enum { CHART_ROWS = 13 };

const WsPresetStudy *ws_preset_study_choose(const char *name)
{
    guint count;
    const WsPresetStudy *all = ws_preset_studies(&count);
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < count; i++)
        g_ptr_array_add(names, (gpointer)all[i].name);
    g_ptr_array_add(names, NULL);
    int choice = ws_find_choice("--study", name, (const char *const *)names->pdata);
    return choice < 0 ? NULL : &all[choice];
}

static WsChart *make_chart(const WsPresetStudy *preset, const WsStudy *study, const WsTable *table,
                           const WsJob *job)
{
    g_autoptr(GPtrArray) by = g_ptr_array_new();
    for (guint i = 1; i < study->parameters->len && study->design != WS_DESIGN_ZIP; i++)
        g_ptr_array_add(by, ws_study_parameter(study, i)->name);
    g_ptr_array_add(by, NULL);
    char *good[] = {(char *)"status=ok", NULL};
    const WsChartOptions options = {.title = preset->question,
                                    .where = good,
                                    .x = table->columns[0],
                                    .y = preset->y,
                                    .by = (char *const *)by->pdata};
    g_autoptr(WsChart) chart = ws_chart_new(table, &options, NULL);
    if (chart != NULL && preset->mark != NULL)
        preset->mark(chart, table, job, study->parameters->len == 1);
    return g_steal_pointer(&chart);
}

static gboolean write_page(const WsPresetStudy *preset, const WsChart *chart, const WsTable *table,
                           const char *answer, const char *path, GError **error)
{
    g_autofree gboolean *wanted = g_new(gboolean, MAX(table->rows->len, 1));
    for (guint i = 0; i < table->rows->len; i++)
        wanted[i] = TRUE;
    g_autoptr(WsTable) part = ws_table_part(table, wanted);
    g_autofree char *page = ws_chart_page(chart, part, answer);
    g_autofree char *name = g_strconcat(preset->name, ".html", NULL);
    g_autofree char *file = g_build_filename(path, name, NULL);
    return ws_write_file(file, page, strlen(page), error);
}

gboolean ws_preset_study_report(const WsPresetStudy *preset, const WsStudy *study, const WsJob *job,
                                const WsStudyFolder *folder, const char *path, GError **error)
{
    g_autoptr(WsTable) table = ws_study_folder_table(folder);
    g_autofree char *answer = ws_preset_answer(preset, study, table, job);
    g_autofree char *rows = ws_preset_table(preset, study, table);
    printf("%s\n\n%s", answer, rows);
    g_autoptr(WsChart) chart = make_chart(preset, study, table, job);
    if (chart == NULL)
        return TRUE; /* no point has a number */
    g_autofree char *curve = ws_chart_text(chart, (guint)ws_terminal_width(stdout), CHART_ROWS);
    printf("\n%s", curve);
    return path == NULL || !ws_chart_page_is_built() ||
           write_page(preset, chart, table, answer, path, error);
}
