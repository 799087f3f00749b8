/* --dump NAME=FILE: buffers of a job as raw little-endian files. */
#ifndef WS_CLI_DUMP_H
#define WS_CLI_DUMP_H

#include "cli/output_file.h"
#include "sim/launch/launch.h"

/*
 * Appends to `outputs` (of WsOutput) the file of each of the NULL-terminated `dumps`, which may be
 * NULL. Errors: WS_ERROR_USAGE.
 */
gboolean ws_dumps_add_outputs(char *const *dumps, GArray *outputs, GError **error);

/* Whether the job has all buffers that `dumps` name. Errors: WS_ERROR_USAGE. */
gboolean ws_dumps_check(char *const *dumps, const WsJob *job, GError **error);

/* Writes them. Errors: WS_ERROR_INPUT. */
gboolean ws_dumps_write(char *const *dumps, const WsJob *job, GError **error);

#endif
