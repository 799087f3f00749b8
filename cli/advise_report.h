/* What `warpstep advise` found, as text and as JSON (docs/reference/formats.md lists the names). */
#ifndef WS_CLI_ADVISE_REPORT_H
#define WS_CLI_ADVISE_REPORT_H

#include "study/advise/advise.h"

/* `all`: every run, with its command, else the first ones that gain. g_free. */
char *ws_advise_text(const WsAdvise *advise, gboolean all);
/* Every run of the launch `target`. g_free. */
char *ws_advise_json(const char *target, const WsAdvise *advise);

#endif
