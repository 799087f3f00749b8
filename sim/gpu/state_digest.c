#include <string.h>

#include "sim/gpu/stepping.h"
#include "sim/memory/global_memory.h"
#include "sim/sm/eligibility.h"

/* One step of FNV-1a (Fowler, Noll, Vo) on 64 bits at a time. */
static guint64 mix(guint64 digest, guint64 value)
{
    digest = (digest ^ value) * G_GUINT64_CONSTANT(0x100000001b3);
    return digest ^ digest >> 29;
}

static guint64 mix_bytes(guint64 digest, const guint8 *bytes, gsize count)
{
    guint64 word;

    for (; count >= sizeof word; bytes += sizeof word, count -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        digest = mix(digest, GUINT64_FROM_LE(word));
    }
    for (; count != 0; bytes++, count--)
        digest = mix(digest, *bytes);
    return digest;
}

static guint64 mix_registers(guint64 digest, const WsSm *sm, guint32 slot)
{
    const WsWarpRegisters *registers = &sm->state->registers[slot];
    gsize count = (gsize)sm->context->kernel->registers * sm->context->decoded->warp_size;

    for (gsize i = 0; i < count; i++)
        digest = mix(digest, registers->registers[i]);
    guint64 uniform_predicates = 0;

    for (guint i = 0; i <= WS_PT; i++)
        digest = mix(digest, registers->predicates[i]);
    for (guint i = 0; i < G_N_ELEMENTS(registers->uniform); i++)
        digest = mix(digest, registers->uniform[i]);
    for (guint i = 0; i <= WS_PT; i++)
        uniform_predicates |= (guint64)ws_uniform_predicate(registers, i) << i;
    return mix(digest, uniform_predicates);
}

static guint64 mix_paths(guint64 digest, const WsSm *sm, guint32 slot)
{
    const WsPath *path = &sm->state->warps[slot].path;
    WsLanesAt lanes[WS_MAX_PATHS];
    guint count = sm->context->divergence->waiting(ws_sm_path_state(sm, slot), path, lanes);

    digest = mix(mix(digest, path->active), path->pc);
    for (guint i = 0; i < count; i++)
        digest = mix(mix(digest, lanes[i].lanes), lanes[i].pc);
    return digest;
}

static guint64 mix_warp(guint64 digest, const WsSm *sm, guint32 slot, guint64 cycle)
{
    const WsWarp *warp = &sm->state->warps[slot];

    digest = mix(mix(digest, slot), sm->state->blocks[warp->block_slot].linear);
    digest = mix(mix(digest, warp->warp_in_block), ws_warp_stall(sm, slot, cycle));
    return mix_registers(mix_paths(digest, sm, slot), sm, slot);
}

static guint64 mix_sm(guint64 digest, const WsSm *sm, guint64 cycle)
{
    const WsSmState *state = sm->state;

    digest = mix(mix(digest, sm->number), state->resident);
    for (guint64 rest = state->resident; rest != 0; rest &= rest - 1)
        digest = mix_warp(digest, sm, (guint32)__builtin_ctzll(rest), cycle);
    for (guint32 i = 0; i < WS_MAX_BLOCK_SLOTS; i++) {
        gsize bytes;
        const guint8 *shared;

        if (!state->blocks[i].used)
            continue;
        shared = ws_sm_memory_shared(sm->memory, i, &bytes);
        digest = mix_bytes(mix(digest, state->blocks[i].linear), shared, bytes);
    }
    return digest;
}

guint64 ws_simulation_digest(const WsSimulation *simulation, guint64 cycle)
{
    const WsGlobalMemory *contents = ws_simulation_contents(simulation);
    guint64 digest = mix(G_GUINT64_CONSTANT(0xcbf29ce484222325), cycle);
    guint32 count;
    WsSm *const *sms = ws_simulation_sms(simulation, &count);

    digest = mix(mix(digest, ws_simulation_launch(simulation)), ws_simulation_is_over(simulation));
    for (guint32 i = 0; i < count; i++)
        digest = mix_sm(digest, sms[i], cycle);
    for (guint32 i = 0; i < ws_global_memory_region_count(contents); i++) {
        const WsRegion *region = ws_global_memory_region(contents, i);

        digest = mix_bytes(mix(digest, region->base), region->data, region->bytes);
    }
    return digest;
}
