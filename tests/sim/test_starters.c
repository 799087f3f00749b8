/* Launch files for kernels of CUDA C, and what of a source is for the host. */
#include <string.h>

#include "isa/cuda/find_clang.h"
#include "isa/cuda/ptx_cache.h"
#include "sim/starter/host_code.h"
#include "sim/starter/starter.h"
#include "tests/support/golden_text.h"
#include "tests/support/suite.h"

/* ---- host code ---------------------------------------------------------------------------------
 */

static const struct {
    const char *source;
    guint main_line, launch_line, launches;
    const char *text;
} sources[] = {
    {"", 0, 0, 0, NULL},
    {"int main() {}\n", 1, 0, 0, "main() in line 1 is ignored"},
    {"\n\nint main\n\t (void)", 3, 0, 0, "main() in line 3 is ignored"},
    {"int main;\nint domain();\nint main_();\nint xmain(); main [1]", 0, 0, 0, NULL},
    {"// main()\n/* main()\n k<<<1, 1>>>() */ \"main()\" 'm' \"\\\" main()\"", 0, 0, 0, NULL},
    {"k<<<1, 2>>>();", 0, 1, 1, "the launch in line 1 is ignored"},
    {"a << b;\nk<<<1, 2>>>();\n\nk<<<1, 2>>>();", 0, 2, 2,
     "the launches in line 2 and below are ignored"},
    {"int main()\n{\n    k<<<1, 2>>>();\n}\nint main();", 1, 3, 1,
     "main() in line 1 and the launch in line 3 are ignored"},
    {"/* one\ntwo */ int main() { k<<<1, 1>>>(); k<<<1, 1>>>(); }", 2, 2, 2,
     "main() in line 2 and the launches in line 2 and below are ignored"},
    {"char *s = \"no end\nint main() {}", 2, 0, 0, "main() in line 2 is ignored"},
    {"/* no end main()", 0, 0, 0, NULL},
};

START_TEST(host_code)
{
    WsHostCode code = ws_host_code_find(sources[_i].source);
    g_autofree char *text = ws_host_code_text(&code);

    ck_assert_uint_eq(code.main_line, sources[_i].main_line);
    ck_assert_uint_eq(code.launch_line, sources[_i].launch_line);
    ck_assert_uint_eq(code.launches, sources[_i].launches);
    if (sources[_i].text == NULL) {
        ck_assert_ptr_null(text);
        return;
    }
    g_autofree char *whole = g_strconcat(sources[_i].text,
                                         ": only kernels are run, and a launch file says with what "
                                         "grid, buffers and values",
                                         NULL);
    ck_assert_str_eq(text, whole);
}
END_TEST

/* ---- starters ----------------------------------------------------------------------------------
 */

static const char *const kernels[] = {
    "scaled",  "transposed", "block_sums",    "histogram",    "gathered",
    "by_mode", "never",      "nothing_given", "of_structure", "nothing_like_it"};

/* What is guessed for each kernel, how it went, and what no thread reached. */
START_TEST(guesses)
{
    g_autofree char *clang = ws_find_clang(NULL);
    g_autofree char *path =
        g_build_filename(g_getenv("WS_TEST_SOURCES"), "tests/data/rooms/starters.cu", NULL);
    g_autofree char *output =
        g_build_filename(g_getenv("WS_TEST_SOURCES"), "tests/data/rooms/starter.yaml", NULL);
    g_autofree char *cache = ws_ptx_cache_folder();
    g_autoptr(GString) out = g_string_new(NULL);
    WsCompileOptions compile;

    ws_compile_options_init(&compile);
    compile.bounds.cache = compile.bounds.header_cache = cache;
    /* Others move other instructions in front of a branch. */
    if (clang == NULL || !g_str_has_suffix(clang, "-14"))
        return;
    for (guint i = 0; i < G_N_ELEMENTS(kernels); i++) {
        const WsStarterOptions options = {
            .kernel = kernels[i], .device = "textbook", .compile = &compile, .output = output};
        g_autoptr(GError) error = NULL;
        WsStarter *starter = ws_starter_write(path, &options, &error);

        g_string_append_printf(out, "---- %s\n", kernels[i]);
        if (starter == NULL) {
            g_string_append_printf(out, "%s\n", error->message);
            continue;
        }
        g_string_append_printf(out, "%s\n%s, %u threads, %s\n", starter->text, starter->kernel,
                               starter->threads, starter->stop ? starter->stop : "runs");
        for (guint k = 0; k < starter->notes->len; k++)
            g_string_append_printf(out, "%s\n", (char *)starter->notes->pdata[k]);
        ws_starter_free(starter);
    }
    g_autofree char *anywhere =
        golden_text_replace(out->str, g_getenv("WS_TEST_SOURCES"), "SOURCES");
    g_autofree char *ever = golden_text_replace(anywhere, WS_VERSION, "VERSION");
    golden_text_check("starters.txt", ever);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, host_code, 0, G_N_ELEMENTS(sources));
    tcase_add_test(cases, guesses);
}

int main(void)
{
    return run_suite("starters", add_tests);
}
