/* `grid:` and `block:` of a launch. Either may be an expression of the other. */
#include "sim/expression/syntax.h"
#include "sim/launch/reader.h"

/* One to three sizes, or one number; what is missing is 1. */
static gboolean read_sizes(const WsLaunchReader *reader, const WsYamlNode *node, const char *what,
                           guint32 sizes[3], GError **error)
{
    sizes[0] = sizes[1] = sizes[2] = 1;
    guint count = node->kind == WS_YAML_SCALAR ? 1 : ws_yaml_count(node);
    gboolean is_list = node->kind != WS_YAML_MAPPING && count >= 1;
    /* A comma may have cut an expression in two: reading the pieces says so, counting them does
     * not. */
    for (guint i = 0; i < MIN(count, 3) && is_list; i++) {
        const WsYamlNode *item = node->kind == WS_YAML_SCALAR ? node : ws_yaml_item(node, i);
        guint64 value;
        if (!ws_yaml_unsigned(reader->tree, item, what, 1, G_MAXUINT32, &value, error))
            return FALSE;
        sizes[i] = (guint32)value;
    }
    if (!is_list || count > 3)
        return ws_yaml_error(reader->tree, node, error, "%s must be a number or a list of 1 to 3",
                             what);
    return TRUE;
}

/* Whether a size in `node` is an expression of the block. */
static gboolean follows_block(const WsYamlNode *node)
{
    static const char *const names[] = {"block.x", "block.y", "block.z", "threads", NULL};
    gboolean follows = FALSE;
    if (node->kind == WS_YAML_SCALAR)
        return ws_expression_mentions(node->text, names);
    for (guint i = 0; i < ws_yaml_count(node); i++) {
        const WsYamlNode *item = ws_yaml_item(node, i);
        follows =
            follows || (item->kind == WS_YAML_SCALAR && ws_expression_mentions(item->text, names));
    }
    return follows;
}

gboolean ws_launch_read_sizes(WsLaunchReader *reader, const WsYamlNode *launch_node, GError **error)
{
    const WsYamlTree *tree = reader->tree;
    const WsYamlNode *grid = ws_yaml_require(tree, launch_node, "a launch", "grid", error);
    const WsYamlNode *block =
        grid == NULL ? NULL : ws_yaml_require(tree, launch_node, "a launch", "block", error);
    if (block == NULL)
        return FALSE;
    WsLaunchSizes *sizes = &reader->sizes;
    gboolean block_first = follows_block(grid);
    reader->inside_launch = TRUE;
    *sizes = (WsLaunchSizes){0};
    for (guint i = 0; i < 2; i++) {
        gboolean is_block = (i == 0) == block_first;
        if (!read_sizes(reader, is_block ? block : grid, is_block ? "block" : "grid",
                        is_block ? sizes->block : sizes->grid, error))
            return FALSE;
        *(is_block ? &sizes->block_known : &sizes->grid_known) = TRUE;
    }
    return TRUE;
}
