/* Several PTX texts as one. */
#include "isa/ptx/ast.h"
#include "isa/ptx/link.h"

#include <string.h>

#include "tests/support/suite.h"

#define HEAD ".version 7.5\n.target sm_80\n.address_size 64\n"

static char *link_texts(const char *const *texts, GError **error)
{
    static const char *const names[] = {"a.cu", "b.cu", "c.cu"};
    WsPtxUnit units[3];
    guint count = 0;
    for (; texts[count] != NULL; count++)
        units[count] = (WsPtxUnit){names[count], texts[count], strlen(texts[count])};
    return ws_ptx_link(units, count, error);
}

/* Of the texts that link: the module that comes out. */
static WsPtxModule *linked(const char *const *texts, char **ret_text)
{
    GError *error = NULL;
    *ret_text = link_texts(texts, &error);
    ck_assert_msg(*ret_text != NULL, "%s", error == NULL ? "" : error->message);
    WsPtxModule *module = ws_ptx_parse("linked.ptx", *ret_text, strlen(*ret_text), &error);
    ck_assert_msg(module != NULL, "%s\n%s", error == NULL ? "" : error->message, *ret_text);
    return module;
}

static void assert_refused(const char *const *texts, const char *expected)
{
    GError *error = NULL;
    char *text = link_texts(texts, &error);
    ck_assert_ptr_null(text);
    ck_assert_int_eq(error->code, WS_ERROR_INPUT);
    ck_assert_str_eq(error->message, expected);
    g_error_free(error);
}

static guint64 first_value(const WsPtxModule *module, const char *name)
{
    const WsPtxVariable *variable = g_hash_table_lookup(module->variable_map, name);
    ck_assert_msg(variable != NULL && variable->initial != NULL, "%s", name);
    return variable->initial->data[0];
}

START_TEST(declarations_meet_definitions)
{
    static const char *const texts[] = {
        HEAD ".extern .func (.param .b32 r) f (.param .b32 f_0);\n"
             ".extern .global .align 4 .u32 x;\n"
             ".extern .const .align 4 .b8 table[];\n"
             ".extern .shared .align 16 .b8 heap[];\n"
             ".extern .func (.param .b32 r) vprintf (.param .b64 v_0, .param .b64 v_1);\n"
             ".visible .entry k() { .reg .b32 %r<2>; ld.global.u32 %r1, [x]; ret; }\n",
        HEAD ".visible .global .align 4 .u32 x = 7;\n"
             ".visible .const .align 4 .b8 table[8] = {3, 0};\n"
             ".visible .func (.param .b32 r) f(.param .b32 f_0) { ret; }\n",
        NULL};
    g_autofree char *text = NULL;
    g_autoptr(WsPtxModule) module = linked(texts, &text);
    const WsPtxFunction *f = g_hash_table_lookup(module->function_map, "f");
    ck_assert(f->has_body);
    ck_assert_uint_eq(first_value(module, "x"), 7);
    ck_assert_uint_eq(first_value(module, "table"), 3);
    ck_assert_ptr_eq(strstr(strstr(text, ".version") + 1, ".version"), NULL);
}
END_TEST

START_TEST(what_a_unit_has_for_itself)
{
    static const char *const texts[] = {
        HEAD ".global .align 4 .u32 own = 1;\n.visible .global .align 4 .u32 _ZL1s = 11;\n"
             ".global .align 4 .u32 alone = 9;\n.global .align 8 .u64 at = generic(own);\n"
             ".func f { ret; }\n.visible .entry k() { call f; ret; }\n",
        HEAD ".global .align 4 .u32 own = 2;\n.visible .global .align 4 .u32 _ZL1s = 12;\n"
             ".func f { ret; }\n.visible .entry _ZN12_GLOBAL__N_11kEv() { call f; ret; }\n",
        HEAD ".visible .global .align 4 .u32 own = 3;\n.visible .func f { ret; }\n"
             ".visible .entry _ZN12_GLOBAL__N_11kEv() { ret; }\n",
        NULL};
    g_autofree char *text = NULL;
    g_autoptr(WsPtxModule) module = linked(texts, &text);
    ck_assert_uint_eq(first_value(module, "own$1"), 1);
    ck_assert_uint_eq(first_value(module, "own$2"), 2);
    ck_assert_uint_eq(first_value(module, "own"), 3);
    ck_assert_uint_eq(first_value(module, "_ZL1s$1"), 11);
    ck_assert_uint_eq(first_value(module, "_ZL1s$2"), 12);
    ck_assert_uint_eq(first_value(module, "alone"), 9);
    const WsPtxVariable *at = g_hash_table_lookup(module->variable_map, "at");
    ck_assert_str_eq(g_array_index(at->relocations, WsPtxRelocation, 0).symbol, "own$1");
    const WsPtxFunction *k = g_hash_table_lookup(module->function_map, "_ZN12_GLOBAL__N_11kEv$2");
    ck_assert_str_eq(g_array_index(k->operands, WsPtxOperand, 0).name, "f$2");
    ck_assert(g_hash_table_contains(module->function_map, "_ZN12_GLOBAL__N_11kEv$3"));
    ck_assert(g_hash_table_contains(module->function_map, "f"));
}
END_TEST

/* Of weak ones the first, but a strong one before them; of kernels the first. */
START_TEST(weak_definitions)
{
    static const char *const texts[] = {
        HEAD ".weak .global .align 4 .u32 a = 1;\n.weak .global .align 4 .u32 b = 1;\n"
             ".weak .func f;\n.weak .func f { exit; }\n.weak .func g { exit; }\n"
             ".visible .entry t() { call f; call g; ret; }\n",
        HEAD ".weak .global .align 4 .u32 a = 2;\n.visible .global .align 4 .u32 b = 2;\n"
             ".weak .func f { trap; }\n.visible .func g { trap; }\n"
             ".visible .entry t() { call f; ret; }\n",
        NULL};
    g_autofree char *text = NULL;
    g_autoptr(WsPtxModule) module = linked(texts, &text);
    ck_assert_uint_eq(first_value(module, "a"), 1);
    ck_assert_uint_eq(first_value(module, "b"), 2);
    const WsPtxFunction *f = g_hash_table_lookup(module->function_map, "f");
    const WsPtxFunction *g = g_hash_table_lookup(module->function_map, "g");
    const WsPtxFunction *t = g_hash_table_lookup(module->function_map, "t");
    ck_assert_str_eq(g_array_index(f->statements, WsPtxStatement, 0).opcode, "exit");
    ck_assert_str_eq(g_array_index(g->statements, WsPtxStatement, 0).opcode, "trap");
    ck_assert_uint_eq(t->statements->len, 3);
}
END_TEST

START_TEST(files_and_sections)
{
    static const char *const texts[] = {
        HEAD ".visible .entry k() {\n.reg .b32 %r<2>;\n.loc 1 10 2\nmov.u32 %r1, 1;\n.loc 2 20 3, "
             "function_name $L+4, "
             "inlined_at 1 11 1\nret; }\n.file 1 \"a.cu\"\n.file 2 \"a.h\"\n"
             ".section .debug_str { $L: .b8 107,0 }\n",
        HEAD ".visible .entry m() {\n.loc 1 30 2\nret; }\n.file 1 \"b.cu\"\n"
             ".section .debug_str { $L: .b8 107,0 }\n",
        NULL};
    g_autofree char *text = NULL;
    g_autoptr(WsPtxModule) module = linked(texts, &text);
    ck_assert_str_eq(g_hash_table_lookup(module->files, GUINT_TO_POINTER(2)), "a.h");
    ck_assert_str_eq(g_hash_table_lookup(module->files, GUINT_TO_POINTER(3)), "b.cu");
    const WsPtxFunction *m = g_hash_table_lookup(module->function_map, "m");
    guint32 place = g_array_index(m->statements, WsPtxStatement, 0).location;
    const WsPtxLocation *location = &g_array_index(module->locations, WsPtxLocation, place);
    ck_assert_uint_eq(location->file, 3);
    ck_assert_uint_eq(location->line, 30);
    ck_assert_ptr_null(strstr(text, ".section"));
}
END_TEST

START_TEST(refused)
{
    static const char *const missing[] = {HEAD ".extern .func _Z1fi;\n.extern .global .u32 x;\n",
                                          HEAD ".global .u32 x;\n.func _Z1fi { ret; }\n", NULL};
    static const char *const twice[] = {
        HEAD ".visible .global .u32 x;\n", HEAD ".visible .func f { ret; }\n",
        HEAD ".visible .global .u32 x;\n.visible .func f { ret; }\n", NULL};
    static const char *const spaces[] = {HEAD ".extern .global .u32 x;\n.extern .func y;\n",
                                         HEAD ".visible .const .u32 x;\n.visible .global .u32 y;\n",
                                         NULL};
    static const char *const wrong[] = {HEAD, HEAD "\x01", NULL};
    assert_refused(missing,
                   "error: the device code does not link: 'f(int)' is used in a.cu and not "
                   "defined in any file of the link\n"
                   "'x' is used in a.cu and not defined in any file of the link");
    assert_refused(twice, "error: the device code does not link: 'x' is defined in a.cu and in "
                          "c.cu\n'f' is defined in b.cu and in c.cu");
    assert_refused(spaces, "error: the device code does not link: 'x' is __device__ in a.cu and "
                           "__constant__ in b.cu\n"
                           "'y' is a function in a.cu and __device__ in b.cu");
    assert_refused(wrong, "b.cu:4:1: error: character that PTX does not have");
}
END_TEST

/* Texts that end in the middle of whatever. */
START_TEST(cut_texts)
{
    static const char whole[] =
        HEAD ".visible .global .align 4 .b8 x[4] = {1, 2};\n"
             ".visible .func (.param .b32 r) f(.param .b32 f_0) .noreturn { bra L; L: ret; }\n"
             ".file 1 \"a.cu\"\n.section .debug { .b8 1 }\n";
    for (gsize length = 0; length < sizeof whole; length++) {
        WsPtxUnit units[] = {{"a.cu", whole, length}, {"b.cu", HEAD, strlen(HEAD)}};
        g_autoptr(GError) error = NULL;
        g_autofree char *text = ws_ptx_link(units, 2, &error);
        ck_assert((text == NULL) == (error != NULL));
    }
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, declarations_meet_definitions);
    tcase_add_test(cases, what_a_unit_has_for_itself);
    tcase_add_test(cases, weak_definitions);
    tcase_add_test(cases, files_and_sections);
    tcase_add_test(cases, refused);
    tcase_add_test(cases, cut_texts);
}

int main(void)
{
    return run_suite("ptx_link", add_tests);
}
