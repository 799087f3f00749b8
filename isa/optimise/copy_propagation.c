/*
 * Copies and constants go straight into the operands that read them.
 *
 * Inside a block a MOV is remembered until its source or its destination is written again. Across
 * blocks only words count that one unguarded MOV alone writes. If it writes a constant, any read
 * gives that constant (or a value that was never set). If it copies a word that is itself written
 * once, before the MOV on all paths, then what the MOV dominates may read that word instead:
 * no path leads from the MOV over the write of the source to such a read without the MOV.
 */
#include "isa/bytecode/instruction_check.h"
#include "isa/bytecode/opcode.h"
#include "isa/flow/dominators.h"
#include "isa/ir/variables.h"
#include "isa/optimise/optimise.h"

typedef struct {
    guint8 kind;     /* WsOperandKind: NONE, REGISTER, IMMEDIATE or CONSTANT */
    guint8 bank;     /* word of a register, or constant bank */
    guint32 index;   /* register */
    guint32 value;   /* immediate or offset */
    guint32 source;  /* variable copied, if virtual */
    guint32 version; /* of `source` at the copy */
    guint32 epoch;   /* block in which the copy is known, or EVERYWHERE */
} Value;

enum { EVERYWHERE = G_MAXUINT32, WHERE_DOMINATED = G_MAXUINT32 - 1, NO_SOURCE = G_MAXUINT32 };

typedef struct {
    guint32 block;
    guint32 instruction;
} Place;

typedef struct {
    WsVariables variables;
    Value *values;       /* per word */
    guint32 *versions;   /* per word */
    guint8 *writes;      /* per word: 0, 1, or 2 for more or guarded */
    Place *written_at;   /* per word: where it is written first */
    guint32 *dominators; /* of blocks */
    WsDominance *dominance;
    guint32 epoch;
    Place now;
} Copies;

/* TRUE if every path to `b` passes `a` before. */
static gboolean comes_before(const Copies *copies, Place a, Place b)
{
    if (a.block == b.block)
        return a.instruction < b.instruction;
    return ws_dominance_holds(copies->dominance, a.block, b.block);
}

static const Value *lookup(const Copies *copies, guint32 word)
{
    const Value *value = &copies->values[word];
    if (value->kind == WS_OPERAND_NONE)
        return NULL;
    if (value->epoch == WHERE_DOMINATED)
        return comes_before(copies, copies->written_at[word], copies->now) ? value : NULL;
    if (value->epoch != EVERYWHERE && value->epoch != copies->epoch)
        return NULL;
    if (value->source != NO_SOURCE && copies->versions[value->source] != value->version)
        return NULL;
    return value;
}

/* What a MOV without a guard writes, or NONE. */
static Value value_of_move(const Copies *copies, const WsInstruction *instruction)
{
    Value value = {.kind = WS_OPERAND_NONE, .source = NO_SOURCE};
    const WsOperand *from = &instruction->operand[1];
    if (instruction->opcode != WS_OP_MOV || instruction->guard != WS_PT ||
        instruction->guard_negated || from->flags != 0)
        return value;
    if (from->kind == WS_OPERAND_REGISTER && from->index != WS_RZ) {
        if (from->index < WS_VIRTUAL_BASE)
            return value;
        value.source = copies->variables.first[from->index - WS_VIRTUAL_BASE] + from->bank;
        value.version = copies->versions[value.source];
    } else if (from->kind == WS_OPERAND_REGISTER || from->kind == WS_OPERAND_IMMEDIATE) {
        value.source = NO_SOURCE;
    } else if (from->kind != WS_OPERAND_CONSTANT || from->index != WS_RZ) {
        return value;
    }
    value.kind = from->kind;
    value.bank = from->bank;
    value.index = from->index;
    value.value = from->value;
    return value;
}

static int slot_number(const WsInstruction *instruction, WsSlot slot)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    for (guint n = 0; n < info->operand_count; n++) {
        if (info->slots[n] == slot)
            return (int)n;
    }
    return -1;
}

/* Whether operand n may become something other than a register. */
static gboolean takes_constant(const WsInstruction *instruction, guint n, const Value *value)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    WsSlot slot = info->slots[n];
    if (slot != WS_SLOT_Sb && slot != WS_SLOT_Sc)
        return FALSE;
    if (ws_opcode_has(instruction->opcode, WS_FLAG_TWO_IMMEDIATES))
        return value->kind == WS_OPERAND_IMMEDIATE && value->value <= G_MAXUINT16;
    int other = slot_number(instruction, slot == WS_SLOT_Sb ? WS_SLOT_Sc : WS_SLOT_Sb);
    return other < 0 || instruction->operand[other].kind == WS_OPERAND_REGISTER;
}

/* Applies the signs of an operand to an immediate. FALSE if the type is not a plain 32-bit one. */
static gboolean fold_flags(const WsInstruction *instruction, WsOperand *operand)
{
    guint8 flags = operand->flags & (WS_OPERAND_NEGATE | WS_OPERAND_ABSOLUTE);
    if (flags == 0 || operand->kind != WS_OPERAND_IMMEDIATE)
        return TRUE;
    WsSources sources = ws_opcode_info(instruction->opcode)->sources;
    if (ws_opcode_info(instruction->opcode)->execution_class == WS_CLASS_FP16 ||
        instruction->mod[WS_MOD_EXTENDED])
        return FALSE;
    if (sources == WS_SOURCES_FLOAT) {
        if (flags & WS_OPERAND_ABSOLUTE)
            operand->value &= 0x7fffffff;
        if (flags & WS_OPERAND_NEGATE)
            operand->value ^= 0x80000000;
    } else if (sources == WS_SOURCES_INTEGER) {
        operand->value = -operand->value;
    } else if (sources == WS_SOURCES_BITS) {
        operand->value = ~operand->value;
    }
    operand->flags = 0;
    return TRUE;
}

static gboolean put_constant(WsInstruction *instruction, guint n, const Value *value)
{
    if (!takes_constant(instruction, n, value))
        return FALSE;
    WsOperand operand = instruction->operand[n];
    operand.kind = value->kind;
    operand.bank = value->kind == WS_OPERAND_CONSTANT ? value->bank : 0;
    operand.index = value->kind == WS_OPERAND_CONSTANT ? WS_RZ : 0;
    operand.value = value->value;
    operand.uniform = WS_URZ;
    /* A carry out of a - 0 is not that of a + 0: leave subtractions with carries alone. */
    if ((operand.flags & WS_OPERAND_NEGATE) && instruction->opcode == WS_OP_IADD3 &&
        (instruction->operand[1].index != WS_PT || instruction->operand[2].index != WS_PT))
        return FALSE;
    if (!fold_flags(instruction, &operand))
        return FALSE;
    WsInstruction changed = *instruction;
    changed.operand[n] = operand;
    if (operand.flags & ~ws_operand_allowed_flags(&changed, n))
        return FALSE;
    *instruction = changed;
    return TRUE;
}

/* A constant in Ra of a commutative instruction changes places with Sb. */
static void put_or_swap(WsInstruction *instruction, guint n, const Value *value)
{
    if (put_constant(instruction, n, value))
        return;
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    int b = slot_number(instruction, WS_SLOT_Sb);
    if (info->slots[n] != WS_SLOT_Ra || !ws_opcode_has(instruction->opcode, WS_FLAG_COMMUTES) ||
        b < 0 || instruction->operand[b].kind != WS_OPERAND_REGISTER)
        return;
    WsInstruction swapped = *instruction;
    swapped.operand[n] = instruction->operand[b];
    swapped.operand[b] = instruction->operand[n];
    if (put_constant(&swapped, (guint)b, value))
        *instruction = swapped;
}

static void propagate_word(Copies *copies, WsInstruction *instruction, guint n, guint32 word)
{
    const Value *value = lookup(copies, word);
    if (value == NULL)
        return;
    WsOperand *operand = &instruction->operand[n];
    if (value->kind == WS_OPERAND_REGISTER) {
        /* In a constant operand `bank` is the constant bank: there is no place for a word. */
        if (operand->kind == WS_OPERAND_CONSTANT && value->bank != 0)
            return;
        operand->index = value->index;
        if (operand->kind != WS_OPERAND_CONSTANT)
            operand->bank = value->bank;
        return;
    }
    if (operand->kind == WS_OPERAND_REGISTER)
        put_or_swap(instruction, n, value);
}

/* Both words of a 64-bit operand. */
static void propagate_pair(Copies *copies, WsInstruction *instruction, guint n, guint32 word)
{
    const Value *low = lookup(copies, word);
    const Value *high = lookup(copies, word + 1);
    WsOperand *operand = &instruction->operand[n];
    if (low == NULL || high == NULL)
        return;
    if (low->kind == WS_OPERAND_REGISTER && high->kind == WS_OPERAND_REGISTER) {
        gboolean zero = low->index == WS_RZ && high->index == WS_RZ;
        if (zero || (low->index == high->index && low->index != WS_RZ && low->bank % 2 == 0 &&
                     high->bank == low->bank + 1)) {
            operand->index = low->index;
            operand->bank = low->bank;
        }
        return;
    }
    if (operand->kind != WS_OPERAND_REGISTER)
        return;
    if (low->kind == WS_OPERAND_CONSTANT && high->kind == WS_OPERAND_CONSTANT &&
        low->bank == high->bank && low->value % 8 == 0 && high->value == low->value + 4)
        put_or_swap(instruction, n, low);
    gboolean low_zero = (low->kind == WS_OPERAND_IMMEDIATE && low->value == 0) ||
                        (low->kind == WS_OPERAND_REGISTER && low->index == WS_RZ);
    if (low_zero && high->kind == WS_OPERAND_IMMEDIATE &&
        ws_opcode_info(instruction->opcode)->execution_class == WS_CLASS_FP64 &&
        instruction->opcode != WS_OP_DRND)
        put_or_swap(instruction, n, high);
}

/* x + 0 + 0 without carries is a copy of x. */
static void simplify_sum(WsInstruction *instruction)
{
    enum { FIRST = 3, LAST = 5 };
    if (instruction->opcode != WS_OP_IADD3 || instruction->mod[WS_MOD_EXTENDED] ||
        instruction->operand[1].index != WS_PT || instruction->operand[2].index != WS_PT)
        return;
    int only = -1;
    for (int n = FIRST; n <= LAST; n++) {
        const WsOperand *operand = &instruction->operand[n];
        gboolean zero = (operand->kind == WS_OPERAND_REGISTER && operand->index == WS_RZ) ||
                        (operand->kind == WS_OPERAND_IMMEDIATE && operand->value == 0);
        if (!zero && (only >= 0 || operand->flags != 0))
            return;
        if (!zero)
            only = n;
    }
    WsInstruction move;
    ws_instruction_init(&move, WS_OP_MOV);
    move.guard = instruction->guard;
    move.guard_negated = instruction->guard_negated;
    move.location = instruction->location;
    move.origin = instruction->origin;
    move.operand[0] = instruction->operand[0];
    if (only >= 0)
        move.operand[1] = instruction->operand[only];
    *instruction = move;
}

/* TRUE if an operand changed: what it reads now may be a copy as well. */
static gboolean propagate_once(Copies *copies, WsInstruction *instruction)
{
    gboolean changed = FALSE;
    for (guint n = 0; n < instruction->operand_count; n++) {
        const WsOperand *operand = &instruction->operand[n];
        guint words = ws_operand_width(instruction, n);
        gboolean reads = operand->kind == WS_OPERAND_REGISTER ||
                         operand->kind == WS_OPERAND_ADDRESS ||
                         (operand->kind == WS_OPERAND_CONSTANT && words != 0);
        if (!reads || operand->index < WS_VIRTUAL_BASE || ws_operand_is_destination(instruction, n))
            continue;
        guint32 first = copies->variables.first[operand->index - WS_VIRTUAL_BASE];
        guint32 word = first + (operand->kind == WS_OPERAND_CONSTANT ? 0 : operand->bank);
        if (word + words > copies->variables.first[operand->index - WS_VIRTUAL_BASE + 1])
            continue;
        WsOperand before = *operand;
        if (words == 1)
            propagate_word(copies, instruction, n, word);
        else if (words == 2)
            propagate_pair(copies, instruction, n, word);
        changed |= operand->kind != before.kind || operand->index != before.index ||
                   operand->bank != before.bank;
    }
    return changed;
}

static void propagate_into(Copies *copies, WsInstruction *instruction)
{
    enum { CHAIN = 4 }; /* copies of copies */
    for (guint step = 0; step < CHAIN && propagate_once(copies, instruction); step++)
        ;
}

/* Number of words of registers that the access writes, and the first of them. */
static guint written_words(const Copies *copies, const WsRegisterAccess *access, guint32 *ret_first)
{
    return access->write && access->file == WS_FILE_REGISTER
               ? ws_variables_of(&copies->variables, access, ret_first)
               : 0;
}

static void note_writes(Copies *copies, const WsInstruction *instruction)
{
    Value value = value_of_move(copies, instruction);
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    for (guint a = 0; a < count; a++) {
        guint32 first = 0;
        guint words = written_words(copies, &accesses[a], &first);
        for (guint w = 0; w < words; w++) {
            copies->versions[first + w]++;
            if (copies->values[first + w].epoch >= WHERE_DOMINATED)
                continue;
            copies->values[first + w] = value;
            copies->values[first + w].epoch = copies->epoch;
            if (value.source == first + w)
                copies->values[first + w].kind = WS_OPERAND_NONE;
        }
    }
}

static void count_writes(Copies *copies, const WsInstruction *instruction, Place place)
{
    gboolean guarded = ws_is_guarded(instruction);
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    for (guint a = 0; a < count; a++) {
        guint32 first = 0;
        guint words = written_words(copies, &accesses[a], &first);
        for (guint w = 0; w < words; w++) {
            copies->written_at[first + w] = place;
            copies->writes[first + w] =
                (guint8)MIN(copies->writes[first + w] + (guarded ? 2 : 1), 2);
        }
    }
}

/* Notes a MOV that alone writes its word. */
static void note_single_move(Copies *copies, const WsInstruction *instruction, Place place)
{
    Value value = value_of_move(copies, instruction);
    const WsOperand *to = &instruction->operand[0];
    if (value.kind == WS_OPERAND_NONE || to->index < WS_VIRTUAL_BASE)
        return;
    guint32 word = copies->variables.first[to->index - WS_VIRTUAL_BASE] + to->bank;
    if (copies->writes[word] != 1)
        return;
    value.epoch = EVERYWHERE;
    if (value.source != NO_SOURCE) {
        if (copies->writes[value.source] != 1 ||
            !comes_before(copies, copies->written_at[value.source], place))
            return;
        value.epoch = WHERE_DOMINATED;
    }
    copies->values[word] = value;
}

static void find_single_moves(Copies *copies, const WsIrFunction *function)
{
    for (guint pass = 0; pass < 2; pass++) {
        for (guint32 b = 0; b < function->blocks->len; b++) {
            WsIrBlock *block = ws_ir_block(function, b);
            for (guint i = 0; i < block->instructions->len; i++) {
                Place place = {b, i};
                if (pass == 0)
                    count_writes(copies, ws_ir_instruction(block, i), place);
                else
                    note_single_move(copies, ws_ir_instruction(block, i), place);
            }
        }
    }
}

void ws_propagate_copies(WsIrFunction *function)
{
    Copies copies = {0};
    ws_variables_init(&copies.variables, function);
    copies.values = g_new0(Value, copies.variables.word_count + 1);
    copies.versions = g_new0(guint32, copies.variables.word_count + 1);
    copies.writes = g_new0(guint8, copies.variables.word_count + 1);
    copies.written_at = g_new0(Place, copies.variables.word_count + 1);
    g_autoptr(WsGraph) graph = ws_ir_graph(function);
    copies.dominators = ws_graph_dominators(graph, 0);
    copies.dominance = ws_dominance_new(copies.dominators, graph->count);
    find_single_moves(&copies, function);
    for (guint32 b = 0; b < function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(function, b);
        copies.epoch = b + 1;
        for (guint i = 0; i < ws_ir_length(block); i++) {
            WsInstruction *instruction = ws_ir_instruction(block, i);
            copies.now = (Place){b, i};
            propagate_into(&copies, instruction);
            simplify_sum(instruction);
            note_writes(&copies, instruction);
        }
    }
    g_free(copies.values);
    g_free(copies.versions);
    g_free(copies.writes);
    g_free(copies.written_at);
    ws_dominance_free(copies.dominance);
    g_free(copies.dominators);
    ws_variables_clear(&copies.variables);
}
