/*
 * Ctrl-C (SIGINT), SIGTERM and SIGHUP while a simulation runs: the run ends early and what there is
 * is printed. A second one ends the program.
 */
#ifndef WS_CLI_INTERRUPT_H
#define WS_CLI_INTERRUPT_H

#include <glib.h>

/* From here to ws_interrupt_unwatch() signals are noted. What is returned becomes 1 with the first.
 */
const gint *ws_interrupt_watch(void);

/* Signals end the program again. */
void ws_interrupt_unwatch(void);

#endif
