/*
 * Pages of runs inside of another page: elements <details class="run-page"> that show a page in a
 * frame of its own when they are opened. What pages have in common is there once. The page around
 * needs no network either.
 */
#ifndef WS_INSPECT_PAGE_EMBEDDED_PAGES_H
#define WS_INSPECT_PAGE_EMBEDDED_PAGES_H

#include "inspect/page/page.h"

/* The Content-Security-Policy of a page around, which has styles and no scripts of its own. */
const char *ws_embedded_pages_policy(void);

/* Appends an element with this id and, in its head, this text; links to the id open it. */
void ws_embedded_pages_add(GString *html, const char *id, const char *text, const WsRunPage *page);

/* Appends what they have in common, once and behind the last one. */
void ws_embedded_pages_finish(GString *html);

#endif
