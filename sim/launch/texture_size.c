#include "sim/launch/texture_size.h"

#include "isa/base/size.h"

guint64 ws_texture_texels(const WsTexture *texture)
{
    return ws_size_volume(texture->size);
}

guint32 ws_texture_size_limit(WsTextureKind kind, guint axis)
{
    /* CUDA C++ Programming Guide, table "Technical Specifications per Compute Capability". */
    static const guint32 limits[WS_TEX_KIND_COUNT][3] = {
        [WS_TEX_1D] = {1u << 28, 1, 1},           [WS_TEX_2D] = {131072, 65536, 1},
        [WS_TEX_3D] = {16384, 16384, 16384},      [WS_TEX_ARRAY_1D] = {32768, 1, 2048},
        [WS_TEX_ARRAY_2D] = {32768, 32768, 2048}, [WS_TEX_CUBE] = {32768, 32768, 6},
    };
    return limits[kind][axis];
}
