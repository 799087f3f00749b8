/*
 * TEX in an SM's memory: values at issue, time as loads of the texels.
 *
 * Textures do not change while a kernel runs (a kernel that stores to the texels it fetches gets
 * undefined values on a GPU), so values are what memory holds at issue.
 */
#include "sim/memory/sm_memory.h"
#include "sim/memory/texture.h"

#include <string.h>

static void add_part(WsTextureLines *lines, const WsLinePart *part)
{
    for (guint32 i = lines->count; i-- > 0;) {
        if (lines->line[i] == part->line) {
            lines->sectors[i] |= part->sectors;
            return;
        }
    }
    lines->line[lines->count] = part->line;
    lines->sectors[lines->count++] = part->sectors;
}

/*
 * Lines of all texels. The texels of one filter are fetched side by side, from the banks of one
 * pass if they allow it: the slowest of them counts, and each pass looks up so many tags.
 */
static void collect_lines(const WsIssue *issue, const WsTextureSample *samples, guint64 mask,
                          WsTextureLines *ret)
{
    guint32 tags = (guint32)issue->memory->device->l1_tags_per_cycle;
    ret->count = 0;
    ret->passes = 1;
    for (guint tap = 0; tap < WS_TEXTURE_MAX_TEXELS; tap++) {
        guint64 address[WS_MAX_WARP_SIZE] = {0};
        guint64 lanes = 0;
        for (guint64 rest = mask; rest != 0; rest &= rest - 1) {
            guint lane = (guint)__builtin_ctzll(rest);
            if (tap >= samples[lane].count)
                continue;
            /* Lanes may have textures of different texels. */
            address[lane] = samples[lane].address[tap] & ~(guint64)(issue->operation.bytes - 1u);
            lanes |= G_GUINT64_CONSTANT(1) << lane;
        }
        if (lanes == 0)
            break;
        WsCoalesced coalesced;
        ws_coalesce(address, lanes, issue->memory->warp_size, issue->operation.bytes, tags,
                    &coalesced);
        ret->passes = MAX(ret->passes, coalesced.wavefronts);
        for (guint32 i = 0; i < coalesced.line_count; i++)
            add_part(ret, &coalesced.part[i]);
    }
    ret->passes = MAX(ret->passes, (ret->count + tags - 1) / tags);
}

static guint32 largest_texel(const WsIssue *issue, const WsDecodedProgram *program,
                             const WsDecoded *instruction, const WsWarpRegisters *warp,
                             guint64 mask, WsTextureSample *samples, WsMemoryAccess *fault)
{
    guint32 bytes = 1;
    for (guint64 rest = mask; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        guint64 handle;
        const guint8 *data;
        const char *text = ws_texture_fetch(issue->memory->contents, program, instruction, warp,
                                            lane, &samples[lane], &handle);
        if (text != NULL) {
            *fault = (WsMemoryAccess){.outcome = WS_ACCESS_FAULT,
                                      .fault_lane = lane,
                                      .fault_address = handle,
                                      .fault = text};
            return 0;
        }
        const WsTexture *texture = ws_global_memory_texture(issue->memory->contents, handle, &data);
        bytes = MAX(bytes, ws_type_size(texture->type) * texture->channels);
    }
    return bytes;
}

void ws_texture_access(WsIssue *issue, const WsDecodedProgram *program,
                       const WsDecoded *instruction, WsWarpRegisters *warp, guint64 mask)
{
    WsTextureSample samples[WS_MAX_WARP_SIZE];
    WsTextureLines lines;
    issue->operation = (WsMemoryOperation){
        .space = WS_SPACE_GLOBAL, .action = WS_ACTION_LOAD, .words = 4, .width = WS_WIDTH_128};
    guint32 bytes = largest_texel(issue, program, instruction, warp, mask, samples, &issue->result);
    if (bytes == 0)
        return;
    issue->operation.bytes = (guint8)bytes;
    for (guint64 rest = mask; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        ws_texture_return(program, instruction, warp, lane, &samples[lane]);
    }
    collect_lines(issue, samples, mask, &lines);
    WsSmMemoryCounters *counters = &issue->memory->counters;
    counters->texture_requests++;
    for (guint32 i = 0; i < lines.count; i++)
        issue->result.sectors += ws_sector_count(lines.sectors[i]);
    counters->texture_sectors += issue->result.sectors;
    ws_cached_texture(issue, &lines);
}
