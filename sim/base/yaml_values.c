/* Giving the scalars of a YAML tree a type. */
#include "sim/base/yaml_tree.h"

#include <math.h>
#include <string.h>

static gboolean wrong_key(const WsYamlTree *tree, const WsYamlNode *key, const char *what,
                          const char *const *keys, GError **error)
{
    g_autofree char *name = ws_printable(key->text);
    const char *nearest = ws_nearest_name(key->text, keys);
    if (tree->names != NULL && strchr(key->text, ')') != NULL)
        return ws_yaml_error(tree, key, error,
                             "'%s' is no key: inside { } and [ ] an expression with a comma needs "
                             "quotes",
                             name);
    if (nearest != NULL)
        return ws_yaml_error(tree, key, error, "%s has no key '%s'; did you mean '%s'?", what, name,
                             nearest);
    g_autofree char *valid = g_strjoinv(", ", (char **)keys);
    return ws_yaml_error(tree, key, error, "%s has no key '%s'; valid keys: %s", what, name, valid);
}

gboolean ws_yaml_expect_mapping(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                                const char *const *keys, GError **error)
{
    if (node->kind != WS_YAML_MAPPING)
        return ws_yaml_error(tree, node, error, "%s must be a mapping (key: value)", what);
    for (guint i = 0; keys != NULL && i < ws_yaml_count(node); i++) {
        const WsYamlNode *key = ws_yaml_key(node, i);
        if (!g_strv_contains(keys, key->text))
            return wrong_key(tree, key, what, keys, error);
    }
    return TRUE;
}

gboolean ws_yaml_expect_sequence(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                                 GError **error)
{
    if (node->kind != WS_YAML_SEQUENCE)
        return ws_yaml_error(tree, node, error, "%s must be a list", what);
    return TRUE;
}

const WsYamlNode *ws_yaml_require(const WsYamlTree *tree, const WsYamlNode *mapping,
                                  const char *what, const char *key, GError **error)
{
    const WsYamlNode *value = ws_yaml_get(mapping, key);
    if (value == NULL)
        ws_yaml_error(tree, mapping, error, "%s lacks the key '%s'", what, key);
    return value;
}

const char *ws_yaml_text(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                         GError **error)
{
    if (node->kind != WS_YAML_SCALAR) {
        ws_yaml_error(tree, node, error, "%s must be a single value, not a list or mapping", what);
        return NULL;
    }
    if (node->text[0] == '\0') {
        ws_yaml_error(tree, node, error, "%s is empty", what);
        return NULL;
    }
    return node->text;
}

/*
 * Reads an optional minus and a magnitude. Returns NULL, or what is wrong with the text.
 */
static const char *parse_integer(const char *text, gboolean *negative, guint64 *magnitude)
{
    *negative = *text == '-';
    if (*negative)
        text++;
    guint base = 10;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        base = 16;
        text += 2;
    } else if (text[0] == '0' && text[1] != '\0') {
        return "a whole number without leading zeros is expected";
    }
    if (*text == '\0')
        return "a whole number is expected";
    guint64 value = 0;
    for (; *text != '\0'; text++) {
        gint digit = base == 16 ? g_ascii_xdigit_value(*text) : g_ascii_digit_value(*text);
        if (digit < 0)
            return "a whole number is expected";
        if (!g_uint64_checked_mul(&value, value, base) ||
            !g_uint64_checked_add(&value, value, (guint64)digit))
            return "the number is too large";
    }
    *magnitude = value;
    return NULL;
}

/* A number, right or wrong, and no expression: [-] digit, then letters, digits, _ and dots. */
static gboolean is_number_like(const char *text)
{
    text += *text == '-';
    if (!g_ascii_isdigit(*text))
        return FALSE;
    while (g_ascii_isalnum(*text) || *text == '_' || *text == '.')
        text++;
    return *text == '\0';
}

static gboolean value_error(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                            const char *problem, GError **error)
{
    g_autofree char *shown = ws_printable(node->text);
    return ws_yaml_error(tree, node, error, "%s: '%s': %s", what, shown, problem);
}

/* The error's column is that of byte `offset` of the text. */
static gboolean expression_error(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                                 gsize offset, const char *problem, GError **error)
{
    WsYamlNode place = *node;
    if (node->inset >= 0)
        place.column += (guint32)node->inset + (guint32)g_utf8_strlen(node->text, (gssize)offset);
    return value_error(tree, &place, what, problem, error);
}

static gboolean evaluate(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                         WsDivision division, gint64 *ret, GError **error)
{
    gsize offset = 0;
    g_autofree char *problem =
        ws_expression_evaluate(node->text, tree->names, division, ret, &offset);
    return problem == NULL || expression_error(tree, node, what, offset, problem, error);
}

static gboolean is_expression(const WsYamlTree *tree, const WsYamlNode *node)
{
    return tree->names != NULL && !is_number_like(node->text);
}

/* A whole number from -2^63 to 2^64 - 1: the magnitude of what is negative or not. */
typedef struct {
    gboolean negative;
    guint64 magnitude;
    gboolean computed; /* by an expression */
} Integer;

static gboolean read_integer(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                             Integer *ret, GError **error)
{
    const char *text = ws_yaml_text(tree, node, what, error);
    if (text == NULL)
        return FALSE;
    ret->computed = is_expression(tree, node);
    if (ret->computed) {
        gint64 value;
        if (!evaluate(tree, node, what, WS_DIVIDE_WHOLE, &value, error))
            return FALSE;
        ret->negative = value < 0;
        ret->magnitude = value < 0 ? 0 - (guint64)value : (guint64)value;
        return TRUE;
    }
    const char *problem = node->quoted ? "a number is written without quotes"
                                       : parse_integer(text, &ret->negative, &ret->magnitude);
    return problem == NULL || value_error(tree, node, what, problem, error);
}

/* `limits` is "from to to". An expression is shown with its value. */
static gboolean range_error(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                            const Integer *value, const char *limits, GError **error)
{
    g_autofree char *shown = ws_printable(node->text);
    g_autofree char *computed =
        g_strdup_printf(" = %s%" G_GUINT64_FORMAT, value->negative ? "-" : "", value->magnitude);
    return ws_yaml_error(tree, node, error, "%s: %s%s is out of range, %s", what, shown,
                         value->computed ? computed : "", limits);
}

gboolean ws_yaml_unsigned(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                          guint64 minimum, guint64 maximum, guint64 *ret, GError **error)
{
    Integer value;
    if (!read_integer(tree, node, what, &value, error))
        return FALSE;
    guint64 magnitude = value.magnitude;
    if ((!value.negative || magnitude == 0) && magnitude >= minimum && magnitude <= maximum) {
        *ret = magnitude;
        return TRUE;
    }
    g_autofree char *limits =
        g_strdup_printf("%" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT, minimum, maximum);
    return range_error(tree, node, what, &value, limits, error);
}

gboolean ws_yaml_signed(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                        gint64 minimum, gint64 maximum, gint64 *ret, GError **error)
{
    Integer value;
    if (!read_integer(tree, node, what, &value, error))
        return FALSE;
    gboolean fits = value.magnitude <= (guint64)G_MAXINT64 + (value.negative ? 1 : 0);
    gint64 number = fits ? (gint64)(value.negative ? 0 - value.magnitude : value.magnitude) : 0;
    if (fits && number >= minimum && number <= maximum) {
        *ret = number;
        return TRUE;
    }
    g_autofree char *limits =
        g_strdup_printf("%" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, minimum, maximum);
    return range_error(tree, node, what, &value, limits, error);
}

static const char *skip_digits(const char *at)
{
    while (g_ascii_isdigit(*at))
        at++;
    return at;
}

/* [-] digits [. digits] [e [+-] digits], at least one digit in front. */
static gboolean is_decimal(const char *text)
{
    const char *at = text + (*text == '-');
    const char *end = skip_digits(at);
    if (end == at || (at[0] == '0' && end - at > 1))
        return FALSE;
    if (*end == '.') {
        at = end + 1;
        end = skip_digits(at);
        if (end == at)
            return FALSE;
    }
    if (*end == 'e' || *end == 'E') {
        at = end + 1;
        at += *at == '+' || *at == '-';
        end = skip_digits(at);
        if (end == at)
            return FALSE;
    }
    return *end == '\0';
}

gboolean ws_yaml_number(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                        double *ret, GError **error)
{
    const char *text = ws_yaml_text(tree, node, what, error);
    if (text == NULL)
        return FALSE;
    gboolean negative = *text == '-';
    const char *word = text + negative;
    word += *word == '.';
    if (node->quoted) {
        /* falls through to the message */
    } else if (strcmp(word, "inf") == 0) {
        *ret = negative ? -(double)INFINITY : (double)INFINITY;
        return TRUE;
    } else if (strcmp(word, "nan") == 0 && !negative) {
        *ret = (double)NAN;
        return TRUE;
    } else if (is_decimal(text)) {
        *ret = g_ascii_strtod(text, NULL);
        return TRUE;
    } else if (g_str_has_prefix(text, "0x") && is_number_like(text)) {
        guint64 value;
        if (!ws_yaml_unsigned(tree, node, what, 0, G_MAXUINT64, &value, error))
            return FALSE;
        *ret = (double)value;
        return TRUE;
    }
    if (is_expression(tree, node)) {
        gint64 value;
        if (!evaluate(tree, node, what, WS_DIVIDE_EXACT, &value, error))
            return FALSE;
        *ret = (double)value;
        return TRUE;
    }
    return value_error(tree, node, what, "a number is expected", error);
}

gboolean ws_yaml_boolean(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                         gboolean *ret, GError **error)
{
    static const char *const names[] = {"false", "true", NULL};
    guint index;
    if (!ws_yaml_choice(tree, node, what, names, &index, error))
        return FALSE;
    *ret = index == 1;
    return TRUE;
}

gboolean ws_yaml_choice(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                        const char *const *names, guint *ret, GError **error)
{
    const char *text = ws_yaml_text(tree, node, what, error);
    if (text == NULL)
        return FALSE;
    for (guint i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], text) == 0) {
            *ret = i;
            return TRUE;
        }
    }
    g_autofree char *shown = ws_printable(text);
    g_autofree char *valid = g_strjoinv(", ", (char **)names);
    const char *nearest = ws_nearest_name(text, names);
    if (nearest != NULL)
        return ws_yaml_error(tree, node, error, "%s: '%s' is not one of %s; did you mean '%s'?",
                             what, shown, valid, nearest);
    return ws_yaml_error(tree, node, error, "%s: '%s' is not one of %s", what, shown, valid);
}
