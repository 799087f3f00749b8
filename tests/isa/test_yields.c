/* Loops that wait for memory let other warps run; loops that end by themselves do not. */
#include "isa/converge/convergence.h"
#include "tests/support/ir_text.h"
#include "tests/support/suite.h"

static const struct {
    const char *what, *text;
    guint yields;
} cases[] = {
    {"an atomic decides",
     "S2R R0, SR_TID.X\n"
     "ATOMG.EXCH.E.U32.GPU R1, [R2], R0; ISETP.NE P0, R1, RZ -> P0 ? 1 : 2\n-> exit",
     1},
    {"a volatile load decides",
     "S2R R0, SR_TID.X\nLDG.E.STRONG.SYS R1, [R2]; ISETP.NE P0, R1, RZ -> P0 ? 1 : 2\n-> exit", 1},
    {"a plain load changes for nobody",
     "S2R R0, SR_TID.X\nLDG.E R1, [R2]; ISETP.NE P0, R1, RZ -> P0 ? 1 : 2\n-> exit", 0},
    {"shared memory at one place decides",
     "S2R R0, SR_TID.X\nLDS R1, [R0]; ISETP.NE P0, R1, RZ -> P0 ? 1 : 2\n-> exit", 1},
    {"a walk through shared memory waits for nobody",
     "S2R R0, SR_TID.X\n"
     "LDS R1, [R0]; IADD3 R0, R0, 4, RZ; ISETP.NE P0, R1, RZ -> P0 ? 1 : 2\n-> exit",
     0},
    {"a count decides beside an atomic",
     "S2R R0, SR_TID.X; MOV R4, RZ\n"
     "ATOMG.ADD.E.U32.GPU R1, [R2], R0; IADD3 R4, R4, 1, RZ; ISETP.LT P0, R4, 9 -> P0 ? 1 : 2\n"
     "-> exit",
     0},
    {"what is computed from an atomic decides",
     "S2R R0, SR_TID.X\n"
     "ATOMG.EXCH.E.U32.GPU R1, [R2], R0; IADD3 R4, R1, -1, RZ; LOP3.LUT R5, R4, R0, RZ, 0xc0; "
     "ISETP.NE P0, R5, RZ -> P0 ? 1 : 2\n-> exit",
     1},
    {"an atomic of the round before decides",
     "S2R R0, SR_TID.X; MOV R1, RZ\n"
     "ISETP.NE P0, R1, RZ; ATOMG.EXCH.E.U32.GPU R1, [R2], R0 -> P0 ? 2 : 1\n-> exit",
     1},
    {"the branch that stays in the loop does not decide",
     "S2R R0, SR_TID.X; MOV R4, RZ\n"
     "ATOMG.EXCH.E.U32.GPU R1, [R2], R0; ISETP.NE P1, R1, RZ -> P1 ? 2 : 3\n"
     "STS [RZ], R1\n"
     "IADD3 R4, R4, 1, RZ; ISETP.LT P0, R4, 9 -> P0 ? 1 : 4\n-> exit",
     0},
    {"a way out in the middle decides",
     "S2R R0, SR_TID.X\n"
     "ATOMG.EXCH.E.U32.GPU R1, [R2], R0; ISETP.EQ P0, R1, RZ -> P0 ? 3 : 2\n"
     "STS [RZ], R0 -> 1\n-> exit",
     1},
    {"no loop",
     "ATOMG.EXCH.E.U32.GPU R1, [R2], RZ; ISETP.NE P0, R1, RZ -> P0 ? 1 : 2\n"
     "STS [RZ], R1\n-> exit",
     0},
    {"an atomic in front of the loop decides once",
     "ATOMG.EXCH.E.U32.GPU R1, [R2], RZ; ISETP.NE P0, R1, RZ; MOV R4, RZ\n"
     "IADD3 R4, R4, 1, RZ; ISETP.LT P1, R4, 9 -> P1 ? 1 : 2\n-> exit",
     0},
    {"two loops, one waits",
     "S2R R0, SR_TID.X; MOV R4, RZ\n"
     "IADD3 R4, R4, 1, RZ; ISETP.LT P1, R4, 9 -> P1 ? 1 : 2\n"
     "LDS R1, [R0]; ISETP.NE P0, R1, RZ -> P0 ? 2 : 3\n-> exit",
     1},
    {"two ways back to one header",
     "S2R R0, SR_TID.X\n"
     "LDS R1, [R0]; ISETP.EQ P0, R1, RZ -> P0 ? 4 : 2\n"
     "ISETP.EQ P1, R1, 1 -> P1 ? 1 : 3\n"
     "STS [RZ+8], R0 -> 1\n-> exit",
     2},
};

START_TEST(yields)
{
    WsIrFunction *function = ir_from_text(cases[_i].text);

    g_free(ws_yield_in_spin_loops(function));
    ck_assert_msg(ir_count(function, "YIELD") == cases[_i].yields, "%s: %u yields", cases[_i].what,
                  ir_count(function, "YIELD"));
    ws_ir_function_free(function);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_loop_test(tests, yields, 0, G_N_ELEMENTS(cases));
}

int main(void)
{
    return run_suite("yields", add_tests);
}
