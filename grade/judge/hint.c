/* What a run lost its time to, as far as those who hand in can do anything about it. */
#include "grade/judge/decide.h"

#include <string.h>

static const char *text_of(JsonObject *object, const char *name)
{
    return json_object_get_string_member_with_default(object, name, NULL);
}

char *ws_place_of(JsonObject *object)
{
    const char *file = text_of(object, "file");
    gint64 line = json_object_get_int_member_with_default(object, "line", 0);
    return file == NULL || line == 0 ? NULL : g_strdup_printf("%s:%" G_GINT64_FORMAT, file, line);
}

char *ws_with_place(const char *text, const char *place)
{
    static const char below[] = "the line below";
    g_autoptr(GString) whole = g_string_new(text);
    if (place == NULL || strstr(text, place) != NULL)
        return g_string_free(g_steal_pointer(&whole), FALSE);
    if (g_string_replace(whole, below, place, 1) == 0)
        g_string_append_printf(whole, " - %s", place);
    return g_string_free(g_steal_pointer(&whole), FALSE);
}

/* Whether what a thread takes, registers or shared memory, keeps warps away from the SM. */
static gboolean is_limited_by_program(JsonObject *run)
{
    static const char *const own[] = {"registers", "shared", "barriers", NULL};
    JsonObject *occupancy = json_object_get_object_member(run, "occupancy");
    JsonNode *limiters = json_object_get_member(occupancy, "limiters");
    if (limiters == NULL || !JSON_NODE_HOLDS_ARRAY(limiters))
        return FALSE;
    JsonArray *list = json_node_get_array(limiters);
    for (guint i = 0; i < json_array_get_length(list); i++)
        if (g_strv_contains(own, json_array_get_string_element(list, i)))
            return TRUE;
    return FALSE;
}

/*
 * Grid and blocks are the test's: more of them, or others, are no hint. Nor are causes that the
 * assignment leaves out.
 */
static gboolean is_hint(const WsAssignment *assignment, JsonObject *run, JsonObject *cause)
{
    static const char *const of_launch[] = {"small_grid", "partial_warps", NULL};
    const char *name = text_of(cause, "name");
    if (name == NULL || g_strv_contains(of_launch, name) ||
        (assignment->no_hints != NULL &&
         g_strv_contains((const char *const *)assignment->no_hints, name)))
        return FALSE;
    return strcmp(name, "few_warps") != 0 ||
           (is_limited_by_program(run) && strstr(text_of(cause, "text"), "the grid") == NULL);
}

char *ws_hint_of(const WsAssignment *assignment, const WsTrial *trial)
{
    JsonObject *run = ws_trial_run_object(trial);
    if (run == NULL || !json_object_has_member(run, "bottlenecks"))
        return NULL;
    JsonArray *list = json_object_get_array_member(run, "bottlenecks");
    for (guint i = 0; i < json_array_get_length(list); i++) {
        JsonObject *cause = json_array_get_object_element(list, i);
        if (g_strcmp0(text_of(cause, "kind"), "stop") == 0)
            return NULL;
        if (!is_hint(assignment, run, cause))
            continue;
        g_autofree char *place = ws_place_of(cause);
        return ws_with_place(text_of(cause, "text"), place);
    }
    return NULL;
}
