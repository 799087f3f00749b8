/* Policies in C: the same choices as those that are built in, and calls that fail. */
#include <glib/gstdio.h>
#include <string.h>

#include "isa/cuda/find_clang.h"
#include "tests/data/policy_arithmetic/mix.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/suite.h"

/* Policies that are built in, and files with the same rule. */
static const char *const files[][2] = {
    {"greedy-then-least-recent", "tests/data/policies/greedy-then-least-recent.c"},
    {"greedy-then-youngest", "tests/data/policies/greedy-then-youngest.c"},
    {"gto", "tests/data/policies/gto.c"},
    {"longest-wait-first", "tests/data/policies/longest-wait-first.c"},
    {"lrr", "tests/data/policies/lrr.c"},
    {"oldest", "tests/data/policies/oldest.c"},
    {"textbook-priority", "tests/data/policies/textbook-priority.c"},
    {"two-level", "workloads/policies/two_level.c"},
    {"ccws", "workloads/policies/ccws.c"}};

/* The setting of a policy by its name, or by its path in the sources. */
static char *policy_setting(const char *policy)
{
    return strchr(policy, '/') == NULL || g_path_is_absolute(policy)
               ? g_strconcat("policy=", policy, NULL)
               : g_strdup_printf("policy=%s/%s", g_getenv("WS_TEST_SOURCES"), policy);
}

static Engine *run(const char *policy, const char *launch, const char *more)
{
    g_autofree char *setting = policy_setting(policy);
    const char *settings[] = {setting, "limits.warps_per_sm=16", more, NULL};
    Engine *e = engine_load(launch, settings, NULL);

    engine_run(e);
    return e;
}

/* Each file makes the same choices as the policy of its name: warp by warp, cycle by cycle. */
START_TEST(same_choices)
{
    static const char *const launches[][2] = {
        {"tests/data/rooms/varied.yaml", "sub_cores=2"},
        {"tests/data/rooms/varied.yaml", "switch_cost=3"},
        {"tests/data/rooms/two_sides.yaml", "divergence.model=stack"}};
    g_autofree char *clang = ws_find_clang(NULL);

    if (clang == NULL)
        return;
    for (guint i = 0; i < G_N_ELEMENTS(launches); i++) {
        Engine *built_in = run(files[_i][0], launches[i][0], launches[i][1]);
        Engine *written = run(files[_i][1], launches[i][0], launches[i][1]);

        ck_assert_msg(written->result->status == WS_STATUS_OK, "%s", written->result->stop.message);
        ck_assert_uint_eq(written->issues->len, built_in->issues->len);
        for (guint k = 0; k < written->issues->len; k++) {
            const Issue *a = &g_array_index(written->issues, Issue, k);
            const Issue *b = &g_array_index(built_in->issues, Issue, k);
            ck_assert_msg(a->cycle == b->cycle && a->warp == b->warp &&
                              a->instruction == b->instruction,
                          "%s, launch %u, issue %u", files[_i][0], i, k);
        }
        engine_free(built_in);
        engine_free(written);
    }
}
END_TEST

/* What is in pick(), besides a result: how the run ends. */
static const struct {
    const char *text;
    WsStatus status;
    const char *message;
} faults[] = {
    {"return 70;", WS_STATUS_FAULT, "pick() returns 70, which is no eligible warp"},
    {"return -1;", WS_STATUS_FAULT, "pick() returns -1, which is no eligible warp"},
    {"static volatile int on = 1; while (on) ;", WS_STATUS_LIMIT,
     "mine.c:3: pick() takes more than 10000 instructions"},
    {"static volatile int n[4]; n[1000000] = 1;", WS_STATUS_FAULT, "mine.c:3: pick() accesses 0x"},
    {"((volatile ws_view *)view)->cycle = 1;", WS_STATUS_FAULT,
     "mine.c:3: pick() writes to what it may only read"},
    {"*(volatile int *)0 = 1;", WS_STATUS_FAULT,
     "mine.c:3: pick() accesses 0x0, where it has no memory"},
    /* addresses have 64 bits, though all memory lies below 2^32 */
    {"*(volatile int *)((unsigned long)view + (1ul << 32));", WS_STATUS_FAULT,
     "mine.c:3: pick() accesses 0x1"},
    {"*(volatile int *)0x110000000;", WS_STATUS_FAULT, "mine.c:3: pick() accesses 0x110000000"},
    {"(void)*(volatile int *)((char *)view + 2);", WS_STATUS_FAULT,
     "mine.c:3: pick() makes a misaligned access to 0x"},
    {"__builtin_trap();", WS_STATUS_FAULT, "mine.c:3: pick()"},
    /* a table, a call through a pointer, words of several sizes: nothing fails */
    {"static int (*volatile of)(uint64_t) = ws_first; static volatile long long n[2] = {1, 2};\n"
     "n[view->cycle & 1] += n[1]; volatile short s = -5; if (s != -5) return 70;\n"
     "return of(view->eligible);",
     WS_STATUS_OK, NULL},
};

START_TEST(failures)
{
    g_autofree char *clang = ws_find_clang(NULL);
    g_autofree char *scratch = g_dir_make_tmp("warpstep-policy-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(scratch, "mine.c", NULL);
    g_autofree char *text =
        g_strdup_printf("#include <warpstep/policy.h>\nint pick(const ws_view *view)\n{ %s return "
                        "ws_first(view->eligible); }\n",
                        faults[_i].text);

    if (clang == NULL)
        return;
    ck_assert(g_file_set_contents(path, text, -1, NULL));
    Engine *e = run(path, "tests/data/rooms/two_sides.yaml", NULL);
    const char *said = e->result->stop.message;
    ck_assert_msg(e->result->status == faults[_i].status, "%s", said ? said : "ends well");
    if (faults[_i].message != NULL)
        ck_assert_msg(strstr(said, faults[_i].message) != NULL, "%s", said);
    engine_free(e);
    g_unlink(path);
    g_rmdir(scratch);
}
END_TEST

/* What a policy computes is what the host computes, and parameters come as they are given. */
START_TEST(arithmetic)
{
    static const guint64 seeds[] = {0,           1,
                                    12345,       G_GUINT64_CONSTANT(0x8000000000000000),
                                    G_MAXUINT64, G_GUINT64_CONSTANT(0xfedcba9876543210)};
    g_autofree char *clang = ws_find_clang(NULL);

    if (clang == NULL)
        return;
    for (guint i = 0; i < G_N_ELEMENTS(seeds); i++) {
        g_autofree char *seed = g_strdup_printf("policy.seed=%" G_GUINT64_FORMAT, seeds[i]);
        g_autofree char *expected =
            g_strdup_printf("policy.expected=0x%" G_GINT64_MODIFIER "x", mix(seeds[i]) + (guint)_i);
        g_autofree char *policy = policy_setting("tests/data/policy_arithmetic/mix.c");
        const char *settings[] = {
            policy, seed, expected, "policy.ratio=0.375", "policy.small=-100", "policy.on=false",
            NULL};
        Engine *e = engine_load("tests/data/rooms/two_sides.yaml", settings, NULL);

        engine_run(e);
        if (_i == 0)
            ck_assert_msg(e->result->status == WS_STATUS_OK, "%s", e->result->stop.message);
        else /* it would notice */
            ck_assert_msg(strstr(e->result->stop.message, "returns 64") != NULL, "%s",
                          e->result->stop.message);
        engine_free(e);
    }
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, same_choices, 0, G_N_ELEMENTS(files));
    tcase_add_loop_test(cases, arithmetic, 0, 2);
    tcase_add_loop_test(cases, failures, 0, G_N_ELEMENTS(faults));
}

int main(void)
{
    return run_suite("policy_code", add_tests);
}
