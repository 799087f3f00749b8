/*
 * Highlights: which SM, warp and cycles of a run are worth looking at first, by what happened
 * there. They are found out of the events of the whole run, on all SMs.
 */
#ifndef WS_INSPECT_HIGHLIGHTS_HIGHLIGHTS_H
#define WS_INSPECT_HIGHLIGHTS_HIGHLIGHTS_H

#include "sim/observe/observer.h"
#include "sim/report/result.h"

typedef enum {
#define HIGHLIGHT(name, ...) WS_HIGHLIGHT_##name,
#include "inspect/highlights/highlights.def"
#undef HIGHLIGHT
    WS_HIGHLIGHT_COUNT
} WsHighlightKind;

const char *ws_highlight_name(WsHighlightKind kind);  /* "worst-divergence" */
const char *ws_highlight_title(WsHighlightKind kind); /* "worst divergence" */
const char *ws_highlight_help(WsHighlightKind kind);
/* The kind of a name, or WS_HIGHLIGHT_COUNT. */
WsHighlightKind ws_highlight_by_name(const char *name);

typedef struct {
    gboolean there;     /* FALSE: nothing of the kind happened */
    guint64 cycle, end; /* its first cycle, and the one behind its last */
    guint32 launch, sm, slot, block, warp_in_block; /* block: linear number */
    guint32 instruction; /* that split the warp, waits or failed, or WS_NO_INSTRUCTION */
    /* While the warp is split: instructions issued, lanes active in them, and lanes that waited. */
    guint64 instructions, lanes, lost;
} WsHighlight;

typedef struct WsHighlights WsHighlights;

/* Of a device with so many SMs, each with so many warp slots. */
WsHighlights *ws_highlights_new(guint32 sms, guint32 slots);
void ws_highlights_free(WsHighlights *highlights);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsHighlights, ws_highlights_free)

/* To be attached to one run. It keeps no order among SMs: those of a warp must come in time's. */
const WsObserver *ws_highlights_observer(WsHighlights *highlights);
/* The run is over at `end`, with this status; `stop`: why it stopped early, or NULL. */
void ws_highlights_finish(WsHighlights *highlights, guint64 end, WsStatus status,
                          const WsStop *stop);

/* After ws_highlights_finish(). */
const WsHighlight *ws_highlights_at(const WsHighlights *highlights, WsHighlightKind kind);
/* The one that leads, or WS_HIGHLIGHT_COUNT where no warp ran. */
WsHighlightKind ws_highlights_lead(const WsHighlights *highlights);

/*
 * "block 3 warp 1 on SM 7, 2222 cycles, 1234 to 3455: 120 instructions with 1.0 lanes on average,
 * while 31.0 wait": of a highlight that there is, who, when and how much. g_free.
 */
char *ws_highlight_text(const WsHighlights *highlights, WsHighlightKind kind);

#endif
