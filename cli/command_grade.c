/* `warpstep grade`: a submission, or all of a class. */
#include "cli/command.h"
#include "grade/export/grade_format.h"
#include "grade/judge/grader.h"

#include <string.h>

typedef struct {
    char *format, *output, *check, *student, *submitted;
    gboolean reveal;
} Options;

static void options_clear(Options *options)
{
    g_free(options->format);
    g_free(options->output);
    g_free(options->check);
    g_free(options->student);
    g_free(options->submitted);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static const WsGradeFormat *find_format(const char *name)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (const WsGradeFormat *row = ws_grade_formats; row->name != NULL; row++)
        g_ptr_array_add(names, (gpointer)row->name);
    g_ptr_array_add(names, NULL);
    int place = ws_find_choice("--format", name, (const char *const *)names->pdata);
    return place < 0 ? NULL : &ws_grade_formats[place];
}

static gboolean read_options(const Options *options, const WsAssignment *assignment,
                             WsGradeOptions *ret)
{
    *ret = (WsGradeOptions){.student = options->student,
                            .submitted = G_MININT64,
                            .check = options->check,
                            .reveal = options->reveal};
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
    g_autoptr(WsGrader) grader = ws_grader_new(assignment);
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

int ws_command_grade(const char *usage, const char *details, char **arguments)
{
    g_auto(Options) options = {0};
    const GOptionEntry entries[] = {
        {"format", 'f', 0, G_OPTION_ARG_FILENAME, &options.format, "default: text",
         "text|html|json|junit|tap|gradescope"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
         "write the result to a file instead of stdout", "FILE"},
        {"check", 'c', 0, G_OPTION_ARG_FILENAME, &options.check,
         "only this check; others that it needs are made too", "NAME"},
        {"student", 0, 0, G_OPTION_ARG_FILENAME, &options.student,
         "whose it is: for numbers that are drawn (default: the folder's name)", "ID"},
        {"submitted", 0, 0, G_OPTION_ARG_FILENAME, &options.submitted,
         "when it was handed in (default: in time)", "TIME"},
        {"reveal", 0, 0, G_OPTION_ARG_NONE, &options.reveal,
         "for teachers: show of hidden tests what is shown of others", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    if (!ws_parse_options(usage, details, entries, arguments, 2, 2))
        return WS_ERROR_USAGE;
    const WsGradeFormat *format = find_format(options.format != NULL ? options.format : "text");
    if (format == NULL)
        return WS_ERROR_USAGE;
    GError *error = NULL;
    const char *output = options.output != NULL ? options.output : "-";
    if (!ws_outputs_check(&(WsOutput){"--output", output}, 1, &error))
        return ws_report_error(error);
    g_autoptr(WsAssignment) assignment = ws_assignment_load(arguments[1], &error);
    if (assignment == NULL)
        return ws_report_error(error);
    WsGradeOptions grade_options;
    if (!read_options(&options, assignment, &grade_options))
        return WS_ERROR_USAGE;
    return grade_one(assignment, arguments[2], &grade_options, format, output);
}
