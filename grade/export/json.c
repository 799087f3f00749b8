/* docs/reference/grade.schema.json says what is in it. */
#include "grade/export/grade_format.h"
#include "isa/base/escape.h"
#include "sim/base/json_text.h"

#include <math.h>

static void add_text(JsonBuilder *json, const char *name, const char *value)
{
    json_builder_set_member_name(json, name);
    if (value == NULL) {
        json_builder_add_null_value(json);
        return;
    }
    g_autofree char *escaped = ws_escape_controls(value, -1, "\n");
    json_builder_add_string_value(json, escaped);
}

static void add_number(JsonBuilder *json, const char *name, double value)
{
    json_builder_set_member_name(json, name);
    if (isnan(value))
        json_builder_add_null_value(json);
    else
        json_builder_add_double_value(json, value);
}

static void add_cause(JsonBuilder *json, const WsVerdict *verdict)
{
    json_builder_set_member_name(json, "cause");
    if (verdict->kind == WS_VERDICT_PASSED) {
        json_builder_add_null_value(json);
        return;
    }
    json_builder_begin_object(json);
    add_text(json, "rationale", verdict->rationale);
    add_text(json, "help", verdict->help);
    add_text(json, "expected", verdict->expected);
    add_text(json, "actual", verdict->actual);
    add_text(json, "hint", verdict->hint);
    json_builder_end_object(json);
}

/* Null says that it was not decided: by another check's failure, or the grader's. */
static void add_passed(JsonBuilder *json, WsVerdictKind kind)
{
    json_builder_set_member_name(json, "passed");
    if (kind == WS_VERDICT_PASSED || kind == WS_VERDICT_FAILED)
        json_builder_add_boolean_value(json, kind == WS_VERDICT_PASSED);
    else
        json_builder_add_null_value(json);
}

static void add_verdict(JsonBuilder *json, const WsVerdict *verdict)
{
    json_builder_begin_object(json);
    add_text(json, "name", verdict->rule->name);
    add_text(json, "description", verdict->rule->description);
    add_passed(json, verdict->kind);
    add_text(json, "outcome", ws_verdict_name(verdict->kind));
    add_number(json, "points", verdict->kind == WS_VERDICT_ERROR ? (double)NAN : verdict->points);
    add_number(json, "max_points", verdict->rule->points);
    json_builder_set_member_name(json, "hidden");
    json_builder_add_boolean_value(json, verdict->hidden);
    add_cause(json, verdict);
    json_builder_set_member_name(json, "log");
    json_builder_begin_array(json);
    for (guint i = 0; i < verdict->log->len; i++) {
        g_autofree char *line = ws_escape_controls(verdict->log->pdata[i], -1, "");
        json_builder_add_string_value(json, line);
    }
    json_builder_end_array(json);
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
        add_number(json, "value", standing->value);
        add_text(json, "order", standing->ranking->ascending ? "asc" : "desc");
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

static char *write_grade(const WsGrade *grade)
{
    gboolean broken = grade->error != NULL;
    double maximum = 0;
    for (guint i = 0; i < grade->verdicts->len; i++)
        maximum += ws_grade_verdict(grade, i)->rule->points;
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    add_text(json, "schema", "warpstep-grade-1");
    add_text(json, "version", WS_VERSION);
    add_text(json, "assignment", grade->assignment->title);
    add_text(json, "student", grade->student);
    add_text(json, "error", grade->error);
    add_number(json, "score", broken ? (double)NAN : grade->score);
    add_number(json, "max_score", maximum);
    add_text(json, "late", grade->late);
    add_number(json, "late_factor", grade->late_factor);
    add_number(json, "total", broken ? (double)NAN : grade->total);
    ws_grade_add_protection(json, grade);
    ws_grade_add_compilers(json, grade);
    json_builder_set_member_name(json, "checks");
    json_builder_begin_array(json);
    for (guint i = 0; i < grade->verdicts->len; i++)
        add_verdict(json, ws_grade_verdict(grade, i));
    json_builder_end_array(json);
    add_standings(json, grade);
    json_builder_end_object(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    return ws_json_text(root);
}

const WsGradeFormat ws_grade_format_json = {"json", "result.json", write_grade};
