#include "sim/starter/starter_text.h"

#include "sim/base/yaml_text.h"
#include "sim/launch/reader.h"
#include "sim/starter/starter_values.h"

#include <string.h>

/* ---- parts of the text ------------------------------------------------------------------------
 */

static void append_list(GString *out, const char *key, const char *const *texts, gboolean paths)
{
    if (texts == NULL || *texts == NULL)
        return;
    g_string_append_printf(out, "%s%s: [", g_str_has_suffix(out->str, "{") ? "" : ", ", key);
    for (const char *const *text = texts; *text != NULL; text++) {
        g_autofree char *path = paths ? g_canonicalize_filename(*text, NULL) : g_strdup(*text);
        g_autofree char *written = ws_yaml_scalar(path);
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
static char *count_text(const WsStarterWriter *writer, guint32 width)
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

static void append_buffers(GString *out, const WsStarterWriter *writer)
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
        g_autofree char *init = ws_starter_init_text(parameter, seed++, input);
        g_autofree char *count = count_text(writer, parameter->width);
        g_string_append_printf(out, "  %s: {type: %s, count: %s%s}", parameter->name,
                               ws_type_name(ws_starter_element_type(parameter)), count, init);
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

static void append_let(GString *out, const WsStarterWriter *writer)
{
    gsize start = out->len;
    g_string_append_printf(out, "let: {n: %u", writer->sizes.n);
    for (guint32 i = 0; i < writer->guess->count; i++)
        if (is_named(writer->guess, i))
            g_string_append_printf(out, ", %s: %s", writer->guess->parameters[i].name,
                                   ws_starter_value_text(&writer->guess->parameters[i]));
    g_string_append_printf(out, "}%*s# used below; --launch n=... gives another for one run\n",
                           (int)MAX(25 - (int)(out->len - start), 2), "");
}

static void append_bytes(GString *out, const WsStarterParameter *parameter, guint32 n)
{
    g_string_append(out, "{bytes: [");
    for (guint32 i = 0; i < parameter->size; i++) {
        guint32 word = ws_starter_word(parameter, i / sizeof word, n);
        g_string_append_printf(out, "%s%u", i == 0 ? "" : ", ",
                               word >> i % sizeof word * 8 & G_MAXUINT8);
    }
    g_string_append(out, "]}");
}

static void append_value(GString *out, const WsStarterWriter *writer, guint32 index)
{
    const WsStarterGuess *guess = writer->guess;
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
                               is_named(guess, index) ? parameter->name
                                                      : ws_starter_value_text(parameter));
        return;
    case WS_STARTER_FLOAT:
        g_string_append_printf(out, "{%s: %s}", type, ws_starter_value_text(parameter));
        return;
    case WS_STARTER_BYTES:
        append_bytes(out, parameter, writer->sizes.n);
        return;
    }
}

/* "a struct of 8 bytes; 0 to 3 are n = 64 as a number, the others zero" */
static void append_struct_comment(GString *out, const WsStarterParameter *parameter, guint32 n)
{
    gboolean zero = TRUE;
    g_string_append_printf(out, ": a struct of %u bytes", parameter->size);
    for (guint32 i = 0; i < parameter->size / sizeof(guint32); i++) {
        guint32 word = ws_starter_word(parameter, i, n);
        if (word == 0)
            continue;
        g_string_append_printf(out, "%s %u to %u are ", zero ? ";" : ",", 4 * i, 4 * i + 3);
        if (word == n)
            g_string_append_printf(out, "n = %u", n);
        else
            g_string_append(out, "1.0f");
        zero = FALSE;
    }
    g_string_append(out, zero ? ", all zero" : ", the others zero");
}

static void append_parameters(GString *out, const WsStarterWriter *writer)
{
    const WsStarterGuess *guess = writer->guess;
    if (guess->count == 0) {
        g_string_append(out, "params: []\n");
        return;
    }
    g_string_append(out, "params:                   # one for each parameter, in order\n");
    for (guint32 i = 0; i < guess->count; i++) {
        const WsStarterParameter *parameter = &guess->parameters[i];
        gsize start = out->len;
        g_string_append(out, "  - ");
        append_value(out, writer, i);
        if (parameter->type != NULL)
            g_string_append_printf(out, "%*s# %s %s", (int)MAX(26 - (int)(out->len - start), 2), "",
                                   parameter->type, parameter->name);
        if (parameter->kind == WS_STARTER_BYTES)
            append_struct_comment(out, parameter, writer->sizes.n);
        g_string_append_c(out, '\n');
    }
}

gboolean ws_starter_grid_is_square(const WsStarterWriter *writer)
{
    const WsStarterGuess *guess = writer->guess;
    return guess->axes == 1 && guess->lengths > 1 && writer->sizes.power > 1;
}

/* Blocks along an axis: one is enough where the kernel does not ask which it is. */
static const char *blocks_along(const WsStarterWriter *writer, guint axis)
{
    static const char *const blocks[] = {"ceil_div(n, block.x)", "ceil_div(n, block.y)",
                                         "ceil_div(n, block.z)"};
    const WsStarterGuess *guess = writer->guess;
    if (!guess->uses_axis[axis])
        return "1";
    return ws_starter_grid_is_square(writer) ? "ceil_div(n * n, block.x)" : blocks[axis];
}

/* In lists expressions need quotes. */
static void append_sizes(GString *out, const WsStarterWriter *writer)
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
char *ws_starter_signature(const WsStarterWriter *writer)
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

char *ws_starter_text(const WsStarterWriter *writer)
{
    GString *out = g_string_new(NULL);
    g_autofree char *signature = ws_starter_signature(writer);
    g_autofree char *program = ws_yaml_scalar(writer->program_text);
    gboolean unique =
        ws_program_find_kernel(writer->program, writer->kernel->display_name) == writer->kernel;
    g_autofree char *name =
        ws_yaml_scalar(unique ? writer->kernel->display_name : writer->kernel->name);
    g_string_append_printf(out,
                           "# %s\n# Sizes and values are guesses: change them. "
                           "'warpstep help formats' has all keys.\n",
                           signature);
    if (writer->reason != NULL)
        g_string_append_printf(out, "# Unchanged it stops early: %s\n", writer->reason);
    for (guint i = 0; writer->notes != NULL && i < writer->notes->len; i++)
        g_string_append_printf(out, "# %s\n", (const char *)writer->notes->pdata[i]);
    g_string_append_printf(out, "version: 1                # of the format\nprogram: %s\n",
                           program);
    if (writer->options->device != NULL) {
        g_autofree char *device = ws_yaml_scalar(writer->options->device);
        g_string_append_printf(out, "device: %s\n", device);
    }
    append_compile(out, writer->options->compile);
    if (writer->sms != 0)
        g_string_append_printf(out, "set: {sms: %u}%*s# as many as the grid has blocks\n",
                               writer->sms,
                               writer->sms < 10    ? 13
                               : writer->sms < 100 ? 12
                                                   : 11,
                               "");
    append_let(out, writer);
    append_buffers(out, writer);
    g_string_append_printf(out, "kernel: %s\n", name);
    append_sizes(out, writer);
    append_parameters(out, writer);
    for (guint32 i = writer->guess->count; i-- > 0;)
        if (writer->guess->parameters[i].kind == WS_STARTER_POINTER) {
            g_string_append_printf(out,
                                   "# expect:                 # expected results, for example:\n"
                                   "#   - {buffer: %s, fill: 0, abs: 1.0e-6}\n",
                                   writer->guess->parameters[i].name);
            break;
        }
    return g_string_free(out, FALSE);
}
