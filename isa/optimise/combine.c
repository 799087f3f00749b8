/* Fuses instructions of the intermediate form, as ptxas does: the driver. */
#include "isa/optimise/combine.h"
#include "isa/optimise/combine_patterns.h"

#include <string.h>

#include "isa/bytecode/opcode.h"
#include "isa/optimise/optimise.h"

/* ---- who writes and reads what ---- */

static void count_accesses(WsCombiner *c, WsPlace place, gint32 step)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    const WsInstruction *instruction = ws_combine_at(c, place);
    guint count = ws_instruction_accesses(instruction, accesses);
    for (guint a = 0; a < count; a++) {
        guint32 first;
        guint words = ws_variables_of(&c->variables, &accesses[a], &first);
        for (guint w = 0; w < words; w++) {
            guint32 *counter = accesses[a].write ? c->definitions : c->uses;
            counter[first + w] += (guint32)step;
            if (accesses[a].write && step > 0)
                c->places[first + w] = place;
        }
    }
}

/* One register for each addition of a pair from a constant bank: it may need its factor in one. */
static void make_spares(WsCombiner *c)
{
    guint32 count = 0;
    for (guint32 b = 0; b < c->function->blocks->len; b++) {
        const GArray *instructions = ws_ir_block(c->function, b)->instructions;
        for (guint i = 0; i < instructions->len; i++) {
            const WsInstruction *add = &g_array_index(instructions, WsInstruction, i);
            count += add->opcode == WS_OP_IADD3 && (add->operand[3].kind == WS_OPERAND_CONSTANT ||
                                                    add->operand[4].kind == WS_OPERAND_CONSTANT);
        }
    }
    c->spare = WS_VIRTUAL_BASE + c->function->registers->len;
    for (guint32 i = 0; i < count; i++)
        ws_ir_new_register(c->function, 1);
    c->spare_end = c->spare + count;
}

static void combiner_init(WsCombiner *ret, WsIrFunction *function)
{
    *ret = (WsCombiner){.function = function};
    make_spares(ret);
    ws_variables_init(&ret->variables, function);
    ret->definitions = g_new0(guint32, ret->variables.count + 1);
    ret->uses = g_new0(guint32, ret->variables.count + 1);
    ret->places = g_new0(WsPlace, ret->variables.count + 1);
    ret->deleted = g_new0(guint8 *, function->blocks->len + 1);
    for (guint32 b = 0; b < function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(function, b);
        ret->deleted[b] = g_malloc0(ws_ir_length(block) + 1);
        for (guint32 i = 0; i < ws_ir_length(block); i++)
            count_accesses(ret, (WsPlace){b, i}, 1);
    }
}

static void combiner_clear(WsCombiner *c)
{
    g_array_set_size(c->function->registers, c->spare - WS_VIRTUAL_BASE);
    for (guint32 b = 0; b < c->function->blocks->len; b++)
        g_free(c->deleted[b]);
    g_free(c->deleted);
    g_free(c->definitions);
    g_free(c->uses);
    g_free(c->places);
    ws_variables_clear(&c->variables);
}

WsInstruction *ws_combine_at(const WsCombiner *c, WsPlace place)
{
    return ws_ir_instruction(ws_ir_block(c->function, place.block), place.instruction);
}

gboolean ws_combine_is_deleted(const WsCombiner *c, WsPlace place)
{
    return c->deleted[place.block][place.instruction] != 0;
}

/* The variable of a register or predicate operand (of its first word); FALSE if it is none. */
static gboolean combine_variable(const WsCombiner *c, const WsOperand *operand,
                                 guint32 *ret_variable)
{
    if (operand->index < WS_VIRTUAL_BASE)
        return FALSE;
    guint32 n = operand->index - WS_VIRTUAL_BASE;
    if (operand->kind == WS_OPERAND_REGISTER)
        *ret_variable = c->variables.first[n] + operand->bank;
    else if (operand->kind == WS_OPERAND_PREDICATE)
        *ret_variable = c->variables.word_count + n;
    else
        return FALSE;
    return TRUE;
}

WsInstruction *ws_combine_producer(const WsCombiner *c, const WsOperand *operand,
                                   WsPlace *ret_place)
{
    guint32 variable;
    if (!combine_variable(c, operand, &variable) || c->definitions[variable] != 1)
        return NULL;
    WsPlace place = c->places[variable];
    WsInstruction *producer = ws_combine_at(c, place);
    if (ws_is_guarded(producer) || ws_combine_is_deleted(c, place))
        return NULL;
    if (ret_place != NULL)
        *ret_place = place;
    return producer;
}

guint32 ws_combine_uses(const WsCombiner *c, const WsOperand *operand)
{
    guint32 variable;
    return combine_variable(c, operand, &variable) ? c->uses[variable] : 0;
}

gboolean ws_combine_is_used_once(const WsCombiner *c, const WsOperand *operand)
{
    return ws_combine_uses(c, operand) == 1;
}

/* Whether an instruction between the two writes the variable. */
static gboolean is_written_between(const WsCombiner *c, guint32 variable, WsPlace from, WsPlace to)
{
    for (WsPlace at = {from.block, from.instruction + 1}; at.instruction < to.instruction;
         at.instruction++) {
        WsRegisterAccess accesses[WS_MAX_ACCESSES];
        if (ws_combine_is_deleted(c, at))
            continue;
        guint count = ws_instruction_accesses(ws_combine_at(c, at), accesses);
        for (guint a = 0; a < count; a++) {
            guint32 first;
            guint words = ws_variables_of(&c->variables, &accesses[a], &first);
            if (accesses[a].write && variable >= first && variable < first + words)
                return TRUE;
        }
    }
    return FALSE;
}

/*
 * A value with one definition never changes where that definition is before the use; others may
 * only be looked after inside a block.
 */
gboolean ws_combine_intact(const WsCombiner *c, WsPlace from, WsPlace to)
{
    enum { FAR = 256 };
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    if (from.block == to.block && from.instruction == to.instruction)
        return FALSE;
    guint count = ws_instruction_accesses(ws_combine_at(c, from), accesses);
    gboolean near = from.block == to.block && from.instruction < to.instruction &&
                    to.instruction - from.instruction < FAR;
    for (guint a = 0; a < count; a++) {
        guint32 first;
        guint words = ws_variables_of(&c->variables, &accesses[a], &first);
        for (guint w = 0; w < words && !accesses[a].write; w++) {
            if (c->definitions[first + w] <= 1)
                continue;
            if (!near || is_written_between(c, first + w, from, to))
                return FALSE;
        }
    }
    return TRUE;
}

/* ---- changes ---- */

void ws_combine_replace_all(WsCombiner *c, WsPlace place, const WsInstruction *with)
{
    const WsInstruction *old = ws_combine_at(c, place);
    WsInstruction next = *with;
    next.origin = ws_operands_equal(&old->operand[0], &with->operand[0]) ? old->origin : 0;
    count_accesses(c, place, -1);
    *ws_combine_at(c, place) = next;
    count_accesses(c, place, 1);
    c->changed = TRUE;
}

void ws_combine_replace(WsCombiner *c, WsPlace place, const WsInstruction *with)
{
    const WsInstruction *old = ws_combine_at(c, place);
    WsInstruction next = *with;
    next.location = old->location;
    next.guard = old->guard;
    next.guard_negated = old->guard_negated;
    ws_combine_replace_all(c, place, &next);
}

void ws_combine_delete(WsCombiner *c, WsPlace place)
{
    count_accesses(c, place, -1);
    c->deleted[place.block][place.instruction] = 1;
    c->changed = TRUE;
}

static void remove_deleted(WsCombiner *c)
{
    for (guint32 b = 0; b < c->function->blocks->len; b++) {
        GArray *instructions = ws_ir_block(c->function, b)->instructions;
        guint kept = 0;
        for (guint i = 0; i < instructions->len; i++) {
            if (c->deleted[b][i])
                continue;
            g_array_index(instructions, WsInstruction, kept++) =
                g_array_index(instructions, WsInstruction, i);
        }
        g_array_set_size(instructions, kept);
    }
}

static gboolean combine_once(WsIrFunction *function)
{
    static void (*const patterns[])(WsCombiner *, WsPlace) = {
        ws_combine_constant, ws_combine_signs,    ws_combine_extension,  ws_combine_multiply,
        ws_combine_add,      ws_combine_pair,     ws_combine_logic,      ws_combine_predicates,
        ws_combine_atomic,   ws_combine_contract, ws_combine_saturation, ws_combine_half,
        ws_combine_limit};
    WsCombiner c;
    combiner_init(&c, function);
    for (guint32 b = 0; b < function->blocks->len; b++) {
        for (guint32 i = 0; i < ws_ir_length(ws_ir_block(function, b)); i++)
            if (!c.deleted[b][i])
                ws_combine_predicate_copies(&c, (WsPlace){b, i});
        for (guint32 i = 0; i < ws_ir_block(function, b)->instructions->len; i++)
            for (guint p = 0; p < G_N_ELEMENTS(patterns); p++)
                if (!c.deleted[b][i])
                    patterns[p](&c, (WsPlace){b, i});
    }
    gboolean changed = c.changed;
    remove_deleted(&c);
    combiner_clear(&c);
    return changed;
}

/* What the passes behind must not know. */
static void forget_sources(WsIrFunction *function)
{
    for (guint32 b = 0; b < function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(function, b);
        for (guint i = 0; i < block->instructions->len; i++)
            ws_ir_instruction(block, i)->may_contract = FALSE;
    }
}

void ws_ir_combine(WsIrFunction *function)
{
    enum { ROUNDS = 4 };
    ws_simplify_blocks(function);
    ws_split_webs(function);
    ws_propagate_copies(function);
    ws_remove_dead_code(function);
    for (int round = 0; round < ROUNDS && combine_once(function); round++) {
        ws_propagate_copies(function);
        ws_remove_dead_code(function);
    }
    ws_remove_redundant_warpsyncs(function);
    forget_sources(function);
}
