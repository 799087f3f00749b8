/*
 * Telling what happens on an SM (sim/observe/event_stream.h). Each function does nothing where
 * nobody watches. Inside the library only.
 */
#ifndef WS_SIM_SM_WATCH_H
#define WS_SIM_SM_WATCH_H

#include "sim/sm/sm.h"

/* What was told so far, to tell changes only. Belongs to an SM. */
struct WsSmWatch {
    WsEventStream *stream;
    guint64 next;                     /* stalls have been told for all cycles before */
    guint8 told[WS_MAX_WARP_SLOTS];   /* WsStall */
    guint8 found[WS_MAX_WARP_SLOTS];  /* of the cycle that runs, before its issues */
    guint64 alive[WS_MAX_WARP_SLOTS]; /* lanes */
    guint64 launched[WS_MAX_WARP_SLOTS];
    guint64 paths[WS_MAX_WARP_SLOTS]; /* hash of the paths that wait, 0 = none */
};

/* From now on what happens is told to `stream`, which outlives the SM. */
void ws_sm_watch(WsSm *sm, WsEventStream *stream);
void ws_sm_watch_free(WsSmWatch *watch);

/* ---- blocks and warps ---------------------------------------------------------------------------
 */

/* BLOCK_BEGIN and the WARP_BEGINs of a block of `warps` warps, or BLOCK_END. */
void ws_emit_block_begin(WsSm *sm, guint64 resident, guint32 warps, guint64 since);
void ws_emit_block_end(WsSm *sm, guint32 slot, guint64 now);
/* WARP_EXIT, WARP_END. */
void ws_emit_warp(WsSm *sm, guint32 slot, WsTraceKind kind, guint64 now);
/* The SM has stopped. */
void ws_emit_stop(WsSm *sm, guint32 slot);

/* ---- issue --------------------------------------------------------------------------------------
 */

/* Of warps of a sub-core, by number: what could issue, and what the policy let issue. */
void ws_emit_choice(WsSm *sm, guint32 slot, guint64 eligible, guint64 admitted, guint64 now);
void ws_emit_issue(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now);
/* Behind the issue of an instruction whose path had the lanes `active`: results, paths. */
void ws_emit_issued(WsSm *sm, guint32 slot, guint32 pc, guint64 active, guint64 mask, guint64 now);
/* The instruction's results are there at `ready`, for these lanes. */
void ws_emit_result(WsSm *sm, guint32 slot, guint32 pc, guint64 ready, guint64 mask, guint64 now);

/* ---- stalls -------------------------------------------------------------------------------------
 */

/* In all cycles before `end` that have not been told: nothing else happens in them. */
void ws_emit_stalls_until(WsSm *sm, guint64 end);
/* Looks why warps may not issue at `now`, then, after the issues, tells those that did not. */
void ws_find_stalls(WsSm *sm, guint64 now);
void ws_emit_found_stalls(WsSm *sm, guint64 now);

/* ---- paths and barriers -------------------------------------------------------------------------
 */

/* A split into the lanes `a` and `b`, or a join of the lanes `a`. */
void ws_emit_split(WsSm *sm, guint32 slot, guint32 pc, guint64 a, guint64 b);
void ws_emit_join(WsSm *sm, guint32 slot, guint32 pc, guint64 a);
/* The paths of the warp that wait, if they are others than when they were told last. */
void ws_emit_paths(WsSm *sm, guint32 slot, guint32 pc);
/* BARRIER_ARRIVE, BARRIER_RELEASE */
void ws_emit_barrier(WsSm *sm, guint32 slot, WsTraceKind kind, guint32 number, guint64 cycle);

/* ---- memory -------------------------------------------------------------------------------------
 */

void ws_emit_request(WsSm *sm, guint32 slot, guint32 pc, const WsMemoryAccess *access, guint64 mask,
                     guint64 now);
/* An access that was pending; its registers can be used at `ready`. */
void ws_emit_response(WsSm *sm, guint32 slot, guint32 pc, const WsResponse *response,
                      guint64 ready);
/* A load of constant memory that is there at `ready`. */
void ws_emit_constant_load(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now,
                           guint64 ready);

#endif
