/* The Test Anything Protocol, version 13. */
#include "grade/export/grade_format.h"
#include "isa/base/escape.h"

#include <string.h>

/* '#' begins a directive, and a number is told from a name by the blank behind it. */
static char *plain(const char *text)
{
    g_autofree char *escaped = ws_escape_controls(text, -1, "");
    return g_strdelimit(g_steal_pointer(&escaped), "#\\", ' ');
}

static void add_verdict(GString *text, const WsVerdict *verdict, guint number)
{
    g_autofree char *title = plain(verdict->rule->description);
    gboolean failed = verdict->kind == WS_VERDICT_FAILED;
    g_string_append_printf(text, "%s %u - %s", failed ? "not ok" : "ok", number, title);
    if (verdict->kind == WS_VERDICT_SKIPPED) {
        g_autofree char *why = plain(verdict->rationale);
        g_string_append_printf(text, " # SKIP %s", why);
    }
    g_string_append_c(text, '\n');
    if (!failed)
        return;
    g_autofree char *details = ws_verdict_details(verdict, "# ");
    g_string_append(text, details);
}

static char *write_grade(const WsGrade *grade)
{
    GString *text = g_string_new(NULL);
    g_autofree char *protection = ws_grade_protection_text(grade);
    g_string_append_printf(text, "TAP version 13\n1..%u\n", grade->verdicts->len);
    for (guint i = 0; i < grade->verdicts->len; i++) {
        const WsVerdict *verdict = ws_grade_verdict(grade, i);
        if (verdict->kind == WS_VERDICT_ERROR) {
            g_autofree char *why = plain(grade->error);
            g_string_append_printf(text, "# %s\nBail out! %s\n", protection, why);
            return g_string_free(text, FALSE);
        }
        add_verdict(text, verdict, i + 1);
    }
    g_autofree char *sum = ws_grade_sum_text(grade);
    g_autofree char *compiler = ws_grade_compiler_text(grade);
    if (compiler != NULL)
        g_string_append_printf(text, "# %s\n", compiler);
    g_string_append_printf(text, "# %s\n# %s\n", protection, sum);
    return g_string_free(text, FALSE);
}

const WsGradeFormat ws_grade_format_tap = {"tap", "result.tap", write_grade};
