#include "inspect/animation/frames.h"

#include "isa/bytecode/instruction.h"

/* The warp in a slot, as of the last event. */
typedef struct {
    WsFrame frame;
    guint64 alive;
    guint64 paths; /* lanes of paths that wait */
} Slot;

struct WsFrames {
    const WsProgram *program;
    guint32 sm, slots;
    guint64 first, last;
    guint64 cycle; /* of the events that come */
    Slot *warps;
    GArray *made; /* of WsFrame: `slots` a cycle */
    WsObserver observer;
};

/* Lanes of a warp that does not issue are those that no other path has. */
static WsFrame frame_of(const Slot *slot)
{
    WsFrame frame = slot->frame;

    if (frame.reason == WS_STALL_SELECTED) {
        frame.waiting = slot->alive & ~frame.active;
        return frame;
    }
    frame.active = frame.executed = slot->alive & ~slot->paths;
    frame.waiting = slot->alive & slot->paths;
    return frame;
}

/* Cycles before `cycle` are as warps stand. */
static void reach(WsFrames *frames, guint64 cycle)
{
    for (; frames->cycle < cycle && frames->cycle <= frames->last; frames->cycle++)
        for (guint32 i = 0; frames->cycle >= frames->first && i < frames->slots; i++) {
            WsFrame frame = frame_of(&frames->warps[i]);

            g_array_append_val(frames->made, frame);
        }
    frames->cycle = MAX(frames->cycle, cycle);
}

static void note_issue(const WsFrames *frames, Slot *slot, const WsTraceEvent *event)
{
    WsFrame *frame = &slot->frame;

    frame->reason = WS_STALL_SELECTED;
    frame->instruction = event->instruction;
    frame->active = event->issue.active;
    frame->executed = event->issue.executed;
    slot->alive = event->issue.alive;
}

/* The instruction of the cycle before has ended lanes. */
static void end_lanes(const WsFrames *frames, Slot *slot)
{
    const WsFrame *frame = &slot->frame;

    if (frame->reason == WS_STALL_SELECTED && frame->instruction != WS_NO_INSTRUCTION &&
        ws_is_kind(&frames->program->instructions[frame->instruction], WS_KIND_EXIT))
        slot->alive &= ~frame->executed;
}

static void note(void *data, const WsTraceEvent *event)
{
    WsFrames *frames = data;
    Slot *slot;

    if (event->sm != frames->sm || event->cycle > frames->last)
        return;
    reach(frames, event->cycle);
    slot = &frames->warps[event->warp];
    switch (event->kind) {
    case WS_TRACE_WARP_BEGIN:
        *slot = (Slot){.alive = event->warp_begin.launched};
        slot->frame = (WsFrame){.there = TRUE,
                                .block = event->block,
                                .warp_in_block = event->warp_in_block,
                                .reason = WS_STALL_NO_INSTRUCTION,
                                .instruction = WS_NO_INSTRUCTION,
                                .launched = event->warp_begin.launched};
        break;
    case WS_TRACE_WARP_END:
        *slot = (Slot){0};
        break;
    case WS_TRACE_ISSUE:
        note_issue(frames, slot, event);
        break;
    case WS_TRACE_STALL:
        end_lanes(frames, slot);
        slot->frame.reason = event->stall.reason;
        slot->frame.instruction = event->instruction;
        break;
    case WS_TRACE_PATH:
        slot->paths = (event->path.index == 0 ? 0 : slot->paths) | event->path.lanes;
        break;
    default:
        break;
    }
}

WsFrames *ws_frames_new(const WsProgram *program, guint32 sm, guint32 slots, guint64 first,
                        guint64 last)
{
    WsFrames *frames = g_new0(WsFrames, 1);

    frames->program = program;
    frames->sm = sm;
    frames->slots = slots;
    frames->first = first;
    frames->last = MIN(last, first + WS_FRAMES_MOST - 1);
    frames->warps = g_new0(Slot, slots);
    frames->made = g_array_new(FALSE, FALSE, sizeof(WsFrame));
    frames->observer =
        (WsObserver){.data = frames,
                     .kinds = WS_TRACE_BIT(WARP_BEGIN) | WS_TRACE_BIT(WARP_END) |
                              WS_TRACE_BIT(ISSUE) | WS_TRACE_BIT(STALL) | WS_TRACE_BIT(PATH),
                     .event = note};
    return frames;
}

void ws_frames_free(WsFrames *frames)
{
    if (frames == NULL)
        return;
    g_array_unref(frames->made);
    g_free(frames->warps);
    g_free(frames);
}

const WsObserver *ws_frames_observer(WsFrames *frames)
{
    return &frames->observer;
}

void ws_frames_finish(WsFrames *frames, guint64 end)
{
    reach(frames, end);
}

guint32 ws_frames_sm(const WsFrames *frames)
{
    return frames->sm;
}

guint64 ws_frames_first(const WsFrames *frames)
{
    return frames->first;
}

guint ws_frames_count(const WsFrames *frames)
{
    return frames->made->len / frames->slots;
}

guint ws_frames_slots(const WsFrames *frames)
{
    return frames->slots;
}

const WsFrame *ws_frames_at(const WsFrames *frames, guint cycle, guint slot)
{
    return &g_array_index(frames->made, WsFrame, cycle * frames->slots + slot);
}
