/* Which of our headers clang finds: those of libraries, and those that few name, only if asked. */
#include "isa/cuda/clang_view.h"
#include "tests/support/suite.h"

#include <string.h>

static gboolean has(const WsClangView *view, const char *name)
{
    g_autofree char *path = g_strconcat(WS_CLANG_HEADERS "/", name, NULL);
    for (guint i = 0; i < view->paths->len; i++)
        if (strcmp(view->paths->pdata[i], path) == 0)
            return TRUE;
    return FALSE;
}

static WsClangView *new_view(void)
{
    g_autoptr(GError) error = NULL;
    WsClangView *view = ws_clang_view_new(&error);
    ck_assert_msg(view != NULL, "%s", error != NULL ? error->message : "");
    return view;
}

/* Returns how many files come. */
static guint want(WsClangView *view, const char *name)
{
    const guint before = view->paths->len;
    ck_assert(ws_clang_view_want(view, name, NULL));
    ck_assert_uint_eq(view->paths->len, view->contents->len);
    return view->paths->len - before;
}

START_TEST(rare_headers_come_with_what_they_include)
{
    g_autoptr(WsClangView) view = new_view();
    ck_assert(has(view, "cuda_runtime.h"));
    ck_assert(has(view, "std/vector"));
    ck_assert(!has(view, "cublas_v2.h"));
    ck_assert(!has(view, "library_types.h"));

    /* cublas_v2.h, cublas_api.h, library_types.h and what the closed libraries share */
    ck_assert_uint_eq(want(view, "cublas_v2.h"), 4);
    ck_assert(has(view, "cublas_v2.h"));
    ck_assert(has(view, "cublas_api.h"));
    ck_assert(has(view, "library_types.h"));
    ck_assert(has(view, "warpstep/closed_library.h"));
    ck_assert(!has(view, "cudnn.h"));
    ck_assert_uint_eq(want(view, "cublas_v2.h"), 0);
    ck_assert_uint_eq(want(view, "cufft.h"), 1);
    ck_assert_uint_eq(want(view, "crt/host_defines.h"), 1);
}
END_TEST

START_TEST(other_names_bring_nothing)
{
    static const char *const names[] = {"",  "nothing.h", "crt",       "crt/", "../rare/cufft.h",
                                        "/", "vector",    "cufft.h/x", "."};
    g_autoptr(WsClangView) view = new_view();
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        ck_assert_uint_eq(want(view, names[i]), 0);
}
END_TEST

START_TEST(libraries_come_whole)
{
    g_autoptr(WsClangView) view = new_view();
    ck_assert(!has(view, "cub/cub.cuh"));
    ck_assert_uint_gt(want(view, "cub/block/block_scan.cuh"), 1);
    ck_assert(has(view, "cub/cub.cuh"));
    ck_assert(!has(view, "thrust/sort.h"));
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, rare_headers_come_with_what_they_include);
    tcase_add_test(tests, other_names_bring_nothing);
    tcase_add_test(tests, libraries_come_whole);
}

int main(void)
{
    return run_suite("clang_view", add_tests);
}
