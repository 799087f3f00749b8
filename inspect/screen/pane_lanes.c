/* The lanes of the focused warp, with registers. */
#include "inspect/screen/register_names.h"
#include "inspect/screen/view.h"
#include "inspect/session/lane_expression.h"

#include <string.h>

/* ---- values ------------------------------------------------------------------------------------
 */

/* A register, or an expression with its values in the lanes. */
typedef struct {
    const char *name;
    WsLaneExpression *expression; /* or NULL */
    char *texts[WS_MAX_WARP_SIZE];
    guint width;
} Column;

static void column_free(gpointer data)
{
    Column *column = data;

    for (guint lane = 0; lane < WS_MAX_WARP_SIZE; lane++)
        g_free(column->texts[lane]);
    ws_lane_expression_free(column->expression);
    g_free(column);
}

static guint width_of(const WsView *view, const char *name)
{
    static const guint widths[] = {[WS_SHOW_HEX] = 8, [WS_SHOW_DECIMAL] = 11, [WS_SHOW_FLOAT] = 12};

    if (name[0] == 'P' || g_str_has_prefix(name, "UP"))
        return (guint)strlen(name);
    return MAX(widths[view->form], (guint)strlen(name));
}

static char *value_text(WsNumberForm form, const char *name, gint64 value)
{
    union {
        guint32 bits;
        float value;
    } number = {.bits = (guint32)value};

    if (name[0] == 'P' || g_str_has_prefix(name, "UP"))
        return g_strdup(value != 0 ? "1" : "0");
    if (form == WS_SHOW_FLOAT)
        return g_strdup_printf("%.6g", (double)number.value);
    if (form == WS_SHOW_DECIMAL)
        return g_strdup_printf("%d", (gint32)(guint32)value);
    return g_strdup_printf("%08x", (guint32)value);
}

/* ---- rows --------------------------------------------------------------------------------------
 */

/* How many of x, y, z say which thread of its block a lane is. */
static guint dimensions(const WsSm *sm)
{
    const guint32 *block = sm->context->launch->block;

    return block[2] > 1 ? 3 : block[1] > 1 ? 2 : 1;
}

static guint thread_columns(const WsSm *sm)
{
    static const guint columns[] = {0, 4, 6, 9};

    return columns[dimensions(sm)];
}

static char *thread_text(const WsSm *sm, guint32 slot, guint32 lane)
{
    guint32 thread[3];

    ws_thread_of(sm, slot, lane, thread);
    switch (dimensions(sm)) {
    case 1:
        return g_strdup_printf("%u", thread[0]);
    case 2:
        return g_strdup_printf("%u,%u", thread[0], thread[1]);
    default:
        return g_strdup_printf("%u,%u,%u", thread[0], thread[1], thread[2]);
    }
}

static void draw_lane(const WsView *view, WsWarpPlace place, const WsLaneStates *states,
                      guint32 lane, const GPtrArray *columns, WsGrid *grid, const WsRectangle *in,
                      guint row)
{
    gboolean focused = ws_session_focus(view->session)->lane == lane;
    char glyph[2] = {ws_lane_glyph(states, lane), '\0'};
    g_autofree char *thread = thread_text(place.sm, place.slot, lane);
    WsLook look = focused                              ? WS_LOOK_FOCUS
                  : glyph[0] == '#' || glyph[0] == 'p' ? WS_LOOK_PLAIN
                                                       : WS_LOOK_DIM;
    guint column;
    guint32 pc;

    if (focused && view->active == WS_PANE_LANES)
        ws_grid_fill(grid, in, row, look = WS_LOOK_CURSOR);
    column = ws_grid_printf(grid, in, row, 0, look, "%c%2u ", focused ? '>' : ' ', lane);
    column = ws_grid_put(grid, in, row, column, ws_look_of_lane(glyph[0]), glyph);
    column = ws_grid_printf(grid, in, row, column, look, " %-*s ", (int)thread_columns(place.sm),
                            glyph[0] == '.' ? "" : thread);
    if (ws_lane_instruction(place.sm, place.slot, lane, &pc))
        ws_grid_printf(grid, in, row, column, look, "%04x", pc * WS_INSTRUCTION_BYTES);
    column += 5;
    for (guint i = 0; i < columns->len && glyph[0] != '.'; i++) {
        const Column *of = g_ptr_array_index(columns, i);

        column = ws_grid_printf(grid, in, row, column, look, "%*s ", (int)of->width,
                                of->texts[lane] != NULL ? of->texts[lane] : "");
    }
}

/* Those asked for, or of the next instruction that names any. */
static char **shown_names(const WsView *view)
{
    char **names;
    guint32 pc;

    if (view->names != NULL)
        return g_strdupv(view->names);
    if (!ws_view_instruction(view, &pc))
        return g_new0(char *, 1);
    names = ws_register_names(view->program, pc);
    while (names[0] == NULL && ++pc < view->program->instruction_count) {
        g_strfreev(names);
        names = ws_register_names(view->program, pc);
    }
    return names;
}

static void read_expression(const WsView *view, const WsLaneScope *scope, WsWarpPlace place,
                            guint64 lanes, Column *column)
{
    const WsLanePlace where = {place.sm, place.slot, WS_OWN_PC};

    column->width = (guint)strlen(column->name);
    column->expression =
        ws_lane_expression_for(scope, "expression", column->name, place.sm, place.slot,
                               ws_session_focus(view->session)->lane, NULL);
    if (column->expression != NULL)
        ws_lane_expression_evaluate(column->expression, &where, lanes);
    for (guint64 rest = lanes; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);

        column->texts[lane] =
            column->expression != NULL
                ? ws_lane_expression_value(column->expression, lane, WS_FORM_NATURAL)
                : g_strdup(ws_unknown_text(WS_UNKNOWN_NO_SCOPE));
        column->width = MAX(column->width, (guint)g_utf8_strlen(column->texts[lane], -1));
    }
}

/* What the names stand for, in the lanes. */
static GPtrArray *read_columns(const WsView *view, const WsLaneScope *scope, WsWarpPlace place,
                               guint64 lanes, char **names)
{
    GPtrArray *columns = g_ptr_array_new_with_free_func(column_free);

    for (guint i = 0; names[i] != NULL; i++) {
        Column *column = g_new0(Column, 1);
        gint64 value;

        column->name = names[i];
        g_ptr_array_add(columns, column);
        if (!ws_lane_value(place.sm, place.slot, 0, names[i], &value)) {
            read_expression(view, scope, place, lanes, column);
            continue;
        }
        column->width = width_of(view, names[i]);
        for (guint64 rest = lanes; rest != 0; rest &= rest - 1) {
            guint lane = (guint)__builtin_ctzll(rest);

            if (ws_lane_value(place.sm, place.slot, lane, names[i], &value))
                column->texts[lane] = value_text(view->form, names[i], value);
        }
    }
    return columns;
}

void ws_draw_lane_table(const WsView *view, WsPane pane, WsGrid *grid, const WsRectangle *in)
{
    WsWarpPlace place = ws_session_place(view->session);
    g_autoptr(GPtrArray) columns = NULL;
    g_autoptr(WsLaneScope) scope = NULL;
    g_auto(GStrv) names = NULL;
    WsLaneStates states;
    guint first, size, column;

    if (place.sm == NULL) {
        ws_grid_put(grid, in, 0, 1, WS_LOOK_DIM, "The warp is not resident.");
        return;
    }
    names = shown_names(view);
    size = place.sm->context->decoded->warp_size;
    ws_lane_states(place.sm, place.slot, &states);
    column = ws_grid_printf(grid, in, 0, 0, WS_LOOK_DIM, " ln   %-*s at   ",
                            (int)thread_columns(place.sm), "thr");
    scope = ws_view_scope(view);
    columns = read_columns(view, scope, place, states.launched, names);
    for (guint i = 0; i < columns->len; i++) {
        const Column *of = g_ptr_array_index(columns, i);

        column = ws_grid_printf(grid, in, 0, column, WS_LOOK_DIM, "%*s ", (int)of->width, of->name);
    }
    first = ws_first_row(ws_session_focus(view->session)->lane, size, in->rows - 1);
    for (guint row = 1; row < in->rows && first + row - 1 < size; row++) {
        draw_lane(view, place, &states, first + row - 1, columns, grid, in, row);
        ws_grid_target(grid, in, row, 0, in->columns, first + row - 1);
    }
}
