/*
 * Running a whole program that is handed in, in a folder of its own with nothing but the files of
 * the test, its launches without time and captured (docs/use/programs.md). Inside the room only.
 */
#ifndef WS_GRADE_TRIAL_PROGRAM_RUN_H
#define WS_GRADE_TRIAL_PROGRAM_RUN_H

#include "grade/trial/built_programs.h"
#include "isa/cuda/confined_run.h"

enum { WS_MOST_CAPTURED = 1000 }; /* launches of a program */

typedef struct {
    char *folder;  /* of the run, to be deleted */
    char *capture; /* in it: what the program has written as its launches */
    WsConfinedResult result;
} WsProgramOutcome;

void ws_program_outcome_clear(WsProgramOutcome *outcome);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WsProgramOutcome, ws_program_outcome_clear)

/*
 * `values`: NAME=VALUE for the texts of the test, NULL-terminated. FALSE if the grader fails, with
 * WS_ERROR_INPUT.
 */
gboolean ws_program_run(const WsSubject *subject, const WsTest *test, const WsBuiltProgram *built,
                        char *const *values, const char *folder, WsProgramOutcome *ret,
                        GError **error);

/* Why it was ended, in a line; NULL if it ended by itself. `ret_words`: without numbers. g_free. */
char *ws_program_end_text(const WsTest *test, const WsConfinedResult *result,
                          const char **ret_words);

#endif
