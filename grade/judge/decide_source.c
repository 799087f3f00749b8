/* What a program must and must not use. */
#include "grade/judge/decide.h"
#include "grade/judge/source_words.h"

#include <string.h>

static void fail_use(WsVerdict *verdict, gboolean wanted, const char *kind, const char *name)
{
    g_autofree char *text = wanted ? g_strdup_printf("the %s %s is not used", kind, name)
                                   : g_strdup_printf("the %s %s is used", kind, name);
    if (verdict->rationale == NULL)
        ws_verdict_fail_itself(verdict, "%s", text);
    else
        ws_verdict_log(verdict, text);
}

static void decide_instructions(JsonObject *code, char *const *names, gboolean wanted,
                                WsVerdict *verdict)
{
    for (; names != NULL && *names != NULL; names++)
        if (json_object_has_member(code, *names) != wanted)
            fail_use(verdict, wanted, "instruction", *names);
}

static void decide_words(GHashTable *words, char *const *names, gboolean wanted, WsVerdict *verdict)
{
    for (; names != NULL && *names != NULL; names++)
        if ((g_hash_table_contains(words, *names) != 0) != wanted)
            fail_use(verdict, wanted, "name", *names);
}

void ws_decide_source(const WsCase *of, const WsRule *rule, WsVerdict *verdict)
{
    if (!ws_decide_run(of, (guint)rule->test, FALSE, verdict))
        return;
    const WsTrial *trial = ws_case_trial(of, (guint)rule->test);
    JsonObject *code = json_object_get_object_member(json_node_get_object(trial->report), "code");
    decide_instructions(code, rule->use, TRUE, verdict);
    decide_instructions(code, rule->avoid, FALSE, verdict);
    gsize length;
    const char *text = g_bytes_get_data(of->submission->source, &length);
    g_autoptr(GHashTable) words = ws_source_words(text, length);
    decide_words(words, rule->use_words, TRUE, verdict);
    decide_words(words, rule->avoid_words, FALSE, verdict);
}
