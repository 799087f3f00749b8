#include "isa/ir/variables.h"

void ws_variables_init(WsVariables *ret, const WsIrFunction *function)
{
    guint count = function->registers->len;
    ret->first = g_new(guint32, count + 1);
    guint32 words = 0;
    for (guint r = 0; r < count; r++) {
        ret->first[r] = words;
        words += g_array_index(function->registers, WsIrRegister, r).words;
    }
    ret->first[count] = words;
    ret->word_count = words;
    ret->count = words + function->predicate_count;
}

void ws_variables_clear(WsVariables *variables)
{
    g_clear_pointer(&variables->first, g_free);
}

guint ws_variables_of(const WsVariables *variables, const WsRegisterAccess *access,
                      guint32 *ret_first)
{
    if (access->index < WS_VIRTUAL_BASE)
        return 0;
    guint32 index = access->index - WS_VIRTUAL_BASE;
    if (access->file == WS_FILE_PREDICATE) {
        *ret_first = variables->word_count + index;
        return 1;
    }
    if (access->file != WS_FILE_REGISTER)
        return 0;
    *ret_first = variables->first[index] + access->word;
    guint32 end = variables->first[index + 1];
    return *ret_first < end ? MIN(access->words, end - *ret_first) : 0;
}

void ws_variables_count(const WsVariables *variables, const WsIrFunction *function, guint32 *reads,
                        guint32 *writes)
{
    for (guint32 b = 0; b < function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(function, b);
        for (guint i = 0; i < ws_ir_length(block); i++) {
            WsRegisterAccess accesses[WS_MAX_ACCESSES];
            guint count = ws_instruction_accesses(ws_ir_instruction(block, i), accesses);
            for (guint a = 0; a < count; a++) {
                guint32 first = 0;
                guint words = ws_variables_of(variables, &accesses[a], &first);
                guint32 *of = accesses[a].write ? writes : reads;
                for (guint w = 0; w < words && of != NULL; w++)
                    of[first + w]++;
            }
        }
    }
}

void ws_variable_counts_init(WsVariableCounts *ret, const WsIrFunction *function)
{
    ws_variables_init(&ret->variables, function);
    ret->reads = g_new0(guint32, ret->variables.count + 1);
    ret->writes = g_new0(guint32, ret->variables.count + 1);
    ws_variables_count(&ret->variables, function, ret->reads, ret->writes);
}

void ws_variable_counts_clear(WsVariableCounts *counts)
{
    g_free(counts->reads);
    g_free(counts->writes);
    ws_variables_clear(&counts->variables);
}
