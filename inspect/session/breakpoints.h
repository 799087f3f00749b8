/*
 * Where and when a run is to stop: instructions with a condition on lanes, and values that change.
 */
#ifndef WS_INSPECT_SESSION_BREAKPOINTS_H
#define WS_INSPECT_SESSION_BREAKPOINTS_H

#include "inspect/session/condition.h"

/* A place in a program, as a user writes it: "12", "saxpy.cu:12", "*7" (instruction), "saxpy". */
typedef struct {
    guint32 *instructions; /* ascending */
    guint32 count;
} WsCodePlace;

/* Errors: WS_ERROR_USAGE, with what there is near by. */
gboolean ws_code_place_find(const WsProgram *program, const char *text, WsCodePlace *ret,
                            GError **error);

typedef enum {
    WS_STOP_AT,     /* an instruction is about to issue */
    WS_STOP_VALUE,  /* the value of an expression has changed in a lane */
    WS_STOP_SHARED, /* bytes of a block's shared memory have */
    WS_STOP_GLOBAL  /* bytes of global memory have */
} WsStopKind;

typedef struct {
    guint number; /* from 1 on, never used again */
    WsStopKind kind;
    gboolean disabled, once;
    char *text;              /* as the user gave it */
    WsCodePlace place;       /* AT */
    WsCondition *condition;  /* AT, VALUE: or NULL */
    WsFocus focus;           /* VALUE without a condition, SHARED: whose */
    WsLaneScope *scope;      /* VALUE */
    WsLaneExpression *value; /* VALUE: a scalar */
    gboolean reads_shared;   /* VALUE: other warps of the block may change it */
    char *name;              /* SHARED, GLOBAL: in front of [ */
    guint64 address;         /* SHARED: offset, GLOBAL */
    guint32 bytes;           /* SHARED, GLOBAL: 1 to 8 */
    WsType type;             /* GLOBAL: of the element */
    guint64 hits;            /* stops so far */
} WsBreakpoint;

void ws_breakpoint_free(WsBreakpoint *breakpoint);

/* "PLACE", "PLACE if CONDITION". Errors: WS_ERROR_USAGE. */
WsBreakpoint *ws_breakpoint_parse(const WsTimeline *timeline, const char *text, GError **error);
/*
 * Gives a breakpoint that has its places a condition, and takes it from those at which the
 * condition is none. Errors: WS_ERROR_USAGE: it is none at any of them.
 */
gboolean ws_breakpoint_set_condition(WsBreakpoint *breakpoint, const WsTimeline *timeline,
                                     const char *text, GError **error);

/*
 * Lanes that stop at the instruction that is about to issue, of `executed`; 0 = none. In
 * `ret_unknown` those of them for which the condition has no value.
 */
guint64 ws_breakpoint_lanes(const WsBreakpoint *breakpoint, const WsSm *sm, guint32 slot,
                            guint32 pc, guint64 executed, guint64 *ret_unknown);
/*
 * The same while SMs run ahead of global memory: TRUE also where the condition looks into that, and
 * only the machine at the cycle can tell.
 */
gboolean ws_breakpoint_may_stop(const WsBreakpoint *breakpoint, const WsSm *sm, guint32 slot,
                                guint32 pc, guint64 executed);
/* Whether it has such a condition. */
gboolean ws_breakpoint_reads_memory(const WsBreakpoint *breakpoint);

#endif
