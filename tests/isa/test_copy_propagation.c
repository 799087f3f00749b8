/* Who reads a copy reads what it is a copy of, where that is the same. */
#include "isa/optimise/optimise.h"
#include "tests/support/ir_text.h"
#include "tests/support/suite.h"

static const struct {
    const char *what, *text;
    guint block; /* that is looked at */
    const char *expected;
} cases[] = {
    {"a copy in the block", "S2R R0, SR_TID.X; MOV R1, R0; STS [0x0], R1 -> exit", 0,
     "S2R R0, SR_TID.X; MOV R1, R0; STS [0x0], R0"},
    {"a copy of a copy", "S2R R0, SR_TID.X; MOV R1, R0; MOV R2, R1; STS [0x0], R2 -> exit", 0,
     "S2R R0, SR_TID.X; MOV R1, R0; MOV R2, R0; STS [0x0], R0"},
    {"the source is made anew before",
     "S2R R0, SR_TID.X; MOV R1, R0; S2R R0, SR_TID.Y; STS [0x0], R1 -> exit", 0,
     "S2R R0, SR_TID.X; MOV R1, R0; S2R R0, SR_TID.Y; STS [0x0], R1"},
    {"the copy is made anew before",
     "S2R R0, SR_TID.X; MOV R1, R0; S2R R1, SR_TID.Y; STS [0x0], R1 -> exit", 0,
     "S2R R0, SR_TID.X; MOV R1, R0; S2R R1, SR_TID.Y; STS [0x0], R1"},
    {"a copy under a guard is none for all",
     "S2R R0, SR_TID.X; S2R R1, SR_TID.Y; ISETP.GE P0, R0, 4; @P0 MOV R1, R0; STS [0x0], R1 -> "
     "exit",
     0,
     "S2R R0, SR_TID.X; S2R R1, SR_TID.Y; ISETP.GE.AND P0, PT, R0, 0x4, PT; @P0 MOV R1, R0; "
     "STS [0x0], R1"},
    {"a number", "MOV R1, 7; S2R R0, SR_TID.X; IADD3 R2, R0, R1, RZ; STS [0x0], R2 -> exit", 0,
     "MOV R1, 0x7; S2R R0, SR_TID.X; IADD3 R2, R0, 0x7, RZ; STS [0x0], R2"},
    {"a number in front changes places",
     "MOV R1, 7; S2R R0, SR_TID.X; IADD3 R2, R1, R0, RZ; STS [0x0], R2 -> exit", 0,
     "MOV R1, 0x7; S2R R0, SR_TID.X; IADD3 R2, R0, 0x7, RZ; STS [0x0], R2"},
    {"a sum of one is a copy", "S2R R0, SR_TID.X; IADD3 R1, R0, RZ, RZ; STS [0x0], R1 -> exit", 0,
     "S2R R0, SR_TID.X; MOV R1, R0; STS [0x0], R0"},
    {"a sum of one, last", "S2R R0, SR_TID.X; IADD3 R1, RZ, 0, R0; STS [0x0], R1 -> exit", 0,
     "S2R R0, SR_TID.X; MOV R1, R0; STS [0x0], R0"},
    {"a sum of nothing", "IADD3 R1, RZ, RZ, RZ; STS [0x0], R1 -> exit", 0,
     "MOV R1, RZ; STS [0x0], RZ"},
    {"a sum of one under a guard is a copy under it",
     "S2R R0, SR_TID.X; ISETP.GE P0, R0, 4; @!P0 IADD3 R1, R0, RZ, RZ; @!P0 STS [0x0], R1 -> exit",
     0, "S2R R0, SR_TID.X; ISETP.GE.AND P0, PT, R0, 0x4, PT; @!P0 MOV R1, R0; @!P0 STS [0x0], R1"},
    {"a sum of two is none", "S2R R0, SR_TID.X; IADD3 R1, R0, R0, RZ; STS [0x0], R1 -> exit", 0,
     "S2R R0, SR_TID.X; IADD3 R1, R0, R0, RZ; STS [0x0], R1"},
    {"a difference is none", "S2R R0, SR_TID.X; IADD3 R1, -R0, RZ, RZ; STS [0x0], R1 -> exit", 0,
     "S2R R0, SR_TID.X; IADD3 R1, -R0, RZ, RZ; STS [0x0], R1"},
    {"a sum with a carry is none",
     "S2R R0, SR_TID.X; IADD3 R1, P0, R0, RZ, RZ; STS [0x0], R1 -> exit", 0,
     "S2R R0, SR_TID.X; IADD3 R1, P0, R0, RZ, RZ; STS [0x0], R1"},
    {"a copy that comes before on every way", "S2R R0, SR_TID.X; MOV R1, R0\nSTS [0x0], R1 -> exit",
     1, "STS [0x0], R0"},
    {"a copy on one of the ways",
     "S2R R0, SR_TID.X; S2R R1, SR_TID.Y; ISETP.GE P0, R0, 4 -> P0 ? 2 : 1\nMOV R1, R0\n"
     "STS [0x0], R1 -> exit",
     2, "STS [0x0], R1"},
    {"a number that is written once on one of the ways",
     "S2R R0, SR_TID.X; ISETP.GE P0, R0, 4 -> P0 ? 2 : 1\nMOV R1, 5\n"
     "IADD3 R2, R0, R1, RZ; STS [0x0], R2 -> exit",
     2, "IADD3 R2, R0, 0x5, RZ; STS [0x0], R2"},
    {"a pair", "LDC.64 R2, c[0x0][0x210]; MOV R4, R2; LDS R6, [R4]; STS [0x0], R6 -> exit", 0,
     "LDC.64 R2, c[0x0][0x210]; MOV R4, R2; LDS R6, [R2]; STS [0x0], R6"},
};

START_TEST(copies)
{
    WsIrFunction *function = ir_from_text(cases[_i].text);

    ws_propagate_copies(function);
    g_autofree char *text = ir_block_text(function, cases[_i].block);
    ck_assert_msg(g_str_equal(text, cases[_i].expected), "%s: %s", cases[_i].what, text);
    ws_ir_function_free(function);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_loop_test(tests, copies, 0, G_N_ELEMENTS(cases));
}

int main(void)
{
    return run_suite("copy_propagation", add_tests);
}
