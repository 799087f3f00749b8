#include "isa/codegen/meeting_places.h"

#include "isa/flow/control_flow.h"
#include "isa/ir/walk.h"

/* Instructions looked at; meetings beyond it name no construct. */
enum { MAX_WORK = 20000000 };

typedef struct {
    WsInstruction *code;
    guint32 count;
    GArray *locations;
    GArray *constructs;
    WsControlFlow *flow;
    guint32 *seen; /* per block: number of the BSSY that came to it last, and one */
    guint64 work;
} Meetings;

static const WsLocation *location_of(const Meetings *meetings, guint32 i)
{
    return &g_array_index(meetings->locations, WsLocation, meetings->code[i].location);
}

static const WsConstruct *construct_of(const Meetings *meetings, guint32 index)
{
    return &g_array_index(meetings->constructs, WsConstruct, index);
}

static gboolean holds_line(const WsConstruct *construct, const WsLocation *at)
{
    return at->file == construct->file && at->line >= construct->line &&
           at->line <= construct->end_line;
}

/* The function whose body a construct is in, 0 = not known. */
static guint32 function_of(const Meetings *meetings, guint32 index)
{
    while (index != 0 && construct_of(meetings, index)->kind != WS_CONSTRUCT_FUNCTION)
        index = construct_of(meetings, index)->parent;
    return index;
}

/* Whether the code behind BSYNC `i` is between the first and the last line of the construct. */
static gboolean goes_on_inside(const Meetings *meetings, guint32 i, const WsConstruct *construct)
{
    while (i < meetings->count && (ws_is_kind(&meetings->code[i], WS_KIND_BSYNC) ||
                                   ws_is_kind(&meetings->code[i], WS_KIND_BSSY)))
        i++;
    if (i == meetings->count)
        return FALSE;
    const WsLocation *at = location_of(meetings, i);
    return at->file == construct->file && at->line > construct->line &&
           at->line < construct->end_line;
}

/* What stays where its statement is. */
static gboolean shows_place(const WsInstruction *instruction)
{
    return ws_is_store(instruction) || ws_is_atomic(instruction) ||
           ws_is_kind(instruction, WS_KIND_BARRIER) ||
           (ws_is_kind(instruction, WS_KIND_BRA) && ws_branch_is_conditional(instruction));
}

/* Whether instruction `i` of a region shows that the region is another than the construct. */
static gboolean contradicts(const Meetings *meetings, guint32 i, guint32 index)
{
    const WsLocation *at = location_of(meetings, i);
    if (at->line == 0 || !shows_place(&meetings->code[i]) ||
        holds_line(construct_of(meetings, index), at))
        return FALSE;
    guint32 function = function_of(meetings, index);
    return construct_of(meetings, index)->returns || function == 0 ||
           holds_line(construct_of(meetings, function), at);
}

/* From `i` to the end of its block: FALSE if something contradicts. `ret_ended`: BSYNC has come. */
static gboolean follow(Meetings *meetings, guint32 i, guint32 end, guint32 barrier, guint32 index,
                       gboolean *ret_ended)
{
    *ret_ended = FALSE;
    for (; i < end && !*ret_ended; i++) {
        const WsInstruction *instruction = &meetings->code[i];
        meetings->work++;
        if (contradicts(meetings, i, index))
            return FALSE;
        *ret_ended =
            ws_is_kind(instruction, WS_KIND_BSYNC) && instruction->operand[0].index == barrier;
    }
    return TRUE;
}

/* Whether what lies between BSSY `start` and its BSYNC may be the construct. */
static gboolean region_fits(Meetings *meetings, guint32 start, guint32 index)
{
    g_autoptr(GArray) blocks = g_array_new(FALSE, FALSE, sizeof(guint32));
    const WsControlFlow *flow = meetings->flow;
    guint32 barrier = meetings->code[start].operand[0].index;
    guint32 b = flow->block_of[start];
    /* BSSY may be moved up in its block: what is in it beside the branch is not in the region. */
    guint32 i = MAX(start, flow->blocks[b].first + flow->blocks[b].count - 1);
    for (;;) {
        gboolean ended;
        if (!follow(meetings, i, flow->blocks[b].first + flow->blocks[b].count, barrier, index,
                    &ended) ||
            meetings->work > MAX_WORK)
            return FALSE;
        for (guint32 e = flow->graph->first[b]; !ended && e < flow->graph->first[b + 1]; e++) {
            guint32 to = flow->graph->successors[e];
            if (meetings->seen[to] != start + 1)
                g_array_append_val(blocks, to);
            meetings->seen[to] = start + 1;
        }
        if (blocks->len == 0)
            return TRUE;
        b = g_array_index(blocks, guint32, blocks->len - 1);
        g_array_set_size(blocks, blocks->len - 1);
        i = flow->blocks[b].first;
    }
}

static gboolean is_whole(WsConstructKind kind)
{
    return kind != WS_CONSTRUCT_ROUND && kind != WS_CONSTRUCT_FUNCTION &&
           kind != WS_CONSTRUCT_OPERATION;
}

/* Both sides end alike, and clang has made that one: the place where the code of it begins. */
static guint32 rest_of(Meetings *meetings, guint32 index)
{
    const WsConstruct *whole = construct_of(meetings, index);
    const WsConstruct rest = {.kind = WS_CONSTRUCT_REST,
                              .file = whole->file,
                              .line = whole->line,
                              .end_line = whole->end_line,
                              .parent = index};
    if (!ws_construct_has_sides(whole->kind))
        return 0;
    g_array_append_val(meetings->constructs, rest);
    return meetings->constructs->len - 1;
}

/* The place of BSSY `i` and of BSYNC `sync`, its target. */
static void place(Meetings *meetings, guint32 i, guint32 sync)
{
    WsLocation location = *location_of(meetings, i);
    guint32 index = construct_of(meetings, location.construct)->meets;
    if (index != 0 && is_whole(construct_of(meetings, index)->kind)) {
        if (!region_fits(meetings, i, index))
            index = 0;
        else if (goes_on_inside(meetings, sync, construct_of(meetings, index)))
            index = rest_of(meetings, index);
    }
    location.construct = index;
    if (index != 0) {
        location.file = construct_of(meetings, index)->file;
        location.line = construct_of(meetings, index)->line;
        location.column = 0;
    }
    g_array_append_val(meetings->locations, location);
    meetings->code[i].location = meetings->code[sync].location = meetings->locations->len - 1;
}

void ws_place_meetings(WsInstruction *code, guint32 count, GArray *locations, GArray *constructs)
{
    Meetings meetings = {
        .code = code, .count = count, .locations = locations, .constructs = constructs};
    gboolean any = FALSE;
    for (guint32 i = 0; i < count; i++)
        any |= ws_is_kind(&code[i], WS_KIND_BSSY);
    if (!any || constructs->len <= 1)
        return;
    meetings.flow = ws_control_flow_new(code, 0, count);
    meetings.seen = g_new0(guint32, (gsize)meetings.flow->block_count + 1);
    for (guint32 i = 0; i < count; i++) {
        guint32 sync = ws_is_kind(&code[i], WS_KIND_BSSY) ? ws_branch_target(&code[i]) : count;
        if (sync < count && ws_is_kind(&code[sync], WS_KIND_BSYNC))
            place(&meetings, i, sync);
    }
    ws_control_flow_free(meetings.flow);
    g_free(meetings.seen);
}
