/* "Did you mean": synonyms, capitals, edit distance, beginnings. */
#include "isa/base/nearest_name.h"
#include "tests/support/suite.h"

static const char *const types[] = {"s8",  "u8",  "s16",  "u16", "s32", "u32", "s64",
                                    "u64", "f16", "bf16", "f32", "f64", NULL};
static const char *const launch_keys[] = {"kernel", "grid",  "block",    "dynamic_shared_bytes",
                                          "params", "cache", "carveout", NULL};
static const char *const buffer_keys[] = {"type", "count", "init", NULL};
static const char *const policies[] = {"lrr", "gto", "oldest", "two-level", NULL};

START_TEST(test_synonyms)
{
    static const struct {
        const char *name;
        const char *const *names;
        const char *meant;
    } rows[] = {
        {"float", types, "f32"},
        {"double", types, "f64"},
        {"int", types, "s32"},
        {"unsigned int", types, "u32"},
        {"size_t", types, "u64"},
        {"half", types, "f16"},
        {"i32", types, "s32"},
        {"blocks", launch_keys, "grid"},
        {"threads", launch_keys, "block"},
        {"gridDim", launch_keys, "grid"},
        {"args", launch_keys, "params"},
        {"smem", launch_keys, "dynamic_shared_bytes"},
        {"dtype", buffer_keys, "type"},
        {"size", buffer_keys, "count"},
        {"n", buffer_keys, "count"},
        {"Round Robin", policies, "lrr"},
        {"roundrobbin", policies, "lrr"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
        ck_assert_pstr_eq(ws_nearest_name(rows[i].name, rows[i].names), rows[i].meant);
    /* Each word only where what it means is valid. */
    ck_assert_ptr_null(ws_nearest_name("float", launch_keys));
    ck_assert_ptr_null(ws_nearest_name("smem", types));
}
END_TEST

START_TEST(test_near)
{
    ck_assert_pstr_eq(ws_nearest_name("F32", types), "f32");
    ck_assert_pstr_eq(ws_nearest_name("two_level", policies), "two-level");
    ck_assert_pstr_eq(ws_nearest_name("kernal", launch_keys), "kernel");
    ck_assert_pstr_eq(ws_nearest_name("bolck", launch_keys), "block");
    ck_assert_pstr_eq(ws_nearest_name("dynamic", launch_keys), "dynamic_shared_bytes");
    ck_assert_ptr_null(ws_nearest_name("zzzzzz", launch_keys));
    ck_assert_ptr_null(ws_nearest_name("", launch_keys));
    /* Two that begin so: neither is meant. */
    static const char *const alike[] = {"alphabetical", "alphanumerical", NULL};
    ck_assert_ptr_null(ws_nearest_name("alpha", alike));
}
END_TEST

START_TEST(test_long_names)
{
    g_autofree char *name = g_strnfill(201, 'f');
    ck_assert_ptr_null(ws_nearest_name(name, types));
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, test_synonyms);
    tcase_add_test(cases, test_near);
    tcase_add_test(cases, test_long_names);
}

int main(void)
{
    return run_suite("nearest_name", add_tests);
}
