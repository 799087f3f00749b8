#include "study/plot/palette.h"

#include <math.h>

static const char *const names[WS_PALETTE_COLOURS] = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#f0e442",
    "#7fb8d8", "#eaae7f", "#7fcfb9", "#e5bcd3", "#f2cf7f", "#aad9f4", "#999999", "#f7f1a0"};
static const guint32 scale[WS_SCALE_COLOURS] = {0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c,
                                                0x28ae80, 0x5ec962, 0xaddc30, 0xfde725};
static const char *const scale_texts[WS_SCALE_COLOURS] = {"#440154", "#472d7b", "#3b528b",
                                                          "#2c728e", "#21918c", "#28ae80",
                                                          "#5ec962", "#addc30", "#fde725"};

const char *ws_palette_colour(guint place)
{
    return names[place % WS_PALETTE_COLOURS];
}

const char *ws_scale_colour(guint place)
{
    return scale_texts[place];
}

guint32 ws_scale_at(double share)
{
    double at = CLAMP(share, 0, 1) * (WS_SCALE_COLOURS - 1);
    guint low = MIN((guint)at, WS_SCALE_COLOURS - 2);
    double rest = at - low;
    guint32 colour = 0;
    for (guint shift = 0; shift <= 16; shift += 8) {
        double first = scale[low] >> shift & 0xff, second = scale[low + 1] >> shift & 0xff;
        colour |= (guint32)lround(first + rest * (second - first)) << shift;
    }
    return colour;
}

/* Where black has more contrast than white: luminance of WCAG 2.1, which is 0.179 there. */
gboolean ws_scale_is_light(double share)
{
    const double weights[] = {0.0722, 0.7152, 0.2126}; /* blue, green, red */
    guint32 colour = ws_scale_at(share);
    double luminance = 0;
    for (guint i = 0; i < 3; i++) {
        double part = (colour >> (8 * i) & 0xff) / 255.0;
        luminance +=
            weights[i] * (part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
    }
    return luminance > 0.179;
}
