/*
 * States of a run, saved and restored: wherever a run is held up, saved and taken up again, it
 * goes on as it would have gone.
 */
#include <check.h>
#include <string.h>

#include "sim/base/contents.h"
#include "sim/base/page_store.h"
#include "sim/base/state_arena.h"
#include "sim/gpu/stepping.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/random_kernel.h"
#include "tests/support/suite.h"

enum { STOPS = 12 };

static gboolean more; /* the three of four seeds that are left out otherwise */

static const char *const machines[][4] = {
    {"textbook", "dependences=scoreboard", "launch.drain=7", "policies.two_level.active_warps=2"},
    {"textbook", "divergence.model=its", "dependences=control", NULL},
    {"textbook", "divergence.model=stack", NULL},
    {"h200", "sms=2", NULL},
    {"h200", "sms=3", "sub_cores=2", "divergence.progress_after=3"},
    {"h200", "sms=2", "limits.warps_per_sm=8", "switch_cost=2"},
    {"h200", "sms=1", "divergence.model=none", NULL},
    {"v100", "sms=1", "divergence.model=stack", NULL},
};

static const char *const policies[] = {WS_POLICIES(WS_POLICY_SETTING) NULL};

typedef struct {
    guint64 cycle, digest;
    WsSavedState *state;
} Stop;

static int compare_cycles(const void *a, const void *b)
{
    guint64 x = *(const guint64 *)a, y = *(const guint64 *)b;

    return x < y ? -1 : x > y;
}

static guint64 digest_at(WsSimulation *simulation, guint64 cycle)
{
    GError *error = NULL;

    ck_assert(ws_simulation_advance(simulation, cycle, &error));
    ck_assert_ptr_null(error);
    return ws_simulation_digest(simulation, cycle);
}

/* From the beginning to each stop, which is saved. */
static void go_forward(WsSimulation *simulation, Stop *stops, const guint64 *cycles)
{
    for (guint i = 0; i < STOPS; i++) {
        stops[i].cycle = cycles[i];
        stops[i].digest = digest_at(simulation, cycles[i]);
        ck_assert(!ws_simulation_is_over(simulation));
        stops[i].state = ws_simulation_save(simulation, i == 0 ? NULL : stops[i - 1].state);
    }
}

/* From saved states back and forth to other stops. */
static void go_about(WsSimulation *simulation, const Stop *stops, guint64 seed)
{
    for (guint i = 0; i < 3 * STOPS; i++) {
        guint from = (guint)(ws_split_mix(seed, 2 * i) % STOPS);
        guint to = from + (guint)(ws_split_mix(seed, 2 * i + 1) % (STOPS - from));

        ws_simulation_restore(simulation, stops[from].state);
        ck_assert_uint_eq(ws_simulation_digest(simulation, stops[from].cycle), stops[from].digest);
        ck_assert_uint_eq(digest_at(simulation, stops[to].cycle), stops[to].digest);
    }
    ws_simulation_restore(simulation, stops[ws_split_mix(seed, 99) % STOPS].state);
}

static void same_result(const WsResult *a, const WsResult *b, guint32 instructions)
{
    ck_assert_int_eq(a->status, b->status);
    ck_assert_mem_eq(&a->total, &b->total, sizeof a->total);
    ck_assert_uint_eq(a->launch_count, b->launch_count);
    for (guint32 i = 0; i < a->launch_count; i++)
        ck_assert_mem_eq(a->launches[i].instructions, b->launches[i].instructions,
                         instructions * sizeof(WsInstructionCounters));
}

START_TEST(goes_on_as_it_would)
{
    guint64 seed = (guint64)_i, round = seed / G_N_ELEMENTS(machines);

    if (more == ((seed + round) % 4 == 0))
        return;
    const char *const *machine = machines[seed % G_N_ELEMENTS(machines)];
    g_autofree char *policy = g_strconcat("policy=", policies[round % WS_POLICY_COUNT], NULL);
    const char *settings[5] = {policy, machine[1], machine[1] ? machine[2] : NULL,
                               machine[1] && machine[2] ? machine[3] : NULL, NULL};
    guint threads = 40 + 24 * (guint)(seed % 7), blocks = 1 + (guint)(seed % 9);
    g_autofree char *text = random_kernel(seed, threads, blocks);
    Engine *e = engine_new(machine[0], settings, text, blocks, threads,
                           threads * blocks * RANDOM_KERNEL_WORDS);
    gsize bytes = e->job->buffers[0].bytes;
    guint64 cycles[STOPS];
    Stop stops[STOPS];
    WsSimulation *simulation;
    g_autofree guint32 *words = NULL;
    GError *error = NULL;
    WsResult *plain, *result;

    e->options.max_cycles = 200000;
    plain = engine_run(e);
    ck_assert_int_eq(plain->status, WS_STATUS_OK);
    words = g_memdup2(engine_words(e), bytes);
    e->options.observers = NULL;
    for (guint i = 0; i < STOPS; i++)
        cycles[i] = ws_split_mix(seed, 1000 + i) % plain->total.elapsed_cycles;
    qsort(cycles, STOPS, sizeof *cycles, compare_cycles);

    memset(engine_words(e), 0, bytes);
    simulation = ws_simulation_new(e->job, &e->options, TRUE, &error);
    ck_assert_ptr_nonnull(simulation);
    go_forward(simulation, stops, cycles);
    go_about(simulation, stops, seed);
    ck_assert(ws_simulation_advance(simulation, G_MAXUINT64, &error));
    ck_assert(ws_simulation_is_over(simulation));
    ck_assert_uint_eq(ws_simulation_end(simulation), plain->total.elapsed_cycles);
    result = ws_simulation_finish(simulation);
    same_result(plain, result, e->job->program->instruction_count);
    ck_assert_mem_eq(words, engine_words(e), bytes);
    ws_result_free(result);
    for (guint i = 0; i < STOPS; i++)
        ws_saved_state_free(stops[i].state);
    ck_assert_uint_eq(ws_simulation_saved_bytes(simulation), 0);
    ws_simulation_free(simulation);

    for (guint i = 0; i < STOPS; i += 5) { /* straight to a cycle */
        g_autoptr(WsSimulation) straight = NULL;

        memset(engine_words(e), 0, bytes);
        straight = ws_simulation_new(e->job, &e->options, i % 2 == 0, &error);
        ck_assert_uint_eq(digest_at(straight, stops[i].cycle), stops[i].digest);
    }
    engine_free(e);
}
END_TEST

/* Launches one after the other, and back to one before. */
START_TEST(goes_back_over_launches)
{
    Engine *e = engine_load("workloads/global_sum/launch.yaml", NULL, NULL);
    WsSimulation *simulation;
    WsSavedState *first, *last;
    guint64 end, digest;
    GError *error = NULL;
    WsResult *result;

    e->options.observers = NULL;
    simulation = ws_simulation_new(e->job, &e->options, TRUE, &error);
    first = ws_simulation_save(simulation, NULL);
    ck_assert(ws_simulation_advance(simulation, G_MAXUINT64, &error));
    end = ws_simulation_end(simulation);
    ck_assert_uint_gt(ws_simulation_launch(simulation), 0);
    ws_simulation_restore(simulation, first);
    ck_assert_uint_eq(ws_simulation_launch(simulation), 0);
    digest = digest_at(simulation, end - 2);
    ck_assert_uint_gt(ws_simulation_launch(simulation), 0);
    last = ws_simulation_save(simulation, first);
    ws_simulation_restore(simulation, first);
    digest_at(simulation, end / 3);
    ws_simulation_restore(simulation, last);
    ck_assert_uint_eq(ws_simulation_digest(simulation, end - 2), digest);
    ck_assert(ws_simulation_advance(simulation, G_MAXUINT64, &error));
    ck_assert_uint_eq(ws_simulation_end(simulation), end);
    result = ws_simulation_finish(simulation);
    ck_assert_int_eq(result->status, WS_STATUS_OK);
    ck_assert_uint_eq(result->launch_count, e->job->launch_count);
    for (guint32 i = 0; i < result->check_count; i++)
        ck_assert(result->checks[i].passed);
    ws_result_free(result);
    ws_saved_state_free(first);
    ws_saved_state_free(last);
    ws_simulation_free(simulation);
    engine_free(e);
}
END_TEST

/* A hundred states of one SM that runs a hundred thousand cycles. */
START_TEST(a_hundred_states_are_cheap)
{
    Engine *e =
        engine_load("workloads/matmul/naive.yaml", (const char *const[]){"sms=1", NULL}, NULL);
    WsSimulation *simulation;
    WsSavedState *states[100];
    GError *error = NULL;
    guint count = 0;

    e->options.observers = NULL;
    simulation = ws_simulation_new(e->job, &e->options, TRUE, &error);
    while (count < G_N_ELEMENTS(states)) {
        ck_assert(ws_simulation_advance(simulation, 100 * count, &error));
        ck_assert(!ws_simulation_is_over(simulation));
        states[count] = ws_simulation_save(simulation, count == 0 ? NULL : states[count - 1]);
        count++;
    }
    ck_assert_uint_lt(ws_simulation_saved_bytes(simulation), 200 << 20);
    while (count != 0)
        ws_saved_state_free(states[--count]);
    ws_simulation_free(simulation);
    engine_free(e);
}
END_TEST

/* ---- where the state lies
 * ------------------------------------------------------------------------
 */

START_TEST(arena_gives_and_takes)
{
    WsStateArena *arena = ws_state_arena_new();
    guint64 *pieces[64] = {NULL};
    WsStateArray array = {.arena = arena};

    for (guint i = 0; i < 4096; i++) {
        guint place = (guint)(ws_split_mix(7, i) % 64);
        gsize count = 1 + ws_split_mix(8, i) % 3000;

        ws_state_free(arena, pieces[place]);
        pieces[place] = ws_state_new(arena, guint64, count);
        gboolean zero = TRUE;
        for (gsize k = 0; k < count; k++)
            zero = zero && pieces[place][k] == 0;
        ck_assert(zero);
        memset(pieces[place], (gint)i, count * sizeof(guint64));
    }
    for (guint32 i = 0; i < 10000; i++)
        ws_state_array_append(&array, guint32, i * 3);
    for (guint32 i = 0; i < 10000; i++)
        ck_assert_uint_eq(ws_state_array_index(&array, guint32, i), i * 3);
    ws_state_arena_free(arena);
}
END_TEST

START_TEST(arena_comes_back)
{
    WsStateArena *arena = ws_state_arena_new();
    WsPageStore store = {0};
    guint32 *kept = ws_state_new(arena, guint32, 5000), *later;
    g_autoptr(WsPageCopy) before = NULL;
    g_autoptr(WsPageCopy) after = NULL;
    gsize bytes;
    guint8 *range;

    kept[4999] = 17;
    range = ws_state_arena_range(arena, &bytes);
    before = ws_page_copy_new(&store, range, bytes, NULL);
    later = ws_state_new(arena, guint32, 5000);
    later[0] = kept[4999] = 18;
    range = ws_state_arena_range(arena, &bytes);
    after = ws_page_copy_new(&store, range, bytes, before);
    ws_state_arena_cut(arena, ws_page_copy_length(before));
    ws_page_copy_restore(before, range);
    ck_assert_uint_eq(kept[4999], 17);
    ck_assert_ptr_eq(ws_state_new(arena, guint32, 5000), later);
    ck_assert_uint_eq(later[0], 0);
    ws_state_arena_cut(arena, ws_page_copy_length(after));
    ws_page_copy_restore(after, range);
    ck_assert_uint_eq(kept[4999], 18);
    ck_assert_uint_eq(later[0], 18);
    ws_state_arena_free(arena);
}
END_TEST

/* Copies that share pages, freed in any order. */
START_TEST(copies_share_pages)
{
    enum { BYTES = 40 * WS_COPY_PAGE_BYTES + 123 };
    g_autofree guint8 *memory = g_malloc0(BYTES);
    g_autofree guint8 *there = g_malloc0(BYTES);
    guint8 *expected[20];
    WsPageCopy *copies[20];
    WsPageStore store = {0};

    for (guint i = 0; i < 20; i++) {
        memory[ws_split_mix(3, i) % BYTES] = (guint8)i;
        expected[i] = g_memdup2(memory, BYTES);
        copies[i] = ws_page_copy_new(&store, memory, BYTES, i == 0 ? NULL : copies[i - 1]);
    }
    ck_assert_uint_lt(store.bytes, 20 * (WS_COPY_PAGE_BYTES + 500));
    for (guint i = 0; i < 20; i += 2) {
        ws_page_copy_free(copies[i]);
        g_free(expected[i]);
    }
    for (guint i = 19; i < 20; i -= 2) {
        ws_page_copy_restore(copies[i], there);
        ck_assert_mem_eq(there, expected[i], BYTES);
        ws_page_copy_free(copies[i]);
        g_free(expected[i]);
    }
    ck_assert_uint_eq(store.bytes, 0);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, goes_on_as_it_would, 0, G_N_ELEMENTS(machines) * WS_POLICY_COUNT);
    tcase_add_test(cases, goes_back_over_launches);
    tcase_add_test(cases, a_hundred_states_are_cheap);
    tcase_add_test(cases, arena_gives_and_takes);
    tcase_add_test(cases, arena_comes_back);
    tcase_add_test(cases, copies_share_pages);
}

int main(int argc, char **argv)
{
    more = argc > 1 && g_str_equal(argv[1], "more");
    return run_suite("saved state", add_tests);
}
