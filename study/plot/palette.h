/* Colours of pictures that people with any kind of colour vision can tell apart, also in grey. */
#ifndef WS_STUDY_PLOT_PALETTE_H
#define WS_STUDY_PLOT_PALETTE_H

#include <glib.h>

/*
 * Of names: "#0072b2", again from the start after the last (Okabe and Ito, "Color Universal
 * Design", 2008; the second eight are lighter, for bands, of which there are more).
 */
enum { WS_PALETTE_COLOURS = 16 };
const char *ws_palette_colour(guint place);

/*
 * Of numbers, from dark to light: viridis (S. van der Walt and N. Smith, 2015), whose lightness
 * rises evenly. `WS_SCALE_COLOURS` of them, evenly apart.
 */
enum { WS_SCALE_COLOURS = 9 };
const char *ws_scale_colour(guint place);

/* The colour at a share from 0 to 1 of the scale, as 0xRRGGBB, and whether dark text is legible. */
guint32 ws_scale_at(double share);
gboolean ws_scale_is_light(double share);

#endif
