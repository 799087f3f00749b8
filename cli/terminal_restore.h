/*
 * A terminal that is drawn on: whether it can be, and how it is left as it was where a signal ends
 * the program.
 */
#ifndef WS_CLI_TERMINAL_RESTORE_H
#define WS_CLI_TERMINAL_RESTORE_H

#include <glib.h>

/* Whether the terminal can be drawn on. Errors: WS_ERROR_USAGE, with why not. */
gboolean ws_terminal_can_draw(GError **error);
/* Notes its modes, before anything changes them. */
void ws_terminal_note(void);
/*
 * From here on signals that end the program put the terminal back first, also those of a crash; up
 * to ws_terminal_unguard().
 */
void ws_terminal_guard(void);
void ws_terminal_unguard(void);

#endif
