#include "sim/memory/bank_conflicts.h"

#include <string.h>

enum { SLOTS = 128, NO_ENTRY = 0xff };

guint32 ws_bank_group_lanes(guint32 banks, guint32 bytes)
{
    guint32 lanes = bytes <= 4 ? banks : banks * 4 / bytes;
    return MAX(lanes, 1);
}

/* Distinct words, and how many each bank has. */
typedef struct {
    guint8 count[WS_MAX_BANKS];
    guint8 slots[SLOTS]; /* hashed: number of a word, or NO_ENTRY */
    guint64 word[WS_MAX_BANKS * 2];
    guint32 words;
    guint32 deepest;
} BankUse;

static void add_word(BankUse *use, guint64 word, guint32 banks)
{
    guint32 slot = (guint32)(word ^ (word >> 5) ^ (word >> 10)) % SLOTS;
    for (; use->slots[slot] != NO_ENTRY; slot = (slot + 1) % SLOTS)
        if (use->word[use->slots[slot]] == word)
            return;
    use->slots[slot] = (guint8)use->words;
    use->word[use->words++] = word;
    guint32 bank = (guint32)(banks & (banks - 1) ? word % banks : word & (banks - 1));
    use->count[bank]++;
    use->deepest = MAX(use->deepest, use->count[bank]);
}

guint32 ws_bank_depth(const guint64 *address, guint64 lanes, guint32 bytes, guint32 banks)
{
    BankUse use;
    guint32 words = MAX(bytes / 4, 1);
    memset(use.count, 0, sizeof use.count);
    memset(use.slots, NO_ENTRY, sizeof use.slots);
    use.words = use.deepest = 0;
    for (guint64 rest = lanes; rest != 0; rest &= rest - 1) {
        guint64 word = address[__builtin_ctzll(rest)] / 4;
        for (guint32 i = 0; i < words; i++)
            add_word(&use, word + i, banks);
    }
    return use.deepest;
}

static guint64 low_lanes(guint32 count)
{
    return count >= 64 ? G_MAXUINT64 : (G_GUINT64_CONSTANT(1) << count) - 1;
}

/* TRUE if lane i accesses address[0] + i * bytes in all lanes. */
static gboolean is_contiguous(const guint64 *address, guint32 warp_size, guint32 bytes)
{
    guint64 difference = 0;
    for (guint32 lane = 0; lane < warp_size; lane++)
        difference |= address[lane] ^ (address[0] + (guint64)lane * bytes);
    return difference == 0;
}

/* TRUE if each lane wants what the lane `number ^ bit` wants, where both are on. */
static gboolean shares_with(const guint64 *address, guint64 mask, guint32 bit)
{
    for (guint64 rest = mask; rest != 0; rest &= rest - 1) {
        guint32 lane = (guint32)__builtin_ctzll(rest), other = lane ^ bit;
        if ((mask >> other & 1) != 0 && address[lane] != address[other])
            return FALSE;
    }
    return TRUE;
}

WsBankPasses ws_bank_passes(const guint64 *address, guint64 mask, guint32 warp_size, guint32 bytes,
                            guint32 banks, gboolean load)
{
    guint32 group = ws_bank_group_lanes(banks, bytes);
    guint32 groups = (warp_size + group - 1) / group;
    WsBankPasses passes = {.least = MAX(bytes / 4, 1)};
    if (mask == 0)
        return (WsBankPasses){0};
    if (mask == low_lanes(warp_size) && is_contiguous(address, warp_size, bytes) && bytes >= 4) {
        passes.wavefronts = groups;
        return passes;
    }
    if (load && bytes > 4 && (shares_with(address, mask, 1) || shares_with(address, mask, 2))) {
        group *= 2;
        groups = (groups + 1) / 2;
        passes.least /= 2;
    }
    for (guint32 first = 0; first < warp_size; first += group) {
        guint64 lanes = mask & low_lanes(MIN(first + group, warp_size)) & ~low_lanes(first);
        if (lanes != 0)
            passes.wavefronts += ws_bank_depth(address, lanes, bytes, banks);
    }
    passes.conflicts = passes.wavefronts > groups ? passes.wavefronts - groups : 0;
    return passes;
}
