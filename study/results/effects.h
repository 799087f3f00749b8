/*
 * What each parameter of a factorial design does: every parameter that varies takes two values, and
 * there is a row for each combination of them, or for a regular fraction (fraction.h). An effect is
 * the mean of y where the parameter has its second value less the mean where it has its first; of
 * several parameters together (their interaction), the mean where an even number of them has its
 * first value less the other mean. Its share is that of the variation of y that it explains (R.
 * Jain, "The Art of Computer Systems Performance Analysis", 1991, chapters 17 and 18).
 */
#ifndef WS_STUDY_RESULTS_EFFECTS_H
#define WS_STUDY_RESULTS_EFFECTS_H

#include "study/results/csv.h"
#include "study/results/fraction.h"

enum { WS_MAX_FACTORS = 16 };

typedef struct {
    char *name;     /* column */
    char *level[2]; /* the first and second value, in the order of the rows */
} WsFactor;

typedef struct {
    guint32 factors; /* a bit for each that takes part */
    double effect;   /* of the logarithm, where that was asked for */
    double share;    /* 0..1; NaN if y is the same everywhere */
} WsEffect;

typedef struct {
    GArray *factors; /* of WsFactor */
    /* Of WsEffect: one fewer than there are combinations, largest first. Of those that are
     * confounded, the one with the fewest parameters. */
    GArray *effects;
    WsFraction *fraction;
    guint rows;   /* that were used */
    guint blocks; /* rows of each combination: one a target */
    double mean;  /* of y, geometric with logarithms */
    gboolean logarithms;
} WsEffects;

typedef struct {
    const char *y;       /* column */
    char *const *where;  /* "COLUMN=VALUE": only these rows; NULL-terminated, or NULL */
    gboolean logarithms; /* effects are factors, not sums */
} WsEffectsOptions;

/*
 * Of a table with a column `status`, in front of which the parameters stand. A column `target` does
 * not take part: its rows are blocks, over which each combination is averaged. Errors:
 * WS_ERROR_USAGE (no such column, a parameter with more than two values, no parameter with two, too
 * many, a combination without a row that ended well, combinations that are no regular fraction or
 * one in which two parameters change together, no logarithm).
 */
WsEffects *ws_effects_new(const WsTable *table, const WsEffectsOptions *options, GError **error);
void ws_effects_free(WsEffects *effects);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsEffects, ws_effects_free)

/* "policy", or "policy * sms" of an interaction. g_free. */
char *ws_effect_name(const WsEffects *effects, const WsEffect *effect);

/* What an effect of up to two parameters is confounded with, of up to two parameters too: "+ a * b
 * - c * d"; "" if with nothing of these. g_free. */
char *ws_effect_confounded(const WsEffects *effects, const WsEffect *effect);

/* One line an effect: `name`, `order` (parameters in it), `effect`, `factor` (with logarithms),
 * `share`; of a fraction `confounded`, too. g_free. */
char *ws_effects_csv(const WsEffects *effects);

/* For people: main effects and interactions of two, largest first, the others together. g_free. */
char *ws_effects_text(const WsEffects *effects, const char *y);

#endif
