/*
 * Loops over the lanes of a warp. A body is written as one expression for one lane; WS_BODY makes
 * from it a fast loop (32 lanes, all on, operands as they stand in their rows; the compiler turns
 * it into vector code), a form for a lane that is on alone (operands likewise), and a general loop
 * (any warp size, any mask, minus, absolute value, flushing and uniform registers as operands).
 *
 * Expressions see: a, b, c   operands: guint32, or guint64 where two words wide
 *                  on        nonzero if the source predicate Pp holds in this lane
 *                  k         the decoded instruction's `immediate`
 *                  f         its `flags`
 */
#ifndef WS_SIM_LANES_LOOP_H
#define WS_SIM_LANES_LOOP_H

#include "isa/base/float_bits.h"
#include "sim/lanes/private.h"

#define WS_INLINE static inline __attribute__((always_inline))

#if defined(__clang__)
/* Rows are the same row or disjoint: no iteration reads what another one wrote. */
#define WS_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define WS_INDEPENDENT _Pragma("GCC ivdep")
#endif

enum { WS_CHUNK = 8 }; /* warp sizes are multiples of this */

static const guint32 ws_lane_bit[32] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
    1u << 8,  1u << 9,  1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15,
    1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, 1u << 23,
    1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31,
};

/* TRUE if one lane alone computes an instruction whose operands stand in their rows. */
WS_INLINE gboolean ws_is_lone(const WsDecoded *instruction, guint64 mask)
{
    return mask != 0 && (mask & (mask - 1)) == 0 && !(instruction->flags >> WS_FIELD_GENERAL);
}

/* What minus and absolute value mean, and what flushing applies to. */
typedef enum {
    WS_PREPARE_PLAIN,   /* words as they are */
    WS_PREPARE_BITS,    /* minus: complement */
    WS_PREPARE_INTEGER, /* minus: two's complement, of one or two words */
    WS_PREPARE_F32,
    WS_PREPARE_SIGN, /* as F32, but .FTZ does not flush here */
    WS_PREPARE_F64,
    WS_PREPARE_HALF /* packed f16 or bf16 */
} WsPrepare;

enum { WS_NEGATE_A = 1, WS_ABSOLUTE_A = 2 }; /* b and c: shifted by 2 and 4 */

typedef struct {
    const guint32 *a, *b, *c;
    guint32 *d;
} WsRows;

typedef struct {
    guint32 word[4][2 * WS_MAX_WARP_SIZE];
} WsScratch;

/*
 * Rows of an instruction with negations applied; `words` are the widths (0 unused, 1, 2) of d, a,
 * b, c. A dropped destination gets a scratch row.
 */
WsRows WS_NAME(prepare)(const WsDecodedProgram *program, const WsDecoded *instruction,
                        WsWarpRegisters *warp, WsPrepare how, const guint8 words[4],
                        WsScratch *scratch);

/* A source row without modifiers, for the fast path: never a uniform register. */
WS_INLINE const guint32 *ws_plain_row(const WsDecodedProgram *program, const WsWarpRegisters *warp,
                                      gint row)
{
    const guint32 *base = row >= 0 ? warp->registers : program->pool;
    gsize number = (gsize)(row >= 0 ? row : ~row);
    return base + number * 32;
}

/* The rows of an instruction for 32 lanes whose operands need no preparing. */
WS_INLINE WsRows ws_plain_rows(const WsDecodedProgram *program, const WsDecoded *instruction,
                               const WsWarpRegisters *warp)
{
    return (WsRows){
        ws_plain_row(program, warp, instruction->a), ws_plain_row(program, warp, instruction->b),
        ws_plain_row(program, warp, instruction->c), warp->registers + (gsize)instruction->d * 32};
}

/* One operand of width 0, 1 or 2 in one lane of rows of n lanes. */
#define WS_TYPE_0                guint32
#define WS_TYPE_1                guint32
#define WS_TYPE_2                guint64
#define WS_LOAD_0(row, lane, n)  0
#define WS_LOAD_1(row, lane, n)  (row)[lane]
#define WS_LOAD_2(row, lane, n)  ((row)[lane] | (guint64)(row)[(lane) + (n)] << 32)
#define WS_STORE_1(row, lane, n) ((row)[lane] = (guint32)value)
#define WS_STORE_2(row, lane, n)                                                                   \
    ((row)[lane] = (guint32)value, (row)[(lane) + (n)] = (guint32)(value >> 32))
#define WS_KEEP_1(row, lane, n, bit) ((row)[lane] = (bit) ? (guint32)value : (row)[lane])
#define WS_KEEP_2(row, lane, n, bit)                                                               \
    ((row)[lane] = (bit) ? (guint32)value : (row)[lane],                                           \
     (row)[(lane) + (n)] = (bit) ? (guint32)(value >> 32) : (row)[(lane) + (n)])

/* The expression as a function of one lane. */
#define WS_LANE_FUNCTION(NAME, TD, DW, AW, BW, CW, EXPRESSION)                                     \
    WS_INLINE TD lane_##NAME(WS_TYPE_##AW a, WS_TYPE_##BW b, WS_TYPE_##CW c, guint32 on,           \
                             guint32 k, guint32 f)                                                 \
    {                                                                                              \
        (void)a, (void)b, (void)c, (void)on, (void)k, (void)f;                                     \
        return EXPRESSION;                                                                         \
    }

#define WS_LANE_VALUE(NAME, AW, BW, CW, rows, lane, n, on)                                         \
    lane_##NAME(WS_LOAD_##AW(rows.a, lane, n), WS_LOAD_##BW(rows.b, lane, n),                      \
                WS_LOAD_##CW(rows.c, lane, n), on, k, f)

/*
 * A body with one destination of DW words (1 or 2) and operands of AW, BW, CW words. Lanes outside
 * the mask are computed too and thrown away: expressions must be total.
 */
#define WS_BODY(NAME, PREPARE, DW, AW, BW, CW, EXPRESSION)                                         \
    WS_LANE_FUNCTION(NAME, WS_TYPE_##DW, DW, AW, BW, CW, EXPRESSION)                               \
    static __attribute__((noinline)) void general_##NAME(WS_ARGUMENTS)                             \
    {                                                                                              \
        static const guint8 words[4] = {DW, AW, BW, CW};                                           \
        guint n = program->warp_size;                                                              \
        guint32 k = instruction->immediate, f = instruction->flags;                                \
        guint64 p = ws_predicate_mask(warp, instruction->predicate_in & 15);                       \
        WsScratch scratch;                                                                         \
        WsRows rows = instruction->flags >> WS_FIELD_GENERAL                                       \
                          ? WS_NAME(prepare)(program, instruction, warp, PREPARE, words, &scratch) \
                          : ws_plain_rows(program, instruction, warp);                             \
        if (n == 32) {                                                                             \
            guint32 keep = (guint32)mask, holds = (guint32)p;                                      \
            WS_INDEPENDENT                                                                         \
            for (guint lane = 0; lane < 32; lane++) {                                              \
                WS_TYPE_##DW value =                                                               \
                    WS_LANE_VALUE(NAME, AW, BW, CW, rows, lane, 32, holds & ws_lane_bit[lane]);    \
                WS_KEEP_##DW(rows.d, lane, 32, keep &ws_lane_bit[lane]);                           \
            }                                                                                      \
            return;                                                                                \
        }                                                                                          \
        for (guint base = 0; base < n; base += WS_CHUNK) {                                         \
            guint32 keep = (guint32)(mask >> base), holds = (guint32)(p >> base);                  \
            WS_INDEPENDENT                                                                         \
            for (guint i = 0; i < WS_CHUNK; i++) {                                                 \
                WS_TYPE_##DW value =                                                               \
                    WS_LANE_VALUE(NAME, AW, BW, CW, rows, base + i, n, holds & ws_lane_bit[i]);    \
                WS_KEEP_##DW(rows.d, base + i, n, keep & ws_lane_bit[i]);                          \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static __attribute__((noinline)) void lone_##NAME(WS_ARGUMENTS)                                \
    {                                                                                              \
        guint lane = (guint)__builtin_ctzll(mask);                                                 \
        guint32 k = instruction->immediate, f = instruction->flags;                                \
        guint64 p = ws_predicate_mask(warp, instruction->predicate_in & 15);                       \
        WsRows rows = ws_plain_rows(program, instruction, warp);                                   \
        WS_TYPE_##DW value =                                                                       \
            WS_LANE_VALUE(NAME, AW, BW, CW, rows, lane, 32, (guint32)(p >> lane & 1));             \
        WS_STORE_##DW(rows.d, lane, 32);                                                           \
        (void)k, (void)f, (void)p;                                                                 \
    }                                                                                              \
    void WS_NAME(NAME)(WS_ARGUMENTS)                                                               \
    {                                                                                              \
        if (G_UNLIKELY((instruction->flags >> WS_FIELD_GENERAL) | (mask != 0xffffffffu))) {        \
            if (ws_is_lone(instruction, mask))                                                     \
                lone_##NAME(program, instruction, warp, context, mask);                            \
            else                                                                                   \
                general_##NAME(program, instruction, warp, context, mask);                         \
            return;                                                                                \
        }                                                                                          \
        guint32 k = instruction->immediate, f = instruction->flags;                                \
        guint32 p = (guint32)ws_predicate_mask(warp, instruction->predicate_in & 15);              \
        WsRows rows = ws_plain_rows(program, instruction, warp);                                   \
        WS_INDEPENDENT                                                                             \
        for (guint lane = 0; lane < 32; lane++) {                                                  \
            WS_TYPE_##DW value =                                                                   \
                WS_LANE_VALUE(NAME, AW, BW, CW, rows, lane, 32, p & ws_lane_bit[lane]);            \
            WS_STORE_##DW(rows.d, lane, 32);                                                       \
        }                                                                                          \
        (void)k, (void)f, (void)p;                                                                 \
    }

/* Writes bits of `mask` to destination predicate `number` (7 drops them). */
WS_INLINE void ws_write_predicate(WsWarpRegisters *warp, guint number, guint64 mask, guint64 bits)
{
    if (number != WS_PT)
        warp->predicates[number] = (warp->predicates[number] & ~mask) | (bits & mask);
}

WS_INLINE guint64 ws_boolean(guint operation, guint64 x, guint64 y)
{
    return operation == WS_BOOLEAN_AND ? x & y : operation == WS_BOOLEAN_OR ? x | y : x ^ y;
}

/* Pd = bits op Pp, Pe = !bits op Pp: the end of every SETP. */
WS_INLINE void ws_write_comparison(const WsDecoded *instruction, WsWarpRegisters *warp,
                                   guint64 mask, guint64 bits)
{
    guint operation = ws_decoded_modifier(instruction, BOOLEAN);
    guint64 p = ws_predicate_mask(warp, instruction->predicate_in & 15);
    ws_write_predicate(warp, instruction->predicate_out & 7, mask, ws_boolean(operation, bits, p));
    ws_write_predicate(warp, instruction->predicate_out >> 4 & 7, mask,
                       ws_boolean(operation, ~bits, p));
}

/* A function `bits_NAME` that returns the lanes in which EXPRESSION holds; those outside the mask
 * do not count. */
#define WS_CONDITION(NAME, PREPARE, AW, BW, EXPRESSION)                                            \
    WS_LANE_FUNCTION(NAME, guint32, 1, AW, BW, 0, EXPRESSION)                                      \
    static __attribute__((noinline)) guint64 general_##NAME(                                       \
        const WsDecodedProgram *program, const WsDecoded *instruction, WsWarpRegisters *warp)      \
    {                                                                                              \
        static const guint8 words[4] = {0, AW, BW, 0};                                             \
        guint n = program->warp_size;                                                              \
        guint32 k = instruction->immediate, f = instruction->flags;                                \
        guint64 q = ws_predicate_mask(warp, instruction->predicate_in >> 4);                       \
        guint64 bits = 0;                                                                          \
        WsScratch scratch;                                                                         \
        WsRows rows = WS_NAME(prepare)(program, instruction, warp, PREPARE, words, &scratch);      \
        for (guint base = 0; base < n; base += WS_CHUNK) {                                         \
            guint32 holds = (guint32)(q >> base), part = 0;                                        \
            for (guint i = 0; i < WS_CHUNK; i++) {                                                 \
                guint32 value =                                                                    \
                    WS_LANE_VALUE(NAME, AW, BW, 0, rows, base + i, n, holds & ws_lane_bit[i]);     \
                part |= value ? ws_lane_bit[i] : 0;                                                \
            }                                                                                      \
            bits |= (guint64)part << base;                                                         \
        }                                                                                          \
        return bits;                                                                               \
    }                                                                                              \
    static __attribute__((noinline))                                                               \
    guint64 lone_##NAME(const WsDecodedProgram *program, const WsDecoded *instruction,             \
                        WsWarpRegisters *warp, guint lane)                                         \
    {                                                                                              \
        guint32 k = instruction->immediate, f = instruction->flags;                                \
        guint64 q = ws_predicate_mask(warp, instruction->predicate_in >> 4);                       \
        WsRows rows = {ws_plain_row(program, warp, instruction->a),                                \
                       ws_plain_row(program, warp, instruction->b), NULL, NULL};                   \
        guint32 value = WS_LANE_VALUE(NAME, AW, BW, 0, rows, lane, 32, (guint32)(q >> lane & 1));  \
        (void)k, (void)f, (void)q;                                                                 \
        return (guint64)(value != 0) << lane;                                                      \
    }                                                                                              \
    WS_INLINE guint64 bits_##NAME(const WsDecodedProgram *program, const WsDecoded *instruction,   \
                                  WsWarpRegisters *warp, guint64 mask)                             \
    {                                                                                              \
        if (G_UNLIKELY(instruction->flags >> WS_FIELD_GENERAL))                                    \
            return general_##NAME(program, instruction, warp);                                     \
        if (G_UNLIKELY(ws_is_lone(instruction, mask)))                                             \
            return lone_##NAME(program, instruction, warp, (guint)__builtin_ctzll(mask));          \
        guint32 k = instruction->immediate, f = instruction->flags;                                \
        guint32 q = (guint32)ws_predicate_mask(warp, instruction->predicate_in >> 4), bits = 0;    \
        WsRows rows = {ws_plain_row(program, warp, instruction->a),                                \
                       ws_plain_row(program, warp, instruction->b), NULL, NULL};                   \
        guint32 words[32]; /* two loops, since compilers do not make vectors of the joint one */   \
        for (guint lane = 0; lane < 32; lane++) {                                                  \
            guint32 value = WS_LANE_VALUE(NAME, AW, BW, 0, rows, lane, 32, q & ws_lane_bit[lane]); \
            words[lane] = value ? ws_lane_bit[lane] : 0;                                           \
        }                                                                                          \
        for (guint lane = 0; lane < 32; lane++) {                                                  \
            bits |= words[lane];                                                                   \
        }                                                                                          \
        (void)k, (void)f, (void)q;                                                                 \
        return bits;                                                                               \
    }

/* A SETP whose comparison is EXPRESSION; `on` is Pq. */
#define WS_COMPARISON(NAME, PREPARE, AW, BW, EXPRESSION)                                           \
    WS_CONDITION(NAME, PREPARE, AW, BW, EXPRESSION)                                                \
    void WS_NAME(NAME)(WS_ARGUMENTS)                                                               \
    {                                                                                              \
        ws_write_comparison(instruction, warp, mask,                                               \
                            bits_##NAME(program, instruction, warp, mask));                        \
    }

#endif
