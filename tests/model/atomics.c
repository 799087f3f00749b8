/* Atomic operations of one SM and of all on one line. */
#include "grid.h"

enum { WARPS = 8, UNROLL = 4 };

static double cycles_of(const Row *row, guint trips)
{
    g_autoptr(GString) text = g_string_new(NULL);
    gboolean pair = row->b != 0;
    Grid grid = {"atomics", NULL, row->warps, row->warps, WARPS, 0, trips, row->a - 1, NULL};

    g_string_append_printf(text,
                           ".kernel k\n.param u64 out\n.param u32 trips\n.param u32 mask\n"
                           ".reconvergence manual\n"
                           "    S2R R0, SR_TID.X ;\n    LDC R1, c[mask] ;\n"
                           "    LOP3.LUT R6, R0, 0x1f, RZ, 0xc0 ;\n    ISETP.EQ P0, R6, RZ ;\n"
                           "    LOP3.LUT R0, R0, R1, RZ, 0xc0 ;\n    LDC.64 R2, c[out] ;\n"
                           "    IMAD.WIDE.U32 R2, R0, %u, R2 ;\n    MOV R4, 1 ;\n    MOV R5, RZ ;\n"
                           "    LDC R15, c[trips] ;\n    UMOV UR4, URZ ;\n"
                           "loop:\n    UIADD3 UR4, UR4, 1, URZ ;\n",
                           pair ? 8 : 4);
    for (guint i = 0; i < UNROLL; i++)
        g_string_append_printf(text, "    %s ;\n", row->text);
    g_string_append(text, "    ISETP.LE P6, R15, UR4 ;\n@!P6 BRA loop ;\n    EXIT ;\n");
    grid.text = text->str;
    return (double)run_grid(&grid).elapsed_cycles;
}

/* `warps` is the number of SMs, each with 8 warps; lanes are on `a` words. */
static double atomic_rate(const Row *row)
{
    /* The first ones of all SMs come together and take longer. */
    guint few = row->warps == 1 ? 20 : 6, many = row->warps == 1 ? 60 : 14;

    return (cycles_of(row, many) - cycles_of(row, few)) /
           ((double)(many - few) * UNROLL * WARPS * row->warps);
}

#define ON(what, text, pair, sms, words, measured, tolerance)                                      \
    ROW(what ", " #sms " SMs, " #words " words", measured, tolerance, atomic_rate, text, sms,      \
        words, pair)
#define RED(what, pair, sms, words, measured, tolerance)                                           \
    ON("RED." what, "RED.E." what " [R2], R4", pair, sms, words, measured, tolerance)

static const Row atomic_rows[] = {
    RED("ADD", 0, 1, 1, 46.26, 5),
    RED("ADD", 0, 1, 8, 9.25, 5),
    RED("ADD", 0, 132, 1, 46.38, 5),
    RED("ADD", 0, 132, 8, 4.78, 5),
    RED("ADD", 0, 132, 32, 4.9, 5),
    RED("MIN.S32", 0, 132, 8, 4.78, 5),
    RED("OR", 0, 1, 1, 46.38, 5),
    RED("OR", 0, 1, 8, 9.28, 5),
    RED("OR", 0, 132, 1, 46.38, 5),
    RED("OR", 0, 132, 8, 4.78, 5),
    RED("OR", 0, 132, 32, 4.8, 5),
    RED("ADD.U64", 1, 132, 8, 9.42, 5),
    RED("ADD.F32.FTZ", 0, 1, 1, 111.3, 5),
    RED("ADD.F32.FTZ", 0, 1, 8, 13.91, 5),
    RED("ADD.F32.FTZ", 0, 132, 1, 111.3, 5),
    RED("ADD.F32.FTZ", 0, 132, 8, 13.91, 5),
    RED("ADD.F32.FTZ", 0, 132, 32, 4.8, 5),
    RED("ADD.F64", 1, 1, 8, 18.56, 5),
    RED("ADD.F64", 1, 132, 8, 18.56, 5),
    ON("RED.ADD of one lane", "@P0 RED.E.ADD [R2], R4", 0, 132, 1, 1.45, 5),
    ON("RED.OR of one lane", "@P0 RED.E.OR [R2], R4", 0, 132, 1, 1.45, 5),
    ON("RED.ADD.F32.FTZ of one lane", "@P0 RED.E.ADD.F32.FTZ [R2], R4", 0, 132, 1, 3.48, 5),
    ON("ATOMG.EXCH", "ATOMG.E.EXCH R8, [R2], R4", 0, 132, 1, 46.38, 5),
    ON("ATOMG.EXCH", "ATOMG.E.EXCH R8, [R2], R4", 0, 132, 8, 4.78, 5),
    ON("ATOMG.EXCH", "ATOMG.E.EXCH R8, [R2], R4", 0, 132, 32, 4.8, 5),
    ON("ATOMG.CAS", "ATOMG.CAS.E R8, [R2], R4, R5", 0, 132, 8, 9.42, 5),
    ON("ATOMG.CAS", "ATOMG.CAS.E R8, [R2], R4, R5", 0, 132, 32, 9.56, 5),
};

const Group atomic_group = {
    "Atomic operations on one line",
    "Cycles per warp instruction of all SMs together, with 8 warps per SM and the lanes of each "
    "warp on 1, 8 or 32 words (of 8 bytes for 64 bits). The figure comes from the difference "
    "between two loops, of 24 and 56 iterations (80 and 240 with one SM); on the H200, of 40 and "
    "80 (200 and 400).",
    atomic_rows, G_N_ELEMENTS(atomic_rows)};
