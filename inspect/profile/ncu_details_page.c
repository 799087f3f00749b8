/* The details page: a metric a row, by section; and the summary per kernel, which has averages. */
#include "inspect/profile/ncu_page.h"

#include <string.h>

typedef struct {
    int id, kernel, grid, block, capability, section, metric, unit, value;
} Columns;

/* Rows of metrics end behind the value, those of rules are wider: "" where there is no cell. */
static const char *cell(const WsCsvRecord *record, int column)
{
    return column >= 0 && column < (int)g_strv_length(record->cells) ? record->cells[column] : "";
}

static WsMeasuredLaunch *launch_of(WsNcuFile *file, const Columns *columns, const WsCsvRecord *row)
{
    const char *id = columns->id >= 0 ? cell(row, columns->id) : NULL;
    const char *kernel = cell(row, columns->kernel);
    WsMeasuredLaunch *launch = ws_ncu_find_launch(file, id, kernel);

    if (launch == NULL)
        launch = ws_ncu_add_launch(file, id, kernel);
    if (columns->grid >= 0)
        ws_ncu_shape(cell(row, columns->grid), launch->grid);
    if (columns->block >= 0)
        ws_ncu_shape(cell(row, columns->block), launch->block);
    if (columns->capability >= 0)
        launch->capability = ws_ncu_keep(file, cell(row, columns->capability));
    return launch;
}

static gboolean add_row(WsNcuFile *file, const Columns *columns, const WsCsvRecord *row)
{
    WsMeasuredValue value = {.file = file->file, .line = row->line};
    WsMeasuredLaunch *launch;

    if ((int)g_strv_length(row->cells) <= columns->value)
        return ws_ncu_error(file, row->line,
                            "%u cells, where the value is in cell %d: the file is cut off",
                            g_strv_length(row->cells), columns->value + 1);
    launch = launch_of(file, columns, row);
    if (*cell(row, columns->metric) == '\0') {
        launch->rules++;
        return TRUE;
    }
    value.name = ws_ncu_keep(file, cell(row, columns->metric));
    value.section = ws_ncu_keep(file, cell(row, columns->section));
    value.text = ws_ncu_keep(file, cell(row, columns->value));
    value.unit = ws_ncu_keep(file, cell(row, columns->unit));
    g_array_append_val(launch->values, value);
    return TRUE;
}

gboolean ws_ncu_read_details(WsNcuFile *file, const WsCsvRecord *header, WsCsvRecord *ret_next)
{
    char **cells = header->cells;
    Columns columns = {
        .id = ws_ncu_column(cells, "ID"),
        .kernel = ws_ncu_column(cells, "Kernel Name"),
        .grid = ws_ncu_column(cells, "Grid Size"),
        .block = ws_ncu_column(cells, "Block Size"),
        .capability = ws_ncu_column(cells, "CC"),
        .section = ws_ncu_column(cells, "Section Name"),
        .metric = ws_ncu_column(cells, "Metric Name"),
        .unit = ws_ncu_column(cells, "Metric Unit"),
        .value = ws_ncu_column(cells, "Metric Value"),
    };

    if (columns.value < 0)
        columns.value = ws_ncu_column(cells, "Average");
    if (columns.value < 0)
        return ws_ncu_error(file, header->line,
                            "the header has no column \"Metric Value\" (or \"Average\")");
    for (;;) {
        g_auto(WsCsvRecord) row = {0};
        WsNcuNext next = ws_ncu_next(file, &row);

        if (next != WS_NCU_RECORD)
            return next == WS_NCU_END;
        if (strcmp(row.cells[0], cells[0]) == 0 || strcmp(row.cells[0], "Kernel Name") == 0 ||
            strcmp(row.cells[0], "File Path") == 0) {
            *ret_next = row;
            row.cells = NULL;
            return TRUE;
        }
        if (!add_row(file, &columns, &row))
            return FALSE;
    }
}
