/* The sentence that each ready study makes of the rows of a curve, case by case. */

#include "study/preset/preset.h"
#include "tests/support/golden_text.h"
#include "tests/support/suite.h"
#include "tests/support/table_of_text.h"

typedef char *(*Answer)(const WsTable *table, const GPtrArray *rows, const WsJob *job,
                        const char *now);

#define FASTEST ws_preset_answer_fastest
#define WARPS                                                                                      \
    "limits.warps_per_sm,status,ipc,warp_cycles,stall_not_selected,warp_instructions,"             \
    "active_sm_cycles,stall_math_pipe_throttle,stall_mio_throttle,stall_lg_throttle\n"
#define CLIFF  "maxreg,status,cycles,registers_per_thread,blocks_per_sm\n"
#define SHARED "shared,status,cycles,blocks_per_sm\n"
#define SIZES  "warp_size,status,cycles,lane_efficiency,warp_instructions,occupancy_achieved\n"
#define SIDES  "side,status,cycles,lane_efficiency,warps_diverged\n"

static const struct {
    const char *what;
    Answer answer;
    const char *now; /* or NULL */
    const char *csv;
} cases[] = {
    {"no row is good", FASTEST, NULL, "n,status,cycles\n1,error,\n2,limit,5\n"},
    {"one value", FASTEST, NULL, "n,status,cycles\n1,ok,70\n2,fault,5\n"},
    {"one per cent is no difference", FASTEST, NULL, "n,status,cycles\n1,ok,1000\n2,ok,1010\n"},
    {"the same", FASTEST, NULL, "n,status,cycles\n1,ok,1000\n2,ok,1000\n"},
    {"more is one", FASTEST, NULL, "n,status,cycles\n1,ok,1000\n2,ok,1011\n"},
    {"the present value is the fastest", FASTEST, "2",
     "n,status,cycles\n1,ok,300\n2,ok,100\n3,ok,200\n"},
    {"the present value is as fast as the fastest", FASTEST, "3",
     "n,status,cycles\n1,ok,300\n2,ok,100\n3,ok,100\n"},
    {"the present value is between", FASTEST, "3",
     "n,status,cycles\n1,ok,300\n2,ok,100\n3,ok,200\n"},
    {"the present value is the slowest", FASTEST, "1",
     "n,status,cycles\n1,ok,300\n2,ok,100\n3,ok,200\n"},
    {"the first of equal ones", FASTEST, NULL,
     "n,status,cycles\n1,ok,300\n2,ok,100\n3,ok,300\n4,ok,100\n"},
    {"a wrong row is not the fastest", FASTEST, "1",
     "n,status,cycles\n1,ok,300\n2,check_failed,1\n3,ok,200\n"},

    {"results differ", ws_preset_answer_block, NULL,
     "block,status,cycles,checks,results\n32,ok,100,0,a\n64,ok,200,0,b\n"},
    {"results are the same", ws_preset_answer_block, NULL,
     "block,status,cycles,checks,results\n32,ok,100,0,a\n64,ok,200,0,a\n"},
    {"results that were checked are right", ws_preset_answer_block, NULL,
     "block,status,cycles,checks,results\n32,ok,100,1,a\n64,ok,200,1,b\n"},
    {"results of wrong rows do not count", ws_preset_answer_block, NULL,
     "block,status,cycles,checks,results\n32,ok,100,0,a\n64,fault,200,0,b\n96,ok,120,0,a\n"},

    {"nothing to vary", ws_preset_answer_registers, "255",
     "maxreg,status,cycles,registers_per_thread\n255,ok,100,14\n"},
    {"no limit helps", ws_preset_answer_registers, "255",
     "maxreg,status,cycles,registers_per_thread\n32,ok,150,32\n255,ok,100,40\n"},
    {"a limit helps", ws_preset_answer_registers, "255",
     "maxreg,status,cycles,registers_per_thread\n32,ok,80,32\n255,ok,100,40\n"},
    {"limits make no difference", ws_preset_answer_registers, "255",
     "maxreg,status,cycles,registers_per_thread\n32,ok,100,32\n255,ok,101,40\n"},

    {"the largest step", ws_preset_answer_cliff, NULL,
     CLIFF "32,ok,100,32,8\n40,ok,120,40,6\n48,ok,240,48,4\n56,ok,260,56,4\n"},
    {"no step", ws_preset_answer_cliff, NULL, CLIFF "32,ok,100,32,8\n40,ok,101,40,6\n"},
    {"a step down is none", ws_preset_answer_cliff, NULL,
     CLIFF "32,ok,300,32,8\n40,ok,200,40,6\n48,ok,100,48,4\n"},
    {"no step over a wrong row", ws_preset_answer_cliff, NULL,
     CLIFF "32,ok,100,32,8\n40,fault,500,40,6\n48,ok,120,48,4\n56,ok,150,56,3\n"},

    {"up and down without a present value", ws_preset_answer_trend, NULL,
     "n,status,cycles\n1,ok,100\n2,ok,50\n3,ok,300\n"},
    {"the ends beside the present value", ws_preset_answer_trend, "2",
     "n,status,cycles\n1,ok,100\n2,ok,200\n3,ok,300\n"},
    {"the present value is an end", ws_preset_answer_trend, "1",
     "n,status,cycles\n1,ok,100\n2,ok,90\n3,ok,300\n"},
    {"the other end", ws_preset_answer_trend, "3", "n,status,cycles\n1,ok,100\n3,ok,300\n"},

    {"as slow and as fast", ws_preset_answer_latency, "2",
     "latency,status,cycles\n1,ok,50\n2,ok,100\n8,ok,300\n"},
    {"the present value is an end of latencies", ws_preset_answer_latency, "1",
     "latency,status,cycles\n1,ok,50\n2,ok,100\n8,ok,300\n"},
    {"latency makes no difference", ws_preset_answer_latency, "2",
     "latency,status,cycles\n1,ok,100\n2,ok,100\n8,ok,101\n"},

    {"it costs little", ws_preset_answer_shared, NULL,
     SHARED "1024,ok,100,8\n2048,ok,103,4\n4096,ok,105,2\n"},
    {"it costs from somewhere on", ws_preset_answer_shared, NULL,
     SHARED "1024,ok,100,8\n2048,ok,103,4\n4096,ok,200,2\n"},
    {"it costs at once", ws_preset_answer_shared, NULL,
     SHARED "1024,ok,100,8\n2048,ok,150,4\n4096,ok,200,2\n"},

    {"warps of two sizes", ws_preset_answer_warp_size, "32",
     SIZES "8,ok,200,0.9,400,0.9\n32,ok,100,0.6,100,0.9\n"},
    {"almost empty", ws_preset_answer_warp_size, "32",
     SIZES "8,ok,200,0.9,400,0.9\n32,ok,100,0.6,100,0.1\n"},
    {"one size", ws_preset_answer_warp_size, "32", SIZES "32,ok,100,0.6,100,0.1\n"},

    {"lanes diverge", ws_preset_answer_divergence, NULL,
     SIDES "0,ok,100,1,0\n16,ok,200,0.55,4\n32,ok,110,0.95,2\n"},
    {"no warp diverges", ws_preset_answer_divergence, NULL,
     SIDES "0,ok,100,1,0\n16,ok,200,1,0\n32,ok,110,1,0\n"},
    {"sides make no difference", ws_preset_answer_divergence, NULL,
     SIDES "0,ok,100,1,0\n16,ok,100,1,0\n32,ok,100,1,0\n"},
    {"no side ran", ws_preset_answer_divergence, NULL, SIDES "0,fault,100,1,0\n"},

    {"the knee", ws_preset_answer_warps, NULL,
     WARPS "1,ok,0.25,400,0,100,400,2,3,4\n4,ok,0.96,420,20,100,105,2,3,4\n8,ok,1,800,300,100,100,"
           "2,3,4\n"},
    {"never enough", ws_preset_answer_warps, NULL,
     WARPS "1,ok,0.25,400,0,100,400,2,3,4\n2,ok,0.5,400,0,100,200,2,3,4\n4,ok,0.9,420,20,100,110,2,"
           "3,4\n"},
    {"no difference", ws_preset_answer_warps, NULL,
     WARPS "1,ok,0.995,101,0,100,101,2,3,4\n2,ok,1,200,100,100,100,2,3,4\n"},
    {"starving behind the knee", ws_preset_answer_warps, NULL,
     WARPS
     "1,ok,0.5,400,0,100,400,2,3,4\n2,ok,1,400,0,100,200,2,3,4\n4,ok,0.7,420,20,100,110,2,3,4\n"
     "8,ok,0.9,420,20,100,110,2,3,4\n"},
    {"a wrong row is no knee", ws_preset_answer_warps, NULL,
     WARPS
     "1,fault,2,400,0,100,400,2,3,4\n2,ok,0.5,400,0,100,200,2,3,4\n4,ok,1,420,20,100,110,2,3,4\n"
     "8,ok,0.99,420,20,100,110,2,3,4\n"},
    {"no warps ran", ws_preset_answer_warps, NULL, WARPS "1,fault,2,400,0,100,400,2,3,4\n"},
};

START_TEST(answers)
{
    g_autofree char *path =
        g_build_filename(g_getenv("WS_TEST_SOURCES"), "tests/data/rooms/two_sides.yaml", NULL);
    g_autoptr(WsJob) job = ws_job_load(path, &(WsJobOptions){0}, NULL);
    g_autoptr(GString) out = g_string_new(NULL);

    job->device->sms = 2;
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(WsTable) table = table_of_text(cases[i].csv);
        g_autofree char *answer = cases[i].answer(table, table->rows, job, cases[i].now);
        g_string_append_printf(out, "%s:\n  %s\n", cases[i].what, answer);
    }
    golden_text_check("answers.txt", out->str);
}
END_TEST

/* A machine of one SM is what one looks at: it may be empty. */
START_TEST(one_sm)
{
    g_autofree char *path =
        g_build_filename(g_getenv("WS_TEST_SOURCES"), "tests/data/rooms/two_sides.yaml", NULL);
    g_autoptr(WsJob) job = ws_job_load(path, &(WsJobOptions){0}, NULL);
    g_autoptr(WsTable) table = table_of_text(SIZES "8,ok,200,0.9,400,0.9\n32,ok,100,0.6,100,0.1\n");

    job->device->sms = 1;
    g_autofree char *answer = ws_preset_answer_warp_size(table, table->rows, job, "32");
    ck_assert_ptr_null(strstr(answer, "almost empty"));
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, answers);
    tcase_add_test(tests, one_sm);
}

int main(void)
{
    return run_suite("answers", add_tests);
}
