/* State of the functional interpreter (sim/interpreter/interpreter.h). */
#ifndef WS_SIM_INTERPRETER_PRIVATE_H
#define WS_SIM_INTERPRETER_PRIVATE_H

#include "sim/interpreter/interpreter.h"
#include "sim/lanes/memory_operation.h"
#include "sim/memory/global_memory.h"
#include "sim/memory/memory.h"

enum { WS_NAMED_BARRIERS = 16, WS_CONVERGENCE_BARRIERS = 16 };

typedef struct {
    WsWarpRegisters registers;
    WsLaneContext context;
    guint64 alive;
    guint64 waiting;  /* at BSYNC, WARPSYNC or BAR */
    guint64 at_bsync; /* of these */
    guint64 at_warpsync;
    guint64 at_barrier;
    guint32 pc[WS_MAX_WARP_SIZE];
    guint64 group[WS_CONVERGENCE_BARRIERS][WS_MAX_WARP_SIZE]; /* lanes to meet, by lane */
    guint64 sync_mask[WS_MAX_WARP_SIZE];                      /* WARPSYNC: lanes to meet */
    guint32 sync_place[WS_MAX_WARP_SIZE]; /* WARPSYNC.ALL: behind it; 0 for WARPSYNC */
    guint8 wait_number[WS_MAX_WARP_SIZE]; /* barrier waited for */
    guint slices;
    guint32 turn; /* the next turn out of order is of the path from here on */
} WsInterpretedWarp;

typedef struct {
    guint32 arrived; /* threads */
    guint32 counted; /* the same with the lanes that their warps lack */
    guint32 wanted;  /* 0 = all that live */
    guint32 waiting; /* of those that arrived */
    guint32 holds;   /* threads with the predicate true */
} WsNamedBarrier;

/* A block under way. */
typedef struct {
    guint32 slot;
    guint32 index[3];
    WsInterpretedWarp *warps;
    guint8 *shared;
    guint8 *local; /* [thread][local_bytes] */
    WsNamedBarrier barriers[WS_NAMED_BARRIERS];
    guint32 idle; /* turns in a row in which it polled memory and changed nothing */
} WsInterpretedBlock;

typedef struct {
    const WsJob *job;
    const WsLaunch *launch;
    const WsDecodedProgram *program;
    WsGlobalMemory *memory;
    const WsRegion *region;    /* of the last access to global memory, or NULL */
    WsInterpretedBlock *block; /* whose turn it is */
    guint32 warp_count, thread_count;
    guint64 shared_bytes, local_bytes; /* of a block, of a thread */
    guint32 at;                        /* instruction that may fail, G_MAXUINT32 = none */
    guint32 slice;                     /* warp instructions of a turn */
    guint64 polls;                     /* atomics, and loads of what others may change */
    guint64 changes;                   /* of memory, at barriers, lanes that ended */
    const WsInterpretOptions *options; /* or NULL */
    const WsInterpretWatcher *watcher; /* or NULL */
    guint64 limit;
    WsInterpretCounts counts;
} WsInterpreter;

/* A memory instruction for the lanes of `mask`. */
gboolean ws_interpret_memory(WsInterpreter *interpreter, WsInterpretedWarp *warp,
                             const WsDecoded *instruction, guint64 mask, GError **error);

/*
 * The same for loads and stores whose lanes are all right for sure; FALSE: nothing has been done.
 * `address` as ws_lane_span() gives it.
 */
gboolean ws_interpret_span(WsInterpreter *interpreter, const WsInterpretedWarp *warp,
                           const WsDecoded *instruction, const WsOperandRows *rows, guint64 mask,
                           guint64 *address, const WsAddressSpan *span);

/* The fault of a trap or a failed assertion. */
void ws_interpret_trap(const WsInterpreter *interpreter, const WsInterpretedWarp *warp,
                       const WsDecoded *instruction, guint lane, GError **error);
/* A call of the system; lanes are served in order. */
gboolean ws_interpret_system(WsInterpreter *interpreter, WsInterpretedWarp *warp,
                             const WsDecoded *instruction, guint64 mask, GError **error);
/* Host address of `bytes` bytes at a generic address as a lane sees it, or NULL. */
guint8 *ws_interpret_place(WsInterpreter *interpreter, const WsInterpretedWarp *warp, guint lane,
                           guint64 address, guint64 bytes);

/* Runs one warp until all its lanes wait or are gone, or its time slice is over. */
gboolean ws_interpret_warp(WsInterpreter *interpreter, WsInterpretedWarp *warp, GError **error);

/* Lets the lanes go on that wait for what has come. */
void ws_interpret_release_barriers(WsInterpreter *interpreter);

/* WS_ERROR_FAULT "... block (x,y,z) thread (x,y,z): text, at kernel.cu:12 (LDG)". */
void ws_interpret_fault(const WsInterpreter *interpreter, const WsInterpretedWarp *warp, guint lane,
                        GError **error, const char *format, ...) G_GNUC_PRINTF(5, 6);

#endif
