/*
 * Who waits for whom: lanes at a barrier, lanes that wait for others of their warp, and lanes in a
 * loop that they leave only when a value in memory changes (isa/flow/spin_loops.h).
 */
#ifndef WS_SIM_REPORT_WAITS_H
#define WS_SIM_REPORT_WAITS_H

#include <json-glib/json-glib.h>

#include "sim/memory/last_writers.h"
#include "sim/sm/sm.h"

typedef enum {
    WS_WAITS_AT_BARRIER, /* for warps of its block */
    WS_WAITS_FOR_LANES,  /* of its warp, which have to come */
    WS_WAITS_FOR_TURN,   /* for lanes of its warp to stop, or to wait for something themselves */
    WS_WAITS_FOR_VALUE   /* in memory, to change */
} WsWaitKind;

/* Lanes of one warp that wait for the same. */
typedef struct {
    WsWaitKind kind;
    guint32 sm;    /* %smid */
    guint32 index; /* of the SM among those of the launch */
    guint32 slot;
    guint32 block[3], warp; /* the warp's number in its block */
    guint64 lanes;
    guint32 pc;         /* where they wait; VALUE: the instruction that reads it */
    gint32 barrier;     /* at which they wait, or -1 */
    guint64 wanted;     /* AT_BARRIER: numbers of warps, FOR_LANES and FOR_TURN: lanes, as bits */
    gboolean in_circle; /* it waits, through others, for itself */
    /* VALUE */
    char *place;      /* what it is called: "lock", "flags[3]"; of several places the lowest, and */
    char *last_place; /* the highest, or NULL */
    guint64 address;  /* of the first lane's; in shared memory the offset in that of its block */
    gboolean shared;
    guint32 bytes;
    guint64 value;
    WsLastWriter writer;     /* of the first lane's, if known */
    guint32 writer_block[3]; /* its index in the grid */
    gboolean writer_left;    /* it has ended since; else it is at: */
    guint32 writer_index, writer_slot;
} WsWaiting;

/*
 * Of WsWaiting: all who wait, those first who wait for each other in a circle, each for the one
 * behind it and the last for the first. To be freed with g_ptr_array_unref().
 */
GPtrArray *ws_waits_find(WsSm *const *sms, guint32 sm_count, const WsMemorySystem *system);
/* The same for one warp alone, in no circle. */
GPtrArray *ws_waits_of_warp(WsSm *const *sms, guint32 sm_count, const WsSm *sm, guint32 slot,
                            const WsMemorySystem *system);

/*
 * "block (0,0,0) warp 0, lane 0 at lock.cu:9 (ATOMG.CAS): waits for ...", without a full stop;
 * files with or without their folders.
 */
void ws_waiting_append(GString *text, const WsWaiting *waiting, const WsProgram *program,
                       gboolean folders);
/* Lines about the circle, and about others as far as they are worth reading; nothing without any.
 */
void ws_waits_append(GString *text, const GPtrArray *waits, const WsProgram *program);

/* "0-7,9" */
void ws_append_lanes(GString *text, guint64 lanes);
/* The list `name` of a JSON object that is being built, as docs/reference/formats.md has it. */
void ws_waits_add_json(JsonBuilder *json, const char *name, const GPtrArray *waits,
                       const WsProgram *program);

/*
 * The instruction at which lanes that do not run are said to be: the BSYNC that they are in, if it
 * names its statement, else the one where they go on.
 */
guint32 ws_lanes_wait_at(const WsProgram *program, const WsLanesAt *at);

/* ---- inside the room ---------------------------------------------------------------------------
 */

/* Where the last writers are now. */
void ws_waits_find_writers(GPtrArray *waits, WsSm *const *sms, guint32 sm_count);
/* Puts those first who wait in a circle. Waits come in order of SM and slot. */
void ws_waits_find_circle(GPtrArray *waits, WsSm *const *sms, guint32 sm_count);

#endif
