/* Logic, shifts and bit fields of PTX, and mov. */
#include "isa/lower/lower.h"

#include "isa/bytecode/opcode.h"

#include <stdlib.h>

#define BITS                                                                                       \
    (WS_PTX_BIT(B16) | WS_PTX_BIT(B32) | WS_PTX_BIT(B64) | WS_PTX_BIT(PRED) | WS_PTX_BIT(U16) |    \
     WS_PTX_BIT(U32) | WS_PTX_BIT(U64) | WS_PTX_BIT(S16) | WS_PTX_BIT(S32) | WS_PTX_BIT(S64))
#define WORD_OR_PAIR (WS_PTX_BIT(B32) | WS_PTX_BIT(B64))
#define NUMBERS      (WS_PTX_BIT(S32) | WS_PTX_BIT(U32) | WS_PTX_BIT(S64) | WS_PTX_BIT(U64))
#define SHIFTABLE    (NUMBERS | WORD_OR_PAIR | WS_PTX_BIT(B16) | WS_PTX_BIT(S16) | WS_PTX_BIT(U16))
#define MOVABLE                                                                                    \
    (BITS | WS_PTX_BIT(F16) | WS_PTX_BIT(F32) | WS_PTX_BIT(F64) | WS_PTX_BIT(F16X2) |              \
     WS_PTX_BIT(BF16) | WS_PTX_BIT(BF16X2) | WS_PTX_BIT(B8) | WS_PTX_BIT(B128))

static gboolean is_wide(const WsLowerStatement *lower)
{
    return ws_ptx_type_bits(lower->types[0]) == 64;
}

static gboolean is_signed(const WsLowerStatement *lower)
{
    return ws_ptx_type_kind(lower->types[0]) == WS_PTX_KIND_SIGNED;
}

/* ---- and, or, xor, not, lop3 ---- */

static void logic_of_predicates(WsLowerStatement *lower, guint8 table)
{
    gboolean one = lower->statement->operand_count == 2;
    EMIT(lower, PLOP3, ws_lower_destination_predicate(lower, 0), ws_operand_none(),
         ws_lower_source_predicate(lower, 1),
         one ? ws_operand_none() : ws_lower_source_predicate(lower, 2), ws_operand_none(),
         ws_operand_immediate(table), ws_operand_immediate(0));
}

static void lower_logic(WsLowerStatement *lower)
{
    char letter = lower->statement->opcode[0];
    guint8 table = letter == 'a' ? 0xc0 : letter == 'o' ? 0xfc : letter == 'x' ? 0x3c : 0x0f;
    if (lower->types[0] == WS_PTX_PRED) {
        logic_of_predicates(lower, table);
        return;
    }
    WsOperand d = ws_lower_destination(lower, 0);
    for (guint w = 0; w < (is_wide(lower) ? 2 : 1); w++)
        ws_lower_logic(lower, ws_operand_word(d, w), ws_lower_source_word(lower, 1, w),
                       letter == 'n' ? ws_operand_zero() : ws_lower_source_word(lower, 2, w),
                       ws_operand_zero(), table);
}

static void lower_lop3(WsLowerStatement *lower)
{
    const WsPtxOperand *table = &lower->operands[4];
    if (table->kind != WS_PTX_INTEGER || table->value > 255) {
        ws_lower_fail(lower->kernel, &table->position, "lop3 needs a table of 8 bits");
        return;
    }
    EMIT(lower, LOP3, ws_lower_destination(lower, 0), ws_operand_none(), ws_lower_source(lower, 1),
         ws_lower_source(lower, 2), ws_lower_source(lower, 3),
         ws_operand_immediate((guint32)table->value));
}

static void lower_cnot(WsLowerStatement *lower)
{
    WsOperand p = ws_lower_temporary_predicate(lower);
    WsOperand d = ws_lower_destination(lower, 0);
    if (is_wide(lower)) {
        WsOperand t = ws_lower_temporary(lower, 1);
        ws_lower_logic(lower, t, ws_lower_source_word(lower, 1, 0),
                       ws_lower_source_word(lower, 1, 1), ws_operand_zero(), 0xfc);
        ws_lower_compare(lower, p, WS_ICMP_EQ, TRUE, t, ws_operand_zero());
        ws_lower_move(lower, ws_operand_word(d, 1), ws_operand_zero());
    } else {
        ws_lower_compare(
            lower, p, WS_ICMP_EQ, TRUE,
            ws_lower_extended(lower, 1,
                              lower->types[0] == WS_PTX_B16 ? WS_PTX_U16 : lower->types[0]),
            ws_operand_zero());
    }
    ws_lower_select(lower, d, p, ws_operand_immediate(1), ws_operand_zero());
}

/* ---- mov ---- */

/* mov.b64 %rd, {%r1, %r2}: the parts of a value, lowest first. */
static void pack(WsLowerStatement *lower, const WsPtxOperand *vector)
{
    const WsPtxOperand *part = ws_lower_elements(lower, vector);
    WsOperand d = ws_lower_destination(lower, 0);
    guint bits = ws_ptx_type_bits(lower->types[0]);
    guint each = vector->count == 0 ? 0 : bits / vector->count;
    if (bits == 16 && each == 8) {
        EMIT(lower, PRMT, d, ws_lower_operand_word(lower, &part[0], WS_PTX_B8, 0),
             ws_operand_immediate(0x7740), ws_lower_operand_word(lower, &part[1], WS_PTX_B8, 0));
        return;
    }
    if (each == 0 || each < 16 || each * vector->count != bits) {
        ws_lower_refuse(lower);
        return;
    }
    if (each >= 32) {
        for (guint w = 0; w < bits / 32; w++)
            ws_lower_move(lower, ws_operand_word(d, w),
                          ws_lower_operand_word(lower, &part[w * 32 / each], WS_PTX_B32,
                                                each == 64 ? w % 2 : 0));
        return;
    }
    for (guint w = 0; w < bits / 32; w++)
        EMIT(lower, PRMT, ws_operand_word(d, w),
             ws_lower_operand_word(lower, &part[2 * w], WS_PTX_B16, 0),
             ws_operand_immediate(0x5410),
             ws_lower_operand_word(lower, &part[2 * w + 1], WS_PTX_B16, 0));
}

/* mov.b32 {%rs1, %rs2}, %r */
static void unpack(WsLowerStatement *lower, const WsPtxOperand *vector)
{
    const WsPtxOperand *part = ws_lower_elements(lower, vector);
    guint bits = ws_ptx_type_bits(lower->types[0]);
    guint each = vector->count == 0 ? 0 : bits / vector->count;
    if (each < 16 || each * vector->count != bits) {
        ws_lower_refuse(lower);
        return;
    }
    WsOperand word[4] = {{0}};
    for (guint w = 0; w < bits / 32; w++) {
        word[w] = ws_lower_temporary(lower, 1);
        ws_lower_move(lower, word[w], ws_lower_source_word(lower, 1, w));
    }
    for (guint i = 0; i < vector->count; i++) {
        WsOperand d = ws_lower_destination_of(lower, &part[i], each);
        for (guint w = 0; each >= 32 && w < each / 32; w++)
            ws_lower_move(lower, ws_operand_word(d, w), word[i * each / 32 + w]);
        if (each == 16 && i % 2 == 0) /* the upper half of its word is not defined */
            ws_lower_move(lower, d, word[i / 2]);
        else if (each == 16)
            EMIT(lower, PRMT, d, word[i / 2], ws_operand_immediate(0x7732), ws_operand_zero());
    }
}

static guint8 mentions_of(WsPtxFrame *frame, guint32 number)
{
    const WsPtxFunction *function = frame->function;
    if (frame->mentions == NULL) {
        frame->mentions = g_new0(guint8, function->registers->len + 1);
        for (guint i = 0; i < function->operands->len; i++) {
            const WsPtxOperand *operand = &g_array_index(function->operands, WsPtxOperand, i);
            const gboolean is_based =
                operand->kind == WS_PTX_ADDRESS || operand->kind == WS_PTX_TEXTURE;
            const gboolean is_register =
                operand->kind == WS_PTX_REGISTER || (is_based && operand->base == WS_PTX_REGISTER);
            if (is_register && operand->index < function->registers->len)
                frame->mentions[operand->index] = MIN(frame->mentions[operand->index] + 1, 2);
        }
    }
    return frame->mentions[number];
}

/*
 * The address of a parameter of a function, which is inlined and has none, in a register that
 * nothing reads: clang leaves such in what it makes to debug.
 */
static gboolean is_idle_address(const WsLowerStatement *lower)
{
    const WsPtxOperand *to = &lower->operands[0], *from = &lower->operands[1];
    return (lower->frame->caller != NULL || lower->kernel->body != NULL) &&
           to->kind == WS_PTX_REGISTER && from->kind == WS_PTX_VARIABLE &&
           from->variable->space == WS_PTX_SPACE_PARAM && mentions_of(lower->frame, to->index) == 1;
}

static void lower_mov(WsLowerStatement *lower)
{
    if (is_idle_address(lower))
        return;
    if (lower->operands[0].kind == WS_PTX_VECTOR) {
        unpack(lower, &lower->operands[0]);
        return;
    }
    if (lower->operands[1].kind == WS_PTX_VECTOR) {
        pack(lower, &lower->operands[1]);
        return;
    }
    if (lower->types[0] == WS_PTX_PRED) {
        EMIT(lower, PLOP3, ws_lower_destination_predicate(lower, 0), ws_operand_none(),
             ws_lower_source_predicate(lower, 1), ws_operand_none(), ws_operand_none(),
             ws_operand_immediate(0xf0), ws_operand_immediate(0));
        return;
    }
    WsOperand d = ws_lower_destination(lower, 0);
    guint words = ws_lower_words(lower->types[0]);
    for (guint w = 0; w < words; w++)
        ws_lower_move(lower, ws_operand_word(d, w), ws_lower_source_word(lower, 1, w));
}

/* ---- shifts ---- */

static void shift_left_pair(WsLowerStatement *lower, WsOperand d, WsOperand a0, WsOperand a1,
                            WsOperand amount)
{
    ws_lower_shift(lower, ws_operand_word(d, 1), a0, amount, a1, WS_DIRECTION_LEFT, WS_SHIFT_U64,
                   TRUE);
    ws_lower_shift(lower, d, a0, amount, ws_operand_zero(), WS_DIRECTION_LEFT, WS_SHIFT_U32, FALSE);
}

static void shift_right_pair(WsLowerStatement *lower, WsOperand d, WsOperand a0, WsOperand a1,
                             WsOperand amount, gboolean sign)
{
    ws_lower_shift(lower, d, a0, amount, a1, WS_DIRECTION_RIGHT, sign ? WS_SHIFT_S64 : WS_SHIFT_U64,
                   FALSE);
    ws_lower_shift(lower, ws_operand_word(d, 1), ws_operand_zero(), amount, a1, WS_DIRECTION_RIGHT,
                   sign ? WS_SHIFT_S32 : WS_SHIFT_U32, TRUE);
}

static WsPtxType extended_type(const WsLowerStatement *lower)
{
    WsPtxType type = lower->types[0];
    return type == WS_PTX_B16 ? WS_PTX_U16 : type;
}

/* The shift amount is a 32-bit number whatever the type; all bits count. */
static void lower_shl_shr(WsLowerStatement *lower)
{
    gboolean left = lower->statement->opcode[2] == 'l';
    WsOperand d = ws_lower_destination(lower, 0);
    WsOperand amount = ws_lower_operand_word(lower, &lower->operands[2], WS_PTX_U32, 0);
    if (is_wide(lower)) {
        WsOperand a0 = ws_lower_source_word(lower, 1, 0);
        WsOperand a1 = ws_lower_source_word(lower, 1, 1);
        if (left)
            shift_left_pair(lower, d, a0, a1, amount);
        else
            shift_right_pair(lower, d, a0, a1, amount, is_signed(lower));
    } else if (left) {
        ws_lower_shift(lower, d, ws_lower_source(lower, 1), amount, ws_operand_zero(),
                       WS_DIRECTION_LEFT, WS_SHIFT_U32, FALSE);
    } else {
        WsOperand a = ws_lower_extended(lower, 1, extended_type(lower));
        ws_lower_shift(lower, d, ws_operand_zero(), amount, a, WS_DIRECTION_RIGHT,
                       is_signed(lower) ? WS_SHIFT_S32 : WS_SHIFT_U32, TRUE);
    }
}

static void lower_shf(WsLowerStatement *lower)
{
    gboolean left = ws_lower_has(lower, "l");
    WsInstruction *shift =
        EMIT(lower, SHF, ws_lower_destination(lower, 0), ws_lower_source(lower, 1),
             ws_lower_source(lower, 3), ws_lower_source(lower, 2));
    shift->mod[WS_MOD_DIRECTION] = left ? WS_DIRECTION_LEFT : WS_DIRECTION_RIGHT;
    shift->mod[WS_MOD_WRAP] = ws_lower_has(lower, "wrap");
    shift->mod[WS_MOD_HIGH] = (guint8)left;
}

static void lower_prmt(WsLowerStatement *lower)
{
    static const char *const modes[] = {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16", NULL};
    int mode = ws_lower_which(lower, modes);
    EMIT(lower, PRMT, ws_lower_destination(lower, 0), ws_lower_source(lower, 1),
         ws_lower_source(lower, 3), ws_lower_source(lower, 2))
        ->mod[WS_MOD_PRMT] = (guint8)(mode + 1);
}

/* ---- bit counts ---- */

static void lower_popc(WsLowerStatement *lower)
{
    WsOperand count[2];
    guint words = is_wide(lower) ? 2 : 1;
    for (guint w = 0; w < words; w++) {
        count[w] = ws_lower_temporary(lower, 1);
        EMIT(lower, POPC, count[w], ws_lower_source_word(lower, 1, w));
    }
    lower->types[0] = WS_PTX_U32;
    ws_lower_add(lower, ws_lower_destination(lower, 0), count[0],
                 words == 2 ? count[1] : ws_operand_zero());
}

/* Position of the leading one of a word, -1 if none; `found` may be NONE. */
static WsOperand leading(WsLowerStatement *lower, WsOperand a, WsOperand found, gboolean sign)
{
    WsOperand d = ws_lower_temporary(lower, 1);
    EMIT(lower, FLO, d, found, a)->mod[WS_MOD_UNSIGNED] = !sign;
    return d;
}

/* The same of a pair: the high word's plus 32 where it has one. */
static WsOperand leading_of_pair(WsLowerStatement *lower, WsOperand a0, WsOperand a1)
{
    WsOperand found = ws_lower_temporary_predicate(lower);
    WsOperand low = leading(lower, a0, ws_operand_none(), FALSE);
    WsOperand high = leading(lower, a1, found, FALSE);
    WsOperand raised = ws_lower_temporary(lower, 1);
    WsOperand d = ws_lower_temporary(lower, 1);
    ws_lower_add(lower, raised, high, ws_operand_immediate(32));
    ws_lower_select(lower, d, found, raised, low);
    return d;
}

/* The leading zeros of a pair: those of the high word, or of the low one where that is 0. */
static void zeros_of_pair(WsLowerStatement *lower)
{
    WsOperand low = ws_lower_source_word(lower, 1, 0);
    WsOperand high = ws_lower_source_word(lower, 1, 1);
    WsOperand in_high = ws_lower_temporary_predicate(lower);
    WsOperand word = ws_lower_temporary(lower, 1);
    WsOperand zeros[2] = {ws_lower_temporary(lower, 1), ws_lower_temporary(lower, 1)};
    ws_lower_compare(lower, in_high, WS_ICMP_NE, TRUE, high, ws_operand_zero());
    ws_lower_select(lower, word, in_high, high, low);
    WsOperand position = ws_operand_negated(leading(lower, word, ws_operand_none(), FALSE));
    for (guint w = 0; w < 2; w++)
        ws_lower_add(lower, zeros[w], position, ws_operand_immediate(w == 1 ? 31 : 63));
    lower->types[0] = WS_PTX_U32;
    WsOperand d = ws_lower_destination(lower, 0);
    if (lower->guard != WS_PT) {
        ws_lower_select(lower, d, in_high, zeros[1], zeros[0]);
        return;
    }
    /* Not a selection: ptxas moves under the predicate, which is there long before. */
    ws_lower_move(lower, d, zeros[0]);
    EMIT(lower, MOV, d, zeros[1])->guard = in_high.index;
}

static void lower_clz(WsLowerStatement *lower)
{
    if (is_wide(lower)) {
        zeros_of_pair(lower);
        return;
    }
    WsOperand position = leading(lower, ws_lower_source(lower, 1), ws_operand_none(), FALSE);
    lower->types[0] = WS_PTX_U32;
    ws_lower_add(lower, ws_lower_destination(lower, 0), ws_operand_negated(position),
                 ws_operand_immediate(31));
}

/* A negative number is complemented first: its leading zero is looked for. */
static void lower_bfind(WsLowerStatement *lower)
{
    gboolean wide = is_wide(lower);
    gboolean amount = ws_lower_has(lower, "shiftamt");
    WsOperand position;
    if (!wide) {
        position = leading(lower, ws_lower_source(lower, 1), ws_operand_none(), is_signed(lower));
    } else {
        WsOperand word[2] = {ws_lower_source_word(lower, 1, 0), ws_lower_source_word(lower, 1, 1)};
        WsOperand sign = ws_lower_temporary(lower, 1);
        if (is_signed(lower)) {
            ws_lower_shift(lower, sign, ws_operand_zero(), ws_operand_immediate(31), word[1],
                           WS_DIRECTION_RIGHT, WS_SHIFT_S32, TRUE);
            for (guint w = 0; w < 2; w++) {
                WsOperand t = ws_lower_temporary(lower, 1);
                ws_lower_logic(lower, t, word[w], sign, ws_operand_zero(), 0x3c);
                word[w] = t;
            }
        }
        position = leading_of_pair(lower, word[0], word[1]);
    }
    lower->types[0] = WS_PTX_U32;
    WsOperand d = ws_lower_destination(lower, 0);
    if (!amount) {
        ws_lower_move(lower, d, position);
        return;
    }
    WsOperand none = ws_lower_temporary_predicate(lower);
    WsOperand shift = ws_lower_temporary(lower, 1);
    ws_lower_compare(lower, none, WS_ICMP_EQ, TRUE, position, ws_operand_immediate(0xffffffff));
    ws_lower_add(lower, shift, ws_operand_negated(position), ws_operand_immediate(wide ? 63 : 31));
    ws_lower_select(lower, d, none, position, shift);
}

static void lower_brev(WsLowerStatement *lower)
{
    WsOperand d = ws_lower_destination(lower, 0);
    if (!is_wide(lower)) {
        EMIT(lower, BREV, d, ws_lower_source(lower, 1));
        return;
    }
    EMIT(lower, BREV, d, ws_lower_source_word(lower, 1, 1));
    EMIT(lower, BREV, ws_operand_word(d, 1), ws_lower_source_word(lower, 1, 0));
}

static void lower_bmsk(WsLowerStatement *lower)
{
    EMIT(lower, BMSK, ws_lower_destination(lower, 0), ws_lower_source(lower, 1),
         ws_lower_source(lower, 2))
        ->mod[WS_MOD_WRAP] = ws_lower_has(lower, "wrap");
}

static void lower_szext(WsLowerStatement *lower)
{
    WsInstruction *extend = EMIT(lower, SGXT, ws_lower_destination(lower, 0),
                                 ws_lower_source(lower, 1), ws_lower_source(lower, 2));
    extend->mod[WS_MOD_UNSIGNED] = !is_signed(lower);
    extend->mod[WS_MOD_WRAP] = ws_lower_has(lower, "wrap");
}

/* ---- bit fields ---- */

/* Position and length: only their low 8 bits count. */
static WsOperand low_byte(WsLowerStatement *lower, guint n)
{
    WsOperand value = ws_lower_operand_word(lower, &lower->operands[n], WS_PTX_U32, 0);
    return ws_lower_extend(lower, value, WS_PTX_U8);
}

/* Ones of `length` bits from bit 0, in a pair: ~(~0 << length). */
static WsOperand mask_pair(WsLowerStatement *lower, WsOperand length)
{
    WsOperand ones = ws_lower_temporary(lower, 1);
    WsOperand high = ws_lower_temporary(lower, 2);
    WsOperand mask = ws_lower_temporary(lower, 2);
    ws_lower_move(lower, ones, ws_operand_immediate(0xffffffff));
    shift_left_pair(lower, high, ones, ones, length);
    for (guint w = 0; w < 2; w++)
        ws_lower_logic(lower, ws_operand_word(mask, w), ws_operand_word(high, w), ws_operand_zero(),
                       ws_operand_zero(), 0x0f);
    return mask;
}

static void extract_word(WsLowerStatement *lower, WsOperand d, WsOperand position, WsOperand length)
{
    WsOperand t = ws_lower_temporary(lower, 1);
    ws_lower_shift(lower, t, ws_operand_zero(), position, ws_lower_source(lower, 1),
                   WS_DIRECTION_RIGHT, is_signed(lower) ? WS_SHIFT_S32 : WS_SHIFT_U32, TRUE);
    EMIT(lower, SGXT, d, t, length)->mod[WS_MOD_UNSIGNED] = !is_signed(lower);
}

static void extract_pair(WsLowerStatement *lower, WsOperand d, WsOperand position, WsOperand length)
{
    WsOperand t = ws_lower_temporary(lower, 2);
    shift_right_pair(lower, t, ws_lower_source_word(lower, 1, 0), ws_lower_source_word(lower, 1, 1),
                     position, is_signed(lower));
    if (!is_signed(lower)) {
        WsOperand mask = mask_pair(lower, length);
        for (guint w = 0; w < 2; w++)
            ws_lower_logic(lower, ws_operand_word(d, w), ws_operand_word(t, w),
                           ws_operand_word(mask, w), ws_operand_zero(), 0xc0);
        return;
    }
    WsOperand short_length = ws_lower_temporary(lower, 1);
    WsOperand amount = ws_lower_temporary(lower, 1);
    WsOperand up = ws_lower_temporary(lower, 2);
    EMIT(lower, VIMNMX, short_length, length, ws_operand_immediate(64))->mod[WS_MOD_UNSIGNED] = 1;
    ws_lower_add(lower, amount, ws_operand_negated(short_length), ws_operand_immediate(64));
    shift_left_pair(lower, up, t, ws_operand_word(t, 1), amount);
    shift_right_pair(lower, d, up, ws_operand_word(up, 1), amount, TRUE);
}

static void lower_bfe(WsLowerStatement *lower)
{
    WsOperand d = ws_lower_destination(lower, 0);
    WsOperand position = low_byte(lower, 2);
    WsOperand length = low_byte(lower, 3);
    if (is_wide(lower))
        extract_pair(lower, d, position, length);
    else
        extract_word(lower, d, position, length);
}

/* d = field of a put into b: (a << position) where the mask has ones, else b. */
static void lower_bfi(WsLowerStatement *lower)
{
    enum { CHOOSE = 0xca }; /* mask, field, base: mask ? field : base */
    WsOperand d = ws_lower_destination(lower, 0);
    WsOperand position = low_byte(lower, 3);
    WsOperand length = low_byte(lower, 4);
    if (!is_wide(lower)) {
        WsOperand mask = ws_lower_temporary(lower, 1);
        WsOperand field = ws_lower_temporary(lower, 1);
        EMIT(lower, BMSK, mask, position, length);
        ws_lower_shift(lower, field, ws_lower_source(lower, 1), position, ws_operand_zero(),
                       WS_DIRECTION_LEFT, WS_SHIFT_U32, FALSE);
        ws_lower_logic(lower, d, mask, field, ws_lower_source(lower, 2), CHOOSE);
        return;
    }
    WsOperand ones = mask_pair(lower, length);
    WsOperand mask = ws_lower_temporary(lower, 2);
    WsOperand field = ws_lower_temporary(lower, 2);
    shift_left_pair(lower, mask, ones, ws_operand_word(ones, 1), position);
    shift_left_pair(lower, field, ws_lower_source_word(lower, 1, 0),
                    ws_lower_source_word(lower, 1, 1), position);
    for (guint w = 0; w < 2; w++)
        ws_lower_logic(lower, ws_operand_word(d, w), ws_operand_word(mask, w),
                       ws_operand_word(field, w), ws_lower_source_word(lower, 2, w), CHOOSE);
}

const WsPtxRow ws_ptx_logic_rows[] = {
    {"mov", "", MOVABLE, 0, 2, 2, 0, lower_mov},
    {"and", "", BITS, 0, 3, 3, 0, lower_logic},
    {"or", "", BITS, 0, 3, 3, 0, lower_logic},
    {"xor", "", BITS, 0, 3, 3, 0, lower_logic},
    {"not", "", BITS, 0, 2, 2, 0, lower_logic},
    {"cnot", "", WORD_OR_PAIR | WS_PTX_BIT(B16), 0, 2, 2, 0, lower_cnot},
    {"lop3", "", WS_PTX_BIT(B32), 0, 5, 5, 0, lower_lop3},
    {"shl", "", SHIFTABLE, 0, 3, 3, 0, lower_shl_shr},
    {"shr", "", SHIFTABLE, 0, 3, 3, 0, lower_shl_shr},
    {"shf", "l r wrap clamp", WS_PTX_BIT(B32), 0, 4, 4, 0, lower_shf},
    {"prmt", "f4e b4e rc8 ecl ecr rc16", WS_PTX_BIT(B32), 0, 4, 4, 0, lower_prmt},
    {"popc", "", WORD_OR_PAIR, 0, 2, 2, 0, lower_popc},
    {"clz", "", WORD_OR_PAIR, 0, 2, 2, 0, lower_clz},
    {"bfind", "shiftamt", NUMBERS, 0, 2, 2, 0, lower_bfind},
    {"brev", "", WORD_OR_PAIR, 0, 2, 2, 0, lower_brev},
    {"bmsk", "clamp wrap", WS_PTX_BIT(B32), 0, 3, 3, 0, lower_bmsk},
    {"szext", "clamp wrap", WS_PTX_BIT(S32) | WS_PTX_BIT(U32), 0, 3, 3, 0, lower_szext},
    {"bfe", "", NUMBERS, 0, 4, 4, 0, lower_bfe},
    {"bfi", "", WORD_OR_PAIR, 0, 5, 5, 0, lower_bfi},
    {0}};
