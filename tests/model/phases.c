/* Chains of two warps of a sub-core, which wait for each other's reads of registers. */
#include "rows.h"

#include <math.h>

enum { PHASES = 8, SHORT = 64, LONG = 320 };

/* Warps 0 to 3 do `steps` steps; 4 to 7 the same, `offset` cycles later. */
static double chain_cycles(const Row *row, guint offset, guint steps)
{
    g_autoptr(GString) body = g_string_new("    MOV R18, R10 ;\n    SHF.R.U32 R16, R0, 7 ;\n"
                                           "    ISETP.NE P0, R16, RZ ;\n@P0 BRA second ;\n");
    Probe probe = {.warps = 8};

    for (guint i = 0; i < steps; i++)
        g_string_append_printf(body, "    %s ;\n", row->text);
    g_string_append(body, "    BRA done ;\nsecond:\n");
    for (guint i = 0; i < offset; i++)
        g_string_append(body, "    NOP ;\n");
    for (guint i = 0; i < steps; i++)
        g_string_append_printf(body, "    %s ;\n", row->text);
    g_string_append(body, "done:\n");
    probe.body = body->str;
    return probe_cycles(&probe);
}

/* Cycles a step of the last chain, the least (`a` = 0) or the most over how far apart they begin.
 */
static double step_cycles(const Row *row)
{
    double found = row->a == 0 ? INFINITY : 0;

    for (guint offset = 0; offset < PHASES; offset++) {
        double few = chain_cycles(row, offset, SHORT), many = chain_cycles(row, offset, LONG);
        double cycles = (many - few) / (LONG - SHORT);

        found = row->a == 0 ? MIN(found, cycles) : MAX(found, cycles);
    }
    return found;
}

#define PHASE(name, step, most, measured)                                                          \
    {                                                                                              \
        name, measured, 1, step_cycles, step, 0, most, 0                                           \
    }
#define TWO_EVEN "FFMA R18, R10, R18, R11"

static const Row phase_rows[] = {
    PHASE("FFMAs of 2 even registers, least", TWO_EVEN, 0, 4),
    PHASE("FFMAs of 2 even registers, most", TWO_EVEN, 1, 4.988),
    PHASE("FFMAs of an even and an odd register, most", "FFMA R18, R18, R18, R11", 1, 4),
    PHASE("FADDs with an immediate, most", "FADD R18, R18, 0.5", 1, 4),
};

const Group phase_group = {"Chains of two warps of a sub-core",
                           "Cycles a step of the same dependent instructions in two warps, the "
                           "least or the most over how far apart they begin.",
                           phase_rows, G_N_ELEMENTS(phase_rows)};
