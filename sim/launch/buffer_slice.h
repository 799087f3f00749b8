/* Values of buffers that the user wants to see after a run: BUFFER, BUFFER[i] or BUFFER[a:b]. */
#ifndef WS_SIM_LAUNCH_BUFFER_SLICE_H
#define WS_SIM_LAUNCH_BUFFER_SLICE_H

#include "sim/launch/launch.h"

#include <json-glib/json-glib.h>

typedef struct WsBufferSlice {
    guint32 buffer; /* into WsJob.buffers */
    guint64 first;
    guint64 count; /* elements */
} WsBufferSlice;

/*
 * Reads "y", "y[3]", "y[a:b]" (a up to but without b), "y[:b]" or "y[a:]". Errors: WS_ERROR_USAGE,
 * beginning with `option`, for a text of another form, a buffer that the job lacks and elements
 * that the buffer lacks.
 */
gboolean ws_buffer_slice_parse(const WsJob *job, const char *option, const char *text,
                               WsBufferSlice *ret, GError **error);

/* The buffer of `job` that is called `name`, or NULL with WS_ERROR_USAGE: "OPTION TEXT: ...". */
const WsBuffer *ws_buffer_of_option(const WsJob *job, const char *option, const char *text,
                                    const char *name, GError **error);

/*
 * Adds what each of the NULL-terminated `texts` names to job->shown; `texts` may be NULL. Errors as
 * above.
 */
gboolean ws_job_show(WsJob *job, const char *option, char *const *texts, GError **error);

/* Rows of values, each with the number of its first element. Free with g_free. */
char *ws_buffer_slice_text(const WsJob *job, const WsBufferSlice *slice);

/*
 * An object: `buffer`, `type`, `first`, `values`. Values that JSON has no number for are texts:
 * nan, inf, -inf, and u64 from 2^63 on.
 */
void ws_buffer_slice_add_json(const WsJob *job, const WsBufferSlice *slice, JsonBuilder *json);

#endif
