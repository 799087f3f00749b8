/* The assignment of tests/data/rooms/lab and what is handed in for it, for the tests of grade/. */
#ifndef WS_TESTS_GRADE_LAB_H
#define WS_TESTS_GRADE_LAB_H

#include <check.h>
#include <gio/gio.h>
#include <glib/gstdio.h>

#include "grade/judge/grader.h"
#include "tests/support/golden_text.h"
#include "tests/support/suite.h"

static inline char *lab_path(const char *name)
{
    return g_build_filename(g_getenv("WS_TEST_SOURCES"), "tests", "data", "rooms", name, NULL);
}

static inline WsAssignment *lab_load(void)
{
    g_autofree char *path = lab_path("lab");
    GError *error = NULL;
    WsAssignment *assignment = ws_assignment_load(path, &error);

    ck_assert_msg(assignment != NULL, "%s", error ? error->message : "");
    return assignment;
}

/* A folder of its own for a test. g_free. */
static inline char *lab_scratch(void)
{
    return g_dir_make_tmp("warpstep-grade-XXXXXX", NULL);
}

/* Removes a folder with all that is in it. */
static inline void lab_remove(const char *folder)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;

    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_DIR) && !g_file_test(path, G_FILE_TEST_IS_SYMLINK))
            lab_remove(path);
        else
            g_unlink(path);
    }
    g_rmdir(folder);
}

/* Copies a folder, which is made. */
static inline void lab_copy(const char *from, const char *to)
{
    g_autoptr(GDir) dir = g_dir_open(from, 0, NULL);
    const char *name;

    ck_assert_ptr_nonnull(dir);
    g_mkdir_with_parents(to, 0700);
    while ((name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *path = g_build_filename(from, name, NULL);
        g_autofree char *copy = g_build_filename(to, name, NULL);
        g_autofree char *text = NULL;
        gsize length;

        if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
            lab_copy(path, copy);
            continue;
        }
        ck_assert(g_file_get_contents(path, &text, &length, NULL));
        ck_assert(g_file_set_contents(copy, text, (gssize)length, NULL));
    }
}

/* The check of a golden text in which folders and versions are words. */
static inline void lab_check(const char *name, const char *text, const char *scratch)
{
    g_autofree char *first = golden_text_replace(text, g_getenv("WS_TEST_SOURCES"), "SOURCES");
    g_autofree char *second = golden_text_replace(first, scratch ? scratch : "\001", "SCRATCH");
    g_autofree char *third = golden_text_replace(second, WS_VERSION, "VERSION");

    golden_text_check(name, third);
}

#endif
