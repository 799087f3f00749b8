/* Options of the commands that read a sweep's table. */
#ifndef WS_CLI_RESULTS_OPTIONS_H
#define WS_CLI_RESULTS_OPTIONS_H

#include "cli/command.h"
#include "study/results/derived.h"

/* A row of a GOptionEntry table; `columns` is a char***. */
#define WS_COLUMN_ENTRY(columns)                                                                   \
    {                                                                                              \
        "column", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, columns,                                      \
            "add a column that is computed from others, such as cpi=cycles/warp_instructions; "    \
            "may "                                                                                 \
            "be repeated",                                                                         \
            "NAME=EXPRESSION"                                                                      \
    }

/* What commands take that analyse one figure of a table. */
typedef struct {
    char *y, *output;
    char **where, **columns;
} WsResultsOptions;

void ws_results_options_clear(WsResultsOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WsResultsOptions, ws_results_options_clear)

/*
 * Parses them and the command's `own` options, whose last row has no name, and one argument; `y` is
 * then set. As ws_parse_options().
 */
gboolean ws_results_options_parse(WsResultsOptions *options, const WsCommand *command,
                                  const GOptionEntry *own, char **arguments);

/* Writes `csv` to the file of --output, or without one `text` to stdout. Returns the exit code. */
int ws_results_options_write(const WsResultsOptions *options, const char *csv, const char *text);

#endif
