/* From the intermediate form to a program: the passes in their order. */
#include "isa/codegen/code_generation.h"
#include "isa/base/error.h"
#include "isa/bytecode/shared_variables.h"
#include "isa/codegen/emit.h"
#include "isa/converge/convergence.h"
#include "isa/ir/reference.h"
#include "isa/ir/register_budget.h"
#include "isa/optimise/optimise.h"

static WsIrFunction *copy_function(const WsIrFunction *from)
{
    WsIrFunction *to = ws_ir_function_new(from->name);
    g_array_append_vals(to->registers, from->registers->data, from->registers->len);
    to->predicate_count = from->predicate_count;
    g_array_append_vals(to->sites, from->sites->data, from->sites->len);
    to->bodies = from->bodies;
    to->uses_stack = from->uses_stack;
    to->local_bytes = from->local_bytes;
    to->opening = from->opening;
    to->register_goal = from->register_goal;
    to->reference = ws_reference_ref(from->reference);
    to->kept = from->kept != NULL ? g_array_ref(from->kept) : NULL;
    for (guint32 b = 0; b < from->blocks->len; b++) {
        const WsIrBlock *block = ws_ir_block(from, b);
        WsIrBlock *copy = ws_ir_block(to, ws_ir_new_block(to));
        g_array_append_vals(copy->instructions, block->instructions->data,
                            block->instructions->len);
        copy->branch = block->branch;
        copy->taken = block->taken;
        copy->next = block->next;
        copy->table = block->table != NULL ? g_array_copy(block->table) : NULL;
        copy->uniform = block->uniform;
        copy->cold = block->cold;
        copy->loop_depth = block->loop_depth;
        copy->site = block->site;
        copy->body = block->body;
        copy->label = g_strdup(block->label);
        copy->covers = block->covers != NULL ? g_array_copy(block->covers) : NULL;
    }
    to->kernel = from->kernel;
    to->kernel.name = g_strdup(from->kernel.name);
    to->kernel.display_name = g_strdup(from->kernel.display_name);
    to->kernel.parameters = g_new0(WsParameter, from->kernel.parameter_count + 1);
    for (guint32 p = 0; p < from->kernel.parameter_count; p++) {
        to->kernel.parameters[p] = from->kernel.parameters[p];
        to->kernel.parameters[p].name = g_strdup(from->kernel.parameters[p].name);
    }
    to->kernel.shared = ws_shared_variables_copy(from->kernel.shared, from->kernel.shared_count);
    to->kernel.local_bytes = MAX(from->kernel.local_bytes, from->local_bytes);
    return to;
}

static void simplify(WsIrFunction *function)
{
    ws_simplify_blocks(function);
    ws_propagate_copies(function);
    ws_fuse_logic(function);
    ws_remove_dead_code(function);
    ws_retarget_copies(function);
    ws_simplify_blocks(function);
}

/* Convergence, and what the later passes count on. */
static void finish_control(WsIrFunction *function)
{
    ws_order_blocks(function, FALSE);
    ws_place_convergence(function);
    ws_turn_exits(function);
    ws_order_blocks(function, TRUE);
    ws_place_subroutines(function);
    ws_coalesce_registers(function);
}

/*
 * For debugging each statement keeps its code, in the order of the source, and reads variables
 * where they are: nothing of it is moved over, shared with or left to another.
 */
static void prepare_to_debug(WsIrFunction *function)
{
    /* A variable in a register is assigned by a copy, and may never be read. */
    if (function->kept == NULL) {
        ws_propagate_copies(function);
        ws_remove_dead_code(function);
    }
    ws_finish_shared_bases(function);
    finish_control(function);
}

static void optimise(WsIrFunction *function, const WsCompileOptions *options)
{
    simplify(function);
    ws_hoist_shared_bases(function);
    ws_hoist_constants(function);
    ws_share_subexpressions(function);
    if (options->if_convert) {
        ws_if_convert(function);
        simplify(function);
    }
    ws_merge_loads(function);
    ws_propagate_copies(function);
    ws_remove_dead_code(function);
    if (options->load_constants) {
        ws_load_constants(function);
        ws_propagate_copies(function);
        ws_remove_dead_code(function);
        ws_load_prologue(function, options->parameter_base);
    }
    ws_finish_shared_bases(function);
    ws_select_in_place(function); /* copies must stay copies from here on */
    finish_control(function);
}

/* All but the registers. */
static gboolean order(WsIrFunction *function, const WsCompileOptions *options, guint free,
                      GError **error)
{
    guint cap = ws_register_cap(&function->kernel, options);
    if (options->schedule && !options->debug) {
        ws_balance_pipes(function, FALSE);
        ws_schedule_instructions(function, options, cap, free, TRUE);
    }
    if (!ws_allocate_predicates(function, error))
        return FALSE;
    if (options->schedule && !options->debug) {
        ws_schedule_instructions(function, options, cap, free, FALSE);
        ws_coalesce_registers(function);
    }
    return TRUE;
}

static gboolean place(WsIrFunction *function, const WsCompileOptions *options, gboolean spread,
                      GError **error)
{
    guint cap = ws_register_cap(&function->kernel, options);
    if (!ws_allocate_registers(function, cap, spread, error))
        return FALSE;
    if (options->schedule)
        ws_balance_pipes(function, TRUE);
    return TRUE;
}

/* The one that stays: the first, unless a later one is within the goal. */
static WsIrFunction *keep_better(WsIrFunction *best, WsIrFunction *tried, guint goal)
{
    gboolean better = best == NULL || tried->kernel.registers <= goal;
    WsIrFunction *other = better ? best : tried;
    if (other != NULL)
        ws_ir_function_free(other);
    return better ? tried : best;
}

/* Whether more tries may bring it to the goal: it is above that, and not far. */
static gboolean may_reach(const WsIrFunction *best, guint goal)
{
    enum { FAR = 16 };
    return best->kernel.registers > goal && best->kernel.registers <= goal + FAR;
}

/*
 * Places a function that is ordered: first with regard to banks, and if that may_reach() the goal
 * without, which leaves fewer gaps. `best` is taken, and so is `ordered`; the better
 * one is returned. FALSE in `ret_placed` if a try failed.
 */
static WsIrFunction *place_ordered(WsIrFunction *ordered, WsIrFunction *best, guint goal,
                                   const WsCompileOptions *options, gboolean *ret_placed,
                                   GError **error)
{
    *ret_placed = TRUE;
    for (guint packed = 0; packed < 2 && *ret_placed; packed++) {
        if (packed && !may_reach(best, goal))
            break;
        WsIrFunction *tried = packed ? g_steal_pointer(&ordered) : copy_function(ordered);
        *ret_placed = place(tried, options, !packed, best == NULL ? error : NULL);
        if (*ret_placed)
            best = keep_better(best, tried, goal);
        else
            ws_ir_function_free(tried);
    }
    if (ordered != NULL)
        ws_ir_function_free(ordered);
    return best;
}

/*
 * Schedules and allocates. Registers up to the goal cost no warps. A kernel that comes out above
 * that, unless it is far above, is tried again with loads nearer to their readers. NULL on errors.
 */
static WsIrFunction *place_best(const WsIrFunction *function, const WsCompileOptions *options,
                                GError **error)
{
    enum { NEAR = 8, STEP = 2 };
    guint goal = function->register_goal;
    WsIrFunction *best = NULL;
    for (guint less = 0; less <= NEAR; less += STEP) {
        gboolean placed;
        WsIrFunction *ordered = copy_function(function);
        if (!order(ordered, options, goal - less, best == NULL ? error : NULL)) {
            ws_ir_function_free(ordered);
            return best;
        }
        best = place_ordered(ordered, best, goal, options, &placed, error);
        if (!placed || !may_reach(best, goal))
            break;
    }
    return best;
}

/* Appends copies of `refused` to what the program has. */
static void add_refusals(WsProgram *program, const GArray *refused)
{
    program->refused =
        g_renew(WsRefusedKernel, program->refused, program->refused_count + refused->len + 1);
    for (guint r = 0; r < refused->len; r++) {
        const WsRefusedKernel *from = &g_array_index(refused, WsRefusedKernel, r);
        program->refused[program->refused_count++] =
            (WsRefusedKernel){.name = g_strdup(from->name),
                              .display_name = g_strdup(from->display_name),
                              .message = g_strdup(from->message)};
    }
}

/* Optimised and placed; NULL on errors. `kept`: registers in WsIrFunction.kept are. */
static WsIrFunction *try_function(const WsIrFunction *from, gboolean kept,
                                  const WsCompileOptions *options, GError **error)
{
    WsIrFunction *function = copy_function(from);
    if (!kept && function->kept != NULL)
        g_clear_pointer(&function->kept, g_array_unref);
    function->register_goal = ws_register_goal(&function->kernel, options);
    if (options->debug)
        prepare_to_debug(function);
    else
        optimise(function, options);
    WsIrFunction *placed = place_best(function, options, error);
    ws_ir_function_free(function);
    return placed;
}

/* What is kept may be more than there are registers for. */
static WsIrFunction *compile_function(const WsIrFunction *from, const WsCompileOptions *options,
                                      GError **error)
{
    WsIrFunction *placed = from->kept == NULL ? NULL : try_function(from, TRUE, options, NULL);
    return placed != NULL ? placed : try_function(from, FALSE, options, error);
}

WsProgram *ws_ir_compile(const WsIrModule *module, const WsCompileOptions *options, GError **error)
{
    return ws_ir_compile_kept(module, options, NULL, error);
}

WsProgram *ws_ir_compile_kept(const WsIrModule *module, const WsCompileOptions *options,
                              GPtrArray **ret_functions, GError **error)
{
    g_autoptr(GPtrArray) functions =
        g_ptr_array_new_with_free_func((GDestroyNotify)ws_ir_function_free);
    g_autoptr(GArray) refused = ws_ir_refused_new();
    for (guint f = 0; f < module->functions->len; f++) {
        GError *refusal = NULL;
        const WsIrFunction *function = module->functions->pdata[f];
        WsIrFunction *placed = compile_function(function, options, &refusal);
        if (placed != NULL)
            g_ptr_array_add(functions, placed);
        else
            ws_ir_refuse(refused, function, refusal);
    }
    if (functions->len == 0 && refused->len > 0) {
        g_set_error_literal(error, WS_ERROR, WS_ERROR_INPUT,
                            g_array_index(refused, WsRefusedKernel, 0).message);
        return NULL;
    }
    WsProgram *program = ws_emit_program(module, functions, options, error);
    if (program != NULL) {
        add_refusals(program, module->refused);
        add_refusals(program, refused);
        if (ret_functions != NULL)
            *ret_functions = g_steal_pointer(&functions);
    }
    return program;
}
