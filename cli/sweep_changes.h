/* What `warpstep sweep` says on stderr if the files of some targets have changed. */
#ifndef WS_CLI_SWEEP_CHANGES_H
#define WS_CLI_SWEEP_CHANGES_H

#include "study/results/folder.h"

/*
 * One line, before anything runs: which targets' files have changed since the folder was last used,
 * how many of their points must run again, and that the rows of the others stay. Nothing if none
 * has.
 */
void ws_sweep_tell_changed_targets(const WsStudy *study, const WsStudyFolder *folder,
                                   const char *path);

#endif
