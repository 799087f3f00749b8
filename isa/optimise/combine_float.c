/* Sums of floating-point products become fused multiply-adds where the source allows it. */
#include "isa/bytecode/instruction_check.h"
#include "isa/bytecode/opcode.h"
#include "isa/optimise/combine_patterns.h"

/* Operand numbers of FADD, FMUL (Rd Ra Sb) and FFMA (Rd Ra Sb Sc), and of the f64 ones. */
enum { FLOAT_D, FLOAT_A, FLOAT_B, FLOAT_C };

static gboolean is_contractable(const WsInstruction *instruction, WsOpcode opcode)
{
    return instruction->opcode == opcode && instruction->may_contract &&
           instruction->mod[WS_MOD_ROUND] == WS_ROUND_NEAREST;
}

typedef struct {
    WsOpcode sum, product, fused;
} Contraction;

static const Contraction contractions[] = {{WS_OP_FADD, WS_OP_FMUL, WS_OP_FFMA},
                                           {WS_OP_DADD, WS_OP_DMUL, WS_OP_DFMA},
                                           {WS_OP_HADD2, WS_OP_HMUL2, WS_OP_HFMA2}};

/* The one that begins with the sum, or NULL. */
static const Contraction *find_contraction(const WsInstruction *sum)
{
    for (guint i = 0; i < G_N_ELEMENTS(contractions); i++)
        if (is_contractable(sum, contractions[i].sum))
            return &contractions[i];
    return NULL;
}

/* The product at operand `x` of the sum, if nothing else reads it. */
static const WsInstruction *find_product(const WsCombiner *c, WsPlace place, guint x,
                                         WsOpcode opcode)
{
    const WsInstruction *sum = ws_combine_at(c, place);
    const WsOperand *operand = &sum->operand[x];
    gboolean wide = sum->opcode == WS_OP_DADD;
    WsPlace from;
    const WsInstruction *product = ws_combine_producer(c, operand, &from);
    if (product == NULL || !is_contractable(product, opcode) ||
        product->mod[WS_MOD_HALF_TYPE] != sum->mod[WS_MOD_HALF_TYPE] ||
        product->operand[FLOAT_D].index != operand->index ||
        product->operand[FLOAT_D].bank != operand->bank || (operand->flags & WS_OPERAND_ABSOLUTE) ||
        product->mod[WS_MOD_SAT] || product->mod[WS_MOD_FTZ] != sum->mod[WS_MOD_FTZ] ||
        !ws_combine_is_used_once(c, operand) || !ws_combine_intact(c, from, place))
        return NULL;
    WsOperand high = *operand;
    high.bank++;
    return wide && !ws_combine_is_used_once(c, &high) ? NULL : product;
}

/* product + term, the sign of the product on its first factor. FALSE if there is no such form. */
static gboolean contract(WsCombiner *c, WsPlace place, guint x, const Contraction *contraction)
{
    const WsInstruction *product = find_product(c, place, x, contraction->product);
    if (product == NULL)
        return FALSE;
    const WsInstruction *sum = ws_combine_at(c, place);
    WsInstruction fused;
    ws_instruction_init(&fused, contraction->fused);
    fused.low_half = sum->low_half;
    fused.mod[WS_MOD_HALF_TYPE] = sum->mod[WS_MOD_HALF_TYPE];
    fused.mod[WS_MOD_FTZ] = sum->mod[WS_MOD_FTZ];
    fused.mod[WS_MOD_SAT] = sum->mod[WS_MOD_SAT];
    fused.operand[FLOAT_D] = sum->operand[FLOAT_D];
    fused.operand[FLOAT_A] = product->operand[FLOAT_A];
    fused.operand[FLOAT_A].flags ^= sum->operand[x].flags & WS_OPERAND_NEGATE;
    fused.operand[FLOAT_B] = product->operand[FLOAT_B];
    fused.operand[FLOAT_C] = sum->operand[x == FLOAT_A ? FLOAT_B : FLOAT_A];
    if (fused.operand[FLOAT_B].kind != WS_OPERAND_REGISTER &&
        fused.operand[FLOAT_C].kind != WS_OPERAND_REGISTER)
        return FALSE;
    for (guint n = FLOAT_A; n <= FLOAT_C; n++)
        if (fused.operand[n].flags & ~ws_operand_allowed_flags(&fused, n))
            return FALSE;
    ws_combine_replace(c, place, &fused);
    return TRUE;
}

void ws_combine_contract(WsCombiner *c, WsPlace place)
{
    const Contraction *contraction = find_contraction(ws_combine_at(c, place));
    if (contraction != NULL && !contract(c, place, FLOAT_A, contraction))
        contract(c, place, FLOAT_B, contraction);
}

/* ---- saturation ---- */

/* a + -0 with .SAT: the instruction that makes a saturates, if nothing else reads it. */
void ws_combine_saturation(WsCombiner *c, WsPlace place)
{
    const WsInstruction *clamp = ws_combine_at(c, place);
    const WsOperand *a = &clamp->operand[FLOAT_A], *b = &clamp->operand[FLOAT_B];
    if (clamp->opcode != WS_OP_FADD || !clamp->mod[WS_MOD_SAT] || a->flags != 0 ||
        b->kind != WS_OPERAND_REGISTER || b->index != WS_RZ || b->flags != WS_OPERAND_NEGATE)
        return;
    WsPlace from;
    const WsInstruction *producer = ws_combine_producer(c, a, &from);
    if (producer == NULL ||
        (producer->opcode != WS_OP_FADD && producer->opcode != WS_OP_FMUL &&
         producer->opcode != WS_OP_FFMA) ||
        producer->mod[WS_MOD_FTZ] != clamp->mod[WS_MOD_FTZ] || !ws_combine_is_used_once(c, a) ||
        !ws_combine_intact(c, from, place))
        return;
    WsInstruction saturated = *producer;
    saturated.operand[FLOAT_D] = clamp->operand[FLOAT_D];
    saturated.mod[WS_MOD_SAT] = 1;
    saturated.may_contract = FALSE;
    ws_combine_replace(c, place, &saturated);
}

/* ---- halves ---- */

/* The operand of which an instruction takes one half, and the modifier that says which. */
static gboolean takes_half(const WsInstruction *instruction, guint *ret_operand, guint *ret_group)
{
    *ret_operand = instruction->opcode == WS_OP_MUFU ? 1 : 2;
    *ret_group = instruction->opcode == WS_OP_MUFU ? WS_MOD_MUFU_HALF : WS_MOD_HALF_WORD;
    return instruction->opcode == WS_OP_HADD2_F32 ||
           (instruction->opcode == WS_OP_MUFU && instruction->mod[WS_MOD_MUFU_FORMAT] != 0);
}

/* One half of what was brought down or packed before: it is taken from where it was. */
void ws_combine_half(WsCombiner *c, WsPlace place)
{
    enum { LOW = 1, SELECTOR, HIGH, UPPER_HALF = 0x7732, PACK = 0x5410 };
    const WsInstruction *consumer = ws_combine_at(c, place);
    guint n, group;
    if (!takes_half(consumer, &n, &group))
        return;
    WsPlace from;
    const WsInstruction *bytes = ws_combine_producer(c, &consumer->operand[n], &from);
    if (bytes == NULL || bytes->opcode != WS_OP_PRMT || bytes->mod[WS_MOD_PRMT] != 0 ||
        bytes->operand[SELECTOR].kind != WS_OPERAND_IMMEDIATE || !ws_combine_intact(c, from, place))
        return;
    gboolean upper = consumer->mod[group] != 0, pack = bytes->operand[SELECTOR].value == PACK;
    if (!pack && (upper || bytes->operand[SELECTOR].value != UPPER_HALF))
        return;
    const WsOperand *source = &bytes->operand[pack && upper ? HIGH : LOW];
    if (source->kind != WS_OPERAND_REGISTER)
        return;
    WsInstruction direct = *consumer;
    direct.operand[n].index = source->index;
    direct.operand[n].bank = source->bank;
    direct.mod[group] = !pack;
    ws_combine_replace(c, place, &direct);
}
