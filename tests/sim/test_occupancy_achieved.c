/*
 * Achieved occupancy and what separates it from the theoretical one. engine_run() checks that
 * residency and losses add up; here every cause occurs where it must, and the events of an
 * observer, added up cycle by cycle, agree.
 */
#include <check.h>
#include <string.h>

#include "sim/report/occupancy_trace.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/random_kernel.h"

static const WsOccupancySummary *run(Engine *e)
{
    e->options.observers = NULL;
    return &engine_run(e)->launches[0].occupancy;
}

static guint64 others(const WsOccupancySummary *occupancy, WsOccupancyLoss loss)
{
    guint64 sum = 0;

    for (guint i = 0; i < WS_LOSS_COUNT; i++)
        sum += i == loss ? 0 : occupancy->losses[i];
    return sum;
}

static const char loop[] = "MOV R1, 400 ;\n"
                           "again: IADD3 R1, R1, -1, RZ ;\n"
                           "ISETP.GT P1, R1, RZ ;\n"
                           "@P1 BRA again ;\n"
                           "EXIT ;\n";

/* Three SMs, two blocks: one SM is idle, the others hold one block of four. */
START_TEST(too_few_blocks)
{
    const char *settings[] = {"sms=3", "limits.blocks_per_sm=4", NULL};
    Engine *e = engine_new("h200", settings, loop, 2, 64, 1);
    const WsOccupancySummary *o = run(e);

    ck_assert_uint_eq(o->idle_sms, 1);
    ck_assert_uint_eq(o->possible_warp_cycles, 8 * e->result->total.active_sm_cycles);
    ck_assert_uint_eq(o->losses[WS_LOSS_TOO_FEW_BLOCKS], 3 * 2 * e->result->total.active_sm_cycles);
    ck_assert_uint_eq(others(o, WS_LOSS_TOO_FEW_BLOCKS), o->losses[WS_LOSS_SHORT_WARPS]);
    engine_free(e);
}
END_TEST

/* Four blocks of one warp start 1000 cycles apart: 1000 + 2000 + 3000 warp-cycles, and the same
 * again at the end. */
START_TEST(ramp_up)
{
    const char *settings[] = {"sms=1", "limits.blocks_per_sm=4", "launch.interval=1000", NULL};
    Engine *e = engine_new("h200", settings, loop, 4, 32, 1);
    const WsOccupancySummary *o = run(e);

    ck_assert_uint_eq(o->losses[WS_LOSS_RAMP_UP], 6000);
    ck_assert_uint_gt(o->losses[WS_LOSS_TAIL],
                      5000); /* the last block finds instructions at hand */
    ck_assert_uint_le(o->losses[WS_LOSS_TAIL], 6500);
    ck_assert_uint_eq(o->losses[WS_LOSS_TURNOVER] + o->losses[WS_LOSS_SHORT_WARPS] +
                          o->losses[WS_LOSS_TOO_FEW_BLOCKS],
                      0);
    engine_free(e);
}
END_TEST

/* Two places, seven blocks, each with its own number of rounds: turnover, and a tail of one. */
START_TEST(turnover_and_tail)
{
    const char *settings[] = {"sms=1", "limits.blocks_per_sm=2", "launch.interval=0",
                              "launch.gap=0", NULL};
    Engine *e = engine_new("h200", settings,
                           "S2R R1, SR_CTAID.X ;\n"
                           "IMAD R1, R1, 300, RZ ;\n"
                           "IADD3 R1, R1, 300, RZ ;\n"
                           "again: IADD3 R1, R1, -1, RZ ;\n"
                           "ISETP.GT P1, R1, RZ ;\n"
                           "@P1 BRA again ;\n"
                           "EXIT ;\n",
                           7, 32, 1);
    const WsOccupancySummary *o = run(e);
    const WsDevice *device = e->job->device;

    /* Five of the seven blocks follow another one: turnover less the drain, from the end of a warp;
     * the last launch_latency cycles of it the next block is there already. */
    ck_assert_uint_eq(
        o->losses[WS_LOSS_TURNOVER],
        5 * (device->block_turnover - device->drain_latency -
             MIN(device->launch_latency, device->block_turnover - device->drain_latency)));
    ck_assert_uint_gt(o->losses[WS_LOSS_TAIL], 3000);
    ck_assert_uint_eq(o->losses[WS_LOSS_RAMP_UP] + o->losses[WS_LOSS_TOO_FEW_BLOCKS], 0);
    engine_free(e);
}
END_TEST

/* Warp 0 of each block runs on while the other three have ended. */
START_TEST(short_warps)
{
    const char *settings[] = {"sms=2", "limits.blocks_per_sm=1", NULL};
    Engine *e = engine_new("h200", settings,
                           "S2R R0, SR_TID.X ;\n"
                           "ISETP.GT P0, R0, 31 ;\n"
                           "@P0 EXIT ;\n"
                           "MOV R1, 1000 ;\n"
                           "again: IADD3 R1, R1, -1, RZ ;\n"
                           "ISETP.GT P1, R1, RZ ;\n"
                           "@P1 BRA again ;\n"
                           "EXIT ;\n",
                           2, 128, 1);
    const WsOccupancySummary *o = run(e);

    ck_assert_uint_eq(others(o, WS_LOSS_SHORT_WARPS), 0);
    ck_assert_double_gt((double)o->losses[WS_LOSS_SHORT_WARPS],
                        0.7 * (double)o->possible_warp_cycles);
    ck_assert_uint_eq(o->imbalance_sm_cycles,
                      2 * e->result->total.elapsed_cycles - e->result->total.active_sm_cycles);
    engine_free(e);
}
END_TEST

/* ---- random launches ---------------------------------------------------------------------------
 */

/* Sums (cycles at which an SM had a warp) and (warps x cycles) of a CSV of resident warps. */
static void add_up(const char *csv, guint64 *ret_active, guint64 *ret_warp_cycles)
{
    g_auto(GStrv) lines = g_strsplit(csv, "\n", -1);
    gint64 sm = -1, cycle = 0, warps = 0;

    ck_assert_str_eq(lines[0], "sm,cycle,warps");
    for (guint i = 1; *lines[i] != '\0'; i++) {
        g_auto(GStrv) fields = g_strsplit(lines[i], ",", -1);
        gint64 row[3];

        for (guint k = 0; k < 3; k++)
            row[k] = (gint64)g_ascii_strtoull(fields[k], NULL, 10);
        if (row[0] == sm) {
            ck_assert_int_gt(row[1], cycle);
            ck_assert_int_ne(row[2], warps);
            *ret_active += warps != 0 ? (guint64)(row[1] - cycle) : 0;
            *ret_warp_cycles += (guint64)(warps * (row[1] - cycle));
        } else {
            ck_assert_int_gt(row[0], sm);
            ck_assert_int_eq(warps, 0);
        }
        sm = row[0];
        cycle = row[1];
        warps = row[2];
    }
    ck_assert_int_eq(warps, 0);
}

START_TEST(random_launches)
{
    static const char *const models[] = {"divergence.model=stack", "divergence.model=its"};
    static const char *const intervals[] = {"launch.interval=0", "launch.interval=24",
                                            "launch.interval=700"};
    static const char *const turnovers[] = {"launch.turnover=0", "launch.turnover=370",
                                            "launch.turnover=2000"};
    /* a block is in its place that long before its first instruction, turnover permitting */
    static const char *const latencies[] = {"launch.latency=0", "launch.latency=160",
                                            "launch.latency=5000"};
    guint places = 1 + (guint)_i % 4, threads = 20 + 37 * ((guint)_i % 5);
    guint blocks = 1 + 13 * ((guint)_i % 7), sms = 1 + (guint)_i % 6;
    g_autofree char *limit = g_strdup_printf("limits.blocks_per_sm=%u", places);
    g_autofree char *count = g_strdup_printf("sms=%u", sms);
    const char *settings[] = {count,
                              limit,
                              models[_i % 2],
                              intervals[_i % 3],
                              turnovers[_i / 3 % 3],
                              latencies[_i / 9 % 3],
                              NULL};
    g_autofree char *text = random_kernel((guint64)_i + 900, threads, blocks);
    Engine *e =
        engine_new("h200", settings, text, blocks, threads, blocks * threads * RANDOM_KERNEL_WORDS);
    g_autoptr(WsOccupancyTrace) trace = ws_occupancy_trace_new(NULL, sms, NULL);
    guint64 active = 0, warp_cycles = 0, whole;
    g_autofree char *csv = NULL;

    e->observers[0] = ws_occupancy_trace_observer(trace);
    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    csv = ws_occupancy_trace_csv(trace);
    add_up(csv, &active, &warp_cycles);
    ck_assert_uint_eq(active, e->result->total.active_sm_cycles);
    ck_assert_uint_eq(warp_cycles, e->result->total.warp_cycles);
    ck_assert_uint_eq(e->result->launches[0].occupancy.idle_sms, sms - MIN(sms, blocks));
    /* cut off anywhere, what there is adds up as well */
    whole = e->result->total.elapsed_cycles;
    e->options.observers = NULL;
    for (guint64 part = 1; part < 8; part += 3) {
        e->options.max_cycles = MAX(whole * part / 8, 1);
        engine_run(e);
        ck_assert_int_eq(e->result->status, WS_STATUS_LIMIT);
    }
    engine_free(e);
}
END_TEST

/* ---- the trace's list of SMs -------------------------------------------------------------------
 */

START_TEST(lists)
{
    static const char *const wrong[] = {"",   "x",   "1,", "2-1", "1-",
                                        "-1", "0 1", "4",  "0-4", "99999999999999"};
    const char *settings[] = {"sms=4", NULL};
    Engine *e = engine_new("h200", settings, "EXIT ;\n", 4, 32, 1);
    g_autoptr(WsOccupancyTrace) some = ws_occupancy_trace_new("3,0-1", 4, NULL);
    g_autofree char *csv = NULL;

    for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;
        ck_assert_ptr_null(ws_occupancy_trace_new(wrong[i], 4, &error));
        ck_assert_ptr_nonnull(error);
    }
    e->observers[0] = ws_occupancy_trace_observer(some);
    engine_run(e);
    csv = ws_occupancy_trace_csv(some);
    ck_assert_ptr_nonnull(strstr(csv, "\n0,0,1\n"));
    ck_assert_ptr_nonnull(strstr(csv, "\n1,0,1\n"));
    ck_assert_ptr_null(strstr(csv, "\n2,"));
    ck_assert_ptr_nonnull(strstr(csv, "\n3,0,1\n"));
    engine_free(e);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("occupancy_achieved");
    TCase *tcase = tcase_create("occupancy_achieved");
    SRunner *runner;
    int failed;

    tcase_add_test(tcase, too_few_blocks);
    tcase_add_test(tcase, ramp_up);
    tcase_add_test(tcase, turnover_and_tail);
    tcase_add_test(tcase, short_warps);
    tcase_add_loop_test(tcase, random_launches, 0, 84);
    tcase_add_test(tcase, lists);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
