#include "isa/cuda/ptx_cache.h"

#include "isa/base/resources.h"
#include "isa/base/write_all.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

/* An entry is a checksum in hex and a variant: key, marks, compiler ("": not known), PTX. */
#define ENTRY_TYPE "(sayss)"
/* Likewise: key, words, names, what clang made of the headers. */
#define HEADERS_TYPE   "(sssay)"
#define HEADERS_SUFFIX ".pch"

enum {
    CHECKSUM_BYTES = 64, /* a multiple of 8: what follows is aligned */
    MAX_ENTRY_BYTES = 80 << 20,
    FOLDER_MODE = 0700
};

/* ---- the key ----------------------------------------------------------------------------------
 */

static void add_text(GChecksum *checksum, const char *text)
{
    g_checksum_update(checksum, (const guchar *)text, (gssize)strlen(text) + 1);
}

/* What tells whether a file or folder has changed. All zero if it is not there. */
typedef struct {
    guint64 inode, size, time; /* of the last change of the inode, nanoseconds */
} Stamp;

static Stamp stamp_of(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return (Stamp){0};
    return (Stamp){(guint64)status.st_ino, (guint64)status.st_size,
                   (guint64)status.st_ctim.tv_sec * 1000000000 + (guint64)status.st_ctim.tv_nsec};
}

static void add_stamp(GChecksum *checksum, const char *path)
{
    const Stamp stamp = stamp_of(path);
    add_text(checksum, path);
    g_checksum_update(checksum, (const guchar *)&stamp, sizeof stamp);
}

static gint by_name(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The libraries that hold the compiler itself; others are the system's. */
static void add_libraries(GChecksum *checksum, const char *folder)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) directory = g_dir_open(folder, 0, NULL);
    for (const char *name; directory != NULL && (name = g_dir_read_name(directory)) != NULL;)
        if ((g_str_has_prefix(name, "libLLVM") || g_str_has_prefix(name, "libclang-cpp")) &&
            strstr(name, ".so") != NULL)
            g_ptr_array_add(names, g_strdup(name));
    g_ptr_array_sort(names, by_name);
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *path = g_build_filename(folder, names->pdata[i], NULL);
        add_stamp(checksum, path);
    }
}

/*
 * Its program, and its libraries: those beside it, for one that no package of the system's is, and
 * what packages there are.
 */
static void add_clang(GChecksum *checksum, const char *clang)
{
    static const char *const libraries[] = {"lib", "lib64"};
    char *program = realpath(clang, NULL);
    g_autofree char *folder = g_path_get_dirname(program != NULL ? program : clang);
    add_stamp(checksum, program != NULL ? program : clang);
    free(program);
    for (guint i = 0; i < G_N_ELEMENTS(libraries); i++) {
        g_autofree char *beside = g_build_filename(folder, "..", libraries[i], NULL);
        add_libraries(checksum, beside);
    }
    add_stamp(checksum, "/var/lib/dpkg/status");
}

/* clang, and our part. */
static GChecksum *begin_key(const char *clang, const char *const *arguments)
{
    GChecksum *checksum = g_checksum_new(G_CHECKSUM_SHA256);
    add_text(checksum, WS_VERSION);
    add_text(checksum, ws_isa_bundle_digest);
    add_text(checksum, ENTRY_TYPE HEADERS_TYPE);
    const guint32 byte_order = G_BYTE_ORDER;
    g_checksum_update(checksum, (const guchar *)&byte_order, sizeof byte_order);
    add_clang(checksum, clang);
    for (; *arguments != NULL; arguments++)
        add_text(checksum, *arguments);
    return checksum;
}

char *ws_ptx_cache_key(const char *clang, const char *const *arguments, const WsCudaFiles *files)
{
    g_autoptr(GChecksum) checksum = begin_key(clang, arguments);
    /* Names that lead out of the working folder may mean other files from elsewhere. */
    g_autofree char *here = g_get_current_dir();
    add_text(checksum, ws_cuda_files_stay_below(files) ? "" : here);
    ws_cuda_files_digest(files, checksum);
    return g_strdup(g_checksum_get_string(checksum));
}

char *ws_ptx_cache_headers_key(const char *clang, const char *const *arguments)
{
    g_autoptr(GChecksum) checksum = begin_key(clang, arguments);
    return g_strconcat(g_checksum_get_string(checksum), HEADERS_SUFFIX, NULL);
}

/* ---- entries ----------------------------------------------------------------------------------
 */

static gboolean is_of_headers(const char *name)
{
    return g_str_has_suffix(name, HEADERS_SUFFIX);
}

/* As many hex digits for any entry. */
static char *checksum_of(const char *path, const void *data, gsize length)
{
    return is_of_headers(path) ? g_strdup_printf("%0*lx", CHECKSUM_BYTES, crc32_z(0, data, length))
                               : g_compute_checksum_for_data(G_CHECKSUM_SHA256, data, length);
}

/* The entry's variant if the file is as it was written. */
static GVariant *read_entry(const char *path)
{
    g_autoptr(GBytes) bytes = NULL;
    gsize length;
    if (ws_read_scope_read(NULL, path, MAX_ENTRY_BYTES, &bytes, NULL) != WS_READ_DONE)
        return NULL;
    const char *data = g_bytes_get_data(bytes, &length);
    if (length <= CHECKSUM_BYTES)
        return NULL;
    g_autofree char *sum = checksum_of(path, data + CHECKSUM_BYTES, length - CHECKSUM_BYTES);
    if (strncmp(sum, data, CHECKSUM_BYTES) != 0)
        return NULL;
    g_autoptr(GBytes) rest = g_bytes_new_from_bytes(bytes, CHECKSUM_BYTES, length - CHECKSUM_BYTES);
    const char *type = is_of_headers(path) ? HEADERS_TYPE : ENTRY_TYPE;
    return g_variant_ref_sink(g_variant_new_from_bytes(G_VARIANT_TYPE(type), rest, FALSE));
}

char *ws_ptx_cache_get(const char *folder, const char *key, WsCudaFiles *files, char **ret_compiler)
{
    g_autofree char *path = g_build_filename(folder, key, NULL);
    g_autoptr(GVariant) entry = read_entry(path);
    if (entry == NULL || !g_variant_is_normal_form(entry))
        return NULL;
    const char *written_key, *compiler, *ptx;
    g_autoptr(GVariant) marks = NULL;
    g_variant_get(entry, "(&s@ay&s&s)", &written_key, &marks, &compiler, &ptx);
    gsize count;
    const guint8 *read = g_variant_get_fixed_array(marks, &count, 1);
    if (strcmp(written_key, key) != 0 || !ws_cuda_files_set_read_marks(files, read, count))
        return NULL;
    utimensat(AT_FDCWD, path, NULL, 0); /* the oldest in use go first */
    *ret_compiler = *compiler != '\0' ? g_strdup(compiler) : NULL;
    return g_strdup(ptx);
}

/* GVariant gives empty values for what is not in normal form, which takes long to look for here. */
gboolean ws_ptx_cache_get_headers(const char *folder, const char *key, WsPrecompiledHeaders *ret)
{
    g_autofree char *path = g_build_filename(folder, key, NULL);
    g_autoptr(GVariant) entry = read_entry(path);
    if (entry == NULL)
        return FALSE;
    const char *written_key, *words, *names;
    g_autoptr(GVariant) data = NULL;
    g_variant_get(entry, "(&s&s&s@ay)", &written_key, &words, &names, &data);
    if (strcmp(written_key, key) != 0)
        return FALSE;
    utimensat(AT_FDCWD, path, NULL, 0);
    *ret =
        (WsPrecompiledHeaders){g_variant_get_data_as_bytes(data), g_strdup(words), g_strdup(names)};
    return TRUE;
}

void ws_precompiled_headers_clear(WsPrecompiledHeaders *headers)
{
    g_clear_pointer(&headers->data, g_bytes_unref);
    g_clear_pointer(&headers->words, g_free);
    g_clear_pointer(&headers->names, g_free);
}

gboolean ws_ptx_cache_has_programs(const char *folder)
{
    g_autoptr(GDir) names = g_dir_open(folder, 0, NULL);
    for (const char *name; names != NULL && (name = g_dir_read_name(names)) != NULL;)
        if (!ws_is_unfinished(name) && !is_of_headers(name))
            return TRUE;
    return FALSE;
}

/* ---- the bound --------------------------------------------------------------------------------
 */

typedef struct {
    char *path;
    guint64 bytes;
    gint64 time;
} Kept;

static void clear_kept(gpointer data)
{
    g_free(((Kept *)data)->path);
}

static gint compare_age(gconstpointer a, gconstpointer b)
{
    const Kept *first = a, *second = b;
    return (first->time > second->time) - (first->time < second->time);
}

/* Deletes entries, the oldest first, until a quarter of the room is free again. */
static void make_room(const char *folder)
{
    ws_remove_unfinished(folder, WS_UNFINISHED_SECONDS);
    g_autoptr(GDir) names = g_dir_open(folder, 0, NULL);
    g_autoptr(GArray) kept = g_array_new(FALSE, FALSE, sizeof(Kept));
    g_array_set_clear_func(kept, clear_kept);
    guint64 bytes = 0;
    for (const char *name; names != NULL && (name = g_dir_read_name(names)) != NULL;) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        struct stat status;
        if (ws_is_unfinished(name) || stat(path, &status) != 0)
            continue;
        const Kept entry = {g_steal_pointer(&path), (guint64)status.st_size,
                            status.st_mtim.tv_sec * (gint64)1000000000 + status.st_mtim.tv_nsec};
        bytes += entry.bytes;
        g_array_append_val(kept, entry);
    }
    if (bytes <= WS_PTX_CACHE_BYTES && kept->len <= WS_PTX_CACHE_ENTRIES)
        return;
    g_array_sort(kept, compare_age);
    for (guint i = 0; i < kept->len && (bytes > WS_PTX_CACHE_BYTES / 4 * 3 ||
                                        kept->len - i > WS_PTX_CACHE_ENTRIES / 4 * 3);
         i++) {
        const Kept *entry = &g_array_index(kept, Kept, i);
        g_unlink(entry->path);
        bytes -= entry->bytes;
    }
}

/* ---- writing ----------------------------------------------------------------------------------
 */

static gboolean write_entry(const char *folder, const char *key, GVariant *entry)
{
    gsize length = g_variant_get_size(entry);
    const char *data = g_variant_get_data(entry);
    g_autofree char *sum = checksum_of(key, data, length);
    g_autofree char *path = g_build_filename(folder, key, NULL);
    g_autoptr(GString) whole = g_string_new(sum);
    g_string_append_len(whole, data, (gssize)length);
    return ws_write_renamed(path, 0600, whole->str, whole->len);
}

void ws_ptx_cache_put(const char *folder, const char *key, const WsCudaFiles *files,
                      const char *compiler, const char *ptx)
{
    if (ws_cuda_files_depend_on_clang(files) || !g_utf8_validate(ptx, -1, NULL) ||
        g_mkdir_with_parents(folder, FOLDER_MODE) != 0)
        return;
    g_autoptr(GBytes) marks = ws_cuda_files_read_marks(files);
    g_autoptr(GVariant) entry = g_variant_ref_sink(
        g_variant_new("(s@ayss)", key, g_variant_new_from_bytes(G_VARIANT_TYPE("ay"), marks, TRUE),
                      compiler != NULL ? compiler : "", ptx));
    if (g_variant_get_size(entry) + CHECKSUM_BYTES <= MAX_ENTRY_BYTES &&
        write_entry(folder, key, entry))
        make_room(folder);
}

void ws_ptx_cache_put_headers(const char *folder, const char *key,
                              const WsPrecompiledHeaders *headers)
{
    if (g_mkdir_with_parents(folder, FOLDER_MODE) != 0)
        return;
    g_autoptr(GVariant) entry = g_variant_ref_sink(
        g_variant_new("(sss@ay)", key, headers->words, headers->names,
                      g_variant_new_from_bytes(G_VARIANT_TYPE("ay"), headers->data, TRUE)));
    if (g_variant_get_size(entry) + CHECKSUM_BYTES <= MAX_ENTRY_BYTES &&
        write_entry(folder, key, entry))
        make_room(folder);
}

char *ws_ptx_cache_folder(void)
{
    return g_build_filename(g_get_user_cache_dir(), "warpstep", "ptx", NULL);
}
