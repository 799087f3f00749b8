/* Which tests of a case have a page, and why not. Inside the room only. */
#ifndef WS_GRADE_JUDGE_TEST_PAGES_H
#define WS_GRADE_JUDGE_TEST_PAGES_H

#include "grade/judge/decide.h"

/*
 * Makes the pages of the grade's failed tests (WsGrade.pages), in runs of their own: verdicts stand
 * already. Hidden tests have none, unless the case reveals them.
 */
void ws_case_make_pages(const WsCase *of, WsGrade *grade);

#endif
