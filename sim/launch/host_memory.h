/*
 * How much of the host's memory a job may take: its buffers and what is expected of them, the
 * images of its variables, and the machine of a launch (machine_memory.h). Everything is asked for
 * before it is taken, so that too much is an error and never the end of the program.
 */
#ifndef WS_SIM_LAUNCH_HOST_MEMORY_H
#define WS_SIM_LAUNCH_HOST_MEMORY_H

#include "sim/launch/launch.h"

/* The limit where none is given: 4 GiB. */
#define WS_DEFAULT_MAX_MEMORY (G_GUINT64_CONSTANT(4) << 30)

/* "640 MiB", "4 GiB": rounded up, so that it is enough. Free with g_free. */
char *ws_host_memory_text(guint64 bytes);

/* "4294967296", "512M", "4 GiB": bytes; K, M, G, T and KiB.. are powers of 1024. */
gboolean ws_host_memory_parse(const char *text, guint64 *ret);

/* What the job may take. */
guint64 ws_host_memory_limit(const WsJob *job);

/* Adds `bytes` to what the job takes; FALSE if that would be more than its limit. */
gboolean ws_host_memory_take(WsJob *job, guint64 bytes);

#endif
