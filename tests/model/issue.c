/* Instructions per cycle: chains by warps, register ports, mixtures. */
#include "streams.h"

/* Instructions per cycle of the SM; `a` streams. */
static double ipc(const Row *row)
{
    return row->warps / streams_rate(row, row->a, 256, 3, 15);
}

/* Instructions per cycle of a sub-core, straight on: 768 of 8 streams. */
static double per_sub_core(const Row *row)
{
    g_autoptr(GString) body = g_string_new(NULL);

    for (guint i = 0; i < 768; i++)
        append_step(body, row->text, i % 8, 4);
    return 768.0 * row->warps / 4 / streams_run(NULL, &row->text, 1, 8, body->str, row->warps, 1);
}

/* Instructions per cycle of a sub-core in a loop as it was compiled. */
static double mix(const Row *row)
{
    static const char *const steps[] = {"MOV %0, R14 ;\n    MOV %1, R14"};
    g_autofree char *text = row_loop(row->text);
    g_autofree char *body = g_strconcat("    UMOV UR4, URZ ;\n", text, NULL);
    double few = streams_run(NULL, steps, 1, 16, body, row->warps, 2);

    return 256 * 4 * row->warps / (streams_run(NULL, steps, 1, 16, body, row->warps, 6) - few) / 4;
}

/*
 * Instructions per cycle of the SM in a compiled loop of 768 FFMAs: `text` has those that repeat,
 * between bars; UIADD3 and ISETP stand behind `b` and `b` + 6 of them. Trips of 1 and 5.
 */
static double ffma_ipc(const Row *row)
{
    enum { LENGTH = 768, FEW = 1, MANY = 5 };
    static const char *const steps[] = {"MOV %0, R14 ;\n    MOV %1, R14"};
    g_auto(GStrv) repeated = g_strsplit(row->text, "|", -1);
    guint period = g_strv_length(repeated);
    g_autoptr(GString) body = g_string_new("    UMOV UR4, URZ ;\nloop:\n");
    double few;

    for (guint i = 0; i < LENGTH; i++) {
        if (i == row->b)
            g_string_append(body, "    UIADD3 UR4, UR4, 1, URZ ;\n");
        if (i == row->b + 6)
            g_string_append(body, "    ISETP.LE P0, R15, UR4 ;\n");
        g_string_append_printf(body, "    %s ;\n", repeated[i % period]);
    }
    g_string_append(body, "@!P0 BRA loop ;\n");
    few = streams_run(NULL, steps, 1, 4, body->str, row->warps, FEW);
    return LENGTH * (MANY - FEW) * row->warps /
           (streams_run(NULL, steps, 1, 4, body->str, row->warps, MANY) - few);
}

#define FADD_ILP(ilp, w, measured)                                                                 \
    ROW("FADD with an immediate, ILP " #ilp ", " #w " warps", measured, 2, ipc,                    \
        "FADD %0, %0, 0.5", w, ilp, 0)
/* Registers and reuse flags as nvcc 13.0 compiled it for sm_90; registers moved up by 12. */
#define FFMA(register)       "FFMA " register ", R14, " register ", R15"
#define FFMA_REUSE(register) "FFMA " register ", R14.reuse, " register ", R15.reuse"
#define FFMA_1               FFMA("R16")
#define FFMA_2               FFMA_REUSE("R22") "|" FFMA("R16")
#define FFMA_3                                                                                     \
    FFMA_REUSE("R22")                                                                              \
    "|" FFMA_REUSE("R18") "|" FFMA_REUSE("R12") "|" FFMA_REUSE("R22") "|" FFMA_REUSE(              \
        "R18") "|" FFMA("R12")
#define FFMA_4 FFMA_REUSE("R22") "|" FFMA_REUSE("R20") "|" FFMA_REUSE("R18") "|" FFMA_REUSE("R12")
#define FFMA_8                                                                                     \
    FFMA_REUSE("R30")                                                                              \
    "|" FFMA_REUSE("R28") "|" FFMA_REUSE("R26") "|" FFMA_REUSE("R24") "|" FFMA_REUSE(              \
        "R22") "|" FFMA_REUSE("R20") "|" FFMA_REUSE("R18") "|" FFMA_REUSE("R16")
#define FFMA_ROW(ilp, w, measured, counter)                                                        \
    ROW("FFMA, ILP " #ilp ", " #w " warps", measured, 4, ffma_ipc, FFMA_##ilp, w, 0, counter)
#define FFMA_ROWS(ilp, counter, one, two, four, eight, sixteen, half, full)                        \
    FFMA_ROW(ilp, 1, one, counter), FFMA_ROW(ilp, 2, two, counter),                                \
        FFMA_ROW(ilp, 4, four, counter), FFMA_ROW(ilp, 8, eight, counter),                         \
        FFMA_ROW(ilp, 16, sixteen, counter), FFMA_ROW(ilp, 32, half, counter),                     \
        FFMA_ROW(ilp, 64, full, counter)
#define PORTS(name, operands, measured)                                                            \
    ROW("FFMA of " name, measured, 2, per_sub_core, "FFMA %0, " operands, 16, 0, 0)
#define MIX(name, file, measured, tolerance) ROW(name, measured, tolerance, mix, file, 32, 0, 0)

static const Row issue_rows[] = {
    FADD_ILP(1, 1, 0.248),
    FADD_ILP(1, 2, 0.497),
    FADD_ILP(1, 4, 0.993),
    FADD_ILP(1, 8, 1.985),
    FADD_ILP(1, 16, 3.954),
    FADD_ILP(1, 32, 3.905),
    FADD_ILP(1, 64, 3.943),
    FFMA_ROWS(1, 1, 0.248, 0.497, 0.992, 1.984, 1.994, 1.998, 1.998),
    FFMA_ROWS(2, 2, 0.493, 0.987, 1.967, 2.641, 2.659, 2.663, 2.666),
    FFMA_ROWS(3, 3, 0.737, 1.474, 2.939, 2.977, 3.001, 3.001, 3.002),
    /* 4 warps: 3.66 to 3.88 in four runs */
    FFMA_ROWS(4, 744, 0.972, 1.944, 3.88, 3.915, 3.957, 3.948, 3.953),
    FFMA_ROWS(8, 720, 0.970, 1.939, 3.842, 3.959, 3.980, 3.930, 3.948),
    PORTS("an even, an odd register", "R10, R11, RZ", 0.992),
    PORTS("an even register twice, an odd", "R10, R10, R11", 0.992),
    PORTS("one register", "R10, R10, R10", 0.992),
    PORTS("no register", "RZ, RZ, RZ", 0.992),
    PORTS("two even registers", "R10, R12, RZ", 0.502),
    PORTS("two odd registers", "R11, R13, RZ", 0.502),
    PORTS("two even, one odd", "R10, R12, R11", 0.502),
    PORTS("three even registers", "R10, R12, R14", 0.336),
    PORTS("three odd registers", "R11, R13, R15", 0.336),
    MIX("FFMA, IADD3", "ffma_iadd3", 0.982, 2),
    MIX("FFMA, LOP3", "ffma_lop3", 0.678, 2),
    MIX("FFMA, IMAD", "ffma_imad", 0.634, 2),
    MIX("FFMA, MUFU", "ffma_mufu", 0.250, 8),
    MIX("3 FFMA, 1 MUFU", "ffma3_mufu", 0.494, 8),
    MIX("7 FFMA, 1 MUFU", "ffma7_mufu", 0.714, 8),
    MIX("FFMA, LDS", "ffma_lds", 0.490, 8),
    MIX("3 FFMA, 1 LDS", "ffma3_lds", 0.905, 8),
    MIX("IADD3, LOP3", "iadd3_lop3", 0.496, 8),
    MIX("IMAD, LOP3", "imad_lop3", 0.877, 7),
    MIX("MUFU, LDS", "mufu_lds", 0.2436, 8),
};

const Group issue_group = {
    "Issue: instructions per cycle",
    "FADD and FFMA chains: of the SM, by chains a warp (ILP) and warps; FFMAs with registers and "
    "reuse flags as compiled. FFMAs of registers: of a sub-core, 16 warps. Mixtures: of a "
    "sub-core, "
    "32 warps, the loops as compiled (tests/model/loops). Trips as above.",
    issue_rows, G_N_ELEMENTS(issue_rows)};
