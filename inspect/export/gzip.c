/* gzip (RFC 1952): one member, without the name and the time of a file. */
#include "inspect/export/compression.h"

#include <zlib.h>

enum { GZIP_WINDOW = 15 + 16, MEMORY_LEVEL = 8, OUT_BYTES = 1 << 16 };

typedef struct {
    z_stream stream;
    char out[OUT_BYTES];
} State;

static gboolean begin(WsCompressorOut *out)
{
    State *state = out->state = g_new0(State, 1);

    return deflateInit2(&state->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW,
                        MEMORY_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK;
}

/* What is in front of the library now, at most G_MAXUINT bytes. */
static gboolean deflate_all(WsCompressorOut *out, int flush)
{
    State *state = out->state;
    z_stream *stream = &state->stream;
    int code;

    do {
        stream->next_out = (Bytef *)state->out;
        stream->avail_out = OUT_BYTES;
        code = deflate(stream, flush);
        gsize made = OUT_BYTES - stream->avail_out;
        if (code == Z_STREAM_ERROR || (made != 0 && !out->sink(out->data, state->out, made)))
            return FALSE;
    } while (stream->avail_out == 0);
    return TRUE;
}

static gboolean put(WsCompressorOut *out, const char *bytes, gsize length, gboolean last)
{
    State *state = out->state;

    while (length != 0) {
        guint part = (guint)MIN(length, G_MAXUINT);

        state->stream.next_in = (z_const Bytef *)bytes;
        state->stream.avail_in = part;
        if (!deflate_all(out, Z_NO_FLUSH))
            return FALSE;
        bytes += part;
        length -= part;
    }
    return !last || deflate_all(out, Z_FINISH);
}

static void clear(WsCompressorOut *out)
{
    State *state = out->state;

    deflateEnd(&state->stream);
    g_free(state);
}

const WsCompression ws_compression_gzip = {
    .name = "gzip", .suffix = ".gz", .begin = begin, .put = put, .clear = clear};
