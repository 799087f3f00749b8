/* The raw page: a launch a row, a metric a column, units in the row below the header. */
#include "inspect/profile/ncu_page.h"

#include <string.h>

/* Columns that are no metrics. Of NVTX and of sections they have other names in each version. */
static gboolean is_metric(const char *column)
{
    static const char *const others[] = {"",          "ID",          "Process ID",  "Process Name",
                                         "Host Name", "Kernel Name", "Kernel Time", "Context",
                                         "Stream",    "Block Size",  "Grid Size",   "Device",
                                         "CC",        "Invocations", "Section Name"};

    for (guint i = 0; i < G_N_ELEMENTS(others); i++)
        if (strcmp(column, others[i]) == 0)
            return FALSE;
    return strstr(column, "Domain:") == NULL;
}

static const char *cell(const WsCsvRecord *record, int column)
{
    return column >= 0 ? record->cells[column] : "";
}

typedef struct {
    char *const *header, *const *units;
    const char **names; /* kept, NULL for what is no metric */
    int id, kernel, grid, block, capability;
} Columns;

static void add_row(WsNcuFile *file, const Columns *columns, const WsCsvRecord *row)
{
    const char *id = cell(row, columns->id), *kernel = cell(row, columns->kernel);
    WsMeasuredLaunch *launch = ws_ncu_find_launch(file, id, kernel);

    if (launch == NULL || launch->raw_file == file->number)
        launch = ws_ncu_add_launch(file, id, kernel);
    launch->raw_file = file->number;
    ws_ncu_shape(cell(row, columns->grid), launch->grid);
    ws_ncu_shape(cell(row, columns->block), launch->block);
    if (columns->capability >= 0)
        launch->capability = ws_ncu_keep(file, row->cells[columns->capability]);
    for (guint i = 0; columns->header[i] != NULL; i++) {
        WsMeasuredValue value = {.name = columns->names[i], .file = file->file, .line = row->line};

        if (value.name == NULL || *row->cells[i] == '\0')
            continue;
        value.text = ws_ncu_keep(file, row->cells[i]);
        value.unit = ws_ncu_keep(file, columns->units[i]);
        g_array_append_val(launch->values, value);
    }
}

/* What is no launch: the header of another page. */
static gboolean is_header(const WsCsvRecord *record)
{
    return strcmp(record->cells[0], "ID") == 0 || strcmp(record->cells[0], "Process ID") == 0 ||
           strcmp(record->cells[0], "Kernel Name") == 0 ||
           strcmp(record->cells[0], "File Path") == 0;
}

static gboolean read_rows(WsNcuFile *file, const Columns *columns, guint width,
                          WsCsvRecord *ret_next)
{
    for (;;) {
        g_auto(WsCsvRecord) row = {0};
        WsNcuNext next = ws_ncu_next(file, &row);

        if (next != WS_NCU_RECORD)
            return next == WS_NCU_END;
        if (is_header(&row)) {
            *ret_next = row;
            row.cells = NULL;
            return TRUE;
        }
        if (!ws_ncu_check_width(file, &row, width))
            return FALSE;
        add_row(file, columns, &row);
    }
}

gboolean ws_ncu_read_raw(WsNcuFile *file, const WsCsvRecord *header, WsCsvRecord *ret_next)
{
    guint width = g_strv_length(header->cells);
    g_auto(WsCsvRecord) units = {0};
    WsNcuNext next = ws_ncu_next(file, &units);

    if (next == WS_NCU_ERROR)
        return FALSE;
    if (next == WS_NCU_END)
        return ws_ncu_error(file, header->line,
                            "the file is cut off: a row of units is expected below the header");
    if (!ws_ncu_check_width(file, &units, width))
        return FALSE;
    if (*units.cells[0] != '\0')
        return ws_ncu_error(file, units.line,
                            "a row of units is expected here, as ncu --page raw --csv writes it");
    g_autofree const char **names = g_new0(const char *, width);
    for (guint i = 0; i < width; i++)
        names[i] = is_metric(header->cells[i]) ? ws_ncu_keep(file, header->cells[i]) : NULL;
    Columns columns = {.header = header->cells, .units = units.cells, .names = names};
    columns.id = ws_ncu_column(header->cells, "ID");
    columns.kernel = ws_ncu_column(header->cells, "Kernel Name");
    columns.grid = ws_ncu_column(header->cells, "Grid Size");
    columns.block = ws_ncu_column(header->cells, "Block Size");
    columns.capability = ws_ncu_column(header->cells, "CC");
    return read_rows(file, &columns, width, ret_next);
}
