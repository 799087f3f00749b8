#include "isa/cuda/files.h"

#include "isa/base/byte_order_mark.h"
#include "isa/base/escape.h"
#include "isa/base/input_file.h"
#include "isa/cuda/include_names.h"
#include "isa/cuda/rewrite_source.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

enum {
    MAX_FILES = 4096,
    SPARE_DESCRIPTORS = 64,
    MAX_TRIES = 200000, /* names looked for, in all folders together */
    MAX_TOTAL_BYTES = 64 << 20
};

typedef struct {
    char *shown; /* as a user would write it */
    GBytes *text;
    gboolean inside, read;
} File;

/* An include that means a file which may not be read: another of its name may be taken for it. */
typedef struct {
    char *name;       /* as included */
    const File *next; /* the file that comes next in the folders where clang looks, or NULL */
    const char *includer;
    guint32 line, column;
} Refused;

struct WsCudaFiles {
    WsClangView *view;
    WsReadScope *scope; /* the target's and the include folders */
    const char *const *includes;
    char *main_folder;
    File *main;
    GHashTable *by_path;  /* char*, absolute -> File*, of which some may be under two paths */
    GHashTable *tried;    /* char*, absolute */
    GHashTable *refusals; /* char*, as included -> char* */
    GHashTable *closed;   /* char*, absolute: files that are there or outside and may not be read */
    GArray *refused;      /* of Refused */
    GPtrArray *all;       /* of File* */
    guint scanned;        /* of `all`: those whose includes have been looked for */
    gsize bytes;
    guint tries, most_files;
    GPtrArray *headers; /* of char*: our own that were marked as read */
    gboolean depend_on_clang;
    GError *failure;      /* while names are collected */
    const char *looking;  /* the folder of the file whose names are collected */
    const char *includer; /* that file, as shown */
};

static void clear_refused(gpointer data)
{
    g_free(((Refused *)data)->name);
}

static void free_file(gpointer data)
{
    File *file = data;
    g_free(file->shown);
    g_bytes_unref(file->text);
    g_free(file);
}

void ws_cuda_files_free(WsCudaFiles *files)
{
    if (files == NULL)
        return;
    ws_read_scope_free(files->scope);
    g_free(files->main_folder);
    g_hash_table_unref(files->by_path);
    g_hash_table_unref(files->tried);
    g_hash_table_unref(files->refusals);
    g_hash_table_unref(files->closed);
    g_array_unref(files->refused);
    g_ptr_array_unref(files->all);
    g_ptr_array_unref(files->headers);
    g_clear_error(&files->failure);
    g_free(files);
}

/* Every file is an open descriptor of this process. */
static guint most_files(const WsClangView *view)
{
    struct rlimit limit;
    guint used = view->contents->len + SPARE_DESCRIPTORS;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur <= used)
        return 1;
    return (guint)MIN((guint64)limit.rlim_cur - used, MAX_FILES);
}

/* Takes the reference of `text`, and leaves what clang is to see there. */
static File *take(WsCudaFiles *files, const char *path, GBytes **text, gboolean inside)
{
    g_autoptr(GBytes) given = *text;
    File *file = g_new0(File, 1);
    const char *shown = path;
    while (shown[0] == '.' && shown[1] == '/')
        shown += 2;
    file->shown = g_strdup(shown);
    *text = file->text = ws_cuda_rewrite_source(given);
    file->inside = inside;
    files->bytes += g_bytes_get_size(*text);
    g_ptr_array_add(files->all, file);
    return file;
}

static gboolean check_size(const WsCudaFiles *files, GError **error)
{
    const WsPosition position = {.file = files->main->shown};
    if (files->all->len > files->most_files)
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "includes more than %u files",
                        files->most_files);
    else if (files->bytes > MAX_TOTAL_BYTES)
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "the files that it includes have more than %d MiB together",
                        MAX_TOTAL_BYTES >> 20);
    else
        return TRUE;
    return FALSE;
}

/*
 * Only what is not simply absent is worth a word. A folder of the name is passed over by compilers:
 * what comes behind it is meant.
 */
static void note_refusal(WsCudaFiles *files, const char *name, const char *absolute,
                         WsReadOutcome outcome)
{
    if (outcome == WS_READ_FAILED && (errno == ENOENT || errno == ENOTDIR))
        return;
    if (outcome != WS_READ_FOLDER)
        g_hash_table_add(files->closed, g_strdup(absolute));
    if (!g_hash_table_contains(files->refusals, name))
        g_hash_table_insert(files->refusals, g_strdup(name),
                            ws_read_outcome_text(files->scope, outcome));
}

static char *path_in(const char *folder, const char *name)
{
    gboolean plain = g_path_is_absolute(name) || strcmp(folder, ".") == 0;
    return plain ? g_strdup(name) : g_strconcat(folder, "/", name, NULL);
}

/* The file `name` of `folder`, if it is there. TRUE if it is new. */
static gboolean try_file(WsCudaFiles *files, const char *folder, const char *name)
{
    gboolean inside;
    g_autofree char *path = path_in(folder, name);
    g_autofree char *absolute = g_canonicalize_filename(path, NULL);
    GBytes *text;
    if (files->failure != NULL || files->tries == MAX_TRIES ||
        g_hash_table_contains(files->tried, absolute) || !g_utf8_validate(path, -1, NULL))
        return FALSE;
    files->tries++;
    g_hash_table_add(files->tried, g_strdup(absolute));
    WsReadOutcome outcome =
        ws_read_scope_read(files->scope, path, WS_MAX_CUDA_SOURCE, &text, &inside);
    if (outcome != WS_READ_DONE) {
        note_refusal(files, name, absolute, outcome);
        return FALSE;
    }
    File *file = take(files, path, &text, inside);
    if (!check_size(files, &files->failure) ||
        !ws_clang_view_add(files->view, absolute, text, &files->failure))
        return FALSE;
    g_hash_table_insert(files->by_path, g_steal_pointer(&absolute), file);
    return TRUE;
}

static gboolean try_folders(WsCudaFiles *files, const char *includer_folder, const char *name)
{
    gboolean found = try_file(files, includer_folder, name);
    if (g_path_is_absolute(name))
        return found;
    found |= try_file(files, files->main_folder, name);
    for (guint i = 0; files->includes != NULL && files->includes[i] != NULL; i++)
        found |= try_file(files, files->includes[i], name);
    return found;
}

/* Looks into one folder more: TRUE once it is known which file clang would take, or be refused. */
static gboolean look_for(const WsCudaFiles *files, const char *folder, const char *name,
                         gboolean *ret_closed, const File **ret_next)
{
    g_autofree char *path = path_in(folder, name);
    g_autofree char *absolute = g_canonicalize_filename(path, NULL);
    *ret_closed = *ret_closed || g_hash_table_contains(files->closed, absolute);
    *ret_next = g_hash_table_lookup(files->by_path, absolute);
    return *ret_next != NULL;
}

/* Notes the include if the first file that clang would find may not be read. */
static void note_refused(WsCudaFiles *files, const WsIncludeName *name)
{
    gboolean closed = FALSE;
    Refused refused = {.includer = files->includer, .line = name->line, .column = name->column};
    gboolean known =
        name->quoted && (look_for(files, files->looking, name->name, &closed, &refused.next) ||
                         look_for(files, files->main_folder, name->name, &closed, &refused.next));
    for (guint i = 0; !known && files->includes != NULL && files->includes[i] != NULL; i++)
        known = look_for(files, files->includes[i], name->name, &closed, &refused.next);
    if (!closed)
        return;
    refused.name = g_strdup(name->name);
    g_array_append_val(files->refused, refused);
}

/* A library of ours, which takes descriptors from the files. TRUE if there is something new. */
static gboolean try_library(WsCudaFiles *files, const char *name)
{
    const guint before = files->view->contents->len;
    if (files->failure == NULL)
        ws_clang_view_want(files->view, name, &files->failure);
    const guint added = files->view->contents->len - before;
    files->most_files -= MIN(added, files->most_files - 1);
    return added > 0;
}

static void on_name(const WsIncludeName *name, gpointer data)
{
    WsCudaFiles *files = data;
    try_library(files, name->name);
    try_folders(files, files->looking, name->name);
    if (g_hash_table_size(files->closed) > 0 && !g_path_is_absolute(name->name))
        note_refused(files, name);
}

/* What the new files include, and so on. */
static gboolean follow(WsCudaFiles *files, GError **error)
{
    while (files->scanned < files->all->len && files->failure == NULL) {
        const File *file = g_ptr_array_index(files->all, files->scanned++);
        g_autofree char *folder = g_path_get_dirname(file->shown);
        gsize length;
        const char *text = g_bytes_get_data(file->text, &length);
        files->looking = folder;
        files->includer = file->shown;
        ws_cuda_include_names(text, length, on_name, files);
    }
    if (files->failure == NULL)
        return TRUE;
    g_propagate_error(error, g_steal_pointer(&files->failure));
    return FALSE;
}

/* It is there under its name too: it may include itself. */
static gboolean take_main(WsCudaFiles *files, const char *path, GError **error)
{
    gboolean inside;
    GBytes *text = ws_read_input_file_in(files->scope, path, WS_MAX_CUDA_SOURCE, &inside, error);
    if (text == NULL)
        return FALSE;
    files->main = take(files, path, &text, inside);
    files->main->read = TRUE;
    g_free(files->main->shown);
    files->main->shown = ws_escape_controls(path, -1, "");
    char *absolute = g_canonicalize_filename(path, NULL);
    g_hash_table_insert(files->by_path, absolute, files->main);
    g_hash_table_add(files->tried, g_strdup(absolute));
    return ws_clang_view_add(files->view, absolute, text, error);
}

WsCudaFiles *ws_cuda_files_new(const char *path, const WsCompileOptions *options, WsClangView *view,
                               GError **error)
{
    g_autoptr(WsCudaFiles) files = g_new0(WsCudaFiles, 1);
    files->view = view;
    files->includes = options->includes;
    files->by_path = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    files->tried = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    files->refusals = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    files->all = g_ptr_array_new_with_free_func(free_file);
    files->closed = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    files->refused = g_array_new(FALSE, FALSE, sizeof(Refused));
    g_array_set_clear_func(files->refused, clear_refused);
    files->headers = g_ptr_array_new_with_free_func(g_free);
    files->main_folder = g_path_get_dirname(path);
    files->most_files = most_files(view);
    files->scope = ws_read_scope_with(options->scope, options->includes);
    if (options->scope == NULL)
        ws_read_scope_add(files->scope, files->main_folder);
    if (!take_main(files, path, error))
        return NULL;
    files->looking = ".";
    files->includer = files->main->shown;
    for (guint i = 0; options->defines != NULL && options->defines[i] != NULL; i++) {
        g_autofree char *line = g_strconcat("#", options->defines[i], NULL);
        ws_cuda_include_names(line, strlen(line), on_name, files);
    }
    return follow(files, error) ? g_steal_pointer(&files) : NULL;
}

const char *ws_cuda_files_main(const WsCudaFiles *files, gsize *ret_length)
{
    const char *text = g_bytes_get_data(files->main->text, ret_length);
    gsize mark = ws_byte_order_mark(text, *ret_length);
    *ret_length -= mark;
    return text + mark;
}

const char *ws_cuda_files_main_name(const WsCudaFiles *files)
{
    return files->main->shown;
}

gboolean ws_cuda_files_find(WsCudaFiles *files, const char *name, const char *includer,
                            GError **error)
{
    g_autofree char *folder = g_path_get_dirname(includer);
    files->depend_on_clang = TRUE;
    const gboolean added = try_library(files, name);
    return (try_folders(files, folder, name) || added) && follow(files, error);
}

const WsClangView *ws_cuda_files_view(const WsCudaFiles *files)
{
    return files->view;
}

char *ws_cuda_files_refusal(const WsCudaFiles *files, const char *name)
{
    return g_strdup(g_hash_table_lookup(files->refusals, name));
}

static File *find_file(const WsCudaFiles *files, const char *path)
{
    g_autofree char *absolute = g_canonicalize_filename(path, NULL);
    return g_hash_table_lookup(files->by_path, absolute);
}

const char *ws_cuda_files_shown(const WsCudaFiles *files, const char *path)
{
    const File *file = find_file(files, path);
    return file == NULL ? NULL : file->shown;
}

gboolean ws_cuda_files_any(const WsCudaFiles *files,
                           gboolean (*is)(const char *path, gpointer data), gpointer data)
{
    GHashTableIter iter;
    gpointer path;
    g_hash_table_iter_init(&iter, files->by_path);
    while (g_hash_table_iter_next(&iter, &path, NULL))
        if (is(path, data))
            return TRUE;
    return FALSE;
}

void ws_cuda_files_mark_read(WsCudaFiles *files, const char *path)
{
    File *file = find_file(files, path);
    if (file != NULL)
        file->read = TRUE;
    else
        g_ptr_array_add(files->headers, g_canonicalize_filename(path, NULL));
}

gboolean ws_cuda_files_any_refused(const WsCudaFiles *files)
{
    return files->refused->len > 0;
}

/* Whether a header that was read can be what clang took for `name`. */
static gboolean has_header(const GPtrArray *headers, const char *name)
{
    g_autofree char *end = g_strconcat("/", name, NULL);
    for (guint i = 0; i < headers->len; i++)
        if (g_str_has_suffix(headers->pdata[i], end))
            return TRUE;
    return FALSE;
}

gboolean ws_cuda_files_check_refused(const WsCudaFiles *files, GError **error)
{
    for (guint i = 0; i < files->refused->len; i++) {
        const Refused *refused = &g_array_index(files->refused, Refused, i);
        gboolean taken =
            refused->next != NULL ? refused->next->read : has_header(files->headers, refused->name);
        if (!taken)
            continue;
        const WsPosition position = {refused->includer, refused->line, refused->column};
        g_autofree char *why = ws_cuda_files_refusal(files, refused->name);
        g_autofree char *shown = ws_printable(refused->name);
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "'%s' %s; another file of that name does not take its place", shown, why);
        return FALSE;
    }
    return TRUE;
}

static void add_sized(GChecksum *checksum, const void *data, gsize length)
{
    const guint64 size = length;
    g_checksum_update(checksum, (const guchar *)&size, sizeof size);
    g_checksum_update(checksum, data, (gssize)length);
}

void ws_cuda_files_digest(const WsCudaFiles *files, GChecksum *checksum)
{
    for (guint i = 0; i < files->all->len; i++) {
        const File *file = g_ptr_array_index(files->all, i);
        gsize length;
        const void *text = g_bytes_get_data(file->text, &length);
        add_sized(checksum, file->shown, strlen(file->shown));
        add_sized(checksum, text, length);
    }
}

gboolean ws_cuda_files_digest_below(const WsCudaFiles *files, const char *below,
                                    GChecksum *checksum)
{
    for (guint i = 0; i < files->all->len; i++) {
        const File *file = g_ptr_array_index(files->all, i);
        gboolean is_below = g_str_has_prefix(file->shown, below);
        const char *name = is_below ? file->shown + strlen(below) : file->shown;
        gsize length;
        const void *text = g_bytes_get_data(file->text, &length);
        if (g_path_is_absolute(name) || strstr(name, "..") != NULL)
            return FALSE;
        add_sized(checksum, is_below ? "/" : "", is_below);
        add_sized(checksum, name, strlen(name));
        add_sized(checksum, text, length);
    }
    return TRUE;
}

gboolean ws_cuda_files_stay_below(const WsCudaFiles *files)
{
    for (guint i = 0; i < files->all->len; i++) {
        const char *name = ((const File *)g_ptr_array_index(files->all, i))->shown;
        if (g_path_is_absolute(name) || strstr(name, "..") != NULL)
            return FALSE;
    }
    return TRUE;
}

gboolean ws_cuda_files_depend_on_clang(const WsCudaFiles *files)
{
    return files->depend_on_clang;
}

GBytes *ws_cuda_files_read_marks(const WsCudaFiles *files)
{
    guint8 *marks = g_malloc(files->all->len);
    for (guint i = 0; i < files->all->len; i++)
        marks[i] = ((const File *)g_ptr_array_index(files->all, i))->read ? 1 : 0;
    return g_bytes_new_take(marks, files->all->len);
}

gboolean ws_cuda_files_set_read_marks(WsCudaFiles *files, const guint8 *marks, gsize count)
{
    if (count != files->all->len)
        return FALSE;
    for (guint i = 0; i < files->all->len; i++)
        ((File *)g_ptr_array_index(files->all, i))->read = marks[i] != 0;
    return TRUE;
}

GHashTable *ws_cuda_files_sources(const WsCudaFiles *files)
{
    GHashTable *sources = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (guint i = 0; i < files->all->len; i++) {
        const File *file = g_ptr_array_index(files->all, i);
        gsize length;
        const char *text = g_bytes_get_data(file->text, &length);
        gsize mark = ws_byte_order_mark(text, length);
        if (file->read && file->inside)
            g_hash_table_insert(sources, g_strdup(file->shown),
                                g_utf8_make_valid(text + mark, (gssize)(length - mark)));
    }
    return sources;
}
