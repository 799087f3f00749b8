/* Cache-conscious throttling: scores and victim tags, the policy by itself. */
#include "sim/policies/policy.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/suite.h"

/* The policy by itself: one sub-core, four warps, two victim tags each; a cutoff of 400 points. */
typedef struct {
    WsDevice *device;
    void *state;
    WsPolicyView view;
} Throttle;

static Throttle *throttle_new(void)
{
    static const char *const settings[] = {
        "sub_cores=1",
        "policies.ccws.victim_tags=2",
        "policies.ccws.base_score=100",
        "policies.ccws.throttle=8",
        "policies.ccws.decay=1",
        NULL,
    };
    Throttle *t = g_new0(Throttle, 1);
    GError *error = NULL;

    t->device = ws_device_load("h200", settings, &error);
    ck_assert_ptr_nonnull(t->device);
    t->state = g_malloc0(ws_policy_ccws.state_bytes(t->device));
    ws_policy_ccws.begin(t->state, t->device);
    for (guint32 i = 0; i < 4; i++)
        ws_policy_ccws.warp_begin(t->state, i);
    return t;
}

static void throttle_free(Throttle *t)
{
    ws_device_free(t->device);
    g_free(t->state);
    g_free(t);
}

/* Who may issue at `cycle`, if all four can and those of `loads` want to load. */
static guint64 admitted(Throttle *t, guint64 cycle, guint64 loads)
{
    WsPolicyWarps warps = {.eligible = 15, .loads = loads, .memory = loads};

    t->view.cycle = cycle;
    return ws_policy_ccws.admit(t->state, &t->view, &warps);
}

/* A line that the warp brought in is evicted and missed again. */
static void lose(Throttle *t, guint64 cycle, guint32 slot)
{
    ws_policy_ccws.l1.evict(t->state, cycle, &(WsL1Owned){99, slot}, slot);
    ws_policy_ccws.l1.load(t->state, &(WsL1Load){.cycle = cycle, .slot = slot, .line = 99});
}

START_TEST(lost_line_throttles_the_others)
{
    Throttle *t = throttle_new();

    ck_assert_uint_eq(admitted(t, 10, 15), 15);
    lose(t, 10, 2); /* 1 hit x 8 x 400 / 1 instruction, but no more than 400 */
    ck_assert_uint_eq(admitted(t, 10, 15), 1 << 2);
    ck_assert_uint_eq(admitted(t, 10, 0), 15);     /* nobody loads */
    ck_assert_uint_eq(admitted(t, 10, 1), 15 - 1); /* the others have other work */
    /* One point a cycle: 300 leaves room for the oldest, 200 for the two oldest. */
    ck_assert_uint_eq(admitted(t, 109, 15), 1 << 2);
    ck_assert_uint_eq(admitted(t, 110, 15), 1 << 2 | 1);
    ck_assert_uint_eq(admitted(t, 209, 15), 1 << 2 | 1);
    ck_assert_uint_eq(admitted(t, 210, 15), 1 << 2 | 1 | 2);
    ck_assert_uint_eq(admitted(t, 309, 15), 1 << 2 | 1 | 2);
    ck_assert_uint_eq(admitted(t, 310, 15), 15);
    throttle_free(t);
}
END_TEST

START_TEST(score_by_instructions)
{
    Throttle *t = throttle_new();

    for (guint i = 0; i < 16; i++)
        admitted(t, i, 0);
    lose(t, 20, 3); /* 1 x 8 x 400 / 16 = 200: no room for the youngest of the rest */
    ck_assert_uint_eq(admitted(t, 20, 15), 8 | 1 | 2);
    ws_policy_ccws.warp_end(t->state, 0); /* the cutoff falls to 300 */
    ck_assert_uint_eq(admitted(t, 20, 14), 8 | 2 | 1);
    throttle_free(t);
}
END_TEST

static void look(Throttle *t, guint64 cycle, guint32 slot, guint64 line, gboolean hit)
{
    const WsL1Load load = {.cycle = cycle, .slot = slot, .line = line, .hit = hit};

    ws_policy_ccws.l1.load(t->state, &load);
}

START_TEST(victim_tags)
{
    Throttle *t = throttle_new();
    const WsL1Listener *l1 = &ws_policy_ccws.l1;

    admitted(t, 1, 0);
    for (guint64 line = 7; line <= 9; line++)
        l1->evict(t->state, 1, &(WsL1Owned){line, 0}, 0);
    look(t, 2, 0, 7, FALSE); /* two tags: forgotten */
    look(t, 2, 1, 9, FALSE); /* not its own */
    look(t, 2, 0, 9, TRUE);
    ck_assert_uint_eq(admitted(t, 2, 15), 15);
    look(t, 3, 0, 8, FALSE);
    ck_assert_uint_eq(admitted(t, 3, 15), 1);
    ck_assert_uint_eq(admitted(t, 303, 15), 15);
    look(t, 303, 0, 8, FALSE); /* it was taken out */
    ck_assert_uint_eq(admitted(t, 303, 15), 15);
    throttle_free(t);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, lost_line_throttles_the_others);
    tcase_add_test(cases, score_by_instructions);
    tcase_add_test(cases, victim_tags);
}

int main(void)
{
    return run_suite("ccws", add_tests);
}
