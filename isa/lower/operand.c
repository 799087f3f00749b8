/* Operands of PTX as operands of the bytecode. */
#include "isa/base/float_bits.h"
#include "isa/bytecode/opcode.h"
#include "isa/lower/lower.h"

#include <string.h>

/* ---- makers ---- */

WsOperand ws_lower_temporary(WsLowerStatement *lower, guint words)
{
    return ws_operand_register(ws_ir_new_register(lower->kernel->ir, words));
}

WsOperand ws_lower_temporary_predicate(WsLowerStatement *lower)
{
    return ws_operand_predicate(ws_ir_new_predicate(lower->kernel->ir));
}

/* ---- modifiers ---- */

int ws_lower_which(const WsLowerStatement *lower, const char *const *names)
{
    const WsPtxStatement *s = lower->statement;
    for (int n = 0; names[n] != NULL; n++)
        for (guint i = 0; i < s->modifier_count; i++)
            if (strcmp(g_ptr_array_index(lower->frame->function->modifiers, s->first_modifier + i),
                       names[n]) == 0)
                return n;
    return -1;
}

gboolean ws_lower_has(const WsLowerStatement *lower, const char *modifier)
{
    const char *const names[] = {modifier, NULL};
    return ws_lower_which(lower, names) == 0;
}

/* ---- registers ---- */

const WsPtxOperand *ws_lower_elements(const WsLowerStatement *lower, const WsPtxOperand *vector)
{
    return &g_array_index(lower->frame->function->operands, WsPtxOperand, vector->first);
}

static WsPtxType type_of_register(const WsPtxFrame *frame, guint32 index)
{
    return g_array_index(frame->function->registers, guint8, index);
}

static guint words_of_type(WsPtxType type)
{
    return type == WS_PTX_PRED ? 0 : ws_lower_words(type);
}

guint ws_lower_register_words(const WsLowerStatement *lower, const WsPtxOperand *operand)
{
    if (operand->kind != WS_PTX_REGISTER)
        return 0;
    return words_of_type(type_of_register(lower->frame, operand->index));
}

/* IR number of a PTX register, made when it is first met. */
static guint32 number_of_register(WsLowerStatement *lower, guint32 index)
{
    guint32 *number = &lower->frame->registers[index];
    guint words = words_of_type(type_of_register(lower->frame, index));
    if (*number == 0)
        *number = words == 0 ? ws_ir_new_predicate(lower->kernel->ir)
                             : ws_ir_new_register(lower->kernel->ir, words);
    return *number;
}

/* ---- sources ---- */

static guint32 float_literal(const WsPtxOperand *operand, WsPtxType type, guint word)
{
    double wide;
    float narrow;
    if (operand->kind == WS_PTX_FLOAT64) {
        wide = ws_double(operand->value);
        narrow = (float)wide;
    } else {
        narrow = ws_float((guint32)operand->value);
        wide = narrow;
    }
    return ws_ptx_type_bits(type) == 64 ? (guint32)(ws_double_bits(wide) >> (32 * word))
                                        : ws_float_bits(narrow);
}

static WsOperand special_word(WsLowerStatement *lower, const WsPtxOperand *operand, guint word);

static WsOperand register_word(WsLowerStatement *lower, const WsPtxOperand *operand, guint word)
{
    guint words = ws_lower_register_words(lower, operand);
    if (words <= word) {
        ws_lower_fail(lower->kernel, &operand->position, "register '%s' is too narrow for '%s'",
                      operand->name, lower->statement->full);
        return ws_operand_zero();
    }
    return ws_operand_word(ws_operand_register(number_of_register(lower, operand->index)), word);
}

WsOperand ws_lower_shared_base(WsLowerStatement *lower, guint32 offset)
{
    enum { WINDOW_SHIFT = 24 };
    if (!lower->kernel->module->options->load_constants)
        return ws_operand_immediate(offset);
    /* In all lanes: harmless where the statement does not run. */
    WsLowerStatement all = ws_lower_no_statement(lower->kernel);
    WsOperand rank = ws_lower_temporary(&all, 1), base = ws_lower_temporary(&all, 1);
    EMIT(&all, S2R, rank)->operand[1].value = WS_SR_CGACTAID;
    EMIT(&all, LEA, base, ws_operand_none(), rank, ws_operand_immediate(offset), ws_operand_none(),
         ws_operand_immediate(WINDOW_SHIFT));
    return base;
}

WsOperand ws_lower_operand_word(WsLowerStatement *lower, const WsPtxOperand *operand,
                                WsPtxType type, guint word)
{
    switch ((WsPtxOperandKind)operand->kind) {
    case WS_PTX_REGISTER:
        return register_word(lower, operand, word);
    case WS_PTX_INTEGER:
        return ws_operand_immediate((guint32)(operand->value >> (32 * word)));
    case WS_PTX_FLOAT32:
    case WS_PTX_FLOAT64:
        return ws_operand_immediate(float_literal(operand, type, word));
    case WS_PTX_FUNCTION:
        return ws_operand_immediate(
            (guint32)(ws_lower_function_address(lower, operand) >> (32 * word)));
    case WS_PTX_VARIABLE: {
        if (ws_lower_is_stacked(lower->frame, operand->variable))
            return word == 0 ? ws_lower_stacked_place(lower, operand->variable, operand->value)
                             : ws_operand_zero();
        guint64 address = ws_lower_address_of(lower, operand->variable, &operand->position);
        if (operand->variable->space == WS_PTX_SPACE_SHARED && word == 0)
            return ws_lower_shared_base(lower, (guint32)(address + operand->value));
        return ws_operand_immediate((guint32)((address + operand->value) >> (32 * word)));
    }
    case WS_PTX_SPECIAL:
        return special_word(lower, operand, word);
    default:
        ws_lower_fail(lower->kernel, &operand->position, "this operand is not supported in '%s'",
                      lower->statement->full);
        return ws_operand_zero();
    }
}

WsOperand ws_lower_source_word(WsLowerStatement *lower, guint n, guint word)
{
    return ws_lower_operand_word(lower, &lower->operands[n], lower->types[0], word);
}

WsOperand ws_lower_source(WsLowerStatement *lower, guint n)
{
    return ws_lower_source_word(lower, n, 0);
}

WsOperand ws_lower_extend(WsLowerStatement *lower, WsOperand value, WsPtxType type)
{
    guint bits = ws_ptx_type_bits(type);
    gboolean is_signed = ws_ptx_type_kind(type) == WS_PTX_KIND_SIGNED;
    if (bits >= 32 || (value.kind == WS_OPERAND_REGISTER && value.index == WS_RZ))
        return value;
    if (value.kind == WS_OPERAND_IMMEDIATE) {
        guint shift = 32 - bits;
        guint32 shifted = value.value << shift;
        value.value = is_signed ? (guint32)((gint32)shifted >> shift) : shifted >> shift;
        return value;
    }
    WsOperand d = ws_lower_temporary(lower, 1);
    if (is_signed)
        EMIT(lower, PRMT, d, value, ws_operand_immediate(bits == 8 ? 0x8880 : 0x9910),
             ws_operand_zero());
    else
        ws_lower_logic(lower, d, value, ws_operand_immediate(bits == 8 ? 0xff : 0xffff),
                       ws_operand_zero(), 0xc0);
    return d;
}

WsOperand ws_lower_extended(WsLowerStatement *lower, guint n, WsPtxType type)
{
    return ws_lower_extend(lower, ws_lower_source(lower, n), type);
}

WsOperand ws_lower_pair(WsLowerStatement *lower, WsOperand low, WsOperand high)
{
    gboolean together = low.kind == WS_OPERAND_REGISTER && high.kind == WS_OPERAND_REGISTER &&
                        low.flags == 0 && high.flags == 0 && low.index == high.index;
    if (together && (low.index == WS_RZ || (low.bank % 2 == 0 && high.bank == low.bank + 1)))
        return low;
    WsOperand pair = ws_lower_temporary(lower, 2);
    ws_lower_move(lower, pair, low);
    ws_lower_move(lower, ws_operand_word(pair, 1), high);
    return pair;
}

WsOperand ws_lower_source_pair(WsLowerStatement *lower, guint n)
{
    WsOperand low = ws_lower_source_word(lower, n, 0);
    WsOperand high = ws_lower_source_word(lower, n, 1);
    if (low.kind == WS_OPERAND_IMMEDIATE && low.value == 0 && high.value == 0)
        return ws_operand_zero();
    return ws_lower_pair(lower, low, high);
}

WsOperand ws_lower_source_double(WsLowerStatement *lower, guint n)
{
    WsOperand low = ws_lower_source_word(lower, n, 0);
    WsOperand high = ws_lower_source_word(lower, n, 1);
    if (low.kind == WS_OPERAND_IMMEDIATE && high.kind == WS_OPERAND_IMMEDIATE && low.value == 0)
        return high;
    return ws_lower_pair(lower, low, high);
}

WsOperand ws_lower_in_register(WsLowerStatement *lower, WsOperand operand)
{
    if (operand.kind == WS_OPERAND_REGISTER && operand.flags == 0)
        return operand;
    if (operand.kind == WS_OPERAND_IMMEDIATE && operand.value == 0)
        return ws_operand_zero();
    WsOperand d = ws_lower_temporary(lower, 1);
    ws_lower_move(lower, d, operand);
    return d;
}

WsOperand ws_lower_predicate_of(WsLowerStatement *lower, const WsPtxOperand *operand)
{
    WsOperand p = ws_operand_predicate(WS_PT);
    if (operand->kind == WS_PTX_INTEGER) {
        if ((operand->value == 0) != operand->negated)
            p.flags = WS_OPERAND_NEGATE;
        return p;
    }
    if (operand->kind != WS_PTX_REGISTER ||
        type_of_register(lower->frame, operand->index) != WS_PTX_PRED) {
        ws_lower_fail(lower->kernel, &operand->position, "a predicate expected in '%s'",
                      lower->statement->full);
        return p;
    }
    p.index = number_of_register(lower, operand->index);
    p.flags = operand->negated ? WS_OPERAND_NEGATE : 0;
    return p;
}

WsOperand ws_lower_source_predicate(WsLowerStatement *lower, guint n)
{
    return ws_lower_predicate_of(lower, &lower->operands[n]);
}

/* ---- special registers ---- */

enum { FROM_CONSTANT = WS_SR_COUNT, FROM_NUMBER, FROM_WIDE };

static const struct {
    const char *name;
    guint source;  /* WsSpecialRegister, or one of the above */
    guint32 value; /* offset in bank 0, or the number */
    gboolean names_lanes;
} specials[] = {
    {"%tid.x", WS_SR_TID_X, 0, FALSE},
    {"%tid.y", WS_SR_TID_Y, 0, FALSE},
    {"%tid.z", WS_SR_TID_Z, 0, FALSE},
    {"%ctaid.x", WS_SR_CTAID_X, 0, FALSE},
    {"%ctaid.y", WS_SR_CTAID_Y, 0, FALSE},
    {"%ctaid.z", WS_SR_CTAID_Z, 0, FALSE},
    {"%ntid.x", FROM_CONSTANT, WS_CONSTANT_BLOCK_DIM, FALSE},
    {"%ntid.y", FROM_CONSTANT, WS_CONSTANT_BLOCK_DIM + 4, FALSE},
    {"%ntid.z", FROM_CONSTANT, WS_CONSTANT_BLOCK_DIM + 8, FALSE},
    {"%nctaid.x", FROM_CONSTANT, WS_CONSTANT_GRID_DIM, FALSE},
    {"%nctaid.y", FROM_CONSTANT, WS_CONSTANT_GRID_DIM + 4, FALSE},
    {"%nctaid.z", FROM_CONSTANT, WS_CONSTANT_GRID_DIM + 8, FALSE},
    {"%laneid", WS_SR_LANEID, 0, FALSE},
    {"%warpid", WS_SR_WARPID, 0, FALSE},
    {"%nwarpid", WS_SR_NWARPID, 0, FALSE},
    {"%smid", WS_SR_SMID, 0, FALSE},
    {"%nsmid", WS_SR_NSMID, 0, FALSE},
    {"%gridid", WS_SR_GRIDID, 0, FALSE},
    {"%lanemask_eq", WS_SR_LANEMASK_EQ, 0, TRUE},
    {"%lanemask_lt", WS_SR_LANEMASK_LT, 0, TRUE},
    {"%lanemask_le", WS_SR_LANEMASK_LE, 0, TRUE},
    {"%lanemask_gt", WS_SR_LANEMASK_GT, 0, TRUE},
    {"%lanemask_ge", WS_SR_LANEMASK_GE, 0, TRUE},
    {"%clock", WS_SR_CLOCK_LO, 0, FALSE},
    {"%clock_hi", WS_SR_CLOCK_HI, 0, FALSE},
    {"%clock64", FROM_WIDE, WS_SR_CLOCK_LO, FALSE},
    {"%globaltimer", FROM_WIDE, WS_SR_GLOBALTIMER_LO, FALSE},
    {"%globaltimer_lo", WS_SR_GLOBALTIMER_LO, 0, FALSE},
    {"%globaltimer_hi", WS_SR_GLOBALTIMER_HI, 0, FALSE},
    {"%dynamic_smem_size", WS_SR_DYNAMIC_SHARED_SIZE, 0, FALSE},
    {"%total_smem_size", WS_SR_TOTAL_SHARED_SIZE, 0, FALSE},
    {"%cluster_ctarank", FROM_NUMBER, 0, FALSE},
    {"%cluster_nctarank", FROM_NUMBER, 1, FALSE},
    {"%cluster_ctaid.x", FROM_NUMBER, 0, FALSE},
    {"%cluster_ctaid.y", FROM_NUMBER, 0, FALSE},
    {"%cluster_ctaid.z", FROM_NUMBER, 0, FALSE},
    {"%cluster_nctaid.x", FROM_NUMBER, 1, FALSE},
    {"%cluster_nctaid.y", FROM_NUMBER, 1, FALSE},
    {"%cluster_nctaid.z", FROM_NUMBER, 1, FALSE},
    {"%clusterid.x", WS_SR_CTAID_X, 0, FALSE},
    {"%clusterid.y", WS_SR_CTAID_Y, 0, FALSE},
    {"%clusterid.z", WS_SR_CTAID_Z, 0, FALSE},
    {"%nclusterid.x", FROM_CONSTANT, WS_CONSTANT_GRID_DIM, FALSE},
    {"%nclusterid.y", FROM_CONSTANT, WS_CONSTANT_GRID_DIM + 4, FALSE},
    {"%nclusterid.z", FROM_CONSTANT, WS_CONSTANT_GRID_DIM + 8, FALSE},
    {"%ctaid.w", FROM_NUMBER, 0, FALSE},
    {"%tid.w", FROM_NUMBER, 0, FALSE},
    {"%ntid.w", FROM_NUMBER, 1, FALSE},
    {"%nctaid.w", FROM_NUMBER, 1, FALSE},
};

static gboolean is_clock(guint source)
{
    return source == WS_SR_CLOCK_LO || source == WS_SR_CLOCK_HI;
}

static WsOperand read_special(WsLowerStatement *lower, guint source, guint words)
{
    WsOperand d = ws_lower_temporary(lower, words);
    WsOperand special = {.kind = WS_OPERAND_SPECIAL, .value = source, .uniform = WS_URZ};
    if (words == 2)
        EMIT(lower, CS2R, d, special)->mod[WS_MOD_WIDTH] = WS_WIDTH_64;
    else if (is_clock(source))
        EMIT(lower, CS2R, d, special);
    else
        EMIT(lower, S2R, d, special);
    return d;
}

/* Both words are read together, when the low one is asked for: a clock must not carry between. */
static WsOperand wide_word(WsLowerStatement *lower, guint source, guint word)
{
    if (word == 0)
        lower->wide_special = read_special(lower, source, 2);
    return ws_operand_word(lower->wide_special, word);
}

static WsOperand special_word(WsLowerStatement *lower, const WsPtxOperand *operand, guint word)
{
    const guint64 grid_memory = lower->kernel->module->grid_memory;
    if (strcmp(operand->name, WS_PTX_RESERVED_SHARED) == 0)
        return ws_operand_immediate(word == 0 ? lower->kernel->reserved_shared : 0);
    if (strcmp(operand->name, WS_PTX_GRID_MEMORY_HIGH) == 0)
        return ws_operand_immediate(word == 0 ? (guint32)(grid_memory >> 32) : 0);
    if (strcmp(operand->name, WS_PTX_GRID_MEMORY_LOW) == 0)
        return ws_operand_immediate(word == 0 ? (guint32)grid_memory : 0);
    for (guint i = 0; i < G_N_ELEMENTS(specials); i++) {
        if (strcmp(specials[i].name, operand->name) != 0)
            continue;
        guint source = specials[i].source;
        guint32 value = specials[i].value;
        lower->kernel->ir->kernel.names_lanes |= specials[i].names_lanes;
        if (source == FROM_NUMBER)
            return ws_operand_immediate(word == 0 ? value : 0);
        if (source == FROM_CONSTANT)
            return word == 0 ? ws_operand_constant(0, value) : ws_operand_zero();
        if (source == FROM_WIDE)
            return wide_word(lower, value, word);
        return word == 0 ? read_special(lower, source, 1) : ws_operand_zero();
    }
    const char *names[G_N_ELEMENTS(specials) + 1];
    for (guint i = 0; i < G_N_ELEMENTS(specials); i++)
        names[i] = specials[i].name;
    names[G_N_ELEMENTS(specials)] = NULL;
    const char *near = ws_nearest_name(operand->name, names);
    ws_lower_fail(lower->kernel, &operand->position,
                  near == NULL ? "register '%s' is not known%s%s"
                               : "register '%s' is not known; did you mean '%s'%s?",
                  operand->name, near == NULL ? "" : near, "");
    return ws_operand_zero();
}

/* ---- destinations ---- */

static gboolean is_source(const WsLowerStatement *lower, guint n)
{
    const WsPtxOperand *d = &lower->operands[n];
    for (guint i = 0; i < lower->statement->operand_count; i++) {
        const WsPtxOperand *o = &lower->operands[i];
        if (i != n && (o->kind == WS_PTX_REGISTER || o->kind == WS_PTX_ADDRESS) &&
            o->index == d->index)
            return TRUE;
        for (guint k = 0; o->kind == WS_PTX_VECTOR && k < o->count; k++) {
            const WsPtxOperand *e = &ws_lower_elements(lower, o)[k];
            if (e->kind == WS_PTX_REGISTER && e->index == d->index)
                return TRUE;
        }
    }
    return FALSE;
}

WsOperand ws_lower_destination_of(WsLowerStatement *lower, const WsPtxOperand *operand, guint bits)
{
    if (operand->kind == WS_PTX_SINK)
        return ws_operand_zero();
    guint words = ws_lower_register_words(lower, operand);
    if (words == 0 || words * 32 < bits) {
        ws_lower_fail(lower->kernel, &operand->position, "a register of %u bits expected in '%s'",
                      bits, lower->statement->full);
        return ws_operand_zero();
    }
    return ws_operand_register(number_of_register(lower, operand->index));
}

WsOperand ws_lower_destination(WsLowerStatement *lower, guint n)
{
    const WsPtxOperand *operand = &lower->operands[n];
    WsOperand d = ws_lower_destination_of(lower, operand, ws_ptx_type_bits(lower->types[0]));
    if (d.index == WS_RZ || !is_source(lower, n) || lower->move_count == WS_PTX_MAX_MOVES)
        return d;
    WsOperand fresh = ws_lower_temporary(lower, ws_lower_register_words(lower, operand));
    ws_lower_move_when_done(lower, d, fresh);
    return fresh;
}

void ws_lower_done(WsLowerStatement *lower)
{
    const GArray *registers = lower->kernel->ir->registers;
    for (guint i = 0; i < lower->move_count; i++) {
        WsOperand to = lower->moves[i][0], from = lower->moves[i][1];
        guint words = g_array_index(registers, WsIrRegister, to.index - WS_VIRTUAL_BASE).words;
        for (guint w = 0; w < words; w++)
            ws_lower_move(lower, ws_operand_word(to, w), ws_operand_word(from, w));
    }
    if (lower->skip != WS_IR_NO_BLOCK)
        ws_lower_fall_through(lower->kernel, lower->skip);
}

WsOperand ws_lower_destination_predicate(WsLowerStatement *lower, guint n)
{
    if (lower->operands[n].kind == WS_PTX_SINK)
        return ws_operand_predicate(WS_PT);
    WsOperand p = ws_lower_source_predicate(lower, n);
    if (p.flags != 0 || p.index == WS_PT)
        ws_lower_fail(lower->kernel, &lower->operands[n].position,
                      "a predicate register expected in '%s'", lower->statement->full);
    return p;
}

WsOperand ws_lower_second_predicate(WsLowerStatement *lower, guint n)
{
    guint32 second = lower->operands[n].second;
    if (second == WS_PTX_NO_REGISTER)
        return ws_operand_predicate(WS_PT);
    if (type_of_register(lower->frame, second) != WS_PTX_PRED) {
        ws_lower_fail(lower->kernel, &lower->operands[n].position,
                      "a predicate must follow '|' in '%s'", lower->statement->full);
        return ws_operand_predicate(WS_PT);
    }
    return ws_operand_predicate(number_of_register(lower, second));
}
