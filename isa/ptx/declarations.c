/* Declarations of PTX: registers, variables with initialisers, parameters. */
#include "isa/base/float_bits.h"
#include "isa/ptx/parser.h"

#include <string.h>

static WsPtxScope *innermost(const WsPtxParser *parser)
{
    return g_ptr_array_index(parser->scopes, parser->scopes->len - 1);
}

/* ---- look-up ---- */

WsPtxVariable *ws_ptx_find_variable(const WsPtxParser *parser, const char *name)
{
    for (guint i = parser->scopes == NULL ? 0 : parser->scopes->len; i-- > 0;) {
        const WsPtxScope *scope = g_ptr_array_index(parser->scopes, i);
        WsPtxVariable *variable = g_hash_table_lookup(scope->variables, name);
        if (variable != NULL)
            return variable;
    }
    return g_hash_table_lookup(parser->module->variable_map, name);
}

/* Splits "%r12" into its prefix and 12; FALSE if it does not end in a plain number. */
static gboolean split_numbered(const char *name, char *prefix, gsize size, guint32 *number)
{
    gsize length = strlen(name);
    gsize digits = 0;
    while (digits < length && g_ascii_isdigit(name[length - 1 - digits]))
        digits++;
    if (digits == 0 || digits > 7 || length - digits >= size)
        return FALSE;
    const char *start = name + length - digits;
    if (digits > 1 && *start == '0')
        return FALSE;
    memcpy(prefix, name, length - digits);
    prefix[length - digits] = '\0';
    *number = (guint32)g_ascii_strtoull(start, NULL, 10);
    return TRUE;
}

gboolean ws_ptx_find_register(const WsPtxParser *parser, const char *name, guint32 *ret)
{
    char prefix[1100];
    guint32 number = 0;
    gboolean numbered = split_numbered(name, prefix, sizeof prefix, &number);
    for (guint i = parser->scopes->len; i-- > 0;) {
        const WsPtxScope *scope = g_ptr_array_index(parser->scopes, i);
        const WsPtxRegisterRange *range = g_hash_table_lookup(scope->registers, name);
        if (range != NULL) {
            *ret = range->first;
            return TRUE;
        }
        range = numbered ? g_hash_table_lookup(scope->ranges, prefix) : NULL;
        if (range != NULL && number < range->count) {
            *ret = range->first + number;
            return TRUE;
        }
    }
    return FALSE;
}

/* ---- registers ---- */

static gboolean take_type(WsPtxParser *parser, WsPtxType *ret)
{
    if (parser->token.kind == WS_PTX_TOKEN_DOTTED) {
        g_autofree char *text = g_strndup(parser->token.text, parser->token.length);
        *ret = ws_ptx_type_find(text);
        if (g_str_equal(text, "surfref") || g_str_equal(text, "samplerref"))
            *ret = WS_PTX_B64;
        if (*ret != WS_PTX_NONE)
            return ws_ptx_advance(parser);
    }
    return ws_ptx_fail(parser, &parser->token.position, "a type such as .u32 expected");
}

static gboolean add_registers(WsPtxParser *parser, GHashTable *table, const char *name,
                              WsPtxType type, guint32 count, guint32 *ret_first)
{
    GArray *registers = parser->function->registers;
    WsPosition position = parser->token.position;
    if (count > WS_PTX_MAX_REGISTERS - registers->len)
        return ws_ptx_fail(parser, &position, "more than %d registers in a function",
                           WS_PTX_MAX_REGISTERS);
    if (count > WS_PTX_MAX_ALL_REGISTERS - parser->register_count)
        return ws_ptx_fail(parser, &position, "more than %d registers in all functions",
                           WS_PTX_MAX_ALL_REGISTERS);
    parser->register_count += count;
    if (g_hash_table_contains(table, name))
        return ws_ptx_fail(parser, &position, "register '%s' is declared twice", name);
    WsPtxRegisterRange *range = g_new(WsPtxRegisterRange, 1);
    *range = (WsPtxRegisterRange){registers->len, count};
    g_hash_table_insert(table, (gpointer)name, range);
    guint8 value = (guint8)type;
    *ret_first = registers->len;
    g_array_set_size(registers, registers->len + count);
    if (count != 0) /* %r<0>: there may be no array yet */
        memset(&g_array_index(registers, guint8, *ret_first), value, count);
    return TRUE;
}

gboolean ws_ptx_parse_registers(WsPtxParser *parser)
{
    WsPtxType type = {0};
    if (!ws_ptx_advance(parser) || !take_type(parser, &type))
        return FALSE;
    gboolean comma = TRUE;
    while (comma) {
        const char *name;
        gboolean range = FALSE;
        guint32 first;
        if (!ws_ptx_take_name(parser, "a register name", &name) ||
            !ws_ptx_accept(parser, '<', &range))
            return FALSE;
        WsPtxScope *scope = innermost(parser);
        guint64 count = 1;
        if (range && (!ws_ptx_take_integer(parser, WS_PTX_MAX_REGISTERS, &count) ||
                      !ws_ptx_expect(parser, '>')))
            return FALSE;
        if (!add_registers(parser, range ? scope->ranges : scope->registers, name, type,
                           (guint32)count, &first) ||
            !ws_ptx_accept(parser, ',', &comma))
            return FALSE;
    }
    return ws_ptx_expect(parser, ';');
}

/* ---- initialisers ---- */

static void put(GByteArray *bytes, guint64 offset, guint64 value, guint size)
{
    for (guint i = 0; i < size && offset + i < bytes->len; i++)
        bytes->data[offset + i] = (guint8)(value >> (8 * i));
}

/* name, name+4, generic(name), generic(name)+4, 0xFF00(name): the value is known at layout. */
static gboolean parse_address(WsPtxParser *parser, WsPtxVariable *variable, guint64 offset,
                              guint size, guint shift)
{
    const char *name;
    gboolean paren = FALSE;
    WsPtxRelocation relocation = {.offset = offset, .bytes = (guint8)size, .shift = (guint8)shift};
    relocation.position = parser->token.position;
    if (!ws_ptx_take_name(parser, "a value or a variable", &name))
        return FALSE;
    if (strcmp(name, "generic") == 0) {
        relocation.generic = TRUE;
        if (!ws_ptx_expect(parser, '(') || !ws_ptx_take_name(parser, "a variable", &name))
            return FALSE;
        paren = TRUE;
    }
    guint64 addend = 0;
    if ((ws_ptx_is(parser, '+') || ws_ptx_is(parser, '-')) && !ws_ptx_take_offset(parser, &addend))
        return FALSE;
    if (paren && !ws_ptx_expect(parser, ')'))
        return FALSE;
    if ((ws_ptx_is(parser, '+') || ws_ptx_is(parser, '-')) && !ws_ptx_take_offset(parser, &addend))
        return FALSE;
    relocation.symbol = name;
    relocation.addend = (gint64)addend;
    if (variable->relocations == NULL)
        variable->relocations = g_array_new(FALSE, TRUE, sizeof(WsPtxRelocation));
    g_array_append_val(variable->relocations, relocation);
    return TRUE;
}

static gboolean parse_float(WsPtxParser *parser, WsPtxType type, guint64 *value)
{
    gboolean wide;
    WsPosition position = parser->token.position;
    if (!ws_ptx_take_float(parser, &wide, value))
        return FALSE;
    if (type == WS_PTX_F64)
        *value = wide ? *value : ws_double_bits(ws_float((guint32)*value));
    else if (type == WS_PTX_F32)
        *value = wide ? ws_float_bits((float)ws_double(*value)) : *value;
    else
        return ws_ptx_fail(parser, &position, "a whole number expected");
    return TRUE;
}

static gboolean parse_value(WsPtxParser *parser, WsPtxVariable *variable, guint64 offset,
                            guint size)
{
    guint64 value;
    if (parser->token.kind == WS_PTX_TOKEN_NAME && !ws_ptx_is_warp_size(parser))
        return parse_address(parser, variable, offset, size, 0);
    if (ws_ptx_is_float(parser) ? !parse_float(parser, variable->type, &value)
                                : !ws_ptx_take_constant(parser, &value))
        return FALSE;
    if (ws_ptx_is(parser, '(')) { /* a byte of an address */
        guint shift = 0;
        while (shift < 56 && ((value >> shift) & 0xff) == 0)
            shift += 8;
        return ws_ptx_advance(parser) && parse_address(parser, variable, offset, 1, shift) &&
               ws_ptx_expect(parser, ')');
    }
    put(variable->initial, offset, value, size);
    return TRUE;
}

/* { { 1, 2 }, 3 }: elements in order; inner braces of an array are taken as they come. */
static gboolean parse_initialiser(WsPtxParser *parser, WsPtxVariable *variable, guint element)
{
    parser->initial_bytes += variable->size; /* each at most 64 MiB */
    if (parser->initial_bytes > WS_PTX_MAX_INITIAL_BYTES)
        return ws_ptx_fail(parser, &variable->position,
                           "the initialised variables have more than %d MiB together",
                           WS_PTX_MAX_INITIAL_BYTES >> 20);
    variable->initial = g_byte_array_sized_new((guint)variable->size);
    g_byte_array_set_size(variable->initial, (guint)variable->size);
    if (variable->size != 0) /* an array of no elements */
        memset(variable->initial->data, 0, variable->initial->len);
    if (!ws_ptx_is(parser, '{'))
        return parse_value(parser, variable, 0, element);
    guint depth = 0;
    guint64 offset = 0;
    do {
        if (ws_ptx_is(parser, '{')) {
            if (++depth > 8)
                return ws_ptx_fail(parser, &parser->token.position, "too many braces");
            if (!ws_ptx_advance(parser))
                return FALSE;
            continue;
        }
        if (ws_ptx_is(parser, '}')) {
            depth--;
            if (!ws_ptx_advance(parser))
                return FALSE;
        } else {
            if (offset + element > variable->size)
                return ws_ptx_fail(parser, &parser->token.position, "more values than elements");
            if (!parse_value(parser, variable, offset, element))
                return FALSE;
            offset += element;
        }
        gboolean comma;
        if (depth > 0 && !ws_ptx_accept(parser, ',', &comma))
            return FALSE;
    } while (depth > 0);
    return TRUE;
}

/* ---- variables ---- */

static WsPtxSpace space_of(const WsPtxParser *parser)
{
    static const struct {
        const char *name;
        WsPtxSpace space;
    } spaces[] = {{"global", WS_PTX_SPACE_GLOBAL}, {"const", WS_PTX_SPACE_CONST},
                  {"shared", WS_PTX_SPACE_SHARED}, {"local", WS_PTX_SPACE_LOCAL},
                  {"param", WS_PTX_SPACE_PARAM},   {"reg", WS_PTX_SPACE_REG}};
    for (guint i = 0; i < G_N_ELEMENTS(spaces); i++)
        if (ws_ptx_is_dotted(parser, spaces[i].name))
            return spaces[i].space;
    return WS_PTX_SPACE_GENERIC;
}

/* .attribute(.managed): a variable that the host may reach too; the device sees no difference. */
static gboolean skip_managed(WsPtxParser *parser)
{
    if (!ws_ptx_advance(parser) || !ws_ptx_expect(parser, '('))
        return FALSE;
    if (!ws_ptx_is_dotted(parser, "managed"))
        return ws_ptx_fail(parser, &parser->token.position, "only .managed is supported here");
    return ws_ptx_advance(parser) && ws_ptx_expect(parser, ')');
}

/* .align 8, .v4, .ptr .global .align 4 (a hint) and the type, in any sensible order. */
static gboolean parse_attributes(WsPtxParser *parser, WsPtxVariable *variable, guint *vector)
{
    gboolean pointer = FALSE;
    *vector = 1;
    while (parser->token.kind == WS_PTX_TOKEN_DOTTED) {
        if (ws_ptx_is_dotted(parser, "align")) {
            guint64 align;
            WsPosition position = parser->token.position;
            if (!ws_ptx_advance(parser) || !ws_ptx_take_integer(parser, WS_PTX_MAX_ALIGN, &align))
                return FALSE;
            if (align == 0 || (align & (align - 1)) != 0)
                return ws_ptx_fail(parser, &position, "alignment must be a power of two");
            if (!pointer)
                variable->align = (guint32)align;
            continue;
        }
        if (ws_ptx_is_dotted(parser, "attribute")) {
            if (!skip_managed(parser))
                return FALSE;
            continue;
        }
        if (ws_ptx_is_dotted(parser, "v2") || ws_ptx_is_dotted(parser, "v4")) {
            *vector = parser->token.text[1] == '2' ? 2 : 4;
        } else if (ws_ptx_is_dotted(parser, "ptr")) {
            pointer = TRUE;
        } else if (!pointer || space_of(parser) == WS_PTX_SPACE_GENERIC) {
            if (!take_type(parser, &variable->type))
                return FALSE;
            continue;
        }
        if (!ws_ptx_advance(parser))
            return FALSE;
    }
    return TRUE;
}

static gboolean parse_dimensions(WsPtxParser *parser, WsPtxVariable *variable, guint element)
{
    guint64 size = element;
    gboolean open = FALSE;
    while (ws_ptx_is(parser, '[')) {
        guint64 dimension = 0;
        WsPosition position = parser->token.position;
        if (!ws_ptx_advance(parser))
            return FALSE;
        if (ws_ptx_is(parser, ']'))
            open = TRUE;
        else if (!ws_ptx_take_integer(parser, WS_PTX_MAX_BYTES, &dimension))
            return FALSE;
        if (!open && dimension != 0 && size > WS_PTX_MAX_BYTES / dimension)
            return ws_ptx_fail(parser, &position, "variable '%s' is over 64 MiB", variable->name);
        size *= open ? 1 : dimension;
        if (!ws_ptx_expect(parser, ']'))
            return FALSE;
    }
    variable->size = open ? 0 : size;
    return TRUE;
}

static WsPtxVariable *new_variable(WsPtxParser *parser, WsPtxSpace space)
{
    WsPtxVariable *variable = g_new0(WsPtxVariable, 1);
    variable->space = space;
    variable->serial = parser->variable_count++;
    variable->position = parser->token.position;
    gboolean automatic =
        parser->function != NULL &&
        (space == WS_PTX_SPACE_LOCAL || space == WS_PTX_SPACE_PARAM || space == WS_PTX_SPACE_REG);
    g_ptr_array_add(automatic ? parser->function->variables : parser->module->variables, variable);
    return variable;
}

static gboolean check_variable_count(WsPtxParser *parser)
{
    return parser->variable_count < WS_PTX_MAX_VARIABLES ||
           ws_ptx_fail(parser, &parser->token.position, "more than %d variables",
                       WS_PTX_MAX_VARIABLES);
}

/* A later definition of the same name wins over an extern declaration. */
static gboolean bind_variable(WsPtxParser *parser, WsPtxVariable *variable)
{
    GHashTable *table =
        parser->function == NULL ? parser->module->variable_map : innermost(parser)->variables;
    const WsPtxVariable *old = g_hash_table_lookup(table, variable->name);
    if (old != NULL && !old->is_extern && !variable->is_extern)
        return ws_ptx_fail(parser, &variable->position, "variable '%s' is declared twice",
                           variable->name);
    if (old == NULL || old->is_extern)
        g_hash_table_insert(table, (gpointer)variable->name, variable);
    return TRUE;
}

static gboolean parse_one_variable(WsPtxParser *parser, const WsPtxVariable *pattern, guint vector)
{
    if (!check_variable_count(parser))
        return FALSE;
    /* The program reads the handle of a reference and cannot change it. */
    gboolean is_reference = pattern->type == WS_PTX_TEXREF && pattern->space == WS_PTX_SPACE_GLOBAL;
    WsPtxVariable *variable =
        new_variable(parser, is_reference ? WS_PTX_SPACE_CONST : pattern->space);
    variable->type = pattern->type;
    variable->is_extern = pattern->is_extern;
    variable->is_visible = pattern->is_visible;
    guint element = ws_ptx_type_bits(variable->type) / 8;
    if (!ws_ptx_take_name(parser, "a variable name", &variable->name))
        return FALSE;
    if (element == 0)
        return ws_ptx_fail(parser, &variable->position, "variable '%s' needs a type in memory",
                           variable->name);
    variable->align = MAX(pattern->align, vector * element);
    gboolean initialised;
    if (!parse_dimensions(parser, variable, element * vector) || !bind_variable(parser, variable) ||
        !ws_ptx_accept(parser, '=', &initialised))
        return FALSE;
    if (variable->align > WS_PTX_MAX_ALIGN || (variable->align & (variable->align - 1)) != 0)
        return ws_ptx_fail(parser, &variable->position, "alignment of '%s' is not supported",
                           variable->name);
    if (!initialised)
        return TRUE;
    if (variable->space != WS_PTX_SPACE_GLOBAL && variable->space != WS_PTX_SPACE_CONST)
        return ws_ptx_fail(parser, &variable->position,
                           "only .global and .const variables can be initialised");
    return parse_initialiser(parser, variable, element);
}

gboolean ws_ptx_parse_variable(WsPtxParser *parser, gboolean is_extern, gboolean is_visible)
{
    WsPtxVariable pattern = {
        .space = space_of(parser), .is_extern = is_extern, .is_visible = is_visible};
    guint vector;
    gboolean comma = TRUE;
    if (!ws_ptx_advance(parser) || !parse_attributes(parser, &pattern, &vector))
        return FALSE;
    while (comma)
        if (!parse_one_variable(parser, &pattern, vector) || !ws_ptx_accept(parser, ',', &comma))
            return FALSE;
    return ws_ptx_expect(parser, ';');
}

gboolean ws_ptx_parse_parameter(WsPtxParser *parser, GPtrArray *list)
{
    WsPtxSpace space = space_of(parser);
    if (space != WS_PTX_SPACE_PARAM && space != WS_PTX_SPACE_REG)
        return ws_ptx_fail(parser, &parser->token.position, ".param or .reg expected");
    if (!check_variable_count(parser) || !ws_ptx_advance(parser))
        return FALSE;
    WsPtxVariable *variable = new_variable(parser, space);
    g_ptr_array_add(list, variable);
    guint vector;
    if (!parse_attributes(parser, variable, &vector))
        return FALSE;
    variable->position = parser->token.position;
    if (!ws_ptx_take_name(parser, "a parameter name", &variable->name))
        return FALSE;
    guint element = ws_ptx_type_bits(variable->type) / 8 * vector;
    if (space == WS_PTX_SPACE_REG) {
        variable->size = element;
        return add_registers(parser, innermost(parser)->registers, variable->name, variable->type,
                             1, &variable->reg);
    }
    if (element == 0)
        return ws_ptx_fail(parser, &variable->position, "parameter '%s' needs a type in memory",
                           variable->name);
    variable->align = MAX(variable->align, element);
    return parse_dimensions(parser, variable, element) && bind_variable(parser, variable);
}
