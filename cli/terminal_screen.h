/* The full screen of `warpstep step` on a terminal, by ncurses. */
#ifndef WS_CLI_TERMINAL_SCREEN_H
#define WS_CLI_TERMINAL_SCREEN_H

#include "inspect/session/session.h"

/*
 * Shows the session until its user leaves. The terminal, one that ws_terminal_cannot_draw() finds
 * nothing wrong with, is then as it was, also when a signal ends the program. `colour`: may be
 * used. `mouse`: is listened to; the terminal itself then selects no text with it. `note`: to be
 * read first, or NULL.
 */
gboolean ws_terminal_screen_run(WsSession *session, const char *note, gboolean colour,
                                gboolean mouse);

#endif
