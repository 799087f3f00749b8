/* --samples, --sample-every, --sample-by: figures over time, in a file of their own. */
#ifndef WS_CLI_SAMPLE_OPTIONS_H
#define WS_CLI_SAMPLE_OPTIONS_H

#include "cli/command.h"
#include "sim/samples/sample_file.h"

typedef struct {
    char *file, *by;
    gint64 every; /* 0: not given */
} WsSampleOptions;

/* Their rows in a table of options. */
#define WS_SAMPLE_ENTRIES(options)                                                                 \
    {"samples",                                                                                    \
     0,                                                                                            \
     0,                                                                                            \
     G_OPTION_ARG_FILENAME,                                                                        \
     &(options)->file,                                                                             \
     "write figures over time, for numpy.load and warpstep plot (warpstep help trace)",            \
     "FILE.npz"},                                                                                  \
        {"sample-every",                                                                           \
         0,                                                                                        \
         0,                                                                                        \
         G_OPTION_ARG_INT64,                                                                       \
         &(options)->every,                                                                        \
         "with --samples: a sample every N cycles (default: 1000)",                                \
         "N"},                                                                                     \
    {                                                                                              \
        "sample-by", 0, 0, G_OPTION_ARG_FILENAME, &(options)->by,                                  \
            "with --samples: of all SMs together (default), or of each", "all|sm"                  \
    }

void ws_sample_options_clear(WsSampleOptions *options);
/* Says what is wrong with them: FALSE. */
gboolean ws_sample_options_check(const WsSampleOptions *options);
/* For a run of the job; NULL: no file is wanted. */
WsSampleFile *ws_sample_options_open(const WsSampleOptions *options, const WsJob *job);
/* After the run. Errors: WS_ERROR_INPUT, WS_ERROR_LIMIT. */
gboolean ws_sample_options_write(const WsSampleOptions *options, WsSampleFile *file,
                                 const WsResult *result, GError **error);

#endif
