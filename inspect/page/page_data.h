/* The data of a page, as JSON (web/data.ts lists the names). Inside the room only. */
#ifndef WS_INSPECT_PAGE_PAGE_DATA_H
#define WS_INSPECT_PAGE_PAGE_DATA_H

#include "inspect/page/page.h"

/* Free with g_free. */
char *ws_run_page_data(const WsPageRun *run);

#endif
