/*
 * What observers are told: the same with any number of host threads and of observers, in order, and
 * nothing else than what the run counts.
 */
#include <check.h>
#include <string.h>

#include "sim/sm/sm.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/random_kernel.h"

typedef struct {
    GArray *events; /* of WsTraceEvent */
    WsObserver observer;
} Log;

static void add_event(void *data, const WsTraceEvent *event)
{
    Log *log = data;

    g_array_append_vals(log->events, event, 1);
}

static void log_init(Log *log, guint64 kinds)
{
    log->events = g_array_new(FALSE, FALSE, sizeof(WsTraceEvent));
    log->observer = (WsObserver){.data = log, .kinds = kinds, .event = add_event};
}

static void log_clear(Log *log)
{
    g_array_unref(log->events);
}

static const WsTraceEvent *event_at(const Log *log, guint i)
{
    return &g_array_index(log->events, WsTraceEvent, i);
}

static const char *const machines[][4] = {
    {"textbook", "dependences=scoreboard", "launch.drain=7", NULL},
    {"textbook", "sub_cores=4", "dependences=scoreboard", "classes.int.interval=3"},
    {"textbook", "switch_cost=3", "dependences=scoreboard", "classes.imad.interval=5"},
    {"textbook", "divergence.model=its", "dependences=control", NULL},
    {"h200", "sms=4", NULL, NULL},
    {"h200", "sms=3", "sub_cores=2", NULL},
    {"h200", "sms=2", "limits.warps_per_sm=8", "switch_cost=2"},
    {"h200", "sms=2", "divergence.model=its", "divergence.progress_after=3"},
    {"h200", "sms=2", "divergence.model=stack", NULL},
};

static const char *const policies[] = {WS_POLICIES(WS_POLICY_SETTING) NULL};

/* A random kernel on one of the machines under one of the policies, by seed. */
static Engine *random_engine(guint64 seed)
{
    const char *const *machine = machines[seed % G_N_ELEMENTS(machines)];
    g_autofree char *policy =
        g_strconcat("policy=", policies[seed / G_N_ELEMENTS(machines) % WS_POLICY_COUNT], NULL);
    const char *settings[] = {policy, machine[1], machine[1] ? machine[2] : NULL,
                              machine[1] && machine[2] ? machine[3] : NULL, NULL};
    guint threads = 40 + 24 * (guint)(seed % 7), blocks = 1 + (guint)(seed % 9);
    g_autofree char *text = random_kernel(seed + 4000, threads, blocks);

    return engine_new(machine[0], settings, text, blocks, threads,
                      threads * blocks * RANDOM_KERNEL_WORDS);
}

static void run_with(Engine *e, guint32 threads, const WsObserver *first, const WsObserver *second)
{
    memset(engine_words(e), 0, e->job->buffers[0].bytes);
    e->observers[0] = first;
    e->observers[1] = second;
    e->options.threads = threads;
    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
}

/* ---- order --------------------------------------------------------------------------------------
 */

static void check_order(const Log *log)
{
    for (guint i = 1; i < log->events->len; i++) {
        const WsTraceEvent *a = event_at(log, i - 1), *b = event_at(log, i);

        ck_assert_msg(a->cycle < b->cycle || (a->cycle == b->cycle && a->sm <= b->sm),
                      "event %u: cycle %" G_GUINT64_FORMAT " SM %u behind %" G_GUINT64_FORMAT
                      " SM %u",
                      i, b->cycle, b->sm, a->cycle, a->sm);
    }
}

/* All events of one log that another wants are in that other. */
static void check_part(const Log *all, const Log *part)
{
    guint k = 0;

    for (guint i = 0; i < all->events->len; i++) {
        const WsTraceEvent *event = event_at(all, i);

        if (!(part->observer.kinds >> event->kind & 1))
            continue;
        ck_assert_uint_lt(k, part->events->len);
        ck_assert_mem_eq(event, event_at(part, k), sizeof *event);
        k++;
    }
    ck_assert_uint_eq(k, part->events->len);
}

START_TEST(threads_and_others_change_nothing)
{
    Engine *e = random_engine((guint64)_i);
    WsCounters plain;
    Log one, many, part;

    log_init(&one, WS_ALL_EVENTS);
    log_init(&many, WS_ALL_EVENTS);
    log_init(&part, G_GUINT64_CONSTANT(0x35a7b) >> (_i % 3));
    run_with(e, 1, NULL, NULL);
    plain = e->result->total;
    run_with(e, 1, &one.observer, NULL);
    ck_assert_mem_eq(&plain, &e->result->total, sizeof plain);
    run_with(e, 3, &part.observer, &many.observer);
    ck_assert_mem_eq(&plain, &e->result->total, sizeof plain);
    ck_assert_uint_gt(one.events->len, 100);
    ck_assert_uint_eq(one.events->len, many.events->len);
    ck_assert_mem_eq(one.events->data, many.events->data, one.events->len * sizeof(WsTraceEvent));
    check_order(&one);
    check_part(&one, &part);
    log_clear(&one);
    log_clear(&many);
    log_clear(&part);
    engine_free(e);
}
END_TEST

/* ---- stalls -------------------------------------------------------------------------------------
 */

typedef struct {
    guint64 since;
    guint32 instruction;
    WsStall reason; /* SELECTED: none */
} Wait;

/* Cycles by instruction and reason, from events alone. */
static void add_up(const Log *log, WsInstructionCounters *counters)
{
    g_autofree Wait *waits = g_new0(Wait, 8 * WS_MAX_WARP_SLOTS);

    for (guint i = 0; i < log->events->len; i++) {
        const WsTraceEvent *event = event_at(log, i);
        Wait *wait = &waits[event->sm * WS_MAX_WARP_SLOTS + event->warp];

        if (event->kind != WS_TRACE_STALL && event->kind != WS_TRACE_ISSUE &&
            event->kind != WS_TRACE_WARP_END)
            continue;
        if (wait->reason != WS_STALL_SELECTED)
            counters[wait->instruction].stalls[wait->reason] += event->cycle - wait->since;
        wait->reason = WS_STALL_SELECTED;
        if (event->kind == WS_TRACE_STALL)
            *wait = (Wait){event->cycle, event->instruction, (WsStall)event->stall.reason};
        if (event->kind == WS_TRACE_ISSUE)
            counters[event->instruction].stalls[WS_STALL_SELECTED]++;
    }
}

START_TEST(stalls_are_those_counted)
{
    Engine *e = random_engine((guint64)_i + 1000);
    guint32 count = e->job->program->instruction_count;
    g_autofree WsInstructionCounters *counters = g_new0(WsInstructionCounters, count);
    guint64 late = 0; /* cycles before an SM is told that a block has begun */
    Log log;

    log_init(&log, WS_ALL_EVENTS);
    run_with(e, 2, &log.observer, NULL);
    add_up(&log, counters);
    for (guint i = 0; i < log.events->len; i++)
        if (event_at(&log, i)->kind == WS_TRACE_BLOCK_BEGIN)
            late += event_at(&log, i)->block_begin.warps *
                    (event_at(&log, i)->cycle - event_at(&log, i)->block_begin.since);
    counters[0].stalls[WS_STALL_NO_INSTRUCTION] += late;
    for (guint32 i = 0; i < count; i++)
        for (guint s = 0; s < WS_STALL_COUNT; s++)
            ck_assert_msg(counters[i].stalls[s] == e->result->launches[0].instructions[i].stalls[s],
                          "instruction %u %s: %" G_GUINT64_FORMAT " told, %" G_GUINT64_FORMAT
                          " counted",
                          i, ws_stall_name(s), counters[i].stalls[s],
                          e->result->launches[0].instructions[i].stalls[s]);
    log_clear(&log);
    engine_free(e);
}
END_TEST

/* ---- issue, results, memory ---------------------------------------------------------------------
 */

typedef struct {
    guint64 issued, set, released, requests, responses, sectors;
    guint64 chosen;
    guint64 level[WS_LEVEL_COUNT];
} Sums;

static void check_issue(const WsTraceEvent *event, Sums *sums)
{
    sums->issued++;
    ck_assert_uint_ne(event->issue.active, 0);
    ck_assert_uint_eq(event->issue.executed & ~event->issue.active, 0);
    ck_assert_uint_eq(event->issue.active & ~event->issue.alive, 0);
    ck_assert_uint_eq(event->issue.alive & ~event->issue.launched, 0);
}

static Sums add_events(const Log *log)
{
    Sums sums = {0};

    for (guint i = 0; i < log->events->len; i++) {
        const WsTraceEvent *event = event_at(log, i);

        switch (event->kind) {
        case WS_TRACE_ISSUE:
            check_issue(event, &sums);
            break;
        case WS_TRACE_CHOICE:
            sums.chosen++;
            ck_assert(event->choice.admitted >> event->warp & 1);
            ck_assert_uint_eq(event->choice.admitted & ~event->choice.eligible, 0);
            break;
        case WS_TRACE_SCOREBOARD_SET:
            sums.set++;
            break;
        case WS_TRACE_SCOREBOARD_RELEASE:
            sums.released++;
            break;
        case WS_TRACE_REQUEST:
            sums.requests++;
            sums.sectors += event->request.sectors;
            break;
        case WS_TRACE_RESPONSE:
            sums.responses++;
            sums.level[event->response.level]++;
            ck_assert_uint_gt(event->response.latency, 0);
            break;
        default:
            break;
        }
    }
    return sums;
}

START_TEST(events_agree_with_counters)
{
    Engine *e = random_engine((guint64)_i + 2000);
    Log log;
    Sums sums;

    log_init(&log, WS_ALL_EVENTS);
    run_with(e, 1, &log.observer, NULL);
    sums = add_events(&log);
    ck_assert_uint_eq(sums.issued, e->result->total.warp_instructions);
    ck_assert_uint_eq(sums.chosen, sums.issued);
    ck_assert_uint_ge(sums.set, sums.released);
    log_clear(&log);
    engine_free(e);
}
END_TEST

/* One warp reads a line, again, and another from shared memory: level and latency of each. */
START_TEST(levels)
{
    static const char *const text = "MOV R2, c[x] ;\nMOV R3, c[x+4] ;\n"
                                    "LDG.E R4, [R2] ;\nIADD3 R5, R4, R4, RZ ;\n"
                                    "LDG.E R6, [R2] ;\nIADD3 R7, R6, R6, R5 ;\n"
                                    "LDG.E.STRONG.GPU R8, [R2] ;\nIADD3 R9, R8, R7, RZ ;\n"
                                    "EXIT ;\n";
    static const WsMemoryLevel expected[] = {WS_LEVEL_DRAM, WS_LEVEL_L1, WS_LEVEL_L2};
    const char *settings[] = {"sms=1", "memory.l2.partitions=1", NULL};
    Engine *e = engine_new("h200", settings, text, 1, 32, 64);
    guint64 issued[3] = {0};
    guint loads = 0, answers = 0;
    Log log;

    log_init(&log, WS_ALL_EVENTS);
    run_with(e, 1, &log.observer, NULL);
    for (guint i = 0; i < log.events->len; i++) {
        const WsTraceEvent *event = event_at(&log, i);

        if (event->kind == WS_TRACE_REQUEST)
            issued[loads++] = event->cycle;
        if (event->kind != WS_TRACE_RESPONSE)
            continue;
        ck_assert_uint_lt(answers, 3);
        ck_assert_str_eq(ws_memory_level_name(event->response.level),
                         ws_memory_level_name(expected[answers]));
        ck_assert_uint_eq(event->cycle, issued[answers] + event->response.latency);
        answers++;
    }
    ck_assert_uint_eq(answers, 3);
    log_clear(&log);
    engine_free(e);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("observers");
    TCase *tcase = tcase_create("observers");
    SRunner *runner;
    int failed, rounds = (int)G_N_ELEMENTS(machines) * WS_POLICY_COUNT;

    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, threads_and_others_change_nothing, 0, rounds);
    tcase_add_loop_test(tcase, stalls_are_those_counted, 0, rounds);
    tcase_add_loop_test(tcase, events_agree_with_counters, 0, rounds);
    tcase_add_test(tcase, levels);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
