#include "sim/device/sources.h"

#include "isa/base/input_file.h"
#include "sim/base/resources.h"

#include <string.h>

enum { MAX_DEVICE_BYTES = 16 << 20 };

static const struct {
    const char *mark, *text;
} kinds[WS_SOURCE_COUNT] = {
    [WS_SOURCE_MEASURED] = {"[M]", "measured"},
    [WS_SOURCE_FITTED] = {"[M, fitted]", "fitted to measurements"},
    [WS_SOURCE_VENDOR] = {"[V]", "from vendor documents"},
    [WS_SOURCE_PAPER] = {"[P]", "from papers"},
    [WS_SOURCE_SIMULATOR] = {"[C]", "from other simulators"},
    [WS_SOURCE_ASSUMED] = {"[A]", "assumed"},
};

void ws_device_sources_clear(WsDeviceSources *sources)
{
    g_clear_pointer(&sources->inherits, g_free);
}

static GBytes *read_device(const char *name)
{
    if (strchr(name, '/') != NULL || g_str_has_suffix(name, ".yaml"))
        return ws_read_input_file(name, MAX_DEVICE_BYTES, NULL);
    g_autoptr(GResource) resource = ws_configs_resource();
    g_autofree char *path = g_strdup_printf("/warpstep/configs/%s.yaml", name);
    return g_resource_lookup_data(resource, path, 0, NULL);
}

/* Lines that only explain the marks have no number in front of them. */
static void count_line(const char *line, WsDeviceSources *sources)
{
    const char *comment = strchr(line, '#');
    for (guint kind = 0; comment != NULL && comment != line && kind < WS_SOURCE_COUNT; kind++)
        if (strstr(comment, kinds[kind].mark) != NULL)
            sources->lines[kind]++;
}

gboolean ws_device_sources(const char *name, WsDeviceSources *ret)
{
    g_autoptr(GBytes) bytes = read_device(name);
    *ret = (WsDeviceSources){0};
    if (bytes == NULL)
        return FALSE;
    gsize length;
    const char *data = g_bytes_get_data(bytes, &length);
    g_autofree char *text = g_strndup(data, length);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        if (g_str_has_prefix(*line, "inherit:") && ret->inherits == NULL)
            ret->inherits = g_strstrip(g_strdup(*line + strlen("inherit:")));
        count_line(*line, ret);
    }
    return TRUE;
}

char *ws_device_sources_text(const char *name)
{
    g_auto(WsDeviceSources) sources = {0};
    GString *text = g_string_new(NULL);
    if (!ws_device_sources(name, &sources))
        return g_string_free(text, FALSE);
    for (guint kind = 0; kind < WS_SOURCE_COUNT; kind++)
        if (sources.lines[kind] > 0)
            g_string_append_printf(text, "%s%u %s", text->len == 0 ? "" : ", ", sources.lines[kind],
                                   kinds[kind].text);
    if (sources.inherits != NULL)
        g_string_append_printf(text, "%sall else is taken from %s", text->len == 0 ? "" : "; ",
                               sources.inherits);
    return g_string_free(text, FALSE);
}
