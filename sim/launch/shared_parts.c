/* `dynamic_shared_arrays:` of a launch. */
#include "isa/base/size.h"
#include "sim/launch/reader.h"

#include <string.h>

enum { MOST_PARTS = 256 };

static gboolean check_name(const WsLaunchReader *reader, const WsYamlNode *key,
                           const WsLaunch *launch, GError **error)
{
    g_autofree char *shown = ws_printable(key->text);

    if (!ws_launch_is_name(key->text, 64))
        return ws_yaml_error(reader->tree, key, error,
                             "'%s' is not an array's name: up to 64 letters, digits and _, a "
                             "letter first",
                             shown);
    for (guint32 i = 0; i < launch->part_count; i++)
        if (strcmp(launch->parts[i].name, key->text) == 0)
            return ws_yaml_error(reader->tree, key, error, "there is an array '%s' already",
                                 key->text);
    return TRUE;
}

/* `ret` gets all but the name. `end`: of the array before, where one without an offset begins. */
static gboolean read_part(const WsLaunchReader *reader, const WsYamlNode *node, guint32 end,
                          WsSharedPart *ret, GError **error)
{
    static const char *const keys[] = {"type", "count", "offset", NULL};
    const WsYamlTree *tree = reader->tree;
    guint64 count, offset;

    if (!ws_yaml_expect_mapping(tree, node, "an array", keys, error))
        return FALSE;
    const WsYamlNode *type = ws_yaml_require(tree, node, "an array", "type", error);
    const WsYamlNode *count_node =
        type == NULL ? NULL : ws_yaml_require(tree, node, "an array", "count", error);
    const WsYamlNode *offset_node = ws_yaml_get(node, "offset");

    if (count_node == NULL || !ws_launch_read_type(tree, type, &ret->type, error) ||
        !ws_yaml_unsigned(tree, count_node, "count", 1, G_MAXINT32, &count, error))
        return FALSE;
    guint32 size = ws_type_size(ret->type);
    offset = ((guint64)end + size - 1) / size * size;
    if (offset_node != NULL &&
        !ws_yaml_unsigned(tree, offset_node, "offset", 0, G_MAXINT32, &offset, error))
        return FALSE;
    if (offset < end)
        return ws_yaml_error(tree, offset_node, error,
                             "offset: the array before ends at byte %u: arrays are named in the "
                             "order in which they lie",
                             end);
    if (offset % size != 0)
        return ws_yaml_error(tree, offset_node, error, "offset: a multiple of %u is expected",
                             size);
    if (ws_size_add(offset, ws_size_multiply(count, size)) > G_MAXINT32)
        return ws_yaml_error(tree, count_node, error, "more than 2 GiB of shared memory");
    ret->offset = (guint32)offset;
    ret->bytes = (guint32)(count * size);
    return TRUE;
}

gboolean ws_launch_read_shared_parts(const WsLaunchReader *reader, const WsYamlNode *node,
                                     gboolean bytes_given, WsLaunch *launch, GError **error)
{
    guint32 end = 0;

    if (node == NULL)
        return TRUE;
    if (!ws_yaml_expect_mapping(reader->tree, node, "dynamic_shared_arrays", NULL, error))
        return FALSE;
    if (ws_yaml_count(node) > MOST_PARTS)
        return ws_yaml_error(reader->tree, node, error, "dynamic_shared_arrays: at most %d",
                             MOST_PARTS);
    launch->parts = g_new0(WsSharedPart, ws_yaml_count(node) + 1);
    for (guint i = 0; i < ws_yaml_count(node); i++) {
        const WsYamlNode *key = ws_yaml_key(node, i), *item = ws_yaml_item(node, i);
        WsSharedPart *part = &launch->parts[i];

        if (!check_name(reader, key, launch, error) || !read_part(reader, item, end, part, error))
            return FALSE;
        part->name = g_strdup(key->text);
        launch->part_count = i + 1;
        end = part->offset + part->bytes;
        if (bytes_given && end > launch->dynamic_shared_bytes)
            return ws_yaml_error(reader->tree, key, error,
                                 "'%s' ends at byte %u, and dynamic_shared_bytes is %u", key->text,
                                 end, launch->dynamic_shared_bytes);
    }
    if (!bytes_given)
        launch->dynamic_shared_bytes = end;
    return TRUE;
}
