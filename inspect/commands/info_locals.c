/* `info locals`: the variables in scope, by frame. */
#include <string.h>

#include "inspect/commands/private.h"
#include "inspect/session/paths.h"
#include "inspect/session/selected_frame.h"
#include "inspect/session/value_text.h"
#include "sim/base/call_frames.h"

enum { NAME_WIDTH = 10, LANE_WIDTH = 14 };

/* What is listed: the lanes, each where it is; the first one says what is in scope. */
typedef struct {
    const WsLaneScope *scope;
    const WsVariableTable *table;
    WsWarpPlace place;
    guint64 lanes;
    guint32 pc;
    guint frame; /* the first that is listed */
} Listing;

/* A variable in a lane; what does not exist where the lane is has no value. */
static char *value_in(const Listing *listing, guint32 variable, guint lane)
{
    const WsSourceVariables *variables = ws_lane_scope_variables(listing->scope);
    WsLanePlace place = {listing->place.sm, listing->place.slot, WS_NO_INSTRUCTION};
    guint32 scope = ws_variable_table_variable(listing->table, variable)->scope, at;
    WsObject object;

    if (!ws_lane_instruction(place.sm, place.slot, lane, &place.pc))
        return g_strdup(ws_unknown_text(WS_UNKNOWN_EXITED));
    for (at = ws_source_variables_scope(variables, place.pc); at != scope && at != WS_NO_SCOPE;)
        at = ws_variable_table_scope(listing->table, at)->parent;
    if (at != scope)
        return g_strdup(ws_unknown_text(WS_UNKNOWN_NO_SCOPE));
    ws_source_variables_object(variables, variable, &object);
    return ws_object_text(listing->scope, &place, &object, object.type, 0, lane, WS_FORM_NATURAL);
}

static gboolean is_hidden(const Listing *listing, const GArray *list, guint index)
{
    const char *name =
        ws_variable_table_variable(listing->table, g_array_index(list, guint32, index))->name;

    for (guint i = 0; i < index; i++)
        if (strcmp(
                ws_variable_table_variable(listing->table, g_array_index(list, guint32, i))->name,
                name) == 0)
            return TRUE;
    return FALSE;
}

/* What differs: a row if it is short, else a line for each lane. */
static void append_values(const WsCommandLine *line, const Listing *listing, char **values)
{
    guint64 rest = listing->lanes;
    gboolean fits = TRUE;

    for (guint i = 0; values[i] != NULL; i++)
        fits = fits && strlen(values[i]) <= LANE_WIDTH;
    for (guint i = 0; values[i] != NULL; i++, rest &= rest - 1)
        if (fits)
            g_string_append_printf(line->out, "  %*s", LANE_WIDTH, values[i]);
        else
            g_string_append_printf(line->out, "\n    lane %u: %s", (guint)__builtin_ctzll(rest),
                                   values[i]);
}

static void append_variable(const WsCommandLine *line, const Listing *listing, const GArray *list,
                            guint index)
{
    guint32 variable = g_array_index(list, guint32, index);
    g_autofree char *name = g_strconcat(ws_variable_table_variable(listing->table, variable)->name,
                                        is_hidden(listing, list, index) ? " (hidden)" : "", NULL);
    g_autoptr(GPtrArray) values = g_ptr_array_new_with_free_func(g_free);
    gboolean alike = TRUE;

    for (guint64 rest = listing->lanes; rest != 0; rest &= rest - 1) {
        g_ptr_array_add(values, value_in(listing, variable, (guint)__builtin_ctzll(rest)));
        alike = alike && strcmp(values->pdata[0], values->pdata[values->len - 1]) == 0;
    }
    g_ptr_array_add(values, NULL);
    if (alike) {
        g_string_append_printf(line->out, "  %s = %s\n", name, (char *)values->pdata[0]);
        return;
    }
    g_string_append_printf(line->out, "  %-*s", NAME_WIDTH, name);
    append_values(line, listing, (char **)values->pdata);
    g_string_append_c(line->out, '\n');
}

static void append_lanes(const WsCommandLine *line, const Listing *listing)
{
    if ((listing->lanes & (listing->lanes - 1)) == 0)
        return;
    g_string_append_printf(line->out, "  %-*s", NAME_WIDTH, "lane");
    for (guint64 rest = listing->lanes; rest != 0; rest &= rest - 1)
        g_string_append_printf(line->out, "  %*u", LANE_WIDTH, (guint)__builtin_ctzll(rest));
    g_string_append_c(line->out, '\n');
}

/* The variables of the frames from the selected one on. */
static GArray *list_variables(const Listing *listing, const GArray *frames)
{
    GArray *list = ws_variable_table_at(listing->table, listing->pc);
    guint32 from = ws_source_variables_scope_in(
        ws_lane_scope_variables(listing->scope), listing->pc,
        g_array_index(frames, WsCallFrame, MIN(listing->frame, frames->len - 1)).scope);
    guint kept = 0;

    for (guint i = 0; i < list->len; i++) {
        guint32 variable = g_array_index(list, guint32, i);

        /* A scope has a greater number than those around it. */
        if (ws_variable_table_variable(listing->table, variable)->scope <= from)
            g_array_index(list, guint32, kept++) = variable;
    }
    g_array_set_size(list, kept);
    return list;
}

/* By frame, the innermost first; those of the whole program are no locals. */
static void append_frames(const WsCommandLine *line, const Listing *listing)
{
    const WsSourceVariables *variables = ws_lane_scope_variables(listing->scope);
    const WsProgram *program = ws_session_job(line->session)->program;
    g_autoptr(GArray) frames = ws_call_frames(program, listing->pc);
    g_autoptr(GArray) list = list_variables(listing, frames);

    for (guint k = listing->frame; k < frames->len; k++) {
        g_autofree char *heading = ws_call_frame_text(program, frames, k);
        guint32 function = g_array_index(frames, WsCallFrame, k).scope;

        if (function == WS_NO_SCOPE)
            continue;
        g_string_append_printf(line->out, "%s\n", heading);
        for (guint i = 0; i < list->len; i++)
            if (ws_source_variables_function(
                    variables,
                    ws_variable_table_variable(listing->table, g_array_index(list, guint32, i))
                        ->scope) == function)
                append_variable(line, listing, list, i);
    }
}

gboolean ws_info_locals(WsCommandLine *line, GError **error)
{
    guint lane = ws_session_focus(line->session)->lane;
    Listing listing = {.lanes = (guint64)1 << lane};
    g_autoptr(WsLaneScope) scope = ws_session_scope(line->session);
    const WsSourceVariables *variables = ws_lane_scope_variables(scope);

    if (!ws_command_line_place(line, &listing.place, error))
        return FALSE;
    if (line->words[0] != NULL) {
        gboolean option =
            strcmp(line->words[0], "-lane") == 0 || strcmp(line->words[0], "-lanes") == 0;

        if (!ws_command_line_check(line, option ? 2 : 1, error) ||
            !ws_command_line_lanes(line, listing.place,
                                   line->words[option] != NULL ? line->words[option] : "",
                                   &listing.lanes, error))
            return FALSE;
        lane = listing.lanes != 0 ? (guint)__builtin_ctzll(listing.lanes) : lane;
    }
    listing.scope = scope;
    listing.frame = ws_session_frame(line->session);
    listing.table = ws_source_variables_table(variables);
    if (listing.table == NULL) {
        g_autofree char *lacking = ws_source_variables_lacking(variables);

        ws_set_error(error, WS_ERROR_USAGE, "info locals: %s", lacking);
        return FALSE;
    }
    if (!ws_lane_instruction(listing.place.sm, listing.place.slot, lane, &listing.pc)) {
        ws_set_error(error, WS_ERROR_USAGE, "info locals: lane %u has exited", lane);
        return FALSE;
    }
    append_lanes(line, &listing);
    append_frames(line, &listing);
    if (!listing.table->debug)
        g_string_append(line->out, "The code is optimised: a variable is shown only if its value "
                                   "is certain; with --debug all variables are available.\n");
    return TRUE;
}
