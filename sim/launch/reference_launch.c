#include "sim/launch/reference_launch.h"

#include "sim/base/element.h"

#include <string.h>

static const char *const own_keys[] = {"grid", "block", "dynamic_shared_bytes", "params"};

/* The only launch of the file, or NULL: then nothing can be left out. */
static const WsYamlNode *only_launch(const WsLaunchReader *reader)
{
    return reader->launch_nodes->len == 1 ? reader->launch_nodes->pdata[0] : NULL;
}

/* The mapping of the launch: keys of `node`, else of the only launch. Owns no nodes. */
static WsYamlNode combine(const WsLaunchReader *reader, const WsYamlNode *node)
{
    const WsYamlNode *launch = only_launch(reader);
    WsYamlNode combined = *node;
    combined.keys = g_ptr_array_new();
    combined.items = g_ptr_array_new();
    for (gsize k = 0; k < G_N_ELEMENTS(own_keys); k++) {
        const WsYamlNode *from = ws_yaml_get(node, own_keys[k]) != NULL ? node : launch;
        for (guint i = 0; from != NULL && i < ws_yaml_count(from); i++) {
            if (strcmp(ws_yaml_key(from, i)->text, own_keys[k]) != 0)
                continue;
            g_ptr_array_add(combined.keys, (gpointer)ws_yaml_key(from, i));
            g_ptr_array_add(combined.items, (gpointer)ws_yaml_item(from, i));
        }
    }
    return combined;
}

/* Untyped bits take either kind. */
static gboolean same_kind(WsType a, WsType b)
{
    gboolean untyped =
        (a >= WS_TYPE_B8 && a <= WS_TYPE_B64) || (b >= WS_TYPE_B8 && b <= WS_TYPE_B64);
    return untyped || ((a == WS_TYPE_BYTES) == (b == WS_TYPE_BYTES) &&
                       ws_element_is_float(a) == ws_element_is_float(b));
}

static gboolean same_parameters(const WsKernel *a, const WsKernel *b)
{
    if (a->parameter_count != b->parameter_count || a->parameter_bytes != b->parameter_bytes)
        return FALSE;
    for (guint32 i = 0; i < a->parameter_count; i++)
        if (a->parameters[i].offset != b->parameters[i].offset ||
            a->parameters[i].size != b->parameters[i].size ||
            !same_kind(a->parameters[i].type, b->parameters[i].type))
            return FALSE;
    return TRUE;
}

static gboolean copy_parameters(const WsLaunchReader *reader, const WsYamlNode *node,
                                WsLaunch *launch, GError **error)
{
    const WsLaunch *from =
        only_launch(reader) == NULL ? NULL : &g_array_index(reader->launches, WsLaunch, 0);
    if (from == NULL)
        return ws_yaml_error(reader->tree, node, error,
                             "there are several launches: the reference kernel needs its own "
                             "'grid', 'block' and 'params'");
    if (!same_parameters(from->kernel, launch->kernel))
        return ws_yaml_error(reader->tree, node, error,
                             "the reference kernel '%s' takes other parameters than '%s': give it "
                             "its own 'params'",
                             launch->kernel->display_name, from->kernel->display_name);
    guint32 bytes = launch->kernel->parameter_bytes;
    launch->parameters = g_malloc0(MAX(bytes, 1));
    memcpy(launch->parameters, from->parameters, bytes);
    return TRUE;
}

static gboolean read_into(WsLaunchReader *reader, const WsYamlNode *node,
                          const WsYamlNode *combined, WsLaunch *launch, GError **error)
{
    const WsYamlTree *tree = reader->tree;
    const WsYamlNode *shared = ws_yaml_get(combined, "dynamic_shared_bytes");
    const WsYamlNode *params = ws_yaml_get(node, "params");
    guint64 bytes = 0;
    launch->kernel = ws_launch_find_kernel(reader, ws_yaml_get(node, "kernel"), error);
    if (launch->kernel == NULL ||
        (params != NULL &&
         !ws_launch_override_reference(reader, (WsYamlNode *)node, launch->kernel, error)) ||
        !ws_launch_read_sizes(reader, combined, error) ||
        (shared != NULL &&
         !ws_yaml_unsigned(tree, shared, "dynamic_shared_bytes", 0, G_MAXINT32, &bytes, error)))
        return FALSE;
    memcpy(launch->grid, reader->sizes.grid, sizeof launch->grid);
    memcpy(launch->block, reader->sizes.block, sizeof launch->block);
    launch->dynamic_shared_bytes = (guint32)bytes;
    launch->carveout = -1;
    WsPosition grid = ws_yaml_position(tree, ws_yaml_get(combined, "grid"));
    WsPosition block = ws_yaml_position(tree, ws_yaml_get(combined, "block"));
    if (!ws_launch_check(launch, reader->job->device, &grid, &block, error))
        return FALSE;
    return params != NULL ? ws_launch_read_parameters(reader, node, params, launch, error)
                          : copy_parameters(reader, node, launch, error);
}

static gboolean same_launch(const WsLaunch *a, const WsLaunch *b)
{
    return a->kernel == b->kernel && memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           memcmp(a->block, b->block, sizeof a->block) == 0 &&
           a->dynamic_shared_bytes == b->dynamic_shared_bytes &&
           memcmp(a->parameters, b->parameters, a->kernel->parameter_bytes) == 0;
}

static void clear_launch(WsLaunch *launch)
{
    g_free(launch->parameters);
    g_free(launch->references);
}

gboolean ws_reference_launch_read(WsLaunchReader *reader, const WsYamlNode *node, guint32 *ret,
                                  GError **error)
{
    if (only_launch(reader) == NULL &&
        (ws_yaml_get(node, "grid") == NULL || ws_yaml_get(node, "block") == NULL))
        return ws_yaml_error(reader->tree, node, error,
                             "there are several launches: the reference kernel needs its own "
                             "'grid', 'block' and 'params'");
    WsYamlNode combined = combine(reader, node);
    WsLaunchSizes sizes = reader->sizes;
    gboolean inside = reader->inside_launch;
    WsLaunch launch = {0};
    gboolean ok = read_into(reader, node, &combined, &launch, error);
    reader->sizes = sizes;
    reader->inside_launch = inside;
    g_ptr_array_unref(combined.keys);
    g_ptr_array_unref(combined.items);
    if (!ok) {
        clear_launch(&launch);
        return FALSE;
    }
    for (guint i = 0; i < reader->reference_launches->len; i++) {
        if (!same_launch(&g_array_index(reader->reference_launches, WsLaunch, i), &launch))
            continue;
        clear_launch(&launch);
        *ret = i + 1;
        return TRUE;
    }
    g_array_append_val(reader->reference_launches, launch);
    *ret = reader->reference_launches->len;
    return TRUE;
}

/* ---- running ----------------------------------------------------------------------------------
 */

/* The job with its own memory and one launch: reference `index`. */
