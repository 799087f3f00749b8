/*
 * Trials: runs of an assignment's tests with a program. The program is compiled, and each test run,
 * in processes of their own (grade/trial/isolation.h).
 */
#ifndef WS_GRADE_TRIAL_TRIAL_H
#define WS_GRADE_TRIAL_TRIAL_H

#include "grade/assignment/assignment.h"
#include "inspect/page/page.h"

#include <json-glib/json-glib.h>

typedef enum {
    WS_TRIAL_RAN,     /* the report says how it ended */
    WS_TRIAL_REFUSED, /* the program does not compile */
    WS_TRIAL_MISFIT,  /* the launch cannot be made with this program */
    WS_TRIAL_STOPPED, /* it took more time of the processor than it may */
    WS_TRIAL_BROKEN   /* the grader failed */
} WsTrialState;

typedef struct {
    WsTrialState state;
    char *message;     /* unless it ran */
    JsonNode *report;  /* if it ran: see ws_trial_report_write() */
    GPtrArray *memory; /* of GBytes: the buffers after the run; NULL unless asked for */
    WsRunPage *page;   /* instead of a report and memory, of WsSubject.shown */
} WsTrial;

void ws_trial_free(WsTrial *trial);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsTrial, ws_trial_free)

/* What is run. */
typedef struct {
    const WsAssignment *assignment;
    const char *folder;    /* in which the program lies; nothing else of it is read */
    const char *program;   /* its name there; NULL: that of each test */
    const char *student;   /* for whom numbers are drawn */
    const char *cache;     /* as in WsLoadBounds: for programs of the assignment's own, or NULL */
    gboolean is_looked_at; /* for what each test says in `check` */
    const char *kernel_cache; /* the same, for programs that run under a policy of the subject, and
                               for precompiled headers, which have nothing of a program in them */
    /*
     * Folder of programs that the assignment carries compiled (WsLoadBounds.carried), or NULL;
     * `carries`: what it lacks is put there.
     */
    const char *carried;
    gboolean carries;
    gboolean keeps_memory; /* the buffers are wanted: for what others are compared with */
    /* By test: what `compare` compares with, or NULL. */
    WsTrial *const *references;
    /*
     * By test: its run as it was without a page, or NULL for all. The run is made again, with a
     * page; with more time of the processor, since it is watched.
     */
    WsTrial *const *shown;
} WsSubject;

/*
 * Runs the tests of the list `tests` (of guint) and sets `ret`, which has one place for each test
 * of the assignment.
 */
void ws_trials_run(const WsSubject *subject, const GArray *tests, WsTrial **ret);

/* The object `run` of the report: as `run --format json`. NULL if it did not run. */
JsonObject *ws_trial_run_object(const WsTrial *trial);

/* "ok", "check_failed", "fault", ... as in the run; NULL if it did not run. */
const char *ws_trial_status(const WsTrial *trial);

/* What compiled its program, as in the run (WsProgram.compiler); NULL if none did, or it did not
 * run. */
const char *ws_trial_compiler(const WsTrial *trial);

/* The value of a figure, of WsFigure.of aside. NaN if the run has none. */
double ws_trial_figure(const WsTrial *trial, const WsFigure *figure);

/*
 * Whether the run has such a figure at all, with a value or not: else `ret_nearest` may be set to
 * the name of one. Free with g_free.
 */
gboolean ws_trial_has_figure(const WsTrial *trial, const WsFigure *figure, char **ret_nearest);

/* Whether a submission's run may lack it, as it may not launch the kernel: no name is wrong then.
 */
gboolean ws_trial_may_lack(const WsFigure *figure);

#endif
