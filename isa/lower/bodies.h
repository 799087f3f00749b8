/*
 * Functions that are called, not inlined: those that a call through a pointer may enter, and those
 * that may enter themselves again. In each kernel that may call it such a function has a body of
 * its own, lowered behind the kernel's code; WsIrSite (isa/ir/ir.h) says what a call looks like.
 *
 * Arguments, results and the return address go in registers, the same for all functions of a
 * signature. A body's own values have registers of their own. What a body keeps over a call that
 * may enter it again it puts on the stack (stack_frames.c).
 */
#ifndef WS_ISA_LOWER_BODIES_H
#define WS_ISA_LOWER_BODIES_H

#include "isa/lower/call_graph.h"
#include "isa/lower/lower.h"

enum { WS_PTX_STACK_ALIGN = 16 };

/* Registers in which values are passed. */
typedef struct {
    GArray *results, *arguments; /* of WsOperand: words and predicates */
    WsOperand link;              /* the return address */
} WsPtxConvention;

struct WsPtxBody {
    const WsPtxFunction *function;
    guint32 number;    /* of the kernel's bodies */
    guint32 component; /* as in the call graph: 0 = not recursive */
    gboolean uses_stack;
    guint32 entry, exit; /* blocks */
    WsOperand link;      /* where it keeps the return address */
    GArray *returns;     /* of guint32: the block behind each call */
    guint32 local_bytes; /* of its variables, if its frame is on the stack */
};

/* A call of a body: function->sites has the rest of it. */
typedef struct {
    const WsPtxBody *caller; /* NULL: the kernel */
    const WsPtxBody *callee;
    guint32 block, behind;
} WsPtxSite;

/* Calls the function that the statement names. */
void ws_lower_call_body(WsLowerStatement *lower, const WsPtxFunction *function,
                        const WsPtxCallParts *parts);
/* Calls what the address in the register of the statement says. */
void ws_lower_call_pointer(WsLowerStatement *lower, const WsPtxCallParts *parts);
void ws_lower_init_bodies(WsLowerKernel *kernel);
void ws_lower_clear_bodies(WsLowerKernel *kernel);
/* Lowers the bodies of all that the kernel calls. */
void ws_lower_bodies(WsLowerKernel *kernel);

/* isa/lower/stack_frames.c: frames of the bodies that have them on the stack. */
void ws_lower_place_frames(WsLowerKernel *kernel);
/* The register that says where the frame of the body at hand begins in local memory. */
WsOperand ws_lower_stack_pointer(WsLowerKernel *kernel);

#endif
