/* `sweep --study NAME`: the preset studies on the command line. */
#ifndef WS_CLI_PRESET_STUDY_H
#define WS_CLI_PRESET_STUDY_H

#include "study/preset/preset.h"
#include "study/results/folder.h"

/* The study, or NULL after a message that lists them. */
const WsPresetStudy *ws_preset_study_choose(const char *name);

/*
 * Prints answer, table and curve of what is in `folder`; with `path` also writes NAME.html there.
 * `job` is the launch as it stands. Errors: WS_ERROR_INPUT.
 */
gboolean ws_preset_study_report(const WsPresetStudy *preset, const WsStudy *study, const WsJob *job,
                                const WsStudyFolder *folder, const char *path, GError **error);

#endif
