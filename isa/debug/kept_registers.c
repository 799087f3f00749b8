#include "isa/debug/kept_registers.h"

#include "isa/base/number_set.h"
#include "isa/debug/dwarf_entries.h"

#include <string.h>

static const WsIrFrame *frame_at(const WsIrModule *module, guint32 frame)
{
    return &g_array_index(module->frames, WsIrFrame, frame);
}

/* The function of the module in which a frame stands; NULL for one that was refused. */
static WsIrFunction *function_of(const WsIrModule *module, guint32 frame)
{
    while (frame_at(module, frame)->caller != 0)
        frame = frame_at(module, frame)->caller;
    const char *name = frame_at(module, frame)->kernel;
    for (guint f = 0; name != NULL && f < module->functions->len; f++) {
        WsIrFunction *function = g_ptr_array_index(module->functions, f);
        if (strcmp(function->kernel.name, name) == 0)
            return function;
    }
    return NULL;
}

static void keep(const WsIrFrame *frame, const WsDebugEntries *entries, WsIrFunction *function)
{
    const guint32 own = ws_debug_entries_function(entries, frame->ptx_line);
    const GArray *values = entries->values->values;
    if (function->kept == NULL)
        function->kept = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint v = 0; v < values->len; v++) {
        const WsMachineValue *value = &g_array_index(values, WsMachineValue, v);
        if (value->reg == NULL || own == WS_NO_SCOPE ||
            !ws_debug_scope_holds(entries, own, value->first))
            continue;
        const guint32 number = GPOINTER_TO_UINT(g_hash_table_lookup(frame->registers, value->reg));
        if (number >= WS_VIRTUAL_BASE)
            g_array_append_val(function->kept, number);
    }
}

void ws_keep_debug_registers(WsIrModule *module, const char *ptx)
{
    g_autoptr(WsDebugText) text = ws_debug_text_new(ptx);
    g_autoptr(WsVariableTable) types = ws_variable_table_new();
    g_autoptr(WsDebugEntries) entries = ws_debug_entries_new(text, types);
    for (guint32 f = 1; f < module->frames->len; f++) {
        WsIrFunction *function = function_of(module, f);
        if (function != NULL && frame_at(module, f)->registers != NULL)
            keep(frame_at(module, f), entries, function);
    }
    for (guint f = 0; f < module->functions->len; f++) {
        WsIrFunction *function = g_ptr_array_index(module->functions, f);
        if (function->kept != NULL)
            ws_number_set(function->kept);
    }
}
