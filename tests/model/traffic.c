/* What goes past L1: rates by stride, stores, atomics, walks over growing footprints. */
#include "rows.h"

enum {
    DATA = WS_BUFFER_BASE + PROBE_DATA,
    STREAMS = 4,
    STORE_PLACES = 16,
    PLACE_BYTES = 524288,
    UNROLL = 16
};

/* Cycles of the SM for an access of each warp; each stream of each warp has `b` bytes of its own.
 */
static double run_streams(const Row *row, guint steps, guint trips)
{
    g_autoptr(GString) setup = g_string_new(NULL);
    g_autoptr(GString) body =
        g_string_new("    UMOV UR4, URZ ;\nloop:\n    UIADD3 UR4, UR4, 1, URZ ;\n");
    Probe probe = {.warps = row->warps,
                   .trips = trips,
                   .data_bytes = STREAMS * 32 * row->b + 65536,
                   .fill = probe_own_addresses};

    g_string_append_printf(setup,
                           "    S2R R4, SR_LANEID ;\n    SHF.R.U32 R5, R0, 5 ;\n"
                           "    SHF.R.U32 R4, R4, %u ;\n    IMAD R4, R4, %u, RZ ;\n"
                           "    IMAD R5, R5, %u, R4 ;\n    IADD3 R5, R5, %u ;\n",
                           row->a >> 16, row->a & 0xffff, row->b, DATA);
    for (guint i = 0; i < STREAMS; i++)
        g_string_append_printf(setup, "    IADD3 R%u, R5, %u ;\n    MOV R%u, RZ ;\n", 16 + 4 * i,
                               i * 32 * row->b, 17 + 4 * i);
    for (guint i = 0; i < steps; i++)
        append_step(body, row->text, i % STREAMS, 4);
    g_string_append(body, "    ISETP.LE P6, R15, UR4 ;\n@!P6 BRA loop ;\n");
    probe.setup = setup->str;
    probe.body = body->str;
    return probe_cycles(&probe);
}

static double load_rate(const Row *row)
{
    return (run_streams(row, 32, 5) - run_streams(row, 32, 1)) / (32. * 4 * row->warps);
}

static double atomic_rate(const Row *row)
{
    return (run_streams(row, 8, 5) - run_streams(row, 8, 1)) / (8. * 4 * row->warps);
}

/* Stores of 16 places in turn, `a` bytes between lanes, 16 KiB between warps. */
static double run_stores(const Row *row, guint trips)
{
    g_autoptr(GString) body =
        g_string_new("    UMOV UR4, URZ ;\nloop:\n    UIADD3 UR4, UR4, 1, URZ ;\n");
    g_autofree char *setup =
        g_strdup_printf("    S2R R4, SR_LANEID ;\n    SHF.R.U32 R5, R0, 5 ;\n"
                        "    IMAD R4, R4, %u, RZ ;\n    IMAD R4, R5, 16384, R4 ;\n"
                        "    IADD3 R24, R4, %u ;\n    MOV R16, 1 ;\n    MOV R17, 2 ;\n"
                        "    MOV R18, 3 ;\n    MOV R19, 4 ;\n",
                        row->a, DATA + row->b);
    Probe probe = {.setup = setup,
                   .warps = row->warps,
                   .trips = trips,
                   .data_bytes = STORE_PLACES * PLACE_BYTES + 65536};

    for (guint i = 0; i < STORE_PLACES; i++)
        g_string_append_printf(body, "    %s [R24+%u], R16 ;\n", row->text, i * PLACE_BYTES);
    g_string_append(body, "    ISETP.LE P6, R15, UR4 ;\n@!P6 BRA loop ;\n");
    probe.body = body->str;
    return probe_cycles(&probe);
}

static double store_rate(const Row *row)
{
    return (run_stores(row, 8) - run_stores(row, 4)) / (4. * STORE_PLACES * row->warps);
}

/* Word 0 of each line leads to another line; the lines of `words` words make one cycle. */
static void walk(guint32 *data, guint32 address, guint words)
{
    guint32 lines = words / 32;
    guint64 state = 99;

    for (guint32 i = 0; i < lines; i++)
        data[32 * i] = i;
    /* A permutation of one cycle: each line changes places with one before it. */
    for (guint32 i = lines - 1; i > 0; i--) {
        guint32 other = probe_random(&state, i), line = data[32 * i];

        data[32 * i] = data[32 * other];
        data[32 * other] = line;
    }
    for (guint32 i = 0; i < lines; i++)
        data[32 * i] = address + 128 * data[32 * i];
}

/* Line after line, and from the last one to the first. */
static void go_round(guint32 *data, guint32 address, guint words)
{
    guint32 lines = words / 32;

    for (guint32 i = 0; i < lines; i++)
        data[32 * i] = address + 128 * ((i + 1) % lines);
}

typedef struct {
    const char *load;
    guint lines, passes;
    const char *directives;
    void (*fill)(guint32 *data, guint32 address, guint words);
} Way;

/* Cycles a load of one lane that goes from line to line, the second time round or later. */
static double way_cycles(const Way *way)
{
    g_autoptr(GString) body =
        g_string_new("    UMOV UR4, URZ ;\nloop:\n    UIADD3 UR4, UR4, 1, URZ ;\n");
    guint trips = MAX(way->lines, 4096) / UNROLL;
    Probe probe = {.setup = "    MOV R16, 0x10010000 ;\n    ISETP.NE P5, R0, RZ ;\n",
                   .trips = trips,
                   .passes = way->passes,
                   .directives = way->directives,
                   .data_bytes = way->lines * 128,
                   .fill = way->fill};

    for (guint i = 0; i < UNROLL; i++)
        g_string_append_printf(body, "@!P5 %s R16, [R16] ;\n", way->load);
    g_string_append(body, "    ISETP.LE P6, R15, UR4 ;\n@!P6 BRA loop ;\n");
    probe.body = body->str;
    return probe_cycles(&probe) / (trips * UNROLL);
}

/* In random order through `a` KiB; 32 blocks of one warp fit, with 1 KiB of shared memory each. */
static double walk_cycles(const Row *row)
{
    return way_cycles(&(Way){row->text, row->a * 8, row->b, ".shared 30720\n", walk});
}

/* Percent of the loads that miss L1, of one lane that goes round `a` lines again and again. */
static double round_misses(const Row *row)
{
    double hit = way_cycles(&(Way){"LDG", 64, 2, row->text, go_round});
    double miss = way_cycles(&(Way){"LDG.STRONG.GPU", row->a, 2, row->text, go_round});

    return 100 * (way_cycles(&(Way){"LDG", row->a, 4, row->text, go_round}) - hit) / (miss - hit);
}

#define LOADS(name, text, stride, measured, tolerance)                                             \
    ROW(name, measured, tolerance, load_rate, text " %0, [%0]", 32, stride, 17408)
#define STORES(name, text, stride, offset, measured, tolerance)                                    \
    ROW(name, measured, tolerance, store_rate, text, 32, stride, offset)
/* `shift`: 2 to the power of it lanes share an address; addresses are `stride` bytes apart. */
#define ATOMICS(name, text, shift, stride, bytes, measured, tolerance)                             \
    ROW(name, measured, tolerance, atomic_rate, text, 32, (shift) << 16 | (stride), bytes)
#define WALK(name, text, kib, passes, measured, tolerance)                                         \
    ROW(name, measured, tolerance, walk_cycles, text, 1, kib, passes)

/* `shared` bytes of shared memory leave L1 what the name says. */
#define ROUNDS(name, shared, lines, measured, tolerance)                                           \
    ROW(name, measured, tolerance, round_misses, ".shared " #shared "\n", 1, lines, 0)

static const Row traffic_rows[] = {
    LOADS("LDG from L2, stride 1", "LDG.STRONG.GPU", 4, 2.496, 5),
    LOADS("LDG from L2, stride 2", "LDG.STRONG.GPU", 8, 2.608, 5),
    LOADS("LDG from L2, stride 4", "LDG.STRONG.GPU", 16, 4.284, 5),
    LOADS("LDG from L2, stride 8", "LDG.STRONG.GPU", 32, 8.543, 5),
    LOADS("LDG from L2, stride 16", "LDG.STRONG.GPU", 64, 16.337, 5),
    LOADS("LDG from L2, stride 32", "LDG.STRONG.GPU", 128, 32.229, 5),
    LOADS("LDG.128 from L2, stride 1", "LDG.128.STRONG.GPU", 16, 4.212, 5),
    STORES("STG, one address", "STG", 0, 0, 2.010, 5),
    STORES("STG, stride 1", "STG", 4, 0, 4.003, 5),
    STORES("STG, stride 1, 4 bytes off", "STG", 4, 4, 7.006, 5),
    STORES("STG, stride 2", "STG", 8, 0, 10.003, 5),
    STORES("STG, stride 4", "STG", 16, 0, 20.011, 5),
    STORES("STG, stride 8", "STG", 32, 0, 40.003, 5),
    STORES("STG, stride 16", "STG", 64, 0, 48.048, 5),
    STORES("STG, stride 32", "STG", 128, 0, 64.013, 5),
    STORES("STG.64, stride 1", "STG.64", 8, 0, 8.000, 5),
    STORES("STG.64, stride 2", "STG.64", 16, 0, 20.006, 5),
    STORES("STG.128, stride 1", "STG.128", 16, 0, 16.002, 5),
    STORES("STG.128, stride 4", "STG.128", 64, 0, 48.005, 5),
    ATOMICS("ATOMG.ADD, 32 addresses", "ATOMG.ADD %1, [%0], %1", 0, 4, 128, 5.056, 5),
    ATOMICS("ATOMG.ADD, 2 lanes an address", "ATOMG.ADD %1, [%0], %1", 1, 4, 128, 7.348, 5),
    ATOMICS("ATOMG.ADD, 8 lanes an address", "ATOMG.ADD %1, [%0], %1", 3, 4, 128, 24.66, 5),
    ATOMICS("ATOMG.ADD, 32 lanes an address", "ATOMG.ADD %1, [%0], %1", 5, 4, 128, 64.05, 5),
    ATOMICS("ATOMG.ADD, stride 2", "ATOMG.ADD %1, [%0], %1", 0, 8, 4096, 9.995, 5),
    ATOMICS("ATOMG.ADD, stride 8", "ATOMG.ADD %1, [%0], %1", 0, 32, 4096, 39.91, 5),
    ATOMICS("ATOMG.ADD, stride 32", "ATOMG.ADD %1, [%0], %1", 0, 128, 4096, 64.01, 5),
    WALK("walk of 128 KiB, L1", "LDG", 128, 2, 32.02, 5),
    WALK("walk of 208 KiB, L1", "LDG", 208, 2, 32.02, 5),
    WALK("walk of 240 KiB, L1", "LDG", 240, 2, 114.9, 5),
    WALK("walk of 256 KiB, L1", "LDG", 256, 2, 176.4, 6),
    WALK("walk of 320 KiB, L1", "LDG", 320, 2, 281.1, 5),
    WALK("walk of 2 MiB, L2", "LDG.STRONG.GPU", 2048, 2, 280.5, 5),
    WALK("walk of 2 MiB, DRAM", "LDG.STRONG.GPU", 2048, 1, 659.8, 2),
};

const Group traffic_group = {
    "Traffic beyond L1",
    "SM cycles per instruction with 32 warps: loads from L2 and atomics in 4 streams per warp, "
    "stores to 16 places. Walks: cycles per load of one lane through lines in random order.",
    traffic_rows, G_N_ELEMENTS(traffic_rows)};

static const Row round_rows[] = {
    ROUNDS("172 lines, L1 of 28 KiB", 230000, 172, 4.1, 26),
    ROUNDS("180 lines, L1 of 28 KiB", 230000, 180, 15.0, 12),
    ROUNDS("192 lines, L1 of 28 KiB", 230000, 192, 28.1, 5),
    ROUNDS("208 lines, L1 of 28 KiB", 230000, 208, 42.8, 10),
    ROUNDS("224 lines, L1 of 28 KiB", 230000, 224, 54.9, 18),
    ROUNDS("240 lines, L1 of 28 KiB", 230000, 240, 66.7, 10),
    ROUNDS("256 lines, L1 of 28 KiB", 230000, 256, 85.5, 22),
    ROUNDS("320 lines, L1 of 28 KiB", 230000, 320, 100., 5),
    ROUNDS("1248 lines, L1 of 156 KiB", 100000, 1248, 21.2, 10),
    ROUNDS("1344 lines, L1 of 156 KiB", 100000, 1344, 38.1, 5),
};

const Group round_group = {"Loops over more lines than fit in L1",
                           "Percent of the loads of one warp that miss.", round_rows,
                           G_N_ELEMENTS(round_rows)};
