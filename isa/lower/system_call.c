/*
 * Functions that CUDA's system has on the device, and no program defines: vprintf, which printf is
 * made of, __assertfail and cudaGraphSetConditional, each an instruction here, where a GPU runs
 * code of its driver; malloc and free, which are code (heap.h).
 */
#include "isa/lower/device_launch.h"
#include "isa/lower/passing.h"

#include "isa/bytecode/opcode.h"

#include <string.h>

static WsOperand pair_of(WsLowerStatement *lower, const WsPtxOperand *passed)
{
    WsOperand words[2];
    ws_lower_passed_words(lower, passed, 2, words);
    return ws_lower_pair(lower, words[0], words[1]);
}

/* int vprintf(const char *format, const void *arguments) */
static void lower_vprintf(WsLowerStatement *lower, const WsPtxCallParts *call)
{
    const WsPtxOperand *wanted = ws_lower_wanted_result(call);
    WsOperand result = ws_operand_zero();
    WsOperand format = pair_of(lower, &call->actual[0]);
    if (wanted != NULL)
        ws_lower_passed_words(lower, wanted, 1, &result);
    EMIT(lower, VPRINTF, result, format, pair_of(lower, &call->actual[1]));
}

/* Words of a passed value, behind each other in a register of several. */
static void pass(WsLowerStatement *lower, const WsPtxOperand *passed, guint count, WsOperand to,
                 guint at)
{
    WsOperand words[2];
    ws_lower_passed_words(lower, passed, count, words);
    for (guint w = 0; w < count; w++)
        ws_lower_move(lower, ws_operand_word(to, at + w), words[w]);
}

/* void __assertfail(const char *text, const char *file, unsigned line, const char *function,
 * size_t) */
static void lower_assertfail(WsLowerStatement *lower, const WsPtxCallParts *call)
{
    WsOperand texts = ws_lower_temporary(lower, 4), place = ws_lower_temporary(lower, 4);
    pass(lower, &call->actual[0], 2, texts, 0);
    pass(lower, &call->actual[1], 2, texts, 2);
    pass(lower, &call->actual[3], 2, place, 0);
    pass(lower, &call->actual[2], 1, place, 2);
    ws_lower_move(lower, ws_operand_word(place, 3), ws_operand_zero());
    WsInstruction *end = ws_lower_end(lower, WS_OP_ASSERTFAIL);
    end->operand[0] = texts;
    end->operand[1] = place;
}

static WsPtxValue heap_of(const WsLowerModule *module)
{
    return (WsPtxValue){{ws_operand_immediate((guint32)module->heap),
                         ws_operand_immediate((guint32)(module->heap >> 32))}};
}

/* void *malloc(size_t bytes) */
static void lower_malloc(WsLowerStatement *lower, const WsPtxCallParts *call)
{
    WsPtxValue values[2] = {{{ws_operand_zero(), ws_operand_zero()}},
                            heap_of(lower->kernel->module)};
    WsOperand place = ws_lower_result_of_library(lower, call, 2);
    ws_lower_passed_words(lower, &call->actual[0], 2, values[0].word);
    ws_lower_call_library(lower, "__ws_malloc", values, 2, place);
}

/* void free(void *pointer) */
static void lower_free(WsLowerStatement *lower, const WsPtxCallParts *call)
{
    WsPtxValue values[2] = {{{ws_operand_zero(), ws_operand_zero()}},
                            heap_of(lower->kernel->module)};
    ws_lower_passed_words(lower, &call->actual[0], 2, values[0].word);
    ws_lower_call_library(lower, "__ws_free", values, 2, ws_operand_zero());
}

/* void cudaGraphSetConditional(handle, unsigned value): the handle is the address of the value. */
static void lower_set_conditional(WsLowerStatement *lower, const WsPtxCallParts *call)
{
    WsOperand word, address = pair_of(lower, &call->actual[0]);
    ws_lower_passed_words(lower, &call->actual[1], 1, &word);
    address.kind = WS_OPERAND_ADDRESS;
    address.uniform = WS_URZ;
    address.value = 0;
    WsInstruction *store = EMIT(lower, STG, address, word);
    store->mod[WS_MOD_WIDTH] = WS_WIDTH_32;
    store->mod[WS_MOD_ADDRESS] = TRUE;
}

static const struct {
    const char *name;
    guint8 arguments, results;
    void (*lower)(WsLowerStatement *lower, const WsPtxCallParts *call);
} system_calls[] = {
    {"vprintf", 2, 1, lower_vprintf},
    {"__assertfail", 5, 0, lower_assertfail},
    {"malloc", 1, 1, lower_malloc},
    {"free", 1, 0, lower_free},
    {"cudaGraphSetConditional", 2, 0, lower_set_conditional},
};

gboolean ws_lower_system_call(WsLowerStatement *lower, const WsPtxCallParts *parts)
{
    const char *name = parts->callee->name;
    if (ws_lower_launch_call(lower, parts))
        return TRUE;
    for (guint i = 0; i < G_N_ELEMENTS(system_calls); i++) {
        if (strcmp(system_calls[i].name, name) != 0)
            continue;
        if (parts->actual_count != system_calls[i].arguments ||
            parts->result_count > system_calls[i].results)
            ws_lower_fail(lower->kernel, &lower->statement->position,
                          "'%s' takes %u arguments and gives %u results", name,
                          system_calls[i].arguments, system_calls[i].results);
        else
            system_calls[i].lower(lower, parts);
        return TRUE;
    }
    return FALSE;
}
