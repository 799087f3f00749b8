/*
 * Calls. Device functions and the functions of the library are inlined: a frame is pushed, and the
 * driver goes on with its statements.
 */
#include "isa/lower/lower.h"
#include "isa/ptx/library.h"

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
        end = (end + v->align - 1) & ~(guint64)(v->align - 1);
        g_hash_table_insert(frame->locals, (gpointer)v, GUINT_TO_POINTER((guint)end + 1));
        end += v->size;
        if (end > WS_PTX_MAX_LOCAL_BYTES) {
            ws_lower_fail(lower, &v->position, "local variables of over %d bytes",
                          WS_PTX_MAX_LOCAL_BYTES);
            return;
        }
    }
    frame->local_end = (guint32)end;
    lower->function->local_bytes = MAX(lower->function->local_bytes, (guint32)end);
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
    frame->is_library = module == lower->library;
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
    place_locals(lower, frame, caller == NULL ? 0 : caller->local_end);
    ws_lower_note_frame(lower, frame);
    return frame;
}

/* ---- .param variables in registers ---- */

GArray *ws_lower_parameter_words(WsPtxLower *lower, WsPtxFrame *frame,
                                 const WsPtxVariable *variable)
{
    enum { MAX_BYTES = 4096 };
    GArray *words = g_hash_table_lookup(frame->parameters, variable);
    if (words != NULL || variable->size > MAX_BYTES)
        return words;
    words = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint64 offset = 0; offset < variable->size; offset += 4) {
        guint32 r = ws_ir_new_register(lower->function, 1);
        g_array_append_val(words, r);
    }
    g_hash_table_insert(frame->parameters, (gpointer)variable, words);
    return words;
}

/* A value passed in or out: a .reg or .param variable of a function, or an operand of the call. */
typedef struct {
    WsOperand words[1024];
    guint count;
    gboolean is_predicate;
} Passed;

static guint32 *register_of(WsPtxLower *lower, WsPtxFrame *frame, const WsPtxVariable *formal)
{
    guint32 *number = &frame->registers[formal->reg];
    if (*number == 0)
        *number =
            formal->type == WS_PTX_PRED
                ? ws_ir_new_predicate(lower->function)
                : ws_ir_new_register(lower->function, MAX(1, ws_ptx_type_bits(formal->type) / 32));
    return number;
}

static void words_of_formal(WsPtxLower *lower, WsPtxFrame *frame, const WsPtxVariable *formal,
                            Passed *ret)
{
    ret->count = 0;
    ret->is_predicate = formal->space == WS_PTX_SPACE_REG && formal->type == WS_PTX_PRED;
    if (formal->space == WS_PTX_SPACE_REG) {
        guint32 number = *register_of(lower, frame, formal);
        ret->words[0] =
            ret->is_predicate ? ws_operand_predicate(number) : ws_operand_register(number);
        ret->count = MAX(1, ws_ptx_type_bits(formal->type) / 32);
        for (guint w = 1; w < ret->count; w++)
            ret->words[w] = ws_operand_word(ret->words[0], w);
        return;
    }
    GArray *words = ws_lower_parameter_words(lower, frame, formal);
    for (guint i = 0; words != NULL && i < words->len; i++)
        ret->words[ret->count++] = ws_operand_register(g_array_index(words, guint32, i));
}

/* `count` words are wanted of an operand that is not a .param variable. */
static void words_of_actual(WsPtxLower *lower, const WsPtxOperand *actual, guint count,
                            gboolean predicate, WsPtxType type, Passed *ret)
{
    ret->count = count;
    if (actual->kind == WS_PTX_VARIABLE && actual->variable->space == WS_PTX_SPACE_PARAM) {
        words_of_formal(lower, lower->frame, actual->variable, ret);
    } else if (predicate) {
        ret->words[0] = ws_lower_predicate_of(lower, actual);
    } else {
        for (guint w = 0; w < count; w++)
            ret->words[w] = ws_lower_operand_word(lower, actual, type, w);
    }
}

static void copy_words(WsPtxLower *lower, const Passed *to, const Passed *from, gboolean predicate)
{
    if (predicate)
        EMIT(lower, PLOP3, to->words[0], ws_operand_none(), from->words[0], ws_operand_none(),
             ws_operand_none(), ws_operand_immediate(0xf0), ws_operand_immediate(0));
    for (guint w = 0; !predicate && w < MIN(to->count, from->count); w++)
        ws_lower_move(lower, to->words[w], from->words[w]);
}

/* ---- calls of the program ---- */

static const WsPtxOperand *list_of(const WsPtxLower *lower, guint n, guint *ret_count)
{
    const WsPtxOperand *operand = &lower->operands[n];
    *ret_count = 0;
    if (n >= lower->statement->operand_count || operand->kind != WS_PTX_VECTOR)
        return NULL;
    *ret_count = operand->count;
    return &g_array_index(lower->frame->function->operands, WsPtxOperand, operand->first);
}

static gboolean is_being_called(const WsPtxLower *lower, const WsPtxFunction *function)
{
    for (guint i = 0; i < lower->frames->len; i++)
        if (((const WsPtxFrame *)g_ptr_array_index(lower->frames, i))->function == function)
            return TRUE;
    return FALSE;
}

static void pass_arguments(WsPtxLower *lower, WsPtxFrame *frame, const WsPtxOperand *actual)
{
    g_autofree Passed *to = g_new(Passed, 1);
    g_autofree Passed *from = g_new(Passed, 1);
    GPtrArray *formals = frame->function->parameters;
    for (guint i = 0; i < formals->len; i++) {
        const WsPtxVariable *formal = g_ptr_array_index(formals, i);
        words_of_formal(lower, frame, formal, to);
        words_of_actual(lower, &actual[i], to->count, to->is_predicate, formal->type, from);
        copy_words(lower, to, from, to->is_predicate);
    }
}

void ws_lower_passed_words(WsPtxLower *lower, const WsPtxOperand *passed, guint count,
                           WsOperand *ret)
{
    g_autofree Passed *words = g_new(Passed, 1);
    words_of_actual(lower, passed, count, FALSE, count == 2 ? WS_PTX_B64 : WS_PTX_B32, words);
    for (guint w = 0; w < count; w++)
        ret[w] = w < words->count ? words->words[w] : ws_operand_zero();
}

/* call (returns), f, (arguments); or call f; or call f, (arguments); */
void ws_lower_call(WsPtxLower *lower)
{
    guint count, result_count;
    const WsPtxOperand *results = list_of(lower, 0, &result_count);
    guint at = results == NULL ? 0 : 1;
    const WsPtxOperand *callee = &lower->operands[at];
    const WsPtxOperand *actual = list_of(lower, at + 1, &count);
    if (at >= lower->statement->operand_count || callee->kind == WS_PTX_REGISTER ||
        callee->name == NULL) {
        ws_lower_fail(lower, &callee->position, "indirect calls are not supported");
        return;
    }
    const WsPtxFunction *function =
        g_hash_table_lookup(lower->frame->module->function_map, callee->name);
    if ((function == NULL || !function->has_body) &&
        ws_lower_system_call(lower, callee->name, actual, count, results, result_count))
        return;
    if (function == NULL || !function->has_body || function->is_entry) {
        ws_lower_fail(lower, &callee->position,
                      "calls of '%s' are not supported: it is not defined in this file",
                      callee->name);
        return;
    }
    if (is_being_called(lower, function) || lower->frames->len >= WS_PTX_MAX_INLINE_DEPTH) {
        ws_lower_fail(lower, &callee->position, "recursive calls are not supported: '%s'",
                      callee->name);
        return;
    }
    if (count != function->parameters->len || result_count != function->returns->len) {
        ws_lower_fail(lower, &callee->position, "'%s' takes %u arguments and gives %u results",
                      callee->name, function->parameters->len, function->returns->len);
        return;
    }
    WsPtxFrame *frame = ws_lower_push_frame(lower, lower->frame->module, function);
    frame->call = lower->statement;
    pass_arguments(lower, frame, actual);
}

static void return_results(WsPtxLower *lower, WsPtxFrame *callee)
{
    const WsPtxStatement *call = callee->call;
    const WsPtxFunction *caller = lower->frame->function;
    const WsPtxOperand *list = &g_array_index(caller->operands, WsPtxOperand, call->first_operand);
    g_autofree Passed *to = g_new(Passed, 1);
    g_autofree Passed *from = g_new(Passed, 1);
    for (guint i = 0; i < callee->function->returns->len; i++) {
        const WsPtxVariable *formal = g_ptr_array_index(callee->function->returns, i);
        const WsPtxOperand *actual =
            &g_array_index(caller->operands, WsPtxOperand, list->first + i);
        if (actual->kind == WS_PTX_SINK)
            continue;
        words_of_formal(lower, callee, formal, from);
        words_of_actual(lower, actual, from->count, from->is_predicate, formal->type, to);
        copy_words(lower, to, from, from->is_predicate);
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
        WsOperand value = ws_operand_register(*register_of(lower, callee, formal));
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

static const WsPtxFunction *find_library_function(WsPtxLower *lower, const char *name)
{
    if (lower->library == NULL) {
        gsize length;
        const char *text = ws_ptx_library_text(&length);
        lower->library = ws_ptx_parse("ptx_library.ptx", text, length, lower->error);
        if (lower->library == NULL) {
            lower->failed = TRUE;
            return NULL;
        }
    }
    const WsPtxFunction *function = g_hash_table_lookup(lower->library->function_map, name);
    return function != NULL && function->has_body ? function : NULL;
}

gboolean ws_lower_library_has(WsPtxLower *lower, const char *name)
{
    return find_library_function(lower, name) != NULL;
}

void ws_lower_call_library(WsPtxLower *lower, const char *name, const WsPtxValue *arguments,
                           guint count, WsOperand result)
{
    const WsPtxFunction *function = find_library_function(lower, name);
    if (lower->failed)
        return;
    gboolean fits = function != NULL && function->parameters->len == count &&
                    function->returns->len == 1 && !is_being_called(lower, function);
    if (!fits) {
        ws_lower_refuse(lower);
        return;
    }
    WsPtxFrame *frame = ws_lower_push_frame(lower, lower->library, function);
    frame->result = result;
    for (guint i = 0; i < count; i++) {
        const WsPtxVariable *formal = g_ptr_array_index(function->parameters, i);
        WsOperand to = ws_operand_register(*register_of(lower, frame, formal));
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
