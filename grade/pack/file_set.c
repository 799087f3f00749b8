#include "grade/pack/parts.h"
#include "isa/base/input_file.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { MAX_BYTES = 256 << 20 };

GHashTable *ws_file_set_new(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_bytes_unref);
}

static gint by_name(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static GPtrArray *sorted(GHashTable *files)
{
    GPtrArray *names = g_ptr_array_new();
    GHashTableIter at;
    gpointer name;
    g_hash_table_iter_init(&at, files);
    while (g_hash_table_iter_next(&at, &name, NULL))
        g_ptr_array_add(names, name);
    g_ptr_array_sort(names, by_name);
    return names;
}

/* What version control, builds and Python leave. */
static gboolean is_left_out(const char *folder, const char *name)
{
    gboolean is_build = strcmp(folder, WS_PACKED_SOURCE) == 0 && g_str_has_prefix(name, "build");
    return name[0] == '.' || is_build || strcmp(name, "__pycache__") == 0;
}

gboolean ws_file_set_add(GHashTable *files, const char *path, const char *name, GError **error)
{
    struct stat status;
    WsPosition position = {.file = path};
    if (lstat(path, &status) != 0 || !(S_ISDIR(status.st_mode) || S_ISREG(status.st_mode))) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "is neither a file nor a folder");
        return FALSE;
    }
    if (S_ISREG(status.st_mode)) {
        GBytes *bytes = ws_read_input_file_in(NULL, path, MAX_BYTES, NULL, error);
        if (bytes != NULL)
            g_hash_table_insert(files, g_strdup(name), bytes);
        return bytes != NULL;
    }
    g_autoptr(GDir) directory = g_dir_open(path, 0, NULL);
    const char *entry;
    while (directory != NULL && (entry = g_dir_read_name(directory)) != NULL) {
        g_autofree char *below = g_build_filename(path, entry, NULL);
        g_autofree char *as =
            *name == '\0' ? g_strdup(entry) : g_strdup_printf("%s/%s", name, entry);
        if (!is_left_out(name, entry) && !ws_file_set_add(files, below, as, error))
            return FALSE;
    }
    return TRUE;
}

void ws_file_set_add_text(GHashTable *files, const char *name, const char *text)
{
    g_hash_table_insert(files, g_strdup(name), g_bytes_new(text, strlen(text)));
}

gboolean ws_file_set_write(GHashTable *files, const char *folder, GError **error)
{
    g_autoptr(GPtrArray) names = sorted(files);
    for (guint i = 0; i < names->len; i++) {
        gsize length;
        const char *data = g_bytes_get_data(g_hash_table_lookup(files, names->pdata[i]), &length);
        g_autofree char *path = g_build_filename(folder, names->pdata[i], NULL);
        g_autofree char *parent = g_path_get_dirname(path);
        WsPosition position = {.file = path};
        if (g_mkdir_with_parents(parent, 0777) != 0 ||
            !g_file_set_contents(path, data, (gssize)length, NULL)) {
            ws_set_error_at(error, WS_ERROR_INPUT, &position, "cannot be written");
            return FALSE;
        }
    }
    return TRUE;
}

/* ---- zip --------------------------------------------------------------------------------------
 */

/* Of the format: APPNOTE.TXT 6.3, 4.3.7, 4.3.12 and 4.3.16. Files are stored as they are. */
enum {
    LOCAL_HEAD = 0x04034b50,
    CENTRAL_HEAD = 0x02014b50,
    CENTRAL_END = 0x06054b50,
    VERSION = 20,
    MADE_BY_UNIX = 3 << 8 | VERSION,
    NAMES_ARE_UTF8 = 0x0800,
    FIRST_OF_JANUARY_1980 = 1 << 5 | 1
};

static void put16(GByteArray *zip, guint value)
{
    const guint8 bytes[] = {(guint8)value, (guint8)(value >> 8)};
    g_byte_array_append(zip, bytes, sizeof bytes);
}

static void put32(GByteArray *zip, guint64 value)
{
    put16(zip, (guint)value & 0xffff);
    put16(zip, (guint)(value >> 16) & 0xffff);
}

/* What the head of a file and its entry at the end have in common. */
static void put_common(GByteArray *zip, const char *name, GBytes *file)
{
    gsize length;
    const guint8 *data = g_bytes_get_data(file, &length);
    put16(zip, VERSION);
    put16(zip, NAMES_ARE_UTF8);
    put16(zip, 0); /* stored */
    put16(zip, 0); /* midnight */
    put16(zip, FIRST_OF_JANUARY_1980);
    put32(zip, crc32_z(crc32_z(0, NULL, 0), data, length));
    put32(zip, length);
    put32(zip, length);
    put16(zip, (guint)strlen(name));
    put16(zip, 0); /* no extra field */
}

static void put_entry(GByteArray *zip, const char *name, GBytes *file, guint mode, guint offset)
{
    put32(zip, CENTRAL_HEAD);
    put16(zip, MADE_BY_UNIX);
    put_common(zip, name, file);
    put16(zip, 0); /* no comment */
    put16(zip, 0); /* disk */
    put16(zip, 0);
    put32(zip, (guint64)(S_IFREG | mode) << 16);
    put32(zip, offset);
    g_byte_array_append(zip, (const guint8 *)name, (guint)strlen(name));
}

GBytes *ws_file_set_zip(GHashTable *files, const char *const *programs)
{
    g_autoptr(GPtrArray) names = sorted(files);
    GByteArray *zip = g_byte_array_new();
    g_autofree guint *offsets = g_new0(guint, names->len + 1);
    for (guint i = 0; i < names->len; i++) {
        GBytes *file = g_hash_table_lookup(files, names->pdata[i]);
        gsize length;
        const guint8 *data = g_bytes_get_data(file, &length);
        offsets[i] = zip->len;
        put32(zip, LOCAL_HEAD);
        put_common(zip, names->pdata[i], file);
        g_byte_array_append(zip, names->pdata[i], (guint)strlen(names->pdata[i]));
        g_byte_array_append(zip, data, (guint)length);
    }
    guint start = zip->len;
    for (guint i = 0; i < names->len; i++) {
        const char *name = names->pdata[i];
        put_entry(zip, name, g_hash_table_lookup(files, name),
                  g_strv_contains(programs, name) ? 0755 : 0644, offsets[i]);
    }
    guint bytes = zip->len - start;
    put32(zip, CENTRAL_END);
    put32(zip, 0); /* disks */
    put16(zip, names->len);
    put16(zip, names->len);
    put32(zip, bytes);
    put32(zip, start);
    put16(zip, 0); /* no comment */
    return g_byte_array_free_to_bytes(zip);
}
