/* The table of variables: what a name means at an instruction, where it is, and its container. */
#include "isa/bytecode/variables.h"
#include "isa/container/binary.h"
#include "isa/text/assembler.h"
#include "tests/support/suite.h"

#include <string.h>

enum { FLOAT = 1, INT, PAIR_OF, TILE, COLOUR, POINTER_TO_PAIR, TYPE_COUNT };
enum { KERNEL, BLOCK, CALL };
enum { SUM, SUM_INSIDE, PAIR, COUNTER, PARAMETER };

static void add_type(WsVariableTable *table, WsValueKind kind, const char *name, guint64 bytes,
                     guint32 target, guint64 count, guint32 first, guint32 members)
{
    const WsSourceType type = {.kind = kind,
                               .name = g_strdup(name),
                               .bytes = bytes,
                               .target = target,
                               .count = count,
                               .is_signed = kind == WS_VALUE_SIGNED,
                               .first_member = first,
                               .member_count = members};
    g_array_append_val(table->types, type);
}

static void add_member(WsVariableTable *table, const char *name, guint32 type, guint64 offset,
                       gint64 value)
{
    const WsSourceMember member = {
        .name = g_strdup(name), .type = type, .offset = offset, .value = value};
    g_array_append_val(table->members, member);
}

static void add_scope(WsVariableTable *table, WsSourceScopeKind kind, guint32 parent,
                      const char *name, guint32 range_count)
{
    const WsSourceScope scope = {.kind = kind,
                                 .parent = parent,
                                 .name = g_strdup(name),
                                 .line = 3,
                                 .call_line = kind == WS_SOURCE_SCOPE_INLINED ? 7 : 0,
                                 .first_range = table->ranges->len - range_count,
                                 .range_count = range_count};
    g_array_append_val(table->scopes, scope);
}

static void add_range(WsVariableTable *table, guint32 first, guint32 count)
{
    const WsCodeRange range = {first, count};
    g_array_append_val(table->ranges, range);
}

static void add_place(WsVariableTable *table, guint32 first, guint32 count, guint32 pieces)
{
    const WsVariablePlace place = {{first, count}, table->pieces->len - pieces, pieces};
    g_array_append_val(table->places, place);
}

static void add_piece(WsVariableTable *table, WsPieceKind kind, guint32 bytes, guint32 index,
                      guint64 value)
{
    const WsVariablePiece piece = {kind, bytes, index, FALSE, value};
    g_array_append_val(table->pieces, piece);
}

/* Its places are those that were added last. */
static void add_variable(WsVariableTable *table, const char *name, WsSourceVariableKind kind,
                         guint32 type, guint32 scope, guint32 places)
{
    const WsSourceVariable variable = {.name = g_strdup(name),
                                       .kind = kind,
                                       .type = type,
                                       .scope = scope,
                                       .line = 4,
                                       .first_place = table->places->len - places,
                                       .place_count = places};
    g_array_append_val(table->variables, variable);
}

static void add_types(WsVariableTable *table)
{
    add_type(table, WS_VALUE_FLOAT, "float", 4, 0, 0, 0, 0);
    add_type(table, WS_VALUE_SIGNED, "int", 4, 0, 0, 0, 0);
    add_member(table, "a", INT, 0, 0);
    add_member(table, "", FLOAT, 4, 0); /* anonymous; no struct, so nothing is found in it */
    add_type(table, WS_VALUE_STRUCT, "Pair", 8, 0, 0, 0, 2);
    add_member(table, "inner", INT, 4, 0);
    add_member(table, "", PAIR_OF, 8, 0);
    add_type(table, WS_VALUE_STRUCT, "Outer", 16, 0, 0, 2, 2);
    add_member(table, "RED", INT, 0, 0);
    add_member(table, "ALSO_RED", INT, 0, 0);
    add_member(table, "GREEN", INT, 0, -5);
    add_type(table, WS_VALUE_ENUM, "Colour", 4, INT, 0, 4, 3);
    add_type(table, WS_VALUE_POINTER, "Pair *", 8, PAIR_OF, 0, 0, 0);
}

/*
 * Instructions 0 to 9: the kernel has 0 to 7 and 9, a block 2 and 3 and 6, a call in that block 3.
 * `sum` is in the kernel and in the block.
 */
static WsVariableTable *example(void)
{
    WsVariableTable *table = ws_variable_table_new();
    add_types(table);
    add_range(table, 0, 8);
    add_range(table, 9, 1);
    add_scope(table, WS_SOURCE_SCOPE_KERNEL, WS_NO_SCOPE, "k<float>", 2);
    add_range(table, 2, 2);
    add_range(table, 6, 1);
    add_scope(table, WS_SOURCE_SCOPE_BLOCK, KERNEL, "", 2);
    add_range(table, 3, 1);
    add_scope(table, WS_SOURCE_SCOPE_INLINED, BLOCK, "f", 1);

    add_piece(table, WS_PIECE_REGISTER, 4, 254, 0);
    add_place(table, 1, 2, 1);
    add_piece(table, WS_PIECE_LOCAL, 4, 0, 12);
    add_place(table, 3, 1, 1);
    add_piece(table, WS_PIECE_IMMEDIATE, 4, 0, 0xfffffffb);
    add_place(table, 6, 4, 1);
    add_variable(table, "sum", WS_VARIABLE_LOCAL, FLOAT, KERNEL, 3);
    add_variable(table, "sum", WS_VARIABLE_LOCAL, INT, BLOCK, 0);
    add_piece(table, WS_PIECE_UNKNOWN, 4, 0, 0);
    add_piece(table, WS_PIECE_CONSTANT, 4, 0, 0x210);
    add_place(table, 0, 10, 2);
    add_variable(table, "pair", WS_VARIABLE_LOCAL, PAIR_OF, KERNEL, 1);
    add_piece(table, WS_PIECE_ADDRESS, 4, 0, 0x04000000);
    add_place(table, 0, 10, 1);
    add_variable(table, "counter", WS_VARIABLE_DEVICE, INT, WS_NO_SCOPE, 1);
    add_variable(table, "x", WS_VARIABLE_PARAMETER, POINTER_TO_PAIR, CALL, 0);
    return table;
}

static const WsVariableBounds bounds = {10, 2};

static void check_at(const WsVariableTable *table, guint32 instruction, const char *expected)
{
    g_autoptr(GArray) list = ws_variable_table_at(table, instruction);
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < list->len; i++)
        g_string_append_printf(text, "%u ", g_array_index(list, guint32, i));
    ck_assert_msg(strcmp(text->str, expected) == 0, "at %u: %s", instruction, text->str);
}

START_TEST(names_mean_the_innermost)
{
    g_autoptr(WsVariableTable) table = example();
    ck_assert_ptr_null(ws_variable_table_fault(table, &bounds));
    const guint32 scopes[] = {KERNEL, KERNEL, BLOCK,  CALL,        KERNEL,
                              KERNEL, BLOCK,  KERNEL, WS_NO_SCOPE, KERNEL};
    for (guint32 i = 0; i < G_N_ELEMENTS(scopes); i++)
        ck_assert_uint_eq(ws_variable_table_scope_at(table, i), scopes[i]);
    check_at(table, 3, "4 1 0 2 3 ");
    check_at(table, 2, "1 0 2 3 ");
    check_at(table, 7, "0 2 3 ");
    check_at(table, 8, "3 ");
    ck_assert_uint_eq(ws_variable_table_find(table, 6, "sum"), SUM_INSIDE);
    ck_assert_uint_eq(ws_variable_table_find(table, 7, "sum"), SUM);
    ck_assert_uint_eq(ws_variable_table_find(table, 8, "sum"), WS_NO_VARIABLE);
    ck_assert_uint_eq(ws_variable_table_find(table, 8, "counter"), COUNTER);
    ck_assert_uint_eq(ws_variable_table_find(table, 2, "x"), WS_NO_VARIABLE);
}
END_TEST

START_TEST(places_hold_in_their_range)
{
    g_autoptr(WsVariableTable) table = example();
    const guint32 places[] = {9, 0, 0, 1, 9, 9, 2, 2, 2, 2}; /* 9: not known */
    for (guint32 i = 0; i < G_N_ELEMENTS(places); i++) {
        const WsVariablePlace *place = ws_variable_table_place(table, SUM, i);
        if (places[i] == 9)
            ck_assert_ptr_null(place);
        else
            ck_assert_ptr_eq(place, &g_array_index(table->places, WsVariablePlace, places[i]));
        ck_assert_ptr_null(ws_variable_table_place(table, SUM_INSIDE, i));
        ck_assert_ptr_nonnull(ws_variable_table_place(table, PAIR, i));
    }
    ck_assert_ptr_null(ws_variable_table_place(table, SUM, 10));
}
END_TEST

START_TEST(members_and_names)
{
    g_autoptr(WsVariableTable) table = example();
    WsSourceMember member;
    ck_assert(ws_source_type_member(table, TILE, "inner", &member));
    ck_assert_uint_eq(member.offset, 4);
    ck_assert(ws_source_type_member(table, TILE, "a", &member)); /* of the anonymous one */
    ck_assert_uint_eq(member.offset, 8);
    ck_assert(!ws_source_type_member(table, TILE, "", &member));
    ck_assert(!ws_source_type_member(table, TILE, "b", &member));
    ck_assert(!ws_source_type_member(table, COLOUR, "RED", &member));
    ck_assert_str_eq(ws_source_type_enumerator(table, COLOUR, 0), "RED");
    ck_assert_str_eq(ws_source_type_enumerator(table, COLOUR, -5), "GREEN");
    ck_assert_ptr_null(ws_source_type_enumerator(table, COLOUR, 1));
    ck_assert_ptr_null(ws_source_type_enumerator(table, PAIR_OF, 0));
}
END_TEST

#define AT(array, type, i) g_array_index(table->array, type, i)

/* Each changes one thing of a good table. */
#define DAMAGES(DAMAGE)                                                                            \
    DAMAGE(0, AT(types, WsSourceType, 0).kind = WS_VALUE_SIGNED)                                   \
    DAMAGE(1, AT(types, WsSourceType, POINTER_TO_PAIR).target = TYPE_COUNT)                        \
    DAMAGE(2, AT(types, WsSourceType, TILE).member_count = 6)                                      \
    DAMAGE(3, AT(members, WsSourceMember, 0).type = PAIR_OF)                                       \
    DAMAGE(4, AT(scopes, WsSourceScope, BLOCK).parent = BLOCK)                                     \
    DAMAGE(5, AT(scopes, WsSourceScope, BLOCK).parent = WS_NO_SCOPE)                               \
    DAMAGE(6, AT(ranges, WsCodeRange, 1).first = 7)                                                \
    DAMAGE(7, AT(ranges, WsCodeRange, 1).count = 2)                                                \
    DAMAGE(8, AT(scopes, WsSourceScope, CALL).range_count = 2)                                     \
    DAMAGE(9, AT(variables, WsSourceVariable, SUM).scope = 3)                                      \
    DAMAGE(10, AT(variables, WsSourceVariable, PARAMETER).place_count = 1)                         \
    DAMAGE(11, AT(places, WsVariablePlace, 1).code.first = 2)                                      \
    DAMAGE(12, AT(places, WsVariablePlace, 3).piece_count = 1)                                     \
    DAMAGE(13, AT(pieces, WsVariablePiece, 0).index = 255)                                         \
    DAMAGE(14, AT(pieces, WsVariablePiece, 4).value = 0xfffd)                                      \
    DAMAGE(15, AT(pieces, WsVariablePiece, 1).value = (1 << 24) - 3)                               \
    DAMAGE(16, AT(types, WsSourceType, COLOUR).kind = WS_VALUE_KIND_COUNT)                         \
    DAMAGE(17, AT(variables, WsSourceVariable, COUNTER).file = 2)                                  \
    DAMAGE(18, AT(places, WsVariablePlace, 0).code.count = 0)

static void damage(WsVariableTable *table, int number)
{
#define DAMAGE(n, change)                                                                          \
    if (number == (n))                                                                             \
        change;
    DAMAGES(DAMAGE)
#undef DAMAGE
}

#define ONE(n, change) +1
enum { DAMAGE_COUNT = DAMAGES(ONE) };
#undef ONE

START_TEST(a_damaged_table_is_told)
{
    g_autoptr(WsVariableTable) table = example();
    damage(table, _i);
    ck_assert_ptr_nonnull(ws_variable_table_fault(table, &bounds));
}
END_TEST

static WsProgram *program_with(WsVariableTable *table)
{
    static const char text[] = ".kernel k\n NOP\n NOP\n NOP\n NOP\n NOP\n NOP\n NOP\n NOP\n NOP\n"
                               " EXIT\n";
    WsCompileOptions options;
    ws_compile_options_init(&options);
    GError *error = NULL;
    WsProgram *program = ws_assemble("k.wsasm", text, strlen(text), &options, &error);
    ck_assert_msg(program != NULL, "%s", error != NULL ? error->message : "");
    program->variables = table;
    return program;
}

static WsProgram *through_container(const WsProgram *program, GBytes **ret_bytes, GError **error)
{
    *ret_bytes = ws_program_to_binary(program, NULL);
    gsize length;
    const guint8 *data = g_bytes_get_data(*ret_bytes, &length);
    return ws_program_from_binary("k.wsbin", data, length, error);
}

START_TEST(the_container_keeps_all)
{
    WsVariableTable *table = example();
    table->debug = _i == 1;
    table->reason = _i == 2 ? g_strdup("no variables") : NULL;
    g_autoptr(WsProgram) program = program_with(table);
    g_autoptr(GBytes) first = NULL, second = NULL;
    g_autoptr(WsProgram) copy = through_container(program, &first, NULL);
    ck_assert_ptr_nonnull(copy);
    const WsVariableTable *kept = copy->variables;
    ck_assert_ptr_nonnull(kept);
    ck_assert_int_eq(kept->debug, table->debug);
    ck_assert_int_eq(kept->reason != NULL, table->reason != NULL);
    ck_assert_str_eq(ws_variable_table_scope(kept, KERNEL)->name, "k<float>");
    ck_assert_uint_eq(ws_variable_table_scope(kept, CALL)->call_line, 7);
    ck_assert_int_eq(ws_variable_table_member(kept, 6)->value, -5);
    ck_assert_uint_eq(ws_variable_table_piece(kept, 0)->index, 254);
    ck_assert_uint_eq(ws_variable_table_piece(kept, 2)->value, 0xfffffffb);
    ck_assert_str_eq(ws_variable_table_variable(kept, COUNTER)->name, "counter");
    g_autoptr(WsProgram) again = through_container(copy, &second, NULL);
    ck_assert_ptr_nonnull(again);
    ck_assert(g_bytes_equal(first, second));
}
END_TEST

START_TEST(the_container_refuses_a_damaged_table)
{
    WsVariableTable *table = example();
    damage(table, 11);
    g_autoptr(WsProgram) program = program_with(table);
    g_autoptr(GBytes) bytes = NULL;
    g_autoptr(GError) error = NULL;
    g_autoptr(WsProgram) copy = through_container(program, &bytes, &error);
    ck_assert_ptr_null(copy);
    ck_assert_ptr_nonnull(strstr(error->message, "a place of a variable is not in order"));
}
END_TEST

START_TEST(none_stay_none)
{
    g_autoptr(WsProgram) program = program_with(NULL);
    g_autoptr(GBytes) bytes = NULL;
    g_autoptr(WsProgram) copy = through_container(program, &bytes, NULL);
    ck_assert_ptr_null(copy->variables);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, names_mean_the_innermost);
    tcase_add_test(cases, places_hold_in_their_range);
    tcase_add_test(cases, members_and_names);
    tcase_add_loop_test(cases, a_damaged_table_is_told, 0, DAMAGE_COUNT);
    tcase_add_loop_test(cases, the_container_keeps_all, 0, 3);
    tcase_add_test(cases, the_container_refuses_a_damaged_table);
    tcase_add_test(cases, none_stay_none);
}

int main(void)
{
    return run_suite("variables", add_tests);
}
