/* Zstandard (RFC 8878): one frame with a checksum of its contents. */
#include "inspect/export/compression.h"

#include <zstd.h>

/* What the frame is cut into for the sink, and the level of zstd's own command. */
enum { OUT_BYTES = 1 << 17, LEVEL = 3 };

typedef struct {
    ZSTD_CCtx *context;
    char out[OUT_BYTES];
} State;

static gboolean begin(WsCompressorOut *out)
{
    State *state = out->state = g_new0(State, 1);

    state->context = ZSTD_createCCtx();
    return state->context != NULL &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(state->context, ZSTD_c_compressionLevel, LEVEL)) &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(state->context, ZSTD_c_checksumFlag, 1));
}

static gboolean put(WsCompressorOut *out, const char *bytes, gsize length, gboolean last)
{
    State *state = out->state;
    ZSTD_inBuffer in = {bytes, length, 0};
    gsize left;

    do {
        ZSTD_outBuffer made = {state->out, OUT_BYTES, 0};

        left =
            ZSTD_compressStream2(state->context, &made, &in, last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left) || (made.pos != 0 && !out->sink(out->data, state->out, made.pos)))
            return FALSE;
    } while (last ? left != 0 : in.pos != in.size);
    return TRUE;
}

static void clear(WsCompressorOut *out)
{
    State *state = out->state;

    ZSTD_freeCCtx(state->context);
    g_free(state);
}

const WsCompression ws_compression_zstd = {
    .name = "zstd", .suffix = ".zst", .begin = begin, .put = put, .clear = clear};
