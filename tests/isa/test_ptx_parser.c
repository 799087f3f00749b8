#include "isa/ptx/ast.h"

#include <string.h>

#include "tests/support/suite.h"

static WsPtxModule *parse(const char *text)
{
    GError *error = NULL;
    WsPtxModule *module = ws_ptx_parse("a.ptx", text, strlen(text), &error);
    ck_assert_msg(module != NULL, "%s", error == NULL ? "" : error->message);
    return module;
}

static void assert_error(const char *text, const char *expected)
{
    GError *error = NULL;
    WsPtxModule *module = ws_ptx_parse("a.ptx", text, strlen(text), &error);
    ck_assert_ptr_null(module);
    ck_assert_int_eq(error->code, WS_ERROR_INPUT);
    ck_assert_str_eq(error->message, expected);
    g_error_free(error);
}

START_TEST(test_kernel)
{
    g_autoptr(WsPtxModule) module =
        parse(".version 7.0\n.target sm_80\n.address_size 64\n"
              ".global .align 4 .b8 table[8] = {1, 2, 0x3U, -1};\n"
              ".visible .entry k(.param .u64 k_0, .param .align 8 .b8 k_1[12])\n"
              ".maxntid 128, 2, 1 .minnctapersm 2\n{\n"
              ".reg .pred %p<2>; .reg .b32 %r<3>, %x;\n"
              ".loc 1 7 3\n"
              "@!%p1 bra L; ld.global.v2.u32 {%r0, %x}, [table+4];\n"
              "L: setp.lt.s32 %p0|%p1, %r0, -5; mov.u32 %r2, %tid.x; ret; }\n"
              ".file 1 \"a.cu\", 1, 2\n");
    const WsPtxFunction *k = g_ptr_array_index(module->functions, 0);
    ck_assert_str_eq(k->name, "k");
    ck_assert_uint_eq(k->parameters->len, 2);
    const WsPtxVariable *second = g_ptr_array_index(k->parameters, 1);
    ck_assert_uint_eq(second->size, 12);
    ck_assert_uint_eq(second->align, 8);
    ck_assert_uint_eq(k->max_threads[1], 2);
    ck_assert_uint_eq(k->min_blocks, 2);
    ck_assert_uint_eq(k->statements->len, 6);
    const WsPtxStatement *load = &g_array_index(k->statements, WsPtxStatement, 1);
    ck_assert_str_eq(load->full, "ld.global.v2.u32");
    const WsPtxOperand *operand = &g_array_index(k->operands, WsPtxOperand, load->first_operand);
    ck_assert_int_eq(operand[0].kind, WS_PTX_VECTOR);
    ck_assert_uint_eq(operand[0].count, 2);
    ck_assert_int_eq(operand[1].kind, WS_PTX_ADDRESS);
    ck_assert_uint_eq(operand[1].value, 4);
    const WsPtxOperand *last = &g_array_index(k->operands, WsPtxOperand, operand[0].first + 1);
    ck_assert_int_eq(last->kind, WS_PTX_REGISTER);
    ck_assert_uint_eq(last->index, 5);
    const WsPtxVariable *table = g_hash_table_lookup(module->variable_map, "table");
    ck_assert_uint_eq(table->initial->data[3], 255);
    ck_assert_str_eq(g_hash_table_lookup(module->files, GUINT_TO_POINTER(1)), "a.cu");
}
END_TEST

/* Values that ptxas 13.0 puts into an initialised variable of 64 bits. */
static const struct {
    const char *text;
    guint64 value;
} constants[] = {
    {"1<<0", 1},
    {"(1+2)*4", 12},
    {"2+3*4-6/2", 11},
    {"1+2<<3", 24},
    {"1<<2<<3", 32},
    {"1|2^3&4", 3},
    {"100/7/2", 7},
    {"1<2==1", 1},
    {"1<2>1", 0},
    {"1||0&&0", 1},
    {"1&&2", 1},
    {"5>=5", 1},
    {"5!=5", 0},
    {"1?2:3", 2},
    {"1?0?3:4:5", 4},
    {"0?1:0?2:3", 3},
    {"- -3", 3},
    {"3--2", 5},
    {"-~3", 4},
    {"!5", 0},
    {"!!7", 1},
    {"WARP_SZ*2", 64},
    {"2*WARP_SZ", 64},
    {"0b101+010", 13},
    {"-7/2", (guint64)-3},
    {"7/-2", (guint64)-3},
    {"-7/2U", 0x7ffffffffffffffc},
    {"(.u64)-7/2", 0x7ffffffffffffffc},
    {"0xfffffffffffffff9/2", 0x7ffffffffffffffc},
    {"-9223372036854775808/-1", 0},
    {"7 % 3", 1},
    {"7%-2", 7},
    {"-7 % -3", (guint64)-7},
    {"(7 % 3)-2>>1", 0x7fffffffffffffff},
    {"-1>>1", G_MAXUINT64},
    {"-1>>1U", G_MAXUINT64},
    {"-1U>>1", 0x7fffffffffffffff},
    {"~1>>1", 0x7fffffffffffffff},
    {"0xffffffffffffffff>>1", 0x7fffffffffffffff},
    {"(.s64)0xffffffffffffffff>>1", G_MAXUINT64},
    {"(.u64) 3 - 4 >> 1", 0x7fffffffffffffff},
    {"0x7fffffffffffffff+1>>1", 0xc000000000000000},
    {"1<<64", 1},
    {"1<<-1", 0x8000000000000000},
    {"1>>64", 1},
    {"-1>>63", G_MAXUINT64},
    {"(-1^0)>>1", G_MAXUINT64},
    {"(-1&-1)>>1", G_MAXUINT64},
    {"(-1|0U)>>1", 0x7fffffffffffffff},
    {"(-1|0)/2", 0},
    {"(1?-1:2U)>>1", G_MAXUINT64},
    {"(0?-1:1U-2)>>1", 0x7fffffffffffffff},
    {"-1<1", 1},
    {"-1<1U", 0},
    {"(-1<1U)-2>>1", G_MAXUINT64},
};

START_TEST(test_constant_expressions)
{
    for (guint i = 0; i < G_N_ELEMENTS(constants); i++) {
        g_autofree char *text =
            g_strdup_printf(".global .b64 y = %s;\n.entry k() { .reg .b64 %%r; mov.b64 %%r, %s; }",
                            constants[i].text, constants[i].text);
        g_autoptr(WsPtxModule) module = parse(text);
        const WsPtxVariable *y = g_hash_table_lookup(module->variable_map, "y");
        const WsPtxFunction *k = g_ptr_array_index(module->functions, 0);
        guint64 value;
        memcpy(&value, y->initial->data, sizeof value);
        ck_assert_msg(value == constants[i].value, "%s = 0x%" G_GINT64_MODIFIER "x",
                      constants[i].text, value);
        const WsPtxOperand *operand = &g_array_index(k->operands, WsPtxOperand, 1);
        ck_assert_int_eq(operand->kind, WS_PTX_INTEGER);
        ck_assert_uint_eq(operand->value, constants[i].value);
    }
}
END_TEST

/* Where ptxas takes them: operands, parts of vectors and lists, behind '+' of an address. */
START_TEST(test_places_of_constants)
{
    g_autoptr(WsPtxModule) module = parse(
        ".global .b32 x[8] = {1+2, (3), 3*4};\n.func f(.reg .b32 %a) { ret; }\n"
        ".entry k() { .reg .b32 %r<3>; .reg .b64 %d; .reg .pred %p<2>;\n"
        "ld.global.u32 %r0, [%d+1<<2]; ld.global.u32 %r0, [x+8-4]; ld.global.u32 %r0, [%d+-4*2];\n"
        "ld.global.u32 %r0, [%d-4]; mov.b64 %d, x+4*2; mov.b64 %d, {1+2, %r1};\n"
        "call f, (2*3); ld.local.u32 %r0, [4*4]; setp.eq.or.s32 %p0|%p1, %r0, 1|2, !%p1; ret; }");
    const WsPtxFunction *k = g_ptr_array_index(module->functions, 1);
    const WsPtxVariable *x = g_hash_table_lookup(module->variable_map, "x");
    static const struct {
        guint statement, operand;
        WsPtxOperandKind kind;
        guint64 value;
    } rows[] = {{0, 1, WS_PTX_ADDRESS, 4},           {1, 1, WS_PTX_ADDRESS, 4},
                {2, 1, WS_PTX_ADDRESS, (guint64)-8}, {3, 1, WS_PTX_ADDRESS, (guint64)-4},
                {4, 1, WS_PTX_VARIABLE, 8},          {5, 2, WS_PTX_INTEGER, 3},
                {6, 2, WS_PTX_INTEGER, 6},           {7, 1, WS_PTX_ADDRESS, 16},
                {8, 2, WS_PTX_INTEGER, 3},           {8, 3, WS_PTX_REGISTER, 0}};
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        const WsPtxStatement *statement =
            &g_array_index(k->statements, WsPtxStatement, rows[i].statement);
        const WsPtxOperand *operand =
            &g_array_index(k->operands, WsPtxOperand, statement->first_operand + rows[i].operand);
        ck_assert_int_eq(operand->kind, rows[i].kind);
        ck_assert_msg(operand->value == rows[i].value, "row %u: %" G_GUINT64_FORMAT, i,
                      operand->value);
        ck_assert_int_eq(operand->negated, rows[i].kind == WS_PTX_REGISTER);
    }
    ck_assert_uint_eq(x->initial->data[0], 3);
    ck_assert_uint_eq(x->initial->data[4], 3);
    ck_assert_uint_eq(x->initial->data[8], 12);
    ck_assert(!k->names_warp_size && !module->names_warp_size);
}
END_TEST

START_TEST(test_inlined_locations)
{
    g_autoptr(WsPtxModule) module =
        parse(".entry k() { .loc 1 10 1\n.loc 2 5 2, function_name $x, inlined_at 1 10 1\n"
              ".loc 3 6 3, function_name $y+4, inlined_at 2 5 2\nret; }");
    const WsPtxFunction *k = g_ptr_array_index(module->functions, 0);
    guint32 index = g_array_index(k->statements, WsPtxStatement, 0).location;
    const WsPtxLocation *inner = &g_array_index(module->locations, WsPtxLocation, index);
    const WsPtxLocation *middle = &g_array_index(module->locations, WsPtxLocation, inner->parent);
    const WsPtxLocation *outer = &g_array_index(module->locations, WsPtxLocation, middle->parent);
    ck_assert_uint_eq(inner->line, 6);
    ck_assert_uint_eq(middle->line, 5);
    ck_assert_uint_eq(outer->line, 10);
    ck_assert_uint_eq(outer->parent, 0);
}
END_TEST

START_TEST(test_labels_of_scopes)
{
    g_autoptr(WsPtxModule) module = parse(".entry k() { { bra L; L: ret; } { bra L; L: ret; } }");
    const WsPtxFunction *k = g_ptr_array_index(module->functions, 0);
    ck_assert_uint_eq(g_array_index(k->operands, WsPtxOperand, 0).index, 0);
    ck_assert_uint_eq(g_array_index(k->operands, WsPtxOperand, 1).index, 1);
}
END_TEST

/* An address in an initialiser, `p` behind `a`, with its place in the text. */
static const struct {
    const char *declaration, *symbol;
    gint64 addend;
    gboolean generic;
    guint shift, bytes, column;
    guint64 offset;
} relocations[] = {
    {".global .u64 p = a;", "a", 0, FALSE, 0, 8, 18, 0},
    {".global .u64 p = a+4;", "a", 4, FALSE, 0, 8, 18, 0},
    {".global .u64 p = a-4;", "a", -4, FALSE, 0, 8, 18, 0},
    {".global .u64 p = generic(a);", "a", 0, TRUE, 0, 8, 18, 0},
    {".global .u64 p = generic(a+4);", "a", 4, TRUE, 0, 8, 18, 0},
    {".global .u64 p = generic(a)+8;", "a", 8, TRUE, 0, 8, 18, 0},
    {".global .u64 p[3] = {1, 2, b};", "b", 0, FALSE, 0, 8, 28, 16},
    {".global .u32 p[2] = {1, b+8};", "b", 8, FALSE, 0, 4, 25, 4},
    {".global .b8 p[4] = {0, 0xFF(a), 1, 2};", "a", 0, FALSE, 0, 1, 29, 1},
    {".global .b8 p[4] = {0, 1, 0xFF00(a), 2};", "a", 0, FALSE, 8, 1, 34, 2},
    {".global .b8 p[1] = {0xFF00000000000000(a)};", "a", 0, FALSE, 56, 1, 40, 0},
};

START_TEST(test_relocations)
{
    g_autoptr(WsPtxModule) module = parse(relocations[_i].declaration);
    const WsPtxVariable *p = g_hash_table_lookup(module->variable_map, "p");
    ck_assert_uint_eq(p->relocations->len, 1);
    const WsPtxRelocation *of = &g_array_index(p->relocations, WsPtxRelocation, 0);
    ck_assert_str_eq(of->symbol, relocations[_i].symbol);
    ck_assert_int_eq(of->addend, relocations[_i].addend);
    ck_assert_int_eq(of->generic, relocations[_i].generic);
    ck_assert_uint_eq(of->shift, relocations[_i].shift);
    ck_assert_uint_eq(of->bytes, relocations[_i].bytes);
    ck_assert_uint_eq(of->offset, relocations[_i].offset);
    ck_assert_uint_eq(of->position.line, 1);
    ck_assert_uint_eq(of->position.column, relocations[_i].column);
}
END_TEST

/* In a line, with blanks around what may stand alone. */
static const char module_text[] =
    ".version 8.0 .target sm_90 , debug .address_size 64 "
    ".global .align 4 .b8 table [ 2 ] [ 4 ] = { { 1 , 2 , 0x3U } , -1 } ; "
    ".global .attribute ( .managed ) .u64 p = generic ( table + 4 ) + 8 ; "
    ".const .v2 .f32 x = { 1.0 , 0f3F800000 } ; .extern .shared .u32 s [ ] ; "
    ".global .b8 q [ 1 ] = { 0xFF ( table ) } ; "
    ".func ( .reg .b32 %r ) f ( .param .b32 a ) { ld.param.b32 %r , [ a ] ; ret ; } "
    ".visible .entry k ( .param .u64 .ptr .global .align 4 n , .param .b8 m [ 12 ] ) "
    ".maxntid 128 , 2 , 1 .minnctapersm 2 { "
    ".reg .pred %p < 2 > ; .reg .b32 %r < 3 > , %x ; .local .align 8 .b8 l [ 16 ] ; "
    ".loc 1 7 3 @ !%p1 bra L ; ld.global.v2.u32 { %r0 , %x } , [ table + 4 ] ; "
    "L : setp.lt.s32 %p0 | %p1 , %r0 , -5 ; mov.u32 %r2 , %tid.x ; "
    "{ .reg .b32 y ; mov.u32 y , ( 1 + 2 ) * 3 ? 4 : 5 ; call ( y ) , f , ( y ) ; } "
    "T : .branchtargets A , B ; A : B : brx.idx.uni %r0 , T ; ret ; } "
    ".file 1 \"a.cu\" , 1 , 2 ";

/* What PTX has no character for ends the text wherever it stands, and is what is told. */
START_TEST(test_errors_anywhere)
{
    ws_ptx_module_free(parse(module_text));
    for (gsize at = 0; at + 1 < strlen(module_text); at++) {
        if (module_text[at] != ' ')
            continue;
        g_autofree char *text =
            g_strdup_printf("%.*s\x01%s", (int)at, module_text, module_text + at);
        g_autofree char *message =
            g_strdup_printf("a.ptx:1:%u: error: character that PTX does not have", (guint)at + 1);
        assert_error(text, message);
    }
}
END_TEST

START_TEST(test_errors)
{
    assert_error("\n  frob", "a.ptx:2:3: error: a directive expected before 'frob'");
    assert_error(".entry k() { bra L; }", "a.ptx:1:18: error: 'L' is not declared");
    assert_error(".entry k() { ret;",
                 "a.ptx:1:18: error: '}' expected: function 'k' is never closed");
    assert_error(".entry k() { .reg .b32 %r<99999999>; }",
                 "a.ptx:1:27: error: 99999999 is over the limit of 1048576");
    assert_error(".entry k() { .reg .b32 %r; @%r ret; }",
                 "a.ptx:1:29: error: guard '%r' is not a predicate");
    assert_error(".entry k() { @%p ret; }", "a.ptx:1:15: error: register '%p' is not declared");
    assert_error(".entry k() { L: L: ret; }", "a.ptx:1:17: error: label 'L' is declared twice");
    assert_error(".global .b8 x[2] = {1, 2, 3};", "a.ptx:1:27: error: more values than elements");
    assert_error(".global .b8 x[99999999999];",
                 "a.ptx:1:15: error: 99999999999 is over the limit of 67108864");
    assert_error(".global .b64 x[67108864];", "a.ptx:1:15: error: variable 'x' is over 64 MiB");
    assert_error(".address_size 32", "a.ptx:1:15: error: only .address_size 64 is supported");
    assert_error(".entry k() { mov.u32 %r, 0xfffffffffffffffff; }",
                 "a.ptx:1:26: error: number is malformed or needs more than 64 bits");
    assert_error(".entry k() { .reg .b32 %r; mov.b32 %r, 1+; }",
                 "a.ptx:1:42: error: a number expected before ';'");
    assert_error(".entry k() { .reg .b32 %r; mov.b32 %r, 1+%r; }",
                 "a.ptx:1:42: error: a number expected before '%r'");
    assert_error(".entry k() { .reg .b32 %r; mov.b32 %r, (1; }",
                 "a.ptx:1:42: error: ')' expected before ';'");
    assert_error(".entry k() { .reg .b32 %r; mov.b32 %r, 1?2; }",
                 "a.ptx:1:43: error: ':' expected before ';'");
    assert_error(".entry k() { .reg .b32 %r; mov.b32 %r, 1 < < 2; }",
                 "a.ptx:1:44: error: a number expected before '<'");
    assert_error(".entry k() { .reg .b32 %r; mov.b32 %r, 7 %3; }",
                 "a.ptx:1:42: error: ';' expected before '%3'");
    assert_error(".entry k() { .reg .b32 %r; mov.b32 %r, 0&&1/0; }",
                 "a.ptx:1:44: error: division by zero");
    assert_error(".entry k() { .reg .b32 %r; mov.b32 %r, 1 % 0; }",
                 "a.ptx:1:42: error: division by zero");
    assert_error(".entry k() { .reg .b32 %r; mov.b32 %r, (.s32)1; }",
                 "a.ptx:1:41: error: only .s64 and .u64 can be cast to");
    assert_error(".entry k() { .reg .b32 %r; mov.b32 %r, 2*1.0; }",
                 "a.ptx:1:42: error: a constant expression of floating-point numbers is not "
                 "supported");
    assert_error(".entry k() { .reg .b32 %r<2*2>; }", "a.ptx:1:28: error: '>' expected before '*'");
    assert_error(".shared .b32 s[4*2];", "a.ptx:1:17: error: ']' expected before '*'");
    g_autofree char *open = g_strnfill(100000, '(');
    g_autofree char *deep = g_strconcat(".global .b32 y = ", open, NULL);
    assert_error(deep, "a.ptx:1:82: error: constant expression of more than 64 levels");
    assert_error("/* open", "a.ptx:1:1: error: comment is never closed");
    assert_error(".entry k() { ret; } .entry k() { ret; }",
                 "a.ptx:1:28: error: function 'k' is defined twice");
    assert_error("\xc3\xa9 ?", "a.ptx:1:1: error: character that PTX does not have");
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, test_kernel);
    tcase_add_test(cases, test_constant_expressions);
    tcase_add_test(cases, test_places_of_constants);
    tcase_add_test(cases, test_inlined_locations);
    tcase_add_test(cases, test_labels_of_scopes);
    tcase_add_loop_test(cases, test_relocations, 0, G_N_ELEMENTS(relocations));
    tcase_add_test(cases, test_errors_anywhere);
    tcase_add_test(cases, test_errors);
}

int main(void)
{
    return run_suite("ptx_parser", add_tests);
}
