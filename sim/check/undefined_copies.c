/*
 * Values that nobody has written, on their way through copies. An object whose members are not all
 * set may be copied, handed to a function or returned, and what nobody looks at does no harm. So a
 * load whose value does nothing but go back to memory (isa/ptx/copies.h) is not looked at itself:
 * the bytes that it is stored to are as undefined as it was.
 */
#include "isa/ptx/copies.h"
#include "sim/check/private.h"

/* A load of a thread, by the line of the PTX: the last one that was not written. */
typedef struct {
    guint64 key; /* of key_of() */
    WsWatchedAccess access;
    guint64 unwritten; /* first byte of an element of which nothing is written, or G_MAXUINT64 */
} Taken;

struct WsUndefinedCopies {
    WsPtxCopies *text;
    GHashTable *taken; /* guint64 of `key` -> Taken */
};

WsUndefinedCopies *ws_undefined_copies_new(const WsPtxModule *module, guint32 lines)
{
    WsUndefinedCopies *copies = g_new0(WsUndefinedCopies, 1);

    copies->text = ws_ptx_copies(module, lines);
    copies->taken = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
    return copies;
}

void ws_undefined_copies_free(WsUndefinedCopies *copies)
{
    if (copies == NULL)
        return;
    ws_ptx_copies_free(copies->text);
    g_hash_table_unref(copies->taken);
    g_free(copies);
}

/* Threads of a block are 1024 at most. */
static guint64 key_of(const WsWatchedAccess *access, guint32 line)
{
    return (guint64)access->slot << 42 | (guint64)access->thread << 32 | line;
}

static gboolean is_of_slot(gpointer key, gpointer value G_GNUC_UNUSED, gpointer slot)
{
    return *(const guint64 *)key >> 42 == GPOINTER_TO_UINT(slot);
}

void ws_undefined_copies_begin(WsUndefinedCopies *copies, guint32 slot)
{
    if (g_hash_table_size(copies->taken) > 0)
        g_hash_table_foreach_remove(copies->taken, is_of_slot, GUINT_TO_POINTER(slot));
}

gboolean ws_undefined_copies_take(const WsCheck *check, const WsWatchedAccess *access,
                                  guint64 address)
{
    guint32 line = ws_check_ptx_line(check, access->instruction);
    WsUndefinedCopies *copies = check->copies;

    if (copies == NULL || access->action != WS_ACTION_LOAD || !copies->text->is_copied[line])
        return FALSE;
    Taken *taken = g_new0(Taken, 1);
    *taken = (Taken){.key = key_of(access, line), .access = *access, .unwritten = address};
    g_hash_table_replace(copies->taken, &taken->key, taken);
    return TRUE;
}

void ws_undefined_copies_forget(const WsCheck *check, const WsWatchedAccess *access)
{
    if (check->copies == NULL || g_hash_table_size(check->copies->taken) == 0)
        return;
    guint64 key = key_of(access, ws_check_ptx_line(check, access->instruction));
    g_hash_table_remove(check->copies->taken, &key);
}

gboolean ws_undefined_copies_may_store(const WsCheck *check, const WsWatchedAccess *access)
{
    const WsUndefinedCopies *copies = check->copies;
    const guint32 line = ws_check_ptx_line(check, access->instruction);

    return g_hash_table_size(copies->taken) > 0 && copies->text->first_byte[line] != 0 &&
           copies->text->byte_count[line] == access->bytes;
}

const WsWatchedAccess *ws_undefined_copies_source(const WsCheck *check,
                                                  const WsWatchedAccess *access, guint32 n,
                                                  guint32 *ret_at, guint64 *ret_unwritten)
{
    const WsUndefinedCopies *copies = check->copies;
    const guint32 line = ws_check_ptx_line(check, access->instruction);
    const WsPtxCopiedByte *byte = &g_array_index(copies->text->bytes, WsPtxCopiedByte,
                                                 copies->text->first_byte[line] - 1 + n);
    const guint64 key = key_of(access, byte->load);
    const Taken *taken = byte->load == 0 ? NULL : g_hash_table_lookup(copies->taken, &key);
    if (taken == NULL || byte->at >= taken->access.bytes)
        return NULL;
    *ret_at = byte->at;
    *ret_unwritten = taken->unwritten;
    return &taken->access;
}
