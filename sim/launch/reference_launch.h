/*
 * Expectations that another kernel of the program computes: `expect: [{buffer: c, kernel: plain}]`.
 * The reference kernel runs on a copy of the initial buffers and variables, without timing.
 */
#ifndef WS_SIM_LAUNCH_REFERENCE_LAUNCH_H
#define WS_SIM_LAUNCH_REFERENCE_LAUNCH_H

#include "sim/launch/reader.h"

/*
 * Reads the launch of an expectation with `kernel`; what `node` leaves out of grid, block,
 * dynamic_shared_bytes and params is that of the only launch. `ret` is one more than its place in
 * reader->reference_launches; equal launches have one place. Errors: WS_ERROR_INPUT.
 */
gboolean ws_reference_launch_read(WsLaunchReader *reader, const WsYamlNode *node, guint32 *ret,
                                  GError **error);

#endif
