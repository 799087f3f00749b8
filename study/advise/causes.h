/* The causes of lost time (causes.def): which a launch can have, and which line loses by one. */
#ifndef WS_STUDY_ADVISE_CAUSES_H
#define WS_STUDY_ADVISE_CAUSES_H

#include "sim/report/line_profile.h"

typedef enum {
#define CAUSE(ENUM, ...) WS_CAUSE_##ENUM,
#include "study/advise/causes.def"
#undef CAUSE
    WS_CAUSE_COUNT,
    WS_CAUSE_NONE = WS_CAUSE_COUNT
} WsCauseKind;

typedef struct {
    const char *name;    /* "bank_conflicts" */
    const char *changes; /* "PATH=VALUE", settings of the run without it */
    const char *what;    /* "no bank conflicts" */
    const char *how;     /* what people do about it */
} WsCause;

const WsCause *ws_cause(WsCauseKind kind);

/* FALSE if the run of the launch shows that it loses nothing by the cause. */
gboolean ws_cause_is_possible(WsCauseKind kind, const WsJob *job, const WsResult *result);

typedef struct {
    guint32 file, line; /* as in WsProgram; line 0 = no line in particular */
    double share;       /* of what all lines lose by the cause */
} WsCauseLine;

/* The line that loses most. `counters`: of the unchanged run, by instruction of the program. */
WsCauseLine ws_cause_line(WsCauseKind kind, const WsJob *job,
                          const WsInstructionCounters *counters);

#endif
