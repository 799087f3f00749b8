/* atom and red of PTX. */
#include "isa/lower/memory.h"

#include "isa/bytecode/opcode.h"

#define TYPES                                                                                      \
    (WS_PTX_BIT(B32) | WS_PTX_BIT(B64) | WS_PTX_BIT(U32) | WS_PTX_BIT(U64) | WS_PTX_BIT(S32) |     \
     WS_PTX_BIT(S64) | WS_PTX_BIT(F32) | WS_PTX_BIT(F64) | WS_PTX_BIT(F16X2) | WS_PTX_BIT(BF16X2))
#define MODIFIERS                                                                                  \
    "global shared shared::cta relaxed acquire release acq_rel cta gpu sys cluster add and or "    \
    "xor "                                                                                         \
    "min max inc dec exch noftz L2::128B"

static int operation_of(const WsLowerStatement *lower)
{
    static const char *const names[] = {"add", "min", "max", "inc",  "dec",
                                        "and", "or",  "xor", "exch", NULL};
    return ws_lower_which(lower, names);
}

static guint8 type_of(WsPtxType type)
{
    switch (type) {
    case WS_PTX_S32:
        return WS_ATOMIC_S32;
    case WS_PTX_B64:
    case WS_PTX_U64:
        return WS_ATOMIC_U64;
    case WS_PTX_S64:
        return WS_ATOMIC_S64;
    case WS_PTX_F32:
        return WS_ATOMIC_F32;
    case WS_PTX_F64:
        return WS_ATOMIC_F64;
    case WS_PTX_F16X2:
        return WS_ATOMIC_F16X2;
    case WS_PTX_BF16X2:
        return WS_ATOMIC_BF16X2;
    default:
        return WS_ATOMIC_U32;
    }
}

static gboolean is_wide(const WsLowerStatement *lower)
{
    return ws_ptx_type_bits(lower->types[0]) == 64;
}

static gboolean is_float(const WsLowerStatement *lower)
{
    return ws_ptx_type_kind(lower->types[0]) == WS_PTX_KIND_FLOAT;
}

static WsOperand value_operand(WsLowerStatement *lower, guint n)
{
    if (is_wide(lower))
        return ws_lower_source_pair(lower, n);
    return ws_lower_in_register(lower, ws_lower_source(lower, n));
}

static void fence_if(WsLowerStatement *lower, const char *one)
{
    if (ws_lower_has(lower, one) || ws_lower_has(lower, "acq_rel"))
        ws_lower_fence(lower, ws_lower_scope(lower));
}

/* Sums of F32 in L2 flush subnormal numbers; other memory keeps them (PTX ISA, atom; so an H200).
 */
static guint8 in_memory_type(const WsLowerStatement *lower, WsOpcode opcode, int operation)
{
    guint8 type = type_of(lower->types[0]);
    gboolean sum = type == WS_ATOMIC_F32 && operation == WS_ATOMIC_ADD;
    return sum && opcode != WS_OP_ATOMS ? WS_ATOMIC_F32_FTZ : type;
}

static void set_atomic(WsLowerStatement *lower, WsInstruction *atomic, int operation)
{
    const WsOpcodeInfo *info = ws_opcode_info(atomic->opcode);
    for (guint i = 0; i < info->modifier_count; i++) {
        guint group = info->modifiers[i];
        if (group == WS_MOD_ADDRESS)
            atomic->mod[group] = 1;
        else if (group == WS_MOD_ATOMIC)
            atomic->mod[group] = (guint8)operation;
        else if (group == WS_MOD_ATOMIC_TYPE)
            atomic->mod[group] = in_memory_type(lower, atomic->opcode, operation);
        else if (group == WS_MOD_SCOPE)
            atomic->mod[group] = ws_lower_scope(lower);
    }
}

/* ---- shared memory has no such operation: a loop around compare-and-swap ---- */

/* new = old op b, for what ATOMS does not do. */
static gboolean combine(WsLowerStatement *lower, int operation, WsOperand d, WsOperand old,
                        WsOperand b)
{
    static const guint8 tables[] = {
        [WS_ATOMIC_AND] = 0xc0, [WS_ATOMIC_OR] = 0xfc, [WS_ATOMIC_XOR] = 0x3c};
    WsOperand old1 = ws_operand_word(old, 1);
    WsOperand b1 = ws_operand_word(b, 1);
    WsOperand d1 = ws_operand_word(d, 1);
    if (lower->types[0] == WS_PTX_F32) {
        EMIT(lower, FADD, d, old, b);
    } else if (lower->types[0] == WS_PTX_F64) {
        EMIT(lower, DADD, d, old, b);
    } else if (is_float(lower)) {
        EMIT(lower, HADD2, d, old, b)->mod[WS_MOD_HALF_TYPE] = lower->types[0] == WS_PTX_BF16X2;
    } else if (operation == WS_ATOMIC_ADD) {
        ws_lower_add_pair(lower, d, old, old1, b, b1);
    } else if (operation == WS_ATOMIC_MIN || operation == WS_ATOMIC_MAX) {
        WsOperand low = ws_lower_temporary_predicate(lower);
        WsOperand p = ws_lower_temporary_predicate(lower);
        ws_lower_compare(lower, low, WS_ICMP_LT, TRUE, old, b);
        WsInstruction *high =
            EMIT(lower, ISETP, p, ws_operand_none(), old1, b1, ws_operand_none(), low);
        high->mod[WS_MOD_ICMP] = WS_ICMP_LT;
        high->mod[WS_MOD_UNSIGNED] = lower->types[0] != WS_PTX_S64;
        high->mod[WS_MOD_EXTENDED] = 1;
        if (operation == WS_ATOMIC_MAX)
            p = ws_operand_negated(p);
        ws_lower_select(lower, d, p, old, b);
        ws_lower_select(lower, d1, p, old1, b1);
    } else if (operation <= WS_ATOMIC_XOR && tables[operation] != 0) {
        ws_lower_logic(lower, d, old, b, ws_operand_zero(), tables[operation]);
        ws_lower_logic(lower, d1, old1, b1, ws_operand_zero(), tables[operation]);
    } else {
        return FALSE;
    }
    return TRUE;
}

/* p = old != seen */
static void differs(WsLowerStatement *lower, WsOperand p, WsOperand old, WsOperand seen)
{
    WsOperand low = p;
    if (is_wide(lower))
        low = ws_lower_temporary_predicate(lower);
    ws_lower_compare(lower, low, WS_ICMP_NE, TRUE, old, seen);
    if (!is_wide(lower))
        return;
    WsInstruction *high = EMIT(lower, ISETP, p, ws_operand_none(), ws_operand_word(old, 1),
                               ws_operand_word(seen, 1), ws_operand_none(), low);
    high->mod[WS_MOD_ICMP] = WS_ICMP_NE;
    high->mod[WS_MOD_UNSIGNED] = 1;
    high->mod[WS_MOD_EXTENDED] = 1;
}

static void swap_loop(WsLowerStatement *lower, int operation, WsOperand d, WsOperand address,
                      WsOperand b)
{
    guint words = is_wide(lower) ? 2 : 1;
    WsOperand old = ws_lower_temporary(lower, words);
    WsOperand new = ws_lower_temporary(lower, words);
    WsOperand seen = ws_lower_temporary(lower, words);
    WsOperand p = ws_lower_temporary_predicate(lower);
    EMIT(lower, LDS, old, address)->mod[WS_MOD_WIDTH] = words == 2 ? WS_WIDTH_64 : WS_WIDTH_32;
    guint32 loop = ws_ir_new_block(lower->kernel->ir);
    guint32 done = ws_ir_new_block(lower->kernel->ir);
    ws_lower_fall_through(lower->kernel, loop);
    if (!combine(lower, operation, new, old, b)) {
        ws_lower_refuse(lower);
        return;
    }
    EMIT(lower, ATOMS_CAS, seen, address, old, new)->mod[WS_MOD_ATOMIC_TYPE] =
        words == 2 ? WS_ATOMIC_U64 : WS_ATOMIC_U32;
    differs(lower, p, old, seen);
    for (guint w = 0; w < words; w++)
        ws_lower_move(lower, ws_operand_word(old, w), ws_operand_word(seen, w));
    ws_lower_branch(lower, p, loop, done);
    for (guint w = 0; w < words; w++)
        ws_lower_move(lower, ws_operand_word(d, w), ws_operand_word(old, w));
}

/* ---- atom ---- */

static gboolean shared_has(const WsLowerStatement *lower, int operation)
{
    return operation == WS_ATOMIC_EXCH || (!is_wide(lower) && !is_float(lower));
}

static void perform(WsLowerStatement *lower, WsOperand d, guint address_operand)
{
    WsPtxSpace space = ws_lower_space(lower);
    int operation = operation_of(lower);
    gboolean add_only = is_float(lower) && operation != WS_ATOMIC_ADD;
    if (operation < 0 || (add_only && operation != WS_ATOMIC_EXCH)) {
        ws_lower_refuse(lower);
        return;
    }
    fence_if(lower, "release");
    WsOperand address = ws_lower_address(lower, address_operand, space);
    WsOperand b = value_operand(lower, address_operand + 1);
    gboolean no_result = d.index == WS_RZ && operation != WS_ATOMIC_EXCH;
    if (space == WS_PTX_SPACE_SHARED && !shared_has(lower, operation))
        swap_loop(lower, operation, d, address, b);
    else if (space == WS_PTX_SPACE_SHARED)
        set_atomic(lower, EMIT(lower, ATOMS, d, address, b), operation);
    else if (space == WS_PTX_SPACE_GENERIC)
        set_atomic(lower, EMIT(lower, ATOM, d, address, b), operation);
    else if (no_result)
        set_atomic(lower, EMIT(lower, RED, address, b), operation);
    else
        set_atomic(lower, EMIT(lower, ATOMG, d, address, b), operation);
    fence_if(lower, "acquire");
}

static void lower_atom(WsLowerStatement *lower)
{
    perform(lower, ws_lower_destination(lower, 0), 1);
}

static void lower_red(WsLowerStatement *lower)
{
    perform(lower, ws_operand_zero(), 0);
}

static void lower_cas(WsLowerStatement *lower)
{
    WsPtxSpace space = ws_lower_space(lower);
    WsOpcode opcode = space == WS_PTX_SPACE_SHARED   ? WS_OP_ATOMS_CAS
                      : space == WS_PTX_SPACE_GLOBAL ? WS_OP_ATOMG_CAS
                                                     : WS_OP_ATOM_CAS;
    fence_if(lower, "release");
    const WsOperand operands[] = {ws_lower_destination(lower, 0), ws_lower_address(lower, 1, space),
                                  value_operand(lower, 2), value_operand(lower, 3)};
    set_atomic(lower, ws_lower_emit(lower, opcode, operands, 4), 0);
    fence_if(lower, "acquire");
}

const WsPtxRow ws_ptx_atomic_rows[] = {
    {"atom", MODIFIERS, TYPES, 0, 3, 3, WS_PTX_ROW_BRANCHES_IF_SHARED, lower_atom},
    {"atom",
     "cas global shared shared::cta relaxed acquire release acq_rel cta gpu sys cluster L2::128B",
     WS_PTX_BIT(B32) | WS_PTX_BIT(B64) | WS_PTX_BIT(U32) | WS_PTX_BIT(U64), 0, 4, 4, 0, lower_cas},
    {"red", MODIFIERS, TYPES, 0, 2, 2, WS_PTX_ROW_BRANCHES_IF_SHARED, lower_red},
    {0}};
