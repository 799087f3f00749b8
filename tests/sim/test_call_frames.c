/*
 * The functions that an instruction was inlined by: of the call sites of a PTX text as nvcc writes
 * them, and of the scopes of a table of variables.
 */
#include "sim/base/call_frames.h"

#include <string.h>

#include "isa/bytecode/variables.h"
#include "sim/base/instruction_place.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/suite.h"

/* half() of f.cuh in twice() of f.cuh in the kernel of a.cu: two calls, one directly and one not.
 */
#define MODULE                                                                                     \
    ".version 7.8\n.target sm_90\n.address_size 64\n.file 1 \"src/a.cu\"\n.file 2 \"f.cuh\"\n"     \
    ".file 3 \"warpstep/cuda.h\"\n"                                                                \
    ".visible .entry k(.param .u64 x)\n{\n.reg .b32 %r<5>;\n.reg .b64 %rd<3>;\n"                   \
    ".loc 1 4 1\nld.param.u64 %rd1, [x];\ncvta.to.global.u64 %rd2, %rd1;\n"                        \
    "ld.global.u32 %r1, [%rd2];\n"                                                                 \
    ".loc 2 30 1, function_name $L__info_string0, inlined_at 1 5 3\nmul.lo.s32 %r2, %r1, %r1;\n"   \
    ".loc 2 10 1, function_name $L__info_string1, inlined_at 2 30 1\nxor.b32 %r3, %r2, 77;\n"      \
    ".loc 3 99 1, function_name $L__info_string1, inlined_at 1 8 1\nmul.lo.s32 %r4, %r3, %r1;\n"   \
    ".loc 1 7 1\nst.global.u32 [%rd2], %r4;\nret;\n}\n"

static Engine *engine;
static WsProgram *program;

static void set_up(void)
{
    engine = engine_new("h200", NULL, MODULE, 1, 32, 32);
    program = engine->job->program;
}

static void tear_down(void)
{
    engine_free(engine);
}

/* The instruction of a line of the source, its header's counted as such. */
static guint32 instruction_of(const char *file, guint32 line)
{
    for (guint32 i = 0; i < program->instruction_count; i++) {
        const WsLocation *at = &program->locations[program->instructions[i].location];

        if (at->line == line && g_str_has_suffix(program->files[at->file], file))
            return i;
    }
    ck_abort_msg("no instruction of %s:%u", file, line);
}

static guint32 file_named(const char *name)
{
    for (guint32 i = 1; program->files[i] != NULL; i++)
        if (g_str_has_suffix(program->files[i], name))
            return i;
    ck_abort_msg("no file %s", name);
}

static void check_place(guint32 instruction, const char *expected)
{
    g_autofree char *said = ws_place_with_frames(program, instruction, "HERE");

    ck_assert_str_eq(said, expected);
}

static void check_headings(guint32 instruction, const char *const *expected)
{
    g_autoptr(GArray) frames = ws_call_frames(program, instruction);

    ck_assert_uint_eq(frames->len, g_strv_length((char **)expected));
    for (guint i = 0; i < frames->len; i++) {
        g_autofree char *said = ws_call_frame_text(program, frames, i);

        ck_assert_str_eq(said, expected[i]);
    }
}

START_TEST(call_sites_are_frames)
{
    check_place(instruction_of("a.cu", 4), "HERE");
    check_place(instruction_of("f.cuh", 30), "HERE, called at a.cu:5");
    check_place(instruction_of("f.cuh", 10), "HERE, called at f.cuh:30, called at a.cu:5");
    check_place(instruction_of("a.cu", 7), "HERE");
    check_headings(instruction_of("f.cuh", 10),
                   (const char *const[]){"f.cuh:10, called at f.cuh:30",
                                         "f.cuh:30, called at a.cu:5", "a.cu:5", NULL});
}
END_TEST

/* As `why` and a deadlock say it: with the opcode, and the folder on request. */
START_TEST(instruction_place_has_its_calls)
{
    g_autofree char *said = ws_framed_instruction_place(program, instruction_of("f.cuh", 30), TRUE);
    g_autofree char *first = ws_framed_instruction_place(program, instruction_of("a.cu", 7), FALSE);
    const char *calls = strstr(said, "), called at a.cu:5");

    ck_assert_msg(g_str_has_prefix(said, "f.cuh:30 (IMAD"), "%s", said);
    ck_assert_msg(calls != NULL && strcmp(calls, "), called at a.cu:5") == 0, "%s", said);
    ck_assert_msg(g_str_has_prefix(first, "a.cu:7 (") && g_str_has_suffix(first, ")"), "%s", first);
}
END_TEST

/* The line of code of the header is that of its caller: no call shows. */
START_TEST(own_header_has_no_frame)
{
    check_place(instruction_of("cuda.h", 99), "HERE");
    check_headings(instruction_of("cuda.h", 99), (const char *const[]){"a.cu:8", NULL});
}
END_TEST

START_TEST(past_the_end_is_one_frame)
{
    check_place(program->instruction_count, "HERE");
}
END_TEST

static void add_scope(WsVariableTable *table, WsSourceScope scope, guint32 first, guint32 count)
{
    const WsCodeRange range = {first, count};

    scope.name = g_strdup(scope.name);
    scope.first_range = table->ranges->len;
    scope.range_count = 1;
    g_array_append_val(table->ranges, range);
    g_array_append_val(table->scopes, scope);
}

/* The kernel k, a block in it, twice<float> called at a.cu:5 there, half called in that at
 * f.cuh:30; twice<float> begins at line 28 of f.cuh and half at `line`. All hold all instructions.
 */
static void give_variables(guint32 line, guint32 kernel_line)
{
    guint32 all = program->instruction_count, a = file_named("a.cu"), f = file_named("f.cuh");
    WsVariableTable *table = ws_variable_table_new();

    add_scope(table,
              (WsSourceScope){.kind = WS_SOURCE_SCOPE_KERNEL,
                              .parent = WS_NO_SCOPE,
                              .name = "k",
                              .file = f,
                              .line = kernel_line},
              0, all);
    add_scope(table, (WsSourceScope){.kind = WS_SOURCE_SCOPE_BLOCK, .parent = 0, .name = ""}, 0,
              all);
    add_scope(table,
              (WsSourceScope){.kind = WS_SOURCE_SCOPE_INLINED,
                              .parent = 1,
                              .name = "twice<float>",
                              .file = f,
                              .line = 28,
                              .call_file = a,
                              .call_line = 5},
              0, all);
    add_scope(table,
              (WsSourceScope){.kind = WS_SOURCE_SCOPE_INLINED,
                              .parent = 2,
                              .name = "half",
                              .file = f,
                              .line = line,
                              .call_file = f,
                              .call_line = 30},
              0, all);
    ws_variable_table_free(program->variables);
    program->variables = table;
}

START_TEST(scopes_are_frames_with_names)
{
    give_variables(9, 99);
    check_place(instruction_of("f.cuh", 10),
                "half() at HERE, called by twice<float>() at f.cuh:30, called at a.cu:5");
    check_headings(instruction_of("f.cuh", 10),
                   (const char *const[]){"half() at f.cuh:10, called at f.cuh:30",
                                         "twice<float>() at f.cuh:30, called at a.cu:5",
                                         "k() at a.cu:5", NULL});
}
END_TEST

/* A place never says a function that its line is not of; the frames are there for the variables. */
START_TEST(moved_code_is_not_of_the_function)
{
    give_variables(31, 99);
    check_place(instruction_of("f.cuh", 30), "twice<float>() at HERE, called at a.cu:5");
    check_place(instruction_of("f.cuh", 10), "HERE"); /* above both */
    check_place(instruction_of("a.cu", 7), "HERE");   /* in another file */
    for (guint32 i = 0; i < program->instruction_count; i++) {
        g_autoptr(GArray) frames = ws_call_frames(program, i);

        ck_assert_uint_eq(frames->len, 3);
        ck_assert_uint_eq(g_array_index(frames, WsCallFrame, 0).scope, 3);
        ck_assert_uint_eq(g_array_index(frames, WsCallFrame, 2).scope, 0);
    }
}
END_TEST

/* Functions stand one after the other: a line below the start of a caller is the caller's. */
START_TEST(line_of_a_caller_is_not_of_the_function)
{
    give_variables(9, 30);
    check_place(instruction_of("f.cuh", 30), "HERE"); /* of k */
    check_place(instruction_of("f.cuh", 10),
                "half() at HERE, called by twice<float>() at f.cuh:30, called at a.cu:5");
    give_variables(9, 31);
    check_place(instruction_of("f.cuh", 30), "twice<float>() at HERE, called at a.cu:5");
}
END_TEST

START_TEST(first_line_is_of_the_function)
{
    give_variables(10, 99);
    check_place(instruction_of("f.cuh", 10),
                "half() at HERE, called by twice<float>() at f.cuh:30, called at a.cu:5");
}
END_TEST

/* A table without scopes, as of a program that was compiled without -G: the call sites count. */
START_TEST(empty_table_leaves_the_call_sites)
{
    ws_variable_table_free(program->variables);
    program->variables = ws_variable_table_new();
    check_place(instruction_of("f.cuh", 30), "HERE, called at a.cu:5");
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, call_sites_are_frames);
    tcase_add_test(cases, instruction_place_has_its_calls);
    tcase_add_test(cases, own_header_has_no_frame);
    tcase_add_test(cases, past_the_end_is_one_frame);
    tcase_add_test(cases, scopes_are_frames_with_names);
    tcase_add_test(cases, moved_code_is_not_of_the_function);
    tcase_add_test(cases, line_of_a_caller_is_not_of_the_function);
    tcase_add_test(cases, first_line_is_of_the_function);
    tcase_add_test(cases, empty_table_leaves_the_call_sites);
}

int main(void)
{
    return run_suite("call_frames", add_tests);
}
