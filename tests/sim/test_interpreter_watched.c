/*
 * What the functional interpreter tells: its watcher, of each access and of all that orders them;
 * the last write to a byte; which instructions were reached; how much was run.
 */
#include <string.h>

#include "isa/base/error.h"
#include "sim/interpreter/interpreter.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/golden_text.h"
#include "tests/support/suite.h"

enum { HEAD_LENGTH = 8 }; /* of each kernel: not told of */

static void on_issue(void *data, const WsWatchedIssue *issue)
{
    if (issue->instruction < HEAD_LENGTH)
        return;
    g_string_append_printf(
        data, "block %u warp %u instruction %u lanes %" G_GINT64_MODIFIER "x of %u, shared %u\n",
        issue->slot, issue->warp, issue->instruction, issue->lanes, issue->warp_size,
        (guint)issue->shared_bytes);
}

static void on_block(void *data, guint32 slot, guint64 number)
{
    g_string_append_printf(data, "block %u is %u of the grid\n", slot, (guint)number);
}

static void append_bytes(GString *out, const guint8 *bytes, guint32 count)
{
    for (guint32 i = 0; i < count; i++)
        g_string_append_printf(out, "%02x", bytes[i]);
}

static void on_access(void *data, const WsWatchedAccess *access)
{
    GString *out = data;

    g_string_append_printf(out, "  thread %u of block %u at %u: space %d, action %d, %u bytes at ",
                           access->thread, access->slot, access->instruction, (int)access->space,
                           (int)access->action, access->bytes);
    g_string_append_printf(out, "%" G_GINT64_MODIFIER "x, was ", access->address);
    append_bytes(out, access->contents, access->bytes);
    if (access->stored != NULL) {
        g_string_append(out, ", will be ");
        append_bytes(out, access->stored, access->bytes);
    }
    g_string_append_c(out, '\n');
}

static void on_atomic(void *data, const WsWatchedAccess *access, gboolean changed)
{
    g_string_append_printf(data, "  thread %u has%s changed it\n", access->thread,
                           changed ? "" : " not");
}

static void on_meeting(void *data, guint32 slot, guint32 warp, guint64 mask, gboolean all)
{
    g_string_append_printf(data, "  lanes %" G_GINT64_MODIFIER "x of warp %u meet%s\n", mask, warp,
                           all ? ", which is all" : "");
}

static void on_fence(void *data, guint32 slot, guint32 warp, guint64 mask, guint8 scope)
{
    g_string_append_printf(data, "  lanes %" G_GINT64_MODIFIER "x of warp %u: fence %u\n", mask,
                           warp, scope);
}

static void on_arrival(void *data, guint32 slot, guint32 warp, guint64 mask, guint32 instruction,
                       guint32 number, gboolean waits)
{
    g_string_append_printf(data, "  lanes %" G_GINT64_MODIFIER "x of warp %u %s %u by %u\n", mask,
                           warp, waits ? "wait at" : "come to", number, instruction);
}

static void on_release(void *data, guint32 slot, guint32 number, gboolean all)
{
    g_string_append_printf(data, "block %u: barrier %u opens%s\n", slot, number,
                           all ? " for all" : "");
}

static void on_waiting(void *data, guint32 slot, guint32 thread, guint32 instruction)
{
    if (thread % 32 == 31)
        g_string_append_printf(data, "thread %u waits for ever at %u\n", thread, instruction);
}

#define FEW                                                                                        \
    "S2R R0, SR_TID.X ;\nS2R R5, SR_LANEID ;\nMOV R2, c[x] ;\nMOV R3, c[x+4] ;\n"                  \
    "IMAD.WIDE.U32 R2, R0, 4, R2 ;\nSHF.L.U32 R1, R0, 2 ;\nIADD3 R4, R0, 17, RZ ;\n"               \
    "ISETP.GE P0, R5, 2 ;\n"

/* Lanes 0 and 1 of each warp access memory. */
static const struct {
    const char *title, *text;
    gboolean fails;
} kernels[] = {
    {"accesses of each space",
     ".shared 256\n.local 16\n" FEW "@!P0 STS.U8 [R1+2], R4 ;\n@!P0 LDS R6, [R1] ;\n"
     "@!P0 STL.64 [RZ+8], R4 ;\n@!P0 LDL R6, [RZ+8] ;\n"
     "@!P0 STG.E [R2], R6 ;\n@!P0 LDG.E.U16 R6, [R2+2] ;\nEXIT ;\n",
     FALSE},
    {"atomics that change memory and do not",
     ".shared 256\n" FEW "@!P0 RED.E.ADD [R2], R0 ;\n@!P0 ATOMS.CAS R6, [R1], RZ, R4 ;\nEXIT ;\n",
     FALSE},
    {"barriers, fences, lanes that meet",
     FEW "ISETP.GE P1, R0, 32 ;\nWARPSYNC 0xffffffff ;\n@P0 EXIT ;\nWARPSYNC 0x3 ;\nMEMBAR.CTA ;\n"
         "@P1 BAR.ARV 1, 64 ;\n@!P1 BAR.SYNC 1, 64 ;\nBAR.SYNC 0 ;\n"
         "VOTE.ANY R4, PT ;\nSHFL.IDX R6, R4, 0, 0x1f ;\nEXIT ;\n",
     FALSE},
    {"lanes that part and meet",
     ".reconvergence manual\n" FEW "BSSY B0, join ;\n@P0 BRA join ;\nNOP ;\njoin: BSYNC B0 ;\n"
     "WARPSYNC.ALL ;\nEXIT ;\n",
     FALSE},
    {"a barrier that never opens", FEW "BAR.SYNC 2, 96 ;\nEXIT ;\n", TRUE},
};

START_TEST(watched)
{
    g_autoptr(GString) out = g_string_new(NULL);
    const WsInterpretWatcher watcher = {.data = out,
                                        .issue = on_issue,
                                        .block_begin = on_block,
                                        .access = on_access,
                                        .atomic_done = on_atomic,
                                        .lanes_meet = on_meeting,
                                        .fence = on_fence,
                                        .barrier_arrive = on_arrival,
                                        .barrier_release = on_release,
                                        .waits_for_ever = on_waiting};
    const WsInterpretOptions options = {.watcher = &watcher};

    for (guint i = 0; i < G_N_ELEMENTS(kernels); i++) {
        Engine *e = engine_new("textbook", NULL, kernels[i].text, 2, 64, 64);
        GError *error = NULL;

        g_string_append_printf(out, "---- %s\n", kernels[i].title);
        gboolean fine = ws_interpret(e->job, 0, &options, NULL, &error);
        ck_assert_msg(fine == !kernels[i].fails, "%s: %s", kernels[i].title,
                      error ? error->message : "");
        g_string_append_printf(out, "%s\n", error ? error->message : "done");
        g_clear_error(&error);
        engine_free(e);
    }
    golden_text_check("interpreter_watched.txt", out->str);
}
END_TEST

/* A grid of 2 x 2 x 2 blocks of 4 x 2 x 4 threads; thread 21 of block 6 writes word 7 last. */
START_TEST(last_write)
{
    Engine *e = engine_new("textbook", NULL,
                           "S2R R0, SR_TID.X ;\nS2R R1, SR_TID.Y ;\nS2R R4, SR_TID.Z ;\n"
                           "IMAD R0, R1, 4, R0 ;\nIMAD R0, R4, 8, R0 ;\n"
                           "S2R R1, SR_CTAID.X ;\nS2R R4, SR_CTAID.Y ;\nS2R R5, SR_CTAID.Z ;\n"
                           "IMAD R1, R4, 2, R1 ;\nIMAD R1, R5, 4, R1 ;\n"
                           "MOV R2, c[x] ;\nMOV R3, c[x+4] ;\nISETP.EQ P0, R0, 21 ;\n"
                           "ISETP.EQ P0, R1, 6, P0 ;\n@P0 STG.E.64 [R2+24], R0 ;\n"
                           "STG.E [R2], R0 ;\nLDG.E R7, [R2+28] ;\nEXIT ;\n",
                           1, 1, 64);
    WsLaunch *launch = &e->job->launches[0];
    guint64 start = e->job->buffers[0].address;
    static const struct {
        guint byte, instruction;
        gboolean found;
    } rows[] = {{23, 0, FALSE}, {24, 14, TRUE}, {31, 14, TRUE}, {32, 0, FALSE}};

    for (guint i = 0; i < 3; i++)
        launch->grid[i] = 2;
    launch->block[0] = launch->block[2] = 4;
    launch->block[1] = 2;
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        WsLastWrite watch = {.address = start + rows[i].byte};
        const WsInterpretOptions options = {.watch = &watch};
        ck_assert(ws_interpret(e->job, 0, &options, NULL, NULL));
        ck_assert_msg(watch.found == rows[i].found, "byte %u", rows[i].byte);
        if (!watch.found)
            continue;
        ck_assert_uint_eq(watch.instruction, rows[i].instruction);
        ck_assert(watch.block[0] == 0 && watch.block[1] == 1 && watch.block[2] == 1);
        ck_assert(watch.thread[0] == 1 && watch.thread[1] == 1 && watch.thread[2] == 2);
    }
    WsLastWrite last = {.address = start};
    const WsInterpretOptions options = {.watch = &last};
    ck_assert(ws_interpret(e->job, 0, &options, NULL, NULL));
    ck_assert(last.block[0] == 1 && last.block[1] == 1 && last.block[2] == 1);
    ck_assert(last.thread[0] == 3 && last.thread[1] == 1 && last.thread[2] == 3);
    engine_free(e);
}
END_TEST

/* Whether any thread came to an instruction, and whether its guard held; what was counted. */
START_TEST(reached)
{
    static const guint8 expected[] = {3, 3, 3, 1, 3, 0, 3, 3};
    Engine *e = engine_new("textbook", NULL,
                           "S2R R0, SR_TID.X ;\nISETP.GE P0, R0, 16 ;\nISETP.GE P1, R0, 99 ;\n"
                           "@P1 NOP ;\nBRA behind ;\nNOP ;\nbehind: @P0 EXIT ;\nEXIT ;\n",
                           3, 32, 1);
    guint8 seen[8] = {0};
    WsInterpretCounts counts;
    WsInterpretOptions options = {.reached = seen};

    ck_assert_uint_eq(e->job->program->instruction_count, 8);
    ck_assert(ws_interpret(e->job, 0, &options, &counts, NULL));
    ck_assert_mem_eq(seen, expected, sizeof seen);
    ck_assert_uint_eq(counts.warp_instructions, 3 * 7);
    ck_assert_uint_eq(counts.thread_instructions, 3 * (6 * 32 + 16));
    options.first_block_only = TRUE;
    ck_assert(ws_interpret(e->job, 0, &options, &counts, NULL));
    ck_assert_uint_eq(counts.warp_instructions, 7);
    engine_free(e);
}
END_TEST

/* A limit of time, of instructions, and an interrupt end a run that would go on for ever. */
START_TEST(ends)
{
    const gint now = 1;
    const WsInterpretOptions rows[] = {
        {.max_warp_instructions = 5000}, {.interrupt = &now}, {.time_limit = ws_time_limit(1e-6)}};
    static const char *const messages[] = {"more than 5000 warp instructions", "interrupt",
                                           "the limit of 1e-06 seconds"};

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        Engine *e = engine_new("textbook", NULL,
                               "loop: ISETP.EQ P0, R0, 1 ;\n@!P0 BRA loop ;\nEXIT ;\n", 1, 32, 1);
        g_autoptr(GError) error = NULL;

        ck_assert(!ws_interpret(e->job, 0, &rows[i], NULL, &error));
        ck_assert_msg(g_error_matches(error, WS_ERROR, WS_ERROR_LIMIT) &&
                          strstr(error->message, messages[i]) != NULL,
                      "%s", error->message);
        engine_free(e);
    }
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, watched);
    tcase_add_test(cases, last_write);
    tcase_add_test(cases, reached);
    tcase_add_test(cases, ends);
}

int main(void)
{
    return run_suite("interpreter_watched", add_tests);
}
