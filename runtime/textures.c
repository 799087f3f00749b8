/* Texture objects: what a program says of one becomes a texture of the machine. */
#include "runtime/runtime.h"

WS_RUNTIME_API cudaError_t cudaCreateTextureObject(cudaTextureObject_t *ret,
                                                   const struct cudaResourceDesc *resource,
                                                   const struct cudaTextureDesc *sampling,
                                                   const struct cudaResourceViewDesc *view);
WS_RUNTIME_API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
WS_RUNTIME_API cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *ret,
                                                            cudaTextureObject_t texture);
WS_RUNTIME_API cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *ret,
                                                           cudaTextureObject_t texture);

/* Of cudaDevAttrTextureAlignment and cudaDevAttrTexturePitchAlignment. */
enum { ALIGNMENT = 512, PITCH_ALIGNMENT = 32 };

/* What a program gave, by handle. */
typedef struct {
    struct cudaResourceDesc resource;
    struct cudaTextureDesc sampling;
} Note;

/* ---- what is fetched from ----------------------------------------------------------------------
 */

static cudaError_t take_format(const struct cudaChannelFormatDesc *format, warpstep_texture *wanted)
{
    static const char *const types[3][3] = {[cudaChannelFormatKindSigned] = {"s8", "s16", "s32"},
                                            [cudaChannelFormatKindUnsigned] = {"u8", "u16", "u32"},
                                            [cudaChannelFormatKindFloat] = {NULL, "f16", "f32"}};
    wanted->channels = ws_format_channels(format);
    if (wanted->channels == 0)
        return cudaErrorInvalidChannelDescriptor;
    wanted->type = types[format->f][format->x / 16];
    return cudaSuccess;
}

static cudaError_t take_array(cudaArray_const_t handle, warpstep_texture *wanted)
{
    const WsArray *array = ws_array_of(handle);
    if (array == NULL)
        return cudaErrorInvalidResourceHandle;
    const gboolean layered = (array->flags & cudaArrayLayered) != 0;
    const gboolean cube = (array->flags & cudaArrayCubemap) != 0;
    if (cube && layered)
        return cudaErrorNotSupported;
    wanted->kind = cube ? WARPSTEP_TEXTURE_CUBE
                   : array->extent.height == 0
                       ? layered ? WARPSTEP_TEXTURE_1D_ARRAY : WARPSTEP_TEXTURE_1D
                   : layered                  ? WARPSTEP_TEXTURE_2D_ARRAY
                   : array->extent.depth == 0 ? WARPSTEP_TEXTURE_2D
                                              : WARPSTEP_TEXTURE_3D;
    wanted->address = array->address;
    wanted->width = (unsigned)array->extent.width;
    wanted->height = (unsigned)array->extent.height;
    wanted->depth = (unsigned)array->extent.depth;
    return take_format(&array->format, wanted);
}

/* A row of device memory. Fetches outside of it give 0, whatever the address mode. */
static cudaError_t take_linear(void *pointer, const struct cudaChannelFormatDesc *format,
                               gsize bytes, warpstep_texture *wanted)
{
    const cudaError_t error = take_format(format, wanted);
    if (error != cudaSuccess)
        return error;
    const gsize texel = wanted->channels * (gsize)format->x / 8;
    if ((gsize)pointer % ALIGNMENT != 0 || bytes / texel > G_MAXUINT32)
        return cudaErrorInvalidValue;
    wanted->kind = WARPSTEP_TEXTURE_1D;
    wanted->address = (gsize)pointer;
    wanted->width = (unsigned)(bytes / texel);
    return cudaSuccess;
}

static cudaError_t take_resource(const struct cudaResourceDesc *resource, warpstep_texture *wanted)
{
    switch (resource->resType) {
    case cudaResourceTypeArray:
        return take_array(resource->res.array.array, wanted);
    case cudaResourceTypeLinear:
        return take_linear(resource->res.linear.devPtr, &resource->res.linear.desc,
                           resource->res.linear.sizeInBytes, wanted);
    case cudaResourceTypePitch2D:
        if ((gsize)resource->res.pitch2D.devPtr % ALIGNMENT != 0 ||
            resource->res.pitch2D.pitchInBytes % PITCH_ALIGNMENT != 0 ||
            resource->res.pitch2D.width > G_MAXUINT32 || resource->res.pitch2D.height > G_MAXUINT32)
            return cudaErrorInvalidValue;
        wanted->kind = WARPSTEP_TEXTURE_2D;
        wanted->address = (gsize)resource->res.pitch2D.devPtr;
        wanted->row_bytes = resource->res.pitch2D.pitchInBytes;
        wanted->width = (unsigned)resource->res.pitch2D.width;
        wanted->height = (unsigned)resource->res.pitch2D.height;
        return take_format(&resource->res.pitch2D.desc, wanted);
    default:
        return cudaErrorNotSupported; /* mipmapped arrays */
    }
}

/* ---- how it is fetched -------------------------------------------------------------------------
 */

static gboolean has_color(const struct cudaTextureDesc *sampling)
{
    for (guint i = 0; i < 4; i++)
        if (sampling->borderColor[i] != 0)
            return TRUE;
    return FALSE;
}

/* Wrap and mirror are clamp where coordinates are not normalized, and for a cube. */
static warpstep_texture_address address_mode(const struct cudaTextureDesc *sampling, guint axis,
                                             const warpstep_texture *wanted)
{
    switch (sampling->addressMode[axis]) {
    case cudaAddressModeBorder:
        return wanted->kind == WARPSTEP_TEXTURE_CUBE ? WARPSTEP_TEXTURE_CLAMP
                                                     : WARPSTEP_TEXTURE_BORDER;
    case cudaAddressModeWrap:
    case cudaAddressModeMirror:
        if (sampling->normalizedCoords && wanted->kind != WARPSTEP_TEXTURE_CUBE)
            return sampling->addressMode[axis] == cudaAddressModeWrap ? WARPSTEP_TEXTURE_WRAP
                                                                      : WARPSTEP_TEXTURE_MIRROR;
        return WARPSTEP_TEXTURE_CLAMP;
    default:
        return WARPSTEP_TEXTURE_CLAMP;
    }
}

static cudaError_t take_sampling(const struct cudaTextureDesc *sampling, gboolean is_linear,
                                 warpstep_texture *wanted)
{
    const gboolean is_float = wanted->type[0] == 'f';
    wanted->normalized = sampling->normalizedCoords != 0;
    wanted->normalized_read = sampling->readMode == cudaReadModeNormalizedFloat && !is_float;
    wanted->linear = sampling->filterMode == cudaFilterModeLinear && !is_linear;
    if (wanted->normalized_read && wanted->type[1] == '3')
        return cudaErrorInvalidNormSetting;
    if (wanted->linear && !is_float && !wanted->normalized_read)
        return cudaErrorInvalidFilterSetting;
    if (sampling->sRGB || sampling->seamlessCubemap ||
        (has_color(sampling) && !is_float && !wanted->normalized_read))
        return cudaErrorNotSupported;
    for (guint i = 0; i < 3; i++)
        wanted->address_mode[i] =
            is_linear ? WARPSTEP_TEXTURE_BORDER : address_mode(sampling, i, wanted);
    for (guint i = 0; i < 4; i++)
        wanted->border[i] = is_linear ? 0 : sampling->borderColor[i];
    return cudaSuccess;
}

/* ---- objects -----------------------------------------------------------------------------------
 */

static cudaError_t make(WsRuntime *runtime, const struct cudaResourceDesc *resource,
                        const struct cudaTextureDesc *sampling, uint64_t *ret)
{
    warpstep_texture wanted = {.size = sizeof wanted};
    cudaError_t error = take_resource(resource, &wanted);
    if (error == cudaSuccess)
        error = take_sampling(sampling, resource->resType == cudaResourceTypeLinear, &wanted);
    if (error == cudaSuccess && warpstep_create_texture(runtime->gpu, &wanted, ret) != WARPSTEP_OK)
        error = cudaErrorInvalidValue;
    return error;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *ret,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *sampling,
                                    const struct cudaResourceViewDesc *view)
{
    WsRuntime *runtime = ws_runtime_enter();
    uint64_t handle = 0;
    cudaError_t error = ws_runtime_use(runtime);
    if (error == cudaSuccess && (ret == NULL || resource == NULL || sampling == NULL))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && view != NULL)
        error = cudaErrorNotSupported; /* another format over the same texels */
    if (error == cudaSuccess)
        error = make(runtime, resource, sampling, &handle);
    if (error == cudaSuccess) {
        Note *note = g_new(Note, 1);
        *note = (Note){*resource, *sampling};
        g_hash_table_insert(runtime->textures, (gpointer)(gsize)handle, note);
        *ret = handle;
    }
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture)
{
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = ws_runtime_use(runtime);
    if (error == cudaSuccess && texture != 0 &&
        warpstep_destroy_texture(runtime->gpu, texture) != WARPSTEP_OK)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        g_hash_table_remove(runtime->textures, (gpointer)(gsize)texture);
    return ws_runtime_leave(runtime, error);
}

static cudaError_t find(WsRuntime *runtime, cudaTextureObject_t texture, const void *ret,
                        const Note **ret_note)
{
    const cudaError_t error = ws_runtime_use(runtime);
    *ret_note = g_hash_table_lookup(runtime->textures, (gpointer)(gsize)texture);
    return error == cudaSuccess && (ret == NULL || *ret_note == NULL) ? cudaErrorInvalidValue
                                                                      : error;
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *ret,
                                             cudaTextureObject_t texture)
{
    WsRuntime *runtime = ws_runtime_enter();
    const Note *note;
    const cudaError_t error = find(runtime, texture, ret, &note);
    if (error == cudaSuccess)
        *ret = note->resource;
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *ret,
                                            cudaTextureObject_t texture)
{
    WsRuntime *runtime = ws_runtime_enter();
    const Note *note;
    const cudaError_t error = find(runtime, texture, ret, &note);
    if (error == cudaSuccess)
        *ret = note->sampling;
    return ws_runtime_leave(runtime, error);
}
