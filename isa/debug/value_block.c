/* A block of the finished code, beside those of the reference that it stands for. */
#include "isa/debug/value_view.h"

enum { MAX_PAIRS = 1 << 14 /* known where a block begins */ };

/* ---- values -----------------------------------------------------------------------------------
 */

static guint32 new_value(WsValueView *v)
{
    const WsValue fresh = {.of_side = v->in_side};
    g_array_append_val(v->values, fresh);
    return v->values->len - 1;
}

static guint32 fixed_value(WsValueView *v, guint64 key)
{
    gpointer known = g_hash_table_lookup(v->fixed, &key);
    if (known != NULL)
        return GPOINTER_TO_UINT(known);
    const guint32 made = new_value(v);
    g_array_index(v->values, WsValue, made).fixed = key;
    g_hash_table_insert(v->fixed, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(made));
    return made;
}

static guint32 entry_value(WsValueView *v, guint32 word)
{
    if (v->entry[word] == 0) {
        v->entry[word] = new_value(v);
        g_array_append_val(v->touched, word);
    }
    return v->entry[word];
}

static guint32 value_of_word(WsValueView *v, guint32 word)
{
    return v->last[word] != 0 ? g_array_index(v->changes, WsValueChange, v->last[word] - 1).value
                              : entry_value(v, word);
}

static void set_word(WsValueView *v, guint32 at, guint32 word, guint32 value)
{
    const WsValueChange change = {at, word, value, v->last[word]};
    entry_value(v, word); /* so that it is among the touched ones */
    g_array_append_val(v->changes, change);
    v->last[word] = v->changes->len;
}

static void hold(WsValueView *v, guint32 r, guint32 value)
{
    WsValue *entry = &g_array_index(v->values, WsValue, value);
    if (entry->holders[r / 64] >> (r % 64) & 1)
        return;
    entry->holders[r / 64] |= G_GUINT64_CONSTANT(1) << (r % 64);
    g_array_append_val(v->held[r], value);
}

static void let_go(WsValueView *v, guint32 r)
{
    for (guint i = 0; i < v->held[r]->len; i++)
        g_array_index(v->values, WsValue, g_array_index(v->held[r], guint32, i)).holders[r / 64] &=
            ~(G_GUINT64_CONSTANT(1) << (r % 64));
    g_array_set_size(v->held[r], 0);
}

/* ---- the reference ----------------------------------------------------------------------------
 */

guint64 ws_value_fixed_key(const WsOperand *from)
{
    if (from->flags != 0)
        return 0;
    if (from->kind == WS_OPERAND_IMMEDIATE)
        return WS_MAKE_KEY(WS_KEY_IMMEDIATE, from->value);
    if (from->kind == WS_OPERAND_REGISTER && from->index == WS_RZ)
        return WS_MAKE_KEY(WS_KEY_IMMEDIATE, 0);
    if (from->kind == WS_OPERAND_CONSTANT && from->index == WS_RZ && from->uniform == WS_URZ)
        return WS_MAKE_KEY(WS_KEY_CONSTANT, (guint64)from->bank << 32 | from->value);
    return 0;
}

/* The fixed value of an operand of a copy, or 0. */
static guint32 fixed_operand(WsValueView *v, const WsOperand *operand)
{
    const guint64 key = ws_value_fixed_key(operand);
    return key == 0 ? 0 : fixed_value(v, key);
}

/* The value that a MOV of the reference copies. */
static guint32 copied_value(WsValueView *v, const WsInstruction *instruction)
{
    const WsOperand *from = &instruction->operand[1];
    if (!ws_is_copy(instruction) || ws_is_guarded(instruction))
        return 0;
    if (from->kind == WS_OPERAND_REGISTER && from->index >= WS_VIRTUAL_BASE && from->flags == 0)
        return value_of_word(v, v->reference->variables.first[from->index - WS_VIRTUAL_BASE] +
                                    from->bank);
    return fixed_operand(v, from);
}

static void follow_instruction(WsValueView *v, guint32 number)
{
    const WsInstruction *instruction = ws_value_reference_instruction(v, number);
    const guint32 copied = copied_value(v, instruction);
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    const guint count = ws_instruction_accesses(instruction, accesses);
    const guint32 at = v->now++;
    v->position[number] = at + 1;
    for (guint a = 0; a < count; a++) {
        guint32 first = 0;
        if (!accesses[a].write || accesses[a].file != WS_FILE_REGISTER)
            continue;
        const guint words = ws_variables_of(&v->reference->variables, &accesses[a], &first);
        for (guint w = 0; w < words; w++) {
            const guint32 value = copied != 0 ? copied : new_value(v);
            if (accesses[a].operand == 0)
                v->made[instruction->origin + w] = value;
            set_word(v, at, first + w, value);
        }
    }
}

static void follow_block(WsValueView *v, guint32 block)
{
    const WsReferenceBlock *entry = ws_value_reference_block(v, block);
    for (guint32 i = 0; i < entry->count; i++)
        follow_instruction(v, entry->first + i);
}

/*
 * Behind a side, each word that it changed has a value of its own: the side's where that ran, else
 * the one before. `first` is the first change of the side.
 */
static void end_side(WsValueView *v, guint first, guint32 flag, GHashTable *sides)
{
    const guint end = v->changes->len;
    const guint32 at = v->now++;
    for (guint c = first; c < end; c++) {
        const WsValueChange change = g_array_index(v->changes, WsValueChange, c);
        if (v->last[change.word] != c + 1)
            continue; /* changed again */
        guint32 begin = change.previous;
        while (begin > first)
            begin = g_array_index(v->changes, WsValueChange, begin - 1).previous;
        WsValueMeeting meeting = {.made = change.value};
        meeting.before = begin == 0 ? v->entry[change.word]
                                    : g_array_index(v->changes, WsValueChange, begin - 1).value;
        gpointer side = g_hash_table_lookup(sides, GUINT_TO_POINTER(change.word));
        meeting.other = flag == WS_COVER_OTHER_SIDE ? GPOINTER_TO_UINT(side) : 0;
        g_hash_table_insert(sides, GUINT_TO_POINTER(change.word), GUINT_TO_POINTER(change.value));
        meeting.meet = new_value(v);
        g_array_append_val(v->meetings, meeting);
        set_word(v, at, change.word, meeting.meet);
    }
}

/* The reference along what the block stands for. */
static void follow(WsValueView *v, const WsIrBlock *block)
{
    g_autoptr(GHashTable) sides = g_hash_table_new(NULL, NULL); /* word -> value of the side */
    const guint count = ws_value_cover_count(block);
    for (guint i = 0; i < count;) {
        const guint32 flag = ws_value_cover_side(ws_value_cover_at(block, i));
        const guint first = v->changes->len;
        v->in_side = flag != 0;
        if (flag != WS_COVER_OTHER_SIDE)
            g_hash_table_remove_all(sides);
        do
            follow_block(v, ws_value_cover_block(ws_value_cover_at(block, i++)));
        while (i < count && ws_value_cover_side(ws_value_cover_at(block, i)) == WS_COVER_MORE);
        v->in_side = FALSE;
        if (flag == WS_COVER_SIDE || flag == WS_COVER_OTHER_SIDE)
            end_side(v, first, flag, sides);
    }
}

/* ---- the finished code ------------------------------------------------------------------------
 */

/* The operand that the instruction copies to its result, or NULL. */
static const WsOperand *copied_operand(const WsInstruction *instruction)
{
    return ws_is_guarded(instruction) ? NULL : ws_copied_operand(instruction);
}

/* Whether word `w` of a result is the value of the origin `w` behind that of its first word. */
static gboolean follows_origin(const WsValueView *v, guint32 origin, guint w)
{
    if (origin + w >= v->reference->words->len)
        return FALSE;
    const WsReferenceWord *first = &g_array_index(v->reference->words, WsReferenceWord, origin);
    const WsReferenceWord *word = &g_array_index(v->reference->words, WsReferenceWord, origin + w);
    return first->word != WS_NO_WORD && word->word == first->word + w &&
           ws_value_reference_instruction(v, first->instruction)->location ==
               ws_value_reference_instruction(v, word->instruction)->location;
}

/* What the register has if the lanes that are on get `made`, and the others keep what they had. */
static void add_meetings(const WsValueView *v, guint32 r, guint32 made, GArray *to)
{
    for (guint m = 0; m < v->meetings->len; m++) {
        const WsValueMeeting *meeting = &g_array_index(v->meetings, WsValueMeeting, m);
        if (meeting->made == made &&
            (ws_value_holds(v, r, meeting->before) ||
             (meeting->other != 0 && ws_value_holds(v, r, meeting->other))))
            g_array_append_val(to, meeting->meet);
    }
}

/* The values that word `w` of the result has. `r` has its old ones yet. */
static void find_written(WsValueView *v, const WsInstruction *instruction, guint w, guint32 r,
                         GArray *to)
{
    const guint32 origin = instruction->origin & ~WS_ORIGIN_WHOLE;
    const gboolean whole =
        !ws_is_guarded(instruction) || (instruction->origin & WS_ORIGIN_WHOLE) != 0;
    const WsOperand *from = copied_operand(instruction);
    if (from != NULL && w == 0) {
        const guint32 fixed = fixed_operand(v, from);
        if (fixed != 0)
            g_array_append_val(to, fixed);
        else if (from->kind == WS_OPERAND_REGISTER && from->index < WS_RZ && from->flags == 0)
            g_array_append_vals(to, v->held[from->index]->data, v->held[from->index]->len);
    }
    if (origin == 0 || !follows_origin(v, origin, w) || v->made[origin + w] == 0)
        return;
    const guint32 made = v->made[origin + w];
    if (!whole)
        add_meetings(v, r, made, to);
    if (whole || g_array_index(v->values, WsValue, made).of_side)
        g_array_append_val(to, made);
}

static void run_instruction(WsValueView *v, const WsInstruction *instruction)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    const guint count = ws_instruction_accesses(instruction, accesses);
    for (guint a = 0; a < count; a++) {
        if (!accesses[a].write || accesses[a].file != WS_FILE_REGISTER)
            continue;
        for (guint w = 0; w < accesses[a].words && accesses[a].index + w < WS_RZ; w++) {
            const guint32 r = accesses[a].index + w;
            g_autoptr(GArray) written = g_array_new(FALSE, FALSE, sizeof(guint32));
            if (accesses[a].operand == 0)
                find_written(v, instruction, w, r, written);
            let_go(v, r);
            for (guint i = 0; i < written->len; i++)
                hold(v, r, g_array_index(written, guint32, i));
        }
    }
    if (ws_is_kind(instruction, WS_KIND_CALL)) /* what is called writes where it likes */
        for (guint32 r = 0; r < WS_VALUE_REGISTERS; r++)
            let_go(v, r);
}

/* ---- a block ----------------------------------------------------------------------------------
 */

static void leave(WsValueView *v)
{
    for (guint i = 0; i < v->touched->len; i++) {
        const guint32 word = g_array_index(v->touched, guint32, i);
        v->entry[word] = v->last[word] = 0;
    }
    g_array_set_size(v->touched, 0);
    g_array_set_size(v->changes, 0);
    g_array_set_size(v->meetings, 0);
    g_array_set_size(v->values, 1);
    g_hash_table_remove_all(v->fixed);
    for (guint32 r = 0; r < WS_VALUE_REGISTERS; r++)
        g_array_set_size(v->held[r], 0);
    v->now = 0;
}

/* Forgets what the block made in arrays by origin and by instruction. */
static void forget(WsValueView *v, const WsIrBlock *block)
{
    for (guint i = 0; i < ws_value_cover_count(block); i++) {
        const WsReferenceBlock *entry =
            ws_value_reference_block(v, ws_value_cover_block(ws_value_cover_at(block, i)));
        for (guint32 n = entry->first; n < entry->first + entry->count; n++) {
            v->position[n] = 0;
            for (guint32 o = ws_value_reference_instruction(v, n)->origin;
                 o < v->reference->words->len &&
                 g_array_index(v->reference->words, WsReferenceWord, o).instruction == n;
                 o++)
                v->made[o] = 0;
        }
    }
}

static void enter(WsValueView *v, const GArray *in)
{
    for (guint i = 0; i < in->len; i++) {
        const WsValuePair *pair = &g_array_index(in, WsValuePair, i);
        if (WS_KEY_KIND(pair->key) == WS_KEY_REGISTER) {
            hold(v, (guint32)(pair->key & 0xff), entry_value(v, pair->word));
        } else if (v->entry[pair->word] == 0) {
            v->entry[pair->word] = fixed_value(v, pair->key);
            g_array_append_val(v->touched, pair->word);
        }
    }
}

gint ws_value_compare_pairs(gconstpointer a, gconstpointer b)
{
    const WsValuePair *x = a, *y = b;
    if (x->word != y->word)
        return x->word < y->word ? -1 : 1;
    return x->key < y->key ? -1 : x->key > y->key;
}

/* Where the words are at the end. */
static GArray *find_pairs(WsValueView *v)
{
    GArray *out = g_array_new(FALSE, FALSE, sizeof(WsValuePair));
    for (guint i = 0; i < v->touched->len && out->len < MAX_PAIRS; i++) {
        WsValuePair pair = {.word = g_array_index(v->touched, guint32, i)};
        const guint32 number = value_of_word(v, pair.word);
        const WsValue *value = &g_array_index(v->values, WsValue, number);
        if (value->fixed != 0) {
            pair.key = value->fixed;
            g_array_append_val(out, pair);
        }
        for (guint32 r = 0; r < WS_RZ; r++) {
            if (value->holders[r / 64] >> (r % 64) == 0) {
                r |= 63;
                continue;
            }
            pair.key = WS_MAKE_KEY(WS_KEY_REGISTER, r);
            if (ws_value_holds(v, r, number))
                g_array_append_val(out, pair);
        }
    }
    g_array_sort(out, ws_value_compare_pairs);
    return out;
}

/* Runs the block; `visitor` may be NULL. Returns where words are behind it. */
GArray *ws_value_run_block(WsValueView *v, guint32 b, WsValueVisitor visitor, gpointer data)
{
    WsIrBlock *block = ws_ir_block(v->placed, b);
    enter(v, v->in[b]);
    if (!ws_value_is_lost(block))
        follow(v, block);
    for (guint i = 0; i < ws_ir_length(block); i++) {
        if (visitor != NULL)
            visitor(v, b, i, data);
        run_instruction(v, ws_ir_instruction(block, i));
    }
    GArray *out =
        ws_value_is_lost(block) ? g_array_new(FALSE, FALSE, sizeof(WsValuePair)) : find_pairs(v);
    if (!ws_value_is_lost(block))
        forget(v, block);
    leave(v);
    return out;
}
