#include "isa/base/csv_record.h"

#include <string.h>

static gboolean at_line_end(const char *c)
{
    return *c == '\n' || (*c == '\r' && c[1] == '\n');
}

/* Up to a separator, the end of the line or that of the text. */
static char *plain_cell(const char **at)
{
    const char *c = *at;

    while (*c != '\0' && *c != ',' && !at_line_end(c))
        c++;
    char *cell = g_strndup(*at, (gsize)(c - *at));
    *at = c;
    return cell;
}

/* `*at` is behind the opening quote; then behind the closing one. NULL: there is none. */
static char *quoted_cell(const char **at, guint32 *line)
{
    GString *cell = g_string_new(NULL);
    const char *c = *at;

    for (; *c != '\0' && !(*c == '"' && c[1] != '"'); c++) {
        c += *c == '"' ? 1 : 0;
        *line += *c == '\n' ? 1 : 0;
        g_string_append_c(cell, *c);
    }
    *at = c + (*c == '"' ? 1 : 0);
    return g_string_free(cell, *c == '\0');
}

/* The next cell of a record; NULL where a quote is open. */
static char *next_cell(WsCsvReader *reader)
{
    if (*reader->at != '"')
        return plain_cell(&reader->at);
    reader->at++;
    return quoted_cell(&reader->at, &reader->line);
}

WsCsvStatus ws_csv_read_record(WsCsvReader *reader, WsCsvRecord *ret)
{
    g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func(g_free);

    *ret = (WsCsvRecord){.line = reader->line};
    if (*reader->at == '\0')
        return WS_CSV_END;
    for (;;) {
        char *cell = next_cell(reader);

        if (cell == NULL)
            return WS_CSV_OPEN_QUOTE;
        g_ptr_array_add(cells, cell);
        if (*reader->at != ',')
            break;
        reader->at++;
    }
    if (*reader->at != '\0' && !at_line_end(reader->at))
        return WS_CSV_BEHIND_QUOTE;
    ret->ended = *reader->at != '\0';
    if (ret->ended) {
        reader->at = strchr(reader->at, '\n') + 1;
        reader->line++;
    }
    g_ptr_array_add(cells, NULL);
    ret->cells = (char **)g_ptr_array_free(g_steal_pointer(&cells), FALSE);
    return WS_CSV_RECORD;
}

void ws_csv_record_clear(WsCsvRecord *record)
{
    g_clear_pointer(&record->cells, g_strfreev);
}
