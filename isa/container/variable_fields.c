#include "isa/container/variable_fields.h"

/*
 * Each entry of an array is its name, if it has one, and its numbers; ENTRY lists these, so that
 * writing and reading are one table. A number has 4 bytes, or 8 where the member has.
 */
#define TYPE_FIELDS(FIELD)                                                                         \
    FIELD(kind)                                                                                    \
    FIELD(bytes) FIELD(target) FIELD(count) FIELD(is_signed) FIELD(first_member) FIELD(member_count)
#define MEMBER_FIELDS(FIELD)                                                                       \
    FIELD(type) FIELD(offset) FIELD(bit_offset) FIELD(bit_size) FIELD(value)
#define SCOPE_FIELDS(FIELD)                                                                        \
    FIELD(kind)                                                                                    \
    FIELD(parent)                                                                                  \
    FIELD(file)                                                                                    \
    FIELD(line)                                                                                    \
    FIELD(call_file) FIELD(call_line) FIELD(call_column) FIELD(first_range) FIELD(range_count)
#define RANGE_FIELDS(FIELD) FIELD(first) FIELD(count)
#define VARIABLE_FIELDS(FIELD)                                                                     \
    FIELD(kind)                                                                                    \
    FIELD(type) FIELD(scope) FIELD(file) FIELD(line) FIELD(first_place) FIELD(place_count)
#define PLACE_FIELDS(FIELD)                                                                        \
    FIELD(code.first) FIELD(code.count) FIELD(first_piece) FIELD(piece_count)
#define PIECE_FIELDS(FIELD) FIELD(kind) FIELD(bytes) FIELD(index) FIELD(negated) FIELD(value)

enum { NUMBER_BYTES = 4, NAME_BYTES = 4 };

#define WRITE_NUMBER(field) ws_write_number(out, (guint64)entry->field, sizeof entry->field);
#define READ_NUMBER(field)  entry->field = ws_read_number(reader, sizeof entry->field);
#define NO_NAME
#define WRITE_NAME ws_write_string(out, entry->name);
#define READ_NAME  entry->name = ws_read_name(reader);

/* LIST(array, type, fields, name): the functions that write and read one array. */
#define LIST(array, type, fields, write_name, read_name)                                           \
    static void write_##array(GByteArray *out, const GArray *array)                                \
    {                                                                                              \
        ws_write_u32(out, array->len);                                                             \
        for (guint32 i = 0; i < array->len; i++) {                                                 \
            const type *entry = &g_array_index(array, type, i);                                    \
            write_name fields(WRITE_NUMBER)                                                        \
        }                                                                                          \
    }                                                                                              \
    static void read_##array(WsFieldReader *reader, GArray *array)                                 \
    {                                                                                              \
        const guint32 count = ws_read_count(reader, 2 * NUMBER_BYTES);                             \
        g_array_set_size(array, 0);                                                                \
        for (guint32 i = 0; i < count && !reader->failed; i++) {                                   \
            type value = {0}, *entry = &value;                                                     \
            read_name fields(READ_NUMBER) g_array_append_val(array, value);                        \
        }                                                                                          \
    }

LIST(types, WsSourceType, TYPE_FIELDS, WRITE_NAME, READ_NAME)
LIST(members, WsSourceMember, MEMBER_FIELDS, WRITE_NAME, READ_NAME)
LIST(scopes, WsSourceScope, SCOPE_FIELDS, WRITE_NAME, READ_NAME)
LIST(ranges, WsCodeRange, RANGE_FIELDS, NO_NAME, NO_NAME)
LIST(variables, WsSourceVariable, VARIABLE_FIELDS, WRITE_NAME, READ_NAME)
LIST(places, WsVariablePlace, PLACE_FIELDS, NO_NAME, NO_NAME)
LIST(pieces, WsVariablePiece, PIECE_FIELDS, NO_NAME, NO_NAME)

#define ARRAYS(ARRAY)                                                                              \
    ARRAY(types)                                                                                   \
    ARRAY(members) ARRAY(scopes) ARRAY(ranges) ARRAY(variables) ARRAY(places) ARRAY(pieces)

enum { HAS_TABLE = 1, HAS_REASON = 2, IS_DEBUG = 4, ALL_FLAGS = 7 };

void ws_write_variables(GByteArray *out, const WsVariableTable *table)
{
    if (table == NULL) {
        ws_write_u32(out, 0);
        return;
    }
    ws_write_u32(out, HAS_TABLE | (table->reason != NULL ? HAS_REASON : 0) |
                          (table->debug ? IS_DEBUG : 0));
    ws_write_string(out, table->reason);
#define WRITE(array) write_##array(out, table->array);
    ARRAYS(WRITE)
#undef WRITE
}

WsVariableTable *ws_read_variables(WsFieldReader *reader, const WsVariableBounds *bounds)
{
    const guint32 flags = ws_read_u32(reader);
    if (flags > ALL_FLAGS || (flags != 0 && (flags & HAS_TABLE) == 0))
        ws_read_fail(reader, "the variables have unknown flags");
    if (flags == 0 || reader->failed)
        return NULL;
    g_autoptr(WsVariableTable) table = ws_variable_table_new();
    g_autofree char *reason = ws_read_string(reader);
    table->debug = (flags & IS_DEBUG) != 0;
    if ((flags & HAS_REASON) != 0)
        table->reason = g_steal_pointer(&reason);
#define READ(array) read_##array(reader, table->array);
    ARRAYS(READ)
#undef READ
    const char *fault = reader->failed ? NULL : ws_variable_table_fault(table, bounds);
    if (fault != NULL)
        ws_read_fail(reader, fault);
    return reader->failed ? NULL : g_steal_pointer(&table);
}
