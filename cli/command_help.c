/* `warpstep help TOPIC`: the manual's page of a topic. */
#include "cli/command.h"
#include "cli/manual_topics.h"

#include <stdio.h>
#include <unistd.h>

/* What opens pages, where somebody can see them; else NULL. */
static char *browser(void)
{
    if (!isatty(STDOUT_FILENO))
        return NULL;
    const char *chosen = g_getenv("BROWSER");
    if (chosen != NULL && *chosen != '\0') {
        g_auto(GStrv) several = g_strsplit(chosen, ":", 2);
        return g_find_program_in_path(several[0]);
    }
    if (g_getenv("DISPLAY") == NULL && g_getenv("WAYLAND_DISPLAY") == NULL)
        return NULL;
    return g_find_program_in_path("xdg-open");
}

static void show(const WsManual *manual, const char *page)
{
    g_autofree char *program = manual->site != NULL ? browser() : NULL;
    printf("%s\n", page);
    if (program == NULL)
        return;
    g_autofree char *address = g_strconcat("file://", page, NULL);
    char *call[] = {program, address, NULL};
    g_autoptr(GError) error = NULL;
    if (!g_spawn_async(NULL, call, NULL, G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL,
                       NULL, NULL, NULL, &error))
        g_printerr("%s does not start: %s\n", program, error->message);
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
        show(manual, page);
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
        "TOPIC is the name of a page of the manual, a command, or a term of the glossary. On a\n"
        "terminal with a display the page opens in $BROWSER or the system's browser; its path is\n"
        "printed in any case. Where the site is not installed, it is the path of the page's\n"
        "source. Without TOPIC the commands are listed, as by --help.\n"
        "\n"
        "Examples:\n"
        "  warpstep help step\n"
        "  warpstep help reconvergence point\n",
    .run = run,
};
