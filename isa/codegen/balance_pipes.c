/*
 * Shares work between pipes. Additions, moves and shifts by a constant run on the ALU pipe or, as
 * IMAD or VIADD, on the FMA pipe; sums and products of packed halves as HFMA2 or as HFMA2.MMA.
 * ptxas puts each where less has gone so far: code compiled for sm_90 has IMAD.IADD between LOP3s,
 * takes LEA and IMAD in turn, and likewise HFMA2 and HFMA2.MMA. Seen in chains whose steps leave a
 * balance of -1, 0 or 1; the difference is carried on from step to step, and where it is 0 the ALU
 * pipe is taken.
 */
#include "isa/codegen/code_generation.h"

#include "isa/bytecode/opcode.h"

#include <string.h>

enum {
    FAR = 8,           /* the difference grows no further */
    ONES = 0x3c003c00, /* 1.0 in both halves: F16, BF16 */
    BFLOAT_ONES = 0x3f803f80
};

typedef struct {
    gint alu;    /* instructions of the ALU pipe less those of the FMA pipe */
    gint packed; /* HFMA2s less HFMA2.MMAs */
} Balance;

/* Puts another opcode in the place of `instruction`: its guard, control and location stay. */
static void begin(WsInstruction *ret, const WsInstruction *instruction, WsOpcode opcode)
{
    ws_instruction_init(ret, opcode);
    ret->guard = instruction->guard;
    ret->guard_negated = instruction->guard_negated;
    ret->location = instruction->location;
    ret->origin = instruction->origin;
    ret->operand[0] = instruction->operand[0];
}

static void set_imad(WsInstruction *ret, WsOperand a, WsOperand b, WsOperand c)
{
    ret->operand[1] = a;
    ret->operand[2] = b;
    ret->operand[3] = c;
}

/* ---- what the FMA pipe does as well: FALSE if it does not ---- */

/* Rd Pd Pe Ra Sb Sc Np Nq */
static gboolean addition(const WsInstruction *add, WsInstruction *ret)
{
    const WsOperand *a = &add->operand[3], *b = &add->operand[4];
    gboolean extended = add->mod[WS_MOD_EXTENDED];
    if (add->operand[1].index != WS_PT || add->operand[2].index != WS_PT ||
        !ws_is_zero(&add->operand[5]) || !ws_is_register(a) || !ws_is_false(&add->operand[7]))
        return FALSE;
    if (extended) {
        if (!ws_is_register(b))
            return FALSE;
        begin(ret, add, WS_OP_IMAD_X);
        set_imad(ret, *a, ws_operand_immediate(1), *b);
        ret->operand[4] = add->operand[6];
        return !(a->flags & WS_OPERAND_NEGATE);
    }
    if (ws_is_register(b)) {
        gboolean swap = (a->flags & WS_OPERAND_NEGATE) != 0;
        if (swap && (b->flags & WS_OPERAND_NEGATE))
            return FALSE;
        begin(ret, add, WS_OP_IMAD);
        set_imad(ret, swap ? *b : *a, ws_operand_immediate(1), swap ? *a : *b);
        if (ret->operand[1].index == WS_RZ)
            ret->operand[2] = ws_operand_zero();
        return TRUE;
    }
    if (b->kind == WS_OPERAND_CONSTANT)
        return FALSE;
    begin(ret, add, WS_OP_VIADD);
    ret->operand[1] = *a;
    ret->operand[2] = *b;
    return TRUE;
}

static gboolean move(const WsInstruction *from, WsInstruction *ret)
{
    if (from->operand[1].kind == WS_OPERAND_UNIFORM_REGISTER)
        return FALSE;
    begin(ret, from, WS_OP_IMAD);
    set_imad(ret, ws_operand_zero(), ws_operand_zero(), from->operand[1]);
    return TRUE;
}

/* Rd Ra Sb Rc: left by a constant. */
static gboolean left_shift(const WsInstruction *shift, WsInstruction *ret)
{
    const WsOperand *amount = &shift->operand[2];
    if (shift->mod[WS_MOD_DIRECTION] != WS_DIRECTION_LEFT || shift->mod[WS_MOD_HIGH] ||
        shift->mod[WS_MOD_SHIFT_TYPE] != WS_SHIFT_U32 || amount->kind != WS_OPERAND_IMMEDIATE ||
        amount->value > 31 || !ws_is_register(&shift->operand[1]))
        return FALSE;
    begin(ret, shift, WS_OP_IMAD);
    set_imad(ret, shift->operand[1], ws_operand_immediate(1u << amount->value), ws_operand_zero());
    return TRUE;
}

/* Rd Pd Ra Sb Rc Ic Np: (Ra << Ic) + Sb */
static gboolean shifted_sum(const WsInstruction *lea, WsInstruction *ret)
{
    if (lea->mod[WS_MOD_HIGH] || lea->mod[WS_MOD_EXTENDED] || lea->operand[1].index != WS_PT ||
        !ws_is_register(&lea->operand[2]) || !ws_is_register(&lea->operand[3]))
        return FALSE;
    begin(ret, lea, WS_OP_IMAD);
    set_imad(ret, lea->operand[2], ws_operand_immediate(1u << (lea->operand[5].value & 31)),
             lea->operand[3]);
    return TRUE;
}

static gboolean for_fma(const WsInstruction *instruction, gboolean moves, WsInstruction *ret)
{
    if ((instruction->opcode == WS_OP_MOV) != moves)
        return FALSE;
    switch (instruction->opcode) {
    case WS_OP_IADD3:
        return addition(instruction, ret);
    case WS_OP_MOV:
        return move(instruction, ret);
    case WS_OP_SHF:
        return left_shift(instruction, ret);
    case WS_OP_LEA:
        return shifted_sum(instruction, ret);
    default:
        return FALSE;
    }
}

/* ---- packed halves ---- */

/* a + b is a * 1 + b, a * b is a * b - 0: no other rounding, and zeros keep their signs. */
static gboolean for_mma(const WsInstruction *half, WsInstruction *ret)
{
    guint32 ones = half->mod[WS_MOD_HALF_TYPE] ? BFLOAT_ONES : ONES;
    if (half->low_half)
        return FALSE;
    begin(ret, half, WS_OP_HFMA2_MMA);
    memcpy(ret->mod, half->mod, sizeof ret->mod);
    set_imad(ret, half->operand[1], half->operand[2], half->operand[3]);
    if (half->opcode == WS_OP_HFMA2)
        return TRUE;
    if (half->opcode == WS_OP_HADD2) {
        set_imad(ret, half->operand[1], ws_operand_immediate(ones), half->operand[2]);
        return ws_is_register(&half->operand[2]);
    }
    ret->operand[3] = ws_operand_zero();
    ret->operand[3].flags = WS_OPERAND_NEGATE;
    return half->opcode == WS_OP_HMUL2;
}

/* ---- the pass ---- */

static void place(Balance *balance, WsInstruction *instruction, gboolean moves)
{
    WsInstruction other;
    WsPipe pipe = ws_class_pipe(ws_instruction_class(instruction));
    if (pipe == WS_PIPE_ALU && balance->alu > 0 && for_fma(instruction, moves, &other)) {
        *instruction = other;
        pipe = WS_PIPE_FMA;
    } else if (pipe == WS_PIPE_FP16 && balance->packed > 0 && !moves &&
               for_mma(instruction, &other)) {
        *instruction = other;
        pipe = WS_PIPE_FP16_MMA;
    }
    balance->alu += (pipe == WS_PIPE_ALU) - (pipe == WS_PIPE_FMA);
    balance->alu = CLAMP(balance->alu, -FAR, FAR);
    balance->packed += (pipe == WS_PIPE_FP16) - (pipe == WS_PIPE_FP16_MMA);
    balance->packed = CLAMP(balance->packed, -FAR, FAR);
}

void ws_balance_pipes(WsIrFunction *function, gboolean moves)
{
    for (guint32 b = 0; b < function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(function, b);
        Balance balance = {0, 0};
        for (guint i = 0; i < ws_ir_length(block); i++)
            place(&balance, ws_ir_instruction(block, i), moves);
    }
}
