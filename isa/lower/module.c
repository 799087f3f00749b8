/* Where the variables of a module lie, and what is looked up in it. */
#include "isa/lower/module.h"

#include "isa/base/size.h"
#include "isa/lower/device_launch.h"
#include "isa/lower/heap.h"
#include "isa/ptx/library.h"

#include <string.h>

/* ---- variables ---- */

const WsPtxVariable *ws_lower_definition(const WsPtxModule *module, const WsPtxVariable *variable)
{
    const WsPtxVariable *other = NULL;
    if (variable->is_extern)
        other = g_hash_table_lookup(module->variable_map, variable->name);
    return other != NULL ? other : variable;
}

WsType ws_lower_symbol_type(WsPtxType type)
{
    static const guint8 types[WS_PTX_TYPE_COUNT] = {
        [WS_PTX_S8] = WS_TYPE_S8,         [WS_PTX_S16] = WS_TYPE_S16,
        [WS_PTX_S32] = WS_TYPE_S32,       [WS_PTX_S64] = WS_TYPE_S64,
        [WS_PTX_U8] = WS_TYPE_U8,         [WS_PTX_U16] = WS_TYPE_U16,
        [WS_PTX_U32] = WS_TYPE_U32,       [WS_PTX_U64] = WS_TYPE_U64,
        [WS_PTX_B8] = WS_TYPE_B8,         [WS_PTX_B16] = WS_TYPE_B16,
        [WS_PTX_B32] = WS_TYPE_B32,       [WS_PTX_B64] = WS_TYPE_B64,
        [WS_PTX_F16] = WS_TYPE_F16,       [WS_PTX_BF16] = WS_TYPE_BF16,
        [WS_PTX_F32] = WS_TYPE_F32,       [WS_PTX_F64] = WS_TYPE_F64,
        [WS_PTX_TEXREF] = WS_TYPE_TEXREF, [WS_PTX_F16X2] = WS_TYPE_B32,
        [WS_PTX_BF16X2] = WS_TYPE_B32};
    return types[type];
}

GHashTable *ws_lower_places_new(void)
{
    return g_hash_table_new_full(NULL, NULL, NULL, g_free);
}

void ws_lower_put_place(GHashTable *places, const WsPtxVariable *variable, guint64 place)
{
    guint64 *stored = g_new(guint64, 1);
    *stored = place;
    g_hash_table_insert(places, (gpointer)variable, stored);
}

/*
 * %envreg1 and %envreg2 are the address of memory that the driver gives to a launch, zero at first.
 * Grids of nvcc's cooperative groups wait at a barrier in there, and leave it as the next one needs
 * it.
 */
enum { GRID_MEMORY_BYTES = 128 };

static gboolean names_grid_memory(const WsPtxModule *module)
{
    for (guint f = 0; f < module->functions->len; f++) {
        const WsPtxFunction *function = g_ptr_array_index(module->functions, f);
        for (guint i = 0; i < function->operands->len; i++) {
            const WsPtxOperand *operand = &g_array_index(function->operands, WsPtxOperand, i);
            if (operand->kind == WS_PTX_SPECIAL &&
                strcmp(operand->name, WS_PTX_GRID_MEMORY_LOW) == 0)
                return TRUE;
        }
    }
    return FALSE;
}

static gboolean assign_addresses(WsLowerModule *module, GError **error)
{
    const guint64 module_limit = 64 << 20;
    guint64 global = 0;
    guint64 constant = 0;
    for (guint i = 0; i < module->ptx->variables->len; i++) {
        const WsPtxVariable *v = g_ptr_array_index(module->ptx->variables, i);
        if (v->is_extern || v->space == WS_PTX_SPACE_SHARED)
            continue;
        gboolean is_constant = v->space == WS_PTX_SPACE_CONST;
        guint64 *end = is_constant ? &constant : &global;
        *end = ws_size_align_up(*end, v->align);
        ws_lower_put_place(module->addresses, v, is_constant ? *end : WS_MODULE_WINDOW + *end);
        *end += v->size;
        if (*end > (is_constant ? WS_CONSTANT_BANK_BYTES : module_limit)) {
            ws_set_error_at(error, WS_ERROR_INPUT, &v->position, "variables of over %s",
                            is_constant ? "64 KiB of constant memory" : "64 MiB");
            return FALSE;
        }
    }
    if (names_grid_memory(module->ptx)) {
        global = ws_size_align_up(global, GRID_MEMORY_BYTES);
        module->grid_memory = WS_MODULE_WINDOW + global;
        global += GRID_MEMORY_BYTES;
    }
    if (ws_ptx_uses_heap(module->ptx)) {
        global = ws_size_align_up(global, WS_PTX_HEAP_ALIGN);
        module->heap = WS_MODULE_WINDOW + global;
        global += WS_PTX_HEAP_BYTES;
    }
    module->ir->module_bytes = global;
    module->ir->constant_bytes = (guint32)constant;
    module->ir->constants = g_malloc0(constant + 1);
    return TRUE;
}

static void put_address(WsPtxVariable *variable, const WsPtxRelocation *r, guint64 value)
{
    value >>= r->shift;
    for (guint b = 0; b < r->bytes && r->offset + b < variable->initial->len; b++)
        variable->initial->data[r->offset + b] = (guint8)(value >> (8 * b));
}

guint64 ws_lower_address_of_function(const WsLowerModule *module, const WsPtxFunction *function)
{
    if (function->is_entry)
        return ws_lower_kernel_number(function);
    guint32 number = ws_ptx_call_number(module->calls, function);
    if (number == G_MAXUINT32)
        return 0;
    return module->calls->first_address + (guint64)WS_PTX_FUNCTION_BYTES * number;
}

/* One that is not defined (a pure virtual function's place in a table) has the address 0. */
static gboolean relocate_function(WsLowerModule *module, WsPtxVariable *variable,
                                  const WsPtxRelocation *r)
{
    const WsPtxFunction *function = g_hash_table_lookup(module->ptx->function_map, r->symbol);
    if (function == NULL)
        return FALSE;
    put_address(variable, r, ws_lower_address_of_function(module, function) + (guint64)r->addend);
    return TRUE;
}

static gboolean relocate(WsLowerModule *module, WsPtxVariable *variable, GError **error)
{
    for (guint i = 0; variable->relocations != NULL && i < variable->relocations->len; i++) {
        const WsPtxRelocation *r = &g_array_index(variable->relocations, WsPtxRelocation, i);
        if (relocate_function(module, variable, r))
            continue;
        const WsPtxVariable *target = g_hash_table_lookup(module->ptx->variable_map, r->symbol);
        const guint64 *address =
            target == NULL ? NULL : g_hash_table_lookup(module->addresses, target);
        if (address == NULL) {
            ws_set_error_at(error, WS_ERROR_INPUT, &r->position,
                            "'%s' is not a variable of the module", r->symbol);
            return FALSE;
        }
        guint64 value = (target->placed != 0 ? target->placed : *address) + (guint64)r->addend;
        if (r->generic && target->space == WS_PTX_SPACE_CONST)
            value += WS_CONSTANT_WINDOW;
        put_address(variable, r, value);
    }
    return TRUE;
}

static void add_symbol(WsLowerModule *module, const WsPtxVariable *v, guint64 address)
{
    gboolean is_constant = v->space == WS_PTX_SPACE_CONST;
    WsSymbol symbol = {.name = g_strdup(v->name),
                       .space = is_constant ? WS_SYMBOL_CONSTANT : WS_SYMBOL_GLOBAL,
                       .type = ws_lower_symbol_type(v->type),
                       .address = address,
                       .size = v->size,
                       .align = v->align};
    if (v->initial != NULL) {
        symbol.initial = g_memdup2(v->initial->data, v->initial->len);
        if (is_constant)
            memcpy(module->ir->constants + address, v->initial->data, v->initial->len);
    }
    g_array_append_val(module->ir->symbols, symbol);
}

gboolean ws_lower_place_variables(WsLowerModule *module, GError **error)
{
    if (!assign_addresses(module, error))
        return FALSE;
    for (guint i = 0; i < module->ptx->variables->len; i++) {
        WsPtxVariable *v = g_ptr_array_index(module->ptx->variables, i);
        const guint64 *address = g_hash_table_lookup(module->addresses, v);
        if (address == NULL)
            continue;
        if (!relocate(module, v, error))
            return FALSE;
        add_symbol(module, v, *address);
    }
    return TRUE;
}

/* ---- functions and files ---- */

const WsPtxFunction *ws_lower_library_function(WsLowerModule *module, const char *name,
                                               GError **error)
{
    if (module->library == NULL) {
        gsize length;
        const char *text = ws_ptx_library_text(&length);
        module->library = ws_ptx_parse("ptx_library.ptx", text, length, error);
        if (module->library == NULL)
            return NULL;
    }
    const WsPtxFunction *function = g_hash_table_lookup(module->library->function_map, name);
    return function != NULL && function->has_body ? function : NULL;
}

guint32 ws_lower_file_index(WsLowerModule *module, const char *name)
{
    GPtrArray *files = module->ir->files;
    for (guint i = 0; i < files->len; i++)
        if (strcmp(g_ptr_array_index(files, i), name) == 0)
            return i;
    g_ptr_array_add(files, g_strdup(name));
    return files->len - 1;
}
