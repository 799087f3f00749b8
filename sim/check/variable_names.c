/* Places of a thread's local memory by the variables that lie there. */
#include "isa/bytecode/variables.h"
#include "sim/check/private.h"

enum { MAX_NESTING = 64 };

static void append_name(GString *out, const WsVariableTable *table, guint32 type, guint64 at,
                        guint depth);

/* The first member that holds byte `at`: that of a union which is named first. */
static void append_member(GString *out, const WsVariableTable *table, const WsSourceType *type,
                          guint64 at, guint depth)
{
    for (guint32 m = 0; m < type->member_count; m++) {
        const WsSourceMember *member = ws_variable_table_member(table, type->first_member + m);
        const guint64 bytes = ws_variable_table_type(table, member->type)->bytes;
        if (at < member->offset || at - member->offset >= bytes)
            continue;
        if (*member->name != '\0')
            g_string_append_printf(out, ".%s", member->name);
        append_name(out, table, member->type, at - member->offset, depth + 1);
        return;
    }
}

/* ".next", "[2][1]": what byte `at` of a value of the type belongs to. */
static void append_name(GString *out, const WsVariableTable *table, guint32 type, guint64 at,
                        guint depth)
{
    const WsSourceType *entry = ws_variable_table_type(table, type);
    if (depth == MAX_NESTING)
        return;
    if (entry->kind == WS_VALUE_STRUCT || entry->kind == WS_VALUE_UNION) {
        append_member(out, table, entry, at, depth);
    } else if (entry->kind == WS_VALUE_ARRAY) {
        const guint64 bytes = MAX(ws_variable_table_type(table, entry->target)->bytes, 1);
        g_string_append_printf(out, "[%" G_GUINT64_FORMAT "]", at / bytes);
        append_name(out, table, entry->target, at % bytes, depth + 1);
    }
}

char *ws_check_variable_at(const WsCheck *check, guint32 instruction, guint64 address,
                           const char **ret_variable)
{
    const WsVariableTable *table = check->job->program->variables;
    if (table == NULL)
        return NULL;
    g_autoptr(GArray) list = ws_variable_table_at(table, instruction);
    for (guint i = 0; i < list->len; i++) {
        const guint32 number = g_array_index(list, guint32, i);
        const WsSourceVariable *variable = ws_variable_table_variable(table, number);
        const WsVariablePlace *place = ws_variable_table_place(table, number, instruction);
        if (place == NULL || place->piece_count != 1)
            continue;
        const WsVariablePiece *piece = ws_variable_table_piece(table, place->first_piece);
        if (piece->kind != WS_PIECE_LOCAL || address < piece->value ||
            address - piece->value >= piece->bytes)
            continue;
        GString *name = g_string_new(variable->name);
        append_name(name, table, variable->type, address - piece->value, 0);
        *ret_variable = variable->name;
        return g_string_free(name, FALSE);
    }
    return NULL;
}
