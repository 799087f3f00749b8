/*
 * Names for what a lane is and for its registers, in expressions:
 *
 *   threadIdx.x .y .z, blockIdx, blockDim, gridDim, warpSize, laneId, warpId   as in CUDA
 *   thread.x .y .z, block.x .y .z                       the first two, shorter
 *   lane, warp, block, sm, slot, cycle                  numbers; the warp is that in its block, the
 *                                                       block its linear number
 *   R0.., R0.s32, R0.f32, R0.u64 .s64 .f64 (with the next register), UR0.., UR0.s32 .f32
 *   P0..P6, UP0..UP6                                    0 or 1
 */
#ifndef WS_INSPECT_SESSION_LANE_NAMES_H
#define WS_INSPECT_SESSION_LANE_NAMES_H

#include "inspect/session/focus.h"
#include "sim/expression/scope.h"

/* Which warp, where in the program: `where` of an evaluation. */
typedef struct {
    const WsSm *sm;
    guint32 slot;
    guint32 pc;
} WsLanePlace;

/* Kinds of objects; those from WS_OBJECT_KINDS on are others'. */
typedef enum {
    WS_OBJECT_PLACE, /* `index`: of lane_names.def; `base`: first of x, y, z */
    WS_OBJECT_REGISTER,
    WS_OBJECT_UNIFORM,
    WS_OBJECT_PREDICATE,
    WS_OBJECT_UNIFORM_PREDICATE,
    WS_OBJECT_KINDS
} WsLaneObjectKind;

/* FALSE: the kernel has no such thing; *ret_problem, if it knows better, says so (g_free). */
gboolean ws_lane_name_find(const WsKernel *kernel, const char *name, WsObject *ret,
                           char **ret_problem);
/* Names without registers; NULL-terminated. */
extern const char *const ws_lane_names[];

/* As WsScope.load, of such an object. */
void ws_lane_name_load(const WsSm *sm, guint32 slot, const WsObject *object,
                       const WsValueType *type, const WsRow *offset, guint64 mask, WsRow *ret);

/* The value of a name in a lane; FALSE if the kernel has no such thing. */
gboolean ws_lane_value(const WsSm *sm, guint32 slot, guint32 lane, const char *name, gint64 *ret);

#endif
