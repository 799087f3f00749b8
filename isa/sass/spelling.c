#include "isa/sass/spelling.h"

#include <string.h>

typedef struct {
    char *guard;          /* "@!P0 ", or "" */
    GPtrArray *modifiers; /* of char*: [0] is the name */
    GPtrArray *operands;  /* of char* */
} Words;

static const char *word_at(const GPtrArray *words, guint at)
{
    return at < words->len ? words->pdata[at] : "";
}

static void set_word(GPtrArray *words, guint at, char *text)
{
    g_free(words->pdata[at]);
    words->pdata[at] = text;
}

static gboolean has_modifier(const Words *words, const char *name)
{
    return g_ptr_array_find_with_equal_func(words->modifiers, name, g_str_equal, NULL);
}

/* ---- taking apart -----------------------------------------------------------------------------
 */

static GPtrArray *split(const char *text, gsize length, const char *separator)
{
    GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *copy = g_strndup(text, length);
    g_auto(GStrv) parts = g_strsplit(copy, separator, -1);
    for (guint i = 0; parts[i] != NULL; i++) {
        if (*g_strstrip(parts[i]) != '\0') {
            g_ptr_array_add(words, g_strdup(parts[i]));
        }
    }
    return words;
}

/* Without remarks "(*...*)", and without "desc[UR4]" in front of an address: descriptors say how
 * memory is mapped, which is the same for all of them here. */
static char *plain_text(const char *text)
{
    g_autofree char *plain = g_strdup(text);
    char *at;
    while ((at = strstr(plain, "(*")) != NULL) {
        char *end = strstr(at, "*)");
        memmove(at, end != NULL ? end + 2 : "", strlen(end != NULL ? end + 2 : "") + 1);
    }
    while ((at = strstr(plain, "desc[")) != NULL && strchr(at, ']') != NULL) {
        const char *end = strchr(at, ']') + 1;
        memmove(at, end, strlen(end) + 1);
    }
    return g_steal_pointer(&plain);
}

static void words_take(Words *ret, const char *text)
{
    gsize guard = 0;
    if (*text == '@') {
        guard = strcspn(text, " ");
        guard += strspn(text + guard, " ");
    }
    ret->guard = g_strndup(text, guard);
    text += guard;
    gsize name = strcspn(text, " ");
    ret->modifiers = split(text, name, ".");
    ret->operands = split(text + name, strlen(text + name), ",");
}

static void words_clear(Words *words)
{
    g_free(words->guard);
    g_ptr_array_unref(words->modifiers);
    g_ptr_array_unref(words->operands);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Words, words_clear)

/* ---- edits of operands ------------------------------------------------------------------------
 */

static gboolean is_predicate(const char *word)
{
    word += *word == 'U';
    return word[0] == 'P' && (g_ascii_isdigit(word[1]) || word[1] == 'T') && word[2] == '\0';
}

/* "P0, RZ, ..." to "RZ, P0, ...". */
static void predicate_behind_register(Words *words)
{
    if (words->operands->len > 1 && is_predicate(words->operands->pdata[0])) {
        gpointer predicate = words->operands->pdata[0];
        words->operands->pdata[0] = words->operands->pdata[1];
        words->operands->pdata[1] = predicate;
    }
}

/* Theirs adds a pair, which is a row of its own. */
static void name_wide_high(Words *words)
{
    if (strcmp(word_at(words->modifiers, 1), "HI") == 0) {
        g_ptr_array_insert(words->modifiers, 2, g_strdup("WIDE"));
    }
}

/* Of an atomic operation it says nothing that a program asks for: ptxas writes PT. */
static void drop_result_predicate(Words *words)
{
    if (strcmp(word_at(words->operands, 0), "PT") == 0) {
        g_ptr_array_remove_index(words->operands, 0);
    }
}

/* "PR": all predicates, which the row reads or writes anyway. */
static void drop_predicate_file(Words *words)
{
    guint at;
    if (g_ptr_array_find_with_equal_func(words->operands, "PR", g_str_equal, &at)) {
        g_ptr_array_remove_index(words->operands, at);
    }
}

/* The caller has put its address into registers before. */
static void discard_return_address(Words *words)
{
    if (words->operands->len == 1) {
        g_ptr_array_insert(words->operands, 0, g_strdup("RZ"));
    }
}

/* "R6 0x0": a register, and the address that it counts from, which is the kernel's. */
static void drop_return_base(Words *words)
{
    g_autofree char *text = g_strdup(word_at(words->operands, 0));
    char *blank = strchr(text, ' ');
    if (blank != NULL && strcmp(blank, " 0x0") == 0) {
        *blank = '\0';
        set_word(words->operands, 0, g_steal_pointer(&text));
    }
}

/* "HADD2.F32 R0, -RZ, R1.H0_H0": which half is a modifier of the row. */
static void half_to_modifier(Words *words)
{
    guint last = words->operands->len - 1;
    char *half = words->operands->len > 0 ? strstr(words->operands->pdata[last], ".H") : NULL;
    if (half != NULL && has_modifier(words, "F32")) {
        gsize length = 1 + strcspn(half + 1, ".|");
        g_ptr_array_add(words->modifiers, g_strndup(half + 1, length - 1));
        memmove(half, half + length, strlen(half + length) + 1);
    }
}

/* ".ROW" and ".COL" of IMMA: the only layouts that there are. */
static void drop_layout(Words *words)
{
    for (guint n = 0; n < words->operands->len; n++) {
        char *dot = strchr(words->operands->pdata[n], '.');
        if (dot != NULL && (strcmp(dot, ".ROW") == 0 || strcmp(dot, ".COL") == 0)) {
            *dot = '\0';
        }
    }
}

/* WARPSYNC.COLLECTIVE names the address behind its ENDCOLLECTIVE, where lanes go on anyway. */
static void drop_collective_end(Words *words)
{
    guint last = words->operands->len - 1;
    if (words->operands->len > 0 && g_str_has_prefix(word_at(words->operands, last), "0x") &&
        (last > 0 || has_modifier(words, "ALL"))) {
        g_ptr_array_remove_index(words->operands, last);
    }
}

/* "SB0": a barrier by its number. */
static void number_barrier(Words *words)
{
    const char *word = word_at(words->operands, 0);
    if (g_str_has_prefix(word, "SB") && g_ascii_isdigit(word[2])) {
        set_word(words->operands, 0, g_strdup(word + 2));
    }
}

/* CS2R writes a pair unless it says .32. */
static void state_width(Words *words)
{
    guint at;
    if (g_ptr_array_find_with_equal_func(words->modifiers, "32", g_str_equal, &at)) {
        g_ptr_array_remove_index(words->modifiers, at);
    } else {
        g_ptr_array_add(words->modifiers, g_strdup("64"));
    }
}

/* "BMOV.CLEAR R0, B1" reads a barrier and frees it, "BMOV B1, R0" sets it. */
static void name_direction(Words *words)
{
    gboolean reads = has_modifier(words, "CLEAR");
    g_ptr_array_set_size(words->modifiers, 1);
    g_ptr_array_add(words->modifiers, g_strdup(reads ? "R" : "B"));
}

/* ---- the table --------------------------------------------------------------------------------
 */

static const struct {
    const char *theirs, *ours;
} mnemonics[] = {
#define MNEMONIC(theirs, ours) {theirs, ours},
#include "isa/sass/spellings.def"
};

static const struct {
    const char *name, *theirs, *ours;
} modifiers[] = {
#define MODIFIER(name, theirs, ours) {name, theirs, ours},
#include "isa/sass/spellings.def"
};

static const struct {
    const char *name, *part;
} firsts[] = {
#define FIRST(name, part) {name, part},
#include "isa/sass/spellings.def"
};

static const struct {
    const char *name;
    void (*edit)(Words *words);
} edits[] = {
#define OPERANDS(name, edit) {name, edit},
#include "isa/sass/spellings.def"
};

/* "~R3" of .X: our rows of integers write the minus of either form as "-". */
static void minus_for_complement(Words *words)
{
    for (guint n = 0; has_modifier(words, "X") && n < words->operands->len; n++) {
        char *word = words->operands->pdata[n];
        *word = *word == '~' ? '-' : *word;
    }
}

static void rename_modifiers(Words *words)
{
    const char *name = words->modifiers->pdata[0];
    for (guint m = words->modifiers->len; m-- > 1;) {
        const char *given = words->modifiers->pdata[m], *ours = given;
        for (guint i = 0; i < G_N_ELEMENTS(modifiers); i++) {
            if (strcmp(modifiers[i].theirs, given) == 0 &&
                g_pattern_match_simple(modifiers[i].name, name)) {
                ours = modifiers[i].ours;
            }
        }
        if (*ours == '\0') {
            g_ptr_array_remove_index(words->modifiers, m);
        } else if (ours != given) {
            set_word(words->modifiers, m, g_strdup(ours));
        }
    }
}

/* The parts that belong to the name of a row come first: IMAD.WIDE.X, ATOMG.CAS, FRND.F64. */
static void name_first(Words *words)
{
    for (guint i = 0; i < G_N_ELEMENTS(firsts); i++) {
        guint at;
        if (g_pattern_match_simple(firsts[i].name, words->modifiers->pdata[0]) &&
            g_ptr_array_find_with_equal_func(words->modifiers, firsts[i].part, g_str_equal, &at)) {
            g_ptr_array_insert(words->modifiers, 1, g_ptr_array_steal_index(words->modifiers, at));
        }
    }
}

char *ws_sass_spelling(const char *text)
{
    g_autofree char *plain = plain_text(text);
    g_auto(Words) words = {0};
    words_take(&words, plain);
    if (words.modifiers->len == 0) {
        return g_strdup(text);
    }
    for (guint i = 0; i < G_N_ELEMENTS(mnemonics); i++) {
        if (strcmp(words.modifiers->pdata[0], mnemonics[i].theirs) == 0) {
            set_word(words.modifiers, 0, g_strdup(mnemonics[i].ours));
        }
    }
    rename_modifiers(&words);
    name_first(&words);
    minus_for_complement(&words);
    for (guint i = 0; i < G_N_ELEMENTS(edits); i++) {
        if (strcmp(words.modifiers->pdata[0], edits[i].name) == 0) {
            edits[i].edit(&words);
        }
    }
    GString *out = g_string_new(words.guard);
    for (guint m = 0; m < words.modifiers->len; m++) {
        g_string_append_printf(out, m == 0 ? "%s" : ".%s", (char *)words.modifiers->pdata[m]);
    }
    for (guint n = 0; n < words.operands->len; n++) {
        g_string_append_printf(out, n == 0 ? " %s" : ", %s", (char *)words.operands->pdata[n]);
    }
    return g_string_free(out, FALSE);
}
