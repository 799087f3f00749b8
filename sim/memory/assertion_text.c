#include "sim/memory/assertion_text.h"

#include "isa/base/escape.h"
#include "sim/memory/global_memory.h"

enum { LONGEST = 4096 };

/* The string at the address in two words of a quad. */
static char *read_text(const WsGlobalMemory *memory, guint64 address)
{
    g_autoptr(GString) text = g_string_new(NULL);

    while (text->len < LONGEST) {
        const guint8 *at = ws_global_memory_at(memory, address + text->len, 1);
        if (at == NULL)
            return g_strdup("?");
        if (*at == 0)
            break;
        g_string_append_c(text, (char)*at);
    }
    return ws_escape_controls(text->str, (gssize)text->len, "");
}

static guint32 word(const WsDecodedProgram *program, const WsWarpRegisters *registers, gint row,
                    gint number, guint lane)
{
    return ws_row_value(program, registers, row < 0 ? row - number : row + number, lane);
}

char *ws_assertion_text(const WsGlobalMemory *memory, const WsDecodedProgram *program,
                        const WsDecoded *instruction, const WsWarpRegisters *registers, guint lane,
                        const guint32 block[3], const guint32 thread[3])
{
    const gint a = instruction->a, b = instruction->b;
    const guint64 text =
        word(program, registers, a, 0, lane) | (guint64)word(program, registers, a, 1, lane) << 32;
    const guint64 file =
        word(program, registers, a, 2, lane) | (guint64)word(program, registers, a, 3, lane) << 32;
    const guint64 function =
        word(program, registers, b, 0, lane) | (guint64)word(program, registers, b, 1, lane) << 32;
    g_autofree char *what = read_text(memory, text), *where = read_text(memory, file);
    g_autofree char *of = read_text(memory, function);

    return g_strdup_printf(
        "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.", where,
        word(program, registers, b, 2, lane), of, block[0], block[1], block[2], thread[0],
        thread[1], thread[2], what);
}
