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
void ws_code_place_clear(WsCodePlace *place);

typedef enum {
    WS_STOP_AT,       /* an instruction is about to issue */
    WS_STOP_REGISTER, /* a register or predicate of a lane has changed */
    WS_STOP_SHARED,   /* bytes of a block's shared memory have */
    WS_STOP_GLOBAL    /* bytes of global memory have */
} WsStopKind;

typedef struct {
    guint number; /* from 1 on, never used again */
    WsStopKind kind;
    gboolean disabled, once;
    char *text;             /* as the user gave it */
    WsCodePlace place;      /* AT */
    WsCondition *condition; /* AT: or NULL */
    WsFocus focus;          /* REGISTER, SHARED: whose */
    char *name;             /* REGISTER */
    guint64 address;        /* SHARED: offset, GLOBAL */
    guint32 bytes;          /* SHARED, GLOBAL: 1 to 8 */
    WsType type;            /* GLOBAL: of the element */
    guint64 hits;           /* stops so far */
} WsBreakpoint;

void ws_breakpoint_free(WsBreakpoint *breakpoint);

/* "PLACE", "PLACE if CONDITION". Errors: WS_ERROR_USAGE. */
WsBreakpoint *ws_breakpoint_parse(const WsProgram *program, const WsKernel *kernel,
                                  const char *text, GError **error);
/*
 * "R4", "P0" of the focused lane; "shared[16]", "shared[16:4]" of its block; "x[10]" of buffer x.
 * Errors: WS_ERROR_USAGE.
 */
WsBreakpoint *ws_watch_parse(const WsTimeline *timeline, const WsFocus *focus, const char *text,
                             GError **error);

/* The value of a watchpoint at the cycle of the timeline; FALSE if it has none there. */
gboolean ws_watch_value(const WsTimeline *timeline, const WsBreakpoint *watch, guint64 *ret);
/* Lanes that stop at the instruction that is about to issue, of `executed`; 0 = none. */
guint64 ws_breakpoint_lanes(const WsBreakpoint *breakpoint, const WsSm *sm, guint32 slot,
                            guint32 pc, guint64 executed);

#endif
