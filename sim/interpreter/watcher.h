/*
 * Who watches a run of the functional interpreter: each access of each lane, and all that orders
 * them. A watcher changes nothing. Blocks are named by a slot: that of a block which has ended is
 * used again.
 */
#ifndef WS_SIM_INTERPRETER_WATCHER_H
#define WS_SIM_INTERPRETER_WATCHER_H

#include "sim/lanes/lanes.h"
#include "sim/lanes/memory_operation.h"

/* One lane's access, told before it takes effect. */
typedef struct {
    guint32 slot;        /* of the block */
    guint32 thread;      /* in the block */
    guint32 instruction; /* index in the program */
    WsSpace space;       /* never GENERIC */
    WsMemoryAction action;
    guint32 bytes;
    guint64 address; /* global: as it is; else from the start of the block's or thread's memory */
    const WsDecoded *decoded;
    const guint8 *contents; /* what is there */
    const guint8 *stored;   /* WS_ACTION_STORE: what will be; else NULL */
} WsWatchedAccess;

/* Lanes of a warp that are about to run an instruction, whether its guard holds or not. */
typedef struct {
    guint32 slot; /* of the block */
    guint32 warp; /* in the block */
    guint32 instruction;
    guint64 lanes;
    guint32 warp_size;
    const WsWarpRegisters *registers;
    const guint8 *shared; /* of the block, `shared_bytes` */
    const guint8 *local;  /* of the warp's threads, `local_bytes` each */
    guint64 shared_bytes, local_bytes;
} WsWatchedIssue;

typedef struct {
    void *data;
    /* Before each instruction, or NULL. */
    void (*issue)(void *data, const WsWatchedIssue *issue);
    void (*block_begin)(void *data, guint32 slot, guint64 number);
    void (*access)(void *data, const WsWatchedAccess *access);
    /* What an atomic did: whether memory is another one now. */
    void (*atomic_done)(void *data, const WsWatchedAccess *access, gboolean changed);
    /* The lanes of `mask` have met; `all`: no other lane of the warp lives. */
    void (*lanes_meet)(void *data, guint32 slot, guint32 warp, guint64 mask, gboolean all);
    void (*fence)(void *data, guint32 slot, guint32 warp, guint64 mask, guint8 scope);
    /* At a barrier of the block, by this instruction; those that do not wait only announce
     * themselves. */
    void (*barrier_arrive)(void *data, guint32 slot, guint32 warp, guint64 mask,
                           guint32 instruction, guint32 number, gboolean waits);
    /* Those that wait go on. `all`: every thread of the block that lives is among them. */
    void (*barrier_release)(void *data, guint32 slot, guint32 number, gboolean all);
    /* The run ends: this thread of a block waits for ever, at this instruction. */
    void (*waits_for_ever)(void *data, guint32 slot, guint32 thread, guint32 instruction);
} WsInterpretWatcher;

#endif
