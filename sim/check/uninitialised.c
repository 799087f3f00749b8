/* Reads of shared and local memory that nobody has written. */
#include "sim/check/private.h"

#include <string.h>

/* Space of a thread's bits, in bytes of local memory. */
static guint64 local_stride(const WsCheck *check)
{
    return (check->local_bytes + 7) / 8 * 8;
}

void ws_check_uninitialised_begin(WsCheck *check, WsCheckBlock *block)
{
    gsize shared = check->shared_bytes / 8 + 1, local = local_stride(check) / 8 * check->threads;

    if (block->shared_written == NULL) {
        block->shared_written = g_malloc0(shared);
        block->local_written = g_malloc0(local + 1);
        return;
    }
    memset(block->shared_written, 0, shared);
    memset(block->local_written, 0, local);
}

static void set_bits(guint8 *bits, guint64 first, guint32 count)
{
    for (guint64 i = first; i < first + count; i++)
        bits[i / 8] |= (guint8)(1 << i % 8);
}

static gboolean any_bit(const guint8 *bits, guint64 first, guint32 count)
{
    for (guint64 i = first; i < first + count; i++)
        if (bits[i / 8] >> i % 8 & 1)
            return TRUE;
    return FALSE;
}

/* The rest of an element that has been written in part is taken to be padding. */
static void report_element(WsCheck *check, const WsWatchedAccess *access, guint64 address)
{
    gboolean is_new;
    WsCheckFinding *finding = ws_check_find(check, WS_CHECK_UNINITIALISED, access->instruction,
                                            WS_CHECK_NO_INSTRUCTION, &is_new);

    if (!is_new)
        return;
    finding->touches = 1;
    finding->touch[0] = ws_check_touch(
        check, ws_order_serial(check->order, access->slot), access->thread, access->instruction,
        access->action == WS_ACTION_LOAD ? WS_TOUCH_READ : WS_TOUCH_ATOMIC);
    finding->missing =
        g_strdup(access->space == WS_SPACE_SHARED
                     ? "no thread of the block has written it: shared memory begins undefined"
                     : "the thread has not written it: local memory begins undefined");
    ws_check_name_place(check, access, address, finding);
}

void ws_check_uninitialised_access(WsCheck *check, const WsWatchedAccess *access)
{
    WsCheckBlock *block = ws_check_block(check, access->slot);
    guint64 first = access->address;
    guint8 *bits = block->shared_written;

    if (access->space == WS_SPACE_GLOBAL)
        return;
    if (access->space == WS_SPACE_LOCAL) {
        if (access->address + check->kernel->spill_bytes >= check->local_bytes)
            return; /* registers that did not fit */
        bits = block->local_written;
        first += local_stride(check) * access->thread;
    }
    if (access->action != WS_ACTION_STORE) {
        guint32 element = ws_check_element_bytes(check, access);

        for (guint32 at = 0; at < access->bytes; at += element) {
            if (any_bit(bits, first + at, element))
                continue;
            report_element(check, access, access->address + at);
            break;
        }
    }
    if (access->action != WS_ACTION_LOAD)
        set_bits(bits, first, access->bytes);
}
