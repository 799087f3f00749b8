/* Instruction and constant caches: what a miss costs, and when there is none. */
#include "tests/support/suite.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/memory/line_cache.h"
#include "tests/support/engine_fixture.h"

/* ---- the tags -----------------------------------------------------------------------------------
 */

/* A cache of 4 sets of 3 against a list in order of use. */
START_TEST(tags_against_a_list)
{
    enum { SETS = 4, WAYS = 3, STEPS = 20000, LINES = 40 };
    guint32 order[SETS][WAYS], count[SETS] = {0}, hits = 0;
    guint64 random = 1, ready_of[LINES] = {0};
    WsLineCache cache;

    ws_line_cache_init(&cache, NULL, SETS * WAYS * 128, 128, WAYS);
    ck_assert_uint_eq(cache.sets, SETS);
    for (guint64 step = 0; step < STEPS; step++) {
        random = random * G_GUINT64_CONSTANT(6364136223846793005) + 1442695040888963407;
        guint32 line = (guint32)(random >> 33) % (step % 2 ? LINES : LINES / 3), set = line % SETS;
        guint32 place = ws_line_cache_find(&cache, line), at = 0;

        while (at < count[set] && order[set][at] != line)
            at++;
        ck_assert_int_eq(place != WS_LINE_ABSENT, at < count[set]);
        if (place != WS_LINE_ABSENT) {
            ck_assert_uint_eq(ws_line_cache_use(&cache, place), ready_of[line]);
            hits++;
        } else {
            ready_of[line] = step;
            ws_line_cache_insert(&cache, line, step);
            count[set] = MIN(count[set] + 1, WAYS);
            at = count[set] - 1;
        }
        memmove(order[set] + 1, order[set], at * sizeof order[set][0]);
        order[set][0] = line;
    }
    ck_assert_uint_gt(hits, STEPS / 4);
    ck_assert_uint_lt(hits, STEPS);
    ws_line_cache_empty(&cache);
    for (guint32 line = 0; line < LINES; line++)
        ck_assert_uint_eq(ws_line_cache_find(&cache, line), WS_LINE_ABSENT);
    ws_line_cache_clear(&cache);
}
END_TEST

START_TEST(smallest_cache)
{
    WsLineCache cache;

    ws_line_cache_init(&cache, NULL, 1, 128, 16);
    ws_line_cache_insert(&cache, 7, 3);
    ck_assert_uint_eq(ws_line_cache_use(&cache, ws_line_cache_find(&cache, 7)), 3);
    ws_line_cache_insert(&cache, 8, 4);
    ck_assert_uint_eq(ws_line_cache_find(&cache, 7), WS_LINE_ABSENT);
    ws_line_cache_clear(&cache);
}
END_TEST

/* ---- instructions -------------------------------------------------------------------------------
 */

/* One scheduler, one cycle an instruction; L1 20 cycles away, a line in 17, L1.5 127 behind it. */
static Engine *fetching(const char *setting, const char *text, guint32 blocks, guint32 threads)
{
    const char *settings[] = {"dependences=scoreboard", "fetch.model=cached", setting, NULL};

    return engine_new(MACHINE_WITH_CACHES, settings, text, blocks, threads, 64);
}

static char *repeated(const char *line, guint count, const char *end)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < count; i++)
        g_string_append(text, line);
    return g_string_free(g_string_append(text, end), FALSE);
}

/* Straight code: the first line comes from L1.5, the others one after the other through L1. */
START_TEST(straight_code)
{
    g_autofree char *text = repeated("NOP ;\n", 39, "EXIT ;\n");
    Engine *e = fetching(NULL, text, 1, 32);

    engine_run(e);
    for (guint n = 0; n < 40; n++)
        ck_assert_uint_eq(engine_issue_cycle(e, 0, n), 127 + 20 + 17 * (n / 8) + n % 8);
    ck_assert_uint_eq(e->result->total.stalls[WS_STALL_NO_INSTRUCTION], 147 + 4 * 9);
    engine_free(e);
}
END_TEST

/* Without a prefetcher each line takes its whole way; a warp asks three instructions ahead. */
START_TEST(no_prefetcher)
{
    g_autofree char *text = repeated("NOP ;\n", 39, "EXIT ;\n");
    Engine *e = fetching("fetch.prefetch_lines=0", text, 1, 32);

    engine_run(e);
    for (guint n = 0; n < 40; n++)
        ck_assert_uint_eq(engine_issue_cycle(e, 0, n), 147 * (1 + n / 8) + 4 * (n / 8) + n % 8);
    engine_free(e);
}
END_TEST

/* Other warps of the sub-core find what the first one fetched. */
START_TEST(warps_share_lines)
{
    g_autofree char *text = repeated("NOP ;\n", 79, "EXIT ;\n");
    Engine *one = fetching(NULL, text, 1, 32), *four = fetching(NULL, text, 1, 128);

    engine_run(one);
    engine_run(four);
    /* 32 issues of a line hide the 17 cycles of the next; one warp waits for each. */
    ck_assert_uint_eq(one->result->total.cycles, 147 + 17 * 9 + 8);
    ck_assert_uint_ge(four->result->total.cycles, 147 + 320);
    ck_assert_uint_le(four->result->total.cycles, 147 + 320 + 3 * 17);
    engine_free(one);
    engine_free(four);
}
END_TEST

/* Once around a loop everything is in L0, and a taken branch costs what it costs without caches. */
START_TEST(loop_in_l0)
{
    g_autofree char *body = repeated("NOP ;\n", 40, "");
    g_autofree char *text =
        g_strdup_printf("MOV R1, 4 ;\nloop: %sIADD3 R1, R1, -1, RZ ;\nISETP.GT P0, R1, 0 ;\n"
                        "@P0 BRA loop ;\nEXIT ;\n",
                        body);
    Engine *cached = fetching(NULL, text, 1, 32);
    Engine *ideal = fetching("fetch.model=ideal", text, 1, 32);
    guint64 rounds[2][4];

    engine_run(cached);
    engine_run(ideal);
    for (guint i = 0; i < 4; i++) {
        rounds[0][i] = engine_issue_cycle(cached, 0, 1 + 43 * i);
        rounds[1][i] = engine_issue_cycle(ideal, 0, 1 + 43 * i);
    }
    ck_assert_uint_gt(rounds[0][1] - rounds[0][0], rounds[1][1] - rounds[1][0] + 17);
    for (guint i = 2; i < 4; i++)
        ck_assert_uint_eq(rounds[0][i] - rounds[0][i - 1], rounds[1][i] - rounds[1][i - 1]);
    engine_free(cached);
    engine_free(ideal);
}
END_TEST

/* Cycles of the last of four trips of a loop of `lines` lines. */
static guint64 last_trip(guint lines, const char *const *more)
{
    g_autofree char *body = repeated("NOP ;\n", 8 * lines - 3, "");
    g_autofree char *text =
        g_strdup_printf("MOV R1, 4 ;\n%sloop: IADD3 R1, R1, -1, RZ ;\nISETP.GT P0, R1, 0 ;\n%s"
                        "@P0 BRA loop ;\nEXIT ;\n",
                        "NOP ;\nNOP ;\nNOP ;\nNOP ;\nNOP ;\nNOP ;\nNOP ;\n", body);
    const char *settings[10] = {"dependences=scoreboard", "fetch.model=cached"};
    guint64 cycles;
    Engine *e;

    for (guint i = 0; more[i] != NULL; i++)
        settings[2 + i] = more[i];
    e = engine_new(MACHINE_WITH_CACHES, settings, text, 1, 32, 64);
    engine_run(e);
    cycles = engine_issue_cycle(e, 0, 8 + 24 * lines) - engine_issue_cycle(e, 0, 8 + 16 * lines);
    engine_free(e);
    return cycles;
}

/*
 * Eight lines are near. A loop of seven and the line behind it, which is drawn ahead, fit; a longer
 * one waits for its first line, the others come ahead of it.
 */
START_TEST(near_lines)
{
    const char *all[] = {NULL};
    const char *eight[] = {"fetch.near.bytes=1024", "fetch.near.ways=8", "fetch.near.latency=11",
                           NULL};

    for (guint lines = 2; lines <= 12; lines++)
        ck_assert_uint_eq(last_trip(lines, eight), last_trip(lines, all) + (lines > 7 ? 11 : 0));
}
END_TEST

/*
 * A jump over three lines and one back, all in L0 but not near: the first target was drawn ahead
 * with three lines, not with two. One line is near, so that each jump back misses.
 */
START_TEST(drawn_ahead)
{
    static const char *const text =
        "MOV R1, 3 ;\nNOP ;\nNOP ;\nNOP ;\nNOP ;\nNOP ;\nNOP ;\nNOP ;\n"
        "loop: IADD3 R1, R1, -1, RZ ;\nISETP.GT P0, R1, 0 ;\nBRA there ;\n";
    g_autofree char *gap = repeated("NOP ;\n", 8 * 3 - 3, "");
    g_autofree char *rest = repeated("NOP ;\n", 8 * 12, "@P0 BRA loop ;\nEXIT ;\n");
    g_autofree char *whole = g_strdup_printf("%s%sthere: %s", text, gap, rest);
    guint64 trips[2];

    for (guint i = 0; i < 2; i++) {
        const char *settings[] = {"dependences=scoreboard",
                                  "fetch.model=cached",
                                  "fetch.near.bytes=1024",
                                  "fetch.near.ways=8",
                                  "fetch.near.latency=11",
                                  i == 0 ? "fetch.near.lines=3" : "fetch.near.lines=2",
                                  NULL};
        Engine *e = engine_new(MACHINE_WITH_CACHES, settings, whole, 1, 32, 64);

        engine_run(e);
        trips[i] = engine_issue_cycle(e, 0, 8 + 2 * 100) - engine_issue_cycle(e, 0, 8 + 100);
        engine_free(e);
    }
    ck_assert_uint_eq(trips[1], trips[0] + 11);
}
END_TEST

/*
 * L0 of eight lines, one way: of a loop of nine the first and the last are out. Sixteen
 * instructions ahead the line is asked for so much earlier, as long as it comes later than that.
 */
START_TEST(looks_ahead)
{
    const char *settings[2][6] = {
        {"fetch.l0.bytes=1024", "fetch.l0.ways=1", "fetch.l1.latency=40", "fetch.look_ahead=0"},
        {"fetch.l0.bytes=1024", "fetch.l0.ways=1", "fetch.l1.latency=40", "fetch.look_ahead=2"}};
    const char *all[] = {NULL};
    guint64 late = last_trip(9, settings[0]), early = last_trip(9, settings[1]);

    ck_assert_uint_gt(early, last_trip(9, all));
    ck_assert_uint_ge(late, early + 8);
    ck_assert_uint_eq(last_trip(4, settings[0]), last_trip(4, settings[1]));
}
END_TEST

/* A branch to code that nobody has fetched: the whole way again, from where it is resolved. */
START_TEST(far_branch)
{
    g_autofree char *gap = repeated("NOP ;\n", 200, "");
    g_autofree char *text = g_strdup_printf("BRA there ;\n%sthere: NOP ;\nEXIT ;\n", gap);
    const char *settings[] = {"dependences=scoreboard", "fetch.model=cached", "branch.taken_cost=9",
                              NULL};
    Engine *e = engine_new(MACHINE_WITH_CACHES, settings, text, 1, 32, 64);

    engine_run(e);
    ck_assert_uint_eq(engine_issue_cycle(e, 0, 0), 147);
    ck_assert_uint_eq(engine_issue_cycle(e, 0, 1), 147 + 9 + 147);
    ck_assert_uint_eq(e->result->total.stalls[WS_STALL_BRANCH_RESOLVING], 8);
    ck_assert_uint_eq(e->result->total.stalls[WS_STALL_NO_INSTRUCTION], 147 + 147);
    engine_free(e);
}
END_TEST

static const struct {
    guint kib;
    double ipc; /* of one warp, measured on an H200 by loops of FFMAs */
} loops[] = {{8, 1},     {24, 1},    {32, 0.87}, {33, 0.78}, {34, 0.68},
             {36, 0.57}, {40, 0.45}, {48, 0.45}, {96, 0.45}, {192, 0.18}};

/* Cycles of a loop of so many KiB, `rounds` times. */
static guint64 loop_cycles(guint kib, guint rounds)
{
    const char *settings[] = {"sms=1", NULL};
    GString *text = g_string_new(NULL);
    guint64 cycles;
    Engine *e;

    g_string_append_printf(text, "MOV R1, %u ;\nloop:\n", rounds);
    for (guint i = 0; i < kib * 64 - 3; i++)
        g_string_append_printf(text, "FFMA R%u, R%u, R%u, R%u ;\n", 2 + i % 4, 2 + i % 4, 2 + i % 4,
                               2 + i % 4);
    g_string_append(text, "IADD3 R1, R1, -1, RZ ;\nISETP.GT P0, R1, 0 ;\n@P0 BRA loop ;\nEXIT ;\n");
    e = engine_new("h200", settings, text->str, 1, 32, 1);
    engine_run(e);
    cycles = e->result->total.cycles;
    engine_free(e);
    g_string_free(text, TRUE);
    return cycles;
}

START_TEST(loops_as_measured)
{
    guint kib = loops[_i].kib;
    double cycles = (double)(loop_cycles(kib, 6) - loop_cycles(kib, 3)) / 3;
    double ipc = kib * 64 / cycles;

    printf("# loop of %3u KiB: %.2f IPC here, %.2f on an H200\n", kib, ipc, loops[_i].ipc);
    fflush(stdout);
    ck_assert_msg(fabs(ipc / loops[_i].ipc - 1) < 0.12, "%u KiB: %.2f IPC", kib, ipc);
}
END_TEST

/* ---- constants ----------------------------------------------------------------------------------
 */

/* L1 10 cycles away, bank 0 in L1.5 30 behind it. */
START_TEST(constant_operands)
{
    const char *settings[] = {"dependences=scoreboard",  "fetch.model=cached",
                              "fetch.l1.latency=0",      "fetch.l15.latency=0",
                              "constant.l15.latency=30", NULL};
    Engine *e = engine_new(MACHINE_WITH_CACHES, settings,
                           "MOV R2, c[x] ;\nMOV R3, c[x+4] ;\nMOV R4, c[0][0] ;\nMOV R5, c[x] ;\n"
                           "LDC R6, c[0][0x10] ;\nIADD3 R7, R6, 1, RZ ;\nEXIT ;\n",
                           1, 32, 64);

    engine_run(e);
    ck_assert_uint_eq(engine_issue_cycle(e, 0, 0), 40);
    ck_assert_uint_eq(engine_issue_cycle(e, 0, 1), 41);
    ck_assert_uint_eq(engine_issue_cycle(e, 0, 2), 42 + 40); /* another line */
    ck_assert_uint_eq(engine_issue_cycle(e, 0, 3), 83);
    ck_assert_uint_eq(engine_issue_cycle(e, 0, 5), 85); /* LDC finds the line in L1 */
    ck_assert_uint_eq(e->result->total.stalls[WS_STALL_IMC_MISS], 80);
    engine_free(e);
}
END_TEST

/* LDC of cold lines: from memory, then the rest of the 256 bytes from L1.5; warm from L2. */
START_TEST(constant_loads)
{
    const char *settings[] = {"dependences=scoreboard",      "fetch.model=cached",
                              "fetch.l1.latency=0",          "fetch.l15.latency=0",
                              "constant.l15.latency=30",     "constant.l2.latency=200",
                              "constant.memory.latency=500", NULL};
    Engine *e = engine_new(MACHINE_WITH_CACHES, settings,
                           "LDC R2, c[3][0x400] ;\nIADD3 R2, R2, 1, RZ ;\n"
                           "LDC R2, c[3][0x404] ;\nIADD3 R2, R2, 1, RZ ;\n"
                           "LDC R2, c[3][0x440] ;\nIADD3 R2, R2, 1, RZ ;\nEXIT ;\n",
                           1, 32, 64);
    WsLaunch *first;

    e->job->launches = g_renew(WsLaunch, e->job->launches, 3);
    first = e->job->launches;
    for (guint i = 1; i < 3; i++) {
        first[i] = first[0];
        first[i].parameters = g_memdup2(first[0].parameters, 8);
        first[i].keep_caches = i == 1;
    }
    e->job->launch_count = 3;
    engine_run(e);
    ck_assert_uint_eq(engine_issue_cycle(e, 0, 1), 501);
    ck_assert_uint_eq(engine_issue_cycle(e, 0, 3), 501 + 2);
    ck_assert_uint_eq(engine_issue_cycle(e, 0, 5), 501 + 2 + 32);
    ck_assert_uint_eq(
        e->result->launches[0].counters.cycles - e->result->launches[1].counters.cycles, 300);
    ck_assert_uint_eq(e->result->launches[0].counters.cycles,
                      e->result->launches[2].counters.cycles);
    engine_free(e);
}
END_TEST

/* ---- several SMs --------------------------------------------------------------------------------
 */

/* Cycle of the n-th issue on an SM of a kernel of one warp a block. */
static guint64 issue_on(const Engine *engine, guint32 sm, guint n)
{
    for (guint i = 0; i < engine->issues->len; i++) {
        const Issue *issue = &g_array_index(engine->issues, Issue, i);

        if (issue->sm == sm && n-- == 0)
            return issue->cycle;
    }
    ck_abort_msg("SM %u issues too little", sm);
}

/* Two SMs of the textbook machine, one warp each; without a prefetcher if lines = 0. */
static Engine *on_two_sms(const char *lines, const char *setting, const char *text)
{
    g_autofree char *prefetch = g_strconcat("fetch.prefetch_lines=", lines, NULL);
    const char *settings[] = {"sms=2",  "dependences=scoreboard", "fetch.model=cached",
                              prefetch, "fetch.l15.bytes=128",    "memory.model=cached",
                              setting,  "fetch.l15.ways=1",       NULL};

    return engine_new(MACHINE_WITH_CACHES, settings, text, 2, 32, 64);
}

/* 16 cycles farther: the first line comes 16 later, and with 8 under way each takes 2 more. */
START_TEST(far_sm)
{
    g_autofree char *text = repeated("NOP ;\n", 31, "EXIT ;\n");
    const char *settings[] = {"sms=2",
                              "dependences=scoreboard",
                              "fetch.model=cached",
                              "memory.model=cached",
                              "fetch.sm_latency_milli=16000",
                              NULL};
    Engine *e = engine_new(MACHINE_WITH_CACHES, settings, text, 2, 32, 64);

    engine_run(e);
    for (guint n = 0; n < 32; n++) {
        ck_assert_uint_eq(issue_on(e, 0, n), 147 + 17 * (n / 8) + n % 8);
        ck_assert_uint_eq(issue_on(e, 1, n), 147 + 16 + 19 * (n / 8) + n % 8);
    }
    engine_free(e);
}
END_TEST

/* Cold L1.5 has the code later for the second SM; warm it has it already. */
START_TEST(late_code)
{
    const char *settings[] = {"sms=2",
                              "dependences=scoreboard",
                              "fetch.model=cached",
                              "memory.model=cached",
                              "fetch.l15.sm_interval_milli=40000",
                              NULL};
    Engine *e = engine_new(MACHINE_WITH_CACHES, settings, "NOP ;\nEXIT ;\n", 2, 32, 64);
    WsLaunch *first;

    e->job->launches = g_renew(WsLaunch, e->job->launches, 2);
    first = e->job->launches;
    first[1] = first[0];
    first[1].parameters = g_memdup2(first[0].parameters, 8);
    first[1].keep_caches = TRUE;
    e->job->launch_count = 2;
    engine_run(e);
    ck_assert_uint_eq(issue_on(e, 0, 0), 147);
    ck_assert_uint_eq(issue_on(e, 1, 0), 147 + 40);
    ck_assert_uint_eq(issue_on(e, 1, 2) - e->result->launches[0].counters.elapsed_cycles, 20);
    engine_free(e);
}
END_TEST

/*
 * Code that only memory has, 710 cycles away, L2 302. The second SM goes through a loop first: if
 * it comes late enough it finds the line in L2, or on its way there; at the same time both go to
 * memory.
 */
static const struct {
    guint rounds;
    gboolean on_its_way; /* the second SM has the line when the first has it */
} second_sms[] = {{0, TRUE}, {110, TRUE}, {400, FALSE}};

static guint64 issue_of(const Engine *engine, guint32 sm, const char *label)
{
    guint32 instruction = engine_label(engine, label);
    guint64 last = 0;

    for (guint i = 0; i < engine->issues->len; i++) {
        const Issue *issue = &g_array_index(engine->issues, Issue, i);

        if (issue->sm == sm && issue->instruction == instruction)
            last = issue->cycle;
    }
    return last;
}

START_TEST(code_in_l2)
{
    g_autofree char *gap = repeated("NOP ;\n", 40, "");
    g_autofree char *text = g_strdup_printf(
        "S2R R1, SR_CTAID.X ;\nIMAD R1, R1, %u, RZ ;\nloop: IADD3 R1, R1, -1, RZ ;\n"
        "ISETP.GT P0, R1, 0 ;\n@P0 BRA loop ;\ngo: BRA there ;\n"
        "%sthere: NOP ;\n%sEXIT ;\n",
        second_sms[_i].rounds, gap, gap);
    Engine *e = on_two_sms("0", "launch.latency=0", text);
    guint64 go[2], there[2];

    engine_run(e);
    for (guint32 sm = 0; sm < 2; sm++) {
        go[sm] = issue_of(e, sm, "go");
        there[sm] = issue_of(e, sm, "there");
    }
    ck_assert_uint_ge(there[0] - go[0], 710 + 20);
    ck_assert_uint_le(there[0] - go[0], 710 + 20 + 17);
    if (second_sms[_i].on_its_way)
        ck_assert_uint_eq(there[1], there[0]);
    else
        ck_assert_uint_eq(there[1] - go[1], there[0] - go[0] - 710 + 302);
    engine_free(e);
}
END_TEST

/* The same for a constant, 600 and 230 cycles away, 7 more for the second SM. */
START_TEST(constants_in_l2)
{
    const guint rounds[] = {0, 400};

    for (guint i = 0; i < 2; i++) {
        g_autofree char *text = g_strdup_printf(
            "S2R R1, SR_CTAID.X ;\nIMAD R1, R1, %u, RZ ;\nloop: IADD3 R1, R1, -1, RZ ;\n"
            "ISETP.GT P0, R1, 0 ;\n@P0 BRA loop ;\ngo: LDC R2, c[3][0x400] ;\n"
            "there: IADD3 R2, R2, 1, RZ ;\nEXIT ;\n",
            rounds[i]);
        Engine *e = on_two_sms("8", "constant.sm_latency_milli=7000", text);

        engine_run(e);
        ck_assert_uint_eq(issue_of(e, 0, "there") - issue_of(e, 0, "go"), 600 + 1);
        ck_assert_uint_eq(issue_of(e, 1, "there") - issue_of(e, 1, "go"),
                          (i == 0 ? 600 : 230) + 7 + 1);
        engine_free(e);
    }
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_set_timeout(cases, 60);
    tcase_add_test(cases, tags_against_a_list);
    tcase_add_test(cases, smallest_cache);
    tcase_add_test(cases, straight_code);
    tcase_add_test(cases, no_prefetcher);
    tcase_add_test(cases, warps_share_lines);
    tcase_add_test(cases, loop_in_l0);
    tcase_add_test(cases, near_lines);
    tcase_add_test(cases, drawn_ahead);
    tcase_add_test(cases, looks_ahead);
    tcase_add_test(cases, far_branch);
    tcase_add_loop_test(cases, loops_as_measured, 0, G_N_ELEMENTS(loops));
    tcase_add_test(cases, constant_operands);
    tcase_add_test(cases, constant_loads);
    tcase_add_test(cases, far_sm);
    tcase_add_test(cases, late_code);
    tcase_add_loop_test(cases, code_in_l2, 0, G_N_ELEMENTS(second_sms));
    tcase_add_test(cases, constants_in_l2);
}

int main(void)
{
    return run_suite("instruction_fetch", add_tests);
}
