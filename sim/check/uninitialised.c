/* Reads of shared and local memory that nobody has written. The rest of an element that has been
 * written in part is taken to be padding. */
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

static gboolean all_bits(const guint8 *bits, guint64 first, guint32 count)
{
    for (guint64 i = first; i < first + count; i++)
        if ((bits[i / 8] >> i % 8 & 1) == 0)
            return FALSE;
    return TRUE;
}

static void clear_bit(guint8 *bits, guint64 at)
{
    bits[at / 8] &= (guint8) ~(1 << at % 8);
}

static gboolean bit_at(const guint8 *bits, guint64 at)
{
    return bits[at / 8] >> at % 8 & 1;
}

void ws_check_uninitialised_report(WsCheck *check, const WsWatchedAccess *access, guint64 address,
                                   const char *missing)
{
    gboolean is_new;
    WsCheckFinding *finding = ws_check_find(check, WS_CHECK_UNINITIALISED, access->instruction,
                                            WS_CHECK_NO_INSTRUCTION, &is_new);

    if (!is_new)
        return;
    finding->touches = 1;
    finding->touch[0] =
        ws_check_touch(check, ws_order_serial(check->order, access->slot), access->thread,
                       access->instruction, ws_check_action(access));
    finding->missing = g_strdup(missing);
    ws_check_name_place(check, access, address, finding);
}

/* ---- local memory -------------------------------------------------------------------------------
 */

static guint64 local_first(const WsCheck *check, const WsWatchedAccess *access, guint64 address)
{
    return local_stride(check) * access->thread + address;
}

static void report_local(WsCheck *check, const WsWatchedAccess *access, guint64 address)
{
    ws_check_uninitialised_report(
        check, access, address,
        "the thread has not written it: its variables and arrays are uninitialised");
}

/* First byte of an element of the access that nobody has written, or G_MAXUINT64. */
static guint64 first_unwritten(const WsCheck *check, const WsWatchedAccess *access,
                               const guint8 *bits, guint64 first)
{
    guint32 element = ws_check_element_bytes(check, access);

    for (guint32 at = 0; at < access->bytes; at += element)
        if (!any_bit(bits, first + at, element))
            return access->address + at;
    return G_MAXUINT64;
}

static void load_local(WsCheck *check, const WsWatchedAccess *access, const guint8 *bits,
                       guint64 first)
{
    guint64 unwritten = first_unwritten(check, access, bits, first);

    if (all_bits(bits, first, access->bytes))
        ws_undefined_copies_forget(check, access);
    else if (!ws_undefined_copies_take(check, access, unwritten) && unwritten != G_MAXUINT64)
        report_local(check, access, unwritten);
}

/* A store of what was loaded without being written. TRUE if that says what is written by it. */
static gboolean store_copy(WsCheck *check, const WsWatchedAccess *access, guint8 *bits)
{
    const guint64 first = local_first(check, access, access->address);
    const gboolean is_local = access->space == WS_SPACE_LOCAL;
    gboolean copied = FALSE;

    if (!ws_undefined_copies_may_store(check, access))
        return FALSE;
    for (guint32 n = 0; n < access->bytes; n++) {
        guint32 at = 0;
        guint64 unwritten = G_MAXUINT64;
        const WsWatchedAccess *source =
            ws_undefined_copies_source(check, access, n, &at, &unwritten);
        const guint64 from = source == NULL ? 0 : local_first(check, access, source->address) + at;

        if (source != NULL && !is_local && unwritten != G_MAXUINT64) {
            report_local(check, source, unwritten);
            return FALSE;
        }
        copied = copied || (source != NULL && is_local);
        if (is_local && source != NULL && !bit_at(bits, from))
            clear_bit(bits, first + n);
        else if (is_local)
            set_bits(bits, first + n, 1);
    }
    return copied;
}

static void access_local(WsCheck *check, const WsWatchedAccess *access, guint8 *bits)
{
    guint64 first = local_first(check, access, access->address);

    if (access->address + check->kernel->spill_bytes >= check->local_bytes)
        return; /* registers that did not fit */
    if (access->action != WS_ACTION_STORE)
        load_local(check, access, bits, first);
    if (access->action != WS_ACTION_LOAD)
        set_bits(bits, first, access->bytes);
}

/* ---- accesses -----------------------------------------------------------------------------------
 */

static void access_shared(WsCheck *check, const WsWatchedAccess *access, guint8 *bits)
{
    guint64 unwritten = access->action == WS_ACTION_STORE
                            ? G_MAXUINT64
                            : first_unwritten(check, access, bits, access->address);

    if (unwritten != G_MAXUINT64)
        ws_check_uninitialised_report(
            check, access, unwritten,
            "no thread of the block has written it: shared memory is uninitialised");
    if (access->action != WS_ACTION_LOAD)
        set_bits(bits, access->address, access->bytes);
}

/* In the unoptimised program all but local memory is as in the other one, and was looked at. */
void ws_check_uninitialised_access(WsCheck *check, const WsWatchedAccess *access)
{
    WsCheckBlock *block = ws_check_block(check, access->slot);

    if (access->action == WS_ACTION_STORE && check->copies != NULL &&
        store_copy(check, access, block->local_written))
        return;
    if (access->space == WS_SPACE_LOCAL)
        access_local(check, access, block->local_written);
    else if (access->space == WS_SPACE_SHARED && !check->is_plain)
        access_shared(check, access, block->shared_written);
    else if (check->unwritten != NULL)
        ws_check_unwritten_access(check, access);
}
