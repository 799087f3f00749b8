/*
 * What a submission gets: a verdict for each check, and the sum. Of names and texts only what a
 * student may see, unless the grader was told to show all.
 */
#ifndef WS_GRADE_JUDGE_GRADE_H
#define WS_GRADE_JUDGE_GRADE_H

#include "grade/trial/trial.h"
#include "isa/cuda/protection.h"

typedef enum {
    WS_VERDICT_PASSED,
    WS_VERDICT_FAILED,
    WS_VERDICT_SKIPPED, /* another check that it needs has not passed */
    WS_VERDICT_ERROR    /* the grader could not decide it */
} WsVerdictKind;

const char *ws_verdict_name(WsVerdictKind kind); /* "passed" */

typedef struct {
    const WsRule *rule;
    WsVerdictKind kind;
    double points;   /* earned */
    char *rationale; /* why it did not pass, one line; NULL if it did */
    char *expected;  /* NULL where there is nothing to compare */
    char *actual;
    char *hint;       /* what the run lost its time to, or NULL */
    const char *help; /* the rule's, if it failed for its own reason; else NULL */
    GPtrArray *log;   /* of char*: further lines */
    gboolean hidden;  /* of a hidden test */
} WsVerdict;

typedef struct {
    const WsRanking *ranking;
    double value; /* NaN: not in the list */
} WsStanding;

/* The page of a test's run (warpstep report), for those that failed and are not hidden. */
typedef struct {
    guint test;
    WsRunPage *page;
    char *missing; /* why there is none, or NULL */
} WsTestPage;

typedef struct {
    const WsAssignment *assignment;
    char *student;
    GPtrArray *verdicts; /* of WsVerdict, in the order of the checks */
    GArray *standings;   /* of WsStanding */
    GArray *pages;       /* of WsTestPage, in the order of the tests */
    guint protection;    /* parts of WsProtection that clang had */
    /*
     * What compiled what is handed in, and the assignment's own programs that it is graded with
     * (WsProgram.compiler); NULL where none did, or nothing ran. They differ if the assignment
     * carries its programs compiled.
     */
    char *compiler, *own_compiler;
    char *error;  /* the grader's own failure: there is no score then; NULL = none */
    double score; /* points, before what is taken off for being late */
    double late_factor;
    char *late;   /* in words, or NULL */
    double total; /* score x late_factor */
} WsGrade;

void ws_grade_free(WsGrade *grade);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsGrade, ws_grade_free)

const WsVerdict *ws_grade_verdict(const WsGrade *grade, guint index);
/* NULL if the test has none. */
const WsTestPage *ws_grade_page(const WsGrade *grade, gint test);
/* TRUE if all checks have passed. */
gboolean ws_grade_all_passed(const WsGrade *grade);

#endif
