/* What a program says of itself: its constructs and kernels, what its code uses, what code is
 * refused. */
#include <string.h>

#include "isa/bytecode/code_target.h"
#include "isa/bytecode/instruction_check.h"
#include "isa/bytecode/opcode.h"
#include "isa/text/assembler.h"
#include "tests/support/suite.h"

static WsInstruction assemble(const char *text)
{
    WsInstruction instruction;
    GError *error = NULL;

    if (!ws_assemble_instruction(text, &instruction, &error))
        ck_abort_msg("%s: %s", text, error->message);
    return instruction;
}

/* A program of one instruction, which comes from construct 3. */
static WsProgram *program_of(const char *text)
{
    static const WsConstruct constructs[] = {
        {.kind = WS_CONSTRUCT_NONE},
        {.kind = WS_CONSTRUCT_WHILE},
        {.kind = WS_CONSTRUCT_ROUND, .parent = 1},
        {.kind = WS_CONSTRUCT_IF},
    };
    WsProgram *program = ws_program_new();

    ws_constructs_free(program->constructs, program->construct_count);
    program->constructs = g_memdup2(constructs, sizeof constructs);
    program->construct_count = G_N_ELEMENTS(constructs);
    program->locations = g_renew(WsLocation, program->locations, 2);
    program->location_count = 2;
    program->locations[1] = (WsLocation){.construct = 3};
    program->instructions = g_new0(WsInstruction, 1);
    program->instructions[0] = assemble(text);
    program->instructions[0].location = 1;
    program->instruction_count = 1;
    return program;
}

/* Lanes part and meet at these alone; at the others a location is one of what they compute. */
static const struct {
    const char *instruction;
    guint32 construct;
    const char *text; /* or NULL */
} belongs[] = {
    {"@P0 BRA 0x40", 3, "if"},  {"BRX R2, 0x0", 3, "if"},        {"@P0 EXIT", 3, "if"},
    {"BSSY B0, 0x40", 3, "if"}, {"BSYNC B0", 3, "end of if"},    {"MOV R0, R1", 0, NULL},
    {"BAR.SYNC 0", 0, NULL},    {"ISETP.GE P0, R0, 1", 0, NULL},
};

START_TEST(constructs)
{
    g_autoptr(WsProgram) program = program_of(belongs[_i].instruction);
    g_autofree char *text = ws_program_construct_text(program, 0);

    ck_assert_uint_eq(ws_program_construct(program, 0), belongs[_i].construct);
    ck_assert_msg(g_strcmp0(text, belongs[_i].text) == 0, "%s: %s", belongs[_i].instruction, text);
}
END_TEST

START_TEST(construct_names)
{
    static const struct {
        WsConstruct construct;
        const char *name;
        gboolean loop, sides;
    } rows[] = {
        {{.kind = WS_CONSTRUCT_NONE}, "", FALSE, FALSE},
        {{.kind = WS_CONSTRUCT_IF}, "if", FALSE, TRUE},
        {{.kind = WS_CONSTRUCT_FOR}, "for", TRUE, FALSE},
        {{.kind = WS_CONSTRUCT_WHILE}, "while", TRUE, FALSE},
        {{.kind = WS_CONSTRUCT_DO}, "do", TRUE, FALSE},
        {{.kind = WS_CONSTRUCT_SWITCH}, "switch", FALSE, TRUE},
        {{.kind = WS_CONSTRUCT_CONDITIONAL}, "?:", FALSE, TRUE},
        {{.kind = WS_CONSTRUCT_AND}, "&&", FALSE, FALSE},
        {{.kind = WS_CONSTRUCT_OR}, "||", FALSE, FALSE},
        {{.kind = WS_CONSTRUCT_MACRO, .name = (char *)"CLAMP"}, "CLAMP", FALSE, FALSE},
        {{.kind = WS_CONSTRUCT_FUNCTION, .name = (char *)"f"}, "f()", FALSE, FALSE},
        {{.kind = WS_CONSTRUCT_ROUND, .parent = 2}, "iteration of the for", FALSE, FALSE},
        {{.kind = WS_CONSTRUCT_REST, .parent = 11},
         "common tail of the iteration of the for",
         FALSE,
         FALSE},
        {{.kind = WS_CONSTRUCT_OPERATION, .name = (char *)"div"}, "div", FALSE, FALSE},
    };
    WsConstruct list[G_N_ELEMENTS(rows)];

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
        list[i] = rows[i].construct;
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *name = ws_construct_name(list, i);
        ck_assert_str_eq(name, rows[i].name);
        ck_assert_int_eq(ws_construct_is_loop(list[i].kind), rows[i].loop);
        ck_assert_int_eq(ws_construct_has_sides(list[i].kind), rows[i].sides);
    }
}
END_TEST

/* A kernel's code asks for registers, barriers and dynamic shared memory. */
static const struct {
    const char *instruction;
    guint32 registers, barriers;
    gboolean dynamic, lanes;
} uses[] = {
    {"NOP", 1, 0, FALSE, FALSE},
    {"MOV R7, RZ", 8, 0, FALSE, FALSE},
    {"MOV R3, R9", 10, 0, FALSE, FALSE},
    {"DADD R4, R6, R10", 12, 0, FALSE, FALSE},
    {"LDG.E.128 R8, [R2]", 12, 0, FALSE, FALSE},
    {"LDG.E R1, [R6]", 8, 0, FALSE, FALSE},
    {"R2UR UR20, R0", 1, 0, FALSE, FALSE},
    {"@P5 EXIT", 1, 0, FALSE, FALSE},
    {"BAR.SYNC 0", 1, 1, FALSE, FALSE},
    {"BAR.SYNC 7, 64", 1, 8, FALSE, FALSE},
    {"BAR.SYNC 15", 1, 16, FALSE, FALSE},
    {"BAR.SYNC R2", 3, 16, FALSE, FALSE},
    {"BAR.SYNC RZ", 1, 1, FALSE, FALSE},
    {"SHFL.BFLY R1, R1, 1, 0x1f", 2, 0, FALSE, TRUE},
    {"VOTE.ANY R1, P0", 2, 0, FALSE, TRUE},
    {"S2R R0, SR_LANEID", 1, 0, FALSE, FALSE},
    {"S2R R0, SR_TID.X", 1, 0, FALSE, FALSE},
    {"S2R R0, SR_DYNAMICSHARED", 1, 0, TRUE, FALSE},
};

START_TEST(code_uses)
{
    g_autoptr(WsProgram) program = program_of(uses[_i].instruction);
    WsKernel kernel = {.count = 1, .registers = 99, .barriers = 9};

    ws_kernel_scan_code(program, &kernel);
    ck_assert_msg(kernel.registers == uses[_i].registers, "%s: %u registers", uses[_i].instruction,
                  kernel.registers);
    ck_assert_msg(kernel.barriers == uses[_i].barriers, "%s: %u barriers", uses[_i].instruction,
                  kernel.barriers);
    ck_assert_msg(kernel.uses_dynamic_shared == uses[_i].dynamic, "%s", uses[_i].instruction);
    ck_assert_msg(kernel.names_lanes == uses[_i].lanes, "%s", uses[_i].instruction);
}
END_TEST

/* Behind the other local memory, in units of 16 bytes, up to what a thread may have. */
START_TEST(stacks)
{
    static const struct {
        guint32 local, stack, wanted, ret_local, ret_stack;
    } rows[] = {
        {0, 0, 1024, 1024, 1024},
        {20, 0, 64, 96, 64},
        {32, 0, 64, 96, 64},
        {96, 64, 16, 48, 16},
        {96, 64, 30, 48, 16},
        {8, 0, 0, 16, 0},
        {WS_MAX_LOCAL_BYTES - 32, 0, 64, WS_MAX_LOCAL_BYTES, 32},
        {WS_MAX_LOCAL_BYTES, 0, 64, WS_MAX_LOCAL_BYTES, 0},
    };

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        WsKernel kernel = {.local_bytes = rows[i].local, .stack_bytes = rows[i].stack};
        ws_kernel_set_stack(&kernel, rows[i].wanted);
        ck_assert_msg(kernel.local_bytes == rows[i].ret_local, "row %u: %u", i, kernel.local_bytes);
        ck_assert_msg(kernel.stack_bytes == rows[i].ret_stack, "row %u: %u", i, kernel.stack_bytes);
    }
}
END_TEST

/* The kernel that a name fits best; none where several fit as well, or the best was refused. */
START_TEST(kernels_by_name)
{
    WsKernel kernels[] = {
        {.name = (char *)"_Z4axpyIfEvPT_", .display_name = (char *)"axpy<float>"},
        {.name = (char *)"_Z4axpyIdEvPT_", .display_name = (char *)"axpy<double>"},
        {.name = (char *)"_Z4scalPf", .display_name = (char *)"scal"},
        {.name = (char *)"_Z4scalPd", .display_name = (char *)"scal"},
        {.name = (char *)"dot", .display_name = (char *)"dot"},
    };
    WsRefusedKernel refused[] = {{.name = (char *)"_Z4gemmPf", .display_name = (char *)"gemm"},
                                 {.name = (char *)"norm", .display_name = NULL}};
    static const struct {
        const char *name;
        gint kernel, refused; /* -1: none */
    } rows[] = {
        {"dot", 4, -1},       {"axpy<float>", 0, -1}, {"axpy<double>", 1, -1},   {"axpy", -1, -1},
        {"scal", -1, -1},     {"_Z4scalPd", 3, -1},   {"_Z4axpyIfEvPT_", 0, -1}, {"gemm", -1, 0},
        {"_Z4gemmPf", -1, 0}, {"norm", -1, 1},        {"nothing", -1, -1}};
    const WsProgram program = {.kernels = kernels,
                               .kernel_count = G_N_ELEMENTS(kernels),
                               .refused = refused,
                               .refused_count = G_N_ELEMENTS(refused)};

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        const WsKernel *kernel = ws_program_find_kernel(&program, rows[i].name);
        const WsRefusedKernel *other = ws_program_find_refused(&program, rows[i].name);
        ck_assert_msg(kernel == (rows[i].kernel < 0 ? NULL : &kernels[rows[i].kernel]), "%s",
                      rows[i].name);
        ck_assert_msg(other == (rows[i].refused < 0 ? NULL : &refused[rows[i].refused]), "%s",
                      rows[i].name);
    }
    g_autoptr(GHashTable) shared = ws_program_shared_names(&program);
    ck_assert_uint_eq(g_hash_table_size(shared), 1);
    for (guint i = 0; i < G_N_ELEMENTS(kernels); i++)
        ck_assert_msg(ws_kernel_shows_mangled(&kernels[i], shared) == (i < 4), "kernel %u", i);
}
END_TEST

START_TEST(symbols_by_name)
{
    WsSymbol symbols[] = {{.name = (char *)"counter"}, {.name = (char *)"table"}};
    const WsProgram program = {.symbols = symbols, .symbol_count = G_N_ELEMENTS(symbols)};

    ck_assert_ptr_eq(ws_program_find_symbol(&program, "table"), &symbols[1]);
    ck_assert_ptr_eq(ws_program_find_symbol(&program, "counter"), &symbols[0]);
    ck_assert_ptr_null(ws_program_find_symbol(&program, "tables"));
}
END_TEST

START_TEST(types)
{
    static const struct {
        const char *name;
        guint size;
    } rows[] = {{"s8", 1},  {"u8", 1},  {"s16", 2}, {"u16", 2},  {"s32", 4},   {"u32", 4},
                {"s64", 8}, {"u64", 8}, {"f16", 2}, {"bf16", 2}, {"f32", 4},   {"f64", 8},
                {"b8", 1},  {"b16", 2}, {"b32", 4}, {"b64", 8},  {"bytes", 0}, {"texref", 8}};
    WsType type;

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        ck_assert_msg(ws_type_by_name(rows[i].name, &type), "%s", rows[i].name);
        ck_assert_str_eq(ws_type_name(type), rows[i].name);
        ck_assert_msg(ws_type_size(type) == rows[i].size, "%s", rows[i].name);
    }
    ck_assert(!ws_type_by_name("f31", &type));
}
END_TEST

/* ---- code that is refused, by its meaning ---- */

static const struct {
    const char *base; /* an instruction, of which one operand is changed */
    guint n;
    WsOperand operand;
    const char *problem; /* NULL: none */
} wrong_operands[] = {
    {"MOV R0, R1",
     1,
     {.kind = WS_OPERAND_PREDICATE, .index = 1},
     "MOV, operand 2: wrong kind of operand"},
    {"MOV R0, R1", 0, {.kind = WS_OPERAND_IMMEDIATE}, "MOV, operand 1: wrong kind of operand"},
    {"MOV R0, R1", 1, {.kind = WS_OPERAND_UNIFORM_REGISTER, .index = 3}, NULL},
    {"MOV R0, R1", 0, {.kind = WS_OPERAND_REGISTER, .index = WS_RZ}, NULL},
    {"MOV R0, R1",
     0,
     {.kind = WS_OPERAND_REGISTER, .index = WS_RZ + 1},
     "MOV, operand 1: number 256 is too large (at most 255)"},
    {"MOV R0, R1",
     1,
     {.kind = WS_OPERAND_REGISTER, .index = 1, .flags = WS_OPERAND_ABSOLUTE},
     "MOV, operand 2: this operand takes no such sign or mark"},
    {"MOV R0, R1", 1, {.kind = WS_OPERAND_REGISTER, .index = 1, .flags = WS_OPERAND_REUSE}, NULL},
    {"FADD R0, R1, R2",
     2,
     {.kind = WS_OPERAND_CONSTANT, .uniform = WS_URZ, .bank = WS_CONSTANT_BANKS, .index = WS_RZ},
     "FADD, operand 3: there is no constant bank 4 (0 to 3)"},
    {"FADD R0, R1, R2",
     2,
     {.kind = WS_OPERAND_CONSTANT,
      .uniform = WS_URZ,
      .value = WS_CONSTANT_BANK_BYTES,
      .index = WS_RZ},
     "FADD, operand 3: constant offset 65536 is past the bank"},
    {"FADD R0, R1, R2",
     2,
     {.kind = WS_OPERAND_CONSTANT, .uniform = WS_URZ, .value = 4, .index = 2},
     "FADD, operand 3: only LDC and ULDC take a constant with an index register"},
    {"FADD R0, R1, R2",
     2,
     {.kind = WS_OPERAND_CONSTANT, .uniform = WS_URZ, .value = 6, .index = WS_RZ},
     "FADD, operand 3: constant offset 0x6 is not a multiple of 4"},
    {"DADD R0, R2, R4",
     2,
     {.kind = WS_OPERAND_CONSTANT, .uniform = WS_URZ, .value = 4, .index = WS_RZ},
     "DADD, operand 3: constant offset 0x4 is not a multiple of 8"},
    {"DADD R0, R2, R4",
     1,
     {.kind = WS_OPERAND_REGISTER, .index = 3},
     "DADD, operand 2: a value of 2 words needs a register number that is a multiple of 2, not 3"},
    {"DADD R0, R2, R4",
     1,
     {.kind = WS_OPERAND_REGISTER, .index = 254},
     "DADD, operand 2: 2 words from register 254 are too many"},
    {"DADD R0, R2, R4", 1, {.kind = WS_OPERAND_REGISTER, .index = 252}, NULL},
    {"DADD R0, R2, R4", 1, {.kind = WS_OPERAND_REGISTER, .index = WS_RZ}, NULL},
    {"LDG.E R0, [R2]",
     1,
     {.kind = WS_OPERAND_ADDRESS, .index = 2, .uniform = WS_URZ, .value = 0x7fffff},
     NULL},
    {"LDG.E R0, [R2]",
     1,
     {.kind = WS_OPERAND_ADDRESS, .index = 2, .uniform = WS_URZ, .value = 0x800000},
     "LDG, operand 2: offset 8388608 does not fit 24 bits"},
    {"LDG.E R0, [R2]",
     1,
     {.kind = WS_OPERAND_ADDRESS, .index = 2, .uniform = WS_URZ, .value = (guint32)-0x800001},
     "LDG, operand 2: offset -8388609 does not fit 24 bits"},
    {"LDG.E R0, [R2]",
     1,
     {.kind = WS_OPERAND_ADDRESS, .index = 2, .uniform = WS_URZ + 1},
     "LDG, operand 2: there is no uniform register 64"},
    {"S2R R0, SR_TID.X",
     1,
     {.kind = WS_OPERAND_SPECIAL, .value = WS_SR_COUNT},
     "S2R, operand 2: there is no such special register"},
    {"BAR.SYNC 0", 2, {.kind = WS_OPERAND_IMMEDIATE, .value = 15}, NULL},
    {"BAR.SYNC 0",
     2,
     {.kind = WS_OPERAND_IMMEDIATE, .value = 16},
     "there is no barrier 16 (0 to 15)"},
    {"BAR.SYNC 0", 3, {.kind = WS_OPERAND_IMMEDIATE, .value = 1024}, NULL},
    {"BAR.SYNC 0",
     3,
     {.kind = WS_OPERAND_IMMEDIATE, .value = 1025},
     "a barrier for 1025 threads never completes (at most 1024)"},
    {"BAR.SYNC 0",
     0,
     {.kind = WS_OPERAND_REGISTER, .index = 3},
     "BAR does not exist with these modifiers"},
};

START_TEST(problems_of_operands)
{
    WsInstruction instruction = assemble(wrong_operands[_i].base);

    instruction.operand[wrong_operands[_i].n] = wrong_operands[_i].operand;
    g_autofree char *problem = ws_instruction_problem(&instruction);
    ck_assert_msg(g_strcmp0(problem, wrong_operands[_i].problem) == 0, "%s: %s",
                  wrong_operands[_i].base, problem ? problem : "nothing");
}
END_TEST

static const struct {
    WsControl control;
    gboolean good;
} controls[] = {
    {{.stall = 15, .yield = 1, .wait_mask = 63, .write_barrier = 5, .read_barrier = 5}, TRUE},
    {{.stall = 1, .write_barrier = 7, .read_barrier = 7}, TRUE},
    {{.stall = 16, .write_barrier = 7, .read_barrier = 7}, FALSE},
    {{.yield = 2, .write_barrier = 7, .read_barrier = 7}, FALSE},
    {{.wait_mask = 64, .write_barrier = 7, .read_barrier = 7}, FALSE},
    {{.write_barrier = 6, .read_barrier = 7}, FALSE},
    {{.write_barrier = 7, .read_barrier = 6}, FALSE},
    {{.write_barrier = 8, .read_barrier = 7}, FALSE},
};

/* Guards, control fields, modifiers and the number of operands. */
START_TEST(problems_of_fields)
{
    WsInstruction instruction = assemble("MOV R0, R1");

    for (guint i = 0; i < G_N_ELEMENTS(controls); i++) {
        instruction.control = controls[i].control;
        g_autofree char *problem = ws_instruction_problem(&instruction);
        ck_assert_msg((problem == NULL) == controls[i].good, "row %u: %s", i, problem);
    }
    instruction = assemble("MOV R0, R1");
    instruction.guard = WS_GUARD_UNIFORM + WS_PT;
    g_autofree char *guard = ws_instruction_problem(&instruction);
    ck_assert_str_eq(guard, "the guard is not a predicate P0..P6, UP0..UP6 or PT");
    instruction = assemble("MOV R0, R1");
    instruction.operand_count = 1;
    g_autofree char *count = ws_instruction_problem(&instruction);
    ck_assert_str_eq(count, "MOV has 2 operands, not 1");
    instruction = assemble("MOV R0, R1");
    instruction.mod[WS_MOD_FTZ] = 1;
    g_autofree char *modifier = ws_instruction_problem(&instruction);
    ck_assert_str_eq(modifier, "MOV takes no modifier .FTZ");
    instruction = assemble("FADD R0, R1, R2");
    instruction.mod[WS_MOD_FTZ] = 2;
    g_autofree char *range = ws_instruction_problem(&instruction);
    ck_assert_str_eq(range, "FADD has a modifier out of range");
    instruction.opcode = WS_OP_COUNT;
    g_autofree char *opcode = ws_instruction_problem(&instruction);
    ck_assert(g_str_has_prefix(opcode, "there is no opcode "));
}
END_TEST

/* Each group that a row has is bounded, each other one is refused. */
START_TEST(problems_of_modifiers)
{
    const WsOpcodeInfo *info = ws_opcode_info((guint)_i);

    for (guint group = 0; group < WS_MOD_COUNT; group++) {
        WsInstruction instruction;
        gboolean in_row = FALSE;
        ws_instruction_init(&instruction, (WsOpcode)_i);
        for (guint m = 0; m < info->modifier_count; m++)
            in_row = in_row || info->modifiers[m] == group;
        instruction.mod[group] = in_row ? (guint8)ws_modifier_count(group) : 1;
        g_autofree char *problem = ws_instruction_unencodable(&instruction);
        g_autofree char *expected = g_strdup_printf(
            in_row ? "%s has a modifier out of range" : "%s takes no modifier .", info->mnemonic);
        ck_assert_msg(problem != NULL && g_str_has_prefix(problem, expected), "%s, group %u: %s",
                      info->mnemonic, group, problem ? problem : "nothing");
    }
}
END_TEST

/* What an instruction copies, in whichever way it is written. */
static const struct {
    const char *instruction;
    gint operand; /* -1: it is no copy */
} copies[] = {
    {"MOV R0, R1", 1},           {"MOV R0, 5", 1},
    {"IMAD R0, RZ, RZ, R5", 3},  {"IMAD R0, R1, RZ, R5", -1},
    {"IMAD R0, RZ, R1, R5", -1}, {"IADD3 R0, R1, RZ, RZ", -1},
    {"FADD R0, R1, RZ", -1},     {"S2R R0, SR_TID.X", -1},
};

START_TEST(copied_operands)
{
    const WsInstruction instruction = assemble(copies[_i].instruction);
    const WsOperand *copied = ws_copied_operand(&instruction);

    ck_assert_msg(copied ==
                      (copies[_i].operand < 0 ? NULL : &instruction.operand[copies[_i].operand]),
                  "%s", copies[_i].instruction);
}
END_TEST

/* ---- the machine that code is made for ---- */

/* The stall counts from a result to its use begin `late`; the high word of a product comes later.
 */
START_TEST(distances)
{
    static WsCodeTarget target;
    const WsInstruction product = assemble("IMAD.WIDE R2, R0, R1, R4");
    const WsClass k = ws_instruction_class(&product);

    target.use[k][WS_PIPE_ALU] = 6;
    target.use[k][WS_RELATION_ADDRESS] = 2;
    target.high_later[k] = 2;
    target.late[k] = 3;
    ck_assert_uint_eq(ws_code_target_distance(&target, &product, TRUE, WS_PIPE_ALU), 3);
    ck_assert_uint_eq(ws_code_target_distance(&target, &product, FALSE, WS_PIPE_ALU), 5);
    ck_assert_uint_eq(ws_code_target_distance(&target, &product, TRUE, WS_RELATION_ADDRESS), 0);
    ck_assert_uint_eq(ws_code_target_distance(&target, &product, FALSE, WS_RELATION_ADDRESS), 1);
}
END_TEST

/* Of the uses that another block may make: of a register, or of a predicate. */
START_TEST(longest_distances)
{
    static const struct {
        guint relation;
        gboolean of_register, of_predicate;
    } rows[] = {{WS_PIPE_FMA, TRUE, TRUE},
                {WS_PIPE_CONTROL, TRUE, TRUE},
                {WS_RELATION_PREDICATE, FALSE, TRUE},
                {WS_RELATION_BRANCH, FALSE, TRUE},
                {WS_RELATION_ADDRESS, TRUE, TRUE},
                {WS_RELATION_ADDEND, TRUE, TRUE},
                {WS_RELATION_FACTOR, FALSE, TRUE},
                {WS_RELATION_APART, FALSE, FALSE},
                {WS_RELATION_JOIN, FALSE, FALSE},
                {WS_RELATION_DONE, FALSE, FALSE}};
    const WsInstruction producer = assemble("MOV R0, R1");
    const WsClass k = ws_instruction_class(&producer);

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree WsCodeTarget *target = g_new0(WsCodeTarget, 1);
        target->use[k][rows[i].relation] = 9;
        ck_assert_msg(ws_code_target_longest(target, &producer, TRUE, FALSE) ==
                          (rows[i].of_register ? 9 : 0),
                      "row %u", i);
        ck_assert_msg(ws_code_target_longest(target, &producer, TRUE, TRUE) ==
                          (rows[i].of_predicate ? 9 : 0),
                      "row %u", i);
    }
}
END_TEST

static const struct {
    const char *instruction;
    gint addend; /* operand, -1 = none */
    guint relation;
} predicates[] = {
    {"IMAD R0, R1, R2, R3", 3, WS_PIPE_FMA},
    {"IMAD.WIDE R0, R2, R3, R4", 4, WS_PIPE_FMA},
    {"FFMA R0, R1, R2, R3", -1, WS_PIPE_FMA},
    {"IADD3 R0, R1, R2, R3", -1, WS_RELATION_PREDICATE},
    {"SEL R0, R1, R2, P0", -1, WS_RELATION_PREDICATE},
    {"BRA 0x40", -1, WS_RELATION_BRANCH},
    {"EXIT", -1, WS_RELATION_BRANCH},
};

START_TEST(uses_of_predicates_and_addends)
{
    const WsInstruction instruction = assemble(predicates[_i].instruction);

    ck_assert_msg(ws_predicate_relation(&instruction) == predicates[_i].relation, "%s: %u",
                  predicates[_i].instruction, ws_predicate_relation(&instruction));
    for (guint n = 0; n < instruction.operand_count; n++)
        ck_assert_msg(ws_is_addend(&instruction, n) == ((gint)n == predicates[_i].addend),
                      "%s, operand %u", predicates[_i].instruction, n);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, constructs, 0, G_N_ELEMENTS(belongs));
    tcase_add_test(cases, construct_names);
    tcase_add_loop_test(cases, code_uses, 0, G_N_ELEMENTS(uses));
    tcase_add_test(cases, stacks);
    tcase_add_test(cases, kernels_by_name);
    tcase_add_test(cases, symbols_by_name);
    tcase_add_test(cases, types);
    tcase_add_loop_test(cases, problems_of_operands, 0, G_N_ELEMENTS(wrong_operands));
    tcase_add_test(cases, problems_of_fields);
    tcase_add_loop_test(cases, problems_of_modifiers, 0, WS_OP_COUNT);
    tcase_add_loop_test(cases, copied_operands, 0, G_N_ELEMENTS(copies));
    tcase_add_test(cases, distances);
    tcase_add_test(cases, longest_distances);
    tcase_add_loop_test(cases, uses_of_predicates_and_addends, 0, G_N_ELEMENTS(predicates));
}

int main(void)
{
    return run_suite("program", add_tests);
}
