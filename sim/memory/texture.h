/*
 * Textures: what a fetch reads and what it gives. Rules: CUDA C++ Programming Guide, appendix
 * "Texture Fetching" (nearest-point sampling, linear filtering, address modes, cubemaps) and table
 * "Cubemap Fetch".
 */
#ifndef WS_SIM_MEMORY_TEXTURE_H
#define WS_SIM_MEMORY_TEXTURE_H

#include "sim/memory/memory.h"

enum { WS_TEXTURE_MAX_TEXELS = 8 };

/* What one lane fetches. */
typedef struct {
    guint32 value[4];
    guint32 count;                          /* texels read: border texels are not */
    guint64 address[WS_TEXTURE_MAX_TEXELS]; /* of each */
} WsTextureSample;

/*
 * Fetches at `coordinate`: bits of floats, or whole numbers if `integer`; layers of arrays are
 * always whole numbers and come first. `data` is where texel 0 lies. Sizes are below 2^31.
 *
 * Nearest: texel floor(x). Linear: floor(x - 0.5) and the next, weighted by the fraction of
 * x - 0.5, rounded to 8 bits; the sum is rounded once. Normalized coordinates are multiplied by the
 * size first. NaN counts as 0. Layers are clamped. Channels that a texture lacks are 0, the fourth
 * is 1. Whole coordinates are neither filtered nor normalized.
 */
void ws_texture_sample(const WsTexture *texture, const guint8 *data, const guint32 coordinate[3],
                       gboolean integer, WsTextureSample *ret);

/*
 * TEX for one lane. Returns NULL, or what is wrong; `ret_handle` is set in both cases.
 */
const char *ws_texture_fetch(const WsGlobalMemory *memory, const WsDecodedProgram *program,
                             const WsDecoded *instruction, const WsWarpRegisters *warp, guint lane,
                             WsTextureSample *ret, guint64 *ret_handle);

/* Writes the value to the rows of Rd. */
void ws_texture_return(const WsDecodedProgram *program, const WsDecoded *instruction,
                       WsWarpRegisters *warp, guint lane, const WsTextureSample *sample);

#endif
