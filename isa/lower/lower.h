/*
 * What the files of the PTX lowering share: the state while one kernel is lowered, operands and
 * emission. Not for users of the front end: see ws_ptx_to_ir() in ir.h.
 *
 * Values: a PTX register of up to 32 bits is one word, of 64 bits a pair, a predicate a virtual
 * predicate. The upper half of the word of an 8- or 16-bit value is not defined; who depends on it
 * extends first (ws_lower_extended()).
 */
#ifndef WS_ISA_LOWER_LOWER_H
#define WS_ISA_LOWER_LOWER_H

#include "isa/bytecode/operand.h"
#include "isa/lower/module.h"

enum {
    WS_PTX_MAX_INLINE_DEPTH = 64,
    WS_PTX_MAX_EMITTED = 1 << 20, /* instructions of a kernel */
    WS_PTX_MAX_LOCAL_BYTES = 512 << 10,
    WS_PTX_MAX_SHARED_BYTES = 48 << 10 /* static, of a kernel: what ptxas takes for any target */
};

enum { WS_PTX_MAX_TYPES = 4, WS_PTX_MAX_MOVES = 8 };

/* One function being lowered: the kernel, or a device function inlined into it. */
typedef struct {
    const WsPtxModule *module;
    const WsPtxFunction *function;
    guint32 *registers;     /* IR number of each PTX register, 0 = not yet */
    guint8 *mentions;       /* by PTX register: operands that name it, 2 for more; NULL = not yet */
    guint32 *labels;        /* block of each label, WS_IR_NO_BLOCK = not yet */
    GHashTable *parameters; /* WsPtxVariable* -> GArray of guint32 IR registers, one a word */
    GHashTable *locals;     /* WsPtxVariable* -> offset in local memory + 1 */
    GHashTable *locations;  /* PTX location -> IR location */
    guint32 next;           /* statement */
    guint32 return_block;
    guint32 location;           /* IR location of the call */
    guint32 ptx_line;           /* of the call */
    const WsPtxStatement *call; /* call statement of the frame below, or NULL */
    WsOperand result;           /* of a library function: where its value goes */
    gboolean is_library;
    guint32 local_end;  /* of its variables in local memory */
    gboolean stacked;   /* these count from the stack pointer */
    guint32 number;     /* as a WsIrFrame, 0 = none */
    guint32 skip_block; /* goes on here after the call: the guard's branch around it */
    WsOperand moves[WS_PTX_MAX_MOVES][2]; /* of the calling statement, due after the call */
    guint move_count;
} WsPtxFrame;

typedef struct {
    WsLowerModule *module;

    /* of the kernel */
    WsIrFunction *function;
    const WsPtxFunction *kernel;
    GHashTable *kernel_parameters; /* WsPtxVariable* -> byte offset in bank 0 */
    GHashTable *shared;            /* WsPtxVariable* -> byte offset in shared memory + 1 */
    guint32 reserved_shared;       /* offset of what %reserved_smem_offset_1 names */
    GPtrArray *frames;             /* of WsPtxFrame* */
    guint32 emitted;
    guint32 block;        /* being filled, or WS_IR_NO_BLOCK after an unconditional branch */
    guint32 carry;        /* predicate of the condition code, 0 = not yet */
    guint64 address_work; /* done so far to find spaces of generic addresses */
    guint32 lane;         /* register: number of the lane, read in lane_block; 0 = not yet */
    guint32 lane_block;
    GPtrArray *bodies;       /* of WsPtxBody*: functions that are called (bodies.h); NULL = none */
    GHashTable *body_map;    /* WsPtxFunction* -> its WsPtxBody */
    GHashTable *conventions; /* signature -> WsPtxConvention */
    GArray *sites;           /* of WsPtxSite */
    struct WsPtxBody *body;  /* being lowered; NULL = the kernel */
    guint32 stack;           /* register: the stack pointer; 0 = not needed yet */
    WsOperand launch_error;  /* register: of launches by the thread, where the module has any */

    /* of the statement */
    WsPtxFrame *frame;
    const WsPtxStatement *statement;
    const WsPtxOperand *operands;
    WsPtxType types[WS_PTX_MAX_TYPES];
    guint type_count;
    guint32 guard;
    gboolean guard_negated;
    guint32 location;
    WsOperand moves[WS_PTX_MAX_MOVES][2]; /* copies due at the end of the statement: to, from */
    guint move_count;
    WsOperand wide_special; /* pair of the 64-bit special register whose low word was asked for */

    gboolean failed;
    GError **error;
} WsPtxLower;

/* ---- the table ---- */

typedef void (*WsPtxLowerFunction)(WsPtxLower *lower);

/* Makes blocks, so that a guard becomes a branch around it: always, or in shared memory only. */
enum { WS_PTX_ROW_BRANCHES = 1, WS_PTX_ROW_BRANCHES_IF_SHARED = 2 };

typedef struct {
    const char *opcode;
    const char *modifiers;   /* allowed, separated by blanks; types apart */
    guint32 types;           /* allowed first types, a bit each; 0 = the opcode has none */
    guint32 others;          /* allowed further types */
    guint8 minimum, maximum; /* operands */
    guint8 flags;
    WsPtxLowerFunction lower;
} WsPtxRow;

#define WS_PTX_BIT(type) (1u << WS_PTX_##type)

/* TRUE for two 16-bit floats in a word. */
static inline gboolean ws_lower_is_packed(WsPtxType type)
{
    return type == WS_PTX_F16X2 || type == WS_PTX_BF16X2;
}

/* Where cooperative groups of more than a warp keep their barriers. */
#define WS_PTX_RESERVED_SHARED "%reserved_smem_offset_1"
/* The words of the address of the memory of a grid that blocks which wait for each other use. */
#define WS_PTX_GRID_MEMORY_HIGH "%envreg1"
#define WS_PTX_GRID_MEMORY_LOW  "%envreg2"

/* Tables of the families, each ended by a row without opcode. */
extern const WsPtxRow ws_ptx_integer_rows[];
extern const WsPtxRow ws_ptx_saturate_rows[];
extern const WsPtxRow ws_ptx_logic_rows[];
extern const WsPtxRow ws_ptx_compare_rows[];
extern const WsPtxRow ws_ptx_float_rows[];
extern const WsPtxRow ws_ptx_approximate_rows[];
extern const WsPtxRow ws_ptx_convert_rows[];
extern const WsPtxRow ws_ptx_memory_rows[];
extern const WsPtxRow ws_ptx_atomic_rows[];
extern const WsPtxRow ws_ptx_warp_rows[];
extern const WsPtxRow ws_ptx_control_rows[];
extern const WsPtxRow ws_ptx_texture_rows[];
extern const WsPtxRow ws_ptx_matrix_rows[];
extern const WsPtxRow ws_ptx_video_rows[];
extern const WsPtxRow ws_ptx_async_copy_rows[];

/* ---- errors ---- */

/* Reports at the statement (or at an operand) and marks the lowering as failed. */
void ws_lower_fail(WsPtxLower *lower, const WsPosition *position, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
/* "instruction '...' is not supported", at the statement. */
void ws_lower_refuse(WsPtxLower *lower);

/* ---- operands ---- */

gboolean ws_lower_has(const WsPtxLower *lower, const char *modifier);
/* Position in `names` (NULL-terminated) of the first that is a modifier; -1 if none is. */
int ws_lower_which(const WsPtxLower *lower, const char *const *names);

/* Word of source operand `n`: register, immediate. Sub-word values as they lie in the register. */
WsOperand ws_lower_source(WsPtxLower *lower, guint n);
WsOperand ws_lower_source_word(WsPtxLower *lower, guint n, guint word);
WsOperand ws_lower_operand_word(WsPtxLower *lower, const WsPtxOperand *operand, WsPtxType type,
                                guint word);
/* The same, extended to 32 bits as `type` (8, 16 or 32 bits) says. */
WsOperand ws_lower_extended(WsPtxLower *lower, guint n, WsPtxType type);
WsOperand ws_lower_extend(WsPtxLower *lower, WsOperand value, WsPtxType type);
/* A 64-bit source in a register pair. */
WsOperand ws_lower_source_pair(WsPtxLower *lower, guint n);
WsOperand ws_lower_pair(WsPtxLower *lower, WsOperand low, WsOperand high);
/* A 64-bit float source: pair or immediate high word. */
WsOperand ws_lower_source_double(WsPtxLower *lower, guint n);
/* Copies into a fresh register unless it is one already. */
WsOperand ws_lower_in_register(WsPtxLower *lower, WsOperand operand);
WsOperand ws_lower_source_predicate(WsPtxLower *lower, guint n);
WsOperand ws_lower_predicate_of(WsPtxLower *lower, const WsPtxOperand *operand);

/*
 * Destination operand `n`, of as many words as its register has; RZ for '_'. Where a source is the
 * same register it is a fresh one, copied when the statement ends: it may be written before the
 * sources are read.
 */
WsOperand ws_lower_destination(WsPtxLower *lower, guint n);
WsOperand ws_lower_destination_of(WsPtxLower *lower, const WsPtxOperand *operand, guint bits);
WsOperand ws_lower_destination_predicate(WsPtxLower *lower, guint n);
WsOperand ws_lower_second_predicate(WsPtxLower *lower, guint n); /* after '|'; PT if none */
void ws_lower_flush_moves(WsPtxLower *lower);

/* Words of the register of an operand: 1, 2, 4; 0 for predicates and what is no register. */
guint ws_lower_register_words(const WsPtxLower *lower, const WsPtxOperand *operand);
WsOperand ws_lower_temporary(WsPtxLower *lower, guint words);
WsOperand ws_lower_temporary_predicate(WsPtxLower *lower);

/* Generic address, offset in shared or local memory, or offset in bank 3 of a variable. */
guint64 ws_lower_address_of(WsPtxLower *lower, const WsPtxVariable *variable,
                            const WsPosition *position);

/*
 * The address of what lies at `offset` of shared memory: a constant, or where compiled code makes
 * it at run time (options->load_constants: Hopper) a register. See shared_base.c.
 */
WsOperand ws_lower_shared_base(WsPtxLower *lower, guint32 offset);

/* The handle that a .texref variable or a parameter of the kernel holds: c[bank][offset]. */
WsOperand ws_lower_texture_reference(WsPtxLower *lower, const WsPtxVariable *variable,
                                     const WsPosition *position);

/* ---- emission ---- */

/*
 * Appends an instruction with the operands of its row, as far as given; NONE keeps a default.
 * Operands that the slots do not take (immediates where a register must be, two immediates) are
 * moved to registers first. The result is good until the next call.
 */
WsInstruction *ws_lower_emit(WsPtxLower *lower, WsOpcode opcode, const WsOperand *operands,
                             guint count);
#define EMIT(lower, opcode, ...)                                                                   \
    ws_lower_emit(lower, WS_OP_##opcode, (const WsOperand[]){__VA_ARGS__},                         \
                  sizeof((const WsOperand[]){__VA_ARGS__}) / sizeof(WsOperand))
/* So many instructions more; fails where the kernel has too many. */
void ws_lower_count(WsPtxLower *lower, guint32 instructions);
void ws_lower_move(WsPtxLower *lower, WsOperand to, WsOperand from);
void ws_lower_move_pair(WsPtxLower *lower, WsOperand to, WsOperand from);
/* d = table(a, b, c) */
void ws_lower_logic(WsPtxLower *lower, WsOperand d, WsOperand a, WsOperand b, WsOperand c,
                    guint8 table);
void ws_lower_add(WsPtxLower *lower, WsOperand d, WsOperand a, WsOperand b);
void ws_lower_add_pair(WsPtxLower *lower, WsOperand d, WsOperand a0, WsOperand a1, WsOperand b0,
                       WsOperand b1);
void ws_lower_select(WsPtxLower *lower, WsOperand d, WsOperand p, WsOperand a, WsOperand b);
/* SHF with its modifiers: direction WS_DIRECTION_*, type WS_SHIFT_*. */
void ws_lower_shift(WsPtxLower *lower, WsOperand d, WsOperand low, WsOperand amount, WsOperand high,
                    guint direction, guint type, gboolean high_word);
/* p = a cmp b, 32 bits */
void ws_lower_compare(WsPtxLower *lower, WsOperand p, guint cmp, gboolean is_unsigned, WsOperand a,
                      WsOperand b);

/* ---- blocks ---- */

guint32 ws_lower_new_block(WsPtxLower *lower);
/* Ends the block: falls through to `next`. */
void ws_lower_fall_through(WsPtxLower *lower, guint32 next);
/* Ends the block with a branch; `p` NONE = always. Filling goes on in `next` (or nowhere). */
void ws_lower_branch(WsPtxLower *lower, WsOperand p, guint32 taken, guint32 next);
/* Ends the block with EXIT or BPT under the guard of the statement. */
WsInstruction *ws_lower_end(WsPtxLower *lower, WsOpcode opcode);
guint32 ws_lower_label_block(WsPtxLower *lower, guint32 label);

/* Lowers what is left of the statements of the only frame, and what it inlines. */
void ws_lower_statements(WsPtxLower *lower);

/* ---- calls (isa/lower/call.c) ---- */

typedef struct {
    WsOperand word[2];
} WsPtxValue;

/* Inlines `name` of the library; its result goes to `result` when it returns. */
void ws_lower_call_library(WsPtxLower *lower, const char *name, const WsPtxValue *arguments,
                           guint count, WsOperand result);
/* The library function named after the statement's opcode, over its operands. */
void ws_lower_by_library(WsPtxLower *lower);
void ws_lower_call(WsPtxLower *lower);
/* `count` (1 or 2) words of what a call passes to a function or takes from it. */
void ws_lower_passed_words(WsPtxLower *lower, const WsPtxOperand *passed, guint count,
                           WsOperand *ret);
/* The call of a function of the system (isa/lower/system_call.c). FALSE: there is none of the name.
 */
gboolean ws_lower_system_call(WsPtxLower *lower, const char *name, const WsPtxOperand *actual,
                              guint count, const WsPtxOperand *results, guint result_count);
void ws_lower_return(WsPtxLower *lower);
WsPtxFrame *ws_lower_push_frame(WsPtxLower *lower, const WsPtxModule *module,
                                const WsPtxFunction *function);
/* Leaves the innermost frame: results go to the caller, filling goes on behind the call. */
void ws_lower_pop_frame(WsPtxLower *lower);
/* Words of a .param variable inside a function. */
GArray *ws_lower_parameter_words(WsPtxLower *lower, WsPtxFrame *frame,
                                 const WsPtxVariable *variable);

/* ---- frames (isa/lower/frames.c), if the options ask for variables ---- */

/* Makes the WsIrFrame of a frame, with its variables in local memory; called at `location`. */
void ws_lower_note_frame(WsPtxLower *lower, WsPtxFrame *frame);
/* Adds parameters and shared variables to the kernel's, once these have places. */
void ws_lower_note_kernel(WsPtxLower *lower);
void ws_lower_note_registers(WsPtxLower *lower, const WsPtxFrame *frame);

/* ---- layout (isa/lower/layout.c) ---- */

/* A variable in a frame on the stack: the place of its byte `offset` in local memory. */
WsOperand ws_lower_stacked_place(WsPtxLower *lower, const WsPtxVariable *variable, guint64 offset);
/* That of a device function that an operand names. */
guint64 ws_lower_function_address(WsPtxLower *lower, const WsPtxOperand *operand);
gboolean ws_lower_is_stacked(const WsPtxLower *lower, const WsPtxVariable *variable);

/* Parameters, shared memory, limits of the kernel. */
gboolean ws_ptx_layout_kernel(WsPtxLower *lower);

#endif
