/*
 * Generic addresses that are sure to lie in shared memory: made by cvta.shared, copies of such, and
 * sums with one. clang leaves operands of inline PTX generic; ptxas finds their space likewise.
 */
#include "isa/lower/memory.h"

#include <string.h>

enum { MAX_REGISTERS = 32, MAX_WORK = 100000000 /* statements looked at in a kernel */ };

typedef struct {
    const WsPtxFunction *function;
    guint64 *work;
    guint32 visited[MAX_REGISTERS];
    gboolean fails[MAX_REGISTERS];
    guint count;
} Search;

static gboolean register_is_shared(Search *search, guint32 number);

static const WsPtxOperand *operand_at(const Search *search, const WsPtxStatement *statement,
                                      guint n)
{
    return &g_array_index(search->function->operands, WsPtxOperand, statement->first_operand + n);
}

static gboolean operand_is_shared(Search *search, const WsPtxStatement *statement, guint n)
{
    const WsPtxOperand *operand = operand_at(search, statement, n);
    return n < statement->operand_count && operand->kind == WS_PTX_REGISTER &&
           register_is_shared(search, operand->index);
}

static gboolean has_modifier(const Search *search, const WsPtxStatement *statement,
                             const char *modifier)
{
    for (guint i = 0; i < statement->modifier_count; i++)
        if (strcmp(g_ptr_array_index(search->function->modifiers, statement->first_modifier + i),
                   modifier) == 0)
            return TRUE;
    return FALSE;
}

static gboolean makes_shared(Search *search, const WsPtxStatement *statement)
{
    const char *opcode = statement->opcode;
    if (strcmp(opcode, "cvta") == 0)
        return !has_modifier(search, statement, "to") &&
               (has_modifier(search, statement, "shared") ||
                has_modifier(search, statement, "shared::cta"));
    if (strcmp(opcode, "mov") == 0 || strcmp(opcode, "sub") == 0)
        return operand_is_shared(search, statement, 1);
    if (strcmp(opcode, "add") == 0)
        return operand_is_shared(search, statement, 1) || operand_is_shared(search, statement, 2);
    if (strcmp(opcode, "mad") == 0)
        return operand_is_shared(search, statement, 3);
    if (strcmp(opcode, "selp") == 0)
        return operand_is_shared(search, statement, 1) && operand_is_shared(search, statement, 2);
    return FALSE;
}

static gboolean writes_in_vector(const Search *search, const WsPtxOperand *vector, guint32 number)
{
    for (guint i = 0; i < vector->count; i++) {
        const WsPtxOperand *element =
            &g_array_index(search->function->operands, WsPtxOperand, vector->first + i);
        if (element->kind == WS_PTX_REGISTER && element->index == number)
            return TRUE;
    }
    return FALSE;
}

/* Every statement that may write the register makes such an address. */
static gboolean all_writes_are_shared(Search *search, guint32 number)
{
    const GArray *statements = search->function->statements;
    gboolean found = FALSE;
    *search->work += statements->len;
    if (*search->work > MAX_WORK)
        return FALSE;
    for (guint i = 0; i < statements->len; i++) {
        const WsPtxStatement *statement = &g_array_index(statements, WsPtxStatement, i);
        if (statement->kind != WS_PTX_STATEMENT_INSTRUCTION || statement->operand_count == 0)
            continue;
        const WsPtxOperand *to = operand_at(search, statement, 0);
        if (to->kind == WS_PTX_VECTOR && writes_in_vector(search, to, number))
            return FALSE;
        if (to->kind != WS_PTX_REGISTER || to->index != number)
            continue;
        if (!makes_shared(search, statement))
            return FALSE;
        found = TRUE;
    }
    return found;
}

/* A register that is being looked at already, in a loop, may be one. At most MAX_REGISTERS deep. */
static gboolean register_is_shared(Search *search, guint32 number)
{
    for (guint i = 0; i < search->count; i++)
        if (search->visited[i] == number)
            return !search->fails[i];
    if (search->count == MAX_REGISTERS)
        return FALSE;
    guint place = search->count++;
    search->visited[place] = number;
    search->fails[place] = FALSE;
    search->fails[place] = !all_writes_are_shared(search, number);
    return !search->fails[place];
}

gboolean ws_lower_is_shared(WsLowerStatement *lower, guint n)
{
    const WsPtxOperand *operand = &lower->operands[n];
    Search search = {.function = lower->frame->function, .work = &lower->kernel->address_work};
    return operand->kind == WS_PTX_ADDRESS && operand->base == WS_PTX_REGISTER &&
           register_is_shared(&search, operand->index);
}
