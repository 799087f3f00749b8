#include "inspect/quiz/quiz.h"

#include <string.h>

static const struct {
    const char *name;
    guint most;
} kinds[] = {
#define QUESTION(enumerator, name, most, help) {name, most},
#include "inspect/quiz/quiz.def"
#undef QUESTION
};

/* The warp in a slot: what has been seen since it issued last. */
typedef struct {
    gboolean issued, split;
    guint64 last;               /* cycle of its last issue, if it has issued */
    WsQuizQuestion path, stall; /* that are being made */
    guint8 reason;              /* why it does not issue, since: */
    guint64 since;
    guint64 cycles[WS_STALL_COUNT]; /* by reason, since its last issue */
} Slot;

struct WsQuiz {
    guint32 sm, slots, launch;
    Slot *warps;
    GArray *made[WS_QUIZ_KINDS];  /* of WsQuizQuestion: the best of each sort */
    guint64 seen[WS_STALL_COUNT]; /* warp-cycles: what is plausible in this run */
    GArray *questions;
    WsObserver observer;
};

/* Waits that are shorter say little. */
enum { LEAST_WAIT = 4, LEAST_ELIGIBLE = 2 };

/* ---- keeping the best ---------------------------------------------------------------------------
 */

/* Questions of the same sort, of which one is asked. */
static gboolean is_same_sort(const WsQuizQuestion *a, const WsQuizQuestion *b)
{
    if (a->kind == WS_QUIZ_STALL)
        return a->choices[0] == b->choices[0];
    return a->instruction == b->instruction;
}

static gboolean is_better(const WsQuizQuestion *a, const WsQuizQuestion *b)
{
    if (a->weight != b->weight)
        return a->weight > b->weight;
    return a->cycle < b->cycle;
}

static void make(WsQuiz *quiz, const WsQuizQuestion *question)
{
    GArray *made = quiz->made[question->kind];

    for (guint i = 0; i < made->len; i++) {
        WsQuizQuestion *other = &g_array_index(made, WsQuizQuestion, i);

        if (!is_same_sort(question, other))
            continue;
        if (is_better(question, other))
            *other = *question;
        return;
    }
    g_array_append_vals(made, question, 1);
}

static WsQuizQuestion question_of(const WsQuiz *quiz, WsQuizKind kind, const WsTraceEvent *event)
{
    return (WsQuizQuestion){.kind = kind,
                            .cycle = event->cycle,
                            .launch = quiz->launch,
                            .sm = event->sm,
                            .sub_core = event->sub_core,
                            .slot = event->warp,
                            .block = event->block,
                            .warp_in_block = event->warp_in_block,
                            .instruction = event->instruction};
}

/* ---- what warps do ------------------------------------------------------------------------------
 */

/* The first issue behind a split, on one of its sides, while lanes of the other wait. */
static void end_path(WsQuiz *quiz, Slot *slot, const WsTraceEvent *event)
{
    WsQuizQuestion *path = &slot->path;

    slot->split = FALSE;
    path->answered = event->cycle;
    for (guint i = 0; i < 2; i++) {
        guint64 other = path->choices[1 - i];

        if ((event->issue.active & ~path->choices[i]) != 0 || (event->issue.alive & other) != other)
            continue;
        path->answer = i;
        make(quiz, path);
        return;
    }
}

static void end_reason(WsQuiz *quiz, Slot *slot, guint64 cycle)
{
    guint64 cycles = cycle - MIN(slot->since, cycle);

    if (slot->reason == WS_STALL_SELECTED)
        return;
    slot->cycles[slot->reason] += cycles;
    quiz->seen[slot->reason] += cycles;
    slot->reason = WS_STALL_SELECTED;
}

/* The warp issues again: the reason that it waited for most is one to ask for. */
static void end_stall(WsQuiz *quiz, Slot *slot, guint64 cycle)
{
    guint most = WS_STALL_SELECTED;

    end_reason(quiz, slot, cycle);
    for (guint i = WS_STALL_SELECTED + 1; i < WS_STALL_COUNT; i++)
        if (slot->cycles[i] > slot->cycles[most])
            most = i;
    if (!slot->issued || most == WS_STALL_SELECTED || slot->cycles[most] < LEAST_WAIT)
        return;
    slot->stall.answered = cycle - 1;
    slot->stall.weight = slot->cycles[most];
    slot->stall.choices[0] = most;
    make(quiz, &slot->stall);
}

static void note_issue(WsQuiz *quiz, Slot *slot, const WsTraceEvent *event)
{
    if (slot->split)
        end_path(quiz, slot, event);
    end_stall(quiz, slot, event->cycle);
    slot->stall = question_of(quiz, WS_QUIZ_STALL, event);
    slot->issued = TRUE;
    slot->last = event->cycle;
    memset(slot->cycles, 0, sizeof slot->cycles);
}

static void note_split(WsQuiz *quiz, Slot *slot, const WsTraceEvent *event)
{
    slot->split = event->split.taken != 0 && event->split.not_taken != 0;
    slot->path = question_of(quiz, WS_QUIZ_PATH, event);
    slot->path.count = 3;
    slot->path.choices[0] = event->split.taken;
    slot->path.choices[1] = event->split.not_taken;
    slot->path.choices[2] = event->split.taken | event->split.not_taken;
}

/* Some that can issue, by slot, the one that is taken among them. */
static void note_choice(WsQuiz *quiz, const WsTraceEvent *event)
{
    WsQuizQuestion warp = question_of(quiz, WS_QUIZ_WARP, event);
    guint64 left = event->choice.eligible & ~((guint64)1 << event->warp);
    guint64 chosen = (guint64)1 << event->warp;

    if (__builtin_popcountll(event->choice.eligible) < LEAST_ELIGIBLE)
        return;
    for (guint i = 1; i < WS_QUIZ_CHOICES && left != 0; i++, left &= left - 1)
        chosen |= left & -left;
    for (; chosen != 0; chosen &= chosen - 1) {
        guint slot = (guint)__builtin_ctzll(chosen);

        if (slot == event->warp)
            warp.answer = warp.count;
        if (quiz->warps[slot].issued)
            warp.last[warp.count] = event->cycle - quiz->warps[slot].last;
        warp.choices[warp.count++] = slot;
    }
    warp.answered = event->cycle;
    warp.weight = warp.count;
    make(quiz, &warp);
}

static void note(void *data, const WsTraceEvent *event)
{
    WsQuiz *quiz = data;
    Slot *slot = &quiz->warps[event->warp];

    if (event->sm != quiz->sm)
        return;
    switch (event->kind) {
    case WS_TRACE_WARP_BEGIN:
    case WS_TRACE_WARP_END:
        *slot = (Slot){0};
        break;
    case WS_TRACE_ISSUE:
        note_issue(quiz, slot, event);
        break;
    case WS_TRACE_STALL:
        end_reason(quiz, slot, event->cycle);
        slot->reason = event->stall.reason;
        slot->since = event->cycle;
        break;
    case WS_TRACE_DIVERGE:
        note_split(quiz, slot, event);
        break;
    case WS_TRACE_CHOICE:
        note_choice(quiz, event);
        break;
    default:
        break;
    }
}

static void launch_begin(void *data, const WsTraceLaunch *launch)
{
    ((WsQuiz *)data)->launch = launch->number;
}

/* ---- life ---------------------------------------------------------------------------------------
 */

WsQuiz *ws_quiz_new(guint32 sm, guint32 slots)
{
    WsQuiz *quiz = g_new0(WsQuiz, 1);

    quiz->sm = sm;
    quiz->slots = slots;
    quiz->warps = g_new0(Slot, slots);
    for (guint i = 0; i < WS_QUIZ_KINDS; i++)
        quiz->made[i] = g_array_new(FALSE, FALSE, sizeof(WsQuizQuestion));
    quiz->questions = g_array_new(FALSE, FALSE, sizeof(WsQuizQuestion));
    quiz->observer = (WsObserver){.data = quiz,
                                  .kinds = WS_TRACE_BIT(WARP_BEGIN) | WS_TRACE_BIT(WARP_END) |
                                           WS_TRACE_BIT(ISSUE) | WS_TRACE_BIT(STALL) |
                                           WS_TRACE_BIT(DIVERGE) | WS_TRACE_BIT(CHOICE),
                                  .launch_begin = launch_begin,
                                  .event = note};
    return quiz;
}

void ws_quiz_free(WsQuiz *quiz)
{
    if (quiz == NULL)
        return;
    for (guint i = 0; i < WS_QUIZ_KINDS; i++)
        g_array_unref(quiz->made[i]);
    g_array_unref(quiz->questions);
    g_free(quiz->warps);
    g_free(quiz);
}

const WsObserver *ws_quiz_observer(WsQuiz *quiz)
{
    return &quiz->observer;
}

/* ---- choosing -----------------------------------------------------------------------------------
 */

static gint compare_weights(gconstpointer a, gconstpointer b)
{
    const WsQuizQuestion *x = a, *y = b;

    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    return (gint)x->slot - (gint)y->slot;
}

static gint compare_times(gconstpointer a, gconstpointer b)
{
    const WsQuizQuestion *x = a, *y = b;

    return x->cycle < y->cycle ? -1 : x->cycle > y->cycle;
}

/* Beside the right reason those that hold longest in this run, in the order of their table. */
static void add_reasons(const WsQuiz *quiz, WsQuizQuestion *stall)
{
    guint64 right = stall->choices[0];
    gboolean asked[WS_STALL_COUNT] = {FALSE};

    asked[right] = TRUE;
    for (guint n = 1; n < WS_QUIZ_CHOICES; n++) {
        guint best = WS_STALL_SELECTED;

        for (guint i = WS_STALL_SELECTED + 1; i < WS_STALL_COUNT; i++)
            if (!asked[i] && (best == WS_STALL_SELECTED || quiz->seen[i] > quiz->seen[best]))
                best = i;
        asked[best] = TRUE;
    }
    for (guint i = 0; i < WS_STALL_COUNT; i++) {
        if (!asked[i])
            continue;
        if (i == right)
            stall->answer = stall->count;
        stall->choices[stall->count++] = i;
    }
}

/* An answer that is looked at would show what the other question is about. */
static gboolean is_apart(const WsQuiz *quiz, const WsQuizQuestion *question)
{
    for (guint i = 0; i < quiz->questions->len; i++) {
        const WsQuizQuestion *other = ws_quiz_at(quiz, i);

        if (question->cycle <= other->answered && other->cycle <= question->answered)
            return FALSE;
    }
    return TRUE;
}

void ws_quiz_finish(WsQuiz *quiz)
{
    for (guint kind = 0; kind < WS_QUIZ_KINDS; kind++) {
        GArray *made = quiz->made[kind];
        guint left = kinds[kind].most;

        g_array_sort(made, compare_weights);
        for (guint i = 0; i < made->len && left > 0; i++) {
            WsQuizQuestion question = g_array_index(made, WsQuizQuestion, i);

            if (!is_apart(quiz, &question))
                continue;
            if (kind == WS_QUIZ_STALL)
                add_reasons(quiz, &question);
            g_array_append_val(quiz->questions, question);
            left--;
        }
    }
    g_array_sort(quiz->questions, compare_times);
}

guint ws_quiz_count(const WsQuiz *quiz)
{
    return quiz->questions->len;
}

const WsQuizQuestion *ws_quiz_at(const WsQuiz *quiz, guint index)
{
    return &g_array_index(quiz->questions, WsQuizQuestion, index);
}

char *ws_quiz_id(const WsQuizQuestion *question)
{
    return g_strdup_printf("%s-%" G_GUINT64_FORMAT "-b%u-w%u", kinds[question->kind].name,
                           question->cycle, question->block, question->warp_in_block);
}
