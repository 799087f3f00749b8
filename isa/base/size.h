/*
 * Products and sums of sizes that a user gives. What is too large for 64 bits stays the largest
 * number instead of wrapping to a small one, so that a comparison with a limit still refuses it.
 */
#ifndef WS_ISA_BASE_SIZE_H
#define WS_ISA_BASE_SIZE_H

#include <glib.h>

static inline guint64 ws_size_multiply(guint64 a, guint64 b)
{
    guint64 product;
    return g_uint64_checked_mul(&product, a, b) ? product : G_MAXUINT64;
}

static inline guint64 ws_size_add(guint64 a, guint64 b)
{
    guint64 sum;
    return g_uint64_checked_add(&sum, a, b) ? sum : G_MAXUINT64;
}

/* The least multiple of `align` that is not below `value`; align 0 = any place will do. */
static inline guint64 ws_size_align_up(guint64 value, guint64 align)
{
    return align == 0 ? value : (value + align - 1) / align * align;
}

/* Of a grid: its blocks. Of a block: its threads. */
static inline guint64 ws_size_volume(const guint32 sizes[3])
{
    return ws_size_multiply(ws_size_multiply(sizes[0], sizes[1]), sizes[2]);
}

#endif
