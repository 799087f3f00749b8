/*
 * A JSON tree as text: members in the order they were added, two blanks a level, lists of plain
 * values on one line, and numbers with as few digits as read back to the same value (json-glib's
 * own generator writes 17). NaN and infinity become null.
 */
#ifndef WS_SIM_BASE_JSON_TEXT_H
#define WS_SIM_BASE_JSON_TEXT_H

#include <json-glib/json-glib.h>

/* Ends in a newline. Free with g_free. */
char *ws_json_text(JsonNode *root);

#endif
