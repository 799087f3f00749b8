/* Barriers of a block. */
#include "rows.h"

enum { BARRIERS = 64 };

static double barriers(const Row *row)
{
    g_autoptr(GString) body = g_string_new(NULL);
    Probe probe = {.setup = "    MOV R16, R14 ;\n    MOV R17, R14 ;\n",
                   .directives = ".shared 4096\n",
                   .setting = row->b ? "dependences=control" : NULL,
                   .warps = row->warps};

    for (guint i = 0; i < BARRIERS; i++)
        append_step(body, row->text, 0, 4);
    probe.body = body->str;
    return probe_cycles(&probe) / BARRIERS;
}

static void work(GString *body, guint count)
{
    for (guint i = 0; i < count; i++)
        g_string_append(body, "    FFMA R20, R20, R11, 0.25 ;\n");
}

/*
 * FFMAs and barriers as nvcc 13.0 put them for 64 times 8 FFMAs and a barrier: 6 of the 8 between
 * two barriers, the rest at the end.
 */
static double barriers_and_work(const Row *row)
{
    enum { BETWEEN = 6, IN_ALL = 8 };
    g_autoptr(GString) body = g_string_new("    BAR.SYNC 0 ;\n");
    Probe probe = {.warps = row->warps};

    for (guint i = 1; i < BARRIERS; i++) {
        work(body, BETWEEN);
        g_string_append(body, "    BAR.SYNC 0 ;\n");
    }
    work(body, IN_ALL * BARRIERS - BETWEEN * (BARRIERS - 1));
    probe.body = body->str;
    return probe_cycles(&probe) / BARRIERS;
}

/* Half of the warps at barrier 1, half at barrier 2; their number in a register, or in the code. */
static double named_barriers(const Row *row)
{
    g_autoptr(GString) body = g_string_new("@P5 BRA second ;\n");
    g_autofree char *count = g_strdup_printf(row->a ? "%u" : "R16", 16 * row->warps);
    g_autofree char *setup = g_strdup_printf("    ISETP.GE P5, R0, %u ;\n    MOV R16, %u ;\n",
                                             16 * row->warps, 16 * row->warps);
    Probe probe = {.setup = setup, .warps = row->warps};

    for (guint i = 0; i < BARRIERS; i++)
        g_string_append_printf(body, "    BAR.SYNC 1, %s ;\n", count);
    g_string_append(body, "    BRA done ;\nsecond:\n");
    for (guint i = 0; i < BARRIERS; i++)
        g_string_append_printf(body, "    BAR.SYNC 2, %s ;\n", count);
    g_string_append(body, "done:\n");
    probe.body = body->str;
    return probe_cycles(&probe) / BARRIERS;
}

/*
 * Warps in `a` groups of neighbours, each at a barrier of its own, number and count in registers:
 * first all warps of the block, then (`b` sub-cores) those of the first ones, the others end.
 */
static double groups(const Row *row, const char *setting)
{
    guint per_group = row->warps / row->a, sub_cores = row->b != 0 ? row->b : 4;
    g_autoptr(GString) body = g_string_new(NULL);
    g_autoptr(GString) setup = g_string_new(NULL);
    Probe probe = {.warps = row->warps * 4 / sub_cores, .setting = setting};
    g_autofree Clocks *clocks = NULL;
    guint64 start = G_MAXUINT64, end = 0;

    /* R18: the number among the warps that take part. */
    g_string_append_printf(setup,
                           "    SHF.R.U32 R17, R0, 5 ;\n    LOP3.LUT R18, R17, 3, RZ, 0xc0 ;\n"
                           "    ISETP.GE P5, R18, %u ;\n@P5 EXIT ;\n"
                           "    SHF.R.U32 R17, R17, 2 ;\n"
                           "    IMAD R18, R17, %u, R18 ;\n    MOV R17, 1 ;\n    MOV R16, %u ;\n",
                           sub_cores, sub_cores, 32 * per_group);
    for (guint g = 1; g < row->a; g++)
        g_string_append_printf(setup, "    ISETP.GE P5, R18, %u ;\n@P5 MOV R17, %u ;\n",
                               g * per_group, g + 1);
    for (guint i = 0; i < BARRIERS; i++)
        g_string_append_printf(body, "    %s ;\n", row->text);
    g_string_append(body, "    WARPSYNC.ALL ;\n"); /* which does not pass the last barrier */
    probe.setup = setup->str;
    probe.body = body->str;
    clocks = probe_clocks(&probe);
    for (guint w = 0; w < probe.warps; w++)
        if (clocks[w].end != 0) { /* else not one of those that take part */
            start = MIN(start, clocks[w].start);
            end = MAX(end, clocks[w].end);
        }
    return (double)(end - start) / BARRIERS;
}

static double groups_of_warps(const Row *row)
{
    return groups(row, NULL);
}

/* The number and the count are packed anew for every barrier, as compiled. */
static double groups_as_compiled(const Row *row)
{
    return groups(row, "dependences=control");
}

/* One half of the warps arrives where the other waits, then the other way round. */
static double arrive_and_wait(const Row *row)
{
    static const char *const half[] = {
        "    BAR.ARV 1, R16 {stall=8} ;\n    BAR.SYNC 2, R16 {stall=8} ;\n",
        "    BAR.SYNC 1, R16 {stall=8} ;\n    BAR.ARV 2, R16 {stall=8} ;\n"};
    g_autoptr(GString) body = g_string_new("@P5 BRA second ;\n");
    g_autofree char *setup = g_strdup_printf("    ISETP.GE P5, R0, %u ;\n    MOV R16, %u ;\n",
                                             16 * row->warps, 32 * row->warps);
    Probe probe = {.setup = setup, .setting = "dependences=control", .warps = row->warps};

    for (guint n = 0; n < 2; n++) {
        for (guint i = 0; i < BARRIERS / 2; i++)
            g_string_append(body, half[n]);
        g_string_append(body, n == 0 ? "    BRA done ;\nsecond:\n" : "done:\n");
    }
    probe.body = body->str;
    return probe_cycles(&probe) / BARRIERS;
}

#define BAR(w, measured, tolerance)                                                                \
    ROW("BAR, " #w " warps", measured, tolerance, barriers, "BAR.SYNC 0", w, 0, 0)
#define FMA_BAR(w, measured, tolerance)                                                            \
    ROW("8 FFMAs, BAR, " #w " warps", measured, tolerance, barriers_and_work, NULL, w, 0, 0)
#define STORE_LOAD(w, measured, tolerance)                                                         \
    ROW("STS, BAR, LDS, BAR, " #w " warps", measured, tolerance, barriers,                         \
        "STS [R14], %0 {stall=2 wait=1} ;\n    BAR.SYNC 0 {stall=6} ;\n"                           \
        "    LDS %1, [R14] {stall=2 wr=0} ;\n    BAR.SYNC 0 {stall=6} ;\n"                         \
        "    STS [R14], %1 {stall=2 wait=1} ;\n    BAR.SYNC 0 {stall=6} ;\n"                       \
        "    LDS %0, [R14] {stall=2 wr=0} ;\n    BAR.SYNC 0 {stall=6}",                            \
        w, 2, 1)
#define REDUCTION(w, measured, tolerance)                                                          \
    ROW("BAR.RED, " #w " warps", measured, tolerance, barriers, "BAR.RED.OR RZ, P0, 0, RZ, P0", w, \
        0, 0)
#define NAMED(w, measured, tolerance)                                                              \
    ROW("two named barriers, " #w " warps", measured, tolerance, named_barriers, NULL, w, 0, 0)
#define NAMED_IN_CODE(w, measured, tolerance)                                                      \
    ROW("the same, count in the code, " #w " warps", measured, tolerance, named_barriers, NULL, w, \
        1, 0)
#define GROUPS(n, w, measured, tolerance)                                                          \
    ROW(#n " named barriers, number in a register, " #w " warps", measured, tolerance,             \
        groups_of_warps, "BAR.SYNC R17, R16", w, n, 0)
/* Of `warps` warps in the first sub-cores. */
#define IN_SUB_CORES(n, sub_cores, w, measured, tolerance)                                         \
    ROW(#n " named barriers, " #w " warps of " #sub_cores " sub-cores", measured, tolerance,       \
        groups_of_warps, "BAR.SYNC R17, R16", w, n, sub_cores)
/* ptxas packs number and count into one register, for each barrier anew. */
#define COMPILED                                                                                   \
    "SHF.R.U32 R19, R19, 16 {stall=4 wait=1} ;\n    SHF.L.U32 R19, R19, 16 {stall=4} ;\n"          \
    "    LOP3.LUT R19, R19, 15, R17, 0xf8 {stall=5} ;\n    BAR.SYNC R17, R16 {stall=2 rd=0}"
#define PACKED(n, w, measured, tolerance)                                                          \
    ROW(#n " named barriers as compiled, " #w " warps", measured, tolerance, groups_as_compiled,   \
        COMPILED, w, n, 0)
#define PACKED_IN(n, sub_cores, w, measured, tolerance)                                            \
    ROW(#n " named barriers as compiled, " #w " warps of " #sub_cores " sub-cores", measured,      \
        tolerance, groups_as_compiled, COMPILED, w, n, sub_cores)
#define REDUCTIONS(n, w, measured, tolerance)                                                      \
    ROW(#n " named BAR.RED, " #w " warps", measured, tolerance, groups_of_warps,                   \
        "BAR.RED.OR RZ, P0, R17, R16, P0", w, n, 0)
#define ARRIVE(w, measured, tolerance)                                                             \
    ROW("BAR.ARV and BAR.SYNC of halves, " #w " warps", measured, tolerance, arrive_and_wait,      \
        NULL, w, 0, 0)

static const Row barrier_rows[] = {
    BAR(1, 13.81, 5),
    BAR(2, 15.78, 5),
    BAR(3, 17.75, 5),
    BAR(4, 19.72, 5),
    BAR(6, 23.69, 5),
    BAR(8, 27.63, 5),
    BAR(12, 35.53, 5),
    BAR(16, 43.44, 5),
    BAR(24, 59.44, 5),
    BAR(32, 75.44, 5),
    FMA_BAR(1, 32.16, 5),
    FMA_BAR(2, 32.19, 5),
    FMA_BAR(3, 32.2, 5),
    FMA_BAR(4, 32.22, 5),
    FMA_BAR(6, 32.34, 5),
    FMA_BAR(8, 36.16, 5),
    FMA_BAR(12, 44.12, 5),
    FMA_BAR(16, 52.09, 5),
    FMA_BAR(24, 73.47, 5),
    FMA_BAR(32, 94.25, 5),
    STORE_LOAD(1, 2 * 39.77, 5),
    STORE_LOAD(2, 2 * 41.78, 5),
    STORE_LOAD(3, 2 * 43.8, 5),
    STORE_LOAD(4, 2 * 45.81, 5),
    STORE_LOAD(6, 2 * 51.84, 5),
    STORE_LOAD(8, 2 * 59.78, 5),
    STORE_LOAD(12, 2 * 75.72, 5),
    STORE_LOAD(16, 2 * 91.66, 5),
    STORE_LOAD(24, 2 * 123.56, 5),
    STORE_LOAD(32, 2 * 155.5, 5),
    REDUCTION(1, 55.27, 5),
    REDUCTION(2, 57.3, 5),
    REDUCTION(3, 59.33, 5),
    REDUCTION(4, 61.36, 5),
    REDUCTION(6, 68.42, 5),
    REDUCTION(8, 69.48, 5),
    REDUCTION(12, 77.61, 5),
    REDUCTION(16, 86.75, 5),
    REDUCTION(24, 118.81, 5),
    REDUCTION(32, 151, 5),
    REDUCTIONS(2, 8, 63.7, 5),
    REDUCTIONS(2, 16, 73.02, 5),
    REDUCTIONS(2, 32, 134.11, 5),
    NAMED(2, 26.38, 5),
    NAMED(4, 28.42, 5),
    NAMED(6, 30.41, 5),
    NAMED(8, 32.45, 5),
    NAMED(12, 36.84, 5),
    NAMED(16, 40.64, 5),
    NAMED(24, 53.09, 5),
    NAMED(32, 68.42, 5),
    GROUPS(2, 12, 36.3, 5),
    GROUPS(2, 32, 68.9, 5),
    GROUPS(3, 24, 54.5, 5),
    GROUPS(4, 8, 28.3, 5),
    GROUPS(4, 16, 40.3, 5),
    GROUPS(4, 24, 56.5, 5),
    GROUPS(4, 32, 72.8, 5),
    GROUPS(5, 5, 26.3, 5),
    GROUPS(6, 6, 26.3, 5),
    GROUPS(6, 12, 36.3, 5),
    GROUPS(7, 7, 31.2, 9),
    GROUPS(7, 28, 70.5, 5),
    GROUPS(8, 8, 36.0, 10),
    GROUPS(8, 16, 48.2, 5),
    GROUPS(8, 24, 60.4, 7),
    GROUPS(8, 32, 81.6, 5),
    GROUPS(9, 9, 41.0, 12),
    GROUPS(10, 10, 46.0, 13),
    GROUPS(10, 20, 60.2, 5),
    GROUPS(10, 30, 79.6, 5),
    IN_SUB_CORES(1, 1, 1, 26.0, 5),
    IN_SUB_CORES(1, 1, 4, 38.2, 16),
    IN_SUB_CORES(1, 1, 8, 54.4, 26),
    IN_SUB_CORES(2, 1, 8, 38.4, 16),
    IN_SUB_CORES(1, 2, 8, 40.2, 5),
    IN_SUB_CORES(1, 2, 16, 56.4, 5),
    IN_SUB_CORES(2, 2, 16, 40.5, 5),
    IN_SUB_CORES(7, 2, 14, 42.3, 5),
    PACKED(1, 1, 26.03, 5),
    PACKED(1, 4, 32.08, 5),
    PACKED(1, 8, 40.17, 5),
    PACKED(2, 2, 26.09, 5),
    PACKED(2, 8, 32.36, 5),
    PACKED(2, 16, 40.89, 5),
    PACKED(2, 32, 69.0, 5),
    PACKED(3, 3, 26.16, 5),
    PACKED(3, 6, 28.36, 5),
    PACKED(4, 4, 26.22, 5),
    PACKED(4, 8, 31.3, 9),
    PACKED(4, 16, 40.5, 5),
    PACKED(4, 32, 72.8, 5),
    PACKED(8, 8, 36.2, 10),
    PACKED(8, 16, 48.3, 5),
    PACKED(8, 24, 60.7, 7),
    PACKED(8, 32, 81.4, 5),
    PACKED(10, 30, 79.86, 5),
    PACKED_IN(1, 1, 4, 38.38, 13),
    PACKED_IN(1, 1, 8, 55.0, 11),
    PACKED_IN(2, 1, 2, 26.19, 5),
    PACKED_IN(2, 1, 8, 52.0, 6),
    PACKED_IN(4, 1, 4, 27.81, 27),
    PACKED_IN(4, 1, 8, 52.5, 7),
    PACKED_IN(1, 2, 8, 40.33, 5),
    PACKED_IN(2, 2, 8, 33.52, 10),
    PACKED_IN(4, 2, 16, 52.8, 7),
    ARRIVE(2, 26.09, 5),
    ARRIVE(8, 32.09, 5),
    ARRIVE(16, 40.3, 5),
    ARRIVE(32, 66.16, 5),
    NAMED_IN_CODE(2, 14.38, 5),
    NAMED_IN_CODE(8, 20.45, 5),
    NAMED_IN_CODE(16, 32.48, 5),
    NAMED_IN_CODE(32, 64.98, 5),
};

const Group barrier_group = {
    "Barriers",
    "Cycles per barrier, for 64 barriers in straight-line code. Store and load: two rounds, with "
    "the stall counts of compiled code. The count of a named barrier is in a register unless the "
    "row says otherwise. As compiled: number and count are packed into one register anew for every "
    "barrier.",
    barrier_rows, G_N_ELEMENTS(barrier_rows)};
