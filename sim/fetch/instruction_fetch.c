#include "sim/fetch/instruction_fetch.h"

enum { MILLI = 1000 };

/* Lines of different kernels are different lines, whatever instruction a kernel begins with. */
static guint32 first_line(const WsProgram *program, const WsKernel *kernel)
{
    return (kernel->first >> WS_FETCH_LINE_SHIFT) + (guint32)(kernel - program->kernels);
}

static guint32 count_lines(guint32 instructions)
{
    return (instructions + (1 << WS_FETCH_LINE_SHIFT) - 1) >> WS_FETCH_LINE_SHIFT;
}

guint32 ws_instruction_fetch_lines(const WsProgram *program)
{
    return count_lines(program->instruction_count) + program->kernel_count;
}

WsInstructionFetch *ws_instruction_fetch_new(const WsDevice *device, const WsProgram *program,
                                             guint32 sm, const WsLineDirectory *in_l2,
                                             WsStateArena *arena)
{
    guint64 way = sm * device->fetch_sm_latency_milli / MILLI;
    WsInstructionFetch *fetch;

    if (device->fetch_model == WS_FETCH_IDEAL)
        return NULL;
    fetch = ws_state_new(arena, WsInstructionFetch, 1);
    fetch->device = device;
    fetch->program = program;
    fetch->in_l2 = in_l2;
    fetch->asked.arena = arena;
    fetch->sm = sm;
    fetch->latency = device->fetch_l1_latency + way;
    fetch->interval = device->fetch_l1_interval + way / MAX(device->fetch_prefetch_lines, 1);
    fetch->launched = ws_state_new(arena, guint8, program->kernel_count);
    ws_line_cache_init(&fetch->l1, arena, device->fetch_l1_bytes, WS_FETCH_LINE_BYTES,
                       device->fetch_l1_ways);
    ws_line_cache_init(&fetch->l15, arena, device->fetch_l15_bytes, WS_FETCH_LINE_BYTES,
                       device->fetch_l15_ways);
    for (guint i = 0; i < device->sub_cores; i++) {
        ws_line_cache_init(&fetch->ports[i].l0, arena, device->fetch_l0_bytes, WS_FETCH_LINE_BYTES,
                           device->fetch_l0_ways);
        ws_line_cache_init(&fetch->ports[i].near, arena, device->fetch_near_bytes,
                           WS_FETCH_LINE_BYTES, device->fetch_near_ways);
    }
    return fetch;
}

void ws_instruction_fetch_free(WsInstructionFetch *fetch)
{
    WsStateArena *arena;

    if (fetch == NULL)
        return;
    ws_line_cache_clear(&fetch->l1);
    ws_line_cache_clear(&fetch->l15);
    for (guint i = 0; i < fetch->device->sub_cores; i++) {
        ws_line_cache_clear(&fetch->ports[i].l0);
        ws_line_cache_clear(&fetch->ports[i].near);
    }
    arena = fetch->asked.arena;
    ws_state_array_clear(&fetch->asked);
    ws_state_free(arena, fetch->launched);
    ws_state_free(arena, fetch);
}

void ws_instruction_fetch_begin(WsInstructionFetch *fetch, const WsKernel *kernel, gboolean keep,
                                guint64 begin)
{
    const WsDevice *device = fetch->device;
    guint32 k = (guint32)(kernel - fetch->program->kernels), kept, lines;

    fetch->first = first_line(fetch->program, kernel);
    lines = count_lines(kernel->count);
    fetch->end = fetch->first + lines;
    for (guint i = 0; i < fetch->device->sub_cores; i++) {
        ws_line_cache_empty(&fetch->ports[i].l0);
        ws_line_cache_empty(&fetch->ports[i].near);
        fetch->ports[i].changes++;
        fetch->ports[i].free = 0;
        fetch->ports[i].stream_first = fetch->ports[i].stream_sent = fetch->ports[i].stream_end = 0;
    }
    fetch->l15_from = 0;
    if (!keep) {
        ws_line_cache_empty(&fetch->l1);
        fetch->l15_from = begin + device->launch_latency -
                          MIN(device->launch_latency, device->fetch_l1_latency) +
                          fetch->sm * device->fetch_l15_sm_interval_milli / MILLI;
    }
    kept = MIN(lines, fetch->l15.sets * fetch->l15.ways);
    for (guint32 line = fetch->end - kept; line < fetch->end && !fetch->launched[k]; line++)
        ws_line_cache_insert(&fetch->l15, line, 0);
    fetch->launched[k] = TRUE;
}

/* When L1 gets a line that it lacks, from wherever it is. */
static guint64 from_behind_l1(WsInstructionFetch *fetch, guint32 line, guint64 cycle)
{
    guint32 place = ws_line_cache_find(&fetch->l15, line);
    guint64 in_l2 = fetch->in_l2->ready[line], l2 = cycle + fetch->device->fetch_l2_latency;
    WsLineRequest request = {line, cycle + fetch->device->fetch_memory_latency};

    if (place != WS_LINE_ABSENT) {
        ws_line_cache_use(&fetch->l15, place);
        return MAX(cycle, fetch->l15_from) + fetch->device->fetch_l15_latency;
    }
    ws_line_cache_insert(&fetch->l15, line, 0);
    if (in_l2 <= request.ready)
        return MAX(l2, in_l2);
    ws_state_array_append(&fetch->asked, WsLineRequest, request);
    return request.ready;
}

/* Asks L1 for a line; returns when L1 has it. */
static guint64 request(WsInstructionFetch *fetch, guint32 line, guint64 cycle)
{
    guint32 place = ws_line_cache_find(&fetch->l1, line);
    guint64 there;

    if (place != WS_LINE_ABSENT)
        return MAX(cycle, ws_line_cache_use(&fetch->l1, place));
    there = from_behind_l1(fetch, line, cycle);
    ws_line_cache_insert(&fetch->l1, line, there);
    return there;
}

static void put_near(WsFetchPort *port, guint32 line, guint64 ready)
{
    guint32 place = ws_line_cache_find(&port->near, line);

    if (place == WS_LINE_ABSENT)
        ws_line_cache_insert(&port->near, line, ready);
    else
        port->near.ready[place] = ready;
}

/* L1 hands over a line that it has at `there`; returns when L0 has it. It is near then, too. */
static guint64 hand_over(WsInstructionFetch *fetch, WsFetchPort *port, guint32 line, guint64 there)
{
    guint64 start = MAX(there, port->free), ready;

    port->changes++;
    port->free = start + fetch->interval;
    ready = start + fetch->latency;
    ws_line_cache_insert(&port->l0, line, ready);
    if (fetch->device->fetch_near_bytes != 0)
        put_near(port, line, ready);
    return ready;
}

/* Lines of the stream that L1 begins to hand over up to `cycle`, or are before `until`. */
static void send_stream(WsInstructionFetch *fetch, WsFetchPort *port, guint32 until, guint64 cycle)
{
    for (; port->stream_sent < port->stream_end; port->stream_sent++) {
        guint64 there = port->there[port->stream_sent % WS_FETCH_MAX_PREFETCH];

        if (port->stream_sent >= until && MAX(there, port->free) > cycle)
            return;
        hand_over(fetch, port, port->stream_sent, there);
    }
}

/* The stream runs ahead of `line`, as far as to a line that L0 has. */
static void draw(WsInstructionFetch *fetch, WsFetchPort *port, guint32 line, guint64 cycle)
{
    guint32 end = (guint32)MIN(line + 1 + fetch->device->fetch_prefetch_lines, fetch->end);

    port->changes++;
    port->stream_first = line;
    while (port->stream_end < end &&
           ws_line_cache_find(&port->l0, port->stream_end) == WS_LINE_ABSENT) {
        port->there[port->stream_end % WS_FETCH_MAX_PREFETCH] =
            request(fetch, port->stream_end, cycle);
        port->stream_end++;
    }
}

/* A stream begins at the first line close behind `line` that L0 lacks and that is not to come. */
static void look_ahead(WsInstructionFetch *fetch, WsFetchPort *port, guint32 line, guint64 cycle)
{
    guint32 end = (guint32)MIN(line + 1 + fetch->device->fetch_look_ahead, fetch->end);
    guint32 next = line + 1;

    while (next < end && ((next >= port->stream_sent && next < port->stream_end) ||
                          ws_line_cache_find(&port->l0, next) != WS_LINE_ABSENT))
        next++;
    if (next >= end)
        return;
    port->stream_sent = port->stream_end = next;
    draw(fetch, port, line, cycle);
}

/* When L0 has the line, in answer to a warp that wants it. */
static guint64 from_l0(WsInstructionFetch *fetch, WsFetchPort *port, guint32 line, guint64 cycle)
{
    guint32 place;
    guint64 ready;

    send_stream(fetch, port, 0, cycle);
    if (line == port->stream_sent)
        send_stream(fetch, port, line + 1, cycle);
    place = ws_line_cache_find(&port->l0, line);
    if (place != WS_LINE_ABSENT) {
        ready = MAX(cycle, ws_line_cache_use(&port->l0, place));
        if (line > port->stream_first && line < port->stream_end)
            draw(fetch, port, line, cycle);
        else
            look_ahead(fetch, port, line, cycle);
    } else {
        ready = hand_over(fetch, port, line, request(fetch, line, cycle));
        port->stream_sent = port->stream_end = line + 1;
        draw(fetch, port, line, cycle);
    }
    return ready;
}

/* The lines behind `line` come out of L0, as far as it has them and they are not near yet. */
static void draw_near(WsInstructionFetch *fetch, WsFetchPort *port, guint32 line, guint64 ready)
{
    guint32 end = (guint32)MIN(line + 1 + fetch->device->fetch_near_lines, fetch->end);

    for (guint32 next = line + 1; next < end; next++) {
        guint32 place;

        if (ws_line_cache_find(&port->near, next) != WS_LINE_ABSENT)
            continue;
        place = ws_line_cache_find(&port->l0, next);
        if (place == WS_LINE_ABSENT)
            continue;
        port->changes++;
        ws_line_cache_insert(&port->near, next, MAX(ready, port->l0.ready[place]));
    }
}

/*
 * When the line is next to the warp that wants it; L0 has it at `there`. Behind the line that a
 * warp executes it was taken out of L0 in time.
 */
static guint64 bring_near(WsInstructionFetch *fetch, WsFetchPort *port, guint32 line, guint64 cycle,
                          guint64 there, gboolean in_line)
{
    guint64 ready = in_line ? there : MAX(there, cycle + fetch->device->fetch_near_latency);
    guint32 place = ws_line_cache_find(&port->near, line);

    if (place != WS_LINE_ABSENT) {
        ready = MAX(there, ws_line_cache_use(&port->near, place));
    } else {
        port->changes++;
        ws_line_cache_insert(&port->near, line, ready);
    }
    if (in_line || place == WS_LINE_ABSENT)
        draw_near(fetch, port, line, ready);
    return ready;
}

guint64 ws_instruction_fetch(WsInstructionFetch *fetch, guint sub_core, guint32 line, guint64 cycle,
                             gboolean in_line)
{
    WsFetchPort *port = &fetch->ports[sub_core];
    guint64 changes = port->changes, ready;
    WsQuietFetch *quiet;

    line = MIN(line + fetch->first, fetch->end - 1);
    quiet = &port->quiet[line % WS_FETCH_QUIET];
    if (quiet->changes == changes && quiet->line == line && quiet->in_line >= in_line) {
        ready = MAX(ws_line_cache_use(&port->l0, quiet->l0_place),
                    ws_line_cache_use(&port->near, quiet->near_place));
        return MAX(cycle, ready);
    }
    ready = from_l0(fetch, port, line, cycle);
    if (fetch->device->fetch_near_bytes == 0)
        return ready;
    ready = bring_near(fetch, port, line, cycle, ready, in_line);
    if (port->changes == changes && port->stream_sent == port->stream_end)
        *quiet = (WsQuietFetch){changes, line, in_line, ws_line_cache_find(&port->l0, line),
                                ws_line_cache_find(&port->near, line)};
    return ready;
}
