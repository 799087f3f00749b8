/* `print` and `display`: values of expressions, in one lane, in all, or in a table of some. */
#include <string.h>

#include "inspect/commands/private.h"
#include "inspect/session/selected_frame.h"
#include "inspect/session/value_text.h"
#include "sim/launch/buffer_slice.h"

/* ---- memory, as it lies -------------------------------------------------------------------------
 */

/* "shared[8:16]": 32-bit words of the block's shared memory, by bytes. */
static gboolean print_shared(WsCommandLine *line, GError **error)
{
    enum { WORDS = 8 };
    const char *inside = strchr(line->rest, '[') + 1;
    g_auto(GStrv) parts = g_strsplit(inside, ":", 2);
    gint64 from = 0, to;
    WsWarpPlace place;
    const guint8 *bytes;
    gsize size;

    if (!ws_command_line_place(line, &place, error))
        return FALSE;
    g_strdelimit(parts[0], "]", '\0');
    if (!ws_command_line_number(parts[0], &from, error))
        return FALSE;
    to = from + 4;
    if (parts[1] != NULL) {
        g_strdelimit(parts[1], "]", '\0');
        if (!ws_command_line_number(parts[1], &to, error))
            return FALSE;
    }
    bytes =
        ws_sm_memory_shared(place.sm->memory, place.sm->state->warps[place.slot].block_slot, &size);
    if (from < 0 || from % 4 != 0 || to <= from || (gsize)to > size) {
        ws_set_error(error, WS_ERROR_USAGE,
                     "'%s': the block has %" G_GSIZE_FORMAT
                     " bytes of shared memory, in words of 4",
                     line->rest, size);
        return FALSE;
    }
    for (gint64 at = from; at < to; at += 4) {
        guint32 bits;
        float real;

        memcpy(&bits, bytes + at, sizeof bits);
        memcpy(&real, bytes + at, sizeof real);
        if ((at - from) % (4 * WORDS) == 0)
            g_string_append_printf(line->out, "%s[%" G_GINT64_FORMAT "]", at == from ? "" : "\n",
                                   at);
        g_string_append_printf(line->out, " %08x", bits);
        if (to - from <= 4)
            g_string_append_printf(line->out, " = %d = %.9g", (gint32)bits, (double)real);
    }
    g_string_append_c(line->out, '\n');
    return TRUE;
}

/* NAME[A:B], or of `shared` one number too; `ret_shared` says which. */
static gboolean is_slice(const char *text, gboolean *ret_shared)
{
    gsize name = strspn(text, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_");
    gsize inside = name == 0 || text[name] != '[' ? 0 : strspn(text + name + 1, G_CSET_DIGITS ":");

    *ret_shared = g_str_has_prefix(text, "shared[");
    return inside != 0 && strcmp(text + name + 1 + inside, "]") == 0 &&
           (*ret_shared || memchr(text + name, ':', inside + 1) != NULL);
}

static gboolean print_slice(WsCommandLine *line, const char *slice_text, GError **error)
{
    const WsJob *job = ws_session_job(line->session);
    g_autofree char *text = NULL;
    WsBufferSlice slice;

    if (!ws_buffer_slice_parse(job, "print", slice_text, &slice, error))
        return FALSE;
    text = ws_buffer_slice_text(job, &slice);
    g_string_append(line->out, text);
    return TRUE;
}

/* ---- what is asked for --------------------------------------------------------------------------
 */

typedef enum { PRINT_FOLDED, PRINT_ONE, PRINT_ROW, PRINT_TABLE } PrintKind;

typedef struct {
    PrintKind kind;
    WsValueForm form;
    guint64 lanes;    /* ONE, TABLE */
    GPtrArray *texts; /* of char *: the expressions */
} Wish;

static void wish_clear(Wish *wish)
{
    g_clear_pointer(&wish->texts, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Wish, wish_clear)

/* Expressions with a comma between them that is in no brackets. */
static GPtrArray *split_expressions(const char *text)
{
    GPtrArray *parts = g_ptr_array_new_with_free_func(g_free);
    const char *begin = text;
    guint depth = 0;

    for (const char *at = text;; at++) {
        depth += *at == '(' || *at == '[';
        depth -= depth > 0 && (*at == ')' || *at == ']');
        if (*at != '\0' && (*at != ',' || depth > 0))
            continue;
        g_ptr_array_add(parts, g_strstrip(g_strndup(begin, (gsize)(at - begin))));
        begin = at + 1;
        if (*at == '\0')
            return parts;
    }
}

/* "0-3,8", "all", "active". */
gboolean ws_command_line_lanes(const WsCommandLine *line, WsWarpPlace place, const char *word,
                               guint64 *ret, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(word, ",", -1);
    guint32 size = place.sm->context->decoded->warp_size;
    WsLaneStates states;

    ws_lane_states(place.sm, place.slot, &states);
    *ret = strcmp(word, "all") == 0 ? states.launched : states.active;
    if (strcmp(word, "all") == 0 || strcmp(word, "active") == 0)
        return TRUE;
    *ret = 0;
    for (guint i = 0; i == 0 || parts[i] != NULL; i++) {
        g_auto(GStrv) ends = g_strsplit(parts[i] != NULL ? parts[i] : "", "-", 2);
        const char *from = ends[0] != NULL ? ends[0] : "";
        guint64 first, last;

        if (!g_ascii_string_to_unsigned(from, 10, 0, size - 1, &first, NULL) ||
            !g_ascii_string_to_unsigned(ends[1] != NULL ? ends[1] : from, 10, first, size - 1,
                                        &last, NULL)) {
            ws_set_error(error, WS_ERROR_USAGE,
                         "%s: '%s' is not a lane from 0 to %u, a range (0-3), all or active",
                         line->name, from, size - 1);
            return FALSE;
        }
        for (guint64 lane = first; lane <= last; lane++)
            *ret |= (guint64)1 << lane;
    }
    return TRUE;
}

/* The word behind an option; moves on behind it. */
static char *take_word(const char **at)
{
    const char *begin = *at + strspn(*at, " ");
    gsize length = strcspn(begin, " ");

    *at = begin + length + strspn(begin + length, " ");
    return g_strndup(begin, length);
}

static gboolean read_wish(const WsCommandLine *line, WsWarpPlace place, const char *text, Wish *ret,
                          GError **error)
{
    static const char *const options[] = {"-lane", "-row", "-lanes", NULL};
    const char *at = text;

    *ret = (Wish){.kind = PRINT_FOLDED};
    if (*line->letter != '\0' && !ws_value_form_by_letter(*line->letter, &ret->form)) {
        ws_set_error(error, WS_ERROR_USAGE, "%s: '/%s' is not one of /d /u /x /t /f /c", line->name,
                     line->letter);
        return FALSE;
    }
    if (*at == '-' && g_ascii_isalpha(at[1])) {
        g_autofree char *option = take_word(&at);
        g_autofree char *lanes = strcmp(option, "-row") == 0 ? NULL : take_word(&at);

        if (!g_strv_contains(options, option)) {
            ws_set_error(error, WS_ERROR_USAGE,
                         "%s: '%s' is not one of -lane N, -row, -lanes LIST (help print)",
                         line->name, option);
            return FALSE;
        }
        ret->kind = lanes == NULL                  ? PRINT_ROW
                    : strcmp(option, "-lane") == 0 ? PRINT_ONE
                                                   : PRINT_TABLE;
        if (lanes != NULL && !ws_command_line_lanes(line, place, lanes, &ret->lanes, error))
            return FALSE;
    }
    ret->texts = split_expressions(at);
    return TRUE;
}

/* ---- printing -----------------------------------------------------------------------------------
 */

/* Runs of lanes with the same text fold; in columns. */
static void append_folded(const WsCommandLine *line, char **texts, guint32 size)
{
    enum { LANES_WIDTH = 6, LEAST = 28 };
    gsize cell = LEAST;
    guint columns, column = 0;

    for (guint32 lane = 0; lane < size; lane++)
        cell = MAX(cell, strlen(texts[lane]) + LANES_WIDTH + 3);
    columns = MAX(1, line->interpreter->width / (guint)cell);

    for (guint32 lane = 0; lane < size; column++) {
        g_autofree char *lanes = NULL;
        guint32 last = lane;

        while (last + 1 < size && g_strcmp0(texts[last + 1], texts[lane]) == 0)
            last++;
        lanes = last == lane ? g_strdup_printf("%u", lane) : g_strdup_printf("%u..%u", lane, last);
        if (column != 0)
            g_string_append_c(line->out, column % columns == 0 ? '\n' : ' ');
        g_string_append_printf(line->out, "%*s: ", LANES_WIDTH, lanes);
        g_string_append_printf(
            line->out, "%-*s",
            (column + 1) % columns == 0 || last + 1 == size ? 0 : (int)cell - LANES_WIDTH - 3,
            texts[lane]);
        lane = last + 1;
    }
    g_string_append_c(line->out, '\n');
}

/* What an expression comes to: a text for each lane, NULL for those never launched. */
typedef struct {
    WsLaneExpression *expression;
    char *texts[WS_ROW_LANES];
    gboolean same; /* it depends on no lane */
} Column;

static void column_free(gpointer data)
{
    Column *column = data;

    ws_lane_expression_free(column->expression);
    for (guint i = 0; i < WS_ROW_LANES; i++)
        g_free(column->texts[i]);
    g_free(column);
}

static gboolean all_alike(const Column *column, guint64 lanes)
{
    gboolean alike = lanes != 0;

    for (guint64 rest = lanes; rest != 0 && alike; rest &= rest - 1)
        alike = strcmp(column->texts[__builtin_ctzll(rest)],
                       column->texts[__builtin_ctzll(lanes)]) == 0;
    return alike;
}

static Column *make_column(const WsLaneScope *scope, WsWarpPlace place, guint lane,
                           const char *text, WsValueForm form, GError **error)
{
    const WsLanePlace where = {place.sm, place.slot, WS_OWN_PC};
    WsLaneExpression *expression =
        ws_lane_expression_for(scope, "expression", text, place.sm, place.slot, lane, error);
    WsLaneStates states;
    Column *column;

    if (expression == NULL)
        return NULL;
    column = g_new0(Column, 1);
    column->expression = expression;
    ws_lane_states(place.sm, place.slot, &states);
    ws_lane_expression_evaluate(expression, &where, states.launched);
    for (guint64 rest = states.launched; rest != 0; rest &= rest - 1) {
        guint at = (guint)__builtin_ctzll(rest);

        column->texts[at] = ws_lane_expression_value(expression, at, form);
    }
    /* An array or struct is at the same place in all lanes, and may differ all the same. */
    column->same = ws_value_type_is_scalar(ws_typed_type(ws_lane_expression_typed(expression)))
                       ? ws_lane_expression_is_uniform(expression)
                       : all_alike(column, states.launched);
    return column;
}

static const char *shown(const Column *column, guint lane)
{
    return column->texts[lane] != NULL ? column->texts[lane] : "-";
}

static void append_table(const WsCommandLine *line, const Wish *wish, const GPtrArray *columns)
{
    gsize width[WS_ROW_LANES];

    g_string_append(line->out, "lane");
    for (guint i = 0; i < MIN(columns->len, WS_ROW_LANES); i++) {
        width[i] = strlen(wish->texts->pdata[i]);
        for (guint lane = 0; lane < WS_ROW_LANES; lane++)
            if (wish->lanes >> lane & 1)
                width[i] = MAX(width[i], strlen(shown(columns->pdata[i], lane)));
        g_string_append_printf(line->out, "  %*s", (int)width[i], (char *)wish->texts->pdata[i]);
    }
    g_string_append_c(line->out, '\n');
    for (guint64 rest = wish->lanes; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);

        g_string_append_printf(line->out, "%4u", lane);
        for (guint i = 0; i < MIN(columns->len, WS_ROW_LANES); i++)
            g_string_append_printf(line->out, "  %*s", (int)width[i],
                                   shown(columns->pdata[i], lane));
        g_string_append_c(line->out, '\n');
    }
}

static void append_column(const WsCommandLine *line, const Wish *wish, const Column *column,
                          const char *text, guint32 size)
{
    switch (wish->kind) {
    case PRINT_ONE:
        for (guint64 rest = wish->lanes; rest != 0; rest &= rest - 1)
            g_string_append_printf(line->out, "%s = %s\n", text,
                                   shown(column, (guint)__builtin_ctzll(rest)));
        break;
    case PRINT_ROW:
        g_string_append_printf(line->out, "%s =", text);
        for (guint lane = 0; lane < size; lane++)
            g_string_append_printf(line->out, " %s", shown(column, lane));
        g_string_append_c(line->out, '\n');
        break;
    default:
        if (column->same || line->interpreter->brief) {
            guint lane = column->same ? 0 : ws_session_focus(line->session)->lane;

            g_string_append_printf(line->out, "%s = %s\n", text, shown(column, lane));
            break;
        }
        if (wish->texts->len > 1)
            g_string_append_printf(line->out, "%s\n", text);
        while (size > 1 && column->texts[size - 1] == NULL)
            size--;
        append_folded(line, (char **)column->texts, size);
        break;
    }
}

gboolean ws_print_in_lanes(WsCommandLine *line, const char *text, GError **error)
{
    g_autoptr(WsLaneScope) scope = ws_session_scope(line->session);
    g_autoptr(GPtrArray) columns = g_ptr_array_new_with_free_func(column_free);
    g_auto(Wish) wish = {0};
    WsWarpPlace place;

    if (!ws_command_line_place(line, &place, error) || !read_wish(line, place, text, &wish, error))
        return FALSE;
    for (guint i = 0; i < wish.texts->len; i++) {
        Column *column = make_column(scope, place, ws_session_focus(line->session)->lane,
                                     wish.texts->pdata[i], wish.form, error);

        if (column == NULL)
            return FALSE;
        g_ptr_array_add(columns, column);
    }
    if (wish.kind == PRINT_TABLE)
        append_table(line, &wish, columns);
    for (guint i = 0; wish.kind != PRINT_TABLE && i < columns->len; i++)
        append_column(line, &wish, columns->pdata[i], wish.texts->pdata[i],
                      place.sm->context->decoded->warp_size);
    return TRUE;
}

gboolean ws_command_line_print(WsCommandLine *line, GError **error)
{
    gboolean shared;

    if (*line->rest == '\0') {
        ws_set_error(error, WS_ERROR_USAGE, "print: of what? help print");
        return FALSE;
    }
    if (is_slice(line->rest, &shared))
        return shared ? print_shared(line, error) : print_slice(line, line->rest, error);
    return ws_print_in_lanes(line, line->rest, error);
}

/* ---- set ----------------------------------------------------------------------------------------
 */

gboolean ws_command_line_set(WsCommandLine *line, GError **error)
{
    guint64 lanes = (guint64)1 << ws_session_focus(line->session)->lane;
    guint32 size;
    const char *at = line->rest;
    char set[WS_MAX_WARP_SIZE + 1];
    WsWarpPlace place;
    guint dropped;

    if (!ws_command_line_place(line, &place, error))
        return FALSE;
    size = place.sm->context->decoded->warp_size;
    if (g_str_has_prefix(at, "var ")) /* as in gdb */
        at += strlen("var ");
    if (g_str_has_prefix(at, "-lane ") || g_str_has_prefix(at, "-lanes ")) {
        g_autofree char *list = NULL;

        at = strchr(at, ' ');
        list = take_word(&at);
        if (!ws_command_line_lanes(line, place, list, &lanes, error))
            return FALSE;
    }
    if (!ws_session_set(line->session, lanes, at, &dropped, error))
        return FALSE;
    ws_lane_set(lanes, size, set);
    g_string_append_printf(
        line->out,
        "The run forks at cycle %" G_GUINT64_FORMAT
        ": %s\n  lanes %s\nFrom here on it is a different run; the past is unchanged.\n",
        ws_timeline_cycle(line->timeline), at, set);
    if (dropped != 0)
        g_string_append_printf(line->out, "%u later change%s no longer applied.\n", dropped,
                               dropped == 1 ? " is" : "s are");
    return TRUE;
}
