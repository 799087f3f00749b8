#include "sim/check/shadow.h"

enum { PAGE_BITS = 12, PAGE_BYTES = 1 << PAGE_BITS, WORD = 4 };

typedef struct {
    guint64 number;
    WsShadowCell *cells;
    guint32 grain; /* bytes of a cell */
} Page;

struct WsShadow {
    GHashTable *pages; /* number -> Page */
    Page *last;
    WsShadowRoom *room;
};

static void page_free(gpointer data)
{
    Page *page = data;

    g_free(page->cells);
    g_free(page);
}

WsShadow *ws_shadow_new(WsShadowRoom *room)
{
    WsShadow *shadow = g_new0(WsShadow, 1);

    shadow->pages = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, page_free);
    shadow->room = room;
    return shadow;
}

void ws_shadow_free(WsShadow *shadow)
{
    g_hash_table_unref(shadow->pages);
    g_free(shadow);
}

static WsShadowCell *take_cells(WsShadow *shadow, guint32 grain)
{
    gsize bytes = PAGE_BYTES / grain * sizeof(WsShadowCell);

    if (bytes > shadow->room->left) {
        shadow->room->full = TRUE;
        return NULL;
    }
    shadow->room->left -= bytes;
    return g_malloc0(bytes);
}

static Page *find_page(WsShadow *shadow, guint64 number)
{
    Page *page = shadow->last;

    if (page != NULL && page->number == number)
        return page;
    page = g_hash_table_lookup(shadow->pages, &number);
    if (page != NULL) {
        shadow->last = page;
        return page;
    }
    WsShadowCell *cells = take_cells(shadow, WORD);
    if (cells == NULL)
        return NULL;
    page = g_new0(Page, 1);
    *page = (Page){number, cells, WORD};
    g_hash_table_insert(shadow->pages, &page->number, page);
    shadow->last = page;
    return page;
}

/* What is known of a word holds for each of its bytes. */
static gboolean split(WsShadow *shadow, Page *page)
{
    WsShadowCell *cells = take_cells(shadow, 1);

    if (cells == NULL)
        return FALSE;
    for (guint32 i = 0; i < PAGE_BYTES; i++)
        cells[i] = page->cells[i / WORD];
    g_free(page->cells);
    shadow->room->left += PAGE_BYTES / WORD * sizeof(WsShadowCell);
    page->cells = cells;
    page->grain = 1;
    return TRUE;
}

WsShadowCell *ws_shadow_cells(WsShadow *shadow, guint64 address, guint32 bytes, guint32 *ret_count)
{
    Page *page = find_page(shadow, address >> PAGE_BITS);

    if (page == NULL || (bytes < page->grain && !split(shadow, page)))
        return NULL;
    *ret_count = bytes / page->grain;
    return page->cells + (address & (PAGE_BYTES - 1)) / page->grain;
}
