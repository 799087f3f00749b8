/* Records of CSV (RFC 4180) with the lines that they begin in, whoever wrote them. */
#ifndef WS_ISA_BASE_CSV_RECORD_H
#define WS_ISA_BASE_CSV_RECORD_H

#include <glib.h>

typedef struct {
    const char *at; /* of a text that ends in NUL */
    guint32 line;   /* of it, from 1 */
} WsCsvReader;

typedef struct {
    char **cells;   /* NULL-terminated; quotes are gone, what stood between them is as it was */
    guint32 line;   /* in which it begins: a cell between quotes may hold ends of lines */
    gboolean ended; /* by the end of a line; FALSE: by that of the text */
} WsCsvRecord;

typedef enum {
    WS_CSV_RECORD,
    WS_CSV_END,         /* of the text */
    WS_CSV_OPEN_QUOTE,  /* the text ends between quotes */
    WS_CSV_BEHIND_QUOTE /* something other than a separator stands behind a closing quote */
} WsCsvStatus;

/*
 * Reads a record and moves the reader behind it. Lines end in "\n" or "\r\n". Unless it is a
 * record, `ret->cells` is NULL and `ret->line` is where the record begins.
 */
WsCsvStatus ws_csv_read_record(WsCsvReader *reader, WsCsvRecord *ret);

void ws_csv_record_clear(WsCsvRecord *record);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WsCsvRecord, ws_csv_record_clear)

#endif
