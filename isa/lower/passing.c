/* Values that calls pass to functions and take from them. */
#include "isa/lower/passing.h"

#include "isa/bytecode/opcode.h"

GArray *ws_lower_parameter_words(WsLowerKernel *kernel, WsPtxFrame *frame,
                                 const WsPtxVariable *variable)
{
    GArray *words = g_hash_table_lookup(frame->parameters, variable);
    if (words != NULL || variable->size > WS_PTX_MAX_PASSED_BYTES)
        return words;
    words = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint64 offset = 0; offset < variable->size; offset += 4) {
        guint32 r = ws_ir_new_register(kernel->ir, 1);
        g_array_append_val(words, r);
    }
    g_hash_table_insert(frame->parameters, (gpointer)variable, words);
    return words;
}

guint32 *ws_lower_formal_register(WsLowerKernel *kernel, WsPtxFrame *frame,
                                  const WsPtxVariable *formal)
{
    guint32 *number = &frame->registers[formal->reg];
    if (*number == 0)
        *number = formal->type == WS_PTX_PRED
                      ? ws_ir_new_predicate(kernel->ir)
                      : ws_ir_new_register(kernel->ir, ws_lower_words(formal->type));
    return number;
}

void ws_lower_formal_words(WsLowerKernel *kernel, WsPtxFrame *frame, const WsPtxVariable *formal,
                           WsPtxPassed *ret)
{
    ret->count = 0;
    ret->is_predicate = formal->space == WS_PTX_SPACE_REG && formal->type == WS_PTX_PRED;
    if (formal->space == WS_PTX_SPACE_REG) {
        guint32 number = *ws_lower_formal_register(kernel, frame, formal);
        ret->words[0] =
            ret->is_predicate ? ws_operand_predicate(number) : ws_operand_register(number);
        ret->count = ws_lower_words(formal->type);
        for (guint w = 1; w < ret->count; w++)
            ret->words[w] = ws_operand_word(ret->words[0], w);
        return;
    }
    GArray *words = ws_lower_parameter_words(kernel, frame, formal);
    for (guint i = 0; words != NULL && i < words->len; i++)
        ret->words[ret->count++] = ws_operand_register(g_array_index(words, guint32, i));
}

/* `count` words are wanted of an operand that is not a .param variable. */
void ws_lower_actual_words(WsLowerStatement *lower, const WsPtxOperand *actual, guint count,
                           gboolean predicate, WsPtxType type, WsPtxPassed *ret)
{
    ret->count = count;
    if (actual->kind == WS_PTX_VARIABLE && actual->variable->space == WS_PTX_SPACE_PARAM) {
        ws_lower_formal_words(lower->kernel, lower->frame, actual->variable, ret);
    } else if (predicate) {
        ret->words[0] = ws_lower_predicate_of(lower, actual);
    } else {
        for (guint w = 0; w < count; w++)
            ret->words[w] = ws_lower_operand_word(lower, actual, type, w);
    }
}

void ws_lower_copy_words(WsLowerStatement *lower, const WsPtxPassed *to, const WsPtxPassed *from,
                         gboolean predicate)
{
    if (predicate)
        EMIT(lower, PLOP3, to->words[0], ws_operand_none(), from->words[0], ws_operand_none(),
             ws_operand_none(), ws_operand_immediate(0xf0), ws_operand_immediate(0));
    for (guint w = 0; !predicate && w < MIN(to->count, from->count); w++)
        ws_lower_move(lower, to->words[w], from->words[w]);
}

void ws_lower_passed_words(WsLowerStatement *lower, const WsPtxOperand *passed, guint count,
                           WsOperand *ret)
{
    g_autofree WsPtxPassed *words = g_new(WsPtxPassed, 1);
    ws_lower_actual_words(lower, passed, count, FALSE, count == 2 ? WS_PTX_B64 : WS_PTX_B32, words);
    for (guint w = 0; w < count; w++)
        ret[w] = w < words->count ? words->words[w] : ws_operand_zero();
}

const WsPtxOperand *ws_lower_wanted_result(const WsPtxCallParts *call)
{
    return call->result_count == 0 || call->results->kind == WS_PTX_SINK ? NULL : call->results;
}

WsOperand ws_lower_result_of_library(WsLowerStatement *lower, const WsPtxCallParts *call,
                                     guint count)
{
    const WsPtxOperand *wanted = ws_lower_wanted_result(call);
    WsOperand place = ws_lower_temporary(lower, count), words[2];
    if (wanted == NULL)
        return place;
    ws_lower_passed_words(lower, wanted, count, words);
    for (guint w = 0; w < count; w++)
        ws_lower_move_when_done(lower, words[w], ws_operand_word(place, w));
    return place;
}
