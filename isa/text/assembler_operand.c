#include <string.h>

#include "isa/bytecode/encoding.h"
#include "isa/bytecode/instruction_check.h"
#include "isa/text/assembler_private.h"

gboolean ws_register_number(const char *word, const char *prefix, const char *zero,
                            guint32 zero_index, guint32 *ret)
{
    if (g_ascii_strcasecmp(word, zero) == 0) {
        *ret = zero_index;
        return TRUE;
    }
    gsize length = strlen(prefix);
    if (g_ascii_strncasecmp(word, prefix, length) != 0) {
        return FALSE;
    }
    const char *digits = word + length;
    gsize count = strspn(digits, "0123456789");
    if (count == 0 || count > 4 || digits[count] != '\0') {
        return FALSE;
    }
    *ret = (guint32)g_ascii_strtoull(digits, NULL, 10);
    return TRUE;
}

static const struct {
    const char *prefix;
    const char *zero; /* spelling of the number that is no storage */
    WsOperandKind kind;
    guint32 zero_index;
    guint32 last; /* largest number that is storage */
} register_files[] = {{"UR", "URZ", WS_OPERAND_UNIFORM_REGISTER, WS_URZ, WS_URZ - 1},
                      {"UP", "UPT", WS_OPERAND_UNIFORM_PREDICATE, WS_PT, WS_PT - 1},
                      {"R", "RZ", WS_OPERAND_REGISTER, WS_RZ, WS_RZ - 1},
                      {"P", "PT", WS_OPERAND_PREDICATE, WS_PT, WS_PT - 1},
                      {"B", "B15", WS_OPERAND_BARRIER, 15, 15}};

static gboolean is_special(const char *word)
{
    return g_ascii_strncasecmp(word, "SR_", 3) == 0 || g_ascii_strcasecmp(word, "SRZ") == 0;
}

gboolean ws_word_is_register(const char *word)
{
    guint32 number;
    for (guint i = 0; i < G_N_ELEMENTS(register_files); i++) {
        if (ws_register_number(word, register_files[i].prefix, register_files[i].zero,
                               register_files[i].zero_index, &number)) {
            return TRUE;
        }
    }
    return is_special(word);
}

/* Suffixes ".reuse.H0_H0". Those that say nothing new (".64" of an address pair) are passed over.
 */
static gboolean parse_suffix(const char *suffix, WsOperand *ret)
{
    static const struct {
        const char *text;
        guint8 flag;
    } known[] = {{"reuse", WS_OPERAND_REUSE},
                 {"H0_H0", WS_OPERAND_LOW},
                 {"H1_H1", WS_OPERAND_HIGH},
                 {"64", 0},
                 {"U32", 0}};
    g_auto(GStrv) parts = g_strsplit(suffix + 1, ".", -1);
    for (guint p = 0; parts[p] != NULL; p++) {
        guint k = 0;
        while (k < G_N_ELEMENTS(known) && g_ascii_strcasecmp(parts[p], known[k].text) != 0) {
            k++;
        }
        if (k == G_N_ELEMENTS(known)) {
            return FALSE;
        }
        ret->flags |= known[k].flag;
    }
    return TRUE;
}

/* Turns a word into a register. `*ret_known` is FALSE if it is none at all. */
static gboolean word_to_register(WsAssembler *assembler, const WsToken *token, WsOperand *ret,
                                 gboolean *ret_known, GError **error)
{
    g_autofree char *text = ws_token_text(token);
    char *dot = strchr(text, '.');
    g_autofree char *base = dot != NULL ? g_strndup(text, (gsize)(dot - text)) : g_strdup(text);
    *ret_known = FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(register_files); i++) {
        guint32 number;
        if (!ws_register_number(base, register_files[i].prefix, register_files[i].zero,
                                register_files[i].zero_index, &number)) {
            continue;
        }
        gboolean zero = g_ascii_strcasecmp(base, register_files[i].zero) == 0;
        if (!zero && number > register_files[i].last) {
            return ws_assembler_fail(assembler, token, error, "there is no %s (%s0 to %s%u, %s)",
                                     base, register_files[i].prefix, register_files[i].prefix,
                                     register_files[i].last, register_files[i].zero);
        }
        ret->kind = register_files[i].kind;
        ret->index = number;
        if (dot != NULL && !parse_suffix(dot, ret)) {
            return ws_assembler_fail(assembler, token, error,
                                     "expected .reuse after a register, found \"%s\"", dot);
        }
        *ret_known = TRUE;
        return TRUE;
    }
    return TRUE;
}

static gboolean parse_special(WsAssembler *assembler, const WsToken *token, WsOperand *ret,
                              GError **error)
{
    const char *names[WS_SR_COUNT + 1] = {NULL};
    g_autofree char *text = ws_token_text(token);
    for (guint special = 0; special < WS_SR_COUNT; special++) {
        names[special] = ws_special_register_name(special);
        if (g_ascii_strcasecmp(names[special], text) == 0) {
            ret->kind = WS_OPERAND_SPECIAL;
            ret->value = special;
            return TRUE;
        }
    }
    return ws_assembler_fail_unknown(assembler, token, "special register", names, error);
}

gboolean ws_assembler_parse_integer(WsAssembler *assembler, gint64 minimum, gint64 maximum,
                                    gint64 *ret, GError **error)
{
    const WsToken *start = ws_assembler_peek(assembler);
    gboolean negative = ws_assembler_accept(assembler, '-');
    guint64 value;
    if (ws_assembler_peek(assembler)->kind != WS_TOKEN_NUMBER ||
        !ws_token_integer(ws_assembler_peek(assembler), &value)) {
        return ws_assembler_fail_expected(assembler, "a whole number", error);
    }
    ws_assembler_take(assembler);
    gboolean fits = value <= G_MAXINT64;
    gint64 number = fits ? (negative ? -(gint64)value : (gint64)value) : 0;
    if (!fits || number < minimum || number > maximum) {
        return ws_assembler_fail(assembler, start, error,
                                 "expected a number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                                 minimum, maximum);
    }
    *ret = number;
    return TRUE;
}

/* What stands between brackets: registers, numbers and at most one name, added up. */
typedef struct {
    guint32 index;   /* WS_RZ if none */
    guint32 uniform; /* WS_URZ if none */
    gboolean has_index;
    gboolean has_uniform;
    gint64 offset;
    const WsToken *name;
} Sum;

static gboolean add_word(WsAssembler *assembler, Sum *sum, GError **error)
{
    const WsToken *token = ws_assembler_take(assembler);
    WsOperand operand = {0};
    gboolean known;
    if (!word_to_register(assembler, token, &operand, &known, error)) {
        return FALSE;
    }
    if (!known && sum->name == NULL) {
        sum->name = token;
        return TRUE;
    }
    if (known && operand.kind == WS_OPERAND_REGISTER && !sum->has_index && operand.flags == 0) {
        sum->index = operand.index;
        sum->has_index = TRUE;
        return TRUE;
    }
    if (known && operand.kind == WS_OPERAND_UNIFORM_REGISTER && !sum->has_uniform &&
        operand.flags == 0) {
        sum->uniform = operand.index;
        sum->has_uniform = TRUE;
        return TRUE;
    }
    return ws_assembler_fail(assembler, token, error,
                             "an address is one register, one uniform register and an offset");
}

static gboolean parse_sum(WsAssembler *assembler, Sum *ret, GError **error)
{
    enum { LIMIT = 1 << 24 };
    *ret = (Sum){.index = WS_RZ, .uniform = WS_URZ};
    gboolean first = TRUE;
    while (!ws_assembler_accept(assembler, ']')) {
        gboolean minus = ws_token_is(ws_assembler_peek(assembler), '-');
        if (!first && !minus && !ws_assembler_accept(assembler, '+')) {
            return ws_assembler_fail_expected(assembler, "\"+\", \"-\" or \"]\"", error);
        }
        first = FALSE;
        if (!minus && ws_assembler_peek(assembler)->kind == WS_TOKEN_WORD) {
            if (!add_word(assembler, ret, error)) {
                return FALSE;
            }
            continue;
        }
        gint64 number;
        if (!ws_assembler_parse_integer(assembler, -LIMIT, LIMIT, &number, error)) {
            return FALSE;
        }
        ret->offset = CLAMP(ret->offset + number, -2 * LIMIT, 2 * LIMIT);
    }
    return TRUE;
}

static gboolean parse_address(WsAssembler *assembler, WsParsedOperand *ret, GError **error)
{
    Sum sum;
    if (!parse_sum(assembler, &sum, error)) {
        return FALSE;
    }
    if (sum.name != NULL) {
        return ws_assembler_fail(assembler, sum.name, error,
                                 "expected a register or a number in an address");
    }
    if (sum.offset < WS_ADDRESS_OFFSET_MIN || sum.offset > WS_ADDRESS_OFFSET_MAX) {
        return ws_assembler_fail(assembler, ret->token, error, "the offset does not fit 24 bits");
    }
    ret->operand.kind = WS_OPERAND_ADDRESS;
    ret->operand.index = sum.index;
    ret->operand.uniform = (guint8)sum.uniform;
    ret->operand.value = (guint32)(gint32)sum.offset;
    return TRUE;
}

/* The bank and the offset of a parameter or a constant variable. */
static gboolean resolve_constant(WsAssembler *assembler, const WsToken *token, guint32 *ret_bank,
                                 gint64 *ret_offset, GError **error)
{
    g_autofree char *name = ws_token_text(token);
    const WsParameter *parameter = ws_assembler_find_parameter(assembler, name);
    const WsSymbol *symbol = ws_assembler_find_symbol(assembler, name);
    if (parameter != NULL) {
        *ret_bank = 0;
        *ret_offset = (gint64)assembler->parameter_base + parameter->offset;
        return TRUE;
    }
    if (symbol != NULL && symbol->space == WS_SYMBOL_CONSTANT) {
        *ret_bank = 3;
        *ret_offset = (gint64)symbol->address;
        return TRUE;
    }
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint p = 0; p < assembler->parameters->len; p++) {
        g_ptr_array_add(names, g_array_index(assembler->parameters, WsParameter, p).name);
    }
    for (guint s = 0; s < assembler->symbols->len; s++) {
        const WsSymbol *other = &g_array_index(assembler->symbols, WsSymbol, s);
        if (other->space == WS_SYMBOL_CONSTANT) {
            g_ptr_array_add(names, other->name);
        }
    }
    g_ptr_array_add(names, NULL);
    return ws_assembler_fail_unknown(assembler, token, "parameter or .const variable",
                                     (const char *const *)names->pdata, error);
}

/* Behind "c[": a bank and an offset, or only the name of what is there. */
static gboolean parse_constant(WsAssembler *assembler, WsParsedOperand *ret, GError **error)
{
    Sum sum;
    guint32 bank = 0;
    gboolean bank_given = FALSE;
    if (!parse_sum(assembler, &sum, error)) {
        return FALSE;
    }
    if (sum.name == NULL) {
        if (sum.has_index || sum.has_uniform || sum.offset < 0 || sum.offset >= WS_CONSTANT_BANKS) {
            return ws_assembler_fail(assembler, ret->token, error,
                                     "expected a constant bank (0 to %u) or a name in c[...]",
                                     WS_CONSTANT_BANKS - 1);
        }
        bank = (guint32)sum.offset;
        bank_given = TRUE;
        if (!ws_assembler_expect(assembler, '[', error) || !parse_sum(assembler, &sum, error)) {
            return FALSE;
        }
    }
    if (sum.name != NULL) {
        guint32 found = 0;
        gint64 offset = 0;
        if (!resolve_constant(assembler, sum.name, &found, &offset, error)) {
            return FALSE;
        }
        if (bank_given && bank != found) {
            return ws_assembler_fail(assembler, sum.name, error, "this is in bank %u", found);
        }
        bank = found;
        sum.offset += offset;
    }
    if (sum.offset < 0 || sum.offset >= WS_CONSTANT_BANK_BYTES) {
        return ws_assembler_fail(assembler, ret->token, error,
                                 "expected an offset from 0 to 0x%x in a constant bank",
                                 WS_CONSTANT_BANK_BYTES - 1);
    }
    ret->operand.kind = WS_OPERAND_CONSTANT;
    ret->operand.bank = (guint8)bank;
    ret->operand.index = sum.index;
    ret->operand.uniform = (guint8)sum.uniform;
    ret->operand.value = (guint32)sum.offset;
    return TRUE;
}

static gboolean parse_word(WsAssembler *assembler, WsParsedOperand *ret, GError **error)
{
    const WsToken *token = ws_assembler_take(assembler);
    gboolean is_c = token->length == 1 && g_ascii_tolower(*token->text) == 'c';
    if (is_c && ws_assembler_accept(assembler, '[')) {
        return parse_constant(assembler, ret, error);
    }
    g_autofree char *word = ws_token_text(token);
    if (is_special(word)) {
        return parse_special(assembler, token, &ret->operand, error);
    }
    gboolean known;
    if (!word_to_register(assembler, token, &ret->operand, &known, error)) {
        return FALSE;
    }
    if (!known) {
        ret->shape = WS_SHAPE_NAME;
        ret->value = token;
    }
    return TRUE;
}

static gboolean parse_core(WsAssembler *assembler, WsParsedOperand *ret, GError **error)
{
    const WsToken *token = ws_assembler_peek(assembler);
    if (token->kind == WS_TOKEN_NUMBER) {
        ret->shape = WS_SHAPE_LITERAL;
        ret->value = ws_assembler_take(assembler);
        return TRUE;
    }
    if (token->kind == WS_TOKEN_WORD) {
        return parse_word(assembler, ret, error);
    }
    if (ws_assembler_accept(assembler, '[')) {
        return parse_address(assembler, ret, error);
    }
    if (ws_assembler_accept(assembler, '`')) { /* `(label), as nvdisasm writes targets */
        if (!ws_assembler_expect(assembler, '(', error)) {
            return FALSE;
        }
        WsTokenKind kind = ws_assembler_peek(assembler)->kind;
        if (kind != WS_TOKEN_NUMBER && kind != WS_TOKEN_WORD) {
            return ws_assembler_fail_expected(assembler, "a label", error);
        }
        ret->shape = kind == WS_TOKEN_NUMBER ? WS_SHAPE_LITERAL : WS_SHAPE_NAME;
        ret->value = ws_assembler_take(assembler);
        return ws_assembler_expect(assembler, ')', error);
    }
    return ws_assembler_fail_expected(assembler, "an operand", error);
}

/* A mark behind a closing bar or bracket: "|R3|.reuse". */
static gboolean parse_late_suffix(WsAssembler *assembler, WsParsedOperand *ret, GError **error)
{
    const WsToken *token = ws_assembler_peek(assembler);
    if (token->kind != WS_TOKEN_WORD || *token->text != '.') {
        return TRUE;
    }
    g_autofree char *text = ws_token_text(token);
    if (!parse_suffix(text, &ret->operand)) {
        return ws_assembler_fail_expected(assembler, "\",\" or the end of the line", error);
    }
    ws_assembler_take(assembler);
    return TRUE;
}

gboolean ws_assembler_parse_operand(WsAssembler *assembler, WsParsedOperand *ret, GError **error)
{
    *ret = (WsParsedOperand){.shape = WS_SHAPE_OPERAND,
                             .operand = {.uniform = WS_URZ},
                             .token = ws_assembler_peek(assembler)};
    const char *sign = "-~!+";
    while (*sign != '\0' && !ws_assembler_accept(assembler, *sign)) {
        sign++;
    }
    ret->sign = *sign == '+' ? '\0' : *sign;
    ret->negative = ret->sign == '-';
    gboolean absolute = ws_assembler_accept(assembler, '|');
    if (!parse_core(assembler, ret, error) ||
        (absolute && !ws_assembler_expect(assembler, '|', error)) ||
        !parse_late_suffix(assembler, ret, error)) {
        return FALSE;
    }
    if (absolute) {
        ret->operand.flags |= WS_OPERAND_ABSOLUTE;
    }
    if (ret->sign != '\0' && ret->shape == WS_SHAPE_OPERAND) {
        ret->operand.flags |= WS_OPERAND_NEGATE;
    }
    if (ret->shape != WS_SHAPE_OPERAND &&
        (ret->operand.flags != 0 || (ret->sign != '\0' && !ret->negative))) {
        return ws_assembler_fail(assembler, ret->token, error,
                                 "a number or a name takes no sign but minus");
    }
    return TRUE;
}
