/*
 * Approximate functions of PTX on the MUFU unit. MUFU takes subnormal inputs as zero; without .ftz
 * the argument is scaled into the normal range first and the result scaled back.
 */
#include "isa/base/float_bits.h"
#include "isa/bytecode/opcode.h"
#include "isa/lower/lower.h"

#include <string.h>

#define F32   WS_PTX_BIT(F32)
#define F64   WS_PTX_BIT(F64)
#define F16S  (WS_PTX_BIT(F16) | WS_PTX_BIT(F16X2))
#define BF16S (WS_PTX_BIT(BF16) | WS_PTX_BIT(BF16X2))

static WsOperand immediate(float value)
{
    return ws_operand_immediate(ws_float_bits(value));
}

static void mufu(WsLowerStatement *lower, WsOperand d, WsOperand a, guint function)
{
    EMIT(lower, MUFU, d, a)->mod[WS_MOD_MUFU] = (guint8)function;
}

static WsOperand multiply(WsLowerStatement *lower, WsOperand a, WsOperand b)
{
    WsOperand d = ws_lower_temporary(lower, 1);
    EMIT(lower, FMUL, d, a, b);
    return d;
}

/* p ? a : b */
static WsOperand choose(WsLowerStatement *lower, WsOperand p, WsOperand a, WsOperand b)
{
    WsOperand d = ws_lower_temporary(lower, 1);
    EMIT(lower, FSEL, d, a, b, p);
    return d;
}

/* |a| < limit, or a < limit */
static WsOperand is_below(WsLowerStatement *lower, WsOperand a, float limit, gboolean magnitude)
{
    WsOperand p = ws_lower_temporary_predicate(lower);
    if (magnitude)
        a.flags |= WS_OPERAND_ABSOLUTE;
    EMIT(lower, FSETP, p, ws_operand_none(), a, immediate(limit))->mod[WS_MOD_FCMP] = WS_FCMP_LT;
    return p;
}

/* |a| > limit */
static WsOperand is_above(WsLowerStatement *lower, WsOperand a, float limit)
{
    WsOperand p = ws_lower_temporary_predicate(lower);
    a.flags |= WS_OPERAND_ABSOLUTE;
    WsInstruction *compare = EMIT(lower, FSETP, p, ws_operand_none(), a, immediate(limit));
    compare->mod[WS_MOD_FCMP] = WS_FCMP_GT;
    compare->mod[WS_MOD_FTZ] = ws_lower_has(lower, "ftz");
    return p;
}

static const float smallest_normal = 0x1p-126f;
static const float largest_inverse = 0x1p126f; /* from there on the reciprocal is subnormal */

typedef struct {
    const char *opcode;
    guint function;
    float scale_in;  /* of a subnormal argument */
    float scale_out; /* of its result */
} Scaled;

/*
 * rcp: s / (a * s), with s = 2^24 for a subnormal a and 1/4 where the reciprocal is subnormal. An
 * addition behind it may take the product in, as in compiled code.
 */
static void lower_reciprocal(WsLowerStatement *lower)
{
    WsOperand d = ws_lower_destination(lower, 0);
    WsOperand a = ws_lower_in_register(lower, ws_lower_source(lower, 1));
    if (ws_lower_has(lower, "ftz")) {
        mufu(lower, d, a, WS_MUFU_RCP);
        return;
    }
    WsOperand is_subnormal = is_below(lower, a, smallest_normal, TRUE);
    WsOperand is_large = is_above(lower, a, largest_inverse);
    WsOperand up = ws_lower_in_register(lower, immediate(0x1p24f));
    WsOperand scale = choose(lower, is_subnormal, up, immediate(1));
    scale = choose(lower, ws_operand_negated(is_large), scale, immediate(0.25f));
    WsOperand t = ws_lower_temporary(lower, 1);
    mufu(lower, t, multiply(lower, a, scale), WS_MUFU_RCP);
    EMIT(lower, FMUL, d, scale, t)->may_contract = !lower->frame->is_library;
}

/* rsqrt, sqrt: f(a * s) * t where a is subnormal. */
static void lower_scaled(WsLowerStatement *lower)
{
    static const Scaled functions[] = {{"rsqrt", WS_MUFU_RSQ, 0x1p24f, 0x1p12f},
                                       {"sqrt", WS_MUFU_SQRT, 0x1p24f, 0x1p-12f}};
    const Scaled *f = functions;
    while (strcmp(f->opcode, lower->statement->opcode) != 0)
        f++;
    WsOperand d = ws_lower_destination(lower, 0);
    WsOperand a = ws_lower_in_register(lower, ws_lower_source(lower, 1));
    if (ws_lower_has(lower, "ftz")) {
        mufu(lower, d, a, f->function);
        return;
    }
    WsOperand p = is_below(lower, a, smallest_normal, TRUE);
    WsOperand t = ws_lower_temporary(lower, 1);
    mufu(lower, t, choose(lower, p, multiply(lower, a, immediate(f->scale_in)), a), f->function);
    EMIT(lower, FSEL, d, multiply(lower, t, immediate(f->scale_out)), t, p);
}

/* 2^a: below -126 as (2^(a/2))^2, so that subnormal results come out. */
static void lower_ex2(WsLowerStatement *lower)
{
    WsOperand d = ws_lower_destination(lower, 0);
    WsOperand a = ws_lower_in_register(lower, ws_lower_source(lower, 1));
    if (ws_lower_has(lower, "ftz")) {
        mufu(lower, d, a, WS_MUFU_EX2);
        return;
    }
    WsOperand p = is_below(lower, a, -126.0f, FALSE);
    WsOperand t = ws_lower_temporary(lower, 1);
    mufu(lower, t, choose(lower, p, multiply(lower, a, immediate(0.5f)), a), WS_MUFU_EX2);
    EMIT(lower, FSEL, d, multiply(lower, t, t), t, p);
}

/* log2 of a subnormal: of a * 2^24, less 24. */
static void lower_lg2(WsLowerStatement *lower)
{
    WsOperand d = ws_lower_destination(lower, 0);
    WsOperand a = ws_lower_in_register(lower, ws_lower_source(lower, 1));
    if (ws_lower_has(lower, "ftz")) {
        mufu(lower, d, a, WS_MUFU_LG2);
        return;
    }
    WsOperand p = is_below(lower, a, smallest_normal, TRUE);
    WsOperand t = ws_lower_temporary(lower, 1);
    WsOperand less = ws_lower_temporary(lower, 1);
    mufu(lower, t, choose(lower, p, multiply(lower, a, immediate(0x1p24f)), a), WS_MUFU_LG2);
    EMIT(lower, FADD, less, t, immediate(-24.0f));
    EMIT(lower, FSEL, d, less, t, p);
}

/* The unit takes the angle in turns. */
static void lower_sin_cos(WsLowerStatement *lower)
{
    WsOperand d = ws_lower_destination(lower, 0);
    WsOperand turns = ws_lower_temporary(lower, 1);
    WsInstruction *scale =
        EMIT(lower, FMUL, turns, ws_lower_source(lower, 1), immediate(0.15915493667125702f));
    scale->mod[WS_MOD_FTZ] = ws_lower_has(lower, "ftz");
    scale->mod[WS_MOD_ROUND] = WS_ROUND_ZERO;
    mufu(lower, d, turns, lower->statement->opcode[0] == 's' ? WS_MUFU_SIN : WS_MUFU_COS);
}

static void lower_tanh(WsLowerStatement *lower)
{
    mufu(lower, ws_lower_destination(lower, 0), ws_lower_source(lower, 1), WS_MUFU_TANH);
}

/* Of halves, one after the other; a pair is packed again. */
static void lower_half_function(WsLowerStatement *lower)
{
    enum { PACK = 0x5410 };
    WsPtxType type = lower->types[0];
    gboolean packed = ws_lower_is_packed(type);
    WsOperand d = ws_lower_destination(lower, 0);
    WsOperand a = ws_lower_in_register(lower, ws_lower_source(lower, 1));
    WsOperand result[2] = {d, d};
    for (guint h = 0; h < (packed ? 2 : 1); h++) {
        if (packed)
            result[h] = ws_lower_temporary(lower, 1);
        WsInstruction *function = EMIT(lower, MUFU, result[h], a);
        function->mod[WS_MOD_MUFU] =
            lower->statement->opcode[0] == 't' ? WS_MUFU_TANH : WS_MUFU_EX2;
        function->mod[WS_MOD_MUFU_FORMAT] =
            type == WS_PTX_F16 || type == WS_PTX_F16X2 ? WS_FLOAT_F16 : WS_FLOAT_BF16;
        function->mod[WS_MOD_MUFU_HALF] = (guint8)h;
    }
    if (packed)
        EMIT(lower, PRMT, d, result[0], ws_operand_immediate(PACK), result[1]);
}

/* p ? a * s : a */
static WsOperand scale_if(WsLowerStatement *lower, WsOperand p, WsOperand a, float s)
{
    if (a.kind == WS_OPERAND_IMMEDIATE) {
        float value;
        memcpy(&value, &a.value, sizeof value);
        return choose(lower, ws_operand_negated(p), ws_lower_in_register(lower, a),
                      immediate(value * s));
    }
    WsOperand scaled = multiply(lower, a, immediate(s));
    return choose(lower, p, scaled, a);
}

/* 2^24 a where p is false, else a. */
static WsOperand scale_unless(WsLowerStatement *lower, WsOperand p, WsOperand a)
{
    if (a.kind == WS_OPERAND_IMMEDIATE) {
        float value;
        memcpy(&value, &a.value, sizeof value);
        return choose(lower, p, a, immediate(value * 0x1p24f));
    }
    return choose(lower, p, a, multiply(lower, a, immediate(0x1p24f)));
}

/*
 * a / b by the reciprocal. Without .ftz both are scaled where the divisor is subnormal. The
 * quotient by a divisor from 2^126 on is zero, as PTX has it: its reciprocal is subnormal. An
 * addition behind it may take the product in, as in compiled code.
 */
static void lower_divide(WsLowerStatement *lower)
{
    WsOperand d = ws_lower_destination(lower, 0);
    WsOperand a = ws_lower_source(lower, 1);
    WsOperand b = ws_lower_in_register(lower, ws_lower_source(lower, 2));
    WsOperand t = ws_lower_temporary(lower, 1);
    if (ws_lower_has(lower, "ftz")) {
        mufu(lower, t, b, WS_MUFU_RCP);
        EMIT(lower, FMUL, d, a, t)->mod[WS_MOD_FTZ] = 1;
        return;
    }
    WsOperand p = ws_operand_negated(is_below(lower, b, smallest_normal, TRUE));
    WsOperand divisor = scale_unless(lower, p, b);
    WsOperand dividend = scale_unless(lower, p, a);
    mufu(lower, t, divisor, WS_MUFU_RCP);
    EMIT(lower, FMUL, d, dividend, t)->may_contract = !lower->frame->is_library;
}

/* div.full: a / b by the reciprocal, both scaled where b is very large or subnormal. */
static void lower_full_division(WsLowerStatement *lower)
{
    gboolean ftz = ws_lower_has(lower, "ftz");
    WsOperand d = ws_lower_destination(lower, 0);
    WsOperand a = ws_lower_source(lower, 1);
    WsOperand b = ws_lower_in_register(lower, ws_lower_source(lower, 2));
    WsOperand is_large = is_above(lower, b, largest_inverse);
    WsOperand is_subnormal = ftz ? ws_operand_none() : is_below(lower, b, smallest_normal, TRUE);
    WsOperand dividend = scale_if(lower, is_large, a, 0.25f);
    WsOperand divisor = scale_if(lower, is_large, b, 0.25f);
    if (!ftz) {
        dividend = scale_if(lower, is_subnormal, dividend, 0x1p24f);
        divisor = scale_if(lower, is_subnormal, divisor, 0x1p24f);
    }
    WsOperand t = ws_lower_temporary(lower, 1);
    mufu(lower, t, divisor, WS_MUFU_RCP);
    EMIT(lower, FMUL, d, t, dividend)->mod[WS_MOD_FTZ] = ftz;
}

/*
 * rcp.approx.ftz.f64 and rsqrt: 20 bits from the high word; the low word is zero. rsqrt.approx.f64
 * is precise.
 */
static void lower_double_seed(WsLowerStatement *lower)
{
    if (!ws_lower_has(lower, "ftz")) {
        ws_lower_by_library(lower);
        return;
    }
    WsOperand d = ws_lower_destination(lower, 0);
    gboolean root = lower->statement->opcode[1] == 's';
    mufu(lower, ws_operand_word(d, 1), ws_lower_source_word(lower, 1, 1),
         root ? WS_MUFU_RSQ64H : WS_MUFU_RCP64H);
    ws_lower_move(lower, d, ws_operand_zero());
}

/* ws.fchk.f32 p, a, b; ws.rcp64h.b32 d, a; ws.rsq64h.b32 d, a: for the library. */
static void lower_internal(WsLowerStatement *lower)
{
    if (!lower->frame->is_library)
        ws_lower_refuse(lower);
    else if (ws_lower_has(lower, "fchk"))
        EMIT(lower, FCHK, ws_lower_destination_predicate(lower, 0), ws_lower_source(lower, 1),
             ws_lower_source(lower, 2));
    else
        mufu(lower, ws_lower_destination(lower, 0), ws_lower_source(lower, 1),
             ws_lower_has(lower, "rcp64h") ? WS_MUFU_RCP64H : WS_MUFU_RSQ64H);
}

const WsPtxRow ws_ptx_approximate_rows[] = {
    {"rcp", "approx ftz", F32, 0, 2, 2, 0, lower_reciprocal},
    {"rsqrt", "approx ftz", F32, 0, 2, 2, 0, lower_scaled},
    {"sqrt", "approx ftz", F32, 0, 2, 2, 0, lower_scaled},
    {"rcp", "approx ftz", F64, 0, 2, 2, WS_PTX_ROW_BRANCHES, lower_double_seed},
    {"rsqrt", "approx ftz", F64, 0, 2, 2, WS_PTX_ROW_BRANCHES, lower_double_seed},
    {"div", "approx ftz", F32, 0, 3, 3, 0, lower_divide},
    {"ex2", "approx ftz", F32, 0, 2, 2, 0, lower_ex2},
    {"lg2", "approx ftz", F32, 0, 2, 2, 0, lower_lg2},
    {"sin", "approx ftz", F32, 0, 2, 2, 0, lower_sin_cos},
    {"cos", "approx ftz", F32, 0, 2, 2, 0, lower_sin_cos},
    {"tanh", "approx", F32, 0, 2, 2, 0, lower_tanh},
    {"ex2", "approx", F16S, 0, 2, 2, 0, lower_half_function},
    {"ex2", "approx ftz", BF16S, 0, 2, 2, 0, lower_half_function},
    {"tanh", "approx", F16S | BF16S, 0, 2, 2, 0, lower_half_function},
    {"ws", "fchk rcp64h rsq64h", F32 | WS_PTX_BIT(B32), 0, 2, 3, 0, lower_internal},
    {"div", "full ftz", F32, 0, 3, 3, 0, lower_full_division},
    {"div", "rn rz rm rp ftz", F32 | F64, 0, 3, 3, WS_PTX_ROW_BRANCHES, ws_lower_by_library},
    {"rcp", "rn rz rm rp ftz", F32 | F64, 0, 2, 2, WS_PTX_ROW_BRANCHES, ws_lower_by_library},
    {"sqrt", "rn rz rm rp ftz", F32 | F64, 0, 2, 2, WS_PTX_ROW_BRANCHES, ws_lower_by_library},
    {0}};
