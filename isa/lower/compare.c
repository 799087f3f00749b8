/* setp, set, selp, slct of PTX. */
#include "isa/lower/lower.h"

#include "isa/bytecode/opcode.h"

#include <string.h>

#define HALVES (WS_PTX_BIT(F16) | WS_PTX_BIT(F16X2) | WS_PTX_BIT(BF16) | WS_PTX_BIT(BF16X2))
#define FLOATS (WS_PTX_BIT(F32) | WS_PTX_BIT(F64) | HALVES)
#define COMPARABLE                                                                                 \
    (WS_PTX_BIT(B16) | WS_PTX_BIT(B32) | WS_PTX_BIT(B64) | WS_PTX_BIT(S16) | WS_PTX_BIT(S32) |     \
     WS_PTX_BIT(S64) | WS_PTX_BIT(U16) | WS_PTX_BIT(U32) | WS_PTX_BIT(U64) | FLOATS)
#define SELECTABLE                                                                                 \
    (WS_PTX_BIT(B16) | WS_PTX_BIT(B32) | WS_PTX_BIT(B64) | WS_PTX_BIT(S16) | WS_PTX_BIT(S32) |     \
     WS_PTX_BIT(S64) | WS_PTX_BIT(U16) | WS_PTX_BIT(U32) | WS_PTX_BIT(U64) | WS_PTX_BIT(F32) |     \
     WS_PTX_BIT(F64) | WS_PTX_BIT(F16) | WS_PTX_BIT(BF16))
#define COMPARISONS "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz"

typedef struct {
    WsPtxType type; /* of a and b */
    int cmp;        /* WS_ICMP_* or WS_FCMP_* */
    gboolean is_float;
    gboolean is_unsigned;
    WsOperand p, q; /* destinations */
    WsOperand c;    /* predicate combined with; PT if none */
    guint boolean;
} Comparison;

static int integer_comparison(const WsLowerStatement *lower)
{
    static const char *const names[] = {"lt", "eq", "le", "gt", "ne", "ge",
                                        "lo", "ls", "hi", "hs", NULL};
    static const guint8 values[] = {WS_ICMP_LT, WS_ICMP_EQ, WS_ICMP_LE, WS_ICMP_GT, WS_ICMP_NE,
                                    WS_ICMP_GE, WS_ICMP_LT, WS_ICMP_LE, WS_ICMP_GT, WS_ICMP_GE};
    int n = ws_lower_which(lower, names);
    return n < 0 ? -1 : values[n];
}

static int float_comparison(const WsLowerStatement *lower)
{
    static const char *const names[] = {"lt",  "eq",  "le",  "gt",  "ne",  "ge",  "num", "nan",
                                        "ltu", "equ", "leu", "gtu", "neu", "geu", NULL};
    int n = ws_lower_which(lower, names);
    return n < 0 ? -1 : n + WS_FCMP_LT;
}

/* What the modifiers say; destinations and the combined predicate are the caller's. */
static gboolean read_comparison(WsLowerStatement *lower, WsPtxType type, Comparison *ret)
{
    static const char *const booleans[] = {"and", "or", "xor", NULL};
    static const char *const unsigned_names[] = {"lo", "ls", "hi", "hs", NULL};
    memset(ret, 0, sizeof *ret);
    ret->type = type;
    ret->is_float = ws_ptx_type_kind(type) == WS_PTX_KIND_FLOAT;
    ret->cmp = ret->is_float ? float_comparison(lower) : integer_comparison(lower);
    ret->is_unsigned =
        ws_ptx_type_kind(type) != WS_PTX_KIND_SIGNED || ws_lower_which(lower, unsigned_names) >= 0;
    ret->boolean = (guint)MAX(0, ws_lower_which(lower, booleans));
    ret->c = ws_operand_predicate(WS_PT);
    ret->q = ws_operand_predicate(WS_PT);
    if (ret->cmp < 0)
        ws_lower_refuse(lower);
    return ret->cmp >= 0;
}

static void set_integer(WsInstruction *compare, const Comparison *c, gboolean is_unsigned,
                        guint boolean)
{
    compare->mod[WS_MOD_ICMP] = (guint8)c->cmp;
    compare->mod[WS_MOD_UNSIGNED] = (guint8)is_unsigned;
    compare->mod[WS_MOD_BOOLEAN] = (guint8)boolean;
}

static void compare_pairs(WsLowerStatement *lower, const Comparison *c, guint a, guint b)
{
    WsOperand low = ws_lower_temporary_predicate(lower);
    set_integer(EMIT(lower, ISETP, low, ws_operand_none(),
                     ws_lower_operand_word(lower, &lower->operands[a], c->type, 0),
                     ws_lower_operand_word(lower, &lower->operands[b], c->type, 0)),
                c, TRUE, WS_BOOLEAN_AND);
    WsInstruction *high = EMIT(
        lower, ISETP, c->p, c->q, ws_lower_operand_word(lower, &lower->operands[a], c->type, 1),
        ws_lower_operand_word(lower, &lower->operands[b], c->type, 1), c->c, low);
    set_integer(high, c, c->is_unsigned, c->boolean);
    high->mod[WS_MOD_EXTENDED] = 1;
}

static void compare_integers(WsLowerStatement *lower, const Comparison *c, guint a, guint b)
{
    if (ws_ptx_type_bits(c->type) == 64) {
        compare_pairs(lower, c, a, b);
        return;
    }
    WsPtxType type = c->type == WS_PTX_B16 ? WS_PTX_U16 : c->type;
    set_integer(EMIT(lower, ISETP, c->p, c->q, ws_lower_extended(lower, a, type),
                     ws_lower_extended(lower, b, type), c->c),
                c, c->is_unsigned, c->boolean);
}

/* HSETP2 gives the low half's result in Pd, the high half's in Pe: no complement. */
static void compare_halves(WsLowerStatement *lower, const Comparison *c, guint a, guint b)
{
    gboolean packed = ws_lower_is_packed(c->type);
    WsOperand not_p = c->q;
    WsInstruction *compare =
        EMIT(lower, HSETP2, c->p, packed ? c->q : ws_operand_none(),
             ws_lower_operand_word(lower, &lower->operands[a], c->type, 0),
             ws_lower_operand_word(lower, &lower->operands[b], c->type, 0), c->c);
    compare->mod[WS_MOD_HALF_TYPE] = c->type == WS_PTX_BF16 || c->type == WS_PTX_BF16X2;
    compare->mod[WS_MOD_FCMP] = (guint8)c->cmp;
    compare->mod[WS_MOD_BOOLEAN] = (guint8)c->boolean;
    compare->mod[WS_MOD_FTZ] = ws_lower_has(lower, "ftz");
    if (!packed && not_p.index != WS_PT)
        ws_lower_refuse(lower);
}

static void compare_floats(WsLowerStatement *lower, const Comparison *c, guint a, guint b)
{
    WsInstruction *compare;
    if (c->type == WS_PTX_F32) {
        compare = EMIT(lower, FSETP, c->p, c->q,
                       ws_lower_operand_word(lower, &lower->operands[a], c->type, 0),
                       ws_lower_operand_word(lower, &lower->operands[b], c->type, 0), c->c);
        compare->mod[WS_MOD_FTZ] = ws_lower_has(lower, "ftz");
    } else if (c->type == WS_PTX_F64) {
        WsPtxType saved = lower->types[0];
        lower->types[0] = WS_PTX_F64;
        WsOperand x = ws_lower_source_double(lower, a);
        WsOperand y = ws_lower_source_double(lower, b);
        lower->types[0] = saved;
        compare = EMIT(lower, DSETP, c->p, c->q, x, y, c->c);
    } else {
        compare_halves(lower, c, a, b);
        return;
    }
    compare->mod[WS_MOD_FCMP] = (guint8)c->cmp;
    compare->mod[WS_MOD_BOOLEAN] = (guint8)c->boolean;
}

static void compare(WsLowerStatement *lower, const Comparison *c, guint a, guint b)
{
    if (c->is_float)
        compare_floats(lower, c, a, b);
    else
        compare_integers(lower, c, a, b);
}

static void lower_setp(WsLowerStatement *lower)
{
    Comparison c;
    if (!read_comparison(lower, lower->types[0], &c))
        return;
    c.p = ws_lower_destination_predicate(lower, 0);
    c.q = ws_lower_second_predicate(lower, 0);
    if (lower->statement->operand_count == 4)
        c.c = ws_lower_source_predicate(lower, 3);
    compare(lower, &c, 1, 2);
}

/* What `set` gives for true, in each half of a packed type: all ones, 1.0 as a float. */
static guint32 true_as(WsPtxType type)
{
    switch (type) {
    case WS_PTX_F32:
        return 0x3f800000;
    case WS_PTX_F16:
        return 0x3c00;
    case WS_PTX_F16X2:
        return 0x3c003c00;
    case WS_PTX_BF16:
        return 0x3f80;
    case WS_PTX_BF16X2:
        return 0x3f803f80;
    case WS_PTX_U16:
    case WS_PTX_S16:
        return 0xffff;
    default:
        return 0xffffffff;
    }
}

/* `yes` where the predicates of the two halves are true. */
static void select_halves(WsLowerStatement *lower, const Comparison *c, guint32 yes)
{
    enum { LOW_AND_HIGH = 0x7610 };
    WsOperand low = ws_lower_temporary(lower, 1), high = ws_lower_temporary(lower, 1);
    ws_lower_select(lower, low, c->p, ws_operand_immediate(yes), ws_operand_zero());
    ws_lower_select(lower, high, c->q, ws_operand_immediate(yes), ws_operand_zero());
    EMIT(lower, PRMT, ws_lower_destination(lower, 0), low, ws_operand_immediate(LOW_AND_HIGH),
         high);
}

/* set.cmp.dtype.stype: all ones or zero; 1.0 or 0 for a float. */
static void lower_set(WsLowerStatement *lower)
{
    Comparison c;
    if (lower->type_count != 2 || !read_comparison(lower, lower->types[1], &c))
        return;
    c.p = ws_lower_temporary_predicate(lower);
    if (lower->statement->operand_count == 4)
        c.c = ws_lower_source_predicate(lower, 3);
    guint32 yes = true_as(lower->types[0]);
    gboolean packed = ws_lower_is_packed(c.type);
    if (packed)
        c.q = ws_lower_temporary_predicate(lower);
    compare(lower, &c, 1, 2);
    if (packed)
        select_halves(lower, &c, yes);
    else
        ws_lower_select(lower, ws_lower_destination(lower, 0), c.p, ws_operand_immediate(yes),
                        ws_operand_zero());
}

static void select_words(WsLowerStatement *lower, WsOperand p)
{
    guint words = ws_ptx_type_bits(lower->types[0]) == 64 ? 2 : 1;
    WsOperand d = ws_lower_destination(lower, 0);
    for (guint w = 0; w < words; w++) {
        WsOperand a = ws_lower_source_word(lower, 1, w);
        WsOperand b = ws_lower_source_word(lower, 2, w);
        gboolean swap = a.kind != WS_OPERAND_REGISTER && b.kind == WS_OPERAND_REGISTER;
        WsOperand choice = swap ? ws_operand_negated(p) : p;
        if (lower->types[0] == WS_PTX_F32 || lower->types[0] == WS_PTX_F64)
            EMIT(lower, FSEL, ws_operand_word(d, w), swap ? b : a, swap ? a : b, choice);
        else
            EMIT(lower, SEL, ws_operand_word(d, w), swap ? b : a, swap ? a : b, choice);
    }
}

static void lower_selp(WsLowerStatement *lower)
{
    select_words(lower, ws_lower_source_predicate(lower, 3));
}

/* slct: a where c >= 0, else b. */
static void lower_slct(WsLowerStatement *lower)
{
    WsOperand p = ws_lower_temporary_predicate(lower);
    WsOperand c = ws_lower_operand_word(lower, &lower->operands[3], lower->types[1], 0);
    if (lower->types[1] == WS_PTX_F32) {
        WsInstruction *test = EMIT(lower, FSETP, p, ws_operand_none(), c, ws_operand_zero());
        test->mod[WS_MOD_FCMP] = WS_FCMP_GE;
        test->mod[WS_MOD_FTZ] = ws_lower_has(lower, "ftz");
    } else {
        ws_lower_compare(lower, p, WS_ICMP_GE, FALSE, c, ws_operand_zero());
    }
    select_words(lower, p);
}

/* |a| compared with `limit`, joined by WS_BOOLEAN_* with the test before. */
typedef struct {
    guint8 compare, join;
    enum { INFINITE, SMALLEST_NORMAL, ZERO, ITSELF } limit;
} MagnitudeTest;

static WsOperand limit_of(const MagnitudeTest *test, gboolean wide, WsOperand a)
{
    if (test->limit == ITSELF)
        return a;
    if (test->limit == ZERO)
        return ws_operand_zero();
    guint32 infinite = wide ? 0x7ff00000 : 0x7f800000, smallest = wide ? 0x00100000 : 0x00800000;
    return ws_operand_immediate(test->limit == INFINITE ? infinite : smallest);
}

/* testp: by the bits without the sign. Zero is normal (PTX ISA, testp). */
static void lower_testp(WsLowerStatement *lower)
{
    static const char *const names[] = {"infinite", "number",    "notanumber", "finite",
                                        "normal",   "subnormal", NULL};
    static const MagnitudeTest tests[][3] = {
        {{WS_FCMP_EQ, WS_BOOLEAN_AND, INFINITE}},
        {{WS_FCMP_NUM, WS_BOOLEAN_AND, ITSELF}},
        {{WS_FCMP_NAN, WS_BOOLEAN_AND, ITSELF}},
        {{WS_FCMP_LT, WS_BOOLEAN_AND, INFINITE}},
        {{WS_FCMP_LT, WS_BOOLEAN_AND, INFINITE},
         {WS_FCMP_GE, WS_BOOLEAN_AND, SMALLEST_NORMAL},
         {WS_FCMP_EQ, WS_BOOLEAN_OR, ZERO}},
        {{WS_FCMP_LT, WS_BOOLEAN_AND, SMALLEST_NORMAL}, {WS_FCMP_GT, WS_BOOLEAN_AND, ZERO}},
    };
    gboolean wide = lower->types[0] == WS_PTX_F64;
    int which = ws_lower_which(lower, names);
    if (which < 0) {
        ws_lower_refuse(lower);
        return;
    }
    WsOperand d = ws_lower_destination_predicate(lower, 0), p = ws_operand_none();
    WsOperand a = wide ? ws_lower_source_pair(lower, 1)
                       : ws_lower_in_register(lower, ws_lower_source(lower, 1));
    WsOperand magnitude = a;
    magnitude.flags |= WS_OPERAND_ABSOLUTE;
    for (guint i = 0; i < 3 && tests[which][i].compare != 0; i++) {
        const MagnitudeTest *test = &tests[which][i];
        gboolean last = i == 2 || test[1].compare == 0;
        WsOperand to = last ? d : ws_lower_temporary_predicate(lower);
        const WsOperand operands[] = {to, ws_operand_none(), magnitude, limit_of(test, wide, a), p};
        WsInstruction *compare =
            ws_lower_emit(lower, wide ? WS_OP_DSETP : WS_OP_FSETP, operands, i == 0 ? 4 : 5);
        compare->mod[WS_MOD_FCMP] = test->compare;
        compare->mod[WS_MOD_BOOLEAN] = test->join;
        p = to;
    }
}

const WsPtxRow ws_ptx_compare_rows[] = {
    {"setp", COMPARISONS, COMPARABLE, 0, 3, 4, 0, lower_setp},
    {"set", COMPARISONS,
     WS_PTX_BIT(U32) | WS_PTX_BIT(S32) | WS_PTX_BIT(F32) | WS_PTX_BIT(U16) | WS_PTX_BIT(S16) |
         HALVES,
     COMPARABLE, 3, 4, 0, lower_set},
    {"selp", "", SELECTABLE, 0, 4, 4, 0, lower_selp},
    {"slct", "ftz", SELECTABLE, WS_PTX_BIT(S32) | WS_PTX_BIT(F32), 4, 4, 0, lower_slct},
    {"testp", "infinite number notanumber finite normal subnormal",
     WS_PTX_BIT(F32) | WS_PTX_BIT(F64), 0, 2, 2, 0, lower_testp},
    {0}};
