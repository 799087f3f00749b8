/* `let:` of a launch file, and all the names that its expressions may use. */
#include "sim/expression/syntax.h"
#include "sim/launch/reader.h"

#include <string.h>

enum { MAX_NAMES = 256, LONGEST_NAME = 64 };

/* Words that stand for something else where a value or a key of --launch is expected. */
static const char *const reserved[] = {
    "grid",   "block",       "blocks",   "threads", "dynamic_shared_bytes",
    "params", "stack_bytes", "carveout", "cache",   "inf",
    "nan",    "null",        "zero",     NULL};

/* ---- sizes of the launch ----------------------------------------------------------------------
 */

enum { ALL_AXES = 3 };

static const struct {
    const char *name;
    gboolean of_block;
    guint axis;
} size_names[] = {{"grid.x", FALSE, 0},        {"grid.y", FALSE, 1},       {"grid.z", FALSE, 2},
                  {"blocks", FALSE, ALL_AXES}, {"block.x", TRUE, 0},       {"block.y", TRUE, 1},
                  {"block.z", TRUE, 2},        {"threads", TRUE, ALL_AXES}};

static char *find_size(const WsLaunchReader *reader, guint index, gint64 *ret)
{
    gboolean of_block = size_names[index].of_block;
    const WsLaunchSizes *sizes = &reader->sizes;
    if (!reader->inside_launch)
        return g_strdup_printf("'%s' is not known here: let and set come before grid and block, "
                               "and of several launches each has its own",
                               size_names[index].name);
    if (!(of_block ? sizes->block_known : sizes->grid_known))
        return g_strdup_printf("'%s' is not known yet: grid and block may not follow each other",
                               size_names[index].name);
    const guint32 *axes = of_block ? sizes->block : sizes->grid;
    guint axis = size_names[index].axis;
    if (axis < ALL_AXES) {
        *ret = axes[axis];
        return NULL;
    }
    if (__builtin_mul_overflow((gint64)axes[0], (gint64)axes[1], ret) ||
        __builtin_mul_overflow(*ret, (gint64)axes[2], ret))
        return g_strdup_printf("'%s' does not fit in 64 bits", size_names[index].name);
    return NULL;
}

/* ---- sizes of buffers -------------------------------------------------------------------------
 */

static char *find_count(const WsLaunchReader *reader, const char *name, gint64 *ret)
{
    gsize length = strlen(name) - strlen(".count");
    gboolean open =
        reader->inside_launch && !(reader->sizes.grid_known && reader->sizes.block_known);
    for (guint i = 0; !open && i < reader->buffers->len; i++) {
        const WsBuffer *buffer = &g_array_index(reader->buffers, WsBuffer, i);
        if (strlen(buffer->name) == length && strncmp(buffer->name, name, length) == 0) {
            *ret = (gint64)buffer->count;
            return NULL;
        }
    }
    return g_strdup_printf("'%s' is not known here: a buffer's count is for what follows it (let, "
                           "set, define, grid and block come first)",
                           name);
}

/* ---- named values -----------------------------------------------------------------------------
 */

static WsLetEntry *find_let(const WsLaunchReader *reader, const char *name, guint *ret_index)
{
    gpointer index;
    if (!g_hash_table_lookup_extended(reader->let_index, name, NULL, &index))
        return NULL;
    *ret_index = GPOINTER_TO_UINT(index);
    return &g_array_index(reader->let, WsLetEntry, *ret_index);
}

static char *unknown_name(const WsLaunchReader *reader, const char *name)
{
    const WsYamlNode *let = ws_yaml_get(reader->tree->root, "let");
    g_autofree char *shown = ws_printable(name);
    if (let != NULL && ws_yaml_get(let, name) != NULL)
        return g_strdup_printf("'%s' stands below; a value of let can use those above it", shown);
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < reader->let->len; i++)
        g_ptr_array_add(names, g_array_index(reader->let, WsLetEntry, i).value.name);
    g_ptr_array_add(names, NULL);
    g_autofree char *all = g_strjoinv(", ", (char **)names->pdata);
    g_ptr_array_set_size(names, (gint)names->len - 1);
    for (guint i = 0; i < G_N_ELEMENTS(size_names); i++)
        g_ptr_array_add(names, (gpointer)size_names[i].name);
    g_ptr_array_add(names, NULL);
    const char *nearest = ws_nearest_name(name, (const char *const *)names->pdata);
    if (nearest != NULL)
        return g_strdup_printf("no value is called '%s'; did you mean '%s'?", shown, nearest);
    if (*all == '\0')
        return g_strdup("a whole number is expected, or a name that let gives");
    return g_strdup_printf("no value is called '%s'; let has %s", shown, all);
}

static char *find(gpointer data, const char *name, gint64 *ret)
{
    WsLaunchReader *reader = data;
    guint index;
    WsLetEntry *entry = find_let(reader, name, &index);
    if (entry != NULL) {
        *ret = entry->value.value;
        if (reader->inside_let) {
            WsLetUse use = {.by = reader->let->len, .used = index};
            g_array_append_val(reader->let_uses, use);
        } else {
            entry->used = TRUE;
        }
        return NULL;
    }
    for (guint i = 0; i < G_N_ELEMENTS(size_names); i++)
        if (strcmp(size_names[i].name, name) == 0)
            return find_size(reader, i, ret);
    if (g_str_has_suffix(name, ".count"))
        return find_count(reader, name, ret);
    return unknown_name(reader, name);
}

gboolean ws_launch_may_be_let(const char *name)
{
    return ws_expression_is_name(name) && strlen(name) <= LONGEST_NAME &&
           !g_strv_contains(reserved, name);
}

static gboolean check_name(const WsLaunchReader *reader, const WsYamlNode *key, GError **error)
{
    g_autofree char *shown = ws_printable(key->text);
    if (!ws_expression_is_name(key->text) || strlen(key->text) > LONGEST_NAME)
        return ws_yaml_error(reader->tree, key, error,
                             "'%s' cannot name a value: up to %d letters, digits and _, no digit "
                             "first, and no word of expressions (min, max, ceil_div, "
                             "and, or, not)",
                             shown, LONGEST_NAME);
    if (g_strv_contains(reserved, key->text))
        return ws_yaml_error(reader->tree, key, error,
                             "'%s' cannot name a value: it has a meaning of its own in a launch",
                             shown);
    return TRUE;
}

gboolean ws_launch_check_let(WsLaunchReader *reader, GError **error)
{
    const WsYamlNode *node = ws_yaml_get(reader->tree->root, "let");
    reader->names = (WsNames){.find = find, .data = reader};
    reader->tree->names = &reader->names;
    if (node == NULL)
        return TRUE;
    if (!ws_yaml_expect_mapping(reader->tree, node, "let", NULL, error))
        return FALSE;
    if (ws_yaml_count(node) > MAX_NAMES)
        return ws_yaml_error(reader->tree, node, error, "let: at most %d values", MAX_NAMES);
    for (guint i = 0; i < ws_yaml_count(node); i++)
        if (!check_name(reader, ws_yaml_key(node, i), error))
            return FALSE;
    return TRUE;
}

gboolean ws_launch_read_let(WsLaunchReader *reader, GError **error)
{
    const WsYamlNode *node = ws_yaml_get(reader->tree->root, "let");
    gboolean ok = TRUE;
    reader->inside_let = TRUE;
    for (guint i = 0; ok && node != NULL && i < ws_yaml_count(node); i++) {
        const WsYamlNode *value = ws_yaml_item(node, i);
        const char *name = ws_yaml_key(node, i)->text;
        WsLetEntry entry = {.source = value->source};
        ok = ws_yaml_signed(reader->tree, value, name, G_MININT64, G_MAXINT64, &entry.value.value,
                            error);
        entry.value.name = g_strdup(name);
        g_hash_table_insert(reader->let_index, entry.value.name,
                            GUINT_TO_POINTER(reader->let->len));
        g_array_append_val(reader->let, entry);
    }
    reader->inside_let = FALSE;
    return ok;
}

gboolean ws_launch_check_used(WsLaunchReader *reader, GError **error)
{
    for (guint i = reader->let_uses->len; i-- > 0;) {
        const WsLetUse *use = &g_array_index(reader->let_uses, WsLetUse, i);
        if (g_array_index(reader->let, WsLetEntry, use->by).used)
            g_array_index(reader->let, WsLetEntry, use->used).used = TRUE;
    }
    for (guint i = 0; i < reader->let->len; i++) {
        const WsLetEntry *entry = &g_array_index(reader->let, WsLetEntry, i);
        if (entry->source == NULL || entry->used)
            continue;
        WsPosition position = {.file = entry->source};
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "'%s' has no effect: nothing in the launch depends on it%s",
                        entry->value.name,
                        reader->override_sources->len > 1
                            ? "; another --launch may have replaced what depended on it"
                            : "");
        return FALSE;
    }
    return TRUE;
}
