/* The page without its data, made by make_template.py from web/. Inside the room only. */
#ifndef WS_INSPECT_PAGE_PAGE_TEMPLATE_H
#define WS_INSPECT_PAGE_PAGE_TEMPLATE_H

/* What comes in front of each part of the data, and behind the last one. */
enum { WS_PAGE_TITLE, WS_PAGE_RUN, WS_PAGE_DATA, WS_PAGE_TIMELINE, WS_PAGE_REST, WS_PAGE_PARTS };

/* All of these are NULL if the page was not built. */
extern const char *const ws_run_page_template[WS_PAGE_PARTS];

/* Of pages around it (embedded_pages.h): their script, and their Content-Security-Policy. */
extern const char *const ws_embedded_pages_script;
extern const char *const ws_embedded_pages_csp;

#endif
