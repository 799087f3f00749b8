/* Units of the memory system, each alone: DRAM, the coalescer, banks, room in L1, limits of
 * registers. */
#include <check.h>

#include "sim/base/pool.h"
#include "sim/memory/bank_conflicts.h"
#include "sim/memory/dram.h"
#include "sim/memory/l1_cache.h"
#include "sim/occupancy/occupancy.h"
#include "tests/support/suite.h"

/* ---- DRAM --------------------------------------------------------------------------------------
 */

/* Two banks of rows of 2 lines, 2 cycles a sector, 20 to open a row, which closes after 10. */
static WsDevice *device_with(const char *first, const char *second)
{
    const char *settings[] = {"memory.dram.channels=2",
                              "memory.dram.banks=2",
                              "memory.dram.row_bytes=256",
                              "memory.dram.sector_interval_milli=2000",
                              "memory.dram.row_cycles=20",
                              "memory.dram.row_open=10",
                              first,
                              second,
                              NULL};
    GError *error = NULL;
    WsDevice *device = ws_device_load("textbook", settings, &error);

    ck_assert_msg(device != NULL, "%s", error ? error->message : "");
    return device;
}

typedef struct {
    guint64 cycle, line, done;
    guint32 channel, sectors;
} Transfer;

static void check_transfers(WsDevice *device, const Transfer *table, guint count)
{
    WsDram dram;

    ws_dram_init(&dram, NULL, device);
    for (guint i = 0; i < count; i++) {
        const WsDramPlace place = {table[i].channel, table[i].channel, table[i].line};
        guint64 done = ws_dram_access(&dram, table[i].cycle, &place, table[i].sectors, i % 2 == 1);
        ck_assert_msg(done == table[i].done, "row %u is done at %u", i, (guint)done);
    }
    ws_dram_clear(&dram);
    ws_device_free(device);
}

/* When the last byte has passed. Rows of lines 0 and 1, 2 and 3 ...; row 0 in bank 0, row 1 in
 * bank 1. */
START_TEST(rows)
{
    static const Transfer table[] = {
        {0, 0, 22, 0, 1},    /* opens row 0: 20, and a sector */
        {22, 1, 30, 0, 4},   /* the same row */
        {39, 0, 41, 0, 1},   /* it closes at 40 */
        {51, 0, 73, 0, 1},   /* it has closed at 51: that cycle is too late */
        {73, 2, 95, 0, 1},   /* row 1, of the other bank, which is closed */
        {73, 3, 97, 0, 1},   /* behind that one, row 1 is open */
        {97, 0, 119, 0, 1},  /* row 0 has closed */
        {119, 4, 141, 0, 1}, /* row 2 is in bank 1, where row 1 was */
        {120, 5, 143, 0, 1}, /* and open now */
        {120, 0, 142, 1, 1}, /* the other channel has nothing open */
    };
    check_transfers(device_with(NULL, NULL), table, G_N_ELEMENTS(table));
}
END_TEST

/* Without row_open a row stays open until its bank opens another one. */
START_TEST(rows_that_stay)
{
    static const Transfer table[] = {
        {0, 0, 22, 0, 1}, {1000, 1, 1002, 0, 1}, {1002, 6, 1024, 0, 1}, {2000, 0, 2022, 0, 1}};
    check_transfers(device_with("memory.dram.row_open=0", NULL), table, G_N_ELEMENTS(table));
}
END_TEST

/* A channel refreshes for 8 cycles every 100; the second one half of that later. */
START_TEST(refreshes)
{
    static const Transfer table[] = {
        {0, 0, 30, 0, 1},    /* begins at 8 */
        {107, 0, 130, 0, 1}, /* in the last cycle of the next one: begins at 108 */
        {208, 0, 230, 0, 1}, /* right behind one */
        {299, 0, 321, 0, 1}, /* right before one */
        {350, 0, 380, 1, 1}, /* channel 1 refreshes at 350 */
        {450, 1, 472, 0, 1}, /* and channel 0 does not */
    };
    check_transfers(device_with("memory.dram.refresh_interval=100", "memory.dram.refresh_cycles=8"),
                    table, G_N_ELEMENTS(table));
}
END_TEST

/* The bus of a channel carries one access at a time, in the order in which they come. */
START_TEST(bus)
{
    static const Transfer table[] = {{0, 0, 28, 0, 4}, {0, 2, 28, 0, 4}, {0, 4, 36, 0, 4}};
    WsDevice *device = device_with("memory.dram.row_open=0", NULL);
    WsDram dram;
    guint64 last = 0;

    ws_dram_init(&dram, NULL, device);
    for (guint i = 0; i < G_N_ELEMENTS(table); i++) {
        const WsDramPlace place = {0, 0, table[i].line};
        guint64 done = ws_dram_access(&dram, 0, &place, 4, FALSE);
        ck_assert_uint_ge(done, last);
        last = done;
    }
    ck_assert_uint_eq(dram.read_bytes, 3 * 4 * WS_SECTOR_BYTES);
    ck_assert_uint_eq(dram.write_bytes, 0);
    ws_dram_clear(&dram);
    ws_device_free(device);
}
END_TEST

/* ---- coalescing and banks ----------------------------------------------------------------------
 */

/* A whole warp, one element behind the other from `start` on. */
static const struct {
    guint64 start;
    guint32 bytes, tags, lines, sectors, passes;
} runs[] = {
    {0, 4, 1, 1, 4, 1},   {4, 4, 1, 2, 5, 2},    {4, 4, 2, 2, 5, 1}, {32, 4, 1, 2, 4, 2},
    {124, 4, 1, 2, 5, 2}, {0, 8, 1, 2, 8, 2},    {8, 8, 1, 3, 9, 4}, {8, 8, 4, 3, 9, 2},
    {0, 16, 1, 4, 16, 4}, {16, 16, 1, 5, 17, 8}, {0, 2, 1, 1, 2, 1}, {0, 1, 1, 1, 1, 1},
    {96, 2, 1, 2, 2, 2},
};

START_TEST(ascending)
{
    WsCoalesced whole, lanes;
    guint64 address[32];

    for (guint i = 0; i < G_N_ELEMENTS(runs); i++) {
        for (guint lane = 0; lane < 32; lane++)
            address[lane] = runs[i].start + (guint64)lane * runs[i].bytes;
        ws_coalesce_ascending(runs[i].start, 32, runs[i].bytes, runs[i].tags, &whole);
        ws_coalesce(address, G_MAXUINT32, 32, runs[i].bytes, runs[i].tags, &lanes);
        ck_assert_msg(whole.line_count == runs[i].lines && whole.sectors == runs[i].sectors &&
                          whole.wavefronts == runs[i].passes,
                      "row %u: %u lines, %u sectors, %u passes", i, whole.line_count, whole.sectors,
                      whole.wavefronts);
        ck_assert_uint_eq(lanes.line_count, runs[i].lines);
        ck_assert_uint_eq(lanes.sectors, runs[i].sectors);
        ck_assert_uint_eq(lanes.wavefronts, runs[i].passes);
    }
}
END_TEST

/*
 * Lane l wants address (l / shared) * stride: passes over 32 banks, how many would do, and those
 * that conflicts add.
 */
static const struct {
    guint32 bytes, shared, stride, lanes;
    gboolean load;
    guint32 wavefronts, least, conflicts;
} patterns[] = {
    {4, 1, 4, 32, TRUE, 1, 1, 0},     {4, 1, 8, 32, TRUE, 2, 1, 1},
    {4, 1, 128, 32, TRUE, 32, 1, 31}, {4, 1, 132, 32, TRUE, 1, 1, 0},
    {4, 32, 4, 32, TRUE, 1, 1, 0},    {8, 1, 8, 32, TRUE, 2, 2, 0},
    {8, 2, 8, 32, TRUE, 1, 1, 0},     {8, 2, 8, 32, FALSE, 2, 2, 0},
    {16, 1, 16, 32, TRUE, 4, 4, 0},   {16, 2, 16, 32, TRUE, 2, 2, 0},
    {16, 2, 16, 8, TRUE, 1, 2, 0},    {4, 1, 4, 8, TRUE, 1, 1, 0},
    {8, 2, 256, 32, TRUE, 16, 1, 15}, {1, 1, 1, 32, TRUE, 1, 1, 0},
    {16, 2, 16, 24, TRUE, 2, 2, 0},
};

START_TEST(banks)
{
    guint64 address[32];

    for (guint i = 0; i < G_N_ELEMENTS(patterns); i++) {
        guint64 mask = patterns[i].lanes == 32 ? G_MAXUINT32 : (1u << patterns[i].lanes) - 1;
        for (guint lane = 0; lane < 32; lane++)
            address[lane] = (guint64)(lane / patterns[i].shared) * patterns[i].stride;
        WsBankPasses passes =
            ws_bank_passes(address, mask, 32, patterns[i].bytes, 32, patterns[i].load);
        ck_assert_msg(passes.wavefronts == patterns[i].wavefronts &&
                          passes.least == patterns[i].least &&
                          passes.conflicts == patterns[i].conflicts,
                      "row %u: %u passes, at least %u, %u of conflicts", i, passes.wavefronts,
                      passes.least, passes.conflicts);
    }
    WsBankPasses none = ws_bank_passes(address, 0, 32, 4, 32, TRUE);
    ck_assert_uint_eq(ws_bank_passes_taken(none), 0);
    /* A warp of 8 has one group of 16 bytes a lane: pairing leaves one. */
    for (guint lane = 0; lane < 8; lane++)
        address[lane] = (guint64)(lane / 2) * 16;
    WsBankPasses paired = ws_bank_passes(address, 0xff, 8, 16, 32, TRUE);
    ck_assert_uint_eq(paired.wavefronts, 1);
    ck_assert_uint_eq(paired.conflicts, 0);
}
END_TEST

/* ---- room in L1 ---------------------------------------------------------------------------------
 */

/* With more tags than lines: a line leaves only if held, coming and new ones are more than fit. */
START_TEST(excess)
{
    const WsL1Shape shape = {.bytes = 1024,
                             .unified_bytes = 65536,
                             .ways = 4,
                             .under_way_percent = 100,
                             .replacement = WS_L1_CLOCK,
                             .clock_up_to = 1024,
                             .clock_ways = 4,
                             .tag_percent = 200};
    WsL1Cache cache;

    ws_l1_init(&cache, NULL, &shape);
    ck_assert(cache.clock);
    ck_assert_uint_eq(cache.capacity, 8);
    ck_assert_uint_eq(ws_l1_excess(&cache, 100), WS_NONE); /* nothing is held */
    for (guint64 line = 0; line < 4; line++)
        cache.lines[ws_l1_insert(&cache, line)].sectors = 1;
    ck_assert_uint_eq(cache.held, 4);
    cache.coming = 2;
    ck_assert_uint_eq(ws_l1_excess(&cache, 2), WS_NONE); /* 4 + 2 + 2 fit */
    ck_assert_uint_ne(ws_l1_excess(&cache, 3), WS_NONE);
    ws_l1_clear(&cache);
}
END_TEST

/* ---- limits of registers ------------------------------------------------------------------------
 */

/* Blocks of an H100 by the registers of a thread: 255 and the zero register are the most. */
static const struct {
    guint32 threads, registers, blocks;
} limits[] = {{256, 0, 8},  {256, 32, 8}, {256, 33, 6}, {256, 40, 6},  {256, 41, 5},
              {32, 255, 8}, {32, 256, 8}, {32, 257, 0}, {1024, 64, 1}, {1024, 65, 0},
              {64, 168, 6}, {64, 169, 4}, {32, 168, 12}};

START_TEST(registers)
{
    WsDevice *device = ws_device_load("h100", NULL, NULL);

    for (guint i = 0; i < G_N_ELEMENTS(limits); i++) {
        const WsOccupancyQuery query = {
            .threads = limits[i].threads, .registers = limits[i].registers, .carveout = -1};
        WsOccupancy of;
        ws_occupancy(device, &query, &of);
        ck_assert_msg(of.blocks_per_sm == limits[i].blocks, "row %u: %u blocks", i,
                      of.blocks_per_sm);
    }
    ws_device_free(device);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, rows);
    tcase_add_test(cases, rows_that_stay);
    tcase_add_test(cases, refreshes);
    tcase_add_test(cases, bus);
    tcase_add_test(cases, ascending);
    tcase_add_test(cases, banks);
    tcase_add_test(cases, excess);
    tcase_add_test(cases, registers);
}

int main(void)
{
    return run_suite("memory_units", add_tests);
}
