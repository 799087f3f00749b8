#include "isa/sass/sass.h"

#include <string.h>

#include "isa/base/error.h"
#include "isa/base/kernel_names.h"
#include "isa/bytecode/instruction_check.h"
#include "isa/container/verifier.h"
#include "isa/sass/listing.h"
#include "isa/sass/spelling.h"
#include "isa/text/assembler.h"

/* Where drivers put the parameters, and the system's shared memory in front of a block's own, as
 * the code that ptxas 11 to 13 makes shows: UMOV UR4, 0x400 begins an address on sm_90. */
enum { PARAMETERS_BEFORE_90 = 0x160, PARAMETERS_OF_90 = 0x210, SYSTEM_SHARED_OF_90 = 1024 };

typedef struct {
    const char *path;
    const WsSassListing *listing;
    const WsSassFunction *function;
    char **files; /* [0] is "nowhere", [1] the listing, then the sources; NULL-terminated */
    WsKernel kernel;
    GArray *code;      /* of WsInstruction */
    GArray *locations; /* of WsLocation */
    GArray *kernels;   /* of WsKernel */
    GArray *refused;   /* of WsRefusedKernel */
} Maker;

/* ---- one instruction --------------------------------------------------------------------------
 */

static gboolean fail(const Maker *maker, guint32 line, GError **error, const char *format, ...)
    G_GNUC_PRINTF(4, 5);

static gboolean fail(const Maker *maker, guint32 line, GError **error, const char *format, ...)
{
    WsPosition position = {maker->path, line, 0};
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    ws_set_error_at(error, WS_ERROR_INPUT, &position, "%s", text);
    return FALSE;
}

/* Bits 41 to 61 of the second word, which stand where isa/bytecode/encoding.h has them, too. The
 * yield bit is a hint that is 0 where a warp may give way. */
static WsControl control_of(const WsSassLine *line)
{
    guint64 high = line->word[1];
    return (WsControl){.stall = high >> 41 & 15,
                       .write_barrier = high >> 46 & 7,
                       .read_barrier = high >> 49 & 7,
                       .wait_mask = high >> 52 & 63};
}

/* The bits of an immediate of a float instruction; its text may be rounded. */
static void take_immediate(const WsSassLine *line, WsInstruction *instruction)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    for (guint n = 0; line->encoded && info->sources == WS_SOURCES_FLOAT && n < info->operand_count;
         n++) {
        if (instruction->operand[n].kind == WS_OPERAND_IMMEDIATE &&
            (info->slots[n] == WS_SLOT_Sb || info->slots[n] == WS_SLOT_Sc)) {
            instruction->operand[n].value = (guint32)(line->word[0] >> 32);
        }
    }
}

/* Byte addresses count from the kernel's first instruction. */
static void move_targets(const Maker *maker, WsInstruction *instruction)
{
    for (guint n = 0; n < instruction->operand_count; n++) {
        if (instruction->operand[n].kind == WS_OPERAND_TARGET) {
            instruction->operand[n].value += maker->kernel.first;
        }
    }
}

static gboolean add_line(Maker *maker, const WsSassLine *line, GError **error)
{
    WsInstruction instruction;
    g_autoptr(GError) problem = NULL;
    g_autofree char *text = ws_sass_spelling(line->text);
    if (!ws_assemble_instruction(text, &instruction, &problem)) {
        const char *why = strstr(problem->message, "error: ");
        g_autofree char *shown = ws_printable(line->text);
        return fail(maker, line->line, error, "'%s' is not supported: %s", shown,
                    why != NULL ? why + strlen("error: ") : problem->message);
    }
    if (line->encoded) {
        instruction.control = control_of(line);
        take_immediate(line, &instruction);
    }
    move_targets(maker, &instruction);
    WsLocation location = {.file = line->source != 0 ? line->file + 1 : 1,
                           .line = line->source != 0 ? line->source : line->line};
    instruction.location = maker->locations->len;
    g_array_append_val(maker->locations, location);
    g_array_append_val(maker->code, instruction);
    return TRUE;
}

/* ---- what a kernel uses -----------------------------------------------------------------------
 */

/* The line of the first instruction with one of `flags`, 0 if there is none. */
static guint32 first_line_with(const Maker *maker, guint flags)
{
    for (guint32 i = 0; i < maker->kernel.count; i++) {
        guint32 at = maker->kernel.first + i;
        if (ws_opcode_has(g_array_index(maker->code, WsInstruction, at).opcode, flags)) {
            return g_array_index(maker->function->lines, WsSassLine, i).line;
        }
    }
    return 0;
}

static gboolean check_banks(const Maker *maker, GError **error)
{
    for (guint32 i = 0; i < maker->kernel.count; i++) {
        const WsInstruction *instruction =
            &g_array_index(maker->code, WsInstruction, maker->kernel.first + i);
        for (guint n = 0; n < instruction->operand_count; n++) {
            const WsOperand *operand = &instruction->operand[n];
            if (operand->kind == WS_OPERAND_CONSTANT && operand->bank != 0) {
                return fail(maker, g_array_index(maker->function->lines, WsSassLine, i).line, error,
                            "the constants of bank %u are not in this text", operand->bank);
            }
        }
    }
    return TRUE;
}

/* An error if the kernel uses a memory (instructions with one of `flags`) of which no size is
 * given. */
static gboolean check_size(const Maker *maker, guint flags, guint32 given, const char *memory,
                           GError **error)
{
    guint32 line = given == WS_SASS_NOT_GIVEN ? first_line_with(maker, flags) : 0;
    return line == 0 || fail(maker, line, error,
                             "this kernel uses %s memory of unknown size: add the output of "
                             "cuobjdump -res-usage to the file",
                             memory);
}

static gboolean set_memory(Maker *maker, GError **error)
{
    WsKernel *kernel = &maker->kernel;
    const WsSassFunction *function = maker->function;
    if (!check_size(maker, WS_FLAG_SHARED, function->shared, "shared", error) ||
        !check_size(maker, WS_FLAG_LOCAL, function->stack, "local", error)) {
        return FALSE;
    }
    guint32 system = maker->listing->architecture >= 90 ? SYSTEM_SHARED_OF_90 : 0;
    guint32 shared = function->shared == WS_SASS_NOT_GIVEN ? 0 : function->shared;
    kernel->system_shared_bytes = system;
    kernel->static_shared_bytes = MAX(shared, system);
    kernel->local_bytes = function->stack == WS_SASS_NOT_GIVEN ? 0 : function->stack;
    kernel->uses_dynamic_shared = TRUE; /* the code does not say */
    return TRUE;
}

/* Where the reads of bank 0 end; all of it if some are indexed. */
static guint32 parameter_end(const Maker *maker, guint32 base)
{
    guint32 end = base;
    for (guint32 i = 0; i < maker->kernel.count; i++) {
        const WsInstruction *instruction =
            &g_array_index(maker->code, WsInstruction, maker->kernel.first + i);
        for (guint n = 0; n < instruction->operand_count; n++) {
            const WsOperand *operand = &instruction->operand[n];
            if (operand->kind != WS_OPERAND_CONSTANT || operand->bank != 0) {
                continue;
            }
            end = operand->index != WS_RZ
                      ? base + WS_MAX_PARAMETER_BYTES
                      : MAX(end, operand->value + ws_constant_bytes(instruction, n));
        }
    }
    return MIN(end, base + WS_MAX_PARAMETER_BYTES);
}

/* ---- kernels ----------------------------------------------------------------------------------
 */

static guint32 parameter_base(const WsSassListing *listing)
{
    return listing->architecture >= 90 ? PARAMETERS_OF_90 : PARAMETERS_BEFORE_90;
}

/* Code that nothing reaches fills the last 128 bytes: a branch to itself, and NOP. */
static guint used_lines(const WsSassFunction *function)
{
    guint used = function->lines->len;
    while (used > 1 &&
           strcmp(g_array_index(function->lines, WsSassLine, used - 1).text, "NOP") == 0) {
        used--;
    }
    g_autofree char *self = g_strdup_printf("BRA 0x%x", (used - 1) * WS_INSTRUCTION_BYTES);
    return used > 1 && strcmp(g_array_index(function->lines, WsSassLine, used - 1).text, self) == 0
               ? used - 1
               : used;
}

static char **file_names(const WsSassListing *listing)
{
    char **names = g_new0(char *, listing->files->len + 2);
    names[0] = g_strdup("");
    for (guint i = 0; i < listing->files->len; i++) {
        names[i + 1] = g_strdup(listing->files->pdata[i]);
    }
    return names;
}

static gboolean verify_kernel(const Maker *maker, GError **error)
{
    const WsProgram view = {.parameter_base = parameter_base(maker->listing),
                            .instructions = (WsInstruction *)(gpointer)maker->code->data,
                            .instruction_count = maker->code->len,
                            .locations = (WsLocation *)(gpointer)maker->locations->data,
                            .location_count = maker->locations->len,
                            .files = maker->files,
                            .path = (char *)maker->path};
    return ws_verify_kernel(&view, &maker->kernel, error);
}

static gboolean make_kernel(Maker *maker, GError **error)
{
    WsKernel *kernel = &maker->kernel;
    guint used = used_lines(maker->function);
    for (guint i = 0; i < used; i++) {
        if (!add_line(maker, &g_array_index(maker->function->lines, WsSassLine, i), error)) {
            return FALSE;
        }
    }
    kernel->count = used;
    WsProgram view = {.instructions = (WsInstruction *)(gpointer)maker->code->data};
    ws_kernel_scan_code(&view, kernel);
    if (maker->function->registers != WS_SASS_NOT_GIVEN) {
        kernel->registers = MAX(kernel->registers, maker->function->registers);
    }
    kernel->open_parameters = TRUE;
    guint32 base = parameter_base(maker->listing);
    kernel->parameter_bytes = parameter_end(maker, base) - base;
    return check_banks(maker, error) && set_memory(maker, error) && verify_kernel(maker, error);
}

/* Takes the function in, or notes why it cannot run. */
static void add_function(Maker *maker, const WsSassFunction *function)
{
    g_autoptr(GError) problem = NULL;
    guint32 first = maker->code->len, locations = maker->locations->len;
    maker->function = function;
    maker->kernel = (WsKernel){.name = g_strdup(function->name),
                               .display_name = ws_kernel_display_name(function->name),
                               .first = first};
    if (make_kernel(maker, &problem)) {
        g_array_append_val(maker->kernels, maker->kernel);
        return;
    }
    WsRefusedKernel refused = {.name = maker->kernel.name,
                               .display_name = maker->kernel.display_name,
                               .message = g_strdup(problem->message)};
    g_array_append_val(maker->refused, refused);
    g_array_set_size(maker->code, first);
    g_array_set_size(maker->locations, locations);
}

/* ---- the program ------------------------------------------------------------------------------
 */

static gpointer steal(GArray *array, guint32 *ret_count)
{
    gsize count;
    gpointer data = g_array_steal(array, &count);
    *ret_count = (guint32)count;
    return data;
}

static WsProgram *make_program(Maker *maker)
{
    WsProgram *program = ws_program_new();
    g_clear_pointer(&program->locations, g_free);
    g_clear_pointer(&program->files, g_strfreev);
    program->machine = maker->listing->architecture;
    program->parameter_base = parameter_base(maker->listing);
    program->instructions = steal(maker->code, &program->instruction_count);
    program->locations = steal(maker->locations, &program->location_count);
    program->kernels = steal(maker->kernels, &program->kernel_count);
    program->refused = steal(maker->refused, &program->refused_count);
    program->constants = g_malloc0(1);
    program->files = g_strdupv(maker->files);
    program->path = g_strdup(maker->path);
    return program;
}

WsProgram *ws_sass_program(const char *path, const char *text, gsize length, GError **error)
{
    g_autoptr(WsSassListing) listing = ws_sass_listing_parse(path, text, length, error);
    if (listing == NULL) {
        return NULL;
    }
    g_autoptr(GArray) code = g_array_new(FALSE, FALSE, sizeof(WsInstruction));
    g_autoptr(GArray) locations = g_array_new(FALSE, TRUE, sizeof(WsLocation));
    g_autoptr(GArray) kernels = g_array_new(FALSE, TRUE, sizeof(WsKernel));
    g_autoptr(GArray) refused = g_array_new(FALSE, TRUE, sizeof(WsRefusedKernel));
    g_auto(GStrv) files = file_names(listing);
    Maker maker = {.path = path,
                   .listing = listing,
                   .files = files,
                   .code = code,
                   .locations = locations,
                   .kernels = kernels,
                   .refused = refused};
    g_array_set_size(locations, 1);
    for (guint f = 0; f < listing->functions->len; f++) {
        add_function(&maker, listing->functions->pdata[f]);
    }
    g_autoptr(WsProgram) program = make_program(&maker);
    if (program->kernel_count == 0) {
        g_set_error_literal(error, WS_ERROR, WS_ERROR_INPUT, program->refused[0].message);
        return NULL;
    }
    return ws_verify(program, error) ? g_steal_pointer(&program) : NULL;
}
