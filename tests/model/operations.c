/* Latencies and throughputs of operations, one after the other and in mixtures. */
#include "rows.h"

#include <math.h>
#include <string.h>

#define SHARED_OPERATIONS                                                                          \
    ".shared 4096\n.const u32 table[32] = 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, "   \
    "56, "                                                                                         \
    "60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124\n.local 64\n"

enum { INTERLEAVED = 4 };

/* Registers of a stream, so that 32 warps fit. */
static guint stride_of(guint streams)
{
    return streams > 8 ? 2 : 4;
}

/* A step is "how its registers begin : instructions"; without the first part %0 = lane * 4. */
static const char *instructions_of(const char *step)
{
    const char *colon = strstr(step, " : ");

    return colon ? colon + 3 : step;
}

static void append_beginning(GString *setup, const char *step, guint stream, guint stride)
{
    const char *colon = strstr(step, " : ");
    g_autofree char *first =
        colon ? g_strndup(step, (gsize)(colon - step)) : g_strdup("MOV %0, R14");

    append_step(setup, first, stream, stride);
}

/*
 * From 0x10010000 on global memory holds own addresses; the line at 0x10010780 takes 272 cycles, as
 * the measured one. Shared memory holds own addresses: one word a lane, 16 bytes a lane from 1024
 * on, and 8 bytes from 2048 on.
 */
static double run_with(const char *setting, const char *const *steps, guint kinds, guint streams,
                       const char *body, guint warps, guint trips)
{
    g_autoptr(GString) setup =
        g_string_new("    SHF.L.U32 R5, R14, 2 ;\n    IADD3 R5, R5, 1024 ;\n    STS [R14], R14 ;\n"
                     "    STS [R5], R5 ;\n    SHF.L.U32 R8, R14, 1 ;\n"
                     "    IADD3 R8, R8, 2048 ;\n    STS [R8], R8 ;\n    STL [0], RZ ;\n");
    Probe probe = {.directives = SHARED_OPERATIONS,
                   .body = body,
                   .setting = setting,
                   .warps = MIN(warps, 32),
                   .blocks = warps > 32 ? 2 : 1,
                   .trips = trips,
                   .data_bytes = 65536,
                   .fill = probe_own_addresses};

    for (guint i = 0; i < streams; i++)
        append_beginning(setup, steps[i % kinds], i, stride_of(streams));
    probe.setup = setup->str;
    return probe_cycles(&probe);
}

static double run(const char *const *steps, guint kinds, guint streams, const char *body,
                  guint warps, guint trips)
{
    return run_with(NULL, steps, kinds, streams, body, warps, trips);
}

static double chain(const char *setting, const char *step, guint length)
{
    g_autoptr(GString) body = g_string_new(NULL);

    for (guint i = 0; i < length; i++)
        append_step(body, instructions_of(step), 0, 4);
    return run_with(setting, &step, 1, 1, body->str, 1, 1);
}

/* Two straight chains of one warp. */
static double latency(const Row *row)
{
    return (chain(NULL, row->text, 160) - chain(NULL, row->text, 32)) / 128;
}

/* The same with the stall counts of the compiled code. */
static double controlled_latency(const Row *row)
{
    const char *setting = "dependences=control";

    return (chain(setting, row->text, 160) - chain(setting, row->text, 32)) / 128;
}

/*
 * The mean over lines all over memory whose home is the near partition of L2 (`a` = 0) or the far
 * one: a chain of atomics tells which. %2 is the address.
 */
static double line_chain(const char *text, guint line, guint length)
{
    enum { LINES_APART = 97 * 128 };
    g_autofree char *setup =
        g_strdup_printf("    IADD3 R18, R14, %u ;\n    MOV R19, RZ ;\n    MOV R16, RZ ;\n",
                        0x10010000 + line * LINES_APART);
    g_autoptr(GString) body = g_string_new(NULL);
    Probe probe = {.setup = setup, .data_bytes = (line + 1) * LINES_APART};

    for (guint i = 0; i < length; i++)
        append_step(body, text, 0, 4);
    probe.body = body->str;
    return probe_cycles(&probe);
}

static double latency_of_lines(const Row *row)
{
    enum { LINES = 40, BETWEEN = 400 };
    double sum = 0;
    guint count = 0;

    for (guint line = 0; line < LINES; line++) {
        static const char atomic[] = "ATOMG.E.ADD %0, [%2], %0";
        double home = (line_chain(atomic, line, 6) - line_chain(atomic, line, 2)) / 4;

        if ((home > BETWEEN) != row->a)
            continue;
        sum += (line_chain(row->text, line, 6) - line_chain(row->text, line, 2)) / 4;
        count++;
    }
    return sum / count;
}

/*
 * Steps `first` to `first` + INTERLEAVED - 1. Where a step is a chain of two instructions, all
 * their first ones come before the second ones, as compiled code has it.
 */
static void append_interleaved(GString *body, const char *const *steps, guint kinds, guint first,
                               guint streams)
{
    gboolean more = TRUE;

    for (guint part = 0; more; part++) {
        more = FALSE;
        for (guint i = first; i < first + INTERLEAVED; i++) {
            g_auto(GStrv) parts = g_strsplit(instructions_of(steps[i % kinds]), " ;\n    ", -1);

            if (part < g_strv_length(parts))
                append_step(body, parts[part], i % streams, stride_of(streams));
            more = more || part + 1 < g_strv_length(parts);
        }
    }
}

/* The loop of the measurement: independent streams, `operations` steps a trip. */
static double loop(const char *const *steps, guint kinds, guint streams, guint operations,
                   guint warps, guint trips)
{
    g_autoptr(GString) body =
        g_string_new("    UMOV UR4, URZ ;\nloop:\n    UIADD3 UR4, UR4, 1, URZ ;\n");

    for (guint i = 0; i < operations; i += INTERLEAVED) {
        if (i == operations - operations / 8)
            g_string_append(body, "    ISETP.LE P6, R15, UR4 ;\n");
        append_interleaved(body, steps, kinds, i, streams);
    }
    g_string_append(body, "@!P6 BRA loop ;\n");
    return run(steps, kinds, streams, body->str, warps, trips);
}

/* `text` holds one step, or several that take turns, between bars. */
static double rate(const Row *row, guint streams, guint operations, guint few, guint many)
{
    g_auto(GStrv) steps = g_strsplit(row->text, "|", -1);
    const char *const *list = (const char *const *)steps;
    guint kinds = g_strv_length(steps);

    return (loop(list, kinds, streams, operations, row->warps, many) -
            loop(list, kinds, streams, operations, row->warps, few)) /
           ((double)operations * (many - few));
}

/* Cycles of the SM for one instruction of each of its warps; `a` steps a trip, or 256. */
static double per_operation(const Row *row)
{
    return rate(row, 8, row->a ? row->a : 256, 2, 6) / row->warps;
}

/*
 * Step `i` of a compiled loop that waits by control fields. A step's "$" becomes the dependence
 * barrier of its stream: barriers are short, so stream `own` and all behind it share one, on which
 * that stream waits for the last of them.
 */
static void append_controlled(GString *body, const char *step, guint i, guint own)
{
    g_auto(GStrv) parts = g_strsplit(instructions_of(step), "$", 2);
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
    few = run_with(setting, &row->text, 1, 8, body->str, row->warps, 2);
    return (run_with(setting, &row->text, 1, 8, body->str, row->warps, 6) - few) /
           (row->a * 4.0 * row->warps);
}

/* The same of a compiled loop of 256 steps. */
static double per_compiled_operation(const Row *row)
{
    static const char *const steps[] = {"MOV %0, R14 ;\n    MOV %1, R14"};
    const char *setting = "dependences=control";
    g_autofree char *text = row_loop(row->text);
    g_autofree char *body = g_strconcat("    UMOV UR4, URZ ;\n", text, NULL);
    double few = run_with(setting, steps, 1, 16, body, row->warps, 2);

    return (run_with(setting, steps, 1, 16, body, row->warps, 6) - few) / (256 * 4 * row->warps);
}

/* Instructions per cycle of the SM; `a` streams. */
static double ipc(const Row *row)
{
    return row->warps / rate(row, row->a, 256, 3, 15);
}

/* Instructions per cycle of a sub-core, straight on: 768 of 8 streams. */
static double per_sub_core(const Row *row)
{
    g_autoptr(GString) body = g_string_new(NULL);

    for (guint i = 0; i < 768; i++)
        append_step(body, row->text, i % 8, 4);
    return 768.0 * row->warps / 4 / run(&row->text, 1, 8, body->str, row->warps, 1);
}

/* Instructions per cycle of a sub-core in a loop as it was compiled. */
static double mix(const Row *row)
{
    static const char *const steps[] = {"MOV %0, R14 ;\n    MOV %1, R14"};
    g_autofree char *text = row_loop(row->text);
    g_autofree char *body = g_strconcat("    UMOV UR4, URZ ;\n", text, NULL);
    double few = run(steps, 1, 16, body, row->warps, 2);

    return 256 * 4 * row->warps / (run(steps, 1, 16, body, row->warps, 6) - few) / 4;
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
    few = run(steps, 1, 4, body->str, row->warps, FEW);
    return LENGTH * (MANY - FEW) * row->warps /
           (run(steps, 1, 4, body->str, row->warps, MANY) - few);
}

#define LATENCY(name, text, measured, tolerance)                                                   \
    ROW(name, measured, tolerance, latency, text, 1, 0, 0)

#define STALLS(name, text, measured)                                                               \
    {                                                                                              \
        name, measured, 0, controlled_latency, text, 1, 0, 0                                       \
    }

/* An instruction that reads R28, written `first` + `second` cycles before it, and `other`, written
 * `second` before. */
#define TWO_RESULTS(name, opcode, first, second, other, measured)                                  \
    STALLS(name,                                                                                   \
           opcode " R28, RZ, RZ, RZ {stall=" #first "} ;\n    " opcode " " other                   \
                  ", RZ, RZ, RZ {stall=" #second "} ;\n    " opcode " R44, R28, " other            \
                  ", RZ {stall=4} ;\n    NOP {stall=8}",                                           \
           measured)

#define LINES(name, text, far, measured, tolerance)                                                \
    {                                                                                              \
        name, measured, tolerance, latency_of_lines, text, 1, far, 0                               \
    }

static const Row latency_rows[] = {
    LATENCY("FADD", "FADD %0, %0, 0.5", 4, 0),
    LATENCY("FMUL", "FMUL %0, %0, 0.5", 4, 0),
    LATENCY("FFMA", "FFMA %0, R10, %0, R11", 4, 0),
    LATENCY("FFMA of a uniform register", "FFMA %0, %0, UR6, R11", 4, 0),
    /* FFMAs of 1, 2 or 3 registers of one bank, or of none: stall counts by hand. */
    STALLS("FFMA 1 of 3, 1 of 0, 1 of 0",
           "FFMA R20, R30, R32, R34 {stall=1} ;\n"
           "    FFMA R21, RZ, RZ, RZ {stall=1} ;\n"
           "    FFMA R22, RZ, RZ, RZ {stall=1}",
           3),
    STALLS("FFMA 1 of 3, 1 of 0, 1 of 0, 1 of 1",
           "FFMA R20, R30, R32, R34 {stall=1} ;\n"
           "    FFMA R21, RZ, RZ, RZ {stall=1} ;\n"
           "    FFMA R22, RZ, RZ, RZ {stall=1} ;\n"
           "    FFMA R23, R30, RZ, RZ {stall=1}",
           4),
    STALLS("FFMA 1 of 3, 4 of 1",
           "FFMA R20, R30, R32, R34 {stall=1} ;\n"
           "    FFMA R21, R30, RZ, RZ {stall=4}",
           5),
    STALLS("FFMA 1 of 2, 4 of 1",
           "FFMA R20, R30, R32, RZ {stall=1} ;\n"
           "    FFMA R21, R30, RZ, RZ {stall=4}",
           5),
    STALLS("FFMA 1 of 2, 4 of 2",
           "FFMA R20, R30, R32, RZ {stall=1} ;\n"
           "    FFMA R21, R30, R32, RZ {stall=4}",
           6),
    STALLS("FFMA 2 of 2, 1 of 1",
           "FFMA R20, R30, R32, RZ {stall=2} ;\n"
           "    FFMA R21, R30, RZ, RZ {stall=1}",
           3),
    STALLS("FFMA 1 of 2, 1 of 2 of the other bank",
           "FFMA R20, R30, R32, RZ {stall=1} ;\n"
           "    FFMA R21, R31, R33, RZ {stall=1}",
           2),
    STALLS("FFMA 1 of 2 and 1, 1 of 1 and 2",
           "FFMA R20, R30, R32, R33 {stall=1} ;\n"
           "    FFMA R21, R30, R31, R33 {stall=1}",
           3),
    LATENCY("HFMA2", "HFMA2 %0, R10, %0, R11", 4, 0),
    LATENCY("HFMA2, HFMA2.MMA", "HFMA2 %0, R10, %0, R11 ;\n    HFMA2.MMA %0, R10, %0, R11", 16, 0),
    LATENCY("FFMA, HFMA2", "FFMA %0, R10, %0, R11 ;\n    HFMA2 %0, R10, %0, R11", 10, 0),
    LATENCY("FFMA, HFMA2.MMA", "FFMA %0, R10, %0, R11 ;\n    HFMA2.MMA %0, R10, %0, R11", 16, 0),
    LATENCY("HADD2.F32", "HADD2.F32.H0_H0 %0, -RZ, %0", 5, 0),
    LATENCY("HMNMX2", "HMNMX2 %0, %0, R10, PT", 4, 0),
    LATENCY("VIADD, LOP3", "VIADD %0, %0, 12345 ;\n    LOP3.LUT %0, %0, R12, RZ, 0x3c", 10, 0),
    LATENCY("VIADDMNMX", "VIADDMNMX %0, %0, R12, R13, PT", 4, 0),
    LATENCY("ISETP, LOP3 guarded", "ISETP.LT %p, %0, R12 ;\n@%p LOP3.LUT %0, %0, R13, RZ, 0x3c", 17,
            0),
    LATENCY("ISETP, IMAD guarded", "ISETP.LT %p, %0, R12 ;\n@%p IMAD %0, %0, R13, R12", 18, 0),
    LATENCY("IMAD", "IMAD %0, R12, %0, R13", 4, 0),
    LATENCY("IDP.4A", "IDP.4A.S8.S8 %0, R12, %0, R13", 4, 0),
    LATENCY("IMAD.HI", "IMAD.HI.U32 %0, R12, %0, R13", 9, 0),
    LATENCY("IMAD.WIDE", "IMAD.WIDE.U32 %0, %0, %1, RZ", 9, 0),
    LATENCY("IMAD.WIDE, IADD3, IADD3.X",
            "IMAD.WIDE.U32 %0, %0, %1, RZ ;\n    IADD3 %0, P0, R12, %0, RZ ;\n"
            "    IADD3.X %1, R13, %1, RZ, P0",
            16, 0),
    LATENCY("IMAD.WIDE, IADD3, IMAD.X",
            "IMAD.WIDE.U32 %0, %0, %1, RZ ;\n    IADD3 %0, P0, R12, %0, RZ ;\n"
            "    IMAD.X %1, R13, 1, %1, P0",
            17, 0),
    LATENCY("IMAD, IMAD.HI, IADD3, IADD3.X",
            "IMAD %1, %0, R12, RZ ;\n    IMAD.HI.U32 %0, %0, R12, RZ ;\n"
            "    IADD3 %1, P0, %1, R13, RZ ;\n    IADD3.X %0, %0, %1, RZ, P0",
            16, 0),
    /* Stall counts set by hand; where the operand came too late for them the value was wrong. */
    STALLS("IMAD.WIDE 1", "IMAD.WIDE.U32 %2, R12, R13, RZ {stall=1}", 4),
    STALLS("IMAD.WIDE 3", "IMAD.WIDE.U32 %2, R12, R13, RZ {stall=3}", 5),
    STALLS("IMAD.HI 4", "IMAD.HI.U32 %2, R12, R13, RZ {stall=4}", 6),
    STALLS("IMAD.WIDE 1, low word a factor", "IMAD.WIDE.U32 %0, %0, R12, RZ {stall=1}", 7),
    STALLS("IMAD.WIDE 4, low word a factor", "IMAD.WIDE.U32 %0, %0, R12, RZ {stall=4}", 7),
    STALLS("IMAD.WIDE 6, low word a factor", "IMAD.WIDE.U32 %0, %0, R12, RZ {stall=6}", 8),
    STALLS("IMAD.WIDE 4, high word a factor", "IMAD.WIDE.U32 %0, %1, R12, RZ {stall=4}", 9),
    STALLS("IMAD.WIDE 7, high word a factor", "IMAD.WIDE.U32 %0, %1, R12, RZ {stall=7}", 9),
    STALLS("IMAD.WIDE 8, high word a factor", "IMAD.WIDE.U32 %0, %1, R12, RZ {stall=8}", 10),
    STALLS("IMAD.WIDE 4, addend", "IMAD.WIDE.U32 %0, R12, R13, %0 {stall=4}", 6),
    STALLS("IMAD.HI 4, factor", "IMAD.HI.U32 %0, %0, R12, RZ {stall=4}", 9),
    STALLS("IMAD.HI 4, addend", "IMAD.HI.U32 %0, R12, R13, %0 {stall=4}", 6),
    STALLS("IADD3 5, IMAD.WIDE 12, factor",
           "IADD3 %2, %0, 5 {stall=5} ;\n    IMAD.WIDE.U32 %0, %2, R12, RZ {stall=12}", 21),
    STALLS("IADD3 8, IMAD.WIDE 12, factor",
           "IADD3 %2, %0, 5 {stall=8} ;\n    IMAD.WIDE.U32 %0, R12, %2, RZ {stall=12}", 22),
    STALLS("IADD3 5, IMAD.WIDE 12, addend",
           "IADD3 %2, %0, 5 {stall=5} ;\n    IMAD.WIDE.U32 %0, R12, R13, %2 {stall=12}", 19),
    STALLS("IMAD 4, IMAD.WIDE 12, factor",
           "IMAD %2, %0, R12, RZ {stall=4} ;\n    IMAD.WIDE.U32 %0, %2, R12, RZ {stall=12}", 21),
    STALLS("IMAD 4, IMAD.WIDE 12, addend",
           "IMAD %2, %0, R12, RZ {stall=4} ;\n    IMAD.WIDE.U32 %0, R12, R13, %2 {stall=12}", 18),
    STALLS("FADD 4, IMAD.WIDE 12, factor",
           "FADD %2, %0, 1.0 {stall=4} ;\n    IMAD.WIDE.U32 %0, %2, R12, RZ {stall=12}", 21),
    STALLS("HFMA2 5, IMAD.HI 12, factor",
           "HFMA2 %2, %0, R10, R11 {stall=5} ;\n    IMAD.HI.U32 %0, %2, R12, RZ {stall=12}", 21),
    STALLS("DFMA 10, IMAD.WIDE 12, factor",
           "DFMA %2, %0, R12, R12 {stall=10} ;\n    IMAD.WIDE.U32 %0, %2, R12, RZ {stall=12}", 24),
    /* The pipe has a half that makes no integer products. */
    STALLS("IMAD.WIDE 1, FADD 8",
           "IMAD.WIDE.U32 %2, R12, R13, RZ {stall=1} ;\n    FADD R30, R10, 1.0 {stall=8}", 11),
    STALLS("IMAD.WIDE 1, FADD 1",
           "IMAD.WIDE.U32 %2, R12, R13, RZ {stall=1} ;\n    FADD R30, R10, 1.0 {stall=1}", 4),
    STALLS("FADD 1, IMAD 1", "FADD R30, R10, 1.0 {stall=1} ;\n    IMAD R32, R12, R13, RZ {stall=1}",
           2),
    STALLS("IMAD.HI 3, FADD 1, FADD 1",
           "IMAD.HI.U32 R40, R20, R21, RZ {stall=3} ;\n    FADD R42, R20, R21 {stall=1} ;\n"
           "    FADD R44, R20, R21 {stall=1}",
           8),
    STALLS("IMAD.WIDE 1, 1, 1, FADD 1",
           "FADD R40, R20, R21 {stall=1} ;\n    IMAD.WIDE.U32 R42, R20, R21, RZ {stall=1} ;\n"
           "    IMAD.WIDE.U32 R44, R20, R21, RZ {stall=1} ;\n"
           "    IMAD.WIDE.U32 R46, R20, R21, RZ {stall=1}",
           12),
    STALLS("IMAD.WIDE 1, LOP3 8",
           "IMAD.WIDE.U32 %2, R12, R13, RZ {stall=1} ;\n"
           "    LOP3.LUT R30, R10, R11, RZ, 0x3c {stall=8}",
           11),
    STALLS("IMAD.WIDE 1, IMAD 8",
           "IMAD.WIDE.U32 %2, R12, R13, RZ {stall=1} ;\n    IMAD R30, R12, R13, RZ {stall=8}", 12),
    STALLS("IMAD.WIDE 3, IADD3 of the low word 12",
           "IMAD.WIDE.U32 %0, %2, R12, RZ {stall=3} ;\n    IADD3 %2, %0, 5 {stall=12}", 17),
    STALLS("IMAD.WIDE 5, IADD3 of the high word 12",
           "IMAD.WIDE.U32 %0, %2, R12, RZ {stall=5} ;\n    IADD3 %2, %1, 5 {stall=12}", 19),
    STALLS("IMAD.WIDE 4, IMAD of the high word 12",
           "IMAD.WIDE.U32 %0, %2, R12, RZ {stall=4} ;\n    IMAD %2, %1, R12, RZ {stall=12}", 18),
    STALLS("64-bit product of high words",
           "IMAD.WIDE.U32 R24, R23, R12, RZ {stall=4} ;\n"
           "    IMAD.WIDE.U32 R26, P3, R13, R22, R24 {stall=4} ;\n"
           "    IMAD.WIDE.U32 R24, R22, R12, RZ {stall=1} ;\n"
           "    IADD3.X R29, RZ, RZ, RZ, P3 {stall=2} ;\n    MOV R28, R27 {stall=2} ;\n"
           "    IADD3 RZ, P3, R25, R26, RZ {stall=5} ;\n"
           "    IMAD.WIDE.X.U32 R22, R13, R23, R28, P3 {stall=6}",
           33),
    LATENCY("64-bit addition, twice",
            "IADD3 %2, P1, %0, R12, RZ ;\n    IMAD.X %1, %1, 1, R13, P0 ;\n"
            "    IADD3 %0, P0, %2, R12, RZ ;\n    IMAD.X %1, %1, 1, R13, P1",
            8, 0),
    {"64-bit multiplication, twice", 32, 0, controlled_latency,
     "IMAD.WIDE.U32 %0, %2, R12, RZ {stall=3} ;\n    IADD3 %4, %3, %4, RZ {stall=5} ;\n"
     "    IMAD %4, %4, R12, RZ {stall=4} ;\n    IMAD %4, R13, %2, %4 {stall=2} ;\n"
     "    IMAD.WIDE.U32 %2, %0, R12, RZ {stall=3} ;\n    IADD3 %4, %1, %4, RZ {stall=5} ;\n"
     "    IMAD %4, %4, R12, RZ {stall=4} ;\n    IMAD %4, R13, %0, %4 {stall=2}",
     1, 0, 0},
    LATENCY("IADD3", "IADD3 %0, R13, %0, R12", 4, 0),
    LATENCY("LOP3", "LOP3.LUT %0, %0, R12, R13, 0x96", 4, 0),
    LATENCY("SHF", "SHF.L.U32 %0, %0, R12", 4, 0),
    STALLS("SHF.R.U32.HI, SHF.R.U64",
           "SHF.R.U32.HI R21, RZ, R36, R21 {stall=4} ;\n"
           "    SHF.R.U64 R20, R20, R36.reuse, R21.reuse {stall=2}",
           6),
    /* Two results of one bank that the register file does not have yet. */
    STALLS("SHF.R.U32.HI, SHF.R.U64, odd words",
           "SHF.R.U32.HI R31, RZ, R16, R31 {stall=4} ;\n"
           "    SHF.R.U64 R29, R29, R16.reuse, R31.reuse {stall=2}",
           8),
    STALLS("SHF.R.U32.HI 4, SHF.R.U64 3, odd words",
           "SHF.R.U32.HI R31, RZ, R16, R31 {stall=4} ;\n"
           "    SHF.R.U64 R29, R29, R16, R31 {stall=3}",
           7),
    TWO_RESULTS("FFMAs 5 and 4 cycles ago, two banks", "FFMA", 1, 4, "R21", 17),
    TWO_RESULTS("FFMAs 5 and 4 cycles ago, one bank", "FFMA", 1, 4, "R20", 20),
    TWO_RESULTS("FFMAs 6 and 5 cycles ago, one bank", "FFMA", 1, 5, "R20", 20),
    TWO_RESULTS("FFMAs 7 and 4 cycles ago, one bank", "FFMA", 3, 4, "R20", 19),
    TWO_RESULTS("PRMTs 6 and 4 cycles ago, one bank", "PRMT", 2, 4, "R20", 20),
    TWO_RESULTS("IMADs 6 and 4 cycles ago, one bank", "IMAD", 2, 4, "R20", 20),
    LATENCY("PRMT", "PRMT %0, %0, R12, R13", 4, 0),
    LATENCY("VIMNMX", "VIMNMX %0, %0, R12, PT", 4, 0),
    LATENCY("FMNMX", "FMNMX %0, %0, R10, PT", 4, 0),
    LATENCY("VABSDIFF", "VABSDIFF.U32 %0, %0, R12, R13", 4, 0),
    LATENCY("I2FP", "I2FP.F32.S32 %0, %0", 4, 0),
    LATENCY("F2FP", "F2FP.F16.RZ %0, %0, R10", 4, 0),
    LATENCY("ISETP, SEL", "ISETP.GE %p, %0, R12 ;\n    SEL %0, R12, R13, %p", 8, 0),
    LATENCY("FSETP, FSEL", "FSETP.GE %p, %0, R10 ;\n    FSEL %0, R10, R11, %p", 8, 0),
    LATENCY("FFMA, LOP3", "FFMA %0, R10, %0, R11 ;\n    LOP3.LUT %0, %0, R12, R13, 0x96", 10, 0),
    LATENCY("IMAD, LOP3", "IMAD %0, R12, %0, R13 ;\n    LOP3.LUT %0, %0, R12, R13, 0x96", 10, 0),
    LATENCY("FFMA, IMAD", "FFMA %0, R10, %0, R11 ;\n    IMAD %0, R12, %0, R13", 8, 0),
    LATENCY("LOP3, SHF", "LOP3.LUT %0, %0, R12, R13, 0x96 ;\n    SHF.L.U32 %0, %0, R12", 8, 0),
    LATENCY("FADD, MUFU.RCP", "FADD %0, %0, 1.0 ;\n    MUFU.RCP %0, %0", 23, 0),
    LATENCY("FFMA, MUFU.EX2", "FFMA %0, R10, %0, R11 ;\n    MUFU.EX2 %0, %0", 22.844, 1),
    LATENCY("FMUL, MUFU.SIN", "FMUL %0, %0, 0.5 ;\n    MUFU.SIN %0, %0", 23, 0),
    LATENCY("FMUL, MUFU.COS", "FMUL %0, %0, 0.5 ;\n    MUFU.COS %0, %0", 23, 0),
    LATENCY("FLO, IADD3", "FLO.U32 %0, %0 ;\n    IADD3 %0, %0, R12", 23, 0),
    LATENCY("BREV, IADD3", "BREV %0, %0 ;\n    IADD3 %0, %0, R12", 23, 0),
    LATENCY("DADD", "DADD %0, %0, 0.5", 8, 0),
    LATENCY("DMUL", "DMUL %0, %0, 0.5", 8, 0),
    LATENCY("DFMA", "DFMA %0, R10, %0, R12", 8, 0),
    LATENCY("HMMA.16816.F32", "HMMA.16816.F32 %0, R12, R12, %0", 24, 0),
    LATENCY("HMMA.16816.F32, D to A", "HMMA.16816.F32 %0, %0, R12, R12", 24, 0),
    LATENCY("HMMA.16816.F16", "HMMA.16816.F16 %0, R12, R12, %0", 24, 0),
    LATENCY("HMMA.1688.F32", "HMMA.1688.F32 %0, R12, R12, %0", 17, 0),
    LATENCY("HMMA.1688.F16", "HMMA.1688.F16 %0, R12, R12, %0", 17, 0),
    LATENCY("HMMA.16816.F32.BF16", "HMMA.16816.F32.BF16 %0, R12, R12, %0", 24, 0),
    LATENCY("HMMA.1688.F32.BF16", "HMMA.1688.F32.BF16 %0, R12, R12, %0", 17, 0),
    LATENCY("HMMA.1688.F32.TF32", "HMMA.1688.F32.TF32 %0, R12, R12, %0", 24, 0),
    LATENCY("HMMA.1684.F32.TF32", "HMMA.1684.F32.TF32 %0, R12, R12, %0", 17, 0),
    LATENCY("IMMA.16832", "IMMA.16832.S8.S8 %0, R12, R12, %0", 24, 0),
    LATENCY("IMMA.16816", "IMMA.16816.S8.S8 %0, R12, R12, %0", 17, 0),
    LATENCY("DMMA", "DMMA.8x8x4 %0, R12, R12, %0", 26, 0),
    LATENCY("HMMA.16816, FADD", "HMMA.16816.F32 %0, R12, R12, %0 ;\n    FADD %0, %0, 0.5", 31, 0),
    LATENCY("HMMA.16816, LOP3",
            "HMMA.16816.F32 %0, R12, R12, %0 ;\n    LOP3.LUT %0, %0, R12, R13, 0x96", 31, 0),
    LATENCY("HMMA.1688, FFMA", "HMMA.1688.F32 %0, %0, R12, R12 ;\n    FFMA %0, R10, %0, R11", 24,
            0),
    LATENCY("MUFU.EX2", "MUFU.EX2 %0, %0", 17, 0),
    LATENCY("MUFU.LG2", "MUFU.LG2 %0, %0", 17, 0),
    LATENCY("MUFU.RSQ", "MUFU.RSQ %0, %0", 17, 0),
    LATENCY("MUFU.SQRT", "MUFU.SQRT %0, %0", 17, 0),
    LATENCY("MUFU.TANH", "MUFU.TANH %0, %0", 17, 0),
    LATENCY("FLO", "FLO.U32 %0, %0", 17, 0),
    LATENCY("POPC", "POPC %0, %0", 17, 0),
    LATENCY("F2I", "F2I.S32 %0, %0", 17, 0),
    LATENCY("F2F.F64.F32, F2F.F32.F64",
            "MOV %2, R10 : F2F.F64.F32 %0, %2 ;\n    F2F.F32.F64 %2, %0", 36, 0),
    LATENCY("I2F.F64, F2I.F64", "MOV %2, R12 : I2F.F64.S32 %0, %2 ;\n    F2I.S32.F64 %2, %0", 36,
            0),
    LATENCY("ISETP, VOTE", "ISETP.NE %p, %0, RZ ;\n    VOTE.ANY %0, %p", 17, 0),
    LATENCY("VOTE", "VOTE.ANY RZ, %p, %p", 13, 0),
    LATENCY("SHFL.BFLY", "SHFL.BFLY %0, %0, 7, 31", 24, 0),
    LATENCY("SHFL.DOWN", "SHFL.DOWN %0, %0, 1, 31", 24, 0),
    LATENCY("SHFL.IDX", "SHFL.IDX %0, %0, R12, 31", 26, 0),
    LATENCY("MATCH.ANY, one value", "MOV %0, RZ : MATCH.ANY.U32 %0, %0", 28.8, 1),
    LATENCY("MATCH.ANY, 32 values", "MATCH.ANY.U32 %0, %0", 380.5, 1),
    LATENCY("REDUX, MOV", "REDUX.SUM.S32 %u, %0 ;\n    MOV %0, %u", 44, 0),
    LATENCY("REDUX.XOR, MOV", "REDUX.XOR %u, %0 ;\n    MOV %0, %u", 44, 0),
    LATENCY("LDC, one address", "MOV %0, RZ : LDC %0, c[0x3][%0]", 28, 0),
    LATENCY("LDC, 32 addresses", "LDC %0, c[0x3][%0]", 380, 0),
    LATENCY("CS2R, LOP3", "CS2R %0, SR_CLOCKLO ;\n    LOP3.LUT %0, %0, R12, RZ, 0x3c", 6, 0),
    LATENCY("LDS", "LDS %0, [%0]", 23, 0),
    LATENCY("LDS.64", "SHF.L.U32 %0, R14, 1 ;\n    IADD3 %0, %0, 2048 : LDS.64 %0, [%0]", 26, 0),
    LATENCY("LDS.128", "MOV %0, R5 : LDS.128 %0, [%0]", 32, 0),
    LATENCY("LDSM", "MOV %0, RZ : LDSM.16.M88 %0, [%0+0x900]", 22.89, 1),
    LATENCY("LDSM.2", "MOV %0, RZ : LDSM.16.M88.2 %0, [%0+0x900]", 25, 0),
    LATENCY("LDSM.4", "MOV %0, RZ : LDSM.16.M88.4 %0, [%0+0x900]", 29, 0),
    LATENCY("LDSM.4, transposed", "MOV %0, RZ : LDSM.16.MT88.4 %0, [%0+0x900]", 29, 0),
    LATENCY("MOVM", "MOVM.16.MT88 %0, %0", 24, 0),
    LATENCY("STS, LDS twice",
            "STS [R14], %0 ;\n    LDS %1, [R14] ;\n    STS [R14], %1 ;\n    LDS %0, [R14]", 56, 4),
    LATENCY("ATOMS.ADD", "ATOMS.ADD %0, [%0], RZ", 26, 0),
    LATENCY("ATOMS.ADD, one address", "MOV %0, RZ : ATOMS.ADD %0, [%0], RZ", 90.69, 3),
    LATENCY("ATOMS.EXCH", "ATOMS.EXCH %0, [R14], %0", 26, 0),
    LATENCY("ATOMS.CAS", "ATOMS.CAS %0, [%0], RZ, RZ", 30, 0),
    LATENCY("LDL", "MOV %0, RZ : LDL %0, [%0]", 29, 0),
    LATENCY("LDG, hit in L1", "IADD3 %0, R14, 0x10010000 : LDG %0, [%0]", 31, 0),
    LATENCY("LDG.64, hit in L1",
            "LEA %0, R14, 0x10010000, RZ, 1 ;\n    MOV %1, RZ : LDG.64 %0, [%0]", 35, 0),
    LATENCY("LDG.128, hit in L1", "LEA %0, R14, 0x10010000, RZ, 2 : LDG.128 %0, [%0]", 40, 0),
    LATENCY("LD of global memory", "IADD3 %0, R14, 0x10010000 ;\n    MOV %1, RZ : LD.E %0, [%0]",
            31, 0),
    /* Lines of the slices in the middle of the range; those of a home have 24 cycles between them.
     */
    LATENCY("LDG.STRONG.GPU", "IADD3 %0, R14, 0x10013000 : LDG.STRONG.GPU %0, [%0]", 272.3, 3),
    LATENCY("ATOMG.ADD, near home", "IADD3 %2, R14, 0x10013500 : ATOMG.ADD %0, [%2], %0", 313, 3),
    LATENCY("ATOMG.ADD, far home", "IADD3 %2, R14, 0x10012080 : ATOMG.ADD %0, [%2], %0", 533, 3),
    LATENCY("ATOMG.ADD, far home, one address", "MOV %2, 0x10012080 : ATOMG.ADD %0, [%2], %0",
            599.2, 3),
    LATENCY("ATOMG.CAS, near home, one address", "MOV %2, 0x10013500 : ATOMG.CAS %0, [%2], %0, R12",
            358.1, 3),
    LATENCY("ATOMG.CAS, far home, one address", "MOV %2, 0x10012080 : ATOMG.CAS %0, [%2], %0, R12",
            573, 3),
    LINES("ATOMG.ADD, near homes", "ATOMG.E.ADD %0, [%2], %0", 0, 308.5, 3),
    LINES("ATOMG.ADD, far homes", "ATOMG.E.ADD %0, [%2], %0", 1, 504.5, 3),
    LINES("STG, MEMBAR.GPU, near homes", "STG.E [%2], R12 ;\n    MEMBAR.GPU", 0, 411.6, 1),
    LINES("STG, MEMBAR.GPU, far homes", "STG.E [%2], R12 ;\n    MEMBAR.GPU", 1, 564.8, 1),
    LATENCY("MEMBAR.CTA", "MEMBAR.CTA", 7.8, 3),
    LATENCY("MEMBAR.GPU", "MEMBAR.GPU", 262.8, 1),
    LATENCY("STG, MEMBAR.GPU, near home",
            "IADD3 %0, R14, 0x10013000 : STG [%0], R12 ;\n    MEMBAR.GPU", 394, 2),
    LATENCY("STG, MEMBAR.GPU, far home",
            "IADD3 %0, R14, 0x10012700 : STG [%0], R12 ;\n    MEMBAR.GPU", 547.3, 2),
    LATENCY("MEMBAR.SYS", "MEMBAR.SYS", 1018, 1),
    LATENCY("NANOSLEEP 0", "NANOSLEEP RZ", 74.4, 1),
    LATENCY("NANOSLEEP 100", "NANOSLEEP 100", 257, 2),
};

const Group latency_group = {"Latencies of dependent operations",
                             "One warp, two straight chains of 32 and 160 steps between clock "
                             "reads, difference of the times "
                             "over 128. A row with two mnemonics is a step of both.",
                             latency_rows, G_N_ELEMENTS(latency_rows)};

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
    RATE("MEMBAR.GPU", "MEMBAR.GPU", 265.2, 11.123, 2, 4, 32),
    AMONG("MEMBAR.GPU", "MEMBAR.GPU", 4, 68.05, 5),
    AMONG("MEMBAR.GPU", "MEMBAR.GPU", 8, 34.93, 5),
    AMONG("MEMBAR.GPU", "MEMBAR.GPU", 16, 17.54, 5),
    AMONG("MEMBAR.SYS", "MEMBAR.SYS", 1, 1020.5, 5),
    AMONG("MEMBAR.SYS", "MEMBAR.SYS", 8, 129.7, 5),
    AMONG("MEMBAR.SYS", "MEMBAR.SYS", 16, 101.8, 5),
    AMONG("MEMBAR.SYS", "MEMBAR.SYS", 32, 50.89, 5),
    /* Which fences go together hangs on the cycle: one more in front moves these by up to 15 %. */
    AMONG("STG, MEMBAR.GPU, far home", STORE_AND_FENCE, 1, 572.0, 5),
    AMONG("STG, MEMBAR.GPU, far home", STORE_AND_FENCE, 4, 147.15, 5),
    AMONG("STG, MEMBAR.GPU, far home", STORE_AND_FENCE, 8, 91.3, 5),
    AMONG("STG, MEMBAR.GPU, far home", STORE_AND_FENCE, 16, 49.08, 5),
    AMONG("STG, MEMBAR.GPU, far home", STORE_AND_FENCE, 32, 26.35, 9),
    AMONG("STG, MEMBAR.GPU, far home", STORE_AND_FENCE, 12, 63.3, 5),
    AMONG("STG, MEMBAR.GPU, far home", STORE_AND_FENCE, 20, 39.0, 5),
    AMONG("STG, MEMBAR.GPU, far home", STORE_AND_FENCE, 24, 35.3, 5),
    AMONG("STG, MEMBAR.GPU, far home", STORE_AND_FENCE, 28, 27.6, 11),
    AMONG("STG, MEMBAR.GPU, near home", STORE_AND_FENCE_NEAR, 8, 58.0, 14),
    AMONG("STG, MEMBAR.GPU, near home", STORE_AND_FENCE_NEAR, 16, 33.8, 7),
    AMONG("STG, MEMBAR.GPU, near home", STORE_AND_FENCE_NEAR, 32, 21.0, 7),
    AMONG("MEMBAR.CTA", "MEMBAR.CTA", 1, 8.531, 5),
    AMONG("MEMBAR.CTA", "MEMBAR.CTA", 8, 2.031, 5),
    RATE("NANOSLEEP 0", "NANOSLEEP RZ", 74.55, 5.999, 2, 2, 32),
    CONTROLLED("LDG, hit in L1", "IADD3 %0, R14, 0x10010000 : LDG %0, [%0] {stall=4 $}", 6.430,
               1.0021, 2, 2, 256, 2),
    CONTROLLED(
        "LDG, hit in L2",
        "LEA %0, R0, 0x1001%s000, RZ, 2 ;\n    MOV %1, RZ : LDG.E.STRONG.GPU %0, [%0] {stall=4 $}",
        39.442, 1.3149, 5, 5, 256, 2),
};

const Group throughput_group = {
    "Throughput of independent operations",
    "Cycles of the SM per warp instruction: 8 streams a warp in a loop of 256 steps, trips of 2 "
    "and 6, difference of the times (largest end minus smallest start). The loop's own cost is in. "
    "SHFL.IDX, MATCH, REDUX, LDS.64, ATOMS.ADD and LDG wait by control fields as compiled: streams "
    "share dependence barriers.",
    throughput_rows, G_N_ELEMENTS(throughput_rows)};

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
#define FMA                                  "FFMA %0, R10.reuse, %0, R11.reuse"

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

/* ---- loops --------------------------------------------------------------------------------------
 */

/* A loop of `a` FFMAs in `b` streams, as nvcc writes it: cycles a trip. */
static double trip(const Row *row)
{
    g_autoptr(GString) body =
        g_string_new("    UMOV UR4, URZ ;\nloop:\n    UIADD3 UR4, UR4, 1, URZ ;\n");
    const char *step = FMA;
    double few;

    for (guint i = 0; i < row->a; i++) {
        if (i == MIN(5, row->a - 1) && row->a > 4)
            g_string_append(body, "    ISETP.LE P6, R15, UR4 ;\n");
        append_step(body, FMA, i % row->b, stride_of(row->b));
    }
    if (row->a <= 4)
        g_string_append(body, "    ISETP.LE P6, R15, UR4 ;\n");
    g_string_append(body, "@!P6 BRA loop ;\n");
    few = run(&step, 1, row->b, body->str, row->warps, 64);
    return (run(&step, 1, row->b, body->str, row->warps, 192) - few) / 128;
}

#define TRIP(ffmas, ilp, warps, measured, tolerance)                                               \
    ROW(#ffmas " FFMAs, ILP " #ilp ", " #warps " warps", measured, tolerance, trip, NULL, warps,   \
        ffmas, ilp)

static const Row loop_rows[] = {
    TRIP(1, 1, 1, 29, 0),   TRIP(1, 1, 8, 29, 0),   TRIP(2, 1, 1, 29, 0),  TRIP(8, 1, 1, 40, 5),
    TRIP(16, 1, 1, 72, 2),  TRIP(32, 1, 1, 136, 2), TRIP(4, 4, 1, 30, 5),  TRIP(8, 8, 1, 30, 5),
    TRIP(16, 8, 1, 29, 5),  TRIP(32, 8, 1, 44, 0),  TRIP(64, 8, 1, 76, 0), TRIP(32, 8, 8, 70, 8),
    TRIP(64, 8, 8, 134, 8), TRIP(64, 8, 16, 268, 8)};

const Group loop_group = {
    "Loops: cycles a trip",
    "UIADD3, FFMAs, ISETP, BRA; trips of 64 and 192, difference. 8 and 16 warps are 2 and 4 on a "
    "sub-core.",
    loop_rows, G_N_ELEMENTS(loop_rows)};
