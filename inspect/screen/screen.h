/*
 * A session on a full screen, apart from any terminal: keys go in, and what is to be seen is drawn
 * into a grid of any size. cli/terminal_screen.c puts it on a terminal.
 */
#ifndef WS_INSPECT_SCREEN_SCREEN_H
#define WS_INSPECT_SCREEN_SCREEN_H

#include "inspect/screen/grid.h"
#include "inspect/session/session.h"

typedef struct WsScreen WsScreen;

/* Keys are characters (Unicode), and these. */
enum {
    WS_KEY_CLEAR_LINE = 'u' & 0x1f, /* Ctrl-U */
    WS_KEY_TAB = '\t',
    WS_KEY_ENTER = '\n',
    WS_KEY_ESCAPE = 27,
    WS_KEY_BACKSPACE = 127,
    WS_KEY_UP = 0x110000,
    WS_KEY_DOWN,
    WS_KEY_LEFT,
    WS_KEY_RIGHT,
    WS_KEY_PAGE_UP,
    WS_KEY_PAGE_DOWN,
    WS_KEY_HOME,
    WS_KEY_END,
    WS_KEY_BACK_TAB
};

/*
 * Is asked now and then while the run is searched for long, with the cycle that has been come to:
 * TRUE ends the search there.
 */
typedef gboolean (*WsScreenBusy)(void *data, guint64 cycle);

/* The session stays with the caller. `busy` may be NULL. */
WsScreen *ws_screen_new(WsSession *session, WsScreenBusy busy, void *data);
void ws_screen_free(WsScreen *screen);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsScreen, ws_screen_free)

/* Text to be read, over the panes. */
void ws_screen_show_page(WsScreen *screen, const char *title, const char *text);

typedef enum { WS_MOUSE_CLICK, WS_MOUSE_WHEEL_UP, WS_MOUSE_WHEEL_DOWN } WsMouse;

/*
 * A button or the wheel, at a place of what was drawn last: a pane, line, warp or lane is chosen, a
 * cell of the last cycles is gone to, the wheel scrolls.
 */
void ws_screen_mouse(WsScreen *screen, WsMouse mouse, guint row, guint column);
/* FALSE: the key means to leave. What goes wrong is shown on the screen. */
gboolean ws_screen_key(WsScreen *screen, guint32 key);
/* Draws all of it. TRUE: text is being typed, with the cursor at *ret_row, *ret_column. */
gboolean ws_screen_draw(WsScreen *screen, WsGrid *grid, guint *ret_row, guint *ret_column);

#endif
