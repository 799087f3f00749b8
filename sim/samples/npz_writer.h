/*
 * Writing .npz, the file of numpy.savez_compressed(): a zip archive (PKWARE APPNOTE 6.3.3) with an
 * array in format 1.0 of numpy.lib.format in each member. Arrays grow by one element at a
 * time and are kept compressed. The same arrays and the same version of zlib give the same bytes:
 * the archive has no times.
 */
#ifndef WS_SIM_SAMPLES_NPZ_WRITER_H
#define WS_SIM_SAMPLES_NPZ_WRITER_H

#include <glib.h>

typedef struct WsNpzWriter WsNpzWriter;

WsNpzWriter *ws_npz_writer_new(void);
void ws_npz_writer_free(WsNpzWriter *writer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsNpzWriter, ws_npz_writer_free)

/* A one-dimensional array of 64-bit numbers without elements, integers or floats; returns its
 * number. */
guint ws_npz_writer_add(WsNpzWriter *writer, const char *name, gboolean integers);
void ws_npz_writer_put_integer(WsNpzWriter *writer, guint array, gint64 value);
void ws_npz_writer_put_float(WsNpzWriter *writer, guint array, double value);

/* Whole arrays: an integer without dimensions, and texts, `count` of them, which are UTF-8. */
void ws_npz_writer_add_integer(WsNpzWriter *writer, const char *name, gint64 value);
void ws_npz_writer_add_texts(WsNpzWriter *writer, const char *name, const char *const *texts,
                             guint count);

/* The file; nothing can be put into the writer any more. NULL: an array has 4 GiB or more. */
GByteArray *ws_npz_writer_finish(WsNpzWriter *writer);

#endif
