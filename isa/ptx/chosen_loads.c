#include "isa/ptx/chosen_loads.h"

#include <string.h>

enum { MOST_USES = 1 << 20 /* of a function: beyond it no load is taken to be spare */ };

typedef enum {
    PLAIN,  /* the user computes from it, and does nothing else */
    CHOICE, /* the user is a choice that may take it */
    OTHER
} Role;

/* A statement that reads what another one may have put into a register. */
typedef struct {
    guint32 maker, user;
    Role role;
} Use;

typedef struct {
    const WsPtxFunction *function;
    GArray **makers;  /* by register: of guint32, statements that write it; or NULL */
    guint32 *last;    /* by register: the last statement + 1 that wrote it in this basic block */
    guint32 *written; /* by register: the block + 1 in which `last` holds */
    guint32 block;
    GArray *uses; /* of Use */
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

/* Computes its first operand from the others, and does nothing else. */
static gboolean is_plain(const WsPtxStatement *statement)
{
    static const char *const names[] = {"mov", "cvt", "add",  "sub", "mul",  "mad", "fma", "neg",
                                        "abs", "and", "or",   "xor", "not",  "shl", "shr", "min",
                                        "max", "div", "sqrt", "rcp", "lop3", NULL};

    return g_strv_contains(names, statement->opcode);
}

static gboolean is_load(const WsPtxStatement *statement)
{
    return strcmp(statement->opcode, "ld") == 0;
}

static gboolean is_choice(const WsPtxStatement *statement)
{
    return strcmp(statement->opcode, "selp") == 0;
}

/* ---- who reads what -----------------------------------------------------------------------------
 */

static void add_use(Walk *walk, guint32 maker, guint32 user, Role role)
{
    const Use use = {maker, user, role};

    if (walk->uses->len <= MOST_USES)
        g_array_append_val(walk->uses, use);
}

static void use_register(Walk *walk, guint32 index, guint32 user, Role role)
{
    const GArray *makers = walk->makers[index];

    if (walk->written[index] == walk->block + 1) {
        add_use(walk, walk->last[index] - 1, user, role);
        return;
    }
    for (guint i = 0; makers != NULL && i < makers->len; i++)
        add_use(walk, g_array_index(makers, guint32, i), user, role);
}

static void use_operand(Walk *walk, const WsPtxOperand *operand, guint32 user, Role role)
{
    gboolean address = operand->kind == WS_PTX_ADDRESS || operand->kind == WS_PTX_TEXTURE;

    if (operand->kind == WS_PTX_VECTOR || operand->kind == WS_PTX_TEXTURE)
        for (guint32 i = 0; i < operand->count; i++)
            use_operand(walk, element_of(walk, operand, i), user, role);
    if (address && operand->base == WS_PTX_REGISTER)
        use_register(walk, operand->index, user, OTHER);
    else if (operand->kind == WS_PTX_REGISTER)
        use_register(walk, operand->index, user, role);
}

static void use_operands(Walk *walk, guint32 i)
{
    const WsPtxStatement *statement = statement_at(walk, i);
    gboolean plain = is_plain(statement), choice = is_choice(statement);

    if (statement->guard != WS_PTX_NO_REGISTER)
        use_register(walk, statement->guard, i, OTHER);
    for (guint n = plain || choice || is_load(statement) ? 1 : 0; n < statement->operand_count; n++)
        use_operand(walk, operand_of(walk, statement, n), i,
                    plain                          ? PLAIN
                    : choice && (n == 1 || n == 2) ? CHOICE
                                                   : OTHER);
}

/* ---- who writes what ----------------------------------------------------------------------------
 */

static void write_register(Walk *walk, guint32 index, guint32 maker, gboolean guarded)
{
    walk->last[index] = maker + 1;
    /* A guarded one may leave what was there. */
    walk->written[index] = guarded ? 0 : walk->block + 1;
}

static void note_maker(Walk *walk, guint32 index, guint32 maker, gboolean guarded)
{
    if (walk->makers[index] == NULL)
        walk->makers[index] = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_array_append_val(walk->makers[index], maker);
}

/* Calls `put` for each register that the statement writes. */
static void each_result(Walk *walk, guint32 i,
                        void (*put)(Walk *, guint32 index, guint32 maker, gboolean guarded))
{
    const WsPtxStatement *statement = statement_at(walk, i);
    const WsPtxOperand *to = statement->operand_count > 0 ? operand_of(walk, statement, 0) : NULL;
    gboolean guarded = statement->guard != WS_PTX_NO_REGISTER;

    if (to == NULL)
        return;
    if (to->kind == WS_PTX_REGISTER) {
        put(walk, to->index, i, guarded);
        if (to->second != WS_PTX_NO_REGISTER)
            put(walk, to->second, i, guarded);
    }
    for (guint32 n = 0; to->kind == WS_PTX_VECTOR && n < to->count; n++)
        if (element_of(walk, to, n)->kind == WS_PTX_REGISTER)
            put(walk, element_of(walk, to, n)->index, i, guarded);
}

static gboolean ends_block(const WsPtxStatement *statement)
{
    static const char *const names[] = {"bra", "brx", "ret", "exit", "call", NULL};

    return statement->kind != WS_PTX_STATEMENT_INSTRUCTION ||
           g_strv_contains(names, statement->opcode);
}

static void find_uses(Walk *walk)
{
    guint32 count = walk->function->statements->len;

    for (guint32 i = 0; i < count; i++)
        if (statement_at(walk, i)->kind == WS_PTX_STATEMENT_INSTRUCTION)
            each_result(walk, i, note_maker);
    for (guint32 i = 0; i < count; i++) {
        const WsPtxStatement *statement = statement_at(walk, i);

        if (statement->kind == WS_PTX_STATEMENT_INSTRUCTION) {
            use_operands(walk, i);
            each_result(walk, i, write_register);
        }
        walk->block += ends_block(statement);
    }
}

/* ---- what follows -------------------------------------------------------------------------------
 */

enum { MATTERS = 1, CHOSEN = 2 };

/* By statement: whether its result has another use than to be chosen, and whether it is chosen. */
static guint8 *follow(const Walk *walk)
{
    guint8 *marks = g_malloc0((gsize)walk->function->statements->len + 1);

    for (gboolean changed = TRUE; changed;) {
        changed = FALSE;
        for (guint i = walk->uses->len; i > 0; i--) {
            const Use *use = &g_array_index(walk->uses, Use, i - 1);
            guint8 more = use->role == PLAIN    ? marks[use->user]
                          : use->role == CHOICE ? CHOSEN
                                                : MATTERS;
            changed |= (more & ~marks[use->maker]) != 0;
            marks[use->maker] |= more;
        }
    }
    return marks;
}

static void note_loads(const Walk *walk, guint8 *loads, guint32 lines)
{
    g_autofree guint8 *marks = walk->uses->len > MOST_USES ? NULL : follow(walk);

    for (guint32 i = 0; marks != NULL && i < walk->function->statements->len; i++) {
        const WsPtxStatement *statement = statement_at(walk, i);
        guint32 line = (guint32)statement->position.line;

        if (statement->kind == WS_PTX_STATEMENT_INSTRUCTION && is_load(statement) && line <= lines)
            loads[line] = marks[i] == CHOSEN;
    }
}

guint8 *ws_ptx_chosen_loads(const WsPtxModule *module, guint32 lines)
{
    guint8 *loads = g_malloc0((gsize)lines + 1);

    for (guint f = 0; f < module->functions->len; f++) {
        const WsPtxFunction *function = module->functions->pdata[f];
        gsize registers = (gsize)function->registers->len + 1;
        g_autofree GArray **makers = g_new0(GArray *, registers);
        g_autofree guint32 *last = g_new0(guint32, registers);
        g_autofree guint32 *written = g_new0(guint32, registers);
        g_autoptr(GArray) uses = g_array_new(FALSE, FALSE, sizeof(Use));
        Walk walk = {function, makers, last, written, 0, uses};

        find_uses(&walk);
        note_loads(&walk, loads, lines);
        for (gsize r = 0; r < registers; r++)
            if (makers[r] != NULL)
                g_array_unref(makers[r]);
    }
    return loads;
}
