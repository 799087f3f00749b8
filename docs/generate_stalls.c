/* Writes docs/stalls.md from sim/base/stall.def, on standard output. */
#include <glib.h>
#include <stdio.h>

#include "sim/base/stall.h"

static const struct {
    const char *name, *letter, *help;
} stalls[WS_STALL_COUNT] = {
#define STALL(NAME, name, letter, help) [WS_STALL_##NAME] = {name, letter, help},
#include "sim/base/stall.def"
#undef STALL
};

int main(void)
{
    printf(
        "# Stall reasons\n\n"
        "This page is generated from `sim/base/stall.def` by `docs/generate_stalls.c`; do not edit "
        "it.\n\nIn order of precedence: where several hold, the first one counts. The exact "
        "conditions are in\n[model.md](model.md#stall-reasons).\n\n"
        "| Reason | Letter | When |\n| --- | --- | --- |\n");
    for (guint i = 0; i < G_N_ELEMENTS(stalls); i++)
        printf("| `%s` | %s | %s |\n", stalls[i].name, stalls[i].letter, stalls[i].help);
    return 0;
}
