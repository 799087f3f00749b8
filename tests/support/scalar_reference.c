#include "tests/support/scalar_reference.h"

#include "isa/bytecode/opcode.h"
#include "tests/support/scalar_float.h"
#include "tests/support/scalar_step.h"

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

static void execute_f32(ScalarStep *step)
{
    guint32 a = scalar_f32_operand(step, 'a'), b = scalar_f32_operand(step, 'b'),
            c = scalar_f32_operand(step, 'c');
    guint32 result;
    gboolean p = scalar_predicate_operand(step, WS_SLOT_Pp);
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
        scalar_put(step, p ? a : b);
        return;
    case WS_OP_FMNMX:
        scalar_put(step, scalar_minimum(a, b, p, MOD(step, NAN_RULE), WS_FLOAT_F32));
        return;
    case WS_OP_FSET: {
        gboolean holds = float_compare(MOD(step, FCMP), ws_float(a), ws_float(b));
        scalar_put(step, ws_float_bits(scalar_combine(step, holds, p) ? 1.0f : 0.0f));
        return;
    }
    default:
        scalar_put_comparison(step, float_compare(MOD(step, FCMP), ws_float(a), ws_float(b)));
        return;
    }
    result = MOD(step, FTZ) ? scalar_flush32(result) : result;
    if (MOD(step, SAT)) {
        float value = ws_float(result);
        result = isnan(value) || value <= 0 ? 0 : value >= 1 ? 0x3f800000u : result;
    }
    scalar_put(step, result);
}

static void execute_f64(ScalarStep *step)
{
    guint64 a = scalar_float_operand(step, 'a', 64), b = scalar_float_operand(step, 'b', 64);
    guint64 c = scalar_float_operand(step, 'c', 64);
    switch (step->instruction->opcode) {
    case WS_OP_DADD:
        scalar_put(step, scalar_add64(a, b, MOD(step, ROUND)));
        break;
    case WS_OP_DMUL:
        scalar_put(step, scalar_mul64(a, b, MOD(step, ROUND)));
        break;
    case WS_OP_DFMA:
        scalar_put(step, scalar_fma64(a, b, c, MOD(step, ROUND)));
        break;
    case WS_OP_DRND:
        scalar_put(step, scalar_round64(b, MOD(step, INTEGER_ROUND)));
        break;
    default:
        scalar_put_comparison(step, float_compare(MOD(step, FCMP), ws_double(a), ws_double(b)));
        break;
    }
}

/* One half of a packed operand: code of 16 bits. */
static guint32 half_operand(const ScalarStep *step, char which, guint half, guint format)
{
    half = scalar_flag_of(step, which, WS_OPERAND_LOW)    ? 0
           : scalar_flag_of(step, which, WS_OPERAND_HIGH) ? 1
                                                          : half;
    guint32 code = (guint32)scalar_plain(step, which) >> (16 * half) & 0xffff;
    if (scalar_flag_of(step, which, WS_OPERAND_ABSOLUTE)) {
        code &= 0x7fff;
    }
    code = scalar_negated(step, which) ? code ^ 0x8000 : code;
    gboolean denormal = format == WS_FLOAT_F16 && (code & 0x7c00) == 0;
    return MOD(step, FTZ) && denormal ? code & 0x8000 : code;
}

static guint32 half_result(const ScalarStep *step, guint half, guint format)
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
    case WS_OP_HFMA2_MMA:
        code = scalar_half_fma(a, b, c, format);
        break;
    default:
        return scalar_minimum(a, b, scalar_predicate_operand(step, WS_SLOT_Pp), MOD(step, NAN_RULE),
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

static void execute_half(ScalarStep *step)
{
    guint format = MOD(step, HALF_TYPE) ? WS_FLOAT_BF16 : WS_FLOAT_F16;
    gboolean predicates = step->instruction->opcode == WS_OP_HSETP2;
    if (!predicates && step->instruction->opcode != WS_OP_HSET2) {
        scalar_put(step, half_result(step, 0, format) | half_result(step, 1, format) << 16);
        return;
    }
    gboolean p = scalar_predicate_operand(step, WS_SLOT_Pp), holds[2];
    for (guint half = 0; half < 2; half++) {
        double x = scalar_widen(half_operand(step, 'a', half, format), format);
        double y = scalar_widen(half_operand(step, 'b', half, format), format);
        holds[half] = scalar_combine(step, float_compare(MOD(step, FCMP), x, y), p);
    }
    if (!predicates) {
        guint32 one = format == WS_FLOAT_BF16 ? 0x3f80 : 0x3c00;
        scalar_put(step, (holds[0] ? one : 0) + ((holds[1] ? one : 0) << 16));
        return;
    }
    scalar_put_predicate(step, WS_SLOT_Pd, holds[0]);
    scalar_put_predicate(step, WS_SLOT_Pe, holds[1]);
}

static void execute_widening_sum(ScalarStep *step)
{
    guint32 a = half_operand(step, 'a', 0, WS_FLOAT_F16);
    guint32 b = half_operand(step, 'b', MOD(step, HALF_WORD), WS_FLOAT_F16);
    float sum = (float)(scalar_widen(a, WS_FLOAT_F16) + scalar_widen(b, WS_FLOAT_F16));
    scalar_put(step, isnan(sum) ? 0x7fffffff : ws_float_bits(sum));
}

static void execute_fchk(ScalarStep *step)
{
    guint32 a = scalar_f32_operand(step, 'a'), b = scalar_f32_operand(step, 'b');
    gint x = (gint)(a >> 23 & 0xff), y = (gint)(b >> 23 & 0xff);
    gboolean safe = x != 255 && x >= 32 && y >= 2 && y <= 252 && ABS(x - y) <= 120 &&
                    (b & 0x7fffff) != 0x7fffff;
    scalar_put_predicate(step, WS_SLOT_Pd, !safe);
}

/* ---- conversions -------------------------------------------------------------------------------
 */

static guint64 convert_operand(const ScalarStep *step, char which, guint format)
{
    guint bits = format == WS_FLOAT_F64 ? 64 : format == WS_FLOAT_F32 ? 32 : 16;
    guint64 value = scalar_plain(step, which), sign = (guint64)1 << (bits - 1);
    value = bits == 16 ? value & 0xffff : value;
    if (bits == 32 && MOD(step, FTZ)) {
        value = scalar_flush32((guint32)value);
    }
    value = scalar_flag_of(step, which, WS_OPERAND_ABSOLUTE) ? value & ~sign : value;
    return scalar_negated(step, which) ? value ^ sign : value;
}

static void execute_convert(ScalarStep *step)
{
    guint from = MOD(step, FLOAT_FROM), to = MOD(step, FLOAT_TO), mode = MOD(step, ROUND);
    guint64 code;
    switch (step->instruction->opcode) {
    case WS_OP_FRND:
        scalar_put(step, scalar_round32(scalar_f32_operand(step, 'b'), MOD(step, INTEGER_ROUND)));
        break;
    case WS_OP_F2FP: {
        guint32 half[2];
        for (guint n = 0; n < 2; n++) {
            guint32 bits = scalar_f32_operand(step, n ? 'a' : 'b');
            gboolean zero = MOD(step, RELU) && ws_float(bits) <= 0;
            half[n] = (guint32)scalar_convert(zero ? 0 : bits, WS_FLOAT_F32, to, mode);
        }
        scalar_put(step, half[0] | half[1] << 16);
        break;
    }
    case WS_OP_I2F:
    case WS_OP_I2FP:
        scalar_put(step,
                   scalar_from_integer(scalar_plain(step, 'b'), MOD(step, INT_FROM), to, mode));
        break;
    case WS_OP_F2I:
        scalar_put(step, scalar_to_integer(convert_operand(step, 'b', from), from,
                                           MOD(step, INT_TO), MOD(step, INTEGER_ROUND)));
        break;
    default:
        code = convert_operand(step, 'b', from);
        if (MOD(step, SAT)) {
            double value = scalar_widen(code, from);
            double clamped = isnan(value) || value <= 0 ? 0 : value >= 1 ? 1 : value;
            code = ws_double_bits(clamped);
            from = WS_FLOAT_F64;
        }
        code = scalar_convert(code, from, to, mode);
        scalar_put(step,
                   to == WS_FLOAT_F32 && MOD(step, FTZ) ? scalar_flush32((guint32)code) : code);
        break;
    }
}

/* ---- special registers and constant memory -----------------------------------------------------
 */

static guint64 special(const ScalarStep *step, guint which)
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

static void load_constant(const ScalarStep *step, guint32 words[4])
{
    static const guint sizes[7] = {4, 1, 1, 2, 2, 8, 16};
    gint n = scalar_find(step, WS_SLOT_Cm);
    const WsOperand *operand = &step->instruction->operand[n];
    guint32 base = operand->uniform != WS_URZ ? step->before->uniform[operand->uniform]
                   : operand->index == WS_RZ
                       ? 0
                       : step->before->lane[step->lane].registers[operand->index];
    guint width = MOD(step, WIDTH);
    for (guint word = 0; word < 4; word++) {
        guint left = sizes[width] > 4 * word ? sizes[width] - 4 * word : 0;
        guint64 at = (guint64)(base + operand->value) + 4 * word;
        words[word] = at > G_MAXUINT32 ? 0
                                       : (guint32)scalar_constant_bytes(step->before, operand->bank,
                                                                        (guint32)at, MIN(left, 4));
    }
    if (width == WS_WIDTH_S8) {
        words[0] = (guint32)(gint32)(gint8)words[0];
    } else if (width == WS_WIDTH_S16) {
        words[0] = (guint32)(gint32)(gint16)words[0];
    }
}

static void execute_load(ScalarStep *step)
{
    guint32 words[4];
    gint n = scalar_find(step, WS_SLOT_Rd);
    load_constant(step, words);
    guint32 index = step->instruction->operand[n].index;
    for (guint word = 0; index != WS_RZ && word < ws_operand_words(step->instruction, (guint)n);
         word++) {
        step->after->lane[step->lane].registers[index + word] = words[word];
    }
}

/* ---- across lanes ------------------------------------------------------------------------------
 */

static void execute_shuffle(ScalarStep *step)
{
    guint32 b = (guint32)scalar_plain(step, 'b'), c = (guint32)scalar_plain(step, 'c');
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
    ScalarStep other = *step;
    other.lane = (guint)(valid ? from : lane) & 31;
    /* A lane that does not take part gives 0, as on an H200. */
    scalar_put(step, step->mask >> other.lane & 1 ? scalar_plain(&other, 'a') : 0);
    scalar_put_predicate(step, WS_SLOT_Pd, valid);
}

static void execute_vote(ScalarStep *step)
{
    guint32 ballot = 0;
    gboolean all = TRUE, any = FALSE;
    for (guint lane = 0; lane < step->before->lanes; lane++) {
        if (step->mask >> lane & 1) {
            gboolean holds = scalar_predicate_operand_of(step, WS_SLOT_Pp, lane);
            ballot |= holds ? 1u << (lane & 31) : 0;
            all = all && holds;
            any = any || holds;
        }
    }
    guint mode = MOD(step, VOTE);
    scalar_put(step, ballot);
    scalar_put_predicate(step, WS_SLOT_Pd,
                         mode == WS_VOTE_ALL   ? all
                         : mode == WS_VOTE_ANY ? any
                                               : all || !any);
}

static void execute_match(ScalarStep *step)
{
    guint32 same = 0;
    ScalarStep other = *step;
    for (other.lane = 0; other.lane < 32; other.lane++) {
        if (step->mask >> other.lane & 1 && scalar_plain(&other, 'a') == scalar_plain(step, 'a')) {
            same |= 1u << other.lane;
        }
    }
    gboolean equal = same == (guint32)step->mask;
    scalar_put(step, MOD(step, MATCH) == WS_MATCH_ALL && !equal ? 0 : same);
    scalar_put_predicate(step, WS_SLOT_Pd, equal);
}

/* ---- uniform datapath --------------------------------------------------------------------------
 */

static gint64 reduce(const ScalarStep *step)
{
    gint64 result = 0;
    gboolean first = TRUE;
    ScalarStep other = *step;
    for (other.lane = 0; other.lane < step->before->lanes; other.lane++) {
        if (!(step->mask >> other.lane & 1)) {
            continue;
        }
        guint32 word = (guint32)scalar_plain(&other, 'a');
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

/* What only the uniform datapath has. */
static void execute_uniform(ScalarStep *step)
{
    guint32 words[4] = {0};
    switch (step->instruction->opcode) {
    case WS_OP_R2UR:
        scalar_put(step, scalar_plain(step, 'a'));
        break;
    case WS_OP_S2UR:
        scalar_put(step,
                   special(step, step->instruction->operand[scalar_find(step, WS_SLOT_Sr)].value));
        break;
    case WS_OP_REDUX:
        scalar_put(step, (guint64)reduce(step));
        break;
    default: /* ULDC */
        load_constant(step, words);
        scalar_put(step, words[0] | (guint64)words[1] << 32);
        break;
    }
}

/* ---- dispatch ----------------------------------------------------------------------------------
 */

typedef void (*Execute)(ScalarStep *step);

/* Of the rows that scalar_execute_integer() does not serve. */
static const Execute executors[WS_OP_COUNT] = {
    [WS_OP_FADD] = execute_f32,
    [WS_OP_FMUL] = execute_f32,
    [WS_OP_FFMA] = execute_f32,
    [WS_OP_FSETP] = execute_f32,
    [WS_OP_FSET] = execute_f32,
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
    [WS_OP_HFMA2_MMA] = execute_half,
    [WS_OP_HADD2_F32] = execute_widening_sum,
    [WS_OP_HSETP2] = execute_half,
    [WS_OP_HSET2] = execute_half,
    [WS_OP_HMNMX2] = execute_half,
    [WS_OP_IADD3] = scalar_execute_iadd3,
    [WS_OP_IMAD_WIDE] = scalar_execute_wide,
    [WS_OP_IMAD_WIDE_X] = scalar_execute_wide,
    [WS_OP_IMAD_HI] = scalar_execute_wide,
    [WS_OP_IMAD_HI_WIDE] = scalar_execute_wide,
    [WS_OP_ISETP] = scalar_execute_isetp,
    [WS_OP_LOP3] = scalar_execute_logic,
    [WS_OP_PLOP3] = scalar_execute_logic,
    [WS_OP_LEA] = scalar_execute_lea,
    [WS_OP_FLO] = scalar_execute_find_leading,
    [WS_OP_P2R] = scalar_execute_predicate_move,
    [WS_OP_R2P] = scalar_execute_predicate_move,
    [WS_OP_I2FP] = execute_convert,
    [WS_OP_F2FP] = execute_convert,
    [WS_OP_I2F] = execute_convert,
    [WS_OP_F2I] = execute_convert,
    [WS_OP_F2F] = execute_convert,
    [WS_OP_LDC] = execute_load,
    [WS_OP_SHFL] = execute_shuffle,
    [WS_OP_VOTE] = execute_vote,
    [WS_OP_MATCH] = execute_match,
    [WS_OP_UIADD3] = scalar_execute_iadd3,
    [WS_OP_UIMAD_WIDE] = scalar_execute_wide,
    [WS_OP_UIMAD_HI] = scalar_execute_wide,
    [WS_OP_UISETP] = scalar_execute_isetp,
    [WS_OP_ULOP3] = scalar_execute_logic,
    [WS_OP_UPLOP3] = scalar_execute_logic,
    [WS_OP_ULEA] = scalar_execute_lea,
    [WS_OP_UFLO] = scalar_execute_find_leading,
    [WS_OP_VOTEU] = execute_vote,
    [WS_OP_R2UR] = execute_uniform,
    [WS_OP_S2UR] = execute_uniform,
    [WS_OP_REDUX] = execute_uniform,
    [WS_OP_ULDC] = execute_uniform,
};

static Execute executor(WsOpcode opcode)
{
    return executors[opcode] ? executors[opcode] : scalar_execute_integer;
}

static gboolean is_uniform(WsOpcode opcode)
{
    const WsOpcodeInfo *info = ws_opcode_info(opcode);
    return info->slots[0] == WS_SLOT_Ud || info->slots[0] == WS_SLOT_Ue;
}

static void execute_step(ScalarStep *step)
{
    WsOpcode opcode = step->instruction->opcode;
    if (opcode == WS_OP_S2R || opcode == WS_OP_CS2R) {
        gint sr = scalar_find(step, WS_SLOT_Sr);
        scalar_put(step, special(step, step->instruction->operand[sr].value));
    } else {
        executor(opcode)(step);
    }
}

gboolean scalar_covers(WsOpcode opcode)
{
    const WsOpcodeInfo *info = ws_opcode_info(opcode);
    switch (info->execution_class) {
    case WS_CLASS_CONVERGENCE:
    case WS_CLASS_BRANCH:
    case WS_CLASS_EXIT:
    case WS_CLASS_SLEEP:
    case WS_CLASS_NOP:
    case WS_CLASS_SYSTEM_CALL: /* tests/cli/test_cli_printf.py */
    case WS_CLASS_BARRIER:
    case WS_CLASS_MEMORY_BARRIER:
    case WS_CLASS_TEXTURE:
    case WS_CLASS_MUFU:
    case WS_CLASS_MATRIX: /* tests/sim/test_matrix.c */
    case WS_CLASS_MATRIX_DOUBLE:
        return FALSE;
    default:
        break;
    }
    if (opcode == WS_OP_MOVM) {
        return FALSE;
    }
    for (guint n = 0; n < info->operand_count; n++) {
        if (info->slots[n] == WS_SLOT_Ma) {
            return FALSE;
        }
    }
    return TRUE;
}

void scalar_execute(const WsInstruction *instruction, ScalarWarp *warp, guint64 mask)
{
    ScalarWarp *before = g_memdup2(warp, sizeof *warp);
    ScalarStep step = {instruction, before, warp, 0, mask};
    for (step.lane = 0; step.lane < warp->lanes; step.lane++) {
        if (!(mask >> step.lane & 1)) {
            continue;
        }
        execute_step(&step);
        if (is_uniform(instruction->opcode)) { /* of the lowest lane */
            break;
        }
    }
    g_free(before);
}

void scalar_execute_lane(const WsInstruction *instruction, const ScalarWarp *before,
                         ScalarWarp *after, guint lane)
{
    ScalarStep step = {instruction, before, after, lane, (guint64)1 << lane};
    execute_step(&step);
}
