/* What the warps of an SM do in each cycle of a stretch. */
#ifndef WS_INSPECT_ANIMATION_FRAMES_H
#define WS_INSPECT_ANIMATION_FRAMES_H

#include "sim/observe/observer.h"

enum { WS_FRAMES_MOST = 1000 }; /* cycles */

/* A warp in a cycle. Masks: a bit a lane. */
typedef struct {
    gboolean there;
    guint32 block, warp_in_block;
    guint8 reason;       /* why it does not issue; SELECTED: it does */
    guint32 instruction; /* that issues, or waits to; or WS_NO_INSTRUCTION */
    guint64 active, executed, waiting, launched; /* executed: whose guard is true, or as active */
} WsFrame;

typedef struct WsFrames WsFrames;

/* Cycles `first` to `last` of an SM with so many slots, at most WS_FRAMES_MOST of them. */
WsFrames *ws_frames_new(const WsProgram *program, guint32 sm, guint32 slots, guint64 first,
                        guint64 last);
void ws_frames_free(WsFrames *frames);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsFrames, ws_frames_free)

/* To be attached to one run, of which `end` is the cycle behind the last. */
const WsObserver *ws_frames_observer(WsFrames *frames);
void ws_frames_finish(WsFrames *frames, guint64 end);

guint32 ws_frames_sm(const WsFrames *frames);
guint64 ws_frames_first(const WsFrames *frames);
guint ws_frames_count(const WsFrames *frames); /* cycles that the run has of them */
guint ws_frames_slots(const WsFrames *frames);
const WsFrame *ws_frames_at(const WsFrames *frames, guint cycle, guint slot); /* from `first` */

#endif
