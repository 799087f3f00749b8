/* The full screen of `warpstep step` on a terminal, by ncurses. */
#ifndef WS_CLI_TERMINAL_SCREEN_H
#define WS_CLI_TERMINAL_SCREEN_H

#include "inspect/session/session.h"

/*
 * Shows the session until its user leaves. The terminal is then as it was, also when a signal ends
 * the program. `colour`: may be used. Errors: WS_ERROR_USAGE, as ws_terminal_can_draw().
 */
gboolean ws_terminal_screen_run(WsSession *session, gboolean colour, GError **error);

#endif
