/* Loops in which threads wait: which loads and atomics they wait for, and which loops only count.
 */
#include <check.h>
#include <string.h>

#include "isa/flow/spin_loops.h"
#include "isa/text/assembler.h"

#define HEAD "LDC.64 R2, c[x] ;\nMOV R5, 1 ;\n" /* two instructions, as the numbers below count */

/* `at` is in the loop; `reads` are the numbers of what it waits for, "" for none. */
static const struct {
    const char *name, *text, *reads;
    guint32 at;
} cases[] = {
    {"lock",
     HEAD "try: ATOMG.CAS.E.U32.GPU R4, [R2], RZ, R5 ;\nISETP.NE P0, R4, RZ ;\n"
          "@P0 BRA try ;\nEXIT ;\n",
     "2", 4},
    {"flag",
     HEAD "wait: LDG.E.STRONG.GPU R4, [R2] ;\nIADD3 R4, R4, -1, RZ ;\nISETP.NE P0, R4, RZ ;\n"
          "@P0 BRA wait ;\nEXIT ;\n",
     "2", 2},
    {"left in the middle",
     HEAD "wait: LDS R4, [R5] ;\nISETP.EQ P0, R4, RZ ;\n@P0 BRA out ;\nNOP ;\n"
          "BRA wait ;\nout: EXIT ;\n",
     "2", 5},
    {"an exit",
     HEAD "wait: LDG.E R4, [R2] ;\nISETP.EQ P0, R4, RZ ;\n@P0 EXIT ;\nBRA wait ;\nEXIT ;\n", "2",
     4},
    {"counts beside",
     HEAD "wait: LDG.E R4, [R2] ;\nISETP.EQ P0, R4, RZ ;\n@P0 BRA out ;\n"
          "IADD3 R5, R5, 1, RZ ;\nISETP.LT P1, R5, 100 ;\n@P1 BRA wait ;\nout: EXIT ;\n",
     "2", 6},
    {"a rest inside",
     HEAD "wait: MOV R6, 9 ;\nrest: IADD3 R6, R6, -1, RZ ;\nISETP.GT P1, R6, RZ ;\n"
          "@P1 BRA rest ;\nLDG.E R4, [R2] ;\nISETP.EQ P0, R4, RZ ;\n@P0 BRA wait ;\n"
          "EXIT ;\n",
     "6", 3},
    {"an address made anew",
     HEAD "wait: IADD3 R6, R2, 4, RZ ;\nMOV R7, R3 ;\nLDG.E R4, [R6] ;\n"
          "ISETP.EQ P0, R4, RZ ;\n@P0 BRA wait ;\nEXIT ;\n",
     "4", 4},
    {"through shared memory",
     HEAD
     "wait: @P3 LDG.E.STRONG.GPU R4, [R2] ;\n@P3 STS [R5], R4 ;\nBAR.SYNC 0 ;\nLDS R6, [R5] ;\n"
     "ISETP.EQ P0, R6, RZ ;\n@P0 BRA wait ;\nEXIT ;\n",
     "5 2", 5},
    {"two",
     HEAD "wait: LDG.E R4, [R2] ;\nLDG.E R6, [R2+4] ;\nIADD3 R4, R4, R6, RZ ;\n"
          "ISETP.EQ P0, R4, RZ ;\n@P0 BRA wait ;\nEXIT ;\n",
     "2 3", 2},
    {"a sum",
     HEAD "sum: LDG.E R4, [R2] ;\nIADD3 R6, R6, R4, RZ ;\nIADD3 R5, R5, 1, RZ ;\n"
          "ISETP.LT P0, R5, 100 ;\n@P0 BRA sum ;\nEXIT ;\n",
     "", 2},
    {"a sum that grows large",
     HEAD "sum: LDG.E R4, [R2] ;\nIADD3 R6, R6, R4, RZ ;\n"
          "ISETP.LT P0, R6, 100 ;\n@P0 BRA sum ;\nEXIT ;\n",
     "", 2},
    {"a list", HEAD "next: LDG.E.64 R2, [R2] ;\nISETP.NE P0, R2, RZ ;\n@P0 BRA next ;\nEXIT ;\n",
     "", 2},
    {"a counter in local memory",
     ".local 16\n" HEAD "loop: LDL R4, [RZ] ;\nIADD3 R4, R4, -1, RZ ;\nSTL [RZ], R4 ;\n"
     "ISETP.GT P0, R4, RZ ;\n@P0 BRA loop ;\nEXIT ;\n",
     "", 2},
    {"no loop", HEAD "LDG.E R4, [R2] ;\nISETP.EQ P0, R4, RZ ;\n@P0 BRA out ;\nNOP ;\nout: EXIT ;\n",
     "", 2},
};

START_TEST(what_loops_wait_for)
{
    g_autofree char *text = g_strdup_printf(
        ".kernel k\n.param u64 x\n.shared 64\n.reconvergence manual\n%s", cases[_i].text);
    WsCompileOptions options;
    GError *error = NULL;

    ws_compile_options_init(&options);
    g_autoptr(WsProgram) program = ws_assemble("test.wsasm", text, strlen(text), &options, &error);
    ck_assert_msg(program != NULL, "%s", error != NULL ? error->message : "");
    const WsKernel *kernel = &program->kernels[0];
    g_autoptr(WsSpinLoops) spin =
        ws_spin_loops_new(program->instructions, kernel->first, kernel->count);
    const GArray *reads = ws_spin_loop_reads(spin, kernel->first + cases[_i].at);
    g_autoptr(GString) found = g_string_new(NULL);

    for (guint i = 0; reads != NULL && i < reads->len; i++)
        g_string_append_printf(found, "%s%u", i != 0 ? " " : "",
                               g_array_index(reads, guint32, i) - kernel->first);
    ck_assert_msg(strcmp(found->str, cases[_i].reads) == 0, "%s: '%s'", cases[_i].name, found->str);
    ck_assert_ptr_null(ws_spin_loop_reads(spin, kernel->first));
    ck_assert_ptr_null(ws_spin_loop_reads(spin, kernel->first + kernel->count));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("spin_loops");
    TCase *tcase = tcase_create("spin_loops");
    SRunner *runner;
    int failed;

    tcase_add_loop_test(tcase, what_loops_wait_for, 0, G_N_ELEMENTS(cases));
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
