/* Where lanes meet and where an instruction stands, in the words of the source. */
#include "sim/base/instruction_place.h"
#include "sim/base/meeting_text.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/suite.h"

/* An if, a while, and the body of a function; two of them use the same barrier. */
#define CODE                                                                                       \
    ".reconvergence manual\nS2R R0, SR_LANEID ;\nISETP.GE P0, R0, 12 ;\n"                          \
    "BSSY B0, first ;\n@P0 BRA first ;\nNOP ;\nfirst: BSYNC B0 ;\nNOP ;\n"                         \
    "BSSY B0, second ;\nloop: NOP ;\n@P0 BRA loop ;\nsecond: BSYNC B0 ;\n"                         \
    "BSSY B1, third ;\nBAR.SYNC 0 ;\nthird: BSYNC B1 ;\nWARPSYNC 0xffffffff ;\nEXIT ;\n"

enum { INSTRUCTIONS = 16, NOWHERE = G_MAXUINT32 };

static WsConstruct constructs[] = {
    {.kind = WS_CONSTRUCT_NONE},
    {.kind = WS_CONSTRUCT_IF, .line = 10},
    {.kind = WS_CONSTRUCT_WHILE, .line = 20},
    {.kind = WS_CONSTRUCT_FUNCTION, .line = 30, .name = (char *)"f"},
    {.kind = WS_CONSTRUCT_REST, .line = 40, .parent = 1},
    {.kind = WS_CONSTRUCT_MACRO, .line = 50, .name = (char *)"CLAMP"},
};

/* One for each instruction: the line is its number + 100, but for some. */
static WsLocation locations[INSTRUCTIONS];
static WsInstruction instructions[INSTRUCTIONS];
static Engine *engine;
static WsProgram program;

static void set_up(void)
{
    static const guint32 of[INSTRUCTIONS] = {
        [2] = 1, [3] = 1, [5] = 1, [7] = 2, [9] = 2, [10] = 2, [11] = 3, [13] = 3};
    static char *files[] = {(char *)"", (char *)"k.cu", NULL};

    engine = engine_new("textbook", NULL, CODE, 1, 32, 1);
    program = *engine->job->program;
    ck_assert_uint_eq(program.instruction_count, INSTRUCTIONS);
    for (guint32 i = 0; i < INSTRUCTIONS; i++) {
        instructions[i] = program.instructions[i];
        instructions[i].location = i;
        locations[i] = (WsLocation){.file = 1, .line = i + 100, .construct = of[i]};
    }
    program.instructions = instructions;
    program.locations = locations;
    program.location_count = INSTRUCTIONS;
    program.constructs = constructs;
    program.construct_count = G_N_ELEMENTS(constructs);
    program.files = files;
    program.path = (char *)"k.cu";
}

static void tear_down(void)
{
    engine_free(engine);
}

/* The BSSY whose lanes are there: from it control comes to the place, and has not passed BSYNC. */
START_TEST(set_by)
{
    static const struct {
        guint32 barrier, pc, set;
    } rows[] = {{0, 1, NOWHERE},  {0, 2, NOWHERE},  {0, 3, 2},      {0, 4, 2},
                {0, 5, 2},        {0, 6, NOWHERE},  {0, 8, 7},      {0, 9, 7},
                {0, 10, 7},       {0, 11, NOWHERE}, {1, 12, 11},    {1, 13, 11},
                {1, 14, NOWHERE}, {0, 12, NOWHERE}, {1, 8, NOWHERE}};
    const WsKernel *kernel = engine->job->launches[0].kernel;

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
        ck_assert_msg(ws_meeting_set_by(&program, kernel, rows[i].barrier, rows[i].pc) ==
                          rows[i].set,
                      "B%u at %u", rows[i].barrier, rows[i].pc);
    program.construct_count = 1; /* nothing has a name */
    ck_assert_uint_eq(ws_meeting_set_by(&program, kernel, 0, 3), NOWHERE);
}
END_TEST

static void check(char *text, const char *expected)
{
    ck_assert_msg(g_strcmp0(text, expected) == 0, "%s, not %s", text, expected);
    g_free(text);
}

START_TEST(names_of_meetings)
{
    check(ws_meeting_name(&program, 5), "end of the if (line 10)");
    check(ws_meeting_name(&program, 10), "end of the while (line 20)");
    check(ws_meeting_name(&program, 13), "end of f() (line 30)");
    check(ws_meeting_name(&program, 2), NULL); /* no BSYNC */
    check(ws_meeting_name(&program, NOWHERE), NULL);
    check(ws_meeting_opening(&program, 2), "if (line 10)");
    check(ws_meeting_opening(&program, 5), NULL);
    locations[5].construct = 4;
    check(ws_meeting_name(&program, 5), "common tail of the if (line 40)");
    locations[5].construct = 5;
    check(ws_meeting_name(&program, 5), "end of CLAMP (line 50)");
    locations[5].construct = 0;
    check(ws_meeting_name(&program, 5), NULL);
}
END_TEST

/* Who waits, and for how many that have left it or have not. */
START_TEST(sentences)
{
    static const struct {
        guint32 sync;
        WsMeetingLanes lanes;
        const char *text;
    } rows[] = {
        {10, {1, 6, 0}, "1 lane waits at the end of the while (line 20) for 2 that still iterate"},
        {10, {9, 2, 0}, "2 lanes wait at the end of the while (line 20) for 1 that still iterates"},
        {5, {1, 2, 0}, "1 lane waits at the end of the if (line 10) for 1 that is still in it"},
        {5, {1, 6, 0}, "1 lane waits at the end of the if (line 10) for 2 that are still in it"},
        {5, {1, 2, 2}, "1 lane waits at the end of the if (line 10) for 1 that has left it"},
        {5, {1, 6, 6}, "1 lane waits at the end of the if (line 10) for 2 that have left it"},
        {5,
         {1, 0xe, 2},
         "1 lane waits at the end of the if (line 10) for 2 that are still in it and 1 that has "
         "left it"},
        {12, {1, 2, 0}, NULL},
    };

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
        check(ws_meeting_sentence(&program, rows[i].sync, &rows[i].lanes), rows[i].text);
}
END_TEST

/* By its line, else the line of its PTX, else its number; in the words of CUDA C where it is that.
 */
START_TEST(places)
{
    check(ws_instruction_place(&program, 4), "k.cu:104 (NOP)");
    check(ws_instruction_place(&program, 3), "k.cu:103 (BRA of if)");
    check(ws_instruction_place(&program, 10), "k.cu:110 (end of while)");
    check(ws_instruction_place(&program, 12), "k.cu:112 (__syncthreads)");
    locations[14].ptx_line = 77;
    check(ws_instruction_place(&program, 14), "k.cu:114 (__syncwarp)");
    locations[4] = (WsLocation){.ptx_line = 30};
    check(ws_instruction_place(&program, 4), "k.cu:PTX line 30 (NOP)");
    locations[4].ptx_line = 0;
    check(ws_instruction_place(&program, 4), "instruction 4 (NOP)");
    program.path = (char *)"k.ptx";
    locations[4].ptx_line = 30;
    check(ws_instruction_place(&program, 4), "k.ptx:30 (NOP)");
    check(ws_instruction_place(&program, 12), "k.cu:112 (BAR.SYNC)");
    check(ws_instruction_place(&program, 14), "k.cu:114 (WARPSYNC)");
    ck_assert_uint_eq(ws_instruction_address(3), 3 * WS_INSTRUCTION_BYTES);
}
END_TEST

/* Lines of the product's own header are those of the call, through as many as there are. */
START_TEST(lines_of_calls)
{
    static char *files[] = {(char *)"", (char *)"k.cu", (char *)"warpstep/cuda.h", NULL};
    guint32 file, line;

    program.files = files;
    ws_line_of_instruction(&program, 4, &file, &line);
    ck_assert(file == 1 && line == 104);
    locations[4] = (WsLocation){.file = 2, .line = 9, .inlined_at = 5};
    locations[5] = (WsLocation){.file = 2, .line = 8, .inlined_at = 6};
    ws_line_of_instruction(&program, 4, &file, &line);
    ck_assert(file == 1 && line == 106);
    locations[6].line = 0;
    ws_line_of_instruction(&program, 4, &file, &line);
    ck_assert(file == 0 && line == 0);
    locations[4].file = 1; /* a function of the user's own keeps its line */
    ws_line_of_instruction(&program, 4, &file, &line);
    ck_assert(file == 1 && line == 9);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, set_by);
    tcase_add_test(cases, names_of_meetings);
    tcase_add_test(cases, sentences);
    tcase_add_test(cases, places);
    tcase_add_test(cases, lines_of_calls);
}

int main(void)
{
    return run_suite("meetings", add_tests);
}
