/* Which body serves an instruction. */
#include "isa/bytecode/opcode.h"
#include "sim/lanes/private.h"

/* The body named after the row, for rows of kind LANES. */
static const guint8 body_of_row[WS_OP_COUNT] = {
#define BODY(name) [WS_OP_##name] = WS_BODY_##name + 1,
#define VARIANT(name)
#include "sim/lanes/bodies.def"
#undef BODY
#undef VARIANT
};

/* TRUE if a result of the given kind is kept. */
static gboolean result_used(const WsInstruction *instruction, WsOperandKind kind)
{
    static const guint32 dropped[] = {[WS_OPERAND_REGISTER] = WS_RZ,
                                      [WS_OPERAND_PREDICATE] = WS_PT,
                                      [WS_OPERAND_UNIFORM_REGISTER] = WS_URZ,
                                      [WS_OPERAND_UNIFORM_PREDICATE] = WS_PT};
    for (guint n = 0; n < instruction->operand_count; n++) {
        const WsOperand *operand = &instruction->operand[n];
        if (operand->kind == kind && ws_operand_is_destination(instruction, n) &&
            operand->index != dropped[kind]) {
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean any_result_used(const WsInstruction *instruction)
{
    return instruction->opcode == WS_OP_R2P || result_used(instruction, WS_OPERAND_PREDICATE) ||
           result_used(instruction, WS_OPERAND_REGISTER) ||
           result_used(instruction, WS_OPERAND_UNIFORM_REGISTER) ||
           result_used(instruction, WS_OPERAND_UNIFORM_PREDICATE);
}

/* FADD, FMUL and FFMA have three bodies, in the order nearest, flushed, rounded. */
static WsBody choose_float(const WsInstruction *instruction, WsBody nearest)
{
    if (instruction->mod[WS_MOD_ROUND] != WS_ROUND_NEAREST) {
        return nearest + 2;
    }
    return instruction->mod[WS_MOD_FTZ] || instruction->mod[WS_MOD_SAT] ? nearest + 1 : nearest;
}

static WsBody choose_shift(const WsInstruction *instruction)
{
    const guint8 *mod = instruction->mod;
    gboolean plain = !mod[WS_MOD_WRAP] && mod[WS_MOD_SHIFT_TYPE] <= WS_SHIFT_S32;
    if (plain && mod[WS_MOD_DIRECTION] == WS_DIRECTION_LEFT && !mod[WS_MOD_HIGH]) {
        return WS_BODY_SHF_LEFT;
    }
    if (plain && mod[WS_MOD_DIRECTION] == WS_DIRECTION_RIGHT && mod[WS_MOD_HIGH]) {
        return WS_BODY_SHF_RIGHT;
    }
    return WS_BODY_SHF;
}

static WsBody choose_logic(const WsInstruction *instruction, WsBody any)
{
    enum { TABLE = 5 }; /* of its operands */
    guint32 table = instruction->operand[TABLE].value;

    return table == 0xc0 || table == 0xfc || table == 0x3c ? WS_BODY_LOP3_PAIR : any;
}

/* Forms whose modifiers name what the instruction cannot do. */
static gboolean is_impossible(const WsInstruction *instruction)
{
    const guint8 *mod = instruction->mod;
    switch (instruction->opcode) {
    case WS_OP_I2FP:
        return mod[WS_MOD_FLOAT_TO] != WS_FLOAT_F32 || mod[WS_MOD_INT_FROM] > WS_INT_U32;
    case WS_OP_MUFU: /* of halves: two functions, and a half only of those */
        return mod[WS_MOD_MUFU_FORMAT] != WS_FLOAT_F32
                   ? mod[WS_MOD_MUFU] != WS_MUFU_EX2 && mod[WS_MOD_MUFU] != WS_MUFU_TANH
                   : mod[WS_MOD_MUFU_HALF] != 0;
    case WS_OP_F2FP:
        return mod[WS_MOD_FLOAT_TO] != WS_FLOAT_F16 && mod[WS_MOD_FLOAT_TO] != WS_FLOAT_BF16;
    default:
        return FALSE;
    }
}

/* A source is one half in place of both. */
static gboolean chooses_halves(const WsInstruction *instruction)
{
    for (guint n = 0; n < instruction->operand_count; n++)
        if (instruction->operand[n].flags & WS_OPERAND_HALVES)
            return TRUE;
    return FALSE;
}

WsBody ws_lanes_choose(const WsInstruction *instruction)
{
    gboolean with_predicate = result_used(instruction, WS_OPERAND_PREDICATE);
    WsBody body =
        body_of_row[instruction->opcode] ? body_of_row[instruction->opcode] - 1u : WS_BODY_COUNT;
    if (body == WS_BODY_COUNT || is_impossible(instruction)) {
        return WS_BODY_COUNT;
    }
    if (!any_result_used(instruction)) {
        return WS_BODY_NOTHING;
    }
    switch (instruction->opcode) {
    case WS_OP_FADD:
    case WS_OP_FMUL:
    case WS_OP_FFMA:
        return choose_float(instruction, body);
    case WS_OP_IADD3:
        return with_predicate || instruction->mod[WS_MOD_EXTENDED] ? WS_BODY_IADD3_CARRY : body;
    case WS_OP_LEA:
        return with_predicate || instruction->mod[WS_MOD_EXTENDED] ? WS_BODY_LEA_CARRY : body;
    case WS_OP_IMAD_WIDE:
        return with_predicate ? WS_BODY_IMAD_WIDE_CARRY : body;
    case WS_OP_LOP3:
        return with_predicate ? WS_BODY_LOP3_PREDICATE : choose_logic(instruction, body);
    case WS_OP_DADD:
    case WS_OP_DMUL:
    case WS_OP_DFMA:
        return instruction->mod[WS_MOD_ROUND] ? body + 1 : body;
    case WS_OP_MUFU:
        if (instruction->mod[WS_MOD_MUFU_FORMAT] != WS_FLOAT_F32)
            return instruction->mod[WS_MOD_MUFU] == WS_MUFU_EX2 ? WS_BODY_MUFU_EX2_HALF
                                                                : WS_BODY_MUFU_TANH_HALF;
        return body + instruction->mod[WS_MOD_MUFU];
    case WS_OP_HADD2:
    case WS_OP_HMUL2:
    case WS_OP_HFMA2:
    case WS_OP_HFMA2_MMA:
    case WS_OP_HMNMX2:
        return chooses_halves(instruction) ? body + 1 : body;
    case WS_OP_SHF:
        return choose_shift(instruction);
    default:
        return body;
    }
}
