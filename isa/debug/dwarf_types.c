#include "isa/debug/dwarf_types.h"

#include "isa/base/escape.h"

#include <dwarf.h>

enum {
    MAX_DEPTH = 64,        /* of types in each other */
    MAX_TYPES = 1 << 16,   /* of a program */
    MAX_MEMBERS = 1 << 18, /* likewise */
    MAX_STEPS = 1 << 22,   /* from entry to entry, likewise: a list may be in many others */
    MAX_NAME_BYTES = 1 << 10
};

/* ---- attributes -------------------------------------------------------------------------------
 */

char *ws_dwarf_name(Dwarf_Die *entry)
{
    Dwarf_Attribute attribute;
    const char *name = dwarf_attr_integrate(entry, DW_AT_name, &attribute) != NULL
                           ? dwarf_formstring(&attribute)
                           : NULL;
    return name == NULL ? g_strdup("") : ws_escape_controls(name, -1, "");
}

guint64 ws_dwarf_number(Dwarf_Die *entry, guint attribute, guint64 otherwise)
{
    Dwarf_Attribute found;
    Dwarf_Word value;
    if (dwarf_attr_integrate(entry, attribute, &found) == NULL ||
        dwarf_formudata(&found, &value) != 0)
        return otherwise;
    return value;
}

gboolean ws_dwarf_next(WsDwarfTypes *types, Dwarf_Die *entry)
{
    Dwarf_Die next;
    if (types->steps++ >= MAX_STEPS || dwarf_siblingof(entry, &next) != 0 ||
        dwarf_dieoffset(&next) <= dwarf_dieoffset(entry))
        return FALSE;
    *entry = next;
    return TRUE;
}

static gboolean target_of(Dwarf_Die *entry, Dwarf_Die *ret)
{
    Dwarf_Attribute attribute;
    return dwarf_attr_integrate(entry, DW_AT_type, &attribute) != NULL &&
           dwarf_formref_die(&attribute, ret) != NULL;
}

/* ---- arrays -----------------------------------------------------------------------------------
 */

/* The numbers of elements, the outermost first; 0 = not known. guint64. */
static GArray *dimensions_of(WsDwarfTypes *types, Dwarf_Die *array)
{
    GArray *list = g_array_new(FALSE, FALSE, sizeof(guint64));
    Dwarf_Die entry;
    gboolean more = dwarf_child(array, &entry) == 0;
    for (; more && list->len < MAX_DEPTH; more = ws_dwarf_next(types, &entry)) {
        if (dwarf_tag(&entry) != DW_TAG_subrange_type)
            continue;
        guint64 last = ws_dwarf_number(&entry, DW_AT_upper_bound, G_MAXUINT64);
        guint64 count = ws_dwarf_number(&entry, DW_AT_count, last + 1);
        if (count > G_MAXUINT32) /* -1 + 1 too: int x[0] */
            count = 0;
        g_array_append_val(list, count);
    }
    return list;
}

static void append_dimensions(WsDwarfTypes *types, GString *out, Dwarf_Die *array)
{
    g_autoptr(GArray) list = dimensions_of(types, array);
    for (guint i = 0; i < list->len; i++) {
        guint64 count = g_array_index(list, guint64, i);
        if (count == 0)
            g_string_append(out, "[]");
        else
            g_string_append_printf(out, "[%" G_GUINT64_FORMAT "]", count);
    }
}

/* ---- names ------------------------------------------------------------------------------------
 */

static gboolean is_pointer(Dwarf_Die *entry)
{
    guint tag = (guint)dwarf_tag(entry);
    return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
           tag == DW_TAG_rvalue_reference_type;
}

/* The name as in a declaration without the variable: "const float *", "int[4][2]". */
static void append_type_name(WsDwarfTypes *types, GString *out, Dwarf_Die *entry, guint depth)
{
    Dwarf_Die target;
    gboolean has_target = depth < MAX_DEPTH && target_of(entry, &target);
    guint tag = (guint)dwarf_tag(entry);
    if (out->len > MAX_NAME_BYTES)
        return;
    if (is_pointer(entry)) {
        if (has_target)
            append_type_name(types, out, &target, depth + 1);
        else
            g_string_append(out, "void");
        g_string_append(out, tag == DW_TAG_pointer_type     ? " *"
                             : tag == DW_TAG_reference_type ? " &"
                                                            : " &&");
    } else if (tag == DW_TAG_const_type || tag == DW_TAG_volatile_type) {
        const char *word = tag == DW_TAG_const_type ? "const" : "volatile";
        gboolean behind = has_target && is_pointer(&target);
        if (!behind)
            g_string_append_printf(out, "%s ", word);
        if (has_target)
            append_type_name(types, out, &target, depth + 1);
        else
            g_string_append(out, "void");
        if (behind)
            g_string_append(out, word);
    } else if (tag == DW_TAG_array_type) {
        if (has_target)
            append_type_name(types, out, &target, depth + 1);
        append_dimensions(types, out, entry);
    } else if (tag == DW_TAG_restrict_type && has_target) {
        append_type_name(types, out, &target, depth + 1);
    } else if (tag == DW_TAG_subroutine_type) {
        g_string_append(out, "function");
    } else {
        g_autofree char *name = ws_dwarf_name(entry);
        g_string_append(out, *name != '\0' ? name : "(unnamed)");
    }
}

static char *type_name(WsDwarfTypes *types, Dwarf_Die *entry)
{
    GString *out = g_string_new(NULL);
    append_type_name(types, out, entry, 0);
    return g_string_free(out, FALSE);
}

/* ---- types ------------------------------------------------------------------------------------
 */

static guint32 type_at(WsDwarfTypes *types, Dwarf_Die *entry, guint depth);

/* Takes the name of `type`. */
static guint32 add(WsDwarfTypes *types, const WsSourceType *type)
{
    const Dwarf_Off none = 0;
    g_array_append_val(types->table->types, *type);
    g_array_append_val(types->targets, none);
    return types->table->types->len - 1;
}

static const WsSourceType *get(const WsDwarfTypes *types, guint32 type)
{
    return ws_variable_table_type(types->table, type);
}

static guint32 add_base(WsDwarfTypes *types, Dwarf_Die *entry)
{
    static const struct {
        guint encoding;
        WsValueKind kind;
        gboolean is_signed;
    } rows[] = {
        {DW_ATE_signed, WS_VALUE_SIGNED, TRUE},    {DW_ATE_unsigned, WS_VALUE_UNSIGNED, FALSE},
        {DW_ATE_float, WS_VALUE_FLOAT, TRUE},      {DW_ATE_boolean, WS_VALUE_BOOL, FALSE},
        {DW_ATE_signed_char, WS_VALUE_CHAR, TRUE}, {DW_ATE_unsigned_char, WS_VALUE_CHAR, FALSE},
        {DW_ATE_UTF, WS_VALUE_UNSIGNED, FALSE}};
    WsSourceType type = {.kind = WS_VALUE_VOID, .name = type_name(types, entry)};
    guint64 encoding = ws_dwarf_number(entry, DW_AT_encoding, 0);
    guint64 bytes = ws_dwarf_number(entry, DW_AT_byte_size, 0);
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
        if (rows[i].encoding == encoding) {
            type.kind = rows[i].kind;
            type.is_signed = rows[i].is_signed;
        }
    if (bytes == 0 || bytes > sizeof(guint64) || (bytes & (bytes - 1)) != 0 ||
        (type.kind == WS_VALUE_FLOAT && bytes == 1))
        type.kind = WS_VALUE_VOID;
    type.bytes = bytes <= 2 * sizeof(guint64) ? bytes : 0;
    return add(types, &type);
}

static guint32 add_pointer(WsDwarfTypes *types, Dwarf_Die *entry)
{
    enum { POINTER_BYTES = 8 };
    Dwarf_Die target;
    gboolean is_reference = dwarf_tag(entry) != DW_TAG_pointer_type;
    const WsSourceType type = {.kind = is_reference ? WS_VALUE_REFERENCE : WS_VALUE_POINTER,
                               .name = type_name(types, entry),
                               .bytes = POINTER_BYTES};
    guint32 number = add(types, &type);
    if (target_of(entry, &target))
        g_array_index(types->targets, Dwarf_Off, number) = dwarf_dieoffset(&target);
    return number;
}

/* typedef, const and the like: what they stand for under their own name. */
static guint32 add_alias(WsDwarfTypes *types, Dwarf_Die *entry, guint depth)
{
    Dwarf_Die target;
    guint32 meant = target_of(entry, &target) ? type_at(types, &target, depth + 1) : WS_NO_TYPE;
    WsSourceType type = *get(types, meant);
    type.name = type_name(types, entry);
    guint32 number = add(types, &type);
    g_array_index(types->targets, Dwarf_Off, number) =
        g_array_index(types->targets, Dwarf_Off, meant);
    return number;
}

static guint32 add_array(WsDwarfTypes *types, Dwarf_Die *entry, guint depth)
{
    Dwarf_Die target;
    guint32 element = target_of(entry, &target) ? type_at(types, &target, depth + 1) : WS_NO_TYPE;
    g_autoptr(GArray) list = dimensions_of(types, entry);
    for (guint i = list->len; i-- > 0;) {
        WsSourceType type = {
            .kind = WS_VALUE_ARRAY, .target = element, .count = g_array_index(list, guint64, i)};
        guint64 bytes = get(types, element)->bytes;
        type.bytes = type.count <= G_MAXUINT32 / MAX(bytes, 1) ? type.count * bytes : 0;
        g_autoptr(GString) name = g_string_new(NULL);
        if (element == WS_NO_TYPE || !target_of(entry, &target))
            g_string_append(name, "(unnamed)");
        else
            append_type_name(types, name, &target, depth + 1);
        for (guint d = i; d < list->len; d++) {
            guint64 count = g_array_index(list, guint64, d);
            g_string_append_printf(name, count == 0 ? "[]" : "[%" G_GUINT64_FORMAT "]", count);
        }
        type.name = g_strdup(name->str);
        element = add(types, &type);
    }
    return element;
}

/* ---- structs and enums ------------------------------------------------------------------------
 */

static guint64 offset_of_member(Dwarf_Die *entry)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *operations;
    size_t count;
    Dwarf_Word value;
    if (dwarf_attr(entry, DW_AT_data_member_location, &attribute) == NULL)
        return 0;
    if (dwarf_formudata(&attribute, &value) == 0)
        return value;
    gboolean is_sum = dwarf_getlocation(&attribute, &operations, &count) == 0 && count == 1 &&
                      operations[0].atom == DW_OP_plus_uconst;
    return is_sum ? operations[0].number : G_MAXUINT64;
}

/* The bits of a bit field, counted from the least significant one. */
static void set_bits(WsSourceMember *member, Dwarf_Die *entry)
{
    enum { BITS = 8 };
    guint64 size = ws_dwarf_number(entry, DW_AT_bit_size, 0);
    guint64 storage = ws_dwarf_number(entry, DW_AT_byte_size, 0) * BITS;
    guint64 from_top = ws_dwarf_number(entry, DW_AT_bit_offset, 0);
    guint64 at = ws_dwarf_number(entry, DW_AT_data_bit_offset, G_MAXUINT64);
    if (size == 0)
        return;
    if (at == G_MAXUINT64)
        at = from_top + size <= storage ? storage - from_top - size : 0;
    member->offset += at / (sizeof(guint64) * BITS) * sizeof(guint64);
    member->bit_offset = (guint32)(at % (sizeof(guint64) * BITS));
    member->bit_size = (guint32)MIN(size, sizeof(guint64) * BITS);
}

/* A member that lies in the object, within its size; FALSE if it is none. */
static gboolean read_member(WsDwarfTypes *types, Dwarf_Die *entry, guint64 bytes, guint depth,
                            WsSourceMember *ret)
{
    guint tag = (guint)dwarf_tag(entry);
    if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
        ws_dwarf_number(entry, DW_AT_declaration, 0) != 0)
        return FALSE;
    Dwarf_Die target;
    *ret = (WsSourceMember){.offset = offset_of_member(entry)};
    ret->type = target_of(entry, &target) ? type_at(types, &target, depth + 1) : WS_NO_TYPE;
    set_bits(ret, entry);
    if (ret->offset > bytes || get(types, ret->type)->bytes > bytes - ret->offset)
        return FALSE;
    ret->name = tag == DW_TAG_member ? ws_dwarf_name(entry) : g_strdup("");
    return TRUE;
}

static gboolean read_enumerator(Dwarf_Die *entry, WsSourceMember *ret)
{
    Dwarf_Attribute attribute;
    Dwarf_Sword value;
    if (dwarf_tag(entry) != DW_TAG_enumerator ||
        dwarf_attr(entry, DW_AT_const_value, &attribute) == NULL ||
        dwarf_formsdata(&attribute, &value) != 0)
        return FALSE;
    *ret = (WsSourceMember){.name = ws_dwarf_name(entry), .value = value};
    return TRUE;
}

static guint32 add_with_members(WsDwarfTypes *types, Dwarf_Die *entry, WsValueKind kind,
                                guint depth)
{
    enum { MAX_VALUE_BYTES = 1 << 24 };
    WsSourceType type = {.kind = kind, .name = type_name(types, entry)};
    g_autoptr(GArray) members = g_array_new(FALSE, FALSE, sizeof(WsSourceMember));
    Dwarf_Die child, target;
    type.bytes = ws_dwarf_number(entry, DW_AT_byte_size, 0);
    if (type.bytes > MAX_VALUE_BYTES)
        type.bytes = 0;
    gboolean more = dwarf_child(entry, &child) == 0;
    for (; more && members->len < MAX_MEMBERS; more = ws_dwarf_next(types, &child)) {
        WsSourceMember member;
        if (kind == WS_VALUE_ENUM ? read_enumerator(&child, &member)
                                  : read_member(types, &child, type.bytes, depth, &member))
            g_array_append_val(members, member);
    }
    if (kind == WS_VALUE_ENUM) {
        type.target = target_of(entry, &target) ? type_at(types, &target, depth + 1) : WS_NO_TYPE;
        type.is_signed = get(types, type.target)->is_signed;
        for (guint m = 0; m < members->len; m++)
            type.is_signed |= g_array_index(members, WsSourceMember, m).value < 0;
    }
    type.first_member = types->table->members->len;
    type.member_count = members->len;
    g_array_append_vals(types->table->members, members->data, members->len);
    return add(types, &type);
}

static guint32 make(WsDwarfTypes *types, Dwarf_Die *entry, guint depth)
{
    switch (dwarf_tag(entry)) {
    case DW_TAG_base_type:
        return add_base(types, entry);
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
        return add_pointer(types, entry);
    case DW_TAG_typedef:
    case DW_TAG_const_type:
    case DW_TAG_volatile_type:
    case DW_TAG_restrict_type:
        return add_alias(types, entry, depth);
    case DW_TAG_array_type:
        return add_array(types, entry, depth);
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
        return add_with_members(types, entry, WS_VALUE_STRUCT, depth);
    case DW_TAG_union_type:
        return add_with_members(types, entry, WS_VALUE_UNION, depth);
    case DW_TAG_enumeration_type:
        return add_with_members(types, entry, WS_VALUE_ENUM, depth);
    default:
        return add(types, &(WsSourceType){.kind = WS_VALUE_VOID, .name = type_name(types, entry)});
    }
}

/* A type that is met again while it is made would hold itself: it is void there. */
static guint32 type_at(WsDwarfTypes *types, Dwarf_Die *entry, guint depth)
{
    gpointer known;
    const gint64 offset = (gint64)dwarf_dieoffset(entry);
    if (g_hash_table_lookup_extended(types->known, &offset, NULL, &known))
        return MAX(GPOINTER_TO_UINT(known), 1) - 1;
    if (depth >= MAX_DEPTH || types->table->types->len >= MAX_TYPES ||
        types->table->members->len >= MAX_MEMBERS)
        return WS_NO_TYPE;
    g_hash_table_insert(types->known, g_memdup2(&offset, sizeof offset), NULL);
    guint32 number = make(types, entry, depth);
    g_hash_table_insert(types->known, g_memdup2(&offset, sizeof offset),
                        GUINT_TO_POINTER(number + 1));
    return number;
}

guint32 ws_dwarf_type_of(WsDwarfTypes *types, Dwarf_Die *entry)
{
    Dwarf_Die target;
    return target_of(entry, &target) ? type_at(types, &target, 0) : WS_NO_TYPE;
}

void ws_dwarf_types_finish(WsDwarfTypes *types)
{
    for (guint32 t = 0; t < types->targets->len; t++) {
        const Dwarf_Off offset = g_array_index(types->targets, Dwarf_Off, t);
        Dwarf_Die target;
        if (offset == 0 || dwarf_offdie(types->dwarf, offset, &target) == NULL)
            continue;
        guint32 number = type_at(types, &target, 0);
        g_array_index(types->table->types, WsSourceType, t).target = number;
    }
}

void ws_dwarf_types_init(WsDwarfTypes *ret, Dwarf *dwarf, WsVariableTable *table)
{
    *ret = (WsDwarfTypes){.dwarf = dwarf, .table = table};
    ret->known = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    ret->targets = g_array_new(FALSE, TRUE, sizeof(Dwarf_Off));
    g_array_set_size(ret->targets, table->types->len);
}

void ws_dwarf_types_clear(WsDwarfTypes *types)
{
    g_hash_table_unref(types->known);
    g_array_unref(types->targets);
}
