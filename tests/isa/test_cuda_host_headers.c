/* Standard headers of the host in device code: each compiles alone. */
#include <check.h>
#include <glib/gstdio.h>

#include "isa/ir/ir.h"
#include "tests/support/suite.h"

/* Special functions cost a part of each compile, so they come with <cmath> and not unasked. */
START_TEST(special_functions_of_the_host)
{
    static const char body[] =
        "__global__ void k(float *x) { x[0] = std::min(x[1], std::numeric_limits<float>::max()); "
        "}\n"
        "double on_host() { return std::beta(1.0, 2.0) + std::riemann_zeta(3.0f); }\n";
    static const char *const headers[] = {"cmath", "complex", "random", "stdio.h"};
    const WsCompileOptions options = {.parameter_base = 0x210};
    g_autofree char *folder = g_dir_make_tmp("ws-cuda-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "kernel.cu", NULL);
    g_autoptr(GError) error = NULL;
    g_autofree char *source = g_strdup_printf("#include <%s>\n%s", headers[_i], body);

    ck_assert(g_file_set_contents(path, source, -1, NULL));
    g_autofree char *ptx = ws_cuda_to_ptx(path, &options, NULL, NULL, &error);
    ck_assert_msg(ptx != NULL, "%s", error == NULL ? "" : error->message);
    g_unlink(path);
    g_rmdir(folder);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, special_functions_of_the_host, 0, 4);
}

int main(void)
{
    return run_suite("cuda_host_headers", add_tests);
}
