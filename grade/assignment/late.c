/* `due:` and `late:` of an assignment. */
#include "grade/assignment/reader.h"

enum { SECONDS_AN_HOUR = 3600 };

gboolean ws_time_parse(const char *text, gint64 *ret)
{
    g_autoptr(GTimeZone) utc = g_time_zone_new_utc();
    g_autoptr(GDateTime) time = g_date_time_new_from_iso8601(text, utc);
    if (time == NULL)
        return FALSE;
    *ret = g_date_time_to_unix(time);
    return TRUE;
}

static gboolean read_row(WsAssignment *assignment, const WsYamlNode *node, GError **error)
{
    static const char *const keys[] = {"hours", "percent", NULL};
    const WsYamlTree *tree = assignment->tree;
    WsLateRow row = {0};
    if (!ws_yaml_expect_mapping(tree, node, "late", keys, error))
        return FALSE;
    const WsYamlNode *hours = ws_yaml_require(tree, node, "late", "hours", error);
    const WsYamlNode *percent =
        hours == NULL ? NULL : ws_yaml_require(tree, node, "late", "percent", error);
    if (percent == NULL || !ws_read_amount(tree, hours, "hours", &row.hours, error) ||
        !ws_read_amount(tree, percent, "percent", &row.percent, error))
        return FALSE;
    if (row.percent > 100)
        return ws_yaml_error(tree, percent, error, "percent must be from 0 to 100");
    if (assignment->late->len > 0 &&
        g_array_index(assignment->late, WsLateRow, assignment->late->len - 1).hours >= row.hours)
        return ws_yaml_error(tree, hours, error, "late: the hours must rise from row to row");
    g_array_append_val(assignment->late, row);
    return TRUE;
}

gboolean ws_read_late(WsAssignment *assignment, const WsYamlNode *due, const WsYamlNode *late,
                      GError **error)
{
    const WsYamlTree *tree = assignment->tree;
    if (due != NULL) {
        const char *text = ws_yaml_text(tree, due, "due", error);
        if (text == NULL)
            return FALSE;
        if (!ws_time_parse(text, &assignment->due))
            return ws_yaml_error(tree, due, error,
                                 "due: a time is expected, such as 2026-10-01T22:00:00Z");
    }
    if (late == NULL)
        return TRUE;
    if (due == NULL)
        return ws_yaml_error(tree, late, error, "'late' needs 'due'");
    if (!ws_yaml_expect_sequence(tree, late, "late", error))
        return FALSE;
    for (guint i = 0; i < ws_yaml_count(late); i++)
        if (!read_row(assignment, ws_yaml_item(late, i), error))
            return FALSE;
    return TRUE;
}

double ws_assignment_late_factor(const WsAssignment *assignment, gint64 submitted, char **ret_text)
{
    *ret_text = NULL;
    if (assignment->due == G_MININT64 || submitted == G_MININT64 || submitted <= assignment->due)
        return 1;
    double hours = (double)(submitted - assignment->due) / SECONDS_AN_HOUR, percent = 0;
    for (guint i = assignment->late->len; i-- > 0;) {
        const WsLateRow *row = &g_array_index(assignment->late, WsLateRow, i);
        if (hours <= row->hours)
            percent = row->percent;
    }
    *ret_text = g_strdup_printf("%.1f hours late: %g %% of the points count", hours, percent);
    return percent / 100;
}
