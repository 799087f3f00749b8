/*
 * A limit on the processor time that loading and compiling a program takes. When it is over the
 * program ends with a message and exit code 3. clang's time does not count; it has a limit of its
 * own. Output files have not been touched by then.
 */
#ifndef WS_CLI_COMPILE_LIMIT_H
#define WS_CLI_COMPILE_LIMIT_H

#include <glib.h>

enum { WS_DEFAULT_COMPILE_SECONDS = 60, WS_MOST_COMPILE_SECONDS = 1000000 };

#define WS_COMPILE_LIMIT_HELP "processor time that compiling may take (default 60)"

/* FALSE after a message: `seconds`, as given for --max-compile-seconds, is not 1.. the most. */
gboolean ws_compile_limit_check(gint64 seconds);

/* From here on, until ws_compile_limit_end(), if that comes. */
void ws_compile_limit_begin(gint64 seconds);
void ws_compile_limit_end(void);

#endif
