#include "sim/memory/bank_conflicts.h"

guint32 ws_bank_group_lanes(guint32 banks, guint32 bytes)
{
    guint32 lanes = bytes <= 4 ? banks : banks * 4 / bytes;
    return MAX(lanes, 1);
}

/* Distinct words of each bank, as lists. */
typedef struct {
    guint64 used;                    /* banks that have a word; of the others nothing is set */
    guint8 last[WS_MAX_BANKS];       /* the word of the bank that was added last */
    guint8 count[WS_MAX_BANKS];      /* words of the bank */
    guint8 before[WS_MAX_BANKS * 2]; /* the word of the same bank before this one */
    guint64 word[WS_MAX_BANKS * 2];
    guint32 words, deepest;
} BankUse;

/* A bank that has words already: one more, if it is none of them. */
static void add_another(BankUse *use, guint64 word, guint32 bank)
{
    guint i = use->last[bank];

    for (guint left = use->count[bank]; left > 0; left--, i = use->before[i])
        if (use->word[i] == word)
            return;
    use->before[use->words] = use->last[bank];
    use->last[bank] = (guint8)use->words;
    use->word[use->words++] = word;
    use->count[bank]++;
    use->deepest = MAX(use->deepest, use->count[bank]);
}

static inline void add_word(BankUse *use, guint64 word, guint32 bank)
{
    if (use->used >> bank & 1) {
        if (use->word[use->last[bank]] != word)
            add_another(use, word, bank);
        return;
    }
    use->used |= (guint64)1 << bank;
    use->last[bank] = (guint8)use->words;
    use->count[bank] = 1;
    use->word[use->words++] = word;
}

guint32 ws_bank_depth(const guint64 *address, guint64 lanes, guint32 bytes, guint32 banks)
{
    BankUse use;
    guint32 words = MAX(bytes / 4, 1), low_bits = banks - 1;
    gboolean is_power = (banks & low_bits) == 0;

    use.used = 0;
    use.words = 0;
    use.deepest = lanes != 0;
    if (words == 1 && is_power) {
        for (guint64 rest = lanes; rest != 0; rest &= rest - 1) {
            guint64 word = address[__builtin_ctzll(rest)] / 4;
            add_word(&use, word, (guint32)word & low_bits);
        }
        return use.deepest;
    }
    for (guint64 rest = lanes; rest != 0; rest &= rest - 1) {
        guint64 word = address[__builtin_ctzll(rest)] / 4;
        for (guint64 i = word; i < word + words; i++)
            add_word(&use, i, (guint32)(i % banks));
    }
    return use.deepest;
}

guint32 ws_bank_depth_of_own(const guint64 *address, guint32 lanes, guint32 banks)
{
    guint8 count[WS_MAX_BANKS] = {0};
    guint32 deepest = 0;

    for (guint32 lane = 0; lane < lanes; lane++)
        count[address[lane] / 4 & (banks - 1)]++;
    for (guint32 bank = 0; bank < WS_MAX_BANKS; bank++)
        deepest = MAX(deepest, count[bank]);
    return deepest;
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
