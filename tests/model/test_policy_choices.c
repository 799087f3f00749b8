/*
 * Policies beside the choices of a real scheduler.
 *
 * data/h200_issue_trace.csv has the cycles at which the warps of one sub-core of an H200 (driver
 * 580.159.04, CUDA 13.0) issued a run of 40 clock reads (20 with six and eight warps), with stall
 * counts patched into the binary. So it is known who could issue in every cycle, and each policy
 * can be asked what it would have done in the place of the hardware.
 *
 * data/h200_issue_trace_random.csv is the same for runs of 48 with stall counts from 1 to 8 drawn
 * at random, the same for all warps, the second time that the warps come to them: all code is in
 * L0.
 */
#include <string.h>

#include "sim/policies/policy.h"
#include "tests/support/suite.h"

/* Stall counts of a run, repeated. y0: with the yield hint. */
typedef struct {
    const char *name;
    guint count;
    guint stalls[4];
} Pattern;

static const Pattern patterns[] = {
    {"g2", 2, {1, 4}}, {"g3", 3, {1, 1, 4}}, {"g4", 4, {1, 1, 1, 4}},
    {"s1y0", 1, {1}},  {"s4y1", 1, {4}},     {"s5y1", 1, {5}},
    {"s6y1", 1, {6}},  {"s8y1", 1, {8}},     {"s11y1", 1, {11}},
};

enum { MOST_WARPS = 8, MOST_ISSUES = 48 };

typedef struct {
    guint warps, issues;
    gboolean yield;
    guint stalls[MOST_ISSUES]; /* behind each issue */
    guint cycles[MOST_WARPS][MOST_ISSUES];
} Trace;

/* Choices: how many, and how many as the hardware's. */
typedef struct {
    guint asked, agreed;
} Count;

typedef struct {
    Count stays;   /* the warp that issued last can go on, and others could */
    Count changes; /* it cannot, and there are several others */
} Agreement;

/* ---- the file -----------------------------------------------------------------------------------
 */

static const Pattern *pattern_of(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(patterns); i++)
        if (strcmp(patterns[i].name, name) == 0)
            return &patterns[i];
    ck_abort_msg("no pattern is called '%s'", name);
}

/* The last two keep the compiler's stall counts. */
static Trace trace_of(const char *name, guint issues)
{
    const Pattern *pattern = pattern_of(name);
    Trace trace = {.issues = issues, .yield = g_str_has_suffix(name, "y0")};

    for (guint i = 0; i < issues; i++)
        trace.stalls[i] = i + 2 < issues ? pattern->stalls[i % pattern->count] : 1;
    return trace;
}

static guint numbers_of(const char *text, guint numbers[MOST_ISSUES])
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    guint count = g_strv_length(words);

    ck_assert_uint_le(count, MOST_ISSUES);
    for (guint i = 0; i < count; i++)
        numbers[i] = (guint)g_ascii_strtoull(words[i], NULL, 10);
    return count;
}

/* The first field has the name of a pattern, or of warp 0 the stall counts. */
static void add_line(GArray *traces, char **fields, gboolean named)
{
    guint warp = (guint)g_ascii_strtoull(fields[2], NULL, 10);
    guint cycles[MOST_ISSUES], issues = numbers_of(fields[3], cycles);
    Trace *trace;

    if (warp == 0) {
        Trace fresh = {.issues = issues};
        if (named)
            fresh = trace_of(fields[0], issues);
        else
            ck_assert_uint_eq(numbers_of(fields[0], fresh.stalls), issues);
        fresh.warps = (guint)g_ascii_strtoull(fields[1], NULL, 10);
        g_array_append_val(traces, fresh);
    }
    trace = &g_array_index(traces, Trace, traces->len - 1);
    ck_assert(warp < trace->warps && trace->warps <= MOST_WARPS && issues == trace->issues);
    memcpy(trace->cycles[warp], cycles, issues * sizeof(cycles[0]));
}

static GArray *read_traces(const char *file, guint count)
{
    g_autofree char *path = g_build_filename(g_getenv("WS_TEST_DATA"), file, NULL);
    g_autofree char *text = NULL;
    g_auto(GStrv) lines = NULL;
    GArray *traces = g_array_new(FALSE, FALSE, sizeof(Trace));

    ck_assert(g_file_get_contents(path, &text, NULL, NULL));
    lines = g_strsplit(text, "\n", -1);
    for (guint i = 1; lines[i] != NULL && lines[i][0] != 0; i++) {
        g_auto(GStrv) fields = g_strsplit(lines[i], ",", -1);
        ck_assert_uint_eq(g_strv_length(fields), 4);
        add_line(traces, fields, g_str_has_prefix(lines[0], "pattern"));
    }
    ck_assert_uint_eq(traces->len, count);
    return traces;
}

/* ---- what a policy would have done --------------------------------------------------------------
 */

typedef struct {
    const Trace *trace;
    WsPolicyView view;
    guint next[MOST_WARPS];  /* issue that the warp comes to */
    guint ready[MOST_WARPS]; /* first cycle for it */
} Replay;

/* The warp that issues next, in the trace. */
static guint next_warp(const Replay *replay)
{
    const Trace *trace = replay->trace;
    guint first = MOST_WARPS;

    for (guint w = 0; w < trace->warps; w++)
        if (replay->next[w] < trace->issues &&
            (first == MOST_WARPS ||
             trace->cycles[w][replay->next[w]] < trace->cycles[first][replay->next[first]]))
            first = w;
    return first;
}

static void compare(const WsPolicy *policy, const Replay *replay, guint warp, guint cycle,
                    Agreement *agreement)
{
    guint64 eligible = 0;
    gboolean can_stay;
    Count *count;
    guint choice;

    for (guint w = 0; w < replay->trace->warps; w++)
        if (replay->ready[w] <= cycle)
            eligible |= (guint64)1 << w;
    can_stay = eligible >> replay->view.last & 1;
    count = can_stay ? &agreement->stays : &agreement->changes;
    if (__builtin_popcountll(eligible) < 2)
        return;
    choice = policy->greedy && can_stay ? replay->view.last : policy->pick(&replay->view, eligible);
    count->asked++;
    count->agreed += choice == warp;
}

/* Choices from when all warps have begun to when the first has done. */
static void replay(const WsPolicy *policy, const Trace *trace, Agreement *agreement)
{
    Replay r = {.trace = trace, .view = {.last = WS_NO_WARP}};
    guint begun = 0, done = G_MAXUINT;

    ws_order_init(&r.view.age);
    ws_block_age_init(&r.view.blocks);
    ws_issue_order_init(&r.view.issues);
    for (guint w = 0; w < trace->warps; w++) {
        ws_order_append(&r.view.age, w);
        ws_block_age_append(&r.view.blocks, 0, w);
        ws_issue_order_append(&r.view.issues, w);
        begun = MAX(begun, trace->cycles[w][0]);
        done = MIN(done, trace->cycles[w][trace->issues - 1]);
    }
    for (guint i = 0; i < trace->warps * trace->issues; i++) {
        guint warp = next_warp(&r), cycle = trace->cycles[warp][r.next[warp]];

        if (cycle > begun && cycle <= done)
            compare(policy, &r, warp, cycle, agreement);
        r.ready[warp] = cycle + trace->stalls[r.next[warp]++];
        r.view.last = (guint8)warp;
        ws_issue_order_note(&r.view.issues, warp);
    }
}

static Agreement agreement_over(GArray *traces, WsPolicyKind kind, gboolean yield)
{
    Agreement agreement = {0};

    for (guint i = 0; i < traces->len; i++)
        if (g_array_index(traces, Trace, i).yield == yield)
            replay(ws_policy(kind), &g_array_index(traces, Trace, i), &agreement);
    return agreement;
}

/* Over the patterns with the yield hint, or those without. */
static Agreement agreement_of(WsPolicyKind kind, gboolean yield)
{
    g_autoptr(GArray) traces = read_traces("h200_issue_trace.csv", 5 * G_N_ELEMENTS(patterns));

    return agreement_over(traces, kind, yield);
}

/* ---- tests --------------------------------------------------------------------------------------
 */

static double share(Count count)
{
    return (double)count.agreed / count.asked;
}

/* The hardware stays with a warp that can go on. */
START_TEST(hardware_is_greedy)
{
    Agreement plain = agreement_of(WS_POLICY_GREEDY_THEN_LEAST_RECENT, FALSE);
    Agreement yield = agreement_of(WS_POLICY_GREEDY_THEN_LEAST_RECENT, TRUE);

    ck_assert_uint_gt(plain.stays.asked, 500);
    ck_assert_double_ge(share(plain.stays), 0.92);
    ck_assert_uint_gt(yield.stays.asked, 200);
    ck_assert_double_ge(share(yield.stays), 0.65);
    ck_assert_double_le(share(yield.stays), 0.75);
}
END_TEST

/* Then it takes the one whose last issue but one is longest ago in 77 % of the choices. */
START_TEST(then_least_recent)
{
    Agreement agreement = agreement_of(WS_POLICY_GREEDY_THEN_LEAST_RECENT, FALSE);

    ck_assert_uint_gt(agreement.changes.asked, 1000);
    ck_assert_double_ge(share(agreement.changes), 0.77);
    ck_assert_double_le(share(agreement.changes), 0.79);
}
END_TEST

/* What is said of other rules in docs/use/policies.md; none describes the hardware better. */
typedef struct {
    WsPolicyKind policy;
    guint stays, changes; /* as the hardware */
} Row;

static const Row rows[] = {
    {WS_POLICY_GREEDY_THEN_LEAST_RECENT, 964, 1473},
    {WS_POLICY_GREEDY_THEN_YOUNGEST, 964, 932},
    {WS_POLICY_GTO, 964, 407},
    {WS_POLICY_OLDEST, 247, 407},
    {WS_POLICY_LONGEST_WAIT_FIRST, 0, 1409},
    {WS_POLICY_LRR, 0, 205},
};

START_TEST(others_are_further_away)
{
    Agreement agreement = agreement_of(rows[_i].policy, FALSE);

    ck_assert_uint_eq(agreement.stays.asked, 964);
    ck_assert_uint_eq(agreement.changes.asked, 1907);
    ck_assert_uint_eq(agreement.stays.agreed, rows[_i].stays);
    ck_assert_uint_eq(agreement.changes.agreed, rows[_i].changes);
    ck_assert(agreement.stays.agreed + agreement.changes.agreed <= rows[0].stays + rows[0].changes);
}
END_TEST

/* With stall counts of all lengths no rule is the hardware's. */
static const Row random_rows[] = {
    {WS_POLICY_GREEDY_THEN_LEAST_RECENT, 1768, 1664},
    {WS_POLICY_GREEDY_THEN_YOUNGEST, 1768, 1151},
    {WS_POLICY_GTO, 1768, 635},
    {WS_POLICY_OLDEST, 402, 635},
    {WS_POLICY_LONGEST_WAIT_FIRST, 0, 1239},
    {WS_POLICY_LRR, 0, 515},
};

START_TEST(random_stalls)
{
    g_autoptr(GArray) traces = read_traces("h200_issue_trace_random.csv", 30);
    Agreement agreement = agreement_over(traces, random_rows[_i].policy, FALSE);

    ck_assert_uint_eq(agreement.stays.asked, 1768);
    ck_assert_uint_eq(agreement.stays.agreed, random_rows[_i].stays);
    ck_assert_uint_eq(agreement.changes.asked, 3013);
    ck_assert_uint_eq(agreement.changes.agreed, random_rows[_i].changes);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, hardware_is_greedy);
    tcase_add_test(cases, then_least_recent);
    tcase_add_loop_test(cases, others_are_further_away, 0, G_N_ELEMENTS(rows));
    tcase_add_loop_test(cases, random_stalls, 0, G_N_ELEMENTS(random_rows));
}

int main(void)
{
    return run_suite("policy_choices", add_tests);
}
