/* Writes docs/reference/stalls.md from sim/base/stall.def, on standard output. */
#include <glib.h>
#include <stdio.h>

#include "sim/base/stall.h"

int main(void)
{
    printf(
        "# Stall reasons\n\n"
        "This page is generated from `sim/base/stall.def` by `docs/generate_stalls.c`; do not edit "
        "it.\n\nThe reasons are in order of precedence: if several apply, the first one counts. "
        "The exact conditions\nare in [model.md](../understand/model.md#stall-reasons). The state "
        "is the term of textbooks: in each\ncycle a warp is executing, ready or stalled.\n\n"
        "| Reason | Letter | State | When |\n| --- | --- | --- | --- |\n");
    for (WsStall i = 0; i < WS_STALL_COUNT; i++)
        printf("| `%s` | %s | %s | %s |\n", ws_stall_name(i), ws_stall_letter(i), ws_stall_state(i),
               ws_stall_help(i));
    return 0;
}
