/*
 * Passes over the banks of shared memory: against measurements on an H200 (data/h200_banks.csv,
 * from tests/gpu/bank_probe.cu), and against the rule counted without cleverness for all warp
 * sizes.
 */
#include <math.h>

#include "isa/bytecode/opcode.h"
#include "sim/memory/bank_conflicts.h"
#include "tests/support/memory_fixture.h"
#include "tests/support/suite.h"

enum {
    LANES = 32,
    SHARED = 65536,
    CHAIN_STEP = 28 /* cycles of a conflict-free LDS and its add */
};

typedef struct {
    guint32 bytes;
    guint64 offset[LANES];
    guint64 mask;
    double cycles[2], latency;        /* load, store */
    gint wavefronts[2], conflicts[2]; /* -1: not counted */
} Measured;

/* Addresses of 32 lanes: base + step * (lane / share) + offset. */
typedef struct {
    guint32 base;
    gint32 step;
    guint32 share;
    gint32 offset;
    gboolean ascending, rising;
} LaneSpan;

static gint counted(const char *text)
{
    return *text == '\0' ? -1 : (gint)g_ascii_strtoll(text, NULL, 10);
}

static Measured measured(const char *line)
{
    Measured ret = {0};
    g_auto(GStrv) field = g_strsplit(line, ",", -1);
    ck_assert_uint_eq(g_strv_length(field), 9);
    g_auto(GStrv) offset = g_strsplit(field[1], " ", -1);
    ck_assert_uint_eq(g_strv_length(offset), LANES);
    ret.bytes = (guint32)g_ascii_strtoull(field[0], NULL, 10);
    for (guint lane = 0; lane < LANES; lane++) {
        if (strcmp(offset[lane], "-") == 0)
            continue;
        ret.offset[lane] = g_ascii_strtoull(offset[lane], NULL, 10);
        ret.mask |= G_GUINT64_CONSTANT(1) << lane;
    }
    for (guint store = 0; store < 2; store++) {
        ret.cycles[store] = g_ascii_strtod(field[2 + store], NULL);
        ret.wavefronts[store] = counted(field[5 + 2 * store]);
        ret.conflicts[store] = counted(field[6 + 2 * store]);
    }
    ret.latency = g_ascii_strtod(field[4], NULL);
    return ret;
}

static guint64 latency_of(Machine *machine, const Measured *row, guint64 cycle)
{
    guint width = row->bytes == 4 ? WS_WIDTH_32 : row->bytes == 8 ? WS_WIDTH_64 : WS_WIDTH_128;
    static guint32 ops[17];
    if (ops[row->bytes] == 0)
        ops[row->bytes] = machine_op(machine, WS_OP_LDS, width, 0) + 1;
    for (guint32 lane = 0; lane < LANES; lane++)
        machine_set_address(machine, 0, 0, lane, row->offset[lane]);
    WsMemoryAccess access = machine_issue(machine, 0, 0, cycle, ops[row->bytes] - 1, row->mask);
    ck_assert_int_eq(access.outcome, WS_ACCESS_DONE);
    return access.ready_cycle - cycle;
}

START_TEST(as_measured)
{
    g_autofree char *path = g_build_filename(g_getenv("WS_TEST_DATA"), "h200_banks.csv", NULL);
    g_autofree char *text = NULL;
    ck_assert(g_file_get_contents(path, &text, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    guint64 bytes = 4096, cycle = 1000, plain = 0;
    Machine *machine = machine_new("h200", NULL, 1, &bytes, 1, SHARED, 0);
    guint rows = 0, header = 0;
    ws_sm_memory_begin_block(machine->memory[0], 0, SHARED);
    while (lines[header][0] == '#')
        header++;
    for (guint i = header + 1; lines[i] != NULL && *lines[i] != '\0'; i++, rows++, cycle += 1000) {
        Measured row = measured(lines[i]);
        for (guint store = 0; store < 2; store++) {
            WsBankPasses passes =
                ws_bank_passes(row.offset, row.mask, LANES, row.bytes, 32, store == 0);
            ck_assert_msg(ws_bank_passes_taken(passes) == lround(row.cycles[store]),
                          "%s: %s takes %u", lines[i], store ? "store" : "load",
                          ws_bank_passes_taken(passes));
            if (row.wavefronts[store] < 0)
                continue;
            ck_assert_msg((gint)passes.wavefronts == row.wavefronts[store] &&
                              (gint)passes.conflicts == row.conflicts[store],
                          "%s: %s has %u wavefronts, %u conflicts", lines[i],
                          store ? "store" : "load", passes.wavefronts, passes.conflicts);
        }
        guint64 latency = latency_of(machine, &row, cycle);
        plain = rows == 0 ? latency : plain;
        ck_assert_msg((gint64)(latency - plain) == lround(row.latency - CHAIN_STEP),
                      "%s: %d more cycles than one pass", lines[i], (gint)(latency - plain));
    }
    ck_assert_uint_ge(rows, 500);
    machine_free(machine);
}
END_TEST

/* Whether all lanes that are on and their partners at `distance` (xor) want the same. */
static gboolean paired(const guint64 *address, guint64 mask, guint32 warp_size, guint32 distance)
{
    for (guint32 a = 0; a < warp_size; a++)
        for (guint32 b = 0; b < warp_size; b++)
            if ((a ^ b) == distance && (mask >> a & 1) && (mask >> b & 1) &&
                address[a] != address[b])
                return FALSE;
    return TRUE;
}

/* Distinct words per bank, counted without cleverness. */
static guint32 wavefronts_by_definition(const guint64 *address, guint64 mask, guint32 warp_size,
                                        guint32 bytes, guint32 banks, gboolean load)
{
    guint32 group = bytes <= 4 ? banks : banks * 4 / bytes, total = 0;
    if (load && bytes > 4 &&
        (paired(address, mask, warp_size, 1) || paired(address, mask, warp_size, 2)))
        group *= 2;
    for (guint32 first = 0; first < warp_size; first += group) {
        guint32 most = 0;
        for (guint32 bank = 0; bank < banks; bank++) {
            guint64 seen[256];
            guint32 count = 0;
            for (guint32 lane = first; lane < MIN(first + group, warp_size); lane++)
                for (guint32 word = 0; (mask >> lane & 1) && word < MAX(bytes / 4, 1); word++) {
                    guint64 number = address[lane] / 4 + word;
                    guint32 k = 0;
                    while (k < count && seen[k] != number)
                        k++;
                    if (k == count && number % banks == bank)
                        seen[count++] = number;
                }
            most = MAX(most, count);
        }
        total += most;
    }
    return total;
}

START_TEST(random_patterns_against_the_definition)
{
    guint64 state = 12345;
    guint paired_rounds = 0;
    static const guint32 sizes[] = {8, 16, 32, 64}, widths[] = {1, 2, 4, 8, 16};
    for (guint round = 0; round < 6000; round++) {
        guint64 address[64], mask = 0;
        guint32 warp_size = sizes[round % 4], bytes = widths[round % 5];
        guint32 banks = round % 3 == 0 ? 16 : 32;
        guint32 spread = 1u << (round % 12), shared = round / 4000 + round % 7 / 5;
        gboolean load = round % 11 != 0;
        for (guint32 lane = 0; lane < 64; lane++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            address[lane] = (state >> 33) % spread * bytes;
            mask |= (state >> 20 & 3) ? G_GUINT64_CONSTANT(1) << lane : 0;
            if ((lane & shared) != 0)
                address[lane] = address[lane & ~shared];
        }
        mask &= warp_size == 64 ? G_MAXUINT64 : (G_GUINT64_CONSTANT(1) << warp_size) - 1;
        paired_rounds += bytes > 4 && load && shared != 0;
        WsBankPasses passes = ws_bank_passes(address, mask, warp_size, bytes, banks, load);
        ck_assert_uint_eq(passes.wavefronts,
                          wavefronts_by_definition(address, mask, warp_size, bytes, banks, load));
    }
    ck_assert_uint_ge(paired_rounds, 500);
}
END_TEST

/* Lanes with a word of their own each are counted by bank alone, to the same depth. */
START_TEST(words_of_their_own)
{
    guint64 state = 99;

    for (guint round = 0; round < 2000; round++) {
        guint64 address[LANES], step = round % 80 + 1, next = 0;
        guint32 banks = round % 2 == 0 ? 32 : 16;
        for (guint lane = 0; lane < LANES; lane++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            address[lane] = next * 4;
            next += round % 4 == 3 ? (state >> 33) % step + 1 : step;
        }
        ck_assert_uint_eq(ws_bank_depth_of_own(address, LANES, banks),
                          ws_bank_depth(address, 0xffffffffu, 4, banks));
    }
}
END_TEST

static const LaneSpan spans[] = {
    /* base, step, share, offset: ascending, rising */
    {0, 4, 1, 0, TRUE, FALSE},          /* in line: rising is not looked at */
    {16, 8, 1, -16, FALSE, TRUE},       /* every other word */
    {0, 0, 1, 0, FALSE, FALSE},         /* one for all */
    {8192, -8, 1, 0, FALSE, FALSE},     /* falling */
    {0, 8, 2, 0, FALSE, FALSE},         /* two lanes a word */
    {0, 132, 1, 4, FALSE, TRUE},        /* a bank further each */
    {0x7ffffff0, 8, 1, 0, FALSE, FALSE} /* beyond 31 bits: not known */
};

/* Spans of addresses in 32 bits, each against the lanes one by one. */
START_TEST(spans_of_shared_addresses)
{
    const LaneSpan *row = &spans[_i];
    static const guint64 bytes = 4096;
    Machine *machine = machine_new("h200", NULL, 1, &bytes, 1, SHARED, 0);
    guint32 op = machine_op(machine, WS_OP_LDS, WS_WIDTH_32, 0);
    WsDecoded *decoded = &machine->decoded.instructions[op];
    guint64 address[WS_MAX_WARP_SIZE], low = G_MAXUINT64, high = 0;
    WsAddressSpan span;

    decoded->flags &= (guint16) ~(1u << WS_FIELD_ADDRESS);
    decoded->immediate |= (guint32)row->offset & 0xffffff;
    for (guint lane = 0; lane < LANES; lane++)
        *machine_register(machine, 0, 0, R_ADDRESS, lane) =
            row->base + (guint32)row->step * (lane / row->share);
    ws_lane_addresses(&machine->decoded, decoded, machine->warps[0][0], 0xffffffffu, 4, address,
                      &span);
    for (guint lane = 0; lane < LANES; lane++) {
        ck_assert_uint_eq(
            address[lane],
            (guint32)(row->base + (guint32)row->step * (lane / row->share) + (guint32)row->offset));
        low = MIN(low, address[lane]);
        high = MAX(high, address[lane]);
    }
    ck_assert_uint_eq(span.low, low);
    ck_assert_uint_eq(span.high, high);
    ck_assert_uint_eq(span.misaligned, 0);
    ck_assert_uint_eq(span.ascending, row->ascending);
    ck_assert_uint_eq(span.rising, row->rising);
    machine_free(machine);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, words_of_their_own);
    tcase_add_loop_test(tests, spans_of_shared_addresses, 0, G_N_ELEMENTS(spans));
    tcase_add_test(tests, as_measured);
    tcase_add_test(tests, random_patterns_against_the_definition);
}

int main(void)
{
    return run_suite("bank_conflicts", add_tests);
}
