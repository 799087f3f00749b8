/*
 * The uniform datapath: one value a warp. An instruction acts if its guard holds in any active
 * lane.
 */
#include "sim/lanes/integer.h"

/* Operand `number` (0 a, 1 b, 2 c) as it stands. Rows are uniform registers or literals. */
static guint32 plain_operand(const WsDecodedProgram *program, const WsDecoded *instruction,
                             const WsWarpRegisters *warp, guint number)
{
    const gint16 rows[3] = {instruction->a, instruction->b, instruction->c};
    return ws_row_value(program, warp, rows[number], 0);
}

/* Its minus flag. */
static guint32 minus(const WsDecoded *instruction, guint number)
{
    return instruction->flags >> (2 * number) & WS_NEGATE_A;
}

/* The operand with its minus. */
static guint32 operand(const WsDecodedProgram *program, const WsDecoded *instruction,
                       const WsWarpRegisters *warp, guint number)
{
    guint32 value = plain_operand(program, instruction, warp, number);
    return minus(instruction, number) ? 0u - value : value;
}

/* The operand where a minus is a complement. */
static guint32 bits_operand(const WsDecodedProgram *program, const WsDecoded *instruction,
                            const WsWarpRegisters *warp, guint number)
{
    guint32 value = plain_operand(program, instruction, warp, number);
    return minus(instruction, number) ? ~value : value;
}

static void put(const WsDecodedProgram *program, const WsDecoded *instruction,
                WsWarpRegisters *warp, guint64 mask, guint32 value)
{
    if (mask && instruction->d >= 0) {
        ws_set_uniform(program, warp, (guint)instruction->d, value);
    }
}

/* First (Ue, Uf) or second (Ug) predicate result. */
static void put_predicate(const WsDecoded *instruction, WsWarpRegisters *warp, guint64 mask,
                          guint which, guint64 value)
{
    guint number = instruction->predicate_out >> (4 * which) & 7;
    if (mask && number != WS_PT) {
        ws_set_uniform_predicate(warp, number, value != 0);
    }
}

/* First (Uq, Um) or second (Ur, Un) predicate source: 0 or 1. */
static guint32 predicate(const WsDecoded *instruction, const WsWarpRegisters *warp, guint which)
{
    return ws_uniform_predicate_mask(warp, instruction->predicate_in >> (4 * which) & 15) & 1;
}

/* The pair Uc, with its sign. */
static guint64 pair_addend(const WsDecodedProgram *program, const WsDecoded *instruction,
                           const WsWarpRegisters *warp)
{
    gint row = instruction->c, above = row < 0 ? row - 1 : row + 1;
    guint64 addend =
        ws_row_value(program, warp, row, 0) | (guint64)ws_row_value(program, warp, above, 0) << 32;

    return minus(instruction, 2) ? 0 - addend : addend;
}

#define A    operand(program, instruction, warp, 0)
#define B    operand(program, instruction, warp, 1)
#define C    operand(program, instruction, warp, 2)
#define BITS bits_operand(program, instruction, warp, 1)
#define F    instruction->flags
#define K    instruction->immediate

#define UNIFORM(NAME, EXPRESSION)                                                                  \
    void WS_NAME(NAME)(WS_ARGUMENTS)                                                               \
    {                                                                                              \
        put(program, instruction, warp, mask, EXPRESSION);                                         \
    }

UNIFORM(UMOV, B)
UNIFORM(UIMAD, A *B + C)
UNIFORM(UIMAD_HI,
        (guint32)((ws_wide_product(A, B, F, K) + pair_addend(program, instruction, warp)) >> 32))
UNIFORM(USHF, ws_funnel(A, B, C, F))
UNIFORM(USEL, predicate(instruction, warp, 0) ? A : B)
UNIFORM(UPRMT, ws_permute(A, B, C, ws_decoded_modifier(instruction, PRMT)))
UNIFORM(UBMSK, ws_bit_mask(A, B, WS_BIT_OF(F, WRAP)))
UNIFORM(USGXT, ws_extended_field(A, B, WS_BIT_OF(F, UNSIGNED), WS_BIT_OF(F, WRAP)))
UNIFORM(UPOPC, ws_count_ones(BITS))
UNIFORM(UBREV, ws_reversed_bits(BITS))

/* As IADD3: a minus is a complement, and one more without .X. */
void WS_NAME(UIADD3)(WS_ARGUMENTS)
{
    guint64 sum =
        ws_decoded_modifier(instruction, EXTENDED)
            ? (guint64)predicate(instruction, warp, 0) + predicate(instruction, warp, 1)
            : (guint64)minus(instruction, 0) + minus(instruction, 1) + minus(instruction, 2);
    for (guint number = 0; number < 3; number++) {
        sum += bits_operand(program, instruction, warp, number);
    }
    put(program, instruction, warp, mask, (guint32)sum);
    put_predicate(instruction, warp, mask, 0, sum >> 32 >= 1);
    put_predicate(instruction, warp, mask, 1, sum >> 32 >= 2);
}

/* Carry out as of IMAD.WIDE. */
void WS_NAME(UIMAD_WIDE)(WS_ARGUMENTS)
{
    guint64 addend = pair_addend(program, instruction, warp);
    guint64 sum = ws_wide_product(A, B, F, K) + addend;
    put(program, instruction, warp, mask, (guint32)sum);
    if (mask && instruction->d >= 0) {
        ws_set_uniform(program, warp, (guint)instruction->d + 1, (guint32)(sum >> 32));
    }
    put_predicate(instruction, warp, mask, 0, sum < addend);
}

void WS_NAME(ULEA)(WS_ARGUMENTS)
{
    guint64 sum = ws_scaled_sum(
        plain_operand(program, instruction, warp, 0), plain_operand(program, instruction, warp, 1),
        plain_operand(program, instruction, warp, 2), K & 31, F, predicate(instruction, warp, 0));
    put(program, instruction, warp, mask, (guint32)sum);
    put_predicate(instruction, warp, mask, 0, sum >> 32);
}

void WS_NAME(ULOP3)(WS_ARGUMENTS)
{
    guint32 result = ws_table_of_bits(A, B, C, K), other = predicate(instruction, warp, 0);
    put(program, instruction, warp, mask, result);
    put_predicate(instruction, warp, mask, 0, result | other);
}

void WS_NAME(UFLO)(WS_ARGUMENTS)
{
    guint32 position = ws_leading_bit(BITS, F);
    put(program, instruction, warp, mask, position);
    put_predicate(instruction, warp, mask, 0, position != ~0u);
}

/* immediate: Ib, Ic << 8, Us << 16. */
void WS_NAME(UPLOP3)(WS_ARGUMENTS)
{
    guint64 p = ws_uniform_predicate_mask(warp, instruction->predicate_in & 15);
    guint64 q = ws_uniform_predicate_mask(warp, instruction->predicate_in >> 4);
    guint64 r = ws_uniform_predicate_mask(warp, K >> 16 & 15);
    put_predicate(instruction, warp, mask, 0, ws_predicate_table(p, q, r, K & 0xff));
    put_predicate(instruction, warp, mask, 1, ws_predicate_table(p, q, r, K >> 8 & 0xff));
}

void WS_NAME(UISETP)(WS_ARGUMENTS)
{
    guint operation = ws_decoded_modifier(instruction, BOOLEAN);
    guint64 other = predicate(instruction, warp, 0);
    guint64 holds = ws_integer_relation(A, B, F, predicate(instruction, warp, 1)) != 0;
    put_predicate(instruction, warp, mask, 0, ws_boolean(operation, holds, other));
    put_predicate(instruction, warp, mask, 1, ws_boolean(operation, holds ^ 1, other));
}
