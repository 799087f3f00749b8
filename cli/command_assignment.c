/* `warpstep assignment`: tries an assignment, or makes what is given out. */
#include "cli/command.h"
#include "cli/load_options.h"
#include "grade/pack/pack.h"
#include "grade/verify/verify.h"

#include <stdio.h>
#include <string.h>

static int check(const WsAssignment *assignment)
{
    GError *error = NULL;
    gboolean good;
    g_autofree char *cache = ws_load_cache_folder();
    g_autoptr(GString) report = g_string_new(NULL);
    gboolean done = ws_assignment_verify(assignment, cache, report, &good, &error);
    ws_put(report->str);
    if (!done)
        return ws_report_error(error);
    return good ? 0 : WS_ERROR_CHECK;
}

static int pack(const WsAssignment *assignment, const char *folder, WsPackOptions *options)
{
    GError *error = NULL;
    g_autofree char *cache = ws_load_cache_folder();
    options->cache = cache;
    if (!ws_assignment_pack(assignment, folder, options, &error))
        return ws_report_error(error);
    printf("%s/student: for students\n%s/gradescope.zip: for Gradescope\n", folder, folder);
    return 0;
}

static int run(const WsCommand *command, char **arguments)
{
    static const char *const actions[] = {"check", "pack", NULL};
    g_autofree char *output = NULL, *source = NULL, *tarball = NULL, *classroom = NULL,
                    *warpstep = NULL;
    gboolean compiled = FALSE;
    const GOptionEntry entries[] = {
        {"out", 'o', 0, G_OPTION_ARG_FILENAME, &output,
         "pack: output folder; it must be empty or not exist", "FOLDER"},
        {"tarball", 0, 0, G_OPTION_ARG_FILENAME, &tarball,
         "pack: an archive of Warpstep made by ./make-release, for Gradescope and GitHub Classroom",
         "FILE"},
        {"source", 0, 0, G_OPTION_ARG_FILENAME, &source,
         "pack: checkout of Warpstep that Gradescope builds (default: its image has warpstep)",
         "FOLDER"},
        {"classroom", 0, 0, G_OPTION_ARG_FILENAME, &classroom,
         "pack: repository with a copy of student/, from which GitHub Classroom takes the tests "
         "(default: named by variables of the GitHub organisation)",
         "OWNER/NAME@COMMIT[:FOLDER]"},
        {"warpstep", 0, 0, G_OPTION_ARG_FILENAME, &warpstep,
         "pack: repository with Warpstep, which GitHub Classroom builds (default: named by "
         "variables of the GitHub organisation)",
         "OWNER/NAME@COMMIT"},
        {"compiled", 0, 0, G_OPTION_ARG_NONE, &compiled,
         "pack: include the programs as compiled by this machine's clang", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    if (!ws_parse_options(command, entries, arguments, 2, 2))
        return WS_ERROR_USAGE;
    int action = ws_find_choice("assignment", arguments[1], actions);
    if (action < 0)
        return WS_ERROR_USAGE;
    if (action == 1 && output == NULL)
        return ws_usage_error("pack needs --out FOLDER");
    if (action == 0 && (output != NULL || source != NULL || tarball != NULL || classroom != NULL ||
                        warpstep != NULL || compiled))
        return ws_usage_error("--out, --tarball, --source, --classroom, --warpstep and --compiled "
                              "go with pack");
    if (tarball != NULL && (source != NULL || warpstep != NULL))
        return ws_usage_error("--tarball goes without --source and --warpstep, which build");
    GError *error = NULL;
    g_autoptr(WsAssignment) assignment = ws_assignment_load(arguments[2], &error);
    if (assignment == NULL)
        return ws_report_error(error);
    WsPackOptions options = {.source = source,
                             .tarball = tarball,
                             .classroom = classroom,
                             .warpstep = warpstep,
                             .compiled = compiled};
    return action == 0 ? check(assignment) : pack(assignment, output, &options);
}

const WsCommand ws_command_assignment = {
    .name = "assignment",
    .group = WS_GROUP_TEACH,
    .summary = "check an assignment, and make the packages for students and graders",
    .usage = "check|pack ASSIGNMENT",
    .details =
        "check tests an assignment (a folder with an assignment.yaml): its reference must get all\n"
        "points, and each file in mutants/ must fail the checks that it names. pack makes the\n"
        "folder for students, without solutions and hidden tests, and an autograder for\n"
        "Gradescope.\n"
        "\n"
        "Examples:\n"
        "  warpstep copy labs/transpose week6\n"
        "  warpstep assignment check week6\n"
        "  warpstep assignment pack week6 --out given_out\n",
    .run = run,
};
