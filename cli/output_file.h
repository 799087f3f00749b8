/*
 * Files that a command writes: each as a whole, to a temporary file beside it that is then renamed.
 * A link is followed: the file it leads to is replaced, and the link stays. A file that was there
 * keeps its mode. A device of characters, such as /dev/null, is written to as it is. What else
 * exists and is not a regular file is refused, and so is a file that is write-protected. "-" and
 * "/dev/stdout" are stdout.
 */
#ifndef WS_CLI_OUTPUT_FILE_H
#define WS_CLI_OUTPUT_FILE_H

#include "isa/base/error.h"

typedef struct {
    const char *option; /* that names the file, for messages: "--dump" */
    const char *path;   /* NULL: not wanted */
} WsOutput;

/*
 * Before the work: whether each of the files could be written now, and no two are the same. Leaves
 * nothing behind. Errors: WS_ERROR_USAGE if two are the same, WS_ERROR_INPUT.
 */
gboolean ws_outputs_check(const WsOutput *outputs, gsize count, GError **error);

/* Writes `length` bytes. Errors: WS_ERROR_INPUT. */
gboolean ws_write_file(const char *path, const char *data, gsize length, GError **error);

/* A file that is written in parts. */
typedef struct WsOutputStream WsOutputStream;

/* Errors: WS_ERROR_INPUT. */
WsOutputStream *ws_output_stream_open(const char *path, GError **error);
/* FALSE if this or anything before could not be written: commit will say why. */
gboolean ws_output_stream_write(WsOutputStream *stream, const char *data, gsize length);
/* Whether everything could be written so far. */
gboolean ws_output_stream_is_whole(const WsOutputStream *stream);
/* Puts the file in its place and frees the stream. Errors: WS_ERROR_INPUT, and nothing is left. */
gboolean ws_output_stream_commit(WsOutputStream *stream, GError **error);
/* Throws it away; NULL is allowed. */
void ws_output_stream_discard(WsOutputStream *stream);

#endif
