#include "isa/ptx/copies.h"

#include <string.h>

enum { BITS = 8, WIDTH = 8 /* bytes of a register */, SOURCES = 2 };

/* What a register holds, and who reads it. */
typedef struct {
    WsPtxCopiedByte bytes[WIDTH];
    guint32 from[SOURCES]; /* registers + 1 that it is made of */
    gboolean is_copy;      /* of bytes from loads and zeros */
    gboolean written;      /* by something */
    gboolean mixed;        /* by several, or by what is no copy */
    gboolean used;         /* for more than to be copied */
} Register;

typedef struct {
    const WsPtxFunction *function;
    Register *registers;
} Walk;

static const WsPtxOperand *operand_at(const Walk *walk, guint32 n)
{
    return &g_array_index(walk->function->operands, WsPtxOperand, n);
}

static const WsPtxOperand *operand_of(const Walk *walk, const WsPtxStatement *statement, guint32 n)
{
    return operand_at(walk, statement->first_operand + n);
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

static WsPtxType last_type(const WsPtxStatement *statement)
{
    const char *dot = strrchr(statement->full, '.');

    return dot == NULL ? WS_PTX_NONE : ws_ptx_type_find(dot + 1);
}

static guint32 last_type_bytes(const WsPtxStatement *statement)
{
    return ws_ptx_type_bits(last_type(statement)) / BITS;
}

/* ---- registers ----------------------------------------------------------------------------------
 */

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

/* `value` is what the operand gets, or NULL. */
static void write_register(const Walk *walk, const WsPtxOperand *to, const Register *value)
{
    if (to->kind != WS_PTX_REGISTER)
        return;
    Register *written = &walk->registers[to->index];
    const gboolean again = written->written, used = written->used;
    if (value != NULL && !again)
        *written = *value;
    for (guint s = 0; value != NULL && again && s < SOURCES; s++)
        if (value->from[s] != 0)
            walk->registers[value->from[s] - 1].used = TRUE;
    written->used = used;
    written->mixed = written->mixed || again || value == NULL;
    written->written = TRUE;
    if (to->second != WS_PTX_NO_REGISTER)
        walk->registers[to->second].mixed = TRUE;
}

static void load_registers(const Walk *walk, const WsPtxStatement *statement)
{
    const WsPtxOperand *to = operand_of(walk, statement, 0);
    const guint32 bytes = last_type_bytes(statement);

    for (guint32 i = 0; i < width(to); i++) {
        Register value = {.is_copy = bytes > 0 && bytes <= WIDTH};
        for (guint32 b = 0; b < MIN(bytes, WIDTH); b++)
            value.bytes[b] = (WsPtxCopiedByte){(guint32)statement->position.line, bytes * i + b};
        write_register(walk, element(walk, to, i), &value);
    }
    use_registers(walk, operand_of(walk, statement, 1));
}

static const Register *copied_register(const Walk *walk, const WsPtxOperand *operand)
{
    const Register *from =
        operand->kind == WS_PTX_REGISTER ? &walk->registers[operand->index] : NULL;

    return from != NULL && from->written && from->is_copy && !from->mixed ? from : NULL;
}

static gboolean merge(const Register *a, const Register *b, Register *ret)
{
    for (guint32 i = 0; i < WIDTH; i++) {
        if (a->bytes[i].load != 0 && b->bytes[i].load != 0)
            return FALSE;
        ret->bytes[i] = a->bytes[i].load != 0 ? a->bytes[i] : b->bytes[i];
    }
    return TRUE;
}

/* Bytes of `from` moved up by `by`, or down; those behind `bytes` are zero. */
static void move(const Register *from, gint by, guint32 bytes, Register *ret)
{
    for (gint i = 0; i < WIDTH; i++) {
        const gint source = i - by;
        ret->bytes[i] = i < (gint)bytes && source >= 0 && source < (gint)bytes
                            ? from->bytes[source]
                            : (WsPtxCopiedByte){0};
    }
}

static gboolean shift_of(const WsPtxOperand *amount, gint *ret)
{
    *ret = (gint)(amount->value / BITS);
    return amount->kind == WS_PTX_INTEGER && amount->value % BITS == 0 &&
           amount->value < (guint64)BITS * WIDTH;
}

/* What the statement makes of bytes that are copied; FALSE if it is no part of a copy. */
static gboolean copied_value(const Walk *walk, const WsPtxStatement *statement, Register *ret)
{
    const guint32 bytes = last_type_bytes(statement);
    const gboolean is_signed = ws_ptx_type_kind(last_type(statement)) == WS_PTX_KIND_SIGNED;
    const gboolean two = statement->operand_count == 1 + SOURCES;
    const Register *from =
        statement->operand_count < 2 ? NULL : copied_register(walk, operand_of(walk, statement, 1));
    gint shift = 0;

    if (from == NULL || bytes == 0 || bytes > WIDTH)
        return FALSE;
    *ret = (Register){.is_copy = TRUE};
    ret->from[0] = operand_of(walk, statement, 1)->index + 1;
    if (strcmp(statement->opcode, "mov") == 0 && !two) {
        move(from, 0, bytes, ret);
        return TRUE;
    }
    if (strcmp(statement->opcode, "shl") == 0 && two) {
        const gboolean whole = shift_of(operand_of(walk, statement, 2), &shift);
        move(from, shift, bytes, ret);
        return whole;
    }
    if (strcmp(statement->opcode, "shr") == 0 && two && !is_signed) {
        const gboolean whole = shift_of(operand_of(walk, statement, 2), &shift);
        move(from, -shift, bytes, ret);
        return whole;
    }
    if (strcmp(statement->opcode, "or") != 0 || !two)
        return FALSE;
    const Register *other = copied_register(walk, operand_of(walk, statement, 2));
    ret->from[1] = operand_of(walk, statement, 2)->index + 1;
    return other != NULL && merge(from, other, ret);
}

/* The first operand of all but stores is taken to be written; where it is read, a use is missed. */
static void note_statement(const Walk *walk, const WsPtxStatement *statement)
{
    gboolean store = is_store(statement);
    gboolean reads_all =
        strcmp(statement->opcode, "red") == 0 || strcmp(statement->opcode, "bra") == 0 ||
        strcmp(statement->opcode, "bar") == 0 || strcmp(statement->opcode, "call") == 0;
    Register value;

    if (statement->guard != WS_PTX_NO_REGISTER)
        walk->registers[statement->guard].used = TRUE;
    if (is_load(statement)) {
        load_registers(walk, statement);
        return;
    }
    if (copied_value(walk, statement, &value)) {
        write_register(walk, operand_of(walk, statement, 0), &value);
        return;
    }
    for (guint32 i = 0; i < statement->operand_count; i++) {
        const WsPtxOperand *operand = operand_of(walk, statement, i);

        if (i == 0 && !store && !reads_all)
            for (guint32 e = 0; e < width(operand); e++)
                write_register(walk, element(walk, operand, e), NULL);
        else if (i != 1 || !store)
            use_registers(walk, operand);
    }
}

/* What is made of a mixed register is mixed; what a used or mixed one is made of is used. */
static void spread(Register *registers, guint32 count)
{
    for (gboolean changed = TRUE; changed;) {
        changed = FALSE;
        for (guint32 r = 0; r < count; r++)
            for (guint s = 0; s < SOURCES; s++) {
                Register *to = &registers[r], *from = &registers[MAX(to->from[s], 1) - 1];
                const gboolean mixes = to->from[s] != 0 && from->mixed && !to->mixed;
                const gboolean uses = to->from[s] != 0 && (to->used || to->mixed) && !from->used;

                to->mixed = to->mixed || mixes;
                from->used = from->used || uses;
                changed = changed || mixes || uses;
            }
    }
}

/* ---- lines --------------------------------------------------------------------------------------
 */

static void note_store(const Walk *walk, const WsPtxStatement *statement, WsPtxCopies *copies)
{
    enum { MOST = 16 };
    const WsPtxOperand *value = operand_of(walk, statement, 1);
    const guint32 bytes = last_type_bytes(statement), line = (guint32)statement->position.line;
    const guint first = copies->bytes->len;
    gboolean any = FALSE;

    if (bytes == 0 || bytes > WIDTH || bytes * width(value) > MOST)
        return;
    for (guint32 i = 0; i < width(value); i++) {
        const Register *from = copied_register(walk, element(walk, value, i));
        for (guint32 b = 0; b < bytes; b++) {
            const WsPtxCopiedByte byte = from == NULL ? (WsPtxCopiedByte){0} : from->bytes[b];
            any = any || byte.load != 0;
            g_array_append_val(copies->bytes, byte);
        }
    }
    if (!any) {
        g_array_set_size(copies->bytes, first);
        return;
    }
    copies->first_byte[line] = first + 1;
    copies->byte_count[line] = (guint8)(copies->bytes->len - first);
}

static void note_line(const Walk *walk, const WsPtxStatement *statement, WsPtxCopies *copies)
{
    if (is_store(statement)) {
        note_store(walk, statement, copies);
    } else if (is_load(statement)) {
        const WsPtxOperand *to = operand_of(walk, statement, 0);
        gboolean copied = TRUE;

        for (guint32 i = 0; i < width(to); i++) {
            const Register *into = copied_register(walk, element(walk, to, i));
            copied = copied && into != NULL && !into->used;
        }
        copies->is_copied[statement->position.line] = copied;
    }
}

static void walk_function(const WsPtxFunction *function, WsPtxCopies *copies, guint32 lines)
{
    g_autofree Register *registers = g_new0(Register, MAX(function->registers->len, 1));
    const Walk walk = {function, registers};

    for (guint pass = 0; pass < 2; pass++) {
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
        if (pass == 0)
            spread(registers, function->registers->len);
    }
}

WsPtxCopies *ws_ptx_copies(const WsPtxModule *module, guint32 lines)
{
    WsPtxCopies *copies = g_new0(WsPtxCopies, 1);

    copies->is_copied = g_malloc0((gsize)lines + 1);
    copies->byte_count = g_malloc0((gsize)lines + 1);
    copies->first_byte = g_new0(guint32, (gsize)lines + 1);
    copies->bytes = g_array_new(FALSE, FALSE, sizeof(WsPtxCopiedByte));
    for (guint f = 0; f < module->functions->len; f++)
        walk_function(module->functions->pdata[f], copies, lines);
    return copies;
}

void ws_ptx_copies_free(WsPtxCopies *copies)
{
    if (copies == NULL)
        return;
    g_free(copies->is_copied);
    g_free(copies->byte_count);
    g_free(copies->first_byte);
    g_array_unref(copies->bytes);
    g_free(copies);
}
