/*
 * What watches one run to tell of it later: the animation, the page's data, highlights and the
 * quiz. Each says the same of the same run: files in tests/golden/rooms/.
 */
#include <check.h>
#include <string.h>

#include "inspect/animation/animation.h"
#include "inspect/page/page.h"
#include "inspect/quiz/quiz_answers.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/golden_text.h"
#include "tests/support/suite.h"

static void check_text(const char *name, const char *text)
{
    g_autofree char *anywhere = golden_text_replace(text, g_getenv("WS_TEST_SOURCES"), "SOURCES");
    g_autofree char *ever = golden_text_replace(anywhere, WS_VERSION, "VERSION");

    golden_text_check(name, ever);
}

static const struct {
    const char *launch, *model, *name;
} movies[] = {{"tests/data/rooms/two_sides.yaml", "divergence.model=stack", "animation.svg"},
              {"tests/data/rooms/two_sides.yaml", "divergence.model=its", "animation_its.svg"},
              {"tests/data/rooms/far_lines.yaml", "divergence.model=stack", "animation_far.svg"}};

START_TEST(animations)
{
    const char *settings[] = {movies[_i].model, NULL};
    Engine *e = engine_load(movies[_i].launch, settings, NULL);
    g_autoptr(WsFrames) frames = ws_frames_new(e->job->program, 0, 4, 50, 64);

    e->observers[0] = ws_frames_observer(frames);
    const WsResult *result = engine_run(e);
    ws_frames_finish(frames, result->total.elapsed_cycles);
    g_autofree char *svg = ws_animation_svg(e->job, frames, 1, 8);
    check_text(movies[_i].name, svg);
    engine_free(e);
}
END_TEST

static const struct {
    const char *launch, *value, *name;
    guint64 most; /* cycles; 0 = no limit */
} scenes[] = {{"tests/data/rooms/two_sides.yaml", NULL, "", 0},
              {"tests/data/rooms/varied.yaml", "stride=3", "_varied", 0},
              {"tests/data/rooms/two_sides.yaml", "params.0={u64: 64}", "_fault", 0},
              {"tests/data/rooms/two_sides.yaml", NULL, "_limit", 60},
              {"tests/data/rooms/faulty.yaml", "which=2", "_barrier", 0}};

static Engine *load(const char *launch, const char *model, const char *value)
{
    const char *settings[] = {model, "classes.global_load.latency=60",
                              "divergence.first_side=fall_through", NULL};
    const char *values[] = {value, NULL};

    return engine_load(launch, settings, values);
}

static Engine *load_scene(guint number, const char *model)
{
    Engine *e = load(scenes[number].launch, model, scenes[number].value);

    if (scenes[number].most != 0)
        e->options.max_cycles = scenes[number].most;
    return e;
}

/* Without the checks of engine_run(), which are for whole runs. */
static const WsResult *run_scene(Engine *e, const WsObserver *observer)
{
    GError *error = NULL;

    e->observers[0] = observer;
    e->result = ws_simulation_run(e->job, &e->options, &error);
    ck_assert_msg(e->result != NULL, "%s", error ? error->message : "");
    return e->result;
}

START_TEST(the_highlights)
{
    Engine *e = load_scene((guint)_i, "divergence.model=stack");
    g_autofree char *name = g_strdup_printf("highlights%s.txt", scenes[_i].name);
    g_autoptr(WsHighlights) highlights = ws_highlights_new(1, 64);
    g_autoptr(GString) out = g_string_new(NULL);

    const WsResult *result = run_scene(e, ws_highlights_observer(highlights));
    ws_highlights_finish(highlights, result->total.elapsed_cycles, result->status, &result->stop);
    g_string_append_printf(out, "leads: %s\n", ws_highlight_name(ws_highlights_lead(highlights)));
    for (guint k = 0; k < WS_HIGHLIGHT_COUNT; k++) {
        const WsHighlight *at = ws_highlights_at(highlights, k);

        ck_assert_uint_eq(ws_highlight_by_name(ws_highlight_name(k)), k);
        if (!at->there) {
            g_string_append_printf(out, "%s: none\n", ws_highlight_name(k));
            continue;
        }
        g_autofree char *text = ws_highlight_text(highlights, k);
        g_string_append_printf(
            out,
            "%s: %s; launch %u, slot %u, instruction %u, lanes %" G_GUINT64_FORMAT
            ", lost %" G_GUINT64_FORMAT "\n",
            ws_highlight_title(k), text, at->launch, at->slot, at->instruction, at->lanes,
            at->lost);
    }
    check_text(name, out->str);
    engine_free(e);
}
END_TEST

START_TEST(the_quiz)
{
    Engine *e = load_scene((guint)_i, "divergence.model=its");
    g_autofree char *name = g_strdup_printf("quiz%s.txt", scenes[_i].name);
    g_autoptr(WsQuiz) quiz = ws_quiz_new(0, 64);
    g_autoptr(GString) out = g_string_new(NULL);

    run_scene(e, ws_quiz_observer(quiz));
    ws_quiz_finish(quiz);
    g_autofree gint *given = g_new(gint, ws_quiz_count(quiz));
    for (guint i = 0; i < ws_quiz_count(quiz); i++) {
        const WsQuizQuestion *question = ws_quiz_at(quiz, i);
        g_autofree char *id = ws_quiz_id(question), *prompt = ws_quiz_prompt(e->job, question);
        g_autofree char *why = ws_quiz_explanation(e->job, question);

        g_string_append_printf(out, "%s: %s\n", id, prompt);
        for (guint c = 0; c < question->count; c++) {
            g_autofree char *choice = ws_quiz_choice(e->job, question, c);
            g_string_append_printf(out, "%c %s\n", c == question->answer ? '*' : ' ', choice);
        }
        g_string_append_printf(out, "%s\n", why);
        given[i] = i % 3 == 0 ? WS_NO_ANSWER : (gint)((question->answer + i % 2) % question->count);
    }
    g_string_append_printf(out, "%u right\n", ws_quiz_score(quiz, given));
    g_autofree char *json = ws_quiz_answers_json(e->job, quiz, given);
    g_string_append(out, json);
    check_text(name, out->str);

    g_autofree gint *read = ws_quiz_answers_read(quiz, "answers.json", json, -1, NULL);
    ck_assert_mem_eq(read, given, ws_quiz_count(quiz) * sizeof *given);
    ws_quiz_free(NULL);
    GError *error = NULL;
    ck_assert_ptr_null(ws_quiz_answers_read(quiz, "answers.json", "{}", -1, &error));
    ck_assert(g_error_matches(error, WS_ERROR, WS_ERROR_INPUT));
    g_clear_error(&error);
    engine_free(e);
}
END_TEST

/* The data up to the list of settings with their help, and the bytes of the timeline. */
static const struct {
    const char *launch, *model, *name;
    guint64 first;
    gboolean is_long; /* its sources: of more than 2000 lines those around what runs are shown */
} pages[] = {
    {"tests/data/rooms/two_sides.yaml", "divergence.model=stack", "page.txt", 0, FALSE},
    {"tests/data/rooms/two_sides.yaml", "divergence.model=its", "page_its.txt", 0, FALSE},
    {"tests/data/rooms/two_sides.yaml", "divergence.model=its", "page_part.txt", 130, FALSE},
    {"tests/data/rooms/small.yaml", "divergence.model=its", "page_ptx.txt", 0, FALSE},
    {"tests/data/rooms/small.yaml", "divergence.model=its", "page_long.txt", 0, TRUE}};

static void make_long(char **text)
{
    g_autofree char *old = *text;
    g_autoptr(GString) longer = g_string_new(old);

    for (guint i = 0; i < 2000; i++)
        g_string_append(longer, "//\n");
    *text = g_strdup(longer->str);
}

START_TEST(the_page)
{
    Engine *e = load(pages[_i].launch, pages[_i].model, NULL);
    if (pages[_i].is_long) {
        make_long(&e->job->program->ptx);
        make_long(&e->job->sources[1]);
    }
    static const gboolean sms[] = {TRUE};
    const WsTimelineWindow window = {.sms = sms,
                                     .sm_count = 1,
                                     .first = pages[_i].first,
                                     .end = G_MAXUINT64,
                                     .max_issues = 1000};
    WsTimelineRecord *record = ws_timeline_record_new(&window, 64);

    const WsResult *result = run_scene(e, ws_timeline_record_observer(record));
    ws_timeline_record_finish(record);
    const WsPageRun run = {.job = e->job, .result = result, .record = record};
    WsRunPage *page = ws_run_page_new(&run);
    g_autoptr(GString) out = g_string_new(NULL);
    gsize length;
    const guint8 *bytes = g_bytes_get_data(page->timeline, &length);

    g_auto(GStrv) parts = g_strsplit(page->data, "\"settings\"", 2);
    g_string_append_printf(out, "%s\n%s\nissues of the SM: %" G_GUINT64_FORMAT "\n", page->title,
                           parts[0], ws_timeline_record_sm_issues(record, 0));
    for (gsize i = 0; i < length; i++)
        g_string_append_printf(out, "%02x%c", bytes[i], i % 32 == 31 ? '\n' : ' ');
    check_text(pages[_i].name, out->str);
    ws_run_page_free(page);
    ws_timeline_record_free(record);
    engine_free(e);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, animations, 0, G_N_ELEMENTS(movies));
    tcase_add_loop_test(cases, the_highlights, 0, G_N_ELEMENTS(scenes));
    tcase_add_loop_test(cases, the_quiz, 0, G_N_ELEMENTS(scenes));
    tcase_add_loop_test(cases, the_page, 0, G_N_ELEMENTS(pages));
}

int main(void)
{
    return run_suite("watchers", add_tests);
}
