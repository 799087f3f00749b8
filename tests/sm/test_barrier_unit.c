#include "sim/sm/barrier_unit.h"
#include "tests/sm/units.h"

static WsDevice *device;

static void setup(void)
{
    device = g_new0(WsDevice, 1);
    device->barrier_per_warp = 2;
    device->barrier_latency = 20;
    device->barrier_open_interval_milli = 2500;
    device->barrier_register_latency = 10;
    device->barrier_reduction_latency = 8;
}

static void teardown(void)
{
    g_free(device);
}

/* Arrivals: cycle of the issue, whether it reads a register; when it has been served. */
START_TEST(arrivals)
{
    static const struct {
        guint64 now;
        gboolean reads;
        guint64 served;
    } table[] = {
        {100, FALSE, 102}, {100, FALSE, 104}, /* one after the other */
        {110, FALSE, 112}, {120, TRUE, 132},  /* 10 later */
        {121, TRUE, 134},                     /* also one after the other */
        {123, FALSE, 125},                    /* before them, in a gap */
    };
    WsBarrierUnit unit = {0};

    for (guint i = 0; i < G_N_ELEMENTS(table); i++)
        ck_assert_uint_eq(
            ws_barrier_unit_serve(&unit, device, table[i].reads ? 10 : 0, table[i].now),
            table[i].served);
}
END_TEST

/* Registers are read when the unit begins to serve the arrival. */
START_TEST(reads)
{
    ck_assert_uint_eq(ws_barrier_unit_read(device, 112), 110);
}
END_TEST

/* Openings: when the last arrival was served, and of which kind; when the barrier opens. */
START_TEST(openings)
{
    static const struct {
        guint64 served;
        gboolean in_turn;
        guint64 opens;
    } table[] = {
        {100, FALSE, 120}, {100, FALSE, 123},                   /* 2.5 later, so 3 */
        {100, FALSE, 125}, {110, FALSE, 130}, {112, TRUE, 133}, /* from 112.5 on */
        {112, FALSE, 135},
    };
    WsBarrierUnit unit = {0};

    for (guint i = 0; i < G_N_ELEMENTS(table); i++) {
        const WsBarrier barrier = {.served = table[i].served, .opens_in_turn = table[i].in_turn};
        ck_assert_uint_eq(ws_barrier_unit_open(&unit, device, &barrier, 90), table[i].opens);
    }
    /* Opening behind a register takes a turn of the arrivals too. */
    ck_assert_uint_eq(ws_barrier_unit_serve(&unit, device, 0, 112), 116);
}
END_TEST

/* A barrier does not open before the cycle behind the one that completes it. */
START_TEST(opens_later_than_now)
{
    const WsBarrier late = {.served = 80}, early = {.served = 10};
    WsBarrierUnit unit = {0};

    ck_assert_uint_eq(ws_barrier_unit_open(&unit, device, &late, 90), 100);
    ck_assert_uint_eq(ws_barrier_unit_open(&unit, device, &early, 90), 91);
}
END_TEST

/* Warps ask for their reductions when the barrier opens, and have them one after the other. */
START_TEST(reductions)
{
    WsBarrierUnit unit = {0};

    ck_assert_uint_eq(ws_barrier_unit_reduce(&unit, device, 200, 190), 220);
    ck_assert_uint_eq(ws_barrier_unit_reduce(&unit, device, 200, 190), 222);
    device->barrier_reduction_latency = 0;
    ck_assert_uint_eq(ws_barrier_unit_reduce(&unit, device, 200, 190), 200);
}
END_TEST

void add_barrier_unit(TCase *cases)
{
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, arrivals);
    tcase_add_test(cases, reads);
    tcase_add_test(cases, openings);
    tcase_add_test(cases, opens_later_than_now);
    tcase_add_test(cases, reductions);
}
