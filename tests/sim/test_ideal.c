/*
 * What-if runs: each setting `ideal.*`, and those that do the same for one part of the machine,
 * takes what it says off a kernel that loses time to this, and nothing off the others. Values are
 * the same in every run, which a second table holds the memory to.
 */
#include <string.h>

#include "tests/support/engine_fixture.h"
#include "tests/support/suite.h"

#define FOUR(x)  x x x x
#define MANY(x)  FOUR(FOUR(x))
#define START    ".shared 16384\nS2R R0, SR_TID.X ;\nLDC.64 R6, c[x] ;\nMOV R5, 1 ;\n"
#define OWN(by)  "IMAD.WIDE R8, R0, " by ", R6 ;\n"
#define FINISH   "STG.E [R8], R5 ;\nEXIT ;\n"
#define ADD      "IADD3 R5, R5, R0, RZ ;\n"
#define SHARED   "SHF.L.U32 R3, R0, 7, RZ ;\n"
#define AND_STEP "LDS R4, [R3] ;\nIADD3 R4, R4, R5, RZ ;\nSTS [R3], R4 ;\n"

static const char *const kernels[] = {
    START OWN("4") MANY(FOUR(ADD)) FINISH,
    START OWN("128")
        MANY("LDG.E R4, [R8] ;\nIADD3 R5, R4, R5, RZ ;\nSTG.E [R8], R5 ;\n") "EXIT ;\n",
    START MANY("RED.E.ADD [R6], R0 ;\n") "EXIT ;\n",
    START OWN("4") SHARED MANY(AND_STEP) FINISH,
    START OWN("4") MANY("BAR.SYNC 0 ;\n" ADD) FINISH,
    START OWN("4") "LOP3.LUT R3, R0, R5, RZ, 0xc0 ;\nISETP.NE P0, R3, 0 ;\n@P0 BRA odd ;\n" MANY(
        ADD) "BRA last ;\nodd:\n" MANY("IADD3 R5, R5, 3, RZ ;\n") "last:\n" FINISH,
};

enum { DEPENDENCES, COALESCING, ATOMICS, BANKS, BARRIERS, DIVERGENCE };
enum { BLOCKS = 2, THREADS = 128, WORDS = 4096 };

/* Cycles on one SM of an H200, and those of the setting; the others of the table bring less than a
 * tenth of this. */
static const struct {
    const char *setting;
    int kernel;
    guint64 cycles, ideal;
} rows[] = {
    {"ideal.dependences=on", DEPENDENCES, 682, 665},
    {"ideal.coalescing=on", COALESCING, 9378, 2200},
    {"ideal.atomics=on", ATOMICS, 6343, 649},
    {"memory.shared.conflicts=off", BANKS, 8602, 1033},
    {"ideal.barriers=on", BARRIERS, 743, 494},
    {"ideal.divergence=on", DIVERGENCE, 618, 533},
    {"ideal.caches=on", COALESCING, 9378, 8823},
    {"ideal.bandwidth=2", COALESCING, 9378, 9020},
    {"fetch.model=ideal", DEPENDENCES, 682, 496},
};

static Engine *run(const char *text, const char *setting)
{
    const char *settings[] = {"sms=1", setting, NULL};
    Engine *e = engine_new("h200", settings, text, BLOCKS, THREADS, WORDS);

    engine_run(e);
    ck_assert_msg(e->result->status == WS_STATUS_OK, "%s", e->result->stop.message);
    return e;
}

static guint64 cycles_of(const char *text, const char *setting)
{
    Engine *e = run(text, setting);
    guint64 cycles = e->result->total.cycles;

    engine_free(e);
    return cycles;
}

START_TEST(cycles)
{
    const char *text = kernels[rows[_i].kernel];
    guint64 plain = cycles_of(text, NULL), ideal = cycles_of(text, rows[_i].setting);

    ck_assert_msg(plain == rows[_i].cycles && ideal == rows[_i].ideal,
                  "%s: %" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT, rows[_i].setting, plain, ideal);
}
END_TEST

/* Every setting with every kernel, on devices of either kind of memory and of dependences. */
START_TEST(values)
{
    static const char *const devices[] = {"h200", "v100", "textbook"};

    for (guint k = 0; k < G_N_ELEMENTS(kernels); k++) {
        const char *settings[] = {"sms=1", rows[_i].setting, NULL}, *plain[] = {"sms=1", NULL};

        for (guint d = 0; d < G_N_ELEMENTS(devices); d++) {
            Engine *is = engine_new(devices[d], settings, kernels[k], BLOCKS, THREADS, WORDS);
            Engine *ought = engine_new(devices[d], plain, kernels[k], BLOCKS, THREADS, WORDS);
            engine_run(is);
            engine_run(ought);
            ck_assert_int_eq(is->result->status, ought->result->status);
            ck_assert_msg(memcmp(engine_words(is), engine_words(ought), WORDS * 4) == 0,
                          "%s, kernel %u, %s", rows[_i].setting, k, devices[d]);
            engine_free(is);
            engine_free(ought);
        }
    }
}
END_TEST

/* One block slot: three blocks run at once instead of one after the other. */
START_TEST(blocks)
{
    const char *text = "MOV R5, 1 ;\n" MANY(FOUR("IADD3 R5, R5, R5, RZ ;\n")) "EXIT ;\n";
    const char *one[] = {"limits.blocks_per_sm=1", "sms=1", NULL};
    const char *all[] = {"limits.blocks_per_sm=1", "sms=1", "ideal.blocks=on", NULL};
    Engine *plain = engine_new("h200", one, text, 3, 32, 4);
    Engine *ideal = engine_new("h200", all, text, 3, 32, 4);

    engine_run(plain);
    engine_run(ideal);
    ck_assert_uint_gt(plain->result->total.cycles, 2 * ideal->result->total.cycles);
    engine_free(plain);
    engine_free(ideal);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, cycles, 0, G_N_ELEMENTS(rows));
    tcase_add_loop_test(cases, values, 0, G_N_ELEMENTS(rows));
    tcase_add_test(cases, blocks);
}

int main(void)
{
    return run_suite("ideal", add_tests);
}
