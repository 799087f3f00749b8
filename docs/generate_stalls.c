/* Writes docs/reference/stalls.md from sim/base/stall.def, on standard output. */
#include <glib.h>
#include <stdio.h>

#include "sim/base/stall.h"

int main(void)
{
    printf(
        "# Stall reasons\n\n"
        "This page is generated from `sim/base/stall.def` by `docs/generate_stalls.c`; do not edit "
        "it.\n\nIn order of precedence: if several apply, the first one counts. The exact "
        "conditions are in\n[model.md](../understand/model.md#stall-reasons). The state is what "
        "textbooks call "
        "it: each warp is executing,\nready or stalled in each cycle.\n\n"
        "| Reason | Letter | State | When |\n| --- | --- | --- | --- |\n");
    for (WsStall i = 0; i < WS_STALL_COUNT; i++)
        printf("| `%s` | %s | %s | %s |\n", ws_stall_name(i), ws_stall_letter(i), ws_stall_state(i),
               ws_stall_help(i));
    return 0;
}
