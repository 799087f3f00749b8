#include "sim/base/page_store.h"

#include <string.h>

typedef struct {
    guint32 users; /* copies that have it */
    guint8 data[WS_COPY_PAGE_BYTES];
} Page;

struct WsPageCopy {
    WsPageStore *store;
    gsize bytes;
    gsize page_count;
    Page **pages; /* NULL = all zero */
};

/* A page of zeros is equal to itself shifted by one byte, and begins with 0. */
static gboolean is_zero(const guint8 *data, gsize bytes)
{
    return data[0] == 0 && memcmp(data, data + 1, bytes - 1) == 0;
}

static gsize page_length(gsize bytes, gsize page)
{
    return MIN(WS_COPY_PAGE_BYTES, bytes - page * WS_COPY_PAGE_BYTES);
}

static Page *copy_page(WsPageStore *store, const guint8 *data, gsize length)
{
    Page *page = g_new(Page, 1);

    page->users = 1;
    memcpy(page->data, data, length);
    memset(page->data + length, 0, WS_COPY_PAGE_BYTES - length);
    store->bytes += sizeof *page;
    return page;
}

/* The page at `data`, shared with `before` where it is the same. */
static Page *take_page(WsPageStore *store, const guint8 *data, gsize length, Page *before)
{
    if (before != NULL && memcmp(before->data, data, length) == 0) {
        before->users++;
        return before;
    }
    return is_zero(data, length) ? NULL : copy_page(store, data, length);
}

WsPageCopy *ws_page_copy_new(WsPageStore *store, const guint8 *from, gsize bytes,
                             const WsPageCopy *before)
{
    WsPageCopy *copy = g_new(WsPageCopy, 1);

    copy->store = store;
    copy->bytes = bytes;
    copy->page_count = bytes / WS_COPY_PAGE_BYTES + (bytes % WS_COPY_PAGE_BYTES != 0);
    copy->pages = g_new(Page *, copy->page_count);
    store->bytes += copy->page_count * sizeof(Page *);
    for (gsize i = 0; i < copy->page_count; i++) {
        gboolean known = before != NULL && i < before->page_count &&
                         page_length(before->bytes, i) >= page_length(bytes, i);

        copy->pages[i] = take_page(store, from + i * WS_COPY_PAGE_BYTES, page_length(bytes, i),
                                   known ? before->pages[i] : NULL);
    }
    return copy;
}

void ws_page_copy_free(WsPageCopy *copy)
{
    if (copy == NULL)
        return;
    for (gsize i = 0; i < copy->page_count; i++) {
        Page *page = copy->pages[i];

        if (page == NULL || --page->users != 0)
            continue;
        copy->store->bytes -= sizeof *page;
        g_free(page);
    }
    copy->store->bytes -= copy->page_count * sizeof(Page *);
    g_free(copy->pages);
    g_free(copy);
}

void ws_page_copy_restore(const WsPageCopy *copy, guint8 *to)
{
    for (gsize i = 0; i < copy->page_count; i++) {
        const Page *page = copy->pages[i];
        gsize length = page_length(copy->bytes, i);
        guint8 *place = to + i * WS_COPY_PAGE_BYTES;

        if (page == NULL) {
            if (!is_zero(place, length))
                memset(place, 0, length);
        } else if (memcmp(place, page->data, length) != 0) {
            memcpy(place, page->data, length);
        }
    }
}

gsize ws_page_copy_length(const WsPageCopy *copy)
{
    return copy->bytes;
}
