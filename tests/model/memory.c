/* Shared memory, L1, L2, DRAM: latencies, throughputs and how warps hide them. */
#include <string.h>

#include "rows.h"

enum {
    LINE_WORDS = 32,
    SECTOR_WORDS = 8,
    CHASE_LINES = 16384, /* 2 MiB */
    CHAIN = 32,          /* lines of one warp's chain */
    FIRST_X = 17,        /* registers of the chains' addresses */
    DATA_ADDRESS = WS_BUFFER_BASE + PROBE_DATA
};

/* ---- one access in many shapes ------------------------------------------------------------------
 */

static void append_chain(GString *body, const char *text, guint length)
{
    for (guint i = 0; i < length; i++)
        append_step(body, text, 0, 4);
}

/*
 * Chains of 8 and 40 accesses with three clock reads, as compiled: the second read waits for
 * nothing, so that the last access of the first chain counts for the second one. So does the last
 * read, except behind 128-bit loads, whose registers it writes.
 */
static void append_chains(GString *body, GString *tail, const char *text)
{
    guint last = strstr(text, ".128") != NULL ? 18 : 36;

    g_string_append(body, "    CS2R.64 R32, SR_CLOCKLO ;\n");
    append_chain(body, text, 8);
    g_string_append(body, "    CS2R.64 R34, SR_CLOCKLO ;\n");
    append_chain(body, text, 40);
    g_string_append_printf(body, "    CS2R.64 R%u, SR_CLOCKLO ;\n", last);
    /* The difference of the two, behind the start. */
    g_string_append_printf(tail,
                           "    IMAD R34, R34, 0xfffffffe, R32 ;\n    IADD3 R8, R34, R%u, R6 ;\n"
                           "    MOV R9, R7 ;\n",
                           last);
}

/*
 * `length` dependent accesses, or a loop of 4 streams. Addresses are `a` bytes apart, and 2 to the
 * power of `b` lanes share one. R12 is the address too, for what does not load it.
 */
static double access_cycles(const Row *row, guint streams, guint length, guint trips)
{
    g_autoptr(GString) tail = g_string_new(NULL);
    gboolean shared = strstr(row->text, "LDG") == NULL;
    g_autoptr(GString) body = g_string_new(NULL);
    g_autofree char *setup = g_strdup_printf(
        "    S2R R4, SR_LANEID ;\n    SHF.R.U32 R4, R4, %u ;\n"
        "    IMAD R4, R4, %u, RZ ;\n    IADD3 R4, R4, %s ;\n%s"
        "    MOV R12, R4 ;\n    MOV R16, R4 ;\n    MOV R20, R4 ;\n"
        "    MOV R24, R4 ;\n    MOV R28, R4 ;\n    MOV R17, RZ ;\n"
        "    MOV R21, RZ ;\n    MOV R25, RZ ;\n    MOV R29, RZ ;\n",
        row->b, row->a, shared ? "64" : "0x10010000", shared ? "    STS [R4], R4 ;\n" : "");
    Probe probe = {.setup = setup,
                   .directives = ".shared 20480\n",
                   .warps = row->warps,
                   .trips = trips,
                   .data_bytes = 65536,
                   .fill = probe_own_addresses};

    if (trips != 0)
        g_string_append(body, "    UMOV UR4, URZ ;\nloop:\n    UIADD3 UR4, UR4, 1, URZ ;\n");
    if (streams == 0)
        append_chains(body, tail, row->text);
    for (guint i = 0; i < length; i++)
        append_step(body, row->text, i % streams, 4);
    if (trips != 0)
        g_string_append(body, "    ISETP.LE P6, R15, UR4 ;\n@!P6 BRA loop ;\n");
    probe.body = body->str;
    probe.tail = tail->str;
    return probe_cycles(&probe);
}

static double access_latency(const Row *row)
{
    if (strstr(row->text, "LDG") == NULL)
        return access_cycles(row, 0, 0, 0) / 32;
    return (access_cycles(row, 1, 40, 0) - access_cycles(row, 1, 8, 0)) / 32;
}

static double access_rate(const Row *row)
{
    return (access_cycles(row, 4, 32, 6) - access_cycles(row, 4, 32, 2)) / (32. * 4 * row->warps);
}

#define ACCESS(name, text, bytes, shift, lat, lat_error, rate, rate_error)                         \
    ROW(name ", latency", lat, lat_error, access_latency, text, 1, bytes, shift),                  \
        ROW(name ", 32 warps", rate, rate_error, access_rate, text, 32, bytes, shift)

#define STORE(name, text, bytes, rate)                                                             \
    ROW(name ", 32 warps", rate, 3, access_rate, text, 32, bytes, 0)

static const Row shared_rows[] = {
    ACCESS("LDS, 1 way", "LDS %0, [%0]", 4, 0, 23.656, 3, 1.022, 3),
    ACCESS("LDS, broadcast", "LDS %0, [%0]", 0, 0, 23.656, 3, 1.028, 3),
    ACCESS("LDS, 2 ways", "LDS %0, [%0]", 8, 0, 25.719, 3, 2.012, 3),
    ACCESS("LDS, stride 3", "LDS %0, [%0]", 12, 0, 23.656, 3, 1.018, 3),
    ACCESS("LDS, 4 ways", "LDS %0, [%0]", 16, 0, 29.844, 3, 4.024, 3),
    ACCESS("LDS, 8 ways", "LDS %0, [%0]", 32, 0, 38.094, 3, 8.036, 3),
    ACCESS("LDS, 16 ways", "LDS %0, [%0]", 64, 0, 54.188, 3, 16.05, 3),
    ACCESS("LDS, 32 ways", "LDS %0, [%0]", 128, 0, 86.188, 3, 32.10, 3),
    ACCESS("LDS, stride 33", "LDS %0, [%0]", 132, 0, 23.656, 3, 1.023, 3),
    ACCESS("LDS.128, 4 wavefronts", "LDS.128 %0, [%0]", 16, 0, 33.906, 3, 4.014, 3),
    ACCESS("LDS.128, 8 wavefronts", "LDS.128 %0, [%0]", 32, 0, 42.406, 3, 8.019, 3),
    ACCESS("LDS.128, 32 wavefronts", "LDS.128 %0, [%0]", 128, 0, 93.406, 3, 32.06, 3),
    ACCESS("LDS, stride 31", "LDS %0, [%0]", 124, 0, 23.656, 3, 1.019, 3),
    ACCESS("LDS.64, stride 0", "LDS.64 %0, [%0]", 0, 0, 23.656, 3, 1.019, 3),
    ACCESS("LDS.64, stride 1", "LDS.64 %0, [%0]", 8, 0, 26.75, 3, 2.01, 3),
    ACCESS("LDS.64, stride 2", "LDS.64 %0, [%0]", 16, 0, 30.875, 3, 4.014, 3),
    ACCESS("LDS.64, stride 3", "LDS.64 %0, [%0]", 24, 0, 26.75, 3, 2.021, 3),
    ACCESS("LDS.64, stride 4", "LDS.64 %0, [%0]", 32, 0, 39.125, 3, 8.018, 3),
    ACCESS("LDS.64, stride 8", "LDS.64 %0, [%0]", 64, 0, 55.625, 3, 16.03, 3),
    ACCESS("LDS.64, stride 16", "LDS.64 %0, [%0]", 128, 0, 88.625, 3, 32.06, 3),
    ACCESS("LDS.64, stride 32", "LDS.64 %0, [%0]", 256, 0, 88.625, 3, 32.09, 3),
    ACCESS("LDS.64, stride 33", "LDS.64 %0, [%0]", 264, 0, 26.75, 3, 2.014, 3),
    ACCESS("LDS.128, stride 0", "LDS.128 %0, [%0]", 0, 0, 27.531, 3, 2.013, 3),
    ACCESS("LDS.128, stride 3", "LDS.128 %0, [%0]", 48, 0, 33.906, 3, 4.02, 3),
    ACCESS("LDS.128, stride 4", "LDS.128 %0, [%0]", 64, 0, 59.406, 3, 16.02, 3),
    ACCESS("LDS.128, stride 32", "LDS.128 %0, [%0]", 512, 0, 93.406, 3, 32.02, 3),
    ACCESS("LDS.128, stride 33", "LDS.128 %0, [%0]", 528, 0, 33.906, 3, 4.005, 3),
    ACCESS("ATOMS.ADD, 1 lane an address", "ATOMS.ADD %0, [R12], %0", 4, 0, 26.75, 3, 1.033, 3),
    ACCESS("ATOMS.ADD, 2 lanes an address", "ATOMS.ADD %0, [R12], %0", 4, 1, 28.812, 3, 2.012, 3),
    ACCESS("ATOMS.ADD, 4 lanes an address", "ATOMS.ADD %0, [R12], %0", 4, 2, 32.938, 3, 4.006, 3),
    ACCESS("ATOMS.ADD, 8 lanes an address", "ATOMS.ADD %0, [R12], %0", 4, 3, 41.188, 3, 8.016, 3),
    ACCESS("ATOMS.ADD, 16 lanes an address", "ATOMS.ADD %0, [R12], %0", 4, 4, 57.688, 3, 16.02, 3),
    ACCESS("ATOMS.ADD, 32 lanes an address", "ATOMS.ADD %0, [R12], %0", 4, 5, 90.688, 3, 32.04, 3),
    ACCESS("ATOMS.ADD, stride 2", "ATOMS.ADD %0, [R12], %0", 8, 0, 28.812, 3, 2.008, 3),
    ACCESS("ATOMS.ADD, stride 8", "ATOMS.ADD %0, [R12], %0", 32, 0, 41.188, 3, 8.017, 3),
    ACCESS("ATOMS.ADD, stride 32", "ATOMS.ADD %0, [R12], %0", 128, 0, 90.688, 3, 32.06, 3),
    ACCESS("ATOMS.CAS, 1 lane an address", "ATOMS.CAS %0, [R12], %0, R13", 4, 0, 30.875, 3, 2.029,
           3),
    ACCESS("ATOMS.CAS, 2 lanes an address", "ATOMS.CAS %0, [R12], %0, R13", 4, 1, 35, 3, 4.037, 3),
    ACCESS("ATOMS.CAS, 4 lanes an address", "ATOMS.CAS %0, [R12], %0, R13", 4, 2, 43.25, 3, 8.072,
           3),
    ACCESS("ATOMS.CAS, 8 lanes an address", "ATOMS.CAS %0, [R12], %0, R13", 4, 3, 59.75, 3, 16.12,
           3),
    ACCESS("ATOMS.CAS, 16 lanes an address", "ATOMS.CAS %0, [R12], %0, R13", 4, 4, 92.75, 3, 32.23,
           3),
    ACCESS("ATOMS.CAS, 32 lanes an address", "ATOMS.CAS %0, [R12], %0, R13", 4, 5, 158.75, 3, 64.48,
           3),
    ACCESS("ATOMS.CAS, stride 2", "ATOMS.CAS %0, [R12], %0, R13", 8, 0, 35, 3, 4.037, 3),
    ACCESS("ATOMS.CAS, stride 8", "ATOMS.CAS %0, [R12], %0, R13", 32, 0, 59.75, 3, 16.1, 3),
    ACCESS("ATOMS.CAS, stride 32", "ATOMS.CAS %0, [R12], %0, R13", 128, 0, 158.75, 3, 64.42, 3),
    STORE("STS, stride 0", "STS [R12], R16", 0, 1.0227),
    STORE("STS, stride 1", "STS [R12], R16", 4, 1.023),
    STORE("STS, stride 2", "STS [R12], R16", 8, 2.008),
    STORE("STS, stride 4", "STS [R12], R16", 16, 4.009),
    STORE("STS, stride 8", "STS [R12], R16", 32, 8.016),
    STORE("STS, stride 16", "STS [R12], R16", 64, 16.01),
    STORE("STS, stride 32", "STS [R12], R16", 128, 32.02),
    STORE("STS.64, stride 1", "STS.64 [R12], R16", 8, 2.011),
    STORE("STS.64, stride 2", "STS.64 [R12], R16", 16, 4.011),
    STORE("STS.64, stride 4", "STS.64 [R12], R16", 32, 8.013),
    STORE("STS.64, stride 8", "STS.64 [R12], R16", 64, 16.02),
    STORE("STS.64, stride 16", "STS.64 [R12], R16", 128, 32.07),
    STORE("STS.128, stride 1", "STS.128 [R12], R16", 16, 4.034),
    STORE("STS.128, stride 2", "STS.128 [R12], R16", 32, 8.007),
    STORE("STS.128, stride 4", "STS.128 [R12], R16", 64, 16.0),
    STORE("STS.128, stride 8", "STS.128 [R12], R16", 128, 31.99),
};

const Group shared_group = {"Bank conflicts of shared memory",
                            "Chains of 8 and 40 loads of one warp; or SM cycles per load with 32 "
                            "warps of 4 streams each, for 2 and 6 iterations of 32 loads.",
                            shared_rows, G_N_ELEMENTS(shared_rows)};

static const Row coalescing_rows[] = {
    ACCESS("LDG, 1 line", "LDG %0, [%0]", 4, 0, 31.125, 5, 1.023, 5),
    ACCESS("LDG, 2 lines", "LDG %0, [%0]", 8, 0, 33.188, 5, 2.015, 5),
    ACCESS("LDG, 4 lines", "LDG %0, [%0]", 16, 0, 37.312, 5, 4.006, 5),
    ACCESS("LDG, 8 lines", "LDG %0, [%0]", 32, 0, 46.469, 5, 8.003, 5),
    ACCESS("LDG, 16 lines", "LDG %0, [%0]", 64, 0, 64.469, 5, 15.97, 5),
    ACCESS("LDG, 32 lines", "LDG %0, [%0]", 128, 0, 100.469, 5, 31.97, 5),
    ACCESS("LDG.64, stride 0", "LDG.64 %0, [%0]", 0, 0, 34.906, 5, 2.016, 5),
    ACCESS("LDG.64, stride 1", "LDG.64 %0, [%0]", 8, 0, 34.906, 5, 2.035, 5),
    ACCESS("LDG.64, stride 2", "LDG.64 %0, [%0]", 16, 0, 39.031, 5, 4.019, 5),
    ACCESS("LDG.64, stride 4", "LDG.64 %0, [%0]", 32, 0, 48.312, 5, 8.013, 5),
    ACCESS("LDG.64, stride 8", "LDG.64 %0, [%0]", 64, 0, 66.875, 5, 16.0, 5),
    ACCESS("LDG.64, stride 16", "LDG.64 %0, [%0]", 128, 0, 104, 5, 32.01, 5),
    ACCESS("LDG.64, stride 32", "LDG.64 %0, [%0]", 256, 0, 104, 5, 32.02, 5),
    ACCESS("LDG.128, stride 0", "LDG.128 %0, [%0]", 0, 0, 40.031, 5, 4.011, 5),
    ACCESS("LDG.128, stride 1", "LDG.128 %0, [%0]", 16, 0, 40.031, 5, 4.02, 5),
    ACCESS("LDG.128, stride 2", "LDG.128 %0, [%0]", 32, 0, 48.938, 5, 8.01, 5),
    ACCESS("LDG.128, stride 4", "LDG.128 %0, [%0]", 64, 0, 66.875, 5, 16.01, 5),
    ACCESS("LDG.128, stride 8", "LDG.128 %0, [%0]", 128, 0, 102.875, 5, 32.02, 5),
    ACCESS("LDG.128, stride 32", "LDG.128 %0, [%0]", 512, 0, 102.875, 5, 32.0, 5),
};

const Group coalescing_group = {
    "Lines of a global load that hits in L1",
    "As in the previous table, by the distance between the addresses of neighbouring lanes.",
    coalescing_rows, G_N_ELEMENTS(coalescing_rows)};

/* ---- chains through L2 and DRAM -----------------------------------------------------------------
 */

/* The numbers below `count`, shuffled; free with g_free. */
static guint32 *shuffled(guint32 count)
{
    guint32 *order = g_new(guint32, count);
    guint64 state = 12345;

    for (guint32 i = 0; i < count; i++) {
        guint32 other = probe_random(&state, i + 1);

        order[i] = order[other];
        order[other] = i;
    }
    return order;
}

/*
 * Chains of CHAIN lines; each lane's word holds the same word of the next line. Behind the lines
 * stand the addresses of the first line of each chain.
 */
static void chains(guint32 *data, guint32 address, guint words)
{
    g_autofree guint32 *line_of = shuffled(CHASE_LINES);

    for (guint32 place = 0; place < CHASE_LINES; place++) {
        guint32 chain = place / CHAIN, next = chain * CHAIN + (place + 1) % CHAIN;

        for (guint32 lane = 0; lane < LINE_WORDS; lane++)
            data[line_of[place] * LINE_WORDS + lane] =
                address + 4 * (line_of[next] * LINE_WORDS + lane);
        if (place % CHAIN == 0)
            data[CHASE_LINES * LINE_WORDS + chain] = address + 4 * line_of[place] * LINE_WORDS;
    }
}

/* Loads from the address in register `x`, moved to the pair `pair` first. */
static void append_load(GString *body, guint pair, guint x)
{
    g_string_append_printf(body,
                           "    MOV R%u, RZ ;\n    IMAD R%u, RZ, RZ, R%u ;\n"
                           "    LDG.E.STRONG.GPU R%u, [R%u] ;\n",
                           pair + 1, pair, x, x, pair);
}

/*
 * A loop of 32 trips: `b` dependent loads side by side, `a` FFMAs on what came, the next address.
 * With one pass everything comes from DRAM, in a second one from L2.
 */
static double hide(const Row *row, guint passes)
{
    static const guint pairs[] = {26, 28, 30, 12, 10}; /* only the first with FFMAs */
    g_autoptr(GString) setup = g_string_new("    MOV R31, RZ ;\n    SHF.R.U32 R30, R0, 5 ;\n"
                                            "    S2R R29, SR_CTAID.X ;\n");
    g_autoptr(GString) body = g_string_new(NULL);
    guint blocks = row->warps > 32 ? 2 : 1;
    Probe probe = {.warps = row->warps / blocks,
                   .blocks = blocks,
                   .directives = blocks > 1 ? ".shared 102400\n" : NULL,
                   .passes = passes,
                   .trips = 32,
                   .data_bytes = CHASE_LINES * LINE_WORDS * 4 + CHASE_LINES / CHAIN * 4,
                   .fill = chains};

    g_string_append(setup, "    IMAD R30, R29, 32, R30 ;\n");
    for (guint i = 0; i < row->b; i++)
        g_string_append_printf(
            setup,
            "    IMAD R29, R30, %u, RZ ;\n    IADD3 R29, R29, %u ;\n    LDG R29, [R29] ;\n"
            "    IADD3 R%u, R29, R14 ;\n",
            4 * row->b, DATA_ADDRESS + 4 * (CHASE_LINES * LINE_WORDS + i), FIRST_X + i);
    /* Two blocks begin at the same time. */
    if (blocks > 1)
        g_string_append(body, "    MOV R26, 100000 ;\n    IMAD R27, R1, R26, RZ ;\nmeet:\n    "
                              "CS2R.64 R8, SR_CLOCKLO ;\n"
                              "    ISETP.LT P6, R8, R27 ;\n@P6 BRA meet ;\n"
                              "    CS2R.64 R6, SR_CLOCKLO ;\n");
    g_string_append(body, "    UMOV UR4, URZ ;\nloop:\n");
    /* All loads of a trip share one dependence barrier in the compiled loop. */
    for (guint i = 0; i + 1 < row->b; i += 2)
        g_string_append_printf(body, "    LOP3.LUT R25, R25, R%u, R%u, 0x96 ;\n", FIRST_X + i,
                               FIRST_X + 1 + i);
    for (guint i = 0; i < row->b; i++)
        append_load(body, row->a == 0 ? pairs[i % G_N_ELEMENTS(pairs)] : pairs[0], FIRST_X + i);
    g_string_append(body, "    UIADD3 UR4, UR4, 1, URZ ;\n");
    if (row->a != 0) /* where the compiled loops have it */
        g_string_append(body, "    ISETP.LE P6, R15, UR4 ;\n");
    /* Even and odd registers as compiled: two even ones and an odd one, the last result odd. */
    for (guint i = 0; i < row->a; i++)
        g_string_append_printf(body, "    FFMA R%u, R10, R%u, R17 ;\n", i + 1 == row->a ? 25 : 28,
                               i == 0 ? 25 : 28);
    if (row->a != 0)
        g_string_append(body,
                        "    LOP3.LUT R30, R31, R25, RZ, 0xc0 ;\n    IADD3 R17, R17, R30 ;\n");
    if (row->a == 0)
        g_string_append(body, "    ISETP.LE P6, R15, UR4 ;\n");
    g_string_append(body, "@!P6 BRA loop ;\n");
    for (guint i = 0; i < row->b; i++)
        g_string_append_printf(body, "    LOP3.LUT R25, R25, R%u, RZ, 0x3c ;\n", FIRST_X + i);
    probe.setup = setup->str;
    probe.body = body->str;
    return probe_cycles(&probe) / 32;
}

static double hide_l2(const Row *row)
{
    return hide(row, 2);
}

static double hide_dram(const Row *row)
{
    return hide(row, 1);
}

#define HIDE(level, from, w, k, loads, measured, tolerance)                                        \
    ROW(from ", " #loads " loads, " #k " FFMAs, " #w " warps", measured, tolerance, hide_##level,  \
        NULL, w, k, loads),
static const Row hiding_rows[] = {
#include "hiding.def"
};

const Group hiding_group = {
    "Memory latency hidden by warps",
    "Cycles per iteration of a loop of 32 iterations: dependent loads of one line each, a chain of "
    "FFMAs on the loaded values, and the computation of the next address. 64 warps are two blocks.",
    hiding_rows, G_N_ELEMENTS(hiding_rows)};

/* ---- sectors of lines that L2 lacks -------------------------------------------------------------
 */

enum { SECTOR_LINES = 64 };

/* A chain through 64 of 8192 lines: sector 1, then sector `second`. Word 0 has its beginning. */
static void chain_of_sectors(guint32 *data, guint32 address, guint second)
{
    g_autofree guint32 *line_of = shuffled(CHASE_LINES / 2 - 1);

    for (guint i = 0; i < SECTOR_LINES; i++) {
        guint32 line = LINE_WORDS * (1 + line_of[i]), next = LINE_WORDS * (1 + line_of[i + 1]);

        data[line + SECTOR_WORDS] = address + 4 * (line + second * SECTOR_WORDS);
        data[line + second * SECTOR_WORDS] = address + 4 * (next + SECTOR_WORDS);
    }
    data[0] = address + 4 * (LINE_WORDS * (1 + line_of[0]) + SECTOR_WORDS);
}

static void sectors_1_0(guint32 *data, guint32 address, guint words)
{
    chain_of_sectors(data, address, 0);
}

static void sectors_1_2(guint32 *data, guint32 address, guint words)
{
    chain_of_sectors(data, address, 2);
}

/* Clock reads around each load, as in the loop that was measured. */
static double cold_sectors(const Row *row)
{
    g_autofree char *setup =
        g_strdup_printf("    MOV R17, RZ ;\n    MOV R27, RZ ;\n    MOV R28, RZ ;\n"
                        "    MOV R26, %u ;\n    LDG.E R26, [R26] ;\n",
                        DATA_ADDRESS);
    Probe probe = {.setup = setup,
                   .body = "loop:\n    CS2R.64 R20, SR_CLOCKLO ;\n    LDG.E R26, [R26] ;\n"
                           "    ISETP.EQ P6, R26, RZ ;\n@P6 BRA done ;\n"
                           "    CS2R.64 R22, SR_CLOCKLO ;\n    IADD3 R17, R17, R22, RZ ;\n"
                           "    IADD3 R17, R17, -R20, RZ ;\n    IADD3 R28, R28, 1 ;\n"
                           "    ISETP.LT P6, R28, R15 ;\n@P6 BRA loop ;\ndone:\n",
                   .tail = "    IADD3 R8, R6, R17, RZ ;\n    MOV R9, R7 ;\n",
                   .passes = 1,
                   .trips = 2 * SECTOR_LINES,
                   .data_bytes = 4 * LINE_WORDS * CHASE_LINES / 2,
                   .fill = row->a == 0 ? sectors_1_0 : sectors_1_2};

    return probe_cycles(&probe) / probe.trips;
}

static const Row sector_rows[] = {
    ROW("sectors 1 and 0", 497.3, 6, cold_sectors, NULL, 1, 0, 0),
    ROW("sectors 1 and 2", 673.5, 6, cold_sectors, NULL, 1, 2, 0),
};

const Group sector_group = {
    "Two sectors of lines that miss L2",
    "Cycles per load: one warp with dependent loads of 64 of 8192 lines, two sectors of each, with "
    "clock reads around each load. Medians of ten launches with flushed caches.",
    sector_rows, G_N_ELEMENTS(sector_rows)};
