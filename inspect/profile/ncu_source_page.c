/*
 * The source page: figures by source line (--print-source cuda,sass) and by instruction (sass). It
 * has no ID: sections of a kernel belong to its launches in order. A line is counted by its own
 * row, an opcode by the rows of its instructions, each address once.
 */
#include "inspect/profile/measured_value.h"
#include "inspect/profile/ncu_page.h"
#include "inspect/profile/simulated_launch.h"

#include <math.h>
#include <string.h>

static const struct {
    WsSourceFigure figure;
    const char *column;
} figure_columns[] = {
#define SOURCE_COLUMN(figure, column) {WS_SOURCE_##figure, column},
#include "inspect/profile/source_columns.def"
#undef SOURCE_COLUMN
};

static const struct {
    WsStall stall;
    const char *columns[3];
} stall_columns[] = {
#define NCU_STALL(ours, name, column, other) {WS_STALL_##ours, {name, column, other}},
#include "inspect/profile/ncu_stalls.def"
#undef NCU_STALL
};

/* A table of the page: where its columns are, -1 where there is none. */
typedef struct {
    guint width;
    int line, address, source;
    int figures[WS_SOURCE_FIGURE_COUNT], stalls[WS_STALL_COUNT];
} Table;

typedef struct {
    const char *path; /* of the source, "" */
    WsMeasuredLaunch *launch;
    Table table;
} Page;

/* ---- columns ------------------------------------------------------------------------------------
 */

static int last_column(char *const *header, const char *name)
{
    int found = -1;

    for (int i = 0; header[i] != NULL; i++)
        if (strcmp(header[i], name) == 0)
            found = i;
    return found;
}

static int stall_column(char *const *header, const char *const names[3])
{
    for (guint i = 0; i < 3; i++) {
        g_autofree char *name = g_strconcat("stall_", names[i], NULL);
        int column = ws_ncu_column(header, name);

        if (column >= 0)
            return column;
    }
    return -1;
}

static void find_columns(char *const *header, Table *ret)
{
    ret->width = g_strv_length((char **)header);
    ret->address = ws_ncu_column(header, "Address");
    ret->line = ws_ncu_column(header, "Line No");
    if (ret->line < 0 && ret->address < 0)
        ret->line = ws_ncu_column(header, "#");
    ret->source = last_column(header, "Source");
    memset(ret->figures, -1, sizeof ret->figures);
    memset(ret->stalls, -1, sizeof ret->stalls);
    for (guint i = 0; i < G_N_ELEMENTS(figure_columns); i++)
        if (ret->figures[figure_columns[i].figure] < 0)
            ret->figures[figure_columns[i].figure] =
                ws_ncu_column(header, figure_columns[i].column);
    for (guint i = 0; i < G_N_ELEMENTS(stall_columns); i++)
        if (ret->stalls[stall_columns[i].stall] < 0)
            ret->stalls[stall_columns[i].stall] = stall_column(header, stall_columns[i].columns);
}

static void keep_columns(WsNcuFile *file, WsMeasuredLaunch *launch, char *const *header)
{
    for (guint i = 0; header[i] != NULL; i++) {
        const char *name = ws_ncu_keep(file, header[i]);

        if (!g_ptr_array_find(launch->columns, name, NULL))
            g_ptr_array_add(launch->columns, (gpointer)name);
    }
}

/* ---- rows ---------------------------------------------------------------------------------------
 */

/* "-" and "..." stand for none. */
static gboolean read_cell(const WsNcuFile *file, const WsCsvRecord *row, int column, double *ret)
{
    const char *text = column < 0 ? "" : row->cells[column];

    *ret = (double)NAN;
    if (column < 0 || strcmp(text, "...") == 0 || ws_measured_number(text, ret) != WS_VALUE_BAD)
        return TRUE;
    g_autofree char *shown = ws_printable(text);
    return ws_ncu_error(file, row->line, "cell %d: '%s' is no number", column + 1, shown);
}

static gboolean read_sums(const WsNcuFile *file, const Table *table, const WsCsvRecord *row,
                          WsSourceSums *ret)
{
    for (guint i = 0; i < WS_SOURCE_FIGURE_COUNT; i++)
        if (!read_cell(file, row, table->figures[i], &ret->figures[i]))
            return FALSE;
    for (guint i = 0; i < WS_STALL_COUNT; i++)
        if (!read_cell(file, row, table->stalls[i], &ret->stalls[i]))
            return FALSE;
    return TRUE;
}

static void add_value(double *to, double value)
{
    if (!isnan(value))
        *to = isnan(*to) ? value : *to + value;
}

static void add_sums(WsSourceSums *to, const WsSourceSums *from)
{
    for (guint i = 0; i < WS_SOURCE_FIGURE_COUNT; i++)
        add_value(&to->figures[i], from->figures[i]);
    for (guint i = 0; i < WS_STALL_COUNT; i++)
        add_value(&to->stalls[i], from->stalls[i]);
}

/* Whether this file gives what `number` stands for: the first file that has it does. */
static gboolean gives(const WsNcuFile *file, guint *number)
{
    *number = *number == 0 ? file->number : *number;
    return *number == file->number;
}

/* TRUE if the launch had it before, in this file. */
static gboolean is_seen(WsMeasuredLaunch *launch, const char *text)
{
    if (launch->seen == NULL)
        launch->seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return !g_hash_table_add(launch->seen, g_strdup(text));
}

/* "LDG" of "@!P0 LDG.E R2, desc[UR4][R2.64]". Free with g_free; NULL: there is none. */
static char *opcode_of(const char *source)
{
    g_autofree char *word = NULL;

    source += strspn(source, " ");
    if (*source == '@')
        source += strcspn(source, " ");
    source += strspn(source, " ");
    word = g_strndup(source, strcspn(source, " ,;"));
    return g_ascii_isupper(*word) ? ws_opcode_family(word) : NULL;
}

static void add_instruction(WsNcuFile *file, Page *page, const WsCsvRecord *row,
                            const WsSourceSums *sums)
{
    GArray *opcodes = page->launch->opcodes;
    g_autofree char *opcode = opcode_of(row->cells[page->table.source]);

    if (opcode == NULL || !gives(file, &page->launch->opcodes_file) ||
        is_seen(page->launch, row->cells[page->table.address]))
        return;
    for (guint i = 0; i < opcodes->len; i++) {
        WsMeasuredOpcode *known = &g_array_index(opcodes, WsMeasuredOpcode, i);

        if (strcmp(known->opcode, opcode) == 0) {
            add_sums(&known->sums, sums);
            return;
        }
    }
    WsMeasuredOpcode added = {ws_ncu_keep(file, opcode), *sums};
    g_array_append_val(opcodes, added);
}

static gboolean add_row(WsNcuFile *file, Page *page, const WsCsvRecord *row)
{
    const Table *table = &page->table;
    const char *line = table->line >= 0 ? row->cells[table->line] : "";
    WsSourceSums sums;

    if (!read_sums(file, table, row, &sums))
        return FALSE;
    if (g_ascii_isdigit(*line)) {
        guint64 number = g_ascii_strtoull(line, NULL, 10);
        WsMeasuredLine added = {page->path, (guint32)MIN(number, G_MAXUINT32), sums};

        if ((!isnan(sums.figures[WS_SOURCE_INSTRUCTIONS]) ||
             !isnan(sums.figures[WS_SOURCE_SAMPLES])) &&
            gives(file, &page->launch->lines_file))
            g_array_append_val(page->launch->lines, added);
    } else if (table->address >= 0 && table->source >= 0) {
        add_instruction(file, page, row, &sums);
    }
    return TRUE;
}

/* ---- sections -----------------------------------------------------------------------------------
 */

/*
 * The launch of a section: the one before it if that is of the kernel and this path is new to it,
 * else the first of the kernel without a section of this file, else a new one.
 */
static WsMeasuredLaunch *launch_of(WsNcuFile *file, const char *kernel, const char *path,
                                   WsMeasuredLaunch *before)
{
    g_autofree char *key = g_strconcat("\n", path, NULL); /* no address begins so */

    if (before != NULL && strcmp(before->kernel, kernel) == 0 && !is_seen(before, key))
        return before;
    for (guint i = 0; i < file->profile->launches->len; i++) {
        WsMeasuredLaunch *launch = ws_measured_launch(file->profile, i);

        if (strcmp(launch->kernel, kernel) == 0 && launch->seen == NULL) {
            is_seen(launch, key);
            return launch;
        }
    }
    WsMeasuredLaunch *launch = ws_ncu_add_launch(file, NULL, kernel);
    is_seen(launch, key);
    return launch;
}

/* A record that says of what the following table is. FALSE: it is another one. */
static gboolean take_tag(WsNcuFile *file, Page *page, const WsCsvRecord *record)
{
    const char *name = record->cells[0], *value = record->cells[1];

    if (strcmp(name, "File Path") == 0 || strcmp(name, "File Name") == 0) {
        page->path = ws_ncu_keep(file, value);
        page->table.width = 0;
        return TRUE;
    }
    if (strcmp(name, "Function Name") == 0 || strcmp(name, "Kernel Name") == 0) {
        page->launch = launch_of(file, value, page->path, page->launch);
        page->table.width = 0;
        return TRUE;
    }
    return FALSE;
}

static gboolean take_record(WsNcuFile *file, Page *page, const WsCsvRecord *record)
{
    if (record->cells[1] == NULL)
        return ws_ncu_error(file, record->line, "one cell alone: the file is cut off");
    if (take_tag(file, page, record))
        return TRUE;
    if (ws_ncu_column(record->cells, "Source") >= 0) {
        find_columns(record->cells, &page->table);
        if (page->launch != NULL)
            keep_columns(file, page->launch, record->cells);
        return TRUE;
    }
    if (page->table.width == 0)
        return ws_ncu_error(file, record->line,
                            "a header with a column \"Source\" is expected here");
    return ws_ncu_check_width(file, record, page->table.width) &&
           (page->launch == NULL || add_row(file, page, record));
}

gboolean ws_ncu_read_source(WsNcuFile *file, const WsCsvRecord *first, WsCsvRecord *ret_next)
{
    Page page = {.path = ""};

    if (!take_record(file, &page, first))
        return FALSE;
    for (;;) {
        g_auto(WsCsvRecord) record = {0};
        WsNcuNext next = ws_ncu_next(file, &record);

        if (next == WS_NCU_END && page.launch == NULL)
            return ws_ncu_error(file, first->line,
                                "this source page has no figures: ncu --page source --csv writes "
                                "them with --print-source cuda,sass or sass");
        if (next != WS_NCU_RECORD)
            return next == WS_NCU_END;
        if (strcmp(record.cells[0], "ID") == 0) {
            *ret_next = record;
            record.cells = NULL;
            return TRUE;
        }
        if (!take_record(file, &page, &record))
            return FALSE;
    }
}
