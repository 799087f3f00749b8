/* Takes the samples of a launch while it runs. Inside the library only. */
#ifndef WS_SIM_GPU_SAMPLER_H
#define WS_SIM_GPU_SAMPLER_H

#include "sim/gpu/gpu.h"

typedef struct WsSampler WsSampler;

/* Of a launch that has begun and not run; `sampling` outlives it. NULL if that is NULL. */
WsSampler *ws_sampler_new(WsGpuLaunch *launch, const WsSampleSink *sampling);
void ws_sampler_free(WsSampler *sampler); /* NULL does nothing */

/* The cycle at which the launch is to be held up next; without a sampler G_MAXUINT64. */
guint64 ws_sampler_next(const WsSampler *sampler);
/* All SMs have come to that cycle. */
void ws_sampler_take(WsSampler *sampler);
/* A window was closed, and blocks take the room that it made: the samples in it are complete. Does
 * nothing without a sampler. */
void ws_sampler_close_window(WsSampler *sampler);
/*
 * The launch is over: its SMs are charged, its host threads have ended, and what is left in memory
 * has not been served. Tells the rest, and adds the counters of the SMs to those of the launch
 * where each had its own.
 */
void ws_sampler_finish(WsSampler *sampler);

#endif
