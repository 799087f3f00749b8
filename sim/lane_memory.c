/* Addresses, targets and atomic operations of single lanes (sim/lanes.h). */
#include "sim/lanes_private.h"

void ws_lane_addresses(const WsDecodedProgram *program, const WsDecoded *instruction,
                       const WsWarpRegisters *warp, guint64 mask,
                       guint64 ret_address[WS_MAX_WARP_SIZE])
{
    gboolean wide = ws_decoded_modifier(instruction, ADDRESS);
    guint n = program->warp_size, uniform = instruction->immediate >> 24;
    gint32 offset = (gint32)(instruction->immediate << 8) >> 8;
    const guint32 *base =
        instruction->a >= 0 ? warp->registers + (gsize)instruction->a * n : program->pool;
    guint64 added = (guint64)(gint64)offset;
    if (uniform < WS_URZ) {
        added += warp->uniform[uniform];
        added += wide ? (guint64)warp->uniform[uniform + 1] << 32 : 0;
    }
    guint64 keep = wide ? ~(guint64)0 : 0xffffffffu;
    for (guint lane = 0; lane < n; lane++) {
        guint64 low = base[lane], high = wide ? base[lane + n] : 0;
        guint64 address = ((low | high << 32) + added) & keep;
        ret_address[lane] = mask >> lane & 1 ? address : ret_address[lane];
    }
}

/* Code addresses count bytes from the program's first instruction, 16 an instruction. */
void ws_lane_targets(const WsDecodedProgram *program, const WsDecoded *instruction,
                     const WsWarpRegisters *warp, guint64 mask,
                     guint32 ret_target[WS_MAX_WARP_SIZE])
{
    guint64 first = instruction->opcode == WS_OP_BRX ? instruction->immediate : 0;
    for (guint lane = 0; lane < program->warp_size; lane++) {
        if (mask >> lane & 1) {
            guint32 bytes = ws_row_value(program, warp, instruction->a, lane);
            gint64 target = (gint64)first + (gint64)(gint32)bytes / WS_INSTRUCTION_BYTES;
            gboolean possible = bytes % WS_INSTRUCTION_BYTES == 0 && target >= 0 &&
                                target < (gint64)program->program->instruction_count;
            ret_target[lane] = possible ? (guint32)target : G_MAXUINT32;
        }
    }
}
