#include "isa/debug/dwarf_entries.h"

#include "isa/debug/dwarf_image.h"
#include "isa/debug/dwarf_locations.h"
#include "isa/debug/dwarf_types.h"

#include <dwarf.h>

enum {
    MAX_DEPTH = 64,         /* of scopes in each other */
    MAX_SCOPES = 1 << 16,   /* of a program */
    MAX_RANGES = 1 << 18,   /* likewise */
    MAX_VARIABLES = 1 << 17 /* likewise */
};

typedef struct {
    const WsDebugText *text;
    WsDwarfTypes types;
    WsDebugEntries *out;
    guint32 parameter_scope, parameter_count; /* of the scope whose parameter was last */
} Reader;

/* ---- scopes -----------------------------------------------------------------------------------
 */

static guint32 line_of(guint64 address)
{
    return (guint32)MIN(address, G_MAXUINT32);
}

/* The ranges of lines of an entry, appended; FALSE if it has none. */
static gboolean add_ranges(Reader *reader, Dwarf_Die *entry, WsDebugScope *scope)
{
    GArray *ranges = reader->out->ranges;
    Dwarf_Addr base, start, end;
    scope->first_range = ranges->len;
    for (ptrdiff_t at = 0;
         ranges->len < MAX_RANGES && (at = dwarf_ranges(entry, at, &base, &start, &end)) > 0;) {
        const WsDebugRange range = {line_of(start), line_of(end)};
        if (range.first < range.end)
            g_array_append_val(ranges, range);
    }
    scope->range_count = ranges->len - scope->first_range;
    return scope->range_count > 0;
}

/*
 * Behind the prologue of a function that begins at line `first`: at the first .loc that names
 * another place of the source than the one that opens it.
 */
static guint32 end_of_prologue(const WsDebugText *text, guint32 first, guint32 end)
{
    const WsDebugLine *opening = NULL;
    for (guint i = 0; i < text->lines->len; i++) {
        const WsDebugLine *line = &g_array_index(text->lines, WsDebugLine, i);
        if (line->at >= end)
            break;
        if (line->line == 0 || line->at + 1 < first)
            continue;
        if (opening != NULL && (line->line != opening->line || line->column != opening->column))
            return line->at;
        opening = opening != NULL ? opening : line;
    }
    return first;
}

/* In the PTX. DWARF before version 4 has an attribute of MIPS for it. */
static char *linkage_name(Dwarf_Die *entry)
{
    Dwarf_Attribute attribute;
    const char *name = NULL;
    if (dwarf_attr_integrate(entry, DW_AT_linkage_name, &attribute) != NULL ||
        dwarf_attr_integrate(entry, DW_AT_MIPS_linkage_name, &attribute) != NULL)
        name = dwarf_formstring(&attribute);
    return name == NULL ? ws_dwarf_name(entry) : g_strdup(name);
}

static guint32 add_scope(Reader *reader, Dwarf_Die *entry, guint32 parent)
{
    const guint tag = (guint)dwarf_tag(entry);
    WsDebugScope scope = {.kind = tag == DW_TAG_subprogram           ? WS_SOURCE_SCOPE_KERNEL
                                  : tag == DW_TAG_inlined_subroutine ? WS_SOURCE_SCOPE_INLINED
                                                                     : WS_SOURCE_SCOPE_BLOCK,
                          .parent = tag == DW_TAG_subprogram ? (guint32)WS_NO_SCOPE : parent};
    if ((scope.parent == WS_NO_SCOPE && tag != DW_TAG_subprogram) ||
        reader->out->scopes->len >= MAX_SCOPES || !add_ranges(reader, entry, &scope))
        return WS_NO_SCOPE;
    scope.name = tag == DW_TAG_lexical_block ? g_strdup("") : ws_dwarf_name(entry);
    scope.linkage_name = linkage_name(entry);
    scope.file = (guint32)ws_dwarf_number(entry, DW_AT_decl_file, 0);
    scope.line = (guint32)ws_dwarf_number(entry, DW_AT_decl_line, 0);
    scope.call_file = (guint32)ws_dwarf_number(entry, DW_AT_call_file, 0);
    scope.call_line = (guint32)ws_dwarf_number(entry, DW_AT_call_line, 0);
    scope.call_column = (guint32)ws_dwarf_number(entry, DW_AT_call_column, 0);
    const WsDebugRange *range =
        &g_array_index(reader->out->ranges, WsDebugRange, scope.first_range);
    scope.body = tag == DW_TAG_subprogram ? end_of_prologue(reader->text, range->first, range->end)
                                          : range->first;
    g_array_append_val(reader->out->scopes, scope);
    return reader->out->scopes->len - 1;
}

/* ---- variables --------------------------------------------------------------------------------
 */

static void read_constant(Dwarf_Attribute *attribute, WsDebugVariable *to)
{
    Dwarf_Sword value;
    Dwarf_Word plain;
    const guint form = dwarf_whatform(attribute);
    if (form == DW_FORM_block1 || form == DW_FORM_block2 || form == DW_FORM_block4 ||
        form == DW_FORM_block)
        return;
    if (form == DW_FORM_sdata && dwarf_formsdata(attribute, &value) == 0)
        to->value = (guint64)value;
    else if (dwarf_formudata(attribute, &plain) == 0)
        to->value = plain;
    else
        return;
    to->place = WS_DEBUG_IMMEDIATE;
}

static guint32 count_parameter(Reader *reader, guint32 scope)
{
    if (scope != reader->parameter_scope)
        reader->parameter_count = 0;
    reader->parameter_scope = scope;
    return reader->parameter_count++;
}

/* All lines of a scope. */
static WsDebugRange bounds_of(const Reader *reader, guint32 scope)
{
    WsDebugRange bounds = {scope == WS_NO_SCOPE ? 0 : G_MAXUINT32, 0};
    if (scope == WS_NO_SCOPE)
        return bounds;
    const WsDebugScope *entry = &g_array_index(reader->out->scopes, WsDebugScope, scope);
    for (guint32 r = entry->first_range; r < entry->first_range + entry->range_count; r++) {
        const WsDebugRange *range = &g_array_index(reader->out->ranges, WsDebugRange, r);
        bounds.first = MIN(bounds.first, range->first);
        bounds.end = MAX(bounds.end, range->end);
    }
    return bounds;
}

static void add_variable(Reader *reader, Dwarf_Die *entry, guint32 scope)
{
    Dwarf_Attribute attribute;
    if (reader->out->variables->len >= MAX_VARIABLES ||
        ws_dwarf_number(entry, DW_AT_declaration, 0) != 0)
        return;
    WsDebugVariable variable = {.is_parameter = dwarf_tag(entry) == DW_TAG_formal_parameter,
                                .type = ws_dwarf_type_of(&reader->types, entry),
                                .scope = scope,
                                .file = (guint32)ws_dwarf_number(entry, DW_AT_decl_file, 0),
                                .line = (guint32)ws_dwarf_number(entry, DW_AT_decl_line, 0)};
    if (variable.is_parameter)
        variable.ordinal = count_parameter(reader, scope);
    variable.name = ws_dwarf_name(entry);
    if (*variable.name == '\0') {
        g_free(variable.name);
        return;
    }
    if (dwarf_attr_integrate(entry, DW_AT_location, &attribute) != NULL)
        ws_dwarf_read_location(reader->text, &attribute, bounds_of(reader, scope),
                               reader->out->variables->len, reader->out->values->values, &variable);
    else if (dwarf_attr_integrate(entry, DW_AT_const_value, &attribute) != NULL)
        read_constant(&attribute, &variable);
    g_array_append_val(reader->out->variables, variable);
}

/* ---- the tree ---------------------------------------------------------------------------------
 */

/* What is inside of `parent`, an entry of `scope`. */
static void read_children(Reader *reader, Dwarf_Die *parent, guint32 scope, guint depth)
{
    Dwarf_Die entry;
    gboolean more = depth < MAX_DEPTH && dwarf_child(parent, &entry) == 0;
    for (; more; more = ws_dwarf_next(&reader->types, &entry)) {
        guint32 inner = scope;
        switch (dwarf_tag(&entry)) {
        case DW_TAG_formal_parameter:
        case DW_TAG_variable:
            add_variable(reader, &entry, scope);
            break;
        case DW_TAG_subprogram:
        case DW_TAG_inlined_subroutine:
        case DW_TAG_lexical_block:
            inner = add_scope(reader, &entry, scope);
            if (inner != WS_NO_SCOPE)
                read_children(reader, &entry, inner, depth + 1);
            break;
        case DW_TAG_namespace:
            read_children(reader, &entry, scope, depth + 1);
            break;
        default:
            break;
        }
    }
}

static void read_units(Reader *reader, Dwarf *dwarf)
{
    Dwarf_Off at = 0, next;
    size_t header;
    for (; dwarf_nextcu(dwarf, at, &next, &header, NULL, NULL, NULL) == 0; at = next) {
        Dwarf_Die unit;
        if (next <= at)
            break;
        if (dwarf_offdie(dwarf, at + header, &unit) != NULL)
            read_children(reader, &unit, WS_NO_SCOPE, 0);
    }
}

static void clear_scope(gpointer scope)
{
    g_free(((WsDebugScope *)scope)->name);
    g_free(((WsDebugScope *)scope)->linkage_name);
}

static void clear_variable(gpointer variable)
{
    g_free(((WsDebugVariable *)variable)->name);
}

WsDebugEntries *ws_debug_entries_new(const WsDebugText *text, WsVariableTable *table)
{
    WsDebugEntries *entries = g_new0(WsDebugEntries, 1);
    entries->values = ws_machine_values_new_empty();
    entries->scopes = g_array_new(FALSE, FALSE, sizeof(WsDebugScope));
    entries->ranges = g_array_new(FALSE, FALSE, sizeof(WsDebugRange));
    entries->variables = g_array_new(FALSE, FALSE, sizeof(WsDebugVariable));
    g_array_set_clear_func(entries->scopes, clear_scope);
    g_array_set_clear_func(entries->variables, clear_variable);
    g_auto(WsDwarfImage) image = {0};
    ws_dwarf_image_init(&image, text);
    if (image.dwarf == NULL)
        return entries;
    Reader reader = {.text = text, .out = entries, .parameter_scope = WS_NO_SCOPE};
    ws_dwarf_types_init(&reader.types, image.dwarf, table);
    read_units(&reader, image.dwarf);
    ws_dwarf_types_finish(&reader.types);
    ws_dwarf_types_clear(&reader.types);
    return entries;
}

gboolean ws_debug_scope_holds(const WsDebugEntries *entries, guint32 scope, guint32 line)
{
    const WsDebugScope *entry = &g_array_index(entries->scopes, WsDebugScope, scope);
    for (guint32 r = entry->first_range; r < entry->first_range + entry->range_count; r++) {
        const WsDebugRange *range = &g_array_index(entries->ranges, WsDebugRange, r);
        if (line >= range->first && line < range->end)
            return TRUE;
    }
    return FALSE;
}

guint32 ws_debug_entries_function(const WsDebugEntries *entries, guint32 line)
{
    for (guint32 s = 0; s < entries->scopes->len; s++)
        if (g_array_index(entries->scopes, WsDebugScope, s).kind == WS_SOURCE_SCOPE_KERNEL &&
            ws_debug_scope_holds(entries, s, line))
            return s;
    return WS_NO_SCOPE;
}

void ws_debug_entries_free(WsDebugEntries *entries)
{
    if (entries == NULL)
        return;
    g_array_unref(entries->scopes);
    g_array_unref(entries->ranges);
    g_array_unref(entries->variables);
    ws_machine_values_free(entries->values);
    g_free(entries);
}
