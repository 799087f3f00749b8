/*
 * Shared by the decoder and the bodies: the list of bodies, and a table of them per host level.
 * The files lanes_*.c are compiled once per level with WS_LEVEL set to a name; every symbol they
 * export carries it.
 */
#ifndef WS_SIM_LANES_PRIVATE_H
#define WS_SIM_LANES_PRIVATE_H

#include "sim/lanes/lanes.h"

typedef enum {
#define BODY(name) WS_BODY_##name,
#include "sim/lanes/bodies.def"
#undef BODY
    WS_BODY_COUNT
} WsBody;

typedef struct {
    const char *name; /* of the level */
    WsLaneAddresses addresses;
    WsLaneBody bodies[WS_BODY_COUNT];
} WsBodyTable;

#define WS_ARGUMENTS                                                                               \
    const WsDecodedProgram *program, const WsDecoded *instruction, WsWarpRegisters *warp,          \
        const WsLaneContext *context, guint64 mask

#define WS_JOIN_(a, b, c) a##_##b##_##c
#define WS_JOIN(a, b, c)  WS_JOIN_(a, b, c)

/* The bodies for this host, best level first, with the table that the host can run. */
const WsBodyTable *ws_lanes_table(const char *force);

/* The body for an instruction: depends on its modifiers. WS_BODY_COUNT if it has none. */
WsBody ws_lanes_choose(const WsInstruction *instruction);

#ifdef WS_LEVEL

#define WS_NAME(name) WS_JOIN(ws_lanes, WS_LEVEL, name)

#define BODY(name) void WS_NAME(name)(WS_ARGUMENTS);
#include "sim/lanes/bodies.def"
#undef BODY
void WS_NAME(addresses)(const WsDecodedProgram *program, const WsDecoded *instruction,
                        const WsWarpRegisters *warp, guint64 mask, guint32 bytes,
                        guint64 ret_address[WS_MAX_WARP_SIZE], WsAddressSpan *ret_span);

#endif

#endif
