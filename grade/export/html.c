/* One page that needs nothing else. */
#include "grade/export/grade_format.h"
#include "isa/base/escape.h"

#include <math.h>

static const char style[] =
    "body{font:16px/1.45 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;"
    "color:#222;background:#fff}"
    "table{border-collapse:collapse;width:100%}"
    "td,th{border-top:1px solid #ccc;padding:.45em .6em;text-align:left;vertical-align:top}"
    "td.n{text-align:right;white-space:nowrap}"
    ".passed{color:#176b2c}.failed,.error{color:#a11a1a}.skipped{color:#666}"
    "pre{white-space:pre-wrap;background:#f5f5f3;padding:.6em;margin:.4em 0 0;font-size:.9em}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}pre{background:#242424}"
    "td,th{border-color:#444}.passed{color:#7ad08f}.failed,.error{color:#f08a8a}}";

static char *markup(const char *text)
{
    g_autofree char *escaped = ws_escape_controls(text, -1, "\n");
    return g_markup_escape_text(escaped, -1);
}

static void add_verdict(GString *text, const WsVerdict *verdict)
{
    const char *name = ws_verdict_name(verdict->kind);
    g_autofree char *title = markup(verdict->rule->description);
    g_autofree char *points = ws_points_text(verdict->points);
    g_autofree char *most = ws_points_text(verdict->rule->points);
    g_autofree char *details = ws_verdict_details(verdict, "");
    g_autofree char *body = markup(details);
    g_string_append_printf(text, "<tr><td class=\"%s\">%s</td><td class=\"n\">%s / %s</td><td>%s",
                           name, name, points, most, title);
    if (*body != '\0')
        g_string_append_printf(text, "<pre>%s</pre>", body);
    g_string_append(text, "</td></tr>\n");
}

static void add_standings(GString *text, const WsGrade *grade)
{
    for (guint i = 0; i < grade->standings->len; i++) {
        const WsStanding *standing = &g_array_index(grade->standings, WsStanding, i);
        g_autofree char *name = markup(standing->ranking->name);
        g_autofree char *value =
            isnan(standing->value) ? g_strdup("not ranked") : ws_points_text(standing->value);
        g_string_append_printf(text, "<p>Leaderboard: %s %s</p>\n", name, value);
    }
}

char *ws_grade_write_html(const WsGrade *grade)
{
    g_autofree char *title = markup(grade->assignment->title);
    g_autofree char *student = markup(grade->student);
    g_autofree char *sum = ws_grade_sum_text(grade);
    g_autofree char *total = markup(sum);
    GString *text = g_string_new("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n");
    g_string_append_printf(text,
                           "<meta name=\"viewport\" content=\"width=device-width\">\n"
                           "<title>%s: %s</title>\n<style>%s</style>\n<h1>%s</h1>\n"
                           "<p>%s: <strong>%s</strong></p>\n<table>\n"
                           "<tr><th>outcome</th><th>points</th><th>check</th></tr>\n",
                           title, student, style, title, student, total);
    for (guint i = 0; i < grade->verdicts->len; i++)
        add_verdict(text, ws_grade_verdict(grade, i));
    g_string_append(text, "</table>\n");
    add_standings(text, grade);
    g_string_append(text, "</html>\n");
    return g_string_free(text, FALSE);
}
