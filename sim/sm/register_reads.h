/*
 * What each instruction reads of the register banks, worked out before a launch. Each bank of a
 * sub-core (by register number) hands out one operand in a cycle (sim/sm/register_ports.h). Inside
 * the library only.
 *
 * An instruction of the FMA, ALU, FP16 and FP64 pipes takes as many cycles of a bank as it reads
 * different registers of it. RZ, immediates, constants and uniform registers need no port; neither
 * does an operand in the operand cache. Each pipe of a sub-core has an entry of that cache for each
 * operand slot (A, B, C). An instruction that reads a register through a slot leaves it there if
 * its operand says `.reuse`, else the entry is empty; when another warp issues, or the warp jumps,
 * all are empty.
 */
#ifndef WS_SIM_SM_REGISTER_READS_H
#define WS_SIM_SM_REGISTER_READS_H

#include "isa/bytecode/program.h"
#include "sim/device/device.h"

enum {
    WS_REGISTER_BANKS = 2,
    /* Instructions of one run after which operands cached before it no longer matter, + 1. */
    WS_READ_RUNS = 8,
    WS_READ_BITS = 4
};

/*
 * Reads of instruction `n` of a kernel that begins at `first`. A byte for each number of
 * instructions that its warp has issued right before it in a line, 0 in the lowest: reads of the
 * even bank, and of the odd one in the bits from WS_READ_BITS on.
 */
guint64 ws_register_reads(const WsDevice *device, const WsInstruction *instructions, guint32 first,
                          guint32 n);

#endif
