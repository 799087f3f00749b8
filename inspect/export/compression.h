/*
 * Compression of what an exporter writes, on its way to the file. A kind is one file with a
 * WsCompression, and one row in compressions.def. The same bytes and the same version of the
 * library give the same file: neither a time nor a name is in it.
 */
#ifndef WS_INSPECT_EXPORT_COMPRESSION_H
#define WS_INSPECT_EXPORT_COMPRESSION_H

#include "inspect/export/trace_writer.h"

/* What a kind's functions work with. */
typedef struct {
    WsTraceSink sink; /* gets the compressed bytes */
    void *data;
    void *state; /* of the kind */
} WsCompressorOut;

typedef struct {
    const char *name;   /* for --compress: "gzip" */
    const char *suffix; /* of names of such files: ".gz" */
    /* FALSE: the library has no memory. */
    gboolean (*begin)(WsCompressorOut *out);
    /* Takes all of the bytes; `last`: nothing follows. FALSE if the sink or the library fails. */
    gboolean (*put)(WsCompressorOut *out, const char *bytes, gsize length, gboolean last);
    void (*clear)(WsCompressorOut *out);
} WsCompression;

/* All kinds; NULL-terminated. */
extern const WsCompression *const ws_compressions[];
/* By name, or NULL. */
const WsCompression *ws_compression_find(const char *name);
/* The kind whose suffix the name of a file ends in, or NULL. */
const WsCompression *ws_compression_of_file(const char *path);

typedef struct WsCompressor WsCompressor;

/* `sink` gets what is to be in the file. */
WsCompressor *ws_compressor_new(const WsCompression *kind, WsTraceSink sink, void *data);
void ws_compressor_free(WsCompressor *compressor); /* NULL does nothing */
/* A WsTraceSink, whose data is the compressor. */
gboolean ws_compressor_write(void *compressor, const char *bytes, gsize length);
/* Writes the rest. FALSE if anything could not be compressed or written. */
gboolean ws_compressor_finish(WsCompressor *compressor);

#endif
