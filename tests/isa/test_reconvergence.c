#include <string.h>

#include "isa/flow/branch_uniformity.h"
#include "isa/text/assembler.h"
#include "isa/text/disassembler.h"
#include "tests/support/suite.h"

static WsProgram *assemble(const char *text)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *all = g_strconcat(".kernel k\n", text, NULL);
    WsProgram *program = ws_assemble("t.wsasm", all, strlen(all), NULL, &error);
    ck_assert_msg(program != NULL, "%s", error != NULL ? error->message : "");
    return program;
}

/* The code, one instruction a line, with byte addresses as targets. */
static char *listing(const WsProgram *program)
{
    GString *out = g_string_new(NULL);
    for (guint32 i = 0; i < program->instruction_count; i++) {
        ws_instruction_append_text(out, &program->instructions[i], NULL);
        g_string_append_c(out, '\n');
    }
    return g_string_free(out, FALSE);
}

static const struct {
    const char *text;
    const char *expected;
} cases[] = {
    /* if / else */
    {"S2R R0, SR_TID.X\n"
     "ISETP.LT P0, R0, 16\n"
     "@P0 BRA then\n"
     "MOV R1, 1\n"
     "BRA join\n"
     "then: MOV R1, 2\n"
     "join: EXIT\n",
     "S2R R0, SR_TID.X\n"
     "ISETP.LT.AND P0, PT, R0, 0x10, PT\n"
     "BSSY B0, 0x70\n"
     "@P0 BRA 0x60\n"
     "MOV R1, 0x1\n"
     "BRA 0x70\n"
     "MOV R1, 0x2\n"
     "BSYNC B0\n"
     "EXIT\n"},
    /* a function that is called between BSSY and BSYNC has a barrier of its own */
    {"S2R R0, SR_TID.X\n"
     "ISETP.LT P0, R0, 16\n"
     "@P0 BRA join\n"
     "CALL.REL R4, function\n"
     "join: EXIT\n"
     "function: ISETP.LT P1, R0, 20\n"
     "@P1 BRA back\n"
     "MOV R1, 1\n"
     "back: RET.REL R4\n",
     "S2R R0, SR_TID.X\n"
     "ISETP.LT.AND P0, PT, R0, 0x10, PT\n"
     "BSSY B0, 0x50\n"
     "@P0 BRA 0x50\n"
     "CALL.REL R4, 0x70\n"
     "BSYNC B0\n"
     "EXIT\n"
     "ISETP.LT.AND P1, PT, R0, 0x14, PT\n"
     "BSSY B1, 0xb0\n"
     "@P1 BRA 0xb0\n"
     "MOV R1, 0x1\n"
     "BSYNC B1\n"
     "RET.REL R4\n"},
    /* a branch to an endless loop parts lanes for good; the one around it joins as without it */
    {"S2R R0, SR_TID.X\n"
     "ISETP.LT P0, R0, 16\n"
     "@P0 BRA join\n"
     "ISETP.LT P1, R0, -1\n"
     "@P1 BRA endless\n"
     "MOV R1, 1\n"
     "join: EXIT\n"
     "endless: BRA endless\n",
     "S2R R0, SR_TID.X\n"
     "ISETP.LT.AND P0, PT, R0, 0x10, PT\n"
     "BSSY B0, 0x70\n"
     "@P0 BRA 0x70\n"
     "ISETP.LT.AND P1, PT, R0, 0xffffffff, PT\n"
     "@P1 BRA 0x90\n"
     "MOV R1, 0x1\n"
     "BSYNC B0\n"
     "EXIT\n"
     "BRA 0x90\n"},
    /* a loop of compare-and-swap takes no lock that the next one would give back */
    {"S2R R0, SR_TID.X\n"
     "loop: ATOMG.CAS.E R4, [R2], R0, R5\n"
     "ISETP.NE P0, R4, R0\n"
     "@P0 BRA loop\n"
     "IADD3 R2, R2, R0\n"
     "ATOMG.CAS.E R4, [R2], R0, R5\n"
     "EXIT\n",
     "S2R R0, SR_TID.X\n"
     "BSSY B0, 0x50\n"
     "ATOMG.CAS.E.U32.GPU R4, [R2], R0, R5\n"
     "ISETP.NE.AND P0, PT, R4, R0, PT\n"
     "@P0 BRA 0x20\n"
     "BSYNC B0\n"
     "IADD3 R2, R2, R0, RZ\n"
     "ATOMG.CAS.E.U32.GPU R4, [R2], R0, R5\n"
     "EXIT\n"},
    /* a loop in a function */
    {"S2R R0, SR_TID.X\n"
     "CALL.REL R4, function\n"
     "EXIT\n"
     "function: IADD3 R0, R0, -1\n"
     "ISETP.GT P0, R0, 0\n"
     "@P0 BRA function\n"
     "RET.REL R4\n",
     "S2R R0, SR_TID.X\n"
     "CALL.REL R4, 0x30\n"
     "EXIT\n"
     "BSSY B0, 0x70\n"
     "IADD3 R0, R0, 0xffffffff, RZ\n"
     "ISETP.GT.AND P0, PT, R0, 0x0, PT\n"
     "@P0 BRA 0x40\n"
     "BSYNC B0\n"
     "RET.REL R4\n"},
    /* nothing for a uniform branch, nor for a guarded EXIT */
    {"S2R R0, SR_TID.X\n"
     "ISETP.LT P0, R0, 16\n"
     "@P0 EXIT\n"
     "S2R R2, SR_CTAID.X\n"
     "ISETP.LT P1, R2, 4\n"
     "@P1 BRA join\n"
     "NOP\n"
     "join: EXIT\n",
     "S2R R0, SR_TID.X\n"
     "ISETP.LT.AND P0, PT, R0, 0x10, PT\n"
     "@P0 EXIT\n"
     "S2R R2, SR_CTAID.X\n"
     "ISETP.LT.AND P1, PT, R2, 0x4, PT\n"
     "@P1 BRA 0x70\n"
     "NOP\n"
     "EXIT\n"},
    /* a loop that lanes leave at different times: set once, before it */
    {"S2R R0, SR_TID.X\n"
     "loop: IADD3 R0, R0, -1\n"
     "ISETP.GT P0, R0, 0\n"
     "@P0 BRA loop\n"
     "EXIT\n",
     "S2R R0, SR_TID.X\n"
     "BSSY B0, 0x50\n"
     "IADD3 R0, R0, 0xffffffff, RZ\n"
     "ISETP.GT.AND P0, PT, R0, 0x0, PT\n"
     "@P0 BRA 0x20\n"
     "BSYNC B0\n"
     "EXIT\n"},
    /* if inside if: two registers, the inner wait first where the joins differ */
    {"S2R R0, SR_TID.X\n"
     "ISETP.LT P0, R0, 16\n"
     "ISETP.LT P1, R0, 8\n"
     "@!P0 BRA outer\n"
     "@!P1 BRA inner\n"
     "NOP\n"
     "inner: MOV R1, 1\n"
     "outer: EXIT\n",
     "S2R R0, SR_TID.X\n"
     "ISETP.LT.AND P0, PT, R0, 0x10, PT\n"
     "ISETP.LT.AND P1, PT, R0, 0x8, PT\n"
     "BSSY B0, 0xa0\n"
     "@!P0 BRA 0xa0\n"
     "BSSY B1, 0x80\n"
     "@!P1 BRA 0x80\n"
     "NOP\n"
     "BSYNC B1\n"
     "MOV R1, 0x1\n"
     "BSYNC B0\n"
     "EXIT\n"},
    /* the same join: one barrier does */
    {"S2R R0, SR_TID.X\n"
     "ISETP.LT P0, R0, 16\n"
     "@P0 BRA join\n"
     "ISETP.LT P1, R0, 8\n"
     "@P1 BRA join\n"
     "NOP\n"
     "join: EXIT\n",
     "S2R R0, SR_TID.X\n"
     "ISETP.LT.AND P0, PT, R0, 0x10, PT\n"
     "BSSY B0, 0x70\n"
     "@P0 BRA 0x70\n"
     "ISETP.LT.AND P1, PT, R0, 0x8, PT\n"
     "@P1 BRA 0x70\n"
     "NOP\n"
     "BSYNC B0\n"
     "EXIT\n"},
    /* an early EXIT on one side does not keep the others apart */
    {"S2R R0, SR_TID.X\n"
     "ISETP.LT P0, R0, 16\n"
     "ISETP.LT P1, R0, 8\n"
     "@!P0 BRA join\n"
     "@!P1 BRA on\n"
     "EXIT\n"
     "on: NOP\n"
     "join: EXIT\n",
     "S2R R0, SR_TID.X\n"
     "ISETP.LT.AND P0, PT, R0, 0x10, PT\n"
     "ISETP.LT.AND P1, PT, R0, 0x8, PT\n"
     "BSSY B0, 0x80\n"
     "@!P0 BRA 0x80\n"
     "@!P1 BRA 0x70\n"
     "EXIT\n"
     "NOP\n"
     "BSYNC B0\n"
     "EXIT\n"},
    /* an if inside a loop that all lanes leave together */
    {"S2R R0, SR_TID.X\n"
     "MOV R1, 4\n"
     "ISETP.LT P0, R0, 16\n"
     "loop: @P0 BRA odd\n"
     "NOP\n"
     "odd: IADD3 R1, R1, -1\n"
     "ISETP.GT P1, R1, 0\n"
     "@P1 BRA loop\n"
     "EXIT\n",
     "S2R R0, SR_TID.X\n"
     "MOV R1, 0x4\n"
     "ISETP.LT.AND P0, PT, R0, 0x10, PT\n"
     "BSSY B0, 0x60\n"
     "@P0 BRA 0x60\n"
     "NOP\n"
     "BSYNC B0\n"
     "IADD3 R1, R1, 0xffffffff, RZ\n"
     "ISETP.GT.AND P1, PT, R1, 0x0, PT\n"
     "@P1 BRA 0x30\n"
     "EXIT\n"},
    /* the branch's join is the head of its loop, the way out is inside: two ways into the loop */
    {"S2R R0, SR_TID.X\n"
     "loop: IADD3 R0, R0, -1\n"
     "ISETP.LT P0, R0, 0\n"
     "@P0 BRA done\n"
     "ISETP.LT P1, R0, 8\n"
     "@P1 BRA loop\n"
     "NOP\n"
     "BRA loop\n"
     "done: EXIT\n",
     "S2R R0, SR_TID.X\n"
     "BSSY B0, 0xc0\n"
     "BRA 0x40\n"
     "BSYNC B1\n"
     "IADD3 R0, R0, 0xffffffff, RZ\n"
     "ISETP.LT.AND P0, PT, R0, 0x0, PT\n"
     "@P0 BRA 0xc0\n"
     "ISETP.LT.AND P1, PT, R0, 0x8, PT\n"
     "BSSY B1, 0x30\n"
     "@P1 BRA 0x30\n"
     "NOP\n"
     "BRA 0x30\n"
     "BSYNC B0\n"
     "EXIT\n"},
    /* a loop left in the middle, whose way back lies behind the way out */
    {"S2R R0, SR_TID.X\n"
     "loop: IADD3 R0, R0, -1\n"
     "ISETP.GT P0, R0, 5\n"
     "@P0 BRA on\n"
     "NOP\n"
     "BRA join\n"
     "on: ISETP.GT P1, R0, 2\n"
     "@P1 BRA loop\n"
     "join: EXIT\n",
     "S2R R0, SR_TID.X\n"
     "BSSY B0, 0x90\n"
     "IADD3 R0, R0, 0xffffffff, RZ\n"
     "ISETP.GT.AND P0, PT, R0, 0x5, PT\n"
     "@P0 BRA 0x70\n"
     "NOP\n"
     "BRA 0x90\n"
     "ISETP.GT.AND P1, PT, R0, 0x2, PT\n"
     "@P1 BRA 0x20\n"
     "BSYNC B0\n"
     "EXIT\n"},
    /* .reconvergence manual */
    {".reconvergence manual\n"
     "S2R R0, SR_TID.X\n"
     "ISETP.LT P0, R0, 16\n"
     "@P0 BRA join\n"
     "NOP\n"
     "join: EXIT\n",
     "S2R R0, SR_TID.X\n"
     "ISETP.LT.AND P0, PT, R0, 0x10, PT\n"
     "@P0 BRA 0x40\n"
     "NOP\n"
     "EXIT\n"},
};

START_TEST(test_placement)
{
    g_autoptr(WsProgram) program = assemble(cases[_i].text);
    g_autofree char *text = listing(program);
    ck_assert_str_eq(text, cases[_i].expected);
}
END_TEST

START_TEST(test_labels_and_places_follow)
{
    g_autoptr(WsProgram) program = assemble(cases[0].text);
    ck_assert_str_eq(program->labels[7], "join");
    ck_assert_str_eq(program->labels[6], "then");
    ck_assert_ptr_null(program->labels[5]);
    static const guint32 lines[] = {2, 3, 4, 4, 5, 6, 7, 8, 8};
    for (guint i = 0; i < G_N_ELEMENTS(lines); i++) {
        ck_assert_uint_eq(program->locations[program->instructions[i].location].line, lines[i]);
    }
}
END_TEST

static guint8 *conditions(const char *text)
{
    g_autofree char *manual = g_strconcat(".reconvergence manual\n.param u64 p\n", text, NULL);
    g_autoptr(WsProgram) program = assemble(manual);
    g_autoptr(WsControlFlow) flow =
        ws_control_flow_new(program->instructions, 0, program->instruction_count);
    return ws_condition_uniformity(program->instructions, flow);
}

/* One condition each, at the instruction behind the number. */
static const struct {
    const char *text;
    guint at;
    WsUniformity expected;
} uniformity[] = {
    {"ISETP.LT P0, RZ, c[p]\n@P0 EXIT\nEXIT", 1, WS_UNIFORM},
    {"S2R R0, SR_CTAID.X\nISETP.LT P0, R0, 3\n@P0 EXIT\nEXIT", 2, WS_WARP_UNIFORM},
    {"S2R R0, SR_TID.X\nISETP.LT P0, R0, 3\n@P0 EXIT\nEXIT", 2, WS_DIVERGENT},
    {"S2R R0, SR_TID.X\nISETP.LT P0, R0, 3\nVOTE.ANY P1, P0\n@P1 EXIT\nEXIT", 3, WS_WARP_UNIFORM},
    {"LDC.64 R2, c[p]\nLDG.E R4, [R2]\nISETP.LT P0, R4, 3\n@P0 EXIT\nEXIT", 3, WS_WARP_UNIFORM},
    {"S2R R0, SR_TID.X\nLDS R4, [R0]\nISETP.LT P0, R4, 3\n@P0 EXIT\nEXIT", 3, WS_DIVERGENT},
    /* a register used twice */
    {"S2R R0, SR_TID.X\nMOV R0, 1\nISETP.LT P0, R0, 3\n@P0 EXIT\nEXIT", 3, WS_UNIFORM},
    /* written under a guard that differs */
    {"S2R R0, SR_TID.X\nISETP.LT P0, R0, 3\nMOV R1, 0\n@P0 MOV R1, 1\nISETP.EQ P1, R1, 0\n"
     "@P1 EXIT\nEXIT",
     5, WS_DIVERGENT},
    /* written on one side of a branch that differs */
    {"S2R R0, SR_TID.X\nISETP.LT P0, R0, 3\nMOV R1, 0\n@P0 BRA on\nMOV R1, 1\n"
     "on: ISETP.EQ P1, R1, 0\n@P1 EXIT\nEXIT",
     6, WS_DIVERGENT},
    /* counted in a loop that lanes leave at different times */
    {"S2R R0, SR_TID.X\nMOV R1, 0\nl: IADD3 R1, R1, 1\nIADD3 R0, R0, -1\nISETP.GT P0, R0, 0\n"
     "@P0 BRA l\nISETP.EQ P1, R1, 4\n@P1 EXIT\nEXIT",
     7, WS_DIVERGENT},
    /* counted in a loop that they leave together */
    {"MOV R1, 0\nl: IADD3 R1, R1, 1\nISETP.LT P0, R1, 4\n@P0 BRA l\nEXIT", 3, WS_UNIFORM},
    /* through a branch table */
    {"S2R R0, SR_TID.X\nMOV R1, 0\nBRX R0, t\nt: BRA a\nBRA b\na: MOV R1, 1\nb: "
     "ISETP.EQ P1, R1, 0\n@P1 EXIT\nEXIT",
     7, WS_DIVERGENT},
};

START_TEST(test_uniformity)
{
    g_autofree guint8 *condition = conditions(uniformity[_i].text);
    ck_assert_uint_eq(condition[uniformity[_i].at], uniformity[_i].expected);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_loop_test(tests, test_placement, 0, G_N_ELEMENTS(cases));
    tcase_add_test(tests, test_labels_and_places_follow);
    tcase_add_loop_test(tests, test_uniformity, 0, G_N_ELEMENTS(uniformity));
}

int main(void)
{
    return run_suite("reconvergence", add_tests);
}
