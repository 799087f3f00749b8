/* Independent thread scheduling, and lanes that join only where they are told to. */
#include <check.h>
#include <string.h>

#include "sim/interpreter/interpreter.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/random_kernel.h"

static Engine *run(const char *model, const char *text, guint threads, guint words)
{
    g_autofree char *setting = g_strdup_printf("divergence.model=%s", model);
    const char *settings[] = {"dependences=scoreboard", setting,
                              "divergence.first_side=fewer_lanes", "divergence.progress_after=1000",
                              NULL};
    Engine *e = engine_new("textbook", settings, text, 1, threads, words);

    e->options.max_cycles = 200000;
    engine_run(e);
    return e;
}

static guint64 issued(const Engine *e, guint32 instruction)
{
    return e->result->launches[0].instructions[instruction].issued;
}

#define HEAD ".reconvergence manual\nS2R R0, SR_LANEID ;\n"

#define TWO_SIDES                                                                                  \
    HEAD "ISETP.LT P0, R0, 24 ;\n"                                                                 \
         "BSSY B0, join ;\n"                                                                       \
         "@P0 BRA then ;\n"                                                                        \
         "MOV R1, 1 ;\n"                                                                           \
         "BRA join ;\n"                                                                            \
         "then: MOV R1, 2 ;\n"                                                                     \
         "join: BSYNC B0 ;\n"                                                                      \
         "MOV R2, 3 ;\n"                                                                           \
         "EXIT ;\n"

/* Sides run one after the other, fewer lanes first, and meet at BSYNC, which each executes. */
START_TEST(sides_meet)
{
    Engine *its = run("its", TWO_SIDES, 32, 1), *none = run("none", TWO_SIDES, 32, 1);

    ck_assert_int_eq(its->result->status, WS_STATUS_OK);
    ck_assert_uint_eq(g_array_index(its->issues, Issue, 4).instruction, 4);
    ck_assert_uint_eq(g_array_index(its->issues, Issue, 4).active, 0xff000000);
    ck_assert_uint_eq(issued(its, 7), 2);
    ck_assert_uint_eq(issued(its, 8), 1);
    ck_assert_uint_eq(issued(its, 9), 1);
    ck_assert_uint_eq(issued(none, 8), 2);
    ck_assert_uint_eq(issued(none, 9), 2);
    ck_assert_uint_eq(its->result->total.warps_diverged, 1);
    engine_free(its);
    engine_free(none);
}
END_TEST

#define LEAVES_A_BARRIER(instruction)                                                              \
    HEAD "ISETP.LT P0, R0, 8 ;\n"                                                                  \
         "BSSY B0, join ;\n" instruction " ;\n"                                                    \
         "@P0 BRA away ;\n"                                                                        \
         "join: BSYNC B0 ;\n"                                                                      \
         "MOV R2, 3 ;\n"                                                                           \
         "BAR.SYNC 0 ;\n"                                                                          \
         "EXIT ;\n"                                                                                \
         "away: BAR.SYNC 0 ;\n"                                                                    \
         "EXIT ;\n"

/* BSYNC does not wait for lanes that took themselves out with BREAK, and does for all others. */
START_TEST(break_leaves_a_barrier)
{
    Engine *with = run("its", LEAVES_A_BARRIER("@P0 BREAK B0"), 32, 1);
    Engine *without = run("its", LEAVES_A_BARRIER("NOP"), 32, 1);

    ck_assert_int_eq(with->result->status, WS_STATUS_OK);
    ck_assert_uint_eq(issued(with, 6), 1);
    ck_assert_int_ne(without->result->status, WS_STATUS_OK);
    ck_assert_uint_eq(issued(without, 6), 0);
    engine_free(with);
    engine_free(without);
}
END_TEST

/* Without convergence barriers lanes still meet at WARPSYNC. */
START_TEST(warpsync_joins)
{
    static const char *const models[] = {"its", "none"};
    Engine *e = run(models[_i],
                    HEAD "ISETP.LT P0, R0, 5 ;\n"
                         "@P0 BRA then ;\n"
                         "MOV R1, 1 ;\n"
                         "then: WARPSYNC 0xffffffff ;\n"
                         "MOV R2, 3 ;\n"
                         "EXIT ;\n",
                    32, 1);

    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    ck_assert_uint_eq(issued(e, 4), 2);
    ck_assert_uint_eq(issued(e, 5), 1);
    engine_free(e);
}
END_TEST

/* Sides that meet at one WARPSYNC.ALL join; at one each they wait for ever; ended lanes are not
 * waited for. */
START_TEST(all_lanes_at_one_place)
{
    static const char *const models[] = {"its", "none"};
    static const struct {
        const char *code;
        int status;
    } cases[] = {
        {"MOV R1, 1 ;\nthen: WARPSYNC.ALL ;\nMOV R2, 3 ;\nEXIT ;\n", WS_STATUS_OK},
        {"WARPSYNC.ALL ;\nMOV R2, 3 ;\nEXIT ;\nthen: WARPSYNC.ALL ;\nMOV R2, 4 ;\nEXIT ;\n",
         WS_STATUS_DEADLOCK},
        {"WARPSYNC.ALL ;\nMOV R2, 3 ;\nEXIT ;\nthen: BAR.SYNC 0 ;\nMOV R2, 4 ;\nEXIT ;\n",
         WS_STATUS_DEADLOCK},
        {"WARPSYNC.ALL ;\nMOV R2, 3 ;\nEXIT ;\nthen: MOV R2, 4 ;\nEXIT ;\n", WS_STATUS_OK},
    };
    g_autofree char *text =
        g_strconcat(HEAD "ISETP.LT P0, R0, 5 ;\n@P0 BRA then ;\n", cases[_i / 2].code, NULL);
    Engine *e = run(models[_i % 2], text, 32, 1);

    ck_assert_int_eq(e->result->status, cases[_i / 2].status);
    if (_i < 2)
        ck_assert_uint_eq(issued(e, 5), 1);
    engine_free(e);
}
END_TEST

/* Lanes that wait for all others do not go on when some of those meet among themselves. */
START_TEST(warpsync_inside_warpsync)
{
    static const char *const models[] = {"its", "none"};
    Engine *e = run(models[_i],
                    HEAD "ISETP.GE P0, R0, 28 ;\n"
                         "@P0 BRA outer ;\n"
                         "ISETP.LT P1, R0, 1 ;\n"
                         "@P1 BRA inner ;\n"
                         "NOP ;\n"
                         "inner: WARPSYNC 0x0fffffff ;\n"
                         "MOV R1, 1 ;\n"
                         "outer: WARPSYNC 0xffffffff ;\n"
                         "MOV R2, 2 ;\n"
                         "EXIT ;\n",
                    32, 1);

    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    ck_assert_uint_eq(issued(e, 7), 1);
    ck_assert_uint_eq(issued(e, 9), 1);
    engine_free(e);
}
END_TEST

/* Of a path that joined since its lanes set a barrier, all lanes leave it together. */
START_TEST(one_path_of_two_groups)
{
    Engine *e = run("its",
                    HEAD "ISETP.LT P0, R0, 16 ;\n"
                         "ISETP.GE P1, R0, 24 ;\n"
                         "ISETP.LT P2, R0, 8 ;\n"
                         "@P0 BRA first ;\n"
                         "BSSY B1, join ;\n"
                         "@P1 BRA slow ;\n"
                         "BRA meet ;\n"
                         "first: BSSY B1, join ;\n"
                         "@!P2 BRA meet ;\n"
                         "BRA join ;\n"
                         "meet: WARPSYNC 0x00ffff00 ;\n"
                         "BRA join ;\n"
                         "slow: YIELD ;\n"
                         "NOP ;\n"
                         "join: BSYNC B1 ;\n"
                         "BAR.SYNC 0 ;\n"
                         "EXIT ;\n",
                    32, 1);

    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    engine_free(e);
}
END_TEST

/* One lane waits for a word that another side of the branch sets. */
#define WAITER                                                                                     \
    HEAD "MOV R2, c[x] ;\nMOV R3, c[x+4] ;\nMOV R5, 1 ;\n"                                         \
         "ISETP.LT P0, R0, 1 ;\n"                                                                  \
         "BSSY B0, join ;\n"                                                                       \
         "@P0 BRA wait ;\n"                                                                        \
         "STG.E [R2], R5 ;\n"                                                                      \
         "BRA join ;\n"                                                                            \
         "wait: %s LDG.E.STRONG.GPU R4, [R2] ;\n"                                                  \
         "ISETP.EQ P1, R4, RZ ;\n"                                                                 \
         "@P1 BRA wait ;\n"                                                                        \
         "join: BSYNC B0 ;\n"                                                                      \
         "STG.E [R2+4], R4 ;\n"                                                                    \
         "EXIT ;\n"

START_TEST(waiter_and_setter)
{
    static const char *const models[] = {"its", "none", "its"};
    g_autofree char *text = g_strdup_printf(WAITER, _i == 2 ? "YIELD ;\n" : "");
    Engine *e = run(models[_i], text, 32, 2);

    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    ck_assert_uint_eq(engine_words(e)[0], 1);
    /* the waiter came first; with YIELD in its loop it gives way at once */
    if (_i == 2)
        ck_assert_uint_le(issued(e, 10), 3);
    else
        ck_assert_uint_gt(issued(e, 9), 900);
    engine_free(e);
}
END_TEST

/* A lock taken lane by lane. */
START_TEST(spin_lock)
{
    Engine *e = run("its",
                    HEAD "MOV R2, c[x] ;\nMOV R3, c[x+4] ;\nMOV R5, 1 ;\n"
                         "BSSY B0, join ;\n"
                         "try: YIELD ;\n"
                         "ATOMG.CAS.E.U32.GPU R4, [R2], RZ, R5 ;\n"
                         "ISETP.NE P0, R4, RZ ;\n"
                         "@P0 BRA try ;\n"
                         "LDG.E.STRONG.GPU R6, [R2+4] ;\n"
                         "IADD3 R6, R6, 1, RZ ;\n"
                         "STG.E [R2+4], R6 ;\n"
                         "STG.E [R2], RZ ;\n"
                         "join: BSYNC B0 ;\n"
                         "EXIT ;\n",
                    32, 2);

    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    ck_assert_uint_eq(engine_words(e)[1], 32);
    engine_free(e);
}
END_TEST

#define NAIVE_LOCK                                                                                 \
    HEAD "MOV R2, c[x] ;\nMOV R3, c[x+4] ;\nMOV R5, 1 ;\n"                                         \
         "BSSY B0, join ;\n"                                                                       \
         "try: ATOMG.CAS.E.U32.GPU R4, [R2], RZ, R5 ;\n"                                           \
         "ISETP.NE P0, R4, RZ ;\n"                                                                 \
         "@P0 BRA try ;\n"                                                                         \
         "join: BSYNC B0 ;\n"                                                                      \
         "STG.E [R2], RZ ;\n"                                                                      \
         "EXIT ;\n"

/* The holder of the lock waits at the join for those who wait for the lock. */
START_TEST(livelock)
{
    static const char *const models[] = {"stack", "its"};
    static const guint threads[] = {32, 96};
    Engine *e = run(models[_i % 2], NAIVE_LOCK, threads[_i / 2], 2);

    ck_assert_int_eq(e->result->status, WS_STATUS_LIVELOCK);
    ck_assert_uint_lt(e->result->stop.cycle, 120000);
    ck_assert_ptr_nonnull(strstr(e->result->stop.message, "repeats itself for ever"));
    ck_assert_ptr_nonnull(strstr(e->result->stop.details, "warp 0"));
    engine_free(e);
}
END_TEST

/* A loop that counts is no livelock, however long; one that does not is one, whoever waits. */
START_TEST(no_livelock)
{
    Engine *e = run("stack",
                    HEAD "MOV R1, 60000 ;\n"
                         "ISETP.LT P1, R0, 3 ;\n"
                         "@P1 BRA join ;\n"
                         "loop: IADD3 R1, R1, -1, RZ ;\n"
                         "ISETP.GT P0, R1, RZ ;\n"
                         "@P0 BRA loop ;\n"
                         "join: EXIT ;\n",
                    32, 1);
    Engine *endless = run("stack", HEAD "loop: NOP ;\n@P0 EXIT ;\nBRA loop ;\nEXIT ;\n", 32, 1);

    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    ck_assert_int_eq(endless->result->status, WS_STATUS_LIVELOCK);
    engine_free(e);
    engine_free(endless);
}
END_TEST

/* A block barrier counts lanes, wherever they come from. */
START_TEST(barrier_counts_lanes)
{
    Engine *e = run("its",
                    HEAD "LOP3.LUT R1, R0, 0x1, RZ, 0xc0 ;\n"
                         "ISETP.NE P0, R1, RZ ;\n"
                         "BSSY B0, join ;\n"
                         "@P0 BRA odd ;\n"
                         "BAR.SYNC 0 ;\n"
                         "BRA join ;\n"
                         "odd: BAR.SYNC 0 ;\n"
                         "join: BSYNC B0 ;\n"
                         "EXIT ;\n",
                    64, 1);

    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    ck_assert_uint_eq(issued(e, 9), 2);
    ck_assert_str_eq(e->result->warnings[0],
                     "threads met at a block barrier from different instructions: "
                     "test.wsasm:9 (BAR.SYNC) and test.wsasm:11 (BAR.SYNC)");
    ck_assert_ptr_null(e->result->warnings[1]);
    engine_free(e);
}
END_TEST

/* Some lanes at the barrier, the others waiting to re-join them: said at once. */
START_TEST(deadlock)
{
    Engine *e = run("its",
                    HEAD "ISETP.LT P0, R0, 8 ;\n"
                         "BSSY B0, join ;\n"
                         "@P0 BRA join ;\n"
                         "BAR.SYNC 0 ;\n"
                         "join: BSYNC B0 ;\n"
                         "EXIT ;\n",
                    32, 1);

    ck_assert_int_eq(e->result->status, WS_STATUS_DEADLOCK);
    ck_assert_uint_lt(e->result->stop.cycle, 100);
    ck_assert_msg(strstr(e->result->stop.details,
                         "lanes 0-7: wait for other lanes, to resume at test.wsasm:10 (EXIT)") !=
                      NULL,
                  "%s", e->result->stop.details);
    ck_assert_msg(strstr(e->result->stop.details,
                         "lanes 8-31: wait at block barrier 0 at test.wsasm:8") != NULL,
                  "%s", e->result->stop.details);
    engine_free(e);
}
END_TEST

/* The join of a loop that takes a lock is placed behind the release, YIELD or not. */
START_TEST(placed_join)
{
    static const char *const yield[] = {"", "YIELD ;\n"};
    static const char *const models[] = {"its", "none", "stack"};
    g_autofree char *text = g_strdup_printf("S2R R0, SR_LANEID ;\n"
                                            "MOV R2, c[x] ;\nMOV R3, c[x+4] ;\nMOV R5, 1 ;\n"
                                            "try: %s"
                                            "ATOMG.CAS.E.U32.GPU R4, [R2], RZ, R5 ;\n"
                                            "ISETP.NE P0, R4, RZ ;\n"
                                            "@P0 BRA try ;\n"
                                            "LDG.E.STRONG.GPU R6, [R2+4] ;\n"
                                            "IADD3 R6, R6, 1, RZ ;\n"
                                            "STG.E [R2+4], R6 ;\n"
                                            "STG.E [R2], RZ ;\n"
                                            "STG.E [R2+8], R6 ;\n"
                                            "EXIT ;\n",
                                            yield[_i % 2]);
    Engine *e = run(models[_i / 2], text, 32, 4);

    if (_i / 2 == 2) {
        ck_assert_int_eq(e->result->status, WS_STATUS_LIVELOCK);
    } else {
        ck_assert_int_eq(e->result->status, WS_STATUS_OK);
        ck_assert_uint_eq(engine_words(e)[1], 32);
    }
    if (_i / 2 == 0) { /* one pass behind the join */
        guint32 last = e->job->program->instruction_count - 2;

        ck_assert_uint_eq(issued(e, last), 1);
    }
    engine_free(e);
}
END_TEST

/* Two lanes that each spin without YIELD: the long way to a turn is no livelock. */
START_TEST(slow_turns)
{
    static const char *const settings[] = {"divergence.model=its", "divergence.first_side=taken",
                                           "divergence.progress_after=20000", NULL};
    g_autofree char *text = g_strdup_printf(WAITER, "");
    Engine *e = engine_new("textbook", settings, text, 1, 32, 2);

    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    ck_assert_uint_gt(e->result->total.cycles, 120000);
    ck_assert_uint_eq(engine_words(e)[0], 1);
    engine_free(e);
}
END_TEST

static guint32 first_after(const Engine *e, guint32 branch)
{
    for (guint i = 0; i + 1 < e->issues->len; i++)
        if (g_array_index(e->issues, Issue, i).instruction == branch)
            return g_array_index(e->issues, Issue, i + 1).instruction;
    ck_abort_msg("the branch was not issued");
    return 0;
}

/* Which side runs first: 8 (fall-through), 16 or 24 lanes of 32 take the branch. */
START_TEST(first_side)
{
    enum { FALL = 5, TAKEN = 7 };
    static const struct {
        const char *rule;
        guint32 first[3]; /* with 8, 16 and 24 lanes taken */
    } rules[] = {{"fewer_lanes", {TAKEN, FALL, FALL}},
                 {"more_lanes", {FALL, FALL, TAKEN}},
                 {"taken", {TAKEN, TAKEN, TAKEN}},
                 {"fall_through", {FALL, FALL, FALL}}};
    static const char *const models[] = {"divergence.model=its", "divergence.model=stack",
                                         "divergence.model=none"};

    for (guint n = 0; n < 3; n++)
        for (guint m = 0; m < G_N_ELEMENTS(models); m++) {
            g_autofree char *rule = g_strdup_printf("divergence.first_side=%s", rules[_i].rule);
            const char *settings[] = {"dependences=scoreboard", models[m], rule, NULL};
            g_autofree char *text = g_strdup_printf(HEAD "ISETP.LT P0, R0, %u ;\n"
                                                         "BSSY B0, join ;\n"
                                                         "NOP ;\n"
                                                         "@P0 BRA then ;\n"
                                                         "MOV R1, 1 ;\n"
                                                         "BRA join ;\n"
                                                         "then: MOV R1, 2 ;\n"
                                                         "join: BSYNC B0 ;\n"
                                                         "EXIT ;\n",
                                                    8 * (n + 1));
            Engine *e = engine_new("textbook", settings, text, 1, 32, 1);

            engine_run(e);
            ck_assert_uint_eq(first_after(e, 4), rules[_i].first[n]);
            engine_free(e);
        }
}
END_TEST

/*
 * Each side has `what`. Sides take turns at it, or the first one runs to its end: what counts is
 * whether the second side issues anything before the end of the first.
 */
static gboolean switches_at(const char *model, const char *what)
{
    g_autofree char *text = g_strdup_printf(HEAD "MOV R2, c[x] ;\nMOV R3, c[x+4] ;\n"
                                                 "ISETP.LT P0, R0, 8 ;\n"
                                                 "BSSY B0, join ;\n"
                                                 "@P0 BRA then ;\n"
                                                 "fall: MOV R1, 1 ;\n%s"
                                                 "IADD3 R6, R7, R1, RZ ;\n"
                                                 "BRA join ;\n"
                                                 "then: MOV R1, 2 ;\n%s"
                                                 "IADD3 R6, R7, R1, RZ ;\n"
                                                 "done: NOP ;\n"
                                                 "join: BSYNC B0 ;\n"
                                                 "EXIT ;\n",
                                            what, what);
    Engine *e = run(model, text, 32, 2);
    guint32 fall = engine_label(e, "fall"), done = engine_label(e, "done");
    gboolean switched = FALSE;

    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    for (guint i = 0; i < e->issues->len; i++) {
        guint32 at = g_array_index(e->issues, Issue, i).instruction;

        if (at == done)
            break;
        switched = switched || at == fall;
    }
    engine_free(e);
    return switched;
}

/* Waiting for a result never switches paths; only what says so does. */
START_TEST(where_paths_switch)
{
    static const struct {
        const char *what;
        gboolean its, stack;
    } cases[] = {
        {"LDG.E.STRONG.GPU R7, [R2] ;\n", FALSE, FALSE},
        {"SHFL.BFLY PT, R7, R0, 0x1, 0x1f ;\n", FALSE, FALSE},
        {"MUFU.RCP R7, R0 ;\n", FALSE, FALSE},
        {"ATOMG.ADD.E.U32.GPU R7, [R2], R0 ;\n", FALSE, FALSE},
        {"MEMBAR.GPU ;\n", FALSE, FALSE},
        {"YIELD ;\n", TRUE, FALSE},
        {"NANOSLEEP 32 ;\n", TRUE, FALSE},
        {"WARPSYNC 0xffffffff ;\n", TRUE, FALSE},
        {"@P0 WARPSYNC 0xff ;\n", FALSE, FALSE}, /* the lanes of the side are all there */
    };

    ck_assert_int_eq(switches_at("its", cases[_i].what), cases[_i].its);
    ck_assert_int_eq(switches_at("stack", cases[_i].what), cases[_i].stack);
}
END_TEST

/* Shuffles, votes and matches among lanes of one side see the lanes of that side alone. */
START_TEST(sides_talk_among_themselves)
{
    static const char *const models[] = {"its", "stack", "none"};
    g_autofree char *text = g_strdup(
        HEAD "MOV R2, c[x] ;\nMOV R3, c[x+4] ;\n"
             "IMAD.WIDE R2, R0, 16, R2 ;\n"
             "LOP3.LUT R9, R0, 0x3, RZ, 0xc0 ;\n"
             "ISETP.LT P0, R0, 8 ;\n"
             "BSSY B0, join ;\n"
             "@P0 BRA then ;\n"
             "VOTE.ANY R4, PT, PT ;\n"
             "SHFL.BFLY PT, R5, R0, 0x1, 0x1f ;\n"
             "MATCH.ANY R6, PT, R9 ;\n"
             "ISETP.LT P1, R0, 12 ;\n"
             "VOTE.ANY R7, PT, P1 ;\n"
             "BRA join ;\n"
             "then: VOTE.ANY R4, PT, PT ;\n"
             "SHFL.BFLY PT, R5, R0, 0x1, 0x1f ;\n"
             "MATCH.ANY R6, PT, R9 ;\n"
             "ISETP.LT P1, R0, 3 ;\n"
             "VOTE.ANY R7, PT, P1 ;\n"
             "join: BSYNC B0 ;\n"
             "STG.E [R2], R4 ;\nSTG.E [R2+4], R5 ;\nSTG.E [R2+8], R6 ;\nSTG.E [R2+12], R7 ;\n"
             "EXIT ;\n");
    Engine *e = run(models[_i], text, 32, 128);
    const guint32 *words = engine_words(e);

    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    for (guint lane = 0; lane < 32; lane++) {
        guint32 side = lane < 8 ? 0xff : 0xffffff00;

        ck_assert_uint_eq(words[4 * lane], side);
        ck_assert_uint_eq(words[4 * lane + 1], lane ^ 1);
        ck_assert_uint_eq(words[4 * lane + 2], (0x11111111u << (lane % 4)) & side);
        ck_assert_uint_eq(words[4 * lane + 3], lane < 8 ? 0x7 : 0xf00);
    }
    engine_free(e);
}
END_TEST

/* Warp 1 waits for a word that warp 0 stores behind the barrier, to which warp 1 does not come. */
START_TEST(livelock_at_barrier)
{
    Engine *e = engine_plain("LDC.64 R2, c[x] ;\nS2R R0, SR_TID.X ;\nISETP.LT P0, R0, 32 ;\n"
                             "@P0 BRA first ;\nwait: LDG.E.STRONG.SYS R1, [R2] ;\n"
                             "ISETP.EQ P1, R1, RZ ;\n@P1 BRA wait ;\nBAR.SYNC 0 ;\nEXIT ;\n"
                             "first: BAR.SYNC 0 ;\nSTG.E [R2], R0 ;\nEXIT ;\n",
                             1, 64, 1);

    e->options.max_cycles = 1000000;
    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_LIVELOCK);
    ck_assert_ptr_nonnull(strstr(e->result->stop.message, "wait for it at a block barrier"));
    ck_assert_ptr_nonnull(
        strstr(e->result->stop.details,
               "  barrier 0: 1 of 2 warps has arrived: warp 0; missing: warp 1\n"
               "  warp 0, lanes 0-31: waits at barrier 0, test.wsasm:12 (BAR.SYNC)\n"));
    engine_free(e);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("engine_its");
    TCase *tcase = tcase_create("engine_its");
    SRunner *runner;
    int failed;

    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, sides_meet);
    tcase_add_test(tcase, break_leaves_a_barrier);
    tcase_add_loop_test(tcase, warpsync_joins, 0, 2);
    tcase_add_loop_test(tcase, all_lanes_at_one_place, 0, 8);
    tcase_add_loop_test(tcase, warpsync_inside_warpsync, 0, 2);
    tcase_add_test(tcase, one_path_of_two_groups);
    tcase_add_loop_test(tcase, waiter_and_setter, 0, 3);
    tcase_add_test(tcase, spin_lock);
    tcase_add_loop_test(tcase, livelock, 0, 4);
    tcase_add_test(tcase, no_livelock);
    tcase_add_test(tcase, barrier_counts_lanes);
    tcase_add_test(tcase, deadlock);
    tcase_add_loop_test(tcase, placed_join, 0, 6);
    tcase_add_test(tcase, slow_turns);
    tcase_add_loop_test(tcase, first_side, 0, 4);
    tcase_add_loop_test(tcase, where_paths_switch, 0, 9);
    tcase_add_loop_test(tcase, sides_talk_among_themselves, 0, 3);
    tcase_add_test(tcase, livelock_at_barrier);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
