/* What a launch file says, as a job; how it is written again; and each way in which it may be
 * wrong. */
#include <check.h>
#include <glib/gstdio.h>
#include <string.h>

#include "isa/bytecode/program.h"
#include "isa/container/binary.h"
#include "sim/check/check.h"
#include "sim/launch/buffer_slice.h"
#include "sim/launch/code_regions.h"
#include "sim/launch/launch.h"
#include "sim/launch/save.h"
#include "sim/starter/starter.h"
#include "tests/support/golden_text.h"
#include "tests/support/suite.h"

static char *source_path(const char *name)
{
    return g_build_filename(g_getenv("WS_TEST_SOURCES"), "tests", name, NULL);
}

static WsJob *load(const char *name, const WsJobOptions *options)
{
    g_autofree char *path = source_path(name);
    GError *error = NULL;
    WsJob *job = ws_job_load(path, options, &error);

    ck_assert_msg(job != NULL, "%s", error ? error->message : "");
    return job;
}

static void append_bytes(GString *out, const guint8 *bytes, gsize count)
{
    for (gsize i = 0; i < MIN(count, 48); i++)
        g_string_append_printf(out, "%02x%s", bytes[i], i % 4 == 3 ? " " : "");
    g_string_append_c(out, '\n');
}

static void append_launch(GString *out, const WsLaunch *launch)
{
    g_string_append_printf(
        out,
        "launch %s: grid %u %u %u, block %u %u %u, shared %u, stack %u, local %u, "
        "carveout %d, keeps %d\n  ",
        launch->kernel->name, launch->grid[0], launch->grid[1], launch->grid[2], launch->block[0],
        launch->block[1], launch->block[2], launch->dynamic_shared_bytes,
        ws_launch_stack_bytes(launch), ws_launch_local_bytes(launch), launch->carveout,
        launch->keep_caches);
    append_bytes(out, launch->parameters, launch->kernel->parameter_bytes);
    for (guint32 i = 0; i < launch->part_count; i++)
        g_string_append_printf(out, "  part %s: type %d at %u, %u bytes\n", launch->parts[i].name,
                               (int)launch->parts[i].type, launch->parts[i].offset,
                               launch->parts[i].bytes);
    for (guint32 i = 0; i < launch->reference_count; i++)
        g_string_append_printf(out, "  reference at %u to buffer %u + %" G_GUINT64_FORMAT "\n",
                               launch->references[i].parameter_offset, launch->references[i].buffer,
                               launch->references[i].byte_offset);
    for (guint32 i = 0; i < launch->initial_count; i++) {
        const WsInitialWarp *warp = &launch->initial[i];
        g_string_append_printf(out, "  warp %u: start %d %u, ready %u, stall %u,", warp->warp,
                               warp->has_start, warp->start, warp->ready_cycle, warp->stall_reason);
        for (guint32 r = 0; r < warp->register_count; r++)
            g_string_append_printf(out, " R%u=%x", warp->registers[r].index,
                                   warp->registers[r].value);
        g_string_append_c(out, '\n');
    }
}

static char *job_text(const WsJob *job)
{
    GString *out = g_string_new(NULL);

    g_string_append_printf(out, "%s, policy %d, sms %d\n", job->device->name,
                           (int)job->device->policy, (int)job->device->sms);
    for (guint32 i = 0; i < job->let_count; i++)
        g_string_append_printf(out, "let %s = %" G_GINT64_FORMAT "\n", job->let[i].name,
                               job->let[i].value);
    for (guint32 i = 0; i < job->buffer_count; i++) {
        const WsBuffer *buffer = &job->buffers[i];
        g_string_append_printf(out,
                               "buffer %s: type %d, %" G_GUINT64_FORMAT
                               " elements, %" G_GUINT64_FORMAT " bytes at %" G_GINT64_MODIFIER
                               "x, contents %d\n  ",
                               buffer->name, (int)buffer->type, buffer->count, buffer->bytes,
                               buffer->address, buffer->has_contents);
        append_bytes(out, buffer->data, buffer->bytes);
    }
    append_bytes(out, job->module_data, job->program->module_bytes);
    append_bytes(out, job->constant_data, 8);
    for (guint32 i = 0; i < job->launch_count; i++)
        append_launch(out, &job->launches[i]);
    for (guint32 i = 0; i < job->expectation_count; i++) {
        const WsExpectation *of = &job->expectations[i];
        g_string_append_printf(out, "expect buffer %u: %g %g %d, %s\n  ", of->index, of->relative,
                               of->absolute, of->equal_nan, of->source ? of->source : "inline");
        append_bytes(out, of->data, job->buffers[of->index].bytes);
    }
    return g_string_free(out, FALSE);
}

START_TEST(reads)
{
    static const char *const values[] = {"n=48", "1.grid=[2,2]", "carveout=25", NULL};
    static const char *const settings[] = {"policy=lrr", NULL};
    g_autoptr(WsJob) job = load("data/rooms/everything.yaml", &(WsJobOptions){0});
    g_autoptr(WsJob) other = load("data/rooms/everything.yaml",
                                  &(WsJobOptions){.launch_values = values, .settings = settings});
    g_autofree char *first = job_text(job), *second = job_text(other);
    g_autofree char *both = g_strconcat(first, "---- with other values\n", second, NULL);

    golden_text_check("launch_file.txt", both);
}
END_TEST

static const struct {
    const char *job, *golden;
} saved[] = {{"data/rooms/two_sides.yaml", "launch_saved.yaml"},
             {"data/rooms/stored.yaml", "launch_saved_types.yaml"}};

/* A job that is written and read again is the same. */
START_TEST(saves)
{
    g_autofree char *scratch = g_dir_make_tmp("warpstep-launch-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(scratch, "saved.yaml", NULL), *text = NULL;
    g_autofree char *remove = g_strdup_printf("rm -r '%s'", scratch);
    g_autoptr(WsJob) job = load(saved[_i].job, &(WsJobOptions){0});
    GError *error = NULL;

    ck_assert_msg(ws_job_save(job, path, &error), "%s", error ? error->message : "");
    g_autoptr(WsJob) read = ws_job_load(path, &(WsJobOptions){0}, &error);
    ck_assert_msg(read != NULL, "%s", error ? error->message : "");
    g_autofree char *first = job_text(job), *second = job_text(read);
    ck_assert_str_eq(first, second);
    ck_assert(g_file_get_contents(path, &text, NULL, NULL));
    g_autofree char *anywhere = golden_text_replace(text, scratch, "SCRATCH");
    g_autofree char *ever = golden_text_replace(anywhere, WS_VERSION, "VERSION");
    /* Files are named after what is in them, and the program has the path of its source. */
    g_autoptr(GRegex) hash = g_regex_new("data/[0-9a-f]{16}", 0, 0, NULL);
    g_autofree char *named = g_regex_replace_literal(hash, ever, -1, 0, "data/HASH", 0, NULL);
    golden_text_check(saved[_i].golden, named);
    ck_assert_int_eq(system(remove), 0);
}
END_TEST

static const struct {
    const char *from, *to;
} faults[] = {
    {"version: 1", "version: 3"},
    {"version: 1\n", ""},
    {"program: everything.wsasm", "program: nothing.wsasm"},
    {"program: everything.wsasm", "program: everything.txt"},
    {"policy: gto", "policy: gtoo"},
    {"sms: 1", "sms: 0"},
    {"half: n / 2", "half: n / 0"},
    {"half: n / 2", "half: m / 2"},
    {"n: 96, ", "n: 96, n: 97, "},
    {"{type: f32, count: n, init", "{type: f33, count: n, init"},
    {"{type: s32, count: n}", "{type: s32, count: 0}"},
    {"{type: s32, count: n}", "{type: s32, count: 100000000000}"},
    {"{type: s32, count: n}", "{type: s32}"},
    {"min: 3, max: 9", "min: 9, max: 3"},
    {"min: 3, max: 9", "min: 3, max: 256"},
    {"fill: 513", "fill: 65536"},
    {"values: [-1, 2, 9000000000]", "values: [-1, 2]"},
    {"values: [-1, 2, 9000000000]", "values: [-1, 2, x]"},
    {"table: {type", "tabel: {type"},
    {"values: [5, 6, 7, 8]", "values: [5, 6, 7, 8, 9]"},
    {"kernel: first", "kernel: frist"},
    {"grid: [3, 2]", "grid: [3, 2, 1, 1]"},
    {"grid: [3, 2]", "grid: [3, 0]"},
    {"grid: [3, 2]", "grid: [3, 65536]"},
    {"block: n / 3", "block: 1025"},
    {"block: [8, 4]", "block: [8, 4, 65]"},
    {"{s32: n}", "{s33: n}"},
    {"{s32: n}", "{s64: n}"},
    {"{s32: n}, ", ""},
    {"{ref: in}", "{ref: inn}"},
    {"offset: 16}", "offset: 400}"},
    {"offset: 16}", "offset: 2}"},
    {"dynamic_shared_bytes: 256", "dynamic_shared_bytes: 300000"},
    {"dynamic_shared_bytes: 256", "dynamic_shared_bytes: 100"},
    {"offset: 128", "offset: 64"},
    {"carveout: 50", "carveout: 101"},
    {"warp: 0", "warp: 1"},
    {"start: 2", "start: 9"},
    {"stall: long_scoreboard", "stall: nothing"},
    {"R3: {f32: 1.5}", "R99: {f32: 1.5}"},
    {"cache: keep", "cache: warm"},
    {"{buffer: out, fill: 96, abs: 1}", "{buffer: outt, fill: 96}"},
    {"{buffer: out, fill: 96, abs: 1}", "{buffer: out, fill: 96, abs: -1}"},
    {"{buffer: out, fill: 96, abs: 1}", "{buffer: out}"},
    {"{buffer: out, fill: 96, abs: 1}", "{buffer: out, file: nothing.bin}"},
    {"expect:", "expects:"},
    {"tile: {type: f32, count: 32}", "tile: {count: 32}"},
    {"tile: {type: f32, count: 32}", "tile: {type: f32}"},
    {"tile: {type: f32, count: 32}", "tile: {type: f33, count: 32}"},
    {"tile: {type: f32, count: 32}", "tile: {type: f32, count: 32, offzet: 4}"},
    {"offset: 128", "offset: 250"},
    {"offset: 128", "offset: 240"}, /* up to the last byte */
    {"{f32: 0.1}", "{f32: 0.1, s32: 4}"},
    {"{f32: 0.1}", "{bytes: [1, 2, 3]}"},
    {"{f32: 0.1}", "{bytes: [1, 2, 3, 256]}"},
    {"{f32: 0.1}", "{bytes: [1, 2, 3, 255]}"},
    {"{f32: 0.1}", "0.1"},
    {"{ref: in}", "{ref: in, offzet: 4}"},
    {"{ref: in}", "{ref: in, offset: 384}"},
    {"{ref: in}", "{ref: in, offset: 385}"},
    {"let: {n: 96", "let: {n: x"},
    {"device: textbook", "device: textbok"},
    {"kernel: first", "kernal: first"},
    {"launches:", "launchez:"},
    {"warp: 0, ", ""},
    {"start: 2", "start: 5"},
    {"ready: 12", "ready: -1"},
    {"R0: {u32: 7}", "R0: {u32: 4294967296}"},
    {"R0: {u32: 7}", "R0: 7"},
    {"R0: {u32: 7}", "R4: {u32: 7}"},
    {"R0: {u32: 7}", "R5: {u32: 7}"},
    {"values: [1, -0.5, 65504, 0.1], rel: 0.01}", "values: [1, -0.5, 65504], rel: 0.01}"},
    {"abs: 1}", "abs: 1, equal_nan: maybe}"},
    {"abs: 1}", "abs: 1, equal_nan: true}"},
    {"count: half", "count: half - 48"},
    {"in: {type: f32", "in put: {type: f32"},
    {"buffers:", "buffers: 3\nsymbols:"},
    {"block: n / 3", "block: -1"},
    {"block: n / 3", "block: [n]"},
    {"set: {policy: gto, sms: 1}", "set: {policy: gto, smz: 1}"},
    {"set: {policy: gto, sms: 1}", "set: gto"},
};

START_TEST(errors)
{
    g_autofree char *path = source_path("data/rooms/everything.yaml"), *text = NULL;
    g_autofree char *program = source_path("data/rooms/everything.wsasm"), *code = NULL;
    g_autofree char *scratch = g_dir_make_tmp("warpstep-launch-XXXXXX", NULL);
    g_autofree char *copy = g_build_filename(scratch, "launch.yaml", NULL);
    g_autofree char *code_copy = g_build_filename(scratch, "everything.wsasm", NULL);
    g_autoptr(GString) out = g_string_new(NULL);

    ck_assert(g_file_get_contents(path, &text, NULL, NULL));
    ck_assert(g_file_get_contents(program, &code, NULL, NULL));
    ck_assert(g_file_set_contents(code_copy, code, -1, NULL));
    for (guint i = 0; i < G_N_ELEMENTS(faults); i++) {
        const char *at = strstr(text, faults[i].from);
        GError *error = NULL;

        ck_assert_msg(at != NULL, "%s", faults[i].from);
        g_autofree char *changed = g_strdup_printf("%.*s%s%s", (int)(at - text), text, faults[i].to,
                                                   at + strlen(faults[i].from));
        ck_assert(g_file_set_contents(copy, changed, -1, NULL));
        WsJob *job = ws_job_load(copy, &(WsJobOptions){0}, &error);
        g_string_append_printf(out, "%s\n", job != NULL ? "nothing" : error->message);
        g_clear_pointer(&job, ws_job_free);
        g_clear_error(&error);
    }
    g_unlink(copy);
    g_unlink(code_copy);
    g_rmdir(scratch);
    g_autofree char *anywhere = golden_text_replace(out->str, scratch, "SCRATCH");
    golden_text_check("launch_errors.txt", anywhere);
}
END_TEST

static const char *const slices[] = {"in",         "in[3]",  "in[2:5]",  "values",
                                     "halves[1:]", "in[:3]", "inn",      "in[96]",
                                     "in[5:2]",    "in[x]",  "in[0:97]", "doubles[0:4]"};
static const char *const regions[] = {
    "two_sides.cu:3-5", "long=two_sides.cu:8", "two_sides.cu:6,8-9",
    "two_sides.cu:20",  "none.cu:3",           "two_sides.cu:5-3",
    "two_sides.cu",     "a b=two_sides.cu:3",  "two_sides.wsasm:6-9"};

START_TEST(slices_and_regions)
{
    g_autoptr(WsJob) job = load("data/rooms/everything.yaml", &(WsJobOptions){0});
    g_autoptr(WsJob) two = load("data/rooms/two_sides.yaml", &(WsJobOptions){0});
    g_autoptr(GString) out = g_string_new(NULL);
    GError *error = NULL;

    for (guint i = 0; i < G_N_ELEMENTS(slices); i++) {
        WsBufferSlice slice;
        if (ws_buffer_slice_parse(job, "--show", slices[i], &slice, &error)) {
            g_autofree char *text = ws_buffer_slice_text(job, &slice);
            g_string_append_printf(out, "%s: %s\n", slices[i], text);
        } else
            g_string_append_printf(out, "%s\n", error->message);
        g_clear_error(&error);
    }
    for (guint i = 0; i < G_N_ELEMENTS(regions); i++) {
        if (ws_job_add_region(two, "--lines", regions[i], &error)) {
            const WsCodeRegion *region = &two->regions[two->region_count - 1];
            g_string_append_printf(out, "%s: %s, %s, %u instructions:", regions[i], region->name,
                                   region->place, region->instruction_count);
            for (guint32 p = 0; p < two->program->instruction_count; p++)
                if (region->holds[p])
                    g_string_append_printf(out, " %u", p);
            g_string_append_c(out, '\n');
        } else
            g_string_append_printf(out, "%s\n", error->message);
        g_clear_error(&error);
    }
    golden_text_check("launch_slices.txt", out->str);
}
END_TEST

/* ---- checks: sim/check ------------------------------------------------------------------------
 */

static void append_finding(GString *out, const WsCheckFinding *finding)
{
    g_string_append_printf(
        out, "%s: %" G_GUINT64_FORMAT " times, %s, %s, array %s[%" G_GINT64_FORMAT "]; %s\n",
        ws_check_kind_name(finding->kind), finding->count, finding->place,
        finding->space ? finding->space : "-", finding->array ? finding->array : "-",
        finding->index, finding->missing);
    for (guint t = 0; t < finding->touches; t++) {
        const WsTouch *touch = &finding->touch[t];
        g_string_append_printf(out,
                               "  action %d, block %u, thread %u, warp %u lane %u, line %u, "
                               "instruction %u\n",
                               (int)touch->action, touch->block[0], touch->thread[0], touch->warp,
                               touch->lane, touch->line, touch->instruction);
    }
}

START_TEST(checks)
{
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint which = 0; which < 5; which++)
        for (guint kind = 0; kind <= WS_CHECK_COUNT; kind++) {
            g_autofree char *value = g_strdup_printf("which=%u", which);
            const char *values[] = {value, NULL};
            g_autoptr(WsJob) job =
                load("data/rooms/faulty.yaml", &(WsJobOptions){.launch_values = values});
            guint kinds = kind == WS_CHECK_COUNT ? WS_ALL_CHECKS : WS_CHECK_BIT(kind);
            g_autoptr(WsCheck) check = ws_check_new(job, kinds, NULL);

            ws_check_run(check, &(WsCheckLimits){0});
            g_autoptr(WsFindings) findings = ws_check_take_findings(check);
            g_string_append_printf(out, "---- which %u, kinds %x: %u, %s\n", which, kinds,
                                   findings->list->len,
                                   findings->incomplete ? findings->incomplete : "whole");
            for (guint i = 0; i < findings->list->len; i++)
                append_finding(out, findings->list->pdata[i]);
        }
    golden_text_check("checks.txt", out->str);
}
END_TEST

/* ---- starters: sim/starter --------------------------------------------------------------------
 */

static const struct {
    const char *program, *kernel;
} starters[] = {{"data/rooms/two_sides.wsasm", NULL},  {"data/rooms/varied.wsasm", NULL},
                {"data/rooms/everything.wsasm", NULL}, {"data/rooms/everything.wsasm", "first"},
                {"data/rooms/shapes.ptx", "loops"},    {"data/rooms/shapes.ptx", "reduction"},
                {"data/rooms/shapes.ptx", "mixed"},    {"data/rooms/shapes.ptx", "nothing"},
                {"ptx/vecadd.nvcc.ptx", NULL},         {"ptx/barriers.ptx", NULL}};

START_TEST(starts)
{
    g_autofree char *path = source_path(starters[_i].program);
    g_autofree char *name = g_strdup_printf("starter_%d.txt", _i);
    g_autofree char *output = source_path("data/rooms/starter.yaml");
    const WsStarterOptions options = {
        .kernel = starters[_i].kernel, .device = "textbook", .output = output};
    g_autoptr(GString) out = g_string_new(NULL);
    GError *error = NULL;
    WsStarter *starter = ws_starter_write(path, &options, &error);

    if (starter == NULL)
        g_string_append(out, error->message);
    else {
        g_string_append_printf(out, "%s\n%s, %u threads, %s\n", starter->text, starter->kernel,
                               starter->threads, starter->stop ? starter->stop : "runs");
        for (guint i = 0; i < starter->notes->len; i++)
            g_string_append_printf(out, "%s\n", (char *)starter->notes->pdata[i]);
        ws_starter_free(starter);
    }
    g_clear_error(&error);
    g_autofree char *anywhere =
        golden_text_replace(out->str, g_getenv("WS_TEST_SOURCES"), "SOURCES");
    g_autofree char *ever = golden_text_replace(anywhere, WS_VERSION, "VERSION");
    golden_text_check(name, ever);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, reads);
    tcase_add_loop_test(cases, saves, 0, G_N_ELEMENTS(saved));
    tcase_add_test(cases, errors);
    tcase_add_test(cases, slices_and_regions);
    tcase_add_test(cases, checks);
    tcase_add_loop_test(cases, starts, 0, G_N_ELEMENTS(starters));
}

int main(void)
{
    return run_suite("launch_files", add_tests);
}
