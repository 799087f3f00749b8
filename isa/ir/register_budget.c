#include "isa/ir/register_budget.h"

static const WsCodeLimits *limits_for(const WsCompileOptions *options)
{
    return options->target != NULL ? &options->target->limits : &ws_code_limits_plain;
}

/* Warps that a block may have, or 0 if the kernel does not say. */
static guint64 warps_of(const WsKernel *kernel, const WsCodeLimits *limits)
{
    guint64 threads = kernel->max_threads;
    if (kernel->required_block[0] != 0)
        threads = (guint64)kernel->required_block[0] * MAX(kernel->required_block[1], 1) *
                  MAX(kernel->required_block[2], 1);
    return (threads + limits->warp_size - 1) / limits->warp_size;
}

/*
 * Blocks of an SM that the kernel asks for, 0 for none. As for ptxas 13.0 that is nothing where it
 * does not say how many threads a block has, or these would be more than an SM holds.
 */
static guint64 blocks_asked_for(const WsKernel *kernel, const WsCodeLimits *limits)
{
    guint64 warps = warps_of(kernel, limits);
    return warps != 0 && kernel->min_blocks * warps <= limits->warps ? kernel->min_blocks : 0;
}

guint ws_register_cap(const WsKernel *kernel, const WsCompileOptions *options)
{
    const WsCodeLimits *limits = limits_for(options);
    guint64 cap = limits->registers_per_thread;
    if (kernel->registers != 0)
        cap = MIN(cap, kernel->registers);
    if (options->max_registers != 0)
        cap = MIN(cap, options->max_registers);
    guint64 units = (warps_of(kernel, limits) + limits->warp_unit - 1) / limits->warp_unit;
    if (units != 0) {
        guint64 blocks = blocks_asked_for(kernel, limits);
        guint64 budget =
            limits->registers / (limits->warp_unit * limits->warp_size) / units / MAX(blocks, 1);
        if (budget >= limits->register_unit)
            cap = MIN(cap, budget / limits->register_unit * limits->register_unit);
    }
    return (guint)cap;
}

guint ws_register_goal(const WsKernel *kernel, const WsCompileOptions *options)
{
    const WsCodeLimits *limits = limits_for(options);
    guint64 warps = MAX(warps_of(kernel, limits) != 0 ? warps_of(kernel, limits)
                                                      : limits->block_threads / limits->warp_size,
                        1);
    guint64 shared = kernel->static_shared_bytes + limits->shared_reserved;
    shared = (shared + limits->shared_unit - 1) / limits->shared_unit * limits->shared_unit;
    guint64 blocks = MIN(limits->warps / MIN(warps, limits->warps), limits->blocks);
    if (shared > 0)
        blocks = MIN(blocks, limits->shared_bytes / shared);
    if (blocks_asked_for(kernel, limits) != 0)
        blocks = blocks_asked_for(kernel, limits);
    guint64 goal = limits->registers / (MAX(blocks, 1) * warps * limits->warp_size) /
                   limits->register_unit * limits->register_unit;
    return (guint)CLAMP(goal, limits->register_unit, limits->registers_per_thread);
}
