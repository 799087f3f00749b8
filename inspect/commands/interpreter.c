#include "inspect/commands/interpreter.h"

#include <string.h>

#include "inspect/commands/private.h"
#include "inspect/session/paths.h"
#include "inspect/session/selected_frame.h"
#include "isa/base/escape.h"

static const struct {
    const char *name, *syntax, *help;
    WsCommandFunction run;
} commands[] = {
#define COMMAND(function, name, syntax, help) {name, syntax, help, ws_command_line_##function},
#include "inspect/commands/commands.def"
#undef COMMAND
};

/* Short forms that would be ambiguous, as in cuda-gdb. */
static const struct {
    const char *name, *full;
} aliases[] = {
    {"s", "step"},
    {"si", "step"},
    {"n", "line"},
    {"c", "continue"},
    {"b", "break"},
    {"p", "print"},
    {"l", "list"},
    {"d", "delete"},
    {"i", "info"},
    {"q", "quit"},
    {"h", "help"},
    {"x", "disassemble"},
    {"rc", "reverse-continue"},
    {"reverse-step", "back"},
    {"rs", "back"},
    {"g", "goto"},
    {"f", "focus"},
    {"w", "why"},
    {"bt", "backtrace"},
    {"where", "backtrace"},
};

/* ---- life ---------------------------------------------------------------------------------------
 */

WsInterpreter *ws_interpreter_new(WsSession *session, guint width)
{
    WsInterpreter *interpreter = g_new0(WsInterpreter, 1);

    interpreter->session = session;
    interpreter->width = width;
    interpreter->displays = g_ptr_array_new_with_free_func(ws_display_free);
    return interpreter;
}

void ws_interpreter_free(WsInterpreter *interpreter)
{
    if (interpreter == NULL)
        return;
    g_free(interpreter->last_move);
    g_ptr_array_unref(interpreter->displays);
    g_free(interpreter);
}

WsTimeline *ws_interpreter_timeline(const WsInterpreter *interpreter)
{
    return ws_session_timeline(interpreter->session);
}

gboolean ws_interpreter_is_done(const WsInterpreter *interpreter)
{
    return interpreter->done;
}

/* Adds what a command said. It may hold names and messages out of a user's files: escaped here,
 * once for all commands. */
static void append_shown(GString *out, const GString *said)
{
    g_autofree char *shown = ws_escape_text(said->str);

    g_string_append(out, shown);
}

void ws_interpreter_set_width(WsInterpreter *interpreter, guint width)
{
    interpreter->width = width;
}

guint ws_interpreter_display_count(const WsInterpreter *interpreter)
{
    return interpreter->displays->len;
}

void ws_interpreter_show_displays(WsInterpreter *interpreter, GString *out)
{
    g_autoptr(GString) said = g_string_new(NULL);

    interpreter->brief = TRUE;
    ws_show_displays(interpreter, said);
    interpreter->brief = FALSE;
    append_shown(out, said);
}

void ws_interpreter_describe(WsInterpreter *interpreter, GString *out)
{
    g_autoptr(GString) said = g_string_new(NULL);

    ws_report_where(interpreter, said);
    append_shown(out, said);
}

/* ---- finding a command --------------------------------------------------------------------------
 */

static gint find_command(const char *word, GError **error)
{
    g_autoptr(GString) several = g_string_new(NULL);
    gint found = -1;

    for (guint i = 0; i < G_N_ELEMENTS(aliases); i++)
        if (strcmp(word, aliases[i].name) == 0)
            word = aliases[i].full;
    for (guint i = 0; i < G_N_ELEMENTS(commands); i++) {
        if (strcmp(word, commands[i].name) == 0)
            return (gint)i;
        if (!g_str_has_prefix(commands[i].name, word))
            continue;
        g_string_append_printf(several, "%s%s", several->len != 0 ? ", " : "", commands[i].name);
        found = found == -1 ? (gint)i : -2;
    }
    if (found == -1)
        ws_set_error(error, WS_ERROR_USAGE, "unknown command '%s': help lists all commands", word);
    else if (found == -2)
        ws_set_error(error, WS_ERROR_USAGE, "'%s' may be %s", word, several->str);
    return MAX(found, -1);
}

/* Words without empty ones. */
static char **split(const char *text)
{
    g_auto(GStrv) parts = g_strsplit_set(text, " \t", -1);
    GPtrArray *words = g_ptr_array_new();

    for (guint i = 0; parts[i] != NULL; i++)
        if (parts[i][0] != '\0')
            g_ptr_array_add(words, g_strdup(parts[i]));
    g_ptr_array_add(words, NULL);
    return (char **)g_ptr_array_free(words, FALSE);
}

/* The line without its comment. */
static char *without_comment(const char *line)
{
    const char *comment = strchr(line, '#');

    return g_strstrip(comment != NULL ? g_strndup(line, (gsize)(comment - line)) : g_strdup(line));
}

/* Cuts "print/x" behind the name; returns "x", or "". */
static const char *take_letter(char *word)
{
    char *stroke = strchr(word, '/');

    if (stroke == NULL)
        return "";
    *stroke = '\0';
    return stroke + 1;
}

static gboolean takes_letter(gint command, const char *letter, GError **error)
{
    WsCommandFunction run = commands[command].run;

    if (*letter == '\0' || run == ws_command_line_print || run == ws_command_line_display)
        return TRUE;
    ws_set_error(error, WS_ERROR_USAGE, "%s: only print and display take a letter (/%s)",
                 commands[command].name, letter);
    return FALSE;
}

static gboolean is_move(gint command)
{
    WsCommandFunction run = commands[command].run;

    return run == ws_command_line_move || run == ws_command_line_back ||
           run == ws_command_line_go_on || run == ws_command_line_go_on_back;
}

/* What kernels have printed on the way from a cycle to here. */
static void report_printed(const WsTimeline *timeline, guint64 before, GString *out)
{
    guint64 end = ws_timeline_cycle(timeline);
    g_autoptr(GString) text = g_string_new(NULL);

    if (end <= before)
        return;
    ws_simulation_printed(ws_timeline_simulation(timeline), before, end, text);
    if (text->len == 0)
        return;
    g_autofree char *shown = ws_escape_controls(text->str, (gssize)text->len, "\n\t");
    g_string_append_printf(out, "Printed:\n%s%s", shown, g_str_has_suffix(shown, "\n") ? "" : "\n");
}

gboolean ws_interpreter_do(WsInterpreter *interpreter, const char *text, GString *out,
                           GError **error)
{
    g_autofree char *line = without_comment(text);
    g_auto(GStrv) words = NULL;
    g_autoptr(GString) said = g_string_new(NULL);
    WsCommandLine what = {.interpreter = interpreter,
                          .session = interpreter->session,
                          .timeline = ws_session_timeline(interpreter->session),
                          .out = said};
    guint64 before = ws_timeline_cycle(what.timeline);
    gint command;
    gboolean ok;

    if (*line == '\0') {
        if (*text != '\0' || interpreter->last_move == NULL)
            return TRUE;
        g_free(line);
        line = g_strdup(interpreter->last_move);
    }
    words = split(line);
    what.rest = g_strchug(line + strlen(words[0]));
    what.letter = take_letter(words[0]);
    command = find_command(words[0], error);
    if (command < 0 || !takes_letter(command, what.letter, error))
        return FALSE;
    what.name = commands[command].name;
    what.words = words + 1;
    ok = commands[command].run(&what, error);
    report_printed(what.timeline, before, out);
    append_shown(out, said);
    if (!ok)
        return FALSE;
    if (is_move(command)) {
        g_free(interpreter->last_move);
        interpreter->last_move = g_strjoinv(" ", words);
    }
    return TRUE;
}

/* Where the last name of an expression begins: behind what no name has in it. */
static const char *last_name(const char *text)
{
    const char *at = text + strlen(text);

    while (at > text && (g_ascii_isalnum(at[-1]) || at[-1] == '_' || at[-1] == '.'))
        at--;
    return at;
}

/* Where the lane is that is looked at. */
static guint32 focused_pc(const WsInterpreter *interpreter)
{
    WsWarpPlace place = ws_session_place(interpreter->session);
    guint32 pc;

    if (place.sm == NULL)
        return WS_NO_INSTRUCTION;
    return ws_lane_instruction(place.sm, place.slot, ws_session_focus(interpreter->session)->lane,
                               &pc)
               ? pc
               : place.sm->state->warps[place.slot].path.pc;
}

/* Names that fit behind `begin`, which stays in front of them. */
static void complete_expression(const WsInterpreter *interpreter, const char *begin,
                                GPtrArray *found)
{
    g_autoptr(WsLaneScope) scope = ws_session_scope(interpreter->session);
    const char *name = last_name(begin);
    g_autofree char *front = g_strndup(begin, (gsize)(name - begin));
    g_auto(GStrv) names = ws_lane_scope_names(scope, focused_pc(interpreter), name);

    for (guint i = 0; *name != '\0' && names[i] != NULL; i++)
        g_ptr_array_add(found, g_strconcat(front, names[i], NULL));
}

static void complete_functions(const WsProgram *program, const char *begin, GPtrArray *found)
{
    const WsVariableTable *table = program->variables;

    for (guint32 s = 0; table != NULL && s < table->scopes->len; s++) {
        const WsSourceScope *scope = ws_variable_table_scope(table, s);

        if (scope->kind == WS_SOURCE_SCOPE_INLINED && g_str_has_prefix(scope->name, begin) &&
            !g_ptr_array_find_with_equal_func(found, scope->name, g_str_equal, NULL))
            g_ptr_array_add(found, g_strdup(scope->name));
    }
}

static void complete_kernels(const WsInterpreter *interpreter, const char *begin, GPtrArray *found)
{
    const WsProgram *program = ws_session_job(interpreter->session)->program;

    for (guint32 i = 0; i < program->kernel_count; i++)
        if (g_str_has_prefix(program->kernels[i].display_name, begin))
            g_ptr_array_add(found, g_strdup(program->kernels[i].display_name));
    complete_functions(program, begin, found);
}

/* What may follow a command: a word of its own, a kernel, an expression. */
static void complete_rest(const WsInterpreter *interpreter, gint command, const char *line,
                          const char *word, GPtrArray *found)
{
    WsCommandFunction run = commands[command].run;
    gboolean breaks = run == ws_command_line_add_break || run == ws_command_line_add_once;

    if (run == ws_command_line_info)
        for (const WsInfoTopic *topic = ws_info_topics; topic->name != NULL; topic++)
            if (g_str_has_prefix(topic->name, word))
                g_ptr_array_add(found, g_strdup(topic->name));
    if (run == ws_command_line_help)
        for (guint i = 0; i < G_N_ELEMENTS(commands); i++)
            if (g_str_has_prefix(commands[i].name, word))
                g_ptr_array_add(found, g_strdup(commands[i].name));
    if (breaks && strstr(line, " if ") == NULL)
        complete_kernels(interpreter, word, found);
    else if (breaks || run == ws_command_line_print || run == ws_command_line_display ||
             run == ws_command_line_add_watch || run == ws_command_line_set)
        complete_expression(interpreter, word, found);
}

char **ws_interpreter_complete(const WsInterpreter *interpreter, const char *line)
{
    const char *word = strrchr(line, ' ');
    GPtrArray *found = g_ptr_array_new();

    if (word == NULL) {
        for (guint i = 0; i < G_N_ELEMENTS(commands); i++)
            if (g_str_has_prefix(commands[i].name, line))
                g_ptr_array_add(found, g_strdup(commands[i].name));
    } else {
        g_autofree char *first = g_strndup(line, strcspn(line, " /"));
        gint command = find_command(first, NULL);

        if (command >= 0)
            complete_rest(interpreter, command, line, word + 1, found);
    }
    g_ptr_array_add(found, NULL);
    return (char **)g_ptr_array_free(found, FALSE);
}

/* ---- help and quit ------------------------------------------------------------------------------
 */

gboolean ws_command_line_help(WsCommandLine *line, GError **error)
{
    enum { SYNTAX_WIDTH = 34 };
    gint only = -1;

    if (line->words[0] != NULL) {
        only = find_command(line->words[0], error);
        if (only < 0)
            return FALSE;
    }
    for (guint i = 0; i < G_N_ELEMENTS(commands); i++) {
        g_autofree char *usage = g_strdup_printf("%s %s", commands[i].name, commands[i].syntax);

        if (only >= 0 && (guint)only != i)
            continue;
        if (strlen(usage) >= SYNTAX_WIDTH || only >= 0)
            g_string_append_printf(line->out, "%s\n    %s\n", g_strchomp(usage), commands[i].help);
        else
            g_string_append_printf(line->out, "%-*s%s\n", SYNTAX_WIDTH, usage, commands[i].help);
    }
    for (const WsInfoTopic *topic = ws_info_topics;
         only >= 0 && strcmp(commands[only].name, "info") == 0 && topic->name != NULL; topic++)
        g_string_append_printf(line->out, "  info %-12s %s\n", topic->name, topic->help);
    if (only < 0)
        g_string_append(
            line->out,
            "An empty line repeats the last move. Any unambiguous prefix of a command works.\n");
    return TRUE;
}

gboolean ws_command_line_quit(WsCommandLine *line, GError **error)
{
    line->interpreter->done = TRUE;
    return ws_command_line_check(line, 0, error);
}
