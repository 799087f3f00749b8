#include "isa/fatbin/fatbin.h"

#include <lz4.h>
#include <string.h>
#include <zstd.h>

enum { IMAGE_HEADER_BYTES = 64 };
enum { IS_LZ4 = 0x2000, IS_ZSTD = 0x8000, IS_ARCHITECTURE = 0x100000, IS_FAMILY = 0x200000 };

static guint64 number_at(const guint8 *at, guint bytes)
{
    guint64 value = 0;
    for (guint i = 0; i < bytes; i++)
        value |= (guint64)at[i] << (8 * i);
    return value;
}

static gboolean fail(GError **error, const char *why)
{
    ws_set_error(error, WS_ERROR_INPUT, "the fat binary of nvcc is damaged: %s", why);
    return FALSE;
}

gsize ws_fatbin_bytes(const guint8 header[WS_FATBIN_HEADER_BYTES])
{
    const guint64 own = number_at(header + 6, 2), images = number_at(header + 8, 8);
    if (number_at(header, 4) != (guint32)WS_FATBIN_MAGIC || own < WS_FATBIN_HEADER_BYTES ||
        images > G_MAXSSIZE - own)
        return 0;
    return (gsize)(own + images);
}

/* ---- images ----------------------------------------------------------------------------------
 */

/* The image at `bytes`; `left` is up to the end of its container. Returns its length, or 0. */
static gsize read_image(const guint8 *bytes, gsize left, WsFatbinImage *ret, GError **error)
{
    if (left < IMAGE_HEADER_BYTES) {
        fail(error, "the header of an image is cut off");
        return 0;
    }
    const guint64 header = number_at(bytes + 4, 4), stored = number_at(bytes + 8, 8);
    const guint64 packed = number_at(bytes + 16, 4), flags = number_at(bytes + 40, 8);
    if (header < IMAGE_HEADER_BYTES || header > left || stored > left - header || packed > stored) {
        fail(error, "an image is longer than its container");
        return 0;
    }
    const gboolean is_packed = (flags & (IS_LZ4 | IS_ZSTD)) != 0;
    *ret = (WsFatbinImage){.kind = (WsFatbinKind)number_at(bytes, 2),
                           .capability = (guint)number_at(bytes + 28, 4),
                           .suffix = flags & IS_ARCHITECTURE ? 'a'
                                     : flags & IS_FAMILY     ? 'f'
                                                             : '\0',
                           .bytes = bytes + header,
                           .size = (gsize)(is_packed ? packed : stored),
                           .unpacked_bytes = is_packed ? number_at(bytes + 56, 8) : 0,
                           .is_lz4 = (flags & IS_LZ4) != 0};
    if (is_packed && ret->unpacked_bytes == 0) {
        fail(error, "an image is packed and has no length");
        return 0;
    }
    return (gsize)(header + stored);
}

gboolean ws_fatbin_add_images(const guint8 *bytes, gsize size, GArray *images, GError **error)
{
    const gsize length = size < WS_FATBIN_HEADER_BYTES ? 0 : ws_fatbin_bytes(bytes);
    if (length == 0)
        return fail(error, "it does not begin like one");
    if (length > size)
        return fail(error, "it is cut off");
    if (number_at(bytes + 4, 2) != 1)
        return fail(error, "it is of a version that is not known");
    for (gsize at = (gsize)number_at(bytes + 6, 2); at < length;) {
        WsFatbinImage image;
        const gsize taken = read_image(bytes + at, length - at, &image, error);
        if (taken == 0)
            return FALSE;
        if (image.kind == WS_FATBIN_PTX || image.kind == WS_FATBIN_CODE)
            g_array_append_val(images, image);
        at += taken;
    }
    return TRUE;
}

gboolean ws_fatbin_add_section(const guint8 *bytes, gsize size, GArray *images, GError **error)
{
    for (gsize at = 0; at < size;) {
        if (bytes[at] == 0) {
            at++;
            continue;
        }
        if (!ws_fatbin_add_images(bytes + at, size - at, images, error))
            return FALSE;
        at += ws_fatbin_bytes(bytes + at);
    }
    return TRUE;
}

/* ---- PTX --------------------------------------------------------------------------------------
 */

char *ws_fatbin_names(const GArray *images)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < images->len; i++) {
        const WsFatbinImage *image = &g_array_index(images, WsFatbinImage, i);
        const char suffix[] = {image->suffix, '\0'};
        g_autofree char *name = g_strdup_printf(
            "%s_%u%s", image->kind == WS_FATBIN_PTX ? "compute" : "sm", image->capability, suffix);
        if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
            g_ptr_array_add(names, g_steal_pointer(&name));
    }
    g_ptr_array_add(names, NULL);
    return g_strjoinv(", ", (char **)names->pdata);
}

/* PTX is for its own and all later devices; with a suffix, for its own or its family alone. */
gboolean ws_fatbin_is_taken(const WsFatbinImage *image, guint capability)
{
    if (image->kind != WS_FATBIN_PTX || image->capability > capability)
        return FALSE;
    return image->suffix == 'a'   ? image->capability == capability
           : image->suffix == 'f' ? image->capability / 10 == capability / 10
                                  : TRUE;
}

static char *unpack(const WsFatbinImage *image, GError **error)
{
    const gsize wanted = image->unpacked_bytes != 0 ? image->unpacked_bytes : image->size;
    if (wanted > WS_FATBIN_MAX_PTX_BYTES) {
        ws_set_error(error, WS_ERROR_INPUT, "the PTX has more than %d MiB",
                     WS_FATBIN_MAX_PTX_BYTES / (1024 * 1024));
        return NULL;
    }
    g_autofree char *text = g_malloc0(wanted + 1);
    gsize made = wanted;
    if (image->unpacked_bytes == 0) {
        memcpy(text, image->bytes, wanted);
    } else if (image->is_lz4) {
        const int length = image->size > G_MAXINT32
                               ? -1
                               : LZ4_decompress_safe((const char *)image->bytes, text,
                                                     (int)image->size, (int)wanted);
        made = length < 0 ? 0 : (gsize)length;
    } else {
        made = ZSTD_decompress(text, wanted, image->bytes, image->size);
    }
    if (made != wanted) {
        fail(error, "its PTX does not unpack");
        return NULL;
    }
    return g_steal_pointer(&text);
}

void ws_fatbin_refuse(const WsPosition *position, const GArray *images, guint capability,
                      GError **error)
{
    g_autofree char *names = ws_fatbin_names(images);
    ws_set_error_at(error, WS_ERROR_INPUT, position,
                    "the program has no PTX for a device of compute capability %u.%u, but %s: "
                    "build it with 'nvcc -gencode arch=compute_%u,code=compute_%u'",
                    capability / 10, capability % 10, *names != '\0' ? names : "nothing",
                    capability, capability);
}

char *ws_fatbin_ptx(const GArray *images, guint capability, GError **error)
{
    const WsFatbinImage *best = NULL;
    for (guint i = 0; i < images->len; i++) {
        const WsFatbinImage *image = &g_array_index(images, WsFatbinImage, i);
        if (ws_fatbin_is_taken(image, capability) &&
            (best == NULL || image->capability > best->capability ||
             (image->capability == best->capability && best->suffix == '\0')))
            best = image;
    }
    if (best != NULL)
        return unpack(best, error);
    ws_fatbin_refuse(NULL, images, capability, error);
    return NULL;
}
