/* Decoding of a program for one launch: rows, literals, kinds and bodies (sim/lanes/lanes.h). */
#include "isa/base/error.h"
#include "isa/bytecode/opcode.h"
#include "sim/lanes/memory_operation.h"
#include "sim/lanes/private.h"

#include <string.h>

enum { FIRST_LITERAL = 4, MAX_POOL_ROWS = 32760 }; /* rows 0..3 are zero: RZ of up to four words */

typedef struct {
    WsDecodedProgram *result;
    const WsBodyTable *table;
    GHashTable *literals; /* value (two words) -> row */
    GArray *words;        /* one word per pool row */
} Decoder;

/* ---- literals ----------------------------------------------------------------------------------
 */

/* Row of a literal of two words; the second word stands in the next row. */
static gint16 literal_row(Decoder *decoder, guint64 value)
{
    gpointer found = g_hash_table_lookup(decoder->literals, &value);
    guint row = GPOINTER_TO_UINT(found);
    if (!found) {
        guint32 parts[2] = {(guint32)value, (guint32)(value >> 32)};
        row = decoder->words->len;
        g_array_append_vals(decoder->words, parts, 2);
        g_hash_table_insert(decoder->literals, g_memdup2(&value, sizeof value),
                            GUINT_TO_POINTER(row));
    }
    return (gint16)(-1 - (gint)row);
}

static guint32 constant_word(const Decoder *decoder, guint bank, guint64 offset)
{
    const guint8 *image = bank < WS_CONSTANT_BANKS ? decoder->result->constants[bank] : NULL;
    if (!image || offset + 4 > WS_CONSTANT_BANK_BYTES) {
        return 0;
    }
    const guint8 *at = image + offset;
    return (guint32)at[0] | (guint32)at[1] << 8 | (guint32)at[2] << 16 | (guint32)at[3] << 24;
}

/* What an operand of two words is, which says how an immediate of one word stands for it. */
static gboolean immediate_is_high_word(const WsInstruction *instruction)
{
    if (instruction->opcode == WS_OP_F2F || instruction->opcode == WS_OP_F2I)
        return instruction->mod[WS_MOD_FLOAT_FROM] == WS_FLOAT_F64;
    return ws_opcode_has(instruction->opcode, WS_FLAG_DOUBLE);
}

static gint16 immediate_row(Decoder *decoder, const WsInstruction *instruction, guint32 value)
{
    gboolean is_unsigned =
        instruction->mod[WS_MOD_UNSIGNED] || instruction->mod[WS_MOD_INT_FROM] == WS_INT_U64;
    guint64 pair = immediate_is_high_word(instruction) ? (guint64)value << 32
                   : is_unsigned                       ? value
                                                       : (guint64)(gint64)(gint32)value;
    return literal_row(decoder, pair);
}

/* ---- operands ----------------------------------------------------------------------------------
 */

static gboolean is_in_kernel(const WsDecodedProgram *decoded, const WsInstruction *instruction)
{
    const WsKernel *kernel = decoded->kernel;

    return (gsize)(instruction - decoded->program->instructions) - kernel->first < kernel->count;
}

/* TRUE if the lanes of an instruction of the kernel read their operand `n` of a uniform register.
 */
static gboolean lanes_read_uniform(const WsInstruction *instruction, guint n)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);

    return info->kind == WS_KIND_LANES &&
           (info->slots[n] == WS_SLOT_Sb || info->slots[n] == WS_SLOT_Sc) &&
           instruction->operand[n].kind == WS_OPERAND_UNIFORM_REGISTER;
}

/* Gives rows to the uniform registers that lanes read; pairs of which both words are read lie one
 * behind the other. */
static void lay_out_uniforms(WsDecodedProgram *decoded)
{
    const WsKernel *kernel = decoded->kernel;
    guint64 read = 0;

    for (guint32 i = kernel->first; i < kernel->first + kernel->count; i++) {
        const WsInstruction *instruction = &decoded->program->instructions[i];

        for (guint n = 0; n < ws_opcode_info(instruction->opcode)->operand_count; n++)
            for (guint w = 0;
                 lanes_read_uniform(instruction, n) && w < ws_operand_width(instruction, n); w++)
                read |= (guint64)1 << MIN(instruction->operand[n].index + w, WS_URZ);
    }
    read &= ~((guint64)1 << WS_URZ);
    decoded->rows = kernel->registers;
    for (guint i = 0; i <= WS_URZ; i++)
        decoded->uniform_row[i] = read >> i & 1 ? (gint16)decoded->rows++ : -1;
}

static gint16 uniform_row(const Decoder *decoder, const WsInstruction *instruction, guint number)
{
    gint16 row = decoder->result->uniform_row[number];
    gboolean lanes = ws_opcode_info(instruction->opcode)->kind == WS_KIND_LANES;

    return row >= 0 && lanes && is_in_kernel(decoder->result, instruction)
               ? row
               : (gint16)(WS_ROW_UNIFORM + number);
}

static gint16 source_row(Decoder *decoder, const WsInstruction *instruction,
                         const WsOperand *operand)
{
    switch (operand->kind) {
    case WS_OPERAND_REGISTER:
        return operand->index == WS_RZ ? -1 : (gint16)operand->index;
    case WS_OPERAND_UNIFORM_REGISTER:
        return operand->index == WS_URZ ? -1 : uniform_row(decoder, instruction, operand->index);
    case WS_OPERAND_IMMEDIATE:
        return immediate_row(decoder, instruction, operand->value);
    case WS_OPERAND_CONSTANT: {
        guint64 low = constant_word(decoder, operand->bank, operand->value);
        guint64 high = constant_word(decoder, operand->bank, (guint64)operand->value + 4);
        return literal_row(decoder, low | high << 32);
    }
    default:
        return -1;
    }
}

static guint predicate_nibble(const WsOperand *operand)
{
    return operand->index | (operand->flags & WS_OPERAND_NEGATE ? 8u : 0u);
}

static guint16 sign_flags(const WsOperand *operand, guint position)
{
    guint flags = (operand->flags & WS_OPERAND_NEGATE ? 1u : 0u) |
                  (operand->flags & WS_OPERAND_ABSOLUTE ? 2u : 0u);
    return (guint16)(flags << (2 * position));
}

/* Sources a, b and c. */
static gboolean decode_source(Decoder *decoder, const WsInstruction *instruction, WsSlot slot,
                              const WsOperand *operand, WsDecoded *ret)
{
    gint16 *rows[3] = {&ret->a, &ret->b, &ret->c};
    guint position;
    switch (slot) {
    case WS_SLOT_Ra:
    case WS_SLOT_Ua:
        position = 0;
        break;
    case WS_SLOT_Rb:
    case WS_SLOT_Sb:
    case WS_SLOT_Ub:
        position = 1;
        break;
    case WS_SLOT_Rc:
    case WS_SLOT_Sc:
    case WS_SLOT_Uc:
        position = 2;
        break;
    default:
        return FALSE;
    }
    *rows[position] = source_row(decoder, instruction, operand);
    ret->flags |= sign_flags(operand, position);
    if (operand->flags & WS_OPERAND_HALVES) /* rows of packed halves have no other immediate */
        ret->immediate |= (guint32)(operand->flags / WS_OPERAND_LOW) << (2 * position);
    return TRUE;
}

/* Predicates, of lanes or uniform, in and out. */
static gboolean decode_predicate(WsSlot slot, const WsOperand *operand, WsDecoded *ret)
{
    switch (slot) {
    case WS_SLOT_Pd:
    case WS_SLOT_Ue:
    case WS_SLOT_Uf:
        ret->predicate_out = (guint8)((ret->predicate_out & 0xf0) | operand->index);
        break;
    case WS_SLOT_Pe:
    case WS_SLOT_Ug:
        ret->predicate_out = (guint8)((ret->predicate_out & 0x0f) | operand->index << 4);
        break;
    case WS_SLOT_Pp:
    case WS_SLOT_Np:
    case WS_SLOT_Uq:
    case WS_SLOT_Um:
        ret->predicate_in = (guint8)((ret->predicate_in & 0xf0) | predicate_nibble(operand));
        break;
    case WS_SLOT_Pq:
    case WS_SLOT_Nq:
    case WS_SLOT_Ur:
    case WS_SLOT_Un:
        ret->predicate_in = (guint8)((ret->predicate_in & 0x0f) | predicate_nibble(operand) << 4);
        break;
    case WS_SLOT_Pr:
    case WS_SLOT_Us:
        ret->immediate |= predicate_nibble(operand) << 16 |
                          (operand->kind == WS_OPERAND_UNIFORM_PREDICATE ? 1u << 20 : 0);
        break;
    default:
        return FALSE;
    }
    return TRUE;
}

/* The immediates of PLOP3 and UPLOP3 share a word. */
static gboolean has_two_tables(const WsInstruction *instruction)
{
    return instruction->opcode == WS_OP_PLOP3 || instruction->opcode == WS_OP_UPLOP3;
}

static void decode_operand(Decoder *decoder, const WsInstruction *instruction, WsSlot slot,
                           const WsOperand *operand, WsDecoded *ret)
{
    if (decode_source(decoder, instruction, slot, operand, ret) ||
        decode_predicate(slot, operand, ret)) {
        return;
    }
    switch (slot) {
    case WS_SLOT_Rd:
        ret->d = operand->index == WS_RZ ? -1 : (gint16)operand->index;
        break;
    case WS_SLOT_Ud:
        ret->d = operand->index == WS_URZ ? -1 : (gint16)operand->index;
        break;
    case WS_SLOT_Ib:
        ret->immediate |= has_two_tables(instruction) ? operand->value & 0xff : operand->value;
        break;
    case WS_SLOT_Ic:
        ret->immediate |=
            has_two_tables(instruction) ? (operand->value & 0xff) << 8 : operand->value;
        break;
    case WS_SLOT_Ma:
        ret->a = operand->index == WS_RZ ? -1 : (gint16)operand->index;
        ret->immediate = (operand->value & 0xffffff) | (guint32)operand->uniform << 24;
        break;
    case WS_SLOT_Cm:
        ret->a = operand->uniform < WS_URZ ? uniform_row(decoder, instruction, operand->uniform)
                 : operand->index == WS_RZ ? -1
                                           : (gint16)operand->index;
        ret->immediate = operand->value;
        ret->flags |= (guint16)((operand->bank & 3) << WS_FIELD_BANK);
        break;
    case WS_SLOT_Bd:
        if (instruction->opcode == WS_OP_BMOV_FROM) {
            ret->a = (gint16)operand->index;
        } else {
            ret->d = (gint16)operand->index;
        }
        break;
    case WS_SLOT_Tg:
    case WS_SLOT_Sr:
        ret->immediate = operand->value;
        break;
    default:
        break;
    }
}

/* ---- modifiers and kinds -----------------------------------------------------------------------
 */

static const guint8 field_of_group[WS_MOD_COUNT] = {
#define MODIFIER(name, ...) [WS_MOD_##name] = WS_FIELD_##name,
#include "isa/bytecode/modifiers.def"
#undef MODIFIER
};

static guint16 modifier_flags(const WsInstruction *instruction)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    guint flags = 0;
    for (guint n = 0; n < info->modifier_count; n++) {
        guint group = info->modifiers[n];
        flags |= (guint)instruction->mod[group] << field_of_group[group];
    }
    return (guint16)flags;
}

/* ---- what a warp size allows -------------------------------------------------------------------
 */

static void set_error_at(const WsProgram *program, guint index, GError **error, const char *text)
{
    const WsInstruction *instruction = &program->instructions[index];
    const WsLocation *location = instruction->location < program->location_count
                                     ? &program->locations[instruction->location]
                                     : NULL;
    WsPosition position = {.file = program->path};
    if (location && location->line && program->files) {
        position.file = program->files[location->file];
        position.line = location->line;
        position.column = location->column;
    }
    ws_set_error_at(error, WS_ERROR_INPUT, &position, "instruction %u, %s: %s", index,
                    ws_opcode_info(instruction->opcode)->mnemonic, text);
}

/* ---- instructions ------------------------------------------------------------------------------
 */

/* The sign of a product, moved from the operands to bit 0 of the immediate. */
static void move_product_sign(WsDecoded *decoded)
{
    guint negate = (decoded->flags ^ decoded->flags >> 2) & 1;
    decoded->immediate |= negate;
    decoded->flags &= (guint16) ~(1u | 1u << 2);
}

static gboolean has_long_product(const WsInstruction *instruction)
{
    return ws_opcode_has(instruction->opcode, WS_FLAG_WIDE) ||
           instruction->opcode == WS_OP_IMAD_HI || instruction->opcode == WS_OP_IMAD_HI_WIDE ||
           instruction->opcode == WS_OP_UIMAD_HI;
}

static void finish_lanes(Decoder *decoder, const WsInstruction *instruction, WsBody body,
                         WsDecoded *ret)
{
    ret->body = decoder->table->bodies[body];
    if (has_long_product(instruction)) {
        move_product_sign(ret);
    }
    if (body == WS_BODY_SHF_RIGHT) {
        ret->immediate = instruction->mod[WS_MOD_SHIFT_TYPE] == WS_SHIFT_S32;
    }
    gboolean uniform = MAX(MAX(ret->a, ret->b), ret->c) >= WS_ROW_UNIFORM;
    /* MUFU flushes always, and by itself. */
    gboolean flushed = instruction->mod[WS_MOD_FTZ] && instruction->opcode != WS_OP_MUFU;
    if ((ret->flags & 0x3f) || uniform || flushed || decoder->result->warp_size != 32) {
        ret->flags |= 1u << WS_FIELD_GENERAL;
    }
}

static gboolean decode_instruction(Decoder *decoder, guint index, GError **error)
{
    const WsProgram *program = decoder->result->program;
    const WsInstruction *instruction = &program->instructions[index];
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    WsDecoded *ret = &decoder->result->instructions[index];
    *ret = (WsDecoded){.d = -1,
                       .a = -1,
                       .b = -1,
                       .c = -1,
                       .opcode = (guint8)instruction->opcode,
                       .kind = info->kind,
                       .execution_class = (guint8)ws_instruction_class(instruction),
                       .guard =
                           (guint8)(instruction->guard | (instruction->guard_negated ? 0x80u : 0)),
                       .predicate_out = WS_PT | WS_PT << 4,
                       .predicate_in = WS_PT | WS_PT << 4,
                       .flags = modifier_flags(instruction)};
    for (guint n = 0; n < info->operand_count; n++) {
        decode_operand(decoder, instruction, info->slots[n], &instruction->operand[n], ret);
    }
    if (decoder->words->len > MAX_POOL_ROWS) {
        set_error_at(program, index, error, "too many different constants in one program");
        return FALSE;
    }
    if (decoder->result->warp_size != 32 && ws_names_lanes(instruction)) {
        set_error_at(program, index, error,
                     "names lanes or lane masks, which needs a warp size of 32");
        return FALSE;
    }
    if (ret->kind == WS_KIND_LANES || ret->kind == WS_KIND_MATRIX) {
        WsBody body = ws_lanes_choose(instruction);
        if (body == WS_BODY_COUNT) {
            set_error_at(program, index, error, "is not supported");
            return FALSE;
        }
        finish_lanes(decoder, instruction, body, ret);
    }
    if (ret->kind == WS_KIND_MEMORY) {
        ws_memory_operation_init(&ret->operation, ret);
    }
    return TRUE;
}

/* The pool: every literal word broadcast over a row. */
static void build_pool(Decoder *decoder)
{
    WsDecodedProgram *result = decoder->result;
    gsize bytes = (gsize)decoder->words->len * result->warp_size * sizeof(guint32);
    result->pool_rows = decoder->words->len;
    result->pool = g_aligned_alloc(1, bytes, 64);
    for (guint row = 0; row < result->pool_rows; row++) {
        for (guint lane = 0; lane < result->warp_size; lane++) {
            result->pool[(gsize)row * result->warp_size + lane] =
                g_array_index(decoder->words, guint32, row);
        }
    }
}

static WsDecodedProgram *new_result(const WsProgram *program, const WsKernel *kernel,
                                    const WsDevice *device, const guint32 grid[3],
                                    const guint32 block[3], guint32 dynamic_shared_bytes,
                                    const guint8 *const constants[WS_CONSTANT_BANKS])
{
    WsDecodedProgram *result = g_new0(WsDecodedProgram, 1);
    result->program = program;
    result->kernel = kernel;
    result->instructions = g_new0(WsDecoded, program->instruction_count);
    result->warp_size = (guint32)device->warp_size;
    result->all_lanes = ~(guint64)0 >> (64 - device->warp_size);
    memcpy(result->grid, grid, sizeof result->grid);
    memcpy(result->block, block, sizeof result->block);
    memcpy(result->constants, constants, sizeof result->constants);
    result->clock_khz = device->clock_khz;
    result->slots = (guint32)device->max_warps_per_sm;
    result->sms = (guint32)device->sms;
    result->dynamic_shared_bytes = dynamic_shared_bytes;
    result->total_shared_bytes = kernel->static_shared_bytes + dynamic_shared_bytes;
    lay_out_uniforms(result);
    return result;
}

static void check_device(const WsDevice *device, GError **error)
{
    guint64 size = device->warp_size;
    if (size != 8 && size != 16 && size != 32 && size != 64) {
        ws_set_error(error, WS_ERROR_INPUT,
                     "warp_size must be 8, 16, 32 or 64, not %" G_GUINT64_FORMAT, size);
    }
}

WsDecodedProgram *ws_decode_for_level(const char *force, const WsProgram *program,
                                      const WsKernel *kernel, const WsDevice *device,
                                      const guint32 grid[3], const guint32 block[3],
                                      guint32 dynamic_shared_bytes,
                                      const guint8 *const constants[WS_CONSTANT_BANKS],
                                      GError **error)
{
    GError *problem = NULL;
    const WsBodyTable *table = ws_lanes_table(force);
    check_device(device, &problem);
    if (!problem && !table) {
        ws_set_error(&problem, WS_ERROR_INPUT, "this processor does not run the level %s", force);
    }
    if (problem) {
        g_propagate_error(error, problem);
        return NULL;
    }
    g_autoptr(WsDecodedProgram) result =
        new_result(program, kernel, device, grid, block, dynamic_shared_bytes, constants);
    result->addresses = table->addresses;
    g_autoptr(GHashTable) literals =
        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    g_autoptr(GArray) words = g_array_new(FALSE, TRUE, sizeof(guint32));
    g_array_set_size(words, FIRST_LITERAL);
    Decoder decoder = {result, table, literals, words};
    for (guint index = 0; index < program->instruction_count; index++) {
        if (!decode_instruction(&decoder, index, error)) {
            return NULL;
        }
    }
    build_pool(&decoder);
    return g_steal_pointer(&result);
}

WsDecodedProgram *ws_decode(const WsProgram *program, const WsKernel *kernel,
                            const WsDevice *device, const guint32 grid[3], const guint32 block[3],
                            guint32 dynamic_shared_bytes,
                            const guint8 *const constants[WS_CONSTANT_BANKS], GError **error)
{
    return ws_decode_for_level(NULL, program, kernel, device, grid, block, dynamic_shared_bytes,
                               constants, error);
}

void ws_decoded_program_free(WsDecodedProgram *decoded)
{
    if (!decoded) {
        return;
    }
    g_aligned_free(decoded->pool);
    g_free(decoded->instructions);
    g_free(decoded);
}

static void put_word(guint8 *bank, guint offset, guint32 value)
{
    for (guint n = 0; n < 4; n++) {
        bank[offset + n] = (guint8)(value >> (8 * n));
    }
}

/* As drivers lay it out, as far as ptxas's code reads it. */
static void fill_machine_words(guint8 *bank, const WsKernel *kernel)
{
    put_word(bank, WS_MACHINE_LOCAL_WINDOW, (guint32)WS_LOCAL_WINDOW);
    put_word(bank, WS_MACHINE_STACK, kernel->local_bytes);
}

static void fill_own_words(guint8 *bank, const WsKernel *kernel)
{
    put_word(bank, WS_CONSTANT_SHARED_WINDOW, (guint32)WS_SHARED_WINDOW);
    put_word(bank, WS_CONSTANT_LOCAL_WINDOW, (guint32)WS_LOCAL_WINDOW);
    put_word(bank, WS_CONSTANT_DYNAMIC_SHARED, kernel->static_shared_bytes);
    put_word(bank, WS_CONSTANT_STACK, kernel->local_bytes - kernel->stack_bytes);
}

void ws_fill_bank0(guint8 *bank, const WsProgram *program, const WsKernel *kernel,
                   const guint32 grid[3], const guint32 block[3], const guint8 *parameters)
{
    for (guint axis = 0; axis < 3; axis++) {
        put_word(bank, WS_CONSTANT_BLOCK_DIM + 4 * axis, block[axis]);
        put_word(bank, WS_CONSTANT_GRID_DIM + 4 * axis, grid[axis]);
    }
    (program->machine != 0 ? fill_machine_words : fill_own_words)(bank, kernel);
    if (program->parameter_base < WS_CONSTANT_BANK_BYTES && kernel->parameter_bytes) {
        guint32 room = WS_CONSTANT_BANK_BYTES - program->parameter_base;
        memcpy(bank + program->parameter_base, parameters, MIN(kernel->parameter_bytes, room));
    }
}
