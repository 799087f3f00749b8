/* A job as one value of GVariant: all that decides its run, with nothing left to look up. */
#ifndef WS_INSPECT_RECORDING_JOB_IMAGE_H
#define WS_INSPECT_RECORDING_JOB_IMAGE_H

#include "sim/launch/launch.h"

/* kernel, grid, block, dynamic shared bytes, parameters, carveout, cache: keep, references
 * (offset, buffer, offset in it), initial states (warp, start, ready, stall, registers) */
#define WS_LAUNCH_IMAGE "(u(uuu)(uuu)uayiba(uut)a(uubuua(uu)))"
/* program, settings of the device, path, let, buffers (name, type, count, contents), module,
 * constants, launches, reference launches, expectations (buffer, relative, absolute, equal_nan,
 * file, reference, contents), texts of the program's files, program of a policy that is a file */
#define WS_JOB_IMAGE                                                                               \
    "(ayassa(sx)a(sstay)ayaya" WS_LAUNCH_IMAGE "a" WS_LAUNCH_IMAGE "a(uddbsuay)asay)"

/*
 * The job before it has run. Floating. Errors: WS_ERROR_INPUT, a job that cannot be recorded (one
 * with textures).
 */
GVariant *ws_job_image_new(const WsJob *job, GError **error);

/*
 * The job of an image of the type above, whatever that holds: everything is checked as in a launch
 * file, and no file is read. `path` is for messages, `max_memory` as in WsJobOptions. Errors:
 * WS_ERROR_INPUT.
 */
WsJob *ws_job_image_load(GVariant *image, const char *path, guint64 max_memory, GError **error);

#endif
