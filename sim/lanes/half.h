/*
 * Packed 16-bit float arithmetic in one lane: f16 or bf16, rounded once. Sums and products are
 * computed in double, where those of two 16-bit floats round innocuously; a fused sum is rounded to
 * odd first.
 */
#ifndef WS_SIM_LANES_HALF_H
#define WS_SIM_LANES_HALF_H

#include "sim/lanes/double.h"
#include "sim/lanes/float.h"

/* Fields of HADD2, HMUL2, HFMA2 as the lane function uses them. */
typedef struct {
    gboolean bf16, flush, saturate, relu;
} WsHalfRules;

WS_INLINE double ws_widen_half(guint32 code, WsHalfRules rules)
{
    guint32 kept = rules.flush && !(code & 0x7c00) && !rules.bf16 ? code & 0x8000 : code;
    return rules.bf16 ? ws_widen_bf16(kept) : ws_widen_f16(kept);
}

/* .SAT, .RELU, rounding and .FTZ of a result. */
WS_INLINE guint32 ws_finish_half(double value, WsHalfRules rules)
{
    double positive = value > 0 ? value : 0;
    value = rules.relu && value <= 0 ? 0 : value;
    value = rules.saturate ? (positive < 1 ? positive : 1) : value;
    guint32 code =
        ws_narrow(value, ws_formats[rules.bf16 ? WS_FLOAT_BF16 : WS_FLOAT_F16], WS_ROUND_NEAREST);
    return rules.flush && !rules.bf16 && !(code & 0x7c00) ? code & 0x8000 : code;
}

#endif
