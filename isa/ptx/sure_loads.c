#include "isa/ptx/sure_loads.h"

#include <string.h>

enum { MOST_BEHIND = 64 /* statements that are looked at behind a basic block */ };

/* A statement that reads what another one has put into a register. */
typedef struct {
    guint32 maker, user;
    gboolean passes; /* it matters as much as the user's result does; else it does */
} Use;

typedef struct {
    const WsPtxFunction *function;
    guint32 *last; /* by register: the statement + 1 that wrote it, 0 = none in this walk */
    GArray *uses;  /* of Use, in the order of the users */
    GArray *fresh; /* of guint32: registers with a `last` */
} Walk;

static const WsPtxStatement *statement_at(const Walk *walk, guint32 i)
{
    return &g_array_index(walk->function->statements, WsPtxStatement, i);
}

static const WsPtxOperand *operand_of(const Walk *walk, const WsPtxStatement *statement, guint n)
{
    return &g_array_index(walk->function->operands, WsPtxOperand, statement->first_operand + n);
}

static const WsPtxOperand *element_of(const Walk *walk, const WsPtxOperand *vector, guint32 n)
{
    return &g_array_index(walk->function->operands, WsPtxOperand, vector->first + n);
}

static gboolean is_label(const WsPtxStatement *statement)
{
    return statement->kind == WS_PTX_STATEMENT_LABEL;
}

static gboolean is_load(const WsPtxStatement *statement)
{
    return strcmp(statement->opcode, "ld") == 0;
}

/* Computes its first operand from the others, and does nothing else. */
static gboolean is_plain(const WsPtxStatement *statement)
{
    static const char *const names[] = {"mov", "cvt", "add", "sub",  "mul",  "mad",  "fma", "neg",
                                        "abs", "and", "or",  "xor",  "not",  "shl",  "shr", "min",
                                        "max", "div", "rcp", "sqrt", "lop3", "setp", NULL};

    return g_strv_contains(names, statement->opcode);
}

/* One of its operands may decide alone, so that the others do not matter. */
static gboolean is_choice(const WsPtxStatement *statement)
{
    return strcmp(statement->opcode, "selp") == 0 || strstr(statement->full, ".pred") != NULL ||
           (strcmp(statement->opcode, "setp") == 0 && statement->operand_count > 3);
}

/* ---- who reads what -----------------------------------------------------------------------------
 */

static void use_register(Walk *walk, guint32 index, guint32 user, gboolean passes)
{
    const Use use = {.maker = walk->last[index] - 1, .user = user, .passes = passes};

    if (walk->last[index] != 0)
        g_array_append_val(walk->uses, use);
}

static void use_operand(Walk *walk, const WsPtxOperand *operand, guint32 user, gboolean passes)
{
    gboolean address = operand->kind == WS_PTX_ADDRESS || operand->kind == WS_PTX_TEXTURE;

    if (operand->kind == WS_PTX_VECTOR || operand->kind == WS_PTX_TEXTURE)
        for (guint32 i = 0; i < operand->count; i++)
            use_operand(walk, element_of(walk, operand, i), user, passes);
    if (address && operand->base == WS_PTX_REGISTER)
        use_register(walk, operand->index, user, FALSE);
    else if (operand->kind == WS_PTX_REGISTER)
        use_register(walk, operand->index, user, passes);
}

static void use_operands(Walk *walk, guint32 i)
{
    const WsPtxStatement *statement = statement_at(walk, i);
    gboolean plain = is_plain(statement);

    if (statement->guard != WS_PTX_NO_REGISTER)
        use_register(walk, statement->guard, i, FALSE);
    if (is_choice(statement))
        return;
    for (guint n = plain || is_load(statement) ? 1 : 0; n < statement->operand_count; n++)
        use_operand(walk, operand_of(walk, statement, n), i, plain);
}

static void write_register(Walk *walk, guint32 index, guint32 maker, gboolean guarded)
{
    walk->last[index] = guarded ? 0 : maker + 1; /* a guarded one may leave what was there */
    g_array_append_val(walk->fresh, index);
}

static void write_results(Walk *walk, guint32 i)
{
    const WsPtxStatement *statement = statement_at(walk, i);
    const WsPtxOperand *to = statement->operand_count > 0 ? operand_of(walk, statement, 0) : NULL;
    gboolean guarded = statement->guard != WS_PTX_NO_REGISTER;

    if (to == NULL)
        return;
    if (to->kind == WS_PTX_REGISTER) {
        write_register(walk, to->index, i, guarded);
        if (to->second != WS_PTX_NO_REGISTER)
            write_register(walk, to->second, i, guarded);
    }
    for (guint32 n = 0; to->kind == WS_PTX_VECTOR && n < to->count; n++)
        if (element_of(walk, to, n)->kind == WS_PTX_REGISTER)
            write_register(walk, element_of(walk, to, n)->index, i, guarded);
}

/* ---- basic blocks, and what follows them in any case --------------------------------------------
 */

static gboolean is_jump(const WsPtxStatement *statement)
{
    static const char *const names[] = {"bra", "brx", "ret", "exit", "call", NULL};

    return statement->kind == WS_PTX_STATEMENT_INSTRUCTION &&
           g_strv_contains(names, statement->opcode);
}

/* What is executed behind a statement in any case; the end of the function where that is not known.
 */
static guint32 next_of(const Walk *walk, guint32 i)
{
    const WsPtxStatement *statement = statement_at(walk, i);
    guint32 end = walk->function->statements->len;

    if (!is_jump(statement))
        return i + 1;
    if (strcmp(statement->opcode, "bra") != 0 || statement->guard != WS_PTX_NO_REGISTER ||
        operand_of(walk, statement, 0)->kind != WS_PTX_LABEL)
        return end;
    return g_array_index(walk->function->labels, WsPtxLabel, operand_of(walk, statement, 0)->index)
        .statement;
}

/* The block from `first` on, and a part of the blocks that are executed behind it. */
static void walk_from(Walk *walk, guint32 first)
{
    gboolean inside = TRUE;
    guint behind = 0;

    for (guint32 i = first; i < walk->function->statements->len && behind < MOST_BEHIND;
         i = next_of(walk, i)) {
        const WsPtxStatement *statement = statement_at(walk, i);

        if (statement->kind == WS_PTX_STATEMENT_INSTRUCTION) {
            use_operands(walk, i);
            write_results(walk, i);
        }
        inside = inside && !is_jump(statement) && (i == first || !is_label(statement));
        behind += !inside;
    }
    for (guint n = 0; n < walk->fresh->len; n++)
        walk->last[g_array_index(walk->fresh, guint32, n)] = 0;
    g_array_set_size(walk->fresh, 0);
}

static void find_uses(Walk *walk)
{
    gboolean begins = TRUE;

    for (guint32 i = 0; i < walk->function->statements->len; i++) {
        const WsPtxStatement *statement = statement_at(walk, i);

        if (begins || is_label(statement))
            walk_from(walk, i);
        begins = is_jump(statement);
    }
}

/* ---- what matters -------------------------------------------------------------------------------
 */

/* Backwards, since users stand behind what they use, but for jumps. */
static void note_loads(const Walk *walk, guint8 *loads, guint32 lines)
{
    guint32 count = walk->function->statements->len;
    g_autofree guint8 *matters = g_malloc0((gsize)count + 1);

    for (gboolean changed = TRUE; changed;) {
        changed = FALSE;
        for (guint i = walk->uses->len; i > 0; i--) {
            const Use *use = &g_array_index(walk->uses, Use, i - 1);
            guint8 more = !use->passes || matters[use->user];

            changed |= more > matters[use->maker];
            matters[use->maker] |= more;
        }
    }
    for (guint32 i = 0; i < count; i++) {
        const WsPtxStatement *statement = statement_at(walk, i);
        guint32 line = (guint32)statement->position.line;

        if (statement->kind == WS_PTX_STATEMENT_INSTRUCTION && is_load(statement) && line <= lines)
            loads[line] = matters[i] || strstr(statement->full, ".volatile") != NULL;
    }
}

guint8 *ws_ptx_sure_loads(const WsPtxModule *module, guint32 lines)
{
    guint8 *loads = g_malloc0((gsize)lines + 1);

    for (guint f = 0; f < module->functions->len; f++) {
        const WsPtxFunction *function = module->functions->pdata[f];
        g_autofree guint32 *last = g_new0(guint32, (gsize)function->registers->len + 1);
        g_autoptr(GArray) uses = g_array_new(FALSE, FALSE, sizeof(Use));
        g_autoptr(GArray) fresh = g_array_new(FALSE, FALSE, sizeof(guint32));
        Walk walk = {function, last, uses, fresh};

        find_uses(&walk);
        note_loads(&walk, loads, lines);
    }
    return loads;
}
