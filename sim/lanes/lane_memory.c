/* Targets of single lanes (sim/lanes/lanes.h). */
#include "sim/lanes/private.h"

/* Code addresses count bytes from the program's first instruction, in machine code from the
 * kernel's; 16 an instruction. */
void ws_lane_targets(const WsDecodedProgram *program, const WsDecoded *instruction,
                     const WsWarpRegisters *warp, guint64 mask,
                     guint32 ret_target[WS_MAX_WARP_SIZE])
{
    guint64 start = program->program->machine != 0 ? program->kernel->first : 0;
    guint64 first = instruction->kind == WS_KIND_BRX ? instruction->immediate : start;
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
