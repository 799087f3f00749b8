/* A kernel as the front end made it: numbers of what it writes, and blocks that stand for it. */
#include "isa/ir/reference.h"
#include "isa/ir/walk.h"
#include "tests/support/ir_text.h"
#include "tests/support/suite.h"

/* The branch is the last instruction of a block; a word of a register has a number of its own. */
START_TEST(words)
{
    static const struct {
        guint32 origin;
        gint reg; /* that is written, -1 = none */
        guint words;
    } rows[] = {{1, 0, 1}, {2, 2, 2}, {4, -1, 1}, {5, 1, 1}, {6, -1, 1}, {7, 4, 4}, {11, -1, 1}};
    static const WsReferenceBlock blocks[] = {{0, 5, 0, 2}, {5, 1, 2, 1}, {6, 1, 3, 0}};
    static const guint32 successors[] = {2, 1, 2};
    WsIrFunction *function = ir_from_text("S2R R0, SR_TID.X; IMAD.WIDE R2, R0, R0, RZ; "
                                          "STS [0x0], R0; MOV R1, R0 -> P0 ? 2 : 1\n"
                                          "LDS.128 R4, [R1]\n"
                                          "-> exit");

    ws_reference_keep(function);
    const WsReference *reference = function->reference;
    ck_assert_uint_eq(reference->instructions->len, G_N_ELEMENTS(rows));
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        const WsInstruction *at = &g_array_index(reference->instructions, WsInstruction, i);
        ck_assert_msg(at->origin == rows[i].origin, "instruction %u: %u", i, at->origin);
        for (guint w = 0; w < rows[i].words; w++) {
            const WsReferenceWord *word =
                &g_array_index(reference->words, WsReferenceWord, rows[i].origin + w);
            guint32 expected =
                rows[i].reg < 0 ? (guint32)WS_NO_WORD : reference->variables.first[rows[i].reg] + w;
            ck_assert_uint_eq(word->instruction, i);
            ck_assert_uint_eq(word->word, expected);
        }
    }
    ck_assert_uint_eq(reference->blocks->len, G_N_ELEMENTS(blocks));
    for (guint b = 0; b < G_N_ELEMENTS(blocks); b++) {
        const WsReferenceBlock *at = &g_array_index(reference->blocks, WsReferenceBlock, b);
        ck_assert_uint_eq(at->first, blocks[b].first);
        ck_assert_uint_eq(at->count, blocks[b].count);
        ck_assert_uint_eq(at->first_successor, blocks[b].first_successor);
        ck_assert_uint_eq(at->successor_count, blocks[b].successor_count);
        ck_assert_uint_eq(ws_ir_block(function, b)->covers->len, 1);
        ck_assert_uint_eq(g_array_index(ws_ir_block(function, b)->covers, guint32, 0), b);
    }
    for (guint i = 0; i < G_N_ELEMENTS(successors); i++)
        ck_assert_uint_eq(g_array_index(reference->successors, guint32, i), successors[i]);
    ws_ir_function_free(function);
}
END_TEST

static void check_covers(const WsIrBlock *block, const guint32 *expected, guint count)
{
    ck_assert_uint_eq(block->covers->len, count);
    for (guint i = 0; i < count; i++)
        ck_assert_uint_eq(g_array_index(block->covers, guint32, i), expected[i]);
}

/* Blocks that run others, too, with sides that run where a condition holds, and their rests. */
START_TEST(covers)
{
    WsIrFunction *function = ir_from_text("-> 1\n-> 2\n-> 3\n-> 4\n-> exit");
    const guint32 rest = ws_ir_new_block(function), none = ws_ir_new_block(function);

    ws_reference_keep(function);
    WsIrBlock *const block[] = {ws_ir_block(function, 0), ws_ir_block(function, 1),
                                ws_ir_block(function, 2), ws_ir_block(function, 3),
                                ws_ir_block(function, 4)};
    g_clear_pointer(&ws_ir_block(function, rest)->covers, g_array_unref);
    g_clear_pointer(&ws_ir_block(function, none)->covers, g_array_unref);
    ws_covers_append(block[0], block[1]);
    check_covers(block[0], (const guint32[]){0, 1}, 2);
    ws_covers_append_side(block[2], block[0], WS_COVER_SIDE);
    check_covers(block[2], (const guint32[]){2, 0 | WS_COVER_SIDE, 1 | WS_COVER_MORE}, 3);
    ws_covers_append_side(block[2], block[3], WS_COVER_OTHER_SIDE);
    ws_covers_append_side(block[4], block[2], WS_COVER_SIDE);
    check_covers(
        block[4],
        (const guint32[]){4, 2 | WS_COVER_SIDE, WS_COVER_LOST, WS_COVER_LOST, WS_COVER_LOST}, 5);
    ws_covers_append(block[1], ws_ir_block(function, none)); /* that stands for nothing */
    check_covers(block[1], (const guint32[]){1}, 1);
    ws_covers_continue(ws_ir_block(function, rest), block[0]);
    check_covers(ws_ir_block(function, rest),
                 (const guint32[]){0 | WS_COVER_CONTINUED, 1 | WS_COVER_CONTINUED}, 2);
    ws_ir_function_free(function);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, words);
    tcase_add_test(tests, covers);
}

int main(void)
{
    return run_suite("reference", add_tests);
}
