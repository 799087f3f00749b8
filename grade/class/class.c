#include "grade/class/class.h"

#include "grade/class/class_tables.h"
#include "grade/class/folder_digest.h"
#include "grade/export/grade_format.h"
#include "grade/judge/grader.h"
#include "isa/base/write_all.h"
#include "isa/cuda/compiler_name.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char key_file[] = ".graded"; /* what a result was made from */
enum { FILE_MODE = 0666 };
static const char grades_file[] = "grades.csv", leaderboard_file[] = "leaderboard.html";

typedef struct {
    char *name;
    char *results;   /* the folder of its results, beside the tables */
    char *key;       /* NULL: to be graded in any case */
    char *drawn_for; /* who has the same numbers */
    pid_t process;
} Submission;

typedef struct {
    const WsAssignment *assignment;
    const WsClassOptions *options;
    WsGrader *grader;
    GPtrArray *submissions; /* of Submission, by name */
    char *common_digest;    /* of the assignment and of this program */
    char *compiler;         /* that there is here, or NULL */
    guint done, total;
    WsClassResult *counts;
} Class;

static void submission_free(gpointer data)
{
    Submission *submission = data;
    g_free(submission->name);
    g_free(submission->results);
    g_free(submission->key);
    g_free(submission->drawn_for);
    g_free(submission);
}

static gboolean fail(GError **error, const char *path, const char *what)
{
    g_autofree char *shown = ws_printable(path);
    WsPosition position = {.file = shown};
    ws_set_error_at(error, WS_ERROR_INPUT, &position, "%s", what);
    return FALSE;
}

static char *result_path(const Class *all, const Submission *submission, const char *file)
{
    return g_build_filename(all->options->output, submission->results, file, NULL);
}

/* ---- who there is -----------------------------------------------------------------------------
 */

static gint by_name(gconstpointer a, gconstpointer b)
{
    return strcmp((*(Submission *const *)a)->name, (*(Submission *const *)b)->name);
}

/* Its name; with a dash behind it where that, but for dashes, is the name of a table. */
static char *results_folder(const char *name)
{
    const char *const tables[] = {grades_file, leaderboard_file};
    for (guint i = 0; i < G_N_ELEMENTS(tables); i++)
        if (g_str_has_prefix(name, tables[i]) &&
            name[strlen(tables[i]) + strspn(name + strlen(tables[i]), "-")] == '\0')
            return g_strconcat(name, "-", NULL);
    return g_strdup(name);
}

static gint by_numbers(gconstpointer a, gconstpointer b)
{
    const Submission *x = *(Submission *const *)a, *y = *(Submission *const *)b;
    gint order = strcmp(x->drawn_for, y->drawn_for);
    return order != 0 ? order : strcmp(x->name, y->name);
}

/* Folders, not links to them: their names are whose they are. */
static gboolean find_submissions(Class *all, GError **error)
{
    const char *folder = all->options->submissions, *name;
    g_autoptr(GDir) directory = g_dir_open(folder, 0, NULL);
    if (directory == NULL)
        return fail(error, folder, "cannot be read as a folder of submissions");
    while ((name = g_dir_read_name(directory)) != NULL) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        struct stat status;
        if (name[0] == '.' || !g_utf8_validate(name, -1, NULL) || lstat(path, &status) != 0 ||
            !S_ISDIR(status.st_mode))
            continue;
        Submission *submission = g_new0(Submission, 1);
        submission->name = g_strdup(name);
        submission->results = results_folder(name);
        submission->drawn_for = ws_assignment_drawn_for(all->assignment, name);
        g_ptr_array_add(all->submissions, submission);
    }
    g_ptr_array_sort(all->submissions, by_name);
    if (all->submissions->len == 0)
        return fail(error, folder, "there are no folders in it, so there are no submissions");
    return TRUE;
}

static gint64 submitted_at(const WsClassOptions *options, const char *name)
{
    const gint64 *time =
        options->submitted == NULL ? NULL : g_hash_table_lookup(options->submitted, name);
    return time == NULL ? G_MININT64 : *time;
}

/* A hash of all that decides the result. */
static char *make_key(const Class *all, const Submission *submission)
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    g_autofree char *folder = g_build_filename(all->options->submissions, submission->name, NULL);
    g_autofree char *head = g_strdup_printf(
        "%s\n%s\n%s\n%s\n%" G_GINT64_FORMAT "\n%d\n%d\n%u\n", WS_VERSION, all->common_digest,
        all->compiler != NULL ? all->compiler : "", submission->name,
        submitted_at(all->options, submission->name), all->options->reveal, all->options->pages,
        ws_grader_protection(all->grader));
    g_checksum_update(sum, (const guchar *)head, -1);
    return ws_folder_digest(folder, sum) ? g_strdup(g_checksum_get_string(sum)) : NULL;
}

static gboolean is_graded(const Class *all, const Submission *submission)
{
    g_autofree char *path = result_path(all, submission, key_file);
    g_autofree char *key = NULL;
    return submission->key != NULL && g_file_get_contents(path, &key, NULL, NULL) &&
           strcmp(key, submission->key) == 0;
}

/* ---- grading ----------------------------------------------------------------------------------
 */

static gboolean write_file(const char *path, const char *text)
{
    return ws_write_renamed(path, FILE_MODE, text, strlen(text));
}

/* In a process of its own, the only one for this folder. The key comes last: what has one is whole.
 */
static gboolean grade_one(const Class *all, const Submission *submission)
{
    g_autofree char *folder = g_build_filename(all->options->submissions, submission->name, NULL);
    g_autofree char *results = result_path(all, submission, NULL);
    g_autofree char *key = result_path(all, submission, key_file);
    const WsGradeOptions options = {.student = submission->name,
                                    .submitted = submitted_at(all->options, submission->name),
                                    .reveal = all->options->reveal,
                                    .pages = all->options->pages};
    unlink(key);
    ws_remove_unfinished(results, 0);
    g_autoptr(WsGrade) grade = ws_grader_grade(all->grader, folder, &options, NULL);
    if (grade == NULL || g_mkdir_with_parents(results, 0777) != 0)
        return FALSE;
    for (guint i = 0; ws_grade_formats[i] != NULL; i++) {
        g_autofree char *path = result_path(all, submission, ws_grade_formats[i]->file);
        g_autofree char *text = ws_grade_formats[i]->write(grade);
        if (!write_file(path, text))
            return FALSE;
    }
    return grade->error != NULL || submission->key == NULL || write_file(key, submission->key);
}

/*
 * Runs that several look at are made before their processes: for the first one those of tests
 * without drawn numbers, and for each one those with numbers that others have, too. Where each
 * student has others, each process makes its own.
 */
static gboolean prepare(const Class *all, const Submission *submission, gboolean first,
                        GError **error)
{
    return (!first && all->assignment->variants == 0) ||
           ws_grader_prepare(all->grader, submission->name, error);
}

static gboolean start(const Class *all, Submission *submission, GError **error)
{
    pid_t parent = getpid();
    submission->process = fork();
    if (submission->process < 0)
        return fail(error, all->options->output, "no process can be started");
    if (submission->process > 0)
        return TRUE;
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    _exit(getppid() == parent && grade_one(all, submission) ? 0 : 1);
}

static JsonNode *read_result(const Class *all, const Submission *submission)
{
    g_autofree char *path = result_path(all, submission, "result.json");
    g_autoptr(JsonParser) parser = json_parser_new();
    if (!json_parser_load_from_file(parser, path, NULL))
        return NULL;
    JsonNode *root = json_parser_steal_root(parser);
    if (root != NULL && JSON_NODE_HOLDS_OBJECT(root))
        return root;
    g_clear_pointer(&root, json_node_unref);
    return NULL;
}

/* "12 of 20 points", "the grader failed". */
static char *result_words(const Class *all, const Submission *submission)
{
    g_autoptr(JsonNode) node = read_result(all, submission);
    JsonObject *result = node == NULL ? NULL : json_node_get_object(node);
    if (result == NULL || json_object_get_null_member(result, "total"))
        return g_strdup("the grader failed");
    return g_strdup_printf("%g of %g points", json_object_get_double_member(result, "total"),
                           json_object_get_double_member(result, "max_score"));
}

static void finish_one(Class *all, Submission *submission, gboolean good)
{
    all->done++;
    all->counts->graded++;
    if (!good) { /* an old result is not this one's */
        g_autofree char *path = result_path(all, submission, "result.json");
        unlink(path);
    }
    g_autofree char *words = result_words(all, submission);
    if (all->options->progress != NULL)
        all->options->progress(all->options->progress_data, all->done, all->total, submission->name,
                               words);
}

/* Waits for one of the processes. */
static gboolean wait_for_one(Class *all)
{
    int status;
    pid_t ended = waitpid(-1, &status, 0);
    if (ended < 0)
        return errno == EINTR;
    for (guint i = 0; i < all->submissions->len; i++) {
        Submission *submission = all->submissions->pdata[i];
        if (submission->process == ended) {
            submission->process = 0;
            finish_one(all, submission, status == 0);
            return TRUE;
        }
    }
    return TRUE;
}

static gboolean is_in_shard(const WsClassOptions *options, guint place)
{
    return options->shards == 0 || place % options->shards == options->shard;
}

static gboolean grade_missing(Class *all, GError **error)
{
    g_autoptr(GPtrArray) missing = g_ptr_array_new();
    for (guint i = 0; i < all->submissions->len; i++) {
        Submission *submission = all->submissions->pdata[i];
        if (!is_in_shard(all->options, i))
            continue;
        all->total++;
        submission->key = make_key(all, submission);
        if (is_graded(all, submission))
            all->counts->kept++;
        else
            g_ptr_array_add(missing, submission);
    }
    all->done = all->counts->kept;
    g_ptr_array_sort(missing, by_numbers);
    guint running = 0, jobs = MAX(all->options->jobs, 1);
    for (guint next = 0; next < missing->len || running > 0;) {
        if (next < missing->len && running < jobs) {
            Submission *submission = missing->pdata[next++];
            if (!prepare(all, submission, next == 1, error) || !start(all, submission, error))
                return FALSE;
            running++;
        } else if (wait_for_one(all)) {
            running--;
        } else {
            return fail(error, all->options->output, "the processes cannot be waited for");
        }
    }
    return TRUE;
}

/* Another build may give other figures under the same version. */
static void add_program(GChecksum *sum)
{
    g_autoptr(GMappedFile) program = g_mapped_file_new("/proc/self/exe", FALSE, NULL);
    if (program != NULL)
        g_checksum_update(sum, (const guchar *)g_mapped_file_get_contents(program),
                          (gssize)g_mapped_file_get_length(program));
}

/* ---- for all ----------------------------------------------------------------------------------
 */

static void node_free(gpointer node)
{
    if (node != NULL)
        json_node_unref(node);
}

static gboolean write_table(const Class *all, const char *name, char *text, GError **error)
{
    g_autofree char *path = g_build_filename(all->options->output, name, NULL);
    gboolean done = write_file(path, text);
    g_free(text);
    return done || fail(error, path, "cannot be written");
}

static gboolean write_tables(Class *all, GError **error)
{
    ws_remove_unfinished(all->options->output, WS_UNFINISHED_SECONDS);
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    g_autoptr(GPtrArray) results = g_ptr_array_new_with_free_func(node_free);
    for (guint i = 0; i < all->submissions->len; i++) {
        Submission *submission = all->submissions->pdata[i];
        JsonNode *result = read_result(all, submission);
        gboolean broken =
            result == NULL || !json_object_get_null_member(json_node_get_object(result), "error");
        all->counts->errors += broken && is_in_shard(all->options, i);
        g_ptr_array_add(names, submission->name);
        g_ptr_array_add(results, result);
    }
    all->counts->compilers = ws_class_compilers(results);
    return write_table(all, grades_file, ws_class_csv(all->assignment, names, results), error) &&
           (all->assignment->rankings->len == 0 ||
            write_table(all, leaderboard_file,
                        ws_class_leaderboard(all->assignment, names, results), error));
}

gboolean ws_class_grade(const WsAssignment *assignment, const WsClassOptions *options,
                        WsClassResult *ret, GError **error)
{
    g_autoptr(WsGrader) grader = ws_grader_new(assignment, options->cache);
    g_autoptr(GPtrArray) submissions = g_ptr_array_new_with_free_func(submission_free);
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    *ret = (WsClassResult){0};
    add_program(sum);
    if (!ws_folder_digest(assignment->folder, sum))
        return fail(error, assignment->folder, "the assignment has too many files, or too large");
    Class all = {.assignment = assignment,
                 .options = options,
                 .grader = grader,
                 .submissions = submissions,
                 .common_digest = g_strdup(g_checksum_get_string(sum)),
                 .compiler = ws_cuda_find_compiler(),
                 .counts = ret};
    ret->protection = ws_grader_protection(grader);
    gboolean done = find_submissions(&all, error);
    if (done && g_mkdir_with_parents(options->output, 0777) != 0)
        done = fail(error, options->output, "cannot be made");
    done = done && grade_missing(&all, error) && write_tables(&all, error);
    g_free(all.common_digest);
    g_free(all.compiler);
    return done;
}

GHashTable *ws_class_read_times(const char *path, GError **error)
{
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL)) {
        fail(error, path, "cannot be read");
        return NULL;
    }
    g_autoptr(GHashTable) times = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++) {
        g_auto(GStrv) cells = g_strsplit(g_strstrip(lines[i]), ",", -1);
        gint64 time;
        if (lines[i][0] == '\0' || (i == 0 && g_strcmp0(cells[0], "student") == 0))
            continue;
        if (g_strv_length(cells) != 2 || !ws_time_parse(g_strstrip(cells[1]), &time)) {
            WsPosition position = {.file = path, .line = i + 1};
            ws_set_error_at(error, WS_ERROR_INPUT, &position,
                            "a student and a time are expected: ann,2026-10-01T22:00:00Z");
            return NULL;
        }
        g_hash_table_insert(times, g_strdup(g_strstrip(cells[0])), g_memdup2(&time, sizeof time));
    }
    return g_steal_pointer(&times);
}
