/* `textures:` and `texrefs:` of a launch file. */
#include "isa/base/size.h"
#include "sim/base/element.h"
#include "sim/launch/reader.h"
#include "sim/launch/texture_size.h"

#include <string.h>

enum { MAX_TEXTURES = 1 << 16 };

static const char *const kind_names[] = {"1d", "2d", "3d", "1d_array", "2d_array", "cube", NULL};
static const char *const address_names[] = {"clamp", "wrap", "mirror", "border", NULL};

/* Sizes that each kind is given, and coordinates that have an address mode. */
static const struct {
    guint8 sizes, axes;
} kind_shapes[WS_TEX_KIND_COUNT] = {
    [WS_TEX_1D] = {1, 1},       [WS_TEX_2D] = {2, 2},       [WS_TEX_3D] = {3, 3},
    [WS_TEX_ARRAY_1D] = {2, 1}, [WS_TEX_ARRAY_2D] = {3, 2}, [WS_TEX_CUBE] = {2, 2},
};

static gboolean check_name(const WsLaunchReader *reader, const WsYamlNode *node, GError **error)
{
    const char *name = ws_yaml_text(reader->tree, node, "a texture's name", error);
    if (name == NULL)
        return FALSE;
    g_autofree char *shown = ws_printable(name);
    return ws_launch_is_name(name, 1000) ||
           ws_yaml_error(reader->tree, node, error,
                         "'%s' is not a texture's name: letters, digits and _, a letter first",
                         shown);
}

gboolean ws_launch_find_texture(const WsLaunchReader *reader, const WsYamlNode *node,
                                guint64 *ret_handle, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < reader->textures->len; i++)
        g_ptr_array_add(names, g_array_index(reader->textures, WsTexture, i).name);
    guint32 index;
    if (!ws_launch_find_name(reader, node, "texture", names, &index, error))
        return FALSE;
    *ret_handle = (guint64)index + 1;
    return TRUE;
}

/* ---- shape -------------------------------------------------------------------------------------
 */

static gboolean read_one_size(const WsLaunchReader *reader, const WsYamlNode *node,
                              WsTexture *texture, guint axis, GError **error)
{
    guint64 value;
    if (!ws_yaml_unsigned(reader->tree, node, "size", 1, ws_texture_size_limit(texture->kind, axis),
                          &value, error))
        return FALSE;
    texture->size[axis] = (guint32)value;
    return TRUE;
}

static gboolean read_size(const WsLaunchReader *reader, const WsYamlNode *node, WsTexture *texture,
                          GError **error)
{
    guint wanted = kind_shapes[texture->kind].sizes;
    guint count = node->kind == WS_YAML_SCALAR ? 1 : ws_yaml_count(node);
    texture->size[0] = texture->size[1] = texture->size[2] = 1;
    if (node->kind == WS_YAML_MAPPING || count != wanted)
        return ws_yaml_error(reader->tree, node, error,
                             "size: a texture of kind %s has %u size%s (width, height, depth or "
                             "layers)",
                             kind_names[texture->kind], wanted, wanted == 1 ? "" : "s");
    for (guint i = 0; i < count; i++) {
        const WsYamlNode *item = node->kind == WS_YAML_SCALAR ? node : ws_yaml_item(node, i);
        /* The layers of an array are its third size. */
        guint axis = texture->kind == WS_TEX_ARRAY_1D && i == 1 ? 2 : i;
        if (!read_one_size(reader, item, texture, axis, error))
            return FALSE;
    }
    if (texture->kind != WS_TEX_CUBE)
        return TRUE;
    texture->size[2] = 6;
    return texture->size[0] == texture->size[1] ||
           ws_yaml_error(reader->tree, node, error, "size: the faces of a cube are squares");
}

static gboolean read_address(const WsLaunchReader *reader, const WsYamlNode *node,
                             WsTexture *texture, GError **error)
{
    guint axes = kind_shapes[texture->kind].axes;
    if (node == NULL)
        return TRUE;
    guint count = node->kind == WS_YAML_SCALAR ? 1 : ws_yaml_count(node);
    if (node->kind == WS_YAML_MAPPING || (node->kind == WS_YAML_SEQUENCE && count != axes))
        return ws_yaml_error(reader->tree, node, error,
                             "address: one mode, or a list of %u for kind %s", axes,
                             kind_names[texture->kind]);
    for (guint i = 0; i < axes; i++) {
        const WsYamlNode *item = node->kind == WS_YAML_SCALAR ? node : ws_yaml_item(node, i);
        guint mode;
        if (!ws_yaml_choice(reader->tree, item, "address", address_names, &mode, error))
            return FALSE;
        texture->address_mode[i] = (WsTextureAddress)mode;
        gboolean repeats = mode == WS_TEXTURE_WRAP || mode == WS_TEXTURE_MIRROR;
        if (repeats && !texture->normalized)
            return ws_yaml_error(reader->tree, item, error,
                                 "address: %s needs normalized coordinates (normalized: true)",
                                 address_names[mode]);
        if (mode != WS_TEXTURE_CLAMP && texture->kind == WS_TEX_CUBE)
            return ws_yaml_error(reader->tree, item, error,
                                 "address: the faces of a cube are clamped");
    }
    return TRUE;
}

/* ---- texels ------------------------------------------------------------------------------------
 */

static gboolean check_type(const WsLaunchReader *reader, const WsYamlNode *node,
                           const WsBuffer *buffer, GError **error)
{
    return buffer->type == WS_TYPE_F16 || buffer->type == WS_TYPE_F32 ||
           (!ws_element_is_float(buffer->type) && ws_type_size(buffer->type) <= 4) ||
           ws_yaml_error(reader->tree, node, error,
                         "a texture has texels of 8, 16 or 32 bits a channel, f16 or f32; buffer "
                         "'%s' is %s",
                         buffer->name, ws_type_name(buffer->type));
}

static gboolean read_texels(const WsLaunchReader *reader, const WsYamlNode *node,
                            WsTexture *texture, GError **error)
{
    const WsYamlTree *tree = reader->tree;
    const WsYamlNode *buffer_node = ws_yaml_require(tree, node, "a texture", "buffer", error);
    const WsYamlNode *channels = ws_yaml_get(node, "channels");
    guint64 count = 1;
    if (buffer_node == NULL || !ws_launch_find_buffer(reader, buffer_node, &texture->buffer, error))
        return FALSE;
    const WsBuffer *buffer = &g_array_index(reader->buffers, WsBuffer, texture->buffer);
    if (!check_type(reader, buffer_node, buffer, error) ||
        (channels != NULL && !ws_yaml_unsigned(tree, channels, "channels", 1, 4, &count, error)))
        return FALSE;
    if (count == 3)
        return ws_yaml_error(tree, channels, error, "channels: 1, 2 or 4");
    texture->type = buffer->type;
    texture->address = buffer->address;
    texture->channels = (guint8)count;
    texture->row_bytes = count * ws_type_size(buffer->type) * texture->size[0];
    guint64 elements = ws_size_multiply(ws_texture_texels(texture), count);
    return elements <= buffer->count ||
           ws_yaml_error(tree, node, error,
                         "the texture has %" G_GUINT64_FORMAT " elements, but buffer '%s' only "
                         "%" G_GUINT64_FORMAT,
                         elements, buffer->name, buffer->count);
}

static gboolean read_sampling(const WsLaunchReader *reader, const WsYamlNode *node,
                              WsTexture *texture, GError **error)
{
    static const char *const filters[] = {"point", "linear", NULL};
    static const char *const reads[] = {"element", "normalized", NULL};
    const WsYamlTree *tree = reader->tree;
    const WsYamlNode *filter = ws_yaml_get(node, "filter"), *read = ws_yaml_get(node, "read");
    guint chosen = 0;
    if (read != NULL && !ws_yaml_choice(tree, read, "read", reads, &chosen, error))
        return FALSE;
    texture->normalized_read = chosen == 1;
    gboolean is_float = ws_element_is_float(texture->type);
    if (texture->normalized_read && (is_float || ws_type_size(texture->type) > 2))
        return ws_yaml_error(tree, read, error,
                             "read: only integers of 8 and 16 bits are read as normalized floats");
    chosen = 0;
    if (filter != NULL && !ws_yaml_choice(tree, filter, "filter", filters, &chosen, error))
        return FALSE;
    texture->filter = (WsTextureFilter)chosen;
    if (texture->filter == WS_TEXTURE_LINEAR && !texture->normalized_read && !is_float)
        return ws_yaml_error(tree, filter, error,
                             "filter: only floats are filtered (or integers with read: "
                             "normalized)");
    return TRUE;
}

static gboolean read_texture(WsLaunchReader *reader, const WsYamlNode *name, const WsYamlNode *node,
                             GError **error)
{
    static const char *const keys[] = {"buffer", "kind",       "size", "channels", "address",
                                       "filter", "normalized", "read", NULL};
    const WsYamlTree *tree = reader->tree;
    WsTexture texture = {0};
    guint kind = 0;
    if (!check_name(reader, name, error) ||
        !ws_yaml_expect_mapping(tree, node, "a texture", keys, error))
        return FALSE;
    const WsYamlNode *kind_node = ws_yaml_require(tree, node, "a texture", "kind", error);
    const WsYamlNode *size =
        kind_node == NULL ? NULL : ws_yaml_require(tree, node, "a texture", "size", error);
    const WsYamlNode *normalized = ws_yaml_get(node, "normalized");
    if (size == NULL || !ws_yaml_choice(tree, kind_node, "kind", kind_names, &kind, error))
        return FALSE;
    texture.kind = (WsTextureKind)kind;
    if ((normalized != NULL &&
         !ws_yaml_boolean(tree, normalized, "normalized", &texture.normalized, error)) ||
        !read_size(reader, size, &texture, error) || !read_texels(reader, node, &texture, error) ||
        !read_address(reader, ws_yaml_get(node, "address"), &texture, error) ||
        !read_sampling(reader, node, &texture, error))
        return FALSE;
    texture.name = g_strdup(name->text);
    g_array_append_val(reader->textures, texture); /* from here on the job frees it */
    return TRUE;
}

gboolean ws_launch_read_textures(WsLaunchReader *reader, const WsYamlNode *node, GError **error)
{
    if (node == NULL)
        return TRUE;
    if (!ws_yaml_expect_mapping(reader->tree, node, "textures", NULL, error))
        return FALSE;
    if (ws_yaml_count(node) > MAX_TEXTURES)
        return ws_yaml_error(reader->tree, node, error, "textures: at most %d", MAX_TEXTURES);
    for (guint i = 0; i < ws_yaml_count(node); i++)
        if (!read_texture(reader, ws_yaml_key(node, i), ws_yaml_item(node, i), error))
            return FALSE;
    return TRUE;
}

/* ---- references --------------------------------------------------------------------------------
 */

static gboolean is_reference(const WsSymbol *symbol)
{
    return symbol->type == WS_TYPE_TEXREF && symbol->space == WS_SYMBOL_CONSTANT &&
           symbol->size == 8;
}

static void bind(const WsJob *job, const WsSymbol *symbol, guint64 handle)
{
    memcpy(job->constant_data + symbol->address, &handle, sizeof handle);
}

static gboolean read_reference(const WsLaunchReader *reader, const WsYamlNode *key,
                               const WsYamlNode *value, GError **error)
{
    const WsProgram *program = reader->job->program;
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    guint64 handle = 0;
    for (guint32 i = 0; i < program->symbol_count; i++) {
        const WsSymbol *symbol = &program->symbols[i];
        if (!is_reference(symbol))
            continue;
        g_ptr_array_add(names, symbol->name);
        if (strcmp(symbol->name, key->text) != 0)
            continue;
        if (!ws_launch_find_texture(reader, value, &handle, error))
            return FALSE;
        bind(reader->job, symbol, handle);
        return TRUE;
    }
    g_ptr_array_add(names, NULL);
    g_autofree char *shown = ws_printable(key->text);
    const char *nearest = ws_nearest_name(key->text, (const char *const *)names->pdata);
    if (nearest != NULL)
        return ws_yaml_error(reader->tree, key, error,
                             "the program has no texture reference '%s'; did you mean '%s'?", shown,
                             nearest);
    return ws_yaml_error(reader->tree, key, error, "the program has no texture reference '%s'",
                         shown);
}

gboolean ws_launch_read_texture_references(const WsLaunchReader *reader, const WsYamlNode *node,
                                           GError **error)
{
    const WsProgram *program = reader->job->program;
    for (guint32 i = 0; i < program->symbol_count; i++)
        for (guint k = 0; is_reference(&program->symbols[i]) && k < reader->textures->len; k++)
            if (strcmp(g_array_index(reader->textures, WsTexture, k).name,
                       program->symbols[i].name) == 0)
                bind(reader->job, &program->symbols[i], (guint64)k + 1);
    if (node == NULL)
        return TRUE;
    if (!ws_yaml_expect_mapping(reader->tree, node, "texrefs", NULL, error))
        return FALSE;
    for (guint i = 0; i < ws_yaml_count(node); i++)
        if (!read_reference(reader, ws_yaml_key(node, i), ws_yaml_item(node, i), error))
            return FALSE;
    return TRUE;
}
