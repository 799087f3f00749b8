#include "inspect/session/condition.h"

#include <string.h>

struct WsCondition {
    char *text;
    WsLaneScope *scope;
    WsLaneExpression *expression;
    gboolean reads_memory;
};

WsCondition *ws_condition_new(const WsTimeline *timeline, const WsLaunch *launch, const char *text,
                              const guint32 *instructions, guint count, GError **error)
{
    g_autoptr(WsCondition) condition = g_new0(WsCondition, 1);
    g_autofree char *problem = NULL;

    condition->text = g_strstrip(g_strdup(text));
    condition->scope = ws_lane_scope_new(timeline, launch);
    condition->expression = ws_lane_expression_new(condition->scope, "condition", condition->text,
                                                   instructions, count, error);
    if (condition->expression == NULL)
        return NULL;
    condition->reads_memory = ws_lane_expression_reads_memory(condition->expression);
    problem = ws_typed_check_condition(ws_lane_expression_typed(condition->expression));
    if (problem == NULL)
        return g_steal_pointer(&condition);
    ws_set_error(error, WS_ERROR_USAGE, "condition '%s': %s", condition->text, problem);
    return NULL;
}

void ws_condition_free(WsCondition *condition)
{
    if (condition == NULL)
        return;
    ws_lane_expression_free(condition->expression);
    ws_lane_scope_free(condition->scope);
    g_free(condition->text);
    g_free(condition);
}

guint64 ws_condition_lanes(const WsCondition *condition, const WsLanePlace *place, guint64 lanes,
                           guint64 *ret_unknown)
{
    *ret_unknown = 0;
    return lanes == 0 ? 0
                      : ws_lane_expression_truth(condition->expression, place, lanes, ret_unknown) |
                            *ret_unknown;
}

gboolean ws_condition_is_at(const WsCondition *condition, guint32 pc)
{
    return ws_lane_expression_is_at(condition->expression, pc);
}

gboolean ws_condition_reads_memory(const WsCondition *condition)
{
    return condition->reads_memory;
}

const char *ws_condition_unknown_text(const WsCondition *condition, guint lane)
{
    return ws_lane_expression_unknown_text(condition->expression, lane);
}
