/*
 * The statement being lowered, and the function that it stands in.
 *
 * A WsLowerStatement, always called `lower`, lasts until the instructions of the statement are
 * emitted. That of a call which is inlined lasts longer: it waits in the frame of the function
 * called. A frame lasts from the call to the return.
 */
#ifndef WS_ISA_LOWER_STATEMENT_H
#define WS_ISA_LOWER_STATEMENT_H

#include "isa/bytecode/instruction.h"
#include "isa/lower/kernel.h"

enum { WS_PTX_MAX_TYPES = 4, WS_PTX_MAX_MOVES = 8, WS_PTX_MAX_INLINE_DEPTH = 64 };

typedef struct {
    WsLowerKernel *kernel;
    WsPtxFrame *frame; /* that it stands in; the caller, while a call passes its arguments */
    const WsPtxStatement *statement; /* NULL: see ws_lower_no_statement() */
    const WsPtxOperand *operands;
    WsPtxType types[WS_PTX_MAX_TYPES];
    guint type_count;
    guint32 guard;
    gboolean guard_negated;
    guint32 skip;                         /* block: goes on here when done, or WS_IR_NO_BLOCK */
    WsOperand moves[WS_PTX_MAX_MOVES][2]; /* copies due when done: to, from */
    guint move_count;
    WsOperand wide_special; /* pair of the 64-bit special register whose low word was asked for */
} WsLowerStatement;

/* The function of a code, or one inlined into it. */
struct WsPtxFrame {
    WsPtxFrame *caller; /* NULL: the function of the code itself */
    guint depth;        /* number of callers */
    const WsPtxModule *module;
    const WsPtxFunction *function;
    gboolean is_library;
    guint32 *registers;     /* IR number of each PTX register, 0 = not yet */
    guint8 *mentions;       /* by PTX register: operands that name it, 2 for more; NULL = not yet */
    guint32 *labels;        /* block of each label, WS_IR_NO_BLOCK = not yet */
    GHashTable *parameters; /* WsPtxVariable* -> GArray of guint32 IR registers, one a word */
    GHashTable *locals;     /* places in local memory (module.h) */
    GHashTable *locations;  /* PTX location -> IR location */
    guint32 next;           /* statement */
    guint32 location;       /* IR location of the statement at hand; in the library of the call */
    guint32 local_end;      /* of its variables in local memory */
    gboolean stacked;       /* these count from the stack pointer */
    guint32 number;         /* as a WsIrFrame, 0 = none */
    WsLowerStatement call;  /* that made the frame, and is done when it returns */
    guint32 return_block;
    WsOperand result; /* of a library function: where its value goes */
};

/* The statement that a frame has come to; NULL: it has not begun. */
static inline const WsPtxStatement *ws_lower_statement_at(const WsPtxFrame *frame)
{
    return frame->next == 0
               ? NULL
               : &g_array_index(frame->function->statements, WsPtxStatement, frame->next - 1);
}

/* For code of our own where the innermost frame has come to: it runs in all lanes. */
static inline WsLowerStatement ws_lower_no_statement(WsLowerKernel *kernel)
{
    return (WsLowerStatement){
        .kernel = kernel, .frame = kernel->frame, .guard = WS_PT, .skip = WS_IR_NO_BLOCK};
}

/* Copies when the statement is done. */
static inline void ws_lower_move_when_done(WsLowerStatement *lower, WsOperand to, WsOperand from)
{
    lower->moves[lower->move_count][0] = to;
    lower->moves[lower->move_count++][1] = from;
}

/* Makes the copies that are due, and goes on behind the branch around the statement. */
void ws_lower_done(WsLowerStatement *lower);

/* Inlines a function: what follows is lowered in its frame, until this returns. */
WsPtxFrame *ws_lower_push_frame(const WsLowerStatement *call, const WsPtxModule *module,
                                const WsPtxFunction *function);
/* Leaves the innermost frame: results go to the caller, the call is done. */
void ws_lower_pop_frame(WsLowerKernel *kernel);

#endif
