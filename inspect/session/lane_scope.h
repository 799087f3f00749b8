/*
 * What the names of an expression on lanes stand for (sim/expression/scope.h):
 *
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

#include "inspect/session/lane_names.h"
#include "sim/expression/typed.h"

typedef struct WsLaneScope WsLaneScope;

/* Which warp, where in the program: `where` of an evaluation. */
typedef struct {
    const WsSm *sm;
    guint32 slot;
    guint32 pc;
} WsLanePlace;

/* For the kernel of a launch; the timeline must live longer. */
WsLaneScope *ws_lane_scope_new(const WsTimeline *timeline, const WsLaunch *launch);
void ws_lane_scope_free(WsLaneScope *scope);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsLaneScope, ws_lane_scope_free)
const WsScope *ws_lane_scope_of(const WsLaneScope *scope);

/* Names that begin so, without registers, for completion; NULL-terminated, g_strfreev. */
char **ws_lane_scope_names(const WsLaneScope *scope, const char *begin);

/*
 * An expression in the scope. Errors: WS_ERROR_USAGE, with the column of `what`.
 */
WsTyped *ws_lane_scope_compile(const WsLaneScope *scope, const char *what, const char *text,
                               GError **error);

/* What an address is called: "x[3]", "tile + 12", or "" where nothing is. g_free. */
char *ws_lane_scope_address_name(const WsLaneScope *scope, guint64 address, guint32 bytes);

/* Whether the expression looks into global memory, whose contents lag behind while SMs run. */
gboolean ws_lane_scope_reads_memory(const WsTyped *typed);

#endif
