#include "sim/starter/starter.h"

#include "isa/base/kernel_names.h"
#include "isa/base/temporary_folder.h"
#include "sim/base/element.h"
#include "sim/interpreter/interpreter.h"
#include "sim/launch/kernel_list.h"
#include "sim/launch/reader.h"
#include "sim/launch/target.h"
#include "sim/starter/starter_guess.h"

#include <string.h>

/* A try stops after so many warp instructions: about a second. */
enum { MAX_TRY_INSTRUCTIONS = 50000000, MAX_TRIES = 4, LARGEST_INTEGER = 255 };

/* One guess of the sizes. */
typedef struct {
    guint32 n;   /* 0: no further guess */
    guint power; /* buffers have `times` this power of n elements */
    guint times;
    guint32 shared; /* a thread has so much more shared memory than guessed */
} Try;

typedef struct {
    const WsProgram *program;
    const WsKernel *kernel;
    const WsStarterGuess *guess;
    const WsStarterOptions *options;
    WsLoadBounds bounds;
    Try sizes;
    const char *program_text; /* as it is named in the file */
    const char *reason;       /* why it stops early, or NULL */
} Writer;

/* ---- kernels ----------------------------------------------------------------------------------
 */

static const WsKernel *choose_kernel(const WsProgram *program, const char *path, const char *name,
                                     GError **error)
{
    WsPosition position = {.file = path};
    if (name == NULL && program->kernel_count == 1)
        return &program->kernels[0];
    const WsKernel *kernel = name == NULL ? NULL : ws_program_find_kernel(program, name);
    if (kernel != NULL)
        return kernel;
    const WsRefusedKernel *refused = name == NULL ? NULL : ws_program_find_refused(program, name);
    if (refused != NULL) {
        g_set_error_literal(error, WS_ERROR, WS_ERROR_INPUT, refused->message);
        return NULL;
    }
    g_autofree char *list = ws_kernel_list_text(program);
    g_strchomp(list);
    if (name == NULL) {
        ws_set_error_at(error, WS_ERROR_USAGE, &position,
                        "there are several kernels: name the one to launch\n%s", list);
        return NULL;
    }
    g_autofree char *shown = ws_printable(name);
    ws_set_error_at(error, WS_ERROR_USAGE, &position,
                    "there is no kernel '%s', or several of this name; it has\n%s", shown, list);
    return NULL;
}

/* ---- parts of the text ------------------------------------------------------------------------
 */

/* As YAML reads it back, in quotes where it needs them. */
static char *yaml_text(const char *text)
{
    gboolean plain = g_ascii_isalpha(*text) || *text == '/' || *text == '_';
    for (const char *at = text; *at != '\0'; at++)
        plain = plain && (g_ascii_isalnum(*at) || strchr("_-./", *at) != NULL);
    if (plain)
        return g_strdup(text);
    GString *out = g_string_new("\"");
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            g_string_append_c(out, '\\');
        g_string_append_c(out, *text);
    }
    g_string_append_c(out, '"');
    return g_string_free(out, FALSE);
}

static void append_list(GString *out, const char *key, const char *const *texts, gboolean paths)
{
    if (texts == NULL || *texts == NULL)
        return;
    g_string_append_printf(out, "%s%s: [", g_str_has_suffix(out->str, "{") ? "" : ", ", key);
    for (const char *const *text = texts; *text != NULL; text++) {
        g_autofree char *path = paths ? g_canonicalize_filename(*text, NULL) : g_strdup(*text);
        g_autofree char *written = yaml_text(path);
        g_string_append_printf(out, "%s%s", text == texts ? "" : ", ", written);
    }
    g_string_append_c(out, ']');
}

static void append_compile(GString *out, const WsCompileOptions *compile)
{
    if (compile == NULL ||
        (compile->defines == NULL && compile->includes == NULL && compile->max_registers == 0))
        return;
    g_autoptr(GString) list = g_string_new("{");
    append_list(list, "define", compile->defines, FALSE);
    append_list(list, "include", compile->includes, TRUE);
    if (compile->max_registers != 0)
        g_string_append_printf(list, "%smaxreg: %u", list->len == 1 ? "" : ", ",
                               compile->max_registers);
    g_string_append_printf(out, "compile: %s}\n", list->str);
}

/* The name of the size of everything. A buffer may be called `n` as well: they do not meet. */
static char *count_text(const Writer *writer, guint32 width)
{
    GString *out = g_string_new("n");
    for (guint i = 1; i < writer->sizes.power; i++)
        g_string_append(out, " * n");
    if (width * writer->sizes.times > 1)
        g_string_append_printf(out, " * %u", width * writer->sizes.times);
    return g_string_free(out, FALSE);
}

static gboolean any_constant(const WsStarterGuess *guess)
{
    for (guint32 i = 0; i < guess->count; i++)
        if (guess->parameters[i].kind == WS_STARTER_POINTER && guess->parameters[i].constant)
            return TRUE;
    return FALSE;
}

/* Inputs get random numbers; whole ones stay small, for they may be places in other buffers. */
static char *init_text(const WsStarterParameter *parameter, guint seed, gboolean input)
{
    if (!input || !parameter->typed)
        return g_strdup("");
    if (ws_element_is_float(parameter->value_type))
        return g_strdup_printf(", init: {random: {seed: %u}}", seed);
    int most = parameter->value_type == WS_TYPE_S8 ? G_MAXINT8 : LARGEST_INTEGER;
    return g_strdup_printf(", init: {random: {seed: %u, min: 0, max: %d}}", seed, most);
}

static void append_buffers(GString *out, const Writer *writer)
{
    const WsStarterGuess *guess = writer->guess;
    gboolean constants = any_constant(guess), first = TRUE;
    guint seed = 1;
    for (guint32 i = 0; i < guess->count; i++) {
        const WsStarterParameter *parameter = &guess->parameters[i];
        if (parameter->kind != WS_STARTER_POINTER)
            continue;
        if (first)
            g_string_append(out, "buffers:                  # memory of the device; without init "
                                 "they are zero\n");
        first = FALSE;
        gboolean input = parameter->constant || !constants;
        g_autofree char *init = init_text(parameter, seed++, input);
        g_autofree char *count = count_text(writer, parameter->width);
        g_string_append_printf(out, "  %s: {type: %s, count: %s%s}", parameter->name,
                               ws_type_name(parameter->value_type), count, init);
        if (!parameter->typed)
            g_string_append(out, parameter->type == NULL
                                     ? "  # nothing says what type it has: a guess"
                                     : "  # in words: the type is no plain number");
        g_string_append_c(out, '\n');
    }
}

/* An integer that has a name of its own, so that it can be varied by it: `stride`. */
static gboolean is_named(const WsStarterGuess *guess, guint32 index)
{
    const WsStarterParameter *parameter = &guess->parameters[index];
    if (parameter->kind != WS_STARTER_INTEGER || parameter->type == NULL ||
        !ws_launch_may_be_let(parameter->name) || strcmp(parameter->name, "n") == 0)
        return FALSE;
    for (guint32 i = 0; i < guess->count; i++)
        if (i != index && strcmp(guess->parameters[i].name, parameter->name) == 0)
            return FALSE;
    return TRUE;
}

static void append_let(GString *out, const Writer *writer)
{
    gsize start = out->len;
    g_string_append_printf(out, "let: {n: %u", writer->sizes.n);
    for (guint32 i = 0; i < writer->guess->count; i++)
        if (is_named(writer->guess, i))
            g_string_append_printf(out, ", %s: 1", writer->guess->parameters[i].name);
    g_string_append_printf(out, "}%*s# used below; --launch n=... gives another for one run\n",
                           (int)MAX(25 - (int)(out->len - start), 2), "");
}

static void append_value(GString *out, const WsStarterGuess *guess, guint32 index)
{
    const WsStarterParameter *parameter = &guess->parameters[index];
    const char *type = ws_type_name(parameter->value_type);
    switch (parameter->kind) {
    case WS_STARTER_POINTER:
        g_string_append_printf(out, "{ref: %s}", parameter->name);
        return;
    case WS_STARTER_LENGTH:
        g_string_append_printf(out, "{%s: n}", type);
        return;
    case WS_STARTER_INTEGER:
        g_string_append_printf(out, "{%s: %s}", type,
                               is_named(guess, index) ? parameter->name : "1");
        return;
    case WS_STARTER_FLOAT:
        g_string_append_printf(out, "{%s: 1.0}", type);
        return;
    case WS_STARTER_BYTES:
        g_string_append(out, "{bytes: [");
        for (guint32 i = 0; i < parameter->size; i++)
            g_string_append(out, i == 0 ? "0" : ", 0");
        g_string_append(out, "]}");
        return;
    }
}

static void append_parameters(GString *out, const WsStarterGuess *guess)
{
    if (guess->count == 0) {
        g_string_append(out, "params: []\n");
        return;
    }
    g_string_append(out, "params:                   # one for each parameter, in order\n");
    for (guint32 i = 0; i < guess->count; i++) {
        const WsStarterParameter *parameter = &guess->parameters[i];
        gsize start = out->len;
        g_string_append(out, "  - ");
        append_value(out, guess, i);
        if (parameter->type != NULL)
            g_string_append_printf(out, "%*s# %s %s", (int)MAX(26 - (int)(out->len - start), 2), "",
                                   parameter->type, parameter->name);
        if (parameter->kind == WS_STARTER_BYTES)
            g_string_append_printf(out, ": a struct of %u bytes, all zero", parameter->size);
        g_string_append_c(out, '\n');
    }
}

/* Blocks along an axis: one is enough where the kernel does not ask which it is. */
static const char *blocks_along(const Writer *writer, guint axis)
{
    static const char *const blocks[] = {"ceil_div(n, block.x)", "ceil_div(n, block.y)",
                                         "ceil_div(n, block.z)"};
    const WsStarterGuess *guess = writer->guess;
    if (!guess->uses_axis[axis])
        return "1";
    gboolean all = guess->axes == 1 && guess->lengths > 1 && writer->sizes.power > 1;
    return all ? "ceil_div(n * n, block.x)" : blocks[axis];
}

/* In lists expressions need quotes. */
static void append_sizes(GString *out, const Writer *writer)
{
    const WsStarterGuess *guess = writer->guess;
    const guint32 *block = guess->block;
    if (guess->axes == 1) {
        g_string_append_printf(out, "grid: %s  # blocks\n", blocks_along(writer, 0));
    } else {
        g_string_append(out, "grid:                     # blocks along x, y and z\n");
        for (guint axis = 0; axis < guess->axes; axis++)
            g_string_append_printf(out, "  - %s\n", blocks_along(writer, axis));
    }
    if (block[1] * block[2] == 1)
        g_string_append_printf(out, "block: %-19u# threads of a block\n", block[0]);
    else
        g_string_append_printf(out, "block: [%u, %u, %u]        # threads of a block\n", block[0],
                               block[1], block[2]);
    if (guess->shared_bytes != 0)
        g_string_append_printf(out, "dynamic_shared_bytes: %u * threads  # of a block\n",
                               guess->shared_bytes * writer->sizes.shared);
}

/* "saxpy(int n, float a, float const* x)", as far as the types are known. */
static char *describe_kernel(const Writer *writer)
{
    const WsStarterGuess *guess = writer->guess;
    GString *out = g_string_new(writer->kernel->display_name);
    g_string_append_c(out, '(');
    for (guint32 i = 0; i < guess->count; i++) {
        const WsStarterParameter *parameter = &guess->parameters[i];
        g_string_append_printf(out, "%s%s %s", i == 0 ? "" : ", ",
                               parameter->type != NULL
                                   ? parameter->type
                                   : ws_type_name(writer->kernel->parameters[i].type),
                               parameter->name);
    }
    g_string_append_c(out, ')');
    return g_string_free(out, FALSE);
}

static char *write_text(const Writer *writer)
{
    GString *out = g_string_new(NULL);
    g_autofree char *signature = describe_kernel(writer);
    g_autofree char *program = yaml_text(writer->program_text);
    gboolean unique =
        ws_program_find_kernel(writer->program, writer->kernel->display_name) == writer->kernel;
    g_autofree char *name = yaml_text(unique ? writer->kernel->display_name : writer->kernel->name);
    g_string_append_printf(out,
                           "# %s\n# Sizes and values are guesses: change them. "
                           "docs/formats.md has all keys.\n",
                           signature);
    if (writer->reason != NULL)
        g_string_append_printf(out, "# As it stands it stops early: %s\n", writer->reason);
    g_string_append_printf(out, "version: 1                # of the format\nprogram: %s\n",
                           program);
    if (writer->options->device != NULL) {
        g_autofree char *device = yaml_text(writer->options->device);
        g_string_append_printf(out, "device: %s\n", device);
    }
    append_compile(out, writer->options->compile);
    append_let(out, writer);
    append_buffers(out, writer);
    g_string_append_printf(out, "kernel: %s\n", name);
    append_sizes(out, writer);
    append_parameters(out, writer->guess);
    for (guint32 i = writer->guess->count; i-- > 0;)
        if (writer->guess->parameters[i].kind == WS_STARTER_POINTER) {
            g_string_append_printf(out,
                                   "# expect:                 # what must come out, for example:\n"
                                   "#   - {buffer: %s, fill: 0, abs: 1.0e-6}\n",
                                   writer->guess->parameters[i].name);
            break;
        }
    return g_string_free(out, FALSE);
}

/* ---- trying -----------------------------------------------------------------------------------
 */

static WsProgram *loaded_program(void *data, const WsDevice *device, const WsCompileOptions *wanted,
                                 GError **error)
{
    return ws_program_ref(data);
}

/* Runs what `writer` writes, without timing. */
static gboolean try_it(Writer writer, const char *folder, GError **error)
{
    g_autofree char *path = g_build_filename(folder, "launch.yaml", NULL);
    g_autofree char *program = g_canonicalize_filename(writer.program->path, NULL);
    writer.program_text = program;
    g_autofree char *text = write_text(&writer);
    if (!g_file_set_contents(path, text, -1, error))
        return FALSE;
    /* The file lies elsewhere than the program, which is loaded already. */
    const WsGivenProgram given = {loaded_program, (gpointer)writer.program};
    const WsJobOptions options = {.device = writer.options->device,
                                  .settings = writer.options->settings,
                                  .bounds = writer.bounds,
                                  .program = &given};
    g_autoptr(WsJob) job = ws_job_load(path, &options, error);
    const WsInterpretOptions limits = {.max_warp_instructions = MAX_TRY_INSTRUCTIONS};
    WsInterpretCounts counts;
    return job != NULL && ws_interpret(job, 0, &limits, &counts, error);
}

/* Why a try stopped, without the place in a file that nobody has. */
static char *reason_of(const GError *failure, const char *folder)
{
    g_auto(GStrv) parts = g_strsplit(failure->message, folder, -1);
    g_autofree char *text = g_strjoinv("", parts);
    g_strdelimit(text, "\n", ' ');
    const char *colon = strstr(text, "error: ");
    return g_strdup(colon != NULL ? colon + strlen("error: ") : text);
}

static gboolean choose_sizes(Writer *writer, char **ret_stop, GError **error)
{
    static const Try tries[][MAX_TRIES] = {
        {{8192, 1, 1, 1}, {8192, 1, 2, 4}, {256, 2, 1, 4}, {64, 3, 1, 8}}, /* a line, one length */
        {{64, 2, 1, 1}, {64, 2, 2, 4}, {32, 3, 1, 8}}, /* a plane, two lengths */
        {{16, 3, 1, 1}, {16, 3, 2, 4}, {16, 4, 1, 8}}, /* a box */
    };
    const WsStarterGuess *guess = writer->guess;
    const Try *row = tries[guess->axes == 1 && guess->lengths > 1 ? 1 : guess->axes - 1];
    g_autoptr(WsTemporaryFolder) made = ws_temporary_folder_new(error);
    if (made == NULL)
        return FALSE;
    const char *folder = ws_temporary_folder_path(made);
    *ret_stop = NULL;
    for (guint i = 0; i < MAX_TRIES && row[i].n != 0; i++) {
        g_autoptr(GError) failure = NULL;
        writer->sizes = row[i];
        if (try_it(*writer, folder, &failure)) {
            g_clear_pointer(ret_stop, g_free);
            return TRUE;
        }
        if (*ret_stop == NULL)
            *ret_stop = reason_of(failure, folder);
    }
    writer->sizes = row[0];
    return TRUE;
}

/* ---- the whole --------------------------------------------------------------------------------
 */

/* `path` as it is named in a file of `folder`. */
static char *path_from(const char *path, const char *folder)
{
    g_autofree char *here = g_path_get_dirname(path);
    g_autofree char *from = g_canonicalize_filename(here, NULL);
    g_autofree char *to = g_canonicalize_filename(folder, NULL);
    return strcmp(from, to) == 0 ? g_path_get_basename(path) : g_canonicalize_filename(path, NULL);
}

/* `target`: what the program is, and its scope. */
static WsStarter *write_for(const WsProgram *program, const WsTarget *target,
                            const WsDevice *device, const WsStarterOptions *options, GError **error)
{
    g_auto(WsStarterGuess) guess = {0};
    WsCompileOptions compile;
    ws_compile_options_init(&compile);
    compile.scope = target->scope;
    if (options->compile != NULL) {
        compile.defines = options->compile->defines;
        compile.includes = options->compile->includes;
        compile.bounds = options->compile->bounds;
    }
    for (guint i = 0; compile.includes != NULL && compile.includes[i] != NULL; i++)
        ws_read_scope_add(target->scope, compile.includes[i]);
    const WsKernel *kernel = choose_kernel(program, program->path, options->kernel, error);
    if (kernel == NULL ||
        !ws_starter_guess(program, kernel, &compile, device->registers_per_block, &guess, error))
        return NULL;
    g_autofree char *folder = g_path_get_dirname(options->output);
    g_autofree char *named = path_from(program->path, folder);
    g_autofree char *stop = NULL;
    Writer writer = {.program = program,
                     .kernel = kernel,
                     .guess = &guess,
                     .options = options,
                     .bounds = compile.bounds,
                     .program_text = named};
    if (!choose_sizes(&writer, &stop, error))
        return NULL;
    writer.reason = stop;
    WsStarter *starter = g_new0(WsStarter, 1);
    starter->text = write_text(&writer);
    starter->kernel = describe_kernel(&writer);
    starter->threads = guess.block[0] * guess.block[1] * guess.block[2];
    starter->stop = g_steal_pointer(&stop);
    return starter;
}

WsStarter *ws_starter_write(const char *program_path, const WsStarterOptions *options,
                            GError **error)
{
    WsPosition position = {.file = program_path};
    WsConfinement confinement =
        options->compile != NULL ? options->compile->bounds.confinement : WS_CONFINE_NOT;
    g_autoptr(WsTarget) target = ws_target_resolve(program_path, confinement, error);
    if (target == NULL)
        return NULL;
    if (!target->is_program || target->built_in) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "is not a program (.cu, .ptx, .wsasm or .wsbin): it can be run as it is");
        return NULL;
    }
    g_autoptr(WsDevice) device = ws_device_load(options->device != NULL ? options->device : "h200",
                                                options->settings, error);
    g_autoptr(WsProgram) program =
        device == NULL
            ? NULL
            : ws_target_load_program(program_path, device, options->compile, NULL, error);
    return program == NULL ? NULL : write_for(program, target, device, options, error);
}

void ws_starter_free(WsStarter *starter)
{
    if (starter == NULL)
        return;
    g_free(starter->text);
    g_free(starter->kernel);
    g_free(starter->stop);
    g_free(starter);
}
