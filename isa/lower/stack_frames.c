/*
 * Frames on the stack. The stack lies behind a thread's variables and spills in local memory and
 * grows upwards; the launch says where it begins (WS_CONSTANT_STACK). A body that may enter itself
 * again has its variables there, and around each call of a body that uses the stack it
 *   - stores the registers that are read behind the call and that the call may write, if it may
 *     enter the caller again,
 *   - moves the stack pointer behind its own frame, and back.
 * An access beyond the end of local memory is a fault: the stack has overflowed.
 */
#include "isa/lower/bodies.h"

#include "isa/base/size.h"
#include "isa/bytecode/opcode.h"
#include "isa/ir/liveness.h"

WsOperand ws_lower_stack_pointer(WsLowerKernel *kernel)
{
    if (kernel->stack == 0)
        kernel->stack = ws_ir_new_register(kernel->ir, 1);
    kernel->ir->uses_stack = TRUE;
    return ws_operand_register(kernel->stack);
}

/* ---- what is kept ---- */

typedef struct {
    GArray *save, *restore; /* of WsInstruction */
    guint32 location;
    WsOperand stack;
    guint32 at; /* next free byte of the frame */
} Keeper;

static WsInstruction *append(GArray *list, WsOpcode opcode, guint32 location)
{
    WsInstruction instruction;
    ws_instruction_init(&instruction, opcode);
    instruction.location = location;
    g_array_append_val(list, instruction);
    return &g_array_index(list, WsInstruction, list->len - 1);
}

static void keep_words(Keeper *keeper, WsOperand word, guint words)
{
    WsOperand address = keeper->stack;
    address.kind = WS_OPERAND_ADDRESS;
    address.uniform = WS_URZ;
    address.value = keeper->at = ws_size_align_up(keeper->at, 4 * words);
    keeper->at += 4 * words;
    WsInstruction *store = append(keeper->save, WS_OP_STL, keeper->location);
    store->operand[0] = address;
    store->operand[1] = word;
    WsInstruction *load = append(keeper->restore, WS_OP_LDL, keeper->location);
    load->operand[0] = word;
    load->operand[1] = address;
    store->mod[WS_MOD_WIDTH] = load->mod[WS_MOD_WIDTH] = words == 2 ? WS_WIDTH_64 : WS_WIDTH_32;
}

static void keep_predicate(WsIrFunction *function, Keeper *keeper, WsOperand predicate)
{
    WsOperand word = ws_operand_register(ws_ir_new_register(function, 1));
    WsInstruction *take = append(keeper->save, WS_OP_SEL, keeper->location);
    take->operand[0] = word;
    take->operand[1] = ws_operand_zero();
    take->operand[2] = ws_operand_immediate(1);
    take->operand[3] = ws_operand_negated(predicate);
    keep_words(keeper, word, 1);
    WsInstruction *put = append(keeper->restore, WS_OP_ISETP, keeper->location);
    put->operand[0] = predicate;
    put->operand[2] = word;
    put->operand[3] = ws_operand_zero();
    put->mod[WS_MOD_ICMP] = WS_ICMP_NE;
    put->mod[WS_MOD_UNSIGNED] = 1;
}

/* Variables that are read behind the call: words of registers in order, then predicates. */
static void keep(WsIrFunction *function, Keeper *keeper, const WsLiveness *liveness,
                 const GArray *live)
{
    const WsVariables *variables = &liveness->variables;
    guint32 r = 0;
    for (guint i = 0; i < live->len; i++) {
        guint32 variable = g_array_index(live, guint32, i);
        if (variable >= variables->word_count) {
            WsOperand predicate =
                ws_operand_predicate(WS_VIRTUAL_BASE + variable - variables->word_count);
            keep_predicate(function, keeper, predicate);
            continue;
        }
        while (variables->first[r + 1] <= variable)
            r++;
        guint word = variable - variables->first[r];
        WsOperand operand = ws_operand_word(ws_operand_register(WS_VIRTUAL_BASE + r), word);
        gboolean pair = word % 2 == 0 && variable + 1 < variables->first[r + 1] &&
                        i + 1 < live->len && g_array_index(live, guint32, i + 1) == variable + 1;
        keep_words(keeper, operand, pair ? 2 : 1);
        i += pair;
    }
}

/* ---- a call ---- */

static gint compare_variables(gconstpointer a, gconstpointer b)
{
    guint32 x = *(const guint32 *)a, y = *(const guint32 *)b;
    return x < y ? -1 : x > y;
}

static void add_to_stack(GArray *list, WsOperand stack, guint32 bytes, guint32 location)
{
    WsInstruction *sum = append(list, WS_OP_IADD3, location);
    sum->operand[0] = sum->operand[3] = stack;
    sum->operand[4] = ws_operand_immediate(bytes);
}

/* What a call makes of its blocks, as long as the size of the frame is not known. */
typedef struct {
    GArray *save, *restore;
    guint32 end;
} Call;

static Call keep_over_call(WsLowerKernel *kernel, const WsLiveness *liveness, const WsPtxSite *site,
                           gboolean again)
{
    Keeper keeper = {.save = g_array_new(FALSE, FALSE, sizeof(WsInstruction)),
                     .restore = g_array_new(FALSE, FALSE, sizeof(WsInstruction)),
                     .location = ws_ir_block(kernel->ir, site->block)->branch.location,
                     .stack = ws_lower_stack_pointer(kernel),
                     .at = ws_size_align_up(site->caller->local_bytes, 8)};
    if (again) {
        g_autoptr(GArray) live = g_array_new(FALSE, FALSE, sizeof(guint32));
        ws_liveness_list(liveness, liveness->live_out[site->block], WS_SHARED_SET_EMPTY, live);
        g_array_sort(live, compare_variables);
        keep(kernel->ir, &keeper, liveness, live);
    }
    return (Call){keeper.save, keeper.restore, keeper.at};
}

static void put_call(WsLowerKernel *kernel, const WsPtxSite *site, const Call *call, guint32 bytes)
{
    WsIrBlock *before = ws_ir_block(kernel->ir, site->block);
    WsIrBlock *behind = ws_ir_block(kernel->ir, site->behind);
    WsOperand stack = ws_lower_stack_pointer(kernel);
    guint32 location = before->branch.location;
    add_to_stack(call->save, stack, bytes, location);
    g_array_append_vals(before->instructions, call->save->data, call->save->len);
    g_autoptr(GArray) first = g_array_new(FALSE, FALSE, sizeof(WsInstruction));
    add_to_stack(first, stack, -bytes, location);
    g_array_append_vals(first, call->restore->data, call->restore->len);
    g_array_prepend_vals(behind->instructions, first->data, first->len);
}

/* The code as if each call only went on behind it. */
static WsLiveness *liveness_of_procedures(const WsIrFunction *function)
{
    WsIrFunction view = *function;
    view.blocks = g_array_new(FALSE, FALSE, sizeof(WsIrBlock));
    g_array_append_vals(view.blocks, function->blocks->data, function->blocks->len);
    g_autofree guint32 *returns = ws_ir_returns(function);
    for (guint32 b = 0; b < view.blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(&view, b);
        if (block->site != 0)
            block->taken = ws_ir_behind_call(function, returns, block);
    }
    for (guint32 b = 0; b < view.blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(&view, b);
        if (block->body != 0)
            block->table = NULL;
    }
    WsLiveness *liveness = ws_liveness_new(&view);
    g_array_unref(view.blocks);
    return liveness;
}

/* The calls of one body, which are numbered in a row; its frame is as large as the call that keeps
 * most needs. */
static void place_frame(WsLowerKernel *kernel, guint32 first, guint32 end,
                        const WsLiveness *liveness)
{
    const WsPtxSite *sites = &g_array_index(kernel->sites, WsPtxSite, 0);
    guint32 bytes = sites[first].caller->local_bytes;
    g_autofree Call *calls = g_new0(Call, end - first);
    for (guint32 s = first; s < end; s++) {
        if (!sites[s].callee->uses_stack)
            continue;
        Call *call = &calls[s - first];
        *call = keep_over_call(kernel, liveness, &sites[s],
                               g_array_index(kernel->ir->sites, WsIrSite, s).recursive);
        bytes = MAX(bytes, call->end);
    }
    for (guint32 s = first; s < end; s++) {
        Call *call = &calls[s - first];
        if (call->save == NULL)
            continue;
        put_call(kernel, &sites[s], call, ws_size_align_up(bytes, WS_PTX_STACK_ALIGN));
        g_array_unref(call->save);
        g_array_unref(call->restore);
    }
}

void ws_lower_place_frames(WsLowerKernel *kernel)
{
    WsLiveness *liveness = NULL;
    guint32 count = kernel->sites->len, end;
    for (guint32 first = 0; first < count; first = end) {
        const WsPtxBody *caller = g_array_index(kernel->sites, WsPtxSite, first).caller;
        for (end = first + 1; end < count; end++)
            if (g_array_index(kernel->sites, WsPtxSite, end).caller != caller)
                break;
        if (caller == NULL || caller->component == 0)
            continue;
        if (liveness == NULL)
            liveness = liveness_of_procedures(kernel->ir);
        place_frame(kernel, first, end, liveness);
    }
    ws_liveness_free(liveness);
    if (kernel->stack == 0)
        return;
    WsInstruction begin;
    ws_instruction_init(&begin, WS_OP_MOV);
    begin.operand[0] = ws_operand_register(kernel->stack);
    begin.operand[1] = ws_operand_constant(0, WS_CONSTANT_STACK);
    g_array_prepend_val(ws_ir_block(kernel->ir, 0)->instructions, begin);
}
