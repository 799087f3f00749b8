/*
 * Matrix instructions of PTX: mma, ldmatrix, movmatrix. wmma is in isa/lower/wmma.c. The fragments
 * of mma are those of HMMA, IMMA and DMMA, register by register.
 */
#include "isa/lower/matrix.h"

#include "isa/bytecode/opcode.h"
#include "isa/ir/walk.h"

/* The warp meets first; left out later where the lanes are sure to be together. */
void ws_lower_meet_warp(WsLowerStatement *lower)
{
    lower->kernel->ir->kernel.names_lanes = TRUE;
    EMIT(lower, WARPSYNC, ws_operand_immediate(0xffffffff));
}

/* TRUE if the elements are registers of `each` words, or literals and sinks of one. */
static gboolean words_fit(WsLowerStatement *lower, const WsPtxOperand *elements, guint count,
                          guint each)
{
    for (guint i = 0; i < count; i++) {
        gboolean literal = elements[i].kind == WS_PTX_INTEGER ||
                           elements[i].kind == WS_PTX_FLOAT32 ||
                           elements[i].kind == WS_PTX_FLOAT64 || elements[i].kind == WS_PTX_SINK;
        if (literal ? each != 1 : ws_lower_register_words(lower, &elements[i]) != each) {
            ws_lower_fail(lower->kernel, &elements[i].position,
                          "a register of %u bits expected in '%s'", 32 * each,
                          lower->statement->full);
            return FALSE;
        }
    }
    return TRUE;
}

gboolean ws_lower_fragment(WsLowerStatement *lower, guint n, guint count, guint each,
                           const WsPtxOperand **ret)
{
    const WsPtxOperand *operand = &lower->operands[n];
    if (operand->kind != WS_PTX_VECTOR || operand->count != count) {
        ws_lower_fail(lower->kernel, &operand->position, "%u registers expected in '%s'", count,
                      lower->statement->full);
        return FALSE;
    }
    *ret = ws_lower_elements(lower, operand);
    return words_fit(lower, *ret, count, each);
}

WsOperand ws_lower_gather(WsLowerStatement *lower, const WsPtxOperand *elements, guint count)
{
    WsPtxOperand first = elements[0];
    guint each = MAX(ws_lower_register_words(lower, &first), 1);
    if (count * each == 1)
        return ws_lower_in_register(lower, ws_lower_operand_word(lower, &first, WS_PTX_B32, 0));
    WsOperand all = ws_lower_temporary(lower, count * each);
    for (guint i = 0; i < count; i++)
        for (guint word = 0; word < each; word++)
            ws_lower_move(lower, ws_operand_word(all, i * each + word),
                          ws_lower_operand_word(lower, &elements[i],
                                                each == 2 ? WS_PTX_B64 : WS_PTX_B32, word));
    return all;
}

static gboolean literal_value(const WsOperand *operand, guint32 *ret)
{
    gboolean zero = operand->kind == WS_OPERAND_REGISTER && operand->index == WS_RZ;
    *ret = zero ? 0 : operand->value;
    return zero || operand->kind == WS_OPERAND_IMMEDIATE;
}

gboolean ws_lower_known_value(const WsLowerKernel *kernel, WsOperand operand, guint32 *ret)
{
    enum { LOOK_BACK = 512 };
    if (literal_value(&operand, ret))
        return TRUE;
    if (kernel->block == WS_IR_NO_BLOCK)
        return FALSE;
    const WsIrBlock *block = ws_ir_block(kernel->ir, kernel->block);
    const GArray *instructions = block->instructions;
    for (guint i = instructions->len, steps = 0; i-- > 0 && steps < LOOK_BACK; steps++) {
        const WsInstruction *instruction = &g_array_index(instructions, WsInstruction, i);
        for (guint n = 0; n < instruction->operand_count; n++) {
            const WsOperand *d = &instruction->operand[n];
            if (!ws_operand_is_destination(instruction, n) || d->kind != WS_OPERAND_REGISTER ||
                d->index != operand.index || d->bank != operand.bank)
                continue;
            return instruction->opcode == WS_OP_MOV && instruction->guard == WS_PT &&
                   literal_value(&instruction->operand[1], ret);
        }
    }
    return FALSE;
}

WsOperand ws_lower_gather_sum(WsLowerStatement *lower, const WsPtxOperand *elements, guint count)
{
    for (guint i = 0; i < count; i++) {
        for (guint word = 0; word < MAX(ws_lower_register_words(lower, &elements[i]), 1); word++) {
            guint32 value;
            WsOperand element = ws_lower_operand_word(lower, &elements[i], WS_PTX_B64, word);
            if (!ws_lower_known_value(lower->kernel, element, &value) || value != 0)
                return ws_lower_gather(lower, elements, count);
        }
    }
    return ws_operand_zero();
}

void ws_lower_scatter(WsLowerStatement *lower, const WsPtxOperand *elements, guint count,
                      WsOperand from)
{
    guint each = 1;
    for (guint i = 0; i < count; i++) {
        if (elements[i].kind == WS_PTX_SINK)
            continue;
        each = MAX(ws_lower_register_words(lower, &elements[i]), 1);
        WsOperand to = ws_lower_destination_of(lower, &elements[i], 32 * each);
        for (guint word = 0; word < each; word++)
            ws_lower_move(lower, ws_operand_word(to, word), ws_operand_word(from, i * each + word));
    }
}

/* ---- mma ---- */

typedef struct {
    const char *shape;
    guint8 element, sum; /* WS_PTX_*; integers: S8 stands for U8 too */
    guint8 opcode;       /* of enum Product */
    guint8 mod[3];       /* HMMA: shape, accumulator, type; IMMA: shape */
    guint8 a, b, c;      /* registers of a lane */
} Form;

enum Product { PRODUCT_HALF, PRODUCT_INTEGER, PRODUCT_DOUBLE };

static const Form forms[] = {
    {"m16n8k16",
     WS_PTX_F16,
     WS_PTX_F32,
     PRODUCT_HALF,
     {WS_MMA_16816, WS_MMA_F32, WS_MMA_HALF},
     4,
     2,
     4},
    {"m16n8k8",
     WS_PTX_F16,
     WS_PTX_F32,
     PRODUCT_HALF,
     {WS_MMA_1688, WS_MMA_F32, WS_MMA_HALF},
     2,
     1,
     4},
    {"m16n8k16",
     WS_PTX_F16,
     WS_PTX_F16,
     PRODUCT_HALF,
     {WS_MMA_16816, WS_MMA_F16, WS_MMA_HALF},
     4,
     2,
     2},
    {"m16n8k8",
     WS_PTX_F16,
     WS_PTX_F16,
     PRODUCT_HALF,
     {WS_MMA_1688, WS_MMA_F16, WS_MMA_HALF},
     2,
     1,
     2},
    {"m16n8k16",
     WS_PTX_BF16,
     WS_PTX_F32,
     PRODUCT_HALF,
     {WS_MMA_16816, WS_MMA_F32, WS_MMA_BF16},
     4,
     2,
     4},
    {"m16n8k8",
     WS_PTX_BF16,
     WS_PTX_F32,
     PRODUCT_HALF,
     {WS_MMA_1688, WS_MMA_F32, WS_MMA_BF16},
     2,
     1,
     4},
    {"m16n8k8",
     WS_PTX_TF32,
     WS_PTX_F32,
     PRODUCT_HALF,
     {WS_MMA_1688, WS_MMA_F32, WS_MMA_TF32},
     4,
     2,
     4},
    {"m16n8k4",
     WS_PTX_TF32,
     WS_PTX_F32,
     PRODUCT_HALF,
     {WS_MMA_1684, WS_MMA_F32, WS_MMA_TF32},
     2,
     1,
     4},
    {"m16n8k32", WS_PTX_S8, WS_PTX_S32, PRODUCT_INTEGER, {WS_IMMA_16832}, 4, 2, 4},
    {"m16n8k16", WS_PTX_S8, WS_PTX_S32, PRODUCT_INTEGER, {WS_IMMA_16816}, 2, 1, 4},
    {"m8n8k4", WS_PTX_F64, WS_PTX_F64, PRODUCT_DOUBLE, {0}, 1, 1, 2},
};

static gboolean is_byte(WsPtxType type)
{
    return type == WS_PTX_S8 || type == WS_PTX_U8;
}

/* The types are those of D, A, B, C. */
static const Form *find_form(const WsLowerStatement *lower)
{
    const WsPtxType *types = lower->types;
    gboolean bytes = is_byte(types[1]) && is_byte(types[2]);
    WsPtxType element = bytes ? WS_PTX_S8 : types[1];
    if (lower->type_count != 4 || types[0] != types[3] || (!bytes && types[1] != types[2]) ||
        !ws_lower_has(lower, "row") || !ws_lower_has(lower, "col") ||
        (!bytes && ws_lower_has(lower, "satfinite")))
        return NULL;
    for (guint i = 0; i < G_N_ELEMENTS(forms); i++)
        if (forms[i].element == element && forms[i].sum == types[0] &&
            ws_lower_has(lower, forms[i].shape))
            return &forms[i];
    return NULL;
}

static void set_modifiers(const WsLowerStatement *lower, const Form *form, WsInstruction *product)
{
    if (form->opcode == PRODUCT_HALF) {
        product->mod[WS_MOD_MMA_SHAPE] = form->mod[0];
        product->mod[WS_MOD_MMA_ACCUMULATOR] = form->mod[1];
        product->mod[WS_MOD_MMA_TYPE] = form->mod[2];
    } else if (form->opcode == PRODUCT_INTEGER) {
        static const guint8 dot[2][2] = {{0, 2}, {3, 1}}; /* in the order of modifiers.def */
        product->mod[WS_MOD_IMMA_SHAPE] = form->mod[0];
        product->mod[WS_MOD_DOT] = dot[lower->types[1] == WS_PTX_S8][lower->types[2] == WS_PTX_S8];
        product->mod[WS_MOD_SAT] = ws_lower_has(lower, "satfinite");
    }
}

/* mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {d}, {a}, {b}, {c} */
static void lower_mma(WsLowerStatement *lower)
{
    static const WsOpcode opcodes[] = {WS_OP_HMMA, WS_OP_IMMA, WS_OP_DMMA};
    const Form *form = find_form(lower);
    const WsPtxOperand *a, *b, *c, *d;
    if (form == NULL) {
        ws_lower_refuse(lower);
        return;
    }
    guint each = form->opcode == PRODUCT_DOUBLE ? 2 : 1;
    if (!ws_lower_fragment(lower, 0, form->c, each, &d) ||
        !ws_lower_fragment(lower, 1, form->a, each, &a) ||
        !ws_lower_fragment(lower, 2, form->b, each, &b) ||
        !ws_lower_fragment(lower, 3, form->c, each, &c))
        return;
    ws_lower_meet_warp(lower);
    WsOperand sum = ws_lower_temporary(lower, form->c * each);
    const WsOperand operands[] = {sum, ws_lower_gather(lower, a, form->a),
                                  ws_lower_gather(lower, b, form->b),
                                  ws_lower_gather_sum(lower, c, form->c)};
    set_modifiers(lower, form, ws_lower_emit(lower, opcodes[form->opcode], operands, 4));
    ws_lower_scatter(lower, d, form->c, sum);
}

/* ---- matrices of 8x8 16-bit elements ---- */

WsOperand ws_lower_offset_in_shared(WsLowerStatement *lower, WsOperand generic)
{
    WsOperand window = ws_operand_constant(0, WS_CONSTANT_SHARED_WINDOW);
    WsOperand offset = ws_lower_temporary(lower, 1);
    ws_lower_add(lower, offset, generic, ws_operand_negated(window));
    return offset;
}

/* The shared address that operand `n` is; a generic one is in shared memory, by PTX's rule. */
static WsOperand shared_address(WsLowerStatement *lower, guint n)
{
    WsPtxSpace space = ws_lower_space(lower);
    WsOperand address = ws_lower_address(lower, n, space), low = address;
    if (space == WS_PTX_SPACE_SHARED)
        return address;
    low.kind = WS_OPERAND_REGISTER;
    low.value = 0;
    WsOperand base = ws_lower_offset_in_shared(lower, low);
    base.kind = WS_OPERAND_ADDRESS;
    base.uniform = WS_URZ;
    base.value = address.value;
    return base;
}

/* ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {d}, [address] */
static void lower_ldmatrix(WsLowerStatement *lower)
{
    static const char *const counts[] = {"x1", "x2", "x4", NULL};
    int count = ws_lower_which(lower, counts);
    const WsPtxOperand *to = &lower->operands[0];
    if (count < 0) {
        ws_lower_refuse(lower);
        return;
    }
    guint matrices = 1u << count;
    if ((matrices > 1 || to->kind == WS_PTX_VECTOR) &&
        !ws_lower_fragment(lower, 0, matrices, 1, &to))
        return;
    if (!words_fit(lower, to, matrices, 1))
        return;
    ws_lower_meet_warp(lower);
    WsOperand loaded = ws_lower_temporary(lower, matrices);
    WsOperand address = shared_address(lower, 1);
    WsInstruction *load = EMIT(lower, LDSM, loaded, address);
    load->mod[WS_MOD_MATRIX_COUNT] = (guint8)count;
    load->mod[WS_MOD_MATRIX_LAYOUT] = ws_lower_has(lower, "trans");
    ws_lower_scatter(lower, to, matrices, loaded);
}

/* movmatrix.sync.aligned.m8n8.trans.b16 d, a */
static void lower_movmatrix(WsLowerStatement *lower)
{
    if (!ws_lower_has(lower, "trans") || !words_fit(lower, &lower->operands[0], 1, 1) ||
        !words_fit(lower, &lower->operands[1], 1, 1)) {
        ws_lower_refuse(lower);
        return;
    }
    ws_lower_meet_warp(lower);
    WsOperand a = ws_lower_gather(lower, &lower->operands[1], 1), d = ws_lower_temporary(lower, 1);
    EMIT(lower, MOVM, d, a);
    ws_lower_scatter(lower, &lower->operands[0], 1, d);
}

#define MEMORY   "global shared shared::cta"
#define SUMS     (WS_PTX_BIT(F32) | WS_PTX_BIT(F16) | WS_PTX_BIT(S32) | WS_PTX_BIT(F64))
#define ELEMENTS (SUMS | WS_PTX_BIT(BF16) | WS_PTX_BIT(TF32) | WS_PTX_BIT(S8) | WS_PTX_BIT(U8))

const WsPtxRow ws_ptx_matrix_rows[] = {
    {"mma", "sync aligned m16n8k16 m16n8k8 m16n8k4 m16n8k32 m8n8k4 row col satfinite", SUMS,
     ELEMENTS, 4, 4, 0, lower_mma},
    {"ldmatrix", "sync aligned m8n8 x1 x2 x4 trans shared shared::cta", WS_PTX_BIT(B16), 0, 2, 2, 0,
     lower_ldmatrix},
    {"movmatrix", "sync aligned m8n8 trans", WS_PTX_BIT(B16), 0, 2, 2, 0, lower_movmatrix},
    {"wmma", "load a b c sync aligned row col m16n16k16 m32n8k16 m8n32k16 m16n16k8 " MEMORY,
     ELEMENTS, 0, 2, 3, 0, ws_lower_wmma_load},
    {"wmma", "store d sync aligned row col m16n16k16 m32n8k16 m8n32k16 m16n16k8 " MEMORY, SUMS, 0,
     2, 3, 0, ws_lower_wmma_store},
    {"wmma", "mma sync aligned row col m16n16k16 m32n8k16 m8n32k16 m16n16k8 satfinite", SUMS,
     ELEMENTS, 4, 4, 0, ws_lower_wmma_mma},
    {0}};
