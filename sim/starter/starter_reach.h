/* What a try of a kernel did not reach, and what decides that; inside the library only. */
#ifndef WS_SIM_STARTER_STARTER_REACH_H
#define WS_SIM_STARTER_STARTER_REACH_H

#include "isa/bytecode/program.h"

/* Lines of one file that no thread reached, and none in between that one did. */
typedef struct {
    guint32 file; /* index into WsProgram.files */
    guint32 first, last;
    guint32 decided_at; /* line of the branch that no thread leaves towards them; 0 = not known */
    gboolean *decisive; /* by parameter of the kernel: its value, or what is in the buffer that it
                           points to, is a part of that branch's condition */
} WsUnreachedLines;

/*
 * `reached`: as WsInterpretOptions.reached leaves it. A line counts as reached when one of its
 * instructions that access memory or wait at barriers was carried out, or, where it has none of
 * these, any other: what a compiler moves in front of a branch is none of them. Returns an array of
 * WsUnreachedLines in the order of the files and lines. Free with g_array_unref.
 */
GArray *ws_starter_find_unreached(const WsProgram *program, const WsKernel *kernel,
                                  const guint8 *reached);

/*
 * How much of the kernel is reached: lines, and instructions that access memory or wait at
 * barriers. Others are not counted: the rare side of a division need not be reached. NULL: if all
 * were.
 */
guint32 ws_starter_count_reached(const WsProgram *program, const WsKernel *kernel,
                                 const guint8 *reached);

#endif
