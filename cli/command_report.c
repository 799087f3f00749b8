/* `warpstep report`: a page that shows a run. */
#include "cli/command.h"
#include "cli/page_window.h"
#include "cli/run_checks.h"
#include "cli/simulation_options.h"
#include "inspect/animation/animation.h"
#include "inspect/page/page.h"
#include "sim/base/number_list.h"

#include <stdio.h>
#include <string.h>

static const gint64 NOT_GIVEN = -1;
enum { DEFAULT_MAX_ISSUES = 1000000, DEFAULT_SPEED = 4, MOST_SPEED = 100 };

typedef struct {
    WsSimulationOptions simulation;
    char *output, *sms, *check, *at, *animate;
    gboolean quiz;
    guint checks; /* WS_CHECK_BIT()s */
    gint64 from, to, max_issues, speed;
    WsFramesWanted animation;
    GArray *sm_list; /* NULL: those where something happened */
    WsHighlightKind opening;
} Options;

static void options_clear(Options *options)
{
    ws_simulation_options_clear(&options->simulation);
    g_free(options->output);
    g_free(options->sms);
    g_free(options->check);
    g_free(options->at);
    g_free(options->animate);
    g_clear_pointer(&options->sm_list, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static gboolean parse(const WsCommand *command, char **arguments, Options *options)
{
    const GOptionEntry entries[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output,
         "the page (default: TARGET.html in this folder)", "FILE"},
        {"check", 0, 0, G_OPTION_ARG_FILENAME, &options->check,
         "check for races, uninitialised, bounds, barriers, or all (warpstep help checks)",
         "KIND,..."},
        {"sm", 0, 0, G_OPTION_ARG_FILENAME, &options->sms,
         "SMs of the timeline, such as 0-3,7 (default: those with highlights)", "LIST"},
        {"at", 0, 0, G_OPTION_ARG_STRING, &options->at,
         "where the page opens: failure, first-split, worst-divergence and so on", "WHAT"},
        {"from", 0, 0, G_OPTION_ARG_INT64, &options->from, "the timeline's first cycle", "CYCLE"},
        {"to", 0, 0, G_OPTION_ARG_INT64, &options->to, "its last cycle; the run continues",
         "CYCLE"},
        {"max-issues", 0, 0, G_OPTION_ARG_INT64, &options->max_issues,
         "maximum instructions in the timeline (default 1000000)", "N"},
        {"animate", 0, 0, G_OPTION_ARG_STRING, &options->animate,
         "instead of a page, an animation of these cycles (SVG): 100-180, or first-split and so on "
         "as for --at",
         "CYCLES"},
        {"speed", 0, 0, G_OPTION_ARG_INT64, &options->speed,
         "with --animate: cycles per second (default 4)", "N"},
        {"quiz", 0, 0, G_OPTION_ARG_NONE, &options->quiz,
         "the page asks what happens next before it shows it, and keeps score", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };

    options->from = options->to = NOT_GIVEN;
    options->max_issues = DEFAULT_MAX_ISSUES;
    options->speed = DEFAULT_SPEED;
    gboolean ok =
        ws_simulation_options_parse(&options->simulation, command, entries, arguments, 1, 1);

    options->simulation.variables = TRUE; /* whose scopes tell the calls of inlined functions */
    return ok;
}

static gboolean check_opening(Options *options)
{
    g_autoptr(GString) names = g_string_new(NULL);
    g_autofree char *shown = options->at != NULL ? ws_printable(options->at) : NULL;

    options->opening = shown != NULL ? ws_highlight_by_name(shown) : WS_HIGHLIGHT_COUNT;
    if (shown == NULL || options->opening != WS_HIGHLIGHT_COUNT)
        return TRUE;
    for (guint i = 0; i < WS_HIGHLIGHT_COUNT; i++)
        g_string_append_printf(names, "%s%s", i > 0 ? ", " : "",
                               ws_highlight_name((WsHighlightKind)i));
    ws_usage_error("--at: '%s' is none of %s", shown, names->str);
    return FALSE;
}

/* "100-180", or a highlight, which the page then would open at. */
static gboolean check_animation(Options *options)
{
    WsFramesWanted *wanted = &options->animation;
    g_autofree char *shown = options->animate != NULL ? ws_printable(options->animate) : NULL;
    g_auto(GStrv) ends = NULL;

    if (options->speed < 1 || options->speed > MOST_SPEED) {
        ws_usage_error("--speed: a number from 1 to %d is expected", MOST_SPEED);
        return FALSE;
    }
    if (shown == NULL)
        return TRUE;
    wanted->wanted = TRUE;
    wanted->around = ws_highlight_by_name(shown);
    if (wanted->around != WS_HIGHLIGHT_COUNT) {
        options->opening = wanted->around;
        return TRUE;
    }
    ends = g_strsplit(options->animate, "-", 2);
    if (g_strv_length(ends) == 2 &&
        g_ascii_string_to_unsigned(ends[0], 10, 0, G_MAXINT64, &wanted->first, NULL) &&
        g_ascii_string_to_unsigned(ends[1], 10, wanted->first, G_MAXINT64, &wanted->last, NULL) &&
        wanted->last - wanted->first < WS_FRAMES_MOST)
        return TRUE;
    ws_usage_error(
        "--animate: '%s': cycles such as 100-180 are expected, at most %d, or a name as for --at",
        shown, WS_FRAMES_MOST);
    return FALSE;
}

static gboolean check_options(Options *options)
{
    if (options->from < NOT_GIVEN || options->to < NOT_GIVEN ||
        (options->to >= 0 && options->to < options->from)) {
        ws_usage_error("--from, --to: cycles are expected, the first not after the last");
        return FALSE;
    }
    if (options->max_issues < 1) {
        ws_usage_error("--max-issues: a number above 0 is expected");
        return FALSE;
    }
    if (options->check != NULL &&
        !ws_run_checks_parse(options->check, &options->simulation, &options->checks))
        return FALSE;
    if (!check_opening(options) || !check_animation(options))
        return FALSE;
    if (options->sms == NULL)
        return TRUE;
    options->sm_list = ws_number_list_parse(options->sms);
    if (options->sm_list == NULL) {
        g_autofree char *shown = ws_printable(options->sms);
        ws_usage_error("--sm: '%s' is no list of numbers such as 0-3,7", shown);
    }
    return options->sm_list != NULL;
}

/* "vecadd.html" for vecadd, some/vecadd/ and vecadd.yaml. g_free. */
static char *default_output(const char *target, const char *ending)
{
    g_autofree char *base = g_path_get_basename(target);
    char *dot = strrchr(base, '.');

    if (dot != NULL && dot != base)
        *dot = '\0';
    return g_strconcat(g_ascii_isalnum(base[0]) ? base : "report", ending, NULL);
}

/* FALSE after a message if the device lacks one of the SMs. */
static gboolean check_sms(const Options *options, const WsDevice *device)
{
    for (guint i = 0; options->sm_list != NULL && i < options->sm_list->len; i++) {
        const WsNumberRange *range = &g_array_index(options->sm_list, WsNumberRange, i);

        if (range->to < device->sms)
            continue;
        ws_usage_error("--sm: no SM %u, the device has SMs 0 to %u", range->to,
                       (guint)device->sms - 1);
        return FALSE;
    }
    return TRUE;
}

/* Tells on stdout that the file shows `what`. */
static int write_shown(const char *path, const char *text, gsize length, const char *what,
                       WsStatus status)
{
    GError *error = NULL;

    if (!ws_write_file(path, text, length, &error))
        return ws_report_error(error);
    if (strcmp(path, "-") != 0 && strcmp(path, "/dev/stdout") != 0) {
        g_autofree char *shown = ws_printable(path);
        printf("%s shows %s; open it in a browser\n", shown, what);
    }
    return ws_status_exit_code(status);
}

static int write_page(const WsPageRun *run, const char *path)
{
    gsize length;
    g_autofree char *html = ws_run_page_html(run, &length);

    return write_shown(path, html, length, "the run", run->result->status);
}

static int write_animation(const WsJob *job, const WsWatchedRun *watched, const Options *options)
{
    g_autofree char *svg =
        ws_animation_svg(job, watched->frames, watched->focus, (guint)options->speed);
    g_autofree char *what = g_strdup_printf("%u cycles", ws_frames_count(watched->frames));
    int code = write_shown(options->output, svg, strlen(svg), what, watched->result->status);

    return ws_simulation_options_exit_code(&options->simulation, code);
}

static int run(const WsCommand *command, char **arguments)
{
    g_auto(Options) options = {0};
    GError *error = NULL;

    if (!parse(command, arguments, &options) || !check_options(&options))
        return WS_ERROR_USAGE;
    if (options.animate == NULL && !ws_run_page_is_built())
        return ws_usage_error("this warpstep was built where esbuild was not installed, and has no "
                              "report; apt-get install esbuild, and build it again");
    if (options.output == NULL)
        options.output = default_output(arguments[1], options.animate != NULL ? ".svg" : ".html");
    WsOutput output = {"--output", options.output};
    if (!ws_outputs_check(&output, 1, &error))
        return ws_report_error(error);
    g_autoptr(WsJob) job = ws_simulation_options_load(&options.simulation, arguments[1], &error);
    if (job == NULL)
        return ws_report_error(error);
    if (!check_sms(&options, job->device))
        return WS_ERROR_USAGE;
    g_autoptr(WsCheck) check =
        options.checks != 0 ? ws_check_new(job, options.checks, &error) : NULL;
    if (options.checks != 0 && check == NULL)
        return ws_report_error(error);
    const WsPageWindow window = {.sms = options.sm_list,
                                 .from = options.from,
                                 .to = options.to,
                                 .max_issues = (guint64)options.max_issues,
                                 .at = options.opening,
                                 .quiz = options.quiz,
                                 .animation = options.animation};
    g_autoptr(WsPageSamples) samples = ws_page_samples_new();
    options.simulation.sampling = ws_page_samples_sink(samples);
    g_auto(WsWatchedRun) watched = {0};
    if (!ws_watched_run_make(&window, &options.simulation, job, &watched, &error))
        return ws_report_error(error);
    if (check != NULL)
        ws_run_checks(check, job, &options.simulation, arguments[1], watched.result);
    if (options.simulation.replay_text != NULL)
        ws_result_add_warning(watched.result, options.simulation.replay_text);
    if (watched.frames != NULL)
        return write_animation(job, &watched, &options);
    const WsPageRun run = {
        job,          watched.result, watched.record, watched.highlights, watched.opening,
        watched.quiz, samples};
    return ws_simulation_options_exit_code(&options.simulation, write_page(&run, options.output));
}

const WsCommand ws_command_report = {
    .name = "report",
    .group = WS_GROUP_RUN,
    .summary = "write a page that shows a run, with a timeline of its warps",
    .usage = "TARGET",
    .details = WS_RUN_IS
    ".\n"
    "\n"
    "The page is one file that a browser opens from disk. It shows the whole run, and a\n"
    "timeline of the warps of some SMs in a window of cycles. 'warpstep help report' describes\n"
    "it.\n"
    "\n"
    "Examples:\n"
    "  warpstep report with_without_divergence -o divergence.html\n"
    "  warpstep report vecadd --sms 1 --from 500 --to 1500\n",
    .run = run,
};
