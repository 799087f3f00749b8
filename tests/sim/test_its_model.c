/* Independent thread scheduling, alone: which lanes wait at which barrier, and for whom. */
#include "tests/sim/model_warp.h"
#include "tests/support/suite.h"

/* ---- independent thread scheduling: convergence barriers ---------------------------------------
 */

/* The lanes of a BSSY meet at its BSYNC; the side of the last split is at hand, one before not. */
START_TEST(its_sides_meet)
{
    Warp warp = warp_new(&ws_divergence_its);

    warp.model->enter(warp.state, &warp.path, 0);
    split(&warp, 0x0f, 20, 11, WS_NOWHERE);
    EXPECT(&warp, "f0@11 0f@20tf0");
    ck_assert_int_eq(warp.model->stop(warp.state, &warp.path), WS_CONVERGED_NOTHING);
    split(&warp, 0x30, 25, 12, WS_NOWHERE);
    EXPECT(&warp, "c0@12 0f@20tc0 30@25tc0");
    ck_assert_int_eq(sync_at(&warp, 31, 0), WS_CONVERGED_SWITCHED);
    EXPECT(&warp, "30@25 0f@20t30 c0@31j3f");
    ck_assert_int_eq(sync_at(&warp, 31, 0), WS_CONVERGED_RECALLED);
    EXPECT(&warp, "0f@20 c0@31j0f 30@31j0f");
    ck_assert_int_eq(sync_at(&warp, 31, 0), WS_CONVERGED_JOINED);
    EXPECT(&warp, "ff@31");
    warp_free(&warp);
}
END_TEST

/* A path whose lanes all wait goes on, and what was at hand still is. */
START_TEST(its_nobody_to_wait_for)
{
    Warp warp = warp_new(&ws_divergence_its);

    split(&warp, 0x0f, 20, 11, WS_NOWHERE);
    warp.model->enter(warp.state, &warp.path, 3);
    ck_assert_int_eq(sync_at(&warp, 16, 3), WS_CONVERGED_NOTHING);
    EXPECT(&warp, "f0@16 0f@20tf0");
    wait_at(&warp, 18, 0);
    EXPECT(&warp, "0f@20 f0@17b00f");
    Warp again = warp_new(&ws_divergence_its);
    split(&again, 0x0f, 20, 11, WS_NOWHERE);
    again.model->enter(again.state, &again.path, 3);
    sync_at(&again, 16, 3);
    ck_assert_int_eq(meet_at(&again, 18, 0xff), WS_CONVERGED_SWITCHED);
    warp_free(&warp);
    warp_free(&again);
}
END_TEST

/* BSYNC waits for no lane that has ended, that BREAK took out, or that is in a WARPSYNC. */
START_TEST(its_not_waited_for)
{
    Warp warp = warp_new(&ws_divergence_its), other;

    warp.model->enter(warp.state, &warp.path, 0);
    split(&warp, 0x0f, 20, 11, WS_NOWHERE);
    sync_at(&warp, 31, 0);
    EXPECT(&warp, "0f@20 f0@31j0f");

    other = warp_copy(&warp);
    ck_assert(!other.model->exit(other.state, &other.path, 0x03));
    EXPECT(&other, "0c@20 f0@31j0c");
    ck_assert(!other.model->exit(other.state, &other.path, 0x0c));
    EXPECT(&other, "f0@31");
    ck_assert(other.model->exit(other.state, &other.path, 0xf0));
    EXPECT(&other, "00@0");
    warp_free(&other);

    other = warp_copy(&warp);
    other.model->leave(other.state, &other.path, 0, 0x07);
    EXPECT(&other, "0f@20 f0@31j08");
    other.model->leave(other.state, &other.path, 0, 0x08);
    EXPECT(&other, "0f@20 f0@31t0f");
    warp_free(&other);

    other = warp_copy(&warp);
    ck_assert_int_eq(meet_at(&other, 41, 0x1f), WS_CONVERGED_RECALLED);
    EXPECT(&other, "f0@31 0f@40w10");
    ck_assert_int_eq(meet_at(&other, 41, 0xff), WS_CONVERGED_SWITCHED);
    EXPECT(&other, "00@0 0f@40w10 f0@40w0f");
    warp_free(&other);
    warp_free(&warp);
}
END_TEST

/* Two sides may use a barrier register at the same time: their groups do not mix. */
START_TEST(its_groups)
{
    Warp warp = warp_new(&ws_divergence_its);

    ck_assert_uint_eq(warp.model->get(warp.state, &warp.path, 0), 0);
    split(&warp, 0x0f, 20, 11, WS_NOWHERE);
    warp.model->enter(warp.state, &warp.path, 0);
    split(&warp, 0x30, 25, 12, WS_NOWHERE);
    sync_at(&warp, 31, 0);
    sync_at(&warp, 31, 0);
    EXPECT(&warp, "f0@31 0f@20tf0"); /* without the lanes of the other side */
    wait_at(&warp, 40, 0);
    warp.model->enter(warp.state, &warp.path, 0);
    ck_assert_uint_eq(warp.model->get(warp.state, &warp.path, 0), 0x0f);
    ck_assert_uint_eq(warp.model->get(warp.state, &warp.path, 1), 0);
    split(&warp, 0x03, 50, 21, WS_NOWHERE);
    ck_assert_uint_eq(warp.model->get(warp.state, &warp.path, 0), 0x0f);
    warp.model->exit(warp.state, &warp.path, 0x04);
    ck_assert_uint_eq(warp.model->get(warp.state, &warp.path, 0), 0x0b);
    warp_free(&warp);
}
END_TEST

/* Lanes in WARPSYNC that a BSYNC did not wait for are a group of their own from then on. */
START_TEST(its_left_behind)
{
    Warp warp = warp_new(&ws_divergence_its);

    warp.model->enter(warp.state, &warp.path, 0);
    split(&warp, 0x0e, 20, 11, WS_NOWHERE);
    sync_at(&warp, 31, 0);
    EXPECT(&warp, "0e@20 f1@31j0e");
    meet_at(&warp, 41, 0x1e);
    EXPECT(&warp, "f1@31 0e@40w10");
    warp.model->enter(warp.state, &warp.path, 0);
    split(&warp, 0x10, 60, 51, WS_NOWHERE);
    ck_assert_uint_eq(warp.model->get(warp.state, &warp.path, 0), 0xf1);
    wait_at(&warp, 70, 0);
    meet_at(&warp, 41, 0x1e);
    EXPECT(&warp, "1e@41 e1@69b01e");
    warp.path.active = 0x0e; /* as BMOV under a guard that lane 4 fails */
    ck_assert_uint_eq(warp.model->get(warp.state, &warp.path, 0), 0x0e);
    warp_free(&warp);
}
END_TEST

/* A lane that has ended gives no group its name: the name may be one that others still have. */
START_TEST(its_set_of_ended_lanes)
{
    Warp warp = warp_new(&ws_divergence_its);

    warp.model->enter(warp.state, &warp.path, 2);
    split(&warp, 0x0f, 20, 11, WS_NOWHERE);
    warp.model->set(warp.state, &warp.path, 2, 0xf0);
    wait_at(&warp, 31, 0);
    warp.model->exit(warp.state, &warp.path, 0x01);
    split(&warp, 0x06, 25, 21, WS_NOWHERE); /* lanes 1 and 2 are in the group of lane 0 */
    warp.model->set(warp.state, &warp.path, 2, 0x09);
    ck_assert_uint_eq(warp.model->get(warp.state, &warp.path, 2), 0x08);
    warp.path.active = 0x06;
    ck_assert_uint_eq(warp.model->get(warp.state, &warp.path, 2), 0x06);
    warp_free(&warp);
}
END_TEST

/* BMOV puts lanes that are alive into a barrier, in place of those of the path. */
START_TEST(its_set)
{
    Warp warp = warp_new(&ws_divergence_its);

    warp.model->exit(warp.state, &warp.path, 0x80);
    warp.model->set(warp.state, &warp.path, 2, 0xf3);
    ck_assert_uint_eq(warp.model->get(warp.state, &warp.path, 2), 0x73);
    split(&warp, 0x70, 20, 11, WS_NOWHERE);
    sync_at(&warp, 31, 2);
    EXPECT(&warp, "70@20 0f@31j70");
    Warp other = warp_copy(&warp);
    other.model->set(other.state, &other.path, 2, 0);
    ck_assert_uint_eq(other.model->get(other.state, &other.path, 2), 0);
    EXPECT(&other, "70@20 0f@31t70"); /* they wait for nobody now */
    warp.model->set(warp.state, &warp.path, 2, 0x30);
    EXPECT(&warp, "70@20 0f@31t70");
    ck_assert_uint_eq(warp.model->get(warp.state, &warp.path, 2), 0x30);
    warp_free(&other);
    warp_free(&warp);
}
END_TEST

/* ---- independent thread scheduling: WARPSYNC ---------------------------------------------------
 */

/* Lanes of one mask meet, from several places too, which is told once, the latest first. */
START_TEST(its_warpsync)
{
    guint32 places[64] = {0};
    Warp warp = warp_new(&ws_divergence_its);

    split(&warp, 0x0f, 20, 11, WS_NOWHERE);
    ck_assert_int_eq(meet_at(&warp, 41, 0xff), WS_CONVERGED_SWITCHED);
    EXPECT(&warp, "0f@20 f0@40w0f");
    ck_assert_uint_eq(warp.model->met(warp.state, &warp.path, places), 0);
    ck_assert_int_eq(meet_at(&warp, 45, 0xff), WS_CONVERGED_RECALLED);
    EXPECT(&warp, "f0@41 0f@45tf0");
    ck_assert_uint_eq(warp.model->met(warp.state, &warp.path, places), 0xff);
    for (guint lane = 0; lane < 8; lane++)
        ck_assert_uint_eq(places[lane], lane < 4 ? 45 : 41);
    ck_assert_uint_eq(places[8], 0);
    ck_assert_uint_eq(warp.model->met(warp.state, &warp.path, places), 0);
    meet_at(&warp, 51, 0xff);
    ck_assert_int_eq(meet_at(&warp, 51, 0xff), WS_CONVERGED_JOINED);
    EXPECT(&warp, "ff@51");
    ck_assert_uint_eq(warp.model->met(warp.state, &warp.path, places), 0); /* one place */
    warp_free(&warp);
}
END_TEST

/* Other masks do not meet, unless they differ in ended lanes only. */
START_TEST(its_warpsync_masks)
{
    Warp warp = warp_new(&ws_divergence_its);

    split(&warp, 0x0f, 20, 11, WS_NOWHERE);
    meet_at(&warp, 41, 0xfe);
    meet_at(&warp, 41, 0xff);
    EXPECT(&warp, "00@0 f0@40w0e 0f@40wf0");
    warp_free(&warp);

    warp = warp_new(&ws_divergence_its);
    warp.model->exit(warp.state, &warp.path, 0x01);
    split(&warp, 0x0e, 20, 11, WS_NOWHERE);
    meet_at(&warp, 41, 0xfe);
    ck_assert_int_eq(meet_at(&warp, 41, 0xff), WS_CONVERGED_JOINED);
    EXPECT(&warp, "fe@41");
    warp_free(&warp);
}
END_TEST

/* WARPSYNC.ALL: all lanes that are alive, at this very instruction. */
START_TEST(its_warpsync_all)
{
    Warp warp = warp_new(&ws_divergence_its), other;

    split(&warp, 0x0f, 20, 11, WS_NOWHERE);
    warp.path.pc = 41;
    ck_assert_int_eq(warp.model->meet_here(warp.state, &warp.path), WS_CONVERGED_SWITCHED);
    EXPECT(&warp, "0f@20 f0@40w0f");
    other = warp_copy(&warp);
    other.path.pc = 45;
    ck_assert_int_eq(other.model->meet_here(other.state, &other.path), WS_CONVERGED_SWITCHED);
    EXPECT(&other, "00@0 f0@40w0f 0f@44wf0");
    warp_free(&other);
    other = warp_copy(&warp);
    other.model->exit(other.state, &other.path, 0x0f);
    EXPECT(&other, "f0@41");
    warp_free(&other);
    warp.path.pc = 41;
    ck_assert_int_eq(warp.model->meet_here(warp.state, &warp.path), WS_CONVERGED_JOINED);
    EXPECT(&warp, "ff@41");
    warp_free(&warp);
}
END_TEST

/* ---- equal states ------------------------------------------------------------------------------
 */

static void leave_one(Warp *warp)
{
    warp->model->exit(warp->state, &warp->path, 0x80);
}

static void yield_once(Warp *warp)
{
    warp->model->yield(warp->state, &warp->path);
    warp->model->yield(warp->state, &warp->path);
}

static void split_more(Warp *warp)
{
    split(warp, 0x10, 25, 12, WS_NOWHERE);
}

static void enter_again(Warp *warp)
{
    warp->model->enter(warp->state, &warp->path, 5);
}

/* Two states are the same if lanes alive, paths set aside, what is at hand, and groups are. */
START_TEST(its_same)
{
    static void (*const changes[])(Warp * warp) = {leave_one, yield_once, split_more, enter_again};
    Warp a = warp_new(&ws_divergence_its);

    a.model->enter(a.state, &a.path, 0);
    split(&a, 0x0f, 20, 11, WS_NOWHERE);
    for (guint i = 0; i < G_N_ELEMENTS(changes); i++) {
        Warp b = warp_copy(&a);

        changes[i](&b);
        ck_assert_msg(!a.model->same(a.state, b.state), "change %u", i);
        warp_free(&b);
    }
    Warp counted = warp_copy(&a);
    counted.model->turn(counted.state, 10);
    ck_assert(a.model->same(a.state, counted.state));
    warp_free(&counted);
    warp_free(&a);
}
END_TEST

/* A path set aside differs by its lanes, its place, how it waits, where and for whom. */
START_TEST(its_same_paths)
{
    enum { BLOCK, SYNC, MEET };
    static const struct {
        guint64 taken;
        guint32 pc;
        guint how, where;
    } rows[] = {
        {0x0f, 41, BLOCK, 0}, {0x07, 41, BLOCK, 0},   {0x0f, 42, BLOCK, 0},   {0x0f, 41, BLOCK, 1},
        {0x0f, 41, SYNC, 0},  {0x0f, 41, MEET, 0xff}, {0x0f, 41, MEET, 0xfe},
    };
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        for (guint j = 0; j < G_N_ELEMENTS(rows); j++) {
            Warp both[2];
            for (guint k = 0; k < 2; k++) {
                guint row = k == 0 ? i : j;
                Warp *warp = &both[k];

                *warp = warp_new(&ws_divergence_its);
                warp->model->enter(warp->state, &warp->path, 0);
                split(warp, 0xff & ~rows[row].taken, 20, 11, WS_NOWHERE);
                if (rows[row].how == BLOCK)
                    wait_at(warp, rows[row].pc, rows[row].where);
                else if (rows[row].how == SYNC)
                    sync_at(warp, rows[row].pc, 0);
                else
                    meet_at(warp, rows[row].pc, rows[row].where);
            }
            ck_assert_msg(both[0].model->same(both[0].state, both[1].state) == (i == j),
                          "rows %u, %u", i, j);
            warp_free(&both[0]);
            warp_free(&both[1]);
        }
    }
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, its_sides_meet);
    tcase_add_test(cases, its_nobody_to_wait_for);
    tcase_add_test(cases, its_not_waited_for);
    tcase_add_test(cases, its_groups);
    tcase_add_test(cases, its_left_behind);
    tcase_add_test(cases, its_set_of_ended_lanes);
    tcase_add_test(cases, its_set);
    tcase_add_test(cases, its_warpsync);
    tcase_add_test(cases, its_warpsync_masks);
    tcase_add_test(cases, its_warpsync_all);
    tcase_add_test(cases, its_same);
    tcase_add_test(cases, its_same_paths);
}

int main(void)
{
    return run_suite("its_model", add_tests);
}
