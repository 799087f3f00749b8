/*
 * Lines of commands from stdin: with editing, history and completion (libedit) on a terminal, as
 * they come from a pipe.
 */
#ifndef WS_CLI_LINE_EDITOR_H
#define WS_CLI_LINE_EDITOR_H

#include "inspect/commands/interpreter.h"

typedef struct WsLineEditor WsLineEditor;

/* Completes what the interpreter knows. */
WsLineEditor *ws_line_editor_new(const WsInterpreter *interpreter);
void ws_line_editor_free(WsLineEditor *editor);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsLineEditor, ws_line_editor_free)

/* The next line, without its end; NULL at the end of the input. Free with g_free. */
char *ws_line_editor_read(WsLineEditor *editor);

#endif
