/* Stall reasons: names and order come from stall.def. */
#ifndef WS_SIM_BASE_STALL_H
#define WS_SIM_BASE_STALL_H

typedef enum {
#define STALL(name, ...) WS_STALL_##name,
#include "sim/base/stall.def"
#undef STALL
    WS_STALL_COUNT
} WsStall;

const char *ws_stall_name(WsStall stall);
const char *ws_stall_letter(WsStall stall);
const char *ws_stall_help(WsStall stall);
/* What textbooks call it: "executing" (it issues), "ready" (it could) or "stalled". */
const char *ws_stall_state(WsStall stall);

#endif
