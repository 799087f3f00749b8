#include "sim/policies/policy_parameters.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "isa/base/error.h"
#include "isa/base/nearest_name.h"
#include "sim/device/policy_parameters.h"

#define MARK "ws_parameter_"

/* What WS_PARAMETER says of a variable, and the variable. */
typedef struct {
    guint size;
    gboolean is_float, is_signed, is_bool;
    const WsSymbol *symbol;
} Declared;

enum { MARK_BYTES = 4, MOST_BYTES = 8 };

static gboolean find(const WsProgram *program, const char *name, Declared *ret)
{
    g_autofree char *mark_name = g_strconcat(MARK, name, NULL);
    const WsSymbol *mark = ws_program_find_symbol(program, mark_name);

    *ret = (Declared){.symbol = ws_program_find_symbol(program, name)};
    if (mark == NULL || ret->symbol == NULL || mark->size != MARK_BYTES || mark->initial == NULL ||
        ret->symbol->space != WS_SYMBOL_GLOBAL || ret->symbol->size != mark->initial[0] ||
        ret->symbol->size > MOST_BYTES)
        return FALSE;
    ret->size = mark->initial[0];
    ret->is_float = mark->initial[1];
    ret->is_signed = mark->initial[2];
    ret->is_bool = mark->initial[3];
    return TRUE;
}

/* ---- values -------------------------------------------------------------------------------------
 */

static gboolean float_bytes(const Declared *declared, const char *text, guint8 *ret)
{
    char *end;
    double value = g_ascii_strtod(text, &end);
    float single = (float)value;

    if (end == text || *end != '\0' || !isfinite(value))
        return FALSE;
    if (declared->size == sizeof single)
        memcpy(ret, &single, sizeof single);
    else
        memcpy(ret, &value, sizeof value);
    return TRUE;
}

/* Numbers as in YAML and C: decimal, or 0x and hexadecimal digits. */
static gboolean integer_bytes(const Declared *declared, const char *text, guint8 *ret)
{
    gboolean negative = *text == '-';
    const char *digits = text + negative;
    gboolean hexadecimal = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    guint bits = declared->size * 8 - declared->is_signed;
    guint64 most = G_MAXUINT64 >> (64 - bits), value;

    if (!g_ascii_string_to_unsigned(digits + 2 * hexadecimal, hexadecimal ? 16 : 10, 0,
                                    declared->is_signed && negative ? most + 1 : most, &value,
                                    NULL) ||
        (negative && !declared->is_signed && value != 0))
        return FALSE;
    value = negative ? 0 - value : value;
    memcpy(ret, &value, declared->size);
    return TRUE;
}

static gboolean bool_byte(const char *text, guint8 *ret)
{
    gboolean on = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;

    *ret = (guint8)on;
    return on || strcmp(text, "false") == 0 || strcmp(text, "0") == 0;
}

static gboolean value_bytes(const Declared *declared, const char *text, guint8 ret[MOST_BYTES])
{
    if (declared->is_bool)
        return bool_byte(text, ret);
    return declared->is_float ? float_bytes(declared, text, ret)
                              : integer_bytes(declared, text, ret);
}

/* "an integer from -128 to 127" */
static char *range_text(const Declared *declared)
{
    guint bits = declared->size * 8 - declared->is_signed;
    guint64 most = G_MAXUINT64 >> (64 - bits);

    if (declared->is_bool)
        return g_strdup("true or false");
    if (declared->is_float)
        return g_strdup("a number");
    if (declared->is_signed)
        return g_strdup_printf("an integer from %" G_GINT64_FORMAT " to %" G_GUINT64_FORMAT,
                               (gint64)(0 - most - 1), most);
    return g_strdup_printf("an integer from 0 to %" G_GUINT64_FORMAT, most);
}

/* ---- names --------------------------------------------------------------------------------------
 */

/* The parameters of the program, in order of their declaration; g_ptr_array_unref(). */
static GPtrArray *names_of(const WsProgram *program)
{
    GPtrArray *names = g_ptr_array_new();
    Declared declared;

    for (guint32 i = 0; i < program->symbol_count; i++) {
        const char *name = program->symbols[i].name;

        if (g_str_has_prefix(name, MARK) && find(program, name + strlen(MARK), &declared))
            g_ptr_array_add(names, (gpointer)(name + strlen(MARK)));
    }
    g_ptr_array_add(names, NULL);
    return names;
}

static void refuse_name(const WsProgram *program, const WsPolicyParameter *parameter,
                        const WsPosition *position, GError **error)
{
    g_autoptr(GPtrArray) names = names_of(program);
    const char *nearest = ws_nearest_name(parameter->name, (const char *const *)names->pdata);
    g_autofree char *all = g_strjoinv(", ", (char **)names->pdata);
    g_autofree char *shown = ws_printable(parameter->name);

    if (names->len == 1)
        ws_set_error_at(error, WS_ERROR_INPUT, position,
                        "the policy %s has no parameters (WS_PARAMETER)", program->path);
    else if (nearest != NULL)
        ws_set_error_at(error, WS_ERROR_INPUT, position,
                        "the policy %s has no parameter '%s'; did you mean '%s'?", program->path,
                        shown, nearest);
    else
        ws_set_error_at(error, WS_ERROR_INPUT, position,
                        "the policy %s has no parameter '%s'; it has %s", program->path, shown,
                        all);
}

static gboolean check(const WsProgram *program, const WsPolicyParameter *parameter, GError **error)
{
    const WsPosition position = {parameter->file, parameter->line, parameter->column};
    guint8 bytes[MOST_BYTES];
    Declared declared;
    g_autofree char *shown = NULL, *range = NULL;

    if (!find(program, parameter->name, &declared)) {
        refuse_name(program, parameter, &position, error);
        return FALSE;
    }
    if (value_bytes(&declared, parameter->value, bytes))
        return TRUE;
    shown = ws_printable(parameter->value);
    range = range_text(&declared);
    ws_set_error_at(error, WS_ERROR_INPUT, &position, "policy.%s: '%s' is not %s", parameter->name,
                    shown, range);
    return FALSE;
}

gboolean ws_policy_parameters_check(const WsProgram *program, const WsDevice *device,
                                    GError **error)
{
    for (guint i = 0; i < ws_policy_parameters_count(device->policy_parameters); i++)
        if (!check(program, ws_policy_parameters_at(device->policy_parameters, i), error))
            return FALSE;
    return TRUE;
}

void ws_policy_parameters_apply(const WsProgram *program, const WsDevice *device, guint8 *image)
{
    for (guint i = 0; i < ws_policy_parameters_count(device->policy_parameters); i++) {
        const WsPolicyParameter *parameter = ws_policy_parameters_at(device->policy_parameters, i);
        guint8 bytes[MOST_BYTES];
        Declared declared;

        if (find(program, parameter->name, &declared) &&
            value_bytes(&declared, parameter->value, bytes))
            memcpy(image + (declared.symbol->address - WS_MODULE_WINDOW), bytes, declared.size);
    }
}
