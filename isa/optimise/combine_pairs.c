/* Sums of 64 bits: IADD3 with a carry out, then IADD3.X, and what feeds them. */
#include "isa/optimise/combine_patterns.h"

#include "isa/bytecode/opcode.h"

/* ---- sums of pairs: IADD3 with carry out, then IADD3.X ---- */

static gboolean is_low_half(const WsInstruction *add)
{
    return add->opcode == WS_OP_IADD3 && !ws_is_discarded(&add->operand[WS_ADD_P]) &&
           ws_is_discarded(&add->operand[WS_ADD_Q]) && !add->mod[WS_MOD_EXTENDED] &&
           ws_is_zero(&add->operand[WS_ADD_C]) && !ws_is_guarded(add);
}

static gboolean is_high_half(const WsInstruction *add, const WsOperand *carry)
{
    return add->opcode == WS_OP_IADD3 && add->mod[WS_MOD_EXTENDED] && !ws_is_guarded(add) &&
           ws_is_discarded(&add->operand[WS_ADD_P]) && ws_is_discarded(&add->operand[WS_ADD_Q]) &&
           ws_is_zero(&add->operand[WS_ADD_C]) &&
           add->operand[WS_ADD_CARRY].index == carry->index &&
           add->operand[WS_ADD_CARRY].flags == 0 && ws_is_false(&add->operand[WS_ADD_CARRY2]);
}

/* TRUE if `high` is the next word after `low`: of a register pair or of a constant bank. */
static gboolean are_pair(const WsOperand *low, const WsOperand *high)
{
    if (low->kind != high->kind || low->flags != 0 || high->flags != 0)
        return FALSE;
    if (low->kind == WS_OPERAND_CONSTANT)
        return low->index == WS_RZ && high->index == WS_RZ && low->bank == high->bank &&
               low->value % 8 == 0 && high->value == low->value + 4;
    if (low->kind != WS_OPERAND_REGISTER || low->index != high->index)
        return FALSE;
    return low->index != WS_RZ && low->bank % 2 == 0 && high->bank == low->bank + 1;
}

/* The half that follows at once, or NULL. */
static WsInstruction *find_high_half(WsCombiner *c, WsPlace place, WsPlace *ret_place)
{
    const WsInstruction *low = ws_combine_at(c, place);
    WsPlace next = {place.block, place.instruction + 1};
    if (!is_low_half(low) || !ws_combine_is_used_once(c, &low->operand[WS_ADD_P]) ||
        next.instruction >= ws_ir_block(c->function, place.block)->instructions->len ||
        ws_combine_is_deleted(c, next))
        return NULL;
    WsInstruction *high = ws_combine_at(c, next);
    if (!is_high_half(high, &low->operand[WS_ADD_P]))
        return NULL;
    *ret_place = next;
    return high;
}

/*
 * An immediate factor beside a constant addend needs a register. The low half of the sum is not
 * needed any more: its place takes the MOV, unless the block has one already.
 */
static gboolean put_factor_in_register(WsCombiner *c, WsPlace place, WsInstruction *product)
{
    WsOperand *factor = &product->operand[3];
    if (factor->kind != WS_OPERAND_IMMEDIATE || c->spare == c->spare_end)
        return FALSE;
    gboolean known = c->factor_register != 0 && c->factor_block == place.block &&
                     c->factor_value == factor->value;
    if (!known) {
        WsInstruction move;
        ws_instruction_init(&move, WS_OP_MOV);
        c->factor_block = place.block;
        c->factor_value = factor->value;
        c->factor_register = c->spare++;
        move.operand[0].index = c->factor_register;
        move.operand[1] = *factor;
        ws_combine_replace(c, place, &move);
    } else {
        ws_combine_delete(c, place);
    }
    *factor = ws_operand_register(c->factor_register);
    return TRUE;
}

/*
 * (a * b) + pair: IMAD.WIDE with the pair. The product may have other uses. ptxas does so with
 * mul.wide and add, not with mad.wide.
 */
static gboolean merge_wide_product(WsCombiner *c, WsPlace place, WsPlace high_place,
                                   const WsInstruction *high, guint x, guint y)
{
    const WsInstruction *low = ws_combine_at(c, place);
    const WsOperand *term = &low->operand[y];
    WsPlace from;
    const WsInstruction *product = ws_combine_producer(c, &low->operand[x], &from);
    if (product == NULL || product->opcode != WS_OP_IMAD_WIDE || !product->may_contract ||
        !are_pair(&low->operand[WS_ADD_D], &high->operand[WS_ADD_D]) ||
        !ws_is_zero(&product->operand[4]) || !ws_is_discarded(&product->operand[1]) ||
        !are_pair(&low->operand[x], &high->operand[x]) ||
        product->operand[0].bank != low->operand[x].bank || !are_pair(term, &high->operand[y]) ||
        !ws_combine_intact(c, from, high_place))
        return FALSE;
    WsInstruction sum = *product;
    WsOperand d = low->operand[WS_ADD_D];
    const guint32 origin = low->origin;
    sum.operand[0] = d;
    sum.operand[4] = *term;
    if (term->kind == WS_OPERAND_REGISTER || sum.operand[3].kind == WS_OPERAND_REGISTER)
        ws_combine_delete(c, place);
    else if (!put_factor_in_register(c, place, &sum))
        return FALSE;
    ws_combine_replace(c, high_place, &sum);
    ws_combine_at(c, high_place)->origin = origin;
    return TRUE;
}

/* (pair << n) + pair: LEA and LEA.HI.X, if nothing else reads the shifted pair. */
static gboolean merge_pair_shift(WsCombiner *c, WsPlace place, WsPlace high_place,
                                 const WsInstruction *high, guint x, guint y)
{
    const WsInstruction *low = ws_combine_at(c, place);
    WsPlace from[2];
    const WsInstruction *shift = ws_combine_producer(c, &low->operand[x], &from[0]);
    const WsInstruction *top = ws_combine_producer(c, &high->operand[x], &from[1]);
    if (shift == NULL || top == NULL || !ws_is_left_shift(shift, FALSE) ||
        !ws_is_left_shift(top, TRUE) || !ws_operands_equal(&shift->operand[1], &top->operand[1]) ||
        shift->operand[2].value != top->operand[2].value ||
        !ws_is_plain_register(&shift->operand[1]) ||
        (!ws_is_plain_register(&top->operand[3]) && !ws_is_zero(&top->operand[3])) ||
        low->operand[x].flags != 0 || high->operand[x].flags != 0 || low->operand[y].flags != 0 ||
        high->operand[y].flags != 0 || !ws_combine_is_used_once(c, &low->operand[x]) ||
        !ws_combine_is_used_once(c, &high->operand[x]) ||
        !ws_combine_intact(c, from[0], high_place) || !ws_combine_intact(c, from[1], high_place))
        return FALSE;
    const WsOperand *d = &low->operand[WS_ADD_D];
    if (shift->operand[1].index == d->index || top->operand[3].index == d->index)
        return FALSE; /* the low half would be written before the high half reads it */
    WsInstruction first, second;
    ws_set_lea(&first, *d, shift->operand[1], low->operand[y], shift->operand[2].value);
    first.operand[1] = low->operand[WS_ADD_P];
    ws_set_lea(&second, high->operand[WS_ADD_D], shift->operand[1], high->operand[y],
               shift->operand[2].value);
    second.operand[4] = top->operand[3];
    second.operand[6] = low->operand[WS_ADD_P];
    second.mod[WS_MOD_HIGH] = 1;
    second.mod[WS_MOD_EXTENDED] = 1;
    ws_combine_replace(c, place, &first);
    ws_combine_replace(c, high_place, &second);
    return TRUE;
}

/* Whether three terms fit into one IADD3: its carries are two, and one term may be no register. */
static gboolean fit_together(const WsOperand *const terms[3], const WsOperand *low_result)
{
    guint others = 0;
    guint negated = 0;
    for (guint i = 0; i < 3; i++) {
        others += !ws_is_register(terms[i]);
        negated += (terms[i]->flags & WS_OPERAND_NEGATE) != 0;
        if (low_result != NULL && terms[i]->index == low_result->index &&
            terms[i]->bank == low_result->bank)
            return FALSE; /* the low sum would be there before the high one reads it */
    }
    return others <= 1 && negated <= 2;
}

/* What is no register goes to Sb. */
static void set_terms(WsInstruction *sum, const WsOperand *const terms[3])
{
    guint n = WS_ADD_A;
    gboolean other = FALSE;
    for (guint i = 0; i < 3; i++)
        other |= !ws_is_register(terms[i]);
    for (guint i = 0; i < 3; i++) {
        if (!ws_is_register(terms[i])) {
            sum->operand[WS_ADD_B] = *terms[i];
            continue;
        }
        if (n == WS_ADD_B && other)
            n = WS_ADD_C;
        sum->operand[n++] = *terms[i];
    }
}

/* (pair + pair) + pair: one IADD3 with two carries out, one IADD3.X with two in. */
static gboolean merge_pair_sums(WsCombiner *c, WsPlace place, WsPlace high_place,
                                const WsInstruction *high, guint x, guint y)
{
    const WsInstruction *low = ws_combine_at(c, place);
    WsPlace from, next;
    const WsInstruction *inner = ws_combine_producer(c, &low->operand[x], &from);
    if (inner == NULL || !is_low_half(inner) || low->operand[x].flags != 0 ||
        high->operand[x].flags != 0 || !ws_combine_is_used_once(c, &low->operand[x]) ||
        !ws_combine_is_used_once(c, &high->operand[x]))
        return FALSE;
    const WsInstruction *top = find_high_half(c, from, &next);
    if (top == NULL || !ws_operands_equal(&top->operand[WS_ADD_D], &high->operand[x]) ||
        !ws_combine_intact(c, from, place) || !ws_combine_intact(c, next, high_place))
        return FALSE;
    const WsOperand *terms[2][3] = {
        {&inner->operand[WS_ADD_A], &inner->operand[WS_ADD_B], &low->operand[y]},
        {&top->operand[WS_ADD_A], &top->operand[WS_ADD_B], &high->operand[y]}};
    if (!fit_together(terms[0], NULL) || !fit_together(terms[1], &low->operand[WS_ADD_D]))
        return FALSE;
    WsInstruction sums[2] = {*low, *high};
    for (guint w = 0; w < 2; w++)
        set_terms(&sums[w], terms[w]);
    sums[0].operand[WS_ADD_Q] = inner->operand[WS_ADD_P];
    sums[1].operand[WS_ADD_CARRY2] = inner->operand[WS_ADD_P];
    ws_combine_delete(c, from);
    ws_combine_delete(c, next);
    ws_combine_replace(c, place, &sums[0]);
    ws_combine_replace(c, high_place, &sums[1]);
    return TRUE;
}

/* d = a < 0 ? -1 : 0 */
static gboolean is_sign(const WsInstruction *shift)
{
    return shift->opcode == WS_OP_SHF && shift->mod[WS_MOD_DIRECTION] == WS_DIRECTION_RIGHT &&
           shift->mod[WS_MOD_HIGH] && shift->mod[WS_MOD_SHIFT_TYPE] == WS_SHIFT_S32 &&
           ws_is_zero(&shift->operand[1]) && shift->operand[2].kind == WS_OPERAND_IMMEDIATE &&
           shift->operand[2].value == 31 && ws_is_plain_register(&shift->operand[3]);
}

/* (sign of a) + word + carry: LEA.HI.X.SX32 of a shifted by 1. */
static gboolean merge_sign(WsCombiner *c, WsPlace place, WsPlace high_place,
                           const WsInstruction *high, guint x, guint y)
{
    const WsOperand *d = &ws_combine_at(c, place)->operand[WS_ADD_D];
    WsPlace from;
    const WsInstruction *sign = ws_combine_producer(c, &high->operand[x], &from);
    if (sign == NULL || !is_sign(sign) || high->operand[x].flags != 0 ||
        high->operand[y].flags != 0 || !ws_combine_is_used_once(c, &high->operand[x]) ||
        !ws_combine_intact(c, from, high_place) || sign->operand[3].index == d->index)
        return FALSE;
    WsInstruction lea;
    ws_set_lea(&lea, high->operand[WS_ADD_D], sign->operand[3], high->operand[y], 1);
    lea.operand[6] = high->operand[WS_ADD_CARRY];
    lea.mod[WS_MOD_HIGH] = 1;
    lea.mod[WS_MOD_EXTENDED] = 1;
    lea.mod[WS_MOD_SIGN] = 1;
    ws_combine_replace(c, high_place, &lea);
    return TRUE;
}

void ws_combine_pair(WsCombiner *c, WsPlace place)
{
    WsPlace high_place;
    const WsInstruction *high = find_high_half(c, place, &high_place);
    if (high == NULL)
        return;
    for (guint x = WS_ADD_A; x <= WS_ADD_B; x++) {
        guint y = x == WS_ADD_A ? WS_ADD_B : WS_ADD_A;
        if (merge_wide_product(c, place, high_place, high, x, y) ||
            merge_pair_shift(c, place, high_place, high, x, y) ||
            merge_pair_sums(c, place, high_place, high, x, y))
            return;
    }
    for (guint x = WS_ADD_A; x <= WS_ADD_B; x++)
        if (merge_sign(c, place, high_place, high, x, x == WS_ADD_A ? WS_ADD_B : WS_ADD_A))
            return;
}
