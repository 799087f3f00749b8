/* Texts of a given width in characters, for tables and charts that are read in a terminal. */
#ifndef WS_STUDY_RESULTS_ALIGNED_TEXT_H
#define WS_STUDY_RESULTS_ALIGNED_TEXT_H

#include <glib.h>

guint ws_characters(const char *text);
/* At the left. Of a long text its end, which says more: "ergent_mandelbrot". */
void ws_append_left(GString *out, const char *text, guint width);
/* At the right; a long text as it is. */
void ws_append_right(GString *out, const char *text, guint width);

#endif
