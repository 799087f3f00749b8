#include "isa/codegen/emit.h"

#include "isa/bytecode/opcode.h"
#include "isa/bytecode/shared_variables.h"
#include "isa/codegen/code_generation.h"
#include "isa/codegen/meeting_places.h"
#include "isa/codegen/source_lines.h"
#include "isa/container/verifier.h"
#include "isa/flow/control_flow.h"
#include "isa/ir/walk.h"

#include <string.h>

typedef struct {
    WsIrFunction *function;
    GArray *out;          /* of WsInstruction: the whole program */
    GPtrArray *labels;    /* of char*, parallel */
    guint32 base;         /* first instruction of the kernel */
    guint32 *block_start; /* per block: instruction number */
    guint32 *returns;     /* of ws_ir_returns() */
    GArray *fixups;       /* of guint32: instructions whose target is a block number */
} Emitter;

static void append(Emitter *emitter, const WsInstruction *instruction)
{
    WsInstruction copy = *instruction;
    /* In the intermediate form it keeps accesses in their place whose rows do not have it. */
    if (!ws_opcode_has_modifier(copy.opcode, WS_MOD_CACHE))
        copy.mod[WS_MOD_CACHE] = WS_CACHE_DEFAULT;
    copy.low_half = FALSE;
    copy.origin = 0;
    g_array_append_val(emitter->out, copy);
    g_ptr_array_add(emitter->labels, NULL);
}

static void append_to_block(Emitter *emitter, WsInstruction *instruction, guint32 block)
{
    ws_branch_set_target(instruction, block);
    guint32 number = emitter->out->len;
    g_array_append_val(emitter->fixups, number);
    append(emitter, instruction);
}

static void append_jump(Emitter *emitter, guint32 block, guint32 location)
{
    WsInstruction jump;
    ws_instruction_init(&jump, WS_OP_BRA);
    jump.location = location;
    append_to_block(emitter, &jump, block);
}

/* Turns a condition round: the guard, or the predicate operand if there is no guard. */
static gboolean invert(WsInstruction *branch)
{
    WsOperand *condition = &branch->operand[0];
    if (branch->opcode != WS_OP_BRA)
        return FALSE;
    if (branch->guard != WS_PT && condition->index == WS_PT && condition->flags == 0) {
        branch->guard_negated ^= 1;
        return TRUE;
    }
    if (!ws_is_guarded(branch)) {
        condition->flags ^= WS_OPERAND_NEGATE;
        return TRUE;
    }
    return FALSE;
}

/* BRX goes to a table of jumps that stands right behind it. */
static void emit_table(Emitter *emitter, const WsIrBlock *block)
{
    WsInstruction branch = block->branch;
    ws_branch_set_target(&branch, emitter->out->len + 1);
    append(emitter, &branch);
    for (guint i = 0; i < block->table->len; i++)
        append_jump(emitter, g_array_index(block->table, guint32, i), branch.location);
}

/*
 * As ptxas has it: a branch round a jump to the slow path is taken, rather than one to the slow
 * path not taken.
 */
static gboolean jumps_round_slow_path(const Emitter *emitter, const WsIrBlock *block)
{
    return ws_ir_block(emitter->function, block->next)->cold && !block->cold;
}

/* The last one in front that writes the register of the return address moves a constant to it. */
static void set_return_address(Emitter *emitter, guint32 link)
{
    WsInstruction *move = &g_array_index(emitter->out, WsInstruction, emitter->out->len - 1);
    while (move->operand[0].kind != WS_OPERAND_REGISTER || move->operand[0].index != link ||
           !ws_operand_is_destination(move, 0))
        move--;
    for (guint n = 1; n < move->operand_count; n++)
        if (move->operand[n].kind == WS_OPERAND_IMMEDIATE)
            move->operand[n].value = (emitter->out->len + 1) * WS_INSTRUCTION_BYTES;
}

static void emit_call(Emitter *emitter, WsInstruction *call)
{
    set_return_address(emitter, call->operand[WS_CALL_LINK].index);
    call->operand_count = WS_CALL_RESULT;
    append_to_block(emitter, call, ws_branch_target(call));
}

/* CALL comes back to the instruction behind it. */
static void emit_body_call(Emitter *emitter, guint32 b)
{
    const WsIrBlock *block = ws_ir_block(emitter->function, b);
    WsInstruction call = block->branch;
    guint32 behind = ws_ir_behind_call(emitter->function, emitter->returns, block);
    append_to_block(emitter, &call, block->taken);
    if (behind == WS_IR_NO_BLOCK) { /* it never does */
        WsInstruction end;
        ws_instruction_init(&end, WS_OP_EXIT);
        end.location = call.location;
        append(emitter, &end);
    } else if (behind != b + 1) {
        append_jump(emitter, behind, call.location);
    }
}

static void emit_end(Emitter *emitter, guint32 b)
{
    const WsIrBlock *block = ws_ir_block(emitter->function, b);
    WsInstruction branch = block->branch;
    guint32 next = block->next;
    if (block->site != 0) {
        emit_body_call(emitter, b);
        return;
    }
    if (block->table != NULL && branch.opcode == WS_OP_BRX) {
        emit_table(emitter, block);
        return;
    }
    if (branch.opcode == WS_OP_BRA) {
        if (block->taken == b + 1 && next != WS_IR_NO_BLOCK &&
            !jumps_round_slow_path(emitter, block) && invert(&branch)) {
            append_to_block(emitter, &branch, next);
            return;
        }
        if (next != WS_IR_NO_BLOCK || block->taken != b + 1)
            append_to_block(emitter, &branch, block->taken);
    } else if (branch.opcode == WS_OP_CALL) {
        emit_call(emitter, &branch);
    } else if (branch.opcode != WS_OP_NOP) {
        append(emitter, &branch);
    }
    if (next != WS_IR_NO_BLOCK && next != b + 1)
        append_jump(emitter, next, branch.location);
}

static void set_label(Emitter *emitter, guint32 at, const char *label)
{
    if (label != NULL && at < emitter->labels->len && emitter->labels->pdata[at] == NULL)
        emitter->labels->pdata[at] = g_strdup(label);
}

static void resolve(Emitter *emitter)
{
    for (guint i = 0; i < emitter->fixups->len; i++) {
        WsInstruction *instruction =
            &g_array_index(emitter->out, WsInstruction, g_array_index(emitter->fixups, guint32, i));
        guint32 block = ws_branch_target(instruction);
        guint32 target = emitter->block_start[block];
        ws_branch_set_target(instruction, target);
        set_label(emitter, target, ws_ir_block(emitter->function, block)->label);
    }
}

static void emit_function(Emitter *emitter)
{
    guint32 blocks = emitter->function->blocks->len;
    emitter->base = emitter->out->len;
    emitter->block_start = g_new0(guint32, blocks + 1);
    emitter->returns = ws_ir_returns(emitter->function);
    emitter->fixups = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint32 b = 0; b < blocks; b++) {
        WsIrBlock *block = ws_ir_block(emitter->function, b);
        emitter->block_start[b] = block->first = emitter->out->len;
        for (guint i = 0; i < block->instructions->len; i++) {
            WsInstruction instruction = g_array_index(block->instructions, WsInstruction, i);
            if (instruction.opcode == WS_OP_BSSY)
                append_to_block(emitter, &instruction, ws_branch_target(&instruction));
            else
                append(emitter, &instruction);
        }
        emit_end(emitter, b);
    }
    resolve(emitter);
    g_free(emitter->block_start);
    g_free(emitter->returns);
    g_array_unref(emitter->fixups);
}

/* Reuse does not reach over the end of a basic block. */
static void mark_reuse(WsInstruction *first, guint32 count)
{
    g_autoptr(WsControlFlow) flow = ws_control_flow_new(first, 0, count);
    for (guint32 b = 0; b < flow->block_count; b++)
        ws_mark_reuse(first + flow->blocks[b].first, flow->blocks[b].count);
}

static void move_targets(WsInstruction *first, guint32 count, gint64 distance)
{
    for (guint32 i = 0; i < count; i++) {
        guint32 target = ws_branch_target(&first[i]);
        if (target != WS_NO_NODE)
            ws_branch_set_target(&first[i], (guint32)(target + distance));
    }
}

/* Named barriers: highest number and one; a number in a register may be any. */
static void note_barrier(WsKernel *kernel, const WsInstruction *instruction)
{
    enum { ALL_BARRIERS = 16, BARRIER_OPERAND = 2 };
    const WsOperand *number = &instruction->operand[BARRIER_OPERAND];
    guint32 used = ALL_BARRIERS;
    if (number->kind == WS_OPERAND_IMMEDIATE)
        used = MIN(number->value, ALL_BARRIERS - 1) + 1;
    else if (number->kind == WS_OPERAND_REGISTER && number->index == WS_RZ)
        used = 1;
    kernel->barriers = MAX(kernel->barriers, used);
}

static void fill_kernel(WsKernel *to, const WsIrFunction *function)
{
    const WsKernel *from = &function->kernel;
    *to = *from;
    to->name = g_strdup(from->name != NULL ? from->name : function->name);
    to->display_name = g_strdup(from->display_name != NULL ? from->display_name : to->name);
    to->parameters = g_new0(WsParameter, from->parameter_count + 1);
    for (guint32 p = 0; p < from->parameter_count; p++) {
        to->parameters[p] = from->parameters[p];
        to->parameters[p].name = g_strdup(from->parameters[p].name);
    }
    to->shared = ws_shared_variables_copy(from->shared, from->shared_count);
    if (function->uses_stack)
        ws_kernel_set_stack(to, WS_DEFAULT_STACK_BYTES);
}

static void describe_code(WsKernel *kernel, const WsInstruction *code)
{
    for (guint32 i = 0; i < kernel->count; i++) {
        const WsInstruction *instruction = &code[kernel->first + i];
        if (instruction->opcode == WS_OP_BAR)
            note_barrier(kernel, instruction);
        if (ws_names_lanes(instruction))
            kernel->names_lanes = TRUE;
    }
}

static void copy_constructs(WsProgram *program, const GArray *constructs)
{
    ws_constructs_free(program->constructs, program->construct_count);
    program->construct_count = constructs->len;
    program->constructs = g_new0(WsConstruct, constructs->len);
    for (guint i = 0; i < constructs->len; i++) {
        program->constructs[i] = g_array_index(constructs, WsConstruct, i);
        program->constructs[i].name = g_strdup(program->constructs[i].name);
    }
}

static void copy_tables(WsProgram *program, const WsIrModule *module)
{
    g_strfreev(program->files);
    program->symbol_count = module->symbols->len;
    program->symbols = g_new0(WsSymbol, module->symbols->len + 1);
    for (guint i = 0; i < module->symbols->len; i++) {
        const WsSymbol *from = &g_array_index(module->symbols, WsSymbol, i);
        program->symbols[i] = *from;
        program->symbols[i].name = g_strdup(from->name);
        program->symbols[i].initial = g_memdup2(from->initial, from->size);
    }
    program->files = g_new0(char *, module->files->len + 1);
    for (guint i = 0; i < module->files->len; i++)
        program->files[i] = g_strdup(module->files->pdata[i]);
    program->constants = g_memdup2(module->constants, module->constant_bytes);
    program->constant_bytes = module->constant_bytes;
    program->module_bytes = module->module_bytes;
    program->ptx = g_strdup(module->ptx);
    program->path = g_strdup(module->path);
}

WsProgram *ws_emit_program(const WsIrModule *module, const GPtrArray *functions,
                           const WsCompileOptions *options, GError **error)
{
    g_autoptr(WsProgram) program = ws_program_new();
    Emitter emitter = {.out = g_array_new(FALSE, TRUE, sizeof(WsInstruction)),
                       .labels = g_ptr_array_new()};
    GArray *locations = g_array_copy(module->locations);
    copy_tables(program, module);
    program->parameter_base = options->parameter_base;
    program->kernel_count = functions->len;
    program->kernels = g_new0(WsKernel, functions->len + 1);
    for (guint f = 0; f < functions->len; f++) {
        emitter.function = functions->pdata[f];
        emit_function(&emitter);
        WsKernel *kernel = &program->kernels[f];
        fill_kernel(kernel, functions->pdata[f]);
        kernel->first = emitter.base;
        kernel->count = emitter.out->len - emitter.base;
        WsInstruction *code = &g_array_index(emitter.out, WsInstruction, 0);
        describe_code(kernel, code);
        move_targets(code + kernel->first, kernel->count, -(gint64)kernel->first);
        ws_complete_source_lines(code + kernel->first, kernel->count, locations,
                                 emitter.function->opening);
        ws_place_meetings(code + kernel->first, kernel->count, locations, module->constructs);
        ws_set_control(code + kernel->first, kernel->count, options);
        mark_reuse(code + kernel->first, kernel->count);
        move_targets(code + kernel->first, kernel->count, kernel->first);
    }
    copy_constructs(program, module->constructs);
    g_ptr_array_add(emitter.labels, NULL);
    program->instruction_count = emitter.out->len;
    program->instructions = (WsInstruction *)(void *)g_array_free(emitter.out, FALSE);
    program->labels = (char **)g_ptr_array_free(emitter.labels, FALSE);
    g_free(program->locations);
    program->location_count = locations->len;
    program->locations = (WsLocation *)(void *)g_array_free(locations, FALSE);
    if (!ws_verify(program, error))
        return NULL;
    return g_steal_pointer(&program);
}
