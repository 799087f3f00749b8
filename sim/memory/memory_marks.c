#include "sim/memory/memory_marks.h"

#include "sim/memory/l2_service.h"

struct WsMarks {
    guint64 next, every;
    GArray *passed; /* of WsMemoryMark, that nobody has taken */
};

static guint64 waiting_bytes(const WsMemorySystem *share, guint64 cycle)
{
    guint32 slices = share->geometry.slices;
    guint64 bytes = 0;

    /* A channel belongs to the share of the slices in front of it. */
    for (guint32 channel = 0; channel < share->dram.channels; channel++)
        if (channel % slices % share->share_count == share->share_number)
            bytes += ws_dram_waiting_bytes(&share->dram, channel, cycle);
    return bytes;
}

static void pass_mark(WsMemorySystem *share)
{
    WsMarks *marks = share->marks;
    WsMemoryMark mark = {marks->next,
                         share->l2_lookups,
                         share->l2_hits,
                         share->dram.read_bytes,
                         share->dram.write_bytes,
                         waiting_bytes(share, marks->next)};

    g_array_append_val(marks->passed, mark);
    marks->next += marks->every;
}

void ws_marks_pass(WsMemorySystem *share, guint64 horizon)
{
    while (share->marks->next <= horizon) {
        ws_l2_service_advance(share, share->marks->next);
        pass_mark(share);
    }
}

void ws_marks_free(WsMarks *marks)
{
    if (marks == NULL)
        return;
    g_array_unref(marks->passed);
    g_free(marks);
}

void ws_memory_system_begin_marks(WsMemorySystem *system, guint64 cycle, guint64 every)
{
    for (guint32 i = 0; i < system->share_count; i++) {
        WsMarks *marks = g_new0(WsMarks, 1);

        marks->every = every;
        marks->next = (cycle / every + 1) * every;
        marks->passed = g_array_new(FALSE, FALSE, sizeof(WsMemoryMark));
        system->shares[i]->marks = marks;
    }
}

void ws_memory_system_spread_marks(WsMemorySystem *system, guint64 every)
{
    for (guint32 i = 0; i < system->share_count; i++) {
        WsMarks *marks = system->shares[i]->marks;

        marks->every = every;
        marks->next = (marks->next + every - 1) / every * every;
    }
}

gboolean ws_memory_system_take_mark(WsMemorySystem *system, WsMemoryMark *ret)
{
    for (guint32 i = 0; i < system->share_count; i++)
        if (system->shares[i]->marks->passed->len == 0)
            return FALSE;
    *ret = (WsMemoryMark){0};
    for (guint32 i = 0; i < system->share_count; i++) {
        GArray *passed = system->shares[i]->marks->passed;
        const WsMemoryMark *mark = &g_array_index(passed, WsMemoryMark, 0);

        ret->cycle = mark->cycle;
        ret->l2_lookups += mark->l2_lookups;
        ret->l2_hits += mark->l2_hits;
        ret->dram_read_bytes += mark->dram_read_bytes;
        ret->dram_write_bytes += mark->dram_write_bytes;
        ret->dram_waiting_bytes += mark->dram_waiting_bytes;
        g_array_remove_index(passed, 0);
    }
    return TRUE;
}

void ws_memory_system_end_marks(WsMemorySystem *system)
{
    for (guint32 i = 0; i < system->share_count; i++)
        g_clear_pointer(&system->shares[i]->marks, ws_marks_free);
}
