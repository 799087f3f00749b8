/* Evaluating a compiled expression. */
#include "sim/expression/typed_private.h"

/* ---- life ---------------------------------------------------------------------------------------
 */

static gboolean is_type(gconstpointer data, const char *name)
{
    const WsScope *scope = data;

    return ws_base_type_by_name(name) != NULL ||
           (scope->find_type != NULL && scope->find_type(scope->data, name) != NULL);
}

WsTyped *ws_typed_new(const char *text, const WsScope *scope, char **ret_problem, gsize *ret_offset)
{
    const WsTypeNames types = {is_type, scope};
    g_autoptr(WsTyped) typed = g_new0(WsTyped, 1);

    typed->scope = scope;
    typed->types = ws_type_store_new();
    typed->steps = g_array_new(FALSE, FALSE, sizeof(WsStep));
    typed->objects = g_array_new(FALSE, FALSE, sizeof(WsObject));
    typed->constants = g_array_new(FALSE, FALSE, sizeof(WsConstantRow));
    typed->syntax = ws_syntax_parse(text, &types, ret_problem, ret_offset);
    if (typed->syntax == NULL || !ws_typed_compile(typed, ret_problem, ret_offset))
        return NULL;
    typed->rows = g_new0(WsRow, typed->row_count);
    typed->result = g_new0(WsRow, 1);
    for (guint i = 0; i < typed->constants->len; i++) {
        const WsConstantRow *constant = &g_array_index(typed->constants, WsConstantRow, i);

        ws_row_set_same(&typed->rows[constant->row], constant->bits);
    }
    return g_steal_pointer(&typed);
}

void ws_typed_free(WsTyped *typed)
{
    if (typed == NULL)
        return;
    ws_syntax_free(typed->syntax);
    ws_type_store_free(typed->types);
    g_array_unref(typed->steps);
    g_array_unref(typed->objects);
    g_array_unref(typed->constants);
    g_free(typed->rows);
    g_free(typed->result);
    g_free(typed);
}

const WsValueType *ws_typed_type(const WsTyped *typed)
{
    return typed->type;
}

gboolean ws_typed_is_place(const WsTyped *typed)
{
    return typed->is_place;
}

const WsObject *ws_typed_object(const WsTyped *typed)
{
    return typed->object == WS_NO_ROW ? NULL
                                      : &g_array_index(typed->objects, WsObject, typed->object);
}

gboolean ws_typed_loads(const WsTyped *typed, guint kind, gboolean memory)
{
    for (guint i = 0; i < typed->steps->len; i++) {
        const WsStep *step = &g_array_index(typed->steps, WsStep, i);

        if (step->kind == WS_STEP_LOAD &&
            (step->object == WS_NO_ROW
                 ? memory
                 : g_array_index(typed->objects, WsObject, step->object).kind == kind))
            return TRUE;
    }
    return FALSE;
}

gboolean ws_typed_is_truth(const WsTyped *typed)
{
    WsOperator operator= typed->syntax->nodes[typed->syntax->count - 1].operator;

    return ws_operator_compares(operator) ||
           operator== WS_OPERATOR_AND || operator== WS_OPERATOR_OR || operator== WS_OPERATOR_NOT;
}

char *ws_typed_check_condition(const WsTyped *typed)
{
    g_autofree char *name = NULL;

    if (ws_value_type_is_scalar(typed->type))
        return NULL;
    name = ws_value_type_text(typed->type);
    return g_strdup_printf("a number or a pointer is expected, not one of type '%s'", name);
}

/* ---- loads --------------------------------------------------------------------------------------
 */

void ws_typed_load(const WsScope *scope, gconstpointer where, const WsObject *object,
                   const WsValueType *type, const WsRow *offset, guint64 mask, WsRow *ret)
{
    guint64 bytes = object == NULL ? 0 : object->bytes != 0 ? object->bytes : object->type->size;
    guint64 inside = mask & offset->known;

    if (object != NULL && offset->same && offset->known != 0) {
        if (type->size > bytes || offset->bits[0] > bytes - type->size)
            inside = 0;
    } else if (object != NULL) {
        for (guint64 rest = inside; rest != 0; rest &= rest - 1) {
            guint lane = (guint)__builtin_ctzll(rest);

            if (type->size > bytes || offset->bits[lane] > bytes - type->size)
                inside &= ~((guint64)1 << lane);
        }
    }
    if (inside == mask) {
        scope->load(scope->data, where, object, type, offset, mask, ret);
        return;
    }
    ws_row_set_unknown(ret, WS_UNKNOWN_OUTSIDE);
    if (inside != 0)
        scope->load(scope->data, where, object, type, offset, inside, ret);
    if (ret->same) {
        guint64 bits = ret->bits[0];
        gboolean known = ret->known != 0;
        WsUnknown why = ret->why[0];

        ret->same = FALSE;
        ret->known = known ? G_MAXUINT64 : 0;
        for (guint lane = 0; lane < WS_ROW_LANES; lane++) {
            ret->bits[lane] = bits;
            ret->why[lane] = (guint8)why;
        }
    }
    for (guint64 rest = mask & ~inside; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);

        ws_row_put_unknown(ret, lane,
                           ws_row_is_known(offset, lane) ? WS_UNKNOWN_OUTSIDE
                                                         : offset->why[ws_row_lane(offset, lane)]);
    }
}

/* The row of a place: its own with the bytes that are known beforehand added. */
static const WsRow *place_row(const WsTyped *typed, guint row, gint64 add, guint64 mask,
                              WsRow *room)
{
    static const WsRow none = {.known = G_MAXUINT64, .same = TRUE};

    if (row != WS_NO_ROW && add == 0)
        return &typed->rows[row];
    if (row == WS_NO_ROW) {
        ws_row_set_same(room, (guint64)add);
        return room;
    }
    ws_row_offset(&typed->rows[row], &none, 0, add, mask, room);
    return room;
}

static const WsObject *object_at(const WsTyped *typed, guint index)
{
    return index == WS_NO_ROW ? NULL : &g_array_index(typed->objects, WsObject, index);
}

static void do_load(WsTyped *typed, gconstpointer where, const WsStep *step, guint64 mask)
{
    WsRow room;

    ws_typed_load(typed->scope, where, object_at(typed, step->object), step->type,
                  place_row(typed, step->a, step->add, mask, &room), mask, &typed->rows[step->out]);
}

/* ---- lanes that go on ---------------------------------------------------------------------------
 */

/* A row as one that has a value of its own for each lane. */
static void set_lane(WsRow *row, guint lane, const WsRow *from)
{
    guint at = ws_row_lane(from, lane);

    row->bits[lane] = from->bits[at];
    row->why[lane] = from->why[at];
    row->known = (row->known & ~((guint64)1 << lane)) | (guint64)ws_row_is_known(from, lane)
                                                            << lane;
}

/* 1 in these lanes, 0 in all others of `mask`. */
static void set_truth(WsRow *row, guint64 truth, guint64 mask)
{
    if (truth == 0 || truth == mask) {
        ws_row_set_same(row, truth != 0);
        return;
    }
    row->same = FALSE;
    row->known = G_MAXUINT64;
    for (guint lane = 0; lane < WS_ROW_LANES; lane++)
        row->bits[lane] = truth >> lane & 1;
}

/* a && b or a || b: `went` are the lanes for which b was looked at. */
static void do_logic(WsTyped *typed, const WsStep *step, guint64 mask, guint64 went)
{
    const WsRow *a = &typed->rows[step->a], *b = &typed->rows[step->b];
    WsRow *out = &typed->rows[step->out];
    gboolean is_or = step->operator== WS_OPERATOR_OR;

    if (a->same && (went == 0 || b->same)) {
        const WsRow *from = went == 0 ? a : b;

        if (from->known == 0)
            ws_row_set_unknown(out, from->why[0]);
        else
            ws_row_set_same(out, from->bits[0] != 0);
        return;
    }
    if ((a->known & mask) == mask && (went == 0 || (b->known & went) == went)) {
        guint64 unknown, truth = went == 0 ? 0 : ws_row_truth(b, FALSE, went, &unknown);

        set_truth(out, is_or ? truth | (mask & ~went) : truth, mask);
        return;
    }
    out->same = FALSE;
    out->known = 0;
    for (guint64 rest = mask; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);

        if ((went >> lane & 1) != 0) {
            set_lane(out, lane, b);
        } else if (!ws_row_is_known(a, lane)) {
            set_lane(out, lane, a);
        } else {
            out->bits[lane] = is_or;
            out->known |= (guint64)1 << lane;
        }
    }
}

static void do_choose(WsTyped *typed, const WsStep *step, guint64 mask)
{
    const WsRow *a = &typed->rows[step->a];
    WsRow *out = &typed->rows[step->out];
    guint64 unknown, truth = ws_row_truth(a, step->real, mask, &unknown);

    out->same = FALSE;
    out->known = 0;
    for (guint64 rest = mask; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);

        if ((unknown >> lane & 1) != 0)
            set_lane(out, lane, a);
        else
            set_lane(out, lane, &typed->rows[(truth >> lane & 1) != 0 ? step->b : step->c]);
    }
}

/* ---- running ------------------------------------------------------------------------------------
 */

static void do_step(WsTyped *typed, gconstpointer where, const WsStep *step, guint64 mask)
{
    WsRow *rows = typed->rows, *out = &rows[step->out];

    switch (step->kind) {
    case WS_STEP_LOAD:
        do_load(typed, where, step, mask);
        break;
    case WS_STEP_CONVERT:
        ws_row_convert(step->class, &rows[step->a], step->type, mask, out);
        break;
    case WS_STEP_UNARY:
        ws_row_unary(step->operator, step->class, &rows[step->a], mask, out);
        break;
    case WS_STEP_BINARY:
        ws_row_binary(step->operator, step->class, &rows[step->a], &rows[step->b], mask, out);
        break;
    case WS_STEP_OFFSET:
        ws_row_offset(step->a == WS_NO_ROW ? NULL : &rows[step->a], &rows[step->b], step->size,
                      step->add, mask, out);
        break;
    case WS_STEP_ADDRESS:
        if (!typed->scope->address(typed->scope->data, where, object_at(typed, step->object), mask,
                                   out))
            ws_row_set_unknown(out, WS_UNKNOWN_OPTIMISED_OUT);
        break;
    default:
        do_choose(typed, step, mask);
        break;
    }
}

/* Steps up to number `end`. */
static void run(WsTyped *typed, gconstpointer where, guint64 mask, guint end)
{
    guint64 before[WS_EXPRESSION_DEPTH + 1]; /* masks that come back */
    guint depth = 0;

    for (guint i = 0; i < end; i++) {
        const WsStep *step = &g_array_index(typed->steps, WsStep, i);

        if (step->kind == WS_STEP_ONLY_IF || step->kind == WS_STEP_ONLY_UNLESS) {
            guint64 unknown,
                truth = ws_row_truth(&typed->rows[step->a], step->real, mask, &unknown);

            before[depth++] = mask;
            mask = step->kind == WS_STEP_ONLY_IF ? truth : mask & ~truth & ~unknown;
            if (mask == 0)
                i = step->target - 1;
        } else if (step->kind == WS_STEP_LOGIC) {
            guint64 went = mask;

            mask = before[--depth];
            do_logic(typed, step, mask, went);
        } else if (step->kind == WS_STEP_ENDS) {
            mask = before[--depth];
        } else {
            do_step(typed, where, step, mask);
        }
    }
}

const WsRow *ws_typed_evaluate(WsTyped *typed, gconstpointer where, guint64 mask)
{
    if (typed->row == WS_NO_ROW)
        return ws_typed_place(typed, where, mask);
    run(typed, where, mask, typed->steps->len);
    return &typed->rows[typed->row];
}

const WsRow *ws_typed_place(WsTyped *typed, gconstpointer where, guint64 mask)
{
    run(typed, where, mask, typed->load_step);
    return place_row(typed, typed->place, typed->place_add, mask, typed->result);
}
