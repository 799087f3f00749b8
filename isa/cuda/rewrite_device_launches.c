#include "isa/cuda/rewrite_device_launches.h"

#include "isa/cuda/comment.h"

#include <string.h>

/* How far a text is read, and what is known there. */
typedef struct {
    gint depth;           /* of braces */
    gint device;          /* depth of the body of a device function; 0: none */
    gboolean says_device; /* so does what stands before a brace that may come */
    gboolean says_host;
} State;

typedef struct {
    const char *start, *end, *at;
    State state;
    GArray *conditions; /* of State: at the #if around what is read */
    const char *copied; /* up to here the text is in `out` */
    GString *out;       /* NULL: nothing is replaced so far */
} Scan;

static gboolean is_word(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && g_ascii_isspace(*at))
        at++;
    return at;
}

static gboolean begins(const Scan *scan, const char *at, const char *text)
{
    const gsize length = strlen(text);
    return (gsize)(scan->end - at) >= length && memcmp(at, text, length) == 0;
}

static gboolean is_text(const char *word, gsize length, const char *text)
{
    return strlen(text) == length && memcmp(word, text, length) == 0;
}

/* ---- what is read over -------------------------------------------------------------------------
 */

/* Branches of a condition begin with what was before it; the last one's end counts. */
static void take_directive(Scan *scan, const char *word)
{
    if (begins(scan, word, "if")) {
        g_array_append_val(scan->conditions, scan->state);
    } else if (begins(scan, word, "el") && scan->conditions->len > 0) {
        scan->state = g_array_index(scan->conditions, State, scan->conditions->len - 1);
    } else if (begins(scan, word, "endif") && scan->conditions->len > 0) {
        g_array_set_size(scan->conditions, scan->conditions->len - 1);
    }
}

/* Whole, with the lines that go on with it. */
static void skip_directive(Scan *scan)
{
    take_directive(scan, skip_blanks(scan->at + 1, scan->end));
    while (scan->at < scan->end && *scan->at != '\n') {
        const char *behind = ws_skip_comment_or_literal(scan->start, scan->at, scan->end);
        if (behind != scan->at)
            scan->at = behind;
        else
            scan->at += *scan->at == '\\' && scan->at + 1 < scan->end ? 2 : 1;
    }
}

static gboolean is_first_of_line(const Scan *scan)
{
    const char *before = scan->at;
    while (before > scan->start && (before[-1] == ' ' || before[-1] == '\t'))
        before--;
    return before == scan->start || before[-1] == '\n';
}

static void take_word(Scan *scan)
{
    const char *word = scan->at;
    while (scan->at < scan->end && is_word(*scan->at))
        scan->at++;
    const gsize length = (gsize)(scan->at - word);
    scan->state.says_device |=
        is_text(word, length, "__global__") || is_text(word, length, "__device__");
    scan->state.says_host |= is_text(word, length, "__host__");
}

static void take_brace(Scan *scan)
{
    State *state = &scan->state;
    if (*scan->at == '{') {
        state->depth++;
        if (state->device == 0 && state->says_device && !state->says_host)
            state->device = state->depth;
    } else if (*scan->at == '}') {
        if (state->depth == state->device)
            state->device = 0;
        state->depth -= state->depth > 0 ? 1 : 0;
    }
    state->says_device = state->says_host = FALSE;
}

/* ---- launches ----------------------------------------------------------------------------------
 */

/* Where what a bracket closes at `at - 1` begins, or NULL. */
static const char *find_open(const Scan *scan, const char *at, char open, char close)
{
    int depth = 0;
    while (at > scan->copied) {
        at--;
        if (*at == ')' && close != ')') { /* what is in parentheses counts for itself */
            at = find_open(scan, at + 1, '(', ')');
            if (at == NULL)
                return NULL;
            continue;
        }
        depth += (*at == close) - (*at == open);
        if (depth == 0)
            return at;
        if (*at == ';' || *at == '{' || *at == '}')
            return NULL;
    }
    return NULL;
}

static const char *back_over_blanks(const Scan *scan, const char *at)
{
    while (at > scan->copied && g_ascii_isspace(at[-1]))
        at--;
    return at;
}

/* Where the name of a kernel begins that ends at `end`: `a::b<c>::d<e>`; NULL: it is no name. */
static const char *find_name(const Scan *scan, const char *end)
{
    const char *at = end;
    for (;;) {
        if (at > scan->copied && at[-1] == '>') {
            at = find_open(scan, at, '<', '>');
            if (at == NULL)
                return NULL;
            at = back_over_blanks(scan, at);
        }
        const char *word = at;
        while (at > scan->copied && is_word(at[-1]))
            at--;
        if (at == word || g_ascii_isdigit(*at))
            return NULL;
        if (at - scan->copied < 2 || at[-1] != ':' || at[-2] != ':')
            return at;
        at -= 2;
        if (at == scan->copied || !(is_word(at[-1]) || at[-1] == '>'))
            return at; /* ::name */
    }
}

/* The three brackets that close a configuration which begins at `at`, in front of '('; or NULL. */
static const char *find_close(const Scan *scan, const char *at)
{
    int depth = 0;
    while (at < scan->end && *at != ';') {
        const char *behind = ws_skip_comment_or_literal(scan->start, at, scan->end);
        if (behind != at) {
            at = behind;
            continue;
        }
        if (depth == 0 && begins(scan, at, ">>>")) {
            const char *next = skip_blanks(at + 3, scan->end);
            if (next < scan->end && *next == '(')
                return at;
        }
        depth += (*at == '(') - (*at == ')');
        at++;
    }
    return NULL;
}

static void put(Scan *scan, const char *up_to)
{
    g_string_append_len(scan->out, scan->copied, up_to - scan->copied);
    scan->copied = up_to;
}

/* At `<<<`. */
static void take_launch(Scan *scan)
{
    const char *open = scan->at, *end = back_over_blanks(scan, open);
    const char *name = find_name(scan, end), *close = find_close(scan, open + 3);
    scan->at = open + 3;
    if (name == NULL || close == NULL)
        return;
    if (scan->out == NULL)
        scan->out = g_string_new(NULL);
    g_autofree char *kernel = g_strndup(name, (gsize)(end - name));
    put(scan, name);
    g_string_append_printf(scan->out, "__ws_launch_kernel<decltype(&%s), &%s>(", kernel, kernel);
    scan->copied = open + 3;
    put(scan, close);
    g_string_append_c(scan->out, ')');
    scan->copied = scan->at = close + 3;
}

GBytes *ws_cuda_rewrite_device_launches(GBytes *text)
{
    gsize length;
    const char *given = g_bytes_get_data(text, &length);
    Scan scan = {.start = given, .end = given + length, .at = given, .copied = given};
    if (g_strstr_len(given, (gssize)length, "<<<") == NULL)
        return g_bytes_ref(text);
    scan.conditions = g_array_new(FALSE, FALSE, sizeof(State));
    while (scan.at < scan.end) {
        const char *behind = ws_skip_comment_or_literal(scan.start, scan.at, scan.end);
        if (behind != scan.at)
            scan.at = behind;
        else if (*scan.at == '#' && is_first_of_line(&scan))
            skip_directive(&scan);
        else if (is_word(*scan.at))
            take_word(&scan);
        else if (scan.state.device > 0 && begins(&scan, scan.at, "<<<"))
            take_launch(&scan);
        else {
            if (strchr("{};", *scan.at) != NULL && *scan.at != '\0')
                take_brace(&scan);
            scan.at++;
        }
    }
    g_array_unref(scan.conditions);
    if (scan.out == NULL)
        return g_bytes_ref(text);
    put(&scan, scan.end);
    return g_string_free_to_bytes(scan.out);
}
