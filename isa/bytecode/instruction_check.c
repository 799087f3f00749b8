#include "isa/bytecode/instruction_check.h"

#include "isa/bytecode/opcode.h"
#include "isa/bytecode/program.h"

guint ws_modifier_count(WsModifier group)
{
    guint count = 0;
    while (ws_modifier_name(group, count) != NULL) {
        count++;
    }
    return count;
}

gboolean ws_opcode_takes_two_immediates(WsOpcode opcode)
{
    return ws_opcode_has(opcode, WS_FLAG_TWO_IMMEDIATES);
}

guint ws_constant_bytes(const WsInstruction *instruction, guint n)
{
    static const guint8 bytes_of_width[] = {4, 1, 1, 2, 2, 8, 16};
    return ws_opcode_info(instruction->opcode)->slots[n] == WS_SLOT_Cm
               ? bytes_of_width[instruction->mod[WS_MOD_WIDTH]]
               : 4 * ws_operand_words(instruction, n);
}

gboolean ws_opcode_takes_halves(WsOpcode opcode)
{
    return ws_opcode_has_modifier(opcode, WS_MOD_HALF_TYPE);
}

static gboolean is_flexible(WsSlot slot)
{
    return slot == WS_SLOT_Sb || slot == WS_SLOT_Sc || slot == WS_SLOT_Ub || slot == WS_SLOT_Uc;
}

static guint flags_of_sources(WsSources sources)
{
    switch (sources) {
    case WS_SOURCES_FLOAT:
        return WS_OPERAND_NEGATE | WS_OPERAND_ABSOLUTE;
    case WS_SOURCES_INTEGER:
    case WS_SOURCES_BITS:
        return WS_OPERAND_NEGATE;
    default:
        return 0;
    }
}

guint ws_operand_allowed_flags(const WsInstruction *instruction, guint n)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    if (ws_operand_is_destination(instruction, n)) {
        return 0;
    }
    switch (instruction->operand[n].kind) {
    case WS_OPERAND_PREDICATE:
    case WS_OPERAND_UNIFORM_PREDICATE:
        return WS_OPERAND_NEGATE;
    case WS_OPERAND_REGISTER:
        return flags_of_sources(info->sources) | WS_OPERAND_REUSE |
               (ws_opcode_takes_halves(instruction->opcode) ? (guint)WS_OPERAND_HALVES : 0u);
    case WS_OPERAND_UNIFORM_REGISTER:
        return flags_of_sources(info->sources);
    case WS_OPERAND_CONSTANT:
        return info->slots[n] == WS_SLOT_Cm ? 0 : flags_of_sources(info->sources);
    default:
        return 0;
    }
}

static gboolean kind_fits(WsSlot slot, WsOperandKind kind)
{
    if (kind == ws_slot_kind(slot) ||
        (slot == WS_SLOT_Pr && kind == WS_OPERAND_UNIFORM_PREDICATE)) {
        return TRUE;
    }
    if (!is_flexible(slot)) {
        return FALSE;
    }
    return kind == WS_OPERAND_IMMEDIATE || kind == WS_OPERAND_CONSTANT ||
           (kind == WS_OPERAND_UNIFORM_REGISTER && (slot == WS_SLOT_Sb || slot == WS_SLOT_Sc));
}

/* Checks that the number of an operand fits its field. */
static char *number_problem(WsSlot slot, const WsOperand *operand)
{
    static const guint32 limit[] = {[WS_OPERAND_REGISTER] = WS_RZ,
                                    [WS_OPERAND_PREDICATE] = WS_PT,
                                    [WS_OPERAND_UNIFORM_REGISTER] = WS_URZ,
                                    [WS_OPERAND_UNIFORM_PREDICATE] = WS_PT,
                                    [WS_OPERAND_BARRIER] = 15,
                                    [WS_OPERAND_CONSTANT] = WS_RZ,
                                    [WS_OPERAND_ADDRESS] = WS_RZ};
    gint32 value = (gint32)operand->value;
    if (operand->kind < G_N_ELEMENTS(limit) && limit[operand->kind] != 0 &&
        operand->index > limit[operand->kind]) {
        return g_strdup_printf("number %u is too large (at most %u)", operand->index,
                               limit[operand->kind]);
    }
    switch (operand->kind) {
    case WS_OPERAND_CONSTANT:
        if (operand->bank >= WS_CONSTANT_BANKS) {
            return g_strdup_printf("there is no constant bank %u (0 to %u)", operand->bank,
                                   WS_CONSTANT_BANKS - 1);
        }
        if (operand->value >= WS_CONSTANT_BANK_BYTES) {
            return g_strdup_printf("constant offset %u is past the bank", operand->value);
        }
        return slot != WS_SLOT_Cm && (operand->index != WS_RZ || operand->uniform != WS_URZ)
                   ? g_strdup("only LDC and ULDC take a constant with an index register")
                   : NULL;
    case WS_OPERAND_ADDRESS:
        if (operand->uniform > WS_URZ) {
            return g_strdup_printf("there is no uniform register %u", operand->uniform);
        }
        return value < WS_ADDRESS_OFFSET_MIN || value > WS_ADDRESS_OFFSET_MAX
                   ? g_strdup_printf("offset %d does not fit 24 bits", value)
                   : NULL;
    case WS_OPERAND_IMMEDIATE:
        return slot == WS_SLOT_Ic && operand->value > 0xff
                   ? g_strdup_printf("%u does not fit 8 bits", operand->value)
                   : NULL;
    case WS_OPERAND_SPECIAL:
        return operand->value >= WS_SR_COUNT ? g_strdup("there is no such special register") : NULL;
    default:
        return NULL;
    }
}

static char *operand_problem(const WsInstruction *instruction, guint n)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    const WsOperand *operand = &instruction->operand[n];
    if (!kind_fits(info->slots[n], operand->kind)) {
        return g_strdup("wrong kind of operand");
    }
    if (operand->kind == WS_OPERAND_CONSTANT && info->slots[n] == WS_SLOT_Cm &&
        operand->uniform != WS_URZ &&
        (info->slots[0] != WS_SLOT_Ud || operand->index != WS_RZ || operand->uniform > WS_URZ)) {
        return g_strdup("only ULDC takes a uniform index register, and then no other");
    }
    if ((operand->flags & ~ws_operand_allowed_flags(instruction, n)) != 0) {
        return g_strdup("this operand takes no such sign or mark");
    }
    if ((operand->flags & WS_OPERAND_HALVES) == WS_OPERAND_HALVES) {
        return g_strdup("an operand is .H0_H0 or .H1_H1, not both");
    }
    return number_problem(info->slots[n], operand);
}

static char *modifier_problem(const WsInstruction *instruction)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    gboolean in_row[WS_MOD_COUNT] = {FALSE};
    for (guint m = 0; m < info->modifier_count; m++) {
        WsModifier group = info->modifiers[m];
        in_row[group] = TRUE;
        if (instruction->mod[group] >= ws_modifier_count(group)) {
            return g_strdup_printf("%s has a modifier out of range", info->mnemonic);
        }
    }
    for (guint group = 0; group < WS_MOD_COUNT; group++) {
        if (!in_row[group] && instruction->mod[group] != 0) {
            const char *name = ws_modifier_name(group, instruction->mod[group]);
            return g_strdup_printf("%s takes no modifier .%s", info->mnemonic,
                                   name != NULL ? name : "?");
        }
    }
    return NULL;
}

static char *control_problem(const WsInstruction *instruction)
{
    const WsControl *control = &instruction->control;
    if (control->stall > 15 || control->yield > 1 || control->wait_mask > 63) {
        return g_strdup("a control field is out of range");
    }
    if ((control->write_barrier > 5 && control->write_barrier != 7) ||
        (control->read_barrier > 5 && control->read_barrier != 7)) {
        return g_strdup("dependence barriers are 0 to 5, or 7 for none");
    }
    return NULL;
}

/* At most one flexible source may be other than a register. */
static char *flexible_problem(const WsInstruction *instruction)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    guint others = 0;
    guint immediates = 0;
    gboolean short_enough = TRUE;
    for (guint n = 0; n < info->operand_count; n++) {
        const WsOperand *operand = &instruction->operand[n];
        if (is_flexible(info->slots[n])) {
            others += operand->kind != ws_slot_kind(info->slots[n]);
            if (operand->kind == WS_OPERAND_IMMEDIATE) {
                immediates++;
                short_enough = short_enough && operand->value <= WS_SHORT_IMMEDIATE_MAX;
            }
        }
    }
    if (others < 2) {
        return NULL;
    }
    if (!ws_opcode_takes_two_immediates(instruction->opcode) || immediates < 2) {
        return g_strdup("at most one source may be an immediate, a constant or a uniform register");
    }
    return short_enough ? NULL : g_strdup("two immediates must each fit 16 bits");
}

char *ws_instruction_unencodable(const WsInstruction *instruction)
{
    if (instruction->opcode >= WS_OP_COUNT) {
        return g_strdup_printf("there is no opcode %u", instruction->opcode);
    }
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    if (instruction->operand_count != info->operand_count) {
        return g_strdup_printf("%s has %u operands, not %u", info->mnemonic, info->operand_count,
                               instruction->operand_count);
    }
    if ((instruction->guard > WS_PT && !ws_is_guarded_uniformly(instruction)) ||
        instruction->guard_negated > 1) {
        return g_strdup("the guard is not a predicate P0..P6, UP0..UP6 or PT");
    }
    char *problem = modifier_problem(instruction);
    if (problem == NULL) {
        problem = control_problem(instruction);
    }
    for (guint n = 0; problem == NULL && n < info->operand_count; n++) {
        g_autofree char *text = operand_problem(instruction, n);
        if (text != NULL) {
            problem = g_strdup_printf("%s, operand %u: %s", info->mnemonic, n + 1, text);
        }
    }
    return problem != NULL ? problem : flexible_problem(instruction);
}

/* ---- meaning ----------------------------------------------------------------------------------
 */

static char *alignment_problem(const WsInstruction *instruction)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    for (guint n = 0; n < info->operand_count; n++) {
        const WsOperand *operand = &instruction->operand[n];
        guint width = ws_operand_width(instruction, n);
        guint zero = operand->kind == WS_OPERAND_UNIFORM_REGISTER ? WS_URZ : WS_RZ;
        if (width > 1 && operand->index != zero) {
            if (operand->index % width != 0) {
                return g_strdup_printf("%s, operand %u: a value of %u words needs a register "
                                       "number that is a multiple of %u, not %u",
                                       info->mnemonic, n + 1, width, width, operand->index);
            }
            if (operand->index + width > zero) {
                return g_strdup_printf("%s, operand %u: %u words from register %u are too many",
                                       info->mnemonic, n + 1, width, operand->index);
            }
        }
        if (operand->kind == WS_OPERAND_CONSTANT) {
            guint bytes = info->slots[n] != WS_SLOT_Cm ? 4 * ws_operand_words(instruction, n) : 1;
            if (operand->value % bytes != 0) {
                return g_strdup_printf("%s, operand %u: constant offset 0x%x is not a multiple "
                                       "of %u",
                                       info->mnemonic, n + 1, operand->value, bytes);
            }
        }
    }
    return NULL;
}

static gboolean atomic_exists(guint operation, guint type)
{
    switch (type) {
    case WS_ATOMIC_U32:
        return TRUE;
    case WS_ATOMIC_S32:
    case WS_ATOMIC_U64:
    case WS_ATOMIC_S64:
        return operation != WS_ATOMIC_INC && operation != WS_ATOMIC_DEC;
    case WS_ATOMIC_F32:
    case WS_ATOMIC_F32_FTZ:
    case WS_ATOMIC_F64:
        return operation == WS_ATOMIC_ADD;
    default:
        return operation == WS_ATOMIC_ADD || operation == WS_ATOMIC_MIN ||
               operation == WS_ATOMIC_MAX;
    }
}

static gboolean matrix_exists(guint shape, guint accumulator, guint type)
{
    if (type != WS_MMA_HALF && accumulator == WS_MMA_F16)
        return FALSE;
    return type == WS_MMA_TF32 ? shape != WS_MMA_16816 : shape != WS_MMA_1684;
}

static gboolean is_discarded(const WsOperand *operand)
{
    return operand->index == (operand->kind == WS_OPERAND_REGISTER           ? (guint32)WS_RZ
                              : operand->kind == WS_OPERAND_UNIFORM_REGISTER ? (guint32)WS_URZ
                                                                             : (guint32)WS_PT);
}

/* TRUE if the modifiers of the row exist together. */
static gboolean modifiers_exist(const WsInstruction *instruction)
{
    const guint8 *mod = instruction->mod;
    if (ws_opcode_has(instruction->opcode, WS_FLAG_CAS))
        return mod[WS_MOD_ATOMIC_TYPE] <= WS_ATOMIC_S64;
    if (ws_opcode_has(instruction->opcode, WS_FLAG_ATOMIC))
        return atomic_exists(mod[WS_MOD_ATOMIC], mod[WS_MOD_ATOMIC_TYPE]);
    if (mod[WS_MOD_TEX_KIND] == WS_TEX_CUBE) /* met by directions */
        return mod[WS_MOD_TEX_COORDINATE] == WS_TEX_FLOAT;
    switch (instruction->opcode) {
    case WS_OP_ULDC:
        return mod[WS_MOD_WIDTH] != WS_WIDTH_128;
    case WS_OP_CS2R:
        return mod[WS_MOD_WIDTH] == WS_WIDTH_32 || mod[WS_MOD_WIDTH] == WS_WIDTH_64;
    case WS_OP_I2FP:
        return mod[WS_MOD_FLOAT_TO] == WS_FLOAT_F32 && mod[WS_MOD_INT_FROM] <= WS_INT_U32;
    case WS_OP_F2FP:
        return mod[WS_MOD_FLOAT_TO] == WS_FLOAT_F16 || mod[WS_MOD_FLOAT_TO] == WS_FLOAT_BF16;
    case WS_OP_LEA:
    case WS_OP_ULEA:
        return !mod[WS_MOD_SIGN] || (mod[WS_MOD_HIGH] && is_discarded(&instruction->operand[4]));
    case WS_OP_HMMA:
        return matrix_exists(mod[WS_MOD_MMA_SHAPE], mod[WS_MOD_MMA_ACCUMULATOR],
                             mod[WS_MOD_MMA_TYPE]);
    case WS_OP_BAR:
        return mod[WS_MOD_BARRIER] >= WS_BAR_RED_POPC ||
               (is_discarded(&instruction->operand[0]) && is_discarded(&instruction->operand[1]));
    default:
        return TRUE;
    }
}

/* BAR: the number and the thread count where they are immediates. */
static char *barrier_problem(const WsInstruction *instruction)
{
    const WsOperand *number = &instruction->operand[2];
    if (number->kind == WS_OPERAND_IMMEDIATE && number->value > 15) {
        return g_strdup_printf("there is no barrier %u (0 to 15)", number->value);
    }
    const WsOperand *threads = &instruction->operand[3];
    if (threads->kind == WS_OPERAND_IMMEDIATE && threads->value > 1024) {
        return g_strdup_printf("a barrier for %u threads never completes (at most 1024)",
                               threads->value);
    }
    return NULL;
}

char *ws_instruction_problem(const WsInstruction *instruction)
{
    char *problem = ws_instruction_unencodable(instruction);
    if (problem != NULL) {
        return problem;
    }
    if (!modifiers_exist(instruction)) {
        return g_strdup_printf("%s does not exist with these modifiers",
                               ws_opcode_info(instruction->opcode)->mnemonic);
    }
    if (instruction->opcode == WS_OP_BAR) {
        problem = barrier_problem(instruction);
    }
    return problem != NULL ? problem : alignment_problem(instruction);
}
