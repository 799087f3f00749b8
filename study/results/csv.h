/* Tables of texts, written and read as CSV (RFC 4180, but lines end in "\n"). */
#ifndef WS_STUDY_RESULTS_CSV_H
#define WS_STUDY_RESULTS_CSV_H

#include "isa/base/error.h"

/* Appends the cells as a line. */
void ws_csv_append(GString *out, char *const *cells);
/* The same of texts that it frees; the list itself stays the caller's. */
void ws_csv_take(GString *out, char **cells);

/*
 * Reads one line at `*at`, and moves `*at` behind it. NULL at the end, and for a line that does not
 * end in "\n": one that was not written to its end. g_strfreev.
 */
char **ws_csv_next(const char **at);

typedef struct {
    char **columns; /* NULL-terminated */
    guint width;
    GPtrArray *rows; /* of char**, `width` cells each */
} WsTable;

/*
 * A file whose first line names the columns. Errors: WS_ERROR_INPUT (cannot be read, no columns, a
 * line of another width, with its number).
 */
WsTable *ws_table_read(const char *path, GError **error);
/* A table with these columns, which it takes, and without rows; these it frees by g_strfreev. */
WsTable *ws_table_new(char **columns);
void ws_table_free(WsTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsTable, ws_table_free)

/* The rows whose flag is set, without the columns that are empty in all of them. */
WsTable *ws_table_part(const WsTable *table, const gboolean *wanted);

/* The place of a column, or -1. */
int ws_table_column(const WsTable *table, const char *name);

#endif
