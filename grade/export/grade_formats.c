#include "grade/export/grade_format.h"
#include "isa/base/escape.h"
#include "sim/base/json_members.h"

#include <string.h>

#define FORMAT(name) extern const WsGradeFormat ws_grade_format_##name;
#include "grade/export/grade_formats.def"
#undef FORMAT

const WsGradeFormat *const ws_grade_formats[] = {
#define FORMAT(name) &ws_grade_format_##name,
#include "grade/export/grade_formats.def"
#undef FORMAT
    NULL,
};

const WsGradeFormat *ws_grade_format_find(const char *name)
{
    for (guint i = 0; ws_grade_formats[i] != NULL; i++)
        if (strcmp(ws_grade_formats[i]->name, name) == 0)
            return ws_grade_formats[i];
    return NULL;
}

/* ---- shared by the formats --------------------------------------------------------------------
 */

char *ws_points_text(double points)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    return g_strdup(g_ascii_formatd(text, sizeof text, "%.6g", points));
}

char *ws_grade_sum_text(const WsGrade *grade)
{
    if (grade->error != NULL)
        return g_strdup_printf("No score: the grader failed: %s", grade->error);
    double maximum = 0;
    for (guint i = 0; i < grade->verdicts->len; i++)
        maximum += ws_grade_verdict(grade, i)->rule->points;
    g_autofree char *score = ws_points_text(grade->score);
    g_autofree char *most = ws_points_text(maximum);
    g_autofree char *total = ws_points_text(grade->total);
    if (grade->late == NULL)
        return g_strdup_printf("%s of %s points", score, most);
    return g_strdup_printf("%s of %s points; %s: %s", score, most, grade->late, total);
}

char *ws_grade_protection_text(const WsGrade *grade)
{
    g_autofree char *text = ws_protection_text(grade->protection);
    return g_strconcat("Protection of the compiler: ", text, NULL);
}

void ws_grade_add_protection(JsonBuilder *json, const WsGrade *grade)
{
    g_autofree char *text = ws_protection_text(grade->protection);
    ws_json_open_object(json, "protection");
    ws_json_add_text(json, "level", ws_protection_level(grade->protection));
    for (guint part = 1; part < WS_PROTECTION_ALL; part <<= 1) {
        json_builder_set_member_name(json, ws_protection_name((WsProtection)part));
        json_builder_add_boolean_value(json, (grade->protection & part) != 0);
    }
    ws_json_add_text(json, "text", text);
    json_builder_end_object(json);
}

gboolean ws_grade_compilers_differ(const WsGrade *grade)
{
    return grade->compiler != NULL && grade->own_compiler != NULL &&
           strcmp(grade->compiler, grade->own_compiler) != 0;
}

char *ws_grade_compiler_text(const WsGrade *grade)
{
    if (ws_grade_compilers_differ(grade))
        return g_strdup_printf("Compiled by %s; the programs of the assignment by %s: figures may "
                               "differ for that reason",
                               grade->compiler, grade->own_compiler);
    return grade->compiler == NULL ? NULL : g_strdup_printf("Compiled by %s", grade->compiler);
}

void ws_grade_add_compilers(JsonBuilder *json, const WsGrade *grade)
{
    ws_json_add_text(json, "compiler", grade->compiler);
    ws_json_add_text(json, "own_compiler", grade->own_compiler);
}

static void add_line(GString *text, const char *indent, const char *label, const char *value)
{
    if (value == NULL)
        return;
    g_autofree char *escaped = ws_escape_controls(value, -1, "");
    g_string_append_printf(text, "%s%s%s\n", indent, label, escaped);
}

char *ws_verdict_details(const WsVerdict *verdict, const char *indent)
{
    GString *text = g_string_new(NULL);
    if (verdict->kind != WS_VERDICT_PASSED)
        add_line(text, indent, "", verdict->rationale);
    add_line(text, indent, "expected: ", verdict->expected);
    add_line(text, indent, "actual:   ", verdict->actual);
    for (guint i = 0; i < verdict->log->len; i++)
        add_line(text, indent, "", verdict->log->pdata[i]);
    add_line(text, indent, "hint: ", verdict->hint);
    add_line(text, indent, "help: ", verdict->help);
    return g_string_free(text, FALSE);
}
