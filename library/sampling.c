/* Which launches of a sampled run are run by cycle. */
#include "library/machine.h"

#include <string.h>

/* Launches of a program that are alike. */
typedef struct {
    guint program;
    const WsKernel *kernel;
    guint32 grid[3], block[3], shared;
} Shape;

typedef struct {
    Shape shape;
    guint64 count;  /* of launches */
    guint64 cycles; /* that the last one took that was run by cycle */
} Alike;

static guint hash_of(gconstpointer data)
{
    const Shape *shape = data;
    guint hash = g_direct_hash(shape->kernel) ^ shape->shared;
    for (guint i = 0; i < 3; i++)
        hash = hash * 31 + shape->grid[i] * 7 + shape->block[i];
    return hash;
}

static gboolean is_same(gconstpointer a, gconstpointer b)
{
    const Shape *first = a, *second = b;
    return first->program == second->program && first->kernel == second->kernel &&
           first->shared == second->shared &&
           memcmp(first->grid, second->grid, sizeof first->grid) == 0 &&
           memcmp(first->block, second->block, sizeof first->block) == 0;
}

/* "NAME:N" */
static gboolean read_number(const char *rule, const char *name, guint64 *ret)
{
    return g_str_has_prefix(rule, name) &&
           g_ascii_string_to_unsigned(rule + strlen(name), 10, 1, G_MAXUINT32, ret, NULL);
}

warpstep_code warpstep_set_sampling(warpstep *gpu, const char *rule)
{
    WsSampling sampling = {.nth = 1};
    if (rule == NULL || (strcmp(rule, "first") != 0 && !read_number(rule, "nth:", &sampling.nth) &&
                         !read_number(rule, "every:", &sampling.every)))
        return ws_machine_refuse(gpu, "a sampling rule is first, every:N or nth:N, N at least 1");
    ws_sampling_clear(&gpu->sampling);
    gpu->sampling = sampling;
    return WARPSTEP_OK;
}

void ws_sampling_clear(WsSampling *sampling)
{
    g_clear_pointer(&sampling->alike, g_hash_table_unref);
}

static Alike *find(WsSampling *sampling, const Shape *shape)
{
    if (sampling->alike == NULL)
        sampling->alike = g_hash_table_new_full(hash_of, is_same, NULL, g_free);
    Alike *alike = g_hash_table_lookup(sampling->alike, shape);
    if (alike == NULL) {
        alike = g_new0(Alike, 1);
        alike->shape = *shape;
        g_hash_table_insert(sampling->alike, &alike->shape, alike);
    }
    return alike;
}

gboolean ws_sampling_begin(warpstep *gpu)
{
    WsSampling *sampling = &gpu->sampling;
    const WsQueuedLaunch *queued = &g_array_index(gpu->queue, WsQueuedLaunch, 0);
    const WsLaunch *launch = &queued->launch;
    Shape shape = {.program = queued->program,
                   .kernel = launch->kernel,
                   .shared = launch->dynamic_shared_bytes};
    memcpy(shape.grid, launch->grid, sizeof shape.grid);
    memcpy(shape.block, launch->block, sizeof shape.block);
    Alike *alike = find(sampling, &shape);
    alike->count++;
    sampling->current = alike;
    return sampling->every != 0 ? (alike->count - 1) % sampling->every == 0
                                : alike->count == MAX(sampling->nth, 1);
}

guint64 ws_sampling_end(WsSampling *sampling, guint64 cycles)
{
    Alike *alike = sampling->current;
    if (cycles != 0)
        alike->cycles = cycles;
    return alike->cycles;
}
