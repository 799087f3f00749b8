/*
 * One instruction, unpacked. The same structure serves the assembler, the front ends (where
 * register numbers may still be virtual), the verifier, the disassembler and the simulator's
 * decoder. Its packed form is 16 bytes (isa/bytecode/encoding.h).
 */
#ifndef WS_ISA_BYTECODE_INSTRUCTION_H
#define WS_ISA_BYTECODE_INSTRUCTION_H

#include <glib.h>

/*
 * A row of instructions.def. Who only asks the table about it (kind, flags, slots, class, below)
 * needs no more; isa/bytecode/opcode.h has the names, for who means one instruction.
 */
typedef guint16 WsOpcode;
enum { WS_NO_OPCODE = G_MAXUINT16 };

/* ---- names, generated from the tables ---------------------------------------------------------
 */

typedef enum {
#define EXECUTION_CLASS(name, ...) WS_CLASS_##name,
#include "isa/bytecode/execution_classes.def"
#undef EXECUTION_CLASS
    WS_CLASS_COUNT
} WsClass;

typedef enum {
#define MODIFIER(name, ...) WS_MOD_##name,
#include "isa/bytecode/modifiers.def"
#undef MODIFIER
    WS_MOD_COUNT
} WsModifier;

typedef enum {
#define SPECIAL_REGISTER(name, ...) WS_SR_##name,
#include "isa/bytecode/special_registers.def"
#undef SPECIAL_REGISTER
    WS_SR_COUNT
} WsSpecialRegister;

/* Between what the value of a special register may differ: column VARIES of its row. */
typedef enum { WS_VARIES_NOTHING, WS_VARIES_WARPS, WS_VARIES_LANES } WsVaries;

/* Pipes of a sub-core that issue contends for; LSU and TEX end in units shared by the SM. */
typedef enum {
    WS_PIPE_FMA,
    WS_PIPE_ALU,
    WS_PIPE_FP16,
    WS_PIPE_FP16_MMA,
    WS_PIPE_FP64,
    WS_PIPE_TENSOR,
    WS_PIPE_XU,
    WS_PIPE_LSU,
    WS_PIPE_UNIFORM,
    WS_PIPE_CONTROL,
    WS_PIPE_COUNT
} WsPipe;

/* ---- values of the modifier groups, in the order of modifiers.def ------------------------------
 */

enum { WS_ROUND_NEAREST, WS_ROUND_DOWN, WS_ROUND_UP, WS_ROUND_ZERO };
enum {
    WS_FCMP_F,
    WS_FCMP_LT,
    WS_FCMP_EQ,
    WS_FCMP_LE,
    WS_FCMP_GT,
    WS_FCMP_NE,
    WS_FCMP_GE,
    WS_FCMP_NUM,
    WS_FCMP_NAN,
    WS_FCMP_LTU,
    WS_FCMP_EQU,
    WS_FCMP_LEU,
    WS_FCMP_GTU,
    WS_FCMP_NEU,
    WS_FCMP_GEU,
    WS_FCMP_T
};
enum {
    WS_ICMP_F,
    WS_ICMP_LT,
    WS_ICMP_EQ,
    WS_ICMP_LE,
    WS_ICMP_GT,
    WS_ICMP_NE,
    WS_ICMP_GE,
    WS_ICMP_T
};
enum { WS_BOOLEAN_AND, WS_BOOLEAN_OR, WS_BOOLEAN_XOR };
enum { WS_DIRECTION_LEFT, WS_DIRECTION_RIGHT };
enum { WS_SHIFT_U32, WS_SHIFT_S32, WS_SHIFT_U64, WS_SHIFT_S64 };
enum {
    WS_WIDTH_32,
    WS_WIDTH_U8,
    WS_WIDTH_S8,
    WS_WIDTH_U16,
    WS_WIDTH_S16,
    WS_WIDTH_64,
    WS_WIDTH_128
};
enum {
    WS_CACHE_DEFAULT,
    WS_CACHE_CONSTANT,
    WS_CACHE_STRONG_CTA,
    WS_CACHE_STRONG_GPU,
    WS_CACHE_STRONG_SYS,
    WS_CACHE_EVICT_FIRST,
    WS_CACHE_LAST_USE
};
enum {
    WS_MUFU_RCP,
    WS_MUFU_RSQ,
    WS_MUFU_SQRT,
    WS_MUFU_EX2,
    WS_MUFU_LG2,
    WS_MUFU_SIN,
    WS_MUFU_COS,
    WS_MUFU_TANH,
    WS_MUFU_RCP64H,
    WS_MUFU_RSQ64H
};
enum { WS_FLOAT_F32, WS_FLOAT_F16, WS_FLOAT_BF16, WS_FLOAT_F64 };
enum {
    WS_INT_S32,
    WS_INT_U32,
    WS_INT_S8,
    WS_INT_U8,
    WS_INT_S16,
    WS_INT_U16,
    WS_INT_S64,
    WS_INT_U64
};
enum {
    WS_INTEGER_ROUND_NEAREST,
    WS_INTEGER_ROUND_FLOOR,
    WS_INTEGER_ROUND_CEIL,
    WS_INTEGER_ROUND_TRUNC
};
enum {
    WS_ATOMIC_ADD,
    WS_ATOMIC_MIN,
    WS_ATOMIC_MAX,
    WS_ATOMIC_INC,
    WS_ATOMIC_DEC,
    WS_ATOMIC_AND,
    WS_ATOMIC_OR,
    WS_ATOMIC_XOR,
    WS_ATOMIC_EXCH
};
enum {
    WS_ATOMIC_U32,
    WS_ATOMIC_S32,
    WS_ATOMIC_U64,
    WS_ATOMIC_S64,
    WS_ATOMIC_F32,
    WS_ATOMIC_F64,
    WS_ATOMIC_F16X2,
    WS_ATOMIC_BF16X2,
    WS_ATOMIC_F32_FTZ
};
enum { WS_SCOPE_GPU, WS_SCOPE_CTA, WS_SCOPE_SYS };
enum { WS_SHUFFLE_IDX, WS_SHUFFLE_UP, WS_SHUFFLE_DOWN, WS_SHUFFLE_BFLY };
enum { WS_VOTE_ALL, WS_VOTE_ANY, WS_VOTE_EQ };
enum { WS_MATCH_ANY, WS_MATCH_ALL };
enum { WS_REDUX_SUM, WS_REDUX_MIN, WS_REDUX_MAX, WS_REDUX_AND, WS_REDUX_OR, WS_REDUX_XOR };
enum { WS_BAR_SYNC, WS_BAR_ARRIVE, WS_BAR_RED_POPC, WS_BAR_RED_AND, WS_BAR_RED_OR };
enum { WS_TRAP_TRAP, WS_TRAP_ASSERT, WS_TRAP_CALL, WS_TRAP_FREE };
enum {
    WS_TEX_1D,
    WS_TEX_2D,
    WS_TEX_3D,
    WS_TEX_ARRAY_1D,
    WS_TEX_ARRAY_2D,
    WS_TEX_CUBE,
    WS_TEX_KIND_COUNT
};
enum { WS_TEX_FLOAT, WS_TEX_INTEGER }; /* coordinates */
enum { WS_MMA_16816, WS_MMA_1688, WS_MMA_1684 };
enum { WS_MMA_F32, WS_MMA_F16 }; /* accumulator */
enum { WS_MMA_HALF, WS_MMA_BF16, WS_MMA_TF32 };
enum { WS_IMMA_16832, WS_IMMA_16816 };
enum { WS_MATRIX_PLAIN, WS_MATRIX_TRANSPOSED };
enum { WS_MATRIX_ONE, WS_MATRIX_TWO, WS_MATRIX_FOUR };

/* ---- operands -----------------------------------------------------------------------------------
 */

enum {
    WS_RZ = 255,          /* reads as zero, writes are dropped */
    WS_PT = 7,            /* always true */
    WS_URZ = 63,          /* uniform zero */
    WS_GUARD_UNIFORM = 8, /* of WsInstruction.guard: UP0..UP6 are 8..14; @UPT is PT */
    WS_MAX_OPERANDS = 8,
    WS_INSTRUCTION_BYTES = 16,
    /* In a front end, register and predicate numbers at or above this are virtual. */
    WS_VIRTUAL_BASE = 1024
};

typedef enum {
    WS_OPERAND_NONE,
    WS_OPERAND_REGISTER,
    WS_OPERAND_PREDICATE,
    WS_OPERAND_UNIFORM_REGISTER,
    WS_OPERAND_UNIFORM_PREDICATE,
    WS_OPERAND_BARRIER,   /* convergence barrier B0..B15 */
    WS_OPERAND_IMMEDIATE, /* `value`: 32 bits; for 64-bit floats the high word */
    WS_OPERAND_CONSTANT,  /* c[bank][Rindex + value]: `bank`, `index` (WS_RZ if none), `value` bytes
                           */
    WS_OPERAND_ADDRESS,   /* [Rindex + UR uniform + value]: `value` signed bytes */
    WS_OPERAND_TARGET,    /* branch target: `value` = instruction number in the program */
    WS_OPERAND_SPECIAL    /* `value` = WsSpecialRegister */
} WsOperandKind;

enum {
    WS_OPERAND_NEGATE = 1 << 0,   /* -x; for predicates !p; for BITS sources ~x */
    WS_OPERAND_ABSOLUTE = 1 << 1, /* |x|, applied before the minus */
    WS_OPERAND_REUSE = 1 << 2,    /* kept in the operand reuse cache */
    WS_OPERAND_LOW = 1 << 3,      /* R.H0_H0: the low half in place of both */
    WS_OPERAND_HIGH = 1 << 4,     /* R.H1_H1: the high half in place of both */
    WS_OPERAND_HALVES = WS_OPERAND_LOW | WS_OPERAND_HIGH
};

typedef struct {
    guint8 kind;    /* WsOperandKind */
    guint8 flags;   /* WS_OPERAND_* bits */
    guint8 bank;    /* constant bank */
    guint8 uniform; /* uniform register added to an address, WS_URZ if none */
    guint32
        index; /* register number: first of an aligned pair or quad; or virtual register number */
    guint32 value;
} WsOperand;

/* Control fields (as in SASS). All zero with barriers 7 is "no information". */
typedef struct {
    guint8 stall;         /* 0..15 cycles */
    guint8 yield;         /* 1: give up the next slot */
    guint8 write_barrier; /* 0..5, 7 none */
    guint8 read_barrier;  /* 0..5, 7 none */
    guint8 wait_mask;     /* 6 bits */
} WsControl;

typedef struct {
    WsOpcode opcode;
    guint8 operand_count;
    guint8 guard_negated; /* @!P */
    guint32 guard;        /* predicate number, WS_PT if unguarded, WS_GUARD_UNIFORM + n for UPn, or
                             virtual */
    WsControl control;
    /*
     * In the intermediate form: a product or sum that may be rounded together with another one
     * (PTX without a rounding mode), or a 64-bit product of integers that may take an addend. 0 in
     * programs.
     */
    guint8 may_contract;
    /* In the intermediate form: of a packed result only the low half is meant. 0 in programs. */
    guint8 low_half;
    guint8 mod[WS_MOD_COUNT]; /* value of each modifier group; groups not in the row are 0 */
    guint32 location;         /* index into WsProgram.locations; 0 = none */
    /* In the intermediate form: whose value it writes (isa/ir/reference.h), 0 = nobody knows. */
    guint32 origin;
    WsOperand operand[WS_MAX_OPERANDS]; /* in the order of the row's OPERANDS */
} WsInstruction;

/* ---- the table at run time ----------------------------------------------------------------------
 */

/* Operand tokens of instructions.def, each with its field in the packed form. */
typedef enum {
    WS_SLOT_NONE,
    WS_SLOT_Rd,
    WS_SLOT_Rp,
    WS_SLOT_Pd,
    WS_SLOT_Pe,
    WS_SLOT_Ra,
    WS_SLOT_Rb,
    WS_SLOT_Rc,
    WS_SLOT_Sb,
    WS_SLOT_Sc,
    WS_SLOT_Pp,
    WS_SLOT_Pq,
    WS_SLOT_Pr,
    WS_SLOT_Ib,
    WS_SLOT_Ic,
    WS_SLOT_Ma,
    WS_SLOT_Cm,
    WS_SLOT_Tg,
    WS_SLOT_Bd,
    WS_SLOT_Sr,
    WS_SLOT_Ud,
    WS_SLOT_Ua,
    WS_SLOT_Ub,
    WS_SLOT_Uc,
    WS_SLOT_Ue,
    WS_SLOT_Uq,
    WS_SLOT_Np,
    WS_SLOT_Nq,
    WS_SLOT_Uf,
    WS_SLOT_Ug,
    WS_SLOT_Ur,
    WS_SLOT_Us,
    WS_SLOT_Um,
    WS_SLOT_Un,
    WS_SLOT_COUNT
} WsSlot;

typedef enum { WS_SOURCES_PLAIN, WS_SOURCES_FLOAT, WS_SOURCES_INTEGER, WS_SOURCES_BITS } WsSources;

/* Who carries an instruction out: column KIND of instructions.def. */
typedef enum {
    WS_KIND_LANES,  /* a body does everything: registers and predicates of this warp only */
    WS_KIND_MATRIX, /* as LANES, but a fault unless all lanes of the warp take part */
    /* kinds that access memory, ws_kind_is_memory() */
    WS_KIND_MEMORY,      /* each lane at its own address */
    WS_KIND_MATRIX_LOAD, /* rows of matrices in shared memory: lanes give each other's addresses */
    WS_KIND_TEXTURE,     /* fetches at coordinates of a texture */
    WS_KIND_SYSTEM,      /* calls of the system, which reach memory of any space */
    /* What steers a warp: each instruction is a kind of its own, with its name. */
    WS_KIND_BRA, /* ws_kind_is_branch() */
    WS_KIND_BRX,
    WS_KIND_CALL,
    WS_KIND_RET,
    WS_KIND_EXIT,
    WS_KIND_BPT, /* ws_kind_is_trap() */
    WS_KIND_ASSERTFAIL,
    WS_KIND_BSSY, /* ws_kind_is_convergence() */
    WS_KIND_BSYNC,
    WS_KIND_BREAK,
    WS_KIND_BMOV_TO,
    WS_KIND_BMOV_FROM,
    WS_KIND_WARPSYNC,
    WS_KIND_WARPSYNC_ALL,
    WS_KIND_YIELD,
    WS_KIND_BARRIER, /* BAR */
    WS_KIND_MEMBAR,
    WS_KIND_SLEEP,
    WS_KIND_NOP
} WsKind;

static inline gboolean ws_kind_is_memory(guint kind)
{
    return kind >= WS_KIND_MEMORY && kind <= WS_KIND_TEXTURE;
}

static inline gboolean ws_kind_is_branch(guint kind)
{
    return kind >= WS_KIND_BRA && kind <= WS_KIND_RET;
}

static inline gboolean ws_kind_is_trap(guint kind)
{
    return kind == WS_KIND_BPT || kind == WS_KIND_ASSERTFAIL;
}

static inline gboolean ws_kind_is_convergence(guint kind)
{
    return kind >= WS_KIND_BSSY && kind <= WS_KIND_YIELD;
}

/* What a memory instruction reaches, by the flags of its row. */
typedef enum {
    WS_SPACE_GLOBAL,
    WS_SPACE_SHARED,
    WS_SPACE_LOCAL,
    WS_SPACE_GENERIC, /* any: found by address, lane by lane */
    WS_SPACE_COUNT
} WsSpace;

/* Facts of an opcode: column FLAGS of instructions.def, where each is explained. */
typedef enum {
    WS_FLAG_NONE = 0,
    WS_FLAG_LOAD = 1 << 0,
    WS_FLAG_STORE = 1 << 1,
    WS_FLAG_ATOMIC = 1 << 2,
    WS_FLAG_CAS = 1 << 3,
    WS_FLAG_GLOBAL = 1 << 4,
    WS_FLAG_SHARED = 1 << 5,
    WS_FLAG_LOCAL = 1 << 6,
    WS_FLAG_WARP_WIDE = 1 << 7,
    WS_FLAG_NAMES_LANES = 1 << 8,
    WS_FLAG_WARP_VALUE = 1 << 9,
    WS_FLAG_LANE_VALUE = 1 << 10,
    WS_FLAG_PARTS_LANES = 1 << 11,
    WS_FLAG_COMPARES = 1 << 12,
    WS_FLAG_COMMUTES = 1 << 13,
    WS_FLAG_DOUBLE = 1 << 14,
    WS_FLAG_TWO_IMMEDIATES = 1 << 15,
    WS_FLAG_COPY = 1 << 16,
    WS_FLAG_PREDICATES_IN = 1 << 17,
    WS_FLAG_PREDICATES_OUT = 1 << 18,
    WS_FLAG_WIDE = 1 << 19
} WsOpcodeFlag;

typedef struct {
    const char *mnemonic;
    guint16 encoding; /* 9-bit opcode number */
    guint8 operand_count;
    guint8 slots[WS_MAX_OPERANDS]; /* WsSlot */
    guint8 sources;                /* WsSources */
    guint8 modifier_count;
    guint8 modifiers[6];    /* WsModifier, in text order */
    guint8 execution_class; /* WsClass */
    guint8 kind;            /* WsKind */
    guint32 flags;          /* of WsOpcodeFlag */
    const char *effect;
} WsOpcodeInfo;

extern const WsOpcodeInfo ws_opcode_table[];
extern const WsOpcode ws_opcode_count;

/* Row of the table. `opcode` must be below ws_opcode_count. */
static inline const WsOpcodeInfo *ws_opcode_info(WsOpcode opcode)
{
    return &ws_opcode_table[opcode];
}

/* TRUE if the row has one of `flags` (of WsOpcodeFlag). */
static inline gboolean ws_opcode_has(WsOpcode opcode, guint flags)
{
    return (ws_opcode_info(opcode)->flags & flags) != 0;
}

/* TRUE if the row has the modifier group. */
gboolean ws_opcode_has_modifier(WsOpcode opcode, WsModifier group);

/* Of a memory instruction. */
WsSpace ws_opcode_space(WsOpcode opcode);

static inline WsKind ws_instruction_kind(const WsInstruction *instruction)
{
    return (WsKind)ws_opcode_info(instruction->opcode)->kind;
}

static inline gboolean ws_is_kind(const WsInstruction *instruction, WsKind kind)
{
    return ws_instruction_kind(instruction) == kind;
}

/* MOV: operand 0 = operand 1. */
static inline gboolean ws_is_copy(const WsInstruction *instruction)
{
    return ws_opcode_has(instruction->opcode, WS_FLAG_COPY);
}

/* The operand that a MOV, or an IMAD that multiplies nothing, copies to operand 0; or NULL. */
const WsOperand *ws_copied_operand(const WsInstruction *instruction);

/* S2R, CS2R, S2UR: operand 0 = the special register of operand 1. */
static inline gboolean ws_reads_special(const WsInstruction *instruction)
{
    return ws_opcode_info(instruction->opcode)->slots[1] == WS_SLOT_Sr;
}

static inline gboolean ws_is_guarded(const WsInstruction *instruction)
{
    return instruction->guard != WS_PT || instruction->guard_negated;
}

/* TRUE if the guard is a uniform predicate: UP number `guard - WS_GUARD_UNIFORM`. */
static inline gboolean ws_is_guarded_uniformly(const WsInstruction *instruction)
{
    return instruction->guard >= WS_GUARD_UNIFORM && instruction->guard < WS_GUARD_UNIFORM + WS_PT;
}

/* TRUE if the instruction names lanes or 32-bit lane masks, which only 32 lanes fit. */
gboolean ws_names_lanes(const WsInstruction *instruction);

/* Name of a class as settings spell it ("fp32"), and its pipe. */
const char *ws_class_name(WsClass execution_class);
WsPipe ws_class_pipe(WsClass execution_class);
/* What accesses of the class take their passes for. */
typedef enum {
    WS_CLASS_MEMORY_NONE,  /* they are no accesses */
    WS_CLASS_MEMORY_WORDS, /* words of banks, beside L1: shared memory and constants */
    WS_CLASS_MEMORY_LINES  /* lines of L1: global and local memory, textures */
} WsClassMemory;
WsClassMemory ws_class_memory(WsClass execution_class);

/* Operand slots A, B, C: how the pipes below read registers, and keep them for `.reuse`. */
enum { WS_OPERAND_SLOTS = 3 };
/* Operand number of the register in each slot, -1 where there is none or it is RZ. */
void ws_operand_slots(const WsInstruction *instruction, gint ret[WS_OPERAND_SLOTS]);
/* TRUE for the pipes of fixed latency that read registers: FMA, ALU, FP16, FP64. */
gboolean ws_pipe_has_operand_slots(WsPipe pipe);
const char *ws_pipe_name(WsPipe pipe);
const char *ws_special_register_name(WsSpecialRegister special);
/* Of its row; LANES for a number that is none. */
WsVaries ws_special_varies(guint32 special);
/* Spelling of value `value` of a group; "" where nothing is printed, NULL past the last value. */
const char *ws_modifier_name(WsModifier group, guint value);
/* Width of a group's field in the packed form. */
guint ws_modifier_bits(WsModifier group);

/*
 * An instruction with every operand present and at its default: destinations RZ, PT, URZ, UPT
 * (discarded), source registers RZ, source predicates PT (slots Np and Nq: !PT), everything else
 * zero, guard PT, no control information. A flexible source (Sb, Sc, Ub) is a register; an address
 * is [RZ]; a special register is SR_TID.X.
 */
void ws_instruction_init(WsInstruction *ret, WsOpcode opcode);

/*
 * Number of 32-bit registers that operand `n` reads or writes (1, 2 or 4), by the opcode and its
 * modifiers: 2 for 64-bit values and .E addresses, 4 for .128. 0 if it is not a register or uniform
 * register operand (ADDRESS, and CONSTANT of slot Cm, count their base register).
 */
guint ws_operand_width(const WsInstruction *instruction, guint n);

/*
 * Number of 32-bit words of the value of operand `n`, whatever its kind: 2 for a constant or an
 * immediate that stands for a 64-bit value. For an address, the words of the address; 0 for
 * predicates, barriers, targets and special registers.
 */
guint ws_operand_words(const WsInstruction *instruction, guint n);

/* The kind that slot `slot` has by default, as ws_instruction_init() fills it in. */
WsOperandKind ws_slot_kind(WsSlot slot);

/*
 * Execution class of one instruction: the class of its row, except that conversions with a 64-bit
 * side (I2F F2I F2F) are XU64 or XU64_SOURCE, and matrix products of half the depth MATRIX_HALF.
 */
WsClass ws_instruction_class(const WsInstruction *instruction);

/*
 * In the intermediate form CALL of a subroutine has operands that its row has not: the pair that
 * the subroutine yields, the two pairs that it takes (isa/ir/divide.h), and the register of the
 * return address, which a MOV in front sets.
 */
enum { WS_CALL_RESULT = 2, WS_CALL_FIRST, WS_CALL_SECOND, WS_CALL_LINK, WS_CALL_OPERANDS };

static inline gboolean ws_is_subroutine_call(const WsInstruction *instruction)
{
    return ws_is_kind(instruction, WS_KIND_CALL) && instruction->operand_count == WS_CALL_OPERANDS;
}

/* BSYNC and CALL: compiled code has them further behind the results written in front of them. */
static inline gboolean ws_stands_behind_results(const WsInstruction *instruction)
{
    WsKind kind = ws_instruction_kind(instruction);

    return kind == WS_KIND_BSYNC || kind == WS_KIND_CALL;
}

static inline gboolean ws_slot_is_destination(WsSlot slot)
{
    const guint32 destinations = 1u << WS_SLOT_Rd | 1u << WS_SLOT_Rp | 1u << WS_SLOT_Pd |
                                 1u << WS_SLOT_Pe | 1u << WS_SLOT_Ud | 1u << WS_SLOT_Ue |
                                 1u << WS_SLOT_Uf | 1u << WS_SLOT_Ug;
    return slot < WS_SLOT_Ur && destinations >> slot & 1;
}
G_STATIC_ASSERT((guint)WS_SLOT_Ur <= 32);

/* TRUE if operand `n` is a destination: by its slot, and Bd of BSSY and BMOV.B. */
static inline gboolean ws_operand_is_destination(const WsInstruction *instruction, guint n)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    if (n >= info->operand_count)
        return ws_is_subroutine_call(instruction) && n == WS_CALL_RESULT;
    if (info->slots[n] == WS_SLOT_Bd)
        return info->kind == WS_KIND_BSSY || info->kind == WS_KIND_BMOV_TO;
    return ws_slot_is_destination(info->slots[n]);
}

/* TRUE for instructions after which control may not go on to the next one (BRA BRX CALL RET EXIT
 * BPT). */
gboolean ws_opcode_ends_block(WsOpcode opcode);

/*
 * TRUE for what lanes do together. A vote on what is always true asks who is there,
 * __activemask(), unless it has a WARPSYNC of its own: `before` is the instruction in front or
 * NULL.
 */
gboolean ws_is_meeting(const WsInstruction *instruction, const WsInstruction *before);

/* Operations of one kind meet each other, as the PTX manual says: "with the same qualifiers". */
guint32 ws_meeting_kind(const WsInstruction *instruction);

#endif
