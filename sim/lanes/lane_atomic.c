/*
 * Atomic operations on one lane. Compiled once, for the plainest host: the arithmetic is exact, so
 * that the level does not matter.
 */
#define WS_LEVEL plain
#include "sim/lanes/half.h"

static guint32 add_f32(guint32 a, guint32 b)
{
    return ws_canonical32(ws_float(a) + ws_float(b));
}

static guint64 add_f64(guint64 a, guint64 b)
{
    return ws_result64(ws_double(a) + ws_double(b), a, b, 0);
}

static guint32 add_packed(guint32 a, guint32 b, gboolean bf16)
{
    WsHalfRules rules = {.bf16 = bf16};
    guint32 sum = 0;
    for (guint shift = 0; shift < 32; shift += 16) {
        double value =
            ws_widen_half(a >> shift & 0xffff, rules) + ws_widen_half(b >> shift & 0xffff, rules);
        sum |= ws_finish_half(value, rules) << shift;
    }
    return sum;
}

static guint64 add(guint type, guint64 memory, guint64 operand)
{
    switch (type) {
    case WS_ATOMIC_F32:
        return add_f32((guint32)memory, (guint32)operand);
    case WS_ATOMIC_F32_FTZ:
        return ws_flush32(add_f32(ws_flush32((guint32)memory), ws_flush32((guint32)operand)));
    case WS_ATOMIC_F64:
        return add_f64(memory, operand);
    case WS_ATOMIC_F16X2:
    case WS_ATOMIC_BF16X2:
        return add_packed((guint32)memory, (guint32)operand, type == WS_ATOMIC_BF16X2);
    default:
        return memory + operand;
    }
}

/* A value as an ordered 64-bit number: signed types have their sign bit flipped. */
static guint64 ordered(guint type, guint64 value)
{
    switch (type) {
    case WS_ATOMIC_S32:
        return (guint64)(gint64)(gint32)value ^ WS_SIGN64;
    case WS_ATOMIC_S64:
        return value ^ WS_SIGN64;
    case WS_ATOMIC_U64:
        return value;
    default:
        return (guint32)value;
    }
}

static guint64 apply(guint operation, guint type, guint64 memory, guint64 operand)
{
    gboolean less = ordered(type, operand) < ordered(type, memory);
    switch (operation) {
    case WS_ATOMIC_ADD:
        return add(type, memory, operand);
    case WS_ATOMIC_MIN:
        return less ? operand : memory;
    case WS_ATOMIC_MAX:
        return less ? memory : operand;
    case WS_ATOMIC_INC: /* back to zero past the operand */
        return ordered(type, memory) >= ordered(type, operand) ? 0 : memory + 1;
    case WS_ATOMIC_DEC:
        return memory == 0 || ordered(type, memory) > ordered(type, operand) ? operand : memory - 1;
    case WS_ATOMIC_AND:
        return memory & operand;
    case WS_ATOMIC_OR:
        return memory | operand;
    case WS_ATOMIC_XOR:
        return memory ^ operand;
    default:
        return operand;
    }
}

guint64 ws_atomic_apply(guint operation, guint type, guint64 memory, guint64 operand)
{
    gboolean wide = type == WS_ATOMIC_U64 || type == WS_ATOMIC_S64 || type == WS_ATOMIC_F64;
    guint64 keep = wide ? ~(guint64)0 : 0xffffffffu;
    return apply(operation, type, memory & keep, operand & keep) & keep;
}
