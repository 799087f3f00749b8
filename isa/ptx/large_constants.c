#include "isa/ptx/large_constants.h"

#include "isa/base/error.h"

#include <string.h>

/* What an address is made from, as bits: arrays that move, arrays that stay. */
enum { MOVES = 1, STAYS = 2 };

typedef struct {
    WsPtxFunction *function;
    guint64 limit;
    guint8 *origins; /* per register */
} Walk;

static gboolean is_constant(const WsPtxVariable *variable)
{
    return variable->space == WS_PTX_SPACE_CONST;
}

static gboolean is_large(const WsPtxVariable *variable, guint64 limit)
{
    return is_constant(variable) && !variable->is_visible && variable->size > limit;
}

static WsPtxStatement *statement_at(const Walk *walk, guint i)
{
    return &g_array_index(walk->function->statements, WsPtxStatement, i);
}

static guint8 origins_of(const Walk *walk, const WsPtxStatement *statement, guint n)
{
    const WsPtxOperand *operand =
        &g_array_index(walk->function->operands, WsPtxOperand, statement->first_operand + n);
    guint kind = operand->kind == WS_PTX_ADDRESS ? operand->base : operand->kind;
    if (kind == WS_PTX_REGISTER)
        return walk->origins[operand->index];
    if (kind != WS_PTX_VARIABLE || !is_constant(operand->variable))
        return 0;
    return is_large(operand->variable, walk->limit) ? MOVES : STAYS;
}

/* What these leave in a register comes from memory or from a function. */
static gboolean brings_something_else(const WsPtxStatement *statement)
{
    static const char *const opcodes[] = {"ld",   "ldu",  "atom", "tex", "tld4",
                                          "suld", "call", "setp", "set"};
    for (guint i = 0; i < G_N_ELEMENTS(opcodes); i++)
        if (strcmp(statement->opcode, opcodes[i]) == 0)
            return TRUE;
    return FALSE;
}

/* One pass over the function. TRUE if a register turned out to be made from something more. */
static gboolean spread(const Walk *walk)
{
    gboolean changed = FALSE;
    for (guint i = 0; i < walk->function->statements->len; i++) {
        const WsPtxStatement *statement = statement_at(walk, i);
        if (statement->kind != WS_PTX_STATEMENT_INSTRUCTION || statement->operand_count < 2 ||
            brings_something_else(statement))
            continue;
        const WsPtxOperand *to =
            &g_array_index(walk->function->operands, WsPtxOperand, statement->first_operand);
        guint8 origins = 0;
        for (guint n = 1; n < statement->operand_count; n++)
            origins |= origins_of(walk, statement, n);
        if (to->kind != WS_PTX_REGISTER ||
            (walk->origins[to->index] | origins) == walk->origins[to->index])
            continue;
        walk->origins[to->index] |= origins;
        changed = TRUE;
    }
    return changed;
}

/* The modifiers of the statement, `const` replaced by `global`; a load gets `nc` too. */
static void turn_global(const Walk *walk, WsPtxStatement *statement, gboolean is_load)
{
    GPtrArray *modifiers = walk->function->modifiers;
    guint32 first = modifiers->len;
    for (guint i = 0; i < statement->modifier_count; i++) {
        const char *modifier = g_ptr_array_index(modifiers, statement->first_modifier + i);
        g_ptr_array_add(modifiers,
                        (gpointer)(strcmp(modifier, "const") == 0 ? "global" : modifier));
    }
    if (is_load)
        g_ptr_array_add(modifiers, (gpointer) "nc");
    statement->first_modifier = first;
    statement->modifier_count = (guint16)(modifiers->len - first);
}

static gboolean has_const(const Walk *walk, const WsPtxStatement *statement)
{
    for (guint i = 0; i < statement->modifier_count; i++)
        if (strcmp(g_ptr_array_index(walk->function->modifiers, statement->first_modifier + i),
                   "const") == 0)
            return TRUE;
    return FALSE;
}

static gboolean turn_accesses(const Walk *walk, GError **error)
{
    for (guint i = 0; i < walk->function->statements->len; i++) {
        WsPtxStatement *statement = statement_at(walk, i);
        gboolean is_load =
            statement->kind == WS_PTX_STATEMENT_INSTRUCTION && strcmp(statement->opcode, "ld") == 0;
        if (statement->kind != WS_PTX_STATEMENT_INSTRUCTION || statement->operand_count < 2 ||
            (!is_load && strcmp(statement->opcode, "cvta") != 0) || !has_const(walk, statement))
            continue;
        guint8 origins = origins_of(walk, statement, 1);
        if (origins == (MOVES | STAYS)) {
            ws_set_error_at(error, WS_ERROR_INPUT, &statement->position,
                            "this address may lie in constant memory or in an array that is too "
                            "large for it");
            return FALSE;
        }
        if (origins == MOVES)
            turn_global(walk, statement, is_load);
    }
    return TRUE;
}

static gboolean turn_function(WsPtxFunction *function, guint64 limit, GError **error)
{
    g_autofree guint8 *origins = g_malloc0(MAX(function->registers->len, 1));
    const Walk walk = {.function = function, .limit = limit, .origins = origins};
    while (spread(&walk)) /* each register changes twice at most */
        continue;
    return turn_accesses(&walk, error);
}

gboolean ws_ptx_move_large_constants(WsPtxModule *module, guint64 limit, GError **error)
{
    gboolean any = FALSE;
    for (guint i = 0; i < module->variables->len; i++)
        any = any || is_large(module->variables->pdata[i], limit);
    for (guint i = 0; any && i < module->functions->len; i++)
        if (!turn_function(module->functions->pdata[i], limit, error))
            return FALSE;
    for (guint i = 0; any && i < module->variables->len; i++) {
        WsPtxVariable *variable = module->variables->pdata[i];
        if (is_large(variable, limit))
            variable->space = WS_PTX_SPACE_GLOBAL;
    }
    return TRUE;
}
