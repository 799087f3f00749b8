/*
 * Coalescing: a register that is a copy of (a word of) another and never live together with it
 * becomes that word, and the MOV goes. Copies in inner loops first.
 */
#include "isa/codegen/code_generation.h"
#include "isa/ir/liveness.h"

typedef struct {
    guint32 begin;
    guint32 end;
} Range;

typedef struct {
    guint32 parent; /* register it is part of, itself if none */
    guint32 offset; /* words from the start of the parent */
} Part;

typedef struct {
    WsIrFunction *function;
    WsLiveness *liveness;
    Part *parts;     /* per register */
    GArray **ranges; /* per word: of Range, ascending; made when first needed */
} Merger;

typedef struct {
    guint32 depth;
    guint32 order;
    guint32 block;
    guint32 instruction;
} Copy;

static Part find(Merger *merger, guint32 index)
{
    Part part = {index, 0};
    while (merger->parts[part.parent].parent != part.parent) {
        Part up = merger->parts[part.parent];
        part.parent = up.parent;
        part.offset += up.offset;
    }
    merger->parts[index] = part;
    return part;
}

static GArray *ranges_of(Merger *merger, guint32 word)
{
    if (merger->ranges[word] == NULL) {
        GArray *list = g_array_new(FALSE, FALSE, sizeof(Range));
        for (const WsSegment *segment = ws_liveness_first(merger->liveness, word); segment != NULL;
             segment = ws_liveness_next(merger->liveness, segment)) {
            Range range = {segment->begin, segment->end};
            g_array_append_val(list, range);
        }
        merger->ranges[word] = list;
    }
    return merger->ranges[word];
}

static gboolean overlap(const GArray *a, const GArray *b)
{
    guint i = 0;
    guint j = 0;
    while (i < a->len && j < b->len) {
        const Range *x = &g_array_index(a, Range, i);
        const Range *y = &g_array_index(b, Range, j);
        if (x->begin < y->end && y->begin < x->end)
            return TRUE;
        if (x->end <= y->end)
            i++;
        else
            j++;
    }
    return FALSE;
}

static GArray *merged(const GArray *a, const GArray *b)
{
    GArray *list = g_array_sized_new(FALSE, FALSE, sizeof(Range), a->len + b->len);
    guint i = 0;
    guint j = 0;
    while (i < a->len || j < b->len) {
        gboolean first = j == b->len || (i < a->len && g_array_index(a, Range, i).begin <
                                                           g_array_index(b, Range, j).begin);
        Range range = first ? g_array_index(a, Range, i++) : g_array_index(b, Range, j++);
        if (list->len > 0 && g_array_index(list, Range, list->len - 1).end == range.begin)
            g_array_index(list, Range, list->len - 1).end = range.end;
        else
            g_array_append_val(list, range);
    }
    return list;
}

static guint words_of(const Merger *merger, guint32 index)
{
    return g_array_index(merger->function->registers, WsIrRegister, index).words;
}

/* Makes register `small` part of `large` at word `offset`, if they are never live together. */
static gboolean merge(Merger *merger, guint32 small, guint32 large, guint32 offset)
{
    const guint32 *first = merger->liveness->variables.first;
    guint words = words_of(merger, small);
    for (guint w = 0; w < words; w++) {
        if (overlap(ranges_of(merger, first[small] + w),
                    ranges_of(merger, first[large] + offset + w)))
            return FALSE;
    }
    for (guint w = 0; w < words; w++) {
        GArray **to = &merger->ranges[first[large] + offset + w];
        GArray *both = merged(*to, merger->ranges[first[small] + w]);
        g_array_unref(*to);
        *to = both;
    }
    merger->parts[small] = (Part){large, offset};
    return TRUE;
}

static gboolean is_copy(const WsInstruction *instruction)
{
    return ws_is_copy(instruction) && instruction->operand[0].kind == WS_OPERAND_REGISTER &&
           instruction->operand[1].kind == WS_OPERAND_REGISTER &&
           instruction->operand[0].index >= WS_VIRTUAL_BASE &&
           instruction->operand[1].index >= WS_VIRTUAL_BASE && instruction->operand[1].flags == 0;
}

static void try_copy(Merger *merger, const WsInstruction *instruction)
{
    const WsOperand *to = &instruction->operand[0];
    const WsOperand *from = &instruction->operand[1];
    Part d = find(merger, to->index - WS_VIRTUAL_BASE);
    Part s = find(merger, from->index - WS_VIRTUAL_BASE);
    if (d.parent == s.parent)
        return;
    gint64 d_word = (gint64)d.offset + to->bank;
    gint64 s_word = (gint64)s.offset + from->bank;
    guint d_words = words_of(merger, d.parent);
    guint s_words = words_of(merger, s.parent);
    gboolean source_is_small = s_words <= d_words;
    guint small_words = MIN(s_words, d_words);
    guint large_words = MAX(s_words, d_words);
    gint64 offset = source_is_small ? d_word - s_word : s_word - d_word;
    if (offset < 0 || offset + small_words > large_words || offset % small_words != 0)
        return;
    merge(merger, source_is_small ? s.parent : d.parent, source_is_small ? d.parent : s.parent,
          (guint32)offset);
}

static gint compare_copies(gconstpointer a, gconstpointer b)
{
    const Copy *x = a;
    const Copy *y = b;
    if (x->depth != y->depth)
        return x->depth > y->depth ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static GArray *collect_copies(const WsIrFunction *function)
{
    GArray *copies = g_array_new(FALSE, FALSE, sizeof(Copy));
    for (guint32 b = 0; b < function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(function, b);
        for (guint i = 0; i < block->instructions->len; i++) {
            if (is_copy(ws_ir_instruction(block, i))) {
                Copy copy = {block->loop_depth, copies->len, b, i};
                g_array_append_val(copies, copy);
            }
        }
    }
    g_array_sort(copies, compare_copies);
    return copies;
}

static void rename_operands(Merger *merger, WsInstruction *instruction)
{
    for (guint n = 0; n < instruction->operand_count; n++) {
        WsOperand *operand = &instruction->operand[n];
        if (ws_operand_width(instruction, n) == 0 || operand->index < WS_VIRTUAL_BASE ||
            operand->kind == WS_OPERAND_UNIFORM_REGISTER)
            continue;
        Part part = find(merger, operand->index - WS_VIRTUAL_BASE);
        operand->index = WS_VIRTUAL_BASE + part.parent;
        operand->bank = (guint8)(operand->bank + part.offset);
    }
}

static void rename_block(Merger *merger, WsIrBlock *block)
{
    guint kept = 0;
    for (guint i = 0; i < block->instructions->len; i++) {
        WsInstruction *instruction = ws_ir_instruction(block, i);
        rename_operands(merger, instruction);
        if (is_copy(instruction) &&
            instruction->operand[0].index == instruction->operand[1].index &&
            instruction->operand[0].bank == instruction->operand[1].bank)
            continue;
        g_array_index(block->instructions, WsInstruction, kept++) = *instruction;
    }
    g_array_set_size(block->instructions, kept);
    rename_operands(merger, &block->branch);
}

/* A register used as the index of a constant operand has no word number there: leave it alone. */
static void pin_indices(Merger *merger, guint8 *pinned)
{
    for (guint32 b = 0; b < merger->function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(merger->function, b);
        for (guint i = 0; i < ws_ir_length(block); i++) {
            const WsInstruction *instruction = ws_ir_instruction(block, i);
            for (guint n = 0; n < instruction->operand_count; n++) {
                const WsOperand *operand = &instruction->operand[n];
                if (operand->kind == WS_OPERAND_CONSTANT && operand->index >= WS_VIRTUAL_BASE)
                    pinned[operand->index - WS_VIRTUAL_BASE] = TRUE;
            }
        }
    }
}

void ws_coalesce_registers(WsIrFunction *function)
{
    g_autoptr(GArray) copies = collect_copies(function);
    if (copies->len == 0)
        return;
    Merger merger = {.function = function, .liveness = ws_liveness_new(function)};
    guint32 count = function->registers->len;
    guint32 words = merger.liveness->variables.word_count;
    g_autofree guint8 *pinned = g_new0(guint8, count);
    merger.parts = g_new(Part, count);
    merger.ranges = g_new0(GArray *, words + 1);
    for (guint32 r = 0; r < count; r++)
        merger.parts[r] = (Part){r, 0};
    pin_indices(&merger, pinned);
    for (guint i = 0; i < copies->len; i++) {
        const Copy *copy = &g_array_index(copies, Copy, i);
        const WsInstruction *instruction =
            ws_ir_instruction(ws_ir_block(function, copy->block), copy->instruction);
        if (!pinned[instruction->operand[0].index - WS_VIRTUAL_BASE] &&
            !pinned[instruction->operand[1].index - WS_VIRTUAL_BASE])
            try_copy(&merger, instruction);
    }
    for (guint32 b = 0; b < function->blocks->len; b++)
        rename_block(&merger, ws_ir_block(function, b));
    for (guint32 w = 0; w < words; w++) {
        if (merger.ranges[w] != NULL)
            g_array_unref(merger.ranges[w]);
    }
    g_free(merger.ranges);
    g_free(merger.parts);
    ws_liveness_free(merger.liveness);
}
