/* The hash of a folder: what counts in it, and what is too much. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grade/class/folder_digest.h"
#include "tests/grade/lab.h"

static char *digest(const char *folder)
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);

    ck_assert(ws_folder_digest(folder, sum));
    return g_strdup(g_checksum_get_string(sum));
}

/* Names, contents and kinds count; the place of the folder does not. */
START_TEST(digests)
{
    g_autofree char *source = lab_path("handed_in"), *scratch = lab_scratch();
    g_autofree char *copy = g_build_filename(scratch, "copy", NULL);
    g_autofree char *file = g_build_filename(copy, "ann", "scale.wsasm", NULL);
    g_autofree char *moved = g_build_filename(copy, "ann", "scale2.wsasm", NULL);
    g_autofree char *folder = g_build_filename(copy, "new", NULL);

    lab_copy(source, copy);
    g_autofree char *first = digest(source), *second = digest(copy);
    ck_assert_str_eq(first, second);
    g_rename(file, moved);
    g_autofree char *renamed = digest(copy);
    ck_assert_str_ne(first, renamed);
    g_rename(moved, file);
    g_mkdir(folder, 0700);
    g_autofree char *added = digest(copy);
    ck_assert_str_ne(first, added);
    lab_remove(scratch);
}
END_TEST

/* A file that holds what the entry of another one begins with is not these two files. */
START_TEST(digests_of_what_looks_alike)
{
    static const char one[] = "Xb\000100000\000Y"; /* X, then b, a regular file, with Y in it */
    g_autofree char *scratch = lab_scratch();
    g_autofree char *single = g_build_filename(scratch, "single", NULL);
    g_autofree char *both = g_build_filename(scratch, "both", NULL);
    const struct {
        const char *folder, *name, *text;
        gsize length;
    } files[] = {{single, "a", one, sizeof one - 1}, {both, "a", "X", 1}, {both, "b", "Y", 1}};

    for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *path = g_build_filename(files[i].folder, files[i].name, NULL);
        g_mkdir_with_parents(files[i].folder, 0700);
        ck_assert(g_file_set_contents(path, files[i].text, (gssize)files[i].length, NULL));
    }
    g_autofree char *first = digest(single), *second = digest(both);
    ck_assert_str_ne(first, second);
    lab_remove(scratch);
}
END_TEST

/* Folders in folders: 32 are looked at, one more is too deep. */
START_TEST(digests_of_what_is_deep)
{
    g_autofree char *scratch = lab_scratch(), *path = g_strdup(scratch);
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);

    for (guint i = 0; i < 32; i++) {
        g_autofree char *deeper = g_build_filename(path, "d", NULL);
        g_free(path);
        path = g_steal_pointer(&deeper);
    }
    g_mkdir_with_parents(path, 0700);
    ck_assert(ws_folder_digest(scratch, sum));
    g_autofree char *deepest = g_build_filename(path, "d", NULL);
    g_mkdir(deepest, 0700);
    ck_assert(!ws_folder_digest(scratch, sum));
    lab_remove(scratch);
}
END_TEST

/* Of a link counts where it leads, which may be nowhere; of a pipe that there is one. */
START_TEST(digests_of_what_is_no_file)
{
    g_autofree char *scratch = lab_scratch();
    g_autofree char *path = g_build_filename(scratch, "it", NULL);
    char *found[4];

    for (guint i = 0; i < G_N_ELEMENTS(found); i++) {
        if (i < 2)
            ck_assert_int_eq(symlink(i == 0 ? "nowhere" : "elsewhere", path), 0);
        else if (i == 2)
            ck_assert_int_eq(mkfifo(path, 0600), 0);
        else
            ck_assert(g_file_set_contents(path, "nowhere", -1, NULL));
        found[i] = digest(scratch);
        for (guint k = 0; k < i; k++)
            ck_assert_str_ne(found[i], found[k]);
        g_unlink(path);
    }
    for (guint i = 0; i < G_N_ELEMENTS(found); i++)
        g_free(found[i]);
    lab_remove(scratch);
}
END_TEST

/* 10,000 files are looked at, one more is too many. */
START_TEST(digests_of_many_files)
{
    enum { FILES = 10000 };
    g_autofree char *scratch = lab_scratch();
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);

    for (guint i = 0; i <= FILES; i++) {
        g_autofree char *name = g_strdup_printf("%u", i);
        g_autofree char *path = g_build_filename(scratch, name, NULL);
        if (i == FILES)
            ck_assert(ws_folder_digest(scratch, sum));
        ck_assert_int_eq(g_mkdir(path, 0700), 0);
    }
    ck_assert(!ws_folder_digest(scratch, sum));
    lab_remove(scratch);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, digests);
    tcase_add_test(cases, digests_of_what_looks_alike);
    tcase_add_test(cases, digests_of_what_is_deep);
    tcase_add_test(cases, digests_of_what_is_no_file);
    tcase_add_test(cases, digests_of_many_files);
}

int main(void)
{
    return run_suite("folder_digest", add_tests);
}
