#include "study/results/fraction.h"

enum { MAX_BITS = 32 };

/* A basis of what combinations differ in, by its highest bit; 0: none with that bit. */
typedef struct {
    guint32 vector[MAX_BITS];
    guint rank;
} Basis;

static void add_to_basis(Basis *basis, guint32 difference)
{
    while (difference != 0) {
        guint highest = MAX_BITS - 1 - (guint)__builtin_clz(difference);
        if (basis->vector[highest] == 0) {
            basis->vector[highest] = difference;
            basis->rank++;
            return;
        }
        difference ^= basis->vector[highest];
    }
}

/* Whether the product of these factors is the same for all combinations of the space. */
static gboolean is_constant(const Basis *basis, guint32 factors)
{
    for (guint i = 0; i < MAX_BITS; i++)
        if (__builtin_parity(basis->vector[i] & factors))
            return FALSE;
    return TRUE;
}

WsFraction *ws_fraction_new(const guint *counts, guint factors)
{
    Basis basis = {0};
    guint32 first = 0, all = 1u << factors;
    guint present = 0;
    while (first < all && counts[first] == 0)
        first++;
    for (guint32 bits = first; bits < all; bits++)
        if (counts[bits] != 0) {
            add_to_basis(&basis, bits ^ first);
            present++;
        }
    if (present != 1u << basis.rank)
        return NULL;
    WsFraction *fraction = g_new0(WsFraction, 1);
    fraction->words = g_array_new(FALSE, FALSE, sizeof(WsWord));
    fraction->resolution = G_MAXUINT;
    for (guint i = 0; i < factors; i++)
        fraction->basic |= basis.vector[i] != 0 ? 1u << i : 0;
    for (guint32 word = 0; word < all; word++) {
        if (!is_constant(&basis, word))
            continue;
        /* -1 for each factor of the word that has its first value */
        const WsWord found = {word, __builtin_parity(word & ~first) != 0};
        g_array_append_val(fraction->words, found);
        if (word != 0)
            fraction->resolution = MIN(fraction->resolution, (guint)__builtin_popcount(word));
    }
    return fraction;
}

void ws_fraction_free(WsFraction *fraction)
{
    if (fraction == NULL)
        return;
    g_array_unref(fraction->words);
    g_free(fraction);
}

void ws_fraction_simplest(const WsFraction *fraction, guint32 factors, WsWord *ret)
{
    *ret = (WsWord){factors, FALSE};
    for (guint i = 0; i < fraction->words->len; i++) {
        const WsWord *word = &g_array_index(fraction->words, WsWord, i);
        guint32 same = factors ^ word->factors;
        int fewer = __builtin_popcount(same) - __builtin_popcount(ret->factors);
        if (fewer < 0 || (fewer == 0 && same < ret->factors))
            *ret = (WsWord){same, word->negative};
    }
}
