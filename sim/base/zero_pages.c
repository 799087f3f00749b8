#include "sim/base/zero_pages.h"

#include "isa/base/sanitized.h"

#include <sys/mman.h>

/* Tables of so many bytes are worth large pages of the host, which would make smaller ones whole.
 */
enum { HUGE = 1 << 20 };

/* Not worth a call of the system. */
static gboolean is_small(gsize bytes)
{
    return WS_ADDRESS_SANITIZED || bytes < (gsize)64 << 10;
}

gpointer ws_zero_pages_new(gsize count, gsize size)
{
    gsize bytes;

    if (!g_size_checked_mul(&bytes, count, size))
        g_error("%" G_GSIZE_FORMAT " elements of %" G_GSIZE_FORMAT " bytes", count, size);
    if (is_small(bytes))
        return g_malloc0(bytes);
    gpointer pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        g_error("failed to allocate %" G_GSIZE_FORMAT " bytes", bytes);
#ifdef MADV_HUGEPAGE
    /* Entries are found by a hash: large pages spare the host most faults and TLB misses. It may
     * have none, which does no harm. */
    if (bytes >= HUGE)
        madvise(pages, bytes, MADV_HUGEPAGE);
#endif
    return pages;
}

void ws_zero_pages_free(gpointer pages, gsize count, gsize size)
{
    if (pages == NULL || is_small(count * size))
        g_free(pages);
    else
        munmap(pages, count * size);
}
