/*
 * What the reporter of GitHub Classroom reads (classroom-resources/autograding-grading-reporter,
 * version 1 of its results): points of each check, which its own graders cannot give in part. Where
 * the grader failed there are none: the workflow stops before it reports. It leaves out what it
 * does not know, such as the protection of the compiler.
 */
#include "grade/export/grade_format.h"
#include "isa/base/escape.h"
#include "sim/base/json_members.h"
#include "sim/base/json_text.h"

static void add_text(JsonBuilder *json, const char *name, const char *value)
{
    g_autofree char *escaped = ws_escape_controls(value, -1, "\n");
    ws_json_add_text(json, name, escaped);
}

static const char *status_of(const WsVerdict *verdict)
{
    return verdict->kind == WS_VERDICT_PASSED ? "pass" : "fail";
}

static void add_test(JsonBuilder *json, const WsVerdict *verdict, double factor)
{
    g_autofree char *details = ws_verdict_details(verdict, "");
    g_autofree char *earned = ws_points_text(verdict->points);
    g_autofree char *most = ws_points_text(verdict->rule->points);
    g_autofree char *name =
        g_strdup_printf("%s (%s of %s points)", verdict->rule->description, earned, most);
    json_builder_begin_object(json);
    add_text(json, "name", name);
    ws_json_add_text(json, "status", status_of(verdict));
    ws_json_add_number(json, "score", verdict->points * factor);
    add_text(json, "message", details);
    add_text(json, "test_code", details);
    ws_json_add_text(json, "filename", "");
    ws_json_add_integer(json, "line_no", 0);
    ws_json_add_integer(json, "duration", 0);
    json_builder_end_object(json);
}

static char *write_grade(const WsGrade *grade)
{
    double most = 0;
    for (guint i = 0; i < grade->verdicts->len; i++)
        most += ws_grade_verdict(grade, i)->rule->points;
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    ws_json_add_integer(json, "version", 1);
    ws_json_add_text(json, "status",
                     grade->error != NULL         ? "error"
                     : ws_grade_all_passed(grade) ? "pass"
                                                  : "fail");
    ws_json_add_number(json, "max_score", most);
    ws_grade_add_protection(json, grade);
    ws_grade_add_compilers(json, grade);
    ws_json_open_list(json, "tests");
    for (guint i = 0; grade->error == NULL && i < grade->verdicts->len; i++)
        add_test(json, ws_grade_verdict(grade, i), grade->late_factor);
    json_builder_end_array(json);
    json_builder_end_object(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    return ws_json_text(root);
}

const WsGradeFormat ws_grade_format_classroom = {"classroom", "classroom.json", write_grade};
