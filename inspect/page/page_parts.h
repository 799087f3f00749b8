/* Parts of pages as they stand in HTML. Inside the room only. */
#ifndef WS_INSPECT_PAGE_PAGE_PARTS_H
#define WS_INSPECT_PAGE_PAGE_PARTS_H

#include "inspect/page/page.h"

/* JSON for a script element: nothing in it can end the element or begin a comment. */
void ws_page_append_json(GString *out, const char *json);

/* What follows on ws_run_page_template[part]; nothing behind the last one. */
void ws_page_append_part(GString *out, const WsRunPage *page, guint part);

#endif
