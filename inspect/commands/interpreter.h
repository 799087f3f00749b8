/*
 * Commands for looking at a run, a line at a time: what a prompt, a script and a console in an
 * editor understand. A line goes in, text comes out. Commands have the names of cuda-gdb where it
 * has them; any unambiguous beginning of a name will do.
 */
#ifndef WS_INSPECT_COMMANDS_INTERPRETER_H
#define WS_INSPECT_COMMANDS_INTERPRETER_H

#include "inspect/session/session.h"

typedef struct WsInterpreter WsInterpreter;

/* The session stays with the caller. `width`: columns that text may take. */
WsInterpreter *ws_interpreter_new(WsSession *session, guint width);
void ws_interpreter_free(WsInterpreter *interpreter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsInterpreter, ws_interpreter_free)

/*
 * Does one line and adds what it has to say to `out`. An empty line does the last move again; what
 * follows # is left out. FALSE with `error`: WS_ERROR_USAGE (the line is wrong, nothing was done),
 * or as ws_timeline_go().
 */
gboolean ws_interpreter_do(WsInterpreter *interpreter, const char *line, GString *out,
                           GError **error);
WsTimeline *ws_interpreter_timeline(const WsInterpreter *interpreter);
/* `quit` was asked for. */
gboolean ws_interpreter_is_done(const WsInterpreter *interpreter);

/* For lines from now on. */
void ws_interpreter_set_width(WsInterpreter *interpreter, guint width);
/* How many expressions `display` shows; adds what it shows here, of the
 * lane that is looked at where no others were asked for. */
guint ws_interpreter_display_count(const WsInterpreter *interpreter);
void ws_interpreter_show_displays(WsInterpreter *interpreter, GString *out);

/* Where the session is: cycle, warp, line, lanes and why it does not issue. */
void ws_interpreter_describe(WsInterpreter *interpreter, GString *out);

/* Names of commands that begin so, and of what may follow: for completion. NULL-terminated. */
char **ws_interpreter_complete(const WsInterpreter *interpreter, const char *line);

#endif
