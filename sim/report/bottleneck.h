/*
 * What a run lost its time to: the causes behind the stall reasons, each with a count out of the
 * simulation and, named as a bound, the most that can be gained by removing it.
 */
#ifndef WS_SIM_REPORT_BOTTLENECK_H
#define WS_SIM_REPORT_BOTTLENECK_H

#include "sim/report/line_profile.h"

/* In the order in which causes are told. */
typedef enum {
    WS_BOTTLENECK_STOP,   /* the run ended early */
    WS_BOTTLENECK_WASTED, /* work that brings no result: idle lanes, repeated passes */
    WS_BOTTLENECK_UNUSED, /* parts of the machine without work */
    WS_BOTTLENECK_WAITING /* what warps wait for most */
} WsBottleneckKind;

const char *ws_bottleneck_kind_name(WsBottleneckKind kind);

/* What causes are called, NULL-terminated. */
const char *const *ws_bottleneck_names(void);

/* What the causes of runs that end are called, by number from 0; NULL behind the last one. */
const char *ws_bottleneck_name(guint number);

typedef struct {
    const char *name; /* "divergence", "bank_conflicts", ... */
    WsBottleneckKind kind;
    guint64 count, total; /* `count` of `total` ... */
    const char *unit;     /* ... "lane slots", "wavefronts", ... */
    double bound;         /* no more than this share ... */
    const char *bound_of; /* ... of these can be gained: "warp-cycles", "issue slots of lanes" */
    guint32 file, line;   /* where it comes from most; 0 = nowhere in particular */
    char *text;           /* a sentence or two, without the place */
} WsBottleneck;

/*
 * The causes that matter, by kind, then by bound, the largest first. `lines` are those of
 * ws_line_profile() over all launches. Free with g_array_unref.
 */
GArray *ws_bottlenecks_find(const WsJob *job, const WsResult *result, const GArray *lines);

#endif
