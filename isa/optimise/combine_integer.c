/* Additions with products, shifts and additions; extensions of what is extended already. */
#include "isa/optimise/combine_patterns.h"

#include "isa/bytecode/opcode.h"

/* shr.u32 by a constant: d = a >> n. */
static gboolean is_right_shift(const WsInstruction *shift)
{
    return shift->opcode == WS_OP_SHF && shift->mod[WS_MOD_DIRECTION] == WS_DIRECTION_RIGHT &&
           !shift->mod[WS_MOD_WRAP] && shift->mod[WS_MOD_HIGH] &&
           shift->mod[WS_MOD_SHIFT_TYPE] == WS_SHIFT_U32 && ws_is_zero(&shift->operand[1]) &&
           shift->operand[2].kind == WS_OPERAND_IMMEDIATE && shift->operand[2].value >= 1 &&
           shift->operand[2].value <= 31 && ws_is_plain_register(&shift->operand[3]);
}

/* ---- sums of words ---- */

/* x + y with x = p + q: one sum of three. */
static gboolean merge_sums(WsCombiner *c, WsPlace place, guint x, guint y)
{
    const WsInstruction *add = ws_combine_at(c, place);
    WsPlace from;
    const WsInstruction *inner = ws_combine_producer(c, &add->operand[x], &from);
    if (inner == NULL || !ws_is_plain_sum(inner) || !ws_combine_is_used_once(c, &add->operand[x]) ||
        !ws_combine_intact(c, from, place))
        return FALSE;
    WsOperand terms[3] = {inner->operand[WS_ADD_A], inner->operand[WS_ADD_B], add->operand[y]};
    guint others = 0;
    guint negated = 0;
    for (guint i = 0; i < 3; i++) {
        others += terms[i].kind != WS_OPERAND_REGISTER;
        negated += (terms[i].flags & WS_OPERAND_NEGATE) != 0;
    }
    if (others > 1 || negated > 2)
        return FALSE;
    WsInstruction sum = *add;
    guint next = WS_ADD_A;
    for (guint i = 0; i < 3; i++) /* what is no register goes to Sb */
        if (terms[i].kind != WS_OPERAND_REGISTER)
            sum.operand[WS_ADD_B] = terms[i];
    for (guint i = 0; i < 3; i++) {
        if (terms[i].kind != WS_OPERAND_REGISTER)
            continue;
        if (next == WS_ADD_B && others == 1)
            next = WS_ADD_C;
        sum.operand[next++] = terms[i];
    }
    ws_combine_replace(c, place, &sum);
    return TRUE;
}

/*
 * TRUE if nothing but sums read the value, near to `place` in its block: then each may take the
 * product in, and the product itself goes.
 */
static gboolean is_only_summed(const WsCombiner *c, WsPlace place, const WsOperand *value)
{
    enum { NEAR = 32, MOST = 3 };
    guint32 uses = ws_combine_uses(c, value);
    guint32 length = ws_ir_block(c->function, place.block)->instructions->len;
    guint32 end = MIN(place.instruction + NEAR, length);
    guint32 summed = 0;
    if (uses > MOST)
        return FALSE;
    for (WsPlace at = {place.block, place.instruction - MIN(NEAR, place.instruction)};
         at.instruction < end; at.instruction++) {
        const WsInstruction *add = ws_combine_at(c, at);
        if (ws_combine_is_deleted(c, at) || !ws_is_plain_sum(add))
            continue;
        for (guint n = WS_ADD_A; n <= WS_ADD_B; n++) {
            const WsOperand *other = &add->operand[n == WS_ADD_A ? WS_ADD_B : WS_ADD_A];
            summed += ws_operands_equal(&add->operand[n], value) && other->flags == 0 &&
                      !ws_operands_equal(other, value);
        }
    }
    return summed == uses;
}

/* x + y with x = a * b */
static gboolean merge_product(WsCombiner *c, WsPlace place, guint x, guint y)
{
    const WsInstruction *add = ws_combine_at(c, place);
    WsPlace from;
    const WsInstruction *product = ws_combine_producer(c, &add->operand[x], &from);
    if (product == NULL || product->opcode != WS_OP_IMAD || !ws_is_zero(&product->operand[3]) ||
        !is_only_summed(c, place, &add->operand[x]) || !ws_combine_intact(c, from, place))
        return FALSE;
    const WsOperand *term = &add->operand[y];
    if (term->flags != 0 ||
        (term->kind != WS_OPERAND_REGISTER && product->operand[2].kind != WS_OPERAND_REGISTER))
        return FALSE;
    WsInstruction sum = *product;
    sum.operand[0] = add->operand[WS_ADD_D];
    sum.operand[3] = *term;
    ws_combine_replace(c, place, &sum);
    return TRUE;
}

/* x + y with x = a << n */
static gboolean merge_shift(WsCombiner *c, WsPlace place, guint x, guint y)
{
    const WsInstruction *add = ws_combine_at(c, place);
    WsPlace from;
    const WsInstruction *shift = ws_combine_producer(c, &add->operand[x], &from);
    if (shift == NULL || !ws_is_left_shift(shift, FALSE) || !ws_combine_intact(c, from, place) ||
        !ws_is_plain_register(&shift->operand[1]) || add->operand[y].flags != 0)
        return FALSE;
    WsInstruction lea;
    ws_set_lea(&lea, add->operand[WS_ADD_D], shift->operand[1], add->operand[y],
               shift->operand[2].value);
    ws_combine_replace(c, place, &lea);
    return TRUE;
}

/* x + y with x = a >> n, unsigned: (0:a << (32 - n)) >> 32. Halves of signed numbers come so. */
static gboolean merge_right_shift(WsCombiner *c, WsPlace place, guint x, guint y)
{
    const WsInstruction *add = ws_combine_at(c, place);
    WsPlace from;
    const WsInstruction *shift = ws_combine_producer(c, &add->operand[x], &from);
    if (shift == NULL || !is_right_shift(shift) || !ws_combine_is_used_once(c, &add->operand[x]) ||
        !ws_combine_intact(c, from, place) || add->operand[y].flags != 0)
        return FALSE;
    WsInstruction lea;
    ws_set_lea(&lea, add->operand[WS_ADD_D], shift->operand[3], add->operand[y],
               32 - shift->operand[2].value);
    lea.mod[WS_MOD_HIGH] = 1;
    ws_combine_replace(c, place, &lea);
    return TRUE;
}

/* ---- minimum and maximum of a sum ---- */

/* min(a + b, c): VIADDMNMX. */
void ws_combine_limit(WsCombiner *c, WsPlace place)
{
    enum { LIMIT_A = 1, LIMIT_B, LIMIT_P };
    const WsInstruction *limit = ws_combine_at(c, place);
    if (limit->opcode != WS_OP_VIMNMX)
        return;
    for (guint x = LIMIT_A; x <= LIMIT_B; x++) {
        const WsOperand *other = &limit->operand[x == LIMIT_A ? LIMIT_B : LIMIT_A];
        WsPlace from;
        const WsInstruction *sum = ws_combine_producer(c, &limit->operand[x], &from);
        if (sum == NULL || !ws_is_plain_sum(sum) ||
            !ws_is_plain_register(&sum->operand[WS_ADD_A]) || sum->operand[WS_ADD_B].flags != 0 ||
            !ws_combine_is_used_once(c, &limit->operand[x]) ||
            (sum->operand[WS_ADD_B].kind != WS_OPERAND_REGISTER &&
             other->kind != WS_OPERAND_REGISTER) ||
            !ws_combine_intact(c, from, place))
            continue;
        WsInstruction fused;
        ws_instruction_init(&fused, WS_OP_VIADDMNMX);
        fused.mod[WS_MOD_UNSIGNED] = limit->mod[WS_MOD_UNSIGNED];
        fused.operand[0] = limit->operand[0];
        fused.operand[1] = sum->operand[WS_ADD_A];
        fused.operand[2] = sum->operand[WS_ADD_B];
        fused.operand[3] = *other;
        fused.operand[4] = limit->operand[LIMIT_P];
        ws_combine_replace(c, place, &fused);
        return;
    }
}

/* ---- negations ---- */

/* d = -a */
static gboolean is_negation(const WsInstruction *add)
{
    const WsOperand *a = &add->operand[WS_ADD_A], *b = &add->operand[WS_ADD_B];
    return ws_is_plain_sum(add) && ws_is_zero(a) && ws_is_register(b) &&
           b->flags == WS_OPERAND_NEGATE && b->index != WS_RZ;
}

/* -a * constant + c: a * -constant + c. */
static gboolean negate_factor(WsCombiner *c, WsPlace place)
{
    const WsInstruction *product = ws_combine_at(c, place);
    WsPlace from;
    if (product->opcode != WS_OP_IMAD || product->operand[2].kind != WS_OPERAND_IMMEDIATE ||
        !ws_is_plain_register(&product->operand[1]))
        return FALSE;
    const WsInstruction *minus = ws_combine_producer(c, &product->operand[1], &from);
    if (minus == NULL || !is_negation(minus) || !ws_combine_intact(c, from, place))
        return FALSE;
    WsInstruction changed = *product;
    changed.operand[1] = ws_operand_negated(minus->operand[WS_ADD_B]);
    changed.operand[2] = ws_operand_negated(product->operand[2]);
    ws_combine_replace(c, place, &changed);
    return TRUE;
}

/* -(a * constant): a * -constant. */
static gboolean negate_product(WsCombiner *c, WsPlace place)
{
    const WsInstruction *add = ws_combine_at(c, place);
    WsPlace from;
    if (!is_negation(add))
        return FALSE;
    const WsInstruction *product = ws_combine_producer(c, &add->operand[WS_ADD_B], &from);
    if (product == NULL || product->opcode != WS_OP_IMAD || !ws_is_zero(&product->operand[3]) ||
        product->operand[2].kind != WS_OPERAND_IMMEDIATE ||
        !ws_combine_is_used_once(c, &add->operand[WS_ADD_B]) || !ws_combine_intact(c, from, place))
        return FALSE;
    WsInstruction changed = *product;
    changed.operand[0] = add->operand[WS_ADD_D];
    changed.operand[2] = ws_operand_negated(product->operand[2]);
    ws_combine_replace(c, place, &changed);
    return TRUE;
}

void ws_combine_add(WsCombiner *c, WsPlace place)
{
    const WsInstruction *add = ws_combine_at(c, place);
    if (!ws_is_plain_sum(add) || negate_product(c, place))
        return;
    for (guint x = WS_ADD_A; x <= WS_ADD_B; x++) {
        guint y = x == WS_ADD_A ? WS_ADD_B : WS_ADD_A;
        if (ws_is_plain_register(&add->operand[x]) &&
            (merge_product(c, place, x, y) || merge_shift(c, place, x, y) ||
             merge_right_shift(c, place, x, y) || merge_sums(c, place, x, y)))
            return;
    }
}

/* 0 * b + c: the high word of a product of extended words. */
static gboolean drop_product(WsCombiner *c, WsPlace place)
{
    const WsInstruction *product = ws_combine_at(c, place);
    if (product->opcode != WS_OP_IMAD || product->operand[3].flags != 0 ||
        (!ws_is_zero(&product->operand[1]) && !ws_is_zero(&product->operand[2])))
        return FALSE;
    WsInstruction move;
    ws_instruction_init(&move, WS_OP_MOV);
    move.operand[0] = product->operand[0];
    move.operand[1] = product->operand[3];
    ws_combine_replace(c, place, &move);
    return TRUE;
}

/* A 64-bit product of which only the low word is read. */
void ws_combine_multiply(WsCombiner *c, WsPlace place)
{
    if (drop_product(c, place) || negate_factor(c, place))
        return;
    const WsInstruction *wide = ws_combine_at(c, place);
    if (wide->opcode != WS_OP_IMAD_WIDE || wide->operand[0].index < WS_VIRTUAL_BASE ||
        !ws_is_discarded(&wide->operand[1]))
        return;
    WsOperand high = wide->operand[0];
    high.bank++;
    if (ws_combine_uses(c, &high) != 0)
        return;
    WsInstruction narrow;
    ws_instruction_init(&narrow, WS_OP_IMAD);
    narrow.operand[0] = wide->operand[0];
    for (guint n = 1; n < 4; n++)
        narrow.operand[n] = wide->operand[n + 1];
    ws_combine_replace(c, place, &narrow);
}

/* ---- extensions ---- */

/* Highest value that an instruction's result can have, as an unsigned number. */
static guint32 largest_result(const WsInstruction *producer)
{
    switch (producer->opcode) {
    case WS_OP_LDG:
    case WS_OP_LDS:
    case WS_OP_LDL:
    case WS_OP_LD:
    case WS_OP_LDC:
        if (producer->mod[WS_MOD_WIDTH] == WS_WIDTH_U8)
            return 0xff;
        return producer->mod[WS_MOD_WIDTH] == WS_WIDTH_U16 ? 0xffff : G_MAXUINT32;
    case WS_OP_LOP3:
        if (producer->operand[5].value == 0xc0 && producer->operand[3].kind == WS_OPERAND_IMMEDIATE)
            return producer->operand[3].value;
        return G_MAXUINT32;
    case WS_OP_PRMT:
        if (producer->operand[2].kind != WS_OPERAND_IMMEDIATE ||
            !ws_is_zero(&producer->operand[3]) || producer->mod[WS_MOD_PRMT] != 0)
            return G_MAXUINT32;
        if ((producer->operand[2].value & 0xccc0) == 0x4440)
            return 0xff;
        return (producer->operand[2].value & 0xcc00) == 0x4400 ? 0xffff : G_MAXUINT32;
    case WS_OP_POPC:
        return 32;
    default:
        return G_MAXUINT32;
    }
}

/* Bits from which the result is sign-extended: 8, 16 or 32. */
static guint signed_bits(const WsInstruction *producer)
{
    switch (producer->opcode) {
    case WS_OP_LDG:
    case WS_OP_LDS:
    case WS_OP_LDL:
    case WS_OP_LD:
    case WS_OP_LDC:
        if (producer->mod[WS_MOD_WIDTH] == WS_WIDTH_S8)
            return 8;
        return producer->mod[WS_MOD_WIDTH] == WS_WIDTH_S16 ? 16 : 32;
    case WS_OP_PRMT:
        if (producer->operand[2].kind != WS_OPERAND_IMMEDIATE)
            return 32;
        return producer->operand[2].value == 0x8880   ? 8
               : producer->operand[2].value == 0x9910 ? 16
                                                      : 32;
    default:
        return 32;
    }
}

void ws_combine_extension(WsCombiner *c, WsPlace place)
{
    const WsInstruction *extend = ws_combine_at(c, place);
    gboolean zero = extend->opcode == WS_OP_LOP3 && extend->operand[5].value == 0xc0 &&
                    extend->operand[3].kind == WS_OPERAND_IMMEDIATE &&
                    (extend->operand[3].value == 0xff || extend->operand[3].value == 0xffff) &&
                    ws_is_discarded(&extend->operand[1]);
    gboolean sign = extend->opcode == WS_OP_PRMT &&
                    extend->operand[2].kind == WS_OPERAND_IMMEDIATE &&
                    (extend->operand[2].value == 0x8880 || extend->operand[2].value == 0x9910) &&
                    extend->mod[WS_MOD_PRMT] == 0;
    if (!zero && !sign)
        return;
    const WsOperand *source = &extend->operand[zero ? 2 : 1];
    WsPlace from;
    const WsInstruction *producer = ws_combine_producer(c, source, &from);
    if (producer == NULL)
        return;
    guint bits = sign ? (extend->operand[2].value == 0x8880 ? 8 : 16) : 0;
    guint32 limit = zero ? extend->operand[3].value : (1u << (bits - 1)) - 1;
    if (largest_result(producer) > limit && !(sign && signed_bits(producer) <= bits))
        return;
    WsInstruction move;
    ws_instruction_init(&move, WS_OP_MOV);
    move.operand[0] = extend->operand[0];
    move.operand[1] = *source;
    ws_combine_replace(c, place, &move);
}
