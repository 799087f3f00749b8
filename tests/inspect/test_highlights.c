/* Highlights of runs that are told event by event: what counts as a wait, a split and a failure. */
#include <stdio.h>
#include <string.h>

#include "inspect/highlights/highlights.h"
#include "tests/support/suite.h"

enum { SMS = 2, SLOTS = 4 };

/*
 * An event a line: "CYCLE SM.SLOT begin BLOCK WARP", "... stall REASON INSTRUCTION", "... diverge
 * INSTRUCTION", "... issue ACTIVE ALIVE" (lanes in hexadecimal digits) or "... end".
 */
static void tell(WsHighlights *highlights, const char *line)
{
    const WsObserver *observer = ws_highlights_observer(highlights);
    WsTraceEvent event = {.instruction = WS_NO_INSTRUCTION};
    char kind[16], reason[32] = "";
    guint sm, slot, a = 0, b = 0;
    int length = 0;

    ck_assert_int_eq(
        sscanf(line, "%" G_GUINT64_FORMAT " %u.%u %15s%n", &event.cycle, &sm, &slot, kind, &length),
        4);
    event.sm = sm;
    event.warp = (guint16)slot;
    if (strcmp(kind, "begin") == 0) {
        ck_assert_int_eq(sscanf(line + length, "%u %u", &event.block, &event.warp_in_block), 2);
        event.kind = WS_TRACE_WARP_BEGIN;
    } else if (strcmp(kind, "stall") == 0) {
        ck_assert_int_eq(sscanf(line + length, "%31s %u", reason, &event.instruction), 2);
        event.kind = WS_TRACE_STALL;
        while (strcmp(ws_stall_name(event.stall.reason), reason) != 0)
            event.stall.reason++;
    } else if (strcmp(kind, "diverge") == 0) {
        ck_assert_int_eq(sscanf(line + length, "%u", &event.instruction), 1);
        event.kind = WS_TRACE_DIVERGE;
    } else if (strcmp(kind, "issue") == 0) {
        ck_assert_int_eq(sscanf(line + length, "%x %x", &a, &b), 2);
        event.kind = WS_TRACE_ISSUE;
        event.issue.active = a;
        event.issue.alive = b;
    } else {
        event.kind = WS_TRACE_WARP_END;
    }
    ck_assert(observer->kinds & ((guint64)1 << event.kind));
    observer->event(observer->data, &event);
}

/* "KIND BLOCK.WARP CYCLE-END at INSTRUCTION" of each that there is. */
static char *all(const WsHighlights *highlights)
{
    GString *out = g_string_new(NULL);

    for (guint k = 0; k < WS_HIGHLIGHT_COUNT; k++) {
        const WsHighlight *at = ws_highlights_at(highlights, k);
        if (!at->there)
            continue;
        g_string_append_printf(out, "%s %u.%u %" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT,
                               ws_highlight_name(k), at->block, at->warp_in_block, at->cycle,
                               at->end);
        if (at->instruction != WS_NO_INSTRUCTION)
            g_string_append_printf(out, " at %u", at->instruction);
        if (at->instructions != 0)
            g_string_append_printf(out, " lost %" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT, at->lost,
                                   at->lanes);
        g_string_append_c(out, '\n');
    }
    return g_string_free(out, FALSE);
}

static const struct {
    const char *what;
    const char *events;
    const char *found; /* besides the last warp, which ends at cycle 100 */
} stories[] = {
    {"no cycle is no wait", "0 0.0 begin 0 0\n5 0.0 stall barrier 3\n5 0.0 issue f f\n", ""},
    {"no cycle of memory either",
     "0 0.0 begin 0 0\n5 0.0 stall long_scoreboard 3\n5 0.0 issue f f\n", ""},
    {"a cycle is one", "0 0.0 begin 0 0\n5 0.0 stall barrier 3\n6 0.0 issue f f\n",
     "longest-barrier-wait 0.0 5-6 at 3\n"},
    {"the longest one",
     "0 0.0 begin 0 0\n5 0.0 stall barrier 3\n8 0.0 issue f f\n9 0.0 stall barrier 4\n"
     "14 0.0 issue f f\n20 0.0 stall barrier 5\n22 0.0 issue f f\n",
     "longest-barrier-wait 0.0 9-14 at 4\n"},
    {"the first of equal ones",
     "0 0.0 begin 0 0\n5 0.0 stall barrier 3\n8 0.0 issue f f\n9 0.0 stall barrier 4\n"
     "12 0.0 issue f f\n",
     "longest-barrier-wait 0.0 5-8 at 3\n"},
    {"of equal ones that of the first block, whichever SM comes first",
     "0 1.0 begin 1 0\n1 1.0 stall barrier 3\n4 1.0 issue f f\n"
     "0 0.0 begin 0 1\n5 0.0 stall barrier 3\n8 0.0 issue f f\n"
     "0 0.1 begin 0 0\n7 0.1 stall barrier 3\n10 0.1 issue f f\n",
     "longest-barrier-wait 0.0 7-10 at 3\n"},
    {"another reason ends a wait",
     "0 0.0 begin 0 0\n5 0.0 stall barrier 3\n8 0.0 stall long_scoreboard 3\n10 0.0 issue f f\n",
     "longest-barrier-wait 0.0 5-8 at 3\nlongest-memory-wait 0.0 8-10 at 3\n"},
    {"other reasons are none of these",
     "0 0.0 begin 0 0\n5 0.0 stall wait 3\n8 0.0 stall short_scoreboard 3\n9 0.0 issue f f\n", ""},
    {"a wait may last to the end", "0 0.0 begin 0 0\n5 0.0 stall barrier 3\n",
     "longest-barrier-wait 0.0 5-100 at 3\n"},
    {"a split lasts until no lane waits",
     "0 0.0 begin 0 0\n10 0.0 diverge 7\n11 0.0 issue 1 f\n14 0.0 issue e f\n20 0.0 issue f f\n"
     "21 0.0 issue 1 f\n",
     "first-split 0.0 10-20 at 7 lost 4/4\nworst-divergence 0.0 10-20 at 7 lost 4/4\n"},
    {"no split where the other lanes have exited",
     "0 0.0 begin 0 0\n10 0.0 diverge 7\n11 0.0 issue 1 1\n", ""},
    {"no split that no instruction follows", "0 0.0 begin 0 0\n10 0.0 diverge 7\n", ""},
    {"a split in a split is part of it",
     "0 0.0 begin 0 0\n10 0.0 diverge 7\n11 0.0 issue 3 f\n12 0.0 diverge 9\n13 0.0 issue 1 f\n"
     "14 0.0 issue f f\n",
     "first-split 0.0 10-14 at 7 lost 5/3\nworst-divergence 0.0 10-14 at 7 lost 5/3\n"},
    {"the first is not the worst",
     "0 0.0 begin 0 0\n10 0.0 diverge 7\n11 0.0 issue 7 f\n12 0.0 issue f f\n"
     "20 0.0 diverge 8\n21 0.0 issue 1 f\n22 0.0 issue f f\n",
     "first-split 0.0 10-12 at 7 lost 1/3\nworst-divergence 0.0 20-22 at 8 lost 3/1\n"},
    {"events of a slot without a warp count for none",
     "1 0.0 stall barrier 3\n9 0.0 issue f f\n10 0.0 begin 0 0\n", ""},
    {"a warp that ends waits no more",
     "0 0.1 begin 0 1\n5 0.1 stall barrier 3\n9 0.1 end\n0 0.0 begin 0 0\n",
     "longest-barrier-wait 0.1 5-9 at 3\n"},
};

START_TEST(waits_and_splits)
{
    g_autoptr(WsHighlights) highlights = ws_highlights_new(SMS, SLOTS);
    g_auto(GStrv) lines = g_strsplit(stories[_i].events, "\n", -1);

    for (guint i = 0; lines[i][0] != '\0'; i++)
        tell(highlights, lines[i]);
    ws_highlights_finish(highlights, 100, WS_STATUS_OK, NULL);
    g_autofree char *found = all(highlights);
    char *last = strstr(found, "last-warp ");
    ck_assert_msg(last != NULL && strstr(last, "-100\n") != NULL, "%s:\n%s", stories[_i].what,
                  found);
    *last = '\0';
    ck_assert_msg(strcmp(found, stories[_i].found) == 0, "%s:\n%s", stories[_i].what, found);
}
END_TEST

/* Warp 0 of block 0 waits from cycle 20 on, warp 0 of block 1 from cycle 10 on. */
static const struct {
    const char *what;
    WsStatus status;
    gint32 sm, slot;
    gint64 instruction;
    const char *message, *found; /* "" = none */
} stops[] = {
    {"the warp that stopped", WS_STATUS_FAULT, 0, 0, 6, "fault", "failure 0.0 50-51 at 6\n"},
    {"the first instruction is one, too", WS_STATUS_FAULT, 0, 0, 0, "fault",
     "failure 0.0 50-51 at 0\n"},
    {"else where it waits", WS_STATUS_FAULT, 0, 0, -1, "fault", "failure 0.0 50-51 at 3\n"},
    {"a deadlock is where the longest waits", WS_STATUS_FAULT, -1, -1, -1, "fault",
     "failure 1.0 50-51 at 4\n"},
    {"a slot without a warp is none", WS_STATUS_FAULT, 1, 3, -1, "fault",
     "failure 1.0 50-51 at 4\n"},
    {"a limit is no failure", WS_STATUS_LIMIT, 0, 0, 6, "limit", ""},
    {"nor is who interrupts", WS_STATUS_INTERRUPTED, 0, 0, 6, "interrupted", ""},
    {"nor is the end", WS_STATUS_OK, 0, 0, 6, "ok", ""},
    {"without a message there is none", WS_STATUS_FAULT, 0, 0, 6, NULL, ""},
};

START_TEST(failures)
{
    g_autoptr(WsHighlights) highlights = ws_highlights_new(SMS, SLOTS);
    static const char *const events[] = {"0 0.0 begin 0 0", "0 0.1 begin 0 1", "0 1.0 begin 1 0",
                                         "20 0.0 stall barrier 3", "10 1.0 stall barrier 4"};
    const WsStop stop = {.message = (char *)stops[_i].message,
                         .cycle = 50,
                         .sm = stops[_i].sm,
                         .slot = stops[_i].slot,
                         .instruction = stops[_i].instruction};

    for (guint i = 0; i < G_N_ELEMENTS(events); i++)
        tell(highlights, events[i]);
    ws_highlights_finish(highlights, 100, stops[_i].status, &stop);
    g_autofree char *found = all(highlights);
    g_auto(GStrv) parts = g_strsplit(found, "longest-barrier-wait", 2);
    ck_assert_msg(strcmp(parts[0], stops[_i].found) == 0, "%s: %s", stops[_i].what, found);
    ck_assert_int_eq(ws_highlights_lead(highlights), stops[_i].found[0] != '\0'
                                                         ? WS_HIGHLIGHT_FAILURE
                                                         : WS_HIGHLIGHT_LONGEST_BARRIER_WAIT);
}
END_TEST

/* The warp that ends last; of those that end together the first. */
START_TEST(last_warps)
{
    g_autoptr(WsHighlights) highlights = ws_highlights_new(SMS, SLOTS);
    static const char *const events[] = {"0 0.0 begin 0 0", "3 0.1 begin 0 1", "0 1.0 begin 1 0",
                                         "30 0.0 end",      "40 1.0 end",      "40 0.1 end"};

    ck_assert_int_eq(ws_highlights_lead(highlights), WS_HIGHLIGHT_COUNT);
    for (guint i = 0; i < G_N_ELEMENTS(events); i++)
        tell(highlights, events[i]);
    ws_highlights_finish(highlights, 100, WS_STATUS_OK, NULL);
    g_autofree char *found = all(highlights);
    ck_assert_str_eq(found, "last-warp 0.1 3-40\n");
    g_autofree char *text = ws_highlight_text(highlights, WS_HIGHLIGHT_LAST_WARP);
    ck_assert_str_eq(text, "block 0 warp 1 on SM 0, 37 cycles, 3 to 39");
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, waits_and_splits, 0, G_N_ELEMENTS(stories));
    tcase_add_loop_test(cases, failures, 0, G_N_ELEMENTS(stops));
    tcase_add_test(cases, last_warps);
}

int main(void)
{
    return run_suite("highlights", add_tests);
}
