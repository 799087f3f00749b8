#include "isa/base/process_watch.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { STEPS = 16, LEAST_SHARE = 1000 };

typedef struct {
    gint64 process, parent, ticks;
    gboolean counted;
} Entry;

/* Of /proc/NUMBER/stat: the parent, and the processor time with that of children waited for. */
static gboolean read_entry(const char *number, Entry *ret)
{
    g_autofree char *path = g_build_filename("/proc", number, "stat", NULL);
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL))
        return FALSE; /* it has ended meanwhile */
    /* The name before this bracket may hold anything. */
    const char *rest = strrchr(text, ')');
    gint64 user, system, child_user, child_system;
    *ret = (Entry){.process = g_ascii_strtoll(number, NULL, 10)};
    if (rest == NULL ||
        sscanf(rest,
               ") %*c %" G_GINT64_FORMAT " %*s %*s %*s %*s %*s %*s %*s %*s %*s %" G_GINT64_FORMAT
               " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT,
               &ret->parent, &user, &system, &child_user, &child_system) != 5)
        return FALSE;
    ret->ticks = user + system + child_user + child_system;
    return TRUE;
}

static GArray *read_all(void)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(Entry));
    g_autoptr(GDir) processes = g_dir_open("/proc", 0, NULL);
    const char *name;
    while (processes != NULL && (name = g_dir_read_name(processes)) != NULL) {
        Entry entry;
        if (g_ascii_isdigit(*name) && read_entry(name, &entry))
            g_array_append_val(all, entry);
    }
    return all;
}

/* Clock ticks of the process and all that descend from it; -1 if that is not known. */
static gint64 processor_ticks(pid_t process)
{
    g_autoptr(GArray) all = read_all();
    gint64 sum = -1;
    gboolean more = TRUE;
    g_autoptr(GHashTable) family = g_hash_table_new(g_int64_hash, g_int64_equal);
    while (more) {
        more = FALSE;
        for (guint i = 0; i < all->len; i++) {
            Entry *entry = &g_array_index(all, Entry, i);
            if (entry->counted ||
                (entry->process != process && !g_hash_table_contains(family, &entry->parent)))
                continue;
            entry->counted = more = TRUE;
            g_hash_table_add(family, &entry->process);
            sum = MAX(sum, 0) + entry->ticks;
        }
    }
    return sum;
}

gint64 ws_process_watch_step(const WsProcessWatch *watch)
{
    return MAX(watch->limit / STEPS, 1);
}

void ws_process_watch_init(WsProcessWatch *ret, pid_t process, double seconds)
{
    *ret = (WsProcessWatch){.process = process,
                            .limit = (gint64)(seconds * G_USEC_PER_SEC),
                            .looked = g_get_monotonic_time()};
}

gboolean ws_process_watch_is_stuck(WsProcessWatch *watch)
{
    gint64 now = g_get_monotonic_time(), step = ws_process_watch_step(watch);
    gint64 passed = now - watch->looked;
    if (passed < step)
        return FALSE;
    gint64 ticks = processor_ticks(watch->process);
    gint64 enough = watch->limit / LEAST_SHARE * sysconf(_SC_CLK_TCK) / G_USEC_PER_SEC;
    watch->looked = now;
    /* A tick more than `enough`; fewer than before: a child has ended that nobody waited for. */
    if (ticks < 0 || ticks > watch->used + enough || ticks < watch->used) {
        watch->used = MAX(ticks, 0);
        watch->idle = 0;
        return FALSE;
    }
    watch->idle += MIN(passed, 2 * step);
    return watch->idle >= watch->limit;
}
