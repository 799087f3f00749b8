/* How trials end: whose fault it is that a test does not run. */
#include <string.h>

#include "grade/trial/trial.h"
#include "tests/grade/lab.h"

static const struct {
    const char *what;
    const char *from, *to; /* of the launch file, or NULL */
    const char *program;   /* instead of the right one, or NULL */
    WsTrialState state;
    const char *message; /* or how the run ended */
} cases[] = {
    {"all is right", NULL, NULL, NULL, WS_TRIAL_RAN, "ok"},
    {"the program is no program", NULL, NULL, "NOPE ;\n", WS_TRIAL_REFUSED,
     "scale.wsasm:1:1: error: this is outside a kernel: .kernel NAME first"},
    {"the program has another kernel", NULL, NULL, ".kernel other\nEXIT ;\n", WS_TRIAL_MISFIT,
     "public/launch.yaml:8:9: error: the program has no kernel 'scale' (kernels: other)"},
    {"the launch file wants another kernel", "kernel: scale", "kernel: scales", NULL,
     WS_TRIAL_MISFIT, "the program has no kernel 'scales'; did you mean 'scale'?"},
    {"there is no such device", "device: textbook", "device: text", NULL, WS_TRIAL_BROKEN,
     "public/launch.yaml:3:9: error: no device is called 'text'"},
    {"the launch file has a key too many", "block: 64", "block: 64\nblocks: 3", NULL,
     WS_TRIAL_BROKEN, "blocks"},
    {"the launch file has no version", "version: 1\n", "", NULL, WS_TRIAL_BROKEN, "version"},
    {"the program never ends", NULL, NULL,
     ".kernel scale\n.param u64 out\n.param u64 in\n.param u32 n\nS2R R0, SR_TID.X ;\n"
     "loop: ISETP.GE.U32 P0, R0, 1000 ;\n@!P0 BRA loop ;\nEXIT ;\n",
     WS_TRIAL_RAN, "livelock"},
};

START_TEST(ends)
{
    g_autofree char *lab = lab_path("lab"), *scratch = lab_scratch(), *text = NULL;
    g_autofree char *launch = g_build_filename(scratch, "public", "launch.yaml", NULL);
    g_autofree char *handed_in = g_build_filename(scratch, "reference", NULL);
    g_autofree char *program = g_build_filename(handed_in, "scale.wsasm", NULL);
    GError *error = NULL;

    lab_copy(lab, scratch);
    g_autoptr(WsAssignment) assignment = ws_assignment_load(scratch, &error);
    ck_assert_msg(assignment != NULL, "%s", error ? error->message : "");
    if (cases[_i].from != NULL) {
        ck_assert(g_file_get_contents(launch, &text, NULL, NULL));
        ck_assert(strstr(text, cases[_i].from) != NULL);
        g_autofree char *changed = golden_text_replace(text, cases[_i].from, cases[_i].to);
        ck_assert(g_file_set_contents(launch, changed, -1, NULL));
    }
    if (cases[_i].program != NULL)
        ck_assert(g_file_set_contents(program, cases[_i].program, -1, NULL));
    const guint open = 0;
    g_autoptr(GArray) tests = g_array_new(FALSE, FALSE, sizeof(guint));
    g_array_append_val(tests, open);
    WsTrial *trials[5] = {NULL};
    const WsSubject subject = {.assignment = assignment,
                               .folder = handed_in,
                               .program = assignment->program,
                               .student = "ann"};
    ws_trials_run(&subject, tests, trials);
    const char *told =
        trials[0]->state == WS_TRIAL_RAN ? ws_trial_status(trials[0]) : trials[0]->message;
    ck_assert_msg(trials[0]->state == cases[_i].state, "%s: state %d, %s", cases[_i].what,
                  (int)trials[0]->state, told);
    ck_assert_msg(strstr(told, cases[_i].message) != NULL, "%s: %s", cases[_i].what, told);
    ck_assert_msg(strstr(told, scratch) == NULL, "%s: %s", cases[_i].what, told);
    ws_trial_free(trials[0]);
    lab_remove(scratch);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_loop_test(tests, ends, 0, G_N_ELEMENTS(cases));
}

int main(void)
{
    return run_suite("trials", add_tests);
}
