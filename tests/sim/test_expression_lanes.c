/*
 * Expressions on the values of lanes: random ones against what the compiler makes of them, and what
 * C has no rule for.
 */
#include "isa/base/float_bits.h"
#include "sim/expression/typed.h"
#include "tests/sim/expression_lane.h"
#include "tests/support/split_mix.h"
#include "tests/support/suite.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { LANES = 64 };

/* ---- types and variables ------------------------------------------------------------------------
 */

static WsValueType array_a, array_two, array_row, array_fs, array_z, point, pointer_int,
    pointer_point;
static WsValueMember point_members[3];

static WsValueType array_of(const WsValueType *target, guint64 count)
{
    return (WsValueType){
        .kind = WS_CTYPE_ARRAY, .size = target->size * count, .target = target, .count = count};
}

static void make_types(void)
{
    array_a = array_of(ws_base_type(WS_BASE_INT), 16);
    array_row = array_of(ws_base_type(WS_BASE_SHORT), 4);
    array_two = array_of(&array_row, 2);
    array_fs = array_of(ws_base_type(WS_BASE_FLOAT), 4);
    array_z = array_of(ws_base_type(WS_BASE_SHORT), 4);
    point_members[0] = (WsValueMember){"x", offsetof(Point, x), ws_base_type(WS_BASE_INT)};
    point_members[1] = (WsValueMember){"y", offsetof(Point, y), ws_base_type(WS_BASE_FLOAT)};
    point_members[2] = (WsValueMember){"z", offsetof(Point, z), &array_z};
    point = (WsValueType){.kind = WS_CTYPE_STRUCT,
                          .size = sizeof(Point),
                          .name = "Point",
                          .members = point_members,
                          .member_count = G_N_ELEMENTS(point_members)};
    pointer_int =
        (WsValueType){.kind = WS_CTYPE_POINTER, .size = 8, .target = ws_base_type(WS_BASE_INT)};
    pointer_point = (WsValueType){.kind = WS_CTYPE_POINTER, .size = 8, .target = &point};
}

/* Objects: a variable lies at `base` of each Lane; `gone` lies nowhere; `half` in lanes 0 to 31. */
enum { IN_LANE, GONE, HALF };

static gboolean find(gconstpointer scope, const char *name, WsObject *ret)
{
#define VARIABLE(variable, type_in_c, declarator, value_type)                                      \
    if (strcmp(name, #variable) == 0) {                                                            \
        *ret = (WsObject){.type = value_type, .base = offsetof(Lane, variable)};                   \
        return TRUE;                                                                               \
    }
    VARIABLES(VARIABLE)
#undef VARIABLE
    if (strcmp(name, "i.low") == 0) {
        *ret = (WsObject){.type = ws_base_type(WS_BASE_SHORT), .base = offsetof(Lane, i)};
        return TRUE;
    }
    *ret = (WsObject){.type = ws_base_type(WS_BASE_INT),
                      .base = offsetof(Lane, i),
                      .kind = strcmp(name, "half") == 0 ? HALF : GONE};
    return ret->kind == HALF || strcmp(name, "gone") == 0;
}

static char *explain(gconstpointer scope, const char *name)
{
    return g_strdup_printf("'%s' is not known", name);
}

static const WsValueType *find_type(gconstpointer scope, const char *name)
{
    return strcmp(name, "Point") == 0 ? &point : NULL;
}

static guint64 read_scalar(const WsValueType *type, const guint8 *at)
{
    guint64 bits = 0;

    memcpy(&bits, at, type->size);
    if (type->kind == WS_CTYPE_FLOAT)
        return type->size == 4 ? ws_double_bits((double)ws_float((guint32)bits)) : bits;
    if (type->kind == WS_CTYPE_SIGNED)
        return (guint64)((gint64)(bits << (64 - 8 * type->size)) >> (64 - 8 * type->size));
    return bits;
}

/* Addresses are those of this program. What is the same in all lanes is told to be. */
static void load(gconstpointer scope, gconstpointer where, const WsObject *object,
                 const WsValueType *type, const WsRow *offset, guint64 mask, WsRow *ret)
{
    const Lane *lanes = where;

    if (object != NULL && object->kind == GONE) {
        ws_row_set_unknown(ret, WS_UNKNOWN_OPTIMISED_OUT);
        return;
    }
    if (object != NULL && object->base == offsetof(Lane, all)) {
        ws_row_set_same(ret, (guint64)(gint64)lanes[__builtin_ctzll(mask)].all);
        return;
    }
    ret->same = FALSE;
    ret->known = mask;
    for (guint64 rest = mask; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        guint64 at = offset->bits[ws_row_lane(offset, lane)];
        const guint8 *bytes = object == NULL ? (const guint8 *)(gsize)at
                                             : (const guint8 *)&lanes[lane] + object->base + at;

        if (object != NULL && object->kind == HALF && lane >= 32)
            ws_row_put_unknown(ret, lane, WS_UNKNOWN_OPTIMISED_OUT);
        else
            ret->bits[lane] = read_scalar(type, bytes);
    }
}

static gboolean address(gconstpointer scope, gconstpointer where, const WsObject *object,
                        guint64 mask, WsRow *ret)
{
    const Lane *lanes = where;

    ret->same = FALSE;
    ret->known = G_MAXUINT64;
    for (guint lane = 0; lane < LANES; lane++)
        ret->bits[lane] = (guint64)(gsize)&lanes[lane] + object->base;
    return object->kind == IN_LANE;
}

static const WsScope scope = {
    .find = find, .explain = explain, .find_type = find_type, .load = load, .address = address};

static void fill(Lane *lanes, guint64 *random)
{
    static const gint64 edges[] = {
        0,      1,     -1,         2,          127,        -128,       255,        32767,
        -32768, 65535, G_MININT32, G_MAXINT32, 4294967295, G_MININT64, G_MAXINT64, 100};
    int all = (int)split_mix_next(random);

    memset(lanes, 0, LANES * sizeof *lanes);
    for (guint i = 0; i < LANES; i++) {
        Lane *lane = &lanes[i];
        guint8 *bytes = (guint8 *)lane;

        for (gsize at = 0; at < sizeof *lane; at += 8) {
            guint64 value = split_mix_next(random);

            if (value % 2 == 0)
                value = (guint64)edges[value / 2 % G_N_ELEMENTS(edges)];
            memcpy(bytes + at, &value, MIN(8, sizeof *lane - at));
        }
        bytes[offsetof(Lane, flag)] = (guint8)(split_mix_next(random) % 2);
        lane->all = all;
        lane->f = (float)((gint64)(split_mix_next(random) % 2001) - 1000) / 8;
        lane->d = (double)((gint64)(split_mix_next(random) % 2001) - 1000) / 10;
        lane->p.y = (float)(split_mix_next(random) % 100);
        for (guint k = 0; k < 4; k++)
            lane->fs[k] = (float)((gint64)(split_mix_next(random) % 7) - 3);
        lane->ptr = &lanes[(i + 1) % LANES].a[split_mix_next(random) % 8];
        lane->q = &lanes[(i * 7 + 3) % LANES].p;
    }
}

/* ---- against the compiler -----------------------------------------------------------------------
 */

static WsTyped *compile(const char *text)
{
    char *problem = NULL;
    gsize offset = 0;
    WsTyped *typed = ws_typed_new(text, &scope, &problem, &offset);

    ck_assert_msg(typed != NULL, "%s: %s at %u", text, problem, (guint)offset);
    return typed;
}

static void compare_lane(const NativeCase *native, const Lane *lane, const WsValueType *type,
                         const WsRow *row, guint number)
{
    guint at = ws_row_lane(row, number);
    Native expected = {0};

    native->compute(lane, &expected);
    ck_assert_msg(strcmp(type->name, expected.type) == 0, "%s is %s, not %s", native->text,
                  type->name, expected.type);
    ck_assert_msg(ws_row_is_known(row, number), "%s is not known", native->text);
    if (expected.real)
        ck_assert_msg(row->real[at] == expected.number ||
                          (isnan(row->real[at]) && isnan(expected.number)),
                      "%s = %.17g, not %.17g", native->text, row->real[at], expected.number);
    else
        ck_assert_msg(row->bits[at] == expected.bits, "%s = 0x%lx, not 0x%lx", native->text,
                      row->bits[at], expected.bits);
}

START_TEST(as_compiled)
{
    guint64 random = (guint64)_i;
    g_autofree Lane *lanes = g_new0(Lane, LANES);

    make_types();
    for (guint i = 0; i < native_case_count; i++) {
        g_autoptr(WsTyped) typed = compile(native_cases[i].text);
        guint64 mask = split_mix_next(&random) | (guint64)1 << (i % 64);
        const WsRow *row;

        if (i % 8 == 0)
            fill(lanes, &random);
        row = ws_typed_evaluate(typed, lanes, mask);
        for (guint lane = 0; lane < LANES; lane++)
            if ((mask >> lane & 1) != 0)
                compare_lane(&native_cases[i], &lanes[lane], ws_typed_type(typed), row, lane);
    }
}
END_TEST

/* ---- lanes without a value ----------------------------------------------------------------------
 */

/* In lanes 1 and 40, where i is 3 and 0, u is 5. `half` is i in lane 1 alone. */
static const struct {
    const char *text;
    const char *first, *second; /* numbers, or why there is none */
} unknown[] = {
    {"gone", "<optimised out>", "<optimised out>"},
    {"half", "3", "<optimised out>"},
    {"half + 1", "4", "<optimised out>"},
    {"gone == gone", "<optimised out>", "<optimised out>"},
    {"u / i", "1", "<division by zero>"},
    {"u % i", "2", "<division by zero>"},
    {"ceil_div(u, i)", "2", "<division by zero>"},
    {"i != 0 && u / i == 1", "1", "0"},
    {"i == 0 || u / i == 1", "1", "1"},
    {"i && gone", "<optimised out>", "0"},
    {"!i || gone", "<optimised out>", "1"},
    {"gone && 0", "<optimised out>", "<optimised out>"},
    {"0 && gone", "0", "0"},
    {"1 || gone", "1", "1"},
    {"half || 1", "1", "<optimised out>"},
    {"i ? u / i : 7", "1", "7"},
    {"i ? gone : 7", "<optimised out>", "7"},
    {"i ? half ? 8 : gone : 9", "8", "9"},
    {"gone ? 1 : 2", "<optimised out>", "<optimised out>"},
    {"not i", "0", "1"},
    {"not i == 3", "0", "1"},
    {"i == 3 and u == 5", "1", "0"},
    {"i == 3 or u == 5", "1", "1"},
    {"1 << 31", "-2147483648", "-2147483648"},
    {"1 << 32", "<shift by too much>", "<shift by too much>"},
    {"1l << (i ? 63 : 64)", "-9223372036854775808", "<shift by too much>"},
    {"1 >> i - 1", "0", "<shift by too much>"},
    {"a[16]", "<outside of its array>", "<outside of its array>"},
    {"a[i - 1]", "12", "<outside of its array>"},
    {"two[0][i + 4]", "20", "17"}, /* the next row, as in C */
    {"two[1][i + 1]", "<outside of its array>", "18"},
    {"a[gone]", "<optimised out>", "<optimised out>"},
    {"&i == 0", "0", "0"},
    {"&gone == 0", "<optimised out>", "<optimised out>"},
    {"i.low", "3", "0"},
    {"p.z[i + 2]", "<outside of its array>", "2"},
    {"min(i, u)", "3", "0"},
    {"max(i - 1, 1.5)", "2", "1.5"},
    {"min(-1, 1u)", "1", "1"}, /* C makes 4294967295 of -1 */
    {"(char)'A' + 1", "66", "66"},
    {"(int)1e10", "2147483647", "2147483647"}, /* as cvt.rzi does */
    {"(unsigned)-1.5", "0", "0"},
    {"(Point *)q == q", "1", "1"},
    {"((Point *)q)->x - q->x", "0", "0"},
    {"&q->z[2] - &(*q).z[0]", "2", "2"},
    {"2147483647 + 1", "-2147483648", "-2147483648"},
    {"(-2147483647 - 1) / -1", "-2147483648", "-2147483648"},
};

static char *text_of(const WsTyped *typed, const WsRow *row, guint lane)
{
    guint at = ws_row_lane(row, lane);

    if (!ws_row_is_known(row, lane))
        return g_strdup(ws_unknown_text(row->why[at]));
    if (ws_value_type_is_float(ws_typed_type(typed)))
        return g_strdup_printf("%g", row->real[at]);
    return g_strdup_printf("%" G_GINT64_FORMAT, row->number[at]);
}

START_TEST(without_a_value)
{
    g_autofree Lane *lanes = g_new0(Lane, LANES);
    g_autofree char *first = NULL, *second = NULL;
    g_autoptr(WsTyped) typed = NULL;
    guint64 bits = (guint64)1 << 1 | (guint64)1 << 40, lacking, truth;
    const WsRow *row;

    make_types();
    for (guint lane = 0; lane < LANES; lane++) {
        lanes[lane] = (Lane){.i = lane == 1 ? 3 : 0, .u = 5, .q = &lanes[lane].p};
        for (guint k = 0; k < 16; k++)
            lanes[lane].a[k] = 10 + (int)k;
        for (guint k = 0; k < 4; k++) {
            lanes[lane].two[1][k] = (short)(17 + k);
            lanes[lane].p.z[k] = (short)k;
        }
    }
    typed = compile(unknown[_i].text);
    row = ws_typed_evaluate(typed, lanes, bits);
    first = text_of(typed, row, 1);
    second = text_of(typed, row, 40);
    ck_assert_msg(strcmp(first, unknown[_i].first) == 0, "%s: %s", unknown[_i].text, first);
    ck_assert_msg(strcmp(second, unknown[_i].second) == 0, "%s: %s", unknown[_i].text, second);
    truth = ws_row_truth(row, ws_value_type_is_float(ws_typed_type(typed)), bits, &lacking);
    ck_assert((lacking >> 1 & 1) == (*first == '<'));
    ck_assert((lacking >> 40 & 1) == (*second == '<'));
    ck_assert((truth >> 1 & 1) == (*first != '<' && g_ascii_strtod(first, NULL) != 0));
    ck_assert((truth >> 40 & 1) == (*second != '<' && g_ascii_strtod(second, NULL) != 0));
}
END_TEST

/* ---- refused ------------------------------------------------------------------------------------
 */

static const struct {
    const char *text;
    gsize offset;
    const char *problem;
} refused[] = {
    {"i + sun", 4, "'sun' is not known"},
    {"sun.x + 1", 0, "'sun.x' is not known"},
    {"i.x", 1, "'.' and '->' are for parts of structs, not one of type 'int'"},
    {"p.w", 1, "'Point' has no 'w' (it has x, y, z)"},
    {"q->z.x", 4, "'.' and '->' are for parts of structs, not one of type 'short [4]'"},
    {"q.x", 1, "'.' and '->' are for parts of structs, not one of type 'Point *'"},
    {"p->x", 0, "a number or a pointer is expected, not one of type 'Point'"},
    {"p + 1", 0, "a number or a pointer is expected, not one of type 'Point'"},
    {"*i", 0, "a pointer or an array is expected, not one of type 'int'"},
    {"i[2]", 1, "a pointer or an array is expected, not one of type 'int'"},
    {"a[1.5]", 1, "a whole number is expected in [ ], not one of type 'double'"},
    {"a[ptr]", 1, "a whole number is expected in [ ], not one of type 'int *'"},
    {"&3", 0, "only what has a name has an address"},
    {"&(i + 1)", 0, "only what has a name has an address"},
    {"f % 2", 2, "a whole number is expected, not one of type 'float'"},
    {"1 << f", 2, "a whole number is expected, not one of type 'float'"},
    {"~d", 0, "a number is expected, not one of type 'double'"},
    {"ptr * 2", 4, "a number is expected, not one of type 'int *'"},
    {"ptr + ptr", 4, "a number is expected, not one of type 'int *'"},
    {"1 - ptr", 2, "a number is expected, not one of type 'int *'"},
    {"i ? ptr : 1", 2, "both sides of : are numbers, or both are pointers"},
    {"(int *)f", 0, "an address is expected, not one of type 'float'"},
    {"(Point)i", 0, "casts are to numbers and pointers, not one of type 'Point'"},
    {"*(void *)ptr", 0, "a void * leads to nothing: cast it"},
    {"'ab'", 0, "one character is expected in quotes"},
    {"at('x')", 0, "no function is called 'at' here"},
    {"i == u == 1", 7,
     "an operator is expected that is no comparison: join two of them with && (and)"},
    {"a[1", 1, "the ] is missing"},
    {"a[1)", 3, "an operator or ] is expected"},
    {"(i", 0, "the ) is missing (inside { } and [ ] an expression with a comma needs quotes)"},
};

START_TEST(refusal)
{
    g_autofree char *problem = NULL;
    gsize offset = 99;

    make_types();
    ck_assert_ptr_null(ws_typed_new(refused[_i].text, &scope, &problem, &offset));
    ck_assert_str_eq(problem, refused[_i].problem);
    ck_assert_uint_eq(offset, refused[_i].offset);
}
END_TEST

START_TEST(type_names)
{
    static const char *const names[][2] = {
        {"long unsigned int", "unsigned long"},
        {"unsigned", "unsigned int"},
        {"long long", "long"},
        {"signed char", "char"},
        {"uint16_t", "unsigned short"},
        {"f32", "float"},
        {"short int", "short"},
        {"long char", NULL},
        {"long long long", NULL},
        {"in", NULL},
        {"", NULL},
    };
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        const WsValueType *type = ws_base_type_by_name(names[i][0]);

        ck_assert_pstr_eq(type == NULL ? NULL : type->name, names[i][1]);
    }
    make_types();
    g_autofree char *array = ws_value_type_text(&array_two);
    g_autofree char *pointer = ws_value_type_text(&pointer_point);
    ck_assert_str_eq(array, "short [2][4]");
    ck_assert_str_eq(pointer, "Point *");
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, as_compiled, 0, 4);
    tcase_add_loop_test(cases, without_a_value, 0, G_N_ELEMENTS(unknown));
    tcase_add_loop_test(cases, refusal, 0, G_N_ELEMENTS(refused));
    tcase_add_test(cases, type_names);
}

int main(void)
{
    return run_suite("expression_lanes", add_tests);
}
