/* A table of results from its text. */
#ifndef WS_TESTS_SUPPORT_TABLE_OF_TEXT_H
#define WS_TESTS_SUPPORT_TABLE_OF_TEXT_H

#include <glib/gstdio.h>

#include "study/results/csv.h"
#include "tests/support/suite.h"

static inline WsTable *table_of_text(const char *text)
{
    g_autofree char *path = NULL;
    int file = g_file_open_tmp("warpstep-table-XXXXXX", &path, NULL);
    GError *error = NULL;

    g_close(file, NULL);
    ck_assert(g_file_set_contents(path, text, -1, NULL));
    WsTable *table = ws_table_read(path, &error);
    ck_assert_msg(table != NULL, "%s", error ? error->message : "");
    g_unlink(path);
    return table;
}

#endif
