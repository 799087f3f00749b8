#include "isa/ir/register_budget.h"

enum { REGISTERS_PER_SM = 65536, LARGEST = 255, WARP = 32, WARPS_PER_SM = 64, UNIT = 8 };

/* Warps that a block may have, or 0 if the kernel does not say. */
static guint64 warps_of(const WsKernel *kernel)
{
    guint64 threads = kernel->max_threads;
    if (kernel->required_block[0] != 0)
        threads = (guint64)kernel->required_block[0] * MAX(kernel->required_block[1], 1) *
                  MAX(kernel->required_block[2], 1);
    return (threads + WARP - 1) / WARP;
}

/*
 * Blocks of an SM that the kernel asks for, 0 for none. As for ptxas 13.0 that is nothing where it
 * does not say how many threads a block has, or these would be more than an SM holds.
 */
static guint64 blocks_asked_for(const WsKernel *kernel)
{
    guint64 warps = warps_of(kernel);
    return warps != 0 && kernel->min_blocks * warps <= WARPS_PER_SM ? kernel->min_blocks : 0;
}

guint ws_register_cap(const WsKernel *kernel, const WsCompileOptions *options)
{
    enum { WARP_UNIT = 4 };
    guint64 cap = LARGEST;
    if (kernel->registers != 0)
        cap = MIN(cap, kernel->registers);
    if (options->max_registers != 0)
        cap = MIN(cap, options->max_registers);
    guint64 units = (warps_of(kernel) + WARP_UNIT - 1) / WARP_UNIT;
    if (units != 0) {
        guint64 blocks = blocks_asked_for(kernel);
        guint64 budget = REGISTERS_PER_SM / (WARP_UNIT * WARP) / units / MAX(blocks, 1);
        if (budget >= UNIT)
            cap = MIN(cap, budget / UNIT * UNIT);
    }
    return (guint)cap;
}

guint ws_register_goal(const WsKernel *kernel)
{
    enum {
        BLOCKS = 32,
        SHARED = 228 << 10,
        SHARED_RESERVED = 1024,
        SHARED_UNIT = 128,
        LARGEST_BLOCK = 1024
    };
    guint64 warps = warps_of(kernel) != 0 ? warps_of(kernel) : LARGEST_BLOCK / WARP;
    guint64 shared = kernel->static_shared_bytes + SHARED_RESERVED;
    shared = (shared + SHARED_UNIT - 1) / SHARED_UNIT * SHARED_UNIT;
    guint64 blocks = MIN(MIN(WARPS_PER_SM / MIN(warps, WARPS_PER_SM), BLOCKS), SHARED / shared);
    if (blocks_asked_for(kernel) != 0)
        blocks = blocks_asked_for(kernel);
    guint64 goal = REGISTERS_PER_SM / (MAX(blocks, 1) * warps * WARP) / UNIT * UNIT;
    return (guint)CLAMP(goal, UNIT, LARGEST);
}
