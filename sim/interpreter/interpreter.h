/*
 * The bare functional interpreter: runs a launch without timing, block after block, warps in turn.
 * It is the yardstick of speed, and an executable reference for the front ends.
 *
 * Inside a warp the lanes with the lowest program counter run first, as far as the next waiting
 * ones; every fourth slice another path in turn, so that lanes that spin cannot starve the one they
 * wait for. BSSY/BSYNC, WARPSYNC and BAR make lanes wait as on the machine. Clocks count
 * instructions.
 *
 * A block that for long does nothing but look at memory with atomics or volatile loads, and changes
 * nothing, may wait for another one: then the next block begins, and they take turns.
 */
#ifndef WS_SIM_INTERPRETER_INTERPRETER_H
#define WS_SIM_INTERPRETER_INTERPRETER_H

#include "sim/base/print_log.h"
#include "sim/base/time_limit.h"
#include "sim/interpreter/watcher.h"
#include "sim/launch/launch.h"

/* The last write to a byte of global memory. */
typedef struct {
    guint64 address;             /* to be watched */
    gboolean found;              /* something has written it */
    guint32 block[3], thread[3]; /* who */
    guint32 instruction;         /* index in the program */
} WsLastWrite;

/* Of an instruction: what threads did with it. */
enum {
    WS_REACHED_COME = 1 << 0, /* one came to it */
    WS_REACHED_DONE = 1 << 1  /* one carried it out: its guard held */
};

typedef struct {
    guint64 max_warp_instructions; /* 0 = 10^9 */
    const char *level;             /* host level of the lane bodies, NULL = the best */
    gboolean first_block_only;
    WsTimeLimit time_limit;
    /* Ends when this becomes other than 0, or NULL. A signal handler may set it. */
    const gint *interrupt;
    WsPrintLog *printed;               /* what threads print is added to it, or NULL */
    WsLastWrite *watch;                /* filled in, or NULL */
    guint8 *reached;                   /* by instruction of the program, added to; or NULL */
    const WsInterpretWatcher *watcher; /* is told of everything, or NULL */
} WsInterpretOptions;

typedef struct {
    guint64 warp_instructions;
    guint64 thread_instructions; /* active lanes, predicated-off included */
} WsInterpretCounts;

/*
 * Runs launch `index` of the job on the job's buffers and module data. Errors: WS_ERROR_FAULT with
 * kernel, block, thread, address and place; WS_ERROR_DEADLOCK; WS_ERROR_LIMIT, also for the
 * limit of time and the interrupt; WS_ERROR_INPUT from
 * decoding. `options` may be NULL.
 */
gboolean ws_interpret(WsJob *job, guint32 index, const WsInterpretOptions *options,
                      WsInterpretCounts *ret, GError **error);

#endif
