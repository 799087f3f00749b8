/* `warpstep grade`: a submission, or all of a class. */
#include "cli/command.h"
#include "cli/load_options.h"
#include "grade/class/class.h"
#include "grade/export/grade_format.h"
#include "grade/judge/grader.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_JOBS = 1024 };

/* "|text|html": how shells complete --format. */
static const char formats[] =
#define FORMAT(name) "|" #name
#include "grade/export/grade_formats.def"
#undef FORMAT
    ;

typedef struct {
    char *format, *output, *check, *student, *submitted, *all, *results, *times, *shard;
    gint64 jobs;
    gboolean reveal, strict, timelines;
} Options;

static void options_clear(Options *options)
{
    g_free(options->format);
    g_free(options->output);
    g_free(options->check);
    g_free(options->student);
    g_free(options->submitted);
    g_free(options->all);
    g_free(options->results);
    g_free(options->times);
    g_free(options->shard);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static const WsGradeFormat *find_format(const char *name)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; ws_grade_formats[i] != NULL; i++)
        g_ptr_array_add(names, (gpointer)ws_grade_formats[i]->name);
    g_ptr_array_add(names, NULL);
    int place = ws_find_choice("--format", name, (const char *const *)names->pdata);
    return place < 0 ? NULL : ws_grade_formats[place];
}

static gboolean read_options(const Options *options, const WsAssignment *assignment,
                             const WsGradeFormat *format, WsGradeOptions *ret)
{
    *ret = (WsGradeOptions){.student = options->student,
                            .submitted = G_MININT64,
                            .check = options->check,
                            .reveal = options->reveal,
                            .pages = format == ws_grade_format_find("html")};
    if (options->submitted != NULL && !ws_time_parse(options->submitted, &ret->submitted)) {
        ws_usage_error("--submitted: a time is expected, such as 2026-10-01T22:00:00Z");
        return FALSE;
    }
    if (options->check == NULL || ws_assignment_find_rule(assignment, options->check) >= 0)
        return TRUE;
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < assignment->rules->len; i++)
        g_ptr_array_add(names, ws_assignment_rule(assignment, i)->name);
    g_ptr_array_add(names, NULL);
    ws_find_choice("--check", options->check, (const char *const *)names->pdata);
    return FALSE;
}

static int grade_one(const WsAssignment *assignment, const char *folder,
                     const WsGradeOptions *options, const WsGradeFormat *format, const char *output)
{
    GError *error = NULL;
    g_autofree char *cache = ws_load_cache_folder();
    g_autoptr(WsGrader) grader = ws_grader_new(assignment, cache);
    g_autoptr(WsGrade) grade = ws_grader_grade(grader, folder, options, &error);
    if (grade == NULL)
        return ws_report_error(error);
    g_autofree char *text = format->write(grade);
    if (!ws_write_file(output, text, strlen(text), &error))
        return ws_report_error(error);
    if (grade->error != NULL) {
        ws_set_error(&error, WS_ERROR_INTERNAL, "the grader failed: %s", grade->error);
        return ws_report_error(error);
    }
    return ws_grade_all_passed(grade) ? 0 : WS_ERROR_CHECK;
}

/* ---- a class ----------------------------------------------------------------------------------
 */

static void show_progress(void *data, guint done, guint total, const char *name, const char *what)
{
    g_autofree char *shown = ws_printable(name);
    fprintf(stderr, "%u of %u: %s: %s\n", done, total, shown, what);
}

static gboolean read_shard(const char *text, WsClassOptions *ret)
{
    int end = 0;
    if (text == NULL)
        return TRUE;
    if (sscanf(text, "%u/%u%n", &ret->shard, &ret->shards, &end) == 2 && text[end] == '\0' &&
        ret->shard < ret->shards && strchr("+-", text[0]) == NULL)
        return TRUE;
    ws_usage_error("--shard: I/N is expected, with I from 0 to N - 1");
    return FALSE;
}

static int grade_all(const WsAssignment *assignment, const Options *options)
{
    GError *error = NULL;
    g_autofree char *cache = ws_load_cache_folder();
    WsClassOptions all = {.submissions = options->all,
                          .output = options->results,
                          .jobs = (guint)options->jobs,
                          .cache = cache,
                          .reveal = options->reveal,
                          .pages = options->timelines,
                          .progress = isatty(STDERR_FILENO) ? show_progress : NULL};
    WsClassResult result;
    g_autoptr(GHashTable) times = NULL;
    if (!read_shard(options->shard, &all))
        return WS_ERROR_USAGE;
    if (options->times != NULL && (times = ws_class_read_times(options->times, &error)) == NULL)
        return ws_report_error(error);
    all.submitted = times;
    if (!ws_class_grade(assignment, &all, &result, &error))
        return ws_report_error(error);
    g_autofree char *protection = ws_protection_text(result.protection);
    g_autofree char *compilers = result.compilers;
    printf("%u graded, %u as they were: %s/grades.csv\n", result.graded, result.kept,
           options->results);
    if (compilers != NULL)
        printf("%s\n", compilers);
    printf("Protection of the compiler: %s\n", protection);
    if (result.errors == 0)
        return 0;
    ws_set_error(&error, WS_ERROR_INTERNAL, "the grader failed for %u: see `error` in grades.csv",
                 result.errors);
    return ws_report_error(error);
}

/* What goes with --all, and what does not. */
static gboolean check_options(const Options *options, char *const *arguments)
{
    gboolean all = options->all != NULL;
    const char *alone = options->format != NULL      ? "--format"
                        : options->output != NULL    ? "--output"
                        : options->check != NULL     ? "--check"
                        : options->student != NULL   ? "--student"
                        : options->submitted != NULL ? "--submitted"
                                                     : NULL;
    const char *together = options->results != NULL ? "--out"
                           : options->times != NULL ? "--times"
                           : options->shard != NULL ? "--shard"
                           : options->jobs != 1     ? "--jobs"
                           : options->timelines     ? "--timelines"
                                                    : NULL;
    if (!all && arguments[2] == NULL)
        ws_usage_error("a submission is missing, or --all FOLDER");
    else if (all && arguments[2] != NULL)
        ws_usage_error("either a submission or --all FOLDER");
    else if (all && options->results == NULL)
        ws_usage_error("--all needs --out FOLDER, for the results");
    else if (all && alone != NULL)
        ws_usage_error("%s is for one submission", alone);
    else if (!all && together != NULL)
        ws_usage_error("%s goes with --all", together);
    else if (options->timelines && !ws_run_page_is_built())
        ws_usage_error("--timelines: this warpstep was built where esbuild was not installed; "
                       "apt-get install esbuild, and build it again");
    else if (options->jobs < 1 || options->jobs > MOST_JOBS)
        ws_usage_error("--jobs: a number from 1 to %d is expected", MOST_JOBS);
    else
        return TRUE;
    return FALSE;
}

/* Before anything of a submission is opened. */
static gboolean check_protection(const Options *options)
{
    guint parts = options->strict ? ws_protection_of_host() : WS_PROTECTION_ALL;
    if (parts == WS_PROTECTION_ALL)
        return TRUE;
    GError *error = NULL;
    g_autofree char *text = ws_protection_text(parts);
    ws_set_error(&error, WS_ERROR_INPUT,
                 "--strict: clang would run with less than full protection (%s)", text);
    ws_report_error(error);
    return FALSE;
}

static int grade(const Options *options, char *const *arguments)
{
    const WsGradeFormat *format = find_format(options->format != NULL ? options->format : "text");
    if (format == NULL)
        return WS_ERROR_USAGE;
    GError *error = NULL;
    const char *output = options->output != NULL ? options->output : "-";
    if (!ws_outputs_check(&(WsOutput){"--output", output}, 1, &error))
        return ws_report_error(error);
    g_autoptr(WsAssignment) assignment = ws_assignment_load(arguments[1], &error);
    if (assignment == NULL)
        return ws_report_error(error);
    if (!check_protection(options))
        return WS_ERROR_INPUT;
    WsGradeOptions one;
    if (options->all != NULL)
        return grade_all(assignment, options);
    if (!read_options(options, assignment, format, &one))
        return WS_ERROR_USAGE;
    return grade_one(assignment, arguments[2], &one, format, output);
}

static int run(const WsCommand *command, char **arguments)
{
    g_auto(Options) options = {.jobs = 1};
    const GOptionEntry entries[] = {
        {"format", 'f', 0, G_OPTION_ARG_FILENAME, &options.format, "default: text", formats + 1},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
         "write the result to a file instead of stdout", "FILE"},
        {"check", 'c', 0, G_OPTION_ARG_FILENAME, &options.check,
         "only this check, and those that it needs", "NAME"},
        {"student", 0, 0, G_OPTION_ARG_FILENAME, &options.student,
         "the student's name, on which random values of the tests depend (default: the folder's "
         "name)",
         "ID"},
        {"submitted", 0, 0, G_OPTION_ARG_FILENAME, &options.submitted,
         "time of submission (default: in time)", "TIME"},
        {"reveal", 0, 0, G_OPTION_ARG_NONE, &options.reveal,
         "for teachers: show the details of hidden tests", NULL},
        {"strict", 0, 0, G_OPTION_ARG_NONE, &options.strict,
         "do not grade without full protection of clang (warpstep help security)", NULL},
        {"all", 'a', 0, G_OPTION_ARG_FILENAME, &options.all,
         "grade every folder in FOLDER instead of one submission", "FOLDER"},
        {"out", 0, 0, G_OPTION_ARG_FILENAME, &options.results,
         "with --all: output folder; unchanged results are kept", "FOLDER"},
        {"jobs", 'j', 0, G_OPTION_ARG_INT64, &options.jobs,
         "with --all: number of parallel processes (default 1)", "N"},
        {"timelines", 0, 0, G_OPTION_ARG_NONE, &options.timelines,
         "with --all: result.html shows timelines of failed tests; takes longer", NULL},
        {"times", 0, 0, G_OPTION_ARG_FILENAME, &options.times,
         "with --all: CSV with the times of submission, in columns student,submitted", "FILE"},
        {"shard", 0, 0, G_OPTION_ARG_FILENAME, &options.shard,
         "with --all: part I of N, from 0, such as 3/8", "I/N"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    if (!ws_parse_options(command, entries, arguments, 1, 2) || !check_options(&options, arguments))
        return WS_ERROR_USAGE;
    return grade(&options, arguments);
}

const WsCommand ws_command_grade = {
    .name = "grade",
    .group = WS_GROUP_TEACH,
    .summary = "grade submissions to an assignment",
    .usage = "ASSIGNMENT SUBMISSION",
    .details =
        "ASSIGNMENT is a folder with an assignment.yaml, SUBMISSION a folder with a student's\n"
        "files. Kernels run only in the simulator, host code of whole programs in a sandbox. Only\n"
        "files of the submission and of the assignment's public folders are read, and time and\n"
        "memory are limited (warpstep help coursework).\n"
        "\n"
        "Examples:\n"
        "  warpstep copy labs/transpose week5\n"
        "  warpstep grade week5 submissions/alice\n"
        "  warpstep grade week5 submissions/alice -c right -f tap\n"
        "  warpstep grade week5 --all submissions --out grades --jobs 2\n",
    .run = run,
};
