/* The reports of results made by hand: their names, their arithmetic, their width. */
#include "cli/report_text.h"
#include "sim/report/float_operations.h"
#include "sim/report/json.h"

#include "isa/bytecode/opcode.h"
#include "tests/support/suite.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

enum { INSTRUCTIONS = 4, SMS = 2, WIDTH = 100 };

/* Everything a result points to. */
typedef struct {
    WsProgram *program;
    WsDevice *device;
    WsBuffer buffer;
    WsExpectation expectation;
    WsLaunch launches[2];
    char *sources[3];
    WsJob job;
    WsInstructionCounters instructions[2][INSTRUCTIONS];
    double per_sm[SMS];
    char *limiters[3];
    WsLaunchResult launch_results[2];
    WsCheckResult check;
    WsResult result;
} Fixture;

static const WsKernel kernel = {.name = (char *)"_Z5saxpyv", .display_name = (char *)"saxpy"};

static const char long_source[] =
    "first\n  if (i < n) { y[i] = a * x[i] + y[i] + some_function_with_a_long_name(argument_one, "
    "argument_two, argument_three); }\nthird\n";

static void add_program(Fixture *fixture)
{
    WsProgram *program = ws_program_new();
    program->instructions = g_new0(WsInstruction, INSTRUCTIONS);
    program->instruction_count = INSTRUCTIONS;
    program->locations = g_renew(WsLocation, program->locations, 4);
    memset(program->locations, 0, 4 * sizeof(WsLocation));
    program->locations[1] = (WsLocation){.file = 1, .line = 2};
    program->locations[2] = (WsLocation){.file = 1, .line = 3};
    program->locations[3] = (WsLocation){.file = 2, .line = 77, .inlined_at = 1};
    program->location_count = 4;
    g_strfreev(program->files);
    program->files =
        g_strdupv((char *[]){(char *)"", (char *)"dir/kernel.cu", (char *)"warpstep/math.h", NULL});
    program->instructions[1].location = 1;
    program->instructions[2].location = 2;
    program->instructions[3].location = 3; /* inlined into line 2 */
    fixture->program = program;
}

static void add_counters(Fixture *fixture, guint launch)
{
    WsInstructionCounters *at = fixture->instructions[launch];
    at[0].issued = 10;
    at[0].lanes = 320;
    at[1] = (WsInstructionCounters){.issued = 20, .lanes = 500, .lanes_on = 400, .divergent = 5};
    at[1].stalls[WS_STALL_LONG_SCOREBOARD] = 600;
    at[1].stalls[WS_STALL_SELECTED] = 20;
    at[2] = (WsInstructionCounters){.issued = 10, .lanes = 320, .lanes_on = 320};
    at[3] = (WsInstructionCounters){.issued = 2, .lanes = 64, .lanes_on = 64};
    WsCounters *counters = &fixture->launch_results[launch].counters;
    *counters = (WsCounters){
        .cycles = 500,
        .elapsed_cycles = 700,
        .active_sm_cycles = 800,
        .warp_instructions = 42,
        .thread_instructions = 1204,
        .thread_instructions_pred_on = 1104,
        .branches_executed = 20,
        .branches_divergent = 5,
        .warps_launched = 2,
        .warps_diverged = 1,
        .blocks_launched = 1,
        .warp_cycles = 642,
        .global_load_requests = 10,
        .global_load_sectors = 40,
        .l1_lookups = 3,
        .l1_hits = 1,
    };
    counters->stalls[WS_STALL_LONG_SCOREBOARD] = 600;
    counters->stalls[WS_STALL_SELECTED] = 42;
}

static Fixture *fixture_new(guint launches)
{
    Fixture *fixture = g_new0(Fixture, 1);
    add_program(fixture);
    fixture->device = ws_device_load("h200", NULL, NULL);
    fixture->buffer =
        (WsBuffer){.name = (char *)"y", .type = WS_TYPE_F32, .count = 8192, .bytes = 32768};
    fixture->expectation = (WsExpectation){.relative = 0.1, .source = (char *)"y.bin"};
    fixture->sources[0] = (char *)"";
    fixture->sources[1] = (char *)long_source;
    fixture->per_sm[0] = 0.25;
    fixture->per_sm[1] = (double)NAN;
    fixture->limiters[0] = (char *)"warps";
    fixture->limiters[1] = (char *)"registers";
    for (guint i = 0; i < launches; i++) {
        fixture->launches[i] =
            (WsLaunch){.kernel = &kernel, .grid = {1, 1, 1}, .block = {64, 1, 1}};
        fixture->launch_results[i] = (WsLaunchResult){
            .kernel = (char *)"saxpy",
            .registers_per_thread = 16,
            .occupancy = {.blocks_per_sm = 8,
                          .warps_per_block = 2,
                          .theoretical = 1,
                          .achieved = 0.25,
                          .sm_count = SMS,
                          .per_sm = fixture->per_sm,
                          .limiters = fixture->limiters},
            .instructions = fixture->instructions[i],
        };
        add_counters(fixture, i);
    }
    fixture->job = (WsJob){.program = fixture->program,
                           .device = fixture->device,
                           .buffers = &fixture->buffer,
                           .buffer_count = 1,
                           .launches = fixture->launches,
                           .launch_count = launches,
                           .expectations = &fixture->expectation,
                           .expectation_count = 1,
                           .path = (char *)"launch.yaml",
                           .sources = fixture->sources};
    fixture->check = (WsCheckResult){.passed = FALSE,
                                     .mismatches = 3,
                                     .first_index = 17,
                                     .expected = (char *)"1.5",
                                     .actual = (char *)"nan",
                                     .largest_error = 0.25};
    fixture->result = (WsResult){.status = WS_STATUS_CHECK_FAILED,
                                 .launches = fixture->launch_results,
                                 .launch_count = launches,
                                 .total = fixture->launch_results[0].counters,
                                 .checks = &fixture->check,
                                 .check_count = 1};
    return fixture;
}

static void fixture_free(Fixture *fixture)
{
    ws_program_unref(fixture->program);
    ws_device_free(fixture->device);
    g_free(fixture);
}

static JsonObject *parse(JsonParser *parser, const char *text)
{
    GError *error = NULL;
    ck_assert_msg(json_parser_load_from_data(parser, text, -1, &error), "%s",
                  error != NULL ? error->message : "");
    return json_node_get_object(json_parser_get_root(parser));
}

static const char *const members[] = {"schema",
                                      "version",
                                      "compiler",
                                      "status",
                                      "error",
                                      "warnings",
                                      "bottlenecks",
                                      "device",
                                      "kernel",
                                      "cycles",
                                      "elapsed_cycles",
                                      "warp_instructions",
                                      "thread_instructions",
                                      "thread_instructions_pred_on",
                                      "ipc",
                                      "lane_efficiency",
                                      "registers_per_thread",
                                      "occupancy",
                                      "branches",
                                      "warps",
                                      "warp_cycles",
                                      "stalls",
                                      "memory",
                                      "lines",
                                      "checks",
                                      "launches"};

START_TEST(test_json)
{
    Fixture *fixture = fixture_new(1);
    g_autofree char *text = ws_report_json(&fixture->job, &fixture->result);
    g_autofree char *again = ws_report_json(&fixture->job, &fixture->result);
    ck_assert_str_eq(text, again);
    g_autoptr(JsonParser) parser = json_parser_new();
    JsonObject *root = parse(parser, text);
    for (gsize i = 0; i < G_N_ELEMENTS(members); i++)
        ck_assert_msg(json_object_has_member(root, members[i]), "%s", members[i]);
    ck_assert_str_eq(json_object_get_string_member(root, "status"), "check_failed");
    ck_assert(json_object_get_null_member(root, "error"));
    ck_assert(json_object_get_null_member(root, "compiler"));
    ck_assert(json_object_get_double_member(root, "ipc") == 42.0 / 800);
    ck_assert(json_object_get_double_member(root, "lane_efficiency") == 1204.0 / (32 * 42));
    JsonObject *stalls = json_object_get_object_member(root, "stalls");
    ck_assert_uint_eq(json_object_get_size(stalls), WS_STALL_COUNT);
    JsonObject *memory = json_object_get_object_member(root, "memory");
    ck_assert(json_object_get_double_member(memory, "l1_hit_rate") == 1.0 / 3);
    ck_assert(json_object_get_null_member(memory, "l2_hit_rate"));
    JsonObject *occupancy = json_object_get_object_member(root, "occupancy");
    JsonArray *per_sm = json_object_get_array_member(occupancy, "per_sm");
    ck_assert_uint_eq(json_array_get_length(per_sm), SMS);
    ck_assert(json_array_get_null_element(per_sm, 1));
    JsonArray *lines = json_object_get_array_member(root, "lines");
    ck_assert_uint_eq(json_array_get_length(lines), 3); /* none, 2, 3; the header's is in 2 */
    JsonObject *line = json_array_get_object_element(lines, 1);
    ck_assert_str_eq(json_object_get_string_member(line, "file"), "dir/kernel.cu");
    ck_assert_int_eq(json_object_get_int_member(line, "line"), 2);
    ck_assert_int_eq(json_object_get_int_member(line, "instructions"), 22);
    JsonObject *check =
        json_array_get_object_element(json_object_get_array_member(root, "checks"), 0);
    ck_assert_str_eq(json_object_get_string_member(check, "actual"), "nan");
    fixture_free(fixture);
}
END_TEST

START_TEST(test_json_of_two_launches)
{
    Fixture *fixture = fixture_new(2);
    fixture->launch_results[1].kernel = (char *)"other";
    g_autofree char *text = ws_report_json(&fixture->job, &fixture->result);
    g_autoptr(JsonParser) parser = json_parser_new();
    JsonObject *root = parse(parser, text);
    ck_assert(json_object_get_null_member(root, "kernel"));
    ck_assert_uint_eq(json_array_get_length(json_object_get_array_member(root, "launches")), 2);
    JsonArray *lines = json_object_get_array_member(root, "lines");
    JsonObject *line = json_array_get_object_element(lines, 1);
    ck_assert_int_eq(json_object_get_int_member(line, "instructions"), 44);
    fixture_free(fixture);
}
END_TEST

/* What vendors count for a peak: a fused multiply-add is two. */
START_TEST(test_float_operations)
{
    enum { ISSUED = 3, LANES = 90 };
    static const struct {
        WsOpcode opcode;
        guint64 operations;
    } rows[] = {{WS_OP_FADD, LANES},      {WS_OP_FMUL, LANES},
                {WS_OP_FFMA, 2 * LANES},  {WS_OP_DADD, LANES},
                {WS_OP_DFMA, 2 * LANES},  {WS_OP_HADD2, 2 * LANES},
                {WS_OP_HFMA2, 4 * LANES}, {WS_OP_HFMA2_MMA, 4 * LANES},
                {WS_OP_HMMA, 3 * 4096},   {WS_OP_DMMA, 3 * 512},
                {WS_OP_MUFU, 0},          {WS_OP_IMAD, 0},
                {WS_OP_FSETP, 0},         {WS_OP_LDG, 0}};
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        WsInstruction instruction = {.opcode = rows[i].opcode};
        ck_assert_uint_eq(ws_float_operations_of(&instruction, ISSUED, LANES), rows[i].operations);
    }
    Fixture *fixture = fixture_new(2);
    fixture->program->instructions[1].opcode = WS_OP_FFMA; /* 400 lanes in each launch */
    fixture->program->instructions[2].opcode = WS_OP_FADD; /* 320 */
    fixture->program->instructions[3].opcode = WS_OP_IMAD;
    ck_assert_uint_eq(ws_float_operations(fixture->program, &fixture->result), 2 * (800 + 320));
    g_autofree char *text = ws_report_json(&fixture->job, &fixture->result);
    g_autoptr(JsonParser) parser = json_parser_new();
    JsonObject *root = parse(parser, text);
    ck_assert_int_eq(json_object_get_int_member(root, "float_operations"), 2240);
    ck_assert(json_object_get_double_member(root, "tflops") > 0);
    WsDevice device = {.clock_khz = 2000000};
    ck_assert_double_eq_tol(ws_tflops(5000, 10, &device), 1, 1e-12);
    ck_assert(isnan(ws_tflops(0, 0, &device)));
    fixture_free(fixture);
}
END_TEST

/* A run that stopped before anything was issued: no division by zero, still a whole report. */
START_TEST(test_nothing_ran)
{
    Fixture *fixture = fixture_new(1);
    fixture->result.total = (WsCounters){0};
    fixture->result.launch_count = 0;
    fixture->result.check_count = 0;
    fixture->result.status = WS_STATUS_FAULT;
    fixture->result.stop =
        (WsStop){.message = (char *)"load of 4 bytes from \"0\" is out of bounds",
                 .instruction = 1,
                 .sm = 0,
                 .warp = -1,
                 .lane = -1};
    g_autofree char *text = ws_report_json(&fixture->job, &fixture->result);
    g_autoptr(JsonParser) parser = json_parser_new();
    JsonObject *root = parse(parser, text);
    ck_assert(json_object_get_null_member(root, "ipc"));
    JsonObject *error = json_object_get_object_member(root, "error");
    ck_assert_int_eq(json_object_get_int_member(error, "line"), 2);
    ck_assert(json_object_get_null_member(error, "warp"));
    g_autofree char *plain = ws_report_text(&fixture->job, &fixture->result, WIDTH);
    ck_assert_ptr_nonnull(strstr(plain, "status: fault"));
    fixture_free(fixture);
}
END_TEST

/* No line is longer than the terminal is wide, and all figures stay. */
START_TEST(test_text)
{
    static const int widths[] = {40, 59, 60, 79, 80, 100, 300};
    Fixture *fixture = fixture_new((guint)_i);
    for (guint w = 0; w < G_N_ELEMENTS(widths); w++) {
        g_autofree char *text = ws_report_text(&fixture->job, &fixture->result, widths[w]);
        g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
        for (guint i = 0; lines[i] != NULL; i++)
            ck_assert_msg(g_utf8_strlen(lines[i], -1) <= widths[w], "%d: %s", widths[w], lines[i]);
        ck_assert_ptr_nonnull(strstr(text, "long_scoreboard     93.5 %"));
        ck_assert_ptr_nonnull(strstr(text, "kernel.cu:2"));
        ck_assert_ptr_nonnull(strstr(text, "  FAILED  y: 3 of 8,192 elements"));
    }
    fixture_free(fixture);
}
END_TEST

/* Both shares: of the branches, and of the warps. Lanes with a true guard stand beside the lanes.
 */
START_TEST(test_shares)
{
    Fixture *fixture = fixture_new(1);
    g_autofree char *text = ws_report_text(&fixture->job, &fixture->result, WIDTH);
    ck_assert_ptr_nonnull(
        strstr(text, "divergent branches       25.0 %  5 of 20 branches diverged"));
    ck_assert_ptr_nonnull(
        strstr(text, "diverged warps           50.0 %  1 of 2 warps diverged at least once"));
    ck_assert_ptr_nonnull(
        strstr(text, "kernel.cu:2         96.6 %         22   25.6   21.1  long"));
    fixture_free(fixture);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, test_json);
    tcase_add_test(cases, test_json_of_two_launches);
    tcase_add_test(cases, test_float_operations);
    tcase_add_test(cases, test_nothing_ran);
    tcase_add_loop_test(cases, test_text, 1, 3);
    tcase_add_test(cases, test_shares);
}

int main(void)
{
    return run_suite("report", add_tests);
}
