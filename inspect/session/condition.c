#include "inspect/session/condition.h"

#include <string.h>

struct WsCondition {
    char *text;
    WsLaneScope *scope;
    WsTyped *typed;
    gboolean reads_memory;
};

WsCondition *ws_condition_new(const WsTimeline *timeline, const WsLaunch *launch, const char *text,
                              GError **error)
{
    g_autoptr(WsCondition) condition = g_new0(WsCondition, 1);
    g_autofree char *problem = NULL;

    condition->text = g_strstrip(g_strdup(text));
    condition->scope = ws_lane_scope_new(timeline, launch);
    condition->typed = ws_lane_scope_compile(condition->scope, "condition", condition->text, error);
    if (condition->typed == NULL)
        return NULL;
    condition->reads_memory = ws_lane_scope_reads_memory(condition->typed);
    problem = ws_typed_check_condition(condition->typed);
    if (problem == NULL)
        return g_steal_pointer(&condition);
    ws_set_error(error, WS_ERROR_USAGE, "condition '%s': %s", condition->text, problem);
    return NULL;
}

void ws_condition_free(WsCondition *condition)
{
    if (condition == NULL)
        return;
    ws_typed_free(condition->typed);
    ws_lane_scope_free(condition->scope);
    g_free(condition->text);
    g_free(condition);
}

const char *ws_condition_text(const WsCondition *condition)
{
    return condition->text;
}

guint64 ws_condition_lanes(const WsCondition *condition, const WsLanePlace *place, guint64 lanes,
                           guint64 *ret_unknown)
{
    *ret_unknown = 0;
    return lanes == 0 ? 0
                      : ws_typed_truth(condition->typed, place, lanes, ret_unknown) | *ret_unknown;
}

gboolean ws_condition_reads_memory(const WsCondition *condition)
{
    return condition->reads_memory;
}

const char *ws_condition_unknown_text(const WsCondition *condition, guint lane)
{
    const WsRow *row = ws_typed_last(condition->typed);

    return ws_unknown_text(row->why[ws_row_lane(row, lane)]);
}
