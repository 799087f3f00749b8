#include "sim/check/findings.h"

#include <string.h>

static const char *const kinds[] = {
#define KIND(name, text, help) text,
#include "sim/check/kinds.def"
#undef KIND
};

const char *ws_check_kind_name(WsCheckKind kind)
{
    return kinds[kind];
}

gboolean ws_check_kinds_parse(const char *text, guint *ret, char **ret_wrong)
{
    g_auto(GStrv) words = g_strsplit(text, ",", -1);

    *ret = 0;
    for (guint i = 0; words[i] != NULL; i++) {
        guint kind = 0;

        while (kind < WS_CHECK_COUNT && strcmp(words[i], kinds[kind]) != 0)
            kind++;
        if (kind < WS_CHECK_COUNT) {
            *ret |= WS_CHECK_BIT(kind);
        } else if (strcmp(words[i], "all") == 0) {
            *ret |= WS_ALL_CHECKS;
        } else {
            *ret_wrong = g_strdup(words[i]);
            return FALSE;
        }
    }
    return TRUE;
}

static void finding_free(gpointer data)
{
    WsCheckFinding *finding = data;

    g_free(finding->place);
    g_free(finding->array);
    g_free(finding->missing);
    for (guint i = 0; i < G_N_ELEMENTS(finding->touch); i++)
        g_free(finding->touch[i].inlined);
    g_free(finding);
}

WsFindings *ws_findings_new(guint wanted)
{
    WsFindings *findings = g_new0(WsFindings, 1);

    findings->kinds = wanted;
    findings->list = g_ptr_array_new_with_free_func(finding_free);
    return findings;
}

void ws_findings_free(WsFindings *findings)
{
    if (findings == NULL)
        return;
    g_ptr_array_unref(findings->list);
    g_free(findings->incomplete);
    g_free(findings);
}
