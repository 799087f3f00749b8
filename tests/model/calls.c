/* Calls of functions: CALL and RET. */
#include "rows.h"

/*
 * `count` calls of two MOVs and `a` NOPs, with three MOVs in front and the stall counts of the
 * compiled code. (There the third MOV sets the return address.)
 */
static double cycles_of_calls(const Row *row, guint count)
{
    g_autoptr(GString) setup = g_string_new("    BRA over ;\ncallee:\n"
                                            "    MOV R23, RZ {stall=1} ;\n"
                                            "    MOV R22, R21 {stall=9} ;\n");
    g_autoptr(GString) body = g_string_new(NULL);
    Probe probe = {.setting = "dependences=control"};

    for (guint i = 0; i < row->a; i++)
        g_string_append(setup, "    NOP {stall=1} ;\n");
    g_string_append(setup, "    RET.REL R22 {stall=6} ;\nover:\n");
    for (guint i = 0; i < count; i++)
        g_string_append(body,
                        "    MOV R16, R18 {stall=1} ;\n    MOV R17, R19 {stall=1} ;\n"
                        "    MOV R20, RZ {stall=7} ;\n    CALL.REL R21, callee {stall=5} ;\n");
    probe.setup = setup->str;
    probe.body = body->str;
    return probe_cycles(&probe);
}

double calls(const Row *row)
{
    return (cycles_of_calls(row, 8) - cycles_of_calls(row, 2)) / 6;
}
