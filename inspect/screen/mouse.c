/* What a mouse does. Keys do all of it too. */
#include "inspect/screen/screen_private.h"

enum { WHEEL_LINES = 3 };

static gboolean lies_in(const WsRectangle *at, guint row, guint column)
{
    return row >= at->row && row - at->row < at->rows && column >= at->column &&
           column - at->column < at->columns;
}

/* WS_PANE_COUNT: none. */
static WsPane pane_at(const WsScreen *screen, guint row, guint column)
{
    for (guint i = 0; i < WS_PANE_COUNT; i++)
        if (screen->layout.shown[i] && lies_in(&screen->layout.panes[i], row, column))
            return (WsPane)i;
    return WS_PANE_COUNT;
}

/* NULL: nothing is there. */
static const WsTarget *target_at(const WsScreen *screen, guint row, guint column)
{
    for (guint i = 0; i < screen->targets->len; i++) {
        const WsTarget *target = &g_array_index(screen->targets, WsTarget, i);

        if (target->row == row && column >= target->column &&
            column - target->column < target->columns)
            return target;
    }
    return NULL;
}

static void choose_warp(WsScreen *screen, guint32 slot)
{
    const WsSm *sm = ws_view_sm(&screen->view);

    if (sm != NULL && (sm->state->resident >> slot & 1) != 0)
        ws_screen_focus_on(screen, sm, slot);
}

static void choose_cycle(WsScreen *screen, guint32 slot, guint column)
{
    const WsRectangle *at = &screen->layout.panes[WS_PANE_STRIP];
    guint64 cycle;

    choose_warp(screen, slot);
    if (ws_strip_cycle(&screen->view, at->columns, column - at->column, &cycle) &&
        cycle != ws_timeline_cycle(screen->view.timeline))
        ws_screen_go(screen, cycle);
}

static void choose(WsScreen *screen, WsPane pane, const WsTarget *target, guint column)
{
    WsView *view = &screen->view;

    if (target->row == screen->layout.panes[pane].row) /* of another pane, in the title */
        view->active = (WsPane)target->value;
    else if (pane <= WS_PANE_BYTECODE)
        view->cursor[pane] = target->value;
    else if (pane == WS_PANE_WARPS)
        choose_warp(screen, target->value);
    else if (pane == WS_PANE_STRIP)
        choose_cycle(screen, target->value, column);
    else if (pane == WS_PANE_LANES)
        ws_session_focus(view->session)->lane = target->value;
}

void ws_screen_mouse(WsScreen *screen, WsMouse mouse, guint row, guint column)
{
    WsPane pane = pane_at(screen, row, column);
    const WsTarget *target = target_at(screen, row, column);

    if (screen->prompt != NULL)
        return;
    if (screen->page != NULL) {
        if (mouse != WS_MOUSE_CLICK)
            ws_screen_key(screen, mouse == WS_MOUSE_WHEEL_UP ? WS_KEY_UP : WS_KEY_DOWN);
        return;
    }
    if (pane == WS_PANE_COUNT)
        return;
    g_clear_pointer(&screen->message, g_free);
    screen->view.active = pane;
    ws_screen_visit(screen);
    if (mouse != WS_MOUSE_CLICK)
        ws_screen_scroll(screen, mouse == WS_MOUSE_WHEEL_UP ? -WHEEL_LINES : WHEEL_LINES);
    else if (target != NULL)
        choose(screen, pane, target, column);
}
