/* Which register a lane brings to an exchange that a load may still be on its way to. */
#include "sim/lanes/exchange.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/suite.h"

#define MEET(operation) "WARPSYNC 0xffffffff ;\n" operation " ;\n"

/* Each WARPSYNC, by its instruction, and the register, or -1. */
START_TEST(loaded_rows)
{
    static const struct {
        guint32 pc;
        gint row;
        const char *why;
    } rows[] = {
        {1, 7, "the last of four words that are loaded"}, {3, -1, "the register behind them"},
        {7, -1, "computed since it was loaded"},          {11, -1, "loaded in front of a branch"},
        {13, -1, "no other WARPSYNC is for a vote"},      {17, 4, "the first of four"},
    };
    Engine *e = engine_new(
        "textbook", NULL,
        ".reconvergence manual\nLDG.E.128 R4, [R2] ;\n" MEET("SHFL.IDX R12, R7, 0, 0x1f")
            MEET("SHFL.IDX R12, R8, 0, 0x1f") "LDG.E R9, [R2] ;\nIADD3 R9, R9, 1, RZ ;\n" MEET(
                "SHFL.IDX R12, R9, 0, 0x1f") "LDG.E R20, [R2] ;\nBRA next ;\n"
                                             "next: " MEET("SHFL.IDX R12, R20, 0, 0x1f")
                                                 MEET("VOTE.ANY R16, P0") "LDG.E.128 R4, [R2] "
                                                                          ";\nNOP ;\n" MEET(
                                                                              "SHFL.IDX R12, R4, "
                                                                              "0, 0x1f") "EXIT ;\n",
        1, 32, 1);
    static const guint32 one[3] = {1, 1, 1}, block[3] = {32, 1, 1};
    g_autofree guint8 *bank = g_malloc0(WS_CONSTANT_BANK_BYTES);
    const guint8 *banks[WS_CONSTANT_BANKS] = {bank};
    WsDecodedProgram *decoded = ws_decode(e->job->program, e->job->launches[0].kernel,
                                          e->job->device, one, block, 0, banks, NULL);

    ck_assert_ptr_nonnull(decoded);
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        gint row = ws_exchange_loaded_row(decoded, rows[i].pc);
        ck_assert_msg(row == rows[i].row, "%s: %d", rows[i].why, row);
    }
    ws_decoded_program_free(decoded);
    engine_free(e);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, loaded_rows);
}

int main(void)
{
    return run_suite("exchange_rows", add_tests);
}
