#include "sim/report/line_profile.h"

#include "sim/report/statistics.h"

#include <string.h>

void ws_result_sum_instructions(const WsResult *result, guint32 count, WsInstructionCounters *sum)
{
    for (guint32 launch = 0; launch < result->launch_count; launch++)
        ws_instruction_counters_add(sum, result->launches[launch].instructions, count);
}

guint64 ws_counters_waited(const WsInstructionCounters *counters)
{
    guint64 sum = 0;
    for (guint i = 0; i < WS_STALL_COUNT; i++)
        sum += i == WS_STALL_SELECTED ? 0 : counters->stalls[i];
    return sum;
}

WsStall ws_main_stall(const guint64 stalls[WS_STALL_COUNT])
{
    WsStall best = WS_STALL_SELECTED;
    guint64 most = 0;
    for (guint i = 0; i < WS_STALL_COUNT; i++) {
        if (i == WS_STALL_SELECTED || stalls[i] <= most)
            continue;
        best = (WsStall)i;
        most = stalls[i];
    }
    return best;
}

static gint compare_lines(gconstpointer a, gconstpointer b, gpointer data)
{
    const WsLineCounters *x = a, *y = b;
    const WsProgram *program = data;
    int order = strcmp(program->files[x->file], program->files[y->file]);
    if (order != 0)
        return order;
    return x->line < y->line ? -1 : x->line > y->line;
}

GArray *ws_line_profile(const WsProgram *program, const WsInstructionCounters *counters)
{
    GArray *lines = g_array_new(FALSE, TRUE, sizeof(WsLineCounters));
    g_autoptr(GHashTable) places = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    for (guint32 i = 0; i < program->instruction_count; i++) {
        if (counters[i].issued == 0 && ws_counters_waited(&counters[i]) == 0)
            continue;
        WsLineCounters fresh = {0};
        ws_line_of_instruction(program, i, &fresh.file, &fresh.line);
        gint64 key = (gint64)((guint64)fresh.file << 32 | fresh.line);
        gpointer place;
        if (!g_hash_table_lookup_extended(places, &key, NULL, &place)) {
            place = GUINT_TO_POINTER(lines->len);
            g_hash_table_insert(places, g_memdup2(&key, sizeof key), place);
            g_array_append_val(lines, fresh);
        }
        WsLineCounters *line = &g_array_index(lines, WsLineCounters, GPOINTER_TO_UINT(place));
        ws_instruction_counters_add(&line->counters, &counters[i], 1);
        if (counters[i].divergent > 0)
            line->branches += counters[i].issued;
    }
    g_array_sort_with_data(lines, compare_lines, (gpointer)program);
    return lines;
}
