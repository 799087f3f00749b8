/*
 * Members of the JSON object that is being built, by name.
 */
#ifndef WS_SIM_BASE_JSON_MEMBERS_H
#define WS_SIM_BASE_JSON_MEMBERS_H

#include <glib.h>
#include <json-glib/json-glib.h>

/* NULL becomes null. */
void ws_json_add_text(JsonBuilder *json, const char *name, const char *value);
void ws_json_add_integer(JsonBuilder *json, const char *name, gint64 value);
/* NaN stands for "there is no such number" and becomes null. */
void ws_json_add_number(JsonBuilder *json, const char *name, double value);
/* A list of three: of blocks, threads, sizes. */
void ws_json_add_triple(JsonBuilder *json, const char *name, const guint32 values[3]);
/* A list of `texts`, which NULL ends; empty for NULL. */
void ws_json_add_texts(JsonBuilder *json, const char *name, char *const *texts);
/* A list or an object that the next calls fill, until json_builder_end_array() or
 * json_builder_end_object(). */
void ws_json_open_list(JsonBuilder *json, const char *name);
void ws_json_open_object(JsonBuilder *json, const char *name);

#endif
