/*
 * SIMD video instructions of PTX: words of two or four parts, each part taken out, computed with 32
 * bits and put in its place, or added to the third operand. ptxas has instructions of its own for
 * some (VABSDIFF4), which the machine here lacks. Masks and selectors of parts are refused. add,
 * min and max of .s16x2 and .u16x2 go the same way.
 */
#include "isa/lower/lower.h"

#include "isa/bytecode/opcode.h"

#include <string.h>

static const char *const relations[] = {"lt", "eq", "le", "gt", "ne", "ge", NULL}; /* as WS_ICMP */

enum { MAX_PARTS = 4, LOW_BYTES = 0x0040, LOW_HALVES = 0x5410 };

/* Part `i` of a word, with its sign or zeros in front. */
static WsOperand part_of(WsLowerStatement *lower, WsOperand word, guint i, guint parts,
                         WsPtxType type)
{
    guint bytes = 4 / parts, first = i * bytes, last = first + bytes - 1;
    guint fill = type == WS_PTX_S32 ? 8 + last : 4; /* the sign of a byte; 4 is one of RZ */
    guint second = bytes == 2 ? last : fill;
    WsOperand d = ws_lower_temporary(lower, 1);
    EMIT(lower, PRMT, d, word, ws_operand_immediate(first | second << 4 | fill << 8 | fill << 12),
         ws_operand_zero());
    return d;
}

static WsOperand put_together(WsLowerStatement *lower, const WsOperand *part, guint parts)
{
    WsOperand half[2], d = ws_lower_temporary(lower, 1);
    for (guint h = 0; h < 2; h++) {
        half[h] = part[h];
        if (parts == 2)
            continue;
        half[h] = ws_lower_temporary(lower, 1);
        EMIT(lower, PRMT, half[h], part[2 * h], ws_operand_immediate(LOW_BYTES), part[2 * h + 1]);
    }
    EMIT(lower, PRMT, d, half[0], ws_operand_immediate(LOW_HALVES), half[1]);
    return d;
}

static WsOperand sum_of(WsLowerStatement *lower, WsOperand a, WsOperand b)
{
    WsOperand d = ws_lower_temporary(lower, 1);
    ws_lower_add(lower, d, a, b);
    return d;
}

static WsOperand shifted(WsLowerStatement *lower, WsOperand a, guint by)
{
    WsOperand d = ws_lower_temporary(lower, 1);
    ws_lower_shift(lower, d, ws_operand_zero(), ws_operand_immediate(by), a, WS_DIRECTION_RIGHT,
                   WS_SHIFT_S32, TRUE);
    return d;
}

static WsOperand best_of(WsLowerStatement *lower, WsOperand a, WsOperand b, gboolean least)
{
    WsOperand d = ws_lower_temporary(lower, 1), p = ws_operand_predicate(WS_PT);
    EMIT(lower, VIMNMX, d, a, b, least ? p : ws_operand_negated(p));
    return d;
}

/* ---- one part ---- */

typedef WsOperand (*Operation)(WsLowerStatement *lower, WsOperand a, WsOperand b);

static WsOperand subtract(WsLowerStatement *lower, WsOperand a, WsOperand b)
{
    return sum_of(lower, a, ws_operand_negated(b));
}

/* Halves are rounded up, below zero down. */
static WsOperand average(WsLowerStatement *lower, WsOperand a, WsOperand b)
{
    WsOperand sum = sum_of(lower, a, b);
    WsOperand up = sum_of(lower, shifted(lower, sum, 31), ws_operand_immediate(1));
    return shifted(lower, sum_of(lower, sum, up), 1);
}

static WsOperand difference(WsLowerStatement *lower, WsOperand a, WsOperand b)
{
    WsOperand d = ws_lower_temporary(lower, 1);
    EMIT(lower, VABSDIFF, d, a, b, ws_operand_zero());
    return d;
}

static WsOperand least(WsLowerStatement *lower, WsOperand a, WsOperand b)
{
    return best_of(lower, a, b, TRUE);
}

static WsOperand largest(WsLowerStatement *lower, WsOperand a, WsOperand b)
{
    return best_of(lower, a, b, FALSE);
}

static WsOperand compare(WsLowerStatement *lower, WsOperand a, WsOperand b)
{
    WsOperand d = ws_lower_temporary(lower, 1), p = ws_lower_temporary_predicate(lower);
    ws_lower_compare(lower, p, WS_ICMP_LT + (guint)ws_lower_which(lower, relations), FALSE, a, b);
    ws_lower_select(lower, d, p, ws_operand_immediate(1), ws_operand_zero());
    return d;
}

static const struct {
    const char *name;
    Operation apply;
} operations[] = {{"vadd", sum_of},         {"vsub", subtract}, {"vavrg", average},
                  {"vabsdiff", difference}, {"vmin", least},    {"vmax", largest},
                  {"vset", compare}};

static Operation operation_of(const char *opcode)
{
    for (guint i = 0; i < G_N_ELEMENTS(operations); i++)
        if (strncmp(opcode, operations[i].name, strlen(opcode) - 1) == 0)
            return operations[i].apply;
    return NULL;
}

/* Within the numbers of a part of the result's type. */
static WsOperand saturated(WsLowerStatement *lower, WsOperand a, guint bits, WsPtxType type)
{
    guint32 low = type == WS_PTX_S32 ? -(1u << (bits - 1)) : 0, high = low + (1u << bits) - 1;
    WsOperand above = best_of(lower, a, ws_operand_immediate(low), FALSE);
    return best_of(lower, above, ws_operand_immediate(high), TRUE);
}

/* vabsdiff4.u32.u32.u32.add d, a, b, c: types of D, A and B; of vset4 those of A and B. */
static void lower_video(WsLowerStatement *lower)
{
    const char *opcode = lower->statement->opcode;
    guint parts = (guint)(opcode[strlen(opcode) - 1] - '0');
    Operation apply = operation_of(opcode);
    gboolean set = apply == compare, add = ws_lower_has(lower, "add");
    guint types = set ? 2 : 3;
    if (lower->type_count != types || apply == NULL ||
        (set && ws_lower_which(lower, relations) < 0) || (add && ws_lower_has(lower, "sat"))) {
        ws_lower_refuse(lower);
        return;
    }
    WsOperand d = ws_lower_destination(lower, 0), part[MAX_PARTS];
    WsOperand a = ws_lower_in_register(lower, ws_lower_source(lower, 1));
    WsOperand b = ws_lower_in_register(lower, ws_lower_source(lower, 2));
    WsOperand sum = ws_lower_source(lower, 3);
    for (guint i = 0; i < parts; i++) {
        part[i] = apply(lower, part_of(lower, a, i, parts, lower->types[types - 2]),
                        part_of(lower, b, i, parts, lower->types[types - 1]));
        if (ws_lower_has(lower, "sat"))
            part[i] = saturated(lower, part[i], 32 / parts, lower->types[0]);
        if (add)
            sum = sum_of(lower, part[i], sum);
    }
    ws_lower_move(lower, d, add ? sum : put_together(lower, part, parts));
}

/* add, min and max of two 16-bit integers in a word. */
static void lower_packed(WsLowerStatement *lower)
{
    const char *opcode = lower->statement->opcode;
    const Operation apply = strcmp(opcode, "add") == 0   ? sum_of
                            : strcmp(opcode, "min") == 0 ? least
                                                         : largest;
    WsPtxType type = lower->types[0] == WS_PTX_S16X2 ? WS_PTX_S32 : WS_PTX_U32;
    WsOperand d = ws_lower_destination(lower, 0), part[2];
    WsOperand a = ws_lower_in_register(lower, ws_lower_source(lower, 1));
    WsOperand b = ws_lower_in_register(lower, ws_lower_source(lower, 2));
    for (guint i = 0; i < 2; i++) {
        part[i] = apply(lower, part_of(lower, a, i, 2, type), part_of(lower, b, i, 2, type));
        if (ws_lower_has(lower, "relu"))
            part[i] = largest(lower, part[i], ws_operand_zero());
    }
    ws_lower_move(lower, d, put_together(lower, part, 2));
}

#define HALVES (WS_PTX_BIT(S16X2) | WS_PTX_BIT(U16X2))
#define WORDS  (WS_PTX_BIT(S32) | WS_PTX_BIT(U32))
#define ROWS(name, modifiers)                                                                      \
    {name "2", modifiers, WORDS, WORDS, 4, 4, 0, lower_video},                                     \
    {                                                                                              \
        name "4", modifiers, WORDS, WORDS, 4, 4, 0, lower_video                                    \
    }

const WsPtxRow ws_ptx_video_rows[] = {ROWS("vadd", "sat add"),
                                      ROWS("vsub", "sat add"),
                                      ROWS("vavrg", "sat add"),
                                      ROWS("vabsdiff", "sat add"),
                                      ROWS("vmin", "sat add"),
                                      ROWS("vmax", "sat add"),
                                      ROWS("vset", "lt eq le gt ne ge add"),
                                      {"add", "", HALVES, 0, 3, 3, 0, lower_packed},
                                      {"min", "", HALVES, 0, 3, 3, 0, lower_packed},
                                      {"max", "", HALVES, 0, 3, 3, 0, lower_packed},
                                      {"min", "relu", WS_PTX_BIT(S16X2), 0, 3, 3, 0, lower_packed},
                                      {"max", "relu", WS_PTX_BIT(S16X2), 0, 3, 3, 0, lower_packed},
                                      {0}};
