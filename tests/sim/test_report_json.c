/* The JSON of runs, whole: figures, stops, waits, checks of results, regions; failed assertions. */
#include <string.h>

#include "sim/gpu/functional_run.h"
#include "sim/interpreter/interpreter.h"
#include "sim/launch/code_regions.h"
#include "sim/report/json.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/golden_text.h"
#include "tests/support/suite.h"

static const char *const cached[] = {"memory.model=cached", "sms=2", "memory.l2.bytes=65536",
                                     "memory.share=fair", NULL};

static const struct {
    const char *title, *path;
    const char *const *settings;
    const char *values[2], *lines;
    gboolean functional;
} runs[] = {
    {"of all kinds", "tests/data/rooms/varied.yaml", cached, {NULL}, NULL, FALSE},
    {"a region, fixed latencies",
     "tests/data/rooms/two_sides.yaml",
     NULL,
     {NULL},
     "part=6-9",
     FALSE},
    {"checks of results", "tests/data/rooms/everything.yaml", NULL, {NULL}, NULL, FALSE},
    {"warps that part at a barrier",
     "tests/data/rooms/faulty.yaml",
     NULL,
     {"which=2"},
     NULL,
     FALSE},
    {"without time", "tests/data/rooms/two_sides.yaml", NULL, {NULL}, NULL, TRUE},
    {"without time, warps that part",
     "tests/data/rooms/faulty.yaml",
     NULL,
     {"which=2"},
     NULL,
     TRUE},
};

START_TEST(whole)
{
    g_autofree char *golden = g_strdup_printf("report_%d.json", _i);
    Engine *e = engine_load(runs[_i].path, runs[_i].settings, runs[_i].values);

    if (runs[_i].lines != NULL)
        ck_assert(ws_job_add_region(e->job, "--lines", runs[_i].lines, NULL));
    if (runs[_i].functional)
        e->result = ws_functional_run(e->job, &e->options, NULL);
    else
        engine_run(e);
    g_autofree char *text = ws_report_json(e->job, e->result);
    g_autofree char *anywhere = golden_text_replace(text, g_getenv("WS_TEST_SOURCES"), "SOURCES");
    g_autofree char *ever = golden_text_replace(anywhere, WS_VERSION, "VERSION");
    golden_text_check(golden, ever);
    engine_free(e);
}
END_TEST

/* ---- failed assertions -------------------------------------------------------------------------
 */

/* Threads 3 and 4 call __assertfail("x > 0", "k.cu", 12, "f", 1); the texts are in the buffer. */
#define ASSERTION                                                                                  \
    ".version 7.0\n.target sm_70\n.address_size 64\n"                                              \
    ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, "      \
    ".param .b64 e);\n"                                                                            \
    ".visible .entry k(.param .u64 x)\n{\n.reg .pred %p<3>;\n.reg .b32 %r<3>;\n"                   \
    ".reg .b64 %rd<8>;\nmov.u32 %r1, %tid.x;\nadd.s32 %r2, %r1, -3;\n"                             \
    "setp.gt.u32 %p1, %r2, 1;\n@%p1 bra DONE;\nld.param.u64 %rd1, [x];\n"                          \
    "add.s64 %rd2, %rd1, 16;\nadd.s64 %rd3, %rd1, 32;\n{\n"                                        \
    ".param .b64 p0;\nst.param.b64 [p0+0], %rd1;\n.param .b64 p1;\nst.param.b64 [p1+0], %rd2;\n"   \
    ".param .b32 p2;\nst.param.b32 [p2+0], 12;\n.param .b64 p3;\nst.param.b64 [p3+0], %rd3;\n"     \
    ".param .b64 p4;\nst.param.b64 [p4+0], 1;\n"                                                   \
    "call.uni __assertfail, (p0, p1, p2, p3, p4);\n}\nDONE:\nret;\n}\n"

/* Each lane says its own, as CUDA writes it; the functional run tells of the first one. */
START_TEST(assertions)
{
    Engine *e = engine_new("textbook", NULL, ASSERTION, 1, 32, 16);
    char *texts = (char *)engine_words(e);
    GError *error = NULL;

    strcpy(texts, "x > 0");
    strcpy(texts + 16, "k.cu");
    strcpy(texts + 32, "f");
    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_FAULT);
    ck_assert_str_eq(e->result->stop.details,
                     "k.cu:12: f: block: [0,0,0], thread: [3,0,0] Assertion `x > 0` failed.\n"
                     "k.cu:12: f: block: [0,0,0], thread: [4,0,0] Assertion `x > 0` failed.\n");
    ck_assert(!ws_interpret(e->job, 0, NULL, NULL, &error));
    ck_assert_msg(strstr(error->message,
                         "thread (3,0,0): assertion failed: k.cu:12: f: block: [0,0,0], "
                         "thread: [3,0,0] Assertion `x > 0` failed.") != NULL,
                  "%s", error->message);
    g_error_free(error);
    engine_free(e);
}
END_TEST

/* ---- what kernels print ------------------------------------------------------------------------
 */

/* Thread i prints word 16 + 2i, by the format at the beginning of the buffer; it returns 1. */
#define PRINTING                                                                                   \
    "S2R R0, SR_TID.X ;\nMOV R2, c[x] ;\nMOV R3, c[x+4] ;\nIADD3 R4, R2, 64, RZ ;\nMOV R5, R3 ;\n" \
    "IMAD.WIDE.U32 R4, R0, 8, R4 ;\nVPRINTF R9, R2, R4 ;\nSTG.E [R4+4], R9 ;\nEXIT ;\n"

/* In order of cycle, warp and lane, in time and without; a buffer that is full, of 53 calls of
 * 16 + 3 bytes, loses the first. */
START_TEST(printed)
{
    static const struct {
        const char *setting;
        guint first;
        guint64 lost;
    } rows[] = {{"sms=1", 0, 0}, {"limits.printf_bytes=1024", 11, 11}};
    const char *settings[] = {"sms=1", rows[_i].setting, NULL};
    Engine *e = engine_new("textbook", settings, PRINTING, 1, 64, 160);
    g_autoptr(GString) expected = g_string_new(NULL);
    gsize length;

    strcpy((char *)engine_words(e), "%02d,");
    for (guint i = 0; i < 64; i++) {
        engine_words(e)[16 + 2 * i] = i;
        if (i >= rows[_i].first)
            g_string_append_printf(expected, "%02u,", i);
    }
    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    const WsPrintLog *log = &e->result->launches[0].printed;
    g_autofree char *text = ws_print_log_text(log, &length);
    ck_assert_str_eq(text, expected->str);
    ck_assert_uint_eq(log->lost, rows[_i].lost);
    for (guint i = 0; i < 64; i++)
        ck_assert_uint_eq(engine_words(e)[17 + 2 * i], 1);

    WsPrintLog functional;
    ws_print_log_init(&functional, NULL, e->job->device->printf_bytes);
    const WsInterpretOptions options = {.printed = &functional};
    ck_assert(ws_interpret(e->job, 0, &options, NULL, NULL));
    g_autofree char *same = ws_print_log_text(&functional, &length);
    ck_assert_str_eq(same, expected->str);
    ws_print_log_clear(&functional);
    engine_free(e);
}
END_TEST

/* A run without time that stops says why, and no place in time. */
START_TEST(functional_stops)
{
    static const struct {
        const char *text;
        WsStatus status;
        const char *message;
    } rows[] = {{"BPT.TRAP ;\nEXIT ;\n", WS_STATUS_FAULT, "trap"},
                {"BAR.SYNC 0, 96 ;\nEXIT ;\n", WS_STATUS_DEADLOCK, "waits for ever"},
                {"NOP ;\nEXIT ;\n", WS_STATUS_OK, NULL}};
    Engine *e = engine_new("textbook", NULL, rows[_i].text, 1, 32, 1);

    e->result = ws_functional_run(e->job, &e->options, NULL);
    ck_assert(e->result->functional);
    ck_assert_int_eq(e->result->status, rows[_i].status);
    if (rows[_i].message == NULL) {
        ck_assert_ptr_null(e->result->stop.message);
        ck_assert_uint_eq(e->result->total.warp_instructions, 2);
    } else {
        const WsStop *stop = &e->result->stop;

        ck_assert_msg(strstr(stop->message, rows[_i].message) != NULL, "%s", stop->message);
        ck_assert(!g_str_has_prefix(stop->message, "error: "));
        ck_assert(stop->sm == -1 && stop->warp == -1 && stop->lane == -1 && stop->slot == -1);
        ck_assert_int_eq(stop->instruction, -1);
    }
    engine_free(e);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, assertions);
    tcase_add_loop_test(cases, functional_stops, 0, 3);
    tcase_add_loop_test(cases, printed, 0, 2);
    tcase_add_loop_test(cases, whole, 0, G_N_ELEMENTS(runs));
}

int main(void)
{
    return run_suite("report_json", add_tests);
}
