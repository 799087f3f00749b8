/* How a run ended. */
#ifndef WS_SIM_BASE_STATUS_H
#define WS_SIM_BASE_STATUS_H

typedef enum {
    WS_STATUS_OK,
    WS_STATUS_CHECK_FAILED,
    WS_STATUS_FAULT,
    WS_STATUS_DEADLOCK,
    WS_STATUS_LIVELOCK,
    WS_STATUS_LIMIT,
    WS_STATUS_INTERRUPTED /* WsRunOptions.interrupt */
} WsStatus;

const char *ws_status_name(WsStatus status);
int ws_status_exit_code(WsStatus status);

#endif
