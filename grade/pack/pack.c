#include "grade/pack/pack.h"

#include "grade/pack/parts.h"
#include "grade/pack/services.h"
#include "isa/base/temporary_folder.h"

#include <string.h>

/* Whether `inner` is `outer` or lies in it; both relative to the assignment. */
static gboolean lies_in(const WsAssignment *assignment, const char *inner, const char *outer)
{
    g_autofree char *a = ws_assignment_path(assignment, inner);
    g_autofree char *b = ws_assignment_path(assignment, outer);
    g_autofree char *whole = g_canonicalize_filename(a, NULL);
    g_autofree char *folder = g_canonicalize_filename(b, NULL);
    gsize length = strlen(folder);
    return strncmp(whole, folder, length) == 0 && (whole[length] == '\0' || whole[length] == '/');
}

/* Solutions must not get among what students get, by a folder that holds too much. */
static gboolean check_published(const WsAssignment *assignment, const char *name, GError **error)
{
    const char *const kept[] = {assignment->reference, "mutants",        "hidden", "notes.md",
                                "assignment.yaml",     WS_CARRIED_FOLDER};
    for (guint i = 0; i < G_N_ELEMENTS(kept); i++) {
        if (kept[i] == NULL ||
            (!lies_in(assignment, name, kept[i]) && !lies_in(assignment, kept[i], name)))
            continue;
        WsPosition position = {.file = assignment->tree->name};
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "'%s' would be given to students, and '%s' is not for them", name, kept[i]);
        return FALSE;
    }
    return TRUE;
}

static gboolean add_published(const WsAssignment *assignment, const char *name, GHashTable *files,
                              GError **error)
{
    g_autofree char *path = ws_assignment_path(assignment, name);
    return check_published(assignment, name, error) && ws_file_set_add(files, path, name, error);
}

static gboolean add_named(const WsAssignment *assignment, const char *name, GHashTable *files,
                          GError **error)
{
    return name == NULL || g_hash_table_contains(files, name) ||
           add_published(assignment, name, files, error);
}

/* What the run of a whole program reads. */
static gboolean add_run_files(const WsAssignment *assignment, const WsProgramRun *run,
                              GHashTable *files, GError **error)
{
    for (char **name = run->files; *name != NULL; name++)
        if (!add_named(assignment, *name, files, error))
            return FALSE;
    return add_named(assignment, run->input_file, files, error) &&
           add_named(assignment, run->output_file, files, error);
}

/* Files that the tests of students name, whether they are published or not. */
static gboolean add_tests(const WsAssignment *assignment, GHashTable *files, GError **error)
{
    for (guint i = 0; i < assignment->tests->len; i++) {
        const WsTest *test = ws_assignment_test(assignment, i);
        if (test->hidden)
            continue;
        if (!add_named(assignment, test->launch, files, error) ||
            !add_named(assignment, test->program, files, error) ||
            (test->run != NULL && !add_run_files(assignment, test->run, files, error)))
            return FALSE;
    }
    return TRUE;
}

/* What is no archive fails here, and not on a service. */
static gboolean add_tarball(GHashTable *files, const char *path, const char *name, GError **error)
{
    static const char magic[] = {'\xfd', '7', 'z', 'X', 'Z', '\0'};
    gsize length;
    if (path == NULL)
        return TRUE;
    if (!ws_file_set_add(files, path, name, error))
        return FALSE;
    GBytes *bytes = g_hash_table_lookup(files, name);
    const char *data = bytes != NULL ? g_bytes_get_data(bytes, &length) : NULL;
    if (data != NULL && length > sizeof magic && memcmp(data, magic, sizeof magic) == 0)
        return TRUE;
    ws_set_error_at(error, WS_ERROR_INPUT, &(WsPosition){.file = path},
                    "is not a tarball that ./make-release has made (.tar.xz)");
    return FALSE;
}

static GHashTable *student_files(const WsAssignment *assignment, WsGrader *grader,
                                 const WsPackOptions *options, GError **error)
{
    g_autofree char *workflow = ws_classroom_workflow(options->classroom, options->warpstep,
                                                      options->tarball != NULL, error);
    if (workflow == NULL)
        return NULL;
    g_autoptr(GHashTable) files = ws_file_set_new();
    if (assignment->starter != NULL) {
        g_autofree char *path = ws_assignment_path(assignment, assignment->starter);
        if (!check_published(assignment, assignment->starter, error) ||
            !ws_file_set_add(files, path, "", error))
            return NULL;
    }
    if (assignment->handout != NULL &&
        !add_published(assignment, assignment->handout, files, error))
        return NULL;
    for (guint i = 0; assignment->published[i] != NULL; i++)
        if (!add_published(assignment, assignment->published[i], files, error))
            return NULL;
    if (!add_tests(assignment, files, error) ||
        !ws_pack_assignment_file(assignment, grader, files, error) ||
        !add_tarball(files, options->tarball, WS_CLASSROOM_TARBALL, error))
        return NULL;
    ws_file_set_add_text(files, ".github/workflows/classroom.yml", workflow);
    return g_steal_pointer(&files);
}

/* ---- programs that are carried compiled ------------------------------------------------------
 */

/* Two folders: what students get has nothing of the reference. */
typedef struct {
    WsTemporaryFolder *folder;
    char *of_students, *of_all;
} Carried;

static void carried_clear(Carried *carried)
{
    g_clear_pointer(&carried->folder, ws_temporary_folder_free);
    g_free(carried->of_students);
    g_free(carried->of_all);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Carried, carried_clear)

/* What the tests of students run: the starter, and programs of the assignment. */
static void carry_for_students(const WsAssignment *assignment, const WsPackOptions *options,
                               const char *folder)
{
    g_autoptr(WsGrader) grader = ws_grader_new(assignment, options->cache);
    g_autofree char *starter =
        assignment->starter != NULL ? ws_assignment_path(assignment, assignment->starter) : NULL;
    ws_own_runs_carry_to(ws_grader_runs(grader), folder);
    for (guint i = 0; i < assignment->tests->len; i++) {
        const WsTest *test = ws_assignment_test(assignment, i);
        if (test->hidden)
            continue;
        if (ws_test_is_own(test))
            ws_own_runs_own(ws_grader_runs(grader), i, WS_PACKED_STUDENT);
        else if (starter != NULL)
            ws_trial_free(ws_own_runs_try(ws_grader_runs(grader), starter, i, WS_PACKED_STUDENT));
    }
}

/* All that the grader runs of the assignment's own. */
static void carry_all(const WsAssignment *assignment, WsGrader *grader)
{
    for (guint i = 0; i < assignment->tests->len; i++) {
        if (ws_test_is_own(ws_assignment_test(assignment, i)))
            ws_own_runs_own(ws_grader_runs(grader), i, WS_PACKED_STUDENT);
        else
            ws_own_runs_reference(ws_grader_runs(grader), i, WS_PACKED_STUDENT);
    }
}

static gboolean begin_carrying(const WsPackOptions *options, WsGrader *grader, Carried *ret,
                               GError **error)
{
    if (!options->compiled)
        return TRUE;
    ret->folder = ws_temporary_folder_new(error);
    if (ret->folder == NULL)
        return FALSE;
    const char *path = ws_temporary_folder_path(ret->folder);
    ret->of_students = g_build_filename(path, "students", NULL);
    ret->of_all = g_build_filename(path, "all", NULL);
    ws_own_runs_carry_to(ws_grader_runs(grader), ret->of_all);
    return TRUE;
}

/* Nothing, where no program compiles: then each grader says why. */
static gboolean add_carried(GHashTable *files, const char *folder, const char *name, GError **error)
{
    return folder == NULL || !g_file_test(folder, G_FILE_TEST_IS_DIR) ||
           ws_file_set_add(files, folder, name, error);
}

/* ---- what is written ---------------------------------------------------------------------------
 */

static gboolean write_gradescope(const WsAssignment *assignment, const char *folder,
                                 const WsPackOptions *options, const Carried *carried,
                                 GError **error)
{
    const char *source = options->source;
    static const char *const programs[] = {"setup.sh", "run_autograder", "warpstep/isa/embed.py",
                                           NULL};
    g_autoptr(GHashTable) files = ws_file_set_new();
    if (!ws_file_set_add(files, assignment->folder, "assignment", error) ||
        !add_carried(files, carried->of_students, "assignment/" WS_CARRIED_FOLDER, error) ||
        !add_carried(files, carried->of_all, "assignment/" WS_CARRIED_FOLDER, error) ||
        !add_tarball(files, options->tarball, WS_GRADESCOPE_TARBALL, error) ||
        (source != NULL && !ws_file_set_add(files, source, WS_PACKED_SOURCE, error)))
        return FALSE;
    if (source != NULL) { /* the list of packages; else names with a dot are left out */
        g_autofree char *setup = g_build_filename(source, ".ci", "setup.sh", NULL);
        if (!ws_file_set_add(files, setup, WS_PACKED_SOURCE "/.ci/setup.sh", error))
            return FALSE;
    }
    ws_file_set_add_text(files, "setup.sh", ws_gradescope_setup);
    ws_file_set_add_text(files, "run_autograder", ws_gradescope_run);
    g_autoptr(GBytes) zip = ws_file_set_zip(files, programs);
    g_autoptr(GHashTable) archive = ws_file_set_new();
    g_hash_table_insert(archive, g_strdup("gradescope.zip"), g_bytes_ref(zip));
    return ws_file_set_write(archive, folder, error);
}

static gboolean check_folder(const char *folder, GError **error)
{
    WsPosition position = {.file = folder};
    g_autoptr(GDir) directory = g_dir_open(folder, 0, NULL);
    if (directory != NULL && g_dir_read_name(directory) != NULL)
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "is not empty");
    else if (directory == NULL && g_mkdir_with_parents(folder, 0777) != 0)
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "cannot be made");
    else
        return TRUE;
    return FALSE;
}

gboolean ws_assignment_pack(const WsAssignment *assignment, const char *folder,
                            const WsPackOptions *options, GError **error)
{
    g_autoptr(WsGrader) grader = ws_grader_new(assignment, options->cache);
    g_auto(Carried) carried = {0};
    if (!begin_carrying(options, grader, &carried, error))
        return FALSE;
    g_autoptr(GHashTable) files = student_files(assignment, grader, options, error);
    if (files == NULL)
        return FALSE;
    if (options->compiled) {
        carry_for_students(assignment, options, carried.of_students);
        carry_all(assignment, grader);
    }
    if (!add_carried(files, carried.of_students, WS_CARRIED_FOLDER, error) ||
        !check_folder(folder, error))
        return FALSE;
    g_autofree char *student = g_build_filename(folder, "student", NULL);
    return ws_file_set_write(files, student, error) &&
           write_gradescope(assignment, folder, options, &carried, error);
}
