/*
 * Candidates for registers: lives, weights, copies, and words that had better lie in different
 * banks or registers, read from the function once before places are given.
 */
#include "isa/codegen/candidates.h"

#include "isa/bytecode/opcode.h"

#include <math.h>

enum { MAX_PARTNERS = 2048 /* of one word that count; some in generated code have any number */ };

guint32 ws_candidate_variable(const WsAllocator *a, guint32 c)
{
    const WsVariables *variables = &a->liveness->variables;
    return a->predicates ? variables->word_count + c : variables->first[c];
}

static void measure_life(WsAllocator *a, guint32 c)
{
    WsCandidate *candidate = &a->candidates[c];
    candidate->begin = G_MAXUINT32;
    candidate->place = WS_NOT_PLACED;
    candidate->apart = WS_NO_CANDIDATE;
    for (guint w = 0; w < candidate->words; w++) {
        const WsSegment *segment = ws_liveness_first(a->liveness, ws_candidate_variable(a, c) + w);
        for (; segment != NULL; segment = ws_liveness_next(a->liveness, segment)) {
            candidate->begin = MIN(candidate->begin, segment->begin);
            candidate->end = MAX(candidate->end, segment->end);
            candidate->length += segment->end - segment->begin;
        }
    }
}

static void add_hint(WsAllocator *a, guint32 c, guint32 other, gint32 distance)
{
    WsCandidate *candidate = &a->candidates[c];
    if (candidate->hints < WS_ALLOCATION_HINTS)
        candidate->hint[candidate->hints++] = (WsAllocationHint){other, distance};
}

static void note_copy(WsAllocator *a, const WsInstruction *instruction)
{
    const WsOperand *to = &instruction->operand[0];
    const WsOperand *from = &instruction->operand[1];
    if (instruction->opcode != WS_OP_MOV || from->kind != WS_OPERAND_REGISTER ||
        to->index < WS_VIRTUAL_BASE || from->index < WS_VIRTUAL_BASE)
        return;
    gint32 distance = (gint32)from->bank - (gint32)to->bank;
    add_hint(a, to->index - WS_VIRTUAL_BASE, from->index - WS_VIRTUAL_BASE, distance);
    add_hint(a, from->index - WS_VIRTUAL_BASE, to->index - WS_VIRTUAL_BASE, -distance);
}

/* The sum has a carry out: its result is the low word of a pair. */
static gboolean carries(const WsInstruction *instruction)
{
    return instruction->opcode == WS_OP_IADD3 && instruction->operand[1].index != WS_PT;
}

/*
 * A result of the XU pipe takes another register than its operand where that is the low word of a
 * pair, and where the result is changed under a guard, as in code compiled by ptxas: there a pair
 * keeps its registers until both words have been read. An instruction of this pipe that overwrites
 * its operand waits longer.
 */
static void note_apart(WsAllocator *a, const WsInstruction *instruction)
{
    const WsOperand *to = &instruction->operand[0];
    if (ws_class_pipe(ws_instruction_class(instruction)) != WS_PIPE_XU ||
        to->kind != WS_OPERAND_REGISTER || to->index < WS_VIRTUAL_BASE)
        return;
    WsCandidate *result = &a->candidates[to->index - WS_VIRTUAL_BASE];
    for (guint n = 1; n < instruction->operand_count; n++) {
        const WsOperand *from = &instruction->operand[n];
        if (from->kind == WS_OPERAND_REGISTER && from->index >= WS_VIRTUAL_BASE &&
            (result->is_guarded || a->candidates[from->index - WS_VIRTUAL_BASE].is_low))
            result->apart = from->index - WS_VIRTUAL_BASE;
    }
}

static void note_all_apart(WsAllocator *a)
{
    for (guint pass = 0; pass < 2; pass++) {
        for (guint32 b = 0; b < a->function->blocks->len; b++) {
            const WsIrBlock *block = ws_ir_block(a->function, b);
            for (guint i = 0; i < block->instructions->len; i++) {
                const WsInstruction *instruction =
                    &g_array_index(block->instructions, WsInstruction, i);
                const WsOperand *to = &instruction->operand[0];
                if (pass == 1) {
                    note_apart(a, instruction);
                } else if (to->kind == WS_OPERAND_REGISTER && to->index >= WS_VIRTUAL_BASE &&
                           ws_operand_is_destination(instruction, 0)) {
                    WsCandidate *candidate = &a->candidates[to->index - WS_VIRTUAL_BASE];
                    candidate->is_guarded |= ws_is_guarded(instruction);
                    candidate->is_low |= carries(instruction);
                }
            }
        }
    }
}

static void add_partner(WsAllocator *a, const WsOperand *word, const WsOperand *other,
                        double weight)
{
    WsCandidate *candidate = &a->candidates[word->index - WS_VIRTUAL_BASE];
    if (candidate->words > 1 || candidate->partners >= MAX_PARTNERS)
        return;
    WsBankPartner partner = {other->index - WS_VIRTUAL_BASE, (word->bank + other->bank) % 2 != 0,
                             weight, candidate->partner};
    g_array_append_val(a->partners, partner);
    candidate->partner = a->partners->len;
    candidate->partners++;
}

/*
 * Words that an instruction reads through the ports of the register banks: ptxas gives those of two
 * operands to different banks (875 of 936 instructions of the workloads; of 454 with three none had
 * all in one). Of three, two must share a bank: rather the second and the third (398 of 458 there),
 * and where these cannot, rather the first and the third (shifts of 64 bits to the right).
 */
static void note_partners(WsAllocator *a, const WsInstruction *instruction, double weight)
{
    static const double later = 0.005; /* so little that it decides only between equals */
    gint slots[WS_OPERAND_SLOTS];
    if (!ws_pipe_has_operand_slots(ws_class_pipe(ws_instruction_class(instruction))))
        return;
    ws_operand_slots(instruction, slots);
    for (guint i = 0; i < WS_OPERAND_SLOTS; i++) {
        for (guint k = 0; k < WS_OPERAND_SLOTS; k++) {
            if (i == k || slots[i] < 0 || slots[k] < 0)
                continue;
            const WsOperand *x = &instruction->operand[slots[i]];
            const WsOperand *y = &instruction->operand[slots[k]];
            if (x->index >= WS_VIRTUAL_BASE && y->index >= WS_VIRTUAL_BASE &&
                ws_operand_width(instruction, (guint)slots[i]) == 1 &&
                ws_operand_width(instruction, (guint)slots[k]) == 1 &&
                (x->index != y->index || x->bank != y->bank))
                add_partner(a, x, y, weight * (1 - later * (i + k)));
        }
    }
}

/* Memory instructions read their registers when they leave their queue. */
static void note_end(WsAllocator *a, const WsInstruction *instruction,
                     const WsRegisterAccess *access, guint32 number)
{
    WsCandidate *candidate = &a->candidates[access->index - WS_VIRTUAL_BASE];
    if (!access->write && candidate->end == 2 * number + 1)
        candidate->ends_as_war =
            ws_is_load(instruction) || ws_is_store(instruction) || ws_is_atomic(instruction);
}

static void weigh(WsAllocator *a)
{
    guint32 number = 0;
    for (guint32 b = 0; b < a->function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(a->function, b);
        double scale = pow(10, MIN(block->loop_depth, 8));
        for (guint i = 0; i < ws_ir_length(block); i++, number++) {
            const WsInstruction *instruction = ws_ir_instruction(block, i);
            WsRegisterAccess accesses[WS_MAX_ACCESSES];
            guint count = ws_instruction_accesses(instruction, accesses);
            for (guint n = 0; n < count; n++) {
                guint file = a->predicates ? WS_FILE_PREDICATE : WS_FILE_REGISTER;
                if (accesses[n].file != file || accesses[n].index < WS_VIRTUAL_BASE)
                    continue;
                WsCandidate *candidate = &a->candidates[accesses[n].index - WS_VIRTUAL_BASE];
                candidate->weight += scale;
                candidate->is_passed |=
                    instruction->opcode == WS_OP_CALL || instruction->opcode == WS_OP_RET;
                note_end(a, instruction, &accesses[n], number);
            }
            if (a->predicates)
                continue;
            note_copy(a, instruction);
            note_partners(a, instruction, scale);
        }
    }
}

void ws_candidates_measure(WsAllocator *a)
{
    for (guint32 c = 0; c < a->count; c++) {
        a->candidates[c].words =
            a->predicates ? 1 : g_array_index(a->function->registers, WsIrRegister, c).words;
        measure_life(a, c);
    }
    weigh(a);
    if (!a->predicates)
        note_all_apart(a);
}
