#include "grade/trial/program_cache.h"

#include "sim/device/target.h"

#include <string.h>

struct WsProgramCache {
    const char *const *includes;
    const char *disk;
    char *path;
    GHashTable *programs; /* GBytes: what the program depends on -> WsProgram */
    GHashTable *failures; /* the same -> GError */
    gboolean asked, failed, defines;
    WsGivenProgram source;
    WsProgramStore *kernels;
};

static void append_text(GByteArray *key, const char *text)
{
    g_byte_array_append(key, (const guint8 *)text, (guint)strlen(text) + 1);
}

/* Everything of a device and a launch file that the code depends on. */
static GBytes *key_of(const WsProgramCache *cache, const WsDevice *device,
                      const WsCompileOptions *wanted)
{
    GByteArray *key = g_byte_array_new();
    WsCodeTarget target;
    memset(&target, 0, sizeof target);
    ws_code_target_of_device(device, &target);
    const guint32 numbers[] = {wanted->max_registers, (guint32)device->parameter_base,
                               device->if_convert == 1, device->load_constants == 1,
                               device->schedule == 1};
    g_byte_array_append(key, (const guint8 *)&target, sizeof target);
    g_byte_array_append(key, (const guint8 *)numbers, sizeof numbers);
    append_text(key, cache->path);
    if (ws_is_policy_name(cache->path)) { /* the same for all machines */
        g_byte_array_set_size(key, 0);
        append_text(key, cache->path);
        return g_byte_array_free_to_bytes(key);
    }
    for (guint i = 0; wanted->defines != NULL && wanted->defines[i] != NULL; i++)
        append_text(key, wanted->defines[i]);
    return g_byte_array_free_to_bytes(key);
}

static WsProgram *load(void *data, const WsDevice *device, const WsCompileOptions *wanted,
                       GError **error)
{
    WsProgramCache *cache = data;
    g_autoptr(GBytes) key = key_of(cache, device, wanted);
    cache->asked = TRUE;
    cache->defines = wanted->defines != NULL && wanted->defines[0] != NULL;
    WsProgram *known = g_hash_table_lookup(cache->programs, key);
    if (known != NULL)
        return ws_program_ref(known);
    const GError *failure = g_hash_table_lookup(cache->failures, key);
    if (failure == NULL) {
        gboolean cuda = g_str_has_suffix(cache->path, ".cu");
        gboolean kept = cuda || ws_is_policy_name(cache->path);
        WsCompileOptions given = {.max_registers = wanted->max_registers,
                                  .defines = cuda ? wanted->defines : NULL,
                                  .includes = cuda ? cache->includes : NULL,
                                  .bounds = wanted->bounds};
        given.bounds.confinement = MAX(wanted->bounds.confinement, WS_CONFINE_FOLDER);
        given.bounds.cache = kept ? cache->disk : NULL;
        GError *found = NULL;
        WsProgram *program = ws_target_load_program(cache->path, device, &given, NULL, &found);
        if (program != NULL) {
            g_hash_table_insert(cache->programs, g_bytes_ref(key), program);
            return ws_program_ref(program);
        }
        g_hash_table_insert(cache->failures, g_bytes_ref(key), found);
        failure = found;
    }
    cache->failed = TRUE;
    g_propagate_error(error, g_error_copy(failure));
    return NULL;
}

WsProgramCache *ws_program_cache_new(const char *const *includes, const char *disk)
{
    WsProgramCache *cache = g_new0(WsProgramCache, 1);
    cache->includes = includes;
    cache->disk = disk;
    cache->programs =
        g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref,
                              (GDestroyNotify)ws_program_unref);
    cache->failures = g_hash_table_new_full(
        g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, (GDestroyNotify)g_error_free);
    cache->source = (WsGivenProgram){load, cache};
    cache->kernels = ws_program_store_new();
    return cache;
}

void ws_program_cache_free(WsProgramCache *cache)
{
    if (cache == NULL)
        return;
    g_hash_table_unref(cache->programs);
    g_hash_table_unref(cache->failures);
    ws_program_store_free(cache->kernels);
    g_free(cache->path);
    g_free(cache);
}

void ws_program_cache_set_path(WsProgramCache *cache, const char *path)
{
    g_free(cache->path);
    cache->path = g_strdup(path);
    cache->asked = FALSE;
    cache->failed = FALSE;
}

const WsGivenProgram *ws_program_cache_source(WsProgramCache *cache)
{
    return &cache->source;
}

WsProgramStore *ws_program_cache_kernels(WsProgramCache *cache)
{
    return cache->kernels;
}

gboolean ws_program_cache_asked(const WsProgramCache *cache)
{
    return cache->asked;
}

gboolean ws_program_cache_failed(const WsProgramCache *cache)
{
    return cache->failed;
}

gboolean ws_program_cache_defines(const WsProgramCache *cache)
{
    return cache->defines;
}
