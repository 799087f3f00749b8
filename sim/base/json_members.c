#include "sim/base/json_members.h"

#include <math.h>

void ws_json_add_text(JsonBuilder *json, const char *name, const char *value)
{
    json_builder_set_member_name(json, name);
    if (value == NULL)
        json_builder_add_null_value(json);
    else
        json_builder_add_string_value(json, value);
}

void ws_json_add_integer(JsonBuilder *json, const char *name, gint64 value)
{
    json_builder_set_member_name(json, name);
    json_builder_add_int_value(json, value);
}

void ws_json_add_number(JsonBuilder *json, const char *name, double value)
{
    json_builder_set_member_name(json, name);
    if (isnan(value))
        json_builder_add_null_value(json);
    else
        json_builder_add_double_value(json, value);
}

void ws_json_add_triple(JsonBuilder *json, const char *name, const guint32 values[3])
{
    ws_json_open_list(json, name);
    for (guint i = 0; i < 3; i++)
        json_builder_add_int_value(json, values[i]);
    json_builder_end_array(json);
}

void ws_json_add_texts(JsonBuilder *json, const char *name, char *const *texts)
{
    ws_json_open_list(json, name);
    for (; texts != NULL && *texts != NULL; texts++)
        json_builder_add_string_value(json, *texts);
    json_builder_end_array(json);
}

void ws_json_open_list(JsonBuilder *json, const char *name)
{
    json_builder_set_member_name(json, name);
    json_builder_begin_array(json);
}

void ws_json_open_object(JsonBuilder *json, const char *name)
{
    json_builder_set_member_name(json, name);
    json_builder_begin_object(json);
}
