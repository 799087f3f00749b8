#include "isa/bytecode/variables.h"

#include <string.h>

enum { MAX_NESTING = 64 /* anonymous structs in each other that a name is looked for in */ };

/* ---- the table --------------------------------------------------------------------------------
 */

static void clear_type(gpointer type)
{
    g_free(((WsSourceType *)type)->name);
}

static void clear_member(gpointer member)
{
    g_free(((WsSourceMember *)member)->name);
}

static void clear_scope(gpointer scope)
{
    g_free(((WsSourceScope *)scope)->name);
}

static void clear_variable(gpointer variable)
{
    g_free(((WsSourceVariable *)variable)->name);
}

static GArray *array_of(guint size, GDestroyNotify clear)
{
    GArray *array = g_array_new(FALSE, FALSE, size);
    if (clear != NULL)
        g_array_set_clear_func(array, clear);
    return array;
}

WsVariableTable *ws_variable_table_new(void)
{
    WsVariableTable *table = g_new0(WsVariableTable, 1);
    table->types = array_of(sizeof(WsSourceType), clear_type);
    table->members = array_of(sizeof(WsSourceMember), clear_member);
    table->scopes = array_of(sizeof(WsSourceScope), clear_scope);
    table->ranges = array_of(sizeof(WsCodeRange), NULL);
    table->variables = array_of(sizeof(WsSourceVariable), clear_variable);
    table->places = array_of(sizeof(WsVariablePlace), NULL);
    table->pieces = array_of(sizeof(WsVariablePiece), NULL);
    const WsSourceType nothing = {.kind = WS_VALUE_VOID, .name = g_strdup("void")};
    g_array_append_val(table->types, nothing);
    return table;
}

void ws_variable_table_free(WsVariableTable *table)
{
    if (table == NULL)
        return;
    g_free(table->reason);
    g_array_unref(table->types);
    g_array_unref(table->members);
    g_array_unref(table->scopes);
    g_array_unref(table->ranges);
    g_array_unref(table->variables);
    g_array_unref(table->places);
    g_array_unref(table->pieces);
    g_free(table);
}

const WsSourceType *ws_variable_table_type(const WsVariableTable *table, guint32 type)
{
    g_return_val_if_fail(type < table->types->len, NULL);
    return &g_array_index(table->types, WsSourceType, type);
}

const WsSourceMember *ws_variable_table_member(const WsVariableTable *table, guint32 member)
{
    g_return_val_if_fail(member < table->members->len, NULL);
    return &g_array_index(table->members, WsSourceMember, member);
}

const WsSourceScope *ws_variable_table_scope(const WsVariableTable *table, guint32 scope)
{
    g_return_val_if_fail(scope < table->scopes->len, NULL);
    return &g_array_index(table->scopes, WsSourceScope, scope);
}

const WsSourceVariable *ws_variable_table_variable(const WsVariableTable *table, guint32 variable)
{
    g_return_val_if_fail(variable < table->variables->len, NULL);
    return &g_array_index(table->variables, WsSourceVariable, variable);
}

const WsVariablePiece *ws_variable_table_piece(const WsVariableTable *table, guint32 piece)
{
    g_return_val_if_fail(piece < table->pieces->len, NULL);
    return &g_array_index(table->pieces, WsVariablePiece, piece);
}

/* ---- at an instruction ------------------------------------------------------------------------
 */

static gboolean is_in(const WsCodeRange *range, guint32 instruction)
{
    return instruction >= range->first && instruction - range->first < range->count;
}

/*
 * The last of `count` entries from `first` on, each beginning with a WsCodeRange, that does not
 * begin behind the instruction; NULL if it does not hold that.
 */
static gconstpointer entry_at(const GArray *array, guint32 first, guint32 count, gsize size,
                              guint32 instruction)
{
    const char *entries = array->data + (gsize)first * size;
    while (count > 1) {
        const guint32 half = count / 2;
        const WsCodeRange *middle = (gconstpointer)(entries + half * size);
        const gboolean behind = middle->first > instruction;
        entries += behind ? 0 : half * size;
        count = behind ? half : count - half;
    }
    return count == 1 && is_in((gconstpointer)entries, instruction) ? entries : NULL;
}

static gboolean scope_holds(const WsVariableTable *table, guint32 scope, guint32 instruction)
{
    const WsSourceScope *entry = ws_variable_table_scope(table, scope);
    return entry_at(table->ranges, entry->first_range, entry->range_count, sizeof(WsCodeRange),
                    instruction) != NULL;
}

/* A scope comes behind those around it, so the last one that holds the instruction is innermost. */
guint32 ws_variable_table_scope_at(const WsVariableTable *table, guint32 instruction)
{
    for (guint32 s = table->scopes->len; s-- > 0;)
        if (scope_holds(table, s, instruction))
            return s;
    return WS_NO_SCOPE;
}

GArray *ws_variable_table_at(const WsVariableTable *table, guint32 instruction)
{
    GArray *list = g_array_new(FALSE, FALSE, sizeof(guint32));
    guint32 scope = ws_variable_table_scope_at(table, instruction);
    for (gboolean done = FALSE; !done;) {
        for (guint32 v = 0; v < table->variables->len; v++)
            if (ws_variable_table_variable(table, v)->scope == scope)
                g_array_append_val(list, v);
        done = scope == WS_NO_SCOPE;
        if (!done)
            scope = ws_variable_table_scope(table, scope)->parent;
    }
    return list;
}

guint32 ws_variable_table_find(const WsVariableTable *table, guint32 instruction, const char *name)
{
    g_autoptr(GArray) list = ws_variable_table_at(table, instruction);
    for (guint i = 0; i < list->len; i++) {
        const guint32 variable = g_array_index(list, guint32, i);
        if (strcmp(ws_variable_table_variable(table, variable)->name, name) == 0)
            return variable;
    }
    return WS_NO_VARIABLE;
}

const WsVariablePlace *ws_variable_table_place(const WsVariableTable *table, guint32 variable,
                                               guint32 instruction)
{
    const WsSourceVariable *entry = ws_variable_table_variable(table, variable);
    return entry_at(table->places, entry->first_place, entry->place_count, sizeof(WsVariablePlace),
                    instruction);
}

/* ---- types ------------------------------------------------------------------------------------
 */

static gboolean find_member(const WsVariableTable *table, guint32 type, const char *name,
                            guint depth, WsSourceMember *ret)
{
    const WsSourceType *entry = ws_variable_table_type(table, type);
    if (depth == MAX_NESTING || (entry->kind != WS_VALUE_STRUCT && entry->kind != WS_VALUE_UNION))
        return FALSE;
    for (guint32 m = 0; m < entry->member_count; m++) {
        const WsSourceMember *member = ws_variable_table_member(table, entry->first_member + m);
        if (strcmp(member->name, name) == 0 && *name != '\0') {
            *ret = *member;
            return TRUE;
        }
    }
    for (guint32 m = 0; m < entry->member_count; m++) {
        const WsSourceMember *member = ws_variable_table_member(table, entry->first_member + m);
        if (*member->name == '\0' && find_member(table, member->type, name, depth + 1, ret)) {
            ret->offset += member->offset;
            return TRUE;
        }
    }
    return FALSE;
}

gboolean ws_source_type_member(const WsVariableTable *table, guint32 type, const char *name,
                               WsSourceMember *ret)
{
    return find_member(table, type, name, 0, ret);
}

const char *ws_source_type_enumerator(const WsVariableTable *table, guint32 type, gint64 value)
{
    const WsSourceType *entry = ws_variable_table_type(table, type);
    for (guint32 m = 0; entry->kind == WS_VALUE_ENUM && m < entry->member_count; m++) {
        const WsSourceMember *member = ws_variable_table_member(table, entry->first_member + m);
        if (member->value == value)
            return member->name;
    }
    return NULL;
}
