/*
 * The byte-order mark that some editors put in front of UTF-8. It says nothing, and compilers pass
 * over it: where a text begins with one, so does whoever reads it here. Anywhere else it is a
 * character as any other.
 */
#ifndef WS_ISA_BASE_BYTE_ORDER_MARK_H
#define WS_ISA_BASE_BYTE_ORDER_MARK_H

#include <glib.h>
#include <string.h>

/* Bytes of the mark that `text` begins with: 3 or 0. */
static inline gsize ws_byte_order_mark(const char *text, gsize length)
{
    static const char mark[] = "\xef\xbb\xbf";
    return length >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
}

#endif
