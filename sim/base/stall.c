#include "sim/base/stall.h"

#include <glib.h>

typedef struct {
    const char *name;
    const char *letter;
    const char *help;
} Row;

static const Row rows[WS_STALL_COUNT] = {
#define STALL(enum_name, text, letter, help) [WS_STALL_##enum_name] = {text, letter, help},
#include "sim/base/stall.def"
#undef STALL
};

const char *ws_stall_name(WsStall stall)
{
    return rows[stall].name;
}

const char *ws_stall_letter(WsStall stall)
{
    return rows[stall].letter;
}

const char *ws_stall_help(WsStall stall)
{
    return rows[stall].help;
}

const char *ws_stall_state(WsStall stall)
{
    if (stall == WS_STALL_SELECTED)
        return "executing";
    return stall == WS_STALL_NOT_SELECTED ? "ready" : "stalled";
}
