#include "isa/container/binary.h"

#include <string.h>

#include "isa/base/error.h"
#include "isa/base/escape.h"
#include "isa/bytecode/encoding.h"
#include "isa/container/construct_fields.h"
#include "isa/container/fields.h"
#include "isa/container/variable_fields.h"
#include "isa/container/verifier.h"

enum {
    VERSION = 5,
    SHARED_VERSION = 2,    /* the first with shared variables */
    CONSTRUCT_VERSION = 4, /* the first with constructs */
    COMPILER_VERSION = 5,  /* the first that names the compiler */
    FIRST_VERSION = 1,
    MAGIC_BYTES = 8,
    DIGEST_BYTES = 32,
    MAX_INSTRUCTIONS = 1 << 22,
    FLAG_DYNAMIC_SHARED = 1,
    FLAG_NAMES_LANES = 2,
    FLAG_STACK = 4,   /* the bytes of the stack follow */
    FLAG_MACHINE = 8, /* machine code: its GPU and the system's shared memory follow */
    FLAG_OPEN_PARAMETERS = 16
};

static const guint8 magic[MAGIC_BYTES] = {0x89, 'W', 'S', 'B', 'I', 'N', '\r', '\n'};

/* ---- writing ----------------------------------------------------------------------------------
 */

static gboolean write_instructions(GByteArray *out, const WsProgram *program, GError **error)
{
    ws_write_u32(out, program->instruction_count);
    for (guint32 i = 0; i < program->instruction_count; i++) {
        guint8 word[WS_INSTRUCTION_BYTES];
        if (!ws_encode(&program->instructions[i], word, error)) {
            return FALSE;
        }
        g_byte_array_append(out, word, WS_INSTRUCTION_BYTES);
        ws_write_u32(out, program->instructions[i].location);
    }
    return TRUE;
}

static void write_places(GByteArray *out, const WsProgram *program)
{
    guint32 files = g_strv_length(program->files);
    ws_write_u32(out, files);
    for (guint32 f = 0; f < files; f++) {
        ws_write_string(out, program->files[f]);
    }
    ws_write_u32(out, program->location_count);
    for (guint32 l = 0; l < program->location_count; l++) {
        const WsLocation *at = &program->locations[l];
        const guint32 fields[] = {at->file,       at->line,     at->column,
                                  at->inlined_at, at->ptx_line, at->construct};
        for (guint i = 0; i < G_N_ELEMENTS(fields); i++) {
            ws_write_u32(out, fields[i]);
        }
    }
    ws_write_constructs(out, program);
    guint32 labels = 0;
    for (guint32 i = 0; program->labels != NULL && i < program->instruction_count; i++) {
        labels += program->labels[i] != NULL;
    }
    ws_write_u32(out, labels);
    for (guint32 i = 0; labels > 0 && i < program->instruction_count; i++) {
        if (program->labels[i] != NULL) {
            ws_write_u32(out, i);
            ws_write_string(out, program->labels[i]);
        }
    }
}

/* The plain numbers of a kernel, in file order; used for reading and writing. */
enum { KERNEL_NUMBERS = 13 };

static void kernel_numbers(WsKernel *kernel, guint32 *ret[KERNEL_NUMBERS])
{
    guint32 *const numbers[KERNEL_NUMBERS] = {
        &kernel->first,
        &kernel->count,
        &kernel->registers,
        &kernel->static_shared_bytes,
        &kernel->local_bytes,
        &kernel->spill_bytes,
        &kernel->barriers,
        &kernel->required_block[0],
        &kernel->required_block[1],
        &kernel->required_block[2],
        &kernel->max_threads,
        &kernel->min_blocks,
        &kernel->parameter_bytes,
    };
    memcpy(ret, numbers, sizeof numbers);
}

static void write_kernel(GByteArray *out, const WsProgram *program, const WsKernel *kernel)
{
    WsKernel copy = *kernel;
    guint32 *numbers[KERNEL_NUMBERS];
    ws_write_string(out, kernel->name);
    ws_write_string(out, kernel->display_name != NULL ? kernel->display_name : kernel->name);
    kernel_numbers(&copy, numbers);
    for (guint i = 0; i < KERNEL_NUMBERS; i++) {
        ws_write_u32(out, *numbers[i]);
    }
    ws_write_u32(out, (kernel->uses_dynamic_shared ? FLAG_DYNAMIC_SHARED : 0) |
                          (kernel->names_lanes ? FLAG_NAMES_LANES : 0) |
                          (kernel->stack_bytes != 0 ? FLAG_STACK : 0) |
                          (program->machine != 0 ? FLAG_MACHINE : 0) |
                          (kernel->open_parameters ? FLAG_OPEN_PARAMETERS : 0));
    if (kernel->stack_bytes != 0) {
        ws_write_u32(out, kernel->stack_bytes);
    }
    if (program->machine != 0) {
        ws_write_u32(out, program->machine);
        ws_write_u32(out, kernel->system_shared_bytes);
    }
    ws_write_u32(out, kernel->parameter_count);
    for (guint32 p = 0; p < kernel->parameter_count; p++) {
        const WsParameter *parameter = &kernel->parameters[p];
        ws_write_string(out, parameter->name);
        ws_write_u32(out, parameter->type);
        ws_write_u32(out, parameter->offset);
        ws_write_u32(out, parameter->size);
        ws_write_u32(out, parameter->align);
    }
}

static void write_shared(GByteArray *out, const WsKernel *kernel)
{
    ws_write_u32(out, kernel->shared_count);
    for (guint32 v = 0; v < kernel->shared_count; v++) {
        const WsSharedVariable *variable = &kernel->shared[v];
        ws_write_string(out, variable->name);
        ws_write_u32(out, variable->type);
        ws_write_u32(out, variable->offset);
        ws_write_u32(out, variable->size);
        ws_write_u32(out, variable->align);
    }
}

static void write_symbol(GByteArray *out, const WsSymbol *symbol)
{
    ws_write_string(out, symbol->name);
    ws_write_u32(out, symbol->space);
    ws_write_u32(out, symbol->type);
    ws_write_number(out, symbol->address, 8);
    ws_write_number(out, symbol->size, 8);
    ws_write_u32(out, symbol->align);
    ws_write_u32(out, symbol->initial != NULL);
    if (symbol->initial != NULL) {
        g_byte_array_append(out, symbol->initial, (guint)symbol->size);
    }
}

static gboolean write_program(GByteArray *out, const WsProgram *program, GError **error)
{
    ws_write_u32(out, program->parameter_base);
    if (!write_instructions(out, program, error)) {
        return FALSE;
    }
    write_places(out, program);
    ws_write_u32(out, program->kernel_count);
    for (guint32 k = 0; k < program->kernel_count; k++) {
        write_kernel(out, program, &program->kernels[k]);
        write_shared(out, &program->kernels[k]);
    }
    ws_write_u32(out, program->symbol_count);
    for (guint32 s = 0; s < program->symbol_count; s++) {
        write_symbol(out, &program->symbols[s]);
    }
    ws_write_bytes(out, program->constants, program->constant_bytes);
    ws_write_number(out, program->module_bytes, 8);
    ws_write_string(out, program->path);
    ws_write_u32(out, program->ptx != NULL);
    ws_write_string(out, program->ptx);
    ws_write_variables(out, program->variables);
    ws_write_string(out, program->compiler);
    return TRUE;
}

static void digest(const guint8 *data, gsize length, guint8 *ret)
{
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    gsize size = DIGEST_BYTES;
    g_checksum_update(checksum, data, (gssize)length);
    g_checksum_get_digest(checksum, ret, &size);
}

GBytes *ws_program_to_binary(const WsProgram *program, GError **error)
{
    g_autoptr(GByteArray) body = g_byte_array_new();
    g_autoptr(GByteArray) out = g_byte_array_new();
    guint8 sum[DIGEST_BYTES];
    if (!write_program(body, program, error)) {
        return NULL;
    }
    digest(body->data, body->len, sum);
    g_byte_array_append(out, magic, MAGIC_BYTES);
    ws_write_u32(out, VERSION);
    ws_write_number(out, body->len, 8);
    g_byte_array_append(out, sum, DIGEST_BYTES);
    g_byte_array_append(out, body->data, body->len);
    return g_byte_array_free_to_bytes(g_steal_pointer(&out));
}

/* ---- reading ----------------------------------------------------------------------------------
 */

static void read_instructions(WsFieldReader *reader, WsProgram *program)
{
    guint32 count = ws_read_count(reader, WS_INSTRUCTION_BYTES + 4);
    if (count > MAX_INSTRUCTIONS) {
        ws_read_fail(reader, "there are too many instructions");
        return;
    }
    program->instructions = g_new0(WsInstruction, (gsize)count + 1);
    program->labels = g_new0(char *, (gsize)count + 1);
    program->instruction_count = count;
    for (guint32 i = 0; i < count && !reader->failed; i++) {
        const guint8 *word = ws_read_raw(reader, WS_INSTRUCTION_BYTES);
        g_autoptr(GError) problem = NULL;
        if (word != NULL && !ws_decode_word(word, &program->instructions[i], &problem)) {
            const char *message = problem->message;
            ws_read_fail(reader, g_str_has_prefix(message, "error: ") ? message + 7 : message);
        }
        program->instructions[i].location = ws_read_u32(reader);
    }
}

static void read_places(WsFieldReader *reader, WsProgram *program)
{
    guint32 files = ws_read_count(reader, 4);
    g_strfreev(program->files);
    program->files = g_new0(char *, (gsize)files + 1);
    for (guint32 f = 0; f < files && !reader->failed; f++) {
        program->files[f] = ws_read_string(reader);
    }
    gboolean constructs = reader->version >= CONSTRUCT_VERSION;
    guint32 locations = ws_read_count(reader, constructs ? 24 : 20);
    g_free(program->locations);
    program->locations = g_new0(WsLocation, (gsize)locations + 1);
    program->location_count = locations;
    for (guint32 l = 0; l < locations && !reader->failed; l++) {
        WsLocation *at = &program->locations[l];
        guint32 *const fields[] = {&at->file,       &at->line,     &at->column,
                                   &at->inlined_at, &at->ptx_line, &at->construct};
        for (guint i = 0; i < G_N_ELEMENTS(fields) - !constructs; i++) {
            *fields[i] = ws_read_u32(reader);
        }
    }
    if (constructs) {
        ws_read_constructs(reader, program);
    }
    guint32 labels = ws_read_count(reader, 8);
    for (guint32 i = 0; i < labels && !reader->failed; i++) {
        guint32 number = ws_read_u32(reader);
        g_autofree char *name = ws_read_name(reader);
        if (number >= program->instruction_count || program->labels[number] != NULL) {
            ws_read_fail(reader, "a label is not at an instruction of its own");
            return;
        }
        program->labels[number] = g_steal_pointer(&name);
    }
}

static void read_kernel(WsFieldReader *reader, WsProgram *program, WsKernel *kernel)
{
    guint32 *numbers[KERNEL_NUMBERS];
    kernel->name = ws_read_name(reader);
    kernel->display_name = ws_read_name(reader);
    kernel_numbers(kernel, numbers);
    for (guint i = 0; i < KERNEL_NUMBERS; i++) {
        *numbers[i] = ws_read_u32(reader);
    }
    guint32 flags = ws_read_u32(reader);
    kernel->uses_dynamic_shared = (flags & FLAG_DYNAMIC_SHARED) != 0;
    kernel->names_lanes = (flags & FLAG_NAMES_LANES) != 0;
    kernel->stack_bytes = flags & FLAG_STACK ? ws_read_u32(reader) : 0;
    kernel->open_parameters = (flags & FLAG_OPEN_PARAMETERS) != 0;
    if (flags & FLAG_MACHINE) {
        program->machine = ws_read_u32(reader);
        kernel->system_shared_bytes = ws_read_u32(reader);
    }
    if (flags > (FLAG_DYNAMIC_SHARED | FLAG_NAMES_LANES | FLAG_STACK | FLAG_MACHINE |
                 FLAG_OPEN_PARAMETERS)) {
        ws_read_fail(reader, "a kernel has unknown flags");
    }
    guint32 count = ws_read_count(reader, 20);
    kernel->parameters = g_new0(WsParameter, (gsize)count + 1);
    kernel->parameter_count = count;
    for (guint32 p = 0; p < count && !reader->failed; p++) {
        WsParameter *parameter = &kernel->parameters[p];
        parameter->name = ws_read_name(reader);
        guint32 type = ws_read_u32(reader);
        parameter->type = type <= WS_TYPE_TEXREF ? type : WS_TYPE_BYTES;
        parameter->offset = ws_read_u32(reader);
        parameter->size = ws_read_u32(reader);
        parameter->align = ws_read_u32(reader);
        if (type > WS_TYPE_TEXREF) {
            ws_read_fail(reader, "a parameter has an unknown type");
        }
    }
}

static void read_shared(WsFieldReader *reader, WsKernel *kernel)
{
    guint32 count = ws_read_count(reader, 20);
    kernel->shared = g_new0(WsSharedVariable, (gsize)count + 1);
    kernel->shared_count = count;
    for (guint32 v = 0; v < count && !reader->failed; v++) {
        WsSharedVariable *variable = &kernel->shared[v];
        variable->name = ws_read_string(reader);
        guint32 type = ws_read_u32(reader);
        variable->type = type < WS_TYPE_TEXREF ? type : WS_TYPE_B8;
        variable->offset = ws_read_u32(reader);
        variable->size = ws_read_u32(reader);
        variable->align = ws_read_u32(reader);
        if (type >= WS_TYPE_TEXREF || (v > 0 && variable[-1].offset > variable->offset) ||
            (guint64)variable->offset + variable->size > kernel->static_shared_bytes) {
            ws_read_fail(reader,
                         "a shared variable has an unknown type or lies outside shared memory");
        }
    }
}

static void read_symbol(WsFieldReader *reader, WsSymbol *symbol)
{
    symbol->name = ws_read_name(reader);
    guint32 space = ws_read_u32(reader);
    guint32 type = ws_read_u32(reader);
    if (space > WS_SYMBOL_CONSTANT || type > WS_TYPE_TEXREF) {
        ws_read_fail(reader, "a variable has an unknown space or type");
        return;
    }
    symbol->space = space;
    symbol->type = type;
    symbol->address = ws_read_number(reader, 8);
    symbol->size = ws_read_number(reader, 8);
    symbol->align = ws_read_u32(reader);
    guint32 has_initial = ws_read_u32(reader);
    if (has_initial > 1) {
        ws_read_fail(reader, "a variable has unknown flags");
    }
    if (has_initial == 1) {
        const guint8 *bytes =
            symbol->size <= reader->left ? ws_read_raw(reader, symbol->size) : NULL;
        symbol->initial = bytes != NULL ? ws_copy_bytes(bytes, symbol->size) : NULL;
        if (bytes == NULL) {
            ws_read_fail(reader, "the program ends too early");
        }
    }
}

/* "" stands for none. It stands in all kinds of outputs, so nothing may be in it that one obeys. */
static char *read_compiler(WsFieldReader *reader)
{
    g_autofree char *name = ws_read_name(reader);
    gsize words = strspn(name, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS " .");
    if (name[words] != '\0' || words > WS_MAX_COMPILER_NAME) {
        ws_read_fail(reader, "the compiler has an empty name");
    }
    return *name != '\0' ? g_steal_pointer(&name) : NULL;
}

static void read_program(WsFieldReader *reader, WsProgram *program)
{
    program->parameter_base = ws_read_u32(reader);
    read_instructions(reader, program);
    if (reader->failed) {
        return;
    }
    read_places(reader, program);
    guint32 kernels = ws_read_count(reader, 4 * (KERNEL_NUMBERS + 4));
    program->kernels = g_new0(WsKernel, (gsize)kernels + 1);
    program->kernel_count = kernels;
    for (guint32 k = 0; k < kernels && !reader->failed; k++) {
        read_kernel(reader, program, &program->kernels[k]);
        if (reader->version >= SHARED_VERSION)
            read_shared(reader, &program->kernels[k]);
    }
    guint32 symbols = ws_read_count(reader, 36);
    program->symbols = g_new0(WsSymbol, (gsize)symbols + 1);
    program->symbol_count = symbols;
    for (guint32 s = 0; s < symbols && !reader->failed; s++) {
        read_symbol(reader, &program->symbols[s]);
    }
    guint32 constants = ws_read_count(reader, 1);
    const guint8 *bytes = ws_read_raw(reader, constants);
    program->constants = bytes != NULL ? ws_copy_bytes(bytes, constants) : NULL;
    program->constant_bytes = bytes != NULL ? constants : 0;
    program->module_bytes = ws_read_number(reader, 8);
    program->path = ws_read_string(reader);
    guint32 has_ptx = ws_read_u32(reader);
    g_autofree char *ptx = ws_read_string(reader);
    program->ptx = has_ptx == 1 ? g_steal_pointer(&ptx) : NULL;
    if (reader->version > SHARED_VERSION)
        program->variables = ws_read_variables(
            reader, &(WsVariableBounds){program->instruction_count, g_strv_length(program->files)});
    if (reader->version >= COMPILER_VERSION) {
        program->compiler = read_compiler(reader);
    }
    if (has_ptx > 1 || reader->left > 0) {
        ws_read_fail(reader, "there is something after the program");
    }
}

/* Magic, version, length and digest. */
static void read_header(WsFieldReader *reader)
{
    const guint8 *start = ws_read_raw(reader, MAGIC_BYTES);
    if (start == NULL || memcmp(start, magic, MAGIC_BYTES) != 0) {
        ws_read_fail(reader, "this is not a .wsbin program");
        return;
    }
    reader->version = ws_read_u32(reader);
    if (reader->version < FIRST_VERSION || reader->version > VERSION) {
        g_autofree char *text = g_strdup_printf("version %u is not supported", reader->version);
        ws_read_fail(reader, text);
        return;
    }
    guint64 length = ws_read_number(reader, 8);
    const guint8 *sum = ws_read_raw(reader, DIGEST_BYTES);
    guint8 actual[DIGEST_BYTES];
    if (sum == NULL || length != reader->left) {
        ws_read_fail(reader, "the file is cut short, or has something after its end");
        return;
    }
    digest(reader->at, reader->left, actual);
    if (memcmp(sum, actual, DIGEST_BYTES) != 0) {
        ws_read_fail(reader, "the checksum is wrong; the file is damaged");
    }
}

WsProgram *ws_program_from_binary(const char *path, const guint8 *data, gsize length,
                                  GError **error)
{
    WsFieldReader reader = {path, data, data, length, 0, FALSE, error};
    if (length > WS_MAX_BINARY_BYTES) {
        ws_read_fail(&reader, "the file is too large");
        return NULL;
    }
    read_header(&reader);
    if (reader.failed) {
        return NULL;
    }
    g_autoptr(WsProgram) program = ws_program_new();
    read_program(&reader, program);
    if (reader.failed || !ws_verify(program, error)) {
        return NULL;
    }
    return g_steal_pointer(&program);
}
