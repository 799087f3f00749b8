/* Operations of several instructions, as nvcc compiled them. */
#include <string.h>

#include "rows.h"

enum { FEW = 8, MANY = 40 };

/* `steps` of them one behind the other; the file has `a` of them. */
static double chain(const Row *row, guint steps)
{
    g_autofree char *compiled = row_loop(row->text);
    g_auto(GStrv) parts = g_strsplit(compiled, "%l", -1);
    g_autoptr(GString) body = g_string_new(NULL);
    Probe probe = {.setup = "    MOV R16, 0x3fc00000 ;\n    MOV R18, 0x3fa00000 ;\n"
                            "    MOV R20, RZ ;\n    MOV R21, 0x3ff80000 ;\n"
                            "    MOV R22, 7000000 ;\n    MOV R23, 0x40000000 ;\n"
                            "    MOV R24, 7000001 ;\n    MOV R25, 7000001 ;\n"
                            "    MOV R29, 0x3fa00000 ;\n    MOV R31, 0x3fa00000 ;\n"
                            "    MOV R32, 77 ;\n    MOV R35, 77 ;\n    MOV R36, 77 ;\n",
                   .setting = "dependences=control"};

    for (guint copy = 0; copy < steps / row->a; copy++) {
        g_autofree char *number = g_strdup_printf("%u", copy);
        g_autofree char *text = g_strjoinv(number, parts);

        g_string_append(body, text);
    }
    probe.body = body->str;
    return probe_cycles(&probe);
}

static double step(const Row *row)
{
    return (chain(row, MANY) - chain(row, FEW)) / (MANY - FEW);
}

/* `file` holds `steps` steps: registers take turns. */
#define SEQUENCE(name, file, steps, measured, error)                                               \
    ROW(name, measured, error, step, file, 1, steps, 0)

static const Row sequence_rows[] = {
    SEQUENCE("div.approx.f32", "divide_approximate", 4, 41.12, 1),
    SEQUENCE("div.full.f32", "divide_full", 4, 45.12, 1),
    SEQUENCE("div.rn.f32", "divide_f32", 2, 57.25, 1),
    SEQUENCE("sqrt.rn.f32", "square_root_f32", 2, 55.19, 1),
    SEQUENCE("rcp.rn.f32", "reciprocal_f32", 2, 76.34, 1),
    SEQUENCE("div.rn.f64", "divide_f64", 2, 123.9, 1),
    SEQUENCE("div.s32", "divide_s32", 2, 137.6, 2),
    SEQUENCE("rem.s32", "remainder_s32", 2, 138.2, 4),
    SEQUENCE("div.u32", "divide_u32", 2, 129.6, 2),
};

const Group sequence_group = {
    "Sequences of instructions",
    "Divisions and roots as nvcc 13.0 compiles them (tests/model/loops). One warp runs chains of 8 "
    "and 40 steps; the time of a step is the difference of the times divided by 32. The simulated "
    "device obeys the control fields of the compiled code (`dependences=control`).",
    sequence_rows, G_N_ELEMENTS(sequence_rows)};
