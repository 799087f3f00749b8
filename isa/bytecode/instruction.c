#include "isa/bytecode/instruction.h"

#include "isa/bytecode/opcode.h"
#include "isa/bytecode/operand.h"

/* The tokens of the table, so that a row's lists are plain initialisers. */
enum {
    Rd = WS_SLOT_Rd,
    Rp = WS_SLOT_Rp,
    Pd = WS_SLOT_Pd,
    Pe = WS_SLOT_Pe,
    Ra = WS_SLOT_Ra,
    Rb = WS_SLOT_Rb,
    Rc = WS_SLOT_Rc,
    Sb = WS_SLOT_Sb,
    Sc = WS_SLOT_Sc,
    Pp = WS_SLOT_Pp,
    Pq = WS_SLOT_Pq,
    Pr = WS_SLOT_Pr,
    Ib = WS_SLOT_Ib,
    Ic = WS_SLOT_Ic,
    Ma = WS_SLOT_Ma,
    Cm = WS_SLOT_Cm,
    Tg = WS_SLOT_Tg,
    Bd = WS_SLOT_Bd,
    Sr = WS_SLOT_Sr,
    Ud = WS_SLOT_Ud,
    Ua = WS_SLOT_Ua,
    Ub = WS_SLOT_Ub,
    Uc = WS_SLOT_Uc,
    Ue = WS_SLOT_Ue,
    Uq = WS_SLOT_Uq,
    Np = WS_SLOT_Np,
    Nq = WS_SLOT_Nq,
    Uf = WS_SLOT_Uf,
    Ug = WS_SLOT_Ug,
    Ur = WS_SLOT_Ur,
    Us = WS_SLOT_Us,
    Um = WS_SLOT_Um,
    Un = WS_SLOT_Un
};

enum {
#define MODIFIER(name, ...) name = WS_MOD_##name,
#include "isa/bytecode/modifiers.def"
#undef MODIFIER
};

#define OPERANDS(...)  __VA_ARGS__
#define MODIFIERS(...) __VA_ARGS__
/* Up to six flags of a row. */
#define FLAGS(...) FLAG_SUM(__VA_ARGS__, NONE, NONE, NONE, NONE, NONE, NONE)
#define FLAG_SUM(a, b, c, d, e, f, ...)                                                            \
    WS_FLAG_##a | WS_FLAG_##b | WS_FLAG_##c | WS_FLAG_##d | WS_FLAG_##e | WS_FLAG_##f

const WsOpcode ws_opcode_count = WS_OP_COUNT;

const WsOpcodeInfo ws_opcode_table[] = {
#define INSTRUCTION(NAME, text, number, slot_list, source_kind, modifier_list, class, who, facts,  \
                    line)                                                                          \
    [WS_OP_##NAME] = {.mnemonic = text,                                                            \
                      .encoding = number,                                                          \
                      .operand_count = sizeof((const guint8[]){0, slot_list}) - 1,                 \
                      .slots = {slot_list},                                                        \
                      .sources = WS_SOURCES_##source_kind,                                         \
                      .modifier_count = sizeof((const guint8[]){0, modifier_list}) - 1,            \
                      .modifiers = {modifier_list},                                                \
                      .execution_class = WS_CLASS_##class,                                         \
                      .kind = WS_KIND_##who,                                                       \
                      .flags = facts,                                                              \
                      .effect = line},
#include "isa/bytecode/instructions.def"
#undef INSTRUCTION
};

#undef MODIFIERS
#define GROUP(name) (G_GUINT64_CONSTANT(1) << (name))
#define GROUP_SUM(a, b, c, d, e, f, g, ...)                                                        \
    GROUP(a) | GROUP(b) | GROUP(c) | GROUP(d) | GROUP(e) | GROUP(f) | GROUP(g)
#define MODIFIERS(...)                                                                             \
    GROUP_SUM(NO_GROUP, ##__VA_ARGS__, NO_GROUP, NO_GROUP, NO_GROUP, NO_GROUP, NO_GROUP, NO_GROUP)
enum { NO_GROUP = 63 };
G_STATIC_ASSERT((guint)WS_MOD_COUNT <= (guint)NO_GROUP);

/* The modifier groups of each row, as bits. */
static const guint64 groups_table[WS_OP_COUNT] = {
#define INSTRUCTION(NAME, text, number, slots, sources, modifier_list, ...)                        \
    [WS_OP_##NAME] = modifier_list,
#include "isa/bytecode/instructions.def"
#undef INSTRUCTION
};

/* Those that data_words() asks. */
static const guint64 sizing_groups = GROUP(WIDTH) | GROUP(ATOMIC_TYPE) | GROUP(MATRIX_COUNT) |
                                     GROUP(TEX_KIND) | GROUP(FLOAT_TO) | GROUP(FLOAT_FROM) |
                                     GROUP(INT_TO) | GROUP(INT_FROM) | GROUP(MATCH_WIDTH);

#undef OPERANDS
#undef MODIFIERS
#undef GROUP_SUM
#undef FLAGS
#undef FLAG_SUM

static const struct {
    const char *name;
    WsPipe pipe;
    WsClassMemory memory;
} class_table[WS_CLASS_COUNT] = {
#define EXECUTION_CLASS(NAME, text, unit, memory, ...)                                             \
    [WS_CLASS_##NAME] = {text, WS_PIPE_##unit, WS_CLASS_MEMORY_##memory},
#include "isa/bytecode/execution_classes.def"
#undef EXECUTION_CLASS
};

static const char *const special_table[WS_SR_COUNT] = {
#define SPECIAL_REGISTER(NAME, text, ...) [WS_SR_##NAME] = text,
#include "isa/bytecode/special_registers.def"
#undef SPECIAL_REGISTER
};

static const guint8 special_varies[WS_SR_COUNT] = {
#define SPECIAL_REGISTER(NAME, text, varies, ...) [WS_SR_##NAME] = WS_VARIES_##varies,
#include "isa/bytecode/special_registers.def"
#undef SPECIAL_REGISTER
};

static const guint8 special_is_mask[WS_SR_COUNT] = {
#define SPECIAL_REGISTER_IS_NUMBER FALSE
#define SPECIAL_REGISTER_IS_MASK   TRUE
#define SPECIAL_REGISTER(NAME, text, varies, holds, ...)                                           \
    [WS_SR_##NAME] = SPECIAL_REGISTER_IS_##holds,
#include "isa/bytecode/special_registers.def"
#undef SPECIAL_REGISTER
#undef SPECIAL_REGISTER_IS_MASK
#undef SPECIAL_REGISTER_IS_NUMBER
};

static const char *const pipe_table[WS_PIPE_COUNT] = {
    [WS_PIPE_FMA] = "fma",           [WS_PIPE_ALU] = "alu",         [WS_PIPE_FP16] = "fp16",
    [WS_PIPE_FP16_MMA] = "fp16_mma", [WS_PIPE_FP64] = "fp64",       [WS_PIPE_XU] = "xu",
    [WS_PIPE_LSU] = "lsu",           [WS_PIPE_UNIFORM] = "uniform", [WS_PIPE_CONTROL] = "control",
    [WS_PIPE_TENSOR] = "tensor"};

enum { MAX_MODIFIER_VALUES = 16 };

static const char *const modifier_table[WS_MOD_COUNT][MAX_MODIFIER_VALUES + 1] = {
#define MODIFIER(NAME, bits, place, ...) [WS_MOD_##NAME] = {__VA_ARGS__},
#include "isa/bytecode/modifiers.def"
#undef MODIFIER
};

static const guint8 modifier_bits[WS_MOD_COUNT] = {
#define MODIFIER(NAME, bits, place, ...) [WS_MOD_##NAME] = bits,
#include "isa/bytecode/modifiers.def"
#undef MODIFIER
};

typedef struct {
    guint8 kind;
    guint8 flags;
    guint32 index;
} SlotInfo;

static const SlotInfo slot_table[WS_SLOT_COUNT] = {
    [WS_SLOT_Rd] = {WS_OPERAND_REGISTER, 0, WS_RZ},
    [WS_SLOT_Rp] = {WS_OPERAND_REGISTER, 0, WS_RZ},
    [WS_SLOT_Pd] = {WS_OPERAND_PREDICATE, 0, WS_PT},
    [WS_SLOT_Pe] = {WS_OPERAND_PREDICATE, 0, WS_PT},
    [WS_SLOT_Ra] = {WS_OPERAND_REGISTER, 0, WS_RZ},
    [WS_SLOT_Rb] = {WS_OPERAND_REGISTER, 0, WS_RZ},
    [WS_SLOT_Rc] = {WS_OPERAND_REGISTER, 0, WS_RZ},
    [WS_SLOT_Sb] = {WS_OPERAND_REGISTER, 0, WS_RZ},
    [WS_SLOT_Sc] = {WS_OPERAND_REGISTER, 0, WS_RZ},
    [WS_SLOT_Pp] = {WS_OPERAND_PREDICATE, 0, WS_PT},
    [WS_SLOT_Pq] = {WS_OPERAND_PREDICATE, 0, WS_PT},
    [WS_SLOT_Pr] = {WS_OPERAND_PREDICATE, 0, WS_PT},
    [WS_SLOT_Ib] = {WS_OPERAND_IMMEDIATE, 0, 0},
    [WS_SLOT_Ic] = {WS_OPERAND_IMMEDIATE, 0, 0},
    [WS_SLOT_Ma] = {WS_OPERAND_ADDRESS, 0, WS_RZ},
    [WS_SLOT_Cm] = {WS_OPERAND_CONSTANT, 0, WS_RZ},
    [WS_SLOT_Tg] = {WS_OPERAND_TARGET, 0, 0},
    [WS_SLOT_Bd] = {WS_OPERAND_BARRIER, 0, 0},
    [WS_SLOT_Sr] = {WS_OPERAND_SPECIAL, 0, 0},
    [WS_SLOT_Ud] = {WS_OPERAND_UNIFORM_REGISTER, 0, WS_URZ},
    [WS_SLOT_Ua] = {WS_OPERAND_UNIFORM_REGISTER, 0, WS_URZ},
    [WS_SLOT_Ub] = {WS_OPERAND_UNIFORM_REGISTER, 0, WS_URZ},
    [WS_SLOT_Uc] = {WS_OPERAND_UNIFORM_REGISTER, 0, WS_URZ},
    [WS_SLOT_Ue] = {WS_OPERAND_UNIFORM_PREDICATE, 0, WS_PT},
    [WS_SLOT_Uq] = {WS_OPERAND_UNIFORM_PREDICATE, 0, WS_PT},
    [WS_SLOT_Np] = {WS_OPERAND_PREDICATE, WS_OPERAND_NEGATE, WS_PT},
    [WS_SLOT_Nq] = {WS_OPERAND_PREDICATE, WS_OPERAND_NEGATE, WS_PT},
    [WS_SLOT_Uf] = {WS_OPERAND_UNIFORM_PREDICATE, 0, WS_PT},
    [WS_SLOT_Ug] = {WS_OPERAND_UNIFORM_PREDICATE, 0, WS_PT},
    [WS_SLOT_Ur] = {WS_OPERAND_UNIFORM_PREDICATE, 0, WS_PT},
    [WS_SLOT_Us] = {WS_OPERAND_UNIFORM_PREDICATE, 0, WS_PT},
    [WS_SLOT_Um] = {WS_OPERAND_UNIFORM_PREDICATE, WS_OPERAND_NEGATE, WS_PT},
    [WS_SLOT_Un] = {WS_OPERAND_UNIFORM_PREDICATE, WS_OPERAND_NEGATE, WS_PT},
};

const char *ws_class_name(WsClass execution_class)
{
    g_return_val_if_fail(execution_class < WS_CLASS_COUNT, NULL);
    return class_table[execution_class].name;
}

WsClassMemory ws_class_memory(WsClass execution_class)
{
    return class_table[execution_class].memory;
}

WsPipe ws_class_pipe(WsClass execution_class)
{
    g_return_val_if_fail(execution_class < WS_CLASS_COUNT, WS_PIPE_CONTROL);
    return class_table[execution_class].pipe;
}

const char *ws_pipe_name(WsPipe pipe)
{
    g_return_val_if_fail(pipe < WS_PIPE_COUNT, NULL);
    return pipe_table[pipe];
}

const char *ws_special_register_name(WsSpecialRegister special)
{
    g_return_val_if_fail(special < WS_SR_COUNT, NULL);
    return special_table[special];
}

const char *ws_modifier_name(WsModifier group, guint value)
{
    g_return_val_if_fail(group < WS_MOD_COUNT, NULL);
    return value < MAX_MODIFIER_VALUES ? modifier_table[group][value] : NULL;
}

guint ws_modifier_bits(WsModifier group)
{
    g_return_val_if_fail(group < WS_MOD_COUNT, 0);
    return modifier_bits[group];
}

WsOperandKind ws_slot_kind(WsSlot slot)
{
    g_return_val_if_fail(slot < WS_SLOT_COUNT, WS_OPERAND_NONE);
    return slot_table[slot].kind;
}

void ws_instruction_init(WsInstruction *ret, WsOpcode opcode)
{
    const WsOpcodeInfo *info = ws_opcode_info(opcode);
    *ret = (WsInstruction){.opcode = opcode,
                           .operand_count = info->operand_count,
                           .guard = WS_PT,
                           .control = {.write_barrier = 7, .read_barrier = 7}};
    for (guint n = 0; n < info->operand_count; n++) {
        const SlotInfo *slot = &slot_table[info->slots[n]];
        ret->operand[n] = (WsOperand){
            .kind = slot->kind, .flags = slot->flags, .index = slot->index, .uniform = WS_URZ};
    }
}

const WsOperand *ws_copied_operand(const WsInstruction *instruction)
{
    enum { FACTOR = 1, OTHER_FACTOR = 2, ADDEND = 3 };

    if (ws_is_copy(instruction))
        return &instruction->operand[1];
    if (instruction->opcode == WS_OP_IMAD && ws_is_zero(&instruction->operand[FACTOR]) &&
        ws_is_zero(&instruction->operand[OTHER_FACTOR]))
        return &instruction->operand[ADDEND];
    return NULL;
}

static guint words_of_width(guint width)
{
    return width == WS_WIDTH_128 ? 4 : width == WS_WIDTH_64 ? 2 : 1;
}

static guint words_of_integer(guint type)
{
    return type == WS_INT_S64 || type == WS_INT_U64 ? 2 : 1;
}

static guint words_of_float(guint type)
{
    return type == WS_FLOAT_F64 ? 2 : 1;
}

static guint words_of_atomic(guint type)
{
    return type == WS_ATOMIC_U64 || type == WS_ATOMIC_S64 || type == WS_ATOMIC_F64 ? 2 : 1;
}

static guint words_of_texture(guint kind, WsSlot slot)
{
    switch (slot) {
    case WS_SLOT_Rd:
        return 4;
    case WS_SLOT_Ra:
        return kind == WS_TEX_1D ? 1 : 2;
    case WS_SLOT_Sb:
        return 2; /* the handle */
    default:
        return 1;
    }
}

/* Words of a fragment: its 16- or 32-bit elements over 32 lanes. */
static guint words_of_half_matrix(const guint8 *mod, WsSlot slot)
{
    gboolean deep = mod[WS_MOD_MMA_SHAPE] == WS_MMA_16816 ||
                    (mod[WS_MOD_MMA_SHAPE] == WS_MMA_1688 && mod[WS_MOD_MMA_TYPE] == WS_MMA_TF32);
    switch (slot) {
    case WS_SLOT_Ra:
        return deep ? 4 : 2;
    case WS_SLOT_Rb:
        return deep ? 2 : 1;
    default:
        return mod[WS_MOD_MMA_ACCUMULATOR] == WS_MMA_F16 ? 2 : 4;
    }
}

static guint words_of_matrix(const WsInstruction *instruction, WsSlot slot)
{
    gboolean deep;
    switch (instruction->opcode) {
    case WS_OP_HMMA:
        return words_of_half_matrix(instruction->mod, slot);
    case WS_OP_IMMA:
        deep = instruction->mod[WS_MOD_IMMA_SHAPE] == WS_IMMA_16832;
        return slot == WS_SLOT_Ra ? (deep ? 4 : 2) : slot == WS_SLOT_Rb ? (deep ? 2 : 1) : 4;
    default: /* DMMA */
        return slot == WS_SLOT_Ra || slot == WS_SLOT_Rb ? 2 : 4;
    }
}

gboolean ws_opcode_has_modifier(WsOpcode opcode, WsModifier group)
{
    return (groups_table[opcode] & GROUP(group)) != 0;
}

/* Words of a data operand: what is read, written or converted, not an address. */
static guint data_words(const WsInstruction *instruction, const WsOpcodeInfo *info, WsSlot slot)
{
    gboolean destination = ws_slot_is_destination(slot);
    const guint8 *mod = instruction->mod;
    if (info->flags & WS_FLAG_DOUBLE) {
        return 2;
    }
    if (info->flags & WS_FLAG_WIDE) {
        return destination || slot == WS_SLOT_Sc || slot == WS_SLOT_Uc ? 2 : 1;
    }
    if (instruction->opcode == WS_OP_IMAD_HI_WIDE || instruction->opcode == WS_OP_UIMAD_HI) {
        return slot == WS_SLOT_Sc || slot == WS_SLOT_Uc ? 2 : 1;
    }
    const guint64 groups = groups_table[instruction->opcode];
    if (!(groups & sizing_groups) && info->kind != WS_KIND_MATRIX && info->kind != WS_KIND_SYSTEM &&
        !ws_kind_is_trap(info->kind)) {
        return 1; /* nearly all, and asked for all the time */
    }
    if (groups & GROUP(WIDTH)) {
        return words_of_width(mod[WS_MOD_WIDTH]);
    }
    if (groups & GROUP(ATOMIC_TYPE)) {
        return words_of_atomic(mod[WS_MOD_ATOMIC_TYPE]);
    }
    if (groups & GROUP(MATRIX_COUNT)) {
        return 1u << mod[WS_MOD_MATRIX_COUNT];
    }
    if (groups & GROUP(TEX_KIND)) {
        return words_of_texture(mod[WS_MOD_TEX_KIND], slot);
    }
    switch (instruction->opcode) {
    case WS_OP_I2F:
        return destination ? words_of_float(mod[WS_MOD_FLOAT_TO])
                           : words_of_integer(mod[WS_MOD_INT_FROM]);
    case WS_OP_F2I:
        return destination ? words_of_integer(mod[WS_MOD_INT_TO])
                           : words_of_float(mod[WS_MOD_FLOAT_FROM]);
    case WS_OP_F2F:
        return words_of_float(mod[destination ? WS_MOD_FLOAT_TO : WS_MOD_FLOAT_FROM]);
    case WS_OP_HMMA:
    case WS_OP_IMMA:
    case WS_OP_DMMA:
        return words_of_matrix(instruction, slot);
    case WS_OP_VPRINTF: /* addresses */
        return destination ? 1 : 2;
    case WS_OP_ASSERTFAIL:
        return 4;
    case WS_OP_MATCH:
        return !destination && mod[WS_MOD_MATCH_WIDTH] ? 2 : 1;
    default:
        return 1;
    }
}

guint ws_operand_words(const WsInstruction *instruction, guint n)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    if (n >= info->operand_count) {
        if (!ws_is_subroutine_call(instruction) || n >= WS_CALL_OPERANDS) {
            return 0;
        }
        return n == WS_CALL_LINK ? 1 : 2;
    }
    switch (info->slots[n]) {
    case WS_SLOT_Ma:
        return instruction->mod[WS_MOD_ADDRESS] ? 2 : 1;
    case WS_SLOT_Cm:
    case WS_SLOT_Ib:
    case WS_SLOT_Ic:
        return 1;
    case WS_SLOT_Rd:
    case WS_SLOT_Rp:
    case WS_SLOT_Ra:
    case WS_SLOT_Rb:
    case WS_SLOT_Rc:
    case WS_SLOT_Sb:
    case WS_SLOT_Sc:
    case WS_SLOT_Ud:
    case WS_SLOT_Ua:
    case WS_SLOT_Ub:
    case WS_SLOT_Uc:
        return data_words(instruction, info, info->slots[n]);
    default:
        return 0;
    }
}

guint ws_operand_width(const WsInstruction *instruction, guint n)
{
    if (n >= instruction->operand_count) {
        return 0;
    }
    switch (instruction->operand[n].kind) {
    case WS_OPERAND_CONSTANT:
        return ws_opcode_info(instruction->opcode)->slots[n] == WS_SLOT_Cm ? 1 : 0;
    case WS_OPERAND_REGISTER:
    case WS_OPERAND_UNIFORM_REGISTER:
    case WS_OPERAND_ADDRESS:
        return ws_operand_words(instruction, n);
    default:
        return 0;
    }
}

WsClass ws_instruction_class(const WsInstruction *instruction)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    if (info->execution_class == WS_CLASS_XU) {
        if (ws_operand_words(instruction, 1) == 2)
            return WS_CLASS_XU64_SOURCE;
        if (ws_operand_words(instruction, 0) == 2)
            return WS_CLASS_XU64;
    }
    if (info->execution_class == WS_CLASS_MATRIX && words_of_matrix(instruction, WS_SLOT_Ra) == 2) {
        return WS_CLASS_MATRIX_HALF;
    }
    return info->execution_class;
}

gboolean ws_opcode_ends_block(WsOpcode opcode)
{
    guint kind = ws_opcode_info(opcode)->kind;
    return ws_kind_is_branch(kind) || kind == WS_KIND_EXIT || ws_kind_is_trap(kind);
}

WsSpace ws_opcode_space(WsOpcode opcode)
{
    guint flags = ws_opcode_info(opcode)->flags;

    return flags & WS_FLAG_GLOBAL   ? WS_SPACE_GLOBAL
           : flags & WS_FLAG_SHARED ? WS_SPACE_SHARED
           : flags & WS_FLAG_LOCAL  ? WS_SPACE_LOCAL
                                    : WS_SPACE_GENERIC;
}

WsVaries ws_special_varies(guint32 special)
{
    return special < WS_SR_COUNT ? special_varies[special] : WS_VARIES_LANES;
}

static gboolean is_lane_mask(guint32 special)
{
    return special < WS_SR_COUNT && special_is_mask[special];
}

gboolean ws_names_lanes(const WsInstruction *instruction)
{
    for (guint n = 0; n < instruction->operand_count; n++)
        if (instruction->operand[n].kind == WS_OPERAND_SPECIAL &&
            is_lane_mask(instruction->operand[n].value))
            return TRUE;
    /* All, any and equal work on any size; the ballot does not. */
    if (instruction->opcode == WS_OP_VOTE)
        return instruction->operand[0].index != WS_RZ;
    if (instruction->opcode == WS_OP_VOTEU)
        return instruction->operand[0].index != WS_URZ;
    return ws_opcode_has(instruction->opcode, WS_FLAG_NAMES_LANES);
}

gboolean ws_is_meeting(const WsInstruction *instruction, const WsInstruction *before)
{
    switch (instruction->opcode) {
    case WS_OP_SHFL:
    case WS_OP_MATCH:
    case WS_OP_REDUX:
        return TRUE;
    case WS_OP_VOTE:
    case WS_OP_VOTEU:
        return instruction->operand[2].kind != WS_OPERAND_PREDICATE ||
               instruction->operand[2].index != WS_PT ||
               (instruction->operand[2].flags & WS_OPERAND_NEGATE) != 0 ||
               (before != NULL && before->opcode == WS_OP_WARPSYNC &&
                before->location == instruction->location);
    default:
        return FALSE;
    }
}

guint32 ws_meeting_kind(const WsInstruction *instruction)
{
    const guint8 *mod = instruction->mod;
    guint32 how = 0;
    switch (instruction->opcode) {
    case WS_OP_SHFL:
        how = mod[WS_MOD_SHUFFLE];
        break;
    case WS_OP_VOTE: /* a ballot does not meet a vote */
        how = mod[WS_MOD_VOTE] * 2u + (instruction->operand[0].kind == WS_OPERAND_REGISTER &&
                                       instruction->operand[0].index != WS_RZ);
        break;
    case WS_OP_VOTEU:
        how = mod[WS_MOD_VOTE] * 2u + (instruction->operand[0].index != WS_URZ);
        break;
    case WS_OP_MATCH:
        how = mod[WS_MOD_MATCH] * 2u + mod[WS_MOD_MATCH_WIDTH];
        break;
    case WS_OP_REDUX:
        how = mod[WS_MOD_REDUX] * 2u + mod[WS_MOD_REDUX_TYPE];
        break;
    default:
        break;
    }
    return (guint32)instruction->opcode << 16 | how;
}
