/* Options of the commands that read a sweep's table. */
#ifndef WS_CLI_RESULTS_OPTIONS_H
#define WS_CLI_RESULTS_OPTIONS_H

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

#endif
