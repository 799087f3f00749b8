#include "sim/memory/matrix_load.h"

#include <string.h>

#include "sim/memory/bank_conflicts.h"

enum { LANES = 32, ROWS = 8 };

static guint matrices_of(const WsDecoded *instruction)
{
    return 1u << ws_decoded_modifier(instruction, MATRIX_COUNT);
}

guint64 ws_matrix_load_lanes(const WsDecoded *instruction)
{
    return 0xffffffffu >> (LANES - ROWS * matrices_of(instruction));
}

guint32 ws_matrix_load_passes(const WsDecoded *instruction, const guint64 *offset, guint32 banks)
{
    guint32 passes = 0;
    for (guint m = 0; m < matrices_of(instruction); m++) {
        guint64 words[WS_MAX_WARP_SIZE];
        for (guint lane = 0; lane < LANES; lane++)
            words[lane] = offset[ROWS * m + lane / 4] + 4 * (lane % 4);
        passes += ws_bank_passes(words, 0xffffffffu, LANES, 4, banks, TRUE).wavefronts;
    }
    return passes;
}

static guint16 element(const guint8 *row, guint n)
{
    guint16 value;
    memcpy(&value, row + 2 * n, 2);
    return value;
}

void ws_matrix_load(const WsDecoded *instruction, WsWarpRegisters *warp,
                    const guint8 *const rows[32])
{
    gboolean transposed = ws_decoded_modifier(instruction, MATRIX_LAYOUT) == WS_MATRIX_TRANSPOSED;
    if (instruction->d < 0)
        return;
    for (guint m = 0; m < matrices_of(instruction); m++) {
        guint32 *to = warp->registers + ((gsize)instruction->d + m) * LANES;
        const guint8 *const *row = &rows[ROWS * m];
        for (guint lane = 0; lane < LANES; lane++) {
            guint r = lane / 4, c = lane % 4 * 2;
            guint16 low = transposed ? element(row[c], r) : element(row[r], c);
            guint16 high = transposed ? element(row[c + 1], r) : element(row[r], c + 1);
            to[lane] = low | (guint32)high << 16;
        }
    }
}
