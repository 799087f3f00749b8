/*
 * Large tables of zeros. Most launches touch a small part of them: pages come from the system one
 * by one, as they are touched, and are never cleared by hand. Inside the library only.
 */
#ifndef WS_SIM_BASE_ZERO_PAGES_H
#define WS_SIM_BASE_ZERO_PAGES_H

#include <glib.h>

/* `count` elements of `size` bytes, all 0. Aborts where there is no memory, as g_malloc0() does. */
gpointer ws_zero_pages_new(gsize count, gsize size);
/* Frees them; `count` and `size` are those they were made with. NULL is let pass. */
void ws_zero_pages_free(gpointer pages, gsize count, gsize size);

#endif
