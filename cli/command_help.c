/* `warpstep help TOPIC`: the manual's page of a topic. */
#include "cli/command.h"
#include "cli/manual_topics.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What opens pages of the site on this display; NULL if there is no display or no such program. */
static char *browser(void)
{
    const char *chosen = g_getenv("BROWSER");
    if (chosen != NULL && *chosen != '\0') {
        g_auto(GStrv) several = g_strsplit(chosen, ":", 2);
        return g_find_program_in_path(several[0]);
    }
    if (g_getenv("DISPLAY") == NULL && g_getenv("WAYLAND_DISPLAY") == NULL)
        return NULL;
    return g_find_program_in_path("xdg-open");
}

static void open_page(const char *program, const char *page)
{
    g_autofree char *address = g_strconcat("file://", page, NULL);
    const char *call[] = {program, address, NULL};
    g_autoptr(GError) error = NULL;
    if (!g_spawn_async(NULL, (char **)call, NULL,
                       G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, NULL,
                       &error))
        g_printerr("%s does not start: %s\n", program, error->message);
}

/* The words of $PAGER, or less; NULL if neither is there. */
static char **pager(void)
{
    const char *chosen = g_getenv("PAGER");
    char **words = NULL;
    if (chosen == NULL || !g_shell_parse_argv(chosen, NULL, &words, NULL))
        words = g_strsplit("less", " ", 0);
    g_autofree char *found = g_find_program_in_path(words[0]);
    if (found != NULL)
        return words;
    g_strfreev(words);
    return NULL;
}

/* The source of a topic's page in the terminal, as an SSH session has no browser. less opens it at
 * the topic. */
static void page_through(const WsManual *manual, const char *topic, char **program)
{
    g_autofree char *line = NULL;
    g_autofree char *file = ws_manual_source(manual, topic, &line);
    g_autoptr(GStrvBuilder) call = g_strv_builder_new();
    g_strv_builder_addv(call, (const char **)program);
    g_autofree char *name = g_path_get_basename(program[0]);
    g_autofree char *position = line != NULL ? g_strconcat("+/", line, NULL) : NULL;
    if (position != NULL && strcmp(name, "less") == 0)
        g_strv_builder_add(call, position);
    g_strv_builder_add(call, file);
    g_auto(GStrv) arguments = g_strv_builder_end(call);
    g_autoptr(GError) error = NULL;
    if (!g_spawn_sync(NULL, arguments, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_CHILD_INHERITS_STDIN,
                      NULL, NULL, NULL, NULL, NULL, &error))
        g_printerr("%s does not start: %s\n", program[0], error->message);
}

static void show(const WsManual *manual, const char *topic, const char *page)
{
    printf("%s\n", page);
    if (!isatty(STDOUT_FILENO))
        return;
    fflush(stdout);
    g_autofree char *program = manual->site != NULL ? browser() : NULL;
    g_auto(GStrv) text = program == NULL ? pager() : NULL;
    if (program != NULL)
        open_page(program, page);
    else if (text != NULL)
        page_through(manual, topic, text);
}

static int unknown_topic(const WsManual *manual, const char *topic)
{
    g_autofree char *shown = ws_printable(topic);
    g_autofree const char **near = ws_manual_near(manual, topic);
    g_autofree char *list = g_strjoinv(", ", (char **)near);
    if (near[0] == NULL)
        return ws_usage_error("the manual has no '%s' (warpstep help manual has its contents)",
                              shown);
    return ws_usage_error("the manual has no '%s'; near it are: %s", shown, list);
}

static int run(const WsCommand *command, char **arguments)
{
    const GOptionEntry entries[] = {{NULL, 0, 0, 0, NULL, NULL, NULL}};
    if (!ws_parse_options(command, entries, arguments, 1, 8))
        return WS_ERROR_USAGE;
    GError *error = NULL;
    WsManual *manual = ws_manual_find(&error);
    if (manual == NULL)
        return ws_report_error(error);
    g_autofree char *topic = g_strjoinv(" ", arguments + 1);
    g_autofree char *page = ws_manual_page(manual, topic);
    int code = 0;
    if (page != NULL)
        show(manual, topic, page);
    else
        code = unknown_topic(manual, topic);
    ws_manual_free(manual);
    return code;
}

const WsCommand ws_command_help = {
    .name = "help",
    .group = WS_GROUP_RUN,
    .summary = "open the manual at a topic",
    .usage = "TOPIC",
    .details =
        "TOPIC is the name of a page of the manual, a command, or a term of the glossary. The\n"
        "path of the page is printed. On a terminal with a display, the page also opens in\n"
        "$BROWSER or the system's browser. Without a display, or without the site, its Markdown\n"
        "source opens in $PAGER or less. Without TOPIC, the commands are listed, as with --help.\n"
        "\n"
        "Examples:\n"
        "  warpstep help step\n"
        "  warpstep help reconvergence point\n",
    .run = run,
};
