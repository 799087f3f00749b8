#include "isa/lower/bodies.h"

#include "isa/bytecode/opcode.h"
#include "isa/ir/walk.h"
#include "isa/lower/passing.h"

#include <string.h>

static void convention_free(gpointer data)
{
    WsPtxConvention *convention = data;
    g_array_unref(convention->results);
    g_array_unref(convention->arguments);
    g_free(convention);
}

static void body_free(gpointer data)
{
    WsPtxBody *body = data;
    g_array_unref(body->returns);
    g_free(body);
}

/* ---- values that are passed ---- */

static guint words_of(const WsPtxVariable *formal)
{
    return formal->space == WS_PTX_SPACE_REG ? ws_lower_words(formal->type)
                                             : (guint)((formal->size + 3) / 4);
}

static gboolean is_predicate(const WsPtxVariable *formal)
{
    return formal->space == WS_PTX_SPACE_REG && formal->type == WS_PTX_PRED;
}

static GArray *registers_for(WsLowerKernel *kernel, const GPtrArray *formals)
{
    GArray *list = g_array_new(FALSE, FALSE, sizeof(WsOperand));
    for (guint i = 0; i < formals->len; i++) {
        const WsPtxVariable *formal = formals->pdata[i];
        if (is_predicate(formal)) {
            WsOperand predicate = ws_operand_predicate(ws_ir_new_predicate(kernel->ir));
            g_array_append_val(list, predicate);
            continue;
        }
        if (formal->size > WS_PTX_MAX_PASSED_BYTES)
            ws_lower_fail(kernel, &formal->position, "arguments of over %d bytes",
                          WS_PTX_MAX_PASSED_BYTES);
        for (guint w = 0; w < words_of(formal) && kernel->refusal == NULL; w++) {
            WsOperand word = ws_operand_register(ws_ir_new_register(kernel->ir, 1));
            g_array_append_val(list, word);
        }
    }
    return list;
}

static const WsPtxConvention *convention_of(WsLowerKernel *kernel, const WsPtxFunction *function)
{
    char *signature = ws_ptx_function_signature(function);
    WsPtxConvention *convention = g_hash_table_lookup(kernel->conventions, signature);
    if (convention != NULL) {
        g_free(signature);
        return convention;
    }
    convention = g_new0(WsPtxConvention, 1);
    convention->results = registers_for(kernel, function->returns);
    convention->arguments = registers_for(kernel, function->parameters);
    convention->link = ws_operand_register(ws_ir_new_register(kernel->ir, 1));
    g_hash_table_insert(kernel->conventions, signature, convention);
    return convention;
}

/* Takes the next `passed->count` words of the list that are those of one value. */
static guint next_value(const GArray *list, guint at, WsPtxPassed *ret, guint count)
{
    ret->count = count;
    for (guint w = 0; w < count && at < list->len; w++)
        ret->words[w] = g_array_index(list, WsOperand, at++);
    return at;
}

/* Between the registers of the convention and the variables of the body. */
static void copy_formals(WsLowerStatement *lower, const GPtrArray *formals, const GArray *list,
                         gboolean into_body)
{
    g_autofree WsPtxPassed *own = g_new(WsPtxPassed, 1);
    g_autofree WsPtxPassed *passed = g_new(WsPtxPassed, 1);
    guint at = 0;
    for (guint i = 0; i < formals->len && lower->kernel->refusal == NULL; i++) {
        ws_lower_formal_words(lower->kernel, lower->frame, formals->pdata[i], own);
        at = next_value(list, at, passed, own->count);
        ws_lower_copy_words(lower, into_body ? own : passed, into_body ? passed : own,
                            own->is_predicate);
    }
}

static void put_arguments(WsLowerStatement *lower, const WsPtxFunction *function,
                          const WsPtxCallParts *parts)
{
    g_autofree WsPtxPassed *to = g_new(WsPtxPassed, 1);
    g_autofree WsPtxPassed *from = g_new(WsPtxPassed, 1);
    const GArray *list = convention_of(lower->kernel, function)->arguments;
    guint at = 0;
    for (guint i = 0; i < function->parameters->len && lower->kernel->refusal == NULL; i++) {
        const WsPtxVariable *formal = function->parameters->pdata[i];
        at = next_value(list, at, to, words_of(formal));
        ws_lower_actual_words(lower, &parts->actual[i], to->count, is_predicate(formal),
                              formal->type, from);
        ws_lower_copy_words(lower, to, from, is_predicate(formal));
    }
}

static void take_results(WsLowerStatement *lower, const WsPtxFunction *function,
                         const WsPtxCallParts *parts)
{
    g_autofree WsPtxPassed *to = g_new(WsPtxPassed, 1);
    g_autofree WsPtxPassed *from = g_new(WsPtxPassed, 1);
    const GArray *list = convention_of(lower->kernel, function)->results;
    guint at = 0;
    for (guint i = 0; i < function->returns->len && lower->kernel->refusal == NULL; i++) {
        const WsPtxVariable *formal = function->returns->pdata[i];
        at = next_value(list, at, from, words_of(formal));
        if (parts->results[i].kind == WS_PTX_SINK)
            continue;
        ws_lower_actual_words(lower, &parts->results[i], from->count, is_predicate(formal),
                              formal->type, to);
        ws_lower_copy_words(lower, to, from, is_predicate(formal));
    }
}

/* ---- calls ---- */

static WsPtxBody *body_of(WsLowerKernel *kernel, const WsPtxFunction *function)
{
    const WsPtxCallGraph *calls = kernel->module->calls;
    WsPtxBody *body = g_hash_table_lookup(kernel->body_map, function);
    if (body != NULL)
        return body;
    guint32 number = ws_ptx_call_number(calls, function);
    body = g_new0(WsPtxBody, 1);
    body->function = function;
    body->number = kernel->bodies->len;
    body->component = calls->component[number];
    body->uses_stack = calls->uses_stack[number];
    body->entry = ws_ir_new_block(kernel->ir);
    body->exit = ws_ir_new_block(kernel->ir);
    body->link = ws_operand_register(ws_ir_new_register(kernel->ir, 1));
    body->returns = g_array_new(FALSE, FALSE, sizeof(guint32));
    ws_ir_block(kernel->ir, body->entry)->label = g_strdup(function->name);
    g_ptr_array_add(kernel->bodies, body);
    g_hash_table_insert(kernel->body_map, (gpointer)function, body);
    return body;
}

/* Ends the block with the call; filling goes on behind it. */
static void end_with_call(WsLowerStatement *lower, const WsPtxFunction *function)
{
    WsLowerKernel *kernel = lower->kernel;
    WsPtxBody *body = body_of(kernel, function);
    ws_lower_count(kernel, 1);
    guint32 behind = ws_ir_new_block(kernel->ir);
    WsIrSite site = {.body = body->number,
                     .place = body->returns->len,
                     .recursive = kernel->body != NULL && body->component != 0 &&
                                  kernel->body->component == body->component};
    if (kernel->block == WS_IR_NO_BLOCK) /* in code that nothing reaches */
        kernel->block = ws_ir_new_block(kernel->ir);
    WsPtxSite call = {kernel->body, body, kernel->block, behind};
    ws_lower_end(lower, WS_OP_CALL)->operand[0] = convention_of(kernel, function)->link;
    g_array_append_val(kernel->sites, call);
    g_array_append_val(kernel->ir->sites, site);
    g_array_append_val(body->returns, behind);
    WsIrBlock *ended = ws_ir_block(kernel->ir, call.block);
    ended->site = kernel->ir->sites->len;
    ended->taken = body->entry;
    kernel->block = behind;
}

/*
 * Lanes that are in a ring of calls come back one after the other, by how deep they went: those
 * that called together wait for each other behind the call. A convergence barrier would not do: it
 * would be taken by the lanes that are deeper.
 */
static WsOperand note_lanes(WsLowerStatement *lower)
{
    WsOperand lanes = ws_lower_temporary(lower, 1);
    lower->kernel->ir->kernel.names_lanes = TRUE;
    EMIT(lower, VOTE, lanes, ws_operand_none(), ws_operand_predicate(WS_PT))->mod[WS_MOD_VOTE] =
        WS_VOTE_ANY;
    return lanes;
}

void ws_lower_call_body(WsLowerStatement *lower, const WsPtxFunction *function,
                        const WsPtxCallParts *parts)
{
    WsPtxBody *body = body_of(lower->kernel, function);
    WsOperand lanes = ws_operand_none();
    put_arguments(lower, function, parts);
    if (body->component != 0)
        lanes = note_lanes(lower);
    end_with_call(lower, function);
    if (body->component != 0)
        EMIT(lower, WARPSYNC, lanes);
    take_results(lower, function, parts);
}

/* ---- calls through pointers ---- */

/*
 * How far the function is behind the first candidate, as BRX takes it. Ends the block with a branch
 * to `wrong` where the address is not among theirs.
 */
static WsOperand place_of_function(WsLowerStatement *lower, const WsPtxOperand *pointer,
                                   const GArray *candidates, guint32 wrong)
{
    guint32 first = g_array_index(candidates, guint32, 0);
    guint32 last = g_array_index(candidates, guint32, candidates->len - 1);
    guint32 address = lower->kernel->module->calls->first_address + WS_PTX_FUNCTION_BYTES * first;
    WsOperand place = ws_lower_temporary(lower, 1);
    WsOperand is_wrong = ws_lower_temporary_predicate(lower);
    WsOperand low = ws_lower_operand_word(lower, pointer, WS_PTX_U64, 0);
    WsOperand high = ws_lower_operand_word(lower, pointer, WS_PTX_U64, 1);
    ws_lower_add(lower, place, low, ws_operand_immediate(-address));
    WsOperand beyond = ws_lower_temporary_predicate(lower);
    ws_lower_compare(lower, beyond, WS_ICMP_GE, TRUE, place,
                     ws_operand_immediate(WS_PTX_FUNCTION_BYTES * (last - first + 1)));
    WsInstruction *test =
        EMIT(lower, ISETP, is_wrong, ws_operand_none(), high, ws_operand_zero(), beyond);
    test->mod[WS_MOD_ICMP] = WS_ICMP_NE;
    test->mod[WS_MOD_UNSIGNED] = 1;
    test->mod[WS_MOD_BOOLEAN] = WS_BOOLEAN_OR;
    guint32 next = ws_ir_new_block(lower->kernel->ir);
    ws_lower_branch(lower, is_wrong, wrong, next);
    return place;
}

static guint32 block_of_fault(WsLowerStatement *lower)
{
    WsLowerKernel *kernel = lower->kernel;
    guint32 before = kernel->block;
    guint32 block = kernel->block = ws_ir_new_block(kernel->ir);
    ws_ir_block(kernel->ir, block)->cold = TRUE;
    ws_lower_end(lower, WS_OP_BPT)->mod[WS_MOD_TRAP] = WS_TRAP_CALL;
    kernel->block = before;
    return block;
}

/* A block for each candidate that calls it and goes on in `behind`. */
static GArray *call_candidates(WsLowerStatement *lower, const GArray *candidates, guint32 wrong,
                               guint32 behind)
{
    const WsPtxCallGraph *calls = lower->kernel->module->calls;
    GArray *table = g_array_new(FALSE, FALSE, sizeof(guint32));
    guint next = 0;
    ws_lower_count(lower->kernel, g_array_index(candidates, guint32, candidates->len - 1) -
                                      g_array_index(candidates, guint32, 0));
    for (guint32 f = g_array_index(candidates, guint32, 0);
         next < candidates->len && lower->kernel->refusal == NULL; f++) {
        guint32 target = wrong;
        if (g_array_index(candidates, guint32, next) == f) {
            next++;
            target = lower->kernel->block = ws_ir_new_block(lower->kernel->ir);
            end_with_call(lower, calls->functions->pdata[f]);
            ws_lower_fall_through(lower->kernel, behind);
        }
        g_array_append_val(table, target);
    }
    return table;
}

static gboolean may_recurse(const WsPtxCallGraph *calls, const GArray *candidates)
{
    for (guint i = 0; i < candidates->len; i++)
        if (calls->component[g_array_index(candidates, guint32, i)] != 0)
            return TRUE;
    return FALSE;
}

/* call (results), %rd, (arguments), prototype: a jump by the address to the call of the function.
 */
void ws_lower_call_pointer(WsLowerStatement *lower, const WsPtxCallParts *parts)
{
    WsPtxCallGraph *calls = lower->kernel->module->calls;
    g_autofree char *signature = ws_ptx_call_signature(lower->frame->function, parts);
    if (signature == NULL || lower->frame->is_library ||
        ws_lower_register_words(lower, parts->callee) != 2) {
        ws_lower_fail(lower->kernel, &parts->callee->position,
                      "calls through pointers take 64-bit addresses, and variables or registers "
                      "as arguments");
        return;
    }
    const GArray *candidates = g_hash_table_lookup(calls->candidates, signature);
    guint32 wrong = block_of_fault(lower);
    if (candidates == NULL) { /* no address can be one of such a function */
        ws_lower_fall_through(lower->kernel, wrong);
        lower->kernel->block = ws_ir_new_block(lower->kernel->ir);
        return;
    }
    const WsPtxFunction *any = calls->functions->pdata[g_array_index(candidates, guint32, 0)];
    gboolean recurses = may_recurse(calls, candidates);
    WsOperand lanes = recurses ? note_lanes(lower) : ws_operand_none();
    put_arguments(lower, any, parts);
    WsOperand place = place_of_function(lower, parts->callee, candidates, wrong);
    guint32 block = lower->kernel->block, behind = ws_ir_new_block(lower->kernel->ir);
    ws_lower_end(lower, WS_OP_BRX)->operand[0] = place;
    GArray *table = call_candidates(lower, candidates, wrong, behind);
    ws_ir_block(lower->kernel->ir, block)->table = table;
    lower->kernel->block = behind;
    if (recurses)
        EMIT(lower, WARPSYNC, lanes);
    take_results(lower, any, parts);
}

/* ---- bodies ---- */

static void lower_body(WsLowerKernel *kernel, WsPtxBody *body)
{
    const WsPtxConvention *convention = convention_of(kernel, body->function);
    ws_lower_begin_code(kernel, body, body->function, body->entry);
    WsLowerStatement around = ws_lower_no_statement(kernel);
    ws_lower_move(&around, body->link, convention->link);
    copy_formals(&around, body->function->parameters, convention->arguments, TRUE);
    ws_lower_statements(kernel);
    ws_lower_fall_through(kernel, body->exit);
    copy_formals(&around, body->function->returns, convention->results, FALSE);
    ws_lower_end(&around, WS_OP_RET)->operand[0] = body->link;
    ws_lower_end_code(kernel);
}

void ws_lower_bodies(WsLowerKernel *kernel)
{
    for (guint n = 0; n < kernel->bodies->len && kernel->refusal == NULL; n++)
        lower_body(kernel, kernel->bodies->pdata[n]);
    if (kernel->bodies->len == 0 || kernel->refusal != NULL)
        return;
    for (guint n = 0; n < kernel->bodies->len; n++) {
        const WsPtxBody *body = kernel->bodies->pdata[n];
        WsIrBlock *exit = ws_ir_block(kernel->ir, body->exit);
        exit->body = n + 1;
        exit->table = g_array_ref(body->returns);
    }
    kernel->ir->bodies = kernel->bodies->len;
    ws_lower_place_frames(kernel);
}

void ws_lower_init_bodies(WsLowerKernel *kernel)
{
    kernel->bodies = g_ptr_array_new_with_free_func(body_free);
    kernel->body_map = g_hash_table_new(NULL, NULL);
    kernel->conventions = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, convention_free);
    kernel->sites = g_array_new(FALSE, FALSE, sizeof(WsPtxSite));
}

void ws_lower_clear_bodies(WsLowerKernel *kernel)
{
    g_ptr_array_unref(kernel->bodies);
    g_hash_table_unref(kernel->body_map);
    g_hash_table_unref(kernel->conventions);
    g_array_unref(kernel->sites);
}
