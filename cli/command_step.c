/* `warpstep step`: look at a run cycle by cycle, on a full screen or with commands. */
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/line_editor.h"
#include "cli/simulation_options.h"
#include "cli/step_quiz.h"
#include "cli/terminal.h"
#include "cli/terminal_restore.h"
#include "cli/terminal_screen.h"
#include "inspect/commands/interpreter.h"
#include "isa/base/escape.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    WsSimulationOptions simulation;
    char **scripts, **commands;
    char *answers, *output;
    gboolean batch, no_screen, mouse, quiz;
} Options;

static void options_clear(Options *options)
{
    ws_simulation_options_clear(&options->simulation);
    g_strfreev(options->scripts);
    g_strfreev(options->commands);
    g_free(options->answers);
    g_free(options->output);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static gboolean parse(const WsCommand *command, char **arguments, Options *options)
{
    const GOptionEntry entries[] = {
        {"command", 'x', 0, G_OPTION_ARG_FILENAME_ARRAY, &options->scripts,
         "execute the commands of a file first; may be repeated", "FILE"},
        {"eval", 'e', 0, G_OPTION_ARG_FILENAME_ARRAY, &options->commands,
         "execute a command, after those files; may be repeated", "COMMAND"},
        {"batch", 'b', 0, G_OPTION_ARG_NONE, &options->batch,
         "end after these commands, or at the first one that fails", NULL},
        {"no-screen", 0, 0, G_OPTION_ARG_NONE, &options->no_screen,
         "use a prompt instead of the full screen", NULL},
        {"mouse", 0, 0, G_OPTION_ARG_NONE, &options->mouse,
         "mouse support in the full screen; select text with Shift", NULL},
        {"quiz", 0, 0, G_OPTION_ARG_NONE, &options->quiz,
         "predict, then look: questions about what happens next, with a score", NULL},
        {"answers", 0, 0, G_OPTION_ARG_FILENAME, &options->answers,
         "with --quiz: grade the answers in a file without asking", "FILE"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output,
         "with --quiz: write the answers and the score as JSON", "FILE"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };

    gboolean ok =
        ws_simulation_options_parse(&options->simulation, command, entries, arguments, 1, 1);

    options->simulation.variables = TRUE;
    return ok;
}

/* ---- doing commands -----------------------------------------------------------------------------
 */

/* Where a command was written, for messages. */
typedef struct {
    const char *file; /* or NULL: at the prompt */
    guint line;
} Place;

static void print_error(const GError *error, Place place)
{
    g_autofree char *text =
        place.file != NULL ? g_strdup_printf("%s:%u: %s", place.file, place.line, error->message)
                           : g_strdup(error->message);

    ws_print_message(text);
}

static gboolean is_interrupted(void *data)
{
    return g_atomic_int_get((const gint *)data) != 0;
}

static void print_estimate(void *data, double seconds, guint64 cycles)
{
    g_autofree char *text = ws_timeline_estimate_text(seconds, cycles);
    g_autofree char *message = g_strdup_printf("%s; Ctrl-C ends it", text);

    ws_print_message(message);
}

/* Returns 0, or the exit code of what went wrong, which has been told. */
static int do_line(WsInterpreter *interpreter, const char *line, Place place)
{
    g_autoptr(GString) out = g_string_new(NULL);
    g_autoptr(GError) error = NULL;

    gboolean ok;

    /* Ctrl-C ends a move, not the session. */
    ws_timeline_set_interrupt(ws_interpreter_timeline(interpreter), is_interrupted,
                              (gpointer)ws_interrupt_watch());
    ok = ws_interpreter_do(interpreter, line, out, &error);
    ws_interrupt_unwatch();
    if (!ok) {
        print_error(error, place);
        return error->code;
    }
    ws_put(out->str);
    fflush(stdout);
    return 0;
}

static int do_script(WsInterpreter *interpreter, const char *path)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = NULL;
    g_auto(GStrv) lines = NULL;

    if (!g_file_get_contents(path, &text, NULL, &error)) {
        g_autofree char *shown = ws_printable(path);
        g_autofree char *message = g_strdup_printf("%s: error: %s", shown, g_strerror(errno));

        ws_print_message(message);
        return WS_ERROR_INPUT;
    }
    lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i] != NULL && !ws_interpreter_is_done(interpreter); i++) {
        int code = do_line(interpreter, *lines[i] != '\0' ? lines[i] : "#", (Place){path, i + 1});

        if (code != 0)
            return code;
    }
    return 0;
}

static int do_given(WsInterpreter *interpreter, const Options *options)
{
    int code = 0;

    for (guint i = 0; options->scripts != NULL && options->scripts[i] != NULL && code == 0; i++)
        code = do_script(interpreter, options->scripts[i]);
    for (guint i = 0; options->commands != NULL && options->commands[i] != NULL && code == 0; i++)
        if (!ws_interpreter_is_done(interpreter))
            code = do_line(interpreter, options->commands[i], (Place){NULL, 0});
    return code;
}

/* From a terminal or a pipe, until quit or the end of the input. */
static int do_input(WsInterpreter *interpreter)
{
    g_autoptr(WsLineEditor) editor = ws_line_editor_new(interpreter);
    gboolean piped = !isatty(STDIN_FILENO);
    guint number = 0;
    int code = 0;

    while (!ws_interpreter_is_done(interpreter)) {
        g_autofree char *line = ws_line_editor_read(editor);

        if (line == NULL)
            break;
        number++;
        code = do_line(interpreter, line, (Place){piped ? "stdin" : NULL, number});
    }
    /* At a prompt a wrong command has been seen; a pipe is told by the exit code. */
    return piped ? code : 0;
}

/* ---- the full screen ----------------------------------------------------------------------------
 */

static gboolean wants_screen(const Options *options)
{
    g_autofree char *why_not = NULL, *message = NULL;

    if (options->no_screen || options->batch || options->scripts != NULL ||
        options->commands != NULL || !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return FALSE;
    why_not = ws_terminal_cannot_draw();
    if (why_not == NULL)
        return TRUE;
    message = g_strdup_printf("warning: %s: here is a prompt instead of the full screen", why_not);
    ws_print_message(message);
    return FALSE;
}

static int run(const WsCommand *command, char **arguments)
{
    g_auto(Options) options = {0};
    g_autoptr(GString) out = g_string_new(NULL);
    GError *error = NULL;
    WsRunOptions run;
    int code;

    if (!parse(command, arguments, &options))
        return WS_ERROR_USAGE;
    if (!options.quiz && (options.answers != NULL || options.output != NULL))
        return ws_usage_error("--answers, --output: only with --quiz");
    g_autoptr(WsJob) job = ws_simulation_options_load(&options.simulation, arguments[1], &error);
    if (job == NULL)
        return ws_report_error(error);
    ws_simulation_options_fill(&options.simulation, &run);
    run.max_seconds = 0; /* nobody works all of the time */
    g_autoptr(WsSession) session = ws_session_new(job, &run, WS_TIMELINE_BYTES, &error);
    if (session == NULL)
        return ws_report_error(error);
    if (options.quiz)
        return ws_finish_output(ws_simulation_options_exit_code(
            &options.simulation, ws_step_quiz(session, options.answers, options.output)));
    if (wants_screen(&options) && ws_terminal_screen_run(session, options.simulation.replay_text,
                                                         ws_terminal_colour(stdout), options.mouse))
        return ws_simulation_options_exit_code(&options.simulation, 0);
    ws_timeline_set_estimate(ws_session_timeline(session), WS_TIMELINE_LONG_SECONDS, print_estimate,
                             NULL);
    g_autoptr(WsInterpreter) interpreter =
        ws_interpreter_new(session, (guint)ws_terminal_width(stdout));
    if (!options.batch && isatty(STDIN_FILENO)) {
        ws_interpreter_describe(interpreter, out);
        g_string_append(out, "help lists the commands.\n");
        ws_put(out->str);
    }
    code = do_given(interpreter, &options);
    if (code == 0 && !options.batch && !ws_interpreter_is_done(interpreter))
        code = do_input(interpreter);
    return ws_finish_output(ws_simulation_options_exit_code(&options.simulation, code));
}

const WsCommand ws_command_step = {
    .name = "step",
    .group = WS_GROUP_RUN,
    .summary = "step through a run cycle by cycle, forward and back",
    .usage = "TARGET",
    .details = WS_RUN_IS
    ".\n"
    "\n"
    "On a terminal, without -x, -e and --batch, it opens a full screen, with ? for help.\n"
    "Otherwise it executes the commands in the files of -x, then those of -e, then, without\n"
    "--batch, those from a prompt or a pipe. The command help lists all commands;\n"
    "'warpstep help step' explains them.\n"
    "\n"
    "Examples:\n"
    "  warpstep step with_without_divergence --batch -e diverge -e 'info stack'\n"
    "  warpstep step vecadd --sms 1 --batch -e 'goto 600' -e why\n",
    .run = run,
};
