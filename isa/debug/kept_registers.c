#include "isa/debug/kept_registers.h"

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

/* The lines of the function of the PTX that line `line` belongs to; none if DWARF has no such one.
 */
static WsDebugRange range_of(const WsDebugEntries *entries, guint32 line)
{
    for (guint s = 0; s < entries->scopes->len; s++) {
        const WsDebugScope *scope = &g_array_index(entries->scopes, WsDebugScope, s);
        for (guint32 r = scope->first_range;
             scope->kind == WS_SOURCE_SCOPE_KERNEL && r < scope->first_range + scope->range_count;
             r++) {
            const WsDebugRange *range = &g_array_index(entries->ranges, WsDebugRange, r);
            if (line >= range->first && line < range->end)
                return *range;
        }
    }
    return (WsDebugRange){0, 0};
}

static void keep(const WsIrFrame *frame, const WsDebugEntries *entries, WsIrFunction *function)
{
    const WsDebugRange range = range_of(entries, frame->ptx_line);
    const GArray *values = entries->values->values;
    if (function->kept == NULL)
        function->kept = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint v = 0; v < values->len; v++) {
        const WsMachineValue *value = &g_array_index(values, WsMachineValue, v);
        if (value->reg == NULL || value->first < range.first || value->first >= range.end)
            continue;
        const guint32 number = GPOINTER_TO_UINT(g_hash_table_lookup(frame->registers, value->reg));
        if (number >= WS_VIRTUAL_BASE)
            g_array_append_val(function->kept, number);
    }
}

static gint compare_numbers(gconstpointer a, gconstpointer b)
{
    const guint32 x = *(const guint32 *)a, y = *(const guint32 *)b;
    return x < y ? -1 : x > y;
}

static void drop_repeated(GArray *numbers)
{
    guint kept = 0;
    g_array_sort(numbers, compare_numbers);
    for (guint i = 0; i < numbers->len; i++) {
        const guint32 number = g_array_index(numbers, guint32, i);
        if (kept == 0 || g_array_index(numbers, guint32, kept - 1) != number)
            g_array_index(numbers, guint32, kept++) = number;
    }
    g_array_set_size(numbers, kept);
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
            drop_repeated(function->kept);
    }
}
