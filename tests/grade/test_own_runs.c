/* Runs of the assignment's own: made once, and anew for other numbers; what compiled what. */
#include "grade/judge/own_runs.h"
#include "tests/grade/lab.h"

/* A student with other numbers than the one with number `than`. */
static char *other_student(const WsAssignment *assignment, const char *than)
{
    g_autofree char *theirs = ws_assignment_drawn_for(assignment, than);

    for (guint i = 0;; i++) {
        g_autofree char *name = g_strdup_printf("student%u", i);
        g_autofree char *own = ws_assignment_drawn_for(assignment, name);
        if (g_strcmp0(own, theirs) != 0)
            return g_steal_pointer(&name);
    }
}

static GBytes *first_buffer(const WsTrial *trial)
{
    return g_bytes_ref(g_ptr_array_index(trial->memory, 0));
}

enum { OPEN, SECRET, OWN = 4, TESTS }; /* of the assignment */

/* In whichever way they are asked for. */
START_TEST(numbers_of_another_student)
{
    const gboolean references[TESTS] = {[OPEN] = TRUE, [SECRET] = TRUE},
                   own[TESTS] = {[OWN] = TRUE};
    g_autoptr(WsAssignment) assignment = lab_load();
    g_autofree char *bob = other_student(assignment, "ann");
    WsOwnRuns *runs = ws_own_runs_new(assignment, NULL);

    ws_own_runs_make(runs, own, references, "ann");
    const WsTrial *open = runs->references[OPEN], *given = runs->own[OWN];
    g_autoptr(GBytes) first = first_buffer(runs->references[SECRET]);
    ws_own_runs_make(runs, own, references, "ann");
    g_autoptr(GBytes) kept = first_buffer(runs->references[SECRET]);
    ck_assert_ptr_eq(kept, first);

    ws_own_runs_make(runs, own, references, bob);
    g_autoptr(GBytes) second = first_buffer(runs->references[SECRET]);
    ck_assert(!g_bytes_equal(first, second));
    ck_assert_ptr_eq(runs->references[OPEN], open);
    ck_assert_ptr_eq(ws_own_runs_own(runs, OWN, bob), given);

    g_autoptr(GBytes) again = first_buffer(ws_own_runs_reference(runs, SECRET, "ann"));
    ck_assert(g_bytes_equal(first, again));
    ck_assert_ptr_eq(ws_own_runs_known(runs, SECRET), runs->references[SECRET]);
    ck_assert_ptr_eq(ws_own_runs_known(runs, OWN), given);
    ws_own_runs_free(runs);
}
END_TEST

static gint64 drawn_seed(const WsTrial *trial)
{
    JsonObject *let = json_object_get_object_member(ws_trial_run_object(trial), "let");
    return json_object_get_int_member(let, "seed");
}

/* The same of the assignment's own program. */
START_TEST(own_programs_with_numbers)
{
    g_autofree char *lab = lab_path("lab"), *scratch = lab_scratch(), *text = NULL;
    g_autofree char *path = g_build_filename(scratch, "assignment.yaml", NULL);
    GError *error = NULL;

    lab_copy(lab, scratch);
    ck_assert(g_file_get_contents(path, &text, NULL, NULL));
    g_autofree char *changed =
        golden_text_replace(text, "with: {n: 64}}", "draw: {seed: [1, 1000]}}");
    ck_assert(g_file_set_contents(path, changed, -1, NULL));
    g_autoptr(WsAssignment) assignment = ws_assignment_load(scratch, &error);
    ck_assert_msg(assignment != NULL, "%s", error ? error->message : "");
    g_autofree char *bob = other_student(assignment, "ann");
    WsOwnRuns *runs = ws_own_runs_new(assignment, NULL);
    gint64 first = drawn_seed(ws_own_runs_own(runs, OWN, "ann"));
    ck_assert_int_ne(drawn_seed(ws_own_runs_own(runs, OWN, bob)), first);
    ck_assert_int_eq(drawn_seed(ws_own_runs_own(runs, OWN, "ann")), first);
    ws_own_runs_free(runs);
    lab_remove(scratch);
}
END_TEST

/* Those that are asked for, and no other. */
START_TEST(runs_that_are_wanted)
{
    const gboolean none[TESTS] = {FALSE}, references[TESTS] = {[SECRET] = TRUE};
    g_autoptr(WsAssignment) assignment = lab_load();
    WsOwnRuns *runs = ws_own_runs_new(assignment, NULL);

    ws_own_runs_make(runs, none, references, "ann");
    for (guint i = 0; i < TESTS; i++) {
        ck_assert_msg((runs->references[i] != NULL) == (i == SECRET), "%u", i);
        ck_assert_ptr_null(runs->own[i]);
    }
    ws_own_runs_free(runs);
}
END_TEST

static const struct {
    const char *source;  /* handed in */
    const char *numbers; /* what the assignment's numbers come from, or NULL */
    gboolean named;      /* what compiled what is handed in */
    const char *own;     /* NULL: what compiled the reference */
} compiled[] = {
    {NULL, NULL, TRUE, NULL},
    {NULL, "another clang", TRUE, "another clang"},
    {"this is no CUDA C", NULL, FALSE, NULL},
    {"this is no CUDA C", "another clang", FALSE, NULL},
};

/* The grade names what compiled what is handed in, if it compiles, and the assignment's own. */
START_TEST(compilers)
{
    const WsGradeOptions options = {.student = "ann", .submitted = G_MININT64, .check = "right"};
    g_autofree char *lab = lab_path("sums"), *scratch = lab_scratch();
    g_autofree char *handed_in = g_build_filename(scratch, "reference", NULL);
    g_autofree char *bad = g_build_filename(scratch, "bad", NULL);
    g_autofree char *bad_path = g_build_filename(bad, "sums.cu", NULL);
    GError *error = NULL;

    lab_copy(lab, scratch);
    g_mkdir(bad, 0700);
    g_autoptr(WsAssignment) assignment = ws_assignment_load(scratch, &error);
    g_autoptr(WsGrader) grader = ws_grader_new(assignment, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(compiled); i++) {
        if (compiled[i].source != NULL)
            ck_assert(g_file_set_contents(bad_path, compiled[i].source, -1, NULL));
        g_free(assignment->compiler);
        assignment->compiler = g_strdup(compiled[i].numbers);
        g_autoptr(WsGrade) of =
            ws_grader_grade(grader, compiled[i].source ? bad : handed_in, &options, &error);
        const char *reference = ws_trial_compiler(ws_own_runs_known(ws_grader_runs(grader), OPEN));
        ck_assert_ptr_nonnull(reference);
        ck_assert_msg(g_strcmp0(of->compiler, compiled[i].named ? reference : NULL) == 0,
                      "row %u: %s", i, of->compiler);
        const char *own = compiled[i].own ? compiled[i].own : reference;
        ck_assert_msg(g_strcmp0(of->own_compiler, own) == 0, "row %u: %s", i, of->own_compiler);
    }
    lab_remove(scratch);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, numbers_of_another_student);
    tcase_add_test(cases, own_programs_with_numbers);
    tcase_add_test(cases, runs_that_are_wanted);
    tcase_add_test(cases, compilers);
}

int main(void)
{
    return run_suite("own_runs", add_tests);
}
