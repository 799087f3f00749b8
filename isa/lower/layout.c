/* Where the parameters and variables of a kernel lie. */
#include "isa/base/kernel_names.h"
#include "isa/base/size.h"
#include "isa/lower/bodies.h"

#include <string.h>

/* ---- shared memory of a kernel ---- */

/* Shared variables that the kernel and the functions it calls name; whether they name the system's
 * part. */
static GHashTable *find_shared(const WsLowerKernel *kernel, gboolean *ret_reserved)
{
    const WsPtxModule *module = kernel->module->ptx;
    GHashTable *used = g_hash_table_new(NULL, NULL);
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    g_autoptr(GPtrArray) work = g_ptr_array_new();
    g_ptr_array_add(work, (gpointer)kernel->ptx);
    g_hash_table_add(seen, (gpointer)kernel->ptx);
    *ret_reserved = FALSE;
    while (work->len > 0) {
        const WsPtxFunction *function = g_ptr_array_steal_index(work, work->len - 1);
        for (guint i = 0; i < function->operands->len; i++) {
            const WsPtxOperand *o = &g_array_index(function->operands, WsPtxOperand, i);
            if (o->variable != NULL && o->variable->space == WS_PTX_SPACE_SHARED)
                g_hash_table_add(used, (gpointer)ws_lower_definition(module, o->variable));
            *ret_reserved |=
                o->kind == WS_PTX_SPECIAL && strcmp(o->name, WS_PTX_RESERVED_SHARED) == 0;
            if (o->kind != WS_PTX_FUNCTION)
                continue;
            gpointer callee = g_hash_table_lookup(module->function_map, o->name);
            if (callee != NULL && g_hash_table_add(seen, callee))
                g_ptr_array_add(work, callee);
        }
    }
    return used;
}

/* For messages. Variables come by rising offset; dynamic ones have size 0. */
static void list_shared(WsKernel *facts, WsSharedVariable variable)
{
    facts->shared = g_renew(WsSharedVariable, facts->shared, facts->shared_count + 1);
    facts->shared[facts->shared_count++] = variable;
}

static void name_shared(WsLowerKernel *kernel, const WsPtxVariable *variable, guint64 offset)
{
    if (!variable->is_extern && variable->size == 0)
        return;
    list_shared(&kernel->ir->kernel,
                (WsSharedVariable){.name = ws_variable_display_name(variable->name),
                                   .type = ws_lower_symbol_type(variable->type),
                                   .offset = (guint32)offset,
                                   .size = variable->is_extern ? 0 : (guint32)variable->size,
                                   .align = variable->align});
}

static void put_shared(WsLowerKernel *kernel, const WsPtxVariable *variable, guint64 offset)
{
    ws_lower_put_place(kernel->shared, variable, offset);
    name_shared(kernel, variable, offset);
}

/* `bytes` with this variable, the first one beyond the limit. */
static void refuse_shared(WsLowerKernel *kernel, const WsPtxVariable *variable, guint64 bytes)
{
    g_autofree char *name = ws_kernel_display_name(kernel->ptx->name);
    ws_lower_fail(kernel, &variable->position,
                  "kernel '%s' has more than %d bytes of static shared memory (%" G_GUINT64_FORMAT
                  "): declare the array extern and launch with dynamic_shared_bytes",
                  name, WS_PTX_MAX_SHARED_BYTES, bytes);
}

/*
 * What groups of more than a warp keep in the system's part of a GPU's shared memory is here behind
 * the kernel's own variables, and counted as such. Returns the new end.
 */
static guint64 reserve_shared(WsLowerKernel *kernel, guint64 end)
{
    enum { ALIGN = 16, BYTES = 1024 }; /* what sm_90 reserves in each block */
    end = ws_size_align_up(end, ALIGN);
    kernel->reserved_shared = (guint32)end;
    list_shared(&kernel->ir->kernel, (WsSharedVariable){.name = g_strdup("(reserved)"),
                                                        .type = WS_TYPE_BYTES,
                                                        .offset = (guint32)end,
                                                        .size = BYTES,
                                                        .align = ALIGN});
    return end + BYTES;
}

/* In the order of declaration; dynamic arrays all start behind the static ones. */
static gboolean layout_shared(WsLowerKernel *kernel)
{
    const GPtrArray *variables = kernel->module->ptx->variables;
    WsKernel *facts = &kernel->ir->kernel;
    gboolean reserved;
    g_autoptr(GHashTable) used = find_shared(kernel, &reserved);
    guint64 end = 0;
    guint64 dynamic_align = 0;
    for (guint i = 0; i < variables->len; i++) {
        const WsPtxVariable *v = g_ptr_array_index(variables, i);
        if (!g_hash_table_contains(used, v))
            continue;
        if (v->is_extern) {
            dynamic_align = MAX(dynamic_align, MAX(v->align, 16));
            continue;
        }
        end = ws_size_align_up(end, v->align);
        put_shared(kernel, v, end);
        end += v->size;
        if (end > WS_PTX_MAX_SHARED_BYTES) {
            refuse_shared(kernel, v, end);
            return FALSE;
        }
    }
    facts->uses_dynamic_shared = dynamic_align != 0;
    if (reserved)
        end = reserve_shared(kernel, end);
    end = ws_size_align_up(end, dynamic_align);
    facts->static_shared_bytes = (guint32)end;
    for (guint i = 0; i < variables->len; i++) {
        const WsPtxVariable *v = g_ptr_array_index(variables, i);
        if (v->is_extern && g_hash_table_contains(used, v))
            put_shared(kernel, v, end);
    }
    return TRUE;
}

/* ---- parameters and limits of a kernel ---- */

static gboolean layout_parameters(WsLowerKernel *kernel)
{
    WsKernel *facts = &kernel->ir->kernel;
    GPtrArray *list = kernel->ptx->parameters;
    guint64 end = 0;
    facts->parameters = g_new0(WsParameter, list->len + 1);
    for (guint i = 0; i < list->len; i++) {
        const WsPtxVariable *v = g_ptr_array_index(list, i);
        guint64 size = v->size;
        if (v->space != WS_PTX_SPACE_PARAM || size == 0) {
            ws_lower_fail(kernel, &v->position, "parameter '%s' of a kernel needs a size", v->name);
            return FALSE;
        }
        end = ws_size_align_up(end, v->align);
        gboolean scalar = size == ws_ptx_type_bits(v->type) / 8;
        facts->parameters[i] =
            (WsParameter){.name = g_strdup(v->name),
                          .type = scalar ? ws_lower_symbol_type(v->type) : WS_TYPE_BYTES,
                          .offset = (guint32)end,
                          .size = (guint32)size,
                          .align = v->align};
        facts->parameter_count++;
        ws_lower_put_place(kernel->parameters, v, kernel->module->options->parameter_base + end);
        end += size;
        if (end > WS_MAX_PARAMETER_BYTES) {
            ws_lower_fail(kernel, &v->position, "over %d bytes of parameters",
                          WS_MAX_PARAMETER_BYTES);
            return FALSE;
        }
    }
    facts->parameter_bytes = (guint32)end;
    return TRUE;
}

static guint32 product(const guint32 n[3])
{
    return (guint32)MIN(ws_size_volume(n), G_MAXUINT32);
}

gboolean ws_lower_place_kernel(WsLowerKernel *kernel)
{
    const WsPtxFunction *source = kernel->ptx;
    WsKernel *facts = &kernel->ir->kernel;
    facts->name = g_strdup(source->name);
    facts->display_name = ws_kernel_display_name(source->name);
    memcpy(facts->required_block, source->required_block, sizeof facts->required_block);
    facts->max_threads = product(source->max_threads);
    facts->min_blocks = source->min_blocks;
    facts->registers = source->max_registers;
    return layout_parameters(kernel) && layout_shared(kernel);
}

/* ---- look-up ---- */

WsOperand ws_lower_texture_reference(WsLowerStatement *lower, const WsPtxVariable *variable,
                                     const WsPosition *position)
{
    WsLowerKernel *kernel = lower->kernel;
    variable = ws_lower_definition(lower->frame->module, variable);
    const guint64 *address = g_hash_table_lookup(kernel->module->addresses, variable);
    if (variable->type == WS_PTX_TEXREF && address != NULL)
        return ws_operand_constant(3, (guint32)*address);
    const guint64 *place = g_hash_table_lookup(kernel->parameters, variable);
    if (variable->size == 8 && place != NULL)
        return ws_operand_constant(0, (guint32)*place);
    ws_lower_fail(kernel, position, "'%s' is not a texture reference", variable->name);
    return ws_operand_zero();
}

guint64 ws_lower_function_address(WsLowerStatement *lower, const WsPtxOperand *operand)
{
    const WsPtxFunction *function =
        g_hash_table_lookup(lower->frame->module->function_map, operand->name);
    guint64 address =
        function == NULL ? 0 : ws_lower_address_of_function(lower->kernel->module, function);
    if (address == 0)
        ws_lower_fail(lower->kernel, &operand->position,
                      "'%s' has no address: it is not a device function that is defined in this "
                      "file",
                      operand->name);
    return address;
}

gboolean ws_lower_is_stacked(const WsPtxFrame *frame, const WsPtxVariable *variable)
{
    return frame->stacked && g_hash_table_contains(frame->locals, variable);
}

WsOperand ws_lower_stacked_place(WsLowerStatement *lower, const WsPtxVariable *variable,
                                 guint64 offset)
{
    WsOperand place = ws_lower_temporary(lower, 1);
    const guint64 *at = g_hash_table_lookup(lower->frame->locals, variable);
    ws_lower_add(lower, place, ws_lower_stack_pointer(lower->kernel),
                 ws_operand_immediate((guint32)(*at + offset)));
    return place;
}

guint64 ws_lower_address_of(WsLowerStatement *lower, const WsPtxVariable *variable,
                            const WsPosition *position)
{
    WsLowerKernel *kernel = lower->kernel;
    variable = ws_lower_definition(lower->frame->module, variable);
    if (variable->type == WS_PTX_TEXREF) {
        ws_lower_fail(kernel, position, "the address of texture reference '%s' is not supported",
                      variable->name);
        return 0;
    }
    const guint64 *place = g_hash_table_lookup(kernel->module->addresses, variable);
    if (place != NULL && variable->placed != 0)
        return variable->placed;
    if (place == NULL)
        place = g_hash_table_lookup(kernel->shared, variable);
    if (place == NULL)
        place = g_hash_table_lookup(lower->frame->locals, variable);
    if (place == NULL)
        place = g_hash_table_lookup(kernel->parameters, variable);
    if (place != NULL)
        return *place;
    ws_lower_fail(kernel, position, "the address of '%s' is not known here", variable->name);
    return 0;
}
