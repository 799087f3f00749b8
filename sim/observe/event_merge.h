/*
 * Tells observers what happened on all SMs: merges the SMs' streams in the order (cycle, SM,
 * sequence on the SM), window by window.
 */
#ifndef WS_SIM_OBSERVE_EVENT_MERGE_H
#define WS_SIM_OBSERVE_EVENT_MERGE_H

#include "sim/observe/event_stream.h"

typedef struct WsEventMerge WsEventMerge;

/* `observers` is a NULL-terminated list that outlives it. NULL if nobody watches. */
WsEventMerge *ws_event_merge_new(const WsObserver *const *observers, guint32 sms);
void ws_event_merge_free(WsEventMerge *merge);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsEventMerge, ws_event_merge_free)

/* The stream of SM `index`, which stays with the merge. */
WsEventStream *ws_event_merge_stream(WsEventMerge *merge, guint32 index);
/* Tells everything before `cycle`, which all SMs have come to. */
void ws_event_merge_emit(WsEventMerge *merge, guint64 cycle);
/* Tells all of a list, which may be NULL, of a launch. */
void ws_observers_begin(const WsObserver *const *observers, const WsTraceLaunch *launch);
void ws_observers_end(const WsObserver *const *observers, guint32 launch, guint64 cycle);
/* Tells what is left but for what never came true: the run ends. */
void ws_event_merge_finish(WsEventMerge *merge);

#endif
