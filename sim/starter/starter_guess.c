#include "sim/starter/starter_guess.h"

#include "isa/base/error.h"
#include "sim/base/element.h"
#include "sim/launch/reader.h"
#include "sim/launch/source_parameters.h"

#include <string.h>

enum {
    STRUCT_WORDS = 16, /* for each element of a type that is not known */
    MAX_THREADS = 1024,
    LEAST_THREADS = 32
};

/* ---- types ------------------------------------------------------------------------------------
 */

static const struct {
    const char *name;
    WsType type;
} scalar_types[] = {
    {"float", WS_TYPE_F32},
    {"double", WS_TYPE_F64},
    {"__half", WS_TYPE_F16},
    {"half", WS_TYPE_F16},
    {"_Float16", WS_TYPE_F16},
    {"__nv_bfloat16", WS_TYPE_BF16},
    {"int", WS_TYPE_S32},
    {"unsigned int", WS_TYPE_U32},
    {"unsigned", WS_TYPE_U32},
    {"uint", WS_TYPE_U32},
    {"char", WS_TYPE_S8},
    {"signed char", WS_TYPE_S8},
    {"unsigned char", WS_TYPE_U8},
    {"uchar", WS_TYPE_U8},
    {"bool", WS_TYPE_U8},
    {"void", WS_TYPE_U8},
    {"short", WS_TYPE_S16},
    {"unsigned short", WS_TYPE_U16},
    {"ushort", WS_TYPE_U16},
    {"long", WS_TYPE_S64},
    {"unsigned long", WS_TYPE_U64},
    {"ulong", WS_TYPE_U64},
    {"long long", WS_TYPE_S64},
    {"longlong", WS_TYPE_S64},
    {"unsigned long long", WS_TYPE_U64},
    {"ulonglong", WS_TYPE_U64},
    {"int8_t", WS_TYPE_S8},
    {"uint8_t", WS_TYPE_U8},
    {"int16_t", WS_TYPE_S16},
    {"uint16_t", WS_TYPE_U16},
    {"int32_t", WS_TYPE_S32},
    {"uint32_t", WS_TYPE_U32},
    {"int64_t", WS_TYPE_S64},
    {"uint64_t", WS_TYPE_U64},
    {"size_t", WS_TYPE_U64},
};

/* "unsigned int" of "const volatile unsigned int", words in the order they stand. */
static char *without_qualifiers(const char *type)
{
    static const char *const qualifiers[] = {"const",        "volatile", "restrict", "__restrict",
                                             "__restrict__", "struct",   "",         NULL};
    g_auto(GStrv) words = g_strsplit(type, " ", -1);
    g_autoptr(GString) out = g_string_new(NULL);
    for (char **word = words; *word != NULL; word++)
        if (!g_strv_contains(qualifiers, *word))
            g_string_append_printf(out, "%s%s", out->len > 0 ? " " : "", *word);
    return g_string_free(g_steal_pointer(&out), FALSE);
}

/* FALSE if `name` is no type of numbers. "float4" has width 4. */
static gboolean find_scalar(const char *name, WsType *ret, guint32 *ret_width)
{
    g_autofree char *base = g_strdup(name);
    gsize length = strlen(base);
    *ret_width = 1;
    for (guint round = 0; round < 2; round++) {
        for (gsize i = 0; i < G_N_ELEMENTS(scalar_types); i++)
            if (strcmp(scalar_types[i].name, base) == 0) {
                *ret = scalar_types[i].type;
                return TRUE;
            }
        if (length < 4 || base[length - 1] < '2' || base[length - 1] > '4')
            return FALSE;
        *ret_width = (guint32)(base[length - 1] - '0');
        base[length - 1] = '\0';
    }
    return FALSE;
}

/* The number type that fits a parameter whose type is not written anywhere. */
static WsType number_type(const WsParameter *parameter)
{
    static const WsType untyped[][2] = {{WS_TYPE_B8, WS_TYPE_U8},
                                        {WS_TYPE_B16, WS_TYPE_U16},
                                        {WS_TYPE_B32, WS_TYPE_U32},
                                        {WS_TYPE_B64, WS_TYPE_U64}};
    for (gsize i = 0; i < G_N_ELEMENTS(untyped); i++)
        if (untyped[i][0] == parameter->type)
            return untyped[i][1];
    return parameter->type;
}

/* ---- parameters -------------------------------------------------------------------------------
 */

/* `n`, `width`, `num_rows`: the size of something. Without a name any integer may be one. */
static gboolean is_length_name(const char *name)
{
    static const char *const words[] = {
        "n",       "m",      "k",         "nx",      "ny",    "nz",       "w",      "h",
        "d",       "len",    "size",      "count",   "dim",   "width",    "height", "depth",
        "rows",    "cols",   "row",       "col",     "total", "elements", "length", "num",
        "columns", "bins",   "limit",     "samples", "nodes", "vertices", "edges",  "points",
        "items",   "pixels", "particles", "bodies",  NULL};
    if (name == NULL)
        return TRUE;
    g_autofree char *lower = g_ascii_strdown(name, -1);
    g_auto(GStrv) parts = g_strsplit(lower, "_", -1);
    for (char **part = parts; *part != NULL; part++)
        if (g_strv_contains(words, *part))
            return TRUE;
    static const char *const ends[] = {"size",   "count", "length", "len", "width",
                                       "height", "rows",  "cols",   "dim", "elements"};
    for (gsize i = 0; i < G_N_ELEMENTS(ends); i++)
        if (g_str_has_suffix(lower, ends[i]))
            return TRUE;
    /* numRows, nElements */
    return g_str_has_prefix(lower, "num") || (name[0] == 'n' && g_ascii_isupper(name[1]));
}

/* clang and nvcc turn the address in a parameter into one of global memory before it is used. */
static gboolean ptx_has_pointer(const WsProgram *program, const WsParameter *parameter)
{
    g_autofree char *bracketed = g_strdup_printf("[%s]", parameter->name);
    const char *at = strstr(program->ptx, bracketed);
    if (at == NULL)
        return FALSE;
    const char *comma = at;
    while (comma > program->ptx && *comma != '%' && *comma != '\n')
        comma--;
    gsize length = strcspn(comma, ", \t");
    if (*comma != '%' || length < 2)
        return FALSE;
    g_autofree char *name = g_strndup(comma, length);
    g_autofree char *use = g_strdup_printf(", %s;", name);
    for (const char *line = strstr(at, use); line != NULL; line = strstr(line + 1, use)) {
        const char *start = line;
        while (start > at && *start != '\n')
            start--;
        if (g_strstr_len(start, line - start, "cvta.to.global") != NULL)
            return TRUE;
    }
    return FALSE;
}

static gboolean is_pointer(const WsProgram *program, const WsParameter *parameter, const char *type)
{
    if (parameter->size != 8 || parameter->type == WS_TYPE_F64 || parameter->type == WS_TYPE_BYTES)
        return FALSE;
    if (type != NULL)
        return strchr(type, '*') != NULL || strchr(type, '&') != NULL;
    return program->ptx == NULL || ptx_has_pointer(program, parameter);
}

static void guess_pointer(WsStarterParameter *guess, const char *type)
{
    guess->kind = WS_STARTER_POINTER;
    guess->value_type = WS_TYPE_F32;
    guess->width = 1;
    if (type == NULL)
        return;
    const char *star = g_strrstr(type, "*");
    if (star == NULL)
        star = type + strcspn(type, "&");
    g_autofree char *target = g_strndup(type, (gsize)(star - type));
    g_autofree char *element = without_qualifiers(target);
    guess->constant = strstr(target, "const") != NULL;
    guess->typed = find_scalar(element, &guess->value_type, &guess->width);
    if (guess->typed)
        return;
    gboolean address = strchr(element, '*') != NULL;
    guess->value_type = address ? WS_TYPE_U64 : WS_TYPE_U32;
    guess->width = address ? 1 : STRUCT_WORDS;
}

static void guess_value(WsStarterParameter *guess, const WsParameter *parameter, const char *type,
                        const char *name)
{
    g_autofree char *plain = type == NULL ? NULL : without_qualifiers(type);
    WsType written;
    guint32 width;
    guess->value_type = number_type(parameter);
    if (plain != NULL && find_scalar(plain, &written, &width) && width == 1 &&
        ws_type_size(written) == parameter->size)
        guess->value_type = written;
    guess->typed = TRUE;
    if (guess->value_type == WS_TYPE_BYTES)
        guess->kind = WS_STARTER_BYTES;
    else if (ws_element_is_float(guess->value_type))
        guess->kind = WS_STARTER_FLOAT;
    else
        guess->kind =
            parameter->size >= 4 && is_length_name(name) ? WS_STARTER_LENGTH : WS_STARTER_INTEGER;
}

static gboolean is_handle(const char *type, const char *of)
{
    return type != NULL && strstr(type, of) != NULL && g_str_has_suffix(type, "Object_t");
}

static gboolean guess_parameters(const WsProgram *program, const WsKernel *kernel,
                                 const WsSourceParameter *source, WsStarterGuess *guess,
                                 GError **error)
{
    WsPosition position = {.file = program->path};
    for (guint32 i = 0; i < kernel->parameter_count; i++) {
        const WsParameter *parameter = &kernel->parameters[i];
        WsStarterParameter *to = &guess->parameters[guess->count++];
        const char *name = source[i].name, *type = source[i].type;
        gboolean named = name != NULL && ws_launch_is_name(name, 60);
        to->name = named ? g_strdup(name) : g_strdup_printf("p%u", i);
        to->type = g_strdup(type);
        to->size = parameter->size;
        if (parameter->type == WS_TYPE_TEXREF || is_handle(type, "Texture") ||
            is_handle(type, "Surface")) {
            ws_set_error_at(error, WS_ERROR_INPUT, &position,
                            "the parameter '%s' of the kernel '%s' is a %s: no launch can be "
                            "guessed; write `textures:` by hand (warpstep help formats)",
                            to->name, kernel->display_name,
                            is_handle(type, "Surface") ? "surface" : "texture");
            return FALSE;
        }
        if (is_pointer(program, parameter, type))
            guess_pointer(to, type);
        else
            guess_value(to, parameter, type, name);
        if (to->kind == WS_STARTER_BYTES)
            to->words = g_malloc0(to->size / sizeof(guint32) + 1);
        guess->lengths += to->kind == WS_STARTER_LENGTH;
    }
    return TRUE;
}

/* ---- code -------------------------------------------------------------------------------------
 */

static gboolean uses_textures(const WsProgram *program, const WsKernel *kernel)
{
    for (guint32 i = 0; i < kernel->count; i++)
        if (ws_opcode_info(program->instructions[kernel->first + i].opcode)->kind ==
            WS_KIND_TEXTURE)
            return TRUE;
    return FALSE;
}

/* Which axes of the grid and of a block the code looks at. */
static void find_axes(const WsProgram *program, const WsKernel *kernel, gboolean grid[3],
                      gboolean block[3])
{
    for (guint32 i = 0; i < kernel->count; i++) {
        const WsInstruction *instruction = &program->instructions[kernel->first + i];
        for (guint o = 0; o < instruction->operand_count; o++) {
            const WsOperand *operand = &instruction->operand[o];
            if (operand->kind != WS_OPERAND_SPECIAL)
                continue;
            for (guint axis = 0; axis < 3; axis++) {
                grid[axis] = grid[axis] || operand->value == WS_SR_CTAID_X + axis;
                block[axis] = block[axis] || operand->value == WS_SR_TID_X + axis;
            }
        }
    }
}

/*
 * Elements of the kernel's first array in shared memory, which is often as large as the block; 0 if
 * there is none. PTX names it after the kernel: `.shared .align 4 .b8 _ZZ5tiledPfE2as[1024];`
 */
static guint64 shared_elements(const WsProgram *program, const WsKernel *kernel,
                               guint32 element_bytes)
{
    const char *name = kernel->name + (g_str_has_prefix(kernel->name, "_Z") ? 2 : 0);
    g_auto(GStrv) lines = g_strsplit(program->ptx != NULL ? program->ptx : "", "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        const char *bracket = strchr(*line, '[');
        guint64 bytes;
        if (strstr(*line, ".shared ") == NULL || strstr(*line, ".extern") != NULL ||
            strstr(*line, name) == NULL || bracket == NULL)
            continue;
        bytes = g_ascii_strtoull(bracket + 1, NULL, 10);
        return strstr(*line, ".b8 ") != NULL ? bytes / element_bytes : bytes;
    }
    return 0;
}

static guint32 largest_element_bytes(const WsStarterGuess *guess)
{
    guint32 largest = 4;
    for (guint32 i = 0; i < guess->count; i++)
        if (guess->parameters[i].kind == WS_STARTER_POINTER && guess->parameters[i].typed)
            largest = MAX(largest, ws_type_size(guess->parameters[i].value_type) *
                                       guess->parameters[i].width);
    return largest;
}

/* A side of a square tile that fits the elements of shared memory. */
static guint32 tile_side(guint64 elements)
{
    static const guint32 sides[] = {32, 16, 8};
    for (gsize i = 0; i < G_N_ELEMENTS(sides); i++)
        if (elements >= sides[i] * sides[i] && elements <= (sides[i] + 8) * (sides[i] + 8))
            return sides[i];
    return 16;
}

static void guess_block(const WsProgram *program, const WsKernel *kernel,
                        const gboolean block_axes[3], guint64 registers_per_block,
                        WsStarterGuess *guess)
{
    guint64 elements = shared_elements(program, kernel, largest_element_bytes(guess));
    guint32 *block = guess->block;
    block[0] = block[1] = block[2] = 1;
    if (kernel->required_block[0] != 0) {
        for (guint axis = 0; axis < 3; axis++)
            block[axis] = MAX(kernel->required_block[axis], 1);
        return;
    }
    guint32 most = kernel->max_threads != 0 ? MIN(kernel->max_threads, MAX_THREADS) : MAX_THREADS;
    while ((guint64)most * MAX(kernel->registers, 1) > registers_per_block && most > LEAST_THREADS)
        most /= 2;
    if (block_axes[2]) {
        block[0] = block[1] = 8;
        block[2] = 4;
    } else if (block_axes[1]) {
        block[0] = block[1] = tile_side(elements);
    } else {
        block[0] = elements >= LEAST_THREADS && elements <= MAX_THREADS
                       ? (guint32)elements / LEAST_THREADS * LEAST_THREADS
                       : 256;
    }
    for (guint axis = 2; block[0] * block[1] * block[2] > most && axis > 0; axis--)
        block[axis] = MAX(block[axis] / 2, 1);
    while (block[0] * block[1] * block[2] > most)
        block[0] = block[0] > 2 * most ? most : MAX(block[0] / 2, 1);
}

gboolean ws_starter_guess(const WsProgram *program, const WsKernel *kernel,
                          const WsCompileOptions *options, guint64 registers_per_block,
                          WsStarterGuess *ret, GError **error)
{
    *ret =
        (WsStarterGuess){.parameters = g_new0(WsStarterParameter, MAX(kernel->parameter_count, 1))};
    WsSourceParameter *source = ws_source_parameters_read(program, kernel, options);
    gboolean ok = guess_parameters(program, kernel, source, ret, error);
    ws_source_parameters_free(source, kernel->parameter_count);
    if (!ok)
        return FALSE;
    if (uses_textures(program, kernel)) {
        WsPosition position = {.file = program->path};
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "the kernel '%s' reads textures: no launch can be guessed; write "
                        "`textures:` by hand (warpstep help formats)",
                        kernel->display_name);
        return FALSE;
    }
    gboolean block_axes[3] = {FALSE};
    find_axes(program, kernel, ret->uses_axis, block_axes);
    ret->axes = 1;
    for (guint axis = 0; axis < 3; axis++)
        if (ret->uses_axis[axis] || block_axes[axis])
            ret->axes = axis + 1;
    guess_block(program, kernel, block_axes, registers_per_block, ret);
    if (kernel->uses_dynamic_shared)
        ret->shared_bytes = largest_element_bytes(ret);
    return TRUE;
}

void ws_starter_guess_clear(WsStarterGuess *guess)
{
    for (guint32 i = 0; guess->parameters != NULL && i < guess->count; i++) {
        g_free(guess->parameters[i].name);
        g_free(guess->parameters[i].type);
        g_free(guess->parameters[i].words);
    }
    g_clear_pointer(&guess->parameters, g_free);
}
