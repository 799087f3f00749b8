/* Figures of two runs side by side, those that differ most first. */
#ifndef WS_INSPECT_COMPARE_COMPARISON_H
#define WS_INSPECT_COMPARE_COMPARISON_H

#include "inspect/compare/lockstep.h"
#include "sim/report/result.h"

typedef struct {
    const char *name; /* as in `run --format json`; constant text */
    double value[WS_SIDES];
    guint decimals;
} WsFigure;

/* Warp-cycles of a stall reason. */
typedef struct {
    WsStall stall;
    guint64 cycles[WS_SIDES];
} WsStallDifference;

/* Warp-cycles at a source line, waiting and issuing. */
typedef struct {
    char *place; /* "kernel.cu:12" */
    guint64 cycles[WS_SIDES];
    guint64 instructions[WS_SIDES]; /* warp instructions issued */
} WsLineDifference;

/* A buffer of both jobs with the same size, and other contents. */
typedef struct {
    const char *name; /* of the job */
    guint64 elements; /* that differ */
    guint64 first;    /* index of the first */
} WsBufferDifference;

/* A setting of the device. */
typedef struct {
    const char *path; /* constant text */
    char *value[WS_SIDES];
} WsSettingDifference;

typedef struct {
    GArray *settings; /* of WsSettingDifference, in the order of the settings' table */
    GArray *figures;  /* of WsFigure, in their own order */
    GArray *stalls;   /* of WsStallDifference, the largest difference first; only what occurs */
    GArray *lines;    /* of WsLineDifference, likewise */
    GArray *buffers;  /* of WsBufferDifference, in the order of A's job */
} WsComparison;

/* Of two runs of two jobs, which outlive it. */
WsComparison *ws_comparison_new(const WsJob *const jobs[WS_SIDES],
                                const WsResult *const results[WS_SIDES]);
void ws_comparison_free(WsComparison *comparison);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsComparison, ws_comparison_free)

#endif
