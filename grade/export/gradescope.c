/*
 * results.json of a Gradescope autograder. Without score and tests, which is how the grader's own
 * failure is written, Gradescope reports that the autograder failed, and nobody gets a zero.
 */
#include "grade/export/grade_format.h"
#include "isa/base/escape.h"
#include "sim/base/json_text.h"

#include <math.h>

static void add_text(JsonBuilder *json, const char *name, const char *value)
{
    g_autofree char *escaped = ws_escape_controls(value, -1, "\n");
    json_builder_set_member_name(json, name);
    json_builder_add_string_value(json, escaped);
}

static void add_number(JsonBuilder *json, const char *name, double value)
{
    json_builder_set_member_name(json, name);
    json_builder_add_double_value(json, value);
}

/* Their output has nothing of a hidden test, so it may be seen. */
static void add_test(JsonBuilder *json, const WsVerdict *verdict, guint number)
{
    g_autofree char *details = ws_verdict_details(verdict, "");
    g_autofree char *title = g_strdup(verdict->rule->description);
    g_autofree char *place = g_strdup_printf("%u", number);
    json_builder_begin_object(json);
    add_text(json, "name", title);
    add_text(json, "number", place);
    add_number(json, "score", verdict->points);
    add_number(json, "max_score", verdict->rule->points);
    add_text(json, "status", verdict->kind == WS_VERDICT_PASSED ? "passed" : "failed");
    add_text(json, "output", details);
    json_builder_set_member_name(json, "tags");
    json_builder_begin_array(json);
    json_builder_add_string_value(json, verdict->rule->name);
    json_builder_add_string_value(json, ws_verdict_name(verdict->kind));
    json_builder_end_array(json);
    add_text(json, "visibility", "visible");
    json_builder_end_object(json);
}

/* For teachers alone: students need not know where a grader is weak. */
static void add_protection_test(JsonBuilder *json, const WsGrade *grade)
{
    g_autofree char *text = ws_grade_protection_text(grade);
    json_builder_begin_object(json);
    add_text(json, "name", "protection of the compiler");
    add_text(json, "output", text);
    add_text(json, "visibility", "hidden");
    json_builder_end_object(json);
}

static void add_standings(JsonBuilder *json, const WsGrade *grade)
{
    json_builder_set_member_name(json, "leaderboard");
    json_builder_begin_array(json);
    for (guint i = 0; i < grade->standings->len; i++) {
        const WsStanding *standing = &g_array_index(grade->standings, WsStanding, i);
        json_builder_begin_object(json);
        add_text(json, "name", standing->ranking->name);
        if (isnan(standing->value))
            add_text(json, "value", "-");
        else
            add_number(json, "value", standing->value);
        add_text(json, "order", standing->ranking->ascending ? "asc" : "desc");
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

static char *write_grade(const WsGrade *grade)
{
    g_autofree char *sum = ws_grade_sum_text(grade);
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    g_autofree char *compiler =
        ws_grade_compilers_differ(grade) ? ws_grade_compiler_text(grade) : NULL;
    g_autofree char *both = g_strjoin("\n", sum, compiler, NULL);
    add_text(json, "output", both);
    add_text(json, "visibility", "visible");
    add_text(json, "stdout_visibility", "hidden");
    json_builder_set_member_name(json, "extra_data");
    json_builder_begin_object(json);
    ws_grade_add_protection(json, grade);
    ws_grade_add_compilers(json, grade);
    json_builder_end_object(json);
    if (grade->error == NULL) {
        add_number(json, "score", grade->total);
        json_builder_set_member_name(json, "tests");
        json_builder_begin_array(json);
        for (guint i = 0; i < grade->verdicts->len; i++)
            add_test(json, ws_grade_verdict(grade, i), i + 1);
        add_protection_test(json, grade);
        json_builder_end_array(json);
        add_standings(json, grade);
    }
    json_builder_end_object(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    return ws_json_text(root);
}

const WsGradeFormat ws_grade_format_gradescope = {"gradescope", "results.json", write_grade};
