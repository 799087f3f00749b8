#include "sim/memory/texture.h"

#include "isa/base/float_bits.h"
#include "isa/base/half_float.h"
#include "sim/base/element.h"
#include "sim/memory/global_memory.h"

#include <math.h>
#include <string.h>

enum { FRACTION_BITS = 8, ONE = 1 << FRACTION_BITS };

/* ---- one axis ----------------------------------------------------------------------------------
 */

/* The two texels along one axis and their weights in 1/256; one texel has all of it. */
typedef struct {
    gint64 texel[2]; /* -1: border */
    guint32 weight[2];
    guint count;
} Axis;

/* Texel `i` of a row of `size`, by address mode; -1 if it is the border. */
static gint64 place_texel(gint64 i, gint64 size, WsTextureAddress address)
{
    if (i >= 0 && i < size)
        return i;
    switch (address) {
    case WS_TEXTURE_BORDER:
        return -1;
    case WS_TEXTURE_WRAP:
        return (i % size + size) % size;
    case WS_TEXTURE_MIRROR:
        i = (i % (2 * size) + 2 * size) % (2 * size);
        return i < size ? i : 2 * size - 1 - i;
    default:
        return i < 0 ? 0 : size - 1;
    }
}

/*
 * A coordinate in texels. Of a normalized one a GPU keeps 21 bits behind the point: measured on an
 * H200 by points next to the edges of texels. What lies far outside has been brought near: by whole
 * periods where the texture repeats, else to where only the address mode counts.
 */
static double in_texels(float coordinate, guint32 size, WsTextureAddress address,
                        gboolean normalized)
{
    enum { KEPT = 1 << 21 };
    double x = (double)coordinate;
    double far = 2.0 * size + 2;
    if (normalized && address == WS_TEXTURE_WRAP)
        x -= floor(x);
    else if (normalized && address == WS_TEXTURE_MIRROR)
        x -= 2 * floor(x / 2);
    if (normalized)
        x = floor(x * KEPT) / KEPT * size;
    if (isnan(x))
        return 0;
    return x < -far ? -far : x > far ? far : x;
}

static void find_axis(double x, guint32 size, WsTextureAddress address, gboolean linear, Axis *ret)
{
    *ret = (Axis){.weight = {ONE, 0}, .count = 1};
    if (!linear) {
        ret->texel[0] = place_texel((gint64)floor(x), size, address);
        return;
    }
    /* Beyond the last texel's centre there is one texel, with no fraction that could be rounded:
     * seen on an H200 by the weights that are left for the other axes. */
    if (address == WS_TEXTURE_CLAMP)
        x = x < 0.5 ? 0.5 : x > size - 0.5 ? size - 0.5 : x;
    gint64 fixed = (gint64)floor((x - 0.5) * ONE + 0.5);
    gint64 first = fixed >> FRACTION_BITS;
    guint32 fraction = (guint32)(fixed & (ONE - 1));
    ret->texel[0] = place_texel(first, size, address);
    if (fraction == 0)
        return;
    ret->texel[1] = place_texel(first + 1, size, address);
    ret->weight[0] = ONE - fraction;
    ret->weight[1] = fraction;
    ret->count = 2;
}

static void whole_axis(guint32 bits, guint32 size, WsTextureAddress address, Axis *ret)
{
    *ret = (Axis){.weight = {ONE, 0}, .count = 1};
    ret->texel[0] = place_texel((gint32)bits, size, address);
}

static void layer_axis(guint32 layer, guint32 layers, Axis *ret)
{
    *ret = (Axis){.weight = {ONE, 0}, .count = 1};
    ret->texel[0] = MIN(layer, layers - 1);
}

/* ---- axes --------------------------------------------------------------------------------------
 */

/* Direction to face and place on it, -1 to 1. */
static guint32 cube_face(const float at[3], double *ret_s, double *ret_t)
{
    double x = (double)at[0], y = (double)at[1], z = (double)at[2];
    double m, s, t;
    guint32 face;
    if (fabs(z) >= fabs(x) && fabs(z) >= fabs(y)) {
        face = z < 0 ? 5 : 4;
        m = fabs(z);
        s = z < 0 ? -x : x;
        t = -y;
    } else if (fabs(y) >= fabs(x)) {
        face = y < 0 ? 3 : 2;
        m = fabs(y);
        s = x;
        t = y < 0 ? -z : z;
    } else {
        face = x < 0 ? 1 : 0;
        m = fabs(x);
        s = x < 0 ? z : -z;
        t = -y;
    }
    *ret_s = m > 0 ? (s / m + 1) / 2 : 0.5;
    *ret_t = m > 0 ? (t / m + 1) / 2 : 0.5;
    return face;
}

static void find_cube(const WsTexture *texture, const guint32 coordinate[3], Axis axes[3])
{
    gboolean linear = texture->filter == WS_TEXTURE_LINEAR;
    float at[3] = {ws_float(coordinate[0]), ws_float(coordinate[1]), ws_float(coordinate[2])};
    double place[2];
    guint32 face = cube_face(at, &place[0], &place[1]);
    layer_axis(face, texture->size[2], &axes[2]);
    for (guint i = 0; i < 2; i++) {
        double x = isnan(place[i]) ? 0 : place[i] * texture->size[i];
        find_axis(x, texture->size[i], WS_TEXTURE_CLAMP, linear, &axes[i]);
    }
}

static void find_axes(const WsTexture *texture, const guint32 coordinate[3], gboolean integer,
                      Axis axes[3])
{
    static const guint8 dimensions[] = {1, 2, 3, 1, 2, 2};
    gboolean layered = texture->kind == WS_TEX_ARRAY_1D || texture->kind == WS_TEX_ARRAY_2D;
    gboolean linear = texture->filter == WS_TEXTURE_LINEAR;
    for (guint i = 0; i < 3; i++)
        layer_axis(0, 1, &axes[i]);
    if (texture->kind == WS_TEX_CUBE) {
        find_cube(texture, coordinate, axes);
        return;
    }
    if (layered)
        layer_axis(coordinate[0], texture->size[2], &axes[2]);
    for (guint i = 0; i < dimensions[texture->kind]; i++) {
        guint32 bits = coordinate[i + (layered ? 1 : 0)];
        guint32 size = texture->size[i];
        WsTextureAddress address = texture->address_mode[i];
        if (integer)
            whole_axis(bits, size, address, &axes[i]);
        else
            find_axis(in_texels(ws_float(bits), size, address, texture->normalized), size, address,
                      linear, &axes[i]);
    }
}

/* ---- texels ------------------------------------------------------------------------------------
 */

/*
 * A channel as a number: an element as stored, or 0 to 1 or -1 to 1 where reads are normalized. The
 * least integer is below -1.
 */
static double channel_value(const WsTexture *texture, const guint8 *texel, guint channel)
{
    const guint bits = 8 * ws_type_size(texture->type);
    const double value = ws_element_load_double(texture->type, texel + (gsize)channel * (bits / 8));
    if (!texture->normalized_read)
        return value;
    return value / (double)((1u << (ws_element_is_signed(texture->type) ? bits - 1 : bits)) - 1);
}

static gboolean gives_floats(const WsTexture *texture)
{
    return texture->normalized_read || ws_element_is_float(texture->type);
}

/* A texel as it is, without arithmetic: integers and the bits of NaN stay. */
static guint32 plain_channel(const WsTexture *texture, const guint8 *texel, guint channel)
{
    guint bytes = ws_type_size(texture->type);
    const double least = texture->normalized_read ? -1 : -(double)G_MAXFLOAT;
    guint32 bits;
    if (texture->type == WS_TYPE_F32) {
        memcpy(&bits, texel + (gsize)channel * bytes, sizeof bits);
        return bits;
    }
    if (gives_floats(texture))
        return ws_float_bits((float)MAX(channel_value(texture, texel, channel), least));
    return (guint32)ws_element_load_integer(texture->type, texel + (gsize)channel * bytes);
}

typedef struct {
    const guint8 *texel; /* NULL: border */
    guint32 weight;      /* in 1/256 */
} Tap;

/* Half `i` of a weight that an axis divides, in 1/256; the second half is rounded to nearest. */
static guint32 divide_weight(guint32 weight, const Axis *axis, guint i, gboolean half_up)
{
    guint32 second =
        axis->count == 1 ? 0 : (weight * axis->weight[1] + ONE / 2 - (half_up ? 0 : 1)) / ONE;

    return i == 0 ? weight - second : second;
}

/*
 * Weight of a corner in 1/256. Measured on an H200 with textures of which one texel is 1: z is
 * divided first, then x, then y, each to 8 bits; halves go up, but for y beside the first x.
 */
static guint32 corner_weight(const Axis axes[3], guint i, guint j, guint k)
{
    guint32 weight = divide_weight(ONE, &axes[2], k, TRUE);

    weight = divide_weight(weight, &axes[0], i, TRUE);
    return divide_weight(weight, &axes[1], j, i == 1);
}

static guint collect_taps(const WsTexture *texture, const guint8 *data, const Axis axes[3],
                          Tap taps[WS_TEXTURE_MAX_TEXELS], WsTextureSample *ret)
{
    guint texel_bytes = ws_type_size(texture->type) * texture->channels;
    guint count = 0;
    for (guint k = 0; k < axes[2].count; k++)
        for (guint j = 0; j < axes[1].count; j++)
            for (guint i = 0; i < axes[0].count; i++) {
                gint64 x = axes[0].texel[i], y = axes[1].texel[j], z = axes[2].texel[k];
                Tap *tap = &taps[count++];
                tap->weight = corner_weight(axes, i, j, k);
                tap->texel = NULL;
                if (x < 0 || y < 0 || z < 0)
                    continue;
                guint64 offset = ((guint64)z * texture->size[1] + (guint64)y) * texture->row_bytes +
                                 (guint64)x * texel_bytes;
                tap->texel = data + offset;
                ret->address[ret->count++] = texture->address + offset;
            }
    return count;
}

/* ---- filters -----------------------------------------------------------------------------------
 */

/* What 1 is in the numbers that a filter adds where integers are read as floats: they have 16 bits.
 */
static gint32 one_of(const WsTexture *texture)
{
    return ws_element_is_signed(texture->type) ? G_MAXINT16 : G_MAXUINT16;
}

/*
 * A border colour in steps of the type, the nearest, a half towards 0; as a number that is added.
 * Measured on an H200.
 */
static double border_value(const WsTexture *texture, guint channel)
{
    const double border = (double)texture->border[channel];
    const guint bits = 8 * ws_type_size(texture->type);
    if (texture->type == WS_TYPE_F16)
        return ws_half_to_double(ws_half_from_double(border));
    if (!texture->normalized_read)
        return border;
    const gboolean is_signed = ws_element_is_signed(texture->type);
    const double one = (double)((1u << (is_signed ? bits - 1 : bits)) - 1);
    const double near = CLAMP(border, is_signed ? -1.0 : 0.0, 1.0) * one;
    return (near > 0 ? ceil(near - 0.5) : floor(near + 0.5)) / one + 0.0; /* and no -0 */
}

static double tap_value(const WsTexture *texture, const Tap *tap, guint channel)
{
    return tap->texel == NULL ? border_value(texture, channel)
                              : channel_value(texture, tap->texel, channel);
}

/* Integers as floats: texels, border and sum are whole numbers of 16 bits; a half goes up. [M] */
static guint32 filter_integers(const WsTexture *texture, const Tap *taps, guint count,
                               guint channel)
{
    const double one = one_of(texture);
    gint64 sum = ONE / 2;
    for (guint i = 0; i < count; i++)
        sum += taps[i].weight * (gint64)floor(tap_value(texture, &taps[i], channel) * one + 0.5);
    sum = MAX(sum >> FRACTION_BITS, -G_MAXINT16); /* the least integer counts in full before */
    return ws_float_bits((float)((double)sum / one));
}

/* The sum is rounded once: to f16 where texels are f16. [M] */
static guint32 filter_floats(const WsTexture *texture, const Tap *taps, guint count, guint channel)
{
    double sum = 0;
    for (guint i = 0; i < count; i++)
        sum += (double)taps[i].weight / ONE * tap_value(texture, &taps[i], channel);
    if (texture->type == WS_TYPE_F16)
        sum = ws_half_to_double(ws_half_from_double(sum));
    return ws_float_bits((float)sum);
}

static guint32 filtered_channel(const WsTexture *texture, const Tap *taps, guint count,
                                gboolean integer, guint channel)
{
    if (texture->normalized_read && texture->filter == WS_TEXTURE_LINEAR && !integer)
        return filter_integers(texture, taps, count, channel);
    if (count > 1)
        return filter_floats(texture, taps, count, channel);
    return taps[0].texel == NULL ? ws_float_bits((float)border_value(texture, channel))
                                 : plain_channel(texture, taps[0].texel, channel);
}

void ws_texture_sample(const WsTexture *texture, const guint8 *data, const guint32 coordinate[3],
                       gboolean integer, WsTextureSample *ret)
{
    Axis axes[3];
    Tap taps[WS_TEXTURE_MAX_TEXELS];
    ret->count = 0;
    find_axes(texture, coordinate, integer, axes);
    guint count = collect_taps(texture, data, axes, taps, ret);
    for (guint channel = 0; channel < 4; channel++) {
        if (channel < texture->channels)
            ret->value[channel] = filtered_channel(texture, taps, count, integer, channel);
        else if (channel < 3)
            ret->value[channel] = 0;
        else
            ret->value[channel] = gives_floats(texture) ? ws_float_bits((float)1) : 1;
    }
}

/* ---- TEX ---------------------------------------------------------------------------------------
 */

/* Word `word` of a source: the next register, uniform register or row of the pool. */
static guint32 source_word(const WsDecodedProgram *program, const WsWarpRegisters *warp, gint row,
                           gint word, guint lane)
{
    return ws_row_value(program, warp, row < 0 ? row - word : row + word, lane);
}

const char *ws_texture_fetch(const WsGlobalMemory *memory, const WsDecodedProgram *program,
                             const WsDecoded *instruction, const WsWarpRegisters *warp, guint lane,
                             WsTextureSample *ret, guint64 *ret_handle)
{
    guint kind = ws_decoded_modifier(instruction, TEX_KIND);
    const guint8 *data;
    *ret_handle = source_word(program, warp, instruction->b, 0, lane) |
                  (guint64)source_word(program, warp, instruction->b, 1, lane) << 32;
    const WsTexture *texture = ws_global_memory_texture(memory, *ret_handle, &data);
    if (texture == NULL)
        return *ret_handle == 0 ? "no texture is bound" : "not the handle of a texture";
    if (texture->kind != kind)
        return "the texture is of another kind than the fetch";
    guint32 coordinate[3] = {
        source_word(program, warp, instruction->a, 0, lane),
        kind == WS_TEX_1D ? 0 : source_word(program, warp, instruction->a, 1, lane),
        source_word(program, warp, instruction->c, 0, lane)};
    ws_texture_sample(texture, data, coordinate,
                      ws_decoded_modifier(instruction, TEX_COORDINATE) == WS_TEX_INTEGER, ret);
    return NULL;
}

void ws_texture_return(const WsDecodedProgram *program, const WsDecoded *instruction,
                       WsWarpRegisters *warp, guint lane, const WsTextureSample *sample)
{
    if (instruction->d < 0)
        return;
    for (guint channel = 0; channel < 4; channel++)
        warp->registers[((gsize)instruction->d + channel) * program->warp_size + lane] =
            sample->value[channel];
}
