/* The parts of a page, made of the files in page/ when Warpstep is built. */
#ifndef WS_STUDY_PLOT_PAGE_H
#define WS_STUDY_PLOT_PAGE_H

/* The page with marks such as @DATA@ where something belongs. */
extern const char ws_page_html[];

/* uPlot 1.6.32, MIT licence (page/uplot.LICENSE): https://github.com/leeoniya/uPlot */
extern const char ws_page_uplot_js[];
extern const char ws_page_uplot_css[];

#endif
