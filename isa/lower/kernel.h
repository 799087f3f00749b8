/*
 * A kernel while it is lowered, into one function of the intermediate form. From the beginning of
 * lower_kernel() to its end.
 *
 * A kernel has its own code and that of the bodies which are called (bodies.h), lowered one after
 * the other. From ws_lower_begin_code() to ws_lower_end_code() a code has a stack of frames: its
 * function, and those that are being inlined (statement.h).
 */
#ifndef WS_ISA_LOWER_KERNEL_H
#define WS_ISA_LOWER_KERNEL_H

#include "isa/bytecode/operand.h"
#include "isa/lower/module.h"

enum {
    WS_PTX_MAX_EMITTED = 1 << 20,       /* instructions of a kernel */
    WS_PTX_MAX_SHARED_BYTES = 48 << 10, /* static: what ptxas takes for any target */
    WS_PTX_MAX_LOCAL_BYTES = 512 << 10
};

typedef struct WsPtxFrame WsPtxFrame;
typedef struct WsPtxBody WsPtxBody;

typedef struct {
    WsLowerModule *module;
    const WsPtxFunction *ptx;
    WsIrFunction *ir;
    GError *refusal;         /* why it cannot be lowered; NULL = nothing is wrong so far */
    GHashTable *parameters;  /* places in bank 0 (module.h) */
    GHashTable *shared;      /* places in shared memory */
    guint32 reserved_shared; /* offset of what %reserved_smem_offset_1 names */
    guint32 emitted;         /* instructions so far */
    guint64 address_work;    /* done so far to find spaces of generic addresses */
    WsOperand launch_error;  /* register: of launches by the thread, where the module has any */
    guint32 stack;           /* register: the stack pointer; 0 = not needed yet */
    GPtrArray *bodies;       /* of WsPtxBody*, as they are first called */
    GHashTable *body_map;    /* WsPtxFunction* -> its WsPtxBody */
    GHashTable *conventions; /* signature -> WsPtxConvention */
    GArray *sites;           /* of WsPtxSite */

    /* of the code at hand */
    WsPtxBody *body;   /* NULL = the kernel's own */
    WsPtxFrame *frame; /* the innermost */
    guint32 block;     /* being filled, or WS_IR_NO_BLOCK after an unconditional branch */
    guint32 carry;     /* predicate of the condition code, 0 = not yet */
    guint32 lane;      /* register: number of the lane, read in lane_block; 0 = not yet */
    guint32 lane_block;
} WsLowerKernel;

/*
 * Refuses the kernel, unless it is refused already. The message is for `position` of the PTX; where
 * this is clang's, for the line of the CUDA source that the innermost frame has come to.
 */
void ws_lower_fail(WsLowerKernel *kernel, const WsPosition *position, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* Places for parameters and shared variables, and the limits of the kernel. FALSE: refused. */
gboolean ws_lower_place_kernel(WsLowerKernel *kernel);

/* So many instructions more; refuses a kernel of too many. */
void ws_lower_count(WsLowerKernel *kernel, guint32 instructions);

/* Goes on in `next`, into which the block falls. */
void ws_lower_fall_through(WsLowerKernel *kernel, guint32 next);
/* The block of a label of the innermost frame. */
guint32 ws_lower_label_block(WsLowerKernel *kernel, guint32 label);

/* `body` NULL: the kernel's own code. Filling begins in `block`. */
void ws_lower_begin_code(WsLowerKernel *kernel, WsPtxBody *body, const WsPtxFunction *function,
                         guint32 block);
/* Lowers the statements, and those of the functions that they inline. */
void ws_lower_statements(WsLowerKernel *kernel);
/* Forgets the frames. */
void ws_lower_end_code(WsLowerKernel *kernel);

/* isa/lower/frames.c: what the options ask for to find variables by name. */
/* Makes the WsIrFrame of a frame, with its variables in local memory. */
void ws_lower_note_frame(WsLowerKernel *kernel, WsPtxFrame *frame);
/* Adds parameters and shared variables to the kernel's, once these have places. */
void ws_lower_note_kernel(WsLowerKernel *kernel);
void ws_lower_note_registers(WsLowerModule *module, const WsPtxFrame *frame);

#endif
