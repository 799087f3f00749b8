/* Branches at which lanes may part: by what they compare, and by where that was computed. */
#include "isa/converge/convergence.h"
#include "tests/support/ir_text.h"
#include "tests/support/suite.h"

#define THREAD "S2R R0, SR_TID.X; MOV R1, RZ; S2R R5, SR_CTAID.X; ISETP.GE P0, R0, 4"

static const struct {
    const char *what, *text, *divergent; /* blocks whose branches are */
} cases[] = {
    {"by the thread", THREAD " -> P0 ? 2 : 1\nSTS [0x0], R0\n-> exit", "0 "},
    {"by the block", "S2R R5, SR_CTAID.X; ISETP.GE P0, R5, 4 -> P0 ? 2 : 1\nSTS [0x0], R5\n-> exit",
     ""},
    {"by a parameter",
     "MOV R5, c[0x0][0x210]; ISETP.GE P0, R5, 4 -> P0 ? 2 : 1\nSTS [0x0], R5\n-> exit", ""},
    {"by what is computed from the thread",
     THREAD "; IADD3 R2, R0, R5, RZ; IMAD R3, R2, 3, RZ; ISETP.EQ P1, R3, 7 -> P1 ? 2 : 1\n"
            "STS [0x0], R0\n-> exit",
     "0 "},
    {"by memory at an address of the thread's",
     THREAD "; LDS R3, [R0]; ISETP.EQ P1, R3, 7 -> P1 ? 2 : 1\nSTS [0x0], R0\n-> exit", "0 "},
    {"by a vote of the thread's predicate",
     THREAD "; VOTE.ANY R3, PT, P0; ISETP.EQ P1, R3, RZ -> P1 ? 2 : 1\nSTS [0x0], R0\n-> exit", ""},
    {"by a predicate under the thread's guard",
     THREAD "; ISETP.EQ P1, R5, 1; @P0 ISETP.EQ P1, R5, 2 -> P1 ? 2 : 1\nSTS [0x0], R0\n-> exit",
     "0 "},
    {"what one side has written, behind both",
     THREAD " -> P0 ? 2 : 1\nMOV R1, 5\nISETP.NE P1, R1, RZ -> P1 ? 4 : 3\nSTS [0x0], R0\n-> exit",
     "0 2 "},
    {"what both sides have written, behind them",
     THREAD " -> P0 ? 2 : 1\nMOV R1, 5 -> 3\nMOV R1, 6\nISETP.EQ P1, R1, 5 -> P1 ? 5 : 4\n"
            "STS [0x0], R0\n-> exit",
     "0 3 "},
    {"what one side has written, inside of it",
     THREAD " -> P0 ? 3 : 1\nMOV R1, 5; ISETP.NE P1, R1, R5 -> P1 ? 3 : 2\nSTS [0x0], R0\n-> exit",
     "0 "},
    {"what was written before, behind both",
     THREAD " -> P0 ? 2 : 1\nMOV R2, 5\nISETP.NE P1, R5, RZ -> P1 ? 4 : 3\nSTS [0x0], R0\n-> exit",
     "0 "},
    {"sides of a branch that all take together",
     THREAD "; ISETP.GE P1, R5, 4 -> P1 ? 2 : 1\nMOV R1, 5\n"
            "ISETP.NE P2, R1, RZ -> P2 ? 4 : 3\nSTS [0x0], R0\n-> exit",
     ""},
    {"what both sides have written, where they meet before all do",
     THREAD " -> P0 ? 2 : 1\n"
            "MOV R1, 5; ISETP.GE P2, R5, 4 -> P2 ? 3 : 5\n"
            "MOV R1, 6\n"
            "ISETP.EQ P1, R1, 5 -> P1 ? 5 : 4\n"
            "STS [0x0], R0\n-> exit",
     "0 3 "},
    {"a count of rounds that lanes leave at different times",
     THREAD "\nIADD3 R1, R1, 1, RZ; IADD3 R0, R0, -1, RZ; ISETP.GT P1, R0, RZ -> P1 ? 1 : 2\n"
            "ISETP.EQ P2, R1, 3 -> P2 ? 4 : 3\nSTS [0x0], R5\n-> exit",
     "1 2 "},
    {"a count of rounds that they leave together",
     THREAD "\nIADD3 R1, R1, 1, RZ; ISETP.GT P1, R5, R1 -> P1 ? 1 : 2\n"
            "ISETP.EQ P2, R1, 3 -> P2 ? 4 : 3\nSTS [0x0], R5\n-> exit",
     ""},
};

START_TEST(branches)
{
    WsIrFunction *function = ir_from_text(cases[_i].text);
    g_autoptr(WsJoins) joins = ws_joins_new(function);
    g_autofree guint8 *divergent = ws_divergent_branches(function, joins);
    g_autoptr(GString) found = g_string_new(NULL);

    for (guint32 b = 0; b < function->blocks->len; b++)
        if (divergent[b])
            g_string_append_printf(found, "%u ", b);
    ck_assert_msg(g_str_equal(found->str, cases[_i].divergent), "%s: %s", cases[_i].what,
                  found->str);
    ck_assert_uint_eq(divergent[function->blocks->len], 0);
    ws_ir_function_free(function);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_loop_test(tests, branches, 0, G_N_ELEMENTS(cases));
}

int main(void)
{
    return run_suite("uniformity", add_tests);
}
