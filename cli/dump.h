/* --dump NAME=FILE: buffers of a job as raw little-endian files. */
#ifndef WS_CLI_DUMP_H
#define WS_CLI_DUMP_H

#include "cli/output_file.h"
#include "sim/launch.h"

/*
 * Appends to `outputs` (of WsOutput) the file of each of the NULL-terminated `dumps`, which may be
 * NULL. Errors: WS_ERROR_USAGE.
 */
gboolean ws_dumps_add_outputs(char *const *dumps, GArray *outputs, GError **error);

/* Whether the job has all buffers that `dumps` name. Errors: WS_ERROR_USAGE. */
gboolean ws_dumps_check(char *const *dumps, const WsJob *job, GError **error);

/* Writes them. Errors: WS_ERROR_INPUT. */
gboolean ws_dumps_write(char *const *dumps, const WsJob *job, GError **error);

/*
 * The buffer of `job` whose name are the first `length` bytes of `text`. `option` is for the
 * message. NULL with WS_ERROR_USAGE if there is none.
 */
const WsBuffer *ws_find_buffer_option(const WsJob *job, const char *option, const char *text,
                                      gsize length, GError **error);

#endif
