/*
 * Calls. Device functions and the functions of the library are inlined: a frame is pushed, and the
 * driver goes on with its statements. Those that are not: bodies.h.
 */
#include "isa/base/size.h"
#include "isa/lower/bodies.h"
#include "isa/lower/passing.h"

#include <string.h>

/* ---- frames ---- */

static void frame_free(WsPtxFrame *frame)
{
    g_free(frame->registers);
    g_free(frame->mentions);
    g_free(frame->labels);
    g_hash_table_unref(frame->parameters);
    g_hash_table_unref(frame->locals);
    g_hash_table_unref(frame->locations);
    g_free(frame);
}

static void place_locals(WsLowerKernel *kernel, WsPtxFrame *frame, guint32 base)
{
    guint64 end = base;
    for (guint i = 0; i < frame->function->variables->len; i++) {
        const WsPtxVariable *v = g_ptr_array_index(frame->function->variables, i);
        if (v->space != WS_PTX_SPACE_LOCAL)
            continue;
        if (frame->stacked && v->align > WS_PTX_STACK_ALIGN) {
            ws_lower_fail(kernel, &v->position,
                          "alignment of %u bytes in a function that is recursive (at most %d)",
                          v->align, WS_PTX_STACK_ALIGN);
            return;
        }
        end = ws_size_align_up(end, v->align);
        ws_lower_put_place(frame->locals, v, end);
        end += v->size;
        if (end > WS_PTX_MAX_LOCAL_BYTES) {
            ws_lower_fail(kernel, &v->position, "local variables of over %d bytes",
                          WS_PTX_MAX_LOCAL_BYTES);
            return;
        }
    }
    frame->local_end = (guint32)end;
    guint32 *bytes = frame->stacked ? &kernel->body->local_bytes : &kernel->ir->local_bytes;
    *bytes = MAX(*bytes, frame->local_end);
}

static WsPtxFrame *push_frame(WsLowerKernel *kernel, const WsPtxModule *module,
                              const WsPtxFunction *function)
{
    WsPtxFrame *caller = kernel->frame;
    WsPtxFrame *frame = kernel->frame = g_new0(WsPtxFrame, 1);
    frame->caller = caller;
    frame->module = module;
    frame->function = function;
    frame->is_library = module == kernel->module->library;
    frame->registers = g_new0(guint32, function->registers->len + 1);
    frame->labels = g_new(guint32, function->labels->len + 1);
    memset(frame->labels, 0xff, sizeof(guint32) * (function->labels->len + 1));
    frame->parameters = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
    frame->locals = ws_lower_places_new();
    frame->locations = g_hash_table_new(NULL, NULL);
    frame->stacked = kernel->body != NULL && kernel->body->component != 0;
    guint32 base = frame->stacked ? 0 : kernel->ir->local_bytes;
    if (caller != NULL) {
        frame->depth = caller->depth + 1;
        frame->location = caller->location;
        base = caller->local_end;
    }
    kernel->ir->kernel.names_lanes |= module->names_warp_size || function->names_warp_size;
    place_locals(kernel, frame, base);
    ws_lower_note_frame(kernel, frame);
    return frame;
}

void ws_lower_begin_code(WsLowerKernel *kernel, WsPtxBody *body, const WsPtxFunction *function,
                         guint32 block)
{
    kernel->body = body;
    kernel->block = block;
    kernel->carry = kernel->lane = 0;
    push_frame(kernel, kernel->module->ptx, function);
}

void ws_lower_end_code(WsLowerKernel *kernel)
{
    if (kernel->refusal == NULL)
        ws_lower_note_registers(kernel->module, kernel->frame);
    while (kernel->frame != NULL) {
        WsPtxFrame *frame = kernel->frame;
        kernel->frame = frame->caller;
        frame_free(frame);
    }
    kernel->body = NULL;
}

WsPtxFrame *ws_lower_push_frame(const WsLowerStatement *call, const WsPtxModule *module,
                                const WsPtxFunction *function)
{
    guint32 behind = ws_ir_new_block(call->kernel->ir);
    WsPtxFrame *frame = push_frame(call->kernel, module, function);
    frame->call = *call;
    frame->return_block = behind;
    return frame;
}

/* ---- calls of the program ---- */

static gboolean is_being_called(const WsLowerKernel *kernel, const WsPtxFunction *function)
{
    for (const WsPtxFrame *frame = kernel->frame; frame != NULL; frame = frame->caller)
        if (frame->function == function)
            return TRUE;
    return FALSE;
}

static void pass_arguments(WsLowerStatement *lower, WsPtxFrame *frame, const WsPtxOperand *actual)
{
    g_autofree WsPtxPassed *to = g_new(WsPtxPassed, 1);
    g_autofree WsPtxPassed *from = g_new(WsPtxPassed, 1);
    GPtrArray *formals = frame->function->parameters;
    for (guint i = 0; i < formals->len; i++) {
        const WsPtxVariable *formal = g_ptr_array_index(formals, i);
        ws_lower_formal_words(lower->kernel, frame, formal, to);
        ws_lower_actual_words(lower, &actual[i], to->count, to->is_predicate, formal->type, from);
        ws_lower_copy_words(lower, to, from, to->is_predicate);
    }
}

/* Functions are inlined; those that may enter themselves again have a body that is called. */
static gboolean has_body_to_call(const WsLowerKernel *kernel, const WsPtxFunction *function)
{
    const WsPtxCallGraph *calls = kernel->module->calls;
    guint32 number = ws_ptx_call_number(calls, function);
    return number != G_MAXUINT32 &&
           (calls->component[number] != 0 || kernel->frame->depth + 1 >= WS_PTX_MAX_INLINE_DEPTH);
}

static void call_named(WsLowerStatement *lower, const WsPtxCallParts *parts)
{
    const WsPtxOperand *callee = parts->callee;
    const WsPtxFunction *function =
        g_hash_table_lookup(lower->frame->module->function_map, callee->name);
    if ((function == NULL || !function->has_body) && ws_lower_system_call(lower, parts))
        return;
    if (function == NULL || !function->has_body || function->is_entry) {
        ws_lower_fail(lower->kernel, &callee->position,
                      "calls of '%s' are not supported: it is not defined in this file",
                      callee->name);
        return;
    }
    if (parts->actual_count != function->parameters->len ||
        parts->result_count != function->returns->len) {
        ws_lower_fail(lower->kernel, &callee->position,
                      "'%s' takes %u arguments and gives %u results", callee->name,
                      function->parameters->len, function->returns->len);
        return;
    }
    if (has_body_to_call(lower->kernel, function))
        ws_lower_call_body(lower, function, parts);
    else
        pass_arguments(lower, ws_lower_push_frame(lower, lower->frame->module, function),
                       parts->actual);
}

void ws_lower_call(WsLowerStatement *lower)
{
    WsPtxCallParts parts = ws_ptx_call_parts(lower->frame->function, lower->statement);
    if (parts.callee == NULL ||
        (parts.callee->kind != WS_PTX_REGISTER && parts.callee->name == NULL))
        ws_lower_refuse(lower);
    else if (parts.callee->kind == WS_PTX_REGISTER)
        ws_lower_call_pointer(lower, &parts);
    else
        call_named(lower, &parts);
}

static void return_results(WsLowerStatement *lower, WsPtxFrame *callee)
{
    const WsPtxFunction *caller = lower->frame->function;
    const WsPtxOperand *list = &lower->operands[0];
    g_autofree WsPtxPassed *to = g_new(WsPtxPassed, 1);
    g_autofree WsPtxPassed *from = g_new(WsPtxPassed, 1);
    for (guint i = 0; i < callee->function->returns->len; i++) {
        const WsPtxVariable *formal = g_ptr_array_index(callee->function->returns, i);
        const WsPtxOperand *actual =
            &g_array_index(caller->operands, WsPtxOperand, list->first + i);
        if (actual->kind == WS_PTX_SINK)
            continue;
        ws_lower_formal_words(lower->kernel, callee, formal, from);
        ws_lower_actual_words(lower, actual, from->count, from->is_predicate, formal->type, to);
        ws_lower_copy_words(lower, to, from, from->is_predicate);
    }
}

static void return_library_result(WsLowerStatement *lower, WsPtxFrame *callee)
{
    if (callee->result.index == WS_RZ)
        return;
    const WsPtxVariable *formal = g_ptr_array_index(callee->function->returns, 0);
    WsOperand value = ws_operand_register(*ws_lower_formal_register(lower->kernel, callee, formal));
    for (guint w = 0; w < ws_lower_words(formal->type); w++)
        ws_lower_move(lower, ws_operand_word(callee->result, w), ws_operand_word(value, w));
}

void ws_lower_pop_frame(WsLowerKernel *kernel)
{
    WsPtxFrame *callee = kernel->frame;
    ws_lower_note_registers(kernel->module, callee);
    ws_lower_fall_through(kernel, callee->return_block);
    kernel->frame = callee->caller;
    if (callee->is_library)
        return_library_result(&callee->call, callee);
    else
        return_results(&callee->call, callee);
    ws_lower_done(&callee->call);
    frame_free(callee);
}

/* ---- the library ---- */

void ws_lower_call_library(WsLowerStatement *lower, const char *name, const WsPtxValue *arguments,
                           guint count, WsOperand result)
{
    WsLowerKernel *kernel = lower->kernel;
    if (kernel->refusal != NULL)
        return;
    const WsPtxFunction *function =
        ws_lower_library_function(kernel->module, name, &kernel->refusal);
    gboolean fits = function != NULL && function->parameters->len == count &&
                    function->returns->len == 1 && !is_being_called(kernel, function);
    if (!fits) {
        ws_lower_refuse(lower);
        return;
    }
    WsPtxFrame *frame = ws_lower_push_frame(lower, kernel->module->library, function);
    frame->result = result;
    for (guint i = 0; i < count; i++) {
        const WsPtxVariable *formal = g_ptr_array_index(function->parameters, i);
        WsOperand to = ws_operand_register(*ws_lower_formal_register(kernel, frame, formal));
        for (guint w = 0; w < ws_lower_words(formal->type); w++)
            ws_lower_move(lower, ws_operand_word(to, w), arguments[i].word[w]);
    }
}

void ws_lower_by_library(WsLowerStatement *lower)
{
    g_autofree char *name = g_strdup_printf("__ws_%s", lower->statement->full);
    g_strdelimit(name, ".", '_');
    guint words = ws_ptx_type_bits(lower->types[0]) == 64 ? 2 : 1;
    guint count = lower->statement->operand_count - 1;
    WsPtxValue arguments[3];
    for (guint i = 0; i < MIN(count, 3); i++) {
        arguments[i].word[1] = ws_operand_zero();
        for (guint w = 0; w < words; w++)
            arguments[i].word[w] = ws_lower_source_word(lower, i + 1, w);
    }
    ws_lower_call_library(lower, name, arguments, count, ws_lower_destination(lower, 0));
}
