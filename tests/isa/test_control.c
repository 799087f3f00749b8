/*
 * Control fields of compiled random functions, checked along the path a thread takes by a machine
 * that is as late as it may be: results of variable latency come only when their barrier is waited
 * for, and memory instructions read their operands no sooner.
 */
#include "isa/codegen/code_generation.h"
#include "isa/codegen/latency.h"
#include "isa/flow/control_flow.h"
#include "tests/support/ir_interpreter.h"
#include "tests/support/random_function.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 256 + 8, NOBODY = 0xff, LIMIT = 2000 };

typedef struct {
    const WsProgram *program;
    const WsCompileOptions *options;
    guint32 seed;
    guint64 now;
    guint64 written_at[PLACES];
    guint32 writer[PLACES]; /* instruction + 1 of a fixed-latency writer */
    guint8 result[PLACES];  /* barrier that announces the result, NOBODY = none pending */
    guint8 operand[PLACES]; /* barrier that announces that it was read */
} Machine;

static guint place_of(const WsRegisterAccess *access)
{
    if (access->file == WS_FILE_REGISTER)
        return access->index;
    return access->file == WS_FILE_PREDICATE ? 256 + access->index : PLACES;
}

static void check_access(const Machine *machine, guint32 at, const WsRegisterAccess *access,
                         guint place)
{
    const WsInstruction *instruction = &machine->program->instructions[at];
    ck_assert_msg(machine->result[place] == NOBODY, "seed %u: instruction %u does not wait for %u",
                  machine->seed, at, place);
    if (access->write)
        ck_assert_msg(machine->operand[place] == NOBODY,
                      "seed %u: instruction %u overwrites %u before it is read", machine->seed, at,
                      place);
    if (machine->writer[place] == 0 || access->write)
        return;
    const WsInstruction *writer = &machine->program->instructions[machine->writer[place] - 1];
    guint latency = ws_dependence_latency(writer, instruction, place >= 256, machine->options);
    ck_assert_msg(machine->now >= machine->written_at[place] + latency,
                  "seed %u: instruction %u reads %u %u cycles after its write, needs %u",
                  machine->seed, at, place, (guint)(machine->now - machine->written_at[place]),
                  latency);
}

static void note_access(Machine *machine, guint32 at, const WsRegisterAccess *access, guint place)
{
    const WsInstruction *instruction = &machine->program->instructions[at];
    gboolean variable = ws_is_variable_latency(instruction, machine->options);
    gboolean memory = ws_class_pipe(ws_instruction_class(instruction)) == WS_PIPE_LSU;
    if (access->write) {
        machine->writer[place] = variable ? 0 : at + 1;
        machine->written_at[place] = machine->now;
        if (variable) {
            ck_assert_uint_lt(instruction->control.write_barrier, 6);
            machine->result[place] = instruction->control.write_barrier;
        }
    } else if (variable && memory) {
        ck_assert_uint_lt(instruction->control.read_barrier, 6);
        machine->operand[place] = instruction->control.read_barrier;
    }
}

static void step(Machine *machine, guint32 at)
{
    const WsInstruction *instruction = &machine->program->instructions[at];
    for (guint place = 0; place < PLACES; place++) {
        if (machine->result[place] != NOBODY &&
            (instruction->control.wait_mask >> machine->result[place] & 1))
            machine->result[place] = NOBODY;
        if (machine->operand[place] != NOBODY &&
            (instruction->control.wait_mask >> machine->operand[place] & 1))
            machine->operand[place] = NOBODY;
    }
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    for (guint pass = 0; pass < 3; pass++) {
        for (guint a = 0; a < count; a++) {
            guint first = place_of(&accesses[a]);
            for (guint place = first; place < PLACES && place < first + accesses[a].words;
                 place++) {
                if (pass == 0)
                    check_access(machine, at, &accesses[a], place);
                else if (accesses[a].write == (pass == 2))
                    note_access(machine, at, &accesses[a], place);
            }
        }
    }
    machine->now += instruction->control.stall;
}

static void check_seed(guint32 seed, const WsRandomShape *shape)
{
    g_autoptr(WsIrModule) module = ws_random_module(seed, shape);
    WsCompileOptions options;
    ws_compile_options_init(&options);
    g_autoptr(WsProgram) program = ws_ir_compile(module, &options, NULL);
    if (program == NULL) /* refused: it can never end */
        return;
    Machine machine = {.program = program, .options = &options, .seed = seed};
    memset(machine.result, NOBODY, sizeof(machine.result));
    memset(machine.operand, NOBODY, sizeof(machine.operand));
    WsRun run;
    WsLane lane;
    ws_lane_init(&lane, &run, seed % 8);
    guint32 at = program->kernels[0].first;
    guint32 row = 0;
    while (run.steps < LIMIT && !run.ended) {
        step(&machine, at);
        const WsInstruction *instruction = &program->instructions[at];
        WsLaneStep next = ws_lane_step(&lane, instruction, &row);
        at = next == WS_LANE_TAKEN ? ws_branch_target(instruction) + row : at + 1;
    }
    ws_lane_clear(&lane);
    ws_run_clear(&run);
}

START_TEST(test_blocks)
{
    for (guint32 seed = 0; seed < 300; seed++)
        check_seed(seed, &(WsRandomShape){.blocks = 12,
                                          .registers = 14,
                                          .predicates = 5,
                                          .instructions = 8,
                                          .back_edges = TRUE});
}
END_TEST

START_TEST(test_straight_line)
{
    for (guint32 seed = 0; seed < 100; seed++)
        check_seed(seed, &(WsRandomShape){
                             .blocks = 2, .registers = 30, .predicates = 4, .instructions = 60});
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("control");
    TCase *tests = tcase_create("random functions");
    tcase_set_timeout(tests, 100);
    tcase_add_test(tests, test_blocks);
    tcase_add_test(tests, test_straight_line);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
