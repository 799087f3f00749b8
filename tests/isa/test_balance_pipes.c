/* Which of two pipes takes what both can: the one that has had less of the block. */
#include "isa/codegen/code_generation.h"
#include "tests/support/ir_text.h"
#include "tests/support/suite.h"

static const struct {
    const char *what, *text;
    gboolean moves; /* are moved, too */
    const char *expected;
} cases[] = {
    {"moves in turn", "MOV R0, R9; MOV R1, R9; MOV R2, R9; MOV R3, R9 -> exit", TRUE,
     "MOV R0, R9; IMAD R1, RZ, RZ, R9; MOV R2, R9; IMAD R3, RZ, RZ, R9"},
    {"moves stay", "MOV R0, R9; MOV R1, R9; MOV R2, R9; MOV R3, R9 -> exit", FALSE,
     "MOV R0, R9; MOV R1, R9; MOV R2, R9; MOV R3, R9"},
    {"sums in turn",
     "IADD3 R0, R9, R8, RZ; IADD3 R1, R9, R8, RZ; IADD3 R2, R9, R8, RZ; IADD3 R3, R9, 4, RZ -> "
     "exit",
     FALSE, "IADD3 R0, R9, R8, RZ; IMAD R1, R9, 0x1, R8; IADD3 R2, R9, R8, RZ; VIADD R3, R9, 0x4"},
    {"behind products there is room",
     "FFMA R0, R9, R8, R7; FFMA R1, R9, R8, R7; IADD3 R2, R9, R8, RZ; IADD3 R3, R9, R8, RZ; "
     "IADD3 R4, R9, R8, RZ; IADD3 R5, R9, R8, RZ -> exit",
     FALSE,
     "FFMA R0, R9, R8, R7; FFMA R1, R9, R8, R7; IADD3 R2, R9, R8, RZ; IADD3 R3, R9, R8, RZ; IADD3 "
     "R4, R9, R8, RZ; IMAD R5, R9, 0x1, R8"},
    {"shifts by a number",
     "SHF.L.U32 R0, R9, 2, RZ; SHF.L.U32 R1, R9, 2, RZ; SHF.L.U32 R2, R9, R8, RZ -> exit", FALSE,
     "SHF.L.U32 R0, R9, 0x2, RZ; IMAD R1, R9, 0x4, RZ; SHF.L.U32 R2, R9, R8, RZ"},
    {"halves in turn",
     "HADD2 R0, R9, R8; HADD2 R1, R9, R8; HMUL2 R2, R9, R8; HMUL2 R3, R9, R8; "
     "HFMA2 R4, R9, R8, R7; HFMA2 R5, R9, R8, R7 -> exit",
     FALSE,
     "HADD2 R0, R9, R8; HFMA2.MMA R1, R9, 0x3c003c00, R8; HMUL2 R2, R9, R8; HFMA2.MMA R3, R9, R8, "
     "-RZ; HFMA2 R4, R9, R8, R7; HFMA2.MMA R5, R9, R8, R7"},
    {"each block begins anew", "MOV R0, R9\nMOV R1, R9; MOV R2, R9 -> exit", TRUE,
     "MOV R1, R9; IMAD R2, RZ, RZ, R9"},
};

START_TEST(pipes)
{
    WsIrFunction *function = ir_from_text(cases[_i].text);

    ws_balance_pipes(function, cases[_i].moves);
    g_autofree char *text = ir_block_text(function, function->blocks->len - 1);
    ck_assert_msg(g_str_equal(text, cases[_i].expected), "%s: %s", cases[_i].what, text);
    ws_ir_function_free(function);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_loop_test(tests, pipes, 0, G_N_ELEMENTS(cases));
}

int main(void)
{
    return run_suite("balance_pipes", add_tests);
}
