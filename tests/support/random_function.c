#include "tests/support/random_function.h"

#include "isa/bytecode/instruction_check.h"
#include "isa/bytecode/opcode.h"
#include "isa/ir/walk.h"

enum { PARAMETER_BASE = 0x210 /* as ws_compile_options_init() has it */, PARAMETER_WORDS = 8 };

typedef struct {
    WsIrFunction *function;
    const WsRandomShape *shape;
    GRand *random;
    guint32 block;
    GArray *registers; /* of guint32: operand indices */
    GArray *predicates;
    GArray *read_only; /* of guint32: one-word registers written once, at the start */
} Maker;

static gboolean chance(Maker *maker, gdouble p)
{
    return g_rand_double(maker->random) < p;
}

static guint below(Maker *maker, guint n)
{
    return (guint)g_rand_int_range(maker->random, 0, (gint32)n);
}

static void append(Maker *maker, WsInstruction *instruction)
{
    g_array_append_vals(ws_ir_block(maker->function, maker->block)->instructions, instruction, 1);
}

static guint32 any_predicate(Maker *maker)
{
    return g_array_index(maker->predicates, guint32, below(maker, maker->predicates->len));
}

/* A register with at least `words` words, and a word of it aligned to that. */
static void any_word(Maker *maker, guint words, WsOperand *ret)
{
    for (;;) {
        guint32 index =
            g_array_index(maker->registers, guint32, below(maker, maker->registers->len));
        guint has =
            g_array_index(maker->function->registers, WsIrRegister, index - WS_VIRTUAL_BASE).words;
        if (has < words)
            continue;
        ret->index = index;
        ret->bank = (guint8)(words * below(maker, has / words));
        return;
    }
}

static void maybe_guard(Maker *maker, WsInstruction *instruction)
{
    if (maker->predicates->len > 0 && chance(maker, 0.25)) {
        instruction->guard = any_predicate(maker);
        instruction->guard_negated = chance(maker, 0.5);
    }
}

/* A word or pair of the parameters: a few, so that many instructions read the same ones. */
static WsOperand any_constant(Maker *maker, guint words)
{
    return (WsOperand){.kind = WS_OPERAND_CONSTANT,
                       .index = WS_RZ,
                       .uniform = WS_URZ,
                       .value = PARAMETER_BASE + 4 * words * below(maker, PARAMETER_WORDS / words)};
}

static void fill_flexible(Maker *maker, WsInstruction *instruction, guint n)
{
    WsOperand *operand = &instruction->operand[n];
    if (chance(maker, 0.1) && !ws_opcode_takes_two_immediates(instruction->opcode))
        *operand = any_constant(maker, ws_operand_words(instruction, n));
    else if (chance(maker, 0.2) && ws_operand_words(instruction, n) == 1)
        *operand = (WsOperand){
            .kind = WS_OPERAND_IMMEDIATE, .uniform = WS_URZ, .value = g_rand_int(maker->random)};
    else
        any_word(maker, ws_operand_words(instruction, n), operand);
}

static void fill_operands(Maker *maker, WsInstruction *instruction)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    for (guint n = 0; n < info->operand_count; n++) {
        WsOperand *operand = &instruction->operand[n];
        switch (info->slots[n]) {
        case WS_SLOT_Sb:
            fill_flexible(maker, instruction, n);
            break;
        case WS_SLOT_Rd:
        case WS_SLOT_Ra:
        case WS_SLOT_Rb:
        case WS_SLOT_Rc:
        case WS_SLOT_Sc:
            any_word(maker, ws_operand_words(instruction, n), operand);
            if (info->slots[n] != WS_SLOT_Rd && ws_operand_words(instruction, n) == 1 &&
                maker->read_only->len > 0 && chance(maker, 0.15)) {
                operand->index =
                    g_array_index(maker->read_only, guint32, below(maker, maker->read_only->len));
                operand->bank = 0;
            }
            break;
        case WS_SLOT_Ma:
            any_word(maker, ws_operand_words(instruction, n), operand);
            operand->value = 16 * below(maker, 4);
            break;
        case WS_SLOT_Pp:
            if (maker->predicates->len > 0)
                operand->index = any_predicate(maker);
            break;
        case WS_SLOT_Pd:
            if (maker->predicates->len > 0 && instruction->opcode == WS_OP_ISETP)
                operand->index = any_predicate(maker);
            break;
        default:
            break;
        }
    }
}

static void random_instruction(Maker *maker);

/* A comparison and a logic operation on its result and another predicate. */
static void logic_of_predicates(Maker *maker)
{
    static const guint8 tables[] = {0xc0, 0xfc, 0x3c, 0x30, 0xcf};
    if (maker->predicates->len == 0)
        return;
    WsInstruction compare;
    WsInstruction logic;
    ws_instruction_init(&compare, WS_OP_ISETP);
    compare.mod[WS_MOD_ICMP] = (guint8)(WS_ICMP_LT + below(maker, 6));
    fill_operands(maker, &compare);
    compare.operand[4].index = WS_PT;
    compare.operand[0].index = ws_ir_new_predicate(maker->function);
    append(maker, &compare);
    ws_instruction_init(&logic, WS_OP_PLOP3);
    gboolean first = chance(maker, 0.5);
    logic.operand[0].index = any_predicate(maker);
    logic.operand[first ? 2 : 3].index = compare.operand[0].index;
    logic.operand[first ? 3 : 2].index = any_predicate(maker);
    logic.operand[2].flags = chance(maker, 0.3) ? WS_OPERAND_NEGATE : 0;
    logic.operand[3].flags = chance(maker, 0.3) ? WS_OPERAND_NEGATE : 0;
    logic.operand[5].value = tables[below(maker, G_N_ELEMENTS(tables))];
    if (chance(maker, 0.2))
        random_instruction(maker);
    append(maker, &logic);
}

static void random_instruction(Maker *maker)
{
    static const WsOpcode opcodes[] = {
        WS_OP_FFMA, WS_OP_FADD, WS_OP_IADD3, WS_OP_IMAD, WS_OP_IMAD_WIDE, WS_OP_DFMA,  WS_OP_SEL,
        WS_OP_MUFU, WS_OP_MOV,  WS_OP_MOV,   WS_OP_MOV,  WS_OP_ISETP,     WS_OP_LDG,   WS_OP_STG,
        WS_OP_LDS,  WS_OP_STS,  WS_OP_ATOMG, WS_OP_SHFL, WS_OP_LOP3,      WS_OP_ISETP, WS_OP_STG,
        WS_OP_STG,  WS_OP_FFMA, WS_OP_BAR,   WS_OP_PLOP3};
    WsInstruction instruction;
    WsOpcode opcode = opcodes[below(maker, G_N_ELEMENTS(opcodes))];
    if (opcode == WS_OP_BAR && !chance(maker, 0.2))
        opcode = WS_OP_FADD;
    ws_instruction_init(&instruction, opcode);
    if (opcode == WS_OP_ISETP)
        instruction.mod[WS_MOD_ICMP] = (guint8)(WS_ICMP_LT + below(maker, 6));
    if (ws_is_load(&instruction) || ws_is_store(&instruction)) {
        static const guint8 widths[] = {WS_WIDTH_32, WS_WIDTH_32, WS_WIDTH_64, WS_WIDTH_128};
        instruction.mod[WS_MOD_WIDTH] = widths[below(maker, 4)];
        if ((opcode == WS_OP_STG || opcode == WS_OP_LDG) && chance(maker, 0.6))
            instruction.mod[WS_MOD_CACHE] = WS_CACHE_STRONG_SYS;
    }
    if (opcode == WS_OP_LDG || opcode == WS_OP_STG || opcode == WS_OP_ATOMG)
        instruction.mod[WS_MOD_ADDRESS] = TRUE;
    if (opcode == WS_OP_PLOP3) {
        logic_of_predicates(maker);
        return;
    }
    if (opcode != WS_OP_BAR)
        fill_operands(maker, &instruction);
    if (opcode == WS_OP_SHFL && instruction.operand[3].kind == WS_OPERAND_IMMEDIATE)
        instruction.operand[3].value &= 0x1f;
    if (opcode != WS_OP_BAR && opcode != WS_OP_SHFL)
        maybe_guard(maker, &instruction);
    if (opcode == WS_OP_FADD && chance(maker, 0.3))
        instruction.operand[1].flags = WS_OPERAND_NEGATE;
    append(maker, &instruction);
}

/* A value that is set and read under one guard, or under both guards and read after. */
static void guarded_temporary(Maker *maker)
{
    guint32 temporary = ws_ir_new_register(maker->function, 1);
    guint32 guard = any_predicate(maker);
    gboolean both = chance(maker, 0.5);
    for (guint side = 0; side < (both ? 2 : 1); side++) {
        WsInstruction set;
        ws_instruction_init(&set, WS_OP_FADD);
        fill_operands(maker, &set);
        set.operand[0].index = temporary;
        set.operand[0].bank = 0;
        set.guard = guard;
        set.guard_negated = side;
        append(maker, &set);
    }
    if (!both && chance(maker, 0.3))
        random_instruction(maker); /* may change the guard: then the read is of nothing */
    WsInstruction use;
    ws_instruction_init(&use, WS_OP_FADD);
    fill_operands(maker, &use);
    use.operand[1].index = temporary;
    use.operand[1].bank = 0;
    use.operand[1].flags = 0;
    if (!both) {
        use.guard = guard;
        /* Where the guard was written in between, read something that is set. */
        const GArray *body = ws_ir_block(maker->function, maker->block)->instructions;
        const WsInstruction *last = &g_array_index(body, WsInstruction, body->len - 1);
        if ((last->opcode == WS_OP_ISETP || last->opcode == WS_OP_PLOP3) &&
            last->operand[0].index == guard)
            any_word(maker, 1, &use.operand[1]);
    }
    append(maker, &use);
}

static void make_entry(Maker *maker)
{
    maker->block = ws_ir_new_block(maker->function);
    for (guint r = 0; r < MAX(maker->shape->registers, 3); r++) {
        static const guint8 sizes[] = {1, 1, 1, 1, 2, 2, 4};
        guint words = r == 0 ? 4 : r == 1 ? 2 : r == 2 ? 1 : sizes[below(maker, 7)];
        guint32 index = ws_ir_new_register(maker->function, words);
        g_array_append_val(maker->registers, index);
        for (guint w = 0; w < words; w++) {
            WsInstruction set;
            ws_instruction_init(&set, r != 2 && chance(maker, 0.5) ? WS_OP_MOV : WS_OP_S2R);
            set.operand[0].index = index;
            set.operand[0].bank = (guint8)w;
            if (set.opcode == WS_OP_MOV)
                set.operand[1] = (WsOperand){
                    .kind = WS_OPERAND_IMMEDIATE, .uniform = WS_URZ, .value = 16 * below(maker, 8)};
            else
                set.operand[1].value = r == 2 ? WS_SR_TID_X : below(maker, WS_SR_CLOCK_LO);
            append(maker, &set);
        }
    }
    for (guint r = 0; r < 4; r++) {
        WsInstruction copy;
        ws_instruction_init(&copy, WS_OP_MOV);
        copy.operand[0].index = ws_ir_new_register(maker->function, 1);
        if (r < 2)
            any_word(maker, 1, &copy.operand[1]);
        else
            copy.operand[1].index = g_array_index(maker->read_only, guint32, r - 2);
        append(maker, &copy);
        g_array_append_val(maker->read_only, copy.operand[0].index);
    }
    for (guint p = 0; p < maker->shape->predicates; p++) {
        guint32 index = ws_ir_new_predicate(maker->function);
        g_array_append_val(maker->predicates, index);
        WsInstruction set;
        ws_instruction_init(&set, WS_OP_ISETP);
        set.mod[WS_MOD_ICMP] = WS_ICMP_LT;
        fill_operands(maker, &set);
        set.operand[0].index = index;
        set.operand[4].index = WS_PT;
        if (chance(maker, 0.6)) /* register 2 holds the thread number */
            set.operand[2] = (WsOperand){.kind = WS_OPERAND_REGISTER,
                                         .uniform = WS_URZ,
                                         .index = g_array_index(maker->registers, guint32, 2)};
        append(maker, &set);
    }
}

static guint32 any_target(Maker *maker, guint32 from)
{
    guint32 last = maker->function->blocks->len - 1;
    if (maker->shape->back_edges && chance(maker, 0.25))
        return 1 + below(maker, last);
    guint32 to = from + 1 + below(maker, 4);
    return MIN(last, to);
}

static void make_end(Maker *maker, guint32 b)
{
    WsIrBlock *block = ws_ir_block(maker->function, b);
    guint32 last = maker->function->blocks->len - 1;
    if (b == last || chance(maker, 0.03)) {
        ws_instruction_init(&block->branch, WS_OP_EXIT);
        return;
    }
    block->next = chance(maker, 0.8) ? b + 1 : any_target(maker, b);
    if (maker->predicates->len == 0 || chance(maker, 0.3))
        return;
    if (chance(maker, 0.05)) {
        ws_instruction_init(&block->branch, WS_OP_BRX);
        any_word(maker, 1, &block->branch.operand[0]);
        block->table = g_array_new(FALSE, FALSE, sizeof(guint32));
        for (guint i = 0; i < 2; i++) {
            guint32 to = any_target(maker, b);
            g_array_append_val(block->table, to);
        }
        block->next = WS_IR_NO_BLOCK;
        return;
    }
    ws_instruction_init(&block->branch, chance(maker, 0.06) ? WS_OP_EXIT : WS_OP_BRA);
    block->branch.guard = any_predicate(maker);
    block->branch.guard_negated = chance(maker, 0.5);
    if (block->branch.opcode == WS_OP_BRA)
        block->taken = any_target(maker, b);
}

WsIrFunction *ws_random_function(guint32 seed, const WsRandomShape *shape)
{
    Maker maker = {.function = ws_ir_function_new("f"),
                   .shape = shape,
                   .random = g_rand_new_with_seed(seed),
                   .registers = g_array_new(FALSE, FALSE, sizeof(guint32)),
                   .predicates = g_array_new(FALSE, FALSE, sizeof(guint32)),
                   .read_only = g_array_new(FALSE, FALSE, sizeof(guint32))};
    maker.function->kernel.parameter_bytes = 4 * PARAMETER_WORDS;
    make_entry(&maker);
    for (guint b = 1; b < MAX(shape->blocks, 2); b++)
        ws_ir_new_block(maker.function);
    for (guint32 b = 0; b < maker.function->blocks->len; b++) {
        maker.block = b;
        guint count = shape->instructions == 0 ? 0 : below(&maker, 2 * shape->instructions);
        for (guint i = 0; i < count; i++) {
            if (maker.predicates->len > 0 && chance(&maker, 0.1))
                guarded_temporary(&maker);
            else
                random_instruction(&maker);
        }
        make_end(&maker, b);
    }
    g_rand_free(maker.random);
    g_array_unref(maker.registers);
    g_array_unref(maker.predicates);
    g_array_unref(maker.read_only);
    return maker.function;
}

WsIrModule *ws_random_module(guint32 seed, const WsRandomShape *shape)
{
    WsIrModule *module = ws_ir_module_new();
    g_ptr_array_add(module->functions, ws_random_function(seed, shape));
    return module;
}
