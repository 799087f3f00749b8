#include "isa/ptx/mbarriers.h"

#include "isa/ptx/replace.h"

#include <string.h>

/* `@%p1 mbarrier.arrive.shared.b64 %rd1, [%r1], 2;` */
typedef struct {
    char *guard;
    char **words; /* of the opcode: "mbarrier", "arrive", "shared", "b64" */
    char **operands;
    const char *space; /* of the barrier: ".shared", or "" for a generic address */
} Statement;

static void statement_clear(Statement *statement)
{
    g_free(statement->guard);
    g_strfreev(statement->words);
    g_strfreev(statement->operands);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Statement, statement_clear)

static GRegex *pattern_new(void)
{
    return g_regex_new("(?:(@!?[%\\w$]+)\\s+)?"
                       "(mbarrier\\.[\\w.:]+|cp\\.async\\.mbarrier\\.[\\w.:]+|"
                       "cp\\.async\\.bulk\\.shared::c[\\w.:]+)\\s+([^;{}]*);",
                       G_REGEX_RAW | G_REGEX_OPTIMIZE, 0, NULL);
}

static gboolean has(const Statement *statement, const char *word)
{
    return g_strv_contains((const char *const *)statement->words, word);
}

static const char *operand(const Statement *statement, guint i)
{
    return i < g_strv_length(statement->operands) ? statement->operands[i] : NULL;
}

static gboolean take(const GMatchInfo *match, Statement *ret)
{
    g_autofree char *opcode = g_match_info_fetch(match, 2);
    g_autofree char *operands = g_match_info_fetch(match, 3);
    ret->guard = g_match_info_fetch(match, 1);
    ret->words = g_strsplit(opcode, ".", -1);
    ret->operands = g_strsplit(g_strdelimit(operands, "\r\n", ' '), ",", -1);
    for (char **one = ret->operands; *one != NULL; one++)
        g_strstrip(*one);
    ret->space = has(ret, "shared") || has(ret, "shared::cta") ? ".shared" : "";
    return TRUE;
}

/* ---- what is put ------------------------------------------------------------------------------
 */

static void begin(GString *out, const Statement *statement)
{
    g_string_append(out, "{ .reg .pred ws_p; .reg .b64 ws_o, ws_n, ws_c, ws_t, ws_s;"
                         " .reg .b32 ws_d, ws_e, ws_v, ws_w, ws_x, ws_y;");
    ws_ptx_put_guard(out, statement->guard);
}

/* Ends the phase if nothing is pending: only one of those who see it succeeds. */
static void put_turn(GString *out, const char *space, const char *barrier)
{
    g_string_append_printf(
        out,
        " WS_AGAIN: ld.volatile%s.u64 ws_c, %s; and.b64 ws_n, ws_c,"
        " 0x1FFFFF00000FFFFF; setp.ne.s64 ws_p, ws_n, 0x1000000000000000;"
        " @ws_p bra WS_DONE; shr.u64 ws_n, ws_c, 20; and.b64 ws_n, ws_n, 0xFFFFF;"
        " add.s64 ws_n, ws_n, ws_c; add.s64 ws_n, ws_n, 0x2000000000000000;",
        space, barrier);
    g_string_append_printf(out,
                           " atom%s.cas.b64 ws_s, %s, ws_c, ws_n; setp.ne.s64 ws_p, ws_s, ws_c;"
                           " @ws_p bra WS_AGAIN; WS_DONE:",
                           space, barrier);
}

/* As many fewer are expected in later phases. */
static void put_drop(GString *out, const char *space, const char *barrier, const char *arrivals)
{
    g_string_append_printf(out,
                           " cvt.u64.u32 ws_t, %s; shl.b64 ws_t, ws_t, 20; WS_DROP:"
                           " ld.volatile%s.u64 ws_c, %s; sub.s64 ws_n, ws_c, ws_t;"
                           " atom%s.cas.b64 ws_s, %s, ws_c, ws_n; setp.ne.s64 ws_p, ws_s, ws_c;"
                           " @ws_p bra WS_DROP;",
                           arrivals, space, barrier, space, barrier);
}

/* The address of the high word: "[%r1+12]" of "[%r1+8]". */
static char *high_word(const char *barrier)
{
    const char *plus = strchr(barrier, '+');
    const gint64 offset = plus != NULL ? g_ascii_strtoll(plus + 1, NULL, 10) : 0;
    const gsize length = plus != NULL ? (gsize)(plus - barrier) : strcspn(barrier, "]");
    return g_strdup_printf("%.*s+%" G_GINT64_FORMAT "]", (int)length, barrier, offset + 4);
}

/* `bytes` are expected more, or fewer. */
static void put_bytes(GString *out, const char *space, const char *barrier, const char *bytes,
                      gboolean fewer)
{
    g_autofree char *high = high_word(barrier);
    g_string_append_printf(out, " shl.b32 ws_d, %s, 8;%s atom%s.add.u32 ws_e, %s, ws_d;", bytes,
                           fewer ? " neg.s32 ws_d, ws_d;" : "", space, high);
}

/* The state before, of whose phase an arrival is, is in ws_o then. */
static void put_arrivals(GString *out, const char *space, const char *barrier, const char *arrivals)
{
    g_string_append_printf(out,
                           " ld.volatile%s.u64 ws_o, %s; mov.u32 ws_d, %s; neg.s32 ws_d, ws_d;"
                           " atom%s.add.u32 ws_e, %s, ws_d; add.s32 ws_e, ws_e, ws_d;"
                           " and.b32 ws_e, ws_e, 0xFFFFF; setp.ne.u32 ws_p, ws_e, 0;"
                           " @ws_p bra WS_DONE;",
                           space, barrier, arrivals, space, barrier);
}

static gboolean put_init(GString *out, const Statement *statement)
{
    if (operand(statement, 1) == NULL)
        return FALSE;
    g_string_append_printf(out,
                           " cvt.u64.u32 ws_o, %s; shl.b64 ws_n, ws_o, 20;"
                           " or.b64 ws_n, ws_n, ws_o; or.b64 ws_n, ws_n, 0x1000000000000000;"
                           " st%s.u64 %s, ws_n;",
                           operand(statement, 1), statement->space, operand(statement, 0));
    return TRUE;
}

/* arrive and arrive_drop, also with .expect_tx, whose last operand is bytes. */
static gboolean put_arrive(GString *out, const Statement *statement)
{
    const gboolean has_state = operand(statement, 0) != NULL && operand(statement, 0)[0] != '[';
    const char *barrier = operand(statement, has_state), *last = operand(statement, 1 + has_state);
    const gboolean bytes = has(statement, "expect_tx");
    if (barrier == NULL || (bytes && last == NULL))
        return FALSE;
    const char *arrivals = bytes || last == NULL ? "1" : last;
    if (has(statement, "arrive_drop"))
        put_drop(out, statement->space, barrier, arrivals);
    if (bytes)
        put_bytes(out, statement->space, barrier, last, FALSE);
    put_arrivals(out, statement->space, barrier, arrivals);
    put_turn(out, statement->space, barrier);
    if (has_state && strcmp(operand(statement, 0), "_") != 0)
        g_string_append_printf(out, " mov.u64 %s, ws_o;", operand(statement, 0));
    return TRUE;
}

static gboolean put_expect(GString *out, const Statement *statement, gboolean completes)
{
    if (operand(statement, 1) == NULL)
        return FALSE;
    put_bytes(out, statement->space, operand(statement, 0), operand(statement, 1), completes);
    put_turn(out, statement->space, operand(statement, 0));
    return TRUE;
}

/* Whether the phase of a state, or one of a parity, is over. It is tried once. */
static gboolean put_wait(GString *out, const Statement *statement)
{
    if (operand(statement, 2) == NULL)
        return FALSE;
    g_string_append_printf(out, " ld.volatile%s.u64 ws_o, %s; shr.u64 ws_o, ws_o, 61;",
                           statement->space, operand(statement, 1));
    if (has(statement, "parity"))
        g_string_append_printf(out, " and.b64 ws_o, ws_o, 1; cvt.u64.u32 ws_n, %s;",
                               operand(statement, 2));
    else
        g_string_append_printf(out, " shr.u64 ws_n, %s, 61;", operand(statement, 2));
    g_string_append_printf(out, " setp.ne.s64 %s, ws_o, ws_n;", operand(statement, 0));
    return TRUE;
}

/* cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [to], [from], size, [barrier]
 */
static gboolean put_bulk(GString *out, const Statement *statement)
{
    if (g_strv_length(statement->operands) != 4 || !has(statement, "global") ||
        !has(statement, "mbarrier::complete_tx::bytes") || has(statement, "multicast::cluster"))
        return FALSE;
    g_autofree char *to = g_strdup(operand(statement, 0)), *from = g_strdup(operand(statement, 1));
    g_strstrip(g_strdelimit(to, "[]", ' '));
    g_strstrip(g_strdelimit(from, "[]", ' '));
    if (strchr(to, '+') != NULL || strchr(from, '+') != NULL)
        return FALSE;
    g_string_append_printf(out,
                           " mov.u32 ws_d, %s; mov.u64 ws_s, %s; add.s32 ws_e, ws_d, %s; WS_COPY:"
                           " setp.ge.u32 ws_p, ws_d, ws_e; @ws_p bra WS_COPIED;",
                           to, from, operand(statement, 2));
    g_string_append(out,
                    " ld.global.v4.b32 {ws_v, ws_w, ws_x, ws_y}, [ws_s];"
                    " st.shared.v4.b32 [ws_d], {ws_v, ws_w, ws_x, ws_y};"
                    " add.s32 ws_d, ws_d, 16; add.s64 ws_s, ws_s, 16; bra WS_COPY; WS_COPIED:");
    put_bytes(out, ".shared", operand(statement, 3), operand(statement, 2), TRUE);
    put_turn(out, ".shared", operand(statement, 3));
    return TRUE;
}

static gboolean put_body(GString *out, const Statement *statement)
{
    const char *first = statement->words[0], *what = statement->words[1];
    if (operand(statement, 0) == NULL || has(statement, "shared::cluster"))
        return strcmp(first, "cp") == 0 && has(statement, "bulk") && put_bulk(out, statement);
    if (strcmp(first, "cp") == 0) {
        if (!has(statement, "arrive"))
            return put_bulk(out, statement);
        return !has(statement, "noinc") || put_arrive(out, statement);
    }
    if (strcmp(what, "init") == 0)
        return put_init(out, statement);
    if (strcmp(what, "inval") == 0)
        return TRUE;
    if (strcmp(what, "arrive") == 0 || strcmp(what, "arrive_drop") == 0)
        return put_arrive(out, statement);
    if (strcmp(what, "expect_tx") == 0 || strcmp(what, "complete_tx") == 0)
        return put_expect(out, statement, what[0] == 'c');
    return (strcmp(what, "try_wait") == 0 || strcmp(what, "test_wait") == 0) &&
           put_wait(out, statement);
}

static gboolean put(GString *out, const GMatchInfo *match)
{
    g_auto(Statement) statement = {0};
    const gsize before = out->len;
    if (take(match, &statement)) {
        begin(out, &statement);
        if (put_body(out, &statement)) {
            ws_ptx_put_end(out, statement.guard);
            return TRUE;
        }
    }
    g_string_truncate(out, before);
    return FALSE;
}

char *ws_ptx_replace_mbarriers(const char *text, gsize length)
{
    if (g_strstr_len(text, (gssize)length, "mbarrier") == NULL)
        return NULL;
    g_autoptr(GRegex) pattern = pattern_new();
    return ws_ptx_replace(text, length, pattern, put);
}
