/* What a program prints, compared with what it should. Inside the room only. */
#ifndef WS_GRADE_TRIAL_PRINTED_TEXT_H
#define WS_GRADE_TRIAL_PRINTED_TEXT_H

#include "grade/assignment/assignment.h"

/* The first line that is wrong. */
typedef struct {
    guint line;              /* from 1 */
    char *expected, *actual; /* as they are shown; NULL where there is no such line */
} WsPrintedDifference;

/*
 * Line by line; blanks at the ends of lines and empty lines at the end do not count. With
 * run->numbers, words are compared, and those that are numbers may differ by what `run` says. TRUE
 * if they agree; else `ret` is set (g_free its texts).
 */
gboolean ws_printed_text_agrees(const WsProgramRun *run, GBytes *expected, GBytes *actual,
                                WsPrintedDifference *ret);

/* The last lines of a text, as they are shown, at most `most`; of char*, g_ptr_array_unref. */
GPtrArray *ws_printed_text_end(GBytes *text, guint most);

#endif
