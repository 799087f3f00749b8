/*
 * Which warps are on the machine at a saved state, and when each issued last. From two of them
 * follows what cannot have happened between the two states, so that a search need not run there.
 */
#ifndef WS_INSPECT_SESSION_RESIDENTS_H
#define WS_INSPECT_SESSION_RESIDENTS_H

#include "sim/gpu/stepping.h"

/* Whose events a search is for. */
typedef enum { WS_SCOPE_ALL, WS_SCOPE_WARP, WS_SCOPE_SUB_CORE } WsScopeKind;

typedef struct {
    WsScopeKind kind;
    guint32 block, warp;  /* WARP: linear block, warp in the block */
    guint32 sm, sub_core; /* SUB_CORE */
    /* The events come from these instructions alone: a bit by instruction of the program, lowest
     * first in a byte. NULL: from any. */
    const guint8 *instructions;
} WsEventScope;

typedef struct WsResidents WsResidents;

/* The warps of the simulation as it is now. */
WsResidents *ws_residents_new(const WsSimulation *simulation);
void ws_residents_free(WsResidents *residents); /* NULL does nothing */
/* What they take: bytes of the host. */
gsize ws_residents_bytes(const WsResidents *residents);

/*
 * Whether no event of the `kinds` (WS_TRACE_BIT()s) in the scope, instructions left out of account,
 * is told between the two states. FALSE: there may be some.
 */
gboolean ws_residents_are_quiet(const WsResidents *from, const WsResidents *to,
                                const WsEventScope *scope, guint64 kinds);

/* Whether something from before may cause such events in the scope behind the state. */
gboolean ws_residents_await(const WsResidents *residents, const WsEventScope *scope, guint64 kinds);

#endif
