#include "study/plan/study_digest.h"

enum { ID_DIGITS = 16 };

void ws_study_digest_clear(WsStudyDigest *digest)
{
    g_clear_pointer(&digest->common, g_free);
    g_clear_pointer(&digest->targets, g_strfreev);
}

char *ws_study_point_id(const WsStudy *study, const WsStudyDigest *digest, guint point)
{
    g_autoptr(GString) text = g_string_new(WS_VERSION "\n");
    g_autofree char *command = ws_study_point_command(study, point);
    g_string_append_printf(text, "%s\n", digest->common);
    if (digest->targets != NULL)
        g_string_append_printf(text, "%s\n", digest->targets[ws_study_target_of(study, point)]);
    g_string_append(text, command);
    g_autofree char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text->str, -1);
    return g_strndup(sum, ID_DIGITS);
}
