#include "cli/command.h"

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
    fprintf(stderr, "error: cannot write the output: %s\n", g_strerror(errno));
    return code != 0 ? code : WS_ERROR_INPUT;
}

gboolean ws_parse_options(const char *usage, const char *details, const GOptionEntry *entries,
                          char **arguments, guint minimum, guint maximum)
{
    g_autoptr(GOptionContext) context = g_option_context_new(usage);
    g_option_context_set_description(context, details);
    g_option_context_add_main_entries(context, entries, NULL);
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
                       arguments[0], usage);
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
    fprintf(stderr, "%s%s\n", error->domain == WS_ERROR ? "" : "error: ", error->message);
    g_error_free(error);
    return code;
}

int ws_report_refused(const WsProgram *program)
{
    for (guint32 r = 0; r < program->refused_count; r++) {
        const WsRefusedKernel *refused = &program->refused[r];
        g_autofree char *name = ws_printable(refused->display_name);
        fprintf(stderr, "%s (kernel '%s' is refused)\n", refused->message, name);
    }
    return program->refused_count == 0 ? 0 : WS_ERROR_CHECK;
}

int ws_usage_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    fprintf(stderr, "error: %s\n", text);
    return WS_ERROR_USAGE;
}

int ws_find_choice(const char *option, const char *name, const char *const *names)
{
    for (int i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    g_autofree char *shown = ws_printable(name);
    g_autofree char *valid = g_strjoinv(", ", (char **)names);
    ws_usage_error("%s: '%s' is not one of %s", option, shown, valid);
    return -1;
}

void ws_put(const char *text)
{
    fputs(text, stdout);
}

gboolean ws_write_file(const char *path, const char *data, gsize length, GError **error)
{
    WsPosition position = {.file = path};
    if (path[0] == '\0') {
        ws_set_error(error, WS_ERROR_INPUT, "the name of the file to write is empty");
        return FALSE;
    }
    if (strcmp(path, "-") == 0) {
        fwrite(data, 1, length, stdout);
        return TRUE;
    }
    if (g_file_test(path, G_FILE_TEST_EXISTS) && !g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "exists and is not a regular file");
        return FALSE;
    }
    g_autoptr(GError) failure = NULL;
    if (g_file_set_contents(path, data, (gssize)length, &failure))
        return TRUE;
    ws_set_error_at(error, WS_ERROR_INPUT, &position, "cannot write: %s",
                    ws_file_error_text(failure));
    return FALSE;
}
