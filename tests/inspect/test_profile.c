/* Profiles of Nsight Compute: numbers and units, pages, names, and metrics beside a run. */
#include <check.h>
#include <math.h>
#include <string.h>

#include "inspect/profile/launch_match.h"
#include "inspect/profile/measured_value.h"
#include "inspect/profile/profile_comparison.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/suite.h"

/* ---- values -------------------------------------------------------------------------------------
 */

static const struct {
    const char *text;
    WsValueKind kind;
    double value;
} numbers[] = {
    {"0", WS_VALUE_NUMBER, 0},
    {"12.5", WS_VALUE_NUMBER, 12.5},
    {"-3", WS_VALUE_NUMBER, -3},
    {"1,234", WS_VALUE_NUMBER, 1234},
    {"1,234,567.25", WS_VALUE_NUMBER, 1234567.25},
    {"1.5e+06", WS_VALUE_NUMBER, 1.5e6},
    {" 7 ", WS_VALUE_NUMBER, 7},
    {".5", WS_VALUE_NUMBER, 0.5},
    {"1,024 (512; 512)", WS_VALUE_NUMBER, 1024},
    {"", WS_VALUE_NONE, 0},
    {"n/a", WS_VALUE_NONE, 0},
    {"(!) nan", WS_VALUE_NONE, 0},
    {"nan", WS_VALUE_NONE, 0},
    {"no data", WS_VALUE_NONE, 0},
    {"1,23", WS_VALUE_BAD, 0},     /* a decimal comma, maybe */
    {"1.234,5", WS_VALUE_BAD, 0},  /* one for certain */
    {"1234,567", WS_VALUE_BAD, 0}, /* no groups of three */
    {"1,,234", WS_VALUE_BAD, 0},
    {"1 234", WS_VALUE_BAD, 0},
    {"1.2.3", WS_VALUE_BAD, 0},
    {"1e", WS_VALUE_BAD, 0},
    {"-", WS_VALUE_NONE, 0},
    {"0x10", WS_VALUE_BAD, 0},
    {"vecadd", WS_VALUE_BAD, 0},
};

START_TEST(a_number)
{
    double value = 0;

    ck_assert_int_eq(ws_measured_number(numbers[_i].text, &value), numbers[_i].kind);
    if (numbers[_i].kind == WS_VALUE_NUMBER)
        ck_assert_double_eq(value, numbers[_i].value);
}
END_TEST

static const struct {
    const char *unit;
    double factor;
    const char *base; /* NULL: not known */
} measures[] = {
    {"", 1, ""},
    {"%", 1, "%"},
    {"byte", 1, "byte"},
    {"Kbyte", 1e3, "byte"},
    {"Mbyte", 1e6, "byte"},
    {"Kibyte", 1024, "byte"},
    {"Gbyte/s", 1e9, "byte/second"},
    {"Gbyte/second", 1e9, "byte/second"},
    {"byte/nsecond", 1e9, "byte/second"},
    {"usecond", 1e-6, "second"},
    {"us", 1e-6, "second"},
    {"ns", 1e-9, "second"},
    {"ms", 1e-3, "second"},
    {"msecond", 1e-3, "second"},
    {"s", 1, "second"},
    {"Ghz", 1e9, "cycle/second"},
    {"Mhz", 1e6, "cycle/second"},
    {"cycle/nsecond", 1e9, "cycle/second"},
    {"inst/cycle", 1, "inst/cycle"},
    {"Kbyte/block", 1e3, "byte/block"},
    {"register/thread", 1, "register/thread"},
    {"sector/request", 1, "sector/request"},
    {"parsec", 0, NULL},
    {"byte/parsec", 0, NULL},
    {"K", 0, NULL},
};

START_TEST(a_unit)
{
    g_autofree char *base = NULL;
    double factor;
    gboolean known = ws_measured_unit(measures[_i].unit, &factor, &base);

    ck_assert_int_eq(known, measures[_i].base != NULL);
    if (known) {
        ck_assert_double_eq_tol(factor / measures[_i].factor, 1, 1e-12);
        ck_assert_str_eq(base, measures[_i].base);
    }
}
END_TEST

/* ---- pages --------------------------------------------------------------------------------------
 */

#define HEAD    "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"CC\""
#define RAW     HEAD ",\"smsp__inst_executed.sum\",\"gpu__time_duration.sum\"\n"
#define UNITS   "\"\",\"\",\"\",\"\",\"\",\"inst\",\"us\"\n"
#define DETAILS HEAD ",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\""
#define ROW(id, kernel, count)                                                                     \
    "\"" id "\",\"" kernel "\",\"(32, 1, 1)\",\"(2, 1, 1)\",\"9.0\",\"" count "\",\"4.5\"\n"

static WsMeasuredProfile *read_text(const char *text, GError **error)
{
    WsMeasuredProfile *profile = ws_measured_profile_new();

    if (ws_measured_profile_add(profile, "p.csv", 1, text, strlen(text), error))
        return profile;
    ws_measured_profile_free(profile);
    return NULL;
}

/* What is wrong, and where. */
static const struct {
    const char *text, *message;
} bad_pages[] = {
    {"", "p.csv:1: error: no page of Nsight Compute begins in this file"},
    {"a,b\n1,2\n", "p.csv:1: error: no page of Nsight Compute begins in this file"},
    {"==ERROR== ERR_NVGPUCTRPERM\n", "p.csv: error: Nsight Compute measured nothing"},
    {"\"ID\";\"Kernel Name\"\n", "p.csv:1: error: the separator is not a comma"},
    {"\"ID\",\"Name\"\n", "p.csv:1: error: this is no page of Nsight Compute"},
    {RAW, "p.csv:1: error: the file is cut off: a row of units is expected below the header"},
    {RAW ROW("0", "k", "7"), "p.csv:2: error: a row of units is expected here"},
    {RAW UNITS, "p.csv: error: the page has no launch"},
    {RAW UNITS "\"0\",\"k\",\"(32,", "p.csv:3: error: the file is cut off: a quote of this line"},
    {RAW UNITS "\"0\",\"k\"",
     "p.csv:3: error: 2 cells, where the header has 7: the file is cut off"},
    {RAW UNITS "\"0\",\"k\"\n", "p.csv:3: error: 2 cells, where the header has 7"},
    {RAW UNITS "\"0\"x,\"k\"\n", "p.csv:3: error: a comma or the end of the line is expected"},
    {RAW UNITS "\xff\n", "p.csv:3: error: this is no text in UTF-8"},
    {DETAILS "\n\"0\",\"k\",\"\",\"\",\"\",\"S\",\"M\",\"u\"\n",
     "p.csv:2: error: 8 cells, where the value is in cell 9: the file is cut off"},
    {HEAD ",\"Metric Name\"\n", "p.csv:1: error: the header has no column \"Metric Value\""},
    {"\"Kernel Name\",\"k\"\n1,2\n", "p.csv:2: error: a header with a column \"Source\""},
    {"\"File Name\",\"k.cu\"\n\"Line No\",\"Source\"\n\"1\",\"a\"\n",
     "p.csv:1: error: this source page has no figures"},
    {"\"Kernel Name\",\"k\"\n\"Address\",\"Source\",\"# Samples\"\n\"0x10\",\" NOP\",\"x\"\n",
     "p.csv:3: error: cell 3: 'x' is no number"},
};

START_TEST(a_bad_page)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(WsMeasuredProfile) profile = read_text(bad_pages[_i].text, &error);

    ck_assert_ptr_null(profile);
    ck_assert_msg(g_str_has_prefix(error->message, bad_pages[_i].message), "%s", error->message);
    ck_assert_int_eq(error->code, WS_ERROR_INPUT);
}
END_TEST

START_TEST(a_raw_page)
{
    g_autoptr(WsMeasuredProfile) profile =
        read_text("hello from the program\n==PROF== Connected\n" RAW UNITS ROW(
                      "0", "k(int, \"\"a)",
                      "1,000") "==PROF== Disconnected\n" ROW("1", "k(int, \"\"a)", "n/a"),
                  NULL);
    const WsMeasuredLaunch *launch;
    const WsMeasuredValue *value;

    ck_assert_ptr_nonnull(profile);
    ck_assert_uint_eq(profile->launches->len, 2);
    launch = ws_measured_launch(profile, 1);
    ck_assert_str_eq(launch->id, "1");
    ck_assert_str_eq(launch->kernel, "k(int, \"a)");
    ck_assert_str_eq(launch->capability, "9.0");
    ck_assert_uint_eq(launch->grid[0], 2);
    ck_assert_uint_eq(launch->block[0], 32);
    ck_assert_uint_eq(launch->values->len, 2);
    value = &g_array_index(launch->values, WsMeasuredValue, 1);
    ck_assert_str_eq(value->name, "gpu__time_duration.sum");
    ck_assert_str_eq(value->unit, "us");
    ck_assert_uint_eq(value->line, 7);
}
END_TEST

/* Rows of rules are wider, and hold ends of lines. Windows ends lines in two characters. */
START_TEST(a_details_page)
{
    g_autoptr(WsMeasuredProfile) profile = read_text(
        "\xef\xbb\xbf" DETAILS ",\"Rule Name\"\r\n"
        "\"0\",\"k\",\"(32, 1, 1)\",\"(2, 1, 1)\",\"9.0\",\"S\",\"Duration\",\"us\",\"4.5\",\r\n"
        "\"0\",\"k\",\"(32, 1, 1)\",\"(2, 1, 1)\",\"9.0\",\"S\",\"\",\"\",\"\",\"two\r\nlines\"\r\n"
        "\"0\",\"k\",\"(32, 1, 1)\",\"(2, 1, 1)\",\"9.0\",\"S\",\"Threads\",\"\",\"64\"",
        NULL);
    const WsMeasuredLaunch *launch;

    ck_assert_ptr_nonnull(profile);
    ck_assert_uint_eq(profile->launches->len, 1);
    launch = ws_measured_launch(profile, 0);
    ck_assert_uint_eq(launch->rules, 1);
    ck_assert_uint_eq(launch->values->len, 2);
    ck_assert_str_eq(g_array_index(launch->values, WsMeasuredValue, 1).section, "S");
    ck_assert_uint_eq(g_array_index(launch->values, WsMeasuredValue, 1).line, 5);
}
END_TEST

/* Two files of one launch, and again the first of them: the next launch. */
START_TEST(a_source_page)
{
#define SECTION(path, line)                                                                        \
    "\"File Path\",\"" path "\"\n\"Function Name\",\"k(int)\"\n"                                   \
    "\"Line No\",\"Source\",\"Address\",\"Source\",\"# Samples\",\"Instructions "                  \
    "Executed\",\"stall_lg\"\n"                                                                    \
    "\"" line "\",\"x = 1;\",\"-\",\"-\",\"3\",\"20\",\"1\"\n"                                     \
    "\"\",\"\",\"0x" line "\",\"  @!P0 LDG.E R2, [R4]\",\"3\",\"20\",\"1\"\n"                      \
    "\"\",\"\",\"...\",\"...\",\"-\",\"-\",\"-\"\n"
    g_autoptr(WsMeasuredProfile) profile =
        read_text(SECTION("/a/h.cuh", "5") SECTION("/a/k.cu", "9") SECTION("/a/h.cuh", "5"), NULL);
    const WsMeasuredLaunch *launch;
    const WsMeasuredOpcode *opcode;

    ck_assert_ptr_nonnull(profile);
    ck_assert_uint_eq(profile->launches->len, 2);
    launch = ws_measured_launch(profile, 0);
    ck_assert_uint_eq(launch->lines->len, 2);
    ck_assert_str_eq(g_array_index(launch->lines, WsMeasuredLine, 1).file, "/a/k.cu");
    ck_assert_uint_eq(g_array_index(launch->lines, WsMeasuredLine, 1).line, 9);
    ck_assert_uint_eq(launch->opcodes->len, 1);
    opcode = &g_array_index(launch->opcodes, WsMeasuredOpcode, 0);
    ck_assert_str_eq(opcode->opcode, "LDG");
    ck_assert_double_eq(opcode->sums.figures[WS_SOURCE_INSTRUCTIONS], 40);
    ck_assert_double_eq(opcode->sums.stalls[WS_STALL_LG_THROTTLE], 2);
    ck_assert(isnan(opcode->sums.figures[WS_SOURCE_SECTORS]));
}
END_TEST

/* ---- names --------------------------------------------------------------------------------------
 */

static const struct {
    const char *mangled, *display, *measured;
    WsKernelLikeness likeness;
} kernels[] = {
    {"_Z5saxpyifPfS_", "saxpy", "saxpy", WS_LIKE_WHOLE},
    {"_Z5saxpyifPfS_", "saxpy", "_Z5saxpyifPfS_", WS_LIKE_WHOLE},
    {"_Z5saxpyifPfS_", "saxpy", "saxpy(int, float, float *, float *)", WS_LIKE_WHOLE},
    {"_Z5saxpyifPfS_", "saxpy", "saxpy(int, double *)", WS_LIKE_FUNCTION},
    {"_Z5saxpyifPfS_", "saxpy", "saxpy2(int, float, float *, float *)", WS_LIKE_NONE},
    {"_Z4axpyIfEvPT_i", "axpy<float>", "void axpy<float>(T1 *, int)", WS_LIKE_FUNCTION},
    {"_Z4axpyIfEvPT_i", "axpy<float>", "void axpy<double>(T1 *, int)", WS_LIKE_BASE},
    {"_Z4axpyIfEvPT_i", "axpy<float>", "axpy", WS_LIKE_BASE},
    {"_Z4tileILi16EEvPf", "tile<16>", "void tile<(int)16>(float *)", WS_LIKE_FUNCTION},
    {"_Z4tileILi16EEvPf", "tile<16>", "void tile<(int)32>(float *)", WS_LIKE_BASE},
    {"k", "k", "", WS_LIKE_NONE},
    {"k", "k", ")", WS_LIKE_NONE},
    {"k", "k", "k(void (*)(int))", WS_LIKE_FUNCTION},
};

START_TEST(a_kernel_name)
{
    ck_assert_int_eq(
        ws_kernel_likeness(kernels[_i].mangled, kernels[_i].display, kernels[_i].measured),
        kernels[_i].likeness);
}
END_TEST

static WsLaunchIdentity identity_of(char *name, guint32 grid)
{
    return (WsLaunchIdentity){name, name, {grid, 1, 1}, {32, 1, 1}};
}

#define SHAPED(id, kernel, grid)                                                                   \
    "\"" id "\",\"" kernel "\",\"(32, 1, 1)\",\"(" grid ", 1, 1)\",\"9.0\",\"1\",\"1\"\n"

START_TEST(launches_match_in_order)
{
    char a[] = "a", b[] = "b", c[] = "c";
    g_autoptr(WsMeasuredProfile) profile =
        read_text(RAW UNITS SHAPED("0", "a(int)", "4") SHAPED("3", "b", "1")
                      SHAPED("5", "a(int)", "2") SHAPED("6", "a(int)", "4"),
                  NULL);
    WsLaunchIdentity all[] = {identity_of(a, 2), identity_of(a, 4), identity_of(c, 1),
                              identity_of(a, 9), identity_of(b, 7), identity_of(b, 1)};
    static const gint expected[] = {2, 0, -1, 3, 1, -1};
    g_autoptr(GError) error = NULL;
    g_autofree gint *places = ws_match_launches(profile, all, G_N_ELEMENTS(all), NULL, NULL);

    for (guint i = 0; i < G_N_ELEMENTS(all); i++)
        ck_assert_int_eq(places[i], expected[i]);
    g_autofree gint *by_id = ws_match_launches(profile, all, 2, "6", NULL);
    ck_assert_int_eq(by_id[0], -1);
    ck_assert_int_eq(by_id[1], 3);
    ck_assert_int_eq(ws_match_nth_launch(profile, &all[0], 3), 3);
    ck_assert_int_eq(ws_match_nth_launch(profile, &all[0], 4), -1);
    ck_assert_int_eq(ws_match_nth_launch(profile, &all[2], 1), -1);
    g_autofree gint *other = ws_match_launches(profile, &all[2], 1, "3", NULL);
    ck_assert_int_eq(other[0], 1);
    ck_assert_ptr_null(ws_match_launches(profile, &all[2], 1, NULL, &error));
    ck_assert_str_eq(error->message,
                     "error: the profile has no launch of 'c'; it has: 0 a(int), 3 b, 5 a(int), 6 "
                     "a(int); --launch-id compares with another kernel");
    g_clear_error(&error);
    ck_assert_ptr_null(ws_match_launches(profile, all, 2, "9", &error));
    ck_assert_int_eq(error->code, WS_ERROR_USAGE);
}
END_TEST

static const struct {
    const char *section, *label, *unit, *name;
} labels[] = {
    {"GPU Speed Of Light Throughput", "Duration", "us", "gpu__time_duration.sum"},
    {"GPU Speed Of Light Throughput", "Memory Throughput", "%",
     "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Memory Workload Analysis", "Memory Throughput", "Gbyte/s", "dram__bytes.sum.per_second"},
    {"", "sm__cycles_active.avg", "cycle", "sm__cycles_active.avg"},
    {"", "Duration (gpu__time_duration.sum)", "us", "gpu__time_duration.sum"},
    {"Launch Statistics", "Colour", "", NULL},
};

START_TEST(a_label)
{
    g_autofree char *name =
        ws_metric_of_label(labels[_i].section, labels[_i].label, labels[_i].unit);

    ck_assert_pstr_eq(name, labels[_i].name);
}
END_TEST

/* ---- beside a run -------------------------------------------------------------------------------
 */

typedef struct {
    Engine *engine;
    WsSimulatedLaunch *launch;
    WsMetricMap *map;
    const WsCounters *counters;
} Mapped;

static Mapped mapped_new(void)
{
    Mapped mapped = {engine_load("tests/data/rooms/two_sides.yaml", NULL, NULL), NULL, NULL, NULL};

    engine_run(mapped.engine);
    mapped.launch = ws_simulated_launch_new(mapped.engine->job, mapped.engine->result, 0);
    mapped.map = ws_metric_map_new(mapped.launch);
    mapped.counters = &mapped.engine->result->launches[0].counters;
    return mapped;
}

static void mapped_clear(Mapped *mapped)
{
    ws_metric_map_free(mapped->map);
    ws_simulated_launch_free(mapped->launch);
    engine_free(mapped->engine);
}

static void check_value(const Mapped *mapped, const char *metric, double value, const char *unit)
{
    WsMappedMetric found;

    ws_metric_map_find(mapped->map, metric, &found);
    ck_assert_msg(found.status == WS_METRIC_MAPPED, "%s: %s", metric, found.why);
    ck_assert_msg(fabs(found.simulated - value) <= 1e-9 * fabs(value), "%s: %g, not %g", metric,
                  found.simulated, value);
    ck_assert_str_eq(found.unit, unit);
}

START_TEST(forms_of_metrics)
{
    Mapped mapped = mapped_new();
    const WsCounters *c = mapped.counters;
    const WsDevice *device = mapped.engine->job->device;
    double issued = (double)c->warp_instructions, sms = (double)device->sms;
    double cores = (double)device->sub_cores, elapsed = (double)c->elapsed_cycles;
    double active = (double)c->active_sm_cycles / sms;
    double seconds = elapsed / (double)device->clock_khz / 1000;

    ck_assert_double_gt(issued, 0);
    check_value(&mapped, "smsp__inst_executed.sum", issued, "inst");
    check_value(&mapped, "smsp__inst_executed.avg", issued / sms / cores, "inst");
    check_value(&mapped, "smsp__inst_executed.sum.per_second", issued / seconds, "inst/second");
    check_value(&mapped, "sm__inst_executed.avg.per_cycle_active", issued / sms / active,
                "inst/cycle");
    check_value(&mapped, "sm__inst_executed.avg.per_cycle_elapsed", issued / sms / elapsed,
                "inst/cycle");
    check_value(&mapped, "smsp__issue_active.avg.pct_of_peak_sustained_active",
                100 * issued / sms / cores / active, "%");
    check_value(&mapped, "smsp__issue_active.sum.pct_of_peak_sustained_active",
                100 * issued / sms / cores / active, "%");
    check_value(&mapped, "sm__cycles_active.max", (double)c->cycles, "cycle");
    check_value(&mapped, "gpc__cycles_elapsed.avg.per_second", elapsed / seconds, "cycle/second");
    check_value(&mapped, "gpu__time_duration.sum", seconds, "second");
    check_value(&mapped, "smsp__warps_active.avg.peak_sustained",
                (double)device->max_warps_per_sm / cores, "warp/cycle");
    check_value(&mapped, "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio",
                (double)c->stalls[WS_STALL_WAIT] / issued, "cycle");
    check_value(&mapped, "smsp__warp_issue_stalled_wait_per_warp_active.pct",
                100 * (double)c->stalls[WS_STALL_WAIT] / (double)c->warp_cycles, "%");
    check_value(&mapped, "smsp__sass_average_branch_targets_threads_uniform.pct",
                100 * (1 - (double)c->branches_divergent / (double)c->branches_executed), "%");
    check_value(&mapped, "smsp__thread_inst_executed_per_inst_executed.pct",
                100 * (double)c->thread_instructions / issued / (double)device->warp_size, "%");
    check_value(&mapped, "smsp__thread_inst_executed_per_inst_executed.max_rate",
                (double)device->warp_size, "");
    check_value(&mapped, "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum",
                32 * (double)c->global_load_sectors, "byte");
    check_value(&mapped, "launch__block_size", mapped.launch->launch->block[0], "thread");
    mapped_clear(&mapped);
}
END_TEST

static const struct {
    const char *metric;
    WsMetricStatus status;
} others[] = {
    {"sm__cycles_active.min", WS_METRIC_NO_COUNTERPART},
    {"smsp__inst_executed.max", WS_METRIC_NO_COUNTERPART},
    {"smsp__inst_executed.sum.per_fortnight", WS_METRIC_NO_COUNTERPART},
    {"gpc__cycles_elapsed.sum", WS_METRIC_NO_COUNTERPART}, /* how many GPCs? */
    {"dram__bytes_read.avg", WS_METRIC_NO_COUNTERPART},
    {"lts__t_sectors.sum.per_cycle_elapsed", WS_METRIC_NO_COUNTERPART},
    {"sm__warps_active.avg.peak_sustained_fortnight", WS_METRIC_NO_COUNTERPART},
    {"l1tex__t_sector_hit_rate.max_rate", WS_METRIC_NO_COUNTERPART},
    {"smsp__average_warps_issue_stalled_wait_per_issue_active.pct", WS_METRIC_NO_COUNTERPART},
    {"device__attribute_chip", WS_METRIC_NO_COUNTERPART},
    {"launch__cluster_size", WS_METRIC_NOT_MODELLED},
    {"smsp__average_warps_issue_stalled_gmma_per_issue_active.ratio", WS_METRIC_NOT_MODELLED},
    {"smsp__colour_of_warps.sum", WS_METRIC_UNKNOWN},
    {"colour", WS_METRIC_UNKNOWN},
    {"", WS_METRIC_UNKNOWN},
};

START_TEST(metrics_without_a_figure)
{
    Mapped mapped = mapped_new();

    for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
        WsMappedMetric found;

        ws_metric_map_find(mapped.map, others[i].metric, &found);
        ck_assert_msg(found.status == others[i].status, "%s: %s", others[i].metric,
                      ws_metric_status_name(found.status));
        ck_assert_str_ne(found.why, "");
    }
    mapped_clear(&mapped);
}
END_TEST

#define SAMPLED                                                                                    \
    HEAD ",\"smsp__pcsamp_warps_issue_stalled_wait\",\"smsp__pcsamp_warps_issue_stalled_misc\","   \
         "\"smsp__pcsamp_warps_issue_stalled_wait_not_issued\",\"launch__sm_count\","              \
         "\"smsp__inst_executed.sum\",\"inst_executed\"\n"                                         \
         "\"\",\"\",\"\",\"\",\"\",\"warp\",\"warp\",\"warp\",\"SM\",\"inst\",\"parsec\"\n"

START_TEST(a_launch_beside_a_run)
{
    Engine *engine = engine_load("tests/data/rooms/two_sides.yaml", NULL, NULL);
    g_autoptr(GError) error = NULL;

    engine_run(engine);
    g_autoptr(WsMeasuredProfile) profile = read_text(
        SAMPLED "\"0\",\"other\",\"(9, 1, 1)\",\"(8, 1, 1)\",\"3.5\",\"30\",\"10\",\"30\",\"777\","
                "\"n/a\",\"1\"\n",
        NULL);
    g_autoptr(WsProfileComparison) comparison = ws_profile_comparison_new(
        engine->job, engine->result, 0, ws_measured_launch(profile, 0), NULL);
    const WsCounters *counters = &engine->result->launches[0].counters;

    ck_assert_ptr_nonnull(comparison);
    ck_assert_double_eq_tol(
        ws_compared_metric(comparison, 0)->mapped.simulated,
        40 * (double)counters->stalls[WS_STALL_WAIT] / (double)counters->warp_cycles, 1e-9);
    ck_assert_double_eq(ws_compared_metric(comparison, 0)->value, 30);
    ck_assert_uint_eq(comparison->counts[WS_METRIC_MAPPED], 2);
    ck_assert_uint_eq(comparison->counts[WS_METRIC_NO_COUNTERPART], 2);
    ck_assert_uint_eq(comparison->counts[WS_METRIC_NOT_MEASURED], 2);
    ck_assert_uint_eq(comparison->notes->len, 5); /* kernel, grid, block, GPU, SMs */
    g_autoptr(WsMeasuredProfile) wrong = read_text(RAW UNITS ROW("0", "k", "1,5"), NULL);
    ck_assert_ptr_null(ws_profile_comparison_new(engine->job, engine->result, 0,
                                                 ws_measured_launch(wrong, 0), &error));
    ck_assert_msg(g_str_has_prefix(error->message,
                                   "p.csv:3: error: smsp__inst_executed.sum: '1,5' is no number"),
                  "%s", error->message);
    engine_free(engine);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, a_number, 0, G_N_ELEMENTS(numbers));
    tcase_add_loop_test(cases, a_unit, 0, G_N_ELEMENTS(measures));
    tcase_add_loop_test(cases, a_bad_page, 0, G_N_ELEMENTS(bad_pages));
    tcase_add_test(cases, a_raw_page);
    tcase_add_test(cases, a_details_page);
    tcase_add_test(cases, a_source_page);
    tcase_add_loop_test(cases, a_kernel_name, 0, G_N_ELEMENTS(kernels));
    tcase_add_test(cases, launches_match_in_order);
    tcase_add_loop_test(cases, a_label, 0, G_N_ELEMENTS(labels));
    tcase_add_test(cases, forms_of_metrics);
    tcase_add_test(cases, metrics_without_a_figure);
    tcase_add_test(cases, a_launch_beside_a_run);
}

int main(void)
{
    return run_suite("profile", add_tests);
}
