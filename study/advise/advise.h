/*
 * What would make a launch faster: it is run again without one cause of lost time at a time, and
 * with one thing changed at a time, and both are ranked by what they bring. Every figure is that of
 * a run.
 */
#ifndef WS_STUDY_ADVISE_ADVISE_H
#define WS_STUDY_ADVISE_ADVISE_H

#include "sim/launch/program_store.h"
#include "study/advise/causes.h"
#include "study/plan/study.h"

typedef struct {
    char *what;        /* "no bank conflicts" */
    char *how;         /* what one would do: "pad the rows ...", or why it cannot be done */
    gboolean possible; /* on hardware */
    char *command;     /* that runs it */
    WsCauseKind cause; /* that the run is without, or WS_CAUSE_NONE: another change */
    /* The line that loses most by the cause; line 0 = none in particular. */
    char *file; /* as the program names it, or NULL */
    guint32 line;
    char *source; /* what stands there, or NULL */
    double share; /* of what all lines lose by the cause */
    gboolean ran; /* to its end, with the right results */
    gboolean
        differs; /* no results are expected, and they are not those of the launch as it stands */
    guint64 cycles;
    double ipc;
} WsAdvice;

typedef struct {
    guint64 cycles; /* of the launch as it stands */
    double ipc;
    /* Of WsAdvice: causes, then other changes; of each the fewest cycles first, and those that did
     * not run last. `caches` stands for all that accesses wait for, so it comes behind causes that
     * bring half of its gain or more. */
    GArray *advice;
    char *share;    /* what the run as it stands had of L2 and DRAM, else NULL */
    char *warning;  /* how much more than a fair share it took of them, or NULL */
    char *starving; /* a sentence if the policy starves warps, else NULL */
} WsAdvise;

typedef struct {
    guint threads;       /* runs at a time; 0 = one for each processor */
    WsLoadBounds bounds; /* as in WsJobOptions */
    guint64 max_memory;
    const gint *interrupt; /* as in WsRunOptions */
    void (*loaded)(void);  /* called when a launch is loaded, on any thread; or NULL */
} WsAdviseOptions;

/*
 * Runs the launch that `study` names, which has no parameters, and its variants. Errors: those of
 * ws_job_load(), and WS_ERROR_CHECK (as it stands it does not run to its end, WS_ERROR_LIMIT if it
 * was interrupted).
 */
WsAdvise *ws_advise(const WsStudy *study, const WsAdviseOptions *options, GError **error);
void ws_advise_free(WsAdvise *advise);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsAdvise, ws_advise_free)

#endif
