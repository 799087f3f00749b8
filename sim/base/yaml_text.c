#include "sim/base/yaml_text.h"

#include <string.h>

char *ws_yaml_scalar(const char *text)
{
    gboolean plain = g_ascii_isalpha(*text) || *text == '/' || *text == '_';
    for (const char *at = text; *at != '\0'; at++)
        plain = plain && (g_ascii_isalnum(*at) || strchr("_-./", *at) != NULL);
    if (plain)
        return g_strdup(text);
    GString *out = g_string_new("\"");
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            g_string_append_c(out, '\\');
        g_string_append_c(out, *text);
    }
    g_string_append_c(out, '"');
    return g_string_free(out, FALSE);
}
