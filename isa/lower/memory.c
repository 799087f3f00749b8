/* ld, st, fences and prefetch of PTX. */
#include "isa/lower/memory.h"

#include "isa/bytecode/instruction_check.h"
#include "isa/bytecode/opcode.h"

#define LOADABLE                                                                                   \
    (WS_PTX_BIT(S8) | WS_PTX_BIT(U8) | WS_PTX_BIT(B8) | WS_PTX_BIT(S16) | WS_PTX_BIT(U16) |        \
     WS_PTX_BIT(B16) | WS_PTX_BIT(S32) | WS_PTX_BIT(U32) | WS_PTX_BIT(B32) | WS_PTX_BIT(S64) |     \
     WS_PTX_BIT(U64) | WS_PTX_BIT(B64) | WS_PTX_BIT(F16) | WS_PTX_BIT(BF16) | WS_PTX_BIT(F16X2) |  \
     WS_PTX_BIT(BF16X2) | WS_PTX_BIT(F32) | WS_PTX_BIT(F64) | WS_PTX_BIT(B128))
#define SPACES                                                                                     \
    "global shared shared::cta local const param param::entry param::func weak volatile relaxed "  \
    "acquire release cta gpu sys cluster ca cg cs lu cv wb wt nc v2 v4 mmio L1::evict_normal "     \
    "L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate L2::64B L2::128B "         \
    "L2::256B L2::evict_last L2::evict_normal L2::evict_first "

enum { MAX_VECTOR = 4 };

WsPtxSpace ws_lower_space(const WsLowerStatement *lower)
{
    static const char *const names[] = {"global", "shared",       "shared::cta", "local", "const",
                                        "param",  "param::entry", "param::func", NULL};
    static const WsPtxSpace spaces[] = {
        WS_PTX_SPACE_GLOBAL, WS_PTX_SPACE_SHARED, WS_PTX_SPACE_SHARED, WS_PTX_SPACE_LOCAL,
        WS_PTX_SPACE_CONST,  WS_PTX_SPACE_PARAM,  WS_PTX_SPACE_PARAM,  WS_PTX_SPACE_PARAM};
    int n = ws_lower_which(lower, names);
    return n < 0 ? WS_PTX_SPACE_GENERIC : spaces[n];
}

guint8 ws_lower_scope(const WsLowerStatement *lower)
{
    static const char *const names[] = {"gpu", "cta", "sys", "gl", "cluster", NULL};
    static const guint8 scopes[] = {WS_SCOPE_GPU, WS_SCOPE_CTA, WS_SCOPE_SYS, WS_SCOPE_GPU,
                                    WS_SCOPE_GPU};
    int n = ws_lower_which(lower, names);
    return n < 0 ? WS_SCOPE_GPU : scopes[n];
}

void ws_lower_fence(WsLowerStatement *lower, guint8 scope)
{
    ws_lower_emit(lower, WS_OP_MEMBAR, NULL, 0)->mod[WS_MOD_SCOPE] = scope;
}

/* ---- addresses ---- */

static gboolean is_long(WsPtxSpace space)
{
    return space == WS_PTX_SPACE_GLOBAL || space == WS_PTX_SPACE_GENERIC;
}

static WsOperand plain_address(WsOperand base, gint64 offset)
{
    base.kind = WS_OPERAND_ADDRESS;
    base.uniform = WS_URZ;
    base.value = (guint32)(gint32)offset;
    return base;
}

static gboolean offset_fits(gint64 offset)
{
    return offset >= WS_ADDRESS_OFFSET_MIN && offset <= WS_ADDRESS_OFFSET_MAX;
}

/* base + offset where the offset does not fit the instruction. */
static WsOperand far_address(WsLowerStatement *lower, WsOperand base, gint64 offset,
                             gboolean is_pair)
{
    WsOperand low = ws_operand_immediate((guint32)offset);
    WsOperand high = ws_operand_immediate((guint32)((guint64)offset >> 32));
    WsOperand sum = ws_lower_temporary(lower, is_pair ? 2 : 1);
    if (is_pair)
        ws_lower_add_pair(lower, sum, base, ws_operand_word(base, 1), low, high);
    else
        ws_lower_add(lower, sum, base, low);
    return plain_address(sum, 0);
}

static WsOperand register_address(WsLowerStatement *lower, const WsPtxOperand *operand,
                                  WsPtxSpace space)
{
    WsPtxOperand base = *operand;
    base.kind = WS_PTX_REGISTER;
    base.value = 0;
    guint words = ws_lower_register_words(lower, &base);
    if (words == 0 || words > 2 || (is_long(space) && words != 2)) {
        ws_lower_fail(lower->kernel, &operand->position,
                      "register '%s' cannot hold an address here", operand->name);
        return plain_address(ws_operand_zero(), 0);
    }
    WsOperand r = ws_lower_operand_word(lower, &base, WS_PTX_B32, 0);
    gint64 offset = (gint64)operand->value;
    if (!is_long(space)) /* offsets in a window count modulo 4 GiB */
        offset = (gint32)operand->value;
    gboolean in_bank = space == WS_PTX_SPACE_CONST || space == WS_PTX_SPACE_PARAM;
    if (in_bank ? offset >= 0 && offset < WS_CONSTANT_BANK_BYTES : offset_fits(offset))
        return plain_address(r, offset);
    return far_address(lower, r, offset, is_long(space));
}

WsOperand ws_lower_address(WsLowerStatement *lower, guint n, WsPtxSpace space)
{
    const WsPtxOperand *operand = &lower->operands[n];
    if (operand->kind != WS_PTX_ADDRESS) {
        ws_lower_fail(lower->kernel, &operand->position, "an address in brackets expected in '%s'",
                      lower->statement->full);
        return plain_address(ws_operand_zero(), 0);
    }
    if (operand->base == WS_PTX_REGISTER)
        return register_address(lower, operand, space);
    guint64 address = operand->value;
    if (operand->base == WS_PTX_VARIABLE) {
        const WsPtxVariable *variable = operand->variable;
        if (variable->space != space && space != WS_PTX_SPACE_GENERIC)
            ws_lower_fail(lower->kernel, &operand->position, "variable '%s' is not in this space",
                          variable->name);
        if (space == WS_PTX_SPACE_GENERIC && variable->space != WS_PTX_SPACE_GLOBAL)
            ws_lower_fail(lower->kernel, &operand->position,
                          "variable '%s' has no generic address here", variable->name);
        if (ws_lower_is_stacked(lower->frame, variable) && space == WS_PTX_SPACE_LOCAL)
            return plain_address(ws_lower_stacked_place(lower, variable, operand->value), 0);
        guint64 place = ws_lower_address_of(lower, variable, &operand->position);
        if (space == WS_PTX_SPACE_SHARED && lower->kernel->refusal == NULL &&
            lower->kernel->module->options->load_constants && offset_fits((gint32)operand->value))
            return plain_address(ws_lower_shared_base(lower, (guint32)place),
                                 (gint32)operand->value);
        address += place;
    }
    if (!is_long(space) && offset_fits((gint32)address))
        return plain_address(ws_operand_zero(), (gint32)address);
    WsOperand low = ws_operand_immediate((guint32)address);
    WsOperand high = ws_operand_immediate((guint32)(address >> 32));
    return plain_address(
        is_long(space) ? ws_lower_pair(lower, low, high) : ws_lower_in_register(lower, low), 0);
}

/* ---- widths and cache operators ---- */

static guint vector_count(const WsLowerStatement *lower)
{
    return ws_lower_has(lower, "v2") ? 2 : ws_lower_has(lower, "v4") ? 4 : 1;
}

static guint8 width_of(guint bits, gboolean sign)
{
    switch (bits) {
    case 8:
        return sign ? WS_WIDTH_S8 : WS_WIDTH_U8;
    case 16:
        return sign ? WS_WIDTH_S16 : WS_WIDTH_U16;
    case 64:
        return WS_WIDTH_64;
    case 128:
        return WS_WIDTH_128;
    default:
        return WS_WIDTH_32;
    }
}

static guint8 cache_of(const WsLowerStatement *lower)
{
    static const char *const ordered[] = {"relaxed", "acquire", "release", "mmio", NULL};
    static const guint8 strong[] = {WS_CACHE_STRONG_GPU, WS_CACHE_STRONG_CTA, WS_CACHE_STRONG_SYS};
    if (ws_lower_has(lower, "nc"))
        return WS_CACHE_CONSTANT;
    if (ws_lower_has(lower, "volatile") || ws_lower_has(lower, "cv") || ws_lower_has(lower, "wt"))
        return WS_CACHE_STRONG_SYS;
    if (ws_lower_which(lower, ordered) >= 0)
        return strong[ws_lower_scope(lower)];
    if (ws_lower_has(lower, "cg"))
        return WS_CACHE_STRONG_GPU;
    if (ws_lower_has(lower, "cs") || ws_lower_has(lower, "L1::evict_first"))
        return WS_CACHE_EVICT_FIRST;
    return ws_lower_has(lower, "lu") ? WS_CACHE_LAST_USE : WS_CACHE_DEFAULT;
}

static void set_access(const WsLowerStatement *lower, WsInstruction *access, WsPtxSpace space,
                       guint8 width)
{
    access->mod[WS_MOD_WIDTH] = width;
    if (is_long(space)) {
        access->mod[WS_MOD_ADDRESS] = 1;
        access->mod[WS_MOD_CACHE] = cache_of(lower);
    } else if (ws_lower_has(lower, "volatile") || ws_lower_has(lower, "relaxed") ||
               ws_lower_has(lower, "acquire") || ws_lower_has(lower, "release")) {
        /* Not part of the row; it keeps the access in its place until code is emitted. */
        access->mod[WS_MOD_CACHE] = WS_CACHE_STRONG_CTA;
    }
}

/* The value operands of a load or store: one, or the elements of a vector. */
static const WsPtxOperand *values(WsLowerStatement *lower, guint n, guint count)
{
    const WsPtxOperand *operand = &lower->operands[n];
    if (count == 1 && operand->kind != WS_PTX_VECTOR)
        return operand;
    if (operand->kind != WS_PTX_VECTOR || operand->count != count) {
        ws_lower_fail(lower->kernel, &operand->position, "%u values expected in '%s'", count,
                      lower->statement->full);
        return NULL;
    }
    return ws_lower_elements(lower, operand);
}

/* ---- loads ---- */

/* Fills a register that may be wider than the value of type `type` in `low` (and `high`). */
static void spread(WsLowerStatement *lower, const WsPtxOperand *to, WsPtxType type, WsOperand low,
                   WsOperand high)
{
    guint bits = ws_ptx_type_bits(type);
    WsOperand d = ws_lower_destination_of(lower, to, bits);
    ws_lower_move(lower, d, low);
    if (d.index == WS_RZ || ws_lower_register_words(lower, to) < 2)
        return;
    if (bits < 64) {
        high = ws_operand_zero();
        if (ws_ptx_type_kind(type) == WS_PTX_KIND_SIGNED) {
            high = ws_lower_temporary(lower, 1);
            ws_lower_shift(lower, high, ws_operand_zero(), ws_operand_immediate(31), low,
                           WS_DIRECTION_RIGHT, WS_SHIFT_S32, TRUE);
        }
    }
    ws_lower_move(lower, ws_operand_word(d, 1), high);
}

/* Element `i` of 8 or 16 bits out of loaded words. */
static WsOperand element_of(WsLowerStatement *lower, WsOperand words, WsPtxType type, guint i)
{
    guint bits = ws_ptx_type_bits(type);
    guint byte = i * bits / 8;
    WsOperand word = ws_operand_word(words, byte / 4);
    gboolean sign = ws_ptx_type_kind(type) == WS_PTX_KIND_SIGNED;
    guint first = byte % 4;
    guint last = first + bits / 8 - 1;
    guint fill = sign ? 8 + last : 4; /* sign of the last byte, or a byte of RZ */
    guint32 selector = first | (bits == 16 ? last << 4 : fill << 4) | fill << 8 | fill << 12;
    WsOperand d = ws_lower_temporary(lower, 1);
    EMIT(lower, PRMT, d, word, ws_operand_immediate(selector), ws_operand_zero());
    return d;
}

static WsInstruction *emit_load(WsLowerStatement *lower, WsPtxSpace space, WsOperand d,
                                WsOperand address)
{
    static const WsOpcode opcodes[] = {
        [WS_PTX_SPACE_GENERIC] = WS_OP_LD, [WS_PTX_SPACE_GLOBAL] = WS_OP_LDG,
        [WS_PTX_SPACE_SHARED] = WS_OP_LDS, [WS_PTX_SPACE_LOCAL] = WS_OP_LDL,
        [WS_PTX_SPACE_CONST] = WS_OP_LDC,  [WS_PTX_SPACE_PARAM] = WS_OP_LDC};
    if (space == WS_PTX_SPACE_CONST || space == WS_PTX_SPACE_PARAM) {
        address.kind = WS_OPERAND_CONSTANT;
        address.bank = space == WS_PTX_SPACE_CONST ? 3 : 0;
    }
    const WsOperand operands[] = {d, address};
    return ws_lower_emit(lower, opcodes[space], operands, 2);
}

static void load(WsLowerStatement *lower, WsPtxSpace space, WsOperand address)
{
    WsPtxType type = lower->types[0];
    guint count = vector_count(lower);
    guint bits = ws_ptx_type_bits(type);
    guint total = bits * count;
    const WsPtxOperand *to = values(lower, 0, count);
    if (to == NULL || total > 128) {
        ws_lower_refuse(lower);
        return;
    }
    gboolean sign = count == 1 && ws_ptx_type_kind(type) == WS_PTX_KIND_SIGNED;
    WsOperand words = ws_lower_temporary(lower, MAX(1, total / 32));
    guint8 width = width_of(total, sign);
    set_access(lower, emit_load(lower, space, words, address), space, width);
    if (bits == 128) {
        WsOperand d = ws_lower_destination_of(lower, to, 128);
        for (guint w = 0; w < 4; w++)
            ws_lower_move(lower, ws_operand_word(d, w), ws_operand_word(words, w));
        return;
    }
    for (guint i = 0; i < count && lower->kernel->refusal == NULL; i++) {
        if (to[i].kind == WS_PTX_SINK)
            continue;
        if (bits == 64)
            spread(lower, &to[i], type, ws_operand_word(words, 2 * i),
                   ws_operand_word(words, 2 * i + 1));
        else if (bits == 32 || count == 1)
            spread(lower, &to[i], type, ws_operand_word(words, i), ws_operand_zero());
        else
            spread(lower, &to[i], type, element_of(lower, words, type, i), ws_operand_zero());
    }
}

/* ---- constants: banks 0 (parameters) and 3 ---- */

/* A place in a bank that is known: words of 32 bits are operands, smaller ones need LDC. */
static void load_constant(WsLowerStatement *lower, guint bank, guint64 offset)
{
    guint count = vector_count(lower);
    guint bits = ws_ptx_type_bits(lower->types[0]);
    const WsPtxOperand *to = values(lower, 0, count);
    if (to == NULL)
        return;
    if (offset + bits / 8 * count > WS_CONSTANT_BANK_BYTES || offset % (bits / 8) != 0) {
        ws_lower_fail(lower->kernel, &lower->operands[1].position, "'%s' is outside its variable",
                      lower->statement->full);
        return;
    }
    for (guint i = 0; i < count && lower->kernel->refusal == NULL; i++) {
        guint32 at = (guint32)offset + i * bits / 8;
        WsOperand low = ws_operand_constant(bank, at);
        if (to[i].kind == WS_PTX_SINK)
            continue;
        if (bits < 32) {
            WsOperand d = ws_lower_temporary(lower, 1);
            EMIT(lower, LDC, d, low)->mod[WS_MOD_WIDTH] =
                width_of(bits, ws_ptx_type_kind(lower->types[0]) == WS_PTX_KIND_SIGNED);
            low = d;
        }
        spread(lower, &to[i], lower->types[0], low, ws_operand_constant(bank, at + 4));
    }
}

/* ---- .param inside device functions: registers ---- */

static gboolean parameter_place(WsLowerStatement *lower, guint n, guint count, GArray **words,
                                guint64 *offset)
{
    const WsPtxOperand *operand = &lower->operands[n];
    guint64 bytes = ws_ptx_type_bits(lower->types[0]) / 8 * count;
    *words = ws_lower_parameter_words(lower->kernel, lower->frame, operand->variable);
    *offset = operand->value;
    guint64 size = operand->variable->size;
    if (*words != NULL && *offset <= size && bytes <= size - *offset &&
        *offset % (ws_ptx_type_bits(lower->types[0]) / 8) == 0)
        return TRUE;
    ws_lower_fail(lower->kernel, &operand->position, "'%s' is outside parameter '%s'",
                  lower->statement->full, operand->variable->name);
    return FALSE;
}

static WsOperand parameter_word(const GArray *words, guint64 offset)
{
    return ws_operand_register(g_array_index(words, guint32, offset / 4));
}

static void load_parameter(WsLowerStatement *lower)
{
    GArray *words;
    guint64 offset;
    guint count = vector_count(lower);
    guint bytes = ws_ptx_type_bits(lower->types[0]) / 8;
    const WsPtxOperand *to = values(lower, 0, count);
    if (to == NULL || !parameter_place(lower, 1, count, &words, &offset))
        return;
    for (guint i = 0; i < count; i++, offset += bytes) {
        WsOperand low = parameter_word(words, offset);
        if (bytes < 4)
            low = element_of(lower, low, lower->types[0], (guint)(offset % 4) / bytes);
        spread(lower, &to[i], lower->types[0], low,
               bytes == 8 ? parameter_word(words, offset + 4) : ws_operand_zero());
    }
}

static void store_parameter(WsLowerStatement *lower)
{
    GArray *words;
    guint64 offset;
    guint count = vector_count(lower);
    guint bytes = ws_ptx_type_bits(lower->types[0]) / 8;
    const WsPtxOperand *from = values(lower, 1, count);
    if (from == NULL || !parameter_place(lower, 0, count, &words, &offset))
        return;
    for (guint i = 0; i < count; i++, offset += bytes) {
        WsOperand d = parameter_word(words, offset);
        WsOperand value = ws_lower_operand_word(lower, &from[i], lower->types[0], 0);
        guint first = (guint)(offset % 4);
        if (bytes < 4) { /* put the byte or half in its place */
            guint32 selector = 0x7654;
            for (guint b = 0; b < bytes; b++)
                selector = (selector & ~(0xfu << (4 * (first + b)))) | b << (4 * (first + b));
            EMIT(lower, PRMT, d, value, ws_operand_immediate(selector), d);
            continue;
        }
        ws_lower_move(lower, d, value);
        if (bytes == 8)
            ws_lower_move(lower, parameter_word(words, offset + 4),
                          ws_lower_operand_word(lower, &from[i], lower->types[0], 1));
    }
}

static void load_from_parameter(WsLowerStatement *lower)
{
    const WsPtxOperand *operand = &lower->operands[1];
    if (operand->base == WS_PTX_VARIABLE && operand->variable->space != WS_PTX_SPACE_PARAM) {
        ws_lower_fail(lower->kernel, &operand->position, "'%s' is not a parameter", operand->name);
        return;
    }
    if (operand->base != WS_PTX_VARIABLE) {
        load(lower, WS_PTX_SPACE_PARAM, ws_lower_address(lower, 1, WS_PTX_SPACE_PARAM));
        return;
    }
    const guint64 *place = g_hash_table_lookup(lower->kernel->parameters, operand->variable);
    if (place != NULL)
        load_constant(lower, 0, *place + operand->value);
    else
        load_parameter(lower);
}

/* ---- ld, st ---- */

static void lower_ld(WsLowerStatement *lower)
{
    WsPtxSpace space = ws_lower_space(lower);
    const WsPtxOperand *operand = &lower->operands[1];
    if (operand->kind != WS_PTX_ADDRESS) {
        ws_lower_refuse(lower);
        return;
    }
    if (space == WS_PTX_SPACE_PARAM) {
        load_from_parameter(lower);
        return;
    }
    if (space == WS_PTX_SPACE_CONST && operand->base == WS_PTX_VARIABLE) {
        load_constant(lower, 3,
                      ws_lower_address_of(lower, operand->variable, &operand->position) +
                          operand->value);
        return;
    }
    load(lower, space, ws_lower_address(lower, 1, space));
    if (ws_lower_has(lower, "acquire"))
        ws_lower_fence(lower, ws_lower_scope(lower));
}

/* Small elements packed into words, lowest first. */
static WsOperand packed_elements(WsLowerStatement *lower, const WsPtxOperand *from, guint count)
{
    guint bits = ws_ptx_type_bits(lower->types[0]);
    guint each = 32 / bits; /* elements of a word */
    WsOperand words = ws_lower_temporary(lower, MAX(1, bits * count / 32));
    for (guint w = 0; w * each < count; w++) {
        WsOperand sum = ws_lower_operand_word(lower, &from[w * each], lower->types[0], 0);
        for (guint i = 1; i < each && w * each + i < count; i++) {
            guint32 selector = bits == 16 ? 0x5410 : i == 1 ? 0x7640 : i == 2 ? 0x7410 : 0x4210;
            WsOperand next = ws_lower_temporary(lower, 1);
            EMIT(lower, PRMT, next, sum, ws_operand_immediate(selector),
                 ws_lower_operand_word(lower, &from[w * each + i], lower->types[0], 0));
            sum = next;
        }
        ws_lower_move(lower, ws_operand_word(words, w), sum);
    }
    return words;
}

/* The words to store, in one register of as many words. */
static WsOperand stored_words(WsLowerStatement *lower, const WsPtxOperand *from, guint count)
{
    guint bits = ws_ptx_type_bits(lower->types[0]);
    if (count == 1 && bits <= 32)
        return ws_lower_in_register(lower, ws_lower_operand_word(lower, from, lower->types[0], 0));
    if (count == 1 && bits == 64)
        return ws_lower_pair(lower, ws_lower_operand_word(lower, from, lower->types[0], 0),
                             ws_lower_operand_word(lower, from, lower->types[0], 1));
    if (bits < 32)
        return packed_elements(lower, from, count);
    WsOperand words = ws_lower_temporary(lower, bits * count / 32);
    for (guint w = 0; w < bits * count / 32; w++)
        ws_lower_move(
            lower, ws_operand_word(words, w),
            ws_lower_operand_word(lower, &from[w * 32 / bits], lower->types[0], w % (bits / 32)));
    return words;
}

static void lower_st(WsLowerStatement *lower)
{
    static const WsOpcode opcodes[] = {[WS_PTX_SPACE_GENERIC] = WS_OP_ST,
                                       [WS_PTX_SPACE_GLOBAL] = WS_OP_STG,
                                       [WS_PTX_SPACE_SHARED] = WS_OP_STS,
                                       [WS_PTX_SPACE_LOCAL] = WS_OP_STL};
    WsPtxSpace space = ws_lower_space(lower);
    guint count = vector_count(lower);
    guint bits = ws_ptx_type_bits(lower->types[0]);
    const WsPtxOperand *operand = &lower->operands[0];
    if (space == WS_PTX_SPACE_PARAM && operand->kind == WS_PTX_ADDRESS &&
        operand->base == WS_PTX_VARIABLE && operand->variable->space == WS_PTX_SPACE_PARAM) {
        store_parameter(lower);
        return;
    }
    if (space == WS_PTX_SPACE_CONST || space == WS_PTX_SPACE_PARAM || bits * count > 128) {
        ws_lower_refuse(lower);
        return;
    }
    const WsPtxOperand *from = values(lower, 1, count);
    if (from == NULL)
        return;
    if (ws_lower_has(lower, "release"))
        ws_lower_fence(lower, ws_lower_scope(lower));
    WsOperand words = stored_words(lower, from, count);
    const WsOperand operands[] = {ws_lower_address(lower, 0, space), words};
    set_access(lower, ws_lower_emit(lower, opcodes[space], operands, 2), space,
               width_of(bits * count, FALSE));
}

/* ---- fences, hints ---- */

static void lower_membar(WsLowerStatement *lower)
{
    ws_lower_fence(lower, ws_lower_scope(lower));
}

/*
 * Takes its issue slot. Of griddepcontrol there is nothing to wait for and nobody to tell: a grid
 * begins when the one before it has ended.
 */
static void lower_hint(WsLowerStatement *lower)
{
    ws_lower_emit(lower, WS_OP_NOP, NULL, 0);
}

const WsPtxRow ws_ptx_memory_rows[] = {
    {"ld", SPACES, LOADABLE, 0, 2, 2, 0, lower_ld},
    {"ldu", SPACES, LOADABLE, 0, 2, 2, 0, lower_ld},
    {"st", SPACES, LOADABLE, 0, 2, 2, 0, lower_st},
    {"membar", "cta gl sys", 0, 0, 0, 0, 0, lower_membar},
    {"fence", "sc acq_rel cta gpu sys cluster", 0, 0, 0, 0, 0, lower_membar},
    {"prefetch", "global local L1 L2", 0, 0, 1, 1, 0, lower_hint},
    {"prefetchu", "L1", 0, 0, 1, 1, 0, lower_hint},
    {"griddepcontrol", "wait launch_dependents", 0, 0, 0, 0, 0, lower_hint},
    {0}};
