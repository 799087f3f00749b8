/* The screen's own state, which its files share. Inside inspect/screen/ only. */
#ifndef WS_INSPECT_SCREEN_SCREEN_PRIVATE_H
#define WS_INSPECT_SCREEN_SCREEN_PRIVATE_H

#include "inspect/commands/interpreter.h"
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
    guint visited; /* panes that have been gone to, a bit each */
    WsPane before; /* the one that the machine was gone to from */
    gboolean zoomed_before;
    guint rows, columns; /* as drawn last, and these: */
    WsLayout layout;
    GArray *targets; /* of WsTarget */

    /* What is read over the panes, or lines NULL. */
    char *page_title;
    char **page;
    guint page_first, page_count;
    guint choice_count; /* of the page: a digit goes to one of these */
    WsHighlightKind choices[WS_HIGHLIGHT_COUNT];

    const WsPrompt *prompt; /* text is being typed, or NULL */
    GString *typed;

    WsInterpreter *interpreter; /* of command lines, or NULL */
    GPtrArray *lines;           /* of char *: command lines so far */
    guint line;                 /* of them the one that is shown; their number: a new one */
};

/* ---- telling ----------------------------------------------------------------------------------
 */

void ws_screen_say(WsScreen *screen, WsLook look, const char *format, ...) G_GNUC_PRINTF(3, 4);
/* Says what went wrong, and frees it. */
void ws_screen_say_error(WsScreen *screen, GError *error);
void ws_screen_say_arrival(WsScreen *screen, const WsArrival *arrival);

/* ---- doing -------------------------------------------------------------------------------------
 */

/* The session has moved: cursors go to where the focused warp is. */
void ws_screen_follow(WsScreen *screen);
void ws_screen_move(WsScreen *screen, WsMove move, gint64 count);
void ws_screen_move_any(WsScreen *screen, WsMove move, gint64 count);
void ws_screen_go_to_fault(WsScreen *screen);
void ws_screen_continue(WsScreen *screen, gboolean back);
void ws_screen_go(WsScreen *screen, guint64 cycle);
/* Shows what happened where; the number of a choice, from 0, goes there. */
void ws_screen_show_highlights(WsScreen *screen);
void ws_screen_go_to_highlight(WsScreen *screen, guint choice);

/* The focus goes to a warp of the SM. */
void ws_screen_focus_on(WsScreen *screen, const WsSm *sm, guint32 slot);
/* Says what the active pane is, the first time that it is gone to. */
void ws_screen_visit(WsScreen *screen);
/* By so many lines, warps or lanes of the pane that is active. */
void ws_screen_scroll(WsScreen *screen, gint64 by);

/* Does a command line; what it has to say is shown. */
void ws_screen_command(WsScreen *screen, const char *line);
/* Reads what `display` was asked to show, for a pane of so many columns. */
void ws_screen_watch(WsScreen *screen, guint columns);
/* A line before or behind the one that is typed, by `by`; the rest of a word. */
void ws_screen_recall(WsScreen *screen, gint by);
void ws_screen_complete(WsScreen *screen);

/* ---- text that is typed
 * -------------------------------------------------------------------------- */

typedef enum {
    WS_PROMPT_GOTO,
    WS_PROMPT_REGISTERS,
    WS_PROMPT_BREAK,
    WS_PROMPT_COMMAND,
    WS_PROMPT_COUNT
} WsPromptKind;

void ws_screen_ask(WsScreen *screen, WsPromptKind kind, const char *text);
void ws_screen_type(WsScreen *screen, guint32 key);
const char *ws_prompt_label(const WsPrompt *prompt);

#endif
