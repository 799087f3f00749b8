#include "sim/report/findings_json.h"

#include "sim/base/instruction_place.h"

static const char *const actions[] = {
    [WS_TOUCH_READ] = "read", [WS_TOUCH_WRITE] = "write", [WS_TOUCH_ATOMIC] = "atomic"};

static void add_integer(JsonBuilder *json, const char *name, gint64 value)
{
    json_builder_set_member_name(json, name);
    json_builder_add_int_value(json, value);
}

static void add_text(JsonBuilder *json, const char *name, const char *value)
{
    json_builder_set_member_name(json, name);
    if (value == NULL)
        json_builder_add_null_value(json);
    else
        json_builder_add_string_value(json, value);
}

static void add_triple(JsonBuilder *json, const char *name, const guint32 values[3])
{
    json_builder_set_member_name(json, name);
    json_builder_begin_array(json);
    for (guint i = 0; i < 3; i++)
        json_builder_add_int_value(json, values[i]);
    json_builder_end_array(json);
}

static void add_touch(JsonBuilder *json, const WsProgram *program, const WsTouch *touch)
{
    const WsLocation *location =
        &program->locations[program->instructions[touch->instruction].location];
    guint32 file, line;

    ws_line_of_instruction(program, touch->instruction, &file, &line);
    json_builder_begin_object(json);
    add_text(json, "action", actions[touch->action]);
    add_triple(json, "block", touch->block);
    add_triple(json, "thread", touch->thread);
    add_integer(json, "warp", touch->warp);
    add_integer(json, "lane", touch->lane);
    add_text(json, "file", file != 0 ? program->files[file] : NULL);
    add_integer(json, "line", line);
    add_integer(json, "ptx_line", location->ptx_line);
    add_integer(json, "instruction", touch->instruction);
    json_builder_end_object(json);
}

static void add_finding(JsonBuilder *json, const WsJob *job, const WsCheckFinding *finding)
{
    json_builder_begin_object(json);
    add_text(json, "check", ws_check_kind_name(finding->kind));
    add_integer(json, "count", (gint64)finding->count);
    add_integer(json, "launch", finding->launch);
    add_text(json, "kernel", job->launches[finding->launch].kernel->display_name);
    add_text(json, "space", finding->space);
    add_text(json, "place", finding->place);
    add_text(json, "array", finding->array);
    json_builder_set_member_name(json, "index");
    if (finding->index >= 0)
        json_builder_add_int_value(json, finding->index);
    else
        json_builder_add_null_value(json);
    add_text(json, "missing", finding->missing);
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
