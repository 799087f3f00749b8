/*
 * A machine without schedulers: buffers, SM memories, and warps whose registers the test fills by
 * hand. Issues single memory instructions at chosen cycles and runs the windows in between.
 */
#ifndef WS_TESTS_MEMORY_FIXTURE_H
#define WS_TESTS_MEMORY_FIXTURE_H

#include "sim/memory/memory.h"

enum { MACHINE_WARPS = 64, MACHINE_REGISTERS = 16, MACHINE_MAX_SMS = 8, MACHINE_OPS = 64 };

/* Registers by convention: R2:R3 address, R4..R7 value, R8..R11 second value, R12..R15 result. */
enum { R_ADDRESS = 2, R_VALUE = 4, R_SECOND = 8, R_RESULT = 12 };

typedef struct {
    WsDevice *device;
    WsProgram *program;
    WsKernel kernel;
    WsDecodedProgram decoded;
    WsJob job;
    WsGlobalMemory *contents;
    WsMemorySystem *system;
    guint32 sms;
    WsSmMemory *memory[MACHINE_MAX_SMS];
    WsWarpRegisters *warps[MACHINE_MAX_SMS][MACHINE_WARPS];
    guint64 window;                        /* length */
    guint64 settled;                       /* end of the last settled window */
    guint64 ready[MACHINE_MAX_SMS][65536]; /* by token: ready cycle of completed accesses */
    gboolean reverse;                      /* SMs are drained in descending order */
    guint32 shares;  /* if not 0, L2 is settled by so many shares, the last one first */
    gboolean batch;  /* see machine_batch() */
    guint64 arrived; /* cycles at which deliver() had something to do */
} Machine;

/* `bytes` for each of `buffers` buffers, from 0x10000000 on, 1 MiB gap or more. */
Machine *machine_new(const char *device, const char *const *settings, guint32 sms,
                     const guint64 *bytes, guint32 buffers, guint64 carveout, guint32 local_bytes);
void machine_free(Machine *machine);

/* Instruction number of `opcode` with the registers above and these modifiers. */
guint32 machine_op(Machine *machine, WsOpcode opcode, guint width, guint cache);
guint32 machine_atomic(Machine *machine, WsOpcode opcode, guint operation, guint type);

void machine_set_address(Machine *machine, guint32 sm, guint32 warp, guint32 lane, guint64 address);
guint32 *machine_register(Machine *machine, guint32 sm, guint32 warp, guint32 row, guint32 lane);

/* Issues for the lanes of `mask`; the warp's sub-core is warp mod sub-cores. */
WsMemoryAccess machine_issue(Machine *machine, guint32 sm, guint32 warp, guint64 cycle, guint32 op,
                             guint64 mask);
/* Answers that complete nothing are delivered in batches from now on, as an SM has it. */
void machine_batch(Machine *machine);
/* Runs the windows before the one of `cycle` and delivers what has arrived by then. */
void machine_run(Machine *machine, guint64 cycle);
/* Issues, runs until the access is complete and returns the cycle at which its result is usable. */
guint64 machine_complete(Machine *machine, guint32 sm, guint32 warp, guint64 cycle, guint32 op,
                         guint64 mask);
/* Windows until nothing is under way; returns the last cycle at which anything arrived. */
guint64 machine_drain(Machine *machine);
guint64 machine_all(const Machine *machine);

#endif
