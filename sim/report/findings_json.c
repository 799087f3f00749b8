#include "sim/report/findings_json.h"

#include "sim/base/json_members.h"

static const char *const actions[] = {[WS_TOUCH_READ] = "read",
                                      [WS_TOUCH_WRITE] = "write",
                                      [WS_TOUCH_ATOMIC] = "atomic",
                                      [WS_TOUCH_INDEX] = "index",
                                      [WS_TOUCH_WAIT] = "wait"};

static void add_number_or_null(JsonBuilder *json, const char *name, gboolean known, gint64 value)
{
    json_builder_set_member_name(json, name);
    if (known)
        json_builder_add_int_value(json, value);
    else
        json_builder_add_null_value(json);
}

static void add_touch(JsonBuilder *json, const WsProgram *program, const WsTouch *touch)
{
    gboolean known = touch->instruction != WS_CHECK_NO_INSTRUCTION;

    json_builder_begin_object(json);
    ws_json_add_text(json, "action", actions[touch->action]);
    ws_json_add_triple(json, "block", touch->block);
    ws_json_add_triple(json, "thread", touch->thread);
    ws_json_add_integer(json, "warp", touch->warp);
    ws_json_add_integer(json, "lane", touch->lane);
    ws_json_add_text(json, "file", touch->file != 0 ? program->files[touch->file] : NULL);
    ws_json_add_integer(json, "line", touch->line);
    ws_json_add_text(json, "inlined", touch->inlined);
    add_number_or_null(
        json, "ptx_line", known,
        known ? program->locations[program->instructions[touch->instruction].location].ptx_line
              : 0);
    add_number_or_null(json, "instruction", known, touch->instruction);
    json_builder_end_object(json);
}

static void add_finding(JsonBuilder *json, const WsJob *job, const WsCheckFinding *finding)
{
    json_builder_begin_object(json);
    ws_json_add_text(json, "check", ws_check_kind_name(finding->kind));
    ws_json_add_integer(json, "count", (gint64)finding->count);
    ws_json_add_integer(json, "launch", finding->launch);
    ws_json_add_text(json, "kernel", job->launches[finding->launch].kernel->display_name);
    ws_json_add_text(json, "space", finding->space);
    ws_json_add_text(json, "place", finding->place);
    ws_json_add_text(json, "array", finding->array);
    add_number_or_null(json, "index", finding->index >= 0, finding->index);
    ws_json_add_text(json, "missing", finding->missing);
    json_builder_set_member_name(json, "accesses");
    json_builder_begin_array(json);
    for (guint i = 0; i < finding->touches; i++)
        add_touch(json, job->program, &finding->touch[i]);
    json_builder_end_array(json);
    json_builder_end_object(json);
}

void ws_findings_add_json(JsonBuilder *json, const WsJob *job, const WsFindings *findings)
{
    json_builder_set_member_name(json, "findings");
    if (findings == NULL) {
        json_builder_add_null_value(json);
        return;
    }
    json_builder_begin_array(json);
    for (guint i = 0; i < findings->list->len; i++)
        add_finding(json, job, findings->list->pdata[i]);
    json_builder_end_array(json);
}
