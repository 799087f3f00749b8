/* The causes of lost time, in results made by hand: one test a cause, and their order. */
#include "sim/report/bottleneck.h"

#include "tests/support/suite.h"

#include <math.h>
#include <string.h>

enum { INSTRUCTIONS = 3 };

/* Instruction i is on line 10 + i. A run in which nothing is lost but time at one wait. */
typedef struct {
    WsProgram *program;
    WsDevice *device;
    WsLaunch launches[2];
    WsLaunchResult launch_results[2];
    WsInstructionCounters instructions[INSTRUCTIONS];
    WsJob job;
    WsResult result;
    GArray *lines, *found;
} Fixture;

static Fixture fixture;

static void set_up(void)
{
    memset(&fixture, 0, sizeof fixture);
    WsProgram *program = fixture.program = ws_program_new();
    program->instructions = g_new0(WsInstruction, INSTRUCTIONS);
    program->instruction_count = INSTRUCTIONS;
    program->locations = g_renew(WsLocation, program->locations, INSTRUCTIONS + 1);
    program->location_count = INSTRUCTIONS + 1;
    for (guint i = 0; i < INSTRUCTIONS; i++) {
        program->locations[i + 1] = (WsLocation){.file = 1, .line = 10 + i};
        program->instructions[i].location = i + 1;
        fixture.instructions[i] =
            (WsInstructionCounters){.issued = 100, .lanes = 3200, .lanes_on = 3200};
    }
    g_strfreev(program->files);
    program->files = g_strdupv((char *[]){(char *)"", (char *)"kernel.cu", NULL});
    fixture.device = ws_device_load("h200", NULL, NULL);
    fixture.launches[0] = (WsLaunch){.grid = {264, 1, 1}, .block = {64, 1, 1}};
    fixture.launch_results[0] = (WsLaunchResult){
        .counters = {.warps_launched = 528, .blocks_launched = 264},
        .occupancy = {.theoretical = 1, .achieved = 0.5, .sm_count = 132},
        .instructions = fixture.instructions,
    };
    fixture.result = (WsResult){
        .launches = fixture.launch_results,
        .launch_count = 1,
        .total = {.cycles = 1000,
                  .active_sm_cycles = 1000,
                  .warp_instructions = 1000,
                  .thread_instructions = 32000,
                  .thread_instructions_pred_on = 32000,
                  .warps_launched = 528,
                  .blocks_launched = 264,
                  .warp_cycles = 32000},
    };
    fixture.result.total.stalls[WS_STALL_WAIT] = 16000;
    fixture.result.total.stalls[WS_STALL_SHORT_SCOREBOARD] = 8000;
    fixture.result.total.stalls[WS_STALL_LONG_SCOREBOARD] = 7000;
    fixture.result.total.stalls[WS_STALL_SELECTED] = 1000;
    fixture.instructions[1].stalls[WS_STALL_WAIT] = 12000;
    fixture.instructions[2].stalls[WS_STALL_WAIT] = 4000;
    fixture.job = (WsJob){.program = program,
                          .device = fixture.device,
                          .launches = fixture.launches,
                          .launch_count = 1};
}

static void tear_down(void)
{
    g_clear_pointer(&fixture.found, g_array_unref);
    g_clear_pointer(&fixture.lines, g_array_unref);
    ws_device_free(fixture.device);
    ws_program_unref(fixture.program);
}

static const WsBottleneck *find(const char *name)
{
    g_clear_pointer(&fixture.found, g_array_unref);
    g_clear_pointer(&fixture.lines, g_array_unref);
    fixture.lines = ws_line_profile(fixture.program, fixture.instructions);
    fixture.found = ws_bottlenecks_find(&fixture.job, &fixture.result, fixture.lines);
    for (guint i = 0; i < fixture.found->len; i++) {
        const WsBottleneck *bottleneck = &g_array_index(fixture.found, WsBottleneck, i);
        if (strcmp(bottleneck->name, name) == 0)
            return bottleneck;
    }
    return NULL;
}

static void assert_found(const char *name, guint64 count, guint64 total, double bound, guint line)
{
    const WsBottleneck *bottleneck = find(name);
    ck_assert_msg(bottleneck != NULL, "%s", name);
    ck_assert_uint_eq(bottleneck->count, count);
    ck_assert_uint_eq(bottleneck->total, total);
    ck_assert_double_eq_tol(bottleneck->bound, bound, 1e-9);
    ck_assert_uint_eq(bottleneck->line, line);
}

/* Nothing but the wait, with the line where it is most. */
START_TEST(test_wait)
{
    assert_found("wait", 16000, 32000, 0.5, 11);
    ck_assert_uint_eq(fixture.found->len, 1);
    ck_assert_ptr_nonnull(strstr(find("wait")->text, "is 50.0 % of the warp-cycles, 75.0 % of"));
    ck_assert_ptr_null(strstr(find("wait")->text, "no single wait"));
}
END_TEST

/* The largest of many small ones is not the cause of anything, and no advice comes of it. */
START_TEST(test_nothing_stands_out)
{
    fixture.result.total.stalls[WS_STALL_WAIT] = 100;
    fixture.result.total.stalls[WS_STALL_SHORT_SCOREBOARD] = 100;
    fixture.result.total.stalls[WS_STALL_LONG_SCOREBOARD] = 100;
    fixture.result.total.stalls[WS_STALL_NOT_SELECTED] = 6080; /* 19 % */
    const WsBottleneck *wait = find("wait");
    ck_assert_ptr_nonnull(strstr(wait->text, "no single stall reason dominates"));
    ck_assert_ptr_nonnull(strstr(wait->text, "19.0 %"));
    ck_assert_ptr_null(strstr(wait->text, "only fewer instructions"));
}
END_TEST

START_TEST(test_issue_limit)
{
    fixture.result.total.warp_instructions = 3600; /* of 4000 issue slots */
    fixture.result.total.thread_instructions = 3600 * 32;
    fixture.result.total.thread_instructions_pred_on = 3600 * 32;
    assert_found("issue_limit", 3600, 4000, 0.1, 0);
    ck_assert_ptr_null(find("wait"));
}
END_TEST

START_TEST(test_divergence)
{
    fixture.result.total.thread_instructions = 20000;
    fixture.result.total.thread_instructions_pred_on = 20000;
    ck_assert_ptr_null(find("divergence")); /* no warp split: lanes are off for another reason */
    fixture.result.total.warps_diverged = 528;
    fixture.instructions[0].divergent = 2;
    fixture.instructions[2].divergent = 7;
    assert_found("divergence", 12000, 32000, 0.375, 12);
    ck_assert_ptr_nonnull(strstr(find("divergence")->text, "528 of 528 warps diverged"));
    fixture.result.total.thread_instructions = 31000; /* 3 % */
    fixture.result.total.thread_instructions_pred_on = 31000;
    ck_assert_ptr_null(find("divergence"));
}
END_TEST

START_TEST(test_predication)
{
    fixture.result.total.thread_instructions_pred_on = 24000;
    fixture.instructions[1].lanes_on = 100;
    assert_found("predication", 8000, 32000, 0.25, 11);
}
END_TEST

START_TEST(test_partial_warps)
{
    fixture.launches[0].block[0] = 48;
    assert_found("partial_warps", 264 * 16, 528 * 32, 0.25, 0);
}
END_TEST

START_TEST(test_bank_conflicts)
{
    fixture.result.total.shared_wavefronts = 1000;
    fixture.result.total.shared_bank_conflicts = 50;
    ck_assert_ptr_null(find("bank_conflicts")); /* too few to matter */
    fixture.result.total.shared_bank_conflicts = 900;
    fixture.instructions[2].extra_wavefronts = 900;
    assert_found("bank_conflicts", 900, 1000, 0.25, 12);
}
END_TEST

START_TEST(test_uncoalesced)
{
    fixture.instructions[0].sectors = 400;
    ck_assert_ptr_null(find("uncoalesced"));
    fixture.instructions[1].sectors = 3200;
    fixture.instructions[1].extra_sectors = 2800;
    assert_found("uncoalesced", 2800, 3600, 7000. / 32000, 11);
}
END_TEST

START_TEST(test_local_memory)
{
    fixture.result.total.local_load_requests = 60;
    fixture.result.total.local_store_requests = 40;
    assert_found("local_memory", 100, 1000, 7000. / 32000, 0);
}
END_TEST

START_TEST(test_small_grid)
{
    fixture.launches[0].grid[0] = 40;
    fixture.launch_results[0].occupancy.idle_sms = 92;
    assert_found("small_grid", 92, 132, 92. / 132, 0);
    ck_assert_ptr_nonnull(strstr(find("small_grid")->text, "the grid has 40"));
}
END_TEST

START_TEST(test_imbalance)
{
    fixture.launch_results[0].occupancy.imbalance_sm_cycles = 1000;
    assert_found("imbalance", 1000, 2000, 0.5, 0);
}
END_TEST

START_TEST(test_few_warps)
{
    char *limits[] = {(char *)"registers", NULL};
    fixture.result.total.warp_cycles = 8000; /* of 64 x 1000 */
    fixture.launch_results[0].occupancy.achieved = 0.125;
    fixture.launch_results[0].occupancy.theoretical = 0.125;
    fixture.launch_results[0].occupancy.limiters = limits;
    assert_found("few_warps", 56000, 64000, 0.75, 0);
    ck_assert_ptr_nonnull(strstr(find("few_warps")->text, "limit: registers"));
    /* a grid that leaves SMs without a block is told once, as that */
    fixture.launch_results[0].occupancy.theoretical = 1;
    fixture.launch_results[0].occupancy.idle_sms = 92;
    ck_assert_ptr_null(find("few_warps"));
    ck_assert_ptr_nonnull(find("small_grid"));
}
END_TEST

/* A stop comes first, then wasted work, unused parts, waits; in each the largest first. */
START_TEST(test_order)
{
    static const char *const expected[] = {"fault",         "divergence", "bank_conflicts",
                                           "partial_warps", "small_grid", "wait"};
    fixture.launch_results[0].occupancy.idle_sms = 131;
    fixture.result.total.shared_wavefronts = 1000;
    fixture.result.total.shared_bank_conflicts = 900;
    fixture.result.total.thread_instructions = 16000;
    fixture.result.total.thread_instructions_pred_on = 16000;
    fixture.result.total.warps_diverged = 1;
    fixture.instructions[0].divergent = 1;
    fixture.launches[0].block[0] = 52;
    fixture.result.status = WS_STATUS_FAULT;
    fixture.result.stop = (WsStop){.message = (char *)"out of bounds", .instruction = 2};
    const WsBottleneck *fault = find("fault");
    ck_assert_uint_eq(fault->line, 12);
    ck_assert(isnan(fault->bound));
    ck_assert_uint_eq(fixture.found->len, G_N_ELEMENTS(expected));
    for (guint i = 0; i < fixture.found->len; i++)
        ck_assert_str_eq(g_array_index(fixture.found, WsBottleneck, i).name, expected[i]);
}
END_TEST

/* A livelock has no instruction of its own: the line that spins is named. */
START_TEST(test_livelock)
{
    fixture.result.status = WS_STATUS_LIVELOCK;
    fixture.result.stop = (WsStop){.message = (char *)"for ever", .instruction = -1};
    fixture.instructions[1].issued = 1000000;
    ck_assert_uint_eq(find("livelock")->line, 11);
}
END_TEST

/* A run in which nothing happened has no causes, and divides by nothing. */
START_TEST(test_nothing_ran)
{
    memset(&fixture.result.total, 0, sizeof fixture.result.total);
    fixture.result.launch_count = 0;
    find("");
    ck_assert_uint_eq(fixture.found->len, 0);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, test_wait);
    tcase_add_test(cases, test_nothing_stands_out);
    tcase_add_test(cases, test_issue_limit);
    tcase_add_test(cases, test_divergence);
    tcase_add_test(cases, test_predication);
    tcase_add_test(cases, test_partial_warps);
    tcase_add_test(cases, test_bank_conflicts);
    tcase_add_test(cases, test_uncoalesced);
    tcase_add_test(cases, test_local_memory);
    tcase_add_test(cases, test_small_grid);
    tcase_add_test(cases, test_imbalance);
    tcase_add_test(cases, test_few_warps);
    tcase_add_test(cases, test_order);
    tcase_add_test(cases, test_livelock);
    tcase_add_test(cases, test_nothing_ran);
}

int main(void)
{
    return run_suite("bottleneck", add_tests);
}
