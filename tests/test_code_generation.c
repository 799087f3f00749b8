/* The whole back end on random functions: compiled code does what the function does. */
#include "isa/instruction_check.h"
#include "isa/lowering.h"
#include "tests/ir_interpreter.h"
#include "tests/random_function.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 3000 };

static void check_instructions(const WsProgram *program, guint32 seed)
{
    for (guint32 i = 0; i < program->instruction_count; i++) {
        g_autofree char *problem = ws_instruction_problem(&program->instructions[i]);
        ck_assert_msg(problem == NULL, "seed %u, instruction %u: %s", seed, i, problem);
    }
}

static void check_seed(guint32 seed, const WsRandomShape *shape, const WsCompileOptions *options)
{
    g_autoptr(WsIrModule) module = ws_random_module(seed, shape);
    g_autoptr(GError) error = NULL;
    g_autoptr(WsProgram) program = ws_ir_compile(module, options, &error);
    /* The verifier refuses a kernel that cannot end; some random ones cannot. */
    if (program == NULL && strstr(error->message, "no EXIT can be reached") != NULL)
        return;
    ck_assert_msg(program != NULL, "seed %u: %s", seed, error ? error->message : "");
    check_instructions(program, seed);
    if (options->max_registers != 0)
        ck_assert_uint_le(program->kernels[0].registers, options->max_registers);

    WsRun before;
    WsRun after;
    ws_run_function(&before, module->functions->pdata[0], LIMIT);
    ws_run_kernel(&after, program, &program->kernels[0], 40 * LIMIT);
    g_autofree char *difference = ws_run_difference(&before, &after);
    ck_assert_msg(difference == NULL, "seed %u: %s", seed, difference);
    ws_run_clear(&before);
    ws_run_clear(&after);
}

static void check_shape(const WsRandomShape *shape, guint seeds, guint cap)
{
    for (guint variant = 0; variant < 4; variant++) {
        WsCompileOptions options;
        ws_compile_options_init(&options);
        options.max_registers = cap;
        options.if_convert = variant & 1;
        options.schedule = variant >> 1;
        for (guint32 seed = 0; seed < seeds; seed++)
            check_seed(1000 * variant + seed, shape, &options);
    }
}

START_TEST(test_straight_line)
{
    check_shape(&(WsRandomShape){.blocks = 2, .registers = 10, .predicates = 4, .instructions = 30},
                60, 0);
}
END_TEST

START_TEST(test_branches)
{
    check_shape(
        &(WsRandomShape){
            .blocks = 14, .registers = 14, .predicates = 5, .instructions = 6, .back_edges = TRUE},
        150, 0);
}
END_TEST

START_TEST(test_spills)
{
    check_shape(
        &(WsRandomShape){
            .blocks = 8, .registers = 40, .predicates = 14, .instructions = 10, .back_edges = TRUE},
        60, 24);
}
END_TEST

START_TEST(test_short_blocks)
{
    check_shape(
        &(WsRandomShape){
            .blocks = 40, .registers = 6, .predicates = 3, .instructions = 2, .back_edges = TRUE},
        100, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("code_generation");
    TCase *tests = tcase_create("random functions");
    tcase_set_timeout(tests, 100);
    tcase_add_test(tests, test_straight_line);
    tcase_add_test(tests, test_branches);
    tcase_add_test(tests, test_spills);
    tcase_add_test(tests, test_short_blocks);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
