/* Ways of the reference between two blocks of the code. */
#include "isa/debug/value_view.h"

enum { MAX_PATHS = 64 /* looked at between two blocks */ };

guint32 ws_value_find_start(const WsValueView *v, guint32 b)
{
    for (guint steps = 0; steps < WS_VALUE_DEPTH; steps++) {
        const WsIrBlock *block = ws_ir_block(v->placed, b);
        if (ws_value_cover_count(block) > 0)
            return ws_value_is_lost(block) || (ws_value_cover_at(block, 0) & WS_COVER_FLAGS) != 0
                       ? WS_VALUE_NOWHERE
                       : ws_value_cover_at(block, 0);
        if (ws_ir_successor_count(block) != 1 || ws_is_kind(&block->branch, WS_KIND_CALL))
            return WS_VALUE_NOWHERE;
        b = ws_ir_successor(block, 0);
    }
    return WS_VALUE_NOWHERE;
}

/* A way through blocks of the reference that no code stands for. */
typedef struct {
    const WsValueView *v;
    const WsIrBlock *from;
    guint32 to;
    guint32 path[WS_VALUE_DEPTH];
    guint depth, paths;
    gboolean too_many;
    const GArray *state; /* at the end of `from` */
    GArray *met;         /* of WsValuePair: what all ways have; NULL = none yet */
} Way;

/* Pairs of `word` go; those of `from` become its own. */
static void copy_word(GArray *pairs, guint32 word, guint32 from, guint64 fixed)
{
    g_autoptr(GArray) added = g_array_new(FALSE, FALSE, sizeof(WsValuePair));
    guint kept = 0;
    for (guint i = 0; i < pairs->len; i++) {
        WsValuePair pair = g_array_index(pairs, WsValuePair, i);
        if (pair.word == from) {
            const WsValuePair copy = {word, pair.key};
            g_array_append_val(added, copy);
        }
        if (pair.word != word)
            g_array_index(pairs, WsValuePair, kept++) = pair;
    }
    g_array_set_size(pairs, kept);
    if (fixed != 0) {
        const WsValuePair pair = {word, fixed};
        g_array_append_val(added, pair);
    }
    g_array_append_vals(pairs, added->data, added->len);
}

static void pass_instruction(const WsValueView *v, const WsInstruction *instruction, GArray *pairs)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    const guint count = ws_instruction_accesses(instruction, accesses);
    const WsOperand *from = &instruction->operand[1];
    const gboolean copies = ws_is_copy(instruction) && !ws_is_guarded(instruction);
    const gboolean of_word = copies && from->kind == WS_OPERAND_REGISTER && from->flags == 0 &&
                             from->index >= WS_VIRTUAL_BASE;
    const guint32 source =
        of_word ? v->reference->variables.first[from->index - WS_VIRTUAL_BASE] + from->bank
                : (guint32)WS_NO_WORD;
    for (guint a = 0; a < count; a++) {
        guint32 first = 0;
        const guint words = accesses[a].write && accesses[a].file == WS_FILE_REGISTER
                                ? ws_variables_of(&v->reference->variables, &accesses[a], &first)
                                : 0;
        for (guint w = 0; w < words; w++)
            if (source != first + w)
                copy_word(pairs, first + w, source,
                          copies && !of_word ? ws_value_fixed_key(from) : 0);
    }
}

GArray *ws_value_met(const GArray *a, const GArray *b)
{
    GArray *both = g_array_new(FALSE, FALSE, sizeof(WsValuePair));
    for (guint i = 0, k = 0; i < a->len && k < b->len;) {
        const WsValuePair *x = &g_array_index(a, WsValuePair, i),
                          *y = &g_array_index(b, WsValuePair, k);
        const gint order = ws_value_compare_pairs(x, y);
        if (order == 0)
            g_array_append_vals(both, x, 1);
        i += order <= 0;
        k += order >= 0;
    }
    return both;
}

/* A way has come to its end. */
static void arrive(Way *way)
{
    g_autoptr(GArray) pairs = g_array_copy((GArray *)way->state);
    for (guint i = 0; i < way->depth; i++) {
        const WsReferenceBlock *block = ws_value_reference_block(way->v, way->path[i]);
        for (guint32 n = 0; n < block->count; n++)
            pass_instruction(way->v, ws_value_reference_instruction(way->v, block->first + n),
                             pairs);
    }
    g_array_sort(pairs, ws_value_compare_pairs);
    if (way->met == NULL) {
        way->met = g_steal_pointer(&pairs);
        return;
    }
    GArray *both = ws_value_met(way->met, pairs);
    g_array_unref(way->met);
    way->met = both;
}

static gboolean is_side_of(const WsIrBlock *block, guint32 reference)
{
    for (guint i = ws_value_cover_count(block); i-- > 0;) {
        if (ws_value_cover_side(ws_value_cover_at(block, i)) == 0)
            return FALSE;
        if (ws_value_cover_block(ws_value_cover_at(block, i)) == reference)
            return TRUE;
    }
    return FALSE;
}

static void walk_from(Way *way, guint32 reference);

static void step_to(Way *way, guint32 next)
{
    way->paths++;
    way->too_many = way->too_many || way->paths > MAX_PATHS;
    if (way->too_many)
        return;
    if (next == way->to) {
        arrive(way);
    } else if (!way->v->is_covered[next]) {
        if (way->depth == WS_VALUE_DEPTH) {
            way->too_many = TRUE;
            return;
        }
        way->path[way->depth++] = next;
        walk_from(way, next);
        way->depth--;
    }
}

/* NOLINTNEXTLINE(misc-no-recursion): WS_VALUE_DEPTH bounds it. */
static void walk_from(Way *way, guint32 reference)
{
    const WsReferenceBlock *block = ws_value_reference_block(way->v, reference);
    for (guint32 n = 0; n < block->successor_count; n++)
        step_to(way,
                g_array_index(way->v->reference->successors, guint32, block->first_successor + n));
}

/* From the last block that always runs, and the sides behind it. */
static void walk_from_end(Way *way)
{
    for (guint i = ws_value_cover_count(way->from); i-- > 0;) {
        const guint32 cover = ws_value_cover_at(way->from, i);
        const WsReferenceBlock *block =
            ws_value_reference_block(way->v, ws_value_cover_block(cover));
        for (guint32 n = 0; n < block->successor_count; n++) {
            const guint32 next =
                g_array_index(way->v->reference->successors, guint32, block->first_successor + n);
            if (!is_side_of(way->from, next))
                step_to(way, next);
        }
        if (ws_value_cover_side(cover) == 0)
            return;
    }
}

GArray *ws_value_go(const WsValueView *v, guint32 b, guint32 to, const GArray *state)
{
    const WsIrBlock *from = ws_ir_block(v->placed, b);
    Way way = {.v = v, .from = from, .to = v->start[to], .state = state};
    if (way.to != WS_VALUE_NOWHERE && !ws_value_is_lost(from)) {
        if (ws_value_cover_count(from) > 0)
            walk_from_end(&way);
        else if (v->start[b] == way.to)
            arrive(&way);
    }
    if (way.met != NULL && !way.too_many)
        return way.met;
    if (way.met != NULL)
        g_array_unref(way.met);
    return g_array_new(FALSE, FALSE, sizeof(WsValuePair));
}
