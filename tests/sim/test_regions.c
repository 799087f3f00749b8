/*
 * Regions of the source: which instructions they hold, and the cycles of warps inside them, against
 * a count that keeps every cycle of every SM apart.
 */
#include <check.h>
#include <string.h>

#include "isa/base/error.h"
#include "sim/base/contents.h"
#include "sim/base/instruction_place.h"
#include "sim/launch/code_regions.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/random_kernel.h"
#include "tests/support/suite.h"

enum { SMS = 2, SLOTS = 64, MOST_CYCLES = 1 << 16, REGIONS = 6 };

/* ---- a count of its own -------------------------------------------------------------------------
 */

typedef struct {
    const WsJob *job;
    guint64 from[SMS][SLOTS];
    guint32 last[SMS][SLOTS];
    guint64 since[SMS];
    guint64 warp_cycles[REGIONS];
    guint8 inside[REGIONS][SMS][MOST_CYCLES];
} Count;

static void be_at(Count *count, guint32 sm, guint32 slot, guint32 instruction, guint64 to)
{
    for (guint64 cycle = count->from[sm][slot]; cycle < to; cycle++)
        for (guint32 i = 0; i < count->job->region_count; i++) {
            if (!count->job->regions[i].holds[instruction])
                continue;
            count->warp_cycles[i]++;
            count->inside[i][sm][cycle] = TRUE;
        }
    count->from[sm][slot] = to;
}

static void note(void *data, const WsTraceEvent *event)
{
    Count *count = data;
    guint32 sm = event->sm, slot = event->warp;

    ck_assert_uint_lt(event->cycle, MOST_CYCLES - 1);
    if (event->kind == WS_TRACE_BLOCK_BEGIN) {
        count->since[sm] = event->block_begin.since;
    } else if (event->kind == WS_TRACE_WARP_BEGIN) {
        count->from[sm][slot] = count->since[sm];
    } else if (event->kind == WS_TRACE_ISSUE) {
        be_at(count, sm, slot, event->instruction, event->cycle + 1);
        count->last[sm][slot] = event->instruction;
    } else {
        be_at(count, sm, slot, count->last[sm][slot], event->cycle);
    }
}

static guint64 most_cycles(const Count *count, guint32 region, guint64 *ret_sum)
{
    guint64 most = 0;

    *ret_sum = 0;
    for (guint sm = 0; sm < SMS; sm++) {
        guint64 cycles = 0;

        for (guint i = 0; i < MOST_CYCLES; i++)
            cycles += count->inside[region][sm][i];
        most = MAX(most, cycles);
        *ret_sum += cycles;
    }
    return most;
}

/* ---- figures ------------------------------------------------------------------------------------
 */

static Engine *random_engine(guint64 seed)
{
    static const char *const models[] = {"divergence.model=its", "divergence.model=stack"};
    const char *settings[] = {"sms=2", models[seed % 2], NULL};
    guint threads = 40 + 24 * (guint)(seed % 5), blocks = 3 + (guint)(seed % 4);
    g_autofree char *text = random_kernel(seed, threads, blocks);

    return engine_new("h200", settings, text, blocks, threads,
                      threads * blocks * RANDOM_KERNEL_WORDS);
}

static guint32 last_line(const WsProgram *program)
{
    guint32 last = 1;

    for (guint32 i = 0; i < program->instruction_count; i++) {
        guint32 file, line;

        ws_line_of_instruction(program, i, &file, &line);
        last = MAX(last, line);
    }
    return last;
}

/* Some parts of the program, which overlap, and all of it. */
static void add_regions(WsJob *job, guint64 seed)
{
    guint32 lines = last_line(job->program);
    g_autofree char *all = g_strdup_printf("all=1-%u", lines);

    ck_assert(ws_job_add_region(job, "--lines", all, NULL));
    for (guint i = 1; job->region_count < REGIONS && i < 100; i++) {
        guint32 from = 1 + (guint32)(ws_split_mix(seed, 2 * i) % lines);
        guint32 to = MIN(from + (guint32)(ws_split_mix(seed, 2 * i + 1) % 12), lines);
        g_autofree char *text = g_strdup_printf("r%u=%u-%u", i, from, to);

        ws_job_add_region(job, "--lines", text, NULL); /* some lines have no instructions */
    }
}

START_TEST(figures_are_those_of_a_count_by_cycle)
{
    guint64 seed = (guint64)_i;
    Engine *e = random_engine(seed);
    g_autofree Count *count = g_new0(Count, 1);
    const WsObserver observer = {.data = count,
                                 .kinds = WS_TRACE_BIT(BLOCK_BEGIN) | WS_TRACE_BIT(WARP_BEGIN) |
                                          WS_TRACE_BIT(ISSUE) | WS_TRACE_BIT(WARP_END),
                                 .event = note};
    const WsObserver *observers[] = {&observer, NULL};
    g_autoptr(WsResult) result = NULL;
    const WsCounters *total;

    add_regions(e->job, seed);
    count->job = e->job;
    e->options.observers = observers;
    result = ws_simulation_run(e->job, &e->options, NULL);
    ck_assert_int_eq(result->status, WS_STATUS_OK);
    total = &result->total;
    for (guint32 i = 0; i < e->job->region_count; i++) {
        const WsRegionResult *region = &result->regions[i];
        guint64 sum, most = most_cycles(count, i, &sum), stalls = 0;

        for (guint k = 0; k < WS_STALL_COUNT; k++)
            stalls += region->counters.stalls[k];
        ck_assert_uint_eq(region->warp_cycles, stalls);
        ck_assert_uint_eq(region->warp_cycles, count->warp_cycles[i]);
        ck_assert_uint_eq(region->cycles, most);
        ck_assert_uint_eq(region->active_sm_cycles, sum);
    }
    ck_assert_uint_eq(result->regions[0].warp_cycles, total->warp_cycles);
    ck_assert_uint_eq(result->regions[0].cycles, total->cycles);
    ck_assert_uint_eq(result->regions[0].active_sm_cycles, total->active_sm_cycles);
    ck_assert_uint_eq(result->regions[0].counters.issued, total->warp_instructions);
    ck_assert_uint_eq(result->regions[0].counters.lanes, total->thread_instructions);
    engine_free(e);
}
END_TEST

/* The number of host threads shows nowhere, nor does it change the run that regions are asked for.
 */
/*
 * A warp sleeps in a region which another one enters and leaves more often than spans are kept:
 * cycles are counted once.
 */
START_TEST(a_long_stay_covers_short_ones)
{
    Engine *e = engine_new("textbook", (const char *const[]){"sms=1", NULL},
                           "S2R R0, SR_TID.X ;\nMOV R1, 6000 ;\nISETP.LT P0, R0, 32 ;\n"
                           "@P0 BRA sleep ;\nloop: IADD3 R1, R1, -1, RZ ;\n"
                           "ISETP.GT P1, R1, RZ ;\n@P1 BRA loop ;\nEXIT ;\n"
                           "sleep: NANOSLEEP 400000 ;\nNOP ;\nEXIT ;\n",
                           1, 64, 1);
    const guint32 loop = engine_label(e, "loop"), nop = engine_label(e, "sleep") + 1;
    const guint32 first =
        e->job->program->locations[e->job->program->instructions[loop].location].line;
    const guint32 last =
        e->job->program->locations[e->job->program->instructions[nop].location].line;
    g_autofree char *lines = g_strdup_printf("both=%u,%u", first, last);

    ck_assert(ws_job_add_region(e->job, "--lines", lines, NULL));
    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    guint64 total = e->result->launches[0].counters.cycles;
    guint64 slept = engine_issue_cycle(e, 0, 5) - engine_issue_cycle(e, 0, 4);
    ck_assert_uint_gt(slept, 6000 * 3);
    ck_assert_uint_ge(e->result->regions[0].cycles, slept);
    ck_assert_uint_le(e->result->regions[0].cycles, total);
    engine_free(e);
}
END_TEST

START_TEST(threads_do_not_show)
{
    WsResult *results[2];
    guint64 cycles;
    Engine *e;

    for (guint i = 0; i < 2; i++) {
        e = random_engine(7);
        add_regions(e->job, 7);
        e->options.observers = NULL;
        e->options.threads = i == 0 ? 1 : 3;
        results[i] = ws_simulation_run(e->job, &e->options, NULL);
        if (i == 0)
            engine_free(e);
    }
    ck_assert_mem_eq(results[0]->regions, results[1]->regions,
                     e->job->region_count * sizeof(WsRegionResult));
    cycles = results[0]->total.cycles;
    ws_result_free(results[0]);
    ws_result_free(results[1]);
    engine_free(e);
    e = random_engine(7);
    ck_assert_uint_eq(engine_run(e)->total.cycles, cycles);
    ck_assert_ptr_null(e->result->regions);
    engine_free(e);
}
END_TEST

/* ---- marks --------------------------------------------------------------------------------------
 */

/* The job's source is `text`; NULL, or what is wrong with its marks. */
static char *problem_of(WsJob *job, const char *text)
{
    guint files = g_strv_length(job->program->files);
    g_autoptr(GError) error = NULL;

    g_strfreev(job->sources);
    job->sources = g_new0(char *, files + 1);
    for (guint i = 0; i < files; i++)
        job->sources[i] = g_strdup(i + 1 == files ? text : "");
    ws_code_regions_free(job->regions, job->region_count);
    job->regions = NULL;
    job->region_count = 0;
    return ws_job_find_regions(job, &error) ? NULL : g_strdup(error->message);
}

/* "name from-to from-to, name ..." */
static char *regions_text(const WsJob *job)
{
    GString *text = g_string_new(NULL);

    for (guint32 i = 0; i < job->region_count; i++) {
        g_string_append_printf(text, "%s%s", i == 0 ? "" : ", ", job->regions[i].name);
        for (guint k = 0; k < job->regions[i].ranges->len; k++) {
            const WsLineRange *range = &g_array_index(job->regions[i].ranges, WsLineRange, k);

            g_string_append_printf(text, " %u-%u", range->from, range->to);
        }
    }
    return g_string_free(text, FALSE);
}

#define BEGIN(name) "// warpstep: region " name "\n"
#define END         "// warpstep: end\n"

static const struct {
    const char *source, *regions;
} good[] = {
    {"a\n" BEGIN("x") "b\nc\n" END "d\n", "x 3-4"},
    {BEGIN("x") "b\n" END BEGIN("y") END "d\n", "x 2-2, y"},
    {BEGIN("x") "b\n" END "c\n" BEGIN("x") "d\n" END, "x 2-2 6-6"},
    {BEGIN("x") "b\n" BEGIN("y") "c\n" END "d\n" END, "x 2-6, y 4-4"},
    {BEGIN("x") "b\n" BEGIN("y") "c\n// warpstep: end x\nd\n" END, "x 2-4, y 4-6"},
    {"\t  //warpstep:region  x_1 \r\nb\r\n  // warpstep:  end\r\n", "x_1 2-2"},
    {"text; // warpstep: region x\n\"// warpstep: end\"\n", ""},
};

START_TEST(marks_make_regions)
{
    Engine *e = random_engine(1);
    g_autofree char *problem = problem_of(e->job, good[_i].source);
    g_autofree char *regions = regions_text(e->job);

    ck_assert_ptr_null(problem);
    ck_assert_str_eq(regions, good[_i].regions);
    engine_free(e);
}
END_TEST

static const struct {
    const char *source, *problem;
} bad[] = {
    {"a\n" BEGIN("x") "b\n", ":2: error: this region has no end"},
    {"a\nb\n" END, ":3: error: no region begins before this end"},
    {BEGIN("x") "// warpstep: end y\n" END, ":2: error: no region begins before this end"},
    {BEGIN("x y"), ":1: error: '// warpstep: region NAME' or '// warpstep: end' is expected"},
    {BEGIN(""), ":1: error: '// warpstep: region NAME' or '// warpstep: end' is expected"},
    {BEGIN("1x") END, ":1: error: '// warpstep: region NAME' is expected, with a name"},
    {"// warpstep: stop\n", ":1: error: '// warpstep: region NAME' or"},
};

START_TEST(wrong_marks_are_told)
{
    Engine *e = random_engine(1);
    g_autofree char *problem = problem_of(e->job, bad[_i].source);

    ck_assert_ptr_nonnull(problem);
    ck_assert_msg(strstr(problem, bad[_i].problem) != NULL, "%s", problem);
    engine_free(e);
}
END_TEST

/* ---- inlined functions --------------------------------------------------------------------------
 */

#define MODULE                                                                                     \
    ".version 7.8\n.target sm_90\n.address_size 64\n.file 1 \"a.cu\"\n.file 2 \"f.cuh\"\n"         \
    ".visible .entry k(.param .u64 x)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<3>;\n"                   \
    ".loc 1 4 1\nmov.u32 %r1, %tid.x;\n"                                                           \
    ".loc 2 30 1, function_name $L__info_string0, inlined_at 1 5 3\nmul.lo.s32 %r2, %r1, %r1;\n"   \
    ".loc 1 7 1\nld.param.u64 %rd1, [x];\ncvta.to.global.u64 %rd2, %rd1;\n"                        \
    "st.global.u32 [%rd2], %r2;\nret;\n}\n"

/* The instruction belongs to the function's line and to that of the call. */
START_TEST(inlined_instructions_belong_to_both)
{
    Engine *e = engine_new("h200", NULL, MODULE, 1, 32, 32);
    const WsCodeRegion *regions;

    ck_assert(ws_job_add_region(e->job, "--lines", "call=a.cu:5", NULL));
    ck_assert(ws_job_add_region(e->job, "--lines", "function=f.cuh:30", NULL));
    ck_assert(ws_job_add_region(e->job, "--lines", "store=a.cu:6-9", NULL));
    ck_assert(!ws_job_add_region(e->job, "--lines", "none=f.cuh:5", NULL));
    ck_assert_uint_eq(e->job->region_count, 3);
    regions = e->job->regions;
    ck_assert_uint_gt(regions[0].instruction_count, 0);
    ck_assert_mem_eq(regions[0].holds, regions[1].holds, e->job->program->instruction_count);
    for (guint32 i = 0; i < e->job->program->instruction_count; i++)
        ck_assert(!regions[0].holds[i] || !regions[2].holds[i]);
    engine_free(e);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, figures_are_those_of_a_count_by_cycle, 0, 12);
    tcase_add_test(cases, a_long_stay_covers_short_ones);
    tcase_add_test(cases, threads_do_not_show);
    tcase_add_test(cases, inlined_instructions_belong_to_both);
    tcase_add_loop_test(cases, marks_make_regions, 0, G_N_ELEMENTS(good));
    tcase_add_loop_test(cases, wrong_marks_are_told, 0, G_N_ELEMENTS(bad));
}

int main(void)
{
    return run_suite("regions", add_tests);
}
