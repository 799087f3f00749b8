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
    FADD_ILP(1, 3, 0.744),
    FADD_ILP(1, 4, 0.993),
    FADD_ILP(1, 5, 1.239),
    FADD_ILP(1, 6, 1.487),
    FADD_ILP(1, 8, 1.985),
    FADD_ILP(1, 12, 2.972),
    FADD_ILP(1, 16, 3.954),
    FADD_ILP(1, 20, 3.905),
    FADD_ILP(1, 24, 3.885),
    FADD_ILP(1, 28, 3.944),
    FADD_ILP(1, 32, 3.905),
    FADD_ILP(1, 48, 3.938),
    FADD_ILP(1, 64, 3.943),
    FADD_ILP(2, 1, 0.493),
    FADD_ILP(2, 2, 0.987),
    FADD_ILP(2, 3, 1.473),
    FADD_ILP(2, 4, 1.967),
    FADD_ILP(2, 5, 2.453),
    FADD_ILP(2, 6, 2.936),
    FADD_ILP(2, 8, 3.912),
    FADD_ILP(2, 12, 3.921),
    FADD_ILP(2, 16, 3.905),
    FADD_ILP(2, 20, 3.913),
    FADD_ILP(2, 24, 3.969),
    FADD_ILP(2, 28, 3.963),
    FADD_ILP(2, 32, 3.972),
    FADD_ILP(2, 48, 3.973),
    FADD_ILP(2, 64, 3.979),
    FADD_ILP(3, 1, 0.734),
    FADD_ILP(3, 2, 1.468),
    FADD_ILP(3, 3, 2.186),
    FADD_ILP(3, 4, 2.923),
    FADD_ILP(3, 5, 2.447),
    FADD_ILP(3, 6, 2.945),
    FADD_ILP(3, 8, 3.923),
    FADD_ILP(3, 12, 3.982),
    FADD_ILP(3, 16, 3.971),
    FADD_ILP(3, 20, 3.972),
    FADD_ILP(3, 24, 3.970),
    FADD_ILP(3, 28, 3.980),
    FADD_ILP(3, 32, 3.975),
    FADD_ILP(3, 48, 3.977),
    FADD_ILP(3, 64, 3.978),
    FADD_ILP(4, 1, 0.973),
    FADD_ILP(4, 2, 1.947),
    FADD_ILP(4, 3, 2.904),
    /* one run, 3.87 with 6 streams; FFMAs 3.66 to 3.88 in four */
    ROW("FADD with an immediate, ILP 4, 4 warps", 3.656, 5, ipc, "FADD %0, %0, 0.5", 4, 4, 0),
    FADD_ILP(4, 5, 2.494),
    FADD_ILP(4, 6, 2.975),
    FADD_ILP(4, 8, 3.944),
    FADD_ILP(4, 12, 3.918),
    FADD_ILP(4, 16, 3.961),
    FADD_ILP(4, 20, 3.935),
    FADD_ILP(4, 24, 3.953),
    FADD_ILP(4, 28, 3.947),
    FADD_ILP(4, 32, 3.959),
    FADD_ILP(4, 48, 3.964),
    FADD_ILP(4, 64, 3.971),
    FADD_ILP(6, 1, 0.972),
    FADD_ILP(6, 2, 1.944),
    FADD_ILP(6, 3, 2.896),
    FADD_ILP(6, 4, 3.867),
    FADD_ILP(6, 5, 2.474),
    FADD_ILP(6, 6, 2.958),
    FADD_ILP(6, 8, 3.945),
    FADD_ILP(6, 12, 3.919),
    FADD_ILP(6, 16, 3.930),
    FADD_ILP(6, 20, 3.943),
    FADD_ILP(6, 24, 3.951),
    FADD_ILP(6, 28, 3.954),
    FADD_ILP(6, 32, 3.950),
    FADD_ILP(8, 1, 0.971),
    FADD_ILP(8, 2, 1.942),
    FADD_ILP(8, 3, 2.869),
    FADD_ILP(8, 4, 3.842),
    FADD_ILP(8, 5, 2.483),
    FADD_ILP(8, 6, 2.980),
    FADD_ILP(8, 8, 3.921),
    FADD_ILP(8, 12, 3.915),
    FADD_ILP(8, 16, 3.931),
    FADD_ILP(8, 20, 3.949),
    FADD_ILP(8, 24, 3.945),
    FADD_ILP(8, 28, 3.950),
    FADD_ILP(8, 32, 3.949),
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
    "FADD and FFMA chains: per SM, by chains per warp (ILP) and number of warps; the FFMAs have "
    "registers and reuse flags as in compiled code. FFMAs of registers: per sub-core, with 16 "
    "warps. Mixtures: per sub-core, with 32 warps, in loops as compiled (tests/model/loops). "
    "Iterations are as in the previous table.",
    issue_rows, G_N_ELEMENTS(issue_rows)};
