/* Copies that go, and those that must stay: of registers that live at the same time. */
#include "isa/codegen/code_generation.h"
#include "tests/support/ir_text.h"
#include "tests/support/suite.h"

static const struct {
    const char *what, *text;
    guint copies; /* that stay */
} cases[] = {
    {"the source ends at its copy", "S2R R0, SR_TID.X; MOV R1, R0; STS [RZ], R1 -> exit", 0},
    {"a chain of them", "S2R R0, SR_TID.X; MOV R1, R0; MOV R2, R1; STS [RZ], R2 -> exit", 0},
    {"the source is read behind the copy, which is changed",
     "S2R R0, SR_TID.X; MOV R1, R0; IADD3 R1, R1, 1, RZ; STS [RZ], R0; STS [RZ+4], R1 -> exit", 1},
    {"the source is made anew while the copy lives",
     "S2R R0, SR_TID.X; MOV R1, R0; S2R R0, SR_TID.Y; STS [RZ], R0; STS [RZ+4], R1 -> exit", 1},
    {"earlier values live together",
     "S2R R0, SR_TID.X; S2R R1, SR_TID.Y; STS [RZ], R0; STS [RZ+4], R1; S2R R0, SR_TID.Z; "
     "MOV R1, R0; STS [RZ], R1 -> exit",
     1},
    {"a result may take the place of an operand that ends there",
     "S2R R0, SR_TID.X; IADD3 R1, R0, 1, RZ; STS [RZ], R1; S2R R0, SR_TID.Y; MOV R1, R0; "
     "STS [RZ], R1 -> exit",
     0},
    {"a result that nobody reads has a place all the same",
     "S2R R0, SR_TID.X; S2R R1, SR_TID.Y; STS [RZ], R0; S2R R0, SR_TID.Z; MOV R1, R0; "
     "STS [RZ], R1 -> exit",
     1},
    {"values live together over the end of a block alone",
     "-> 2\n"
     "STS [RZ], R0; STS [RZ+4], R1; S2R R0, SR_TID.Z; MOV R1, R0; STS [RZ], R1 -> exit\n"
     "S2R R0, SR_TID.X; S2R R1, SR_TID.Y -> 1",
     1},
    {"the sides of a branch need not live together",
     "S2R R0, SR_TID.X; ISETP.GE P0, R0, 4 -> P0 ? 2 : 1\n"
     "MOV R1, R0 -> 3\n"
     "S2R R1, SR_TID.Y\n"
     "STS [RZ], R1 -> exit",
     0},
    {"in a loop a value lives until the next round",
     "S2R R0, SR_TID.X; MOV R1, R0\n"
     "IADD3 R1, R1, R0, RZ; ISETP.GE P0, R1, 9 -> P0 ? 2 : 1\n"
     "STS [RZ], R1 -> exit",
     1},
    {"a word of a pair",
     "S2R R0, SR_TID.X; DADD R2, R4, R6; IADD3 R0, R0, 1, RZ; MOV R1, R0; STS [RZ], R1; "
     "STS.64 [RZ], R2 -> exit",
     0},
    {"an operand with a sign is no copy",
     "S2R R0, SR_TID.X; IADD3 R1, -R0, RZ, RZ; STS [RZ], R1 -> exit", 0},
};

START_TEST(copies)
{
    WsIrFunction *function = ir_from_text(cases[_i].text);

    ws_coalesce_registers(function);
    ck_assert_msg(ir_count(function, "MOV") == cases[_i].copies, "%s: %u copies", cases[_i].what,
                  ir_count(function, "MOV"));
    ws_ir_function_free(function);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_loop_test(tests, copies, 0, G_N_ELEMENTS(cases));
}

int main(void)
{
    return run_suite("coalescing", add_tests);
}
