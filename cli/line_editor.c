#include "cli/line_editor.h"

#include <histedit.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct WsLineEditor {
    const WsInterpreter *interpreter;
    EditLine *line;   /* NULL: stdin is no terminal */
    History *history; /* likewise */
    char *buffer;     /* of getline() */
    gsize capacity;
};

static const char *prompt(EditLine *line)
{
    return "(warpstep) ";
}

/* What is common to all of them. */
static gsize common_length(char **names)
{
    gsize length = strlen(names[0]);

    for (guint i = 1; names[i] != NULL; i++)
        while (strncmp(names[0], names[i], length) != 0)
            length--;
    return length;
}

/* Tab: the rest of a name, as far as it is certain; else the names that fit. */
static unsigned char complete(EditLine *line, int key)
{
    const LineInfo *info = el_line(line);
    g_autofree char *text = g_strndup(info->buffer, (gsize)(info->cursor - info->buffer));
    const char *blank = strrchr(text, ' ');
    gsize typed = strlen(blank != NULL ? blank + 1 : text), common;
    g_auto(GStrv) names = NULL;
    g_autofree char *rest = NULL;
    WsLineEditor *editor = NULL;

    el_get(line, EL_CLIENTDATA, &editor);
    names = ws_interpreter_complete(editor->interpreter, text);
    if (names[0] == NULL)
        return CC_ERROR;
    common = common_length(names);
    if (common <= typed && names[1] != NULL) {
        g_autofree char *all = g_strjoinv("  ", names);

        printf("\n%s\n", all);
        return CC_REDISPLAY;
    }
    rest = g_strndup(names[0] + typed, common - typed);
    if (names[1] == NULL) {
        g_autofree char *whole = g_strconcat(rest, " ", NULL);

        return el_insertstr(line, whole) == -1 ? CC_ERROR : CC_REFRESH;
    }
    return el_insertstr(line, rest) == -1 ? CC_ERROR : CC_REFRESH;
}

WsLineEditor *ws_line_editor_new(const WsInterpreter *interpreter)
{
    WsLineEditor *editor = g_new0(WsLineEditor, 1);
    HistEvent event;

    editor->interpreter = interpreter;
    if (!isatty(STDIN_FILENO))
        return editor;
    editor->line = el_init("warpstep", stdin, stdout, stderr);
    editor->history = history_init();
    if (editor->line == NULL || editor->history == NULL)
        return editor;
    history(editor->history, &event, H_SETSIZE, 1000);
    el_set(editor->line, EL_CLIENTDATA, editor);
    el_set(editor->line, EL_PROMPT, prompt);
    el_set(editor->line, EL_EDITOR, "emacs");
    el_set(editor->line, EL_HIST, history, editor->history);
    el_set(editor->line, EL_ADDFN, "warpstep-complete", "complete a command", complete);
    el_set(editor->line, EL_BIND, "^I", "warpstep-complete", NULL);
    return editor;
}

void ws_line_editor_free(WsLineEditor *editor)
{
    if (editor == NULL)
        return;
    g_clear_pointer(&editor->line, el_end);
    g_clear_pointer(&editor->history, history_end);
    free(editor->buffer);
    g_free(editor);
}

char *ws_line_editor_read(WsLineEditor *editor)
{
    struct sigaction before;
    HistEvent event;
    const char *text;
    int count = 0;

    if (editor->line == NULL) {
        gssize length = getline(&editor->buffer, &editor->capacity, stdin);

        return length < 0 ? NULL : g_strchomp(g_strndup(editor->buffer, (gsize)length));
    }
    /* Ctrl-C is for moves under way: at the prompt it ends nothing. */
    sigaction(SIGINT, &(struct sigaction){.sa_handler = SIG_IGN}, &before);
    text = el_gets(editor->line, &count);
    sigaction(SIGINT, &before, NULL);
    if (text == NULL || count <= 0) {
        putchar('\n');
        return NULL;
    }
    if (*text != '\n')
        history(editor->history, &event, H_ENTER, text);
    return g_strchomp(g_strndup(text, (gsize)count));
}
