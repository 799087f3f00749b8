/*
 * Samples of a run: their sums are the counters of its result, each holds what events say of the
 * same cycles, and they change nothing of the run, whatever their length and the number of host
 * threads.
 */
#include <check.h>
#include <string.h>

#include "sim/report/statistics.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/random_kernel.h"
#include "tests/support/suite.h"

enum { MOST_SAMPLES = 200000, MOST_SMS = 4, MOST_SLOTS = 64, SEEDS = 30 };

/* ---- what events say ----------------------------------------------------------------------------
 */

typedef struct {
    gboolean stalled;
    guint8 reason;
    guint64 since;
} Slot;

typedef struct {
    guint64 every;
    guint64 (*stalls)[WS_STALL_COUNT]; /* by stretch, of all SMs */
    guint64 *lanes;                    /* likewise: active lanes of what issues */
    Slot slots[MOST_SMS][MOST_SLOTS];
} Events;

static void add(Events *events, guint reason, guint64 from, guint64 to, guint64 warps)
{
    while (from < to) {
        guint64 stretch = from / events->every, end = MIN(to, (stretch + 1) * events->every);

        ck_assert_uint_lt(stretch, MOST_SAMPLES);
        events->stalls[stretch][reason] += (end - from) * warps;
        from = end;
    }
}

static void end_stall(Events *events, Slot *slot, guint64 cycle)
{
    if (slot->stalled)
        add(events, slot->reason, slot->since, cycle, 1);
    slot->stalled = FALSE;
}

static void note(void *data, const WsTraceEvent *event)
{
    Events *events = data;
    Slot *slot = &events->slots[event->sm][event->warp];

    if (event->kind == WS_TRACE_BLOCK_BEGIN) {
        add(events, WS_STALL_NO_INSTRUCTION, event->block_begin.since, event->cycle,
            event->block_begin.warps);
        return;
    }
    end_stall(events, slot, event->cycle);
    if (event->kind == WS_TRACE_WARP_BEGIN)
        *slot = (Slot){TRUE, WS_STALL_NO_INSTRUCTION, event->cycle};
    if (event->kind == WS_TRACE_STALL)
        *slot = (Slot){TRUE, event->stall.reason, event->cycle};
    if (event->kind == WS_TRACE_ISSUE) {
        add(events, WS_STALL_SELECTED, event->cycle, event->cycle + 1, 1);
        events->lanes[event->cycle / events->every] +=
            (guint64)__builtin_popcountll(event->issue.active);
    }
}

/* ---- runs ---------------------------------------------------------------------------------------
 */

static void keep(void *data, const WsSample *sample)
{
    g_array_append_val((GArray *)data, *sample);
}

static const char *const machines[][4] = {
    {"textbook", NULL},
    {"textbook", "sub_cores=4", "dependences=scoreboard", "classes.int.interval=3"},
    {"textbook", "switch_cost=3", "dependences=scoreboard", "classes.imad.interval=5"},
    {"h200", "sms=2", NULL},
    {"h200", "sms=3", "sub_cores=2", "memory.share=fair"},
    {"h200", "sms=2", "limits.warps_per_sm=8", "registers.read_cycles=1"},
    {"h200", "sms=2", "divergence.model=its", "divergence.progress_after=3"},
};

static Engine *load(guint64 seed)
{
    const char *const *machine = machines[seed % G_N_ELEMENTS(machines)];
    const char *settings[4] = {machine[1], machine[1] ? machine[2] : NULL,
                               machine[1] && machine[2] ? machine[3] : NULL, NULL};
    guint threads = 40 + 24 * (guint)(seed % 7), blocks = 3 + (guint)(seed % 9);
    g_autofree char *text = random_kernel(seed, threads, blocks);

    return engine_new(machine[0], settings, text, blocks, threads,
                      threads * blocks * RANDOM_KERNEL_WORDS);
}

/* The samples of a run; its counters, and where wanted what events say. */
static GArray *sample(guint64 seed, guint64 every, gboolean by_sm, guint32 threads, Events *events,
                      WsCounters *ret)
{
    Engine *e = load(seed);
    GArray *samples = g_array_new(FALSE, FALSE, sizeof(WsSample));
    WsSampleSink sampling = {every, by_sm, samples, keep};
    WsObserver observer = {.data = events,
                           .kinds = WS_TRACE_BIT(BLOCK_BEGIN) | WS_TRACE_BIT(WARP_BEGIN) |
                                    WS_TRACE_BIT(WARP_END) | WS_TRACE_BIT(ISSUE) |
                                    WS_TRACE_BIT(STALL),
                           .event = note};

    e->options.threads = threads;
    e->options.sampling = every != 0 ? &sampling : NULL;
    e->observers[0] = events != NULL ? &observer : NULL;
    *ret = engine_run(e)->total;
    engine_free(e);
    return samples;
}

/* What memory and the SMs have counted: not `cycles` and `elapsed_cycles`, which are no sums. */
static void check_sums(const GArray *samples, const WsCounters *total, gboolean by_sm)
{
    WsCounters sum = {0};
    guint64 dram_bytes = 0;

    for (guint i = 0; i < samples->len; i++) {
        const WsSample *one = &g_array_index(samples, WsSample, i);

        ws_counters_add_launch(&sum, &one->counters);
        dram_bytes += one->dram_bytes;
    }
    sum.cycles = total->cycles;
    sum.elapsed_cycles = total->elapsed_cycles;
    if (by_sm) {
        sum.l2_lookups = total->l2_lookups;
        sum.l2_hits = total->l2_hits;
        sum.dram_read_bytes = total->dram_read_bytes;
        sum.dram_write_bytes = total->dram_write_bytes;
    } else {
        ck_assert_uint_eq(dram_bytes, total->dram_read_bytes + total->dram_write_bytes);
    }
    ck_assert_mem_eq(&sum, total, sizeof sum);
}

/* Stretches end at multiples of their length and at the end of the launch, with no gaps. */
static void check_cycles(const GArray *samples, guint64 every, guint64 end)
{
    guint64 cycle = 0;

    for (guint i = 0; i < samples->len; i++) {
        const WsSample *one = &g_array_index(samples, WsSample, i);

        ck_assert_int_eq(one->sm, -1);
        ck_assert_uint_eq(one->cycle, cycle);
        ck_assert_uint_gt(one->cycles, 0);
        cycle += one->cycles;
        ck_assert(cycle % every == 0 || i + 1 == samples->len);
    }
    ck_assert_uint_eq(cycle, end);
}

static void check_events(const GArray *samples, const Events *events)
{
    for (guint i = 0; i < samples->len; i++) {
        const WsSample *one = &g_array_index(samples, WsSample, i);
        guint64 all = 0;

        for (guint s = 0; s < WS_STALL_COUNT; s++) {
            ck_assert_msg(one->counters.stalls[s] == events->stalls[one->cycle / events->every][s],
                          "cycle %" G_GUINT64_FORMAT " %s: %" G_GUINT64_FORMAT
                          ", by events %" G_GUINT64_FORMAT,
                          one->cycle, ws_stall_name(s), one->counters.stalls[s],
                          events->stalls[one->cycle / events->every][s]);
            all += one->counters.stalls[s];
        }
        ck_assert_uint_eq(one->counters.warp_cycles, all);
        ck_assert_uint_eq(one->counters.thread_instructions,
                          events->lanes[one->cycle / events->every]);
    }
}

START_TEST(sums_and_events)
{
    const guint64 lengths[] = {1, 7, 100, 1000, G_MAXUINT32};
    g_autoptr(GArray) none = NULL;
    WsCounters plain;

    none = sample((guint64)_i, 0, FALSE, 1, NULL, &plain);
    ck_assert_uint_eq(none->len, 0);
    for (guint k = 0; k < G_N_ELEMENTS(lengths); k++) {
        Events *events = g_new0(Events, 1);
        WsCounters total;

        events->every = lengths[k];
        events->stalls = g_malloc0_n(MOST_SAMPLES, sizeof *events->stalls);
        events->lanes = g_new0(guint64, MOST_SAMPLES);
        g_autoptr(GArray) samples = sample((guint64)_i, lengths[k], FALSE, 1, events, &total);

        ck_assert_mem_eq(&total, &plain, sizeof total);
        check_sums(samples, &total, FALSE);
        check_cycles(samples, lengths[k], total.elapsed_cycles);
        check_events(samples, events);
        g_free(events->stalls);
        g_free(events->lanes);
        g_free(events);
    }
}
END_TEST

/* Of each SM: what all of them have together, sample by sample. */
START_TEST(by_sm)
{
    enum { EVERY = 50 };
    WsCounters total, again;
    g_autoptr(GArray) all = sample((guint64)_i, EVERY, FALSE, 1, NULL, &total);
    g_autoptr(GArray) each = sample((guint64)_i, EVERY, TRUE, 1, NULL, &again);
    guint sms = each->len / all->len;

    ck_assert_mem_eq(&total, &again, sizeof total);
    ck_assert_uint_eq(sms * all->len, each->len);
    check_sums(each, &total, TRUE);
    for (guint i = 0; i < all->len; i++) {
        const WsSample *together = &g_array_index(all, WsSample, i);
        guint64 instructions = 0, active = 0, lookups = 0;
        gint32 before = -1;

        for (guint k = 0; k < sms; k++) {
            const WsSample *one = &g_array_index(each, WsSample, i * sms + k);

            ck_assert_int_gt(one->sm, before);
            before = one->sm;
            ck_assert_uint_eq(one->cycle, together->cycle);
            ck_assert_uint_eq(one->cycles, together->cycles);
            ck_assert_uint_le(one->counters.active_sm_cycles, one->cycles);
            instructions += one->counters.warp_instructions;
            active += one->counters.active_sm_cycles;
            lookups += one->counters.l1_lookups;
        }
        ck_assert_uint_eq(instructions, together->counters.warp_instructions);
        ck_assert_uint_eq(active, together->counters.active_sm_cycles);
        ck_assert_uint_eq(lookups, together->counters.l1_lookups);
    }
}
END_TEST

START_TEST(host_threads)
{
    WsCounters total, again;

    for (guint each = 0; each < 2; each++) {
        g_autoptr(GArray) one = sample((guint64)_i, 30, each, 1, NULL, &total);
        g_autoptr(GArray) three = sample((guint64)_i, 30, each, 3, NULL, &again);

        ck_assert_uint_eq(one->len, three->len);
        ck_assert_mem_eq(one->data, three->data, one->len * sizeof(WsSample));
        check_sums(three, &again, each);
    }
}
END_TEST

/* A run that is cut off has samples up to there. */
START_TEST(cut_off)
{
    Engine *e = load(3);
    g_autoptr(GArray) samples = g_array_new(FALSE, FALSE, sizeof(WsSample));
    WsSampleSink sampling = {64, FALSE, samples, keep};

    e->options.max_cycles = 1000;
    e->options.sampling = &sampling;
    const WsResult *result = engine_run(e);
    ck_assert_int_eq(result->status, WS_STATUS_LIMIT);
    check_sums(samples, &result->total, FALSE);
    check_cycles(samples, 64, result->total.elapsed_cycles);
    engine_free(e);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, sums_and_events, 0, SEEDS);
    tcase_add_loop_test(cases, by_sm, 0, SEEDS);
    tcase_add_loop_test(cases, host_threads, 0, 10);
    tcase_add_test(cases, cut_off);
}

int main(void)
{
    return run_suite("sampling", add_tests);
}
