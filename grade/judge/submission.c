#include "grade/judge/submission.h"

#include <errno.h>
#include <string.h>

enum { MAX_SOURCE_BYTES = 64 << 20, MAX_ANSWERS_BYTES = 1 << 20 };

static void open_program(WsSubmission *submission, const char *name)
{
    g_autofree char *path = g_build_filename(submission->folder, name, NULL);
    WsReadOutcome outcome =
        ws_read_scope_read(submission->scope, path, MAX_SOURCE_BYTES, &submission->source, NULL);
    if (outcome == WS_READ_DONE)
        return;
    gboolean absent = outcome == WS_READ_FAILED && errno == ENOENT;
    g_autofree char *why = ws_read_outcome_text(submission->scope, outcome);
    submission->missing =
        g_strdup_printf("%s: %s", name,
                        absent                       ? "is missing from the submission"
                        : outcome == WS_READ_OUTSIDE ? "is not a file of the submission"
                                                     : why);
}

/* Messages name the file alone. */
static void open_answers(WsSubmission *submission, const char *name)
{
    g_autofree char *path = g_build_filename(submission->folder, name, NULL);
    g_autoptr(GBytes) bytes = NULL;
    WsReadOutcome outcome =
        ws_read_scope_read(submission->scope, path, MAX_ANSWERS_BYTES, &bytes, NULL);
    if (outcome != WS_READ_DONE) {
        g_autofree char *why = ws_read_outcome_text(submission->scope, outcome);
        submission->answers_wrong = outcome == WS_READ_OUTSIDE || errno == ENOENT
                                        ? g_strdup_printf("%s is missing from the submission", name)
                                        : g_strdup_printf("%s: %s", name, why);
        return;
    }
    gsize length;
    const char *text = g_bytes_get_data(bytes, &length);
    g_autoptr(GError) error = NULL;
    submission->answers = ws_yaml_parse(name, text, length, &error);
    if (submission->answers != NULL &&
        ws_yaml_expect_mapping(submission->answers, submission->answers->root, name, NULL, &error))
        return;
    submission->answers_wrong = g_strdup(error->message);
    g_clear_pointer(&submission->answers, ws_yaml_free);
}

WsSubmission *ws_submission_open(const WsAssignment *assignment, const char *folder, GError **error)
{
    WsPosition position = {.file = folder};
    if (!g_utf8_validate(folder, -1, NULL) || !g_file_test(folder, G_FILE_TEST_IS_DIR)) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "a submission is a folder, and this is not one");
        return NULL;
    }
    WsSubmission *submission = g_new0(WsSubmission, 1);
    submission->folder = g_canonicalize_filename(folder, NULL);
    submission->scope = ws_read_scope_new(TRUE);
    ws_read_scope_add(submission->scope, submission->folder);
    open_program(submission, assignment->program);
    open_answers(submission, assignment->answers);
    return submission;
}

void ws_submission_free(WsSubmission *submission)
{
    if (submission == NULL)
        return;
    g_free(submission->folder);
    g_free(submission->missing);
    g_free(submission->answers_wrong);
    g_clear_pointer(&submission->source, g_bytes_unref);
    ws_yaml_free(submission->answers);
    ws_read_scope_free(submission->scope);
    g_free(submission);
}

const char *ws_submission_answer(const WsSubmission *submission, const char *key)
{
    const WsYamlNode *node =
        submission->answers == NULL ? NULL : ws_yaml_get(submission->answers->root, key);
    return node == NULL || node->kind != WS_YAML_SCALAR || *node->text == '\0' ? NULL : node->text;
}
