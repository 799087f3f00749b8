#include "isa/ptx/copies.h"

#include <string.h>

/* Of a register: who writes and who reads it. */
typedef struct {
    guint32 load;     /* line of the load that wrote it; 0: none */
    gboolean written; /* by something */
    gboolean mixed;   /* by several, or by what is no load */
    gboolean used;    /* for more than to be stored */
} Register;

typedef struct {
    const WsPtxFunction *function;
    Register *registers;
} Walk;

static const WsPtxOperand *operand_at(const Walk *walk, guint32 n)
{
    return &g_array_index(walk->function->operands, WsPtxOperand, n);
}

/* Elements of a vector, or the operand alone. */
static guint32 width(const WsPtxOperand *operand)
{
    return operand->kind == WS_PTX_VECTOR ? operand->count : 1;
}

static const WsPtxOperand *element(const Walk *walk, const WsPtxOperand *operand, guint32 n)
{
    return operand->kind == WS_PTX_VECTOR ? operand_at(walk, operand->first + n) : operand;
}

static gboolean is_load(const WsPtxStatement *statement)
{
    return strcmp(statement->opcode, "ld") == 0 && statement->operand_count == 2;
}

static gboolean is_store(const WsPtxStatement *statement)
{
    return strcmp(statement->opcode, "st") == 0 && statement->operand_count == 2;
}

/* ---- registers ----------------------------------------------------------------------------------
 */

static void write_registers(const Walk *walk, const WsPtxOperand *operand, guint32 load)
{
    for (guint32 i = 0; i < width(operand); i++) {
        const WsPtxOperand *to = element(walk, operand, i);

        if (to->kind != WS_PTX_REGISTER)
            continue;
        Register *written = &walk->registers[to->index];
        written->mixed = written->mixed || written->written || load == 0;
        written->written = TRUE;
        written->load = load;
        if (to->second != WS_PTX_NO_REGISTER)
            walk->registers[to->second].mixed = TRUE;
    }
}

static void use_registers(const Walk *walk, const WsPtxOperand *operand)
{
    gboolean address = operand->kind == WS_PTX_ADDRESS || operand->kind == WS_PTX_TEXTURE;

    if ((address && operand->base == WS_PTX_REGISTER) || operand->kind == WS_PTX_REGISTER)
        walk->registers[operand->index].used = TRUE;
    if (operand->kind != WS_PTX_VECTOR && operand->kind != WS_PTX_TEXTURE)
        return;
    for (guint32 i = 0; i < operand->count; i++)
        use_registers(walk, operand_at(walk, operand->first + i));
}

/* The first operand of all but stores is taken to be written; where it is read, a use is missed. */
static void note_statement(const Walk *walk, const WsPtxStatement *statement)
{
    gboolean store = is_store(statement);
    gboolean reads_all =
        strcmp(statement->opcode, "red") == 0 || strcmp(statement->opcode, "bra") == 0 ||
        strcmp(statement->opcode, "bar") == 0 || strcmp(statement->opcode, "call") == 0;

    if (statement->guard != WS_PTX_NO_REGISTER)
        walk->registers[statement->guard].used = TRUE;
    for (guint32 i = 0; i < statement->operand_count; i++) {
        const WsPtxOperand *operand = operand_at(walk, statement->first_operand + i);

        if (i == 0 && !store && !reads_all)
            write_registers(walk, operand,
                            is_load(statement) ? (guint32)statement->position.line : 0);
        else if (i != 1 || !store)
            use_registers(walk, operand);
    }
}

/* The load that gave all registers of a value, and nothing else; 0 if there is none. */
static guint32 load_of(const Walk *walk, const WsPtxOperand *value)
{
    guint32 load = 0;

    for (guint32 i = 0; i < width(value); i++) {
        const WsPtxOperand *from = element(walk, value, i);

        if (from->kind != WS_PTX_REGISTER || walk->registers[from->index].mixed)
            return 0;
        if (i > 0 && walk->registers[from->index].load != load)
            return 0;
        load = walk->registers[from->index].load;
    }
    return load;
}

static void note_line(const Walk *walk, const WsPtxStatement *statement, WsPtxCopies *copies)
{
    guint32 line = (guint32)statement->position.line;

    if (is_store(statement)) {
        copies->stored_of[line] = load_of(walk, operand_at(walk, statement->first_operand + 1));
    } else if (is_load(statement)) {
        const WsPtxOperand *to = operand_at(walk, statement->first_operand);

        copies->is_copied[line] = load_of(walk, to) == line;
        for (guint32 i = 0; i < width(to) && copies->is_copied[line]; i++)
            copies->is_copied[line] = !walk->registers[element(walk, to, i)->index].used;
    }
}

static void walk_function(const WsPtxFunction *function, WsPtxCopies *copies, guint32 lines)
{
    g_autofree Register *registers = g_new0(Register, MAX(function->registers->len, 1));
    const Walk walk = {function, registers};

    for (guint pass = 0; pass < 2; pass++)
        for (guint i = 0; i < function->statements->len; i++) {
            const WsPtxStatement *statement =
                &g_array_index(function->statements, WsPtxStatement, i);

            if (statement->kind != WS_PTX_STATEMENT_INSTRUCTION ||
                (guint32)statement->position.line > lines)
                continue;
            if (pass == 0)
                note_statement(&walk, statement);
            else
                note_line(&walk, statement, copies);
        }
}

WsPtxCopies *ws_ptx_copies(const WsPtxModule *module, guint32 lines)
{
    WsPtxCopies *copies = g_new0(WsPtxCopies, 1);

    copies->is_copied = g_malloc0((gsize)lines + 1);
    copies->stored_of = g_new0(guint32, (gsize)lines + 1);
    for (guint f = 0; f < module->functions->len; f++)
        walk_function(module->functions->pdata[f], copies, lines);
    return copies;
}

void ws_ptx_copies_free(WsPtxCopies *copies)
{
    if (copies == NULL)
        return;
    g_free(copies->is_copied);
    g_free(copies->stored_of);
    g_free(copies);
}
