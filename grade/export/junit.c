/* JUnit's XML, as build servers read it. */
#include "grade/export/grade_format.h"
#include "isa/base/escape.h"

static char *markup(const char *text)
{
    g_autofree char *escaped = ws_escape_controls(text, -1, "\n");
    return g_markup_escape_text(escaped, -1);
}

static void add_verdict(GString *text, const WsVerdict *verdict)
{
    static const char *const elements[] = {NULL, "failure", "skipped", "error"};
    g_autofree char *name = markup(verdict->rule->name);
    const char *element = elements[verdict->kind];
    if (element == NULL) {
        g_string_append_printf(text, "  <testcase classname=\"warpstep\" name=\"%s\"/>\n", name);
        return;
    }
    g_autofree char *why = markup(verdict->rationale != NULL ? verdict->rationale : "");
    g_autofree char *details = ws_verdict_details(verdict, "");
    g_autofree char *body = markup(details);
    g_string_append_printf(text,
                           "  <testcase classname=\"warpstep\" name=\"%s\">\n"
                           "    <%s message=\"%s\">%s</%s>\n  </testcase>\n",
                           name, element, why, body, element);
}

static void add_compiler(GString *text, const char *property, const char *compiler)
{
    g_autofree char *value = compiler != NULL ? markup(compiler) : NULL;
    if (value != NULL)
        g_string_append_printf(text, "    <property name=\"%s\" value=\"%s\"/>\n", property, value);
}

static char *write_grade(const WsGrade *grade)
{
    guint counts[WS_VERDICT_ERROR + 1] = {0};
    for (guint i = 0; i < grade->verdicts->len; i++)
        counts[ws_grade_verdict(grade, i)->kind]++;
    GString *text = g_string_new("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    g_autofree char *title = markup(grade->assignment->title);
    g_string_append_printf(text,
                           "<testsuite name=\"%s\" tests=\"%u\" failures=\"%u\" skipped=\"%u\" "
                           "errors=\"%u\">\n",
                           title, grade->verdicts->len, counts[WS_VERDICT_FAILED],
                           counts[WS_VERDICT_SKIPPED], counts[WS_VERDICT_ERROR]);
    g_autofree char *protection = ws_protection_text(grade->protection);
    g_autofree char *value = markup(protection);
    g_string_append_printf(text,
                           "  <properties>\n    <property name=\"protection of the compiler\" "
                           "value=\"%s\"/>\n",
                           value);
    add_compiler(text, "compiler", grade->compiler);
    add_compiler(text, "compiler of the assignment", grade->own_compiler);
    g_string_append(text, "  </properties>\n");
    for (guint i = 0; i < grade->verdicts->len; i++)
        add_verdict(text, ws_grade_verdict(grade, i));
    g_string_append(text, "</testsuite>\n");
    return g_string_free(text, FALSE);
}

const WsGradeFormat ws_grade_format_junit = {"junit", "junit.xml", write_grade};
