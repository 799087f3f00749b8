#include "cli/program_cache.h"

#include "isa/base/write_all.h"
#include "isa/cuda/ptx_cache.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <utime.h>

enum { MAX_PROGRAMS = 32, MAX_LISTS = 256, FILE_MODE = 0600 };

char *ws_program_cache_folder(void)
{
    g_autofree char *beside = ws_ptx_cache_folder();
    g_autofree char *folder = g_path_get_dirname(beside);
    return g_build_filename(folder, "programs", NULL);
}

static char *path_of(const char *folder, const char *name, const char *ending)
{
    g_autofree char *base = g_strconcat(name, ending, NULL);
    return g_build_filename(folder, base, NULL);
}

/* NULL: one of the files cannot be read. `lines`: names of files. */
static char *digest_of(const char *key, char *const *lines)
{
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    g_checksum_update(checksum, (const guchar *)key, -1);
    for (; *lines != NULL; lines++) {
        g_autofree char *contents = NULL;
        gsize length = 0;
        if (**lines == '\0')
            continue;
        if (!g_file_get_contents(*lines, &contents, &length, NULL))
            return NULL;
        g_autofree char *head = g_strdup_printf("\n%s\n%zu\n", *lines, length);
        g_checksum_update(checksum, (const guchar *)head, -1);
        g_checksum_update(checksum, (const guchar *)contents, (gssize)length);
    }
    return g_strdup(g_checksum_get_string(checksum));
}

char *ws_program_cache_find(const char *folder, const char *key)
{
    g_autofree char *list = path_of(folder, key, ".list");
    g_autofree char *text = NULL;
    if (!g_file_get_contents(list, &text, NULL, NULL))
        return NULL;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_autofree char *digest = digest_of(key, lines);
    g_autofree char *program = digest != NULL ? path_of(folder, digest, ".program") : NULL;
    if (program == NULL || !g_file_test(program, G_FILE_TEST_IS_EXECUTABLE))
        return NULL;
    utime(program, NULL); /* the oldest in use go last */
    utime(list, NULL);
    return g_steal_pointer(&program);
}

typedef struct {
    char *path;
    gint64 time;
} Entry;

static gint by_age(gconstpointer a, gconstpointer b)
{
    const Entry *first = a, *second = b;
    return first->time < second->time ? 1 : first->time > second->time ? -1 : 0;
}

static void clear_entry(gpointer entry)
{
    g_free(((Entry *)entry)->path);
}

/* Deletes all but the newest of a kind. */
static void prune(const char *folder, const char *ending, guint most)
{
    g_autoptr(GDir) directory = g_dir_open(folder, 0, NULL);
    g_autoptr(GArray) entries = g_array_new(FALSE, FALSE, sizeof(Entry));
    g_array_set_clear_func(entries, clear_entry);
    for (const char *name; directory != NULL && (name = g_dir_read_name(directory)) != NULL;) {
        struct stat status;
        Entry entry = {.path = g_build_filename(folder, name, NULL)};
        if (g_str_has_suffix(name, ending) && stat(entry.path, &status) == 0) {
            entry.time = status.st_mtime;
            g_array_append_val(entries, entry);
        } else {
            g_free(entry.path);
        }
    }
    g_array_sort(entries, by_age);
    for (guint i = most; i < entries->len; i++)
        g_remove(g_array_index(entries, Entry, i).path);
}

char *ws_program_cache_keep(const char *folder, const char *key, const GPtrArray *files,
                            const char *program)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < files->len; i++) {
        const char *name = files->pdata[i];
        if (strchr(name, '\n') != NULL)
            return NULL;
        g_string_append_printf(text, "%s\n", name);
    }
    g_auto(GStrv) lines = g_strsplit(text->str, "\n", -1);
    g_autofree char *digest = digest_of(key, lines);
    g_autofree char *list = path_of(folder, key, ".list");
    g_autofree char *kept = digest != NULL ? path_of(folder, digest, ".program") : NULL;
    if (kept == NULL || !ws_write_renamed(list, FILE_MODE, text->str, text->len) ||
        g_rename(program, kept) != 0)
        return NULL;
    prune(folder, ".program", MAX_PROGRAMS);
    prune(folder, ".list", MAX_LISTS);
    ws_remove_unfinished(folder, WS_UNFINISHED_SECONDS);
    return g_steal_pointer(&kept);
}
