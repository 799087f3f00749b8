/* Operands that are not plain rows: negated, absolute, flushed, uniform; dropped destinations. */
#include "sim/lanes/float.h"

/* A word x becomes ((x & keep) ^ flip) + plus: what |x| and -x are for a kind of operand. */
typedef struct {
    guint32 keep, flip, plus;
} Change;

static Change change_of(WsPrepare how, guint flags)
{
    gboolean negate = flags & WS_NEGATE_A, absolute = flags & WS_ABSOLUTE_A;
    guint32 sign = how == WS_PREPARE_HALF ? 0x80008000u : WS_SIGN32;
    switch (how) {
    case WS_PREPARE_PLAIN:
        return (Change){~0u, 0, 0};
    case WS_PREPARE_BITS:
        return (Change){~0u, negate ? ~0u : 0, 0};
    case WS_PREPARE_INTEGER:
        return (Change){~0u, negate ? ~0u : 0, negate};
    default:
        return (Change){absolute ? ~sign : ~0u, negate ? sign : 0, 0};
    }
}

static void copy_word(guint32 *ret, const guint32 *source, guint n, Change change, gboolean flush)
{
    for (guint lane = 0; lane < n; lane++) {
        guint32 bits = flush ? ws_flush32(source[lane]) : source[lane];
        ret[lane] = ((bits & change.keep) ^ change.flip) + change.plus;
    }
}

/* Copies one operand into scratch words, prepared. */
static const guint32 *prepare_operand(const WsDecodedProgram *program, const WsWarpRegisters *warp,
                                      gint row, WsPrepare how, guint words, guint flags,
                                      gboolean flush, guint32 *scratch)
{
    guint n = program->warp_size;
    gboolean plain = row < WS_ROW_UNIFORM;
    if (plain && !flags && !flush) {
        const guint32 *base = row >= 0 ? warp->registers : program->pool;
        return base + (gsize)(row >= 0 ? row : ~row) * n;
    }
    for (guint word = 0; word < words; word++) {
        gint source = row < 0 ? row - (gint)word : row + (gint)word;
        gboolean touched = how != WS_PREPARE_F64 || word == 1;
        Change change = change_of(touched ? how : WS_PREPARE_PLAIN, flags);
        guint32 *target = scratch + (gsize)word * n;
        if (plain) {
            const guint32 *base = row >= 0 ? warp->registers : program->pool;
            copy_word(target, base + (gsize)(source >= 0 ? source : ~source) * n, n, change, flush);
        } else {
            for (guint lane = 0; lane < n; lane++) {
                target[lane] = warp->uniform[source - WS_ROW_UNIFORM];
            }
            copy_word(target, target, n, change, flush);
        }
    }
    /* Two's complement of a pair: the high word is ~x, plus one only where the low word was 0. */
    if (words == 2 && how == WS_PREPARE_INTEGER && flags & WS_NEGATE_A) {
        for (guint lane = 0; lane < n; lane++) {
            scratch[n + lane] -= scratch[lane] != 0;
        }
    }
    return scratch;
}

WsRows WS_NAME(prepare)(const WsDecodedProgram *program, const WsDecoded *instruction,
                        WsWarpRegisters *warp, WsPrepare how, const guint8 words[4],
                        WsScratch *scratch)
{
    guint flags = instruction->flags;
    gboolean flush = how == WS_PREPARE_F32 && WS_FTZ_OF(flags);
    gint rows[3] = {instruction->a, instruction->b, instruction->c};
    const guint32 *source[3] = {NULL, NULL, NULL};
    for (guint operand = 0; operand < 3; operand++) {
        if (words[operand + 1]) {
            source[operand] =
                prepare_operand(program, warp, rows[operand], how, words[operand + 1],
                                flags >> (2 * operand) & 3, flush, scratch->word[operand]);
        }
    }
    guint32 *destination = instruction->d >= 0
                               ? warp->registers + (gsize)instruction->d * program->warp_size
                               : scratch->word[3];
    return (WsRows){source[0], source[1], source[2], destination};
}
