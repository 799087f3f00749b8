/*
 * What the rows of a study depend on besides its options, as hashes: files, and Warpstep itself. A
 * target has a hash of its own, so that a change to its files concerns its points alone.
 */
#ifndef WS_STUDY_PLAN_STUDY_DIGEST_H
#define WS_STUDY_PLAN_STUDY_DIGEST_H

#include "study/plan/study.h"

typedef struct {
    /* Of this program, the devices, and the policies in C that the study names. */
    char *common;
    /* Of all other files that each target reads, by its number (ws_study_target_of()).
     * NULL-terminated. NULL in a study of an earlier version: `common` covers them. */
    char **targets;
} WsStudyDigest;

void ws_study_digest_clear(WsStudyDigest *digest);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WsStudyDigest, ws_study_digest_clear)

/*
 * The id of a point's result, 16 hex digits: a hash of our version, of `digest` as far as it
 * concerns the point, and of the point's options. g_free.
 */
char *ws_study_point_id(const WsStudy *study, const WsStudyDigest *digest, guint point);

#endif
