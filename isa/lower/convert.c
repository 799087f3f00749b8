/* cvt, cvta and isspacep of PTX. */
#include "isa/lower/lower.h"

#include "isa/bytecode/opcode.h"

#define INTEGERS                                                                                   \
    (WS_PTX_BIT(S8) | WS_PTX_BIT(U8) | WS_PTX_BIT(S16) | WS_PTX_BIT(U16) | WS_PTX_BIT(S32) |       \
     WS_PTX_BIT(U32) | WS_PTX_BIT(S64) | WS_PTX_BIT(U64))
#define FLOATS (WS_PTX_BIT(F16) | WS_PTX_BIT(BF16) | WS_PTX_BIT(F32) | WS_PTX_BIT(F64))
#define PACKED (WS_PTX_BIT(F16X2) | WS_PTX_BIT(BF16X2))

static gboolean is_signed(WsPtxType type)
{
    return ws_ptx_type_kind(type) == WS_PTX_KIND_SIGNED;
}

static gboolean is_float(WsPtxType type)
{
    return ws_ptx_type_kind(type) == WS_PTX_KIND_FLOAT;
}

static guint8 float_format(WsPtxType type)
{
    switch (type) {
    case WS_PTX_F16:
    case WS_PTX_F16X2:
        return WS_FLOAT_F16;
    case WS_PTX_BF16:
    case WS_PTX_BF16X2:
        return WS_FLOAT_BF16;
    case WS_PTX_F64:
        return WS_FLOAT_F64;
    default:
        return WS_FLOAT_F32;
    }
}

static guint8 integer_format(WsPtxType type)
{
    switch (type) {
    case WS_PTX_S8:
        return WS_INT_S8;
    case WS_PTX_U8:
        return WS_INT_U8;
    case WS_PTX_S16:
        return WS_INT_S16;
    case WS_PTX_U16:
        return WS_INT_U16;
    case WS_PTX_S64:
        return WS_INT_S64;
    case WS_PTX_U64:
        return WS_INT_U64;
    case WS_PTX_U32:
        return WS_INT_U32;
    default:
        return WS_INT_S32;
    }
}

static guint8 rounding(const WsLowerStatement *lower)
{
    static const char *const names[] = {"rn", "rm", "rp", "rz", NULL};
    int n = ws_lower_which(lower, names);
    return (guint8)MAX(0, n);
}

/* .rni .rmi .rpi .rzi, or -1 */
static int integer_rounding(const WsLowerStatement *lower)
{
    static const char *const names[] = {"rni", "rmi", "rpi", "rzi", NULL};
    return ws_lower_which(lower, names);
}

static WsOperand word_of_source(WsLowerStatement *lower, guint n, guint word)
{
    return ws_lower_operand_word(lower, &lower->operands[n], lower->types[1], word);
}

static WsOperand value_of_source(WsLowerStatement *lower, guint n)
{
    WsOperand low = word_of_source(lower, n, 0);
    if (ws_ptx_type_bits(lower->types[1]) != 64)
        return low;
    return ws_lower_pair(lower, low, word_of_source(lower, n, 1));
}

/* ---- integer to integer ---- */

static WsOperand clamp(WsLowerStatement *lower, WsOperand a, gboolean sign, gboolean minimum,
                       guint32 limit)
{
    WsOperand d = ws_lower_temporary(lower, 1);
    WsOperand p = ws_operand_predicate(WS_PT);
    EMIT(lower, VIMNMX, d, a, ws_operand_immediate(limit), minimum ? p : ws_operand_negated(p))
        ->mod[WS_MOD_UNSIGNED] = !sign;
    return d;
}

/* Values of up to 32 bits brought into the range of the target type. */
static WsOperand saturate(WsLowerStatement *lower, WsOperand a, WsPtxType to, WsPtxType from)
{
    guint bits = ws_ptx_type_bits(to);
    guint32 highest = is_signed(to) ? (1u << (bits - 1)) - 1
                      : bits == 32  ? G_MAXUINT32
                                    : (1u << bits) - 1;
    if (is_signed(from)) {
        if (!is_signed(to))
            a = clamp(lower, a, TRUE, FALSE, 0);
        else if (bits < 32)
            a = clamp(lower, a, TRUE, FALSE, ~highest);
    }
    if (bits < 32 || (is_signed(to) && !is_signed(from)))
        a = clamp(lower, a, is_signed(from), TRUE, highest);
    return a;
}

static WsOperand sign_word(WsLowerStatement *lower, WsOperand word)
{
    WsOperand d = ws_lower_temporary(lower, 1);
    ws_lower_shift(lower, d, ws_operand_zero(), ws_operand_immediate(31), word, WS_DIRECTION_RIGHT,
                   WS_SHIFT_S32, TRUE);
    return d;
}

/* A 64-bit source as a word in the range of the target type: its low word where the high one is
 * empty. */
static WsOperand saturate_to_word(WsLowerStatement *lower, WsPtxType to, WsPtxType from)
{
    enum { ONES_COMPLEMENT = 0x0f, TIMES_MINUS = 0x3c };
    gboolean sign = is_signed(from) && is_signed(to);
    WsOperand low = word_of_source(lower, 1, 0), high = word_of_source(lower, 1, 1);
    WsOperand d = ws_lower_temporary(lower, 1), limit = ws_operand_immediate(G_MAXUINT32);
    WsOperand p = ws_lower_temporary_predicate(lower);
    if (is_signed(from)) { /* 0 and all ones, or the limits of S32, by the sign */
        limit = ws_lower_temporary(lower, 1);
        ws_lower_logic(lower, limit, sign_word(lower, high),
                       sign ? ws_operand_immediate(G_MAXINT32) : ws_operand_zero(),
                       ws_operand_zero(), sign ? TIMES_MINUS : ONES_COMPLEMENT);
    }
    ws_lower_compare(lower, p, WS_ICMP_NE, FALSE, high,
                     sign ? sign_word(lower, low) : ws_operand_zero());
    ws_lower_select(lower, d, p, limit, low);
    return saturate(lower, d, to, sign ? WS_PTX_S32 : WS_PTX_U32);
}

/* Between S64 and U64: what has its top bit set becomes 0 or the largest number. */
static void saturate_pair(WsLowerStatement *lower, WsOperand d, gboolean from_signed)
{
    WsOperand p = ws_lower_temporary_predicate(lower);
    WsOperand low = word_of_source(lower, 1, 0), high = word_of_source(lower, 1, 1);
    ws_lower_compare(lower, p, WS_ICMP_LT, FALSE, high, ws_operand_zero());
    ws_lower_select(lower, d, p,
                    from_signed ? ws_operand_zero() : ws_operand_immediate(G_MAXUINT32), low);
    ws_lower_select(lower, ws_operand_word(d, 1), p,
                    from_signed ? ws_operand_zero() : ws_operand_immediate(G_MAXINT32), high);
}

/* The low word of the result: of the target type, extended over a wider register. */
static WsOperand narrow_result(WsLowerStatement *lower, WsPtxType to, WsPtxType from,
                               guint register_bits)
{
    guint to_bits = ws_ptx_type_bits(to);
    guint from_bits = ws_ptx_type_bits(from);
    WsOperand value = word_of_source(lower, 1, 0);
    if (ws_lower_has(lower, "sat")) {
        if (from_bits == 64)
            return saturate_to_word(lower, to, from);
        return saturate(lower, ws_lower_extend(lower, value, from), to, from);
    }
    if (from_bits < to_bits)
        value = ws_lower_extend(lower, value, from);
    if (to_bits < MIN(register_bits, 32) &&
        (from_bits >= to_bits || (is_signed(from) && !is_signed(to))))
        value = ws_lower_extend(lower, value, to);
    return value;
}

static void integer_to_integer(WsLowerStatement *lower)
{
    WsPtxType to = lower->types[0];
    WsPtxType from = lower->types[1];
    WsOperand d = ws_lower_destination(lower, 0);
    guint words = MAX(1, ws_lower_register_words(lower, &lower->operands[0]));
    guint register_bits = words * 32;
    if (lower->operands[0].kind == WS_PTX_REGISTER)
        register_bits = ws_ptx_type_bits(
            g_array_index(lower->frame->function->registers, guint8, lower->operands[0].index));
    if (ws_ptx_type_bits(to) == 64 && ws_ptx_type_bits(from) == 64) {
        if (ws_lower_has(lower, "sat") && is_signed(from) != is_signed(to)) {
            saturate_pair(lower, d, is_signed(from));
            return;
        }
        ws_lower_move(lower, d, word_of_source(lower, 1, 0));
        ws_lower_move(lower, ws_operand_word(d, 1), word_of_source(lower, 1, 1));
        return;
    }
    WsOperand low;
    if (ws_ptx_type_bits(to) == 64) {
        low = ws_lower_extended(lower, 1, from);
        if (ws_lower_has(lower, "sat") && is_signed(from) && !is_signed(to))
            low = clamp(lower, low, TRUE, FALSE, 0);
    } else {
        low = narrow_result(lower, to, from, register_bits);
    }
    ws_lower_move(lower, d, low);
    if (words < 2)
        return;
    gboolean sign = is_signed(ws_ptx_type_bits(to) == 64 ? from : to);
    ws_lower_move(lower, ws_operand_word(d, 1), sign ? sign_word(lower, low) : ws_operand_zero());
}

/* ---- between integers and floats ---- */

static void integer_to_float(WsLowerStatement *lower)
{
    WsPtxType from = lower->types[1];
    /* Other modes than to nearest are left to the slower unit, as in compiled code. */
    gboolean fast = lower->types[0] == WS_PTX_F32 && ws_ptx_type_bits(from) == 32 &&
                    rounding(lower) == WS_ROUND_NEAREST;
    const WsOperand operands[] = {ws_lower_destination(lower, 0), value_of_source(lower, 1)};
    WsInstruction *convert = ws_lower_emit(lower, fast ? WS_OP_I2FP : WS_OP_I2F, operands, 2);
    convert->mod[WS_MOD_FLOAT_TO] = float_format(lower->types[0]);
    convert->mod[WS_MOD_INT_FROM] = integer_format(from);
    convert->mod[WS_MOD_ROUND] = rounding(lower);
}

static void float_to_integer(WsLowerStatement *lower)
{
    WsPtxType to = lower->types[0];
    WsOperand d = ws_lower_destination(lower, 0);
    WsOperand a = value_of_source(lower, 1);
    int round = integer_rounding(lower);
    if (round < 0) {
        ws_lower_refuse(lower);
        return;
    }
    WsInstruction *convert = EMIT(lower, F2I, d, a);
    convert->mod[WS_MOD_INT_TO] = integer_format(to);
    convert->mod[WS_MOD_FLOAT_FROM] = float_format(lower->types[1]);
    convert->mod[WS_MOD_INTEGER_ROUND] = (guint8)round;
    convert->mod[WS_MOD_FTZ] = ws_lower_has(lower, "ftz");
    if (ws_ptx_type_bits(to) < 64 && ws_lower_register_words(lower, &lower->operands[0]) == 2)
        ws_lower_move(lower, ws_operand_word(d, 1),
                      is_signed(to) ? sign_word(lower, d) : ws_operand_zero());
}

/* ---- float to float ---- */

/* a + -0 changes nothing but applies .ftz and .sat. */
static void copy_float(WsLowerStatement *lower, WsOperand d, WsOperand a)
{
    WsInstruction *add = EMIT(lower, FADD, d, a, ws_operand_minus_zero());
    add->mod[WS_MOD_FTZ] = ws_lower_has(lower, "ftz");
    add->mod[WS_MOD_SAT] = ws_lower_has(lower, "sat");
}

/* A half as a 32-bit float. */
static void widen_half(WsLowerStatement *lower, WsOperand d, WsOperand half)
{
    EMIT(lower, HADD2_F32, d, ws_operand_minus_zero(), half);
}

static void widen_bfloat16(WsLowerStatement *lower, WsOperand d, WsOperand a)
{
    ws_lower_shift(lower, d, a, ws_operand_immediate(16), ws_operand_zero(), WS_DIRECTION_LEFT,
                   WS_SHIFT_U32, FALSE);
}

static WsOperand round_word(WsLowerStatement *lower, WsOperand a, int round)
{
    WsOperand d = ws_lower_temporary(lower, 1);
    WsInstruction *instruction = EMIT(lower, FRND, d, a);
    instruction->mod[WS_MOD_INTEGER_ROUND] = (guint8)round;
    instruction->mod[WS_MOD_FTZ] = ws_lower_has(lower, "ftz");
    return d;
}

/* Into 0 to 1; NaN becomes 0. */
static void saturate_double(WsLowerStatement *lower, WsOperand d, WsOperand a)
{
    WsOperand t = ws_lower_temporary(lower, 2);
    WsOperand above = ws_lower_temporary_predicate(lower),
              below = ws_lower_temporary_predicate(lower);
    WsOperand one = ws_operand_immediate(0x3ff00000);
    EMIT(lower, DSETP, above, ws_operand_none(), a, ws_operand_zero())->mod[WS_MOD_FCMP] =
        WS_FCMP_GT;
    for (guint w = 0; w < 2; w++)
        ws_lower_select(lower, ws_operand_word(t, w), above, ws_operand_word(a, w),
                        ws_operand_zero());
    EMIT(lower, DSETP, below, ws_operand_none(), t, one)->mod[WS_MOD_FCMP] = WS_FCMP_LT;
    ws_lower_select(lower, d, below, t, ws_operand_zero());
    ws_lower_select(lower, ws_operand_word(d, 1), below, ws_operand_word(t, 1), one);
}

static void same_float(WsLowerStatement *lower)
{
    WsPtxType type = lower->types[0];
    int round = integer_rounding(lower);
    WsOperand d = ws_lower_destination(lower, 0);
    WsOperand a = value_of_source(lower, 1);
    if (type == WS_PTX_F32) {
        if (round >= 0)
            a = round_word(lower, a, round);
        gboolean plain = round >= 0 || !ws_lower_has(lower, "ftz"); /* a NaN keeps its bits */
        if (plain && !ws_lower_has(lower, "sat"))
            ws_lower_move(lower, d, a);
        else
            copy_float(lower, d, a);
    } else if (type == WS_PTX_F64 && !ws_lower_has(lower, "sat")) {
        if (round >= 0)
            EMIT(lower, DRND, d, a)->mod[WS_MOD_INTEGER_ROUND] = (guint8)round;
        else
            ws_lower_move_pair(lower, d, ws_lower_source_pair(lower, 1));
    } else if (type == WS_PTX_F64 && round < 0) {
        saturate_double(lower, d, ws_lower_source_pair(lower, 1));
    } else if (type == WS_PTX_F16 && round < 0 && ws_lower_has(lower, "sat")) {
        WsInstruction *add = EMIT(lower, HADD2, d, a, ws_operand_minus_zero());
        add->mod[WS_MOD_SAT] = 1;
        add->mod[WS_MOD_FTZ] = ws_lower_has(lower, "ftz");
        add->low_half = TRUE;
    } else if ((type == WS_PTX_F16 || type == WS_PTX_BF16) && round >= 0) {
        WsOperand wide = ws_lower_temporary(lower, 1);
        if (type == WS_PTX_F16)
            widen_half(lower, wide, a);
        else
            widen_bfloat16(lower, wide, a);
        wide = round_word(lower, wide, round);
        EMIT(lower, F2FP, d, ws_operand_zero(), wide)->mod[WS_MOD_FLOAT_TO] = float_format(type);
    } else {
        ws_lower_refuse(lower);
    }
}

static void float_to_float(WsLowerStatement *lower)
{
    WsPtxType to = lower->types[0];
    WsPtxType from = lower->types[1];
    if (to == from) {
        same_float(lower);
        return;
    }
    WsOperand d = ws_lower_destination(lower, 0);
    WsOperand a = value_of_source(lower, 1);
    if (integer_rounding(lower) >= 0) {
        ws_lower_refuse(lower);
        return;
    }
    if (to == WS_PTX_F32 && from == WS_PTX_BF16) {
        widen_bfloat16(lower, d, a);
        return;
    }
    if (to == WS_PTX_F32 && from == WS_PTX_F16 && !ws_lower_has(lower, "sat")) {
        widen_half(lower, d, a);
        return;
    }
    /* A single BF16 is rounded by F2F, as ptxas has it; pairs by F2FP, and F16 but up and down. */
    gboolean packs = rounding(lower) == WS_ROUND_NEAREST || rounding(lower) == WS_ROUND_ZERO;
    gboolean half =
        packs && (to == WS_PTX_F16 || (to == WS_PTX_BF16 && ws_lower_has(lower, "relu")));
    if (half && from == WS_PTX_F32 && !ws_lower_has(lower, "sat")) {
        WsInstruction *pack = EMIT(lower, F2FP, d, ws_operand_zero(), a);
        pack->mod[WS_MOD_FLOAT_TO] = float_format(to);
        pack->mod[WS_MOD_ROUND] = rounding(lower);
        pack->mod[WS_MOD_RELU] = ws_lower_has(lower, "relu");
        return;
    }
    if (to == WS_PTX_F64 && from == WS_PTX_F32 && ws_lower_has(lower, "ftz")) {
        WsOperand flushed = ws_lower_temporary(lower, 1);
        EMIT(lower, FADD, flushed, a, ws_operand_minus_zero())->mod[WS_MOD_FTZ] = 1;
        a = flushed;
    }
    WsInstruction *convert = EMIT(lower, F2F, d, a);
    convert->mod[WS_MOD_FLOAT_TO] = float_format(to);
    convert->mod[WS_MOD_FLOAT_FROM] = float_format(from);
    convert->mod[WS_MOD_ROUND] = rounding(lower);
    /* ptxas drops .ftz for halves: a float below the normal ones rounds up or down to the next. */
    convert->mod[WS_MOD_FTZ] =
        to == WS_PTX_F32 || to == WS_PTX_BF16 ? ws_lower_has(lower, "ftz") : 0;
    convert->mod[WS_MOD_SAT] = ws_lower_has(lower, "sat");
}

/* cvt.rn.f16x2.f32 d, a, b: a goes into the high half. */
static void pack_floats(WsLowerStatement *lower)
{
    if (lower->types[1] != WS_PTX_F32 || lower->statement->operand_count != 3) {
        ws_lower_refuse(lower);
        return;
    }
    WsInstruction *pack = EMIT(lower, F2FP, ws_lower_destination(lower, 0),
                               word_of_source(lower, 1, 0), word_of_source(lower, 2, 0));
    pack->mod[WS_MOD_FLOAT_TO] = float_format(lower->types[0]);
    pack->mod[WS_MOD_ROUND] = rounding(lower);
    pack->mod[WS_MOD_RELU] = ws_lower_has(lower, "relu");
}

/*
 * cvt.rna.tf32.f32: half of a last place added to the magnitude of finite numbers, the rest cut.
 * For NaN and infinity the low bits are dropped as well, as on an H200.
 */
static void round_to_tf32(WsLowerStatement *lower)
{
    if (!ws_lower_has(lower, "rna")) {
        ws_lower_refuse(lower);
        return;
    }
    WsOperand d = ws_lower_destination(lower, 0);
    WsOperand a = ws_lower_in_register(lower, value_of_source(lower, 1)), size = a;
    WsOperand p = ws_lower_temporary_predicate(lower), sum = ws_lower_temporary(lower, 1);
    WsOperand chosen = ws_lower_temporary(lower, 1);
    size.flags = WS_OPERAND_ABSOLUTE;
    ws_lower_add(lower, sum, a, ws_operand_immediate(0x1000));
    EMIT(lower, FSETP, p, ws_operand_none(), size, ws_operand_immediate(0x7f800000))
        ->mod[WS_MOD_FCMP] = WS_FCMP_LT;
    ws_lower_select(lower, chosen, p, sum, a);
    ws_lower_logic(lower, d, chosen, ws_operand_immediate(0xffffe000), ws_operand_zero(), 0xc0);
}

static void lower_cvt(WsLowerStatement *lower)
{
    WsPtxType to = lower->types[0];
    WsPtxType from = lower->types[1];
    if (lower->type_count != 2)
        ws_lower_refuse(lower);
    else if (ws_lower_is_packed(to))
        pack_floats(lower);
    else if (lower->statement->operand_count != 2)
        ws_lower_refuse(lower);
    else if (is_float(to))
        is_float(from) ? float_to_float(lower) : integer_to_float(lower);
    else
        is_float(from) ? float_to_integer(lower) : integer_to_integer(lower);
}

/* ---- address spaces ---- */

/* Start of the space's window; global addresses are generic ones. */
static gboolean window_of(const WsLowerStatement *lower, WsOperand *ret)
{
    static const char *const names[] = {"shared", "shared::cta", "local", "const", NULL};
    switch (ws_lower_which(lower, names)) {
    case 0:
    case 1:
        *ret = ws_operand_constant(0, WS_CONSTANT_SHARED_WINDOW);
        return TRUE;
    case 2:
        *ret = ws_operand_constant(0, WS_CONSTANT_LOCAL_WINDOW);
        return TRUE;
    case 3:
        *ret = ws_operand_immediate((guint32)WS_CONSTANT_WINDOW);
        return TRUE;
    default:
        return FALSE;
    }
}

/* Windows lie below 4 GiB, so that only the low word changes. */
static void lower_cvta(WsLowerStatement *lower)
{
    gboolean to = ws_lower_has(lower, "to");
    WsOperand d = ws_lower_destination(lower, 0);
    gboolean wide = ws_ptx_type_bits(lower->types[0]) == 64;
    WsOperand low = ws_lower_source_word(lower, 1, 0);
    WsOperand window;
    if (!window_of(lower, &window))
        ws_lower_move(lower, d, low);
    else
        ws_lower_add(lower, d, low, to ? ws_operand_negated(window) : window);
    if (wide)
        ws_lower_move(lower, ws_operand_word(d, 1), ws_lower_source_word(lower, 1, 1));
}

/* p = window <= address < window + size, on 64 bits: the high word must be zero. */
static void in_window(WsLowerStatement *lower, WsOperand p, WsOperand window, guint32 size)
{
    WsOperand offset = ws_lower_temporary(lower, 1);
    WsOperand low = ws_lower_temporary_predicate(lower);
    ws_lower_add(lower, offset, ws_lower_source_word(lower, 1, 0), ws_operand_negated(window));
    ws_lower_compare(lower, low, WS_ICMP_LT, TRUE, offset, ws_operand_immediate(size));
    WsInstruction *high = EMIT(lower, ISETP, p, ws_operand_none(),
                               ws_lower_source_word(lower, 1, 1), ws_operand_zero(), low);
    high->mod[WS_MOD_ICMP] = WS_ICMP_EQ;
    high->mod[WS_MOD_UNSIGNED] = 1;
}

static void lower_isspacep(WsLowerStatement *lower)
{
    lower->types[0] = WS_PTX_U64;
    WsOperand p = ws_lower_destination_predicate(lower, 0);
    WsOperand window;
    if (window_of(lower, &window)) {
        in_window(lower, p, window,
                  ws_lower_has(lower, "const") ? WS_CONSTANT_BANK_BYTES : 1u << 24);
        return;
    }
    /* global: at or above the window of module variables */
    WsOperand low = ws_lower_temporary_predicate(lower);
    ws_lower_compare(lower, low, WS_ICMP_GE, TRUE, ws_lower_source_word(lower, 1, 0),
                     ws_operand_immediate((guint32)WS_MODULE_WINDOW));
    WsInstruction *high = EMIT(lower, ISETP, p, ws_operand_none(),
                               ws_lower_source_word(lower, 1, 1), ws_operand_zero(), low);
    high->mod[WS_MOD_ICMP] = WS_ICMP_NE;
    high->mod[WS_MOD_UNSIGNED] = 1;
    high->mod[WS_MOD_BOOLEAN] = WS_BOOLEAN_OR;
}

const WsPtxRow ws_ptx_convert_rows[] = {
    {"cvt", "rn rz rm rp rni rzi rmi rpi ftz sat relu", INTEGERS | FLOATS | PACKED,
     INTEGERS | FLOATS, 2, 3, 0, lower_cvt},
    {"cvt", "rna", WS_PTX_BIT(TF32), WS_PTX_BIT(F32), 2, 2, 0, round_to_tf32},
    {"cvt", "rn satfinite relu e4m3x2 e5m2x2", WS_PTX_BIT(F32) | WS_PTX_BIT(F16X2), 0, 2, 3,
     WS_PTX_ROW_BRANCHES, ws_lower_by_library},
    {"cvta", "to global shared shared::cta local const", WS_PTX_BIT(U64) | WS_PTX_BIT(U32), 0, 2, 2,
     0, lower_cvta},
    {"isspacep", "global shared shared::cta local const", 0, 0, 2, 2, 0, lower_isspacep},
    {0}};
