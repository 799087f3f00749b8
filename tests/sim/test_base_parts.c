/* Small parts of sim/base, each alone: JSON, values of YAML, pools, pages, names of faults. */
#include <math.h>
#include <string.h>

#include "isa/base/error.h"
#include "isa/base/half_float.h"
#include "sim/base/call_fault.h"
#include "sim/base/element.h"
#include "sim/base/json_members.h"
#include "sim/base/json_text.h"
#include "sim/base/line_directory.h"
#include "sim/base/memory_level.h"
#include "sim/base/number_list.h"
#include "sim/base/page_store.h"
#include "sim/base/pool.h"
#include "sim/base/shared_fault.h"
#include "sim/base/stall.h"
#include "sim/base/status.h"
#include "sim/base/yaml_text.h"
#include "tests/support/suite.h"

/* ---- JSON --------------------------------------------------------------------------------------
 */

static const char json_expected[] =
    "{\n  \"text\": \"a \\\"b\\\" \\\\ \\n \\u0001 \\u007f é\",\n  \"none\": null,\n"
    "  \"whole\": -12,\n  \"real\": 0.1,\n  \"third\": 0.3333333333333333,\n  \"large\": 1e+300,\n"
    "  \"unknown\": null,\n  \"endless\": null,\n  \"yes\": true,\n  \"no\": false,\n"
    "  \"size\": [1, 2, 3],\n  \"words\": [\"a\", \"b\"],\n  \"no_words\": [],\n"
    "  \"list\": [\n    {\n      \"x\": 1\n    },\n    [4, null],\n    {}\n  ]\n}\n";

START_TEST(json_texts)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    const guint32 size[3] = {1, 2, 3};
    char *words[] = {(char *)"a", (char *)"b", NULL};

    json_builder_begin_object(json);
    ws_json_add_text(json, "text", "a \"b\" \\ \n \001 \177 é");
    ws_json_add_text(json, "none", NULL);
    ws_json_add_integer(json, "whole", -12);
    ws_json_add_number(json, "real", 0.1);
    ws_json_add_number(json, "third", 1.0 / 3);
    ws_json_add_number(json, "large", 1e300);
    ws_json_add_number(json, "unknown", (double)NAN);
    ws_json_add_number(json, "endless", (double)INFINITY);
    json_builder_set_member_name(json, "yes");
    json_builder_add_boolean_value(json, TRUE);
    json_builder_set_member_name(json, "no");
    json_builder_add_boolean_value(json, FALSE);
    ws_json_add_triple(json, "size", size);
    ws_json_add_texts(json, "words", words);
    ws_json_add_texts(json, "no_words", NULL);
    ws_json_open_list(json, "list");
    json_builder_begin_object(json);
    ws_json_add_integer(json, "x", 1);
    json_builder_end_object(json);
    json_builder_begin_array(json);
    json_builder_add_int_value(json, 4);
    json_builder_add_null_value(json);
    json_builder_end_array(json);
    json_builder_begin_object(json);
    json_builder_end_object(json);
    json_builder_end_array(json);
    json_builder_end_object(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    g_autofree char *text = ws_json_text(root);
    ck_assert_str_eq(text, json_expected);
}
END_TEST

/* ---- YAML --------------------------------------------------------------------------------------
 */

static WsYamlTree *parse(const char *text)
{
    WsYamlTree *tree = ws_yaml_parse("t.yaml", text, strlen(text), NULL);

    ck_assert_ptr_nonnull(tree);
    return tree;
}

/* Both limits are in the range; what is out of it is told with the limits. */
static const struct {
    const char *text;
    guint64 least, most;
    gboolean valid;
    guint64 value;
} unsigned_rows[] = {
    {"3", 3, 9, TRUE, 3},
    {"9", 3, 9, TRUE, 9},
    {"2", 3, 9, FALSE, 0},
    {"10", 3, 9, FALSE, 0},
    {"-5", 3, 9, FALSE, 0},
    {"-0", 0, 9, TRUE, 0},
    {"0X1f", 0, 99, TRUE, 31},
    {"18446744073709551615", 0, G_MAXUINT64, TRUE, G_MAXUINT64},
    {"18446744073709551616", 0, G_MAXUINT64, FALSE, 0},
};

START_TEST(yaml_ranges)
{
    for (guint i = 0; i < G_N_ELEMENTS(unsigned_rows); i++) {
        g_autofree char *text = g_strdup_printf("a: %s\n", unsigned_rows[i].text);
        g_autoptr(WsYamlTree) tree = parse(text);
        g_autoptr(GError) error = NULL;
        guint64 value = 0;
        gboolean fine =
            ws_yaml_unsigned(tree, ws_yaml_get(tree->root, "a"), "a", unsigned_rows[i].least,
                             unsigned_rows[i].most, &value, &error);
        ck_assert_msg(fine == unsigned_rows[i].valid, "%s", unsigned_rows[i].text);
        ck_assert_uint_eq(value, unsigned_rows[i].value);
        if (i == 3)
            ck_assert_str_eq(error->message, "t.yaml:1:4: error: a: 10 is out of range, 3 to 9");
    }
}
END_TEST

/* A value takes the place of the one that a key has, or comes with the key behind all others. */
START_TEST(yaml_put)
{
    g_autoptr(WsYamlTree) tree = parse("a: 1\nb: 2\n");

    ws_yaml_put(tree->root, "a", ws_yaml_parse_value("--set", "7", NULL));
    ws_yaml_put(tree->root, "c", ws_yaml_parse_value("--set", "8", NULL));
    ck_assert_uint_eq(ws_yaml_count(tree->root), 3);
    ck_assert_str_eq(ws_yaml_key(tree->root, 0)->text, "a");
    ck_assert_str_eq(ws_yaml_item(tree->root, 0)->text, "7");
    ck_assert_str_eq(ws_yaml_item(tree->root, 1)->text, "2");
    ck_assert_str_eq(ws_yaml_key(tree->root, 2)->text, "c");
    ck_assert_str_eq(ws_yaml_item(tree->root, 2)->text, "8");
    ck_assert_str_eq(ws_yaml_position(tree, ws_yaml_item(tree->root, 2)).file, "--set");
    ck_assert_str_eq(ws_yaml_position(tree, ws_yaml_key(tree->root, 2)).file, "--set");
}
END_TEST

/* What is read back as another text is put into quotes. */
START_TEST(yaml_scalars)
{
    static const char *const rows[][2] = {
        {"name", "name"},   {"/a/b-c_d.e", "/a/b-c_d.e"},   {"_x", "_x"}, {"9a", "\"9a\""},
        {"a b", "\"a b\""}, {"a\"b\\c", "\"a\\\"b\\\\c\""}, {"", "\"\""}, {"-x", "\"-x\""},
        {"a:b", "\"a:b\""}};

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *text = ws_yaml_scalar(rows[i][0]);
        ck_assert_str_eq(text, rows[i][1]);
    }
}
END_TEST

/* ---- elements ----------------------------------------------------------------------------------
 */

/* Least and most of each type, as read and as written, and one more, which is refused. */
static const struct {
    const char *type, *least, *most, *more;
} integers[] = {
    {"s8", "-128", "127", "128"},
    {"u8", "0", "255", "256"},
    {"s16", "-32768", "32767", "32768"},
    {"u16", "0", "65535", "65536"},
    {"s32", "-2147483648", "2147483647", "2147483648"},
    {"u32", "0", "4294967295", "4294967296"},
    {"s64", "-9223372036854775808", "9223372036854775807", "9223372036854775808"},
    {"u64", "0", "18446744073709551615", "18446744073709551616"},
};

START_TEST(integer_elements)
{
    for (guint i = 0; i < G_N_ELEMENTS(integers); i++) {
        const char *const texts[] = {integers[i].least, integers[i].most, integers[i].more};
        WsType type;

        ck_assert(ws_element_find_type(integers[i].type, &type));
        ck_assert(!ws_element_is_float(type));
        ck_assert_int_eq(ws_element_is_signed(type), integers[i].type[0] == 's');
        for (guint k = 0; k < 3; k++) {
            g_autofree char *line = g_strdup_printf("a: %s\n", texts[k]);
            g_autoptr(WsYamlTree) tree = parse(line);
            guint8 data[9] = {[8] = 0x5a};

            ck_assert_int_eq(
                ws_element_read(tree, ws_yaml_get(tree->root, "a"), "a", type, data, NULL), k < 2);
            if (k == 2)
                continue;
            g_autofree char *text = ws_element_text(type, data);
            ck_assert_str_eq(text, texts[k]);
            ck_assert_double_eq(ws_element_load_double(type, data), g_ascii_strtod(text, NULL));
            ck_assert_uint_eq(data[8], 0x5a);
        }
    }
    WsType none;
    ck_assert(!ws_element_find_type("b32", &none));
}
END_TEST

/* A number rounded to its type, with as few digits as tell it. */
START_TEST(float_elements)
{
    static const struct {
        const char *type;
        double value;
        guint64 bits;
        const char *text;
    } rows[] = {{"f16", 1.0 / 3, 0x3555, "0.3333"},      {"f16", 65520, 0x7c00, "inf"},
                {"bf16", 1.0 / 3, 0x3eab, "0.334"},      {"bf16", -2.5, 0xc020, "-2.5"},
                {"f32", 0.1, 0x3dcccccd, "0.1"},         {"f32", 1e-45, 1, "1e-45"},
                {"f64", 0.1, 0x3fb999999999999a, "0.1"}, {"f16", 0x1p-24, 1, "6e-08"}};

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        guint8 data[8] = {0};
        guint64 bits;
        WsType type;

        ck_assert(ws_element_find_type(rows[i].type, &type));
        ck_assert(ws_element_is_float(type) && !ws_element_is_signed(type));
        ws_element_store_double(type, rows[i].value, data);
        memcpy(&bits, data, sizeof bits);
        ck_assert_uint_eq(bits, rows[i].bits);
        g_autofree char *text = ws_element_text(type, data);
        ck_assert_str_eq(text, rows[i].text);
    }
}
END_TEST

/* Every 16-bit number is itself again; halfway cases go to the even one. */
START_TEST(half_floats)
{
    for (guint32 bits = 0; bits < 0x10000; bits++) {
        double half = ws_half_to_double((guint16)bits), bfloat = ws_bfloat_to_double((guint16)bits);

        ck_assert_uint_eq(ws_half_from_double(half), isnan(half) ? 0x7fff : bits);
        ck_assert_uint_eq(ws_bfloat_from_double(bfloat), isnan(bfloat) ? 0x7fff : bits);
    }
    ck_assert_uint_eq(ws_half_from_double(2049), 0x6800);
    ck_assert_uint_eq(ws_half_from_double(2051), 0x6802);
    ck_assert_uint_eq(ws_half_from_double(65519), 0x7bff);
    ck_assert_uint_eq(ws_half_from_double(0x1p-25), 0);
    ck_assert_uint_eq(ws_half_from_double(-0x1.8p-25), 0x8001);
    ck_assert_uint_eq(ws_bfloat_from_double(257), 0x4380);
    ck_assert_uint_eq(ws_bfloat_from_double(1e39), 0x7f80);
}
END_TEST

/* ---- lists, pools, pages -----------------------------------------------------------------------
 */

START_TEST(number_lists)
{
    static const char *const wrong[] = {"", ",", "1,", "3-1", "-1", "1-", "a", "1 2", "1--2"};
    g_autoptr(GArray) list = ws_number_list_parse("0-3,7,99999999999");

    ck_assert_uint_eq(list->len, 3);
    ck_assert_uint_eq(g_array_index(list, WsNumberRange, 2).from, G_MAXUINT32);
    for (guint32 n = 0; n < 10; n++)
        ck_assert_int_eq(ws_number_list_has(list, n), n <= 3 || n == 7);
    ck_assert(ws_number_list_has(NULL, 5));
    for (guint i = 0; i < G_N_ELEMENTS(wrong); i++)
        ck_assert_msg(ws_number_list_parse(wrong[i]) == NULL, "%s", wrong[i]);
}
END_TEST

/* What was given back last is taken first; items stay where they are while the pool grows. */
START_TEST(pools)
{
    WsPool pool;

    ws_pool_init(&pool, NULL, 8);
    for (guint32 i = 0; i < 200; i++) {
        ck_assert_uint_eq(ws_pool_take(&pool), i);
        *(guint64 *)ws_pool_at(&pool, i) = i * 3;
    }
    for (guint32 i = 0; i < 200; i++)
        ck_assert_uint_eq(*(guint64 *)ws_pool_at(&pool, i), i * 3);
    ws_pool_give(&pool, 7);
    ws_pool_give(&pool, 150);
    ck_assert_uint_eq(ws_pool_take(&pool), 150);
    ck_assert_uint_eq(ws_pool_take(&pool), 7);
    ck_assert_uint_eq(ws_pool_take(&pool), 200);
    ws_pool_clear(&pool);
    ck_assert_uint_eq(ws_pool_take(&pool), 0);
    ws_pool_clear(&pool);
}
END_TEST

/* Pages that are zero take no room, and those of an earlier copy are shared. */
START_TEST(page_copies)
{
    enum { PAGES = 4, BYTES = (PAGES - 1) * WS_COPY_PAGE_BYTES + 100 };
    g_autofree guint8 *memory = g_malloc0(BYTES), *back = g_malloc(BYTES);
    WsPageStore store = {0};
    const gsize list = PAGES * sizeof(gpointer);

    memory[WS_COPY_PAGE_BYTES] = 1;
    WsPageCopy *first = ws_page_copy_new(&store, memory, BYTES, NULL);
    gsize page = store.bytes - list;
    ck_assert_uint_ge(page, WS_COPY_PAGE_BYTES);
    ck_assert_uint_lt(page, WS_COPY_PAGE_BYTES + 64);
    memory[BYTES - 1] = 2;
    WsPageCopy *second = ws_page_copy_new(&store, memory, BYTES, first);
    ck_assert_uint_eq(store.bytes, 2 * list + 2 * page);
    ck_assert_uint_eq(ws_page_copy_length(second), BYTES);
    memset(back, 3, BYTES);
    ws_page_copy_restore(second, back);
    ck_assert_mem_eq(back, memory, BYTES);
    ws_page_copy_free(first);
    ck_assert_uint_eq(store.bytes, list + 2 * page);
    ws_page_copy_restore(second, back);
    ck_assert_mem_eq(back, memory, BYTES);
    ws_page_copy_free(second);
    ck_assert_uint_eq(store.bytes, 0);
}
END_TEST

/* The earliest of several requests counts; those added are forgotten. */
START_TEST(line_directory)
{
    WsStateArray requests = {0};
    WsLineDirectory directory;

    ws_line_directory_init(&directory, NULL, 4);
    ck_assert_uint_eq(directory.ready[3], G_MAXUINT64);
    ws_state_array_append(&requests, WsLineRequest, ((WsLineRequest){1, 50}));
    ws_state_array_append(&requests, WsLineRequest, ((WsLineRequest){1, 40}));
    ws_state_array_append(&requests, WsLineRequest, ((WsLineRequest){3, 70}));
    ws_line_directory_add(&directory, &requests);
    ck_assert_uint_eq(requests.count, 0);
    ws_state_array_append(&requests, WsLineRequest, ((WsLineRequest){3, 90}));
    ws_line_directory_add(&directory, &requests);
    ck_assert_uint_eq(directory.ready[0], G_MAXUINT64);
    ck_assert_uint_eq(directory.ready[1], 40);
    ck_assert_uint_eq(directory.ready[3], 70);
    ws_line_directory_empty(&directory);
    ck_assert_uint_eq(directory.ready[1], G_MAXUINT64);
    ws_state_array_clear(&requests);
    ws_line_directory_clear(&directory);
}
END_TEST

/* ---- names -------------------------------------------------------------------------------------
 */

START_TEST(names)
{
    static const struct {
        const char *name;
        int code;
    } statuses[] = {{"ok", 0},
                    {"check_failed", WS_ERROR_CHECK},
                    {"fault", WS_ERROR_FAULT},
                    {"deadlock", WS_ERROR_DEADLOCK},
                    {"livelock", WS_ERROR_DEADLOCK},
                    {"limit", WS_ERROR_LIMIT},
                    {"interrupted", WS_ERROR_LIMIT}};
    static const char *const levels[] = {"none", "shared", "constant", "fixed",
                                         "L1",   "L2",     "L2_far",   "DRAM"};

    for (guint i = 0; i < G_N_ELEMENTS(statuses); i++) {
        ck_assert_str_eq(ws_status_name((WsStatus)i), statuses[i].name);
        ck_assert_int_eq(ws_status_exit_code((WsStatus)i), statuses[i].code);
    }
    for (guint i = 0; i < WS_LEVEL_COUNT; i++)
        ck_assert_str_eq(ws_memory_level_name((WsMemoryLevel)i), levels[i]);
    ck_assert_str_eq(ws_memory_level_name(WS_LEVEL_COUNT), "none");
    for (guint i = 0; i < WS_STALL_COUNT; i++)
        for (guint k = 0; k < i; k++)
            ck_assert_str_ne(ws_stall_letter((WsStall)i), ws_stall_letter((WsStall)k));
    ck_assert_str_eq(ws_stall_state(WS_STALL_SELECTED), "executing");
    ck_assert_str_eq(ws_stall_state(WS_STALL_NOT_SELECTED), "ready");
    ck_assert_str_eq(ws_stall_state(WS_STALL_WAIT), "stalled");
}
END_TEST

/* ---- where a fault lies ------------------------------------------------------------------------
 */

static WsSharedVariable variables[] = {
    {.name = (char *)"tile", .offset = 0, .size = 128, .align = 4, .type = WS_TYPE_F32},
    {.name = (char *)"one", .offset = 128, .size = 8, .align = 8, .type = WS_TYPE_S64},
    {.name = (char *)"raw", .offset = 160, .size = 40, .align = 4, .type = WS_TYPE_B8},
    {.name = (char *)"rest", .offset = 200, .size = 0, .align = 4, .type = WS_TYPE_B8},
};

static const struct {
    gint64 offset;
    guint32 bytes, dynamic;
    const char *text;
} shared_faults[] = {
    {-4, 4, 64, "4 bytes before the start of shared array 'tile' (f32[32]), index -1"},
    {-1, 1, 64, "1 byte before the start of shared array 'tile' (f32[32])"},
    {126, 4, 64, "4 bytes from byte 126 of shared array 'tile' (f32[32])"},
    {12, 4, 64, "byte 12 of shared array 'tile' (f32[32])"},
    {136, 4, 64, "just past the end of shared variable 'one' (s64)"},
    {140, 4, 64, "4 bytes past the end of shared variable 'one' (s64)"},
    {196, 8, 64, "8 bytes from byte 36 of shared array 'raw' (40 bytes)"},
    {264, 4, 64,
     "just past the end of dynamic shared memory 'rest' (64 bytes): see dynamic_shared_bytes of "
     "the launch file"},
    {265, 1, 64,
     "1 byte past the end of dynamic shared memory 'rest' (64 bytes): see dynamic_shared_bytes of "
     "the launch file"},
    {210, 4, 64, "byte 10 of dynamic shared memory 'rest' (64 bytes)"},
    {210, 4, 0,
     "dynamic shared memory 'rest' has 0 bytes: give dynamic_shared_bytes in the launch file"},
};

START_TEST(shared_fault_places)
{
    const WsKernel kernel = {.shared = variables,
                             .shared_count = G_N_ELEMENTS(variables),
                             .static_shared_bytes = 200,
                             .uses_dynamic_shared = TRUE};

    for (guint i = 0; i < G_N_ELEMENTS(shared_faults); i++) {
        g_autofree char *text = ws_shared_fault_describe(
            &kernel, shared_faults[i].dynamic, shared_faults[i].offset, shared_faults[i].bytes);
        ck_assert_str_eq(text, shared_faults[i].text);
    }
    const WsKernel none = {0}, nameless = {.static_shared_bytes = 32};
    g_autofree char *no = ws_shared_fault_describe(&none, 0, 4, 4);
    ck_assert_str_eq(no, "the kernel has no shared memory");
    g_autofree char *some = ws_shared_fault_describe(&nameless, 0, 36, 4);
    ck_assert_str_eq(some, "4 bytes past the end of the block's shared memory (32 bytes)");
}
END_TEST

/* Behind the thread's stack, as far as local memory reaches; nothing of faults elsewhere. */
START_TEST(stack_faults)
{
    const WsKernel kernel = {.local_bytes = 96, .stack_bytes = 64};
    static const struct {
        guint32 stack;
        guint64 offset;
        gboolean told;
    } rows[] = {{1024, 32 + 1024, TRUE},
                {1024, 31 + 1024, FALSE},
                {0, 4096, FALSE},
                {1024, WS_CONSTANT_WINDOW - WS_LOCAL_WINDOW, FALSE},
                {1024, WS_CONSTANT_WINDOW - WS_LOCAL_WINDOW - 1, TRUE}};

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *text = ws_stack_fault_describe(&kernel, rows[i].stack, rows[i].offset);
        ck_assert_msg((text != NULL) == rows[i].told, "row %u", i);
        if (text != NULL)
            ck_assert(g_str_has_prefix(text, "past the end of the stack, which is 1024 bytes"));
    }
    ck_assert_str_eq(ws_trap_text(WS_TRAP_ASSERT), "assertion failed");
    ck_assert_str_eq(ws_trap_text(WS_TRAP_TRAP), "trap");
    ck_assert(g_str_has_prefix(ws_trap_text(WS_TRAP_CALL), "call through a pointer"));
    ck_assert(g_str_has_prefix(ws_trap_text(WS_TRAP_FREE), "free() of an address"));
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, json_texts);
    tcase_add_test(cases, yaml_ranges);
    tcase_add_test(cases, yaml_put);
    tcase_add_test(cases, yaml_scalars);
    tcase_add_test(cases, integer_elements);
    tcase_add_test(cases, float_elements);
    tcase_add_test(cases, half_floats);
    tcase_add_test(cases, number_lists);
    tcase_add_test(cases, pools);
    tcase_add_test(cases, page_copies);
    tcase_add_test(cases, line_directory);
    tcase_add_test(cases, names);
    tcase_add_test(cases, shared_fault_places);
    tcase_add_test(cases, stack_faults);
}

int main(void)
{
    return run_suite("base_parts", add_tests);
}
