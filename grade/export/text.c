/* For a terminal. */
#include "grade/export/grade_format.h"
#include "isa/base/escape.h"

#include <math.h>

static void add_verdict(GString *text, const WsVerdict *verdict)
{
    g_autofree char *points = ws_points_text(verdict->points);
    g_autofree char *most = ws_points_text(verdict->rule->points);
    g_autofree char *of = g_strdup_printf("%s/%s", points, most);
    g_string_append_printf(text, "  %-7s %6s  %s", ws_verdict_name(verdict->kind), of,
                           verdict->rule->name);
    if (g_strcmp0(verdict->rule->name, verdict->rule->description) != 0)
        g_string_append_printf(text, ": %s", verdict->rule->description);
    g_string_append_c(text, '\n');
    if (verdict->kind == WS_VERDICT_PASSED)
        return;
    g_autofree char *details = ws_verdict_details(verdict, "                  ");
    g_string_append(text, details);
}

static char *write_grade(const WsGrade *grade)
{
    GString *text = g_string_new(NULL);
    g_autofree char *student = ws_escape_controls(grade->student, -1, "");
    g_string_append_printf(text, "%s: %s\n\n", grade->assignment->title, student);
    for (guint i = 0; i < grade->verdicts->len; i++)
        add_verdict(text, ws_grade_verdict(grade, i));
    for (guint i = 0; i < grade->standings->len; i++) {
        const WsStanding *standing = &g_array_index(grade->standings, WsStanding, i);
        g_autofree char *value =
            isnan(standing->value) ? g_strdup("not ranked") : ws_points_text(standing->value);
        g_string_append_printf(text, "%s  leaderboard: %s %s\n", i == 0 ? "\n" : "",
                               standing->ranking->name, value);
    }
    g_autofree char *sum = ws_grade_sum_text(grade);
    g_autofree char *escaped = ws_escape_controls(sum, -1, "");
    g_autofree char *protection = ws_grade_protection_text(grade);
    g_autofree char *compiler = ws_grade_compiler_text(grade);
    g_string_append_printf(text, "\n%s%s%s\n%s\n", compiler != NULL ? compiler : "",
                           compiler != NULL ? "\n" : "", protection, escaped);
    return g_string_free(text, FALSE);
}

const WsGradeFormat ws_grade_format_text = {"text", "result.txt", write_grade};
