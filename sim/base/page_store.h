/*
 * Copies of ranges of memory, page by page. Pages that have not changed since another copy are
 * shared with it, and pages of zeros take no room, so that many copies of a large range that
 * changes little are cheap.
 */
#ifndef WS_SIM_BASE_PAGE_STORE_H
#define WS_SIM_BASE_PAGE_STORE_H

#include <glib.h>

enum { WS_COPY_PAGE_BYTES = 4096 };

/* What the pages of several copies take together. Must live longer than they do. */
typedef struct {
    gsize bytes;
} WsPageStore;

typedef struct WsPageCopy WsPageCopy;

/*
 * Copies `bytes` bytes. Pages that are as in `before`, an earlier copy of the same range, of any
 * length, or NULL, are shared with it.
 */
WsPageCopy *ws_page_copy_new(WsPageStore *store, const guint8 *from, gsize bytes,
                             const WsPageCopy *before);
void ws_page_copy_free(WsPageCopy *copy); /* NULL does nothing */
/* Writes the copy back; pages that are as they were are not written to. */
void ws_page_copy_restore(const WsPageCopy *copy, guint8 *to);
gsize ws_page_copy_length(const WsPageCopy *copy); /* bytes that it is a copy of */

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsPageCopy, ws_page_copy_free)

#endif
