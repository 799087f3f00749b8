/* Writes docs/reference/stalls.md from sim/base/stall.def, on standard output. */
#include <glib.h>
#include <stdio.h>

#include "sim/base/stall.h"

int main(void)
{
    printf(
        "# Stall reasons\n\n"
        "This page is generated from `sim/base/stall.def` by `docs/generate_stalls.c`; do not edit "
        "it.\n\nIn each cycle exactly one reason counts for a warp. The exact conditions, and "
        "which "
        "reason counts if\nseveral apply, are in [model.md](../understand/model.md#stall-reasons). "
        "The state is the term of\ntextbooks: in each cycle a warp is executing, ready or "
        "stalled.\n\n"
        "| Reason | Letter | State | When |\n| --- | --- | --- | --- |\n");
    for (WsStall i = 0; i < WS_STALL_COUNT; i++)
        printf("| `%s` | %s | %s | %s |\n", ws_stall_name(i), ws_stall_letter(i), ws_stall_state(i),
               ws_stall_help(i));
    return 0;
}
