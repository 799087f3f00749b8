/* Textures of a machine: views of its buffers, which kernels fetch from by handle. */
#include "library/machine.h"

#include "sim/base/element.h"
#include "sim/launch/texture_size.h"

/* A handle is the place of a texture + 1; a place without a texture has no channels. */
static WsTexture *held_at(const warpstep *gpu, guint64 place)
{
    return &g_array_index(gpu->textures, WsTexture, place);
}

/* Bytes from its first texel to its last. */
static guint64 bytes_of(const WsTexture *texture)
{
    const guint64 texel = ws_type_size(texture->type) * texture->channels;
    const guint64 rows = (guint64)texture->size[1] * texture->size[2];
    return (rows - 1) * texture->row_bytes + texel * texture->size[0];
}

/* The buffer that holds all texels, or -1. */
static gint64 buffer_of(const warpstep *gpu, const WsTexture *texture)
{
    for (guint i = 0; i < gpu->buffers->len; i++) {
        const WsBuffer *buffer = &g_array_index(gpu->buffers, WsHeldBuffer, i).buffer;
        if (texture->address < buffer->address ||
            texture->address - buffer->address >= buffer->bytes)
            continue;
        if (bytes_of(texture) <= buffer->bytes - (texture->address - buffer->address))
            return i;
        break;
    }
    return -1;
}

static warpstep_code take_sizes(warpstep *gpu, const warpstep_texture *wanted, WsTexture *texture)
{
    const unsigned sizes[] = {wanted->width, wanted->height, wanted->depth};
    if ((guint)wanted->kind >= WS_TEX_KIND_COUNT)
        return ws_machine_refuse(gpu, "a texture has no such kind");
    texture->kind = (WsTextureKind)wanted->kind;
    for (guint i = 0; i < 3; i++) {
        texture->size[i] = i > 0 && sizes[i] == 0 ? 1 : sizes[i];
        if (texture->size[i] == 0 || texture->size[i] > ws_texture_size_limit(texture->kind, i))
            return ws_machine_refuse(gpu,
                                     "a texture of this kind has from 1 to %u texels along "
                                     "axis %u",
                                     ws_texture_size_limit(texture->kind, i), i);
    }
    if (texture->kind == WS_TEX_CUBE &&
        (texture->size[0] != texture->size[1] || texture->size[2] != 6))
        return ws_machine_refuse(gpu, "a cube has 6 faces, which are squares");
    return WARPSTEP_OK;
}

static warpstep_code take_texels(warpstep *gpu, const warpstep_texture *wanted, WsTexture *texture)
{
    if (wanted->type == NULL || !ws_type_by_name(wanted->type, &texture->type) ||
        !(texture->type == WS_TYPE_F16 || texture->type == WS_TYPE_F32 ||
          (!ws_element_is_float(texture->type) && ws_type_size(texture->type) > 0 &&
           ws_type_size(texture->type) <= 4)))
        return ws_machine_refuse(gpu, "a texture has texels of 8, 16 or 32 bits a channel, f16 or "
                                      "f32");
    if (wanted->channels != 1 && wanted->channels != 2 && wanted->channels != 4)
        return ws_machine_refuse(gpu, "a texture has 1, 2 or 4 channels");
    texture->channels = (guint8)wanted->channels;
    const guint64 row = (guint64)ws_type_size(texture->type) * wanted->channels * wanted->width;
    texture->row_bytes = wanted->row_bytes != 0 ? wanted->row_bytes : row;
    texture->address = wanted->address;
    if (texture->row_bytes < row || texture->row_bytes > G_MAXINT32 * G_GUINT64_CONSTANT(16))
        return ws_machine_refuse(gpu,
                                 "a row of the texture has %" G_GUINT64_FORMAT " bytes, not "
                                 "%" G_GUINT64_FORMAT,
                                 row, texture->row_bytes);
    return buffer_of(gpu, texture) >= 0
               ? WARPSTEP_OK
               : ws_machine_refuse(gpu, "the texels are not all in one buffer");
}

static warpstep_code take_sampling(warpstep *gpu, const warpstep_texture *wanted,
                                   WsTexture *texture)
{
    const gboolean is_float = ws_element_is_float(texture->type);
    texture->filter = wanted->linear ? WS_TEXTURE_LINEAR : WS_TEXTURE_POINT;
    texture->normalized = wanted->normalized != 0;
    texture->normalized_read = wanted->normalized_read != 0;
    if (texture->normalized_read && (is_float || ws_type_size(texture->type) > 2))
        return ws_machine_refuse(gpu, "only integers of 8 and 16 bits are read as normalized "
                                      "floats");
    if (wanted->linear && !is_float && !texture->normalized_read)
        return ws_machine_refuse(gpu, "only floats are filtered, or integers that are read as "
                                      "normalized floats");
    for (guint i = 0; i < 3; i++) {
        const WsTextureAddress mode = (WsTextureAddress)wanted->address_mode[i];
        if ((guint)mode > WS_TEXTURE_BORDER)
            return ws_machine_refuse(gpu, "a texture has no such address mode");
        if (!texture->normalized && (mode == WS_TEXTURE_WRAP || mode == WS_TEXTURE_MIRROR))
            return ws_machine_refuse(gpu, "wrap and mirror need normalized coordinates");
        texture->address_mode[i] = mode;
    }
    for (guint i = 0; i < 4; i++)
        texture->border[i] = wanted->border[i];
    return WARPSTEP_OK;
}

warpstep_code warpstep_create_texture(warpstep *gpu, const warpstep_texture *given,
                                      uint64_t *ret_handle)
{
    warpstep_texture wanted;
    WsTexture texture = {0};
    warpstep_code code = ws_machine_check_idle(gpu);
    if (code == WARPSTEP_OK)
        code = ws_machine_take(gpu, &wanted, sizeof wanted, given, "warpstep_texture");
    if (code == WARPSTEP_OK)
        code = take_sizes(gpu, &wanted, &texture);
    if (code == WARPSTEP_OK)
        code = take_texels(gpu, &wanted, &texture);
    if (code == WARPSTEP_OK)
        code = take_sampling(gpu, &wanted, &texture);
    if (code != WARPSTEP_OK)
        return code;
    guint place = 0;
    while (place < gpu->textures->len && held_at(gpu, place)->channels != 0)
        place++;
    if (place == gpu->textures->len)
        g_array_append_val(gpu->textures, texture);
    else
        *held_at(gpu, place) = texture;
    *ret_handle = (uint64_t)place + 1;
    return WARPSTEP_OK;
}

warpstep_code warpstep_destroy_texture(warpstep *gpu, uint64_t handle)
{
    const warpstep_code code = ws_machine_check_idle(gpu);
    if (code != WARPSTEP_OK)
        return code;
    if (handle - 1 >= gpu->textures->len || held_at(gpu, handle - 1)->channels == 0)
        return ws_machine_refuse(gpu, "no texture has the handle %" G_GUINT64_FORMAT,
                                 (guint64)handle);
    *held_at(gpu, handle - 1) = (WsTexture){0};
    while (gpu->textures->len > 0 && held_at(gpu, gpu->textures->len - 1)->channels == 0)
        g_array_set_size(gpu->textures, gpu->textures->len - 1);
    return WARPSTEP_OK;
}

/* A texture whose buffer is gone is none any more. */
WsTexture *ws_machine_textures(const warpstep *gpu)
{
    WsTexture *textures = g_new0(WsTexture, gpu->textures->len + 1);
    for (guint i = 0; i < gpu->textures->len; i++) {
        const gint64 buffer = held_at(gpu, i)->channels != 0 ? buffer_of(gpu, held_at(gpu, i)) : -1;
        if (buffer < 0)
            continue;
        textures[i] = *held_at(gpu, i);
        textures[i].buffer = (guint32)buffer;
        textures[i].name = g_strdup_printf("texture %u", i + 1);
    }
    return textures;
}
