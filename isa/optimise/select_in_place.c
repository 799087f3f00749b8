/*
 * Selections between a value and another that one instruction makes: where the first is needed no
 * more, that instruction overwrites it under the predicate.
 *
 *     FMUL t, y, 2^24; FSEL d, t, y, p     becomes     MOV d, y; @p FMUL d, d, 2^24
 *
 * and the MOV goes where registers are coalesced. ptxas does the same (seen in the sequences of
 * lg2, ex2, rsqrt and rcp compiled for sm_90). So does the MOV in front of what was guarded from
 * the start: where y is needed no longer than up to that instruction, d is read in its place.
 */
#include "isa/bytecode/opcode.h"
#include "isa/ir/liveness.h"
#include "isa/ir/reference.h"
#include "isa/optimise/optimise.h"

#include <string.h>

enum { WINDOW = 64, NOTHING = G_MAXUINT32 };

typedef struct {
    WsIrFunction *function;
    WsLiveness *liveness;
    guint32 *reads; /* per variable */
    guint32 *writes;
    WsIrBlock *block;
    guint32 first;     /* number of the block's first instruction */
    guint32 *moved_to; /* per instruction of the block: the selection it goes to, or NOTHING */
    guint32 *made_by;  /* per selection: the instruction that goes there, or NOTHING */
    guint8 *arms;      /* per selection: its operand that the instruction makes, 1 or 2 */
} Selector;

static gboolean is_word(const WsOperand *operand)
{
    return operand->kind == WS_OPERAND_REGISTER && operand->index >= WS_VIRTUAL_BASE &&
           operand->flags == 0;
}

static guint32 variable_of(const Selector *s, const WsOperand *operand)
{
    return s->liveness->variables.first[operand->index - WS_VIRTUAL_BASE] + operand->bank;
}

static gboolean is_selection(const WsInstruction *select)
{
    return (select->opcode == WS_OP_SEL || select->opcode == WS_OP_FSEL) &&
           !ws_is_guarded(select) && !select->mod[WS_MOD_FTZ] &&
           select->operand[3].index >= WS_VIRTUAL_BASE && is_word(&select->operand[0]);
}

static gboolean touches(const Selector *s, const WsInstruction *instruction, guint32 variable,
                        gboolean writes)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    for (guint a = 0; a < count; a++) {
        guint32 first = 0;
        guint words = ws_variables_of(&s->liveness->variables, &accesses[a], &first);
        if (variable >= first && variable < first + words && (!writes || accesses[a].write))
            return TRUE;
    }
    return FALSE;
}

static gboolean writes_source(const Selector *s, const WsInstruction *writer,
                              const WsInstruction *reader)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(reader, accesses);
    for (guint a = 0; a < count; a++) {
        guint32 first = 0;
        guint words = ws_variables_of(&s->liveness->variables, &accesses[a], &first);
        for (guint w = 0; w < words && !accesses[a].write; w++)
            if (touches(s, writer, first + w, TRUE))
                return TRUE;
    }
    return FALSE;
}

/* Arithmetic that may stand under a guard, with one word as its only result. */
static gboolean can_move(const WsInstruction *instruction)
{
    /* Halves of pairs are made and selected: ptxas has SEL twice for a guarded sum of 64 bits. */
    if (instruction->opcode == WS_OP_SEL || instruction->mod[WS_MOD_EXTENDED])
        return FALSE;
    switch (ws_opcode_info(instruction->opcode)->execution_class) {
    case WS_CLASS_FP32:
    case WS_CLASS_FP32_FMA:
    case WS_CLASS_INT:
    case WS_CLASS_IMAD:
        break;
    default:
        return FALSE;
    }
    guint results = 0;
    for (guint n = 0; n < instruction->operand_count; n++) {
        const WsOperand *operand = &instruction->operand[n];
        if (!ws_operand_is_destination(instruction, n))
            continue;
        gboolean predicate = operand->kind == WS_OPERAND_PREDICATE;
        if (predicate ? operand->index != WS_PT : ws_operand_width(instruction, n) != 1)
            return FALSE;
        results += !predicate;
    }
    return results == 1 && !ws_is_guarded(instruction);
}

/* Whether the value is not read after instruction i of the block. */
static gboolean ends_at(const Selector *s, guint32 variable, guint i)
{
    guint32 position = 2 * (s->first + i);
    for (const WsSegment *segment = ws_liveness_first(s->liveness, variable); segment != NULL;
         segment = ws_liveness_next(s->liveness, segment))
        if (segment->begin <= position && segment->end > position)
            return segment->end == position + 1;
    return FALSE;
}

/* The instruction before selection i that makes `variable`, if it may move there, or NOTHING. */
static guint32 find_maker(const Selector *s, guint i, guint32 variable)
{
    if (s->reads[variable] != 1 || s->writes[variable] != 1)
        return NOTHING;
    guint at = i;
    while (at-- > 0 && at + WINDOW > i)
        if (touches(s, ws_ir_instruction(s->block, at), variable, TRUE))
            break;
    if (at >= i || at + WINDOW <= i)
        return NOTHING;
    const WsInstruction *maker = ws_ir_instruction(s->block, at);
    if (!can_move(maker))
        return NOTHING;
    for (guint k = at + 1; k < i; k++)
        if (writes_source(s, ws_ir_instruction(s->block, k), maker))
            return NOTHING;
    return at;
}

static gboolean try_arm(Selector *s, guint i, guint arm)
{
    const WsInstruction *select = ws_ir_instruction(s->block, i);
    const WsOperand *made = &select->operand[arm];
    const WsOperand *kept = &select->operand[3 - arm];
    if (!is_word(made) || !is_word(kept))
        return FALSE;
    guint32 result = variable_of(s, &select->operand[0]);
    guint32 other = variable_of(s, kept);
    guint32 maker = find_maker(s, i, variable_of(s, made));
    if (maker == NOTHING)
        return FALSE;
    if (result != other &&
        (touches(s, ws_ir_instruction(s->block, maker), result, FALSE) || !ends_at(s, other, i)))
        return FALSE;
    s->moved_to[maker] = i;
    s->made_by[i] = maker;
    s->arms[i] = (guint8)arm;
    return TRUE;
}

/* MOV d, y and the maker under the predicate, d in place of y. */
static void append_moved(Selector *s, GArray *out, guint i)
{
    const WsInstruction *select = ws_ir_instruction(s->block, i);
    const WsInstruction *maker = ws_ir_instruction(s->block, s->made_by[i]);
    guint arm = s->arms[i];
    const WsOperand *to = &select->operand[0];
    const WsOperand *kept = &select->operand[3 - arm];
    WsInstruction moved = *maker, move;
    for (guint n = 0; n < moved.operand_count; n++) {
        WsOperand *operand = &moved.operand[n];
        gboolean result =
            ws_operand_is_destination(&moved, n) && operand->kind == WS_OPERAND_REGISTER;
        gboolean reads_kept = operand->kind == WS_OPERAND_REGISTER &&
                              operand->index == kept->index && operand->bank == kept->bank &&
                              ws_operand_width(&moved, n) == 1;
        if (result || reads_kept) {
            operand->index = to->index;
            operand->bank = to->bank;
        }
    }
    moved.guard = select->operand[3].index;
    moved.guard_negated =
        ((select->operand[3].flags & WS_OPERAND_NEGATE) != 0) != (arm == 2) ? TRUE : FALSE;
    moved.origin = select->origin == 0 ? 0 : select->origin | WS_ORIGIN_WHOLE;
    ws_instruction_init(&move, WS_OP_MOV);
    move.location = select->location;
    move.operand[0] = *to;
    move.operand[1] = *kept;
    if (variable_of(s, to) != variable_of(s, kept))
        g_array_append_val(out, move);
    g_array_append_val(out, moved);
}

static void visit_block(Selector *s, guint32 b)
{
    s->block = ws_ir_block(s->function, b);
    s->first = s->liveness->block_first[b];
    guint count = s->block->instructions->len;
    s->moved_to = g_new(guint32, count + 1);
    s->made_by = g_new(guint32, count + 1);
    s->arms = g_new0(guint8, count + 1);
    memset(s->moved_to, 0xff, (count + 1) * sizeof *s->moved_to);
    memset(s->made_by, 0xff, (count + 1) * sizeof *s->made_by);
    gboolean any = FALSE;
    for (guint i = 0; i < count; i++)
        if (is_selection(ws_ir_instruction(s->block, i)) && s->moved_to[i] == NOTHING)
            any |= try_arm(s, i, 1) || try_arm(s, i, 2);
    if (any) {
        GArray *out = g_array_sized_new(FALSE, TRUE, sizeof(WsInstruction), count);
        for (guint i = 0; i < count; i++) {
            if (s->made_by[i] != NOTHING)
                append_moved(s, out, i);
            else if (s->moved_to[i] == NOTHING)
                g_array_append_vals(out, ws_ir_instruction(s->block, i), 1);
        }
        g_array_unref(s->block->instructions);
        s->block->instructions = out;
    }
    g_free(s->moved_to);
    g_free(s->made_by);
    g_free(s->arms);
}

/* ---- copies in front of guarded instructions ---- */

static gboolean reads_word(const WsInstruction *instruction, guint n, const WsOperand *word)
{
    const WsOperand *operand = &instruction->operand[n];
    return operand->kind == WS_OPERAND_REGISTER && operand->index == word->index &&
           operand->bank == word->bank && ws_operand_width(instruction, n) == 1 &&
           !ws_operand_is_destination(instruction, n);
}

/* Instruction k reads the variable, if at all, as a word of its own. */
static gboolean reads_words_only(const Selector *s, guint k, const WsOperand *word)
{
    const WsInstruction *instruction = ws_ir_instruction(s->block, k);
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    for (guint a = 0; a < count; a++) {
        guint32 first = 0, variable = variable_of(s, word);
        guint words = ws_variables_of(&s->liveness->variables, &accesses[a], &first);
        if (variable < first || variable >= first + words)
            continue;
        if (accesses[a].write || accesses[a].operand >= instruction->operand_count ||
            !reads_word(instruction, accesses[a].operand, word))
            return FALSE;
    }
    return TRUE;
}

/*
 * The last instruction behind copy i up to which d and y are the same and y lives, if a guarded one
 * writes d there or later; NOTHING otherwise.
 */
static guint32 end_of_copy(const Selector *s, guint i)
{
    const WsInstruction *copy = ws_ir_instruction(s->block, i);
    guint32 d = variable_of(s, &copy->operand[0]), y = variable_of(s, &copy->operand[1]);
    guint32 end = NOTHING;
    for (guint k = i + 1; k < s->block->instructions->len && k < i + WINDOW; k++) {
        const WsInstruction *instruction = ws_ir_instruction(s->block, k);
        if (end == NOTHING && !reads_words_only(s, k, &copy->operand[1]))
            return NOTHING;
        if (end == NOTHING && ends_at(s, y, k))
            end = k;
        if (touches(s, instruction, d, TRUE))
            return ws_is_guarded(instruction) ? end : NOTHING;
    }
    return NOTHING;
}

static void read_copies(Selector *s, guint32 b)
{
    s->block = ws_ir_block(s->function, b);
    s->first = s->liveness->block_first[b];
    for (guint i = 0; i < s->block->instructions->len; i++) {
        const WsInstruction *copy = ws_ir_instruction(s->block, i);
        if (copy->opcode != WS_OP_MOV || ws_is_guarded(copy) || !is_word(&copy->operand[0]) ||
            !is_word(&copy->operand[1]) || ends_at(s, variable_of(s, &copy->operand[1]), i))
            continue;
        guint32 end = end_of_copy(s, i);
        for (guint k = i + 1; end != NOTHING && k <= end; k++) {
            WsInstruction *instruction = ws_ir_instruction(s->block, k);
            for (guint n = 0; n < instruction->operand_count; n++) {
                if (!reads_word(instruction, n, &copy->operand[1]))
                    continue;
                instruction->operand[n].index = copy->operand[0].index;
                instruction->operand[n].bank = copy->operand[0].bank;
            }
        }
    }
}

static void read_all_copies(WsIrFunction *function)
{
    g_autoptr(WsLiveness) liveness = ws_liveness_new(function);
    Selector s = {.function = function, .liveness = liveness};
    for (guint32 b = 0; b < function->blocks->len; b++)
        read_copies(&s, b);
}

static void select_all(WsIrFunction *function)
{
    g_autoptr(WsLiveness) liveness = ws_liveness_new(function);
    Selector s = {.function = function, .liveness = liveness};
    s.reads = g_new0(guint32, liveness->variables.count + 1);
    s.writes = g_new0(guint32, liveness->variables.count + 1);
    ws_variables_count(&liveness->variables, function, s.reads, s.writes);
    for (guint32 b = 0; b < function->blocks->len; b++)
        visit_block(&s, b);
    g_free(s.reads);
    g_free(s.writes);
}

/* What writes over a copy where that has to stay one. */
static gboolean writes_under_guard(const WsInstruction *instruction)
{
    return ws_is_guarded(instruction) && ws_operand_is_destination(instruction, 0);
}

void ws_select_in_place(WsIrFunction *function)
{
    if (ws_ir_has(function, is_selection))
        select_all(function);
    if (ws_ir_has(function, writes_under_guard))
        read_all_copies(function);
}
