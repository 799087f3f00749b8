/*
 * Convergence barriers of compiled random functions: eight lanes run under independent thread
 * scheduling (a path runs until BSYNC or EXIT, the side with fewer lanes first, then what was set
 * aside last). No lane may be stuck, each must do what it does alone, and every barrier must name
 * exactly the lanes that come to it.
 */
#include "isa/bytecode/opcode.h"
#include "isa/codegen/code_generation.h"
#include "isa/flow/control_flow.h"
#include "tests/support/ir_interpreter.h"
#include "tests/support/random_function.h"
#include "tests/support/suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

enum { LANES = 8, LIMIT = 4000, BARRIERS = 16 };

static gboolean more; /* the seeds behind the first quarter */

typedef struct {
    guint32 mask;
    guint32 pc;
} Path;

typedef struct {
    const WsProgram *program;
    guint32 seed;
    WsLane lanes[LANES];
    WsRun runs[LANES];
    guint32 alive;
    guint32 named[BARRIERS];   /* lanes of each barrier */
    guint32 waiting[BARRIERS]; /* those of them at BSYNC */
    guint32 sync_pc[BARRIERS]; /* where those go on */
    Path aside[64];
    guint paths;
    Path now;
    guint splits;
    guint uncovered; /* splits while no barrier names all lanes of the path */
    guint joins;
} Warp;

static guint count_lanes(guint32 mask)
{
    return (guint)__builtin_popcount(mask);
}

static void set_aside(Warp *warp, Path path)
{
    ck_assert_uint_lt(warp->paths, G_N_ELEMENTS(warp->aside));
    if (path.mask != 0)
        warp->aside[warp->paths++] = path;
}

static void release_complete(Warp *warp, guint b, guint32 pc)
{
    if (warp->waiting[b] == 0 || warp->waiting[b] != (warp->named[b] & warp->alive))
        return;
    warp->joins += count_lanes(warp->waiting[b]) > 1;
    set_aside(warp, (Path){warp->waiting[b], pc});
    warp->waiting[b] = 0;
    warp->named[b] = 0;
}

static void run_convergence(Warp *warp, const WsInstruction *instruction)
{
    guint b = instruction->operand[0].index;
    if (instruction->opcode == WS_OP_BSSY) {
        ck_assert_msg(warp->waiting[b] == 0, "seed %u: B%u set while lanes wait", warp->seed, b);
        warp->named[b] = warp->now.mask;
        warp->now.pc++;
        return;
    }
    ck_assert_msg((warp->now.mask & ~warp->named[b]) == 0, "seed %u: B%u does not name lanes %x",
                  warp->seed, b, warp->now.mask & ~warp->named[b]);
    warp->waiting[b] |= warp->now.mask;
    warp->sync_pc[b] = warp->now.pc + 1;
    warp->now.mask = 0;
    release_complete(warp, b, warp->sync_pc[b]);
}

static void run_lanes(Warp *warp, const WsInstruction *instruction)
{
    guint32 groups[3] = {0};
    guint32 ended = 0;
    for (guint lane = 0; lane < LANES; lane++) {
        guint32 row = 0;
        if (!(warp->now.mask >> lane & 1))
            continue;
        switch (ws_lane_step(&warp->lanes[lane], instruction, &row)) {
        case WS_LANE_NEXT:
            groups[0] |= 1u << lane;
            break;
        case WS_LANE_TAKEN:
            groups[1 + row] |= 1u << lane;
            break;
        default:
            ended |= 1u << lane;
        }
    }
    guint32 whole = warp->now.mask;
    guint sides = 0;
    guint32 target = ws_branch_target(instruction);
    Path paths[3] = {{groups[0], warp->now.pc + 1}, {groups[1], target}, {groups[2], target + 1}};
    Path best = {0};
    for (guint p = 0; p < 3; p++) {
        if (paths[p].mask == 0)
            continue;
        sides++;
        if (best.mask == 0 || count_lanes(paths[p].mask) < count_lanes(best.mask)) {
            set_aside(warp, best);
            best = paths[p];
        } else {
            set_aside(warp, paths[p]);
        }
    }
    warp->now = best;
    if (sides > 1) {
        gboolean covered = FALSE;
        for (guint b = 0; b < BARRIERS; b++)
            covered |= (whole & ~warp->named[b]) == 0;
        warp->splits++;
        warp->uncovered += !covered;
    }
    warp->alive &= ~ended;
    for (guint b = 0; ended != 0 && b < BARRIERS; b++)
        release_complete(warp, b, warp->sync_pc[b]);
}

static void run_warp(Warp *warp)
{
    warp->alive = (1u << LANES) - 1;
    warp->now = (Path){warp->alive, warp->program->kernels[0].first};
    for (guint step = 0; step < LANES * LIMIT && warp->alive != 0; step++) {
        if (warp->now.mask == 0) {
            ck_assert_msg(warp->paths > 0, "seed %u: lanes %x are stuck", warp->seed, warp->alive);
            warp->now = warp->aside[--warp->paths];
        }
        const WsInstruction *instruction = &warp->program->instructions[warp->now.pc];
        if (instruction->opcode == WS_OP_BSSY || instruction->opcode == WS_OP_BSYNC)
            run_convergence(warp, instruction);
        else
            run_lanes(warp, instruction);
    }
}

/* What the lane does alone in the function as it was. */
static void check_lane(const WsIrFunction *function, const Warp *warp, guint number)
{
    WsRun alone;
    WsLane lane;
    ws_lane_init(&lane, &alone, number);
    guint32 at = 0;
    guint32 row = 0;
    while (alone.steps < LIMIT / 4 && !alone.ended) {
        WsIrBlock *block = ws_ir_block(function, at);
        WsLaneStep step = WS_LANE_NEXT;
        for (guint i = 0; i < ws_ir_length(block); i++)
            step = ws_lane_step(&lane, ws_ir_instruction(block, i), &row);
        alone.steps++;
        at = step == WS_LANE_NEXT   ? block->next
             : block->table != NULL ? g_array_index(block->table, guint32, row)
                                    : block->taken;
    }
    if (alone.ended && warp->runs[number].ended) {
        g_autofree char *difference = ws_run_difference(&alone, &warp->runs[number]);
        ck_assert_msg(difference == NULL, "seed %u, lane %u: %s", warp->seed, number, difference);
    }
    ws_lane_clear(&lane);
    ws_run_clear(&alone);
}

static void check_seed(guint32 seed, const WsRandomShape *shape, Warp *totals)
{
    g_autoptr(WsIrModule) module = ws_random_module(seed, shape);
    WsCompileOptions options;
    ws_compile_options_init(&options);
    options.if_convert = seed & 1;
    g_autoptr(WsProgram) program = ws_ir_compile(module, &options, NULL);
    if (program == NULL) /* refused: it can never end */
        return;
    Warp warp = {.program = program, .seed = seed};
    for (guint lane = 0; lane < LANES; lane++)
        ws_lane_init(&warp.lanes[lane], &warp.runs[lane], lane);
    run_warp(&warp);
    for (guint lane = 0; lane < LANES; lane++) {
        check_lane(module->functions->pdata[0], &warp, lane);
        ws_lane_clear(&warp.lanes[lane]);
        ws_run_clear(&warp.runs[lane]);
    }
    totals->splits += warp.splits;
    totals->uncovered += warp.uncovered;
    totals->joins += warp.joins;
}

static void check_shape(const WsRandomShape *shape, guint seeds, guint uncovered_percent)
{
    Warp totals = {0};
    for (guint32 seed = more ? seeds / 4 : 0; seed < (more ? seeds : seeds / 4); seed++)
        check_seed(seed, shape, &totals);
    printf("# %u splits, %u not under a barrier, %u joins\n", totals.splits, totals.uncovered,
           totals.joins);
    ck_assert_uint_gt(totals.joins, 0);
    ck_assert_uint_le(100 * totals.uncovered, uncovered_percent * totals.splits);
}

START_TEST(test_forward)
{
    check_shape(&(WsRandomShape){.blocks = 24, .registers = 8, .predicates = 5, .instructions = 3},
                400, 30);
}
END_TEST

START_TEST(test_loops)
{
    check_shape(
        &(WsRandomShape){
            .blocks = 16, .registers = 8, .predicates = 5, .instructions = 4, .back_edges = TRUE},
        400, 60);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_set_timeout(tests, 100);
    tcase_add_test(tests, test_forward);
    tcase_add_test(tests, test_loops);
}

int main(int argc, char **argv)
{
    more = argc > 1 && g_str_equal(argv[1], "more");
    return run_suite("convergence", add_tests);
}
