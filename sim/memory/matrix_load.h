/*
 * LDSM: 1, 2 or 4 matrices of 8x8 16-bit elements from shared memory. Lane 8m + r has the address
 * of row r of matrix m, 16 bytes; register m of lane 4r + c receives word c of row r, or with .MT88
 * elements r of rows 2c and 2c + 1.
 */
#ifndef WS_SIM_MEMORY_MATRIX_LOAD_H
#define WS_SIM_MEMORY_MATRIX_LOAD_H

#include "sim/lanes/lanes.h"

enum { WS_MATRIX_ROW_BYTES = 16 };

/* Lanes whose addresses count. */
guint64 ws_matrix_load_lanes(const WsDecoded *instruction);

/* Passes over the banks: each matrix is served by itself, its rows together. Measured on an H200:
 * 23, 25 and 29 cycles for 1, 2 and 4 matrices without conflicts, 85 for 4 whose rows share banks.
 */
guint32 ws_matrix_load_passes(const WsDecoded *instruction, const guint64 *offset, guint32 banks);

/* Row r of matrix m is at `rows[8m + r]`. */
void ws_matrix_load(const WsDecoded *instruction, WsWarpRegisters *warp,
                    const guint8 *const rows[32]);

#endif
