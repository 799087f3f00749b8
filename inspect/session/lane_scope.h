/*
 * What the names of an expression on lanes stand for (sim/expression/scope.h), the first that fits:
 *
 *   a variable of the source that is in scope where the lane is (source_variables.h)
 *   the names of lane_names.h
 *   BUFFER             an array of its elements, as global memory holds them
 *   a __shared__ variable of the kernel, or an array that the launch file has in dynamic shared
 *   memory; `shared`   all bytes of the block's shared memory
 *   a parameter of the kernel
 *   a __device__ or __constant__ variable
 *
 * Pointers are generic addresses.
 */
#ifndef WS_INSPECT_SESSION_LANE_SCOPE_H
#define WS_INSPECT_SESSION_LANE_SCOPE_H

#include "inspect/session/source_variables.h"
#include "sim/expression/typed.h"

typedef struct WsLaneScope WsLaneScope;

/* For the kernel of a launch; the timeline must live longer. */
WsLaneScope *ws_lane_scope_new(const WsTimeline *timeline, const WsLaunch *launch);
/* The same, where names mean what they mean in one of the functions that lanes are in, by its scope
 * (WS_NO_SCOPE: in that of each lane's own instruction). */
WsLaneScope *ws_lane_scope_new_in(const WsTimeline *timeline, const WsLaunch *launch,
                                  guint32 function);
void ws_lane_scope_free(WsLaneScope *scope);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsLaneScope, ws_lane_scope_free)
const WsScope *ws_lane_scope_of(const WsLaneScope *scope);

/* Names at an instruction, or with WS_NO_INSTRUCTION those that mean the same everywhere. */
typedef struct {
    WsScope scope;
    const WsLaneScope *lanes;
    guint32 pc, source_scope;
    GArray *variables; /* of guint32: those of the source that were found */
    gboolean by_place; /* what was looked for can mean something else at another place */
} WsLaneView;

void ws_lane_view_init(WsLaneView *view, const WsLaneScope *scope, guint32 pc);
void ws_lane_view_clear(WsLaneView *view);
/* Whether the instruction is outside of the function whose names are meant. */
gboolean ws_lane_view_is_elsewhere(const WsLaneView *view);

/* The variables of the source. */
const WsSourceVariables *ws_lane_scope_variables(const WsLaneScope *scope);

/*
 * Names that begin so, without registers, for completion, with the variables that are in scope at
 * the instruction; NULL-terminated, g_strfreev.
 */
char **ws_lane_scope_names(const WsLaneScope *scope, guint32 pc, const char *begin);

/* What an address is called: "x[3]", "tile + 12", or "" where nothing is. g_free. */
char *ws_lane_scope_address_name(const WsLaneScope *scope, guint64 address, guint32 bytes);

#endif
