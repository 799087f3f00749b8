/* Latencies of dependent operations: chains. */
#include "streams.h"

static double chain(const char *setting, const char *step, guint length)
{
    g_autoptr(GString) body = g_string_new(NULL);

    for (guint i = 0; i < length; i++)
        append_step(body, streams_instructions(step), 0, 4);
    return streams_run(setting, &step, 1, 1, body->str, 1, 1);
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

const Group latency_group = {
    "Latencies of dependent operations",
    "One warp runs two chains of dependent instructions in straight-line code between clock reads, "
    "one of 32 and one of 160 steps. The time of a step is the difference of the two times divided "
    "by 128. In a row with two mnemonics, a step is one instruction of each. A number after a "
    "mnemonic (except NANOSLEEP) is its stall count, set by hand: `FFMA 1 of 3, 4 of 1` is an FFMA "
    "with stall count 1 that reads 3 registers of one bank, and one with stall count 4 that reads "
    "1. In `FFMAs 5 and 4 cycles ago` an FFMA reads the results of two others, which issued 5 and "
    "4 cycles earlier.",
    latency_rows, G_N_ELEMENTS(latency_rows)};
