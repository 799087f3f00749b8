/* Scheduling policies: exact orders of issue on small cases, worked out by hand. */
#include <string.h>

#include "sim/policies/policy.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/random_kernel.h"
#include "tests/support/suite.h"

static const char *const names[] = {WS_POLICIES(WS_POLICY_SETTING) NULL};

/* ---- order --------------------------------------------------------------------------------------
 */

/*
 * Two additions that wait for nothing behind a multiply-add of 4 cycles, then one that waits for
 * it. So a warp can issue three times, is held up for a cycle, and can issue twice.
 */
#define THREE_THEN_TWO                                                                             \
    "FFMA R0, R1, R2, R0 ;\n"                                                                      \
    "FADD R3, R1, R2 ;\n"                                                                          \
    "FADD R4, R1, R2 ;\n"                                                                          \
    "FADD R0, R0, R0 ;\n"                                                                          \
    "EXIT ;\n"

typedef struct {
    const char *policy, *order;
} Order;

static const Order orders[] = {
    {"lrr", "w0 w1 w2 w0 w1 w2 w0 w1 w2 w0 w1 w2 w0 w1 w2"},
    /* In cycle 4 w0 could go on, but w1 can too; in 6 it waits, and w0 is the oldest. */
    {"gto", "w0 w0 w0 w1 w1 w1 w0 w0 w1 w1 w2 w2 w2 - w2 w2"},
    /* In cycle 4 w0 takes over again. */
    {"oldest", "w0 w0 w0 w1 w0 w0 w1 w1 w1 w1 w2 w2 w2 - w2 w2"},
    {"greedy-then-youngest", "w2 w2 w2 w1 w1 w1 w2 w2 w1 w1 w0 w0 w0 - w0 w0"},
    /* In cycle 6 w2, which has not issued yet, comes before w0. */
    {"greedy-then-least-recent", "w0 w0 w0 w1 w1 w1 w2 w2 w2 w0 w0 w1 w1 w2 w2"},
    {"longest-wait-first", "w0 w1 w2 w0 w1 w2 w0 w1 w2 w0 w1 w2 w0 w1 w2"},
    /* No memory: the longest wait. */
    {"textbook-priority", "w0 w1 w2 w0 w1 w2 w0 w1 w2 w0 w1 w2 w0 w1 w2"},
    /* All are active. */
    {"two-level", "w0 w1 w2 w0 w1 w2 w0 w1 w2 w0 w1 w2 w0 w1 w2"},
    /* No cache. */
    {"ccws", "w0 w0 w0 w1 w1 w1 w0 w0 w1 w1 w2 w2 w2 - w2 w2"},
};

/* Words of an order. */
static guint cycles(const char *text)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);

    return g_strv_length(words);
}

START_TEST(order)
{
    g_autofree char *setting = g_strdup_printf("policy=%s", orders[_i].policy);
    Engine *e = engine_plain_with(setting, THREE_THEN_TWO, 1, 96, 1);
    g_autofree char *found = NULL;

    engine_run(e);
    found = engine_issue_order(e, cycles(orders[_i].order));
    ck_assert_str_eq(found, orders[_i].order);
    engine_free(e);
}
END_TEST

/* The same by three blocks of a warp each, and by two of two warps. */
typedef struct {
    guint blocks, threads;
    const char *order;
} Blocks;

static const Blocks block_orders[] = {
    {3, 32, "w0 w0 w0 w1 w1 w1 w0 w0 w1 w1 w2 w2 w2 - w2 w2"},
    {2, 64, "w0 w0 w0 w1 w1 w1 w0 w0 w1 w1 w2 w2 w2 w3 w3 w3 w2 w2 w3 w3"},
};

START_TEST(oldest_block_first)
{
    const Blocks *c = &block_orders[_i];
    Engine *e = engine_plain_with("policy=greedy-then-least-recent", THREE_THEN_TWO, c->blocks,
                                  c->threads, 1);
    g_autofree char *found = NULL;

    engine_run(e);
    found = engine_issue_order(e, cycles(c->order));
    ck_assert_str_eq(found, c->order);
    engine_free(e);
}
END_TEST

/* Every policy has a row above: a new one that has none is noticed here. */
START_TEST(every_policy_has_an_order)
{
    guint found = 0;

    for (guint i = 0; i < G_N_ELEMENTS(orders); i++)
        found += g_strcmp0(orders[i].policy, names[_i]) == 0;
    ck_assert_msg(found == 1, "policy '%s' has no row in orders", names[_i]);
}
END_TEST

/* A wrong name is answered with all that there are. */
START_TEST(names_are_listed)
{
    g_autofree char *setting = g_strdup_printf("policy=%s", names[_i]);
    const char *good[] = {setting, NULL}, *bad[] = {"policy=fifo", NULL};
    g_autoptr(GError) error = NULL;
    WsDevice *device = ws_device_load("h200", good, &error);

    ck_assert_ptr_nonnull(device);
    ck_assert_uint_eq(device->policy, (guint)_i);
    ws_device_free(device);
    ck_assert_ptr_null(ws_device_load("h200", bad, &error));
    ck_assert_ptr_nonnull(strstr(error->message, names[_i]));
}
END_TEST

/* ---- two levels ---------------------------------------------------------------------------------
 */

typedef struct {
    const char *active, *longest, *order;
} Levels;

static const Levels levels[] = {
    /* w2 comes in when w0 has gone. */
    {"2", "0", "w0 w1 w0 w1 w0 w1 w0 w1 w0 w1 w2 w2 w2 - w2 w2"},
    /* A short wait gives no place away: w1 and w2 could issue in cycle 3. */
    {"1", "0", "w0 w0 w0 - w0 w0 w1 w1 w1 - w1 w1 w2 w2 w2 - w2 w2"},
    {"1", "1000", "w0 w0 w0 - w0 w0 w1 w1 w1 - w1 w1 w2 w2 w2 - w2 w2"},
    /* In cycles 1 and 2 others could issue; in 3 one of them takes the place. */
    {"1", "2", "w0 w0 w0 w1 w1 w1 w2 w2 w2 w0 w0 w1 w1 w2 w2"},
};

static Engine *two_level_new(const Levels *c, const char *text, guint warps)
{
    g_autofree char *active = g_strconcat("policies.two_level.active_warps=", c->active, NULL);
    g_autofree char *longest = g_strconcat("policies.two_level.longest_wait=", c->longest, NULL);
    const char *settings[] = {"dependences=scoreboard", "policy=two-level", active, longest, NULL};

    return engine_new("textbook", settings, text, 1, 32 * warps, 32);
}

static Engine *two_level(const Levels *c, const char *text, guint warps)
{
    Engine *e = two_level_new(c, text, warps);

    engine_run(e);
    return e;
}

START_TEST(active_set)
{
    Engine *e = two_level(&levels[_i], THREE_THEN_TWO, 3);
    g_autofree char *found = engine_issue_order(e, cycles(levels[_i].order));

    ck_assert_str_eq(found, levels[_i].order);
    engine_free(e);
}
END_TEST

/*
 * One active warp. It waits for its load from cycle 3 on, and w1 takes the place. That one waits in
 * cycle 6; w0 is ready again, but w2 comes first, because it has not issued yet.
 */
START_TEST(memory_makes_room)
{
    static const Levels one = {"1", "0", "w0 w0 w0 w1 w1 w1 w2 w2 w2 w0 w0 w1 w1 w2 w2"};
    Engine *e = two_level(&one,
                          "MOV R2, c[x] ;\n"
                          "LDG R4, [R2] ;\n"
                          "FADD R5, R1, R1 ;\n"
                          "FADD R6, R4, R1 ;\n"
                          "EXIT ;\n",
                          3);
    g_autofree char *found = engine_issue_order(e, cycles(one.order));

    ck_assert_str_eq(found, one.order);
    engine_free(e);
}
END_TEST

/* A warp at a barrier makes room, or the others would never come there. */
START_TEST(barrier_makes_room)
{
    static const Levels one = {"1", "0", NULL};
    Engine *e = two_level(&one, "BAR.SYNC 0 ;\nBAR.SYNC 0 ;\nEXIT ;\n", 4);

    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    engine_free(e);
}
END_TEST

/*
 * w0 spins in shared memory until w1 has set a word, but w0 alone is active: as published that
 * never ends. With a longest wait it does.
 */
START_TEST(a_spinning_warp_makes_room)
{
    static const char *const longest[] = {"0", "1", "50", "10000"};
    Levels one = {"1", longest[_i], NULL};
    Engine *e = two_level_new(&one,
                              ".shared 4\n"
                              "S2R R0, SR_TID.X ;\n"
                              "ISETP.GE P0, R0, 32 ;\n"
                              "@P0 BRA set ;\n"
                              "wait: LDS R1, [RZ] ;\n"
                              "ISETP.EQ P1, R1, 0 ;\n"
                              "@P1 BRA wait ;\n"
                              "EXIT ;\n"
                              "set: MOV R1, 1 ;\n"
                              "STS [RZ], R1 ;\n"
                              "EXIT ;\n",
                              2);

    e->options.max_cycles = 30000;
    engine_run(e);
    ck_assert_int_eq(e->result->status, _i == 0 ? WS_STATUS_LIMIT : WS_STATUS_OK);
    engine_free(e);
}
END_TEST

/* ---- the priority of texts ----------------------------------------------------------------------
 */

/* Warp n begins at instruction starts[n]. */
static Engine *from_starts(const char *patience, const char *text, const guint32 *starts,
                           guint warps)
{
    g_autofree char *setting = g_strconcat("policies.textbook_priority.patience=", patience, NULL);
    const char *settings[] = {"dependences=scoreboard", "policy=textbook-priority", setting, NULL};
    Engine *e = engine_new("textbook", settings, text, 1, 32 * warps, 32);
    WsLaunch *launch = &e->job->launches[0];

    launch->initial = g_new0(WsInitialWarp, warps);
    launch->initial_count = warps;
    for (guint i = 0; i < warps; i++)
        launch->initial[i] = (WsInitialWarp){.warp = i, .has_start = TRUE, .start = starts[i]};
    engine_run(e);
    return e;
}

typedef struct {
    const char *patience, *order;
} Priority;

static const Priority priorities[] = {
    /* w0 has an address, then two loads: each when three choices have gone past it. */
    {"3", "w0 w1 w2 w1 w0 w2 w1 w2 w0 w1 w2 w0 w1 w2"},
    {"2", "w0 w1 w2 w0 w1 w2 w0 w1 w2 w0 w1 w2 w1 w2"},
    /* They come when there is nothing else. */
    {"1000", "w0 w1 w2 w1 w2 w1 w2 w1 w2 w1 w2 w0 w0 w0"},
};

START_TEST(memory_last)
{
    static const guint32 starts[] = {0, 4, 4};
    Engine *e = from_starts(priorities[_i].patience,
                            "MOV R2, c[x] ;\n"
                            "LDG R4, [R2] ;\n"
                            "LDG R5, [R2+4] ;\n"
                            "EXIT ;\n"
                            "FADD R6, R0, R1 ;\n"
                            "FADD R6, R0, R1 ;\n"
                            "FADD R6, R0, R1 ;\n"
                            "FADD R6, R0, R1 ;\n"
                            "EXIT ;\n",
                            starts, 3);
    g_autofree char *found = engine_issue_order(e, cycles(priorities[_i].order));

    ck_assert_str_eq(found, priorities[_i].order);
    engine_free(e);
}
END_TEST

/*
 * Fair: with n warps at loads and others that add all the time, each load issues n (patience + 1)
 * cycles after the one before of its warp.
 */
static const guint fairness[][2] = {{1, 3}, {1, 8}, {2, 3}, {2, 5}, {4, 3}, {4, 20}};

START_TEST(memory_is_not_starved)
{
    guint loading = fairness[_i][0], patience = fairness[_i][1];
    g_autofree char *setting = g_strdup_printf("%u", patience);
    g_autoptr(GString) text = g_string_new("MOV R2, c[x] ;\n");
    guint32 starts[8] = {0};
    Engine *e;

    for (guint i = 0; i < 8; i++)
        g_string_append_printf(text, "LDG R%u, [R2+%u] ;\n", 4 + i, 4 * i);
    g_string_append(text, "EXIT ;\n");
    for (guint i = 0; i < 2000; i++)
        g_string_append(text, "FADD R3, R0, R1 ;\n");
    g_string_append(text, "EXIT ;\n");
    for (guint i = loading; i < 8; i++)
        starts[i] = 10;
    e = from_starts(setting, text->str, starts, 8);
    for (guint warp = 0; warp < loading; warp++)
        for (guint n = 2; n < 9; n++)
            ck_assert_uint_eq(engine_issue_cycle(e, warp, n) - engine_issue_cycle(e, warp, n - 1),
                              loading * (patience + 1));
    engine_free(e);
}
END_TEST

/* ---- what policies are good for -----------------------------------------------------------------
 */

static Engine *with_policy(const char *path, const char *policy, const char *more)
{
    g_autofree char *setting = g_strconcat("policy=", policy, NULL);
    const char *settings[] = {"sms=1", setting, more, NULL};
    Engine *e = engine_load(path, settings, NULL);

    e->options.observers = NULL;
    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    return e;
}

static guint64 cycles_with(const char *path, const char *policy, const char *more)
{
    Engine *e = with_policy(path, policy, more);
    guint64 result = e->result->total.cycles;

    engine_free(e);
    return result;
}

#define SWEEP       "workloads/policies/launch.yaml"
#define STAGES      "workloads/policies/stages.yaml"
#define LONG_STAGES "workloads/policies/stages_long.yaml"

/* The L1 that the paper on throttling has. */
#define LEAST_RECENT "memory.l1.replacement=least_recent"

/* [M] 28 to 30 % of the loads hit and it takes 77,000 cycles: no warp keeps its lines for long. */
START_TEST(warps_share_a_cache)
{
    static const char *const settings[] = {NULL};
    Engine *e = engine_load(SWEEP, settings, NULL);

    e->options.observers = NULL;
    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    ck_assert_uint_gt(e->result->total.l1_hits * 100, e->result->total.l1_lookups * 25);
    ck_assert_uint_lt(e->result->total.l1_hits * 100, e->result->total.l1_lookups * 37);
    ck_assert_uint_gt(e->result->total.cycles, 70000);
    ck_assert_uint_lt(e->result->total.cycles, 84000);
    engine_free(e);
}
END_TEST

START_TEST(throttling_saves_a_cache)
{
    static const char *const others[] = {"lrr", "gto", "greedy-then-least-recent", "two-level"};
    Engine *ccws = with_policy(SWEEP, "ccws", LEAST_RECENT);

    ck_assert_uint_gt(ccws->result->total.l1_hits * 10, ccws->result->total.l1_lookups * 8);
    for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
        Engine *e = with_policy(SWEEP, others[i], LEAST_RECENT);
        ck_assert_uint_lt(e->result->total.l1_hits * 20, e->result->total.l1_lookups);
        ck_assert_uint_gt(e->result->total.cycles * 100, ccws->result->total.cycles * 110);
        engine_free(e);
    }
    engine_free(ccws);
}
END_TEST

/*
 * 32 warps of the textbook machine that load for 400 cycles: with turns they come to their loads
 * together, with an active set of eight or four one group after the other.
 */
static const struct {
    const char *policy, *active;
    guint64 cycles;
} groups[] = {
    {"lrr", "8", 8544},
    {"two-level", "8", 7056},
    {"two-level", "4", 6808},
    {"gto", "8", 6622},
};

START_TEST(groups_wait_in_turn)
{
    static const char *const values[] = {"warps=32", NULL};
    g_autofree char *policy = g_strconcat("policy=", groups[_i].policy, NULL);
    g_autofree char *active =
        g_strconcat("policies.two_level.active_warps=", groups[_i].active, NULL);
    const char *settings[] = {"classes.global_load.latency=400", policy, active, NULL};
    Engine *e = engine_load("workloads/latency_hiding/launch-bytecode.yaml", settings, values);

    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    ck_assert_uint_eq(e->result->total.cycles, groups[_i].cycles);
    engine_free(e);
}
END_TEST

/* The same on the H200, where a load is one of several waits. */
START_TEST(turns_wait_together)
{
    static const char calm[] = "memory.dram.refresh_interval=0"; /* no policy hides a refresh */
    const char *four[] = {"sms=1", calm, "policy=two-level", "policies.two_level.active_warps=4",
                          NULL};
    guint64 turns = cycles_with(STAGES, "lrr", calm);
    Engine *e = engine_load(STAGES, four, NULL);

    e->options.observers = NULL;
    engine_run(e);
    ck_assert_uint_lt(e->result->total.cycles * 100, turns * 98);
    ck_assert_uint_lt(cycles_with(STAGES, "two-level", calm) * 100, turns * 98);
    engine_free(e);
}
END_TEST

/* With much work greed leaves the last warps alone. */
START_TEST(greed_leaves_a_tail)
{
    guint64 turns = cycles_with(LONG_STAGES, "lrr", NULL);

    ck_assert_uint_gt(cycles_with(LONG_STAGES, "gto", NULL) * 100, turns * 115);
    ck_assert_uint_lt(cycles_with(LONG_STAGES, "longest-wait-first", NULL) * 100, turns * 98);
}
END_TEST

/* ---- a warp that the others wait for ------------------------------------------------------------
 */

/*
 * One warp, the first or the last of the block, has a lock and works; the others try to take it and
 * compute something between two tries, so that two or three of them can fill a scheduler.
 */
static char *lock_text(guint holder, guint between)
{
    GString *text = g_string_new(NULL);

    g_string_append_printf(text,
                           ".shared 8\n"
                           "S2R R0, SR_TID.X ;\n"
                           "LOP3.LUT R2, R0, 31, RZ, 0xc0 ;\n"
                           "ISETP.NE P0, R2, RZ ;\n"
                           "@P0 EXIT ;\n"
                           "MOV R5, 1 ;\n"
                           "MOV R8, 100 ;\n"
                           "ISETP.NE P0, R0, %u ;\n"
                           "@!P0 STS [RZ], R5 ;\n"
                           "BAR.SYNC 0 ;\n"
                           "@P0 BRA try ;\n"
                           "work: LDS R3, [RZ+4] ;\n"
                           "FADD R3, R3, 1.0 ;\n"
                           "IADD3 R8, R8, -1, RZ ;\n"
                           "ISETP.GT P1, R8, RZ ;\n"
                           "@P1 BRA work ;\n"
                           "STS [RZ], RZ ;\n"
                           "EXIT ;\n"
                           "try: ATOMS.CAS R4, [RZ], RZ, R5 ;\n"
                           "ISETP.EQ P1, R4, RZ ;\n"
                           "@P1 BRA got ;\n",
                           32 * holder);
    for (guint i = 0; i < between; i++)
        g_string_append_printf(text, "FADD R%u, R0, 1.0 ;\n", 10 + i % 4);
    g_string_append(text, "BRA try ;\n"
                          "got: STS [RZ], RZ ;\n"
                          "EXIT ;\n");
    return g_string_free(text, FALSE);
}

/*
 * About how many cycles it takes if the warp with the lock is the oldest one, and the youngest one;
 * 0 if it never ends. docs/use/policies.md has them from here.
 */
static const struct {
    const char *policy;
    guint64 textbook[2], h200[2];
} locks[] = {
    {"lrr", {2200, 2200}, {11000, 10000}},
    {"gto", {2600, 0}, {32000, 0}},
    {"oldest", {670, 0}, {8900, 0}},
    {"greedy-then-youngest", {0, 2600}, {0, 32000}},
    {"greedy-then-least-recent", {6600, 6600}, {51000, 50000}},
    {"longest-wait-first", {2200, 2200}, {9300, 9000}},
    {"textbook-priority", {2600, 2700}, {10000, 10000}},
    {"two-level", {2200, 2200}, {11000, 10000}},
    {"ccws", {2600, 0}, {32000, 0}},
};

G_STATIC_ASSERT(G_N_ELEMENTS(locks) == WS_POLICY_COUNT);

/* Issues of a warp in the second half of the time. */
static guint late_issues(const Engine *e, guint warp)
{
    guint count = 0;

    for (guint i = 0; i < e->issues->len; i++) {
        const Issue *issue = &g_array_index(e->issues, Issue, i);
        count += issue->warp_in_block == warp && issue->cycle > e->options.max_cycles / 2;
    }
    return count;
}

static void check_lock(const char *name, const guint64 expected[2], const char *device, guint warps,
                       guint between, guint64 limit)
{
    for (guint young = 0; young < 2; young++) {
        g_autofree char *policy = g_strconcat("policy=", name, NULL);
        guint holder = young ? warps - 1 : 0;
        g_autofree char *text = lock_text(holder, between);
        const char *settings[] = {"sms=1", policy, NULL};
        guint64 cycles = expected[young];
        Engine *e = engine_new(device, settings, text, 1, 32 * warps, 1);

        e->options.max_cycles = limit;
        engine_run(e);
        ck_assert_msg(e->result->status == (cycles != 0 ? WS_STATUS_OK : WS_STATUS_LIMIT),
                      "%s, %s, %s has the lock: %s", device, name, young ? "youngest" : "oldest",
                      e->result->stop.message);
        guint64 taken = e->result->total.cycles;
        ck_assert_msg(cycles == 0 ||
                          (taken >= cycles - cycles / 20 && taken <= cycles + cycles / 20),
                      "%s, %s, %s has the lock: %" G_GUINT64_FORMAT " cycles", device, name,
                      young ? "youngest" : "oldest", taken);
        if (cycles == 0) /* of more than 10000 of its scheduler */
            ck_assert_uint_lt(late_issues(e, holder), 10);
        engine_free(e);
    }
}

/* One scheduler of the textbook machine, and four of an H200 with eight warps each. */
START_TEST(lock_holder_starves)
{
    check_lock(locks[_i].policy, locks[_i].textbook, "textbook", 4, 16, 40000);
    check_lock(locks[_i].policy, locks[_i].h200, "h200", 32, 64, 200000);
}
END_TEST

/* ---- the same bytes -----------------------------------------------------------------------------
 */

/* Twice, and with several host threads. */
START_TEST(deterministic)
{
    g_autofree char *policy = g_strconcat("policy=", names[_i], NULL);
    const char *settings[] = {"sms=3", "memory.l1.unified_bytes=16384",
                              "limits.shared_carveouts=[0, 8192]", policy, NULL};
    g_autofree char *text = random_kernel(5, 256, 12);
    guint32 words = 256 * 12 * RANDOM_KERNEL_WORDS;
    g_autofree guint32 *contents = NULL;
    WsCounters first;

    for (guint round = 0; round < 3; round++) {
        Engine *e = engine_new("h200", settings, text, 12, 256, words);
        e->options.observers = NULL;
        e->options.threads = round + 1;
        engine_run(e);
        ck_assert_int_eq(e->result->status, WS_STATUS_OK);
        if (round == 0) {
            first = e->result->total;
            contents = g_memdup2(engine_words(e), words * sizeof *contents);
        }
        ck_assert_mem_eq(&first, &e->result->total, sizeof first);
        ck_assert_mem_eq(contents, engine_words(e), words * sizeof *contents);
        engine_free(e);
    }
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_set_timeout(cases, 30);
    tcase_add_loop_test(cases, order, 0, G_N_ELEMENTS(orders));
    tcase_add_loop_test(cases, oldest_block_first, 0, G_N_ELEMENTS(block_orders));
    tcase_add_loop_test(cases, every_policy_has_an_order, 0, WS_POLICY_COUNT);
    tcase_add_loop_test(cases, names_are_listed, 0, WS_POLICY_COUNT);
    tcase_add_loop_test(cases, active_set, 0, G_N_ELEMENTS(levels));
    tcase_add_test(cases, memory_makes_room);
    tcase_add_test(cases, barrier_makes_room);
    tcase_add_loop_test(cases, a_spinning_warp_makes_room, 0, 4);
    tcase_add_loop_test(cases, memory_last, 0, G_N_ELEMENTS(priorities));
    tcase_add_loop_test(cases, memory_is_not_starved, 0, G_N_ELEMENTS(fairness));
    tcase_add_test(cases, warps_share_a_cache);
    tcase_add_test(cases, throttling_saves_a_cache);
    tcase_add_loop_test(cases, groups_wait_in_turn, 0, G_N_ELEMENTS(groups));
    tcase_add_test(cases, turns_wait_together);
    tcase_add_test(cases, greed_leaves_a_tail);
    tcase_add_loop_test(cases, lock_holder_starves, 0, WS_POLICY_COUNT);
    tcase_add_loop_test(cases, deterministic, 0, WS_POLICY_COUNT);
}

int main(void)
{
    return run_suite("policies", add_tests);
}
