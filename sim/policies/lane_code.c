/* Makes the steps of lane_code.h. */
#include "sim/policies/lane_code.h"

#include "isa/bytecode/opcode.h"
#include "sim/lanes/memory_operation.h"

enum {
    TRUE_PREDICATE = WS_PT,
    FALSE_PREDICATE = WS_PT + 8,
    SINK_CELLS = 4,   /* behind the registers: what is dropped */
    BEYOND_CELLS = 4, /* behind all: words that a body is given and does not use */
    MOST_STEPS = 3    /* of an instruction */
};

/* Rows of the scratch registers: lane_run.c. */
static const gint16 scratch_a = 0, scratch_b = 2, scratch_c = 4, scratch_d = 6;

gboolean ws_lane_can_run(const WsDecoded *instruction)
{
    if (instruction->kind == WS_KIND_MEMORY)
        return instruction->operation.space != WS_SPACE_SHARED;
    return instruction->kind != WS_KIND_BARRIER && instruction->kind != WS_KIND_MATRIX &&
           instruction->kind != WS_KIND_SYSTEM && !ws_kind_is_memory(instruction->kind);
}

/* ---- cells --------------------------------------------------------------------------------------
 */

static guint16 source_cell(const WsLaneCode *code, gint row)
{
    const WsDecodedProgram *decoded = code->decoded;

    if (row < 0)
        return (guint16)(code->uniforms + WS_URZ + 2 + (guint)~row);
    if (row >= WS_ROW_UNIFORM)
        return (guint16)(code->uniforms + (guint)row - WS_ROW_UNIFORM);
    for (guint i = 0; i <= WS_URZ && row >= (gint)decoded->kernel->registers; i++)
        if (decoded->uniform_row[i] == row)
            return (guint16)(code->uniforms + i);
    return (guint16)row;
}

static gboolean writes_uniform(const WsDecoded *instruction)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);

    return instruction->kind == WS_KIND_LANES && info->operand_count != 0 &&
           info->slots[0] == WS_SLOT_Ud;
}

static guint16 destination_cell(const WsLaneCode *code, const WsDecoded *instruction)
{
    if (instruction->d < 0)
        return (guint16)code->registers;
    return (guint16)(writes_uniform(instruction) ? code->uniforms + (guint)instruction->d
                                                 : (guint)instruction->d);
}

/* ---- instructions of lanes ----------------------------------------------------------------------
 */

static gboolean has_sign(const WsDecoded *instruction)
{
    return (instruction->flags & 0x3f) != 0;
}

/* The sum of words whose carries nobody wants. */
static WsStepKind plain_sum(const WsDecoded *instruction)
{
    enum { MINUS_B = 1 << 2 };
    guint signs = instruction->flags & 0x3f;
    gboolean two = instruction->c == -1;

    if (signs == 0)
        return two ? WS_STEP_ADD : WS_STEP_ADD3;
    return two && signs == MINUS_B ? WS_STEP_SUBTRACT : WS_STEP_BODY;
}

/* Sums with carries: a minus is a complement, and one more without .X. */
static void carry_sum(const WsDecoded *instruction, WsStep *step)
{
    guint signs = instruction->flags & 0x3f;
    guint minuses = (signs & 1) + (signs >> 2 & 1) + (signs >> 4 & 1);
    gboolean extended = ws_decoded_modifier(instruction, EXTENDED);

    step->kind = WS_STEP_ADD_CARRY;
    step->p = extended ? instruction->predicate_in & 15 : FALSE_PREDICATE;
    step->q = extended ? instruction->predicate_in >> 4 : FALSE_PREDICATE;
    step->k = (signs & 1) | (signs >> 1 & 2) | (signs >> 2 & 4) | (extended ? 0 : minuses << 4) |
              (instruction->predicate_out & 7u) << 8 | (instruction->predicate_out >> 4 & 7u) << 12;
}

static void sum(const WsDecoded *instruction, WsStep *step)
{
    if (instruction->predicate_out == (WS_PT | WS_PT << 4) &&
        !ws_decoded_modifier(instruction, EXTENDED))
        step->kind = plain_sum(instruction);
    else
        carry_sum(instruction, step);
}

static void product(const WsDecoded *instruction, WsStep *step)
{
    if (has_sign(instruction))
        return;
    if (instruction->a == -1 || instruction->b == -1) {
        step->kind = WS_STEP_MOVE;
        step->a = step->c;
    } else {
        step->kind = WS_STEP_MULTIPLY_ADD;
    }
}

static void wide_product(const WsDecoded *instruction, WsStep *step)
{
    if (instruction->predicate_out == (WS_PT | WS_PT << 4) && !has_sign(instruction) &&
        !(instruction->immediate & 1))
        step->kind = ws_decoded_modifier(instruction, UNSIGNED) ? WS_STEP_WIDE_U : WS_STEP_WIDE_S;
}

static void logic(const WsDecoded *instruction, WsStep *step)
{
    guint table = instruction->immediate & 0xff;

    step->k = table;
    if ((instruction->predicate_out & 7) != WS_PT) {
        step->kind = WS_STEP_LOGIC_TEST;
        step->p = instruction->predicate_in & 15;
        step->k |= (instruction->predicate_out & 7u) << 8;
        return;
    }
    step->kind = table == 0xc0   ? WS_STEP_AND
                 : table == 0xfc ? WS_STEP_OR
                 : table == 0x3c ? WS_STEP_XOR
                 : table == 0x0c ? WS_STEP_NOT_AND
                 : table == 0x30 ? WS_STEP_AND_NOT
                                 : WS_STEP_LOGIC;
}

static void shift(const WsDecoded *instruction, WsStep *step)
{
    guint type = ws_decoded_modifier(instruction, SHIFT_TYPE);
    gboolean left = ws_decoded_modifier(instruction, DIRECTION) == WS_DIRECTION_LEFT;
    gboolean high = ws_decoded_modifier(instruction, HIGH);

    if (ws_decoded_modifier(instruction, WRAP))
        return;
    if (type <= WS_SHIFT_S32 && left && !high)
        step->kind = WS_STEP_LEFT;
    else if (type <= WS_SHIFT_S32 && !left && high)
        step->kind = type == WS_SHIFT_S32 ? WS_STEP_RIGHT_S : WS_STEP_RIGHT_U;
    else if (type == WS_SHIFT_U64 && left && high)
        step->kind = WS_STEP_PAIR_LEFT_HIGH;
    else if (type == WS_SHIFT_U64 && !left && !high)
        step->kind = WS_STEP_PAIR_RIGHT;
}

static void comparison(const WsDecoded *instruction, WsStep *step)
{
    static const guint8 kinds[2][8] = {
        {0, WS_STEP_LESS_S, WS_STEP_EQUAL, 0, WS_STEP_GREATER_S, WS_STEP_DIFFERENT, 0, 0},
        {0, WS_STEP_LESS_U, WS_STEP_EQUAL, 0, WS_STEP_GREATER_U, WS_STEP_DIFFERENT, 0, 0}};
    guint which = ws_decoded_modifier(instruction, ICMP);
    guint8 simple = kinds[ws_decoded_modifier(instruction, UNSIGNED)][which];

    if (has_sign(instruction))
        return;
    step->kind = WS_STEP_COMPARE;
    step->d = instruction->predicate_out;
    step->p = instruction->predicate_in & 15;
    step->q = instruction->predicate_in >> 4;
    step->k = instruction->flags;
    if (simple != 0 && step->p == TRUE_PREDICATE && !ws_decoded_modifier(instruction, EXTENDED) &&
        ws_decoded_modifier(instruction, BOOLEAN) == WS_BOOLEAN_AND &&
        (instruction->predicate_out & 7) != WS_PT && instruction->predicate_out >> 4 == WS_PT) {
        step->kind = simple;
        step->d = instruction->predicate_out & 7;
    }
}

/* Constant memory at a constant place. */
static gboolean constant(const WsLaneCode *code, const WsDecoded *instruction, WsStep *step)
{
    const guint8 *bank = code->decoded->constants[ws_decoded_modifier(instruction, BANK)];

    if (instruction->a >= 0 || ws_decoded_modifier(instruction, WIDTH) != WS_WIDTH_32 ||
        bank == NULL || instruction->immediate > WS_CONSTANT_BANK_BYTES - 4)
        return FALSE;
    step->kind = WS_STEP_LITERAL;
    memcpy(&step->k, bank + instruction->immediate, sizeof step->k);
    return TRUE;
}

/* `step` is that of a body; makes something better of it if there is. */
static void quicken(const WsLaneCode *code, const WsDecoded *instruction, WsStep *step)
{
    switch (instruction->opcode) {
    case WS_OP_MOV:
        step->kind = WS_STEP_MOVE;
        step->a = step->b;
        break;
    case WS_OP_SEL:
        step->kind = WS_STEP_SELECT;
        step->p = instruction->predicate_in & 15;
        break;
    case WS_OP_IADD3:
        sum(instruction, step);
        break;
    case WS_OP_VIADD:
        step->kind = (guint8)plain_sum(instruction);
        break;
    case WS_OP_IMAD:
        product(instruction, step);
        break;
    case WS_OP_IMAD_X:
        step->p = instruction->predicate_in & 15;
        step->kind = has_sign(instruction) ? WS_STEP_BODY : WS_STEP_MULTIPLY_ADD_X;
        break;
    case WS_OP_IMAD_WIDE:
        wide_product(instruction, step);
        break;
    case WS_OP_LEA:
        if (instruction->predicate_out != (WS_PT | WS_PT << 4) || has_sign(instruction) ||
            ws_decoded_modifier(instruction, HIGH) || ws_decoded_modifier(instruction, EXTENDED))
            break;
        step->kind = WS_STEP_SCALE_ADD;
        step->k = instruction->immediate & 31;
        break;
    case WS_OP_VIMNMX:
        step->p = instruction->predicate_in & 15;
        step->kind = ws_decoded_modifier(instruction, UNSIGNED) ? WS_STEP_LEAST_U : WS_STEP_LEAST_S;
        break;
    case WS_OP_LOP3:
        logic(instruction, step);
        break;
    case WS_OP_SHF:
        shift(instruction, step);
        break;
    case WS_OP_POPC:
        step->kind = has_sign(instruction) ? WS_STEP_BODY : WS_STEP_ONES;
        break;
    case WS_OP_ISETP:
        comparison(instruction, step);
        break;
    case WS_OP_LDC:
    case WS_OP_ULDC:
        constant(code, instruction, step);
        break;
    default:
        break;
    }
}

/* The instruction with the rows of the scratch registers. */
static WsDecoded body_of(const WsLaneCode *code, const WsDecoded *instruction)
{
    WsDecoded body = *instruction;

    body.a = instruction->a >= WS_ROW_UNIFORM ? instruction->a : scratch_a;
    body.b = instruction->b >= WS_ROW_UNIFORM ? instruction->b : scratch_b;
    body.c = instruction->c >= WS_ROW_UNIFORM ? instruction->c : scratch_c;
    if (instruction->d >= 0 && !writes_uniform(instruction))
        body.d = scratch_d;
    return body;
}

/* ---- the other kinds ----------------------------------------------------------------------------
 */

static void access_step(const WsLaneCode *code, const WsDecoded *instruction, guint32 pc,
                        WsStep *step)
{
    const WsMemoryOperation *operation = &instruction->operation;
    guint uniform = instruction->immediate >> 24;
    gboolean load = operation->action == WS_ACTION_LOAD;

    step->kind = WS_STEP_ACCESS;
    step->k = pc;
    step->c = source_cell(code, WS_ROW_UNIFORM + (gint)uniform);
    if (operation->space == WS_SPACE_LOCAL || !ws_decoded_modifier(instruction, ADDRESS) ||
        uniform < WS_URZ || (!load && operation->action != WS_ACTION_STORE) ||
        (operation->width != WS_WIDTH_32 && operation->width != WS_WIDTH_64))
        return;
    step->k = (guint32)((gint32)(instruction->immediate << 8) >> 8);
    if (operation->width == WS_WIDTH_32)
        step->kind = load ? WS_STEP_LOAD32 : WS_STEP_STORE32;
    else
        step->kind = load ? WS_STEP_LOAD64 : WS_STEP_STORE64;
}

/* FALSE: nothing is to be done. */
static gboolean step_of(const WsLaneCode *code, guint32 pc, WsStep *ret)
{
    const WsDecoded *instruction = &code->decoded->instructions[pc];

    *ret = (WsStep){.kind = WS_STEP_BODY,
                    .p = TRUE_PREDICATE,
                    .spare = instruction->d >= 0 && writes_uniform(instruction),
                    .d = destination_cell(code, instruction),
                    .a = source_cell(code, instruction->a),
                    .b = source_cell(code, instruction->b),
                    .c = source_cell(code, instruction->c),
                    .k = pc};
    switch (instruction->kind) {
    case WS_KIND_LANES:
        quicken(code, instruction, ret);
        return TRUE;
    case WS_KIND_MEMORY:
        access_step(code, instruction, pc, ret);
        return TRUE;
    case WS_KIND_BRA:
        ret->p = instruction->predicate_in & 15;
        ret->kind = ret->p == TRUE_PREDICATE ? WS_STEP_JUMP : WS_STEP_JUMP_IF;
        ret->k = instruction->immediate;
        return TRUE;
    case WS_KIND_BRX ... WS_KIND_RET:
        ret->kind = WS_STEP_JUMP_FAR;
        return TRUE;
    case WS_KIND_EXIT:
        ret->kind = WS_STEP_END;
        ret->p = instruction->predicate_in & 15;
        return TRUE;
    case WS_KIND_BPT ... WS_KIND_ASSERTFAIL:
        ret->kind = WS_STEP_TRAP;
        return TRUE;
    default:
        return FALSE;
    }
}

static void add(WsLaneCode *code, guint32 pc, const WsStep *step)
{
    code->pc_of[code->step_count] = pc;
    code->steps[code->step_count++] = *step;
}

static void add_instruction(WsLaneCode *code, guint32 pc)
{
    const WsDecoded *instruction = &code->decoded->instructions[pc];
    guint8 guard = (guint8)((instruction->guard & 7) | (instruction->guard >> 4 & 8));
    WsStep step;

    code->step_of[pc] = code->step_count;
    if (!step_of(code, pc, &step))
        return;
    if (instruction->guard & WS_GUARD_UNIFORM) {
        add(code, pc, &(WsStep){.kind = WS_STEP_SKIP_UNLESS_UNIFORM, .p = guard});
        code->uses_bodies = TRUE; /* uniform predicates are those of the scratch registers */
    } else if (guard != TRUE_PREDICATE && step.kind == WS_STEP_JUMP) {
        step.kind = WS_STEP_JUMP_IF;
        step.p = guard;
    } else if (guard != TRUE_PREDICATE) {
        add(code, pc, &(WsStep){.kind = WS_STEP_SKIP_UNLESS, .p = guard});
    }
    if (step.kind == WS_STEP_BODY) {
        code->bodies[pc] = body_of(code, instruction);
        code->uses_bodies = TRUE;
    }
    add(code, pc, &step);
}

/* ULDC.64 of what no policy has, at the beginning of every kernel: two literals. */
static gboolean add_pair(WsLaneCode *code, guint32 pc)
{
    WsDecoded instruction = code->decoded->instructions[pc];
    WsStep step = {.d = destination_cell(code, &instruction)};

    if (instruction.opcode != WS_OP_ULDC || instruction.guard != WS_PT || instruction.d < 0 ||
        ws_decoded_modifier(&instruction, WIDTH) != WS_WIDTH_64)
        return FALSE;
    instruction.flags &= (guint16) ~(7u << WS_FIELD_WIDTH);
    code->step_of[pc] = code->step_count;
    for (guint i = 0; i < 2; i++) {
        if (!constant(code, &instruction, &step))
            return FALSE;
        add(code, pc, &step);
        step.d++;
        instruction.immediate += 4;
    }
    return TRUE;
}

WsLaneCode *ws_lane_code_new(WsDecodedProgram *decoded)
{
    WsLaneCode *code = g_new0(WsLaneCode, 1);
    guint32 count = decoded->program->instruction_count;

    code->program = decoded->program;
    code->decoded = decoded;
    code->registers = decoded->kernel->registers;
    code->uniforms = code->registers + SINK_CELLS;
    code->cells = code->uniforms + WS_URZ + 2 + decoded->pool_rows + BEYOND_CELLS;
    code->steps = g_new0(WsStep, (gsize)count * MOST_STEPS + 1);
    code->pc_of = g_new0(guint32, (gsize)count * MOST_STEPS + 1);
    code->step_of = g_new0(guint32, (gsize)count + 1);
    code->bodies = g_new0(WsDecoded, count);
    for (guint32 pc = 0; pc < count; pc++) {
        code->uses_uniforms |= writes_uniform(&decoded->instructions[pc]);
        if (!add_pair(code, pc))
            add_instruction(code, pc);
    }
    code->step_of[count] = code->step_count;
    add(code, count - 1, &(WsStep){.kind = WS_STEP_NO_CODE});
    return code;
}

void ws_lane_code_free(WsLaneCode *code)
{
    if (code == NULL)
        return;
    ws_decoded_program_free(code->decoded);
    g_free(code->steps);
    g_free(code->pc_of);
    g_free(code->step_of);
    g_free(code->bodies);
    g_free(code);
}

/* ---- what a kernel changes ----------------------------------------------------------------------
 */

/* Registers whose values are known: in a row of instructions that nothing jumps into. */
typedef struct {
    gboolean known[WS_RZ + 2];
    guint32 value[WS_RZ + 2];
} Known;

/* The value of a literal, which is the same whenever it is read. */
static guint32 literal(const WsLaneCode *code, gint row)
{
    return code->decoded->pool[(gsize)~row * code->decoded->warp_size];
}

static gboolean stores(const WsDecoded *instruction)
{
    return instruction->kind == WS_KIND_MEMORY && instruction->operation.action != WS_ACTION_LOAD &&
           instruction->operation.space != WS_SPACE_LOCAL;
}

/* TRUE for a copy of a literal. */
static gboolean gives_literal(const WsLaneCode *code, const WsDecoded *instruction, guint32 *ret)
{
    gboolean move = instruction->opcode == WS_OP_MOV && instruction->b < 0;
    gboolean product = instruction->opcode == WS_OP_IMAD && instruction->a == -1 &&
                       instruction->c < 0 && !has_sign(instruction);

    if (!move && !product)
        return FALSE;
    *ret = literal(code, move ? instruction->b : instruction->c);
    return instruction->guard == WS_PT;
}

/* Of Rd. */
static guint destination_words(const WsLaneCode *code, guint32 pc)
{
    const WsInstruction *instruction = &code->program->instructions[pc];
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);

    for (guint i = 0; i < info->operand_count; i++)
        if (info->slots[i] == WS_SLOT_Rd)
            return ws_operand_words(instruction, i);
    return 0;
}

static void follow(const WsLaneCode *code, guint32 pc, Known *known)
{
    const WsDecoded *instruction = &code->decoded->instructions[pc];
    guint32 value = 0;
    gboolean is_known = gives_literal(code, instruction, &value);

    if (ws_kind_is_branch(instruction->kind)) {
        *known = (Known){.known = {FALSE}};
        return;
    }
    if (instruction->d < 0 || writes_uniform(instruction) ||
        ws_kind_is_convergence(instruction->kind))
        return;
    for (guint i = 0; i < destination_words(code, pc) && (guint)instruction->d + i < WS_RZ; i++)
        known->known[(guint)instruction->d + i] = FALSE;
    known->known[instruction->d] = is_known;
    known->value[instruction->d] = value;
}

static gboolean stores_to(const WsDecoded *instruction, const Known *known,
                          const guint32 *addresses, guint count)
{
    gint at = instruction->a;

    for (guint i = 0; i < count; i++)
        if (at >= 0 && known->known[at] && known->value[at] == addresses[i] &&
            (instruction->immediate & 0xffffff) == 0 && instruction->immediate >> 24 == WS_URZ)
            return TRUE;
    return FALSE;
}

gboolean ws_lane_code_is_pure(const WsLaneCode *code, const WsKernel *kernel,
                              const guint32 *addresses, guint count)
{
    const WsDecodedProgram *decoded = code->decoded;
    g_autofree guint8 *entered = g_malloc0(code->program->instruction_count);
    Known known = {.known = {FALSE}};

    for (guint32 pc = kernel->first; pc < kernel->first + kernel->count; pc++) {
        const WsDecoded *instruction = &decoded->instructions[pc];

        if (instruction->kind == WS_KIND_BRX || instruction->kind == WS_KIND_CALL)
            return FALSE;
        if (instruction->kind == WS_KIND_BRA)
            entered[instruction->immediate] = TRUE;
    }
    for (guint32 pc = kernel->first; pc < kernel->first + kernel->count; pc++) {
        const WsDecoded *instruction = &decoded->instructions[pc];

        if (entered[pc])
            known = (Known){.known = {FALSE}};
        if (stores(instruction) && !stores_to(instruction, &known, addresses, count))
            return FALSE;
        follow(code, pc, &known);
    }
    return TRUE;
}
