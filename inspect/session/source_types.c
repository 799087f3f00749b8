#include "inspect/session/source_types.h"

#include <string.h>

enum { MOST_NESTING = 64 };

struct WsSourceTypes {
    const WsVariableTable *table;
    WsValueType *types; /* by number */
    GPtrArray *made;    /* members, and types of bit fields: g_free */
};

/* ---- members ------------------------------------------------------------------------------------
 */

/* A bit field has a type of its own, in as many bytes as it is declared with. */
static const WsValueType *bit_field(WsSourceTypes *types, const WsSourceMember *member)
{
    WsValueType *type = g_memdup2(&types->types[member->type], sizeof *type);

    g_ptr_array_add(types->made, type);
    if (member->bit_offset + member->bit_size > 8 * sizeof(guint64)) {
        type->kind = WS_CTYPE_VOID;
        return type;
    }
    type->size = MAX(type->size, (member->bit_offset + member->bit_size + 7) / 8);
    type->bits = (guint8)member->bit_size;
    type->bit_offset = (guint8)member->bit_offset;
    return type;
}

/* Those of a struct that stand `offset` bytes behind the begin of the outermost one. */
static void append_members(WsSourceTypes *types, const WsSourceType *entry, guint64 offset,
                           guint depth, GArray *ret)
{
    for (guint32 i = 0; i < entry->member_count; i++) {
        const WsSourceMember *from =
            ws_variable_table_member(types->table, entry->first_member + i);
        WsValueMember member = {.name = from->name, .offset = (gint64)(offset + from->offset)};

        if (*from->name == '\0') {
            if (depth < MOST_NESTING)
                append_members(types, ws_variable_table_type(types->table, from->type),
                               offset + from->offset, depth + 1, ret);
            continue;
        }
        member.type = from->bit_size != 0 ? bit_field(types, from) : &types->types[from->type];
        g_array_append_val(ret, member);
    }
}

/* The names of an enum; its values as a row has them, which knows no unsigned ones. */
static void append_enumerators(const WsSourceTypes *types, const WsSourceType *entry, GArray *ret)
{
    guint away = 64 - 8 * (guint)CLAMP(entry->bytes, 1, 8);

    for (guint32 i = 0; i < entry->member_count; i++) {
        const WsSourceMember *from =
            ws_variable_table_member(types->table, entry->first_member + i);
        WsValueMember member = {.name = from->name,
                                .offset = (gint64)((guint64)from->value << away) >> away};

        g_array_append_val(ret, member);
    }
}

static void add_members(WsSourceTypes *types, const WsSourceType *entry, WsValueType *type)
{
    g_autoptr(GArray) members = g_array_new(FALSE, FALSE, sizeof(WsValueMember));

    if (entry->kind == WS_VALUE_ENUM)
        append_enumerators(types, entry, members);
    else if (entry->kind == WS_VALUE_STRUCT || entry->kind == WS_VALUE_UNION)
        append_members(types, entry, 0, 0, members);
    if (members->len == 0)
        return;
    type->member_count = members->len;
    type->members = (const WsValueMember *)(gpointer)g_array_free(g_steal_pointer(&members), FALSE);
    g_ptr_array_add(types->made, (gpointer)type->members);
}

/* ---- types --------------------------------------------------------------------------------------
 */

static WsCTypeKind kind_of(const WsSourceType *entry)
{
    static const WsCTypeKind kinds[WS_VALUE_KIND_COUNT] = {
        [WS_VALUE_VOID] = WS_CTYPE_VOID,         [WS_VALUE_SIGNED] = WS_CTYPE_SIGNED,
        [WS_VALUE_UNSIGNED] = WS_CTYPE_UNSIGNED, [WS_VALUE_FLOAT] = WS_CTYPE_FLOAT,
        [WS_VALUE_BOOL] = WS_CTYPE_BOOL,         [WS_VALUE_CHAR] = WS_CTYPE_SIGNED,
        [WS_VALUE_ENUM] = WS_CTYPE_ENUM,         [WS_VALUE_POINTER] = WS_CTYPE_POINTER,
        [WS_VALUE_REFERENCE] = WS_CTYPE_POINTER, [WS_VALUE_ARRAY] = WS_CTYPE_ARRAY,
        [WS_VALUE_STRUCT] = WS_CTYPE_STRUCT,     [WS_VALUE_UNION] = WS_CTYPE_STRUCT};
    gboolean number = entry->kind != WS_VALUE_ARRAY && entry->kind != WS_VALUE_STRUCT &&
                      entry->kind != WS_VALUE_UNION;
    gboolean fits =
        entry->bytes == 1 || entry->bytes == 2 || entry->bytes == 4 || entry->bytes == 8;

    if ((number && !fits) || (entry->kind == WS_VALUE_FLOAT && entry->bytes == 1))
        return WS_CTYPE_VOID; /* __int128 and so on */
    if (entry->kind == WS_VALUE_CHAR && !entry->is_signed)
        return WS_CTYPE_UNSIGNED;
    return kinds[entry->kind];
}

static WsValueType make(const WsSourceTypes *types, const WsSourceType *entry)
{
    WsValueType type = {.kind = kind_of(entry), .size = entry->bytes, .name = entry->name};

    if (type.kind == WS_CTYPE_POINTER || type.kind == WS_CTYPE_ARRAY)
        type.target = &types->types[entry->target];
    if (type.kind == WS_CTYPE_ARRAY)
        type.count = entry->count;
    type.is_reference = entry->kind == WS_VALUE_REFERENCE;
    if (*entry->name == '\0')
        type.name = type.target != NULL ? NULL : "(anonymous)";
    return type;
}

WsSourceTypes *ws_source_types_new(const WsVariableTable *table)
{
    WsSourceTypes *types = g_new0(WsSourceTypes, 1);

    types->table = table;
    types->made = g_ptr_array_new_with_free_func(g_free);
    types->types = g_new0(WsValueType, table->types->len);
    for (guint32 i = 0; i < table->types->len; i++)
        types->types[i] = make(types, ws_variable_table_type(table, i));
    /* What a struct is made of has a smaller number. */
    for (guint32 i = 0; i < table->types->len; i++)
        add_members(types, ws_variable_table_type(table, i), &types->types[i]);
    return types;
}

void ws_source_types_free(WsSourceTypes *types)
{
    if (types == NULL)
        return;
    g_ptr_array_unref(types->made);
    g_free(types->types);
    g_free(types);
}

const WsValueType *ws_source_types_at(const WsSourceTypes *types, guint32 number)
{
    return &types->types[number];
}

const WsValueType *ws_source_types_find(const WsSourceTypes *types, const char *name)
{
    for (guint32 i = 1; i < types->table->types->len; i++) {
        const WsValueType *type = &types->types[i];

        if (type->name != NULL && strcmp(type->name, name) == 0)
            return type;
    }
    return NULL;
}
