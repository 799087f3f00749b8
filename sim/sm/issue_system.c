/* Calls of the system: printf. Lanes are served in order, at the issue. */
#include "sim/base/print_text.h"
#include "sim/memory/change_watch.h"
#include "sim/memory/global_memory.h"
#include "sim/sm/issue_special.h"
#include "sim/sm/membar_wait.h"

/* A lane that reads its memory. */
typedef struct {
    const WsSm *sm;
    const WsGlobalMemory *contents;
    guint32 slot;
    guint lane;
    gboolean reads_variable; /* some of what it has read in global memory may change */
} Reader;

static gboolean read_local(const Reader *reader, guint64 at, guint bytes, guint8 *ret)
{
    const WsSm *sm = reader->sm;
    guint32 lanes = sm->context->decoded->warp_size,
            size = ws_launch_local_bytes(sm->context->launch);
    gsize words;
    const guint32 *memory = ws_sm_memory_local(sm->memory, reader->slot, &words);

    if (bytes > size || at > size - bytes)
        return FALSE;
    for (guint i = 0; i < bytes; i++, at++)
        ret[i] =
            memory == NULL ? 0 : (guint8)(memory[at / 4 * lanes + reader->lane] >> (at % 4 * 8));
    return TRUE;
}

static gboolean copy(const guint8 *data, guint64 size, guint64 at, guint bytes, guint8 *ret)
{
    if (data == NULL || bytes > size || at > size - bytes)
        return FALSE;
    for (guint i = 0; i < bytes; i++)
        ret[i] = data[at + i];
    return TRUE;
}

static gboolean read_memory(void *data, guint64 address, guint bytes, void *ret)
{
    Reader *reader = data;
    const WsSm *sm = reader->sm;

    if (address - WS_LOCAL_WINDOW < WS_CONSTANT_WINDOW - WS_LOCAL_WINDOW)
        return read_local(reader, address - WS_LOCAL_WINDOW, bytes, ret);
    if (address - WS_SHARED_WINDOW < WS_LOCAL_WINDOW - WS_SHARED_WINDOW) {
        gsize size;
        const guint8 *shared =
            ws_sm_memory_shared(sm->memory, sm->state->warps[reader->slot].block_slot, &size);
        return copy(shared, size, address - WS_SHARED_WINDOW, bytes, ret);
    }
    reader->reads_variable =
        reader->reads_variable || !ws_global_memory_is_literal(reader->contents, address);
    return copy(ws_global_memory_at(reader->contents, address, bytes), bytes, 0, bytes, ret);
}

static guint64 pair_value(const WsSm *sm, guint32 slot, gint row, guint lane)
{
    const WsWarpRegisters *registers = &sm->state->registers[slot];
    guint32 low = ws_row_value(sm->decoded, registers, row, lane);
    guint32 high = ws_row_value(sm->decoded, registers, row < 0 ? row - 1 : row + 1, lane);

    return low | (guint64)high << 32;
}

/* The calls of all lanes; FALSE: of one of them, `reader` and `end` say which, something is out of
 * bounds. */
static gboolean print_lanes(WsSm *sm, const WsDecoded *decoded, guint64 mask, Reader *reader,
                            GString *text, gsize ends[WS_MAX_WARP_SIZE],
                            gint32 returned[WS_MAX_WARP_SIZE], WsPrintEnd *end)
{
    const WsPrintMemory memory = {read_memory, reader};

    for (guint64 rest = mask; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);

        reader->lane = lane;
        ws_print_text(text, &memory, pair_value(sm, reader->slot, decoded->a, lane),
                      pair_value(sm, reader->slot, decoded->b, lane), sm->printed.limit, end);
        if (end->fault != NULL)
            return FALSE;
        ends[lane] = text->len;
        returned[lane] = end->returned;
    }
    return TRUE;
}

/*
 * Strings that may change are read when all that the SM has stored is in L2, as the thread itself
 * would see it: the warp waits as at a MEMBAR.GPU, and issues the call again.
 */
static gboolean waits_for_stores(WsSm *sm, guint32 slot, guint32 pc, const Reader *reader)
{
    WsWarp *warp = &sm->state->warps[slot];

    if (!reader->reads_variable || warp->membar.fenced_call ||
        !ws_sm_memory_stores_under_way(sm->memory))
        return FALSE;
    warp->membar.fenced_call = TRUE;
    warp->path.pc = warp->wait_pc = pc;
    warp->membar.scope = WS_SCOPE_GPU;
    ws_membar_look(sm, slot);
    return TRUE;
}

static void note_calls(WsSm *sm, guint32 slot, guint64 mask, const GString *text,
                       const gsize ends[WS_MAX_WARP_SIZE], guint64 now)
{
    gsize from = 0;

    for (guint64 rest = mask; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        const WsPrintedCall call = {.cycle = now,
                                    .sm = sm->number,
                                    .slot = slot,
                                    .lane = lane,
                                    .length = (guint32)(ends[lane] - from)};

        if (call.length > 0)
            ws_print_log_add(&sm->printed, &call, text->str + from);
        from = ends[lane];
    }
}

void ws_issue_system(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now)
{
    const WsDecoded *decoded = &sm->instructions[pc];
    const WsIssueInfo *issue = &sm->issues[pc];
    WsWarp *warp = &sm->state->warps[slot];
    g_autoptr(GString) text = NULL;
    gsize ends[WS_MAX_WARP_SIZE];
    gint32 returned[WS_MAX_WARP_SIZE];
    WsPrintEnd end = {0};
    Reader reader = {.sm = sm, .contents = ws_sm_memory_contents(sm->memory), .slot = slot};

    if (mask == 0)
        return;
    text = g_string_new(NULL);
    gboolean fine = print_lanes(sm, decoded, mask, &reader, text, ends, returned, &end);
    if (waits_for_stores(sm, slot, pc, &reader))
        return;
    warp->membar.fenced_call = FALSE;
    if (!fine) {
        ws_sm_stop_at(sm, WS_STATUS_FAULT, slot, pc, reader.lane, end.fault);
        sm->state->stop.address = end.address;
        sm->state->stop.has_address = TRUE;
        return;
    }
    note_calls(sm, slot, mask, text, ends, now);
    for (guint64 rest = decoded->d >= 0 ? mask : 0; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        sm->state->registers[slot].registers[(gsize)decoded->d * sm->decoded->warp_size + lane] =
            (guint32)returned[lane];
    }
    ws_issue_result(sm, slot, issue, ws_entry(now + issue->latency, issue->execution_class));
    ws_hold(warp, WS_STALL_BRANCH_RESOLVING, now + MAX(sm->context->device->branch_cost, 1));
}
