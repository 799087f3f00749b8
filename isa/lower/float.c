/* Floating-point arithmetic of PTX that one or a few instructions do; the rest is in the library.
 */
#include "isa/lower/lower.h"

#include "isa/bytecode/opcode.h"

#define HALVES    (WS_PTX_BIT(F16) | WS_PTX_BIT(F16X2) | WS_PTX_BIT(BF16) | WS_PTX_BIT(BF16X2))
#define F32       WS_PTX_BIT(F32)
#define F64       WS_PTX_BIT(F64)
#define ROUNDINGS "rn rz rm rp "

static gboolean is_bfloat(const WsLowerStatement *lower)
{
    return lower->types[0] == WS_PTX_BF16 || lower->types[0] == WS_PTX_BF16X2;
}

/* A source of the type: word, pair, or both halves of a literal. */
static WsOperand source(WsLowerStatement *lower, guint n)
{
    return lower->types[0] == WS_PTX_F64 ? ws_lower_source_double(lower, n)
                                         : ws_lower_source(lower, n);
}

static guint8 rounding(const WsLowerStatement *lower)
{
    static const char *const names[] = {"rn", "rm", "rp", "rz", NULL};
    return (guint8)MAX(0, ws_lower_which(lower, names));
}

/* Modifiers of the row that the statement asks for. */
static void set_modifiers(const WsLowerStatement *lower, WsInstruction *instruction)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    for (guint i = 0; i < info->modifier_count; i++) {
        guint group = info->modifiers[i];
        if (group == WS_MOD_FTZ)
            instruction->mod[group] = ws_lower_has(lower, "ftz");
        else if (group == WS_MOD_SAT)
            instruction->mod[group] = ws_lower_has(lower, "sat");
        else if (group == WS_MOD_ROUND)
            instruction->mod[group] = rounding(lower);
        else if (group == WS_MOD_HALF_TYPE)
            instruction->mod[group] = (guint8)is_bfloat(lower);
        else if (group == WS_MOD_RELU)
            instruction->mod[group] = ws_lower_has(lower, "relu");
    }
}

static WsOpcode opcode_of(const WsLowerStatement *lower, WsOpcode f32, WsOpcode f64, WsOpcode half)
{
    if (lower->types[0] == WS_PTX_F32)
        return f32;
    return lower->types[0] == WS_PTX_F64 ? f64 : half;
}

/*
 * PTX ISA on mul, add and sub: without a rounding mode "mul/add sequences" may
 * become fused multiply-adds; with one, also .rn, never. The library asks for what it means.
 */
static guint8 may_contract(const WsLowerStatement *lower)
{
    static const char *const names[] = {"rn", "rm", "rp", "rz", NULL};
    return !lower->frame->is_library && ws_lower_which(lower, names) < 0;
}

static WsInstruction *emit(WsLowerStatement *lower, WsOpcode opcode, WsOperand a, WsOperand b,
                           WsOperand c)
{
    const WsOperand operands[] = {ws_lower_destination(lower, 0), a, b, c};
    guint count = c.kind == WS_OPERAND_NONE ? 3 : 4;
    WsInstruction *instruction = ws_lower_emit(lower, opcode, operands, count);
    set_modifiers(lower, instruction);
    instruction->low_half = lower->types[0] == WS_PTX_F16 || lower->types[0] == WS_PTX_BF16;
    return instruction;
}

static void lower_add(WsLowerStatement *lower)
{
    WsOperand b = source(lower, 2);
    if (lower->statement->opcode[0] == 's')
        b = ws_operand_float_negated(b, lower->types[0] == WS_PTX_F32   ? 32
                                        : lower->types[0] == WS_PTX_F64 ? 64
                                                                        : 16);
    emit(lower, opcode_of(lower, WS_OP_FADD, WS_OP_DADD, WS_OP_HADD2), source(lower, 1), b,
         ws_operand_none())
        ->may_contract = may_contract(lower);
}

static void lower_mul(WsLowerStatement *lower)
{
    emit(lower, opcode_of(lower, WS_OP_FMUL, WS_OP_DMUL, WS_OP_HMUL2), source(lower, 1),
         source(lower, 2), ws_operand_none())
        ->may_contract = may_contract(lower);
}

/* mad.f32 is fma since sm_20. */
static void lower_fma(WsLowerStatement *lower)
{
    emit(lower, opcode_of(lower, WS_OP_FFMA, WS_OP_DFMA, WS_OP_HFMA2), source(lower, 1),
         source(lower, 2), source(lower, 3));
}

/* The sum with -0 changes nothing but applies the modifiers of the source. */
static void lower_neg_abs(WsLowerStatement *lower)
{
    gboolean negate = lower->statement->opcode[0] == 'n';
    WsOperand a = source(lower, 1);
    if (a.kind != WS_OPERAND_REGISTER)
        a = ws_lower_in_register(lower, a);
    a.flags = negate ? WS_OPERAND_NEGATE : WS_OPERAND_ABSOLUTE;
    emit(lower, opcode_of(lower, WS_OP_FADD, WS_OP_DADD, WS_OP_HADD2), a, ws_operand_minus_zero(),
         ws_operand_none());
}

/*
 * min.f64: a where a < b, or b is NaN, or both are zero and a is the negative one (the high words
 * tell); max the other way round. The three conditions do not wait for each other.
 */
static void min_max_double(WsLowerStatement *lower, gboolean minimum)
{
    enum { ANY = 0xfe };
    WsOperand d = ws_lower_destination(lower, 0);
    WsOperand a = ws_lower_source_pair(lower, 1);
    WsOperand b = ws_lower_source_pair(lower, 2);
    WsOperand sign = ws_lower_temporary_predicate(lower);
    WsOperand equal = ws_lower_temporary_predicate(lower);
    WsOperand nan = ws_lower_temporary_predicate(lower);
    WsOperand less = ws_lower_temporary_predicate(lower);
    WsOperand p = ws_lower_temporary_predicate(lower);
    ws_lower_compare(lower, sign, minimum ? WS_ICMP_LT : WS_ICMP_GT, FALSE, ws_operand_word(a, 1),
                     ws_operand_word(b, 1));
    EMIT(lower, DSETP, less, ws_operand_none(), a, b)->mod[WS_MOD_FCMP] =
        minimum ? WS_FCMP_LT : WS_FCMP_GT;
    EMIT(lower, DSETP, nan, ws_operand_none(), b, b)->mod[WS_MOD_FCMP] = WS_FCMP_NAN;
    EMIT(lower, DSETP, equal, ws_operand_none(), a, b, sign)->mod[WS_MOD_FCMP] = WS_FCMP_EQ;
    EMIT(lower, PLOP3, p, ws_operand_none(), less, nan, equal, ws_operand_immediate(ANY),
         ws_operand_immediate(0));
    for (guint w = 0; w < 2; w++)
        EMIT(lower, FSEL, ws_operand_word(d, w), ws_operand_word(a, w), ws_operand_word(b, w), p);
}

static void min_max_word(WsLowerStatement *lower, WsOperand d, WsOperand a, WsOperand b,
                         gboolean minimum)
{
    WsOperand p = ws_operand_predicate(WS_PT);
    const WsOperand operands[] = {d, a, b, minimum ? p : ws_operand_negated(p)};
    WsInstruction *result = ws_lower_emit(
        lower, lower->types[0] == WS_PTX_F32 ? WS_OP_FMNMX : WS_OP_HMNMX2, operands, 4);
    set_modifiers(lower, result);
    result->mod[WS_MOD_NAN_RULE] = ws_lower_has(lower, "NaN");
}

static void lower_min_max(WsLowerStatement *lower)
{
    gboolean minimum = lower->statement->opcode[1] == 'i';
    if (lower->types[0] == WS_PTX_F64) {
        min_max_double(lower, minimum);
        return;
    }
    min_max_word(lower, ws_lower_destination(lower, 0), source(lower, 1), source(lower, 2),
                 minimum);
}

/* .xorsign.abs: the smaller or larger magnitude, with the product of the signs. NaN stays as it is.
 */
static void lower_min_max_magnitude(WsLowerStatement *lower)
{
    enum { SIGN_OF_PRODUCT = 0x28 }; /* of a, b, mask: (a ^ b) & mask */
    gboolean word = lower->types[0] == WS_PTX_F32;
    WsOperand a = ws_lower_in_register(lower, source(lower, 1));
    WsOperand b = ws_lower_in_register(lower, source(lower, 2));
    WsOperand magnitude[2] = {a, b};
    WsOperand t = ws_lower_temporary(lower, 1), sign = ws_lower_temporary(lower, 1);
    magnitude[0].flags |= WS_OPERAND_ABSOLUTE;
    magnitude[1].flags |= WS_OPERAND_ABSOLUTE;
    min_max_word(lower, t, magnitude[0], magnitude[1], lower->statement->opcode[1] == 'i');
    ws_lower_logic(lower, sign, a, b, ws_operand_immediate(word ? 0x80000000 : 0x80008000),
                   SIGN_OF_PRODUCT);
    ws_lower_logic(lower, ws_lower_destination(lower, 0), t, sign, ws_operand_zero(), 0xfc);
}

/* copysign d, a, b: magnitude of b, sign of a. */
static void lower_copysign(WsLowerStatement *lower)
{
    enum { CHOOSE = 0xca };
    WsOperand d = ws_lower_destination(lower, 0);
    guint top = lower->types[0] == WS_PTX_F64 ? 1 : 0;
    if (top == 1)
        ws_lower_move(lower, d, ws_lower_source_word(lower, 2, 0));
    WsOperand mask = ws_lower_temporary(lower, 1);
    ws_lower_move(lower, mask, ws_operand_immediate(0x80000000));
    ws_lower_logic(lower, ws_operand_word(d, top), mask, ws_lower_source_word(lower, 1, top),
                   ws_lower_source_word(lower, 2, top), CHOOSE);
}

const WsPtxRow ws_ptx_float_rows[] = {
    {"add", ROUNDINGS "ftz sat", F32, 0, 3, 3, 0, lower_add},
    {"add", ROUNDINGS, F64, 0, 3, 3, 0, lower_add},
    {"add", "rn ftz sat", HALVES, 0, 3, 3, 0, lower_add},
    {"sub", ROUNDINGS "ftz sat", F32, 0, 3, 3, 0, lower_add},
    {"sub", ROUNDINGS, F64, 0, 3, 3, 0, lower_add},
    {"sub", "rn ftz sat", HALVES, 0, 3, 3, 0, lower_add},
    {"mul", ROUNDINGS "ftz sat", F32, 0, 3, 3, 0, lower_mul},
    {"mul", ROUNDINGS, F64, 0, 3, 3, 0, lower_mul},
    {"mul", "rn ftz sat", HALVES, 0, 3, 3, 0, lower_mul},
    {"fma", ROUNDINGS "ftz sat", F32, 0, 4, 4, 0, lower_fma},
    {"fma", ROUNDINGS, F64, 0, 4, 4, 0, lower_fma},
    {"fma", "rn ftz sat relu", HALVES, 0, 4, 4, 0, lower_fma},
    {"mad", ROUNDINGS "ftz sat", F32, 0, 4, 4, 0, lower_fma},
    {"mad", ROUNDINGS, F64, 0, 4, 4, 0, lower_fma},
    {"neg", "ftz", F32 | F64 | HALVES, 0, 2, 2, 0, lower_neg_abs},
    {"abs", "ftz", F32 | F64 | HALVES, 0, 2, 2, 0, lower_neg_abs},
    {"min", "ftz NaN", F32 | HALVES, 0, 3, 3, 0, lower_min_max},
    {"max", "ftz NaN", F32 | HALVES, 0, 3, 3, 0, lower_min_max},
    {"min", "ftz NaN xorsign abs", F32 | HALVES, 0, 3, 3, 0, lower_min_max_magnitude},
    {"max", "ftz NaN xorsign abs", F32 | HALVES, 0, 3, 3, 0, lower_min_max_magnitude},
    {"min", "", F64, 0, 3, 3, 0, lower_min_max},
    {"max", "", F64, 0, 3, 3, 0, lower_min_max},
    {"copysign", "", F32 | F64, 0, 3, 3, 0, lower_copysign},
    {0}};
