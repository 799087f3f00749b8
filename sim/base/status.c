#include "sim/base/status.h"

#include "isa/base/error.h"

typedef struct {
    const char *name;
    int exit_code;
} Status;

static const Status statuses[] = {
    [WS_STATUS_OK] = {"ok", 0},
    [WS_STATUS_CHECK_FAILED] = {"check_failed", WS_ERROR_CHECK},
    [WS_STATUS_FAULT] = {"fault", WS_ERROR_FAULT},
    [WS_STATUS_DEADLOCK] = {"deadlock", WS_ERROR_DEADLOCK},
    [WS_STATUS_LIVELOCK] = {"livelock", WS_ERROR_DEADLOCK},
    [WS_STATUS_LIMIT] = {"limit", WS_ERROR_LIMIT},
    [WS_STATUS_INTERRUPTED] = {"interrupted", WS_ERROR_LIMIT},
};

const char *ws_status_name(WsStatus status)
{
    return statuses[status].name;
}

int ws_status_exit_code(WsStatus status)
{
    return statuses[status].exit_code;
}
