/* Names of values in expressions, told from words of the grammar. */
#include <string.h>

#include "sim/expression/syntax.h"

const char *const ws_expression_words[] = {"and", "or", "not", NULL};

static const char *const functions[] = {
#define UNARY(name, sign)
#define BINARY(name, sign, word, precedence)
#define FUNCTION(name, spelling) spelling,
#include "sim/expression/operators.def"
#undef UNARY
#undef BINARY
#undef FUNCTION
    NULL};

static gboolean goes_on(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

/* Length of the name that `text` begins with, dots inside it included; 0: it begins with none. */
static gsize expression_name_length(const char *text)
{
    gsize length = 0;

    if (!goes_on(*text))
        return 0;
    while (goes_on(text[length]) || (text[length] == '.' && goes_on(text[length + 1])))
        length++;
    return length;
}

gboolean ws_expression_mentions(const char *text, const char *const *names)
{
    for (const char *at = text; *at != '\0';) {
        gsize length = expression_name_length(at);
        g_autofree char *name = g_strndup(at, length);

        if (length > 0 && g_strv_contains(names, name))
            return TRUE;
        at += MAX(length, 1);
    }
    return FALSE;
}

gboolean ws_expression_is_name(const char *text)
{
    gsize length = strspn(text, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_");

    return length > 0 && text[length] == '\0' && !g_ascii_isdigit(*text) &&
           !g_strv_contains(functions, text) && !g_strv_contains(ws_expression_words, text);
}
