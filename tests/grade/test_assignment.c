/* What an assignment says, what is drawn for students, and each way in which it may be wrong. */
#include <string.h>

#include "tests/grade/lab.h"

static void append_list(GString *out, const char *what, char *const *list)
{
    g_string_append_printf(out, " %s", what);
    for (guint i = 0; list != NULL && list[i] != NULL; i++)
        g_string_append_printf(out, "%c%s", i == 0 ? '=' : ',', list[i]);
}

static void append_test(GString *out, const WsAssignment *assignment, guint index)
{
    const WsTest *test = ws_assignment_test(assignment, index);

    g_string_append_printf(
        out,
        "test %s: launch %s, program %s, hidden %d, figures %d, cycles %" G_GUINT64_FORMAT
        ", seconds %g, memory %" G_GUINT64_FORMAT ", compile %" G_GUINT64_FORMAT
        ", shown by %d, looked for %x, own %d, compares %d, drawn %d, shown test %d,",
        test->name, test->launch, test->program ? test->program : "-", test->hidden,
        test->figures_shown, test->limits.cycles, test->limits.seconds, test->limits.memory,
        test->limits.compile_seconds, test->shown_by, test->looked_for, ws_test_is_own(test),
        ws_test_compares(test), ws_test_is_drawn(test),
        ws_assignment_shown_test(assignment, index));
    append_list(out, "values", test->values);
    for (guint i = 0; test->draws != NULL && i < test->draws->len; i++) {
        const WsDraw *draw = &g_array_index(test->draws, WsDraw, i);
        g_string_append_printf(out,
                               " draw %s any %d %" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT
                               "/%" G_GUINT64_FORMAT " shared %d",
                               draw->name, draw->is_any, draw->least, draw->most, draw->step,
                               draw->is_shared);
    }
    for (guint i = 0; test->comparisons != NULL && i < test->comparisons->len; i++) {
        const WsComparison *of = &g_array_index(test->comparisons, WsComparison, i);
        g_string_append_printf(out, " compare %s %g %g %d", of->buffer, of->relative, of->absolute,
                               of->equal_nan);
    }
    g_string_append_c(out, '\n');
}

static void append_rule(GString *out, const WsAssignment *assignment, guint index)
{
    const WsRule *rule = ws_assignment_rule(assignment, index);

    g_string_append_printf(out, "check %s (%s): kind %d, test %d, points %g, help %s, credit %d,",
                           rule->name, rule->description, (int)rule->kind, rule->test, rule->points,
                           rule->help ? rule->help : "-", (int)rule->credit);
    for (guint i = 0; rule->needs != NULL && i < rule->needs->len; i++)
        g_string_append_printf(out, " needs %u", g_array_index(rule->needs, guint, i));
    for (guint i = 0; rule->gates != NULL && i < rule->gates->len; i++)
        g_string_append_printf(out, " gate %g", g_array_index(rule->gates, WsGate, i).points);
    append_list(out, "use", rule->use);
    append_list(out, "avoid", rule->avoid);
    append_list(out, "words", rule->use_words);
    append_list(out, "not", rule->avoid_words);
    g_string_append_printf(out, " answer %s, %g %g", rule->answer ? rule->answer : "-",
                           rule->relative, rule->absolute);
    for (guint i = 0; rule->choices != NULL && i < rule->choices->len; i++)
        g_string_append_printf(out, " choice %s", g_array_index(rule->choices, WsChoice, i).answer);
    g_string_append_c(out, '\n');
}

START_TEST(reads)
{
    g_autoptr(WsAssignment) assignment = lab_load();
    g_autoptr(GString) out = g_string_new(NULL);

    g_string_append_printf(out,
                           "%s: program %s, answers %s, reference %s, starter %s, handout %s, "
                           "seed %" G_GINT64_FORMAT ", variants %u, fixed %d, due %" G_GINT64_FORMAT
                           ", points %g, policy %d,",
                           assignment->title, assignment->program, assignment->answers,
                           assignment->reference, assignment->starter, assignment->handout,
                           assignment->seed, assignment->variants, assignment->accepts_fixed,
                           assignment->due, assignment->points,
                           ws_assignment_takes_policy(assignment));
    append_list(out, "publish", assignment->published);
    append_list(out, "no hints", assignment->no_hints);
    g_string_append_c(out, '\n');
    for (guint i = 0; i < assignment->tests->len; i++)
        append_test(out, assignment, i);
    for (guint i = 0; i < assignment->rules->len; i++)
        append_rule(out, assignment, i);
    for (guint i = 0; i < assignment->rankings->len; i++) {
        const WsRanking *ranking = assignment->rankings->pdata[i];
        g_string_append_printf(out, "ranking %s: test %u, ascending %d, needs %u\n", ranking->name,
                               ranking->test, ranking->ascending,
                               ranking->needs ? ranking->needs->len : 0);
    }
    g_autoptr(GArray) order = ws_assignment_order(assignment);
    for (guint i = 0; i < order->len; i++)
        g_string_append_printf(out, "%u ", g_array_index(order, guint, i));
    lab_check("assignment.txt", out->str, NULL);
    ck_assert_int_eq(ws_assignment_find_test(assignment, "checked"), 3);
    ck_assert_int_eq(ws_assignment_find_test(assignment, "check"), -1);
    ck_assert_int_eq(ws_assignment_find_rule(assignment, "word"), 10);
    ck_assert_int_eq(ws_assignment_find_rule(assignment, "words"), -1);
}
END_TEST

/* Of a whole program: what it is given, and what it must do. */
static void append_run(GString *out, const WsTest *test)
{
    const WsProgramRun *run = test->run;

    g_string_append_printf(
        out,
        "test %s: input %s, of file %s, compares %d, output %s, of file %s, "
        "numbers %d %g %g, exit code %u, device %s,",
        test->name, run->input ? run->input : "-", run->input_file ? run->input_file : "-",
        run->compares, run->output ? run->output : "-", run->output_file ? run->output_file : "-",
        run->numbers, run->relative, run->absolute, run->exit_code, run->device);
    append_list(out, "arguments", run->arguments);
    append_list(out, "files", run->files);
    append_list(out, "set", run->settings);
    for (guint i = 0; i < run->launches->len; i++) {
        const WsLaunchCount *count = &g_array_index(run->launches, WsLaunchCount, i);
        g_string_append_printf(out, " launches %s %" G_GUINT64_FORMAT, count->kernel, count->least);
    }
    for (guint i = 0; i < test->comparisons->len; i++) {
        const WsComparison *of = &g_array_index(test->comparisons, WsComparison, i);
        g_string_append_printf(out, " compare %s %u %u before %d %s %g", of->kernel, of->launch,
                               of->parameter, of->before, ws_type_name(of->type), of->relative);
    }
    g_string_append_c(out, '\n');
}

START_TEST(reads_runs_of_programs)
{
    g_autofree char *path = lab_path("program");
    g_autoptr(GString) out = g_string_new(NULL);
    GError *error = NULL;
    g_autoptr(WsAssignment) assignment = ws_assignment_load(path, &error);

    ck_assert_msg(assignment != NULL, "%s", error ? error->message : "");
    for (guint i = 0; i < assignment->tests->len; i++)
        append_run(out, ws_assignment_test(assignment, i));
    lab_check("assignment_programs.txt", out->str, NULL);
}
END_TEST

/* The same on every machine, within the range, on its steps; four variants for any number of
 * students. */
START_TEST(draws)
{
    g_autoptr(WsAssignment) assignment = lab_load();
    g_autoptr(GString) out = g_string_new(NULL);
    g_autoptr(GHashTable) variants = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    gboolean seen[3] = {FALSE};

    for (guint i = 0; i < 60; i++) {
        g_autofree char *student = g_strdup_printf("student%u", i);
        g_auto(GStrv) numbers =
            ws_assignment_draw(assignment, ws_assignment_test(assignment, 1), student);
        guint64 seed = g_ascii_strtoull(numbers[0] + strlen("seed="), NULL, 10);
        guint64 n = g_ascii_strtoull(numbers[1] + strlen("n="), NULL, 10);

        ck_assert(g_str_has_prefix(numbers[0], "seed=") && g_str_has_prefix(numbers[1], "n="));
        ck_assert(seed >= 1 && seed <= 1000 && n >= 64 && n <= 128 && n % 32 == 0);
        seen[(n - 64) / 32] = TRUE;
        if (i < 8)
            g_string_append_printf(out, "%s %s %s\n", student, numbers[0], numbers[1]);
        g_hash_table_add(variants, ws_assignment_drawn_for(assignment, student));
    }
    ck_assert_uint_eq(g_hash_table_size(variants), 4);
    assignment->variants = 0;
    for (guint i = 0; i < 60; i++) {
        g_autofree char *student = g_strdup_printf("student%u", i);
        g_auto(GStrv) numbers =
            ws_assignment_draw(assignment, ws_assignment_test(assignment, 1), student);
        seen[(g_ascii_strtoull(numbers[1] + 2, NULL, 10) - 64) / 32] = TRUE;
    }
    ck_assert(seen[0] && seen[1] && seen[2]);
    lab_check("assignment_draws.txt", out->str, NULL);
}
END_TEST

START_TEST(late)
{
    static const struct {
        double hours, factor;
    } rows[] = {{-1, 1}, {0, 1}, {0.001, 0.5}, {24, 0.5}, {24.001, 0.2}, {48, 0.2}, {48.001, 0}};
    g_autoptr(WsAssignment) assignment = lab_load();
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        char *text = NULL;
        gint64 at = assignment->due + (gint64)(rows[i].hours * 3600);
        double factor = ws_assignment_late_factor(assignment, at, &text);

        ck_assert_msg(factor == rows[i].factor, "%g hours: %g", rows[i].hours, factor);
        ck_assert((text == NULL) == (factor == 1));
        g_string_append_printf(out, "%g: %s\n", rows[i].hours, text ? text : "-");
        g_free(text);
    }
    char *text = NULL;
    ck_assert(ws_assignment_late_factor(assignment, G_MININT64, &text) == 1 && text == NULL);
    lab_check("assignment_late.txt", out->str, NULL);
}
END_TEST

START_TEST(texts)
{
    static char *const values[] = {(char *)"n=3", (char *)"name=x y", NULL};
    static const struct {
        const char *text, *filled;
    } fills[] = {{"{n}", "3"}, {"a{n}b{name}", "a3bx y"}, {"{m} {n", "{m} {n"}, {"{}", "{}"}};
    static const struct {
        const char *text;
        gint64 time; /* -1: none */
    } times[] = {{"1970-01-01T00:00:01Z", 1},
                 {"1970-01-01T01:00:00+01:00", 0},
                 {"2026-10-01T22:00:00Z", 1790892000},
                 {"2026-10-01", -1},
                 {"yesterday", -1}};

    for (guint i = 0; i < G_N_ELEMENTS(fills); i++) {
        g_autofree char *filled = ws_values_fill(fills[i].text, values);
        ck_assert_str_eq(filled, fills[i].filled);
    }
    for (guint i = 0; i < G_N_ELEMENTS(times); i++) {
        gint64 time = -1;
        ck_assert_msg(ws_time_parse(times[i].text, &time) == (times[i].time >= 0), "%s",
                      times[i].text);
        if (times[i].time >= 0)
            ck_assert_int_eq(time, times[i].time);
    }
}
END_TEST

/* One change of the assignment each, and what is said of it. */
typedef struct {
    const char *from, *to;
} Fault;

static const Fault faults[] = {
    {"version: 1", "version: 2"},
    {"title: Scaling\n", ""},
    {"program: scale.wsasm", "program: ../scale.wsasm"},
    {"program: scale.wsasm", "program: scale.txt"},
    {"reference: reference", "reference: referenc"},
    {"reference: reference\n", ""},
    {"seed: 99", "seed: x"},
    {"variants: 4", "variants: -1"},
    {"no_hints: [divergence]", "no_hints: [divergense]"},
    {"due: 2026-10-01T22:00:00Z", "due: tomorrow"},
    {"due: 2026-10-01T22:00:00Z\n", ""},
    {"hours: 48", "hours: 24"},
    {"percent: 50", "percent: 101"},
    {"hours: 24, percent: 50", "hours: 24"},
    {"cycles: 200000", "cycles: 0"},
    {"seconds: 5", "seconds: -1"},
    {"memory: 256M", "memory: 1K"},
    {"open: {launch: public/launch.yaml,", "open: {"},
    {"{buffer: out}", "{buffer: outt}"},
    {"{buffer: out}", "{bufer: out}"},
    {"{buffer: out}", "{buffer: out, rel: -1}"},
    {"seed: [1, 1000]", "seed: [1000, 1]"},
    {"seed: [1, 1000]", "sed: [1, 1000]"},
    {"seed: [1, 1000]", "seed: [1, 1000, 0]"},
    {"public: open", "public: opn"},
    {"public: open", "public: figures"},
    {"with: {n: 96}", "with: {m: 96}"},
    {"check: [races, bounds]", "check: [race]"},
    {"program: public/plain.wsasm", "program: public/plan.wsasm"},
    {"name: right_hidden", "name: right"},
    {"test: open, points: 3", "test: opened, points: 3"},
    {"points: 3", "points: -3"},
    {"needs: [right]}\n  - name: fast", "needs: [rigth]}\n  - name: fast"},
    {"points: 2, needs: [right]", "points: 2, needs: [right_hidden]"},
    {"cycles <= 1.1 * reference: 2", "cycles <= : 2"},
    {"cycles <= 1.1 * reference: 2", "cycles + 1: 2"},
    {"cycles <= 1.1 * reference: 2", "cycles <= tests.opn.cycles: 2"},
    {"cycles <= 1.1 * reference: 2", "cycles <= 1.1 * reference: x"},
    {"credit: best", "credit: most"},
    {"use: [STG]", "use: [STGG]"},
    {"use: [STG]", "uses: [STG]"},
    {"figure: memory.global_load_requests, rel: 0.1", "rel: 0.1"},
    {"answer: limit\n", ""},
    {"bandwidth: cycles <= 10", "latency: cycles <= 10"},
    {"bandwidth: cycles <= 10", "bandwidth: cycles + 10"},
    {"order: descending", "order: down"},
    {"figure: ipc", "figure: ipc +"},
    {"leaderboard:", "leader:"},
    {"{name: clean, test: checked}", "{name: clean, tests: checked}"},
    {"{name: clean, test: checked}", "clean"},
    {"{name: clean, test: checked}", "{test: checked}"},
    {"{name: clean, test: checked}", "{name: clean}"},
    {"{name: clean, test: checked}", "{name: [clean], test: checked}"},
    {"{name: clean, test: checked}", "{name: \"clean,\", test: checked}"},
    {"{name: clean, test: checked}", "{name: clean, test: own}"},
    {"{name: clean, test: checked}", "{name: clean, test: checked, description: [x]}"},
    {"figure: ipc, order", "figure: ipc, ordered"},
    {"{name: rate, test: open,", "{name: rate, test: opened,"},
    {"{name: rate, test: open,", "{name: cycles, test: open,"},
    {"handout: handout.md", "handout: handout"},
    {"publish: [public]", "publish: [hidden]"},
    {"starter: starter", "starter: ../handed_in"},
};

/* The same of an assignment of whole programs. */
static const Fault program_faults[] = {
    {"program: squares.cu", "program: squares.ptx"},
    {"publish: [public]", "publish: [publik]"},
    {"exit_code: 3,", "exit_code: 256,"},
    {"exit_code: 3,", "exit: 3,"},
    {"arguments: [right, \"{n}\"], output: reference, launches",
     "arguments: [right, 96], launches"},
    {"arguments: [right, \"{n}\"], output: reference, device",
     "arguments: [right, \"{m}\"], output: reference, device"},
    {"input: \"{n} words\"", "input: \"{m} words\""},
    {"input: \"{n} words\"", "input: words"},
    {"input: \"{n} words\"", "input: {file: public/words.txt}"},
    {"input: \"{n} words\"", "input: {file: ../words.txt}"},
    {"input: \"{n} words\"", "input: {text: words}"},
    {"input: \"{n} words\"", "input: {}"},
    {"files: [public/words.txt]", "files: public/words.txt"},
    {"files: [public/words.txt]", "files: [public/word.txt]"},
    {"output: {file: public/printed.txt}", "output: {file: public/print.txt}"},
    {"output: {file: public/printed.txt}", "output: {file: public/printed.txt, text: x}"},
    {"output: {file: public/printed.txt}", "output: {name: public/printed.txt}"},
    {"output: {file: public/printed.txt}", "output: words"},
    {"output: {file: public/printed.txt}", "output: {abs: -1}"},
    {"launches: {square: 2}", "launches: {square: 0}"},
    {"launches: {square: 2}", "launches: [square]"},
    {"set: {sms: 2}", "set: {sms: none}"},
    {"set: {sms: 2}", "set: [sms]"},
    {"{kernel: square, launch: 2, parameter: 1, type: f32}]",
     "{kernel: square, launch: 2, parameter: 0, type: f32}]"},
    {"{kernel: square, launch: 2, parameter: 1, type: f32}]",
     "{kernel: square, launch: 0, parameter: 1, type: f32}]"},
    {"{kernel: square, launch: 2, parameter: 1, type: f32}]",
     "{kernel: square, launch: 2, parameter: 1, type: f33}]"},
    {"{kernel: square, launch: 2, parameter: 1, type: f32}]",
     "{kernel: square, launch: 2, parameter: 1}]"},
    {"{kernel: square, launch: 2, parameter: 1, type: f32}]",
     "{launch: 2, parameter: 1, type: f32}]"},
    {"{kernel: square, launch: 2, parameter: 1, type: f32}]",
     "{kernel: square, launch: 2, parameter: 1, type: f32, before: 2}]"},
    {"{kernel: square, launch: 2, parameter: 1, type: f32}]", "{buffer: x}]"},
    {"reference: reference\n", ""},
};

/* What each change of an assignment gives. */
static void check_faults(const char *name, const Fault *list, guint count, const char *golden)
{
    g_autofree char *lab = lab_path(name), *scratch = lab_scratch(), *text = NULL;
    g_autofree char *copy = g_build_filename(scratch, "lab", NULL);
    g_autofree char *path = g_build_filename(copy, "assignment.yaml", NULL);
    g_autoptr(GString) out = g_string_new(NULL);

    lab_copy(lab, copy);
    ck_assert(g_file_get_contents(path, &text, NULL, NULL));
    for (guint i = 0; i < count; i++) {
        const char *at = strstr(text, list[i].from);
        GError *error = NULL;

        ck_assert_msg(at != NULL, "%s", list[i].from);
        g_autofree char *changed = g_strdup_printf("%.*s%s%s", (int)(at - text), text, list[i].to,
                                                   at + strlen(list[i].from));
        ck_assert(g_file_set_contents(path, changed, -1, NULL));
        g_autoptr(WsAssignment) assignment = ws_assignment_load(copy, &error);
        g_string_append_printf(out, "%s\n", assignment != NULL ? "nothing" : error->message);
        g_clear_error(&error);
    }
    lab_check(golden, out->str, scratch);
    lab_remove(scratch);
}

START_TEST(errors)
{
    check_faults("lab", faults, G_N_ELEMENTS(faults), "assignment_errors.txt");
    check_faults("program", program_faults, G_N_ELEMENTS(program_faults),
                 "assignment_program_errors.txt");
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, reads);
    tcase_add_test(cases, reads_runs_of_programs);
    tcase_add_test(cases, draws);
    tcase_add_test(cases, late);
    tcase_add_test(cases, texts);
    tcase_add_test(cases, errors);
}

int main(void)
{
    return run_suite("assignment", add_tests);
}
