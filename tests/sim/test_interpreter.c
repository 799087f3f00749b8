/* The functional interpreter: results equal to the engine's, and its own ways to stop. */
#include <string.h>

#include "isa/base/error.h"
#include "sim/interpreter/interpreter.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/suite.h"

#define ADDRESS                                                                                    \
    "S2R R0, SR_TID.X ;\nS2R R1, SR_CTAID.X ;\nIMAD R1, R1, 64, R0 ;\n"                            \
    "MOV R2, c[x] ;\nMOV R3, c[x+4] ;\nIMAD.WIDE.U32 R2, R1, 4, R2 ;\n"

/* Takes a lock, counts, and gives it back. */
#define LOCKED(label)                                                                              \
    label ": ATOMG.CAS.E R14, [R8+8], R12, R13 ;\nISETP.NE P4, R14, RZ ;\n@P4 YIELD ;\n@P4 "       \
          "BRA " label " ;\nRED.E.ADD [R8], R13 ;\nMEMBAR.GPU ;\nATOMG.EXCH.E R14, [R8+8], RZ ;\n"

static const char *const kernels[] = {
    /* A loop that lanes leave one by one, and two sides that meet again. */
    ADDRESS "MOV R4, R0 ;\nMOV R5, 0x3f800000 ;\n"
            "loop:\nFFMA R5, R5, 1.5, R5 ;\nIADD3 R4, R4, -1, RZ ;\n"
            "ISETP.GT P0, R4, 0 ;\n@P0 BRA loop ;\n"
            "LOP3.LUT R6, R0, 1, RZ, 0xc0 ;\nISETP.EQ P1, R6, 0 ;\n@P1 BRA even ;\n"
            "FMUL R5, R5, 3.0 ;\nBRA out ;\neven:\nFADD R5, R5, 7.0 ;\nout:\n"
            "SHFL.BFLY R7, R5, 1, 0x1f ;\nFADD R5, R5, R7 ;\nSTG.E [R2], R5 ;\nEXIT ;\n",
    /* Shared memory across warps, with a barrier; threads past 40 leave early. */
    ".shared 256\n" ADDRESS "SHF.L.U32 R4, R0, 2, RZ ;\nIMAD R5, R1, 3, RZ ;\nSTS [R4], R5 ;\n"
    "BAR.SYNC 0 ;\nISETP.GT P0, R0, 40 ;\n@P0 EXIT ;\nBAR.SYNC 0 ;\n"
    "LOP3.LUT R4, R4, 0xfc, RZ, 0x3c ;\nLDS R6, [R4] ;\nSTG.E [R2], R6 ;\nEXIT ;\n",
    /* Atomics on one word, and the count of lanes of a vote. */
    ADDRESS "MOV R8, c[x] ;\nMOV R9, c[x+4] ;\nISETP.LT P0, R0, 20 ;\nVOTE.ANY R10, P0 ;\n"
            "POPC R10, R10 ;\nRED.E.ADD [R8], R10 ;\nEXIT ;\n",
    /* A barrier with a count: warps count as a whole, with lanes that have ended. */
    ADDRESS "ISETP.GT P0, R0, 40 ;\n@P0 EXIT ;\nBAR.SYNC 1, 64 ;\nIADD3 R4, R0, 1, RZ ;\n"
            "STG.E [R2], R4 ;\nEXIT ;\n",
    /* Lanes that meet among themselves, while others wait for all. */
    ADDRESS "S2R R5, SR_LANEID ;\nISETP.GE P0, R5, 28 ;\n@P0 BRA outer ;\n"
            "ISETP.LT P1, R5, 1 ;\n@P1 BRA inner ;\nNOP ;\ninner: WARPSYNC 0x0fffffff ;\nNOP ;\n"
            "outer: WARPSYNC 0xffffffff ;\nVOTE.ANY R4, PT ;\nSTG.E [R2], R4 ;\nEXIT ;\n",
    /* All lanes at one place, which some of them come to late. */
    ADDRESS "S2R R5, SR_LANEID ;\nISETP.GE P0, R5, 9 ;\n@P0 BRA meet ;\nNOP ;\n"
            "meet: WARPSYNC.ALL ;\nVOTE.ANY R4, PT ;\nSTG.E [R2], R4 ;\nEXIT ;\n",
    /* One lock taken in three places: who has it must get on while others spin below and above. */
    ADDRESS "MOV R8, c[x] ;\nMOV R9, c[x+4] ;\nMOV R12, RZ ;\nMOV R13, 1 ;\n"
            "LOP3.LUT R5, R0, 3, RZ, 0xc0 ;\nISETP.EQ P0, R5, RZ ;\n@P0 BRA first ;\n"
            "ISETP.EQ P0, R5, 1 ;\n@P0 BRA second ;\n" LOCKED("third") "BRA out ;\n" LOCKED(
                "second") "BRA out ;\n" LOCKED("first") "out: NOP ;\nEXIT ;\n",
    /* A convergence barrier used again by some of its lanes only. */
    ".reconvergence manual\n" ADDRESS
    "MOV R4, 2 ;\nLOP3.LUT R5, R0, 1, RZ, 0xc0 ;\nISETP.EQ P1, R5, RZ ;\n"
    "again:\nISETP.EQ P0, R4, 1 ;\n@P0 BRA P1, join ;\nBSSY B1, join ;\nNOP ;\n"
    "join: BSYNC B1 ;\nIADD3 R4, R4, -1, RZ ;\nISETP.GT P0, R4, RZ ;\n@P0 BRA again ;\n"
    "IADD3 R4, R0, 1, RZ ;\nSTG.E [R2], R4 ;\nEXIT ;\n",
    /* What a barrier adds up, of lanes of two warps. */
    ADDRESS "ISETP.LT P0, R0, 40 ;\nBAR.RED.POPC R4, PT, 0, RZ, P0 ;\n"
            "BAR.RED.OR RZ, P1, 0, RZ, P0 ;\nBAR.RED.AND RZ, P2, 0, RZ, P0 ;\n"
            "ISETP.LT P0, R0, 64 ;\nBAR.RED.AND RZ, P3, 0, RZ, P0 ;\n"
            "@P1 IADD3 R4, R4, 100, RZ ;\n@P2 IADD3 R4, R4, 1000, RZ ;\n"
            "@P3 IADD3 R4, R4, 10000, RZ ;\nSTG.E [R2], R4 ;\nEXIT ;\n",
    /* Four matrices of 16-bit elements, rows of all lanes. */
    ".shared 1024\n" ADDRESS "SHF.L.U32 R4, R0, 4 ;\nMOV R8, R0 ;\nIADD3 R9, R0, 0x10001, RZ ;\n"
    "IMAD R10, R0, 0x305, R1 ;\nLOP3.LUT R11, R10, 0x5a5a, RZ, 0x3c ;\nSTS.128 [R4], R8 ;\n"
    "BAR.SYNC 0 ;\nLDSM.16.M88.4 R8, [R4] ;\nIMAD R8, R9, 3, R8 ;\nIMAD R8, R10, 5, R8 ;\n"
    "IMAD R8, R11, 7, R8 ;\nSTG.E [R2], R8 ;\nEXIT ;\n",
    /* A call, and a table of jumps. */
    ADDRESS "CALL.REL R6, f ;\nLOP3.LUT R4, R0, 3, RZ, 0xc0 ;\nSHF.L.U32 R4, R4, 4, RZ ;\n"
            "BRX R4, table ;\ntable: BRA row0 ;\nBRA row1 ;\nBRA row2 ;\nBRA row1 ;\n"
            "row0: IADD3 R5, R5, 100, RZ ;\nBRA out ;\nrow1: IADD3 R5, R5, 200, RZ ;\nBRA out ;\n"
            "row2: IADD3 R5, R5, 300, RZ ;\nout: STG.E [R2], R5 ;\nEXIT ;\n"
            "f: IADD3 R5, R0, 1, RZ ;\nRET.REL R6 ;\n",
    /* Memory of each thread, by width. */
    ".local 32\n" ADDRESS "MOV R4, R1 ;\nIADD3 R5, R0, 7, RZ ;\nSTL.64 [RZ+8], R4 ;\n"
    "STL.U8 [RZ+9], R0 ;\nSTL.U16 [RZ+14], R0 ;\nLDL.64 R6, [RZ+8] ;\nIMAD R6, R7, 3, R6 ;\n"
    "STG.E [R2], R6 ;\nEXIT ;\n",
    /* Atomics in shared memory; the order of lanes does not show. */
    ".shared 16\n" ADDRESS "ISETP.EQ P0, R0, RZ ;\n@P0 STS [RZ], RZ ;\nBAR.SYNC 0 ;\n"
    "IADD3 R5, R0, 3, RZ ;\nATOMS.ADD R4, [RZ], R5 ;\nBAR.SYNC 0 ;\nLDS R6, [RZ] ;\n"
    "STG.E [R2], R6 ;\nEXIT ;\n",
    /* One warp hands over to the other, which alone waits. */
    ".shared 256\n" ADDRESS "SHF.L.U32 R4, R0, 2, RZ ;\nISETP.GE P0, R0, 32 ;\n@P0 BRA take ;\n"
    "IMAD R5, R0, 3, R1 ;\nSTS [R4], R5 ;\nBAR.ARV 1, 64 ;\nSTG.E [R2], R2 ;\nEXIT ;\n"
    "take: BAR.SYNC 1, 64 ;\nLDS R5, [R4+-128] ;\nSTG.E [R2], R5 ;\nEXIT ;\n",
    /* The first block waits for the second one. */
    ADDRESS "MOV R8, c[x] ;\nMOV R9, c[x+4] ;\nIADD3 R5, R1, 1, RZ ;\nISETP.GE P0, R1, 64 ;\n"
            "@P0 BRA second ;\nwait: LDG.E.STRONG.GPU R4, [R8+256] ;\nISETP.EQ P1, R4, RZ ;\n"
            "@P1 BRA wait ;\nsecond: STG.E.STRONG.GPU [R2], R5 ;\nEXIT ;\n",
    /* Lanes leave a convergence barrier, by themselves and as BMOV says. */
    ".reconvergence manual\n" ADDRESS
    "BSSY B0, join ;\nLOP3.LUT R5, R0, 7, RZ, 0xc0 ;\nISETP.LT P0, R5, 2 ;\nBREAK P0, B0 ;\n"
    "@P0 BRA away ;\nBMOV.R R6, B0 ;\nBMOV.B B0, R6 ;\njoin: BSYNC B0 ;\nVOTE.ANY R4, PT ;\n"
    "BRA out ;\naway: VOTE.ANY R4, PT ;\nout: IADD3 R4, R4, R0, RZ ;\nSTG.E [R2], R4 ;\nEXIT ;\n",
};

START_TEST(same_results_as_the_engine)
{
    const char *settings[] = {"sms=1", NULL};
    Engine *engine = engine_new("h200", settings, kernels[_i], 2, 64, 128);
    Engine *interpreted = engine_new("h200", settings, kernels[_i], 2, 64, 128);
    WsInterpretCounts counts;
    GError *error = NULL;

    engine_run(engine);
    ck_assert_int_eq(engine->result->status, WS_STATUS_OK);
    ck_assert_msg(ws_interpret(interpreted->job, 0, NULL, &counts, &error), "%s",
                  error ? error->message : "");
    ck_assert_mem_eq(engine_words(engine), engine_words(interpreted), 512);
    ck_assert_uint_gt(engine_words(engine)[0], 0);
    ck_assert_uint_gt(counts.warp_instructions, 0);
    engine_free(engine);
    engine_free(interpreted);
}
END_TEST

static const struct {
    const char *text;
    int code;
    const char *message;
} stops[] = {
    {ADDRESS "STG.E [R2+0x10000], R0 ;\nEXIT ;\n", WS_ERROR_FAULT,
     "thread (0,0,0): access out of bounds at 0x10010000"},
    {ADDRESS "LDG.E R4, [R2+2] ;\nEXIT ;\n", WS_ERROR_FAULT, "misaligned"},
    {"S2R R0, SR_TID.X ;\nISETP.EQ P0, R0, 37 ;\n@P0 BPT.TRAP ;\nEXIT ;\n", WS_ERROR_FAULT,
     "thread (37,0,0): trap"},
    {"NOP ;\nBAR.SYNC 0, 96 ;\nEXIT ;\n", WS_ERROR_DEADLOCK,
     "block (0,0,0) waits for ever, thread (0,0,0) at "},
    {"S2R R0, SR_TID.X ;\nISETP.LT P0, R0, 40 ;\n@P0 EXIT ;\nBAR.SYNC 0, 96 ;\nEXIT ;\n",
     WS_ERROR_DEADLOCK, "thread (40,0,0) at "},
    {"loop:\nISETP.EQ P0, R0, 1 ;\n@!P0 BRA loop ;\nEXIT ;\n", WS_ERROR_LIMIT, "more than 100000"},
    {"CALL.REL R6, f ;\nEXIT ;\nf: IADD3 R6, R6, 0x10000, RZ ;\nRET.REL R6 ;\n", WS_ERROR_FAULT,
     "jump to an impossible address"},
    {"S2R R0, SR_TID.X ;\nISETP.LT P0, R0, 5 ;\n@P0 HMMA.16816.F32 R4, R8, R12, R4 ;\nEXIT ;\n",
     WS_ERROR_FAULT, WS_LANES_MISSING},
    {".shared 512\nS2R R0, SR_TID.X ;\nISETP.LT P0, R0, 5 ;\n@P0 LDSM.16.M88 R4, [RZ] ;\nEXIT ;\n",
     WS_ERROR_FAULT, WS_LANES_MISSING},
    {".shared 512\nLDSM.16.M88 R4, [RZ+8] ;\nEXIT ;\n", WS_ERROR_FAULT,
     "matrix row out of bounds or misaligned at 0x8"},
    {".shared 512\nLDSM.16.M88 R4, [RZ+512] ;\nEXIT ;\n", WS_ERROR_FAULT,
     "matrix row out of bounds or misaligned at 0x200"},
    {".local 16\nLDL R4, [RZ+16] ;\nEXIT ;\n", WS_ERROR_FAULT, "access out of bounds at 0x10"},
    {".shared 512\nLDS R4, [RZ+512] ;\nEXIT ;\n", WS_ERROR_FAULT, "out of bounds at 0x200"},
};

START_TEST(stops_with_a_reason)
{
    const WsInterpretOptions options = {.max_warp_instructions = 100000};
    Engine *engine = engine_new("h200", NULL, stops[_i].text, 1, 64, 128);
    GError *error = NULL;

    ck_assert(!ws_interpret(engine->job, 0, &options, NULL, &error));
    ck_assert_msg(g_error_matches(error, WS_ERROR, stops[_i].code) &&
                      strstr(error->message, stops[_i].message),
                  "%s", error->message);
    g_error_free(error);
    engine_free(engine);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, same_results_as_the_engine, 0, G_N_ELEMENTS(kernels));
    tcase_add_loop_test(cases, stops_with_a_reason, 0, G_N_ELEMENTS(stops));
}

int main(void)
{
    return run_suite("interpreter", add_tests);
}
