/*
 * Variables of the source in expressions: each kind of place and of value, from tables made by hand
 * for programs in assembly; scopes by where each lane is.
 */
#include <check.h>
#include <string.h>

#include "inspect/session/lane_expression.h"
#include "inspect/session/session.h"
#include "isa/bytecode/variables.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/suite.h"

/* ---- tables -------------------------------------------------------------------------------------
 */

enum {
    INT = 1,
    UNSIGNED,
    FLOAT,
    BOOL,
    CHAR,
    COLOUR,
    POINTER,
    ARRAY,
    FIELDS,
    PAIR,
    DOUBLE,
    REFERENCE,
    BYTES
};

static void add_member(WsVariableTable *table, WsSourceMember member)
{
    member.name = g_strdup(member.name);
    g_array_append_val(table->members, member);
}

static void add_types(WsVariableTable *table)
{
    const WsSourceType types[] = {
        {WS_VALUE_SIGNED, "int", .bytes = 4},
        {WS_VALUE_UNSIGNED, "unsigned int", .bytes = 4},
        {WS_VALUE_FLOAT, "float", .bytes = 4},
        {WS_VALUE_BOOL, "bool", .bytes = 1},
        {WS_VALUE_CHAR, "char", .bytes = 1, .is_signed = TRUE},
        {WS_VALUE_ENUM, "Colour", .bytes = 4, .target = UNSIGNED, .member_count = 2},
        {WS_VALUE_POINTER, "", .bytes = 8, .target = INT},
        {WS_VALUE_ARRAY, "", .bytes = 12, .target = INT, .count = 3},
        {WS_VALUE_STRUCT, "Fields", .bytes = 4, .first_member = 2, .member_count = 2},
        {WS_VALUE_STRUCT, "Pair", .bytes = 8, .first_member = 4, .member_count = 2},
        {WS_VALUE_FLOAT, "double", .bytes = 8},
        {WS_VALUE_REFERENCE, "", .bytes = 8, .target = INT},
        {WS_VALUE_STRUCT, "Bytes", .bytes = 4, .first_member = 6, .member_count = 2}};

    for (guint i = 0; i < G_N_ELEMENTS(types); i++) {
        WsSourceType type = types[i];

        type.name = g_strdup(type.name);
        g_array_append_val(table->types, type);
    }
    add_member(table, (WsSourceMember){.name = "RED", .value = 7});
    add_member(table, (WsSourceMember){.name = "BLUE", .value = 9});
    add_member(table,
               (WsSourceMember){.name = "low", .type = UNSIGNED, .bit_offset = 4, .bit_size = 4});
    add_member(table,
               (WsSourceMember){.name = "high", .type = INT, .bit_offset = 8, .bit_size = 4});
    add_member(table, (WsSourceMember){.name = "x", .type = INT});
    add_member(table, (WsSourceMember){.name = "y", .type = FLOAT, .offset = 4});
    add_member(table, (WsSourceMember){.name = "first", .type = CHAR});
    add_member(table, (WsSourceMember){.name = "second", .type = CHAR, .offset = 1});
}

static guint32 add_scope(WsVariableTable *table, guint32 parent, guint32 first, guint32 count)
{
    WsCodeRange range = {first, count};
    WsSourceScope scope = {.kind = parent == WS_NO_SCOPE ? WS_SOURCE_SCOPE_KERNEL
                                                         : WS_SOURCE_SCOPE_BLOCK,
                           .parent = parent,
                           .name = g_strdup(parent == WS_NO_SCOPE ? "k" : ""),
                           .first_range = table->ranges->len,
                           .range_count = 1};

    g_array_append_val(table->ranges, range);
    g_array_append_val(table->scopes, scope);
    return table->scopes->len - 1;
}

static void add_variable(WsVariableTable *table, const char *name, guint32 type, guint32 scope,
                         WsCodeRange code, const WsVariablePiece *pieces, guint count)
{
    WsVariablePlace place = {code, table->pieces->len, count};
    WsSourceVariable variable = {.name = g_strdup(name),
                                 .kind = WS_VARIABLE_LOCAL,
                                 .type = type,
                                 .scope = scope,
                                 .line = table->variables->len + 1,
                                 .first_place = table->places->len,
                                 .place_count = 1};

    g_array_append_vals(table->pieces, pieces, count);
    g_array_append_val(table->places, place);
    g_array_append_val(table->variables, variable);
}

#define ADD(table, name, type, scope, code, ...)                                                   \
    add_variable(table, name, type, scope, code, (const WsVariablePiece[]){__VA_ARGS__},           \
                 sizeof((const WsVariablePiece[]){__VA_ARGS__}) / sizeof(WsVariablePiece))
#define R(number)                                                                                  \
    {                                                                                              \
        WS_PIECE_REGISTER, 4, number, FALSE, 0                                                     \
    }
#define WIDE(number)                                                                               \
    {                                                                                              \
        WS_PIECE_REGISTER, 8, number, FALSE, 0                                                     \
    }

/* ---- the program --------------------------------------------------------------------------------
 */

static const char program[] = ".shared 128\n.local 16\n"
                              "S2R R4, SR_TID.X ;\n"
                              "IMAD R8, R4, 3, RZ ;\n"
                              "IMAD R9, R4, 4, RZ ;\n"
                              "MOV R5, 0x40200000 ;\n" /* 2.5 */
                              "MOV R6, 9 ;\n"
                              "MOV R7, 0x40040000 ;\n" /* high word of 2.5 */
                              "MOV R12, 0xf5a ;\n"
                              "MOV R13, 0x2000004 ;\n"
                              "MOV R14, 0 ;\n"
                              "UMOV UR4, 1234 ;\n"
                              "ISETP.GT P1, R4, 15 ;\n"
                              "STL [4], R8 ;\n"
                              "STS [R9], R4 ;\n"
                              "LDC.64 R2, c[x] ;\n"
                              "MOV R11, 8 ;\n"
                              "LD.E R10, [R2] ;\n"
                              "stop: MOV R15, 1 ;\n"
                              "MOV R16, 2 ;\n"
                              "EXIT ;\n";

static void add_variables(WsVariableTable *table, const WsProgram *made, guint32 stop)
{
    const WsCodeRange all = {0, made->instruction_count};
    const WsCodeRange behind = {stop + 1, made->instruction_count - stop - 1};
    guint32 k = add_scope(table, WS_NO_SCOPE, 0, made->instruction_count);

    ADD(table, "lane4", INT, k, all, R(4));
    ADD(table, "f", FLOAT, k, all, R(5));
    ADD(table, "colour", COLOUR, k, all, R(6));
    ADD(table, "wide", DOUBLE, k, all, R(14), R(7));
    ADD(table, "uniform", UNSIGNED, k, all, {WS_PIECE_UNIFORM_REGISTER, 4, 4, FALSE, 0});
    ADD(table, "big", BOOL, k, all, {WS_PIECE_PREDICATE, 1, 1, FALSE, 0});
    ADD(table, "small", BOOL, k, all, {WS_PIECE_PREDICATE, 1, 1, TRUE, 0});
    ADD(table, "address", POINTER, k, all, {WS_PIECE_CONSTANT, 8, 0, FALSE, made->parameter_base});
    ADD(table, "kept", INT, k, all, {WS_PIECE_LOCAL, 4, 0, FALSE, 4});
    ADD(table, "tile", ARRAY, k, all, {WS_PIECE_SHARED, 12, 0, FALSE, 8});
    ADD(table, "buffer", INT, k, all, {WS_PIECE_ADDRESS, 4, 0, FALSE, WS_BUFFER_BASE});
    ADD(table, "fixed", INT, k, all, {WS_PIECE_IMMEDIATE, 4, 0, FALSE, 0xfffffffe});
    ADD(table, "letter", CHAR, k, all, {WS_PIECE_IMMEDIATE, 1, 0, FALSE, 'x'});
    ADD(table, "fields", FIELDS, k, all, R(12));
    ADD(table, "pair", PAIR, k, all, {WS_PIECE_UNKNOWN, 4, 0, FALSE, 0}, R(5));
    ADD(table, "list", ARRAY, k, all, R(4), {WS_PIECE_IMMEDIATE, 4, 0, FALSE, 5}, R(8));
    ADD(table, "to", POINTER, k, all, WIDE(13));
    ADD(table, "same", REFERENCE, k, all, WIDE(13));
    ADD(table, "coming", INT, k, all, R(10));
    ADD(table, "bytes", BYTES, k, all, R(9)); /* 4 times the lane */
    ADD(table, "late", INT, k, behind, R(4));
    ADD(table, "x", INT, k, all, R(4)); /* the buffer of this name is hidden */
}

typedef struct {
    Engine *engine;
    WsSession *session;
    WsLaneScope *scope;
    WsWarpPlace place;
} Stop;

static Stop stop_at(Engine *engine, WsVariableTable *table, guint32 instruction)
{
    g_autofree char *text = g_strdup_printf("*%u", instruction);
    const WsVariableBounds bounds = {engine->job->program->instruction_count, 1};
    Stop stop = {.engine = engine};
    WsBreakpoint *breakpoint;
    WsArrival arrival;

    ck_assert_msg(ws_variable_table_fault(table, &bounds) == NULL, "%s",
                  ws_variable_table_fault(table, &bounds));
    engine->job->program->variables = table;
    engine->options.observers = NULL;
    stop.session = ws_session_new(engine->job, &engine->options, WS_TIMELINE_BYTES, NULL);
    breakpoint = ws_breakpoint_parse(ws_session_timeline(stop.session), text, NULL);
    ws_session_add_breakpoint(stop.session, breakpoint);
    ck_assert(ws_session_continue(stop.session, FALSE, 0, &arrival, NULL));
    ck_assert_int_eq(arrival.kind, WS_ARRIVED_BREAKPOINT);
    stop.scope = ws_lane_scope_new(ws_session_timeline(stop.session), &engine->job->launches[0]);
    stop.place = ws_session_place(stop.session);
    return stop;
}

static Stop stop_on(Engine *engine)
{
    WsVariableTable *table = ws_variable_table_new();
    guint32 at = engine_label(engine, "stop");

    table->debug = TRUE;
    add_types(table);
    add_variables(table, engine->job->program, at);
    return stop_at(engine, table, at);
}

static Stop stop_in_program(void)
{
    return stop_on(engine_plain(program, 1, 32, 4));
}

static void leave(Stop *stop)
{
    ws_lane_scope_free(stop->scope);
    ws_session_free(stop->session);
    engine_free(stop->engine);
}

static void check_value(const Stop *stop, guint lane, const char *text, const char *expected)
{
    const WsLanePlace where = {stop->place.sm, stop->place.slot, WS_OWN_PC};
    g_autoptr(GError) error = NULL;
    g_autoptr(WsLaneExpression) expression = ws_lane_expression_for(
        stop->scope, "expression", text, stop->place.sm, stop->place.slot, lane, &error);
    g_autofree char *value = NULL;

    ck_assert_msg(expression != NULL, "%s", error != NULL ? error->message : "");
    ws_lane_expression_evaluate(expression, &where, 0xffffffff);
    value = ws_lane_expression_value(expression, lane, WS_FORM_NATURAL);
    ck_assert_msg(strcmp(value, expected) == 0, "%s in lane %u is %s, not %s", text, lane, value,
                  expected);
}

/* ---- places and values --------------------------------------------------------------------------
 */

static const struct {
    const char *text, *lane5, *lane20;
} values[] = {
    {"lane4", "5", "20"},
    {"f", "2.5", "2.5"},
    {"colour", "BLUE", "BLUE"},
    {"colour == BLUE", "1", "1"},
    {"wide", "2.5", "2.5"},
    {"uniform", "1234", "1234"},
    {"big", "false", "true"},
    {"small", "true", "false"},
    {"address", "0x10000000 <x[0]>", "0x10000000 <x[0]>"},
    {"kept", "15", "60"},
    {"tile", "{2, 3, 4}", "{2, 3, 4}"},
    {"tile[lane4 - 4]", "3", "<outside of its array>"},
    {"buffer", "0", "0"},
    {"fixed", "-2", "-2"},
    {"letter", "120 'x'", "120 'x'"},
    {"fields", "{low = 5, high = -1}", "{low = 5, high = -1}"},
    {"fields.high * 2", "-2", "-2"},
    {"pair", "{x = <optimised out>, y = 2.5}", "{x = <optimised out>, y = 2.5}"},
    {"pair.y + 1", "3.5", "3.5"},
    {"pair.x", "<optimised out>", "<optimised out>"},
    {"list", "{5, 5, 15}", "{20, 5, 60}"},
    {"list[lane4 % 3]", "15", "60"},
    {"to", "0x2000004 <local + 4>", "0x2000004 <local + 4>"},
    {"*to", "15", "60"},
    {"same + 1", "16", "61"},
    {"&tile[1] == (int *)0x100000c", "1", "1"},
    {"late", "<optimised out>", "<optimised out>"},
    {"late == 0 || lane4 > 0", "<optimised out>", "<optimised out>"},
    {"x", "5", "20"},
};

START_TEST(every_place_has_its_value)
{
    Stop stop = stop_in_program();

    check_value(&stop, 5, values[_i].text, values[_i].lane5);
    check_value(&stop, 20, values[_i].text, values[_i].lane20);
    leave(&stop);
}
END_TEST

/* The register that a load is to fill still has what was there before. */
START_TEST(a_load_under_way_has_brought_nothing_yet)
{
    Stop stop = stop_on(engine_new("h100", NULL, program, 1, 32, 4));

    check_value(&stop, 5, "coming", "<load under way>");
    check_value(&stop, 5, "coming + 1 == 1", "<load under way>");
    check_value(&stop, 5, "lane4", "5");
    leave(&stop);
}
END_TEST

static const struct {
    const char *text, *where, *value;
} changes[] = {
    {"lane4 = 70", "lane4", "70"},
    {"f = 1", "f", "1"},
    {"wide = 0.1", "wide", "0.1"},
    {"colour = RED", "colour", "RED"},
    {"big = 1", "big", "true"},
    {"small = 1", "small", "true"},
    {"kept = -4", "kept", "-4"},
    {"same = 8", "kept", "8"},
    {"tile[2] = 99", "tile", "{2, 3, 99}"},
    {"fields.low = 2", "fields", "{low = 2, high = -1}"},
    {"fields.high = 3", "fields", "{low = 5, high = 3}"},
    {"list[2] = 1", "list", "{5, 5, 1}"},
    {"*to = 6", "*to", "6"},
    {"bytes.second = 2", "bytes.first == 4 * lane4 && bytes.second == 2", "1"},
    {"bytes.first = 2", "bytes.first == 2 && bytes.second == 0", "1"},
};

START_TEST(every_place_can_be_changed)
{
    Stop stop = stop_in_program();
    g_autoptr(GError) error = NULL;
    guint dropped;

    ck_assert_msg(ws_session_set(stop.session, (guint64)1 << 5, changes[_i].text, &dropped, &error),
                  "%s", error != NULL ? error->message : "");
    check_value(&stop, 5, changes[_i].where, changes[_i].value);
    if (strcmp(changes[_i].where, "tile") != 0)
        check_value(&stop, 20, "lane4 * 3 == list[2] && kept == 60 && colour == BLUE", "1");
    leave(&stop);
}
END_TEST

static const struct {
    const char *text, *message;
} refused[] = {
    {"fixed = 1", "it has no location here that could be written to"},
    {"pair.x = 1", "it has no location here that could be written to"},
    {"late = 1", "it has no location here that could be written to"},
    {"address = 0", "it has no location here that could be written to"},
    {"BLUE = 1", "this is a value, not a location"},
    {"tile = 1", "a number or a pointer is changed at a time"},
    {"tile[lane4] = 1", "<outside of its array>"},
    {"lane4 = late", "'lane4 = late' has no value in lane 5: <optimised out>"},
};

START_TEST(what_is_nowhere_is_not_changed)
{
    Stop stop = stop_in_program();
    g_autoptr(GError) error = NULL;
    guint dropped;

    ck_assert(!ws_session_set(stop.session, (guint64)1 << 5, refused[_i].text, &dropped, &error));
    ck_assert_msg(strstr(error->message, refused[_i].message) != NULL, "%s", error->message);
    check_value(&stop, 5, "lane4", "5");
    leave(&stop);
}
END_TEST

/* In code that is optimised a register may hold other things too. */
START_TEST(only_a_debug_compile_has_variables_that_change)
{
    Stop stop = stop_in_program();
    g_autoptr(GError) error = NULL;
    guint dropped;

    stop.engine->job->program->variables->debug = FALSE;
    ck_assert(!ws_session_set(stop.session, 1, "lane4 = 1", &dropped, &error));
    ck_assert_msg(strstr(error->message, "--debug") != NULL, "%s", error->message);
    ck_assert(ws_session_set(stop.session, 1, "tile[0] = 1", &dropped, NULL));
    leave(&stop);
}
END_TEST

/* ---- scopes -------------------------------------------------------------------------------------
 */

static const char split[] = "S2R R4, SR_TID.X ;\n"
                            "MOV R5, 50 ;\n"
                            "MOV R6, 60 ;\n"
                            "ISETP.LT P0, R4, 8 ;\n"
                            "@P0 EXIT ;\n"
                            "ISETP.GT P1, R4, 15 ;\n"
                            "@P1 BRA high ;\n"
                            "low: MOV R7, 1 ;\n"
                            "MOV R7, 2 ;\n"
                            "MOV R7, 3 ;\n"
                            "BRA end ;\n"
                            "high: MOV R8, 1 ;\n"
                            "MOV R8, 2 ;\n"
                            "MOV R8, 3 ;\n"
                            "end: EXIT ;\n";

/* v is R5 in one side, R6 in the other, and R4 around them. */
static Stop stop_in_split(void)
{
    Engine *engine = engine_plain(split, 1, 32, 4);
    WsVariableTable *table = ws_variable_table_new();
    guint32 low = engine_label(engine, "low"), high = engine_label(engine, "high");
    const WsCodeRange all = {0, engine->job->program->instruction_count};
    guint32 k, a, b;

    add_types(table);
    k = add_scope(table, WS_NO_SCOPE, 0, all.count);
    a = add_scope(table, k, low, high - low);
    b = add_scope(table, k, high, 3);
    ADD(table, "v", INT, k, all, R(4));
    ADD(table, "v", INT, a, all, R(5));
    ADD(table, "v", FLOAT, b, all, R(6));
    ADD(table, "only", INT, a, all, R(5));
    return stop_at(engine, table, high + 1); /* the side that is taken runs first */
}

START_TEST(each_lane_is_looked_at_where_it_is)
{
    Stop stop = stop_in_split();

    check_value(&stop, 3, "v", "<exited>");
    check_value(&stop, 3, "lane", "3");
    check_value(&stop, 10, "v", "50");
    check_value(&stop, 20, "v", "8.40779e-44"); /* 60 as a float */
    check_value(&stop, 20, "v < 1", "1");
    check_value(&stop, 10, "only", "50");
    check_value(&stop, 20, "only", "<not in scope>");
    leave(&stop);
}
END_TEST

START_TEST(a_condition_does_not_hold_where_a_name_is_not_in_scope)
{
    Stop stop = stop_in_split();
    const WsLanePlace where = {stop.place.sm, stop.place.slot, WS_OWN_PC};
    const guint32 at[] = {engine_label(stop.engine, "low")};
    g_autoptr(WsCondition) condition =
        ws_condition_new(ws_session_timeline(stop.session), &stop.engine->job->launches[0],
                         "only == 50", at, 1, NULL);
    guint64 unknown;

    ck_assert_uint_eq(ws_condition_lanes(condition, &where, 0xffffffff, &unknown), 0xff00);
    ck_assert_uint_eq(unknown, 0);
    leave(&stop);
}
END_TEST

START_TEST(a_bound_expression_stays_with_its_variable)
{
    Stop stop = stop_in_split();
    const WsLanePlace where = {stop.place.sm, stop.place.slot, WS_OWN_PC};
    g_autoptr(WsLaneExpression) expression =
        ws_lane_expression_for(stop.scope, "watch", "v", stop.place.sm, stop.place.slot, 10, NULL);
    const WsRow *row;

    ws_lane_expression_bind(expression);
    row = ws_lane_expression_evaluate(expression, &where, 0xffffffff);
    ck_assert_uint_eq(row->known & 0xffffffff, 0xff00);
    ck_assert_uint_eq(row->bits[9], 50);
    leave(&stop);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, every_place_has_its_value, 0, G_N_ELEMENTS(values));
    tcase_add_test(cases, a_load_under_way_has_brought_nothing_yet);
    tcase_add_loop_test(cases, every_place_can_be_changed, 0, G_N_ELEMENTS(changes));
    tcase_add_loop_test(cases, what_is_nowhere_is_not_changed, 0, G_N_ELEMENTS(refused));
    tcase_add_test(cases, only_a_debug_compile_has_variables_that_change);
    tcase_add_test(cases, each_lane_is_looked_at_where_it_is);
    tcase_add_test(cases, a_condition_does_not_hold_where_a_name_is_not_in_scope);
    tcase_add_test(cases, a_bound_expression_stays_with_its_variable);
}

int main(void)
{
    return run_suite("source_variables", add_tests);
}
