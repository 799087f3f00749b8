/* Functions of PTX that call themselves: what they are given and give back, against C. */
#include <glib/gstdio.h>
#include <string.h>

#include "sim/gpu/simulation.h"
#include "tests/support/suite.h"

enum { THREADS = 64 };

/* Values of one and two words, in both directions. */
static const char ptx[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".func (.reg .b32 %s, .reg .b64 %t) f(.reg .b32 %a, .reg .b64 %w, .reg .b32 %b)\n{\n"
    ".reg .pred %p<2>;\n.reg .b32 %r<6>;\n.reg .b64 %d<4>;\n"
    "setp.ne.u32 %p1, %a, 0;\n@%p1 bra MORE;\n"
    "mov.u32 %s, %b;\nmov.u64 %t, %w;\nret;\n"
    "MORE:\nsub.u32 %r1, %a, 1;\nadd.u64 %d1, %w, 8589934593;\nshl.b32 %r2, %b, 1;\n"
    "add.u32 %r2, %r2, %a;\ncall (%r3, %d2), f, (%r1, %d1, %r2);\n"
    "add.u32 %s, %r3, %a;\ncvt.u64.u32 %d3, %a;\nsub.u64 %t, %d2, %d3;\nret;\n}\n"
    ".visible .entry k(.param .u64 sums, .param .u64 wide)\n{\n"
    ".reg .b32 %r<6>;\n.reg .b64 %d<8>;\n"
    "ld.param.u64 %d1, [sums];\nld.param.u64 %d2, [wide];\nmov.u32 %r1, %tid.x;\n"
    "and.b32 %r2, %r1, 7;\ncvt.u64.u32 %d3, %r1;\nshl.b64 %d3, %d3, 32;\nmul.lo.u32 %r3, %r1, 3;\n"
    "call (%r4, %d4), f, (%r2, %d3, %r3);\n"
    "mul.wide.u32 %d5, %r1, 4;\nadd.u64 %d6, %d1, %d5;\nst.global.u32 [%d6], %r4;\n"
    "mul.wide.u32 %d5, %r1, 8;\nadd.u64 %d6, %d2, %d5;\nst.global.u64 [%d6], %d4;\nret;\n}\n";

static const char launch[] =
    "version: 1\nprogram: k.ptx\ndevice: textbook\n"
    "buffers: {sums: {type: u32, count: 64}, wide: {type: u64, count: 64}}\n"
    "kernel: k\ngrid: 1\nblock: 64\nparams: [{ref: sums}, {ref: wide}]\n";

static guint32 f(guint32 a, guint64 w, guint32 b, guint64 *ret)
{
    if (a == 0) {
        *ret = w;
        return b;
    }
    guint32 sum = f(a - 1, w + G_GUINT64_CONSTANT(8589934593), 2 * b + a, ret);
    *ret -= a;
    return sum + a;
}

START_TEST(functions_that_call_themselves)
{
    g_autofree char *folder = g_dir_make_tmp("warpstep-calls-XXXXXX", NULL);
    g_autofree char *program = g_build_filename(folder, "k.ptx", NULL);
    g_autofree char *path = g_build_filename(folder, "k.yaml", NULL);
    WsRunOptions options;
    GError *error = NULL;

    ck_assert(g_file_set_contents(program, ptx, -1, NULL));
    ck_assert(g_file_set_contents(path, launch, -1, NULL));
    g_autoptr(WsJob) job = ws_job_load(path, &(WsJobOptions){0}, &error);
    ck_assert_msg(job != NULL, "%s", error ? error->message : "");
    ws_run_options_init(&options);
    g_autoptr(WsResult) result = ws_simulation_run(job, &options, &error);
    ck_assert_msg(result != NULL, "%s", error ? error->message : "");
    ck_assert_int_eq(result->status, WS_STATUS_OK);
    for (guint32 i = 0; i < THREADS; i++) {
        guint64 wide;
        guint32 sum = f(i & 7, (guint64)i << 32, 3 * i, &wide);
        ck_assert_uint_eq(((const guint32 *)(gconstpointer)job->buffers[0].data)[i], sum);
        ck_assert_uint_eq(((const guint64 *)(gconstpointer)job->buffers[1].data)[i], wide);
    }
    g_unlink(program);
    g_unlink(path);
    g_rmdir(folder);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, functions_that_call_themselves);
}

int main(void)
{
    return run_suite("ptx_calls", add_tests);
}
