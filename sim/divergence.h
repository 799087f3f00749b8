/*
 * Divergence models: which lanes of a warp run where. The engine runs one path at a time (lanes
 * that share a program counter) and asks the model whenever the path splits, ends or comes to the
 * instruction at which it must stop. The state of a model is a flat block of `bytes` bytes a warp,
 * without pointers.
 */
#ifndef WS_SIM_DIVERGENCE_H
#define WS_SIM_DIVERGENCE_H

#include "sim/device.h"

/* The path that runs. */
typedef struct {
    guint64 active; /* its lanes; 0 = no lane of the warp can run */
    guint32 pc;
    guint32 stop; /* the path stops before this instruction; WS_NOWHERE = nowhere */
} WsPath;

typedef enum {
    WS_CONVERGED_NOTHING,
    WS_CONVERGED_JOINED,  /* paths met */
    WS_CONVERGED_SWITCHED /* another path runs now */
} WsConvergence;

/* Lanes of a warp that are somewhere: for reports. */
typedef struct {
    guint64 lanes;
    guint32 pc;
} WsLanesAt;

typedef struct {
    const char *name;
    gsize (*bytes)(guint warp_size);
    void (*begin)(void *state);
    /*
     * The path splits at a branch that is not taken by all: `taken` lanes go to `target`, the rest
     * to `next`. Both are not empty. `meet` is where the sides meet, or WS_NOWHERE.
     */
    void (*split)(void *state, WsPath *path, guint64 taken, guint32 target, guint32 next,
                  guint32 meet, WsFirstSide first);
    /* The path has come to path->stop. */
    WsConvergence (*stop)(void *state, WsPath *path);
    /* Lanes of the path exit. The path goes on if some are left, else another one runs. */
    void (*exit)(void *state, WsPath *path, guint64 lanes);
    /* Lanes alive that do not run, and where they will go on: groups, up to 64, returns how many.
     */
    guint (*waiting)(const void *state, const WsPath *path, WsLanesAt ret_lanes[64]);
} WsDivergenceModel;

/* The model of a kind, or NULL if it is not built. */
const WsDivergenceModel *ws_divergence_model(WsDivergenceKind kind);

extern const WsDivergenceModel ws_divergence_stack;

#endif
