/*
 * What the rows of the table are made of: operands of the statement, and emission. Not for users of
 * the front end: see ws_ptx_to_ir() in ir.h.
 *
 * State is of three kinds, by how long it lasts: of the module (module.h), of the kernel
 * (kernel.h), of the statement (statement.h). Each leads to the one before it.
 *
 * Values: a PTX register of up to 32 bits is one word, of 64 bits a pair, a predicate a virtual
 * predicate. The upper half of the word of an 8- or 16-bit value is not defined; who depends on it
 * extends first (ws_lower_extended()).
 */
#ifndef WS_ISA_LOWER_LOWER_H
#define WS_ISA_LOWER_LOWER_H

#include "isa/lower/statement.h"

/* ---- the table ---- */

typedef void (*WsPtxLowerFunction)(WsLowerStatement *lower);

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

/* Words of a register of the type. */
static inline guint ws_lower_words(WsPtxType type)
{
    return MAX(1, ws_ptx_type_bits(type) / 32);
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

/* "instruction '...' is not supported" */
void ws_lower_refuse(WsLowerStatement *lower);

/* ---- operands ---- */

gboolean ws_lower_has(const WsLowerStatement *lower, const char *modifier);
/* Position in `names` (NULL-terminated) of the first that is a modifier; -1 if none is. */
int ws_lower_which(const WsLowerStatement *lower, const char *const *names);

/* The operands of a vector, or the coordinates of a texture operand. */
const WsPtxOperand *ws_lower_elements(const WsLowerStatement *lower, const WsPtxOperand *vector);

/* Word of source operand `n`: register, immediate. Sub-word values as they lie in the register. */
WsOperand ws_lower_source(WsLowerStatement *lower, guint n);
WsOperand ws_lower_source_word(WsLowerStatement *lower, guint n, guint word);
WsOperand ws_lower_operand_word(WsLowerStatement *lower, const WsPtxOperand *operand,
                                WsPtxType type, guint word);
/* The same, extended to 32 bits as `type` (8, 16 or 32 bits) says. */
WsOperand ws_lower_extended(WsLowerStatement *lower, guint n, WsPtxType type);
WsOperand ws_lower_extend(WsLowerStatement *lower, WsOperand value, WsPtxType type);
/* A 64-bit source in a register pair. */
WsOperand ws_lower_source_pair(WsLowerStatement *lower, guint n);
WsOperand ws_lower_pair(WsLowerStatement *lower, WsOperand low, WsOperand high);
/* A 64-bit float source: pair or immediate high word. */
WsOperand ws_lower_source_double(WsLowerStatement *lower, guint n);
/* Copies into a fresh register unless it is one already. */
WsOperand ws_lower_in_register(WsLowerStatement *lower, WsOperand operand);
WsOperand ws_lower_source_predicate(WsLowerStatement *lower, guint n);
WsOperand ws_lower_predicate_of(WsLowerStatement *lower, const WsPtxOperand *operand);

/*
 * Destination operand `n`, of as many words as its register has; RZ for '_'. Where a source is the
 * same register it is a fresh one, copied when the statement ends: it may be written before the
 * sources are read.
 */
WsOperand ws_lower_destination(WsLowerStatement *lower, guint n);
WsOperand ws_lower_destination_of(WsLowerStatement *lower, const WsPtxOperand *operand, guint bits);
WsOperand ws_lower_destination_predicate(WsLowerStatement *lower, guint n);
WsOperand ws_lower_second_predicate(WsLowerStatement *lower, guint n); /* after '|'; PT if none */

/* Words of the register of an operand: 1, 2, 4; 0 for predicates and what is no register. */
guint ws_lower_register_words(const WsLowerStatement *lower, const WsPtxOperand *operand);
WsOperand ws_lower_temporary(WsLowerStatement *lower, guint words);
WsOperand ws_lower_temporary_predicate(WsLowerStatement *lower);

/* Generic address, offset in shared or local memory, or offset in bank 3 of a variable. */
guint64 ws_lower_address_of(WsLowerStatement *lower, const WsPtxVariable *variable,
                            const WsPosition *position);

/*
 * The address of what lies at `offset` of shared memory: a constant, or where compiled code makes
 * it at run time (options->load_constants: Hopper) a register. See shared_base.c.
 */
WsOperand ws_lower_shared_base(WsLowerStatement *lower, guint32 offset);

/* The handle that a .texref variable or a parameter of the kernel holds: c[bank][offset]. */
WsOperand ws_lower_texture_reference(WsLowerStatement *lower, const WsPtxVariable *variable,
                                     const WsPosition *position);

/* ---- emission ---- */

/*
 * Appends an instruction with the operands of its row, as far as given; NONE keeps a default.
 * Operands that the slots do not take (immediates where a register must be, two immediates) are
 * moved to registers first. The result is good until the next call.
 */
WsInstruction *ws_lower_emit(WsLowerStatement *lower, WsOpcode opcode, const WsOperand *operands,
                             guint count);
#define EMIT(lower, opcode, ...)                                                                   \
    ws_lower_emit(lower, WS_OP_##opcode, (const WsOperand[]){__VA_ARGS__},                         \
                  sizeof((const WsOperand[]){__VA_ARGS__}) / sizeof(WsOperand))
void ws_lower_move(WsLowerStatement *lower, WsOperand to, WsOperand from);
void ws_lower_move_pair(WsLowerStatement *lower, WsOperand to, WsOperand from);
/* d = table(a, b, c) */
void ws_lower_logic(WsLowerStatement *lower, WsOperand d, WsOperand a, WsOperand b, WsOperand c,
                    guint8 table);
void ws_lower_add(WsLowerStatement *lower, WsOperand d, WsOperand a, WsOperand b);
void ws_lower_add_pair(WsLowerStatement *lower, WsOperand d, WsOperand a0, WsOperand a1,
                       WsOperand b0, WsOperand b1);
void ws_lower_select(WsLowerStatement *lower, WsOperand d, WsOperand p, WsOperand a, WsOperand b);
/* SHF with its modifiers: direction WS_DIRECTION_*, type WS_SHIFT_*. */
void ws_lower_shift(WsLowerStatement *lower, WsOperand d, WsOperand low, WsOperand amount,
                    WsOperand high, guint direction, guint type, gboolean high_word);
/* p = a cmp b, 32 bits */
void ws_lower_compare(WsLowerStatement *lower, WsOperand p, guint cmp, gboolean is_unsigned,
                      WsOperand a, WsOperand b);

/* ---- blocks ---- */

/* Ends the block with a branch; `p` NONE = always. Filling goes on in `next` (or nowhere). */
void ws_lower_branch(WsLowerStatement *lower, WsOperand p, guint32 taken, guint32 next);
/* Ends the block with EXIT or BPT under the guard of the statement. */
WsInstruction *ws_lower_end(WsLowerStatement *lower, WsOpcode opcode);

/* ---- calls (isa/lower/call.c) ---- */

typedef struct {
    WsOperand word[2];
} WsPtxValue;

/* Inlines `name` of the library; its result goes to `result` when it returns. */
void ws_lower_call_library(WsLowerStatement *lower, const char *name, const WsPtxValue *arguments,
                           guint count, WsOperand result);
/* The library function named after the statement's opcode, over its operands. */
void ws_lower_by_library(WsLowerStatement *lower);
void ws_lower_call(WsLowerStatement *lower);
/* `count` (1 or 2) words of what a call passes to a function or takes from it. */
void ws_lower_passed_words(WsLowerStatement *lower, const WsPtxOperand *passed, guint count,
                           WsOperand *ret);
/* A call of a function of the system (isa/lower/system_call.c). FALSE: none has the name. */
gboolean ws_lower_system_call(WsLowerStatement *lower, const WsPtxCallParts *parts);
/* Words of a .param variable inside a function. */
GArray *ws_lower_parameter_words(WsLowerKernel *kernel, WsPtxFrame *frame,
                                 const WsPtxVariable *variable);

/* ---- places (isa/lower/layout.c) ---- */

/* A variable in a frame on the stack: the place of its byte `offset` in local memory. */
WsOperand ws_lower_stacked_place(WsLowerStatement *lower, const WsPtxVariable *variable,
                                 guint64 offset);
/* TRUE for such a variable. */
gboolean ws_lower_is_stacked(const WsPtxFrame *frame, const WsPtxVariable *variable);
/* The address of a device function that an operand names. */
guint64 ws_lower_function_address(WsLowerStatement *lower, const WsPtxOperand *operand);

#endif
