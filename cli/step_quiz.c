#include "cli/step_quiz.h"

#include "cli/command.h"
#include "inspect/commands/interpreter.h"
#include "inspect/quiz/quiz_answers.h"
#include "inspect/session/session_quiz.h"
#include "isa/base/escape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* More than any line of an answer. */
enum { LINE_BYTES = 256, MOST_ANSWERS_BYTES = 1 << 20 };

static void print_escaped(const char *text)
{
    g_autofree char *shown = ws_escape_text(text);

    fputs(shown, stdout);
}

/* Where the warp is, as the prompt of `step` shows it; not where that would be the answer. */
static gboolean show_place(WsSession *session, const WsQuizQuestion *question, GError **error)
{
    g_autoptr(WsInterpreter) interpreter = ws_interpreter_new(session, 100);
    g_autoptr(GString) out = g_string_new(NULL);
    g_autofree char *go = g_strdup_printf("goto %" G_GUINT64_FORMAT, question->cycle);

    if (question->kind == WS_QUIZ_WARP) {
        printf("cycle %" G_GUINT64_FORMAT "\n", question->cycle);
        return TRUE;
    }
    *ws_session_focus(session) =
        (WsFocus){.block = question->block, .warp = question->warp_in_block};
    if (!ws_interpreter_do(interpreter, go, out, error))
        return FALSE;
    ws_put(out->str);
    return TRUE;
}

/* The number of a choice, WS_NO_ANSWER for an empty line; FALSE at the end of the input. */
static gboolean read_answer(guint count, gint *ret)
{
    char line[LINE_BYTES];
    gint64 number;

    *ret = WS_NO_ANSWER;
    for (;;) {
        printf("your answer (1 to %u, or Enter to skip): ", count);
        fflush(stdout);
        if (fgets(line, sizeof line, stdin) == NULL)
            return FALSE;
        g_strstrip(line);
        if (!isatty(STDIN_FILENO))
            printf("%s\n", line[0] != '\0' ? "" : "-");
        if (line[0] == '\0')
            return TRUE;
        if (g_ascii_string_to_signed(line, 10, 1, count, &number, NULL)) {
            *ret = (gint)number - 1;
            return TRUE;
        }
        if (strcmp(line, "q") == 0 || strcmp(line, "quit") == 0)
            return FALSE;
    }
}

static gboolean ask(WsSession *session, const WsQuiz *quiz, guint index, gint *ret)
{
    const WsJob *job = ws_session_job(session);
    const WsQuizQuestion *question = ws_quiz_at(quiz, index);
    g_autofree char *prompt = ws_quiz_prompt(job, question);
    g_autofree char *explanation = ws_quiz_explanation(job, question);
    gboolean go_on;

    printf("%u of %u. ", index + 1, ws_quiz_count(quiz));
    print_escaped(prompt);
    putchar('\n');
    for (guint i = 0; i < question->count; i++) {
        g_autofree char *choice = ws_quiz_choice(job, question, i);

        printf("  %u  ", i + 1);
        print_escaped(choice);
        putchar('\n');
    }
    go_on = read_answer(question->count, ret);
    if (!go_on)
        return FALSE;
    printf("%s. ", *ret == (gint)question->answer ? "Right"
                   : *ret == WS_NO_ANSWER         ? "Passed"
                                                  : "Wrong");
    print_escaped(explanation);
    fputs("\n\n", stdout);
    return TRUE;
}

static gboolean ask_all(WsSession *session, const WsQuiz *quiz, gint *given, GError **error)
{
    for (guint i = 0; i < ws_quiz_count(quiz); i++)
        given[i] = WS_NO_ANSWER;
    for (guint i = 0; i < ws_quiz_count(quiz); i++) {
        if (!show_place(session, ws_quiz_at(quiz, i), error))
            return FALSE;
        if (!ask(session, quiz, i, &given[i])) {
            putchar('\n');
            break;
        }
    }
    return TRUE;
}

/* ---- grading ------------------------------------------------------------------------------------
 */

static gint *read_file(const WsQuiz *quiz, const char *path, GError **error)
{
    g_autofree char *text = NULL, *shown = ws_printable(path);
    g_autoptr(GError) why = NULL;
    gsize length;

    if (!g_file_get_contents(path, &text, &length, &why)) {
        ws_set_error(error, WS_ERROR_INPUT, "%s: error: %s", shown, why->message);
        return NULL;
    }
    if (length > MOST_ANSWERS_BYTES) {
        ws_set_error(error, WS_ERROR_INPUT, "%s: error: too long for answers of a quiz", shown);
        return NULL;
    }
    return ws_quiz_answers_read(quiz, shown, text, (gssize)length, error);
}

static void print_grades(const WsQuiz *quiz, const gint *given)
{
    for (guint i = 0; i < ws_quiz_count(quiz); i++) {
        const WsQuizQuestion *question = ws_quiz_at(quiz, i);
        g_autofree char *id = ws_quiz_id(question);

        printf("%-24s %s\n", id,
               given[i] == (gint)question->answer ? "right"
               : given[i] == WS_NO_ANSWER         ? "no answer"
                                                  : "wrong");
    }
}

int ws_step_quiz(WsSession *session, const char *answers, const char *output)
{
    GError *error = NULL;
    g_autoptr(WsQuiz) quiz = ws_session_make_quiz(session, &error);
    g_autofree gint *given = NULL;
    guint score;

    if (quiz == NULL)
        return ws_report_error(error);
    if (ws_quiz_count(quiz) == 0)
        return ws_usage_error("--quiz: no warp of this run diverges, stalls or is selected");
    if (answers != NULL) {
        given = read_file(quiz, answers, &error);
        if (given == NULL)
            return ws_report_error(error);
        print_grades(quiz, given);
    } else {
        given = g_new(gint, ws_quiz_count(quiz));
        if (!ask_all(session, quiz, given, &error))
            return ws_report_error(error);
    }
    score = ws_quiz_score(quiz, given);
    printf("%u of %u right\n", score, ws_quiz_count(quiz));
    if (output != NULL) {
        g_autofree char *json = ws_quiz_answers_json(ws_session_job(session), quiz, given);

        if (!ws_write_file(output, json, strlen(json), &error))
            return ws_report_error(error);
    }
    return answers != NULL && score < ws_quiz_count(quiz) ? WS_ERROR_CHECK : 0;
}
