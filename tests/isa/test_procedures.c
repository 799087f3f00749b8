/* Functions that are called: which blocks they have, who calls whom, and what callers hold. */
#include "isa/bytecode/opcode.h"
#include "isa/converge/convergence.h"
#include "isa/ir/walk.h"
#include "tests/support/ir_text.h"
#include "tests/support/suite.h"

enum { FIRST = 1, SECOND = 2 }; /* procedures; the kernel is 0 */

/* A kernel that calls both; the second calls the first, and itself. */
static const char text[] = "-> 1\n"    /* 0 */
                           "-> exit\n" /* 1: calls the first */
                           "-> exit\n" /* 2: calls the first */
                           "-> exit\n" /* 3: calls the second */
                           "-> exit\n"
                           "-> 6\n" /* 5, 6: the first */
                           "-> exit\n"
                           "ISETP.GE P0, R0, 4 -> P0 ? 8 : 9\n" /* 7 to 10: the second */
                           "-> exit\n"                          /* 8: calls itself */
                           "-> exit\n"                          /* 9: calls the first */
                           "-> exit";

static void put_call(WsIrFunction *function, guint32 at, guint32 procedure, guint32 place,
                     guint32 to, gboolean recursive)
{
    WsIrBlock *block = ws_ir_block(function, at);
    WsIrSite site = {.body = procedure - 1, .place = place, .recursive = recursive};

    g_array_append_val(function->sites, site);
    ws_instruction_init(&block->branch, WS_OP_CALL);
    block->taken = to;
    block->site = function->sites->len;
}

/* Returns to the blocks of the list, which WS_NO_NODE ends. */
static void put_return(WsIrFunction *function, guint32 at, guint32 procedure, const guint32 *behind)
{
    WsIrBlock *block = ws_ir_block(function, at);

    ws_instruction_init(&block->branch, WS_OP_RET);
    block->body = procedure;
    block->table = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (; *behind != WS_NO_NODE; behind++)
        g_array_append_val(block->table, *behind);
}

static WsIrFunction *make_function(void)
{
    WsIrFunction *function = ir_from_text(text);

    function->bodies = 2;
    put_call(function, 1, FIRST, 0, 5, FALSE);
    put_call(function, 2, FIRST, 1, 5, FALSE);
    put_call(function, 3, SECOND, 0, 7, FALSE);
    put_call(function, 8, SECOND, 1, 7, TRUE);
    put_call(function, 9, FIRST, 2, 5, FALSE);
    put_return(function, 6, FIRST, (const guint32[]){2, 3, 10, WS_NO_NODE});
    put_return(function, 10, SECOND, (const guint32[]){4, 10, WS_NO_NODE});
    return function;
}

START_TEST(who_has_what)
{
    static const guint32 of[] = {0, 0, 0, 0, 0, FIRST, FIRST, SECOND, SECOND, SECOND, SECOND};
    static const guint32 order[] = {0, SECOND, FIRST}; /* callers first */
    static const guint32 calls[][4] = {{1, 2, 3, WS_NO_NODE}, {WS_NO_NODE}, {9, WS_NO_NODE}};
    WsIrFunction *function = make_function();
    g_autoptr(WsJoins) joins = ws_joins_new(function);
    WsProcedures *procedures = ws_procedures_new(function, joins);

    for (guint32 b = 0; b < G_N_ELEMENTS(of); b++) {
        ck_assert_msg(procedures->of[b] == of[b], "block %u: %u", b, procedures->of[b]);
        ck_assert_msg(procedures->recurs[b] == (b == 8), "block %u", b);
    }
    ck_assert_uint_eq(procedures->count, 3);
    for (guint32 p = 0; p < 3; p++) {
        guint32 count = 0;
        ck_assert_uint_eq(procedures->order[p], order[p]);
        while (calls[p][count] != WS_NO_NODE)
            count++;
        const WsGraph *of_calls = procedures->calls;
        ck_assert_uint_eq(of_calls->first[p + 1] - of_calls->first[p], count);
        for (guint32 i = 0; i < count; i++)
            ck_assert_uint_eq(of_calls->successors[of_calls->first[p] + i], calls[p][i]);
    }
    ws_procedures_free(procedures);
    ws_ir_function_free(function);
}
END_TEST

/* A procedure holds what any of its callers holds or has begun where it calls. */
START_TEST(what_callers_hold)
{
    const guint32 inside[11] = {[1] = 1, [2] = 2, [9] = 16, [4] = 128};
    const guint32 begun[11] = {[2] = 4, [3] = 8, [8] = 64};
    WsIrFunction *function = make_function();
    g_autoptr(WsJoins) joins = ws_joins_new(function);
    WsProcedures *procedures = ws_procedures_new(function, joins);

    for (guint32 i = 0; i < procedures->count; i++)
        ws_procedures_hold(procedures, procedures->order[i], inside, begun);
    ck_assert_uint_eq(procedures->held[0], 0);
    ck_assert_uint_eq(procedures->held[SECOND], 8);
    ck_assert_uint_eq(procedures->held[FIRST], 1 | 2 | 4 | 8 | 16);
    ws_procedures_free(procedures);
    ws_ir_function_free(function);
}
END_TEST

/* A body that is come to from its own blocks, too, gets one in front; the others stay. */
START_TEST(bodies_that_begin_with_a_loop)
{
    WsIrFunction *function = make_function();
    guint32 count = function->blocks->len;

    ws_ir_block(function, 5)->next = 6;
    g_clear_pointer(&ws_ir_block(function, 6)->table, g_array_unref);
    ws_instruction_init(&ws_ir_block(function, 6)->branch, WS_OP_NOP);
    ws_ir_block(function, 6)->next = 5;
    ws_free_bodies(function);
    ck_assert_uint_eq(function->blocks->len, count + 1);
    ck_assert_uint_eq(ws_ir_block(function, count)->next, 5);
    ck_assert_uint_eq(ws_ir_block(function, 1)->taken, count);
    ck_assert_uint_eq(ws_ir_block(function, 2)->taken, count);
    ck_assert_uint_eq(ws_ir_block(function, 9)->taken, count);
    ck_assert_uint_eq(ws_ir_block(function, 3)->taken, 7);
    ck_assert_uint_eq(ws_ir_block(function, 8)->taken, 7);
    ws_ir_function_free(function);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, who_has_what);
    tcase_add_test(tests, what_callers_hold);
    tcase_add_test(tests, bodies_that_begin_with_a_loop);
}

int main(void)
{
    return run_suite("procedures", add_tests);
}
