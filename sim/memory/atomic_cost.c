#include "sim/memory/atomic_cost.h"

/* Lanes on one line are done in rounds of lanes on different words. */
typedef struct {
    guint32 same;   /* most lanes on one word */
    guint32 rounds; /* of all sectors together */
    gboolean alone; /* all lanes are on one word */
} Rounds;

static Rounds rounds_of(const WsDevice *device, const guint8 *offset, guint64 lanes)
{
    guint8 on_word[WS_LINE_BYTES / 4] = {0}, of_sector[WS_SECTORS_PER_LINE] = {0};
    guint32 words = 0, sectors = 0;
    Rounds ret = {0};
    for (guint64 rest = lanes; rest != 0; rest &= rest - 1) {
        guint at = offset[__builtin_ctzll(rest)];
        guint8 count = ++on_word[at / 4];
        words += count == 1;
        of_sector[at / WS_SECTOR_BYTES] = MAX(of_sector[at / WS_SECTOR_BYTES], count);
    }
    for (guint i = 0; i < WS_SECTORS_PER_LINE; i++) {
        ret.same = MAX(ret.same, of_sector[i]);
        ret.rounds += of_sector[i];
        sectors += of_sector[i] != 0;
    }
    ret.alone = words == 1;
    if (device->ideal_atomics) /* no lane waits for another on its word */
        ret = (Rounds){.same = 1, .rounds = sectors};
    return ret;
}

static gboolean swaps(const WsMemoryOperation *operation)
{
    return operation->action == WS_ACTION_COMPARE_AND_SWAP;
}

static gboolean adds_floats(const WsMemoryOperation *operation)
{
    return !swaps(operation) && operation->atomic == WS_ATOMIC_ADD &&
           operation->type >= WS_ATOMIC_F32;
}

/* Lanes on one word, one behind the other. */
static guint64 words_milli(const WsDevice *device, const WsMemoryOperation *operation, guint lanes)
{
    return lanes * (guint64)(adds_floats(operation) ? device->float_atomic_interval_milli
                                                    : device->reduction_l2_interval_milli);
}

/* The same where the SM waits for the old values, which come back one by one. */
static guint64 answers_milli(const WsDevice *device, const WsMemoryOperation *operation,
                             guint lanes)
{
    guint64 milli = words_milli(device, operation, lanes);
    return operation->action == WS_ACTION_ATOMIC
               ? MAX(milli, lanes * (guint64)device->atomic_l2_interval_milli)
               : milli;
}

static guint64 slice_milli(const WsDevice *device, const WsMemoryOperation *operation,
                           const Rounds *rounds)
{
    guint64 words = words_milli(device, operation, rounds->same);
    if (rounds->alone)
        return words;
    gboolean twice =
        swaps(operation) || (adds_floats(operation) && operation->type == WS_ATOMIC_F64);
    guint64 one = (guint64)device->atomic_sector_interval_milli * (twice ? 2 : 1);
    guint64 sectors = rounds->rounds * one;
    return adds_floats(operation) ? MAX(sectors, words) : sectors;
}

void ws_atomic_times_init(WsAtomicTimes *ret, const WsDevice *device,
                          const WsMemoryOperation *operation, const guint8 *offset, guint64 lanes)
{
    Rounds rounds = rounds_of(device, offset, lanes);
    ret->slice_milli = (guint32)slice_milli(device, operation, &rounds);
    ret->held =
        rounds.same > 1 ? (guint32)(answers_milli(device, operation, rounds.same - 1) / 1000) : 0;
}

guint64 ws_atomic_send_milli(const WsDevice *device, const WsMemoryOperation *operation,
                             const guint8 *offset, guint64 lanes, guint32 sectors)
{
    Rounds rounds = rounds_of(device, offset, lanes);
    gboolean returns = operation->action != WS_ACTION_REDUCTION;
    guint64 each = answers_milli(device, operation, (guint)__builtin_popcountll(lanes));
    guint64 round = sectors * 1000u +
                    (guint64)(returns ? device->atomic_round_milli : device->reduction_round_milli);
    guint64 first = (guint64)(returns ? device->atomic_first_milli : device->reduction_first_milli);
    guint64 one = round - MIN(round, first);

    return MAX(MIN(each, one + (rounds.same - 1) * round), one);
}
