#include "sim/launch/host_memory.h"

#include "isa/base/size.h"

#include <string.h>

enum { KIB_BITS = 10 };

static const char unit_letters[] = "KMGT";

char *ws_host_memory_text(guint64 bytes)
{
    guint unit = 1; /* MiB */
    while (unit + 1 < strlen(unit_letters) && bytes >> (KIB_BITS * (unit + 2)) != 0)
        unit++;
    double value = (double)bytes / (double)(G_GUINT64_CONSTANT(1) << (KIB_BITS * (unit + 1)));
    guint64 tenths = (guint64)(value * 10);
    if ((double)tenths < value * 10)
        tenths++;
    return g_strdup_printf("%" G_GUINT64_FORMAT ".%u %ciB", tenths / 10, (guint)(tenths % 10),
                           unit_letters[unit]);
}

gboolean ws_host_memory_parse(const char *text, guint64 *ret)
{
    char *end;
    if (!g_ascii_isdigit(*text))
        return FALSE;
    guint64 number = g_ascii_strtoull(text, &end, 10);
    if (end - text > 19)
        return FALSE;
    while (*end == ' ')
        end++;
    const char *unit = *end != '\0' ? strchr(unit_letters, g_ascii_toupper(*end)) : NULL;
    if (*end != '\0' && (unit == NULL || !(end[1] == '\0' || strcmp(end + 1, "iB") == 0)))
        return FALSE;
    guint bits = unit != NULL ? KIB_BITS * ((guint)(unit - unit_letters) + 1) : 0;
    *ret = ws_size_multiply(number, G_GUINT64_CONSTANT(1) << bits);
    return *ret != 0;
}

guint64 ws_host_memory_limit(const WsJob *job)
{
    return job->max_memory != 0 ? job->max_memory : WS_DEFAULT_MAX_MEMORY;
}

gboolean ws_host_memory_take(WsJob *job, guint64 bytes)
{
    guint64 taken = ws_size_add(job->host_bytes, bytes);
    if (taken > ws_host_memory_limit(job))
        return FALSE;
    job->host_bytes = taken;
    return TRUE;
}
