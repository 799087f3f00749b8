/*
 * Loads of neighbouring words of shared memory become one load of 64 or 128 bits, as ptxas does
 * where it knows the alignment: a tile's row that is read word by word takes a quarter of the
 * instructions (seen in the code of the CUDA samples' matrixMul for sm_90).
 *
 * Inside a block, loads of 32 and 64 bits from the same unchanged base register are looked at
 * together, up to anything that may write shared memory or order accesses. The wide load takes the
 * place of the first of them; each of the others becomes MOVs, which copy propagation removes.
 */
#include "isa/bytecode/opcode.h"
#include "isa/ir/variables.h"
#include "isa/optimise/optimise.h"

#include <string.h>

enum { QUAD = 16, ALIGNED = 31 };

typedef struct {
    guint32 at; /* number in the block */
    guint32 words;
    gint32 offset;
    gboolean merged;
} Load;

typedef struct {
    WsOperand base; /* offset aside */
    guint32 variable;
    guint zeros; /* low bits of the base that are known to be 0 */
    GArray *loads;
} Base;

typedef struct {
    WsIrFunction *function;
    WsVariables variables;
    guint8 *zeros;      /* per variable: low bits that are 0 */
    GPtrArray *bases;   /* of Base, at hand */
    GPtrArray *before;  /* per instruction of the block: WsInstruction to stand there */
    WsOperand *sources; /* per instruction of the block: what a merged load's words come from */
} Merger;

/* ---- what is known of a base ---- */

static guint zeros_of_value(guint32 value)
{
    return value == 0 ? ALIGNED : MIN((guint)__builtin_ctz(value), ALIGNED);
}

/* Low bits of an integer operand that are 0 in every lane, as far as known. */
static guint zeros_of_operand(const Merger *merger, const WsOperand *operand)
{
    if (operand->kind == WS_OPERAND_IMMEDIATE)
        return zeros_of_value(operand->value);
    if (operand->kind != WS_OPERAND_REGISTER)
        return 0;
    if (operand->index == WS_RZ)
        return ALIGNED;
    if (operand->index < WS_VIRTUAL_BASE)
        return 0;
    return merger->zeros[merger->variables.first[operand->index - WS_VIRTUAL_BASE] + operand->bank];
}

static guint zeros_of_sum(const Merger *merger, const WsInstruction *sum, guint first, guint last)
{
    guint zeros = ALIGNED;
    for (guint n = first; n <= last; n++)
        zeros = MIN(zeros, zeros_of_operand(merger, &sum->operand[n]));
    return zeros;
}

static guint zeros_of_result(const Merger *merger, const WsInstruction *writer)
{
    const WsOperand *operand = writer->operand;
    switch (writer->opcode) {
    case WS_OP_MOV:
        return zeros_of_operand(merger, &operand[1]);
    case WS_OP_IADD3:
        return writer->mod[WS_MOD_EXTENDED] ? 0 : zeros_of_sum(merger, writer, 3, 5);
    case WS_OP_IMAD: {
        guint product =
            zeros_of_operand(merger, &operand[1]) + zeros_of_operand(merger, &operand[2]);
        return MIN(product, zeros_of_operand(merger, &operand[3]));
    }
    case WS_OP_LEA:
        if (writer->mod[WS_MOD_HIGH] || writer->mod[WS_MOD_EXTENDED])
            return 0;
        return MIN(zeros_of_operand(merger, &operand[2]) + operand[5].value,
                   zeros_of_operand(merger, &operand[3]));
    case WS_OP_SHF:
        if (writer->mod[WS_MOD_DIRECTION] != WS_DIRECTION_LEFT || writer->mod[WS_MOD_HIGH] ||
            writer->mod[WS_MOD_SHIFT_TYPE] != WS_SHIFT_U32 ||
            operand[2].kind != WS_OPERAND_IMMEDIATE)
            return 0;
        return zeros_of_operand(merger, &operand[1]) + MIN(operand[2].value, 31);
    case WS_OP_LOP3:
        if (operand[3].kind != WS_OPERAND_IMMEDIATE || operand[5].value != 0xc0) /* a & b */
            return 0;
        return MAX(zeros_of_operand(merger, &operand[2]), zeros_of_value(operand[3].value));
    default:
        return 0;
    }
}

/* Takes from what is known of the instruction's results; TRUE if it took anything. */
static gboolean lower_zeros(Merger *merger, const WsInstruction *instruction)
{
    gboolean lowered = FALSE;
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    for (guint a = 0; a < count; a++) {
        guint32 first;
        guint words = ws_variables_of(&merger->variables, &accesses[a], &first);
        gboolean known = words == 1 && accesses[a].operand == 0;
        for (guint w = 0; w < words && accesses[a].write; w++) {
            guint8 *zeros = &merger->zeros[first + w];
            guint now = known && *zeros > 0 ? zeros_of_result(merger, instruction) : 0;
            lowered |= now < *zeros;
            *zeros = (guint8)MIN(now, *zeros);
        }
    }
    return lowered;
}

/*
 * All bits are taken for 0 at first, then less and less, until every instruction agrees: so what is
 * counted up in a loop keeps the bits that its start and its step have in common.
 */
static void find_zeros(Merger *merger)
{
    memset(merger->zeros, ALIGNED, merger->variables.count + 1);
    for (gboolean lowered = TRUE; lowered;) {
        lowered = FALSE;
        for (guint32 b = 0; b < merger->function->blocks->len; b++) {
            WsIrBlock *block = ws_ir_block(merger->function, b);
            for (guint i = 0; i < ws_ir_length(block); i++)
                lowered |= lower_zeros(merger, ws_ir_instruction(block, i));
        }
    }
}

/* ---- loads of a base ---- */

static void base_free(gpointer data)
{
    Base *base = data;
    g_array_unref(base->loads);
    g_free(base);
}

static guint words_of(const WsInstruction *load)
{
    guint8 width = load->mod[WS_MOD_WIDTH];
    return width == WS_WIDTH_32 ? 1 : width == WS_WIDTH_64 ? 2 : 0;
}

static gboolean is_mergeable(const WsInstruction *load)
{
    return load->opcode == WS_OP_LDS && !ws_is_guarded(load) && words_of(load) != 0 &&
           !ws_is_volatile(load) && load->operand[1].uniform == WS_URZ &&
           load->operand[0].index >= WS_VIRTUAL_BASE &&
           (load->operand[1].index >= WS_VIRTUAL_BASE || load->operand[1].index == WS_RZ);
}

/* TRUE for what a load of shared memory may not be moved over. */
static gboolean is_border(const WsInstruction *instruction)
{
    if (ws_is_store(instruction) &&
        ws_opcode_has(instruction->opcode, WS_FLAG_GLOBAL | WS_FLAG_LOCAL))
        return ws_is_volatile(instruction);
    return ws_has_effect(instruction);
}

static Base *base_of(Merger *merger, const WsInstruction *load)
{
    WsOperand operand = load->operand[1];
    operand.value = 0;
    for (guint i = 0; i < merger->bases->len; i++) {
        Base *base = merger->bases->pdata[i];
        if (base->base.index == operand.index && base->base.bank == operand.bank)
            return base;
    }
    Base *base = g_new0(Base, 1);
    WsOperand as_register = {
        .kind = WS_OPERAND_REGISTER, .index = operand.index, .bank = operand.bank};
    base->base = operand;
    base->variable = operand.index == WS_RZ
                         ? G_MAXUINT32
                         : merger->variables.first[operand.index - WS_VIRTUAL_BASE] + operand.bank;
    base->zeros = zeros_of_operand(merger, &as_register);
    base->loads = g_array_new(FALSE, FALSE, sizeof(Load));
    g_ptr_array_add(merger->bases, base);
    return base;
}

static WsInstruction *wide_load(Merger *merger, const Base *base, const WsInstruction *first,
                                gint32 offset, guint words)
{
    WsInstruction *load = g_new(WsInstruction, 1);
    *load = *first;
    load->origin = 0;
    load->mod[WS_MOD_WIDTH] = words == 4 ? WS_WIDTH_128 : WS_WIDTH_64;
    load->operand[0].index = ws_ir_new_register(merger->function, words);
    load->operand[0].bank = 0;
    load->operand[1] = base->base;
    load->operand[1].value = (guint32)offset;
    return load;
}

/* Loads that lie in `bytes` bytes from `offset` on become one, if they fill them. */
static void merge_window(Merger *merger, Base *base, WsIrBlock *block, gint32 offset, guint bytes)
{
    guint32 covered = 0, first = G_MAXUINT32;
    for (guint i = 0; i < base->loads->len; i++) {
        const Load *load = &g_array_index(base->loads, Load, i);
        guint place = (guint)(load->offset - offset) / 4;
        if (load->merged || load->offset < offset || place + load->words > bytes / 4)
            continue;
        covered |= ((1U << load->words) - 1) << place;
        first = MIN(first, load->at);
    }
    if (covered != (1U << bytes / 4) - 1)
        return;
    WsInstruction *wide =
        wide_load(merger, base, ws_ir_instruction(block, first), offset, bytes / 4);
    g_free(merger->before->pdata[first]);
    merger->before->pdata[first] = wide;
    for (guint i = 0; i < base->loads->len; i++) {
        Load *load = &g_array_index(base->loads, Load, i);
        guint place = (guint)(load->offset - offset) / 4;
        if (load->merged || load->offset < offset || place + load->words > bytes / 4)
            continue;
        load->merged = TRUE;
        merger->sources[load->at] = wide->operand[0];
        merger->sources[load->at].bank = (guint8)place;
    }
}

static gint by_offset(gconstpointer a, gconstpointer b)
{
    const Load *x = a, *y = b;
    return x->offset != y->offset ? (x->offset < y->offset ? -1 : 1)
                                  : (x->at < y->at ? -1 : x->at > y->at);
}

/* All loads of a base that nothing stands between. */
static void merge_base(Merger *merger, Base *base, WsIrBlock *block)
{
    for (guint bytes = QUAD; bytes > 4 && base->loads->len > 1; bytes /= 2) {
        g_array_sort(base->loads, by_offset);
        for (guint i = 0; i < base->loads->len; i++) {
            const Load *load = &g_array_index(base->loads, Load, i);
            gboolean aligned =
                zeros_of_value((guint32)load->offset | bytes) >= zeros_of_value(bytes);
            if (!load->merged && load->words * 4 < bytes && aligned &&
                base->zeros >= zeros_of_value(bytes))
                merge_window(merger, base, block, load->offset, bytes);
        }
    }
    g_array_set_size(base->loads, 0);
}

/* Bases whose register the instruction writes are done with; all of them at a border. */
static void close_bases(Merger *merger, WsIrBlock *block, const WsInstruction *instruction)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    gboolean border = is_border(instruction);
    for (guint i = 0; i < merger->bases->len; i++) {
        Base *base = merger->bases->pdata[i];
        gboolean written = FALSE;
        for (guint a = 0; a < count; a++) {
            guint32 first;
            guint words = ws_variables_of(&merger->variables, &accesses[a], &first);
            written |= accesses[a].write && base->variable - first < words;
        }
        if (border || written)
            merge_base(merger, base, block);
    }
}

/* ---- a block ---- */

static void rewrite(Merger *merger, WsIrBlock *block)
{
    GArray *to = g_array_new(FALSE, TRUE, sizeof(WsInstruction));
    for (guint i = 0; i < block->instructions->len; i++) {
        const WsInstruction *old = &g_array_index(block->instructions, WsInstruction, i);
        const WsOperand *from = &merger->sources[i];
        if (merger->before->pdata[i] != NULL)
            g_array_append_vals(to, merger->before->pdata[i], 1);
        if (from->kind == WS_OPERAND_NONE)
            g_array_append_vals(to, old, 1);
        for (guint w = 0; from->kind != WS_OPERAND_NONE && w < words_of(old); w++) {
            WsInstruction move;
            ws_instruction_init(&move, WS_OP_MOV);
            move.location = old->location;
            move.origin = old->origin == 0 ? 0 : old->origin + w;
            move.operand[0] = old->operand[0];
            move.operand[0].bank = (guint8)(old->operand[0].bank + w);
            move.operand[1] = *from;
            move.operand[1].bank = (guint8)(from->bank + w);
            g_array_append_val(to, move);
        }
    }
    g_array_unref(block->instructions);
    block->instructions = to;
}

static void visit_block(Merger *merger, WsIrBlock *block)
{
    guint count = block->instructions->len;
    merger->bases = g_ptr_array_new_with_free_func(base_free);
    merger->before = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_set_size(merger->before, (gint)count);
    merger->sources = g_new0(WsOperand, count + 1);
    for (guint i = 0; i < count; i++) {
        const WsInstruction *instruction = ws_ir_instruction(block, i);
        if (is_mergeable(instruction)) {
            Load load = {.at = i,
                         .words = words_of(instruction),
                         .offset = (gint32)instruction->operand[1].value};
            g_array_append_val(base_of(merger, instruction)->loads, load);
        }
        close_bases(merger, block, instruction);
    }
    for (guint i = 0; i < merger->bases->len; i++)
        merge_base(merger, merger->bases->pdata[i], block);
    rewrite(merger, block);
    g_ptr_array_unref(merger->bases);
    g_ptr_array_unref(merger->before);
    g_free(merger->sources);
}

void ws_merge_loads(WsIrFunction *function)
{
    Merger merger = {.function = function};
    ws_variables_init(&merger.variables, function);
    merger.zeros = g_new(guint8, merger.variables.count + 1);
    find_zeros(&merger);
    for (guint32 b = 0; b < function->blocks->len; b++)
        visit_block(&merger, ws_ir_block(function, b));
    g_free(merger.zeros);
    ws_variables_clear(&merger.variables);
}
