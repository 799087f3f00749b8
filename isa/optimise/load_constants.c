/*
 * Constants come through loads, as ptxas makes code for Hopper: there no instruction but LDC and
 * ULDC names a constant bank (seen in 564 kernels compiled for sm_90). A MOV of a constant becomes
 * LDC; the 64-bit addend of IMAD.WIDE becomes a pair that LDC.64 loads; any other constant operand
 * becomes a uniform register.
 *
 * A load stands in the block that reads it, before the first reader, or, for readers in innermost
 * loops, at the end of the nearest block outside that every path to them passes. A uniform register
 * is loaded once on each path and holds one constant in the whole kernel: lanes that parted may run
 * the load again at any time without harm.
 *
 * A word that a register has anyway (MOV) is read there by what comes after, and two such words of
 * a pair are loaded together.
 *
 * Each kernel begins as compiled ones do: it loads the stack pointer, and the descriptor of global
 * memory if it uses any. Nothing reads the two here, but the loads take their time.
 */
#include "isa/bytecode/opcode.h"
#include "isa/flow/dominators.h"
#include "isa/flow/loops.h"
#include "isa/ir/liveness.h"
#include "isa/ir/register_budget.h"
#include "isa/optimise/optimise.h"

enum {
    WIDE_ADDEND = 4,
    FIRST_UNIFORM = 4,
    UNIFORMS = 60, /* the descriptor's pair comes behind them */
    PAIR = 8,
    /* in constant bank 0, as in kernels compiled for sm_90 */
    STACK_POINTER = 0x28,
    DESCRIPTOR_BEFORE_PARAMETERS = 8
};

typedef struct {
    guint8 words;    /* of the 8-byte pair that are read through uniform registers: bits */
    guint8 width;    /* of the load, in words; 0 = no uniform register was left */
    guint32 uniform; /* register of the first word loaded */
    guint32 first;   /* that word */
    GArray *loaded;  /* of guint32: blocks that load it */
    GArray *vectors; /* of Vector: pairs */
    GArray *moved;   /* of Vector: registers that one MOV alone writes */
} Constant;

typedef struct {
    guint32 block;
    guint32 index;
    guint8 bank; /* word of the register */
    guint8 word; /* word of the constant */
} Vector;

typedef struct {
    WsIrFunction *function;
    guint32 *dominators;
    WsDominance *dominance;
    const WsLoops *loops;
    guint32 *live;         /* per block: words live where it begins */
    GHashTable *constants; /* bank and offset of the pair -> Constant */
    guint32 block;         /* at hand */
    GArray *placed;        /* of WsInstruction: what it becomes */
    WsVariables variables; /* as they were before */
    guint32 *writes;       /* per variable */
} Loader;

static void constant_free(gpointer data)
{
    Constant *constant = data;
    g_array_unref(constant->loaded);
    g_array_unref(constant->vectors);
    g_array_unref(constant->moved);
    g_free(constant);
}

static Constant *constant_of(Loader *loader, const WsOperand *operand)
{
    guint32 key = ((guint32)operand->bank << 24) + operand->value / PAIR;
    Constant *constant = g_hash_table_lookup(loader->constants, GUINT_TO_POINTER(key));
    if (constant == NULL) {
        constant = g_new0(Constant, 1);
        constant->loaded = g_array_new(FALSE, FALSE, sizeof(guint32));
        constant->vectors = g_array_new(FALSE, FALSE, sizeof(Vector));
        constant->moved = g_array_new(FALSE, FALSE, sizeof(Vector));
        g_hash_table_insert(loader->constants, GUINT_TO_POINTER(key), constant);
    }
    return constant;
}

/* ---- what is read how ---- */

typedef enum { KEEPS, BY_MOVE, BY_PAIR, BY_UNIFORM } Reading;

static Reading reading_of(const WsInstruction *instruction, guint n)
{
    const WsOperand *operand = &instruction->operand[n];
    guint words = ws_operand_words(instruction, n);
    if (operand->kind != WS_OPERAND_CONSTANT || operand->index != WS_RZ ||
        ws_opcode_info(instruction->opcode)->slots[n] == WS_SLOT_Cm || words < 1 || words > 2 ||
        operand->value % (4 * words) != 0)
        return KEEPS;
    if (instruction->opcode == WS_OP_MOV)
        return instruction->operand[0].kind == WS_OPERAND_REGISTER ? BY_MOVE : KEEPS;
    if (instruction->opcode == WS_OP_IMAD_WIDE && n == WIDE_ADDEND)
        return BY_PAIR;
    return BY_UNIFORM;
}

static void mark_uniforms(const WsIrFunction *function, gboolean used[UNIFORMS])
{
    for (guint32 b = 0; b < function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(function, b);
        for (guint i = 0; i < ws_ir_length(block); i++) {
            WsRegisterAccess accesses[WS_MAX_ACCESSES];
            guint count = ws_instruction_accesses(ws_ir_instruction(block, i), accesses);
            for (guint a = 0; a < count; a++)
                for (guint w = 0; accesses[a].file == WS_FILE_UNIFORM && w < accesses[a].words; w++)
                    if (accesses[a].index + w < UNIFORMS)
                        used[accesses[a].index + w] = TRUE;
        }
    }
}

static void name_uniform(Constant *constant, gboolean used[UNIFORMS])
{
    guint width = constant->words == 3 ? 2 : 1;
    for (guint u = FIRST_UNIFORM; u + width <= UNIFORMS; u += width) {
        if (used[u] || used[u + width - 1])
            continue;
        used[u] = used[u + width - 1] = TRUE;
        constant->width = (guint8)width;
        constant->uniform = u;
        constant->first = constant->words == 2 ? 1 : 0;
        return;
    }
}

static void collect_uniforms(Loader *loader)
{
    gboolean used[UNIFORMS] = {FALSE};
    g_autoptr(GPtrArray) order = g_ptr_array_new();
    mark_uniforms(loader->function, used);
    for (guint32 b = 0; b < loader->function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(loader->function, b);
        for (guint i = 0; i < ws_ir_length(block); i++) {
            const WsInstruction *instruction = ws_ir_instruction(block, i);
            for (guint n = 0; n < instruction->operand_count; n++) {
                if (reading_of(instruction, n) != BY_UNIFORM)
                    continue;
                Constant *constant = constant_of(loader, &instruction->operand[n]);
                if (constant->words == 0)
                    g_ptr_array_add(order, constant);
                constant->words |= ws_operand_words(instruction, n) == 2
                                       ? 3
                                       : 1 << (instruction->operand[n].value / 4 % 2);
            }
        }
    }
    for (guint i = 0; i < order->len; i++)
        name_uniform(order->pdata[i], used);
}

/* ---- loads ---- */

static void put_load(Loader *loader, guint32 home, const WsInstruction *load)
{
    GArray *to =
        home == loader->block ? loader->placed : ws_ir_block(loader->function, home)->instructions;
    g_array_append_vals(to, load, 1);
}

static WsInstruction make_load(WsOpcode opcode, const WsInstruction *reader, const WsOperand *from,
                               guint width)
{
    WsInstruction load;
    ws_instruction_init(&load, opcode);
    load.location = reader->location;
    load.mod[WS_MOD_WIDTH] = width == 2 ? WS_WIDTH_64 : WS_WIDTH_32;
    load.operand[1] = *from;
    load.operand[1].flags = 0;
    return load;
}

/* The register that has the word on all paths to the block at hand, or NULL. */
static const Vector *find_moved(const Loader *loader, const Constant *constant, guint32 word)
{
    for (guint i = 0; i < constant->moved->len; i++) {
        const Vector *vector = &g_array_index(constant->moved, Vector, i);
        if (vector->word == word &&
            ws_dominance_holds(loader->dominance, vector->block, loader->block))
            return vector;
    }
    return NULL;
}

static void read_by_uniform(Loader *loader, WsInstruction *instruction, guint n)
{
    WsOperand *operand = &instruction->operand[n];
    Constant *constant = constant_of(loader, operand);
    const Vector *moved = ws_operand_words(instruction, n) == 1
                              ? find_moved(loader, constant, operand->value / 4 % 2)
                              : NULL;
    if (moved != NULL) {
        *operand = (WsOperand){.kind = WS_OPERAND_REGISTER,
                               .flags = operand->flags,
                               .index = moved->index,
                               .bank = moved->bank,
                               .uniform = WS_URZ};
        return;
    }
    if (constant->width == 0)
        return;
    guint32 home = ws_loop_hoist_node(loader->loops, loader->block);
    gboolean known = FALSE;
    for (guint i = 0; i < constant->loaded->len && !known; i++)
        known = ws_dominance_holds(loader->dominance, g_array_index(constant->loaded, guint32, i),
                                   home);
    if (!known) {
        WsInstruction load = make_load(WS_OP_ULDC, instruction, operand, constant->width);
        load.operand[0].index = constant->uniform;
        load.operand[1].value = operand->value / PAIR * PAIR + 4 * constant->first;
        put_load(loader, home, &load);
        g_array_append_val(constant->loaded, home);
    }
    guint32 word = operand->value / 4 % 2;
    *operand = (WsOperand){.kind = WS_OPERAND_UNIFORM_REGISTER,
                           .flags = operand->flags,
                           .index = constant->uniform + word - constant->first,
                           .uniform = WS_URZ};
}

/*
 * Where a pair for the block at hand is loaded. A loop that has not enough registers for it besides
 * those that live through it loads it on every turn, as ptxas does.
 */
static guint32 home_of_pair(const Loader *loader)
{
    enum { FOR_OTHERS = 8 };
    guint32 home = ws_loop_hoist_node(loader->loops, loader->block);
    if (home == loader->block)
        return home;
    guint32 header = loader->loops->loops[loader->loops->innermost[loader->block]].header;
    guint goal = loader->function->register_goal;
    return loader->live[header] + 2 + FOR_OTHERS <= goal ? home : loader->block;
}

/* The loop around the block at hand has more words that live through it. */
static void count_live(Loader *loader, guint words)
{
    guint32 loop = loader->loops->innermost[loader->block];
    loader->live[loader->loops->loops[loop].header] += words;
}

static void read_by_pair(Loader *loader, WsInstruction *instruction, guint n)
{
    WsOperand *operand = &instruction->operand[n];
    Constant *constant = constant_of(loader, operand);
    Vector vector = {.block = home_of_pair(loader)};
    for (guint i = 0; i < constant->vectors->len; i++) {
        const Vector *known = &g_array_index(constant->vectors, Vector, i);
        if (known->block == vector.block)
            vector.index = known->index;
    }
    if (vector.index == 0) {
        WsInstruction load = make_load(WS_OP_LDC, instruction, operand, 2);
        vector.index = ws_ir_new_register(loader->function, 2);
        load.operand[0].index = vector.index;
        put_load(loader, vector.block, &load);
        g_array_append_val(constant->vectors, vector);
        if (vector.block != loader->block)
            count_live(loader, 2);
    }
    *operand = ws_operand_register(vector.index);
}

/* TRUE if `high` moves the word behind that of `low` to the word behind its destination. */
static gboolean is_second_move(const WsInstruction *low, const WsInstruction *high)
{
    return reading_of(high, 1) == BY_MOVE && high->opcode == WS_OP_MOV &&
           low->operand[1].value % PAIR == 0 &&
           high->operand[1].value == low->operand[1].value + 4 &&
           high->operand[1].bank == low->operand[1].bank && low->guard == high->guard &&
           low->guard_negated == high->guard_negated && low->operand[0].bank % 2 == 0 &&
           low->operand[0].index >= WS_VIRTUAL_BASE &&
           high->operand[0].index == low->operand[0].index &&
           high->operand[0].bank == low->operand[0].bank + 1;
}

/* Returns how many instructions were read. */
static guint place(Loader *loader, WsIrBlock *block, guint i)
{
    WsInstruction *instruction = ws_ir_instruction(block, i);
    if (instruction->opcode == WS_OP_MOV && reading_of(instruction, 1) == BY_MOVE) {
        gboolean wide = i + 1 < block->instructions->len &&
                        is_second_move(instruction, ws_ir_instruction(block, i + 1));
        WsInstruction load =
            make_load(WS_OP_LDC, instruction, &instruction->operand[1], wide ? 2 : 1);
        load.operand[0] = instruction->operand[0];
        load.guard = instruction->guard;
        load.guard_negated = instruction->guard_negated;
        g_array_append_val(loader->placed, load);
        return wide ? 2 : 1;
    }
    for (guint n = 0; n < instruction->operand_count; n++) {
        Reading reading = reading_of(instruction, n);
        if (reading == BY_UNIFORM)
            read_by_uniform(loader, instruction, n);
        else if (reading == BY_PAIR)
            read_by_pair(loader, instruction, n);
    }
    if (i < block->instructions->len)
        g_array_append_val(loader->placed, *instruction);
    return 1;
}

/* ---- words in registers of their own ---- */

/* A MOV of a constant to a register of one word that nothing else writes. */
static gboolean is_single_move(const Loader *loader, const WsInstruction *move)
{
    const WsOperand *to = &move->operand[0];
    if (move->opcode != WS_OP_MOV || reading_of(move, 1) != BY_MOVE || move->guard != WS_PT ||
        move->guard_negated || to->index < WS_VIRTUAL_BASE)
        return FALSE;
    guint32 n = to->index - WS_VIRTUAL_BASE;
    return g_array_index(loader->function->registers, WsIrRegister, n).words == 1 &&
           loader->writes[loader->variables.first[n]] == 1;
}

static void note_move(Loader *loader, const WsInstruction *move)
{
    Vector vector = {.block = loader->block,
                     .index = move->operand[0].index,
                     .bank = move->operand[0].bank,
                     .word = move->operand[1].value / 4 % 2};
    g_array_append_val(constant_of(loader, &move->operand[1])->moved, vector);
}

static gboolean is_next_word(const WsInstruction *low, const WsInstruction *high)
{
    return low->operand[1].bank == high->operand[1].bank && low->operand[1].value % PAIR == 0 &&
           high->operand[1].value == low->operand[1].value + 4;
}

/* Appends both words as one pair, and copies for those who read them. */
static void append_pair(Loader *loader, GArray *front, const WsInstruction *low,
                        const WsInstruction *high)
{
    WsInstruction halves[2] = {*low, *high}, copies[2] = {*low, *high};
    guint32 pair = ws_ir_new_register(loader->function, 2);
    for (guint w = 0; w < 2; w++) {
        halves[w].operand[0].index = pair;
        halves[w].operand[0].bank = (guint8)w;
        copies[w].operand[1] = halves[w].operand[0];
        note_move(loader, &halves[w]);
    }
    g_array_append_vals(front, halves, 2);
    g_array_append_vals(front, copies, 2);
}

/* Such MOVs go to the front of their block, for all of it to read them. */
static void gather_moves(Loader *loader, WsIrBlock *block)
{
    g_autoptr(GArray) moves = g_array_new(FALSE, FALSE, sizeof(WsInstruction));
    g_autoptr(GArray) others = g_array_new(FALSE, FALSE, sizeof(WsInstruction));
    GArray *front = g_array_new(FALSE, TRUE, sizeof(WsInstruction));
    for (guint i = 0; i < block->instructions->len; i++) {
        const WsInstruction *instruction = ws_ir_instruction(block, i);
        g_array_append_vals(is_single_move(loader, instruction) ? moves : others, instruction, 1);
    }
    for (guint i = 0; i < moves->len; i++) {
        WsInstruction *low = &g_array_index(moves, WsInstruction, i);
        WsInstruction *high = NULL;
        if (low->opcode == WS_OP_NOP)
            continue;
        for (guint k = 0; k < moves->len && high == NULL; k++) {
            WsInstruction *other = &g_array_index(moves, WsInstruction, k);
            if (k == i || other->opcode == WS_OP_NOP)
                continue;
            if (is_next_word(low, other)) {
                high = other;
            } else if (is_next_word(other, low)) {
                high = low;
                low = other;
            }
        }
        if (high != NULL) {
            append_pair(loader, front, low, high);
            high->opcode = low->opcode = WS_OP_NOP;
            continue;
        }
        note_move(loader, low);
        g_array_append_vals(front, low, 1);
    }
    g_array_append_vals(front, others->data, others->len);
    g_array_unref(block->instructions);
    block->instructions = front;
}

static void visit_block(Loader *loader, guint32 b)
{
    WsIrBlock *block = ws_ir_block(loader->function, b);
    loader->block = b;
    gather_moves(loader, block);
    loader->placed = g_array_new(FALSE, TRUE, sizeof(WsInstruction));
    for (guint i = 0; i < ws_ir_length(block);)
        i += place(loader, block, i);
    g_array_unref(block->instructions);
    block->instructions = loader->placed;
}

static gboolean is_of_global_memory(const WsInstruction *instruction)
{
    switch (ws_opcode_info(instruction->opcode)->execution_class) {
    case WS_CLASS_GLOBAL_LOAD:
    case WS_CLASS_GLOBAL_STORE:
    case WS_CLASS_GLOBAL_ATOMIC:
    case WS_CLASS_GLOBAL_REDUCTION:
        return TRUE;
    default:
        return FALSE;
    }
}

void ws_load_prologue(WsIrFunction *function, guint32 parameter_base)
{
    WsInstruction loads[2], opening = {.location = function->opening};
    WsOperand from = ws_operand_constant(0, STACK_POINTER);

    loads[0] = make_load(WS_OP_LDC, &opening, &from, 1);
    loads[0].operand[0].index = ws_ir_new_register(function, 1);
    from.value = parameter_base - DESCRIPTOR_BEFORE_PARAMETERS;
    loads[1] = make_load(WS_OP_ULDC, &opening, &from, 2);
    loads[1].operand[0].index = UNIFORMS;
    g_array_insert_vals(ws_ir_block(function, 0)->instructions, 0, loads,
                        ws_ir_has(function, is_of_global_memory) ? 2 : 1);
}

static guint32 registers_of(const WsLiveness *liveness, WsSharedSet a, WsSharedSet b, GArray *list)
{
    guint32 count = 0;
    g_array_set_size(list, 0);
    ws_liveness_list(liveness, a, b, list);
    for (guint i = 0; i < list->len; i++)
        count += g_array_index(list, guint32, i) < liveness->variables.word_count;
    return count;
}

/* Per block, how many words are live where it begins. */
static guint32 *live_words(const WsIrFunction *function)
{
    guint32 *live = g_new0(guint32, function->blocks->len + 1);
    if (function->blocks->len < 2)
        return live; /* nothing lives where the kernel begins */
    g_autoptr(WsLiveness) liveness = ws_liveness_new(function);
    g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(guint32));
    WsSharedSet before = WS_SHARED_SET_EMPTY;
    guint32 words = 0;
    for (guint32 b = 0; b < function->blocks->len; b++) {
        WsSharedSet in = liveness->live_in[b];
        if (ws_ir_length(ws_ir_block(function, b)) == 0)
            continue;
        words += registers_of(liveness, in, before, list);
        words -= registers_of(liveness, before, in, list);
        live[b] = words;
        before = in;
    }
    return live;
}

void ws_load_constants(WsIrFunction *function)
{
    Loader loader = {.function = function};
    g_autoptr(WsGraph) graph = ws_ir_graph(function);
    g_autoptr(WsLoops) loops = ws_graph_loops(graph, 0);
    guint32 count;
    g_autofree guint32 *order = ws_graph_reverse_post_order(graph, 0, &count);
    loader.dominators = ws_graph_dominators(graph, 0);
    loader.dominance = ws_dominance_new(loader.dominators, graph->count);
    loader.loops = loops;
    loader.live = live_words(function);
    loader.constants = g_hash_table_new_full(NULL, NULL, NULL, constant_free);
    ws_variables_init(&loader.variables, function);
    loader.writes = g_new0(guint32, loader.variables.count + 1);
    ws_variables_count(&loader.variables, function, NULL, loader.writes);
    collect_uniforms(&loader);
    for (guint32 i = 0; i < count; i++)
        visit_block(&loader, order[i]);
    g_hash_table_unref(loader.constants);
    g_free(loader.writes);
    ws_variables_clear(&loader.variables);
    ws_dominance_free(loader.dominance);
    g_free(loader.dominators);
    g_free(loader.live);
}
