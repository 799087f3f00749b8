/* Inputs that are drawn for each student. */
#include "grade/assignment/reader.h"

#include <string.h>

static gboolean read_range(const WsYamlTree *tree, const WsYamlNode *node, WsDraw *draw,
                           GError **error)
{
    static const char *const parts[] = {"the least", "the most", "the step"};
    guint64 *const numbers[] = {&draw->least, &draw->most, &draw->step};
    draw->is_any = node->kind == WS_YAML_SCALAR && strcmp(node->text, "any") == 0;
    draw->step = 1;
    if (draw->is_any)
        return TRUE;
    const guint count = node->kind == WS_YAML_SEQUENCE ? ws_yaml_count(node) : 0;
    if (count < 2 || count > 3)
        return ws_yaml_error(tree, node, error,
                             "draw: 'any', or [LEAST, MOST] or [LEAST, MOST, STEP] is expected");
    for (guint i = 0; i < count; i++)
        if (!ws_yaml_unsigned(tree, ws_yaml_item(node, i), parts[i], i == 2, G_MAXINT32, numbers[i],
                              error))
            return FALSE;
    return draw->most >= draw->least ||
           ws_yaml_error(tree, node, error, "draw: the most is less than the least");
}

gboolean ws_read_draws(const WsYamlTree *tree, const WsYamlNode *node, WsTest *test, GError **error)
{
    if (node == NULL)
        return TRUE;
    if (node->kind == WS_YAML_SCALAR) {
        const char *name = ws_yaml_text(tree, node, "draw", error);
        const WsDraw draw = {.name = g_strdup(name), .is_any = TRUE};
        g_array_append_val(test->draws, draw);
        return name != NULL;
    }
    if (!ws_yaml_expect_mapping(tree, node, "draw", NULL, error))
        return FALSE;
    for (guint i = 0; i < ws_yaml_count(node); i++) {
        WsDraw draw = {.name = g_strdup(ws_yaml_key(node, i)->text), .is_shared = TRUE};
        gboolean good = read_range(tree, ws_yaml_item(node, i), &draw, error);
        g_array_append_val(test->draws, draw);
        if (!good)
            return FALSE;
    }
    return TRUE;
}

/* 64 bits that only the text decides. */
static guint64 bits_of(const GString *text)
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    guint8 digest[32];
    gsize length = sizeof digest;
    guint64 bits = 0;
    g_checksum_update(sum, (const guchar *)text->str, (gssize)text->len);
    g_checksum_get_digest(sum, digest, &length);
    for (guint i = 0; i < sizeof bits; i++)
        bits |= (guint64)digest[i] << 8 * i;
    return bits;
}

char *ws_assignment_drawn_for(const WsAssignment *assignment, const char *student)
{
    if (assignment->variants == 0)
        return g_strdup(student);
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_printf(text, "%" G_GINT64_FORMAT "\nvariant\n%s", assignment->seed, student);
    return g_strdup_printf("%" G_GUINT64_FORMAT, bits_of(text) % assignment->variants);
}

static guint64 draw_bits(const WsAssignment *assignment, const WsTest *test, const WsDraw *draw,
                         const char *whom)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_printf(text, "%" G_GINT64_FORMAT "\n", assignment->seed);
    if (draw->is_shared)
        g_string_append_printf(
            text, "%s\n%s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
            test->launch != NULL ? test->launch : "", draw->name, draw->least, draw->most,
            draw->step);
    else
        g_string_append_printf(text, "%s\n", test->name);
    g_string_append(text, whom);
    return bits_of(text);
}

char **ws_assignment_draw(const WsAssignment *assignment, const WsTest *test, const char *student)
{
    GPtrArray *texts = g_ptr_array_new();
    g_autofree char *whom = ws_assignment_drawn_for(assignment, student);
    for (guint i = 0; i < test->draws->len; i++) {
        const WsDraw *draw = &g_array_index(test->draws, WsDraw, i);
        guint64 bits = draw_bits(assignment, test, draw, whom);
        guint64 number =
            draw->is_any
                ? bits & 0x7fffffff
                : draw->least + bits % ((draw->most - draw->least) / draw->step + 1) * draw->step;
        g_ptr_array_add(texts, g_strdup_printf("%s=%" G_GUINT64_FORMAT, draw->name, number));
    }
    g_ptr_array_add(texts, NULL);
    return (char **)g_ptr_array_free(texts, FALSE);
}

gboolean ws_test_is_drawn(const WsTest *test)
{
    return test->hidden && test->draws->len > 0;
}

gint ws_assignment_shown_test(const WsAssignment *assignment, guint test)
{
    const WsTest *looked_at = ws_assignment_test(assignment, test);
    return looked_at->hidden ? looked_at->shown_by : (gint)test;
}
