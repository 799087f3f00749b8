#include "inspect/quiz/quiz_answers.h"

#include <json-glib/json-glib.h>

#include "sim/base/json_members.h"
#include "sim/base/json_text.h"

static const char schema[] = "warpstep-quiz-1";

guint ws_quiz_score(const WsQuiz *quiz, const gint *given)
{
    guint score = 0;

    for (guint i = 0; i < ws_quiz_count(quiz); i++)
        score += given[i] == (gint)ws_quiz_at(quiz, i)->answer;
    return score;
}

static void add_answer(JsonBuilder *json, const WsQuizQuestion *question, gint given)
{
    g_autofree char *id = ws_quiz_id(question);

    json_builder_begin_object(json);
    ws_json_add_text(json, "question", id);
    json_builder_set_member_name(json, "given");
    if (given == WS_NO_ANSWER)
        json_builder_add_null_value(json);
    else
        json_builder_add_int_value(json, given);
    json_builder_set_member_name(json, "right");
    json_builder_add_boolean_value(json, given == (gint)question->answer);
    json_builder_end_object(json);
}

char *ws_quiz_answers_json(const WsJob *job, const WsQuiz *quiz, const gint *given)
{
    g_autoptr(JsonBuilder) json = json_builder_new();

    json_builder_begin_object(json);
    ws_json_add_text(json, "schema", schema);
    ws_json_add_text(json, "target", job->path);
    ws_json_add_text(json, "device", job->device->name);
    ws_json_open_list(json, "answers");
    for (guint i = 0; i < ws_quiz_count(quiz); i++)
        add_answer(json, ws_quiz_at(quiz, i), given[i]);
    json_builder_end_array(json);
    ws_json_add_integer(json, "score", ws_quiz_score(quiz, given));
    ws_json_add_integer(json, "of", ws_quiz_count(quiz));
    json_builder_end_object(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    return ws_json_text(root);
}

/* ---- reading ------------------------------------------------------------------------------------
 */

/* The member, or NULL where it is none of that kind. */
static JsonNode *member(JsonObject *object, const char *name, JsonNodeType type)
{
    JsonNode *node = json_object_get_member(object, name);

    return node != NULL && JSON_NODE_TYPE(node) == type ? node : NULL;
}

static void read_answer(const WsQuiz *quiz, JsonObject *object, gint *ret)
{
    JsonNode *id = member(object, "question", JSON_NODE_VALUE);
    JsonNode *given = member(object, "given", JSON_NODE_VALUE);

    if (id == NULL || given == NULL || json_node_get_value_type(id) != G_TYPE_STRING ||
        json_node_get_value_type(given) != G_TYPE_INT64)
        return;
    for (guint i = 0; i < ws_quiz_count(quiz); i++) {
        g_autofree char *own = ws_quiz_id(ws_quiz_at(quiz, i));
        gint64 value = json_node_get_int(given);

        if (g_str_equal(own, json_node_get_string(id)) && value >= 0 && value < WS_QUIZ_CHOICES)
            ret[i] = (gint)value;
    }
}

gint *ws_quiz_answers_read(const WsQuiz *quiz, const char *name, const char *text, gssize length,
                           GError **error)
{
    g_autoptr(JsonParser) parser = json_parser_new();
    g_autoptr(GError) why = NULL;
    g_autofree gint *given = g_new(gint, ws_quiz_count(quiz) + 1);
    JsonNode *root, *list, *is;
    JsonObject *object = NULL;

    for (guint i = 0; i < ws_quiz_count(quiz); i++)
        given[i] = WS_NO_ANSWER;
    if (!json_parser_load_from_data(parser, text, length, &why)) {
        ws_set_error(error, WS_ERROR_INPUT, "%s: error: %s", name, why->message);
        return NULL;
    }
    root = json_parser_get_root(parser);
    if (root != NULL && JSON_NODE_HOLDS_OBJECT(root))
        object = json_node_get_object(root);
    is = object != NULL ? member(object, "schema", JSON_NODE_VALUE) : NULL;
    list = object != NULL ? member(object, "answers", JSON_NODE_ARRAY) : NULL;
    if (is == NULL || list == NULL || g_strcmp0(json_node_get_string(is), schema) != 0) {
        ws_set_error(error, WS_ERROR_INPUT, "%s: error: this file has no quiz answers (schema %s)",
                     name, schema);
        return NULL;
    }
    for (guint i = 0; i < json_array_get_length(json_node_get_array(list)); i++) {
        JsonNode *entry = json_array_get_element(json_node_get_array(list), i);

        if (JSON_NODE_HOLDS_OBJECT(entry))
            read_answer(quiz, json_node_get_object(entry), given);
    }
    return g_steal_pointer(&given);
}
