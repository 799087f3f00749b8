#include "inspect/session/lane_expression.h"

#include <string.h>

#include "inspect/session/paths.h"
#include "isa/base/error.h"

/* The expression in one scope of the source. */
typedef struct {
    WsLaneView view;
    WsTyped *typed; /* NULL: it is none there */
    GError *error;  /* why */
} Form;

/* Lanes that were looked at together. */
typedef struct {
    guint64 lanes;
    guint32 pc;
    Form *form; /* NULL: they are at no place */
} Group;

struct WsLaneExpression {
    const WsLaneScope *scope;
    char *what, *text;
    GHashTable *forms; /* innermost scope + 1: Form */
    Form *primary;
    gboolean everywhere; /* the primary one is that of all scopes */
    gboolean bound;

    /* What it came to last. */
    const WsSm *sm;
    guint32 slot;
    Group groups[WS_MAX_PATHS + 2];
    guint count;
    const WsRow *row;
    WsRow merged;
};

/* ---- forms --------------------------------------------------------------------------------------
 */

static void form_free(gpointer data)
{
    Form *form = data;

    ws_typed_free(form->typed);
    ws_lane_view_clear(&form->view);
    g_clear_error(&form->error);
    g_free(form);
}

static Form *make_form(const WsLaneExpression *expression, guint32 pc)
{
    Form *form = g_new0(Form, 1);
    g_autofree char *problem = NULL;
    gsize offset = 0;

    ws_lane_view_init(&form->view, expression->scope, pc);
    form->typed = ws_typed_new(expression->text, &form->view.scope, &problem, &offset);
    if (form->typed == NULL)
        ws_set_error(&form->error, WS_ERROR_USAGE, "%s '%s', column %ld: %s", expression->what,
                     expression->text, g_utf8_strlen(expression->text, (gssize)offset) + 1,
                     problem);
    return form;
}

/* Whether both name the same variables of the source, if in different calls of a function. */
static gboolean means_the_same(const WsLaneExpression *expression, const Form *a, const Form *b)
{
    const WsVariableTable *table =
        ws_source_variables_table(ws_lane_scope_variables(expression->scope));
    gboolean same = a->view.variables->len == b->view.variables->len;

    for (guint i = 0; same && i < a->view.variables->len; i++) {
        const WsSourceVariable *of_a =
            ws_variable_table_variable(table, g_array_index(a->view.variables, guint32, i));
        const WsSourceVariable *of_b =
            ws_variable_table_variable(table, g_array_index(b->view.variables, guint32, i));

        same = strcmp(of_a->name, of_b->name) == 0 && of_a->file == of_b->file &&
               of_a->line == of_b->line && of_a->type == of_b->type;
    }
    return same;
}

/* That of an instruction; never NULL. */
static Form *form_at(WsLaneExpression *expression, guint32 pc)
{
    guint32 scope;
    Form *form;

    if (expression->everywhere)
        return expression->primary;
    scope = ws_source_variables_scope(ws_lane_scope_variables(expression->scope), pc);
    form = g_hash_table_lookup(expression->forms, GUINT_TO_POINTER(scope + 1));
    if (form != NULL)
        return form;
    form = make_form(expression, pc);
    if (form->typed != NULL && expression->primary != NULL &&
        (expression->bound || ws_lane_view_is_elsewhere(&form->view)) &&
        !means_the_same(expression, form, expression->primary))
        g_clear_pointer(&form->typed, ws_typed_free);
    g_hash_table_insert(expression->forms, GUINT_TO_POINTER(scope + 1), form);
    return form;
}

/* ---- life ---------------------------------------------------------------------------------------
 */

WsLaneExpression *ws_lane_expression_new(const WsLaneScope *scope, const char *what,
                                         const char *text, const guint32 *instructions, guint count,
                                         GError **error)
{
    g_autoptr(WsLaneExpression) expression = g_new0(WsLaneExpression, 1);
    Form *first = NULL;

    expression->scope = scope;
    expression->what = g_strdup(what);
    expression->text = g_strdup(text);
    expression->forms = g_hash_table_new_full(NULL, NULL, NULL, form_free);
    for (guint i = 0; i < count && expression->primary == NULL; i++) {
        Form *form = form_at(expression, instructions[i]);

        first = first != NULL ? first : form;
        if (form->typed != NULL)
            expression->primary = form;
    }
    if (expression->primary == NULL) {
        g_propagate_error(error, g_error_copy(first->error));
        return NULL;
    }
    expression->everywhere = !expression->primary->view.by_place;
    for (guint i = 0; i < count && !expression->everywhere; i++)
        form_at(expression, instructions[i]);
    return g_steal_pointer(&expression);
}

void ws_lane_expression_free(WsLaneExpression *expression)
{
    if (expression == NULL)
        return;
    g_hash_table_unref(expression->forms);
    g_free(expression->what);
    g_free(expression->text);
    g_free(expression);
}

void ws_lane_expression_bind(WsLaneExpression *expression)
{
    GHashTableIter iter;
    gpointer form;

    expression->bound = TRUE;
    g_hash_table_iter_init(&iter, expression->forms);
    while (g_hash_table_iter_next(&iter, NULL, &form))
        if (!means_the_same(expression, form, expression->primary))
            g_clear_pointer(&((Form *)form)->typed, ws_typed_free);
}

const WsTyped *ws_lane_expression_typed(const WsLaneExpression *expression)
{
    return expression->primary->typed;
}

gboolean ws_lane_expression_is_at(WsLaneExpression *expression, guint32 pc)
{
    return form_at(expression, pc)->typed != NULL;
}

/* Whether some form looks into such a kind of memory. */
static gboolean reads(const WsLaneExpression *expression, WsMemoryKind kind, gboolean any_memory,
                      WsPieceKind piece)
{
    const WsSourceVariables *variables = ws_lane_scope_variables(expression->scope);
    GHashTableIter iter;
    gpointer value;

    g_hash_table_iter_init(&iter, expression->forms);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const Form *form = value;

        if (form->typed != NULL && ws_typed_loads(form->typed, kind, any_memory))
            return TRUE;
        for (guint i = 0; form->typed != NULL && i < form->view.variables->len; i++)
            if (ws_source_variables_lies_in(variables,
                                            g_array_index(form->view.variables, guint32, i), piece))
                return TRUE;
    }
    return FALSE;
}

gboolean ws_lane_expression_reads_memory(const WsLaneExpression *expression)
{
    return reads(expression, WS_MEMORY_GENERIC, TRUE, WS_PIECE_ADDRESS);
}

gboolean ws_lane_expression_reads_shared(const WsLaneExpression *expression)
{
    return reads(expression, WS_MEMORY_SHARED, FALSE, WS_PIECE_SHARED);
}

/* ---- where lanes are ----------------------------------------------------------------------------
 */

static void add_group(WsLaneExpression *expression, guint64 lanes, guint32 pc)
{
    Group *group = &expression->groups[expression->count];

    if (lanes == 0)
        return;
    *group = (Group){.lanes = lanes, .pc = pc};
    if (pc != WS_NO_INSTRUCTION)
        group->form = form_at(expression, pc);
    expression->count++;
}

static void find_groups(WsLaneExpression *expression, const WsLanePlace *place, guint64 mask)
{
    const WsWarp *warp = &place->sm->state->warps[place->slot];
    gboolean lives = warp->state != WS_WARP_DRAIN;

    expression->sm = place->sm;
    expression->slot = place->slot;
    expression->count = 0;
    if (expression->everywhere || place->pc != WS_OWN_PC) {
        add_group(expression, mask, place->pc == WS_OWN_PC ? warp->path.pc : place->pc);
        return;
    }
    if (lives) {
        add_group(expression, mask & warp->path.active, warp->path.pc);
        mask &= ~warp->path.active;
    }
    if (lives && mask != 0) {
        WsLanesAt others[WS_MAX_PATHS];
        guint count = place->sm->context->divergence->waiting(
            ws_sm_path_state(place->sm, place->slot), &warp->path, others);

        for (guint i = 0; i < count; i++) {
            add_group(expression, mask & others[i].lanes, others[i].pc);
            mask &= ~others[i].lanes;
        }
    }
    add_group(expression, mask, WS_NO_INSTRUCTION);
}

WsLaneExpression *ws_lane_expression_for(const WsLaneScope *scope, const char *what,
                                         const char *text, const WsSm *sm, guint32 slot, guint lane,
                                         GError **error)
{
    const WsWarp *warp = &sm->state->warps[slot];
    guint32 instructions[WS_MAX_PATHS + 2];
    guint count = 0;

    if (ws_lane_instruction(sm, slot, lane, &instructions[count]))
        count++;
    instructions[count++] = warp->path.pc;
    if (warp->state != WS_WARP_DRAIN) {
        WsLanesAt others[WS_MAX_PATHS];
        guint paths =
            sm->context->divergence->waiting(ws_sm_path_state(sm, slot), &warp->path, others);

        for (guint i = 0; i < paths; i++)
            instructions[count++] = others[i].pc;
    }
    return ws_lane_expression_new(scope, what, text, instructions, count, error);
}

/* ---- values -------------------------------------------------------------------------------------
 */

static void put_group(WsRow *merged, const Group *group, const WsRow *row)
{
    for (guint64 rest = group->lanes; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest), at = row != NULL ? ws_row_lane(row, lane) : 0;

        if (row == NULL || !ws_row_is_known(row, lane)) {
            ws_row_put_unknown(merged, lane,
                               row != NULL           ? row->why[at]
                               : group->form == NULL ? WS_UNKNOWN_EXITED
                                                     : WS_UNKNOWN_NO_SCOPE);
            continue;
        }
        merged->bits[lane] = row->bits[at];
        merged->known |= rest & -rest;
    }
}

static const WsRow *evaluate_group(const WsLaneExpression *expression, const Group *group)
{
    const WsLanePlace where = {expression->sm, expression->slot, group->pc};

    return group->form == NULL || group->form->typed == NULL
               ? NULL
               : ws_typed_evaluate(group->form->typed, &where, group->lanes);
}

const WsRow *ws_lane_expression_evaluate(WsLaneExpression *expression, const WsLanePlace *place,
                                         guint64 mask)
{
    find_groups(expression, place, mask);
    if (expression->count == 1) {
        expression->row = evaluate_group(expression, &expression->groups[0]);
        if (expression->row != NULL)
            return expression->row;
    }
    expression->merged.same = FALSE;
    expression->merged.known = 0;
    for (guint i = 0; i < expression->count; i++)
        put_group(&expression->merged, &expression->groups[i],
                  evaluate_group(expression, &expression->groups[i]));
    expression->row = &expression->merged;
    return expression->row;
}

guint64 ws_lane_expression_truth(WsLaneExpression *expression, const WsLanePlace *place,
                                 guint64 mask, guint64 *ret_unknown)
{
    const WsRow *row = ws_lane_expression_evaluate(expression, place, mask);
    guint64 truth = 0;

    *ret_unknown = 0;
    for (guint i = 0; i < expression->count; i++) {
        const Group *group = &expression->groups[i];
        guint64 unknown;

        if (group->form == NULL || group->form->typed == NULL)
            continue;
        truth |= ws_row_truth(row, ws_value_type_is_float(ws_typed_type(group->form->typed)),
                              group->lanes, &unknown);
        *ret_unknown |= unknown;
    }
    return truth;
}

/* ---- lanes --------------------------------------------------------------------------------------
 */

static const Group *group_of(const WsLaneExpression *expression, guint lane)
{
    for (guint i = 0; i < expression->count; i++)
        if ((expression->groups[i].lanes >> lane & 1) != 0)
            return &expression->groups[i];
    return NULL;
}

WsTyped *ws_lane_expression_form(const WsLaneExpression *expression, guint lane)
{
    const Group *group = group_of(expression, lane);

    return group != NULL && group->form != NULL ? group->form->typed : NULL;
}

guint64 ws_lane_expression_in_scope(const WsLaneExpression *expression)
{
    guint64 lanes = 0;

    for (guint i = 0; i < expression->count; i++)
        if (expression->groups[i].form != NULL && expression->groups[i].form->typed != NULL)
            lanes |= expression->groups[i].lanes;
    return lanes;
}

WsLanePlace ws_lane_expression_place(const WsLaneExpression *expression, guint lane)
{
    const Group *group = group_of(expression, lane);

    return (WsLanePlace){expression->sm, expression->slot,
                         group != NULL ? group->pc : WS_NO_INSTRUCTION};
}

const char *ws_lane_expression_unknown_text(const WsLaneExpression *expression, guint lane)
{
    return ws_unknown_text((WsUnknown)expression->row->why[ws_row_lane(expression->row, lane)]);
}

char *ws_lane_expression_value(const WsLaneExpression *expression, guint lane, WsValueForm form)
{
    const WsTyped *typed = ws_lane_expression_form(expression, lane);
    const WsLanePlace place = ws_lane_expression_place(expression, lane);

    if (typed == NULL)
        return g_strdup(ws_lane_expression_unknown_text(expression, lane));
    return ws_value_text(expression->scope, &place, typed, expression->row, lane, form);
}

gboolean ws_lane_expression_is_uniform(const WsLaneExpression *expression)
{
    const WsTyped *typed = expression->count == 1 && expression->groups[0].form != NULL
                               ? expression->groups[0].form->typed
                               : NULL;
    const WsObject *object =
        typed != NULL && ws_typed_is_place(typed) ? ws_typed_object(typed) : NULL;

    return typed != NULL && ws_value_type_is_scalar(ws_typed_type(typed)) &&
           expression->row->same &&
           (object == NULL || object->kind >= WS_OBJECT_KINDS || object->kind == WS_OBJECT_PLACE);
}
