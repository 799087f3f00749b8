#include "isa/codegen/spill.h"
#include "isa/bytecode/opcode.h"
#include "isa/ir/variables.h"

typedef struct {
    WsIrFunction *function;
    const guint8 *chosen;
    guint32 count;           /* registers or predicates there were before */
    guint32 *slot;           /* per register: byte offset in local memory */
    WsInstruction *constant; /* per register: the MOV that makes it, opcode NOP if none */
    GArray *out;             /* of WsInstruction: the block being rewritten */
} Spiller;

/* One temporary for each range of words of a spilled register that an instruction touches. */
typedef struct {
    guint32 from;
    guint8 word;
    guint8 words;
    guint32 to;
} Temporary;

static void append_memory(Spiller *spiller, WsOpcode opcode, const WsInstruction *like,
                          const Temporary *temporary, gboolean guarded)
{
    WsInstruction instruction;
    ws_instruction_init(&instruction, opcode);
    gboolean load = opcode == WS_OP_LDL;
    WsOperand *address = &instruction.operand[load ? 1 : 0];
    address->value = spiller->slot[temporary->from] + 4u * temporary->word;
    instruction.operand[load ? 0 : 1].index = temporary->to;
    instruction.mod[WS_MOD_WIDTH] = temporary->words == 4   ? WS_WIDTH_128
                                    : temporary->words == 2 ? WS_WIDTH_64
                                                            : WS_WIDTH_32;
    instruction.location = like->location;
    if (guarded) {
        instruction.guard = like->guard;
        instruction.guard_negated = like->guard_negated;
    }
    g_array_append_val(spiller->out, instruction);
}

static void reload(Spiller *spiller, const WsInstruction *like, const Temporary *temporary)
{
    if (spiller->constant[temporary->from].opcode == WS_OP_NOP) {
        append_memory(spiller, WS_OP_LDL, like, temporary, FALSE);
        return;
    }
    WsInstruction move = spiller->constant[temporary->from];
    move.operand[0].index = temporary->to;
    move.operand[0].bank = 0;
    move.location = like->location;
    g_array_append_val(spiller->out, move);
}

static gboolean is_spilled(const Spiller *spiller, const WsRegisterAccess *access)
{
    return access->file == WS_FILE_REGISTER && access->index >= WS_VIRTUAL_BASE &&
           access->index - WS_VIRTUAL_BASE < spiller->count &&
           spiller->chosen[access->index - WS_VIRTUAL_BASE];
}

static void rename_operand(WsInstruction *instruction, guint n, guint32 to)
{
    WsOperand *operand = &instruction->operand[n];
    operand->index = to;
    if (operand->kind != WS_OPERAND_CONSTANT)
        operand->bank = 0;
}

static gboolean writes_own_guard(const WsInstruction *instruction, const WsRegisterAccess *accesses,
                                 guint count)
{
    for (guint a = 0; a < count; a++) {
        if (accesses[a].write && accesses[a].file == WS_FILE_PREDICATE &&
            accesses[a].index == instruction->guard)
            return TRUE;
    }
    return FALSE;
}

static const Temporary *find_temporary(const Temporary *list, guint count,
                                       const WsRegisterAccess *access)
{
    for (guint t = 0; t < count; t++) {
        if (list[t].from == access->index - WS_VIRTUAL_BASE && list[t].word == access->word &&
            list[t].words == access->words)
            return &list[t];
    }
    return NULL;
}

/* Appends `instruction` with loads in front and stores behind. A branch writes no registers. */
static void rewrite(Spiller *spiller, WsInstruction *instruction, gboolean append)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    Temporary read[WS_MAX_OPERANDS];
    Temporary written[WS_MAX_OPERANDS];
    guint reads = 0;
    guint writes = 0;
    gboolean own_guard = writes_own_guard(instruction, accesses, count);
    for (guint a = 0; a < count; a++) {
        if (!is_spilled(spiller, &accesses[a]))
            continue;
        const Temporary *old = accesses[a].write ? NULL : find_temporary(read, reads, &accesses[a]);
        Temporary made = {.from = accesses[a].index - WS_VIRTUAL_BASE,
                          .word = accesses[a].word,
                          .words = accesses[a].words};
        if (old == NULL)
            made.to = ws_ir_new_register(spiller->function, accesses[a].words);
        else
            made = *old;
        if (accesses[a].write)
            written[writes++] = made;
        else if (old == NULL)
            read[reads++] = made;
        if ((!accesses[a].write && old == NULL) || (accesses[a].write && own_guard))
            reload(spiller, instruction, &made);
        rename_operand(instruction, accesses[a].operand, made.to);
    }
    if (append)
        g_array_append_val(spiller->out, *instruction);
    for (guint w = 0; w < writes; w++)
        append_memory(spiller, WS_OP_STL, instruction, &written[w], !own_guard);
}

static void rewrite_block(Spiller *spiller, WsIrBlock *block)
{
    spiller->out = g_array_new(FALSE, TRUE, sizeof(WsInstruction));
    for (guint i = 0; i < block->instructions->len; i++) {
        WsInstruction *instruction = ws_ir_instruction(block, i);
        const WsOperand *to = &instruction->operand[0];
        if (instruction->opcode == WS_OP_MOV && to->index >= WS_VIRTUAL_BASE &&
            to->index - WS_VIRTUAL_BASE < spiller->count &&
            spiller->constant[to->index - WS_VIRTUAL_BASE].opcode != WS_OP_NOP)
            continue;
        rewrite(spiller, instruction, TRUE);
    }
    rewrite(spiller, &block->branch, FALSE);
    g_array_unref(block->instructions);
    block->instructions = g_steal_pointer(&spiller->out);
}

static gboolean is_constant_move(const WsInstruction *instruction)
{
    const WsOperand *from = &instruction->operand[1];
    return instruction->opcode == WS_OP_MOV && instruction->guard == WS_PT &&
           !instruction->guard_negated &&
           (from->kind == WS_OPERAND_IMMEDIATE ||
            (from->kind == WS_OPERAND_CONSTANT && from->index == WS_RZ) ||
            (from->kind == WS_OPERAND_REGISTER && from->index == WS_RZ));
}

/* One-word registers whose only write is a MOV of a constant are made again where they are read. */
static void find_constants(Spiller *spiller)
{
    g_autofree guint8 *writes = g_new0(guint8, spiller->count + 1);
    for (guint32 r = 0; r < spiller->count; r++)
        ws_instruction_init(&spiller->constant[r], WS_OP_NOP);
    for (guint32 b = 0; b < spiller->function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(spiller->function, b);
        for (guint i = 0; i < block->instructions->len; i++) {
            const WsInstruction *instruction = ws_ir_instruction(block, i);
            WsRegisterAccess accesses[WS_MAX_ACCESSES];
            guint count = ws_instruction_accesses(instruction, accesses);
            for (guint a = 0; a < count; a++) {
                guint32 r = accesses[a].index - WS_VIRTUAL_BASE;
                if (!accesses[a].write || !is_spilled(spiller, &accesses[a]))
                    continue;
                guint words = g_array_index(spiller->function->registers, WsIrRegister, r).words;
                if (writes[r] == 0 && words == 1 && is_constant_move(instruction))
                    spiller->constant[r] = *instruction;
                else
                    ws_instruction_init(&spiller->constant[r], WS_OP_NOP);
                writes[r] = 1;
            }
        }
    }
}

static void assign_slots(Spiller *spiller)
{
    WsKernel *kernel = &spiller->function->kernel;
    for (guint32 r = 0; r < spiller->count; r++) {
        if (!spiller->chosen[r] || spiller->constant[r].opcode != WS_OP_NOP)
            continue;
        guint32 bytes = 4u * g_array_index(spiller->function->registers, WsIrRegister, r).words;
        guint32 at = (kernel->local_bytes + bytes - 1) / bytes * bytes;
        spiller->slot[r] = at;
        kernel->local_bytes = at + bytes;
        kernel->spill_bytes += bytes;
    }
}

void ws_spill_registers(WsIrFunction *function, const guint8 *chosen)
{
    Spiller spiller = {.function = function, .chosen = chosen, .count = function->registers->len};
    spiller.slot = g_new0(guint32, spiller.count + 1);
    spiller.constant = g_new0(WsInstruction, spiller.count + 1);
    find_constants(&spiller);
    assign_slots(&spiller);
    for (guint32 b = 0; b < function->blocks->len; b++)
        rewrite_block(&spiller, ws_ir_block(function, b));
    g_free(spiller.slot);
    g_free(spiller.constant);
}

/* ---- predicates -------------------------------------------------------------------------------
 */

typedef struct {
    WsIrFunction *function;
    const guint8 *chosen;
    guint32 count;
    guint32 first_temporary;
    guint32 *home;       /* per predicate: register */
    WsInstruction *test; /* per predicate: the comparison that makes it, opcode NOP if none */
    guint32 recent;      /* predicate read last in this block, WS_IR_NO_BLOCK if none */
    guint32 recent_as;   /* where it still is */
    GArray *out;
} PredicateSpiller;

/* Writes of each variable (0, 1, or 2 for more), guarded ones counted twice. */
static guint8 *count_writes(const WsIrFunction *function, const WsVariables *variables)
{
    guint8 *writes = g_new0(guint8, variables->count + 1);
    for (guint32 b = 0; b < function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(function, b);
        for (guint i = 0; i < block->instructions->len; i++) {
            const WsInstruction *instruction = ws_ir_instruction(block, i);
            guint weight = ws_is_guarded(instruction) ? 2 : 1;
            WsRegisterAccess accesses[WS_MAX_ACCESSES];
            guint count = ws_instruction_accesses(instruction, accesses);
            for (guint a = 0; a < count; a++) {
                guint32 first = 0;
                guint words =
                    accesses[a].write ? ws_variables_of(variables, &accesses[a], &first) : 0;
                for (guint w = 0; w < words; w++)
                    writes[first + w] = (guint8)MIN(writes[first + w] + weight, 2);
            }
        }
    }
    return writes;
}

/*
 * A comparison whose operands are written once in all can be made again wherever its result is
 * read: that needs no register and no SEL.
 */
static gboolean is_repeatable(const WsInstruction *instruction, const WsVariables *variables,
                              const guint8 *writes)
{
    if ((instruction->opcode != WS_OP_ISETP && instruction->opcode != WS_OP_FSETP) ||
        instruction->mod[WS_MOD_EXTENDED] || instruction->operand[0].index < WS_VIRTUAL_BASE ||
        instruction->operand[1].index != WS_PT)
        return FALSE;
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    for (guint a = 0; a < count; a++) {
        guint32 first = 0;
        guint words = ws_variables_of(variables, &accesses[a], &first);
        if (!accesses[a].write && accesses[a].file != WS_FILE_REGISTER)
            return FALSE;
        if (words == 0 || writes[first] != 1 || words != accesses[a].words)
            return FALSE;
    }
    return TRUE;
}

static void find_tests(PredicateSpiller *spiller)
{
    WsVariables variables;
    ws_variables_init(&variables, spiller->function);
    g_autofree guint8 *writes = count_writes(spiller->function, &variables);
    for (guint32 b = 0; b < spiller->function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(spiller->function, b);
        for (guint i = 0; i < block->instructions->len; i++) {
            const WsInstruction *instruction = ws_ir_instruction(block, i);
            if (!is_repeatable(instruction, &variables, writes))
                continue;
            guint32 p = instruction->operand[0].index - WS_VIRTUAL_BASE;
            if (p < spiller->count && spiller->chosen[p])
                spiller->test[p] = *instruction;
        }
    }
    ws_variables_clear(&variables);
}

static void reload_predicate(PredicateSpiller *spiller, const WsInstruction *like, guint32 from,
                             guint32 to)
{
    WsInstruction test = spiller->test[from];
    if (test.opcode == WS_OP_NOP) {
        ws_instruction_init(&test, WS_OP_ISETP);
        test.operand[2].index = spiller->home[from];
        test.mod[WS_MOD_ICMP] = WS_ICMP_NE;
    }
    test.operand[0].index = to;
    test.location = like->location;
    g_array_append_val(spiller->out, test);
}

/* Home = predicate ? 1 : 0, under the guard of `like` where that still holds. */
static void store_predicate(PredicateSpiller *spiller, const WsInstruction *like, guint32 home,
                            guint32 from, gboolean guarded)
{
    WsInstruction select;
    ws_instruction_init(&select, WS_OP_SEL);
    select.operand[0].index = home;
    select.operand[2] = ws_operand_immediate(1);
    select.operand[3].index = from;
    select.operand[3].flags = WS_OPERAND_NEGATE;
    select.location = like->location;
    if (guarded) {
        select.guard = like->guard;
        select.guard_negated = like->guard_negated;
    }
    g_array_append_val(spiller->out, select);
}

static gboolean is_spilled_predicate(const PredicateSpiller *spiller,
                                     const WsRegisterAccess *access)
{
    return access->file == WS_FILE_PREDICATE && access->index >= WS_VIRTUAL_BASE &&
           access->index - WS_VIRTUAL_BASE < spiller->count &&
           spiller->chosen[access->index - WS_VIRTUAL_BASE];
}

static void rewrite_predicates(PredicateSpiller *spiller, WsInstruction *instruction,
                               gboolean append)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    gboolean own_guard = writes_own_guard(instruction, accesses, count);
    guint32 homes[WS_MAX_OPERANDS];
    guint32 temporaries[WS_MAX_OPERANDS];
    guint writes = 0;
    gboolean written = FALSE;
    for (guint a = 0; a < count; a++) {
        if (!is_spilled_predicate(spiller, &accesses[a]))
            continue;
        guint32 from = accesses[a].index - WS_VIRTUAL_BASE;
        guint32 home = spiller->home[from];
        gboolean known = !accesses[a].write && spiller->recent == from;
        guint32 to = known ? spiller->recent_as : ws_ir_new_predicate(spiller->function);
        if (!known && (!accesses[a].write || own_guard))
            reload_predicate(spiller, instruction, from, to);
        if (!accesses[a].write) {
            spiller->recent = from < spiller->first_temporary ? from : WS_IR_NO_BLOCK;
            spiller->recent_as = to;
        }
        written |= accesses[a].write;
        if (accesses[a].write) {
            homes[writes] = home;
            temporaries[writes++] = to;
        }
        if (accesses[a].operand == WS_ACCESS_GUARD)
            instruction->guard = to;
        else
            instruction->operand[accesses[a].operand].index = to;
    }
    if (append)
        g_array_append_val(spiller->out, *instruction);
    for (guint w = 0; w < writes; w++)
        store_predicate(spiller, instruction, homes[w], temporaries[w], !own_guard);
    if (written)
        spiller->recent = WS_IR_NO_BLOCK;
}

/* The comparison itself goes: its result is made where it is read. */
static gboolean is_made_again(const PredicateSpiller *spiller, const WsInstruction *instruction)
{
    if (instruction->opcode != WS_OP_ISETP && instruction->opcode != WS_OP_FSETP)
        return FALSE;
    guint32 p = instruction->operand[0].index - WS_VIRTUAL_BASE;
    return instruction->operand[0].index >= WS_VIRTUAL_BASE && p < spiller->count &&
           spiller->test[p].opcode != WS_OP_NOP;
}

void ws_spill_predicates(WsIrFunction *function, const guint8 *chosen, guint32 first_temporary)
{
    PredicateSpiller spiller = {.function = function,
                                .chosen = chosen,
                                .count = function->predicate_count,
                                .first_temporary = first_temporary};
    spiller.home = g_new0(guint32, spiller.count + 1);
    spiller.test = g_new0(WsInstruction, spiller.count + 1);
    for (guint32 p = 0; p < spiller.count; p++)
        ws_instruction_init(&spiller.test[p], WS_OP_NOP);
    find_tests(&spiller);
    for (guint32 p = 0; p < spiller.count; p++) {
        if (chosen[p] && spiller.test[p].opcode == WS_OP_NOP)
            spiller.home[p] = ws_ir_new_register(function, 1);
    }
    for (guint32 b = 0; b < function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(function, b);
        spiller.out = g_array_new(FALSE, TRUE, sizeof(WsInstruction));
        spiller.recent = WS_IR_NO_BLOCK;
        for (guint i = 0; i < block->instructions->len; i++) {
            WsInstruction *instruction = ws_ir_instruction(block, i);
            if (!is_made_again(&spiller, instruction))
                rewrite_predicates(&spiller, instruction, TRUE);
        }
        rewrite_predicates(&spiller, &block->branch, FALSE);
        g_array_unref(block->instructions);
        block->instructions = g_steal_pointer(&spiller.out);
    }
    g_free(spiller.home);
    g_free(spiller.test);
}
