/* Reading .npz files (sim/samples/npz_writer.h), which may come from anywhere. */
#ifndef WS_SIM_SAMPLES_NPZ_READER_H
#define WS_SIM_SAMPLES_NPZ_READER_H

#include <glib.h>

typedef struct {
    char *name;     /* of the array, without ".npy" */
    double *values; /* [count] */
    guint count;
    gboolean scalar; /* it has no dimensions, and one value */
} WsNpzColumn;

/*
 * The arrays with one dimension or none of 64-bit integers and floats in the file, in its order;
 * others are left out. NULL: it is no such archive, or damaged; `ret_reason` is then a constant
 * text. Free with g_ptr_array_unref. Elements: WsNpzColumn*.
 */
GPtrArray *ws_npz_read(const guint8 *bytes, gsize length, const char **ret_reason);

#endif
