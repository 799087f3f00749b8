/*
 * Samples of a run for its page: a bounded number of equal spans, which double when the run
 * outgrows them.
 */
#ifndef WS_INSPECT_PAGE_PAGE_SAMPLES_H
#define WS_INSPECT_PAGE_PAGE_SAMPLES_H

#include <json-glib/json-glib.h>

#include "sim/observe/sampling.h"

typedef struct WsPageSamples WsPageSamples;

WsPageSamples *ws_page_samples_new(void);
void ws_page_samples_free(WsPageSamples *samples);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsPageSamples, ws_page_samples_free)

/* To be given to one run. */
const WsSampleSink *ws_page_samples_sink(WsPageSamples *samples);

/*
 * Adds the member "samples": null where `samples` is NULL, or "width" of a span in cycles,
 * "l1_lookups", "l1_hits", "l2_lookups", "l2_hits", "dram_bytes", each a list by span, and
 * "stalls", a list of such lists by stall reason.
 */
void ws_page_add_samples(JsonBuilder *json, const WsPageSamples *samples);

#endif
