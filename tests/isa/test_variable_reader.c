/* The table of variables that is made of the DWARF in a PTX text, as clang and as nvcc write it. */
#include "isa/bytecode/program.h"
#include "isa/bytecode/variables.h"
#include "tests/support/suite.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static WsProgram *load(const char *path, gboolean debug)
{
    WsCompileOptions options;
    GError *error = NULL;
    ws_compile_options_init(&options);
    options.variables = TRUE;
    options.debug = debug;
    WsProgram *program = ws_program_load(path, &options, &error);
    ck_assert_msg(program != NULL, "%s", error != NULL ? error->message : "");
    ck_assert_ptr_nonnull(program->variables);
    return program;
}

static WsProgram *load_text(const char *text, gboolean debug)
{
    g_autofree char *path = NULL;
    int file = g_file_open_tmp("reader-XXXXXX.ptx", &path, NULL);
    ck_assert_int_ge(file, 0);
    close(file);
    ck_assert(g_file_set_contents(path, text, -1, NULL));
    WsProgram *program = load(path, debug);
    g_unlink(path);
    return program;
}

/* "sum: float, local 48, of k, line 10": the variables of a program, one a line. */
static char *describe(const WsProgram *program)
{
    static const char *const pieces[] = {"unknown", "R",      "UR",      "P",        "constant",
                                         "local",   "shared", "address", "immediate"};
    const WsVariableTable *table = program->variables;
    GString *out = g_string_new(NULL);
    for (guint32 v = 0; v < table->variables->len; v++) {
        const WsSourceVariable *variable = ws_variable_table_variable(table, v);
        const WsSourceType *type = ws_variable_table_type(table, variable->type);
        g_string_append_printf(out, "%s: %s,", variable->name, type->name);
        if (variable->place_count > 0) {
            const WsVariablePlace *place =
                &g_array_index(table->places, WsVariablePlace, variable->first_place);
            const WsVariablePiece *piece = ws_variable_table_piece(table, place->first_piece);
            g_string_append_printf(out, " %s %" G_GUINT64_FORMAT ",", pieces[piece->kind],
                                   piece->value);
        }
        g_string_append_printf(out, " line %u", variable->line);
        for (guint32 s = variable->scope; s != WS_NO_SCOPE;) {
            const WsSourceScope *scope = ws_variable_table_scope(table, s);
            g_string_append_printf(out, " in %s", *scope->name != '\0' ? scope->name : "block");
            if (scope->call_line != 0)
                g_string_append_printf(out, " called at %u:%u", scope->call_line,
                                       scope->call_column);
            s = scope->parent;
        }
        g_string_append_c(out, '\n');
    }
    return g_string_free(out, FALSE);
}

START_TEST(what_clang_writes)
{
    const char *sources = g_getenv("WS_TEST_SOURCES");
    g_autofree char *path = g_build_filename(sources, "tests/fuzz/corpus/variables.ptx", NULL);
    g_autoptr(WsProgram) program = load(path, TRUE);
    g_autofree char *text = describe(program);
    ck_assert_ptr_null(program->variables->reason);
    ck_assert(program->variables->debug);
    ck_assert_str_eq(
        text, "tile: Row[8], shared 0, line 15 in axpy\n"
              "n: int, local 0, line 13 in axpy\n"
              "a: float, local 4, line 13 in axpy\n"
              "x: const float *, local 8, line 13 in axpy\n"
              "y: float *, local 16, line 13 in axpy\n"
              "node: Node, local 24, line 16 in axpy\n"
              "i: int, local 48, line 17 in block in axpy\n"
              "c: const Colour, local 52, line 18 in block in block in axpy\n"
              "v: float, local 56, line 8 in twice<float> called at 19:30 in block in block "
              "in axpy\n"
              "w: float, local 60, line 10 in twice<float> called at 19:30 in block in block "
              "in axpy\n"
              "counter: int, address 67108864, line 7\n");
}
END_TEST

/* The bits of a bit field, the names of an enum, what a pointer points to, the size of a typedef.
 */
START_TEST(types_of_clang)
{
    const char *sources = g_getenv("WS_TEST_SOURCES");
    g_autofree char *path = g_build_filename(sources, "tests/fuzz/corpus/variables.ptx", NULL);
    g_autoptr(WsProgram) program = load(path, TRUE);
    const WsVariableTable *table = program->variables;
    const guint32 node = ws_variable_table_variable(table, 5)->type;
    WsSourceMember member;
    ck_assert_uint_eq(ws_variable_table_type(table, node)->bytes, 24);
    ck_assert(ws_source_type_member(table, node, "bits", &member));
    ck_assert_uint_eq(member.offset, 16);
    ck_assert_uint_eq(member.bit_offset, 0);
    ck_assert_uint_eq(member.bit_size, 5);
    ck_assert(ws_source_type_member(table, node, "next", &member));
    ck_assert_uint_eq(member.offset, 8);
    const guint32 target = ws_variable_table_type(table, member.type)->target;
    ck_assert_str_eq(ws_variable_table_type(table, target)->name, "Node");
    const guint32 colour = ws_variable_table_variable(table, 7)->type;
    ck_assert(ws_variable_table_type(table, colour)->is_signed);
    ck_assert_str_eq(ws_source_type_enumerator(table, colour, -5), "GREEN");
    const WsSourceType *tile =
        ws_variable_table_type(table, ws_variable_table_variable(table, 0)->type);
    ck_assert_uint_eq(tile->count, 8);
    ck_assert_uint_eq(ws_variable_table_type(table, tile->target)->count, 4);
}
END_TEST

/*
 * nvcc: names in .debug_str, an address class in front of an address that is the whole place, many
 * values a line, labels with `$`; a variable in a register, whose place is a list.
 */
#define NVCC_CODE                                                                                  \
    ".version 7.5\n.target sm_80, debug\n.address_size 64\n"                                       \
    ".visible .entry k(.param .u32 k_param_0)\n{\n"                                                \
    ".local .align 8 .b8 __local_depot0[16];\n.reg .b32 %r<4>;\n.reg .b64 %SP;\n"                  \
    ".reg .b64 %SPL;\n$L__func_begin0:\n.loc 1 3 0\n"                                              \
    "mov.u64 %SPL, __local_depot0;\ncvta.local.u64 %SP, %SPL;\n"                                   \
    "ld.param.u32 %r1, [k_param_0];\n"                                                             \
    "$L__tmp0:\n.loc 1 4 7\nst.u32 [%SP+8], %r1;\n.loc 1 5 1\nret;\n"                              \
    "$L__tmp1:\n$L__func_end0:\n}\n.file 1 \"k.cu\"\n"
#define NVCC_DEBUG                                                                                 \
    ".section .debug_abbrev\n{\n"                                                                  \
    ".b8 1,17,1,3,14,0,0\n"                              /* unit: name by strp */                  \
    ".b8 2,46,1,17,1,18,1,3,14,58,11,59,11,0,0\n"        /* function */                            \
    ".b8 3,5,0,51,11,2,10,3,14,73,19,0,0\n"              /* parameter */                           \
    ".b8 4,52,0,51,11,2,10,3,14,58,11,59,11,73,19,0,0\n" /* variable */                            \
    ".b8 5,52,0,51,11,2,6,3,14,73,19,0,0\n"              /* by a list */                           \
    ".b8 6,36,0,3,14,62,11,11,11,0,0\n"                  /* base type */                           \
    ".b8 0\n}\n"                                                                                   \
    ".section .debug_info\n{\n.b32 $L__end-$L__start\n$L__start:\n.b8 2,0\n"                       \
    ".b32 .debug_abbrev\n.b8 8\n"                                                                  \
    ".b8 1\n.b32 $L__info_string0\n"                                                               \
    ".b8 2\n.b64 $L__func_begin0\n.b64 $L__func_end0\n.b32 $L__info_string1\n.b8 1,3\n"            \
    ".b8 3,7,9,3\n.b64 k_param_0\n.b32 $L__info_string2\n.b32 $L__type\n"                          \
    ".b8 4,6,9,3\n.b64 __local_depot0+8\n.b32 $L__info_string3\n.b8 1,4\n.b32 $L__type\n"          \
    ".b8 5,2\n.b32 $L__debug_loc0\n.b32 $L__info_string4\n.b32 $L__type\n"                         \
    ".b8 0\n$L__type:\n.b8 6\n.b32 $L__info_string5\n.b8 5,4\n.b8 0\n$L__end:\n}\n"                \
    ".section .debug_str\n{\n$L__info_string0:\n.b8 107,46,99,117,0 // k.cu\n"                     \
    "$L__info_string1:\n.b8 107,0\n$L__info_string2:\n.b8 110,0\n"                                 \
    "$L__info_string3:\n.b8 118,0\n$L__info_string4:\n.b8 119,0\n"                                 \
    "$L__info_string5:\n.b8 105,110,116,0\n}\n.section .debug_loc\n{\n$L__debug_loc0:\n.b64 "      \
    "0\n}\n"

START_TEST(what_nvcc_writes)
{
    g_autoptr(WsProgram) program = load_text(NVCC_CODE NVCC_DEBUG, TRUE);
    g_autofree char *text = describe(program);
    ck_assert_msg(program->variables->reason == NULL, "%s", program->variables->reason);
    ck_assert_str_eq(text, "n: int, constant 528, line 0 in k\n"
                           "v: int, local 8, line 4 in k\n"
                           "w: int, line 0 in k\n");
}
END_TEST

START_TEST(why_there_are_none)
{
    g_autoptr(WsProgram) optimised = load_text(NVCC_CODE NVCC_DEBUG, FALSE);
    g_autoptr(WsProgram) lines = load_text(NVCC_CODE, TRUE);
    g_auto(GStrv) parts = g_strsplit(NVCC_CODE, ".loc 1", -1);
    g_autofree char *bare = g_strjoinv("// ", parts);
    g_autoptr(WsProgram) nothing = load_text(bare, TRUE);
    ck_assert_ptr_nonnull(strstr(optimised->variables->reason, "--debug leaves them in place"));
    ck_assert_ptr_nonnull(strstr(lines->variables->reason, "source lines alone"));
    ck_assert_ptr_nonnull(strstr(nothing->variables->reason, "no debug information"));
    ck_assert_uint_eq(optimised->variables->variables->len, 0);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, what_clang_writes);
    tcase_add_test(cases, types_of_clang);
    tcase_add_test(cases, what_nvcc_writes);
    tcase_add_test(cases, why_there_are_none);
}

int main(void)
{
    return run_suite("variable_reader", add_tests);
}
