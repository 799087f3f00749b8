/* Programs of a subject, each compiled once for all tests that want it alike. Inside the room only.
 */
#ifndef WS_GRADE_TRIAL_PROGRAM_CACHE_H
#define WS_GRADE_TRIAL_PROGRAM_CACHE_H

#include "sim/launch/launch.h"
#include "sim/launch/program_store.h"

typedef struct WsProgramCache WsProgramCache;

/*
 * `includes`: folders that programs may include from besides their own, NULL-terminated. `disk`: as
 * WsLoadBounds.cache. Both must stay.
 */
WsProgramCache *ws_program_cache_new(const char *const *includes, const char *disk);
void ws_program_cache_free(WsProgramCache *cache);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsProgramCache, ws_program_cache_free)

/* The program that jobs get from here on: a path, read with its folder and the includes only. */
void ws_program_cache_set_path(WsProgramCache *cache, const char *path);

/* For WsJobOptions.program, or .policy. */
const WsGivenProgram *ws_program_cache_source(WsProgramCache *cache);

/* For WsJobOptions.programs, where a policy is the subject: kernels of the assignment's own. */
WsProgramStore *ws_program_cache_kernels(WsProgramCache *cache);

/* Whether the last job came as far as its program: what fails before is the assignment's. */
gboolean ws_program_cache_asked(const WsProgramCache *cache);
/* Whether the last job that could not be loaded failed because of its program. */
gboolean ws_program_cache_failed(const WsProgramCache *cache);
/* Whether the launch file defines macros for the program. */
gboolean ws_program_cache_defines(const WsProgramCache *cache);

#endif
