#include "cli/command.h"

#include "cli/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gboolean asks_for_help(char **arguments)
{
    for (char **at = arguments + 1; *at != NULL && strcmp(*at, "--") != 0; at++)
        if (strcmp(*at, "--help") == 0 || strcmp(*at, "-h") == 0 || strcmp(*at, "-?") == 0)
            return TRUE;
    return FALSE;
}

int ws_finish_output(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    g_autofree char *message =
        g_strdup_printf("error: cannot write the output: %s", g_strerror(errno));
    ws_print_message(message);
    return code != 0 ? code : WS_ERROR_INPUT;
}

static gboolean parse_colour(const char *name, const char *value, gpointer data, GError **error)
{
    for (int mode = 0; ws_colour_modes[mode] != NULL; mode++) {
        if (strcmp(ws_colour_modes[mode], value) != 0)
            continue;
        ws_terminal_set_colour((WsColourMode)mode);
        return TRUE;
    }
    g_autofree char *shown = ws_printable(value);
    g_autofree char *valid = g_strjoinv(", ", (char **)ws_colour_modes);
    g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s: '%s' is not one of %s", name,
                shown, valid);
    return FALSE;
}

/* Options of every command. */
static const GOptionEntry common_entries[] = {
    {"color", 0, 0, G_OPTION_ARG_CALLBACK, (gpointer)parse_colour,
     "colour the text (default: auto, on a terminal unless NO_COLOR is set)", "auto|always|never"},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

/*
 * `--confine=strict` becomes an option of its own: GOption would take the target in `--confine
 * TARGET` for the value of an option that may have one.
 */
static gboolean take_confinement(const GOptionEntry *entries, char **arguments)
{
    static const char prefix[] = "--confine=";
    while (entries != NULL && entries->long_name != NULL &&
           strcmp(entries->long_name, "confine") != 0)
        entries++;
    if (entries == NULL || entries->long_name == NULL)
        return TRUE;
    for (char **at = arguments + 1; *at != NULL && strcmp(*at, "--") != 0; at++) {
        if (!g_str_has_prefix(*at, prefix))
            continue;
        if (strcmp(*at + strlen(prefix), "strict") != 0) {
            ws_usage_error("--confine: '%s' is not 'strict', the only value it takes",
                           *at + strlen(prefix));
            return FALSE;
        }
        *at = (char *)"--confine-strict";
    }
    return TRUE;
}

static WsOptionsVisitor visitor;
static gpointer visitor_data;

void ws_visit_options(WsOptionsVisitor visit, gpointer data)
{
    visitor = visit;
    visitor_data = data;
}

gboolean ws_parse_options(const WsCommand *command, const GOptionEntry *entries, char **arguments,
                          guint minimum, guint maximum)
{
    if (visitor != NULL) {
        visitor(entries, common_entries, visitor_data);
        return FALSE;
    }
    g_autoptr(GOptionContext) context = g_option_context_new(command->usage);
    g_autofree char *summary =
        g_strdup_printf("%c%s.", g_ascii_toupper(command->summary[0]), command->summary + 1);
    g_option_context_set_summary(context, summary);
    g_option_context_set_description(context, command->details);
    g_option_context_add_main_entries(context, entries, NULL);
    g_option_context_add_main_entries(context, common_entries, NULL);
    /* GOption's own --help cannot tell that stdout is full. */
    if (asks_for_help(arguments)) {
        g_autofree char *help = g_option_context_get_help(context, TRUE, NULL);
        ws_put(help);
        g_clear_pointer(&help, g_free);
        g_clear_pointer(&context, g_option_context_free);
        exit(ws_finish_output(0));
    }
    g_autoptr(GError) error = NULL;
    /* GOption drops arguments from the array without freeing them: it works on a copy. */
    guint count = g_strv_length(arguments);
    g_autofree char **rest = g_memdup2(arguments, (count + 1) * sizeof *arguments);
    int left = (int)count;
    if (!take_confinement(entries, rest))
        return FALSE;
    if (!g_option_context_parse(context, &left, &rest, &error)) {
        ws_usage_error("%s", error->message);
        return FALSE;
    }
    /* "--" may still stand in front of the arguments. */
    guint from = left > 1 && strcmp(rest[1], "--") == 0 ? 2 : 1;
    guint given = (guint)left - from;
    if (left == 0 || given < minimum || given > maximum) {
        ws_usage_error("%s; usage: warpstep %s %s",
                       given < minimum || left == 0 ? "an argument is missing"
                                                    : "too many arguments",
                       command->name, command->usage);
        return FALSE;
    }
    for (guint i = 0; i < given; i++)
        arguments[1 + i] = rest[from + i];
    arguments[1 + given] = NULL;
    return TRUE;
}

int ws_report_error(GError *error)
{
    int code = error->domain == WS_ERROR ? error->code : WS_ERROR_INTERNAL;
    g_autofree char *message =
        g_strconcat(error->domain == WS_ERROR ? "" : "error: ", error->message, NULL);
    ws_print_message(message);
    g_error_free(error);
    return code;
}

int ws_report_refused(const WsProgram *program)
{
    for (guint32 r = 0; r < program->refused_count; r++) {
        const WsRefusedKernel *refused = &program->refused[r];
        g_autofree char *name = ws_printable(refused->display_name);
        g_autofree char *message =
            g_strdup_printf("%s (kernel '%s' is refused)", refused->message, name);
        ws_print_message(message);
    }
    return program->refused_count == 0 ? 0 : WS_ERROR_CHECK;
}

int ws_usage_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *message = g_strconcat("error: ", text, NULL);
    ws_print_message(message);
    return WS_ERROR_USAGE;
}

int ws_find_choice(const char *option, const char *name, const char *const *names)
{
    for (int i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    g_autofree char *shown = ws_printable(name);
    g_autofree char *valid = g_strjoinv(", ", (char **)names);
    const char *nearest = ws_nearest_name(name, names);
    if (nearest != NULL)
        ws_usage_error("%s: '%s' is not one of %s; did you mean '%s'?", option, shown, valid,
                       nearest);
    else
        ws_usage_error("%s: '%s' is not one of %s", option, shown, valid);
    return -1;
}

void ws_put(const char *text)
{
    fputs(text, stdout);
}
