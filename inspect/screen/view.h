/*
 * What the screen shows of a session and where: what panes draw from. Inside inspect/screen/ only.
 */
#ifndef WS_INSPECT_SCREEN_VIEW_H
#define WS_INSPECT_SCREEN_VIEW_H

#include "inspect/screen/grid.h"
#include "inspect/screen/history.h"
#include "inspect/screen/layout.h"
#include "inspect/screen/listing.h"
#include "inspect/session/lane_expression.h"
#include "inspect/session/paths.h"

typedef enum { WS_SHOW_HEX, WS_SHOW_DECIMAL, WS_SHOW_FLOAT, WS_SHOW_COUNT } WsNumberForm;

typedef struct {
    WsSession *session;
    WsTimeline *timeline;
    const WsProgram *program;
    WsHistory *history;
    WsListings *listings;
    guint32 file; /* of the source that is shown */
    WsPane active;
    gboolean zoomed;
    guint32 sm;                  /* that is looked at: the last one of the focus */
    guint cursor[WS_PANE_COUNT]; /* of listings: line, from 0 */
    guint shift;                 /* columns of listings that are out of sight on the left */
    WsNumberForm form;
    char **names;       /* registers and expressions asked for, or NULL: registers of the next
                           instruction */
    guint64 per_column; /* cycles a column of the strip has */
    char **watched;     /* lines of what `display` shows, or NULL */
    gboolean has_watched;
} WsView;

/* ---- what panes ask ----------------------------------------------------------------------------
 */

/* The SM that is looked at, or NULL: it has no part in the launch. */
const WsSm *ws_view_sm(const WsView *view);
/* The instruction that the focused warp issues next. FALSE: it is not there, or at its end. */
gboolean ws_view_instruction(const WsView *view, guint32 *ret);
/* Names in expressions, for the launch under way. ws_lane_scope_free. */
WsLaneScope *ws_view_scope(const WsView *view);
/* The first row to show of `count`, so that `wanted` is among the `rows` shown. */
guint ws_first_row(guint wanted, guint count, guint rows);
/* How many of the warps in slots of the SM there are, and the number of the focused one of them. */
guint ws_view_warps(const WsView *view, guint32 ret_slots[WS_MAX_WARP_SLOTS], guint *ret_focus);
/* Why a warp does not issue at the cycle; SELECTED: it issues. */
WsStall ws_view_stall(const WsView *view, const WsSm *sm, guint32 slot);

/* ---- what all panes draw ------------------------------------------------------------------------
 */

WsLook ws_look_of_stall(guint reason);
WsLook ws_look_of_lane(char glyph);
/* Glyphs of the lanes in `mask`, '-' for others, lane 0 first. Returns the column behind them. */
guint ws_draw_lanes(WsGrid *grid, const WsRectangle *in, guint row, guint column,
                    const WsLaneStates *states, guint warp_size, guint64 mask);

/* ---- panes: each draws below its title ------------------------------------------------------ */

#define PANE(name, draw, ...)                                                                      \
    void ws_draw_##draw(const WsView *view, WsPane pane, WsGrid *grid, const WsRectangle *in);
#include "inspect/screen/panes.def"
#undef PANE

/* Columns that the lines of code of the file need, with what stands in front. */
guint ws_source_columns(const WsView *view);
/* Columns of cycles that the strip shows in so many columns. */
guint ws_strip_cycles(guint columns);
/* The first cycle of a column of a strip with so many. FALSE: none is there. */
gboolean ws_strip_cycle(const WsView *view, guint columns, guint column, guint64 *ret);

#endif
