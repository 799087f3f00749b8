#include "isa/source/construct_scan.h"

#include "isa/source/scan_frames.h"

#include <string.h>

/* ---- control statements -----------------------------------------------------------------------
 */

static WsConstructKind control_kind(const WsSourceToken *token)
{
    static const struct {
        const char *word;
        WsConstructKind kind;
    } words[] = {{"if", WS_CONSTRUCT_IF},
                 {"for", WS_CONSTRUCT_FOR},
                 {"while", WS_CONSTRUCT_WHILE},
                 {"do", WS_CONSTRUCT_DO},
                 {"switch", WS_CONSTRUCT_SWITCH}};
    for (guint i = 0; token->kind == WS_SOURCE_WORD && i < G_N_ELEMENTS(words); i++)
        if (ws_source_is(token, words[i].word))
            return words[i].kind;
    return WS_CONSTRUCT_NONE;
}

static void begin_control(Scanner *scanner, WsConstructKind kind, const WsSourceToken *token)
{
    guint32 index = ws_scan_add(scanner, kind, token);
    if (kind != WS_CONSTRUCT_DO && kind != WS_CONSTRUCT_IF)
        ws_scan_register(scanner, index, token);
    Frame *frame = ws_scan_push(scanner, FRAME_CONTROL);
    frame->construct = index;
    frame->state = kind == WS_CONSTRUCT_DO ? STATE_BODY : STATE_HEAD;
}

/* What else than a statement comes behind a control statement's parts. TRUE if `token` is taken. */
static gboolean continue_control(Scanner *scanner, const WsSourceToken *token)
{
    for (Frame *frame = ws_scan_top(scanner); frame->kind == FRAME_CONTROL;
         frame = ws_scan_top(scanner)) {
        gboolean bracket = ws_source_is_mark(token, '(');
        switch (frame->state) {
        case STATE_THEN_DONE:
            if (ws_source_is(token, "else")) {
                frame->state = STATE_ELSE;
                return TRUE;
            }
            ws_scan_pop(scanner);
            ws_scan_statement_done(scanner, &scanner->before);
            continue;
        case STATE_AWAIT_WHILE:
            if (ws_source_is(token, "while"))
                return TRUE;
            frame->state = STATE_DO_TAIL;
            if (!bracket)
                continue;
            ws_scan_push(scanner, FRAME_GROUP)->is_head = TRUE;
            return TRUE;
        case STATE_DO_TAIL:
            ws_scan_statement_done(scanner, token);
            return ws_source_is_mark(token, ';');
        case STATE_HEAD:
            if (bracket)
                ws_scan_push(scanner, FRAME_GROUP)->is_head = TRUE;
            return TRUE;
        default:
            return FALSE;
        }
    }
    return FALSE;
}

/* ---- statements -------------------------------------------------------------------------------
 */

static gboolean at_statement(const Scanner *scanner)
{
    const Frame *frame = ws_scan_top(scanner);
    return frame->kind == FRAME_BLOCK || frame->kind == FRAME_CONTROL;
}

static gboolean in_function(const Scanner *scanner)
{
    for (guint i = scanner->frames->len; i-- > 0;) {
        const Frame *frame = &g_array_index(scanner->frames, Frame, i);
        if (frame->kind == FRAME_BLOCK)
            return frame->in_function;
    }
    return FALSE;
}

/* A '{' in or behind a statement: of a function, a class, a lambda, or of values. */
static void open_inner_block(Scanner *scanner)
{
    const Frame top = *ws_scan_top(scanner);
    gboolean inside = in_function(scanner), behind = ws_source_is_mark(&scanner->before, ')');
    gboolean function = !inside && top.kind == FRAME_STATEMENT && top.name.kind == WS_SOURCE_WORD &&
                        !top.assigned && (!top.class_like || behind);
    guint32 index = 0;
    if (function) {
        index = ws_scan_add(scanner, WS_CONSTRUCT_FUNCTION, &top.name);
        ws_scan_construct(scanner, index)->name = g_strndup(top.name.text, top.name.length);
    }
    Frame *block = ws_scan_push(scanner, FRAME_BLOCK);
    block->construct = index;
    block->in_function = inside || function;
    block->boundary = TRUE;
}

static void close_block(Scanner *scanner, const WsSourceToken *token)
{
    while (ws_scan_top(scanner)->kind != FRAME_BLOCK) {
        ws_scan_end_ternaries(scanner, token);
        gboolean statement = ws_scan_top(scanner)->kind == FRAME_STATEMENT;
        ws_scan_pop(scanner);
        if (statement)
            ws_scan_statement_done(scanner, token);
    }
    const Frame block = *ws_scan_top(scanner);
    if (block.construct != 0) {
        ws_scan_construct(scanner, block.construct)->end_line = token->line;
        ws_scan_construct(scanner, block.construct)->end_column = token->column;
    }
    ws_scan_pop(scanner);
    gboolean outside = !in_function(scanner);
    if (ws_scan_top(scanner)->kind == FRAME_STATEMENT && outside) {
        ws_scan_pop(scanner);
        ws_scan_statement_done(scanner, token);
    } else if (!block.boundary) {
        ws_scan_statement_done(scanner, token);
    }
}

static void begin_statement(Scanner *scanner, const WsSourceToken *token)
{
    gboolean of_do = ws_scan_top(scanner)->kind == FRAME_CONTROL;
    guint32 construct = of_do ? ws_scan_top(scanner)->construct : 0;
    /* clang has no other place for the branch of `do x(); while (y);` than its statement's. */
    if (of_do && ws_scan_construct(scanner, construct)->kind == WS_CONSTRUCT_DO)
        ws_scan_register(scanner, construct, token);
    Frame *frame = ws_scan_push(scanner, FRAME_STATEMENT);
    frame->is_case = ws_source_is(token, "case") || ws_source_is(token, "default");
}

/* A token where a statement may begin. TRUE if it is taken. */
static gboolean take_at_statement(Scanner *scanner, const WsSourceToken *token)
{
    WsConstructKind kind = control_kind(token);
    if (kind != WS_CONSTRUCT_NONE) {
        begin_control(scanner, kind, token);
    } else if (ws_source_is_mark(token, '{')) {
        gboolean inside = in_function(scanner);
        ws_scan_push(scanner, FRAME_BLOCK)->in_function = inside;
    } else if (ws_source_is_mark(token, '}')) {
        close_block(scanner, token);
    } else if (ws_source_is_mark(token, ';')) {
        ws_scan_statement_done(scanner, token);
    } else {
        begin_statement(scanner, token);
        return FALSE;
    }
    return TRUE;
}

/* ---- macros -----------------------------------------------------------------------------------
 */

static void place_macro(Scanner *scanner, const WsSourceToken *use, gboolean jumps)
{
    guint32 index = ws_scan_add(scanner, WS_CONSTRUCT_MACRO, use);
    WsSourceConstruct *construct = ws_scan_construct(scanner, index);
    construct->name = g_strndup(use->text, use->length);
    construct->tangled = jumps;
    construct->end_line = scanner->before.line;
    construct->end_column = scanner->before.column;
    ws_scan_register(scanner, index, use);
}

/* TRUE if the token is a macro that heads a control statement. */
static gboolean take_macro(Scanner *scanner, const WsSourceToken *token)
{
    const WsSourceMacro *macro = ws_macro_table_find(scanner->macros, token);
    if (macro == NULL)
        return FALSE;
    if (scanner->muted > 0) {
        scanner->use_branches |= macro->branches;
        scanner->use_jumps |= macro->jumps;
        return FALSE;
    }
    if (macro->jumps)
        ws_scan_tangle(scanner);
    if (macro->heads != WS_CONSTRUCT_NONE && macro->takes_arguments) {
        if (!at_statement(scanner))
            return FALSE;
        begin_control(scanner, macro->heads, token);
        if (macro->heads == WS_CONSTRUCT_IF)
            ws_scan_register(scanner, ws_scan_top(scanner)->construct, token);
        return TRUE;
    }
    if (macro->takes_arguments) {
        scanner->use = *token;
        scanner->use_branches = macro->branches;
        scanner->use_jumps = macro->jumps;
    } else if (macro->branches) {
        place_macro(scanner, token, macro->jumps);
    }
    return FALSE;
}

/* ---- expressions ------------------------------------------------------------------------------
 */

static void open_group(Scanner *scanner, const WsSourceToken *token)
{
    static const char *const others[] = {"alignas", "noexcept", "decltype", "requires", NULL};
    Frame *frame = ws_scan_top(scanner);
    const WsSourceToken before = scanner->before;
    gboolean round = ws_source_is_mark(token, '(');
    gboolean call = before.kind == WS_SOURCE_WORD || before.kind == WS_SOURCE_LITERAL ||
                    ws_source_is_mark(&before, ')') || ws_source_is_mark(&before, ']') ||
                    ws_source_is_mark(&before, '>');
    gboolean keyword = ws_source_is(&before, "return") || ws_source_is(&before, "case");
    if (frame->kind == FRAME_STATEMENT && round && before.kind == WS_SOURCE_WORD) {
        g_autofree char *word = g_strndup(before.text, before.length);
        if (!g_str_has_prefix(word, "__") && !g_strv_contains(others, word))
            frame->name = before;
    }
    frame->start_calls |= round && frame->has_start && frame->start.text == before.text;
    frame->condition_calls |= round && frame->is_head && frame->condition.text == before.text;
    gboolean macro = round && scanner->use.kind == WS_SOURCE_WORD;
    Frame *group = ws_scan_push(scanner, FRAME_GROUP);
    group->grouping = round && (!call || keyword);
    group->macro = macro;
    scanner->muted += macro;
}

static void close_group(Scanner *scanner, const WsSourceToken *token)
{
    Frame *frame = ws_scan_top(scanner);
    if (frame->kind != FRAME_GROUP)
        return;
    ws_scan_end_ternaries(scanner, token);
    const Frame group = *frame;
    ws_scan_pop(scanner);
    if (group.macro) {
        const WsSourceToken use = scanner->use;
        if (scanner->use_branches) {
            scanner->before = *token;
            place_macro(scanner, &use, scanner->use_jumps);
        }
        scanner->use.kind = WS_SOURCE_END;
    }
    if (!group.is_head)
        return;
    Frame *control = ws_scan_top(scanner);
    if (control->kind != FRAME_CONTROL)
        return;
    if (ws_scan_construct(scanner, control->construct)->kind == WS_CONSTRUCT_IF &&
        control->state == STATE_HEAD) {
        ws_scan_register(scanner, control->construct, &group.condition);
        ws_scan_register(scanner, control->construct, &group.named);
        if (group.condition_calls)
            ws_scan_construct(scanner, control->construct)->callee =
                g_strndup(group.condition.text, group.condition.length);
    }
    control->state = control->state == STATE_HEAD ? STATE_BODY : STATE_DO_TAIL;
}

static void take_colon(Scanner *scanner, const WsSourceToken *token)
{
    Frame *frame = ws_scan_top(scanner);
    if (ws_scan_ternary_colon(scanner, token)) {
        frame->has_start = FALSE;
        return;
    }
    if (frame->kind == FRAME_STATEMENT && (frame->is_case || frame->words == 1)) {
        gboolean label = !frame->is_case && in_function(scanner);
        ws_scan_pop(scanner);
        if (label)
            ws_scan_tangle(scanner);
        return;
    }
    frame->has_start = FALSE;
    if (frame->kind == FRAME_GROUP && frame->is_head)
        ws_scan_register(scanner,
                         g_array_index(scanner->frames, Frame, scanner->frames->len - 2).construct,
                         token); /* for (int x : all) */
}

static void end_of_part(Scanner *scanner, const WsSourceToken *token)
{
    Frame *frame = ws_scan_top(scanner);
    ws_scan_end_ternaries(scanner, token);
    if (ws_source_is_mark(token, ';') && frame->kind == FRAME_STATEMENT) {
        ws_scan_pop(scanner);
        ws_scan_statement_done(scanner, token);
        return;
    }
    frame->has_start = FALSE;
    if (ws_source_is_mark(token, ';'))
        frame->named = frame->condition = (WsSourceToken){0};
}

static void take_assignment(Scanner *scanner, Frame *frame)
{
    frame->assigned = TRUE;
    frame->has_start = FALSE;
    if (frame->is_head && frame->named.kind == WS_SOURCE_END &&
        scanner->before.kind == WS_SOURCE_WORD)
        frame->named = scanner->before; /* the condition is what is assigned to */
}

static void note_class(Frame *frame, const WsSourceToken *token)
{
    static const char *const class_words[] = {"struct", "class", "union", "enum", "namespace"};
    for (guint i = 0; i < G_N_ELEMENTS(class_words); i++)
        frame->class_like |= ws_source_is(token, class_words[i]);
}

/* Division of 64-bit integers branches: both operands may be small. */
static void place_division(Scanner *scanner, const WsSourceToken *token)
{
    gboolean divides =
        token->kind == WS_SOURCE_MARK && (*token->text == '/' || *token->text == '%');
    if (!divides)
        return;
    guint32 index = ws_scan_add(scanner, WS_CONSTRUCT_OPERATION, token);
    WsSourceConstruct *construct = ws_scan_construct(scanner, index);
    construct->name = g_strndup(token->text, 1);
    construct->end_line = token->line;
    construct->end_column = token->column;
    ws_scan_register(scanner, index, token);
}

static gboolean compares(const WsSourceToken *token)
{
    static const char *const operators[] = {"<", ">", "==", "!=", "<=", ">="};
    for (guint i = 0; token->kind == WS_SOURCE_MARK && i < G_N_ELEMENTS(operators); i++)
        if (strlen(operators[i]) == token->length &&
            memcmp(operators[i], token->text, token->length) == 0)
            return TRUE;
    return FALSE;
}

static gboolean is_operator(const WsSourceToken *token)
{
    return ws_source_branches(token) && control_kind(token) == WS_CONSTRUCT_NONE;
}

static void take_in_expression(Scanner *scanner, const WsSourceToken *token)
{
    Frame *frame = ws_scan_top(scanner);
    gboolean jump = token->kind == WS_SOURCE_WORD && ws_scan_jump(scanner, token);
    frame->words++;
    if (ws_source_is_mark(token, ';') || ws_source_is_mark(token, ',')) {
        end_of_part(scanner, token);
        return;
    }
    if (ws_source_is_mark(token, ':')) {
        take_colon(scanner, token);
        return;
    }
    if (token->kind == WS_SOURCE_WORD)
        note_class(frame, token);
    if (ws_source_is_mark(token, ')') || ws_source_is_mark(token, ']')) {
        close_group(scanner, token);
        return;
    }
    scanner->use_branches |= scanner->muted > 0 && ws_source_branches(token);
    place_division(scanner, token);
    if (frame->is_head && compares(token)) /* clang may give the comparison's place to its branch */
        ws_scan_register(scanner,
                         g_array_index(scanner->frames, Frame, scanner->frames->len - 2).construct,
                         token);
    if (is_operator(token)) {
        ws_scan_operator(scanner, token);
        return;
    }
    if (ws_source_is_mark(token, WS_MARK_ASSIGN)) {
        take_assignment(scanner, frame);
        return;
    }
    if (!frame->has_start && !jump && !ws_source_is(token, "throw")) {
        frame->has_start = TRUE;
        frame->start = *token;
        frame->start_calls = FALSE;
    }
    if (frame->is_head && frame->condition.kind == WS_SOURCE_END)
        frame->condition = *token, frame->condition_calls = FALSE;
    if (ws_source_is_mark(token, '(') || ws_source_is_mark(token, '['))
        open_group(scanner, token);
    else if (ws_source_is_mark(token, '{'))
        open_inner_block(scanner);
}

/* ---- the scan ---------------------------------------------------------------------------------
 */

static void take(Scanner *scanner, const WsSourceToken *token)
{
    if (scanner->use.kind == WS_SOURCE_WORD && scanner->muted == 0 &&
        !ws_source_is_mark(token, '('))
        scanner->use.kind = WS_SOURCE_END;
    if (continue_control(scanner, token))
        return;
    /* A word in front, as [[likely]] or a macro, is no statement. */
    if (ws_scan_top(scanner)->kind == FRAME_STATEMENT && control_kind(token) != WS_CONSTRUCT_NONE)
        ws_scan_pop(scanner);
    if (token->kind == WS_SOURCE_WORD && take_macro(scanner, token))
        return;
    if (at_statement(scanner) && take_at_statement(scanner, token))
        return;
    if (ws_source_is_mark(token, '}'))
        close_block(scanner, token);
    else
        take_in_expression(scanner, token);
}

static void clear_construct(gpointer data)
{
    g_free(((WsSourceConstruct *)data)->name);
    g_free(((WsSourceConstruct *)data)->callee);
}

static void clear_conditional(gpointer data)
{
    Conditional *conditional = data;
    g_array_unref(conditional->at_start);
    if (conditional->first != NULL)
        g_array_unref(conditional->first);
}

static void clear_scan(WsConstructScan *scan)
{
    g_array_set_size(scan->constructs, 1);
    g_hash_table_remove_all(scan->places);
}

WsConstructScan *ws_construct_scan(const char *text, gsize length, GHashTable *macros)
{
    WsConstructScan *scan = g_new0(WsConstructScan, 1);
    WsSourceConstruct none = {0};
    Scanner scanner = {.scan = scan, .macros = macros};
    WsSourceReader reader;
    WsSourceToken token;
    scan->constructs = g_array_new(FALSE, TRUE, sizeof(WsSourceConstruct));
    g_array_set_clear_func(scan->constructs, clear_construct);
    g_array_append_val(scan->constructs, none);
    scan->places = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    scanner.frames = g_array_new(FALSE, TRUE, sizeof(Frame));
    scanner.ternaries = g_array_new(FALSE, TRUE, sizeof(OpenTernary));
    scanner.conditionals = g_array_new(FALSE, TRUE, sizeof(Conditional));
    ws_scan_push(&scanner, FRAME_BLOCK);
    ws_source_reader_init(&reader, text, length);
    while (!scanner.given_up && ws_source_next(&reader, &token)) {
        if (token.kind == WS_SOURCE_DIRECTIVE) {
            ws_scan_directive(&scanner, &token);
        } else if (!ws_scan_skips(&scanner)) {
            take(&scanner, &token);
            scanner.before = token;
        }
    }
    if (scanner.given_up)
        clear_scan(scan);
    for (guint i = 0; i < scanner.conditionals->len; i++)
        clear_conditional(&g_array_index(scanner.conditionals, Conditional, i));
    g_array_unref(scanner.conditionals);
    g_array_unref(scanner.ternaries);
    g_array_unref(scanner.frames);
    return scan;
}

void ws_construct_scan_free(WsConstructScan *scan)
{
    g_array_unref(scan->constructs);
    g_hash_table_unref(scan->places);
    g_free(scan);
}

guint32 ws_construct_scan_find(const WsConstructScan *scan, guint32 line, guint32 column)
{
    gint64 key = (gint64)((guint64)line << 32 | column);
    guint32 found = GPOINTER_TO_UINT(g_hash_table_lookup(scan->places, &key));
    return found == WS_SEVERAL_CONSTRUCTS ? 0 : found;
}
