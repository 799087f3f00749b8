#include <errno.h>
#include <math.h>
#include <string.h>

#include "isa/base/float_bits.h"
#include "isa/base/half_float.h"
#include "isa/bytecode/text_form.h"
#include "isa/text/assembler_private.h"

gboolean ws_token_integer(const WsToken *token, guint64 *ret)
{
    g_autofree char *text = ws_token_text(token);
    gboolean hexadecimal = text[0] == '0' && g_ascii_tolower(text[1]) == 'x';
    char *end;
    errno = 0;
    guint64 value = g_ascii_strtoull(hexadecimal ? text + 2 : text, &end, hexadecimal ? 16 : 10);
    if (errno != 0 || *end != '\0' || (hexadecimal && !g_ascii_isxdigit(text[2]))) {
        return FALSE;
    }
    *ret = value;
    return TRUE;
}

gboolean ws_token_float(const WsToken *token, double *ret)
{
    g_autofree char *text = ws_token_text(token);
    if (g_ascii_strcasecmp(text, "INF") == 0) {
        *ret = INFINITY;
        return TRUE;
    }
    if (g_ascii_strcasecmp(text, "QNAN") == 0) {
        *ret = NAN;
        return TRUE;
    }
    if (!g_ascii_isdigit(text[0]) || g_ascii_tolower(text[1]) == 'x') {
        return FALSE;
    }
    gsize length = strlen(text);
    if (g_ascii_tolower(text[length - 1]) == 'f') {
        text[length - 1] = '\0';
    }
    char *end;
    double value = g_ascii_strtod(text, &end);
    if (*end != '\0' || isinf(value)) {
        return FALSE;
    }
    *ret = value;
    return TRUE;
}

static gboolean integer_bits(WsAssembler *assembler, const WsParsedOperand *parsed, guint32 *ret,
                             GError **error)
{
    guint64 value;
    if (!ws_token_integer(parsed->value, &value)) {
        g_autofree char *text = ws_token_text(parsed->value);
        g_autofree char *shown = ws_printable(text);
        return ws_assembler_fail(assembler, parsed->token, error,
                                 "expected a whole number, found \"%s\"", shown);
    }
    if (value > (parsed->negative ? G_GUINT64_CONSTANT(0x80000000) : G_MAXUINT32)) {
        return ws_assembler_fail(assembler, parsed->token, error,
                                 "this number does not fit 32 bits");
    }
    *ret = parsed->negative ? 0u - (guint32)value : (guint32)value;
    return TRUE;
}

static gboolean single_bits(WsAssembler *assembler, const WsParsedOperand *parsed, double value,
                            guint32 *ret, GError **error)
{
    float single = (float)value;
    if (isinf(single) && !isinf(value)) {
        return ws_assembler_fail(assembler, parsed->token, error,
                                 "this number is too large for a 32-bit float");
    }
    *ret = ws_float_bits(single);
    if (isnan(value)) {
        *ret = 0x7fffffff; /* the canonical NaN of the hardware */
    }
    *ret ^= parsed->negative ? 0x80000000u : 0;
    return TRUE;
}

/* The 16 bits of a half of an immediate: SASS writes their exact values. */
static gboolean half_bits(WsAssembler *assembler, const WsToken *token, gboolean negative,
                          gboolean bfloat, guint32 *ret, GError **error)
{
    double value;
    if (!ws_token_float(token, &value)) {
        return ws_assembler_fail(assembler, token, error,
                                 "expected a number for a half of the immediate");
    }
    guint16 (*code)(double value) = bfloat ? ws_bfloat_from_double : ws_half_from_double;
    *ret = code(value);
    if (isfinite(value) && *ret == code(INFINITY)) {
        return ws_assembler_fail(assembler, token, error,
                                 "this number is too large for a 16-bit float");
    }
    *ret |= negative ? 0x8000u : 0;
    return TRUE;
}

static gboolean pair_bits(WsAssembler *assembler, const WsParsedOperand *parsed, gboolean bfloat,
                          guint32 *ret, GError **error)
{
    guint32 high, low;
    if (!half_bits(assembler, parsed->value, parsed->negative, bfloat, &high, error) ||
        !half_bits(assembler, parsed->low, parsed->low_negative, bfloat, &low, error)) {
        return FALSE;
    }
    *ret = high << 16 | low;
    return TRUE;
}

static gboolean double_bits(WsAssembler *assembler, const WsParsedOperand *parsed, double value,
                            guint32 *ret, GError **error)
{
    guint64 bits = ws_double_bits(value);
    if (isnan(value)) {
        bits = G_GUINT64_CONSTANT(0x7ff8000000000000);
    }
    if ((bits & G_MAXUINT32) != 0) {
        return ws_assembler_fail(assembler, parsed->token, error,
                                 "this 64-bit float needs more than the 32 bits of an immediate; "
                                 "put it into a .const variable");
    }
    *ret = (guint32)(bits >> 32) ^ (parsed->negative ? 0x80000000u : 0);
    return TRUE;
}

/* TRUE for "1.5" and "1e3": a point or an exponent makes a float in any 32-bit source. */
static gboolean is_written_as_float(const WsToken *token)
{
    guint64 integer;
    return token->kind == WS_TOKEN_NUMBER && !ws_token_integer(token, &integer);
}

gboolean ws_assembler_literal(WsAssembler *assembler, const WsParsedOperand *parsed,
                              const WsInstruction *instruction, guint n, guint32 *ret,
                              GError **error)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    WsLiteral literal = ws_operand_literal(instruction, n);
    WsSlot slot = info->slots[n];
    double value;
    if (parsed->low != NULL) {
        return pair_bits(assembler, parsed, instruction->mod[WS_MOD_HALF_TYPE] != 0, ret, error);
    }
    gboolean is_float = ws_token_float(parsed->value, &value);
    gboolean word =
        slot == WS_SLOT_Sb || slot == WS_SLOT_Sc || slot == WS_SLOT_Ub || slot == WS_SLOT_Uc;
    if (literal == WS_LITERAL_INTEGER && is_float && is_written_as_float(parsed->value) && word &&
        !ws_opcode_has_modifier(instruction->opcode, WS_MOD_HALF_TYPE)) {
        literal = WS_LITERAL_FLOAT;
    }
    if (literal == WS_LITERAL_INTEGER || !is_float) {
        if (literal != WS_LITERAL_INTEGER && parsed->negative) {
            return ws_assembler_fail(assembler, parsed->token, error,
                                     "a hexadecimal float is its bits and takes no minus");
        }
        return integer_bits(assembler, parsed, ret, error);
    }
    return literal == WS_LITERAL_FLOAT ? single_bits(assembler, parsed, value, ret, error)
                                       : double_bits(assembler, parsed, value, ret, error);
}
