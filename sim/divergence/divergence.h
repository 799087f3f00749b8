/*
 * Divergence models: which lanes of a warp run where. The engine runs one path at a time (lanes
 * that share a program counter) and asks the model whenever the path splits, ends, waits or comes
 * to the instruction at which it must stop. The state of a model is a flat block of `bytes` bytes a
 * warp, without pointers.
 */
#ifndef WS_SIM_DIVERGENCE_DIVERGENCE_H
#define WS_SIM_DIVERGENCE_DIVERGENCE_H

#include "sim/device/device.h"

/* In place of an instruction, or of a lane: there is none. */
enum { WS_NOWHERE = G_MAXUINT32 };

/* The path that runs. */
typedef struct {
    guint64 active; /* its lanes; 0 = no lane of the warp can run */
    guint32 pc;
    guint32 stop; /* the path stops before this instruction; WS_NOWHERE = nowhere */
} WsPath;

typedef enum {
    WS_CONVERGED_NOTHING,
    WS_CONVERGED_JOINED,   /* paths met */
    WS_CONVERGED_SWITCHED, /* another path runs now, or none can */
    WS_CONVERGED_RECALLED  /* one that is not the other side of the last split */
} WsConvergence;

/* Lanes of a warp that are somewhere. */
typedef struct {
    guint64 lanes;
    guint32 pc;      /* where they go on */
    const char *how; /* for reports: "waits to re-join at" */
    /* Of lanes that waiting() tells of: other lanes that have to come, or to make way; and the
     * number of the block barrier at which they wait, + 1. */
    guint64 wanted;
    guint8 block_barrier;
    guint8 in_turn; /* they wait for nothing but their turn */
    guint8 at_join; /* they wait in the BSYNC right in front of `pc` */
} WsLanesAt;

enum { WS_MAX_PATHS = 64 };

/* An entry of a reconvergence stack: lanes that go on at an instruction, up to before another. */
typedef struct {
    guint64 lanes;
    guint32 pc;
    guint32 stop; /* where they meet others; WS_NOWHERE: nowhere */
} WsStackEntry;

enum { WS_STACK_CALLS = 16, WS_MAX_STACK = 2 * WS_MAX_PATHS + 3 + WS_STACK_CALLS };

/*
 * Functions from `enter` on are NULL where the instruction only takes its issue slot. Whoever calls
 * one that may set path->active to 0 has nothing to run until lanes are let go by open().
 */
typedef struct {
    const char *name;
    gsize (*bytes)(guint warp_size);
    void (*begin)(void *state, guint64 lanes);
    /*
     * The path splits at a branch that is not taken by all: `taken` lanes go to `target`, the rest
     * to `next`. Both are not empty. `meet` is where the sides meet, or WS_NOWHERE.
     */
    void (*split)(void *state, WsPath *path, guint64 taken, guint32 target, guint32 next,
                  guint32 meet, WsFirstSide first);
    /* The path has come to path->stop. */
    WsConvergence (*stop)(void *state, WsPath *path);
    /* Lanes of the path exit; if none is left of it another one runs. TRUE if all are gone. */
    gboolean (*exit)(void *state, WsPath *path, guint64 lanes);
    /* Lanes alive that do not run: groups, up to WS_MAX_PATHS, returns how many. */
    guint (*waiting)(const void *state, const WsPath *path, WsLanesAt ret_lanes[WS_MAX_PATHS]);
    /* Two states, of warps with the same path, go on in the same way; turns() left out. */
    gboolean (*same)(const void *a, const void *b);

    /*
     * Its reconvergence stack, the top first, which is the path that runs; returns how many
     * entries. NULL: it has none.
     */
    guint (*stack)(const void *state, const WsPath *path, WsStackEntry ret_entries[WS_MAX_STACK]);

    /* CALL: the lanes of the path meet at `behind`. Before path->pc is that of the function. */
    void (*call)(void *state, WsPath *path, guint32 behind);
    /* BSSY, BSYNC, BREAK: convergence barriers. The path's pc is behind the instruction. */
    void (*enter)(void *state, const WsPath *path, guint barrier);
    WsConvergence (*sync)(void *state, WsPath *path, guint barrier);
    void (*leave)(void *state, const WsPath *path, guint barrier, guint64 lanes);
    /* BMOV: lanes of the convergence barrier that the path's lowest lane is in. */
    guint64 (*get)(void *state, const WsPath *path, guint barrier);
    void (*set)(void *state, const WsPath *path, guint barrier, guint64 lanes);
    /* WARPSYNC */
    WsConvergence (*meet)(void *state, WsPath *path, guint64 lanes);
    /* WARPSYNC.ALL: all lanes that are alive, at this very instruction. */
    WsConvergence (*meet_here)(void *state, WsPath *path);
    /*
     * Lanes that met in WARPSYNC from several places, and by lane where they go on; 0 if there are
     * no more that have not been told of. NULL: they never do.
     */
    guint64 (*met)(void *state, const WsPath *path, guint32 ret_pc[64]);
    /* YIELD, NANOSLEEP, and a path that ran for long: other paths get their turn. */
    WsConvergence (*yield)(void *state, WsPath *path);
    /* A backward branch was taken; TRUE if it is the `limit`th without a turn of another path. */
    gboolean (*turn)(void *state, guint64 limit);
    /* Backward branches counted towards the next turn; 0 if no other path could take it. */
    guint64 (*turns)(const void *state);
    /* The path waits at block barrier `number`. */
    void (*wait)(void *state, WsPath *path, guint number);
    /* TRUE if all lanes alive wait at it. */
    gboolean (*all_wait)(const void *state, guint number);
    /* The block barrier opens: groups of lanes that waited, as for waiting(). */
    guint (*open)(void *state, WsPath *path, guint number, WsLanesAt ret_lanes[WS_MAX_PATHS]);
} WsDivergenceModel;

const WsDivergenceModel *ws_divergence_model(WsDivergenceKind kind);

#define DECLARE_MODEL(ENUM, name) extern const WsDivergenceModel ws_divergence_##name;
WS_DIVERGENCE_MODELS(DECLARE_MODEL)
#undef DECLARE_MODEL

/* Whether the taken side of a split runs first. */
gboolean ws_taken_side_is_first(guint64 taken, guint64 rest, WsFirstSide first);

#endif
