#include "tests/support/scalar_step.h"

#include "isa/bytecode/opcode.h"

void scalar_execute_iadd3(ScalarStep *step)
{
    static const char names[3] = {'a', 'b', 'c'};
    gboolean extended = MOD(step, EXTENDED);
    guint64 sum = 0;
    for (guint n = 0; n < 3; n++) {
        sum += scalar_bits_operand(step, names[n]);
        sum += scalar_negated(step, names[n]) && !extended;
    }
    if (extended) {
        sum += scalar_predicate_operand(step, WS_SLOT_Np) ? 1 : 0;
        sum += scalar_predicate_operand(step, WS_SLOT_Nq) ? 1 : 0;
    }
    scalar_put(step, (guint32)sum);
    scalar_put_predicate(step, WS_SLOT_Pd, sum >> 32 >= 1);
    scalar_put_predicate(step, WS_SLOT_Pe, sum >> 32 >= 2);
}

void scalar_execute_lea(ScalarStep *step)
{
    guint shift = step->instruction->operand[scalar_find(step, WS_SLOT_Ic)].value & 31;
    guint32 a = (guint32)scalar_plain(step, 'a');
    guint64 pair = MOD(step, SIGN) ? (guint64)(gint64)(gint32)a : a | scalar_plain(step, 'c') << 32;
    guint32 x = (guint32)(MOD(step, HIGH) ? pair << shift >> 32 : pair << shift);
    guint32 y = (guint32)scalar_plain(step, 'b');
    gboolean extended = MOD(step, EXTENDED);
    guint64 sum =
        (guint64)(scalar_negated(step, 'a') ? ~x : x) + (scalar_negated(step, 'b') ? ~y : y);
    if (extended) {
        sum += scalar_predicate_operand(step, WS_SLOT_Np) ? 1 : 0;
    } else {
        sum += (scalar_negated(step, 'a') ? 1u : 0) + (scalar_negated(step, 'b') ? 1u : 0);
    }
    scalar_put(step, (guint32)sum);
    scalar_put_predicate(step, WS_SLOT_Pd, sum >> 32 != 0);
}

__int128 scalar_product(const ScalarStep *step)
{
    guint32 a = (guint32)scalar_plain(step, 'a'), b = (guint32)scalar_plain(step, 'b');
    __int128 value =
        MOD(step, UNSIGNED) ? (__int128)a * b : (__int128)(gint64)(gint32)a * (gint64)(gint32)b;
    return scalar_negated(step, 'a') != scalar_negated(step, 'b') ? -value : value;
}

void scalar_execute_wide(ScalarStep *step)
{
    guint64 value = (guint64)scalar_product(step);
    WsOpcode opcode = step->instruction->opcode;
    if (opcode == WS_OP_IMAD_HI) {
        scalar_put(step, (guint32)(value >> 32) + scalar_integer_operand(step, 'c'));
        return;
    }
    guint64 addend = scalar_plain(step, 'c');
    addend = scalar_negated(step, 'c') ? 0 - addend : addend;
    unsigned __int128 sum = (unsigned __int128)value + addend;
    if (opcode == WS_OP_IMAD_HI_WIDE || opcode == WS_OP_UIMAD_HI) {
        scalar_put(step, (guint32)(sum >> 32));
        if (opcode == WS_OP_IMAD_HI_WIDE) {
            scalar_put_predicate(step, WS_SLOT_Pd, sum >> 64 != 0);
        }
        return;
    }
    if (opcode == WS_OP_IMAD_WIDE_X) {
        scalar_put(step, (guint64)sum + (scalar_predicate_operand(step, WS_SLOT_Np) ? 1 : 0));
        return;
    }
    scalar_put(step, (guint64)sum);
    scalar_put_predicate(step, WS_SLOT_Pd, sum >> 64 != 0);
}

gboolean scalar_integer_compare(guint comparison, gint64 x, gint64 y)
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

gint64 scalar_as_integer(const ScalarStep *step, guint32 value)
{
    return MOD(step, UNSIGNED) ? (gint64)value : (gint64)(gint32)value;
}

guint32 scalar_table_of_bits(guint32 a, guint32 b, guint32 c, guint32 table)
{
    guint32 result = 0;
    for (guint bit = 0; bit < 32; bit++) {
        guint row = (a >> bit & 1) * 4 + (b >> bit & 1) * 2 + (c >> bit & 1);
        result |= (table >> row & 1) << bit;
    }
    return result;
}

guint32 scalar_funnel(const ScalarStep *step, guint32 a, guint32 b, guint32 c)
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

static guint32 permute(const ScalarStep *step, guint32 a, guint32 b, guint32 c)
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

static guint32 dot(const ScalarStep *step, guint32 a, guint32 b, guint32 c)
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

static guint32 field_length(const ScalarStep *step, guint32 value)
{
    return MOD(step, WRAP) ? value % 32 : MIN(value, 32);
}

static guint32 bit_mask(const ScalarStep *step, guint32 a, guint32 b)
{
    guint32 start = field_length(step, a), length = field_length(step, b), result = 0;
    for (guint bit = start; bit < MIN(start + length, 32); bit++) {
        result |= 1u << bit;
    }
    return result;
}

static guint32 sign_extended(const ScalarStep *step, guint32 a, guint32 b)
{
    guint32 length = field_length(step, b), result = 0;
    for (guint bit = 0; bit < 32 && length; bit++) {
        guint source = bit < length ? bit : length - 1;
        gboolean one = bit < length || !MOD(step, UNSIGNED) ? a >> source & 1 : FALSE;
        result |= one ? 1u << bit : 0;
    }
    return result;
}

void scalar_execute_find_leading(ScalarStep *step)
{
    guint32 b = scalar_bits_operand(step, 'b');
    gint found = -1;
    gboolean sign = !MOD(step, UNSIGNED) && b >> 31;
    for (gint bit = 31; bit >= 0 && found < 0; bit--) {
        gboolean one = b >> bit & 1;
        found = one != sign ? bit : -1;
    }
    guint32 position =
        found >= 0 && MOD(step, SHIFT_AMOUNT) ? (guint32)(31 - found) : (guint32)found;
    scalar_put(step, position);
    scalar_put_predicate(step, WS_SLOT_Pd, found >= 0);
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

void scalar_execute_logic(ScalarStep *step)
{
    const WsOperand *table = &step->instruction->operand[scalar_find(step, WS_SLOT_Ic)];
    if (step->instruction->opcode == WS_OP_LOP3 || step->instruction->opcode == WS_OP_ULOP3) {
        guint32 value =
            scalar_table_of_bits((guint32)scalar_plain(step, 'a'), (guint32)scalar_plain(step, 'b'),
                                 (guint32)scalar_plain(step, 'c'), table->value);
        scalar_put(step, value);
        scalar_put_predicate(step, WS_SLOT_Pd,
                             value != 0 || scalar_predicate_operand(step, WS_SLOT_Np));
        return;
    }
    guint row = (scalar_predicate_operand(step, WS_SLOT_Pp) ? 4u : 0) +
                (scalar_predicate_operand(step, WS_SLOT_Pq) ? 2u : 0) +
                (scalar_predicate_operand(step, WS_SLOT_Pr) ? 1u : 0);
    guint32 first = step->instruction->operand[scalar_find(step, WS_SLOT_Ib)].value;
    scalar_put_predicate(step, WS_SLOT_Pd, first >> row & 1);
    scalar_put_predicate(step, WS_SLOT_Pe, table->value >> row & 1);
}

void scalar_execute_predicate_move(ScalarStep *step)
{
    guint32 chosen = step->instruction->operand[scalar_find(step, WS_SLOT_Ib)].value & 0x7f;
    guint32 a = (guint32)scalar_plain(step, 'a');
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
        scalar_put(step, a);
    }
}

void scalar_execute_isetp(ScalarStep *step)
{
    gint64 x = scalar_as_integer(step, scalar_integer_operand(step, 'a'));
    gint64 y = scalar_as_integer(step, scalar_integer_operand(step, 'b'));
    gboolean holds = scalar_integer_compare(MOD(step, ICMP), x, y);
    if (MOD(step, EXTENDED) && x == y) {
        holds = scalar_predicate_operand(step, WS_SLOT_Pq);
    }
    scalar_put_comparison(step, holds);
}

static void execute_bits(ScalarStep *step, guint32 a, guint32 b)
{
    switch (step->instruction->opcode) {
    case WS_OP_BMSK:
    case WS_OP_UBMSK:
        scalar_put(step, bit_mask(step, a, b));
        break;
    case WS_OP_SGXT:
    case WS_OP_USGXT:
        scalar_put(step, sign_extended(step, a, b));
        break;
    case WS_OP_POPC:
    case WS_OP_UPOPC:
        scalar_put(step, counted_or_reversed(scalar_bits_operand(step, 'b'), FALSE));
        break;
    case WS_OP_BREV:
    case WS_OP_UBREV:
        scalar_put(step, counted_or_reversed(scalar_bits_operand(step, 'b'), TRUE));
        break;
    default: /* MOV, UMOV; MUFU in programs of which only the way counts */
        scalar_put(step, b);
        break;
    }
}

/* The least or the greatest of what the instruction takes. */
static void execute_choice(ScalarStep *step)
{
    guint32 a = scalar_integer_operand(step, 'a'), b = scalar_integer_operand(step, 'b');
    gboolean least = scalar_predicate_operand(step, WS_SLOT_Pp);
    gboolean sum = step->instruction->opcode == WS_OP_VIADDMNMX;
    gint64 x = scalar_as_integer(step, sum ? a + b : a);
    gint64 y = sum ? x : scalar_as_integer(step, b);
    gint64 z = scalar_find(step, WS_SLOT_Sc) >= 0
                   ? scalar_as_integer(step, scalar_integer_operand(step, 'c'))
                   : x;
    scalar_put(step, (guint32)(least ? MIN(MIN(x, y), z) : MAX(MAX(x, y), z)));
}

void scalar_execute_integer(ScalarStep *step)
{
    guint32 a = (guint32)scalar_plain(step, 'a'), b = (guint32)scalar_plain(step, 'b');
    guint32 c = (guint32)scalar_plain(step, 'c');
    gboolean p = scalar_predicate_operand(step, WS_SLOT_Pp);
    gint64 x = scalar_as_integer(step, a), y = scalar_as_integer(step, b);
    switch (step->instruction->opcode) {
    case WS_OP_IMAD:
    case WS_OP_UIMAD:
        scalar_put(step, scalar_integer_operand(step, 'a') * scalar_integer_operand(step, 'b') +
                             scalar_integer_operand(step, 'c'));
        break;
    case WS_OP_IMAD_X:
        a = scalar_negated(step, 'a') ? ~a : a;
        b = scalar_negated(step, 'b') ? ~b : b;
        c = scalar_negated(step, 'c') ? ~c : c;
        scalar_put(step, a * b + c + (scalar_predicate_operand(step, WS_SLOT_Np) ? 1 : 0));
        break;
    case WS_OP_IDP:
        scalar_put(step, dot(step, a, b, c));
        break;
    case WS_OP_SEL:
    case WS_OP_USEL:
        scalar_put(step, p ? a : b);
        break;
    case WS_OP_VIADD:
        scalar_put(step, scalar_integer_operand(step, 'a') + scalar_integer_operand(step, 'b'));
        break;
    case WS_OP_VIADDMNMX:
    case WS_OP_VIMNMX3:
    case WS_OP_VIMNMX:
        execute_choice(step);
        break;
    case WS_OP_LEPC:
        scalar_put(step, (guint64)step->instruction->operand[1].value * WS_INSTRUCTION_BYTES);
        break;
    case WS_OP_SHF:
    case WS_OP_USHF:
        scalar_put(step, scalar_funnel(step, a, b, c));
        break;
    case WS_OP_PRMT:
    case WS_OP_UPRMT:
        scalar_put(step, permute(step, a, b, c));
        break;
    case WS_OP_IABS:
        scalar_put(step, (guint32)ABS((gint64)(gint32)b));
        break;
    case WS_OP_VABSDIFF:
        scalar_put(step, (guint32)ABS(x - y) + c);
        break;
    default:
        execute_bits(step, a, b);
        break;
    }
}
