/*
 * Why a warp does not issue at a cycle: since when, who is to blame, and when it will. What lies
 * behind the cycle is looked up in the run itself, which goes on to there and comes back.
 */
#ifndef WS_INSPECT_SESSION_WHY_H
#define WS_INSPECT_SESSION_WHY_H

#include "inspect/session/session.h"

typedef struct {
    guint64 cycle;
    guint32 sm, slot;
    guint32 instruction; /* that it would issue */
    WsStall reason;      /* NOT_SELECTED: it could issue; SELECTED: it does, in this cycle */
    guint64 since;       /* first cycle of the reason */
    guint64 until;       /* the reason is gone or another; WS_NEVER: not within the search */
    guint64 issues;      /* the warp issues next; WS_NEVER: not within the search */
    gboolean leaves;     /* until: it leaves its slot then */

    /* An operand: the register, and the instruction whose result it waits for. */
    char operand[8];  /* "R4", "P0", "UR3"; "" = none */
    guint32 producer; /* WS_NO_INSTRUCTION = not known */
    guint64 produced; /* cycle of its issue */
    guint64 answered; /* of an access under way: cycle of the answer; WS_NEVER = not known */
    WsMemoryLevel level;

    /* The pipe, the queue or the scheduler: who has it. */
    gboolean has_other;
    guint32 other_slot, other_instruction;
    guint64 other_cycle; /* of its issue */

    /* A barrier. */
    guint32 barrier;
    guint64 missing; /* warp slots of the block that have not come to it */
} WsWhy;

/* Of the warp at `place`, which is resident. FALSE: as ws_timeline_go(). */
gboolean ws_session_why(WsSession *session, WsWarpPlace place, WsWhy *ret, GError **error);

/* The same in words, one sentence a line. g_free. */
char *ws_why_text(const WsSession *session, const WsWhy *why);

#endif
