#include "isa/bytecode/encoding.h"

#include <string.h>

#include "isa/base/error.h"
#include "isa/bytecode/instruction_check.h"
#include "isa/bytecode/opcode.h"

enum {
    BIT_OPCODE = 0,
    BIT_FORM = 9,
    BIT_GUARD = 12,
    BIT_D = 16,
    BIT_A = 24,
    BIT_B = 32,
    BIT_OFFSET = 40,
    BIT_SHORT_C = 48,
    BIT_CONSTANT_OFFSET = 38,
    BIT_CONSTANT_BANK = 54,
    BIT_C = 64,
    BIT_SIGNS = 72,
    BIT_ADDRESS_UNIFORM = 72,
    BIT_PREDICATE_D = 78,
    BIT_PREDICATE_P = 81,
    BIT_PREDICATE_E = 85,
    BIT_PREDICATE_Q = 88,
    BIT_SMALL = 85,
    BIT_HALVES = 86,
    BIT_MODIFIERS = 93,
    BIT_CONTROL = 105,
    BIT_REUSE = 122,
    BIT_UNIFORM_GUARD = 126,
    PREDICATE_BITS = 4, /* number and sign */
    BIT_UNIFORM_PR = BIT_A + PREDICATE_BITS
};

typedef struct {
    guint64 half[2];
} Word;

static void put(Word *word, guint bit, guint width, guint64 value)
{
    guint64 mask = (G_GUINT64_CONSTANT(1) << width) - 1;
    word->half[bit / 64] |= (value & mask) << (bit % 64);
}

static guint32 get(const Word *word, guint bit, guint width)
{
    guint64 mask = (G_GUINT64_CONSTANT(1) << width) - 1;
    return (guint32)((word->half[bit / 64] >> (bit % 64)) & mask);
}

/* Where a slot's number stands if it is a plain number, and which source it is for signs. */
typedef struct {
    guint8 bit;
    guint8 width;
    guint8 source; /* 1, 2, 3: has sign and reuse bits */
} Field;

static gboolean is_predicate(WsOperandKind kind)
{
    return kind == WS_OPERAND_PREDICATE || kind == WS_OPERAND_UNIFORM_PREDICATE;
}

static Field field_of(const WsOpcodeInfo *info, WsSlot slot)
{
    switch (slot) {
    case WS_SLOT_Rd:
        return (Field){BIT_D, 8, 0};
    case WS_SLOT_Ud:
        return (Field){BIT_D, 6, 0};
    case WS_SLOT_Ra:
        return (Field){BIT_A, 8, 1};
    case WS_SLOT_Ua:
        return (Field){BIT_A, 6, 1};
    case WS_SLOT_Rb:
    case WS_SLOT_Sb:
        return (Field){BIT_B, 8, 2};
    case WS_SLOT_Ub:
        return (Field){BIT_B, 6, 2};
    case WS_SLOT_Rc:
    case WS_SLOT_Sc:
        return (Field){BIT_C, 8, 3};
    case WS_SLOT_Uc:
        return (Field){BIT_C, 6, 3};
    case WS_SLOT_Rp:
        return (Field){BIT_C, 8, 0};
    case WS_SLOT_Bd:
        return (Field){BIT_C, 4, 0};
    case WS_SLOT_Pd:
    case WS_SLOT_Ue:
    case WS_SLOT_Uf:
        return (Field){BIT_PREDICATE_D, 3, 0};
    case WS_SLOT_Pe:
    case WS_SLOT_Ug:
        return (Field){BIT_PREDICATE_E, 3, 0};
    case WS_SLOT_Pp:
    case WS_SLOT_Np:
    case WS_SLOT_Uq:
    case WS_SLOT_Um:
        return (Field){BIT_PREDICATE_P, 3, 0};
    case WS_SLOT_Pq:
    case WS_SLOT_Nq:
    case WS_SLOT_Ur:
    case WS_SLOT_Un:
        return (Field){BIT_PREDICATE_Q, 3, 0};
    case WS_SLOT_Pr:
    case WS_SLOT_Us:
        return (Field){BIT_A, 3, 0};
    case WS_SLOT_Ic:
        return (Field){is_predicate(ws_slot_kind(info->slots[0])) ? BIT_D : BIT_SMALL, 8, 0};
    case WS_SLOT_Ib:
    case WS_SLOT_Tg:
        return (Field){BIT_B, 32, 0};
    case WS_SLOT_Sr:
        return (Field){BIT_B, 8, 0};
    default:
        return (Field){0, 0, 0};
    }
}

/* Sources that may be other than a register: the second and the third. */
static gboolean is_third(WsSlot slot)
{
    return slot == WS_SLOT_Sc || slot == WS_SLOT_Uc;
}

static gboolean is_flexible(WsSlot slot)
{
    return slot == WS_SLOT_Sb || slot == WS_SLOT_Ub || is_third(slot);
}

static guint form_of(const WsInstruction *instruction, const WsOpcodeInfo *info)
{
    guint form = WS_FORM_REGISTERS;
    for (guint n = 0; n < info->operand_count; n++) {
        WsSlot slot = info->slots[n];
        guint base = is_third(slot) ? WS_FORM_C_IMMEDIATE : WS_FORM_B_IMMEDIATE;
        if (!is_flexible(slot)) {
            continue;
        }
        switch (instruction->operand[n].kind) {
        case WS_OPERAND_IMMEDIATE:
            form = form == WS_FORM_B_IMMEDIATE ? WS_FORM_TWO_IMMEDIATES : base;
            break;
        case WS_OPERAND_CONSTANT:
            form = base + 1;
            break;
        case WS_OPERAND_UNIFORM_REGISTER:
            form = ws_slot_kind(slot) == WS_OPERAND_UNIFORM_REGISTER ? form : base + 2;
            break;
        default:
            break;
        }
    }
    return form;
}

static void put_constant(Word *word, const WsOperand *operand)
{
    put(word, BIT_CONSTANT_OFFSET, 16, operand->value);
    put(word, BIT_CONSTANT_BANK, 5, operand->bank);
}

static void get_constant(const Word *word, WsOperand *operand)
{
    operand->value = get(word, BIT_CONSTANT_OFFSET, 16);
    operand->bank = (guint8)get(word, BIT_CONSTANT_BANK, 5);
}

static gboolean form_is_c(guint form)
{
    return form >= WS_FORM_C_IMMEDIATE && form <= WS_FORM_C_UNIFORM;
}

/* What a stored predicate is compared with: the default of slots that rows got later, else 0. */
static guint predicate_default(WsSlot slot)
{
    switch (slot) {
    case WS_SLOT_Uf:
    case WS_SLOT_Ug:
    case WS_SLOT_Ur:
    case WS_SLOT_Us:
        return WS_PT;
    case WS_SLOT_Um:
    case WS_SLOT_Un:
        return WS_PT | 1u << 3;
    default:
        return 0;
    }
}

static void put_predicate(Word *word, const WsOperand *operand, WsSlot slot, Field field)
{
    guint negated = (operand->flags & WS_OPERAND_NEGATE) != 0;
    guint value = (operand->index | negated << 3) ^ predicate_default(slot);

    put(word, field.bit, ws_slot_is_destination(slot) ? 3 : PREDICATE_BITS, value);
    if (slot == WS_SLOT_Pr)
        put(word, BIT_UNIFORM_PR, 1, operand->kind == WS_OPERAND_UNIFORM_PREDICATE);
}

static void get_predicate(const Word *word, WsOperand *operand, WsSlot slot, Field field)
{
    guint value = get(word, field.bit, ws_slot_is_destination(slot) ? 3 : PREDICATE_BITS) ^
                  predicate_default(slot);

    operand->index = value & 7;
    if (value >> 3 != 0)
        operand->flags |= WS_OPERAND_NEGATE;
    if (slot == WS_SLOT_Pr && get(word, BIT_UNIFORM_PR, 1) != 0)
        operand->kind = WS_OPERAND_UNIFORM_PREDICATE;
}

/* Field of a flexible source: second and third trade places where the third is not a register. */
static Field flexible_field(const WsOpcodeInfo *info, WsSlot slot, guint form)
{
    Field field = field_of(info, slot);
    if (form_is_c(form) && is_flexible(slot)) {
        field.bit = is_third(slot) ? BIT_B : BIT_C;
    }
    return field;
}

static void put_signs(Word *word, const WsOperand *operand, guint source)
{
    guint flags = operand->flags & (WS_OPERAND_NEGATE | WS_OPERAND_ABSOLUTE);
    put(word, BIT_SIGNS + 2 * (source - 1), 2, flags);
    put(word, BIT_REUSE + source - 1, 1, (operand->flags & WS_OPERAND_REUSE) != 0);
}

/* Two bits of a source of packed halves; the third one stands in front. */
static guint halves_bit(guint source)
{
    return source == 3 ? BIT_HALVES : BIT_HALVES + 2 * source;
}

static void put_operand(Word *word, const WsOpcodeInfo *info, guint n, const WsOperand *operand,
                        guint form)
{
    Field field = flexible_field(info, info->slots[n], form);
    switch (operand->kind) {
    case WS_OPERAND_CONSTANT:
        put_constant(word, operand);
        if (info->slots[n] == WS_SLOT_Cm) {
            put(word, BIT_A, 8, operand->index);
            put(word, BIT_ADDRESS_UNIFORM, 6, operand->uniform ^ WS_URZ);
        }
        break;
    case WS_OPERAND_ADDRESS:
        put(word, BIT_A, 8, operand->index);
        put(word, BIT_OFFSET, 24, operand->value);
        put(word, BIT_ADDRESS_UNIFORM, 6, operand->uniform);
        break;
    case WS_OPERAND_IMMEDIATE:
        if (info->slots[n] == WS_SLOT_Ic) {
            put(word, field.bit, field.width, operand->value);
        } else if (form == WS_FORM_TWO_IMMEDIATES) {
            put(word, info->slots[n] == WS_SLOT_Sc ? BIT_SHORT_C : BIT_B, 16, operand->value);
        } else {
            put(word, BIT_B, 32, operand->value);
        }
        break;
    case WS_OPERAND_TARGET:
    case WS_OPERAND_SPECIAL:
        put(word, field.bit, field.width, operand->value);
        break;
    case WS_OPERAND_PREDICATE:
    case WS_OPERAND_UNIFORM_PREDICATE:
        put_predicate(word, operand, info->slots[n], field);
        break;
    default:
        put(word, field.bit, field.width, operand->index);
        break;
    }
    if (field.source != 0) {
        put_signs(word, operand, field.source);
        put(word, halves_bit(field.source), 2, operand->flags / WS_OPERAND_LOW);
    }
}

static void put_control(Word *word, const WsControl *control)
{
    put(word, BIT_CONTROL, 4, control->stall);
    put(word, BIT_CONTROL + 4, 1, control->yield);
    put(word, BIT_CONTROL + 5, 3, control->write_barrier);
    put(word, BIT_CONTROL + 8, 3, control->read_barrier);
    put(word, BIT_CONTROL + 11, 6, control->wait_mask);
}

static void pack(const WsInstruction *instruction, guint8 *ret)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    guint form = form_of(instruction, info);
    Word word = {{0, 0}};
    put(&word, BIT_OPCODE, 9, info->encoding);
    put(&word, BIT_FORM, 3, form);
    put(&word, BIT_GUARD, 4, (instruction->guard & 7) | (guint)instruction->guard_negated << 3);
    put(&word, BIT_UNIFORM_GUARD, 1, ws_is_guarded_uniformly(instruction));
    put_control(&word, &instruction->control);
    guint bit = BIT_MODIFIERS;
    for (guint m = 0; m < info->modifier_count; m++) {
        WsModifier group = info->modifiers[m];
        put(&word, bit, ws_modifier_bits(group), instruction->mod[group]);
        bit += ws_modifier_bits(group);
    }
    for (guint n = 0; n < info->operand_count; n++) {
        put_operand(&word, info, n, &instruction->operand[n], form);
    }
    for (guint i = 0; i < WS_INSTRUCTION_BYTES; i++) {
        ret[i] = (guint8)(word.half[i / 8] >> (8 * (i % 8)));
    }
}

gboolean ws_encode(const WsInstruction *instruction, guint8 ret[WS_INSTRUCTION_BYTES],
                   GError **error)
{
    g_autofree char *problem = ws_instruction_unencodable(instruction);
    if (problem != NULL) {
        ws_set_error(error, WS_ERROR_INPUT, "%s", problem);
        return FALSE;
    }
    pack(instruction, ret);
    return TRUE;
}

/* Kind of a flexible source by the form, WS_OPERAND_NONE if the form does not fit the row. */
static WsOperandKind flexible_kind(WsSlot slot, guint form)
{
    static const guint8 kinds[] = {WS_OPERAND_IMMEDIATE, WS_OPERAND_CONSTANT,
                                   WS_OPERAND_UNIFORM_REGISTER};
    if (form == WS_FORM_TWO_IMMEDIATES) {
        return WS_OPERAND_IMMEDIATE;
    }
    guint base = is_third(slot) ? WS_FORM_C_IMMEDIATE : WS_FORM_B_IMMEDIATE;
    return form >= base && form < base + 3 ? kinds[form - base] : ws_slot_kind(slot);
}

static void get_operand(const Word *word, const WsOpcodeInfo *info, guint n, WsOperand *operand,
                        guint form)
{
    WsSlot slot = info->slots[n];
    Field field = flexible_field(info, slot, form);
    if (is_flexible(slot)) {
        operand->kind = flexible_kind(slot, form);
        operand->index = 0;
    }
    operand->flags = 0;
    switch (operand->kind) {
    case WS_OPERAND_CONSTANT:
        get_constant(word, operand);
        operand->index = slot == WS_SLOT_Cm ? get(word, BIT_A, 8) : WS_RZ;
        if (slot == WS_SLOT_Cm)
            operand->uniform = (guint8)(get(word, BIT_ADDRESS_UNIFORM, 6) ^ WS_URZ);
        break;
    case WS_OPERAND_ADDRESS:
        operand->index = get(word, BIT_A, 8);
        operand->value = get(word, BIT_OFFSET, 24);
        operand->value = (operand->value ^ 0x800000u) - 0x800000u;
        operand->uniform = (guint8)get(word, BIT_ADDRESS_UNIFORM, 6);
        break;
    case WS_OPERAND_IMMEDIATE:
        if (slot == WS_SLOT_Ic) {
            operand->value = get(word, field.bit, field.width);
        } else if (form == WS_FORM_TWO_IMMEDIATES) {
            operand->value = get(word, slot == WS_SLOT_Sc ? BIT_SHORT_C : BIT_B, 16);
        } else {
            operand->value = get(word, BIT_B, 32);
        }
        break;
    case WS_OPERAND_TARGET:
    case WS_OPERAND_SPECIAL:
        operand->value = get(word, field.bit, field.width);
        break;
    case WS_OPERAND_PREDICATE:
    case WS_OPERAND_UNIFORM_PREDICATE:
        get_predicate(word, operand, slot, field);
        break;
    default:
        operand->index = get(word, field.bit, field.width);
        break;
    }
    if (field.source != 0) {
        /* Rows without signs use these bits for the uniform register of an address. */
        if (info->sources != WS_SOURCES_PLAIN) {
            operand->flags = (guint8)get(word, BIT_SIGNS + 2 * (field.source - 1u), 2);
        }
        operand->flags |= get(word, BIT_REUSE + field.source - 1u, 1) ? WS_OPERAND_REUSE : 0;
        if (ws_opcode_takes_halves(ws_opcode_by_number(info->encoding))) {
            operand->flags |= (guint8)(get(word, halves_bit(field.source), 2) * WS_OPERAND_LOW);
        }
    }
}

static void get_control(const Word *word, WsControl *control)
{
    control->stall = (guint8)get(word, BIT_CONTROL, 4);
    control->yield = (guint8)get(word, BIT_CONTROL + 4, 1);
    control->write_barrier = (guint8)get(word, BIT_CONTROL + 5, 3);
    control->read_barrier = (guint8)get(word, BIT_CONTROL + 8, 3);
    control->wait_mask = (guint8)get(word, BIT_CONTROL + 11, 6);
}

static void unpack(const Word *word, WsInstruction *ret)
{
    const WsOpcodeInfo *info = ws_opcode_info(ret->opcode);
    guint form = get(word, BIT_FORM, 3);
    ret->guard = get(word, BIT_GUARD, 3) + (get(word, BIT_UNIFORM_GUARD, 1) ? WS_GUARD_UNIFORM : 0);
    ret->guard_negated = (guint8)get(word, BIT_GUARD + 3, 1);
    get_control(word, &ret->control);
    guint bit = BIT_MODIFIERS;
    for (guint m = 0; m < info->modifier_count; m++) {
        WsModifier group = info->modifiers[m];
        ret->mod[group] = (guint8)get(word, bit, ws_modifier_bits(group));
        bit += ws_modifier_bits(group);
    }
    for (guint n = 0; n < info->operand_count; n++) {
        get_operand(word, info, n, &ret->operand[n], form);
    }
}

gboolean ws_decode_word(const guint8 word[WS_INSTRUCTION_BYTES], WsInstruction *ret, GError **error)
{
    Word bits = {{0, 0}};
    for (guint i = 0; i < WS_INSTRUCTION_BYTES; i++) {
        bits.half[i / 8] |= (guint64)word[i] << (8 * (i % 8));
    }
    guint number = get(&bits, BIT_OPCODE, 9);
    WsOpcode opcode = ws_opcode_by_number(number);
    if (opcode == WS_NO_OPCODE) {
        ws_set_error(error, WS_ERROR_INPUT, "no instruction has opcode number 0x%03x", number);
        return FALSE;
    }
    WsInstruction instruction;
    ws_instruction_init(&instruction, opcode);
    unpack(&bits, &instruction);
    guint8 again[WS_INSTRUCTION_BYTES];
    if (!ws_encode(&instruction, again, error)) {
        return FALSE;
    }
    if (memcmp(again, word, WS_INSTRUCTION_BYTES) != 0) {
        ws_set_error(error, WS_ERROR_INPUT, "%s: bits are set that mean nothing",
                     ws_opcode_info(opcode)->mnemonic);
        return FALSE;
    }
    *ret = instruction;
    return TRUE;
}

WsOpcode ws_opcode_by_mnemonic(const char *mnemonic)
{
    for (guint opcode = 0; opcode < WS_OP_COUNT; opcode++) {
        if (g_ascii_strcasecmp(ws_opcode_info(opcode)->mnemonic, mnemonic) == 0) {
            return opcode;
        }
    }
    return WS_NO_OPCODE;
}

/* A number given twice does not compile (-Woverride-init). */
static const guint16 opcode_of_number[512] = {
#define INSTRUCTION(NAME, text, number, ...) [number] = WS_OP_##NAME + 1,
#include "isa/bytecode/instructions.def"
#undef INSTRUCTION
};

WsOpcode ws_opcode_by_number(guint number)
{
    guint found = number < G_N_ELEMENTS(opcode_of_number) ? opcode_of_number[number] : 0;
    return found == 0 ? WS_NO_OPCODE : found - 1;
}
