/*
 * Accesses that end up in another array than the one that their address is made from. Which one
 * that is, the PTX of the program says (isa/ptx/address_base.h).
 */
#include "isa/base/kernel_names.h"
#include "sim/check/private.h"

#include <string.h>

void ws_check_bounds_clear(WsCheck *check)
{
    for (guint32 i = 0; check->meant != NULL && i < check->job->program->instruction_count; i++)
        g_free(check->meant[i].name);
    g_clear_pointer(&check->meant, g_free);
}

/* ---- what is meant ------------------------------------------------------------------------------
 */

static void mean_shared(const WsCheck *check, const WsPtxVariable *variable, WsCheckArray *ret)
{
    const WsKernel *kernel = check->kernel;
    g_autofree char *name = ws_variable_display_name(variable->name);
    const WsSharedVariable *found = NULL;

    for (guint32 v = 0; v < kernel->shared_count; v++) {
        if (strcmp(kernel->shared[v].name, name) != 0)
            continue;
        if (found != NULL) /* two of one name in two scopes */
            return;
        found = &kernel->shared[v];
    }
    if (found == NULL)
        return;
    *ret =
        (WsCheckArray){.space = WS_SPACE_SHARED,
                       .start = found->offset,
                       .size = found->size != 0 ? found->size : check->shared_bytes - found->offset,
                       .name = g_steal_pointer(&name)};
}

static void mean_symbol(const WsCheck *check, const WsPtxVariable *variable, WsCheckArray *ret)
{
    const WsSymbol *symbol = ws_program_find_symbol(check->job->program, variable->name);

    if (symbol == NULL || symbol->space != WS_SYMBOL_GLOBAL)
        return;
    *ret = (WsCheckArray){.space = WS_SPACE_GLOBAL,
                          .start = symbol->address,
                          .size = symbol->size,
                          .name = ws_variable_display_name(variable->name)};
}

static void mean_buffer(const WsCheck *check, const WsPtxAddressBase *base, WsCheckArray *ret)
{
    const WsLaunch *launch = &check->job->launches[check->launch];
    guint32 offset = G_MAXUINT32;

    for (guint32 p = 0; p < check->kernel->parameter_count; p++)
        if (strcmp(check->kernel->parameters[p].name, base->variable->name) == 0)
            offset = check->kernel->parameters[p].offset + base->offset;
    for (guint32 r = 0; r < launch->reference_count; r++) {
        const WsBuffer *buffer = &check->job->buffers[launch->references[r].buffer];

        if (launch->references[r].parameter_offset == offset)
            *ret = (WsCheckArray){.space = WS_SPACE_GLOBAL,
                                  .start = buffer->address,
                                  .size = buffer->bytes,
                                  .name = g_strdup(buffer->name)};
    }
}

void ws_check_bounds_begin(WsCheck *check)
{
    const WsProgram *program = check->job->program;

    ws_check_bounds_clear(check);
    check->meant = g_new0(WsCheckArray, MAX(program->instruction_count, 1));
    if (check->bases == NULL)
        return;
    for (guint32 i = check->kernel->first; i < check->kernel->first + check->kernel->count; i++) {
        const WsInstruction *instruction = &program->instructions[i];
        const WsPtxAddressBase *base = &check->bases[ws_check_ptx_line(check, i)];

        if (!ws_kind_is_memory(ws_opcode_info(instruction->opcode)->kind) || base->variable == NULL)
            continue;
        if (base->is_parameter)
            mean_buffer(check, base, &check->meant[i]);
        else if (base->variable->space == WS_PTX_SPACE_SHARED)
            mean_shared(check, base->variable, &check->meant[i]);
        else if (base->variable->space == WS_PTX_SPACE_GLOBAL)
            mean_symbol(check, base->variable, &check->meant[i]);
    }
}

/* ---- accesses -----------------------------------------------------------------------------------
 */

static char *explain(const WsCheck *check, const WsWatchedAccess *access, const WsCheckArray *meant)
{
    gint64 way = (gint64)(access->address - meant->start);
    gint64 element = ws_check_element_bytes(check, access);
    const char *kind = meant->space == WS_SPACE_SHARED ? "shared " : "";

    if (way % element != 0 || meant->size % (guint64)element != 0)
        return g_strdup_printf("the address is made from %s%s, of %" G_GUINT64_FORMAT
                               " bytes, and lies at byte %" G_GINT64_FORMAT " of it",
                               kind, meant->name, meant->size, way);
    return g_strdup_printf("the address is made from %s%s, of %" G_GUINT64_FORMAT
                           " elements, with index %" G_GINT64_FORMAT,
                           kind, meant->name, meant->size / (guint64)element, way / element);
}

gboolean ws_check_bounds_access(WsCheck *check, const WsWatchedAccess *access)
{
    const WsCheckArray *meant = &check->meant[access->instruction];
    gboolean is_new;

    if (meant->name == NULL || meant->space != access->space)
        return TRUE;
    if (access->address >= meant->start &&
        access->address - meant->start + access->bytes <= meant->size)
        return TRUE;
    WsCheckFinding *finding = ws_check_find(check, WS_CHECK_BOUNDS, access->instruction,
                                            WS_CHECK_NO_INSTRUCTION, &is_new);
    if (!is_new)
        return FALSE;
    finding->touches = 1;
    finding->touch[0] =
        ws_check_touch(check, ws_order_serial(check->order, access->slot), access->thread,
                       access->instruction, ws_check_action(access));
    finding->missing = explain(check, access, meant);
    ws_check_name_place(check, access, access->address, finding);
    return FALSE;
}
