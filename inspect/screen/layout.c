#include "inspect/screen/layout.h"

enum { AREAS = 3, OWN_ROWS = 2, TITLE_ROWS = 1 };

static const struct {
    const char *title;
    guint area, least, most, rank;
    const char *hint;
} panes[] = {
#define PANE(name, draw, title, area, least, most, rank, hint)                                     \
    {title, area, least, most, rank, hint},
#include "inspect/screen/panes.def"
#undef PANE
};

const char *ws_pane_title(WsPane pane)
{
    return panes[pane].title;
}

const char *ws_pane_hint(WsPane pane)
{
    return panes[pane].hint;
}

guint ws_pane_area(WsPane pane)
{
    return panes[pane].area;
}

/* What the source needs comes before PTX and bytecode, unless one of these is gone to. */
static guint least_of(WsPane pane, guint columns, WsPane active, guint source)
{
    gboolean first = pane == WS_PANE_SOURCE && active != WS_PANE_PTX && active != WS_PANE_BYTECODE;

    return first ? CLAMP(source, panes[pane].least, MAX(columns, panes[pane].least))
                 : panes[pane].least;
}

/* The panes of an area that fit side by side, the active one among them; one in any case. */
static void choose(guint area, guint columns, WsPane active, guint source, guint missing,
                   WsLayout *ret)
{
    guint taken = 0;

    if (panes[active].area == area) {
        ret->shown[active] = TRUE;
        taken = least_of(active, columns, active, source);
    }
    for (guint rank = 0; rank < WS_PANE_COUNT; rank++)
        for (guint i = 0; i < WS_PANE_COUNT; i++) {
            guint separator = taken != 0 ? 1 : 0,
                  least = least_of((WsPane)i, columns, active, source);

            if (panes[i].area != area || panes[i].rank != rank || ret->shown[i] ||
                (missing >> i & 1) != 0 || (taken != 0 && taken + separator + least > columns))
                continue;
            ret->shown[i] = TRUE;
            taken += separator + least;
        }
}

/* Columns beyond what they need are shared out, to those that can use more. */
static void share_out(guint area, guint row, guint rows, guint columns, WsPane active, guint source,
                      WsLayout *ret)
{
    guint widths[WS_PANE_COUNT] = {0}, left = columns + 1, last = WS_PANE_COUNT, column = 0;

    for (guint i = 0; i < WS_PANE_COUNT; i++)
        if (panes[i].area == area && ret->shown[i]) {
            widths[i] = MIN(least_of((WsPane)i, columns, active, source), columns);
            left -= MIN(left, widths[i] + 1);
            last = i;
        }
    for (gboolean any = TRUE; left > 0 && any;) {
        any = FALSE;
        for (guint i = 0; i < WS_PANE_COUNT && left > 0; i++)
            if (widths[i] != 0 && (panes[i].most == 0 || widths[i] < panes[i].most)) {
                widths[i]++;
                left--;
                any = TRUE;
            }
    }
    if (last != WS_PANE_COUNT)
        widths[last] += left;
    for (guint i = 0; i < WS_PANE_COUNT; i++)
        if (widths[i] != 0) {
            ret->panes[i] = (WsRectangle){row, column, rows, widths[i]};
            column += widths[i] + 1;
        }
}

void ws_layout(guint rows, guint columns, WsPane active, gboolean zoomed, guint warps, guint source,
               guint missing, WsLayout *ret)
{
    guint heights[AREAS], left = rows - OWN_ROWS, row = 1;

    *ret = (WsLayout){.fits = rows >= WS_LEAST_ROWS && columns >= WS_LEAST_COLUMNS};
    if (!ret->fits)
        return;
    if (zoomed) {
        ret->shown[active] = TRUE;
        ret->panes[active] = (WsRectangle){1, 0, left, columns};
        return;
    }
    for (guint area = 0; area < AREAS; area++)
        choose(area, columns, active, source, missing, ret);
    heights[1] =
        CLAMP(warps + (ret->shown[WS_PANE_STRIP] ? TITLE_ROWS + 2 : TITLE_ROWS + 1), 3, left / 3);
    heights[2] = (left - heights[1]) / 2;
    heights[0] = left - heights[1] - heights[2];
    for (guint area = 0; area < AREAS; area++) {
        share_out(area, row, heights[area], columns, active, source, ret);
        row += heights[area];
    }
}
