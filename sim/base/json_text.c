#include "sim/base/json_text.h"

#include "isa/base/escape.h"

#include <math.h>

static void append_node(GString *out, JsonNode *node, guint depth);

/* `text` is UTF-8. */
static void append_string(GString *out, const char *text)
{
    g_string_append_c(out, '"');
    for (; *text != '\0'; text = g_utf8_next_char(text)) {
        gunichar c = g_utf8_get_char(text);
        if (c == '"' || c == '\\')
            g_string_append_printf(out, "\\%c", (char)c);
        else if (c == '\n')
            g_string_append(out, "\\n");
        else if (ws_is_control(c))
            g_string_append_printf(out, "\\u%04x", c);
        else
            g_string_append_unichar(out, c);
    }
    g_string_append_c(out, '"');
}

static void append_double(GString *out, double value)
{
    char buffer[G_ASCII_DTOSTR_BUF_SIZE];
    if (!isfinite(value)) {
        g_string_append(out, "null");
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        char format[8];
        g_snprintf(format, sizeof format, "%%.%dg", digits);
        g_ascii_formatd(buffer, sizeof buffer, format, value);
        if (g_ascii_strtod(buffer, NULL) == value)
            break;
    }
    g_string_append(out, buffer);
}

static void append_value(GString *out, JsonNode *node)
{
    switch (json_node_get_value_type(node)) {
    case G_TYPE_STRING:
        append_string(out, json_node_get_string(node));
        break;
    case G_TYPE_BOOLEAN:
        g_string_append(out, json_node_get_boolean(node) ? "true" : "false");
        break;
    case G_TYPE_DOUBLE:
        append_double(out, json_node_get_double(node));
        break;
    default:
        g_string_append_printf(out, "%" G_GINT64_FORMAT, json_node_get_int(node));
        break;
    }
}

static void new_line(GString *out, guint depth)
{
    g_string_append_printf(out, "\n%*s", (int)depth * 2, "");
}

static void append_object(GString *out, JsonObject *object, guint depth)
{
    JsonObjectIter iter;
    const char *name;
    JsonNode *member;
    gboolean first = TRUE;
    g_string_append_c(out, '{');
    json_object_iter_init_ordered(&iter, object);
    while (json_object_iter_next_ordered(&iter, &name, &member)) {
        if (!first)
            g_string_append_c(out, ',');
        first = FALSE;
        new_line(out, depth + 1);
        append_string(out, name);
        g_string_append(out, ": ");
        append_node(out, member, depth + 1);
    }
    if (!first)
        new_line(out, depth);
    g_string_append_c(out, '}');
}

static void append_array(GString *out, JsonArray *array, guint depth)
{
    guint count = json_array_get_length(array);
    gboolean plain = TRUE;
    for (guint i = 0; i < count; i++) {
        JsonNode *node = json_array_get_element(array, i);
        plain = plain && (JSON_NODE_HOLDS_VALUE(node) || JSON_NODE_HOLDS_NULL(node));
    }
    g_string_append_c(out, '[');
    for (guint i = 0; i < count; i++) {
        if (i > 0)
            g_string_append(out, plain ? ", " : ",");
        if (!plain)
            new_line(out, depth + 1);
        append_node(out, json_array_get_element(array, i), depth + 1);
    }
    if (!plain)
        new_line(out, depth);
    g_string_append_c(out, ']');
}

/* The trees are made by this library and a few levels deep. */
static void append_node(GString *out, JsonNode *node, guint depth)
{
    if (JSON_NODE_HOLDS_OBJECT(node))
        append_object(out, json_node_get_object(node), depth);
    else if (JSON_NODE_HOLDS_ARRAY(node))
        append_array(out, json_node_get_array(node), depth);
    else if (JSON_NODE_HOLDS_NULL(node))
        g_string_append(out, "null");
    else
        append_value(out, node);
}

char *ws_json_text(JsonNode *root)
{
    GString *out = g_string_new(NULL);
    append_node(out, root, 0);
    g_string_append_c(out, '\n');
    return g_string_free(out, FALSE);
}
