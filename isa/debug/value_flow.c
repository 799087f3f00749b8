#include "isa/debug/value_flow.h"

#include "isa/base/number_set.h"

enum {
    UNREACHED = WS_NO_VALUE - 1, /* no way to there has been followed yet */
    NO_EVENT = WS_NO_VALUE - 2
};

typedef struct {
    const WsReference *reference;
    const WsIrModule *module;
    guint32 frame;
    const WsMachineValue *values; /* those of the variable */
    guint32 count;
    guint32 *same;         /* per value: the first that is the same register or number */
    GArray *lines;         /* of guint32: lines of the PTX with code of the frame, rising */
    guint32 *events;       /* per line: value that begins in front of it, WS_NO_VALUE, NO_EVENT */
    guint32 *predecessors; /* per block: how many */
    guint32 *entry;        /* per block: value at its begin */
} Flow;

static const WsReferenceBlock *block_at(const Flow *flow, guint32 b)
{
    return &g_array_index(flow->reference->blocks, WsReferenceBlock, b);
}

/* The line of an instruction of the frame; 0 for those of others. */
static guint32 line_of(const Flow *flow, guint32 i)
{
    const WsInstruction *instruction =
        &g_array_index(flow->reference->instructions, WsInstruction, i);
    const WsLocation *at =
        &g_array_index(flow->module->locations, WsLocation, instruction->location);
    return at->frame == flow->frame ? at->ptx_line : 0;
}

static void find_lines(Flow *flow)
{
    flow->lines = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint32 i = 0; i < flow->reference->instructions->len; i++) {
        const guint32 line = line_of(flow, i);
        if (line != 0)
            g_array_append_val(flow->lines, line);
    }
    ws_number_set(flow->lines);
}

/* Number of the first line that is `line` or behind it. */
static guint first_line_from(const Flow *flow, guint32 line)
{
    guint low = 0, high = flow->lines->len;
    while (low < high) {
        const guint middle = low + (high - low) / 2;
        if (g_array_index(flow->lines, guint32, middle) < line)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void find_events(Flow *flow)
{
    flow->events = g_new(guint32, flow->lines->len + 1);
    for (guint i = 0; i <= flow->lines->len; i++)
        flow->events[i] = NO_EVENT;
    for (guint32 v = 0; v < flow->count; v++) {
        const WsMachineValue *value = &flow->values[v];
        flow->events[first_line_from(flow, value->first)] = flow->same[v];
        if (v + 1 == flow->count || value[1].first > value->end)
            flow->events[first_line_from(flow, value->end)] = WS_NO_VALUE;
    }
}

static void find_same(Flow *flow)
{
    flow->same = g_new(guint32, flow->count + 1);
    for (guint32 v = 0; v < flow->count; v++) {
        guint32 first = 0;
        while (g_strcmp0(flow->values[first].reg, flow->values[v].reg) != 0 ||
               flow->values[first].number != flow->values[v].number)
            first++;
        flow->same[v] = first;
    }
}

static void count_predecessors(Flow *flow)
{
    flow->predecessors = g_new0(guint32, flow->reference->blocks->len + 1);
    for (guint32 b = 0; b < flow->reference->blocks->len; b++)
        for (guint32 s = 0; s < block_at(flow, b)->successor_count; s++)
            flow->predecessors[g_array_index(flow->reference->successors, guint32,
                                             block_at(flow, b)->first_successor + s)]++;
}

/*
 * The value behind a block, which begins with `value`; `ret`, if any, gets those in front of its
 * instructions. An event in front of the first one may belong to the block before it in the text,
 * at the end of which control need not come from.
 */
static guint32 walk_block(const Flow *flow, guint32 b, guint32 value, guint32 *ret)
{
    const WsReferenceBlock *block = block_at(flow, b);
    gboolean is_first = flow->predecessors[b] > 1;
    for (guint32 i = block->first; i < block->first + block->count; i++) {
        const guint32 line = line_of(flow, i);
        const guint32 event = line == 0 ? NO_EVENT : flow->events[first_line_from(flow, line)];
        if (event != NO_EVENT)
            value = is_first ? WS_NO_VALUE : event;
        is_first = is_first && line == 0;
        if (ret != NULL)
            ret[i] = value == UNREACHED ? WS_NO_VALUE : value;
    }
    return value;
}

/* FALSE if nothing has changed. */
static gboolean pass_on(Flow *flow, guint32 b, guint32 value)
{
    gboolean changed = FALSE;
    for (guint32 s = 0; s < block_at(flow, b)->successor_count; s++) {
        guint32 *entry = &flow->entry[g_array_index(flow->reference->successors, guint32,
                                                    block_at(flow, b)->first_successor + s)];
        const guint32 joined = *entry == UNREACHED || *entry == value ? value : WS_NO_VALUE;
        changed = changed || joined != *entry;
        *entry = joined;
    }
    return changed;
}

static void follow(Flow *flow)
{
    const guint32 blocks = flow->reference->blocks->len;
    flow->entry = g_new(guint32, blocks + 1);
    for (guint32 b = 0; b < blocks; b++)
        flow->entry[b] = b == 0 ? WS_NO_VALUE : UNREACHED;
    for (gboolean changed = TRUE; changed;) {
        changed = FALSE;
        for (guint32 b = 0; b < blocks; b++)
            if (flow->entry[b] != UNREACHED)
                changed = pass_on(flow, b, walk_block(flow, b, flow->entry[b], NULL)) || changed;
    }
}

guint32 *ws_value_flow(const WsReference *reference, const WsIrModule *module, guint32 frame,
                       const WsMachineValues *values, guint32 first, guint32 count)
{
    Flow flow = {.reference = reference,
                 .module = module,
                 .frame = frame,
                 .values = &g_array_index(values->values, WsMachineValue, first),
                 .count = count};
    guint32 *found = g_new(guint32, reference->instructions->len + 1);
    find_same(&flow);
    find_lines(&flow);
    find_events(&flow);
    count_predecessors(&flow);
    follow(&flow);
    for (guint32 b = 0; b < reference->blocks->len; b++)
        walk_block(&flow, b, flow.entry[b], found);
    for (guint32 i = 0; i < reference->instructions->len; i++)
        if (found[i] != WS_NO_VALUE)
            found[i] += first;
    g_array_unref(flow.lines);
    g_free(flow.same);
    g_free(flow.events);
    g_free(flow.predecessors);
    g_free(flow.entry);
    return found;
}
