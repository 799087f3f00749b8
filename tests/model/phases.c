/* Chains of two warps of a sub-core, which wait for each other's reads and products. */
#include "rows.h"

#include <math.h>

enum {
    PHASES = 8,
    SHORT = 64,
    LONG = 320,
    BESIDE = 400,
    SECOND = 4 /* first of the warps 4 to 7 */
};

static void append(GString *body, guint count, const char *text)
{
    for (guint i = 0; i < count; i++)
        g_string_append_printf(body, "    %s ;\n", text);
}

/* Warps 0 to 3 do `first`; 4 to 7 `steps` of `second`, `offset` cycles later. */
static GString *two_chains(const char *first, guint first_steps, const char *second, guint steps,
                           guint offset)
{
    GString *body = g_string_new("    MOV R18, R10 ;\n    SHF.R.U32 R16, R0, 7 {stall=5} ;\n"
                                 "    ISETP.NE P0, R16, RZ {stall=13} ;\n"
                                 "@P0 BRA second ;\n");

    append(body, first_steps, first);
    g_string_append(body, "    BRA done ;\nsecond:\n");
    append(body, offset, "NOP");
    append(body, steps, second);
    g_string_append(body, "done:\n");
    return body;
}

static double chain_cycles(const Row *row, guint offset, guint steps)
{
    g_autoptr(GString) body = two_chains(row->text, steps, row->text, steps, offset);
    Probe probe = {.warps = 8, .body = body->str};

    return probe_cycles(&probe);
}

/* "step of the others : step that is timed", with the stall counts that are written there. */
static double beside_cycles(const Row *row, guint steps)
{
    g_auto(GStrv) texts = g_strsplit(row->text, " : ", 2);
    g_autoptr(GString) body = two_chains(texts[0], BESIDE, texts[1], steps, 0);
    Probe probe = {.warps = 8, .body = body->str, .setting = "dependences=control"};
    g_autofree Clocks *clocks = probe_clocks(&probe);

    return (double)(clocks[SECOND].end - clocks[SECOND].start);
}

static double beside(const Row *row)
{
    return (beside_cycles(row, LONG) - beside_cycles(row, SHORT)) / (LONG - SHORT);
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
#define BESIDE(name, others, step, measured, tolerance)                                            \
    {                                                                                              \
        name, measured, tolerance, beside, others " : " step, 8, 0, 0                              \
    }
#define PRODUCTS(name, product, measured, tolerance)                                               \
    BESIDE(name ", FADDs beside", product, "FADD R18, R18, 1.0 {stall=4}", measured, tolerance)
#define FADD_2 "FADD R26, R22, R23 {stall=2}"
#define FADD_7 "FADD R26, R26, R22 {stall=7}"
/* Both read results of one bank that the register file does not have yet: 8 cycles, not 6. */
#define SHIFTS                                                                                     \
    "SHF.R.U64 R28, R28, R36, R20 {stall=2} ;\n    SHF.R.U32.HI R20, RZ, R36, R20 {stall=4}"
#define LOGIC                                                                                      \
    "LOP3.LUT R28, R28, RZ, R20, 0x96 {stall=2} ;\n    LOP3.LUT R20, RZ, RZ, R20, 0x96 {stall=4}"
#define TWO_EVEN "FFMA R18, R10, R18, R11"

static const Row phase_rows[] = {
    PHASE("FFMAs of 2 even registers, smallest", TWO_EVEN, 0, 4),
    PHASE("FFMAs of 2 even registers, largest", TWO_EVEN, 1, 4.988),
    PHASE("FFMAs of an even and an odd register, largest", "FFMA R18, R18, R18, R11", 1, 4),
    PHASE("FADDs with an immediate, largest", "FADD R18, R18, 0.5", 1, 4),
    PRODUCTS("FFMA 4 of 2 even registers", "FFMA R18, R18, R12, R13 {stall=4}", 4, 1),
    PRODUCTS("IMAD 4", "IMAD R18, R18, R12, RZ {stall=4}", 4, 1),
    PRODUCTS("IMAD.WIDE 4", "IMAD.WIDE.U32 R18, R12, R13, RZ {stall=4}", 6, 1),
    PRODUCTS("IMAD.WIDE 8", "IMAD.WIDE.U32 R18, R12, R13, RZ {stall=8}", 5, 1),
    PRODUCTS("IMAD.WIDE 6, low word a factor", "IMAD.WIDE.U32 R18, R18, R12, RZ {stall=6}", 5.333,
             1),
    PRODUCTS("IMAD.WIDE 5", "IMAD.WIDE.U32 R18, R12, R13, RZ {stall=5}", 5.5, 1),
    PRODUCTS("IMAD.WIDE 10", "IMAD.WIDE.U32 R18, R12, R13, RZ {stall=10}", 4.797, 1),
    PRODUCTS("IMAD.HI 6, factor", "IMAD.HI.U32 R18, R18, R12, RZ {stall=6}", 6, 1),
    PRODUCTS("IMAD.HI 9, factor", "IMAD.HI.U32 R18, R18, R12, RZ {stall=9}", 4.852, 1),
    PRODUCTS("IMAD.HI 12, factor", "IMAD.HI.U32 R18, R18, R12, RZ {stall=12}", 4.667, 1),
    BESIDE("IMAD 3, FADDs of 2 cycles beside", "IMAD R24, R24, R21, RZ {stall=3}", FADD_2, 2, 1),
    BESIDE("IMAD 6, FADDs of 7 cycles beside", "IMAD R24, R24, R21, RZ {stall=6}", FADD_7, 7.203,
           1),
    BESIDE("IMAD.WIDE 4, FADDs of 2 cycles beside", "IMAD.WIDE.U32 R24, R20, R21, RZ {stall=4}",
           FADD_2, 3, 1),
    BESIDE("IMAD.WIDE 9, FADDs of 2 cycles beside", "IMAD.WIDE.U32 R24, R20, R21, RZ {stall=9}",
           FADD_2, 2.398, 1),
    BESIDE("IMAD.WIDE 8, FADDs of 7 cycles beside", "IMAD.WIDE.U32 R24, R20, R21, RZ {stall=8}",
           FADD_7, 8.711, 1),
    BESIDE("Shifts of one bank, FADDs of 2 cycles beside", SHIFTS, FADD_2, 2.66, 1),
    BESIDE("Shifts of one bank, FADDs of 7 cycles beside", SHIFTS, FADD_7, 9.703, 1),
    BESIDE("Shifts of one bank, FADDs beside", SHIFTS, "FADD R26, R26, R22 {stall=4}", 5.336, 7),
    BESIDE("Shifts of one bank, IMADs beside", SHIFTS, "IMAD R26, R26, R22, RZ {stall=4}", 5.672,
           1),
    BESIDE("Shifts of one bank, LOP3s beside", SHIFTS, "LOP3.LUT R26, R26, R22, RZ, 0x96 {stall=4}",
           8, 1),
    BESIDE("LOP3s of one bank, IMADs beside", LOGIC, "IMAD R26, R26, R22, RZ {stall=4}", 5.34, 1),
};

const Group phase_group = {
    "Chains of two warps of a sub-core",
    "Two warps of a sub-core run the same chain of dependent instructions: cycles per step, the "
    "smallest or the largest value over all distances between their starts. In the rows with "
    "`beside`, the two warps run different chains, and the time is that of the second one (mostly "
    "FADDs). A number after a mnemonic is its stall count; the second chain has a stall count of 4 "
    "unless the row says `of 2 cycles` or `of 7 cycles`.",
    phase_rows, G_N_ELEMENTS(phase_rows)};
