/*
 * Arrays that a kernel makes in its dynamic shared memory. The program has one array without a
 * size; the launch file says which arrays are in it. Which of them an access means is told by the
 * pointer that its address is made from: in the unoptimised program a variable, whose value is seen
 * when it is loaded. An address that is made from the whole array is none of a part.
 */
#include "sim/check/private.h"

#include <string.h>

const WsSharedPart *ws_check_part_at(const WsCheck *check, guint64 offset)
{
    const WsLaunch *launch = &check->job->launches[check->launch];
    guint64 inside = offset - check->kernel->static_shared_bytes;

    for (guint32 i = 0; i < launch->part_count; i++)
        if (inside - launch->parts[i].offset < launch->parts[i].bytes)
            return &launch->parts[i];
    return NULL;
}

/* Numbers the loads that give the pointers of accesses. */
void ws_check_parts_begin(WsCheck *check)
{
    check->pointers = 0;
    g_clear_pointer(&check->pointer, g_free);
    if (!check->is_plain || check->bases == NULL || !ws_check_looks_for(check, WS_CHECK_BOUNDS) ||
        check->job->launches[check->launch].part_count == 0)
        return;
    check->pointer = g_new0(guint32, (gsize)check->lines + 1);
    for (guint32 line = 1; line <= check->lines; line++) {
        guint32 from = check->bases[line].pointer_line;

        if (from != 0 && from <= check->lines && check->pointer[from] == 0)
            check->pointer[from] = ++check->pointers;
    }
}

static guint64 *place_of(const WsCheck *check, const WsWatchedAccess *access, guint32 number)
{
    WsCheckBlock *block = ws_check_block(check, access->slot);

    if (block->pointers == NULL)
        block->pointers = g_new0(guint64, (gsize)check->pointers * check->threads);
    return &block->pointers[(gsize)access->thread * check->pointers + number - 1];
}

static void report(WsCheck *check, const WsWatchedAccess *access, const WsSharedPart *part)
{
    guint32 size = ws_type_size(part->type);
    gint64 way = (gint64)(access->address - check->kernel->static_shared_bytes - part->offset);
    gboolean is_new;
    WsCheckFinding *finding = ws_check_find(check, WS_CHECK_BOUNDS, access->instruction,
                                            WS_CHECK_NO_INSTRUCTION, &is_new);

    if (!is_new)
        return;
    finding->touches = 1;
    finding->touch[0] =
        ws_check_touch(check, ws_order_serial(check->order, access->slot), access->thread,
                       access->instruction, ws_check_action(access));
    finding->missing =
        way % size != 0
            ? g_strdup_printf("the address is made from shared %s, of %u bytes, and lies at byte "
                              "%" G_GINT64_FORMAT " of it",
                              part->name, part->bytes, way)
            : g_strdup_printf("the address is made from shared %s, of %u elements, with index "
                              "%" G_GINT64_FORMAT,
                              part->name, part->bytes / size, way / size);
    ws_check_name_place(check, access, access->address, finding);
}

void ws_check_parts_access(WsCheck *check, const WsWatchedAccess *access)
{
    guint32 line = ws_check_ptx_line(check, access->instruction);

    if (check->pointer == NULL || line == 0)
        return;
    if (check->pointer[line] != 0 && access->action == WS_ACTION_LOAD && access->bytes == 8)
        memcpy(place_of(check, access, check->pointer[line]), access->contents, 8);
    guint32 from = check->bases[line].pointer_line;
    if (from == 0 || access->space != WS_SPACE_SHARED)
        return;
    guint64 offset = *place_of(check, access, check->pointer[from]) - WS_SHARED_WINDOW;
    const WsSharedPart *part =
        offset < check->shared_bytes ? ws_check_part_at(check, offset) : NULL;
    if (part == NULL)
        return;
    guint64 inside = access->address - check->kernel->static_shared_bytes - part->offset;
    if (inside >= part->bytes || access->bytes > part->bytes - inside)
        report(check, access, part);
}
