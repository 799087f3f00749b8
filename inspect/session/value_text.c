#include "inspect/session/value_text.h"

#include <string.h>

#include "isa/base/float_bits.h"
#include "isa/base/half_float.h"
#include "sim/base/element.h"

enum { MOST_ELEMENTS = 64, MOST_DEPTH = 8, FOLD_FROM = 4 };

gboolean ws_value_form_by_letter(char letter, WsValueForm *ret)
{
    static const char letters[] = " duxtfc";
    const char *at = letter == '\0' || letter == ' ' ? NULL : strchr(letters, letter);

    if (at != NULL)
        *ret = (WsValueForm)(at - letters);
    return at != NULL;
}

/* ---- scalars ------------------------------------------------------------------------------------
 */

/* The bits as they are kept, of a value that rows have as a double. */
guint64 ws_scalar_kept_bits(const WsValueType *type, guint64 bits)
{
    guint64 mask = type->size >= 8 ? G_MAXUINT64 : ((guint64)1 << 8 * type->size) - 1;
    guint8 bytes[8] = {0};

    if (!ws_value_type_is_float(type))
        return bits & mask;
    ws_element_store_double(type->kind == WS_CTYPE_BRAIN ? WS_TYPE_BF16
                            : type->size == 2            ? WS_TYPE_F16
                            : type->size == 4            ? WS_TYPE_F32
                                                         : WS_TYPE_F64,
                            ws_double(bits), bytes);
    memcpy(&bits, bytes, sizeof bits);
    return GUINT64_FROM_LE(bits);
}

/* With as few digits as tell the value from its neighbours, and six at least where that rounds. */
static char *float_text(const WsValueType *type, guint64 kept)
{
    enum { LEAST_DIGITS = 6, MOST_DIGITS = 17 };
    gboolean brain = type->kind == WS_CTYPE_BRAIN;
    double value = brain             ? ws_bfloat_to_double((guint16)kept)
                   : type->size == 2 ? ws_half_to_double((guint16)kept)
                   : type->size == 4 ? (double)ws_float((guint32)kept)
                                     : ws_double(kept);
    char text[G_ASCII_DTOSTR_BUF_SIZE], format[] = "%.00g";

    for (guint digits = LEAST_DIGITS; digits <= MOST_DIGITS; digits++) {
        format[2] = (char)('0' + digits / 10);
        format[3] = (char)('0' + digits % 10);
        g_ascii_formatd(text, sizeof text, format, value);
        if (ws_scalar_kept_bits(type, ws_double_bits(g_ascii_strtod(text, NULL))) == kept)
            break;
    }
    return g_strdup(text);
}

static char *binary_text(guint64 bits)
{
    GString *text = g_string_new(NULL);

    for (gint bit = bits == 0 ? 0 : 63 - __builtin_clzll(bits); bit >= 0; bit--)
        g_string_append_c(text, bits >> bit & 1 ? '1' : '0');
    return g_string_free(text, FALSE);
}

static char *pointer_text(const WsLaneScope *scope, const WsValueType *type, guint64 bits)
{
    g_autofree char *name =
        scope == NULL ? g_strdup("")
                      : ws_lane_scope_address_name(scope, bits, (guint32)type->target->size);

    return g_strdup_printf(
        *name != '\0' ? "0x%" G_GINT64_MODIFIER "x <%s>" : "0x%" G_GINT64_MODIFIER "x", bits, name);
}

static char *character_text(guint64 bits, gboolean is_signed)
{
    gint number = is_signed ? (gint)(gint8)bits : (gint)(guint8)bits;

    return g_ascii_isprint((char)bits) && (bits & 0x80) == 0
               ? g_strdup_printf("%d '%c'", number, (char)bits)
               : g_strdup_printf("%d", number);
}

static char *natural_text(const WsLaneScope *scope, const WsValueType *type, guint64 bits)
{
    switch (type->kind) {
    case WS_CTYPE_BOOL:
        return g_strdup(bits != 0 ? "true" : "false");
    case WS_CTYPE_FLOAT:
    case WS_CTYPE_BRAIN:
        return float_text(type, ws_scalar_kept_bits(type, bits));
    case WS_CTYPE_POINTER:
        return pointer_text(scope, type, bits);
    case WS_CTYPE_ENUM:
        for (guint i = 0; i < type->member_count; i++)
            if (type->members[i].offset == (gint64)bits)
                return g_strdup(type->members[i].name);
        break;
    default:
        if (type->size == 1)
            return character_text(bits, type->kind == WS_CTYPE_SIGNED);
        break;
    }
    return type->kind == WS_CTYPE_UNSIGNED ? g_strdup_printf("%" G_GUINT64_FORMAT, bits)
                                           : g_strdup_printf("%" G_GINT64_FORMAT, (gint64)bits);
}

char *ws_scalar_text(const WsLaneScope *scope, const WsValueType *type, guint64 bits,
                     WsValueForm form)
{
    guint64 kept = ws_scalar_kept_bits(type, bits);
    guint away = 64 - 8 * (guint)MIN(type->size, 8);

    switch (form) {
    case WS_FORM_DECIMAL:
        return g_strdup_printf("%" G_GINT64_FORMAT, (gint64)(kept << away) >> away);
    case WS_FORM_UNSIGNED:
        return g_strdup_printf("%" G_GUINT64_FORMAT, kept);
    case WS_FORM_HEXADECIMAL:
        return g_strdup_printf("0x%" G_GINT64_MODIFIER "x", kept);
    case WS_FORM_BINARY:
        return binary_text(kept);
    case WS_FORM_CHARACTER:
        return character_text(kept, type->kind == WS_CTYPE_SIGNED);
    case WS_FORM_FLOAT:
        if (type->size >= 2)
            return float_text(type, kept);
        break;
    case WS_FORM_NATURAL:
        break;
    }
    return natural_text(scope, type, bits);
}

/* ---- arrays and structs -------------------------------------------------------------------------
 */

typedef struct {
    const WsLaneScope *scope;
    const WsLanePlace *place;
    const WsObject *object;
    guint lane;
    WsValueForm form;
} Teller;

static char *part_text(const Teller *teller, const WsValueType *type, guint64 offset, guint depth);

static char *loaded_text(const Teller *teller, const WsValueType *type, guint64 offset)
{
    WsRow at, row;

    ws_row_set_same(&at, offset);
    ws_typed_load(ws_lane_scope_of(teller->scope), teller->place, teller->object, type, &at,
                  (guint64)1 << teller->lane, &row);
    if (!ws_row_is_known(&row, teller->lane))
        return g_strdup(ws_unknown_text(row.why[ws_row_lane(&row, teller->lane)]));
    return ws_scalar_text(teller->scope, type, row.bits[ws_row_lane(&row, teller->lane)],
                          teller->form);
}

static void append_run(GString *text, const char *part, guint64 times)
{
    if (times >= FOLD_FROM) {
        g_string_append_printf(text, "%s%s <%" G_GUINT64_FORMAT " times>",
                               text->len > 1 ? ", " : "", part, times);
        return;
    }
    for (guint64 i = 0; i < times; i++)
        g_string_append_printf(text, "%s%s", text->len > 1 ? ", " : "", part);
}

static char *array_text(const Teller *teller, const WsValueType *type, guint64 offset, guint depth)
{
    guint64 shown = MIN(type->count, MOST_ELEMENTS), run = 0;
    GString *text = g_string_new("{");
    g_autofree char *before = NULL;

    for (guint64 i = 0; i < shown; i++) {
        g_autofree char *part =
            part_text(teller, type->target, offset + i * type->target->size, depth + 1);

        if (before != NULL && strcmp(before, part) != 0) {
            append_run(text, before, run);
            run = 0;
        }
        run++;
        g_free(before);
        before = g_steal_pointer(&part);
    }
    if (before != NULL)
        append_run(text, before, run);
    g_string_append(text, shown < type->count ? ", ...}" : "}");
    return g_string_free(text, FALSE);
}

static char *struct_text(const Teller *teller, const WsValueType *type, guint64 offset, guint depth)
{
    GString *text = g_string_new("{");

    for (guint i = 0; i < type->member_count; i++) {
        const WsValueMember *member = &type->members[i];
        g_autofree char *part =
            part_text(teller, member->type, offset + (guint64)member->offset, depth + 1);

        g_string_append_printf(text, "%s%s = %s", i == 0 ? "" : ", ", member->name, part);
    }
    g_string_append_c(text, '}');
    return g_string_free(text, FALSE);
}

/* A reference is what it leads to. */
static char *reference_text(const Teller *teller, const WsValueType *type, guint64 offset,
                            guint depth)
{
    Teller target = *teller;
    WsRow at, row;

    ws_row_set_same(&at, offset);
    ws_typed_load(ws_lane_scope_of(teller->scope), teller->place, teller->object, type, &at,
                  (guint64)1 << teller->lane, &row);
    if (!ws_row_is_known(&row, teller->lane))
        return g_strdup(ws_unknown_text((WsUnknown)row.why[ws_row_lane(&row, teller->lane)]));
    target.object = NULL;
    return part_text(&target, type->target, row.bits[ws_row_lane(&row, teller->lane)], depth + 1);
}

static char *part_text(const Teller *teller, const WsValueType *type, guint64 offset, guint depth)
{
    if (depth > MOST_DEPTH)
        return g_strdup("{...}");
    if (type->is_reference)
        return reference_text(teller, type, offset, depth);
    if (type->kind == WS_CTYPE_ARRAY)
        return array_text(teller, type, offset, depth);
    if (type->kind == WS_CTYPE_STRUCT)
        return struct_text(teller, type, offset, depth);
    if (type->kind == WS_CTYPE_VOID)
        return g_strdup("<void>");
    return loaded_text(teller, type, offset);
}

char *ws_object_text(const WsLaneScope *scope, const WsLanePlace *place, const WsObject *object,
                     const WsValueType *type, guint64 offset, guint lane, WsValueForm form)
{
    const Teller teller = {scope, place, object, lane, form};

    return part_text(&teller, type, offset, 0);
}

/* ---- expressions --------------------------------------------------------------------------------
 */

/* Registers are numbers of no type in particular: both forms are of use. */
static char *raw_text(const WsValueType *type, guint64 bits)
{
    gint64 value = (gint64)bits;

    if (ws_value_type_is_float(type))
        return float_text(type, ws_scalar_kept_bits(type, bits));
    if (value >= -9 && value <= 9)
        return g_strdup_printf("%" G_GINT64_FORMAT, value);
    return g_strdup_printf("%" G_GINT64_FORMAT " (0x%" G_GINT64_MODIFIER "x)", value, value);
}

char *ws_value_text(const WsLaneScope *scope, const WsLanePlace *place, const WsTyped *typed,
                    const WsRow *row, guint lane, WsValueForm form)
{
    const WsValueType *type = ws_typed_type(typed);
    const WsObject *object = ws_typed_object(typed);
    const Teller teller = {scope, place, object, lane, form};
    guint at = ws_row_lane(row, lane);
    gboolean raw = ws_typed_is_place(typed) && object != NULL && object->kind < WS_OBJECT_KINDS &&
                   object->kind != WS_OBJECT_PLACE;

    if (!ws_row_is_known(row, lane))
        return g_strdup(ws_unknown_text(row->why[at]));
    if (!ws_value_type_is_scalar(type))
        return part_text(&teller, type, row->bits[at], 0);
    if (raw && form == WS_FORM_NATURAL)
        return raw_text(type, row->bits[at]);
    return ws_scalar_text(scope, type, row->bits[at], form);
}
