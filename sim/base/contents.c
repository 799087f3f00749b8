#include "sim/base/contents.h"

#include "isa/base/input_file.h"

#include <string.h>

enum { MAX_FILE = 0x7fffffff };

static const char *const contents_keys[] = {"fill", "values", "linear", "random", "file", NULL};

typedef struct {
    const WsYamlTree *tree;
    const WsYamlNode *node; /* the value of the one key */
    const char *folder;
    WsType type;
    guint size; /* of an element */
    guint64 count;
    guint8 *data;
} Target;

const char *const *ws_contents_keys(void)
{
    return contents_keys;
}

/* Reference: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014. */
guint64 ws_split_mix(guint64 seed, guint64 index)
{
    guint64 z = seed + (index + 1) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static gboolean read_fill(const Target *target, GError **error)
{
    guint8 value[8];
    if (!ws_element_read(target->tree, target->node, "fill", target->type, value, error))
        return FALSE;
    for (guint64 i = 0; i < target->count; i++)
        memcpy(target->data + i * target->size, value, target->size);
    return TRUE;
}

static gboolean read_values(const Target *target, GError **error)
{
    if (!ws_yaml_expect_sequence(target->tree, target->node, "values", error))
        return FALSE;
    guint given = ws_yaml_count(target->node);
    if (given != target->count)
        return ws_yaml_error(target->tree, target->node, error,
                             "%u values are given for %" G_GUINT64_FORMAT " elements", given,
                             target->count);
    for (guint i = 0; i < given; i++)
        if (!ws_element_read(target->tree, ws_yaml_item(target->node, i), "values", target->type,
                             target->data + (guint64)i * target->size, error))
            return FALSE;
    return TRUE;
}

/* Reads the value of `key` as one element, or leaves `ret` as it is when the key is missing. */
static gboolean read_member(const Target *target, const char *key, guint8 *ret, GError **error)
{
    const WsYamlNode *node = ws_yaml_get(target->node, key);
    return node == NULL || ws_element_read(target->tree, node, key, target->type, ret, error);
}

static gboolean read_linear(const Target *target, GError **error)
{
    static const char *const keys[] = {"start", "step", NULL};
    if (!ws_yaml_expect_mapping(target->tree, target->node, "linear", keys, error))
        return FALSE;
    WsType type = target->type;
    gboolean is_float = ws_element_is_float(type);
    /* Floats are computed as f64 and rounded once, so start and step are not rounded before. */
    WsType member_type = is_float ? WS_TYPE_F64 : type;
    Target member = *target;
    member.type = member_type;
    guint8 start[8] = {0}, step[8] = {0};
    if (is_float)
        ws_element_store_double(member_type, 1, step);
    else
        ws_element_store_integer(member_type, 1, step);
    if (!read_member(&member, "start", start, error) || !read_member(&member, "step", step, error))
        return FALSE;
    if (is_float) {
        double from = ws_element_load_double(WS_TYPE_F64, start);
        double by = ws_element_load_double(WS_TYPE_F64, step);
        for (guint64 i = 0; i < target->count; i++)
            ws_element_store_double(type, from + (double)i * by, target->data + i * target->size);
    } else {
        guint64 from = ws_element_load_integer(type, start);
        guint64 by = ws_element_load_integer(type, step);
        for (guint64 i = 0; i < target->count; i++)
            ws_element_store_integer(type, from + i * by, target->data + i * target->size);
    }
    return TRUE;
}

static gboolean read_random_floats(const Target *target, guint64 seed, GError **error)
{
    Target member = *target;
    member.type = WS_TYPE_F64;
    guint8 low[8], high[8];
    ws_element_store_double(WS_TYPE_F64, 0, low);
    ws_element_store_double(WS_TYPE_F64, 1, high);
    if (!read_member(&member, "min", low, error) || !read_member(&member, "max", high, error))
        return FALSE;
    double from = ws_element_load_double(WS_TYPE_F64, low);
    double to = ws_element_load_double(WS_TYPE_F64, high);
    if (!(from <= to) || to - from > G_MAXDOUBLE)
        return ws_yaml_error(target->tree, target->node, error,
                             "random: min and max must be finite and in order");
    for (guint64 i = 0; i < target->count; i++) {
        double unit = (double)(ws_split_mix(seed, i) >> 11) * 0x1p-53;
        ws_element_store_double(target->type, from + unit * (to - from),
                                target->data + i * target->size);
    }
    return TRUE;
}

/* The high 64 bits of a * b. */
static guint64 multiply_high(guint64 a, guint64 b)
{
    return (guint64)((unsigned __int128)a * b >> 64);
}

static gboolean read_random_integers(const Target *target, guint64 seed, GError **error)
{
    guint8 low[8] = {0}, high[8] = {0};
    WsType type = target->type;
    gboolean is_signed = ws_element_is_signed(type);
    guint64 largest = G_MAXUINT64 >> (64 - target->size * 8 + is_signed);
    ws_element_store_integer(type, largest, high);
    if (!read_member(target, "min", low, error) || !read_member(target, "max", high, error))
        return FALSE;
    guint64 from = ws_element_load_integer(type, low), to = ws_element_load_integer(type, high);
    if (is_signed ? (gint64)from > (gint64)to : from > to)
        return ws_yaml_error(target->tree, target->node, error,
                             "random: min and max must be finite and in order");
    guint64 range = to - from + 1; /* 0 = all 2^64 values */
    for (guint64 i = 0; i < target->count; i++) {
        guint64 random = ws_split_mix(seed, i);
        guint64 value = from + (range == 0 ? random : multiply_high(random, range));
        ws_element_store_integer(type, value, target->data + i * target->size);
    }
    return TRUE;
}

static gboolean read_random(const Target *target, GError **error)
{
    static const char *const keys[] = {"seed", "min", "max", NULL};
    if (!ws_yaml_expect_mapping(target->tree, target->node, "random", keys, error))
        return FALSE;
    const WsYamlNode *node = ws_yaml_require(target->tree, target->node, "random", "seed", error);
    guint64 seed;
    if (node == NULL || !ws_yaml_unsigned(target->tree, node, "seed", 0, G_MAXUINT64, &seed, error))
        return FALSE;
    return ws_element_is_float(target->type) ? read_random_floats(target, seed, error)
                                             : read_random_integers(target, seed, error);
}

/* A file's name, or {name: ..., prefix: true} for the beginning of a file. */
typedef struct {
    const WsYamlNode *node; /* the name's */
    const char *name;
    gboolean prefix;
} FileName;

static gboolean read_file_name(const WsYamlTree *tree, const WsYamlNode *node, FileName *ret,
                               GError **error)
{
    static const char *const keys[] = {"name", "prefix", NULL};
    *ret = (FileName){.node = node};
    if (node->kind == WS_YAML_MAPPING) {
        if (!ws_yaml_expect_mapping(tree, node, "file", keys, error))
            return FALSE;
        const WsYamlNode *prefix = ws_yaml_get(node, "prefix");
        ret->node = ws_yaml_require(tree, node, "file", "name", error);
        if (ret->node == NULL ||
            (prefix != NULL && !ws_yaml_boolean(tree, prefix, "prefix", &ret->prefix, error)))
            return FALSE;
    }
    ret->name = ws_yaml_text(tree, ret->node, "file", error);
    return ret->name != NULL;
}

const char *ws_contents_file(const WsYamlTree *tree, const WsYamlNode *contents)
{
    const WsYamlNode *node = ws_yaml_get(contents, "file");
    FileName file = {0};
    g_autoptr(GError) error = NULL;
    return node != NULL && read_file_name(tree, node, &file, &error) ? file.name : NULL;
}

/* Moves a message about a file to the place in the launch file that names it. */
static void place_error(const Target *target, const FileName *file, GError **error)
{
    if (error == NULL || *error == NULL)
        return;
    g_autofree char *text = g_strdup((*error)->message);
    const char *rest = strstr(text, "error: ");
    g_autofree char *name = ws_printable(file->name);
    g_clear_error(error);
    ws_yaml_error(target->tree, file->node, error, "file '%s': %s", name,
                  rest != NULL ? rest + strlen("error: ") : text);
}

static GBytes *read_bytes(const Target *target, FileName *file, GError **error)
{
    if (!read_file_name(target->tree, target->node, file, error))
        return NULL;
    g_autofree char *path = ws_path_in_folder(target->folder, file->name);
    GBytes *bytes = ws_read_input_file_in(target->tree->scope, path, MAX_FILE, NULL, error);
    if (bytes == NULL)
        place_error(target, file, error);
    return bytes;
}

static gboolean read_file(const Target *target, GError **error)
{
    FileName file;
    g_autoptr(GBytes) bytes = read_bytes(target, &file, error);
    if (bytes == NULL)
        return FALSE;
    gsize length;
    const void *data = g_bytes_get_data(bytes, &length);
    guint64 needed = target->count * target->size;
    if (length < needed || (length > needed && !file.prefix))
        return ws_yaml_error(target->tree, file.node, error,
                             "the file has %" G_GSIZE_FORMAT " bytes, %" G_GUINT64_FORMAT
                             " are needed (%" G_GUINT64_FORMAT " elements of %u bytes)%s",
                             length, needed, target->count, target->size,
                             length > needed ? "; for its beginning write "
                                               "file: {name: ..., prefix: true}"
                                             : "");
    memcpy(target->data, data, needed);
    return TRUE;
}

/* The one key of `contents`, its value in target->node; NULL after an error. */
static const char *find_key(const WsYamlNode *contents, Target *target, GError **error)
{
    if (contents->kind == WS_YAML_SCALAR && strcmp(contents->text, "zero") == 0)
        return "zero";
    if (!ws_yaml_expect_mapping(target->tree, contents, "a description of contents", contents_keys,
                                error))
        return NULL;
    if (ws_yaml_count(contents) != 1) {
        ws_yaml_error(target->tree, contents, error,
                      "the contents need exactly one of fill, values, linear, random, file (or "
                      "the word zero)");
        return NULL;
    }
    target->node = ws_yaml_item(contents, 0);
    return ws_yaml_key(contents, 0)->text;
}

gboolean ws_contents_count(const WsYamlTree *tree, const WsYamlNode *contents, const char *folder,
                           WsType type, guint64 *ret, GError **error)
{
    Target target = {.tree = tree, .folder = folder, .size = ws_type_size(type)};
    const char *key = find_key(contents, &target, error);
    if (key == NULL)
        return FALSE;
    *ret = 0;
    if (strcmp(key, "values") == 0) {
        *ret = ws_yaml_count(target.node);
    } else if (strcmp(key, "file") == 0) {
        FileName file;
        g_autoptr(GBytes) bytes = read_bytes(&target, &file, error);
        if (bytes == NULL)
            return FALSE;
        *ret = g_bytes_get_size(bytes) / target.size;
    }
    return TRUE;
}

gboolean ws_contents_read(const WsYamlTree *tree, const WsYamlNode *contents, const char *folder,
                          WsType type, guint64 count, guint8 *data, GError **error)
{
    static const struct {
        const char *key;
        gboolean (*read)(const Target *target, GError **error);
    } readers[] = {
        {"fill", read_fill},     {"values", read_values}, {"linear", read_linear},
        {"random", read_random}, {"file", read_file},
    };
    Target target = {
        .tree = tree,
        .folder = folder,
        .type = type,
        .size = ws_type_size(type),
        .count = count,
        .data = data,
    };
    const char *key = find_key(contents, &target, error);
    if (key == NULL)
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(readers); i++)
        if (strcmp(readers[i].key, key) == 0)
            return readers[i].read(&target, error);
    return TRUE; /* zero */
}
