/* Scheduling policies: exact orders of issue on small cases, worked out by hand. */
#include "engine_fixture.h"
#include "suite.h"

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

/* Every policy has a row above: a new one that has none is noticed here. */
START_TEST(every_policy_has_an_order)
{
    guint found = 0;

    for (guint i = 0; i < G_N_ELEMENTS(orders); i++)
        found += g_strcmp0(orders[i].policy, names[_i]) == 0;
    ck_assert_msg(found == 1, "policy '%s' has no row in orders", names[_i]);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, order, 0, G_N_ELEMENTS(orders));
    tcase_add_loop_test(cases, every_policy_has_an_order, 0, WS_POLICY_COUNT);
}

int main(void)
{
    return run_suite("policies", add_tests);
}
