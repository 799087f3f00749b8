/*
 * Choice of the host level: the best one that this processor runs. The levels need a part of what
 * the x86-64 psABI lists under their names; sim/meson.build compiles with just that part.
 */
#include "sim/lanes/private.h"

#if defined(__x86_64__)
extern const WsBodyTable ws_lanes_v4_table, ws_lanes_v3_table;
#endif
extern const WsBodyTable ws_lanes_plain_table;

enum { MAX_LEVELS = 3 };

/* Tables that this host runs, best first. */
static guint runnable(const WsBodyTable *ret_tables[MAX_LEVELS])
{
    guint count = 0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
        __builtin_cpu_supports("popcnt")) {
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
            __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512vl")) {
            ret_tables[count++] = &ws_lanes_v4_table;
        }
        ret_tables[count++] = &ws_lanes_v3_table;
    }
#endif
    ret_tables[count++] = &ws_lanes_plain_table;
    return count;
}

const WsBodyTable *ws_lanes_table(const char *force)
{
    const WsBodyTable *tables[MAX_LEVELS];
    guint count = runnable(tables);
    if (!force) {
        return tables[0];
    }
    for (guint n = 0; n < count; n++) {
        if (g_str_equal(force, tables[n]->name)) {
            return tables[n];
        }
    }
    return NULL;
}

const char *ws_lanes_host_level(void)
{
    return ws_lanes_table(NULL)->name;
}

char **ws_lanes_host_levels(void)
{
    const WsBodyTable *tables[MAX_LEVELS];
    guint count = runnable(tables);
    char **names = g_new0(char *, count + 1);
    for (guint n = 0; n < count; n++) {
        names[n] = g_strdup(tables[n]->name);
    }
    return names;
}
