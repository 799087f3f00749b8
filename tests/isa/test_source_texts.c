/* Sources inside of PTX. */
#include "isa/ptx/source_texts.h"
#include "tests/support/suite.h"

#include <glib/gstdio.h>
#include <string.h>

static void put(const char *name, const char *text)
{
    ck_assert(g_file_set_contents(name, text, -1, NULL));
}

START_TEST(texts_come_back)
{
    g_autofree char *folder = g_dir_make_tmp("warpstep-test-XXXXXX", NULL);
    g_autofree char *a = g_build_filename(folder, "a b.cu", NULL);
    g_autofree char *b = g_build_filename(folder, "b.cuh", NULL);
    g_autofree char *none = g_build_filename(folder, "none.cu", NULL);
    g_autofree char *empty = g_build_filename(folder, "empty.cu", NULL);
    g_autofree char *zero = g_build_filename(folder, "zero.cu", NULL);
    put(a, "one\n\n//< c.cu\n//|three\n");
    put(b, "no end of line\xff");
    put(empty, "");
    ck_assert(g_file_set_contents(zero, "a\0b", 3, NULL));
    g_autofree char *ptx =
        g_strdup_printf(".version 7.5\n\t.file\t1 \"%s\"\n.file 2 \"%s\"\n// .file 3 \"%s\"\n"
                        " .file 4 \"%s\"\n.file 1 \"%s\"\n.file 5 \"%s\"\n.file 6 \"%s\"",
                        a, b, zero, none, a, empty, zero);
    g_autofree char *all = ws_ptx_with_sources(ptx);
    ck_assert(g_str_has_prefix(all, ptx));
    g_autoptr(GHashTable) found = ws_ptx_sources(all, strlen(all));
    ck_assert_uint_eq(g_hash_table_size(found), 3);
    ck_assert_str_eq(g_hash_table_lookup(found, a), "one\n\n//< c.cu\n//|three\n");
    ck_assert_str_eq(g_hash_table_lookup(found, b), "no end of line\xef\xbf\xbd\n");
    ck_assert_str_eq(g_hash_table_lookup(found, empty), "");
    ck_assert_ptr_null(ws_ptx_sources(ptx, strlen(ptx)));
    /* Cut off anywhere it is still read. */
    for (gsize length = strlen(ptx); length < strlen(all); length++) {
        g_autofree char *cut = g_memdup2(all, length);
        g_autoptr(GHashTable) part = ws_ptx_sources(cut, length);
        ck_assert(part == NULL || g_hash_table_size(part) <= 3);
    }
    const char *const paths[] = {a, b, empty, zero, folder};
    for (guint i = 0; i < G_N_ELEMENTS(paths); i++)
        g_remove(paths[i]);
}
END_TEST

/* Our own headers are left out, and names that PTX would escape. */
START_TEST(files_that_are_left_out)
{
    static const struct {
        const char *name;
        gboolean there;
    } rows[] = {{"warpstep/own.h", FALSE}, {"own.h", TRUE}, {"x\\y.h", FALSE}};
    g_autofree char *folder = g_dir_make_tmp("warpstep-test-XXXXXX", NULL);
    g_autofree char *here = g_get_current_dir();

    ck_assert_int_eq(g_chdir(folder), 0);
    ck_assert_int_eq(g_mkdir("warpstep", 0700), 0);
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        put(rows[i].name, "text\n");
        g_autofree char *ptx = g_strdup_printf(".file 1 \"%s\"\n", rows[i].name);
        g_autofree char *all = ws_ptx_with_sources(ptx);
        ck_assert_msg((strlen(all) > strlen(ptx)) == rows[i].there, "%s", rows[i].name);
        g_remove(rows[i].name);
    }
    g_rmdir("warpstep");
    ck_assert_int_eq(g_chdir(here), 0);
    g_rmdir(folder);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, texts_come_back);
    tcase_add_test(cases, files_that_are_left_out);
}

int main(void)
{
    return run_suite("source_texts", add_tests);
}
