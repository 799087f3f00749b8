/* Memory of the functional interpreter: every access checked, lane by lane. */
#include "sim/base/call_fault.h"
#include "sim/base/shared_fault.h"
#include "sim/interpreter/private.h"
#include "sim/lanes/memory_operation.h"
#include "sim/memory/global_memory.h"
#include "sim/memory/matrix_load.h"
#include "sim/memory/texture.h"

#include <string.h>

enum { WINDOW_BYTES = 16 << 20 };

static guint8 *within(guint8 *base, guint64 size, guint64 offset, guint64 bytes)
{
    return offset <= size && bytes <= size - offset ? base + offset : NULL;
}

/* The space of a generic address, which becomes one in that space. */
static WsSpace space_of(WsSpace space, guint64 *address)
{
    if (space != WS_SPACE_GENERIC) {
        return space;
    }
    if (*address - WS_SHARED_WINDOW < WINDOW_BYTES) {
        *address -= WS_SHARED_WINDOW;
        return WS_SPACE_SHARED;
    }
    if (*address - WS_LOCAL_WINDOW < WINDOW_BYTES) {
        *address -= WS_LOCAL_WINDOW;
        return WS_SPACE_LOCAL;
    }
    return WS_SPACE_GLOBAL;
}

/* Host address of an access of one lane, or NULL. */
static guint8 *resolve(WsInterpreter *interpreter, const WsInterpretedWarp *warp,
                       const WsMemoryOperation *operation, guint lane, guint64 address)
{
    WsSpace space = space_of((WsSpace)operation->space, &address);
    if (space == WS_SPACE_SHARED) {
        return within(interpreter->block->shared, interpreter->shared_bytes, address,
                      operation->bytes);
    }
    if (space == WS_SPACE_LOCAL) {
        guint64 thread = warp->context.first_thread + lane;
        return within(interpreter->block->local + thread * interpreter->local_bytes,
                      interpreter->local_bytes, address, operation->bytes);
    }
    const WsRegion *region = ws_global_memory_find(interpreter->memory, address, operation->bytes);
    if (!region || (region->read_only && operation->action != WS_ACTION_LOAD)) {
        return NULL;
    }
    return region->data + (address - region->base);
}

guint8 *ws_interpret_place(WsInterpreter *interpreter, const WsInterpretedWarp *warp, guint lane,
                           guint64 address, guint64 bytes)
{
    const WsMemoryOperation read = {
        .space = WS_SPACE_GENERIC, .action = WS_ACTION_LOAD, .bytes = (guint8)bytes};
    return resolve(interpreter, warp, &read, lane, address);
}

/* "access out of bounds at 0x10010000, just past the end of buffer 'x' (f32[1024])" */
static void address_fault(const WsInterpreter *interpreter, const WsInterpretedWarp *warp,
                          WsSpace space, guint32 bytes, guint lane, guint64 address,
                          const char *what, GError **error)
{
    g_autofree char *described = NULL;
    const WsLaunch *launch = interpreter->launch;
    if (space == WS_SPACE_SHARED) {
        described = ws_shared_fault_describe(launch->kernel, launch->dynamic_shared_bytes,
                                             (gint32)(guint32)address, bytes);
    } else if (space == WS_SPACE_GENERIC && address - WS_SHARED_WINDOW < WINDOW_BYTES) {
        described = ws_shared_fault_describe(launch->kernel, launch->dynamic_shared_bytes,
                                             (gint64)(address - WS_SHARED_WINDOW), bytes);
    } else if (space == WS_SPACE_LOCAL ||
               (space == WS_SPACE_GENERIC && address - WS_LOCAL_WINDOW < WINDOW_BYTES)) {
        described =
            ws_stack_fault_describe(launch->kernel, ws_launch_stack_bytes(launch),
                                    space == WS_SPACE_LOCAL ? address : address - WS_LOCAL_WINDOW);
    }
    if (described == NULL && space != WS_SPACE_LOCAL) {
        described = ws_global_memory_describe(interpreter->memory, address);
    }
    ws_interpret_fault(interpreter, warp, lane, error, "%s 0x%" G_GINT64_MODIFIER "x%s%s", what,
                       address, described != NULL ? ", " : "", described != NULL ? described : "");
}

static gboolean interpret_texture(WsInterpreter *interpreter, WsInterpretedWarp *warp,
                                  const WsDecoded *instruction, guint64 mask, GError **error)
{
    for (guint64 rest = mask; rest; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        WsTextureSample sample;
        guint64 handle;
        const char *fault = ws_texture_fetch(interpreter->memory, interpreter->program, instruction,
                                             &warp->registers, lane, &sample, &handle);
        if (fault) {
            ws_interpret_fault(interpreter, warp, lane, error, "%s", fault);
            return FALSE;
        }
        ws_texture_return(interpreter->program, instruction, &warp->registers, lane, &sample);
    }
    return TRUE;
}

static gboolean interpret_matrix_load(WsInterpreter *interpreter, WsInterpretedWarp *warp,
                                      const WsDecoded *instruction, guint64 mask, GError **error)
{
    guint64 address[WS_MAX_WARP_SIZE];
    const guint8 *rows[WS_MAX_WARP_SIZE];
    WsAddressSpan span;
    if (mask == 0) {
        return TRUE;
    }
    if (mask != interpreter->program->all_lanes) {
        ws_interpret_fault(interpreter, warp, (guint)__builtin_ctzll(mask), error,
                           WS_LANES_MISSING);
        return FALSE;
    }
    ws_lane_addresses(interpreter->program, instruction, &warp->registers, mask,
                      WS_MATRIX_ROW_BYTES, address, &span);
    for (guint64 rest = ws_matrix_load_lanes(instruction); rest; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        rows[lane] = within(interpreter->block->shared, interpreter->shared_bytes, address[lane],
                            WS_MATRIX_ROW_BYTES);
        if (!rows[lane] || address[lane] % WS_MATRIX_ROW_BYTES) {
            address_fault(interpreter, warp, WS_SPACE_SHARED, WS_MATRIX_ROW_BYTES, lane,
                          address[lane], "matrix row out of bounds or misaligned at", error);
            return FALSE;
        }
        if (G_UNLIKELY(interpreter->watcher != NULL)) {
            const WsWatchedAccess access = {.slot = interpreter->block->slot,
                                            .thread = warp->context.first_thread + lane,
                                            .instruction = interpreter->at,
                                            .space = WS_SPACE_SHARED,
                                            .action = WS_ACTION_LOAD,
                                            .bytes = WS_MATRIX_ROW_BYTES,
                                            .address = address[lane],
                                            .decoded = instruction,
                                            .contents = rows[lane]};
            interpreter->watcher->access(interpreter->watcher->data, &access);
        }
    }
    ws_matrix_load(instruction, &warp->registers, rows);
    return TRUE;
}

/* Whether a lane's write is the one that is watched for. */
static void note_write(const WsInterpreter *interpreter, const WsInterpretedWarp *warp, guint lane,
                       guint64 address, guint bytes)
{
    WsLastWrite *watch = interpreter->options == NULL ? NULL : interpreter->options->watch;
    if (watch == NULL || address > watch->address || watch->address - address >= bytes) {
        return;
    }
    watch->found = TRUE;
    watch->instruction = interpreter->at;
    memcpy(watch->block, interpreter->block->index, sizeof watch->block);
    const guint32 *size = interpreter->launch->block;
    guint32 thread = warp->context.first_thread + lane;
    watch->thread[0] = thread % size[0];
    watch->thread[1] = thread / size[0] % size[1];
    watch->thread[2] = thread / size[0] / size[1];
}

/* Tells the watcher of an access that takes effect next. */
static void emit_access(const WsInterpreter *interpreter, const WsInterpretedWarp *warp,
                        const WsDecoded *instruction, const WsOperandRows *rows, guint lane,
                        guint64 address, const guint8 *at, WsWatchedAccess *ret)
{
    const WsMemoryOperation *operation = &instruction->operation;
    guint8 stored[16];

    *ret = (WsWatchedAccess){
        .slot = interpreter->block->slot,
        .thread = warp->context.first_thread + lane,
        .instruction = interpreter->at,
        .space = space_of((WsSpace)operation->space, &address),
        .action = (WsMemoryAction)operation->action,
        .bytes = operation->bytes,
        .address = address,
        .decoded = instruction,
        .contents = at,
    };
    if (operation->action == WS_ACTION_STORE) {
        ws_lane_store(operation, rows, lane, stored);
        ret->stored = stored;
    }
    interpreter->watcher->access(interpreter->watcher->data, ret);
}

/* One lane's part of an instruction, at its place in this process. */
static void access_lane(WsInterpreter *interpreter, const WsInterpretedWarp *warp,
                        const WsDecoded *instruction, const WsOperandRows *rows, guint lane,
                        guint64 address, guint8 *at)
{
    const WsMemoryOperation *operation = &instruction->operation;
    const WsInterpretWatcher *watcher = interpreter->watcher;
    WsWatchedAccess access;

    if (G_UNLIKELY(watcher != NULL)) {
        emit_access(interpreter, warp, instruction, rows, lane, address, at, &access);
    }
    if (operation->action == WS_ACTION_LOAD) {
        ws_lane_load(operation, rows, lane, at);
        return;
    }
    note_write(interpreter, warp, lane, address, operation->bytes);
    if (operation->action == WS_ACTION_STORE) {
        ws_lane_store(operation, rows, lane, at);
        /* A thread's own memory is of no concern to those that wait. */
        interpreter->changes += space_of((WsSpace)operation->space, &address) != WS_SPACE_LOCAL;
        return;
    }
    guint64 old = 0, now = 0;
    gsize bytes = MIN(operation->bytes, sizeof now);
    ws_lane_atomic(operation, rows, lane, at, &old);
    memcpy(&now, at, bytes);
    interpreter->changes += memcmp(&now, &old, bytes) != 0;
    if (G_UNLIKELY(watcher != NULL)) {
        watcher->atomic_done(watcher->data, &access, memcmp(&now, &old, bytes) != 0);
    }
    ws_lane_return(operation, rows, lane, old);
}

/* What a block does that waits for another one. */
static gboolean is_poll(const WsDecoded *instruction)
{
    const WsMemoryOperation *operation = &instruction->operation;
    if (operation->space == WS_SPACE_SHARED || operation->space == WS_SPACE_LOCAL) {
        return FALSE;
    }
    guint cache = operation->action == WS_ACTION_LOAD ? ws_decoded_modifier(instruction, CACHE) : 0;
    return ws_action_is_atomic(operation->action) ||
           (cache >= WS_CACHE_STRONG_CTA && cache <= WS_CACHE_STRONG_SYS);
}

/* Kinds whose lanes do not each reach memory for themselves. */
static gboolean interpret_together(WsInterpreter *interpreter, WsInterpretedWarp *warp,
                                   const WsDecoded *instruction, guint64 mask, GError **error)
{
    static gboolean (*const interpret[])(WsInterpreter *, WsInterpretedWarp *, const WsDecoded *,
                                         guint64, GError **) = {
        [WS_KIND_MATRIX_LOAD] = interpret_matrix_load,
        [WS_KIND_TEXTURE] = interpret_texture,
    };
    return interpret[instruction->kind](interpreter, warp, instruction, mask, error);
}

/* Nobody asks for single lanes. */
static gboolean is_unseen(const WsInterpreter *interpreter)
{
    const WsInterpretOptions *options = interpreter->options;
    return interpreter->watcher == NULL && (options == NULL || options->watch == NULL);
}

gboolean ws_interpret_memory(WsInterpreter *interpreter, WsInterpretedWarp *warp,
                             const WsDecoded *instruction, guint64 mask, GError **error)
{
    guint64 address[WS_MAX_WARP_SIZE];
    WsAddressSpan span;
    WsMemoryOperation operation;
    WsOperandRows rows;
    if (G_UNLIKELY(instruction->kind != WS_KIND_MEMORY)) {
        return interpret_together(interpreter, warp, instruction, mask, error);
    }
    operation = instruction->operation;
    interpreter->polls += is_poll(instruction);
    ws_operand_rows_init(&rows, interpreter->program, instruction, &warp->registers);
    ws_lane_span(interpreter->program, instruction, &warp->registers, mask, operation.bytes,
                 address, &span);
    if (is_unseen(interpreter) &&
        ws_interpret_span(interpreter, warp, instruction, &rows, mask, address, &span))
        return TRUE;
    if (span.ascending)
        ws_fill_ascending(address, rows.warp_size, operation.bytes);
    for (guint64 rest = mask; rest; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        if (address[lane] % operation.bytes) {
            address_fault(interpreter, warp, operation.space, operation.bytes, lane, address[lane],
                          "misaligned access to", error);
            return FALSE;
        }
        guint8 *at = resolve(interpreter, warp, &operation, lane, address[lane]);
        if (!at) {
            address_fault(interpreter, warp, operation.space, operation.bytes, lane, address[lane],
                          "access out of bounds at", error);
            return FALSE;
        }
        access_lane(interpreter, warp, instruction, &rows, lane, address[lane], at);
    }
    return TRUE;
}
