/* Who wrote an element of a buffer last. Inside the room only. */
#ifndef WS_GRADE_TRIAL_LAST_WRITER_H
#define WS_GRADE_TRIAL_LAST_WRITER_H

#include "sim/launch/launch.h"

/*
 * Runs the launches of a job that has not run yet, without timing. "block (0,0,0), thread (3,0,0)
 * at transpose.cu:12 (STG)"; "" if nothing writes it; NULL if that is not found out: the run stops
 * early, or a launch takes more than `most_instructions` of its warps. Free with g_free. The job
 * has run then.
 */
char *ws_last_writer(WsJob *job, guint32 buffer, guint64 element, guint64 most_instructions);

#endif
