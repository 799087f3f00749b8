#include "sim/launch/save.h"

#include "isa/base/write_all.h"
#include "isa/container/binary.h"
#include "sim/base/element.h"
#include "sim/base/yaml_text.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum {
    DIGEST_LETTERS = 16,
    MAX_BUFFERS = 4096 /* of a launch file */,
    FILE_MODE = 0666,
    FOLDER_MODE = 0777
};

typedef struct {
    const WsJob *job;
    const char *path;
    char *data;     /* the folder of what goes beside it */
    char **buffers; /* names */
    GString *text;
    GError **error;
} Saver;

static gboolean fail(const Saver *saver, const char *path, const char *why)
{
    const WsPosition position = {.file = path};
    ws_set_error_at(saver->error, WS_ERROR_INPUT, &position, "%s", why);
    return FALSE;
}

/* ---- what goes beside the launch file ----------------------------------------------------------
 */

/* Writes it under a name by its contents, relative to the launch file; NULL: an error. */
static char *save_data(const Saver *saver, const void *data, gsize length, const char *ending)
{
    g_autofree char *digest =
        g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)data, length);
    g_autofree char *base = g_strdup_printf("%.*s%s", DIGEST_LETTERS, digest, ending);
    g_autofree char *path = g_build_filename(saver->data, base, NULL);
    if (!g_file_test(path, G_FILE_TEST_EXISTS) &&
        ((!g_file_test(saver->data, G_FILE_TEST_IS_DIR) && mkdir(saver->data, FOLDER_MODE) != 0 &&
          errno != EEXIST) ||
         !ws_write_renamed(path, FILE_MODE, data, length))) {
        fail(saver, path, g_strerror(errno));
        return NULL;
    }
    return g_build_filename("data", base, NULL);
}

/* What is not as its PTX alone makes it goes as bytecode. */
static gboolean is_ptx(const WsProgram *program)
{
    return program->ptx != NULL && program->variables == NULL && program->path != NULL &&
           g_str_has_suffix(program->path, ".ptx");
}

static gboolean save_program(const Saver *saver)
{
    const WsProgram *program = saver->job->program;
    g_autofree char *name = NULL;
    if (is_ptx(program)) {
        name = save_data(saver, program->ptx, strlen(program->ptx), ".ptx");
    } else {
        g_autoptr(GBytes) binary = ws_program_to_binary(program, saver->error);
        if (binary != NULL)
            name = save_data(saver, g_bytes_get_data(binary, NULL), g_bytes_get_size(binary),
                             ".wsbin");
    }
    if (name != NULL)
        g_string_append_printf(saver->text, "program: %s\n", name);
    return name != NULL;
}

/* The built-in device that has all the settings, or NULL. */
static const char *built_in_name(const char *settings)
{
    for (const char *const *name = ws_device_names(); *name != NULL; name++) {
        g_autoptr(WsDevice) device = ws_device_load(*name, NULL, NULL);
        g_autofree char *own = device != NULL ? ws_device_to_yaml(device) : NULL;
        if (g_strcmp0(own, settings) == 0)
            return *name;
    }
    return NULL;
}

static gboolean save_device(const Saver *saver)
{
    g_autofree char *settings = ws_device_to_yaml(saver->job->device);
    const char *built_in = built_in_name(settings);
    g_autofree char *name = built_in != NULL
                                ? g_strdup(built_in)
                                : save_data(saver, settings, strlen(settings), ".yaml");
    if (name != NULL)
        g_string_append_printf(saver->text, "device: %s\n", name);
    return name != NULL;
}

/* ---- memory ------------------------------------------------------------------------------------
 */

static gboolean is_zero(const guint8 *data, gsize length)
{
    return length == 0 || (data[0] == 0 && memcmp(data, data + 1, length - 1) == 0);
}

/* Appends ", init: ..." of contents. */
static gboolean append_contents(const Saver *saver, const guint8 *data, gsize length)
{
    if (is_zero(data, length)) {
        g_string_append(saver->text, ", init: zero");
        return TRUE;
    }
    g_autofree char *name = save_data(saver, data, length, ".bin");
    if (name != NULL)
        g_string_append_printf(saver->text, ", init: {file: %s}", name);
    return name != NULL;
}

/* Letters, digits and _, a letter first, and no name twice. */
static char **buffer_names(const WsJob *job)
{
    enum { MAX_NAME = 48 };
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    char **names = g_new0(char *, job->buffer_count + 1);
    for (guint32 i = 0; i < job->buffer_count; i++) {
        g_autofree char *name = g_strndup(job->buffers[i].name, MAX_NAME);
        for (char *at = name; *at != '\0'; at++)
            if (!g_ascii_isalnum(*at))
                *at = '_';
        names[i] = g_strdup_printf("%s%s", g_ascii_isalpha(*name) ? "" : "b", name);
        for (guint number = 2; g_hash_table_contains(seen, names[i]); number++) {
            g_free(names[i]);
            names[i] = g_strdup_printf("b%s_%u", name, number);
        }
        g_hash_table_add(seen, names[i]);
    }
    return names;
}

static const char *element_type(WsType type)
{
    static const char *const bits[] = {[1] = "u8", [2] = "u16", [4] = "u32", [8] = "u64"};
    return type >= WS_TYPE_B8 && type <= WS_TYPE_B64 ? bits[ws_type_size(type)]
                                                     : ws_type_name(type);
}

static gboolean save_buffers(const Saver *saver)
{
    const WsJob *job = saver->job;
    if (job->buffer_count > MAX_BUFFERS)
        return fail(saver, saver->path, "there are more buffers than a launch file may have");
    if (job->buffer_count > 0)
        g_string_append(saver->text, "buffers:\n");
    for (guint32 i = 0; i < job->buffer_count; i++) {
        const WsBuffer *buffer = &job->buffers[i];
        g_string_append_printf(
            saver->text,
            "  %s: {type: %s, count: %" G_GUINT64_FORMAT ", address: 0x%" G_GINT64_MODIFIER "x",
            saver->buffers[i], element_type(buffer->type), buffer->count, buffer->address);
        if (buffer->has_contents && !append_contents(saver, buffer->data, buffer->bytes))
            return FALSE;
        g_string_append(saver->text, "}\n");
    }
    return TRUE;
}

/* Variables that are not as the program has them. */
static gboolean save_symbols(const Saver *saver)
{
    const WsProgram *program = saver->job->program;
    g_autofree guint8 *module = NULL, *constants = NULL;
    const char *head = "symbols:\n";
    ws_program_images(program, &module, &constants);
    for (guint32 i = 0; i < program->symbol_count; i++) {
        const WsSymbol *symbol = &program->symbols[i];
        const gboolean constant = symbol->space == WS_SYMBOL_CONSTANT;
        const guint64 offset = symbol->address - (constant ? 0 : WS_MODULE_WINDOW);
        const guint8 *now =
            (constant ? saver->job->constant_data : saver->job->module_data) + offset;
        if (memcmp(now, (constant ? constants : module) + offset, symbol->size) == 0)
            continue;
        g_autofree char *name = ws_yaml_scalar(symbol->name);
        g_string_append_printf(saver->text, "%s  %s: {type: u8", head, name);
        head = "";
        if (!append_contents(saver, now, symbol->size))
            return FALSE;
        g_string_append(saver->text, "}\n");
    }
    return TRUE;
}

/* ---- launches ----------------------------------------------------------------------------------
 */

static void append_bytes(GString *text, const guint8 *data, guint32 size)
{
    g_string_append(text, "{bytes: [");
    for (guint32 i = 0; i < size; i++)
        g_string_append_printf(text, "%s%u", i == 0 ? "" : ", ", data[i]);
    g_string_append(text, "]}");
}

/* As a number of the type; FALSE where that does not give the same bits. */
static gboolean append_float(GString *text, WsType type, const guint8 *data)
{
    enum { DIGITS = 32 };
    char number[DIGITS];
    double value;
    float single;
    if (type != WS_TYPE_F32 && type != WS_TYPE_F64)
        return FALSE;
    memcpy(&value, data, type == WS_TYPE_F64 ? sizeof value : 0);
    memcpy(&single, data, sizeof single);
    if (type == WS_TYPE_F32)
        value = single;
    if (!(value >= -G_MAXDOUBLE && value <= G_MAXDOUBLE))
        return FALSE;
    g_ascii_formatd(number, sizeof number, type == WS_TYPE_F32 ? "%.9g" : "%.17g", value);
    g_string_append_printf(text, "{%s: %s%s}", ws_type_name(type), number,
                           strpbrk(number, ".en") == NULL ? ".0" : "");
    return TRUE;
}

static gboolean is_signed(WsType type)
{
    return type == WS_TYPE_S8 || type == WS_TYPE_S16 || type == WS_TYPE_S32 || type == WS_TYPE_S64;
}

static void append_integer(GString *text, WsType type, const guint8 *data, guint32 size)
{
    const gboolean negative = is_signed(type) && (data[size - 1] & 0x80) != 0;
    guint64 value = negative ? G_MAXUINT64 : 0;
    memcpy(&value, data, size);
    if (is_signed(type))
        g_string_append_printf(text, "{%s: %" G_GINT64_FORMAT "}", ws_type_name(type),
                               (gint64)value);
    else
        g_string_append_printf(text, "{%s: %" G_GUINT64_FORMAT "}", element_type(type), value);
}

static void append_parameter(const Saver *saver, const WsLaunch *launch, guint32 number)
{
    const WsParameter *parameter = &launch->kernel->parameters[number];
    const guint8 *data = launch->parameters + parameter->offset;
    GString *text = saver->text;
    for (guint32 i = 0; i < launch->reference_count; i++) {
        const WsReference *reference = &launch->references[i];
        if (reference->parameter_offset != parameter->offset)
            continue;
        g_string_append_printf(text, "{ref: %s", saver->buffers[reference->buffer]);
        if (reference->byte_offset != 0)
            g_string_append_printf(text, ", offset: %" G_GUINT64_FORMAT, reference->byte_offset);
        g_string_append_c(text, '}');
        return;
    }
    if (parameter->type == WS_TYPE_BYTES || ws_type_size(parameter->type) != parameter->size)
        append_bytes(text, data, parameter->size);
    else if (!ws_element_is_float(parameter->type))
        append_integer(text, parameter->type, data, parameter->size);
    else if (!append_float(text, parameter->type, data))
        append_bytes(text, data, parameter->size);
}

static void append_launch(const Saver *saver, const WsLaunch *launch)
{
    GString *text = saver->text;
    const WsKernel *kernel = launch->kernel;
    const gboolean unique =
        ws_program_find_kernel(saver->job->program, kernel->display_name) == kernel;
    g_autofree char *name = ws_yaml_scalar(unique ? kernel->display_name : kernel->name);
    g_string_append_printf(text,
                           "  - kernel: %s\n    grid: [%u, %u, %u]\n    block: [%u, %u, %u]\n",
                           name, launch->grid[0], launch->grid[1], launch->grid[2],
                           launch->block[0], launch->block[1], launch->block[2]);
    if (launch->dynamic_shared_bytes != 0)
        g_string_append_printf(text, "    dynamic_shared_bytes: %u\n",
                               launch->dynamic_shared_bytes);
    if (launch->stack_bytes != 0)
        g_string_append_printf(text, "    stack_bytes: %u\n", launch->stack_bytes);
    if (launch->carveout >= 0)
        g_string_append_printf(text, "    carveout: %d\n", launch->carveout);
    if (launch->keep_caches)
        g_string_append(text, "    cache: keep\n");
    if (kernel->parameter_count > 0)
        g_string_append(text, "    params:\n");
    for (guint32 i = 0; i < kernel->parameter_count; i++) {
        g_string_append(text, "      - ");
        append_parameter(saver, launch, i);
        g_string_append_c(text, '\n');
    }
}

static gboolean save(const Saver *saver)
{
    const WsJob *job = saver->job;
    if (job->texture_count != 0)
        return fail(saver, saver->path, "launches with textures cannot be saved");
    g_string_append(saver->text, "version: 1\n");
    if (!save_device(saver) || !save_program(saver))
        return FALSE;
    if (job->max_registers != 0 && is_ptx(job->program))
        g_string_append_printf(saver->text, "compile: {maxreg: %u}\n", job->max_registers);
    if (!save_buffers(saver) || !save_symbols(saver))
        return FALSE;
    g_string_append(saver->text, "launches:\n");
    for (guint32 i = 0; i < job->launch_count; i++)
        append_launch(saver, &job->launches[i]);
    return ws_write_renamed(saver->path, FILE_MODE, saver->text->str, saver->text->len) ||
           fail(saver, saver->path, g_strerror(errno));
}

gboolean ws_job_save(const WsJob *job, const char *path, GError **error)
{
    g_autofree char *folder = g_path_get_dirname(path);
    const Saver saver = {.job = job,
                         .path = path,
                         .data = g_build_filename(folder, "data", NULL),
                         .buffers = buffer_names(job),
                         .text = g_string_new(NULL),
                         .error = error};
    const gboolean ok = save(&saver);
    g_string_free(saver.text, TRUE);
    g_strfreev(saver.buffers);
    g_free(saver.data);
    return ok;
}
