/* Who waits for whom: how it is told of many, and of one warp while a run goes on. */
#include <string.h>

#include "sim/gpu/simulation.h"
#include "sim/gpu/stepping.h"
#include "sim/report/waits.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/suite.h"

/* Warps of one block that wait for more than there are: the first 8 are told of. */
static const struct {
    guint warps;
    const char *rest;
} rows[] = {{1, NULL}, {8, NULL}, {9, "\n  and 1 more\n"}, {13, "\n  and 5 more\n"}};

START_TEST(others)
{
    Engine *e = engine_new("h200", NULL, "BAR.SYNC 1, 1024 ;\nEXIT ;\n", 1, 32 * rows[_i].warps, 1);

    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_DEADLOCK);
    ck_assert_uint_eq(e->result->stop.waits->len, rows[_i].warps);
    g_auto(GStrv) lines = g_strsplit(e->result->stop.details, "\n", -1);
    ck_assert_str_eq(lines[0], "who waits for whom:");
    for (guint i = 1; i <= MIN(rows[_i].warps, 8); i++)
        ck_assert_msg(
            strstr(lines[i], "wait at barrier 1 for more threads than the block has left") != NULL,
            "%s", lines[i]);
    if (rows[_i].rest == NULL)
        ck_assert_ptr_null(strstr(e->result->stop.details, " more\n"));
    else
        ck_assert_ptr_nonnull(strstr(e->result->stop.details, rows[_i].rest));
    engine_free(e);
}
END_TEST

/* A block spins on a word that the other writes again and again, and is told who that is. */
START_TEST(of_one_warp)
{
    Engine *e =
        engine_new("h200", NULL,
                   "S2R R0, SR_CTAID.X ;\nLDC.64 R2, c[x] ;\nMOV R4, 100 ;\n"
                   "ISETP.EQ P1, R0, 1 ;\n@P1 BRA write ;\n"
                   "wait: LDG.E.STRONG.GPU R5, [R2+4] ;\nISETP.NE P0, R5, 9 ;\n"
                   "@P0 BRA wait ;\nEXIT ;\n"
                   "write: STG.E.STRONG.GPU [R2+4], R4 ;\nIADD3 R4, R4, 1, RZ ;\nNANOSLEEP 100 ;\n"
                   "@P1 BRA write ;\nEXIT ;\n",
                   2, 32, 4);
    guint32 count;

    e->options.max_cycles = 60000;
    WsSimulation *simulation = ws_simulation_new(e->job, &e->options, FALSE, NULL);
    ck_assert(ws_simulation_advance(simulation, 50000, NULL));
    WsSm *const *sms = ws_simulation_sms(simulation, &count);
    GPtrArray *waits = ws_waits_of_warp(sms, count, sms[0], 0, ws_simulation_memory(simulation));
    ck_assert_uint_eq(waits->len, 1);
    const WsWaiting *waiting = waits->pdata[0];
    ck_assert_int_eq(waiting->kind, WS_WAITS_FOR_VALUE);
    ck_assert_str_eq(waiting->place, "x[1]");
    ck_assert_uint_eq(waiting->block[0], 0);
    ck_assert_uint_gt(waiting->value, 100);
    ck_assert(waiting->writer.known && !waiting->writer_left && !waiting->in_circle);
    ck_assert_uint_eq(waiting->writer_block[0], 1);
    ck_assert_uint_eq(waiting->writer_index, 1); /* it is on the second SM */
    g_ptr_array_unref(waits);
    ws_simulation_free(simulation);
    engine_free(e);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, others, 0, G_N_ELEMENTS(rows));
    tcase_add_test(cases, of_one_warp);
}

int main(void)
{
    return run_suite("waits", add_tests);
}
