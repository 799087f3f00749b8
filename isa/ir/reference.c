#include "isa/ir/reference.h"

static void reference_clear(gpointer data)
{
    WsReference *reference = data;
    g_array_unref(reference->instructions);
    g_array_unref(reference->blocks);
    g_array_unref(reference->successors);
    g_array_unref(reference->words);
    ws_variables_clear(&reference->variables);
}

WsReference *ws_reference_ref(WsReference *reference)
{
    return reference == NULL ? NULL : g_rc_box_acquire(reference);
}

void ws_reference_unref(WsReference *reference)
{
    if (reference != NULL)
        g_rc_box_release_full(reference, reference_clear);
}

/* Numbers the words of the first result, and the instruction itself if it has none. */
static void keep_instruction(WsReference *reference, WsInstruction *instruction)
{
    const WsOperand *result = &instruction->operand[0];
    WsReferenceWord word = {reference->instructions->len, WS_NO_WORD};
    guint words = 0;
    if (instruction->operand_count > 0 && result->kind == WS_OPERAND_REGISTER &&
        ws_operand_is_destination(instruction, 0) && result->index >= WS_VIRTUAL_BASE) {
        words = ws_operand_width(instruction, 0);
        word.word = reference->variables.first[result->index - WS_VIRTUAL_BASE] + result->bank;
    }
    instruction->origin = reference->words->len;
    g_array_append_val(reference->words, word);
    for (guint w = 1; w < words; w++) {
        word.word++;
        g_array_append_val(reference->words, word);
    }
    g_array_append_val(reference->instructions, *instruction);
}

static void keep_block(WsReference *reference, WsIrBlock *block, guint32 number)
{
    WsReferenceBlock kept = {reference->instructions->len, ws_ir_length(block),
                             reference->successors->len, ws_ir_successor_count(block)};
    for (guint i = 0; i < kept.count; i++)
        keep_instruction(reference, ws_ir_instruction(block, i));
    for (guint n = 0; n < kept.successor_count; n++) {
        const guint32 to = ws_ir_successor(block, n);
        g_array_append_val(reference->successors, to);
    }
    g_array_append_val(reference->blocks, kept);
    block->covers = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_array_append_val(block->covers, number);
}

void ws_reference_keep(WsIrFunction *function)
{
    WsReference *reference = g_rc_box_new0(WsReference);
    const WsReferenceWord none = {G_MAXUINT32, WS_NO_WORD};
    reference->instructions = g_array_new(FALSE, FALSE, sizeof(WsInstruction));
    reference->blocks = g_array_new(FALSE, FALSE, sizeof(WsReferenceBlock));
    reference->successors = g_array_new(FALSE, FALSE, sizeof(guint32));
    reference->words = g_array_new(FALSE, FALSE, sizeof(WsReferenceWord));
    g_array_append_val(reference->words, none);
    ws_variables_init(&reference->variables, function);
    for (guint32 b = 0; b < function->blocks->len; b++)
        keep_block(reference, ws_ir_block(function, b), b);
    function->reference = reference;
}

/* ---- covers ------------------------------------------------------------------------------------
 */

static void append(WsIrBlock *block, guint32 entry)
{
    if (block->covers == NULL)
        block->covers = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_array_append_val(block->covers, entry);
}

void ws_covers_append(WsIrBlock *block, const WsIrBlock *other)
{
    for (guint i = 0; other->covers != NULL && i < other->covers->len; i++)
        append(block, g_array_index(other->covers, guint32, i));
}

/* Sides in sides are not followed. */
void ws_covers_append_side(WsIrBlock *block, const WsIrBlock *side, guint32 flag)
{
    for (guint i = 0; side->covers != NULL && i < side->covers->len; i++) {
        const guint32 entry = g_array_index(side->covers, guint32, i);
        const gboolean nested = (entry & WS_COVER_FLAGS) != 0;
        append(block, nested ? (guint32)WS_COVER_LOST : entry | (i == 0 ? flag : WS_COVER_MORE));
    }
}

void ws_covers_continue(WsIrBlock *rest, const WsIrBlock *block)
{
    for (guint i = 0; block->covers != NULL && i < block->covers->len; i++)
        append(rest, g_array_index(block->covers, guint32, i) | WS_COVER_CONTINUED);
}
