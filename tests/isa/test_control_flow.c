#include "isa/bytecode/opcode.h"
#include "isa/flow/control_flow.h"
#include "isa/flow/dominators.h"
#include "isa/flow/loops.h"

#include <check.h>
#include <stdlib.h>

static WsGraph *graph_of(guint32 count, const char *text)
{
    g_autoptr(GArray) edges = g_array_new(FALSE, FALSE, sizeof(WsEdge));
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    for (char **word = words; *word != NULL; word++) {
        char *end;
        WsEdge edge = {(guint32)strtoul(*word, &end, 10), 0};
        edge.to = (guint32)strtoul(end + 1, NULL, 10);
        g_array_append_val(edges, edge);
    }
    return ws_graph_new(count, (const WsEdge *)(gpointer)edges->data, edges->len);
}

START_TEST(test_diamond)
{
    g_autoptr(WsGraph) graph = graph_of(4, "0>1 0>2 1>3 2>3");
    guint32 count;
    g_autofree guint32 *order = ws_graph_reverse_post_order(graph, 0, &count);
    ck_assert_uint_eq(count, 4);
    ck_assert_uint_eq(order[0], 0);
    ck_assert_uint_eq(order[3], 3);
    g_autofree guint32 *dominator = ws_graph_dominators(graph, 0);
    ck_assert_uint_eq(dominator[3], 0);
    ck_assert_uint_eq(dominator[1], 0);
    g_autofree guint32 *post = ws_graph_post_dominators(graph);
    ck_assert_uint_eq(post[0], 3);
    ck_assert_uint_eq(post[1], 3);
    ck_assert_uint_eq(post[3], 4);
}
END_TEST

START_TEST(test_unreached)
{
    g_autoptr(WsGraph) graph = graph_of(3, "0>1 2>1");
    guint32 count;
    g_autofree guint32 *order = ws_graph_reverse_post_order(graph, 0, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(order[1], 1);
    g_autofree guint32 *dominator = ws_graph_dominators(graph, 0);
    ck_assert_uint_eq(dominator[2], WS_NO_NODE);
    ck_assert_uint_eq(dominator[1], 0);
}
END_TEST

START_TEST(test_loops_nest)
{
    /* 1..4 is a loop, 2..3 one inside it; 5 is behind. */
    g_autoptr(WsGraph) graph = graph_of(6, "0>1 1>2 2>3 3>2 3>4 4>1 4>5");
    g_autoptr(WsLoops) loops = ws_graph_loops(graph, 0);
    ck_assert_uint_eq(loops->loop_count, 2);
    static const guint32 depth[] = {0, 1, 2, 2, 1, 0};
    for (guint32 n = 0; n < 6; n++) {
        ck_assert_uint_eq(ws_loop_depth(loops, n), depth[n]);
    }
    ck_assert_uint_eq(loops->loops[1].parent, 0);
}
END_TEST

START_TEST(test_irreducible_is_no_loop)
{
    g_autoptr(WsGraph) graph = graph_of(4, "0>1 0>2 1>2 2>1 1>3");
    g_autoptr(WsLoops) loops = ws_graph_loops(graph, 0);
    ck_assert_uint_eq(loops->loop_count, 0);
    g_autofree guint32 *dominator = ws_graph_dominators(graph, 0);
    ck_assert_uint_eq(dominator[1], 0);
    ck_assert_uint_eq(dominator[2], 0);
}
END_TEST

START_TEST(test_endless_loop_has_joins)
{
    g_autoptr(WsGraph) graph = graph_of(5, "0>1 1>2 1>3 2>4 3>4 4>1");
    g_autofree guint32 *post = ws_graph_post_dominators(graph);
    ck_assert_uint_eq(post[1], 4);
    ck_assert_uint_eq(post[4], 5);
}
END_TEST

/* Whoever goes from 1 to the endless loop at 3 comes nowhere else: the others meet at 4. */
START_TEST(test_ways_into_endless_loops_do_not_count)
{
    g_autoptr(WsGraph) graph = graph_of(6, "0>1 0>4 1>2 1>3 2>4 3>3 4>5");
    g_autofree guint32 *post = ws_graph_post_dominators(graph);
    ck_assert_uint_eq(post[0], 4);
    ck_assert_uint_eq(post[1], 2);
    ck_assert_uint_eq(post[3], 6);
}
END_TEST

/* Dominance by definition: b is out of reach once a is taken away. */
static gboolean dominates_by_definition(const WsGraph *graph, guint32 a, guint32 b)
{
    g_autofree guint8 *seen = g_new0(guint8, graph->count);
    g_autofree guint32 *stack = g_new(guint32, graph->count);
    guint32 depth = 0;
    seen[a] = TRUE;
    if (a != 0) {
        seen[0] = TRUE;
        stack[depth++] = 0;
    }
    while (depth > 0) {
        guint32 node = stack[--depth];
        for (guint32 e = graph->first[node]; e < graph->first[node + 1]; e++) {
            if (!seen[graph->successors[e]]) {
                seen[graph->successors[e]] = TRUE;
                stack[depth++] = graph->successors[e];
            }
        }
    }
    return a == b || !seen[b];
}

START_TEST(test_random_graphs)
{
    GRand *random = g_rand_new_with_seed(20);
    for (guint round = 0; round < 200; round++) {
        guint32 count = (guint32)g_rand_int_range(random, 2, 12);
        guint32 edge_count = (guint32)g_rand_int_range(random, 1, 25);
        WsEdge edges[25];
        for (guint32 e = 0; e < edge_count; e++) {
            edges[e].from = (guint32)g_rand_int_range(random, 0, (gint32)count);
            edges[e].to = (guint32)g_rand_int_range(random, 0, (gint32)count);
        }
        g_autoptr(WsGraph) graph = ws_graph_new(count, edges, edge_count);
        g_autofree guint32 *dominator = ws_graph_dominators(graph, 0);
        g_autoptr(WsDominance) dominance = ws_dominance_new(dominator, count);
        for (guint32 b = 0; b < count; b++) {
            for (guint32 a = 0; a < count && dominator[b] != WS_NO_NODE; a++) {
                ck_assert_int_eq(ws_dominance_holds(dominance, a, b),
                                 dominates_by_definition(graph, a, b));
            }
        }
    }
    g_rand_free(random);
}
END_TEST

START_TEST(test_thousands_of_blocks)
{
    enum { ROUNDS = 20000 };
    g_autofree WsEdge *edges = g_new(WsEdge, 4 * ROUNDS);
    gsize count = 0;
    for (guint32 i = 0; i < ROUNDS; i++) {
        edges[count++] = (WsEdge){3 * i, 3 * i + 1};
        edges[count++] = (WsEdge){3 * i, 3 * i + 2};
        edges[count++] = (WsEdge){3 * i + 1, 3 * i + 3};
        edges[count++] = (WsEdge){3 * i + 2, 3 * i + 3};
    }
    g_autoptr(WsGraph) graph = ws_graph_new(3 * ROUNDS + 1, edges, count);
    g_autofree guint32 *post = ws_graph_post_dominators(graph);
    g_autofree guint32 *dominator = ws_graph_dominators(graph, 0);
    for (guint32 i = 0; i < ROUNDS; i++) {
        ck_assert_uint_eq(post[3 * i], 3 * i + 3);
        ck_assert_uint_eq(dominator[3 * i + 3], 3 * i);
    }
}
END_TEST

START_TEST(test_program_blocks)
{
    /* 0 @P0 BRA 3; 1 NOP; 2 BRA 4; 3 NOP; 4 @P1 EXIT; 5 BRA 0 */
    WsInstruction code[6];
    ws_instruction_init(&code[0], WS_OP_BRA);
    code[0].guard = 0;
    ws_branch_set_target(&code[0], 3);
    ws_instruction_init(&code[1], WS_OP_NOP);
    ws_instruction_init(&code[2], WS_OP_BRA);
    ws_branch_set_target(&code[2], 4);
    ws_instruction_init(&code[3], WS_OP_NOP);
    ws_instruction_init(&code[4], WS_OP_EXIT);
    code[4].guard = 1;
    ws_instruction_init(&code[5], WS_OP_BRA);
    ws_branch_set_target(&code[5], 0);
    g_autoptr(WsControlFlow) flow = ws_control_flow_new(code, 0, 6);
    ck_assert_uint_eq(flow->block_count, 5);
    ck_assert(!flow->falls_off);
    ck_assert_uint_eq(flow->block_of[2], 1);
    g_autofree guint32 *post = ws_graph_post_dominators(flow->graph);
    ck_assert_uint_eq(post[0], 3);
    g_autoptr(WsControlFlow) part = ws_control_flow_new(code, 0, 4);
    ck_assert(part->falls_off);
}
END_TEST

START_TEST(test_branch_table)
{
    /* 0 BRX 1; 1 BRA 4; 2 BRA 5; 3 EXIT; 4 EXIT; 5 EXIT */
    WsInstruction code[6];
    ws_instruction_init(&code[0], WS_OP_BRX);
    ws_branch_set_target(&code[0], 1);
    for (guint i = 1; i < 6; i++) {
        ws_instruction_init(&code[i], i < 3 ? WS_OP_BRA : WS_OP_EXIT);
    }
    ws_branch_set_target(&code[1], 4);
    ws_branch_set_target(&code[2], 5);
    g_autoptr(WsControlFlow) flow = ws_control_flow_new(code, 0, 6);
    guint32 count;
    g_free(ws_graph_reverse_post_order(flow->graph, 0, &count));
    ck_assert_uint_eq(count, 5);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("control_flow");
    TCase *all = tcase_create("all");
    tcase_add_test(all, test_diamond);
    tcase_add_test(all, test_unreached);
    tcase_add_test(all, test_loops_nest);
    tcase_add_test(all, test_irreducible_is_no_loop);
    tcase_add_test(all, test_endless_loop_has_joins);
    tcase_add_test(all, test_ways_into_endless_loops_do_not_count);
    tcase_add_test(all, test_random_graphs);
    tcase_add_test(all, test_thousands_of_blocks);
    tcase_add_test(all, test_program_blocks);
    tcase_add_test(all, test_branch_table);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_SILENT);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
