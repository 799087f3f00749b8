/* Memory as a lane sees it, for expressions. */
#ifndef WS_INSPECT_SESSION_LANE_MEMORY_H
#define WS_INSPECT_SESSION_LANE_MEMORY_H

#include "inspect/session/lane_names.h"

/* Kinds of objects in memory, behind those of lane_names.h. `base` is their first byte. */
typedef enum {
    WS_MEMORY_GENERIC = WS_OBJECT_KINDS, /* a generic address */
    WS_MEMORY_SHARED,                    /* of the block's shared memory */
    WS_MEMORY_LOCAL,                     /* of the thread's local memory */
    WS_MEMORY_PARAMETER,                 /* of the launch's parameters */
    WS_MEMORY_KINDS
} WsMemoryKind;

/* As WsScope.load, of such an object, or NULL: generic addresses. */
void ws_lane_memory_load(const WsGlobalMemory *contents, const WsSm *sm, guint32 slot,
                         const WsObject *object, const WsValueType *type, const WsRow *offset,
                         guint64 mask, WsRow *ret);

/* The bits of a scalar of the type that are kept at `bytes`, as rows have them. */
guint64 ws_scalar_bits(const WsValueType *type, const guint8 *bytes);

#endif
