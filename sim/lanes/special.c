/* Special registers and constant memory. */
#include "sim/lanes/loop.h"

/* Thread coordinates of lane `lane`: threads are numbered x first, then y, then z. */
static guint32 thread_index(const WsDecodedProgram *program, const WsLaneContext *context,
                            guint lane, guint axis)
{
    guint32 thread = context->first_thread + lane;
    guint32 x = program->block[0], y = program->block[1];
    switch (axis) {
    case 0:
        return thread % x;
    case 1:
        return thread / x % y;
    default:
        return thread / x / y;
    }
}

static guint64 lane_mask(WsSpecialRegister special, guint lane)
{
    guint64 bit = (guint64)1 << lane;
    switch (special) {
    case WS_SR_LANEMASK_EQ:
        return bit;
    case WS_SR_LANEMASK_LT:
        return bit - 1;
    case WS_SR_LANEMASK_LE:
        return bit | (bit - 1);
    case WS_SR_LANEMASK_GT:
        return ~(bit | (bit - 1));
    default:
        return ~(bit - 1);
    }
}

/* Nanoseconds since the launch. */
static guint64 nanoseconds(const WsDecodedProgram *program, guint64 cycle)
{
    guint64 khz = program->clock_khz;
    return cycle / khz * 1000000 + cycle % khz * 1000000 / khz;
}

/* Value of a special register in one lane; registers of one word have a zero high word. */
static guint64 special_value(const WsDecodedProgram *program, const WsLaneContext *context,
                             WsSpecialRegister special, guint lane)
{
    switch (special) {
    case WS_SR_TID_X:
    case WS_SR_TID_Y:
    case WS_SR_TID_Z:
        return thread_index(program, context, lane, special - WS_SR_TID_X);
    case WS_SR_CTAID_X:
    case WS_SR_CTAID_Y:
    case WS_SR_CTAID_Z:
        return context->block_index[special - WS_SR_CTAID_X];
    case WS_SR_LANEID:
        return lane;
    case WS_SR_WARPID:
        return context->warp_slot;
    case WS_SR_NWARPID:
        return program->slots;
    case WS_SR_SMID:
        return context->sm;
    case WS_SR_NSMID:
        return program->sms;
    case WS_SR_GRIDID:
        return context->launch;
    case WS_SR_LANEMASK_EQ:
    case WS_SR_LANEMASK_LT:
    case WS_SR_LANEMASK_LE:
    case WS_SR_LANEMASK_GT:
    case WS_SR_LANEMASK_GE:
        return (guint32)lane_mask(special, lane);
    case WS_SR_ACTIVEMASK:
        return (guint32)context->active;
    case WS_SR_CLOCK_LO:
        return context->cycle;
    case WS_SR_CLOCK_HI:
        return context->cycle >> 32;
    case WS_SR_GLOBALTIMER_LO:
        return nanoseconds(program, context->cycle);
    case WS_SR_GLOBALTIMER_HI:
        return nanoseconds(program, context->cycle) >> 32;
    case WS_SR_DYNAMIC_SHARED_SIZE:
        return program->dynamic_shared_bytes;
    case WS_SR_TOTAL_SHARED_SIZE:
        return program->total_shared_bytes;
    case WS_SR_CGACTAID: /* no clusters */
    case WS_SR_ZERO:
    case WS_SR_COUNT:
        break;
    }
    return 0;
}

/* Writes `words` words of one lane, from register row d up. */
static void put_words(const WsDecodedProgram *program, const WsDecoded *instruction,
                      WsWarpRegisters *warp, guint lane, guint words, const guint32 *value)
{
    for (guint word = 0; word < words && instruction->d >= 0; word++) {
        warp->registers[((gsize)instruction->d + word) * program->warp_size + lane] = value[word];
    }
}

static void read_special(WS_ARGUMENTS, guint words)
{
    for (guint64 rest = mask; rest; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        guint64 value = special_value(program, context, instruction->immediate, lane);
        guint32 parts[2] = {(guint32)value, (guint32)(value >> 32)};
        put_words(program, instruction, warp, lane, words, parts);
    }
}

void WS_NAME(S2R)(WS_ARGUMENTS)
{
    read_special(program, instruction, warp, context, mask, 1);
}

void WS_NAME(CS2R)(WS_ARGUMENTS)
{
    guint width = ws_decoded_modifier(instruction, WIDTH);
    read_special(program, instruction, warp, context, mask, width == WS_WIDTH_64 ? 2 : 1);
}

void WS_NAME(S2UR)(WS_ARGUMENTS)
{
    if (mask && instruction->d >= 0) {
        guint lane = (guint)__builtin_ctzll(mask);
        ws_set_uniform(program, warp, (guint)instruction->d,
                       (guint32)special_value(program, context, instruction->immediate, lane));
    }
}

void WS_NAME(R2UR)(WS_ARGUMENTS)
{
    if (mask && instruction->d >= 0) {
        guint lane = (guint)__builtin_ctzll(mask);
        ws_set_uniform(program, warp, (guint)instruction->d,
                       ws_row_value(program, warp, instruction->a, lane));
    }
}

/* ---- constant memory ---------------------------------------------------------------------------
 */

/* Words of an access of WIDTH. Bytes past the end of a bank read as zero. */
static guint read_constant(const WsDecodedProgram *program, const WsDecoded *instruction,
                           guint32 address, guint32 words[4])
{
    static const guint8 sizes[8] = {4, 1, 1, 2, 2, 8, 16, 4};
    guint width = ws_decoded_modifier(instruction, WIDTH);
    const guint8 *bank = program->constants[ws_decoded_modifier(instruction, BANK)];
    guint8 bytes[16] = {0};
    if (bank && address < WS_CONSTANT_BANK_BYTES) {
        memcpy(bytes, bank + address, MIN(sizes[width], WS_CONSTANT_BANK_BYTES - address));
    }
    for (guint word = 0; word < 4; word++) {
        words[word] = (guint32)bytes[4 * word] | (guint32)bytes[4 * word + 1] << 8 |
                      (guint32)bytes[4 * word + 2] << 16 | (guint32)bytes[4 * word + 3] << 24;
    }
    if (width == WS_WIDTH_S8) {
        words[0] = (guint32)(gint32)(gint8)bytes[0];
    } else if (width == WS_WIDTH_S16) {
        words[0] = (guint32)(gint32)(gint16)words[0];
    }
    return sizes[width] > 4 ? sizes[width] / 4u : 1;
}

/* The same words in every lane of `mask`. */
static void spread_words(const WsDecodedProgram *program, const WsDecoded *instruction,
                         WsWarpRegisters *warp, guint64 mask, guint words, const guint32 *value)
{
    const gboolean full = mask == program->all_lanes;
    for (guint word = 0; word < words && instruction->d >= 0; word++) {
        guint32 *row = &warp->registers[((gsize)instruction->d + word) * program->warp_size];
        for (guint lane = 0; full && lane < program->warp_size; lane++) {
            row[lane] = value[word];
        }
        for (guint64 rest = full ? 0 : mask; rest; rest &= rest - 1) {
            row[__builtin_ctzll(rest)] = value[word];
        }
    }
}

void WS_NAME(LDC)(WS_ARGUMENTS)
{
    guint32 words[4];
    if (ws_row_is_shared(instruction->a)) {
        guint32 base = ws_row_value(program, warp, instruction->a, 0);
        guint count = read_constant(program, instruction, base + instruction->immediate, words);
        spread_words(program, instruction, warp, mask, count, words);
        return;
    }
    for (guint64 rest = mask; rest; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        guint32 base = ws_row_value(program, warp, instruction->a, lane);
        guint count = read_constant(program, instruction, base + instruction->immediate, words);
        put_words(program, instruction, warp, lane, count, words);
    }
}

/* The base register is that of the lowest active lane. */
void WS_NAME(ULDC)(WS_ARGUMENTS)
{
    guint32 words[4];
    if (mask && instruction->d >= 0) {
        guint lane = (guint)__builtin_ctzll(mask);
        guint32 base = ws_row_value(program, warp, instruction->a, lane);
        guint count = read_constant(program, instruction, base + instruction->immediate, words);
        for (guint word = 0; word < count && instruction->d + word < WS_URZ; word++) {
            ws_set_uniform(program, warp, (guint)instruction->d + word, words[word]);
        }
    }
}
