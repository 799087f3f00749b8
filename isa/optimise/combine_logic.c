/* Logic of words and predicates, signs of floats, atomics without a result. */
#include "isa/optimise/combine_patterns.h"

#include "isa/bytecode/opcode.h"

/* ---- LOP3 ---- */

/* Operand numbers of LOP3: Rd Pd Ra Sb Rc Ic Np. */
enum { LOGIC_D, LOGIC_P, LOGIC_A, LOGIC_B, LOGIC_C, LOGIC_TABLE };

typedef struct {
    WsOperand inputs[3];
    guint count;
} Inputs;

static gboolean add_input(Inputs *inputs, const WsOperand *operand)
{
    if (ws_is_zero(operand))
        return TRUE;
    for (guint i = 0; i < inputs->count; i++)
        if (ws_operands_equal(&inputs->inputs[i], operand))
            return TRUE;
    if (inputs->count == 3)
        return FALSE;
    inputs->inputs[inputs->count++] = *operand;
    return TRUE;
}

/* Value of an operand where input i of the union has bit i of `bits`. */
static guint input_bit(const Inputs *inputs, const WsOperand *operand, guint bits)
{
    for (guint i = 0; i < inputs->count; i++)
        if (ws_operands_equal(&inputs->inputs[i], operand))
            return (bits >> (2 - i)) & 1;
    return 0;
}

static guint evaluate(const WsInstruction *logic, const guint bit[3])
{
    return (logic->operand[LOGIC_TABLE].value >> (bit[0] << 2 | bit[1] << 1 | bit[2])) & 1;
}

static gboolean is_logic(const WsInstruction *instruction)
{
    return instruction->opcode == WS_OP_LOP3 && instruction->operand[LOGIC_P].index == WS_PT;
}

/* What is no register must be the second input. */
static gboolean order_inputs(Inputs *inputs)
{
    guint others = 0;
    for (guint i = 0; i < inputs->count; i++)
        others += inputs->inputs[i].kind != WS_OPERAND_REGISTER;
    if (others > 1)
        return FALSE;
    for (guint i = inputs->count; i < 3; i++)
        inputs->inputs[i] = ws_operand_zero();
    for (guint i = 0; i < 3; i++) {
        if (inputs->inputs[i].kind == WS_OPERAND_REGISTER || i == 1)
            continue;
        WsOperand swapped = inputs->inputs[1];
        inputs->inputs[1] = inputs->inputs[i];
        inputs->inputs[i] = swapped;
        break;
    }
    inputs->count = 3;
    return TRUE;
}

/* Source `x` of the LOP3 at `place` comes from another LOP3: one table for both. */
static gboolean merge_logic(WsCombiner *c, WsPlace place, guint x)
{
    const WsInstruction *outer = ws_combine_at(c, place);
    WsPlace from;
    const WsInstruction *inner = ws_combine_producer(c, &outer->operand[x], &from);
    if (inner == NULL || inner == outer || !is_logic(inner) ||
        !ws_combine_is_used_once(c, &outer->operand[x]) || !ws_combine_intact(c, from, place))
        return FALSE;
    Inputs inputs = {.count = 0};
    for (guint n = LOGIC_A; n <= LOGIC_C; n++)
        if (!add_input(&inputs, &inner->operand[n]) ||
            (n != x && !add_input(&inputs, &outer->operand[n])))
            return FALSE;
    if (!order_inputs(&inputs))
        return FALSE;
    guint32 table = 0;
    for (guint bits = 0; bits < 8; bits++) {
        guint in[3], out[3];
        for (guint n = 0; n < 3; n++)
            in[n] = input_bit(&inputs, &inner->operand[LOGIC_A + n], bits);
        for (guint n = 0; n < 3; n++)
            out[n] = LOGIC_A + n == x ? evaluate(inner, in)
                                      : input_bit(&inputs, &outer->operand[LOGIC_A + n], bits);
        table |= evaluate(outer, out) << bits;
    }
    WsInstruction merged = *outer;
    for (guint n = 0; n < 3; n++)
        merged.operand[LOGIC_A + n] = inputs.inputs[n];
    merged.operand[LOGIC_TABLE].value = table;
    ws_combine_replace(c, place, &merged);
    return TRUE;
}

void ws_combine_logic(WsCombiner *c, WsPlace place)
{
    if (!is_logic(ws_combine_at(c, place)))
        return;
    for (guint x = LOGIC_A; x <= LOGIC_C; x++)
        if (merge_logic(c, place, x))
            return;
}

/* ---- predicates ---- */

/* Operand numbers of the SETPs, and of PLOP3: Pd Pe Pp Pq Pr Ib Ic. */
enum { SET_P, SET_Q, SET_A, SET_B, SET_IN };

static gboolean is_free_comparison(const WsInstruction *compare)
{
    return (compare->opcode == WS_OP_ISETP || compare->opcode == WS_OP_FSETP ||
            compare->opcode == WS_OP_DSETP) &&
           compare->operand[SET_IN].index == WS_PT && compare->operand[SET_IN].flags == 0 &&
           compare->mod[WS_MOD_BOOLEAN] == WS_BOOLEAN_AND && compare->operand[SET_Q].index == WS_PT;
}

/* p op q where p is the result of a comparison used here alone: it takes q in. */
static gboolean merge_comparison(WsCombiner *c, WsPlace place, guint x, guint y, guint boolean)
{
    const WsInstruction *logic = ws_combine_at(c, place);
    WsPlace from;
    const WsInstruction *compare = ws_combine_producer(c, &logic->operand[x], &from);
    if (compare == NULL || !is_free_comparison(compare) ||
        compare->operand[SET_P].index != logic->operand[x].index ||
        !ws_combine_is_used_once(c, &logic->operand[x]) || !ws_combine_intact(c, from, place))
        return FALSE;
    WsInstruction merged = *compare;
    gboolean negated = (logic->operand[x].flags & WS_OPERAND_NEGATE) != 0;
    WsOperand nothing = merged.operand[SET_Q];
    merged.operand[SET_P] = negated ? nothing : logic->operand[0];
    merged.operand[SET_Q] = negated ? logic->operand[0] : nothing;
    merged.operand[SET_IN] = logic->operand[y];
    merged.mod[WS_MOD_BOOLEAN] = (guint8)boolean;
    ws_combine_replace(c, place, &merged);
    return TRUE;
}

void ws_combine_predicates(WsCombiner *c, WsPlace place)
{
    const WsInstruction *logic = ws_combine_at(c, place);
    if (logic->opcode != WS_OP_PLOP3 || logic->operand[1].index != WS_PT ||
        logic->operand[4].index != WS_PT || ws_is_guarded(logic))
        return;
    guint32 table = logic->operand[5].value;
    guint boolean = table == 0xc0   ? WS_BOOLEAN_AND
                    : table == 0xfc ? WS_BOOLEAN_OR
                    : table == 0x3c ? WS_BOOLEAN_XOR
                                    : 3;
    if (boolean == 3)
        return;
    if (!merge_comparison(c, place, 3, 2, boolean))
        merge_comparison(c, place, 2, 3, boolean);
}

/* The predicate that `p` is a copy or the complement of, or `p` itself. */
static WsOperand origin_of(const WsCombiner *c, WsOperand p, WsPlace place)
{
    WsPlace from;
    const WsInstruction *copy = ws_combine_producer(c, &p, &from);
    if (copy == NULL || copy->opcode != WS_OP_PLOP3 || copy->operand[0].index != p.index ||
        !ws_combine_intact(c, from, place))
        return p;
    guint32 table = copy->operand[5].value;
    if (table != 0xf0 && table != 0x0f)
        return p;
    WsOperand q = copy->operand[2];
    q.flags ^= p.flags & WS_OPERAND_NEGATE;
    if (table == 0x0f)
        q.flags ^= WS_OPERAND_NEGATE;
    return q;
}

/* Copies and complements of predicates go into the operands and guards that read them. */
void ws_combine_predicate_copies(WsCombiner *c, WsPlace place)
{
    WsInstruction changed = *ws_combine_at(c, place);
    gboolean any = FALSE;
    for (guint n = 0; n < changed.operand_count; n++) {
        WsOperand *operand = &changed.operand[n];
        if (operand->kind != WS_OPERAND_PREDICATE || ws_operand_is_destination(&changed, n))
            continue;
        WsOperand q = origin_of(c, *operand, place);
        any |= !ws_operands_equal(&q, operand);
        *operand = q;
    }
    WsOperand guard = {.kind = WS_OPERAND_PREDICATE,
                       .flags = changed.guard_negated ? WS_OPERAND_NEGATE : 0,
                       .index = changed.guard,
                       .uniform = WS_URZ};
    WsOperand q = origin_of(c, guard, place);
    if (!ws_operands_equal(&q, &guard) && q.index != WS_PT) {
        changed.guard = q.index;
        changed.guard_negated = (q.flags & WS_OPERAND_NEGATE) != 0;
        any = TRUE;
    }
    if (any)
        ws_combine_replace_all(c, place, &changed);
}

/* ---- signs ---- */

/* a + -0 with a sign or a magnitude: only the sign changes. */
static gboolean is_sign_change(const WsInstruction *add, WsOpcode opcode)
{
    return add->opcode == opcode && !add->mod[WS_MOD_FTZ] && !add->mod[WS_MOD_SAT] &&
           add->mod[WS_MOD_ROUND] == WS_ROUND_NEAREST && add->operand[1].flags != 0 &&
           add->operand[1].kind == WS_OPERAND_REGISTER && add->operand[1].index != WS_RZ &&
           add->operand[2].kind == WS_OPERAND_REGISTER && add->operand[2].index == WS_RZ &&
           add->operand[2].flags == WS_OPERAND_NEGATE;
}

static guint8 compose_signs(guint8 outer, guint8 inner)
{
    if (outer & WS_OPERAND_ABSOLUTE)
        return outer;
    return inner ^ (outer & WS_OPERAND_NEGATE);
}

static WsOpcode adder_for(WsOpcode opcode)
{
    switch (opcode) {
    case WS_OP_FADD:
    case WS_OP_FMUL:
    case WS_OP_FFMA:
    case WS_OP_FSETP:
    case WS_OP_MUFU:
        return WS_OP_FADD;
    case WS_OP_DADD:
    case WS_OP_DMUL:
    case WS_OP_DFMA:
    case WS_OP_DSETP:
        return WS_OP_DADD;
    case WS_OP_HADD2:
    case WS_OP_HMUL2:
    case WS_OP_HFMA2:
    case WS_OP_HSETP2:
        return WS_OP_HADD2;
    default:
        return WS_OP_NOP;
    }
}

/* Negations and magnitudes go into the operands of the arithmetic that reads them. */
void ws_combine_signs(WsCombiner *c, WsPlace place)
{
    const WsInstruction *consumer = ws_combine_at(c, place);
    WsOpcode adder = adder_for(consumer->opcode);
    if (adder == WS_OP_NOP || consumer->mod[WS_MOD_MUFU_FORMAT] != WS_FLOAT_F32)
        return;
    for (guint n = 0; n < consumer->operand_count; n++) {
        const WsOperand *operand = &consumer->operand[n];
        WsPlace from;
        if (operand->kind != WS_OPERAND_REGISTER || ws_operand_is_destination(consumer, n))
            continue;
        const WsInstruction *producer = ws_combine_producer(c, operand, &from);
        if (producer == NULL || !is_sign_change(producer, adder) ||
            producer->mod[WS_MOD_HALF_TYPE] != consumer->mod[WS_MOD_HALF_TYPE] ||
            !ws_combine_intact(c, from, place))
            continue;
        WsInstruction changed = *consumer;
        changed.operand[n] = producer->operand[1];
        changed.operand[n].flags = compose_signs(operand->flags, producer->operand[1].flags);
        ws_combine_replace(c, place, &changed);
        consumer = ws_combine_at(c, place);
    }
}

/* ---- atomics ---- */

/* An atomic whose result nobody reads is a reduction. */
void ws_combine_atomic(WsCombiner *c, WsPlace place)
{
    const WsInstruction *atomic = ws_combine_at(c, place);
    if (atomic->opcode != WS_OP_ATOMG || atomic->operand[0].index != WS_RZ ||
        atomic->mod[WS_MOD_ATOMIC] == WS_ATOMIC_EXCH)
        return;
    WsInstruction reduction = *atomic;
    ws_instruction_init(&reduction, WS_OP_RED);
    for (guint m = 0; m < WS_MOD_COUNT; m++)
        reduction.mod[m] = atomic->mod[m];
    reduction.operand[0] = atomic->operand[1];
    reduction.operand[1] = atomic->operand[2];
    ws_combine_replace(c, place, &reduction);
}
