/* How many registers a thread may have, and how many cost nothing. */
#ifndef WS_ISA_IR_REGISTER_BUDGET_H
#define WS_ISA_IR_REGISTER_BUDGET_H

#include "isa/bytecode/program.h"

/* Registers a thread may have, by the kernel's directives and the options. */
guint ws_register_cap(const WsKernel *kernel, const WsCompileOptions *options);
/*
 * Registers of a thread up to which an SM has as many warps as all else lets it have: warps and
 * blocks that it holds, static shared memory, threads of a block (1024 if the kernel does
 * not say) and the blocks that the kernel asks for. So does ptxas 13.0, on Hopper: a kernel that
 * takes 32 takes up to 37 under __launch_bounds__(64) with 8 KiB of shared memory (24 blocks), 45
 * with 256 threads and 47 KiB (4 blocks), 62 with 32 threads (32 blocks), 119 with 2 blocks of 256.
 */
guint ws_register_goal(const WsKernel *kernel, const WsCompileOptions *options);

#endif
