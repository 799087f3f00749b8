/*
 * Regular fractions of a two-level factorial design: 2^(k-p) of the 2^k combinations of k factors,
 * in which some products of factors, the words, are the same everywhere (with -1 for a factor's
 * first value and +1 for its second). An effect cannot be told from its products with the words:
 * they are confounded. The resolution is the number of factors in the shortest word (Box, Hunter
 * and Hunter, "Statistics for Experimenters", chapter 6).
 */
#ifndef WS_STUDY_RESULTS_FRACTION_H
#define WS_STUDY_RESULTS_FRACTION_H

#include <glib.h>

/* Factors whose product is always +1, or with `negative` always -1. */
typedef struct {
    guint32 factors; /* a bit for each */
    gboolean negative;
} WsWord;

typedef struct {
    guint32 basic;    /* k - p factors all of whose combinations are there */
    GArray *words;    /* of WsWord: 2^p, the first one without factors */
    guint resolution; /* G_MAXUINT: the design is whole */
} WsFraction;

/*
 * The fraction that the combinations with `counts` above 0 are; `counts` has 2^k numbers, by the
 * bits of the factors that have their second value. NULL if they are none.
 */
WsFraction *ws_fraction_new(const guint *counts, guint factors);
void ws_fraction_free(WsFraction *fraction);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsFraction, ws_fraction_free)

/*
 * Of those that are confounded with the effect of these factors: the one with the fewest factors,
 * in `ret` (`negative`: it is the opposite).
 */
void ws_fraction_simplest(const WsFraction *fraction, guint32 factors, WsWord *ret);

#endif
