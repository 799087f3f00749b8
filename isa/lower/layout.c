/* Where variables and parameters lie. */
#include "isa/base/kernel_names.h"
#include "isa/base/size.h"
#include "isa/lower/bodies.h"
#include "isa/lower/device_launch.h"
#include "isa/lower/heap.h"

#include <string.h>

static guint64 align_up(guint64 value, guint64 align)
{
    return align == 0 ? value : (value + align - 1) / align * align;
}

/* ---- variables of the module ---- */

/* An extern declaration stands for the definition of the same name, if there is one. */
static const WsPtxVariable *definition_of(const WsPtxModule *module, const WsPtxVariable *variable)
{
    const WsPtxVariable *other = NULL;
    if (variable->is_extern)
        other = g_hash_table_lookup(module->variable_map, variable->name);
    return other != NULL ? other : variable;
}

static WsType symbol_type(WsPtxType type)
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

static void place(WsPtxLower *lower, const WsPtxVariable *variable, guint64 address)
{
    guint64 *stored = g_new(guint64, 1);
    *stored = address;
    g_hash_table_insert(lower->addresses, (gpointer)variable, stored);
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

static gboolean place_variables(WsPtxLower *lower)
{
    const guint64 module_limit = 64 << 20;
    guint64 global = 0;
    guint64 constant = 0;
    for (guint i = 0; i < lower->module->variables->len; i++) {
        const WsPtxVariable *v = g_ptr_array_index(lower->module->variables, i);
        if (v->is_extern || v->space == WS_PTX_SPACE_SHARED)
            continue;
        gboolean is_constant = v->space == WS_PTX_SPACE_CONST;
        guint64 *end = is_constant ? &constant : &global;
        *end = align_up(*end, v->align);
        place(lower, v, is_constant ? *end : WS_MODULE_WINDOW + *end);
        *end += v->size;
        if (*end > (is_constant ? WS_CONSTANT_BANK_BYTES : module_limit)) {
            ws_lower_fail(lower, &v->position, "variables of over %s",
                          is_constant ? "64 KiB of constant memory" : "64 MiB");
            return FALSE;
        }
    }
    if (names_grid_memory(lower->module)) {
        global = align_up(global, GRID_MEMORY_BYTES);
        lower->grid_memory = WS_MODULE_WINDOW + global;
        global += GRID_MEMORY_BYTES;
    }
    if (ws_ptx_uses_heap(lower->module)) {
        global = align_up(global, WS_PTX_HEAP_ALIGN);
        lower->heap = WS_MODULE_WINDOW + global;
        global += WS_PTX_HEAP_BYTES;
    }
    lower->ir->module_bytes = global;
    lower->ir->constant_bytes = (guint32)constant;
    lower->ir->constants = g_malloc0(constant + 1);
    return TRUE;
}

static void put_address(WsPtxVariable *variable, const WsPtxRelocation *r, guint64 value)
{
    value >>= r->shift;
    for (guint b = 0; b < r->bytes && r->offset + b < variable->initial->len; b++)
        variable->initial->data[r->offset + b] = (guint8)(value >> (8 * b));
}

static guint64 address_of_function(const WsPtxLower *lower, const WsPtxFunction *function)
{
    if (function->is_entry)
        return ws_lower_kernel_number(function);
    guint32 number = ws_ptx_call_number(lower->calls, function);
    if (number == G_MAXUINT32)
        return 0;
    return lower->calls->first_address + (guint64)WS_PTX_FUNCTION_BYTES * number;
}

/* One that is not defined (a pure virtual function's place in a table) has the address 0. */
static gboolean relocate_function(WsPtxLower *lower, WsPtxVariable *variable,
                                  const WsPtxRelocation *r)
{
    const WsPtxFunction *function = g_hash_table_lookup(lower->module->function_map, r->symbol);
    if (function == NULL)
        return FALSE;
    put_address(variable, r, address_of_function(lower, function) + (guint64)r->addend);
    return TRUE;
}

static gboolean relocate(WsPtxLower *lower, WsPtxVariable *variable)
{
    for (guint i = 0; variable->relocations != NULL && i < variable->relocations->len; i++) {
        const WsPtxRelocation *r = &g_array_index(variable->relocations, WsPtxRelocation, i);
        if (relocate_function(lower, variable, r))
            continue;
        const WsPtxVariable *target = g_hash_table_lookup(lower->module->variable_map, r->symbol);
        const guint64 *address =
            target == NULL ? NULL : g_hash_table_lookup(lower->addresses, target);
        if (address == NULL) {
            ws_lower_fail(lower, &r->position, "'%s' is not a variable of the module", r->symbol);
            return FALSE;
        }
        guint64 value = (target->placed != 0 ? target->placed : *address) + (guint64)r->addend;
        if (r->generic && target->space == WS_PTX_SPACE_CONST)
            value += WS_CONSTANT_WINDOW;
        put_address(variable, r, value);
    }
    return TRUE;
}

static void add_symbol(WsPtxLower *lower, const WsPtxVariable *v, guint64 address)
{
    gboolean is_constant = v->space == WS_PTX_SPACE_CONST;
    WsSymbol symbol = {.name = g_strdup(v->name),
                       .space = is_constant ? WS_SYMBOL_CONSTANT : WS_SYMBOL_GLOBAL,
                       .type = symbol_type(v->type),
                       .address = address,
                       .size = v->size,
                       .align = v->align};
    if (v->initial != NULL) {
        symbol.initial = g_memdup2(v->initial->data, v->initial->len);
        if (is_constant)
            memcpy(lower->ir->constants + address, v->initial->data, v->initial->len);
    }
    g_array_append_val(lower->ir->symbols, symbol);
}

gboolean ws_ptx_layout_module(WsPtxLower *lower)
{
    if (!place_variables(lower))
        return FALSE;
    for (guint i = 0; i < lower->module->variables->len; i++) {
        WsPtxVariable *v = g_ptr_array_index(lower->module->variables, i);
        const guint64 *address = g_hash_table_lookup(lower->addresses, v);
        if (address == NULL)
            continue;
        if (!relocate(lower, v))
            return FALSE;
        add_symbol(lower, v, *address);
    }
    return TRUE;
}

/* ---- shared memory of a kernel ---- */

static void note_variable(WsPtxLower *lower, const WsPtxVariable *variable, GHashTable *used)
{
    if (variable == NULL || variable->space != WS_PTX_SPACE_SHARED)
        return;
    g_hash_table_add(used, (gpointer)definition_of(lower->module, variable));
}

/* Shared variables that the kernel and the functions it calls name; whether they name the system's
 * part. */
static GHashTable *find_shared(WsPtxLower *lower, gboolean *ret_reserved)
{
    GHashTable *used = g_hash_table_new(NULL, NULL);
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    g_autoptr(GPtrArray) work = g_ptr_array_new();
    g_ptr_array_add(work, (gpointer)lower->kernel);
    g_hash_table_add(seen, (gpointer)lower->kernel);
    *ret_reserved = FALSE;
    while (work->len > 0) {
        const WsPtxFunction *function = g_ptr_array_steal_index(work, work->len - 1);
        for (guint i = 0; i < function->operands->len; i++) {
            const WsPtxOperand *o = &g_array_index(function->operands, WsPtxOperand, i);
            note_variable(lower, o->variable, used);
            *ret_reserved |=
                o->kind == WS_PTX_SPECIAL && strcmp(o->name, WS_PTX_RESERVED_SHARED) == 0;
            if (o->kind != WS_PTX_FUNCTION)
                continue;
            gpointer callee = g_hash_table_lookup(lower->module->function_map, o->name);
            if (callee != NULL && g_hash_table_add(seen, callee))
                g_ptr_array_add(work, callee);
        }
    }
    return used;
}

/* For messages. Variables come by rising offset; dynamic ones have size 0. */
static void list_shared(WsKernel *kernel, WsSharedVariable variable)
{
    kernel->shared = g_renew(WsSharedVariable, kernel->shared, kernel->shared_count + 1);
    kernel->shared[kernel->shared_count++] = variable;
}

static void name_shared(WsPtxLower *lower, const WsPtxVariable *variable, guint64 offset)
{
    if (!variable->is_extern && variable->size == 0)
        return;
    list_shared(&lower->function->kernel,
                (WsSharedVariable){.name = ws_variable_display_name(variable->name),
                                   .type = symbol_type(variable->type),
                                   .offset = (guint32)offset,
                                   .size = variable->is_extern ? 0 : (guint32)variable->size,
                                   .align = variable->align});
}

static void put_shared(WsPtxLower *lower, const WsPtxVariable *variable, guint64 offset)
{
    g_hash_table_insert(lower->shared, (gpointer)variable, GUINT_TO_POINTER((guint)offset + 1));
    name_shared(lower, variable, offset);
}

/* `bytes` with this variable, the first one beyond the limit. */
static void refuse_shared(WsPtxLower *lower, const WsPtxVariable *variable, guint64 bytes)
{
    g_autofree char *name = ws_kernel_display_name(lower->kernel->name);
    ws_lower_fail(lower, &variable->position,
                  "kernel '%s' has more than %d bytes of static shared memory (%" G_GUINT64_FORMAT
                  "): declare the array extern and launch with dynamic_shared_bytes",
                  name, WS_PTX_MAX_SHARED_BYTES, bytes);
}

/*
 * What groups of more than a warp keep in the system's part of a GPU's shared memory is here behind
 * the kernel's own variables, and counted as such. Returns the new end.
 */
static guint64 reserve_shared(WsPtxLower *lower, guint64 end)
{
    enum { ALIGN = 16, BYTES = 1024 }; /* what sm_90 reserves in each block */
    end = align_up(end, ALIGN);
    lower->reserved_shared = (guint32)end;
    list_shared(&lower->function->kernel, (WsSharedVariable){.name = g_strdup("(reserved)"),
                                                             .type = WS_TYPE_BYTES,
                                                             .offset = (guint32)end,
                                                             .size = BYTES,
                                                             .align = ALIGN});
    return end + BYTES;
}

/* In the order of declaration; dynamic arrays all start behind the static ones. */
static gboolean layout_shared(WsPtxLower *lower)
{
    gboolean reserved;
    g_autoptr(GHashTable) used = find_shared(lower, &reserved);
    guint64 end = 0;
    guint64 dynamic_align = 0;
    for (guint i = 0; i < lower->module->variables->len; i++) {
        const WsPtxVariable *v = g_ptr_array_index(lower->module->variables, i);
        if (!g_hash_table_contains(used, v))
            continue;
        if (v->is_extern) {
            dynamic_align = MAX(dynamic_align, MAX(v->align, 16));
            continue;
        }
        end = align_up(end, v->align);
        put_shared(lower, v, end);
        end += v->size;
        if (end > WS_PTX_MAX_SHARED_BYTES) {
            refuse_shared(lower, v, end);
            return FALSE;
        }
    }
    WsKernel *kernel = &lower->function->kernel;
    kernel->uses_dynamic_shared = dynamic_align != 0;
    if (reserved)
        end = reserve_shared(lower, end);
    end = align_up(end, dynamic_align);
    kernel->static_shared_bytes = (guint32)end;
    for (guint i = 0; i < lower->module->variables->len; i++) {
        const WsPtxVariable *v = g_ptr_array_index(lower->module->variables, i);
        if (v->is_extern && g_hash_table_contains(used, v))
            put_shared(lower, v, end);
    }
    return TRUE;
}

/* ---- parameters and limits of a kernel ---- */

static gboolean layout_parameters(WsPtxLower *lower)
{
    WsKernel *kernel = &lower->function->kernel;
    GPtrArray *list = lower->kernel->parameters;
    guint64 end = 0;
    kernel->parameters = g_new0(WsParameter, list->len + 1);
    for (guint i = 0; i < list->len; i++) {
        const WsPtxVariable *v = g_ptr_array_index(list, i);
        guint64 size = v->size;
        if (v->space != WS_PTX_SPACE_PARAM || size == 0) {
            ws_lower_fail(lower, &v->position, "parameter '%s' of a kernel needs a size", v->name);
            return FALSE;
        }
        end = align_up(end, v->align);
        gboolean scalar = size == ws_ptx_type_bits(v->type) / 8;
        kernel->parameters[i] = (WsParameter){.name = g_strdup(v->name),
                                              .type = scalar ? symbol_type(v->type) : WS_TYPE_BYTES,
                                              .offset = (guint32)end,
                                              .size = (guint32)size,
                                              .align = v->align};
        kernel->parameter_count++;
        guint place = lower->options->parameter_base + (guint)end;
        g_hash_table_insert(lower->kernel_parameters, (gpointer)v, GUINT_TO_POINTER(place));
        end += size;
        if (end > WS_MAX_PARAMETER_BYTES) {
            ws_lower_fail(lower, &v->position, "over %d bytes of parameters",
                          WS_MAX_PARAMETER_BYTES);
            return FALSE;
        }
    }
    kernel->parameter_bytes = (guint32)end;
    return TRUE;
}

static guint32 product(const guint32 n[3])
{
    return (guint32)MIN(ws_size_volume(n), G_MAXUINT32);
}

gboolean ws_ptx_layout_kernel(WsPtxLower *lower)
{
    const WsPtxFunction *source = lower->kernel;
    WsKernel *kernel = &lower->function->kernel;
    kernel->name = g_strdup(source->name);
    kernel->display_name = ws_kernel_display_name(source->name);
    memcpy(kernel->required_block, source->required_block, sizeof kernel->required_block);
    kernel->max_threads = product(source->max_threads);
    kernel->min_blocks = source->min_blocks;
    kernel->registers = source->max_registers;
    return layout_parameters(lower) && layout_shared(lower);
}

/* ---- look-up ---- */

WsOperand ws_lower_texture_reference(WsPtxLower *lower, const WsPtxVariable *variable,
                                     const WsPosition *position)
{
    gpointer place;
    variable = definition_of(lower->frame->module, variable);
    const guint64 *address = g_hash_table_lookup(lower->addresses, variable);
    if (variable->type == WS_PTX_TEXREF && address != NULL)
        return ws_operand_constant(3, (guint32)*address);
    if (variable->size == 8 &&
        g_hash_table_lookup_extended(lower->kernel_parameters, variable, NULL, &place))
        return ws_operand_constant(0, GPOINTER_TO_UINT(place));
    ws_lower_fail(lower, position, "'%s' is not a texture reference", variable->name);
    return ws_operand_zero();
}

guint64 ws_lower_function_address(WsPtxLower *lower, const WsPtxOperand *operand)
{
    const WsPtxFunction *function =
        g_hash_table_lookup(lower->frame->module->function_map, operand->name);
    guint64 address = function == NULL ? 0 : address_of_function(lower, function);
    if (address == 0)
        ws_lower_fail(lower, &operand->position,
                      "'%s' has no address: it is not a device function that is defined in this "
                      "file",
                      operand->name);
    return address;
}

gboolean ws_lower_is_stacked(const WsPtxLower *lower, const WsPtxVariable *variable)
{
    return lower->frame->stacked && g_hash_table_contains(lower->frame->locals, variable);
}

WsOperand ws_lower_stacked_place(WsPtxLower *lower, const WsPtxVariable *variable, guint64 offset)
{
    WsOperand place = ws_lower_temporary(lower, 1);
    guint at = GPOINTER_TO_UINT(g_hash_table_lookup(lower->frame->locals, variable)) - 1;
    ws_lower_add(lower, place, ws_lower_stack_pointer(lower),
                 ws_operand_immediate((guint32)(at + offset)));
    return place;
}

guint64 ws_lower_address_of(WsPtxLower *lower, const WsPtxVariable *variable,
                            const WsPosition *position)
{
    gpointer found;
    variable = definition_of(lower->frame->module, variable);
    const guint64 *address = g_hash_table_lookup(lower->addresses, variable);
    if (variable->type == WS_PTX_TEXREF) {
        ws_lower_fail(lower, position, "the address of texture reference '%s' is not supported",
                      variable->name);
        return 0;
    }
    if (address != NULL)
        return variable->placed != 0 ? variable->placed : *address;
    found = g_hash_table_lookup(lower->shared, variable);
    if (found == NULL)
        found = g_hash_table_lookup(lower->frame->locals, variable);
    if (found != NULL)
        return GPOINTER_TO_UINT(found) - 1;
    if (g_hash_table_lookup_extended(lower->kernel_parameters, variable, NULL, &found))
        return GPOINTER_TO_UINT(found);
    ws_lower_fail(lower, position, "the address of '%s' is not known here", variable->name);
    return 0;
}
