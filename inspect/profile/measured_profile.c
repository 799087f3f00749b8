#include "inspect/profile/measured_profile.h"

#include "inspect/profile/ncu_page.h"
#include "isa/base/byte_order_mark.h"
#include "isa/base/input_file.h"

#include <string.h>

enum { MAX_FILE_BYTES = 1 << 30 };

/* ---- launches -----------------------------------------------------------------------------------
 */

static void free_launch(gpointer data)
{
    WsMeasuredLaunch *launch = data;

    g_array_unref(launch->values);
    g_array_unref(launch->lines);
    g_array_unref(launch->opcodes);
    g_ptr_array_unref(launch->columns);
    g_clear_pointer(&launch->seen, g_hash_table_unref);
    g_free(launch);
}

WsMeasuredLaunch *ws_ncu_add_launch(WsNcuFile *file, const char *id, const char *kernel)
{
    WsMeasuredLaunch *launch = g_new0(WsMeasuredLaunch, 1);

    launch->id = id != NULL ? ws_ncu_keep(file, id) : NULL;
    launch->kernel = ws_ncu_keep(file, kernel);
    launch->values = g_array_new(FALSE, FALSE, sizeof(WsMeasuredValue));
    launch->lines = g_array_new(FALSE, FALSE, sizeof(WsMeasuredLine));
    launch->opcodes = g_array_new(FALSE, FALSE, sizeof(WsMeasuredOpcode));
    launch->columns = g_ptr_array_new();
    g_ptr_array_add(file->profile->launches, launch);
    return launch;
}

WsMeasuredLaunch *ws_ncu_find_launch(const WsNcuFile *file, const char *id, const char *kernel)
{
    for (guint i = file->profile->launches->len; i > 0; i--) {
        WsMeasuredLaunch *launch = ws_measured_launch(file->profile, i - 1);

        if (g_strcmp0(launch->id, id) == 0 && strcmp(launch->kernel, kernel) == 0)
            return launch;
    }
    return NULL;
}

/* ---- records ------------------------------------------------------------------------------------
 */

gboolean ws_ncu_error(const WsNcuFile *file, guint32 line, const char *format, ...)
{
    WsPosition position = {.file = file->file, .line = line};
    va_list arguments;

    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    ws_set_error_at(file->error, WS_ERROR_INPUT, &position, "%s", text);
    return FALSE;
}

static void skip_line(WsCsvReader *reader)
{
    reader->at += strcspn(reader->at, "\n");
    if (*reader->at != '\0') {
        reader->at++;
        reader->line++;
    }
}

static gboolean is_no_record(const char *line)
{
    return *line == '\n' || g_str_has_prefix(line, "\r\n") || g_str_has_prefix(line, "==");
}

WsNcuNext ws_ncu_next(WsNcuFile *file, WsCsvRecord *ret)
{
    while (*file->reader.at != '\0' && is_no_record(file->reader.at))
        skip_line(&file->reader);
    switch (ws_csv_read_record(&file->reader, ret)) {
    case WS_CSV_RECORD:
        return WS_NCU_RECORD;
    case WS_CSV_END:
        return WS_NCU_END;
    case WS_CSV_OPEN_QUOTE:
        ws_ncu_error(file, ret->line, "the file is cut off: a quote of this line is never closed");
        return WS_NCU_ERROR;
    default:
        ws_ncu_error(file, file->reader.line,
                     "a comma or the end of the line is expected behind a closing quote");
        return WS_NCU_ERROR;
    }
}

gboolean ws_ncu_check_width(const WsNcuFile *file, const WsCsvRecord *record, guint width)
{
    guint cells = g_strv_length(record->cells);

    if (cells == width)
        return TRUE;
    return ws_ncu_error(file, record->line, "%u cells, where the header has %u%s", cells, width,
                        record->ended ? "" : ": the file is cut off");
}

int ws_ncu_column(char *const *header, const char *name)
{
    for (int i = 0; header[i] != NULL; i++)
        if (strcmp(header[i], name) == 0)
            return i;
    return -1;
}

const char *ws_ncu_keep(WsNcuFile *file, const char *text)
{
    return g_string_chunk_insert_const(file->profile->texts, text);
}

void ws_ncu_shape(const char *text, guint32 ret[3])
{
    guint32 shape[3] = {1, 1, 1};
    guint count = 0;

    memset(ret, 0, 3 * sizeof *ret);
    for (text += strspn(text, "( "); count < 3 && g_ascii_isdigit(*text); count++) {
        char *end;

        shape[count] = (guint32)MIN(g_ascii_strtoull(text, &end, 10), G_MAXUINT32);
        text = end + strspn(end, ", ");
    }
    if (count > 0 && strspn(text, ") ") == strlen(text))
        memcpy(ret, shape, sizeof shape);
}

/* ---- files --------------------------------------------------------------------------------------
 */

/* The cells with which the header of a page begins. */
static const char *const starts[] = {"ID",        "Process ID", "Kernel Name",
                                     "File Path", "File Name",  "Function Name"};

static gboolean begins_page(const char *line)
{
    gboolean quoted = *line == '"';

    line += quoted ? 1 : 0;
    for (guint i = 0; i < G_N_ELEMENTS(starts); i++) {
        gsize length = strlen(starts[i]);

        if (strncmp(line, starts[i], length) == 0 &&
            g_str_has_prefix(line + length, quoted ? "\"," : ","))
            return TRUE;
    }
    return FALSE;
}

/* Where another separator was put, by a spreadsheet of another country. */
static gboolean has_semicolons(const char *line)
{
    return g_str_has_prefix(line, "\"ID\";") || g_str_has_prefix(line, "ID;") ||
           g_str_has_prefix(line, "\"ID\"\t") || g_str_has_prefix(line, "ID\t");
}

static gboolean read_page(WsNcuFile *file, const WsCsvRecord *header, WsCsvRecord *ret_next)
{
    char **cells = header->cells;

    if (strcmp(cells[0], "ID") != 0 && strcmp(cells[0], "Process ID") != 0)
        return ws_ncu_read_source(file, header, ret_next);
    if (ws_ncu_column(cells, "Kernel Name") < 0)
        return ws_ncu_error(file, header->line,
                            "this is no page of Nsight Compute: it has no column \"Kernel Name\"");
    return ws_ncu_column(cells, "Metric Name") >= 0 ? ws_ncu_read_details(file, header, ret_next)
                                                    : ws_ncu_read_raw(file, header, ret_next);
}

/* What is wrong with a file in which no page begins. */
static gboolean report_no_page(const WsNcuFile *file, const char *text)
{
    if (g_str_has_prefix(text, "==ERROR==") || strstr(text, "\n==ERROR==") != NULL)
        return ws_ncu_error(file, 0,
                            "Nsight Compute measured nothing: the file has its messages "
                            "(==ERROR==) and no page");
    return ws_ncu_error(
        file, 1,
        "no page of Nsight Compute begins in this file: ncu --csv --page raw, details or "
        "source writes one");
}

static gboolean read_pages(WsNcuFile *file, const char *text)
{
    g_auto(WsCsvRecord) header = {0};

    while (*file->reader.at != '\0' && !begins_page(file->reader.at)) {
        if (has_semicolons(file->reader.at))
            return ws_ncu_error(file, file->reader.line,
                                "the separator is not a comma: write the file anew with ncu "
                                "--import REPORT --csv, without a spreadsheet");
        skip_line(&file->reader);
    }
    if (*file->reader.at == '\0')
        return report_no_page(file, text);
    if (ws_ncu_next(file, &header) != WS_NCU_RECORD)
        return FALSE;
    while (header.cells != NULL) {
        g_auto(WsCsvRecord) next = {0};

        if (!read_page(file, &header, &next))
            return FALSE;
        ws_csv_record_clear(&header);
        header = next;
        next.cells = NULL;
    }
    return TRUE;
}

/* Addresses and paths count within a file. */
static void forget_seen(WsMeasuredProfile *profile)
{
    for (guint i = 0; i < profile->launches->len; i++)
        g_clear_pointer(&ws_measured_launch(profile, i)->seen, g_hash_table_unref);
}

gboolean ws_measured_profile_add(WsMeasuredProfile *profile, const char *path, guint number,
                                 const char *text, gsize length, GError **error)
{
    WsNcuFile file = {.profile = profile, .number = number, .error = error};
    guint before = profile->launches->len;
    const char *end;

    file.file = g_string_chunk_insert_const(profile->texts, path);
    file.reader = (WsCsvReader){.at = text + ws_byte_order_mark(text, length), .line = 1};
    if (!g_utf8_validate(text, (gssize)length, &end)) {
        guint32 line = 1;

        for (const char *c = text; c != end; c++)
            line += *c == '\n' ? 1 : 0;
        return ws_ncu_error(&file, line, "this is no text in UTF-8");
    }
    if (!read_pages(&file, text))
        return FALSE;
    forget_seen(profile);
    if (profile->launches->len == 0 && before == 0)
        return ws_ncu_error(&file, 0, "the page has no launch");
    return TRUE;
}

WsMeasuredProfile *ws_measured_profile_new(void)
{
    enum { CHUNK = 1 << 16 };
    WsMeasuredProfile *profile = g_new0(WsMeasuredProfile, 1);

    profile->launches = g_ptr_array_new_with_free_func(free_launch);
    profile->texts = g_string_chunk_new(CHUNK);
    return profile;
}

void ws_measured_profile_free(WsMeasuredProfile *profile)
{
    if (profile == NULL)
        return;
    g_ptr_array_unref(profile->launches);
    g_string_chunk_free(profile->texts);
    g_free(profile);
}

WsMeasuredProfile *ws_measured_profile_read(const char *const *paths, GError **error)
{
    g_autoptr(WsMeasuredProfile) profile = ws_measured_profile_new();

    for (guint i = 0; paths[i] != NULL; i++) {
        g_autoptr(GBytes) bytes = ws_read_input_file(paths[i], MAX_FILE_BYTES, error);

        if (bytes == NULL ||
            !ws_measured_profile_add(profile, paths[i], i + 1, g_bytes_get_data(bytes, NULL),
                                     g_bytes_get_size(bytes), error))
            return NULL;
    }
    return g_steal_pointer(&profile);
}
