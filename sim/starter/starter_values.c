#include "sim/starter/starter_values.h"

#include "sim/base/element.h"

enum { LARGEST_INTEGER = 255, MOST_TRIES = 96, ROUNDS = 2 };

/* The first is what is guessed before anything is tried. */
static const char *const integers[] = {"1", "0", "2", "32"};
static const char *const floats[] = {"1.0", "0.0", "-1.0"};

/* What a buffer holds. */
typedef enum {
    FILL_USUAL, /* inputs random numbers, outputs zero */
    FILL_SIGNS, /* random numbers of either sign around zero */
    FILL_OTHER, /* the other way round than usual */
    FILL_COUNT
} Fill;

/* A word of a struct. */
typedef enum { WORD_ZERO, WORD_SIZE, WORD_ONE, WORD_COUNT } Word;
static const guint32 one_as_float = 0x3f800000;

const char *ws_starter_value_text(const WsStarterParameter *parameter)
{
    return parameter->kind == WS_STARTER_FLOAT ? floats[parameter->choice]
                                               : integers[parameter->choice];
}

guint32 ws_starter_word(const WsStarterParameter *parameter, guint32 word, guint32 n)
{
    const guint32 values[] = {[WORD_ZERO] = 0, [WORD_SIZE] = n, [WORD_ONE] = one_as_float};
    return parameter->words == NULL ? 0 : values[parameter->words[word]];
}

static gboolean is_address(const WsStarterParameter *parameter)
{
    return !parameter->typed && parameter->value_type == WS_TYPE_U64;
}

/* Words of a struct are numbers around zero only as floats. */
WsType ws_starter_element_type(const WsStarterParameter *parameter)
{
    return !parameter->typed && parameter->choice == FILL_SIGNS ? WS_TYPE_F32
                                                                : parameter->value_type;
}

/* Whole numbers stay small, for they may be places in other buffers. */
char *ws_starter_init_text(const WsStarterParameter *parameter, guint seed, gboolean input)
{
    WsType type = ws_starter_element_type(parameter);
    gboolean random = input && parameter->typed;
    if (parameter->choice == FILL_OTHER)
        random = !random;
    if (parameter->choice != FILL_SIGNS && !random)
        return g_strdup("");
    if (parameter->choice == FILL_SIGNS)
        return g_strdup_printf(", init: {random: {seed: %u, min: %s, max: 1}}", seed,
                               ws_element_is_float(type) || ws_element_is_signed(type) ? "-1"
                                                                                       : "0");
    if (ws_element_is_float(type))
        return g_strdup_printf(", init: {random: {seed: %u}}", seed);
    int most = type == WS_TYPE_S8 ? G_MAXINT8 : LARGEST_INTEGER;
    return g_strdup_printf(", init: {random: {seed: %u, min: 0, max: %d}}", seed, most);
}

/* ---- trying -----------------------------------------------------------------------------------
 */

typedef struct {
    WsStarterTrial trial;
    gpointer data;
    guint32 most, best;
    guint tries;
    guint64 left; /* of the budget */
} Search;

static gboolean is_over(const Search *search)
{
    return search->best >= search->most || search->tries >= MOST_TRIES || search->left == 0;
}

/* `value` is one of the guess, which the trial reads; it is left as is best. */
static void try_values(Search *search, guint8 *value, guint count)
{
    guint8 best = *value;
    for (guint8 other = 0; other < count && !is_over(search); other++) {
        guint32 reached = 0;
        guint64 cost = 0;
        if (other == best)
            continue;
        *value = other;
        gboolean good = search->trial(search->data, &reached, &cost);
        search->tries++;
        search->left -= MIN(search->left, cost);
        if (good && reached > search->best) {
            search->best = reached;
            best = other;
        }
    }
    *value = best;
}

static void try_parameter(Search *search, WsStarterParameter *parameter)
{
    switch (parameter->kind) {
    case WS_STARTER_INTEGER:
        try_values(search, &parameter->choice, G_N_ELEMENTS(integers));
        break;
    case WS_STARTER_FLOAT:
        try_values(search, &parameter->choice, G_N_ELEMENTS(floats));
        break;
    case WS_STARTER_POINTER:
        if (!is_address(parameter))
            try_values(search, &parameter->choice, FILL_COUNT);
        break;
    case WS_STARTER_BYTES:
        for (guint32 i = 0; i < parameter->size / sizeof(guint32); i++)
            try_values(search, &parameter->words[i], WORD_COUNT);
        break;
    case WS_STARTER_LENGTH:
        break;
    }
}

void ws_starter_improve(WsStarterGuess *guess, guint32 most, guint64 budget, WsStarterTrial trial,
                        gpointer data)
{
    Search search = {.trial = trial, .data = data, .most = most, .left = budget};
    guint64 cost = 0;
    if (!trial(data, &search.best, &cost))
        return;
    for (guint round = 0; round < ROUNDS && !is_over(&search); round++) {
        guint32 before = search.best;
        for (guint32 i = 0; i < guess->count; i++)
            try_parameter(&search, &guess->parameters[i]);
        if (search.best == before)
            break;
    }
}
