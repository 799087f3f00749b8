/* Calls of the system in the functional interpreter: printf, failed assertions. */
#include "sim/base/call_fault.h"
#include "sim/base/print_text.h"
#include "sim/interpreter/private.h"
#include "sim/memory/assertion_text.h"

#include <string.h>

typedef struct {
    WsInterpreter *interpreter;
    const WsInterpretedWarp *warp;
    guint lane;
} Reader;

static gboolean read_memory(void *data, guint64 address, guint bytes, void *ret)
{
    const Reader *reader = data;
    const guint8 *place =
        ws_interpret_place(reader->interpreter, reader->warp, reader->lane, address, bytes);
    if (place != NULL)
        memcpy(ret, place, bytes);
    return place != NULL;
}

static guint64 pair_value(const WsInterpreter *interpreter, const WsInterpretedWarp *warp, gint row,
                          guint lane)
{
    const WsDecodedProgram *program = interpreter->program;
    guint32 low = ws_row_value(program, &warp->registers, row, lane);
    guint32 high = ws_row_value(program, &warp->registers, row < 0 ? row - 1 : row + 1, lane);
    return low | (guint64)high << 32;
}

gboolean ws_interpret_system(WsInterpreter *interpreter, WsInterpretedWarp *warp,
                             const WsDecoded *instruction, guint64 mask, GError **error)
{
    WsPrintLog *log = interpreter->options != NULL ? interpreter->options->printed : NULL;
    Reader reader = {interpreter, warp, 0};
    const WsPrintMemory memory = {read_memory, &reader};
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint64 rest = mask; rest != 0; rest &= rest - 1) {
        guint lane = reader.lane = (guint)__builtin_ctzll(rest);
        WsPrintEnd end;
        g_string_truncate(text, 0);
        ws_print_text(text, &memory, pair_value(interpreter, warp, instruction->a, lane),
                      pair_value(interpreter, warp, instruction->b, lane),
                      interpreter->job->device->printf_bytes, &end);
        if (end.fault != NULL) {
            g_autofree char *described =
                ws_global_memory_describe(interpreter->memory, end.address);
            ws_interpret_fault(interpreter, warp, lane, error,
                               "%s: address 0x%" G_GINT64_MODIFIER "x, %s", end.fault, end.address,
                               described);
            return FALSE;
        }
        const WsPrintedCall call = {.lane = lane, .length = (guint32)text->len};
        if (log != NULL && call.length > 0)
            ws_print_log_add(log, &call, text->str);
        if (instruction->d >= 0)
            warp->registers
                .registers[(gsize)instruction->d * interpreter->program->warp_size + lane] =
                (guint32)end.returned;
    }
    interpreter->changes++;
    return TRUE;
}

void ws_interpret_trap(const WsInterpreter *interpreter, const WsInterpretedWarp *warp,
                       const WsDecoded *instruction, guint lane, GError **error)
{
    const guint32 *size = interpreter->launch->block;
    guint32 number = warp->context.first_thread + lane;
    const guint32 thread[3] = {number % size[0], number / size[0] % size[1],
                               number / size[0] / size[1]};
    g_autofree char *text = NULL;
    if (instruction->kind == WS_KIND_ASSERTFAIL)
        text = ws_assertion_text(interpreter->memory, interpreter->program, instruction,
                                 &warp->registers, lane, interpreter->block->index, thread);
    guint kind = text != NULL ? WS_TRAP_ASSERT : ws_decoded_modifier(instruction, TRAP);
    ws_interpret_fault(interpreter, warp, lane, error, "%s%s%s", ws_trap_text(kind),
                       text != NULL ? ": " : "", text != NULL ? text : "");
}
