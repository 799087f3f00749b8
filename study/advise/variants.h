/* The what-ifs of `advise`: what is changed, and whether that can be done. Inside the room only. */
#ifndef WS_STUDY_ADVISE_VARIANTS_H
#define WS_STUDY_ADVISE_VARIANTS_H

#include "sim/report/result.h"
#include "study/advise/causes.h"
#include "study/plan/study.h"

typedef struct {
    char *what, *how;
    gboolean possible;
    WsCauseKind cause; /* that the run is without, or WS_CAUSE_NONE */
    gboolean launch;   /* another launch: it may do other work */
    gboolean fair;     /* for starvation: a policy that gives each warp its turn */
    WsStudy *study;    /* with the change as parameters of one value */
} WsVariant;

/*
 * The variants that make sense for the launch, as GArray of WsVariant. `job` and `result` are the
 * launch as it stands and its run.
 */
GArray *ws_variants(const WsStudy *study, const WsJob *job, const WsResult *result);

#endif
