/* Source lines of instructions that the compiler gave none. */
#include "isa/codegen/source_lines.h"

#include "isa/bytecode/opcode.h"
#include "isa/cuda/ptx_cache.h"
#include "isa/text/assembler.h"
#include "tests/support/suite.h"

#include <glib/gstdio.h>
#include <string.h>

enum { OPENING = 1, BASE = 10 };

/* Location `OPENING` is line 3; location BASE + n is line n of file 1. */
static GArray *make_locations(void)
{
    GArray *locations = g_array_new(FALSE, TRUE, sizeof(WsLocation));
    for (guint i = 0; i < BASE + 90; i++) {
        WsLocation location = {.file = i > 0, .line = i == OPENING ? 3 : i > BASE ? i - BASE : 0};
        location.ptx_line = i > BASE ? 100 + i : 0;
        g_array_append_val(locations, location);
    }
    return locations;
}

/* Runs `text`, where each instruction has the line given (0 = none), and compares the lines. */
static void assert_lines(const char *text, const guint *given, const guint *expected)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(WsProgram) program = ws_assemble("a.wsasm", text, strlen(text), NULL, &error);
    ck_assert_msg(program != NULL, "%s", error != NULL ? error->message : "");
    g_autoptr(GArray) locations = make_locations();
    for (guint32 i = 0; i < program->instruction_count; i++)
        program->instructions[i].location = given[i] == 0 ? 0 : BASE + given[i];
    ws_complete_source_lines(program->instructions, program->instruction_count, locations, OPENING);
    for (guint32 i = 0; i < program->instruction_count; i++) {
        const WsLocation *found =
            &g_array_index(locations, WsLocation, program->instructions[i].location);
        ck_assert_msg(found->line == expected[i], "instruction %u: line %u, expected %u", i,
                      found->line, expected[i]);
        if (given[i] == 0)
            ck_assert_uint_eq(found->ptx_line, 0);
    }
}

/* The nearest reader gives the line, also through one that has none itself. */
START_TEST(test_reader)
{
    static const char text[] = ".kernel k\n"
                               "MOV R0, 0x4 ;\n"          /* read by the IADD3 without a line */
                               "IADD3 R2, R0, R0, RZ ;\n" /* read by line 7 */
                               "MOV R4, 0x1 ;\n"          /* written over before it is read */
                               "MOV R4, 0x2 ;\n"          /* read by line 8 */
                               "IADD3 R3, R2, R2, RZ ;\n" /* line 7 */
                               "IADD3 R5, R4, R3, RZ ;\n" /* line 8 */
                               "STG.E [R6], R5 ;\n"       /* line 9 */
                               "EXIT ;\n";
    assert_lines(text, (guint[]){0, 0, 5, 0, 7, 8, 9, 10}, (guint[]){7, 7, 5, 8, 7, 8, 9, 10});
}
END_TEST

/* A guarded write may leave what was there: the reader behind it counts for both. */
START_TEST(test_guarded_write)
{
    static const char text[] = ".kernel k\n"
                               "MOV R0, 0x4 ;\n"
                               "@P0 MOV R0, 0x5 ;\n"
                               "IADD3 R3, R0, R0, RZ ;\n"
                               "STG.E [R6], R3 ;\n"
                               "EXIT ;\n";
    assert_lines(text, (guint[]){0, 0, 7, 8, 9}, (guint[]){7, 7, 7, 8, 9});
}
END_TEST

/* Jumps: of their block; alone in it, of their target; nobody reads it: of the opening. */
START_TEST(test_jumps)
{
    static const char text[] = ".kernel k\n"
                               "MOV R9, 0x4 ;\n" /* first in its block: the one behind it */
                               "MOV R1, 0x1 ;\n"
                               "@P0 BRA THERE ;\n"
                               "BRA END ;\n" /* alone in its block */
                               "THERE:\n"
                               "MOV R2, R1 ;\n"
                               "BRA END ;\n"
                               "END:\n"
                               "EXIT ;\n";
    assert_lines(text, (guint[]){0, 4, 5, 0, 6, 0, 7}, (guint[]){4, 4, 5, 7, 6, 6, 7});
    /* through a second jump; and what no rule reaches is of the opening */
    assert_lines(".kernel k\nBRA M ;\nN:\nEXIT ;\nM:\nBRA N ;\n", (guint[]){0, 9, 0},
                 (guint[]){9, 9, 9});
    assert_lines(".kernel k\nMOV R1, 0x1 ;\n@P0 BRA N ;\nN:\nEXIT ;\n", (guint[]){0, 0, 9},
                 (guint[]){3, 9, 9});
}
END_TEST

/* A kernel without any line keeps none. */
START_TEST(test_nothing_known)
{
    assert_lines(".kernel k\nMOV R1, 0x1 ;\nEXIT ;\n", (guint[]){0, 0}, (guint[]){0, 0});
}
END_TEST

static WsProgram *load(const char *path)
{
    g_autofree char *cache = ws_ptx_cache_folder();
    WsCompileOptions options;
    ws_compile_options_init(&options);
    options.load_constants = TRUE;
    options.bounds.cache = options.bounds.header_cache = cache;
    g_autoptr(GError) error = NULL;
    WsProgram *program = ws_program_load(path, &options, &error);
    ck_assert_msg(program != NULL, "%s", error != NULL ? error->message : "");
    return program;
}

static const WsLocation *location_of(const WsProgram *program, guint32 i)
{
    return &program->locations[program->instructions[i].location];
}

/* Every instruction of every workload in CUDA has a line, and nothing else is made up. */
START_TEST(test_workloads)
{
    g_autofree char *folder = g_build_filename(g_getenv("WS_TEST_SOURCES"), "workloads", NULL);
    g_autoptr(GDir) list = g_dir_open(folder, 0, NULL);
    ck_assert_ptr_nonnull(list);
    guint programs = 0;
    for (const char *name; (name = g_dir_read_name(list)) != NULL;) {
        g_autofree char *path = g_build_filename(folder, name, "kernel.cu", NULL);
        if (!g_file_test(path, G_FILE_TEST_EXISTS))
            continue;
        g_autoptr(WsProgram) program = load(path);
        for (guint32 i = 0; i < program->instruction_count; i++)
            ck_assert_msg(location_of(program, i)->line != 0, "%s: instruction %u", name, i);
        programs++;
    }
    ck_assert_uint_ge(programs, 15);
}
END_TEST

/* Addresses in vecadd count for the line that loads, the prologue for the opening. */
START_TEST(test_vecadd)
{
    g_autofree char *path =
        g_build_filename(g_getenv("WS_TEST_SOURCES"), "workloads/vecadd/kernel.cu", NULL);
    g_autoptr(WsProgram) program = load(path);
    guint opening = 0, addresses = 0;
    for (guint32 i = 0; i < program->instruction_count; i++) {
        const WsLocation *location = location_of(program, i);
        opening += location->line == 3;
        if (program->instructions[i].opcode == WS_OP_IMAD_WIDE) {
            ck_assert_uint_eq(location->line, 6);
            addresses++;
        }
    }
    ck_assert_uint_eq(opening, 2);
    ck_assert_uint_eq(addresses, 3);
}
END_TEST

/* PTX without .loc is its own source. */
START_TEST(test_ptx)
{
    static const char text[] = ".version 7.5\n.target sm_80\n.address_size 64\n"
                               ".visible .entry k(.param .u64 p)\n{\n"
                               ".reg .b64 %rd<3>;\n.reg .b32 %r<2>;\n"
                               "ld.param.u64 %rd1, [p];\n"
                               "mov.u32 %r1, %tid.x;\n"
                               "st.global.u32 [%rd1], %r1;\n" /* line 10 */
                               "ret;\n}\n";
    g_autofree char *folder = g_dir_make_tmp("warpstep-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "k.ptx", NULL);
    ck_assert(g_file_set_contents(path, text, -1, NULL));
    g_autoptr(WsProgram) program = load(path);
    gboolean store = FALSE;
    for (guint32 i = 0; i < program->instruction_count; i++) {
        const WsLocation *location = location_of(program, i);
        ck_assert_str_eq(program->files[location->file], path);
        ck_assert_uint_ne(location->line, 0);
        store = store || (program->instructions[i].opcode == WS_OP_STG && location->line == 10);
    }
    ck_assert(store);
    g_remove(path);
    g_rmdir(folder);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_set_timeout(cases, 60);
    tcase_add_test(cases, test_reader);
    tcase_add_test(cases, test_guarded_write);
    tcase_add_test(cases, test_jumps);
    tcase_add_test(cases, test_nothing_known);
    tcase_add_test(cases, test_workloads);
    tcase_add_test(cases, test_vecadd);
    tcase_add_test(cases, test_ptx);
}

int main(void)
{
    return run_suite("source_lines", add_tests);
}
