#include "isa/ptx/address_base.h"

#include <string.h>

/*
 * What a register holds, from nothing known yet to anything. An ADDRESS is one in the variable or
 * in what the parameter points to, at some distance that is a NUMBER. A NUMBER with a pointer_line
 * is a value of 64 bits from memory, with at most numbers of other origin added: a pointer, if it
 * is an address.
 */
typedef enum { UNSEEN, NUMBER, ADDRESS, ANYTHING } State;

typedef struct {
    State state;
    WsPtxAddressBase base;
} Value;

static const Value number = {.state = NUMBER}, anything = {.state = ANYTHING};

static gboolean same(const Value *a, const Value *b)
{
    return a->state == b->state &&
           (a->state != ADDRESS ||
            (a->base.variable == b->base.variable && a->base.offset == b->base.offset &&
             a->base.is_fixed == b->base.is_fixed)) &&
           a->base.pointer_line == b->base.pointer_line;
}

/* The same place, or some place in the same variable. */
static Value moved(Value value)
{
    value.base.is_fixed = FALSE;
    return value;
}

/* What holds of a register that may have either. */
static Value either(Value a, Value b)
{
    if (a.state == UNSEEN)
        return b;
    if (b.state == UNSEEN || same(&a, &b))
        return a;
    if (a.state == NUMBER && b.state == NUMBER)
        return number;
    a = moved(a);
    b = moved(b);
    return same(&a, &b) ? a : anything;
}

/* Of a + b. */
static Value sum(Value a, Value b)
{
    if (a.state == UNSEEN || b.state == UNSEEN)
        return (Value){.state = UNSEEN};
    if (a.state == NUMBER && b.state == NUMBER && a.base.pointer_line != 0)
        return b.base.pointer_line == 0 ? a : number;
    if (a.state == NUMBER)
        return moved(b);
    return b.state == NUMBER ? moved(a) : anything;
}

/* Of anything that an address does not survive. */
static Value mixed(Value a, Value b)
{
    if (a.state == UNSEEN || b.state == UNSEEN)
        return (Value){.state = UNSEEN};
    return a.state == NUMBER && b.state == NUMBER ? number : anything;
}

/* ---- a function ---------------------------------------------------------------------------------
 */

typedef struct {
    const WsPtxFunction *function;
    Value *registers;
} Walk;

static const WsPtxOperand *operand_of(const Walk *walk, const WsPtxStatement *statement, guint n)
{
    return &g_array_index(walk->function->operands, WsPtxOperand, statement->first_operand + n);
}

static Value value_of(const Walk *walk, const WsPtxOperand *operand)
{
    switch (operand->kind) {
    case WS_PTX_REGISTER:
        return walk->registers[operand->index];
    case WS_PTX_INTEGER:
    case WS_PTX_SPECIAL:
        return number;
    case WS_PTX_VARIABLE:
        return (Value){.state = ADDRESS, .base = {.variable = operand->variable, .is_fixed = TRUE}};
    default:
        return anything;
    }
}

static gboolean has_modifier(const Walk *walk, const WsPtxStatement *statement, const char *name)
{
    for (guint i = 0; i < statement->modifier_count; i++)
        if (strcmp(walk->function->modifiers->pdata[statement->first_modifier + i], name) == 0)
            return TRUE;
    return FALSE;
}

static gboolean is_parameter(const Walk *walk, const WsPtxVariable *variable)
{
    for (guint i = 0; i < walk->function->parameters->len; i++)
        if (walk->function->parameters->pdata[i] == variable)
            return walk->function->is_entry;
    return FALSE;
}

static gboolean is_wide(const Walk *walk, const WsPtxStatement *statement)
{
    return has_modifier(walk, statement, "u64") || has_modifier(walk, statement, "b64") ||
           has_modifier(walk, statement, "s64");
}

/*
 * A load: of a kernel's parameter, which may be an address, or of what is taken to be a number, if
 * no access shows that it is a pointer.
 */
static Value loaded(const Walk *walk, const WsPtxStatement *statement)
{
    const WsPtxOperand *from = operand_of(walk, statement, 1);

    if (!has_modifier(walk, statement, "param") && is_wide(walk, statement))
        return (Value){.state = NUMBER,
                       .base = {.pointer_line = (guint32)statement->position.line}};
    if (!has_modifier(walk, statement, "param") || from->kind != WS_PTX_ADDRESS ||
        from->base != WS_PTX_VARIABLE || !is_parameter(walk, from->variable))
        return number;
    return (Value){
        .state = ADDRESS,
        .base = {.variable = from->variable, .offset = (guint32)from->value, .is_parameter = TRUE}};
}

static gboolean is_one_of(const char *opcode, const char *const *names)
{
    return g_strv_contains(names, opcode);
}

static Value computed(const Walk *walk, const WsPtxStatement *statement)
{
    static const char *const copies[] = {"mov", "cvta", "cvt", NULL};
    static const char *const sums[] = {"add", "or", NULL};
    static const char *const choices[] = {"selp", "min", "max", NULL};
    static const char *const products[] = {"mad", "mad24", "fma", NULL};
    guint count = statement->operand_count;
    Value value = count > 1 ? value_of(walk, operand_of(walk, statement, 1)) : number;

    if (strcmp(statement->opcode, "ld") == 0 || strcmp(statement->opcode, "ldu") == 0)
        return count > 1 ? loaded(walk, statement) : number;
    if (is_one_of(statement->opcode, copies) && count == 2)
        return value;
    if (is_one_of(statement->opcode, sums) && count == 3) {
        const WsPtxOperand *more = operand_of(walk, statement, 2);
        return more->kind == WS_PTX_INTEGER ? value : sum(value, value_of(walk, more));
    }
    if (strcmp(statement->opcode, "sub") == 0 && count == 3) {
        Value less = value_of(walk, operand_of(walk, statement, 2));
        return less.state == NUMBER ? moved(value) : mixed(value, less);
    }
    if (is_one_of(statement->opcode, choices) && count >= 3)
        return either(value, value_of(walk, operand_of(walk, statement, 2)));
    if (is_one_of(statement->opcode, products) && count == 4)
        return sum(mixed(value, value_of(walk, operand_of(walk, statement, 2))),
                   value_of(walk, operand_of(walk, statement, 3)));
    for (guint i = 2; i < count; i++)
        value = mixed(value, value_of(walk, operand_of(walk, statement, i)));
    return value;
}

/* Operands of what else gives a result, as loads and atomics do, are no part of it. */
static gboolean is_access(const WsPtxStatement *statement)
{
    static const char *const names[] = {"ld", "ldu", "st", "atom", "red", NULL};

    return is_one_of(statement->opcode, names);
}

static gboolean put(Walk *walk, guint32 index, Value value)
{
    Value before = walk->registers[index], after = either(before, value);

    walk->registers[index] = after;
    return !same(&before, &after);
}

static gboolean put_vector(Walk *walk, const WsPtxOperand *vector, Value value)
{
    gboolean changed = FALSE;

    for (guint32 i = 0; i < vector->count; i++) {
        const WsPtxOperand *element =
            &g_array_index(walk->function->operands, WsPtxOperand, vector->first + i);
        if (element->kind == WS_PTX_REGISTER)
            changed |= put(walk, element->index, value);
    }
    return changed;
}

static gboolean walk_statement(Walk *walk, const WsPtxStatement *statement)
{
    if (statement->kind != WS_PTX_STATEMENT_INSTRUCTION || statement->operand_count == 0 ||
        strcmp(statement->opcode, "st") == 0 || strcmp(statement->opcode, "red") == 0)
        return FALSE;
    const WsPtxOperand *to = operand_of(walk, statement, 0);
    gboolean load = is_access(statement);
    gboolean plain = g_str_has_prefix(statement->opcode, "ld");
    Value value = load && !plain ? number : computed(walk, statement);
    if (to->kind == WS_PTX_VECTOR) /* of a load: numbers; what takes a register apart: anything */
        return put_vector(walk, to, load ? number : anything);
    if (to->kind != WS_PTX_REGISTER)
        return FALSE;
    gboolean changed = put(walk, to->index, value);
    if (to->second != WS_PTX_NO_REGISTER)
        changed |= put(walk, to->second, number);
    return changed;
}

/* ---- accesses -----------------------------------------------------------------------------------
 */

static WsPtxAddressBase base_of(const Walk *walk, const WsPtxStatement *statement)
{
    for (guint i = 0; i < statement->operand_count; i++) {
        const WsPtxOperand *operand = operand_of(walk, statement, i);
        Value value = anything;

        if (operand->kind != WS_PTX_ADDRESS)
            continue;
        if (operand->base == WS_PTX_VARIABLE)
            return (WsPtxAddressBase){.variable = operand->variable, .is_fixed = TRUE};
        if (operand->base == WS_PTX_REGISTER)
            value = walk->registers[operand->index];
        if (value.state == NUMBER)
            value.base.is_fixed = FALSE;
        return value.state == ADDRESS || value.state == NUMBER ? value.base : (WsPtxAddressBase){0};
    }
    return (WsPtxAddressBase){0};
}

static void note_accesses(const Walk *walk, WsPtxAddressBase *bases, guint8 *seen, guint32 lines)
{
    const GArray *statements = walk->function->statements;

    for (guint i = 0; i < statements->len; i++) {
        const WsPtxStatement *statement = &g_array_index(statements, WsPtxStatement, i);
        guint32 line = (guint32)statement->position.line;

        if (statement->kind != WS_PTX_STATEMENT_INSTRUCTION || !is_access(statement) ||
            line > lines || has_modifier(walk, statement, "param"))
            continue;
        bases[line] = seen[line] ? (WsPtxAddressBase){0} : base_of(walk, statement);
        seen[line] = 1;
    }
}

WsPtxAddressBase *ws_ptx_address_bases(const WsPtxModule *module, guint32 lines)
{
    WsPtxAddressBase *bases = g_new0(WsPtxAddressBase, (gsize)lines + 1);
    g_autofree guint8 *seen = g_malloc0((gsize)lines + 1);

    for (guint f = 0; f < module->functions->len; f++) {
        const WsPtxFunction *function = module->functions->pdata[f];
        g_autofree Value *registers = g_new0(Value, MAX(function->registers->len, 1));
        Walk walk = {function, registers};

        /* Each register changes five times at most. */
        for (gboolean changed = TRUE; changed;) {
            changed = FALSE;
            for (guint i = 0; i < function->statements->len; i++)
                changed |=
                    walk_statement(&walk, &g_array_index(function->statements, WsPtxStatement, i));
        }
        note_accesses(&walk, bases, seen, lines);
    }
    return bases;
}
