/* Divergence models, each alone: which lanes run next, which wait, and for whom. */
#include "tests/sim/model_warp.h"
#include "tests/support/suite.h"

/* ---- which side of a branch is first -----------------------------------------------------------
 */

static const struct {
    guint64 taken, rest;
    WsFirstSide first;
    gboolean taken_first;
} sides[] = {
    {0x01, 0xfe, WS_FIRST_SIDE_FEWER_LANES, TRUE},   {0xfe, 0x01, WS_FIRST_SIDE_FEWER_LANES, FALSE},
    {0x0f, 0xf0, WS_FIRST_SIDE_FEWER_LANES, FALSE}, /* as many: the fall-through side */
    {0x01, 0xfe, WS_FIRST_SIDE_MORE_LANES, FALSE},   {0xfe, 0x01, WS_FIRST_SIDE_MORE_LANES, TRUE},
    {0x0f, 0xf0, WS_FIRST_SIDE_MORE_LANES, FALSE},   {0x01, 0xfe, WS_FIRST_SIDE_TAKEN, TRUE},
    {0x01, 0xfe, WS_FIRST_SIDE_FALL_THROUGH, FALSE},
};

START_TEST(first_side)
{
    static const WsDivergenceModel *const all[] = {&ws_divergence_stack, &ws_divergence_its,
                                                   &ws_divergence_none};
    guint64 taken = sides[_i].taken, rest = sides[_i].rest;

    ck_assert_int_eq(ws_taken_side_is_first(taken, rest, sides[_i].first), sides[_i].taken_first);
    for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
        Warp warp = warp_new(all[i]);

        all[i]->split(warp.state, &warp.path, taken, 20, 11, WS_NOWHERE, sides[_i].first);
        ck_assert_uint_eq(warp.path.active, sides[_i].taken_first ? taken : rest);
        ck_assert_uint_eq(warp.path.pc, sides[_i].taken_first ? 20 : 11);
        warp_free(&warp);
    }
}
END_TEST

START_TEST(names)
{
    ck_assert_ptr_eq(ws_divergence_model(WS_DIVERGENCE_STACK), &ws_divergence_stack);
    ck_assert_ptr_eq(ws_divergence_model(WS_DIVERGENCE_ITS), &ws_divergence_its);
    ck_assert_ptr_eq(ws_divergence_model(WS_DIVERGENCE_NONE), &ws_divergence_none);
    ck_assert_str_eq(ws_divergence_stack.name, "stack");
    ck_assert_str_eq(ws_divergence_its.name, "its");
    ck_assert_str_eq(ws_divergence_none.name, "none");
}
END_TEST

/* ---- reconvergence stack -----------------------------------------------------------------------
 */

/* One side, then the other, then all from where they meet. */
START_TEST(stack_sides_meet)
{
    Warp warp = warp_new(&ws_divergence_stack);

    split(&warp, 0x0f, 20, 11, 30);
    EXPECT(&warp, "f0@11-30 0f@20tf0");
    ck_assert_int_eq(warp.model->stop(warp.state, &warp.path), WS_CONVERGED_SWITCHED);
    EXPECT(&warp, "0f@20-30 f0@30t0f");
    ck_assert_int_eq(warp.model->stop(warp.state, &warp.path), WS_CONVERGED_JOINED);
    EXPECT(&warp, "ff@30");
    warp_free(&warp);
}
END_TEST

/* A split whose sides meet where the path stops anyway, or nowhere, has no meeting place of its
 * own. */
START_TEST(stack_meeting_place)
{
    WsStackEntry entries[WS_MAX_STACK];
    Warp warp = warp_new(&ws_divergence_stack);

    split(&warp, 0x0f, 20, 11, 30);
    split(&warp, 0x30, 25, 12, 30);
    ck_assert_uint_eq(warp.model->stack(warp.state, &warp.path, entries), 4);
    split(&warp, 0x40, 26, 13, WS_NOWHERE);
    ck_assert_uint_eq(warp.model->stack(warp.state, &warp.path, entries), 5);
    static const WsStackEntry expected[] = {
        {0x80, 13, 30}, {0x40, 26, 30}, {0x30, 25, 30}, {0x0f, 20, 30}, {0xff, 30, WS_NOWHERE}};
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        ck_assert_uint_eq(entries[i].lanes, expected[i].lanes);
        ck_assert_uint_eq(entries[i].pc, expected[i].pc);
        ck_assert_uint_eq(entries[i].stop, expected[i].stop);
    }
    warp_free(&warp);
}
END_TEST

/* A side that branches right to the meeting place has nothing to run. */
START_TEST(stack_empty_side)
{
    Warp warp = warp_new(&ws_divergence_stack);

    split(&warp, 0x0f, 30, 11, 30);
    EXPECT(&warp, "f0@11-30 0f@30tf0");
    ck_assert_int_eq(warp.model->stop(warp.state, &warp.path), WS_CONVERGED_JOINED);
    EXPECT(&warp, "ff@30");
    split(&warp, 0x0f, 40, 50, 50); /* the side that would be first */
    EXPECT(&warp, "0f@40-50 f0@50t0f");
    warp_free(&warp);
}
END_TEST

/* Lanes that exit leave all entries; what has none left does not run; the last one ends the warp.
 */
START_TEST(stack_exits)
{
    WsStackEntry entries[WS_MAX_STACK];
    Warp warp = warp_new(&ws_divergence_stack);

    split(&warp, 0x0f, 20, 11, 30);
    ck_assert(!warp.model->exit(warp.state, &warp.path, 0x10));
    EXPECT(&warp, "e0@11-30 0f@20te0");
    ck_assert(!warp.model->exit(warp.state, &warp.path, 0xe0));
    EXPECT(&warp, "0f@20-30");
    ck_assert_uint_eq(warp.model->stack(warp.state, &warp.path, entries), 2);
    ck_assert_uint_eq(entries[1].lanes, 0x0f);
    ck_assert(warp.model->exit(warp.state, &warp.path, 0x0f));
    EXPECT(&warp, "00@0");
    ck_assert_uint_eq(warp.model->stack(warp.state, &warp.path, entries), 0);
    warp_free(&warp);
}
END_TEST

/* Lanes meet behind a call; a call of a function in itself adds nothing, nor one far down. */
START_TEST(stack_calls)
{
    WsStackEntry entries[WS_MAX_STACK];
    Warp warp = warp_new(&ws_divergence_stack);

    warp.path.pc = 50;
    warp.model->call(warp.state, &warp.path, 11);
    EXPECT(&warp, "ff@50-11");
    warp.model->call(warp.state, &warp.path, 11);
    ck_assert_uint_eq(warp.model->stack(warp.state, &warp.path, entries), 2);
    for (guint32 i = 0; i < 20; i++)
        warp.model->call(warp.state, &warp.path, 60 + i);
    ck_assert_uint_eq(warp.model->stack(warp.state, &warp.path, entries), 1 + WS_STACK_CALLS);
    ck_assert_uint_eq(warp.path.stop, 60 + WS_STACK_CALLS - 2);
    warp_free(&warp);
}
END_TEST

/* The deepest stack, after WS_STACK_CALLS calls one lane fewer at each branch, has its place. */
START_TEST(stack_bytes)
{
    WsStackEntry entries[WS_MAX_STACK];
    Warp warp = {.model = &ws_divergence_stack, .path = {G_MAXUINT64, 10, WS_NOWHERE}};

    warp.state = g_malloc(warp.model->bytes(64));
    warp.model->begin(warp.state, G_MAXUINT64);
    for (guint32 i = 0; i < WS_STACK_CALLS; i++)
        warp.model->call(warp.state, &warp.path, 100 + i);
    for (guint32 lane = 0; lane < 63; lane++)
        split(&warp, (guint64)1 << lane, 20, 11, 200 + lane);
    guint count = warp.model->stack(warp.state, &warp.path, entries);
    ck_assert_uint_eq(count, 1 + WS_STACK_CALLS + 2 * 63);
    ck_assert_uint_le((count - 1) * sizeof entries[0], warp.model->bytes(64) - sizeof(guint64));
    ck_assert_uint_eq(warp.model->bytes(64) - warp.model->bytes(32), 64 * sizeof entries[0]);
    warp_free(&warp);
}
END_TEST

/* Two stacks are the same if each entry is. */
START_TEST(stack_same)
{
    Warp a = warp_new(&ws_divergence_stack), b = warp_new(&ws_divergence_stack);

    ck_assert(a.model->same(a.state, b.state));
    split(&a, 0x0f, 20, 11, 30);
    ck_assert(!a.model->same(a.state, b.state)); /* depth */
    split(&b, 0x0f, 20, 11, 30);
    ck_assert(a.model->same(a.state, b.state));
    static const struct {
        guint64 taken;
        guint32 target, meet;
    } others[] = {{0x07, 20, 30}, {0x0f, 21, 30}, {0x0f, 20, 31}};
    for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
        Warp c = warp_new(&ws_divergence_stack);

        split(&c, others[i].taken, others[i].target, 11, others[i].meet);
        ck_assert_msg(!a.model->same(a.state, c.state), "row %u", i);
        warp_free(&c);
    }
    warp_free(&a);
    warp_free(&b);
}
END_TEST

/* ---- turns -------------------------------------------------------------------------------------
 */

/* Who yields goes behind all others; with nobody to yield to, it goes on. */
START_TEST(yielding)
{
    Warp warp = warp_new(&ws_divergence_its);

    ck_assert_int_eq(warp.model->yield(warp.state, &warp.path), WS_CONVERGED_NOTHING);
    EXPECT(&warp, "ff@10");
    split(&warp, 0x0f, 20, 11, WS_NOWHERE);
    split(&warp, 0x30, 25, 12, WS_NOWHERE);
    ck_assert_int_eq(warp.model->yield(warp.state, &warp.path), WS_CONVERGED_SWITCHED);
    EXPECT(&warp, "30@25 c0@12t30 0f@20t30");
    ck_assert_int_eq(warp.model->yield(warp.state, &warp.path), WS_CONVERGED_RECALLED);
    EXPECT(&warp, "0f@20 30@25t0f c0@12t0f");
    ck_assert_int_eq(warp.model->yield(warp.state, &warp.path), WS_CONVERGED_RECALLED);
    EXPECT(&warp, "c0@12 0f@20tc0 30@25tc0");
    warp_free(&warp);
}
END_TEST

/* Backward branches are counted while another path could run, from the last yield on. */
START_TEST(turns)
{
    Warp warp = warp_new(&ws_divergence_its);

    ck_assert(!warp.model->turn(warp.state, 1)); /* nobody else */
    ck_assert_uint_eq(warp.model->turns(warp.state), 0);
    split(&warp, 0x0f, 20, 11, WS_NOWHERE);
    ck_assert(!warp.model->turn(warp.state, 3));
    ck_assert(!warp.model->turn(warp.state, 3));
    ck_assert_uint_eq(warp.model->turns(warp.state), 2);
    ck_assert(warp.model->turn(warp.state, 3));
    warp.model->yield(warp.state, &warp.path);
    ck_assert_uint_eq(warp.model->turns(warp.state), 0);
    ck_assert(!warp.model->turn(warp.state, 2));
    wait_at(&warp, 40, 0);
    ck_assert(warp.model->turn(warp.state, 2));
    ck_assert_uint_eq(warp.model->turns(warp.state), 0); /* the other one cannot run */
    warp_free(&warp);
}
END_TEST

/* ---- block barriers ----------------------------------------------------------------------------
 */

/* Each barrier has its own lanes; when it opens, they go on from where they wait. */
START_TEST(block_barriers)
{
    WsLanesAt at[WS_MAX_PATHS];
    Warp warp = warp_new(&ws_divergence_its);

    split(&warp, 0x0f, 20, 11, WS_NOWHERE);
    split(&warp, 0x30, 25, 12, WS_NOWHERE);
    wait_at(&warp, 41, 1);
    wait_at(&warp, 43, 1);
    EXPECT(&warp, "0f@20 c0@40b10f 30@42b10f");
    ck_assert(!warp.model->all_wait(warp.state, 1));
    Warp other = warp_copy(&warp);
    wait_at(&other, 45, 0);
    EXPECT(&other, "00@0 c0@40b10f 30@42b10f 0f@44b0f0");
    ck_assert(!other.model->all_wait(other.state, 0));
    ck_assert(!other.model->all_wait(other.state, 1));
    ck_assert_uint_eq(other.model->open(other.state, &other.path, 1, at), 2);
    ck_assert_uint_eq(at[0].lanes, 0xc0);
    ck_assert_uint_eq(at[0].pc, 41);
    ck_assert_uint_eq(at[1].lanes, 0x30);
    ck_assert_uint_eq(at[1].pc, 43);
    EXPECT(&other, "c0@41 0f@44b0f0 30@43tc0");
    warp_free(&other);

    ck_assert_uint_eq(warp.model->open(warp.state, &warp.path, 1, at), 2);
    EXPECT(&warp, "0f@20 30@43t0f c0@41t0f"); /* the path that runs goes on */
    wait_at(&warp, 41, 1);
    wait_at(&warp, 41, 1);
    wait_at(&warp, 41, 1);
    ck_assert(warp.model->all_wait(warp.state, 1));
    warp.model->open(warp.state, &warp.path, 1, at);
    EXPECT(&warp, "ff@41");
    warp.model->exit(warp.state, &warp.path, 0xff);
    ck_assert(!warp.model->all_wait(warp.state, 1));
    warp_free(&warp);
}
END_TEST

/* ---- what is told of lanes ---------------------------------------------------------------------
 */

START_TEST(words)
{
    static const char *const expected[] = {
        "inactive, to resume at", "wait for other lanes, to resume at",
        "wait for other lanes of the warp at", "wait for all lanes of the warp at",
        "wait at block barrier 15 at"};
    WsLanesAt at[WS_MAX_PATHS];
    Warp warp = warp_new(&ws_divergence_its);

    warp.model->enter(warp.state, &warp.path, 0);
    for (guint i = 0; i < 5; i++)
        split(&warp, (guint64)1 << i, 20, 11, WS_NOWHERE);
    warp.path.active = 0x10;
    warp.model->exit(warp.state, &warp.path, 0x10); /* lane 3 runs */
    sync_at(&warp, 31, 0);
    meet_at(&warp, 41, 0xff);
    warp.path.pc = 51;
    warp.model->meet_here(warp.state, &warp.path);
    wait_at(&warp, 61, 15);
    split(&warp, 0, 20, 11, WS_NOWHERE);
    guint count = warp.model->waiting(warp.state, &warp.path, at);
    guint seen = 0;
    for (guint i = 0; i < count; i++)
        for (guint k = 0; k < G_N_ELEMENTS(expected); k++)
            if (strcmp(at[i].how, expected[k]) == 0)
                seen |= 1u << k;
    ck_assert_uint_eq(seen, 0x1f);
    warp_free(&warp);

    warp = warp_new(&ws_divergence_stack);
    split(&warp, 0x0f, 20, 11, 30);
    ck_assert_uint_eq(warp.model->waiting(warp.state, &warp.path, at), 1);
    ck_assert_str_eq(at[0].how, "inactive, to resume at");
    warp_free(&warp);
}
END_TEST

/* Where a model has no rule an instruction only takes its issue slot. */
START_TEST(what_models_lack)
{
    ck_assert(ws_divergence_stack.enter == NULL && ws_divergence_stack.sync == NULL &&
              ws_divergence_stack.meet == NULL && ws_divergence_stack.yield == NULL &&
              ws_divergence_stack.wait == NULL && ws_divergence_stack.met == NULL);
    ck_assert(ws_divergence_its.stack == NULL && ws_divergence_its.call == NULL);
    ck_assert(ws_divergence_none.enter == NULL && ws_divergence_none.sync == NULL &&
              ws_divergence_none.leave == NULL && ws_divergence_none.get == NULL &&
              ws_divergence_none.set == NULL && ws_divergence_none.meet != NULL);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, first_side, 0, G_N_ELEMENTS(sides));
    tcase_add_test(cases, names);
    tcase_add_test(cases, stack_sides_meet);
    tcase_add_test(cases, stack_meeting_place);
    tcase_add_test(cases, stack_empty_side);
    tcase_add_test(cases, stack_exits);
    tcase_add_test(cases, stack_calls);
    tcase_add_test(cases, stack_bytes);
    tcase_add_test(cases, stack_same);
    tcase_add_test(cases, yielding);
    tcase_add_test(cases, turns);
    tcase_add_test(cases, block_barriers);
    tcase_add_test(cases, words);
    tcase_add_test(cases, what_models_lack);
}

int main(void)
{
    return run_suite("divergence_models", add_tests);
}