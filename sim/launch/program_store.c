#include "sim/launch/program_store.h"

#include "sim/launch/source_parameters.h"

#include <string.h>

typedef struct {
    gboolean ready; /* else a thread is loading it */
    WsProgram *program;
    GError *error;
    char *reads; /* a hash of the files that were read for it, or NULL: not known */
} Entry;

struct WsProgramStore {
    GMutex mutex;
    GCond became_ready;
    GHashTable *entries; /* char* of key_of() -> Entry* */
    GHashTable *names;   /* WsKernel* of a program in `entries` -> char**, those of parameters */
};

static void free_entry(gpointer data)
{
    Entry *entry = data;
    g_clear_pointer(&entry->program, ws_program_unref);
    g_clear_error(&entry->error);
    g_free(entry->reads);
    g_free(entry);
}

WsProgramStore *ws_program_store_new(void)
{
    WsProgramStore *store = g_new0(WsProgramStore, 1);
    g_mutex_init(&store->mutex);
    g_cond_init(&store->became_ready);
    store->names = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_strfreev);
    store->entries = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_entry);
    return store;
}

void ws_program_store_free(WsProgramStore *store)
{
    if (store == NULL)
        return;
    g_hash_table_unref(store->names);
    g_hash_table_unref(store->entries);
    g_cond_clear(&store->became_ready);
    g_mutex_clear(&store->mutex);
    g_free(store);
}

static void add_texts(GString *key, const char *const *texts)
{
    for (; texts != NULL && *texts != NULL; texts++)
        g_string_append_printf(key, "%" G_GSIZE_FORMAT ":%s,", strlen(*texts), *texts);
    g_string_append_c(key, ';');
}

/* All of the options that decide what comes out. */
static char *key_of(const char *path, const WsCompileOptions *options)
{
    g_autoptr(GString) key = g_string_new(path);
    g_string_append_printf(key, ";%u,%u,%d,%d,%d,%d,%d,%d,%d;", options->parameter_base,
                           options->max_registers, options->if_convert, options->schedule,
                           options->load_constants, options->bounds.confinement,
                           options->for_checks, options->variables, options->debug);
    if (options->target != NULL) {
        g_autofree char *target = g_compute_checksum_for_data(
            G_CHECKSUM_SHA256, (const guchar *)options->target, sizeof *options->target);
        g_string_append(key, target);
    }
    add_texts(key, options->defines);
    add_texts(key, options->includes);
    return g_string_free(g_steal_pointer(&key), FALSE);
}

static WsProgram *answer(const Entry *entry, GError **error)
{
    if (entry->program != NULL)
        return ws_program_ref(entry->program);
    g_propagate_error(error, g_error_copy(entry->error));
    return NULL;
}

/* A scope that reads the same files into another digest, or into none. */
static WsReadScope *scope_with_digest(const WsReadScope *scope, GChecksum *digest)
{
    WsReadScope *made = ws_read_scope_with(scope, NULL);
    ws_read_scope_digest(made, digest);
    return made;
}

/* Loads the program into the entry, with a hash of what is read for it. */
static void load_entry(Entry *entry, const char *path, const WsCompileOptions *options)
{
    if (options->scope == NULL) { /* of the program's own folder: ws_program_load() makes it */
        entry->program = ws_program_load(path, options, &entry->error);
        return;
    }
    g_autoptr(GChecksum) reads = g_checksum_new(G_CHECKSUM_SHA256);
    g_autoptr(WsReadScope) scope = scope_with_digest(options->scope, reads);
    WsCompileOptions own = *options;
    own.scope = scope;
    entry->program = ws_program_load(path, &own, &entry->error);
    entry->reads = g_strdup(g_checksum_get_string(reads));
}

WsProgram *ws_program_store_load(WsProgramStore *store, const char *path,
                                 const WsCompileOptions *options, GError **error)
{
    if (store == NULL)
        return ws_program_load(path, options, error);
    g_autofree char *key = key_of(path, options);
    g_mutex_lock(&store->mutex);
    Entry *entry = g_hash_table_lookup(store->entries, key);
    if (entry == NULL) {
        entry = g_new0(Entry, 1);
        g_hash_table_insert(store->entries, g_steal_pointer(&key), entry);
        g_mutex_unlock(&store->mutex);
        Entry loaded = {.ready = TRUE};
        load_entry(&loaded, path, options);
        g_mutex_lock(&store->mutex);
        *entry = loaded;
        g_cond_broadcast(&store->became_ready);
    }
    while (!entry->ready)
        g_cond_wait(&store->became_ready, &store->mutex);
    WsProgram *program = answer(entry, error);
    if (entry->reads != NULL)
        ws_read_scope_add_hash(options->scope, entry->reads);
    g_mutex_unlock(&store->mutex);
    return program;
}

static char **read_names(const WsProgram *program, const WsKernel *kernel,
                         const WsCompileOptions *options)
{
    WsSourceParameter *parameters = ws_source_parameters_read(program, kernel, options);
    char **names = g_new0(char *, kernel->parameter_count + 1);
    for (guint32 i = 0; i < kernel->parameter_count; i++)
        names[i] = g_strdup(parameters[i].name != NULL ? parameters[i].name : "");
    ws_source_parameters_free(parameters, kernel->parameter_count);
    return names;
}

char **ws_program_store_names(WsProgramStore *store, const WsProgram *program,
                              const WsKernel *kernel, const WsCompileOptions *options)
{
    if (store == NULL)
        return read_names(program, kernel, options);
    g_mutex_lock(&store->mutex);
    char **names = g_strdupv(g_hash_table_lookup(store->names, kernel));
    g_mutex_unlock(&store->mutex);
    if (names != NULL)
        return names;
    /* Whoever has the program has read these files already. */
    g_autoptr(WsReadScope) scope =
        options->scope == NULL ? NULL : scope_with_digest(options->scope, NULL);
    WsCompileOptions own = *options;
    own.scope = scope;
    names = read_names(program, kernel, &own);
    g_mutex_lock(&store->mutex);
    g_hash_table_insert(store->names, (gpointer)kernel, g_strdupv(names));
    g_mutex_unlock(&store->mutex);
    return names;
}
