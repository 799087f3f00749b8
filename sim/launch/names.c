/* Names that a launch file gives, and looks for. */
#include "sim/launch/reader.h"

#include <string.h>

gboolean ws_launch_is_name(const char *text, gsize longest)
{
    gboolean valid = g_ascii_isalpha(*text) || *text == '_';
    for (const char *at = text; *at != '\0'; at++)
        valid = valid && (g_ascii_isalnum(*at) || *at == '_');
    return valid && strlen(text) <= longest;
}

gboolean ws_launch_find_name(const WsLaunchReader *reader, const WsYamlNode *node, const char *what,
                             const GPtrArray *names, guint32 *ret, GError **error)
{
    g_autofree char *label = g_strdup_printf("a %s's name", what);
    const char *name = ws_yaml_text(reader->tree, node, label, error);
    if (name == NULL)
        return FALSE;
    g_autoptr(GPtrArray) candidates = g_ptr_array_new();
    for (guint i = 0; i < names->len; i++) {
        if (strcmp(names->pdata[i], name) == 0) {
            *ret = i;
            return TRUE;
        }
        g_ptr_array_add(candidates, names->pdata[i]);
    }
    g_ptr_array_add(candidates, NULL);
    g_autofree char *shown = ws_printable(name);
    const char *nearest = ws_nearest_name(name, (const char *const *)candidates->pdata);
    if (nearest != NULL)
        return ws_yaml_error(reader->tree, node, error, "no %s is called '%s'; did you mean '%s'?",
                             what, shown, nearest);
    return ws_yaml_error(reader->tree, node, error, "no %s is called '%s'", what, shown);
}
