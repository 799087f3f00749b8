/* The part of L2 and DRAM that few SMs have: exact in capacity and rate, the same in latency. */
#include "isa/bytecode/opcode.h"
#include "sim/device/memory_share.h"
#include "sim/memory/dram.h"
#include "sim/memory/l2_cache.h"
#include "tests/support/memory_fixture.h"
#include "tests/support/suite.h"

#include <math.h>

static const char *const devices[] = {"h200", "a100", "v100", "t4", "rtx4090", "orin"};

static WsDevice *load(const char *name, guint32 sms, const char *share)
{
    g_autofree char *some = g_strdup_printf("sms=%u", sms);
    g_autofree char *what = g_strconcat("memory.share=", share, NULL);
    const char *const settings[] = {some, what, NULL};
    GError *error = NULL;
    WsDevice *device = ws_device_load(name, settings, &error);
    g_assert_no_error(error);
    return device;
}

/* units / rate = all x N / M, as whole numbers. */
static void check_rate(guint64 units, WsServiceRate rate, guint64 all, guint64 sms, guint64 of)
{
    ck_assert_uint_eq(units * rate.denominator * of, all * sms * rate.numerator);
}

START_TEST(rates_are_exact)
{
    g_autoptr(WsDevice) whole = load(devices[_i], 1, "whole");
    guint64 of = whole->memory_sms;
    ck_assert(!ws_memory_is_divided(whole));
    for (guint32 sms = 1; sms < of; sms++) {
        g_autoptr(WsDevice) device = load(devices[_i], sms, "fair");
        device->dram_refresh_interval = 0;
        ck_assert(ws_memory_is_divided(device));
        ck_assert_uint_eq(device->memory_sms, of);
        check_rate(ws_memory_share_slices(device), ws_memory_share_slice_rate(device),
                   ws_memory_slices(device), sms, of);
        check_rate(ws_memory_share_channels(device), ws_memory_share_channel_rate(device),
                   device->dram_channels, sms, of);
        ck_assert_uint_eq(ws_memory_share_l2_bytes(device), device->l2_bytes * sms / of);
    }
    g_autoptr(WsDevice) all = load(devices[_i], (guint32)of, "fair");
    ck_assert(!ws_memory_is_divided(all));
}
END_TEST

/* 96 slices that take a sector a cycle, 1/132 of them: 8000 sectors in 11000 cycles. */
START_TEST(a_slice_serves_its_share)
{
    g_autoptr(WsDevice) device = load("h200", 1, "fair");
    WsL2Geometry geometry;
    WsL2Cache cache;
    ws_l2_geometry_init(&geometry, device);
    ws_l2_init(&cache, NULL, device, &geometry);
    for (guint i = 0; i < 4000; i++) {
        ws_l2_take(&cache, i % 2, 0, 1); /* the home in another partition is no further slice */
        ws_l2_take_milli(&cache, 0, 0, 1000);
    }
    ck_assert_uint_eq(ws_l2_take(&cache, 0, 0, 1), 11000);
    ws_l2_clear(&cache);
}
END_TEST

static guint64 last_of(const WsDevice *device, guint count, guint channels)
{
    WsDram dram;
    guint64 last = 0;
    ws_dram_init(&dram, NULL, device);
    for (guint i = 0; i < count; i++) {
        const WsDramPlace place = {.channel = i % channels, .line = i / channels};
        guint64 end = ws_dram_access(&dram, 0, &place, 4, FALSE);
        last = MAX(last, end);
    }
    ws_dram_clear(&dram);
    return last;
}

/* 4-sector reads that all wait: 5.068 cycles of 96 channels, of which one SM has 1/132. */
START_TEST(dram_serves_its_share)
{
    enum { READS = 96000 };
    for (guint32 sms = 1; sms <= 66; sms += 13) {
        g_autoptr(WsDevice) device = load("h200", sms, "fair");
        guint channels = (guint)ws_memory_share_channels(device);
        device->dram_refresh_interval = 0;
        device->dram_row_cycles = 0;
        double expected = READS * 5.068 / 96 * 132 / sms;
        double cycles = (double)last_of(device, READS, channels);
        ck_assert_msg(fabs(cycles - expected) < 10 + expected * channels / READS, "%u: %.0f, %.0f",
                      sms, cycles, expected);
    }
    g_autoptr(WsDevice) refreshed = load("h200", 1, "fair");
    double cycles = (double)last_of(refreshed, READS, 1);
    double expected = READS * 5.068 / 96 * 132 * 3650 / (3650 - 530);
    ck_assert_msg(fabs(cycles - expected) < 0.001 * expected, "%.0f, %.0f", cycles, expected);
}
END_TEST

/* Cycles of a chain of loads, one after another, and then of the same once more. */
static void chase(const char *share, guint32 loads, guint64 *ret_cold, guint64 *ret_warm)
{
    static const guint64 sizes[] = {8 << 20};
    const char *const settings[] = {"sms=1", share, NULL};
    Machine *machine = machine_new("h200", settings, 1, sizes, 1, 8192, 0);
    guint32 op = machine_op(machine, WS_OP_LDG, WS_WIDTH_32, WS_CACHE_STRONG_GPU);
    guint64 now = 1000, begin;
    for (guint round = 0; round < 2; round++) {
        begin = now;
        for (guint64 i = 0, index = 0; i < loads; i++) {
            index = (index * 5 + 12345) % 4096;
            machine_set_address(machine, 0, 0, 0, machine->job.buffers[0].address + index * 2048);
            now = machine_complete(machine, 0, 0, now, op, 1);
        }
        *(round == 0 ? ret_cold : ret_warm) = now - begin;
    }
    machine_free(machine);
}

START_TEST(latency_is_that_of_the_whole)
{
    guint64 cold, warm, cold_share, warm_share;
    chase("memory.share=whole", 1000, &cold, &warm);
    chase("memory.share=fair", 1000, &cold_share, &warm_share);
    ck_assert_uint_eq(cold_share, cold);
    ck_assert_uint_eq(warm_share, warm);
}
END_TEST

/* Lines that are still there after so many others: the share of L2, less what sets leave over. */
START_TEST(l2_holds_its_share)
{
    static const guint32 some[] = {1, 2, 3, 25};
    for (guint k = 0; k < G_N_ELEMENTS(some); k++) {
        g_autoptr(WsDevice) device = load("h200", some[k], "fair");
        WsL2Geometry geometry;
        WsL2Cache cache;
        WsL2Victim victim;
        ws_l2_geometry_init(&geometry, device);
        ws_l2_init(&cache, NULL, device, &geometry);
        guint64 share = ws_memory_share_l2_bytes(device) / WS_LINE_BYTES;
        for (guint64 line = 0; line < 2 * share; line++) {
            guint32 slice = ws_l2_slice_of(&geometry, line);
            guint32 home = ws_l2_home_of(&geometry, line) * geometry.slices + slice;
            ck_assert_uint_eq(ws_l2_find(&cache, ws_l2_set_of(&cache, home, line), line),
                              G_MAXUINT32);
            ws_l2_allocate(&cache, ws_l2_set_of(&cache, home, line), line, &victim);
            ck_assert_uint_ne(ws_l2_find(&cache, ws_l2_set_of(&cache, home, line), line),
                              G_MAXUINT32);
            if (victim.dirty != 0)
                ck_assert_uint_lt(victim.line, line);
        }
        ck_assert_uint_le(ws_l2_held(&cache), share);
        ck_assert_uint_ge(ws_l2_held(&cache), share * 95 / 100);
        ws_l2_clear(&cache);
    }
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, rates_are_exact, 0, G_N_ELEMENTS(devices));
    tcase_add_test(tests, a_slice_serves_its_share);
    tcase_add_test(tests, dram_serves_its_share);
    tcase_add_test(tests, latency_is_that_of_the_whole);
    tcase_add_test(tests, l2_holds_its_share);
}

int main(void)
{
    return run_suite("memory_share", add_tests);
}
