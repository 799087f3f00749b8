#include "sim/base/resources.h"

#include "isa/base/resources.h"

#include <stdlib.h>
#include <string.h>

GResource *ws_configs_resource(void)
{
    return ws_resource_open(ws_configs_bundle, ws_configs_bundle_size);
}

GResource *ws_workloads_resource(void)
{
    return ws_resource_open(ws_workloads_bundle, ws_workloads_bundle_size);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

char **ws_resource_names(GResource *resource, const char *folder)
{
    char **names = g_resource_enumerate_children(resource, folder, 0, NULL);
    if (names == NULL)
        return g_new0(char *, 1);
    qsort(names, g_strv_length(names), sizeof *names, compare_names);
    return names;
}
