/* What clang is told in each of its passes: a file in tests/golden/rooms/. */
#include "isa/cuda/clang_arguments.h"
#include "tests/support/golden_text.h"
#include "tests/support/suite.h"

static void append(GString *out, const char *what, GPtrArray *arguments)
{
    g_string_append_printf(out, "---- %s\n", what);
    for (guint i = 0; i < arguments->len; i++)
        g_string_append_printf(out, "%s\n", (char *)arguments->pdata[i]);
    g_ptr_array_set_size(arguments, 0);
}

START_TEST(arguments)
{
    static const char *const defines[] = {"N=4", "NAME", NULL}, *const includes[] = {"inc", "/x y",
                                                                                     NULL};
    static const struct {
        const char *what;
        WsCompileOptions options;
    } options[] = {
        {"plain", {0}},
        {"for checks", {.for_checks = TRUE}},
        {"debug", {.debug = TRUE}},
        {"variables", {.variables = TRUE}},
        {"debug with variables", {.debug = TRUE, .variables = TRUE}},
        {"checks with variables", {.for_checks = TRUE, .variables = TRUE}},
    };
    const WsCompileOptions user = {.defines = defines, .includes = includes};
    g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint i = 0; i < G_N_ELEMENTS(options); i++) {
        ws_clang_arguments_for_headers(list, &options[i].options);
        append(out, options[i].what, list);
        g_string_append_printf(out, "DWARF %d, dump %d\n",
                               ws_clang_arguments_have_dwarf(&options[i].options),
                               ws_clang_arguments_have_dump(&options[i].options));
    }
    ws_clang_arguments_include(list);
    append(out, "our headers", list);
    ws_clang_arguments_of_user(list, "some/kernel.cu", &user);
    append(out, "of the user", list);
    ws_clang_arguments_of_user(list, "kernel.cu", &options[0].options);
    append(out, "of a user who says nothing", list);
    ws_clang_arguments_device_pass(list, "/headers");
    append(out, "device pass", list);
    ws_clang_arguments_host_pass(list, "/headers", "kernels.ptx");
    append(out, "host pass", list);
    ws_clang_arguments_host_pass(list, "/headers", NULL);
    append(out, "host pass without kernels", list);
    ws_clang_arguments_plain_pass(list, "/headers", FALSE);
    append(out, "C++", list);
    ws_clang_arguments_plain_pass(list, "/headers", TRUE);
    append(out, "C", list);
    golden_text_check("clang_arguments.txt", out->str);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, arguments);
}

int main(void)
{
    return run_suite("clang_arguments", add_tests);
}
