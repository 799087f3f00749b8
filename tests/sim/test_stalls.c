/*
 * Stall accounting against a slow reference: every cycle, every resident warp is asked for the one
 * reason why it does not issue. The counts must be the same, by reason and by instruction. Before
 * every cycle it is also told which warps will issue in it.
 */
#include <check.h>
#include <string.h>

#include "sim/gpu/gpu.h"
#include "sim/sm/eligibility.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/random_kernel.h"

typedef struct {
    WsInstructionCounters *counted;
    guint64 seen[WS_MAX_WARP_SLOTS];  /* resident_since + 1 of the warp last seen there */
    guint64 asked[WS_MAX_WARP_SLOTS]; /* cycle */
    WsStall answer[WS_MAX_WARP_SLOTS];
    guint64 issues; /* slots that were told to issue in the cycle that was asked for */
    guint32 pc[WS_MAX_WARP_SLOTS];
    gboolean open[WS_MAX_WARP_SLOTS]; /* the last answer is not counted yet */
} PerSm;

typedef struct {
    PerSm sms[4];
    guint64 warp_cycles;
} Reference;

/* The cycle that was asked for is over: it was an issue if the warp issued in it. */
static void count(Reference *reference, PerSm *per_sm, const WsSm *sm, guint32 slot)
{
    const WsWarp *warp = &sm->state->warps[slot];
    WsStall stall = per_sm->answer[slot];
    gboolean told = (per_sm->issues >> slot & 1) != 0, issued = FALSE;

    if (!per_sm->open[slot])
        return;
    per_sm->open[slot] = FALSE;
    /* A warp that is gone a cycle after it could issue has issued its EXIT. */
    if (warp->last_issue == per_sm->asked[slot] || !(sm->state->resident >> slot & 1) ||
        per_sm->seen[slot] != warp->resident_since + 1) {
        ck_assert_msg(stall == WS_STALL_NOT_SELECTED || stall == WS_STALL_DRAIN,
                      "issued while it was held by %s", ws_stall_name(stall));
        issued = stall != WS_STALL_DRAIN;
        stall = stall == WS_STALL_DRAIN ? stall : WS_STALL_SELECTED;
    }
    ck_assert_msg(told == issued, "slot %u at %" G_GUINT64_FORMAT ": %s", slot, per_sm->asked[slot],
                  told ? "did not issue" : "issued untold");
    per_sm->counted[per_sm->pc[slot]].stalls[stall]++;
    reference->warp_cycles++;
}

static void inspect(void *data, WsSm *sm, guint64 cycle)
{
    Reference *reference = data;
    PerSm *per_sm = &reference->sms[sm->number];

    for (guint32 slot = 0; slot < sm->context->warp_slots; slot++)
        count(reference, per_sm, sm, slot);
    per_sm->issues = ws_sm_next_issues(sm, cycle);
    for (guint64 m = sm->state->resident; m != 0; m &= m - 1) {
        guint32 slot = (guint32)__builtin_ctzll(m);
        const WsWarp *warp = &sm->state->warps[slot];

        per_sm->pc[slot] = warp->state == WS_WARP_DRAIN ? warp->wait_pc : warp->path.pc;
        if (per_sm->seen[slot] != warp->resident_since + 1) {
            guint64 before = cycle - warp->resident_since;
            per_sm->seen[slot] = warp->resident_since + 1;
            per_sm->counted[per_sm->pc[slot]].stalls[WS_STALL_NO_INSTRUCTION] += before;
            reference->warp_cycles += before;
        }
        per_sm->answer[slot] = ws_warp_stall(sm, slot, cycle);
        per_sm->asked[slot] = cycle;
        per_sm->open[slot] = TRUE;
    }
}

/* The last cycle of the run: only drains and EXITs are left in it. */
static void finish(Reference *reference)
{
    for (guint i = 0; i < G_N_ELEMENTS(reference->sms); i++)
        for (guint slot = 0; slot < WS_MAX_WARP_SLOTS; slot++) {
            PerSm *per_sm = &reference->sms[i];
            WsStall stall = per_sm->answer[slot];
            if (!per_sm->open[slot])
                continue;
            ck_assert(stall == WS_STALL_DRAIN || stall == WS_STALL_NOT_SELECTED);
            stall = stall == WS_STALL_DRAIN ? stall : WS_STALL_SELECTED;
            per_sm->counted[per_sm->pc[slot]].stalls[stall]++;
            reference->warp_cycles++;
        }
}

static void compare(const Reference *reference, const WsResult *result, guint32 count, guint64 seed)
{
    for (guint32 i = 0; i < count; i++)
        for (guint s = 0; s < WS_STALL_COUNT; s++) {
            guint64 sum = 0;
            for (guint sm = 0; sm < G_N_ELEMENTS(reference->sms); sm++)
                sum += reference->sms[sm].counted[i].stalls[s];
            ck_assert_msg(result->launches[0].instructions[i].stalls[s] == sum,
                          "seed %" G_GUINT64_FORMAT " instruction %u %s: %" G_GUINT64_FORMAT
                          " counted %" G_GUINT64_FORMAT,
                          seed, i, ws_stall_name(s), result->launches[0].instructions[i].stalls[s],
                          sum);
        }
    ck_assert_uint_eq(result->total.warp_cycles, reference->warp_cycles);
}

static const char *const machines[][4] = {
    {"textbook", NULL},
    {"textbook", "dependences=scoreboard", "launch.drain=7", "policies.two_level.active_warps=2"},
    {"textbook", "sub_cores=4", "dependences=scoreboard", "classes.int.interval=3"},
    {"textbook", "switch_cost=3", "dependences=scoreboard", "classes.imad.interval=5"},
    {"h200", "sms=2", NULL},
    {"h200", "sms=3", "sub_cores=2", "policies.textbook_priority.patience=2"},
    {"h200", "sms=1", "launch.turnover=0", "policies.two_level.active_warps=1"},
    {"h200", "sms=2", "limits.warps_per_sm=8", "switch_cost=2"},
    {"h200", "sms=1", "registers.banks=1", "registers.read_cycles=1"},
    {"h200", "sms=2", "divergence.model=its", "divergence.progress_after=3"},
    {"h200", "sms=1", "divergence.model=none", NULL},
    {"textbook", "divergence.model=its", "dependences=control", NULL},
};

/* Every policy of the table on every machine, once in machines x policies seeds. */
static const char *const policies[] = {WS_POLICIES(WS_POLICY_SETTING) NULL};

START_TEST(reference_agrees)
{
    guint64 seed = (guint64)_i, round = seed / G_N_ELEMENTS(machines);
    const char *const *machine = machines[seed % G_N_ELEMENTS(machines)];
    g_autofree char *policy = g_strconcat("policy=", policies[round % WS_POLICY_COUNT], NULL);
    const char *settings[5] = {policy, machine[1], machine[1] ? machine[2] : NULL,
                               machine[1] && machine[2] ? machine[3] : NULL, NULL};
    guint threads = 40 + 24 * (guint)(seed % 7), blocks = 1 + (guint)(seed % 5);
    g_autofree char *text = random_kernel(seed, threads, blocks);
    Engine *e = engine_new(machine[0], settings, text, blocks, threads,
                           threads * blocks * RANDOM_KERNEL_WORDS);
    guint32 instructions = e->job->program->instruction_count;
    Reference *reference = g_new0(Reference, 1);
    g_autofree guint32 *words = NULL;
    gsize bytes = e->job->buffers[0].bytes;
    GError *error = NULL;
    WsResult *plain;

    e->options.max_cycles = 200000;
    for (guint i = 0; i < G_N_ELEMENTS(reference->sms); i++)
        reference->sms[i].counted = g_new0(WsInstructionCounters, instructions);
    plain = engine_run(e);
    ck_assert_int_eq(plain->status, WS_STATUS_OK);
    words = g_memdup2(engine_words(e), bytes);
    memset(engine_words(e), 0, bytes);
    e->options.observers = NULL;
    e->result = NULL;
    e->result = ws_simulation_run_inspected(e->job, &e->options, inspect, reference, &error);
    ck_assert_ptr_nonnull(e->result);
    finish(reference);
    compare(reference, e->result, instructions, seed);
    compare(reference, plain, instructions, seed);
    ck_assert_mem_eq(words, engine_words(e), bytes);
    ck_assert_mem_eq(&plain->total, &e->result->total, sizeof plain->total);
    for (guint i = 0; i < G_N_ELEMENTS(reference->sms); i++)
        g_free(reference->sms[i].counted);
    g_free(reference);
    ws_result_free(plain);
    engine_free(e);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stalls");
    TCase *tcase = tcase_create("stalls");
    SRunner *runner;
    int failed;

    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, reference_agrees, 0, G_N_ELEMENTS(machines) * WS_POLICY_COUNT);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
