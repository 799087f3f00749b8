/*
 * Reads of buffers that nobody has written: memory as of cudaMalloc. A buffer counts if the launch
 * file does not say what is in it and a kernel writes it; one that is only read is meant to be
 * zero. So do volatile accesses and atomics, which counters, locks and flags are looked at with:
 * these begin with zero.
 */
#include "sim/check/private.h"

#include <string.h>

typedef struct {
    const WsBuffer *buffer;
    guint8 *written; /* a bit a byte */
    gboolean any;    /* has been written at all */
    GArray *found;   /* of WsCheckFinding* whose first instance is here */
} Unwritten;

static void unwritten_free(gpointer data)
{
    Unwritten *unwritten = data;

    g_free(unwritten->written);
    g_array_unref(unwritten->found);
    g_free(unwritten);
}

void ws_check_unwritten_new(WsCheck *check)
{
    check->unwritten = g_ptr_array_new_with_free_func(unwritten_free);
    for (guint32 i = 0; i < check->job->buffer_count; i++) {
        const WsBuffer *buffer = &check->job->buffers[i];

        if (buffer->has_contents)
            continue;
        Unwritten *unwritten = g_new0(Unwritten, 1);
        unwritten->buffer = buffer;
        unwritten->written = g_malloc0(buffer->bytes / 8 + 1);
        unwritten->found = g_array_new(FALSE, FALSE, sizeof(WsCheckFinding *));
        g_ptr_array_add(check->unwritten, unwritten);
    }
}

static Unwritten *find(const WsCheck *check, guint64 address)
{
    for (guint i = 0; i < check->unwritten->len; i++) {
        Unwritten *unwritten = check->unwritten->pdata[i];

        if (address - unwritten->buffer->address < unwritten->buffer->bytes)
            return unwritten;
    }
    return NULL;
}

static gboolean is_unwritten(const Unwritten *unwritten, guint64 first, guint32 count)
{
    for (guint64 i = first; i < first + count; i++)
        if (unwritten->written[i / 8] >> i % 8 & 1)
            return FALSE;
    return TRUE;
}

static void look_at_load(WsCheck *check, const WsWatchedAccess *access, Unwritten *unwritten)
{
    guint64 first = access->address - unwritten->buffer->address;
    guint32 element = ws_check_element_bytes(check, access);
    guint known = check->findings->list->len;

    for (guint32 at = 0; at < access->bytes; at += element) {
        if (!is_unwritten(unwritten, first + at, element))
            continue;
        ws_check_uninitialised_report(
            check, access, access->address + at,
            "nothing has written it: a buffer without `init` that a kernel writes is like memory "
            "of cudaMalloc; `init: zero` makes it zero, as cudaMemset does");
        if (check->findings->list->len > known)
            g_array_append_val(unwritten->found, check->findings->list->pdata[known]);
        return;
    }
}

void ws_check_unwritten_access(WsCheck *check, const WsWatchedAccess *access)
{
    Unwritten *unwritten = access->space == WS_SPACE_GLOBAL ? find(check, access->address) : NULL;

    if (unwritten == NULL)
        return;
    if (access->action == WS_ACTION_LOAD) {
        if ((check->note_flags[access->instruction] & WS_NOTE_STRONG) == 0)
            look_at_load(check, access, unwritten);
        return;
    }
    guint64 first = access->address - unwritten->buffer->address;
    for (guint64 i = first; i < first + access->bytes; i++)
        unwritten->written[i / 8] |= (guint8)(1 << i % 8);
    unwritten->any = TRUE;
}

static void drop_findings(WsCheck *check, const Unwritten *unwritten)
{
    for (guint i = 0; i < unwritten->found->len; i++)
        ws_check_drop(check, g_array_index(unwritten->found, WsCheckFinding *, i));
}

void ws_check_unwritten_end(WsCheck *check)
{
    for (guint i = 0; check->unwritten != NULL && i < check->unwritten->len; i++) {
        const Unwritten *unwritten = check->unwritten->pdata[i];

        if (!unwritten->any)
            drop_findings(check, unwritten);
    }
    g_clear_pointer(&check->unwritten, g_ptr_array_unref);
}
