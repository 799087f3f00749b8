/*
 * An instruction that makes again what another made on every path before becomes a copy.
 *
 * Only single writes count, on all paths to each read: all that both read and write has one such
 * definition. Then nothing can change between the two: a way from a definition to the second
 * instruction that misses the first would be one from the entry as well. The same holds for ways
 * from the second one to its readers.
 *
 * A constant is made again in another block, as ptxas does: a register that holds one for long is
 * dearer than the MOV. Those of 64-bit values are kept (seen as UMOV pairs in code for sm_90). A
 * MUFU is made again as well, and with it all that comes of it: f32 and f64 divisions by the same
 * number, with branches to their slow paths in between, each have their own reciprocal in code for
 * sm_90, while integer divisions, which have no branch, share one.
 */
#include "isa/bytecode/opcode.h"
#include "isa/flow/dominators.h"
#include "isa/ir/variables.h"
#include "isa/optimise/optimise.h"

typedef struct {
    guint32 block;
    guint32 instruction;
} Place;

typedef struct {
    guint32 block;
    GArray *places; /* the last of them */
} Entered;

typedef struct {
    WsIrFunction *function;
    WsVariables variables;
    guint8 *writes;      /* per variable: 0, 1, or 2 for more, guarded, or read before */
    Place *written_at;   /* per variable */
    guint32 *dominators; /* of blocks */
    WsDominance *dominance;
    GHashTable *known;  /* hash -> GArray of Place, of blocks that dominate the one at hand */
    GArray *entered;    /* of Entered: what is in `known`, in the order in which it came */
    guint32 *registers; /* per register: the one that is read in its place */
    guint32 *predicates;
} Table;

static void count_writes(Table *table, const WsInstruction *instruction, Place place)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    for (guint a = 0; a < count; a++) {
        guint32 first = 0;
        guint words = ws_variables_of(&table->variables, &accesses[a], &first);
        for (guint w = 0; w < words && accesses[a].write; w++) {
            table->writes[first + w] =
                (guint8)MIN(table->writes[first + w] + (ws_is_guarded(instruction) ? 2 : 1), 2);
            table->written_at[first + w] = place;
        }
    }
}

static gboolean comes_before(const Table *table, Place a, Place b)
{
    if (a.block == b.block)
        return a.instruction < b.instruction;
    return ws_dominance_holds(table->dominance, a.block, b.block);
}

/* A read on a way that misses the only write may see what an earlier trip of a loop left. */
static void note_early_reads(Table *table, const WsInstruction *instruction, Place place)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    for (guint a = 0; a < count; a++) {
        guint32 first = 0;
        guint words = ws_variables_of(&table->variables, &accesses[a], &first);
        for (guint w = 0; w < words && !accesses[a].write; w++)
            if (!comes_before(table, table->written_at[first + w], place))
                table->writes[first + w] = 2;
    }
}

/* Same operands, same result, wherever it stands. */
static gboolean is_pure(const WsInstruction *instruction)
{
    if (ws_is_guarded(instruction) || ws_has_effect(instruction) || ws_is_load(instruction) ||
        ws_is_warp_wide(instruction))
        return FALSE;
    switch (ws_opcode_info(instruction->opcode)->execution_class) {
    case WS_CLASS_FP32:
    case WS_CLASS_FP32_FMA:
    case WS_CLASS_INT:
    case WS_CLASS_IMAD:
    case WS_CLASS_IMAD_WIDE:
    case WS_CLASS_COMPARE:
    case WS_CLASS_CONVERT_FAST:
    case WS_CLASS_FP64:
    case WS_CLASS_MUFU:
    case WS_CLASS_XU:
        return TRUE;
    case WS_CLASS_MOVE:
        return instruction->opcode == WS_OP_MOV &&
               instruction->operand[1].kind != WS_OPERAND_REGISTER;
    case WS_CLASS_SPECIAL_REGISTER:
        return instruction->opcode == WS_OP_S2R && instruction->operand[1].value == WS_SR_CGACTAID;
    default:
        return FALSE;
    }
}

/* TRUE if every register and predicate it touches is virtual and written once, before all reads. */
static gboolean is_steady(const Table *table, const WsInstruction *instruction)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    for (guint a = 0; a < count; a++) {
        guint32 first = 0;
        guint words = ws_variables_of(&table->variables, &accesses[a], &first);
        if (words == 0)
            return FALSE;
        for (guint w = 0; w < words; w++)
            if (table->writes[first + w] != 1)
                return FALSE;
    }
    return TRUE;
}

static gboolean is_same(const WsInstruction *a, const WsInstruction *b)
{
    if (a->opcode != b->opcode || a->operand_count != b->operand_count)
        return FALSE;
    for (guint m = 0; m < WS_MOD_COUNT; m++)
        if (a->mod[m] != b->mod[m])
            return FALSE;
    for (guint n = 0; n < a->operand_count; n++) {
        gboolean result = ws_operand_is_destination(a, n);
        /* Of a result only which words and which predicates are wanted counts. */
        gboolean same = result ? a->operand[n].kind == b->operand[n].kind &&
                                     a->operand[n].bank == b->operand[n].bank &&
                                     (a->operand[n].index < WS_VIRTUAL_BASE) ==
                                         (b->operand[n].index < WS_VIRTUAL_BASE)
                               : ws_operands_equal(&a->operand[n], &b->operand[n]);
        if (!same)
            return FALSE;
    }
    return TRUE;
}

static guint32 hash_of(const WsInstruction *instruction)
{
    guint32 hash = instruction->opcode;
    for (guint n = 0; n < instruction->operand_count; n++)
        if (!ws_operand_is_destination(instruction, n))
            hash = hash * 31 + instruction->operand[n].index * 7 + instruction->operand[n].value;
    return hash;
}

/* Whether a register of the function with that first word is a pair or more. */
static gboolean is_wide(const Table *table, const WsOperand *operand)
{
    guint32 n = operand->index - WS_VIRTUAL_BASE;
    return g_array_index(table->function->registers, WsIrRegister, n).words > 1;
}

static gboolean may_serve(const Table *table, Place from, const WsInstruction *first, Place to,
                          const WsInstruction *second)
{
    if (!comes_before(table, from, to) || !is_same(first, second))
        return FALSE;
    if (ws_opcode_info(first->opcode)->execution_class == WS_CLASS_MUFU)
        return from.block == to.block;
    return first->opcode != WS_OP_MOV || from.block == to.block ||
           (is_wide(table, &first->operand[0]) && is_wide(table, &second->operand[0]));
}

/* The only result, or NULL if there are several. */
static const WsOperand *only_result(const WsInstruction *instruction)
{
    const WsOperand *found = NULL;
    for (guint n = 0; n < instruction->operand_count; n++) {
        const WsOperand *operand = &instruction->operand[n];
        if (!ws_operand_is_destination(instruction, n) || operand->index < WS_VIRTUAL_BASE)
            continue;
        if (found != NULL)
            return NULL;
        found = operand;
    }
    return found;
}

static guint width_of(const WsInstruction *instruction, const WsOperand *operand)
{
    return ws_operand_width(instruction, (guint)(operand - instruction->operand));
}

/* TRUE if the result is all of a register. */
static gboolean is_whole(const Table *table, const WsInstruction *instruction,
                         const WsOperand *result)
{
    guint32 n = result->index - WS_VIRTUAL_BASE;
    return result->bank == 0 && g_array_index(table->function->registers, WsIrRegister, n).words ==
                                    width_of(instruction, result);
}

static void rename_reads(const Table *table, WsInstruction *instruction)
{
    for (guint n = 0; n < instruction->operand_count; n++) {
        WsOperand *operand = &instruction->operand[n];
        if (operand->index < WS_VIRTUAL_BASE || ws_operand_is_destination(instruction, n))
            continue;
        if (operand->kind == WS_OPERAND_PREDICATE)
            operand->index = table->predicates[operand->index - WS_VIRTUAL_BASE];
        else if (operand->kind == WS_OPERAND_REGISTER || operand->kind == WS_OPERAND_ADDRESS ||
                 operand->kind == WS_OPERAND_CONSTANT)
            operand->index = table->registers[operand->index - WS_VIRTUAL_BASE];
    }
    if (instruction->guard >= WS_VIRTUAL_BASE)
        instruction->guard = table->predicates[instruction->guard - WS_VIRTUAL_BASE];
}

/* Who reads what `again` makes reads what `first` made. */
static void replace(Table *table, const WsInstruction *first, WsInstruction *again)
{
    const WsOperand *from = only_result(first);
    const WsOperand *to = only_result(again);
    if (from == NULL || to == NULL)
        return;
    if (to->kind == WS_OPERAND_PREDICATE) {
        table->predicates[to->index - WS_VIRTUAL_BASE] = from->index;
        ws_instruction_init(again, WS_OP_NOP);
    } else if (is_whole(table, first, from) && is_whole(table, again, to)) {
        table->registers[to->index - WS_VIRTUAL_BASE] = from->index;
        ws_instruction_init(again, WS_OP_NOP);
    } else if (width_of(again, to) == 1) {
        WsInstruction copy;
        ws_instruction_init(&copy, WS_OP_MOV);
        copy.location = again->location;
        copy.origin = again->origin;
        copy.operand[0] = *to;
        copy.operand[1] = *from;
        *again = copy;
    }
}

static GArray *places_of(Table *table, guint32 hash)
{
    GArray *places = g_hash_table_lookup(table->known, GUINT_TO_POINTER(hash));
    if (places == NULL) {
        places = g_array_new(FALSE, FALSE, sizeof(Place));
        g_hash_table_insert(table->known, GUINT_TO_POINTER(hash), places);
    }
    return places;
}

static void enter(Table *table, GArray *places, Place place)
{
    Entered entered = {place.block, places};
    g_array_append_val(places, place);
    g_array_append_val(table->entered, entered);
}

/* Forgets what does not dominate the block. */
static void come_to_block(Table *table, guint32 b)
{
    while (table->entered->len > 0) {
        const Entered *last = &g_array_index(table->entered, Entered, table->entered->len - 1);
        if (ws_dominance_holds(table->dominance, last->block, b))
            break;
        g_array_set_size(last->places, last->places->len - 1);
        g_array_set_size(table->entered, table->entered->len - 1);
    }
}

static const WsInstruction *first_that_serves(const Table *table, const GArray *places,
                                              const WsInstruction *instruction, Place place)
{
    for (guint i = 0; i < places->len; i++) {
        Place from = g_array_index(places, Place, i);
        const WsInstruction *first =
            ws_ir_instruction(ws_ir_block(table->function, from.block), from.instruction);
        if (may_serve(table, from, first, place, instruction))
            return first;
    }
    return NULL;
}

/* What serves in its own block alone is looked for under a hash that is of the block as well. */
static const WsInstruction *find_known(Table *table, const WsInstruction *instruction, Place place)
{
    guint32 hash = hash_of(instruction);
    gboolean is_constant = instruction->opcode == WS_OP_MOV;
    gboolean is_mufu = ws_opcode_info(instruction->opcode)->execution_class == WS_CLASS_MUFU;
    gboolean serves_near = is_constant || is_mufu;
    gboolean serves_far = !is_mufu && (!is_constant || is_wide(table, &instruction->operand[0]));
    GArray *far = serves_far ? places_of(table, hash) : NULL;
    GArray *near = serves_near ? places_of(table, hash * 31 + place.block + 1) : NULL;
    const WsInstruction *found = NULL;
    if (serves_far)
        found = first_that_serves(table, far, instruction, place);
    if (found == NULL && serves_near)
        found = first_that_serves(table, near, instruction, place);
    if (found == NULL && serves_far)
        enter(table, far, place);
    if (found == NULL && serves_near)
        enter(table, near, place);
    return found;
}

static void visit_block(Table *table, guint32 b)
{
    WsIrBlock *block = ws_ir_block(table->function, b);
    come_to_block(table, b);
    for (guint i = 0; i < ws_ir_length(block); i++) {
        WsInstruction *instruction = ws_ir_instruction(block, i);
        rename_reads(table, instruction);
        if (!is_pure(instruction) || !is_steady(table, instruction))
            continue;
        const WsInstruction *first = find_known(table, instruction, (Place){b, i});
        if (first != NULL)
            replace(table, first, instruction);
    }
}

/* The names that blocks before their writers read, and what is left of removed instructions. */
static void finish_block(Table *table, guint32 b)
{
    WsIrBlock *block = ws_ir_block(table->function, b);
    guint kept = 0;
    for (guint i = 0; i < block->instructions->len; i++) {
        WsInstruction instruction = *ws_ir_instruction(block, i);
        rename_reads(table, &instruction);
        if (instruction.opcode != WS_OP_NOP)
            g_array_index(block->instructions, WsInstruction, kept++) = instruction;
    }
    g_array_set_size(block->instructions, kept);
    rename_reads(table, &block->branch);
}

static void for_each(Table *table, void (*visit)(Table *, const WsInstruction *, Place))
{
    for (guint32 b = 0; b < table->function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(table->function, b);
        for (guint i = 0; i < ws_ir_length(block); i++)
            visit(table, ws_ir_instruction(block, i), (Place){b, i});
    }
}

static void table_init(Table *ret, WsIrFunction *function, const WsGraph *graph)
{
    *ret = (Table){.function = function};
    ret->dominators = ws_graph_dominators(graph, 0);
    ret->dominance = ws_dominance_new(ret->dominators, graph->count);
    ws_variables_init(&ret->variables, function);
    ret->writes = g_new0(guint8, ret->variables.count + 1);
    ret->written_at = g_new0(Place, ret->variables.count + 1);
    ret->known = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
    ret->entered = g_array_new(FALSE, FALSE, sizeof(Entered));
    ret->registers = g_new(guint32, function->registers->len + 1);
    ret->predicates = g_new(guint32, function->predicate_count + 1);
    for (guint32 r = 0; r < function->registers->len; r++)
        ret->registers[r] = WS_VIRTUAL_BASE + r;
    for (guint32 p = 0; p < function->predicate_count; p++)
        ret->predicates[p] = WS_VIRTUAL_BASE + p;
    for_each(ret, count_writes);
    for_each(ret, note_early_reads);
}

/* Blocks that are reached, each behind the one that dominates it, subtree by subtree. */
static guint32 *tree_order(const WsDominance *dominance, guint32 blocks)
{
    guint32 *order = g_new(guint32, (gsize)blocks + 1);
    for (guint32 b = 0; b < blocks; b++)
        order[dominance->begin[b]] = b;
    return order;
}

void ws_share_subexpressions(WsIrFunction *function)
{
    g_autoptr(WsGraph) graph = ws_ir_graph(function);
    Table table;
    table_init(&table, function, graph);
    g_autofree guint32 *order = tree_order(table.dominance, graph->count);
    for (guint32 i = table.dominance->begin[0]; i < table.dominance->end[0]; i++)
        visit_block(&table, order[i]);
    for (guint32 b = 0; b < function->blocks->len; b++)
        finish_block(&table, b);
    g_hash_table_unref(table.known);
    g_array_unref(table.entered);
    ws_dominance_free(table.dominance);
    g_free(table.dominators);
    g_free(table.writes);
    g_free(table.written_at);
    g_free(table.registers);
    g_free(table.predicates);
    ws_variables_clear(&table.variables);
}
