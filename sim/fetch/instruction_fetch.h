/*
 * Where instructions come from: L0 of a sub-core, L1 of the SM, L1.5, L2, memory, by lines of 128
 * bytes. A sub-core asks L1 for a line that L0 lacks and for the next `fetch.prefetch_lines` behind
 * it; each further line that the warps come to draws one more (a stream buffer). The stream ends at
 * a line that L0 has: loops a little larger than L0 pay for each line that is out. One starts anew
 * where a warp comes within `fetch.look_ahead` lines of one that L0 lacks. L1 hands a
 * sub-core one line in `fetch.l1.interval` cycles; a miss elsewhere ends the stream, and what L1
 * has not begun to hand over by then stays there. What lies behind L1 is only latency: with the
 * stream running, a line costs the latency divided by the lines under way.
 *
 * A sub-core has the lines used last, of L0 or on their way to it, near its warps (`fetch.near`). A
 * jump to another line of L0 costs `fetch.near.latency`; behind such a line, and behind each that a
 * warp comes to in line, `fetch.near.lines` are made near ahead of it.
 *
 * L1 is not equally far from all SMs: each SM gets its lines `fetch.sm_latency_milli` later than
 * the SM before, which costs a running stream that way divided by the lines under way.
 *
 * A launch begins with L0 empty. L1 and what L2 knows stay if the launch keeps the caches. L1.5
 * stays in any case, and before the first launch of a kernel it holds the end of that kernel's
 * code, as an earlier launch would have left it: on an H200 that flushes its caches before every
 * launch, code that fits costs some 130 cycles at the start and hardly any per line.
 *
 * A line is counted from the kernel's first instruction. SMs share what L2 has; apart from that
 * nothing here is shared: SMs do not wait for each other.
 */
#ifndef WS_SIM_FETCH_INSTRUCTION_FETCH_H
#define WS_SIM_FETCH_INSTRUCTION_FETCH_H

#include "isa/bytecode/program.h"
#include "sim/base/line_directory.h"
#include "sim/device/device.h"
#include "sim/memory/line_cache.h"

enum {
    WS_FETCH_LINE_BYTES = 128,
    WS_FETCH_LINE_SHIFT = 3, /* instructions of a line, as a power of two */
    WS_FETCH_MAX_SUB_CORES = 8,
    WS_FETCH_MAX_PREFETCH = 64,
    WS_FETCH_QUIET = 64
};

/* A fetch that changed nothing but the order of use, to do again for as long as nothing changes. */
typedef struct {
    guint64 changes; /* of the port, then; 0 = none */
    guint32 line;
    gboolean in_line;
    guint32 l0_place, near_place;
} WsQuietFetch;

typedef struct {
    WsLineCache near, l0;
    guint64 free;                         /* L1 can begin to hand over the next line */
    guint32 stream_first;                 /* the stream was last drawn on here, */
    guint32 stream_sent;                  /* L1 has begun to hand over the lines before this one, */
    guint32 stream_end;                   /* and was asked for the lines before this one */
    guint64 there[WS_FETCH_MAX_PREFETCH]; /* L1 has a line asked for, by line modulo the size */
    guint64 changes;                      /* of the caches' contents and the stream, from 1 on */
    WsQuietFetch quiet[WS_FETCH_QUIET];   /* by line modulo the size */
} WsFetchPort;

/* Of one SM; goes on from launch to launch. */
typedef struct {
    const WsDevice *device;
    const WsProgram *program;
    guint32 first, end; /* lines of the kernel, over all kernels of the program */
    guint32 sm;
    guint64 latency, interval; /* of lines from L1 to this SM */
    guint64 l15_from;          /* L1.5 has the code of this launch */
    WsLineCache l1, l15;
    const WsLineDirectory *in_l2; /* of all SMs */
    WsStateArray asked;           /* of WsLineRequest: of memory, since L2 was told last */
    guint8 *launched;             /* by kernel */
    WsFetchPort ports[WS_FETCH_MAX_SUB_CORES];
} WsInstructionFetch;

/* Lines of a program, as the directory of L2 counts them. */
guint32 ws_instruction_fetch_lines(const WsProgram *program);
/*
 * NULL if the device's instructions are always there (fetch.model: ideal). `in_l2` stays with the
 * caller, who adds `asked` to it while no SM runs. `sm` counts from the nearest SM. `arena` may be
 * NULL, here and in what follows.
 */
WsInstructionFetch *ws_instruction_fetch_new(const WsDevice *device, const WsProgram *program,
                                             guint32 sm, const WsLineDirectory *in_l2,
                                             WsStateArena *arena);
void ws_instruction_fetch_free(WsInstructionFetch *fetch);
/*
 * Before a launch of the kernel at cycle `begin`; `keep`: with the caches as the last launch left
 * them.
 */
void ws_instruction_fetch_begin(WsInstructionFetch *fetch, const WsKernel *kernel, gboolean keep,
                                guint64 begin);

/* When the first line of a warp is asked for that can issue at `first`: L1 answers in time. */
static inline guint64 ws_fetch_before(const WsInstructionFetch *fetch, guint64 first)
{
    return first - MIN(first, fetch->latency);
}

/*
 * A warp of the sub-core wants a line of the kernel at `cycle`, `in_line` if it is the one behind
 * that from which it executes: returns the cycle from which it has it, `cycle` if it is near.
 */
guint64 ws_instruction_fetch(WsInstructionFetch *fetch, guint sub_core, guint32 line, guint64 cycle,
                             gboolean in_line);

#endif
