/* What mangled names of kernels mean, and which names mean a kernel. */
#include "isa/base/kernel_names.h"

#include "tests/support/suite.h"

#include <string.h>

static const struct {
    const char *mangled, *display, *signature;
} names[] = {
    {"plain", "plain", "plain"},
    {"_Z5saxpyifPfS_", "saxpy", "saxpy(int, float, float*, float*)"},
    {"_ZN1a1bEv", "a::b", "a::b()"},
    {"_ZN12_GLOBAL__N_11kEv", "(anonymous namespace)::k", "(anonymous namespace)::k()"},
    {"_Z4axpyIfEvPT_i", "axpy<float>", "axpy<float>(float*, int)"},
    {"_ZN2ns4axpyIfLi4EEEvPT_", "ns::axpy<float, 4>", "ns::axpy<float, 4>(float*)"},
    {"_Z4scanIiXadL_Z3addiiEEEvPT_", "scan<int, &(add(int, int))>",
     "scan<int, &(add(int, int))>(int*)"},
    {"_Z1kPFviE", "k", "k(void (*)(int))"},
    {"_Znonsense", "_Znonsense", "_Znonsense"},
    {"_Z", "_Z", "_Z"},
    /* nvcc's of a static, with -rdc=true */
    {"__nv_static_21__19de591b_4_a_cu_main__Z1kPf", "k", "k(float*)"},
    {"__nv_static_21__19de591b_4_a_cu_main_plain", "plain", "plain"},
    {"__nv_static_21__19de591b_4_a_cu_main", "__nv_static_21__19de591b_4_a_cu_main",
     "__nv_static_21__19de591b_4_a_cu_main"},
    {"__nv_static_99999_x", "__nv_static_99999_x", "__nv_static_99999_x"},
    {"_Z99999short", "_Z99999short", "_Z99999short"},
};

START_TEST(test_names)
{
    g_autofree char *display = ws_kernel_display_name(names[_i].mangled);
    ck_assert_str_eq(display, names[_i].display);
    g_autofree char *signature = ws_kernel_signature(names[_i].mangled);
    ck_assert_str_eq(signature, names[_i].signature);
    ck_assert_int_eq(ws_kernel_is_template(display), strchr(display, '<') != NULL);
}
END_TEST

/* Of a variable the last part: which function it is in is known. */
static const struct {
    const char *mangled, *display;
} variables[] = {
    {"tile", "tile"},
    {"_ZZ1kPfE4tile", "tile"},
    {"_ZZN2ns4axpyIfLi4EEEvPT_E6buffer", "buffer"},
    {"_ZN2ns5tableE", "table"},
    {"_ZL5table", "table"},
    {"_Znonsense", "_Znonsense"},
    {"__nv_static_21__19de591b_4_a_cu_main__ZZ1kPfE4tile", "tile"},
};

START_TEST(test_variables)
{
    g_autofree char *display = ws_variable_display_name(variables[_i].mangled);
    ck_assert_str_eq(display, variables[_i].display);
}
END_TEST

START_TEST(test_matches)
{
    static const struct {
        const char *name;
        WsNameMatch match;
    } cases[] = {
        {"_ZN2ns4axpyIfLi4EEEvPT_", WS_NAME_EXACT},
        {"ns::axpy<float, 4>", WS_NAME_SHOWN},
        {"ns::axpy<float,4>", WS_NAME_SHOWN},
        {"ns::axpy<float, 4>(float *)", WS_NAME_SHOWN},
        {"ns::axpy", WS_NAME_OF_TEMPLATE},
        {"axpy", WS_NAME_DIFFERS},
        {"ns::axpy<float, 2>", WS_NAME_DIFFERS},
        {"ns::axpy<float, 4", WS_NAME_DIFFERS},
        {"ns::axpy<float, 4>(int *)", WS_NAME_DIFFERS},
        {"", WS_NAME_DIFFERS},
    };
    g_autofree char *display = ws_kernel_display_name(cases[0].name);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        ck_assert_msg(ws_kernel_match_name(cases[0].name, display, cases[i].name) == cases[i].match,
                      "%s", cases[i].name);
}
END_TEST

static void append_reference(GString *out, guint number)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    g_string_append_c(out, 'S');
    if (number >= 36)
        g_string_append_c(out, digits[number / 36]);
    g_string_append_printf(out, "%c_", digits[number % 36]);
}

/* Each type takes the one before it twice: 40 of them would be a text of a terabyte. */
START_TEST(test_hostile)
{
    g_autoptr(GString) mangled = g_string_new("_Z6doubleP1a");
    for (guint i = 0; i < 40; i++) {
        g_string_append(mangled, "PFv");
        append_reference(mangled, 2 * i);
        append_reference(mangled, 2 * i);
        g_string_append_c(mangled, 'E');
        g_autofree char *display = ws_kernel_display_name(mangled->str);
        ck_assert_str_eq(display, "double");
    }
    g_autoptr(GString) deep = g_string_new("_Z4deep");
    for (guint i = 0; i < 1000000; i++)
        g_string_append_c(deep, 'P');
    g_string_append_c(deep, 'i');
    g_autofree char *display = ws_kernel_display_name(deep->str);
    ck_assert_str_eq(display, "deep");
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, test_names, 0, G_N_ELEMENTS(names));
    tcase_add_loop_test(cases, test_variables, 0, G_N_ELEMENTS(variables));
    tcase_add_test(cases, test_matches);
    tcase_add_test(cases, test_hostile);
}

int main(void)
{
    return run_suite("kernel_names", add_tests);
}
