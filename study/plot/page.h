/* The parts of a page, made of the files in page/ when Warpstep is built. */
#ifndef WS_STUDY_PLOT_PAGE_H
#define WS_STUDY_PLOT_PAGE_H

/* The page with marks such as @DATA@ where something belongs; empty where it was built without. */
extern const char ws_page_html[];
extern const char ws_page_script[];
extern const char ws_page_style[];

#endif
