/*
 * Occupancy queries in bulk: CSV in, CSV out.
 *
 * The first line names the columns, in any order: device, block, regs, smem, dynamic_smem, carveout
 * (only `block` and `regs` are required; device may be given on the command line instead). Further
 * columns are carried over. Every line of the answer is the line of the question followed by
 * blocks_per_sm, warps_per_sm, occupancy, limit_warps, limit_registers, limit_shared, limit_blocks,
 * limit_barriers (empty: no limit), limiters (joined by +), registers_per_block and
 * shared_bytes_per_block. Fields may be in quotes, as in RFC 4180. Blanks around a field do not
 * count; an empty field is the default, except of `block` and `regs`.
 */
#ifndef WS_CLI_OCCUPANCY_BATCH_H
#define WS_CLI_OCCUPANCY_BATCH_H

#include "sim/device/device.h"

/*
 * Answers the queries of `text` (`name` in messages). `write` is called with pieces of the answer,
 * in order. `device` serves lines that name none; may be NULL. Errors: WS_ERROR_INPUT with file,
 * line and column for a value that is no number, a block of 0 threads, an unknown device or column.
 */
gboolean ws_occupancy_batch(const char *name, const char *text, gsize length,
                            const WsDevice *device, void (*write)(const char *, gsize, void *),
                            void *data, GError **error);

#endif
