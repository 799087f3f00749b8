/*
 * Calls. Device functions and the functions of the library are inlined: a frame is pushed, and the
 * driver goes on with its statements. Those that are not: bodies.h.
 */
#include "isa/base/size.h"
#include "isa/lower/bodies.h"
#include "isa/lower/passing.h"

#include <string.h>

static void frame_free(gpointer data)
{
    WsPtxFrame *frame = data;
    g_free(frame->registers);
    g_free(frame->mentions);
    g_free(frame->labels);
    g_hash_table_unref(frame->parameters);
    g_hash_table_unref(frame->locals);
    g_hash_table_unref(frame->locations);
    g_free(frame);
}

static void place_locals(WsPtxLower *lower, WsPtxFrame *frame, guint32 base)
{
    guint64 end = base;
    for (guint i = 0; i < frame->function->variables->len; i++) {
        const WsPtxVariable *v = g_ptr_array_index(frame->function->variables, i);
        if (v->space != WS_PTX_SPACE_LOCAL)
            continue;
        if (frame->stacked && v->align > WS_PTX_STACK_ALIGN) {
            ws_lower_fail(lower, &v->position,
                          "alignment of %u bytes in a function that is recursive (at most %d)",
                          v->align, WS_PTX_STACK_ALIGN);
            return;
        }
        end = ws_size_align_up(end, v->align);
        g_hash_table_insert(frame->locals, (gpointer)v, GUINT_TO_POINTER((guint)end + 1));
        end += v->size;
        if (end > WS_PTX_MAX_LOCAL_BYTES) {
            ws_lower_fail(lower, &v->position, "local variables of over %d bytes",
                          WS_PTX_MAX_LOCAL_BYTES);
            return;
        }
    }
    frame->local_end = (guint32)end;
    guint32 *bytes = frame->stacked ? &lower->body->local_bytes : &lower->function->local_bytes;
    *bytes = MAX(*bytes, frame->local_end);
}

WsPtxFrame *ws_lower_push_frame(WsPtxLower *lower, const WsPtxModule *module,
                                const WsPtxFunction *function)
{
    WsPtxFrame *frame = g_new0(WsPtxFrame, 1);
    frame->module = module;
    frame->function = function;
    lower->function->kernel.names_lanes |= module->names_warp_size || function->names_warp_size;
    frame->registers = g_new0(guint32, function->registers->len + 1);
    frame->labels = g_new(guint32, function->labels->len + 1);
    memset(frame->labels, 0xff, sizeof(guint32) * (function->labels->len + 1));
    frame->parameters = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
    frame->locals = g_hash_table_new(NULL, NULL);
    frame->locations = g_hash_table_new(NULL, NULL);
    frame->location = lower->location;
    frame->is_library = module == lower->module->library;
    frame->skip_block = WS_IR_NO_BLOCK;
    const WsPtxFrame *caller = lower->frame;
    if (lower->frames == NULL)
        lower->frames = g_ptr_array_new_with_free_func(frame_free);
    if (caller != NULL) {
        frame->return_block = ws_lower_new_block(lower);
        frame->ptx_line =
            caller->ptx_line != 0 ? caller->ptx_line : lower->statement->position.line;
    }
    g_ptr_array_add(lower->frames, frame);
    frame->stacked = lower->body != NULL && lower->body->component != 0;
    place_locals(lower, frame,
                 caller != NULL   ? caller->local_end
                 : frame->stacked ? 0
                                  : lower->function->local_bytes);
    ws_lower_note_frame(lower, frame);
    return frame;
}

/* ---- calls of the program ---- */

static gboolean is_being_called(const WsPtxLower *lower, const WsPtxFunction *function)
{
    for (guint i = 0; i < lower->frames->len; i++)
        if (((const WsPtxFrame *)g_ptr_array_index(lower->frames, i))->function == function)
            return TRUE;
    return FALSE;
}

static void pass_arguments(WsPtxLower *lower, WsPtxFrame *frame, const WsPtxOperand *actual)
{
    g_autofree WsPtxPassed *to = g_new(WsPtxPassed, 1);
    g_autofree WsPtxPassed *from = g_new(WsPtxPassed, 1);
    GPtrArray *formals = frame->function->parameters;
    for (guint i = 0; i < formals->len; i++) {
        const WsPtxVariable *formal = g_ptr_array_index(formals, i);
        ws_lower_formal_words(lower, frame, formal, to);
        ws_lower_actual_words(lower, &actual[i], to->count, to->is_predicate, formal->type, from);
        ws_lower_copy_words(lower, to, from, to->is_predicate);
    }
}

static void inline_call(WsPtxLower *lower, const WsPtxFunction *function,
                        const WsPtxOperand *actual)
{
    WsPtxFrame *frame = ws_lower_push_frame(lower, lower->frame->module, function);
    frame->call = lower->statement;
    pass_arguments(lower, frame, actual);
}

/* Functions are inlined; those that may enter themselves again have a body that is called. */
static gboolean has_body_to_call(const WsPtxLower *lower, const WsPtxFunction *function)
{
    guint32 number = ws_ptx_call_number(lower->module->calls, function);
    return number != G_MAXUINT32 && (lower->module->calls->component[number] != 0 ||
                                     lower->frames->len >= WS_PTX_MAX_INLINE_DEPTH);
}

static void call_named(WsPtxLower *lower, const WsPtxCallParts *parts)
{
    const WsPtxOperand *callee = parts->callee;
    const WsPtxFunction *function =
        g_hash_table_lookup(lower->frame->module->function_map, callee->name);
    if ((function == NULL || !function->has_body) &&
        ws_lower_system_call(lower, callee->name, parts->actual, parts->actual_count,
                             parts->results, parts->result_count))
        return;
    if (function == NULL || !function->has_body || function->is_entry) {
        ws_lower_fail(lower, &callee->position,
                      "calls of '%s' are not supported: it is not defined in this file",
                      callee->name);
        return;
    }
    if (parts->actual_count != function->parameters->len ||
        parts->result_count != function->returns->len) {
        ws_lower_fail(lower, &callee->position, "'%s' takes %u arguments and gives %u results",
                      callee->name, function->parameters->len, function->returns->len);
        return;
    }
    if (has_body_to_call(lower, function))
        ws_lower_call_body(lower, function, parts);
    else
        inline_call(lower, function, parts->actual);
}

void ws_lower_call(WsPtxLower *lower)
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

static void return_results(WsPtxLower *lower, WsPtxFrame *callee)
{
    const WsPtxStatement *call = callee->call;
    const WsPtxFunction *caller = lower->frame->function;
    const WsPtxOperand *list = &g_array_index(caller->operands, WsPtxOperand, call->first_operand);
    g_autofree WsPtxPassed *to = g_new(WsPtxPassed, 1);
    g_autofree WsPtxPassed *from = g_new(WsPtxPassed, 1);
    for (guint i = 0; i < callee->function->returns->len; i++) {
        const WsPtxVariable *formal = g_ptr_array_index(callee->function->returns, i);
        const WsPtxOperand *actual =
            &g_array_index(caller->operands, WsPtxOperand, list->first + i);
        if (actual->kind == WS_PTX_SINK)
            continue;
        ws_lower_formal_words(lower, callee, formal, from);
        ws_lower_actual_words(lower, actual, from->count, from->is_predicate, formal->type, to);
        ws_lower_copy_words(lower, to, from, from->is_predicate);
    }
}

void ws_lower_pop_frame(WsPtxLower *lower)
{
    guint last = lower->frames->len - 1;
    WsPtxFrame *callee = g_ptr_array_steal_index(lower->frames, last);
    ws_lower_note_registers(lower, callee);
    ws_lower_fall_through(lower, callee->return_block);
    lower->block = callee->return_block;
    lower->frame = g_ptr_array_index(lower->frames, last - 1);
    lower->location = callee->location;
    lower->guard = WS_PT;
    lower->guard_negated = FALSE;
    if (callee->call != NULL) {
        lower->statement = callee->call;
        return_results(lower, callee);
    } else if (callee->result.index != WS_RZ) {
        const WsPtxVariable *formal = g_ptr_array_index(callee->function->returns, 0);
        WsOperand value = ws_operand_register(*ws_lower_formal_register(lower, callee, formal));
        for (guint w = 0; w < MAX(1, ws_ptx_type_bits(formal->type) / 32); w++)
            ws_lower_move(lower, ws_operand_word(callee->result, w), ws_operand_word(value, w));
    }
    memcpy(lower->moves, callee->moves, sizeof lower->moves);
    lower->move_count = callee->move_count;
    ws_lower_flush_moves(lower);
    if (callee->skip_block != WS_IR_NO_BLOCK)
        ws_lower_fall_through(lower, callee->skip_block);
    frame_free(callee);
}

/* ---- the library ---- */

void ws_lower_call_library(WsPtxLower *lower, const char *name, const WsPtxValue *arguments,
                           guint count, WsOperand result)
{
    GError *error = NULL;
    if (lower->failed)
        return;
    const WsPtxFunction *function = ws_lower_library_function(lower->module, name, &error);
    if (error != NULL) {
        lower->failed = TRUE;
        g_propagate_error(lower->error, error);
        return;
    }
    gboolean fits = function != NULL && function->parameters->len == count &&
                    function->returns->len == 1 && !is_being_called(lower, function);
    if (!fits) {
        ws_lower_refuse(lower);
        return;
    }
    WsPtxFrame *frame = ws_lower_push_frame(lower, lower->module->library, function);
    frame->result = result;
    for (guint i = 0; i < count; i++) {
        const WsPtxVariable *formal = g_ptr_array_index(function->parameters, i);
        WsOperand to = ws_operand_register(*ws_lower_formal_register(lower, frame, formal));
        for (guint w = 0; w < MAX(1, ws_ptx_type_bits(formal->type) / 32); w++)
            ws_lower_move(lower, ws_operand_word(to, w), arguments[i].word[w]);
    }
    memcpy(frame->moves, lower->moves, sizeof frame->moves);
    frame->move_count = lower->move_count;
    lower->move_count = 0;
}

void ws_lower_by_library(WsPtxLower *lower)
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
