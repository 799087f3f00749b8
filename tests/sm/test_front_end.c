#include "sim/sm/front_end.h"
#include "tests/sm/units.h"
#include "tests/support/engine_fixture.h"

/* Lines of 8 instructions, a buffer of 3, a kernel that begins at instruction 16. */
static WsFetchRules rules_with(WsInstructionFetch *fetch)
{
    return (WsFetchRules){.fetch = fetch, .first = 16, .line_shift = 3, .buffer = 3};
}

/* A new warp has no line, and waits until it is set up. */
START_TEST(new_warp)
{
    WsFetchRules rules = rules_with(NULL);
    WsFrontEnd front = {.ready = 9, .line = 1, .ahead_line = 2, .looked_at = 2};

    ws_front_end_begin(&front, 40);
    ck_assert_uint_eq(front.set_up_until, 40);
    ck_assert_uint_eq(front.ready, 0);
    ck_assert_uint_eq(front.line, WS_NO_LINE);
    ck_assert_uint_eq(front.ahead_line, WS_NO_LINE);
    ck_assert(ws_front_end_moves(&front, &rules, 16));
}
END_TEST

/* At which instructions of a line the front end has something to do: where the buffer reaches
 * another line. */
START_TEST(moves)
{
    static const struct {
        guint32 pc;
        gboolean moves;
    } table[] = {{16, FALSE}, {20, FALSE}, {21, TRUE}, {24, TRUE}, {28, TRUE}, {29, TRUE}};
    WsFetchRules rules = rules_with(NULL);
    WsFrontEnd front;

    ws_front_end_begin(&front, 0);
    ws_front_end_fetch(&front, &rules, 0, 16, 0, FALSE, 0);
    ck_assert_uint_eq(front.looked_at, 0);
    for (guint i = 0; i < G_N_ELEMENTS(table); i++)
        ck_assert_msg(ws_front_end_moves(&front, &rules, table[i].pc) == table[i].moves, "pc %u",
                      table[i].pc);
    /* The buffer reaches line 1 from instruction 21 on; from there to 28 nothing is new. */
    ws_front_end_fetch(&front, &rules, 0, 21, 0, FALSE, 0);
    ck_assert(!ws_front_end_moves(&front, &rules, 28) && ws_front_end_moves(&front, &rules, 29));
    ws_front_end_lose(&front);
    ck_assert(ws_front_end_moves(&front, &rules, 21));
}
END_TEST

/*
 * A warp alone, with L1 20 cycles away and lines 0 to 3 in L0:
 * when each line is there, by the cycle at which the warp comes to an instruction.
 */
START_TEST(lines)
{
    static const struct {
        guint32 pc;
        guint64 now, free;
        gboolean before_first;
        guint64 ready; /* of the line it is in */
        guint32 ahead; /* the line behind, WS_NO_LINE: not asked for */
        guint64 ahead_ready;
        gboolean looks_again;
    } table[] = {
        {16, 100, 0, TRUE, 100, WS_NO_LINE, 0, FALSE}, /* set up at 120: asked for before that */
        {20, 124, 0, FALSE, 100, WS_NO_LINE, 0, FALSE}, {21, 125, 0, FALSE, 100, 1, 125, FALSE},
        {24, 128, 0, FALSE, 125, 1, 125, FALSE},   /* what was asked for ahead */
        {40, 140, 150, FALSE, 150, 1, 125, FALSE}, /* a jump to line 3, which is near: free then */
        {48, 200, 0, FALSE, 220, 1, 125, FALSE},   /* line 4 comes from L1 */
        {53, 205, 0, FALSE, 220, 5, 240, TRUE},    /* line 5 is asked for once line 4 is there */
        {54, 240, 0, FALSE, 220, 5, 240, FALSE},
    };
    const char *settings[] = {"fetch.l15.latency=0",    "fetch.l2.latency=0",
                              "fetch.memory.latency=0", "fetch.l1.latency=20",
                              "fetch.l1.interval=17",   "fetch.prefetch_lines=0",
                              "fetch.model=cached",     NULL};
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < 40; i++)
        g_string_append(text, "NOP ;\n");
    g_string_append(text, "EXIT ;\n");
    Engine *e = engine_new(MACHINE_WITH_CACHES, settings, text->str, 1, 32, 1);
    WsLineDirectory in_l2;
    ws_line_directory_init(&in_l2, NULL, ws_instruction_fetch_lines(e->job->program));
    WsInstructionFetch *fetch =
        ws_instruction_fetch_new(e->job->device, e->job->program, 0, &in_l2, NULL);
    WsFetchRules rules = rules_with(fetch);
    WsFrontEnd front;

    ws_instruction_fetch_begin(fetch, &e->job->program->kernels[0], FALSE, 0);
    for (guint line = 0; line < 4; line++)
        ws_instruction_fetch(fetch, 0, line, 0, line > 0); /* long ago: all are in L0 */
    ws_front_end_begin(&front, 120);
    for (guint i = 0; i < G_N_ELEMENTS(table); i++) {
        ws_front_end_fetch(&front, &rules, 0, table[i].pc, table[i].free, table[i].before_first,
                           table[i].now);
        ck_assert_msg(
            front.ready == table[i].ready && front.ahead_line == table[i].ahead &&
                (table[i].ahead == WS_NO_LINE || front.ahead_ready == table[i].ahead_ready) &&
                (front.looked_at == WS_NO_LINE) == table[i].looks_again,
            "row %u: %u, ahead %u %u, looked at %u", i, (guint)front.ready, front.ahead_line,
            (guint)front.ahead_ready, front.looked_at);
    }
    ws_instruction_fetch_free(fetch);
    ws_line_directory_clear(&in_l2);
    engine_free(e);
}
END_TEST

/* Any operand may be a constant that its cache lacks: the first of NANOSLEEP, the last of IADD3. */
START_TEST(constant_operands)
{
    static const char *const codes[] = {"NANOSLEEP c[x] ;\nEXIT ;\n",
                                        "IADD3 R4, R5, R6, c[x] ;\nEXIT ;\n",
                                        "IADD3 R4, R5, c[x], R6 ;\nEXIT ;\n"};
    const char *settings[] = {"dependences=scoreboard",  "fetch.model=cached",
                              "fetch.l1.latency=0",      "fetch.l15.latency=0",
                              "constant.l15.latency=30", NULL};

    for (guint i = 0; i < G_N_ELEMENTS(codes); i++) {
        Engine *e = engine_new(MACHINE_WITH_CACHES, settings, codes[i], 1, 32, 1);

        engine_run(e);
        ck_assert_uint_eq(engine_issue_cycle(e, 0, 0), 40);
        ck_assert_uint_eq(e->result->total.stalls[WS_STALL_IMC_MISS], 40);
        engine_free(e);
    }
}
END_TEST

void add_front_end(TCase *cases)
{
    tcase_add_test(cases, constant_operands);
    tcase_add_test(cases, new_warp);
    tcase_add_test(cases, moves);
    tcase_add_test(cases, lines);
}
