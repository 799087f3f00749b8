/* Whether a table of variables, which may come from a file, holds together. */
#include "isa/bytecode/operand.h"
#include "isa/bytecode/program.h"
#include "isa/bytecode/variables.h"

static gboolean is_list(guint32 first, guint32 count, const GArray *array)
{
    return first <= array->len && count <= array->len - first;
}

static gboolean is_code(const WsCodeRange *range, const WsVariableBounds *bounds)
{
    return range->count > 0 && range->first < bounds->instruction_count &&
           range->count <= bounds->instruction_count - range->first;
}

/* Behind the one in front of it. */
static gboolean follows(const WsCodeRange *range, const WsCodeRange *previous)
{
    return range->first >= previous->first + previous->count;
}

/* What a value is made of comes before it, so that values are finite. */
static const char *fault_of_types(const WsVariableTable *table)
{
    const char *wrong = "a type of a variable is not in order";
    if (table->types->len == 0 || ws_variable_table_type(table, 0)->kind != WS_VALUE_VOID)
        return wrong;
    for (guint32 t = 0; t < table->types->len; t++) {
        const WsSourceType *type = ws_variable_table_type(table, t);
        if (type->kind >= WS_VALUE_KIND_COUNT || type->target >= table->types->len ||
            !is_list(type->first_member, type->member_count, table->members))
            return wrong;
        if ((type->kind == WS_VALUE_ARRAY || type->kind == WS_VALUE_ENUM) && type->target >= t)
            return wrong;
        for (guint32 m = 0; m < type->member_count; m++)
            if (ws_variable_table_member(table, type->first_member + m)->type >= t)
                return wrong;
    }
    for (guint32 m = 0; m < table->members->len; m++) {
        const WsSourceMember *member = ws_variable_table_member(table, m);
        if (member->type >= table->types->len || member->bit_size > 64 || member->bit_offset > 64)
            return wrong;
    }
    return NULL;
}

static const char *fault_of_scopes(const WsVariableTable *table, const WsVariableBounds *bounds)
{
    for (guint32 s = 0; s < table->scopes->len; s++) {
        const WsSourceScope *scope = ws_variable_table_scope(table, s);
        const gboolean is_kernel = scope->kind == WS_SOURCE_SCOPE_KERNEL;
        if (scope->kind >= WS_SOURCE_SCOPE_KIND_COUNT ||
            is_kernel != (scope->parent == WS_NO_SCOPE) || (!is_kernel && scope->parent >= s) ||
            scope->file >= bounds->file_count || scope->call_file >= bounds->file_count ||
            !is_list(scope->first_range, scope->range_count, table->ranges))
            return "a scope of variables is not in order";
        const WsCodeRange *ranges = (gconstpointer)table->ranges->data;
        for (guint32 r = scope->first_range; r < scope->first_range + scope->range_count; r++)
            if (!is_code(&ranges[r], bounds) ||
                (r > scope->first_range && !follows(&ranges[r], &ranges[r - 1])))
                return "a scope of variables has code that is not in order";
    }
    return NULL;
}

static gboolean is_piece(const WsVariablePiece *piece)
{
    enum { WORD = 4, IMMEDIATE_BYTES = 8, WINDOW_BYTES = 1 << 24 };
    const guint64 words = ((guint64)piece->bytes + WORD - 1) / WORD;
    switch (piece->kind) {
    case WS_PIECE_REGISTER:
        return piece->index + words <= WS_RZ;
    case WS_PIECE_UNIFORM_REGISTER:
        return piece->index + words <= WS_URZ;
    case WS_PIECE_PREDICATE:
        return piece->index < WS_PT && piece->bytes <= IMMEDIATE_BYTES;
    case WS_PIECE_CONSTANT:
        return piece->index < WS_CONSTANT_BANKS && piece->value <= WS_CONSTANT_BANK_BYTES &&
               piece->bytes <= WS_CONSTANT_BANK_BYTES - piece->value;
    case WS_PIECE_IMMEDIATE:
        return piece->bytes <= IMMEDIATE_BYTES;
    case WS_PIECE_LOCAL:
    case WS_PIECE_SHARED:
        return piece->value <= WINDOW_BYTES && piece->bytes <= WINDOW_BYTES - piece->value;
    default:
        return piece->kind < WS_PIECE_KIND_COUNT;
    }
}

/* An array without a size, as of dynamic shared memory, has one piece of no bytes. */
static gboolean is_place(const WsVariableTable *table, const WsVariablePlace *place, guint64 bytes)
{
    if (!is_list(place->first_piece, place->piece_count, table->pieces) || place->piece_count == 0)
        return FALSE;
    guint64 sum = 0;
    for (guint32 p = 0; p < place->piece_count; p++) {
        const WsVariablePiece *piece = ws_variable_table_piece(table, place->first_piece + p);
        if (piece->kind >= WS_PIECE_KIND_COUNT || (piece->bytes == 0) != (bytes == 0) ||
            !is_piece(piece))
            return FALSE;
        sum += piece->bytes;
    }
    return sum == bytes;
}

static const char *fault_of_variables(const WsVariableTable *table, const WsVariableBounds *bounds)
{
    for (guint32 v = 0; v < table->variables->len; v++) {
        const WsSourceVariable *variable = ws_variable_table_variable(table, v);
        if (variable->kind >= WS_VARIABLE_KIND_COUNT || variable->type >= table->types->len ||
            (variable->scope != WS_NO_SCOPE && variable->scope >= table->scopes->len) ||
            variable->file >= bounds->file_count ||
            !is_list(variable->first_place, variable->place_count, table->places))
            return "a variable is not in order";
        const WsVariablePlace *places = (gconstpointer)table->places->data;
        const guint32 end = variable->first_place + variable->place_count;
        for (guint32 p = variable->first_place; p < end; p++)
            if (!is_code(&places[p].code, bounds) ||
                (p > variable->first_place && !follows(&places[p].code, &places[p - 1].code)) ||
                !is_place(table, &places[p], ws_variable_table_type(table, variable->type)->bytes))
                return "a place of a variable is not in order";
    }
    return NULL;
}

const char *ws_variable_table_fault(const WsVariableTable *table, const WsVariableBounds *bounds)
{
    const char *fault = fault_of_types(table);
    if (fault == NULL)
        fault = fault_of_scopes(table, bounds);
    return fault != NULL ? fault : fault_of_variables(table, bounds);
}
