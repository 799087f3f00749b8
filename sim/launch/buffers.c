/* Buffers, symbols and expectations of a launch file. */
#include "isa/base/size.h"
#include "sim/base/contents.h"
#include "sim/launch/host_memory.h"
#include "sim/launch/reader.h"
#include "sim/launch/reference_launch.h"

#include <string.h>

enum { BUFFER_ALIGNMENT = 512, GUARD_BYTES = 65536, MAX_BUFFERS = 4096, MAX_EXPECTATIONS = 4096 };

/* What `address` may be: a cache line belongs to one buffer. */
enum { ADDRESS_ALIGNMENT = 128 };
static const guint64 max_address = G_GUINT64_CONSTANT(1) << 48;

/* Elements of a buffer; how many bytes there may be is a matter of the job's limit. */
static const guint64 max_count = G_GUINT64_CONSTANT(1) << 40;

/* ---- buffers ----------------------------------------------------------------------------------
 */

static gboolean check_name(const WsLaunchReader *reader, const WsYamlNode *node, GError **error)
{
    const char *name = ws_yaml_text(reader->tree, node, "a buffer's name", error);
    if (name == NULL)
        return FALSE;
    g_autofree char *shown = ws_printable(name);
    if (!ws_launch_is_name(name, 64))
        return ws_yaml_error(reader->tree, node, error,
                             "'%s' is not a buffer's name: up to 64 letters, digits and _, a "
                             "letter first",
                             shown);
    for (guint i = 0; i < reader->buffers->len; i++)
        if (strcmp(g_array_index(reader->buffers, WsBuffer, i).name, name) == 0)
            return ws_yaml_error(reader->tree, node, error, "there is a buffer '%s' already", name);
    return TRUE;
}

gboolean ws_launch_find_buffer(const WsLaunchReader *reader, const WsYamlNode *node, guint32 *ret,
                               GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < reader->buffers->len; i++)
        g_ptr_array_add(names, g_array_index(reader->buffers, WsBuffer, i).name);
    return ws_launch_find_name(reader, node, "buffer", names, ret, error);
}

gboolean ws_launch_read_type(const WsYamlTree *tree, const WsYamlNode *node, WsType *ret,
                             GError **error)
{
    guint index;
    if (!ws_yaml_choice(tree, node, "type", ws_element_type_names(), &index, error))
        return FALSE;
    return ws_element_find_type(ws_element_type_names()[index], ret);
}

/* Number of elements, from `count` or from the contents. */
static gboolean read_count(const WsLaunchReader *reader, const WsYamlNode *node, WsType type,
                           guint64 *ret, GError **error)
{
    const WsYamlNode *count = ws_yaml_get(node, "count"), *init = ws_yaml_get(node, "init");
    if (count != NULL)
        return ws_yaml_unsigned(reader->tree, count, "count", 1, max_count, ret, error);
    *ret = 0;
    if (init != NULL && !ws_contents_count(reader->tree, init, reader->folder, type, ret, error))
        return FALSE;
    if (*ret == 0)
        return ws_yaml_error(reader->tree, node, error, "a buffer lacks the key 'count'");
    return TRUE;
}

/* Zeros, or NULL if that is more than the job may take, or the host has. */
static guint8 *take_memory(WsLaunchReader *reader, const WsYamlNode *node, guint64 bytes,
                           GError **error)
{
    WsJob *job = reader->job;
    if (!ws_host_memory_take(job, bytes)) {
        g_autofree char *limit = ws_host_memory_text(ws_host_memory_limit(job));
        g_autofree char *all = ws_host_memory_text(ws_size_add(job->host_bytes, bytes));
        ws_yaml_error(reader->tree, node, error,
                      "the buffers, and what is expected of them, have %s up to here, more than "
                      "%s together (--max-memory)",
                      all, limit);
        return NULL;
    }
    guint8 *data = g_try_malloc0(bytes);
    if (data == NULL)
        ws_yaml_error(reader->tree, node, error,
                      "the host has no memory for %" G_GUINT64_FORMAT " bytes", bytes);
    return data;
}

/* Where the buffer lies: behind those before it, and where `address` says if it does. */
static gboolean read_address(const WsLaunchReader *reader, const WsYamlNode *node, guint64 *ret,
                             GError **error)
{
    const WsYamlNode *address = ws_yaml_get(node, "address");
    guint64 least = WS_BUFFER_BASE;
    *ret = reader->next_address;
    if (address == NULL)
        return TRUE;
    if (reader->buffers->len > 0) {
        const WsBuffer *last = &g_array_index(reader->buffers, WsBuffer, reader->buffers->len - 1);
        least = last->address + last->bytes;
    }
    if (!ws_yaml_unsigned(reader->tree, address, "address", 0, max_address, ret, error))
        return FALSE;
    if (*ret % ADDRESS_ALIGNMENT != 0)
        return ws_yaml_error(reader->tree, address, error,
                             "the address of a buffer must be a multiple of %d", ADDRESS_ALIGNMENT);
    return *ret >= least ||
           ws_yaml_error(reader->tree, address, error,
                         "the address of this buffer must be 0x%" G_GINT64_MODIFIER
                         "x or above: buffers stand in the order of their addresses",
                         least);
}

static gboolean allocate(WsLaunchReader *reader, const WsYamlNode *node, WsBuffer *buffer,
                         GError **error)
{
    guint64 bytes = ws_size_multiply(buffer->count, ws_type_size(buffer->type));
    if (!read_address(reader, node, &buffer->address, error))
        return FALSE;
    buffer->data = take_memory(reader, node, bytes, error);
    if (buffer->data == NULL)
        return FALSE;
    buffer->bytes = bytes;
    guint64 end = buffer->address + bytes + GUARD_BYTES;
    reader->next_address = (end + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT;
    return TRUE;
}

gboolean ws_launch_add_buffer(WsLaunchReader *reader, const WsYamlNode *name_node,
                              const WsYamlNode *node, gboolean named_inside, guint32 *ret,
                              GError **error)
{
    static const char *const keys[] = {"type", "count", "init", "address", NULL};
    static const char *const keys_inside[] = {"name", "type", "count", "init", "address", NULL};
    const WsYamlTree *tree = reader->tree;
    if (!ws_yaml_expect_mapping(tree, node, "a buffer", named_inside ? keys_inside : keys, error))
        return FALSE;
    if (named_inside)
        name_node = ws_yaml_require(tree, node, "a buffer", "name", error);
    if (reader->buffers->len == MAX_BUFFERS)
        return ws_yaml_error(tree, node, error, "more than %d buffers", MAX_BUFFERS);
    if (name_node == NULL || !check_name(reader, name_node, error))
        return FALSE;
    WsBuffer buffer = {0};
    const WsYamlNode *type = ws_yaml_require(tree, node, "a buffer", "type", error);
    if (type == NULL || !ws_launch_read_type(tree, type, &buffer.type, error) ||
        !read_count(reader, node, buffer.type, &buffer.count, error) ||
        !allocate(reader, node, &buffer, error))
        return FALSE;
    buffer.name = g_strdup(name_node->text);
    const WsYamlNode *init = ws_yaml_get(node, "init");
    buffer.has_contents = init != NULL;
    *ret = reader->buffers->len;
    g_array_append_val(reader->buffers, buffer); /* from here on the job frees it */
    return init == NULL || ws_contents_read(tree, init, reader->folder, buffer.type, buffer.count,
                                            buffer.data, error);
}

gboolean ws_launch_read_buffers(WsLaunchReader *reader, const WsYamlNode *node, GError **error)
{
    if (node == NULL)
        return TRUE;
    if (!ws_yaml_expect_mapping(reader->tree, node, "buffers", NULL, error))
        return FALSE;
    guint32 index;
    for (guint i = 0; i < ws_yaml_count(node); i++)
        if (!ws_launch_add_buffer(reader, ws_yaml_key(node, i), ws_yaml_item(node, i), FALSE,
                                  &index, error))
            return FALSE;
    return TRUE;
}

/* ---- symbols ----------------------------------------------------------------------------------
 */

static const WsSymbol *find_symbol(const WsLaunchReader *reader, const WsYamlNode *key,
                                   GError **error)
{
    const WsProgram *program = reader->job->program;
    const WsSymbol *symbol = ws_program_find_symbol(program, key->text);
    if (symbol != NULL)
        return symbol;
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < program->symbol_count; i++)
        g_ptr_array_add(names, program->symbols[i].name);
    g_ptr_array_add(names, NULL);
    g_autofree char *shown = ws_printable(key->text);
    const char *nearest = ws_nearest_name(key->text, (const char *const *)names->pdata);
    if (nearest != NULL)
        ws_yaml_error(reader->tree, key, error,
                      "the program has no variable '%s'; did you mean '%s'?", shown, nearest);
    else
        ws_yaml_error(reader->tree, key, error, "the program has no variable '%s'", shown);
    return NULL;
}

static gboolean read_symbol(WsLaunchReader *reader, const WsYamlNode *key, const WsYamlNode *node,
                            GError **error)
{
    static const char *const keys[] = {"type", "init", NULL};
    if (!ws_yaml_expect_mapping(reader->tree, node, "a symbol", keys, error))
        return FALSE;
    const WsSymbol *symbol = find_symbol(reader, key, error);
    const WsYamlNode *init = ws_yaml_require(reader->tree, node, "a symbol", "init", error);
    if (symbol == NULL || init == NULL)
        return FALSE;
    WsType type = symbol->type == WS_TYPE_BYTES ? WS_TYPE_B8 : symbol->type;
    const WsYamlNode *type_node = ws_yaml_get(node, "type");
    if (type_node != NULL && !ws_launch_read_type(reader->tree, type_node, &type, error))
        return FALSE;
    guint size = ws_type_size(type);
    if (symbol->size % size != 0)
        return ws_yaml_error(reader->tree, type_node != NULL ? type_node : key, error,
                             "the variable has %" G_GUINT64_FORMAT
                             " bytes, not a multiple of the type's %u",
                             symbol->size, size);
    guint8 *data = symbol->space == WS_SYMBOL_CONSTANT
                       ? reader->job->constant_data + symbol->address
                       : reader->job->module_data + (symbol->address - WS_MODULE_WINDOW);
    memset(data, 0, symbol->size);
    return ws_contents_read(reader->tree, init, reader->folder, type, symbol->size / size, data,
                            error);
}

gboolean ws_launch_read_symbols(WsLaunchReader *reader, const WsYamlNode *node, GError **error)
{
    if (node == NULL)
        return TRUE;
    if (!ws_yaml_expect_mapping(reader->tree, node, "symbols", NULL, error))
        return FALSE;
    for (guint i = 0; i < ws_yaml_count(node); i++)
        if (!read_symbol(reader, ws_yaml_key(node, i), ws_yaml_item(node, i), error))
            return FALSE;
    return TRUE;
}

/* ---- expectations -----------------------------------------------------------------------------
 */

static gboolean read_tolerance(const WsLaunchReader *reader, const WsYamlNode *node,
                               const char *key, double *ret, GError **error)
{
    const WsYamlNode *value = ws_yaml_get(node, key);
    *ret = 0;
    if (value == NULL)
        return TRUE;
    if (!ws_yaml_number(reader->tree, value, key, ret, error))
        return FALSE;
    if (!(*ret >= 0 && *ret <= G_MAXDOUBLE))
        return ws_yaml_error(reader->tree, value, error, "%s must be a number from 0 up", key);
    return TRUE;
}

/* Memory for what is expected. */
static gboolean allocate_expected(WsLaunchReader *reader, const WsYamlNode *node,
                                  WsExpectation *expectation, GError **error)
{
    const WsBuffer *buffer = &g_array_index(reader->buffers, WsBuffer, expectation->index);
    expectation->data = take_memory(reader, node, buffer->bytes, error);
    return expectation->data != NULL;
}

/* A reference kernel computes them: no contents, and what they are is known when it has run. */
static gboolean read_reference(WsLaunchReader *reader, const WsYamlNode *node,
                               WsExpectation *expectation, GError **error)
{
    for (guint i = 0; i < ws_yaml_count(node); i++) {
        const WsYamlNode *key = ws_yaml_key(node, i);
        if (g_strv_contains(ws_contents_keys(), key->text))
            return ws_yaml_error(reader->tree, key, error,
                                 "'%s' beside 'kernel': the reference kernel says what is expected",
                                 key->text);
    }
    return allocate_expected(reader, node, expectation, error) &&
           ws_reference_launch_read(reader, node, &expectation->reference, error);
}

/* The keys of a launch are for a reference kernel only. */
static gboolean check_no_launch(const WsLaunchReader *reader, const WsYamlNode *node,
                                GError **error)
{
    static const char *const keys[] = {"grid", "block", "dynamic_shared_bytes", "params", NULL};
    for (guint i = 0; i < ws_yaml_count(node); i++)
        if (g_strv_contains(keys, ws_yaml_key(node, i)->text))
            return ws_yaml_error(reader->tree, ws_yaml_key(node, i), error,
                                 "'%s' goes with 'kernel', which is missing",
                                 ws_yaml_key(node, i)->text);
    return TRUE;
}

/* The contents are given by one of their keys beside `buffer`; makes a mapping of that key. */
static gboolean read_expected(WsLaunchReader *reader, const WsYamlNode *node,
                              WsExpectation *expectation, GError **error)
{
    if (!check_no_launch(reader, node, error))
        return FALSE;
    const WsBuffer *buffer = &g_array_index(reader->buffers, WsBuffer, expectation->index);
    WsYamlNode contents = {.kind = WS_YAML_MAPPING,
                           .line = node->line,
                           .column = node->column,
                           .source = node->source,
                           .keys = g_ptr_array_new(),
                           .items = g_ptr_array_new()};
    for (guint i = 0; i < ws_yaml_count(node); i++) {
        const WsYamlNode *key = ws_yaml_key(node, i);
        if (!g_strv_contains(ws_contents_keys(), key->text))
            continue;
        g_ptr_array_add(contents.keys, (gpointer)key);
        g_ptr_array_add(contents.items, (gpointer)ws_yaml_item(node, i));
    }
    expectation->source = g_strdup(ws_contents_file(reader->tree, node));
    gboolean ok = allocate_expected(reader, node, expectation, error) &&
                  ws_contents_read(reader->tree, &contents, reader->folder, buffer->type,
                                   buffer->count, expectation->data, error);
    g_ptr_array_unref(contents.keys);
    g_ptr_array_unref(contents.items);
    return ok;
}

static gboolean read_expectation(WsLaunchReader *reader, const WsYamlNode *node, GError **error)
{
    static const char *const keys[] = {"buffer",
                                       "rel",
                                       "abs",
                                       "equal_nan",
                                       "fill",
                                       "values",
                                       "linear",
                                       "random",
                                       "file",
                                       "kernel",
                                       "grid",
                                       "block",
                                       "dynamic_shared_bytes",
                                       "params",
                                       NULL};
    WsExpectation expectation = {0};
    if (!ws_yaml_expect_mapping(reader->tree, node, "an expectation", keys, error))
        return FALSE;
    const WsYamlNode *name = ws_yaml_require(reader->tree, node, "an expectation", "buffer", error);
    const WsYamlNode *equal_nan = ws_yaml_get(node, "equal_nan");
    if (name == NULL || !ws_launch_find_buffer(reader, name, &expectation.index, error) ||
        !read_tolerance(reader, node, "rel", &expectation.relative, error) ||
        !read_tolerance(reader, node, "abs", &expectation.absolute, error) ||
        (equal_nan != NULL &&
         !ws_yaml_boolean(reader->tree, equal_nan, "equal_nan", &expectation.equal_nan, error)))
        return FALSE;
    gboolean ok = ws_yaml_get(node, "kernel") != NULL
                      ? read_reference(reader, node, &expectation, error)
                      : read_expected(reader, node, &expectation, error);
    g_array_append_val(reader->expectations, expectation);
    return ok;
}

gboolean ws_launch_read_expectations(WsLaunchReader *reader, const WsYamlNode *node, GError **error)
{
    if (node == NULL)
        return TRUE;
    if (!ws_yaml_expect_sequence(reader->tree, node, "expect", error))
        return FALSE;
    if (ws_yaml_count(node) > MAX_EXPECTATIONS)
        return ws_yaml_error(reader->tree, node, error, "expect: at most %d items",
                             MAX_EXPECTATIONS);
    for (guint i = 0; i < ws_yaml_count(node); i++)
        if (!read_expectation(reader, ws_yaml_item(node, i), error))
            return FALSE;
    return TRUE;
}
