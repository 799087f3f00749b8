#include "cli/list_workloads.h"

#include "sim/launch/target.h"
#include "sim/launch/workload_files.h"

#include <stdio.h>
#include <string.h>

enum { NAME_WIDTH = 40 };

static void print_row(const char *indent, const char *name, const char *title)
{
    if (title == NULL)
        printf("%s%s\n", indent, name);
    else
        printf("%s%-*s %s\n", indent, NAME_WIDTH - (int)strlen(indent), name, title);
}

void ws_list_workloads(void)
{
    for (const char *const *name = ws_workload_names(); *name != NULL; name++) {
        g_autofree char *title = ws_workload_title(*name);
        print_row("", *name, title);
        g_auto(GStrv) files = ws_workload_launch_files(*name);
        for (char **file = files; *file != NULL; file++) {
            if (strcmp(*file, "launch.yaml") == 0)
                continue;
            g_autofree char *path = g_strdup_printf("%s/%s", *name, *file);
            g_autofree char *comment = ws_workload_launch_title(*name, *file);
            print_row("  ", path, comment);
        }
    }
}
