#include "inspect/export/compression.h"

#include <string.h>

#define COMPRESSION(name) extern const WsCompression ws_compression_##name;
#include "inspect/export/compressions.def"
#undef COMPRESSION

const WsCompression *const ws_compressions[] = {
#define COMPRESSION(name) &ws_compression_##name,
#include "inspect/export/compressions.def"
#undef COMPRESSION
    NULL,
};

struct WsCompressor {
    const WsCompression *kind;
    WsCompressorOut out;
    gboolean failed;
};

const WsCompression *ws_compression_find(const char *name)
{
    for (guint i = 0; ws_compressions[i] != NULL; i++)
        if (strcmp(ws_compressions[i]->name, name) == 0)
            return ws_compressions[i];
    return NULL;
}

const WsCompression *ws_compression_of_file(const char *path)
{
    for (guint i = 0; ws_compressions[i] != NULL; i++)
        if (g_str_has_suffix(path, ws_compressions[i]->suffix))
            return ws_compressions[i];
    return NULL;
}

WsCompressor *ws_compressor_new(const WsCompression *kind, WsTraceSink sink, void *data)
{
    WsCompressor *compressor = g_new0(WsCompressor, 1);

    compressor->kind = kind;
    compressor->out = (WsCompressorOut){.sink = sink, .data = data};
    compressor->failed = !kind->begin(&compressor->out);
    return compressor;
}

void ws_compressor_free(WsCompressor *compressor)
{
    if (compressor == NULL)
        return;
    compressor->kind->clear(&compressor->out);
    g_free(compressor);
}

static gboolean put(WsCompressor *compressor, const char *bytes, gsize length, gboolean last)
{
    if (!compressor->failed)
        compressor->failed = !compressor->kind->put(&compressor->out, bytes, length, last);
    return !compressor->failed;
}

gboolean ws_compressor_write(void *compressor, const char *bytes, gsize length)
{
    return put(compressor, bytes, length, FALSE);
}

gboolean ws_compressor_finish(WsCompressor *compressor)
{
    return put(compressor, "", 0, TRUE);
}
