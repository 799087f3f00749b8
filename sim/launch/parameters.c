/* Parameters of a launch: checked against the kernel's, laid out for constant bank 0. */
#include "sim/base/element.h"
#include "sim/launch/reader.h"

#include <string.h>

typedef struct {
    WsLaunchReader *reader;
    const WsYamlNode *node;       /* the item of the list */
    const WsYamlNode *value;      /* what stands after the key */
    const WsParameter *parameter; /* what the kernel takes */
    guint number;
    guint8 *data;       /* parameter->size bytes */
    GArray *references; /* of WsReference */
} Argument;

static const char *kind_name(WsType type)
{
    if (ws_element_is_float(type))
        return "a float";
    return type == WS_TYPE_BYTES ? "an aggregate" : "an integer";
}

static gboolean size_error(const Argument *argument, guint64 given, GError **error)
{
    return ws_yaml_error(argument->reader->tree, argument->node, error,
                         "parameter %u of the kernel has %u bytes (%s), but %" G_GUINT64_FORMAT
                         " are given",
                         argument->number, argument->parameter->size,
                         ws_type_name(argument->parameter->type), given);
}

/* A float for an integer parameter or the reverse is a mistake; untyped bits take either. */
static gboolean kinds_agree(WsType given, WsType taken)
{
    if (taken == WS_TYPE_BYTES || (taken >= WS_TYPE_B8 && taken <= WS_TYPE_B64))
        return TRUE;
    return ws_element_is_float(given) == ws_element_is_float(taken);
}

static gboolean put_value(const Argument *argument, WsType type, GError **error)
{
    const WsParameter *parameter = argument->parameter;
    if (ws_type_size(type) != parameter->size)
        return size_error(argument, ws_type_size(type), error);
    if (!kinds_agree(type, parameter->type))
        return ws_yaml_error(argument->reader->tree, argument->node, error,
                             "parameter %u of the kernel is %s (%s), not %s", argument->number,
                             kind_name(parameter->type), ws_type_name(parameter->type),
                             kind_name(type));
    return ws_element_read(argument->reader->tree, argument->value, ws_type_name(type), type,
                           argument->data, error);
}

static gboolean put_address(const Argument *argument, guint64 address, GError **error)
{
    if (argument->parameter->size != 8)
        return size_error(argument, 8, error);
    if (!kinds_agree(WS_TYPE_U64, argument->parameter->type))
        return ws_yaml_error(argument->reader->tree, argument->node, error,
                             "parameter %u of the kernel is f64, not an address", argument->number);
    memcpy(argument->data, &address, 8);
    return TRUE;
}

static gboolean put_null(const Argument *argument, GError **error)
{
    return put_address(argument, 0, error);
}

static gboolean put_place(const Argument *argument, guint32 index, guint64 offset, GError **error)
{
    const WsBuffer *buffer = &g_array_index(argument->reader->buffers, WsBuffer, index);
    WsReference reference = {argument->parameter->offset, index, offset};
    g_array_append_val(argument->references, reference);
    return put_address(argument, buffer->address + offset, error);
}

static gboolean put_reference(const Argument *argument, GError **error)
{
    guint32 index;
    if (!ws_launch_find_buffer(argument->reader, argument->value, &index, error))
        return FALSE;
    const WsBuffer *buffer = &g_array_index(argument->reader->buffers, WsBuffer, index);
    const WsYamlNode *offset_node = ws_yaml_get(argument->node, "offset");
    guint64 offset = 0;
    if (offset_node != NULL && !ws_yaml_unsigned(argument->reader->tree, offset_node, "offset", 0,
                                                 buffer->bytes, &offset, error))
        return FALSE;
    return put_place(argument, index, offset, error);
}

static gboolean put_texture(const Argument *argument, GError **error)
{
    guint64 handle;
    return ws_launch_find_texture(argument->reader, argument->value, &handle, error) &&
           put_address(argument, handle, error);
}

static gboolean put_buffer(const Argument *argument, GError **error)
{
    guint32 index;
    if (!ws_launch_add_buffer(argument->reader, NULL, argument->value, TRUE, &index, error))
        return FALSE;
    return put_place(argument, index, 0, error);
}

static gboolean put_bytes(const Argument *argument, GError **error)
{
    const WsYamlTree *tree = argument->reader->tree;
    if (!ws_yaml_expect_sequence(tree, argument->value, "bytes", error))
        return FALSE;
    guint count = ws_yaml_count(argument->value);
    if (count != argument->parameter->size)
        return size_error(argument, count, error);
    for (guint i = 0; i < count; i++)
        if (!ws_element_read(tree, ws_yaml_item(argument->value, i), "bytes", WS_TYPE_U8,
                             argument->data + i, error))
            return FALSE;
    return TRUE;
}

static gboolean put_argument(Argument *argument, GError **error)
{
    static const char *const keys[] = {"s8",    "u8",     "s16",    "u16",     "s32", "u32", "s64",
                                       "u64",   "f16",    "bf16",   "f32",     "f64", "ref", "null",
                                       "bytes", "buffer", "offset", "texture", NULL};
    static const struct {
        const char *key;
        gboolean (*put)(const Argument *argument, GError **error);
    } kinds[] = {{"ref", put_reference},
                 {"null", put_null},
                 {"bytes", put_bytes},
                 {"buffer", put_buffer},
                 {"texture", put_texture}};
    const WsYamlTree *tree = argument->reader->tree;
    const WsYamlNode *node = argument->node;
    if (node->kind == WS_YAML_SCALAR && strcmp(node->text, "null") == 0)
        return put_null(argument, error);
    if (!ws_yaml_expect_mapping(tree, node, "a parameter", keys, error))
        return FALSE;
    guint expected = ws_yaml_get(node, "offset") != NULL ? 2 : 1;
    if (ws_yaml_count(node) != expected || (expected == 2 && ws_yaml_get(node, "ref") == NULL))
        return ws_yaml_error(tree, node, error,
                             "a parameter has one type and its value, as in {s32: 8} or {ref: x} "
                             "(with ref, also offset)");
    guint at = strcmp(ws_yaml_key(node, 0)->text, "offset") == 0 ? 1 : 0;
    const char *key = ws_yaml_key(node, at)->text;
    argument->value = ws_yaml_item(node, at);
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
        if (strcmp(kinds[i].key, key) == 0)
            return kinds[i].put(argument, error);
    WsType type;
    ws_element_find_type(key, &type); /* what is left of `keys` are the types */
    return put_value(argument, type, error);
}

/* What an argument of a kernel without a list of its parameters is: by its key. */
static void type_of_argument(const WsYamlNode *node, WsParameter *ret)
{
    *ret = (WsParameter){.type = WS_TYPE_U64};
    for (guint i = 0; node->kind == WS_YAML_MAPPING && i < ws_yaml_count(node); i++) {
        const char *key = ws_yaml_key(node, i)->text;
        if (strcmp(key, "bytes") == 0) {
            const WsYamlNode *list = ws_yaml_item(node, i);
            ret->type = WS_TYPE_BYTES;
            ret->size = list->kind == WS_YAML_SEQUENCE ? ws_yaml_count(list) : 0;
        } else if (strcmp(key, "offset") != 0) {
            ws_element_find_type(key, &ret->type);
        }
    }
    if (ret->type != WS_TYPE_BYTES)
        ret->size = ws_type_size(ret->type);
    /* A structure is aligned as its widest member, which its size is a multiple of. */
    ret->align = CLAMP(ret->size & -ret->size, 1, 16);
}

/* The parameters that the launch gives a kernel which has no list of them, each behind the last. */
static GArray *open_parameters(const WsYamlNode *node)
{
    GArray *parameters = g_array_new(FALSE, FALSE, sizeof(WsParameter));
    guint64 end = 0;
    for (guint i = 0; node != NULL && i < ws_yaml_count(node); i++) {
        WsParameter parameter;
        type_of_argument(ws_yaml_item(node, i), &parameter);
        end = (end + parameter.align - 1) / parameter.align * parameter.align;
        parameter.offset = (guint32)MIN(end, WS_MAX_PARAMETER_BYTES);
        end += parameter.size;
        g_array_append_val(parameters, parameter);
    }
    return parameters;
}

gboolean ws_launch_read_parameters(WsLaunchReader *reader, const WsYamlNode *launch_node,
                                   const WsYamlNode *node, WsLaunch *launch, GError **error)
{
    const WsKernel *kernel = launch->kernel;
    if (node != NULL && !ws_yaml_expect_sequence(reader->tree, node, "params", error))
        return FALSE;
    g_autoptr(GArray) open = kernel->open_parameters ? open_parameters(node) : NULL;
    const WsParameter *parameters =
        open != NULL ? (const WsParameter *)(void *)open->data : kernel->parameters;
    guint given = node != NULL ? ws_yaml_count(node) : 0;
    guint32 bytes = kernel->parameter_bytes;
    for (guint i = 0; open != NULL && i < given; i++)
        bytes = MAX(bytes, parameters[i].offset + parameters[i].size);
    if (bytes > MAX(kernel->parameter_bytes, WS_MAX_PARAMETER_BYTES))
        return ws_yaml_error(reader->tree, node, error, "the parameters take more than %u bytes",
                             WS_MAX_PARAMETER_BYTES);
    launch->parameters = g_malloc0(MAX(bytes, 1));
    if (open == NULL && given != kernel->parameter_count)
        return ws_yaml_error(reader->tree, node != NULL ? node : launch_node, error,
                             "the kernel '%s' takes %u parameter%s, but %u %s given",
                             kernel->display_name, kernel->parameter_count,
                             kernel->parameter_count == 1 ? "" : "s", given,
                             given == 1 ? "is" : "are");
    g_autoptr(GArray) references = g_array_new(FALSE, FALSE, sizeof(WsReference));
    for (guint i = 0; i < given; i++) {
        const WsParameter *parameter = &parameters[i];
        Argument argument = {
            .reader = reader,
            .node = ws_yaml_item(node, i),
            .parameter = parameter,
            .number = i,
            .data = launch->parameters + parameter->offset,
            .references = references,
        };
        if (!put_argument(&argument, error))
            return FALSE;
    }
    launch->reference_count = references->len;
    launch->references = (WsReference *)(void *)g_array_steal(references, NULL);
    return TRUE;
}
