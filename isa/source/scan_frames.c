#include "isa/source/scan_frames.h"

#include <string.h>

enum { MAX_FRAMES = 2000, MAX_CONSTRUCTS = 1 << 20 };

Frame *ws_scan_top(const Scanner *scanner)
{
    return &g_array_index(scanner->frames, Frame, scanner->frames->len - 1);
}

Frame *ws_scan_push(Scanner *scanner, FrameKind kind)
{
    Frame frame = {.kind = kind};
    scanner->given_up |= scanner->frames->len >= MAX_FRAMES;
    g_array_append_val(scanner->frames, frame);
    return ws_scan_top(scanner);
}

void ws_scan_pop(Scanner *scanner)
{
    scanner->muted -= ws_scan_top(scanner)->macro;
    if (scanner->frames->len > 1)
        g_array_set_size(scanner->frames, scanner->frames->len - 1);
    while (scanner->ternaries->len > 0 &&
           g_array_index(scanner->ternaries, OpenTernary, scanner->ternaries->len - 1).depth >
               scanner->frames->len)
        g_array_set_size(scanner->ternaries, scanner->ternaries->len - 1);
}

WsSourceConstruct *ws_scan_construct(const Scanner *scanner, guint32 index)
{
    return &g_array_index(scanner->scan->constructs, WsSourceConstruct, index);
}

/* The innermost control statement or function around, 0 = none. */
static guint32 scan_around(const Scanner *scanner)
{
    for (guint i = scanner->frames->len; i-- > 0;) {
        guint32 construct = g_array_index(scanner->frames, Frame, i).construct;
        if (construct != 0)
            return construct;
    }
    return 0;
}

guint32 ws_scan_add(Scanner *scanner, WsConstructKind kind, const WsSourceToken *token)
{
    WsSourceConstruct construct = {
        .kind = kind, .line = token->line, .column = token->column, .parent = scan_around(scanner)};
    scanner->given_up |= scanner->scan->constructs->len >= MAX_CONSTRUCTS;
    g_array_append_val(scanner->scan->constructs, construct);
    return scanner->scan->constructs->len - 1;
}

static gint64 place_key(guint32 line, guint32 column)
{
    return (gint64)((guint64)line << 32 | column);
}

void ws_scan_register(Scanner *scanner, guint32 construct, const WsSourceToken *token)
{
    if (scanner->muted > 0 || token->kind == WS_SOURCE_END)
        return;
    gint64 key = place_key(token->line, token->column);
    GHashTable *places = scanner->scan->places;
    gpointer known = g_hash_table_lookup(places, &key);
    if (known != NULL && GPOINTER_TO_UINT(known) != construct)
        construct = WS_SEVERAL_CONSTRUCTS;
    g_hash_table_insert(places, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(construct));
}

/* ---- jumps ------------------------------------------------------------------------------------
 */

void ws_scan_tangle(Scanner *scanner)
{
    for (guint i = scanner->frames->len; i-- > 0;) {
        const Frame *frame = &g_array_index(scanner->frames, Frame, i);
        if (frame->kind == FRAME_CONTROL)
            ws_scan_construct(scanner, frame->construct)->tangled = TRUE;
    }
}

/* The loop, or with `switches` the switch, that a jump leaves or goes on with; 0 = none. */
static guint32 target_of(const Scanner *scanner, gboolean switches)
{
    for (guint i = scanner->frames->len; i-- > 0;) {
        const Frame *frame = &g_array_index(scanner->frames, Frame, i);
        if (frame->kind == FRAME_BLOCK && frame->boundary)
            return 0;
        if (frame->kind != FRAME_CONTROL)
            continue;
        WsConstructKind kind = ws_scan_construct(scanner, frame->construct)->kind;
        if (ws_construct_is_loop(kind) || (switches && kind == WS_CONSTRUCT_SWITCH))
            return frame->construct;
    }
    return 0;
}

static void note_leaving(Scanner *scanner, guint32 target, gboolean breaks)
{
    for (guint i = scanner->frames->len; i-- > 0;) {
        const Frame *frame = &g_array_index(scanner->frames, Frame, i);
        if (frame->kind != FRAME_CONTROL)
            continue;
        if (frame->construct == target)
            return;
        WsSourceConstruct *construct = ws_scan_construct(scanner, frame->construct);
        guint32 *to = breaks ? &construct->breaks_to : &construct->continues_to;
        *to = *to == 0 ? target : MIN(*to, target); /* the outermost */
    }
}

static void note_last_break(WsSourceConstruct *loop, const WsSourceToken *token)
{
    loop->last_break_line = token->line;
    loop->last_break_column = token->column;
}

static void note_return(Scanner *scanner)
{
    gboolean tangled = FALSE;
    for (guint i = scanner->frames->len; i-- > 0;) {
        const Frame *frame = &g_array_index(scanner->frames, Frame, i);
        if (frame->kind == FRAME_BLOCK && frame->boundary && frame->construct == 0)
            tangled = TRUE; /* a lambda */
        if (frame->kind == FRAME_BLOCK && frame->boundary)
            break;
    }
    for (guint i = scanner->frames->len; i-- > 0;) {
        const Frame *frame = &g_array_index(scanner->frames, Frame, i);
        if (frame->kind == FRAME_BLOCK && frame->boundary)
            return;
        if (frame->kind == FRAME_CONTROL && tangled)
            ws_scan_construct(scanner, frame->construct)->tangled = TRUE;
        else if (frame->kind == FRAME_CONTROL)
            ws_scan_construct(scanner, frame->construct)->returns = TRUE;
    }
}

gboolean ws_scan_jump(Scanner *scanner, const WsSourceToken *token)
{
    gboolean breaks = ws_source_is(token, "break");
    if (breaks || ws_source_is(token, "continue")) {
        guint32 target = target_of(scanner, breaks);
        if (target != 0 && breaks)
            note_last_break(ws_scan_construct(scanner, target), token);
        if (target != 0)
            note_leaving(scanner, target, breaks);
        return TRUE;
    }
    if (ws_source_is(token, "goto")) {
        ws_scan_tangle(scanner);
        return TRUE;
    }
    if (!ws_source_is(token, "return") && !ws_source_is(token, "co_return"))
        return FALSE;
    note_return(scanner);
    return TRUE;
}

/* ---- ends -------------------------------------------------------------------------------------
 */

static void finish(Scanner *scanner, guint32 index, const WsSourceToken *token)
{
    WsSourceConstruct *construct = ws_scan_construct(scanner, index);
    construct->end_line = token->line;
    construct->end_column = token->column;
}

void ws_scan_statement_done(Scanner *scanner, const WsSourceToken *token)
{
    for (;;) {
        Frame *frame = ws_scan_top(scanner);
        if (frame->kind != FRAME_CONTROL)
            return;
        WsSourceConstruct *construct = ws_scan_construct(scanner, frame->construct);
        finish(scanner, frame->construct, token);
        if (construct->kind == WS_CONSTRUCT_IF && frame->state == STATE_BODY) {
            frame->state = STATE_THEN_DONE;
            return;
        }
        if (construct->kind == WS_CONSTRUCT_DO && frame->state == STATE_BODY) {
            ws_scan_register(scanner, frame->construct, token);
            frame->state = STATE_AWAIT_WHILE;
            return;
        }
        ws_scan_pop(scanner);
    }
}

/* ---- operators --------------------------------------------------------------------------------
 */

void ws_scan_end_ternaries(Scanner *scanner, const WsSourceToken *token)
{
    GArray *open = scanner->ternaries;
    while (open->len > 0) {
        const OpenTernary *last = &g_array_index(open, OpenTernary, open->len - 1);
        if (last->depth != scanner->frames->len)
            return;
        finish(scanner, last->construct, token);
        g_array_set_size(open, open->len - 1);
    }
}

gboolean ws_scan_ternary_colon(Scanner *scanner, const WsSourceToken *token)
{
    GArray *open = scanner->ternaries;
    guint n = open->len;
    while (n > 0 && g_array_index(open, OpenTernary, n - 1).depth == scanner->frames->len &&
           g_array_index(open, OpenTernary, n - 1).colon)
        n--;
    if (n == 0 || g_array_index(open, OpenTernary, n - 1).depth != scanner->frames->len)
        return FALSE;
    for (guint i = n; i < open->len; i++)
        finish(scanner, g_array_index(open, OpenTernary, i).construct, token);
    g_array_set_size(open, n);
    g_array_index(open, OpenTernary, n - 1).colon = TRUE;
    return TRUE;
}

/* The control statement whose condition the expression is, with brackets round operands at most. */
static guint32 condition_of(const Scanner *scanner)
{
    for (guint i = scanner->frames->len; i-- > 1;) {
        const Frame *frame = &g_array_index(scanner->frames, Frame, i);
        if (frame->kind != FRAME_GROUP)
            return 0;
        if (frame->is_head)
            return g_array_index(scanner->frames, Frame, i - 1).construct;
        if (!frame->grouping)
            return 0;
    }
    return 0;
}

/* && and || of one expression: which of them ends last, or what they decide, is not followed. */
static void tangle_operators(Scanner *scanner, guint32 newest, const WsSourceToken *start)
{
    for (guint32 i = newest; i-- > 1;) {
        WsSourceConstruct *other = ws_scan_construct(scanner, i);
        if (other->line < start->line ||
            (other->line == start->line && other->column < start->column))
            return;
        if (other->in_condition ||
            (other->kind != WS_CONSTRUCT_AND && other->kind != WS_CONSTRUCT_OR))
            continue;
        other->tangled = TRUE;
        ws_scan_construct(scanner, newest)->tangled |=
            ws_scan_construct(scanner, newest)->kind != WS_CONSTRUCT_CONDITIONAL;
    }
}

void ws_scan_operator(Scanner *scanner, const WsSourceToken *token)
{
    Frame *frame = ws_scan_top(scanner);
    if (token->kind == WS_SOURCE_MARK && token->mark == '?') {
        const WsSourceToken start = frame->has_start ? frame->start : *token;
        guint32 index = ws_scan_add(scanner, WS_CONSTRUCT_CONDITIONAL, &start);
        OpenTernary open = {.construct = index, .depth = scanner->frames->len};
        g_array_append_val(scanner->ternaries, open);
        ws_scan_register(scanner, index, &start);
        if (frame->start_calls)
            ws_scan_construct(scanner, index)->callee = g_strndup(start.text, start.length);
        tangle_operators(scanner, index, &start);
        frame->has_start = FALSE;
        return;
    }
    gboolean and = ws_source_is_mark(token, WS_MARK_AND) || ws_source_is(token, "and");
    guint32 index = ws_scan_add(scanner, and? WS_CONSTRUCT_AND : WS_CONSTRUCT_OR, token);
    guint32 owner = condition_of(scanner);
    if (owner != 0) {
        ws_scan_construct(scanner, index)->parent = owner;
        ws_scan_construct(scanner, index)->in_condition = TRUE;
    } else if (frame->has_start) {
        const WsSourceToken start = frame->start;
        tangle_operators(scanner, index, &start);
    }
    finish(scanner, index, token);
    ws_scan_register(scanner, index, token);
}
