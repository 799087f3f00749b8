#include "isa/debug/value_view.h"

/* TRUE if less is known at `to` than before. */
static gboolean join(WsValueView *v, guint32 to, GArray *pairs)
{
    if (v->in[to] == NULL) {
        v->in[to] = g_array_ref(pairs);
        return TRUE;
    }
    GArray *both = ws_value_met(v->in[to], pairs);
    const gboolean less = both->len < v->in[to]->len;
    g_array_unref(v->in[to]);
    v->in[to] = both;
    return less;
}

static void solve(WsValueView *v)
{
    const guint32 blocks = v->placed->blocks->len;
    g_autofree guint8 *is_due = g_new0(guint8, blocks + 1);
    v->in[0] = g_array_new(FALSE, FALSE, sizeof(WsValuePair));
    is_due[0] = TRUE;
    for (gboolean changed = TRUE; changed;) {
        changed = FALSE;
        for (guint32 b = 0; b < blocks; b++) {
            if (!is_due[b])
                continue;
            is_due[b] = FALSE;
            changed = TRUE;
            const WsIrBlock *block = ws_ir_block(v->placed, b);
            g_autoptr(GArray) out = ws_value_run_block(v, b, NULL, NULL);
            for (guint n = 0; n < ws_ir_successor_count(block); n++) {
                const guint32 to = ws_ir_successor(block, n);
                g_autoptr(GArray) pairs = ws_value_go(v, b, to, out);
                if (join(v, to, pairs))
                    is_due[to] = TRUE;
            }
        }
    }
}

/* ---- the whole --------------------------------------------------------------------------------
 */

static void view_init(WsValueView *v, const WsIrFunction *placed)
{
    const WsReference *reference = placed->reference;
    const guint32 blocks = placed->blocks->len;
    *v = (WsValueView){.placed = placed, .reference = reference};
    v->in = g_new0(GArray *, blocks + 1);
    v->start = g_new(guint32, blocks + 1);
    v->is_covered = g_new0(guint8, reference->blocks->len + 1);
    v->values = g_array_new(FALSE, TRUE, sizeof(WsValue));
    g_array_set_size(v->values, 1);
    v->fixed = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    v->changes = g_array_new(FALSE, FALSE, sizeof(WsValueChange));
    v->touched = g_array_new(FALSE, FALSE, sizeof(guint32));
    v->meetings = g_array_new(FALSE, FALSE, sizeof(WsValueMeeting));
    v->last = g_new0(guint32, reference->variables.word_count + 1);
    v->entry = g_new0(guint32, reference->variables.word_count + 1);
    v->made = g_new0(guint32, reference->words->len + 1);
    v->position = g_new0(guint32, reference->instructions->len + 1);
    for (guint32 r = 0; r < WS_VALUE_REGISTERS; r++)
        v->held[r] = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint32 b = 0; b < blocks; b++) {
        const WsIrBlock *block = ws_ir_block(placed, b);
        v->start[b] = ws_value_find_start(v, b);
        for (guint i = 0; i < ws_value_cover_count(block) && !ws_value_is_lost(block); i++)
            v->is_covered[ws_value_cover_block(ws_value_cover_at(block, i))] = TRUE;
    }
}

static void view_clear(WsValueView *v)
{
    for (guint32 b = 0; b < v->placed->blocks->len; b++)
        if (v->in[b] != NULL)
            g_array_unref(v->in[b]);
    for (guint32 r = 0; r < WS_VALUE_REGISTERS; r++)
        g_array_unref(v->held[r]);
    g_free(v->in);
    g_free(v->start);
    g_free(v->is_covered);
    g_array_unref(v->values);
    g_hash_table_unref(v->fixed);
    g_array_unref(v->changes);
    g_array_unref(v->touched);
    g_array_unref(v->meetings);
    g_free(v->last);
    g_free(v->entry);
    g_free(v->made);
    g_free(v->position);
}

void ws_value_places_visit(const WsIrFunction *placed, WsValueVisitor visitor, gpointer data)
{
    WsValueView v;
    view_init(&v, placed);
    solve(&v);
    for (guint32 b = 0; b < placed->blocks->len; b++) {
        if (v.in[b] == NULL)
            v.in[b] = g_array_new(FALSE, FALSE, sizeof(WsValuePair));
        g_array_unref(ws_value_run_block(&v, b, visitor, data));
    }
    view_clear(&v);
}

gboolean ws_value_view_covers(const WsValueView *view, guint32 at)
{
    return at < view->reference->instructions->len && view->position[at] != 0;
}

WsWordPlace ws_value_view_word(const WsValueView *view, guint32 word, guint32 at)
{
    WsWordPlace place = {.kind = WS_PIECE_UNKNOWN};
    if (!ws_value_view_covers(view, at))
        return place;
    guint32 value = view->entry[word];
    for (guint32 c = view->last[word]; c != 0;) {
        const WsValueChange *change = &g_array_index(view->changes, WsValueChange, c - 1);
        if (change->at < view->position[at] - 1) {
            value = change->value;
            break;
        }
        c = change->previous;
    }
    if (value == 0)
        return place;
    const WsValue *entry = &g_array_index(view->values, WsValue, value);
    if (entry->fixed != 0) {
        const gboolean number = WS_KEY_KIND(entry->fixed) == WS_KEY_IMMEDIATE;
        return (WsWordPlace){.kind = number ? WS_PIECE_IMMEDIATE : WS_PIECE_CONSTANT,
                             .index = number ? 0 : (guint32)(entry->fixed >> 32 & 0xff),
                             .value = (guint32)entry->fixed};
    }
    for (guint32 r = 0; r < WS_RZ; r++)
        if (ws_value_holds(view, r, value))
            return (WsWordPlace){.kind = WS_PIECE_REGISTER, .index = r};
    return place;
}
