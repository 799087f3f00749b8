/*
 * A result that is only copied elsewhere is made there: in a block, OP t; ...; MOV d, t becomes
 * OP d if nothing else reads or writes t and nothing in between touches d. Both may stand under the
 * same guard, if nothing in between writes it. Other readers of t in the block read d from then on,
 * if none comes behind the next write of d.
 */
#include "isa/ir/variables.h"
#include "isa/optimise/optimise.h"

enum { WINDOW = 64 };

static guint32 word_of(const WsVariableCounts *counts, const WsOperand *operand)
{
    return counts->variables.first[operand->index - WS_VIRTUAL_BASE] + operand->bank;
}

/* Whether the instruction touches the word; `ret_result` gets the operand that alone writes it. */
static gboolean touches(const WsVariableCounts *counts, const WsInstruction *instruction,
                        guint32 word, int *ret_result)
{
    gboolean any = FALSE;
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    *ret_result = -1;
    for (guint a = 0; a < count; a++) {
        guint32 first = 0;
        guint words = ws_variables_of(&counts->variables, &accesses[a], &first);
        if (word < first || word >= first + words)
            continue;
        any = TRUE;
        if (accesses[a].write && words == 1)
            *ret_result = accesses[a].operand;
    }
    return any;
}

static gboolean writes_word(const WsVariableCounts *counts, const WsInstruction *instruction,
                            guint32 word)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    for (guint a = 0; a < count; a++) {
        guint32 first = 0;
        guint words = ws_variables_of(&counts->variables, &accesses[a], &first);
        if (accesses[a].write && word >= first && word < first + words)
            return TRUE;
    }
    return FALSE;
}

static gboolean writes_predicate(const WsInstruction *instruction, guint32 predicate)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    for (guint a = 0; a < count; a++)
        if (accesses[a].write && accesses[a].file == WS_FILE_PREDICATE &&
            accesses[a].index == predicate)
            return TRUE;
    return FALSE;
}

static gboolean is_plain_copy(const WsInstruction *instruction)
{
    const WsOperand *from = &instruction->operand[1];
    return ws_is_copy(instruction) && from->kind == WS_OPERAND_REGISTER && from->flags == 0 &&
           from->index >= WS_VIRTUAL_BASE && instruction->operand[0].index >= WS_VIRTUAL_BASE;
}

/* OP of a pair; ...; MOV of both words under its guard: the pair is made where the words go. */
static gboolean retarget_pair(const WsVariableCounts *counts, WsIrBlock *block, guint at)
{
    const WsInstruction *low = ws_ir_instruction(block, at - 1);
    const WsInstruction *high = ws_ir_instruction(block, at);
    if (!is_plain_copy(low) || low->operand[0].bank % 2 != 0 || low->operand[1].bank % 2 != 0 ||
        high->operand[0].index != low->operand[0].index ||
        high->operand[0].bank != low->operand[0].bank + 1 ||
        high->operand[1].index != low->operand[1].index ||
        high->operand[1].bank != low->operand[1].bank + 1 || high->guard != low->guard ||
        high->guard_negated != low->guard_negated)
        return FALSE;
    guint32 from = word_of(counts, &low->operand[1]), to = word_of(counts, &low->operand[0]);
    for (guint32 w = from; w < from + 2; w++)
        if (counts->reads[w] != 1 || counts->writes[w] != 1)
            return FALSE;
    for (guint i = at - 1; i-- > 0 && i + WINDOW > at;) {
        WsInstruction *instruction = ws_ir_instruction(block, i);
        int other = -1;
        if (touches(counts, instruction, from, &other)) {
            /* The pair may be read where it is made anew. */
            if (ws_operand_width(instruction, 0) != 2 ||
                instruction->operand[0].index != low->operand[1].index ||
                instruction->operand[0].bank != low->operand[1].bank ||
                instruction->guard != low->guard ||
                instruction->guard_negated != low->guard_negated ||
                writes_predicate(instruction, low->guard) ||
                !ws_operand_is_destination(instruction, 0))
                return FALSE;
            instruction->operand[0].index = low->operand[0].index;
            instruction->operand[0].bank = low->operand[0].bank;
            return TRUE;
        }
        if (touches(counts, instruction, to, &other) ||
            touches(counts, instruction, to + 1, &other) ||
            writes_predicate(instruction, low->guard))
            return FALSE;
    }
    return FALSE;
}

static gboolean retarget(const WsVariableCounts *counts, WsIrBlock *block, guint at)
{
    const WsInstruction *move = ws_ir_instruction(block, at);
    guint32 from = word_of(counts, &move->operand[1]);
    guint32 to = word_of(counts, &move->operand[0]);
    if (counts->reads[from] != 1 || counts->writes[from] != 1 || from == to)
        return FALSE;
    for (guint i = at; i-- > 0 && i + WINDOW > at;) {
        WsInstruction *instruction = ws_ir_instruction(block, i);
        int result = -1;
        int other = -1;
        if (touches(counts, instruction, from, &result)) {
            /* The instruction may read d, and may not write it twice. */
            if (result < 0 || instruction->guard != move->guard ||
                instruction->guard_negated != move->guard_negated ||
                writes_predicate(instruction, move->guard))
                return FALSE;
            touches(counts, instruction, to, &other);
            if (other >= 0)
                return FALSE;
            instruction->operand[result].index = move->operand[0].index;
            instruction->operand[result].bank = move->operand[0].bank;
            return TRUE;
        }
        if (touches(counts, instruction, to, &other) || writes_predicate(instruction, move->guard))
            return FALSE;
    }
    return FALSE;
}

static gboolean is_word(const WsOperand *operand, const WsOperand *word)
{
    return operand->kind == WS_OPERAND_REGISTER && operand->index == word->index &&
           operand->bank == word->bank;
}

/* Reads of the word as an operand of its own. */
static guint reads_in(const WsInstruction *instruction, const WsOperand *word)
{
    guint reads = 0;
    for (guint n = 0; n < instruction->operand_count; n++)
        reads += is_word(&instruction->operand[n], word) &&
                 !ws_operand_is_destination(instruction, n) &&
                 ws_operand_words(instruction, n) == 1;
    return reads;
}

/*
 * The instruction of the block that makes t of MOV d, t, if d is not touched from there to the MOV;
 * G_MAXUINT if there is none. Adds the readers of t in between.
 */
static guint find_source(const WsVariableCounts *counts, WsIrBlock *block, guint at, guint *reads)
{
    const WsInstruction *move = ws_ir_instruction(block, at);
    guint32 from = word_of(counts, &move->operand[1]), to = word_of(counts, &move->operand[0]);
    for (guint i = at; i-- > 0 && i + WINDOW > at;) {
        const WsInstruction *instruction = ws_ir_instruction(block, i);
        int result, other;
        touches(counts, instruction, from, &result);
        gboolean meets = touches(counts, instruction, to, &other);
        guint here = reads_in(instruction, &move->operand[1]);
        if (result == 0)
            return ws_is_guarded(instruction) || here > 0 || writes_word(counts, instruction, to)
                       ? G_MAXUINT
                       : i;
        if (meets)
            return G_MAXUINT;
        *reads += here;
    }
    return G_MAXUINT;
}

/* TRUE if the next write of the word in the block is under a guard. */
static gboolean is_changed_under_guard(const WsVariableCounts *counts, WsIrBlock *block, guint at,
                                       guint32 word)
{
    for (guint i = at + 1; i < ws_ir_length(block); i++)
        if (writes_word(counts, ws_ir_instruction(block, i), word))
            return ws_is_guarded(ws_ir_instruction(block, i));
    return FALSE;
}

static gboolean is_single(const WsIrFunction *function, const WsOperand *word)
{
    return g_array_index(function->registers, WsIrRegister, word->index - WS_VIRTUAL_BASE).words ==
           1;
}

/*
 * Makes t of MOV d, t in d, and lets all its readers read d. Not for words of pairs and not where d
 * is changed under a guard next: code compiled by ptxas has such copies (a step of min.f64 takes 25
 * cycles, without them it would take 19).
 */
static gboolean take_over(const WsVariableCounts *counts, const WsIrFunction *function,
                          WsIrBlock *block, guint at)
{
    const WsInstruction move = *ws_ir_instruction(block, at);
    guint32 from = word_of(counts, &move.operand[1]), to = word_of(counts, &move.operand[0]);
    guint reads = 0, end = at;
    if (ws_is_guarded(&move) || counts->writes[from] != 1 || from == to ||
        !is_single(function, &move.operand[0]) || !is_single(function, &move.operand[1]))
        return FALSE;
    guint source = find_source(counts, block, at, &reads);
    if (source == G_MAXUINT || is_changed_under_guard(counts, block, at, to))
        return FALSE;
    while (end < ws_ir_length(block) && reads < counts->reads[from]) {
        reads += reads_in(ws_ir_instruction(block, end), &move.operand[1]);
        if (end > at && writes_word(counts, ws_ir_instruction(block, end), to))
            break;
        end++;
    }
    if (reads != counts->reads[from])
        return FALSE;
    for (guint i = source; i <= MIN(end, ws_ir_length(block) - 1); i++) {
        WsInstruction *instruction = ws_ir_instruction(block, i);
        for (guint n = 0; n < instruction->operand_count; n++) {
            if (!is_word(&instruction->operand[n], &move.operand[1]))
                continue;
            instruction->operand[n].index = move.operand[0].index;
            instruction->operand[n].bank = move.operand[0].bank;
        }
    }
    counts->reads[to] += counts->reads[from] - 1;
    counts->reads[from] = 0;
    g_array_remove_index(block->instructions, at);
    return TRUE;
}

void ws_retarget_copies(WsIrFunction *function)
{
    WsVariableCounts counts;
    ws_variable_counts_init(&counts, function);
    for (guint32 b = 0; b < function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(function, b);
        guint kept = 0;
        for (guint i = 0; i < block->instructions->len; i++) {
            WsInstruction instruction = *ws_ir_instruction(block, i);
            g_array_index(block->instructions, WsInstruction, kept) = instruction;
            if (is_plain_copy(&instruction) && kept > 0 && retarget_pair(&counts, block, kept))
                kept--;
            else if (!is_plain_copy(&instruction) || !retarget(&counts, block, kept))
                kept++;
        }
        g_array_set_size(block->instructions, kept);
    }
    for (guint32 b = 0; b < function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(function, b);
        for (guint i = 0; i < block->instructions->len; i++)
            if (is_plain_copy(ws_ir_instruction(block, i)) &&
                take_over(&counts, function, block, i))
                i--;
    }
    ws_variable_counts_clear(&counts);
}
