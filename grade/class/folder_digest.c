#include "grade/class/folder_digest.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_DEPTH = 32, MAX_FILES = 10000, CHUNK = 65536 };
static const guint64 MAX_BYTES = 256 << 20;

typedef struct {
    GChecksum *sum;
    guint files;
    guint64 bytes;
} Walk;

static void add_text(GChecksum *sum, const char *text)
{
    g_checksum_update(sum, (const guchar *)text, (gssize)strlen(text) + 1);
}

static gint by_name(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static GPtrArray *names_in(const char *folder)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) directory = g_dir_open(folder, 0, NULL);
    const char *name;
    while (directory != NULL && (name = g_dir_read_name(directory)) != NULL)
        g_ptr_array_add(names, g_strdup(name));
    g_ptr_array_sort(names, by_name);
    return names;
}

static gboolean add_contents(Walk *walk, const char *path)
{
    guint8 chunk[CHUNK];
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        if (file >= 0)
            close(file);
        add_text(walk->sum, "not readable");
        return TRUE;
    }
    gssize got;
    while ((got = read(file, chunk, sizeof chunk)) > 0 && walk->bytes <= MAX_BYTES) {
        g_checksum_update(walk->sum, chunk, got);
        walk->bytes += (guint64)got;
    }
    close(file);
    return walk->bytes <= MAX_BYTES;
}

static gboolean add_folder(Walk *walk, const char *folder, guint depth);

static gboolean add_entry(Walk *walk, const char *path, const char *name, guint depth)
{
    struct stat status;
    if (++walk->files > MAX_FILES || lstat(path, &status) != 0)
        return FALSE;
    g_autofree char *kind = g_strdup_printf("%o", (guint)(status.st_mode & S_IFMT));
    add_text(walk->sum, name);
    add_text(walk->sum, kind);
    if (S_ISDIR(status.st_mode))
        return add_folder(walk, path, depth + 1);
    if (S_ISLNK(status.st_mode)) {
        g_autofree char *target = g_file_read_link(path, NULL);
        add_text(walk->sum, target != NULL ? target : "");
        return TRUE;
    }
    g_autofree char *size = g_strdup_printf("%" G_GINT64_FORMAT, (gint64)status.st_size);
    add_text(walk->sum, size);
    return !S_ISREG(status.st_mode) || add_contents(walk, path);
}

static gboolean add_folder(Walk *walk, const char *folder, guint depth)
{
    if (depth > MAX_DEPTH)
        return FALSE;
    g_autoptr(GPtrArray) names = names_in(folder);
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *path = g_build_filename(folder, names->pdata[i], NULL);
        if (!add_entry(walk, path, names->pdata[i], depth))
            return FALSE;
    }
    add_text(walk->sum, "");
    return TRUE;
}

gboolean ws_folder_digest(const char *folder, GChecksum *sum)
{
    Walk walk = {.sum = sum};
    return add_folder(&walk, folder, 0);
}
