/*
 * The uniform datapath: one value a warp. An instruction acts if its guard holds in any active
 * lane.
 */
#include "sim/lanes/loop.h"

/* Operand `number` (0 a, 1 b, 2 c), with its minus. Rows are uniform registers or literals. */
static guint32 operand(const WsDecodedProgram *program, const WsDecoded *instruction,
                       const WsWarpRegisters *warp, guint number)
{
    const gint16 rows[3] = {instruction->a, instruction->b, instruction->c};
    guint32 value = ws_row_value(program, warp, rows[number], 0);
    return instruction->flags >> (2 * number) & WS_NEGATE_A ? 0u - value : value;
}

static void put(const WsDecodedProgram *program, const WsDecoded *instruction,
                WsWarpRegisters *warp, guint64 mask, guint32 value)
{
    if (mask && instruction->d >= 0) {
        ws_set_uniform(program, warp, (guint)instruction->d, value);
    }
}

#define A operand(program, instruction, warp, 0)
#define B operand(program, instruction, warp, 1)
#define C operand(program, instruction, warp, 2)

#define UNIFORM(NAME, EXPRESSION)                                                                  \
    void WS_NAME(NAME)(WS_ARGUMENTS)                                                               \
    {                                                                                              \
        put(program, instruction, warp, mask, EXPRESSION);                                         \
    }

UNIFORM(UMOV, B)
UNIFORM(UIADD3, A + B + C)
UNIFORM(UIMAD, A *B + C)

static guint32 logic(guint32 a, guint32 b, guint32 c, guint32 table)
{
    guint32 result = 0;
    for (guint row = 0; row < 8; row++) {
        guint32 here = (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
        result |= table >> row & 1 ? here : 0;
    }
    return result;
}

UNIFORM(ULOP3, logic(A, B, C, instruction->immediate))

static guint32 funnel(const WsDecoded *instruction, guint32 a, guint32 b, guint32 c)
{
    guint type = ws_decoded_modifier(instruction, SHIFT_TYPE);
    gboolean with_sign = type == WS_SHIFT_S32 || type == WS_SHIFT_S64;
    guint32 limit = type == WS_SHIFT_U64 || type == WS_SHIFT_S64 ? 64 : 32;
    guint32 amount = ws_decoded_modifier(instruction, WRAP) ? b & (limit - 1) : MIN(b, limit);
    guint64 pair = a | (guint64)c << 32;
    if (ws_decoded_modifier(instruction, DIRECTION) == WS_DIRECTION_LEFT) {
        pair = amount < 64 ? pair << amount : 0;
    } else if (with_sign) {
        pair = (guint64)((gint64)pair >> MIN(amount, 63));
    } else {
        pair = amount < 64 ? pair >> amount : 0;
    }
    return ws_decoded_modifier(instruction, HIGH) ? (guint32)(pair >> 32) : (guint32)pair;
}

UNIFORM(USHF, funnel(instruction, A, B, C))

/* predicate_out: UPd; predicate_in: Uq, negated with 8. */
void WS_NAME(UISETP)(WS_ARGUMENTS)
{
    guint32 bias = ws_decoded_modifier(instruction, UNSIGNED) << 31;
    gint32 x = (gint32)(A ^ bias), y = (gint32)(B ^ bias);
    guint relation = x < y ? 1 : x == y ? 2 : 4;
    guint holds = (relation & ws_decoded_modifier(instruction, ICMP)) != 0;
    guint number = instruction->predicate_in & 7;
    guint other = (warp->uniform_predicates >> number & 1) ^ (instruction->predicate_in >> 3 & 1);
    guint value = (guint)ws_boolean(ws_decoded_modifier(instruction, BOOLEAN), holds, other);
    guint target = instruction->predicate_out & 7;
    if (mask && target != WS_PT) {
        warp->uniform_predicates =
            (guint8)((warp->uniform_predicates & ~(1u << target)) | value << target);
    }
}
