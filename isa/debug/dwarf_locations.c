#include "isa/debug/dwarf_locations.h"

#include "isa/debug/machine_values.h"

#include <dwarf.h>

enum { BITS = 8, MAX_VALUES = 1 << 20 /* of a program */ };

/* DW_OP_addr symbol, and DW_OP_plus_uconst offset or none. */
static gboolean read_symbol(const WsDebugText *text, const Dwarf_Op *operations, size_t count,
                            WsDebugVariable *to)
{
    if (count > 2 || operations[0].atom != DW_OP_addr ||
        (count == 2 && operations[1].atom != DW_OP_plus_uconst))
        return FALSE;
    const guint64 address = operations[0].number;
    const guint64 symbol = address / WS_DEBUG_SYMBOL_UNIT;
    to->value = address % WS_DEBUG_SYMBOL_UNIT + (count == 2 ? operations[1].number : 0);
    if (symbol < 1 || symbol > text->symbols->len || to->value >= WS_DEBUG_SYMBOL_UNIT)
        return FALSE;
    to->place = WS_DEBUG_SYMBOL;
    to->symbol = (guint32)symbol - 1;
    return TRUE;
}

/*
 * The number of a register is its name, first character highest: 0x257231 is %r1 (seen in the
 * output of nvcc 13.0, and in LLVM's NVPTXRegisterInfo::encodeRegisterForDwarf). NULL for other
 * numbers.
 */
static char *register_name(guint64 number)
{
    char name[sizeof number + 1] = {0};
    guint length = 0;
    for (guint shift = sizeof number * BITS; shift > 0; shift -= BITS) {
        const char c = (char)(number >> (shift - BITS));
        if (c == '\0' && length == 0)
            continue;
        if (!g_ascii_isalnum(c) && !(c == '%' && length == 0) && c != '_' && c != '$')
            return NULL;
        name[length++] = c;
    }
    return length > 1 && *name == '%' ? g_strdup(name) : NULL;
}

/* A register or a number; FALSE for what else an operation is. */
static gboolean read_value(const Dwarf_Op *operation, WsMachineValue *to)
{
    switch (operation->atom) {
    case DW_OP_regx:
        to->reg = register_name(operation->number);
        return to->reg != NULL;
    case DW_OP_const1u:
    case DW_OP_const2u:
    case DW_OP_const4u:
    case DW_OP_const8u:
    case DW_OP_const1s:
    case DW_OP_const2s:
    case DW_OP_const4s:
    case DW_OP_const8s:
    case DW_OP_constu:
    case DW_OP_consts:
        to->number = operation->number;
        return TRUE;
    default:
        if (operation->atom < DW_OP_lit0 || operation->atom > DW_OP_lit31)
            return FALSE;
        to->number = operation->atom - DW_OP_lit0;
        return TRUE;
    }
}

/* A value for the whole of the variable, or one for each piece of it, over lines of the PTX. */
static void read_values(const Dwarf_Op *operations, size_t count, const WsMachineValue *like,
                        GArray *values)
{
    guint32 offset = 0;
    for (size_t i = 0, next; i < count && values->len < MAX_VALUES; i = next) {
        WsMachineValue value = *like;
        const gboolean known = read_value(&operations[i], &value);
        next = i + known;
        if (next < count && operations[next].atom == DW_OP_stack_value)
            next++;
        if (next < count && operations[next].atom == DW_OP_piece) {
            value.offset = offset;
            value.size = (guint32)operations[next].number * BITS;
            offset += value.size;
            next++;
        } else if (next < count || offset > 0) {
            g_free(value.reg); /* an expression of another kind */
            return;
        }
        if (known)
            g_array_append_val(values, value);
    }
}

void ws_dwarf_read_location(const WsDebugText *text, Dwarf_Attribute *attribute, WsDebugRange range,
                            guint32 number, GArray *values, WsDebugVariable *to)
{
    Dwarf_Op *operations;
    size_t count;
    Dwarf_Addr base, first, end;
    const guint before = values->len;
    for (ptrdiff_t at = 0;
         (at = dwarf_getlocations(attribute, at, &base, &first, &end, &operations, &count)) > 0;) {
        if (count == 0 || read_symbol(text, operations, count, to))
            continue;
        const WsMachineValue like = {.variable = number,
                                     .first = (guint32)MAX(first, range.first),
                                     .end = (guint32)MIN(end, range.end)};
        if (like.first < like.end)
            read_values(operations, count, &like, values);
    }
    if (to->place == WS_DEBUG_NOWHERE && values->len > before)
        to->place = WS_DEBUG_VALUES;
}
