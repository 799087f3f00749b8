/* The whole back end on random functions: compiled code does what the function does. */
#include "isa/bytecode/instruction_check.h"
#include "isa/bytecode/opcode.h"
#include "isa/codegen/code_generation.h"
#include "isa/lower/lower.h"
#include "isa/optimise/combine.h"
#include "isa/optimise/optimise.h"
#include "tests/support/ir_interpreter.h"
#include "tests/support/random_function.h"
#include "tests/support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 3000 };

static gboolean more; /* the seeds behind the first quarter */

static void check_instructions(const WsProgram *program, guint32 seed)
{
    for (guint32 i = 0; i < program->instruction_count; i++) {
        g_autofree char *problem = ws_instruction_problem(&program->instructions[i]);
        ck_assert_msg(problem == NULL, "seed %u, instruction %u: %s", seed, i, problem);
    }
}

static void check_seed(guint32 seed, const WsRandomShape *shape, const WsCompileOptions *options)
{
    g_autoptr(WsIrModule) module = ws_random_module(seed, shape);
    g_autoptr(GError) error = NULL;
    g_autoptr(WsProgram) program = ws_ir_compile(module, options, &error);
    /* The verifier refuses a kernel that cannot end; some random ones cannot. */
    if (program == NULL && strstr(error->message, "no EXIT can be reached") != NULL)
        return;
    ck_assert_msg(program != NULL, "seed %u: %s", seed, error ? error->message : "");
    check_instructions(program, seed);
    if (options->max_registers != 0)
        ck_assert_uint_le(program->kernels[0].registers, options->max_registers);

    WsRun before;
    WsRun after;
    ws_run_function(&before, module->functions->pdata[0], LIMIT);
    ws_run_kernel(&after, program, &program->kernels[0], 40 * LIMIT);
    g_autofree char *difference = ws_run_difference(&before, &after);
    ck_assert_msg(difference == NULL, "seed %u: %s", seed, difference);
    ws_run_clear(&before);
    ws_run_clear(&after);
}

/* One pass on random functions: they still do what they did. */
static void check_pass(void (*pass)(WsIrFunction *), const WsRandomShape *shape, guint seeds)
{
    for (guint32 seed = 5000; seed < 5000 + seeds; seed++) {
        g_autoptr(WsIrModule) module = ws_random_module(seed, shape);
        WsRun before;
        WsRun after;
        ws_run_function(&before, module->functions->pdata[0], LIMIT);
        pass(module->functions->pdata[0]);
        ws_run_function(&after, module->functions->pdata[0], LIMIT);
        g_autofree char *difference = ws_run_difference(&before, &after);
        ck_assert_msg(difference == NULL, "seed %u: %s", seed, difference);
        ws_run_clear(&before);
        ws_run_clear(&after);
    }
}

START_TEST(test_single_passes)
{
    static void (*const passes[])(WsIrFunction *) = {ws_split_webs,           ws_retarget_copies,
                                                     ws_propagate_copies,     ws_select_in_place,
                                                     ws_share_subexpressions, ws_load_constants};
    for (guint p = 0; p < G_N_ELEMENTS(passes); p++) {
        check_pass(
            passes[p],
            &(WsRandomShape){.blocks = 2, .registers = 10, .predicates = 4, .instructions = 30},
            60);
        check_pass(passes[p],
                   &(WsRandomShape){.blocks = 12,
                                    .registers = 16,
                                    .predicates = 6,
                                    .instructions = 8,
                                    .back_edges = TRUE},
                   60);
    }
}
END_TEST

/* ---- integers, with many constants ---- */

typedef struct {
    WsIrFunction *function;
    WsIrBlock *block;
    GRand *random;
    guint32 registers; /* made so far, each written once */
    guint32 predicates;
} Integers;

static guint below(Integers *maker, guint n)
{
    return (guint)g_rand_int_range(maker->random, 0, (gint32)n);
}

static guint32 any_constant(Integers *maker)
{
    static const guint32 values[] = {0, 1, 2, 3, 4, 8, 31, 64, 0xffffffff, 0x80000000, 0x7fffffff};
    guint i = below(maker, G_N_ELEMENTS(values) + 1);
    return i < G_N_ELEMENTS(values) ? values[i] : g_rand_int(maker->random);
}

static void fill_integer_operand(Integers *maker, WsInstruction *instruction, guint n)
{
    WsOperand *operand = &instruction->operand[n];
    switch (ws_opcode_info(instruction->opcode)->slots[n]) {
    case WS_SLOT_Rd:
        operand->index = ws_ir_new_register(maker->function, 1);
        break;
    case WS_SLOT_Pd:
        if (instruction->opcode == WS_OP_ISETP)
            operand->index = ws_ir_new_predicate(maker->function);
        break;
    case WS_SLOT_Pp:
        if (maker->predicates > 0 && instruction->opcode == WS_OP_SEL)
            operand->index = WS_VIRTUAL_BASE + below(maker, maker->predicates);
        break;
    case WS_SLOT_Sb:
    case WS_SLOT_Ra:
    case WS_SLOT_Rc:
    case WS_SLOT_Sc:
        if (maker->registers > 0)
            operand->index = WS_VIRTUAL_BASE + below(maker, maker->registers);
        if (below(maker, 4) == 0)
            operand->index = WS_RZ;
        if (ws_opcode_info(instruction->opcode)->slots[n] == WS_SLOT_Sb && below(maker, 3) == 0)
            *operand = (WsOperand){.kind = WS_OPERAND_IMMEDIATE,
                                   .uniform = WS_URZ,
                                   .value = instruction->opcode == WS_OP_SHF ? below(maker, 34)
                                                                             : any_constant(maker)};
        else if (instruction->opcode == WS_OP_IADD3 && below(maker, 4) == 0)
            operand->flags = WS_OPERAND_NEGATE;
        break;
    default:
        break;
    }
}

static void append_integer(Integers *maker, WsOpcode opcode)
{
    WsInstruction instruction;
    ws_instruction_init(&instruction, opcode);
    if (opcode == WS_OP_ISETP)
        instruction.mod[WS_MOD_ICMP] = (guint8)(WS_ICMP_LT + below(maker, 6));
    if (opcode == WS_OP_SHF && below(maker, 2) == 0) {
        instruction.mod[WS_MOD_DIRECTION] = WS_DIRECTION_RIGHT;
        instruction.mod[WS_MOD_HIGH] = TRUE;
    }
    if (opcode == WS_OP_SHF)
        instruction.mod[WS_MOD_SHIFT_TYPE] =
            instruction.mod[WS_MOD_HIGH] && below(maker, 2) ? WS_SHIFT_S32 : WS_SHIFT_U32;
    for (guint n = 0; n < instruction.operand_count; n++)
        fill_integer_operand(maker, &instruction, n);
    if (opcode == WS_OP_SHF) /* one word */
        instruction.operand[instruction.mod[WS_MOD_HIGH] ? 1 : 3] =
            (WsOperand){.kind = WS_OPERAND_REGISTER, .index = WS_RZ, .uniform = WS_URZ};
    if (opcode == WS_OP_LOP3)
        instruction.operand[5].value = below(maker, 256);
    if (opcode == WS_OP_MOV)
        instruction.operand[1] = (WsOperand){
            .kind = WS_OPERAND_IMMEDIATE, .uniform = WS_URZ, .value = any_constant(maker)};
    g_array_append_val(maker->block->instructions, instruction);
    maker->registers = maker->function->registers->len;
    maker->predicates = maker->function->predicate_count;
}

/* All results are stored, so that each must be right. */
static WsIrFunction *make_integers(guint32 seed)
{
    static const WsOpcode opcodes[] = {WS_OP_MOV,   WS_OP_IADD3, WS_OP_IADD3, WS_OP_IMAD,
                                       WS_OP_LOP3,  WS_OP_SHF,   WS_OP_SHF,   WS_OP_IABS,
                                       WS_OP_ISETP, WS_OP_SEL,   WS_OP_S2R};
    Integers maker = {.function = ws_ir_function_new("f"), .random = g_rand_new_with_seed(seed)};
    maker.block = ws_ir_block(maker.function, ws_ir_new_block(maker.function));
    for (guint i = 0; i < 24; i++)
        append_integer(&maker, i < 3 ? WS_OP_MOV : opcodes[below(&maker, G_N_ELEMENTS(opcodes))]);
    for (guint32 r = 0; r < maker.registers; r++) {
        WsInstruction store;
        ws_instruction_init(&store, WS_OP_STG);
        store.mod[WS_MOD_CACHE] = WS_CACHE_STRONG_SYS;
        store.operand[0].value = 16 * r;
        store.operand[1].index = WS_VIRTUAL_BASE + r;
        if (below(&maker, 2) == 0 || r + 1 == maker.registers)
            g_array_append_val(maker.block->instructions, store);
    }
    ws_instruction_init(&maker.block->branch, WS_OP_EXIT);
    maker.block->taken = maker.block->next = WS_IR_NO_BLOCK;
    g_rand_free(maker.random);
    return maker.function;
}

START_TEST(test_integers)
{
    for (guint32 seed = 0; seed < 3000; seed++) {
        WsIrFunction *function = make_integers(seed);
        WsRun before, after;
        ws_run_function(&before, function, LIMIT);
        guint count = ws_ir_block(function, 0)->instructions->len;
        ws_ir_combine(function);
        ws_run_function(&after, function, LIMIT);
        g_autofree char *difference = ws_run_difference(&before, &after);
        ck_assert_msg(difference == NULL, "seed %u: %s", seed, difference);
        ck_assert_uint_le(ws_ir_block(function, 0)->instructions->len, count);
        for (guint i = 0; i < ws_ir_block(function, 0)->instructions->len; i++) {
            WsInstruction instruction = *ws_ir_instruction(ws_ir_block(function, 0), i);
            for (guint n = 0; n < instruction.operand_count; n++)
                if (instruction.operand[n].index >= WS_VIRTUAL_BASE)
                    instruction.operand[n].index = 2;
            g_autofree char *problem = ws_instruction_problem(&instruction);
            ck_assert_msg(problem == NULL, "seed %u, instruction %u: %s", seed, i, problem);
        }
        ws_run_clear(&before);
        ws_run_clear(&after);
        ws_ir_function_free(function);
    }
}
END_TEST

/* Two lives of one register part; so do the words of a pair that nothing reads as one. */
START_TEST(test_webs)
{
    WsIrFunction *function = ws_ir_function_new("f");
    WsIrBlock *block = ws_ir_block(function, ws_ir_new_block(function));
    guint32 r = ws_ir_new_register(function, 2);
    for (guint i = 0; i < 2; i++) {
        WsInstruction move, store;
        ws_instruction_init(&move, WS_OP_MOV);
        move.operand[0].index = r;
        move.operand[0].bank = 1;
        move.operand[1] =
            (WsOperand){.kind = WS_OPERAND_IMMEDIATE, .value = i + 1, .uniform = WS_URZ};
        ws_instruction_init(&store, WS_OP_STS);
        store.operand[1] = move.operand[0];
        g_array_append_val(block->instructions, move);
        g_array_append_val(block->instructions, store);
    }
    ws_instruction_init(&block->branch, WS_OP_EXIT);
    block->taken = block->next = WS_IR_NO_BLOCK;
    ws_split_webs(function);
    ck_assert_uint_eq(function->registers->len, 2);
    for (guint i = 0; i < 2; i++) {
        const WsInstruction *move = ws_ir_instruction(block, 2 * i);
        ck_assert_uint_eq(g_array_index(function->registers, WsIrRegister, i).words, 1);
        ck_assert_uint_eq(move->operand[0].index, WS_VIRTUAL_BASE + i);
        ck_assert_uint_eq(move->operand[0].bank, 0);
        ck_assert_uint_eq(ws_ir_instruction(block, 2 * i + 1)->operand[1].index,
                          WS_VIRTUAL_BASE + i);
    }
    ws_ir_function_free(function);
}
END_TEST

/* Of each kind of reader one: MOV pair, addend of IMAD.WIDE, operand; nothing else is left. */
START_TEST(test_load_constants)
{
    WsIrFunction *function = ws_ir_function_new("f");
    WsIrBlock *block = ws_ir_block(function, ws_ir_new_block(function));
    WsOperand constant = {.kind = WS_OPERAND_CONSTANT, .index = WS_RZ, .uniform = WS_URZ};
    WsInstruction instruction;
    for (guint w = 0; w < 2; w++) {
        ws_instruction_init(&instruction, WS_OP_MOV);
        instruction.operand[0].index = w == 0 ? ws_ir_new_register(function, 2) : WS_VIRTUAL_BASE;
        instruction.operand[0].bank = (guint8)w;
        instruction.operand[1] = constant;
        instruction.operand[1].value = 0x210 + 4 * w;
        g_array_append_val(block->instructions, instruction);
    }
    ws_instruction_init(&instruction, WS_OP_IMAD_WIDE);
    instruction.operand[0].index = ws_ir_new_register(function, 2);
    instruction.operand[4] = constant;
    instruction.operand[4].value = 0x218;
    g_array_append_val(block->instructions, instruction);
    ws_instruction_init(&instruction, WS_OP_IADD3);
    instruction.operand[0].index = ws_ir_new_register(function, 1);
    instruction.operand[4] = constant;
    instruction.operand[4].value = 0x224;
    g_array_append_val(block->instructions, instruction);
    g_array_append_val(block->instructions, instruction);
    ws_instruction_init(&block->branch, WS_OP_EXIT);
    block->taken = block->next = WS_IR_NO_BLOCK;
    ws_load_constants(function);
    static const WsOpcode wanted[] = {WS_OP_LDC,  WS_OP_LDC,   WS_OP_IMAD_WIDE,
                                      WS_OP_ULDC, WS_OP_IADD3, WS_OP_IADD3};
    ck_assert_uint_eq(block->instructions->len, G_N_ELEMENTS(wanted));
    for (guint i = 0; i < G_N_ELEMENTS(wanted); i++)
        ck_assert_uint_eq(ws_ir_instruction(block, i)->opcode, wanted[i]);
    ck_assert_uint_eq(ws_ir_instruction(block, 0)->mod[WS_MOD_WIDTH], WS_WIDTH_64);
    ck_assert_uint_eq(ws_ir_instruction(block, 1)->operand[0].index,
                      ws_ir_instruction(block, 2)->operand[4].index);
    ck_assert_uint_eq(ws_ir_instruction(block, 3)->operand[1].value, 0x224);
    ck_assert_uint_eq(ws_ir_instruction(block, 5)->operand[4].kind, WS_OPERAND_UNIFORM_REGISTER);
    ck_assert_uint_eq(ws_ir_instruction(block, 5)->operand[4].index,
                      ws_ir_instruction(block, 3)->operand[0].index);
    ws_ir_function_free(function);
}
END_TEST

static WsOperand word(guint32 index)
{
    return (WsOperand){.kind = WS_OPERAND_REGISTER, .index = index, .uniform = WS_URZ};
}

/* y = p ? 2 x : x, x not needed any more: a copy and a guarded product; else all stays. */
START_TEST(test_select_in_place)
{
    for (guint needed = 0; needed < 2; needed++) {
        WsIrFunction *function = ws_ir_function_new("f");
        WsIrBlock *block = ws_ir_block(function, ws_ir_new_block(function));
        guint32 x = ws_ir_new_register(function, 1), doubled = ws_ir_new_register(function, 1);
        guint32 y = ws_ir_new_register(function, 1), p = ws_ir_new_predicate(function);
        WsInstruction code[6];
        static const WsOpcode opcodes[] = {WS_OP_S2R,  WS_OP_ISETP, WS_OP_FADD,
                                           WS_OP_FSEL, WS_OP_STG,   WS_OP_STG};
        for (guint i = 0; i < 6; i++)
            ws_instruction_init(&code[i], opcodes[i]);
        code[0].operand[0].index = x;
        code[1].operand[0].index = p;
        code[1].operand[2] = word(x);
        code[2].operand[0].index = doubled;
        code[2].operand[1] = code[2].operand[2] = word(x);
        code[3].operand[0].index = y;
        code[3].operand[1] = word(doubled);
        code[3].operand[2] = word(x);
        code[3].operand[3].index = p;
        code[4].operand[1] = word(y);
        code[5].operand[1] = word(x);
        g_array_append_vals(block->instructions, code, needed ? 6 : 5);
        ws_instruction_init(&block->branch, WS_OP_EXIT);
        block->taken = block->next = WS_IR_NO_BLOCK;
        ws_select_in_place(function);
        const WsInstruction *last = ws_ir_instruction(block, 3);
        ck_assert_uint_eq(last->opcode, needed ? WS_OP_FSEL : WS_OP_FADD);
        ck_assert_uint_eq(ws_ir_instruction(block, 2)->opcode, needed ? WS_OP_FADD : WS_OP_MOV);
        ck_assert_uint_eq(last->guard, needed ? WS_PT : p);
        ck_assert_uint_eq(last->operand[0].index, y);
        if (!needed)
            ck_assert_uint_eq(last->operand[1].index, y);
        ws_ir_function_free(function);
    }
}
END_TEST

/* The second of two equal instructions goes where the first is on all paths to it. */
START_TEST(test_share_subexpressions)
{
    WsIrFunction *function = ws_ir_function_new("f");
    guint32 x = ws_ir_new_register(function, 1), p = ws_ir_new_predicate(function);
    for (guint b = 0; b < 4; b++) {
        WsInstruction add, store;
        guint32 sum = ws_ir_new_register(function, 1);
        WsIrBlock *block = ws_ir_block(function, ws_ir_new_block(function));
        if (b == 0) {
            ws_instruction_init(&add, WS_OP_S2R);
            add.operand[0].index = x;
            g_array_append_val(block->instructions, add);
            ws_instruction_init(&add, WS_OP_ISETP);
            add.operand[0].index = p;
            add.operand[2] = word(x);
            g_array_append_val(block->instructions, add);
            ws_instruction_init(&block->branch, WS_OP_BRA);
            block->branch.guard = p;
            block->taken = 2;
        } else { /* 1 and 2 add on two sides, 3 behind them */
            ws_instruction_init(&add, WS_OP_FADD);
            add.operand[0].index = sum;
            add.operand[1] = word(x);
            ws_instruction_init(&store, WS_OP_STG);
            store.operand[0].value = 16 * b;
            store.operand[1] = word(sum);
            for (guint again = 0; again < 2; again++) {
                g_array_append_val(block->instructions, add);
                g_array_append_val(block->instructions, store);
                add.operand[0].index = ws_ir_new_register(function, 1);
                store.operand[1] = word(add.operand[0].index);
                store.operand[0].value += 8;
            }
            block->taken = WS_IR_NO_BLOCK;
        }
        block->next = b == 0 ? 1 : b == 3 ? WS_IR_NO_BLOCK : 3;
        if (b == 3)
            ws_instruction_init(&block->branch, WS_OP_EXIT);
    }
    ws_share_subexpressions(function);
    for (guint b = 1; b < 4; b++) {
        WsIrBlock *block = ws_ir_block(function, b);
        ck_assert_uint_eq(block->instructions->len, 3);
        ck_assert_uint_eq(ws_ir_instruction(block, 0)->opcode, WS_OP_FADD);
        ck_assert_uint_eq(ws_ir_instruction(block, 2)->operand[1].index,
                          ws_ir_instruction(block, 0)->operand[0].index);
    }
    ws_ir_function_free(function);
}
END_TEST

/* ---- loops ---- */

/* The body runs three times; %r1 counts, and %rd1 points to global memory. */
static void check_loop(const char *body)
{
    g_autofree char *text = g_strdup_printf(
        ".visible .entry k(.param .u64 p)\n{\n.reg .pred %%p<4>; .reg .b32 %%r<9>;"
        " .reg .b64 %%rd<4>; .shared .align 4 .b8 s[64];\n"
        "ld.param.u64 %%rd1, [p]; ld.global.u32 %%r8, [%%rd1+64]; mov.u32 %%r1, 0;\n"
        "LOOP:\nsetp.eq.s32 %%p1, %%r1, 1; setp.ne.s32 %%p2, %%r1, 0;\n%s\n"
        "add.s32 %%r1, %%r1, 1; setp.lt.s32 %%p3, %%r1, 3;\n@%%p3 bra LOOP;\nret;\n}\n",
        body);
    WsCompileOptions options;
    WsRun before, after;
    ws_compile_options_init(&options);
    options.load_constants = TRUE;
    g_autoptr(WsIrModule) module = ws_ptx_to_ir("a.ptx", text, strlen(text), &options, NULL);
    ck_assert_ptr_nonnull(module);
    g_autoptr(WsProgram) program = ws_ir_compile(module, &options, NULL);
    ck_assert_ptr_nonnull(program);
    ws_run_function(&before, module->functions->pdata[0], LIMIT);
    ws_run_kernel(&after, program, &program->kernels[0], LIMIT);
    g_autofree char *difference = ws_run_difference(&before, &after);
    ck_assert(before.ended);
    ck_assert_uint_gt(before.trace->len, 2);
    ck_assert_msg(difference == NULL, "%s: %s", body, difference);
    ws_run_clear(&before);
    ws_run_clear(&after);
}

/*
 * Eight loads at once and a sum of all, with bounds that cannot be met: ptxas 13.0 ignores the
 * blocks asked for ("out of range", "ignored when neither .maxntid nor .reqntid is specified").
 * Eight registers a thread are what the first three would leave.
 */
START_TEST(test_impossible_bounds)
{
    static const struct {
        const char *bounds;
        guint least, most; /* registers */
    } rows[] = {
        {".maxntid 1024 .minnctapersm 8", 9, 32},
        {".maxntid 1024 .minnctapersm 32", 9, 32},
        {".minnctapersm 8", 9, 32},
        {".maxntid 1024 .minnctapersm 2", 9, 32},
        {"", 9, 32},
    };
    WsCompileOptions options;
    ws_compile_options_init(&options);
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GString) text = g_string_new(".visible .entry k(.param .u64 p) ");
        g_string_append_printf(text,
                               "%s\n{ .reg .u64 %%rd<2>; .reg .u32 %%r<10>;\n"
                               "ld.param.u64 %%rd1, [p];\n",
                               rows[i].bounds);
        for (guint n = 1; n <= 8; n++)
            g_string_append_printf(text, "ld.global.u32 %%r%u, [%%rd1+%u];\n", n, 64 * n);
        g_string_append(text, "mov.u32 %r9, 1;\n");
        for (guint n = 1; n <= 8; n++)
            g_string_append_printf(text, "mad.lo.u32 %%r9, %%r9, %%r%u, %%r%u;\n", n, 9 - n);
        g_string_append(text, "st.global.u32 [%rd1], %r9; ret; }\n");
        g_autoptr(WsIrModule) module = ws_ptx_to_ir("a.ptx", text->str, text->len, &options, NULL);
        ck_assert_ptr_nonnull(module);
        g_autoptr(WsProgram) program = ws_ir_compile(module, &options, NULL);
        ck_assert_ptr_nonnull(program);
        guint registers = program->kernels[0].registers;
        ck_assert_msg(registers >= rows[i].least && registers <= rows[i].most, "%s: %u registers",
                      rows[i].bounds, registers);
    }
}
END_TEST

/*
 * A sum of 64 bits and one that waits for it have one predicate for their carries, two that do not
 * wait for each other have two: as ptxas 13.0 for sm_90.
 */
START_TEST(test_carries)
{
    static const struct {
        const char *second;
        gboolean shared;
    } rows[] = {{"add.s64 %rd3, %rd2, %rd4;", TRUE}, {"add.s64 %rd3, %rd1, 77;", FALSE}};
    WsCompileOptions options;
    ws_compile_options_init(&options);
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *text = g_strdup_printf(
            ".visible .entry k() { .reg .b64 %%rd<5>; .shared .align 8 .b64 s[4];\n"
            "ld.volatile.shared.u64 %%rd4, [s+8]; ld.volatile.shared.u64 %%rd1, [s];\n"
            "add.s64 %%rd2, %%rd1, %%rd4; %s xor.b64 %%rd2, %%rd2, %%rd3;\n"
            "st.volatile.shared.u64 [s], %%rd2; st.volatile.shared.u64 [s+16], %%rd3; ret; }\n",
            rows[i].second);
        g_autoptr(WsIrModule) module = ws_ptx_to_ir("a.ptx", text, strlen(text), &options, NULL);
        ck_assert_ptr_nonnull(module);
        g_autoptr(WsProgram) program = ws_ir_compile(module, &options, NULL);
        ck_assert_ptr_nonnull(program);
        guint32 carry[2] = {0};
        guint count = 0;
        for (guint32 n = 0; n < program->instruction_count; n++) {
            const WsInstruction *instruction = &program->instructions[n];
            if (instruction->opcode == WS_OP_IADD3 && instruction->operand[1].index != WS_PT &&
                count < 2)
                carry[count++] = instruction->operand[1].index;
        }
        ck_assert_uint_eq(count, 2);
        ck_assert_msg((carry[0] == carry[1]) == rows[i].shared, "%s", rows[i].second);
    }
}
END_TEST

/* What an earlier trip left, or a later instruction replaces, is not made in one place. */
START_TEST(test_loops)
{
    /* The same sum before and behind a reader. */
    check_loop("ld.volatile.global.u32 %r2, [%rd1]; add.s32 %r3, %r2, %r8;\n"
               "@%p2 st.volatile.global.u32 [%rd1+4], %r4; add.s32 %r4, %r2, %r8;\n"
               "st.volatile.global.u32 [%rd1+8], %r3; st.volatile.global.u32 [%rd1], %r1;");
    /* An address of shared memory in one trip, another one in the next. */
    check_loop("mov.u32 %r2, s; @%p1 mov.u32 %r2, %r8; st.volatile.global.u32 [%rd1], %r2;");
}
END_TEST

static void check_shape(const WsRandomShape *shape, guint seeds, guint cap)
{
    for (guint variant = 0; variant < 4; variant++) {
        WsCompileOptions options;
        ws_compile_options_init(&options);
        options.max_registers = cap;
        options.if_convert = variant & 1;
        options.schedule = variant >> 1;
        options.load_constants = options.schedule;
        for (guint32 seed = more ? seeds / 4 : 0; seed < (more ? seeds : seeds / 4); seed++)
            check_seed(1000 * variant + seed, shape, &options);
    }
}

START_TEST(test_straight_line)
{
    check_shape(&(WsRandomShape){.blocks = 2, .registers = 10, .predicates = 4, .instructions = 30},
                60, 0);
}
END_TEST

START_TEST(test_branches)
{
    check_shape(
        &(WsRandomShape){
            .blocks = 14, .registers = 14, .predicates = 5, .instructions = 6, .back_edges = TRUE},
        150, 0);
}
END_TEST

START_TEST(test_spills)
{
    check_shape(
        &(WsRandomShape){
            .blocks = 8, .registers = 40, .predicates = 14, .instructions = 10, .back_edges = TRUE},
        60, 24);
}
END_TEST

START_TEST(test_short_blocks)
{
    check_shape(
        &(WsRandomShape){
            .blocks = 40, .registers = 6, .predicates = 3, .instructions = 2, .back_edges = TRUE},
        100, 0);
}
END_TEST

static void add_random_functions(TCase *tests)
{
    tcase_set_timeout(tests, 100);
    tcase_add_test(tests, test_straight_line);
    tcase_add_test(tests, test_branches);
    tcase_add_test(tests, test_spills);
    tcase_add_test(tests, test_short_blocks);
}

static void add_tests(TCase *tests)
{
    add_random_functions(tests);
    tcase_add_test(tests, test_single_passes);
    tcase_add_test(tests, test_integers);
    tcase_add_test(tests, test_webs);
    tcase_add_test(tests, test_load_constants);
    tcase_add_test(tests, test_select_in_place);
    tcase_add_test(tests, test_share_subexpressions);
    tcase_add_test(tests, test_impossible_bounds);
    tcase_add_test(tests, test_carries);
    tcase_add_test(tests, test_loops);
}

int main(int argc, char **argv)
{
    more = argc > 1 && g_str_equal(argv[1], "more");
    return run_suite("code_generation", more ? add_random_functions : add_tests);
}
