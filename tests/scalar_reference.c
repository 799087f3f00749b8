#include "tests/scalar_reference.h"

#include "tests/scalar_float.h"

typedef struct {
    const WsInstruction *instruction;
    const ScalarWarp *before;
    ScalarWarp *after;
    guint lane;
    guint64 mask;
} Step;

#define MOD(step, group) ((step)->instruction->mod[WS_MOD_##group])

/* ---- operands ----------------------------------------------------------------------------------
 */

static gint find(const Step *step, WsSlot slot)
{
    const WsOpcodeInfo *info = ws_opcode_info(step->instruction->opcode);
    for (guint n = 0; n < info->operand_count; n++) {
        if (info->slots[n] == slot) {
            return (gint)n;
        }
    }
    return -1;
}

static guint64 constant_bytes(const ScalarWarp *warp, guint bank, guint32 at, guint count)
{
    guint64 value = 0;
    for (guint n = 0; n < count; n++) {
        guint64 address = (guint64)at + n;
        if (warp->constants[bank] && address < WS_CONSTANT_BANK_BYTES) {
            value |= (guint64)warp->constants[bank][address] << (8 * n);
        }
    }
    return value;
}

static gboolean is_double_source(const Step *step)
{
    switch (step->instruction->opcode) {
    case WS_OP_DADD:
    case WS_OP_DMUL:
    case WS_OP_DFMA:
    case WS_OP_DSETP:
    case WS_OP_DRND:
        return TRUE;
    case WS_OP_F2F:
    case WS_OP_F2I:
        return MOD(step, FLOAT_FROM) == WS_FLOAT_F64;
    default:
        return FALSE;
    }
}

static guint64 immediate(const Step *step, guint32 value)
{
    if (is_double_source(step)) {
        return (guint64)value << 32;
    }
    gboolean without_sign = MOD(step, UNSIGNED) || MOD(step, INT_FROM) == WS_INT_U64;
    return without_sign ? value : (guint64)(gint64)(gint32)value;
}

static guint64 raw_operand(const Step *step, guint n)
{
    const WsOperand *operand = &step->instruction->operand[n];
    const ScalarWarp *warp = step->before;
    guint words = ws_operand_words(step->instruction, n);
    guint64 value = 0;
    for (guint word = 0; word < words; word++) {
        guint32 part = 0;
        if (operand->kind == WS_OPERAND_REGISTER && operand->index != WS_RZ) {
            part = warp->lane[step->lane].registers[operand->index + word];
        } else if (operand->kind == WS_OPERAND_UNIFORM_REGISTER && operand->index != WS_URZ) {
            part = warp->uniform[operand->index + word];
        }
        value |= (guint64)part << (32 * word);
    }
    if (operand->kind == WS_OPERAND_IMMEDIATE) {
        value = immediate(step, operand->value);
    } else if (operand->kind == WS_OPERAND_CONSTANT) {
        value = constant_bytes(warp, operand->bank, operand->value, 8);
    }
    return words == 2 ? value : (guint32)value;
}

static gboolean has_flag(const Step *step, WsSlot slot, guint flag)
{
    gint n = find(step, slot);
    return n >= 0 && step->instruction->operand[n].flags & flag;
}

/* Operand without modifiers; a, b and c by whatever slot holds them. */
static guint64 plain(const Step *step, char which)
{
    static const WsSlot slots[3][3] = {{WS_SLOT_Ra, WS_SLOT_Ua, WS_SLOT_Ra},
                                       {WS_SLOT_Rb, WS_SLOT_Sb, WS_SLOT_Ub},
                                       {WS_SLOT_Rc, WS_SLOT_Sc, WS_SLOT_Uc}};
    for (guint k = 0; k < 3; k++) {
        gint n = find(step, slots[which - 'a'][k]);
        if (n >= 0) {
            return raw_operand(step, (guint)n);
        }
    }
    return 0;
}

static gboolean flag_of(const Step *step, char which, guint flag)
{
    static const WsSlot slots[3][3] = {{WS_SLOT_Ra, WS_SLOT_Ua, WS_SLOT_Ra},
                                       {WS_SLOT_Rb, WS_SLOT_Sb, WS_SLOT_Ub},
                                       {WS_SLOT_Rc, WS_SLOT_Sc, WS_SLOT_Uc}};
    for (guint k = 0; k < 3; k++) {
        if (has_flag(step, slots[which - 'a'][k], flag)) {
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean negated(const Step *step, char which)
{
    return flag_of(step, which, WS_OPERAND_NEGATE);
}

/* A float operand of `bits` bits with flushing, |x| and -x, in that order. */
static guint64 float_operand(const Step *step, char which, guint bits)
{
    guint64 value = plain(step, which), sign = (guint64)1 << (bits - 1);
    if (bits == 32 && MOD(step, FTZ)) {
        value = scalar_flush32((guint32)value);
    }
    if (flag_of(step, which, WS_OPERAND_ABSOLUTE)) {
        value &= ~sign;
    }
    return negated(step, which) ? value ^ sign : value;
}

static guint32 f32_operand(const Step *step, char which)
{
    return (guint32)float_operand(step, which, 32);
}

static guint32 integer_operand(const Step *step, char which)
{
    guint32 value = (guint32)plain(step, which);
    return negated(step, which) ? 0u - value : value;
}

static guint32 bits_operand(const Step *step, char which)
{
    guint32 value = (guint32)plain(step, which);
    return negated(step, which) ? ~value : value;
}

static gboolean predicate_operand_of(const Step *step, WsSlot slot, guint lane)
{
    gint n = find(step, slot);
    if (n < 0) {
        return TRUE;
    }
    const WsOperand *operand = &step->instruction->operand[n];
    gboolean value = slot == WS_SLOT_Uq ? step->before->uniform_predicates[operand->index]
                                        : step->before->lane[lane].predicates[operand->index];
    return operand->flags & WS_OPERAND_NEGATE ? !value : value;
}

static gboolean predicate_operand(const Step *step, WsSlot slot)
{
    return predicate_operand_of(step, slot, step->lane);
}

/* ---- results -----------------------------------------------------------------------------------
 */

static void put(Step *step, guint64 value)
{
    gint n = find(step, WS_SLOT_Rd);
    guint32 index = step->instruction->operand[n].index;
    for (guint word = 0; index != WS_RZ && word < ws_operand_words(step->instruction, (guint)n);
         word++) {
        step->after->lane[step->lane].registers[index + word] = (guint32)(value >> (32 * word));
    }
}

static void put_predicate(Step *step, WsSlot slot, gboolean value)
{
    gint n = find(step, slot);
    guint32 index = step->instruction->operand[n].index;
    if (index != WS_PT) {
        step->after->lane[step->lane].predicates[index] = value != 0;
    }
}

static gboolean combine(const Step *step, gboolean x, gboolean y)
{
    switch (MOD(step, BOOLEAN)) {
    case WS_BOOLEAN_AND:
        return x && y;
    case WS_BOOLEAN_OR:
        return x || y;
    default:
        return !x != !y;
    }
}

static void put_comparison(Step *step, gboolean holds)
{
    gboolean p = predicate_operand(step, WS_SLOT_Pp);
    put_predicate(step, WS_SLOT_Pd, combine(step, holds, p));
    put_predicate(step, WS_SLOT_Pe, combine(step, !holds, p));
}

/* ---- floats ------------------------------------------------------------------------------------
 */

static gboolean float_compare(guint comparison, double x, double y)
{
    gboolean unordered = isnan(x) || isnan(y);
    switch (comparison) {
    case WS_FCMP_F:
        return FALSE;
    case WS_FCMP_LT:
        return x < y;
    case WS_FCMP_EQ:
        return x == y;
    case WS_FCMP_LE:
        return x <= y;
    case WS_FCMP_GT:
        return x > y;
    case WS_FCMP_NE:
        return !unordered && x != y;
    case WS_FCMP_GE:
        return x >= y;
    case WS_FCMP_NUM:
        return !unordered;
    case WS_FCMP_NAN:
        return unordered;
    case WS_FCMP_LTU:
        return unordered || x < y;
    case WS_FCMP_EQU:
        return unordered || x == y;
    case WS_FCMP_LEU:
        return unordered || x <= y;
    case WS_FCMP_GTU:
        return unordered || x > y;
    case WS_FCMP_NEU:
        return unordered || x != y;
    case WS_FCMP_GEU:
        return unordered || x >= y;
    default:
        return TRUE;
    }
}

static void execute_f32(Step *step)
{
    guint32 a = f32_operand(step, 'a'), b = f32_operand(step, 'b'), c = f32_operand(step, 'c');
    guint32 result;
    gboolean p = predicate_operand(step, WS_SLOT_Pp);
    switch (step->instruction->opcode) {
    case WS_OP_FADD:
        result = scalar_add32(a, b, MOD(step, ROUND));
        break;
    case WS_OP_FMUL:
        result = scalar_mul32(a, b, MOD(step, ROUND));
        break;
    case WS_OP_FFMA:
        result = scalar_fma32(a, b, c, MOD(step, ROUND));
        break;
    case WS_OP_FSEL:
        put(step, p ? a : b);
        return;
    case WS_OP_FMNMX:
        put(step, scalar_minimum(a, b, p, MOD(step, NAN_RULE), WS_FLOAT_F32));
        return;
    default:
        put_comparison(step, float_compare(MOD(step, FCMP), scalar_float(a), scalar_float(b)));
        return;
    }
    result = MOD(step, FTZ) ? scalar_flush32(result) : result;
    if (MOD(step, SAT)) {
        float value = scalar_float(result);
        result = isnan(value) || value <= 0 ? 0 : value >= 1 ? 0x3f800000u : result;
    }
    put(step, result);
}

static void execute_f64(Step *step)
{
    guint64 a = float_operand(step, 'a', 64), b = float_operand(step, 'b', 64);
    guint64 c = float_operand(step, 'c', 64);
    switch (step->instruction->opcode) {
    case WS_OP_DADD:
        put(step, scalar_add64(a, b, MOD(step, ROUND)));
        break;
    case WS_OP_DMUL:
        put(step, scalar_mul64(a, b, MOD(step, ROUND)));
        break;
    case WS_OP_DFMA:
        put(step, scalar_fma64(a, b, c, MOD(step, ROUND)));
        break;
    case WS_OP_DRND:
        put(step, scalar_round64(b, MOD(step, INTEGER_ROUND)));
        break;
    default:
        put_comparison(step, float_compare(MOD(step, FCMP), scalar_double(a), scalar_double(b)));
        break;
    }
}

/* One half of a packed operand: code of 16 bits. */
static guint32 half_operand(const Step *step, char which, guint half, guint format)
{
    guint32 code = (guint32)plain(step, which) >> (16 * half) & 0xffff;
    if (flag_of(step, which, WS_OPERAND_ABSOLUTE)) {
        code &= 0x7fff;
    }
    code = negated(step, which) ? code ^ 0x8000 : code;
    gboolean denormal = format == WS_FLOAT_F16 && (code & 0x7c00) == 0;
    return MOD(step, FTZ) && denormal ? code & 0x8000 : code;
}

static guint32 half_result(const Step *step, guint half, guint format)
{
    guint32 a = half_operand(step, 'a', half, format), b = half_operand(step, 'b', half, format);
    guint32 c = half_operand(step, 'c', half, format), code;
    switch (step->instruction->opcode) {
    case WS_OP_HADD2:
        code = scalar_half_fma(a, format == WS_FLOAT_F16 ? 0x3c00 : 0x3f80, b, format);
        break;
    case WS_OP_HMUL2: /* the zero's sign is that of the product */
        code = scalar_half_fma(a, b, (a ^ b) & 0x8000, format);
        break;
    case WS_OP_HFMA2:
        code = scalar_half_fma(a, b, c, format);
        break;
    default:
        return scalar_minimum(a, b, predicate_operand(step, WS_SLOT_Pp), MOD(step, NAN_RULE),
                              format);
    }
    double value = scalar_widen(code, format);
    if (MOD(step, RELU) && !isnan(value) && value <= 0) {
        code = 0;
    }
    if (MOD(step, SAT)) {
        code = isnan(value) || value <= 0 ? 0
               : value >= 1               ? (format == WS_FLOAT_F16 ? 0x3c00 : 0x3f80)
                                          : code;
    }
    gboolean denormal = format == WS_FLOAT_F16 && (code & 0x7c00) == 0;
    return MOD(step, FTZ) && denormal ? code & 0x8000 : code;
}

static void execute_half(Step *step)
{
    guint format = MOD(step, HALF_TYPE) ? WS_FLOAT_BF16 : WS_FLOAT_F16;
    if (step->instruction->opcode != WS_OP_HSETP2) {
        put(step, half_result(step, 0, format) | half_result(step, 1, format) << 16);
        return;
    }
    gboolean p = predicate_operand(step, WS_SLOT_Pp), holds[2];
    for (guint half = 0; half < 2; half++) {
        double x = scalar_widen(half_operand(step, 'a', half, format), format);
        double y = scalar_widen(half_operand(step, 'b', half, format), format);
        holds[half] = combine(step, float_compare(MOD(step, FCMP), x, y), p);
    }
    put_predicate(step, WS_SLOT_Pd, holds[0]);
    put_predicate(step, WS_SLOT_Pe, holds[1]);
}

/* ---- conversions -------------------------------------------------------------------------------
 */

static guint64 convert_operand(const Step *step, char which, guint format)
{
    guint bits = format == WS_FLOAT_F64 ? 64 : format == WS_FLOAT_F32 ? 32 : 16;
    guint64 value = plain(step, which), sign = (guint64)1 << (bits - 1);
    value = bits == 16 ? value & 0xffff : value;
    if (bits == 32 && MOD(step, FTZ)) {
        value = scalar_flush32((guint32)value);
    }
    value = flag_of(step, which, WS_OPERAND_ABSOLUTE) ? value & ~sign : value;
    return negated(step, which) ? value ^ sign : value;
}

static void execute_convert(Step *step)
{
    guint from = MOD(step, FLOAT_FROM), to = MOD(step, FLOAT_TO), mode = MOD(step, ROUND);
    guint64 code;
    switch (step->instruction->opcode) {
    case WS_OP_FRND:
        put(step, scalar_round32(f32_operand(step, 'b'), MOD(step, INTEGER_ROUND)));
        break;
    case WS_OP_F2FP: {
        guint32 half[2];
        for (guint n = 0; n < 2; n++) {
            guint32 bits = f32_operand(step, n ? 'a' : 'b');
            gboolean zero = MOD(step, RELU) && scalar_float(bits) <= 0;
            half[n] = (guint32)scalar_convert(zero ? 0 : bits, WS_FLOAT_F32, to, mode);
        }
        put(step, half[0] | half[1] << 16);
        break;
    }
    case WS_OP_I2F:
    case WS_OP_I2FP:
        put(step, scalar_from_integer(plain(step, 'b'), MOD(step, INT_FROM), to, mode));
        break;
    case WS_OP_F2I:
        put(step, scalar_to_integer(convert_operand(step, 'b', from), from, MOD(step, INT_TO),
                                    MOD(step, INTEGER_ROUND)));
        break;
    default:
        code = convert_operand(step, 'b', from);
        if (MOD(step, SAT)) {
            double value = scalar_widen(code, from);
            double clamped = isnan(value) || value <= 0 ? 0 : value >= 1 ? 1 : value;
            code = scalar_double_bits(clamped);
            from = WS_FLOAT_F64;
        }
        code = scalar_convert(code, from, to, mode);
        put(step, to == WS_FLOAT_F32 && MOD(step, FTZ) ? scalar_flush32((guint32)code) : code);
        break;
    }
}

/* ---- integers ----------------------------------------------------------------------------------
 */

static void execute_iadd3(Step *step)
{
    static const char names[3] = {'a', 'b', 'c'};
    gboolean extended = MOD(step, EXTENDED);
    guint64 sum = 0;
    for (guint n = 0; n < 3; n++) {
        sum += bits_operand(step, names[n]);
        sum += negated(step, names[n]) && !extended;
    }
    if (extended) {
        sum += predicate_operand(step, WS_SLOT_Np) ? 1 : 0;
        sum += predicate_operand(step, WS_SLOT_Nq) ? 1 : 0;
    }
    put(step, (guint32)sum);
    put_predicate(step, WS_SLOT_Pd, sum >> 32 >= 1);
    put_predicate(step, WS_SLOT_Pe, sum >> 32 >= 2);
}

static void execute_lea(Step *step)
{
    guint shift = step->instruction->operand[find(step, WS_SLOT_Ic)].value & 31;
    guint64 pair = (guint32)plain(step, 'a') | plain(step, 'c') << 32;
    guint32 x = (guint32)(MOD(step, HIGH) ? pair << shift >> 32 : pair << shift);
    guint32 y = (guint32)plain(step, 'b');
    gboolean extended = MOD(step, EXTENDED);
    guint64 sum = (guint64)(negated(step, 'a') ? ~x : x) + (negated(step, 'b') ? ~y : y);
    if (extended) {
        sum += predicate_operand(step, WS_SLOT_Np) ? 1 : 0;
    } else {
        sum += (negated(step, 'a') ? 1u : 0) + (negated(step, 'b') ? 1u : 0);
    }
    put(step, (guint32)sum);
    put_predicate(step, WS_SLOT_Pd, sum >> 32 != 0);
}

static __int128 product(const Step *step)
{
    guint32 a = (guint32)plain(step, 'a'), b = (guint32)plain(step, 'b');
    __int128 value =
        MOD(step, UNSIGNED) ? (__int128)a * b : (__int128)(gint64)(gint32)a * (gint64)(gint32)b;
    return negated(step, 'a') != negated(step, 'b') ? -value : value;
}

static void execute_wide(Step *step)
{
    guint64 value = (guint64)product(step);
    if (step->instruction->opcode == WS_OP_IMAD_HI) {
        put(step, (guint32)(value >> 32) + integer_operand(step, 'c'));
        return;
    }
    guint64 addend = plain(step, 'c');
    addend = negated(step, 'c') ? 0 - addend : addend;
    unsigned __int128 sum = (unsigned __int128)value + addend;
    put(step, (guint64)sum);
    put_predicate(step, WS_SLOT_Pd, sum >> 64 != 0);
}

static gboolean integer_compare(guint comparison, gint64 x, gint64 y)
{
    switch (comparison) {
    case WS_ICMP_F:
        return FALSE;
    case WS_ICMP_LT:
        return x < y;
    case WS_ICMP_EQ:
        return x == y;
    case WS_ICMP_LE:
        return x <= y;
    case WS_ICMP_GT:
        return x > y;
    case WS_ICMP_NE:
        return x != y;
    case WS_ICMP_GE:
        return x >= y;
    default:
        return TRUE;
    }
}

static gint64 as_integer(const Step *step, guint32 value)
{
    return MOD(step, UNSIGNED) ? (gint64)value : (gint64)(gint32)value;
}

static guint32 table_of_bits(guint32 a, guint32 b, guint32 c, guint32 table)
{
    guint32 result = 0;
    for (guint bit = 0; bit < 32; bit++) {
        guint row = (a >> bit & 1) * 4 + (b >> bit & 1) * 2 + (c >> bit & 1);
        result |= (table >> row & 1) << bit;
    }
    return result;
}

static guint32 funnel(const Step *step, guint32 a, guint32 b, guint32 c)
{
    guint type = MOD(step, SHIFT_TYPE);
    guint limit = type >= WS_SHIFT_U64 ? 64 : 32;
    guint amount = MOD(step, WRAP) ? b % limit : MIN(b, limit);
    gboolean with_sign = type == WS_SHIFT_S32 || type == WS_SHIFT_S64;
    guint64 pair = (guint64)c << 32 | a;
    for (guint n = 0; n < amount; n++) {
        pair = MOD(step, DIRECTION) == WS_DIRECTION_LEFT ? pair << 1
               : with_sign ? pair >> 1 | (pair & (G_GUINT64_CONSTANT(1) << 63))
                           : pair >> 1;
    }
    return MOD(step, HIGH) ? (guint32)(pair >> 32) : (guint32)pair;
}

static guint32 permute(const Step *step, guint32 a, guint32 b, guint32 c)
{
    guint8 bytes[8];
    guint32 result = 0;
    for (guint n = 0; n < 8; n++) {
        bytes[n] = (guint8)((n < 4 ? a : c) >> (8 * (n & 3)));
    }
    gint k = (gint)(b & 3);
    for (gint n = 0; n < 4; n++) {
        gint picked;
        switch (MOD(step, PRMT)) {
        case 0: {
            guint selector = b >> (4 * n) & 15;
            guint32 byte = bytes[selector & 7];
            byte = selector & 8 ? (byte & 0x80 ? 0xff : 0) : byte;
            result |= byte << (8 * n);
            continue;
        }
        case 1: /* F4E */
            picked = k + n;
            break;
        case 2: /* B4E */
            picked = (8 + k - n) & 7;
            break;
        case 3: /* RC8 */
            picked = k;
            break;
        case 4: /* ECL */
            picked = MAX(n, k);
            break;
        case 5: /* ECR */
            picked = MIN(n, k);
            break;
        default: /* RC16 */
            picked = 2 * (k & 1) + (n & 1);
            break;
        }
        result |= (guint32)bytes[picked] << (8 * n);
    }
    return result;
}

static guint32 dot(const Step *step, guint32 a, guint32 b, guint32 c)
{
    static const gboolean a_signed[4] = {FALSE, TRUE, FALSE, TRUE};
    static const gboolean b_signed[4] = {FALSE, TRUE, TRUE, FALSE};
    guint type = MOD(step, DOT);
    for (guint n = 0; n < 4; n++) {
        gint32 x = (gint32)(a >> (8 * n) & 0xff), y = (gint32)(b >> (8 * n) & 0xff);
        x = a_signed[type] && x >= 128 ? x - 256 : x;
        y = b_signed[type] && y >= 128 ? y - 256 : y;
        c += (guint32)(x * y);
    }
    return c;
}

static guint32 field_length(const Step *step, guint32 value)
{
    return MOD(step, WRAP) ? value % 32 : MIN(value, 32);
}

static guint32 bit_mask(const Step *step, guint32 a, guint32 b)
{
    guint32 start = field_length(step, a), length = field_length(step, b), result = 0;
    for (guint bit = start; bit < MIN(start + length, 32); bit++) {
        result |= 1u << bit;
    }
    return result;
}

static guint32 sign_extended(const Step *step, guint32 a, guint32 b)
{
    guint32 length = field_length(step, b), result = 0;
    for (guint bit = 0; bit < 32 && length; bit++) {
        guint source = bit < length ? bit : length - 1;
        gboolean one = bit < length || !MOD(step, UNSIGNED) ? a >> source & 1 : FALSE;
        result |= one ? 1u << bit : 0;
    }
    return result;
}

static void execute_find_leading(Step *step)
{
    guint32 b = bits_operand(step, 'b');
    gint found = -1;
    gboolean sign = !MOD(step, UNSIGNED) && b >> 31;
    for (gint bit = 31; bit >= 0 && found < 0; bit--) {
        gboolean one = b >> bit & 1;
        found = one != sign ? bit : -1;
    }
    guint32 position =
        found >= 0 && MOD(step, SHIFT_AMOUNT) ? (guint32)(31 - found) : (guint32)found;
    put(step, position);
    put_predicate(step, WS_SLOT_Pd, found >= 0);
}

static guint32 counted_or_reversed(guint32 value, gboolean reverse)
{
    guint32 count = 0, reversed = 0;
    for (guint bit = 0; bit < 32; bit++) {
        count += value >> bit & 1;
        reversed |= (value >> bit & 1) << (31 - bit);
    }
    return reverse ? reversed : count;
}

static void execute_logic(Step *step)
{
    const WsOperand *table = &step->instruction->operand[find(step, WS_SLOT_Ic)];
    if (step->instruction->opcode == WS_OP_LOP3) {
        guint32 value = table_of_bits((guint32)plain(step, 'a'), (guint32)plain(step, 'b'),
                                      (guint32)plain(step, 'c'), table->value);
        put(step, value);
        put_predicate(step, WS_SLOT_Pd, value != 0 || predicate_operand(step, WS_SLOT_Np));
        return;
    }
    guint row = (predicate_operand(step, WS_SLOT_Pp) ? 4u : 0) +
                (predicate_operand(step, WS_SLOT_Pq) ? 2u : 0) +
                (predicate_operand(step, WS_SLOT_Pr) ? 1u : 0);
    guint32 first = step->instruction->operand[find(step, WS_SLOT_Ib)].value;
    put_predicate(step, WS_SLOT_Pd, first >> row & 1);
    put_predicate(step, WS_SLOT_Pe, table->value >> row & 1);
}

static void execute_predicate_move(Step *step)
{
    guint32 chosen = step->instruction->operand[find(step, WS_SLOT_Ib)].value & 0x7f;
    guint32 a = (guint32)plain(step, 'a');
    for (guint number = 0; number < 7; number++) {
        gboolean value = step->before->lane[step->lane].predicates[number];
        if (!(chosen >> number & 1)) {
            continue;
        }
        if (step->instruction->opcode == WS_OP_R2P) {
            step->after->lane[step->lane].predicates[number] = a >> number & 1;
        } else {
            a = (a & ~(1u << number)) | (value ? 1u << number : 0);
        }
    }
    if (step->instruction->opcode == WS_OP_P2R) {
        put(step, a);
    }
}

static void execute_isetp(Step *step)
{
    gint64 x = as_integer(step, integer_operand(step, 'a'));
    gint64 y = as_integer(step, integer_operand(step, 'b'));
    gboolean holds = integer_compare(MOD(step, ICMP), x, y);
    if (MOD(step, EXTENDED) && x == y) {
        holds = predicate_operand(step, WS_SLOT_Pq);
    }
    put_comparison(step, holds);
}

static void execute_fchk(Step *step)
{
    guint32 a = f32_operand(step, 'a'), b = f32_operand(step, 'b');
    gint x = (gint)(a >> 23 & 0xff), y = (gint)(b >> 23 & 0xff);
    gboolean safe = x != 255 && x >= 32 && y >= 2 && y <= 252 && ABS(x - y) <= 120 &&
                    (b & 0x7fffff) != 0x7fffff;
    put_predicate(step, WS_SLOT_Pd, !safe);
}

static void execute_integer(Step *step)
{
    guint32 a = (guint32)plain(step, 'a'), b = (guint32)plain(step, 'b');
    guint32 c = (guint32)plain(step, 'c');
    gboolean p = predicate_operand(step, WS_SLOT_Pp);
    gint64 x = as_integer(step, a), y = as_integer(step, b);
    switch (step->instruction->opcode) {
    case WS_OP_IMAD:
        put(step,
            integer_operand(step, 'a') * integer_operand(step, 'b') + integer_operand(step, 'c'));
        break;
    case WS_OP_IMAD_X:
        put(step, integer_operand(step, 'a') * integer_operand(step, 'b') +
                      integer_operand(step, 'c') + (predicate_operand(step, WS_SLOT_Np) ? 1 : 0));
        break;
    case WS_OP_IDP:
        put(step, dot(step, a, b, c));
        break;
    case WS_OP_SEL:
        put(step, p ? a : b);
        break;
    case WS_OP_VIMNMX:
        put(step, p ? (x < y ? a : b) : (x > y ? a : b));
        break;
    case WS_OP_SHF:
        put(step, funnel(step, a, b, c));
        break;
    case WS_OP_PRMT:
        put(step, permute(step, a, b, c));
        break;
    case WS_OP_BMSK:
        put(step, bit_mask(step, a, b));
        break;
    case WS_OP_SGXT:
        put(step, sign_extended(step, a, b));
        break;
    case WS_OP_IABS:
        put(step, (guint32)ABS((gint64)(gint32)b));
        break;
    case WS_OP_VABSDIFF:
        put(step, (guint32)ABS(x - y) + c);
        break;
    case WS_OP_POPC:
        put(step, counted_or_reversed(bits_operand(step, 'b'), FALSE));
        break;
    case WS_OP_BREV:
        put(step, counted_or_reversed(bits_operand(step, 'b'), TRUE));
        break;
    default: /* MOV */
        put(step, b);
        break;
    }
}

/* ---- special registers and constant memory -----------------------------------------------------
 */

static guint64 special(const Step *step, guint which)
{
    const ScalarWarp *warp = step->before;
    const WsLaneContext *context = &warp->context;
    guint32 thread = context->first_thread + step->lane;
    guint32 lane_bit = 1u << (step->lane & 31);
    guint64 nanoseconds = (guint64)((unsigned __int128)context->cycle * 1000000 / warp->clock_khz);
    const guint64 values[WS_SR_COUNT] = {
        [WS_SR_TID_X] = thread % warp->block[0],
        [WS_SR_TID_Y] = thread / warp->block[0] % warp->block[1],
        [WS_SR_TID_Z] = thread / (warp->block[0] * warp->block[1]),
        [WS_SR_CTAID_X] = context->block_index[0],
        [WS_SR_CTAID_Y] = context->block_index[1],
        [WS_SR_CTAID_Z] = context->block_index[2],
        [WS_SR_LANEID] = step->lane,
        [WS_SR_WARPID] = context->warp_slot,
        [WS_SR_NWARPID] = warp->slots,
        [WS_SR_SMID] = context->sm,
        [WS_SR_NSMID] = warp->sms,
        [WS_SR_GRIDID] = context->launch,
        [WS_SR_LANEMASK_EQ] = lane_bit,
        [WS_SR_LANEMASK_LT] = lane_bit - 1,
        [WS_SR_LANEMASK_LE] = 2 * (guint64)lane_bit - 1,
        [WS_SR_LANEMASK_GT] = 0xffffffffu & ~(2 * (guint64)lane_bit - 1),
        [WS_SR_LANEMASK_GE] = 0u - lane_bit,
        [WS_SR_ACTIVEMASK] = (guint32)context->active,
        [WS_SR_CLOCK_LO] = context->cycle,
        [WS_SR_CLOCK_HI] = context->cycle >> 32,
        [WS_SR_GLOBALTIMER_LO] = nanoseconds,
        [WS_SR_GLOBALTIMER_HI] = nanoseconds >> 32,
        [WS_SR_DYNAMIC_SHARED_SIZE] = warp->dynamic_shared_bytes,
        [WS_SR_TOTAL_SHARED_SIZE] = warp->total_shared_bytes,
    };
    return values[which];
}

static void load_constant(const Step *step, guint32 words[4])
{
    static const guint sizes[7] = {4, 1, 1, 2, 2, 8, 16};
    gint n = find(step, WS_SLOT_Cm);
    const WsOperand *operand = &step->instruction->operand[n];
    guint32 base =
        operand->index == WS_RZ ? 0 : step->before->lane[step->lane].registers[operand->index];
    guint width = MOD(step, WIDTH);
    for (guint word = 0; word < 4; word++) {
        guint left = sizes[width] > 4 * word ? sizes[width] - 4 * word : 0;
        guint64 at = (guint64)(base + operand->value) + 4 * word;
        words[word] = at > G_MAXUINT32 ? 0
                                       : (guint32)constant_bytes(step->before, operand->bank,
                                                                 (guint32)at, MIN(left, 4));
    }
    if (width == WS_WIDTH_S8) {
        words[0] = (guint32)(gint32)(gint8)words[0];
    } else if (width == WS_WIDTH_S16) {
        words[0] = (guint32)(gint32)(gint16)words[0];
    }
}

static void execute_load(Step *step)
{
    guint32 words[4];
    gint n = find(step, WS_SLOT_Rd);
    load_constant(step, words);
    guint32 index = step->instruction->operand[n].index;
    for (guint word = 0; index != WS_RZ && word < ws_operand_words(step->instruction, (guint)n);
         word++) {
        step->after->lane[step->lane].registers[index + word] = words[word];
    }
}

/* ---- across lanes ------------------------------------------------------------------------------
 */

static void execute_shuffle(Step *step)
{
    guint32 b = (guint32)plain(step, 'b'), c = (guint32)plain(step, 'c');
    gint lane = (gint)step->lane, bval = (gint)(b & 31), cval = (gint)(c & 31);
    gint segment = (gint)(c >> 8 & 31);
    gint limit = (lane & segment) | (cval & ~segment), from = lane;
    gboolean valid = TRUE;
    switch (MOD(step, SHUFFLE)) {
    case WS_SHUFFLE_UP:
        from = lane - bval;
        valid = from >= limit;
        break;
    case WS_SHUFFLE_DOWN:
        from = lane + bval;
        valid = from <= limit;
        break;
    case WS_SHUFFLE_BFLY:
        from = lane ^ bval;
        valid = from <= limit;
        break;
    default:
        from = (lane & segment) | (bval & ~segment);
        valid = from <= limit;
        break;
    }
    Step other = *step;
    other.lane = (guint)(valid ? from : lane) & 31;
    put(step, plain(&other, 'a'));
    put_predicate(step, WS_SLOT_Pd, valid);
}

static void execute_vote(Step *step)
{
    guint32 ballot = 0;
    gboolean all = TRUE, any = FALSE;
    for (guint lane = 0; lane < step->before->lanes; lane++) {
        if (step->mask >> lane & 1) {
            gboolean holds = predicate_operand_of(step, WS_SLOT_Pp, lane);
            ballot |= holds ? 1u << (lane & 31) : 0;
            all = all && holds;
            any = any || holds;
        }
    }
    guint mode = MOD(step, VOTE);
    put(step, ballot);
    put_predicate(step, WS_SLOT_Pd,
                  mode == WS_VOTE_ALL   ? all
                  : mode == WS_VOTE_ANY ? any
                                        : all || !any);
}

static void execute_match(Step *step)
{
    guint32 same = 0;
    Step other = *step;
    for (other.lane = 0; other.lane < 32; other.lane++) {
        if (step->mask >> other.lane & 1 && plain(&other, 'a') == plain(step, 'a')) {
            same |= 1u << other.lane;
        }
    }
    gboolean equal = same == (guint32)step->mask;
    put(step, MOD(step, MATCH) == WS_MATCH_ALL && !equal ? 0 : same);
    put_predicate(step, WS_SLOT_Pd, equal);
}

/* ---- uniform datapath --------------------------------------------------------------------------
 */

static gint64 reduce(const Step *step)
{
    gint64 result = 0;
    gboolean first = TRUE;
    Step other = *step;
    for (other.lane = 0; other.lane < step->before->lanes; other.lane++) {
        if (!(step->mask >> other.lane & 1)) {
            continue;
        }
        guint32 word = (guint32)plain(&other, 'a');
        gint64 value = MOD(step, REDUX_TYPE) ? (gint64)(gint32)word : (gint64)word;
        guint operation = MOD(step, REDUX);
        result = first                       ? value
                 : operation == WS_REDUX_SUM ? result + value
                 : operation == WS_REDUX_MIN ? MIN(result, value)
                 : operation == WS_REDUX_MAX ? MAX(result, value)
                 : operation == WS_REDUX_AND ? (result & value)
                 : operation == WS_REDUX_OR  ? (result | value)
                                             : (result ^ value);
        first = FALSE;
    }
    return result;
}

static void execute_uniform(Step *step)
{
    guint32 a = integer_operand(step, 'a'), b = integer_operand(step, 'b');
    guint32 c = integer_operand(step, 'c'), words[4] = {0};
    guint count = 1;
    gint table = find(step, WS_SLOT_Ic), sr = find(step, WS_SLOT_Sr);
    switch (step->instruction->opcode) {
    case WS_OP_UMOV:
        words[0] = b;
        break;
    case WS_OP_UIADD3:
        words[0] = a + b + c;
        break;
    case WS_OP_UIMAD:
        words[0] = a * b + c;
        break;
    case WS_OP_ULOP3:
        words[0] = table_of_bits(a, b, c, step->instruction->operand[table].value);
        break;
    case WS_OP_USHF:
        words[0] = funnel(step, a, b, c);
        break;
    case WS_OP_R2UR:
        words[0] = a;
        break;
    case WS_OP_S2UR:
        words[0] = (guint32)special(step, step->instruction->operand[sr].value);
        break;
    case WS_OP_REDUX:
        words[0] = (guint32)reduce(step);
        break;
    case WS_OP_ULDC:
        load_constant(step, words);
        count = ws_operand_words(step->instruction, 0);
        break;
    default: { /* UISETP */
        gboolean holds = combine(
            step, integer_compare(MOD(step, ICMP), as_integer(step, a), as_integer(step, b)),
            predicate_operand(step, WS_SLOT_Uq));
        guint32 index = step->instruction->operand[find(step, WS_SLOT_Ue)].index;
        if (index != WS_PT) {
            step->after->uniform_predicates[index] = holds;
        }
        return;
    }
    }
    guint32 index = step->instruction->operand[find(step, WS_SLOT_Ud)].index;
    for (guint word = 0; word < count && index + word < WS_URZ; word++) {
        step->after->uniform[index + word] = words[word];
    }
}

/* ---- dispatch ----------------------------------------------------------------------------------
 */

typedef void (*Execute)(Step *step);

static Execute executor(WsOpcode opcode)
{
    static const Execute table[WS_OP_COUNT] = {
        [WS_OP_FADD] = execute_f32,
        [WS_OP_FMUL] = execute_f32,
        [WS_OP_FFMA] = execute_f32,
        [WS_OP_FSETP] = execute_f32,
        [WS_OP_FSEL] = execute_f32,
        [WS_OP_FMNMX] = execute_f32,
        [WS_OP_FCHK] = execute_fchk,
        [WS_OP_FRND] = execute_convert,
        [WS_OP_DADD] = execute_f64,
        [WS_OP_DMUL] = execute_f64,
        [WS_OP_DFMA] = execute_f64,
        [WS_OP_DSETP] = execute_f64,
        [WS_OP_DRND] = execute_f64,
        [WS_OP_HADD2] = execute_half,
        [WS_OP_HMUL2] = execute_half,
        [WS_OP_HFMA2] = execute_half,
        [WS_OP_HSETP2] = execute_half,
        [WS_OP_HMNMX2] = execute_half,
        [WS_OP_IADD3] = execute_iadd3,
        [WS_OP_IMAD_WIDE] = execute_wide,
        [WS_OP_IMAD_HI] = execute_wide,
        [WS_OP_ISETP] = execute_isetp,
        [WS_OP_LOP3] = execute_logic,
        [WS_OP_PLOP3] = execute_logic,
        [WS_OP_LEA] = execute_lea,
        [WS_OP_FLO] = execute_find_leading,
        [WS_OP_P2R] = execute_predicate_move,
        [WS_OP_R2P] = execute_predicate_move,
        [WS_OP_I2FP] = execute_convert,
        [WS_OP_F2FP] = execute_convert,
        [WS_OP_I2F] = execute_convert,
        [WS_OP_F2I] = execute_convert,
        [WS_OP_F2F] = execute_convert,
        [WS_OP_LDC] = execute_load,
        [WS_OP_SHFL] = execute_shuffle,
        [WS_OP_VOTE] = execute_vote,
        [WS_OP_MATCH] = execute_match,
    };
    return table[opcode] ? table[opcode] : execute_integer;
}

static gboolean is_uniform(WsOpcode opcode)
{
    const WsOpcodeInfo *info = ws_opcode_info(opcode);
    return info->slots[0] == WS_SLOT_Ud || info->slots[0] == WS_SLOT_Ue;
}

void scalar_execute(const WsInstruction *instruction, ScalarWarp *warp, guint64 mask)
{
    ScalarWarp *before = g_memdup2(warp, sizeof *warp);
    Step step = {instruction, before, warp, 0, mask};
    for (step.lane = 0; step.lane < warp->lanes; step.lane++) {
        if (!(mask >> step.lane & 1)) {
            continue;
        }
        if (is_uniform(instruction->opcode)) {
            execute_uniform(&step); /* of the lowest lane */
            break;
        }
        if (instruction->opcode == WS_OP_S2R || instruction->opcode == WS_OP_CS2R) {
            gint sr = find(&step, WS_SLOT_Sr);
            put(&step, special(&step, instruction->operand[sr].value));
            continue;
        }
        executor(instruction->opcode)(&step);
    }
    g_free(before);
}
