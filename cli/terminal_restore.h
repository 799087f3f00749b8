/*
 * A terminal that is drawn on: whether it can be, and how it is left as it was where a signal ends
 * the program.
 */
#ifndef WS_CLI_TERMINAL_RESTORE_H
#define WS_CLI_TERMINAL_RESTORE_H

#include <glib.h>

/* Why the terminal of stdout cannot be drawn on, or NULL. g_free. */
char *ws_terminal_cannot_draw(void);
/* Notes its modes, before anything changes them. */
void ws_terminal_note(void);
/*
 * From here on signals that end the program put the terminal back first, also those of a crash; up
 * to ws_terminal_unguard().
 */
void ws_terminal_guard(void);
void ws_terminal_unguard(void);

#endif
