/* How many texels a texture has, and may have. */
#ifndef WS_SIM_LAUNCH_TEXTURE_SIZE_H
#define WS_SIM_LAUNCH_TEXTURE_SIZE_H

#include "sim/launch/launch.h"

/* Number of texels in all: size[0] * size[1] * size[2], where sizes that a kind lacks are 1. */
guint64 ws_texture_texels(const WsTexture *texture);

/* Largest size of a texture in texels, by axis, as Hopper has it. */
guint32 ws_texture_size_limit(WsTextureKind kind, guint axis);

#endif
