/*
 * A page of a run: one HTML file that shows all of it in a browser, without a network. Summary,
 * timeline of warps, source lines, branches, occupancy over time, configuration.
 *
 * The page is built from web/ (TypeScript) when the program is, and holds the data of the run: the
 * document of `run --format json`, sources, bytecode and settings as JSON, and the timeline as
 * bytes in base64. The same run gives the same bytes.
 */
#ifndef WS_INSPECT_PAGE_PAGE_H
#define WS_INSPECT_PAGE_PAGE_H

#include "inspect/highlights/highlights.h"
#include "inspect/page/page_samples.h"
#include "inspect/page/timeline_record.h"
#include "inspect/quiz/quiz.h"
#include "sim/report/result.h"

/* FALSE where the program was built without what makes the page. */
gboolean ws_run_page_is_built(void);

/* What of a page is of its run. */
typedef struct {
    char *title;      /* text */
    char *run, *data; /* JSON */
    GBytes *timeline; /* ws_timeline_record_bytes() */
} WsRunPage;

/* A run that was watched and is over. */
typedef struct {
    const WsJob *job;
    const WsResult *result;
    WsTimelineRecord *record;
    /* What happened where, or NULL: the page finds out what it opens at in its timeline. */
    const WsHighlights *highlights;
    WsHighlightKind opening;      /* of these: the page opens there */
    const WsQuiz *quiz;           /* the page asks its questions before it shows the run; or NULL */
    const WsPageSamples *samples; /* of the run, or NULL: the page has no charts of them */
} WsPageRun;

WsRunPage *ws_run_page_new(const WsPageRun *run);
void ws_run_page_free(WsRunPage *page);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsRunPage, ws_run_page_free)

/*
 * The page of a run. Everything that users wrote is data in it, never markup. g_free; `ret_length`
 * bytes.
 */
char *ws_run_page_html(const WsPageRun *run, gsize *ret_length);

#endif
