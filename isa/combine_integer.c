/* Additions with products, shifts and additions; extensions of what is extended already. */
#include "isa/combine.h"

/* Operand numbers of IADD3: Rd Pd Pe Ra Sb Sc Np Nq. */
enum { ADD_D, ADD_P, ADD_Q, ADD_A, ADD_B, ADD_C, ADD_CARRY, ADD_CARRY2 };

/* d = a + b without carries; *ret_x and *ret_y number the two terms. */
static gboolean is_plain_sum(const WsInstruction *add)
{
    return add->opcode == WS_OP_IADD3 && ws_is_discarded(&add->operand[ADD_P]) &&
           ws_is_discarded(&add->operand[ADD_Q]) && !add->mod[WS_MOD_EXTENDED] &&
           ws_is_zero(&add->operand[ADD_C]);
}

/* shl by a constant: d = a << n, 32 bits. */
static gboolean is_left_shift(const WsInstruction *shift, gboolean high)
{
    guint8 type = shift->mod[WS_MOD_SHIFT_TYPE];
    return shift->opcode == WS_OP_SHF && shift->mod[WS_MOD_DIRECTION] == WS_DIRECTION_LEFT &&
           !shift->mod[WS_MOD_WRAP] && shift->mod[WS_MOD_HIGH] == high &&
           type == (high ? WS_SHIFT_U64 : WS_SHIFT_U32) &&
           shift->operand[2].kind == WS_OPERAND_IMMEDIATE && shift->operand[2].value >= 1 &&
           shift->operand[2].value <= 31 && (high || ws_is_zero(&shift->operand[3]));
}

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
    if (inner == NULL || !is_plain_sum(inner) || !ws_combine_is_used_once(c, &add->operand[x]) ||
        !ws_combine_intact(c, from, place))
        return FALSE;
    WsOperand terms[3] = {inner->operand[ADD_A], inner->operand[ADD_B], add->operand[y]};
    guint others = 0;
    guint negated = 0;
    for (guint i = 0; i < 3; i++) {
        others += terms[i].kind != WS_OPERAND_REGISTER;
        negated += (terms[i].flags & WS_OPERAND_NEGATE) != 0;
    }
    if (others > 1 || negated > 2)
        return FALSE;
    WsInstruction sum = *add;
    guint next = ADD_A;
    for (guint i = 0; i < 3; i++) /* what is no register goes to Sb */
        if (terms[i].kind != WS_OPERAND_REGISTER)
            sum.operand[ADD_B] = terms[i];
    for (guint i = 0; i < 3; i++) {
        if (terms[i].kind != WS_OPERAND_REGISTER)
            continue;
        if (next == ADD_B && others == 1)
            next = ADD_C;
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
        if (ws_combine_is_deleted(c, at) || !is_plain_sum(add))
            continue;
        for (guint n = ADD_A; n <= ADD_B; n++) {
            const WsOperand *other = &add->operand[n == ADD_A ? ADD_B : ADD_A];
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
    sum.operand[0] = add->operand[ADD_D];
    sum.operand[3] = *term;
    ws_combine_replace(c, place, &sum);
    return TRUE;
}

static void set_lea(WsInstruction *lea, WsOperand d, WsOperand a, WsOperand b, guint32 shift)
{
    ws_instruction_init(lea, WS_OP_LEA);
    lea->operand[0] = d;
    lea->operand[2] = a;
    lea->operand[3] = b;
    lea->operand[5] = ws_operand_immediate(shift);
}

/* x + y with x = a << n */
static gboolean merge_shift(WsCombiner *c, WsPlace place, guint x, guint y)
{
    const WsInstruction *add = ws_combine_at(c, place);
    WsPlace from;
    const WsInstruction *shift = ws_combine_producer(c, &add->operand[x], &from);
    if (shift == NULL || !is_left_shift(shift, FALSE) || !ws_combine_intact(c, from, place) ||
        !ws_is_plain_register(&shift->operand[1]) || add->operand[y].flags != 0)
        return FALSE;
    WsInstruction lea;
    set_lea(&lea, add->operand[ADD_D], shift->operand[1], add->operand[y], shift->operand[2].value);
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
    set_lea(&lea, add->operand[ADD_D], shift->operand[3], add->operand[y],
            32 - shift->operand[2].value);
    lea.mod[WS_MOD_HIGH] = 1;
    ws_combine_replace(c, place, &lea);
    return TRUE;
}

/* ---- sums of pairs: IADD3 with carry out, then IADD3.X ---- */

static gboolean is_low_half(const WsInstruction *add)
{
    return add->opcode == WS_OP_IADD3 && !ws_is_discarded(&add->operand[ADD_P]) &&
           ws_is_discarded(&add->operand[ADD_Q]) && !add->mod[WS_MOD_EXTENDED] &&
           ws_is_zero(&add->operand[ADD_C]) && !ws_is_guarded(add);
}

static gboolean is_high_half(const WsInstruction *add, const WsOperand *carry)
{
    return add->opcode == WS_OP_IADD3 && add->mod[WS_MOD_EXTENDED] && !ws_is_guarded(add) &&
           ws_is_discarded(&add->operand[ADD_P]) && ws_is_discarded(&add->operand[ADD_Q]) &&
           ws_is_zero(&add->operand[ADD_C]) && add->operand[ADD_CARRY].index == carry->index &&
           add->operand[ADD_CARRY].flags == 0 && ws_is_false(&add->operand[ADD_CARRY2]);
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

/* The half that follows at once and writes the next word, or NULL. */
static WsInstruction *find_high_half(WsCombiner *c, WsPlace place, WsPlace *ret_place)
{
    const WsInstruction *low = ws_combine_at(c, place);
    WsPlace next = {place.block, place.instruction + 1};
    if (!is_low_half(low) || !ws_combine_is_used_once(c, &low->operand[ADD_P]) ||
        next.instruction >= ws_ir_block(c->function, place.block)->instructions->len ||
        ws_combine_is_deleted(c, next))
        return NULL;
    WsInstruction *high = ws_combine_at(c, next);
    if (!is_high_half(high, &low->operand[ADD_P]) ||
        !are_pair(&low->operand[ADD_D], &high->operand[ADD_D]))
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

/* (a * b) + pair: IMAD.WIDE with the pair. The product may have other uses. */
static gboolean merge_wide_product(WsCombiner *c, WsPlace place, WsPlace high_place,
                                   const WsInstruction *high, guint x, guint y)
{
    const WsInstruction *low = ws_combine_at(c, place);
    const WsOperand *term = &low->operand[y];
    WsPlace from;
    const WsInstruction *product = ws_combine_producer(c, &low->operand[x], &from);
    if (product == NULL || product->opcode != WS_OP_IMAD_WIDE ||
        !ws_is_zero(&product->operand[4]) || !ws_is_discarded(&product->operand[1]) ||
        !are_pair(&low->operand[x], &high->operand[x]) ||
        product->operand[0].bank != low->operand[x].bank || !are_pair(term, &high->operand[y]) ||
        !ws_combine_intact(c, from, high_place))
        return FALSE;
    WsInstruction sum = *product;
    WsOperand d = low->operand[ADD_D];
    sum.operand[0] = d;
    sum.operand[4] = *term;
    if (term->kind == WS_OPERAND_REGISTER || sum.operand[3].kind == WS_OPERAND_REGISTER)
        ws_combine_delete(c, place);
    else if (!put_factor_in_register(c, place, &sum))
        return FALSE;
    ws_combine_replace(c, high_place, &sum);
    return TRUE;
}

/* (pair << n) + pair: LEA and LEA.HI.X. */
static gboolean merge_pair_shift(WsCombiner *c, WsPlace place, WsPlace high_place,
                                 const WsInstruction *high, guint x, guint y)
{
    const WsInstruction *low = ws_combine_at(c, place);
    WsPlace from[2];
    const WsInstruction *shift = ws_combine_producer(c, &low->operand[x], &from[0]);
    const WsInstruction *top = ws_combine_producer(c, &high->operand[x], &from[1]);
    if (shift == NULL || top == NULL || !is_left_shift(shift, FALSE) || !is_left_shift(top, TRUE) ||
        !ws_operands_equal(&shift->operand[1], &top->operand[1]) ||
        shift->operand[2].value != top->operand[2].value ||
        !ws_is_plain_register(&shift->operand[1]) ||
        (!ws_is_plain_register(&top->operand[3]) && !ws_is_zero(&top->operand[3])) ||
        low->operand[y].flags != 0 || high->operand[y].flags != 0 ||
        !ws_combine_intact(c, from[0], high_place) || !ws_combine_intact(c, from[1], high_place))
        return FALSE;
    const WsOperand *d = &low->operand[ADD_D];
    if (shift->operand[1].index == d->index || top->operand[3].index == d->index)
        return FALSE; /* the low half would be written before the high half reads it */
    WsInstruction first, second;
    set_lea(&first, *d, shift->operand[1], low->operand[y], shift->operand[2].value);
    first.operand[1] = low->operand[ADD_P];
    set_lea(&second, high->operand[ADD_D], shift->operand[1], high->operand[y],
            shift->operand[2].value);
    second.operand[4] = top->operand[3];
    second.operand[6] = low->operand[ADD_P];
    second.mod[WS_MOD_HIGH] = 1;
    second.mod[WS_MOD_EXTENDED] = 1;
    ws_combine_replace(c, place, &first);
    ws_combine_replace(c, high_place, &second);
    return TRUE;
}

/* (pair + pair) + pair: one IADD3 with two carries out, one IADD3.X with two in. */
static gboolean merge_pair_sums(WsCombiner *c, WsPlace place, WsPlace high_place,
                                const WsInstruction *high, guint x, guint y)
{
    const WsInstruction *low = ws_combine_at(c, place);
    WsPlace from, next;
    const WsInstruction *inner = ws_combine_producer(c, &low->operand[x], &from);
    if (inner == NULL || !is_low_half(inner) || !ws_combine_is_used_once(c, &low->operand[x]) ||
        !ws_combine_is_used_once(c, &high->operand[x]))
        return FALSE;
    const WsInstruction *top = find_high_half(c, from, &next);
    if (top == NULL || !ws_operands_equal(&top->operand[ADD_D], &high->operand[x]) ||
        !ws_combine_intact(c, from, place) || !ws_combine_intact(c, next, high_place))
        return FALSE;
    const WsOperand *terms[2][3] = {
        {&inner->operand[ADD_A], &inner->operand[ADD_B], &low->operand[y]},
        {&top->operand[ADD_A], &top->operand[ADD_B], &high->operand[y]}};
    for (guint w = 0; w < 2; w++)
        for (guint i = 0; i < 3; i++)
            if (!ws_is_plain_register(terms[w][i]) ||
                (w == 1 && ws_operands_equal(terms[w][i], &low->operand[ADD_D])))
                return FALSE; /* the low sum would be there before the high one reads it */
    WsInstruction sums[2] = {*low, *high};
    for (guint w = 0; w < 2; w++)
        for (guint i = 0; i < 3; i++)
            sums[w].operand[ADD_A + i] = *terms[w][i];
    sums[0].operand[ADD_Q] = inner->operand[ADD_P];
    sums[1].operand[ADD_CARRY2] = inner->operand[ADD_P];
    ws_combine_delete(c, from);
    ws_combine_delete(c, next);
    ws_combine_replace(c, place, &sums[0]);
    ws_combine_replace(c, high_place, &sums[1]);
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
        if (sum == NULL || !is_plain_sum(sum) || !ws_is_plain_register(&sum->operand[ADD_A]) ||
            sum->operand[ADD_B].flags != 0 || !ws_combine_is_used_once(c, &limit->operand[x]) ||
            (sum->operand[ADD_B].kind != WS_OPERAND_REGISTER &&
             other->kind != WS_OPERAND_REGISTER) ||
            !ws_combine_intact(c, from, place))
            continue;
        WsInstruction fused;
        ws_instruction_init(&fused, WS_OP_VIADDMNMX);
        fused.mod[WS_MOD_UNSIGNED] = limit->mod[WS_MOD_UNSIGNED];
        fused.operand[0] = limit->operand[0];
        fused.operand[1] = sum->operand[ADD_A];
        fused.operand[2] = sum->operand[ADD_B];
        fused.operand[3] = *other;
        fused.operand[4] = limit->operand[LIMIT_P];
        ws_combine_replace(c, place, &fused);
        return;
    }
}

void ws_combine_add(WsCombiner *c, WsPlace place)
{
    const WsInstruction *add = ws_combine_at(c, place);
    if (add->opcode != WS_OP_IADD3)
        return;
    WsPlace high_place;
    const WsInstruction *high = find_high_half(c, place, &high_place);
    for (guint x = ADD_A; x <= ADD_B; x++) {
        guint y = x == ADD_A ? ADD_B : ADD_A;
        if (high != NULL) {
            if (merge_wide_product(c, place, high_place, high, x, y) ||
                merge_pair_shift(c, place, high_place, high, x, y) ||
                merge_pair_sums(c, place, high_place, high, x, y))
                return;
        } else if (is_plain_sum(add) && ws_is_plain_register(&add->operand[x]) &&
                   (merge_product(c, place, x, y) || merge_shift(c, place, x, y) ||
                    merge_right_shift(c, place, x, y) || merge_sums(c, place, x, y))) {
            return;
        }
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
    if (drop_product(c, place))
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
