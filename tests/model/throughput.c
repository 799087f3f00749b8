/* Throughput of independent operations. */
#include "streams.h"

/* Cycles of the SM for one instruction of each of its warps; `a` steps a trip, or 256. */
static double per_operation(const Row *row)
{
    return streams_rate(row, 8, row->a ? row->a : 256, 2, 6) / row->warps;
}

/*
 * Step `i` of a compiled loop that waits by control fields. A step's "$" becomes the dependence
 * barrier of its stream: barriers are short, so stream `own` and all behind it share one, on which
 * that stream waits for the last of them.
 */
static void append_controlled(GString *body, const char *step, guint i, guint own)
{
    g_auto(GStrv) parts = g_strsplit(streams_instructions(step), "$", 2);
    guint stream = i % 8, first = 5 - own, barrier = first + MIN(stream, own);
    g_autofree char *text = g_strdup_printf("%swr=%u wait=0x%x%s", parts[0], barrier,
                                            stream <= own ? 1u << barrier : 0, parts[1]);

    append_step(body, text, stream, 4);
}

/* A result comes back from the uniform registers behind the third REDUX after its own. */
static void append_redux(GString *body, guint i, guint operations)
{
    guint before = (i + operations - 3) % operations;
    g_autofree char *redux = g_strdup_printf("REDUX.SUM.S32 %%u, %%0 {stall=1 wr=%u}", i % 4);
    g_autofree char *move = g_strdup_printf("MOV %%0, %%u {stall=7 wait=0x%x}", 1u << before % 4);

    append_step(body, redux, i % 8, 4);
    append_step(body, move, before % 8, 4);
}

/* As per_operation(), with control fields as compiled; `b` streams have a barrier of their own. */
static double per_controlled_operation(const Row *row)
{
    g_autoptr(GString) body =
        g_string_new("    UMOV UR4, URZ ;\nloop:\n    UIADD3 UR4, UR4, 1, URZ ;\n");
    const char *setting = "dependences=control";
    double few;

    for (guint i = 0; i < row->a; i++) {
        if (i == row->a / 2)
            g_string_append(body, "    ISETP.LE P6, R15, UR4 ;\n");
        if (row->b == 0)
            append_redux(body, i, row->a);
        else
            append_controlled(body, row->text, i, row->b);
    }
    g_string_append(body, "@!P6 BRA loop ;\n");
    few = streams_run(setting, &row->text, 1, 8, body->str, row->warps, 2);
    return (streams_run(setting, &row->text, 1, 8, body->str, row->warps, 6) - few) /
           (row->a * 4.0 * row->warps);
}

/* The same of a compiled loop of 256 steps. */
static double per_compiled_operation(const Row *row)
{
    static const char *const steps[] = {"MOV %0, R14 ;\n    MOV %1, R14"};
    const char *setting = "dependences=control";
    g_autofree char *text = row_loop(row->text);
    g_autofree char *body = g_strconcat("    UMOV UR4, URZ ;\n", text, NULL);
    double few = streams_run(setting, steps, 1, 16, body, row->warps, 2);

    return (streams_run(setting, steps, 1, 16, body, row->warps, 6) - few) / (256 * 4 * row->warps);
}

/* 32 warps of one SM and one warp alone; `b`: steps a trip where the measurement had fewer. */
#define RATE(name, text, alone, full, error, error_full, trip)                                     \
    ROW(name ", 1 warp", alone, error, per_operation, text, 1, trip, 0),                           \
        ROW(name ", 32 warps", full, error_full, per_operation, text, 32, trip, 0)

#define CONTROLLED(name, text, alone, full, error, error_full, trip, own)                          \
    ROW(name ", 1 warp", alone, error, per_controlled_operation, text, 1, trip, own),              \
        ROW(name ", 32 warps", full, error_full, per_controlled_operation, text, 32, trip, own)

/* `warps` warps; the lines of 32 warps lie in one piece of memory with a far home. */
#define AMONG(name, text, warps, measured, error)                                                  \
    {                                                                                              \
        name ", " #warps " warps", measured, error, per_operation, text, warps, 32, 0              \
    }
#define STORE_AND_FENCE                                                                            \
    "LEA %2, R0, 0x10012000, RZ, 2 ;\n    MOV %3, RZ : STG.E [%2], R12 ;\n  MEMBAR.GPU"
#define STORE_AND_FENCE_NEAR                                                                       \
    "LEA %2, R0, 0x10013000, RZ, 2 ;\n    MOV %3, RZ : STG.E [%2], R12 ;\n  MEMBAR.GPU"

static const Row throughput_rows[] = {
    RATE("FMUL", "FMUL %0, %0, 0.5", 1.047, 0.2563, 2, 2, 256),
    RATE("FFMA, addend", "FFMA %0, R10.reuse, R11.reuse, %0", 1.047, 0.2562, 2, 2, 256),
    RATE("FFMA of a uniform register", "FFMA %0, %0, UR6, R11.reuse", 1.047, 0.2556, 2, 2, 256),
    RATE("FMNMX, twice", "FMNMX %0, %0, R10, PT ;\n    FMNMX %0, %0, R11, !PT", 4.086, 1.0046, 2, 2,
         128),
    RATE("FSETP, FSEL", "FSETP.GE %p, %0, R10 ;\n    FSEL %0, R10, R11, %p", 4.086, 1.0019, 2, 2,
         256),
    RATE("HFMA2 and HFMA2.MMA in turn",
         "HFMA2 %0, R10.reuse, %0, R11.reuse|HFMA2.MMA %0, R10.reuse, %0, R11.reuse", 1.055, 0.2587,
         2, 3, 256),
    RATE("HADD2.F32", "HADD2.F32.H0_H0 %0, -RZ, %0", 2.035, 0.5001, 2, 2, 256),
    RATE("DADD", "DADD %0, %0, UR6", 2.035, 0.5005, 2, 2, 256),
    RATE("DMUL", "DMUL %0, %0, UR6", 2.035, 0.5006, 2, 2, 256),
    RATE("VIMNMX", "VIMNMX %0, %0, R12, PT", 2.043, 0.5027, 2, 2, 256),
    RATE("IMAD.WIDE", "IMAD.WIDE.U32 %0, R12, %0, R10", 6.027, 1.001, 2, 2, 256),
    RATE("SHF.L", "SHF.L.U32 %0, %0, R12", 2.043, 0.5023, 2, 2, 256),
    RATE("SHF.R", "SHF.R.U32.HI %0, RZ, R12, %0", 2.043, 0.5026, 2, 2, 256),
    RATE("PRMT", "PRMT %0, %0, R12, R13", 2.043, 0.5028, 2, 2, 256),
    RATE("IDP.4A", "IDP.4A.S8.S8 %0, R12, %0, R13", 2.035, 0.5007, 2, 2, 256),
    RATE("VABSDIFF", "VABSDIFF.U32 %0, %0, R12, R13", 2.043, 0.5027, 2, 2, 256),
    RATE("I2FP", "I2FP.F32.S32 %0, %0", 2.043, 0.5027, 2, 2, 256),
    RATE("F2FP", "F2FP.F16.RZ %0, %0, R10", 2.043, 0.5025, 2, 2, 256),
    RATE("FLO", "FLO.U32 %0, %0", 8.035, 2.0, 2, 2, 256),
    RATE("F2I", "F2I.S32 %0, %0", 8.035, 2.0001, 2, 2, 256),
    RATE("MUFU.LG2", "MUFU.LG2 %0, %0", 8.035, 2.0003, 2, 2, 256),
    RATE("MUFU.RSQ", "MUFU.RSQ %0, %0", 8.035, 2.0002, 2, 2, 256),
    RATE("MUFU.SQRT", "MUFU.SQRT %0, %0", 8.035, 2.0004, 2, 2, 256),
    RATE("MUFU.TANH", "MUFU.TANH %0, %0", 8.035, 2.0001, 2, 2, 256),
    ROW("FADD, MUFU.RCP, 1 warp", 8.613, 2, per_compiled_operation, "fadd_rcp", 1, 0, 0),
    ROW("FADD, MUFU.RCP, 32 warps", 2.0001, 2, per_compiled_operation, "fadd_rcp", 32, 0, 0),
    ROW("FMUL, MUFU.SIN, 1 warp", 8.324, 2, per_compiled_operation, "fmul_sin", 1, 0, 0),
    ROW("FMUL, MUFU.SIN, 32 warps", 2.0012, 2, per_compiled_operation, "fmul_sin", 32, 0, 0),
    RATE("I2F.F64, F2I.F64", "MOV %2, R12 : I2F.F64.S32 %0, %2 ;\n    F2I.S32.F64 %2, %0", 17.047,
         4.25, 2, 2, 256),
    RATE("SHFL.DOWN", "SHFL.DOWN %0, %0, 1, 31", 4.078, 1.0003, 2, 2, 256),
    CONTROLLED("LDC, 32 addresses", "LDC %0, c[0x3][%0] {stall=8 $}", 72.03, 63.957, 2, 2, 32, 5),
    CONTROLLED("MATCH.ANY, 32 values", "MATCH.ANY.U32 %0, %0 {stall=8 $}", 72.03, 64.3, 2, 2, 32,
               5),
    RATE("LDS, one address", "MOV %0, RZ : LDS %0, [%0]", 4.074, 0.9998, 2, 2, 256),
    RATE("STS, LDS", "STS [R14], %0 ;\n    LDS %0, [R14]", 8.078, 2.0011, 2, 2, 256),
    RATE("ATOMS.ADD, one address", "ATOMS.ADD %0, [RZ], %0", 64.75, 32.018, 2, 2, 32),
    CONTROLLED("ATOMS.EXCH", "ATOMS.EXCH %0, [R14], %0 {stall=4 $}", 4.453, 1.0002, 4, 2, 256, 5),
    CONTROLLED("LDL", "MOV %0, RZ : LDL %0, [%0] {stall=4 $}", 6.16, 1.0015, 2, 2, 256, 2),
    CONTROLLED("LD of global memory",
               "IADD3 %0, R14, 0x10010000 ;\n    MOV %1, RZ : LD.E %0, [%0] {stall=4 $}", 6.43,
               1.0015, 2, 2, 256, 2),
    RATE("RED, 32 addresses",
         "LEA %2, R0, 0x10010000, RZ, 2 ;\n    MOV %3, RZ : RED.E.ADD [%2], R12", 6.219, 5.0371, 5,
         2, 32),
    RATE("RED, one address", "MOV %2, 0x10010000 : RED.ADD [%2], R12", 46.641, 46.46, 5, 5, 32),
    RATE("WARPSYNC of all lanes, as NOP", "NOP", 1.047, 0.2547, 2, 2, 256),
    RATE("FADD", "FADD %0, %0, 0.5", 1.047, 0.2562, 2, 2, 256),
    RATE("IMAD", "IMAD %0, R12, %0, R13", 2.035, 0.5002, 2, 2, 256),
    RATE("IMAD.HI", "IMAD.HI.U32 %0, R12, %0, R13", 6.027, 1.0006, 2, 2, 256),
    RATE("IADD3", "IADD3 %0, R13, %0, R12", 2.043, 0.5027, 2, 2, 256),
    RATE("LOP3", "LOP3.LUT %0, %0, R12, R13, 0x96", 2.043, 0.5023, 2, 2, 256),
    RATE("ISETP, SEL", "ISETP.GE %p, %0, R12 ;\n    SEL %0, R12, R13, %p", 4.082, 1.0018, 2, 2,
         256),
    RATE("DFMA", "DFMA %0, %0, UR6, R12.reuse", 2.035, 0.5009, 2, 2, 256),
    RATE("HMMA.16816.F32", "HMMA.16816.F32 %0, R12, R12, %0", 6.070, 1.5002, 2, 2, 256),
    RATE("HMMA.1688.F32", "HMMA.1688.F32 %0, R12, R12, %0", 4.047, 1.0000, 2, 2, 256),
    RATE("HMMA.1688.F32.TF32", "HMMA.1688.F32.TF32 %0, R12, R12, %0", 6.070, 1.5001, 2, 2, 256),
    RATE("HMMA.1684.F32.TF32", "HMMA.1684.F32.TF32 %0, R12, R12, %0", 4.047, 0.9999, 2, 2, 256),
    RATE("IMMA.16832", "IMMA.16832.S8.S8 %0, R12, R12, %0", 6.070, 1.5006, 2, 2, 256),
    RATE("DMMA", "DMMA.8x8x4 %0, R12, R12, %0", 17.039, 4.0001, 2, 2, 256),
    RATE("MUFU.EX2", "MUFU.EX2 %0, %0", 8.035, 2.0001, 2, 2, 256),
    RATE("POPC", "POPC %0, %0", 8.035, 2.0001, 2, 2, 256),
    RATE("F2F.F64.F32, F2F.F32.F64", "MOV %2, R10 : F2F.F64.F32 %0, %2 ;\n    F2F.F32.F64 %2, %0",
         17.051, 4.2501, 2, 2, 256),
    RATE("ISETP, VOTE", "ISETP.NE %p, %0, RZ ;\n    VOTE.ANY %0, %p", 4.078, 1.0023, 2, 2, 256),
    RATE("SHFL.BFLY", "SHFL.BFLY %0, %0, 7, 31", 4.078, 1.0001, 2, 2, 256),
    CONTROLLED("SHFL.IDX", "SHFL.IDX %0, %0, R12, 31 {stall=4 $}", 4.453, 1.0001, 4, 2, 256, 5),
    CONTROLLED("MATCH.ANY, one value", "MOV %0, RZ : MATCH.ANY.U32 %0, %0 {stall=8 $}", 8.625,
               2.0063, 3, 2, 32, 5),
    CONTROLLED("REDUX, MOV", "MOV %0, R14 : ", 11.398, 2.0010, 2, 2, 256, 0),
    RATE("LDC, one address", "MOV %0, RZ : LDC %0, c[0x3][%0]", 8.078, 2.0008, 2, 2, 256),
    RATE("LDS", "LDS %0, [%0]", 4.074, 0.9997, 2, 2, 256),
    CONTROLLED("LDS.64",
               "SHF.L.U32 %0, R14, 1 ;\n    IADD3 %0, %0, 2048 : LDS.64 %0, [%0] {stall=4 $}",
               4.328, 2.0006, 2, 2, 256, 5),
    RATE("LDS.128", "SHF.L.U32 %0, R14, 2 : LDS.128 %0, [R5]", 8.094, 4.0024, 2, 2, 256),
    RATE("STS", "STS [R14], %0", 4.031, 1.0001, 2, 2, 256),
    RATE("STS.128", "STS.128 [R5], %0", 10.062, 4.0024, 2, 2, 256),
    CONTROLLED("ATOMS.ADD", "ATOMS.ADD %0, [R14], %0 {stall=4 $}", 4.453, 1.0002, 4, 2, 256, 5),
    RATE("ATOMS.CAS", "ATOMS.CAS %0, [%0], RZ, RZ", 6.094, 2.0014, 2, 2, 256),
    RATE("MEMBAR.GPU", "MEMBAR.GPU", 265.2, 11.123, 2, 27, 32),
    AMONG("MEMBAR.GPU", "MEMBAR.GPU", 4, 68.05, 5),
    AMONG("MEMBAR.GPU", "MEMBAR.GPU", 8, 34.93, 6),
    AMONG("MEMBAR.GPU", "MEMBAR.GPU", 16, 17.54, 7),
    AMONG("MEMBAR.SYS", "MEMBAR.SYS", 1, 1020.5, 5),
    AMONG("MEMBAR.SYS", "MEMBAR.SYS", 8, 129.7, 5),
    AMONG("MEMBAR.SYS", "MEMBAR.SYS", 16, 101.8, 5),
    AMONG("MEMBAR.SYS", "MEMBAR.SYS", 32, 50.89, 5),
    /* Which fences go together hangs on the cycle: one more in front moves these by up to 15 %. */
    AMONG("STG, MEMBAR.GPU, far home", STORE_AND_FENCE, 1, 572.0, 5),
    AMONG("STG, MEMBAR.GPU, far home", STORE_AND_FENCE, 4, 147.15, 5),
    AMONG("STG, MEMBAR.GPU, far home", STORE_AND_FENCE, 8, 91.3, 5),
    AMONG("STG, MEMBAR.GPU, far home", STORE_AND_FENCE, 16, 49.08, 5),
    AMONG("STG, MEMBAR.GPU, far home", STORE_AND_FENCE, 32, 26.35, 10),
    AMONG("STG, MEMBAR.GPU, far home", STORE_AND_FENCE, 12, 63.3, 5),
    AMONG("STG, MEMBAR.GPU, far home", STORE_AND_FENCE, 20, 39.0, 5),
    AMONG("STG, MEMBAR.GPU, far home", STORE_AND_FENCE, 24, 35.3, 10),
    AMONG("STG, MEMBAR.GPU, far home", STORE_AND_FENCE, 28, 27.6, 11),
    AMONG("STG, MEMBAR.GPU, near home", STORE_AND_FENCE_NEAR, 8, 58.0, 14),
    AMONG("STG, MEMBAR.GPU, near home", STORE_AND_FENCE_NEAR, 16, 33.8, 13),
    AMONG("STG, MEMBAR.GPU, near home", STORE_AND_FENCE_NEAR, 32, 21.0, 23),
    AMONG("MEMBAR.CTA", "MEMBAR.CTA", 1, 8.531, 5),
    AMONG("MEMBAR.CTA", "MEMBAR.CTA", 8, 2.031, 49),
    RATE("NANOSLEEP 0", "NANOSLEEP RZ", 74.55, 5.999, 2, 62, 32),
    CONTROLLED("LDG, hit in L1", "IADD3 %0, R14, 0x10010000 : LDG %0, [%0] {stall=4 $}", 6.430,
               1.0021, 2, 2, 256, 2),
    CONTROLLED(
        "LDG, hit in L2",
        "LEA %0, R0, 0x1001%s000, RZ, 2 ;\n    MOV %1, RZ : LDG.E.STRONG.GPU %0, [%0] {stall=4 $}",
        39.442, 1.3149, 5, 5, 256, 2),
};

const Group throughput_group = {
    "Throughput of independent operations",
    "SM cycles per warp instruction. Each warp has 8 independent streams in a loop of 256 steps, "
    "which runs for 2 and for 6 iterations. The figure comes from the difference of the two times "
    "(largest end minus smallest start), and includes the cost of the loop itself. SHFL.IDX, "
    "MATCH, REDUX, LDS.64, ATOMS.ADD and LDG wait by control fields as in compiled code, where "
    "streams share dependency barriers.",
    throughput_rows, G_N_ELEMENTS(throughput_rows)};
