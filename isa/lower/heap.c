#include "isa/lower/heap.h"

#include "isa/lower/call_graph.h"

#include <string.h>

static gboolean is_heap_function(const WsPtxModule *module, const char *name)
{
    const WsPtxFunction *function = g_hash_table_lookup(module->function_map, name);
    return (strcmp(name, "malloc") == 0 || strcmp(name, "free") == 0) &&
           (function == NULL || !function->has_body);
}

gboolean ws_ptx_uses_heap(const WsPtxModule *module)
{
    for (guint f = 0; f < module->functions->len; f++) {
        const WsPtxFunction *function = module->functions->pdata[f];
        for (guint i = 0; i < function->statements->len; i++) {
            const WsPtxStatement *s = &g_array_index(function->statements, WsPtxStatement, i);
            if (s->kind != WS_PTX_STATEMENT_INSTRUCTION || strcmp(s->opcode, "call") != 0)
                continue;
            WsPtxCallParts parts = ws_ptx_call_parts(function, s);
            if (parts.callee != NULL && parts.callee->name != NULL &&
                is_heap_function(module, parts.callee->name))
                return TRUE;
        }
    }
    return FALSE;
}
