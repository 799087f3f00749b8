#include "grade/class/class_tables.h"

#include "isa/base/csv_cell.h"
#include "isa/base/escape.h"

#include <string.h>

/* ---- grades.csv -------------------------------------------------------------------------------
 */

static void add_cell(GString *csv, gboolean first, const char *text)
{
    g_autofree char *plain = ws_escape_controls(text, -1, "");
    if (!first)
        g_string_append_c(csv, ',');
    ws_csv_append_cell(csv, plain);
}

static void add_number_cell(GString *csv, JsonObject *object, const char *name)
{
    g_string_append_c(csv, ',');
    if (object == NULL || !json_object_has_member(object, name) ||
        json_object_get_null_member(object, name))
        return;
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append(csv, g_ascii_formatd(text, sizeof text, "%.6g",
                                         json_object_get_double_member(object, name)));
}

/* The member `name` of item `index` of a list. */
static JsonObject *item(JsonObject *result, const char *list, guint index)
{
    JsonArray *items = result == NULL ? NULL : json_object_get_array_member(result, list);
    return items == NULL || index >= json_array_get_length(items)
               ? NULL
               : json_array_get_object_element(items, index);
}

/* Its level, or "". */
static const char *protection_of(JsonObject *result)
{
    JsonNode *node = result == NULL ? NULL : json_object_get_member(result, "protection");
    return node == NULL || !JSON_NODE_HOLDS_OBJECT(node)
               ? ""
               : json_object_get_string_member_with_default(json_node_get_object(node), "level",
                                                            "");
}

/* What compiled it (`compiler`) or the assignment's programs (`own_compiler`), or "". */
static const char *compiler_of(JsonObject *result, const char *member)
{
    const char *name =
        result == NULL ? NULL : json_object_get_string_member_with_default(result, member, NULL);
    return name != NULL ? name : "";
}

static void add_head(GString *csv, const WsAssignment *assignment)
{
    g_string_append(csv, "student,total,score,max_score,late_factor,error");
    for (guint i = 0; i < assignment->rules->len; i++)
        add_cell(csv, FALSE, ws_assignment_rule(assignment, i)->name);
    for (guint i = 0; i < assignment->rankings->len; i++) {
        const WsRanking *ranking = g_ptr_array_index(assignment->rankings, i);
        g_autofree char *name = g_strconcat("leaderboard ", ranking->name, NULL);
        add_cell(csv, FALSE, name);
    }
    g_string_append(csv, ",protection,compiler\r\n");
}

char *ws_class_csv(const WsAssignment *assignment, const GPtrArray *names, const GPtrArray *results)
{
    GString *csv = g_string_new(NULL);
    add_head(csv, assignment);
    for (guint s = 0; s < names->len; s++) {
        JsonNode *node = results->pdata[s];
        JsonObject *result = node == NULL ? NULL : json_node_get_object(node);
        const char *error = result == NULL
                                ? "not graded"
                                : json_object_get_string_member_with_default(result, "error", NULL);
        add_cell(csv, TRUE, names->pdata[s]);
        add_number_cell(csv, result, "total");
        add_number_cell(csv, result, "score");
        add_number_cell(csv, result, "max_score");
        add_number_cell(csv, result, "late_factor");
        add_cell(csv, FALSE, error != NULL ? error : "");
        for (guint i = 0; i < assignment->rules->len; i++)
            add_number_cell(csv, item(result, "checks", i), "points");
        for (guint i = 0; i < assignment->rankings->len; i++)
            add_number_cell(csv, item(result, "leaderboard", i), "value");
        add_cell(csv, FALSE, protection_of(result));
        add_cell(csv, FALSE, compiler_of(result, "compiler"));
        g_string_append(csv, "\r\n");
    }
    return g_string_free(csv, FALSE);
}

/* How many submissions were compiled with each level, for one line. */
static char *protection_words(const GPtrArray *results)
{
    static const char *const levels[] = {"full", "partial", "none"};
    g_autoptr(GString) words = g_string_new(NULL);
    for (guint level = 0; level < G_N_ELEMENTS(levels); level++) {
        guint count = 0;
        for (guint s = 0; s < results->len; s++) {
            JsonNode *node = results->pdata[s];
            count += node != NULL &&
                     strcmp(protection_of(json_node_get_object(node)), levels[level]) == 0;
        }
        if (count > 0)
            g_string_append_printf(words, "%s%s for %u", words->len > 0 ? ", " : "", levels[level],
                                   count);
    }
    return g_string_free(g_steal_pointer(&words), FALSE);
}

/* Adds how many results have each of what compiled them, in the order of their first ones. */
static guint add_compilers(GString *words, const GPtrArray *results, const char *member)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint s = 0; s < results->len; s++) {
        JsonNode *node = results->pdata[s];
        const char *name = compiler_of(node == NULL ? NULL : json_node_get_object(node), member);
        if (*name != '\0' && !g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
            g_ptr_array_add(names, (gpointer)name);
    }
    for (guint i = 0; i < names->len; i++) {
        guint count = 0;
        for (guint s = 0; s < results->len; s++) {
            JsonNode *node = results->pdata[s];
            count += node != NULL &&
                     strcmp(compiler_of(json_node_get_object(node), member), names->pdata[i]) == 0;
        }
        g_string_append_printf(words, "%s%s for %u", i == 0 ? "" : ", ",
                               (const char *)names->pdata[i], count);
    }
    return names->len;
}

static gboolean any_differs(const GPtrArray *results)
{
    for (guint s = 0; s < results->len; s++) {
        JsonNode *node = results->pdata[s];
        JsonObject *result = node == NULL ? NULL : json_node_get_object(node);
        const char *name = compiler_of(result, "compiler");
        const char *own = compiler_of(result, "own_compiler");
        if (*name != '\0' && *own != '\0' && strcmp(name, own) != 0)
            return TRUE;
    }
    return FALSE;
}

char *ws_class_compilers(const GPtrArray *results)
{
    g_autoptr(GString) words = g_string_new("Compiled by ");
    guint count = add_compilers(words, results, "compiler");
    gboolean differ = any_differs(results);
    if (count == 0)
        return NULL;
    if (differ) {
        g_string_append(words, "; the programs of the assignment by ");
        add_compilers(words, results, "own_compiler");
    }
    if (differ || count > 1)
        g_string_append(words, ": figures may differ for that reason");
    return g_string_free(g_steal_pointer(&words), FALSE);
}

/* ---- leaderboard.html -------------------------------------------------------------------------
 */

typedef struct {
    const char *name;
    double value;
    gboolean ascending;
} Place;

static gint by_value(gconstpointer a, gconstpointer b)
{
    const Place *x = a, *y = b;
    double sign = x->ascending ? 1 : -1;
    if (x->value != y->value)
        return sign * x->value < sign * y->value ? -1 : 1;
    return strcmp(x->name, y->name);
}

static GArray *places_of(const WsRanking *ranking, guint index, const GPtrArray *names,
                         const GPtrArray *results)
{
    GArray *places = g_array_new(FALSE, FALSE, sizeof(Place));
    for (guint s = 0; s < names->len; s++) {
        JsonNode *node = results->pdata[s];
        JsonObject *row =
            node == NULL ? NULL : item(json_node_get_object(node), "leaderboard", index);
        if (row == NULL || json_object_get_null_member(row, "value"))
            continue;
        Place place = {names->pdata[s], json_object_get_double_member(row, "value"),
                       ranking->ascending};
        g_array_append_val(places, place);
    }
    g_array_sort(places, by_value);
    return places;
}

static char *markup(const char *text)
{
    g_autofree char *plain = ws_escape_controls(text, -1, "");
    return g_markup_escape_text(plain, -1);
}

/* Equal values share a place. */
static void add_ranking(GString *page, const WsRanking *ranking, const GArray *places)
{
    g_autofree char *title = markup(ranking->name);
    g_string_append_printf(page, "<h2>%s</h2>\n<table>\n", title);
    guint place = 0;
    for (guint i = 0; i < places->len; i++) {
        const Place *row = &g_array_index(places, Place, i);
        if (i == 0 || row->value != (row - 1)->value)
            place = i + 1;
        char value[G_ASCII_DTOSTR_BUF_SIZE];
        g_ascii_formatd(value, sizeof value, "%.6g", row->value);
        g_autofree char *name = markup(row->name);
        g_string_append_printf(page, "<tr><td>%u</td><td>%s</td><td>%s</td></tr>\n", place, name,
                               value);
    }
    g_string_append(page, "</table>\n");
}

char *ws_class_leaderboard(const WsAssignment *assignment, const GPtrArray *names,
                           const GPtrArray *results)
{
    g_autofree char *title = markup(assignment->title);
    GString *page = g_string_new("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n");
    g_string_append_printf(page,
                           "<title>%s: leaderboard</title>\n"
                           "<style>body{font:16px/1.45 system-ui,sans-serif;max-width:40em;"
                           "margin:2em auto;padding:0 1em}td{padding:.2em 1em .2em 0}</style>\n"
                           "<h1>%s</h1>\n",
                           title, title);
    for (guint i = 0; i < assignment->rankings->len; i++) {
        const WsRanking *ranking = g_ptr_array_index(assignment->rankings, i);
        g_autoptr(GArray) places = places_of(ranking, i, names, results);
        add_ranking(page, ranking, places);
    }
    g_autofree char *words = protection_words(results);
    g_autofree char *compilers = ws_class_compilers(results);
    g_autofree char *shown = compilers != NULL ? markup(compilers) : NULL;
    if (shown != NULL)
        g_string_append_printf(page, "<p>%s</p>\n", shown);
    g_string_append_printf(page, "<p>Protection of the compiler: %s</p>\n</html>\n", words);
    return g_string_free(page, FALSE);
}
