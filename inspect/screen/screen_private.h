/* The screen's own state, which its files share. Inside inspect/screen/ only. */
#ifndef WS_INSPECT_SCREEN_SCREEN_PRIVATE_H
#define WS_INSPECT_SCREEN_SCREEN_PRIVATE_H

#include "inspect/screen/screen.h"
#include "inspect/screen/view.h"

typedef struct WsPrompt WsPrompt;

struct WsScreen {
    WsView view;
    WsScreenBusy busy;
    void *busy_data;
    gint64 asked;  /* last, by the host's clock; what it says shows nowhere */
    char *message; /* in the last row, or NULL */
    WsLook message_look;
    guint64 count; /* typed in front of a key; 0 = none */
    gboolean done;
    guint rows; /* of a page: as drawn last */

    /* What is read over the panes, or lines NULL. */
    char *page_title;
    char **page;
    guint page_first, page_count;

    const WsPrompt *prompt; /* text is being typed, or NULL */
    GString *typed;
};

/* ---- telling ----------------------------------------------------------------------------------
 */

void ws_screen_say(WsScreen *screen, WsLook look, const char *format, ...) G_GNUC_PRINTF(3, 4);
/* Says what went wrong, and frees it. */
void ws_screen_say_error(WsScreen *screen, GError *error);
void ws_screen_say_arrival(WsScreen *screen, const WsArrival *arrival);
/* Text to be read, over the panes. */
void ws_screen_show_page(WsScreen *screen, const char *title, const char *text);
char *ws_screen_help(void);

/* ---- doing -------------------------------------------------------------------------------------
 */

/* The session has moved: cursors go to where the focused warp is. */
void ws_screen_follow(WsScreen *screen);
void ws_screen_move(WsScreen *screen, WsMove move, gint64 count);
void ws_screen_continue(WsScreen *screen, gboolean back);
void ws_screen_go(WsScreen *screen, guint64 cycle);

/* ---- text that is typed
 * -------------------------------------------------------------------------- */

typedef enum { WS_PROMPT_GOTO, WS_PROMPT_REGISTERS, WS_PROMPT_BREAK, WS_PROMPT_COUNT } WsPromptKind;

void ws_screen_ask(WsScreen *screen, WsPromptKind kind, const char *text);
void ws_screen_type(WsScreen *screen, guint32 key);
const char *ws_prompt_label(const WsPrompt *prompt);

#endif
