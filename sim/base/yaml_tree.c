#include "sim/base/yaml_tree.h"

#include "isa/base/byte_order_mark.h"
#include "isa/base/input_file.h"

#include <string.h>
#include <yaml.h>

enum { MAX_BYTES = 16 << 20, MAX_DEPTH = 32, MAX_NODES = 4000000 };

/* ---- nodes ------------------------------------------------------------------------------------
 */

static WsYamlNode *node_new(WsYamlKind kind, guint32 line, guint32 column)
{
    WsYamlNode *node = g_new0(WsYamlNode, 1);
    node->kind = kind;
    node->line = line;
    node->column = column;
    return node;
}

/* The depth is at most MAX_DEPTH, so recursion is bounded. */
static void node_free(gpointer data)
{
    WsYamlNode *node = data;
    g_free(node->text);
    g_clear_pointer(&node->keys, g_ptr_array_unref);
    g_clear_pointer(&node->items, g_ptr_array_unref);
    g_free(node);
}

void ws_yaml_free(WsYamlTree *tree)
{
    if (tree == NULL)
        return;
    if (tree->root != NULL)
        node_free(tree->root);
    g_free(tree->name);
    g_free(tree);
}

/* ---- building ---------------------------------------------------------------------------------
 */

/* An open collection. `names` holds the keys seen, to find duplicates without a search. */
typedef struct {
    WsYamlNode *node;
    WsYamlNode *key; /* waits for its value; NULL if a key is next */
    GHashTable *names;
} Level;

typedef struct {
    WsYamlTree *tree;
    Level levels[MAX_DEPTH];
    guint depth;
    guint nodes;
} Builder;

static gboolean builder_error(const Builder *builder, yaml_mark_t mark, GError **error,
                              const char *text)
{
    WsPosition position = {builder->tree->name, (guint32)mark.line + 1, (guint32)mark.column + 1};
    ws_set_error_at(error, WS_ERROR_INPUT, &position, "%s", text);
    return FALSE;
}

static gboolean add_key(Builder *builder, Level *level, WsYamlNode *node, yaml_mark_t mark,
                        GError **error)
{
    level->key = node;
    if (node->kind != WS_YAML_SCALAR)
        return builder_error(builder, mark, error, "a key must be a plain word");
    if (!node->quoted && strcmp(node->text, "<<") == 0)
        return builder_error(builder, mark, error, "merge keys (<<) are not supported");
    if (!g_hash_table_add(level->names, node->text)) {
        g_autofree char *key = ws_printable(node->text);
        ws_yaml_error(builder->tree, node, error, "duplicate key '%s'", key);
        return FALSE;
    }
    return TRUE;
}

/* Hands the node to the innermost open collection (or makes it the root). Owns it in any case. */
static gboolean add_node(Builder *builder, WsYamlNode *node, yaml_mark_t mark, GError **error)
{
    gboolean counted = ++builder->nodes <= MAX_NODES;
    if (builder->depth == 0) {
        builder->tree->root = node;
        return TRUE;
    }
    Level *level = &builder->levels[builder->depth - 1];
    if (level->node->kind == WS_YAML_MAPPING && level->key == NULL)
        return add_key(builder, level, node, mark, error);
    if (level->key != NULL)
        g_ptr_array_add(level->node->keys, g_steal_pointer(&level->key));
    g_ptr_array_add(level->node->items, node);
    if (!counted)
        return builder_error(builder, mark, error, "more than 4000000 values");
    return TRUE;
}

static gboolean open_level(Builder *builder, const yaml_event_t *event, WsYamlKind kind,
                           GError **error)
{
    yaml_mark_t mark = event->start_mark;
    if (builder->depth == MAX_DEPTH)
        return builder_error(builder, mark, error, "nested more than 32 levels deep");
    if (builder->depth > 0) {
        const Level *level = &builder->levels[builder->depth - 1];
        if (level->node->kind == WS_YAML_MAPPING && level->key == NULL)
            return builder_error(builder, mark, error, "a key must be a plain word");
    }
    WsYamlNode *node = node_new(kind, (guint32)mark.line + 1, (guint32)mark.column + 1);
    node->items = g_ptr_array_new_with_free_func(node_free);
    if (kind == WS_YAML_MAPPING)
        node->keys = g_ptr_array_new_with_free_func(node_free);
    if (!add_node(builder, node, mark, error))
        return FALSE;
    Level level = {.node = node};
    if (kind == WS_YAML_MAPPING)
        level.names = g_hash_table_new(g_str_hash, g_str_equal);
    builder->levels[builder->depth++] = level;
    return TRUE;
}

static void close_level(Builder *builder)
{
    Level *level = &builder->levels[--builder->depth];
    if (level->key != NULL)
        node_free(level->key);
    g_clear_pointer(&level->names, g_hash_table_unref);
}

static gboolean add_scalar(Builder *builder, const yaml_event_t *event, GError **error)
{
    const char *text = (const char *)event->data.scalar.value;
    yaml_mark_t mark = event->start_mark;
    WsYamlNode *node = node_new(WS_YAML_SCALAR, (guint32)mark.line + 1, (guint32)mark.column + 1);
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    node->text = g_strndup(text, event->data.scalar.length);
    size_t written = event->end_mark.index - mark.index; /* characters */
    size_t length = (size_t)g_utf8_strlen(node->text, -1);
    node->inset = -1;
    if (written == length + (node->quoted ? 2 : 0))
        node->inset = node->quoted ? 1 : 0;
    if (strlen(node->text) != event->data.scalar.length) {
        node_free(node);
        return builder_error(builder, mark, error, "a text may not hold the character NUL");
    }
    return add_node(builder, node, mark, error);
}

static gboolean has_property(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return event->data.scalar.anchor != NULL || event->data.scalar.tag != NULL;
    case YAML_SEQUENCE_START_EVENT:
        return event->data.sequence_start.anchor != NULL || event->data.sequence_start.tag != NULL;
    case YAML_MAPPING_START_EVENT:
        return event->data.mapping_start.anchor != NULL || event->data.mapping_start.tag != NULL;
    default:
        return FALSE;
    }
}

static gboolean handle_event(Builder *builder, const yaml_event_t *event, GError **error)
{
    if (has_property(event))
        return builder_error(builder, event->start_mark, error,
                             "anchors (&) and tags (!) are not supported");
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (builder->tree->root != NULL)
            return builder_error(builder, event->start_mark, error,
                                 "more than one document in the file");
        return TRUE;
    case YAML_ALIAS_EVENT:
        return builder_error(builder, event->start_mark, error, "aliases (*) are not supported");
    case YAML_SCALAR_EVENT:
        return add_scalar(builder, event, error);
    case YAML_SEQUENCE_START_EVENT:
        return open_level(builder, event, WS_YAML_SEQUENCE, error);
    case YAML_MAPPING_START_EVENT:
        return open_level(builder, event, WS_YAML_MAPPING, error);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        close_level(builder);
        return TRUE;
    default:
        return TRUE;
    }
}

static gboolean parser_error(const Builder *builder, const yaml_parser_t *parser, GError **error)
{
    const char *problem = parser->problem != NULL ? parser->problem : "cannot be read";
    g_autofree char *text = g_strdup_printf("not valid YAML: %s", problem);
    return builder_error(builder, parser->problem_mark, error, text);
}

static gboolean build(Builder *builder, yaml_parser_t *parser, GError **error)
{
    for (;;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event))
            return parser_error(builder, parser, error);
        gboolean end = event.type == YAML_STREAM_END_EVENT;
        gboolean ok = handle_event(builder, &event, error);
        yaml_event_delete(&event);
        if (!ok)
            return FALSE;
        if (end)
            return TRUE;
    }
}

WsYamlTree *ws_yaml_parse(const char *name, const char *text, gsize length, GError **error)
{
    g_autoptr(WsYamlTree) tree = g_new0(WsYamlTree, 1);
    tree->name = g_strdup(name);
    WsPosition position = {.file = name};
    if (length > MAX_BYTES) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "more than 16 MiB of YAML");
        return NULL;
    }
    const char *end;
    if (!g_utf8_validate(text, (gssize)length, &end)) {
        for (const char *at = text; at < end; at++)
            position.line += *at == '\n';
        position.line++;
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "not valid UTF-8 text");
        return NULL;
    }

    gsize mark = ws_byte_order_mark(text, length);
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        ws_set_error_at(error, WS_ERROR_INTERNAL, &position, "no memory for the YAML parser");
        return NULL;
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text + mark, length - mark);
    Builder builder = {.tree = tree};
    gboolean ok = build(&builder, &parser, error);
    while (builder.depth > 0)
        close_level(&builder);
    yaml_parser_delete(&parser);
    if (!ok)
        return NULL;
    if (tree->root == NULL) {
        tree->root = node_new(WS_YAML_MAPPING, 1, 1);
        tree->root->items = g_ptr_array_new_with_free_func(node_free);
        tree->root->keys = g_ptr_array_new_with_free_func(node_free);
    }
    return g_steal_pointer(&tree);
}

WsYamlTree *ws_yaml_read(const char *path, GError **error)
{
    return ws_yaml_read_in(NULL, path, error);
}

WsYamlTree *ws_yaml_read_in(const WsReadScope *scope, const char *path, GError **error)
{
    g_autoptr(GBytes) bytes = ws_read_input_file_in(scope, path, MAX_BYTES, NULL, error);
    if (bytes == NULL)
        return NULL;
    gsize length;
    const char *text = g_bytes_get_data(bytes, &length);
    WsYamlTree *tree = ws_yaml_parse(path, text, length, error);
    if (tree != NULL)
        tree->scope = scope;
    return tree;
}

void ws_yaml_node_free(WsYamlNode *node)
{
    if (node != NULL)
        node_free(node);
}

/* Recursion is bounded by the depth of the tree. */
static void set_source(WsYamlNode *node, const char *source)
{
    node->source = source;
    for (guint i = 0; i < ws_yaml_count(node); i++) {
        set_source(g_ptr_array_index(node->items, i), source);
        if (node->keys != NULL)
            set_source(g_ptr_array_index(node->keys, i), source);
    }
}

WsYamlNode *ws_yaml_parse_value(const char *source, const char *text, GError **error)
{
    if (text[strspn(text, " ")] == '\0') {
        WsPosition position = {.file = source};
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "the value is missing");
        return NULL;
    }
    g_autoptr(WsYamlTree) tree = ws_yaml_parse(source, text, strlen(text), error);
    if (tree == NULL)
        return NULL;
    set_source(tree->root, source);
    return g_steal_pointer(&tree->root);
}

void ws_yaml_put(WsYamlNode *mapping, const char *key, WsYamlNode *value)
{
    for (guint i = 0; i < mapping->items->len; i++) {
        if (strcmp(ws_yaml_key(mapping, i)->text, key) == 0) {
            node_free(mapping->items->pdata[i]);
            mapping->items->pdata[i] = value;
            return;
        }
    }
    WsYamlNode *name = node_new(WS_YAML_SCALAR, value->line, value->column);
    name->source = value->source;
    name->text = g_strdup(key);
    g_ptr_array_add(mapping->keys, name);
    g_ptr_array_add(mapping->items, value);
}

/* ---- looking at the tree ----------------------------------------------------------------------
 */

char *ws_path_in_folder(const char *folder, const char *name)
{
    if (g_path_is_absolute(name) || folder == NULL || strcmp(folder, ".") == 0)
        return g_strdup(name);
    return g_build_filename(folder, name, NULL);
}

WsPosition ws_yaml_position(const WsYamlTree *tree, const WsYamlNode *node)
{
    if (node->source != NULL)
        return (WsPosition){.file = node->source};
    return (WsPosition){tree->name, node->line, node->column};
}

gboolean ws_yaml_error(const WsYamlTree *tree, const WsYamlNode *node, GError **error,
                       const char *format, ...)
{
    WsPosition position = ws_yaml_position(tree, node);
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    ws_set_error_at(error, WS_ERROR_INPUT, &position, "%s", text);
    return FALSE;
}

guint ws_yaml_count(const WsYamlNode *node)
{
    return node->items == NULL ? 0 : node->items->len;
}

const WsYamlNode *ws_yaml_item(const WsYamlNode *node, guint index)
{
    return g_ptr_array_index(node->items, index);
}

const WsYamlNode *ws_yaml_key(const WsYamlNode *node, guint index)
{
    return g_ptr_array_index(node->keys, index);
}

const WsYamlNode *ws_yaml_get(const WsYamlNode *mapping, const char *key)
{
    if (mapping->kind != WS_YAML_MAPPING)
        return NULL;
    for (guint i = 0; i < mapping->items->len; i++)
        if (strcmp(ws_yaml_key(mapping, i)->text, key) == 0)
            return ws_yaml_item(mapping, i);
    return NULL;
}
