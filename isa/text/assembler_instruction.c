/* One instruction of assembly text: guard, mnemonic and modifiers, operands, control. */
#include <string.h>

#include "isa/bytecode/encoding.h"
#include "isa/bytecode/instruction_check.h"
#include "isa/bytecode/text_form.h"
#include "isa/text/assembler_private.h"

/* ---- mnemonic and modifiers -------------------------------------------------------------------
 */

static gboolean fail_mnemonic(WsAssembler *assembler, const WsToken *token, GError **error)
{
    g_autofree const char **names = g_new0(const char *, (gsize)ws_opcode_count + 1);
    for (WsOpcode opcode = 0; opcode < ws_opcode_count; opcode++) {
        names[opcode] = ws_opcode_info(opcode)->mnemonic;
    }
    WsToken base = *token;
    const char *dot = memchr(token->text, '.', token->length);
    if (dot != NULL) {
        base.length = (guint32)(dot - token->text);
    }
    return ws_assembler_fail_unknown(assembler, &base, "instruction", names, error);
}

/* The row with the longest mnemonic that `text` starts with; `*ret_rest` is what follows it. */
static WsOpcode find_opcode(const char *text, const char **ret_rest)
{
    g_autofree char *prefix = g_strdup(text);
    for (;;) {
        WsOpcode opcode = ws_opcode_by_mnemonic(prefix);
        char *dot = strrchr(prefix, '.');
        if (opcode != WS_NO_OPCODE || dot == NULL) {
            *ret_rest = text + strlen(prefix);
            return opcode;
        }
        *dot = '\0';
    }
}

static gboolean spelling_fits(const char *rest, const char *name)
{
    gsize length = strlen(name);
    return length > 0 && g_ascii_strncasecmp(rest, name, length) == 0 &&
           (rest[length] == '\0' || rest[length] == '.');
}

/* Takes one modifier off `rest` (behind its dot). Returns its length, 0 if there is none. */
static gsize take_modifier(WsInstruction *instruction, const char *rest, gboolean *given)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    gsize best = 0;
    WsModifier best_group = WS_MOD_COUNT;
    guint best_value = 0;
    for (guint m = 0; m < info->modifier_count; m++) {
        WsModifier group = info->modifiers[m];
        for (guint value = 0; !given[group] && value < ws_modifier_count(group); value++) {
            const char *name = ws_modifier_name(group, value);
            if (spelling_fits(rest, name) && strlen(name) > best) {
                best = strlen(name);
                best_group = group;
                best_value = value;
            }
        }
    }
    if (best > 0) {
        given[best_group] = TRUE;
        instruction->mod[best_group] = (guint8)best_value;
    }
    return best;
}

static gboolean fail_modifier(WsAssembler *assembler, const WsToken *token,
                              const WsOpcodeInfo *info, const char *rest, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint m = 0; m < info->modifier_count; m++) {
        for (guint value = 0; value < ws_modifier_count(info->modifiers[m]); value++) {
            g_ptr_array_add(names, (gpointer)ws_modifier_name(info->modifiers[m], value));
        }
    }
    g_ptr_array_add(names, (gpointer) "yield");
    g_ptr_array_add(names, NULL);
    g_autofree char *what = g_strdup_printf("modifier of %s", info->mnemonic);
    gsize length = strcspn(rest, ".");
    WsToken part = *token;
    part.length = (guint32)length;
    part.text = token->text + (token->length - strlen(rest));
    part.column += (guint32)(part.text - token->text);
    return ws_assembler_fail_unknown(assembler, &part, what, (const char *const *)names->pdata,
                                     error);
}

static gboolean check_required(WsAssembler *assembler, const WsToken *token,
                               const WsOpcodeInfo *info, const gboolean *given, GError **error)
{
    for (guint m = 0; m < info->modifier_count; m++) {
        WsModifier group = info->modifiers[m];
        if (given[group] || !ws_modifier_is_required(group)) {
            continue;
        }
        g_autoptr(GString) list = g_string_new(NULL);
        for (guint value = 0; value < ws_modifier_count(group); value++) {
            g_string_append_printf(list, " .%s", ws_modifier_name(group, value));
        }
        return ws_assembler_fail(assembler, token, error, "%s needs one of%s", info->mnemonic,
                                 list->str);
    }
    return TRUE;
}

static gboolean parse_mnemonic(WsAssembler *assembler, WsInstruction *ret, GError **error)
{
    const WsToken *token = ws_assembler_peek(assembler);
    if (token->kind != WS_TOKEN_WORD) {
        return ws_assembler_fail_expected(assembler, "an instruction", error);
    }
    ws_assembler_take(assembler);
    g_autofree char *text = ws_token_text(token);
    const char *rest;
    WsOpcode opcode = find_opcode(text, &rest);
    if (opcode == WS_NO_OPCODE) {
        return fail_mnemonic(assembler, token, error);
    }
    const WsOpcodeInfo *info = ws_opcode_info(opcode);
    gboolean given[WS_MOD_COUNT] = {FALSE};
    gboolean yield = FALSE;
    ws_instruction_init(ret, opcode);
    while (*rest == '.') {
        rest++;
        gsize length = take_modifier(ret, rest, given);
        if (length == 0 && !yield && spelling_fits(rest, "yield")) {
            yield = TRUE;
            length = strlen("yield");
        }
        if (length == 0) {
            return fail_modifier(assembler, token, info, rest, error);
        }
        rest += length;
    }
    ret->control.yield = yield;
    return check_required(assembler, token, info, given, error);
}

/* ---- operands ---------------------------------------------------------------------------------
 */

enum { NOT_GIVEN = -1 };

typedef struct {
    const WsOpcodeInfo *info;
    WsOpcode opcode;
    const WsParsedOperand *parsed;
    guint parsed_count;
    int choice[WS_MAX_OPERANDS]; /* parsed operand of each slot, or NOT_GIVEN */
    gboolean failed;
    guint furthest; /* first operand that no reading could place */
    guint furthest_slot;
} Match;

static gboolean fits_slot(const WsParsedOperand *parsed, WsSlot slot)
{
    gboolean either = slot == WS_SLOT_Sb || slot == WS_SLOT_Sc;
    gboolean flexible = either || slot == WS_SLOT_Ub || slot == WS_SLOT_Uc;
    gboolean number = flexible || slot == WS_SLOT_Ib || slot == WS_SLOT_Ic;
    if (parsed->shape != WS_SHAPE_OPERAND) {
        return number || slot == WS_SLOT_Tg;
    }
    WsOperandKind kind = parsed->operand.kind;
    return kind == ws_slot_kind(slot) ||
           (slot == WS_SLOT_Pr && kind == WS_OPERAND_UNIFORM_PREDICATE) ||
           (flexible &&
            (kind == WS_OPERAND_CONSTANT || (kind == WS_OPERAND_UNIFORM_REGISTER && either)));
}

/* BAR writes its two results together, or only the predicate: a register alone is a source. */
static gboolean may_leave_out(const Match *match, guint slot)
{
    return ws_operand_is_optional(match->opcode, slot) &&
           !(match->info->kind == WS_KIND_BARRIER && slot == 1 && match->choice[0] != NOT_GIVEN);
}

/* Remembers the failure that got furthest; among those, one of a slot that must be filled. */
static void record_failure(Match *match, guint slot, guint next)
{
    gboolean better = match->failed && next == match->furthest &&
                      match->furthest_slot < match->info->operand_count &&
                      ws_operand_is_optional(match->opcode, match->furthest_slot);
    if (!match->failed || next > match->furthest || better) {
        match->failed = TRUE;
        match->furthest = next;
        match->furthest_slot = slot;
    }
}

/* Fills slots from `slot` on with operands from `next` on. At most WS_MAX_OPERANDS deep. */
static gboolean match_from(Match *match, guint slot, guint next)
{
    if (slot == match->info->operand_count) {
        if (next < match->parsed_count) {
            record_failure(match, slot, next);
        }
        return next == match->parsed_count;
    }
    if (next < match->parsed_count && fits_slot(&match->parsed[next], match->info->slots[slot])) {
        match->choice[slot] = (int)next;
        if (match_from(match, slot + 1, next + 1)) {
            return TRUE;
        }
    } else {
        record_failure(match, slot, next);
    }
    match->choice[slot] = NOT_GIVEN;
    return may_leave_out(match, slot) && match_from(match, slot + 1, next);
}

static const char *slot_description(WsSlot slot)
{
    switch (slot) {
    case WS_SLOT_Sb:
    case WS_SLOT_Sc:
        return "a register, an immediate or c[bank][offset]";
    case WS_SLOT_Ub:
    case WS_SLOT_Uc:
        return "a uniform register, an immediate or c[bank][offset]";
    case WS_SLOT_Ib:
    case WS_SLOT_Ic:
        return "an immediate";
    case WS_SLOT_Ma:
        return "an address [R+offset]";
    case WS_SLOT_Cm:
        return "a constant c[bank][R+offset]";
    case WS_SLOT_Tg:
        return "a label";
    case WS_SLOT_Bd:
        return "a convergence barrier B0..B15";
    case WS_SLOT_Sr:
        return "a special register SR_...";
    default:
        break;
    }
    switch (ws_slot_kind(slot)) {
    case WS_OPERAND_REGISTER:
        return "a register";
    case WS_OPERAND_UNIFORM_REGISTER:
        return "a uniform register";
    case WS_OPERAND_UNIFORM_PREDICATE:
        return "a uniform predicate";
    default:
        return "a predicate";
    }
}

/* "FSETP Pd, [Pe], Ra, Sb, [Pp]" */
static char *form_of_row(WsOpcode opcode)
{
    static const char *const names[WS_SLOT_COUNT] = {
        "",   "Rd", "Rp", "Pd", "Pe", "Ra", "Rb", "Rc", "Sb", "Sc", "Pp", "Pq",
        "Pr", "Ib", "Ic", "Ma", "Cm", "Tg", "Bd", "Sr", "Ud", "Ua", "Ub", "Uc",
        "Ue", "Uq", "Np", "Nq", "Uf", "Ug", "Ur", "Us", "Um", "Un"};
    const WsOpcodeInfo *info = ws_opcode_info(opcode);
    GString *out = g_string_new(info->mnemonic);
    for (guint n = 0; n < info->operand_count; n++) {
        gboolean optional = ws_operand_is_optional(opcode, n);
        g_string_append_printf(out, optional ? "%s [%s]" : "%s %s", n == 0 ? "" : ",",
                               names[info->slots[n]]);
    }
    return g_string_free(out, FALSE);
}

static gboolean fail_match(WsAssembler *assembler, const Match *match, GError **error)
{
    g_autofree char *form = form_of_row(match->opcode);
    if (match->furthest_slot >= match->info->operand_count) {
        return ws_assembler_fail(assembler, match->parsed[match->furthest].token, error,
                                 "too many operands for %s", form);
    }
    const char *what = slot_description(match->info->slots[match->furthest_slot]);
    const WsToken *token = match->furthest < match->parsed_count
                               ? match->parsed[match->furthest].token
                               : ws_assembler_peek(assembler);
    return ws_assembler_fail(assembler, token, error, "expected %s as operand %u of %s", what,
                             match->furthest + 1, form);
}

static gboolean check_sign(WsAssembler *assembler, const WsInstruction *instruction, guint n,
                           const WsParsedOperand *parsed, GError **error)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    WsOperandKind kind = instruction->operand[n].kind;
    gboolean predicate = kind == WS_OPERAND_PREDICATE || kind == WS_OPERAND_UNIFORM_PREDICATE;
    char expected = predicate ? '!' : info->sources == WS_SOURCES_BITS ? '~' : '-';
    guint flags = instruction->operand[n].flags;
    if ((flags & ~ws_operand_allowed_flags(instruction, n)) != 0 ||
        ((flags & WS_OPERAND_NEGATE) != 0 && parsed->sign != expected)) {
        return ws_assembler_fail(assembler, parsed->token, error,
                                 "this operand of %s takes no such sign or mark", info->mnemonic);
    }
    return TRUE;
}

static gboolean name_as_immediate(WsAssembler *assembler, const WsParsedOperand *parsed,
                                  WsOperand *ret, GError **error)
{
    g_autofree char *name = ws_token_text(parsed->value);
    const WsSymbol *symbol = ws_assembler_find_symbol(assembler, name);
    if (symbol == NULL || parsed->negative) {
        g_autofree char *shown = ws_printable(name);
        return ws_assembler_fail(assembler, parsed->token, error,
                                 "expected a number or the name of a .global or .const variable, "
                                 "found \"%s\"",
                                 shown);
    }
    ret->value = (guint32)symbol->address;
    if (symbol->space == WS_SYMBOL_CONSTANT) {
        ret->value += (guint32)WS_CONSTANT_WINDOW;
    }
    return TRUE;
}

static gboolean resolve_target(WsAssembler *assembler, const WsParsedOperand *parsed, guint n,
                               WsOperand *ret, GError **error)
{
    ret->kind = WS_OPERAND_TARGET;
    if (parsed->shape == WS_SHAPE_NAME) {
        WsLabelUse use = {assembler->instructions->len, n, parsed->value};
        if (assembler->single || parsed->negative) {
            return ws_assembler_fail(assembler, parsed->token, error,
                                     "expected a byte address as the target");
        }
        g_array_append_val(assembler->label_uses, use);
        return TRUE;
    }
    guint64 address;
    if (parsed->negative || !ws_token_integer(parsed->value, &address) ||
        address % WS_INSTRUCTION_BYTES != 0 || address / WS_INSTRUCTION_BYTES > G_MAXUINT32) {
        return ws_assembler_fail(assembler, parsed->token, error,
                                 "expected a label, or a byte address that is a multiple of 16");
    }
    ret->value = (guint32)(address / WS_INSTRUCTION_BYTES);
    return TRUE;
}

static gboolean fill_operand(WsAssembler *assembler, WsInstruction *ret, guint n,
                             const WsParsedOperand *parsed, GError **error)
{
    WsOperand *operand = &ret->operand[n];
    if (parsed->shape == WS_SHAPE_OPERAND) {
        *operand = parsed->operand;
        return check_sign(assembler, ret, n, parsed, error);
    }
    *operand = (WsOperand){.kind = WS_OPERAND_IMMEDIATE, .uniform = WS_URZ};
    double value;
    if (ws_opcode_info(ret->opcode)->slots[n] == WS_SLOT_Tg) {
        return resolve_target(assembler, parsed, n, operand, error);
    }
    if (parsed->low == NULL && parsed->shape == WS_SHAPE_NAME &&
        !(ws_operand_literal(ret, n) != WS_LITERAL_INTEGER &&
          ws_token_float(parsed->value, &value))) {
        return name_as_immediate(assembler, parsed, operand, error);
    }
    return ws_assembler_literal(assembler, parsed, ret, n, &operand->value, error);
}

static gboolean is_number(const WsParsedOperand *parsed)
{
    double value;
    return parsed->shape == WS_SHAPE_LITERAL ||
           (parsed->shape == WS_SHAPE_NAME && ws_token_float(parsed->value, &value));
}

/*
 * SASS writes an immediate of packed halves as two numbers, that of the high half first. No row of
 * these classes takes two immediates.
 */
static void join_halves(Match *match, WsParsedOperand *parsed)
{
    if (!ws_opcode_has_modifier(match->opcode, WS_MOD_HALF_TYPE)) {
        return;
    }
    for (guint n = 0; n + 1 < match->parsed_count; n++) {
        if (is_number(&parsed[n]) && is_number(&parsed[n + 1])) {
            parsed[n].low = parsed[n + 1].value;
            parsed[n].low_negative = parsed[n + 1].negative;
            match->parsed_count--;
            memmove(&parsed[n + 1], &parsed[n + 2], (match->parsed_count - n - 1) * sizeof *parsed);
            return;
        }
    }
}

static gboolean parse_operands(WsAssembler *assembler, WsInstruction *ret, GError **error)
{
    enum { LIMIT = WS_MAX_OPERANDS + 1 };
    WsParsedOperand parsed[LIMIT];
    Match match = {.info = ws_opcode_info(ret->opcode), .opcode = ret->opcode, .parsed = parsed};
    const WsToken *token = ws_assembler_peek(assembler);
    gboolean more = token->kind != WS_TOKEN_NEWLINE && !ws_token_is(token, '{');
    while (more && match.parsed_count < LIMIT) {
        if (!ws_assembler_parse_operand(assembler, &parsed[match.parsed_count], error)) {
            return FALSE;
        }
        match.parsed_count++;
        more = ws_assembler_accept(assembler, ',');
    }
    join_halves(&match, parsed);
    for (guint n = 0; n < WS_MAX_OPERANDS; n++) {
        match.choice[n] = NOT_GIVEN;
    }
    if (!match_from(&match, 0, 0)) {
        return fail_match(assembler, &match, error);
    }
    for (guint n = 0; n < match.info->operand_count; n++) {
        if (match.choice[n] != NOT_GIVEN &&
            !fill_operand(assembler, ret, n, &parsed[match.choice[n]], error)) {
            return FALSE;
        }
    }
    return TRUE;
}

/* ---- guard and control ------------------------------------------------------------------------
 */

static gboolean parse_guard(WsAssembler *assembler, guint32 *ret_guard, guint8 *ret_negated,
                            GError **error)
{
    *ret_guard = WS_PT;
    *ret_negated = FALSE;
    if (!ws_assembler_accept(assembler, '@')) {
        return TRUE;
    }
    *ret_negated = ws_assembler_accept(assembler, '!');
    const WsToken *token = ws_assembler_peek(assembler);
    g_autofree char *text = ws_token_text(token);
    gboolean uniform =
        token->kind == WS_TOKEN_WORD && ws_register_number(text, "UP", "UPT", WS_PT, ret_guard);
    if (!uniform &&
        (token->kind != WS_TOKEN_WORD || !ws_register_number(text, "P", "PT", WS_PT, ret_guard))) {
        return ws_assembler_fail_expected(assembler, "a predicate P0..P6, UP0..UP6 or PT", error);
    }
    gboolean always = g_ascii_strcasecmp(text, uniform ? "UPT" : "PT") == 0;
    if (*ret_guard >= WS_PT && !always) {
        return ws_assembler_fail_expected(assembler, "a predicate P0..P6, UP0..UP6 or PT", error);
    }
    *ret_guard += uniform && !always ? WS_GUARD_UNIFORM : 0;
    ws_assembler_take(assembler);
    return TRUE;
}

static gboolean parse_control_field(WsAssembler *assembler, WsControl *ret, GError **error)
{
    const struct {
        const char *name;
        guint8 *field;
        gint64 maximum;
    } fields[] = {{"stall", &ret->stall, 15},
                  {"wr", &ret->write_barrier, 5},
                  {"rd", &ret->read_barrier, 5},
                  {"wait", &ret->wait_mask, 63}};
    static const char *const names[] = {"stall", "yield", "wr", "rd", "wait", NULL};
    const WsToken *token = ws_assembler_peek(assembler);
    if (token->kind != WS_TOKEN_WORD) {
        return ws_assembler_fail_expected(assembler, "stall, yield, wr, rd or wait", error);
    }
    ws_assembler_take(assembler);
    g_autofree char *text = ws_token_text(token);
    if (g_ascii_strcasecmp(text, "yield") == 0) {
        ret->yield = 1;
        return TRUE;
    }
    for (guint i = 0; i < G_N_ELEMENTS(fields); i++) {
        gint64 value;
        if (g_ascii_strcasecmp(text, fields[i].name) == 0) {
            if (!ws_assembler_expect(assembler, '=', error) ||
                !ws_assembler_parse_integer(assembler, 0, fields[i].maximum, &value, error)) {
                return FALSE;
            }
            *fields[i].field = (guint8)value;
            return TRUE;
        }
    }
    return ws_assembler_fail_unknown(assembler, token, "control field", names, error);
}

static gboolean parse_control(WsAssembler *assembler, WsControl *ret, GError **error)
{
    if (!ws_assembler_accept(assembler, '{')) {
        return TRUE;
    }
    while (!ws_assembler_accept(assembler, '}')) {
        if (!parse_control_field(assembler, ret, error)) {
            return FALSE;
        }
        ws_assembler_accept(assembler, ',');
    }
    return TRUE;
}

gboolean ws_assembler_parse_instruction(WsAssembler *assembler, WsInstruction *ret, GError **error)
{
    guint32 guard;
    guint8 negated;
    if (!parse_guard(assembler, &guard, &negated, error)) {
        return FALSE;
    }
    const WsToken *token = ws_assembler_peek(assembler);
    if (!parse_mnemonic(assembler, ret, error)) {
        return FALSE;
    }
    ret->guard = guard;
    ret->guard_negated = negated;
    if (!parse_operands(assembler, ret, error) || !parse_control(assembler, &ret->control, error)) {
        return FALSE;
    }
    /* Control information may also stand behind the semicolon, on the same line. */
    const WsToken *next = ws_assembler_peek(assembler);
    if (next->kind == WS_TOKEN_NEWLINE && next->length == 1 && *next->text == ';' &&
        ws_token_is(next + 1, '{')) {
        ws_assembler_take(assembler);
        if (!parse_control(assembler, &ret->control, error)) {
            return FALSE;
        }
    }
    if (ws_assembler_peek(assembler)->kind != WS_TOKEN_NEWLINE) {
        return ws_assembler_fail_expected(assembler, "the end of the instruction", error);
    }
    g_autofree char *problem = ws_instruction_problem(ret);
    return problem == NULL || ws_assembler_fail(assembler, token, error, "%s", problem);
}
