#include "sim/gpu/launch_order.h"

/* The last group is that of TPCs outside GPCs; it may be empty, and so may be GPCs. */
enum { MAX_GROUPS = WS_MAX_LIST + 1 };

typedef struct {
    GArray *sms; /* of guint32, TPC after TPC */
    guint32 share;
} Group;

typedef struct {
    Group groups[MAX_GROUPS];
    guint32 gpcs;
    guint32 sms_per_tpc;
    GArray *order;
} Walk;

static guint32 sms_in_gpcs(const WsDevice *device)
{
    guint64 tpcs = 0;

    for (guint32 i = 0; i < device->gpc_tpcs.count; i++)
        tpcs += device->gpc_tpcs.value[i];
    return (guint32)(tpcs * device->sms_per_tpc);
}

guint32 ws_gpc_of(const WsDevice *device, guint32 sm)
{
    const WsList *tpcs = &device->gpc_tpcs;
    guint64 tpc = sm / device->sms_per_tpc;

    if (sm >= sms_in_gpcs(device))
        return tpcs->count;
    for (guint64 round = 0;; round++)
        for (guint32 gpc = 0; gpc < tpcs->count; gpc++)
            if (tpcs->value[gpc] > round && tpc-- == 0)
                return gpc;
}

gboolean ws_sm_is_far(const WsDevice *device, guint32 sm)
{
    guint32 gpc = ws_gpc_of(device, sm);

    for (guint32 i = 0; i < device->far_gpcs.count; i++)
        if (device->far_gpcs.value[i] == gpc && gpc < device->gpc_tpcs.count)
            return TRUE;
    return FALSE;
}

static void walk_init(Walk *walk, const WsDevice *device)
{
    *walk = (Walk){.gpcs = device->gpc_tpcs.count, .sms_per_tpc = (guint32)device->sms_per_tpc};
    for (guint32 i = 0; i < MAX_GROUPS; i++)
        walk->groups[i].sms = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint32 sm = 0; sm < device->sms; sm++)
        g_array_append_val(walk->groups[ws_gpc_of(device, sm)].sms, sm);
}

/* All but the order. */
static void walk_clear(Walk *walk)
{
    for (guint32 i = 0; i < MAX_GROUPS; i++)
        g_array_unref(walk->groups[i].sms);
}

/* One block for each SM of the group. */
static void turn(Walk *walk, guint32 group)
{
    const GArray *sms = walk->groups[group].sms;

    g_array_append_vals(walk->order, sms->data, sms->len);
}

static void whole_rounds(Walk *walk, guint32 rounds, guint32 outside_turns)
{
    guint32 outside = walk->gpcs, left = rounds;

    if (walk->groups[outside].sms->len == 0)
        left = 0;
    for (guint32 round = 0, turns = 0; round < rounds; round++)
        for (guint32 gpc = 0; gpc < walk->gpcs; gpc++) {
            if (left != 0 && (turns == 0 || turns % outside_turns == outside_turns - 1)) {
                turn(walk, outside);
                left--;
            }
            turn(walk, gpc);
            turns++;
        }
    for (; left != 0; left--)
        turn(walk, outside);
}

/* How many SMs of its group get a block before SM `i` of it where they get them one by one: first
 * one of each TPC, then each further one. */
static guint32 share_of(const Walk *walk, const Group *group, guint32 i)
{
    guint32 tpc = walk->sms_per_tpc, tpcs = (group->sms->len + tpc - 1) / tpc;

    return i % tpc * tpcs + i / tpc;
}

/* `share` blocks over the SMs of a group, one by one. */
static void part_of_turn(Walk *walk, const Group *group)
{
    for (guint32 i = 0; i < group->sms->len; i++)
        if (share_of(walk, group, i) < group->share)
            g_array_append_val(walk->order, g_array_index(group->sms, guint32, i));
}

static void rest(Walk *walk, guint32 blocks)
{
    Group *outside = &walk->groups[walk->gpcs];

    outside->share = MIN(blocks, outside->sms->len);
    blocks -= outside->share;
    for (guint32 gpc = 0; blocks != 0; gpc = (gpc + 1) % walk->gpcs) {
        Group *group = &walk->groups[gpc];

        if (group->share < group->sms->len) {
            group->share++;
            blocks--;
        }
    }
    part_of_turn(walk, outside);
    for (guint32 gpc = 0; gpc < walk->gpcs; gpc++)
        part_of_turn(walk, &walk->groups[gpc]);
}

/* All SMs, in the order in which growing grids of fewer blocks come to them. */
static void one_by_one(Walk *walk)
{
    turn(walk, walk->gpcs);
    for (guint32 share = 0, added = 1; added != 0; share++) {
        added = 0;
        for (guint32 gpc = 0; gpc < walk->gpcs; gpc++) {
            const Group *group = &walk->groups[gpc];
            for (guint32 i = 0; i < group->sms->len; i++)
                if (share_of(walk, group, i) == share) {
                    g_array_append_val(walk->order, g_array_index(group->sms, guint32, i));
                    added++;
                }
        }
    }
}

GArray *ws_launch_order(const WsDevice *device, guint64 blocks, guint32 places)
{
    guint64 rounds = MIN(places, blocks / device->sms);
    Walk walk;

    walk_init(&walk, device);
    walk.order = g_array_new(FALSE, FALSE, sizeof(guint32));
    whole_rounds(&walk, (guint32)rounds, (guint32)device->outside_turns);
    if (rounds < places)
        rest(&walk, (guint32)(blocks - rounds * device->sms));
    walk_clear(&walk);
    return walk.order;
}

guint32 *ws_launch_ranks(const WsDevice *device, guint64 blocks)
{
    guint32 *ranks = g_new0(guint32, device->sms);
    guint32 rank = 0;
    Walk walk;

    walk_init(&walk, device);
    walk.order = g_array_new(FALSE, FALSE, sizeof(guint32));
    if (blocks >= device->sms)
        whole_rounds(&walk, 1, (guint32)device->outside_turns);
    else
        one_by_one(&walk);
    for (; rank < walk.order->len; rank++)
        ranks[g_array_index(walk.order, guint32, rank)] = rank;
    g_array_unref(walk.order);
    walk_clear(&walk);
    return ranks;
}
