/* One page that needs nothing else. */
#include "grade/export/grade_format.h"
#include "inspect/page/embedded_pages.h"
#include "isa/base/escape.h"

#include <math.h>

/* Of all pages of runs in one file; those that do not fit are left out. */
enum { MOST_PAGES_BYTES = 4000000 };

static const char style[] =
    "body{font:16px/1.45 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;"
    "color:#222;background:#fff}"
    "table{border-collapse:collapse;width:100%}"
    "td,th{border-top:1px solid #ccc;padding:.45em .6em;text-align:left;vertical-align:top}"
    "td.n{text-align:right;white-space:nowrap}"
    ".passed{color:#176b2c}.failed,.error{color:#a11a1a}.skipped{color:#666}"
    "pre{white-space:pre-wrap;background:#f5f5f3;padding:.6em;margin:.4em 0 0;font-size:.9em}"
    "a{color:#0b57d0}summary{cursor:pointer;padding:.45em 0;color:#0b57d0}"
    ".run-page,.run-page-missing{border-top:1px solid #ccc}.run-page-missing{padding:.45em 0}"
    /* A frame is as wide as the window. */
    ".run-page iframe{display:block;box-sizing:border-box;height:90vh;border:1px solid #ccc;"
    "width:calc(100vw - 3em);margin-left:calc(50% - 50vw + 1.5em)}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}pre{background:#242424}"
    "a,summary{color:#8ab4f8}"
    "td,th,.run-page,.run-page-missing,.run-page "
    "iframe{border-color:#444}.passed{color:#7ad08f}.skipped{color:#a0a0a0}.failed,.error{color:#"
    "f08a8a}}";

static char *markup(const char *text)
{
    g_autofree char *escaped = ws_escape_controls(text, -1, "\n");
    return g_markup_escape_text(escaped, -1);
}

static void add_verdict(GString *text, const WsGrade *grade, const WsVerdict *verdict)
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
    const WsTestPage *page = ws_grade_page(grade, verdict->rule->test);
    if (page == NULL && verdict->rule->kind == WS_RULE_GATES)
        page = ws_grade_page(
            grade, ws_assignment_shown_test(grade->assignment, (guint)verdict->rule->test));
    if (page != NULL && verdict->kind == WS_VERDICT_FAILED)
        g_string_append_printf(text, "<a href=\"#run-%u\">Timeline</a>", page->test + 1);
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

static void add_missing(GString *text, const char *id, const char *head, const char *why)
{
    g_autofree char *shown_head = markup(head), *shown_why = markup(why);
    g_string_append_printf(text, "<p class=\"run-page-missing\" id=\"%s\">%s has none: %s</p>\n",
                           id, shown_head, shown_why);
}

static void add_pages(GString *text, const WsGrade *grade)
{
    gsize sum = 0;
    if (grade->pages->len > 0)
        g_string_append(text, "<h2>Timelines of failed tests</h2>\n");
    for (guint i = 0; i < grade->pages->len; i++) {
        const WsTestPage *page = &g_array_index(grade->pages, WsTestPage, i);
        const WsTest *test = ws_assignment_test(grade->assignment, page->test);
        g_autoptr(GString) part = g_string_new(NULL);
        g_autofree char *id = g_strdup_printf("run-%u", page->test + 1);
        g_autofree char *head = g_strdup_printf("Test '%s'", test->name);
        if (page->page == NULL) {
            add_missing(text, id, head, page->missing != NULL ? page->missing : "it is damaged");
            continue;
        }
        ws_embedded_pages_add(part, id, head, page->page);
        if (sum + part->len > MOST_PAGES_BYTES) {
            add_missing(text, id, head, "this file would be too large; warpstep report shows it");
            continue;
        }
        sum += part->len;
        g_string_append_len(text, part->str, (gssize)part->len);
    }
    if (sum > 0)
        ws_embedded_pages_finish(text);
}

/* Nothing from elsewhere, and no scripts but those of timelines. */
static const char *policy_of(const WsGrade *grade)
{
    return grade->pages->len > 0 ? ws_embedded_pages_policy()
                                 : "default-src 'none'; style-src 'unsafe-inline'";
}

static char *write_grade(const WsGrade *grade)
{
    g_autofree char *title = markup(grade->assignment->title);
    g_autofree char *student = markup(grade->student);
    g_autofree char *sum = ws_grade_sum_text(grade);
    g_autofree char *total = markup(sum);
    GString *text = g_string_new("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n");
    g_string_append_printf(text,
                           "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n"
                           "<meta name=\"viewport\" content=\"width=device-width\">\n"
                           "<meta name=\"color-scheme\" content=\"light dark\">\n"
                           "<title>%s: %s</title>\n<style>%s</style>\n<h1>%s</h1>\n"
                           "<p>%s: <strong>%s</strong></p>\n<table>\n"
                           "<tr><th>outcome</th><th>points</th><th>check</th></tr>\n",
                           policy_of(grade), title, student, style, title, student, total);
    for (guint i = 0; i < grade->verdicts->len; i++)
        add_verdict(text, grade, ws_grade_verdict(grade, i));
    g_string_append(text, "</table>\n");
    add_standings(text, grade);
    g_autofree char *protection = ws_grade_protection_text(grade);
    g_autofree char *shown = markup(protection);
    g_autofree char *compiler = ws_grade_compiler_text(grade);
    g_autofree char *made = compiler != NULL ? markup(compiler) : NULL;
    if (made != NULL)
        g_string_append_printf(text, "<p>%s</p>\n", made);
    g_string_append_printf(text, "<p>%s</p>\n", shown);
    add_pages(text, grade);
    g_string_append(text, "</html>\n");
    return g_string_free(text, FALSE);
}

const WsGradeFormat ws_grade_format_html = {"html", "result.html", write_grade};
